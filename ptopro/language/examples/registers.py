"""Examples of register operations: a vector function that loads registers from UB, applies one operation, stores.

In: an entry `vf.*`.  Out: the text of a kernel file.  Operations on registers, masks and numbers are shown in lines
made from their operands; what needs others (memory, masks, other element types) has lines of its own in `_LINES`.

The lines may use three registers `a`, `b`, `c` of one element type, the mask `m` of the lanes that take part, `every`
for all lanes, and the pointers `x` (where a, b and c come from, one after the other) and `y`.  What they leave in `r`
(and `s`) is stored to y.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.operations.model import Kind, Operand, Operation
from ptopro.language.operations.parts import INTS_8_32
from ptopro.language.operations.rules.conversions_of_registers import CONVERSIONS

BYTES = 256  # of a register
_PREFERRED = (dt.FP32, dt.INT32, dt.UINT32, dt.UINT16, dt.UINT8)
_UNSIGNED: Mapping[int, str] = {8: "UINT8", 16: "UINT16", 32: "UINT32", 64: "UINT64"}
# Element types of `_LINES` that name no types in the table.
_PLAIN: tuple[DType, ...] = (
    dt.INT8, dt.UINT8, dt.INT16, dt.UINT16, dt.INT32, dt.UINT32, dt.INT64, dt.UINT64, dt.FP16, dt.BF16, dt.FP32,
)  # fmt: skip
_UP_TO_32: tuple[DType, ...] = tuple(each for each in _PLAIN if each.bits <= 32)
_16_AND_32: tuple[DType, ...] = tuple(each for each in _UP_TO_32 if each.bits >= 16)

_UNALIGNED_LOAD = """\
u = vf.load_unalign_init()
vf.load_unalign_pre(u, x + 3)
r = vf.load_unalign(u, x + 3)"""
_UNALIGNED_STORE = """\
u = vf.unalign_reg_for_store()
vf.store_unalign(y, a, u, {lanes}, post_update=True)
vf.store_unalign_post(y, u, 0, post_update=True)"""
_BACKWARDS = "i = vf.arange(0, dtype=pl.DT_{index}, index_order=pl.IndexOrder.DECREASE_ORDER)\n"
_LIMITED = "k = vf.{}\nr = vf.full(3, k, dtype=pl.{{dtype}})"
_CARRIED = "none = vf.create_mask(pattern=pl.MaskPattern.ALLF)\nk, r = vf.{}(a, b, none, m)\ns = vf.select(a, b, k)"

_SECOND = "^(r, )?s = "

# Operation -> lines, and the element types of a, b and c.  {dtype}, {lanes}: of the chosen type; {index}, {half},
# {double}: the unsigned type of its width and of half of it, its like of twice the width.
_LINES: Mapping[str, tuple[str, tuple[DType, ...]]] = {
    "full": ("r = vf.full(3, m, dtype=pl.{dtype})", _PLAIN),
    "load_align": ("r = vf.load_align(x, 1, dist=pl.LoadDist.BRC)", _UP_TO_32),
    "store_align": ("vf.store_align(y, a, every)", _PLAIN),
    "load": ("r = vf.load(x + 3)", _PLAIN),
    "store": ("vf.store(y, a)", _PLAIN),
    **dict.fromkeys(("load_unalign_init", "load_unalign_pre", "load_unalign"), (_UNALIGNED_LOAD, _PLAIN)),
    **dict.fromkeys(("unalign_reg_for_store", "store_unalign", "store_unalign_post"), (_UNALIGNED_STORE, _PLAIN)),
    "gather": (_BACKWARDS + "r = vf.gather(x, i, m)", _16_AND_32),
    "scatter": (_BACKWARDS + "vf.scatter(y, a, i, every)", _16_AND_32),
    "create_mask": (_LIMITED.format("create_mask(pattern=pl.MaskPattern.VL8, dtype=pl.{dtype})"), _PLAIN),
    "update_mask": (_LIMITED.format("update_mask(11, dtype=pl.{dtype})"), _PLAIN),
    "get_mask_spr": (_LIMITED.format("get_mask_spr(width=pl.MaskWidth.B32)"), (dt.FP32, dt.INT32, dt.UINT32)),
    "mask_gen_with_reg_tensor": (_LIMITED.format("mask_gen_with_reg_tensor(c, 3)"), _16_AND_32),
    "create_addr_reg": (
        "for i in pl.range(2):\n    at = vf.create_addr_reg(i, {lanes}, dtype=pl.{dtype})\n"
        "    r = vf.load_align(x, at)",
        _PLAIN,
    ),
    "clear_spr": (
        "vf.clear_spr()\nsqueezed = vf.squeeze(a, m, gather_mode=pl.SqueezeMode.STORE_REG)\n"
        "u = vf.unalign_reg_for_store()\nvf.store_unalign(y, squeezed, u)\nvf.store_unalign_post(y, u)",
        tuple(each for each in _UP_TO_32 if each is not dt.BF16),
    ),
    "mem_bar": ("vf.store_align(y, a, every)\nvf.mem_bar(pl.MemBarMode.VST_VLD)\nr = vf.load_align(y, 0)", _PLAIN),
    "mull": ("r, s = vf.mull(a, b, m)", (dt.INT32, dt.UINT32)),
    "addc": (_CARRIED.format("addc"), (dt.INT32, dt.UINT32)),
    "subc": (_CARRIED.format("subc"), (dt.INT32, dt.UINT32)),
    "muls_cast": ("r = vf.muls_cast(a, 2.0, m, dtype=pl.DT_FP16)", (dt.FP32,)),
    "select": ("r = vf.select(a, b, m)", (dt.BOOL, *_UP_TO_32)),
    "unsqueeze": ("r = vf.unsqueeze(m, dtype=pl.{dtype})", INTS_8_32),
    "move": ("r = vf.move(a)", (dt.BOOL, *_UP_TO_32)),
    "bit_cast": ("r = vf.bit_cast(a, dtype=pl.DT_{index})", _PLAIN),
    "interleave": ("r, s = vf.interleave(a, b)", _PLAIN),
    "de_interleave": ("r, s = vf.de_interleave(a, b)", _PLAIN),
    "pack": ("r = vf.pack(a, dtype=pl.DT_{half})", (dt.INT16, dt.UINT16, dt.INT32, dt.UINT32, dt.INT64, dt.UINT64)),
    "unpack": ("r = vf.unpack(a, dtype=pl.{double})", (dt.INT8, dt.UINT8, dt.INT16, dt.UINT16, dt.INT32, dt.UINT32)),
    "arange": ("r = vf.arange(3, dtype=pl.{dtype})", tuple(each for each in _PLAIN if each is not dt.BF16)),
    "histograms": ("r = vf.full(0, dtype=pl.DT_UINT16)\nr = vf.histograms(a, m)", (dt.UINT8,)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RegisterCase:
    """Lines of a vector function that apply an operation, for one element type of a, b and c.

    to: of a conversion, the other type.
    """

    operation: Operation
    dtype: DType
    to: DType | None = None

    @property
    def lanes(self) -> int:
        return BYTES * 8 // max(self.dtype.bits, 8)

    @property
    def lines(self) -> str:
        """The operation and the stores of what it yields."""
        name = self.operation.name.removeprefix("vf.")
        text = _LINES[name][0] if name in _LINES else _derived(self)
        bits = self.dtype.bits
        text = text.format(
            dtype=self.dtype.name, lanes=self.lanes, index=_UNSIGNED.get(bits, "UINT8"),
            half=_UNSIGNED.get(bits // 2, ""), double=self.dtype.name.replace(str(bits), str(2 * bits)),
        )  # fmt: skip
        stored = [f"vf.store_align(y{at}, {result}, every)" for result, at in self._results(text)]
        return "\n".join([text, *stored])

    @property
    def results(self) -> int:
        """How many registers y receives."""
        return 2 if re.search(_SECOND, self.lines, re.MULTILINE) else 1

    def _results(self, text: str) -> Iterator[tuple[str, str]]:
        """Names that are stored, and where in y."""
        if re.search(r"^ *(k, )?r(, s)? = ", text, re.MULTILINE):
            yield "r", ""
        if re.search(_SECOND, text, re.MULTILINE):
            yield "s", f" + {self.lanes}"


def cases_of(operation: Operation) -> list[RegisterCase]:
    """Every element type that the operation takes."""
    name = operation.name.removeprefix("vf.")
    if name == "astype":
        return [RegisterCase(operation, source, target) for source, target in CONVERSIONS]
    if name in _LINES:
        return [RegisterCase(operation, dtype) for dtype in _LINES[name][1]]
    typed = next(operand.name for operand in operation.operands if operand.name in operation.dtypes)
    return [RegisterCase(operation, dtype) for dtype in operation.dtypes[typed]]


def register_kernel(operation: Operation) -> str:
    """The whole file, for the element type that reads best."""
    cases = cases_of(operation)
    case = min(cases, key=lambda each: _PREFERRED.index(each.dtype) if each.dtype in _PREFERRED else 99)
    dtype, lanes = f"pl.{case.dtype.name}", case.lanes
    return f"""\
