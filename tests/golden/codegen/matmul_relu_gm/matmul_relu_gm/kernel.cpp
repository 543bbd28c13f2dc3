// Kernel matmul_relu_gm of matmul_relu_gm.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t N = 128;

#if defined(__DAV_CUBE__)
constexpr int64_t LEAD = 4;

using RightHalf128x128 = Tile<TileType::Right, half, 128, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using MatHalf128x128 = Tile<TileType::Mat, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using LeftHalf128x128 = Tile<TileType::Left, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using AccFloat128x128 = Tile<TileType::Acc, float, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 1024>;

// matmul_relu_gm.py:25
AICORE inline void matmul_relu_gm_impl_cube(__gm__ half* a, __gm__ half* b, __gm__ float* product, int64_t a_shape0) {
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
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> product_gm(product);

  const int64_t blocks = a_shape0 / N;                          // matmul_relu_gm.py:42
  get_buf(PIPE_MTE2, 2, 0);                                     // matmul_relu_gm.py:45
  b_gm.SetShape<3, 4>(b_l1.GetValidRow(), b_l1.GetValidCol());  // matmul_relu_gm.py:45
  TASSIGN(b_gm, b);
  TLOAD(b_l1, b_gm);
  rls_buf(PIPE_MTE2, 2, 0);                                              // matmul_relu_gm.py:45
  get_buf(PIPE_MTE1, 5, 0);                                              // matmul_relu_gm.py:46
  get_buf(PIPE_MTE1, 2, 0);                                              // matmul_relu_gm.py:46
  TMOV(b_l0, b_l1);                                                      // matmul_relu_gm.py:46
  rls_buf(PIPE_MTE1, 5, 0);                                              // matmul_relu_gm.py:46
  rls_buf(PIPE_MTE1, 2, 0);                                              // matmul_relu_gm.py:46
  int64_t ahead = 0;                                                     // matmul_relu_gm.py:47
  for (int64_t i = get_block_idx(); i < blocks; i += get_block_num()) {  // matmul_relu_gm.py:48
    a_l1_cursor = (a_l1_cursor + 1) % 2;                                 // matmul_relu_gm.py:49
    auto& cur_a = a_l1[a_l1_cursor];                                     // matmul_relu_gm.py:49
    const int64_t cur_a_id = a_l1_ids[a_l1_cursor];
    a_l0_cursor = (a_l0_cursor + 1) % 2;  // matmul_relu_gm.py:50
    auto& cur_left = a_l0[a_l0_cursor];   // matmul_relu_gm.py:50
    const int64_t cur_left_id = a_l0_ids[a_l0_cursor];
    c_l0_cursor = (c_l0_cursor + 1) % 2;  // matmul_relu_gm.py:51
    auto& cur_c = c_l0[c_l0_cursor];      // matmul_relu_gm.py:51
    const int64_t cur_c_id = c_l0_ids[c_l0_cursor];
    get_buf(PIPE_MTE2, cur_a_id, 0);                                // matmul_relu_gm.py:52
    a_gm.SetShape<3, 4>(cur_a.GetValidRow(), cur_a.GetValidCol());  // matmul_relu_gm.py:52
    TASSIGN(a_gm, a + i * N * 128);
    TLOAD(cur_a, a_gm);
    rls_buf(PIPE_MTE2, cur_a_id, 0);     // matmul_relu_gm.py:52
    get_buf(PIPE_MTE1, cur_left_id, 0);  // matmul_relu_gm.py:53
    get_buf(PIPE_MTE1, cur_a_id, 0);     // matmul_relu_gm.py:53
    TMOV(cur_left, cur_a);               // matmul_relu_gm.py:53
    rls_buf(PIPE_MTE1, cur_left_id, 0);  // matmul_relu_gm.py:53
    rls_buf(PIPE_MTE1, cur_a_id, 0);     // matmul_relu_gm.py:53
    get_buf(PIPE_M, cur_c_id, 0);        // matmul_relu_gm.py:54
    get_buf(PIPE_M, cur_left_id, 0);     // matmul_relu_gm.py:54
    get_buf(PIPE_M, 5, 0);               // matmul_relu_gm.py:54
    TMATMUL(cur_c, cur_left, b_l0);      // matmul_relu_gm.py:54
    rls_buf(PIPE_M, cur_c_id, 0);        // matmul_relu_gm.py:54
    rls_buf(PIPE_M, cur_left_id, 0);     // matmul_relu_gm.py:54
    rls_buf(PIPE_M, 5, 0);               // matmul_relu_gm.py:54
    if (ahead == LEAD) {                 // matmul_relu_gm.py:55
      wait_intra_block(PIPE_FIX, 1);     // matmul_relu_gm.py:56
      wait_intra_block(PIPE_FIX, 17);
    } else {
      ahead += 1;  // matmul_relu_gm.py:58
    }
    get_buf(PIPE_FIX, cur_c_id, 0);                                       // matmul_relu_gm.py:59
    product_gm.SetShape<3, 4>(cur_c.GetValidRow(), cur_c.GetValidCol());  // matmul_relu_gm.py:59
    TASSIGN(product_gm, product + i * N * 128);
    TSTORE(product_gm, cur_c);
    rls_buf(PIPE_FIX, cur_c_id, 0);  // matmul_relu_gm.py:59
    set_intra_block(PIPE_FIX, 0);    // matmul_relu_gm.py:60
    set_intra_block(PIPE_FIX, 16);
  }
  for (int64_t _ = 0; _ < ahead; ++_) {  // matmul_relu_gm.py:61
    wait_intra_block(PIPE_FIX, 1);       // matmul_relu_gm.py:62
    wait_intra_block(PIPE_FIX, 17);
  }
}

