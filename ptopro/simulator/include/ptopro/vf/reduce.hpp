// Reductions of the active lanes: to lane 0, or to one lane for each block of 32 bytes.
#pragma once

#include <limits>

#include "ptopro/vf/arithmetic.hpp"

namespace ptopro::vf {

// What sums of T are kept in: FP16 in float until the end.
template <typename T>
using Sum = decltype(wide(T{}));

// Sum of `count` lanes from `first` on, neighbours first, then their sums, and so on.  Inactive lanes count as 0.
template <typename T>
T tree_sum(const Lanes<T>& x, const MaskReg& mask, int first, int count) {
  Sum<T> sums[kLanes<T>];
  for (int i = 0; i < count; ++i) sums[i] = mask.lane<T>(first + i) ? wide(x.at[first + i]) : Sum<T>{};
  for (int n = count; n > 1; n /= 2)
    for (int i = 0; i < n / 2; ++i) sums[i] = static_cast<Sum<T>>(sums[2 * i] + sums[2 * i + 1]);
  return static_cast<T>(sums[0]);
}

template <typename T>
T lowest() {
  if constexpr (kIsFloat<T>)
    return static_cast<T>(-std::numeric_limits<float>::infinity());
  else
    return std::numeric_limits<T>::lowest();
}
template <typename T>
T highest() {
  if constexpr (kIsFloat<T>)
    return static_cast<T>(std::numeric_limits<float>::infinity());
  else
    return std::numeric_limits<T>::max();
}

// The extreme of `count` lanes from `first` on and where it is met first; a NaN ends the search.
template <typename T, typename Better>
T extreme(const Lanes<T>& x, const MaskReg& mask, int first, int count, T start, Better better, int* index) {
  T best = start;
  *index = 0;
  bool found = false;
  for (int i = first; i < first + count; ++i) {
    if (!mask.lane<T>(i)) continue;
    const auto value = ordered(x.at[i]);
    if (value != value) {
      *index = i;
      return x.at[i];
    }
    if (!found || better(value, ordered(best))) {
      best = x.at[i];
      *index = i;
      found = true;
    }
  }
  return best;
}
// Bits of an index in a lane of T.
template <typename T>
T index_lane(int index) {
  if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(static_cast<uint16_t>(index));
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(static_cast<uint32_t>(index));
  else
    return std::bit_cast<T>(static_cast<uint64_t>(index));
}

// Larger and smaller with +0 above -0.
struct Above {
  template <typename V>
  bool operator()(V a, V b) const {
    if constexpr (std::is_same_v<V, float>)
      if (a == 0 && b == 0) return std::bit_cast<uint32_t>(a) == 0 && std::bit_cast<uint32_t>(b) != 0;
    return a > b;
  }
};
struct Below {
  template <typename V>
  bool operator()(V a, V b) const {
    return Above{}(b, a);
  }
};

template <typename T, typename Better>
void reduce_to_lane(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, T start, Better better) {
  const Lanes<T> x = src.lanes();
  Lanes<T> result{};
  int index = 0;
  result.at[0] = extreme(x, mask, 0, kLanes<T>, start, better, &index);
  result.at[1] = index_lane<T>(index);
  dst.set(result);
}
template <typename T, typename Better>
void reduce_blocks(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, T start, Better better) {
  constexpr int kEach = kBlock / static_cast<int>(sizeof(T));
  const Lanes<T> x = src.lanes();
  Lanes<T> result{};
  int index = 0;
  for (int b = 0; b < kBlocks; ++b) result.at[b] = extreme(x, mask, b * kEach, kEach, start, better, &index);
  dst.set(result);
}

}  // namespace ptopro::vf

template <typename T>
inline void vcadd(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode = MODE_ZEROING) {
  using namespace ptopro::vf;
  Lanes<T> result{};
  result.at[0] = tree_sum(src.lanes(), mask, 0, kLanes<T>);
  dst.set(result);
}
template <typename T>
inline void vcgadd(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode = MODE_ZEROING) {
  using namespace ptopro::vf;
  constexpr int kEach = kBlock / static_cast<int>(sizeof(T));
  const Lanes<T> x = src.lanes();
  Lanes<T> result{};
  for (int b = 0; b < kBlocks; ++b) result.at[b] = tree_sum(x, mask, b * kEach, kEach);
  dst.set(result);
}
template <typename T>
inline void vcpadd(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode = MODE_ZEROING) {
  using namespace ptopro::vf;
  const Lanes<T> x = src.lanes();
  Lanes<T> result{};
  for (int i = 0; i < kLanes<T> / 2; ++i) result.at[i] = tree_sum(x, mask, 2 * i, 2);
  dst.set(result);
}
template <typename T>
inline void vcmax(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode = MODE_ZEROING) {
  ptopro::vf::reduce_to_lane(dst, src, mask, ptopro::vf::lowest<T>(), ptopro::vf::Above{});
}
template <typename T>
inline void vcmin(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode = MODE_ZEROING) {
  ptopro::vf::reduce_to_lane(dst, src, mask, ptopro::vf::highest<T>(), ptopro::vf::Below{});
}
template <typename T>
inline void vcgmax(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode = MODE_ZEROING) {
  ptopro::vf::reduce_blocks(dst, src, mask, ptopro::vf::lowest<T>(), ptopro::vf::Above{});
}
template <typename T>
inline void vcgmin(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask, VfMode = MODE_ZEROING) {
  ptopro::vf::reduce_blocks(dst, src, mask, ptopro::vf::highest<T>(), ptopro::vf::Below{});
}
