"""Matrix multiplication in L0: Left times Right into Acc."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import AccPhase, MemorySpace, PipeType
from ptopro.language.operations.model import Form, Operand, Operation
from ptopro.language.operations.parts import ACC, FP4S, FP8S, LEFT, RIGHT, member, optional, out, page, src
from ptopro.language.operations.rules.products import check_matmul, check_matmul_mx

_BIAS = (MemorySpace.Bias,)
_SCALE_LEFT = (MemorySpace.ScaleLeft,)
_SCALE_RIGHT = (MemorySpace.ScaleRight,)
_INPUTS: tuple[DType, ...] = (dt.FP16, dt.BF16, dt.FP32, dt.INT8, *FP8S, dt.HF8)
_RESULTS: tuple[DType, ...] = (dt.FP32, dt.INT32)
_MX: tuple[DType, ...] = (*FP8S, *FP4S)
_PHASE = member("phase", AccPhase, None)
_CHAIN = "lhs [M, K], rhs [K, N], dst [M, N], each from 1 to 4095"
_PAIRS = "FP16, BF16, FP32, FP8 and HF8 pairs give FP32; INT8 pairs give INT32"


def _forms(name: str, operands: str, *when: str) -> tuple[Form, Form]:
    """With the phase as template argument, and without."""
    return (
        Form((*when, "phase"), (f"{name}<{{phase}}>({operands})",)),
        Form(when, (f"{name}({operands})",)),
    )


def _product(
    name: str,
    operands: tuple[Operand, ...],
    summary: str,
    forms: tuple[Form, ...],
    *constraints: str,
    exported: bool = True,
    mx: bool = False,
) -> Operation:
    lhs, rhs = ("lhs_tile", "rhs_tile") if exported else ("lhs", "rhs")
    dst = operands[0].name
    dtypes: dict[str, tuple[DType, ...]] = {
        dst: (dt.FP32,) if mx else _RESULTS,
        lhs: _MX if mx else _INPUTS,
        rhs: _MX if mx else _INPUTS,
    }
    if mx:
        dtypes |= {"scale_a": (dt.FP8E8M0,), "scale_b": (dt.FP8E8M0,)}
    return Operation(
        name=name,
        group="matmul",
        operands=operands,
        pipe=PipeType.M,
        summary=summary,
        forms=forms,
        check=check_matmul_mx if mx else check_matmul,
        dtypes=dtypes,
        constraints=constraints,
        core="cube",
        chips=("a5",) if mx else ("a5", "a3"),
        exported=exported,
        phase_unlocks_acc=any(o.name == "phase" for o in operands),
        source=page(f"matrix_computation/{name if exported else 'matmul'}"),
    )


_MX_OPERANDS = (src("scale_a", _SCALE_LEFT), src("scale_b", _SCALE_RIGHT), _PHASE)
_MX_RULES = (
    "K is a multiple of 64; scale_a [M, K / 32], scale_b [K / 32, N], both FP8E8M0",
    "the address of a scale tile is the address of its data tile >> 4",
    "both FP8 or both FP4",
)

OPERATIONS: tuple[Operation, ...] = (
    _product(
        "matmul",
        (
            out("dst_tile", ACC),
            src("lhs_tile", LEFT),
            src("rhs_tile", RIGHT),
            optional(src("bias_tile", _BIAS)),
            _PHASE,
        ),
        "dst = lhs @ rhs, plus the bias row when there is one.",
        (
            *_forms("TMATMUL_BIAS", "{dst_tile}, {lhs_tile}, {rhs_tile}, {bias_tile}", "bias_tile"),
            *_forms("TMATMUL", "{dst_tile}, {lhs_tile}, {rhs_tile}"),
        ),
        _CHAIN,
        _PAIRS,
        "bias: Bias memory, [1, N], of the type of dst",
    ),
    _product(
        "matmul_acc",
        (out("dst_tile", ACC), src("acc_tile", ACC), src("lhs_tile", LEFT), src("rhs_tile", RIGHT), _PHASE),
        "dst = acc + lhs @ rhs; dst is usually acc.",
        _forms("TMATMUL_ACC", "{dst_tile}, {acc_tile}, {lhs_tile}, {rhs_tile}"),
        _CHAIN,
        _PAIRS,
        "the first block of K is a matmul",
    ),
    _product(
        "matmul_mx",
        (out("dst_tile", ACC), src("lhs_tile", LEFT), src("rhs_tile", RIGHT), *_MX_OPERANDS),
        "dst = lhs @ rhs with a power-of-two scale for each 32 elements of K.",
        _forms("TMATMUL_MX_IMPL", "{dst_tile}, {lhs_tile}, {scale_a}, {rhs_tile}, {scale_b}"),
        *_MX_RULES,
        mx=True,
    ),
    _product(
        "matmul_mx_acc",
        (
            out("dst_tile", ACC),
            src("acc_tile", ACC),
            src("lhs_tile", LEFT),
            src("rhs_tile", RIGHT),
            *_MX_OPERANDS,
        ),
        "dst = acc + lhs @ rhs with a power-of-two scale for each 32 elements of K.",
        _forms("TMATMUL_MX_IMPL", "{dst_tile}, {acc_tile}, {lhs_tile}, {scale_a}, {rhs_tile}, {scale_b}"),
        *_MX_RULES,
        mx=True,
    ),
    _product(
        "matmul_bias",
        (out("out", ACC), src("lhs", LEFT), src("rhs", RIGHT), src("bias", _BIAS), _PHASE),
        "matmul with a bias row.",
        _forms("TMATMUL_BIAS", "{out}, {lhs}, {rhs}, {bias}"),
        exported=False,
    ),
    _product(
        "gemv",
        (out("out", ACC), src("lhs", LEFT), src("rhs", RIGHT)),
        "out = lhs @ rhs for a single row.",
        (Form((), ("TGEMV({out}, {lhs}, {rhs})",)),),
        exported=False,
    ),
    _product(
        "gemv_acc",
        (out("out", ACC), src("acc", ACC), src("lhs", LEFT), src("rhs", RIGHT)),
        "out = acc + lhs @ rhs for a single row.",
        (Form((), ("TGEMV_ACC({out}, {acc}, {lhs}, {rhs})",)),),
        exported=False,
    ),
    _product(
        "gemv_bias",
        (out("out", ACC), src("lhs", LEFT), src("rhs", RIGHT), src("bias", _BIAS)),
        "out = lhs @ rhs + bias for a single row.",
        (Form((), ("TGEMV_BIAS({out}, {lhs}, {rhs}, {bias})",)),),
        exported=False,
    ),
)
