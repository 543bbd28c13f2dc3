// Data movement: between global memory and tiles, and between the memories of a block.
#pragma once

#include "ptopro/inst_common.hpp"

namespace pto {

// Global memory to a tile: the window of the tensor fills the valid shape.
template <AnyTile T, AnyGlobal G>
inline void TLOAD(T& dst, G& src, detail::Where where = detail::Where::here()) {
  static_assert(T::Loc == TileType::Vec || T::Loc == TileType::Mat, "TLOAD fills Vec and Mat tiles");
  auto& record = detail::begin_record(detail::Opcode::Load, detail::Pipe::MTE2, where);
  detail::put_tiles(record, dst);
  detail::put_global(record, src);
  detail::commit_record(record);
}

// Global memory to the second-level cache: no effect that a kernel can see.
template <AnyTile T, AnyGlobal G>
inline void TPREFETCH(T&, G&) {}

namespace detail {

template <typename T, typename G>
inline void store(G& dst, T& src, STPhase phase, AtomicType atomic, ReluPreMode relu, const uint64_t* scale,
                  Where where) {
  static_assert(T::Loc == TileType::Vec || T::Loc == TileType::Mat || T::Loc == TileType::Acc,
                "TSTORE takes Vec, Mat and Acc tiles");
  Record& record = begin_record(Opcode::Store, T::Loc == TileType::Acc ? Pipe::FIX : Pipe::MTE3, where);
  put_tiles(record, src);
  put_global(record, dst);
  record.mod.phase = static_cast<uint8_t>(phase);
  record.mod.atomic = static_cast<uint8_t>(atomic);
  record.mod.relu = static_cast<uint8_t>(relu);
  if (scale != nullptr) {
    record.mod.has_scale = true;
    record.scale = *scale;
  }
  commit_record(record);
}

}  // namespace detail

// A tile to global memory, with the fixpipe's relu and pre-quantisation where the tile is an accumulator.
template <AnyTile T, AnyGlobal G, AtomicType Atomic = AtomicType::AtomicNone, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TSTORE(G& dst, T& src, detail::Where where = detail::Where::here()) {
  detail::store(dst, src, STPhase::Unspecified, Atomic, Relu, nullptr, where);
}
template <STPhase Phase, AnyTile T, AnyGlobal G, AtomicType Atomic = AtomicType::AtomicNone,
          ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TSTORE(G& dst, T& src, detail::Where where = detail::Where::here()) {
  detail::store(dst, src, Phase, Atomic, Relu, nullptr, where);
}
template <AnyTile T, AnyGlobal G, AtomicType Atomic = AtomicType::AtomicNone, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TSTORE(G& dst, T& src, uint64_t scale, detail::Where where = detail::Where::here()) {
  detail::store(dst, src, STPhase::Unspecified, Atomic, Relu, &scale, where);
}
template <STPhase Phase, AnyTile T, AnyGlobal G, AtomicType Atomic = AtomicType::AtomicNone,
          ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TSTORE(G& dst, T& src, uint64_t scale, detail::Where where = detail::Where::here()) {
  detail::store(dst, src, Phase, Atomic, Relu, &scale, where);
}

// With one scale per column, from a Scaling tile.
template <AnyTile T, AnyGlobal G, AnyTile F, AtomicType Atomic = AtomicType::AtomicNone,
          ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TSTORE_FP(G& dst, T& src, F& fp, detail::Where where = detail::Where::here()) {
  static_assert(T::Loc == TileType::Acc && F::Loc == TileType::Scaling, "TSTORE_FP takes an Acc and a Scaling tile");
  auto& record = detail::begin_record(detail::Opcode::StoreFp, detail::Pipe::FIX, where);
  detail::put_tiles(record, src, fp);
  detail::put_global(record, dst);
  record.mod.atomic = static_cast<uint8_t>(Atomic);
  record.mod.relu = static_cast<uint8_t>(Relu);
  detail::commit_record(record);
}

namespace detail {

// The modifiers of a fixpipe transfer; `mode` 255 stands for "not given".
struct Fixpipe {
  STPhase phase = STPhase::Unspecified;
  ReluPreMode relu = ReluPreMode::NoRelu;
  uint8_t mode = 255;
  const uint64_t* scale = nullptr;
};

template <typename D, typename S, typename... F>
inline void transfer(Opcode op, const Fixpipe& fix, int row, int col, Where where, D& dst, S& src, F&... fp) {
  Record& record = begin_record(op, move_pipe(S::Loc, D::Loc), where);
  put_tiles(record, dst, src, fp...);
  record.mod.phase = static_cast<uint8_t>(fix.phase);
  record.mod.relu = static_cast<uint8_t>(fix.relu);
  record.mod.acc_to_vec = fix.mode;
  if (fix.scale != nullptr) {
    record.mod.has_scale = true;
    record.scale = *fix.scale;
  }
  record.row = row;
  record.col = col;
  commit_record(record);
}

}  // namespace detail

#define PTOPRO_WHERE detail::Where where = detail::Where::here()

// Between on-chip memories; the layout changes with the types.
template <AnyTile D, AnyTile S, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV(D& dst, S& src, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::Move, {STPhase::Unspecified, Relu}, 0, 0, where, dst, src);
}
template <STPhase Phase, AnyTile D, AnyTile S, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV(D& dst, S& src, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::Move, {Phase, Relu}, 0, 0, where, dst, src);
}
template <AnyTile D, AnyTile S, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV(D& dst, S& src, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::Move, {STPhase::Unspecified, Relu, static_cast<uint8_t>(Mode)}, 0, 0, where, dst,
                   src);
}
template <STPhase Phase, AnyTile D, AnyTile S, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV(D& dst, S& src, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::Move, {Phase, Relu, static_cast<uint8_t>(Mode)}, 0, 0, where, dst, src);
}
// With a scale word.
template <AnyTile D, AnyTile S, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV(D& dst, S& src, uint64_t scale, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::Move, {STPhase::Unspecified, Relu, 255, &scale}, 0, 0, where, dst, src);
}
template <STPhase Phase, AnyTile D, AnyTile S, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV(D& dst, S& src, uint64_t scale, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::Move, {Phase, Relu, 255, &scale}, 0, 0, where, dst, src);
}
template <AnyTile D, AnyTile S, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV(D& dst, S& src, uint64_t scale, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::Move, {STPhase::Unspecified, Relu, static_cast<uint8_t>(Mode), &scale}, 0, 0, where,
                   dst, src);
}
template <STPhase Phase, AnyTile D, AnyTile S, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV(D& dst, S& src, uint64_t scale, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::Move, {Phase, Relu, static_cast<uint8_t>(Mode), &scale}, 0, 0, where, dst, src);
}
// With a Scaling tile.
template <AnyTile D, AnyTile S, AnyTile F, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV_FP(D& dst, S& src, F& fp, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::MoveFp, {STPhase::Unspecified, Relu}, 0, 0, where, dst, src, fp);
}
template <STPhase Phase, AnyTile D, AnyTile S, AnyTile F, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV_FP(D& dst, S& src, F& fp, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::MoveFp, {Phase, Relu}, 0, 0, where, dst, src, fp);
}
template <AnyTile D, AnyTile S, AnyTile F, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV(D& dst, S& src, F& fp, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::MoveFp, {STPhase::Unspecified, Relu, static_cast<uint8_t>(Mode)}, 0, 0, where, dst,
                   src, fp);
}
template <STPhase Phase, AnyTile D, AnyTile S, AnyTile F, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu>
inline void TMOV(D& dst, S& src, F& fp, PTOPRO_WHERE) {
  detail::transfer(detail::Opcode::MoveFp, {Phase, Relu, static_cast<uint8_t>(Mode)}, 0, 0, where, dst, src, fp);
}

