// Which bytes of the on-chip memories something has written.
//
// In: the windows that instructions read, write and copy.  Out: the first undefined byte of a window that has to be
// defined.  Copies propagate: an element is as defined as the one it was copied from, so padding and tails may travel
// undefined as long as nothing computes with them.
#pragma once

#include <cstdint>
#include <vector>

#include "memories.hpp"
#include "regions.hpp"

namespace ptopro::sim {

class Definedness {
 public:
  explicit Definedness(const BlockMemory& memory);
  void reset();

  // -1 if every byte of the region is defined, else the first byte that is not.
  int64_t first_undefined(int core, Memory memory, Region& region);
  void define(int core, Memory memory, Region& region);
  // to(r, c) becomes as defined as from(r, c).
  struct Side {
    int core;
    const TileWindow& window;
    Region& region;
  };
  void copy(const Side& to, const Side& from);

 private:
  // A byte per byte: 0xff defined, 0 not (each half for 4-bit elements).
  struct Shadow {
    std::vector<uint8_t> bytes;
    // Grows whenever a copy may have made bytes undefined: what regions remember of before is void.
    uint64_t version = 1;
    uint64_t top = 0;  // bytes behind it are undefined
  };
  Shadow& of(int core, Memory memory) { return shadows_[core][static_cast<int>(memory)]; }
  uint8_t* reach(Shadow& shadow, int64_t end);

  const BlockMemory& memory_;
  Shadow shadows_[3][kMemories];
};

}  // namespace ptopro::sim
