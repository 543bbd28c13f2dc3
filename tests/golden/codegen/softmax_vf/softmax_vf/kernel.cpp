// Kernel softmax_vf of softmax_vf.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t ROWS = 8;
constexpr int64_t LANES = 64;
constexpr int64_t WIDTH = 1024;
constexpr float LOWEST = -3e38f;

template <typename T>
AICORE inline T min_of(T a, T b) {
  return b < a ? b : a;
}

#if defined(__DAV_VEC__)
using VecFloat8x1024 = Tile<TileType::Vec, float, 8, 1024, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

// softmax_vf.py:26
AICORE inline void softmax_rows(VecFloat8x1024& x, VecFloat8x1024& out, int64_t rows, int64_t cols) {
  __ubuf__ float* x_ptr = (__ubuf__ float*)x.data();      // softmax_vf.py:36
  __ubuf__ float* out_ptr = (__ubuf__ float*)out.data();  // softmax_vf.py:44
  __VEC_SCOPE__ {
    MaskReg every, lanes;
    RegTensor<float> highest, v, reg, total, reg_2, e, reg_3, reg_4;
    every = pset_b32(PAT_ALL);                                             // softmax_vf.py:28
    const int64_t registers = (cols + LANES - 1) / LANES;                  // softmax_vf.py:29
    const uint16_t row_stop = static_cast<uint16_t>(rows > 0 ? rows : 0);  // softmax_vf.py:30
    for (uint16_t row = 0; row < row_stop; ++row) {
      const int64_t first = row * WIDTH;                                             // softmax_vf.py:31
      vdup(highest, LOWEST, every, MODE_ZEROING);                                    // softmax_vf.py:33
      const uint16_t r_stop = static_cast<uint16_t>(registers > 0 ? registers : 0);  // softmax_vf.py:34
      for (uint16_t r = 0; r < r_stop; ++r) {
        uint32_t lanes_left = static_cast<uint32_t>(cols - r * LANES);  // softmax_vf.py:35
        lanes = plt_b32(lanes_left, POST_UPDATE);
        vlds(v, x_ptr, first + r * LANES, NORM);         // softmax_vf.py:36
        vmax(highest, highest, v, lanes, MODE_MERGING);  // softmax_vf.py:37
      }
      vcmax(reg, highest, every, MODE_ZEROING);                                        // softmax_vf.py:38
      vdup(highest, reg, every, POS_LOWEST, MODE_ZEROING);                             // softmax_vf.py:38
      vdup(total, 0.0f, every, MODE_ZEROING);                                          // softmax_vf.py:40
      const uint16_t r_stop_2 = static_cast<uint16_t>(registers > 0 ? registers : 0);  // softmax_vf.py:41
      for (uint16_t r = 0; r < r_stop_2; ++r) {
        uint32_t lanes_left_2 = static_cast<uint32_t>(cols - r * LANES);  // softmax_vf.py:42
        lanes = plt_b32(lanes_left_2, POST_UPDATE);
        vlds(reg_2, x_ptr, first + r * LANES, NORM);           // softmax_vf.py:43
        vexpdif(e, reg_2, highest, lanes, PART_EVEN);          // softmax_vf.py:43
        vsts(e, out_ptr, first + r * LANES, NORM_B32, lanes);  // softmax_vf.py:44
        vadd(total, total, e, every, MODE_ZEROING);            // softmax_vf.py:45
      }
      vcadd(reg_3, total, every, MODE_ZEROING);                                        // softmax_vf.py:46
      vdup(total, reg_3, every, POS_LOWEST, MODE_ZEROING);                             // softmax_vf.py:46
      mem_bar(VST_VLD);                                                                // softmax_vf.py:48
      const uint16_t r_stop_3 = static_cast<uint16_t>(registers > 0 ? registers : 0);  // softmax_vf.py:49
      for (uint16_t r = 0; r < r_stop_3; ++r) {
        uint32_t lanes_left_3 = static_cast<uint32_t>(cols - r * LANES);  // softmax_vf.py:50
        lanes = plt_b32(lanes_left_3, POST_UPDATE);
        vlds(reg_4, out_ptr, first + r * LANES, NORM);         // softmax_vf.py:51
        vdiv(e, reg_4, total, lanes, MODE_ZEROING);            // softmax_vf.py:51
        vsts(e, out_ptr, first + r * LANES, NORM_B32, lanes);  // softmax_vf.py:52
      }
    }
  };
}

