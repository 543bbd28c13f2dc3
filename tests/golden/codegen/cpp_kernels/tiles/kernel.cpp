// Kernel tiles of cpp_kernels.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t R = 32;
constexpr float EPS = 1e-8f;
constexpr float LOWEST = -__builtin_inff();

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

template <typename T>
AICORE inline T min_of(T a, T b) {
  return b < a ? b : a;
}

#if defined(__DAV_VEC__)
using VecFloat32x64 = Tile<TileType::Vec, float, 32, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

struct FetchResult {
  VecFloat32x64* first;
  int64_t first_id;
};

// cpp_kernels.py:81
AICORE inline FetchResult fetch(int64_t i, int& group_cursor, VecFloat32x64 (&group)[2], __gm__ float* src) {
  constexpr int64_t group_ids[2] = {0, 1};
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 64, 1>> src_gm(src);

  group_cursor = (group_cursor + 1) % 2;  // cpp_kernels.py:82
  auto& t = group[group_cursor];          // cpp_kernels.py:82
  const int64_t t_id = group_ids[group_cursor];
  get_buf(PIPE_MTE2, t_id, 0);                              // cpp_kernels.py:83
  src_gm.SetShape<3, 4>(t.GetValidRow(), t.GetValidCol());  // cpp_kernels.py:83
  TASSIGN(src_gm, src + i * R * 64);
  TLOAD(t, src_gm);
  rls_buf(PIPE_MTE2, t_id, 0);  // cpp_kernels.py:83
  return {&t, t_id};            // cpp_kernels.py:84
}

AICORE inline void scale(VecFloat32x64& t, int64_t t_id) {  // cpp_kernels.py:87
  get_buf(PIPE_V, t_id, 0);                                 // cpp_kernels.py:88
  TMULS(t, t, 3.0f);                                        // cpp_kernels.py:88
  rls_buf(PIPE_V, t_id, 0);                                 // cpp_kernels.py:88
}

