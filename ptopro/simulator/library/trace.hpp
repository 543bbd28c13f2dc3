// The events of a block in virtual time, for a timeline: what each pipe did when, and what it waited for.
#pragma once

#include <cstdint>
#include <vector>

#include "machine.hpp"
#include "ptopro/launch.hpp"

namespace ptopro::sim {

class Trace {
 public:
  void clear();
  // The number that the next event will have.
  int64_t next() const { return static_cast<int64_t>(events.size()); }
  // The event after which a pipe was free, and the one of its events that completes last.
  int64_t last(const Core& core, Pipe pipe) const { return last_[core.index][index_of(pipe)]; }
  int64_t longest(const Core& core, Pipe pipe) const { return longest_[core.index][index_of(pipe)]; }
  int64_t longest(const Core& core) const;
  void add(const Core& core, const PtoproTraceEvent& event);

  std::vector<PtoproTraceEvent> events;

 private:
  int64_t last_[3][kPipes];
  int64_t longest_[3][kPipes];
};

}  // namespace ptopro::sim
