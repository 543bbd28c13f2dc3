// Kernel layernorm of layernorm.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t ROWS = 16;
constexpr float EPS = 1e-5f;

template <typename T>
AICORE inline T min_of(T a, T b) {
  return b < a ? b : a;
}

#if defined(__DAV_VEC__)
using VecFloat16x1DN = Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat16x768 = Tile<TileType::Vec, float, 16, 768, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat1x16 = Tile<TileType::Vec, float, 1, 16, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat1x768 = Tile<TileType::Vec, float, 1, 768, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

// layernorm.py:27
AICORE inline void scaled_row_sum(VecFloat16x768& block, int64_t block_id, float scale, VecFloat16x1DN& stat_column,
                                  VecFloat16x768& scratch, VecFloat1x16& stat) {
  get_buf(PIPE_V, block_id, 0);          // layernorm.py:29
  TROWSUM(stat_column, block, scratch);  // layernorm.py:29
  rls_buf(PIPE_V, block_id, 0);          // layernorm.py:29
  TMULS(stat, stat, scale);              // layernorm.py:30
}

// layernorm.py:27
AICORE inline void scaled_row_sum_2(float scale, VecFloat16x1DN& stat_column, VecFloat16x768& scratch,
                                    VecFloat1x16& stat) {
  get_buf(PIPE_V, 2, 0);                   // layernorm.py:29
  TROWSUM(stat_column, scratch, scratch);  // layernorm.py:29
  rls_buf(PIPE_V, 2, 0);                   // layernorm.py:29
  TMULS(stat, stat, scale);                // layernorm.py:30
}

