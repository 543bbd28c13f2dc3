// Cast: every element type to every other, under a rounding mode, saturating or not.
//
// In: tile[1], mod.round, mod.saturate.  Out: the valid region of tile[0].
//  * float to float: rounded once; the same type float to float rounds to an integral value (CAST_NONE copies).
//  * float to integer: rounded to an integral value, then clamped, or cut to the low bits; NaN becomes 0.
//  * integer to integer: clamped, or cut to the low bits.
//  * integer to float: rounded once from the exact value.
#include <array>

#include "bodies.hpp"
#include "rows.hpp"

namespace ptopro::sim {

namespace {

struct Mode {
  Round round;
  bool saturate;
};

template <typename To, typename From>
To integer_to_integer(From value, bool saturate) {
  if (!saturate) return static_cast<To>(value);
  if constexpr (std::is_signed_v<From>) {
    if (value < 0) {
      if constexpr (std::is_unsigned_v<To>) return 0;
      if (static_cast<int64_t>(value) < static_cast<int64_t>(std::numeric_limits<To>::min()))
        return std::numeric_limits<To>::min();
      return static_cast<To>(value);
    }
  }
  if (static_cast<uint64_t>(value) > static_cast<uint64_t>(std::numeric_limits<To>::max()))
    return std::numeric_limits<To>::max();
  return static_cast<To>(value);
}

// An integer as a float under any rounding mode.
template <typename From>
float integer_to_float(From value, Round round) {
  const float nearest = static_cast<float>(value);
  if (sizeof(From) < 4 || round == Round::Rint || round == Round::None) return nearest;
  // Compared as exact 128-bit integers: a float of this size is one.
  const auto exact = static_cast<__int128>(value), rounded = static_cast<__int128>(nearest);
  if (exact == rounded) return nearest;
  const bool is_above = rounded > exact;
  const float other = std::nextafter(nearest, is_above ? -INFINITY : INFINITY);
  const float low = is_above ? other : nearest, high = is_above ? nearest : other;
  const auto below = static_cast<__int128>(low), above = static_cast<__int128>(high);
  switch (round) {
    case Round::Floor:
      return low;
    case Round::Ceil:
      return high;
    case Round::Trunc:
      return exact < 0 ? high : low;
    case Round::Odd:
      return std::bit_cast<uint32_t>(low) & 1 ? low : high;
    default:  // ties away from zero
      if (exact - below == above - exact) return exact < 0 ? low : high;
      return nearest;
  }
}

template <typename From>
void from_integers(DType to, const uint8_t* src, uint8_t* dst, int64_t n, Mode mode) {
  const From* values = reinterpret_cast<const From*>(src);
  if (to == DType::Float) {
    float* out = reinterpret_cast<float*>(dst);
    for (int64_t i = 0; i < n; ++i) out[i] = integer_to_float(values[i], mode.round);
    return;
  }
  if (is_float_type(to)) {
    float part[kChunk];
    for (int64_t i = 0; i < n; i += kChunk) {
      const int64_t count = std::min(kChunk, n - i);
      for (int64_t k = 0; k < count; ++k) part[k] = ptopro::detail::arithmetic_to_float(values[i + k]);
      from_float(to, part, dst + i * dtype_bits(to) / 8, count, mode.round, mode.saturate);
    }
    return;
  }
  with_arithmetic_type(to, [&](auto tag) {
    using To = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<To>) {
      To* out = reinterpret_cast<To*>(dst);
      for (int64_t i = 0; i < n; ++i) out[i] = integer_to_integer<To>(values[i], mode.saturate);
    }
  });
}

void from_floats(DType from, DType to, const uint8_t* src, uint8_t* dst, int64_t n, Mode mode) {
  float part[kChunk];
  const int64_t from_bits = dtype_bits(from), to_bits = dtype_bits(to);
  for (int64_t i = 0; i < n; i += kChunk) {
    const int64_t count = std::min(kChunk, n - i);
    to_float(from, src + i * from_bits / 8, part, count);
    if (from == DType::Float && to == DType::Float && mode.round != Round::None)
      for (int64_t k = 0; k < count; ++k) part[k] = round_to_integral(part[k], mode.round);
    from_float(to, part, dst + i * to_bits / 8, count, mode.round, mode.saturate);
  }
}

void cast_elements(DType from, DType to, const uint8_t* src, uint8_t* dst, int64_t n, Mode mode) {
  if (is_float_type(from)) return from_floats(from, to, src, dst, n, mode);
  with_arithmetic_type(from, [&](auto tag) {
    using From = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<From>) from_integers<From>(to, src, dst, n, mode);
  });
}

void cast(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const Mode mode{static_cast<Round>(record.mod.round), record.mod.saturate != 0};
  const Plane to = plane_of(core, dst), from = plane_of(core, src);
  if (to.bits >= 8 && from.bits >= 8) {
    walk(std::array<Plane, 2>{to, from}, dst.vrows, dst.vcols, false,
         [&](const std::array<uint8_t*, 2>& at, int64_t n) {
           cast_elements(src.dtype, dst.dtype, at[1], at[0], n, mode);
         });
    return;
  }
  for (int64_t r = 0; r < dst.vrows; ++r)
    for (int64_t c = 0; c < dst.vcols; ++c) {
      const uint64_t in = load_bits(from, r, c);
      uint64_t out = 0;
      cast_elements(src.dtype, dst.dtype, reinterpret_cast<const uint8_t*>(&in), reinterpret_cast<uint8_t*>(&out), 1,
                    mode);
      store_bits(to, r, c, out);
    }
}

}  // namespace

Body cast_body(Opcode op) { return op == Opcode::Cast ? cast : nullptr; }

}  // namespace ptopro::sim
