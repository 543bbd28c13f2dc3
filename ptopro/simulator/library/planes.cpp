#include "planes.hpp"

#include <algorithm>
#include <cstring>

namespace ptopro::sim {

namespace {

// The offsets of a range of indices, computed once per copy.
class Offsets {
 public:
  Offsets(const Axis& axis, int64_t first, int64_t count) {
    if (count > kSmall) heap_ = new int64_t[static_cast<size_t>(count)];
    int64_t* values = heap_ ? heap_ : small_;
    for (int64_t i = 0; i < count; ++i) values[i] = axis.at(first + i);
  }
  ~Offsets() { delete[] heap_; }
  Offsets(const Offsets&) = delete;
  Offsets& operator=(const Offsets&) = delete;
  int64_t operator[](int64_t i) const { return heap_ ? heap_[i] : small_[i]; }

 private:
  static constexpr int64_t kSmall = 512;
  int64_t small_[kSmall];
  int64_t* heap_ = nullptr;
};

// Contiguous elements from index `first` on: how many until the next level begins.
int64_t contiguous(const Axis& axis, int64_t first, int64_t extent) {
  if (axis.pitch[0] != 1) return 1;
  const int64_t run = axis.run(first + extent);
  if (run >= first + extent) return extent;
  return std::min(extent, run - first % run);
}

// Element by element, in blocks of 16 x 16, so that a transposition stays in the cache on both sides.
template <typename T>
void copy_elements(const Plane& dst, int64_t dr, int64_t dc, const Plane& src, int64_t sr, int64_t sc, int64_t rows,
                   int64_t columns) {
  constexpr int64_t kBlock = 16;
  const Offsets dst_column(dst.layout.column, dc, columns), src_column(src.layout.column, sc, columns);
  const Offsets dst_row(dst.layout.row, dr, rows), src_row(src.layout.row, sr, rows);
  T* to = reinterpret_cast<T*>(dst.base);
  const T* from = reinterpret_cast<const T*>(src.base);
  for (int64_t r0 = 0; r0 < rows; r0 += kBlock)
    for (int64_t c0 = 0; c0 < columns; c0 += kBlock) {
      const int64_t r1 = std::min(rows, r0 + kBlock), c1 = std::min(columns, c0 + kBlock);
      for (int64_t r = r0; r < r1; ++r) {
        T* to_row = to + dst_row[r];
        const T* from_row = from + src_row[r];
        for (int64_t c = c0; c < c1; ++c) to_row[dst_column[c]] = from_row[src_column[c]];
      }
    }
}

inline void copy_run(uint8_t* dst, const uint8_t* src, int64_t bytes) {
  if (bytes == 32) {
    std::memcpy(dst, src, 32);
  } else if (bytes == 64) {
    std::memcpy(dst, src, 64);
  } else {
    std::memmove(dst, src, static_cast<size_t>(bytes));
  }
}

// Rows far apart lie on pages of their own, where the processor does not fetch ahead by itself.
constexpr int64_t kRowsAhead = 4;

void fetch(const uint8_t* from, uint8_t* to, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += 64) {
    __builtin_prefetch(from + i, 0);
    __builtin_prefetch(to + i, 1);
  }
}

// Copies in runs along the columns; the caller has checked that the elements are whole bytes.
void copy_runs(const Plane& dst, int64_t dr, int64_t dc, const Plane& src, int64_t sr, int64_t sc, int64_t rows,
               int64_t columns) {
  const int64_t size = dst.bits / 8;
  for (int64_t c = 0; c < columns;) {
    const int64_t run = std::min(contiguous(dst.layout.column, dc + c, columns - c),
                                 contiguous(src.layout.column, sc + c, columns - c));
    uint8_t* to = dst.base + dst.layout.column.at(dc + c) * size;
    const uint8_t* from = src.base + src.layout.column.at(sc + c) * size;
    // Rows that follow each other without a gap on both sides are one run.
    const Axis &to_row = dst.layout.row, &from_row = src.layout.row;
    const bool dense = to_row.pitch[0] == run && from_row.pitch[0] == run && dr == 0 && sr == 0 &&
                       to_row.run(rows) >= rows && from_row.run(rows) >= rows;
    if (dense) {
      copy_run(to, from, rows * run * size);
    } else {
      for (int64_t r = 0; r < rows; ++r) {
        if (run * size >= 64 && r + kRowsAhead < rows)
          fetch(from + from_row.at(sr + r + kRowsAhead) * size, to + to_row.at(dr + r + kRowsAhead) * size, run * size);
        copy_run(to + to_row.at(dr + r) * size, from + from_row.at(sr + r) * size, run * size);
      }
    }
    c += run;
  }
}

template <typename T>
void fill_elements(uint8_t* at, int64_t n, uint64_t value) {
  std::fill_n(reinterpret_cast<T*>(at), n, static_cast<T>(value));
}

void fill_run(uint8_t* at, int bits, int64_t n, uint64_t value) {
  switch (bits) {
    case 8:
      return fill_elements<uint8_t>(at, n, value);
    case 16:
      return fill_elements<uint16_t>(at, n, value);
    case 32:
      return fill_elements<uint32_t>(at, n, value);
    default:
      return fill_elements<uint64_t>(at, n, value);
  }
}

// 4-bit elements: two share a byte, so each is read and written by itself.
void copy_nibbles(const Plane& dst, int64_t dr, int64_t dc, const Plane& src, int64_t sr, int64_t sc, int64_t rows,
                  int64_t columns) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) store_bits(dst, dr + r, dc + c, load_bits(src, sr + r, sc + c));
}

