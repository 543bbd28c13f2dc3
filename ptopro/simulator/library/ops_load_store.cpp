// Load and store: global memory <-> UB, L1, and L0C -> global memory.
//
// In: a window of global memory, a tile; the tile's valid region is what moves.  Out: the elements, in the layout of
// the other side.
//  * Load pads what the transfer touches beyond the valid region: rows of an unboxed tile with a pad value up to a
//  32-byte
//    block, fractal lines of a boxed L1 tile with zeros.
//  * Store of a Vec tile copies, or combines with global memory; store of an Acc tile goes through the fixpipe.  An
//  atomic
//    store reads and writes global memory without a lock: the machine orders atomics.
#include <algorithm>

#include "bodies.hpp"
#include "fixpipe.hpp"
#include "planes.hpp"

namespace ptopro::sim {

namespace {

void load(const CoreMemory& core, const Record& record) {
  const TileDesc& tile = record.tile[0];
  const Plane dst = plane_of(core, tile);
  copy(dst, plane_of(record.global), tile.vrows, tile.vcols);
  if (tile.inner == 0) {
    if (tile.pad == 0) return;
    const int64_t block = 32 * 8 / dst.bits;
    const uint64_t value = pad_bits(tile.pad, tile.dtype);
    if (tile.outer == 0)
      fill(dst, 0, tile.vrows, tile.vcols, std::min<int64_t>(tile.cols, round_up(tile.vcols, block)), value);
    else
      fill(dst, tile.vrows, std::min<int64_t>(tile.rows, round_up(tile.vrows, block)), 0, tile.vcols, value);
  } else if (tile.memory == Memory::Mat && record.global.layout <= static_cast<uint8_t>(GlobalLayout::DN)) {
    const Box box = box_of(tile);
    if (tile.inner == 1)
      fill(dst, 0, tile.vrows, tile.vcols, std::min<int64_t>(tile.cols, round_up(tile.vcols, box.columns)), 0);
    else
      fill(dst, tile.vrows, std::min<int64_t>(tile.rows, round_up(tile.vrows, box.rows)), 0, tile.vcols, 0);
  }
}

void combine_plane(Atomic atomic, const Plane& dst, const Plane& src, DType type, int64_t rows, int64_t columns) {
  const bool contiguous = dst.layout.column.pitch[0] == 1 && dst.layout.column.run(columns) >= columns &&
                          src.layout.column.pitch[0] == 1 && src.layout.column.run(columns) >= columns;
  for (int64_t r = 0; r < rows; ++r) {
    if (contiguous) {
      combine_elements(atomic, type, dst.at(r, 0), src.at(r, 0), columns);
      continue;
    }
    for (int64_t c = 0; c < columns; ++c) combine_elements(atomic, type, dst.at(r, c), src.at(r, c), 1);
  }
}

void store(const CoreMemory& core, const Record& record) {
  const TileDesc& tile = record.tile[0];
  const Plane dst = plane_of(record.global), src = plane_of(core, tile);
  const auto atomic = static_cast<Atomic>(record.mod.atomic);
  if (tile.memory == Memory::Acc) {
    const uint64_t* channels =
        record.op == Opcode::StoreFp
            ? reinterpret_cast<const uint64_t*>(memory_of(core, record.tile[1]) + record.tile[1].addr)
            : nullptr;
    Fixpipe(src, tile.dtype, record.global.dtype, record, channels)
        .drain(0, 0, tile.vrows, tile.vcols, dst, 0, 0, atomic);
  } else if (atomic != Atomic::None) {
    combine_plane(atomic, dst, src, record.global.dtype, tile.vrows, tile.vcols);
  } else {
    copy(dst, src, tile.vrows, tile.vcols);
  }
}

}  // namespace

Body load_store_body(Opcode op) {
  switch (op) {
    case Opcode::Load:
      return load;
    case Opcode::Store:
    case Opcode::StoreFp:
      return store;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
