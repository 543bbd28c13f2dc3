// Kernel layernorm_vf of layernorm_vf.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t ROWS = 8;
constexpr int64_t LANES = 64;
constexpr int64_t WIDTH = 1024;
constexpr float EPS = 1e-5f;

template <typename T>
AICORE inline T min_of(T a, T b) {
  return b < a ? b : a;
}

#if defined(__DAV_VEC__)
using VecHalf8x1024 = Tile<TileType::Vec, half, 8, 1024, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat1x1024 = Tile<TileType::Vec, float, 1, 1024, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

// layernorm_vf.py:39
AICORE inline void layernorm_rows(VecHalf8x1024& x, VecFloat1x1024& gamma, VecFloat1x1024& beta, VecHalf8x1024& out,
                                  int64_t rows, int64_t cols, float per_column) {
  __ubuf__ half* x_ptr = (__ubuf__ half*)x.data();            // layernorm_vf.py:27
  __ubuf__ float* gamma_ptr = (__ubuf__ float*)gamma.data();  // layernorm_vf.py:64
  __ubuf__ float* beta_ptr = (__ubuf__ float*)beta.data();    // layernorm_vf.py:65
  __ubuf__ half* out_ptr = (__ubuf__ half*)out.data();        // layernorm_vf.py:67
  __VEC_SCOPE__ {
    MaskReg every, lanes;
    RegTensor<float> sums, reg, total, reg_2, mean, squares, reg_3, centred, total_2, reg_4, reg_5, reg_6, deviation;
    RegTensor<float> reg_7, y, reg_8, reg_9;
    RegTensor<half> halves, halves_2, halves_3, half_;
    every = pset_b32(PAT_ALL);                                             // layernorm_vf.py:41
    const int64_t registers = (cols + LANES - 1) / LANES;                  // layernorm_vf.py:42
    const uint16_t row_stop = static_cast<uint16_t>(rows > 0 ? rows : 0);  // layernorm_vf.py:43
    for (uint16_t row = 0; row < row_stop; ++row) {
      const int64_t first = row * WIDTH;                                             // layernorm_vf.py:44
      vdup(sums, 0.0f, every, MODE_ZEROING);                                         // layernorm_vf.py:46
      const uint16_t r_stop = static_cast<uint16_t>(registers > 0 ? registers : 0);  // layernorm_vf.py:47
      for (uint16_t r = 0; r < r_stop; ++r) {
        uint32_t lanes_left = static_cast<uint32_t>(cols - r * LANES);  // layernorm_vf.py:48
        lanes = plt_b32(lanes_left, POST_UPDATE);
        vlds(halves, x_ptr, first + r * LANES, UNPK_B16);   // layernorm_vf.py:27
        vcvt(reg, halves, lanes, PART_EVEN, MODE_ZEROING);  // layernorm_vf.py:28
        vadd(sums, sums, reg, every, MODE_ZEROING);         // layernorm_vf.py:49
      }
      vcadd(total, sums, every, MODE_ZEROING);                                         // layernorm_vf.py:34
      vdup(reg_2, total, every, POS_LOWEST, MODE_ZEROING);                             // layernorm_vf.py:35
      vmuls(mean, reg_2, per_column, every, MODE_ZEROING);                             // layernorm_vf.py:35
      vdup(squares, 0.0f, every, MODE_ZEROING);                                        // layernorm_vf.py:52
      const uint16_t r_stop_2 = static_cast<uint16_t>(registers > 0 ? registers : 0);  // layernorm_vf.py:53
      for (uint16_t r = 0; r < r_stop_2; ++r) {
        uint32_t lanes_left_2 = static_cast<uint32_t>(cols - r * LANES);  // layernorm_vf.py:54
        lanes = plt_b32(lanes_left_2, POST_UPDATE);
        vlds(halves_2, x_ptr, first + r * LANES, UNPK_B16);     // layernorm_vf.py:27
        vcvt(reg_3, halves_2, lanes, PART_EVEN, MODE_ZEROING);  // layernorm_vf.py:28
        vsub(centred, reg_3, mean, lanes, MODE_ZEROING);        // layernorm_vf.py:55
        vmula(squares, centred, centred, every, MODE_ZEROING);  // layernorm_vf.py:56
      }
      vcadd(total_2, squares, every, MODE_ZEROING);                                    // layernorm_vf.py:34
      vdup(reg_4, total_2, every, POS_LOWEST, MODE_ZEROING);                           // layernorm_vf.py:35
      vmuls(reg_5, reg_4, per_column, every, MODE_ZEROING);                            // layernorm_vf.py:35
      vadds(reg_6, reg_5, EPS, every, MODE_ZEROING);                                   // layernorm_vf.py:57
      vsqrt(deviation, reg_6, every, MODE_ZEROING);                                    // layernorm_vf.py:57
      const uint16_t r_stop_3 = static_cast<uint16_t>(registers > 0 ? registers : 0);  // layernorm_vf.py:59
      for (uint16_t r = 0; r < r_stop_3; ++r) {
        const int64_t at = r * LANES;                              // layernorm_vf.py:60
        uint32_t lanes_left_3 = static_cast<uint32_t>(cols - at);  // layernorm_vf.py:61
        lanes = plt_b32(lanes_left_3, POST_UPDATE);
        vlds(halves_3, x_ptr, first + at, UNPK_B16);                          // layernorm_vf.py:27
        vcvt(reg_7, halves_3, lanes, PART_EVEN, MODE_ZEROING);                // layernorm_vf.py:28
        vsub(y, reg_7, mean, lanes, MODE_ZEROING);                            // layernorm_vf.py:62
        vdiv(y, y, deviation, lanes, MODE_ZEROING);                           // layernorm_vf.py:63
        vlds(reg_8, gamma_ptr, at, NORM);                                     // layernorm_vf.py:64
        vmul(y, y, reg_8, lanes, MODE_ZEROING);                               // layernorm_vf.py:64
        vlds(reg_9, beta_ptr, at, NORM);                                      // layernorm_vf.py:65
        vadd(y, y, reg_9, lanes, MODE_ZEROING);                               // layernorm_vf.py:65
        vcvt(half_, y, lanes, ROUND_R, RS_DISABLE, PART_EVEN, MODE_ZEROING);  // layernorm_vf.py:66
        // layernorm_vf.py:67
        vsts((RegTensor<uint32_t>&)half_, (__ubuf__ uint32_t*)(out_ptr + (first + at)), 0, PK_B32, lanes);
      }
    }
  };
}

