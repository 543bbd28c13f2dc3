// Clean and racy twins of vector cores: `racy` leaves out or changes one piece of synchronisation.
#include <cstdint>
#include <pto/pto-inst.hpp>
using namespace pto;

using Vec = Tile<TileType::Vec, float, 16, 128>;
using Window = GlobalTensor<float, Shape<1, 1, 1, 16, 128>, Stride<1, 1, 1, 128, 1>>;
constexpr int64_t kTile = 16 * 128;

#define ORDER(FROM, TO, ID) \
  set_flag(FROM, TO, ID);   \
  wait_flag(FROM, TO, ID)

// out = 2 a, tile by tile through one buffer of two; racy 1: the buffer is loaded again before the store has read it,
// 2: before the multiplication has, 3: the multiplication does not wait for the load.
// vector
extern "C" __global__ AICORE void double_buffer(__gm__ float* out, __gm__ float* a, int64_t tiles, int64_t racy) {
  Vec x[2];
  for (int i = 0; i < 2; ++i) TASSIGN(x[i], i * 8192);
  if (racy != 1)
    for (int i = 0; i < 2; ++i) set_flag(PIPE_MTE3, PIPE_MTE2, i);
  for (int64_t t = get_block_idx(), n = 0; t < tiles; t += get_block_num(), ++n) {
    const int slot = static_cast<int>(n % 2);
    Window ga(a + t * kTile), go(out + t * kTile);
    if (racy != 1) wait_flag(PIPE_MTE3, PIPE_MTE2, slot);
#line 100 "kernel.py"
    TLOAD(x[slot], ga);
    if (racy != 3) {
      ORDER(PIPE_MTE2, PIPE_V, slot);
    }
#line 110 "kernel.py"
    TMULS(x[slot], x[slot], 2.0f);
    ORDER(PIPE_V, PIPE_MTE3, slot);
#line 120 "kernel.py"
    TSTORE(go, x[slot]);
    if (racy != 1) set_flag(PIPE_MTE3, PIPE_MTE2, slot);
  }
  if (racy != 1)
    for (int i = 0; i < 2; ++i) wait_flag(PIPE_MTE3, PIPE_MTE2, i);
}

// Two loads into one tile: transfers of MTE2 overlap.  mode 0: nothing between, 1: a barrier, 2: a use by V between,
// 3: disjoint tiles, 4: the same tile by one lock (a lock does not order its own pipe).
// vector
extern "C" __global__ AICORE void load_twice(__gm__ float* out, __gm__ float* a, int64_t mode) {
  Vec x, y;
  TASSIGN(x, 0);
  TASSIGN(y, mode == 3 ? 8192 : 0);
  Window ga(a), go(out);
  if (mode == 4) get_buf(PIPE_MTE2, 3);
#line 200 "kernel.py"
  TLOAD(x, ga);
  if (mode == 4) {
    rls_buf(PIPE_MTE2, 3);
    get_buf(PIPE_MTE2, 3);
  }
  if (mode == 1) pipe_barrier(PIPE_MTE2);
  if (mode == 2) {
    ORDER(PIPE_MTE2, PIPE_V, 0);
    TADDS(x, x, 1.0f);
    ORDER(PIPE_V, PIPE_MTE2, 0);
  }
#line 210 "kernel.py"
  TLOAD(y, ga);
  if (mode == 4) rls_buf(PIPE_MTE2, 3);
  ORDER(PIPE_MTE2, PIPE_MTE3, 1);
  TSTORE(go, y);
}

// Locks: id `id` on both sides; with different ids the two pipes are not ordered.
// vector
extern "C" __global__ AICORE void locks(__gm__ float* out, __gm__ float* a, int64_t first, int64_t second) {
  Vec x, view;
  TASSIGN(x, 0);
  TASSIGN(view, 0);
  Window ga(a), go(out);
  get_buf(PIPE_MTE2, first);
#line 300 "kernel.py"
  TLOAD(x, ga);
  rls_buf(PIPE_MTE2, first);
  get_buf(PIPE_V, second);
#line 310 "kernel.py"
  TMULS(view, view, 2.0f);
  rls_buf(PIPE_V, second);
  ORDER(PIPE_V, PIPE_MTE3, 0);
  TSTORE(go, x);
}

