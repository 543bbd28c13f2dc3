"""The enumerations of the language, with the members of its public documentation."""

from __future__ import annotations

import enum


class MemorySpace(enum.Enum):
    """Where data lies. Vec is UB, Mat is L1, Left/Right/Acc are L0A/L0B/L0C, DDR is global memory."""

    DDR = 0
    Vec = 1
    Mat = 2
    Left = 3
    Right = 4
    Scaling = 5
    Acc = 6
    Bias = 7
    ScaleLeft = 8
    ScaleRight = 9


class PipeType(enum.Enum):
    """The in-order instruction queues of a core. There is no bar_v: V is in order."""

    MTE1 = 0
    MTE2 = 1
    MTE3 = 2
    M = 3
    V = 4
    S = 5
    FIX = 6
    ALL = 7


class TensorLayout(enum.Enum):
    ND = 0
    DN = 1
    NZ = 2
    ZN = 3
    NN = 4
    ZZ = 5


class TilePad(enum.Enum):
    null = 0
    zero = 1
    max = 2
    min = 3


class ReluPreMode(enum.Enum):
    NormalRelu = 0


class AtomicType(enum.Enum):
    AtomicNone = 0
    AtomicAdd = 1


class STPhase(enum.Enum):
    Unspecified = 0
    Partial = 1
    Final = 2


class AccPhase(enum.Enum):
    Unspecified = 0
    Partial = 1
    Final = 2


class AccToVecMode(enum.Enum):
    SingleModeVec0 = 0
    SingleModeVec1 = 1
    DualModeSplitM = 2
    DualModeSplitN = 3


class RoundMode(enum.Enum):
    CAST_NONE = 0
    CAST_RINT = 1
    CAST_ROUND = 2
    CAST_FLOOR = 3
    CAST_CEIL = 4
    CAST_TRUNC = 5
    CAST_ODD = 6


class QuantMode(enum.Enum):
    SYM = 0
    ASYM = 1


class CrossCoreSyncMode(enum.Enum):
    INTER_BLOCK = 0
    INTER_SUBBLOCK = 1
    INTRA_BLOCK = 2
    UNICAST_BLOCK = 3


class SyncCoreType(enum.Enum):
    AIV_ONLY = 0
    AIC_ONLY = 1
    MIX = 2


class SyncAllMode(enum.Enum):
    HARD = 0
    SOFT = 1


class CacheLine(enum.Enum):
    SINGLE_CACHE_LINE = 0
    ENTIRE_DATA_CACHE = 1


class DcciDst(enum.Enum):
    AUTO = 0
    CACHELINE_OUT = 1
    CACHELINE_UB = 2
    CACHELINE_ALL = 3
    CACHELINE_ATOMIC = 4


class FillPadMode(enum.Enum):
    NORMAL = 0
    EXPAND = 1
    INPLACE = 2


class CompareMode(enum.Enum):
    EQ = 0
    NE = 1
    LT = 2
    LE = 3
    GT = 4
    GE = 5


class ReduceMode(enum.Enum):
    SUM = 0
    MAX = 1
    MIN = 2


class MaskPattern(enum.Enum):
    ALL = 0
    ALLF = 1
    VL1 = 2
    VL2 = 3
    VL3 = 4
    VL4 = 5
    VL8 = 6
    VL16 = 7
    VL32 = 8
    VL64 = 9
    VL128 = 10
    M3 = 11
    M4 = 12
    H = 13
    Q = 14


class MergeMode(enum.Enum):
    ZEROING = 0
    MERGING = 1


class DuplicatePos(enum.Enum):
    LOWEST = 0
    HIGHEST = 1


class CastLayout(enum.Enum):
    ZERO = 0
    ONE = 1
    TWO = 2
    THREE = 3


class VFRoundMode(enum.Enum):
    CAST_ROUND = 0
    CAST_RINT = 1
    CAST_FLOOR = 2
    CAST_CEIL = 3
    CAST_TRUNC = 4
    CAST_ODD = 5
    CAST_HYBRID = 6


class SaturateMode(enum.Enum):
    OFF = 0
    ON = 1


class BinType(enum.Enum):
    BIN0 = 0
    BIN1 = 1


class HistType(enum.Enum):
    ACCUMULATE = 0
    FREQUENCY = 1


class SqueezeMode(enum.Enum):
    STORE_REG = 0
    NO_STORE_REG = 1


class PackPart(enum.Enum):
    LOWER = 0
    UPPER = 1


class MaskWidth(enum.Enum):
    B32 = 0
    B16 = 1


class LoadDist(enum.Enum):
    NORM = 0
    BRC = 1
    BRC_B8 = 2
    BRC_B16 = 3
    BRC_B32 = 4
    US = 5
    US_B8 = 6
    US_B16 = 7
    DS = 8
    DS_B8 = 9
    DS_B16 = 10
    UNPK = 11
    UNPK_B8 = 12
    UNPK_B16 = 13
    UNPK_B32 = 14
    UNPK4 = 15
    BLK = 16
    E2B = 17
    E2B_B16 = 18
    E2B_B32 = 19
    DINTLV_B8 = 20
    DINTLV_B16 = 21
    DINTLV_B32 = 22


class StoreDist(enum.Enum):
    NORM = 0
    NORM_B16 = 1
    FIRST_ELEMENT = 2
    PACK = 3
    PACK4 = 4
    INTLV = 5
    INTLV_B32 = 6


class DataCopyMode(enum.Enum):
    NORM = 0
    DATA_BLOCK_LOAD = 1
    DATA_BLOCK_COPY = 2


class IndexOrder(enum.Enum):
    INCREASE_ORDER = 0
    DECREASE_ORDER = 1


class MemBarMode(enum.Enum):
    VST_VLD = 0
    VLD_VST = 1
    VST_VST = 2
    VST_LD = 3
    VST_ST = 4
    VLD_ST = 5
    ST_VLD = 6
    ST_VST = 7
    LD_VST = 8
    VV_ALL = 9
    VS_ALL = 10
    SV_ALL = 11


class FunctionType(enum.Enum):
    Opaque = 0
    Orchestration = 1
    InCore = 2
    Helper = 3
    SimtVF = 4
    SimtCallee = 5


class CompactMode(enum.Enum):
    """How the cube memories pack a partly valid tile."""

    null = 0
    normal = 1
    row_plus_one = 2
