// Loads and stores between UB and registers: every distribution, blocks with strides, by index, and streams at any
// address.  Each tells the machine which bytes it touches.
#pragma once

#include "ptopro/vf/registers.hpp"

namespace ptopro::vf {

using sim::Where;

inline void get(const uint8_t* from, void* into, int bytes, Where where) {
  sim::note_read(from, static_cast<uint64_t>(bytes), where);
  __builtin_memcpy(into, sim::ub_at(from, static_cast<uint64_t>(bytes)), static_cast<size_t>(bytes));
}
inline void put(uint8_t* into, const void* from, int bytes, Where where) {
  sim::note_write(into, static_cast<uint64_t>(bytes), where);
  __builtin_memcpy(sim::ub_at(into, static_cast<uint64_t>(bytes)), from, static_cast<size_t>(bytes));
}

// `width` bytes of each element that a register gets.
inline void repeat(uint8_t* bytes, const uint8_t* element, int width) {
  for (int i = 0; i < kBytes; i += width) __builtin_memcpy(bytes + i, element, static_cast<size_t>(width));
}
inline void repeat_each(uint8_t* bytes, const uint8_t* packed, int width) {  // up-sampling: each twice
  for (int i = 0; i < kBytes; i += width)
    __builtin_memcpy(bytes + i, packed + i / (2 * width) * width, static_cast<size_t>(width));
}
inline void keep_even(uint8_t* bytes, const uint8_t* wide, int width) {  // down-sampling: every other
  for (int i = 0; i < kBytes; i += width) __builtin_memcpy(bytes + i, wide + 2 * i, static_cast<size_t>(width));
}
inline void spread(uint8_t* bytes, const uint8_t* packed, int width, int factor) {  // 0 behind each
  __builtin_memset(bytes, 0, kBytes);
  for (int i = 0; i < kBytes / factor; i += width)
    __builtin_memcpy(bytes + i * factor, packed + i, static_cast<size_t>(width));
}

inline void load(uint8_t* bytes, const uint8_t* from, VfDist dist, Where where) {
  sim::note_instruction();
  uint8_t packed[2 * kBytes];
  const auto take = [&](int count) {
    get(from, packed, count, where);
    return packed;
  };
  switch (dist) {
    case BRC_B8:
    case BRC_B16:
    case BRC_B32: {
      const int width = 1 << (dist - BRC_B8);
      return repeat(bytes, take(width), width);
    }
    case US_B8:
    case US_B16:
      return repeat_each(bytes, take(kBytes / 2), 1 << (dist - US_B8));
    case DS_B8:
    case DS_B16:
      return keep_even(bytes, take(2 * kBytes), 1 << (dist - DS_B8));
    case UNPK_B8:
    case UNPK_B16:
    case UNPK_B32:
      return spread(bytes, take(kBytes / 2), 1 << (dist - UNPK_B8), 2);
    case UNPK4_B8:
      return spread(bytes, take(kBytes / 4), 1, 4);
    case BLK:
      return repeat(bytes, take(kBlock), kBlock);
    case E2B_B16:
    case E2B_B32: {
      const int width = dist == E2B_B16 ? 2 : 4;
      take(kBlocks * width);
      for (int i = 0; i < kBytes; i += width)
        __builtin_memcpy(bytes + i, packed + i / kBlock * width, static_cast<size_t>(width));
      return;
    }
    default:
      return get(from, bytes, kBytes, where);
  }
}

// Stores the elements of `width` bytes, `kept` of them, whose lanes are active; neighbours are written together.
inline void store_lanes(uint8_t* into, const uint8_t* bytes, const MaskReg& mask, int width, int kept, Where where) {
  const int lanes = kBytes / width;
  int first = 0;
  uint8_t packed[kBytes];
  for (int i = 0; i < lanes; ++i) __builtin_memcpy(packed + i * kept, bytes + i * width, static_cast<size_t>(kept));
  while (first < lanes) {
    if (!mask.bit(first * width)) {
      ++first;
      continue;
    }
    int last = first;
    while (last < lanes && mask.bit(last * width)) ++last;
    put(into + first * kept, packed + first * kept, (last - first) * kept, where);
    first = last;
  }
}
inline void store(uint8_t* into, const uint8_t* bytes, VfDist dist, const MaskReg& mask, Where where) {
  sim::note_instruction();
  switch (dist) {
    case NORM_B8:
    case NORM_B16:
    case NORM_B32: {
      const int width = 1 << (dist - NORM_B8);
      return store_lanes(into, bytes, mask, width, width, where);
    }
    case ONEPT_B8:
    case ONEPT_B16:
    case ONEPT_B32:
      return put(into, bytes, 1 << (dist - ONEPT_B8), where);
    case PK_B16:
    case PK_B32:
    case PK_B64: {
      const int width = 2 << (dist - PK_B16);
      return store_lanes(into, bytes, mask, width, width / 2, where);
    }
    case PK4_B32:
      return store_lanes(into, bytes, mask, 4, 1, where);
    default:
      return store_lanes(into, bytes, mask, 1, 1, where);
  }
}

template <typename P>
uint8_t* byte_address(P* pointer) {
  return const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(pointer));
}

}  // namespace ptopro::vf

