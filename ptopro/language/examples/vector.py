"""An example for an operation on tiles of UB: load what it reads, apply it, store what it writes.

What cannot be told from the table - which operand is a column, a mask, an index - stands in `SHAPES`, and the values of
attributes in `ATTRIBUTES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.operations.model import Kind, Operand, Operation, Role

ROWS, COLS = 32, 64
_PREFERRED = (dt.FP32, dt.INT16, dt.INT32, dt.UINT32, dt.UINT16, dt.UINT8)

Shape = tuple[int, int]
_COLUMN, _ROW = (ROWS, 1), (1, COLS)
_MASK = (ROWS, 32)  # a bit for each of 64 columns, in rows of 32 bytes

# Operation -> operand -> shape and, where it is not that of the others, element type.
SHAPES: dict[str, dict[str, tuple[Shape, DType | None]]] = {
    **{name: {"out": (_COLUMN, None)} for name in ("sum", "row_sum", "row_max", "row_min", "row_prod")},
    **{name: {"out": (_COLUMN, dt.INT32)} for name in ("argmax", "argmin", "row_argmax", "row_argmin")},
    **{name: {"out": (_ROW, None)} for name in ("col_sum", "col_max", "col_min", "col_prod")},
    **{name: {"out": (_ROW, dt.INT32)} for name in ("col_argmax", "col_argmin")},
    **{f"expand_{name}": {"scalar": (_COLUMN, None)} for name in ("sub", "div", "mul", "max", "min")},
    **{f"row_expand_{n}": {"vec": (_COLUMN, None)} for n in ("add", "sub", "mul", "div", "max", "min", "expdif")},
    **{f"col_expand_{n}": {"vec": (_ROW, None)} for n in ("add", "sub", "mul", "div", "max", "min", "expdif")},
    "row_expand": {"src": (_COLUMN, None)},
    "col_expand": {"src": (_ROW, None)},
    **{name: {"out": (_MASK, dt.UINT8)} for name in ("eq", "ne", "lt", "le", "gt", "ge", "cmp", "cmps")},
    **{name: {"mask": (_MASK, dt.UINT8)} for name in ("select", "sel", "sels")},
    "cast": {"out": ((ROWS, COLS), dt.FP16)},
    **{name: {"out": ((ROWS, COLS), dt.FP16)} for name in ("add_relu_cast", "sub_relu_cast", "mul_cast")},
    "transpose": {"out": ((COLS, ROWS), None)},
    "fill_index": {"out": (_ROW, dt.INT32)},
    "gather": {"idx": ((ROWS, COLS), dt.INT32), "tmp": ((ROWS, COLS), dt.INT32)},
    "gatherb": {"offsets": ((ROWS, COLS // 8), dt.UINT32)},
    "gathermask": {"out": ((ROWS, COLS // 2), None)},
    "scatter": {"idx": ((ROWS, COLS), dt.INT32)},
    "quant": {"out": ((ROWS, COLS), dt.INT8), "scale": (_COLUMN, dt.FP32)},
    "dequant": {
        "out": ((ROWS, COLS), dt.FP32),
        "src": ((ROWS, COLS), dt.INT8),
        "scale": (_COLUMN, dt.FP32),
        "offset": (_COLUMN, dt.FP32),
    },
    "histogram": {"dst": ((ROWS, 256), dt.UINT32), "src": ((ROWS, COLS), dt.UINT16), "idx": (_COLUMN, dt.UINT8)},
    "sort32": {"dst": ((1, 128), dt.FP32), "src": (_ROW, dt.FP32), "idx": (_ROW, dt.UINT32)},
    "mrgsort": {"dst": ((1, 256), dt.FP32), "src": ((1, 256), dt.FP32)},
    "mrgsort2": {
        "src0": ((1, 128), dt.FP32),
        "src1": ((1, 128), dt.FP32),
        "dst": ((1, 256), dt.FP32),
        "tmp": ((1, 256), dt.FP32),
    },
}

ATTRIBUTES = {
    "target_type": "pl.DT_FP16",
    "cmp_mode": "0",
    "pattern_mode": "1",
    "is_msb": "True",
    "block_len": "64",
}
_SHOWN = {"select": {"tmp"}, "sort32": set(), "gather": {"tmp"}, "quant": set()}  # optional tiles that are shown
# Bits are shifted and combined in integers, counts come with a carry.
_INTEGER = ("and_", "ands", "ors", "shl", "shls", "shr", "shrs", "xor", "xors")


@dataclass(frozen=True, slots=True)
class Part:
    """A tile operand of the example.  reads, writes: whether it is loaded before and stored after."""

    name: str
    shape: Shape
    dtype: DType
    reads: bool
    writes: bool

    def extent(self, valid: Shape) -> Shape:
        """Its share of a valid shape: a column has one column, a row one row."""
        rows, cols = valid
        if valid == (ROWS, COLS):
            return self.shape
        return (rows if self.shape[0] > 1 else 1), (cols if self.shape[1] > 1 else 1)


@dataclass(frozen=True, slots=True)
class Section:
    """What one operation adds to a kernel: parameters, tile groups, statements of the vector section."""

    parts: tuple[Part, ...]
    parameters: tuple[str, ...]
    groups: tuple[str, ...]
    statements: tuple[str, ...]
    address: int  # the first free one
    mutex_id: int


def vector_kernel(operation: Operation) -> str:
    """The whole file."""
    return kernel_of([section_of(operation)])


def kernel_of(sections: Sequence[Section]) -> str:
    """A file with one kernel that has all of the sections."""
    return "\n".join(
        [
            "import ptopro.language as pl",
            "",
            "",
            "@pl.jit(auto_mutex=True)",
            "def example(",
            *(f"    {line}" for section in sections for line in section.parameters),
            "):",
            *(f"    {line}" for section in sections for line in section.groups),
            "    with pl.section_vector():",
            *(f"        {line}" for section in sections for line in section.statements),
            "",
        ]
    )


def section_of(
    operation: Operation, prefix: str = "", address: int = 0, mutex_id: int = 0, valid: Shape = (ROWS, COLS)
) -> Section:
    """The operation on tiles whose names begin with `prefix`, from an address and a mutex id on.

    valid: how many rows and columns of a tile are data; the tensors are that large.
    """
    parts = [replace(part, name=f"{prefix}{part.name}") for part in tile_parts(operation)]
    groups = []
    for number, part in enumerate(parts, mutex_id):
        rows, cols = part.shape
        tail = part.extent(valid)
        shape = f"shape=[{rows}, {cols}]" + (f", valid_shape=[{tail[0]}, {tail[1]}]" if tail != part.shape else "")
        kind = f"pl.TileType({shape}, dtype=pl.{part.dtype.name}{', layout=pl.DN' if cols == 1 else ''})"
        groups.append(f"{part.name}_ub = pl.make_tile_group(type={kind}, addrs=0x{address:04X}, mutex_ids=[{number}])")
        address += -(-max(rows * cols * part.dtype.bits // 8, 32) // 256) * 256
    names = ", ".join(part.name for part in parts)
    return Section(
        tuple(parts),
        tuple(
            f"{part.name}_gm: pl.Tensor[{list(part.extent(valid))}, pl.{part.dtype.name}],"
            for part in parts
            if part.reads or part.writes
        ),
        tuple(groups),
        (
            f"{names} = {', '.join(f'{part.name}_ub.next()' for part in parts)}",
            *(f"pl.load({part.name}, {part.name}_gm, [0, 0])" for part in parts if part.reads),
            call_text(operation, parts, prefix),
            *(f"pl.store({part.name}_gm, {part.name}, [0, 0])" for part in parts if part.writes),
        ),
        address,
        mutex_id + len(parts),
    )


def tile_parts(operation: Operation) -> list[Part]:
    """The tile operands with their shapes and types."""
    shapes = SHAPES.get(operation.name, {})
    tiles = [operand for operand in operation.operands if _is_tile(operation, operand)]
    common = _common_type(
        operation, [operand for operand in tiles if shapes.get(operand.name, (None, None))[1] is None]
    )
    parts = []
    for operand in tiles:
        shape, dtype = shapes.get(operand.name, ((ROWS, COLS), None))
        reads = operand.role in (Role.IN, Role.INOUT)
        writes = operand.role in (Role.OUT, Role.INOUT)
        parts.append(Part(operand.name, shape, dtype or common, reads, writes))
    return parts


def _is_tile(operation: Operation, operand: Operand) -> bool:
    if Kind.TILE not in operand.kind or operand.variadic:
        return False
    return operand.required or operand.name in _SHOWN.get(operation.name, ())


def _common_type(operation: Operation, operands: list[Operand]) -> DType:
    """The first of the preferred types that all of the operands take."""
    preferred = (dt.INT32, dt.INT16) if operation.name in _INTEGER else _PREFERRED
    listed = [operation.dtypes[operand.name] for operand in operands if operation.dtypes.get(operand.name)]
    return next(dtype for dtype in preferred if all(dtype in allowed for allowed in listed))


def call_text(operation: Operation, parts: Sequence[Part], prefix: str = "") -> str:
    """`pl.add(out, lhs, rhs)`."""
    named = {part.name.removeprefix(prefix): part for part in parts}
    arguments = []
    for operand in operation.operands:
        if operand.name in named:
            arguments.append(named[operand.name].name)
        elif operand.required:
            value = ATTRIBUTES.get(operand.name) or _number(named.get(operand.like) or parts[0])
            arguments.append(f"{operand.name}={value}" if operand.keyword_only else value)
    return f"pl.{operation.name}({', '.join(arguments)})"


def _number(part: Part) -> str:
    return "2.0" if part.dtype.is_float else "2"
