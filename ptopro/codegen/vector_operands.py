"""Operands of register operations as C++ text: registers and masks, pointers and cursors, words, numbers.

A form's template names operands and their properties: `{src}`, `{src.signed}`, `{layout.half}`, `{scalar.negated}`.
Addresses are split into a pointer of the element type that the instruction moves and an offset in such elements.
"""

from __future__ import annotations

import enum

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import PREFIX, SUM, converted, render
from ptopro.codegen.literals import number
from ptopro.codegen.offsets import constant, plus, times
from ptopro.language import dtypes as dt
from ptopro.language import enums
from ptopro.language.dtypes import DType
from ptopro.language.operations.model import Kind, OperandView, PointerView, RegisterView, ScalarView, Views
from ptopro.lowering import ir, vf_ir

_INTEGERS = {
    (8, True): dt.INT8, (16, True): dt.INT16, (32, True): dt.INT32, (64, True): dt.INT64,
    (8, False): dt.UINT8, (16, False): dt.UINT16, (32, False): dt.UINT32, (64, False): dt.UINT64,
}  # fmt: skip
_NAMED_TYPES = {"DT_INT4": "vector_s4x2", "DT_UINT4": "vector_u4x2", "DT_BOOL": "RegTensor<uint8_t>"}
_KINDS = {Kind.MASK: "MaskReg", Kind.ADDRESS: "AddrReg", Kind.UNALIGN: "UnalignReg"}
_ROUNDS: dict[enum.Enum, str] = {
    enums.VFRoundMode.CAST_RINT: "ROUND_R", enums.VFRoundMode.CAST_ROUND: "ROUND_A",
    enums.VFRoundMode.CAST_FLOOR: "ROUND_F", enums.VFRoundMode.CAST_CEIL: "ROUND_C",
    enums.VFRoundMode.CAST_TRUNC: "ROUND_Z", enums.VFRoundMode.CAST_ODD: "ROUND_O",
    enums.VFRoundMode.CAST_HYBRID: "ROUND_H",
}  # fmt: skip
_WORDS: dict[enum.Enum, str] = {
    **_ROUNDS,
    enums.SaturateMode.ON: "RS_ENABLE",
    enums.SaturateMode.OFF: "RS_DISABLE",
    enums.SqueezeMode.STORE_REG: "MODE_STORED",
    enums.SqueezeMode.NO_STORE_REG: "MODE_NO_STORED",
    enums.PackPart.LOWER: "LOWER",
    enums.PackPart.UPPER: "HIGHER",
    enums.IndexOrder.INCREASE_ORDER: "INC_ORDER",
    enums.IndexOrder.DECREASE_ORDER: "DEC_ORDER",
    enums.BinType.BIN0: "Bin_N0",
    enums.BinType.BIN1: "Bin_N1",
}
_PREFIXES = {enums.MergeMode: "MODE_", enums.DuplicatePos: "POS_", enums.MaskPattern: "PAT_"}


def word(member: enum.Enum) -> str:
    """The C++ word of an enumeration's member."""
    return _WORDS.get(member) or _PREFIXES.get(type(member), "") + member.name


def integer(bits: int, *, signed: bool) -> DType:
    """The integer type of lanes of this width."""
    return _INTEGERS[max(8, bits), signed]


def width_word(dtype: DType) -> str:
    """`b8`, `b16`, `b32`: how instructions on masks are named; 64-bit lanes are pairs of 32-bit ones."""
    return f"b{min(32, max(8, dtype.bits))}"


def lane_type(dtype: DType) -> str:
    """The C++ type of a register: `RegTensor<half>`."""
    return _NAMED_TYPES.get(dtype.name) or f"RegTensor<{dtype.c or 'uint8_t'}>"


def register_type(register: vf_ir.Register) -> str:
    return _KINDS.get(register.kind) or lane_type(register.dtype or dt.FP32)


def register_name(ctx: FunctionContext, register: vf_ir.Register) -> str:
    return ctx.name_of(register, register.name or "reg")


def seen_as(ctx: FunctionContext, item: vf_ir.Register | vf_ir.RegisterAs, dtype: DType) -> str:
    """A register as one with lanes of `dtype`."""
    register = item.register if isinstance(item, vf_ir.RegisterAs) else item
    name = register_name(ctx, register)
    if register.dtype is None or lane_type(register.dtype) == lane_type(dtype):
        return name
    return f"({lane_type(dtype)}&){name}"


