// Move, extract and insert: tile to tile, between every pair of on-chip memories that has a path.
//
// In: tile[0] destination, tile[1] source, (row, col) where the window begins (in the source for move and extract, in
// the destination for insert).  Out: the window in the destination's layout.
//  * L1 -> L0A/L0B/scale: whole fractals; the physical tile, or the valid part of a compact one.
//  * L0C -> UB/L1: the valid part of the Acc tile through the fixpipe.  A split mode writes both vector cores' UB: rows
//    (rounded up to even) or columns (rounded up to 32) halved.
//  * UB -> UB, UB -> L1, L1 -> UB: the valid part.
#include <algorithm>

#include "bodies.hpp"
#include "convert.hpp"
#include "fixpipe.hpp"
#include "planes.hpp"

namespace ptopro::sim {

namespace {

enum AccToVec : uint8_t { Vec0 = 0, Vec1 = 1, SplitRows = 2, SplitColumns = 3 };

bool is_matrix_operand(Memory memory) {
  return memory == Memory::Left || memory == Memory::Right || memory == Memory::ScaleLeft ||
         memory == Memory::ScaleRight;
}

// The fixpipe writes fractals into a destination as its physical shape lays them out.
Plane drain_target(const CoreMemory& core, TileDesc tile, int lane) {
  tile.compact = 0;
  return plane_of(core, tile, lane);
}

void drain(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const bool insert = record.op == Opcode::Insert, extract = record.op == Opcode::Extract;
  const uint64_t* channels =
      record.op == Opcode::MoveFp || record.tiles > 2
          ? reinterpret_cast<const uint64_t*>(memory_of(core, record.tile[2]) + record.tile[2].addr)
          : nullptr;
  const Fixpipe fixpipe(packed_acc_plane(core, src), src.dtype, dst.dtype, record, channels);
  const int64_t sr = insert ? 0 : record.row, sc = insert ? 0 : record.col;
  const int64_t dr = insert ? record.row : 0, dc = insert ? record.col : 0;
  int64_t rows = extract ? dst.vrows : src.vrows, columns = extract ? dst.vcols : src.vcols;
  const uint8_t mode = record.mod.acc_to_vec;
  if (mode == SplitRows) {
    rows = round_up(src.vrows - sr, 2) / 2;
    for (int lane = 0; lane < 2; ++lane)
      fixpipe.drain(sr + lane * rows, sc, rows, columns, drain_target(core, dst, lane), dr, dc);
  } else if (mode == SplitColumns) {
    columns = round_up(src.vcols - sc, 32) / 2;
    for (int lane = 0; lane < 2; ++lane)
      fixpipe.drain(sr, sc + lane * columns, rows, columns, drain_target(core, dst, lane), dr, dc);
  } else {
    fixpipe.drain(sr, sc, rows, columns, drain_target(core, dst, mode == Vec1 ? 1 : 0), dr, dc);
  }
}

// A bias row is float in the bias table, whatever narrow float L1 holds.
void move_to_bias(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const Plane to = plane_of(core, dst), from = plane_of(core, src);
  if (dst.dtype == src.dtype) return copy_from(to, from, record.row, record.col, dst.rows, dst.cols);
  for (int64_t r = 0; r < dst.rows; ++r)
    for (int64_t c = 0; c < dst.cols; ++c) {
      float value;
      to_float(src.dtype, from.at(record.row + r, record.col + c), &value, 1);
      from_float(dst.dtype, &value, to.at(r, c), 1);
    }
}

// Whole fractals into L0A, L0B and the scale buffers.
void move_to_operand(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const Box box = box_of(dst);
  int64_t rows = dst.rows, columns = dst.cols;
  if (dst.compact != 0) {
    rows = std::min(rows, round_up(dst.vrows, box.rows));
    columns = std::min(columns, round_up(dst.vcols, box.columns));
  }
  rows = std::min<int64_t>(rows, src.rows - record.row);
  columns = std::min<int64_t>(columns, src.cols - record.col);
  copy_from(plane_of(core, dst), plane_of(core, src), record.row, record.col, rows, columns);
}

void move(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  if (src.memory == Memory::Acc) return drain(core, record);
  if (dst.memory == Memory::Bias) return move_to_bias(core, record);
  if (is_matrix_operand(dst.memory)) return move_to_operand(core, record);
  const int lane = record.mod.acc_to_vec == Vec1 ? 1 : 0;
  Plane to = plane_of(core, dst, lane);
  const Plane from = plane_of(core, src, lane);
  if (dst.memory == Memory::Vec && src.memory == Memory::Vec && src.inner == 0 && dst.inner != 0 && dst.compact == 0) {
    // The vector unit packs fractals as tightly as the valid rows (columns) allow.
    const int64_t valid = dst.outer == 1 ? dst.vrows : dst.vcols;
    to.layout = layout_with_pitch(dst, round_up(valid, 16));
  }
  const bool whole = src.memory == Memory::Vec && dst.memory == Memory::Mat;
  const int64_t rows = whole ? src.vrows : dst.vrows, columns = whole ? src.vcols : dst.vcols;
  copy_from(to, from, record.row, record.col, rows, columns);
}

void insert(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  if (src.memory == Memory::Acc) return drain(core, record);
  copy_into(plane_of(core, dst), record.row, record.col, plane_of(core, src), src.vrows, src.vcols);
}

}  // namespace

Body move_body(Opcode op) {
  switch (op) {
    case Opcode::Move:
    case Opcode::MoveFp:
    case Opcode::Extract:
      return move;
    case Opcode::Insert:
      return insert;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
