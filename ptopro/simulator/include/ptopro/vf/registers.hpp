// Registers of a vector function: 256 bytes of lanes, masks of a bit for each byte, and the words of the instructions.
//
// A RegTensor is plain bytes whatever its lanes are, so that kernels may see one register as lanes of another type
// (`(RegTensor<uint32_t>&)r`).  `Lanes<T>` is a copy of a register as an array, in which the instructions compute:
// what they read is copied before anything is written, so a result may be one of the sources.
#pragma once

#include <cstdint>

#include "ptopro/code.hpp"
#include "ptopro/device.hpp"
#include "ptopro/numbers.hpp"

namespace ptopro::vf {

inline constexpr int kBytes = 256;  // of a register
inline constexpr int kBlock = 32;   // of a block of UB
inline constexpr int kBlocks = kBytes / kBlock;

template <typename T>
inline constexpr int kLanes = kBytes / static_cast<int>(sizeof(T));

// Two 4-bit integers in a byte.
struct Int4Pair {
  uint8_t bits = 0;
};
struct UInt4Pair {
  uint8_t bits = 0;
};

template <typename T>
struct Lanes {
  T at[kLanes<T>];
};

}  // namespace ptopro::vf

template <typename T>
struct alignas(64) RegTensor {
  uint8_t bytes[ptopro::vf::kBytes];

  template <typename U = T>
  ptopro::vf::Lanes<U> lanes() const {
    ptopro::vf::Lanes<U> copy;
    __builtin_memcpy(&copy, bytes, sizeof(copy));
    return copy;
  }
  template <typename U>
  void set(const ptopro::vf::Lanes<U>& lanes) {
    ptopro::sim::note_instruction();
    __builtin_memcpy(bytes, &lanes, sizeof(lanes));
  }
  void clear() { __builtin_memset(bytes, 0, sizeof(bytes)); }
};

using vector_s4x2 = RegTensor<ptopro::vf::Int4Pair>;
using vector_u4x2 = RegTensor<ptopro::vf::UInt4Pair>;

// A bit for each byte of a register; a lane goes by the lowest bit of its bytes.
struct MaskReg {
  uint64_t words[4];

  bool bit(int index) const { return words[index >> 6] >> (index & 63) & 1; }
  void put(int index, bool value) {
    const uint64_t one = uint64_t{1} << (index & 63);
    words[index >> 6] = value ? words[index >> 6] | one : words[index >> 6] & ~one;
  }
  template <typename T>
  bool lane(int index) const {
    return bit(index * static_cast<int>(sizeof(T)));
  }
  // A 64-bit lane has a bit for each of its halves, because it is stored as two 32-bit ones.
  template <typename T>
  void put_lane(int index, bool value) {
    put(index * static_cast<int>(sizeof(T)), value);
    if constexpr (sizeof(T) == 8) put(index * 8 + 4, value);
  }
  // Whether every lane of T is active.
  template <typename T>
  bool all() const {
    constexpr uint64_t kLowest = sizeof(T) == 1   ? ~uint64_t{0}
                                 : sizeof(T) == 2 ? 0x5555555555555555u
                                 : sizeof(T) == 4 ? 0x1111111111111111u
                                                  : 0x0101010101010101u;
    return (words[0] & words[1] & words[2] & words[3] & kLowest) == kLowest;
  }
  bool block(int index) const { return (words[index >> 1] >> (index % 2 * 32) & 0xffffffffu) != 0; }
};

// An offset in elements; the hardware adds its strides up, the simulator is told with PTOPRO_AT.
struct AddrReg {
  int64_t offset;
};
template <typename... S>
inline AddrReg vag_b8(S...) {
  return {};
}
template <typename... S>
inline AddrReg vag_b16(S...) {
  return {};
}
template <typename... S>
inline AddrReg vag_b32(S...) {
  return {};
}
#define PTOPRO_AT(address, elements) ((address).offset = static_cast<int64_t>(elements))

// The bytes of an unaligned stream that no whole block has taken yet.
struct UnalignReg {
  uint8_t* at = nullptr;
  int count = 0;
  uint8_t pending[ptopro::vf::kBlock];
};

