// Conversions of lanes: rounding, saturation, and which part of a wide lane the narrow one is.
//
// Where widths differ there are as many results as wide lanes; the narrow lanes take one part of each (PART_EVEN,
// PART_ODD, PART_P0..P3).  Narrowing leaves 0 in the other parts, widening reads the named one.  The mask counts lanes
// of the source.
#pragma once

#include <limits>

#include "ptopro/vf/arithmetic.hpp"

namespace ptopro::vf {

constexpr Round round_of(VfRound round) {
  switch (round) {
    case ROUND_R:
      return Round::Rint;
    case ROUND_A:
    case ROUND_H:
      return Round::Away;
    case ROUND_F:
      return Round::Floor;
    case ROUND_C:
      return Round::Ceil;
    case ROUND_Z:
      return Round::Trunc;
    case ROUND_O:
      return Round::Odd;
  }
  return Round::Rint;
}

// The whole number that a value is rounded to.
inline double whole(double value, VfRound round) {
  switch (round) {
    case ROUND_A:
    case ROUND_H:
      return __builtin_round(value);
    case ROUND_F:
      return __builtin_floor(value);
    case ROUND_C:
      return __builtin_ceil(value);
    case ROUND_Z:
      return __builtin_trunc(value);
    case ROUND_O: {
      const double below = __builtin_floor(value);
      return value != below && __builtin_fmod(below, 2.0) == 0 ? below + 1 : below;
    }
    default:
      return __builtin_nearbyint(value);
  }
}

// A float as an integer: out of range it keeps its low bits, or is clamped; infinities are the ends of the range.
template <typename D>
D float_to_int(double value, VfRound round, bool saturate) {
  using Limits = std::numeric_limits<D>;
  if (value != value) return 0;
  const double rounded = whole(value, round);
  const double low = static_cast<double>(Limits::lowest());
  const double above = sizeof(D) == 8 ? (Limits::is_signed ? 0x1p63 : 0x1p64) : static_cast<double>(Limits::max()) + 1;
  if (rounded >= low && rounded < above) return static_cast<D>(rounded);
  const bool infinite = rounded - rounded != 0;
  if (saturate || infinite) return rounded < 0 ? Limits::lowest() : Limits::max();
  // Float ranges reach beyond 64 bits, and a negative number has no room for its low bits beside 2^64.
  const uint64_t magnitude = static_cast<uint64_t>(__builtin_fmod(__builtin_fabs(rounded), 0x1p64));
  return static_cast<D>(rounded < 0 ? 0 - magnitude : magnitude);
}

// An integer as the float nearest to it under a rounding mode.
template <typename S>
float int_to_float(S value, VfRound round) {
  const bool negative = std::is_signed_v<S> && value < 0;
  uint64_t magnitude = static_cast<uint64_t>(value);
  if (negative) magnitude = 0 - magnitude;
  int shift = 0;
  while (magnitude >> shift >> 24) ++shift;
  uint64_t kept = magnitude >> shift;
  const uint64_t rest = magnitude & ((uint64_t{1} << shift) - 1);
  const uint64_t half_unit = shift ? uint64_t{1} << (shift - 1) : 1;
  if (detail::rounds_up(round_of(round), negative, kept, rest, half_unit)) ++kept;
  const float result = __builtin_ldexpf(static_cast<float>(kept), shift);
  return negative ? -result : result;
}

// A float as a narrow one.
template <typename D>
D narrow(float value, VfRound round, bool saturate) {
  const Round mode = round_of(round);
  const bool nan = value != value;
  if constexpr (std::is_same_v<D, float>) {
    return value;
  } else if constexpr (std::is_same_v<D, half>) {
    return nan && saturate ? D{} : D::from_bits(static_cast<uint16_t>(encode<kHalf>(value, mode, saturate)));
  } else if constexpr (std::is_same_v<D, bfloat16_t>) {
    return nan && saturate ? D{} : D::from_bits(static_cast<uint16_t>(encode<kBFloat16>(value, mode, saturate)));
  } else if constexpr (std::is_same_v<D, float8_e4m3_t>) {
    return nan && saturate ? D{} : D::from_bits(static_cast<uint8_t>(encode<kE4M3>(value, mode, saturate)));
  } else if constexpr (std::is_same_v<D, float8_e5m2_t>) {
    return nan && saturate ? D{} : D::from_bits(static_cast<uint8_t>(encode<kE5M2>(value, mode, saturate)));
  } else if constexpr (std::is_same_v<D, hifloat8_t>) {
    return nan && saturate ? D{} : D::from_bits(static_cast<uint8_t>(encode_hif8(value, mode, saturate)));
  } else {
    static_assert(std::is_same_v<D, float8_e8m0_t>);
    return D(value);
  }
}

template <typename D, typename S>
D convert(S value, VfRound round, bool saturate) {
  if constexpr (std::is_integral_v<D> && std::is_integral_v<S>) {
    using Limits = std::numeric_limits<D>;
    if constexpr (std::is_signed_v<S> && std::is_unsigned_v<D> && sizeof(D) > sizeof(S)) {
      return value < 0 ? 0 : static_cast<D>(value);
    } else if constexpr (sizeof(D) >= sizeof(S)) {
      return static_cast<D>(value);
    } else {
      if (!saturate) return static_cast<D>(value);
      if (std::is_signed_v<S> && value < static_cast<S>(Limits::lowest())) return Limits::lowest();
      if (std::is_signed_v<S> && std::is_unsigned_v<D> && value < 0) return 0;
      return value > static_cast<S>(Limits::max()) ? Limits::max() : static_cast<D>(value);
    }
  } else if constexpr (std::is_integral_v<D>) {
    return float_to_int<D>(static_cast<float>(value), round, saturate);
  } else if constexpr (std::is_integral_v<S>) {
    if constexpr (std::is_same_v<D, float>) return int_to_float(value, round);
    return narrow<D>(detail::arithmetic_to_float(value), round, true);
  } else {
    return narrow<D>(static_cast<float>(value), round, saturate);
  }
}

// All lanes; part: of the wide lanes.
template <typename D, typename S>
void convert_lanes(RegTensor<D>& dst, const RegTensor<S>& src, const MaskReg& mask, VfRound round, bool saturate,
                   int part, VfMode mode) {
  const Lanes<S> x = src.lanes();
  const MaskReg active = mask;
  Lanes<D> result{};
  if (mode == MODE_MERGING) result = dst.lanes();
  constexpr int kRatio = static_cast<int>(sizeof(D) > sizeof(S) ? sizeof(D) / sizeof(S) : sizeof(S) / sizeof(D));
  constexpr int kWide = sizeof(D) > sizeof(S) ? kLanes<D> : kLanes<S>;
  for (int i = 0; i < kWide; ++i) {
    const int from = sizeof(D) > sizeof(S) ? i * kRatio + part : i;
    const int to = sizeof(D) < sizeof(S) ? i * kRatio + part : i;
    if (active.lane<S>(from)) result.at[to] = convert<D>(x.at[from], round, saturate);
  }
  dst.set(result);
}

// Packed 4-bit floats: two of them beside each pair of 16-bit lanes.
template <const FloatFormat& F>
void widen_pairs(RegTensor<bfloat16_t>& dst, const uint8_t* bytes, const MaskReg& mask, int part) {
  Lanes<bfloat16_t> result{};
  for (int i = 0; i < kLanes<bfloat16_t> / 2; ++i) {
    const uint8_t pair = bytes[4 * i + part];
    if (!mask.bit(4 * i + part)) continue;
    result.at[2 * i] = decode<F>(pair & 0xf);
    result.at[2 * i + 1] = decode<F>(pair >> 4);
  }
  dst.set(result);
}
template <const FloatFormat& F>
void narrow_pairs(uint8_t* bytes, const RegTensor<bfloat16_t>& src, const MaskReg& mask, VfRound round, int part) {
  const auto x = src.lanes();
  const MaskReg active = mask;
  const Round mode = round_of(round);
  __builtin_memset(bytes, 0, kBytes);
  for (int i = 0; i < kLanes<bfloat16_t> / 2; ++i) {
    const uint32_t low = active.lane<bfloat16_t>(2 * i) ? encode<F>(x.at[2 * i], mode, true) : 0;
    const uint32_t high = active.lane<bfloat16_t>(2 * i + 1) ? encode<F>(x.at[2 * i + 1], mode, true) : 0;
    bytes[4 * i + part] = static_cast<uint8_t>(low | high << 4);
  }
}
// Packed 4-bit integers beside pairs of 16-bit lanes.
template <typename D>
void widen_integers(RegTensor<D>& dst, const uint8_t* bytes, const MaskReg& mask, int part) {
  Lanes<D> result{};
  for (int i = 0; i < kLanes<D> / 2; ++i) {
    const uint8_t pair = bytes[4 * i + part];
    if (!mask.bit(4 * i + part)) continue;
    result.at[2 * i] = static_cast<D>(static_cast<int8_t>(pair << 4) >> 4);
    result.at[2 * i + 1] = static_cast<D>(static_cast<int8_t>(pair) >> 4);
  }
  dst.set(result);
}

}  // namespace ptopro::vf

