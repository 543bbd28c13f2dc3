// Kernel two_pipelines of two_pipelines.py, written by ptopro.
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

struct PlTask {
  int64_t i;
};

// two_pipelines.py:24
AICORE inline void multiply(int64_t i, int& x_l1_cursor, MatHalf128x128 (&x_l1)[2], int& left_cursor,
                            LeftHalf128x128 (&left)[2], int& right_cursor, RightHalf128x128 (&right)[2],
                            int& acc_cursor, AccFloat128x128 (&acc)[2], int& product_cursor,
                            VecFloat64x128 (&product)[2], __gm__ half* x, MatHalf128x128& w_tile) {
  constexpr int64_t x_l1_ids[2] = {2, 3};
  constexpr int64_t left_ids[2] = {7, 8};
  constexpr int64_t right_ids[2] = {9, 10};
  constexpr int64_t acc_ids[2] = {11, 12};
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> x_gm(x);

  x_l1_cursor = (x_l1_cursor + 1) % 2;  // two_pipelines.py:26
  auto& cur_x = x_l1[x_l1_cursor];      // two_pipelines.py:26
  const int64_t cur_x_id = x_l1_ids[x_l1_cursor];
  left_cursor = (left_cursor + 1) % 2;  // two_pipelines.py:27
  auto& cur_left = left[left_cursor];   // two_pipelines.py:27
  const int64_t cur_left_id = left_ids[left_cursor];
  right_cursor = (right_cursor + 1) % 2;  // two_pipelines.py:28
  auto& cur_right = right[right_cursor];  // two_pipelines.py:28
  const int64_t cur_right_id = right_ids[right_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // two_pipelines.py:29
  auto& cur_acc = acc[acc_cursor];    // two_pipelines.py:29
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  product_cursor = (product_cursor + 1) % 2;                      // two_pipelines.py:30
  auto& cur_product = product[product_cursor];                    // two_pipelines.py:30
  get_buf(PIPE_MTE2, cur_x_id, 0);                                // two_pipelines.py:31
  x_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // two_pipelines.py:31
  TASSIGN(x_gm, x + i * 128 * 128);
  TLOAD(cur_x, x_gm);
  rls_buf(PIPE_MTE2, cur_x_id, 0);                                                            // two_pipelines.py:31
  get_buf(PIPE_MTE1, cur_left_id, 0);                                                         // two_pipelines.py:32
  get_buf(PIPE_MTE1, cur_x_id, 0);                                                            // two_pipelines.py:32
  TMOV(cur_left, cur_x);                                                                      // two_pipelines.py:32
  rls_buf(PIPE_MTE1, cur_left_id, 0);                                                         // two_pipelines.py:32
  rls_buf(PIPE_MTE1, cur_x_id, 0);                                                            // two_pipelines.py:32
  get_buf(PIPE_MTE1, cur_right_id, 0);                                                        // two_pipelines.py:33
  get_buf(PIPE_MTE1, 0, 0);                                                                   // two_pipelines.py:33
  TMOV(cur_right, w_tile);                                                                    // two_pipelines.py:33
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                                        // two_pipelines.py:33
  rls_buf(PIPE_MTE1, 0, 0);                                                                   // two_pipelines.py:33
  get_buf(PIPE_M, cur_acc_id, 0);                                                             // two_pipelines.py:34
  get_buf(PIPE_M, cur_left_id, 0);                                                            // two_pipelines.py:34
  get_buf(PIPE_M, cur_right_id, 0);                                                           // two_pipelines.py:34
  TMATMUL(cur_acc, cur_left, cur_right);                                                      // two_pipelines.py:34
  rls_buf(PIPE_M, cur_acc_id, 0);                                                             // two_pipelines.py:34
  rls_buf(PIPE_M, cur_left_id, 0);                                                            // two_pipelines.py:34
  rls_buf(PIPE_M, cur_right_id, 0);                                                           // two_pipelines.py:34
  get_buf(PIPE_FIX, cur_acc_id, 0);                                                           // two_pipelines.py:35
  TMOV<VecFloat64x128, AccFloat128x128, AccToVecMode::DualModeSplitM>(cur_product, cur_acc);  // two_pipelines.py:35
  rls_buf(PIPE_FIX, cur_acc_id, 0);                                                           // two_pipelines.py:35
}

// two_pipelines.py:66
AICORE inline void project_out(int64_t i, int& hidden_cursor, MatHalf128x128 (&hidden)[3], int& left_cursor,
                               LeftHalf128x128 (&left)[2], int& right_cursor, RightHalf128x128 (&right)[2],
                               int& acc_cursor, AccFloat128x128 (&acc)[2], MatHalf128x128& v_tile,
                               __gm__ half* middle) {
  constexpr int64_t left_ids[2] = {7, 8};
  constexpr int64_t right_ids[2] = {9, 10};
  constexpr int64_t acc_ids[2] = {11, 12};
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> middle_gm(middle);

  hidden_cursor = (hidden_cursor + 1) % 3;   // two_pipelines.py:68
  auto& cur_hidden = hidden[hidden_cursor];  // two_pipelines.py:68
  left_cursor = (left_cursor + 1) % 2;       // two_pipelines.py:69
  auto& cur_left = left[left_cursor];        // two_pipelines.py:69
  const int64_t cur_left_id = left_ids[left_cursor];
  right_cursor = (right_cursor + 1) % 2;  // two_pipelines.py:70
  auto& cur_right = right[right_cursor];  // two_pipelines.py:70
  const int64_t cur_right_id = right_ids[right_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // two_pipelines.py:71
  auto& cur_acc = acc[acc_cursor];    // two_pipelines.py:71
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  get_buf(PIPE_MTE1, cur_left_id, 0);                                      // two_pipelines.py:72
  TMOV(cur_left, cur_hidden);                                              // two_pipelines.py:72
  rls_buf(PIPE_MTE1, cur_left_id, 0);                                      // two_pipelines.py:72
  get_buf(PIPE_MTE1, cur_right_id, 0);                                     // two_pipelines.py:73
  get_buf(PIPE_MTE1, 1, 0);                                                // two_pipelines.py:73
  TMOV(cur_right, v_tile);                                                 // two_pipelines.py:73
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                     // two_pipelines.py:73
  rls_buf(PIPE_MTE1, 1, 0);                                                // two_pipelines.py:73
  get_buf(PIPE_M, cur_acc_id, 0);                                          // two_pipelines.py:74
  get_buf(PIPE_M, cur_left_id, 0);                                         // two_pipelines.py:74
  get_buf(PIPE_M, cur_right_id, 0);                                        // two_pipelines.py:74
  TMATMUL(cur_acc, cur_left, cur_right);                                   // two_pipelines.py:74
  rls_buf(PIPE_M, cur_acc_id, 0);                                          // two_pipelines.py:74
  rls_buf(PIPE_M, cur_left_id, 0);                                         // two_pipelines.py:74
  rls_buf(PIPE_M, cur_right_id, 0);                                        // two_pipelines.py:74
  get_buf(PIPE_FIX, cur_acc_id, 0);                                        // two_pipelines.py:75
  middle_gm.SetShape<3, 4>(cur_acc.GetValidRow(), cur_acc.GetValidCol());  // two_pipelines.py:75
  TASSIGN(middle_gm, middle + i * TILE * 128);
  TSTORE(middle_gm, cur_acc);
  rls_buf(PIPE_FIX, cur_acc_id, 0);  // two_pipelines.py:75
}

// two_pipelines.py:24
AICORE inline void multiply_2(int64_t i, int& x_l1_cursor, MatHalf128x128 (&x_l1)[2], int& left_cursor,
                              LeftHalf128x128 (&left)[2], int& right_cursor, RightHalf128x128 (&right)[2],
                              int& acc_cursor, AccFloat128x128 (&acc)[2], int& product_cursor,
                              VecFloat64x128 (&product)[2], __gm__ half* x, MatHalf128x128& w_tile) {
  constexpr int64_t x_l1_ids[2] = {2, 3};
  constexpr int64_t left_ids[2] = {7, 8};
  constexpr int64_t right_ids[2] = {9, 10};
  constexpr int64_t acc_ids[2] = {11, 12};
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> x_gm(x);

  x_l1_cursor = (x_l1_cursor + 1) % 2;  // two_pipelines.py:26
  auto& cur_x = x_l1[x_l1_cursor];      // two_pipelines.py:26
  const int64_t cur_x_id = x_l1_ids[x_l1_cursor];
  left_cursor = (left_cursor + 1) % 2;  // two_pipelines.py:27
  auto& cur_left = left[left_cursor];   // two_pipelines.py:27
  const int64_t cur_left_id = left_ids[left_cursor];
  right_cursor = (right_cursor + 1) % 2;  // two_pipelines.py:28
  auto& cur_right = right[right_cursor];  // two_pipelines.py:28
  const int64_t cur_right_id = right_ids[right_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // two_pipelines.py:29
  auto& cur_acc = acc[acc_cursor];    // two_pipelines.py:29
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  product_cursor = (product_cursor + 1) % 2;                      // two_pipelines.py:30
  auto& cur_product = product[product_cursor];                    // two_pipelines.py:30
  get_buf(PIPE_MTE2, cur_x_id, 0);                                // two_pipelines.py:31
  x_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // two_pipelines.py:31
  TASSIGN(x_gm, x + i * 128 * 128);
  TLOAD(cur_x, x_gm);
  rls_buf(PIPE_MTE2, cur_x_id, 0);                                                            // two_pipelines.py:31
  get_buf(PIPE_MTE1, cur_left_id, 0);                                                         // two_pipelines.py:32
  get_buf(PIPE_MTE1, cur_x_id, 0);                                                            // two_pipelines.py:32
  TMOV(cur_left, cur_x);                                                                      // two_pipelines.py:32
  rls_buf(PIPE_MTE1, cur_left_id, 0);                                                         // two_pipelines.py:32
  rls_buf(PIPE_MTE1, cur_x_id, 0);                                                            // two_pipelines.py:32
  get_buf(PIPE_MTE1, cur_right_id, 0);                                                        // two_pipelines.py:33
  get_buf(PIPE_MTE1, 0, 0);                                                                   // two_pipelines.py:33
  TMOV(cur_right, w_tile);                                                                    // two_pipelines.py:33
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                                        // two_pipelines.py:33
  rls_buf(PIPE_MTE1, 0, 0);                                                                   // two_pipelines.py:33
  get_buf(PIPE_M, cur_acc_id, 0);                                                             // two_pipelines.py:34
  get_buf(PIPE_M, cur_left_id, 0);                                                            // two_pipelines.py:34
  get_buf(PIPE_M, cur_right_id, 0);                                                           // two_pipelines.py:34
  TMATMUL(cur_acc, cur_left, cur_right);                                                      // two_pipelines.py:34
  rls_buf(PIPE_M, cur_acc_id, 0);                                                             // two_pipelines.py:34
  rls_buf(PIPE_M, cur_left_id, 0);                                                            // two_pipelines.py:34
  rls_buf(PIPE_M, cur_right_id, 0);                                                           // two_pipelines.py:34
  get_buf(PIPE_FIX, cur_acc_id, 0);                                                           // two_pipelines.py:35
  TMOV<VecFloat64x128, AccFloat128x128, AccToVecMode::DualModeSplitM>(cur_product, cur_acc);  // two_pipelines.py:35
  rls_buf(PIPE_FIX, cur_acc_id, 0);                                                           // two_pipelines.py:35
}

// two_pipelines.py:52
AICORE inline void project(int& hidden_cursor, MatHalf128x128 (&hidden)[3], int& left_cursor,
                           LeftHalf128x128 (&left)[2], int& right_cursor, RightHalf128x128 (&right)[2], int& acc_cursor,
                           AccFloat128x128 (&acc)[2], int& result_cursor, VecFloat64x128 (&result)[2],
                           MatHalf128x128& v_tile) {
  constexpr int64_t left_ids[2] = {7, 8};
  constexpr int64_t right_ids[2] = {9, 10};
  constexpr int64_t acc_ids[2] = {11, 12};

  hidden_cursor = (hidden_cursor + 1) % 3;   // two_pipelines.py:54
  auto& cur_hidden = hidden[hidden_cursor];  // two_pipelines.py:54
  left_cursor = (left_cursor + 1) % 2;       // two_pipelines.py:55
  auto& cur_left = left[left_cursor];        // two_pipelines.py:55
  const int64_t cur_left_id = left_ids[left_cursor];
  right_cursor = (right_cursor + 1) % 2;  // two_pipelines.py:56
  auto& cur_right = right[right_cursor];  // two_pipelines.py:56
  const int64_t cur_right_id = right_ids[right_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // two_pipelines.py:57
  auto& cur_acc = acc[acc_cursor];    // two_pipelines.py:57
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  result_cursor = (result_cursor + 1) % 2;                                                   // two_pipelines.py:58
  auto& cur_result = result[result_cursor];                                                  // two_pipelines.py:58
  get_buf(PIPE_MTE1, cur_left_id, 0);                                                        // two_pipelines.py:59
  TMOV(cur_left, cur_hidden);                                                                // two_pipelines.py:59
  rls_buf(PIPE_MTE1, cur_left_id, 0);                                                        // two_pipelines.py:59
  get_buf(PIPE_MTE1, cur_right_id, 0);                                                       // two_pipelines.py:60
  get_buf(PIPE_MTE1, 1, 0);                                                                  // two_pipelines.py:60
  TMOV(cur_right, v_tile);                                                                   // two_pipelines.py:60
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                                       // two_pipelines.py:60
  rls_buf(PIPE_MTE1, 1, 0);                                                                  // two_pipelines.py:60
  get_buf(PIPE_M, cur_acc_id, 0);                                                            // two_pipelines.py:61
  get_buf(PIPE_M, cur_left_id, 0);                                                           // two_pipelines.py:61
  get_buf(PIPE_M, cur_right_id, 0);                                                          // two_pipelines.py:61
  TMATMUL(cur_acc, cur_left, cur_right);                                                     // two_pipelines.py:61
  rls_buf(PIPE_M, cur_acc_id, 0);                                                            // two_pipelines.py:61
  rls_buf(PIPE_M, cur_left_id, 0);                                                           // two_pipelines.py:61
  rls_buf(PIPE_M, cur_right_id, 0);                                                          // two_pipelines.py:61
  get_buf(PIPE_FIX, cur_acc_id, 0);                                                          // two_pipelines.py:62
  TMOV<VecFloat64x128, AccFloat128x128, AccToVecMode::DualModeSplitM>(cur_result, cur_acc);  // two_pipelines.py:62
  rls_buf(PIPE_FIX, cur_acc_id, 0);                                                          // two_pipelines.py:62
}

// two_pipelines.py:86
AICORE inline void two_pipelines_impl_cube(__gm__ half* x, __gm__ half* w, __gm__ half* v, __gm__ half* middle,
                                           int64_t x_shape0) {
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

  const int32_t core = static_cast<int32_t>(get_block_idx());   // two_pipelines.py:116
  get_buf(PIPE_MTE2, 0, 0);                                     // two_pipelines.py:118
  w_gm.SetShape<3, 4>(w_l1.GetValidRow(), w_l1.GetValidCol());  // two_pipelines.py:118
  TASSIGN(w_gm, w);
  TLOAD(w_l1, w_gm);
  rls_buf(PIPE_MTE2, 0, 0);                                     // two_pipelines.py:118
  get_buf(PIPE_MTE2, 1, 0);                                     // two_pipelines.py:119
  v_gm.SetShape<3, 4>(v_l1.GetValidRow(), v_l1.GetValidCol());  // two_pipelines.py:119
  TASSIGN(v_gm, v);
  TLOAD(v_l1, v_gm);
  rls_buf(PIPE_MTE2, 1, 0);  // two_pipelines.py:119
  PlTask _pl_ring[2] = {};   // two_pipelines.py:122
  for (PlTask& item : _pl_ring) item = {0};
  int64_t _pl_task = 0;                                                // two_pipelines.py:122
  for (int64_t i = core; i < x_shape0 / TILE; i += get_block_num()) {  // two_pipelines.py:122
    const int64_t _pl_mod2 = _pl_task % 2;                             // two_pipelines.py:124
    _pl_ring[_pl_mod2].i = i;                                          // two_pipelines.py:124
    // two_pipelines.py:124
    multiply(i, x_l1_cursor, x_l1, left_cursor, left, right_cursor, right, acc_cursor, acc, product_cursor, product, x,
             w_l1);
    set_intra_block(PIPE_FIX, _pl_mod2);  // two_pipelines.py:124
    set_intra_block(PIPE_FIX, _pl_mod2 + 16);
    if (_pl_task >= 1) {                                    // two_pipelines.py:128
      wait_intra_block(PIPE_MTE1, 4 + (_pl_task + 2) % 3);  // two_pipelines.py:128
      wait_intra_block(PIPE_MTE1, 4 + (_pl_task + 2) % 3 + 16);
      // two_pipelines.py:128
      project_out(_pl_ring[(_pl_task + 1) % 2].i, hidden_cursor, hidden, left_cursor, left, right_cursor, right,
                  acc_cursor, acc, v_l1, middle);
    }
    _pl_task += 1;  // two_pipelines.py:127
  }
  for (int64_t _pl_drain = 0; _pl_drain < 1; ++_pl_drain) {  // two_pipelines.py:122
    const int64_t _pl_beat = _pl_task + _pl_drain;           // two_pipelines.py:122
    if (_pl_beat >= 1) {                                     // two_pipelines.py:122
      wait_intra_block(PIPE_MTE1, 4 + (_pl_beat + 2) % 3);   // two_pipelines.py:122
      wait_intra_block(PIPE_MTE1, 4 + (_pl_beat + 2) % 3 + 16);
      // two_pipelines.py:122
      project_out(_pl_ring[(_pl_beat + 1) % 2].i, hidden_cursor, hidden, left_cursor, left, right_cursor, right,
                  acc_cursor, acc, v_l1, middle);
    }
  }
  SYNCALL<SyncCoreType::Mix>();                                        // two_pipelines.py:129
  int64_t _pl_task_1 = 0;                                              // two_pipelines.py:130
  for (int64_t i = core; i < x_shape0 / TILE; i += get_block_num()) {  // two_pipelines.py:130
    int64_t _pl_mod2_1 = _pl_task_1 % 2;                               // two_pipelines.py:132
    wait_intra_block(PIPE_FIX, _pl_mod2_1);                            // two_pipelines.py:132
    wait_intra_block(PIPE_FIX, _pl_mod2_1 + 16);
    // two_pipelines.py:132
    multiply_2(i, x_l1_cursor, x_l1, left_cursor, left, right_cursor, right, acc_cursor, acc, product_cursor, product,
               middle, w_l1);
    set_intra_block(PIPE_FIX, _pl_mod2_1);  // two_pipelines.py:132
    set_intra_block(PIPE_FIX, _pl_mod2_1 + 16);
    if (_pl_task_1 >= 2) {                                    // two_pipelines.py:136
      _pl_mod2_1 = _pl_task_1 % 2;                            // two_pipelines.py:136
      wait_intra_block(PIPE_MTE1, 4 + (_pl_task_1 + 1) % 3);  // two_pipelines.py:136
      wait_intra_block(PIPE_MTE1, 4 + (_pl_task_1 + 1) % 3 + 16);
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2_1);  // two_pipelines.py:136
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2_1 + 16);
      // two_pipelines.py:136
      project(hidden_cursor, hidden, left_cursor, left, right_cursor, right, acc_cursor, acc, result_cursor, result,
              v_l1);
      set_intra_block(PIPE_FIX, 2 + _pl_mod2_1);  // two_pipelines.py:136
      set_intra_block(PIPE_FIX, 2 + _pl_mod2_1 + 16);
    }
    _pl_task_1 += 1;  // two_pipelines.py:137
  }
  for (int64_t _pl_drain_1 = 0; _pl_drain_1 < 2; ++_pl_drain_1) {  // two_pipelines.py:130
    const int64_t _pl_beat_1 = _pl_task_1 + _pl_drain_1;           // two_pipelines.py:130
    if (_pl_beat_1 >= 2) {                                         // two_pipelines.py:130
      const int64_t _pl_mod2_1 = _pl_beat_1 % 2;                   // two_pipelines.py:130
      wait_intra_block(PIPE_MTE1, 4 + (_pl_beat_1 + 1) % 3);       // two_pipelines.py:130
      wait_intra_block(PIPE_MTE1, 4 + (_pl_beat_1 + 1) % 3 + 16);
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2_1);  // two_pipelines.py:130
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2_1 + 16);
      // two_pipelines.py:130
      project(hidden_cursor, hidden, left_cursor, left, right_cursor, right, acc_cursor, acc, result_cursor, result,
              v_l1);
      set_intra_block(PIPE_FIX, 2 + _pl_mod2_1);  // two_pipelines.py:130
      set_intra_block(PIPE_FIX, 2 + _pl_mod2_1 + 16);
    }
  }
  wait_intra_block(PIPE_FIX, 0);  // two_pipelines.py:130
  wait_intra_block(PIPE_FIX, 16);
  wait_intra_block(PIPE_FIX, 1);  // two_pipelines.py:130
  wait_intra_block(PIPE_FIX, 17);
  wait_intra_block(PIPE_FIX, 2);  // two_pipelines.py:130
  wait_intra_block(PIPE_FIX, 18);
  wait_intra_block(PIPE_FIX, 3);  // two_pipelines.py:130
  wait_intra_block(PIPE_FIX, 19);
}