// layernorm.py:34
AICORE inline void layernorm_impl_vector(__gm__ float* x, __gm__ float* gamma, __gm__ float* beta, __gm__ float* out,
                                         float scale, int64_t x_shape0, int64_t x_shape1, int64_t gamma_shape1,
                                         int64_t beta_shape1, int64_t out_shape1) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat1x768 gamma_ub(1, 768);  // 0x24000..0x24bff
  TASSIGN(gamma_ub, 0x24000);
  VecFloat1x768 beta_ub(1, 768);  // 0x24c00..0x257ff
  TASSIGN(beta_ub, 0x24c00);
  VecFloat16x768 x_ub[2] = {{16, 768}, {16, 768}};  // 0x00000..0x0bfff, 0x0c000..0x17fff
  TASSIGN(x_ub[0], 0x0);
  TASSIGN(x_ub[1], 0xc000);
  VecFloat16x768 work(16, 768);  // 0x18000..0x23fff
  TASSIGN(work, 0x18000);
  VecFloat1x16 stat(1, 16);  // 0x25800..0x2583f
  TASSIGN(stat, 0x25800);
  VecFloat16x1DN stat_column(16, 1);  // 0x25800..0x2583f
  TASSIGN(stat_column, 0x25800);
  int x_ub_cursor = 1;
  constexpr int64_t x_ub_ids[2] = {0, 1};
  using GammaGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  GammaGm gamma_gm(gamma, GammaGm::Shape(), GammaGm::Stride(gamma_shape1));
  using BetaGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  BetaGm beta_gm(beta, BetaGm::Shape(), BetaGm::Stride(beta_shape1));
  using XGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  XGm x_gm(x, XGm::Shape(), XGm::Stride(x_shape1));
  using OutGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  OutGm out_gm(out, OutGm::Shape(), OutGm::Stride(out_shape1));

  const int64_t m = x_shape0;                                               // layernorm.py:58
  const int64_t n = x_shape1;                                               // layernorm.py:59
  gamma_ub.SetValidShape(1, n);                                             // layernorm.py:62
  beta_ub.SetValidShape(1, n);                                              // layernorm.py:63
  get_buf(PIPE_MTE2, 3, 0);                                                 // layernorm.py:64
  gamma_gm.SetShape<3, 4>(gamma_ub.GetValidRow(), gamma_ub.GetValidCol());  // layernorm.py:64
  TASSIGN(gamma_gm, gamma);
  TLOAD(gamma_ub, gamma_gm);
  rls_buf(PIPE_MTE2, 3, 0);                                              // layernorm.py:64
  get_buf(PIPE_MTE2, 4, 0);                                              // layernorm.py:65
  beta_gm.SetShape<3, 4>(beta_ub.GetValidRow(), beta_ub.GetValidCol());  // layernorm.py:65
  TASSIGN(beta_gm, beta);
  TLOAD(beta_ub, beta_gm);
  rls_buf(PIPE_MTE2, 4, 0);  // layernorm.py:65
  get_buf(PIPE_V, 4, 0);     // layernorm.py:66
  TNEG(beta_ub, beta_ub);    // layernorm.py:66
  rls_buf(PIPE_V, 4, 0);     // layernorm.py:66
  // layernorm.py:68
  for (int64_t i = get_block_idx() * get_subblockdim() + get_subblockid(); i < (m + ROWS - 1) / ROWS;
       i += get_block_num()) {
    const int64_t rows = min_of<int64_t>(ROWS, m - i * ROWS);  // layernorm.py:69
    x_ub_cursor = (x_ub_cursor + 1) % 2;                       // layernorm.py:70
    auto& cur_x = x_ub[x_ub_cursor];                           // layernorm.py:70
    const int64_t cur_x_id = x_ub_ids[x_ub_cursor];
    cur_x.SetValidShape(rows, n);                                   // layernorm.py:71
    work.SetValidShape(rows, n);                                    // layernorm.py:72
    stat.SetValidShape(1, rows);                                    // layernorm.py:73
    stat_column.SetValidShape(rows, 1);                             // layernorm.py:74
    get_buf(PIPE_MTE2, cur_x_id, 0);                                // layernorm.py:76
    x_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // layernorm.py:76
    TASSIGN(x_gm, x + i * 16 * x_shape1);
    TLOAD(cur_x, x_gm);
    rls_buf(PIPE_MTE2, cur_x_id, 0);                                  // layernorm.py:76
    scaled_row_sum(cur_x, cur_x_id, scale, stat_column, work, stat);  // layernorm.py:77
    get_buf(PIPE_V, cur_x_id, 0);                                     // layernorm.py:78
    TROWEXPANDSUB(cur_x, cur_x, stat_column);                         // layernorm.py:78
    TMUL(work, cur_x, cur_x);                                         // layernorm.py:79
    rls_buf(PIPE_V, cur_x_id, 0);                                     // layernorm.py:79
    scaled_row_sum_2(scale, stat_column, work, stat);                 // layernorm.py:80
    TADDS(stat, stat, EPS);                                           // layernorm.py:81
    TRSQRT(stat, stat);                                               // layernorm.py:82
    get_buf(PIPE_V, cur_x_id, 0);                                     // layernorm.py:83
    TROWEXPANDMUL(cur_x, cur_x, stat_column);                         // layernorm.py:83
    get_buf(PIPE_V, 3, 0);                                            // layernorm.py:84
    TCOLEXPANDMUL(cur_x, cur_x, gamma_ub);                            // layernorm.py:84
    rls_buf(PIPE_V, 3, 0);                                            // layernorm.py:84
    get_buf(PIPE_V, 4, 0);                                            // layernorm.py:85
    TCOLEXPANDSUB(cur_x, cur_x, beta_ub);                             // layernorm.py:85
    rls_buf(PIPE_V, cur_x_id, 0);                                     // layernorm.py:85
    rls_buf(PIPE_V, 4, 0);                                            // layernorm.py:85
    get_buf(PIPE_MTE3, cur_x_id, 0);                                  // layernorm.py:86
    out_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // layernorm.py:86
    TASSIGN(out_gm, out + i * 16 * out_shape1);
    TSTORE(out_gm, cur_x);
    rls_buf(PIPE_MTE3, cur_x_id, 0);  // layernorm.py:86
  }
}

#endif  // __DAV_VEC__

AICORE inline void layernorm_impl(__gm__ float* x, __gm__ float* gamma, __gm__ float* beta, __gm__ float* out,
                                  float scale, int64_t x_shape0, int64_t x_shape1, int64_t gamma_shape1,
                                  int64_t beta_shape1, [[maybe_unused]] int64_t out_shape0, int64_t out_shape1) {
#if defined(__DAV_VEC__)
  layernorm_impl_vector(x, gamma, beta, out, scale, x_shape0, x_shape1, gamma_shape1, beta_shape1, out_shape1);
#endif
}

extern "C" __global__ AICORE void layernorm(__gm__ float* x, __gm__ float* gamma, __gm__ float* beta, __gm__ float* out,
                                            float scale, int64_t x_shape0, int64_t x_shape1, int64_t gamma_shape1,
                                            int64_t beta_shape1, int64_t out_shape0, int64_t out_shape1) {
  layernorm_impl(x, gamma, beta, out, scale, x_shape0, x_shape1, gamma_shape1, beta_shape1, out_shape0, out_shape1);
}
