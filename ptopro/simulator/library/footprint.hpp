// Footprints: exact sets of addresses, as strided boxes.
//
// In: a window of a tile or of global memory.  Out: a few boxes, each a run of consecutive addresses repeated in up to
// five levels of (count, pitch); whether two sets have an address in common is decided exactly.  Addresses count
// half-bytes, so that 4-bit elements are exact too.
#pragma once

#include <cstdint>
#include <vector>

#include "ptopro/layout.hpp"
#include "ptopro/record.hpp"

namespace ptopro::sim {

constexpr int64_t kUnitsPerByte = 2;  // an address unit is half a byte

struct Strided {
  static constexpr int kLevels = 5;
  int64_t base = 0, run = 0;
  int levels = 0;  // by ascending pitch
  int64_t count[kLevels] = {}, pitch[kLevels] = {};

  // The distance from the first to behind the last address of the innermost `n` levels.
  int64_t span(int n) const {
    int64_t length = run;
    for (int k = 0; k < n; ++k) length += (count[k] - 1) * pitch[k];
    return length;
  }
  int64_t end() const { return base + span(levels); }
  bool operator==(const Strided&) const = default;
};

// Whether two boxes have an address in common.
bool meets(const Strided& a, const Strided& b);

// Sorts the levels, joins those that continue each other, makes pitches positive.
void normalise(Strided& box);

using Footprint = std::vector<Strided>;

// The addresses of rows x columns elements from (r0, c0) on under a layout; `origin` is the address of element (0, 0)
// in bytes.
Footprint footprint_of(const Layout& layout, int bits, int64_t origin, int64_t r0, int64_t c0, int64_t rows,
                       int64_t columns);

// Whether two sets have an address in common.
bool meets(const Footprint& a, const Footprint& b);

// First address and behind the last one.
int64_t low_of(const Footprint& set);
int64_t high_of(const Footprint& set);

// Joins boxes that continue each other: neighbours along the run, along the outermost level, and equal ones.  The set
// stays the same.
void join_neighbours(Footprint& set);

// Calls visit(first byte, bytes) for every run of a box, until it returns false; false if it did.
template <typename Visit>
bool each_run(const Strided& box, Visit&& visit, int level, int64_t base) {
  if (level == 0) {
    const int64_t first = base / kUnitsPerByte, last = (base + box.run + kUnitsPerByte - 1) / kUnitsPerByte;
    return visit(first, last - first);
  }
  for (int64_t i = 0; i < box.count[level - 1]; ++i)
    if (!each_run(box, visit, level - 1, base + i * box.pitch[level - 1])) return false;
  return true;
}
template <typename Visit>
bool each_run(const Footprint& set, Visit&& visit) {
  for (const Strided& box : set)
    if (!each_run(box, visit, box.levels, box.base)) return false;
  return true;
}

}  // namespace ptopro::sim
