// Kernel matmul_tt of transpose_load.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t M = 64;
constexpr int64_t N = 128;
constexpr int64_t K = 64;

#if defined(__DAV_CUBE__)
using LeftHalf64x64 = Tile<TileType::Left, half, 64, 64, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using MatHalf64x64ZN = Tile<TileType::Mat, half, 64, 64, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using RightHalf64x128 = Tile<TileType::Right, half, 64, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using MatHalf64x128ZN = Tile<TileType::Mat, half, 64, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using AccFloat64x128 = Tile<TileType::Acc, float, 64, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 1024>;

// transpose_load.py:22
AICORE inline void matmul_tt_impl_cube(__gm__ half* a, __gm__ half* b, __gm__ float* c, int64_t a_shape0,
                                       int64_t a_shape1, int64_t b_shape1, int64_t c_shape0, int64_t c_shape1) {
  // Mat (L1)
  MatHalf64x64ZN a_l1[2] = {{64, 64}, {64, 64}};  // 0x00000..0x01fff, 0x02000..0x03fff
  TASSIGN(a_l1[0], 0x0);
  TASSIGN(a_l1[1], 0x2000);
  MatHalf64x128ZN b_l1[2] = {{64, 128}, {64, 128}};  // 0x08000..0x0bfff, 0x0c000..0x0ffff
  TASSIGN(b_l1[0], 0x8000);
  TASSIGN(b_l1[1], 0xc000);
  // Left (L0A)
  LeftHalf64x64 a_l0[2] = {{64, 64}, {64, 64}};  // 0x00000..0x01fff, 0x02000..0x03fff
  TASSIGN(a_l0[0], 0x0);
  TASSIGN(a_l0[1], 0x2000);
  // Right (L0B)
  RightHalf64x128 b_l0[2] = {{64, 128}, {64, 128}};  // 0x00000..0x03fff, 0x04000..0x07fff
  TASSIGN(b_l0[0], 0x0);
  TASSIGN(b_l0[1], 0x4000);
  // Acc (L0C)
  AccFloat64x128 c_l0[2] = {{64, 128}, {64, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(c_l0[0], 0x0);
  TASSIGN(c_l0[1], 0x8000);
  int c_l0_cursor = 1;
  int a_l1_cursor = 1;
  int b_l1_cursor = 1;
  int a_l0_cursor = 1;
  int b_l0_cursor = 1;
  constexpr int64_t c_l0_ids[2] = {8, 9};
  constexpr int64_t a_l1_ids[2] = {0, 1};
  constexpr int64_t b_l1_ids[2] = {2, 3};
  constexpr int64_t a_l0_ids[2] = {4, 5};
  constexpr int64_t b_l0_ids[2] = {6, 7};
  using AGmT = GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 1, -1>, Layout::DN>;
  AGmT a_gm_t(a, AGmT::Shape(), AGmT::Stride(a_shape1));
  using BGmT = GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 1, -1>, Layout::DN>;
  BGmT b_gm_t(b, BGmT::Shape(), BGmT::Stride(b_shape1));
  using CGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  CGm c_gm(c, CGm::Shape(), CGm::Stride(c_shape1));

  for (int64_t i = get_block_idx(); i < c_shape0 / M; i += get_block_num()) {  // transpose_load.py:40
    for (int64_t j = 0; j < c_shape1 / N; ++j) {                               // transpose_load.py:41
      c_l0_cursor = (c_l0_cursor + 1) % 2;                                     // transpose_load.py:42
      auto& cur_c = c_l0[c_l0_cursor];                                         // transpose_load.py:42
      const int64_t cur_c_id = c_l0_ids[c_l0_cursor];
      for (int64_t p = 0; p < a_shape0 / K; ++p) {  // transpose_load.py:43
        a_l1_cursor = (a_l1_cursor + 1) % 2;        // transpose_load.py:44
        auto& cur_a = a_l1[a_l1_cursor];            // transpose_load.py:44
        const int64_t cur_a_id = a_l1_ids[a_l1_cursor];
        b_l1_cursor = (b_l1_cursor + 1) % 2;  // transpose_load.py:45
        auto& cur_b = b_l1[b_l1_cursor];      // transpose_load.py:45
        const int64_t cur_b_id = b_l1_ids[b_l1_cursor];
        get_buf(PIPE_MTE2, cur_a_id, 0);                                  // transpose_load.py:46
        a_gm_t.SetShape<3, 4>(cur_a.GetValidRow(), cur_a.GetValidCol());  // transpose_load.py:46
        TASSIGN(a_gm_t, a + p * K * a_shape1 + i * M);
        TLOAD(cur_a, a_gm_t);
        rls_buf(PIPE_MTE2, cur_a_id, 0);                                  // transpose_load.py:46
        get_buf(PIPE_MTE2, cur_b_id, 0);                                  // transpose_load.py:47
        b_gm_t.SetShape<3, 4>(cur_b.GetValidRow(), cur_b.GetValidCol());  // transpose_load.py:47
        TASSIGN(b_gm_t, b + j * N * b_shape1 + p * K);
        TLOAD(cur_b, b_gm_t);
        rls_buf(PIPE_MTE2, cur_b_id, 0);      // transpose_load.py:47
        a_l0_cursor = (a_l0_cursor + 1) % 2;  // transpose_load.py:48
        auto& cur_left = a_l0[a_l0_cursor];   // transpose_load.py:48
        const int64_t cur_left_id = a_l0_ids[a_l0_cursor];
        b_l0_cursor = (b_l0_cursor + 1) % 2;  // transpose_load.py:49
        auto& cur_right = b_l0[b_l0_cursor];  // transpose_load.py:49
        const int64_t cur_right_id = b_l0_ids[b_l0_cursor];
        get_buf(PIPE_MTE1, cur_left_id, 0);     // transpose_load.py:50
        get_buf(PIPE_MTE1, cur_a_id, 0);        // transpose_load.py:50
        TMOV(cur_left, cur_a);                  // transpose_load.py:50
        rls_buf(PIPE_MTE1, cur_left_id, 0);     // transpose_load.py:50
        rls_buf(PIPE_MTE1, cur_a_id, 0);        // transpose_load.py:50
        get_buf(PIPE_MTE1, cur_right_id, 0);    // transpose_load.py:51
        get_buf(PIPE_MTE1, cur_b_id, 0);        // transpose_load.py:51
        TMOV(cur_right, cur_b);                 // transpose_load.py:51
        rls_buf(PIPE_MTE1, cur_right_id, 0);    // transpose_load.py:51
        rls_buf(PIPE_MTE1, cur_b_id, 0);        // transpose_load.py:51
        if (p == 0) {                           // transpose_load.py:52
          get_buf(PIPE_M, cur_c_id, 0);         // transpose_load.py:53
          get_buf(PIPE_M, cur_left_id, 0);      // transpose_load.py:53
          get_buf(PIPE_M, cur_right_id, 0);     // transpose_load.py:53
          TMATMUL(cur_c, cur_left, cur_right);  // transpose_load.py:53
          rls_buf(PIPE_M, cur_c_id, 0);         // transpose_load.py:53
          rls_buf(PIPE_M, cur_left_id, 0);      // transpose_load.py:53
          rls_buf(PIPE_M, cur_right_id, 0);     // transpose_load.py:53
        } else {
          get_buf(PIPE_M, cur_c_id, 0);                    // transpose_load.py:55
          get_buf(PIPE_M, cur_left_id, 0);                 // transpose_load.py:55
          get_buf(PIPE_M, cur_right_id, 0);                // transpose_load.py:55
          TMATMUL_ACC(cur_c, cur_c, cur_left, cur_right);  // transpose_load.py:55
          rls_buf(PIPE_M, cur_c_id, 0);                    // transpose_load.py:55
          rls_buf(PIPE_M, cur_left_id, 0);                 // transpose_load.py:55
          rls_buf(PIPE_M, cur_right_id, 0);                // transpose_load.py:55
        }
      }
      get_buf(PIPE_FIX, cur_c_id, 0);                                 // transpose_load.py:56
      c_gm.SetShape<3, 4>(cur_c.GetValidRow(), cur_c.GetValidCol());  // transpose_load.py:56
      TASSIGN(c_gm, c + i * 64 * c_shape1 + j * 128);
      TSTORE(c_gm, cur_c);
      rls_buf(PIPE_FIX, cur_c_id, 0);  // transpose_load.py:56
    }
  }
}

#endif  // __DAV_CUBE__

AICORE inline void matmul_tt_impl(__gm__ half* a, __gm__ half* b, __gm__ float* c, int64_t a_shape0, int64_t a_shape1,
                                  [[maybe_unused]] int64_t b_shape0, int64_t b_shape1, int64_t c_shape0,
                                  int64_t c_shape1) {
#if defined(__DAV_CUBE__)
  matmul_tt_impl_cube(a, b, c, a_shape0, a_shape1, b_shape1, c_shape0, c_shape1);
#endif
}

extern "C" __global__ AICORE void matmul_tt(__gm__ half* a, __gm__ half* b, __gm__ float* c, int64_t a_shape0,
                                            int64_t a_shape1, int64_t b_shape0, int64_t b_shape1, int64_t c_shape0,
                                            int64_t c_shape1) {
  matmul_tt_impl(a, b, c, a_shape0, a_shape1, b_shape0, b_shape1, c_shape0, c_shape1);
}
