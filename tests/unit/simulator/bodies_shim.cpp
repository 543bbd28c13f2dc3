// Runs one instruction body on memories that the caller owns: the tests' way into simulator/library.
//
// In: flat arrays of integers for the tiles, the window, the modifiers.  Out: 0, or 1 if the opcode has no body.
// Every run is also an audit of accesses.hpp: 2 if the body wrote a byte that no access names as written, 3 if its
// result depends on a byte that no access names as read.
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "accesses.hpp"
#include "bodies.hpp"
#include "footprint.hpp"
#include "ptopro/layout.hpp"
#include "ptopro/record.hpp"

// Code runs on the machine only.
namespace ptopro::sim {
Body code_body(Opcode op) {
  const auto nothing = [](const CoreMemory&, const Record&) {};
  return op == Opcode::VectorFunction || op == Opcode::Threads ? +nothing : nullptr;
}
}  // namespace ptopro::sim

using namespace ptopro::sim;

namespace {

constexpr int kTileFields = 12, kMemories = static_cast<int>(Memory::Count);

TileDesc tile_of(const int64_t* field) {
  TileDesc tile;
  tile.addr = static_cast<uint64_t>(field[0]);
  tile.rows = static_cast<int32_t>(field[1]), tile.cols = static_cast<int32_t>(field[2]);
  tile.vrows = static_cast<int32_t>(field[3]), tile.vcols = static_cast<int32_t>(field[4]);
  tile.fractal = static_cast<uint16_t>(field[5]);
  tile.memory = static_cast<Memory>(field[6]), tile.dtype = static_cast<DType>(field[7]);
  tile.outer = static_cast<uint8_t>(field[8]), tile.inner = static_cast<uint8_t>(field[9]);
  tile.pad = static_cast<uint8_t>(field[10]), tile.compact = static_cast<uint8_t>(field[11]);
  return tile;
}

// What the accesses of a record name, byte by byte, per memory.
struct Named {
  std::vector<uint8_t> read, written;
};

std::map<uint8_t*, Named> named_by(const CoreMemory& core, const Record& record, size_t size) {
  Accesses accesses;
  accesses_of(record, accesses);
  std::map<uint8_t*, Named> all;
  for (int i = 0; i < accesses.count; ++i) {
    const TileWindow& window = accesses.list[i].window;
    Named& named = all[memory_of(core, window.tile, window.lane)];
    named.read.resize(size), named.written.resize(size);
    std::vector<uint8_t>& mask = writes(accesses.list[i].use) ? named.written : named.read;
    each_run(footprint_of(layout_with_pitch(window.tile, window.pitch), dtype_bits(window.tile.dtype),
                          static_cast<int64_t>(window.tile.addr), window.r0, window.c0, window.rows, window.columns),
             [&](int64_t first, int64_t count) {
               std::memset(mask.data() + first, 1, static_cast<size_t>(count));
               return true;
             });
  }
  return all;
}

std::vector<uint8_t> window_bytes(const Record& record) {
  std::vector<uint8_t> bytes;
  Accesses accesses;
  accesses_of(record, accesses);
  const int64_t origin = reinterpret_cast<intptr_t>(record.global.base);
  each_run(footprint_of(layout_of(record.global), dtype_bits(record.global.dtype), origin, 0, 0, accesses.global_rows,
                        accesses.global_columns),
           [&](int64_t first, int64_t count) {
             const auto* at = reinterpret_cast<const uint8_t*>(static_cast<intptr_t>(first));
             bytes.insert(bytes.end(), at, at + count);
             return true;
           });
  return bytes;
}

// Runs the body, first with everything changed that it should not read, then as it is.
int audited(const CoreMemory& core, const Record& record, Body body, size_t size) {
  const std::map<uint8_t*, Named> all = named_by(core, record, size);
  std::map<uint8_t*, std::vector<uint8_t>> before, disturbed, after;
  for (const auto& [memory, named] : all) before[memory].assign(memory, memory + size);
  const bool repeatable = record.mod.atomic == 0;
  std::vector<uint8_t> stored;
  if (repeatable) {
    for (const auto& [memory, named] : all) {
      for (size_t i = 0; i < size; ++i)
        if (!named.read[i]) memory[i] ^= 0xa5;
      disturbed[memory].assign(memory, memory + size);
    }
    body(core, record);
    for (const auto& [memory, named] : all) {
      after[memory].assign(memory, memory + size);
      std::memcpy(memory, before[memory].data(), size);
    }
    if (record.uses_global) stored = window_bytes(record);
  }
  body(core, record);
  if (repeatable && record.uses_global && stored != window_bytes(record)) return 3;
  for (const auto& [memory, named] : all)
    for (size_t i = 0; i < size; ++i) {
      if (memory[i] != before[memory][i] && !named.written[i]) return 2;
      if (!repeatable || !named.written[i] || after[memory][i] == memory[i]) continue;
      if (after[memory][i] != disturbed[memory][i] || memory[i] != before[memory][i]) return 3;
    }
  return 0;
}

}  // namespace

