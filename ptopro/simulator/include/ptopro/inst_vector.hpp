// The vector unit, element by element: arithmetic, comparison, selection, casts, reductions and broadcasts.
#pragma once

#include "ptopro/inst_common.hpp"

namespace pto {

enum class DivAlgorithm : uint8_t { DEFAULT, HIGH_PRECISION };

#define PTOPRO_WHERE detail::Where where = detail::Where::here()

#define PTOPRO_ONE(NAME, OP)                                             \
  template <AnyTile D, AnyTile S>                                        \
  inline void NAME(D& dst, S& src, PTOPRO_WHERE) {                       \
    detail::issue(detail::Opcode::OP, detail::Pipe::V, where, dst, src); \
  }
#define PTOPRO_TWO(NAME, OP)                                              \
  template <AnyTile D, AnyTile A, AnyTile B>                              \
  inline void NAME(D& dst, A& a, B& b, PTOPRO_WHERE) {                    \
    detail::issue(detail::Opcode::OP, detail::Pipe::V, where, dst, a, b); \
  }
#define PTOPRO_THREE(NAME, OP)                                               \
  template <AnyTile D, AnyTile A, AnyTile B, AnyTile C>                      \
  inline void NAME(D& dst, A& a, B& b, C& c, PTOPRO_WHERE) {                 \
    detail::issue(detail::Opcode::OP, detail::Pipe::V, where, dst, a, b, c); \
  }
#define PTOPRO_SCALAR(NAME, OP)                                              \
  template <AnyTile D, AnyTile S>                                            \
  inline void NAME(D& dst, S& src, typename S::DType scalar, PTOPRO_WHERE) { \
    detail::issue_scalar(detail::Opcode::OP, where, scalar, dst, src);       \
  }
#define PTOPRO_SCALAR_TMP(NAME, OP)                                                  \
  template <AnyTile D, AnyTile S, AnyTile T>                                         \
  inline void NAME(D& dst, S& src, typename S::DType scalar, T& tmp, PTOPRO_WHERE) { \
    detail::issue_scalar(detail::Opcode::OP, where, scalar, dst, src, tmp);          \
  }

// Tile with tile.
PTOPRO_TWO(TADD, Add)
PTOPRO_TWO(TSUB, Sub)
PTOPRO_TWO(TMUL, Mul)
PTOPRO_TWO(TDIV, Div)
PTOPRO_TWO(TREM, Rem)
PTOPRO_THREE(TREM, Rem)
PTOPRO_TWO(TMAX, Max)
PTOPRO_TWO(TMIN, Min)
PTOPRO_TWO(TAND, And)
PTOPRO_TWO(TOR, Or)
PTOPRO_TWO(TXOR, Xor)
PTOPRO_THREE(TXOR, Xor)
PTOPRO_TWO(TSHL, Shl)
PTOPRO_TWO(TSHR, Shr)
PTOPRO_THREE(TADDC, AddC)
PTOPRO_THREE(TSUBC, SubC)
PTOPRO_TWO(TPARTADD, PartAdd)
PTOPRO_TWO(TPARTMUL, PartMul)
PTOPRO_TWO(TPARTMAX, PartMax)
PTOPRO_TWO(TPARTMIN, PartMin)

// Tile with scalar.
PTOPRO_SCALAR(TADDS, AddS)
PTOPRO_SCALAR(TSUBS, SubS)
PTOPRO_SCALAR(TMULS, MulS)
PTOPRO_SCALAR(TDIVS, DivS)
PTOPRO_SCALAR(TREMS, RemS)
PTOPRO_SCALAR_TMP(TREMS, RemS)
PTOPRO_SCALAR(TMAXS, MaxS)
PTOPRO_SCALAR(TMINS, MinS)
PTOPRO_SCALAR(TANDS, AndS)
PTOPRO_SCALAR(TORS, OrS)
PTOPRO_SCALAR(TXORS, XorS)
PTOPRO_SCALAR_TMP(TXORS, XorS)
PTOPRO_SCALAR(TSHLS, ShlS)
PTOPRO_SCALAR(TSHRS, ShrS)
PTOPRO_SCALAR(TAXPY, Axpy)
PTOPRO_SCALAR(TLRELU, LRelu)

// Scalar divided by tile.
template <AnyTile D, AnyTile S>
inline void TDIVS(D& dst, typename D::DType scalar, S& src, PTOPRO_WHERE) {
  auto& record = detail::begin_record(detail::Opcode::DivS, detail::Pipe::V, where);
  detail::put_tiles(record, dst, src);
  record.scalar = detail::scalar_of(scalar);
  record.mod.reverse = 1;
  detail::commit_record(record);
}
// Tile plus (minus) scalar plus tile.
template <AnyTile D, AnyTile A, AnyTile B>
inline void TADDSC(D& dst, A& a, typename A::DType scalar, B& b, PTOPRO_WHERE) {
  detail::issue_scalar(detail::Opcode::AddSC, where, scalar, dst, a, b);
}
template <AnyTile D, AnyTile A, AnyTile B>
inline void TSUBSC(D& dst, A& a, typename A::DType scalar, B& b, PTOPRO_WHERE) {
  detail::issue_scalar(detail::Opcode::SubSC, where, scalar, dst, a, b);
}

// One tile.
PTOPRO_ONE(TNEG, Neg)
PTOPRO_ONE(TABS, Abs)
PTOPRO_ONE(TEXP, Exp)
PTOPRO_ONE(TLOG, Log)
PTOPRO_ONE(TSQRT, Sqrt)
PTOPRO_ONE(TRSQRT, Rsqrt)
PTOPRO_TWO(TRSQRT, Rsqrt)
PTOPRO_ONE(TRECIP, Recip)
PTOPRO_ONE(TRELU, Relu)
PTOPRO_ONE(TNOT, Not)

// A tile of one value.
template <AnyTile D>
inline void TEXPANDS(D& dst, typename D::DType scalar, PTOPRO_WHERE) {
  detail::issue_scalar(detail::Opcode::ExpandS, where, scalar, dst);
}
// start, start + 1, ... (or descending) along the row.
template <AnyTile D, typename T, int Descending = 0>
inline void TCI(D& dst, T start, PTOPRO_WHERE) {
  auto& record = detail::begin_record(detail::Opcode::FillIndex, detail::Pipe::V, where);
  detail::put_tiles(record, dst);
  record.scalar = detail::scalar_of(start);
  record.mod.reverse = Descending != 0;
  detail::commit_record(record);
}

namespace detail {

template <typename... T>
inline void cast(RoundMode round, bool saturate, Where where, const T&... tiles) {
  Record& record = begin_record(Opcode::Cast, Pipe::V, where);
  put_tiles(record, tiles...);
  record.mod.round = static_cast<uint8_t>(round);
  record.mod.saturate = saturate;
  commit_record(record);
}

}  // namespace detail

// To another element type.
template <AnyTile D, AnyTile S>
inline void TCVT(D& dst, S& src, RoundMode round, PTOPRO_WHERE) {
  detail::cast(round, ptopro::sim::cast_saturates_by_default(D::ElementType, S::ElementType), where, dst, src);
}
template <AnyTile D, AnyTile S>
inline void TCVT(D& dst, S& src, RoundMode round, SaturationMode saturation, PTOPRO_WHERE) {
  detail::cast(round, saturation == SaturationMode::ON, where, dst, src);
}
template <AnyTile D, AnyTile S, AnyTile T>
inline void TCVT(D& dst, S& src, T& tmp, RoundMode round, PTOPRO_WHERE) {
  detail::cast(round, ptopro::sim::cast_saturates_by_default(D::ElementType, S::ElementType), where, dst, src, tmp);
}
template <AnyTile D, AnyTile S, AnyTile T>
inline void TCVT(D& dst, S& src, T& tmp, RoundMode round, SaturationMode saturation, PTOPRO_WHERE) {
  detail::cast(round, saturation == SaturationMode::ON, where, dst, src, tmp);
}

// Comparison into a mask of bits, and selection by one.
template <AnyTile D, AnyTile A, AnyTile B>
inline void TCMP(D& dst, A& a, B& b, CmpMode mode, PTOPRO_WHERE) {
  auto& record = detail::begin_record(detail::Opcode::Cmp, detail::Pipe::V, where);
  detail::put_tiles(record, dst, a, b);
  record.mod.compare = static_cast<uint8_t>(mode);
  detail::commit_record(record);
}
template <AnyTile D, AnyTile S>
inline void TCMPS(D& dst, S& src, typename S::DType scalar, CmpMode mode, PTOPRO_WHERE) {
  auto& record = detail::begin_record(detail::Opcode::CmpS, detail::Pipe::V, where);
  detail::put_tiles(record, dst, src);
  record.scalar = detail::scalar_of(scalar);
  record.mod.compare = static_cast<uint8_t>(mode);
  detail::commit_record(record);
}
template <AnyTile D, AnyTile M, AnyTile A, AnyTile B, AnyTile T>
inline void TSEL(D& dst, M& mask, A& a, B& b, T& tmp, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::Sel, detail::Pipe::V, where, dst, mask, a, b, tmp);
}
template <AnyTile D, AnyTile M, AnyTile A, AnyTile B>
inline void TSEL(D& dst, M& mask, A& a, B& b, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::Sel, detail::Pipe::V, where, dst, mask, a, b);
}
template <AnyTile D, AnyTile M, AnyTile S, AnyTile T>
inline void TSELS(D& dst, M& mask, S& src, T& tmp, typename S::DType scalar, PTOPRO_WHERE) {
  detail::issue_scalar(detail::Opcode::SelS, where, scalar, dst, mask, src, tmp);
}

