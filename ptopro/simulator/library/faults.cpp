// Signal handlers: kernel code is left by switching back to the machine's stack, a body by a jump.
#include "faults.hpp"

#include <signal.h>

#include <cstdlib>
#include <mutex>

#include "launch.hpp"

namespace ptopro::sim {

thread_local sigjmp_buf* body_fault = nullptr;

namespace {

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr size_t kSignalStackBytes = 64 * 1024;

int stop_signal() { return SIGRTMIN + 6; }

std::mutex handlers_mutex;
int handlers_users = 0;
struct sigaction old_faults[4], old_stop;

void on_stop(int, siginfo_t*, void*) {
  Core* core = running_core;
  if (core == nullptr || core->inside.load(std::memory_order_relaxed)) return;
  if (!core->block.launch.stop.load(std::memory_order_relaxed)) return;
  core->coroutine.suspend();
}

void on_fault(int signal, siginfo_t* info, void*) {
  Core* core = running_core;
  if (core != nullptr && !core->inside.load(std::memory_order_relaxed)) {
    core->fault_address = info->si_addr;
    core->fault_signal = signal;
    core->coroutine.suspend();
  }
  if (body_fault != nullptr) siglongjmp(*body_fault, signal);
  // Not ours: the previous handler, or the default that ends the process.
  for (size_t i = 0; i < std::size(kFaults); ++i)
    if (kFaults[i] == signal) sigaction(signal, &old_faults[i], nullptr);
}

}  // namespace

FaultHandlers::FaultHandlers() {
  const std::lock_guard<std::mutex> lock(handlers_mutex);
  if (handlers_users++ > 0) return;
  struct sigaction action{};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = on_fault;
  for (size_t i = 0; i < std::size(kFaults); ++i) sigaction(kFaults[i], &action, &old_faults[i]);
  action.sa_sigaction = on_stop;
  action.sa_flags |= SA_RESTART;
  sigaction(stop_signal(), &action, &old_stop);
}

FaultHandlers::~FaultHandlers() {
  const std::lock_guard<std::mutex> lock(handlers_mutex);
  if (--handlers_users > 0) return;
  for (size_t i = 0; i < std::size(kFaults); ++i) sigaction(kFaults[i], &old_faults[i], nullptr);
  sigaction(stop_signal(), &old_stop, nullptr);
}

SignalStack::SignalStack() : memory_(std::malloc(kSignalStackBytes)), old_(std::malloc(sizeof(stack_t))) {
  if (memory_ == nullptr || old_ == nullptr) return;
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = kSignalStackBytes;
  sigaltstack(&stack, static_cast<stack_t*>(old_));
}

SignalStack::~SignalStack() {
  if (memory_ != nullptr && old_ != nullptr) sigaltstack(static_cast<stack_t*>(old_), nullptr);
  std::free(memory_);
  std::free(old_);
}

void interrupt_thread(pthread_t thread) { pthread_kill(thread, stop_signal()); }

const char* signal_text(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return "an access to memory that is not there";
    case SIGFPE:
      return "a division by zero";
    default:
      return "an index outside of an array";
  }
}

}  // namespace ptopro::sim
