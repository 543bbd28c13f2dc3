#include "accesses.hpp"

#include <algorithm>

namespace ptopro::sim {

namespace {

class Collector {
 public:
  Collector(const Record& record, Accesses& out) : record_(record), out_(out) {
    out.count = out.copied = 0;
    out.global_rows = out.global_columns = 0;
  }

  const TileDesc& tile(int i) const { return record_.tile[i]; }

  int add(Use use, int operand, const TileWindow& window) {
    if (window.rows <= 0 || window.columns <= 0 || out_.count == Accesses::kMost) return -1;
    out_.list[out_.count] = {window, use, static_cast<uint8_t>(operand)};
    return out_.count++;
  }
  int add(Use use, int operand, int64_t rows, int64_t columns) {
    return add(use, operand, window_of(tile(operand), rows, columns));
  }
  int valid(Use use, int operand) { return add(use, operand, tile(operand).vrows, tile(operand).vcols); }
  // The operand as `elements` elements one after the other.
  int line(Use use, int operand, int64_t elements) {
    TileDesc flat = tile(operand);
    flat.outer = flat.inner = flat.compact = 0;
    flat.rows = 1, flat.cols = static_cast<int32_t>(elements);
    return add(use, operand, window_of(flat, 1, elements));
  }
  // The operand as rows of bytes.
  int bytes(Use use, int operand, int64_t rows, int64_t columns) {
    TileDesc flat = tile(operand);
    flat.cols = static_cast<int32_t>(std::max<int64_t>(bytes_of(flat.dtype, flat.cols), columns));
    flat.dtype = DType::UInt8;
    flat.outer = flat.inner = flat.compact = 0;
    return add(use, operand, window_of(flat, rows, columns));
  }
  void copy(int to, int from) {
    if (to >= 0 && from >= 0)
      out_.copies[out_.copied++] = {static_cast<uint8_t>(to), static_cast<uint8_t>(from)};
    else if (to >= 0)
      out_.list[to].use = Use::Write;
  }
  void scratch(int operand) {
    if (operand < record_.tiles) valid(Use::Scratch, operand);
  }
  void global(int64_t rows, int64_t columns, bool written) {
    out_.global_rows = rows, out_.global_columns = columns, out_.global_written = written;
  }

  // `sources` operands read over the destination's valid region, then scratch.
  void elementwise(int sources, bool updates = false) {
    const TileDesc& dst = tile(0);
    for (int i = 1; i <= sources; ++i) add(Use::Read, i, dst.vrows, dst.vcols);
    if (updates) valid(Use::Read, 0);
    valid(Use::Write, 0);
    for (int i = sources + 1; i < record_.tiles; ++i) scratch(i);
  }
  void matrix();
  void load();
  void store();
  void move();
  void vector();
  void row_broadcast();
  void partial();

