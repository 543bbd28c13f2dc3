// Reductions of rows into a column and of columns into a row.
//
// In: tile[1], over its valid region.  Out: tile[0](i, 0) or tile[0](0, j).
//  * Sums and products take the elements in ascending order, one rounding per step; narrow floats are reduced in float
//  and
//    rounded once at the end; integers wrap in their own width.
//  * Max and min: NaN if any element is NaN.
//  * The arg forms give the first index of the largest (smallest) element; a NaN is never larger nor smaller.
#include <array>

#include "bodies.hpp"
#include "rows.hpp"

namespace ptopro::sim {

namespace {

constexpr int kTogether = 8;  // rows reduced side by side, so that their chains of additions overlap

template <typename Op, typename T>
constexpr bool is_order_free = std::is_same_v<Op, op::Max> || std::is_same_v<Op, op::Min> || std::is_integral_v<T>;

// Where the order does not matter the run is reduced in lanes: integers by the compiler, floats here.
template <typename Op, typename T>
T reduce_lanes(const T* values, int64_t n) {
  T result = values[0];
  int64_t i = 1;
  if constexpr (std::is_same_v<T, float>) {
    constexpr int64_t kLanes = 64;
    if (n >= kLanes) {
      float lanes[kLanes];
      std::memcpy(lanes, values, sizeof lanes);
      for (i = kLanes; i + kLanes <= n; i += kLanes)
        for (int64_t k = 0; k < kLanes; ++k) lanes[k] = Op::template of<float>(lanes[k], values[i + k]);
      for (int64_t width = kLanes / 2; width > 0; width /= 2)
        for (int64_t k = 0; k < width; ++k) lanes[k] = Op::template of<float>(lanes[k], lanes[k + width]);
      result = lanes[0];
    }
  }
  for (; i < n; ++i) result = Op::template of<T>(result, values[i]);
  return result;
}

template <typename Op, typename T, int Rows>
void reduce_rows(const T* const (&rows)[kTogether], int64_t n, T* results) {
  T sums[Rows];
  for (int k = 0; k < Rows; ++k) sums[k] = rows[k][0];
  for (int64_t i = 1; i < n; ++i)
    for (int k = 0; k < Rows; ++k) sums[k] = Op::template of<T>(sums[k], rows[k][i]);
  for (int k = 0; k < Rows; ++k) results[k] = sums[k];
}

template <typename Op>
void row_reduce(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  if (src.vrows <= 0 || src.vcols <= 0) return;
  const Plane out = plane_of(core, dst);
  with_arithmetic_type(src.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSource<T> rows(core, src, src.vcols);
    if constexpr (is_order_free<Op, T>) {
      for (int64_t r = 0; r < src.vrows; ++r)
        store_value<T>(out, dst.dtype, r, 0, reduce_lanes<Op, T>(rows(r), src.vcols));
    } else {
      std::array<std::vector<T>, kTogether> buffers;
      const T* held[kTogether] = {};
      T results[kTogether];
      int64_t r = 0;
      for (; r + kTogether <= src.vrows; r += kTogether) {
        for (int k = 0; k < kTogether; ++k) held[k] = rows.read(r + k, buffers[static_cast<size_t>(k)]);
        reduce_rows<Op, T, kTogether>(held, src.vcols, results);
        for (int k = 0; k < kTogether; ++k) store_value<T>(out, dst.dtype, r + k, 0, results[k]);
      }
      for (; r < src.vrows; ++r) {
        held[0] = rows(r);
        reduce_rows<Op, T, 1>(held, src.vcols, results);
        store_value<T>(out, dst.dtype, r, 0, results[0]);
      }
    }
  });
}

template <typename Op>
void column_reduce(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  if (src.vrows <= 0 || src.vcols <= 0) return;
  with_arithmetic_type(src.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSource<T> rows(core, src, src.vcols);
    RowSink<T> out(core, dst, src.vcols);
    std::vector<T> sums(rows(0), rows(0) + src.vcols);
    for (int64_t r = 1; r < src.vrows; ++r) {
      const T* row = rows(r);
      T* to = sums.data();
      PTOPRO_INDEPENDENT
      for (int64_t c = 0; c < src.vcols; ++c) to[c] = Op::template of<T>(to[c], row[c]);
    }
    std::copy(sums.begin(), sums.end(), out(0));
    out.commit(0);
  });
}

struct Larger {
  template <typename T>
  static bool of(T a, T b) {
    return a > b;
  }
};
struct Smaller {
  template <typename T>
  static bool of(T a, T b) {
    return a < b;
  }
};

template <typename Better>
void row_arg(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const Plane out = plane_of(core, dst);
  with_arithmetic_type(src.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSource<T> rows(core, src, src.vcols);
    for (int64_t r = 0; r < src.vrows; ++r) {
      const T* row = rows(r);
      int64_t best = 0;
      for (int64_t c = 1; c < src.vcols; ++c)
        if (Better::template of<T>(row[c], row[best])) best = c;
      store_bits(out, r, 0, static_cast<uint64_t>(best));
    }
  });
}

template <typename Better>
void column_arg(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const Plane out = plane_of(core, dst);
  if (src.vrows <= 0) return;
  with_arithmetic_type(src.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSource<T> rows(core, src, src.vcols);
    std::vector<T> best(rows(0), rows(0) + src.vcols);
    std::vector<uint32_t> index(best.size(), 0);
    for (int64_t r = 1; r < src.vrows; ++r) {
      const T* row = rows(r);
      for (size_t c = 0; c < best.size(); ++c)
        if (Better::template of<T>(row[c], best[c])) {
          best[c] = row[c];
          index[c] = static_cast<uint32_t>(r);
        }
    }
    for (size_t c = 0; c < index.size(); ++c) store_bits(out, 0, static_cast<int64_t>(c), index[c]);
  });
}

}  // namespace

Body reduce_body(Opcode op) {
  switch (op) {
    case Opcode::RowSum:
      return row_reduce<op::Add>;
    case Opcode::RowMax:
      return row_reduce<op::Max>;
    case Opcode::RowMin:
      return row_reduce<op::Min>;
    case Opcode::RowProd:
      return row_reduce<op::Mul>;
    case Opcode::RowArgMax:
      return row_arg<Larger>;
    case Opcode::RowArgMin:
      return row_arg<Smaller>;
    case Opcode::ColSum:
      return column_reduce<op::Add>;
    case Opcode::ColMax:
      return column_reduce<op::Max>;
    case Opcode::ColMin:
      return column_reduce<op::Min>;
    case Opcode::ColProd:
      return column_reduce<op::Mul>;
    case Opcode::ColArgMax:
      return column_arg<Larger>;
    case Opcode::ColArgMin:
      return column_arg<Smaller>;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
