// Planes: two-dimensional views of memory under a Layout, and copies between them.
//
// In: a base address and a Layout.  Out: bytes moved element by element as the layouts say, in the longest contiguous
// runs that both sides have.
#pragma once

#include <cstdint>

#include "ptopro/layout.hpp"
#include "ptopro/record.hpp"

namespace ptopro::sim {

struct Plane {
  uint8_t* base = nullptr;
  Layout layout;
  int bits = 8;  // of one element

  uint8_t* at(int64_t r, int64_t c) const { return base + layout.at(r, c) * bits / 8; }

  Plane transposed() const { return {base, {layout.column, layout.row}, bits}; }
};

// The memory a tile lives in, seen from the core that executes the instruction: the tile's own memory, except that
// a vector core writes L1 of its block's cube core, and a cube core writes the UB of a vector core (`lane`).
uint8_t* memory_of(const CoreMemory& core, const TileDesc& tile, int lane = 0);

Plane plane_of(const CoreMemory& core, const TileDesc& tile, int lane = 0);
Plane plane_of(const GlobalDesc& window);

// dst(r, c) = src(r0 + r, c0 + c) and dst(r0 + r, c0 + c) = src(r, c); equal element widths.
void copy(const Plane& dst, const Plane& src, int64_t rows, int64_t columns);
void copy_from(const Plane& dst, const Plane& src, int64_t r0, int64_t c0, int64_t rows, int64_t columns);
void copy_into(const Plane& dst, int64_t r0, int64_t c0, const Plane& src, int64_t rows, int64_t columns);

// dst(r, c) = the element whose bits are `value`, for r0 <= r < r1 and c0 <= c < c1.
void fill(const Plane& dst, int64_t r0, int64_t r1, int64_t c0, int64_t c1, uint64_t value);

// One element as raw bits, and back.
uint64_t load_bits(const Plane& plane, int64_t r, int64_t c);
void store_bits(const Plane& plane, int64_t r, int64_t c, uint64_t value);

// The bits of a tile's padding value (PadValue) in a data type; infinities for the floats that have them.
uint64_t pad_bits(uint8_t pad, DType type);

}  // namespace ptopro::sim
