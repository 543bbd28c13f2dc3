// Kernels with a cube half and a vector half: flags between cores, unit flags, turns of serial mode.
#include <cstdint>
#include <pto/pto-inst.hpp>
using namespace pto;

constexpr int kSize = 64;
using Square = GlobalTensor<half, Shape<1, 1, 1, kSize, kSize>, Stride<1, 1, 1, kSize, 1>>;
using SquareF = GlobalTensor<float, Shape<1, 1, 1, kSize, kSize>, Stride<1, 1, 1, kSize, 1>>;
using HalfF = GlobalTensor<float, Shape<1, 1, 1, kSize / 2, kSize>, Stride<1, 1, 1, kSize, 1>>;
using MatTile = Tile<TileType::Mat, half, kSize, kSize, BLayout::ColMajor, kSize, kSize, SLayout::RowMajor>;
using LeftTile = TileLeft<half, kSize, kSize>;
using RightTile = TileRight<half, kSize, kSize>;
using AccTile = TileAcc<float, kSize, kSize>;
using HalfTile = Tile<TileType::Vec, float, kSize / 2, kSize>;

// acc = a @ b from global memory, ordered inside the cube by flags.
AICORE inline void matmul_into(AccTile& acc, __gm__ half* a, __gm__ half* b) {
  MatTile am, bm;
  LeftTile left;
  RightTile right;
  TASSIGN(am, 0);
  TASSIGN(bm, 8192);
  TASSIGN(left, 0);
  TASSIGN(right, 0);
  Square ga(a), gb(b);
  TLOAD(am, ga);
  TLOAD(bm, gb);
  set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  TMOV(left, am);
  TMOV(right, bm);
  set_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
  wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
  TMATMUL(acc, left, right);
  set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
  wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
}

// out = a @ b + 1: the product goes through global memory.
// mixed
extern "C" __global__ AICORE void through_memory(__gm__ float* out, __gm__ half* a, __gm__ half* b,
                                                 __gm__ float* space) {
#if defined(__DAV_CUBE__)
  AccTile acc;
  TASSIGN(acc, 0);
  matmul_into(acc, a, b);
  SquareF gs(space);
  TSTORE(gs, acc);
  set_intra_block(PIPE_FIX, 2);
  set_intra_block(PIPE_FIX, 2 + 16);
#endif
#if defined(__DAV_VEC__)
  HalfTile x;
  TASSIGN(x, 0);
  const int64_t first = get_subblockid() * (kSize / 2) * kSize;
  HalfF gs(space + first), go(out + first);
  wait_intra_block(PIPE_MTE2, 2);
  TLOAD(x, gs);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  TADDS(x, x, 1.0f);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(go, x);
#endif
}

// The same `rounds` times with the accumulator moved into the unified buffers; the vector cores give the room back.
// mixed
extern "C" __global__ AICORE void through_buffers(__gm__ float* out, __gm__ half* a, __gm__ half* b, int64_t rounds) {
#if defined(__DAV_CUBE__)
  AccTile acc;
  TASSIGN(acc, 0);
  HalfTile remote;
  TASSIGN(remote, 4096);
  for (int64_t i = 0; i < rounds; ++i) {
    matmul_into(acc, a + i * kSize * kSize, b);
    if (i > 0) {
      wait_intra_block(PIPE_FIX, 1);
      wait_intra_block(PIPE_FIX, 1 + 16);
    }
    TMOV<HalfTile, AccTile, AccToVecMode::DualModeSplitM>(remote, acc);
    set_intra_block(PIPE_FIX, 0);
    set_intra_block(PIPE_FIX, 0 + 16);
    pipe_barrier(PIPE_ALL);
  }
#endif
#if defined(__DAV_VEC__)
  HalfTile x, y;
  TASSIGN(x, 4096);
  TASSIGN(y, 32768);
  for (int64_t i = 0; i < rounds; ++i) {
    HalfF go(out + (i * 2 + get_subblockid()) * (kSize / 2) * kSize);
    wait_intra_block(PIPE_V, 0);
    TADDS(y, x, 1.0f);
    if (i + 1 < rounds) set_intra_block(PIPE_V, 1);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(go, y);
    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  }
#endif
}

// Sets of the cube that vector core 0 waits for, one after the other, with or without slow work between its waits.
// mixed
extern "C" __global__ AICORE void sets_ahead(int64_t sets, int64_t waits, int64_t slow) {
#if defined(__DAV_CUBE__)
  for (int64_t i = 0; i < sets; ++i) set_intra_block(PIPE_FIX, 4);
#endif
#if defined(__DAV_VEC__)
  HalfTile x;
  TASSIGN(x, 0);
  if (get_subblockid() == 0)
    for (int64_t i = 0; i < waits; ++i) {
      wait_intra_block(PIPE_V, 4);
      if (slow) TEXPANDS(x, 1.0f);
    }
#endif
}