// Reductions: of each row into a column, of each column into a row.
PTOPRO_TWO(TROWSUM, RowSum)
PTOPRO_TWO(TROWMAX, RowMax)
PTOPRO_TWO(TROWMIN, RowMin)
PTOPRO_TWO(TROWPROD, RowProd)
PTOPRO_TWO(TROWARGMAX, RowArgMax)
PTOPRO_TWO(TROWARGMIN, RowArgMin)
PTOPRO_ONE(TCOLSUM, ColSum)
PTOPRO_ONE(TCOLMAX, ColMax)
PTOPRO_ONE(TCOLMIN, ColMin)
PTOPRO_ONE(TCOLPROD, ColProd)
PTOPRO_TWO(TCOLARGMAX, ColArgMax)
PTOPRO_TWO(TCOLARGMIN, ColArgMin)
template <AnyTile D, AnyTile S, AnyTile T>
inline void TCOLSUM(D& dst, S& src, T& tmp, bool, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::ColSum, detail::Pipe::V, where, dst, src, tmp);
}

// Broadcasts of a column along the rows, of a row along the columns, alone or into an operation.
#define PTOPRO_EXPAND(NAME, OP)  \
  PTOPRO_ONE(NAME, OP)           \
  PTOPRO_TWO(NAME##ADD, OP##Add) \
  PTOPRO_TWO(NAME##SUB, OP##Sub) \
  PTOPRO_TWO(NAME##MUL, OP##Mul) \
  PTOPRO_TWO(NAME##DIV, OP##Div) \
  PTOPRO_TWO(NAME##MAX, OP##Max) \
  PTOPRO_TWO(NAME##MIN, OP##Min) \
  PTOPRO_TWO(NAME##EXPDIF, OP##ExpDif)
PTOPRO_EXPAND(TROWEXPAND, RowExpand)
PTOPRO_EXPAND(TCOLEXPAND, ColExpand)
PTOPRO_THREE(TROWEXPANDADD, RowExpandAdd)
PTOPRO_THREE(TROWEXPANDSUB, RowExpandSub)
PTOPRO_THREE(TROWEXPANDMUL, RowExpandMul)
PTOPRO_THREE(TROWEXPANDDIV, RowExpandDiv)
PTOPRO_THREE(TROWEXPANDMAX, RowExpandMax)
PTOPRO_THREE(TROWEXPANDMIN, RowExpandMin)
PTOPRO_THREE(TROWEXPANDEXPDIF, RowExpandExpDif)

#undef PTOPRO_EXPAND
#undef PTOPRO_SCALAR_TMP
#undef PTOPRO_SCALAR
#undef PTOPRO_THREE
#undef PTOPRO_TWO
#undef PTOPRO_ONE
#undef PTOPRO_WHERE

}  // namespace pto
