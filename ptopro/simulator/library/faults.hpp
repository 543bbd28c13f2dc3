// Signals that kernel code raises (or that stop it) become findings instead of the end of the process.
#pragma once

#include <pthread.h>

#include <csetjmp>

namespace ptopro::sim {

// While one exists, the process has handlers for memory faults, arithmetic faults and the stop signal.
class FaultHandlers {
 public:
  FaultHandlers();
  ~FaultHandlers();
  FaultHandlers(const FaultHandlers&) = delete;
  FaultHandlers& operator=(const FaultHandlers&) = delete;
};

// A stack for signal handlers of this thread, so that an overflow of a kernel's stack can be handled.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  void* memory_ = nullptr;
  void* old_ = nullptr;
};

// Where a fault of an instruction body on this thread goes on; null: it is not handled.
extern thread_local sigjmp_buf* body_fault;

// Makes a thread leave kernel code if it is in it.
void interrupt_thread(pthread_t thread);

const char* signal_text(int signal);

}  // namespace ptopro::sim
