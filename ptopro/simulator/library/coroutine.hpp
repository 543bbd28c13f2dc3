// A stackful coroutine: the scalar unit of a core runs the kernel's C++ code on a stack of its own.
//
// A coroutine that is not resumed any more is simply abandoned: kernel code holds nothing that needs unwinding, and the
// stack is used again by the next coroutine.
#pragma once

#include <cstddef>

namespace ptopro::sim {

// A mapped stack with an unmapped page below it.
class Stack {
 public:
  static constexpr size_t kBytes = size_t{1} << 20;
  Stack();
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  std::byte* low() const { return low_; }
  std::byte* high() const { return low_ + kBytes; }
  // Whether an address is in the guard page: the stack overflowed.
  bool guards(const void* address) const;

 private:
  std::byte* map_ = nullptr;
  std::byte* low_ = nullptr;
};

class Coroutine {
 public:
  using Entry = void (*)(void* argument);

  // Sets the coroutine to the beginning of entry(argument); what ran before is abandoned.  entry must not return:
  // its last act is a suspend.
  void start(Entry entry, void* argument);
  // Runs until the coroutine suspends.  Called by the thread that owns it.
  void resume();
  // Back to resume().  Called on the coroutine's stack, or from a signal handler that interrupted it.
  void suspend();
  const Stack& stack() const { return stack_; }

 private:
  Stack stack_;
  void* inner_ = nullptr;  // stack pointer of the suspended coroutine
  void* outer_ = nullptr;  // of the thread while the coroutine runs
};

}  // namespace ptopro::sim
