// Windows of tiles: which elements of which tile an instruction touches, and what a move copies where.
//
// In: a record.  Out: the geometry that an instruction body works on, in one place for the bodies, which copy, and for
// the checks, which have to know the same bytes.
#pragma once

#include <cstdint>

#include "planes.hpp"
#include "ptopro/layout.hpp"
#include "ptopro/record.hpp"

namespace ptopro::sim {

// Rows r0 to r0 + rows, columns c0 to c0 + columns of a tile whose fractals are `pitch` apart (see fractal_pitch).
// lane: whose unified buffer a cube core means.
struct TileWindow {
  TileDesc tile;
  int64_t pitch = 0;
  int lane = 0;
  int64_t r0 = 0, c0 = 0, rows = 0, columns = 0;
};

inline TileWindow window_of(const TileDesc& tile, int64_t rows, int64_t columns) {
  return {tile, fractal_pitch(tile), 0, 0, 0, rows, columns};
}

// The plane of the whole tile; element (r, c) of the window is at (r0 + r, c0 + c).
inline Plane plane_of(const CoreMemory& core, const TileWindow& window) {
  return {memory_of(core, window.tile, window.lane) + window.tile.addr, layout_with_pitch(window.tile, window.pitch),
          dtype_bits(window.tile.dtype)};
}

// One part of a move: to(r, c) = from(r, c), converted where the types differ.
struct Transfer {
  TileWindow to, from;
};

// The parts of a move, extract or insert; two if the fixpipe splits an accumulator over both vector cores.
int transfers_of(const Record& record, Transfer (&parts)[2]);

// The operands of a matrix instruction; those it does not have are null.
struct MatrixRoles {
  const TileDesc *dst, *acc = nullptr, *left, *right, *bias = nullptr, *left_scale = nullptr, *right_scale = nullptr;
};
MatrixRoles matrix_roles(const Record& record);

// The matrix unit knows m, k, n and base addresses, nothing of the tiles' physical shapes.
struct MatrixShape {
  int64_t m, depth, n;
  bool single_row;  // the left operand is a row of k, not fractals
  // Row-major fractals one row of them after the other (ZZ) lie along k, packed to the depth rounded up.
  bool left_along_k(const TileDesc& left) const { return !single_row && left.outer == 0 && left.inner == 1; }
  int64_t left_pitch(const TileDesc& left) const {
    if (left_along_k(left)) return round_up(depth, box_of(left).columns);
    return single_row ? 1 : round_up(m, 16);
  }
  int64_t right_pitch() const { return round_up(n, 16); }
  int64_t acc_pitch() const { return round_up(m, 16); }
};
MatrixShape matrix_shape(const Record& record, const MatrixRoles& roles);

// The unit finds the scales of an operand at a sixteenth of its address, packed to the depth that it multiplies.
TileWindow scale_window(TileDesc scale, const TileDesc& operand, int64_t rows, int64_t columns, int64_t depth);

// The operands of a broadcast instruction with an operation: which is the narrow one, and whether it holds a 32-byte
// block per row that repeats along the row.
struct BroadcastRoles {
  const TileDesc *full, *narrow;
  bool first_is_narrow;
  bool repeats;   // along a row
  int64_t block;  // elements of 32 bytes
};
BroadcastRoles broadcast_roles(const Record& record);

}  // namespace ptopro::sim
