// Kernels whose blocks meet: the barrier of the launch, messages between blocks, atomic additions.
#include <cstdint>
#include <pto/pto-inst.hpp>
using namespace pto;

using Row = Tile<TileType::Vec, float, 1, 64>;
using Window = GlobalTensor<float, Shape<1, 1, 1, 1, 64>, Stride<1, 1, 1, 64, 1>>;

// Every block writes its row, meets the others, and reads the row of the next block.
// vector
extern "C" __global__ AICORE void rotate(__gm__ float* out, __gm__ float* space, int64_t kind) {
  const int64_t me = get_block_idx(), next = (me + 1) % get_block_num();
  Row x;
  TASSIGN(x, 0);
  TEXPANDS(x, static_cast<float>(me + 1));
  pipe_barrier(PIPE_ALL);
  Window mine(space + me * 64), other(space + next * 64), go(out + me * 64);
  TSTORE(mine, x);
  if (kind == 0) {
    SYNCALL<SyncCoreType::AIVOnly>();
  } else if (kind == 1) {
    pipe_barrier(PIPE_MTE3);
    ffts_cross_core_sync(PIPE_MTE3, getFFTSMsg(0, 7));
    wait_flag_dev(7);
  } else if (kind == 2 && me != 1) {
    SYNCALL<SyncCoreType::AIVOnly>();
  }
  TLOAD(x, other);
  set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
  TSTORE(go, x);
}

// Every block adds its rows to one row of sums `times` times, by template argument or by mode.
// vector
extern "C" __global__ AICORE void add_up(__gm__ float* sums, __gm__ float* rows, int64_t times, int64_t by_mode) {
  Row x;
  TASSIGN(x, 0);
  for (int64_t i = 0; i < times; ++i) {
    Window from(rows + (get_block_idx() * times + i) * 64), to(sums);
    TLOAD(x, from);
    pipe_barrier(PIPE_ALL);
    if (by_mode) {
      set_atomic_f32();
      set_atomic_add();
      TSTORE(to, x);
      set_atomic_none();
    } else {
      TSTORE<Row, Window, AtomicType::AtomicAdd>(to, x);
    }
    pipe_barrier(PIPE_ALL);
  }
}

// A block adds twice to its own row and reads it back.
// vector
extern "C" __global__ AICORE void add_and_read(__gm__ float* out, __gm__ float* sums) {
  const int64_t me = get_block_idx();
  Row x;
  TASSIGN(x, 0);
  TEXPANDS(x, static_cast<float>(me + 1));
  pipe_barrier(PIPE_ALL);
  Window row(sums + me * 64), go(out + me * 64);
  TSTORE<Row, Window, AtomicType::AtomicAdd>(row, x);
  TSTORE<Row, Window, AtomicType::AtomicAdd>(row, x);
  pipe_barrier(PIPE_ALL);
  TLOAD(x, row);
  pipe_barrier(PIPE_ALL);
  TSTORE(go, x);
}

// vector
extern "C" __global__ AICORE void trap_in(int64_t first, int64_t second) {
  if (get_block_idx() == first || get_block_idx() == second) trap();
}

// Cube and vector cores of all blocks meet `times` times.
// mixed
extern "C" __global__ AICORE void meet(__gm__ int64_t* counts, int64_t times) {
  const int64_t core = get_block_idx() * 3 + (get_subblockdim() == 2 ? 1 + get_subblockid() : 0);
  for (int64_t i = 0; i < times; ++i) {
    counts[core * 8] = i + 1;
    SYNCALL<SyncCoreType::Mix>();
    for (int64_t other = 0; other < get_block_num() * 3; ++other)
      if (counts[other * 8] < i + 1) trap();
    SYNCALL<SyncCoreType::Mix>();
  }
}
