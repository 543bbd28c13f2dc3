// Kernel scalars of cpp_kernels.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

// Python's //: rounds towards minus infinity.
template <typename T>
AICORE inline T floor_div(T a, T b) {
  const T quotient = a / b;
  if constexpr (T(1) / T(2) != T(0)) {
    if (!(quotient > T(-8388608) && quotient < T(8388608))) return quotient;  // has no fraction
    const T whole = static_cast<T>(static_cast<int64_t>(quotient));
    return whole > quotient ? whole - T(1) : whole;
  } else {
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  }
}

// Python's %: has the sign of the divisor.
template <typename T>
AICORE inline T floor_mod(T a, T b) {
  if constexpr (T(1) / T(2) != T(0)) {
    return a - floor_div<T>(a, b) * b;
  } else {
    const T rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
}

// Python's ** with an exponent of at least 0.
template <typename T>
AICORE inline T int_pow(T base, int64_t exponent) {
  T result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 != 0) result *= base;
    if (exponent > 1) base *= base;
  }
  return result;
}

template <typename T>
AICORE inline T min_of(T a, T b) {
  return b < a ? b : a;
}

template <typename T>
AICORE inline T max_of(T a, T b) {
  return b > a ? b : a;
}

#if defined(__DAV_VEC__)
struct One {
  int64_t a;
  int64_t b[2];
};

struct Many {
  int64_t v;
};

struct QuotientAndRestResult {
  int64_t first;
  int64_t second;
};

AICORE inline int64_t clamp(int64_t v) {  // cpp_kernels.py:13
  if (v > 250) {                          // cpp_kernels.py:14
    return 250;                           // cpp_kernels.py:15
  }
  return v;  // cpp_kernels.py:16
}

AICORE inline QuotientAndRestResult quotient_and_rest(int64_t a) {  // cpp_kernels.py:19
  return {floor_div<int64_t>(a, 7), floor_mod<int64_t>(a, 7)};      // cpp_kernels.py:20
}

AICORE inline void scalars_impl_vector(__gm__ int64_t* out, int32_t n, int64_t m) {  // cpp_kernels.py:24
  set_mask_norm();
  set_vector_mask(-1, -1);
  constexpr int64_t TABLE[] = {5, 7, 11, 13};

  out[0] = floor_div<int64_t>(n - 5LL, 4);  // cpp_kernels.py:26
  out[1] = floor_mod<int64_t>(n - 5LL, 4);  // cpp_kernels.py:27
  out[2] = -1;                              // cpp_kernels.py:28
  int64_t total = 3;                        // cpp_kernels.py:29
  for (int64_t i = n + 4LL; i > -1; --i) {  // cpp_kernels.py:30
    total += i;                             // cpp_kernels.py:31
  }
  out[3] = total;                                                                   // cpp_kernels.py:32
  int64_t trips = 0;                                                                // cpp_kernels.py:33
  for (int64_t _ = 10; n - 4LL > 0 ? _ < n : n - 4LL < 0 && _ > n; _ += n - 4LL) {  // cpp_kernels.py:34
    trips += 1;                                                                     // cpp_kernels.py:35
  }
  out[4] = trips;                                                    // cpp_kernels.py:36
  out[5] = clamp(m * 100);                                           // cpp_kernels.py:37
  const auto quotient_and_rest_result = quotient_and_rest(m - 100);  // cpp_kernels.py:38
  const int64_t q = quotient_and_rest_result.first;
  const int64_t r = quotient_and_rest_result.second;
  out[6] = q;                                // cpp_kernels.py:39
  out[7] = r;                                // cpp_kernels.py:40
  out[8] = TABLE[floor_mod<int32_t>(n, 4)];  // cpp_kernels.py:41
  int64_t x = 0;                             // cpp_kernels.py:42
  while (true) {                             // cpp_kernels.py:43
    x += 1;                                  // cpp_kernels.py:44
    if (x == 5) {                            // cpp_kernels.py:45
      continue;                              // cpp_kernels.py:46
    }
    if (x > 7 && !(x == 9 || x == 10)) {  // cpp_kernels.py:47
      break;                              // cpp_kernels.py:48
    }
  }
  out[9] = x;                           // cpp_kernels.py:49
  out[10] = n > 3 ? 1 : n > 1 ? 2 : 3;  // cpp_kernels.py:50
  if (0 < n && n < 10 && 10 < m) {      // cpp_kernels.py:51
    out[11] = 1;                        // cpp_kernels.py:52
  } else {
    out[11] = 2;  // cpp_kernels.py:54
  }
  out[12] = int_pow<int64_t>(static_cast<int64_t>(n), 3);        // cpp_kernels.py:55
  out[13] = min_of<int64_t>(n, m) + max_of<int64_t>(n, m) * 10;  // cpp_kernels.py:56
  int64_t stop = m;                                              // cpp_kernels.py:57
  const int64_t _stop = stop;                                    // cpp_kernels.py:58
  for (int64_t _ = 0; _ < _stop; ++_) {
    stop -= 1;  // cpp_kernels.py:59
  }
  out[14] = stop;                              // cpp_kernels.py:60
  out[15] = (~n & 255) | 48LL;                 // cpp_kernels.py:61
  out[16] = m - (n - 1LL) - -2;                // cpp_kernels.py:62
  One one = {0, {1, 2}};                       // cpp_kernels.py:63
  one.a = m + 1;                               // cpp_kernels.py:64
  one.b[1] = static_cast<int64_t>(n);          // cpp_kernels.py:65
  out[17] = one.a * 10 + one.b[1] + one.b[0];  // cpp_kernels.py:66
  Many many[3] = {};                           // cpp_kernels.py:67
  for (Many& item : many) item = {4};
  for (int64_t i = 0; i < 3; ++i) {  // cpp_kernels.py:68
    many[i].v = i * i;               // cpp_kernels.py:69
  }
  out[18] = many[2].v + many[floor_mod<int64_t>(n + 3LL, 3)].v;  // cpp_kernels.py:70
  int64_t odd = 0;                                               // cpp_kernels.py:71
  for (int64_t i = 0; i < m; ++i) {                              // cpp_kernels.py:72
    int64_t last = 0;                                            // cpp_kernels.py:73
    if (i % 2 == 1) {
      last = i;  // cpp_kernels.py:74
    } else {
      last = 0;  // cpp_kernels.py:76
    }
    odd += last;  // cpp_kernels.py:77
  }
  out[19] = odd;  // cpp_kernels.py:78
}

#endif  // __DAV_VEC__

AICORE inline void scalars_impl(__gm__ int64_t* out, int32_t n, int64_t m) {
#if defined(__DAV_VEC__)
  scalars_impl_vector(out, n, m);
#endif
}

extern "C" __global__ AICORE void scalars(__gm__ int64_t* out, int32_t n, int64_t m) { scalars_impl(out, n, m); }
