// Kernel add of add.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t ROWS = 64;
constexpr int64_t COLS = 128;

template <typename T>
AICORE inline T min_of(T a, T b) {
  return b < a ? b : a;
}

#if defined(__DAV_VEC__)
using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

// add.py:22
AICORE inline void add_impl_vector(__gm__ float* x, __gm__ float* y, __gm__ float* z, int64_t x_shape0,
                                   int64_t x_shape1, int64_t y_shape1, int64_t z_shape1) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat64x128 x_ub[2] = {{64, 128}, {64, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(x_ub[0], 0x0);
  TASSIGN(x_ub[1], 0x8000);
  VecFloat64x128 y_ub[2] = {{64, 128}, {64, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(y_ub[0], 0x10000);
  TASSIGN(y_ub[1], 0x18000);
  VecFloat64x128 z_ub[2] = {{64, 128}, {64, 128}};  // 0x20000..0x27fff, 0x28000..0x2ffff
  TASSIGN(z_ub[0], 0x20000);
  TASSIGN(z_ub[1], 0x28000);
  int x_ub_cursor = 1;
  int y_ub_cursor = 1;
  int z_ub_cursor = 1;
  constexpr int64_t x_ub_ids[2] = {0, 1};
  constexpr int64_t y_ub_ids[2] = {2, 3};
  constexpr int64_t z_ub_ids[2] = {4, 5};
  using XGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  XGm x_gm(x, XGm::Shape(), XGm::Stride(x_shape1));
  using YGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  YGm y_gm(y, YGm::Shape(), YGm::Stride(y_shape1));
  using ZGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  ZGm z_gm(z, ZGm::Shape(), ZGm::Stride(z_shape1));

  const int64_t m = x_shape0;  // add.py:31
  const int64_t n = x_shape1;  // add.py:32
  // add.py:35
  for (int64_t i = get_block_idx() * get_subblockdim() + get_subblockid(); i < (m + ROWS - 1) / ROWS;
       i += get_block_num()) {
    const int64_t rows = min_of<int64_t>(ROWS, m - i * ROWS);    // add.py:36
    for (int64_t j = 0; j < (n + COLS - 1) / COLS; ++j) {        // add.py:37
      const int64_t cols = min_of<int64_t>(COLS, n - j * COLS);  // add.py:38
      x_ub_cursor = (x_ub_cursor + 1) % 2;                       // add.py:39
      auto& cur_x = x_ub[x_ub_cursor];                           // add.py:39
      const int64_t cur_x_id = x_ub_ids[x_ub_cursor];
      y_ub_cursor = (y_ub_cursor + 1) % 2;  // add.py:40
      auto& cur_y = y_ub[y_ub_cursor];      // add.py:40
      const int64_t cur_y_id = y_ub_ids[y_ub_cursor];
      z_ub_cursor = (z_ub_cursor + 1) % 2;  // add.py:41
      auto& cur_z = z_ub[z_ub_cursor];      // add.py:41
      const int64_t cur_z_id = z_ub_ids[z_ub_cursor];
      cur_x.SetValidShape(rows, cols);                                // add.py:42
      cur_y.SetValidShape(rows, cols);                                // add.py:43
      cur_z.SetValidShape(rows, cols);                                // add.py:44
      get_buf(PIPE_MTE2, cur_x_id, 0);                                // add.py:45
      x_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // add.py:45
      TASSIGN(x_gm, x + i * 64 * x_shape1 + j * 128);
      TLOAD(cur_x, x_gm);
      rls_buf(PIPE_MTE2, cur_x_id, 0);                                // add.py:45
      get_buf(PIPE_MTE2, cur_y_id, 0);                                // add.py:46
      y_gm.SetShape<3, 4>(cur_y.GetValidRow(), cur_y.GetValidCol());  // add.py:46
      TASSIGN(y_gm, y + i * 64 * y_shape1 + j * 128);
      TLOAD(cur_y, y_gm);
      rls_buf(PIPE_MTE2, cur_y_id, 0);                                // add.py:46
      get_buf(PIPE_V, cur_z_id, 0);                                   // add.py:47
      get_buf(PIPE_V, cur_x_id, 0);                                   // add.py:47
      get_buf(PIPE_V, cur_y_id, 0);                                   // add.py:47
      TADD(cur_z, cur_x, cur_y);                                      // add.py:47
      rls_buf(PIPE_V, cur_z_id, 0);                                   // add.py:47
      rls_buf(PIPE_V, cur_x_id, 0);                                   // add.py:47
      rls_buf(PIPE_V, cur_y_id, 0);                                   // add.py:47
      get_buf(PIPE_MTE3, cur_z_id, 0);                                // add.py:48
      z_gm.SetShape<3, 4>(cur_z.GetValidRow(), cur_z.GetValidCol());  // add.py:48
      TASSIGN(z_gm, z + i * 64 * z_shape1 + j * 128);
      TSTORE(z_gm, cur_z);
      rls_buf(PIPE_MTE3, cur_z_id, 0);  // add.py:48
    }
  }
}

#endif  // __DAV_VEC__

AICORE inline void add_impl(__gm__ float* x, __gm__ float* y, __gm__ float* z, int64_t x_shape0, int64_t x_shape1,
                            [[maybe_unused]] int64_t y_shape0, int64_t y_shape1, [[maybe_unused]] int64_t z_shape0,
                            int64_t z_shape1) {
#if defined(__DAV_VEC__)
  add_impl_vector(x, y, z, x_shape0, x_shape1, y_shape1, z_shape1);
#endif
}

extern "C" __global__ AICORE void add(__gm__ float* x, __gm__ float* y, __gm__ float* z, int64_t x_shape0,
                                      int64_t x_shape1, int64_t y_shape0, int64_t y_shape1, int64_t z_shape0,
                                      int64_t z_shape1) {
  add_impl(x, y, z, x_shape0, x_shape1, y_shape0, y_shape1, z_shape0, z_shape1);
}
