// The number types of the machine: half, bfloat16, the 8-bit and 4-bit floats, and how a float becomes one of them.
//
// In: a float (or any C++ arithmetic value).  Out: the bits of the narrow type, rounded once under a Round mode,
// with or without saturation; and back, exactly.  Every type converts implicitly from arithmetic values (round to
// nearest even, no saturation) and to float, so expressions over them are computed in float and rounded on assignment.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ptopro/float_formats.hpp"
#include "ptopro/record.hpp"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace ptopro {

#if defined(__F16C__)
namespace detail {
inline float hardware_half_to_float(uint16_t bits) { return _cvtsh_ss(bits); }
inline uint16_t hardware_float_to_half(float value) { return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT); }
}  // namespace detail
#endif

constexpr float half_to_float(uint16_t bits) {
#if defined(__F16C__)
  if (!std::is_constant_evaluated()) return detail::hardware_half_to_float(bits);
#endif
  return decode<kHalf>(bits);
}

constexpr uint16_t float_to_half(float value) {
#if defined(__F16C__)
  if (!std::is_constant_evaluated()) return detail::hardware_float_to_half(value);
#endif
  return static_cast<uint16_t>(encode<kHalf>(value));
}

constexpr float bfloat16_to_float(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

constexpr uint16_t float_to_bfloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// A narrow float as a C++ value.  Codec gives `Bits`, `to_float(Bits)` and `from_float(float)`.
template <typename Codec>
struct NarrowFloat {
  using Bits = typename Codec::Bits;
  Bits bits = 0;

  constexpr NarrowFloat() = default;
  template <typename T>
    requires std::is_arithmetic_v<T>
  constexpr NarrowFloat(T value) : bits(Codec::from_float(detail::arithmetic_to_float(value))) {}
  template <typename Other>
    requires(!std::is_same_v<Other, Codec>)
  explicit constexpr NarrowFloat(NarrowFloat<Other> value) : bits(Codec::from_float(static_cast<float>(value))) {}

  static constexpr NarrowFloat from_bits(Bits raw) {
    NarrowFloat value;
    value.bits = raw;
    return value;
  }

  constexpr operator float() const { return Codec::to_float(bits); }

  constexpr NarrowFloat operator-() const { return NarrowFloat(-static_cast<float>(*this)); }
  constexpr NarrowFloat& operator+=(float other) { return *this = NarrowFloat(static_cast<float>(*this) + other); }
  constexpr NarrowFloat& operator-=(float other) { return *this = NarrowFloat(static_cast<float>(*this) - other); }
  constexpr NarrowFloat& operator*=(float other) { return *this = NarrowFloat(static_cast<float>(*this) * other); }
  constexpr NarrowFloat& operator/=(float other) { return *this = NarrowFloat(static_cast<float>(*this) / other); }
};

namespace detail {

struct HalfCodec {
  using Bits = uint16_t;
  static constexpr float to_float(Bits bits) { return half_to_float(bits); }
  static constexpr Bits from_float(float value) { return float_to_half(value); }
};
struct BFloat16Codec {
  using Bits = uint16_t;
  static constexpr float to_float(Bits bits) { return bfloat16_to_float(bits); }
  static constexpr Bits from_float(float value) { return float_to_bfloat16(value); }
};
template <const FloatFormat& F>
struct ByteCodec {
  using Bits = uint8_t;
  static constexpr float to_float(Bits bits) { return decode<F>(bits); }
  static constexpr Bits from_float(float value) { return static_cast<Bits>(encode<F>(value)); }
};
struct E8M0Codec {
  using Bits = uint8_t;
  static constexpr float to_float(Bits bits) { return decode_e8m0(bits); }
  static constexpr Bits from_float(float value) { return static_cast<Bits>(encode_e8m0(value)); }
};
struct HiFloat8Codec {
  using Bits = uint8_t;
  static constexpr float to_float(Bits bits) { return decode_hif8(bits); }
  static constexpr Bits from_float(float value) { return static_cast<Bits>(encode_hif8(value)); }
};

}  // namespace detail

using half = NarrowFloat<detail::HalfCodec>;
using bfloat16_t = NarrowFloat<detail::BFloat16Codec>;
using float8_e4m3_t = NarrowFloat<detail::ByteCodec<kE4M3>>;
using float8_e5m2_t = NarrowFloat<detail::ByteCodec<kE5M2>>;
using float8_e8m0_t = NarrowFloat<detail::E8M0Codec>;
using hifloat8_t = NarrowFloat<detail::HiFloat8Codec>;

// Two 4-bit floats in a byte, the first in the low half.  Not a scalar: it has no conversion to float.
template <const FloatFormat& F>
struct Float4Pair {
  uint8_t bits = 0;

  static constexpr Float4Pair from_bits(uint8_t raw) { return Float4Pair{raw}; }
  static constexpr Float4Pair of(float low, float high) {
    return Float4Pair{
        static_cast<uint8_t>(encode<F>(low, Round::Rint, true) | encode<F>(high, Round::Rint, true) << 4)};
  }
  constexpr float low() const { return decode<F>(bits & 0xf); }
  constexpr float high() const { return decode<F>(bits >> 4); }
};

using float4_e2m1x2_t = Float4Pair<kE2M1>;
using float4_e1m2x2_t = Float4Pair<kE1M2>;

namespace sim {

// Bits of one element in memory.
constexpr int dtype_bits(DType type) {
  switch (type) {
    case DType::Float4E2M1:
    case DType::Float4E1M2:
      return 4;
    case DType::Int16:
    case DType::UInt16:
    case DType::Half:
    case DType::BFloat16:
      return 16;
    case DType::Int32:
    case DType::UInt32:
    case DType::Float:
      return 32;
    case DType::Int64:
    case DType::UInt64:
      return 64;
    default:
      return 8;
  }
}

// The DType of a C++ element type.
template <typename T>
constexpr DType dtype_of() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, bool>) return DType::Bool;
  if constexpr (std::is_same_v<U, half>) return DType::Half;
  if constexpr (std::is_same_v<U, bfloat16_t>) return DType::BFloat16;
  if constexpr (std::is_same_v<U, float>) return DType::Float;
  if constexpr (std::is_same_v<U, float8_e4m3_t>) return DType::Float8E4M3;
  if constexpr (std::is_same_v<U, float8_e5m2_t>) return DType::Float8E5M2;
  if constexpr (std::is_same_v<U, float8_e8m0_t>) return DType::Float8E8M0;
  if constexpr (std::is_same_v<U, hifloat8_t>) return DType::HiFloat8;
  if constexpr (std::is_same_v<U, float4_e2m1x2_t>) return DType::Float4E2M1;
  if constexpr (std::is_same_v<U, float4_e1m2x2_t>) return DType::Float4E1M2;
  if constexpr (std::is_integral_v<U> && !std::is_same_v<U, bool>) {
    constexpr bool is_signed = std::is_signed_v<U>;
    if constexpr (sizeof(U) == 1) return is_signed ? DType::Int8 : DType::UInt8;
    if constexpr (sizeof(U) == 2) return is_signed ? DType::Int16 : DType::UInt16;
    if constexpr (sizeof(U) == 4) return is_signed ? DType::Int32 : DType::UInt32;
    if constexpr (sizeof(U) == 8) return is_signed ? DType::Int64 : DType::UInt64;
  }
  return DType::Count;
}

// Whether a cast that names no saturation mode saturates.  Six narrowing pairs wrap instead, as the device's
// library does for agreement with tensor frameworks.
constexpr bool cast_saturates_by_default(DType dst, DType src) {
  if (src == DType::Half) return !(dst == DType::UInt8 || dst == DType::Int8 || dst == DType::Int16);
  if (src == DType::Float) return dst != DType::Int16;
  if (src == DType::Int64) return dst != DType::Int32;
  if (src == DType::Int32) return dst != DType::Int16;
  return true;
}

}  // namespace sim
}  // namespace ptopro