enum VfMode { MODE_ZEROING, MODE_MERGING, MODE_UNKNOWN };
enum VfSqueeze { MODE_NO_STORED, MODE_STORED };
enum VfPart { PART_EVEN, PART_ODD };
enum VfPart4 { PART_P0, PART_P1, PART_P2, PART_P3 };
enum VfRound { ROUND_R, ROUND_A, ROUND_F, ROUND_C, ROUND_Z, ROUND_O, ROUND_H };
enum VfSaturate { RS_DISABLE, RS_ENABLE };
enum VfPosition { POS_LOWEST, POS_HIGHEST };
enum VfOrder { INC_ORDER, DEC_ORDER };
enum VfHalf { LOWER, HIGHER };
enum VfBin { Bin_N0, Bin_N1 };
enum VfUpdate { POST_UPDATE };
enum VfSpecial { SPR_AR };
enum VfPattern {
  PAT_ALL,
  PAT_ALLF,
  PAT_VL1,
  PAT_VL2,
  PAT_VL3,
  PAT_VL4,
  PAT_VL8,
  PAT_VL16,
  PAT_VL32,
  PAT_VL64,
  PAT_VL128,
  PAT_M3,
  PAT_M4,
  PAT_H,
  PAT_Q,
};
// How a load or a store distributes elements.
enum VfDist {
  NORM,
  US,
  DS,
  PK,
  BLK,
  BRC_B8,
  BRC_B16,
  BRC_B32,
  US_B8,
  US_B16,
  DS_B8,
  DS_B16,
  UNPK_B8,
  UNPK_B16,
  UNPK_B32,
  UNPK4_B8,
  E2B_B16,
  E2B_B32,
  DINTLV_B8,
  DINTLV_B16,
  DINTLV_B32,
  NORM_B8,
  NORM_B16,
  NORM_B32,
  ONEPT_B8,
  ONEPT_B16,
  ONEPT_B32,
  PK_B16,
  PK_B32,
  PK_B64,
  PK4_B32,
  INTLV_B8,
  INTLV_B16,
  INTLV_B32,
};
enum VfBarrier {
  VST_VLD,
  VLD_VST,
  VST_VST,
  VST_LD,
  VST_ST,
  VLD_ST,
  ST_VLD,
  ST_VST,
  LD_VST,
  VV_ALL,
  VS_ALL,
  SV_ALL,
};

namespace ptopro::vf {

// A scalar operand: takes the type of the register beside it.
template <typename T>
using Number = std::type_identity_t<T>;

template <typename T>
inline constexpr bool kIsNarrow = false;
template <typename C>
inline constexpr bool kIsNarrow<NarrowFloat<C>> = true;

template <typename T>
inline constexpr bool kIsFloat = std::is_same_v<T, float> || kIsNarrow<T>;

// A lane as the type that it is computed in: narrow floats as float, integers as unsigned ones that wrap.
template <typename T>
constexpr auto wide(T value) {
  if constexpr (kIsNarrow<T>) {
    return static_cast<float>(value);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::make_unsigned_t<T>>(value);
  } else {
    return value;
  }
}

// A lane for comparisons: narrow floats as float, integers as they are.
template <typename T>
constexpr auto ordered(T value) {
  if constexpr (kIsNarrow<T>) {
    return static_cast<float>(value);
  } else {
    return value;
  }
}

// Writes `result` where the mask is set; other lanes become 0 or keep what they hold.
template <typename T, typename R>
void write(RegTensor<R>& dst, Lanes<T>& result, const MaskReg& mask, VfMode mode = MODE_ZEROING) {
  if (!mask.all<T>()) {
    if (mode == MODE_MERGING) {
      const Lanes<T> old = dst.template lanes<T>();
      for (int i = 0; i < kLanes<T>; ++i)
        if (!mask.lane<T>(i)) result.at[i] = old.at[i];
    } else {
      for (int i = 0; i < kLanes<T>; ++i)
        if (!mask.lane<T>(i)) result.at[i] = T{};
    }
  }
  dst.set(result);
}

// dst = f(lane of a), f(lanes of a and b), under a mask.
template <typename T, typename F>
void map(RegTensor<T>& dst, const RegTensor<T>& a, const MaskReg& mask, VfMode mode, F f) {
  const Lanes<T> x = a.lanes();
  Lanes<T> result;
  for (int i = 0; i < kLanes<T>; ++i) result.at[i] = static_cast<T>(f(x.at[i]));
  write(dst, result, mask, mode);
}
template <typename T, typename F>
void map(RegTensor<T>& dst, const RegTensor<T>& a, const RegTensor<T>& b, const MaskReg& mask, VfMode mode, F f) {
  const Lanes<T> x = a.lanes(), y = b.lanes();
  Lanes<T> result;
  for (int i = 0; i < kLanes<T>; ++i) result.at[i] = static_cast<T>(f(x.at[i], y.at[i]));
  write(dst, result, mask, mode);
}

// Special registers of the core that runs.
struct Special {
  uint32_t ar = 0;  // bytes that squeeze has kept
};
inline thread_local Special special;

}  // namespace ptopro::vf

inline void sprclr(VfSpecial) { ptopro::vf::special.ar = 0; }
inline int64_t get_ar() { return ptopro::vf::special.ar; }
