// Kernel topk of topk_simt.py, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int64_t COLUMNS = 1024;

#if defined(__DAV_VEC__)
using VecFloat1x1024 = Tile<TileType::Vec, float, 1, 1024, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecFloat1x64 = Tile<TileType::Vec, float, 1, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;
using VecInt321x64 = Tile<TileType::Vec, int32_t, 1, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>;

__simt_callee__ inline int64_t beats(float other, int32_t at, float mine, int32_t i) {  // topk_simt.py:21
  if (other > mine) {                                                                   // topk_simt.py:23
    return 1;                                                                           // topk_simt.py:24
  }
  if (other == mine && at < i) {  // topk_simt.py:25
    return 1;                     // topk_simt.py:26
  }
  return 0;  // topk_simt.py:27
}

// topk_simt.py:31
__simt_vf__ __launch_bounds__(1024) inline void rank_rows(
    __ubuf__ float* values, [[maybe_unused]] uint32_t values_valid_row, [[maybe_unused]] uint32_t values_valid_col,
    __ubuf__ int32_t* places, [[maybe_unused]] uint32_t places_valid_row, [[maybe_unused]] uint32_t places_valid_col,
    __ubuf__ float* row, [[maybe_unused]] uint32_t row_valid_row, [[maybe_unused]] uint32_t row_valid_col, int32_t k) {
  // topk_simt.py:37
  const int32_t i =
      static_cast<int32_t>(threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y);
  const float mine = row[i];                                        // topk_simt.py:38
  int64_t rank = 0;                                                 // topk_simt.py:39
  for (int64_t j = 0; j < COLUMNS; ++j) {                           // topk_simt.py:40
    rank = rank + beats(row[j], static_cast<int32_t>(j), mine, i);  // topk_simt.py:41
    if (rank >= k) {                                                // topk_simt.py:42
      return;                                                       // topk_simt.py:43
    }
  }
  values[rank] = mine;  // topk_simt.py:44
  places[rank] = i;     // topk_simt.py:45
}

