// The mathematics of SIMT threads: what tile instructions compute with, else the C library's in double, rounded once.
#include <cmath>

#include "ptopro/math.hpp"
#include "simt_api/math_functions.h"

#undef expf
#undef logf
#undef sqrtf
#undef rsqrtf
#undef sinf
#undef cosf
#undef tanhf
#undef powf
#undef fmaf
#undef floorf
#undef ceilf
#undef fabsf

namespace ptopro::sim {

float thread_exp(float x) { return math::exp(x); }
float thread_log(float x) { return math::log(x); }
float thread_sqrt(float x) { return math::sqrt(x); }
float thread_rsqrt(float x) { return math::rsqrt(x); }
float thread_sin(float x) { return static_cast<float>(std::sin(static_cast<double>(x))); }
float thread_cos(float x) { return static_cast<float>(std::cos(static_cast<double>(x))); }
float thread_tanh(float x) { return static_cast<float>(std::tanh(static_cast<double>(x))); }
float thread_pow(float base, float exponent) {
  return static_cast<float>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
}
float thread_fma(float a, float b, float c) { return std::fma(a, b, c); }

}  // namespace ptopro::sim
