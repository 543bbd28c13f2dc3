// Kernel rope_vf of rope_vf.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t TOKENS = 8;
constexpr int64_t PAIRS = 64;
constexpr int64_t HEAD = 128;
constexpr int64_t WIDTH = 1024;

template <typename T>
AICORE inline T min_of(T a, T b) {
  return b < a ? b : a;
}

#if defined(__DAV_VEC__)
using VecFloat8x1024 = Tile<TileType::Vec, float, 8, 1024, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat8x64 = Tile<TileType::Vec, float, 8, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

// rope_vf.py:30
AICORE inline void rotate(VecFloat8x1024& x, VecFloat8x64& cosine, VecFloat8x64& sine, VecFloat8x1024& out,
                          int64_t tokens, int64_t heads) {
  __ubuf__ float* cosine_ptr = (__ubuf__ float*)cosine.data();  // rope_vf.py:34
  __ubuf__ float* cosine_load = cosine_ptr;
  __ubuf__ float* sine_ptr = (__ubuf__ float*)sine.data();  // rope_vf.py:35
  __ubuf__ float* sine_load = sine_ptr;
  __ubuf__ float* x_ptr = (__ubuf__ float*)x.data();      // rope_vf.py:38
  __ubuf__ float* out_ptr = (__ubuf__ float*)out.data();  // rope_vf.py:42
  __VEC_SCOPE__ {
    MaskReg every;
    RegTensor<float> c, s, even, odd, reg, reg_2, first, second;
    every = pset_b32(PAT_ALL);                                                   // rope_vf.py:32
    const uint16_t token_stop = static_cast<uint16_t>(tokens > 0 ? tokens : 0);  // rope_vf.py:33
    for (uint16_t token = 0; token < token_stop; ++token) {
      vlds(c, cosine_load, PAIRS, NORM, POST_UPDATE);                           // rope_vf.py:34
      vlds(s, sine_load, PAIRS, NORM, POST_UPDATE);                             // rope_vf.py:35
      const uint16_t head_stop = static_cast<uint16_t>(heads > 0 ? heads : 0);  // rope_vf.py:36
      for (uint16_t head = 0; head < head_stop; ++head) {
        const int64_t at = token * WIDTH + head * HEAD;  // rope_vf.py:37
        vlds(even, odd, x_ptr, at, DINTLV_B32);          // rope_vf.py:38
        vmul(reg, even, c, every, MODE_ZEROING);         // rope_vf.py:39
        vmul(reg_2, odd, s, every, MODE_ZEROING);        // rope_vf.py:39
        vsub(first, reg, reg_2, every, MODE_ZEROING);    // rope_vf.py:39
        vmul(second, even, s, every, MODE_ZEROING);      // rope_vf.py:40
        vmula(second, odd, c, every, MODE_ZEROING);      // rope_vf.py:41
        // rope_vf.py:42
        vsts((RegTensor<uint32_t>&)first, (RegTensor<uint32_t>&)second, (__ubuf__ uint32_t*)out_ptr + at, 0, INTLV_B32,
             every);
      }
    }
  };
}

