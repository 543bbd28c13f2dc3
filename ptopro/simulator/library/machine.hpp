// The simulated machine: a launch has blocks, a block has cores, a core has a scalar unit and pipes with queues.
//
// The scalar unit runs the kernel's code in a coroutine and queues instructions (machine_issue.cpp); whether a queued
// instruction may start and what starting it does to flags, locks and clocks is machine_sync.cpp and
// machine_pipes.cpp; which one starts next is schedule.cpp; who runs the blocks is launch.cpp.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "coroutine.hpp"
#include "costs.hpp"
#include "memories.hpp"
#include "ptopro/issue.hpp"
#include "ptopro/record.hpp"
#include "report.hpp"

namespace ptopro::sim {

constexpr int kPipes = 7;  // S to FIX
constexpr int kFlagIds = 16;
constexpr int kLockIds = 32;
constexpr size_t kMailboxWords = 1024;
constexpr uint32_t kPendingMax = 15;           // sets of a cross-core flag that are not waited for yet
constexpr size_t kQueueCap = size_t{1} << 20;  // instructions that a core may have queued
constexpr Pipe kNoPipe = Pipe::ALL;

constexpr int index_of(Pipe pipe) { return static_cast<int>(pipe); }

// One instruction in a queue.  A synchronisation instruction has no record.
struct Entry {
  Record* record = nullptr;
  const char* file = nullptr;
  uint32_t line = 0;
  Opcode op = Opcode::Count;
  Pipe pipe = Pipe::S;
  Pipe other = Pipe::S;  // the second pipe of a flag
  int16_t id = 0;
  int16_t mode = 0;
  // A lock's acquire waits until pipe `lock_pipe` has released the id `lock_count` times.
  Pipe lock_pipe = kNoPipe;
  uint32_t lock_count = 0;
  uint32_t order = 0;  // in the program of its core; counted when somebody observes
  Cycles issued = 0;
};

// First in, first out, in a ring that grows.
class Queue {
 public:
  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }
  Entry& front() { return ring_[first_]; }
  const Entry& at(size_t i) const { return ring_[(first_ + i) & (ring_.size() - 1)]; }
  void push(const Entry& entry) {
    if (count_ == ring_.size()) grow();
    ring_[(first_ + count_++) & (ring_.size() - 1)] = entry;
  }
  void pop() {
    first_ = (first_ + 1) & (ring_.size() - 1);
    --count_;
  }
  void clear() { first_ = count_ = 0; }

 private:
  void grow();
  std::vector<Entry> ring_;
  size_t first_ = 0, count_ = 0;
};

struct PipeState {
  Queue queue;
  Cycles free = 0;      // when the next instruction can start
  Cycles complete = 0;  // when everything so far has completed (transfers overlap, so later than free)
  Cycles busy = 0;      // total work
};

// A flag: sets that are not waited for yet, with the time of each.
class Flag {
 public:
  uint32_t sets = 0, waits = 0;
  const char* set_file = nullptr;  // of the last set
  uint32_t set_line = 0;
  Pipe set_pipe = kNoPipe;
  uint32_t pending() const { return sets - waits; }
  void set(Cycles time, const Entry& by) {
    if (waits == sets) times_.clear(), first_ = 0;
    times_.push_back(time);
    ++sets;
    set_file = by.file;
    set_line = by.line;
    set_pipe = by.pipe;
  }
  Cycles take() {
    ++waits;
    return times_[first_++];
  }
  void reset() {
    sets = waits = set_line = 0;
    set_file = nullptr;
    times_.clear();
    first_ = 0;
  }

 private:
  std::vector<Cycles> times_;
  size_t first_ = 0;
};

// A flag between cores: the hardware counts 15 pending sets at most.
class CrossFlag : public Flag {
 public:
  // `time`: when the waiting pipe took the set.
  void taken_at(Cycles time) { taken_[(waits - 1) % kPendingMax] = time; }
  bool has_room() const { return pending() < kPendingMax; }
  // Whether, by the clocks, 15 sets were still pending when one arrives at `time`.  Needs has_room().
  bool was_full(Cycles time) const { return sets >= kPendingMax && taken_[sets % kPendingMax] > time; }

