// Clean and racy twins of kernels with a cube core: flags between cores, unit flags, layouts of matrix operands.
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

#define ORDER(FROM, TO, ID) \
  set_flag(FROM, TO, ID);   \
  wait_flag(FROM, TO, ID)

AICORE inline void load_operands(LeftTile& left, RightTile& right, __gm__ half* a, __gm__ half* b) {
  MatTile am, bm;
  TASSIGN(am, 0);
  TASSIGN(bm, 8192);
  TASSIGN(left, 0);
  TASSIGN(right, 0);
  Square ga(a), gb(b);
  TLOAD(am, ga);
  TLOAD(bm, gb);
  ORDER(PIPE_MTE2, PIPE_MTE1, 0);
  TMOV(left, am);
  TMOV(right, bm);
  ORDER(PIPE_MTE1, PIPE_M, 0);
}

// The accumulator goes into both unified buffers and back to global memory, `rounds` times.  racy 1: the vector cores
// do not wait for the cube, 2: they wait on MTE3 although V reads, 3: the cube does not wait for room, 4: vector core 1
// gives no room back when the round is odd.
// mixed
extern "C" __global__ AICORE void through_buffers(__gm__ float* out, __gm__ half* a, __gm__ half* b, int64_t rounds,
                                                  int64_t racy) {
#if defined(__DAV_CUBE__)
  AccTile acc;
  TASSIGN(acc, 0);
  LeftTile left;
  RightTile right;
  HalfTile remote;
  TASSIGN(remote, 4096);
  load_operands(left, right, a, b);
  for (int64_t i = 0; i < rounds; ++i) {
    TMATMUL(acc, left, right);
    ORDER(PIPE_M, PIPE_FIX, 0);
    if (racy != 3) {
      wait_intra_block(PIPE_FIX, 1);
      wait_intra_block(PIPE_FIX, 1 + 16);
    }
#line 100 "kernel.py"
    TMOV<HalfTile, AccTile, AccToVecMode::DualModeSplitM>(remote, acc);
    ORDER(PIPE_FIX, PIPE_M, 0);
    if (racy != 1) {
      set_intra_block(PIPE_FIX, 0);
      set_intra_block(PIPE_FIX, 0 + 16);
    }
  }
#endif
#if defined(__DAV_VEC__)
  HalfTile x, y;
  TASSIGN(x, 4096);
  TASSIGN(y, 32768);
  for (int64_t i = 0; i < rounds; ++i) {
    HalfF go(out + (i * 2 + get_subblockid()) * (kSize / 2) * kSize);
    if (racy != 3 && !(racy == 4 && get_subblockid() == 1 && i % 2 == 1)) set_intra_block(PIPE_V, 1);
    if (racy != 1) wait_intra_block(racy == 2 ? PIPE_MTE3 : PIPE_V, 0);
#line 110 "kernel.py"
    TADDS(y, x, 1.0f);
    ORDER(PIPE_V, PIPE_MTE3, 0);
    TSTORE(go, y);
    ORDER(PIPE_MTE3, PIPE_V, 0);
  }
#endif
}

// The unit flag alone orders M and FIX.  kind 0: right; 1: the store has no phase; 2: the matmul has none, the store
// does not either; 3: the last store leaves it set (it is partial).
// cube
extern "C" __global__ AICORE void unit_flag(__gm__ float* out, __gm__ half* a, __gm__ half* b, int64_t kind) {
  LeftTile left;
  RightTile right;
  AccTile acc;
  TASSIGN(acc, 65536);
  load_operands(left, right, a, b);
  for (int64_t i = 0; i < 2; ++i) {
    SquareF go(out + i * kSize * kSize);
#line 200 "kernel.py"
    if (kind == 2) TMATMUL(acc, left, right);
#line 205 "kernel.py"
    if (kind != 2 && !(kind >= 1 && i == 1)) TMATMUL<AccPhase::Final>(acc, left, right);
#line 210 "kernel.py"
    if (kind == 1 || kind == 2) TSTORE(go, acc);
    if (kind == 0) TSTORE<STPhase::Final>(go, acc);
    if (kind == 3) TSTORE<STPhase::Partial>(go, acc);
  }
}