template <typename T, typename P>
inline void vlds(RegTensor<T>& dst, P* from, int64_t offset, VfDist dist,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::vf::load(dst.bytes, ptopro::vf::byte_address(from + offset), dist, where);
}
template <typename T, typename P>
inline void vlds(RegTensor<T>& dst, P*& from, int64_t offset, VfDist dist, VfUpdate,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::vf::load(dst.bytes, ptopro::vf::byte_address(from), dist, where);
  from += offset;
}
// Even elements to one register, odd ones to the other.
template <typename T, typename P>
inline void vlds(RegTensor<T>& even, RegTensor<T>& odd, P* from, int64_t offset, VfDist dist,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  uint8_t both[2 * ptopro::vf::kBytes];
  ptopro::vf::get(ptopro::vf::byte_address(from + offset), both, static_cast<int>(sizeof(both)), where);
  const int width = 1 << (dist - DINTLV_B8);
  ptopro::vf::keep_even(even.bytes, both, width);
  for (int i = 0; i < ptopro::vf::kBytes; i += width)
    __builtin_memcpy(odd.bytes + i, both + 2 * i + width, static_cast<size_t>(width));
}
template <typename T, typename P>
inline void vlds(RegTensor<T>& even, RegTensor<T>& odd, P*& from, int64_t offset, VfDist dist, VfUpdate,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  vlds(even, odd, from, 0, dist, where);
  from += offset;
}
template <typename T, typename P>
inline void vld(RegTensor<T>& dst, P* from, const AddrReg& offset, VfDist dist,
                ptopro::sim::Where where = ptopro::sim::Where::here()) {
  vlds(dst, from, offset.offset, dist, where);
}

// Eight blocks, (block stride << 16 | repeat stride) in blocks apart; a block without an active lane is not read.
template <typename T, typename P>
inline void vsldb(RegTensor<T>& dst, P* from, uint32_t strides, const MaskReg& mask,
                  ptopro::sim::Where where = ptopro::sim::Where::here()) {
  using namespace ptopro::vf;
  const MaskReg active = mask;
  uint8_t bytes[kBytes] = {};
  for (int b = 0; b < kBlocks; ++b)
    if (active.block(b)) get(byte_address(from) + b * (strides >> 16) * kBlock, bytes + b * kBlock, kBlock, where);
  __builtin_memcpy(dst.bytes, bytes, kBytes);
}
template <typename T, typename P>
inline void vsldb(RegTensor<T>& dst, P*& from, uint32_t strides, const MaskReg& mask, VfUpdate,
                  ptopro::sim::Where where = ptopro::sim::Where::here()) {
  vsldb(dst, from, strides, mask, where);
  from = reinterpret_cast<P*>(ptopro::vf::byte_address(from) + (strides & 0xffff) * ptopro::vf::kBlock);
}

