// Instructions that move elements about inside Vec tiles: padding, transposition, gather, scatter, sort, quantisation.
#pragma once

#include "ptopro/inst_common.hpp"

namespace pto {

#define PTOPRO_WHERE detail::Where where = detail::Where::here()

// Fill what lies outside the valid shape with the pad value of the destination's type.
template <TFillPadMode Mode = TFillPadMode::Normal, AnyTile D, AnyTile S>
inline void TFILLPAD(D& dst, S& src, PTOPRO_WHERE) {
  constexpr auto op = Mode == TFillPadMode::InPlace  ? detail::Opcode::FillPadInplace
                      : Mode == TFillPadMode::Expand ? detail::Opcode::FillPadExpand
                                                     : detail::Opcode::FillPad;
  detail::issue(op, detail::Pipe::V, where, dst, src);
}
template <AnyTile D, AnyTile S>
inline void TFILLPAD_INPLACE(D& dst, S& src, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::FillPadInplace, detail::Pipe::V, where, dst, src);
}
template <AnyTile D, AnyTile S>
inline void TFILLPAD_EXPAND(D& dst, S& src, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::FillPadExpand, detail::Pipe::V, where, dst, src);
}

template <AnyTile D, AnyTile S, AnyTile T>
inline void TTRANS(D& dst, S& src, T& tmp, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::Transpose, detail::Pipe::V, where, dst, src, tmp);
}
template <AnyTile D, AnyTile S>
inline void TRESHAPE(D& dst, S& src, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::Reshape, detail::Pipe::V, where, dst, src);
}

// By index.
template <AnyTile D, AnyTile S, AnyTile I, AnyTile T>
inline void TGATHER(D& dst, S& src, I& index, T& tmp, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::Gather, detail::Pipe::V, where, dst, src, index, tmp);
}
template <AnyTile D, AnyTile S, AnyTile I>
inline void TGATHER(D& dst, S& src, I& index, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::Gather, detail::Pipe::V, where, dst, src, index);
}
// The indices of the elements that compare with a threshold per row, and how many there are.
template <AnyTile D, AnyTile S, AnyTile K, AnyTile C, AnyTile T, CmpMode Mode>
inline void TGATHER(D& dst, S& src, K& threshold, C& count, T& tmp, int offset, PTOPRO_WHERE) {
  auto& record = detail::begin_record(detail::Opcode::GatherCmp, detail::Pipe::V, where);
  detail::put_tiles(record, dst, src, threshold, count, tmp);
  record.scalar = detail::scalar_of(offset);
  record.mod.compare = static_cast<uint8_t>(Mode);
  detail::commit_record(record);
}
// The elements that a pattern selects.
template <AnyTile D, AnyTile S, MaskPattern Pattern = MaskPattern::P1111>
inline void TGATHER(D& dst, S& src, PTOPRO_WHERE) {
  auto& record = detail::begin_record(detail::Opcode::GatherMask, detail::Pipe::V, where);
  detail::put_tiles(record, dst, src);
  record.mod.reverse = static_cast<uint8_t>(Pattern);
  detail::commit_record(record);
}
// By byte offset.
template <AnyTile D, AnyTile S, AnyTile O>
inline void TGATHERB(D& dst, S& src, O& offset, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::GatherB, detail::Pipe::V, where, dst, src, offset);
}
template <AnyTile D, AnyTile S, AnyTile I>
inline void TSCATTER(D& dst, S& src, I& index, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::Scatter, detail::Pipe::V, where, dst, src, index);
}

// Sorts groups of 32 into (value, index) pairs; merges sorted runs.
template <AnyTile D, AnyTile S, AnyTile I>
inline void TSORT32(D& dst, S& src, I& index, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::Sort32, detail::Pipe::V, where, dst, src, index);
}
template <AnyTile D, AnyTile S, AnyTile I, AnyTile T>
inline void TSORT32(D& dst, S& src, I& index, T& tmp, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::Sort32, detail::Pipe::V, where, dst, src, index, tmp);
}
template <AnyTile D, AnyTile S>
inline void TMRGSORT(D& dst, S& src, uint32_t run, PTOPRO_WHERE) {
  detail::issue_scalar(detail::Opcode::MrgSort, where, run, dst, src);
}