// mixed
extern "C" __global__ AICORE void no_reply() {
#if defined(__DAV_CUBE__)
#line 500 "reply.py"
  set_intra_block(PIPE_FIX, 6);
  wait_intra_block(PIPE_MTE1, 9 + 16);
#endif
#if defined(__DAV_VEC__)
#line 600 "reply.py"
  wait_intra_block(PIPE_V, 6);
  set_intra_block(PIPE_MTE3, 9);
#endif
}

// Messages of A2/A3: the cube to both vector cores (mode 2), the vector cores to each other (1) and back (2).
// mixed
extern "C" __global__ AICORE void messages(__gm__ int64_t* seen, int64_t skip) {
#if defined(__DAV_CUBE__)
  ffts_cross_core_sync(PIPE_FIX, getFFTSMsg(2, 3));
  wait_flag_dev(5);
  seen[0] = 1;
#endif
#if defined(__DAV_VEC__)
  wait_flag_dev(3);
  ffts_cross_core_sync(PIPE_MTE3, getFFTSMsg(1, 4));
  wait_flag_dev(4);
  if (!(skip && get_subblockid() == 1)) ffts_cross_core_sync(PIPE_MTE3, getFFTSMsg(2, 5));
  seen[1 + get_subblockid()] = 1;
#endif
}

// Partial sums in one accumulator, stored when the last matmul has filled it: the unit flag alone orders M and FIX.
// cube
extern "C" __global__ AICORE void unit_flag(__gm__ float* out, __gm__ half* a, __gm__ half* b, int64_t rounds,
                                            int64_t final_phase) {
  MatTile am, bm;
  LeftTile left;
  RightTile right;
  AccTile acc;
  TASSIGN(am, 0);
  TASSIGN(bm, 8192);
  TASSIGN(left, 0);
  TASSIGN(right, 0);
  TASSIGN(acc, 65536);
  Square ga(a), gb(b);
  TLOAD(am, ga);
  TLOAD(bm, gb);
  set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  TMOV(left, am);
  TMOV(right, bm);
  set_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
  wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
  for (int64_t i = 0; i < rounds; ++i) {
    TMATMUL<AccPhase::Partial>(acc, left, right);
    if (final_phase)
      TMATMUL_ACC<AccPhase::Final>(acc, acc, left, right);
    else
      TMATMUL_ACC<AccPhase::Partial>(acc, acc, left, right);
    SquareF go(out + i * kSize * kSize);
    TSTORE<STPhase::Final>(go, acc);
  }
}

// Serial mode: three sections in source order, cube, vector, cube, in a loop.
// mixed
extern "C" __global__ AICORE void turns(__gm__ int64_t* log, int64_t rounds, int64_t skip) {
  for (int64_t i = 0; i < rounds; ++i) {
    PTOPRO_TURN(0);
#if defined(__DAV_CUBE__)
    log[log[0]++] = 1;
#endif
    if (!(skip && get_subblockdim() == 2)) PTOPRO_TURN(1);
#if defined(__DAV_VEC__)
    log[log[0]++] = 2 + get_subblockid();
#endif
    PTOPRO_TURN(2);
#if defined(__DAV_CUBE__)
    log[log[0]++] = 4;
#endif
  }
}

// Everything in the order of the source, no synchronisation at all: right in serial mode only.
// mixed
extern "C" __global__ AICORE void serial_only(__gm__ float* out, __gm__ half* a, __gm__ half* b, __gm__ float* space) {
  PTOPRO_TURN(0);
#if defined(__DAV_CUBE__)
  AccTile acc;
  TASSIGN(acc, 0);
  MatTile am, bm;
  LeftTile left;
  RightTile right;
  TASSIGN(am, 0);
  TASSIGN(bm, 8192);
  TASSIGN(left, 0);
  TASSIGN(right, 0);
  Square ga(a), gb(b);
  SquareF gs(space);
  TLOAD(am, ga);
  TLOAD(bm, gb);
  TMOV(left, am);
  TMOV(right, bm);
  TMATMUL(acc, left, right);
  TSTORE(gs, acc);
#endif
  PTOPRO_TURN(1);
#if defined(__DAV_VEC__)
  HalfTile x;
  TASSIGN(x, 0);
  const int64_t first = get_subblockid() * (kSize / 2) * kSize;
  HalfF gv(space + first), go(out + first);
  TLOAD(x, gv);
  TADDS(x, x, 1.0f);
  TSTORE(go, x);
#endif
}