template <typename T, typename P>
inline void vsts(const RegTensor<T>& src, P* into, int64_t offset, VfDist dist, const MaskReg& mask,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::vf::store(ptopro::vf::byte_address(into + offset), src.bytes, dist, mask, where);
}
template <typename T, typename P>
inline void vsts(const RegTensor<T>& src, P*& into, int64_t offset, VfDist dist, const MaskReg& mask, VfUpdate,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::vf::store(ptopro::vf::byte_address(into), src.bytes, dist, mask, where);
  into += offset;
}
// Lanes of two registers in turn; a lane of the mask stands for one of each.
template <typename T, typename P>
inline void vsts(const RegTensor<T>& src0, const RegTensor<T>& src1, P* into, int64_t offset, VfDist dist,
                 const MaskReg& mask, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  using namespace ptopro::vf;
  const int width = 1 << (dist - INTLV_B8);
  for (int i = 0; i < kBytes; i += width) {
    if (!mask.bit(i)) continue;
    uint8_t pair[8];
    __builtin_memcpy(pair, src0.bytes + i, static_cast<size_t>(width));
    __builtin_memcpy(pair + width, src1.bytes + i, static_cast<size_t>(width));
    put(byte_address(into + offset) + 2 * i, pair, 2 * width, where);
  }
}
template <typename T, typename P>
inline void vst(const RegTensor<T>& src, P* into, const AddrReg& offset, VfDist dist, const MaskReg& mask,
                ptopro::sim::Where where = ptopro::sim::Where::here()) {
  vsts(src, into, offset.offset, dist, mask, where);
}
template <typename T, typename P>
inline void vsstb(const RegTensor<T>& src, P* into, uint32_t strides, const MaskReg& mask,
                  ptopro::sim::Where where = ptopro::sim::Where::here()) {
  using namespace ptopro::vf;
  for (int b = 0; b < kBlocks; ++b)
    if (mask.block(b)) put(byte_address(into) + b * (strides >> 16) * kBlock, src.bytes + b * kBlock, kBlock, where);
}
template <typename T, typename P>
inline void vsstb(const RegTensor<T>& src, P*& into, uint32_t strides, const MaskReg& mask, VfUpdate,
                  ptopro::sim::Where where = ptopro::sim::Where::here()) {
  vsstb(src, into, strides, mask, where);
  into = reinterpret_cast<P*>(ptopro::vf::byte_address(into) + (strides & 0xffff) * ptopro::vf::kBlock);
}

// Masks: 32 bytes; US reads 16 bytes and doubles each bit, DS reads 64 and keeps every other; PK stores every other.
template <typename P>
inline void plds(MaskReg& dst, P* from, int64_t offset, VfDist dist,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  using namespace ptopro::vf;
  uint8_t bits[2 * kBytes / 8] = {};
  get(byte_address(from + offset), bits, dist == US ? kBytes / 16 : dist == DS ? kBytes / 4 : kBytes / 8, where);
  MaskReg mask{};
  for (int i = 0; i < kBytes; ++i) {
    const int from_bit = dist == US ? i / 2 : dist == DS ? 2 * i : i;
    mask.put(i, bits[from_bit / 8] >> (from_bit % 8) & 1);
  }
  dst = mask;
}
template <typename P>
inline void plds(MaskReg& dst, P*& from, int64_t offset, VfDist dist, VfUpdate,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  plds(dst, from, 0, dist, where);
  from += offset;
}
template <typename P>
inline void pld(MaskReg& dst, P* from, const AddrReg& offset, VfDist dist,
                ptopro::sim::Where where = ptopro::sim::Where::here()) {
  plds(dst, reinterpret_cast<uint32_t*>(from), offset.offset, dist, where);
}
template <typename P>
inline void psts(const MaskReg& src, P* into, int64_t offset, VfDist dist,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  using namespace ptopro::vf;
  uint8_t bits[kBytes / 8] = {};
  const int count = dist == PK ? kBytes / 2 : kBytes;
  for (int i = 0; i < count; ++i)
    bits[i / 8] = static_cast<uint8_t>(bits[i / 8] | src.bit(dist == PK ? 2 * i : i) << (i % 8));
  put(byte_address(into + offset), bits, count / 8, where);
}
template <typename P>
inline void psts(const MaskReg& src, P*& into, int64_t offset, VfDist dist, VfUpdate,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  psts(src, into, 0, dist, where);
  into += offset;
}
template <typename P>
inline void pst(const MaskReg& src, P* into, const AddrReg& offset, VfDist dist,
                ptopro::sim::Where where = ptopro::sim::Where::here()) {
  psts(src, reinterpret_cast<uint32_t*>(into), offset.offset, dist, where);
}

