// Masks: patterns, counts, logic, packing, and those that come from data or from the scalar unit.
#pragma once

#include "ptopro/vf/registers.hpp"

namespace ptopro::vf {

constexpr bool in_pattern(VfPattern pattern, int lane, int lanes) {
  switch (pattern) {
    case PAT_ALL:
      return true;
    case PAT_ALLF:
      return false;
    case PAT_M3:
      return lane % 3 == 0;
    case PAT_M4:
      return lane % 4 == 0;
    case PAT_H:
      return lane < lanes / 2;
    case PAT_Q:
      return lane < lanes / 4;
    default: {
      constexpr int kCounts[] = {1, 2, 3, 4, 8, 16, 32, 64, 128};
      return lane < kCounts[pattern - PAT_VL1];
    }
  }
}

// Mask of the lanes of `width` bytes for which `active` holds.
template <typename F>
MaskReg lanes_where(int width, F active) {
  MaskReg mask{};
  for (int i = 0; i < kBytes / width; ++i)
    if (active(i)) mask.put(i * width, true);
  return mask;
}
inline MaskReg pattern_mask(VfPattern pattern, int width) {
  return lanes_where(width, [=](int i) { return in_pattern(pattern, i, kBytes / width); });
}
inline MaskReg counted_mask(uint32_t& left, int width) {
  const uint32_t lanes = static_cast<uint32_t>(kBytes / width), count = left;
  left = left < lanes ? 0 : left - lanes;
  return lanes_where(width, [=](int i) { return static_cast<uint32_t>(i) < count; });
}

// Groups of `width` bits of two masks in turn, and back.
inline void interleave(MaskReg& low, MaskReg& high, const MaskReg& a, const MaskReg& b, int width) {
  MaskReg both[2] = {};
  const int groups = kBytes / width;
  for (int i = 0; i < 2 * groups; ++i)
    for (int bit = 0; bit < width; ++bit)
      both[i / groups].put(i % groups * width + bit, (i % 2 ? b : a).bit(i / 2 * width + bit));
  low = both[0];
  high = both[1];
}
inline void deinterleave(MaskReg& even, MaskReg& odd, const MaskReg& a, const MaskReg& b, int width) {
  MaskReg both[2] = {};
  const int groups = kBytes / width;
  for (int i = 0; i < 2 * groups; ++i)
    for (int bit = 0; bit < width; ++bit)
      both[i % 2].put(i / 2 * width + bit, (i < groups ? a : b).bit(i % groups * width + bit));
  even = both[0];
  odd = both[1];
}

}  // namespace ptopro::vf

inline MaskReg pset_b8(VfPattern pattern) { return ptopro::vf::pattern_mask(pattern, 1); }
inline MaskReg pset_b16(VfPattern pattern) { return ptopro::vf::pattern_mask(pattern, 2); }
inline MaskReg pset_b32(VfPattern pattern) { return ptopro::vf::pattern_mask(pattern, 4); }
inline MaskReg plt_b8(uint32_t& left, VfUpdate) { return ptopro::vf::counted_mask(left, 1); }
inline MaskReg plt_b16(uint32_t& left, VfUpdate) { return ptopro::vf::counted_mask(left, 2); }
inline MaskReg plt_b32(uint32_t& left, VfUpdate) { return ptopro::vf::counted_mask(left, 4); }

// The mask that set_vector_mask has left: a bit for each lane, as many times as the lane has bytes.
inline MaskReg movp_b16() {
  MaskReg mask{};
  for (int i = 0; i < ptopro::vf::kBytes; ++i) mask.put(i, ptopro::sim::vector_mask[i / 128] >> (i / 2 % 64) & 1);
  return mask;
}
inline MaskReg movp_b32() {
  MaskReg mask{};
  for (int i = 0; i < ptopro::vf::kBytes; ++i) mask.put(i, ptopro::sim::vector_mask[0] >> (i / 4) & 1);
  return mask;
}

// A chunk of a register as the bits of a mask: 16 bytes for 16-bit lanes, 8 bytes for 32-bit ones.
template <typename T>
inline void movvp(MaskReg& dst, const RegTensor<T>& src, int chunk) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4);
  constexpr int kLanes = ptopro::vf::kLanes<T>;
  MaskReg mask{};
  for (int i = 0; i < kLanes; ++i) mask.put_lane<T>(i, src.bytes[chunk * kLanes / 8 + i / 8] >> (i % 8) & 1);
  dst = mask;
}

