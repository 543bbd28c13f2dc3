// What the code of one instruction (a vector function, the threads of a launch) touches, byte by byte, while it runs.
//
// In: accesses in the order in which the code makes them.  Out: for the race check, the bytes as few strided sets; and
// what the code does to itself: a load of bytes that a store before it has written with no mem_bar between, and threads
// of one launch that meet in a byte without atomics.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ptopro/issue.hpp"

namespace ptopro::sim {

// `count` runs of `bytes` bytes, `pitch` apart.
struct Strip {
  uint64_t first = 0, bytes = 0, pitch = 0, count = 1;
};

struct CodeConflict {
  bool found = false;
  uint64_t byte = 0;
  Where first{nullptr, 0}, second{nullptr, 0};
  uint32_t first_thread = 0, second_thread = 0;
};

class CodeLog {
 public:
  enum Kind { kRead, kWrite, kAtomic };
  // Addresses are those of the unified buffer; those of global memory are the host's.
  enum Space { kUb, kGlobal };

  void begin(bool threads);
  void access(Space space, Kind kind, uint64_t first, uint64_t bytes, Where where);
  void barrier() { stored_.clear(); }
  void next_thread(uint32_t thread) { thread_ = thread; }
  std::vector<Strip> strips(Space space, Kind kind);

  const CodeConflict& missing_barrier() const { return missing_barrier_; }
  const CodeConflict& between_threads() const { return between_threads_; }

 private:
  struct Interval {
    uint64_t first, end;
    Where where;
  };
  struct Owner {
    uint32_t writer = 0, reader = 0;  // thread + 1; 0: none
    bool atomic = false;              // the writer's access
  };
  void meet_threads(Space space, Kind kind, uint64_t first, uint64_t bytes);
  void load_behind_store(uint64_t first, uint64_t end, Where where);

  std::vector<Interval> runs_[2][3];
  std::vector<Interval> stored_;  // since the last barrier
  std::unordered_map<uint64_t, Owner> owners_;
  bool threads_ = false;
  uint32_t thread_ = 0;
  CodeConflict missing_barrier_, between_threads_;
};

}  // namespace ptopro::sim
