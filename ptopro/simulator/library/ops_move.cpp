// Move, extract and insert: tile to tile, between every pair of on-chip memories that has a path.
//
// In: tile[0] destination, tile[1] source, (row, col) where the window begins (in the source for move and extract, in
// the destination for insert).  Out: the window in the destination's layout.
// What moves where is in windows.hpp.
#include "bodies.hpp"
#include "convert.hpp"
#include "fixpipe.hpp"
#include "windows.hpp"

namespace ptopro::sim {

namespace {

// Between an accumulator and a buffer, through the fixpipe.
void drain(const CoreMemory& core, const Record& record, const Transfer& part) {
  const uint64_t* channels =
      record.op == Opcode::MoveFp || record.tiles > 2
          ? reinterpret_cast<const uint64_t*>(memory_of(core, record.tile[2]) + record.tile[2].addr)
          : nullptr;
  const TileWindow &to = part.to, &from = part.from;
  Fixpipe(plane_of(core, from), from.tile.dtype, to.tile.dtype, record, channels)
      .drain(from.r0, from.c0, from.rows, from.columns, plane_of(core, to), to.r0, to.c0);
}

// A bias row is float in the bias table, whatever narrow float L1 holds.
void widen(const CoreMemory& core, const Transfer& part) {
  const Plane to = plane_of(core, part.to), from = plane_of(core, part.from);
  for (int64_t r = 0; r < part.to.rows; ++r)
    for (int64_t c = 0; c < part.to.columns; ++c) {
      float value;
      to_float(part.from.tile.dtype, from.at(part.from.r0 + r, part.from.c0 + c), &value, 1);
      from_float(part.to.tile.dtype, &value, to.at(part.to.r0 + r, part.to.c0 + c), 1);
    }
}

void move(const CoreMemory& core, const Record& record) {
  Transfer parts[2];
  const int count = transfers_of(record, parts);
  for (int i = 0; i < count; ++i) {
    const TileWindow &to = parts[i].to, &from = parts[i].from;
    if (from.tile.memory == Memory::Acc)
      drain(core, record, parts[i]);
    else if (to.tile.memory == Memory::Bias && to.tile.dtype != from.tile.dtype)
      widen(core, parts[i]);
    else if (record.op == Opcode::Insert)
      copy_into(plane_of(core, to), to.r0, to.c0, plane_of(core, from), to.rows, to.columns);
    else
      copy_from(plane_of(core, to), plane_of(core, from), from.r0, from.c0, to.rows, to.columns);
  }
}

}  // namespace

Body move_body(Opcode op) {
  switch (op) {
    case Opcode::Move:
    case Opcode::MoveFp:
    case Opcode::Extract:
    case Opcode::Insert:
      return move;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
