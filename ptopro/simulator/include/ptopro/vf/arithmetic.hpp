// Arithmetic of registers, lane by lane.  Narrow floats are computed in float and rounded once (fused operations in
// double); integers wrap.
#pragma once

#include "ptopro/math.hpp"
#include "ptopro/vf/registers.hpp"

namespace ptopro::vf {

// a * b + c with one rounding.
template <typename T>
constexpr T fused(T a, T b, T c) {
  if constexpr (std::is_same_v<T, float>) {
    return __builtin_fmaf(a, b, c);
  } else if constexpr (kIsNarrow<T>) {
    const double product = static_cast<double>(static_cast<float>(a)) * static_cast<float>(b);
    return T(product + static_cast<float>(c));
  } else {
    return static_cast<T>(wide(a) * wide(b) + wide(c));
  }
}

// The larger and the smaller: NaN wins, and +0 is larger than -0.
template <typename T>
constexpr T larger(T a, T b) {
  if constexpr (kIsFloat<T>) {
    const float x = a, y = b;
    if (x != x) return a;
    if (y != y) return b;
    if (x == 0 && y == 0) return std::bit_cast<uint32_t>(x) == 0 ? a : b;
    return x < y ? b : a;
  } else {
    return a < b ? b : a;
  }
}
template <typename T>
constexpr T smaller(T a, T b) {
  if constexpr (kIsFloat<T>) {
    const float x = a, y = b;
    if (x != x) return a;
    if (y != y) return b;
    if (x == 0 && y == 0) return std::bit_cast<uint32_t>(x) != 0 ? a : b;
    return y < x ? b : a;
  } else {
    return b < a ? b : a;
  }
}

// Integers truncate; a division by 0 gives 0.
template <typename T>
constexpr T quotient(T a, T b) {
  if constexpr (kIsFloat<T>) {
    return static_cast<T>(static_cast<float>(a) / static_cast<float>(b));
  } else {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return static_cast<T>(0 - wide(a));
    return static_cast<T>(a / b);
  }
}

// Shifts: vacated bits are 0, or the sign where signed lanes move right; all bits may leave.
template <typename T>
constexpr T left(T value, int64_t amount) {
  return amount >= static_cast<int64_t>(8 * sizeof(T)) ? T{0} : static_cast<T>(wide(value) << amount);
}
template <typename T>
constexpr T right(T value, int64_t amount) {
  const int64_t most = 8 * sizeof(T) - 1;
  if (amount > most) {
    if constexpr (std::is_unsigned_v<T>) return 0;
    return value < 0 ? -1 : 0;
  }
  return static_cast<T>(value >> amount);
}

}  // namespace ptopro::vf

#define PTOPRO_VF_TWO(name, expression)                                                                        \
  template <typename T>                                                                                        \
  inline void name(RegTensor<T>& dst, const RegTensor<T>& src0, const RegTensor<T>& src1, const MaskReg& mask, \
                   VfMode mode = MODE_ZEROING) {                                                               \
    using namespace ptopro::vf;                                                                                \
    map(dst, src0, src1, mask, mode, [](T a, T b) { return expression; });                                     \
  }
#define PTOPRO_VF_ONE(name, expression)                                                                           \
  template <typename T>                                                                                           \
  inline void name(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode mode = MODE_ZEROING) { \
    using namespace ptopro::vf;                                                                                   \
    map(dst, src, mask, mode, [](T a) { return expression; });                                                    \
  }
#define PTOPRO_VF_SCALAR(name, expression)                                                                   \
  template <typename T>                                                                                      \
  inline void name(RegTensor<T>& dst, const RegTensor<T>& src, ptopro::vf::Number<T> b, const MaskReg& mask, \
                   VfMode mode = MODE_ZEROING) {                                                             \
    using namespace ptopro::vf;                                                                              \
    map(dst, src, mask, mode, [b](T a) { return expression; });                                              \
  }

PTOPRO_VF_TWO(vadd, static_cast<T>(wide(a) + wide(b)))
PTOPRO_VF_TWO(vsub, static_cast<T>(wide(a) - wide(b)))
PTOPRO_VF_TWO(vmul, static_cast<T>(wide(a) * wide(b)))
PTOPRO_VF_TWO(vdiv, quotient(a, b))
PTOPRO_VF_TWO(vmax, larger(a, b))
PTOPRO_VF_TWO(vmin, smaller(a, b))
PTOPRO_VF_TWO(vprelu, ordered(a) >= 0 ? a : static_cast<T>(wide(a) * wide(b)))
PTOPRO_VF_SCALAR(vadds, static_cast<T>(wide(a) + wide(b)))
PTOPRO_VF_SCALAR(vmuls, static_cast<T>(wide(a) * wide(b)))
PTOPRO_VF_SCALAR(vmaxs, larger(a, b))
PTOPRO_VF_SCALAR(vmins, smaller(a, b))
PTOPRO_VF_SCALAR(vlrelu, ordered(a) >= 0 ? a : static_cast<T>(wide(a) * wide(b)))
PTOPRO_VF_ONE(vexp, static_cast<T>(ptopro::sim::math::exp(wide(a))))
PTOPRO_VF_ONE(vln, static_cast<T>(ptopro::sim::math::log(wide(a))))
PTOPRO_VF_ONE(vsqrt, static_cast<T>(ptopro::sim::math::sqrt(wide(a))))
PTOPRO_VF_ONE(vneg, static_cast<T>(kIsFloat<T> ? -wide(a) : 0 - wide(a)))
PTOPRO_VF_ONE(vrelu, ordered(a) <= 0 ? T{} : a)

