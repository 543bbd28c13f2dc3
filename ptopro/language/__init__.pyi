# Written by `python -m ptopro.language.stubs` from the operation table; do not edit.
# ruff: noqa
# fmt: off
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeAlias, TypeVar, overload

from ptopro.language.surface.annotations import DYNAMIC as DYNAMIC, STATIC as STATIC, MemRef as MemRef
from ptopro.language.surface.pipeline import PipelineConfig as _PipelineConfig
from ptopro.language.surface.tiling import TilingKeyField as TilingKeyField
from ptopro.language.dtypes import DType as DataType

_F = TypeVar("_F", bound=Callable[..., Any])
Number: TypeAlias = int | float
Offsets: TypeAlias = Sequence[Any]

class Tile:
    """A tile: two axes, an element type, a memory."""
    shape: tuple[int, int]
    valid_shape: tuple[int, int]
    def __class_getitem__(cls, item: Any) -> Any: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def __add__(self, offset: int) -> Any: ...

class TileGroup:
    """Tiles of one type that take turns."""
    def next(self) -> Tile:
        """Move the cursor on by one and return the tile there (the first call: slot 0)."""
    def current(self) -> Tile:
        """The tile at the cursor."""
    def previous(self) -> Tile:
        """The tile before the cursor."""
    def __getitem__(self, index: int) -> Tile: ...

class Tensor:
    """A tensor in global memory: `x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP16]`."""
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    def __class_getitem__(cls, item: Any) -> Any: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...

class Ptr:
    """A pointer into global memory: `p: pl.Ptr[pl.DT_FP16]`."""
    def __class_getitem__(cls, item: Any) -> Any: ...
    def __add__(self, offset: int) -> Ptr: ...

class Scalar:
    def __class_getitem__(cls, item: Any) -> Any: ...

class Register:
    """A register of a vector function: 256 bytes of lanes."""

class Mask:
    """The lanes that take part in a register operation."""

class AddressRegister:
    """An offset that the surrounding loops of a vector function move on."""

class UnalignRegister:
    """The carry buffer of unaligned loads and stores."""

class KernelDef:
    """A kernel: `kernel[block_dim](...)` or `kernel[stream, block_dim](...)` launches it."""
    def __getitem__(self, item: Any) -> Callable[..., None]: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class _ElementType(type):
    def bits(cls) -> int: ...
    def get_bit(cls) -> int: ...
    def is_float(cls) -> bool: ...
    def is_int(cls) -> bool: ...
    def is_signed_int(cls) -> bool: ...
    def is_unsigned_int(cls) -> bool: ...
    def to_string(cls) -> str: ...
    def to_c_type_string(cls) -> str: ...

class DT_BOOL(int, metaclass=_ElementType): ...  # bool

class DT_INT4(int, metaclass=_ElementType): ...  # no C++ type

class DT_INT8(int, metaclass=_ElementType): ...  # int8_t

class DT_INT16(int, metaclass=_ElementType): ...  # int16_t

class DT_INT32(int, metaclass=_ElementType): ...  # int32_t

class DT_INT64(int, metaclass=_ElementType): ...  # int64_t

class DT_UINT4(int, metaclass=_ElementType): ...  # no C++ type

class DT_UINT8(int, metaclass=_ElementType): ...  # uint8_t

class DT_UINT16(int, metaclass=_ElementType): ...  # uint16_t

class DT_UINT32(int, metaclass=_ElementType): ...  # uint32_t

class DT_UINT64(int, metaclass=_ElementType): ...  # uint64_t

class DT_FP16(float, metaclass=_ElementType): ...  # half

class DT_BF16(float, metaclass=_ElementType): ...  # bfloat16_t

class DT_FP32(float, metaclass=_ElementType): ...  # float

class DT_FP8E4M3FN(float, metaclass=_ElementType): ...  # float8_e4m3_t

class DT_FP8E5M2(float, metaclass=_ElementType): ...  # float8_e5m2_t

class DT_FP8E8M0(int, metaclass=_ElementType): ...  # float8_e8m0_t

class DT_HF8(float, metaclass=_ElementType): ...  # hifloat8_t

class DT_HF4(float, metaclass=_ElementType): ...  # no C++ type

class DT_FP4(float, metaclass=_ElementType): ...  # no C++ type

class DT_FP4E2M1(float, metaclass=_ElementType): ...  # float4_e2m1x2_t

class DT_FP4E1M2(float, metaclass=_ElementType): ...  # float4_e1m2x2_t

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

ND = TensorLayout.ND
DN = TensorLayout.DN
NZ = TensorLayout.NZ
ZN = TensorLayout.ZN
NN = TensorLayout.NN
ZZ = TensorLayout.ZZ

class TileType:
    def __init__(self, shape: Any, dtype: Any, target_memory: MemorySpace = MemorySpace.Vec, valid_shape: Any = None, layout: TensorLayout | None = None, fractal: Any = None, pad: Any = None, compact: Any = None) -> None:
        """pl.TileType(shape, dtype, target_memory=pl.MemorySpace.Vec, valid_shape=None, layout=None, fractal=None, pad=None, compact=None)

        The type of a tile: shape, element type, memory, layout. It allocates nothing.

          shape: attr, a compile-time value
          dtype: attr, a compile-time value
          target_memory: pl.MemorySpace
          valid_shape: attr, a compile-time value
          layout: pl.TensorLayout
          fractal: attr, a compile-time value
          pad: attr, a compile-time value
          compact: attr, a compile-time value

        Pipe: S.
        """

@overload
def jit(target: Callable[..., Any], /) -> KernelDef: ...
@overload
def jit(
    *,
    arch: str | None = None,
    auto_mutex: bool = True,
    name: str | None = None,
    pipeline: _PipelineConfig | None = None,
    tiling_key: type | None = None,
    datatype: Mapping[str, str] | None = None,
    compile_timeout: float | None = None,
) -> Callable[[Callable[..., Any]], KernelDef]:
    """A kernel that is launched with kernel[block_dim](...)."""

@overload
def kernel(target: Callable[..., Any], /) -> KernelDef: ...
@overload
def kernel(
    *,
    meta_data: Any = None,
    name: str | None = None,
    func_type: FunctionType = ...,
    strict_ssa: bool = False,
    auto_mutex: bool = True,
    pipeline: _PipelineConfig | None = None,
    arch: str | None = None,
) -> Callable[[Callable[..., Any]], KernelDef]:
    """A kernel that is only transpiled."""

@overload
def vector_function(target: _F, /) -> _F: ...
@overload
def vector_function(*, mode: str | None = None, max_threads: int | None = None) -> Callable[[_F], _F]:
    """Register code; with mode="simt" a SIMT function."""

def function(target: Any = None, /, *, type: FunctionType = ..., strict_ssa: bool = False) -> Any: ...
def program(target: Any = None, /, *, strict_ssa: bool = False) -> Any: ...
def inline(target: _F) -> _F: ...

def range(start: int, stop: int | None = None, step: int = 1) -> Iterator[int]:
    """A loop of the kernel."""
def section_vector() -> AbstractContextManager[None]:
    """Statements of the vector cores only."""
def section_cube() -> AbstractContextManager[None]:
    """Statements of the cube core only."""
def section_vf() -> AbstractContextManager[None]:
    """Register code inside a vector section."""

def load(dst_tile: Tile, src_tensor: Tensor, offsets: Offsets, *, order: Any = None) -> None:
    """pl.load(dst_tile, src_tensor, offsets, *, order=None)

    Copy a block of a tensor into a Vec or Mat tile, at element offsets.

      dst_tile: out, a tile in Vec or Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src_tensor: in, a tensor of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      offsets: scalar, a list of scalars
      order: attr, a compile-time value

    Pipe: MTE2.
    - a tile element and a tensor element have the same width
    - one offset for each tensor axis, constants at least 0 and inside the axis
    - order: two different tensor axes; descending reads the transposed view
    - FP8E8M0 into a ZZ or NN Mat tile of fractal 32 loads MX scales: the last tensor axis is 2
    """

def load_tile(dst_tile: Tile, src_tensor: Tensor, tile_offsets: Offsets, *, order: Any = None) -> None:
    """pl.load_tile(dst_tile, src_tensor, tile_offsets, *, order=None)

    Copy a block of a tensor into a tile, at offsets counted in tiles.

      dst_tile: out, a tile in Vec or Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src_tensor: in, a tensor of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      tile_offsets: scalar, a list of scalars
      order: attr, a compile-time value

    Pipe: MTE2.
    - a tile element and a tensor element have the same width
    - one offset for each tensor axis, constants at least 0 and inside the axis
    - order: two different tensor axes; descending reads the transposed view
    - FP8E8M0 into a ZZ or NN Mat tile of fractal 32 loads MX scales: the last tensor axis is 2
    """

def store(dst_tensor: Tensor, src_tile: Tile, offsets: Offsets, *, relu_pre_mode: ReluPreMode | None = None, scale: Tile | Number | None = None, order: Any = None, atomic: AtomicType = AtomicType.AtomicNone, phase: STPhase | None = None) -> None:
    """pl.store(dst_tensor, src_tile, offsets, *, relu_pre_mode=None, scale=None, order=None, atomic=pl.AtomicType.AtomicNone, phase=None)

    Copy a Vec or Acc tile to a tensor, at element offsets.

      dst_tensor: out, a tensor of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src_tile: in, a tile in Vec or Acc of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      offsets: scalar, a list of scalars
      relu_pre_mode: pl.ReluPreMode
      scale: in, a tile or a scalar in Scaling
      order: attr, a compile-time value
      atomic: pl.AtomicType
      phase: pl.STPhase

    Pipe: by the operands' memories.
    - from Vec the element widths are equal
    - from Acc the tensor may be FP32, INT32, FP16 or BF16; with scale INT8
    - order ascending
    - a Scaling tile as scale excludes relu_pre_mode and phase
    """

def store_tile(dst_tensor: Tensor, src_tile: Tile, tile_offsets: Offsets, *, relu_pre_mode: ReluPreMode | None = None, scale: Tile | Number | None = None, order: Any = None, atomic: AtomicType = AtomicType.AtomicNone, phase: STPhase | None = None) -> None:
    """pl.store_tile(dst_tensor, src_tile, tile_offsets, *, relu_pre_mode=None, scale=None, order=None, atomic=pl.AtomicType.AtomicNone, phase=None)

    Copy a Vec or Acc tile to a tensor, at offsets counted in tiles.

      dst_tensor: out, a tensor of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src_tile: in, a tile in Vec or Acc of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      tile_offsets: scalar, a list of scalars
      relu_pre_mode: pl.ReluPreMode
      scale: in, a tile or a scalar in Scaling
      order: attr, a compile-time value
      atomic: pl.AtomicType
      phase: pl.STPhase

    Pipe: by the operands' memories.
    - from Vec the element widths are equal
    - from Acc the tensor may be FP32, INT32, FP16 or BF16; with scale INT8
    - order ascending
    - a Scaling tile as scale excludes relu_pre_mode and phase
    """

def move(dst_tile: Tile, src_tile: Tile, offset: Offsets | None = None, *, acc_to_vec_mode: AccToVecMode | None = None, relu_pre_mode: ReluPreMode | None = None, scale: Tile | Number | None = None) -> None:
    """pl.move(dst_tile, src_tile, offset=None, *, acc_to_vec_mode=None, relu_pre_mode=None, scale=None)

    Copy a tile to a tile of another memory or layout; with offset, a part of it.

      dst_tile: out, a tile in Vec or Mat or Left or Right or Acc or Bias or Scaling or ScaleLeft or ScaleRight of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src_tile: in, a tile in Vec or Mat or Left or Right or Acc or Bias or Scaling or ScaleLeft or ScaleRight of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      offset: scalar, a list of scalars
      acc_to_vec_mode: pl.AccToVecMode
      relu_pre_mode: pl.ReluPreMode
      scale: in, a tile or a scalar in Scaling

    Pipe: by the operands' memories.
    - paths: Mat to Left, Right, Bias, Scaling, ScaleLeft, ScaleRight; Acc to Vec; Vec to Vec; Vec to Mat
    - without offset the shapes are equal, or swapped between NZ and ZN
    - an offset inside the larger tile; a smaller source is inserted, a larger one extracted from
    - acc_to_vec_mode only from Acc to Vec; a Scaling tile as scale only with a single-mode move
    """

def insert(dst_tile: Tile, src_tile: Tile, offset: Offsets) -> None:
    """pl.insert(dst_tile, src_tile, offset)

    Paste a Vec tile into a larger Mat tile at [row, column].

      dst_tile: out, a tile in Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src_tile: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      offset: scalar, a list of scalars

    Pipe: MTE3.
    - two offsets; the source's valid region fits into the destination from there
    """

def ub_copy(dst: Tile, src: Tile) -> None:
    """pl.ub_copy(dst, src)

    Copy a Vec tile to a Vec tile.

      dst: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL

    Pipe: V.
    """