// The matmul has AccPhase::Final twice and nobody empties the accumulator: the second one waits for ever.
// cube
extern "C" __global__ AICORE void unit_flag_stuck(__gm__ float* out, __gm__ half* a, __gm__ half* b) {
  LeftTile left;
  RightTile right;
  AccTile acc;
  TASSIGN(acc, 0);
  load_operands(left, right, a, b);
#line 300 "kernel.py"
  TMATMUL<AccPhase::Final>(acc, left, right);
  ORDER(PIPE_M, PIPE_FIX, 0);
  SquareF go(out);
#line 310 "kernel.py"
  TSTORE(go, acc);
#line 320 "kernel.py"
  TMATMUL<AccPhase::Final>(acc, left, right);
}

// Tails: 50 of 64 rows, columns and depths are valid; the padding of fractals moves along undefined.
// cube
extern "C" __global__ AICORE void tails(__gm__ float* out, __gm__ half* a, __gm__ half* b, int64_t depth) {
  constexpr int kValid = 50;
  using Part = GlobalTensor<half, Shape<1, 1, 1, kValid, kValid>, Stride<1, 1, 1, kSize, 1>>;
  using Tail = Tile<TileType::Mat, half, kSize, kSize, BLayout::ColMajor, kValid, kValid, SLayout::RowMajor>;
  using Left = Tile<TileType::Left, half, kSize, kSize, BLayout::ColMajor, kValid, DYNAMIC, SLayout::RowMajor>;
  using Right = TileRight<half, kSize, kSize, kValid, kValid>;
  using Acc = TileAcc<float, kSize, kSize, kValid, kValid>;
  Tail am, bm;
  Left left(depth);
  Right right;
  Acc acc;
  TASSIGN(am, 0);
  TASSIGN(bm, 8192);
  TASSIGN(left, 0);
  TASSIGN(right, 0);
  TASSIGN(acc, 0);
  Part ga(a), gb(b);
  TLOAD(am, ga);
  TLOAD(bm, gb);
  ORDER(PIPE_MTE2, PIPE_MTE1, 0);
  TMOV(left, am);
  TMOV(right, bm);
  ORDER(PIPE_MTE1, PIPE_M, 0);
#line 400 "kernel.py"
  TMATMUL(acc, left, right);
  ORDER(PIPE_M, PIPE_FIX, 0);
  GlobalTensor<float, Shape<1, 1, 1, kValid, kValid>, Stride<1, 1, 1, kSize, 1>> go(out);
  TSTORE(go, acc);
}

// The cube's store and the vector cores' loads in global memory.
// mixed
extern "C" __global__ AICORE void through_memory(__gm__ float* out, __gm__ half* a, __gm__ half* b, __gm__ float* space,
                                                 int64_t racy) {
#if defined(__DAV_CUBE__)
  AccTile acc;
  TASSIGN(acc, 0);
  LeftTile left;
  RightTile right;
  load_operands(left, right, a, b);
  TMATMUL(acc, left, right);
  ORDER(PIPE_M, PIPE_FIX, 0);
  SquareF gs(space);
#line 500 "kernel.py"
  TSTORE(gs, acc);
  if (!racy) {
    set_intra_block(PIPE_FIX, 2);
    set_intra_block(PIPE_FIX, 2 + 16);
  }
#endif
#if defined(__DAV_VEC__)
  HalfTile x;
  TASSIGN(x, 0);
  const int64_t first = get_subblockid() * (kSize / 2) * kSize;
  HalfF gs(space + first), go(out + first);
  if (!racy) wait_intra_block(PIPE_MTE2, 2);
#line 510 "kernel.py"
  TLOAD(x, gs);
  ORDER(PIPE_MTE2, PIPE_MTE3, 0);
  TSTORE(go, x);
#endif
}
