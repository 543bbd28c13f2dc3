"""Names that generated C++ may not give to something of the kernel.

ANYWHERE: keywords, macros, and the names that generated code itself uses; a variable called so would hide them.
AT_FILE_SCOPE: further names of namespace pto (`using namespace pto` makes an equal name ambiguous) and of the C
library, which only clash with constants, types and functions.
"""

from __future__ import annotations

_KEYWORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
    compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int
    long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
    this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t
    while xor xor_eq final override import module typeof restrict
"""

_TYPES = """
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t uintptr_t intptr_t half
    bfloat16_t float8_e4m3_t float8_e5m2_t float8_e8m0_t hifloat8_t float4_e2m1x2_t float4_e1m2x2_t event_t pipe_t
    std pto cce
"""

_MACROS = """
    AICORE PTO_INST PTO_INTERNAL NULL EOF INT8_MIN INT8_MAX INT16_MIN INT16_MAX INT32_MIN INT32_MAX INT64_MIN
    INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX INT_MIN INT_MAX LONG_MIN LONG_MAX UINT_MAX
    CHAR_BIT CHAR_MAX CHAR_MIN SHRT_MAX SHRT_MIN FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON INFINITY
    NAN HUGE_VAL HUGE_VALF M_PI M_E M_LN2 M_LN10 M_LOG2E M_LOG10E M_SQRT2 M_SQRT1_2 M_PI_2 M_PI_4 M_1_PI M_2_PI
    M_2_SQRTPI errno assert stdin stdout stderr linux unix BUFSIZ RAND_MAX EXIT_SUCCESS EXIT_FAILURE isnan isinf
    isfinite signbit offsetof MEMORY_BASE REGISTER_BASE PTOPRO_TURN PTOPRO_SIMULATOR PTO_NPU_ARCH_A2A3
    PTO_NPU_ARCH_A5 TILING_KEY_VAR MAP_INSTR_IMPL MAP_INSTR_IMPL_T PTO_TEMPLATE_ARGS PTO_STATIC_ASSERT INT_MOD
    CCEBlockMaxSize
"""

_USED = """
    Tile TileType GlobalTensor GlobalTensorDim Shape Stride Layout BLayout SLayout PadValue CompactMode AccToVecMode
    ReluPreMode AtomicType STPhase AccPhase RoundMode CmpMode QuantType MaskPattern SyncCoreType SyncAllMode
    HistByte MrgSortExecutedNumList TASSIGN TLOAD TSTORE SYNCALL TPRINT PIPE_S PIPE_V PIPE_M PIPE_MTE1 PIPE_MTE2
    PIPE_MTE3 PIPE_FIX PIPE_ALL EVENT_ID0 EVENT_ID1 EVENT_ID2 EVENT_ID3 EVENT_ID4 EVENT_ID5 EVENT_ID6 EVENT_ID7
    set_flag wait_flag pipe_barrier get_buf rls_buf set_intra_block wait_intra_block ffts_cross_core_sync getFFTSMsg
    wait_flag_dev set_ffts_base_addr get_block_idx get_block_num get_subblockid get_subblockdim set_mask_norm
    set_mask_count set_vector_mask set_atomic_add set_atomic_none set_atomic_f32 set_atomic_f16 set_atomic_bf16
    set_atomic_s32 set_atomic_s16 set_atomic_s8 set_ctrl get_ctrl sbitset0 sbitset1 dcci trap printf get_ar
    ENTIRE_DATA_CACHE SINGLE_CACHE_LINE CACHELINE_OUT CACHELINE_UB CACHELINE_ALL CACHELINE_ATOMIC floor_div
    floor_mod int_pow min_of max_of float_bits mailbox mailbox_store mailbox_load
    wait_release pass_release wait_releases threadIdx blockDim blockIdx gridDim warpSize expf logf sqrtf rsqrtf sinf
    cosf tanhf floorf ceilf fabsf powf fmaf asc_atomic_add asc_atomic_sub asc_atomic_max asc_atomic_min asc_atomic_and
    asc_atomic_or asc_atomic_xor asc_atomic_exch asc_atomic_cas