// rope_vf.py:46
AICORE inline void rope_vf_impl_vector(__gm__ float* x, __gm__ float* cosine, __gm__ float* sine, __gm__ float* out,
                                       int64_t x_shape0, int64_t x_shape1, int64_t out_shape1) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat8x1024 x_ub[2] = {{8, 1024}, {8, 1024}};  // 0x00000..0x07fff, 0x08000..0x0ffff
  TASSIGN(x_ub[0], 0x0);
  TASSIGN(x_ub[1], 0x8000);
  VecFloat8x1024 out_ub[2] = {{8, 1024}, {8, 1024}};  // 0x10000..0x17fff, 0x18000..0x1ffff
  TASSIGN(out_ub[0], 0x10000);
  TASSIGN(out_ub[1], 0x18000);
  VecFloat8x64 cosine_ub[2] = {{8, 64}, {8, 64}};  // 0x20000..0x207ff, 0x20800..0x20fff
  TASSIGN(cosine_ub[0], 0x20000);
  TASSIGN(cosine_ub[1], 0x20800);
  VecFloat8x64 sine_ub[2] = {{8, 64}, {8, 64}};  // 0x21000..0x217ff, 0x21800..0x21fff
  TASSIGN(sine_ub[0], 0x21000);
  TASSIGN(sine_ub[1], 0x21800);
  int x_ub_cursor = 1;
  int out_ub_cursor = 1;
  int cosine_ub_cursor = 1;
  int sine_ub_cursor = 1;
  constexpr int64_t x_ub_ids[2] = {0, 1};
  constexpr int64_t out_ub_ids[2] = {2, 3};
  constexpr int64_t cosine_ub_ids[2] = {4, 5};
  constexpr int64_t sine_ub_ids[2] = {6, 7};
  using XGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  XGm x_gm(x, XGm::Shape(), XGm::Stride(x_shape1));
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 64, 1>> cosine_gm(cosine);
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 64, 1>> sine_gm(sine);
  using OutGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  OutGm out_gm(out, OutGm::Shape(), OutGm::Stride(out_shape1));

  const int64_t m = x_shape0;  // rope_vf.py:60
  const int64_t n = x_shape1;  // rope_vf.py:61
  // rope_vf.py:64
  for (int64_t i = get_block_idx() * get_subblockdim() + get_subblockid(); i < (m + TOKENS - 1) / TOKENS;
       i += get_block_num()) {
    const int64_t tokens = min_of<int64_t>(TOKENS, m - i * TOKENS);  // rope_vf.py:65
    x_ub_cursor = (x_ub_cursor + 1) % 2;                             // rope_vf.py:66
    auto& cur_x = x_ub[x_ub_cursor];                                 // rope_vf.py:66
    const int64_t cur_x_id = x_ub_ids[x_ub_cursor];
    out_ub_cursor = (out_ub_cursor + 1) % 2;  // rope_vf.py:67
    auto& cur_out = out_ub[out_ub_cursor];    // rope_vf.py:67
    const int64_t cur_out_id = out_ub_ids[out_ub_cursor];
    cosine_ub_cursor = (cosine_ub_cursor + 1) % 2;   // rope_vf.py:68
    auto& cur_cosine = cosine_ub[cosine_ub_cursor];  // rope_vf.py:68
    const int64_t cur_cosine_id = cosine_ub_ids[cosine_ub_cursor];
    sine_ub_cursor = (sine_ub_cursor + 1) % 2;  // rope_vf.py:69
    auto& cur_sine = sine_ub[sine_ub_cursor];   // rope_vf.py:69
    const int64_t cur_sine_id = sine_ub_ids[sine_ub_cursor];
    VecFloat8x1024* tile = &cur_x;                                  // rope_vf.py:70
    tile->SetValidShape(tokens, n);                                 // rope_vf.py:71
    tile = &cur_out;                                                // rope_vf.py:71
    tile->SetValidShape(tokens, n);                                 // rope_vf.py:71
    VecFloat8x64* tile_2 = &cur_cosine;                             // rope_vf.py:72
    tile_2->SetValidShape(tokens, PAIRS);                           // rope_vf.py:73
    tile_2 = &cur_sine;                                             // rope_vf.py:73
    tile_2->SetValidShape(tokens, PAIRS);                           // rope_vf.py:73
    get_buf(PIPE_MTE2, cur_x_id, 0);                                // rope_vf.py:74
    x_gm.SetShape<3, 4>(cur_x.GetValidRow(), cur_x.GetValidCol());  // rope_vf.py:74
    TASSIGN(x_gm, x + i * TOKENS * x_shape1);
    TLOAD(cur_x, x_gm);
    rls_buf(PIPE_MTE2, cur_x_id, 0);                                               // rope_vf.py:74
    get_buf(PIPE_MTE2, cur_cosine_id, 0);                                          // rope_vf.py:75
    cosine_gm.SetShape<3, 4>(cur_cosine.GetValidRow(), cur_cosine.GetValidCol());  // rope_vf.py:75
    TASSIGN(cosine_gm, cosine + i * TOKENS * 64);
    TLOAD(cur_cosine, cosine_gm);
    rls_buf(PIPE_MTE2, cur_cosine_id, 0);                                    // rope_vf.py:75
    get_buf(PIPE_MTE2, cur_sine_id, 0);                                      // rope_vf.py:76
    sine_gm.SetShape<3, 4>(cur_sine.GetValidRow(), cur_sine.GetValidCol());  // rope_vf.py:76
    TASSIGN(sine_gm, sine + i * TOKENS * 64);
    TLOAD(cur_sine, sine_gm);
    rls_buf(PIPE_MTE2, cur_sine_id, 0);                                   // rope_vf.py:76
    get_buf(PIPE_V, cur_x_id, 0);                                         // rope_vf.py:77
    get_buf(PIPE_V, cur_cosine_id, 0);                                    // rope_vf.py:77
    get_buf(PIPE_V, cur_sine_id, 0);                                      // rope_vf.py:77
    get_buf(PIPE_V, cur_out_id, 0);                                       // rope_vf.py:77
    rotate(cur_x, cur_cosine, cur_sine, cur_out, tokens, n / HEAD);       // rope_vf.py:77
    rls_buf(PIPE_V, cur_x_id, 0);                                         // rope_vf.py:77
    rls_buf(PIPE_V, cur_cosine_id, 0);                                    // rope_vf.py:77
    rls_buf(PIPE_V, cur_sine_id, 0);                                      // rope_vf.py:77
    rls_buf(PIPE_V, cur_out_id, 0);                                       // rope_vf.py:77
    get_buf(PIPE_MTE3, cur_out_id, 0);                                    // rope_vf.py:78
    out_gm.SetShape<3, 4>(cur_out.GetValidRow(), cur_out.GetValidCol());  // rope_vf.py:78
    TASSIGN(out_gm, out + i * TOKENS * out_shape1);
    TSTORE(out_gm, cur_out);
    rls_buf(PIPE_MTE3, cur_out_id, 0);  // rope_vf.py:78
  }
}

#endif  // __DAV_VEC__

AICORE inline void rope_vf_impl(__gm__ float* x, __gm__ float* cosine, __gm__ float* sine, __gm__ float* out,
                                int64_t x_shape0, int64_t x_shape1, [[maybe_unused]] int64_t cosine_shape0,
                                [[maybe_unused]] int64_t sine_shape0, [[maybe_unused]] int64_t out_shape0,
                                int64_t out_shape1) {
#if defined(__DAV_VEC__)
  rope_vf_impl_vector(x, cosine, sine, out, x_shape0, x_shape1, out_shape1);
#endif
}

extern "C" __global__ AICORE void rope_vf(__gm__ float* x, __gm__ float* cosine, __gm__ float* sine, __gm__ float* out,
                                          int64_t x_shape0, int64_t x_shape1, int64_t cosine_shape0,
                                          int64_t sine_shape0, int64_t out_shape0, int64_t out_shape1) {
  rope_vf_impl(x, cosine, sine, out, x_shape0, x_shape1, cosine_shape0, sine_shape0, out_shape0, out_shape1);
}