namespace detail {

template <typename... T>
inline void merge_lists(bool exhausted, MrgSortExecutedNumList& executed, Where where, const T&... tiles) {
  executed = {};
  Record& record = begin_record(Opcode::MrgSortList, Pipe::V, where);
  put_tiles(record, tiles...);
  record.mod.reverse = exhausted;
  commit_record(record);
}

}  // namespace detail

#define PTOPRO_MERGE(NAME)                                                                                   \
  template <AnyTile D, AnyTile T, AnyTile A, AnyTile B, bool Exhausted = false>                              \
  inline void NAME(D& dst, MrgSortExecutedNumList& executed, T& tmp, A& a, B& b, PTOPRO_WHERE) {             \
    detail::merge_lists(Exhausted, executed, where, dst, tmp, a, b);                                         \
  }                                                                                                          \
  template <AnyTile D, AnyTile T, AnyTile A, AnyTile B, AnyTile C, bool Exhausted = false>                   \
  inline void NAME(D& dst, MrgSortExecutedNumList& executed, T& tmp, A& a, B& b, C& c, PTOPRO_WHERE) {       \
    detail::merge_lists(Exhausted, executed, where, dst, tmp, a, b, c);                                      \
  }                                                                                                          \
  template <AnyTile D, AnyTile T, AnyTile A, AnyTile B, AnyTile C, AnyTile E, bool Exhausted = false>        \
  inline void NAME(D& dst, MrgSortExecutedNumList& executed, T& tmp, A& a, B& b, C& c, E& e, PTOPRO_WHERE) { \
    detail::merge_lists(Exhausted, executed, where, dst, tmp, a, b, c, e);                                   \
  }
PTOPRO_MERGE(TMRGSORT)
PTOPRO_MERGE(TMRGSORT_IMPL)
#undef PTOPRO_MERGE

template <HistByte Byte, AnyTile D, AnyTile S, AnyTile I>
inline void THISTOGRAM(D& dst, S& src, I& index, PTOPRO_WHERE) {
  auto& record = detail::begin_record(detail::Opcode::Histogram, detail::Pipe::V, where);
  detail::put_tiles(record, dst, src, index);
  record.mod.reverse = static_cast<uint8_t>(Byte);
  detail::commit_record(record);
}

namespace detail {

template <typename... T>
inline void quantise(QuantType type, Where where, const T&... tiles) {
  Record& record = begin_record(Opcode::Quant, Pipe::V, where);
  put_tiles(record, tiles...);
  record.mod.reverse = static_cast<uint8_t>(type);
  commit_record(record);
}

}  // namespace detail

template <QuantType Type, AnyTile D, AnyTile S, AnyTile P>
inline void TQUANT(D& dst, S& src, P& scale, PTOPRO_WHERE) {
  detail::quantise(Type, where, dst, src, scale);
}
template <QuantType Type, AnyTile D, AnyTile S, AnyTile P>
inline void TQUANT(D& dst, S& src, P& scale, P* offset, PTOPRO_WHERE) {
  detail::quantise(Type, where, dst, src, scale, *offset);
}
template <AnyTile D, AnyTile S, AnyTile P>
inline void TDEQUANT(D& dst, S& src, P& scale, P& offset, PTOPRO_WHERE) {
  detail::issue(detail::Opcode::Dequant, detail::Pipe::V, where, dst, src, scale, offset);
}

template <AnyTile T>
inline void TPRINT(T& tile, PTOPRO_WHERE) {
  ptopro::sim::print_tile(tile.describe(), where);
}
template <AnyGlobal G>
inline void TPRINT(G& global, PTOPRO_WHERE) {
  ptopro::sim::print_global(global.describe(), where);
}

#undef PTOPRO_WHERE

}  // namespace pto
