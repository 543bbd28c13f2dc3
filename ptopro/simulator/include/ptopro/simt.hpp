// SIMT functions: qualifiers, where a thread stands, and the launch.
//
// A launch is one instruction of pipe V.  Its threads run one after the other, x fastest: what they do to each other
// through memory without atomics is a fault of the kernel, which the checks report (library/threads.hpp).
#pragma once

#include <cstdint>

#include "ptopro/code.hpp"
#include "ptopro/issue.hpp"

#define __simt_vf__
#define __simt_callee__
#define __launch_bounds__(...)

namespace ptopro::sim {

struct Axes {
  uint32_t x = 1, y = 1, z = 1;
};

// Extents of a launch; `where` is the line that launches.
struct Threads : Axes {
  constexpr Threads(uint32_t x, uint32_t y = 1, uint32_t z = 1, Where where = Where::here())
      : Axes{x, y, z}, where(where) {}
  Where where;
};

struct ThreadPlace {
  Axes thread, threads, block, blocks;
};
extern thread_local ThreadPlace thread_place __attribute__((tls_model("initial-exec")));

// Queues `run(state)` for every thread of the launch.  The machine keeps a copy of `state` until then.
void launch_threads(const Threads& threads, void (*run)(const void* state), const void* state, uint32_t bytes);

constexpr uint32_t kWarpSize = 32;

// An argument as a thread takes it: an address of the unified buffer becomes one of the host.
template <typename T>
inline T in_thread(T argument) {
  return argument;
}
template <typename T>
inline T* in_thread(T* pointer) {
  if (reinterpret_cast<uintptr_t>(pointer) >= code_run.ub_bytes) return pointer;  // a tensor
  return reinterpret_cast<T*>(code_run.ub + reinterpret_cast<uintptr_t>(pointer));
}

}  // namespace ptopro::sim

#define threadIdx (::ptopro::sim::thread_place.thread)
#define blockDim (::ptopro::sim::thread_place.threads)
#define blockIdx (::ptopro::sim::thread_place.block)
#define gridDim (::ptopro::sim::thread_place.blocks)
#define warpSize (::ptopro::sim::kWarpSize)

namespace cce {

using dim3 = ::ptopro::sim::Threads;

// Runs `Function(arguments...)` once for each thread.
template <auto Function, typename... Arguments>
inline void async_invoke(const dim3& threads, Arguments... arguments) {
  const auto thread = [=] { Function(::ptopro::sim::in_thread(arguments)...); };
  using Thread = decltype(thread);
  static_assert(__is_trivially_copyable(Thread), "a launch passes numbers and pointers");
  ::ptopro::sim::launch_threads(
      threads, [](const void* state) { (*static_cast<const Thread*>(state))(); }, &thread, sizeof thread);
}

}  // namespace cce