extern "C" {

// size: bytes of each memory.
// memories: the core's own, then the two vector UBs, then L1 of the cube core (null where absent).
int run_body(int op, uint8_t* const* memories, int64_t size, int is_cube, const int64_t* tiles, int tile_count,
             uint8_t* global_base, const int64_t* global, const int64_t* modifiers, const int64_t* numbers,
             double scalar_float) {
  const Body body = body_of(static_cast<Opcode>(op));
  if (!body) return 1;
  CoreMemory core;
  for (int i = 0; i < kMemories; ++i) core.bytes[i] = memories[i];
  core.vector_ub[0] = memories[kMemories], core.vector_ub[1] = memories[kMemories + 1];
  core.cube_l1 = memories[kMemories + 2];
  core.is_cube = is_cube != 0;
  Record record;
  record.op = static_cast<Opcode>(op);
  record.tiles = static_cast<uint8_t>(tile_count);
  for (int i = 0; i < tile_count; ++i) record.tile[i] = tile_of(tiles + i * kTileFields);
  if (global_base) {
    record.uses_global = true;
    record.global.base = global_base;
    for (int i = 0; i < 5; ++i) record.global.shape[i] = global[i], record.global.stride[i] = global[5 + i];
    record.global.dtype = static_cast<DType>(global[10]);
    record.global.layout = static_cast<uint8_t>(global[11]);
  }
  record.mod.relu = static_cast<uint8_t>(modifiers[0]), record.mod.atomic = static_cast<uint8_t>(modifiers[1]);
  record.mod.acc_to_vec = static_cast<uint8_t>(modifiers[2]), record.mod.round = static_cast<uint8_t>(modifiers[3]);
  record.mod.saturate = static_cast<uint8_t>(modifiers[4]), record.mod.compare = static_cast<uint8_t>(modifiers[5]);
  record.mod.reverse = static_cast<uint8_t>(modifiers[6]), record.mod.has_scale = modifiers[7] != 0;
  record.row = static_cast<int32_t>(numbers[0]), record.col = static_cast<int32_t>(numbers[1]);
  record.scale = static_cast<uint64_t>(numbers[2]);
  record.scalar.i = numbers[3], record.scalar.f = scalar_float;
  record.scalar.dtype = static_cast<DType>(numbers[4]);
  return audited(core, record, body, static_cast<size_t>(size));
}

int has_body(int op) { return body_of(static_cast<Opcode>(op)) != nullptr; }

// The element offset of (r, c) as layout.hpp gives it.
int64_t element_offset(const int64_t* tile, int64_t r, int64_t c) { return layout_of(tile_of(tile)).at(r, c); }

// One float to a narrow type's bits and back; which: 0 half, 1 bfloat16, 2 e4m3, 3 e5m2, 4 hif8, 5 e8m0, 6 e2m1, 7
// e1m2.
void encode_floats(int which, const float* values, uint32_t* codes, int64_t n, int round, int saturate) {
  using namespace ptopro;
  const auto mode = static_cast<Round>(round);
  const bool clamp = saturate != 0;
  for (int64_t i = 0; i < n; ++i) {
    switch (which) {
      case 0:
        codes[i] = encode<kHalf>(values[i], mode, clamp);
        break;
      case 1:
        codes[i] = encode<kBFloat16>(values[i], mode, clamp);
        break;
      case 2:
        codes[i] = encode<kE4M3>(values[i], mode, clamp);
        break;
      case 3:
        codes[i] = encode<kE5M2>(values[i], mode, clamp);
        break;
      case 4:
        codes[i] = encode_hif8(values[i], mode, clamp);
        break;
      case 5:
        codes[i] = encode_e8m0(values[i], mode, clamp);
        break;
      case 6:
        codes[i] = encode<kE2M1>(values[i], mode, clamp);
        break;
      default:
        codes[i] = encode<kE1M2>(values[i], mode, clamp);
        break;
    }
  }
}

void decode_floats(int which, const uint32_t* codes, float* values, int64_t n) {
  using namespace ptopro;
  for (int64_t i = 0; i < n; ++i) {
    switch (which) {
      case 0:
        values[i] = decode<kHalf>(codes[i]);
        break;
      case 1:
        values[i] = decode<kBFloat16>(codes[i]);
        break;
      case 2:
        values[i] = decode<kE4M3>(codes[i]);
        break;
      case 3:
        values[i] = decode<kE5M2>(codes[i]);
        break;
      case 4:
        values[i] = detail::decode_hif8(codes[i]);
        break;
      case 5:
        values[i] = decode_e8m0(codes[i]);
        break;
      case 6:
        values[i] = decode<kE2M1>(codes[i]);
        break;
      default:
        values[i] = decode<kE1M2>(codes[i]);
        break;
    }
  }
}

// The library's own value types: what the hardware conversions (where there are any) give.
void round_trip_half(const float* values, uint16_t* bits, float* back, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const ptopro::half narrow(values[i]);
    bits[i] = narrow.bits;
    back[i] = narrow;
  }
}

}  // extern "C"
