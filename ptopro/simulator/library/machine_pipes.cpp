// A block at work: its scalar units take turns, its pipes execute, and a fault or a standstill ends it.
#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <utility>

#include "atomics.hpp"
#include "faults.hpp"
#include "launch.hpp"
#include "machine.hpp"
#include "observer.hpp"
#include "ptopro/code.hpp"
#include "schedule.hpp"

namespace ptopro::sim {

namespace {
thread_local Block* executing_block = nullptr;
}

void fail_code(std::string message) {
  Block& block = *executing_block;
  const Entry& at = block.executing_entry_;
  block.fail(block.describe(PTOPRO_OUT_OF_BOUNDS, "out_of_bounds", std::string(name_of(at.op)) + " " + message,
                            *block.executing_, at.op, at.pipe, at.file, at.line));
  code_run.log = nullptr;
  siglongjmp(*body_fault, SIGSEGV);
}

bool in_tensor(const uint8_t* address) { return executing_block->launch.tensors.at(address) != nullptr; }

Block::Block(Launch& shared)
    : launch(shared),
      memory(shared.options.chip, shared.cube != nullptr, shared.vectors),
      schedule_(make_schedule(shared.options)) {
  for (int i = 0; i < 3; ++i) {
    if (i == 0 ? launch.cube == nullptr : i > launch.vectors) continue;
    cores_[i] = std::make_unique<Core>(*this, i);
    list_.push_back(cores_[i].get());
  }
  if (launch.options.checks != 0) observer = std::make_unique<Observer>(*this);
}

Block::~Block() = default;

bool Block::mixed() const { return launch.cube != nullptr && launch.vectors > 0; }

bool Block::settles() const { return schedule_->settles(); }

void Block::reset(int number) {
  index = number;
  state = BlockState::Running;
  failed = false;
  finding = Finding{};
  output.clear();
  logged = false;
  memory.refill();
  mailbox.fill(0xffffffff);
  schedule_->reset(*this);
  if (observer) observer->reset();
  for (int lane = 0; lane < 2; ++lane)
    for (int id = 0; id < kFlagIds; ++id)
      for (CrossFlag* flag :
           {&to_vector[lane][id], &to_cube[lane][id], &half_to_cube[lane][id], &half_to_both[lane][id]})
        flag->reset();
  for (Core* core : list_) {
    core->reset();
    core->window = schedule_->window();
    core->start();
  }
}

void Block::fail(Finding found) {
  if (failed) return;
  failed = true;
  finding = std::move(found);
}

Finding Block::describe(int code, const char* kind, std::string message, const Core& core, Opcode op, Pipe pipe,
                        const char* file, uint32_t line) const {
  Finding found;
  found.code = code;
  found.kind = kind;
  found.message = std::move(message);
  found.block = index;
  found.core = core.name();
  found.pipe = name_of(pipe);
  found.operation = op < Opcode::Count ? name_of(op) : "";
  found.file = file ? file : "";
  found.line = line;
  return found;
}

void Block::execute_head(Core& core, PipeState& pipe) {
  const Entry entry = pipe.queue.front();
  pipe.queue.pop();
  --core.queued;
  execute(core, entry);
}

void Block::execute(Core& core, const Entry& entry) {
  if (entry.record == nullptr) return execute_sync(core, entry);
  execute_data(core, entry);
  core.give_back(entry.record);
}

void Block::execute_data(Core& core, const Entry& entry) {
  const Record& record = *entry.record;
  PipeState& pipe = core.pipe(entry.pipe);
  executing_block = this;
  executing_ = &core;
  executing_entry_ = entry;
  if (observer) {
    observer->started(core, entry);
    observe_units(core, record, false);
    if (record.code.run == nullptr)
      observer->data(core, entry);
    else
      code_run.log = observer->begin_code(core, entry);
  }
  const Body body = body_of(record.op);
  if (record.uses_global && logged.load(std::memory_order_relaxed)) {
    const std::lock_guard<std::mutex> lock(launch.mutex);
    if (record.mod.atomic == 0) launch.atomics[index].apply_overlapping(record.global);
  }
  if (record.mod.atomic != 0)
    store_atomically(core, record, body);
  else
    body(*core.memory, record);
  if (record.code.run != nullptr) {
    memory.touch(core.index, Memory::Vec, core.memory->size[static_cast<int>(Memory::Vec)]);
    if (observer) observer->end_code(core, entry);
    code_run.log = nullptr;
  }
  if (observer) observer->wrote(core, entry);
  executing_ = nullptr;

  const Cost cost = record.code.run ? cost_of_code(code_run.instructions, launch.costs) : cost_of(record, launch.costs);
  const Cycles free = pipe.free;
  const Cycles start = join_units(core, record, std::max(free, entry.issued));
  const Cycles complete = start + cost.busy + cost.latency;
  // Transfers start in order and overlap in flight; the other pipes finish one operation before the next.
  const bool transfer = entry.pipe == Pipe::MTE1 || entry.pipe == Pipe::MTE2 || entry.pipe == Pipe::MTE3;
  pipe.free = transfer ? start + cost.busy : complete;
  pass_units(core, record, complete);
  if (observer) observe_units(core, record, true);
  account(core, entry, free, start, complete, transfer ? cost.busy : complete - start);
}

void Block::account(Core& core, const Entry& entry, Cycles free, Cycles start, Cycles end, Cycles busy) {
  PipeState& pipe = core.pipe(entry.pipe);
  if (entry.record != nullptr) pipe.complete = std::max(pipe.complete, end);
  pipe.busy += busy;
  if (observer) observer->ended(core, entry, free, start, end);
}

void Block::store_atomically(Core& core, const Record& record, Body body) {
  std::vector<uint8_t> values;
  Record plain = record;
  plain.global = dense(record.global, values);
  plain.mod.atomic = 0;
  body(*core.memory, plain);
  const std::lock_guard<std::mutex> lock(launch.mutex);
  if (!order_matters(record.global.dtype, record.mod.atomic))
    return apply_atomic(record.global, record.mod.atomic, values.data());
  launch.atomics[index].add(core.index, record.global, record.mod.atomic, std::move(values));
  logged = true;
}

bool Block::run_scalars() {
  bool moved = false;
  for (Core* core : list_) {
    if (!core->scalar_ready()) continue;
    core->run_scalar();
    moved = true;
    if (failed) return true;
  }
  return moved;
}

// Serial mode: the first core in the order cube, vector 0, vector 1 that is not at a marker runs alone.
bool Block::run_token() {
  bool at_marker = false;
  for (Core* core : list_) {
    if (core->scalar_ready()) {
      core->run_scalar();
      return true;
    }
    if (core->waiting == Wait::Turn) at_marker = true;
  }
  if (!at_marker) return false;
  for (Core* core : list_)
    if (core->waiting == Wait::SyncAll) return false;
  const Core* first = list_.front();
  for (const Core* core : list_) {
    if (core->waiting == Wait::Turn && first->waiting == Wait::Turn && core->turn == first->turn) continue;
    const Core* other = core->waiting == Wait::Turn ? core : first;
    const auto where = [](const Core* c) {
      return c->waiting == Wait::Turn ? "is at marker " + std::to_string(c->turn) : std::string("has ended");
    };
    fail(describe(PTOPRO_SYNC_FAULT, "turn_order",
                  "the halves of the kernel meet their sections in different order: " + std::string(first->name()) +
                      " " + where(first) + ", " + core->name() + " " + where(core),
                  *other, Opcode::Count, Pipe::S, other->scalar_entry.file, other->scalar_entry.line));
    return true;
  }
  for (Core* core : list_) core->waiting = Wait::None;
  return true;
}

// Nothing moves: a scalar unit that paused because it was far ahead goes on; scalar accesses take what is there.
bool Block::widen() {
  bool moved = false;
  for (Core* core : list_) {
    if (core->waiting == Wait::Settle) {
      core->waiting = Wait::None;
      moved = true;
    }
    if (core->waiting != Wait::Window) continue;
    if (core->queued >= kQueueCap) {
      const Entry& at = core->scalar_entry;
      fail(describe(PTOPRO_QUEUE_FULL, "queue_full",
                    "more than " + std::to_string(kQueueCap) + " instructions are queued and none can start", *core,
                    at.op, at.pipe, at.file, at.line));
      finding.waits = waits();
      return true;
    }
    core->window = std::min(core->window * 2, kQueueCap);
    core->waiting = Wait::None;
    moved = true;
  }
  return moved;
}

bool Block::waits_for_launch() {
  for (Core* core : list_) {
    if (core->waiting == Wait::SyncAll) return true;
    if (core->waiting == Wait::Sync && core->scalar_entry.op == Opcode::WaitFlagDev) return true;
    for (PipeState& pipe : core->pipes)
      if (!pipe.queue.empty() && pipe.queue.front().op == Opcode::WaitFlagDev) return true;
  }
  return false;
}

BlockState Block::run() {
  sigjmp_buf fault;
  body_fault = &fault;
  const int signal = sigsetjmp(fault, 0);
  if (signal == 0) {
    state = run_loop();
  } else {
    const Entry& at = executing_entry_;
    if (executing_ != nullptr)
      fail(describe(PTOPRO_MEMORY_FAULT, "memory_fault",
                    std::string(name_of(at.op)) + " ended in " + signal_text(signal), *executing_, at.op, at.pipe,
                    at.file, at.line));
    else
      fail(describe(PTOPRO_INTERNAL, "internal", std::string("the simulator ended in ") + signal_text(signal),
                    *list_.front(), Opcode::Count, Pipe::S, nullptr, 0));
    state = BlockState::Failed;
  }
  body_fault = nullptr;
  return state;
}

BlockState Block::run_loop() {
  while (true) {
    if (launch.cancelled(index)) return BlockState::Stopped;
    bool moved = launch.serial() ? run_token() : run_scalars();
    if (!failed) moved |= schedule_->step(*this);
    if (failed) return BlockState::Failed;
    if (moved || widen()) {
      if (failed) return BlockState::Failed;
      continue;
    }
    const bool finished = std::all_of(list_.begin(), list_.end(), [](const Core* core) {
      return core->waiting == Wait::Finished && core->queued == 0;
    });
    if (finished) {
      if (observer) observer->finished();
      return BlockState::Done;
    }
    return stand_still();
  }
}

BlockState Block::stand_still() {
  const auto full = [&](Core& core, const Entry& entry) {
    for (CrossFlag* flag : targets(core, entry))
      if (!flag->has_room()) fail_overflow(core, entry, *flag);
  };
  if (waits_for_launch()) return BlockState::Parked;
  for (Core* core : list_) {
    for (PipeState& pipe : core->pipes)
      if (!pipe.queue.empty()) full(*core, pipe.queue.front());
    if (core->waiting == Wait::Sync) full(*core, core->scalar_entry);
  }
  if (failed) return BlockState::Failed;
  fail(deadlock_of(waits()));
  return BlockState::Failed;
}

}  // namespace ptopro::sim
