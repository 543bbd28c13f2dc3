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
};

enum PtoproChip { PTOPRO_A5 = 0, PTOPRO_A3 = 1 };
enum PtoproMode { PTOPRO_MODE_PIPELINED = 0, PTOPRO_MODE_SERIAL = 1 };
enum PtoproSchedule { PTOPRO_FIXED = 0, PTOPRO_RANDOM = 1 };
enum PtoproVisibility { PTOPRO_EAGER = 0, PTOPRO_LATE = 1 };

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
  uint32_t checks;          // reserved, 0
  uint32_t tensor_count;    // 0: addresses in global memory are not checked
  double watchdog_seconds;  // 0: 600; negative: none
  const struct PtoproTensor* tensors;
  const struct PtoproCosts* costs;  // null: the chip's defaults
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
};

typedef void (*PtoproEntry)(void* const* args);

// Runs block_dim blocks.  Without cube (vector) function the launch has vector (cube) cores alone.  Returns the code.
int ptopro_sim_launch(const struct PtoproLaunch* options, PtoproEntry cube, PtoproEntry vector, void* const* args,
                      struct PtoproReport* report);

// The default figures of a chip.
void ptopro_sim_costs(int32_t chip, struct PtoproCosts* costs);

// Ends every launch that is running, from any thread or a signal handler.
void ptopro_sim_interrupt(void);

// Sizes of the structs above, to check a binding: launch, report, tensor, costs.
void ptopro_sim_sizes(uint64_t sizes[4]);

#if defined(__cplusplus)
}
#endif
