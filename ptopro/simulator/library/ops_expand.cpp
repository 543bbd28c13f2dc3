// Broadcasts: a column along the rows, a row along the columns, alone or as an operand.
//
// In: RowExpand tile[1](i, 0), ColExpand tile[1](0, j); with an operation tile[1] op tile[2], where one operand has the
// destination's valid shape and the other is broadcast.  Out: the valid region of tile[0].
// A row-broadcast operand is one value per row, or, in a row-major tile of 32-byte rows, a block that repeats along the
// row.
#include <array>

#include "bodies.hpp"
#include "ptopro/math.hpp"
#include "rows.hpp"
#include "windows.hpp"

namespace ptopro::sim {

namespace {

// exp(a - b), the difference rounded in float.
struct ExpDif {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    return math::exp(a - b);
  }
};

// The type an operation computes in: exp is a function of floats, all others have the element's own type.
template <typename Op, typename F>
void with_operation_type(DType type, F&& visit) {
  if constexpr (std::is_same_v<Op, ExpDif>)
    visit(TypeTag<float>{});
  else
    with_arithmetic_type(type, visit);
}

template <typename Op, typename T>
void apply(T* dst, const T* a, const T* b, int64_t n) {
  PTOPRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) dst[i] = Op::template of<T>(a[i], b[i]);
}

template <typename Op, typename T>
void apply_scalar(T* dst, const T* a, T b, bool scalar_first, int64_t n) {
  if (scalar_first) {
    PTOPRO_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) dst[i] = Op::template of<T>(b, a[i]);
  } else {
    PTOPRO_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) dst[i] = Op::template of<T>(a[i], b);
  }
}

void row_expand(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const Plane from = plane_of(core, src);
  with_bits_type(dst.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSink<T> out(core, dst, dst.vcols);
    for (int64_t r = 0; r < dst.vrows; ++r) {
      const T value = static_cast<T>(load_bits(from, r, 0));
      std::fill_n(out(r), dst.vcols, value);
      out.commit(r);
    }
  });
}

void column_expand(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  with_bits_type(dst.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSource<T> row(core, src, dst.vcols);
    RowSink<T> out(core, dst, dst.vcols);
    for (int64_t r = 0; r < dst.vrows; ++r) {
      std::memmove(out(r), row(0), static_cast<size_t>(dst.vcols) * sizeof(T));
      out.commit(r);
    }
  });
}

template <typename Op>
void row_expand_op(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  const BroadcastRoles roles = broadcast_roles(record);
  const bool first_is_narrow = roles.first_is_narrow, repeats = roles.repeats;
  const int64_t block = roles.block;
  with_operation_type<Op>(dst.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSource<T> rows(core, *roles.full, dst.vcols), blocks(core, *roles.narrow, repeats ? block : 1);
    RowSink<T> out(core, dst, dst.vcols);
    std::vector<T> repeated(static_cast<size_t>(repeats ? dst.vcols : 0));
    for (int64_t r = 0; r < dst.vrows; ++r) {
      const T *row = rows(r), *values = blocks(r);
      T* to = out(r);
      if (repeats) {
        for (int64_t c = 0; c < dst.vcols; ++c) repeated[static_cast<size_t>(c)] = values[c % block];
        apply<Op, T>(to, first_is_narrow ? repeated.data() : row, first_is_narrow ? row : repeated.data(), dst.vcols);
      } else {
        apply_scalar<Op, T>(to, row, values[0], first_is_narrow, dst.vcols);
      }
      out.commit(r);
    }
  });
}

template <typename Op>
void column_expand_op(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  const BroadcastRoles roles = broadcast_roles(record);
  const bool first_is_narrow = roles.first_is_narrow;
  with_operation_type<Op>(dst.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSource<T> rows(core, *roles.full, dst.vcols);
    RowSource<T> narrow(core, *roles.narrow, dst.vcols);
    RowSink<T> out(core, dst, dst.vcols);
    const T* one = narrow(0);
    for (int64_t r = 0; r < dst.vrows; ++r) {
      const T* row = rows(r);
      apply<Op, T>(out(r), first_is_narrow ? one : row, first_is_narrow ? row : one, dst.vcols);
      out.commit(r);
    }
  });
}

}  // namespace

Body expand_body(Opcode op) {
  switch (op) {
    case Opcode::RowExpand:
      return row_expand;
    case Opcode::RowExpandAdd:
      return row_expand_op<op::Add>;
    case Opcode::RowExpandSub:
      return row_expand_op<op::Sub>;
    case Opcode::RowExpandMul:
      return row_expand_op<op::Mul>;
    case Opcode::RowExpandDiv:
      return row_expand_op<op::Div>;
    case Opcode::RowExpandMax:
      return row_expand_op<op::Max>;
    case Opcode::RowExpandMin:
      return row_expand_op<op::Min>;
    case Opcode::RowExpandExpDif:
      return row_expand_op<ExpDif>;
    case Opcode::ColExpand:
      return column_expand;
    case Opcode::ColExpandAdd:
      return column_expand_op<op::Add>;
    case Opcode::ColExpandSub:
      return column_expand_op<op::Sub>;
    case Opcode::ColExpandMul:
      return column_expand_op<op::Mul>;
    case Opcode::ColExpandDiv:
      return column_expand_op<op::Div>;
    case Opcode::ColExpandMax:
      return column_expand_op<op::Max>;
    case Opcode::ColExpandMin:
      return column_expand_op<op::Min>;
    case Opcode::ColExpandExpDif:
      return column_expand_op<ExpDif>;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
