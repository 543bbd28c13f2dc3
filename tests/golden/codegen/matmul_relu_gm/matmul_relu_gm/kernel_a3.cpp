// Kernel matmul_relu_gm of matmul_relu_gm.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t N = 128;

// A lock between two pipes is a flag; a word says which flags of a pair are set, a bit for each event.
// Taking a lock: the pipe To waits for the last release by From, where it has not done so yet.
template <pipe_t From, pipe_t To>
AICORE inline void wait_release(uint32_t& set, int64_t event) {
  if ((set >> event & 1) == 0) return;
  wait_flag(From, To, static_cast<event_t>(event));
  set &= ~(uint32_t{1} << event);
}

// Releasing a lock.  A flag that nobody has waited for is waited for first: the new one says all that it said.
template <pipe_t From, pipe_t To>
AICORE inline void pass_release(uint32_t& set, int64_t event) {
  wait_release<From, To>(set, event);
  set_flag(From, To, static_cast<event_t>(event));
  set |= uint32_t{1} << event;
}

// At the end: no flag stays set.
template <pipe_t From, pipe_t To>
AICORE inline void wait_releases(uint32_t& set) {
  for (int64_t event = 0; set != 0; ++event) wait_release<From, To>(set, event);
}

#if defined(__DAV_CUBE__)
constexpr int64_t LEAD = 4;

using RightHalf128x128 = Tile<TileType::Right, half, 128, 128, BLayout::RowMajor, -1, -1, SLayout::ColMajor, 512>;
using MatHalf128x128 = Tile<TileType::Mat, half, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 512>;
using LeftHalf128x128ZZ = Tile<TileType::Left, half, 128, 128, BLayout::RowMajor, -1, -1, SLayout::RowMajor, 512>;
using AccFloat128x128 = Tile<TileType::Acc, float, 128, 128, BLayout::ColMajor, -1, -1, SLayout::RowMajor, 1024>;