def store_fp(out: Tensor, tile: Tile, fp_tile: Tile, offsets: Offsets) -> None:
    """pl.store_fp(out, tile, fp_tile, offsets)

    store with a Scaling tile: one factor for each column.

      out: out, a tensor
      tile: in, a tile in Acc
      fp_tile: in, a tile in Scaling
      offsets: scalar, a list of scalars

    Pipe: FIX.
    """

def move_fp(out: Tile, src: Tile, fp_tile: Tile) -> None:
    """pl.move_fp(out, src, fp_tile)

    move from Acc to Vec with a Scaling tile: one factor for each column.

      out: out, a tile in Vec
      src: in, a tile in Acc
      fp_tile: in, a tile in Scaling

    Pipe: FIX.
    """

def reshape(out: Tile, src: Tile, shape: Offsets) -> None:
    """pl.reshape(out, src, shape)

    Read the bytes of a tile as a tile of another shape.

      out: out, a tile in Vec
      src: in, a tile in Vec
      shape: scalar, a list of scalars

    Pipe: V.
    """

def ssbuf_store(struct_var: Any, offset: Number) -> None:
    """pl.ssbuf_store(struct_var, offset)

    Copy a struct to the scalar mailbox of the block, at a byte offset.

      struct_var: in, a struct
      offset: scalar, a scalar

    Pipe: S.
    - order it with set_cross_core and wait_cross_core
    """

def ssbuf_load(struct_var: Any, offset: Number) -> None:
    """pl.ssbuf_load(struct_var, offset)

    Read a struct back from the scalar mailbox of the block, at a byte offset.

      struct_var: out, a struct
      offset: scalar, a scalar

    Pipe: S.
    - the struct type and the offset are those of the writer
    """