// Column windows of one tile, loaded by MTE2 while V works on the other columns.
// vector
extern "C" __global__ AICORE void columns(__gm__ float* out, __gm__ float* a, int64_t shift) {
  using Half = Tile<TileType::Vec, float, 16, 128, BLayout::RowMajor, 16, 64>;
  Half left, right;
  Vec whole;
  TASSIGN(whole, 0);
  TASSIGN(left, 0);
  TASSIGN(right, 256 + shift);
  GlobalTensor<float, Shape<1, 1, 1, 16, 64>, Stride<1, 1, 1, 128, 1>> ga(a);
  TEXPANDS(whole, 0.0f);
  ORDER(PIPE_V, PIPE_MTE2, 0);
#line 400 "kernel.py"
  TLOAD(left, ga);
#line 410 "kernel.py"
  TADDS(right, right, 1.0f);
  ORDER(PIPE_V, PIPE_MTE3, 0);
  ORDER(PIPE_MTE2, PIPE_MTE3, 0);
  Window go(out);
  TSTORE(go, whole);
}

// The scalar unit reads what V has written.
// vector
extern "C" __global__ AICORE void scalar_read(__gm__ float* out, int64_t racy) {
  Vec x;
  TASSIGN(x, 0);
  TEXPANDS(x, 3.0f);
  if (racy == 0) {
    ORDER(PIPE_V, PIPE_S, 0);
  }
  if (racy == 2) pipe_barrier(PIPE_ALL);
#line 500 "kernel.py"
  const float value = x.GetValue(5);
  if (racy == 0) {
    ORDER(PIPE_S, PIPE_V, 0);
  }
  if (racy == 2) pipe_barrier(PIPE_ALL);
  TEXPANDS(x, value == 3.0f ? 1.0f : 2.0f);
  ORDER(PIPE_V, PIPE_MTE3, 0);
  Window go(out);
  TSTORE(go, x);
}

// What the scalar unit has waited for lies before the instructions that it issues then.
// vector
extern "C" __global__ AICORE void through_scalar(__gm__ float* out, int64_t racy) {
  Vec x;
  TASSIGN(x, 0);
#line 600 "kernel.py"
  TEXPANDS(x, 3.0f);
  set_flag(PIPE_V, PIPE_S, 0);
  if (racy == 0) wait_flag(PIPE_V, PIPE_S, 0);
  Window go(out);
#line 610 "kernel.py"
  TSTORE(go, x);
  if (racy != 0) wait_flag(PIPE_V, PIPE_S, 0);
}

// Global memory inside a block: a store, then a load of the same rows.
// vector
extern "C" __global__ AICORE void through_memory(__gm__ float* out, __gm__ float* space, int64_t racy) {
  Vec x, y;
  TASSIGN(x, 0);
  TASSIGN(y, 8192);
  Window gs(space + get_block_idx() * kTile), go(out + get_block_idx() * kTile);
  TEXPANDS(x, 3.0f);
  ORDER(PIPE_V, PIPE_MTE3, 0);
#line 700 "kernel.py"
  TSTORE(gs, x);
  if (!racy) {
    ORDER(PIPE_MTE3, PIPE_MTE2, 0);
  }
#line 710 "kernel.py"
  TLOAD(y, gs);
  ORDER(PIPE_MTE2, PIPE_MTE3, 0);
  TSTORE(go, y);
}

// Every block stores `rows` rows at `pitch` rows times its number; atomic: adds instead.
// vector
extern "C" __global__ AICORE void blocks_write(__gm__ float* out, int64_t pitch, int64_t atomic) {
  Vec x;
  TASSIGN(x, 0);
  TEXPANDS(x, 1.0f);
  ORDER(PIPE_V, PIPE_MTE3, 0);
  Window go(out + get_block_idx() * pitch * 128);
  if (atomic) set_atomic_add();
#line 800 "kernel.py"
  TSTORE(go, x);
  if (atomic) set_atomic_none();
}