AICORE inline void tiles_impl_vector(__gm__ float* x, __gm__ float* y, int32_t n) {  // cpp_kernels.py:92
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat32x64 a[2] = {{32, 64}, {32, 64}};  // 0x00000..0x01fff, 0x02000..0x03fff
  TASSIGN(a[0], 0x0);
  TASSIGN(a[1], 0x2000);
  VecFloat32x64 b[2] = {{32, 64}, {32, 64}};  // 0x08000..0x09fff, 0x0a000..0x0bfff
  TASSIGN(b[0], 0x8000);
  TASSIGN(b[1], 0xa000);
  int a_cursor = 1;
  int b_cursor = 1;
  constexpr int64_t a_ids[2] = {0, 1};
  constexpr int64_t b_ids[2] = {2, 3};
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 64, 1>> x_gm(x);
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 64, 1>> y_gm(y);

  a_cursor = (a_cursor + 1) % 2;  // cpp_kernels.py:98
  auto& t0 = a[a_cursor];         // cpp_kernels.py:98
  const int64_t t0_id = a_ids[a_cursor];
  b_cursor = (b_cursor + 1) % 2;  // cpp_kernels.py:99
  auto& t1 = b[b_cursor];         // cpp_kernels.py:99
  const int64_t t1_id = b_ids[b_cursor];
  auto& t = n > 3 ? t0 : t1;  // cpp_kernels.py:100
  const int64_t t_id = n > 3 ? t0_id : t1_id;
  get_buf(PIPE_MTE2, t_id, 0);                            // cpp_kernels.py:101
  x_gm.SetShape<3, 4>(t.GetValidRow(), t.GetValidCol());  // cpp_kernels.py:101
  TASSIGN(x_gm, x);
  TLOAD(t, x_gm);
  rls_buf(PIPE_MTE2, t_id, 0);                            // cpp_kernels.py:101
  get_buf(PIPE_V, t_id, 0);                               // cpp_kernels.py:102
  TMULS(t, t, 2.0f);                                      // cpp_kernels.py:102
  rls_buf(PIPE_V, t_id, 0);                               // cpp_kernels.py:102
  get_buf(PIPE_MTE3, t_id, 0);                            // cpp_kernels.py:103
  y_gm.SetShape<3, 4>(t.GetValidRow(), t.GetValidCol());  // cpp_kernels.py:103
  TASSIGN(y_gm, y);
  TSTORE(y_gm, t);
  rls_buf(PIPE_MTE3, t_id, 0);  // cpp_kernels.py:103
  VecFloat32x64* u = nullptr;   // cpp_kernels.py:105
  int64_t u_id = 0;
  if (n > 1) {
    a_cursor = (a_cursor + 1) % 2;  // cpp_kernels.py:106
    u = &a[a_cursor];               // cpp_kernels.py:106
    u_id = a_ids[a_cursor];
  } else {
    b_cursor = (b_cursor + 1) % 2;  // cpp_kernels.py:108
    u = &b[b_cursor];               // cpp_kernels.py:108
    u_id = b_ids[b_cursor];
  }
  get_buf(PIPE_MTE2, u_id, 0);                              // cpp_kernels.py:109
  x_gm.SetShape<3, 4>(u->GetValidRow(), u->GetValidCol());  // cpp_kernels.py:109
  TASSIGN(x_gm, x + 2048);
  TLOAD(*u, x_gm);
  rls_buf(PIPE_MTE2, u_id, 0);                              // cpp_kernels.py:109
  get_buf(PIPE_V, u_id, 0);                                 // cpp_kernels.py:110
  TADDS(*u, *u, EPS);                                       // cpp_kernels.py:110
  rls_buf(PIPE_V, u_id, 0);                                 // cpp_kernels.py:110
  get_buf(PIPE_MTE3, u_id, 0);                              // cpp_kernels.py:111
  y_gm.SetShape<3, 4>(u->GetValidRow(), u->GetValidCol());  // cpp_kernels.py:111
  TASSIGN(y_gm, y + 2048);
  TSTORE(y_gm, *u);
  rls_buf(PIPE_MTE3, u_id, 0);                           // cpp_kernels.py:111
  for (int64_t i = 2; i < 4; ++i) {                      // cpp_kernels.py:113
    const auto fetch_result = fetch(i, a_cursor, a, x);  // cpp_kernels.py:114
    auto& v = *fetch_result.first;
    const int64_t v_id = fetch_result.first_id;
    scale(v, v_id);                                         // cpp_kernels.py:115
    get_buf(PIPE_MTE3, v_id, 0);                            // cpp_kernels.py:116
    y_gm.SetShape<3, 4>(v.GetValidRow(), v.GetValidCol());  // cpp_kernels.py:116
    TASSIGN(y_gm, y + i * R * 64);
    TSTORE(y_gm, v);
    rls_buf(PIPE_MTE3, v_id, 0);  // cpp_kernels.py:116
  }
  b_cursor = (b_cursor + 1) % 2;  // cpp_kernels.py:118
  auto& w = b[b_cursor];          // cpp_kernels.py:118
  const int64_t w_id = b_ids[b_cursor];
  get_buf(PIPE_MTE2, w_id, 0);                            // cpp_kernels.py:119
  x_gm.SetShape<3, 4>(w.GetValidRow(), w.GetValidCol());  // cpp_kernels.py:119
  TASSIGN(x_gm, x + 8192);
  TLOAD(w, x_gm);
  rls_buf(PIPE_MTE2, w_id, 0);  // cpp_kernels.py:119
  get_buf(PIPE_V, w_id, 0);     // cpp_kernels.py:120
  // cpp_kernels.py:120
  VecFloat32x64 w_view(min_of<int64_t>(8, w.GetValidRow()), min_of<int64_t>(64, w.GetValidCol()));
  TASSIGN(w_view, reinterpret_cast<uint64_t>(w.data()));
  TMULS(w_view, w_view, 10.0f);
  rls_buf(PIPE_V, w_id, 0);  // cpp_kernels.py:120
  // cpp_kernels.py:121
  VecFloat32x64 top(min_of<int64_t>(16, w.GetValidRow()) - 8, min_of<int64_t>(32, w.GetValidCol()));
  TASSIGN(top, reinterpret_cast<uint64_t>(w.data()) + 0x800);
  const int64_t top_id = w_id;
  get_buf(PIPE_V, top_id, 0);                             // cpp_kernels.py:122
  TADDS(top, top, 5.0f);                                  // cpp_kernels.py:122
  rls_buf(PIPE_V, top_id, 0);                             // cpp_kernels.py:122
  get_buf(PIPE_MTE3, w_id, 0);                            // cpp_kernels.py:123
  y_gm.SetShape<3, 4>(w.GetValidRow(), w.GetValidCol());  // cpp_kernels.py:123
  TASSIGN(y_gm, y + 8192);
  TSTORE(y_gm, w);
  rls_buf(PIPE_MTE3, w_id, 0);           // cpp_kernels.py:123
  const int32_t rows = n < 16 ? n : 16;  // cpp_kernels.py:125
  a_cursor = (a_cursor + 1) % 2;         // cpp_kernels.py:126
  auto& z = a[a_cursor];                 // cpp_kernels.py:126
  const int64_t z_id = a_ids[a_cursor];
  z.SetValidShape(rows, 64);                              // cpp_kernels.py:127
  get_buf(PIPE_MTE2, z_id, 0);                            // cpp_kernels.py:128
  x_gm.SetShape<3, 4>(z.GetValidRow(), z.GetValidCol());  // cpp_kernels.py:128
  TASSIGN(x_gm, x + 10240);
  TLOAD(z, x_gm);
  rls_buf(PIPE_MTE2, z_id, 0);                            // cpp_kernels.py:128
  get_buf(PIPE_MTE3, z_id, 0);                            // cpp_kernels.py:129
  y_gm.SetShape<3, 4>(z.GetValidRow(), z.GetValidCol());  // cpp_kernels.py:129
  TASSIGN(y_gm, y + 10240);
  TSTORE(y_gm, z);
  rls_buf(PIPE_MTE3, z_id, 0);                  // cpp_kernels.py:129
  z.SetValidShape(R, 64);                       // cpp_kernels.py:130
  auto& p = a[floor_mod<int64_t>(n + 8LL, 2)];  // cpp_kernels.py:132
  const int64_t p_id = a_ids[floor_mod<int64_t>(n + 8LL, 2)];
  auto& q = a[floor_mod<int64_t>(n + 9LL, 2)];  // cpp_kernels.py:133
  const int64_t q_id = a_ids[floor_mod<int64_t>(n + 9LL, 2)];
  get_buf(PIPE_MTE2, p_id, 0);                            // cpp_kernels.py:134
  x_gm.SetShape<3, 4>(p.GetValidRow(), p.GetValidCol());  // cpp_kernels.py:134
  TASSIGN(x_gm, x + 12288);
  TLOAD(p, x_gm);
  rls_buf(PIPE_MTE2, p_id, 0);                            // cpp_kernels.py:134
  get_buf(PIPE_MTE2, q_id, 0);                            // cpp_kernels.py:135
  x_gm.SetShape<3, 4>(q.GetValidRow(), q.GetValidCol());  // cpp_kernels.py:135
  TASSIGN(x_gm, x + 14336);
  TLOAD(q, x_gm);
  rls_buf(PIPE_MTE2, q_id, 0);                            // cpp_kernels.py:135
  get_buf(PIPE_V, 0, 0);                                  // cpp_kernels.py:136
  get_buf(PIPE_V, 1, 0);                                  // cpp_kernels.py:136
  TADD(p, p, q);                                          // cpp_kernels.py:136
  rls_buf(PIPE_V, 0, 0);                                  // cpp_kernels.py:136
  rls_buf(PIPE_V, 1, 0);                                  // cpp_kernels.py:136
  get_buf(PIPE_MTE3, p_id, 0);                            // cpp_kernels.py:137
  y_gm.SetShape<3, 4>(p.GetValidRow(), p.GetValidCol());  // cpp_kernels.py:137
  TASSIGN(y_gm, y + 12288);
  TSTORE(y_gm, p);
  rls_buf(PIPE_MTE3, p_id, 0);                            // cpp_kernels.py:137
  get_buf(PIPE_V, 0, 0);                                  // cpp_kernels.py:138
  get_buf(PIPE_V, 1, 0);                                  // cpp_kernels.py:138
  TADD(p, p, a[floor_mod<int64_t>(n + 8LL, 2)]);          // cpp_kernels.py:138
  rls_buf(PIPE_V, 0, 0);                                  // cpp_kernels.py:138
  rls_buf(PIPE_V, 1, 0);                                  // cpp_kernels.py:138
  get_buf(PIPE_MTE3, p_id, 0);                            // cpp_kernels.py:139
  y_gm.SetShape<3, 4>(p.GetValidRow(), p.GetValidCol());  // cpp_kernels.py:139
  TASSIGN(y_gm, y + 14336);
  TSTORE(y_gm, p);
  rls_buf(PIPE_MTE3, p_id, 0);    // cpp_kernels.py:139
  b_cursor = (b_cursor + 1) % 2;  // cpp_kernels.py:141
  auto& s = b[b_cursor];          // cpp_kernels.py:141
  const int64_t s_id = b_ids[b_cursor];
  get_buf(PIPE_MTE2, s_id, 0);                            // cpp_kernels.py:142
  x_gm.SetShape<3, 4>(s.GetValidRow(), s.GetValidCol());  // cpp_kernels.py:142
  TASSIGN(x_gm, x + 16384);
  TLOAD(s, x_gm);
  rls_buf(PIPE_MTE2, s_id, 0);                            // cpp_kernels.py:142
  get_buf(PIPE_S, s_id, 0);                               // cpp_kernels.py:143
  const float e = s.GetValue(196);                        // cpp_kernels.py:143
  s.SetValue(0, e * 2.0f);                                // cpp_kernels.py:144
  rls_buf(PIPE_S, s_id, 0);                               // cpp_kernels.py:144
  get_buf(PIPE_MTE3, s_id, 0);                            // cpp_kernels.py:145
  y_gm.SetShape<3, 4>(s.GetValidRow(), s.GetValidCol());  // cpp_kernels.py:145
  TASSIGN(y_gm, y + 16384);
  TSTORE(y_gm, s);
  rls_buf(PIPE_MTE3, s_id, 0);    // cpp_kernels.py:145
  b_cursor = (b_cursor + 1) % 2;  // cpp_kernels.py:147
  auto& f = b[b_cursor];          // cpp_kernels.py:147
  const int64_t f_id = b_ids[b_cursor];
  get_buf(PIPE_V, f_id, 0);                               // cpp_kernels.py:148
  TEXPANDS(f, LOWEST);                                    // cpp_kernels.py:148
  rls_buf(PIPE_V, f_id, 0);                               // cpp_kernels.py:148
  get_buf(PIPE_MTE3, f_id, 0);                            // cpp_kernels.py:149
  y_gm.SetShape<3, 4>(f.GetValidRow(), f.GetValidCol());  // cpp_kernels.py:149
  TASSIGN(y_gm, y + 18432);
  TSTORE(y_gm, f);
  rls_buf(PIPE_MTE3, f_id, 0);  // cpp_kernels.py:149
}

#endif  // __DAV_VEC__

AICORE inline void tiles_impl(__gm__ float* x, __gm__ float* y, int32_t n, [[maybe_unused]] int64_t x_shape0,
                              [[maybe_unused]] int64_t y_shape0) {
#if defined(__DAV_VEC__)
  tiles_impl_vector(x, y, n);
#endif
}

extern "C" __global__ AICORE void tiles(__gm__ float* x, __gm__ float* y, int32_t n, int64_t x_shape0,
                                        int64_t y_shape0) {
  tiles_impl(x, y, n, x_shape0, y_shape0);
}