def add(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.add(out, lhs, rhs)

    out = lhs + rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - one element type, one shape; no broadcast
    - out may be an input
    """

def sub(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.sub(out, lhs, rhs)

    out = lhs - rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - one element type, one shape; no broadcast
    - out may be an input
    """

def mul(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.mul(out, lhs, rhs)

    out = lhs * rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      lhs: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - one element type, one shape; no broadcast
    - out may be an input
    """

def div(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.div(out, lhs, rhs)

    out = lhs / rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
      lhs: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - one element type, one shape; no broadcast
    - out may be an input
    - the divisor is not 0
    """

def and_(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.and_(out, lhs, rhs)

    out = lhs & rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - one element type, one shape; no broadcast
    - out may be an input
    """

def maximum(out: Tile, lhs: Tile, rhs: Tile | Number, *, dim: Any = None) -> None:
    """pl.maximum(out, lhs, rhs, *, dim=None)

    out = max(lhs, rhs); with dim, the max of lhs along an axis (0: of each row), rhs is scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec
      dim: attr, a compile-time value

    Pipe: V.
    - one element type, one shape; no broadcast
    - out may be an input
    - dim=0: out is [rows, 1], layout DN; dim=1: out is [1, columns]
    - dim=1 does not touch rhs
    """

def minimum(out: Tile, lhs: Tile, rhs: Tile | Number, *, dim: Any = None) -> None:
    """pl.minimum(out, lhs, rhs, *, dim=None)

    out = min(lhs, rhs); with dim, the min of lhs along an axis (0: of each row), rhs is scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec
      dim: attr, a compile-time value

    Pipe: V.
    - one element type, one shape; no broadcast
    - out may be an input
    - dim=0: out is [rows, 1], layout DN; dim=1: out is [1, columns]
    - dim=1 does not touch rhs
    """

def shl(out: Tile, lhs: Tile, rhs: Tile) -> None:
    """pl.shl(out, lhs, rhs)

    out = lhs << rhs, tiles only.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64
      rhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64

    Pipe: V.
    - 0 <= rhs < bits of the element
    """

def shr(out: Tile, lhs: Tile, rhs: Tile) -> None:
    """pl.shr(out, lhs, rhs)

    out = lhs >> rhs, tiles only.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64
      rhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64

    Pipe: V.
    - 0 <= rhs < bits of the element
    - signed elements keep their sign
    """

def xor(out: Tile, lhs: Tile, rhs: Tile, tmp: Tile) -> None:
    """pl.xor(out, lhs, rhs, tmp)

    out = lhs ^ rhs; tmp is scratch of the same type.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32
      lhs: in, a tile in Vec
      rhs: in, a tile in Vec
      tmp: scratch, a tile in Vec

    Pipe: V.
    - tmp shares no bytes with the others
    """

def rem(out: Tile, lhs: Tile, rhs: Tile) -> None:
    """pl.rem(out, lhs, rhs)

    out = lhs % rhs, tiles only.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
      lhs: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
      rhs: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32

    Pipe: V.
    """

def adds(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.adds(out, tile, scalar)

    out = tile + scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      tile: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      scalar: scalar, a scalar

    Pipe: V.
    """

def subs(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.subs(out, tile, scalar)

    out = tile - scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      tile: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      scalar: scalar, a scalar

    Pipe: V.
    """

def muls(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.muls(out, tile, scalar)

    out = tile * scalar.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      tile: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      scalar: scalar, a scalar

    Pipe: V.
    """

def divs(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.divs(out, tile, scalar)

    out = tile / scalar.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
      tile: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
      scalar: scalar, a scalar

    Pipe: V.
    """

def rems(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.rems(out, tile, scalar)

    out = tile % scalar.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
      tile: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
      scalar: scalar, a scalar

    Pipe: V.
    """

def ands(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.ands(out, tile, scalar)

    out = tile & scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32
      tile: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32
      scalar: scalar, a scalar

    Pipe: V.
    """

def ors(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.ors(out, tile, scalar)

    out = tile | scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32
      tile: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32
      scalar: scalar, a scalar

    Pipe: V.
    """

def shls(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.shls(out, tile, scalar)

    out = tile << scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64
      tile: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64
      scalar: scalar, a scalar

    Pipe: V.
    """

def shrs(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.shrs(out, tile, scalar)

    out = tile >> scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64
      tile: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64
      scalar: scalar, a scalar

    Pipe: V.
    """

def maxs(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.maxs(out, tile, scalar)

    out = tile max scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      tile: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      scalar: scalar, a scalar

    Pipe: V.
    """

def mins(out: Tile, tile: Tile, scalar: Number) -> None:
    """pl.mins(out, tile, scalar)

    out = tile min scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      tile: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      scalar: scalar, a scalar

    Pipe: V.
    """

def xors(out: Tile, tile: Tile, scalar: Number, tmp: Tile) -> None:
    """pl.xors(out, tile, scalar, tmp)

    out = tile ^ scalar; tmp is scratch of the same type.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32
      tile: in, a tile in Vec
      scalar: scalar, a scalar
      tmp: scratch, a tile in Vec

    Pipe: V.
    """

def neg(out: Tile, src: Tile) -> None:
    """pl.neg(out, src)

    out = -src.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    - one element type, one shape
    - out may be src
    """

def abs(out: Tile, src: Tile) -> None:
    """pl.abs(out, src)

    out = |src|.

      out: out, a tile in Vec of FP16, FP32, INT8, INT16, INT32
      src: in, a tile in Vec of FP16, FP32, INT8, INT16, INT32

    Pipe: V.
    - one element type, one shape
    - out may be src
    """

def exp(out: Tile, src: Tile) -> None:
    """pl.exp(out, src)

    out = e ** src.

      out: out, a tile in Vec of FP16, FP32
      src: in, a tile in Vec of FP16, FP32

    Pipe: V.
    - one element type, one shape
    - out may be src
    """

def log(out: Tile, src: Tile) -> None:
    """pl.log(out, src)

    out = ln(src).

      out: out, a tile in Vec of FP16, FP32
      src: in, a tile in Vec of FP16, FP32

    Pipe: V.
    - one element type, one shape
    - out may be src
    - src > 0
    """

def sqrt(out: Tile, src: Tile) -> None:
    """pl.sqrt(out, src)

    out = sqrt(src).

      out: out, a tile in Vec of FP16, FP32
      src: in, a tile in Vec of FP16, FP32

    Pipe: V.
    - one element type, one shape
    - out may be src
    - src >= 0
    """

def rsqrt(out: Tile, src: Tile) -> None:
    """pl.rsqrt(out, src)

    out = 1 / sqrt(src).

      out: out, a tile in Vec of FP16, FP32
      src: in, a tile in Vec of FP16, FP32

    Pipe: V.
    - one element type, one shape
    - out may be src
    - src > 0
    """

def recip(out: Tile, src: Tile) -> None:
    """pl.recip(out, src)

    out = 1 / src.

      out: out, a tile in Vec of FP16, FP32
      src: in, a tile in Vec of FP16, FP32

    Pipe: V.
    - one element type, one shape
    - out may be src
    - src is not 0
    """

def relu(out: Tile, src: Tile) -> None:
    """pl.relu(out, src)

    out = max(src, 0).

      out: out, a tile in Vec of FP16, FP32, INT32
      src: in, a tile in Vec of FP16, FP32, INT32

    Pipe: V.
    - one element type, one shape
    - out may be src
    """

def sum(out: Tile, src: Tile, tmp: Tile, *, dim: Any = 0) -> None:
    """pl.sum(out, src, tmp, *, dim=0)

    Sum along an axis: dim=0 of each row, dim=1 of each column; tmp is scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      tmp: scratch, a tile in Vec
      dim: attr, a compile-time value

    Pipe: V.
    - dim=0: out is [rows, 1], layout DN, of the type of src
    - dim=1: out is [1, columns], of the type of src
    """

def argmax(out: Tile, src: Tile, tmp: Tile, *, dim: Any = 0) -> None:
    """pl.argmax(out, src, tmp, *, dim=0)

    Index of the largest along an axis: dim=0 the column of each row, dim=1 the row of each column.

      out: out, a tile in Vec of INT32, UINT32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      tmp: scratch, a tile in Vec
      dim: attr, a compile-time value

    Pipe: V.
    - dim=0: out is [rows, 1]; dim=1: out is [1, columns]
    - out is INT32 or UINT32
    """

def argmin(out: Tile, src: Tile, tmp: Tile, *, dim: Any = 0) -> None:
    """pl.argmin(out, src, tmp, *, dim=0)

    Index of the smallest along an axis: dim=0 the column of each row, dim=1 the row of each column.

      out: out, a tile in Vec of INT32, UINT32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      tmp: scratch, a tile in Vec
      dim: attr, a compile-time value

    Pipe: V.
    - dim=0: out is [rows, 1]; dim=1: out is [1, columns]
    - out is INT32 or UINT32
    """

def row_sum(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.row_sum(out, src, tmp)

    Sum of each row; tmp is scratch.

      out: out, a tile in Vec of INT16, INT32, INT64, UINT64, FP16, FP32
      src: in, a tile in Vec of INT16, INT32, INT64, UINT64, FP16, FP32
      tmp: scratch, a tile in Vec

    Pipe: V.
    - out is [rows, 1], layout DN, of the type of src
    """

def col_sum(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.col_sum(out, src, tmp)

    Sum of each column; tmp is scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      tmp: scratch, a tile in Vec

    Pipe: V.
    - out is [1, columns], of the type of src
    """

def row_max(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.row_max(out, src, tmp)

    Maximum of each row; tmp is scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, FP32
      tmp: scratch, a tile in Vec

    Pipe: V.
    - out is [rows, 1], layout DN, of the type of src
    """

def col_max(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.col_max(out, src, tmp)

    Maximum of each column; tmp is scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      tmp: scratch, a tile in Vec

    Pipe: V.
    - out is [1, columns], of the type of src
    """

def row_min(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.row_min(out, src, tmp)

    Minimum of each row; tmp is scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, FP32
      tmp: scratch, a tile in Vec

    Pipe: V.
    - out is [rows, 1], layout DN, of the type of src
    """

def col_min(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.col_min(out, src, tmp)

    Minimum of each column; tmp is scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      tmp: scratch, a tile in Vec

    Pipe: V.
    - out is [1, columns], of the type of src
    """

def row_prod(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.row_prod(out, src, tmp)

    Product of each row; tmp is scratch.

      out: out, a tile in Vec of INT16, INT32, INT64, UINT64, FP16, FP32
      src: in, a tile in Vec of INT16, INT32, INT64, UINT64, FP16, FP32
      tmp: scratch, a tile in Vec

    Pipe: V.
    - out is [rows, 1], layout DN, of the type of src
    """

def col_prod(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.col_prod(out, src, tmp)

    Product of each column; tmp is scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      tmp: scratch, a tile in Vec

    Pipe: V.
    - out is [1, columns], of the type of src
    """

def row_argmax(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.row_argmax(out, src, tmp)

    Index of the largest of each row.

      out: out, a tile in Vec of INT32, UINT32
      src: in, a tile in Vec
      tmp: scratch, a tile in Vec

    Pipe: V.
    """

def row_argmin(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.row_argmin(out, src, tmp)

    Index of the smallest of each row.

      out: out, a tile in Vec of INT32, UINT32
      src: in, a tile in Vec
      tmp: scratch, a tile in Vec

    Pipe: V.
    """

def col_argmax(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.col_argmax(out, src, tmp)

    Index of the largest of each column.

      out: out, a tile in Vec of INT32, UINT32
      src: in, a tile in Vec
      tmp: scratch, a tile in Vec

    Pipe: V.
    """

def col_argmin(out: Tile, src: Tile, tmp: Tile) -> None:
    """pl.col_argmin(out, src, tmp)

    Index of the smallest of each column.

      out: out, a tile in Vec of INT32, UINT32
      src: in, a tile in Vec
      tmp: scratch, a tile in Vec

    Pipe: V.
    """

def expand_max(out: Tile, src: Tile, scalar: Tile, *, dim: Any = 0) -> None:
    """pl.expand_max(out, src, scalar, *, dim=0)

    out = src max scalar, scalar repeated along each row (dim=0) or each column (dim=1).

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      scalar: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      dim: attr, a compile-time value

    Pipe: V.
    - out has the shape of src, and may be src
    - dim=0: scalar is [rows, 1], layout DN (or row-major with 32 bytes in each row); dim=1: [1, columns]
    """

def expand_min(out: Tile, src: Tile, scalar: Tile, *, dim: Any = 0) -> None:
    """pl.expand_min(out, src, scalar, *, dim=0)

    out = src min scalar, scalar repeated along each row (dim=0) or each column (dim=1).

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      scalar: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      dim: attr, a compile-time value

    Pipe: V.
    - out has the shape of src, and may be src
    - dim=0: scalar is [rows, 1], layout DN (or row-major with 32 bytes in each row); dim=1: [1, columns]
    """

def expand_mul(out: Tile, src: Tile, scalar: Tile, *, dim: Any = 0) -> None:
    """pl.expand_mul(out, src, scalar, *, dim=0)

    out = src * scalar, scalar repeated along each row (dim=0) or each column (dim=1).

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      scalar: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      dim: attr, a compile-time value

    Pipe: V.
    - out has the shape of src, and may be src
    - dim=0: scalar is [rows, 1], layout DN (or row-major with 32 bytes in each row); dim=1: [1, columns]
    """

def expand_sub(out: Tile, src: Tile, scalar: Tile, *, dim: Any = 0) -> None:
    """pl.expand_sub(out, src, scalar, *, dim=0)

    out = src - scalar, scalar repeated along each row (dim=0) or each column (dim=1).

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      scalar: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      dim: attr, a compile-time value

    Pipe: V.
    - out has the shape of src, and may be src
    - dim=0: scalar is [rows, 1], layout DN (or row-major with 32 bytes in each row); dim=1: [1, columns]
    """

def expand_div(out: Tile, src: Tile, scalar: Tile, *, dim: Any = 0) -> None:
    """pl.expand_div(out, src, scalar, *, dim=0)

    out = src / scalar, scalar repeated along each row (dim=0) or each column (dim=1).

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      scalar: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      dim: attr, a compile-time value

    Pipe: V.
    - out has the shape of src, and may be src
    - dim=0: scalar is [rows, 1], layout DN (or row-major with 32 bytes in each row); dim=1: [1, columns]
    """

def row_expand(out: Tile, src: Tile) -> None:
    """pl.row_expand(out, src)

    Repeat the first element of each row along the row.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    """

def row_expand_add(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.row_expand_add(out, src, vec)

    out = src + vec, vec holding one value for each row.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def row_expand_sub(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.row_expand_sub(out, src, vec)

    out = src - vec, vec holding one value for each row.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def row_expand_mul(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.row_expand_mul(out, src, vec)

    out = src * vec, vec holding one value for each row.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def row_expand_div(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.row_expand_div(out, src, vec)

    out = src / vec, vec holding one value for each row.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def row_expand_max(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.row_expand_max(out, src, vec)

    out = src max vec, vec holding one value for each row.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def row_expand_min(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.row_expand_min(out, src, vec)

    out = src min vec, vec holding one value for each row.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def row_expand_expdif(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.row_expand_expdif(out, src, vec)

    out = src exp-of-difference vec, vec holding one value for each row.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def col_expand(out: Tile, src: Tile) -> None:
    """pl.col_expand(out, src)

    Repeat the first row of src down the columns.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    """

def col_expand_add(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.col_expand_add(out, src, vec)

    out = src + vec, vec holding one value for each column.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def col_expand_sub(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.col_expand_sub(out, src, vec)

    out = src - vec, vec holding one value for each column.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def col_expand_mul(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.col_expand_mul(out, src, vec)

    out = src * vec, vec holding one value for each column.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def col_expand_div(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.col_expand_div(out, src, vec)

    out = src / vec, vec holding one value for each column.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def col_expand_max(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.col_expand_max(out, src, vec)

    out = src max vec, vec holding one value for each column.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def col_expand_min(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.col_expand_min(out, src, vec)

    out = src min vec, vec holding one value for each column.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def col_expand_expdif(out: Tile, src: Tile, vec: Tile) -> None:
    """pl.col_expand_expdif(out, src, vec)

    out = src exp-of-difference vec, vec holding one value for each column.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      vec: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    """

def cast(out: Tile, src: Tile, *, mode: RoundMode = RoundMode.CAST_ROUND) -> None:
    """pl.cast(out, src, *, mode=pl.RoundMode.CAST_ROUND)

    out = src converted to the element type of out.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      mode: pl.RoundMode

    Pipe: V.
    - one shape
    - CAST_ODD only from FP32 to FP16
    """

def add_relu_cast(out: Tile, lhs: Tile, rhs: Tile, *, target_type: Any, mode: RoundMode = RoundMode.CAST_ROUND) -> None:
    """pl.add_relu_cast(out, lhs, rhs, *, target_type, mode=pl.RoundMode.CAST_ROUND)

    out = cast(max(0, lhs + rhs)); lhs is overwritten.

      out: out, a tile in Vec
      lhs: inout, a tile in Vec of FP16, FP32
      rhs: in, a tile in Vec of FP16, FP32
      target_type: attr, a compile-time value
      mode: pl.RoundMode

    Pipe: V.
    - target_type is the element type of out
    - one shape
    """

def sub_relu_cast(out: Tile, lhs: Tile, rhs: Tile, *, target_type: Any, mode: RoundMode = RoundMode.CAST_ROUND) -> None:
    """pl.sub_relu_cast(out, lhs, rhs, *, target_type, mode=pl.RoundMode.CAST_ROUND)

    out = cast(max(0, lhs - rhs)); lhs is overwritten.

      out: out, a tile in Vec
      lhs: inout, a tile in Vec of FP16, FP32
      rhs: in, a tile in Vec of FP16, FP32
      target_type: attr, a compile-time value
      mode: pl.RoundMode

    Pipe: V.
    - target_type is the element type of out
    - one shape
    """

def mul_cast(out: Tile, lhs: Tile, rhs: Tile, *, target_type: Any, mode: RoundMode = RoundMode.CAST_ROUND) -> None:
    """pl.mul_cast(out, lhs, rhs, *, target_type, mode=pl.RoundMode.CAST_ROUND)

    out = cast(lhs * rhs); lhs is overwritten.

      out: out, a tile in Vec
      lhs: inout, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      target_type: attr, a compile-time value
      mode: pl.RoundMode

    Pipe: V.
    - target_type is the element type of out
    - one shape
    """

def expands(out: Tile, scalar: Number) -> None:
    """pl.expands(out, scalar)

    Fill the valid region of a tile with a scalar.

      out: out, a tile in Vec or Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      scalar: scalar, a scalar

    Pipe: V.
    """

def full(out: Tile, scalar: Number) -> None:
    """pl.full(out, scalar)

    Fill the valid region of a tile with a scalar.

      out: out, a tile in Vec or Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      scalar: scalar, a scalar

    Pipe: V.
    """

def fill_index(out: Tile, start: Number) -> None:
    """pl.fill_index(out, start)

    out[0, j] = start + j over the valid columns of the first row.

      out: out, a tile in Vec of INT32, UINT32, INT16, UINT16
      start: scalar, a scalar

    Pipe: V.
    - only the first row is written
    """

def fillpad(out: Tile, src: Tile, *, mode: FillPadMode = FillPadMode.NORMAL) -> None:
    """pl.fillpad(out, src, *, mode=pl.FillPadMode.NORMAL)

    out = src inside the valid region of src, the pad value of out everywhere else.

      out: out, a tile in Vec or Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src: in, a tile in Vec or Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      mode: pl.FillPadMode

    Pipe: V.
    - the type of out has a pad value that is not null
    - NORMAL: one shape, two addresses; EXPAND: out is not smaller; INPLACE: one shape, one address
    - Mat: layout NZ and pad zero
    """

def fillpad_expand(out: Tile, src: Tile) -> None:
    """pl.fillpad_expand(out, src)

    fillpad with mode=EXPAND.

      out: out, a tile in Vec or Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src: in, a tile in Vec or Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL

    Pipe: V.
    """

def fillpad_inplace(out: Tile, src: Tile) -> None:
    """pl.fillpad_inplace(out, src)

    fillpad with mode=INPLACE.

      out: inout, a tile in Vec or Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL
      src: in, a tile in Vec or Mat of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, FP4E2M1, FP4E1M2, HF8, BOOL

    Pipe: V.
    """

def transpose(out: Tile, src: Tile) -> None:
    """pl.transpose(out, src)

    out[j, i] = src[i, j]; the instruction may use src as scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src: inout, a tile in Vec

    Pipe: V.
    - out has the swapped shape and is not src
    - rows of both are multiples of 32 bytes
    """

def eq(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.eq(out, lhs, rhs)

    A bit of out for each element: lhs == rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of UINT8
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - out is UINT8 and holds packed bits; only select reads it
    """

def ne(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.ne(out, lhs, rhs)

    A bit of out for each element: lhs != rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of UINT8
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - out is UINT8 and holds packed bits; only select reads it
    """

def lt(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.lt(out, lhs, rhs)

    A bit of out for each element: lhs < rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of UINT8
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - out is UINT8 and holds packed bits; only select reads it
    """

def le(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.le(out, lhs, rhs)

    A bit of out for each element: lhs <= rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of UINT8
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - out is UINT8 and holds packed bits; only select reads it
    """

def gt(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.gt(out, lhs, rhs)

    A bit of out for each element: lhs > rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of UINT8
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - out is UINT8 and holds packed bits; only select reads it
    """

def ge(out: Tile, lhs: Tile, rhs: Tile | Number) -> None:
    """pl.ge(out, lhs, rhs)

    A bit of out for each element: lhs >= rhs; rhs is a tile or a scalar.

      out: out, a tile in Vec of UINT8
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec

    Pipe: V.
    - out is UINT8 and holds packed bits; only select reads it
    """

def cmp(out: Tile, lhs: Tile, rhs: Tile, *, cmp_mode: Any) -> None:
    """pl.cmp(out, lhs, rhs, *, cmp_mode)

    Compare two tiles; cmp_mode 0..5 is EQ, NE, LT, LE, GT, GE.

      out: out, a tile in Vec of UINT8
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile in Vec
      cmp_mode: attr, a compile-time value

    Pipe: V.
    """

def cmps(out: Tile, lhs: Tile, scalar: Number, *, cmp_mode: Any) -> None:
    """pl.cmps(out, lhs, scalar, *, cmp_mode)

    Compare a tile with a scalar; cmp_mode 0..5 is EQ, NE, LT, LE, GT, GE.

      out: out, a tile in Vec of UINT8
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      scalar: scalar, a scalar
      cmp_mode: attr, a compile-time value

    Pipe: V.
    """

def select(out: Tile, mask: Tile, lhs: Tile, rhs: Tile | Number, tmp: Tile) -> None:
    """pl.select(out, mask, lhs, rhs, tmp)

    out = lhs where the mask's bit is set, else rhs; tmp is scratch.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      mask: in, a tile in Vec of UINT8
      lhs: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile or a scalar in Vec
      tmp: scratch, a tile in Vec

    Pipe: V.
    - mask comes from eq, ne, lt, le, gt or ge
    """

def sel(out: Tile, mask: Tile, lhs: Tile, rhs: Tile, tmp: Tile) -> None:
    """pl.sel(out, mask, lhs, rhs, tmp)

    select between two tiles.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      mask: in, a tile in Vec of UINT8
      lhs: in, a tile in Vec
      rhs: in, a tile in Vec
      tmp: scratch, a tile in Vec

    Pipe: V.
    """

def sels(out: Tile, mask: Tile, src: Tile, tmp: Tile, scalar: Number) -> None:
    """pl.sels(out, mask, src, tmp, scalar)

    select between a tile and a scalar.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      mask: in, a tile in Vec of UINT8
      src: in, a tile in Vec
      tmp: scratch, a tile in Vec
      scalar: scalar, a scalar

    Pipe: V.
    """

def add_relu(out: Tile, lhs: Tile, rhs: Tile) -> None:
    """pl.add_relu(out, lhs, rhs)

    out = max(0, lhs + rhs); lhs is overwritten.

      out: out, a tile in Vec of FP16, FP32, INT32
      lhs: inout, a tile in Vec of FP16, FP32, INT32
      rhs: in, a tile in Vec of FP16, FP32, INT32

    Pipe: V.
    - one element type, one shape
    """

def sub_relu(out: Tile, lhs: Tile, rhs: Tile) -> None:
    """pl.sub_relu(out, lhs, rhs)

    out = max(0, lhs - rhs); lhs is overwritten.

      out: out, a tile in Vec of FP16, FP32, INT32
      lhs: inout, a tile in Vec of FP16, FP32, INT32
      rhs: in, a tile in Vec of FP16, FP32, INT32

    Pipe: V.
    - one element type, one shape
    """

def addc(out: Tile, a: Tile, b: Tile, c: Tile) -> None:
    """pl.addc(out, a, b, c)

    out = a + b + c.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      a: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      b: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      c: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    - one element type, one shape
    """

def mul_add_dst(out: Tile, lhs: Tile, rhs: Tile) -> None:
    """pl.mul_add_dst(out, lhs, rhs)

    out = lhs * rhs + out; lhs is overwritten.

      out: inout, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      lhs: inout, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      rhs: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    - one element type, one shape
    """

def fused_mul_add(out: Tile, lhs: Tile, rhs: Tile) -> None:
    """pl.fused_mul_add(out, lhs, rhs)

    out = lhs * out + rhs; lhs is overwritten.

      out: inout, a tile in Vec of INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      lhs: inout, a tile in Vec of INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      rhs: in, a tile in Vec of INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    - one element type, one shape
    """

def fused_mul_add_relu(out: Tile, a: Tile, b: Tile) -> None:
    """pl.fused_mul_add_relu(out, a, b)

    out = max(0, out * a + b); a is overwritten.

      out: inout, a tile in Vec of FP16, FP32, INT32
      a: inout, a tile in Vec of FP16, FP32, INT32
      b: in, a tile in Vec of FP16, FP32, INT32

    Pipe: V.
    - one element type, one shape
    """

def axpy(out: Tile, src: Tile, alpha: Number) -> None:
    """pl.axpy(out, src, alpha)

    out = alpha * src + out.

      out: inout, a tile in Vec of FP16, FP32
      src: in, a tile in Vec of FP16, FP32
      alpha: scalar, a scalar

    Pipe: V.
    - one shape; one element type, or src FP16 and out FP32
    """

def subc(out: Tile, a: Tile, b: Tile, c: Tile) -> None:
    """pl.subc(out, a, b, c)

    out = a - b + c.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      a: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      b: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      c: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    - one element type, one shape
    """

def addsc(out: Tile, a: Tile, scalar: Number, c: Tile) -> None:
    """pl.addsc(out, a, scalar, c)

    out = a + scalar + c.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      a: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      scalar: scalar, a scalar
      c: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    - one element type, one shape
    """

def subsc(out: Tile, a: Tile, scalar: Number, c: Tile) -> None:
    """pl.subsc(out, a, scalar, c)

    out = a - scalar + c.

      out: out, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      a: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      scalar: scalar, a scalar
      c: in, a tile in Vec of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    - one element type, one shape
    """

def partadd(out: Tile, src0: Tile, src1: Tile) -> None:
    """pl.partadd(out, src0, src1)

    out = src0 + src1 where both inputs are valid, else the one that is.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src0: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src1: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    - the valid shape of one input is that of out, the other's is not larger
    """

def partmax(out: Tile, src0: Tile, src1: Tile) -> None:
    """pl.partmax(out, src0, src1)

    out = max(src0, src1) where both inputs are valid, else the one that is.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src0: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src1: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    - the valid shape of one input is that of out, the other's is not larger
    """

def partmin(out: Tile, src0: Tile, src1: Tile) -> None:
    """pl.partmin(out, src0, src1)

    out = min(src0, src1) where both inputs are valid, else the one that is.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src0: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
      src1: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32

    Pipe: V.
    - the valid shape of one input is that of out, the other's is not larger
    """

def partmul(out: Tile, src0: Tile, src1: Tile) -> None:
    """pl.partmul(out, src0, src1)

    out = src0 * src1 where both inputs are valid, else the one that is.

      out: out, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src0: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
      src1: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32

    Pipe: V.
    - the valid shape of one input is that of out, the other's is not larger
    """

def gather(out: Tile, src: Tile, idx: Tile | Number, tmp: Tile, cmp_tmp: Tile | None = None, *, cmp_mode: Any = 0, offset: Any = 0) -> None:
    """pl.gather(out, src, idx, tmp, cmp_tmp=None, *, cmp_mode=0, offset=0)

    out[i] = src[idx[i]] over flat indices; with cmp_mode, the indices of elements that pass a threshold.

      out: out, a tile in Vec
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, HF8
      idx: in, a tile or a scalar in Vec
      tmp: scratch, a tile in Vec
      cmp_tmp: scratch, a tile in Vec
      cmp_mode: attr, a compile-time value
      offset: attr, a compile-time value

    Pipe: V.
    - index form: out and src of one type, idx 16 or 32 bits (32 for 64-bit data), tmp like idx
    - compare form has five tiles: out, src, thresholds, counts, scratch; cmp_mode 4 is greater, else equal
    - tmp shares no bytes with the others
    """

def gatherb(out: Tile, src: Tile, offsets: Tile) -> None:
    """pl.gatherb(out, src, offsets)

    Each 32-byte block of out is 32 bytes of src at a byte offset.

      out: out, a tile in Vec
      src: in, a tile in Vec
      offsets: in, a tile in Vec of UINT32

    Pipe: V.
    - offsets has one column for each 32 bytes of a row
    """

def gathermask(out: Tile, src: Tile, *, pattern_mode: Any) -> None:
    """pl.gathermask(out, src, *, pattern_mode)

    Keep some columns: 1 the even, 2 the odd, 3..6 every fourth from 0..3, 7 all.

      out: out, a tile in Vec
      src: in, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, HF8
      pattern_mode: attr, a compile-time value

    Pipe: V.
    - out and src have elements of one width
    """

def scatter(out: Tile, src: Tile, idx: Tile) -> None:
    """pl.scatter(out, src, idx)

    out[idx[i]] = src[i] over flat indices; the rest of out is kept.

      out: inout, a tile in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, HF8
      src: in, a tile in Vec
      idx: in, a tile in Vec of INT16, UINT16, INT32, UINT32

    Pipe: V.
    - idx has 16 bits for 8- and 16-bit data, 32 bits for wider data
    """

def sort32(dst: Tile, src: Tile, idx: Tile, tmp: Tile | None = None) -> None:
    """pl.sort32(dst, src, idx, tmp=None)

    Sort each run of 32 values of a row descending into (value, index) records of 8 bytes.

      dst: out, a tile in Vec of FP16, FP32
      src: in, a tile in Vec of FP16, FP32
      idx: in, a tile in Vec of UINT32
      tmp: scratch, a tile in Vec

    Pipe: V.
    - dst has 4 columns for each FP16 column of src, 2 for each FP32 column
    """

def mrgsort(dst: Tile, src: Tile, *, block_len: Any) -> None:
    """pl.mrgsort(dst, src, *, block_len)

    Merge every four adjacent descending runs of block_len stored elements.

      dst: out, a tile in Vec of FP16, FP32
      src: in, a tile in Vec of FP16, FP32
      block_len: attr, a compile-time value

    Pipe: V.
    - the valid columns are a multiple of 4 * block_len
    """

def mrgsort2(src0: Tile, src1: Tile, dst: Tile, tmp: Tile, *extra_srcs: Any, exhausted: Any = False) -> None:
    """pl.mrgsort2(src0, src1, dst, tmp, *extra_srcs, exhausted=False)

    Merge two to four descending lists of (value, index) records; exhausted stops when one ends.

      src0: in, a tile in Vec of FP16, FP32
      src1: in, a tile in Vec of FP16, FP32
      dst: out, a tile in Vec of FP16, FP32
      tmp: scratch, a tile in Vec
      extra_srcs: in, a tile in Vec
      exhausted: attr, a compile-time value

    Pipe: V.
    - two to four sources of one row each
    """

def histogram(dst: Tile, src: Tile, idx: Tile, *, is_msb: Any) -> None:
    """pl.histogram(dst, src, idx, *, is_msb)

    Count for each row how many elements have a high or low byte of at most 0, 1, ..., 255.

      dst: out, a tile in Vec of UINT32
      src: in, a tile in Vec of UINT16, UINT32
      idx: in, a tile in Vec of UINT8
      is_msb: attr, a compile-time value

    Pipe: V.
    - dst has at least 256 columns
    """

def quant(out: Tile, src: Tile, scale: Tile, *, mode: QuantMode = QuantMode.SYM, offset: Tile | None = None) -> None:
    """pl.quant(out, src, scale, *, mode=pl.QuantMode.SYM, offset=None)

    SYM: out = int8(round(src * scale)); ASYM: out = uint8(round(src * scale) + offset), saturated.

      out: out, a tile in Vec of INT8, UINT8
      src: in, a tile in Vec of FP32
      scale: in, a tile in Vec of FP32
      mode: pl.QuantMode
      offset: in, a tile in Vec of FP32

    Pipe: V.
    - scale and offset are [rows, 1]
    - ASYM needs offset and a UINT8 out; SYM an INT8 out
    """

def dequant(out: Tile, src: Tile, scale: Tile, offset: Tile) -> None:
    """pl.dequant(out, src, scale, offset)

    out = (src - offset) * scale, scale and offset one for each row.

      out: out, a tile in Vec of FP32
      src: in, a tile in Vec of INT8, INT16
      scale: in, a tile in Vec of FP32
      offset: in, a tile in Vec of FP32

    Pipe: V.
    - scale and offset are [rows, 1]
    """

def matmul(dst_tile: Tile, lhs_tile: Tile, rhs_tile: Tile, bias_tile: Tile | None = None, *, phase: AccPhase | None = None) -> None:
    """pl.matmul(dst_tile, lhs_tile, rhs_tile, bias_tile=None, *, phase=None)

    dst = lhs @ rhs, plus the bias row when there is one.

      dst_tile: out, a tile in Acc of FP32, INT32
      lhs_tile: in, a tile in Left of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8
      rhs_tile: in, a tile in Right of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8
      bias_tile: in, a tile in Bias
      phase: pl.AccPhase

    Pipe: M.
    - lhs [M, K], rhs [K, N], dst [M, N], each from 1 to 4095
    - FP16, BF16, FP32, FP8 and HF8 pairs give FP32; INT8 pairs give INT32
    - bias: Bias memory, [1, N], of the type of dst
    """

def matmul_acc(dst_tile: Tile, acc_tile: Tile, lhs_tile: Tile, rhs_tile: Tile, *, phase: AccPhase | None = None) -> None:
    """pl.matmul_acc(dst_tile, acc_tile, lhs_tile, rhs_tile, *, phase=None)

    dst = acc + lhs @ rhs; dst is usually acc.

      dst_tile: out, a tile in Acc of FP32, INT32
      acc_tile: in, a tile in Acc
      lhs_tile: in, a tile in Left of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8
      rhs_tile: in, a tile in Right of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8
      phase: pl.AccPhase

    Pipe: M.
    - lhs [M, K], rhs [K, N], dst [M, N], each from 1 to 4095
    - FP16, BF16, FP32, FP8 and HF8 pairs give FP32; INT8 pairs give INT32
    - the first block of K is a matmul
    """

def matmul_mx(dst_tile: Tile, lhs_tile: Tile, rhs_tile: Tile, scale_a: Tile, scale_b: Tile, *, phase: AccPhase | None = None) -> None:
    """pl.matmul_mx(dst_tile, lhs_tile, rhs_tile, scale_a, scale_b, *, phase=None)

    dst = lhs @ rhs with a power-of-two scale for each 32 elements of K.

      dst_tile: out, a tile in Acc of FP32
      lhs_tile: in, a tile in Left of FP8E4M3FN, FP8E5M2, FP4E2M1, FP4E1M2
      rhs_tile: in, a tile in Right of FP8E4M3FN, FP8E5M2, FP4E2M1, FP4E1M2
      scale_a: in, a tile in ScaleLeft of FP8E8M0
      scale_b: in, a tile in ScaleRight of FP8E8M0
      phase: pl.AccPhase

    Pipe: M.
    - K is a multiple of 64; scale_a [M, K / 32], scale_b [K / 32, N], both FP8E8M0
    - the address of a scale tile is the address of its data tile >> 4
    - both FP8 or both FP4
    """

def matmul_mx_acc(dst_tile: Tile, acc_tile: Tile, lhs_tile: Tile, rhs_tile: Tile, scale_a: Tile, scale_b: Tile, *, phase: AccPhase | None = None) -> None:
    """pl.matmul_mx_acc(dst_tile, acc_tile, lhs_tile, rhs_tile, scale_a, scale_b, *, phase=None)

    dst = acc + lhs @ rhs with a power-of-two scale for each 32 elements of K.

      dst_tile: out, a tile in Acc of FP32
      acc_tile: in, a tile in Acc
      lhs_tile: in, a tile in Left of FP8E4M3FN, FP8E5M2, FP4E2M1, FP4E1M2
      rhs_tile: in, a tile in Right of FP8E4M3FN, FP8E5M2, FP4E2M1, FP4E1M2
      scale_a: in, a tile in ScaleLeft of FP8E8M0
      scale_b: in, a tile in ScaleRight of FP8E8M0
      phase: pl.AccPhase

    Pipe: M.
    - K is a multiple of 64; scale_a [M, K / 32], scale_b [K / 32, N], both FP8E8M0
    - the address of a scale tile is the address of its data tile >> 4
    - both FP8 or both FP4
    """

def matmul_bias(out: Tile, lhs: Tile, rhs: Tile, bias: Tile, *, phase: AccPhase | None = None) -> None:
    """pl.matmul_bias(out, lhs, rhs, bias, *, phase=None)

    matmul with a bias row.

      out: out, a tile in Acc of FP32, INT32
      lhs: in, a tile in Left of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8
      rhs: in, a tile in Right of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8
      bias: in, a tile in Bias
      phase: pl.AccPhase

    Pipe: M.
    """

def gemv(out: Tile, lhs: Tile, rhs: Tile) -> None:
    """pl.gemv(out, lhs, rhs)

    out = lhs @ rhs for a single row.

      out: out, a tile in Acc of FP32, INT32
      lhs: in, a tile in Left of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8
      rhs: in, a tile in Right of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8

    Pipe: M.
    """

def gemv_acc(out: Tile, acc: Tile, lhs: Tile, rhs: Tile) -> None:
    """pl.gemv_acc(out, acc, lhs, rhs)

    out = acc + lhs @ rhs for a single row.

      out: out, a tile in Acc of FP32, INT32
      acc: in, a tile in Acc
      lhs: in, a tile in Left of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8
      rhs: in, a tile in Right of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8

    Pipe: M.
    """

def gemv_bias(out: Tile, lhs: Tile, rhs: Tile, bias: Tile) -> None:
    """pl.gemv_bias(out, lhs, rhs, bias)

    out = lhs @ rhs + bias for a single row.

      out: out, a tile in Acc of FP32, INT32
      lhs: in, a tile in Left of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8
      rhs: in, a tile in Right of FP16, BF16, FP32, INT8, FP8E4M3FN, FP8E5M2, HF8
      bias: in, a tile in Bias

    Pipe: M.
    """

def min(lhs: Number, rhs: Number) -> Any:
    """pl.min(lhs, rhs)

    The minimum of two scalars of one category (integers or floats).

      lhs: scalar, a scalar
      rhs: scalar, a scalar

    Pipe: S.
    """

def max(lhs: Number, rhs: Number) -> Any:
    """pl.max(lhs, rhs)

    The maximum of two scalars of one category (integers or floats).

      lhs: scalar, a scalar
      rhs: scalar, a scalar

    Pipe: S.
    """

def const(value: Any, dtype: Any) -> Any:
    """pl.const(value, dtype)

    A constant of the given element type.

      value: attr, a compile-time value
      dtype: attr, a compile-time value

    Pipe: S.
    """

def constexpr(cond: Any) -> Any:
    """pl.constexpr(cond)

    Marks the test of an if or of a conditional expression as known at compile time.

      cond: attr, a compile-time value

    Pipe: S.
    """

def getval(container: Tile | Tensor, offset: Number) -> Any:
    """pl.getval(container, offset)

    Read one element at a linear offset; container[i, j] is the same.

      container: in, a tile or a tensor in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, BOOL
      offset: scalar, a scalar

    Pipe: S.
    - the offset counts elements of the physical shape, row by row
    """

def setval(container: Tile | Tensor, offset: Number, value: Number) -> None:
    """pl.setval(container, offset, value)

    Write one element at a linear offset; container[i, j] = value is the same.

      container: out, a tile or a tensor in Vec of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, BOOL
      offset: scalar, a scalar
      value: scalar, a scalar

    Pipe: S.
    - the offset counts elements of the physical shape, row by row
    """

def set_validshape(tile: Tile, shape: Offsets) -> None:
    """pl.set_validshape(tile, shape)

    Set the valid [rows, columns] of a tile, or of every slot of a group.

      tile: descriptor, a tile
      shape: scalar, a list of scalars

    Pipe: S.
    - two extents; constants from 0 to the extent of the tile
    """

def set_stride(tensor: Tensor, stride: Offsets) -> None:
    """pl.set_stride(tensor, stride)

    Set the [row, column] strides of a tensor, in elements, for the loads and stores that follow.

      tensor: descriptor, a tensor
      stride: scalar, a list of scalars

    Pipe: S.
    - two strides
    """

def printf(format_str: Any, *args: Any, loc: Any = False) -> None:
    """pl.printf(format_str, *args, loc=False)

    Print scalars and pointers with a constant format; loc=True adds the source line.

      format_str: attr, a compile-time value
      args: scalar, a pointer or a scalar
      loc: attr, a compile-time value

    Pipe: S.
    - %[flags][width][.precision] d i u x f p, and %%
    - %d %i signed or bool, %u unsigned or bool, %x unsigned, %f FP32, %p a pointer
    """

def pto_assert(condition: Number, format_str: Any = None, *args: Any, loc: Any = False) -> None:
    """pl.pto_assert(condition, format_str=None, *args, loc=False)

    Print the condition (and a message) when it is false; the kernel goes on.

      condition: scalar, a scalar
      format_str: attr, a compile-time value
      args: scalar, a pointer or a scalar
      loc: attr, a compile-time value

    Pipe: S.
    - the condition is a BOOL scalar
    - format as in printf
    """

def dump_data(data: Tile | Tensor, offsets: Offsets | None = None, shapes: Offsets | None = None, *, workspace: Tensor | None = None, loc: Any = False, flag: Any = None) -> None:
    """pl.dump_data(data, offsets=None, shapes=None, *, workspace=None, loc=False, flag=None)

    Print a tensor or a tile, whole or a window of it.

      data: in, a tile or a tensor in Vec or Acc
      offsets: scalar, a list of scalars
      shapes: scalar, a list of scalars
      workspace: scratch, a tensor
      loc: attr, a compile-time value
      flag: attr, a compile-time value

    Pipe: by the operands' memories.
    - offsets and shapes together, one for each axis
    - an Acc tile needs a workspace tensor of its element type and size; Vec tiles and tensors take none
    """

def trap() -> None:
    """pl.trap()

    End the program here.

    Pipe: S.
    """

def set_mask_count() -> None:
    """pl.set_mask_count()

    The mask register holds an element count.

    Pipe: S.
    """

def set_mask_norm() -> None:
    """pl.set_mask_norm()

    The mask register holds one bit for each lane (the default).

    Pipe: S.
    """

def set_vec_mask(mask_high: Number, mask_low: Number) -> None:
    """pl.set_vec_mask(mask_high, mask_low)

    Write the 128-bit mask; in count mode mask_low is the count.

      mask_high: scalar, a scalar
      mask_low: scalar, a scalar

    Pipe: S.
    """

def reset_mask() -> None:
    """pl.reset_mask()

    All lanes active.

    Pipe: S.
    """

def get_block_idx() -> Any:
    """pl.get_block_idx()

    On the cube core the index of the block, on a vector core the flat vector-core index.

    Pipe: S.
    """

def get_block_num() -> Any:
    """pl.get_block_num()

    Number of blocks of the launch.

    Pipe: S.
    """

def get_subblock_idx() -> Any:
    """pl.get_subblock_idx()

    Which vector core of the block this is: 0 or 1.

    Pipe: S.
    """

def get_subblock_num() -> Any:
    """pl.get_subblock_num()

    Vector cores of a block: 2 in mixed kernels, else 1; 1 on the cube core.

    Pipe: S.
    """

def get_spr() -> Any:
    """pl.get_spr()

    The AR register: bytes left by the last squeeze.

    Pipe: S.
    """

def make_tile(tile_type: Any, *, addr: Any, size: Any = None, mutex_ids: Any = None) -> Tile:
    """pl.make_tile(tile_type, *, addr, size=None, mutex_ids=None)

    A tile at an address (bytes) of its memory; mutex_ids gives it lock ids.

      tile_type: attr, a compile-time value
      addr: attr, a compile-time value
      size: attr, a compile-time value
      mutex_ids: attr, a compile-time value

    Pipe: S.
    """

def make_tile_group(*, type: Any, addrs: Any, mutex_ids: Any = None, depth: Any = None, fwd_ids: Any = None, bwd_ids: Any = None) -> TileGroup:
    """pl.make_tile_group(*, type, addrs, mutex_ids=None, depth=None, fwd_ids=None, bwd_ids=None)

    Tiles of one type that take turns. mutex_ids: lock ids of each slot, or "auto".

      type: attr, a compile-time value
      addrs: attr, a compile-time value
      mutex_ids: attr, a compile-time value
      depth: attr, a compile-time value
      fwd_ids: attr, a compile-time value
      bwd_ids: attr, a compile-time value

    Pipe: S.
    """

def make_tensor(ptr: Tensor | Ptr, shape: Offsets, stride: Offsets | None = None, dtype: Any = None) -> Tensor:
    """pl.make_tensor(ptr, shape, stride=None, dtype=None)

    A tensor view over a pointer or a tensor; strides in elements, row-major when left out.

      ptr: in, a tensor or a pointer
      shape: scalar, a list of scalars
      stride: scalar, a list of scalars
      dtype: attr, a compile-time value

    Pipe: S.
    """

def make_ptr(ptr: Tensor | Ptr, dtype: Any = None) -> Ptr:
    """pl.make_ptr(ptr, dtype=None)

    The pointer of a tensor, or a pointer read as another element type.

      ptr: in, a tensor or a pointer
      dtype: attr, a compile-time value

    Pipe: S.
    """

def addptr(ptr: Tensor | Ptr, offset: Number) -> Ptr:
    """pl.addptr(ptr, offset)

    The pointer, advanced by offset elements; ptr + offset is the same.

      ptr: in, a tensor or a pointer
      offset: scalar, a scalar

    Pipe: S.
    """

def struct(type_name: Any = None, **fields: Any) -> Any:
    """pl.struct(type_name=None, **fields)

    A struct with mutable fields: scalars, or lists as arrays.

      type_name: attr, a compile-time value
      fields: scalar, a scalar or a compile-time value

    Pipe: S.
    """

def struct_array(size: Any, type_name: Any, **fields: Any) -> Any:
    """pl.struct_array(size, type_name, **fields)

    An array of structs.

      size: attr, a compile-time value
      type_name: attr, a compile-time value
      fields: scalar, a scalar or a compile-time value

    Pipe: S.
    """

def make_tuple(**fields: Any) -> Any:
    """pl.make_tuple(**fields)

    A named tuple that exists at compile time only.

      fields: scalar, a scalar or a compile-time value

    Pipe: S.
    """

class _system:
    @staticmethod
    def sync_src(*, set_pipe: PipeType, wait_pipe: PipeType, event_id: Number) -> None:
        """pl.system.sync_src(*, set_pipe, wait_pipe, event_id)

        Set a flag from set_pipe to wait_pipe when set_pipe gets here.

          set_pipe: pl.PipeType
          wait_pipe: pl.PipeType
          event_id: scalar, a scalar

        Pipe: S.
        - two different pipes
        - event_id from 0 to 15; headers of the chip may know 0 to 7 only
        """
    @staticmethod
    def sync_dst(*, set_pipe: PipeType, wait_pipe: PipeType, event_id: Number) -> None:
        """pl.system.sync_dst(*, set_pipe, wait_pipe, event_id)

        Hold wait_pipe until the flag from set_pipe is set.

          set_pipe: pl.PipeType
          wait_pipe: pl.PipeType
          event_id: scalar, a scalar

        Pipe: S.
        - two different pipes
        - event_id from 0 to 15; headers of the chip may know 0 to 7 only
        """
    @staticmethod
    def bar_m() -> None:
        """pl.system.bar_m()

        Later work of M waits for all its earlier work.

        Pipe: S.
        """
    @staticmethod
    def bar_mte1() -> None:
        """pl.system.bar_mte1()

        Later work of MTE1 waits for all its earlier work.

        Pipe: S.
        """
    @staticmethod
    def bar_mte2() -> None:
        """pl.system.bar_mte2()

        Later work of MTE2 waits for all its earlier work.

        Pipe: S.
        """
    @staticmethod
    def bar_mte3() -> None:
        """pl.system.bar_mte3()

        Later work of MTE3 waits for all its earlier work.

        Pipe: S.
        """
    @staticmethod
    def bar_fix() -> None:
        """pl.system.bar_fix()

        Later work of FIX waits for all its earlier work.

        Pipe: S.
        """
    @staticmethod
    def bar_all() -> None:
        """pl.system.bar_all()

        Later work of every pipe waits for all its earlier work.

        Pipe: S.
        """
    @staticmethod
    def set_cross_core(*, pipe: PipeType, event_id: Number, sync_mode: CrossCoreSyncMode = CrossCoreSyncMode.INTRA_BLOCK) -> None:
        """pl.system.set_cross_core(*, pipe, event_id, sync_mode=pl.CrossCoreSyncMode.INTRA_BLOCK)

        Signal other cores when the pipe gets here.

          pipe: pl.PipeType
          event_id: scalar, a scalar
          sync_mode: pl.CrossCoreSyncMode

        Pipe: S.
        - event_id from 0 to 15
        - both sides say the same sync_mode
        """
    @staticmethod
    def wait_cross_core(*, pipe: PipeType, event_id: Number, sync_mode: CrossCoreSyncMode = CrossCoreSyncMode.INTRA_BLOCK) -> None:
        """pl.system.wait_cross_core(*, pipe, event_id, sync_mode=pl.CrossCoreSyncMode.INTRA_BLOCK)

        Hold the pipe until the other core's signal has come.

          pipe: pl.PipeType
          event_id: scalar, a scalar
          sync_mode: pl.CrossCoreSyncMode

        Pipe: S.
        - event_id from 0 to 15
        - both sides say the same sync_mode
        """
    @staticmethod
    def sync_all(workspaces: Any = None, *, core_type: SyncCoreType = SyncCoreType.MIX, mode: SyncAllMode = SyncAllMode.HARD) -> None:
        """pl.system.sync_all(workspaces=None, *, core_type=pl.SyncCoreType.MIX, mode=pl.SyncAllMode.HARD)

        A barrier over all cores of the launch.

          workspaces: inout, a compile-time value
          core_type: pl.SyncCoreType
          mode: pl.SyncAllMode

        Pipe: S.
        - HARD takes no workspaces; SOFT needs them: a tensor, and a UB or L1 tile
        """
    @staticmethod
    def mutex_lock(*, pipe: PipeType, mutex_id: Number | None = None, mode: Any = 0, max_mutex_id: Any = 2, mutex_ids: Any = None, tile: Tile | None = None) -> None:
        """pl.system.mutex_lock(*, pipe, mutex_id=None, mode=0, max_mutex_id=2, mutex_ids=None, tile=None)

        Stall a pipe until the lock's earlier holders have released it; tile= means every id of the tile's slot.

          pipe: pl.PipeType
          mutex_id: scalar, a scalar
          mode: attr, a compile-time value
          max_mutex_id: attr, a compile-time value
          mutex_ids: attr, a compile-time value
          tile: descriptor, a tile

        Pipe: S.
        - mutex_id from 0 to 31, or the tile whose ids are meant
        - pairs of one id do not nest
        """
    @staticmethod
    def mutex_unlock(*, pipe: PipeType, mutex_id: Number | None = None, mode: Any = 0, max_mutex_id: Any = 2, mutex_ids: Any = None, tile: Tile | None = None) -> None:
        """pl.system.mutex_unlock(*, pipe, mutex_id=None, mode=0, max_mutex_id=2, mutex_ids=None, tile=None)

        Release a lock once the earlier work of the pipe is done.

          pipe: pl.PipeType
          mutex_id: scalar, a scalar
          mode: attr, a compile-time value
          max_mutex_id: attr, a compile-time value
          mutex_ids: attr, a compile-time value
          tile: descriptor, a tile

        Pipe: S.
        - mutex_id from 0 to 31, or the tile whose ids are meant
        - pairs of one id do not nest
        """
    @staticmethod
    def dcci(target: Tile | Tensor, offset: Number | Offsets | None = None, *, cache_line: CacheLine = CacheLine.ENTIRE_DATA_CACHE, dst: DcciDst = DcciDst.AUTO) -> None:
        """pl.system.dcci(target, offset=None, *, cache_line=pl.CacheLine.ENTIRE_DATA_CACHE, dst=pl.DcciDst.AUTO)

        Write back and invalidate the scalar unit's data cache.

          target: in, a tile or a tensor in Vec
          offset: scalar, a scalar or a list of scalars
          cache_line: pl.CacheLine
          dst: pl.DcciDst

        Pipe: S.
        - a tile takes one offset, a tensor one or one for each axis
        """
    @staticmethod
    def set_mm_layout_transform(*, enabled: Any) -> None:
        """pl.system.set_mm_layout_transform(*, enabled)

        The direction in which FIX drains Acc: True along N, False along M.

          enabled: attr, a compile-time value

        Pipe: S.
        """

system: _system

class _mutex:
    @staticmethod
    def mutex_lock(*, pipe: PipeType, mutex_id: Number | None = None, mode: Any = 0, max_mutex_id: Any = 2, mutex_ids: Any = None, tile: Tile | None = None) -> None:
        """pl.mutex.mutex_lock(*, pipe, mutex_id=None, mode=0, max_mutex_id=2, mutex_ids=None, tile=None)

        Stall a pipe until the lock's earlier holders have released it; tile= means every id of the tile's slot.

          pipe: pl.PipeType
          mutex_id: scalar, a scalar
          mode: attr, a compile-time value
          max_mutex_id: attr, a compile-time value
          mutex_ids: attr, a compile-time value
          tile: descriptor, a tile

        Pipe: S.
        - mutex_id from 0 to 31, or the tile whose ids are meant
        - pairs of one id do not nest
        """
    @staticmethod
    def mutex_unlock(*, pipe: PipeType, mutex_id: Number | None = None, mode: Any = 0, max_mutex_id: Any = 2, mutex_ids: Any = None, tile: Tile | None = None) -> None:
        """pl.mutex.mutex_unlock(*, pipe, mutex_id=None, mode=0, max_mutex_id=2, mutex_ids=None, tile=None)

        Release a lock once the earlier work of the pipe is done.

          pipe: pl.PipeType
          mutex_id: scalar, a scalar
          mode: attr, a compile-time value
          max_mutex_id: attr, a compile-time value
          mutex_ids: attr, a compile-time value
          tile: descriptor, a tile

        Pipe: S.
        - mutex_id from 0 to 31, or the tile whose ids are meant
        - pairs of one id do not nest
        """

mutex: _mutex

class _simt:
    @staticmethod
    def thread_idx() -> Any:
        """pl.simt.thread_idx()

        x, y, z of the thread.

        Pipe: V.
        """
    @staticmethod
    def block_dim() -> Any:
        """pl.simt.block_dim()

        Threads of the launch along x, y, z.

        Pipe: V.
        """
    @staticmethod
    def block_idx() -> Any:
        """pl.simt.block_idx()

        x, y, z of the vector core, which is a block of threads.

        Pipe: V.
        """
    @staticmethod
    def grid_dim() -> Any:
        """pl.simt.grid_dim()

        Vector cores along x, y, z.

        Pipe: V.
        """
    @staticmethod
    def linear_thread_idx() -> Any:
        """pl.simt.linear_thread_idx()

        Flat index of the thread, x fastest.

        Pipe: V.
        """
    @staticmethod
    def warp_size() -> Any:
        """pl.simt.warp_size()

        Threads of a warp.

        Pipe: V.
        """
    @staticmethod
    def launch(callee: Any, *, threads: Any, args: Any) -> None:
        """pl.simt.launch(callee, *, threads, args)

        Run a SIMT function with one to three thread extents.

          callee: attr, a compile-time value
          threads: attr, a compile-time value
          args: attr, a compile-time value

        Pipe: V.
        - args is a tuple of scalars, tensors and tiles
        - at most 2048 threads
        """
    @staticmethod
    def exp(value: Number) -> Any:
        """pl.simt.exp(value)

        e to the power of value.

          value: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def log(value: Number) -> Any:
        """pl.simt.log(value)

        Natural logarithm.

          value: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def sqrt(value: Number) -> Any:
        """pl.simt.sqrt(value)

        Square root.

          value: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def rsqrt(value: Number) -> Any:
        """pl.simt.rsqrt(value)

        One over the square root.

          value: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def sin(value: Number) -> Any:
        """pl.simt.sin(value)

        Sine; value in radians.

          value: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def cos(value: Number) -> Any:
        """pl.simt.cos(value)

        Cosine; value in radians.

          value: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def tanh(value: Number) -> Any:
        """pl.simt.tanh(value)

        Hyperbolic tangent.

          value: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def floor(value: Number) -> Any:
        """pl.simt.floor(value)

        The largest integral number that is not above value.

          value: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def ceil(value: Number) -> Any:
        """pl.simt.ceil(value)

        The smallest integral number that is not below value.

          value: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def abs(value: Number) -> Any:
        """pl.simt.abs(value)

        Value without its sign.

          value: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def pow(base: Number, exponent: Number) -> Any:
        """pl.simt.pow(base, exponent)

        base to the power of exponent.

          base: scalar, a scalar
          exponent: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def fma(a: Number, b: Number, c: Number) -> Any:
        """pl.simt.fma(a, b, c)

        a * b + c, rounded once.

          a: scalar, a scalar
          b: scalar, a scalar
          c: scalar, a scalar

        Pipe: V.
        - computes in FP32
        """
    @staticmethod
    def atomic_add(container: Tile | Tensor, indices: Offsets, value: Number) -> Any:
        """pl.simt.atomic_add(container, indices, value)

        container[indices] += value, as one step; gives what the element was before.

          container: inout, a tile or a tensor in Vec or DDR
          indices: scalar, a list of scalars
          value: scalar, a scalar

        Pipe: V.
        - elements of 64 bits in tensors only
        """
    @staticmethod
    def atomic_sub(container: Tile | Tensor, indices: Offsets, value: Number) -> Any:
        """pl.simt.atomic_sub(container, indices, value)

        container[indices] -= value, as one step; gives what the element was before.

          container: inout, a tile or a tensor in Vec or DDR
          indices: scalar, a list of scalars
          value: scalar, a scalar

        Pipe: V.
        - elements of 64 bits in tensors only
        """
    @staticmethod
    def atomic_max(container: Tile | Tensor, indices: Offsets, value: Number) -> Any:
        """pl.simt.atomic_max(container, indices, value)

        container[indices] = max(container[indices], value), as one step; gives what the element was before.

          container: inout, a tile or a tensor in Vec or DDR
          indices: scalar, a list of scalars
          value: scalar, a scalar

        Pipe: V.
        - elements of 64 bits in tensors only
        """
    @staticmethod
    def atomic_min(container: Tile | Tensor, indices: Offsets, value: Number) -> Any:
        """pl.simt.atomic_min(container, indices, value)

        container[indices] = min(container[indices], value), as one step; gives what the element was before.

          container: inout, a tile or a tensor in Vec or DDR
          indices: scalar, a list of scalars
          value: scalar, a scalar

        Pipe: V.
        - elements of 64 bits in tensors only
        """
    @staticmethod
    def atomic_and(container: Tile | Tensor, indices: Offsets, value: Number) -> Any:
        """pl.simt.atomic_and(container, indices, value)

        container[indices] &= value, as one step; gives what the element was before.

          container: inout, a tile or a tensor in Vec or DDR
          indices: scalar, a list of scalars
          value: scalar, a scalar

        Pipe: V.
        - elements of 64 bits in tensors only
        """
    @staticmethod
    def atomic_or(container: Tile | Tensor, indices: Offsets, value: Number) -> Any:
        """pl.simt.atomic_or(container, indices, value)

        container[indices] |= value, as one step; gives what the element was before.

          container: inout, a tile or a tensor in Vec or DDR
          indices: scalar, a list of scalars
          value: scalar, a scalar

        Pipe: V.
        - elements of 64 bits in tensors only
        """
    @staticmethod
    def atomic_xor(container: Tile | Tensor, indices: Offsets, value: Number) -> Any:
        """pl.simt.atomic_xor(container, indices, value)

        container[indices] ^= value, as one step; gives what the element was before.

          container: inout, a tile or a tensor in Vec or DDR
          indices: scalar, a list of scalars
          value: scalar, a scalar

        Pipe: V.
        - elements of 64 bits in tensors only
        """
    @staticmethod
    def atomic_exch(container: Tile | Tensor, indices: Offsets, value: Number) -> Any:
        """pl.simt.atomic_exch(container, indices, value)

        container[indices] = value, as one step; gives what the element was before.

          container: inout, a tile or a tensor in Vec or DDR
          indices: scalar, a list of scalars
          value: scalar, a scalar

        Pipe: V.
        - elements of 64 bits in tensors only
        """
    @staticmethod
    def atomic_cas(container: Tile | Tensor, indices: Offsets, compare: Number, value: Number) -> Any:
        """pl.simt.atomic_cas(container, indices, compare, value)

        container[indices] = value where it equals compare, as one step; gives what the element was before.

          container: inout, a tile or a tensor in Vec or DDR
          indices: scalar, a list of scalars
          compare: scalar, a scalar
          value: scalar, a scalar

        Pipe: V.
        - elements of 64 bits in tensors only
        """
    @staticmethod
    def function(target: Any = None, /, *, max_threads: int | None = None) -> Any:
        """A SIMT function that pl.simt.launch runs; without max_threads, its helper."""

simt: _simt

class _pipeline:
    PipelineConfig: TypeAlias = _PipelineConfig
    @staticmethod
    def stage(fn: _F) -> _F:
        """The helper is a stage of the pipeline."""

pipeline: _pipeline

class _vf:
    @staticmethod
    def full(scalar_or_src: Number | Register, mask: Mask | None = None, dtype: Any = None, mode: MergeMode = MergeMode.ZEROING, *, pos: DuplicatePos | None = None) -> Register:
        """pl.vf.full(scalar_or_src, mask=None, dtype=None, mode=pl.MergeMode.ZEROING, *, pos=None)

        A number, or the lowest (or highest) lane of a register, in every active lane.

          scalar_or_src: in, a scalar or a register
          mask: in, a mask
          dtype: attr, a compile-time value
          mode: pl.MergeMode
          pos: pl.DuplicatePos

        Pipe: V.
        """
    @staticmethod
    def load_align(src: Tile, offset: Number | Offsets | Mask | AddressRegister | None = None, dtype: Any = None, *, dist: LoadDist | None = None, data_copy_mode: DataCopyMode = DataCopyMode.NORM, block_stride: Any = None, repeat_stride: Any = None, post_update: Any = False) -> Register:
        """pl.vf.load_align(src, offset=None, dtype=None, *, dist=None, data_copy_mode=pl.DataCopyMode.NORM, block_stride=None, repeat_stride=None, post_update=False)

        A register from an aligned address; `dist` spreads, repeats or thins out the elements.

          src: in, a tile of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, HF8, FP4E2M1, FP4E1M2, FP4, INT4, UINT4, BOOL
          offset: scalar, a scalar or a list of scalars or a mask or an address register
          dtype: attr, a compile-time value
          dist: pl.LoadDist
          data_copy_mode: pl.DataCopyMode
          block_stride: attr, a compile-time value
          repeat_stride: attr, a compile-time value
          post_update: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def store_align(dst: Tile, src: Register | Mask, *args: Any, src1: Register | None = None, mask: Mask | None = None, offset: Number | Offsets | AddressRegister | None = None, dist: StoreDist | None = None, data_copy_mode: DataCopyMode = DataCopyMode.NORM, block_stride: Number | None = None, repeat_stride: Number | None = None, post_update: Any = False) -> None:
        """pl.vf.store_align(dst, src, *args, src1=None, mask=None, offset=None, dist=None, data_copy_mode=pl.DataCopyMode.NORM, block_stride=None, repeat_stride=None, post_update=False)

        The active lanes of a register (of two in turn with INTLV), or a mask, to an aligned address.

          dst: out, a tile
          src: in, a register or a mask
          args: in, a scalar or a register or a mask or an address register
          src1: in, a register
          mask: in, a mask
          offset: scalar, a scalar or a list of scalars or an address register
          dist: pl.StoreDist
          data_copy_mode: pl.DataCopyMode
          block_stride: scalar, a scalar
          repeat_stride: scalar, a scalar
          post_update: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def load_unalign_init() -> UnalignRegister:
        """pl.vf.load_unalign_init()

        The carry buffer that unaligned loads need.

        Pipe: V.
        """
    @staticmethod
    def unalign_reg_for_store() -> UnalignRegister:
        """pl.vf.unalign_reg_for_store()

        The carry buffer that unaligned stores need.

        Pipe: V.
        """
    @staticmethod
    def load_unalign_pre(ureg: UnalignRegister, src_ptr: Tile) -> None:
        """pl.vf.load_unalign_pre(ureg, src_ptr)

        Fills the carry buffer with the block that the address lies in.

          ureg: inout, an unaligned-access register
          src_ptr: in, a tile

        Pipe: V.
        """
    @staticmethod
    def load_unalign(ureg: UnalignRegister, src_ptr: Tile, stride: Number | None = None, post_update: Any = False, *, dtype: Any = None) -> Register:
        """pl.vf.load_unalign(ureg, src_ptr, stride=None, post_update=False, *, dtype=None)

        A register from any address; with stride the cursor moves on by as many elements.

          ureg: inout, an unaligned-access register
          src_ptr: in, a tile
          stride: scalar, a scalar
          post_update: attr, a compile-time value
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def load(src_ptr: Tile, stride: Number | None = None, post_update: Any = False, repeat_stride: Number | None = None, count: Number | None = None, *, dtype: Any = None) -> Register:
        """pl.vf.load(src_ptr, stride=None, post_update=False, repeat_stride=None, count=None, *, dtype=None)

        A register from any address, without a carry buffer of the author's.

          src_ptr: in, a tile
          stride: scalar, a scalar
          post_update: attr, a compile-time value
          repeat_stride: scalar, a scalar
          count: scalar, a scalar
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def store_unalign(dst_ptr: Tile, src: Register | Mask, align_reg: UnalignRegister, stride: Number | None = None, post_update: Any = False) -> None:
        """pl.vf.store_unalign(dst_ptr, src, align_reg, stride=None, post_update=False)

        Appends `stride` elements (without it: what the AR register says) at the cursor.

          dst_ptr: out, a tile
          src: in, a register or a mask
          align_reg: inout, an unaligned-access register
          stride: scalar, a scalar
          post_update: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def store_unalign_post(dst_ptr: Tile, align_reg: UnalignRegister, stride: Number | None = None, post_update: Any = False) -> None:
        """pl.vf.store_unalign_post(dst_ptr, align_reg, stride=None, post_update=False)

        Writes what the carry buffer still holds.

          dst_ptr: out, a tile
          align_reg: inout, an unaligned-access register
          stride: scalar, a scalar
          post_update: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def store(dst_ptr: Tile, src: Register, count: Number | None = None, post_update: Any = False, repeat_stride: Number | None = None) -> None:
        """pl.vf.store(dst_ptr, src, count=None, post_update=False, repeat_stride=None)

        The first `count` lanes at any address, where the cursor moves on behind them.

          dst_ptr: out, a tile
          src: in, a register
          count: scalar, a scalar
          post_update: attr, a compile-time value
          repeat_stride: scalar, a scalar

        Pipe: V.
        """
    @staticmethod
    def gather(src: Tile | Register, indices: Register, mask: Mask | None = None, *, data_copy_mode: DataCopyMode = DataCopyMode.NORM, dtype: Any = None) -> Register:
        """pl.vf.gather(src, indices, mask=None, *, data_copy_mode=pl.DataCopyMode.NORM, dtype=None)

        Lane i: element indices[i] of a tile, or lane indices[i] of a register.

          src: in, a tile or a register
          indices: in, a register
          mask: in, a mask
          data_copy_mode: pl.DataCopyMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def scatter(base_ptr: Tile, src: Register, index: Register, mask: Mask) -> None:
        """pl.vf.scatter(base_ptr, src, index, mask)

        Element index[i] of the tile becomes lane i, for the active lanes.

          base_ptr: out, a tile
          src: in, a register
          index: in, a register
          mask: in, a mask

        Pipe: V.
        """
    @staticmethod
    def create_mask(pattern: MaskPattern = MaskPattern.ALL, dtype: Any = DT_FP32) -> Mask:
        """pl.vf.create_mask(pattern=pl.MaskPattern.ALL, dtype=pl.DT_FP32)

        A mask of the lanes that the pattern names, for lanes as wide as dtype.

          pattern: pl.MaskPattern
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def update_mask(scalar: Number, dtype: Any = DT_FP32) -> Mask:
        """pl.vf.update_mask(scalar, dtype=pl.DT_FP32)

        A mask of the first `scalar` lanes (all when there are no more).

          scalar: scalar, a scalar
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def get_mask_spr(width: MaskWidth = MaskWidth.B32) -> Mask:
        """pl.vf.get_mask_spr(width=pl.MaskWidth.B32)

        The mask that pl.set_vec_mask has left, for lanes of 32 or 16 bits.

          width: pl.MaskWidth

        Pipe: V.
        """
    @staticmethod
    def mask_gen_with_reg_tensor(src: Register, offset: Any = 0) -> Mask:
        """pl.vf.mask_gen_with_reg_tensor(src, offset=0)

        The mask whose bits are chunk number `offset` of src (8 bytes of 32-bit lanes, 16 bytes of 16-bit lanes).

          src: in, a register of INT16, UINT16, FP16, BF16, INT32, UINT32, FP32
          offset: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def create_addr_reg(index0: Number, stride0: Number, index1: Number | None = None, stride1: Number | None = None, index2: Number | None = None, stride2: Number | None = None, index3: Number | None = None, stride3: Number | None = None, *, dtype: Any = DT_FP32) -> AddressRegister:
        """pl.vf.create_addr_reg(index0, stride0, index1=None, stride1=None, index2=None, stride2=None, index3=None, stride3=None, *, dtype=pl.DT_FP32)

        An offset in elements: the sum of index * stride over the surrounding loops, the outermost first.

          index0: scalar, a scalar
          stride0: scalar, a scalar
          index1: scalar, a scalar
          stride1: scalar, a scalar
          index2: scalar, a scalar
          stride2: scalar, a scalar
          index3: scalar, a scalar
          stride3: scalar, a scalar
          dtype: attr, a compile-time value

        Pipe: V.
        - the indices are the counters of the surrounding loops, which start at 0 and step by 1
        """
    @staticmethod
    def clear_spr() -> None:
        """pl.vf.clear_spr()

        Sets the AR register (bytes that squeeze has kept) to 0.

        Pipe: V.
        """
    @staticmethod
    def mem_bar(mode: MemBarMode = MemBarMode.VST_VLD) -> None:
        """pl.vf.mem_bar(mode=pl.MemBarMode.VST_VLD)

        Accesses of the first kind that stand before come before those of the second kind that follow.

          mode: pl.MemBarMode

        Pipe: V.
        """
    @staticmethod
    def add(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.add(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src0 + src1 (integers wrap).

          src0: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - the registers hold one element type
        """
    @staticmethod
    def sub(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.sub(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src0 - src1.

          src0: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - the registers hold one element type
        """
    @staticmethod
    def mul(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.mul(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src0 * src1 (low bits).

          src0: in, a register of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - the registers hold one element type
        """
    @staticmethod
    def div(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.div(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src0 / src1 (integers truncate).

          src0: in, a register of INT16, UINT16, INT32, UINT32, INT64, UINT64, INT8, UINT8, FP16, FP32
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - the registers hold one element type
        """
    @staticmethod
    def max(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.max(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: the larger of src0 and src1.

          src0: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - the registers hold one element type
        """
    @staticmethod
    def min(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.min(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: the smaller of src0 and src1.

          src0: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - the registers hold one element type
        """
    @staticmethod
    def abs_sub(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.abs_sub(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: |src0 - src1|.

          src0: in, a register of FP16, FP32, INT64
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - the registers hold one element type
        """
    @staticmethod
    def mul_add_dst(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.mul_add_dst(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src0 * src1 + dst, fused.

          src0: in, a register of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - the registers hold one element type
        - the result's name must hold a register already
        """
    @staticmethod
    def mul_dst_add(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.mul_dst_add(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: dst * src0 + src1, fused.

          src0: in, a register of FP16, BF16, FP32
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - the registers hold one element type
        - the result's name must hold a register already
        """
    @staticmethod
    def prelu(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.prelu(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src0 where it is >= 0, else src0 * src1.

          src0: in, a register of FP16, FP32
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - the registers hold one element type
        """
    @staticmethod
    def exp(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.exp(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: e to the power of src.

          src: in, a register of FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def ln(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.ln(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: natural logarithm.

          src: in, a register of FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def log(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.log(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: natural logarithm.

          src: in, a register of FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def log2(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.log2(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: logarithm to base 2.

          src: in, a register of FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def log10(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.log10(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: logarithm to base 10.

          src: in, a register of FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def sqrt(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.sqrt(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: square root.

          src: in, a register of FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def abs(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.abs(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: absolute value.

          src: in, a register of INT8, INT16, INT32, INT64, FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def neg(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.neg(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: -src.

          src: in, a register of INT8, INT16, INT32, INT64, FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def relu(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.relu(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: the larger of src and 0.

          src: in, a register of INT32, INT64, FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def adds(src: Register, scalar: Number, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.adds(src, scalar, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src + scalar.

          src: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          scalar: scalar, a scalar
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def subs(src: Register, scalar: Number, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.subs(src, scalar, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src - scalar.

          src: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          scalar: scalar, a scalar
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def muls(src: Register, scalar: Number, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.muls(src, scalar, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src * scalar.

          src: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          scalar: scalar, a scalar
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def maxs(src: Register, scalar: Number, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.maxs(src, scalar, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: the larger of src and scalar.

          src: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          scalar: scalar, a scalar
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def mins(src: Register, scalar: Number, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.mins(src, scalar, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: the smaller of src and scalar.

          src: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          scalar: scalar, a scalar
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def leaky_relu(src: Register, alpha: Number, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.leaky_relu(src, alpha, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src where it is >= 0, else src * alpha.

          src: in, a register of FP16, FP32
          alpha: scalar, a scalar
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def axpy(src: Register, scalar: Number, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.axpy(src, scalar, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src * scalar + dst.

          src: in, a register of FP16, FP32, INT64, UINT64
          scalar: scalar, a scalar
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def mull(src0: Register, src1: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Any:
        """pl.vf.mull(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: the low and the high 32 bits of src0 * src1.

          src0: in, a register of INT32, UINT32
          src1: in, a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def addc(src0: Register, src1: Register, carry_in: Mask, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Any:
        """pl.vf.addc(src0, src1, carry_in, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: (carry, sum) of src0 + src1 + carry_in in 33 bits.

          src0: in, a register of INT32, UINT32
          src1: in, a register
          carry_in: in, a mask
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def subc(src0: Register, src1: Register, borrow_in: Mask, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Any:
        """pl.vf.subc(src0, src1, borrow_in, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: (borrow, difference) of src0 - src1 with borrow_in.

          src0: in, a register of INT32, UINT32
          src1: in, a register
          borrow_in: in, a mask
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def exp_sub(src: Register, max_val: Register, mask: Mask, *, layout: CastLayout = CastLayout.ZERO, dtype: Any = None) -> Register:
        """pl.vf.exp_sub(src, max_val, mask, *, layout=pl.CastLayout.ZERO, dtype=None)

        Active lanes: exp(src - max_val) as FP32; of FP16 the even (ZERO) or odd (ONE) lanes.

          src: in, a register of FP16, FP32
          max_val: in, a register
          mask: in, a mask
          layout: pl.CastLayout
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def muls_cast(src: Register, scalar: Number, mask: Mask, *, dtype: Any = None, layout: CastLayout = CastLayout.ZERO) -> Register:
        """pl.vf.muls_cast(src, scalar, mask, *, dtype=None, layout=pl.CastLayout.ZERO)

        Active lanes: src * scalar as FP16, in the even (ZERO) or odd (ONE) lanes; 0 in the others.

          src: in, a register of FP32
          scalar: scalar, a scalar
          mask: in, a mask
          dtype: attr, a compile-time value
          layout: pl.CastLayout

        Pipe: V.
        """
    @staticmethod
    def and_(src0: Register | Mask, src1: Register | Mask, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.and_(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: bitwise and; of two masks, bit by bit.

          src0: in, a register or a mask of BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, HF8
          src1: in, a register or a mask of BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, HF8
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def or_(src0: Register | Mask, src1: Register | Mask, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.or_(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: bitwise or; of two masks, bit by bit.

          src0: in, a register or a mask of BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, HF8
          src1: in, a register or a mask of BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, HF8
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def xor(src0: Register | Mask, src1: Register | Mask, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.xor(src0, src1, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: bitwise exclusive or; of two masks, bit by bit.

          src0: in, a register or a mask of BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, HF8
          src1: in, a register or a mask of BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, BF16, FP32, FP8E4M3FN, FP8E5M2, FP8E8M0, HF8
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def not_(src: Register | Mask, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.not_(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: bitwise complement; of a mask, of the bits that the other mask selects.

          src: in, a register or a mask of BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def shift_left(src: Register, shift: Number | Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.shift_left(src, shift, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src shifted left, by a scalar or by the lanes of a register.

          src: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64
          shift: in, a scalar or a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def shift_right(src: Register, shift: Number | Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.shift_right(src, shift, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        Active lanes: src shifted right, arithmetically where it is signed, by a scalar or by the lanes of a register.

          src: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64
          shift: in, a scalar or a register
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def eq(a: Register, b: Number | Register, mask: Mask, *, cmp_dtype: Any = None) -> Mask:
        """pl.vf.eq(a, b, mask, *, cmp_dtype=None)

        A mask of the active lanes in which a == b.

          a: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          b: in, a scalar or a register
          mask: in, a mask
          cmp_dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def ne(a: Register, b: Number | Register, mask: Mask, *, cmp_dtype: Any = None) -> Mask:
        """pl.vf.ne(a, b, mask, *, cmp_dtype=None)

        A mask of the active lanes in which a != b.

          a: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          b: in, a scalar or a register
          mask: in, a mask
          cmp_dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def lt(a: Register, b: Number | Register, mask: Mask, *, cmp_dtype: Any = None) -> Mask:
        """pl.vf.lt(a, b, mask, *, cmp_dtype=None)

        A mask of the active lanes in which a < b.

          a: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          b: in, a scalar or a register
          mask: in, a mask
          cmp_dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def gt(a: Register, b: Number | Register, mask: Mask, *, cmp_dtype: Any = None) -> Mask:
        """pl.vf.gt(a, b, mask, *, cmp_dtype=None)

        A mask of the active lanes in which a > b.

          a: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          b: in, a scalar or a register
          mask: in, a mask
          cmp_dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def le(a: Register, b: Number | Register, mask: Mask, *, cmp_dtype: Any = None) -> Mask:
        """pl.vf.le(a, b, mask, *, cmp_dtype=None)

        A mask of the active lanes in which a <= b.

          a: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          b: in, a scalar or a register
          mask: in, a mask
          cmp_dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def ge(a: Register, b: Number | Register, mask: Mask, *, cmp_dtype: Any = None) -> Mask:
        """pl.vf.ge(a, b, mask, *, cmp_dtype=None)

        A mask of the active lanes in which a >= b.

          a: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32, BF16
          b: in, a scalar or a register
          mask: in, a mask
          cmp_dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def select(src_true: Register | Mask, src_false: Register | Mask, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.select(src_true, src_false, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        src_true where the mask is set, src_false elsewhere; of two masks, bit by bit.

          src_true: in, a register or a mask of BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
          src_false: in, a register or a mask of BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def squeeze(src: Register, mask: Mask, *, gather_mode: SqueezeMode = SqueezeMode.NO_STORE_REG, dtype: Any = None) -> Register:
        """pl.vf.squeeze(src, mask, *, gather_mode=pl.SqueezeMode.NO_STORE_REG, dtype=None)

        The active lanes moved together at the low end, 0 behind them.

          src: in, a register of INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, FP32
          mask: in, a mask
          gather_mode: pl.SqueezeMode
          dtype: attr, a compile-time value

        Pipe: V.
        - with STORE_REG the number of bytes goes to the AR register, for store_unalign
        """
    @staticmethod
    def unsqueeze(mask: Mask, *, dtype: Any = None) -> Register:
        """pl.vf.unsqueeze(mask, *, dtype=None)

        How many lanes below each lane are active (the last lane does not count).

          mask: in, a mask
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def move(src: Register | Mask, mask: Mask | None = None, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.move(src, mask=None, mode=pl.MergeMode.ZEROING, *, dtype=None)

        The lanes of src; with a mask those that are active, the others keep what the result held.

          src: in, a register or a mask of BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, FP16, BF16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def astype(src: Register, mask: Mask, dtype: Any = None, *, layout: CastLayout = CastLayout.ZERO, round_mode: VFRoundMode | None = None, saturate: SaturateMode = SaturateMode.OFF, mode: MergeMode = MergeMode.ZEROING) -> Register:
        """pl.vf.astype(src, mask, dtype=None, *, layout=pl.CastLayout.ZERO, round_mode=None, saturate=pl.SaturateMode.OFF, mode=pl.MergeMode.ZEROING)

        src converted to dtype; where widths differ, `layout` says which part of each wide lane the narrow one is.

          src: in, a register
          mask: in, a mask
          dtype: attr, a compile-time value
          layout: pl.CastLayout
          round_mode: pl.VFRoundMode
          saturate: pl.SaturateMode
          mode: pl.MergeMode

        Pipe: V.
        - the mask counts lanes of src
        - dtype differs from the type of src
        """
    @staticmethod
    def bit_cast(src: Register, *, dtype: Any = None) -> Register:
        """pl.vf.bit_cast(src, *, dtype=None)

        The bits of src as lanes of another type; no instruction.

          src: in, a register
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def truncate(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, round_mode: VFRoundMode = VFRoundMode.CAST_TRUNC, dtype: Any = None) -> Register:
        """pl.vf.truncate(src, mask, mode=pl.MergeMode.ZEROING, *, round_mode=pl.VFRoundMode.CAST_TRUNC, dtype=None)

        Active lanes: src rounded to a whole number (towards zero), still a float.

          src: in, a register of FP16, BF16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          round_mode: pl.VFRoundMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def interleave(src0: Register | Mask, src1: Register | Mask, *, dtype: Any = None) -> Any:
        """pl.vf.interleave(src0, src1, *, dtype=None)

        The lanes of src0 and src1 in turn: first those of the lower halves, then those of the upper halves.

          src0: in, a register or a mask
          src1: in, a register or a mask
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def de_interleave(src0: Register | Mask, src1: Register | Mask, *, dtype: Any = None) -> Any:
        """pl.vf.de_interleave(src0, src1, *, dtype=None)

        The even lanes of src0 followed by src1, and the odd ones.

          src0: in, a register or a mask
          src1: in, a register or a mask
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def pack(src: Register | Mask, *, dtype: Any = None, part: PackPart = PackPart.LOWER) -> Register:
        """pl.vf.pack(src, *, dtype=None, part=pl.PackPart.LOWER)

        The low half of every lane, side by side in the lower or upper half of the result; of a mask its even bits.

          src: in, a register or a mask
          dtype: attr, a compile-time value
          part: pl.PackPart

        Pipe: V.
        """
    @staticmethod
    def unpack(src: Register | Mask, *, dtype: Any = None, part: PackPart = PackPart.LOWER) -> Register:
        """pl.vf.unpack(src, *, dtype=None, part=pl.PackPart.LOWER)

        The lanes of the lower or upper half of src, each twice as wide; of a mask, each bit followed by 0.

          src: in, a register or a mask
          dtype: attr, a compile-time value
          part: pl.PackPart

        Pipe: V.
        """
    @staticmethod
    def arange(start: Number, *, dtype: Any = None, index_order: IndexOrder = IndexOrder.INCREASE_ORDER) -> Register:
        """pl.vf.arange(start, *, dtype=None, index_order=pl.IndexOrder.INCREASE_ORDER)

        start, start + 1, ... in the lanes; DECREASE_ORDER counts down to start.

          start: scalar, a scalar
          dtype: attr, a compile-time value of INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
          index_order: pl.IndexOrder

        Pipe: V.
        """
    @staticmethod
    def reduce_sum(src: Register, mask: Mask, *, datablock: Any = False, merge_mode: MergeMode = MergeMode.ZEROING, dtype: Any = None) -> Register:
        """pl.vf.reduce_sum(src, mask, *, datablock=False, merge_mode=pl.MergeMode.ZEROING, dtype=None)

        Lane 0: the sum of the active lanes; with datablock=True one result for each 32-byte block, packed in the low lanes.

          src: in, a register of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
          mask: in, a mask
          datablock: attr, a compile-time value
          merge_mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def reduce_max(src: Register, mask: Mask, *, datablock: Any = False, merge_mode: MergeMode = MergeMode.ZEROING, dtype: Any = None) -> Register:
        """pl.vf.reduce_max(src, mask, *, datablock=False, merge_mode=pl.MergeMode.ZEROING, dtype=None)

        Lane 0: the largest active lane, lane 1: its index; with datablock=True one result for each 32-byte block, packed in the low lanes.

          src: in, a register of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
          mask: in, a mask
          datablock: attr, a compile-time value
          merge_mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def reduce_min(src: Register, mask: Mask, *, datablock: Any = False, merge_mode: MergeMode = MergeMode.ZEROING, dtype: Any = None) -> Register:
        """pl.vf.reduce_min(src, mask, *, datablock=False, merge_mode=pl.MergeMode.ZEROING, dtype=None)

        Lane 0: the smallest active lane, lane 1: its index; with datablock=True one result for each 32-byte block, packed in the low lanes.

          src: in, a register of INT16, UINT16, INT32, UINT32, INT64, UINT64, FP16, FP32
          mask: in, a mask
          datablock: attr, a compile-time value
          merge_mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def pair_reduce_sum(src: Register, mask: Mask, mode: MergeMode = MergeMode.ZEROING, *, dtype: Any = None) -> Register:
        """pl.vf.pair_reduce_sum(src, mask, mode=pl.MergeMode.ZEROING, *, dtype=None)

        The sums of neighbouring lanes, in the lower half of the result.

          src: in, a register of FP16, FP32
          mask: in, a mask
          mode: pl.MergeMode
          dtype: attr, a compile-time value

        Pipe: V.
        """
    @staticmethod
    def histograms(src: Register, mask: Mask, *, bin_type: BinType = BinType.BIN0, hist_type: HistType = HistType.ACCUMULATE, dtype: Any = None) -> Register:
        """pl.vf.histograms(src, mask, *, bin_type=pl.BinType.BIN0, hist_type=pl.HistType.ACCUMULATE, dtype=None)

        Adds to lane n how many active bytes of src are n (FREQUENCY), or at most n (ACCUMULATE); BIN1: n + 128.

          src: in, a register
          mask: in, a mask
          bin_type: pl.BinType
          hist_type: pl.HistType
          dtype: attr, a compile-time value

        Pipe: V.
        - the result's name must hold a register of DT_UINT16 already
        """

vf: _vf

Vf: _vf
