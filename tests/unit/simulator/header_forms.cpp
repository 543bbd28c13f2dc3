// Every form of every instruction once: compiled only, without warnings.
#include <cstdint>
#include <pto/pto-inst.hpp>
using namespace pto;

template <TileType Memory, typename T, int R, int C>
using Plain = Tile<Memory, T, R, C>;

AICORE inline void forms(__gm__ half* in, __gm__ float* out, int64_t n, const half scalar) {
  using F = Tile<TileType::Vec, float, 32, 64>;
  using H = Tile<TileType::Vec, half, 32, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512, PadValue::Zero>;
  using I = Tile<TileType::Vec, int32_t, 32, 64>;
  using B = Tile<TileType::Vec, uint8_t, 32, 64>;
  using Column = Tile<TileType::Vec, float, 32, 1, BLayout::ColMajor>;
  using Partial = Tile<TileType::Vec, float, 32, 64, BLayout::RowMajor, -1, 64>;
  using Narrow = Tile<TileType::Vec, float, 32, 64, BLayout::RowMajor, 32, -1>;
  F f, g, h;
  H half_tile(32, 64);
  I i;
  B b;
  Column column;
  Partial partial(n);
  Narrow narrow(n);
  TASSIGN<0x1000>(f);
  TASSIGN(g, (uint64_t)f.data() + 64);
  TASSIGN(column, 0x2000);
  half_tile.SetValidShape(3, 4);
  partial.SetValidRow(half_tile.GetValidRow());
  narrow.SetValidCol(half_tile.GetValidCol());

  using Contiguous = GlobalTensor<half, TileShape2D<half, 32, 64>, BaseShape2D<half, 32, 64>>;
  using Transposed =
      GlobalTensor<half, TileShape2D<half, -1, -1, Layout::DN>, BaseShape2D<half, -1, -1, Layout::DN>, Layout::DN>;
  using Fractal =
      GlobalTensor<half, TileShape2D<half, 32, 64, Layout::NZ>, BaseShape2D<half, 32, 64, Layout::NZ>, Layout::NZ>;
  using Dynamic = GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;
  Contiguous contiguous(in);
  Transposed transposed(in, {n, n}, {n, n});
  Fractal fractal(in);
  Dynamic dynamic(out, {n, 64}, {n});
  dynamic.SetShape<GlobalTensorDim::DIM_3, GlobalTensorDim::DIM_4>(half_tile.GetValidRow(), half_tile.GetValidCol());
  dynamic.SetStride<GlobalTensorDim::DIM_3>(n);
  TASSIGN(dynamic, out + dynamic.GetShape(3) * dynamic.GetStride(GlobalTensorDim::DIM_3));
  static_assert(Contiguous::GetShape<3>() == 32 && Fractal::GetShape<1>() == 4 && Fractal::GetStride<1>() == 512);

  TLOAD(half_tile, contiguous);
  TLOAD(half_tile, transposed);
  TPREFETCH(half_tile, contiguous);
  TSTORE(dynamic, f);
  TSTORE<F, Dynamic, AtomicType::AtomicAdd>(dynamic, f);

  using Mat = Tile<TileType::Mat, half, 32, 64, BLayout::ColMajor, 32, 64, SLayout::RowMajor>;
  using Acc = TileAcc<float, 32, 64>;
  using Fp = Tile<TileType::Scaling, uint64_t, 1, 64>;
  using Bias = Tile<TileType::Bias, float, 1, 64>;
  Mat mat;
  TileLeft<half, 32, 64> left;
  TileRight<half, 64, 64> right;
  Acc acc;
  Fp fp;
  Bias bias;
  Tile<TileType::Mat, half, 64, 64, BLayout::ColMajor, 64, 64, SLayout::RowMajor> square;
  Tile<TileType::Vec, float, 16, 64> upper;
  TLOAD(mat, fractal);
  TMOV(left, mat);
  TMOV(right, square);
  TEXTRACT(left, square, 16, 0);
  TINSERT(square, half_tile, 16, 0);
  TMATMUL(acc, left, right);
  TMATMUL<AccPhase::Partial>(acc, left, right);
  TMATMUL_ACC(acc, acc, left, right);
  TMATMUL_ACC<AccPhase::Final>(acc, acc, left, right);
  TMATMUL_ACC(acc, left, right);
  TMATMUL_BIAS(acc, left, right, bias);
  TMATMUL_BIAS<AccPhase::Final>(acc, left, right, bias);
  TGEMV(acc, left, right);
  TGEMV_ACC(acc, acc, left, right);
  TGEMV_BIAS(acc, left, right, bias);
  const uint64_t word = static_cast<uint64_t>(__builtin_bit_cast(uint32_t, 0.5f));
  TSTORE<STPhase::Final, Acc, Dynamic>(dynamic, acc);
  TSTORE<STPhase::Final, Acc, Dynamic, AtomicType::AtomicNone, ReluPreMode::NormalRelu>(dynamic, acc);
  TSTORE<Acc, Dynamic, AtomicType::AtomicNone, ReluPreMode::NormalRelu>(dynamic, acc, word);
  TSTORE<STPhase::Partial, Acc, Dynamic>(dynamic, acc, word);
  TSTORE_FP(dynamic, acc, fp);
  TMOV<F, Acc>(f, acc);
  TMOV<F, Acc, ReluPreMode::NormalRelu>(f, acc);
  TMOV<F, Acc, AccToVecMode::SingleModeVec1>(f, acc);
  TMOV<decltype(upper), Acc, AccToVecMode::DualModeSplitM, ReluPreMode::NormalRelu>(upper, acc);
  TMOV<H, Acc, AccToVecMode::SingleModeVec0>(half_tile, acc, word);
  TMOV<STPhase::Final, F, Acc>(f, acc);
  TMOV<F, Acc>(f, acc, word);
  TMOV_FP(f, acc, fp);
  TMOV<F, Acc, Fp, AccToVecMode::SingleModeVec0>(f, acc, fp);
  TEXTRACT<F, Acc, AccToVecMode::SingleModeVec0>(f, acc, 0, 0);
  TEXTRACT<H, Acc>(half_tile, acc, word, 0, 0);
  TEXTRACT_FP(half_tile, acc, fp, 0, 0);

  using Left8 = TileLeft<float8_e4m3_t, 32, 64>;
  using Right8 = TileRight<float8_e5m2_t, 64, 64>;
  Left8 left8;
  Right8 right8;
  Tile<TileType::ScaleLeft, float8_e8m0_t, 32, 2, BLayout::RowMajor, 32, 2, SLayout::RowMajor, 32> scale_left;
  Tile<TileType::ScaleRight, float8_e8m0_t, 2, 64, BLayout::ColMajor, 2, 64, SLayout::ColMajor, 32> scale_right;
  TMATMUL_MX(acc, left8, scale_left, right8, scale_right);
  TMATMUL_MX_IMPL<AccPhase::Final>(acc, acc, left8, scale_left, right8, scale_right);

  TADD(f, g, h), TSUB(f, g, h), TMUL(f, g, h), TDIV(f, g, h), TMAX(f, g, h), TMIN(f, g, h);
  TAND(i, i, i), TOR(i, i, i), TXOR(i, i, i, i), TSHL(i, i, i), TSHR(i, i, i), TREM(f, g, h, f);
  TADDC(f, g, h, f), TSUBC(f, g, h, f), TADDSC(f, g, 1.0f, h), TSUBSC(f, g, 1.0f, h);
  TADDS(f, g, 1.0f), TSUBS(f, g, 2), TMULS(half_tile, half_tile, scalar), TDIVS(f, g, 2.0f), TDIVS(f, 2.0f, g);
  TREMS(f, g, 2.0f, h), TMAXS(f, g, 0.0f), TMINS(f, g, 0.0f), TANDS(i, i, 1), TORS(i, i, 1), TXORS(i, i, 1, i);
  TSHLS(i, i, 1), TSHRS(i, i, 1), TAXPY(f, g, 0.5f), TLRELU(f, g, 0.1f);
  TNEG(f, g), TABS(f, g), TEXP(f, g), TLOG(f, g), TSQRT(f, g), TRSQRT(f, g), TRECIP(f, g), TRELU(f, g), TNOT(i, i);
  TCVT(half_tile, f, RoundMode::CAST_RINT), TCVT(i, f, RoundMode::CAST_TRUNC, SaturationMode::OFF);
  TEXPANDS(f, 0.0f), TEXPANDS(half_tile, scalar), TCI<I, int32_t, 0>(i, 0), TCI<I, int32_t, 1>(i, 7);
  TCMP(b, f, g, CmpMode::GE), TCMPS(b, f, 1.0f, CmpMode::LT), TSEL(f, b, g, h, h), TSELS(f, b, g, h, 0.0f);
  TROWSUM(column, f, g), TROWMAX(column, f, g), TROWMIN(column, f, g), TROWPROD(column, f, g);
  TROWARGMAX(column, f, g), TROWARGMIN(column, f, g);
  TCOLSUM(f, g), TCOLSUM(f, g, h, false), TCOLMAX(f, g), TCOLMIN(f, g), TCOLPROD(f, g);
  TCOLARGMAX(i, g, h), TCOLARGMIN(i, g, h);
  TROWEXPAND(f, column), TROWEXPANDADD(f, g, column), TROWEXPANDSUB(f, g, column), TROWEXPANDMUL(f, g, column);
  TROWEXPANDDIV(f, g, column), TROWEXPANDMAX(f, g, column), TROWEXPANDMIN(f, g, column);
  TROWEXPANDEXPDIF(f, g, column), TROWEXPANDADD(f, g, column, h);
  TCOLEXPAND(f, g), TCOLEXPANDADD(f, g, h), TCOLEXPANDSUB(f, g, h), TCOLEXPANDMUL(f, g, h), TCOLEXPANDDIV(f, g, h);
  TCOLEXPANDMAX(f, g, h), TCOLEXPANDMIN(f, g, h), TCOLEXPANDEXPDIF(f, g, h);
  TPARTADD(f, partial, narrow), TPARTMUL(f, g, h), TPARTMAX(f, g, h), TPARTMIN(f, g, h);
  TFILLPAD(half_tile, half_tile), TFILLPAD_INPLACE(half_tile, half_tile), TFILLPAD_EXPAND(half_tile, half_tile);
  TTRANS(f, g, h), TRESHAPE(f, g);
  TGATHER(f, g, i, i), TGATHER(f, g, i), TGATHER<F, F, MaskPattern::P0101>(f, g), TGATHERB(f, g, i);
  TGATHER<I, F, Column, I, F, CmpMode::GT>(i, f, column, i, g, 0), TSCATTER(f, g, i);
  MrgSortExecutedNumList executed;
  TSORT32(f, g, i), TSORT32(f, g, i, h), TMRGSORT(f, g, 64);
  TMRGSORT<F, F, F, F, true>(f, executed, h, g, g), TMRGSORT_IMPL<F, F, F, F, F, F, false>(f, executed, h, g, g, g, g);
  THISTOGRAM<HistByte::BYTE_1>(i, b, b);
  TQUANT<QuantType::INT8_SYM>(b, f, column), TQUANT<QuantType::INT8_ASYM>(b, f, column, &column);
  TDEQUANT(f, b, column, column);
  TPRINT(f), TPRINT(contiguous);

  set_mask_norm(), set_mask_count(), set_vector_mask(-1, -1);
  set_atomic_f16(), set_atomic_add(), set_atomic_none();
  set_ctrl(sbitset1(sbitset0(get_ctrl(), 51), 51));
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0), wait_flag(PIPE_MTE2, PIPE_V, static_cast<event_t>(n));
  get_buf(PIPE_V, n, 0), rls_buf(PIPE_V, n, 0), pipe_barrier(PIPE_MTE2);
  set_intra_block(PIPE_FIX, 3), wait_intra_block(PIPE_V, 3);
  ffts_cross_core_sync(PIPE_FIX, getFFTSMsg(2, 3)), wait_flag_dev(3), wait_flag_dev(PIPE_V, 3);
  set_ffts_base_addr((unsigned long)out);
  SYNCALL(), SYNCALL<SyncCoreType::Mix>(), SYNCALL<SyncAllMode::Soft, SyncCoreType::AIVOnly>(dynamic, f, 4);
  dcci(static_cast<__gm__ void*>(out), ENTIRE_DATA_CACHE, CACHELINE_OUT), dcci(out, SINGLE_CACHE_LINE), dsb(DSB_DDR);
  cce::printf("%lld %f\n", static_cast<long long>(get_block_idx() * get_subblockdim() + get_subblockid()), 1.0);
  f.SetValue(0, f.GetValue(1) + static_cast<float>(get_block_num()));
  PTOPRO_TURN(0);
  if (n < 0) trap();
}

extern "C" __global__ AICORE void all_forms(__gm__ half* in, __gm__ float* out, int64_t n) {
  forms(in, out, n, half(1));
}
