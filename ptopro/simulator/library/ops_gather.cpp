// Gather and scatter by index, by comparison, by byte offset, by pattern; histogram.
//
// In: tile[1] data, tile[2] indices (flat element indices from the start of the tile; for GatherB byte offsets of
// 32-byte blocks). Out: tile[0].  An index outside the tile is the kernel's fault: it reads or writes what lies there.
//  * GatherCmp: tile[2] a threshold per row, mod.compare 4 greater, else equal; tile[0](r, :) the column indices (plus
//  the
//    scalar) that match, tile[3](r) how many bytes they take.  Floats of 32 bits are compared as rounded integers, all
//    32-bit values unsigned.
//  * GatherMask: mod.reverse 1, 2: every 2nd column from 0, 1; 3 to 6: every 4th from 0 to 3; 7: all.
//  * Scatter clears the destination tile first.
//  * Histogram, cumulative (bin b: how many are at most b): mod.reverse the byte counted (0 lowest); an element counts
//  if its higher bytes equal those of tile[2]:
//    16-bit data one byte per row, 32-bit data one row of the index tile per higher byte.
#include "bodies.hpp"
#include "rows.hpp"

namespace ptopro::sim {

namespace {

uint8_t* start_of(const CoreMemory& core, const TileDesc& tile) { return memory_of(core, tile) + tile.addr; }

// Indices are unsigned; negative ones of a signed tile wrap.
int64_t index_at(const Plane& plane, DType type, int64_t r, int64_t c) {
  const uint64_t bits = load_bits(plane, r, c);
  if (type == DType::Int32) return static_cast<int32_t>(bits);
  if (type == DType::Int16) return static_cast<int16_t>(bits);
  return static_cast<int64_t>(bits);
}

void gather(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1], &index = record.tile[2];
  const Plane indices = plane_of(core, index);
  with_bits_type(dst.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* data = reinterpret_cast<const T*>(start_of(core, src));
    RowSink<T> out(core, dst, dst.vcols);
    for (int64_t r = 0; r < dst.vrows; ++r) {
      T* row = out(r);
      for (int64_t c = 0; c < dst.vcols; ++c) row[c] = data[index_at(indices, index.dtype, r, c)];
      out.commit(r);
    }
  });
}

void scatter(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1], &index = record.tile[2];
  const Plane indices = plane_of(core, index);
  with_bits_type(dst.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* data = reinterpret_cast<T*>(start_of(core, dst));
    std::fill_n(data, int64_t{dst.rows} * dst.cols, T{0});
    RowSource<T> in(core, src, src.vcols);
    for (int64_t r = 0; r < src.vrows; ++r) {
      const T* row = in(r);
      for (int64_t c = 0; c < src.vcols; ++c) data[index_at(indices, index.dtype, r, c)] = row[c];
    }
  });
}

void gather_blocks(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1], &offset = record.tile[2];
  const Plane to = plane_of(core, dst), offsets = plane_of(core, offset);
  const uint8_t* data = start_of(core, src);
  const int64_t block = 32 * 8 / to.bits;
  for (int64_t r = 0; r < dst.vrows; ++r)
    for (int64_t c = 0; c < dst.vcols; c += block)
      std::memmove(to.at(r, c), data + load_bits(offsets, r, c / block), 32);
}

void gather_mask(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const int pattern = record.mod.reverse;
  const int64_t step = pattern <= 2 ? 2 : pattern <= 6 ? 4 : 1;
  const int64_t first = pattern <= 2 ? pattern - 1 : pattern <= 6 ? pattern - 3 : 0;
  const Plane to = plane_of(core, dst), from = plane_of(core, src);
  for (int64_t r = 0; r < src.vrows; ++r)
    for (int64_t c = first, j = 0; c < src.vcols; c += step, ++j) store_bits(to, r, j, load_bits(from, r, c));
}

template <typename T>
bool matches(T value, uint64_t threshold, bool greater) {
  if constexpr (std::is_same_v<T, float>) {
    const uint32_t left = static_cast<uint32_t>(integer_of<int32_t>(round_to_integral(value, Round::Rint), true));
    const uint32_t right = static_cast<uint32_t>(threshold);
    return greater ? left > right : left == right;
  } else {
    const auto left = static_cast<std::make_unsigned_t<T>>(value);
    const auto right = static_cast<std::make_unsigned_t<T>>(threshold);
    return greater ? left > right : left == right;
  }
}

void gather_compare(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1], &limit = record.tile[2], &count = record.tile[3];
  const Plane to = plane_of(core, dst);
  const bool greater = record.mod.compare == 4;
  const bool narrow_float = src.dtype == DType::Half || src.dtype == DType::BFloat16;
  const int64_t limit_bytes = dtype_bits(limit.dtype) / 8, count_bytes = dtype_bits(count.dtype) / 8;
  with_arithmetic_type(src.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSource<T> rows(core, src, src.vcols);
    for (int64_t r = 0; r < src.vrows; ++r) {
      uint64_t threshold = 0;
      std::memcpy(&threshold, start_of(core, limit) + r * limit_bytes, static_cast<size_t>(limit_bytes));
      const T* row = rows(r);
      uint64_t found = 0;
      for (int64_t c = 0; c < src.vcols; ++c) {
        bool match = false;
        if (narrow_float) {
          const float bound = static_cast<float>(threshold), value = static_cast<float>(row[c]);
          match = greater ? value > bound : value == bound;
        } else {
          match = matches<T>(row[c], threshold, greater);
        }
        if (match) store_bits(to, r, static_cast<int64_t>(found++), static_cast<uint64_t>(record.scalar.i + c));
      }
      const uint64_t written = found * static_cast<uint64_t>(to.bits / 8);
      std::memcpy(start_of(core, count) + r * count_bytes, &written, static_cast<size_t>(count_bytes));
    }
  });
}

void histogram(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1], &index = record.tile[2];
  const Plane to = plane_of(core, dst), from = plane_of(core, src), filter = plane_of(core, index);
  const int top = src.dtype == DType::UInt16 ? 1 : 3;
  const int byte = record.mod.reverse;
  for (int64_t r = 0; r < src.vrows; ++r) {
    uint32_t bins[256] = {};
    uint64_t wanted[3] = {};
    for (int level = 0; level < top - byte; ++level)
      wanted[level] = top == 1 ? load_bits(filter, r, 0) : load_bits(filter, level, 0);
    for (int64_t c = 0; c < src.vcols; ++c) {
      const uint64_t value = load_bits(from, r, c);
      bool counts = true;
      for (int level = 0; level < top - byte; ++level) counts &= ((value >> (top - level) * 8) & 0xff) == wanted[level];
      if (counts) ++bins[(value >> byte * 8) & 0xff];
    }
    uint32_t total = 0;
    for (int64_t b = 0; b < 256; ++b) store_bits(to, r, b, total += bins[b]);
  }
}

}  // namespace

Body gather_body(Opcode op) {
  switch (op) {
    case Opcode::Gather:
      return gather;
    case Opcode::GatherCmp:
      return gather_compare;
    case Opcode::GatherB:
      return gather_blocks;
    case Opcode::GatherMask:
      return gather_mask;
    case Opcode::Scatter:
      return scatter;
    case Opcode::Histogram:
      return histogram;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