#undef PTOPRO_VF_TWO
#undef PTOPRO_VF_ONE
#undef PTOPRO_VF_SCALAR

template <typename T>
inline void vabs(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  map(dst, src, mask, mode, [](T a) {
    if constexpr (kIsFloat<T>) return static_cast<T>(__builtin_fabsf(wide(a)));
    return static_cast<T>(ordered(a) < 0 ? 0 - wide(a) : wide(a));
  });
}
template <typename T>
inline void vabsdif(RegTensor<T>& dst, const RegTensor<T>& src0, const RegTensor<T>& src1, const MaskReg& mask,
                    VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  map(dst, src0, src1, mask, mode, [](T a, T b) {
    if constexpr (kIsFloat<T>) return static_cast<T>(__builtin_fabsf(wide(a) - wide(b)));
    return static_cast<T>(a < b ? wide(b) - wide(a) : wide(a) - wide(b));
  });
}

// dst = src0 * src1 + dst, dst = dst * src0 + src1, dst = src * scalar + dst.
template <typename T>
inline void vmula(RegTensor<T>& dst, const RegTensor<T>& src0, const RegTensor<T>& src1, const MaskReg& mask,
                  VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  const Lanes<T> x = src0.lanes(), y = src1.lanes(), old = dst.lanes();
  Lanes<T> result;
  for (int i = 0; i < kLanes<T>; ++i) result.at[i] = fused(x.at[i], y.at[i], old.at[i]);
  write(dst, result, mask, mode);
}
template <typename T>
inline void vmadd(RegTensor<T>& dst, const RegTensor<T>& src0, const RegTensor<T>& src1, const MaskReg& mask,
                  VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  const Lanes<T> x = src0.lanes(), y = src1.lanes(), old = dst.lanes();
  Lanes<T> result;
  for (int i = 0; i < kLanes<T>; ++i) result.at[i] = fused(old.at[i], x.at[i], y.at[i]);
  write(dst, result, mask, mode);
}
template <typename T>
inline void vaxpy(RegTensor<T>& dst, const RegTensor<T>& src, ptopro::vf::Number<T> scalar, const MaskReg& mask,
                  VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  const Lanes<T> x = src.lanes(), old = dst.lanes();
  Lanes<T> result;
  for (int i = 0; i < kLanes<T>; ++i) result.at[i] = fused(x.at[i], static_cast<T>(scalar), old.at[i]);
  write(dst, result, mask, mode);
}

// Bits.
#define PTOPRO_VF_BITS(name, op)                                                                               \
  template <typename T>                                                                                        \
  inline void name(RegTensor<T>& dst, const RegTensor<T>& src0, const RegTensor<T>& src1, const MaskReg& mask, \
                   VfMode mode = MODE_ZEROING) {                                                               \
    using namespace ptopro::vf;                                                                                \
    RegTensor<T> result;                                                                                       \
    for (int i = 0; i < kBytes; ++i) result.bytes[i] = static_cast<uint8_t>(src0.bytes[i] op src1.bytes[i]);   \
    Lanes<T> lanes = result.lanes();                                                                           \
    write(dst, lanes, mask, mode);                                                                             \
  }
PTOPRO_VF_BITS(vand, &)
PTOPRO_VF_BITS(vor, |)
PTOPRO_VF_BITS(vxor, ^)
#undef PTOPRO_VF_BITS
template <typename T>
inline void vnot(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  RegTensor<T> result;
  for (int i = 0; i < kBytes; ++i) result.bytes[i] = static_cast<uint8_t>(~src.bytes[i]);
  Lanes<T> lanes = result.lanes();
  write(dst, lanes, mask, mode);
}