 private:
  Cycles taken_[kPendingMax] = {};  // of the last waits
};

// A lock id of a core.  The first half is the program order seen by the scalar unit, the second what pipes have done.
struct Lock {
  bool held = false;
  Pipe pipe = kNoPipe;  // of the last acquire
  int mode = 0;
  const char* file = nullptr;
  uint32_t line = 0;
  uint32_t issued[kPipes] = {};    // releases issued
  uint32_t released[kPipes] = {};  // releases done
  Cycles time[kPipes] = {};        // of the last release
};

// The unit flag of a piece of the accumulator: full from a final matmul to a final store.
struct UnitFlag {
  bool full = false;
  Cycles time = 0;
  Opcode op = Opcode::Count;  // who changed it last
  const char* file = nullptr;
  uint32_t line = 0;
  // The last store or move of a full unit that had no phase, and so did not empty it.
  Opcode passed_by = Opcode::Count;
  const char* passed_file = nullptr;
  uint32_t passed_line = 0;
};
constexpr uint64_t kUnitBytes = 1024;

// What a scalar unit waits for.
enum class Wait : uint8_t {
  None,
  Window,   // it is far enough ahead of its pipes
  Settle,   // its pipes go on as far as they can (a scalar access under eager visibility)
  Drain,    // its pipes are empty
  Sync,     // `scalar_entry`: a synchronisation instruction of pipe S
  SyncAll,  // the barrier of the launch
  Turn,     // the token of serial mode
  Finished,
};

class Launch;
class Block;
class Observer;

// machine_pipes.cpp: the code that an instruction runs is at fault, which ends its block; whether an address lies in a
// tensor of the launch.
[[noreturn]] void fail_code(std::string message);
bool in_tensor(const uint8_t* address);

class Core {
 public:
  Core(Block& block, int index);

  // Back to the beginning, for a new block.
  void reset();
  void start();
  bool scalar_ready() const;
  void run_scalar();

  // Called on the scalar unit's coroutine.
  void wait(Wait reason);
  [[noreturn]] void fail(int code, const char* kind, std::string message, Opcode op, Pipe pipe, Where where);

  Record* take_record();
  void give_back(Record* record) {
    if (record->code.drop) record->code.drop(record->code.state);
    record->code = Code{};
    free_records_.push_back(record);
  }

  Flag& flag(Pipe from, Pipe to, int id) { return flags_[index_of(from)][index_of(to)][id]; }
  const char* name() const;
  PipeState& pipe(Pipe p) { return pipes[index_of(p)]; }
  // The clock of the scalar unit.
  Cycles& clock() { return pipes[0].free; }

  Block& block;
  const int index;  // 0 cube, 1 and 2 vector cores
  Place place;
  const CoreMemory* memory = nullptr;
  std::array<PipeState, kPipes> pipes;
  std::array<Lock, kLockIds> locks;
  std::array<CrossFlag, kFlagIds> device_flags;                  // set by messages of other cores of the block
  std::array<uint32_t, kFlagIds> device_sets{}, device_taken{};  // messages to all cores of one kind
  std::vector<UnitFlag> units;

  Wait waiting = Wait::None;
  Entry scalar_entry;  // what the scalar unit is at, for waits and reports
  size_t queued = 0, window = 0;
  int sync_type = 0;  // the barrier that it waits at
  uint32_t sync_rounds[3] = {};
  int turn = 0;
  uint8_t atomic = 0;
  uint64_t control = 0;
  uint64_t instructions = 0, syncs = 0;
  uint64_t blocks_left = 0;  // see loop_guard.hpp
  // Whether the machine's code runs on behalf of this scalar unit; a signal that stops kernel code leaves it alone.
  std::atomic<bool> inside{false};
  Coroutine coroutine;
  // A signal that kernel code (or an instruction body) met, see faults.cpp.
  volatile int fault_signal = 0;
  const void* volatile fault_address = nullptr;

