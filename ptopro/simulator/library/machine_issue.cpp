// What the scalar unit does: the functions of ptopro/issue.hpp, on the core whose code runs on this thread.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "launch.hpp"
#include "machine.hpp"
#include "observer.hpp"
#include "ptopro/issue.hpp"
#include "ptopro/numbers.hpp"
#include "schedule.hpp"

namespace ptopro::sim {

thread_local Core* running_core = nullptr;

namespace {

Core& here() {
  if (running_core == nullptr) {
    std::fputs("ptopro: an instruction was issued outside a launch\n", stderr);
    std::abort();
  }
  return *running_core;
}

// The machine's code runs on behalf of the scalar unit.
class Inside {
 public:
  explicit Inside(Core& core) : core_(core) { core_.inside.store(true, std::memory_order_relaxed); }
  ~Inside() { core_.inside.store(false, std::memory_order_relaxed); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Core& core_;
};

void note(Core& core, Opcode op, Pipe pipe, Where where) {
  core.scalar_entry.op = op;
  core.scalar_entry.pipe = pipe;
  core.scalar_entry.file = where.file;
  core.scalar_entry.line = where.line;
}

// Queues an instruction; the scalar unit pauses when it is far ahead.
void queue(Core& core, Entry& entry) {
  if (core.block.observer) core.block.observer->issued(core, entry);
  core.pipe(entry.pipe).queue.push(entry);
  if (++core.queued >= core.window) core.wait(Wait::Window);
}

Cycles drained(Core& core) {
  Cycles time = 0;
  for (const PipeState& pipe : core.pipes) time = std::max({time, pipe.free, pipe.complete});
  return time;
}

void drain(Core& core, Where where) {
  if (core.queued > 0) core.wait(Wait::Drain);
  const Cycles before = core.clock();
  core.clock() = drained(core);
  if (core.block.observer) core.block.observer->drained(core, before, core.clock(), where);
}

std::string at(const char* file, uint32_t line) { return std::string(file ? file : "?") + ":" + std::to_string(line); }

void check_id(Core& core, Opcode op, Pipe pipe, int id, int limit, Where where) {
  if (id >= 0 && id < limit) return;
  core.fail(PTOPRO_SYNC_FAULT, "id_range",
            std::string(name_of(op)) + " has id " + std::to_string(id) + ", outside 0 to " + std::to_string(limit - 1),
            op, pipe, where);
}

void acquire(Core& core, Entry& entry, Where where) {
  Lock& lock = core.locks[entry.id];
  if (lock.held)
    core.fail(PTOPRO_SYNC_FAULT, "lock_held",
              "lock id " + std::to_string(entry.id) + " is acquired on pipe " + name_of(entry.pipe) +
                  " while it is held by pipe " + name_of(lock.pipe) + " since " + at(lock.file, lock.line),
              entry.op, entry.pipe, where);
  // The pair before this one on another pipe has waited for all before it; on the same pipe the queue is in order.
  if (lock.pipe != kNoPipe && lock.pipe != entry.pipe) {
    entry.lock_pipe = lock.pipe;
    entry.lock_count = lock.issued[index_of(lock.pipe)];
  }
  lock.held = true;
  lock.pipe = entry.pipe;
  lock.mode = entry.mode;
  lock.file = where.file;
  lock.line = where.line;
}

void release(Core& core, const Entry& entry, Where where) {
  Lock& lock = core.locks[entry.id];
  if (!lock.held || lock.pipe != entry.pipe || lock.mode != entry.mode) {
    std::string holder = "nobody holds it";
    if (lock.held)
      holder = std::string("pipe ") + name_of(lock.pipe) + " holds it with mode " + std::to_string(lock.mode) +
               " since " + at(lock.file, lock.line);
    core.fail(PTOPRO_SYNC_FAULT, "lock_not_held",
              "lock id " + std::to_string(entry.id) + " is released on pipe " + name_of(entry.pipe) + " with mode " +
                  std::to_string(entry.mode) + ", but " + holder,
              entry.op, entry.pipe, where);
  }
  lock.held = false;
  ++lock.issued[index_of(entry.pipe)];
}

void sync_all(Core& core, int type, int cores, Where where) {
  constexpr int kVectorOnly = 0, kCubeOnly = 1;
  if ((type == kVectorOnly && core.place.is_cube) || (type == kCubeOnly && !core.place.is_cube)) return;
  drain(core, where);
  note(core, Opcode::SyncAll, Pipe::S, where);
  core.sync_type = type;
  const uint32_t round = core.sync_rounds[type];
  if (core.block.observer) core.block.observer->arrived_at_barrier(core, type, round);
  core.block.launch.arrive(core, type, cores);
  ++core.sync_rounds[type];
  if (!core.block.launch.released(type, round)) core.wait(Wait::SyncAll);
  const Cycles before = core.clock();
  core.clock() = std::max(before, core.block.launch.release_time(type, round));
  if (core.block.observer) core.block.observer->left_barrier(core, type, round, before, core.clock(), where);
}

void check_sync(Core& core, const Entry& entry, int raw_id, Where where) {
  const bool mixed = core.block.mixed();
  const bool only_a5 = entry.op == Opcode::GetBuf || entry.op == Opcode::RlsBuf || entry.op == Opcode::SetIntraBlock ||
                       entry.op == Opcode::WaitIntraBlock;
  if (only_a5 && core.block.launch.options.chip == PTOPRO_A3)
    core.fail(PTOPRO_SYNC_FAULT, "not_on_chip", std::string(name_of(entry.op)) + " does not exist on A2 and A3",
              entry.op, entry.pipe, where);
  switch (entry.op) {
    case Opcode::SetFlag:
    case Opcode::WaitFlag:
      check_id(core, entry.op, entry.pipe, raw_id, kFlagIds, where);
      if (entry.pipe == entry.other || entry.pipe == Pipe::ALL || entry.other == Pipe::ALL)
        core.fail(PTOPRO_SYNC_FAULT, "flag_pipes", "a flag needs two different pipes", entry.op, entry.pipe, where);
      return;
    case Opcode::GetBuf:
    case Opcode::RlsBuf:
      check_id(core, entry.op, entry.pipe, raw_id, kLockIds, where);
      if (entry.pipe == Pipe::ALL)
        core.fail(PTOPRO_SYNC_FAULT, "lock_pipe", "a lock needs one pipe", entry.op, entry.pipe, where);
      return;
    case Opcode::SetIntraBlock:
    case Opcode::WaitIntraBlock:
      check_id(core, entry.op, entry.pipe, raw_id, core.place.is_cube ? 2 * kFlagIds : kFlagIds, where);
      if (!mixed)
        core.fail(PTOPRO_SYNC_FAULT, "no_other_core",
                  std::string(name_of(entry.op)) + " needs a launch with cube and vector cores", entry.op, entry.pipe,
                  where);
      return;
    default:
      check_id(core, entry.op, entry.pipe, raw_id, kFlagIds, where);
  }
}

}  // namespace

Record& begin_record(Opcode op, Pipe pipe, Where where) {
  Core& core = here();
  core.inside.store(true, std::memory_order_relaxed);
  note(core, op, pipe, where);
  Record& record = *core.take_record();
  record.op = op;
  record.pipe = pipe;
  record.other = Pipe::S;
  record.tiles = 0;
  record.uses_global = false;
  record.mod = Modifiers{};
  record.line = where.line;
  record.file = where.file;
  record.id = record.row = record.col = 0;
  record.scale = 0;
  record.scalar = ScalarDesc{};
  record.code = Code{};
  return record;
}

void commit_record(Record& record) {
  Core& core = *running_core;
  Launch& launch = core.block.launch;
  const Where where{record.file, record.line};
  if (body_of(record.op) == nullptr)
    core.fail(PTOPRO_INTERNAL, "not_simulated",
              std::string("the simulator has no body for ") + name_of(record.op) + " yet", record.op, record.pipe,
              where);
  if (core.atomic != 0 && (record.op == Opcode::Store || record.op == Opcode::StoreFp)) record.mod.atomic = core.atomic;
  std::string wrong = check_tiles(record, core.block.memory, core.index, launch.vectors);
  if (wrong.empty() && record.uses_global) wrong = launch.tensors.check(record.global, record.op != Opcode::Load);
  if (!wrong.empty())
    core.fail(PTOPRO_OUT_OF_BOUNDS, "out_of_bounds", std::string(name_of(record.op)) + ": " + wrong, record.op,
              record.pipe, where);
  core.block.memory.touch_tiles(record, core.index);

  Entry entry;
  entry.record = &record;
  entry.file = record.file;
  entry.line = record.line;
  entry.op = record.op;
  entry.pipe = record.pipe;
  entry.issued = core.clock() += launch.costs.issue;
  ++core.instructions;
  queue(core, entry);
  core.inside.store(false, std::memory_order_relaxed);
}

void issue_sync(Opcode op, Pipe pipe, Pipe other, int id, int mode, Where where) {
  Core& core = here();
  const Inside inside(core);
  Launch& launch = core.block.launch;
  note(core, op, pipe, where);
  ++core.syncs;
  if (op == Opcode::SyncAll) return sync_all(core, mode, id, where);
  if (launch.serial()) return;
  if (op == Opcode::PipeBarrier && pipe == Pipe::ALL) return drain(core, where);
  core.clock() += launch.costs.issue;

  Entry entry;
  entry.file = where.file;
  entry.line = where.line;
  entry.op = op;
  entry.pipe = pipe;
  entry.other = other;
  entry.id = static_cast<int16_t>(id);
  entry.mode = static_cast<int16_t>(mode);
  entry.issued = core.clock();
  check_sync(core, entry, id, where);
  if (op == Opcode::GetBuf) acquire(core, entry, where);
  if (op == Opcode::RlsBuf) release(core, entry, where);

  if (pipe != Pipe::S) return queue(core, entry);
  if (core.block.observer) core.block.observer->issued(core, entry);
  core.scalar_entry = entry;
  if (!core.block.ready(core, entry)) core.wait(Wait::Sync);
  core.block.execute(core, entry);
  if (core.block.failed) core.wait(Wait::Sync);
}

namespace {

uint8_t* element_of(Core& core, const TileDesc& tile, uint64_t offset, bool write, Where where) {
  constexpr Opcode op = Opcode::Count;
  if (core.queued > 0 && core.block.settles()) core.wait(Wait::Settle);
  core.clock() += core.block.launch.costs.scalar_access;
  const int m = static_cast<int>(tile.memory);
  const uint64_t bytes = static_cast<uint64_t>(dtype_bits(tile.dtype)) / 8;
  const uint64_t first = tile.addr + offset * bytes;
  if (core.memory->bytes[m] == nullptr || first + bytes > core.memory->size[m])
    core.fail(PTOPRO_OUT_OF_BOUNDS, "out_of_bounds",
              "a scalar access to byte " + std::to_string(first) + " of " + name_of(tile.memory) + ", which has " +
                  std::to_string(core.memory->size[m]) + " bytes on this core",
              op, Pipe::S, where);
  core.block.memory.touch(core.index, tile.memory, first + bytes);
  if (core.block.observer) core.block.observer->scalar_access(core, tile, offset, write, where);
  return core.memory->bytes[m] + first;
}

}  // namespace

void scalar_read(const TileDesc& tile, uint64_t offset, void* value, Where where) {
  Core& core = here();
  const Inside inside(core);
  note(core, Opcode::Count, Pipe::S, where);
  std::memcpy(value, element_of(core, tile, offset, false, where), static_cast<size_t>(dtype_bits(tile.dtype)) / 8);
}

void scalar_write(const TileDesc& tile, uint64_t offset, const void* value, Where where) {
  Core& core = here();
  const Inside inside(core);
  note(core, Opcode::Count, Pipe::S, where);
  std::memcpy(element_of(core, tile, offset, true, where), value, static_cast<size_t>(dtype_bits(tile.dtype)) / 8);
}

volatile uint32_t* mailbox(int64_t offset, uint32_t words, Where where) {
  Core& core = here();
  const Inside inside(core);
  note(core, Opcode::Count, Pipe::S, where);
  constexpr int64_t bytes = kMailboxWords * sizeof(uint32_t);
  if (offset < 0 || offset % 4 != 0 || offset + static_cast<int64_t>(words) * 4 > bytes)
    core.fail(PTOPRO_OUT_OF_BOUNDS, "out_of_bounds",
              "a mailbox access of " + std::to_string(words) + " words at byte " + std::to_string(offset) +
                  "; the mailbox has " + std::to_string(bytes) + " bytes and is accessed in words of 4",
              Opcode::Count, Pipe::S, where);
  core.clock() += words * core.block.launch.costs.scalar_access;
  return core.block.mailbox.data() + offset / 4;
}

const Place& place() { return here().place; }

void set_atomic(uint8_t operation) { here().atomic = operation; }
uint64_t control_word() { return here().control; }
void set_control_word(uint64_t value) { here().control = value; }

void turn(int marker, Where where) {
  Core& core = here();
  const Inside inside(core);
  if (!core.block.launch.serial()) return;
  note(core, Opcode::Count, Pipe::S, where);
  core.turn = marker;
  core.wait(Wait::Turn);
}

void trap(Where where) {
  Core& core = here();
  core.inside.store(true, std::memory_order_relaxed);
  core.fail(PTOPRO_TRAP, "trap", "the kernel called trap()", Opcode::Count, Pipe::S, where);
}

void print(const char* format, ...) {
  Core& core = here();
  const Inside inside(core);
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length > 0) core.block.output.append(line, std::min(static_cast<size_t>(length), sizeof line - 1));
}

}  // namespace ptopro::sim
