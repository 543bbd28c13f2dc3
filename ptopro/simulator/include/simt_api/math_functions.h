// Mathematics of a thread, in float.  The same functions as tile instructions use where those have them.
#pragma once

namespace ptopro::sim {

float thread_exp(float x);
float thread_log(float x);
float thread_sqrt(float x);
float thread_rsqrt(float x);
float thread_sin(float x);
float thread_cos(float x);
float thread_tanh(float x);
float thread_pow(float base, float exponent);
float thread_fma(float a, float b, float c);
inline float thread_floor(float x) { return __builtin_floorf(x); }
inline float thread_ceil(float x) { return __builtin_ceilf(x); }
inline float thread_abs(float x) { return __builtin_fabsf(x); }

}  // namespace ptopro::sim

// The C library has functions of these names, which are not the same on every machine.
#define expf ::ptopro::sim::thread_exp
#define logf ::ptopro::sim::thread_log
#define sqrtf ::ptopro::sim::thread_sqrt
#define rsqrtf ::ptopro::sim::thread_rsqrt
#define sinf ::ptopro::sim::thread_sin
#define cosf ::ptopro::sim::thread_cos
#define tanhf ::ptopro::sim::thread_tanh
#define powf ::ptopro::sim::thread_pow
#define fmaf ::ptopro::sim::thread_fma
#define floorf ::ptopro::sim::thread_floor
#define ceilf ::ptopro::sim::thread_ceil
#define fabsf ::ptopro::sim::thread_abs
