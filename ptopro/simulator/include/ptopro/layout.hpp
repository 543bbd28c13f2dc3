// Where the elements of a tile and of a global window lie in memory.
//
// In: a TileDesc or a GlobalDesc.  Out: a Layout: element (r, c) is at row.at(r) + column.at(c), in elements, for every
// layout of the machine, because the row and the column part are independent: each is a nest of (count, pitch) levels.
// Race footprints, copies and the elementwise walks are built on that.
#pragma once

#include <cstdint>

#include "ptopro/numbers.hpp"
#include "ptopro/record.hpp"

namespace ptopro::sim {

constexpr int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Offset of index i along one axis: i is split into levels, innermost first; level k has `count[k]` positions
// `pitch[k]` elements apart; the last level is open-ended.
struct Axis {
  static constexpr int kLevels = 4;
  int64_t count[kLevels] = {1, 1, 1, 1};
  int64_t pitch[kLevels] = {0, 0, 0, 0};
  int levels = 1;

  static constexpr Axis flat(int64_t step) {
    Axis axis;
    axis.pitch[0] = step;
    return axis;
  }
  static constexpr Axis boxed(int64_t inner_count, int64_t inner_pitch, int64_t outer_pitch) {
    Axis axis;
    axis.count[0] = inner_count;
    axis.pitch[0] = inner_pitch;
    axis.pitch[1] = outer_pitch;
    axis.levels = 2;
    return axis;
  }
  constexpr void add_level(int64_t inner_count, int64_t outer_pitch) {
    count[levels - 1] = inner_count;
    pitch[levels] = outer_pitch;
    ++levels;
  }
  constexpr int64_t at(int64_t index) const {
    int64_t offset = 0;
    for (int level = 0; level < levels - 1; ++level) {
      offset += index % count[level] * pitch[level];
      index /= count[level];
    }
    return offset + index * pitch[levels - 1];
  }
  // How many of the first `extent` indices follow each other `pitch[0]` elements apart.
  constexpr int64_t run(int64_t extent) const {
    int64_t length = 1;
    for (int level = 0; level < levels; ++level) {
      if (pitch[level] != pitch[0] * length) return length;
      if (level == levels - 1) return extent;
      length *= count[level];
    }
    return length;
  }
};

struct Layout {
  Axis row, column;
  constexpr int64_t at(int64_t r, int64_t c) const { return row.at(r) + column.at(c); }
};

// Rows and columns of one fractal of a boxed tile; {1, 1} for an unboxed one.
struct Box {
  int64_t rows = 1, columns = 1;
};

constexpr Box box_of(const TileDesc& tile) {
  if (tile.inner == 0) return {};
  // The accumulator holds 16 x 16 elements per fractal whatever the tile says; others 16 lines of fractal / 16 bytes.
  const int64_t line = tile.memory == Memory::Acc ? 16 : tile.fractal / 16 * 8 / dtype_bits(tile.dtype);
  return tile.inner == 1 ? Box{16, line} : Box{line, 16};
}

// The distance between two fractal columns (rows, for row-major fractals), in rows (columns).  The physical shape
// decides, unless the tile is compact: then its valid shape rounded up to the fractal; RowPlusOne keeps one row free.
constexpr int64_t fractal_pitch(const TileDesc& tile) {
  const bool along_rows = tile.outer == 1;
  const int64_t physical = along_rows ? tile.rows : tile.cols;
  if (tile.compact == 0 || tile.memory == Memory::Mat) return physical;
  const int64_t valid = along_rows ? tile.vrows : tile.vcols;
  const Box box = box_of(tile);
  const int64_t rounded = round_up(valid, along_rows ? box.rows : box.columns);
  return tile.compact == 2 ? rounded + 1 : rounded;
}

// The layout of a tile with a given pitch (see fractal_pitch).
constexpr Layout layout_with_pitch(const TileDesc& tile, int64_t pitch) {
  if (tile.inner == 0) {
    return tile.outer == 0 ? Layout{Axis::flat(tile.cols), Axis::flat(1)}
                           : Layout{Axis::flat(1), Axis::flat(tile.rows)};
  }
  const Box box = box_of(tile);
  // Inside a fractal: row step and column step.
  const int64_t row_step = tile.inner == 1 ? box.columns : 1;
  const int64_t column_step = tile.inner == 1 ? 1 : box.rows;
  if (tile.outer == 1) {  // fractal columns one after the other: NZ, NN
    return Layout{Axis::boxed(box.rows, row_step, box.rows * box.columns),
                  Axis::boxed(box.columns, column_step, pitch * box.columns)};
  }
  return Layout{Axis::boxed(box.rows, row_step, pitch * box.rows),
                Axis::boxed(box.columns, column_step, box.rows * box.columns)};
}

constexpr Layout layout_of(const TileDesc& tile) { return layout_with_pitch(tile, fractal_pitch(tile)); }

// Bytes that `elements` elements occupy.
constexpr int64_t bytes_of(DType type, int64_t elements) { return (elements * dtype_bits(type) + 7) / 8; }

// Layouts of a global window, numbered as the instruction set numbers them.
enum class GlobalLayout : uint8_t { ND, DN, NZ, Scale, MxAnd, MxAdn, MxAzz, MxBnd, MxBdn, MxBnn };

// The layout of a global window seen as the two axes of a tile.  Leading axes of ND stack along the rows, of DN and NZ
// along the columns.  An E8M0 scale keeps pairs of groups next to each other on the last axis.
constexpr Layout layout_of(const GlobalDesc& window) {
  const int64_t* shape = window.shape;
  const int64_t* stride = window.stride;
  Layout layout;
  switch (static_cast<GlobalLayout>(window.layout)) {
    case GlobalLayout::DN:
      layout.row = Axis::flat(stride[3]);
      layout.column = Axis::flat(stride[4]);
      if (shape[0] * shape[1] * shape[2] > 1) {
        layout.column.add_level(shape[4], stride[2]);
        layout.column.add_level(shape[2], stride[1]);
        layout.column.add_level(shape[1], stride[0]);
      }
      return layout;
    case GlobalLayout::NZ:
      layout.row = Axis::boxed(shape[3], stride[3], stride[2]);
      layout.column = Axis::boxed(shape[4], stride[4], stride[1]);
      if (shape[0] > 1) layout.column.add_level(shape[1], stride[0]);
      return layout;
    case GlobalLayout::MxAnd:
      return {Axis::flat(stride[2]), Axis::boxed(2, stride[4], stride[3])};
    case GlobalLayout::MxAdn:
      return {Axis::flat(stride[3]), Axis::boxed(2, stride[4], stride[2])};
    case GlobalLayout::MxBnd:
      return {Axis::boxed(2, stride[4], stride[2]), Axis::flat(stride[3])};
    case GlobalLayout::MxBdn:
      return {Axis::boxed(2, stride[4], stride[3]), Axis::flat(stride[2])};
    case GlobalLayout::MxAzz:
      layout.row = Axis::boxed(16, stride[3], stride[1]);
      if (shape[0] > 1) layout.row.add_level(shape[1], stride[0]);
      layout.column = Axis::boxed(2, stride[4], stride[2]);
      return layout;
    case GlobalLayout::MxBnn:
      layout.row = Axis::boxed(2, stride[4], stride[2]);
      layout.column = Axis::boxed(16, stride[3], stride[1]);
      if (shape[0] > 1) layout.column.add_level(shape[1], stride[0]);
      return layout;
    default:
      layout.row = Axis::flat(stride[3]);
      if (shape[0] * shape[1] * shape[2] > 1) {
        layout.row.add_level(shape[3], stride[2]);
        layout.row.add_level(shape[2], stride[1]);
        layout.row.add_level(shape[1], stride[0]);
      }
      layout.column = Axis::flat(stride[4]);
      return layout;
  }
}

}  // namespace ptopro::sim
