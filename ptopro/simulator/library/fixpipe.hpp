// The fixpipe: what happens to accumulator values on their way out of L0C.
//
// In: rows of an Acc tile (float or int32), an optional scale (one word, or one word per column), ReLU.
// Out: contiguous elements of the destination's type.  Order: ReLU, scale, one rounding to nearest even (integers are
// clamped).  A scale word holds a float in its low 32 bits and a signed 9-bit offset for integers in bits 37 to 45.
#pragma once

#include <cstdint>

#include "planes.hpp"
#include "ptopro/record.hpp"

namespace ptopro::sim {

// How a store combines with global memory.
enum class Atomic : uint8_t { None, Add, Max, Min };

class Fixpipe {
 public:
  // `channels`: scale words, one per column, or nullptr.
  Fixpipe(const Plane& acc, DType acc_type, DType dst_type, const Record& record, const uint64_t* channels)
      : acc_(acc), acc_type_(acc_type), dst_type_(dst_type), record_(record), channels_(channels) {}

  // dst(dr + r, dc + c) = f(acc(sr + r, sc + c)), combined with what is there by an atomic operation.
  void drain(int64_t sr, int64_t sc, int64_t rows, int64_t columns, const Plane& dst, int64_t dr, int64_t dc,
             Atomic atomic = Atomic::None) const;

 private:
  void read_row(int64_t r, int64_t c, int64_t n, uint32_t* raw) const;
  void convert(const uint32_t* raw, int64_t first_column, int64_t n, void* out) const;

  Plane acc_;
  DType acc_type_, dst_type_;
  const Record& record_;
  const uint64_t* channels_;
};

// dst[i] = dst[i] op src[i] in the element type (floats in float, rounded once; integers wrap).
void combine_elements(Atomic atomic, DType type, void* dst, const void* src, int64_t n);

}  // namespace ptopro::sim
