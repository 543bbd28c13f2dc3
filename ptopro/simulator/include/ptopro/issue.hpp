// How the instruction templates reach the machine: a record is begun, filled in place and committed.
//
// The functions are in simulator/library (machine_issue.cpp); they act on the core whose scalar unit is running on
// the calling thread.  A call may not return: a fault of the kernel ends the launch.
#pragma once

#include <cstdint>

#include "ptopro/record.hpp"

namespace ptopro::sim {

// Where an instruction is written.  As a default argument it names the line of the call.
struct Where {
  const char* file;
  uint32_t line;
  static constexpr Where here(const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {
    return Where{file, line};
  }
};

// A cleared record of the running core; `tile`, `global` are set by the caller, then commit_record queues it.
Record& begin_record(Opcode op, Pipe pipe, Where where);
void commit_record(Record& record);

// A synchronisation instruction.  `other` is the second pipe of a flag; `mode` that of a lock or of an FFTS message.
void issue_sync(Opcode op, Pipe pipe, Pipe other, int id, int mode, Where where);

// The scalar unit reads or writes one element of a tile, `offset` in elements from its start, in order with nothing.
void scalar_read(const TileDesc& tile, uint64_t offset, void* value, Where where);
void scalar_write(const TileDesc& tile, uint64_t offset, const void* value, Where where);

// Words of the scalar mailbox that the cores of a block share, from a byte offset on.
volatile uint32_t* mailbox(int64_t offset, uint32_t words, Where where = Where::here());

// Where the running core is.
struct Place {
  int32_t block = 0, blocks = 1;
  int32_t subblock = 0, subblocks = 1;
  bool is_cube = false;
};
const Place& place();

void set_atomic(uint8_t operation);  // 0 none, 1 add, 2 max, 3 min: into global memory, by the stores that follow
uint64_t control_word();
void set_control_word(uint64_t value);

// Serial mode: pass the token; execution goes on when every core of the block has met marker n.  Else no effect.
void turn(int marker, Where where);

[[noreturn]] void trap(Where where);
void print(const char* format, ...) __attribute__((format(printf, 1, 2)));
void print_tile(const TileDesc& tile, Where where);
void print_global(const GlobalDesc& global, Where where);

}  // namespace ptopro::sim

// Between the sections of a kernel, in source order; codegen emits it in builds for serial mode.
#define PTOPRO_TURN(n) ::ptopro::sim::turn(n, ::ptopro::sim::Where::here())
