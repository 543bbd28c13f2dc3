// Happens-before inside a block, by vector clocks.
//
// Each of the 21 pipes of a block counts its operations.  A pipe's clock says, per pipe, how many operations are known
// to be complete before what it does next.  Synchronisation joins clocks; whether an operation comes after another one
// is then one comparison, whatever order the machine ran them in.
//  * V, M, FIX and S take one operation after the other.  Transfers of MTE1, MTE2, MTE3 overlap: an operation is before
//    a later one of its own pipe only if a barrier, or a clock that saw its completion, lies between them.
//  * What the scalar unit has waited for lies before every instruction that it issues afterwards.  What it has itself
//    read or written does not, unless it sets a flag or meets a barrier.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "machine.hpp"

namespace ptopro::sim {

constexpr int kCores = 3;
constexpr int kComponents = kCores * kPipes;
constexpr int kRoundKinds = 5;  // barriers over vector cores, cubes, all cores; messages to all vector cores, all cubes

struct VectorClock {
  uint32_t operations[kComponents] = {};
  uint32_t rounds[kRoundKinds] = {};  // of the launch's barriers that lie before
  uint32_t unused[2] = {};
  void join(const VectorClock& other) {
    for (int i = 0; i < kComponents; ++i)
      operations[i] = operations[i] > other.operations[i] ? operations[i] : other.operations[i];
    for (int i = 0; i < kRoundKinds; ++i) rounds[i] = rounds[i] > other.rounds[i] ? rounds[i] : other.rounds[i];
  }
};

constexpr int component_of(int core, Pipe pipe) { return core * kPipes + index_of(pipe); }
constexpr bool overlaps_itself(Pipe pipe) { return pipe == Pipe::MTE1 || pipe == Pipe::MTE2 || pipe == Pipe::MTE3; }

// What a set leaves for the wait that takes it.
struct Token {
  VectorClock clock;
  int64_t event = -1;  // of the trace
};

// One participant's view of a barrier over the launch: what of this block is complete when the round is over.
struct RoundMark {
  int kind = 0;
  uint32_t round = 0;  // counted from 1
  VectorClock before;
};

class HappensBefore {
 public:
  void reset();

  // The scalar unit issues an instruction for a pipe; `order` counts the core's instructions.
  void issued(const Core& core, Pipe pipe, uint32_t order);
  // A pipe arrives at an instruction: what the scalar unit knew when it issued it is known now.
  void arrive(const Core& core, Pipe pipe, uint32_t order);
  // The next operation of a pipe; its number.
  uint32_t begin(int core, Pipe pipe) { return ++count_[component_of(core, pipe)]; }

  const VectorClock& now(int core, Pipe pipe) const { return clocks_[core][index_of(pipe)]; }
  // The pipe's clock with everything that it was given so far complete.
  VectorClock completed(int core, Pipe pipe) const;
  void join(int core, Pipe pipe, const VectorClock& clock);
  // Everything that the core was given so far is complete and known to the scalar unit.
  void drained(int core);
  void passed_round(int core, Pipe pipe, int kind, uint32_t round);

  // Sets of a flag and the waits that take them, first in, first out.
  void set(const Flag* flag, Token token) { flags_[flag].push_back(std::move(token)); }
  Token take(const Flag* flag);

 private:
  struct Delivery {
    uint32_t order;
    VectorClock clock;
  };
  VectorClock clocks_[kCores][kPipes];
  uint32_t count_[kComponents] = {};
  uint32_t version_[kCores] = {};            // of the scalar unit's clock
  uint32_t delivered_[kCores][kPipes] = {};  // the version that a pipe's queue has
  std::deque<Delivery> deliveries_[kCores][kPipes];
  std::unordered_map<const Flag*, std::deque<Token>> flags_;
};

}  // namespace ptopro::sim
