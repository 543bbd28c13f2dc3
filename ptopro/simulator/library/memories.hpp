// The on-chip memories of a block, and the checks that an instruction stays inside what it may touch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptopro/launch.hpp"
#include "ptopro/record.hpp"

namespace ptopro::sim {

constexpr int kMemories = static_cast<int>(Memory::Count);

// Bytes of every memory of a core of the chip (PtoproChip).
struct Capacities {
  uint64_t bytes[kMemories] = {};
};
const Capacities& capacities_of(int chip);

// The bytes that a tile occupies from its address on, by its physical shape.
uint64_t footprint_of(const TileDesc& tile);

// The memories of one block: a cube core's and up to two vector cores'.  Filled with 0xff bytes.
class BlockMemory {
 public:
  BlockMemory(int chip, bool cube, int vectors);
  ~BlockMemory();
  BlockMemory(const BlockMemory&) = delete;
  BlockMemory& operator=(const BlockMemory&) = delete;

  // What core 0 (the cube), 1 or 2 (the vector cores) may touch.
  const CoreMemory& core(int index) const { return cores_[index]; }
  // Notes that [0, end) of a memory may have been written.
  void touch(int core, Memory memory, uint64_t end) {
    uint64_t& top = written_[core][static_cast<int>(memory)];
    if (end > top) top = end;
  }
  // Notes every tile of an instruction of the core.
  void touch_tiles(const Record& record, int core);
  // Fills what was written with 0xff again.
  void refill();

 private:
  std::byte* map_ = nullptr;
  uint64_t map_bytes_ = 0;
  CoreMemory cores_[3];
  uint64_t written_[3][kMemories] = {};
};

// The tensors of a launch, by address.
class Tensors {
 public:
  Tensors(const PtoproTensor* tensors, uint64_t count);
  // An empty text if the window lies in one tensor (or there is no table); else what is wrong.
  std::string check(const GlobalDesc& window, bool write) const;
  // The tensor that holds an address, or null.
  const PtoproTensor* at(const uint8_t* address) const;

 private:
  std::vector<PtoproTensor> sorted_;
};

// First and last byte + 1 that a window covers; false if it is empty.
bool extent_of(const GlobalDesc& window, const uint8_t** low, const uint8_t** high);

// An empty text if every tile of the record lies in a memory that the core reaches; else what is wrong.
std::string check_tiles(const Record& record, const BlockMemory& memory, int core, int vectors);

}  // namespace ptopro::sim