// matmul_relu_gm.py:25
AICORE inline void matmul_relu_gm_impl_cube(__gm__ half* a, __gm__ half* b, __gm__ float* product, int64_t a_shape0,
                                            __gm__ int64_t* ffts_addr) {
  set_ffts_base_addr(reinterpret_cast<uint64_t>(ffts_addr));
  // Mat (L1)
  MatHalf128x128 b_l1(128, 128);  // 0x10000..0x17fff
  TASSIGN(b_l1, 0x10000);
  MatHalf128x128 a_l1[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(a_l1[0], 0x0);
  TASSIGN(a_l1[1], 0x8000);
  // Left (L0A)
  LeftHalf128x128ZZ a_l0[2] = {{128, 128}, {128, 128}};  // 0x00000..0x07fff, 0x08000..0x0ffff
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
  // locks: flags that are set, a bit for each event
  uint32_t mte1_to_mte2 = 0, mte1_to_m = 0, mte2_to_mte1 = 0, m_to_mte1 = 0, m_to_fix = 0, fix_to_m = 0;

  const int64_t blocks = a_shape0 / N;                          // matmul_relu_gm.py:42
  wait_release<PIPE_MTE1, PIPE_MTE2>(mte1_to_mte2, 2);          // matmul_relu_gm.py:45
  b_gm.SetShape<3, 4>(b_l1.GetValidRow(), b_l1.GetValidCol());  // matmul_relu_gm.py:45
  TASSIGN(b_gm, b);
  TLOAD(b_l1, b_gm);
  pass_release<PIPE_MTE2, PIPE_MTE1>(mte2_to_mte1, 2);                   // matmul_relu_gm.py:45
  wait_release<PIPE_M, PIPE_MTE1>(m_to_mte1, 5);                         // matmul_relu_gm.py:46
  wait_release<PIPE_MTE2, PIPE_MTE1>(mte2_to_mte1, 2);                   // matmul_relu_gm.py:46
  TMOV(b_l0, b_l1);                                                      // matmul_relu_gm.py:46
  pass_release<PIPE_MTE1, PIPE_M>(mte1_to_m, 5);                         // matmul_relu_gm.py:46
  pass_release<PIPE_MTE1, PIPE_MTE2>(mte1_to_mte2, 2);                   // matmul_relu_gm.py:46
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
    wait_release<PIPE_MTE1, PIPE_MTE2>(mte1_to_mte2, cur_a_id);     // matmul_relu_gm.py:52
    a_gm.SetShape<3, 4>(cur_a.GetValidRow(), cur_a.GetValidCol());  // matmul_relu_gm.py:52
    TASSIGN(a_gm, a + i * N * 128);
    TLOAD(cur_a, a_gm);
    pass_release<PIPE_MTE2, PIPE_MTE1>(mte2_to_mte1, cur_a_id);  // matmul_relu_gm.py:52
    wait_release<PIPE_M, PIPE_MTE1>(m_to_mte1, cur_left_id);     // matmul_relu_gm.py:53
    wait_release<PIPE_MTE2, PIPE_MTE1>(mte2_to_mte1, cur_a_id);  // matmul_relu_gm.py:53
    TMOV(cur_left, cur_a);                                       // matmul_relu_gm.py:53
    pass_release<PIPE_MTE1, PIPE_M>(mte1_to_m, cur_left_id);     // matmul_relu_gm.py:53
    pass_release<PIPE_MTE1, PIPE_MTE2>(mte1_to_mte2, cur_a_id);  // matmul_relu_gm.py:53
    wait_release<PIPE_FIX, PIPE_M>(fix_to_m, cur_c_id);          // matmul_relu_gm.py:54
    wait_release<PIPE_MTE1, PIPE_M>(mte1_to_m, cur_left_id);     // matmul_relu_gm.py:54
    wait_release<PIPE_MTE1, PIPE_M>(mte1_to_m, 5);               // matmul_relu_gm.py:54
    TMATMUL(cur_c, cur_left, b_l0);                              // matmul_relu_gm.py:54
    pass_release<PIPE_M, PIPE_FIX>(m_to_fix, cur_c_id);          // matmul_relu_gm.py:54
    pass_release<PIPE_M, PIPE_MTE1>(m_to_mte1, cur_left_id);     // matmul_relu_gm.py:54
    pass_release<PIPE_M, PIPE_MTE1>(m_to_mte1, 5);               // matmul_relu_gm.py:54
    if (ahead == LEAD) {                                         // matmul_relu_gm.py:55
      wait_flag_dev(1);                                          // matmul_relu_gm.py:56
    } else {
      ahead += 1;  // matmul_relu_gm.py:58
    }
    wait_release<PIPE_M, PIPE_FIX>(m_to_fix, cur_c_id);                   // matmul_relu_gm.py:59
    product_gm.SetShape<3, 4>(cur_c.GetValidRow(), cur_c.GetValidCol());  // matmul_relu_gm.py:59
    TASSIGN(product_gm, product + i * N * 128);
    TSTORE(product_gm, cur_c);
    pass_release<PIPE_FIX, PIPE_M>(fix_to_m, cur_c_id);  // matmul_relu_gm.py:59
    ffts_cross_core_sync(PIPE_FIX, getFFTSMsg(2, 0));    // matmul_relu_gm.py:60
  }
  for (int64_t _ = 0; _ < ahead; ++_) {  // matmul_relu_gm.py:61
    wait_flag_dev(1);                    // matmul_relu_gm.py:62
  }
  wait_releases<PIPE_MTE1, PIPE_MTE2>(mte1_to_mte2);
  wait_releases<PIPE_MTE1, PIPE_M>(mte1_to_m);
  wait_releases<PIPE_MTE2, PIPE_MTE1>(mte2_to_mte1);
  wait_releases<PIPE_M, PIPE_MTE1>(m_to_mte1);
  wait_releases<PIPE_M, PIPE_FIX>(m_to_fix);
  wait_releases<PIPE_FIX, PIPE_M>(fix_to_m);
}

#endif  // __DAV_CUBE__

#if defined(__DAV_VEC__)
using VecFloat64x128 = Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