"""

# Words of register code.
_REGISTERS = """
    RegTensor MaskReg AddrReg UnalignReg vector_s4x2 vector_u4x2 vlds vld vsldb plds pld vsts vst vsstb psts pst vldas
    vldus vstus vstur vstas vstar pstu vgather2 vgather2_bc vgatherb vselr vscatter vbr vdup vci vmov pmov vadd vsub
    vmul vdiv vmax vmin vabsdif vmula vmadd vand vor vxor vnot vexp vln vsqrt vabs vneg vrelu vtrc vadds vmuls vmaxs
    vmins vlrelu vaxpy vprelu vshl vshls vshr vshrs vmull vaddcs vsubcs vexpdif vmulscvt vcmp_eq vcmp_ne vcmp_lt
    vcmp_gt vcmp_le vcmp_ge vcmps_eq vcmps_ne vcmps_lt vcmps_gt vcmps_le vcmps_ge vsel psel vsqz vusqz vcvt
    vcvt_s42f16 vcvt_s42bf16 vcvt_s42s16 vcvt_f162s4 vcadd vcmax vcmin vcgadd vcgmax vcgmin vcpadd vintlv vdintlv
    pintlv_b8 pintlv_b16 pintlv_b32 pdintlv_b8 pdintlv_b16 pdintlv_b32 vpack vunpack ppack punpack chistv2 dhistv2
    pand por pxor pnot pset_b8 pset_b16 pset_b32 plt_b8 plt_b16 plt_b32 movp_b16 movp_b32 movvp vag_b8 vag_b16 vag_b32
    mem_bar sprclr SPR_AR MODE_ZEROING MODE_MERGING MODE_UNKNOWN MODE_STORED MODE_NO_STORED PART_EVEN PART_ODD PART_P0
    PART_P1 PART_P2 PART_P3 ROUND_R ROUND_A ROUND_F ROUND_C ROUND_Z ROUND_O ROUND_H RS_ENABLE RS_DISABLE POS_LOWEST
    POS_HIGHEST INC_ORDER DEC_ORDER LOWER HIGHER Bin_N0 Bin_N1 POST_UPDATE NORM US DS PK BLK BRC_B8 BRC_B16 BRC_B32
    US_B8 US_B16 DS_B8 DS_B16 UNPK_B8 UNPK_B16 UNPK_B32 UNPK4_B8 E2B_B16 E2B_B32 DINTLV_B8 DINTLV_B16 DINTLV_B32
    NORM_B8 NORM_B16 NORM_B32 ONEPT_B8 ONEPT_B16 ONEPT_B32 PK_B16 PK_B32 PK_B64 PK4_B32 INTLV_B8 INTLV_B16 INTLV_B32
    PAT_ALL PAT_ALLF PAT_VL1 PAT_VL2 PAT_VL3 PAT_VL4 PAT_VL8 PAT_VL16 PAT_VL32 PAT_VL64 PAT_VL128 PAT_M3 PAT_M4 PAT_H
    PAT_Q VST_VLD VLD_VST VST_VST VST_LD VST_ST VLD_ST ST_VLD ST_VST LD_VST VV_ALL VS_ALL SV_ALL PTOPRO_AT
"""

_INSTRUCTIONS = """
    TABS TADD TADDC TADDDEQRELU TADDDEQRELU_IMPL TADDRELUCONV TADDS TADDSC TALLOC TAND TANDS TASSIGN TAXPY TCI TCMP
    TCMPS TCOLARGMAX TCOLARGMIN TCOLEXPAND TCOLEXPANDADD TCOLEXPANDDIV TCOLEXPANDEXPDIF TCOLEXPANDMAX TCOLEXPANDMIN
    TCOLEXPANDMUL TCOLEXPANDSUB TCOLMAX TCOLMIN TCOLPROD TCOLSUM TCONCAT TCVT TCVT_IMPL TDEINTERLEAVE
    TDEINTERLEAVE_IMPL TDEQUANT TDIV TDIVS TEXP TEXPANDS TEXTRACT TEXTRACT_FP TFILLPAD TFILLPAD_EXPAND
    TFILLPAD_INPLACE TFMOD TFMODS TFREE TFUSEDMULADD TFUSEDMULADDRELU TGATHER TGATHERB TGEMV TGEMV_ACC TGEMV_BIAS
    TGEMV_MX TGET_SCALE_ADDR THISTOGRAM TIMG2COL TINSERT TINSERT_FP TINTERLEAVE TLOAD TLOG TLRELU TMATMUL
    TMATMUL_ACC TMATMUL_BIAS TMATMUL_MX TMATMUL_MX_IMPL TMAX TMAXS TMIN TMINS TMOV TMOV_FP TMRGSORT TMRGSORT_IMPL
    TMUL TMULADDDST TMULS TNEG TNOT TOR TORS TPAIRREDUCESUM TPARTADD TPARTARGMAX TPARTARGMIN TPARTMAX TPARTMIN
    TPARTMUL TPOP TPOP_IMPL TPOW TPOWS TPREFETCH TPREFETCH_ASYNC TPREFETCH_ASYNC_IMPL TPRELU TPRINT TPUSH TQUANT
    TRANDOM TRECIP TRELU TREM TREMS TRESHAPE TROWARGMAX TROWARGMIN TROWEXPAND TROWEXPANDADD TROWEXPANDDIV
    TROWEXPANDEXPDIF TROWEXPANDMAX TROWEXPANDMIN TROWEXPANDMUL TROWEXPANDSUB TROWMAX TROWMIN TROWPROD TROWSUM TRSQRT
    TSCATTER TSEL TSELS TSHL TSHLS TSHR TSHRS TSORT32 TSQRT TSTORE TSTORE_FP TSUB TSUBC TSUBRELU TSUBRELUCONV TSUBS
    TSUBSC TSUBVIEW TSYNC TTRANS TTRI TXOR TXORS
