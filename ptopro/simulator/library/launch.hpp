// The state that all blocks of a launch share: options, the barrier, messages between blocks, who failed.
#pragma once

#include <array>
#include <atomic>
#include <climits>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "atomics.hpp"
#include "block_overlap.hpp"
#include "costs.hpp"
#include "machine.hpp"
#include "memories.hpp"
#include "ptopro/launch.hpp"

namespace ptopro::sim {

// Arrivals that complete round by round; the k-th arrival of a core belongs to round k.
struct Rounds {
  struct Round {
    int arrived = 0;
    Cycles time = 0;
  };
  std::deque<Round> rounds;
  std::atomic<uint32_t> complete{0};
};

class Launch {
 public:
  Launch(const PtoproLaunch& options, PtoproEntry cube, PtoproEntry vector, void* const* args);

  const PtoproLaunch& options;
  const PtoproEntry cube, vector;
  void* const* const args;
  PtoproCosts costs;
  const Tensors tensors;
  const int blocks;
  const int vectors;  // vector cores of a block
  bool serial() const { return options.mode == PTOPRO_MODE_SERIAL; }

  // Runs everything; the workers are the calling thread and more.
  void run();

  // A core arrives at the barrier of a kind of cores.  Every core of that kind has to (or `cores` of them).
  void arrive(Core& core, int type, int cores);
  bool released(int type, uint32_t round) const { return barriers_[type].complete.load() > round; }
  Cycles release_time(int type, uint32_t round);

  // A message to all cores of one kind.
  void send_to_all(Core& core, int id, Cycles time);
  bool device_flag_ready(const Core& core, int id) const {
    return device_[!core.place.is_cube][id].complete.load() > core.device_taken[id];
  }
  Cycles take_device_flag(Core& core, int id);

  // A block that failed ends those after it; those before it go on, so that the first fault does not depend on threads.
  void block_failed(int block);
  bool cancelled(int block) const { return stop.load(std::memory_order_relaxed) || block > first_failed.load(); }
  void request_stop(int code);

  std::atomic<int> stop{0};
  std::atomic<int> first_failed{INT_MAX};

  // Results, by block.
  struct Result {
    BlockState state = BlockState::Stopped;
    Finding finding;
    std::string output;
    Cycles cycles = 0;
    std::array<Cycles, kPipes> busy{};
    std::array<std::array<Cycles, kPipes>, 3> core_busy{};
    uint64_t instructions = 0, syncs = 0;
    std::vector<Finding> checks;
    std::vector<PtoproTraceEvent> events;
  };
  std::vector<Result> results;
  std::vector<AtomicLog> atomics;  // by block
  std::vector<BlockUse> uses;      // of global memory, by all blocks
  uint64_t events_dropped = 0;
  bool met = false;  // blocks waited for each other: all of them run at the same time
  // Guards what blocks share: barriers, messages, atomic logs, results.
  std::mutex mutex;

 private:
  friend class Worker;
  int participants(int type, int cores) const;
  void advance();  // something that a parked block may wait for has happened; the mutex is held
  void finish(Block& block, BlockState state);

  Rounds barriers_[3];
  Rounds device_[2][kFlagIds];
  std::atomic<int> next_block_{0};
  std::condition_variable changed_;
  std::atomic<uint64_t> generation_{1};
  int workers_ = 0;
  uint64_t events_ = 0;
  int idle_ = 0;  // workers that found nothing to do since the last advance
  bool stuck_ = false;
};

// The core whose kernel code runs on this thread, null while the machine runs.
extern thread_local Core* running_core;

}  // namespace ptopro::sim