#endif  // __DAV_CUBE__

#if defined(__DAV_VEC__)
using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

// matmul_relu_gm.py:25
AICORE inline void matmul_relu_gm_impl_vector(__gm__ float* product, __gm__ float* out, int64_t a_shape0) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat64x128 half_ub[2] = {{64, 128}, {64, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(half_ub[0], 0x0);
  TASSIGN(half_ub[1], 0x8000);
  int half_ub_cursor = 1;
  constexpr int64_t half_ub_ids[2] = {0, 1};
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> product_gm(product);
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> out_gm(out);

  const int64_t blocks = a_shape0 / N;  // matmul_relu_gm.py:42
  // matmul_relu_gm.py:64
  for (int64_t i = (get_block_idx() * get_subblockdim() + get_subblockid()) / 2; i < blocks; i += get_block_num()) {
    const int64_t row = i * N + get_subblockid() * 64;  // matmul_relu_gm.py:65
    half_ub_cursor = (half_ub_cursor + 1) % 2;          // matmul_relu_gm.py:66
    auto& cur = half_ub[half_ub_cursor];                // matmul_relu_gm.py:66
    const int64_t cur_id = half_ub_ids[half_ub_cursor];
    wait_intra_block(PIPE_MTE2, 0);                                   // matmul_relu_gm.py:67
    get_buf(PIPE_MTE2, cur_id, 0);                                    // matmul_relu_gm.py:68
    product_gm.SetShape<3, 4>(cur.GetValidRow(), cur.GetValidCol());  // matmul_relu_gm.py:68
    TASSIGN(product_gm, product + row * 128);
    TLOAD(cur, product_gm);
    rls_buf(PIPE_MTE2, cur_id, 0);                                // matmul_relu_gm.py:68
    set_intra_block(PIPE_MTE2, 1);                                // matmul_relu_gm.py:69
    get_buf(PIPE_V, cur_id, 0);                                   // matmul_relu_gm.py:70
    TRELU(cur, cur);                                              // matmul_relu_gm.py:70
    rls_buf(PIPE_V, cur_id, 0);                                   // matmul_relu_gm.py:70
    get_buf(PIPE_MTE3, cur_id, 0);                                // matmul_relu_gm.py:71
    out_gm.SetShape<3, 4>(cur.GetValidRow(), cur.GetValidCol());  // matmul_relu_gm.py:71
    TASSIGN(out_gm, out + row * 128);
    TSTORE(out_gm, cur);
    rls_buf(PIPE_MTE3, cur_id, 0);  // matmul_relu_gm.py:71
  }
}

#endif  // __DAV_VEC__

AICORE inline void matmul_relu_gm_impl([[maybe_unused]] __gm__ half* a, [[maybe_unused]] __gm__ half* b,
                                       __gm__ float* product, [[maybe_unused]] __gm__ float* out, int64_t a_shape0,
                                       [[maybe_unused]] int64_t product_shape0, [[maybe_unused]] int64_t out_shape0) {
#if defined(__DAV_CUBE__)
  matmul_relu_gm_impl_cube(a, b, product, a_shape0);
#endif
#if defined(__DAV_VEC__)
  matmul_relu_gm_impl_vector(product, out, a_shape0);
#endif
}

extern "C" __global__ AICORE void matmul_relu_gm(__gm__ half* a, __gm__ half* b, __gm__ float* product,
                                                 __gm__ float* out, int64_t a_shape0, int64_t product_shape0,
                                                 int64_t out_shape0) {
  matmul_relu_gm_impl(a, b, product, out, a_shape0, product_shape0, out_shape0);
}