import ptopro.language as pl
from ptopro.language import vf


@pl.vector_function
def apply(y, x):
    every = vf.create_mask(dtype={dtype})
{textwrap.indent(_loads(case) + _only_mask(case.lines), "    ")}


@pl.jit(auto_mutex=True)
def example(y: pl.Tensor[[{case.results}, {lanes}], {dtype}], x: pl.Tensor[[4, {lanes}], {dtype}]):
    y_type = pl.TileType(shape=[{case.results}, {lanes}], dtype={dtype})
    x_type = pl.TileType(shape=[4, {lanes}], dtype={dtype})
    y_ub = pl.make_tile_group(type=y_type, addrs=0x0000, mutex_ids=[0])
    x_ub = pl.make_tile_group(type=x_type, addrs=0x1000, mutex_ids=[1])
    with pl.section_vector():
        y_tile, x_tile = y_ub.next(), x_ub.next()
        pl.load(x_tile, x, [0, 0])
        apply(y_tile, x_tile)
        pl.store(y, y_tile, [0, 0])
"""


def _loads(case: RegisterCase) -> str:
    """a, b and c where the lines use them."""
    words = _words(case.lines)
    return "".join(
        f"{name} = vf.load_align(x, {number * case.lanes})\n" for number, name in enumerate("abc") if name in words
    )


def _words(text: str) -> set[str]:
    return set("".join(each if each.isalnum() or each in "_." else " " for each in text).split())


def _only_mask(lines: str) -> str:
    """The lines with all lanes for the mask."""
    return lines.replace(", m)", ", every)").replace(", m,", ", every,").replace("(m,", "(every,")


def _derived(case: RegisterCase) -> str:
    """The operation on a, b, c, the mask and a number, from its operands."""
    operation = case.operation
    registers, arguments = iter("abc"), []
    for operand in operation.operands:
        text = _argument(case, operand, registers)
        if text:
            arguments.append(text)
    call = f"{operation.name}({', '.join(arguments)})"
    gives = operation.gives
    assert gives is not None
    if gives.kinds == (Kind.MASK,):
        shown = "vf.select(c, a, k)" if case.dtype.bits <= 32 else f"vf.full(3, k, dtype=pl.{case.dtype.name})"
        return f"k = {call}\nr = {shown}"
    return f"r = c\nr = {call}" if gives.updates else f"r = {call}"


def _argument(case: RegisterCase, operand: Operand, registers: Iterator[str]) -> str:
    if operand.name == "dtype":
        return f"dtype=pl.{case.to.name}" if case.to is not None else ""
    if not operand.required:
        return ""
    if operand.kind & Kind.REGISTER and operand.name != "shift":
        return next(registers)
    if operand.kind & Kind.MASK:
        return "m"
    return "2.0" if case.dtype.is_float else "2"
