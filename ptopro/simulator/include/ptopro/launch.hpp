// The launch interface of the simulator library: C linkage, plain structs, readable by ctypes.
//
// A kernel's .so holds two functions per kernel, one per kind of core, that take `args`: args[i] points to the storage
// of the i-th kernel argument.  ptopro_sim_launch runs them on the simulated machine and fills the report.
#pragma once

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

enum PtoproCode {
  PTOPRO_OK = 0,
  PTOPRO_DEADLOCK = 1,
  PTOPRO_OUT_OF_BOUNDS = 2,  // outside a memory or a tensor, misaligned, a write to a read-only tensor
  PTOPRO_TRAP = 3,
  PTOPRO_SYNC_FAULT = 4,  // lock held twice, too many pending sets, an id out of range, turns out of order
  PTOPRO_WATCHDOG = 5,
  PTOPRO_INTERNAL = 6,      // no body for an instruction, bad options
  PTOPRO_QUEUE_FULL = 7,    // a core queued more than a million instructions
  PTOPRO_MEMORY_FAULT = 8,  // the kernel's C++ code dereferenced an address that is not mapped
  PTOPRO_INTERRUPTED = 9,
  // Of the checks; the launch goes on, the first finding is the code.
  PTOPRO_RACE = 10,           // two accesses to the same bytes that nothing orders
  PTOPRO_LEAK = 11,           // a flag, a lock or a unit flag that is still set at the end
  PTOPRO_UNDEFINED = 12,      // data that nothing has written enters arithmetic, global memory or a scalar
  PTOPRO_BLOCK_OVERLAP = 13,  // two blocks use the same bytes of global memory, one of them writes
  PTOPRO_LOOP_LIMIT = 14,     // the scalar code of a core ran more basic blocks than `block_limit`
};

enum PtoproChip { PTOPRO_A5 = 0, PTOPRO_A3 = 1 };
enum PtoproMode { PTOPRO_MODE_PIPELINED = 0, PTOPRO_MODE_SERIAL = 1 };
// Slow: the pipe whose number is `seed` (as in PtoproReport::busy) goes on only when nothing else can.
enum PtoproSchedule { PTOPRO_FIXED = 0, PTOPRO_RANDOM = 1, PTOPRO_SLOW = 2 };
enum PtoproVisibility { PTOPRO_EAGER = 0, PTOPRO_LATE = 1 };

// Bits of PtoproLaunch::checks.  Without any, nothing is observed and nothing is paid for.  In serial mode only
// undefined data is checked: there is one order.
enum PtoproCheck {
  PTOPRO_CHECK_RACES = 1,      // inside a block, in every memory and in global memory
  PTOPRO_CHECK_LEAKS = 2,      // what is still set when a block ends
  PTOPRO_CHECK_UNDEFINED = 4,  // reads of on-chip bytes that nothing has written
  PTOPRO_CHECK_BLOCKS = 8,     // overlaps in global memory between blocks
  PTOPRO_TRACE = 256,          // events for a timeline
  PTOPRO_DIGEST = 512,         // with a trace: what each instruction wrote, as a number
};

// A tensor of the launch: a kernel may touch [base, base + bytes).
struct PtoproTensor {
  void* base;
  uint64_t bytes;
  const char* name;
  int32_t writable;
  int32_t reserved;
};

// The figures of the time model, in cycles of the core and bytes per cycle; see reference/hardware.yaml.
struct PtoproCosts {
  uint64_t struct_size;
  double cores;  // blocks that run at the same time; more blocks run in waves
  double gm_to_l1, gm_to_ub, ub_to_gm, l0c_to_gm;
  double l1_to_l0a, l1_to_l0b, l1_to_ub, l0c_to_ub, l0c_to_l1, ub_to_l1, ub_to_ub;
  double cube_m, cube_k_bytes, cube_n;   // multiply-accumulates per cycle: cube_m x (cube_k_bytes / size) x cube_n
  double vector_bytes;                   // bytes of one vector register
  double vector_start, vector_register;  // a vector instruction: start + registers x cycles per register
  double transcendental, reduce;         // factors on the cycles per register
  double mte1, mte2, mte3, fix, m;       // latency of a transfer, of a matrix instruction
  double flag, mutex, cross_core;        // from the set (release) to the wait (acquire) that it lets go
  double issue, scalar_access;           // the scalar unit: per instruction, per element read or written
};

