// Kernel flash_attention of flash_attention.py, written by ptopro.
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
using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

struct PlTask {
  int64_t ki;
  int64_t qi;
  int64_t blocks;
};

// flash_attention.py:46
AICORE inline void compute_qk(int64_t qi, int64_t ki, MatHalf128x128& cur_q, int64_t cur_q_id, int& k_l1_cursor,
                              MatHalf128x128ZN (&k_l1)[2], int& left_cursor, LeftHalf128x128 (&left)[2],
                              int& right_cursor, RightHalf128x128 (&right)[2], int& acc_cursor,
                              AccFloat128x128 (&acc)[2], int& scores_cursor, VecFloat64x128 (&scores)[2],
                              __gm__ half* q, __gm__ half* k) {
  constexpr int64_t k_l1_ids[2] = {2, 3};
  constexpr int64_t left_ids[2] = {9, 10};
  constexpr int64_t right_ids[2] = {11, 12};
  constexpr int64_t acc_ids[2] = {13, 14};
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> q_gm(q);
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 1, 128>, Layout::DN> k_gm_t(k);

  k_l1_cursor = (k_l1_cursor + 1) % 2;  // flash_attention.py:48
  auto& cur_k = k_l1[k_l1_cursor];      // flash_attention.py:48
  const int64_t cur_k_id = k_l1_ids[k_l1_cursor];
  left_cursor = (left_cursor + 1) % 2;  // flash_attention.py:49
  auto& cur_left = left[left_cursor];   // flash_attention.py:49
  const int64_t cur_left_id = left_ids[left_cursor];
  right_cursor = (right_cursor + 1) % 2;  // flash_attention.py:50
  auto& cur_right = right[right_cursor];  // flash_attention.py:50
  const int64_t cur_right_id = right_ids[right_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // flash_attention.py:51
  auto& cur_acc = acc[acc_cursor];    // flash_attention.py:51
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  scores_cursor = (scores_cursor + 1) % 2;                          // flash_attention.py:52
  auto& cur_scores = scores[scores_cursor];                         // flash_attention.py:52
  if (ki == 0) {                                                    // flash_attention.py:53
    get_buf(PIPE_MTE2, cur_q_id, 0);                                // flash_attention.py:54
    q_gm.SetShape<3, 4>(cur_q.GetValidRow(), cur_q.GetValidCol());  // flash_attention.py:54
    TASSIGN(q_gm, q + qi * 128 * 128);
    TLOAD(cur_q, q_gm);
    rls_buf(PIPE_MTE2, cur_q_id, 0);  // flash_attention.py:54
  }
  get_buf(PIPE_MTE2, cur_k_id, 0);                                  // flash_attention.py:55
  k_gm_t.SetShape<3, 4>(cur_k.GetValidRow(), cur_k.GetValidCol());  // flash_attention.py:55
  TASSIGN(k_gm_t, k + ki * TK * 128);
  TLOAD(cur_k, k_gm_t);
  rls_buf(PIPE_MTE2, cur_k_id, 0);                                                           // flash_attention.py:55
  get_buf(PIPE_MTE1, cur_left_id, 0);                                                        // flash_attention.py:56
  get_buf(PIPE_MTE1, cur_q_id, 0);                                                           // flash_attention.py:56
  TMOV(cur_left, cur_q);                                                                     // flash_attention.py:56
  rls_buf(PIPE_MTE1, cur_left_id, 0);                                                        // flash_attention.py:56
  rls_buf(PIPE_MTE1, cur_q_id, 0);                                                           // flash_attention.py:56
  get_buf(PIPE_MTE1, cur_right_id, 0);                                                       // flash_attention.py:57
  get_buf(PIPE_MTE1, cur_k_id, 0);                                                           // flash_attention.py:57
  TMOV(cur_right, cur_k);                                                                    // flash_attention.py:57
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                                       // flash_attention.py:57
  rls_buf(PIPE_MTE1, cur_k_id, 0);                                                           // flash_attention.py:57
  get_buf(PIPE_M, cur_acc_id, 0);                                                            // flash_attention.py:58
  get_buf(PIPE_M, cur_left_id, 0);                                                           // flash_attention.py:58
  get_buf(PIPE_M, cur_right_id, 0);                                                          // flash_attention.py:58
  TMATMUL(cur_acc, cur_left, cur_right);                                                     // flash_attention.py:58
  rls_buf(PIPE_M, cur_acc_id, 0);                                                            // flash_attention.py:58
  rls_buf(PIPE_M, cur_left_id, 0);                                                           // flash_attention.py:58
  rls_buf(PIPE_M, cur_right_id, 0);                                                          // flash_attention.py:58
  get_buf(PIPE_FIX, cur_acc_id, 0);                                                          // flash_attention.py:59
  TMOV<VecFloat64x128, AccFloat128x128, AccToVecMode::DualModeSplitM>(cur_scores, cur_acc);  // flash_attention.py:59
  rls_buf(PIPE_FIX, cur_acc_id, 0);                                                          // flash_attention.py:59
}

// flash_attention.py:103
AICORE inline void compute_pv(int64_t ki, int& p_l1_cursor, MatHalf128x128 (&p_l1)[3], int& v_l1_cursor,
                              MatHalf128x128 (&v_l1)[2], int& left_cursor, LeftHalf128x128 (&left)[2],
                              int& right_cursor, RightHalf128x128 (&right)[2], int& acc_cursor,
                              AccFloat128x128 (&acc)[2], int& pv_cursor, VecFloat64x128 (&pv)[2], __gm__ half* v) {
  constexpr int64_t v_l1_ids[2] = {4, 5};
  constexpr int64_t left_ids[2] = {9, 10};
  constexpr int64_t right_ids[2] = {11, 12};
  constexpr int64_t acc_ids[2] = {13, 14};
  GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> v_gm(v);

  p_l1_cursor = (p_l1_cursor + 1) % 3;  // flash_attention.py:105
  auto& cur_p = p_l1[p_l1_cursor];      // flash_attention.py:105
  v_l1_cursor = (v_l1_cursor + 1) % 2;  // flash_attention.py:106
  auto& cur_v = v_l1[v_l1_cursor];      // flash_attention.py:106
  const int64_t cur_v_id = v_l1_ids[v_l1_cursor];
  left_cursor = (left_cursor + 1) % 2;  // flash_attention.py:107
  auto& cur_left = left[left_cursor];   // flash_attention.py:107
  const int64_t cur_left_id = left_ids[left_cursor];
  right_cursor = (right_cursor + 1) % 2;  // flash_attention.py:108
  auto& cur_right = right[right_cursor];  // flash_attention.py:108
  const int64_t cur_right_id = right_ids[right_cursor];
  acc_cursor = (acc_cursor + 1) % 2;  // flash_attention.py:109
  auto& cur_acc = acc[acc_cursor];    // flash_attention.py:109
  const int64_t cur_acc_id = acc_ids[acc_cursor];
  pv_cursor = (pv_cursor + 1) % 2;                                // flash_attention.py:110
  auto& cur_pv = pv[pv_cursor];                                   // flash_attention.py:110
  get_buf(PIPE_MTE2, cur_v_id, 0);                                // flash_attention.py:111
  v_gm.SetShape<3, 4>(cur_v.GetValidRow(), cur_v.GetValidCol());  // flash_attention.py:111
  TASSIGN(v_gm, v + ki * 128 * 128);
  TLOAD(cur_v, v_gm);
  rls_buf(PIPE_MTE2, cur_v_id, 0);                                                       // flash_attention.py:111
  get_buf(PIPE_MTE1, cur_left_id, 0);                                                    // flash_attention.py:112
  TMOV(cur_left, cur_p);                                                                 // flash_attention.py:112
  rls_buf(PIPE_MTE1, cur_left_id, 0);                                                    // flash_attention.py:112
  get_buf(PIPE_MTE1, cur_right_id, 0);                                                   // flash_attention.py:113
  get_buf(PIPE_MTE1, cur_v_id, 0);                                                       // flash_attention.py:113
  TMOV(cur_right, cur_v);                                                                // flash_attention.py:113
  rls_buf(PIPE_MTE1, cur_right_id, 0);                                                   // flash_attention.py:113
  rls_buf(PIPE_MTE1, cur_v_id, 0);                                                       // flash_attention.py:113
  get_buf(PIPE_M, cur_acc_id, 0);                                                        // flash_attention.py:114
  get_buf(PIPE_M, cur_left_id, 0);                                                       // flash_attention.py:114
  get_buf(PIPE_M, cur_right_id, 0);                                                      // flash_attention.py:114
  TMATMUL(cur_acc, cur_left, cur_right);                                                 // flash_attention.py:114
  rls_buf(PIPE_M, cur_acc_id, 0);                                                        // flash_attention.py:114
  rls_buf(PIPE_M, cur_left_id, 0);                                                       // flash_attention.py:114
  rls_buf(PIPE_M, cur_right_id, 0);                                                      // flash_attention.py:114
  get_buf(PIPE_FIX, cur_acc_id, 0);                                                      // flash_attention.py:115
  TMOV<VecFloat64x128, AccFloat128x128, AccToVecMode::DualModeSplitM>(cur_pv, cur_acc);  // flash_attention.py:115
  rls_buf(PIPE_FIX, cur_acc_id, 0);                                                      // flash_attention.py:115
}

// flash_attention.py:134
AICORE inline void flash_attention_impl_cube(__gm__ half* q, __gm__ half* k, __gm__ half* v, int32_t causal,
                                             int64_t q_shape0, int64_t k_shape0) {
  // Vec (UB)
  VecFloat64x128 scores[2] = {{64, 128}, {64, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(scores[0], 0x0);
  TASSIGN(scores[1], 0x8000);
  VecFloat64x128 pv[2] = {{64, 128}, {64, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(pv[0], 0x10000);
  TASSIGN(pv[1], 0x18000);
  // Mat (L1)
  MatHalf128x128 q_l1[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(q_l1[0], 0x0);
  TASSIGN(q_l1[1], 0x8000);
  MatHalf128x128ZN k_l1[2] = {{128, 128}, {128, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(k_l1[0], 0x10000);
  TASSIGN(k_l1[1], 0x18000);
  // 0x30000..0x37fff, 0x38000..0x3ffff, 0x40000..0x47fff
  MatHalf128x128 p_l1[3] = {{128, 128}, {128, 128}, {128, 128}};
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

  const int64_t key_blocks = k_shape0 / TK;                    // flash_attention.py:185
  const int32_t core = static_cast<int32_t>(get_block_idx());  // flash_attention.py:186
  PlTask _pl_ring[3] = {};                                     // flash_attention.py:190
  for (PlTask& item : _pl_ring) item = {0, 0, 0};
  int64_t _pl_task = 0;                                                 // flash_attention.py:190
  for (int64_t qi = core; qi < q_shape0 / TQ; qi += get_block_num()) {  // flash_attention.py:190
    q_l1_cursor = (q_l1_cursor + 1) % 2;                                // flash_attention.py:191
    auto& cur_q = q_l1[q_l1_cursor];                                    // flash_attention.py:191
    const int64_t cur_q_id = q_l1_ids[q_l1_cursor];
    const int64_t blocks = causal > 0 ? qi + 1 : key_blocks;  // flash_attention.py:192
    for (int64_t ki = 0; ki < blocks; ++ki) {                 // flash_attention.py:193
      int64_t _pl_mod2 = _pl_task % 2;                        // flash_attention.py:195
      _pl_ring[_pl_task % 3].ki = ki;                         // flash_attention.py:195
      wait_intra_block(PIPE_FIX, _pl_mod2);                   // flash_attention.py:195
      wait_intra_block(PIPE_FIX, _pl_mod2 + 16);
      // flash_attention.py:195
      compute_qk(qi, ki, cur_q, cur_q_id, k_l1_cursor, k_l1, left_cursor, left, right_cursor, right, acc_cursor, acc,
                 scores_cursor, scores, q, k);
      set_intra_block(PIPE_FIX, _pl_mod2);  // flash_attention.py:195
      set_intra_block(PIPE_FIX, _pl_mod2 + 16);
      if (_pl_task >= 2) {                            // flash_attention.py:199
        _pl_mod2 = _pl_task % 2;                      // flash_attention.py:199
        const int64_t _pl_mod3 = (_pl_task + 1) % 3;  // flash_attention.py:199
        wait_intra_block(PIPE_MTE1, 4 + _pl_mod3);    // flash_attention.py:199
        wait_intra_block(PIPE_MTE1, 4 + _pl_mod3 + 16);
        wait_intra_block(PIPE_FIX, 2 + _pl_mod2);  // flash_attention.py:199
        wait_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
        // flash_attention.py:199
        compute_pv(_pl_ring[_pl_mod3].ki, p_l1_cursor, p_l1, v_l1_cursor, v_l1, left_cursor, left, right_cursor, right,
                   acc_cursor, acc, pv_cursor, pv, v);
        set_intra_block(PIPE_FIX, 2 + _pl_mod2);  // flash_attention.py:199
        set_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
      }
      _pl_task += 1;  // flash_attention.py:200
    }
  }
  for (int64_t _pl_drain = 0; _pl_drain < 2; ++_pl_drain) {  // flash_attention.py:190
    const int64_t _pl_beat = _pl_task + _pl_drain;           // flash_attention.py:190
    if (_pl_beat >= 2) {                                     // flash_attention.py:190
      const int64_t _pl_mod2 = _pl_beat % 2;                 // flash_attention.py:190
      const int64_t _pl_mod3 = (_pl_beat + 1) % 3;           // flash_attention.py:190
      wait_intra_block(PIPE_MTE1, 4 + _pl_mod3);             // flash_attention.py:190
      wait_intra_block(PIPE_MTE1, 4 + _pl_mod3 + 16);
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2);  // flash_attention.py:190
      wait_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
      // flash_attention.py:190
      compute_pv(_pl_ring[_pl_mod3].ki, p_l1_cursor, p_l1, v_l1_cursor, v_l1, left_cursor, left, right_cursor, right,
                 acc_cursor, acc, pv_cursor, pv, v);
      set_intra_block(PIPE_FIX, 2 + _pl_mod2);  // flash_attention.py:190
      set_intra_block(PIPE_FIX, 2 + _pl_mod2 + 16);
    }
  }
  wait_intra_block(PIPE_FIX, 0);  // flash_attention.py:190
  wait_intra_block(PIPE_FIX, 16);
  wait_intra_block(PIPE_FIX, 1);  // flash_attention.py:190
  wait_intra_block(PIPE_FIX, 17);
  wait_intra_block(PIPE_FIX, 2);  // flash_attention.py:190
  wait_intra_block(PIPE_FIX, 18);
  wait_intra_block(PIPE_FIX, 3);  // flash_attention.py:190
  wait_intra_block(PIPE_FIX, 19);
}

#endif  // __DAV_CUBE__

#if defined(__DAV_VEC__)
constexpr int64_t HANDED_ON = 4;
constexpr float LOWEST = -3e38f;
constexpr int64_t HALF = 64;

using VecFloat1x64 = Tile<TileType::Vec, float, 1, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat64x1DN = Tile<TileType::Vec, float, 64, 1, BLayout::ColMajor, -1, -1, SLayout::NoneBox, 512>;
using VecHalf64x128 = Tile<TileType::Vec, half, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecHalf64x128NZ = Tile<TileType::Vec, half, 64, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using MatHalf128x128 = Tile<TileType::Mat, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;

struct PlTask {
  int64_t ki;
  int64_t qi;
  int64_t blocks;
};

// flash_attention.py:63
AICORE inline void compute_p(int64_t qi, int64_t ki, int64_t tick, float scale, int32_t causal, int& scores_cursor,
                             VecFloat64x128 (&scores)[2], int& p_l1_cursor, MatHalf128x128 (&p_l1)[3],
                             VecFloat1x64 (&handed_on_correction)[4], VecFloat1x64 (&handed_on_sums)[4],
                             VecFloat1x64& stats_row_max, VecFloat1x64& stats_total, VecFloat64x128& scratch,
                             __gm__ float* mask, VecFloat64x1DN& stats_part_column, VecFloat1x64& stats_new_max,
                             VecFloat1x64& stats_part, VecFloat64x1DN& stats_new_max_column, VecHalf64x128& p_ub,
                             VecHalf64x128NZ& p_nz) {
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> mask_gm(mask);

  scores_cursor = (scores_cursor + 1) % 2;                    // flash_attention.py:65
  auto& cur_scores = scores[scores_cursor];                   // flash_attention.py:65
  p_l1_cursor = (p_l1_cursor + 1) % 3;                        // flash_attention.py:66
  auto& cur_p = p_l1[p_l1_cursor];                            // flash_attention.py:66
  auto& correction = handed_on_correction[tick % HANDED_ON];  // flash_attention.py:73
  auto& sums = handed_on_sums[tick % HANDED_ON];              // flash_attention.py:74
  if (ki == 0) {                                              // flash_attention.py:79
    TEXPANDS(stats_row_max, LOWEST);                          // flash_attention.py:80
    TEXPANDS(stats_total, 0.0f);                              // flash_attention.py:81
  }
  TMULS(cur_scores, cur_scores, scale);                                    // flash_attention.py:82
  if (causal > 0 && ki == qi) {                                            // flash_attention.py:83
    get_buf(PIPE_MTE2, 20, 0);                                             // flash_attention.py:84
    mask_gm.SetShape<3, 4>(scratch.GetValidRow(), scratch.GetValidCol());  // flash_attention.py:84
    TASSIGN(mask_gm, mask + get_subblockid() * HALF * 128);
    TLOAD(scratch, mask_gm);
    rls_buf(PIPE_MTE2, 20, 0);              // flash_attention.py:84
    get_buf(PIPE_V, 20, 0);                 // flash_attention.py:85
    TADD(cur_scores, cur_scores, scratch);  // flash_attention.py:85
    rls_buf(PIPE_V, 20, 0);                 // flash_attention.py:85
  }
  get_buf(PIPE_V, 20, 0);                                       // flash_attention.py:86
  TROWMAX(stats_part_column, cur_scores, scratch);              // flash_attention.py:86
  TMAX(stats_new_max, stats_row_max, stats_part);               // flash_attention.py:87
  TSUB(correction, stats_row_max, stats_new_max);               // flash_attention.py:88
  TEXP(correction, correction);                                 // flash_attention.py:89
  TMULS(stats_row_max, stats_new_max, 1.0f);                    // flash_attention.py:90
  TROWEXPANDSUB(cur_scores, cur_scores, stats_new_max_column);  // flash_attention.py:91
  TEXP(cur_scores, cur_scores);                                 // flash_attention.py:92
  TROWSUM(stats_part_column, cur_scores, scratch);              // flash_attention.py:93
  rls_buf(PIPE_V, 20, 0);                                       // flash_attention.py:93
  TMUL(stats_total, stats_total, correction);                   // flash_attention.py:94
  TADD(stats_total, stats_total, stats_part);                   // flash_attention.py:95
  TMULS(sums, stats_total, 1.0f);                               // flash_attention.py:96
  get_buf(PIPE_V, 20, 0);                                       // flash_attention.py:97
  TCVT(p_ub, cur_scores, RoundMode::CAST_RINT);                 // flash_attention.py:97
  rls_buf(PIPE_V, 20, 0);                                       // flash_attention.py:97
  get_buf(PIPE_V, 20, 0);                                       // flash_attention.py:98
  TMOV(p_nz, p_ub);                                             // flash_attention.py:98
  rls_buf(PIPE_V, 20, 0);                                       // flash_attention.py:98
  get_buf(PIPE_MTE3, 20, 0);                                    // flash_attention.py:99
  TINSERT(cur_p, p_nz, get_subblockid() * HALF, 0);             // flash_attention.py:99
  rls_buf(PIPE_MTE3, 20, 0);                                    // flash_attention.py:99
}

// flash_attention.py:119
AICORE inline void compute_gu(int64_t qi, int64_t ki, int64_t last, int64_t tick, int& pv_cursor,
                              VecFloat64x128 (&pv)[2], VecFloat64x128& output,
                              VecFloat64x1DN (&handed_on_correction_column)[4],
                              VecFloat64x1DN (&handed_on_sums_column)[4], __gm__ float* out) {
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> out_gm(out);

  pv_cursor = (pv_cursor + 1) % 2;  // flash_attention.py:121
  auto& cur_pv = pv[pv_cursor];     // flash_attention.py:121
  if (ki == 0) {                    // flash_attention.py:123
    get_buf(PIPE_V, 19, 0);         // flash_attention.py:124
    TMULS(output, cur_pv, 1.0f);    // flash_attention.py:124
    rls_buf(PIPE_V, 19, 0);         // flash_attention.py:124
  } else {
    get_buf(PIPE_V, 19, 0);  // flash_attention.py:126
    // flash_attention.py:126
    TROWEXPANDMUL(output, output, handed_on_correction_column[floor_mod<int64_t>(tick, HANDED_ON)]);
    TADD(output, output, cur_pv);  // flash_attention.py:127
    rls_buf(PIPE_V, 19, 0);        // flash_attention.py:127
  }
  if (ki == last) {          // flash_attention.py:128
    get_buf(PIPE_V, 19, 0);  // flash_attention.py:129
    // flash_attention.py:129
    TROWEXPANDDIV(output, output, handed_on_sums_column[floor_mod<int64_t>(tick, HANDED_ON)]);
    rls_buf(PIPE_V, 19, 0);                                             // flash_attention.py:129
    get_buf(PIPE_MTE3, 19, 0);                                          // flash_attention.py:130
    out_gm.SetShape<3, 4>(output.GetValidRow(), output.GetValidCol());  // flash_attention.py:130
    TASSIGN(out_gm, out + (qi * TQ + get_subblockid() * HALF) * 128);
    TSTORE(out_gm, output);
    rls_buf(PIPE_MTE3, 19, 0);  // flash_attention.py:130
  }
}

// flash_attention.py:134
AICORE inline void flash_attention_impl_vector(__gm__ float* mask, __gm__ float* out, float scale, int32_t causal,
                                               int64_t q_shape0, int64_t k_shape0) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat64x128 scores[2] = {{64, 128}, {64, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(scores[0], 0x0);
  TASSIGN(scores[1], 0x8000);
  // 0x30400..0x304ff, 0x30500..0x305ff, 0x30600..0x306ff, 0x30700..0x307ff
  VecFloat1x64 handed_on_correction[4] = {{1, 64}, {1, 64}, {1, 64}, {1, 64}};
  TASSIGN(handed_on_correction[0], 0x30400);
  TASSIGN(handed_on_correction[1], 0x30500);
  TASSIGN(handed_on_correction[2], 0x30600);
  TASSIGN(handed_on_correction[3], 0x30700);
  // 0x30800..0x308ff, 0x30900..0x309ff, 0x30a00..0x30aff, 0x30b00..0x30bff
  VecFloat1x64 handed_on_sums[4] = {{1, 64}, {1, 64}, {1, 64}, {1, 64}};
  TASSIGN(handed_on_sums[0], 0x30800);
  TASSIGN(handed_on_sums[1], 0x30900);
  TASSIGN(handed_on_sums[2], 0x30a00);
  TASSIGN(handed_on_sums[3], 0x30b00);
  VecFloat1x64 stats_row_max(1, 64);  // 0x30000..0x300ff
  TASSIGN(stats_row_max, 0x30000);
  VecFloat1x64 stats_total(1, 64);  // 0x30300..0x303ff
  TASSIGN(stats_total, 0x30300);
  VecFloat64x128 scratch(64, 128);  // 0x28000..0x2ffff
  TASSIGN(scratch, 0x28000);
  VecFloat64x1DN stats_part_column(64, 1);  // 0x30200..0x302ff
  TASSIGN(stats_part_column, 0x30200);
  VecFloat1x64 stats_new_max(1, 64);  // 0x30100..0x301ff
  TASSIGN(stats_new_max, 0x30100);
  VecFloat1x64 stats_part(1, 64);  // 0x30200..0x302ff
  TASSIGN(stats_part, 0x30200);
  VecFloat64x1DN stats_new_max_column(64, 1);  // 0x30100..0x301ff
  TASSIGN(stats_new_max_column, 0x30100);
  VecHalf64x128 p_ub(64, 128);  // 0x28000..0x2bfff
  TASSIGN(p_ub, 0x28000);
  VecHalf64x128NZ p_nz(64, 128);  // 0x2c000..0x2ffff
  TASSIGN(p_nz, 0x2c000);
  VecFloat64x128 pv[2] = {{64, 128}, {64, 128}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(pv[0], 0x10000);
  TASSIGN(pv[1], 0x18000);
  VecFloat64x128 output(64, 128);  // 0x20000..0x27fff
  TASSIGN(output, 0x20000);
  // 0x30400..0x304ff, 0x30500..0x305ff, 0x30600..0x306ff, 0x30700..0x307ff
  VecFloat64x1DN handed_on_correction_column[4] = {{64, 1}, {64, 1}, {64, 1}, {64, 1}};
  TASSIGN(handed_on_correction_column[0], 0x30400);
  TASSIGN(handed_on_correction_column[1], 0x30500);
  TASSIGN(handed_on_correction_column[2], 0x30600);
  TASSIGN(handed_on_correction_column[3], 0x30700);
  // 0x30800..0x308ff, 0x30900..0x309ff, 0x30a00..0x30aff, 0x30b00..0x30bff
  VecFloat64x1DN handed_on_sums_column[4] = {{64, 1}, {64, 1}, {64, 1}, {64, 1}};
  TASSIGN(handed_on_sums_column[0], 0x30800);
  TASSIGN(handed_on_sums_column[1], 0x30900);
  TASSIGN(handed_on_sums_column[2], 0x30a00);
  TASSIGN(handed_on_sums_column[3], 0x30b00);
  // Mat (L1)
  // 0x30000..0x37fff, 0x38000..0x3ffff, 0x40000..0x47fff
  MatHalf128x128 p_l1[3] = {{128, 128}, {128, 128}, {128, 128}};
  TASSIGN(p_l1[0], 0x30000);
  TASSIGN(p_l1[1], 0x38000);
  TASSIGN(p_l1[2], 0x40000);
  int scores_cursor = 1;
  int p_l1_cursor = 2;
  int pv_cursor = 1;

  const int64_t key_blocks = k_shape0 / TK;  // flash_attention.py:185
  // flash_attention.py:186
  const int32_t core = static_cast<int32_t>(get_block_idx() * get_subblockdim() + get_subblockid());
  const int64_t core_2 = core / 2;  // flash_attention.py:188
  int64_t tick = 0;                 // flash_attention.py:189
  PlTask _pl_ring[3] = {};          // flash_attention.py:190
  for (PlTask& item : _pl_ring) item = {0, 0, 0};
  int64_t _pl_task = 0;                                                   // flash_attention.py:190
  set_intra_block(PIPE_V, 0);                                             // flash_attention.py:190
  set_intra_block(PIPE_V, 1);                                             // flash_attention.py:190
  set_intra_block(PIPE_V, 2);                                             // flash_attention.py:190
  set_intra_block(PIPE_V, 3);                                             // flash_attention.py:190
  for (int64_t qi = core_2; qi < q_shape0 / TQ; qi += get_block_num()) {  // flash_attention.py:190
    const int64_t blocks = causal > 0 ? qi + 1 : key_blocks;              // flash_attention.py:192
    for (int64_t ki = 0; ki < blocks; ++ki) {                             // flash_attention.py:193
      int64_t _pl_mod2 = _pl_task % 2;                                    // flash_attention.py:197
      int64_t _pl_mod3 = _pl_task % 3;                                    // flash_attention.py:197
      _pl_ring[_pl_mod3].ki = ki;                                         // flash_attention.py:197
      _pl_ring[_pl_mod3].qi = qi;                                         // flash_attention.py:197
      _pl_ring[_pl_mod3].blocks = blocks;                                 // flash_attention.py:197
      wait_intra_block(PIPE_V, _pl_mod2);                                 // flash_attention.py:197
      // flash_attention.py:197
      compute_p(qi, ki, tick, scale, causal, scores_cursor, scores, p_l1_cursor, p_l1, handed_on_correction,
                handed_on_sums, stats_row_max, stats_total, scratch, mask, stats_part_column, stats_new_max, stats_part,
                stats_new_max_column, p_ub, p_nz);
      set_intra_block(PIPE_V, _pl_mod2);         // flash_attention.py:197
      set_intra_block(PIPE_MTE3, 4 + _pl_mod3);  // flash_attention.py:197
      if (_pl_task >= 2) {                       // flash_attention.py:201
        _pl_mod2 = _pl_task % 2;                 // flash_attention.py:201
        _pl_mod3 = (_pl_task + 1) % 3;           // flash_attention.py:201
        wait_intra_block(PIPE_V, 2 + _pl_mod2);  // flash_attention.py:201
        // flash_attention.py:201
        compute_gu(_pl_ring[_pl_mod3].qi, _pl_ring[_pl_mod3].ki, _pl_ring[_pl_mod3].blocks - 1, _pl_task - 2, pv_cursor,
                   pv, output, handed_on_correction_column, handed_on_sums_column, out);
        set_intra_block(PIPE_V, 2 + _pl_mod2);  // flash_attention.py:201
      }
      _pl_task += 1;  // flash_attention.py:200
      tick += 1;      // flash_attention.py:202
    }
  }
  for (int64_t _pl_drain = 0; _pl_drain < 2; ++_pl_drain) {  // flash_attention.py:190
    const int64_t _pl_beat = _pl_task + _pl_drain;           // flash_attention.py:190
    if (_pl_beat >= 2) {                                     // flash_attention.py:190
      const int64_t _pl_mod2 = _pl_beat % 2;                 // flash_attention.py:190
      const int64_t _pl_mod3 = (_pl_beat + 1) % 3;           // flash_attention.py:190
      wait_intra_block(PIPE_V, 2 + _pl_mod2);                // flash_attention.py:190
      // flash_attention.py:190
      compute_gu(_pl_ring[_pl_mod3].qi, _pl_ring[_pl_mod3].ki, _pl_ring[_pl_mod3].blocks - 1, _pl_beat - 2, pv_cursor,
                 pv, output, handed_on_correction_column, handed_on_sums_column, out);
      set_intra_block(PIPE_V, 2 + _pl_mod2);  // flash_attention.py:190
    }
  }
}

#endif  // __DAV_VEC__

AICORE inline void flash_attention_impl([[maybe_unused]] __gm__ half* q, [[maybe_unused]] __gm__ half* k,
                                        [[maybe_unused]] __gm__ half* v, [[maybe_unused]] __gm__ float* mask,
                                        [[maybe_unused]] __gm__ float* out, [[maybe_unused]] float scale,
                                        int32_t causal, int64_t q_shape0, int64_t k_shape0,
                                        [[maybe_unused]] int64_t v_shape0, [[maybe_unused]] int64_t out_shape0) {
#if defined(__DAV_CUBE__)
  flash_attention_impl_cube(q, k, v, causal, q_shape0, k_shape0);
#endif
#if defined(__DAV_VEC__)
  flash_attention_impl_vector(mask, out, scale, causal, q_shape0, k_shape0);
#endif
}

extern "C" __global__ AICORE void flash_attention(__gm__ half* q, __gm__ half* k, __gm__ half* v, __gm__ float* mask,
                                                  __gm__ float* out, float scale, int32_t causal, int64_t q_shape0,
                                                  int64_t k_shape0, int64_t v_shape0, int64_t out_shape0) {
  flash_attention_impl(q, k, v, mask, out, scale, causal, q_shape0, k_shape0, v_shape0, out_shape0);
}
