// The schedules: timed (eager visibility), late, random, slow; serial mode runs every pipe as far as it can at once.
#include "schedule.hpp"

#include <algorithm>

namespace ptopro::sim {

namespace {

constexpr Pipe kProducersFirst[] = {Pipe::MTE2, Pipe::MTE1, Pipe::M, Pipe::FIX, Pipe::V, Pipe::MTE3};

// Every pipe runs as far as it can, producers before consumers.
class Eager final : public Schedule {
 public:
  explicit Eager(size_t window) : window_(window) {}
  bool step(Block& block) override {
    bool moved = false;
    for (Core* core : block.cores()) {
      if (core->queued == 0) continue;
      for (const Pipe p : kProducersFirst) {
        PipeState& pipe = core->pipe(p);
        while (!pipe.queue.empty() && block.ready(*core, pipe.queue.front())) {
          block.execute_head(*core, pipe);
          if (block.failed) return true;
          moved = true;
        }
      }
    }
    return moved;
  }
  size_t window() const override { return window_; }
  bool settles() const override { return true; }

 private:
  size_t window_;
};

// Cycles that a pipe is ahead of its consumers, as producers are: MTE2, MTE1, M, FIX, V, MTE3.
constexpr Cycles kHeadStart[] = {1000, 800, 600, 400, 200, 0};

// One instruction at a time: of the heads that may start, the one that starts first in virtual time, producers with a
// head start.  A program that only timing keeps right is right here too: what is not waited for is there, and what is
// read late has not been overwritten by an instruction of a far later task.
class Timed final : public Schedule {
 public:
  bool step(Block& block) override {
    if (pass_sync(block)) return true;
    Core* first = nullptr;
    PipeState* pipe = nullptr;
    Cycles earliest = 0;
    for (Core* core : block.cores()) {
      if (core->queued == 0) continue;
      for (size_t p = 0; p < std::size(kProducersFirst); ++p) {
        PipeState& candidate = core->pipe(kProducersFirst[p]);
        if (candidate.queue.empty()) continue;
        const Entry& head = candidate.queue.front();
        const Cycles start = std::max(candidate.free, head.issued) - kHeadStart[p];
        if ((first != nullptr && start >= earliest) || !block.ready(*core, head)) continue;
        first = core, pipe = &candidate, earliest = start;
      }
    }
    if (first == nullptr) return false;
    block.execute_head(*first, *pipe);
    return true;
  }
  size_t window() const override { return 512; }
  bool settles() const override { return true; }

 private:
  // Flags, locks and barriers at the heads: they move no data, and say when their pipes go on.
  static bool pass_sync(Block& block) {
    bool moved = false;
    for (Core* core : block.cores()) {
      if (core->queued == 0) continue;
      for (const Pipe p : kProducersFirst) {
        PipeState& pipe = core->pipe(p);
        while (!pipe.queue.empty() && pipe.queue.front().record == nullptr && block.ready(*core, pipe.queue.front())) {
          block.execute_head(*core, pipe);
          if (block.failed) return true;
          moved = true;
        }
      }
    }
    return moved;
  }
};

// One instruction at a time: the first head that may start, consumers before producers.
class Late final : public Schedule {
 public:
  bool step(Block& block) override {
    for (size_t p = std::size(kProducersFirst); p-- > 0;)
      for (size_t c = block.cores().size(); c-- > 0;) {
        Core* core = block.cores()[c];
        PipeState& pipe = core->pipe(kProducersFirst[p]);
        if (pipe.queue.empty() || !block.ready(*core, pipe.queue.front())) continue;
        block.execute_head(*core, pipe);
        return true;
      }
    return false;
  }
  size_t window() const override { return 4096; }
};

// One instruction at a time: any head that may start, by a generator that depends on the seed and the block.
class Random final : public Schedule {
 public:
  explicit Random(uint64_t seed) : seed_(seed) {}
  void reset(Block& block) override { state_ = seed_ * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(block.index); }
  bool step(Block& block) override {
    heads_.clear();
    for (Core* core : block.cores())
      for (const Pipe p : kProducersFirst) {
        PipeState& pipe = core->pipe(p);
        if (!pipe.queue.empty() && block.ready(*core, pipe.queue.front())) heads_.push_back({core, &pipe});
      }
    if (heads_.empty()) return false;
    const Head& head = heads_[next() % heads_.size()];
    block.execute_head(*head.core, *head.pipe);
    return true;
  }
  size_t window() const override { return 256; }

 private:
  struct Head {
    Core* core;
    PipeState* pipe;
  };
  uint64_t next() {  // splitmix64
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t seed_, state_ = 0;
  std::vector<Head> heads_;
};

// Everything that can go on does, one pipe excepted: that one takes a single instruction when nothing else moves.
class Slow final : public Schedule {
 public:
  explicit Slow(Pipe slow) : slow_(slow) {}
  bool step(Block& block) override {
    Core* waiting = nullptr;
    bool moved = false;
    for (Core* core : block.cores())
      for (const Pipe p : kProducersFirst) {
        PipeState& pipe = core->pipe(p);
        if (pipe.queue.empty() || !block.ready(*core, pipe.queue.front())) continue;
        if (p == slow_) {
          if (waiting == nullptr) waiting = core;
          continue;
        }
        block.execute_head(*core, pipe);
        if (block.failed) return true;
        moved = true;
      }
    if (moved || waiting == nullptr) return moved;
    block.execute_head(*waiting, waiting->pipe(slow_));
    return true;
  }
  size_t window() const override { return 4096; }

 private:
  Pipe slow_;
};

}  // namespace

std::unique_ptr<Schedule> make_schedule(const PtoproLaunch& options) {
  if (options.mode == PTOPRO_MODE_SERIAL) return std::make_unique<Eager>(1);
  if (options.schedule == PTOPRO_RANDOM) return std::make_unique<Random>(options.seed);
  if (options.schedule == PTOPRO_SLOW) return std::make_unique<Slow>(static_cast<Pipe>(options.seed));
  if (options.visibility == PTOPRO_LATE) return std::make_unique<Late>();
  return std::make_unique<Timed>();
}

}  // namespace ptopro::sim
