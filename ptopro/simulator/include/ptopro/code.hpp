// Code that is one instruction of pipe V: the body of a vector function, the threads of a SIMT launch.
//
// `__VEC_SCOPE__ { ... };` queues its block with a copy of everything that the block uses; the machine runs it when the
// instruction's turn comes.  Pointers into the unified buffer are addresses there, as on the device: `ub_at` finds the
// bytes.  What the code touches is noted for the checks while it runs.
#pragma once

#include <cstdint>
#include <utility>

#include "ptopro/issue.hpp"

namespace ptopro::sim {

class CodeLog;

// What the code at hand runs on.  log: null when nobody observes.
struct CodeRun {
  uint8_t* ub = nullptr;
  uint64_t ub_bytes = 0;
  CodeLog* log = nullptr;
  bool threads = false;
  uint64_t instructions = 0;  // of the vector unit, for the time model
};
extern thread_local CodeRun code_run __attribute__((tls_model("initial-exec")));

// The code reached outside the unified buffer: ends the launch.
[[noreturn]] void outside_ub(const void* pointer, uint64_t bytes);

void log_access(uint64_t first, uint64_t bytes, bool write, Where where);
void log_barrier();

// The bytes that an address of the unified buffer stands for.
inline uint8_t* ub_at(const void* pointer, uint64_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (address > code_run.ub_bytes || bytes > code_run.ub_bytes - address) [[unlikely]]
    outside_ub(pointer, bytes);
  return code_run.ub + address;
}

// A vector function reads or writes these bytes of the unified buffer.
inline void note_read(const void* pointer, uint64_t bytes, Where where = Where{nullptr, 0}) {
  if (code_run.log) [[unlikely]]
    log_access(reinterpret_cast<uintptr_t>(pointer), bytes, false, where);
}
inline void note_write(const void* pointer, uint64_t bytes, Where where = Where{nullptr, 0}) {
  if (code_run.log) [[unlikely]]
    log_access(reinterpret_cast<uintptr_t>(pointer), bytes, true, where);
}
// mem_bar: what is stored before it is seen by loads behind it.
inline void note_barrier() {
  if (code_run.log) [[unlikely]]
    log_barrier();
}
inline void note_instruction(uint64_t count = 1) { code_run.instructions += count; }

// Queues code on pipe V.  The machine calls `drop(state)` when it is done with it.
void issue_code(Opcode op, void (*run)(void*), void (*drop)(void*), void* state, Where where);

// The left side of `__VEC_SCOPE__ { ... };`.
struct VectorScope {
  Where where;
  template <typename Block>
  void operator=(Block&& block) const {
    using Kept = std::remove_cvref_t<Block>;
    issue_code(
        Opcode::VectorFunction, [](void* state) { (*static_cast<Kept*>(state))(); },
        [](void* state) { delete static_cast<Kept*>(state); }, new Kept(std::forward<Block>(block)), where);
  }
};

}  // namespace ptopro::sim

#define __VEC_SCOPE__ \
  ::ptopro::sim::VectorScope{::ptopro::sim::Where::here(__builtin_FILE(), __builtin_LINE())} = [=]() mutable
