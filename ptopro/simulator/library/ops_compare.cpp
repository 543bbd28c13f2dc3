// Comparison into masks and selection by masks.
//
// A mask has one bit per element, least significant first, and one mask row per data row; mask rows are as far apart as
// the rows of the mask tile.  Comparisons write whole bytes: bits beyond the valid columns are 0.
//  * Cmp, CmpS: tile[0] mask, tile[1] and tile[2] or the scalar, over the valid region of tile[1].  NaN compares
//  unequal.
//  * Sel: tile[0] = tile[1] bit ? tile[2] : tile[3], SelS: tile[0] = tile[1] bit ? tile[2] : scalar, over the valid
//  region of
//    tile[0].
#include <array>

#include "bodies.hpp"
#include "rows.hpp"

namespace ptopro::sim {

namespace {

uint8_t* mask_row(const CoreMemory& core, const TileDesc& mask, int64_t r) {
  return memory_of(core, mask) + mask.addr + bytes_of(mask.dtype, r * mask.cols);
}

// Bits of n comparisons; b is an array, or one value if `step` is 0.
template <typename T, typename Compare>
void pack(const T* a, const T* b, int64_t step, int64_t n, uint8_t* bits, Compare compare) {
  uint8_t flags[kChunk];
  for (int64_t i = 0; i < n; i += kChunk) {
    const int64_t count = std::min(kChunk, n - i);
    std::memset(flags, 0, sizeof flags);
    if (step == 0) {
      const T value = *b;
      for (int64_t k = 0; k < count; ++k) flags[k] = compare(a[i + k], value);
    } else {
      for (int64_t k = 0; k < count; ++k) flags[k] = compare(a[i + k], b[i + k]);
    }
    for (int64_t k = 0; k < count; k += 8) {
      // Eight bytes of 0 or 1 to the eight bits of one: byte k moves to bit 56 + k.
      uint64_t eight;
      std::memcpy(&eight, flags + k, 8);
      bits[(i + k) / 8] = static_cast<uint8_t>((eight * 0x0102040810204080) >> 56);
    }
  }
}

// Every byte's bits as eight bytes of 0 or 0xff, the lowest bit first.
constexpr std::array<uint64_t, 256> spread_table() {
  std::array<uint64_t, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned bit = 0; bit < 8; ++bit)
      if (byte >> bit & 1) table[byte] |= uint64_t{0xff} << bit * 8;
  return table;
}
constexpr std::array<uint64_t, 256> kSpread = spread_table();

template <typename T>
void select_row(const uint8_t* bits, const T* yes, const T* no, T fallback, T* to, int64_t n) {
  uint64_t spread[kChunk / 8];
  for (int64_t i = 0; i < n; i += kChunk) {
    const int64_t count = std::min(kChunk, n - i);
    for (int64_t k = 0; k < count; k += 8) spread[k / 8] = kSpread[bits[(i + k) / 8]];
    const int8_t* flags = reinterpret_cast<const int8_t*>(spread);
    auto pick = [&](auto other) {
      PTOPRO_INDEPENDENT
      for (int64_t k = 0; k < count; ++k) {
        const T mask = static_cast<T>(flags[k]);
        to[i + k] = static_cast<T>((yes[i + k] & mask) | (other(i + k) & static_cast<T>(~mask)));
      }
    };
    if (no)
      pick([&](int64_t k) { return no[k]; });
    else
      pick([&](int64_t) { return fallback; });
  }
}

template <typename T>
void compare_row(uint8_t mode, const T* a, const T* b, int64_t step, int64_t n, uint8_t* bits) {
  switch (mode) {
    case 0:
      return pack(a, b, step, n, bits, [](T x, T y) { return x == y; });
    case 1:
      return pack(a, b, step, n, bits, [](T x, T y) { return x != y; });
    case 2:
      return pack(a, b, step, n, bits, [](T x, T y) { return x < y; });
    case 3:
      return pack(a, b, step, n, bits, [](T x, T y) { return x <= y; });
    case 4:
      return pack(a, b, step, n, bits, [](T x, T y) { return x > y; });
    default:
      return pack(a, b, step, n, bits, [](T x, T y) { return x >= y; });
  }
}

void compare(const CoreMemory& core, const Record& record) {
  const TileDesc &mask = record.tile[0], &left = record.tile[1];
  const bool with_scalar = record.op == Opcode::CmpS;
  with_arithmetic_type(left.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSource<T> a(core, left, left.vcols), b(core, with_scalar ? left : record.tile[2], left.vcols);
    T scalar = scalar_as<T>(record.scalar);
    if constexpr (std::is_same_v<T, float>) scalar = narrow_scalar(left.dtype, record.scalar);
    for (int64_t r = 0; r < left.vrows; ++r)
      compare_row<T>(record.mod.compare, a(r), with_scalar ? &scalar : b(r), with_scalar ? 0 : 1, left.vcols,
                     mask_row(core, mask, r));
  });
}

void select(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &mask = record.tile[1];
  const bool with_scalar = record.op == Opcode::SelS;
  const uint64_t scalar = scalar_bits(dst.dtype, record.scalar);
  with_bits_type(dst.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RowSource<T> a(core, record.tile[2], dst.vcols), b(core, with_scalar ? record.tile[2] : record.tile[3], dst.vcols);
    RowSink<T> out(core, dst, dst.vcols);
    const T fallback = static_cast<T>(scalar);
    for (int64_t r = 0; r < dst.vrows; ++r) {
      select_row<T>(mask_row(core, mask, r), a(r), with_scalar ? nullptr : b(r), fallback, out(r), dst.vcols);
      out.commit(r);
    }
  });
}

}  // namespace

Body compare_body(Opcode op) {
  switch (op) {
    case Opcode::Cmp:
    case Opcode::CmpS:
      return compare;
    case Opcode::Sel:
    case Opcode::SelS:
      return select;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