// By index, in elements.  Bytes come as 16-bit lanes.
template <typename D, typename P, typename I>
inline void vgather2(RegTensor<D>& dst, P* from, const RegTensor<I>& index, const MaskReg& mask,
                     ptopro::sim::Where where = ptopro::sim::Where::here()) {
  using namespace ptopro::vf;
  const auto at = index.lanes();
  Lanes<D> result{};
  const int lanes = kLanes<D> < kLanes<I> ? kLanes<D> : kLanes<I>;
  for (int i = 0; i < lanes; ++i) {
    if (!mask.lane<D>(i)) continue;
    P value;
    get(byte_address(from + at.at[i]), &value, static_cast<int>(sizeof(P)), where);
    result.at[i] = static_cast<D>(value);
  }
  dst.set(result);
}
template <typename D, typename P, typename I>
inline void vgather2_bc(RegTensor<D>& dst, P* from, const RegTensor<I>& index, const MaskReg& mask,
                        ptopro::sim::Where where = ptopro::sim::Where::here()) {
  using namespace ptopro::vf;
  static_assert(sizeof(D) == 2 && sizeof(I) == 4);
  const auto at = index.lanes();
  Lanes<D> result{};
  for (int i = 0; i < kLanes<I>; ++i)
    if (mask.lane<I>(i)) get(byte_address(from + at.at[i]), &result.at[2 * i], 2, where);
  dst.set(result);
}
// Blocks at byte offsets.
template <typename D, typename P>
inline void vgatherb(RegTensor<D>& dst, P* from, const RegTensor<uint32_t>& index, const MaskReg& mask,
                     ptopro::sim::Where where = ptopro::sim::Where::here()) {
  using namespace ptopro::vf;
  const auto at = index.lanes();
  uint8_t bytes[kBytes] = {};
  for (int b = 0; b < kBlocks; ++b)
    if (mask.block(b)) get(byte_address(from) + at.at[b], bytes + b * kBlock, kBlock, where);
  __builtin_memcpy(dst.bytes, bytes, kBytes);
}
template <typename T, typename P, typename I>
inline void vscatter(const RegTensor<T>& src, P* into, const RegTensor<I>& index, const MaskReg& mask,
                     ptopro::sim::Where where = ptopro::sim::Where::here()) {
  using namespace ptopro::vf;
  const auto x = src.lanes();
  const auto at = index.lanes();
  constexpr int kStep = sizeof(T) == 1 ? 2 : 1;  // bytes come from even lanes
  const int lanes = kLanes<T> / kStep < kLanes<I> ? kLanes<T> / kStep : kLanes<I>;
  for (int i = 0; i < lanes; ++i)
    if (mask.lane<T>(i * kStep))
      put(byte_address(into + at.at[i]), &x.at[i * kStep], static_cast<int>(sizeof(T)), where);
}