// topk_simt.py:49
AICORE inline void topk_impl_vector(__gm__ float* x, __gm__ float* values, __gm__ int32_t* places, int64_t x_shape0,
                                    int64_t values_shape1, int64_t places_shape1) {
  set_mask_norm();
  set_vector_mask(-1, -1);
  // Vec (UB)
  VecFloat1x1024 rows[2] = {{1, 1024}, {1, 1024}};  // 0x00000..0x00fff, 0x01000..0x01fff
  TASSIGN(rows[0], 0x0);
  TASSIGN(rows[1], 0x1000);
  VecFloat1x64 tops[2] = {{1, 64}, {1, 64}};  // 0x04000..0x040ff, 0x04100..0x041ff
  TASSIGN(tops[0], 0x4000);
  TASSIGN(tops[1], 0x4100);
  VecInt321x64 ranks[2] = {{1, 64}, {1, 64}};  // 0x04400..0x044ff, 0x04500..0x045ff
  TASSIGN(ranks[0], 0x4400);
  TASSIGN(ranks[1], 0x4500);
  int rows_cursor = 1;
  int tops_cursor = 1;
  int ranks_cursor = 1;
  constexpr int64_t rows_ids[2] = {0, 1};
  constexpr int64_t tops_ids[2] = {2, 3};
  constexpr int64_t ranks_ids[2] = {4, 5};
  GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 1024, 1>> x_gm(x);
  using ValuesGm = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  ValuesGm values_gm(values, ValuesGm::Shape(), ValuesGm::Stride(values_shape1));
  using PlacesGm = GlobalTensor<int32_t, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  PlacesGm places_gm(places, PlacesGm::Shape(), PlacesGm::Stride(places_shape1));

  const int64_t k = values_shape1;  // topk_simt.py:60
  // topk_simt.py:62
  for (int64_t i = get_block_idx() * get_subblockdim() + get_subblockid(); i < x_shape0;
       i += get_block_num() * get_subblockdim()) {
    rows_cursor = (rows_cursor + 1) % 2;  // topk_simt.py:63
    auto& row = rows[rows_cursor];        // topk_simt.py:63
    const int64_t row_id = rows_ids[rows_cursor];
    tops_cursor = (tops_cursor + 1) % 2;  // topk_simt.py:64
    auto& top = tops[tops_cursor];        // topk_simt.py:64
    const int64_t top_id = tops_ids[tops_cursor];
    ranks_cursor = (ranks_cursor + 1) % 2;  // topk_simt.py:65
    auto& rank = ranks[ranks_cursor];       // topk_simt.py:65
    const int64_t rank_id = ranks_ids[ranks_cursor];
    top.SetValidShape(1, k);                                    // topk_simt.py:66
    rank.SetValidShape(1, k);                                   // topk_simt.py:67
    get_buf(PIPE_MTE2, row_id, 0);                              // topk_simt.py:68
    x_gm.SetShape<3, 4>(row.GetValidRow(), row.GetValidCol());  // topk_simt.py:68
    TASSIGN(x_gm, x + i * 1024);
    TLOAD(row, x_gm);
    rls_buf(PIPE_MTE2, row_id, 0);  // topk_simt.py:68
    get_buf(PIPE_V, top_id, 0);     // topk_simt.py:69
    get_buf(PIPE_V, rank_id, 0);    // topk_simt.py:69
    get_buf(PIPE_V, row_id, 0);     // topk_simt.py:69
    // topk_simt.py:69
    cce::async_invoke<rank_rows>(
        cce::dim3{1024, 1, 1}, (__ubuf__ float*)top.data(), (uint32_t)top.GetValidRow(), (uint32_t)top.GetValidCol(),
        (__ubuf__ int32_t*)rank.data(), (uint32_t)rank.GetValidRow(), (uint32_t)rank.GetValidCol(),
        (__ubuf__ float*)row.data(), (uint32_t)row.GetValidRow(), (uint32_t)row.GetValidCol(), static_cast<int32_t>(k));
    rls_buf(PIPE_V, top_id, 0);                                      // topk_simt.py:69
    rls_buf(PIPE_V, rank_id, 0);                                     // topk_simt.py:69
    rls_buf(PIPE_V, row_id, 0);                                      // topk_simt.py:69
    get_buf(PIPE_MTE3, top_id, 0);                                   // topk_simt.py:70
    values_gm.SetShape<3, 4>(top.GetValidRow(), top.GetValidCol());  // topk_simt.py:70
    TASSIGN(values_gm, values + i * values_shape1);
    TSTORE(values_gm, top);
    rls_buf(PIPE_MTE3, top_id, 0);                                     // topk_simt.py:70
    get_buf(PIPE_MTE3, rank_id, 0);                                    // topk_simt.py:71
    places_gm.SetShape<3, 4>(rank.GetValidRow(), rank.GetValidCol());  // topk_simt.py:71
    TASSIGN(places_gm, places + i * places_shape1);
    TSTORE(places_gm, rank);
    rls_buf(PIPE_MTE3, rank_id, 0);  // topk_simt.py:71
  }
}

#endif  // __DAV_VEC__

AICORE inline void topk_impl(__gm__ float* x, __gm__ float* values, __gm__ int32_t* places, int64_t x_shape0,
                             [[maybe_unused]] int64_t values_shape0, int64_t values_shape1,
                             [[maybe_unused]] int64_t places_shape0, int64_t places_shape1) {
#if defined(__DAV_VEC__)
  topk_impl_vector(x, values, places, x_shape0, values_shape1, places_shape1);
#endif
}

extern "C" __global__ AICORE void topk(__gm__ float* x, __gm__ float* values, __gm__ int32_t* places, int64_t x_shape0,
                                       int64_t values_shape0, int64_t values_shape1, int64_t places_shape0,
                                       int64_t places_shape1) {
  topk_impl(x, values, places, x_shape0, values_shape0, values_shape1, places_shape0, places_shape1);
}
