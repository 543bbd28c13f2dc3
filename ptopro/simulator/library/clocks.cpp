#include "clocks.hpp"

namespace ptopro::sim {

void HappensBefore::reset() { *this = HappensBefore(); }

void HappensBefore::issued(const Core& core, Pipe pipe, uint32_t order) {
  if (pipe == Pipe::S) return;
  const int c = core.index, p = index_of(pipe);
  if (delivered_[c][p] == version_[c]) return;
  delivered_[c][p] = version_[c];
  deliveries_[c][p].push_back({order, now(c, Pipe::S)});
}

void HappensBefore::arrive(const Core& core, Pipe pipe, uint32_t order) {
  std::deque<Delivery>& waiting = deliveries_[core.index][index_of(pipe)];
  while (!waiting.empty() && waiting.front().order <= order) {
    clocks_[core.index][index_of(pipe)].join(waiting.front().clock);
    waiting.pop_front();
  }
}

VectorClock HappensBefore::completed(int core, Pipe pipe) const {
  VectorClock clock = now(core, pipe);
  clock.operations[component_of(core, pipe)] = count_[component_of(core, pipe)];
  return clock;
}

void HappensBefore::join(int core, Pipe pipe, const VectorClock& clock) {
  clocks_[core][index_of(pipe)].join(clock);
  if (pipe == Pipe::S) ++version_[core];
}

void HappensBefore::drained(int core) {
  for (int p = 0; p < kPipes; ++p) join(core, Pipe::S, completed(core, static_cast<Pipe>(p)));
}

void HappensBefore::passed_round(int core, Pipe pipe, int kind, uint32_t round) {
  VectorClock clock;
  clock.rounds[kind] = round;
  join(core, pipe, clock);
}

Token HappensBefore::take(const Flag* flag) {
  std::deque<Token>& tokens = flags_[flag];
  if (tokens.empty()) return {};
  Token token = std::move(tokens.front());
  tokens.pop_front();
  return token;
}

}  // namespace ptopro::sim
