// The count of basic blocks that the scalar code of a core runs, so that an endless loop ends with a finding.
//
// A kernel that is compiled with -fsanitize-coverage=trace-pc calls this at every basic block of its own code; the
// library is not compiled so.
#include "loop_guard.hpp"

#include <cstdint>

#include "launch.hpp"
#include "machine.hpp"

namespace ptopro::sim {

namespace {
constexpr uint64_t kDefaultLimit = 1'000'000'000;
}

// A kernel's code runs on the thread of its worker, one core at a time; what is left goes with the core.
__attribute__((tls_model("initial-exec"))) thread_local uint64_t blocks_left = UINT64_MAX;

uint64_t block_limit(const Launch& launch) {
  return launch.options.block_limit != 0 ? launch.options.block_limit : kDefaultLimit;
}

namespace {

[[noreturn]] __attribute__((noinline)) void give_up() {
  Core& core = *running_core;
  core.inside.store(true, std::memory_order_relaxed);
  const Entry& at = core.scalar_entry;
  core.fail(PTOPRO_LOOP_LIMIT, "loop_limit",
            "the scalar code has run more than " + std::to_string(block_limit(core.block.launch)) +
                " basic blocks: a loop that does not end; the last instruction before it is named here",
            at.op, Pipe::S, Where{at.file, at.line});
}

}  // namespace

}  // namespace ptopro::sim

extern "C" void __sanitizer_cov_trace_pc() {
  using namespace ptopro::sim;
  if (--blocks_left == 0 && running_core != nullptr) give_up();
}
