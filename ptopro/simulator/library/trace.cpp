#include "trace.hpp"

#include <algorithm>
#include <iterator>

namespace ptopro::sim {

void Trace::clear() {
  events.clear();
  for (auto& core : last_) std::fill(std::begin(core), std::end(core), -1);
  for (auto& core : longest_) std::fill(std::begin(core), std::end(core), -1);
}

int64_t Trace::longest(const Core& core) const {
  int64_t found = -1;
  for (const int64_t event : longest_[core.index])
    if (event >= 0 && (found < 0 || events[static_cast<size_t>(event)].end > events[static_cast<size_t>(found)].end))
      found = event;
  return found;
}

void Trace::add(const Core& core, const PtoproTraceEvent& event) {
  int64_t& last = last_[core.index][event.pipe];
  int64_t& longest = longest_[core.index][event.pipe];
  last = next();
  if (longest < 0 || event.end >= events[static_cast<size_t>(longest)].end) longest = last;
  events.push_back(event);
}

}  // namespace ptopro::sim