 private:
  const Record& record_;
  Accesses& out_;
};

void Collector::load() {
  const TileDesc& dst = tile(0);
  int64_t rows = dst.vrows, columns = dst.vcols;
  global(rows, columns, false);
  // Padding up to a 32-byte block (a fractal line in L1).
  const Box box = box_of(dst);
  const int64_t block = 32 * 8 / dtype_bits(dst.dtype);
  if (dst.inner == 0 && dst.pad != 0) {
    if (dst.outer == 0)
      columns = std::min<int64_t>(dst.cols, round_up(columns, block));
    else
      rows = std::min<int64_t>(dst.rows, round_up(rows, block));
  } else if (dst.inner != 0 && dst.memory == Memory::Mat &&
             record_.global.layout <= static_cast<uint8_t>(GlobalLayout::DN)) {
    if (dst.inner == 1)
      columns = std::min<int64_t>(dst.cols, round_up(columns, box.columns));
    else
      rows = std::min<int64_t>(dst.rows, round_up(rows, box.rows));
  }
  add(Use::Write, 0, rows, columns);
}

void Collector::store() {
  valid(Use::Read, 0);
  if (record_.op == Opcode::StoreFp) bytes(Use::Read, 1, 1, int64_t{tile(0).vcols} * 8);
  global(tile(0).vrows, tile(0).vcols, true);
}

void Collector::move() {
  Transfer parts[2];
  const int count = transfers_of(record_, parts);
  for (int i = 0; i < count; ++i) {
    const int from = add(Use::Touch, 1, parts[i].from);
    copy(add(Use::Move, 0, parts[i].to), from);
  }
  if (tile(1).memory == Memory::Acc && record_.tiles > 2) bytes(Use::Read, 2, 1, int64_t{tile(1).vcols} * 8);
}

void Collector::matrix() {
  const MatrixRoles roles = matrix_roles(record_);
  const MatrixShape shape = matrix_shape(record_, roles);
  const auto operand = [&](const TileDesc* desc) { return static_cast<int>(desc - record_.tile); };
  // As the unit reads them: fractals packed to the shape, k in the short direction, whatever the tile says.
  TileDesc left = *roles.left, right = *roles.right;
  left.outer = shape.left_along_k(left) ? 0 : 1, left.inner = 1, right.outer = 0, right.inner = 2;
  add(Use::Read, operand(roles.left), {left, shape.left_pitch(*roles.left), 0, 0, 0, shape.m, shape.depth});
  add(Use::Read, operand(roles.right), {right, shape.right_pitch(), 0, 0, 0, shape.depth, shape.n});
  if (roles.left_scale != nullptr) {
    const int64_t groups = (shape.depth + 31) / 32;
    add(Use::Read, operand(roles.left_scale),
        scale_window(*roles.left_scale, *roles.left, shape.m, groups, shape.depth));
    add(Use::Read, operand(roles.right_scale),
        scale_window(*roles.right_scale, *roles.right, groups, shape.n, shape.depth));
  }
  const auto packed = [&](TileDesc acc) {
    acc.outer = 1, acc.inner = 1;
    return TileWindow{acc, shape.acc_pitch(), 0, 0, 0, shape.m, shape.n};
  };
  if (roles.acc != nullptr) add(Use::Read, operand(roles.acc), packed(*roles.acc));
  if (roles.bias != nullptr) line(Use::Read, operand(roles.bias), shape.n);
  add(Use::Write, 0, packed(*roles.dst));
}

void Collector::row_broadcast() {
  const TileDesc& dst = tile(0);
  const BroadcastRoles roles = broadcast_roles(record_);
  add(Use::Read, roles.first_is_narrow ? 2 : 1, dst.vrows, dst.vcols);
  add(Use::Read, roles.first_is_narrow ? 1 : 2, dst.vrows, roles.repeats ? roles.block : 1);
  valid(Use::Write, 0);
  scratch(3);
}

// Where only one operand is valid it is copied, so each is read as far as it and the destination are valid.
void Collector::partial() {
  const TileDesc& dst = tile(0);
  for (int i = 1; i <= 2; ++i)
    add(Use::Read, i, std::min(tile(i).vrows, dst.vrows), std::min(tile(i).vcols, dst.vcols));
  valid(Use::Write, 0);
}

void Collector::vector() {
  const TileDesc &dst = tile(0), &src = tile(1);
  switch (record_.op) {
    case Opcode::VectorFunction:
    case Opcode::Threads:
      return;  // known when the code has run (code_log.hpp)
    case Opcode::ExpandS:
      valid(Use::Write, 0);
      return;
    case Opcode::FillIndex:
      add(Use::Write, 0, 1, dst.vcols);
      return;
    case Opcode::AddC:
    case Opcode::SubC:
      return elementwise(3);
    case Opcode::Axpy:
      return elementwise(1, true);
    case Opcode::Cmp:
      add(Use::Read, 2, src.vrows, src.vcols);
      [[fallthrough]];
    case Opcode::CmpS:
      valid(Use::Read, 1);
      bytes(Use::Write, 0, src.vrows, (src.vcols + 7) / 8);
      return;
    case Opcode::Sel:
    case Opcode::SelS:
      bytes(Use::Read, 1, dst.vrows, (dst.vcols + 7) / 8);
      add(Use::Touch, 2, dst.vrows, dst.vcols);
      if (record_.op == Opcode::Sel) add(Use::Touch, 3, dst.vrows, dst.vcols);
      valid(Use::Write, 0);
      scratch(record_.op == Opcode::Sel ? 4 : 3);
      return;
    case Opcode::RowSum:
    case Opcode::RowMax:
    case Opcode::RowMin:
    case Opcode::RowProd:
    case Opcode::RowArgMax:
    case Opcode::RowArgMin:
      valid(Use::Read, 1);
      add(Use::Write, 0, src.vrows, 1);
      return scratch(2);
    case Opcode::ColSum:
    case Opcode::ColMax:
    case Opcode::ColMin:
    case Opcode::ColProd:
    case Opcode::ColArgMax:
    case Opcode::ColArgMin:
      valid(Use::Read, 1);
      add(Use::Write, 0, 1, src.vcols);
      return scratch(2);
    case Opcode::RowExpand:
      add(Use::Read, 1, dst.vrows, 1);
      valid(Use::Write, 0);
      return;
    case Opcode::ColExpand:
      add(Use::Read, 1, 1, dst.vcols);
      valid(Use::Write, 0);
      return;
    case Opcode::RowExpandAdd:
    case Opcode::RowExpandSub:
    case Opcode::RowExpandMul:
    case Opcode::RowExpandDiv:
    case Opcode::RowExpandMax:
    case Opcode::RowExpandMin:
    case Opcode::RowExpandExpDif:
      return row_broadcast();
    case Opcode::ColExpandAdd:
    case Opcode::ColExpandSub:
    case Opcode::ColExpandMul:
    case Opcode::ColExpandDiv:
    case Opcode::ColExpandMax:
    case Opcode::ColExpandMin:
    case Opcode::ColExpandExpDif: {
      const bool first = broadcast_roles(record_).first_is_narrow;
      add(Use::Read, first ? 2 : 1, dst.vrows, dst.vcols);
      add(Use::Read, first ? 1 : 2, 1, dst.vcols);
      valid(Use::Write, 0);
      return;
    }
    case Opcode::FillPad:
    case Opcode::FillPadExpand:
    case Opcode::FillPadInplace: {
      const int64_t rows = dst.inner == 0 && dst.outer == 0 ? dst.vrows : dst.rows;
      const int64_t valid_rows = std::min<int64_t>(src.vrows, rows), valid_columns = std::min(src.vcols, dst.cols);
      const int from = add(Use::Touch, 1, valid_rows, valid_columns);
      copy(add(Use::Move, 0, valid_rows, valid_columns), from);
      TileWindow pad = window_of(dst, valid_rows, dst.cols - valid_columns);  // right of it, then below
      pad.c0 = valid_columns;
      add(Use::Write, 0, pad);
      pad = window_of(dst, rows - valid_rows, dst.cols);
      pad.r0 = valid_rows;
      add(Use::Write, 0, pad);
      return;
    }
    case Opcode::Transpose: {
      const int from = valid(Use::Touch, 1);
      TileDesc turned = dst;  // (i, j) of the source is (j, i) of the destination
      std::swap(turned.rows, turned.cols);
      std::swap(turned.vrows, turned.vcols);
      turned.outer = !dst.outer;
      turned.inner = dst.inner == 0 ? 0 : 3 - dst.inner;
      copy(add(Use::Move, 0, {turned, fractal_pitch(dst), 0, 0, 0, src.vrows, src.vcols}), from);
      return scratch(2);
    }
    case Opcode::Reshape: {
      if (dst.memory == src.memory && dst.addr == src.addr) return;
      const int64_t size = std::min(bytes_of(dst.dtype, int64_t{dst.rows} * dst.cols),
                                    bytes_of(src.dtype, int64_t{src.rows} * src.cols));
      const int from = bytes(Use::Touch, 1, 1, size);
      copy(bytes(Use::Move, 0, 1, size), from);
      return;
    }
    case Opcode::PartAdd:
    case Opcode::PartMul:
    case Opcode::PartMax:
    case Opcode::PartMin:
      return partial();
    case Opcode::Gather:
      add(Use::Read, 2, dst.vrows, dst.vcols);
      valid(Use::Touch, 1);
      valid(Use::Write, 0);
      return scratch(3);
    case Opcode::GatherB:
      add(Use::Read, 2, dst.vrows, (int64_t{dst.vcols} * dtype_bits(dst.dtype) / 8 + 31) / 32);
      valid(Use::Touch, 1);
      valid(Use::Write, 0);
      return;
    case Opcode::GatherCmp:
      valid(Use::Read, 1);
      line(Use::Read, 2, src.vrows);
      valid(Use::Write, 0);
      line(Use::Write, 3, src.vrows);
      return scratch(4);
    case Opcode::GatherMask: {
      const int pattern = record_.mod.reverse;
      const int64_t step = pattern <= 2 ? 2 : pattern <= 6 ? 4 : 1;
      const int64_t first = pattern <= 2 ? pattern - 1 : pattern <= 6 ? pattern - 3 : 0;
      valid(Use::Touch, 1);
      add(Use::Write, 0, src.vrows, (src.vcols - first + step - 1) / step);
      return;
    }
    case Opcode::Scatter:
      valid(Use::Read, 1);
      add(Use::Read, 2, src.vrows, src.vcols);
      line(Use::Write, 0, int64_t{dst.rows} * dst.cols);
      return;
    case Opcode::Sort32:
      valid(Use::Read, 1);
      add(Use::Read, 2, tile(2).vrows == 1 ? 1 : src.vrows, src.vcols);
      add(Use::Write, 0, src.vrows, int64_t{src.vcols} * 64 / dtype_bits(dst.dtype));
      return scratch(3);
    case Opcode::MrgSort:
      line(Use::Read, 1, src.vcols);
      line(Use::Write, 0, bytes_of(src.dtype, src.vcols) * 8 / dtype_bits(dst.dtype));
      return;
    case Opcode::MrgSortList:
      for (int i = 2; i < record_.tiles; ++i) line(Use::Read, i, tile(i).vcols);
      line(Use::Write, 0, dst.vcols);
      return scratch(1);
    case Opcode::Histogram:
      valid(Use::Read, 1);
      valid(Use::Touch, 2);
      add(Use::Write, 0, src.vrows, 256);
      return;
    case Opcode::Quant:
    case Opcode::Dequant:
      add(Use::Read, 1, dst.vrows, dst.vcols);
      for (int i = 2; i < std::min<int>(record_.tiles, 4); ++i) add(Use::Read, i, dst.vrows, 1);
      valid(Use::Write, 0);
      return;
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Div:
    case Opcode::Rem:
    case Opcode::Max:
    case Opcode::Min:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Shl:
    case Opcode::Shr:
    case Opcode::AddSC:
    case Opcode::SubSC:
      return elementwise(2);
    default:
      return elementwise(1);
  }
}

}  // namespace

void accesses_of(const Record& record, Accesses& accesses) {
  Collector collector(record, accesses);
  switch (record.op) {
    case Opcode::Load:
      return collector.load();
    case Opcode::Store:
    case Opcode::StoreFp:
      return collector.store();
    case Opcode::Move:
    case Opcode::MoveFp:
    case Opcode::Extract:
    case Opcode::Insert:
      return collector.move();
    case Opcode::Matmul:
    case Opcode::MatmulAcc:
    case Opcode::MatmulBias:
    case Opcode::Gemv:
    case Opcode::GemvAcc:
    case Opcode::GemvBias:
    case Opcode::MatmulMx:
    case Opcode::MatmulMxAcc:
      return collector.matrix();
    default:
      return collector.vector();
  }
}

}  // namespace ptopro::sim
