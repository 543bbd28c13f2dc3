// Switching stacks: the registers that a call preserves are pushed, the stack pointer is exchanged.
#include "coroutine.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the simulator runs on x86-64 and aarch64"
#endif

extern "C" {
// Saves the registers on the current stack, its pointer in *save, and goes on where `load` was saved.
__attribute__((visibility("hidden"))) void ptopro_switch_stack(void** save, void* load);
__attribute__((visibility("hidden"))) void ptopro_enter_stack();
}

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl ptopro_switch_stack
.hidden ptopro_switch_stack
.type ptopro_switch_stack,@function
ptopro_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size ptopro_switch_stack,.-ptopro_switch_stack
.globl ptopro_enter_stack
.hidden ptopro_enter_stack
.type ptopro_enter_stack,@function
ptopro_enter_stack:
  movq %r12, %rdi
  callq *%r13
  ud2
.size ptopro_enter_stack,.-ptopro_enter_stack
)");
#else
asm(R"(
.text
.p2align 4
.globl ptopro_switch_stack
.hidden ptopro_switch_stack
.type ptopro_switch_stack,%function
ptopro_switch_stack:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size ptopro_switch_stack,.-ptopro_switch_stack
.globl ptopro_enter_stack
.hidden ptopro_enter_stack
.type ptopro_enter_stack,%function
ptopro_enter_stack:
  mov x0, x19
  blr x20
  brk #1
.size ptopro_enter_stack,.-ptopro_enter_stack
)");
#endif

namespace ptopro::sim {

namespace {
size_t page_bytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }
}  // namespace

Stack::Stack() {
  void* map = mmap(nullptr, kBytes + page_bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  map_ = static_cast<std::byte*>(map);
  low_ = map_ + page_bytes();
  if (mprotect(low_, kBytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(map_, kBytes + page_bytes());
    throw std::bad_alloc();
  }
}

Stack::~Stack() { munmap(map_, kBytes + page_bytes()); }

bool Stack::guards(const void* address) const {
  const auto at = reinterpret_cast<uintptr_t>(address);
  return at >= reinterpret_cast<uintptr_t>(map_) && at < reinterpret_cast<uintptr_t>(low_);
}

void Coroutine::start(Entry entry, void* argument) {
  auto* slot = reinterpret_cast<void**>(stack_.high());
#if defined(__x86_64__)
  *--slot = reinterpret_cast<void*>(ptopro_enter_stack);  // return address; the stack is aligned when it has been taken
  *--slot = nullptr;                                      // rbp
  *--slot = nullptr;                                      // rbx
  *--slot = argument;                                     // r12
  *--slot = reinterpret_cast<void*>(entry);               // r13
  *--slot = nullptr;                                      // r14
  *--slot = nullptr;                                      // r15
#else
  slot -= 20;
  for (int i = 0; i < 20; ++i) slot[i] = nullptr;
  slot[0] = argument;                                      // x19
  slot[1] = reinterpret_cast<void*>(entry);                // x20
  slot[11] = reinterpret_cast<void*>(ptopro_enter_stack);  // x30
#endif
  inner_ = slot;
}

void Coroutine::resume() { ptopro_switch_stack(&outer_, inner_); }

void Coroutine::suspend() { ptopro_switch_stack(&inner_, outer_); }

}  // namespace ptopro::sim
