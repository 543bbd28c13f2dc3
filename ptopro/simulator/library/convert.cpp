#include "convert.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "ptopro/math.hpp"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace ptopro::sim {

void half_to_float(const uint16_t* src, float* dst, int64_t n) {
  int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(dst + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i))));
#endif
  for (; i < n; ++i) dst[i] = ptopro::half_to_float(src[i]);
}

void float_to_half(const float* src, uint16_t* dst, int64_t n) {
  int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(src + i), _MM_FROUND_TO_NEAREST_INT));
#endif
  for (; i < n; ++i) dst[i] = ptopro::float_to_half(src[i]);
}

void bfloat16_to_float(const uint16_t* src, float* dst, int64_t n) {
  for (int64_t i = 0; i < n; ++i) dst[i] = ptopro::bfloat16_to_float(src[i]);
}

void float_to_bfloat16(const float* src, uint16_t* dst, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(src[i]);
    const uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    const uint32_t nan = (bits >> 16) | 0x40;
    dst[i] = static_cast<uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? nan : rounded);
  }
}

namespace {

template <typename T>
void integers_to_float(const void* src, float* dst, int64_t n) {
  const T* values = static_cast<const T*>(src);
  for (int64_t i = 0; i < n; ++i) dst[i] = static_cast<float>(values[i]);
}

// 256 values of a byte-wide float.
template <typename Decode>
struct ByteTable {
  float values[256];
  explicit ByteTable(Decode decode) {
    for (uint32_t code = 0; code < 256; ++code) values[code] = decode(code);
  }
};

template <typename Decode>
void bytes_to_float(const void* src, float* dst, int64_t n, Decode decode) {
  static const ByteTable<Decode> table(decode);
  const uint8_t* codes = static_cast<const uint8_t*>(src);
  for (int64_t i = 0; i < n; ++i) dst[i] = table.values[codes[i]];
}

template <const FloatFormat& F>
void nibbles_to_float(const void* src, float* dst, int64_t n) {
  const uint8_t* pairs = static_cast<const uint8_t*>(src);
  for (int64_t i = 0; i < n; ++i) dst[i] = decode<F>((pairs[i / 2] >> (i % 2 * 4)) & 0xf);
}

template <const FloatFormat& F>
void float_to_nibbles(const float* src, void* dst, int64_t n, Round round, bool saturate) {
  uint8_t* pairs = static_cast<uint8_t*>(dst);
  for (int64_t i = 0; i < n; ++i) {
    const int shift = static_cast<int>(i % 2) * 4;
    pairs[i / 2] = static_cast<uint8_t>((pairs[i / 2] & ~(0xf << shift)) | encode<F>(src[i], round, saturate) << shift);
  }
}

// The value rounded to the grid of half, ties away from zero: exact when it is then converted.
inline float on_half_grid_away(float value) {
  constexpr float kMagic = 8388608.0f;  // 2^23: adding it rounds to an integer
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffff;
  const float normal = std::bit_cast<float>((bits + 0x1000) & 0xffffe000);
  const float scaled = std::bit_cast<float>(magnitude) * 16777216.0f;  // in units of the smallest half
  const float nearest = (scaled + kMagic) - kMagic;
  const float units = nearest - math::choose(nearest > scaled, 1.0f, 0.0f);
  const float rounded = units + math::choose(scaled - units >= 0.5f, 1.0f, 0.0f);
  const float subnormal =
      std::bit_cast<float>(std::bit_cast<uint32_t>(rounded * (1 / 16777216.0f)) | (bits & 0x80000000));
  const float finite = math::choose(magnitude < 0x38800000, subnormal, normal);
  return math::choose(magnitude >= 0x7f800000, value, finite);
}

// Nearest or away, saturating or not, in vector loops; the other modes one by one.
void round_to_half(const float* src, uint16_t* dst, int64_t n, Round round, bool saturate) {
  if (round != Round::None && round != Round::Rint && round != Round::Away) {
    for (int64_t i = 0; i < n; ++i) dst[i] = static_cast<uint16_t>(encode<kHalf>(src[i], round, saturate));
    return;
  }
  constexpr int64_t kPart = 256;
  const float limit = saturate ? 65504.0f : std::numeric_limits<float>::infinity();
  float part[kPart];
  for (int64_t i = 0; i < n; i += kPart) {
    const int64_t count = n - i < kPart ? n - i : kPart;
    for (int64_t k = 0; k < count; ++k) {
      const float low = math::choose(src[i + k] < -limit, -limit, src[i + k]);
      part[k] = math::choose(low > limit, limit, low);
    }
    if (round == Round::Away)
      for (int64_t k = 0; k < count; ++k) part[k] = on_half_grid_away(part[k]);
    float_to_half(part, dst + i, count);
  }
}

void round_to_bfloat16(const float* src, uint16_t* dst, int64_t n, Round round, bool saturate) {
  if (round != Round::None && round != Round::Rint && round != Round::Away) {
    for (int64_t i = 0; i < n; ++i) dst[i] = static_cast<uint16_t>(encode<kBFloat16>(src[i], round, saturate));
    return;
  }
  const uint32_t top = saturate ? 0x7f7f : 0x7f80;
  const uint32_t to_even = round == Round::Away ? 0 : 1;
  const uint32_t half_unit = round == Round::Away ? 0x8000 : 0x7fff;
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(src[i]);
    const uint32_t magnitude = bits & 0x7fffffff;
    const uint32_t rounded = (magnitude + half_unit + ((magnitude >> 16) & to_even)) >> 16;
    const uint32_t finite = rounded > top ? top : rounded;
    const uint32_t nan = (magnitude >> 16) | 0x40;
    dst[i] = static_cast<uint16_t>((magnitude > 0x7f800000 ? nan : finite) | (bits >> 16 & 0x8000));
  }
}

