// exp, log, sqrt, rsqrt and recip in float, the same on every machine: only IEEE operations, no fused ones, no libm.
//
// Largest error found over every third float, in units in the last place of the exact result (tests/unit/simulator
// measures):
//   exp 0.96 (denormal results included)   log 0.85   sqrt 0.5   rsqrt 1.5   recip 0.5
// The loops that call these vectorise: there are no branches.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

// A call in a loop over elements would keep the loop from becoming a vector loop.
#define PTOPRO_INLINE inline __attribute__((always_inline))

namespace ptopro::sim::math {

// yes or no without a branch: compilers turn conditional expressions into control flow, and then a loop stays scalar.
PTOPRO_INLINE float choose(bool condition, float yes, float no) {
  const uint32_t mask = 0u - static_cast<uint32_t>(condition);
  return std::bit_cast<float>((std::bit_cast<uint32_t>(yes) & mask) | (std::bit_cast<uint32_t>(no) & ~mask));
}

PTOPRO_INLINE float exp(float x) {
  constexpr float kLog2E = 1.44269504f;
  constexpr float kLn2High = 0.693359375f;              // 9 bits: its product with an exponent is exact
  constexpr float kLn2Low = -2.12194440e-4f;            // ln 2 - kLn2High
  constexpr float kMagic = 12582912.0f;                 // 1.5 * 2^23: adding it rounds to an integer
  const float above = choose(x < -104.0f, -104.0f, x);  // exp(-104) rounds to 0, exp(89) to infinity; NaN passes
  const float bounded = choose(above > 89.0f, 89.0f, above);
  const float shifted = bounded * kLog2E + kMagic;
  const float n = shifted - kMagic;
  const float r = (bounded - n * kLn2High) - n * kLn2Low;
  float q = 0.000199076181f;
  q = q * r + 0.00139336765f;
  q = q * r + 0.00833328627f;
  q = q * r + 0.041666463f;
  q = q * r + 0.166666672f;
  q = q * r + 0.5f;
  const float value = 1.0f + (r + r * r * q);
  // 2^n in two factors, because n reaches -150.
  const uint32_t exponent = std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(kMagic);
  const int32_t first = static_cast<int32_t>(exponent) >> 1;
  const int32_t second = static_cast<int32_t>(exponent) - first;
  const float scale1 = std::bit_cast<float>(static_cast<uint32_t>(first + 127) << 23);
  const float scale2 = std::bit_cast<float>(static_cast<uint32_t>(second + 127) << 23);
  return choose(x != x, x, value * scale1 * scale2);
}

PTOPRO_INLINE float log(float x) {
  constexpr float kLn2High = 0.693359375f;
  constexpr float kLn2Low = -2.12194440e-4f;
  const bool denormal = x < 1.17549435e-38f;
  const float scaled = choose(denormal, x * 8388608.0f, x);
  const uint32_t bits = std::bit_cast<uint32_t>(scaled);
  // x = 2^n * (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2)
  const uint32_t offset = bits - 0x3f3504f3;
  const int32_t exponent = static_cast<int32_t>(offset) >> 23;
  const float mantissa = std::bit_cast<float>(bits - (static_cast<uint32_t>(exponent) << 23));
  const float n = static_cast<float>(exponent) - choose(denormal, 23.0f, 0.0f);
  const float f = mantissa - 1.0f;
  float q = -0.0652676821f;
  q = q * f + 0.107130148f;
  q = q * f - 0.106001459f;
  q = q * f + 0.110044241f;
  q = q * f - 0.124524295f;
  q = q * f + 0.142884672f;
  q = q * f - 0.166679949f;
  q = q * f + 0.199999735f;
  q = q * f - 0.249999896f;
  q = q * f + 0.333333343f;
  const float square = f * f;
  const float tail = n * kLn2Low + (f * square * q - 0.5f * square);
  const float value = n * kLn2High + (f + tail);
  const float infinity = std::numeric_limits<float>::infinity();
  const float finite = choose(x == infinity, x, value);
  const float positive = choose(x > 0, finite, -infinity);
  const float real = choose(x < 0, std::numeric_limits<float>::quiet_NaN(), positive);
  return choose(x != x, x, real);
}

// Rounding to an integral value: to nearest even, and to nearest with ties away from zero.
PTOPRO_INLINE float rint(float x) { return __builtin_nearbyintf(x); }
PTOPRO_INLINE float round_away(float x) {
  constexpr float kAlmostHalf = 0x1.fffffep-2f;  // adding 0.5 itself would round some numbers below 0.5 up to 1
  return __builtin_truncf(x + __builtin_copysignf(kAlmostHalf, x));
}

PTOPRO_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }
PTOPRO_INLINE float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
PTOPRO_INLINE float recip(float x) { return 1.0f / x; }

}  // namespace ptopro::sim::math