// softmax_vf.py:56
AICORE inline void softmax_vf_impl_vector(__gm__ float* x, __gm__ float* out, int64_t x_shape0, int64_t x_shape1,
                                          int64_t out_shape1) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat8x1024 x_ub[2] = {{8, 1024}, {8, 1024}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(x_ub[0], 0x0);
  TASSIGN(x_ub[1], 0x8000);
  VecFloat8x1024 out_ub[2] = {{8, 1024}, {8, 1024}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(out_ub[0], 0x10000);
  TASSIGN(out_ub[1], 0x18000);
  int x_ub_cursor = 1;
  int out_ub_cursor = 1;
  constexpr int64_t x_ub_ids[2] = {0, 1};
  constexpr int64_t out_ub_ids[2] = {2, 3};
  using XGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  XGm x_gm(x, XGm::Shape(), XGm::Stride(x_shape1));
  using OutGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  OutGm out_gm(out, OutGm::Shape(), OutGm::Stride(out_shape1));

  const int64_t m = x_shape0;  // softmax_vf.py:63
  const int64_t n = x_shape1;  // softmax_vf.py:64
  // softmax_vf.py:67
  for (int64_t i = get_block_idx() * get_subblockdim() + get_subblockid(); i < (m + ROWS - 1) / ROWS;
       i += get_block_num()) {
    const int64_t rows = min_of<int64_t>(ROWS, m - i * ROWS);  // softmax_vf.py:68
    x_ub_cursor = (x_ub_cursor + 1) % 2;                       // softmax_vf.py:69
    auto& cur_x = x_ub[x_ub_cursor];                           // softmax_vf.py:69
    const int64_t cur_x_id = x_ub_ids[x_ub_cursor];
    out_ub_cursor = (out_ub_cursor + 1) % 2;  // softmax_vf.py:70
    auto& cur_out = out_ub[out_ub_cursor];    // softmax_vf.py:70
    const int64_t cur_out_id = out_ub_ids[out_ub_cursor];
    cur_x.SetValidShape(rows, n);                                   // softmax_vf.py:71
    cur_out.SetValidShape(rows, n);                                 // softmax_vf.py:72
    get_buf(PIPE_MTE2, cur_x_id, 0);                                // softmax_vf.py:73
    x_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // softmax_vf.py:73
    TASSIGN(x_gm, x + i * ROWS * x_shape1);
    TLOAD(cur_x, x_gm);
    rls_buf(PIPE_MTE2, cur_x_id, 0);                                      // softmax_vf.py:73
    get_buf(PIPE_V, cur_x_id, 0);                                         // softmax_vf.py:74
    get_buf(PIPE_V, cur_out_id, 0);                                       // softmax_vf.py:74
    softmax_rows(cur_x, cur_out, rows, n);                                // softmax_vf.py:74
    rls_buf(PIPE_V, cur_x_id, 0);                                         // softmax_vf.py:74
    rls_buf(PIPE_V, cur_out_id, 0);                                       // softmax_vf.py:74
    get_buf(PIPE_MTE3, cur_out_id, 0);                                    // softmax_vf.py:75
    out_gm.SetShape<3, 4>(cur_out.GetValidRow(), cur_out.GetValidCol());  // softmax_vf.py:75
    TASSIGN(out_gm, out + i * ROWS * out_shape1);
    TSTORE(out_gm, cur_out);
    rls_buf(PIPE_MTE3, cur_out_id, 0);  // softmax_vf.py:75
  }
}

#endif  // __DAV_VEC__

AICORE inline void softmax_vf_impl(__gm__ float* x, __gm__ float* out, int64_t x_shape0, int64_t x_shape1,
                                   [[maybe_unused]] int64_t out_shape0, int64_t out_shape1) {
#if defined(__DAV_VEC__)
  softmax_vf_impl_vector(x, out, x_shape0, x_shape1, out_shape1);
#endif
}

extern "C" __global__ AICORE void softmax_vf(__gm__ float* x, __gm__ float* out, int64_t x_shape0, int64_t x_shape1,
                                             int64_t out_shape0, int64_t out_shape1) {
  softmax_vf_impl(x, out, x_shape0, x_shape1, out_shape0, out_shape1);
}