#endif  // __DAV_CUBE__

#if defined(__DAV_VEC__)
constexpr int64_t HALF = 64;

using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecHalf64x128 = Tile<TileType::Vec, half, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecHalf64x128NZ = Tile<TileType::Vec, half, 64, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using MatHalf128x128 = Tile<TileType::Mat, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;

struct PlTask_1 {
  int64_t i;
};

// two_pipelines.py:39
AICORE inline void activate(int& product_cursor, VecFloat64x128 (&product)[2], int& hidden_cursor,
                            MatHalf128x128 (&hidden)[3], VecHalf64x128& half_, VecHalf64x128NZ& half_nz) {
  product_cursor = (product_cursor + 1) % 2;                 // two_pipelines.py:41
  auto& cur_product = product[product_cursor];               // two_pipelines.py:41
  hidden_cursor = (hidden_cursor + 1) % 3;                   // two_pipelines.py:42
  auto& cur_hidden = hidden[hidden_cursor];                  // two_pipelines.py:42
  TRELU(cur_product, cur_product);                           // two_pipelines.py:45
  TCVT(half_, cur_product, RoundMode::CAST_RINT);            // two_pipelines.py:46
  get_buf(PIPE_V, 5, 0);                                     // two_pipelines.py:47
  TMOV(half_nz, half_);                                      // two_pipelines.py:47
  rls_buf(PIPE_V, 5, 0);                                     // two_pipelines.py:47
  get_buf(PIPE_MTE3, 5, 0);                                  // two_pipelines.py:48
  TINSERT(cur_hidden, half_nz, get_subblockid() * HALF, 0);  // two_pipelines.py:48
  rls_buf(PIPE_MTE3, 5, 0);                                  // two_pipelines.py:48
}