struct PtoproLaunch {
  uint64_t struct_size;
  int32_t block_dim;  // blocks; vector cores when there is no cube function
  int32_t chip;
  int32_t mode;
  int32_t schedule;
  uint64_t seed;  // of the random schedule
  int32_t visibility;
  int32_t threads;          // 0: as many as the host has cores
  uint32_t checks;          // PtoproCheck
  uint32_t tensor_count;    // 0: addresses in global memory are not checked
  double watchdog_seconds;  // 0: 600; negative: none
  const struct PtoproTensor* tensors;
  const struct PtoproCosts* costs;  // null: the chip's defaults
  // Basic blocks that the scalar code of one core may run, where the kernel is compiled to count them; 0: 10^9.
  uint64_t block_limit;
};

// What made an instruction start or end when it did.
enum PtoproCause {
  PTOPRO_CAUSE_QUEUE = 0,       // the instruction before it on its pipe (`from`)
  PTOPRO_CAUSE_ISSUE = 1,       // the scalar unit issued it no earlier (`from`: what that one last waited for)
  PTOPRO_CAUSE_FLAG = 2,        // wait_flag: the set
  PTOPRO_CAUSE_LOCK = 3,        // get_buf: the release
  PTOPRO_CAUSE_CROSS_CORE = 4,  // wait_intra_block, wait_flag_dev: the set
  PTOPRO_CAUSE_UNIT_FLAG = 5,   // the matrix instruction or the store that changed it
  PTOPRO_CAUSE_COMPLETION = 6,  // barrier, set, release: the transfer in flight that completes last
  PTOPRO_CAUSE_ALL_CORES = 7,   // SYNCALL: the other cores of the launch
};

// An instruction in virtual time.  Transfers of one MTE pipe overlap; a wait lasts from `start` to `end`; a set takes
// effect at `end`.
struct PtoproTraceEvent {
  double ready;   // when the instruction before it on its pipe let it go
  double issued;  // when the scalar unit issued it
  double start, end;
  int64_t from;  // index of the event that `cause` is about, -1 if there is none
  const char* file;
  uint32_t line;
  int32_t block;
  int32_t id;     // of a flag or lock
  int32_t group;  // blocks of one group follow each other on one group of cores
  uint16_t opcode;
  uint8_t core;   // 0 cube, 1 and 2 vector
  uint8_t pipe;   // as in PtoproReport::busy
  uint8_t other;  // the second pipe of a flag
  uint8_t cause;
  uint16_t reserved;
  uint64_t digest;  // of the elements that the instruction wrote, wherever they lie; 0 without PTOPRO_DIGEST
};

struct PtoproReport {
  uint64_t struct_size;
  int32_t code;      // PtoproCode
  int32_t findings;  // in text
  double cycles;     // virtual time of the launch
  double busy[7];    // cycles that pipes worked, summed over cores: S MTE1 MTE2 MTE3 V M FIX
  uint64_t instructions, syncs;
  double seconds;          // host time
  char* text;              // the caller's buffer for JSON, always terminated
  uint64_t text_capacity;  // bytes
  uint64_t text_length;  // bytes that the complete JSON needs; more than capacity - 1: waits and findings were dropped
  double core_busy[3][7];  // `busy` of cube, vector 0 and vector 1
  // With PTOPRO_TRACE: block by block, each in the order of execution.  The library owns them until free_events.
  struct PtoproTraceEvent* events;
  uint64_t event_count, events_dropped;
};

typedef void (*PtoproEntry)(void* const* args);

// Runs block_dim blocks.  Without cube (vector) function the launch has vector (cube) cores alone.  Returns the code.
int ptopro_sim_launch(const struct PtoproLaunch* options, PtoproEntry cube, PtoproEntry vector, void* const* args,
                      struct PtoproReport* report);

// The default figures of a chip.
void ptopro_sim_costs(int32_t chip, struct PtoproCosts* costs);

// Ends every launch that is running, from any thread or a signal handler.
void ptopro_sim_interrupt(void);

void ptopro_sim_free_events(struct PtoproTraceEvent* events);
// The public name of PtoproTraceEvent::opcode.
const char* ptopro_sim_operation_name(uint16_t opcode);

// Sizes of the structs above, to check a binding: launch, report, tensor, costs, trace event.
void ptopro_sim_sizes(uint64_t sizes[5]);

#if defined(__cplusplus)
}
#endif
