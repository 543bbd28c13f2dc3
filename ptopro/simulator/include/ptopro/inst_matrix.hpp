// The matrix unit: matrix times matrix and vector times matrix, plain, accumulating, with bias, with MX scales.
#pragma once

#include "ptopro/inst_common.hpp"

namespace pto {

namespace detail {

template <typename... T>
inline void matrix(Opcode op, AccPhase phase, Where where, const T&... tiles) {
  Record& record = begin_record(op, Pipe::M, where);
  put_tiles(record, tiles...);
  record.mod.phase = static_cast<uint8_t>(phase);
  commit_record(record);
}

template <typename C, typename A, typename B>
constexpr void check_operands() {
  static_assert(C::Loc == TileType::Acc, "the result of a matrix instruction is an Acc tile");
  static_assert(A::Loc == TileType::Left, "the left operand of a matrix instruction is a Left tile");
  static_assert(B::Loc == TileType::Right, "the right operand of a matrix instruction is a Right tile");
}

}  // namespace detail

#define PTOPRO_WHERE detail::Where where = detail::Where::here()
#define PTOPRO_MATRIX(NAME, OP)                                                                     \
  template <AnyTile C, AnyTile A, AnyTile B>                                                        \
  inline void NAME(C& dst, A& left, B& right, PTOPRO_WHERE) {                                       \
    detail::check_operands<C, A, B>();                                                              \
    detail::matrix(detail::Opcode::OP, AccPhase::Unspecified, where, dst, left, right);             \
  }                                                                                                 \
  template <AccPhase Phase, AnyTile C, AnyTile A, AnyTile B>                                        \
  inline void NAME(C& dst, A& left, B& right, PTOPRO_WHERE) {                                       \
    detail::check_operands<C, A, B>();                                                              \
    detail::matrix(detail::Opcode::OP, Phase, where, dst, left, right);                             \
  }                                                                                                 \
  template <AnyTile C, AnyTile I, AnyTile A, AnyTile B>                                             \
  inline void NAME##_ACC(C& dst, I& acc, A& left, B& right, PTOPRO_WHERE) {                         \
    detail::check_operands<C, A, B>();                                                              \
    detail::matrix(detail::Opcode::OP##Acc, AccPhase::Unspecified, where, dst, acc, left, right);   \
  }                                                                                                 \
  template <AccPhase Phase, AnyTile C, AnyTile I, AnyTile A, AnyTile B>                             \
  inline void NAME##_ACC(C& dst, I& acc, A& left, B& right, PTOPRO_WHERE) {                         \
    detail::check_operands<C, A, B>();                                                              \
    detail::matrix(detail::Opcode::OP##Acc, Phase, where, dst, acc, left, right);                   \
  }                                                                                                 \
  template <AccPhase Phase = AccPhase::Unspecified, AnyTile C, AnyTile A, AnyTile B>                \
  inline void NAME##_ACC(C& dst, A& left, B& right, PTOPRO_WHERE) {                                 \
    detail::check_operands<C, A, B>();                                                              \
    detail::matrix(detail::Opcode::OP##Acc, Phase, where, dst, dst, left, right);                   \
  }                                                                                                 \
  template <AnyTile C, AnyTile A, AnyTile B, AnyTile S>                                             \
  inline void NAME##_BIAS(C& dst, A& left, B& right, S& bias, PTOPRO_WHERE) {                       \
    detail::check_operands<C, A, B>();                                                              \
    detail::matrix(detail::Opcode::OP##Bias, AccPhase::Unspecified, where, dst, left, right, bias); \
  }                                                                                                 \
  template <AccPhase Phase, AnyTile C, AnyTile A, AnyTile B, AnyTile S>                             \
  inline void NAME##_BIAS(C& dst, A& left, B& right, S& bias, PTOPRO_WHERE) {                       \
    detail::check_operands<C, A, B>();                                                              \
    detail::matrix(detail::Opcode::OP##Bias, Phase, where, dst, left, right, bias);                 \
  }
PTOPRO_MATRIX(TMATMUL, Matmul)
PTOPRO_MATRIX(TGEMV, Gemv)
#undef PTOPRO_MATRIX

// Operands with one power-of-two scale per 32 elements of k.
#define PTOPRO_MX(NAME)                                                                                        \
  template <AccPhase Phase = AccPhase::Unspecified, AnyTile C, AnyTile A, AnyTile SA, AnyTile B, AnyTile SB>   \
  inline void NAME(C& dst, A& left, SA& left_scale, B& right, SB& right_scale, PTOPRO_WHERE) {                 \
    detail::check_operands<C, A, B>();                                                                         \
    detail::matrix(detail::Opcode::MatmulMx, Phase, where, dst, left, left_scale, right, right_scale);         \
  }                                                                                                            \
  template <AccPhase Phase = AccPhase::Unspecified, AnyTile C, AnyTile I, AnyTile A, AnyTile SA, AnyTile B,    \
            AnyTile SB>                                                                                        \
  inline void NAME(C& dst, I& acc, A& left, SA& left_scale, B& right, SB& right_scale, PTOPRO_WHERE) {         \
    detail::check_operands<C, A, B>();                                                                         \
    detail::matrix(detail::Opcode::MatmulMxAcc, Phase, where, dst, acc, left, left_scale, right, right_scale); \
  }
PTOPRO_MX(TMATMUL_MX)
PTOPRO_MX(TMATMUL_MX_IMPL)
#undef PTOPRO_MX
#undef PTOPRO_WHERE

}  // namespace pto
