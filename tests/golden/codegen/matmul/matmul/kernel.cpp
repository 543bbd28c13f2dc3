// Kernel matmul of matmul.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t N = 128;
constexpr int64_t K = 128;
constexpr int64_t M = 128;

template <typename T>
AICORE inline T min_of(T a, T b) {
  return b < a ? b : a;
}

#if defined(__DAV_CUBE__)
using LeftHalf128x128 = Tile<TileType::Left, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512,
                             PadValue::Null, CompactMode::Normal>;
using MatHalf128x128 = Tile<TileType::Mat, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using RightHalf128x128 = Tile<TileType::Right, half, 128, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512,
                              PadValue::Null, CompactMode::Normal>;
using AccFloat128x128 = Tile<TileType::Acc, float, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 1024,
                             PadValue::Null, CompactMode::Normal>;

// matmul.py:24
AICORE inline void matmul_impl_cube(__gm__ half* a, __gm__ half* b, __gm__ float* c, int64_t a_shape0, int64_t a_shape1,
                                    int64_t b_shape1, int64_t c_shape1) {
  // Mat (L1)
  MatHalf128x128 a_l1[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(a_l1[0], 0x0);
  TASSIGN(a_l1[1], 0x8000);
  MatHalf128x128 b_l1[2] = {{128, 128}, {128, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(b_l1[0], 0x10000);
  TASSIGN(b_l1[1], 0x18000);
  // Left (L0A)
  LeftHalf128x128 a_l0[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(a_l0[0], 0x0);
  TASSIGN(a_l0[1], 0x8000);
  // Right (L0B)
  RightHalf128x128 b_l0[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(b_l0[0], 0x0);
  TASSIGN(b_l0[1], 0x8000);
  // Acc (L0C)
  AccFloat128x128 c_l0[2] = {{128, 128}, {128, 128}};  // 0x00000..0x0ffff, 0x10000..0x1ffff
  TASSIGN(c_l0[0], 0x0);
  TASSIGN(c_l0[1], 0x10000);
  int c_l0_cursor = 1;
  int a_l1_cursor = 1;
  int b_l1_cursor = 1;
  int a_l0_cursor = 1;
  int b_l0_cursor = 1;
  constexpr int64_t a_l1_ids[2] = {0, 1};
  constexpr int64_t b_l1_ids[2] = {2, 3};
  constexpr int64_t a_l0_ids[2] = {4, 5};
  constexpr int64_t b_l0_ids[2] = {6, 7};
  using AGm = GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  AGm a_gm(a, AGm::Shape(), AGm::Stride(a_shape1));
  using BGm = GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  BGm b_gm(b, BGm::Shape(), BGm::Stride(b_shape1));
  using CGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  CGm c_gm(c, CGm::Shape(), CGm::Stride(c_shape1));

  const int64_t m = a_shape0;                                                        // matmul.py:29
  const int64_t k = a_shape1;                                                        // matmul.py:30
  const int64_t n = b_shape1;                                                        // matmul.py:31
  const int64_t n_blocks = (n + N - 1) / N;                                          // matmul.py:32
  const int64_t k_blocks = (k + K - 1) / K;                                          // matmul.py:33
  const int64_t blocks = (m + M - 1) / M * n_blocks;                                 // matmul.py:34
  for (int64_t block = get_block_idx(); block < blocks; block += get_block_num()) {  // matmul.py:50
    const int64_t i = block / n_blocks;                                              // matmul.py:51
    const int64_t j = block % n_blocks;                                              // matmul.py:52
    const int64_t rows = min_of<int64_t>(M, m - i * M);                              // matmul.py:53
    const int64_t cols = min_of<int64_t>(N, n - j * N);                              // matmul.py:54
    c_l0_cursor = (c_l0_cursor + 1) % 2;                                             // matmul.py:55
    auto& cur_c = c_l0[c_l0_cursor];                                                 // matmul.py:55
    cur_c.SetValidShape(rows, cols);                                                 // matmul.py:56
    for (int64_t p = 0; p < k_blocks; ++p) {                                         // matmul.py:57
      const int64_t depth = min_of<int64_t>(K, k - p * K);                           // matmul.py:58
      a_l1_cursor = (a_l1_cursor + 1) % 2;                                           // matmul.py:59
      auto& cur_a = a_l1[a_l1_cursor];                                               // matmul.py:59
      const int64_t cur_a_id = a_l1_ids[a_l1_cursor];
      b_l1_cursor = (b_l1_cursor + 1) % 2;  // matmul.py:60
      auto& cur_b = b_l1[b_l1_cursor];      // matmul.py:60
      const int64_t cur_b_id = b_l1_ids[b_l1_cursor];
      cur_a.SetValidShape(rows, depth);                               // matmul.py:61
      cur_b.SetValidShape(depth, cols);                               // matmul.py:62
      get_buf(PIPE_MTE2, cur_a_id, 0);                                // matmul.py:63
      a_gm.SetShape<3, 4>(cur_a.GetValidRow(), cur_a.GetValidCol());  // matmul.py:63
      TASSIGN(a_gm, a + i * 128 * a_shape1 + p * 128);
      TLOAD(cur_a, a_gm);
      rls_buf(PIPE_MTE2, cur_a_id, 0);                                // matmul.py:63
      get_buf(PIPE_MTE2, cur_b_id, 0);                                // matmul.py:64
      b_gm.SetShape<3, 4>(cur_b.GetValidRow(), cur_b.GetValidCol());  // matmul.py:64
      TASSIGN(b_gm, b + p * 128 * b_shape1 + j * 128);
      TLOAD(cur_b, b_gm);
      rls_buf(PIPE_MTE2, cur_b_id, 0);      // matmul.py:64
      a_l0_cursor = (a_l0_cursor + 1) % 2;  // matmul.py:66
      auto& cur_left = a_l0[a_l0_cursor];   // matmul.py:66
      const int64_t cur_left_id = a_l0_ids[a_l0_cursor];
      b_l0_cursor = (b_l0_cursor + 1) % 2;  // matmul.py:67
      auto& cur_right = b_l0[b_l0_cursor];  // matmul.py:67
      const int64_t cur_right_id = b_l0_ids[b_l0_cursor];
      cur_left.SetValidShape(rows, depth);                       // matmul.py:68
      cur_right.SetValidShape(depth, cols);                      // matmul.py:69
      get_buf(PIPE_MTE1, cur_left_id, 0);                        // matmul.py:70
      get_buf(PIPE_MTE1, cur_a_id, 0);                           // matmul.py:70
      TMOV(cur_left, cur_a);                                     // matmul.py:70
      rls_buf(PIPE_MTE1, cur_left_id, 0);                        // matmul.py:70
      rls_buf(PIPE_MTE1, cur_a_id, 0);                           // matmul.py:70
      get_buf(PIPE_MTE1, cur_right_id, 0);                       // matmul.py:71
      get_buf(PIPE_MTE1, cur_b_id, 0);                           // matmul.py:71
      TMOV(cur_right, cur_b);                                    // matmul.py:71
      rls_buf(PIPE_MTE1, cur_right_id, 0);                       // matmul.py:71
      rls_buf(PIPE_MTE1, cur_b_id, 0);                           // matmul.py:71
      if (p == 0) {                                              // matmul.py:73
        if (k_blocks == 1) {                                     // matmul.py:74
          get_buf(PIPE_M, cur_left_id, 0);                       // matmul.py:75
          get_buf(PIPE_M, cur_right_id, 0);                      // matmul.py:75
          TMATMUL<AccPhase::Final>(cur_c, cur_left, cur_right);  // matmul.py:75
          rls_buf(PIPE_M, cur_left_id, 0);                       // matmul.py:75
          rls_buf(PIPE_M, cur_right_id, 0);                      // matmul.py:75
        } else {
          get_buf(PIPE_M, cur_left_id, 0);                         // matmul.py:77
          get_buf(PIPE_M, cur_right_id, 0);                        // matmul.py:77
          TMATMUL<AccPhase::Partial>(cur_c, cur_left, cur_right);  // matmul.py:77
          rls_buf(PIPE_M, cur_left_id, 0);                         // matmul.py:77
          rls_buf(PIPE_M, cur_right_id, 0);                        // matmul.py:77
        }
      } else if (p == k_blocks - 1) {                                     // matmul.py:78
        get_buf(PIPE_M, cur_left_id, 0);                                  // matmul.py:79
        get_buf(PIPE_M, cur_right_id, 0);                                 // matmul.py:79
        TMATMUL_ACC<AccPhase::Final>(cur_c, cur_c, cur_left, cur_right);  // matmul.py:79
        rls_buf(PIPE_M, cur_left_id, 0);                                  // matmul.py:79
        rls_buf(PIPE_M, cur_right_id, 0);                                 // matmul.py:79
      } else {
        get_buf(PIPE_M, cur_left_id, 0);                                    // matmul.py:81
        get_buf(PIPE_M, cur_right_id, 0);                                   // matmul.py:81
        TMATMUL_ACC<AccPhase::Partial>(cur_c, cur_c, cur_left, cur_right);  // matmul.py:81
        rls_buf(PIPE_M, cur_left_id, 0);                                    // matmul.py:81
        rls_buf(PIPE_M, cur_right_id, 0);                                   // matmul.py:81
      }
    }
    c_gm.SetShape<3, 4>(cur_c.GetValidRow(), cur_c.GetValidCol());  // matmul.py:82
    TASSIGN(c_gm, c + i * 128 * c_shape1 + j * 128);
    TSTORE<STPhase::Final, AccFloat128x128, decltype(c_gm)>(c_gm, cur_c);
  }
}

#endif  // __DAV_CUBE__

AICORE inline void matmul_impl(__gm__ half* a, __gm__ half* b, __gm__ float* c, int64_t a_shape0, int64_t a_shape1,
                               [[maybe_unused]] int64_t b_shape0, int64_t b_shape1, [[maybe_unused]] int64_t c_shape0,
                               int64_t c_shape1) {
#if defined(__DAV_CUBE__)
  matmul_impl_cube(a, b, c, a_shape0, a_shape1, b_shape1, c_shape1);
#endif
}

extern "C" __global__ AICORE void matmul(__gm__ half* a, __gm__ half* b, __gm__ float* c, int64_t a_shape0,
                                         int64_t a_shape1, int64_t b_shape0, int64_t b_shape1, int64_t c_shape0,
                                         int64_t c_shape1) {
  matmul_impl(a, b, c, a_shape0, a_shape1, b_shape0, b_shape1, c_shape0, c_shape1);
}