"""

_PTO = """
    DYNAMIC Op Event RecordEvent TPipe PrintFormat FixpipeParams TileConfig TileDataType PadCustom PadValueCustom
    TileShape2D BaseShape2D ConvTile TileLeft TileRight TileAcc TSYNC FillPadMode MemorySpace REPEAT_BYTE
    BLOCK_MAX_PER_REPEAT REPEAT_MAX BLOCK_BYTE_SIZE FIXP_BURST_UNIT_LEN SHIFT_BLOCK_LEN SHIFT_BLOCK_BYTE
    SHIFT_FRACTAL_BYTE REPEAT_STRIDE_MAX TMP_UB_SIZE TMP_UB_OFFSET MASK_LEN BLOCK_LEN CUBE_BLOCK_SIZE C0_SIZE_BYTE
    FRACTAL_NZ_ROW FRACTAL_ZZ_ROW ACC_C0_SIZE B4_C0_SIZE MX_COL_LEN MX_ROW_LEN MX_BLOCK_SIZE HIF4_COL_LEN
    HIF4_ROW_LEN HIF4_BLOCK_SIZE B8_DATA_TYPE_OFFSET MAD_MODE_BIT MAD_ROUND_MODE_BIT TROW_PROD_LOOP_B16
    TROW_PROD_LOOP_B32 PAD_SHIFT_LENGTH PTO_TIME_1 PTO_TIME_2 PTO_TIME_4 PTO_IDX_0 PTO_IDX_1 PTO_IDX_2 PTO_IDX_3
    NUM_1 NUM_4 NUM_8 NUM_12 NUM_16 NUM_32 NUM_64 NUM_77 NUM_96 NUM_128 NUM_256 NUM_512 NORM INTLV ZEROING
    MODE_ZEROING MODE_MERGING POST_UPDATE PAT_ALL NORM_B8 NORM_B16 NORM_B32 RegTensor MaskReg UnalignReg AddrReg max
    min
"""

_C_LIBRARY = """
    abort abs acos acosf asin asinf atan atan2 atanf atof atoi atol bsearch calloc cbrt ceil ceilf clock close
    copysign cos cosf cosh ctime difftime div dup erf erfc exit exp exp2 expf expm1 fabs fabsf fclose fdim fgetc
    floor floorf fma fmax fmin fmod fopen fork fputc fread free frexp fscanf fseek ftell fwrite gamma getc getchar
    getenv gets gmtime hypot ilogb index isalnum isalpha iscntrl isdigit isgraph islower isprint ispunct isspace
    isupper isxdigit j0 j1 jn labs ldexp ldiv lgamma link llabs lldiv llrint llround localtime log log10 log1p log2
    logb logf longjmp lrint lround main malloc memchr memcmp memcpy memmove memset mktime modf nan nearbyint
    nextafter open perror pipe pow powf putc putchar puts qsort raise rand random read realloc remainder remove
    rename rewind rindex rint round scalbn scanf select setbuf setjmp signal signgam sin sinf sinh sleep sprintf
    sqrt sqrtf srand sscanf strcat strchr strcmp strcpy strlen strncmp strtol system tan tanf tanh tgamma time
    tolower toupper trunc truncf ungetc unlink wait write y0 y1 yn
"""

ANYWHERE = frozenset(f"{_KEYWORDS} {_TYPES} {_MACROS} {_USED} {_REGISTERS} {_INSTRUCTIONS}".split())
AT_FILE_SCOPE = frozenset(f"{_PTO} {_C_LIBRARY}".split())
