// The device's own names outside namespace pto: address space qualifiers, number types, pipes, flags, locks, barriers
// and the questions a kernel may ask about where it runs.
#pragma once

#include <cstdint>

#include "ptopro/issue.hpp"
#include "ptopro/numbers.hpp"

#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __ssbuf__
#define __global__
#define __aicore__
#define __tf__
#define AICORE
#define PTO_INTERNAL inline
#define PTO_INST inline

using ptopro::bfloat16_t;
using ptopro::float4_e1m2x2_t;
using ptopro::float4_e2m1x2_t;
using ptopro::float8_e4m3_t;
using ptopro::float8_e5m2_t;
using ptopro::float8_e8m0_t;
using ptopro::half;
using ptopro::hifloat8_t;

enum pipe_t { PIPE_S, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_V, PIPE_M, PIPE_FIX, PIPE_ALL };

enum event_t {
  EVENT_ID0,
  EVENT_ID1,
  EVENT_ID2,
  EVENT_ID3,
  EVENT_ID4,
  EVENT_ID5,
  EVENT_ID6,
  EVENT_ID7,
  EVENT_ID8,
  EVENT_ID9,
  EVENT_ID10,
  EVENT_ID11,
  EVENT_ID12,
  EVENT_ID13,
  EVENT_ID14,
  EVENT_ID15,
};

enum cache_line_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum dcci_dst_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum mem_dsb_t { DSB_ALL, DSB_DDR, DSB_UB, DSB_SEQ };

namespace ptopro::sim {
constexpr Pipe pipe_of(pipe_t pipe) { return static_cast<Pipe>(pipe); }
}  // namespace ptopro::sim

// Flags between two pipes of a core.
inline void set_flag(pipe_t from, pipe_t to, int id, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::sim::issue_sync(ptopro::sim::Opcode::SetFlag, ptopro::sim::pipe_of(from), ptopro::sim::pipe_of(to), id, 0,
                          where);
}
inline void wait_flag(pipe_t from, pipe_t to, int id, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::sim::issue_sync(ptopro::sim::Opcode::WaitFlag, ptopro::sim::pipe_of(to), ptopro::sim::pipe_of(from), id, 0,
                          where);
}
inline void pipe_barrier(pipe_t pipe, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::sim::issue_sync(ptopro::sim::Opcode::PipeBarrier, ptopro::sim::pipe_of(pipe), ptopro::sim::Pipe::S, 0, 0,
                          where);
}

// Locks: the pipe waits for every earlier release of the id on other pipes.
inline void get_buf(pipe_t pipe, int64_t id, int mode = 0, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::sim::issue_sync(ptopro::sim::Opcode::GetBuf, ptopro::sim::pipe_of(pipe), ptopro::sim::Pipe::S,
                          static_cast<int>(id), mode, where);
}
inline void rls_buf(pipe_t pipe, int64_t id, int mode = 0, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::sim::issue_sync(ptopro::sim::Opcode::RlsBuf, ptopro::sim::pipe_of(pipe), ptopro::sim::Pipe::S,
                          static_cast<int>(id), mode, where);
}

// Between the cores of a block (A5): from the cube, id is for vector core 0 and id + 16 for vector core 1.
inline void set_intra_block(pipe_t pipe, int id, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::sim::issue_sync(ptopro::sim::Opcode::SetIntraBlock, ptopro::sim::pipe_of(pipe), ptopro::sim::Pipe::S, id, 0,
                          where);
}
inline void wait_intra_block(pipe_t pipe, int id, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::sim::issue_sync(ptopro::sim::Opcode::WaitIntraBlock, ptopro::sim::pipe_of(pipe), ptopro::sim::Pipe::S, id, 0,
                          where);
}

// Between cores by message.  Mode 0: all cores of one kind; 1: the vector cores of a block; 2: cube and vector cores.
constexpr uint64_t getFFTSMsg(int mode, int id) {
  return 1 | (static_cast<uint64_t>(mode) & 3) << 4 | (static_cast<uint64_t>(id) & 15) << 8;
}
inline void ffts_cross_core_sync(pipe_t pipe, uint64_t message, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::sim::issue_sync(ptopro::sim::Opcode::FftsSync, ptopro::sim::pipe_of(pipe), ptopro::sim::Pipe::S,
                          static_cast<int>(message >> 8 & 15), static_cast<int>(message >> 4 & 3), where);
}
inline void wait_flag_dev(pipe_t pipe, int id, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  ptopro::sim::issue_sync(ptopro::sim::Opcode::WaitFlagDev, ptopro::sim::pipe_of(pipe), ptopro::sim::Pipe::S, id, 0,
                          where);
}
inline void wait_flag_dev(int id, ptopro::sim::Where where = ptopro::sim::Where::here()) {
  wait_flag_dev(PIPE_S, id, where);
}
inline void set_ffts_base_addr(uint64_t) {}

namespace pto {
using ::getFFTSMsg;
}

// Where the kernel runs.
inline int64_t get_block_idx() { return ptopro::sim::place().block; }
inline int64_t get_block_num() { return ptopro::sim::place().blocks; }
inline int64_t get_subblockid() { return ptopro::sim::place().subblock; }
inline int64_t get_subblockdim() { return ptopro::sim::place().subblocks; }

// Vector masks select lanes of register instructions (`movp_b32` reads them); tile instructions go by the valid shape.
namespace ptopro::sim {
inline thread_local uint64_t vector_mask[2] = {~uint64_t{0}, ~uint64_t{0}};  // low word, high word
}
inline void set_mask_norm() {}
inline void set_mask_count() {}
inline void set_vector_mask(uint64_t high, uint64_t low) {
  ptopro::sim::vector_mask[0] = low;
  ptopro::sim::vector_mask[1] = high;
}

// Stores that follow add to global memory (or take the maximum, the minimum) until set_atomic_none.
inline void set_atomic_none() { ptopro::sim::set_atomic(0); }
inline void set_atomic_add() { ptopro::sim::set_atomic(1); }
inline void set_atomic_max() { ptopro::sim::set_atomic(2); }
inline void set_atomic_min() { ptopro::sim::set_atomic(3); }
// The element type of an atomic operation is that of the tensor.
inline void set_atomic_f32() {}
inline void set_atomic_f16() {}
inline void set_atomic_bf16() {}
inline void set_atomic_s32() {}
inline void set_atomic_s16() {}
inline void set_atomic_s8() {}

inline uint64_t get_ctrl() { return ptopro::sim::control_word(); }
inline void set_ctrl(uint64_t value) { ptopro::sim::set_control_word(value); }
constexpr uint64_t sbitset0(uint64_t value, int bit) { return value & ~(uint64_t{1} << bit); }
constexpr uint64_t sbitset1(uint64_t value, int bit) { return value | uint64_t{1} << bit; }

// The simulated machine has no data cache between the scalar unit and global memory.
inline void dcci(const volatile void*, int) {}
inline void dcci(const volatile void*, int, int) {}
inline void dsb(int) {}

[[noreturn]] inline void trap(ptopro::sim::Where where = ptopro::sim::Where::here()) { ptopro::sim::trap(where); }

namespace cce {
using ptopro::sim::print;
template <typename... A>
inline void printf(const char* format, A... arguments) {
  ptopro::sim::print(format, arguments...);
}
}  // namespace cce