 private:
  static void enter(void* self);

  Flag flags_[kPipes][kPipes][kFlagIds];
  std::vector<Record*> free_records_;
  std::vector<std::unique_ptr<Record[]>> records_;
};

enum class BlockState : uint8_t { Running, Parked, Done, Failed, Stopped };

class Schedule;

class Block {
 public:
  explicit Block(Launch& launch);
  ~Block();

  // The state of a block that has not started.
  void reset(int index);
  // Runs until the end, a fault, or until only another block can help.
  BlockState run();

  bool mixed() const;    // cube and vector cores
  bool settles() const;  // whether a scalar access sees everything that can have been done
  Core* core(int index) { return cores_[index].get(); }  // null where the launch has no such core
  // Every core of the block in order.
  const std::vector<Core*>& cores() const { return list_; }

  // machine_sync.cpp: whether an instruction may start.
  bool ready(Core& core, const Entry& entry);
  // machine_pipes.cpp: starts the head of a pipe.  A fault is left in `finding`.
  void execute_head(Core& core, PipeState& pipe);
  void execute(Core& core, const Entry& entry);
  void fail(Finding found);
  Finding describe(int code, const char* kind, std::string message, const Core& core, Opcode op, Pipe pipe,
                   const char* file, uint32_t line) const;
  // Everything that cannot go on.
  std::vector<WaitReport> waits();

  Launch& launch;
  int index = 0;
  BlockState state = BlockState::Running;
  bool failed = false;
  Finding finding;
  BlockMemory memory;
  std::array<uint32_t, kMailboxWords> mailbox;  // what the scalar units of the cores exchange
  std::unique_ptr<Observer> observer;           // null without checks and trace
  std::string output;                           // what the kernel printed
  std::atomic<bool> logged{false};              // whether the launch's atomic log has stores of this block
  uint64_t seen_generation = 0;

  // Flags between cube and vector cores, per vector core, and what has come of messages that need both vector cores.
  CrossFlag to_vector[2][kFlagIds], to_cube[2][kFlagIds];
  CrossFlag half_to_cube[2][kFlagIds], half_to_both[2][kFlagIds];

 private:
  friend void fail_code(std::string message);
  friend bool in_tensor(const uint8_t* address);
  bool run_scalars();
  bool run_token();
  bool widen();
  bool waits_for_launch();
  void execute_sync(Core& core, const Entry& entry);
  // The flags between cores that an instruction sets.
  std::vector<CrossFlag*> targets(Core& core, const Entry& entry);
  void send_message(Core& core, const Entry& entry, Cycles done);
  void fail_overflow(const Core& core, const Entry& entry, const CrossFlag& flag);
  // Every instruction passes here when it has executed.
  void account(Core& core, const Entry& entry, Cycles free, Cycles start, Cycles end, Cycles busy);
  void observe_units(Core& core, const Record& record, bool passed);
  void execute_data(Core& core, const Entry& entry);
  void store_atomically(Core& core, const Record& record, void (*body)(const CoreMemory&, const Record&));
  BlockState run_loop();
  BlockState stand_still();

  std::array<std::unique_ptr<Core>, 3> cores_;
  std::vector<Core*> list_;
  std::unique_ptr<Schedule> schedule_;
  Core* executing_ = nullptr;  // whose instruction runs, and which
  Entry executing_entry_;
};

// machine_sync.cpp: the unit flags of an instruction's accumulator delay its start and follow its completion.
Cycles join_units(Core& core, const Record& record, Cycles start);
void pass_units(Core& core, const Record& record, Cycles complete);
// What the unit flags of an instruction wait for, in words.
std::string describe_units(Core& core, const Record& record);

// machine_waits.cpp: the finding of a standstill.
Finding deadlock_of(std::vector<WaitReport> waits);

// The text of what an instruction waits for and who should provide it.
std::string describe_cause(Block& block, Core& core, const Entry& entry, std::string* peer);

}  // namespace ptopro::sim
