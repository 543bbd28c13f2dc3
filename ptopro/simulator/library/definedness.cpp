#include "definedness.hpp"

#include <algorithm>
#include <cstring>

#include "ptopro/numbers.hpp"

namespace ptopro::sim {

Definedness::Definedness(const BlockMemory& memory) : memory_(memory) {}

void Definedness::reset() {
  for (auto& core : shadows_)
    for (Shadow& shadow : core) {
      std::fill_n(shadow.bytes.begin(), shadow.top, uint8_t{0});
      shadow.version = 1;
      shadow.top = 0;
    }
}

uint8_t* Definedness::reach(Shadow& shadow, int64_t end) {
  const auto size = static_cast<uint64_t>(end);
  if (shadow.bytes.size() < size) shadow.bytes.resize(size);
  shadow.top = std::max(shadow.top, size);
  return shadow.bytes.data();
}

int64_t Definedness::first_undefined(int core, Memory memory, Region& region) {
  Shadow& shadow = of(core, memory);
  if (region.defined == shadow.version) return -1;
  const uint8_t* bytes = reach(shadow, (region.high + 1) / kUnitsPerByte);
  int64_t found = -1;
  each_run(region.footprint, [&](int64_t first, int64_t count) {
    // Most bytes are defined: whole words first.
    int64_t at = first;
    const int64_t end = first + count;
    for (; at + 8 <= end; at += 8) {
      uint64_t word;
      std::memcpy(&word, bytes + at, 8);
      if (word != ~uint64_t{0}) break;
    }
    for (; at < end; ++at)
      if (bytes[at] == 0) break;
    if (at == end) return true;
    found = at;
    return false;
  });
  if (found < 0) region.defined = shadow.version;
  return found;
}

void Definedness::define(int core, Memory memory, Region& region) {
  Shadow& shadow = of(core, memory);
  if (region.defined == shadow.version) return;
  uint8_t* bytes = reach(shadow, (region.high + 1) / kUnitsPerByte);
  each_run(region.footprint, [&](int64_t first, int64_t count) {
    std::memset(bytes + first, 0xff, static_cast<size_t>(count));
    return true;
  });
  region.defined = shadow.version;
}

void Definedness::copy(const Side& to, const Side& from) {
  const TileDesc &dst = to.window.tile, &src = from.window.tile;
  if (first_undefined(from.core, src.memory, from.region) < 0) return define(to.core, dst.memory, to.region);
  Shadow& into = of(to.core, dst.memory);
  Shadow& out_of = of(from.core, src.memory);
  reach(into, (to.region.high + 1) / kUnitsPerByte);
  reach(out_of, (from.region.high + 1) / kUnitsPerByte);
  const Plane write{into.bytes.data() + dst.addr, layout_with_pitch(dst, to.window.pitch), dtype_bits(dst.dtype)};
  const Plane read{out_of.bytes.data() + src.addr, layout_with_pitch(src, from.window.pitch), dtype_bits(src.dtype)};
  if (write.bits == read.bits && from.window.r0 == 0 && from.window.c0 == 0) {
    copy_into(write, to.window.r0, to.window.c0, read, to.window.rows, to.window.columns);
  } else if (write.bits == read.bits && to.window.r0 == 0 && to.window.c0 == 0) {
    copy_from(write, read, from.window.r0, from.window.c0, to.window.rows, to.window.columns);
  } else {
    for (int64_t r = 0; r < to.window.rows; ++r)
      for (int64_t c = 0; c < to.window.columns; ++c) {
        const uint64_t source = load_bits(read, from.window.r0 + r, from.window.c0 + c);
        const bool defined = source == (read.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << read.bits) - 1);
        store_bits(write, to.window.r0 + r, to.window.c0 + c, defined ? ~uint64_t{0} : 0);
      }
  }
  ++into.version;
}

}  // namespace ptopro::sim
