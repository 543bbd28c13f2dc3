// What an instruction has written, as a number that does not depend on where it lies: two runs that put the same data
// into different slots agree, and the first instruction whose number differs is where they part.
#include "observer.hpp"
#include "planes.hpp"
#include "ptopro/numbers.hpp"

namespace ptopro::sim {

namespace {

class Digest {
 public:
  void add(uint64_t value) {
    state_ = (state_ ^ value) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 29;
  }
  void add(const Plane& plane, const TileWindow& window) {
    for (int64_t r = 0; r < window.rows; ++r)
      for (int64_t c = 0; c < window.columns; ++c) add(load_bits(plane, window.r0 + r, window.c0 + c));
  }
  uint64_t value() const { return state_ | 1; }  // 0 stands for none

 private:
  uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace

void Observer::wrote(const Core& core, const Entry& entry) {
  digest_ = 0;
  if (!digests_ || !trace_) return;
  const Record& record = *entry.record;
  Digest digest;
  if (record.code.run != nullptr) {
    const uint8_t* ub = core.memory->bytes[static_cast<int>(Memory::Vec)];
    for (const CodeLog::Kind kind : {CodeLog::kWrite, CodeLog::kAtomic})
      for (const Strip& strip : code_.strips(CodeLog::kUb, kind))
        for (uint64_t i = 0; i < strip.count * strip.bytes; ++i)
          digest.add(ub[strip.first + i / strip.bytes * strip.pitch + i % strip.bytes]);
    digest_ = digest.value();
    return;
  }
  accesses_of(record, accesses_);
  if (accesses_.global_written) {  // what is stored is what the tile holds
    const Access& source = accesses_.list[0];
    digest.add(plane_of(*core.memory, source.window), source.window);
  }
  for (int i = 0; i < accesses_.count; ++i) {
    const Access& access = accesses_.list[i];
    if (writes(access.use) && access.use != Use::Scratch)
      digest.add(plane_of(*core.memory, access.window), access.window);
  }
  digest_ = digest.value();
}

}  // namespace ptopro::sim
