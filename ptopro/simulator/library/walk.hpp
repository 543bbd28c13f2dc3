// Walks over the elements of several tiles at once, in runs that are contiguous in all of them.
//
// In: planes of equal extent and a function of (pointers, count).  Out: the function is called until every element was
// seen once.  Planes that have no common contiguous direction are gathered into a buffer and scattered back.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "planes.hpp"

// The next loop has no dependence between iterations, although its pointers may be equal.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // not every operation has a vector form
#define PTOPRO_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define PTOPRO_INDEPENDENT _Pragma("GCC ivdep")
#else
#define PTOPRO_INDEPENDENT
#endif

namespace ptopro::sim {

inline bool is_contiguous(const Axis& axis, int64_t extent) {
  return extent == 1 || (axis.pitch[0] == 1 && axis.run(extent) >= extent);
}

// The distance between consecutive rows if it is the same for all of them, else -1.
inline int64_t even_pitch(const Axis& axis, int64_t extent) {
  return extent == 1 || axis.run(extent) >= extent ? axis.pitch[0] : -1;
}

// planes[0] is written, and read before that if `updates`; the others are read.
template <size_t N, typename F>
void walk(const std::array<Plane, N>& planes, int64_t rows, int64_t columns, bool updates, F&& visit) {
  if (rows <= 0 || columns <= 0) return;
  bool along_columns = true, along_rows = true, dense = true;
  for (const Plane& plane : planes) {
    along_columns &= is_contiguous(plane.layout.column, columns);
    along_rows &= is_contiguous(plane.layout.row, rows);
    dense &= even_pitch(plane.layout.row, rows) == columns || rows == 1;
  }
  std::array<uint8_t*, N> at;
  if (along_columns) {
    if (dense) {
      for (size_t i = 0; i < N; ++i) at[i] = planes[i].base;
      return visit(at, rows * columns);
    }
    for (int64_t r = 0; r < rows; ++r) {
      for (size_t i = 0; i < N; ++i) at[i] = planes[i].base + planes[i].layout.row.at(r) * planes[i].bits / 8;
      visit(at, columns);
    }
    return;
  }
  if (along_rows) {
    for (int64_t c = 0; c < columns; ++c) {
      for (size_t i = 0; i < N; ++i) at[i] = planes[i].base + planes[i].layout.column.at(c) * planes[i].bits / 8;
      visit(at, rows);
    }
    return;
  }
  constexpr int64_t kChunk = 256;
  alignas(64) uint8_t buffer[N][kChunk * 8];
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; c += kChunk) {
      const int64_t n = std::min(kChunk, columns - c);
      for (size_t i = 0; i < N; ++i) {
        at[i] = buffer[i];
        const size_t size = static_cast<size_t>(planes[i].bits) / 8;
        if (i > 0 || updates)
          for (int64_t k = 0; k < n; ++k)
            std::memcpy(buffer[i] + static_cast<size_t>(k) * size, planes[i].at(r, c + k), size);
      }
      visit(at, n);
      const size_t size = static_cast<size_t>(planes[0].bits) / 8;
      for (int64_t k = 0; k < n; ++k)
        std::memcpy(planes[0].at(r, c + k), buffer[0] + static_cast<size_t>(k) * size, size);
    }
  }
}

}  // namespace ptopro::sim
