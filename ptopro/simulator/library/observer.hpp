// What watches a block at work: the checks and the trace.  A launch without either has none.
//
// In: calls of the machine when instructions are issued, start, set, take and end.  Out: findings, trace events.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "accesses.hpp"
#include "block_overlap.hpp"
#include "clocks.hpp"
#include "code_log.hpp"
#include "definedness.hpp"
#include "machine.hpp"
#include "regions.hpp"
#include "sites.hpp"
#include "trace.hpp"

namespace ptopro::sim {

class Observer {
 public:
  explicit Observer(Block& block);
  ~Observer();
  void reset();

  // The scalar unit's side.
  void issued(Core& core, Entry& entry);
  void drained(Core& core, Cycles before, Cycles after, Where where);
  void arrived_at_barrier(Core& core, int type, uint32_t round);
  void left_barrier(Core& core, int type, uint32_t round, Cycles before, Cycles after, Where where);
  void scalar_access(Core& core, const TileDesc& tile, uint64_t offset, bool write, Where where);

  // A pipe's side, in the order: start, then what the instruction does, then `ended`.
  void started(Core& core, const Entry& entry);
  void data(Core& core, const Entry& entry);
  // The same around an instruction that runs code: where it notes what it touches (null: nobody asks), and the end.
  CodeLog* begin_code(Core& core, const Entry& entry);
  void end_code(Core& core, const Entry& entry);
  void set(Core& core, Pipe pipe, const Flag* flag);
  void take(Core& core, Pipe pipe, const Flag* flag);
  // The sets of both vector cores become one set.
  void unite(const std::vector<const Flag*>& taken, const std::vector<const Flag*>& given);
  void released(Core& core, const Entry& entry);
  void acquired(Core& core, const Entry& entry);
  void barrier(Core& core, const Entry& entry);
  void sent_to_all(Core& core, const Entry& entry);
  void took_from_all(Core& core, const Entry& entry);
  void joined_unit(Core& core, Pipe pipe, size_t unit);
  void passed_unit(Core& core, Pipe pipe, size_t unit);
  // Behind the body of an instruction: what it has written (for PTOPRO_DIGEST).
  void wrote(const Core& core, const Entry& entry);
  void ended(Core& core, const Entry& entry, Cycles free, Cycles start, Cycles end);

  // The block has come to its end: leaks, and what it did in global memory.
  void finished();

  std::vector<Finding> findings;
  std::vector<BlockUse> uses;
  Trace trace;

 private:
  struct Space {
    int core;
    Memory memory;
  };
  Space space_of(const Core& core, const TileWindow& window) const;
  Regions& regions_of(const Space& space) { return *regions_[space.core][static_cast<size_t>(space.memory)]; }

  // Whether the access races with another one; it is reported.
  bool access(Regions& regions, uint32_t region, const Touch& touch, const VectorClock& clock, Memory memory);
  void report_race(const Region& old_region, const Touch& old, const Region& new_region, const Touch& now,
                   Memory memory);
  void report_code(const Core& core, const Entry& entry, const CodeConflict& conflict);
  void report_undefined(const Core& core, const Access& access, const Touch& touch, int64_t byte);
  Touch touch_of(Core& core, Pipe pipe, const VectorClock& clock, uint32_t site, uint32_t order);
  void keep_uses(Region& region);
  uint16_t epoch_of(const VectorClock& clock);
  RoundMark& mark(int kind, uint32_t round);

  Block& block_;
  const bool races_, leaks_, undefined_, overlaps_, trace_, digests_;
  HappensBefore order_;
  Sites sites_;
  std::array<std::array<std::unique_ptr<Regions>, kMemories>, kCores> regions_;
  Regions global_;
  Definedness definedness_;
  GlobalUses global_uses_;
  // Pairs of lines, undefined operands of a line: which finding.
  std::unordered_map<uint64_t, size_t> reported_;
  uint32_t issued_[kCores] = {};
  // Clocks and events of the last release of a lock by a pipe; of the last passage of a unit flag.
  std::array<std::array<std::array<Token, kPipes>, kLockIds>, kCores> locks_;
  std::vector<Token> units_;
  // Messages to all cores: how many a core has sent, and which of them carried an id.
  uint32_t sent_[kCores] = {};
  std::deque<uint32_t> sent_ids_[kCores][kFlagIds];
  std::vector<RoundMark> marks_;
  std::vector<Rounds5> epochs_;  // what `Touch::epoch` numbers
  CodeLog code_;                 // of the instruction at hand
  Accesses accesses_;            // of the instruction at hand
  int64_t cause_event_ = -1;     // whom it waited for
  uint64_t digest_ = 0;          // of what it wrote
};

}  // namespace ptopro::sim