// Rounds n values to integral ones; one loop per mode, so that each is a vector loop.
void round_values(const float* src, float* dst, int64_t n, Round round) {
  switch (round) {
    case Round::None:
    case Round::Rint:
      for (int64_t i = 0; i < n; ++i) dst[i] = math::rint(src[i]);
      return;
    case Round::Away:
      for (int64_t i = 0; i < n; ++i) dst[i] = math::round_away(src[i]);
      return;
    case Round::Floor:
      for (int64_t i = 0; i < n; ++i) dst[i] = __builtin_floorf(src[i]);
      return;
    case Round::Ceil:
      for (int64_t i = 0; i < n; ++i) dst[i] = __builtin_ceilf(src[i]);
      return;
    case Round::Trunc:
      for (int64_t i = 0; i < n; ++i) dst[i] = __builtin_truncf(src[i]);
      return;
    case Round::Odd:
      for (int64_t i = 0; i < n; ++i) dst[i] = round_to_integral(src[i], round);
      return;
  }
}

// An integral float as int32, clamped; NaN is 0.
inline int32_t clamped_int32(float value) {
  constexpr float kEnd = 2147483648.0f;
  const float below = math::choose(value < kEnd, value, 0.0f);  // NaN is not below
  const float inside = math::choose(below >= -kEnd, below, -kEnd);
  const int32_t top = value >= kEnd ? std::numeric_limits<int32_t>::max() : 0;
  return static_cast<int32_t>(inside) | top;
}

template <typename T>
void float_to_integers(const float* src, void* dst, int64_t n, Round round, bool saturate) {
  constexpr int64_t kPart = 256;
  float part[kPart];
  T* values = static_cast<T*>(dst);
  for (int64_t i = 0; i < n; i += kPart) {
    const int64_t count = n - i < kPart ? n - i : kPart;
    T* to = values + i;
    round_values(src + i, part, count, round);
    if constexpr (sizeof(T) < 4) {
      // Clamped to 32 bits, then to the type or cut to its low bits, as integer_of does.
      const int32_t low = saturate ? std::numeric_limits<T>::min() : std::numeric_limits<int32_t>::min();
      const int32_t high = saturate ? std::numeric_limits<T>::max() : std::numeric_limits<int32_t>::max();
      for (int64_t k = 0; k < count; ++k) {
        const int32_t value = clamped_int32(part[k]);
        const int32_t raised = value < low ? low : value;
        to[k] = static_cast<T>(raised > high ? high : raised);
      }
    } else if constexpr (std::is_same_v<T, int32_t>) {
      if (saturate)
        for (int64_t k = 0; k < count; ++k) to[k] = clamped_int32(part[k]);
      else
        for (int64_t k = 0; k < count; ++k) to[k] = integer_of<T>(part[k], false);
    } else {
      for (int64_t k = 0; k < count; ++k) to[k] = integer_of<T>(part[k], saturate);
    }
  }
}

}  // namespace

void to_float(DType type, const void* src, float* dst, int64_t n) {
  switch (type) {
    case DType::Float:
      std::memcpy(dst, src, static_cast<size_t>(n) * 4);
      return;
    case DType::Half:
      return half_to_float(static_cast<const uint16_t*>(src), dst, n);
    case DType::BFloat16:
      return bfloat16_to_float(static_cast<const uint16_t*>(src), dst, n);
    case DType::Float8E4M3:
      return bytes_to_float(src, dst, n, [](uint32_t code) { return decode<kE4M3>(code); });
    case DType::Float8E5M2:
      return bytes_to_float(src, dst, n, [](uint32_t code) { return decode<kE5M2>(code); });
    case DType::Float8E8M0:
      return bytes_to_float(src, dst, n, [](uint32_t code) { return decode_e8m0(code); });
    case DType::HiFloat8:
      return bytes_to_float(src, dst, n, [](uint32_t code) { return detail::decode_hif8(code); });
    case DType::Float4E2M1:
      return nibbles_to_float<kE2M1>(src, dst, n);
    case DType::Float4E1M2:
      return nibbles_to_float<kE1M2>(src, dst, n);
    case DType::Int8:
      return integers_to_float<int8_t>(src, dst, n);
    case DType::Int16:
      return integers_to_float<int16_t>(src, dst, n);
    case DType::Int32:
      return integers_to_float<int32_t>(src, dst, n);
    case DType::Int64:
      return integers_to_float<int64_t>(src, dst, n);
    case DType::UInt16:
      return integers_to_float<uint16_t>(src, dst, n);
    case DType::UInt32:
      return integers_to_float<uint32_t>(src, dst, n);
    case DType::UInt64:
      return integers_to_float<uint64_t>(src, dst, n);
    default:
      return integers_to_float<uint8_t>(src, dst, n);
  }
}

