// Lanes in other places: constants in all lanes, selection, interleaving, packing, compaction, counting.
#pragma once

#include "ptopro/vf/arithmetic.hpp"

// One number, or one lane, everywhere.
template <typename T>
inline void vbr(RegTensor<T>& dst, ptopro::vf::Number<T> value) {
  ptopro::vf::Lanes<T> result;
  for (T& lane : result.at) lane = value;
  dst.set(result);
}
template <typename T>
inline void vdup(RegTensor<T>& dst, ptopro::vf::Number<T> value, const MaskReg& mask, VfMode mode) {
  ptopro::vf::Lanes<T> result;
  for (T& lane : result.at) lane = value;
  ptopro::vf::write(dst, result, mask, mode);
}
template <typename T>
inline void vdup(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfPosition position, VfMode mode) {
  const T value = src.lanes().at[position == POS_LOWEST ? 0 : ptopro::vf::kLanes<T> - 1];
  ptopro::vf::Lanes<T> result;
  for (T& lane : result.at) lane = value;
  ptopro::vf::write(dst, result, mask, mode);
}

template <typename T>
inline void vmov(RegTensor<T>& dst, const RegTensor<T>& src) {
  dst = src;
}
template <typename T>
inline void vmov(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode mode) {
  ptopro::vf::Lanes<T> result = src.lanes();
  ptopro::vf::write(dst, result, mask, mode);
}
template <typename T>
inline void vsel(RegTensor<T>& dst, const RegTensor<T>& src_true, const RegTensor<T>& src_false, const MaskReg& mask) {
  const auto x = src_true.lanes(), y = src_false.lanes();
  ptopro::vf::Lanes<T> result;
  for (int i = 0; i < ptopro::vf::kLanes<T>; ++i) result.at[i] = mask.lane<T>(i) ? x.at[i] : y.at[i];
  dst.set(result);
}

// start, start + 1, ...; DEC_ORDER counts down to start.
template <typename T>
inline void vci(RegTensor<T>& dst, ptopro::vf::Number<T> start, VfOrder order) {
  using namespace ptopro::vf;
  Lanes<T> result;
  for (int i = 0; i < kLanes<T>; ++i) {
    const int step = order == INC_ORDER ? i : kLanes<T> - 1 - i;
    if constexpr (kIsFloat<T>) {
      result.at[i] = static_cast<T>(static_cast<float>(start) + static_cast<float>(step));
    } else {
      result.at[i] = static_cast<T>(wide(start) + static_cast<std::make_unsigned_t<T>>(step));
    }
  }
  dst.set(result);
}

// The lanes of two registers in turn; and every other lane of both.
template <typename T>
inline void vintlv(RegTensor<T>& low, RegTensor<T>& high, const RegTensor<T>& src0, const RegTensor<T>& src1) {
  using namespace ptopro::vf;
  const Lanes<T> x = src0.lanes(), y = src1.lanes();
  Lanes<T> lower, upper;
  for (int i = 0; i < kLanes<T> / 2; ++i) {
    lower.at[2 * i] = x.at[i];
    lower.at[2 * i + 1] = y.at[i];
    upper.at[2 * i] = x.at[i + kLanes<T> / 2];
    upper.at[2 * i + 1] = y.at[i + kLanes<T> / 2];
  }
  low.set(lower);
  high.set(upper);
}
template <typename T>
inline void vdintlv(RegTensor<T>& even, RegTensor<T>& odd, const RegTensor<T>& src0, const RegTensor<T>& src1) {
  using namespace ptopro::vf;
  const Lanes<T> x = src0.lanes(), y = src1.lanes();
  Lanes<T> evens, odds;
  for (int i = 0; i < kLanes<T> / 2; ++i) {
    evens.at[i] = x.at[2 * i];
    odds.at[i] = x.at[2 * i + 1];
    evens.at[i + kLanes<T> / 2] = y.at[2 * i];
    odds.at[i + kLanes<T> / 2] = y.at[2 * i + 1];
  }
  even.set(evens);
  odd.set(odds);
}