// matmul_relu_gm.py:25
AICORE inline void matmul_relu_gm_impl_vector(__gm__ float* product, __gm__ float* out, int64_t a_shape0,
                                              __gm__ int64_t* ffts_addr) {
  set_ffts_base_addr(reinterpret_cast<uint64_t>(ffts_addr));
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
  // locks: flags that are set, a bit for each event
  uint32_t mte2_to_mte3 = 0, mte2_to_v = 0, mte3_to_mte2 = 0, mte3_to_v = 0, v_to_mte2 = 0, v_to_mte3 = 0;

  const int64_t blocks = a_shape0 / N;  // matmul_relu_gm.py:42
  // matmul_relu_gm.py:64
  for (int64_t i = (get_block_idx() * get_subblockdim() + get_subblockid()) / 2; i < blocks; i += get_block_num()) {
    const int64_t row = i * N + get_subblockid() * 64;  // matmul_relu_gm.py:65
    half_ub_cursor = (half_ub_cursor + 1) % 2;          // matmul_relu_gm.py:66
    auto& cur = half_ub[half_ub_cursor];                // matmul_relu_gm.py:66
    const int64_t cur_id = half_ub_ids[half_ub_cursor];
    wait_flag_dev(0);                                          // matmul_relu_gm.py:67
    wait_release<PIPE_MTE3, PIPE_MTE2>(mte3_to_mte2, cur_id);  // matmul_relu_gm.py:68
    wait_release<PIPE_V, PIPE_MTE2>(v_to_mte2, cur_id);
    product_gm.SetShape<3, 4>(cur.GetValidRow(), cur.GetValidCol());  // matmul_relu_gm.py:68
    TASSIGN(product_gm, product + row * 128);
    TLOAD(cur, product_gm);
    pass_release<PIPE_MTE2, PIPE_MTE3>(mte2_to_mte3, cur_id);  // matmul_relu_gm.py:68
    pass_release<PIPE_MTE2, PIPE_V>(mte2_to_v, cur_id);
    ffts_cross_core_sync(PIPE_MTE2, getFFTSMsg(2, 1));   // matmul_relu_gm.py:69
    wait_release<PIPE_MTE2, PIPE_V>(mte2_to_v, cur_id);  // matmul_relu_gm.py:70
    wait_release<PIPE_MTE3, PIPE_V>(mte3_to_v, cur_id);
    TRELU(cur, cur);                                     // matmul_relu_gm.py:70
    pass_release<PIPE_V, PIPE_MTE2>(v_to_mte2, cur_id);  // matmul_relu_gm.py:70
    pass_release<PIPE_V, PIPE_MTE3>(v_to_mte3, cur_id);
    wait_release<PIPE_MTE2, PIPE_MTE3>(mte2_to_mte3, cur_id);  // matmul_relu_gm.py:71
    wait_release<PIPE_V, PIPE_MTE3>(v_to_mte3, cur_id);
    out_gm.SetShape<3, 4>(cur.GetValidRow(), cur.GetValidCol());  // matmul_relu_gm.py:71
    TASSIGN(out_gm, out + row * 128);
    TSTORE(out_gm, cur);
    pass_release<PIPE_MTE3, PIPE_MTE2>(mte3_to_mte2, cur_id);  // matmul_relu_gm.py:71
    pass_release<PIPE_MTE3, PIPE_V>(mte3_to_v, cur_id);
  }
  wait_releases<PIPE_MTE2, PIPE_MTE3>(mte2_to_mte3);
  wait_releases<PIPE_MTE2, PIPE_V>(mte2_to_v);
  wait_releases<PIPE_MTE3, PIPE_MTE2>(mte3_to_mte2);
  wait_releases<PIPE_MTE3, PIPE_V>(mte3_to_v);
  wait_releases<PIPE_V, PIPE_MTE2>(v_to_mte2);
  wait_releases<PIPE_V, PIPE_MTE3>(v_to_mte3);
}

#endif  // __DAV_VEC__

AICORE inline void matmul_relu_gm_impl([[maybe_unused]] __gm__ half* a, [[maybe_unused]] __gm__ half* b,
                                       __gm__ float* product, [[maybe_unused]] __gm__ float* out, int64_t a_shape0,
                                       [[maybe_unused]] int64_t product_shape0, [[maybe_unused]] int64_t out_shape0,
                                       __gm__ int64_t* ffts_addr) {
#if defined(__DAV_CUBE__)
  matmul_relu_gm_impl_cube(a, b, product, a_shape0, ffts_addr);
#endif
#if defined(__DAV_VEC__)
  matmul_relu_gm_impl_vector(product, out, a_shape0, ffts_addr);
#endif
}

extern "C" __global__ AICORE void matmul_relu_gm(__gm__ half* a, __gm__ half* b, __gm__ float* product,
                                                 __gm__ float* out, int64_t a_shape0, int64_t product_shape0,
                                                 int64_t out_shape0, __gm__ int64_t* ffts_addr) {
  matmul_relu_gm_impl(a, b, product, out, a_shape0, product_shape0, out_shape0, ffts_addr);
}