def lanes_of(item: object) -> DType | None:
    """The element type of a register operand."""
    return item.dtype if isinstance(item, vf_ir.Register | vf_ir.RegisterAs) else None


# ---- views, for the choice of a form --------------------------------------------------------------------------------


def views_of(stmt: vf_ir.RegisterOp) -> Views:
    return {use.name: _view(use.value) for use in stmt.operands}


def _view(value: object) -> OperandView:
    match value:
        case vf_ir.Register():
            return RegisterView(value.kind, value.dtype)
        case vf_ir.RegisterAs():
            return RegisterView(value.register.kind, value.dtype)
        case vf_ir.UbAddress():
            return PointerView(value.pointer.dtype, value.pointer.columns)
        case ir.Const():
            return ScalarView(value.dtype, value.value)
        case _ if hasattr(value, "dtype"):
            return ScalarView(value.dtype)
        case _:
            return value


# ---- what templates see ---------------------------------------------------------------------------------------------


class RegisterText(str):
    """A register in a template; `as_dst`, `signed` ... are the same bits as other lanes."""

    ctx: FunctionContext
    item: vf_ir.Register | vf_ir.RegisterAs
    result: DType | None
    compared_as: DType | None

    @property
    def dtype(self) -> DType:
        return self.item.dtype or dt.FP32

    @property
    def as_dst(self) -> str:
        return seen_as(self.ctx, self.item, self.result) if self.result is not None else str(self)

    @property
    def signed(self) -> str:
        return seen_as(self.ctx, self.item, integer(self.dtype.bits, signed=True))

    @property
    def unsigned(self) -> str:
        return seen_as(self.ctx, self.item, integer(self.dtype.bits, signed=False))

    @property
    def bytes(self) -> str:
        return seen_as(self.ctx, self.item, dt.UINT8)

    @property
    def compared(self) -> str:
        return seen_as(self.ctx, self.item, self.compared_as or self.dtype)

    @property
    def number(self) -> _Number:
        return _Number(self.dtype)


class _Number:
    """`{src.number:1.5}`: a constant as a lane of src."""

    def __init__(self, dtype: DType) -> None:
        self.dtype = dtype

    def __format__(self, text: str) -> str:
        return number(float(text), self.dtype)


class ScalarText(str):
    """A number in a template."""

    negated: str
    int16: str


class WordText(str):
    """A compile-time attribute in a template."""

    half = ""  # of CastLayout: PART_EVEN, PART_ODD
    word = ""  # in lower case
    width = "b32"  # of an element type


def register_text(
    ctx: FunctionContext,
    item: vf_ir.Register | vf_ir.RegisterAs,
    result: DType | None,
    compared_as: DType | None = None,
) -> RegisterText:
    own = item.dtype if isinstance(item, vf_ir.RegisterAs) else None
    text = RegisterText(seen_as(ctx, item, own) if own is not None else register_name(ctx, item))  # type: ignore[arg-type]
    text.ctx, text.item, text.result, text.compared_as = ctx, item, result, compared_as
    return text


def scalar_text(ctx: FunctionContext, value: ir.Expr, dtype: DType | None) -> ScalarText:
    """A number, as a lane of `dtype` where the operand is one."""
    printed = render(value, ctx) if dtype is None else converted(value, lane_number(dtype), ctx)
    text = ScalarText(printed.text)
    if isinstance(value, ir.Const) and not value.name:
        text.negated = number(-value.value, dtype or value.dtype)
    else:
        negative = f"-{printed.at(PREFIX)}"
        narrow = dtype is not None and (dtype.bits < 32 or (not dtype.is_int and dtype.name != "DT_FP32"))
        text.negated = f"static_cast<{dtype.c}>({negative})" if narrow and dtype is not None else negative
    text.int16 = printed.text if isinstance(value, ir.Const) else f"static_cast<int16_t>({printed.text})"
    return text


def lane_number(dtype: DType) -> DType:
    """The type of a number that becomes a lane."""
    return dt.UINT8 if dtype == dt.BOOL else dtype


