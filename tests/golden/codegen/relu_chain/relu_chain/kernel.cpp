// Kernel relu_chain of relu_chain.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t TILE = 128;

#if defined(__DAV_CUBE__)
using LeftHalf128x128 = Tile<TileType::Left, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using MatHalf128x128 = Tile<TileType::Mat, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using RightHalf128x128 = Tile<TileType::Right, half, 128, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using AccFloat128x128 = Tile<TileType::Acc, float, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 1024>;
using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

// relu_chain.py:29
AICORE inline void multiply(int64_t i, int& x_l1_cursor, MatHalf128x128 (&x_l1)[2], int& left_cursor,
                            LeftHalf128x128 (&left)[2], int& right_cursor, RightHalf128x128 (&right)[2],
                            int& acc_cursor, AccFloat128x128 (&acc)[2], int& product_cursor,
                            VecFloat64x128 (&product)[2], __gm__ half* x, MatHalf128x128& w_tile) {
  constexpr int64_t x_l1_ids[2] = {2, 3};
  constexpr int64_t left_ids[2] = {7, 8};
  constexpr int64_t right_ids[2] = {9, 10};
  constexpr int64_t acc_ids[2] = {11, 12};
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> x_gm(x);

  x_l1_cursor = (x_l1_cursor + 1) % 2;  // relu_chain.py:31
  auto& cur_x = x_l1[x_l1_cursor];      // relu_chain.py:31
  const int64_t cur_x_id = x_l1_ids[x_l1_cursor];
  left_cursor = (left_cursor + 1) % 2;  // relu_chain.py:32
  auto& cur_left = left[left_cursor];   // relu_chain.py:32
  const int64_t cur_left_id = left_ids[left_cursor];
  right_cursor = (right_cursor + 1) % 2;  // relu_chain.py:33
  auto& cur_right = right[right_cursor];  // relu_chain.py:33
  const int64_t cur_right_id = right_ids[right_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // relu_chain.py:34
  auto& cur_acc = acc[acc_cursor];    // relu_chain.py:34
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  product_cursor = (product_cursor + 1) % 2;                      // relu_chain.py:35
  auto& cur_product = product[product_cursor];                    // relu_chain.py:35
  get_buf(PIPE_MTE2, cur_x_id, 0);                                // relu_chain.py:36
  x_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // relu_chain.py:36
  TASSIGN(x_gm, x + i * 128 * 128);
  TLOAD(cur_x, x_gm);
  rls_buf(PIPE_MTE2, cur_x_id, 0);                                                            // relu_chain.py:36
  get_buf(PIPE_MTE1, cur_left_id, 0);                                                         // relu_chain.py:37
  get_buf(PIPE_MTE1, cur_x_id, 0);                                                            // relu_chain.py:37
  TMOV(cur_left, cur_x);                                                                      // relu_chain.py:37
  rls_buf(PIPE_MTE1, cur_left_id, 0);                                                         // relu_chain.py:37
  rls_buf(PIPE_MTE1, cur_x_id, 0);                                                            // relu_chain.py:37
  get_buf(PIPE_MTE1, cur_right_id, 0);                                                        // relu_chain.py:38
  get_buf(PIPE_MTE1, 0, 0);                                                                   // relu_chain.py:38
  TMOV(cur_right, w_tile);                                                                    // relu_chain.py:38
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                                        // relu_chain.py:38
  rls_buf(PIPE_MTE1, 0, 0);                                                                   // relu_chain.py:38
  get_buf(PIPE_M, cur_acc_id, 0);                                                             // relu_chain.py:39
  get_buf(PIPE_M, cur_left_id, 0);                                                            // relu_chain.py:39
  get_buf(PIPE_M, cur_right_id, 0);                                                           // relu_chain.py:39
  TMATMUL(cur_acc, cur_left, cur_right);                                                      // relu_chain.py:39
  rls_buf(PIPE_M, cur_acc_id, 0);                                                             // relu_chain.py:39
  rls_buf(PIPE_M, cur_left_id, 0);                                                            // relu_chain.py:39
  rls_buf(PIPE_M, cur_right_id, 0);                                                           // relu_chain.py:39
  get_buf(PIPE_FIX, cur_acc_id, 0);                                                           // relu_chain.py:40
  TMOV<VecFloat64x128, AccFloat128x128, AccToVecMode::DualModeSplitM>(cur_product, cur_acc);  // relu_chain.py:40
  rls_buf(PIPE_FIX, cur_acc_id, 0);                                                           // relu_chain.py:40
}

// relu_chain.py:57
AICORE inline void project(int& hidden_cursor, MatHalf128x128 (&hidden)[3], int& left_cursor,
                           LeftHalf128x128 (&left)[2], int& right_cursor, RightHalf128x128 (&right)[2], int& acc_cursor,
                           AccFloat128x128 (&acc)[2], int& result_cursor, VecFloat64x128 (&result)[2],
                           MatHalf128x128& v_tile) {
  constexpr int64_t left_ids[2] = {7, 8};
  constexpr int64_t right_ids[2] = {9, 10};
  constexpr int64_t acc_ids[2] = {11, 12};

  hidden_cursor = (hidden_cursor + 1) % 3;   // relu_chain.py:59
  auto& cur_hidden = hidden[hidden_cursor];  // relu_chain.py:59
  left_cursor = (left_cursor + 1) % 2;       // relu_chain.py:60
  auto& cur_left = left[left_cursor];        // relu_chain.py:60
  const int64_t cur_left_id = left_ids[left_cursor];
  right_cursor = (right_cursor + 1) % 2;  // relu_chain.py:61
  auto& cur_right = right[right_cursor];  // relu_chain.py:61
  const int64_t cur_right_id = right_ids[right_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // relu_chain.py:62
  auto& cur_acc = acc[acc_cursor];    // relu_chain.py:62
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  result_cursor = (result_cursor + 1) % 2;                                                   // relu_chain.py:63
  auto& cur_result = result[result_cursor];                                                  // relu_chain.py:63
  get_buf(PIPE_MTE1, cur_left_id, 0);                                                        // relu_chain.py:64
  TMOV(cur_left, cur_hidden);                                                                // relu_chain.py:64
  rls_buf(PIPE_MTE1, cur_left_id, 0);                                                        // relu_chain.py:64
  get_buf(PIPE_MTE1, cur_right_id, 0);                                                       // relu_chain.py:65
  get_buf(PIPE_MTE1, 1, 0);                                                                  // relu_chain.py:65
  TMOV(cur_right, v_tile);                                                                   // relu_chain.py:65
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                                       // relu_chain.py:65
  rls_buf(PIPE_MTE1, 1, 0);                                                                  // relu_chain.py:65
  get_buf(PIPE_M, cur_acc_id, 0);                                                            // relu_chain.py:66
  get_buf(PIPE_M, cur_left_id, 0);                                                           // relu_chain.py:66
  get_buf(PIPE_M, cur_right_id, 0);                                                          // relu_chain.py:66
  TMATMUL(cur_acc, cur_left, cur_right);                                                     // relu_chain.py:66
  rls_buf(PIPE_M, cur_acc_id, 0);                                                            // relu_chain.py:66
  rls_buf(PIPE_M, cur_left_id, 0);                                                           // relu_chain.py:66
  rls_buf(PIPE_M, cur_right_id, 0);                                                          // relu_chain.py:66
  get_buf(PIPE_FIX, cur_acc_id, 0);                                                          // relu_chain.py:67
  TMOV<VecFloat64x128, AccFloat128x128, AccToVecMode::DualModeSplitM>(cur_result, cur_acc);  // relu_chain.py:67
  rls_buf(PIPE_FIX, cur_acc_id, 0);                                                          // relu_chain.py:67
}

// relu_chain.py:78
AICORE inline void relu_chain_impl_cube(__gm__ half* x, __gm__ half* w, __gm__ half* v, int64_t x_shape0) {
  // Vec (UB)
  VecFloat64x128 product[2] = {{64, 128}, {64, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(product[0], 0x0);
  TASSIGN(product[1], 0x8000);
  VecFloat64x128 result[2] = {{64, 128}, {64, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(result[0], 0x10000);
  TASSIGN(result[1], 0x18000);
  // Mat (L1)
  MatHalf128x128 w_l1(128, 128);  // 0x00000..0x07fff
  TASSIGN(w_l1, 0x0);
  MatHalf128x128 v_l1(128, 128);  // 0x08000..0x0ffff
  TASSIGN(v_l1, 0x8000);
  MatHalf128x128 x_l1[2] = {{128, 128}, {128, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(x_l1[0], 0x10000);
  TASSIGN(x_l1[1], 0x18000);
  // 0x20000..0x27fff, 0x28000..0x2ffff, 0x30000..0x37fff
  MatHalf128x128 hidden[3] = {{128, 128}, {128, 128}, {128, 128}};
  TASSIGN(hidden[0], 0x20000);
  TASSIGN(hidden[1], 0x28000);
  TASSIGN(hidden[2], 0x30000);
  // Left (L0A)
  LeftHalf128x128 left[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(left[0], 0x0);
  TASSIGN(left[1], 0x8000);
  // Right (L0B)
  RightHalf128x128 right[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(right[0], 0x0);
  TASSIGN(right[1], 0x8000);
  // Acc (L0C)
  AccFloat128x128 acc[2] = {{128, 128}, {128, 128}};  // 0x00000..0x0ffff, 0x10000..0x1ffff
  TASSIGN(acc[0], 0x0);
  TASSIGN(acc[1], 0x10000);
  int x_l1_cursor = 1;
  int left_cursor = 1;
  int right_cursor = 1;
  int acc_cursor = 1;
  int product_cursor = 1;
  int hidden_cursor = 2;
  int result_cursor = 1;
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> w_gm(w);
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> v_gm(v);

  const int32_t core = static_cast<int32_t>(get_block_idx());   // relu_chain.py:107
  get_buf(PIPE_MTE2, 0, 0);                                     // relu_chain.py:109
  w_gm.SetShape<3, 4>(w_l1.GetValidRow(), w_l1.GetValidCol());  // relu_chain.py:109
  TASSIGN(w_gm, w);
  TLOAD(w_l1, w_gm);
  rls_buf(PIPE_MTE2, 0, 0);                                     // relu_chain.py:109
  get_buf(PIPE_MTE2, 1, 0);                                     // relu_chain.py:110
  v_gm.SetShape<3, 4>(v_l1.GetValidRow(), v_l1.GetValidCol());  // relu_chain.py:110
  TASSIGN(v_gm, v);
  TLOAD(v_l1, v_gm);
  rls_buf(PIPE_MTE2, 1, 0);                                            // relu_chain.py:110
  int64_t _pl_task = 0;                                                // relu_chain.py:113
  for (int64_t i = core; i < x_shape0 / TILE; i += get_block_num()) {  // relu_chain.py:113
    int64_t _pl_mod2 = _pl_task % 2;                                   // relu_chain.py:115
    wait_intra_block(PIPE_FIX, _pl_mod2);                              // relu_chain.py:115
    wait_intra_block(PIPE_FIX, _pl_mod2 + 16);
    // relu_chain.py:115
    multiply(i, x_l1_cursor, x_l1, left_cursor, left, right_cursor, right, acc_cursor, acc, product_cursor, product, x,
             w_l1);
    set_intra_block(PIPE_FIX, _pl_mod2);  // relu_chain.py:115
    set_intra_block(PIPE_FIX, _pl_mod2 + 16);
    if (_pl_task >= 2) {                                    // relu_chain.py:119
      _pl_mod2 = _pl_task % 2;                              // relu_chain.py:119
      wait_intra_block(PIPE_MTE1, 4 + (_pl_task + 1) % 3);  // relu_chain.py:119
      wait_intra_block(PIPE_MTE1, 4 + (_pl_task + 1) % 3 + 16);
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2);  // relu_chain.py:119
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
      // relu_chain.py:119
      project(hidden_cursor, hidden, left_cursor, left, right_cursor, right, acc_cursor, acc, result_cursor, result,
              v_l1);
      set_intra_block(PIPE_FIX, 2 + _pl_mod2);  // relu_chain.py:119
      set_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
    }
    _pl_task += 1;  // relu_chain.py:120
  }
  for (int64_t _pl_drain = 0; _pl_drain < 2; ++_pl_drain) {  // relu_chain.py:113
    const int64_t _pl_beat = _pl_task + _pl_drain;           // relu_chain.py:113
    if (_pl_beat >= 2) {                                     // relu_chain.py:113
      const int64_t _pl_mod2 = _pl_beat % 2;                 // relu_chain.py:113
      wait_intra_block(PIPE_MTE1, 4 + (_pl_beat + 1) % 3);   // relu_chain.py:113
      wait_intra_block(PIPE_MTE1, 4 + (_pl_beat + 1) % 3 + 16);
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2);  // relu_chain.py:113
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
      // relu_chain.py:113
      project(hidden_cursor, hidden, left_cursor, left, right_cursor, right, acc_cursor, acc, result_cursor, result,
              v_l1);
      set_intra_block(PIPE_FIX, 2 + _pl_mod2);  // relu_chain.py:113
      set_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
    }
  }
  wait_intra_block(PIPE_FIX, 0);  // relu_chain.py:113
  wait_intra_block(PIPE_FIX, 16);
  wait_intra_block(PIPE_FIX, 1);  // relu_chain.py:113
  wait_intra_block(PIPE_FIX, 17);
  wait_intra_block(PIPE_FIX, 2);  // relu_chain.py:113
  wait_intra_block(PIPE_FIX, 18);
  wait_intra_block(PIPE_FIX, 3);  // relu_chain.py:113
  wait_intra_block(PIPE_FIX, 19);
}

#endif  // __DAV_CUBE__

#if defined(__DAV_VEC__)
constexpr int64_t HALF = 64;

using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecHalf64x128 = Tile<TileType::Vec, half, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecHalf64x128NZ = Tile<TileType::Vec, half, 64, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using MatHalf128x128 = Tile<TileType::Mat, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;

struct PlTask {
  int64_t i;
};

// relu_chain.py:44
AICORE inline void activate(int& product_cursor, VecFloat64x128 (&product)[2], int& hidden_cursor,
                            MatHalf128x128 (&hidden)[3], VecHalf64x128& half_, VecHalf64x128NZ& half_nz) {
  product_cursor = (product_cursor + 1) % 2;                 // relu_chain.py:46
  auto& cur_product = product[product_cursor];               // relu_chain.py:46
  hidden_cursor = (hidden_cursor + 1) % 3;                   // relu_chain.py:47
  auto& cur_hidden = hidden[hidden_cursor];                  // relu_chain.py:47
  TRELU(cur_product, cur_product);                           // relu_chain.py:50
  TCVT(half_, cur_product, RoundMode::CAST_RINT);            // relu_chain.py:51
  get_buf(PIPE_V, 5, 0);                                     // relu_chain.py:52
  TMOV(half_nz, half_);                                      // relu_chain.py:52
  rls_buf(PIPE_V, 5, 0);                                     // relu_chain.py:52
  get_buf(PIPE_MTE3, 5, 0);                                  // relu_chain.py:53
  TINSERT(cur_hidden, half_nz, get_subblockid() * HALF, 0);  // relu_chain.py:53
  rls_buf(PIPE_MTE3, 5, 0);                                  // relu_chain.py:53
}

// relu_chain.py:71
AICORE inline void finish(int64_t i, int& result_cursor, VecFloat64x128 (&result)[2], __gm__ float* out) {
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> out_gm(out);

  result_cursor = (result_cursor + 1) % 2;                                    // relu_chain.py:73
  auto& cur_result = result[result_cursor];                                   // relu_chain.py:73
  out_gm.SetShape<3, 4>(cur_result.GetValidRow(), cur_result.GetValidCol());  // relu_chain.py:74
  TASSIGN(out_gm, out + (i * TILE + get_subblockid() * HALF) * 128);
  TSTORE(out_gm, cur_result);
}

AICORE inline void relu_chain_impl_vector(__gm__ float* out, int64_t x_shape0) {  // relu_chain.py:78
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat64x128 product[2] = {{64, 128}, {64, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(product[0], 0x0);
  TASSIGN(product[1], 0x8000);
  VecHalf64x128 half_(64, 128);  // 0x20000..0x23fff
  TASSIGN(half_, 0x20000);
  VecHalf64x128NZ half_nz(64, 128);  // 0x24000..0x27fff
  TASSIGN(half_nz, 0x24000);
  VecFloat64x128 result[2] = {{64, 128}, {64, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(result[0], 0x10000);
  TASSIGN(result[1], 0x18000);
  // Mat (L1)
  // 0x20000..0x27fff, 0x28000..0x2ffff, 0x30000..0x37fff
  MatHalf128x128 hidden[3] = {{128, 128}, {128, 128}, {128, 128}};
  TASSIGN(hidden[0], 0x20000);
  TASSIGN(hidden[1], 0x28000);
  TASSIGN(hidden[2], 0x30000);
  int product_cursor = 1;
  int hidden_cursor = 2;
  int result_cursor = 1;

  // relu_chain.py:107
  const int32_t core = static_cast<int32_t>(get_block_idx() * get_subblockdim() + get_subblockid());
  const int64_t core_2 = core / 2;  // relu_chain.py:112
  PlTask _pl_ring[3] = {};          // relu_chain.py:113
  for (PlTask& item : _pl_ring) item = {0};
  int64_t _pl_task = 0;                                                        // relu_chain.py:113
  set_intra_block(PIPE_V, 0);                                                  // relu_chain.py:113
  set_intra_block(PIPE_V, 1);                                                  // relu_chain.py:113
  set_intra_block(PIPE_MTE3, 2);                                               // relu_chain.py:113
  set_intra_block(PIPE_MTE3, 3);                                               // relu_chain.py:113
  for (int64_t i = core_2; i < x_shape0 / TILE; i += get_block_num()) {        // relu_chain.py:113
    int64_t _pl_mod2 = _pl_task % 2;                                           // relu_chain.py:117
    const int64_t _pl_mod3 = _pl_task % 3;                                     // relu_chain.py:117
    _pl_ring[_pl_mod3].i = i;                                                  // relu_chain.py:117
    wait_intra_block(PIPE_V, _pl_mod2);                                        // relu_chain.py:117
    activate(product_cursor, product, hidden_cursor, hidden, half_, half_nz);  // relu_chain.py:117
    set_intra_block(PIPE_V, _pl_mod2);                                         // relu_chain.py:117
    set_intra_block(PIPE_MTE3, 4 + _pl_mod3);                                  // relu_chain.py:117
    if (_pl_task >= 2) {                                                       // relu_chain.py:121
      _pl_mod2 = _pl_task % 2;                                                 // relu_chain.py:121
      wait_intra_block(PIPE_MTE3, 2 + _pl_mod2);                               // relu_chain.py:121
      finish(_pl_ring[(_pl_task + 1) % 3].i, result_cursor, result, out);      // relu_chain.py:121
      set_intra_block(PIPE_MTE3, 2 + _pl_mod2);                                // relu_chain.py:121
    }
    _pl_task += 1;  // relu_chain.py:120
  }
  for (int64_t _pl_drain = 0; _pl_drain < 2; ++_pl_drain) {                // relu_chain.py:113
    const int64_t _pl_beat = _pl_task + _pl_drain;                         // relu_chain.py:113
    if (_pl_beat >= 2) {                                                   // relu_chain.py:113
      const int64_t _pl_mod2 = _pl_beat % 2;                               // relu_chain.py:113
      wait_intra_block(PIPE_MTE3, 2 + _pl_mod2);                           // relu_chain.py:113
      finish(_pl_ring[(_pl_beat + 1) % 3].i, result_cursor, result, out);  // relu_chain.py:113
      set_intra_block(PIPE_MTE3, 2 + _pl_mod2);                            // relu_chain.py:113
    }
  }
}

#endif  // __DAV_VEC__

AICORE inline void relu_chain_impl([[maybe_unused]] __gm__ half* x, [[maybe_unused]] __gm__ half* w,
                                   [[maybe_unused]] __gm__ half* v, [[maybe_unused]] __gm__ float* out,
                                   int64_t x_shape0, [[maybe_unused]] int64_t out_shape0) {
#if defined(__DAV_CUBE__)
  relu_chain_impl_cube(x, w, v, x_shape0);
#endif
#if defined(__DAV_VEC__)
  relu_chain_impl_vector(out, x_shape0);
#endif
}

extern "C" __global__ AICORE void relu_chain(__gm__ half* x, __gm__ half* w, __gm__ half* v, __gm__ float* out,
                                             int64_t x_shape0, int64_t out_shape0) {
  relu_chain_impl(x, w, v, out, x_shape0, out_shape0);
}
