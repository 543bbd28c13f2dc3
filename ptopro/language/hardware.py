"""The machine model: what a chip's cores have, how much fits, how fast it moves, and where each figure comes from.

Sizes in bytes, rates in bytes per cycle of one core, frequencies in MHz, latencies in cycles.  Sources: "platform" the
public platform files of the toolkit, "isa" the public PTO-ISA and language documentation, "estimate" our own until a
public figure is found.  A simulated time flatters: figures serve bounds and shares, not promises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from ptopro.language.enums import MemorySpace, PipeType
from ptopro.records import record

# Limits of the instruction set, the same on every chip (source: isa).
EVENT_ID_MAX = 15  # set_flag / wait_flag, for each pair of pipes
EVENT_ID_SAFE_MAX = 7  # some revisions of the PTO-ISA headers define EVENT_ID0..EVENT_ID7 only
CROSS_CORE_EVENT_ID_MAX = 15
UNICAST_EVENT_ID_MAX = 31  # from the cube core, ids 16..31 mean vector core 1
CROSS_CORE_PENDING_MAX = 15  # signals of one id that may be outstanding
MUTEX_ID_MAX = 31
HARD_SYNC_ALL_EVENT_IDS = (11, 12, 13, 14)  # used by the hardware barrier itself
VECTOR_REGISTER_BYTES = 256
PREDICATE_REGISTER_BYTES = 32
FRACTAL_BYTES = 512  # 16 rows of 32 bytes
ACC_FRACTAL_BYTES = 1024  # 16 x 16 FP32 or INT32
SCALE_FRACTAL_BYTES = 32
BLOCK_BYTES = 32  # unit of UB and L1 accesses

CUBE_PIPES = (PipeType.MTE1, PipeType.MTE2, PipeType.M, PipeType.FIX, PipeType.S)
VECTOR_PIPES = (PipeType.MTE2, PipeType.MTE3, PipeType.V, PipeType.S)

# Start addresses are multiples of these (source: isa).  Bias and Scaling follow the 32-byte block.
ALIGNMENT: Mapping[MemorySpace, int] = MappingProxyType(
    {
        MemorySpace.Vec: 32,
        MemorySpace.Mat: 32,
        MemorySpace.Left: 512,
        MemorySpace.Right: 512,
        MemorySpace.Acc: 64,
        MemorySpace.ScaleLeft: 32,
        MemorySpace.ScaleRight: 32,
        MemorySpace.Bias: 32,
        MemorySpace.Scaling: 32,
    }
)

# Multiply-accumulates of one cycle, M x K x N, by element type (source: platform; FP32 a quarter of FP16: estimate).
CUBE_MKN: Mapping[str, tuple[int, int, int]] = MappingProxyType(
    {
        "FP16": (16, 16, 16),
        "BF16": (16, 16, 16),
        "INT8": (16, 32, 16),
        "FP8": (16, 32, 16),
        "FP4": (16, 64, 16),
        "FP32": (16, 4, 16),
    }
)


@record
class Rates:
    """Bytes per cycle of one core on each path."""

    gm_to_l1: int
    gm_to_ub: int
    ub_to_gm: int
    l0c_to_gm: int
    l1_to_l0a: int
    l1_to_l0b: int
    l1_to_ub: int
    l0c_to_ub: int
    ub_to_l1: int
    l2: int  # GM paths when the data lies in L2
    vector_compute: int
    source: str = "platform"


@record
class Latencies:
    """Cycles from issue to the first byte or result, and what sync costs."""

    mte1: int = 60
    mte2: int = 400
    mte3: int = 300
    fix: int = 80
    m: int = 30
    v: int = 20
    set_wait_flag: int = 10
    mutex: int = 10
    cross_core: int = 120
    scalar_issue: int = 4
    transcendental_factor: int = 4
    reduce_factor: int = 4
    source: str = "estimate"


@record
class VectorFit:
    """cycles = slope * loops + base of an instruction, loops over 256-byte registers."""

    slope: float
    base: float


@record
class Chip:
    """A chip family.

    memory: bytes of each on-chip memory of a core, and L2; cores: cube and vector cores of each product of the family.
    """

    name: str
    title: str
    npu_arch: int
    core_arch: str  # the compiler's name of the core
    memory: Mapping[MemorySpace, int]
    l2_bytes: int
    cores: Mapping[str, tuple[int, int]]
    frequency: int
    rates: Rates
    latencies: Latencies = field(default_factory=Latencies)
    vector_fit: Mapping[str, VectorFit] = field(default_factory=dict)
    memory_source: str = "platform"

    def capacity(self, memory: MemorySpace) -> int | None:
        """Bytes of an on-chip memory, None when the chip does not have it."""
        return self.memory.get(memory)

    @property
    def default_product(self) -> str:
        return next(iter(self.cores))


_M = MemorySpace

A5 = Chip(
    name="a5",
    title="Ascend 950",
    npu_arch=3510,
    core_arch="dav-c310",
    memory=MappingProxyType(
        {
            _M.Vec: 253952,  # 256 KB, of which the toolkit keeps 8 KB
            _M.Mat: 524288,
            _M.Left: 65536,
            _M.Right: 65536,
            _M.Acc: 262144,
            _M.Bias: 4096,
            _M.Scaling: 6144,
            _M.ScaleLeft: 4096,
            _M.ScaleRight: 4096,
        }
    ),
    l2_bytes=134217728,
    cores=MappingProxyType({"950PR_957x": (28, 56), "950DT_9581": (32, 64)}),
    frequency=1650,
    rates=Rates(
        gm_to_l1=80,
        gm_to_ub=40,
        ub_to_gm=40,
        l0c_to_gm=80,
        l1_to_l0a=256,
        l1_to_l0b=256,
        l1_to_ub=128,
        l0c_to_ub=128,
        ub_to_l1=128,
        l2=100,
        vector_compute=256,
    ),
    # Source: the public vector formulas of PTO-ISA for FP32.
    vector_fit=MappingProxyType(
        {
            "TADD": VectorFit(1.25, 55),
            "TSUB": VectorFit(1.25, 55),
            "TMUL": VectorFit(1.19, 56),
            "TMINS": VectorFit(1.06, 54),
            "TNEG": VectorFit(1.06, 54),
            "TEXP": VectorFit(1.97, 63),
            "TSQRT": VectorFit(1.97, 64),
            "TRSQRT": VectorFit(4.03, 76),
            "TDIVS": VectorFit(1.91, 65),
            "TSEL": VectorFit(3.0, 62),
            "TCVT": VectorFit(1.32, 52),
        }
    ),
)

A3 = Chip(
    name="a3",
    title="Atlas A2/A3",
    npu_arch=2201,
    core_arch="dav-c220",
    memory=MappingProxyType(
        {
            _M.Vec: 196608,
            _M.Mat: 524288,
            _M.Left: 65536,
            _M.Right: 65536,
            _M.Acc: 131072,
            _M.Bias: 1024,
            _M.Scaling: 7168,
        }
    ),
    l2_bytes=201326592,
    cores=MappingProxyType({"910B": (24, 48)}),
    frequency=1850,
    rates=Rates(
        gm_to_l1=32,
        gm_to_ub=32,
        ub_to_gm=64,
        l0c_to_gm=64,
        l1_to_l0a=512,
        l1_to_l0b=256,
        l1_to_ub=128,
        l0c_to_ub=256,
        ub_to_l1=128,
        l2=110,
        vector_compute=256,
    ),
)

CHIPS: Mapping[str, Chip] = MappingProxyType({"a5": A5, "a3": A3, "a2": A3})
DEFAULT_CHIP = "a5"