def word_text(value: object) -> WordText:
    if isinstance(value, enum.Enum):
        text = WordText(word(value))
        text.word = value.name.lower()
        if isinstance(value, enums.CastLayout):
            text.half = ("PART_EVEN", "PART_ODD")[value.value % 2]
        return text
    if isinstance(value, DType):
        text = WordText(value.c)
        text.width = width_word(value)
        return text
    if isinstance(value, bool):
        return WordText("true" if value else "false")
    return WordText("" if value is None else str(value))


# ---- pointers -------------------------------------------------------------------------------------------------------


def unit(dtype: DType) -> DType:
    """The type that a pointer to elements steps in: two 4-bit elements share a byte."""
    return dt.UINT8 if dtype.bits < 8 or not dtype.c or dtype == dt.BOOL else dtype


def moved_as(dtype: DType) -> DType:
    """The element type with which registers of `dtype` are loaded and stored: 64-bit lanes as pairs of 32 bits."""
    if dtype.bits == 64:
        return integer(32, signed=dtype.kind == "int")
    return dt.UINT8 if dtype.bits < 8 or dtype in (dt.HF8, dt.BOOL) else dtype


def pointer_name(ctx: FunctionContext, pointer: vf_ir.UbPointer) -> str:
    return ctx.name_of(pointer, pointer.name)


def pointer_to(dtype: DType) -> str:
    return f"__ubuf__ {dtype.c}*"


def cursor_name(ctx: FunctionContext, pointer: vf_ir.UbPointer, use: str) -> str:
    """The cursor of a pointer for loads or for stores; use: "load" or "store"."""
    base = pointer_name(ctx, pointer).removesuffix("_ptr")
    return ctx.name_of((use, pointer), f"{base}_{use}")


def elements(offset: ir.Expr | None, source: DType, target: DType) -> ir.Expr:
    """An offset in elements of `source` as one in elements of `target`."""
    if offset is None:
        return constant(0)
    if source.bits == target.bits:
        return offset
    if source.bits > target.bits:
        return times(offset, source.bits // target.bits)
    ratio = target.bits // source.bits
    if isinstance(offset, ir.Const):
        return constant(int(offset.value) // ratio)
    return ir.Binary("//", offset, constant(ratio), dt.INT64, dt.INT64, nonnegative=True)


def place(ctx: FunctionContext, address: vf_ir.UbAddress, offset: ir.Expr | None, target: DType) -> tuple[str, str]:
    """Pointer and offset of an access that moves elements of `target`."""
    source = address.pointer.dtype
    total = offset if address.offset is None else address.offset if offset is None else plus(address.offset, offset)
    name = pointer_name(ctx, address.pointer)
    if _divides(total, source, target):
        pointer = name if unit(source).c == target.c else f"({pointer_to(target)}){name}"
        return pointer, render(elements(total, source, target), ctx).text
    assert total is not None
    behind = render(elements(total, source, unit(source)), ctx).at(SUM + 1)
    return f"({pointer_to(target)})({name} + {behind})", "0"


def _divides(offset: ir.Expr | None, source: DType, target: DType) -> bool:
    """Whether an offset is whole in elements of `target` for certain."""
    if offset is None or source.bits >= target.bits:
        return True
    return isinstance(offset, ir.Const) and int(offset.value) * source.bits % target.bits == 0


def plain_pointer(ctx: FunctionContext, address: vf_ir.UbAddress, target: DType) -> str:
    """The address as one pointer to elements of `target`."""
    pointer, offset = place(ctx, address, None, target)
    if offset == "0":
        return pointer
    return f"{pointer} + {offset}" if offset.isalnum() else f"{pointer} + ({offset})"


def cursor(ctx: FunctionContext, address: vf_ir.UbAddress, use: str, target: DType) -> str:
    """The cursor of an access, as a variable that points to elements of `target`."""
    own = unit(address.pointer.dtype)
    if address.offset is None:
        name = cursor_name(ctx, address.pointer, use)
    else:  # a pointer that the author did not name: it moves on and is gone
        name = ctx.temporary(f"{pointer_name(ctx, address.pointer).removesuffix('_ptr')}_{use}")
        ctx.out.write(f"{pointer_to(own)} {name} = {plain_pointer(ctx, address, own)};")
    return name if own.c == target.c else f"({pointer_to(target)}&){name}"