// Streams at any address.
template <typename P>
inline void vldas(UnalignReg& carry, P* from) {
  carry.at = ptopro::vf::byte_address(from);
}
template <typename T, typename P>
inline void vldus(RegTensor<T>& dst, UnalignReg&, P* from, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::vf::get(ptopro::vf::byte_address(from), dst.bytes, ptopro::vf::kBytes, where);
}
template <typename T, typename P>
inline void vldus(RegTensor<T>& dst, UnalignReg& carry, P*& from, int64_t stride, VfUpdate,
                  ptopro::sim::Where where = ptopro::sim::Where::here()) {
  vldus(dst, carry, from, where);
  from += stride;
}

namespace ptopro::vf {

// Appends bytes at an address: whole blocks go to UB, the rest waits in the carry buffer.
inline void append(UnalignReg& carry, uint8_t* into, const uint8_t* bytes, int count, Where where) {
  if (carry.count == 0) carry.at = into;
  for (int i = 0; i < count; ++i) {
    carry.pending[carry.count++] = bytes[i];
    const uintptr_t behind = reinterpret_cast<uintptr_t>(carry.at) + static_cast<uintptr_t>(carry.count);
    if (behind % kBlock == 0) {
      put(carry.at, carry.pending, carry.count, where);
      carry.at += carry.count;
      carry.count = 0;
    }
  }
}
inline void flush(UnalignReg& carry, Where where) {
  if (carry.count > 0) put(carry.at, carry.pending, carry.count, where);
  carry.count = 0;
}

}  // namespace ptopro::vf

template <typename T, typename P>
inline void vstus(UnalignReg& carry, int64_t count, const RegTensor<T>& src, P*& into, VfUpdate,
                  ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::vf::append(carry, ptopro::vf::byte_address(into), src.bytes, static_cast<int>(count * sizeof(P)), where);
  into += count;
}
template <typename T, typename P>
inline void vstus(UnalignReg& carry, int64_t count, const RegTensor<T>& src, P* into, VfDist,
                  ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::vf::append(carry, ptopro::vf::byte_address(into), src.bytes, static_cast<int>(count * sizeof(P)), where);
}
template <typename T, typename P>
inline void vstur(UnalignReg& carry, const RegTensor<T>& src, P*& into, VfUpdate,
                  ptopro::sim::Where where = ptopro::sim::Where::here()) {
  const uint32_t bytes = ptopro::vf::special.ar;
  ptopro::vf::append(carry, ptopro::vf::byte_address(into), src.bytes, static_cast<int>(bytes), where);
  into = reinterpret_cast<P*>(ptopro::vf::byte_address(into) + bytes);
}
template <typename P>
inline void vstas(UnalignReg& carry, P*& into, int64_t stride, VfUpdate,
                  ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::vf::flush(carry, where);
  into += stride;
}
template <typename P>
inline void vstas(UnalignReg& carry, P*, int64_t, VfDist, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::vf::flush(carry, where);
}
template <typename P>
inline void vstar(UnalignReg& carry, P*, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::vf::flush(carry, where);
}
// A bit for each lane: 16 bytes for 16-bit lanes, 8 for 32-bit ones.
template <typename P>
inline void pstu(UnalignReg& carry, const MaskReg& src, P*& into,
                 ptopro::sim::Where where = ptopro::sim::Where::here()) {
  static_assert(sizeof(P) == 2 || sizeof(P) == 4);
  constexpr int kLanes = ptopro::vf::kBytes / static_cast<int>(sizeof(P));
  uint8_t bits[kLanes / 8] = {};
  for (int i = 0; i < kLanes; ++i)
    bits[i / 8] = static_cast<uint8_t>(bits[i / 8] | src.bit(i * static_cast<int>(sizeof(P))) << (i % 8));
  ptopro::vf::append(carry, ptopro::vf::byte_address(into), bits, kLanes / 8, where);
  into += kLanes / 8 / static_cast<int>(sizeof(P));
}

// Orders accesses; what matters to data is that loads see earlier stores.
inline void mem_bar(VfBarrier kind) {
  if (kind == VST_VLD || kind == VV_ALL) ptopro::sim::note_barrier();
}
