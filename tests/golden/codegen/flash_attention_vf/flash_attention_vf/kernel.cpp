// Kernel flash_attention_vf of flash_attention_vf.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t TK = 128;
constexpr int64_t TQ = 128;

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

#if defined(__DAV_CUBE__)
using LeftHalf128x128 = Tile<TileType::Left, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using MatHalf128x128 = Tile<TileType::Mat, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using RightHalf128x128 = Tile<TileType::Right, half, 128, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using MatHalf128x128ZN = Tile<TileType::Mat, half, 128, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using AccFloat128x128 = Tile<TileType::Acc, float, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 1024>;
using VecFloat128x64 = Tile<TileType::Vec, float, 128, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

struct PlTask {
  int64_t ki;
  int64_t qi;
};

// flash_attention_vf.py:121
AICORE inline void compute_qk(int64_t qi, int64_t ki, MatHalf128x128ZN& cur_q, int64_t cur_q_id, int& k_l1_cursor,
                              MatHalf128x128 (&k_l1)[2], int& left_cursor, LeftHalf128x128 (&left)[2],
                              int& right_cursor, RightHalf128x128 (&right)[2], int& acc_cursor,
                              AccFloat128x128 (&acc)[2], int& scores_cursor, VecFloat128x64 (&scores)[2],
                              __gm__ half* q, __gm__ half* k) {
  constexpr int64_t k_l1_ids[2] = {2, 3};
  constexpr int64_t left_ids[2] = {9, 10};
  constexpr int64_t right_ids[2] = {11, 12};
  constexpr int64_t acc_ids[2] = {13, 14};
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 1, 128>, Layout::DN> q_gm_t(q);
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> k_gm(k);

  k_l1_cursor = (k_l1_cursor + 1) % 2;  // flash_attention_vf.py:123
  auto& cur_k = k_l1[k_l1_cursor];      // flash_attention_vf.py:123
  const int64_t cur_k_id = k_l1_ids[k_l1_cursor];
  left_cursor = (left_cursor + 1) % 2;  // flash_attention_vf.py:124
  auto& cur_left = left[left_cursor];   // flash_attention_vf.py:124
  const int64_t cur_left_id = left_ids[left_cursor];
  right_cursor = (right_cursor + 1) % 2;  // flash_attention_vf.py:125
  auto& cur_right = right[right_cursor];  // flash_attention_vf.py:125
  const int64_t cur_right_id = right_ids[right_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // flash_attention_vf.py:126
  auto& cur_acc = acc[acc_cursor];    // flash_attention_vf.py:126
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  scores_cursor = (scores_cursor + 1) % 2;                            // flash_attention_vf.py:127
  auto& cur_scores = scores[scores_cursor];                           // flash_attention_vf.py:127
  if (ki == 0) {                                                      // flash_attention_vf.py:128
    get_buf(PIPE_MTE2, cur_q_id, 0);                                  // flash_attention_vf.py:129
    q_gm_t.SetShape<3, 4>(cur_q.GetValidRow(), cur_q.GetValidCol());  // flash_attention_vf.py:129
    TASSIGN(q_gm_t, q + qi * TQ * 128);
    TLOAD(cur_q, q_gm_t);
    rls_buf(PIPE_MTE2, cur_q_id, 0);  // flash_attention_vf.py:129
  }
  get_buf(PIPE_MTE2, cur_k_id, 0);                                // flash_attention_vf.py:130
  k_gm.SetShape<3, 4>(cur_k.GetValidRow(), cur_k.GetValidCol());  // flash_attention_vf.py:130
  TASSIGN(k_gm, k + ki * 128 * 128);
  TLOAD(cur_k, k_gm);
  rls_buf(PIPE_MTE2, cur_k_id, 0);        // flash_attention_vf.py:130
  get_buf(PIPE_MTE1, cur_left_id, 0);     // flash_attention_vf.py:131
  get_buf(PIPE_MTE1, cur_k_id, 0);        // flash_attention_vf.py:131
  TMOV(cur_left, cur_k);                  // flash_attention_vf.py:131
  rls_buf(PIPE_MTE1, cur_left_id, 0);     // flash_attention_vf.py:131
  rls_buf(PIPE_MTE1, cur_k_id, 0);        // flash_attention_vf.py:131
  get_buf(PIPE_MTE1, cur_right_id, 0);    // flash_attention_vf.py:132
  get_buf(PIPE_MTE1, cur_q_id, 0);        // flash_attention_vf.py:132
  TMOV(cur_right, cur_q);                 // flash_attention_vf.py:132
  rls_buf(PIPE_MTE1, cur_right_id, 0);    // flash_attention_vf.py:132
  rls_buf(PIPE_MTE1, cur_q_id, 0);        // flash_attention_vf.py:132
  get_buf(PIPE_M, cur_acc_id, 0);         // flash_attention_vf.py:133
  get_buf(PIPE_M, cur_left_id, 0);        // flash_attention_vf.py:133
  get_buf(PIPE_M, cur_right_id, 0);       // flash_attention_vf.py:133
  TMATMUL(cur_acc, cur_left, cur_right);  // flash_attention_vf.py:133
  rls_buf(PIPE_M, cur_acc_id, 0);         // flash_attention_vf.py:133
  rls_buf(PIPE_M, cur_left_id, 0);        // flash_attention_vf.py:133
  rls_buf(PIPE_M, cur_right_id, 0);       // flash_attention_vf.py:133
  get_buf(PIPE_FIX, cur_acc_id, 0);       // flash_attention_vf.py:134
  // flash_attention_vf.py:134
  TMOV<VecFloat128x64, AccFloat128x128, AccToVecMode::DualModeSplitN>(cur_scores, cur_acc);
  rls_buf(PIPE_FIX, cur_acc_id, 0);  // flash_attention_vf.py:134
}

// flash_attention_vf.py:156
AICORE inline void compute_pv(int64_t ki, int& p_l1_cursor, MatHalf128x128ZN (&p_l1)[3], int& v_l1_cursor,
                              MatHalf128x128 (&v_l1)[2], int& left_cursor, LeftHalf128x128 (&left)[2],
                              int& right_cursor, RightHalf128x128 (&right)[2], int& acc_cursor,
                              AccFloat128x128 (&acc)[2], int& pv_cursor, VecFloat64x128 (&pv)[2], __gm__ half* v) {
  constexpr int64_t v_l1_ids[2] = {4, 5};
  constexpr int64_t left_ids[2] = {9, 10};
  constexpr int64_t right_ids[2] = {11, 12};
  constexpr int64_t acc_ids[2] = {13, 14};
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> v_gm(v);

  p_l1_cursor = (p_l1_cursor + 1) % 3;  // flash_attention_vf.py:158
  auto& cur_p = p_l1[p_l1_cursor];      // flash_attention_vf.py:158
  v_l1_cursor = (v_l1_cursor + 1) % 2;  // flash_attention_vf.py:159
  auto& cur_v = v_l1[v_l1_cursor];      // flash_attention_vf.py:159
  const int64_t cur_v_id = v_l1_ids[v_l1_cursor];
  left_cursor = (left_cursor + 1) % 2;  // flash_attention_vf.py:160
  auto& cur_left = left[left_cursor];   // flash_attention_vf.py:160
  const int64_t cur_left_id = left_ids[left_cursor];
  right_cursor = (right_cursor + 1) % 2;  // flash_attention_vf.py:161
  auto& cur_right = right[right_cursor];  // flash_attention_vf.py:161
  const int64_t cur_right_id = right_ids[right_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // flash_attention_vf.py:162
  auto& cur_acc = acc[acc_cursor];    // flash_attention_vf.py:162
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  pv_cursor = (pv_cursor + 1) % 2;                                // flash_attention_vf.py:163
  auto& cur_pv = pv[pv_cursor];                                   // flash_attention_vf.py:163
  get_buf(PIPE_MTE2, cur_v_id, 0);                                // flash_attention_vf.py:164
  v_gm.SetShape<3, 4>(cur_v.GetValidRow(), cur_v.GetValidCol());  // flash_attention_vf.py:164
  TASSIGN(v_gm, v + ki * 128 * 128);
  TLOAD(cur_v, v_gm);
  rls_buf(PIPE_MTE2, cur_v_id, 0);                                                       // flash_attention_vf.py:164
  get_buf(PIPE_MTE1, cur_left_id, 0);                                                    // flash_attention_vf.py:165
  TMOV(cur_left, cur_p);                                                                 // flash_attention_vf.py:165
  rls_buf(PIPE_MTE1, cur_left_id, 0);                                                    // flash_attention_vf.py:165
  get_buf(PIPE_MTE1, cur_right_id, 0);                                                   // flash_attention_vf.py:166
  get_buf(PIPE_MTE1, cur_v_id, 0);                                                       // flash_attention_vf.py:166
  TMOV(cur_right, cur_v);                                                                // flash_attention_vf.py:166
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                                   // flash_attention_vf.py:166
  rls_buf(PIPE_MTE1, cur_v_id, 0);                                                       // flash_attention_vf.py:166
  get_buf(PIPE_M, cur_acc_id, 0);                                                        // flash_attention_vf.py:167
  get_buf(PIPE_M, cur_left_id, 0);                                                       // flash_attention_vf.py:167
  get_buf(PIPE_M, cur_right_id, 0);                                                      // flash_attention_vf.py:167
  TMATMUL(cur_acc, cur_left, cur_right);                                                 // flash_attention_vf.py:167
  rls_buf(PIPE_M, cur_acc_id, 0);                                                        // flash_attention_vf.py:167
  rls_buf(PIPE_M, cur_left_id, 0);                                                       // flash_attention_vf.py:167
  rls_buf(PIPE_M, cur_right_id, 0);                                                      // flash_attention_vf.py:167
  get_buf(PIPE_FIX, cur_acc_id, 0);                                                      // flash_attention_vf.py:168
  TMOV<VecFloat64x128, AccFloat128x128, AccToVecMode::DualModeSplitM>(cur_pv, cur_acc);  // flash_attention_vf.py:168
  rls_buf(PIPE_FIX, cur_acc_id, 0);                                                      // flash_attention_vf.py:168
}

// flash_attention_vf.py:186
AICORE inline void flash_attention_vf_impl_cube(__gm__ half* q, __gm__ half* k, __gm__ half* v, int64_t q_shape0,
                                                int64_t k_shape0) {
  // Vec (UB)
  VecFloat128x64 scores[2] = {{128, 64}, {128, 64}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(scores[0], 0x0);
  TASSIGN(scores[1], 0x8000);
  VecFloat64x128 pv[2] = {{64, 128}, {64, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(pv[0], 0x10000);
  TASSIGN(pv[1], 0x18000);
  // Mat (L1)
  MatHalf128x128ZN q_l1[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(q_l1[0], 0x0);
  TASSIGN(q_l1[1], 0x8000);
  MatHalf128x128 k_l1[2] = {{128, 128}, {128, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(k_l1[0], 0x10000);
  TASSIGN(k_l1[1], 0x18000);
  // 0x30000..0x37fff, 0x38000..0x3ffff, 0x40000..0x47fff
  MatHalf128x128ZN p_l1[3] = {{128, 128}, {128, 128}, {128, 128}};
  TASSIGN(p_l1[0], 0x30000);
  TASSIGN(p_l1[1], 0x38000);
  TASSIGN(p_l1[2], 0x40000);
  MatHalf128x128 v_l1[2] = {{128, 128}, {128, 128}};  // 0x20000..0x27fff, 0x28000..0x2ffff
  TASSIGN(v_l1[0], 0x20000);
  TASSIGN(v_l1[1], 0x28000);
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
  int q_l1_cursor = 1;
  int k_l1_cursor = 1;
  int left_cursor = 1;
  int right_cursor = 1;
  int acc_cursor = 1;
  int scores_cursor = 1;
  int p_l1_cursor = 2;
  int v_l1_cursor = 1;
  int pv_cursor = 1;
  constexpr int64_t q_l1_ids[2] = {0, 1};

  const int64_t key_blocks = k_shape0 / TK;                    // flash_attention_vf.py:231
  const int32_t core = static_cast<int32_t>(get_block_idx());  // flash_attention_vf.py:232
  PlTask _pl_ring[3] = {};                                     // flash_attention_vf.py:236
  for (PlTask& item : _pl_ring) item = {0, 0};
  int64_t _pl_task = 0;                                                 // flash_attention_vf.py:236
  for (int64_t qi = core; qi < q_shape0 / TQ; qi += get_block_num()) {  // flash_attention_vf.py:236
    q_l1_cursor = (q_l1_cursor + 1) % 2;                                // flash_attention_vf.py:237
    auto& cur_q = q_l1[q_l1_cursor];                                    // flash_attention_vf.py:237
    const int64_t cur_q_id = q_l1_ids[q_l1_cursor];
    for (int64_t ki = 0; ki < key_blocks; ++ki) {  // flash_attention_vf.py:238
      int64_t _pl_mod2 = _pl_task % 2;             // flash_attention_vf.py:240
      _pl_ring[_pl_task % 3].ki = ki;              // flash_attention_vf.py:240
      wait_intra_block(PIPE_FIX, _pl_mod2);        // flash_attention_vf.py:240
      wait_intra_block(PIPE_FIX, _pl_mod2 + 16);
      // flash_attention_vf.py:240
      compute_qk(qi, ki, cur_q, cur_q_id, k_l1_cursor, k_l1, left_cursor, left, right_cursor, right, acc_cursor, acc,
                 scores_cursor, scores, q, k);
      set_intra_block(PIPE_FIX, _pl_mod2);  // flash_attention_vf.py:240
      set_intra_block(PIPE_FIX, _pl_mod2 + 16);
      if (_pl_task >= 2) {                            // flash_attention_vf.py:244
        _pl_mod2 = _pl_task % 2;                      // flash_attention_vf.py:244
        const int64_t _pl_mod3 = (_pl_task + 1) % 3;  // flash_attention_vf.py:244
        wait_intra_block(PIPE_MTE1, 4 + _pl_mod3);    // flash_attention_vf.py:244
        wait_intra_block(PIPE_MTE1, 4 + _pl_mod3 + 16);
        wait_intra_block(PIPE_FIX, 2 + _pl_mod2);  // flash_attention_vf.py:244
        wait_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
        // flash_attention_vf.py:244
        compute_pv(_pl_ring[_pl_mod3].ki, p_l1_cursor, p_l1, v_l1_cursor, v_l1, left_cursor, left, right_cursor, right,
                   acc_cursor, acc, pv_cursor, pv, v);
        set_intra_block(PIPE_FIX, 2 + _pl_mod2);  // flash_attention_vf.py:244
        set_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
      }
      _pl_task += 1;  // flash_attention_vf.py:245
    }
  }
  for (int64_t _pl_drain = 0; _pl_drain < 2; ++_pl_drain) {  // flash_attention_vf.py:236
    const int64_t _pl_beat = _pl_task + _pl_drain;           // flash_attention_vf.py:236
    if (_pl_beat >= 2) {                                     // flash_attention_vf.py:236
      const int64_t _pl_mod2 = _pl_beat % 2;                 // flash_attention_vf.py:236
      const int64_t _pl_mod3 = (_pl_beat + 1) % 3;           // flash_attention_vf.py:236
      wait_intra_block(PIPE_MTE1, 4 + _pl_mod3);             // flash_attention_vf.py:236
      wait_intra_block(PIPE_MTE1, 4 + _pl_mod3 + 16);
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2);  // flash_attention_vf.py:236
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
      // flash_attention_vf.py:236
      compute_pv(_pl_ring[_pl_mod3].ki, p_l1_cursor, p_l1, v_l1_cursor, v_l1, left_cursor, left, right_cursor, right,
                 acc_cursor, acc, pv_cursor, pv, v);
      set_intra_block(PIPE_FIX, 2 + _pl_mod2);  // flash_attention_vf.py:236
      set_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
    }
  }
  wait_intra_block(PIPE_FIX, 0);  // flash_attention_vf.py:236
  wait_intra_block(PIPE_FIX, 16);
  wait_intra_block(PIPE_FIX, 1);  // flash_attention_vf.py:236
  wait_intra_block(PIPE_FIX, 17);
  wait_intra_block(PIPE_FIX, 2);  // flash_attention_vf.py:236
  wait_intra_block(PIPE_FIX, 18);
  wait_intra_block(PIPE_FIX, 3);  // flash_attention_vf.py:236
  wait_intra_block(PIPE_FIX, 19);
}

#endif  // __DAV_CUBE__

#if defined(__DAV_VEC__)
constexpr float LOWEST = -3e38f;
constexpr int64_t PAIRS = 64;
constexpr int64_t P_ROWS = 65;
constexpr int64_t HANDED_ON = 4;
constexpr int64_t HALF = 64;

using VecFloat1x64 = Tile<TileType::Vec, float, 1, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat128x64 = Tile<TileType::Vec, float, 128, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecHalf65x128 = Tile<TileType::Vec, half, 65, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using MatHalf128x128ZN = Tile<TileType::Mat, half, 128, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using VecHalf65x64NZValid64x64 = Tile<TileType::Vec, half, 65, 64, BLayout::ColMajor, 64, 64, SLayout::RowMajor, 512>;
using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

struct PlTask {
  int64_t ki;
  int64_t qi;
};

AICORE inline void start(VecFloat1x64& maximum, VecFloat1x64& total) {  // flash_attention_vf.py:48
  __ubuf__ float* maximum_ptr = (__ubuf__ float*)maximum.data();        // flash_attention_vf.py:51
  __ubuf__ float* total_ptr = (__ubuf__ float*)total.data();            // flash_attention_vf.py:52
  __VEC_SCOPE__ {
    MaskReg every;
    RegTensor<float> reg, reg_2;
    every = pset_b32(PAT_ALL);                   // flash_attention_vf.py:50
    vbr(reg, LOWEST);                            // flash_attention_vf.py:51
    vsts(reg, maximum_ptr, 0, NORM_B32, every);  // flash_attention_vf.py:51
    vbr(reg_2, 0.0f);                            // flash_attention_vf.py:52
    vsts(reg_2, total_ptr, 0, NORM_B32, every);  // flash_attention_vf.py:52
  };
}

// flash_attention_vf.py:56
AICORE inline void softmax_keys(VecFloat128x64& scores, VecHalf65x128& p, VecFloat1x64& maximum, VecFloat1x64& total,
                                VecFloat1x64& correction, VecFloat1x64& sums, float scale) {
  __ubuf__ float* scores_ptr = (__ubuf__ float*)scores.data();          // flash_attention_vf.py:68
  __ubuf__ float* maximum_ptr = (__ubuf__ float*)maximum.data();        // flash_attention_vf.py:70
  __ubuf__ float* correction_ptr = (__ubuf__ float*)correction.data();  // flash_attention_vf.py:74
  __ubuf__ half* p_ptr = (__ubuf__ half*)p.data();                      // flash_attention_vf.py:86
  __ubuf__ half* p_store = p_ptr;
  __ubuf__ float* total_ptr = (__ubuf__ float*)total.data();  // flash_attention_vf.py:90
  __ubuf__ float* sums_ptr = (__ubuf__ float*)sums.data();    // flash_attention_vf.py:94
  __VEC_SCOPE__ {
    MaskReg every, all_halves;
    RegTensor<float> highest_0, highest_1, highest_2, highest_3, reg, reg_2, reg_3, reg_4, reg_5, reg_6, block_max;
    RegTensor<float> old_max, reg_7, new_max, factor, first_sum, second_sum, reg_8, reg_9, first, reg_10, reg_11;
    RegTensor<float> second, new_total, reg_12;
    RegTensor<half> first_half, second_half, both, _;
    every = pset_b32(PAT_ALL);                                 // flash_attention_vf.py:62
    all_halves = pset_b16(PAT_ALL);                            // flash_attention_vf.py:63
    vbr(highest_0, LOWEST);                                    // flash_attention_vf.py:65
    vbr(highest_1, LOWEST);                                    // flash_attention_vf.py:65
    vbr(highest_2, LOWEST);                                    // flash_attention_vf.py:65
    vbr(highest_3, LOWEST);                                    // flash_attention_vf.py:65
    for (uint16_t key = 0; key < 128; key += 4) {              // flash_attention_vf.py:66
      vlds(reg, scores_ptr, key * 64, NORM);                   // flash_attention_vf.py:68
      vmax(highest_0, highest_0, reg, every, MODE_ZEROING);    // flash_attention_vf.py:68
      vlds(reg_2, scores_ptr, (key + 1) * 64, NORM);           // flash_attention_vf.py:68
      vmax(highest_1, highest_1, reg_2, every, MODE_ZEROING);  // flash_attention_vf.py:68
      vlds(reg_3, scores_ptr, (key + 2) * 64, NORM);           // flash_attention_vf.py:68
      vmax(highest_2, highest_2, reg_3, every, MODE_ZEROING);  // flash_attention_vf.py:68
      vlds(reg_4, scores_ptr, (key + 3) * 64, NORM);           // flash_attention_vf.py:68
      vmax(highest_3, highest_3, reg_4, every, MODE_ZEROING);  // flash_attention_vf.py:68
    }
    vmax(reg_5, highest_0, highest_1, every, MODE_ZEROING);                            // flash_attention_vf.py:69
    vmax(reg_6, highest_2, highest_3, every, MODE_ZEROING);                            // flash_attention_vf.py:69
    vmax(block_max, reg_5, reg_6, every, MODE_ZEROING);                                // flash_attention_vf.py:69
    vlds(old_max, maximum_ptr, 0, NORM);                                               // flash_attention_vf.py:70
    vmuls(reg_7, block_max, scale, every, MODE_ZEROING);                               // flash_attention_vf.py:71
    vmax(new_max, old_max, reg_7, every, MODE_ZEROING);                                // flash_attention_vf.py:71
    vexpdif(factor, old_max, new_max, every, PART_EVEN);                               // flash_attention_vf.py:72
    vsts(new_max, maximum_ptr, 0, NORM_B32, every);                                    // flash_attention_vf.py:73
    vsts(factor, correction_ptr, 0, NORM_B32, every);                                  // flash_attention_vf.py:74
    vbr(first_sum, 0.0f);                                                              // flash_attention_vf.py:76
    vbr(second_sum, 0.0f);                                                             // flash_attention_vf.py:77
    for (uint16_t key = 0; key < 64; ++key) {                                          // flash_attention_vf.py:78
      vlds(reg_8, scores_ptr, key * 64, NORM);                                         // flash_attention_vf.py:79
      vmuls(reg_9, reg_8, scale, every, MODE_ZEROING);                                 // flash_attention_vf.py:79
      vexpdif(first, reg_9, new_max, every, PART_EVEN);                                // flash_attention_vf.py:79
      vlds(reg_10, scores_ptr, (key + PAIRS) * 64, NORM);                              // flash_attention_vf.py:80
      vmuls(reg_11, reg_10, scale, every, MODE_ZEROING);                               // flash_attention_vf.py:80
      vexpdif(second, reg_11, new_max, every, PART_EVEN);                              // flash_attention_vf.py:80
      vadd(first_sum, first_sum, first, every, MODE_ZEROING);                          // flash_attention_vf.py:81
      vadd(second_sum, second_sum, second, every, MODE_ZEROING);                       // flash_attention_vf.py:82
      vcvt(first_half, first, every, ROUND_R, RS_DISABLE, PART_EVEN, MODE_ZEROING);    // flash_attention_vf.py:83
      vcvt(second_half, second, every, ROUND_R, RS_DISABLE, PART_EVEN, MODE_ZEROING);  // flash_attention_vf.py:84
      vdintlv(both, _, first_half, second_half);                                       // flash_attention_vf.py:85
      // flash_attention_vf.py:86
      vsstb(both, p_store, (static_cast<uint32_t>(P_ROWS) << 16u) | (1 & 0xFFFFU), all_halves, POST_UPDATE);
    }
    vlds(new_total, total_ptr, 0, NORM);                       // flash_attention_vf.py:90
    vmul(new_total, new_total, factor, every, MODE_ZEROING);   // flash_attention_vf.py:91
    vadd(reg_12, first_sum, second_sum, every, MODE_ZEROING);  // flash_attention_vf.py:92
    vadd(new_total, new_total, reg_12, every, MODE_ZEROING);   // flash_attention_vf.py:92
    vsts(new_total, total_ptr, 0, NORM_B32, every);            // flash_attention_vf.py:93
    vsts(new_total, sums_ptr, 0, NORM_B32, every);             // flash_attention_vf.py:94
  };
}

// flash_attention_vf.py:138
AICORE inline void compute_p(int64_t ki, int64_t tick, float scale, int& scores_cursor, VecFloat128x64 (&scores)[2],
                             int& p_l1_cursor, MatHalf128x128ZN (&p_l1)[3], VecFloat1x64& maximum, VecFloat1x64& total,
                             VecHalf65x128& p_ub, VecFloat1x64 (&correction)[4], VecFloat1x64 (&sums)[4],
                             VecHalf65x64NZValid64x64& p_upper, VecHalf65x64NZValid64x64& p_lower) {
  scores_cursor = (scores_cursor + 1) % 2;   // flash_attention_vf.py:140
  auto& cur_scores = scores[scores_cursor];  // flash_attention_vf.py:140
  p_l1_cursor = (p_l1_cursor + 1) % 3;       // flash_attention_vf.py:144
  auto& cur_l1 = p_l1[p_l1_cursor];          // flash_attention_vf.py:144
  if (ki == 0) {                             // flash_attention_vf.py:147
    start(maximum, total);                   // flash_attention_vf.py:148
  }
  get_buf(PIPE_V, 20, 0);  // flash_attention_vf.py:149
  // flash_attention_vf.py:149
  softmax_keys(cur_scores, p_ub, maximum, total, correction[tick % HANDED_ON], sums[tick % HANDED_ON], scale);
  rls_buf(PIPE_V, 20, 0);                         // flash_attention_vf.py:149
  const int64_t query = get_subblockid() * HALF;  // flash_attention_vf.py:150
  get_buf(PIPE_MTE3, 20, 0);                      // flash_attention_vf.py:151
  TINSERT(cur_l1, p_upper, 0, query);             // flash_attention_vf.py:151
  rls_buf(PIPE_MTE3, 20, 0);                      // flash_attention_vf.py:151
  get_buf(PIPE_MTE3, 20, 0);                      // flash_attention_vf.py:152
  TINSERT(cur_l1, p_lower, PAIRS, query);         // flash_attention_vf.py:152
  rls_buf(PIPE_MTE3, 20, 0);                      // flash_attention_vf.py:152
}

// flash_attention_vf.py:98
AICORE inline void rescale(VecFloat64x128& output, VecFloat64x128& pv, VecFloat1x64& correction) {
  __ubuf__ float* correction_ptr = (__ubuf__ float*)correction.data();  // flash_attention_vf.py:102
  __ubuf__ float* output_ptr = (__ubuf__ float*)output.data();          // flash_attention_vf.py:104
  __ubuf__ float* pv_ptr = (__ubuf__ float*)pv.data();                  // flash_attention_vf.py:105
  __VEC_SCOPE__ {
    MaskReg every;
    RegTensor<float> factor, x, reg, reg_2;
    every = pset_b32(PAT_ALL);                                 // flash_attention_vf.py:100
    for (uint16_t query = 0; query < 64; ++query) {            // flash_attention_vf.py:101
      vlds(factor, correction_ptr, query, BRC_B32);            // flash_attention_vf.py:102
      vlds(x, output_ptr, query * 128, NORM);                  // flash_attention_vf.py:104
      vlds(reg, pv_ptr, query * 128, NORM);                    // flash_attention_vf.py:105
      vmadd(x, factor, reg, every, MODE_ZEROING);              // flash_attention_vf.py:105
      vsts(x, output_ptr, query * 128, NORM_B32, every);       // flash_attention_vf.py:106
      vlds(x, output_ptr, query * 128 + 64, NORM);             // flash_attention_vf.py:104
      vlds(reg_2, pv_ptr, query * 128 + 64, NORM);             // flash_attention_vf.py:105
      vmadd(x, factor, reg_2, every, MODE_ZEROING);            // flash_attention_vf.py:105
      vsts(x, output_ptr, query * 128 + 64, NORM_B32, every);  // flash_attention_vf.py:106
    }
  };
}

AICORE inline void normalise(VecFloat64x128& output, VecFloat1x64& sums) {  // flash_attention_vf.py:110
  __ubuf__ float* sums_ptr = (__ubuf__ float*)sums.data();                  // flash_attention_vf.py:114
  __ubuf__ float* output_ptr = (__ubuf__ float*)output.data();              // flash_attention_vf.py:116
  __VEC_SCOPE__ {
    MaskReg every;
    RegTensor<float> total, x, reg, reg_2;
    every = pset_b32(PAT_ALL);                                     // flash_attention_vf.py:112
    for (uint16_t query = 0; query < 64; ++query) {                // flash_attention_vf.py:113
      vlds(total, sums_ptr, query, BRC_B32);                       // flash_attention_vf.py:114
      vlds(x, output_ptr, query * 128, NORM);                      // flash_attention_vf.py:116
      vdiv(reg, x, total, every, MODE_ZEROING);                    // flash_attention_vf.py:117
      vsts(reg, output_ptr, query * 128, NORM_B32, every);         // flash_attention_vf.py:117
      vlds(x, output_ptr, query * 128 + 64, NORM);                 // flash_attention_vf.py:116
      vdiv(reg_2, x, total, every, MODE_ZEROING);                  // flash_attention_vf.py:117
      vsts(reg_2, output_ptr, query * 128 + 64, NORM_B32, every);  // flash_attention_vf.py:117
    }
  };
}

// flash_attention_vf.py:172
AICORE inline void compute_gu(int64_t qi, int64_t ki, int64_t last, int64_t tick, int& pv_cursor,
                              VecFloat64x128 (&pv)[2], VecFloat64x128& output, VecFloat1x64 (&correction)[4],
                              VecFloat1x64 (&sums)[4], __gm__ float* out) {
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> out_gm(out);

  pv_cursor = (pv_cursor + 1) % 2;  // flash_attention_vf.py:174
  auto& cur_pv = pv[pv_cursor];     // flash_attention_vf.py:174
  if (ki == 0) {                    // flash_attention_vf.py:176
    get_buf(PIPE_V, 19, 0);         // flash_attention_vf.py:177
    TMOV(output, cur_pv);           // flash_attention_vf.py:177
    rls_buf(PIPE_V, 19, 0);         // flash_attention_vf.py:177
  } else {
    get_buf(PIPE_V, 19, 0);                                                    // flash_attention_vf.py:179
    rescale(output, cur_pv, correction[floor_mod<int64_t>(tick, HANDED_ON)]);  // flash_attention_vf.py:179
    rls_buf(PIPE_V, 19, 0);                                                    // flash_attention_vf.py:179
  }
  if (ki == last) {                                                     // flash_attention_vf.py:180
    get_buf(PIPE_V, 19, 0);                                             // flash_attention_vf.py:181
    normalise(output, sums[floor_mod<int64_t>(tick, HANDED_ON)]);       // flash_attention_vf.py:181
    rls_buf(PIPE_V, 19, 0);                                             // flash_attention_vf.py:181
    get_buf(PIPE_MTE3, 19, 0);                                          // flash_attention_vf.py:182
    out_gm.SetShape<3, 4>(output.GetValidRow(), output.GetValidCol());  // flash_attention_vf.py:182
    TASSIGN(out_gm, out + (qi * TQ + get_subblockid() * HALF) * 128);
    TSTORE(out_gm, output);
    rls_buf(PIPE_MTE3, 19, 0);  // flash_attention_vf.py:182
  }
}

// flash_attention_vf.py:186
AICORE inline void flash_attention_vf_impl_vector(__gm__ float* out, float scale, int64_t q_shape0, int64_t k_shape0) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat128x64 scores[2] = {{128, 64}, {128, 64}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(scores[0], 0x0);
  TASSIGN(scores[1], 0x8000);
  VecFloat1x64 maximum(1, 64);  // 0x2c100..0x2c1ff
  TASSIGN(maximum, 0x2c100);
  VecFloat1x64 total(1, 64);  // 0x2c200..0x2c2ff
  TASSIGN(total, 0x2c200);
  VecHalf65x128 p_ub(65, 128);  // 0x28000..0x2c0ff
  TASSIGN(p_ub, 0x28000);
  // 0x2c300..0x2c3ff, 0x2c400..0x2c4ff, 0x2c500..0x2c5ff, 0x2c600..0x2c6ff
  VecFloat1x64 correction[4] = {{1, 64}, {1, 64}, {1, 64}, {1, 64}};
  TASSIGN(correction[0], 0x2c300);
  TASSIGN(correction[1], 0x2c400);
  TASSIGN(correction[2], 0x2c500);
  TASSIGN(correction[3], 0x2c600);
  // 0x2c700..0x2c7ff, 0x2c800..0x2c8ff, 0x2c900..0x2c9ff, 0x2ca00..0x2caff
  VecFloat1x64 sums[4] = {{1, 64}, {1, 64}, {1, 64}, {1, 64}};
  TASSIGN(sums[0], 0x2c700);
  TASSIGN(sums[1], 0x2c800);
  TASSIGN(sums[2], 0x2c900);
  TASSIGN(sums[3], 0x2ca00);
  VecHalf65x64NZValid64x64 p_upper;  // 0x28000..0x2a07f
  TASSIGN(p_upper, 0x28000);
  VecHalf65x64NZValid64x64 p_lower;  // 0x2a080..0x2c0ff
  TASSIGN(p_lower, 0x2a080);
  VecFloat64x128 pv[2] = {{64, 128}, {64, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(pv[0], 0x10000);
  TASSIGN(pv[1], 0x18000);
  VecFloat64x128 output(64, 128);  // 0x20000..0x27fff
  TASSIGN(output, 0x20000);
  // Mat (L1)
  // 0x30000..0x37fff, 0x38000..0x3ffff, 0x40000..0x47fff
  MatHalf128x128ZN p_l1[3] = {{128, 128}, {128, 128}, {128, 128}};
  TASSIGN(p_l1[0], 0x30000);
  TASSIGN(p_l1[1], 0x38000);
  TASSIGN(p_l1[2], 0x40000);
  int scores_cursor = 1;
  int p_l1_cursor = 2;
  int pv_cursor = 1;

  const int64_t key_blocks = k_shape0 / TK;  // flash_attention_vf.py:231
  // flash_attention_vf.py:232
  const int32_t core = static_cast<int32_t>(get_block_idx() * get_subblockdim() + get_subblockid());
  const int64_t core_2 = core / 2;  // flash_attention_vf.py:234
  int64_t tick = 0;                 // flash_attention_vf.py:235
  PlTask _pl_ring[3] = {};          // flash_attention_vf.py:236
  for (PlTask& item : _pl_ring) item = {0, 0};
  int64_t _pl_task = 0;                                                   // flash_attention_vf.py:236
  set_intra_block(PIPE_V, 0);                                             // flash_attention_vf.py:236
  set_intra_block(PIPE_V, 1);                                             // flash_attention_vf.py:236
  set_intra_block(PIPE_V, 2);                                             // flash_attention_vf.py:236
  set_intra_block(PIPE_V, 3);                                             // flash_attention_vf.py:236
  for (int64_t qi = core_2; qi < q_shape0 / TQ; qi += get_block_num()) {  // flash_attention_vf.py:236
    for (int64_t ki = 0; ki < key_blocks; ++ki) {                         // flash_attention_vf.py:238
      int64_t _pl_mod2 = _pl_task % 2;                                    // flash_attention_vf.py:242
      int64_t _pl_mod3 = _pl_task % 3;                                    // flash_attention_vf.py:242
      _pl_ring[_pl_mod3].ki = ki;                                         // flash_attention_vf.py:242
      _pl_ring[_pl_mod3].qi = qi;                                         // flash_attention_vf.py:242
      wait_intra_block(PIPE_V, _pl_mod2);                                 // flash_attention_vf.py:242
      // flash_attention_vf.py:242
      compute_p(ki, tick, scale, scores_cursor, scores, p_l1_cursor, p_l1, maximum, total, p_ub, correction, sums,
                p_upper, p_lower);
      set_intra_block(PIPE_V, _pl_mod2);         // flash_attention_vf.py:242
      set_intra_block(PIPE_MTE3, 4 + _pl_mod3);  // flash_attention_vf.py:242
      if (_pl_task >= 2) {                       // flash_attention_vf.py:246
        _pl_mod2 = _pl_task % 2;                 // flash_attention_vf.py:246
        _pl_mod3 = (_pl_task + 1) % 3;           // flash_attention_vf.py:246
        wait_intra_block(PIPE_V, 2 + _pl_mod2);  // flash_attention_vf.py:246
        // flash_attention_vf.py:246
        compute_gu(_pl_ring[_pl_mod3].qi, _pl_ring[_pl_mod3].ki, key_blocks - 1, _pl_task - 2, pv_cursor, pv, output,
                   correction, sums, out);
        set_intra_block(PIPE_V, 2 + _pl_mod2);  // flash_attention_vf.py:246
      }
      _pl_task += 1;  // flash_attention_vf.py:245
      tick += 1;      // flash_attention_vf.py:247
    }
  }
  for (int64_t _pl_drain = 0; _pl_drain < 2; ++_pl_drain) {  // flash_attention_vf.py:236
    const int64_t _pl_beat = _pl_task + _pl_drain;           // flash_attention_vf.py:236
    if (_pl_beat >= 2) {                                     // flash_attention_vf.py:236
      const int64_t _pl_mod2 = _pl_beat % 2;                 // flash_attention_vf.py:236
      const int64_t _pl_mod3 = (_pl_beat + 1) % 3;           // flash_attention_vf.py:236
      wait_intra_block(PIPE_V, 2 + _pl_mod2);                // flash_attention_vf.py:236
      // flash_attention_vf.py:236
      compute_gu(_pl_ring[_pl_mod3].qi, _pl_ring[_pl_mod3].ki, key_blocks - 1, _pl_beat - 2, pv_cursor, pv, output,
                 correction, sums, out);
      set_intra_block(PIPE_V, 2 + _pl_mod2);  // flash_attention_vf.py:236
    }
  }
}

#endif  // __DAV_VEC__

AICORE inline void flash_attention_vf_impl([[maybe_unused]] __gm__ half* q, [[maybe_unused]] __gm__ half* k,
                                           [[maybe_unused]] __gm__ half* v, [[maybe_unused]] __gm__ float* out,
                                           [[maybe_unused]] float scale, int64_t q_shape0, int64_t k_shape0,
                                           [[maybe_unused]] int64_t v_shape0, [[maybe_unused]] int64_t out_shape0) {
#if defined(__DAV_CUBE__)
  flash_attention_vf_impl_cube(q, k, v, q_shape0, k_shape0);
#endif
#if defined(__DAV_VEC__)
  flash_attention_vf_impl_vector(out, scale, q_shape0, k_shape0);
#endif
}

extern "C" __global__ AICORE void flash_attention_vf(__gm__ half* q, __gm__ half* k, __gm__ half* v, __gm__ float* out,
                                                     float scale, int64_t q_shape0, int64_t k_shape0, int64_t v_shape0,
                                                     int64_t out_shape0) {
  flash_attention_vf_impl(q, k, v, out, scale, q_shape0, k_shape0, v_shape0, out_shape0);
}
