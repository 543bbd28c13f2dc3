// Runs of elements to float and back: the bulk forms of the conversions in numbers.hpp.
//
// In: contiguous elements of any data type.  Out: the same values as float, exact for every type of at most 16 bits
// and for float; integers of 32 and 64 bits are rounded to nearest.  Back: rounded once, under a Round mode.
#pragma once

#include <cstdint>

#include "ptopro/numbers.hpp"
#include "ptopro/record.hpp"

namespace ptopro::sim {

void half_to_float(const uint16_t* src, float* dst, int64_t n);
void float_to_half(const float* src, uint16_t* dst, int64_t n);
void bfloat16_to_float(const uint16_t* src, float* dst, int64_t n);
void float_to_bfloat16(const float* src, uint16_t* dst, int64_t n);

void to_float(DType type, const void* src, float* dst, int64_t n);

// Integers: rounded to an integral value, then integer_of.
void from_float(DType type, const float* src, void* dst, int64_t n, Round round = Round::Rint, bool saturate = false);

// A float rounded to an integral value; Round::None is Rint and Odd rounds to the odd neighbour.
float round_to_integral(float value, Round round);

// An integral value as an integer, clamped (saturate) or cut to its low bits; NaN is 0.
template <typename T>
T integer_of(double value, bool saturate);

}  // namespace ptopro::sim