// rounded, saturated, a part
template <typename D, typename S>
inline void vcvt(RegTensor<D>& dst, const RegTensor<S>& src, const MaskReg& mask, VfRound round, VfSaturate saturate,
                 VfPart part, VfMode mode) {
  ptopro::vf::convert_lanes(dst, src, mask, round, saturate == RS_ENABLE, part, mode);
}
template <typename D, typename S>
inline void vcvt(RegTensor<D>& dst, const RegTensor<S>& src, const MaskReg& mask, VfRound round, VfSaturate saturate,
                 VfPart4 part, VfMode mode) {
  ptopro::vf::convert_lanes(dst, src, mask, round, saturate == RS_ENABLE, part, mode);
}
// rounded, saturated
template <typename D, typename S>
inline void vcvt(RegTensor<D>& dst, const RegTensor<S>& src, const MaskReg& mask, VfRound round, VfSaturate saturate,
                 VfMode mode) {
  ptopro::vf::convert_lanes(dst, src, mask, round, saturate == RS_ENABLE, 0, mode);
}
// rounded, a part
template <typename D, typename S>
inline void vcvt(RegTensor<D>& dst, const RegTensor<S>& src, const MaskReg& mask, VfRound round, VfPart part,
                 VfMode mode) {
  ptopro::vf::convert_lanes(dst, src, mask, round, false, part, mode);
}
// rounded
template <typename D, typename S>
inline void vcvt(RegTensor<D>& dst, const RegTensor<S>& src, const MaskReg& mask, VfRound round, VfMode mode) {
  ptopro::vf::convert_lanes(dst, src, mask, round, false, 0, mode);
}
// saturated, a part
template <typename D, typename S>
inline void vcvt(RegTensor<D>& dst, const RegTensor<S>& src, const MaskReg& mask, VfSaturate saturate, VfPart part,
                 VfMode mode) {
  ptopro::vf::convert_lanes(dst, src, mask, ROUND_R, saturate == RS_ENABLE, part, mode);
}
template <typename D, typename S>
inline void vcvt(RegTensor<D>& dst, const RegTensor<S>& src, const MaskReg& mask, VfSaturate saturate, VfPart4 part,
                 VfMode mode) {
  ptopro::vf::convert_lanes(dst, src, mask, ROUND_R, saturate == RS_ENABLE, part, mode);
}
// a part
template <typename D, typename S>
inline void vcvt(RegTensor<D>& dst, const RegTensor<S>& src, const MaskReg& mask, VfPart part, VfMode mode) {
  ptopro::vf::convert_lanes(dst, src, mask, ROUND_R, false, part, mode);
}
template <typename D, typename S>
inline void vcvt(RegTensor<D>& dst, const RegTensor<S>& src, const MaskReg& mask, VfPart4 part, VfMode mode) {
  ptopro::vf::convert_lanes(dst, src, mask, ROUND_R, false, part, mode);
}
inline void vcvt(RegTensor<ptopro::bfloat16_t>& dst, const RegTensor<ptopro::float4_e2m1x2_t>& src, const MaskReg& mask,
                 VfPart4 part, VfMode) {
  ptopro::vf::widen_pairs<ptopro::kE2M1>(dst, src.bytes, mask, part);
}
inline void vcvt(RegTensor<ptopro::bfloat16_t>& dst, const RegTensor<ptopro::float4_e1m2x2_t>& src, const MaskReg& mask,
                 VfPart4 part, VfMode) {
  ptopro::vf::widen_pairs<ptopro::kE1M2>(dst, src.bytes, mask, part);
}
inline void vcvt(RegTensor<ptopro::float4_e2m1x2_t>& dst, const RegTensor<ptopro::bfloat16_t>& src, const MaskReg& mask,
                 VfRound round, VfPart4 part, VfMode) {
  ptopro::vf::narrow_pairs<ptopro::kE2M1>(dst.bytes, src, mask, round, part);
}
inline void vcvt(RegTensor<ptopro::float4_e1m2x2_t>& dst, const RegTensor<ptopro::bfloat16_t>& src, const MaskReg& mask,
                 VfRound round, VfPart4 part, VfMode) {
  ptopro::vf::narrow_pairs<ptopro::kE1M2>(dst.bytes, src, mask, round, part);
}
inline void vcvt_s42f16(RegTensor<ptopro::half>& dst, const vector_s4x2& src, const MaskReg& mask, VfPart4 part,
                        VfMode) {
  ptopro::vf::widen_integers(dst, src.bytes, mask, part);
}
inline void vcvt_s42bf16(RegTensor<ptopro::bfloat16_t>& dst, const vector_s4x2& src, const MaskReg& mask, VfPart4 part,
                         VfMode) {
  ptopro::vf::widen_integers(dst, src.bytes, mask, part);
}
inline void vcvt_s42s16(RegTensor<int16_t>& dst, const vector_s4x2& src, const MaskReg& mask, VfPart4 part, VfMode) {
  ptopro::vf::widen_integers(dst, src.bytes, mask, part);
}
inline void vcvt_f162s4(vector_s4x2& dst, const RegTensor<ptopro::half>& src, const MaskReg& mask, VfRound round,
                        VfSaturate saturate, VfPart4 part, VfMode) {
  using namespace ptopro::vf;
  const auto x = src.lanes();
  const MaskReg active = mask;
  dst.clear();
  for (int i = 0; i < kLanes<ptopro::half> / 2; ++i) {
    int digits[2] = {};
    for (int k = 0; k < 2; ++k) {
      if (!active.lane<ptopro::half>(2 * i + k)) continue;
      const int value = float_to_int<int32_t>(static_cast<float>(x.at[2 * i + k]), round, true);
      digits[k] = saturate == RS_ENABLE ? (value < -8 ? -8 : value > 7 ? 7 : value) : value;
    }
    dst.bytes[4 * i + part] = static_cast<uint8_t>((digits[0] & 0xf) | (digits[1] & 0xf) << 4);
  }
}

// Rounds to a whole number that stays a float.
template <typename T>
inline void vtrc(RegTensor<T>& dst, const RegTensor<T>& src, VfRound round, const MaskReg& mask,
                 VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  map(dst, src, mask, mode, [round](T a) { return static_cast<T>(static_cast<float>(whole(wide(a), round))); });
}

// src * scalar as FP16, ties away from zero, in the even or the odd lanes.
inline void vmulscvt(RegTensor<ptopro::half>& dst, const RegTensor<float>& src, float scalar, const MaskReg& mask,
                     VfPart part) {
  using namespace ptopro::vf;
  const auto x = src.lanes();
  const MaskReg active = mask;
  Lanes<half> result{};
  for (int i = 0; i < kLanes<float>; ++i)
    if (active.lane<float>(i)) result.at[2 * i + part] = narrow<half>(x.at[i] * scalar, ROUND_A, false);
  dst.set(result);
}