// The part of a larger source that starts at (row, col) into the destination, and the reverse.
#define PTOPRO_WINDOW(NAME, OP)                                                                                      \
  template <AnyTile D, AnyTile S, ReluPreMode Relu = ReluPreMode::NoRelu>                                            \
  inline void NAME(D& dst, S& src, int row = 0, int col = 0, PTOPRO_WHERE) {                                         \
    detail::transfer(detail::Opcode::OP, {STPhase::Unspecified, Relu}, row, col, where, dst, src);                   \
  }                                                                                                                  \
  template <AnyTile D, AnyTile S, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu>                         \
  inline void NAME(D& dst, S& src, int row, int col, PTOPRO_WHERE) {                                                 \
    detail::transfer(detail::Opcode::OP, {STPhase::Unspecified, Relu, static_cast<uint8_t>(Mode)}, row, col, where,  \
                     dst, src);                                                                                      \
  }                                                                                                                  \
  template <AnyTile D, AnyTile S, ReluPreMode Relu = ReluPreMode::NoRelu>                                            \
  inline void NAME(D& dst, S& src, uint64_t scale, int row, int col, PTOPRO_WHERE) {                                 \
    detail::transfer(detail::Opcode::OP, {STPhase::Unspecified, Relu, 255, &scale}, row, col, where, dst, src);      \
  }                                                                                                                  \
  template <AnyTile D, AnyTile S, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu>                         \
  inline void NAME(D& dst, S& src, uint64_t scale, int row, int col, PTOPRO_WHERE) {                                 \
    detail::transfer(detail::Opcode::OP, {STPhase::Unspecified, Relu, static_cast<uint8_t>(Mode), &scale}, row, col, \
                     where, dst, src);                                                                               \
  }                                                                                                                  \
  template <AnyTile D, AnyTile S, AnyTile F, AccToVecMode Mode, ReluPreMode Relu = ReluPreMode::NoRelu>              \
  inline void NAME(D& dst, S& src, F& fp, int row, int col, PTOPRO_WHERE) {                                          \
    detail::transfer(detail::Opcode::OP, {STPhase::Unspecified, Relu, static_cast<uint8_t>(Mode)}, row, col, where,  \
                     dst, src, fp);                                                                                  \
  }                                                                                                                  \
  template <AnyTile D, AnyTile S, AnyTile F, ReluPreMode Relu = ReluPreMode::NoRelu>                                 \
  inline void NAME##_FP(D& dst, S& src, F& fp, int row, int col, PTOPRO_WHERE) {                                     \
    detail::transfer(detail::Opcode::OP, {STPhase::Unspecified, Relu}, row, col, where, dst, src, fp);               \
  }
PTOPRO_WINDOW(TEXTRACT, Extract)
PTOPRO_WINDOW(TINSERT, Insert)
#undef PTOPRO_WINDOW

#undef PTOPRO_WHERE

}  // namespace pto