// The low halves of the lanes side by side in one half of dst; and lanes twice as wide.
template <typename D, typename S>
inline void vpack(RegTensor<D>& dst, const RegTensor<S>& src, VfHalf half, VfMode = MODE_UNKNOWN) {
  static_assert(2 * sizeof(D) == sizeof(S));
  const auto x = src.lanes();
  ptopro::vf::Lanes<D> result{};
  for (int i = 0; i < ptopro::vf::kLanes<S>; ++i) result.at[i + half * ptopro::vf::kLanes<S>] = static_cast<D>(x.at[i]);
  dst.set(result);
}
template <typename D, typename S>
inline void vunpack(RegTensor<D>& dst, const RegTensor<S>& src, VfHalf half) {
  static_assert(sizeof(D) == 2 * sizeof(S));
  const auto x = src.lanes();
  ptopro::vf::Lanes<D> result;
  for (int i = 0; i < ptopro::vf::kLanes<D>; ++i) result.at[i] = static_cast<D>(x.at[i + half * ptopro::vf::kLanes<D>]);
  dst.set(result);
}

// Active lanes moved together at the low end.  MODE_STORED leaves their number of bytes in AR.
template <typename T>
inline void vsqz(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfSqueeze mode) {
  const auto x = src.lanes();
  ptopro::vf::Lanes<T> result{};
  int count = 0;
  for (int i = 0; i < ptopro::vf::kLanes<T>; ++i)
    if (mask.lane<T>(i)) result.at[count++] = x.at[i];
  dst.set(result);
  if (mode == MODE_STORED) ptopro::vf::special.ar = static_cast<uint32_t>(count * static_cast<int>(sizeof(T)));
}
// How many active lanes stand before each lane.
template <typename T>
inline void vusqz(RegTensor<T>& dst, const MaskReg& mask) {
  ptopro::vf::Lanes<T> result;
  T count = 0;
  for (int i = 0; i < ptopro::vf::kLanes<T>; ++i) {
    result.at[i] = count;
    count = static_cast<T>(count + mask.lane<T>(i));
  }
  dst.set(result);
}

// Lane index[i] of src.
template <typename T>
inline void vselr(RegTensor<T>& dst, const RegTensor<T>& src, const RegTensor<T>& index) {
  static_assert(std::is_unsigned_v<T>);
  const auto x = src.lanes(), at = index.lanes();
  ptopro::vf::Lanes<T> result;
  for (int i = 0; i < ptopro::vf::kLanes<T>; ++i) result.at[i] = x.at[at.at[i] % ptopro::vf::kLanes<T>];
  dst.set(result);
}

// Adds to lane n how many active bytes are n (n + 128 for Bin_N1): each value by itself, or also the smaller ones of
// the bin's range.
inline void dhistv2(RegTensor<uint16_t>& dst, const RegTensor<uint8_t>& src, const MaskReg& mask, VfBin bin) {
  auto counts = dst.lanes();
  for (int i = 0; i < ptopro::vf::kBytes; ++i) {
    const int value = src.bytes[i] - 128 * bin;
    if (mask.bit(i) && value >= 0 && value < 128) counts.at[value] = static_cast<uint16_t>(counts.at[value] + 1);
  }
  dst.set(counts);
}
inline void chistv2(RegTensor<uint16_t>& dst, const RegTensor<uint8_t>& src, const MaskReg& mask, VfBin bin) {
  RegTensor<uint16_t> single;
  single.clear();
  dhistv2(single, src, mask, bin);
  auto counts = dst.lanes();
  const auto each = single.lanes();
  uint16_t sum = 0;
  if (bin == Bin_N1)
    for (int i = 0; i < ptopro::vf::kBytes; ++i) sum = static_cast<uint16_t>(sum + (mask.bit(i) && src.bytes[i] < 128));
  for (int n = 0; n < 128; ++n) {
    sum = static_cast<uint16_t>(sum + each.at[n]);
    counts.at[n] = static_cast<uint16_t>(counts.at[n] + sum);
  }
  dst.set(counts);
}
