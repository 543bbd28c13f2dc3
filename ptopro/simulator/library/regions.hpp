// Regions: the distinct footprints that instructions of a block have touched in one memory, with who touched them last.
//
// In: windows.  Out: a region per distinct footprint, and for each region the others that have an address in common
// with it.  Kernels touch the same few windows again and again, so the exact tests are made once per pair and an access
// costs a lookup.  Of each pipe the last read, write and atomic addition of a region are kept: whoever comes after that
// one comes after those before it too.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "footprint.hpp"
#include "windows.hpp"

namespace ptopro::sim {

enum class Kind : uint8_t { Read, Write, Atomic };

// An access to a region.
struct Touch {
  uint8_t component = 0;  // core and pipe
  Kind kind = Kind::Read;
  uint16_t epoch = 0;      // which barriers of the launch lay before, see BlockOverlap
  uint32_t operation = 0;  // number of the pipe's operation
  uint32_t site = 0;       // source line and instruction
  uint32_t execution = 0;  // how many times the line had run
  uint32_t order = 0;      // of the instruction in its core's program
};

struct Region {
  Footprint footprint;
  int64_t low = 0, high = 0;
  bool written = false;
  uint8_t bits = 8;      // of an element
  uint64_t used = 0;     // when it was last looked up
  uint64_t defined = 0;  // see Definedness
  std::vector<Touch> touches;
  std::vector<uint32_t> meets;  // other regions with a common address; at least one of each two is written
};

class Regions {
 public:
  // Addresses of one bucket are 2^shift units; at most `most` regions are kept.
  Regions(int shift, size_t most) : shift_(shift), most_(most) {}

  // The region of a tile's window (address in its memory), of a window of global memory (absolute).
  uint32_t of(const TileWindow& window);
  uint32_t of(const GlobalDesc& window, int64_t rows, int64_t columns);
  Region& operator[](uint32_t id) { return regions_[id]; }
  size_t size() const { return regions_.size(); }

  // The region is going to be written: from now on it has to do with every region that it meets.
  void will_be_written(uint32_t id);

  // When there are too many, forgets those that were not used for longest; `forget` sees each before it goes.  Numbers
  // of regions change.
  bool is_full() const { return regions_.size() >= most_; }
  void forget_oldest(const std::function<void(Region&)>& forget);
  void clear();

 private:
  // A window in a form that does not depend on what the tile is called.
  struct TileKey {
    uint64_t words[5];
    bool operator==(const TileKey&) const = default;
  };
  struct TileHash {
    size_t operator()(const TileKey& key) const;
  };
  struct Bucket {
    std::vector<uint32_t> all, written;
  };

  uint32_t add(Footprint footprint);
  uint32_t find(const Footprint& footprint);
  void link(uint32_t id, bool to_all);

  int shift_;
  size_t most_;
  uint64_t clock_ = 0;
  std::vector<Region> regions_;
  std::unordered_map<TileKey, uint32_t, TileHash> tiles_;
  std::unordered_multimap<uint64_t, uint32_t> footprints_;  // by hash
  std::unordered_map<int64_t, Bucket> buckets_;
};

}  // namespace ptopro::sim