// layernorm_vf.py:71
AICORE inline void layernorm_vf_impl_vector(__gm__ half* x, __gm__ float* gamma, __gm__ float* beta, __gm__ half* out,
                                            int64_t x_shape0, int64_t x_shape1, int64_t gamma_shape1,
                                            int64_t beta_shape1, int64_t out_shape1) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat1x1024 gamma_ub(1, 1024);  // 0x10000..0x10fff
  TASSIGN(gamma_ub, 0x10000);
  VecFloat1x1024 beta_ub(1, 1024);  // 0x11000..0x11fff
  TASSIGN(beta_ub, 0x11000);
  VecHalf8x1024 x_ub[2] = {{8, 1024}, {8, 1024}};  // 0x00000..0x03fff, 0x04000..0x07fff
  TASSIGN(x_ub[0], 0x0);
  TASSIGN(x_ub[1], 0x4000);
  VecHalf8x1024 out_ub[2] = {{8, 1024}, {8, 1024}};  // 0x08000..0x0bfff, 0x0c000..0x0ffff
  TASSIGN(out_ub[0], 0x8000);
  TASSIGN(out_ub[1], 0xc000);
  int x_ub_cursor = 1;
  int out_ub_cursor = 1;
  constexpr int64_t x_ub_ids[2] = {0, 1};
  constexpr int64_t out_ub_ids[2] = {2, 3};
  using GammaGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  GammaGm gamma_gm(gamma, GammaGm::Shape(), GammaGm::Stride(gamma_shape1));
  using BetaGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  BetaGm beta_gm(beta, BetaGm::Shape(), BetaGm::Stride(beta_shape1));
  using XGm = GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  XGm x_gm(x, XGm::Shape(), XGm::Stride(x_shape1));
  using OutGm = GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  OutGm out_gm(out, OutGm::Shape(), OutGm::Stride(out_shape1));

  const int64_t m = x_shape0;                                               // layernorm_vf.py:83
  const int64_t n = x_shape1;                                               // layernorm_vf.py:84
  gamma_ub.SetValidShape(1, n);                                             // layernorm_vf.py:87
  beta_ub.SetValidShape(1, n);                                              // layernorm_vf.py:88
  get_buf(PIPE_MTE2, 4, 0);                                                 // layernorm_vf.py:89
  gamma_gm.SetShape<3, 4>(gamma_ub.GetValidRow(), gamma_ub.GetValidCol());  // layernorm_vf.py:89
  TASSIGN(gamma_gm, gamma);
  TLOAD(gamma_ub, gamma_gm);
  rls_buf(PIPE_MTE2, 4, 0);                                              // layernorm_vf.py:89
  get_buf(PIPE_MTE2, 5, 0);                                              // layernorm_vf.py:90
  beta_gm.SetShape<3, 4>(beta_ub.GetValidRow(), beta_ub.GetValidCol());  // layernorm_vf.py:90
  TASSIGN(beta_gm, beta);
  TLOAD(beta_ub, beta_gm);
  rls_buf(PIPE_MTE2, 5, 0);  // layernorm_vf.py:90
  // layernorm_vf.py:91
  for (int64_t i = get_block_idx() * get_subblockdim() + get_subblockid(); i < (m + ROWS - 1) / ROWS;
       i += get_block_num()) {
    const int64_t rows = min_of<int64_t>(ROWS, m - i * ROWS);  // layernorm_vf.py:92
    x_ub_cursor = (x_ub_cursor + 1) % 2;                       // layernorm_vf.py:93
    auto& cur_x = x_ub[x_ub_cursor];                           // layernorm_vf.py:93
    const int64_t cur_x_id = x_ub_ids[x_ub_cursor];
    out_ub_cursor = (out_ub_cursor + 1) % 2;  // layernorm_vf.py:94
    auto& cur_out = out_ub[out_ub_cursor];    // layernorm_vf.py:94
    const int64_t cur_out_id = out_ub_ids[out_ub_cursor];
    cur_x.SetValidShape(rows, n);                                   // layernorm_vf.py:95
    cur_out.SetValidShape(rows, n);                                 // layernorm_vf.py:96
    get_buf(PIPE_MTE2, cur_x_id, 0);                                // layernorm_vf.py:97
    x_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // layernorm_vf.py:97
    TASSIGN(x_gm, x + i * ROWS * x_shape1);
    TLOAD(cur_x, x_gm);
    rls_buf(PIPE_MTE2, cur_x_id, 0);                                       // layernorm_vf.py:97
    get_buf(PIPE_V, cur_x_id, 0);                                          // layernorm_vf.py:98
    get_buf(PIPE_V, 4, 0);                                                 // layernorm_vf.py:98
    get_buf(PIPE_V, 5, 0);                                                 // layernorm_vf.py:98
    get_buf(PIPE_V, cur_out_id, 0);                                        // layernorm_vf.py:98
    layernorm_rows(cur_x, gamma_ub, beta_ub, cur_out, rows, n, 1.0f / n);  // layernorm_vf.py:98
    rls_buf(PIPE_V, cur_x_id, 0);                                          // layernorm_vf.py:98
    rls_buf(PIPE_V, 4, 0);                                                 // layernorm_vf.py:98
    rls_buf(PIPE_V, 5, 0);                                                 // layernorm_vf.py:98
    rls_buf(PIPE_V, cur_out_id, 0);                                        // layernorm_vf.py:98
    get_buf(PIPE_MTE3, cur_out_id, 0);                                     // layernorm_vf.py:99
    out_gm.SetShape<3, 4>(cur_out.GetValidRow(), cur_out.GetValidCol());   // layernorm_vf.py:99
    TASSIGN(out_gm, out + i * ROWS * out_shape1);
    TSTORE(out_gm, cur_out);
    rls_buf(PIPE_MTE3, cur_out_id, 0);  // layernorm_vf.py:99
  }
}

#endif  // __DAV_VEC__

AICORE inline void layernorm_vf_impl(__gm__ half* x, __gm__ float* gamma, __gm__ float* beta, __gm__ half* out,
                                     int64_t x_shape0, int64_t x_shape1, int64_t gamma_shape1, int64_t beta_shape1,
                                     [[maybe_unused]] int64_t out_shape0, int64_t out_shape1) {
#if defined(__DAV_VEC__)
  layernorm_vf_impl_vector(x, gamma, beta, out, x_shape0, x_shape1, gamma_shape1, beta_shape1, out_shape1);
#endif
}

extern "C" __global__ AICORE void layernorm_vf(__gm__ half* x, __gm__ float* gamma, __gm__ float* beta,
                                               __gm__ half* out, int64_t x_shape0, int64_t x_shape1,
                                               int64_t gamma_shape1, int64_t beta_shape1, int64_t out_shape0,
                                               int64_t out_shape1) {
  layernorm_vf_impl(x, gamma, beta, out, x_shape0, x_shape1, gamma_shape1, beta_shape1, out_shape0, out_shape1);
}
