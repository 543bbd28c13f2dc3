// Capacities, allocation and bounds of the on-chip memories; the tensor table.
#include "memories.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "ptopro/numbers.hpp"
#include "report.hpp"

namespace ptopro::sim {

const Capacities& capacities_of(int chip) {
  // Vec, Mat, Left, Right, Acc, Bias, Scaling, ScaleLeft, ScaleRight: platform figures, see reference/hardware.yaml.
  static const Capacities a5{{253952, 524288, 65536, 65536, 262144, 4096, 6144, 4096, 4096}};
  static const Capacities a3{{196608, 524288, 65536, 65536, 131072, 1024, 7168, 0, 0}};
  return chip == PTOPRO_A3 ? a3 : a5;
}

uint64_t footprint_of(const TileDesc& tile) {
  // Row plus one: each fractal column has one more row, so that transposing reads meet no bank conflict.
  const uint64_t rows = static_cast<uint64_t>(tile.rows) + (tile.compact == 2 ? 1 : 0);
  return (rows * static_cast<uint64_t>(tile.cols) * static_cast<uint64_t>(dtype_bits(tile.dtype)) + 7) / 8;
}

namespace {

uint64_t page_round(uint64_t bytes) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

bool belongs(Memory memory, bool cube) { return (memory == Memory::Vec) != cube; }

}  // namespace

BlockMemory::BlockMemory(int chip, bool cube, int vectors) {
  const Capacities& capacities = capacities_of(chip);
  const uint64_t guard = page_round(1);
  // One mapping; an unmapped page behind every memory.
  for (int core = 0; core < 3; ++core)
    for (int m = 0; m < kMemories; ++m) {
      const bool present = core == 0 ? cube : core <= vectors;
      if (!present || !belongs(static_cast<Memory>(m), core == 0) || capacities.bytes[m] == 0) continue;
      cores_[core].size[m] = capacities.bytes[m];
      map_bytes_ += page_round(capacities.bytes[m]) + guard;
    }
  void* map = mmap(nullptr, map_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  map_ = static_cast<std::byte*>(map);
  std::byte* next = map_;
  for (int core = 0; core < 3; ++core)
    for (int m = 0; m < kMemories; ++m) {
      const uint64_t size = cores_[core].size[m];
      if (size == 0) continue;
      if (mprotect(next, page_round(size), PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
      cores_[core].bytes[m] = reinterpret_cast<uint8_t*>(next);
      std::memset(next, 0xff, size);
      next += page_round(size) + guard;
    }
  constexpr int kVec = static_cast<int>(Memory::Vec), kMat = static_cast<int>(Memory::Mat);
  for (int core = 0; core < 3; ++core) {
    cores_[core].is_cube = core == 0;
    cores_[core].subblock = core == 2;
    cores_[core].vector_ub[0] = cores_[1].bytes[kVec];
    cores_[core].vector_ub[1] = cores_[2].bytes[kVec];
    cores_[core].cube_l1 = cores_[0].bytes[kMat];
  }
}

BlockMemory::~BlockMemory() { munmap(map_, map_bytes_); }

void BlockMemory::refill() {
  for (int core = 0; core < 3; ++core)
    for (int m = 0; m < kMemories; ++m) {
      uint64_t& top = written_[core][m];
      if (top) std::memset(cores_[core].bytes[m], 0xff, std::min(top, cores_[core].size[m]));
      top = 0;
    }
}

void BlockMemory::touch_tiles(const Record& record, int core) {
  for (int i = 0; i < record.tiles; ++i) {
    const TileDesc& tile = record.tile[i];
    const uint64_t end = tile.addr + footprint_of(tile);
    if (cores_[core].bytes[static_cast<int>(tile.memory)]) {
      touch(core, tile.memory, end);
    } else if (tile.memory == Memory::Vec) {
      touch(1, tile.memory, end);
      touch(2, tile.memory, end);
    } else {
      touch(0, tile.memory, end);
    }
  }
}

Tensors::Tensors(const PtoproTensor* tensors, uint64_t count) : sorted_(tensors, tensors + count) {
  std::sort(sorted_.begin(), sorted_.end(),
            [](const PtoproTensor& a, const PtoproTensor& b) { return a.base < b.base; });
}

bool extent_of(const GlobalDesc& window, const uint8_t** low, const uint8_t** high) {
  int64_t first = 0, last = 0;
  for (int axis = 0; axis < 5; ++axis) {
    if (window.shape[axis] <= 0) return false;
    const int64_t reach = (window.shape[axis] - 1) * window.stride[axis];
    (reach < 0 ? first : last) += reach;
  }
  const int bits = dtype_bits(window.dtype);
  *low = window.base + first * bits / 8;
  *high = window.base + ((last + 1) * bits + 7) / 8;
  return true;
}

const PtoproTensor* Tensors::at(const uint8_t* address) const {
  for (const PtoproTensor& tensor : sorted_) {
    const auto* begin = static_cast<const uint8_t*>(tensor.base);
    if (address >= begin && address < begin + tensor.bytes) return &tensor;
  }
  return nullptr;
}

std::string Tensors::check(const GlobalDesc& window, bool write) const {
  const uint8_t *low = nullptr, *high = nullptr;
  if (sorted_.empty() || !extent_of(window, &low, &high)) return {};
  const auto begin = [](const PtoproTensor& t) { return static_cast<const uint8_t*>(t.base); };
  // The last tensor that starts at or before the window's base; a window that starts before any belongs to the first.
  auto next = std::upper_bound(sorted_.begin(), sorted_.end(), static_cast<const uint8_t*>(window.base),
                               [&](const uint8_t* at, const PtoproTensor& t) { return at < begin(t); });
  const PtoproTensor& tensor = next == sorted_.begin() ? *next : *(next - 1);
  const uint8_t* end = begin(tensor) + tensor.bytes;
  const std::string name = tensor.name ? tensor.name : "tensor";
  if (low >= begin(tensor) && high <= end) {
    if (write && !tensor.writable) return "writes to the read-only tensor " + name;
    return {};
  }
  std::string text = "touches bytes [" + std::to_string(low - begin(tensor)) + ", " +
                     std::to_string(high - begin(tensor)) + ") of " + name + ", which has " +
                     std::to_string(tensor.bytes) + " bytes (window ";
  for (int axis = 0; axis < 5; ++axis) text += (axis ? " x " : "") + std::to_string(window.shape[axis]);
  text += ", strides ";
  for (int axis = 0; axis < 5; ++axis) text += (axis ? ", " : "") + std::to_string(window.stride[axis]);
  return text + ")";
}

namespace {

// Address units that the memories demand, in bytes.
uint64_t alignment_of(Memory memory) {
  switch (memory) {
    case Memory::Left:
    case Memory::Right:
      return 512;
    case Memory::Acc:
      return 64;
    default:
      return 32;
  }
}

uint64_t size_reached(const Record& record, const TileDesc& tile, const BlockMemory& memory, int core, int vectors) {
  const int m = static_cast<int>(tile.memory);
  const CoreMemory& own = memory.core(core);
  if (own.bytes[m]) return own.size[m];
  // The cube's fixpipe writes into the unified buffers; a vector core inserts into the cube's L1.
  if (own.is_cube && tile.memory == Memory::Vec && vectors > 0 && &tile == &record.tile[0])
    return memory.core(1).size[m];
  if (!own.is_cube && tile.memory == Memory::Mat && &tile == &record.tile[0]) return memory.core(0).size[m];
  return 0;
}

}  // namespace

std::string check_tiles(const Record& record, const BlockMemory& memory, int core, int vectors) {
  for (int i = 0; i < record.tiles; ++i) {
    const TileDesc& tile = record.tile[i];
    const std::string which = "operand " + std::to_string(i + (record.op == Opcode::Store ? 2 : 1));
    const uint64_t size = size_reached(record, tile, memory, core, vectors);
    if (size == 0)
      return which + " is a " + name_of(tile.memory) + " tile, which a " +
             (memory.core(core).is_cube ? "cube" : "vector") + " core does not have";
    if (tile.addr % alignment_of(tile.memory) != 0)
      return which + " is at address " + std::to_string(tile.addr) + ", not a multiple of " +
             std::to_string(alignment_of(tile.memory)) + " bytes";
    const uint64_t bytes = footprint_of(tile);
    if (tile.addr > size || bytes > size - tile.addr)
      return which + " occupies bytes [" + std::to_string(tile.addr) + ", " + std::to_string(tile.addr + bytes) +
             ") of " + name_of(tile.memory) + ", which has " + std::to_string(size);
    // A tile that the fixpipe fills on both vector cores may name what they hold together.
    const int cores =
        i == 0 && record.pipe == Pipe::FIX && record.mod.acc_to_vec >= 2 && record.mod.acc_to_vec != 255 ? 2 : 1;
    if (tile.vrows < 0 || tile.vcols < 0 || tile.vrows > tile.rows * cores || tile.vcols > tile.cols * cores)
      return which + " has the valid shape " + std::to_string(tile.vrows) + " x " + std::to_string(tile.vcols) +
             " in a tile of " + std::to_string(tile.rows) + " x " + std::to_string(tile.cols);
  }
  return {};
}

}  // namespace ptopro::sim