// Strips of 64 columns, one per block; shifted, they overlap.
// vector
extern "C" __global__ AICORE void blocks_strips(__gm__ float* out, int64_t pitch) {
  using Half = Tile<TileType::Vec, float, 16, 64>;
  Half x;
  TASSIGN(x, 0);
  TEXPANDS(x, 1.0f);
  ORDER(PIPE_V, PIPE_MTE3, 0);
  for (int64_t r = 0; r < 64; r += 16) {
    GlobalTensor<float, Shape<1, 1, 1, 16, 64>, Stride<1, 1, 1, 256, 1>> go(out + r * 256 + get_block_idx() * pitch);
    TSTORE(go, x);
  }
}

// Each block reads what its neighbour has written; without the barrier that is a race between blocks.
// vector
extern "C" __global__ AICORE void neighbours(__gm__ float* out, __gm__ float* space, int64_t racy) {
  Vec x;
  TASSIGN(x, 0);
  const int64_t me = get_block_idx(), next = (me + 1) % get_block_num();
  Window gs(space + me * kTile), gn(space + next * kTile), go(out + me * kTile);
  TEXPANDS(x, static_cast<float>(me));
  ORDER(PIPE_V, PIPE_MTE3, 0);
#line 900 "kernel.py"
  TSTORE(gs, x);
  if (!racy) SYNCALL<SyncCoreType::AIVOnly>();
  ORDER(PIPE_MTE3, PIPE_MTE2, 0);
#line 910 "kernel.py"
  TLOAD(x, gn);
  ORDER(PIPE_MTE2, PIPE_MTE3, 0);
  TSTORE(go, x);
}

// kind 0: set twice, waited for once; 1: never waited for; 2: a lock that stays held; 3: all in order.
// vector
extern "C" __global__ AICORE void leaks(int64_t kind) {
  Vec x;
  TASSIGN(x, 0);
#line 1000 "kernel.py"
  if (kind != 2) set_flag(PIPE_V, PIPE_MTE3, 4);
#line 1010 "kernel.py"
  if (kind == 0) set_flag(PIPE_V, PIPE_MTE3, 4);
  if (kind == 0 || kind == 3) wait_flag(PIPE_V, PIPE_MTE3, 4);
#line 1020 "kernel.py"
  if (kind == 2) get_buf(PIPE_V, 9);
}

// Rows that were loaded, and rows that were not.
// vector
extern "C" __global__ AICORE void undefined(__gm__ float* out, __gm__ float* a, int64_t loaded, int64_t used,
                                            int64_t kind) {
  using Dynamic = Tile<TileType::Vec, float, 16, 128, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
  Dynamic x(16, 128), y(16, 128);
  TASSIGN(x, 0);
  TASSIGN(y, 8192);
  x.SetValidShape(loaded, 100);
  GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, 128, 1>> ga(a, {loaded, int64_t{100}}),
      go(out, {used, int64_t{100}});
  TLOAD(x, ga);
  ORDER(PIPE_MTE2, PIPE_V, 0);
  x.SetValidShape(used, 100);
  y.SetValidShape(used, 100);
#line 1100 "kernel.py"
  if (kind == 0) TADDS(y, x, 1.0f);
#line 1110 "kernel.py"
  if (kind >= 1) TMOV(y, x);
  ORDER(PIPE_V, PIPE_MTE3, 0);
  ORDER(PIPE_V, PIPE_S, 0);
#line 1120 "kernel.py"
  if (kind == 2) y.GetValue(loaded * 128);
#line 1130 "kernel.py"
  if (kind != 3) TSTORE(go, y);
}

// vector
extern "C" __global__ AICORE void endless(__gm__ int64_t* stop) {
  Vec x;
  TASSIGN(x, 0);
#line 1200 "kernel.py"
  TEXPANDS(x, 1.0f);
  for (int64_t i = 0; reinterpret_cast<volatile int64_t*>(stop)[0] == 0; ++i)
    if (i % 64 == 63) TADDS(x, x, 1.0f);
}
