// Instructions that run code of the kernel: vector functions and the threads of SIMT launches.
#include "ptopro/code.hpp"

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bodies.hpp"
#include "code_log.hpp"
#include "faults.hpp"
#include "machine.hpp"
#include "ptopro/simt.hpp"
#include "wording.hpp"

namespace ptopro::sim {

thread_local CodeRun code_run __attribute__((tls_model("initial-exec")));
thread_local ThreadPlace thread_place __attribute__((tls_model("initial-exec")));

void issue_code(Opcode op, void (*run)(void*), void (*drop)(void*), void* state, Where where) {
  Record& record = begin_record(op, Pipe::V, where);
  record.code = {run, drop, state};
  commit_record(record);
}

void log_access(uint64_t first, uint64_t bytes, bool write, Where where) {
  code_run.log->access(CodeLog::kUb, write ? CodeLog::kWrite : CodeLog::kRead, first, bytes, where);
}

void log_barrier() { code_run.log->barrier(); }

namespace {

thread_local const CoreMemory* running_memory = nullptr;
thread_local const Record* running_record = nullptr;

void run_code(const CoreMemory& memory, const Record& record) {
  constexpr auto kVec = static_cast<size_t>(Memory::Vec);
  running_memory = &memory;
  running_record = &record;
  code_run.ub = memory.bytes[kVec];
  code_run.ub_bytes = memory.size[kVec];
  code_run.threads = record.op == Opcode::Threads;
  code_run.instructions = 0;
  record.code.run(record.code.state);
  code_run.threads = false;
}

}  // namespace

Body code_body(Opcode op) { return op == Opcode::VectorFunction || op == Opcode::Threads ? run_code : nullptr; }

void outside_ub(const void* pointer, uint64_t bytes) {
  fail_code("accesses " + std::to_string(bytes) + " bytes at " +
            hex(static_cast<int64_t>(reinterpret_cast<uintptr_t>(pointer))) + " of Vec, which has " +
            std::to_string(code_run.ub_bytes) + " bytes");
}

// ---- threads
// ---------------------------------------------------------------------------------------------------------

namespace {

struct Launched {
  Axes threads, block, blocks;
  void (*run)(const void* state);
  alignas(16) unsigned char state[];  // NOLINT: a flexible array, allocated with the struct

  static void run_all(void* self) {
    const Launched& launched = *static_cast<const Launched*>(self);
    thread_place.threads = launched.threads;
    thread_place.block = launched.block;
    thread_place.blocks = launched.blocks;
    Axes& at = thread_place.thread;
    uint32_t number = 0;
    for (at.z = 0; at.z < launched.threads.z; ++at.z)
      for (at.y = 0; at.y < launched.threads.y; ++at.y)
        for (at.x = 0; at.x < launched.threads.x; ++at.x) {
          if (code_run.log) code_run.log->next_thread(number);
          ++number;
          launched.run(launched.state);
        }
    code_run.instructions = number;
  }
};

}  // namespace

void launch_threads(const Threads& threads, void (*run)(const void*), const void* state, uint32_t bytes) {
  auto* launched = static_cast<Launched*>(std::malloc(sizeof(Launched) + bytes));
  const Place& here = place();
  launched->threads = threads;
  launched->block = {static_cast<uint32_t>(here.block * here.subblocks + here.subblock), 0, 0};
  launched->blocks = {static_cast<uint32_t>(here.blocks * here.subblocks), 1, 1};
  launched->run = run;
  std::memcpy(launched->state, state, bytes);
  issue_code(Opcode::Threads, Launched::run_all, std::free, launched, threads.where);
}

void note_thread_access(const void* address, uint64_t bytes, int kind) {
  const auto* at = static_cast<const uint8_t*>(address);
  const auto how = static_cast<CodeLog::Kind>(kind);
  if (at >= code_run.ub && at < code_run.ub + code_run.ub_bytes)
    return code_run.log->access(CodeLog::kUb, how, static_cast<uint64_t>(at - code_run.ub), bytes, {nullptr, 0});
  if (in_tensor(at)) code_run.log->access(CodeLog::kGlobal, how, reinterpret_cast<uintptr_t>(at), bytes, {nullptr, 0});
}

void note_atomic(const void* address, uint32_t bytes) {
  if (code_run.log) note_thread_access(address, bytes, CodeLog::kAtomic);
}

}  // namespace ptopro::sim

// Kernels with SIMT functions that are to be checked are compiled with the compiler's thread instrumentation, which
// calls these around every access to memory; all that counts are those of threads.
#define PTOPRO_ACCESS(name, size, kind)                                                     \
  extern "C" void name(void* address) {                                                     \
    using namespace ptopro::sim;                                                            \
    if (code_run.threads && code_run.log) note_thread_access(address, size, CodeLog::kind); \
  }
#define PTOPRO_ACCESSES(size)                               \
  PTOPRO_ACCESS(__tsan_read##size, size, kRead)             \
  PTOPRO_ACCESS(__tsan_write##size, size, kWrite)           \
  PTOPRO_ACCESS(__tsan_unaligned_read##size, size, kRead)   \
  PTOPRO_ACCESS(__tsan_unaligned_write##size, size, kWrite) \
  PTOPRO_ACCESS(__tsan_volatile_read##size, size, kRead)    \
  PTOPRO_ACCESS(__tsan_volatile_write##size, size, kWrite)
PTOPRO_ACCESSES(1)
PTOPRO_ACCESSES(2)
PTOPRO_ACCESSES(4)
PTOPRO_ACCESSES(8)
PTOPRO_ACCESSES(16)
extern "C" void __tsan_read_range(void*, unsigned long) {}
extern "C" void __tsan_write_range(void*, unsigned long) {}
extern "C" void __tsan_vptr_update(void**, void*) {}
extern "C" void __tsan_vptr_read(void**) {}
extern "C" void __tsan_func_entry(void*) {}
extern "C" void __tsan_func_exit() {}
extern "C" void __tsan_init() {}
extern "C" void* __tsan_memcpy(void* to, const void* from, unsigned long bytes) { return std::memcpy(to, from, bytes); }
extern "C" void* __tsan_memset(void* to, int byte, unsigned long bytes) { return std::memset(to, byte, bytes); }
extern "C" void* __tsan_memmove(void* to, const void* from, unsigned long bytes) {
  return std::memmove(to, from, bytes);
}