// two_pipelines.py:79
AICORE inline void finish(int64_t i, int& result_cursor, VecFloat64x128 (&result)[2], __gm__ float* out) {
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> out_gm(out);

  result_cursor = (result_cursor + 1) % 2;                                    // two_pipelines.py:81
  auto& cur_result = result[result_cursor];                                   // two_pipelines.py:81
  out_gm.SetShape<3, 4>(cur_result.GetValidRow(), cur_result.GetValidCol());  // two_pipelines.py:82
  TASSIGN(out_gm, out + (i * TILE + get_subblockid() * HALF) * 128);
  TSTORE(out_gm, cur_result);
}

AICORE inline void two_pipelines_impl_vector(__gm__ float* out, int64_t x_shape0) {  // two_pipelines.py:86
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

  // two_pipelines.py:116
  const int32_t core = static_cast<int32_t>(get_block_idx() * get_subblockdim() + get_subblockid());
  const int64_t core_2 = core / 2;                                             // two_pipelines.py:121
  int64_t _pl_task = 0;                                                        // two_pipelines.py:122
  for (int64_t i = core_2; i < x_shape0 / TILE; i += get_block_num()) {        // two_pipelines.py:122
    wait_intra_block(PIPE_V, _pl_task % 2);                                    // two_pipelines.py:126
    activate(product_cursor, product, hidden_cursor, hidden, half_, half_nz);  // two_pipelines.py:126
    set_intra_block(PIPE_MTE3, 4 + _pl_task % 3);                              // two_pipelines.py:126
    _pl_task += 1;                                                             // two_pipelines.py:127
  }
  SYNCALL<SyncCoreType::Mix>();  // two_pipelines.py:129
  PlTask_1 _pl_ring_1[3] = {};   // two_pipelines.py:130
  for (PlTask_1& item : _pl_ring_1) item = {0};
  int64_t _pl_task_1 = 0;                                                      // two_pipelines.py:130
  set_intra_block(PIPE_V, 0);                                                  // two_pipelines.py:130
  set_intra_block(PIPE_V, 1);                                                  // two_pipelines.py:130
  set_intra_block(PIPE_MTE3, 2);                                               // two_pipelines.py:130
  set_intra_block(PIPE_MTE3, 3);                                               // two_pipelines.py:130
  for (int64_t i = core_2; i < x_shape0 / TILE; i += get_block_num()) {        // two_pipelines.py:130
    int64_t _pl_mod2_1 = _pl_task_1 % 2;                                       // two_pipelines.py:134
    const int64_t _pl_mod3_1 = _pl_task_1 % 3;                                 // two_pipelines.py:134
    _pl_ring_1[_pl_mod3_1].i = i;                                              // two_pipelines.py:134
    wait_intra_block(PIPE_V, _pl_mod2_1);                                      // two_pipelines.py:134
    activate(product_cursor, product, hidden_cursor, hidden, half_, half_nz);  // two_pipelines.py:134
    set_intra_block(PIPE_V, _pl_mod2_1);                                       // two_pipelines.py:134
    set_intra_block(PIPE_MTE3, 4 + _pl_mod3_1);                                // two_pipelines.py:134
    if (_pl_task_1 >= 2) {                                                     // two_pipelines.py:138
      _pl_mod2_1 = _pl_task_1 % 2;                                             // two_pipelines.py:138
      wait_intra_block(PIPE_MTE3, 2 + _pl_mod2_1);                             // two_pipelines.py:138
      finish(_pl_ring_1[(_pl_task_1 + 1) % 3].i, result_cursor, result, out);  // two_pipelines.py:138
      set_intra_block(PIPE_MTE3, 2 + _pl_mod2_1);                              // two_pipelines.py:138
    }
    _pl_task_1 += 1;  // two_pipelines.py:137
  }
  for (int64_t _pl_drain_1 = 0; _pl_drain_1 < 2; ++_pl_drain_1) {              // two_pipelines.py:130
    const int64_t _pl_beat_1 = _pl_task_1 + _pl_drain_1;                       // two_pipelines.py:130
    if (_pl_beat_1 >= 2) {                                                     // two_pipelines.py:130
      const int64_t _pl_mod2_1 = _pl_beat_1 % 2;                               // two_pipelines.py:130
      wait_intra_block(PIPE_MTE3, 2 + _pl_mod2_1);                             // two_pipelines.py:130
      finish(_pl_ring_1[(_pl_beat_1 + 1) % 3].i, result_cursor, result, out);  // two_pipelines.py:130
      set_intra_block(PIPE_MTE3, 2 + _pl_mod2_1);                              // two_pipelines.py:130
    }
  }
}

#endif  // __DAV_VEC__

AICORE inline void two_pipelines_impl([[maybe_unused]] __gm__ half* x, [[maybe_unused]] __gm__ half* w,
                                      [[maybe_unused]] __gm__ half* v, [[maybe_unused]] __gm__ half* middle,
                                      [[maybe_unused]] __gm__ float* out, int64_t x_shape0,
                                      [[maybe_unused]] int64_t middle_shape0, [[maybe_unused]] int64_t out_shape0) {
#if defined(__DAV_CUBE__)
  two_pipelines_impl_cube(x, w, v, middle, x_shape0);
#endif
#if defined(__DAV_VEC__)
  two_pipelines_impl_vector(out, x_shape0);
#endif
}

extern "C" __global__ AICORE void two_pipelines(__gm__ half* x, __gm__ half* w, __gm__ half* v, __gm__ half* middle,
                                                __gm__ float* out, int64_t x_shape0, int64_t middle_shape0,
                                                int64_t out_shape0) {
  two_pipelines_impl(x, w, v, middle, out, x_shape0, middle_shape0, out_shape0);
}
