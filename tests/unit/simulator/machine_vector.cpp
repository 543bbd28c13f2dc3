// Kernels of vector cores alone: locks, flags, scalar accesses, bounds, faults.
#include <cstdint>
#include <pto/pto-inst.hpp>
using namespace pto;

using Vec = Tile<TileType::Vec, float, 16, 128>;
using Window = GlobalTensor<float, Shape<1, 1, 1, 16, 128>, Stride<1, 1, 1, 128, 1>>;
constexpr int64_t kTile = 16 * 128;

// out = a + b, tile by tile, two buffers, ordered by locks: 0 and 1 for the inputs, 2 and 3 for the output.
AICORE inline void add_tiles_with_locks(__gm__ float* out, __gm__ float* a, __gm__ float* b, int64_t tiles) {
  Vec x[2], y[2], z[2];
  for (int i = 0; i < 2; ++i) {
    TASSIGN(x[i], i * 8192);
    TASSIGN(y[i], 16384 + i * 8192);
    TASSIGN(z[i], 32768 + i * 8192);
  }
  for (int64_t t = get_block_idx(), slot = 0; t < tiles; t += get_block_num(), slot ^= 1) {
    Window ga(a + t * kTile), gb(b + t * kTile), go(out + t * kTile);
    get_buf(PIPE_MTE2, slot, 0);
    TLOAD(x[slot], ga);
    TLOAD(y[slot], gb);
    rls_buf(PIPE_MTE2, slot, 0);
    get_buf(PIPE_V, slot, 0);
    get_buf(PIPE_V, slot + 2, 0);
    TADD(z[slot], x[slot], y[slot]);
    rls_buf(PIPE_V, slot, 0);
    rls_buf(PIPE_V, slot + 2, 0);
    get_buf(PIPE_MTE3, slot + 2, 0);
    TSTORE(go, z[slot]);
    rls_buf(PIPE_MTE3, slot + 2, 0);
  }
}

// vector
extern "C" __global__ AICORE void add_locks(__gm__ float* out, __gm__ float* a, __gm__ float* b, int64_t tiles) {
  add_tiles_with_locks(out, a, b, tiles);
}

// vector
extern "C" __global__ AICORE void add_flags(__gm__ float* out, __gm__ float* a, __gm__ float* b, int64_t tiles) {
  Vec x[2], y[2], z[2];
  for (int i = 0; i < 2; ++i) {
    TASSIGN(x[i], i * 8192);
    TASSIGN(y[i], 16384 + i * 8192);
    TASSIGN(z[i], 32768 + i * 8192);
    set_flag(PIPE_V, PIPE_MTE2, (event_t)i);
    set_flag(PIPE_MTE3, PIPE_V, (event_t)i);
  }
  for (int64_t t = get_block_idx(), slot = 0; t < tiles; t += get_block_num(), slot ^= 1) {
    Window ga(a + t * kTile), gb(b + t * kTile), go(out + t * kTile);
    wait_flag(PIPE_V, PIPE_MTE2, (event_t)slot);
    TLOAD(x[slot], ga);
    TLOAD(y[slot], gb);
    set_flag(PIPE_MTE2, PIPE_V, (event_t)slot);
    wait_flag(PIPE_MTE2, PIPE_V, (event_t)slot);
    wait_flag(PIPE_MTE3, PIPE_V, (event_t)slot);
    TADD(z[slot], x[slot], y[slot]);
    set_flag(PIPE_V, PIPE_MTE2, (event_t)slot);
    set_flag(PIPE_V, PIPE_MTE3, (event_t)slot);
    wait_flag(PIPE_V, PIPE_MTE3, (event_t)slot);
    TSTORE(go, z[slot]);
    set_flag(PIPE_MTE3, PIPE_V, (event_t)slot);
  }
  for (int i = 0; i < 2; ++i) {
    wait_flag(PIPE_V, PIPE_MTE2, (event_t)i);
    wait_flag(PIPE_MTE3, PIPE_V, (event_t)i);
  }
}

// The add waits for nothing: its inputs may not be there.
// vector
extern "C" __global__ AICORE void add_unordered(__gm__ float* out, __gm__ float* a, __gm__ float* b) {
  Vec x, y, z;
  TASSIGN(x, 0);
  TASSIGN(y, 8192);
  TASSIGN(z, 16384);
  Window ga(a), gb(b), go(out);
  TLOAD(x, ga);
  TLOAD(y, gb);
  TADD(z, x, y);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(go, z);
}

