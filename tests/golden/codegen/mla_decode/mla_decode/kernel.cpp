// Kernel mla_decode of mla_decode.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t HEADS = 64;
constexpr int64_t PAGE = 64;

// Python's //: rounds towards minus infinity.
template <typename T>
AICORE inline T floor_div(T a, T b) {
  const T quotient = a / b;
  if constexpr (T(1) / T(2) != T(0)) {
    if (!(quotient > T(-8388608) && quotient < T(8388608))) return quotient;  // has no fraction
    const T whole = static_cast<T>(static_cast<int64_t>(quotient));
    return whole > quotient ? whole - T(1) : whole;
  } else {
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  }
}

// Python's %: has the sign of the divisor.
template <typename T>
AICORE inline T floor_mod(T a, T b) {
  if constexpr (T(1) / T(2) != T(0)) {
    return a - floor_div<T>(a, b) * b;
  } else {
    const T rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
}

template <typename T>
AICORE inline T min_of(T a, T b) {
  return b < a ? b : a;
}

#if defined(__DAV_CUBE__)
constexpr int64_t PAGES_HELD = 4;

using LeftHalf64x128 = Tile<TileType::Left, half, 64, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using RightHalf128x64 = Tile<TileType::Right, half, 128, 64, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using MatHalf64x512 = Tile<TileType::Mat, half, 64, 512, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using MatHalf512x64ZN = Tile<TileType::Mat, half, 512, 64, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using AccFloat64x64 = Tile<TileType::Acc, float, 64, 64, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 1024>;
using LeftHalf64x64 = Tile<TileType::Left, half, 64, 64, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using MatHalf64x64 = Tile<TileType::Mat, half, 64, 64, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using RightHalf64x64 = Tile<TileType::Right, half, 64, 64, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using MatHalf64x64ZN = Tile<TileType::Mat, half, 64, 64, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using VecFloat32x64 = Tile<TileType::Vec, float, 32, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using RightHalf64x128 = Tile<TileType::Right, half, 64, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using AccFloat64x128 = Tile<TileType::Acc, float, 64, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 1024>;
using VecFloat32x512 = Tile<TileType::Vec, float, 32, 512, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

// mla_decode.py:121
AICORE inline void compute_qk(int64_t work, int32_t page, int64_t number, int64_t tick, int& acc_cursor,
                              AccFloat64x64 (&acc)[2], int& scores_cursor, VecFloat32x64 (&scores)[2],
                              MatHalf64x512& cur_q, __gm__ half* q, MatHalf64x64& cur_q_rope, __gm__ half* q_rope,
                              MatHalf64x512 (&l1_latent)[4], __gm__ half* latent, MatHalf64x64ZN (&l1_rope)[4],
                              __gm__ half* rope, int& l0_left_cursor, LeftHalf64x128 (&l0_left)[2],
                              int& l0_right_cursor, RightHalf128x64 (&l0_right)[2], MatHalf512x64ZN (&l1_latent_t)[4],
                              int& l0_small_left_cursor, LeftHalf64x64 (&l0_small_left)[2],
                              RightHalf64x64& l0_small_right) {
  constexpr int64_t acc_ids[2] = {20, 21};
  constexpr int64_t l1_latent_ids[4] = {0, 1, 2, 3};
  constexpr int64_t l1_rope_ids[4] = {4, 5, 6, 7};
  constexpr int64_t l0_left_ids[2] = {13, 14};
  constexpr int64_t l0_right_ids[2] = {17, 18};
  constexpr int64_t l1_latent_t_ids[4] = {0, 1, 2, 3};
  constexpr int64_t l0_small_left_ids[2] = {15, 16};
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 512, 1>> q_gm(q);
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 64, 1>> q_rope_gm(q_rope);
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 512, 1>> latent_gm(latent);
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 1, 64>, Layout::DN> rope_gm_t(rope);

  acc_cursor = (acc_cursor + 1) % 2;  // mla_decode.py:123
  auto& cur_acc = acc[acc_cursor];    // mla_decode.py:123
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  scores_cursor = (scores_cursor + 1) % 2;                          // mla_decode.py:124
  auto& cur_scores = scores[scores_cursor];                         // mla_decode.py:124
  const int64_t held = tick % PAGES_HELD;                           // mla_decode.py:125
  if (number == 0) {                                                // mla_decode.py:126
    get_buf(PIPE_MTE2, 8, 0);                                       // mla_decode.py:127
    q_gm.SetShape<3, 4>(cur_q.GetValidRow(), cur_q.GetValidCol());  // mla_decode.py:127
    TASSIGN(q_gm, q + work * HEADS * 512);
    TLOAD(cur_q, q_gm);
    rls_buf(PIPE_MTE2, 8, 0);                                                      // mla_decode.py:127
    get_buf(PIPE_MTE2, 9, 0);                                                      // mla_decode.py:128
    q_rope_gm.SetShape<3, 4>(cur_q_rope.GetValidRow(), cur_q_rope.GetValidCol());  // mla_decode.py:128
    TASSIGN(q_rope_gm, q_rope + work * HEADS * 64);
    TLOAD(cur_q_rope, q_rope_gm);
    rls_buf(PIPE_MTE2, 9, 0);  // mla_decode.py:128
  }
  get_buf(PIPE_MTE2, l1_latent_ids[held], 0);                                              // mla_decode.py:129
  latent_gm.SetShape<3, 4>(l1_latent[held].GetValidRow(), l1_latent[held].GetValidCol());  // mla_decode.py:129
  TASSIGN(latent_gm, latent + page * 32768LL);
  TLOAD(l1_latent[held], latent_gm);
  rls_buf(PIPE_MTE2, l1_latent_ids[held], 0);                                          // mla_decode.py:129
  get_buf(PIPE_MTE2, l1_rope_ids[held], 0);                                            // mla_decode.py:130
  rope_gm_t.SetShape<3, 4>(l1_rope[held].GetValidRow(), l1_rope[held].GetValidCol());  // mla_decode.py:130
  TASSIGN(rope_gm_t, rope + page * 4096LL);
  TLOAD(l1_rope[held], rope_gm_t);
  rls_buf(PIPE_MTE2, l1_rope_ids[held], 0);             // mla_decode.py:130
  l0_left_cursor = (l0_left_cursor + 1) % 2;            // mla_decode.py:132
  LeftHalf64x128* cur_left = &l0_left[l0_left_cursor];  // mla_decode.py:132
  int64_t cur_left_id = l0_left_ids[l0_left_cursor];
  l0_right_cursor = (l0_right_cursor + 1) % 2;              // mla_decode.py:133
  RightHalf128x64* cur_right = &l0_right[l0_right_cursor];  // mla_decode.py:133
  int64_t cur_right_id = l0_right_ids[l0_right_cursor];
  get_buf(PIPE_MTE1, cur_left_id, 0);             // mla_decode.py:134
  get_buf(PIPE_MTE1, 8, 0);                       // mla_decode.py:134
  TEXTRACT(*cur_left, cur_q, 0, 0);               // mla_decode.py:134
  rls_buf(PIPE_MTE1, cur_left_id, 0);             // mla_decode.py:134
  rls_buf(PIPE_MTE1, 8, 0);                       // mla_decode.py:134
  get_buf(PIPE_MTE1, cur_right_id, 0);            // mla_decode.py:135
  get_buf(PIPE_MTE1, l1_latent_t_ids[held], 0);   // mla_decode.py:135
  TEXTRACT(*cur_right, l1_latent_t[held], 0, 0);  // mla_decode.py:135
  rls_buf(PIPE_MTE1, cur_right_id, 0);            // mla_decode.py:135
  rls_buf(PIPE_MTE1, l1_latent_t_ids[held], 0);   // mla_decode.py:135
  get_buf(PIPE_M, cur_acc_id, 0);                 // mla_decode.py:137
  get_buf(PIPE_M, cur_left_id, 0);                // mla_decode.py:137
  get_buf(PIPE_M, cur_right_id, 0);               // mla_decode.py:137
  TMATMUL(cur_acc, *cur_left, *cur_right);        // mla_decode.py:137
  rls_buf(PIPE_M, cur_acc_id, 0);                 // mla_decode.py:137
  rls_buf(PIPE_M, cur_left_id, 0);                // mla_decode.py:137
  rls_buf(PIPE_M, cur_right_id, 0);               // mla_decode.py:137
  l0_left_cursor = (l0_left_cursor + 1) % 2;      // mla_decode.py:132
  cur_left = &l0_left[l0_left_cursor];            // mla_decode.py:132
  cur_left_id = l0_left_ids[l0_left_cursor];
  l0_right_cursor = (l0_right_cursor + 1) % 2;  // mla_decode.py:133
  cur_right = &l0_right[l0_right_cursor];       // mla_decode.py:133
  cur_right_id = l0_right_ids[l0_right_cursor];
  get_buf(PIPE_MTE1, cur_left_id, 0);                    // mla_decode.py:134
  get_buf(PIPE_MTE1, 8, 0);                              // mla_decode.py:134
  TEXTRACT(*cur_left, cur_q, 0, 128);                    // mla_decode.py:134
  rls_buf(PIPE_MTE1, cur_left_id, 0);                    // mla_decode.py:134
  rls_buf(PIPE_MTE1, 8, 0);                              // mla_decode.py:134
  get_buf(PIPE_MTE1, cur_right_id, 0);                   // mla_decode.py:135
  get_buf(PIPE_MTE1, l1_latent_t_ids[held], 0);          // mla_decode.py:135
  TEXTRACT(*cur_right, l1_latent_t[held], 128, 0);       // mla_decode.py:135
  rls_buf(PIPE_MTE1, cur_right_id, 0);                   // mla_decode.py:135
  rls_buf(PIPE_MTE1, l1_latent_t_ids[held], 0);          // mla_decode.py:135
  get_buf(PIPE_M, cur_acc_id, 0);                        // mla_decode.py:139
  get_buf(PIPE_M, cur_left_id, 0);                       // mla_decode.py:139
  get_buf(PIPE_M, cur_right_id, 0);                      // mla_decode.py:139
  TMATMUL_ACC(cur_acc, cur_acc, *cur_left, *cur_right);  // mla_decode.py:139
  rls_buf(PIPE_M, cur_acc_id, 0);                        // mla_decode.py:139
  rls_buf(PIPE_M, cur_left_id, 0);                       // mla_decode.py:139
  rls_buf(PIPE_M, cur_right_id, 0);                      // mla_decode.py:139
  l0_left_cursor = (l0_left_cursor + 1) % 2;             // mla_decode.py:132
  cur_left = &l0_left[l0_left_cursor];                   // mla_decode.py:132
  cur_left_id = l0_left_ids[l0_left_cursor];
  l0_right_cursor = (l0_right_cursor + 1) % 2;  // mla_decode.py:133
  cur_right = &l0_right[l0_right_cursor];       // mla_decode.py:133
  cur_right_id = l0_right_ids[l0_right_cursor];
  get_buf(PIPE_MTE1, cur_left_id, 0);                    // mla_decode.py:134
  get_buf(PIPE_MTE1, 8, 0);                              // mla_decode.py:134
  TEXTRACT(*cur_left, cur_q, 0, 256);                    // mla_decode.py:134
  rls_buf(PIPE_MTE1, cur_left_id, 0);                    // mla_decode.py:134
  rls_buf(PIPE_MTE1, 8, 0);                              // mla_decode.py:134
  get_buf(PIPE_MTE1, cur_right_id, 0);                   // mla_decode.py:135
  get_buf(PIPE_MTE1, l1_latent_t_ids[held], 0);          // mla_decode.py:135
  TEXTRACT(*cur_right, l1_latent_t[held], 256, 0);       // mla_decode.py:135
  rls_buf(PIPE_MTE1, cur_right_id, 0);                   // mla_decode.py:135
  rls_buf(PIPE_MTE1, l1_latent_t_ids[held], 0);          // mla_decode.py:135
  get_buf(PIPE_M, cur_acc_id, 0);                        // mla_decode.py:139
  get_buf(PIPE_M, cur_left_id, 0);                       // mla_decode.py:139
  get_buf(PIPE_M, cur_right_id, 0);                      // mla_decode.py:139
  TMATMUL_ACC(cur_acc, cur_acc, *cur_left, *cur_right);  // mla_decode.py:139
  rls_buf(PIPE_M, cur_acc_id, 0);                        // mla_decode.py:139
  rls_buf(PIPE_M, cur_left_id, 0);                       // mla_decode.py:139
  rls_buf(PIPE_M, cur_right_id, 0);                      // mla_decode.py:139
  l0_left_cursor = (l0_left_cursor + 1) % 2;             // mla_decode.py:132
  cur_left = &l0_left[l0_left_cursor];                   // mla_decode.py:132
  cur_left_id = l0_left_ids[l0_left_cursor];
  l0_right_cursor = (l0_right_cursor + 1) % 2;  // mla_decode.py:133
  cur_right = &l0_right[l0_right_cursor];       // mla_decode.py:133
  cur_right_id = l0_right_ids[l0_right_cursor];
  get_buf(PIPE_MTE1, cur_left_id, 0);                     // mla_decode.py:134
  get_buf(PIPE_MTE1, 8, 0);                               // mla_decode.py:134
  TEXTRACT(*cur_left, cur_q, 0, 384);                     // mla_decode.py:134
  rls_buf(PIPE_MTE1, cur_left_id, 0);                     // mla_decode.py:134
  rls_buf(PIPE_MTE1, 8, 0);                               // mla_decode.py:134
  get_buf(PIPE_MTE1, cur_right_id, 0);                    // mla_decode.py:135
  get_buf(PIPE_MTE1, l1_latent_t_ids[held], 0);           // mla_decode.py:135
  TEXTRACT(*cur_right, l1_latent_t[held], 384, 0);        // mla_decode.py:135
  rls_buf(PIPE_MTE1, cur_right_id, 0);                    // mla_decode.py:135
  rls_buf(PIPE_MTE1, l1_latent_t_ids[held], 0);           // mla_decode.py:135
  get_buf(PIPE_M, cur_acc_id, 0);                         // mla_decode.py:139
  get_buf(PIPE_M, cur_left_id, 0);                        // mla_decode.py:139
  get_buf(PIPE_M, cur_right_id, 0);                       // mla_decode.py:139
  TMATMUL_ACC(cur_acc, cur_acc, *cur_left, *cur_right);   // mla_decode.py:139
  rls_buf(PIPE_M, cur_acc_id, 0);                         // mla_decode.py:139
  rls_buf(PIPE_M, cur_left_id, 0);                        // mla_decode.py:139
  rls_buf(PIPE_M, cur_right_id, 0);                       // mla_decode.py:139
  l0_small_left_cursor = (l0_small_left_cursor + 1) % 2;  // mla_decode.py:140
  auto& rope_left = l0_small_left[l0_small_left_cursor];  // mla_decode.py:140
  const int64_t rope_left_id = l0_small_left_ids[l0_small_left_cursor];
  get_buf(PIPE_MTE1, rope_left_id, 0);                                                    // mla_decode.py:142
  get_buf(PIPE_MTE1, 9, 0);                                                               // mla_decode.py:142
  TMOV(rope_left, cur_q_rope);                                                            // mla_decode.py:142
  rls_buf(PIPE_MTE1, rope_left_id, 0);                                                    // mla_decode.py:142
  rls_buf(PIPE_MTE1, 9, 0);                                                               // mla_decode.py:142
  get_buf(PIPE_MTE1, 19, 0);                                                              // mla_decode.py:143
  get_buf(PIPE_MTE1, l1_rope_ids[held], 0);                                               // mla_decode.py:143
  TMOV(l0_small_right, l1_rope[held]);                                                    // mla_decode.py:143
  rls_buf(PIPE_MTE1, 19, 0);                                                              // mla_decode.py:143
  rls_buf(PIPE_MTE1, l1_rope_ids[held], 0);                                               // mla_decode.py:143
  get_buf(PIPE_M, cur_acc_id, 0);                                                         // mla_decode.py:144
  get_buf(PIPE_M, rope_left_id, 0);                                                       // mla_decode.py:144
  get_buf(PIPE_M, 19, 0);                                                                 // mla_decode.py:144
  TMATMUL_ACC(cur_acc, cur_acc, rope_left, l0_small_right);                               // mla_decode.py:144
  rls_buf(PIPE_M, cur_acc_id, 0);                                                         // mla_decode.py:144
  rls_buf(PIPE_M, rope_left_id, 0);                                                       // mla_decode.py:144
  rls_buf(PIPE_M, 19, 0);                                                                 // mla_decode.py:144
  get_buf(PIPE_FIX, cur_acc_id, 0);                                                       // mla_decode.py:145
  TMOV<VecFloat32x64, AccFloat64x64, AccToVecMode::DualModeSplitM>(cur_scores, cur_acc);  // mla_decode.py:145
  rls_buf(PIPE_FIX, cur_acc_id, 0);                                                       // mla_decode.py:145
}

// mla_decode.py:165
AICORE inline void compute_pv(int64_t tick, int& p_l1_cursor, MatHalf64x64 (&p_l1)[3], int& pv_cursor,
                              VecFloat32x512 (&pv)[2], int& l0_small_left_cursor, LeftHalf64x64 (&l0_small_left)[2],
                              int& l0_value_cursor, RightHalf64x128 (&l0_value)[2], int& acc_cursor,
                              AccFloat64x128 (&acc)[2], MatHalf64x512 (&l1_latent)[4]) {
  constexpr int64_t l0_small_left_ids[2] = {15, 16};
  constexpr int64_t l0_value_ids[2] = {17, 18};
  constexpr int64_t acc_ids[2] = {22, 23};
  constexpr int64_t l1_latent_ids[4] = {0, 1, 2, 3};

  p_l1_cursor = (p_l1_cursor + 1) % 3;                    // mla_decode.py:167
  auto& cur_p = p_l1[p_l1_cursor];                        // mla_decode.py:167
  pv_cursor = (pv_cursor + 1) % 2;                        // mla_decode.py:168
  auto& cur_pv = pv[pv_cursor];                           // mla_decode.py:168
  l0_small_left_cursor = (l0_small_left_cursor + 1) % 2;  // mla_decode.py:169
  auto& left = l0_small_left[l0_small_left_cursor];       // mla_decode.py:169
  const int64_t left_id = l0_small_left_ids[l0_small_left_cursor];
  get_buf(PIPE_MTE1, left_id, 0);                           // mla_decode.py:170
  TMOV(left, cur_p);                                        // mla_decode.py:170
  rls_buf(PIPE_MTE1, left_id, 0);                           // mla_decode.py:170
  l0_value_cursor = (l0_value_cursor + 1) % 2;              // mla_decode.py:172
  RightHalf64x128* cur_right = &l0_value[l0_value_cursor];  // mla_decode.py:172
  int64_t cur_right_id = l0_value_ids[l0_value_cursor];
  acc_cursor = (acc_cursor + 1) % 2;           // mla_decode.py:173
  AccFloat64x128* cur_acc = &acc[acc_cursor];  // mla_decode.py:173
  int64_t cur_acc_id = acc_ids[acc_cursor];
  get_buf(PIPE_MTE1, cur_right_id, 0);                                          // mla_decode.py:174
  get_buf(PIPE_MTE1, l1_latent_ids[floor_mod<int64_t>(tick, PAGES_HELD)], 0);   // mla_decode.py:174
  TEXTRACT(*cur_right, l1_latent[floor_mod<int64_t>(tick, PAGES_HELD)], 0, 0);  // mla_decode.py:174
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                          // mla_decode.py:174
  rls_buf(PIPE_MTE1, l1_latent_ids[floor_mod<int64_t>(tick, PAGES_HELD)], 0);   // mla_decode.py:174
  get_buf(PIPE_M, cur_acc_id, 0);                                               // mla_decode.py:175
  get_buf(PIPE_M, left_id, 0);                                                  // mla_decode.py:175
  get_buf(PIPE_M, cur_right_id, 0);                                             // mla_decode.py:175
  TMATMUL(*cur_acc, left, *cur_right);                                          // mla_decode.py:175
  rls_buf(PIPE_M, cur_acc_id, 0);                                               // mla_decode.py:175
  rls_buf(PIPE_M, left_id, 0);                                                  // mla_decode.py:175
  rls_buf(PIPE_M, cur_right_id, 0);                                             // mla_decode.py:175
  get_buf(PIPE_FIX, cur_acc_id, 0);                                             // mla_decode.py:176
  // mla_decode.py:176
  VecFloat32x512 cur_pv_view(min_of<int64_t>(32, cur_pv.GetValidRow()), min_of<int64_t>(128, cur_pv.GetValidCol()));
  TASSIGN(cur_pv_view, reinterpret_cast<uint64_t>(cur_pv.data()));
  TMOV<VecFloat32x512, AccFloat64x128, AccToVecMode::DualModeSplitM>(cur_pv_view, *cur_acc);
  rls_buf(PIPE_FIX, cur_acc_id, 0);             // mla_decode.py:176
  l0_value_cursor = (l0_value_cursor + 1) % 2;  // mla_decode.py:172
  cur_right = &l0_value[l0_value_cursor];       // mla_decode.py:172
  cur_right_id = l0_value_ids[l0_value_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // mla_decode.py:173
  cur_acc = &acc[acc_cursor];         // mla_decode.py:173
  cur_acc_id = acc_ids[acc_cursor];
  get_buf(PIPE_MTE1, cur_right_id, 0);                                            // mla_decode.py:174
  get_buf(PIPE_MTE1, l1_latent_ids[floor_mod<int64_t>(tick, PAGES_HELD)], 0);     // mla_decode.py:174
  TEXTRACT(*cur_right, l1_latent[floor_mod<int64_t>(tick, PAGES_HELD)], 0, 128);  // mla_decode.py:174
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                            // mla_decode.py:174
  rls_buf(PIPE_MTE1, l1_latent_ids[floor_mod<int64_t>(tick, PAGES_HELD)], 0);     // mla_decode.py:174
  get_buf(PIPE_M, cur_acc_id, 0);                                                 // mla_decode.py:175
  get_buf(PIPE_M, left_id, 0);                                                    // mla_decode.py:175
  get_buf(PIPE_M, cur_right_id, 0);                                               // mla_decode.py:175
  TMATMUL(*cur_acc, left, *cur_right);                                            // mla_decode.py:175
  rls_buf(PIPE_M, cur_acc_id, 0);                                                 // mla_decode.py:175
  rls_buf(PIPE_M, left_id, 0);                                                    // mla_decode.py:175
  rls_buf(PIPE_M, cur_right_id, 0);                                               // mla_decode.py:175
  get_buf(PIPE_FIX, cur_acc_id, 0);                                               // mla_decode.py:176
  // mla_decode.py:176
  VecFloat32x512 cur_pv_view_2(min_of<int64_t>(32, cur_pv.GetValidRow()),
                               min_of<int64_t>(256, cur_pv.GetValidCol()) - 128);
  TASSIGN(cur_pv_view_2, reinterpret_cast<uint64_t>(cur_pv.data()) + 0x200);
  TMOV<VecFloat32x512, AccFloat64x128, AccToVecMode::DualModeSplitM>(cur_pv_view_2, *cur_acc);
  rls_buf(PIPE_FIX, cur_acc_id, 0);             // mla_decode.py:176
  l0_value_cursor = (l0_value_cursor + 1) % 2;  // mla_decode.py:172
  cur_right = &l0_value[l0_value_cursor];       // mla_decode.py:172
  cur_right_id = l0_value_ids[l0_value_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // mla_decode.py:173
  cur_acc = &acc[acc_cursor];         // mla_decode.py:173
  cur_acc_id = acc_ids[acc_cursor];
  get_buf(PIPE_MTE1, cur_right_id, 0);                                            // mla_decode.py:174
  get_buf(PIPE_MTE1, l1_latent_ids[floor_mod<int64_t>(tick, PAGES_HELD)], 0);     // mla_decode.py:174
  TEXTRACT(*cur_right, l1_latent[floor_mod<int64_t>(tick, PAGES_HELD)], 0, 256);  // mla_decode.py:174
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                            // mla_decode.py:174
  rls_buf(PIPE_MTE1, l1_latent_ids[floor_mod<int64_t>(tick, PAGES_HELD)], 0);     // mla_decode.py:174
  get_buf(PIPE_M, cur_acc_id, 0);                                                 // mla_decode.py:175
  get_buf(PIPE_M, left_id, 0);                                                    // mla_decode.py:175
  get_buf(PIPE_M, cur_right_id, 0);                                               // mla_decode.py:175
  TMATMUL(*cur_acc, left, *cur_right);                                            // mla_decode.py:175
  rls_buf(PIPE_M, cur_acc_id, 0);                                                 // mla_decode.py:175
  rls_buf(PIPE_M, left_id, 0);                                                    // mla_decode.py:175
  rls_buf(PIPE_M, cur_right_id, 0);                                               // mla_decode.py:175
  get_buf(PIPE_FIX, cur_acc_id, 0);                                               // mla_decode.py:176
  // mla_decode.py:176
  VecFloat32x512 cur_pv_view_3(min_of<int64_t>(32, cur_pv.GetValidRow()),
                               min_of<int64_t>(384, cur_pv.GetValidCol()) - 256);
  TASSIGN(cur_pv_view_3, reinterpret_cast<uint64_t>(cur_pv.data()) + 0x400);
  TMOV<VecFloat32x512, AccFloat64x128, AccToVecMode::DualModeSplitM>(cur_pv_view_3, *cur_acc);
  rls_buf(PIPE_FIX, cur_acc_id, 0);             // mla_decode.py:176
  l0_value_cursor = (l0_value_cursor + 1) % 2;  // mla_decode.py:172
  cur_right = &l0_value[l0_value_cursor];       // mla_decode.py:172
  cur_right_id = l0_value_ids[l0_value_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // mla_decode.py:173
  cur_acc = &acc[acc_cursor];         // mla_decode.py:173
  cur_acc_id = acc_ids[acc_cursor];
  get_buf(PIPE_MTE1, cur_right_id, 0);                                            // mla_decode.py:174
  get_buf(PIPE_MTE1, l1_latent_ids[floor_mod<int64_t>(tick, PAGES_HELD)], 0);     // mla_decode.py:174
  TEXTRACT(*cur_right, l1_latent[floor_mod<int64_t>(tick, PAGES_HELD)], 0, 384);  // mla_decode.py:174
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                            // mla_decode.py:174
  rls_buf(PIPE_MTE1, l1_latent_ids[floor_mod<int64_t>(tick, PAGES_HELD)], 0);     // mla_decode.py:174
  get_buf(PIPE_M, cur_acc_id, 0);                                                 // mla_decode.py:175
  get_buf(PIPE_M, left_id, 0);                                                    // mla_decode.py:175
  get_buf(PIPE_M, cur_right_id, 0);                                               // mla_decode.py:175
  TMATMUL(*cur_acc, left, *cur_right);                                            // mla_decode.py:175
  rls_buf(PIPE_M, cur_acc_id, 0);                                                 // mla_decode.py:175
  rls_buf(PIPE_M, left_id, 0);                                                    // mla_decode.py:175
  rls_buf(PIPE_M, cur_right_id, 0);                                               // mla_decode.py:175
  get_buf(PIPE_FIX, cur_acc_id, 0);                                               // mla_decode.py:176
  // mla_decode.py:176
  VecFloat32x512 cur_pv_view_4(min_of<int64_t>(32, cur_pv.GetValidRow()),
                               min_of<int64_t>(512, cur_pv.GetValidCol()) - 384);
  TASSIGN(cur_pv_view_4, reinterpret_cast<uint64_t>(cur_pv.data()) + 0x600);
  TMOV<VecFloat32x512, AccFloat64x128, AccToVecMode::DualModeSplitM>(cur_pv_view_4, *cur_acc);
  rls_buf(PIPE_FIX, cur_acc_id, 0);  // mla_decode.py:176
}

// mla_decode.py:201
AICORE inline void mla_decode_impl_cube(__gm__ half* q, __gm__ half* q_rope, __gm__ half* latent, __gm__ half* rope,
                                        __gm__ int32_t* pages, __gm__ int32_t* lengths, int64_t q_shape0,
                                        int64_t pages_shape1, int64_t lengths_shape0) {
  // Vec (UB)
  VecFloat32x64 scores[2] = {{32, 64}, {32, 64}};  // 0x00000..0x01fff, 0x02000..0x03fff
  TASSIGN(scores[0], 0x0);
  TASSIGN(scores[1], 0x2000);
  VecFloat32x512 pv[2] = {{32, 512}, {32, 512}};  // 0x04000..0x13fff, 0x14000..0x23fff
  TASSIGN(pv[0], 0x4000);
  TASSIGN(pv[1], 0x14000);
  // Mat (L1)
  MatHalf64x512 q_l1(64, 512);  // 0x48000..0x57fff
  TASSIGN(q_l1, 0x48000);
  MatHalf64x64 q_rope_l1(64, 64);  // 0x58000..0x59fff
  TASSIGN(q_rope_l1, 0x58000);
  // 0x00000..0x0ffff, 0x10000..0x1ffff, 0x20000..0x2ffff, 0x30000..0x3ffff
  MatHalf64x512 l1_latent[4] = {{64, 512}, {64, 512}, {64, 512}, {64, 512}};
  TASSIGN(l1_latent[0], 0x0);
  TASSIGN(l1_latent[1], 0x10000);
  TASSIGN(l1_latent[2], 0x20000);
  TASSIGN(l1_latent[3], 0x30000);
  // 0x40000..0x41fff, 0x42000..0x43fff, 0x44000..0x45fff, 0x46000..0x47fff
  MatHalf64x64ZN l1_rope[4] = {{64, 64}, {64, 64}, {64, 64}, {64, 64}};
  TASSIGN(l1_rope[0], 0x40000);
  TASSIGN(l1_rope[1], 0x42000);
  TASSIGN(l1_rope[2], 0x44000);
  TASSIGN(l1_rope[3], 0x46000);
  // 0x00000..0x0ffff, 0x10000..0x1ffff, 0x20000..0x2ffff, 0x30000..0x3ffff
  MatHalf512x64ZN l1_latent_t[4] = {{512, 64}, {512, 64}, {512, 64}, {512, 64}};
  TASSIGN(l1_latent_t[0], 0x0);
  TASSIGN(l1_latent_t[1], 0x10000);
  TASSIGN(l1_latent_t[2], 0x20000);
  TASSIGN(l1_latent_t[3], 0x30000);
  MatHalf64x64 p_l1[3] = {{64, 64}, {64, 64}, {64, 64}};  // 0x5a000..0x5bfff, 0x5c000..0x5dfff, 0x5e000..0x5ffff
  TASSIGN(p_l1[0], 0x5a000);
  TASSIGN(p_l1[1], 0x5c000);
  TASSIGN(p_l1[2], 0x5e000);
  // Left (L0A)
  LeftHalf64x128 l0_left[2] = {{64, 128}, {64, 128}};  // 0x00000..0x03fff, 0x04000..0x07fff
  TASSIGN(l0_left[0], 0x0);
  TASSIGN(l0_left[1], 0x4000);
  LeftHalf64x64 l0_small_left[2] = {{64, 64}, {64, 64}};  // 0x08000..0x09fff, 0x0a000..0x0bfff
  TASSIGN(l0_small_left[0], 0x8000);
  TASSIGN(l0_small_left[1], 0xa000);
  // Right (L0B)
  RightHalf128x64 l0_right[2] = {{128, 64}, {128, 64}};  // 0x00000..0x03fff, 0x04000..0x07fff
  TASSIGN(l0_right[0], 0x0);
  TASSIGN(l0_right[1], 0x4000);
  RightHalf64x64 l0_small_right(64, 64);  // 0x08000..0x09fff
  TASSIGN(l0_small_right, 0x8000);
  RightHalf64x128 l0_value[2] = {{64, 128}, {64, 128}};  // 0x00000..0x03fff, 0x04000..0x07fff
  TASSIGN(l0_value[0], 0x0);
  TASSIGN(l0_value[1], 0x4000);
  // Acc (L0C)
  AccFloat64x64 scores_acc[2] = {{64, 64}, {64, 64}};  // 0x00000..0x03fff, 0x04000..0x07fff
  TASSIGN(scores_acc[0], 0x0);
  TASSIGN(scores_acc[1], 0x4000);
  AccFloat64x128 pv_acc[2] = {{64, 128}, {64, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(pv_acc[0], 0x10000);
  TASSIGN(pv_acc[1], 0x18000);
  int scores_acc_cursor = 1;
  int scores_cursor = 1;
  int l0_left_cursor = 1;
  int l0_right_cursor = 1;
  int l0_small_left_cursor = 1;
  int p_l1_cursor = 2;
  int pv_cursor = 1;
  int l0_value_cursor = 1;
  int pv_acc_cursor = 1;

  const int32_t core = static_cast<int32_t>(get_block_idx());         // mla_decode.py:262
  const int64_t tasks = q_shape0 / HEADS;                             // mla_decode.py:265
  const int64_t groups = tasks / lengths_shape0;                      // mla_decode.py:266
  int64_t tick = 0;                                                   // mla_decode.py:267
  int64_t _pl_task = 0;                                               // mla_decode.py:268
  for (int64_t work = core; work < tasks; work += get_block_num()) {  // mla_decode.py:268
    const int64_t sequence = work / groups;                           // mla_decode.py:269
    const int32_t length = lengths[sequence];                         // mla_decode.py:270
    const int64_t last = floor_div<int64_t>(length - 1LL, PAGE);      // mla_decode.py:273
    for (int64_t number = 0; number < last + 1; ++number) {           // mla_decode.py:274
      const int32_t page = pages[sequence * pages_shape1 + number];   // mla_decode.py:275
      int64_t _pl_mod2 = _pl_task % 2;                                // mla_decode.py:278
      wait_intra_block(PIPE_FIX, _pl_mod2);                           // mla_decode.py:278
      wait_intra_block(PIPE_FIX, _pl_mod2 + 16);
      // mla_decode.py:278
      compute_qk(work, page, number, tick, scores_acc_cursor, scores_acc, scores_cursor, scores, q_l1, q, q_rope_l1,
                 q_rope, l1_latent, latent, l1_rope, rope, l0_left_cursor, l0_left, l0_right_cursor, l0_right,
                 l1_latent_t, l0_small_left_cursor, l0_small_left, l0_small_right);
      set_intra_block(PIPE_FIX, _pl_mod2);  // mla_decode.py:278
      set_intra_block(PIPE_FIX, _pl_mod2 + 16);
      if (_pl_task >= 2) {                                    // mla_decode.py:284
        _pl_mod2 = _pl_task % 2;                              // mla_decode.py:284
        wait_intra_block(PIPE_MTE1, 4 + (_pl_task + 1) % 3);  // mla_decode.py:284
        wait_intra_block(PIPE_MTE1, 4 + (_pl_task + 1) % 3 + 16);
        wait_intra_block(PIPE_FIX, 2 + _pl_mod2);  // mla_decode.py:284
        wait_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
        // mla_decode.py:284
        compute_pv(_pl_task - 2, p_l1_cursor, p_l1, pv_cursor, pv, l0_small_left_cursor, l0_small_left, l0_value_cursor,
                   l0_value, pv_acc_cursor, pv_acc, l1_latent);
        set_intra_block(PIPE_FIX, 2 + _pl_mod2);  // mla_decode.py:284
        set_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
      }
      _pl_task += 1;  // mla_decode.py:285
      tick += 1;      // mla_decode.py:287
    }
  }
  for (int64_t _pl_drain = 0; _pl_drain < 2; ++_pl_drain) {  // mla_decode.py:268
    const int64_t _pl_beat = _pl_task + _pl_drain;           // mla_decode.py:268
    if (_pl_beat >= 2) {                                     // mla_decode.py:268
      const int64_t _pl_mod2 = _pl_beat % 2;                 // mla_decode.py:268
      wait_intra_block(PIPE_MTE1, 4 + (_pl_beat + 1) % 3);   // mla_decode.py:268
      wait_intra_block(PIPE_MTE1, 4 + (_pl_beat + 1) % 3 + 16);
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2);  // mla_decode.py:268
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
      // mla_decode.py:268
      compute_pv(_pl_beat - 2, p_l1_cursor, p_l1, pv_cursor, pv, l0_small_left_cursor, l0_small_left, l0_value_cursor,
                 l0_value, pv_acc_cursor, pv_acc, l1_latent);
      set_intra_block(PIPE_FIX, 2 + _pl_mod2);  // mla_decode.py:268
      set_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
    }
  }
  wait_intra_block(PIPE_FIX, 0);  // mla_decode.py:268
  wait_intra_block(PIPE_FIX, 16);
  wait_intra_block(PIPE_FIX, 1);  // mla_decode.py:268
  wait_intra_block(PIPE_FIX, 17);
  wait_intra_block(PIPE_FIX, 2);  // mla_decode.py:268
  wait_intra_block(PIPE_FIX, 18);
  wait_intra_block(PIPE_FIX, 3);  // mla_decode.py:268
  wait_intra_block(PIPE_FIX, 19);
}

#endif  // __DAV_CUBE__

#if defined(__DAV_VEC__)
constexpr float LOWEST = -3e38f;
constexpr int64_t P_ROWS = 33;
constexpr int64_t HANDED_ON = 4;
constexpr int64_t HALF = 32;

using VecFloat1x32 = Tile<TileType::Vec, float, 1, 32, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat32x64 = Tile<TileType::Vec, float, 32, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecHalf33x64 = Tile<TileType::Vec, half, 33, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using MatHalf64x64 = Tile<TileType::Mat, half, 64, 64, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using VecHalf33x64NZValid32x64 = Tile<TileType::Vec, half, 33, 64, BLayout::ColMajor, 32, 64, SLayout::RowMajor, 512>;
using VecFloat32x512 = Tile<TileType::Vec, float, 32, 512, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

struct PlTask {
  int64_t work;
  int64_t number;
  int64_t last;
};

AICORE inline void start(VecFloat1x32& maximum, VecFloat1x32& total) {  // mla_decode.py:58
  __ubuf__ float* maximum_ptr = (__ubuf__ float*)maximum.data();        // mla_decode.py:61
  __ubuf__ float* total_ptr = (__ubuf__ float*)total.data();            // mla_decode.py:62
  __VEC_SCOPE__ {
    MaskReg heads;
    RegTensor<float> reg, reg_2;
    heads = pset_b32(PAT_VL32);                  // mla_decode.py:60
    vbr(reg, LOWEST);                            // mla_decode.py:61
    vsts(reg, maximum_ptr, 0, NORM_B32, heads);  // mla_decode.py:61
    vbr(reg_2, 0.0f);                            // mla_decode.py:62
    vsts(reg_2, total_ptr, 0, NORM_B32, heads);  // mla_decode.py:62
  };
}

// mla_decode.py:66
AICORE inline void softmax_heads(VecFloat32x64& scores, VecHalf33x64& p, VecFloat1x32& maximum, VecFloat1x32& total,
                                 VecFloat1x32& correction, VecFloat1x32& sums, float scale, int64_t tokens) {
  __ubuf__ float* scores_ptr = (__ubuf__ float*)scores.data();          // mla_decode.py:77
  __ubuf__ float* maximum_ptr = (__ubuf__ float*)maximum.data();        // mla_decode.py:78
  __ubuf__ float* total_ptr = (__ubuf__ float*)total.data();            // mla_decode.py:83
  __ubuf__ float* correction_ptr = (__ubuf__ float*)correction.data();  // mla_decode.py:86
  __ubuf__ float* sums_ptr = (__ubuf__ float*)sums.data();              // mla_decode.py:88
  __ubuf__ half* p_ptr = (__ubuf__ half*)p.data();                      // mla_decode.py:92
  __ubuf__ half* p_store = p_ptr;
  __VEC_SCOPE__ {
    MaskReg every, present, page;
    RegTensor<float> reg, x, old_max, reg_2, reg_3, new_max, factor, new_total, reg_4;
    RegTensor<half> spread, packed, _;
    every = pset_b32(PAT_ALL);                              // mla_decode.py:72
    uint32_t present_left = static_cast<uint32_t>(tokens);  // mla_decode.py:73
    present = plt_b32(present_left, POST_UPDATE);
    page = pset_b16(PAT_VL64);                                               // mla_decode.py:74
    for (uint16_t head = 0; head < 32; ++head) {                             // mla_decode.py:76
      vlds(reg, scores_ptr, head * 64, NORM);                                // mla_decode.py:77
      vmuls(x, reg, scale, every, MODE_ZEROING);                             // mla_decode.py:77
      vlds(old_max, maximum_ptr, head, BRC_B32);                             // mla_decode.py:78
      vcmax(reg_2, x, present, MODE_ZEROING);                                // mla_decode.py:79
      vdup(reg_3, reg_2, every, POS_LOWEST, MODE_ZEROING);                   // mla_decode.py:79
      vmax(new_max, old_max, reg_3, every, MODE_ZEROING);                    // mla_decode.py:79
      vexpdif(factor, old_max, new_max, every, PART_EVEN);                   // mla_decode.py:80
      vexpdif(x, x, new_max, present, PART_EVEN);                            // mla_decode.py:81
      vlds(new_total, total_ptr, head, BRC_B32);                             // mla_decode.py:83
      vcadd(reg_4, x, present, MODE_ZEROING);                                // mla_decode.py:84
      vmadd(new_total, factor, reg_4, every, MODE_ZEROING);                  // mla_decode.py:84
      vsts(new_max, maximum_ptr, head, ONEPT_B32, every);                    // mla_decode.py:85
      vsts(factor, correction_ptr, head, ONEPT_B32, every);                  // mla_decode.py:86
      vsts(new_total, total_ptr, head, ONEPT_B32, every);                    // mla_decode.py:87
      vsts(new_total, sums_ptr, head, ONEPT_B32, every);                     // mla_decode.py:88
      vcvt(spread, x, every, ROUND_R, RS_DISABLE, PART_EVEN, MODE_ZEROING);  // mla_decode.py:90
      vdintlv(packed, _, spread, spread);                                    // mla_decode.py:91
      // mla_decode.py:92
      vsstb(packed, p_store, (static_cast<uint32_t>(P_ROWS) << 16u) | (1 & 0xFFFFU), page, POST_UPDATE);
    }
  };
}

// mla_decode.py:149
AICORE inline void compute_p(int64_t number, int64_t tokens, int64_t tick, float scale, int& scores_cursor,
                             VecFloat32x64 (&scores)[2], int& p_l1_cursor, MatHalf64x64 (&p_l1)[3],
                             VecFloat1x32& maximum, VecFloat1x32& total, VecHalf33x64& p_ub,
                             VecFloat1x32 (&correction)[4], VecFloat1x32 (&sums)[4], VecHalf33x64NZValid32x64& p_nz) {
  scores_cursor = (scores_cursor + 1) % 2;   // mla_decode.py:151
  auto& cur_scores = scores[scores_cursor];  // mla_decode.py:151
  p_l1_cursor = (p_l1_cursor + 1) % 3;       // mla_decode.py:154
  auto& cur_l1 = p_l1[p_l1_cursor];          // mla_decode.py:154
  if (number == 0) {                         // mla_decode.py:157
    start(maximum, total);                   // mla_decode.py:158
  }
  const int64_t handed_on = tick % HANDED_ON;  // mla_decode.py:159
  get_buf(PIPE_V, 5, 0);                       // mla_decode.py:160
  // mla_decode.py:160
  softmax_heads(cur_scores, p_ub, maximum, total, correction[handed_on], sums[handed_on], scale, tokens);
  rls_buf(PIPE_V, 5, 0);                              // mla_decode.py:160
  get_buf(PIPE_MTE3, 5, 0);                           // mla_decode.py:161
  TINSERT(cur_l1, p_nz, get_subblockid() * HALF, 0);  // mla_decode.py:161
  rls_buf(PIPE_MTE3, 5, 0);                           // mla_decode.py:161
}

AICORE inline void rescale(VecFloat32x512& output, VecFloat32x512& pv, VecFloat1x32& correction) {  // mla_decode.py:98
  __ubuf__ float* correction_ptr = (__ubuf__ float*)correction.data();                              // mla_decode.py:102
  __ubuf__ float* output_ptr = (__ubuf__ float*)output.data();                                      // mla_decode.py:104
  __ubuf__ float* pv_ptr = (__ubuf__ float*)pv.data();                                              // mla_decode.py:105
  __VEC_SCOPE__ {
    MaskReg every;
    RegTensor<float> factor, x, reg, reg_2, reg_3, reg_4, reg_5, reg_6, reg_7, reg_8;
    every = pset_b32(PAT_ALL);                                 // mla_decode.py:100
    for (uint16_t head = 0; head < 32; ++head) {               // mla_decode.py:101
      vlds(factor, correction_ptr, head, BRC_B32);             // mla_decode.py:102
      vlds(x, output_ptr, head * 512, NORM);                   // mla_decode.py:104
      vlds(reg, pv_ptr, head * 512, NORM);                     // mla_decode.py:105
      vmadd(x, factor, reg, every, MODE_ZEROING);              // mla_decode.py:105
      vsts(x, output_ptr, head * 512, NORM_B32, every);        // mla_decode.py:106
      vlds(x, output_ptr, head * 512 + 64, NORM);              // mla_decode.py:104
      vlds(reg_2, pv_ptr, head * 512 + 64, NORM);              // mla_decode.py:105
      vmadd(x, factor, reg_2, every, MODE_ZEROING);            // mla_decode.py:105
      vsts(x, output_ptr, head * 512 + 64, NORM_B32, every);   // mla_decode.py:106
      vlds(x, output_ptr, head * 512 + 128, NORM);             // mla_decode.py:104
      vlds(reg_3, pv_ptr, head * 512 + 128, NORM);             // mla_decode.py:105
      vmadd(x, factor, reg_3, every, MODE_ZEROING);            // mla_decode.py:105
      vsts(x, output_ptr, head * 512 + 128, NORM_B32, every);  // mla_decode.py:106
      vlds(x, output_ptr, head * 512 + 192, NORM);             // mla_decode.py:104
      vlds(reg_4, pv_ptr, head * 512 + 192, NORM);             // mla_decode.py:105
      vmadd(x, factor, reg_4, every, MODE_ZEROING);            // mla_decode.py:105
      vsts(x, output_ptr, head * 512 + 192, NORM_B32, every);  // mla_decode.py:106
      vlds(x, output_ptr, head * 512 + 256, NORM);             // mla_decode.py:104
      vlds(reg_5, pv_ptr, head * 512 + 256, NORM);             // mla_decode.py:105
      vmadd(x, factor, reg_5, every, MODE_ZEROING);            // mla_decode.py:105
      vsts(x, output_ptr, head * 512 + 256, NORM_B32, every);  // mla_decode.py:106
      vlds(x, output_ptr, head * 512 + 320, NORM);             // mla_decode.py:104
      vlds(reg_6, pv_ptr, head * 512 + 320, NORM);             // mla_decode.py:105
      vmadd(x, factor, reg_6, every, MODE_ZEROING);            // mla_decode.py:105
      vsts(x, output_ptr, head * 512 + 320, NORM_B32, every);  // mla_decode.py:106
      vlds(x, output_ptr, head * 512 + 384, NORM);             // mla_decode.py:104
      vlds(reg_7, pv_ptr, head * 512 + 384, NORM);             // mla_decode.py:105
      vmadd(x, factor, reg_7, every, MODE_ZEROING);            // mla_decode.py:105
      vsts(x, output_ptr, head * 512 + 384, NORM_B32, every);  // mla_decode.py:106
      vlds(x, output_ptr, head * 512 + 448, NORM);             // mla_decode.py:104
      vlds(reg_8, pv_ptr, head * 512 + 448, NORM);             // mla_decode.py:105
      vmadd(x, factor, reg_8, every, MODE_ZEROING);            // mla_decode.py:105
      vsts(x, output_ptr, head * 512 + 448, NORM_B32, every);  // mla_decode.py:106
    }
  };
}

AICORE inline void normalise(VecFloat32x512& output, VecFloat1x32& sums) {  // mla_decode.py:110
  __ubuf__ float* sums_ptr = (__ubuf__ float*)sums.data();                  // mla_decode.py:114
  __ubuf__ float* output_ptr = (__ubuf__ float*)output.data();              // mla_decode.py:116
  __VEC_SCOPE__ {
    MaskReg every;
    RegTensor<float> total, x, reg, reg_2, reg_3, reg_4, reg_5, reg_6, reg_7, reg_8;
    every = pset_b32(PAT_ALL);                                     // mla_decode.py:112
    for (uint16_t head = 0; head < 32; ++head) {                   // mla_decode.py:113
      vlds(total, sums_ptr, head, BRC_B32);                        // mla_decode.py:114
      vlds(x, output_ptr, head * 512, NORM);                       // mla_decode.py:116
      vdiv(reg, x, total, every, MODE_ZEROING);                    // mla_decode.py:117
      vsts(reg, output_ptr, head * 512, NORM_B32, every);          // mla_decode.py:117
      vlds(x, output_ptr, head * 512 + 64, NORM);                  // mla_decode.py:116
      vdiv(reg_2, x, total, every, MODE_ZEROING);                  // mla_decode.py:117
      vsts(reg_2, output_ptr, head * 512 + 64, NORM_B32, every);   // mla_decode.py:117
      vlds(x, output_ptr, head * 512 + 128, NORM);                 // mla_decode.py:116
      vdiv(reg_3, x, total, every, MODE_ZEROING);                  // mla_decode.py:117
      vsts(reg_3, output_ptr, head * 512 + 128, NORM_B32, every);  // mla_decode.py:117
      vlds(x, output_ptr, head * 512 + 192, NORM);                 // mla_decode.py:116
      vdiv(reg_4, x, total, every, MODE_ZEROING);                  // mla_decode.py:117
      vsts(reg_4, output_ptr, head * 512 + 192, NORM_B32, every);  // mla_decode.py:117
      vlds(x, output_ptr, head * 512 + 256, NORM);                 // mla_decode.py:116
      vdiv(reg_5, x, total, every, MODE_ZEROING);                  // mla_decode.py:117
      vsts(reg_5, output_ptr, head * 512 + 256, NORM_B32, every);  // mla_decode.py:117
      vlds(x, output_ptr, head * 512 + 320, NORM);                 // mla_decode.py:116
      vdiv(reg_6, x, total, every, MODE_ZEROING);                  // mla_decode.py:117
      vsts(reg_6, output_ptr, head * 512 + 320, NORM_B32, every);  // mla_decode.py:117
      vlds(x, output_ptr, head * 512 + 384, NORM);                 // mla_decode.py:116
      vdiv(reg_7, x, total, every, MODE_ZEROING);                  // mla_decode.py:117
      vsts(reg_7, output_ptr, head * 512 + 384, NORM_B32, every);  // mla_decode.py:117
      vlds(x, output_ptr, head * 512 + 448, NORM);                 // mla_decode.py:116
      vdiv(reg_8, x, total, every, MODE_ZEROING);                  // mla_decode.py:117
      vsts(reg_8, output_ptr, head * 512 + 448, NORM_B32, every);  // mla_decode.py:117
    }
  };
}

// mla_decode.py:182
AICORE inline void compute_gu(int64_t work, int64_t number, int64_t last, int64_t tick, int& pv_cursor,
                              VecFloat32x512 (&pv)[2], VecFloat32x512& output, VecFloat1x32 (&correction)[4],
                              VecFloat1x32 (&sums)[4], __gm__ float* out) {
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 512, 1>> out_gm(out);

  pv_cursor = (pv_cursor + 1) % 2;  // mla_decode.py:184
  auto& cur_pv = pv[pv_cursor];     // mla_decode.py:184
  if (number == 0) {                // mla_decode.py:186
    get_buf(PIPE_V, 4, 0);          // mla_decode.py:187
    TMOV(output, cur_pv);           // mla_decode.py:187
    rls_buf(PIPE_V, 4, 0);          // mla_decode.py:187
  } else {
    get_buf(PIPE_V, 4, 0);                                                     // mla_decode.py:189
    rescale(output, cur_pv, correction[floor_mod<int64_t>(tick, HANDED_ON)]);  // mla_decode.py:189
    rls_buf(PIPE_V, 4, 0);                                                     // mla_decode.py:189
  }
  if (number == last) {                                                 // mla_decode.py:190
    get_buf(PIPE_V, 4, 0);                                              // mla_decode.py:191
    normalise(output, sums[floor_mod<int64_t>(tick, HANDED_ON)]);       // mla_decode.py:191
    rls_buf(PIPE_V, 4, 0);                                              // mla_decode.py:191
    get_buf(PIPE_MTE3, 4, 0);                                           // mla_decode.py:192
    out_gm.SetShape<3, 4>(output.GetValidRow(), output.GetValidCol());  // mla_decode.py:192
    TASSIGN(out_gm, out + (work * HEADS + get_subblockid() * HALF) * 512);
    TSTORE(out_gm, output);
    rls_buf(PIPE_MTE3, 4, 0);  // mla_decode.py:192
  }
}

// mla_decode.py:201
AICORE inline void mla_decode_impl_vector(__gm__ int32_t* lengths, __gm__ float* out, float scale, int64_t q_shape0,
                                          int64_t lengths_shape0) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat32x64 scores[2] = {{32, 64}, {32, 64}};  // 0x00000..0x01fff, 0x02000..0x03fff
  TASSIGN(scores[0], 0x0);
  TASSIGN(scores[1], 0x2000);
  VecFloat1x32 maximum(1, 32);  // 0x36000..0x3607f
  TASSIGN(maximum, 0x36000);
  VecFloat1x32 total(1, 32);  // 0x36100..0x3617f
  TASSIGN(total, 0x36100);
  VecHalf33x64 p_ub(33, 64);  // 0x34000..0x3507f
  TASSIGN(p_ub, 0x34000);
  // 0x36200..0x3627f, 0x36280..0x362ff, 0x36300..0x3637f, 0x36380..0x363ff
  VecFloat1x32 correction[4] = {{1, 32}, {1, 32}, {1, 32}, {1, 32}};
  TASSIGN(correction[0], 0x36200);
  TASSIGN(correction[1], 0x36280);
  TASSIGN(correction[2], 0x36300);
  TASSIGN(correction[3], 0x36380);
  // 0x36600..0x3667f, 0x36680..0x366ff, 0x36700..0x3677f, 0x36780..0x367ff
  VecFloat1x32 sums[4] = {{1, 32}, {1, 32}, {1, 32}, {1, 32}};
  TASSIGN(sums[0], 0x36600);
  TASSIGN(sums[1], 0x36680);
  TASSIGN(sums[2], 0x36700);
  TASSIGN(sums[3], 0x36780);
  VecHalf33x64NZValid32x64 p_nz;  // 0x34000..0x3507f
  TASSIGN(p_nz, 0x34000);
  VecFloat32x512 pv[2] = {{32, 512}, {32, 512}};  // 0x04000..0x13fff, 0x14000..0x23fff
  TASSIGN(pv[0], 0x4000);
  TASSIGN(pv[1], 0x14000);
  VecFloat32x512 output(32, 512);  // 0x24000..0x33fff
  TASSIGN(output, 0x24000);
  // Mat (L1)
  MatHalf64x64 p_l1[3] = {{64, 64}, {64, 64}, {64, 64}};  // 0x5a000..0x5bfff, 0x5c000..0x5dfff, 0x5e000..0x5ffff
  TASSIGN(p_l1[0], 0x5a000);
  TASSIGN(p_l1[1], 0x5c000);
  TASSIGN(p_l1[2], 0x5e000);
  int scores_cursor = 1;
  int p_l1_cursor = 2;
  int pv_cursor = 1;

  // mla_decode.py:262
  const int32_t core = static_cast<int32_t>(get_block_idx() * get_subblockdim() + get_subblockid());
  const int64_t core_2 = core / 2;                // mla_decode.py:264
  const int64_t tasks = q_shape0 / HEADS;         // mla_decode.py:265
  const int64_t groups = tasks / lengths_shape0;  // mla_decode.py:266
  int64_t tick = 0;                               // mla_decode.py:267
  PlTask _pl_ring[3] = {};                        // mla_decode.py:268
  for (PlTask& item : _pl_ring) item = {0, 0, 0};
  int64_t _pl_task = 0;                                                 // mla_decode.py:268
  set_intra_block(PIPE_V, 0);                                           // mla_decode.py:268
  set_intra_block(PIPE_V, 1);                                           // mla_decode.py:268
  set_intra_block(PIPE_V, 2);                                           // mla_decode.py:268
  set_intra_block(PIPE_V, 3);                                           // mla_decode.py:268
  for (int64_t work = core_2; work < tasks; work += get_block_num()) {  // mla_decode.py:268
    const int64_t sequence = work / groups;                             // mla_decode.py:269
    const int32_t length = lengths[sequence];                           // mla_decode.py:270
    const int64_t last = floor_div<int64_t>(length - 1LL, PAGE);        // mla_decode.py:273
    for (int64_t number = 0; number < last + 1; ++number) {             // mla_decode.py:274
      const int64_t tokens = length - number * PAGE;                    // mla_decode.py:276
      int64_t _pl_mod2 = _pl_task % 2;                                  // mla_decode.py:282
      int64_t _pl_mod3 = _pl_task % 3;                                  // mla_decode.py:282
      _pl_ring[_pl_mod3].work = work;                                   // mla_decode.py:282
      _pl_ring[_pl_mod3].number = number;                               // mla_decode.py:282
      _pl_ring[_pl_mod3].last = last;                                   // mla_decode.py:282
      wait_intra_block(PIPE_V, _pl_mod2);                               // mla_decode.py:282
      // mla_decode.py:282
      compute_p(number, tokens, tick, scale, scores_cursor, scores, p_l1_cursor, p_l1, maximum, total, p_ub, correction,
                sums, p_nz);
      set_intra_block(PIPE_V, _pl_mod2);         // mla_decode.py:282
      set_intra_block(PIPE_MTE3, 4 + _pl_mod3);  // mla_decode.py:282
      if (_pl_task >= 2) {                       // mla_decode.py:286
        _pl_mod2 = _pl_task % 2;                 // mla_decode.py:286
        _pl_mod3 = (_pl_task + 1) % 3;           // mla_decode.py:286
        wait_intra_block(PIPE_V, 2 + _pl_mod2);  // mla_decode.py:286
        // mla_decode.py:286
        compute_gu(_pl_ring[_pl_mod3].work, _pl_ring[_pl_mod3].number, _pl_ring[_pl_mod3].last, _pl_task - 2, pv_cursor,
                   pv, output, correction, sums, out);
        set_intra_block(PIPE_V, 2 + _pl_mod2);  // mla_decode.py:286
      }
      _pl_task += 1;  // mla_decode.py:285
      tick += 1;      // mla_decode.py:287
    }
  }
  for (int64_t _pl_drain = 0; _pl_drain < 2; ++_pl_drain) {  // mla_decode.py:268
    const int64_t _pl_beat = _pl_task + _pl_drain;           // mla_decode.py:268
    if (_pl_beat >= 2) {                                     // mla_decode.py:268
      const int64_t _pl_mod2 = _pl_beat % 2;                 // mla_decode.py:268
      const int64_t _pl_mod3 = (_pl_beat + 1) % 3;           // mla_decode.py:268
      wait_intra_block(PIPE_V, 2 + _pl_mod2);                // mla_decode.py:268
      // mla_decode.py:268
      compute_gu(_pl_ring[_pl_mod3].work, _pl_ring[_pl_mod3].number, _pl_ring[_pl_mod3].last, _pl_beat - 2, pv_cursor,
                 pv, output, correction, sums, out);
      set_intra_block(PIPE_V, 2 + _pl_mod2);  // mla_decode.py:268
    }
  }
}

#endif  // __DAV_VEC__

AICORE inline void mla_decode_impl([[maybe_unused]] __gm__ half* q, [[maybe_unused]] __gm__ half* q_rope,
                                   [[maybe_unused]] __gm__ half* latent, [[maybe_unused]] __gm__ half* rope,
                                   [[maybe_unused]] __gm__ int32_t* pages, __gm__ int32_t* lengths,
                                   [[maybe_unused]] __gm__ float* out, [[maybe_unused]] float scale, int64_t q_shape0,
                                   [[maybe_unused]] int64_t q_rope_shape0, [[maybe_unused]] int64_t latent_shape0,
                                   [[maybe_unused]] int64_t rope_shape0, [[maybe_unused]] int64_t pages_shape0,
                                   [[maybe_unused]] int64_t pages_shape1, int64_t lengths_shape0,
                                   [[maybe_unused]] int64_t out_shape0) {
#if defined(__DAV_CUBE__)
  mla_decode_impl_cube(q, q_rope, latent, rope, pages, lengths, q_shape0, pages_shape1, lengths_shape0);
#endif
#if defined(__DAV_VEC__)
  mla_decode_impl_vector(lengths, out, scale, q_shape0, lengths_shape0);
#endif
}

extern "C" __global__ AICORE void mla_decode(__gm__ half* q, __gm__ half* q_rope, __gm__ half* latent,
                                             __gm__ half* rope, __gm__ int32_t* pages, __gm__ int32_t* lengths,
                                             __gm__ float* out, float scale, int64_t q_shape0, int64_t q_rope_shape0,
                                             int64_t latent_shape0, int64_t rope_shape0, int64_t pages_shape0,
                                             int64_t pages_shape1, int64_t lengths_shape0, int64_t out_shape0) {
  mla_decode_impl(q, q_rope, latent, rope, pages, lengths, out, scale, q_shape0, q_rope_shape0, latent_shape0,
                  rope_shape0, pages_shape0, pages_shape1, lengths_shape0, out_shape0);
}
