"""Several steps in one call.  Inputs that hold an intermediate result are read and written: their role is INOUT."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Operand, Operation
from ptopro.language.operations.parts import (
    BITS_16_32,
    HALF_SINGLE,
    WIDE,
    inout,
    number,
    out,
    src,
    vector_page,
)
from ptopro.language.operations.rules.conversions import check_axpy
from ptopro.language.operations.rules.shapes import all_of, same_dtype, same_shape

_FUSED = "fused_vector_computation"
_COMPOSITE = "composite_computation"


def _fused(
    name: str,
    operands: tuple[Operand, ...],
    summary: str,
    cpp: tuple[str, ...],
    dtypes: tuple[DType, ...],
    source: str,
    *,
    exported: bool = True,
) -> Operation:
    tiles = tuple(o.name for o in operands if o.role.touches_data)
    return Operation(
        name=name,
        group="fused",
        operands=operands,
        pipe=PipeType.V,
        summary=summary,
        forms=(Form((), cpp),),
        check=all_of(same_dtype(*tiles), same_shape(*tiles)),
        dtypes=dict.fromkeys(tiles, dtypes),
        constraints=("one element type, one shape",),
        core="vector",
        exported=exported,
        source=source,
    )


OPERATIONS: tuple[Operation, ...] = (
    _fused(
        "add_relu",
        (out(), inout("lhs"), src("rhs")),
        "out = max(0, lhs + rhs); lhs is overwritten.",
        ("TADD({lhs}, {lhs}, {rhs})", "TRELU({out}, {lhs})"),
        (*HALF_SINGLE, dt.INT32),
        vector_page(f"{_FUSED}/add_relu"),
    ),
    _fused(
        "sub_relu",
        (out(), inout("lhs"), src("rhs")),
        "out = max(0, lhs - rhs); lhs is overwritten.",
        ("TSUB({lhs}, {lhs}, {rhs})", "TRELU({out}, {lhs})"),
        (*HALF_SINGLE, dt.INT32),
        vector_page(f"{_FUSED}/sub_relu"),
    ),
    _fused(
        "addc",
        (out(), src("a"), src("b"), src("c")),
        "out = a + b + c.",
        ("TADDC({out}, {a}, {b}, {c})",),
        WIDE,
        vector_page(f"{_FUSED}/addc"),
    ),
    _fused(
        "mul_add_dst",
        (inout("out"), inout("lhs"), src("rhs")),
        "out = lhs * rhs + out; lhs is overwritten.",
        ("TMUL({lhs}, {lhs}, {rhs})", "TADD({out}, {lhs}, {out})"),
        WIDE,
        vector_page(f"{_FUSED}/mul_add_dst"),
    ),
    _fused(
        "fused_mul_add",
        (inout("out"), inout("lhs"), src("rhs")),
        "out = lhs * out + rhs; lhs is overwritten.",
        ("TMUL({lhs}, {lhs}, {out})", "TADD({out}, {lhs}, {rhs})"),
        BITS_16_32,
        vector_page(f"{_COMPOSITE}/fused_mul_add"),
    ),
    _fused(
        "fused_mul_add_relu",
        (inout("out"), inout("a"), src("b")),
        "out = max(0, out * a + b); a is overwritten.",
        ("TMUL({a}, {a}, {out})", "TADD({a}, {a}, {b})", "TRELU({out}, {a})"),
        (*HALF_SINGLE, dt.INT32),
        vector_page(f"{_FUSED}/fused_mul_add_relu"),
    ),
    Operation(
        name="axpy",
        group="fused",
        operands=(inout("out"), src("src"), number("alpha", "src")),
        pipe=PipeType.V,
        summary="out = alpha * src + out.",
        forms=(Form((), ("TAXPY({out}, {src}, {alpha})",)),),
        check=all_of(same_shape("out", "src"), check_axpy),
        dtypes={"out": HALF_SINGLE, "src": HALF_SINGLE},
        constraints=("one shape; one element type, or src FP16 and out FP32",),
        core="vector",
        source=vector_page(f"{_COMPOSITE}/axpy"),
    ),
    _fused(
        "subc",
        (out(), src("a"), src("b"), src("c")),
        "out = a - b + c.",
        ("TSUBC({out}, {a}, {b}, {c})",),
        WIDE,
        "",
        exported=False,
    ),
    _fused(
        "addsc",
        (out(), src("a"), number("scalar", "out"), src("c")),
        "out = a + scalar + c.",
        ("TADDSC({out}, {a}, {scalar}, {c})",),
        WIDE,
        "",
        exported=False,
    ),
    _fused(
        "subsc",
        (out(), src("a"), number("scalar", "out"), src("c")),
        "out = a - scalar + c.",
        ("TSUBSC({out}, {a}, {scalar}, {c})",),
        WIDE,
        "",
        exported=False,
    ),
)
