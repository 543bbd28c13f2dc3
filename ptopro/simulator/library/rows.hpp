// Rows of a tile as contiguous arithmetic values, whatever the tile's layout and type.
//
// In: a tile.  Out: RowSource gives row r as n values of T (float for every float type); the tile's own memory where
// that is possible, else a copy.  RowSink takes a row of values back, rounded once.
#pragma once

#include <cstring>
#include <vector>

#include "elements.hpp"

namespace ptopro::sim {

template <typename T>
constexpr bool stored_as(DType type) {
  return std::is_floating_point_v<T> ? type == DType::Float : sizeof(T) * 8 == static_cast<size_t>(dtype_bits(type));
}

template <typename T>
class RowSource {
 public:
  RowSource(const CoreMemory& core, const TileDesc& tile, int64_t columns)
      : plane_(plane_of(core, tile)),
        type_(tile.dtype),
        columns_(columns),
        contiguous_(plane_.bits >= 8 && is_contiguous(plane_.layout.column, columns)) {}

  const T* operator()(int64_t r) { return read(r, own_); }

  // Into a buffer of the caller if a copy is needed, so that several rows can be held at once.
  const T* read(int64_t r, std::vector<T>& buffer) {
    const size_t size = static_cast<size_t>(plane_.bits) / 8;
    const uint8_t* at = plane_.at(r, 0);
    if (contiguous_ && stored_as<T>(type_)) return reinterpret_cast<const T*>(at);
    buffer.resize(static_cast<size_t>(columns_));
    if (!contiguous_) {
      raw_.resize(static_cast<size_t>(columns_) * size);
      for (int64_t c = 0; c < columns_; ++c)
        std::memcpy(raw_.data() + static_cast<size_t>(c) * size, plane_.at(r, c), size);
      at = raw_.data();
    }
    if (stored_as<T>(type_))
      std::memcpy(buffer.data(), at, static_cast<size_t>(columns_) * size);
    else if constexpr (std::is_same_v<T, float>)
      to_float(type_, at, buffer.data(), columns_);
    return buffer.data();
  }

 private:
  Plane plane_;
  DType type_;
  int64_t columns_;
  bool contiguous_;
  std::vector<T> own_;
  std::vector<uint8_t> raw_;
};

template <typename T>
class RowSink {
 public:
  RowSink(const CoreMemory& core, const TileDesc& tile, int64_t columns)
      : plane_(plane_of(core, tile)),
        type_(tile.dtype),
        columns_(columns),
        contiguous_(plane_.bits >= 8 && is_contiguous(plane_.layout.column, columns)) {}

  // Where the values of row r are to be written; `commit` must follow.
  T* operator()(int64_t r) {
    if (contiguous_ && stored_as<T>(type_)) return reinterpret_cast<T*>(plane_.at(r, 0));
    values_.resize(static_cast<size_t>(columns_));
    return values_.data();
  }

  void commit(int64_t r, Round round = Round::Rint, bool saturate = false) {
    if (contiguous_ && stored_as<T>(type_)) return;
    const size_t size = static_cast<size_t>(plane_.bits) / 8;
    uint8_t* at = plane_.at(r, 0);
    if (!contiguous_) {
      raw_.resize(static_cast<size_t>(columns_) * size);
      at = raw_.data();
    }
    if (stored_as<T>(type_))
      std::memcpy(at, values_.data(), static_cast<size_t>(columns_) * size);
    else if constexpr (std::is_same_v<T, float>)
      from_float(type_, values_.data(), at, columns_, round, saturate);
    if (!contiguous_)
      for (int64_t c = 0; c < columns_; ++c)
        std::memcpy(plane_.at(r, c), raw_.data() + static_cast<size_t>(c) * size, size);
  }

 private:
  Plane plane_;
  DType type_;
  int64_t columns_;
  bool contiguous_;
  std::vector<T> values_;
  std::vector<uint8_t> raw_;
};

// One element of any type as an arithmetic value.
template <typename T>
T load_value(const Plane& plane, DType type, int64_t r, int64_t c) {
  const uint64_t bits = load_bits(plane, r, c);
  T value;
  if constexpr (std::is_same_v<T, float>) {
    to_float(type, &bits, &value, 1);
  } else {
    std::memcpy(&value, &bits, sizeof(T));
  }
  return value;
}

// A scalar operand as the bits of an element.
inline uint64_t scalar_bits(DType type, const ScalarDesc& scalar) {
  uint64_t bits = 0;
  with_arithmetic_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T value = scalar_as<T>(scalar);
    if constexpr (std::is_same_v<T, float>)
      from_float(type, &value, &bits, 1);
    else
      std::memcpy(&bits, &value, sizeof(T));
  });
  return bits;
}

template <typename T>
void store_value(const Plane& plane, DType type, int64_t r, int64_t c, T value) {
  uint64_t bits = 0;
  if constexpr (std::is_same_v<T, float>) {
    from_float(type, &value, &bits, 1);
  } else {
    std::memcpy(&bits, &value, sizeof(T));
  }
  store_bits(plane, r, c, bits);
}

}  // namespace ptopro::sim
