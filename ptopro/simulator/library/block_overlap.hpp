// Global memory between blocks: what each block read and wrote, as merged boxes per source line, and which of them
// overlap without a barrier of the launch between them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "clocks.hpp"
#include "memories.hpp"
#include "regions.hpp"
#include "report.hpp"
#include "sites.hpp"

namespace ptopro::sim {

using Rounds5 = std::array<uint32_t, kRoundKinds>;

// The accesses of one line of one block that lie between the same barriers.
struct BlockUse {
  int block = 0;
  Site site;
  Kind kind = Kind::Read;
  Rounds5 after{};   // rounds of each kind of barrier that lie before the accesses
  Rounds5 before{};  // the first round of each kind that lies behind them; UINT32_MAX if none does
  int bits = 8;      // of an element
  Footprint set;
};

// Collects the accesses of one block.
class GlobalUses {
 public:
  void clear() { groups_.clear(); }
  void add(const Region& region, const Touch& touch);
  // What was collected, now that the barriers that the block met are known.
  std::vector<BlockUse> finish(int block, const Sites& sites, const std::vector<RoundMark>& marks,
                               const std::vector<Rounds5>& epochs);

 private:
  struct Group {
    Touch last;
    int bits = 8;
    Footprint set;
    size_t joined = 0;  // size after the last time that neighbours were joined
  };
  std::unordered_map<uint64_t, Group> groups_;
};

// One finding per pair of source lines of different blocks.
std::vector<Finding> overlaps_of(const std::vector<BlockUse>& uses, const Tensors& tensors);

}  // namespace ptopro::sim