void from_float(DType type, const float* src, void* dst, int64_t n, Round round, bool saturate) {
  auto bytes = [&](auto encode_one) {
    uint8_t* codes = static_cast<uint8_t*>(dst);
    for (int64_t i = 0; i < n; ++i) codes[i] = static_cast<uint8_t>(encode_one(src[i], round, saturate));
  };
  switch (type) {
    case DType::Float:
      std::memmove(dst, src, static_cast<size_t>(n) * 4);
      return;
    case DType::Half:
      if (!saturate && round == Round::Rint) return float_to_half(src, static_cast<uint16_t*>(dst), n);
      return round_to_half(src, static_cast<uint16_t*>(dst), n, round, saturate);
    case DType::BFloat16:
      return round_to_bfloat16(src, static_cast<uint16_t*>(dst), n, round, saturate);
    case DType::Float8E4M3:
      return bytes(encode<kE4M3>);
    case DType::Float8E5M2:
      return bytes(encode<kE5M2>);
    case DType::Float8E8M0:
      return bytes(encode_e8m0);
    case DType::HiFloat8:
      return bytes(encode_hif8);
    case DType::Float4E2M1:
      return float_to_nibbles<kE2M1>(src, dst, n, round, saturate);
    case DType::Float4E1M2:
      return float_to_nibbles<kE1M2>(src, dst, n, round, saturate);
    case DType::Int8:
      return float_to_integers<int8_t>(src, dst, n, round, saturate);
    case DType::Int16:
      return float_to_integers<int16_t>(src, dst, n, round, saturate);
    case DType::Int32:
      return float_to_integers<int32_t>(src, dst, n, round, saturate);
    case DType::Int64:
      return float_to_integers<int64_t>(src, dst, n, round, saturate);
    case DType::UInt16:
      return float_to_integers<uint16_t>(src, dst, n, round, saturate);
    case DType::UInt32:
      return float_to_integers<uint32_t>(src, dst, n, round, saturate);
    case DType::UInt64:
      return float_to_integers<uint64_t>(src, dst, n, round, saturate);
    default:
      return float_to_integers<uint8_t>(src, dst, n, round, saturate);
  }
}

float round_to_integral(float value, Round round) {
  switch (round) {
    case Round::None:
    case Round::Rint:
      return math::rint(value);
    case Round::Away:
      return math::round_away(value);
    case Round::Floor:
      return std::floor(value);
    case Round::Ceil:
      return std::ceil(value);
    case Round::Trunc:
      return std::trunc(value);
    case Round::Odd: {
      const float down = std::floor(value);
      if (down == value) return value;
      return std::fmod(down, 2.0f) != 0 ? down : down + 1;
    }
  }
  return value;
}

template <typename T>
T integer_of(double value, bool saturate) {
  if (value != value) return 0;
  if (saturate) {
    // The limits as doubles: the upper one is exclusive, because 2^63 - 1 and 2^64 - 1 are not doubles.
    const double low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (value < low) return std::numeric_limits<T>::min();
    if (value >= high) return std::numeric_limits<T>::max();
    return static_cast<T>(value);
  }
  // The device narrows in two steps: clamped to 32 bits, then cut.
  if constexpr (sizeof(T) < 4) return static_cast<T>(integer_of<int32_t>(value, true));
  if (std::fabs(value) >= 9223372036854775808.0) {
    if (std::isinf(value)) return 0;
    const double wrapped = std::fmod(value, 18446744073709551616.0);
    const uint64_t magnitude = static_cast<uint64_t>(std::fabs(wrapped));
    return static_cast<T>(wrapped < 0 ? 0 - magnitude : magnitude);
  }
  return static_cast<T>(static_cast<int64_t>(value));
}

template int8_t integer_of<int8_t>(double, bool);
template int16_t integer_of<int16_t>(double, bool);
template int32_t integer_of<int32_t>(double, bool);
template int64_t integer_of<int64_t>(double, bool);
template uint8_t integer_of<uint8_t>(double, bool);
template uint16_t integer_of<uint16_t>(double, bool);
template uint32_t integer_of<uint32_t>(double, bool);
template uint64_t integer_of<uint64_t>(double, bool);

}  // namespace ptopro::sim