void copy_window(const Plane& dst, int64_t dr, int64_t dc, const Plane& src, int64_t sr, int64_t sc, int64_t rows,
                 int64_t columns) {
  if (rows <= 0 || columns <= 0) return;
  if (dst.bits == 4) return copy_nibbles(dst, dr, dc, src, sr, sc, rows, columns);
  auto longest = [&](const Axis& a, int64_t first, const Axis& b, int64_t second, int64_t extent) {
    return std::min(contiguous(a, first, extent), contiguous(b, second, extent));
  };
  const int64_t along_columns = longest(dst.layout.column, dc, src.layout.column, sc, columns);
  const int64_t along_rows = longest(dst.layout.row, dr, src.layout.row, sr, rows);
  if (along_columns >= 4 || (along_columns > 1 && along_columns == columns) || (rows == 1 && along_columns > 1))
    return copy_runs(dst, dr, dc, src, sr, sc, rows, columns);
  if (along_rows >= 4 || along_rows == rows)
    return copy_runs(dst.transposed(), dc, dr, src.transposed(), sc, sr, columns, rows);
  switch (dst.bits) {
    case 8:
      return copy_elements<uint8_t>(dst, dr, dc, src, sr, sc, rows, columns);
    case 16:
      return copy_elements<uint16_t>(dst, dr, dc, src, sr, sc, rows, columns);
    case 32:
      return copy_elements<uint32_t>(dst, dr, dc, src, sr, sc, rows, columns);
    default:
      return copy_elements<uint64_t>(dst, dr, dc, src, sr, sc, rows, columns);
  }
}

}  // namespace

uint8_t* memory_of(const CoreMemory& core, const TileDesc& tile, int lane) {
  if (core.is_cube && tile.memory == Memory::Vec) return core.vector_ub[lane];
  if (!core.is_cube && tile.memory == Memory::Mat && core.cube_l1) return core.cube_l1;
  return core.bytes[static_cast<int>(tile.memory)];
}

Plane plane_of(const CoreMemory& core, const TileDesc& tile, int lane) {
  return {memory_of(core, tile, lane) + tile.addr, layout_of(tile), dtype_bits(tile.dtype)};
}

Plane plane_of(const GlobalDesc& window) { return {window.base, layout_of(window), dtype_bits(window.dtype)}; }

void copy(const Plane& dst, const Plane& src, int64_t rows, int64_t columns) {
  copy_window(dst, 0, 0, src, 0, 0, rows, columns);
}

void copy_from(const Plane& dst, const Plane& src, int64_t r0, int64_t c0, int64_t rows, int64_t columns) {
  copy_window(dst, 0, 0, src, r0, c0, rows, columns);
}

void copy_into(const Plane& dst, int64_t r0, int64_t c0, const Plane& src, int64_t rows, int64_t columns) {
  copy_window(dst, r0, c0, src, 0, 0, rows, columns);
}

void fill(const Plane& dst, int64_t r0, int64_t r1, int64_t c0, int64_t c1, uint64_t value) {
  for (int64_t r = r0; r < r1; ++r) {
    for (int64_t c = c0; c < c1;) {
      const int64_t run = dst.bits < 8 ? 1 : contiguous(dst.layout.column, c, c1 - c);
      if (run == 1)
        store_bits(dst, r, c, value);
      else
        fill_run(dst.at(r, c), dst.bits, run, value);
      c += run;
    }
  }
}

uint64_t load_bits(const Plane& plane, int64_t r, int64_t c) {
  const int64_t offset = plane.layout.at(r, c);
  if (plane.bits == 4) return (plane.base[offset / 2] >> (offset % 2 * 4)) & 0xf;
  uint64_t value = 0;
  std::memcpy(&value, plane.base + offset * (plane.bits / 8), static_cast<size_t>(plane.bits / 8));
  return value;
}

void store_bits(const Plane& plane, int64_t r, int64_t c, uint64_t value) {
  const int64_t offset = plane.layout.at(r, c);
  if (plane.bits == 4) {
    uint8_t& byte = plane.base[offset / 2];
    const int shift = static_cast<int>(offset % 2) * 4;
    byte = static_cast<uint8_t>((byte & ~(0xf << shift)) | static_cast<int>(value & 0xf) << shift);
    return;
  }
  std::memcpy(plane.base + offset * (plane.bits / 8), &value, static_cast<size_t>(plane.bits / 8));
}

uint64_t pad_bits(uint8_t pad, DType type) {
  if (pad < 2) return 0;
  const bool max = pad == 2;
  switch (type) {
    case DType::Bool:
    case DType::UInt8:
      return max ? 0xff : 0;
    case DType::UInt16:
      return max ? 0xffff : 0;
    case DType::UInt32:
      return max ? 0xffffffff : 0;
    case DType::UInt64:
      return max ? ~uint64_t{0} : 0;
    case DType::Int8:
      return max ? 0x7f : 0x80;
    case DType::Int16:
      return max ? 0x7fff : 0x8000;
    case DType::Int32:
      return max ? 0x7fffffff : 0x80000000;
    case DType::Int64:
      return max ? ~uint64_t{0} >> 1 : uint64_t{1} << 63;
    case DType::Half:
      return max ? 0x7c00 : 0xfc00;
    case DType::BFloat16:
      return max ? 0x7f80 : 0xff80;
    case DType::Float:
      return max ? 0x7f800000 : 0xff800000;
    case DType::Float8E4M3:
      return max ? 0x7e : 0xfe;
    case DType::Float8E5M2:
      return max ? 0x7c : 0xfc;
    case DType::Float8E8M0:
      return max ? 0xfe : 0;
    case DType::HiFloat8:
      return max ? 0x6f : 0xef;
    default:
      return max ? 0x7 : 0xf;
  }
}

}  // namespace ptopro::sim
