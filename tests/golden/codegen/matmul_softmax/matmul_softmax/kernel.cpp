// Kernel matmul_softmax of matmul_softmax.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t M = 128;

#if defined(__DAV_CUBE__)
using RightHalf128x128 = Tile<TileType::Right, half, 128, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using MatHalf128x128 = Tile<TileType::Mat, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using LeftHalf128x128 = Tile<TileType::Left, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using AccFloat128x128 = Tile<TileType::Acc, float, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 1024>;
using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

AICORE inline void matmul_softmax_impl_cube(__gm__ half* a, __gm__ half* b, int64_t a_shape0) {  // matmul_softmax.py:27
  // Vec (UB)
  VecFloat64x128 scores[2] = {{64, 128}, {64, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(scores[0], 0x0);
  TASSIGN(scores[1], 0x8000);
  // Mat (L1)
  MatHalf128x128 b_l1(128, 128);  // 0x10000..0x17fff
  TASSIGN(b_l1, 0x10000);
  MatHalf128x128 a_l1[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(a_l1[0], 0x0);
  TASSIGN(a_l1[1], 0x8000);
  // Left (L0A)
  LeftHalf128x128 a_l0[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(a_l0[0], 0x0);
  TASSIGN(a_l0[1], 0x8000);
  // Right (L0B)
  RightHalf128x128 b_l0(128, 128);  // 0x00000..0x07fff
  TASSIGN(b_l0, 0x0);
  // Acc (L0C)
  AccFloat128x128 c_l0[2] = {{128, 128}, {128, 128}};  // 0x00000..0x0ffff, 0x10000..0x1ffff
  TASSIGN(c_l0[0], 0x0);
  TASSIGN(c_l0[1], 0x10000);
  int a_l1_cursor = 1;
  int a_l0_cursor = 1;
  int c_l0_cursor = 1;
  constexpr int64_t a_l1_ids[2] = {0, 1};
  constexpr int64_t a_l0_ids[2] = {3, 4};
  constexpr int64_t c_l0_ids[2] = {6, 7};
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> b_gm(b);
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> a_gm(a);
  constexpr int64_t FREE[] = {2, 3};
  constexpr int64_t FULL[] = {0, 1};

  const int64_t blocks = a_shape0 / M;                          // matmul_softmax.py:32
  get_buf(PIPE_MTE2, 2, 0);                                     // matmul_softmax.py:79
  b_gm.SetShape<3, 4>(b_l1.GetValidRow(), b_l1.GetValidCol());  // matmul_softmax.py:79
  TASSIGN(b_gm, b);
  TLOAD(b_l1, b_gm);
  rls_buf(PIPE_MTE2, 2, 0);                                              // matmul_softmax.py:79
  get_buf(PIPE_MTE1, 5, 0);                                              // matmul_softmax.py:80
  get_buf(PIPE_MTE1, 2, 0);                                              // matmul_softmax.py:80
  TMOV(b_l0, b_l1);                                                      // matmul_softmax.py:80
  rls_buf(PIPE_MTE1, 5, 0);                                              // matmul_softmax.py:80
  rls_buf(PIPE_MTE1, 2, 0);                                              // matmul_softmax.py:80
  int64_t task = 0;                                                      // matmul_softmax.py:81
  for (int64_t i = get_block_idx(); i < blocks; i += get_block_num()) {  // matmul_softmax.py:82
    a_l1_cursor = (a_l1_cursor + 1) % 2;                                 // matmul_softmax.py:83
    auto& cur_a = a_l1[a_l1_cursor];                                     // matmul_softmax.py:83
    const int64_t cur_a_id = a_l1_ids[a_l1_cursor];
    a_l0_cursor = (a_l0_cursor + 1) % 2;  // matmul_softmax.py:84
    auto& cur_left = a_l0[a_l0_cursor];   // matmul_softmax.py:84
    const int64_t cur_left_id = a_l0_ids[a_l0_cursor];
    c_l0_cursor = (c_l0_cursor + 1) % 2;  // matmul_softmax.py:85
    auto& cur_c = c_l0[c_l0_cursor];      // matmul_softmax.py:85
    const int64_t cur_c_id = c_l0_ids[c_l0_cursor];
    get_buf(PIPE_MTE2, cur_a_id, 0);                                // matmul_softmax.py:86
    a_gm.SetShape<3, 4>(cur_a.GetValidRow(), cur_a.GetValidCol());  // matmul_softmax.py:86
    TASSIGN(a_gm, a + i * 128 * 128);
    TLOAD(cur_a, a_gm);
    rls_buf(PIPE_MTE2, cur_a_id, 0);             // matmul_softmax.py:86
    get_buf(PIPE_MTE1, cur_left_id, 0);          // matmul_softmax.py:87
    get_buf(PIPE_MTE1, cur_a_id, 0);             // matmul_softmax.py:87
    TMOV(cur_left, cur_a);                       // matmul_softmax.py:87
    rls_buf(PIPE_MTE1, cur_left_id, 0);          // matmul_softmax.py:87
    rls_buf(PIPE_MTE1, cur_a_id, 0);             // matmul_softmax.py:87
    get_buf(PIPE_M, cur_c_id, 0);                // matmul_softmax.py:88
    get_buf(PIPE_M, cur_left_id, 0);             // matmul_softmax.py:88
    get_buf(PIPE_M, 5, 0);                       // matmul_softmax.py:88
    TMATMUL(cur_c, cur_left, b_l0);              // matmul_softmax.py:88
    rls_buf(PIPE_M, cur_c_id, 0);                // matmul_softmax.py:88
    rls_buf(PIPE_M, cur_left_id, 0);             // matmul_softmax.py:88
    rls_buf(PIPE_M, 5, 0);                       // matmul_softmax.py:88
    wait_intra_block(PIPE_FIX, FREE[task % 2]);  // matmul_softmax.py:89
    wait_intra_block(PIPE_FIX, FREE[task % 2] + 16);
    get_buf(PIPE_FIX, cur_c_id, 0);  // matmul_softmax.py:90
    // matmul_softmax.py:90
    TMOV<VecFloat64x128, AccFloat128x128, AccToVecMode::DualModeSplitM>(scores[task % 2], cur_c);
    rls_buf(PIPE_FIX, cur_c_id, 0);             // matmul_softmax.py:90
    set_intra_block(PIPE_FIX, FULL[task % 2]);  // matmul_softmax.py:91
    set_intra_block(PIPE_FIX, FULL[task % 2] + 16);
    task += 1;  // matmul_softmax.py:92
  }
  wait_intra_block(PIPE_FIX, 2);  // matmul_softmax.py:93
  wait_intra_block(PIPE_FIX, 18);
  wait_intra_block(PIPE_FIX, 3);  // matmul_softmax.py:94
  wait_intra_block(PIPE_FIX, 19);
}

#endif  // __DAV_CUBE__

#if defined(__DAV_VEC__)
constexpr int64_t HALF = 64;

using VecFloat64x1DN = Tile<TileType::Vec, float, 64, 1, BLayout::ColMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

AICORE inline void matmul_softmax_impl_vector(__gm__ float* out, int64_t a_shape0) {  // matmul_softmax.py:27
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat64x128 scores[2] = {{64, 128}, {64, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(scores[0], 0x0);
  TASSIGN(scores[1], 0x8000);
  VecFloat64x128 result[2] = {{64, 128}, {64, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(result[0], 0x10000);
  TASSIGN(result[1], 0x18000);
  VecFloat64x1DN stat(64, 1);  // 0x20000..0x200ff
  TASSIGN(stat, 0x20000);
  int result_cursor = 1;
  constexpr int64_t result_ids[2] = {10, 11};
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> out_gm(out);
  constexpr int64_t FULL[] = {0, 1};
  constexpr int64_t FREE[] = {2, 3};

  const int64_t blocks = a_shape0 / M;  // matmul_softmax.py:32
  set_intra_block(PIPE_V, 2);           // matmul_softmax.py:97
  set_intra_block(PIPE_V, 3);           // matmul_softmax.py:98
  int64_t task = 0;                     // matmul_softmax.py:100
  // matmul_softmax.py:101
  for (int64_t i = (get_block_idx() * get_subblockdim() + get_subblockid()) / 2; i < blocks; i += get_block_num()) {
    auto& cur_scores = scores[task % 2];       // matmul_softmax.py:102
    result_cursor = (result_cursor + 1) % 2;   // matmul_softmax.py:103
    auto& cur_result = result[result_cursor];  // matmul_softmax.py:103
    const int64_t cur_result_id = result_ids[result_cursor];
    wait_intra_block(PIPE_V, FULL[task % 2]);                                   // matmul_softmax.py:104
    get_buf(PIPE_V, cur_result_id, 0);                                          // matmul_softmax.py:105
    TROWMAX(stat, cur_scores, cur_result);                                      // matmul_softmax.py:105
    TROWEXPANDSUB(cur_scores, cur_scores, stat);                                // matmul_softmax.py:106
    TEXP(cur_scores, cur_scores);                                               // matmul_softmax.py:107
    TROWSUM(stat, cur_scores, cur_result);                                      // matmul_softmax.py:108
    TROWEXPANDDIV(cur_result, cur_scores, stat);                                // matmul_softmax.py:109
    rls_buf(PIPE_V, cur_result_id, 0);                                          // matmul_softmax.py:109
    set_intra_block(PIPE_V, FREE[task % 2]);                                    // matmul_softmax.py:110
    get_buf(PIPE_MTE3, cur_result_id, 0);                                       // matmul_softmax.py:111
    out_gm.SetShape<3, 4>(cur_result.GetValidRow(), cur_result.GetValidCol());  // matmul_softmax.py:111
    TASSIGN(out_gm, out + (i * M + get_subblockid() * HALF) * 128);
    TSTORE(out_gm, cur_result);
    rls_buf(PIPE_MTE3, cur_result_id, 0);  // matmul_softmax.py:111
    task += 1;                             // matmul_softmax.py:112
  }
}

#endif  // __DAV_VEC__

AICORE inline void matmul_softmax_impl([[maybe_unused]] __gm__ half* a, [[maybe_unused]] __gm__ half* b,
                                       [[maybe_unused]] __gm__ float* out, int64_t a_shape0,
                                       [[maybe_unused]] int64_t out_shape0) {
#if defined(__DAV_CUBE__)
  matmul_softmax_impl_cube(a, b, a_shape0);
#endif
#if defined(__DAV_VEC__)
  matmul_softmax_impl_vector(out, a_shape0);
#endif
}

extern "C" __global__ AICORE void matmul_softmax(__gm__ half* a, __gm__ half* b, __gm__ float* out, int64_t a_shape0,
                                                 int64_t out_shape0) {
  matmul_softmax_impl(a, b, out, a_shape0, out_shape0);
}
