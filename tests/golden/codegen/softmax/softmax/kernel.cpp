// Kernel softmax of softmax.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t COLS = 256;
constexpr int64_t ROWS = 32;
constexpr float LOWEST = -3e38f;

template <typename T>
AICORE inline T min_of(T a, T b) {
  return b < a ? b : a;
}

#if defined(__DAV_VEC__)
using VecFloat1x32 = Tile<TileType::Vec, float, 1, 32, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat32x1DN = Tile<TileType::Vec, float, 32, 1, BLayout::ColMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat32x256 = Tile<TileType::Vec, float, 32, 256, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

// softmax.py:26
AICORE inline void softmax_impl_vector(__gm__ float* x, __gm__ float* out, int64_t x_shape0, int64_t x_shape1,
                                       int64_t out_shape1) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat1x32 cur_max(1, 32);  // 0x20000..0x2007f
  TASSIGN(cur_max, 0x20000);
  VecFloat1x32 new_max(1, 32);  // 0x20100..0x2017f
  TASSIGN(new_max, 0x20100);
  VecFloat1x32 total(1, 32);  // 0x20200..0x2027f
  TASSIGN(total, 0x20200);
  VecFloat1x32 part(1, 32);  // 0x20300..0x2037f
  TASSIGN(part, 0x20300);
  VecFloat32x1DN new_max_column(32, 1);  // 0x20100..0x2017f
  TASSIGN(new_max_column, 0x20100);
  VecFloat32x1DN total_column(32, 1);  // 0x20200..0x2027f
  TASSIGN(total_column, 0x20200);
  VecFloat32x1DN part_column(32, 1);  // 0x20300..0x2037f
  TASSIGN(part_column, 0x20300);
  VecFloat32x256 x_ub[2] = {{32, 256}, {32, 256}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(x_ub[0], 0x0);
  TASSIGN(x_ub[1], 0x8000);
  VecFloat32x256 e_ub[2] = {{32, 256}, {32, 256}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(e_ub[0], 0x10000);
  TASSIGN(e_ub[1], 0x18000);
  int x_ub_cursor = 1;
  int e_ub_cursor = 1;
  constexpr int64_t x_ub_ids[2] = {0, 1};
  constexpr int64_t e_ub_ids[2] = {2, 3};
  using XGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  XGm x_gm(x, XGm::Shape(), XGm::Stride(x_shape1));
  using OutGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  OutGm out_gm(out, OutGm::Shape(), OutGm::Stride(out_shape1));

  const int64_t m = x_shape0;                    // softmax.py:49
  const int64_t n = x_shape1;                    // softmax.py:50
  const int64_t blocks = (n + COLS - 1) / COLS;  // softmax.py:51
  // softmax.py:54
  for (int64_t i = get_block_idx() * get_subblockdim() + get_subblockid(); i < (m + ROWS - 1) / ROWS;
       i += get_block_num()) {
    const int64_t rows = min_of<int64_t>(ROWS, m - i * ROWS);    // softmax.py:55
    cur_max.SetValidShape(1, rows);                              // softmax.py:57
    new_max.SetValidShape(1, rows);                              // softmax.py:57
    total.SetValidShape(1, rows);                                // softmax.py:57
    part.SetValidShape(1, rows);                                 // softmax.py:57
    new_max_column.SetValidShape(rows, 1);                       // softmax.py:59
    total_column.SetValidShape(rows, 1);                         // softmax.py:59
    part_column.SetValidShape(rows, 1);                          // softmax.py:59
    TEXPANDS(cur_max, LOWEST);                                   // softmax.py:60
    TEXPANDS(total, 0.0f);                                       // softmax.py:61
    for (int64_t j = 0; j < blocks; ++j) {                       // softmax.py:63
      const int64_t cols = min_of<int64_t>(COLS, n - j * COLS);  // softmax.py:64
      x_ub_cursor = (x_ub_cursor + 1) % 2;                       // softmax.py:65
      auto& cur_x = x_ub[x_ub_cursor];                           // softmax.py:65
      const int64_t cur_x_id = x_ub_ids[x_ub_cursor];
      e_ub_cursor = (e_ub_cursor + 1) % 2;  // softmax.py:66
      auto& cur_e = e_ub[e_ub_cursor];      // softmax.py:66
      const int64_t cur_e_id = e_ub_ids[e_ub_cursor];
      cur_x.SetValidShape(rows, cols);                                // softmax.py:67
      cur_e.SetValidShape(rows, cols);                                // softmax.py:68
      get_buf(PIPE_MTE2, cur_x_id, 0);                                // softmax.py:69
      x_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // softmax.py:69
      TASSIGN(x_gm, x + i * 32 * x_shape1 + j * 256);
      TLOAD(cur_x, x_gm);
      rls_buf(PIPE_MTE2, cur_x_id, 0);              // softmax.py:69
      get_buf(PIPE_V, cur_x_id, 0);                 // softmax.py:70
      get_buf(PIPE_V, cur_e_id, 0);                 // softmax.py:70
      TROWMAX(part_column, cur_x, cur_e);           // softmax.py:70
      TMAX(new_max, cur_max, part);                 // softmax.py:71
      TSUB(cur_max, cur_max, new_max);              // softmax.py:72
      TEXP(cur_max, cur_max);                       // softmax.py:73
      TMUL(total, total, cur_max);                  // softmax.py:74
      TROWEXPANDSUB(cur_x, cur_x, new_max_column);  // softmax.py:75
      TEXP(cur_x, cur_x);                           // softmax.py:76
      TROWSUM(part_column, cur_x, cur_e);           // softmax.py:77
      rls_buf(PIPE_V, cur_x_id, 0);                 // softmax.py:77
      rls_buf(PIPE_V, cur_e_id, 0);                 // softmax.py:77
      TADD(total, total, part);                     // softmax.py:78
      TMULS(cur_max, new_max, 1.0f);                // softmax.py:79
    }
    for (int64_t j = 0; j < blocks; ++j) {                       // softmax.py:81
      const int64_t cols = min_of<int64_t>(COLS, n - j * COLS);  // softmax.py:82
      x_ub_cursor = (x_ub_cursor + 1) % 2;                       // softmax.py:83
      auto& cur_x = x_ub[x_ub_cursor];                           // softmax.py:83
      const int64_t cur_x_id = x_ub_ids[x_ub_cursor];
      e_ub_cursor = (e_ub_cursor + 1) % 2;  // softmax.py:84
      auto& cur_e = e_ub[e_ub_cursor];      // softmax.py:84
      const int64_t cur_e_id = e_ub_ids[e_ub_cursor];
      cur_x.SetValidShape(rows, cols);                                // softmax.py:85
      cur_e.SetValidShape(rows, cols);                                // softmax.py:86
      get_buf(PIPE_MTE2, cur_x_id, 0);                                // softmax.py:87
      x_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // softmax.py:87
      TASSIGN(x_gm, x + i * 32 * x_shape1 + j * 256);
      TLOAD(cur_x, x_gm);
      rls_buf(PIPE_MTE2, cur_x_id, 0);                                  // softmax.py:87
      get_buf(PIPE_V, cur_e_id, 0);                                     // softmax.py:88
      get_buf(PIPE_V, cur_x_id, 0);                                     // softmax.py:88
      TROWEXPANDSUB(cur_e, cur_x, new_max_column);                      // softmax.py:88
      rls_buf(PIPE_V, cur_x_id, 0);                                     // softmax.py:88
      TEXP(cur_e, cur_e);                                               // softmax.py:89
      TROWEXPANDDIV(cur_e, cur_e, total_column);                        // softmax.py:90
      rls_buf(PIPE_V, cur_e_id, 0);                                     // softmax.py:90
      get_buf(PIPE_MTE3, cur_e_id, 0);                                  // softmax.py:91
      out_gm.SetShape<3, 4>(cur_e.GetValidRow(), cur_e.GetValidCol());  // softmax.py:91
      TASSIGN(out_gm, out + i * 32 * out_shape1 + j * 256);
      TSTORE(out_gm, cur_e);
      rls_buf(PIPE_MTE3, cur_e_id, 0);  // softmax.py:91
    }
  }
}

#endif  // __DAV_VEC__

AICORE inline void softmax_impl(__gm__ float* x, __gm__ float* out, int64_t x_shape0, int64_t x_shape1,
                                [[maybe_unused]] int64_t out_shape0, int64_t out_shape1) {
#if defined(__DAV_VEC__)
  softmax_impl_vector(x, out, x_shape0, x_shape1, out_shape1);
#endif
}

extern "C" __global__ AICORE void softmax(__gm__ float* x, __gm__ float* out, int64_t x_shape0, int64_t x_shape1,
                                          int64_t out_shape0, int64_t out_shape1) {
  softmax_impl(x, out, x_shape0, x_shape1, out_shape0, out_shape1);
}