// vector
extern "C" __global__ AICORE void missing_set(__gm__ float* out, __gm__ float* a) {
  Vec x;
  TASSIGN(x, 0);
  Window ga(a), go(out);
  TLOAD(x, ga);
#line 1000 "missing.py"
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
  TADDS(x, x, 1.0f);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID5);
  TSTORE(go, x);
}
#line 100 "machine_vector.cpp"

// Two pipes wait for each other's set.
// vector
extern "C" __global__ AICORE void flag_cycle() {
  wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
}

// vector
extern "C" __global__ AICORE void lock_twice() {
  get_buf(PIPE_MTE2, 7, 0);
  get_buf(PIPE_V, 7, 0);
}

// vector
extern "C" __global__ AICORE void release_unheld(int64_t same_pipe) {
  get_buf(PIPE_MTE2, 7, 0);
  rls_buf(same_pipe ? PIPE_MTE2 : PIPE_V, 7, same_pipe);
}

// vector
extern "C" __global__ AICORE void tile_out_of_memory(int64_t address) {
  Vec x;
  TASSIGN(x, address);
  TEXPANDS(x, 1.0f);
}

// vector
extern "C" __global__ AICORE void load_from(__gm__ float* a, int64_t offset) {
  Vec x;
  TASSIGN(x, 0);
  Window ga(a + offset);
  TLOAD(x, ga);
}

// vector
extern "C" __global__ AICORE void store_to(__gm__ float* out) {
  Vec x;
  TASSIGN(x, 0);
  TEXPANDS(x, 2.0f);
  pipe_barrier(PIPE_ALL);
  Window go(out);
  TSTORE(go, x);
}

// A scalar read of what V computed, then a scalar write that MTE3 stores; `ordered` says whether flags order them.
// vector
extern "C" __global__ AICORE void scalar_access(__gm__ float* out, int64_t ordered) {
  Vec x;
  TASSIGN(x, 0);
  TEXPANDS(x, 2.0f);
  if (ordered) {
    set_flag(PIPE_V, PIPE_S, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_S, EVENT_ID0);
  }
  const float read = x.GetValue(130);
  pipe_barrier(PIPE_ALL);
  x.SetValue(3, read * 10);
  set_flag(PIPE_S, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_S, PIPE_MTE3, EVENT_ID0);
  Window go(out);
  TSTORE(go, x);
}

// Loads and vector work: independent, or the second waits for the first.
// vector
extern "C" __global__ AICORE void two_pipes(__gm__ float* a, int64_t times, int64_t locked) {
  Vec x, y;
  TASSIGN(x, 0);
  TASSIGN(y, 8192);
  Window ga(a);
  for (int64_t i = 0; i < times; ++i) {
    if (locked) get_buf(PIPE_MTE2, 0, 0);
    TLOAD(x, ga);
    if (locked) rls_buf(PIPE_MTE2, 0, 0);
    if (locked) get_buf(PIPE_V, 0, 0);
    TEXP(y, y);
    if (locked) rls_buf(PIPE_V, 0, 0);
  }
}

// vector
extern "C" __global__ AICORE void loads(__gm__ float* a, int64_t times, int64_t barrier) {
  Vec x;
  TASSIGN(x, 0);
  Window ga(a);
  for (int64_t i = 0; i < times; ++i) {
    TLOAD(x, ga);
    if (barrier) pipe_barrier(PIPE_MTE2);
  }
}

// vector
extern "C" __global__ AICORE void endless(__gm__ int64_t* stop, int64_t issues) {
  Vec x;
  TASSIGN(x, 0);
  while (*static_cast<volatile int64_t*>(stop) == 0)
    if (issues) TEXPANDS(x, 1.0f);
}

__attribute__((noinline)) void use_stack() {
  volatile char large[4 << 20];
  for (int64_t i = sizeof large - 1; i >= 0; i -= 4096) large[i] = 1;
}

// vector
extern "C" __global__ AICORE void faults(__gm__ int64_t* zero, int64_t kind) {
  if (kind == 0) trap();
  if (kind == 1) *reinterpret_cast<volatile int*>(0x40) = 1;
  if (kind == 2) *zero = 7 / *zero;
  if (kind == 3) use_stack();
}

// vector
extern "C" __global__ AICORE void prints() {
  cce::printf("block %d of %d\n", (int)get_block_idx(), (int)get_block_num());
  Tile<TileType::Vec, half, 2, 16, BLayout::RowMajor, -1, -1> x(1, 3);
  TASSIGN(x, 0);
  TEXPANDS(x, 1.5f);
  TPRINT(x);
}

// One pipe waits for a set that comes after more instructions than a queue holds.
// vector
extern "C" __global__ AICORE void queue_ahead(int64_t times) {
  wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  for (int64_t i = 0; i < times; ++i) pipe_barrier(PIPE_V);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
}