template <typename T>
inline void vshls(RegTensor<T>& dst, const RegTensor<T>& src, int16_t amount, const MaskReg& mask,
                  VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  map(dst, src, mask, mode, [amount](T a) { return left(a, amount); });
}
template <typename T>
inline void vshrs(RegTensor<T>& dst, const RegTensor<T>& src, int16_t amount, const MaskReg& mask,
                  VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  map(dst, src, mask, mode, [amount](T a) { return right(a, amount); });
}
template <typename T>
inline void vshl(RegTensor<T>& dst, const RegTensor<T>& src, const RegTensor<std::make_signed_t<T>>& amounts,
                 const MaskReg& mask, VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  const Lanes<T> x = src.lanes();
  const auto by = amounts.lanes();
  Lanes<T> result;
  for (int i = 0; i < kLanes<T>; ++i) result.at[i] = left(x.at[i], static_cast<int64_t>(by.at[i]));
  write(dst, result, mask, mode);
}
template <typename T>
inline void vshr(RegTensor<T>& dst, const RegTensor<T>& src, const RegTensor<std::make_signed_t<T>>& amounts,
                 const MaskReg& mask, VfMode mode = MODE_ZEROING) {
  using namespace ptopro::vf;
  const Lanes<T> x = src.lanes();
  const auto by = amounts.lanes();
  Lanes<T> result;
  for (int i = 0; i < kLanes<T>; ++i) result.at[i] = right(x.at[i], static_cast<int64_t>(by.at[i]));
  write(dst, result, mask, mode);
}

// The low and the high halves of 64-bit products.
template <typename T>
inline void vmull(RegTensor<T>& low, RegTensor<T>& high, const RegTensor<T>& src0, const RegTensor<T>& src1,
                  const MaskReg& mask) {
  using namespace ptopro::vf;
  using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  const Lanes<T> x = src0.lanes(), y = src1.lanes();
  Lanes<T> lows, highs;
  for (int i = 0; i < kLanes<T>; ++i) {
    const uint64_t product = static_cast<uint64_t>(static_cast<Wide>(x.at[i]) * static_cast<Wide>(y.at[i]));
    lows.at[i] = static_cast<T>(product);
    highs.at[i] = static_cast<T>(product >> 32);
  }
  write(low, lows, mask);
  write(high, highs, mask);
}

// Sum and difference of 33 bits, for numbers of several words.
template <typename T>
inline void vaddcs(MaskReg& carry_out, RegTensor<T>& dst, const RegTensor<T>& src0, const RegTensor<T>& src1,
                   const MaskReg& carry_in, const MaskReg& mask) {
  using namespace ptopro::vf;
  const Lanes<T> x = src0.lanes(), y = src1.lanes();
  const MaskReg before = carry_in, active = mask;
  Lanes<T> result;
  MaskReg carry{};
  for (int i = 0; i < kLanes<T>; ++i) {
    const uint64_t sum = static_cast<uint64_t>(wide(x.at[i])) + wide(y.at[i]) + before.lane<T>(i);
    result.at[i] = static_cast<T>(sum);
    carry.put_lane<T>(i, active.lane<T>(i) && sum >> 32);
  }
  write(dst, result, active);
  carry_out = carry;
}
template <typename T>
inline void vsubcs(MaskReg& borrow_out, RegTensor<T>& dst, const RegTensor<T>& src0, const RegTensor<T>& src1,
                   const MaskReg& borrow_in, const MaskReg& mask) {
  using namespace ptopro::vf;
  const Lanes<T> x = src0.lanes(), y = src1.lanes();
  const MaskReg before = borrow_in, active = mask;
  Lanes<T> result;
  MaskReg borrow{};
  for (int i = 0; i < kLanes<T>; ++i) {
    const uint64_t taken = static_cast<uint64_t>(wide(y.at[i])) + before.lane<T>(i);
    result.at[i] = static_cast<T>(wide(x.at[i]) - taken);
    borrow.put_lane<T>(i, active.lane<T>(i) && wide(x.at[i]) < taken);
  }
  write(dst, result, active);
  borrow_out = borrow;
}

// exp(src - largest) in FP32; of FP16 the even or the odd lanes.
inline void vexpdif(RegTensor<float>& dst, const RegTensor<float>& src, const RegTensor<float>& largest,
                    const MaskReg& mask, VfPart) {
  ptopro::vf::map(dst, src, largest, mask, MODE_ZEROING,
                  [](float a, float b) { return ptopro::sim::math::exp(a - b); });
}
inline void vexpdif(RegTensor<float>& dst, const RegTensor<ptopro::half>& src, const RegTensor<ptopro::half>& largest,
                    const MaskReg& mask, VfPart part) {
  using namespace ptopro::vf;
  const Lanes<half> x = src.lanes(), y = largest.lanes();
  const MaskReg active = mask;
  Lanes<float> result;
  for (int i = 0; i < kLanes<float>; ++i) {
    const int from = 2 * i + part;
    const float difference = static_cast<float>(x.at[from]) - static_cast<float>(y.at[from]);
    result.at[i] = active.lane<half>(from) ? ptopro::sim::math::exp(difference) : 0.0f;
  }
  dst.set(result);
}
