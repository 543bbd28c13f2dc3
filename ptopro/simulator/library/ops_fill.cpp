// Filling and rearranging: one value, an index ramp, padding, transposition, reinterpretation.
//
//  * ExpandS: the scalar over the valid region of tile[0].
//  * FillIndex: tile[0](0, j) = scalar + j (mod.reverse: scalar - j) over the valid columns of row 0.
//  * FillPad*: tile[0] = tile[1] inside the valid region of tile[1], tile[0]'s pad value beyond it, up to tile[0]'s
//    valid rows and physical columns (an unboxed tile) or physical shape (a boxed one).
//  * Transpose: tile[0](j, i) = tile[1](i, j) over the valid region of tile[1].
//  * Reshape: the bytes of tile[1]; nothing to do if both tiles begin at the same address.
#include <array>

#include "bodies.hpp"
#include "rows.hpp"

namespace ptopro::sim {

namespace {

void expand_scalar(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  fill(plane_of(core, dst), 0, dst.vrows, 0, dst.vcols, scalar_bits(dst.dtype, record.scalar));
}

void fill_index(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  const Plane plane = plane_of(core, dst);
  with_arithmetic_type(dst.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T start = scalar_as<T>(record.scalar);
    for (int64_t j = 0; j < dst.vcols; ++j) {
      const T step = static_cast<T>(j);
      store_value<T>(plane, dst.dtype, 0, j,
                     record.mod.reverse ? op::Sub::of<T>(start, step) : op::Add::of<T>(start, step));
    }
  });
}

void fill_pad(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const Plane to = plane_of(core, dst), from = plane_of(core, src);
  const int64_t rows = dst.inner == 0 && dst.outer == 0 ? dst.vrows : dst.rows;
  const int64_t valid_rows = std::min<int64_t>(src.vrows, rows), valid_columns = std::min(src.vcols, dst.cols);
  if (to.base != from.base || record.op != Opcode::FillPadInplace) copy(to, from, valid_rows, valid_columns);
  const uint64_t pad = pad_bits(dst.pad, dst.dtype);
  fill(to, 0, valid_rows, valid_columns, dst.cols, pad);
  fill(to, valid_rows, rows, 0, dst.cols, pad);
}

void transpose(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  copy(plane_of(core, dst).transposed(), plane_of(core, src), src.vrows, src.vcols);
}

void reshape(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  uint8_t* to = memory_of(core, dst) + dst.addr;
  const uint8_t* from = memory_of(core, src) + src.addr;
  if (to == from) return;
  const int64_t bytes =
      std::min(bytes_of(dst.dtype, int64_t{dst.rows} * dst.cols), bytes_of(src.dtype, int64_t{src.rows} * src.cols));
  std::memmove(to, from, static_cast<size_t>(bytes));
}

}  // namespace

Body fill_body(Opcode op) {
  switch (op) {
    case Opcode::ExpandS:
      return expand_scalar;
    case Opcode::FillIndex:
      return fill_index;
    case Opcode::FillPad:
    case Opcode::FillPadExpand:
    case Opcode::FillPadInplace:
      return fill_pad;
    case Opcode::Transpose:
      return transpose;
    case Opcode::Reshape:
      return reshape;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
