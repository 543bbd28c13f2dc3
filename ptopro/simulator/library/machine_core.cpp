// A core: its state between blocks, and its scalar unit as a coroutine.
#include <algorithm>

#include "faults.hpp"
#include "launch.hpp"
#include "loop_guard.hpp"
#include "machine.hpp"

namespace ptopro::sim {

void Queue::grow() {
  std::vector<Entry> wider(ring_.empty() ? 64 : ring_.size() * 2);
  for (size_t i = 0; i < count_; ++i) wider[i] = at(i);
  ring_ = std::move(wider);
  first_ = 0;
}

Core::Core(Block& owner, int number) : block(owner), index(number), memory(&owner.memory.core(number)) {
  if (number == 0) units.resize((memory->size[static_cast<int>(Memory::Acc)] + kUnitBytes - 1) / kUnitBytes);
}

void Core::reset() {
  for (PipeState& pipe : pipes) {
    while (!pipe.queue.empty()) {
      if (pipe.queue.front().record) give_back(pipe.queue.front().record);
      pipe.queue.pop();
    }
    pipe.free = pipe.complete = pipe.busy = 0;
  }
  locks.fill(Lock{});
  for (Flag& flag : device_flags) flag.reset();
  for (auto& from : flags_)
    for (auto& to : from)
      for (Flag& flag : to)
        if (flag.sets) flag.reset();
  device_sets.fill(0);
  device_taken.fill(0);
  std::fill(units.begin(), units.end(), UnitFlag{});
  waiting = Wait::None;
  scalar_entry = Entry{};
  queued = 0;
  std::fill(std::begin(sync_rounds), std::end(sync_rounds), 0);
  turn = 0;
  atomic = 0;
  control = 0;
  instructions = syncs = 0;
  blocks_left = block_limit(block.launch);
  inside = false;
  fault_signal = 0;
  place.block = block.index;
  place.blocks = block.launch.blocks;
  place.is_cube = index == 0;
  place.subblock = index == 2;
  place.subblocks = index == 0 ? 1 : block.launch.vectors;
}

void Core::start() { coroutine.start(enter, this); }

void Core::enter(void* self) {
  Core& core = *static_cast<Core*>(self);
  const Launch& launch = core.block.launch;
  (core.place.is_cube ? launch.cube : launch.vector)(launch.args);
  core.inside = true;
  core.wait(Wait::Finished);
}

bool Core::scalar_ready() const {
  switch (waiting) {
    case Wait::None:
      return true;
    case Wait::Window:
      return queued <= window / 2;
    case Wait::Settle:
    case Wait::Drain:
      return queued == 0;
    case Wait::Sync:
      return block.ready(const_cast<Core&>(*this), scalar_entry);
    case Wait::SyncAll:
      return block.launch.released(sync_type, sync_rounds[sync_type] - 1);
    case Wait::Turn:
    case Wait::Finished:
      return false;
  }
  return false;
}

void Core::run_scalar() {
  waiting = Wait::None;
  running_core = this;
  ptopro::sim::blocks_left = blocks_left;
  coroutine.resume();
  blocks_left = ptopro::sim::blocks_left;
  running_core = nullptr;
  if (fault_signal == 0) return;
  std::string text = std::string("the kernel's scalar code ended in ") + signal_text(fault_signal);
  if (coroutine.stack().guards(fault_address)) {
    text = "the kernel's scalar code used more than " + std::to_string(Stack::kBytes >> 10) + " KiB of stack";
  } else if (reinterpret_cast<uintptr_t>(fault_address) < (uintptr_t{1} << 20)) {
    text += " (address " + std::to_string(reinterpret_cast<uintptr_t>(fault_address)) +
            ": a null tensor, or an on-chip address that only instructions, GetValue and SetValue may use)";
  }
  text += "; the last instruction before it is named here";
  block.fail(block.describe(PTOPRO_MEMORY_FAULT, "memory_fault", text, *this, scalar_entry.op, Pipe::S,
                            scalar_entry.file, scalar_entry.line));
}

void Core::wait(Wait reason) {
  waiting = reason;
  coroutine.suspend();
}

void Core::fail(int code, const char* kind, std::string message, Opcode op, Pipe at, Where where) {
  block.fail(block.describe(code, kind, std::move(message), *this, op, at, where.file, where.line));
  while (true) coroutine.suspend();
}

Record* Core::take_record() {
  if (free_records_.empty()) {
    constexpr size_t kChunk = 256;
    records_.push_back(std::make_unique<Record[]>(kChunk));
    for (size_t i = kChunk; i-- > 0;) free_records_.push_back(&records_.back()[i]);
  }
  Record* record = free_records_.back();
  free_records_.pop_back();
  return record;
}

const char* Core::name() const {
  static constexpr const char* kNames[] = {"cube", "vector 0", "vector 1"};
  return kNames[index];
}

}  // namespace ptopro::sim
