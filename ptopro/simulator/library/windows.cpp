#include "windows.hpp"

#include <algorithm>
#include <utility>

namespace ptopro::sim {

namespace {

enum AccToVec : uint8_t { Vec0 = 0, Vec1 = 1, SplitRows = 2, SplitColumns = 3 };

bool is_matrix_operand(Memory memory) {
  return memory == Memory::Left || memory == Memory::Right || memory == Memory::ScaleLeft ||
         memory == Memory::ScaleRight;
}

TileWindow at(TileWindow window, int64_t r0, int64_t c0, int64_t rows, int64_t columns) {
  window.r0 = r0, window.c0 = c0, window.rows = rows, window.columns = columns;
  return window;
}

// The bytes of a ZN tile, read as the NZ tile of the transposed matrix that they also are.
TileDesc transposed(TileDesc tile) {
  std::swap(tile.rows, tile.cols);
  std::swap(tile.vrows, tile.vcols);
  tile.outer = 1;
  tile.inner = 1;
  return tile;
}

// Through the fixpipe: the accumulator is packed as the matrix unit wrote it, the destination as its physical shape
// says.  A split mode halves the rows (rounded up to even) or the columns (rounded up to 32).
int drains_of(const Record& record, Transfer (&parts)[2]) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const bool insert = record.op == Opcode::Insert, extract = record.op == Opcode::Extract;
  const int64_t sr = insert ? 0 : record.row, sc = insert ? 0 : record.col;
  const int64_t dr = insert ? record.row : 0, dc = insert ? record.col : 0;
  const uint8_t mode = record.mod.acc_to_vec;
  const bool both = mode == SplitRows || mode == SplitColumns;  // what the two cores get is what of the source is valid
  int64_t rows = extract && !both ? dst.vrows : src.vrows, columns = extract && !both ? dst.vcols : src.vcols;
  TileWindow from{src, round_up(src.vrows, 16)};
  TileDesc plain = dst;
  plain.compact = 0;
  TileWindow to{plain, fractal_pitch(plain)};
  if (mode == SplitRows) rows = round_up(rows, 2) / 2;
  if (mode == SplitColumns) columns = round_up(columns, 32) / 2;
  const int count = both ? 2 : 1;
  for (int part = 0; part < count; ++part) {
    to.lane = count == 2 ? part : mode == Vec1 ? 1 : 0;
    parts[part] = {at(to, dr, dc, rows, columns), at(from, sr + (mode == SplitRows ? part * rows : 0),
                                                     sc + (mode == SplitColumns ? part * columns : 0), rows, columns)};
  }
  return count;
}

}  // namespace

int transfers_of(const Record& record, Transfer (&parts)[2]) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  if (src.memory == Memory::Acc) return drains_of(record, parts);
  TileWindow to{dst, fractal_pitch(dst)}, from{src, fractal_pitch(src)};
  const int64_t row = record.row, column = record.col;
  if (record.op == Opcode::Insert) {
    const bool turned = src.outer == 1 && src.inner == 1 && dst.outer == 0 && dst.inner == 2;
    if (turned) to = {transposed(dst), fractal_pitch(transposed(dst))};  // NZ blocks laid into a ZN tile
    parts[0] = {at(to, row, column, src.vrows, src.vcols), at(from, 0, 0, src.vrows, src.vcols)};
    return 1;
  }
  int64_t rows = dst.vrows, columns = dst.vcols;
  if (dst.memory == Memory::Bias) {
    rows = dst.rows, columns = dst.cols;
  } else if (is_matrix_operand(dst.memory)) {
    // Whole fractals: the physical tile, or the valid part of a compact one, as far as the source reaches.
    const Box box = box_of(dst);
    rows = dst.rows, columns = dst.cols;
    if (dst.compact != 0) {
      rows = std::min(rows, round_up(dst.vrows, box.rows));
      columns = std::min(columns, round_up(dst.vcols, box.columns));
    }
    rows = std::min<int64_t>(rows, src.rows - row);
    columns = std::min<int64_t>(columns, src.cols - column);
  } else {
    to.lane = from.lane = record.mod.acc_to_vec == Vec1 ? 1 : 0;
    // The vector unit packs fractals as tightly as the valid rows (columns) allow.
    if (dst.memory == Memory::Vec && src.memory == Memory::Vec && src.inner == 0 && dst.inner != 0 && dst.compact == 0)
      to.pitch = round_up(dst.outer == 1 ? dst.vrows : dst.vcols, 16);
    if (src.memory == Memory::Vec && dst.memory == Memory::Mat) rows = src.vrows, columns = src.vcols;
  }
  parts[0] = {at(to, 0, 0, rows, columns), at(from, row, column, rows, columns)};
  return 1;
}

MatrixRoles matrix_roles(const Record& record) {
  const TileDesc* tile = record.tile;
  switch (record.op) {
    case Opcode::MatmulAcc:
    case Opcode::GemvAcc:
      return {tile, tile + 1, tile + 2, tile + 3};
    case Opcode::MatmulBias:
    case Opcode::GemvBias:
      return {tile, nullptr, tile + 1, tile + 2, tile + 3};
    case Opcode::MatmulMx: {
      MatrixRoles roles{tile, nullptr, tile + 1, tile + 3};
      roles.left_scale = tile + 2, roles.right_scale = tile + 4;
      if (record.tiles > 5) roles.bias = tile + 5;
      return roles;
    }
    case Opcode::MatmulMxAcc: {
      MatrixRoles roles{tile, tile + 1, tile + 2, tile + 4};
      roles.left_scale = tile + 3, roles.right_scale = tile + 5;
      return roles;
    }
    default:
      return {tile, nullptr, tile + 1, tile + 2};
  }
}

MatrixShape matrix_shape(const Record& record, const MatrixRoles& roles) {
  const bool vector = record.op == Opcode::Gemv || record.op == Opcode::GemvAcc || record.op == Opcode::GemvBias;
  return {vector ? 1 : roles.left->vrows, vector ? roles.right->vrows : roles.left->vcols, roles.right->vcols,
          vector || roles.left->rows == 1};
}

TileWindow scale_window(TileDesc scale, const TileDesc& operand, int64_t rows, int64_t columns, int64_t depth) {
  scale.addr = operand.addr >> 4;
  scale.fractal = 32;
  return {scale, round_up((depth + 31) / 32, 2), 0, 0, 0, rows, columns};
}

BroadcastRoles broadcast_roles(const Record& record) {
  const TileDesc& dst = record.tile[0];
  const auto covers = [&](const TileDesc& tile) { return tile.vrows == dst.vrows && tile.vcols == dst.vcols; };
  BroadcastRoles roles;
  roles.first_is_narrow = !covers(record.tile[1]) && covers(record.tile[2]);
  roles.full = &record.tile[roles.first_is_narrow ? 2 : 1];
  roles.narrow = &record.tile[roles.first_is_narrow ? 1 : 2];
  roles.block = 32 * 8 / dtype_bits(roles.narrow->dtype);
  roles.repeats = roles.narrow->outer == 0 && roles.narrow->inner == 0 && roles.narrow->vcols == roles.block;
  return roles;
}

}  // namespace ptopro::sim