inline void pand(MaskReg& dst, const MaskReg& a, const MaskReg& b, const MaskReg& mask) {
  for (int i = 0; i < 4; ++i) dst.words[i] = a.words[i] & b.words[i] & mask.words[i];
}
inline void por(MaskReg& dst, const MaskReg& a, const MaskReg& b, const MaskReg& mask) {
  for (int i = 0; i < 4; ++i) dst.words[i] = (a.words[i] | b.words[i]) & mask.words[i];
}
inline void pxor(MaskReg& dst, const MaskReg& a, const MaskReg& b, const MaskReg& mask) {
  for (int i = 0; i < 4; ++i) dst.words[i] = (a.words[i] ^ b.words[i]) & mask.words[i];
}
inline void pnot(MaskReg& dst, const MaskReg& a, const MaskReg& mask) {
  for (int i = 0; i < 4; ++i) dst.words[i] = ~a.words[i] & mask.words[i];
}
inline void pmov(MaskReg& dst, const MaskReg& a) { dst = a; }
inline void pmov(MaskReg& dst, const MaskReg& a, const MaskReg& mask) {
  for (int i = 0; i < 4; ++i) dst.words[i] = a.words[i] & mask.words[i];
}
inline void psel(MaskReg& dst, const MaskReg& a, const MaskReg& b, const MaskReg& mask) {
  for (int i = 0; i < 4; ++i) dst.words[i] = (a.words[i] & mask.words[i]) | (b.words[i] & ~mask.words[i]);
}

// Even bits side by side in one half; and back, each bit followed by 0.
inline void ppack(MaskReg& dst, const MaskReg& src, VfHalf half) {
  MaskReg mask{};
  for (int i = 0; i < 128; ++i) mask.put(i + 128 * half, src.bit(2 * i));
  dst = mask;
}
inline void punpack(MaskReg& dst, const MaskReg& src, VfHalf half) {
  MaskReg mask{};
  for (int i = 0; i < 128; ++i) mask.put(2 * i, src.bit(i + 128 * half));
  dst = mask;
}

inline void pintlv_b8(MaskReg& low, MaskReg& high, const MaskReg& a, const MaskReg& b) {
  ptopro::vf::interleave(low, high, a, b, 1);
}
inline void pintlv_b16(MaskReg& low, MaskReg& high, const MaskReg& a, const MaskReg& b) {
  ptopro::vf::interleave(low, high, a, b, 2);
}
inline void pintlv_b32(MaskReg& low, MaskReg& high, const MaskReg& a, const MaskReg& b) {
  ptopro::vf::interleave(low, high, a, b, 4);
}
inline void pdintlv_b8(MaskReg& even, MaskReg& odd, const MaskReg& a, const MaskReg& b) {
  ptopro::vf::deinterleave(even, odd, a, b, 1);
}
inline void pdintlv_b16(MaskReg& even, MaskReg& odd, const MaskReg& a, const MaskReg& b) {
  ptopro::vf::deinterleave(even, odd, a, b, 2);
}
inline void pdintlv_b32(MaskReg& even, MaskReg& odd, const MaskReg& a, const MaskReg& b) {
  ptopro::vf::deinterleave(even, odd, a, b, 4);
}

// Comparisons of lanes, into masks.
#define PTOPRO_VF_COMPARE(name, op)                                                                                    \
  template <typename T>                                                                                                \
  inline void vcmp_##name(MaskReg& dst, const RegTensor<T>& a, const RegTensor<T>& b, const MaskReg& mask) {           \
    const auto x = a.lanes(), y = b.lanes();                                                                           \
    MaskReg found{};                                                                                                   \
    for (int i = 0; i < ptopro::vf::kLanes<T>; ++i)                                                                    \
      if (mask.lane<T>(i) && ptopro::vf::ordered(x.at[i]) op ptopro::vf::ordered(y.at[i])) found.put_lane<T>(i, true); \
    dst = found;                                                                                                       \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  inline void vcmps_##name(MaskReg& dst, const RegTensor<T>& a, ptopro::vf::Number<T> b, const MaskReg& mask) {        \
    const auto x = a.lanes();                                                                                          \
    MaskReg found{};                                                                                                   \
    for (int i = 0; i < ptopro::vf::kLanes<T>; ++i)                                                                    \
      if (mask.lane<T>(i) && ptopro::vf::ordered(x.at[i]) op ptopro::vf::ordered(static_cast<T>(b)))                   \
        found.put_lane<T>(i, true);                                                                                    \
    dst = found;                                                                                                       \
  }
PTOPRO_VF_COMPARE(eq, ==)
PTOPRO_VF_COMPARE(ne, !=)
PTOPRO_VF_COMPARE(lt, <)
PTOPRO_VF_COMPARE(gt, >)
PTOPRO_VF_COMPARE(le, <=)
PTOPRO_VF_COMPARE(ge, >=)
#undef PTOPRO_VF_COMPARE
