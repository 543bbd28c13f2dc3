#include "fixpipe.hpp"

#include <algorithm>
#include <cstring>

#include "elements.hpp"

namespace ptopro::sim {

namespace {

struct Scale {
  float factor = 1;
  float offset = 0;
};

// The unit reads the factor as a float of 1 + 8 + 10 bits: what stands below bit 13 of the word does not count.
constexpr uint32_t kFactorBits = 0xffffe000;

Scale scale_of(uint64_t word) {
  int offset = static_cast<int>((word >> 37) & 0x1ff);
  if (offset & 0x100) offset -= 0x200;
  return {std::bit_cast<float>(static_cast<uint32_t>(word) & kFactorBits), static_cast<float>(offset)};
}

bool is_byte_integer(DType type) { return type == DType::Int8 || type == DType::UInt8; }

}  // namespace

void Fixpipe::convert(const uint32_t* raw, int64_t first_column, int64_t n, void* out) const {
  const bool scaled = record_.mod.has_scale || channels_;
  const bool relu = record_.mod.relu != 0;
  const bool integer = acc_type_ == DType::Int32;
  if (integer && !scaled && dst_type_ == DType::Int32) {
    int32_t* to = static_cast<int32_t*>(out);
    for (int64_t i = 0; i < n; ++i) {
      const int32_t value = static_cast<int32_t>(raw[i]);
      to[i] = relu && value < 0 ? 0 : value;
    }
    return;
  }
  float values[kChunk];
  if (!integer && !relu && !scaled)
    return from_float(dst_type_, reinterpret_cast<const float*>(raw), out, n, Round::Rint, is_byte_integer(dst_type_));
  if (integer)
    for (int64_t i = 0; i < n; ++i) values[i] = static_cast<float>(static_cast<int32_t>(raw[i]));
  else
    std::memcpy(values, raw, static_cast<size_t>(n) * 4);
  if (relu)
    for (int64_t i = 0; i < n; ++i) values[i] = values[i] < 0 ? 0.0f : values[i];
  if (scaled) {
    const bool byte = is_byte_integer(dst_type_);
    Scale scale = scale_of(record_.scale);
    for (int64_t i = 0; i < n; ++i) {
      if (channels_) scale = scale_of(channels_[first_column + i]);
      values[i] *= scale.factor;
      if (byte) values[i] = round_to_integral(values[i], Round::Rint) + scale.offset;
    }
  }
  from_float(dst_type_, values, out, n, Round::Rint, is_byte_integer(dst_type_));
}

// One row of the accumulator, n columns from c on, as contiguous words.
void Fixpipe::read_row(int64_t r, int64_t c, int64_t n, uint32_t* raw) const {
  const uint32_t* row = reinterpret_cast<const uint32_t*>(acc_.base) + acc_.layout.row.at(r);
  const int64_t pitch = acc_.layout.column.pitch[1];
  for (int64_t i = 0; i < n;) {
    const int64_t column = c + i, lane = column % 16, run = std::min<int64_t>(n - i, 16 - lane);
    const uint32_t* from = row + column / 16 * pitch + lane;
    if (run == 16)
      std::memcpy(raw + i, from, 64);
    else
      std::memcpy(raw + i, from, static_cast<size_t>(run) * 4);
    i += run;
  }
}

void Fixpipe::drain(int64_t sr, int64_t sc, int64_t rows, int64_t columns, const Plane& dst, int64_t dr, int64_t dc,
                    Atomic atomic) const {
  const int64_t size = dst.bits / 8;
  uint32_t raw[kChunk];
  alignas(64) uint8_t out[kChunk * 8];
  const bool contiguous = dst.layout.column.pitch[0] == 1 && dst.layout.column.levels == 1;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; c += kChunk) {
      const int64_t n = std::min(kChunk, columns - c);
      read_row(sr + r, sc + c, n, raw);
      uint8_t* direct = dst.at(dr + r, dc + c);
      const bool in_place = contiguous && atomic == Atomic::None;
      convert(raw, sc + c, n, in_place ? direct : out);
      if (in_place) continue;
      if (contiguous) {
        combine_elements(atomic, dst_type_, direct, out, n);
        continue;
      }
      for (int64_t i = 0; i < n; ++i) {
        uint8_t* to = dst.at(dr + r, dc + c + i);
        if (atomic != Atomic::None)
          combine_elements(atomic, dst_type_, to, out + i * size, 1);
        else
          std::memcpy(to, out + i * size, static_cast<size_t>(size));
      }
    }
  }
}

namespace {

template <typename Op>
void combine_with(DType type, void* dst, const void* src, int64_t n) {
  if (is_direct(type)) {
    with_arithmetic_type(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* to = static_cast<T*>(dst);
      const T* from = static_cast<const T*>(src);
      for (int64_t i = 0; i < n; ++i) to[i] = Op::template of<T>(to[i], from[i]);
    });
    return;
  }
  float a[kChunk], b[kChunk];
  const int64_t size = dtype_bits(type) / 8;
  for (int64_t i = 0; i < n; i += kChunk) {
    const int64_t part = std::min(kChunk, n - i);
    uint8_t* to = static_cast<uint8_t*>(dst) + i * size;
    to_float(type, to, a, part);
    to_float(type, static_cast<const uint8_t*>(src) + i * size, b, part);
    for (int64_t k = 0; k < part; ++k) a[k] = Op::template of<float>(a[k], b[k]);
    from_float(type, a, to, part);
  }
}

}  // namespace

void combine_elements(Atomic atomic, DType type, void* dst, const void* src, int64_t n) {
  switch (atomic) {
    case Atomic::Max:
      return combine_with<op::Max>(type, dst, src, n);
    case Atomic::Min:
      return combine_with<op::Min>(type, dst, src, n);
    default:
      return combine_with<op::Add>(type, dst, src, n);
  }
}

}  // namespace ptopro::sim
