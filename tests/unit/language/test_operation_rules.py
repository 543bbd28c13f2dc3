"""Rules: what is right stays untouched, each mistake gives its code under the operand it belongs to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ptopro.diagnostics import make
from ptopro.diagnostics.catalogue import operands, tile_types
from ptopro.language import dtypes as dt
from ptopro.language.enums import (
    AccToVecMode,
    CrossCoreSyncMode,
    FillPadMode,
    MemorySpace,
    PipeType,
    QuantMode,
    ReluPreMode,
    RoundMode,
    STPhase,
    SyncAllMode,
    TensorLayout,
    TilePad,
)
from ptopro.language.operations.model import ScalarView, TensorView, Views
from ptopro.language.operations.table import OPERATIONS
from ptopro.language.tiles import TileSpec

M = MemorySpace


def t(rows: int, cols: int, dtype: dt.DType = dt.FP32, memory: MemorySpace = M.Vec, **more: object) -> TileSpec:
    return TileSpec((rows, cols), dtype, memory, **more)  # type: ignore[arg-type]


def g(*dims: int | None, dtype: dt.DType = dt.FP32) -> TensorView:
    return TensorView(dtype, dims)


def s(dtype: dt.DType = dt.FP32, value: float | None = None) -> ScalarView:
    return ScalarView(dtype, value)


A = t(32, 64)
B = t(64, 64)
LEFT, RIGHT = t(64, 128, dt.FP16, M.Left), t(128, 32, dt.FP16, M.Right)
ACC = t(64, 32, dt.FP32, M.Acc)
MAT = t(64, 64, dt.FP16, M.Mat, layout=TensorLayout.NZ)
SCALES = {
    "dst_tile": t(64, 4, dt.FP8E8M0, M.Mat, layout=TensorLayout.ZZ),
    "src_tensor": g(64, 2, 2, dtype=dt.FP8E8M0),
}
PAD = replace(A, pad=TilePad.zero)
FLAG = {"set_pipe": PipeType.MTE2, "wait_pipe": PipeType.V}

UNTOUCHED: list[tuple[str, Views]] = [
    ("add", {"out": A, "lhs": A, "rhs": A}),
    ("add", {"out": A, "lhs": A, "rhs": s(value=1.0)}),
    ("mul", {"out": t(1, 64), "lhs": t(1, 64), "rhs": s(value=1.0)}),
    # The valid shape counts, not the physical one.
    ("add", {"out": A, "lhs": t(64, 64, valid_shape=(32, 64)), "rhs": A}),
    # Valid shapes set at run time may agree.
    ("add", {"out": A, "lhs": t(64, 64, runtime_valid=True), "rhs": A}),
    # So may views whose extents are known at run time only.
    ("sub", {"out": A, "lhs": TileSpec((-1, -1), dt.FP32), "rhs": A}),
    ("maximum", {"out": t(32, 1), "lhs": A, "rhs": t(8, 8), "dim": 0}),
    ("maximum", {"out": t(1, 64), "lhs": A, "rhs": A, "dim": 1}),
    # Scratch has any shape.
    ("sum", {"out": t(32, 1), "src": A, "tmp": t(1, 8), "dim": 0}),
    ("sum", {"out": t(32, 1), "src": t(32, 64, runtime_valid=True), "tmp": A}),
    ("argmax", {"out": t(32, 1, dt.INT32), "src": A, "tmp": A}),
    ("expand_sub", {"out": A, "src": A, "scalar": t(32, 1)}),
    ("expand_mul", {"out": A, "src": A, "scalar": t(32, 8)}),
    ("expand_mul", {"out": A, "src": A, "scalar": t(1, 64), "dim": 1}),
    ("cast", {"out": t(32, 64, dt.FP16), "src": A, "mode": RoundMode.CAST_ODD}),
    ("transpose", {"out": t(64, 32), "src": A}),
    ("fillpad", {"out": PAD, "src": A}),
    ("fillpad", {"out": replace(B, pad=TilePad.min), "src": A, "mode": FillPadMode.EXPAND}),
    ("eq", {"out": t(32, 32, dt.UINT8), "lhs": A, "rhs": s()}),
    ("lt", {"out": t(32, 64, dt.UINT8), "lhs": A, "rhs": A}),
    ("select", {"out": A, "mask": t(32, 32, dt.UINT8), "lhs": A, "rhs": s(), "tmp": t(1, 8)}),
    ("load", {"dst_tile": A, "src_tensor": g(None, 64), "offsets": (s(dt.INT64), 0)}),
    # MX scales lie in pairs, so that a tile of 4 columns is 2 indexes wide.
    ("load", {**SCALES, "offsets": (0, 1, 0)}),
    ("load_tile", {**SCALES, "src_tensor": g(64, 4, 2, dtype=dt.FP8E8M0), "tile_offsets": (0, 1, 0)}),
    ("load", {**SCALES, "src_tensor": g(2, 64, 2, dtype=dt.FP8E8M0), "offsets": (0, 0, 0), "order": (1, 0)}),
    # FIX converts while it scales.
    *(
        ("store", {"dst_tensor": g(64, 64, dtype=to), "src_tile": ACC, "offsets": (0, 0), "scale": s()})
        for to in (dt.INT8, dt.UINT8, dt.HF8, dt.FP8E4M3FN, dt.FP16, dt.BF16)
    ),
    # Elements of one width are copied whatever they mean.
    ("load", {"dst_tile": t(32, 64, dt.INT32), "src_tensor": g(64, 64), "offsets": (0, 0)}),
    ("load", {"dst_tile": A, "src_tensor": g(8, 64, 4, 64), "offsets": (1, 0, 3, 0), "order": (1, 3)}),
    ("load", {"dst_tile": A, "src_tensor": g(64, 64), "offsets": (0, 0), "order": (1, 0)}),
    ("load_tile", {"dst_tile": A, "src_tensor": g(64, 64), "tile_offsets": (1, 0)}),
    ("store", {"dst_tensor": g(64, 64), "src_tile": A, "offsets": (0, 0)}),
    ("store", {"dst_tensor": g(64, 64, dtype=dt.FP16), "src_tile": ACC, "offsets": (0, 0), "phase": STPhase.Final}),
    ("store", {"dst_tensor": g(64, 64, dtype=dt.INT8), "src_tile": ACC, "offsets": (0, 0), "scale": s(value=0.5)}),
    ("move", {"dst_tile": t(64, 64, dt.FP16, M.Left), "src_tile": MAT}),
    ("move", {"dst_tile": t(64, 16, dt.FP16, M.Left), "src_tile": MAT, "offset": (0, s(dt.INT64))}),
    ("move", {"dst_tile": t(32, 32, dt.FP16), "src_tile": ACC, "acc_to_vec_mode": AccToVecMode.DualModeSplitM}),
    ("move", {"dst_tile": MAT, "src_tile": t(32, 64, dt.FP16, layout=TensorLayout.NZ), "offset": (32, 0)}),
    ("move", {"dst_tile": t(1, 64, dt.FP32, M.Bias), "src_tile": t(1, 64, dt.FP16, M.Mat)}),
    ("insert", {"dst_tile": MAT, "src_tile": t(32, 64, dt.FP16), "offset": (32, 0)}),
    ("matmul", {"dst_tile": ACC, "lhs_tile": LEFT, "rhs_tile": RIGHT}),
    ("matmul", {"dst_tile": ACC, "lhs_tile": LEFT, "rhs_tile": RIGHT, "bias_tile": t(1, 32, dt.FP32, M.Bias)}),
    ("matmul_acc", {"dst_tile": ACC, "acc_tile": ACC, "lhs_tile": LEFT, "rhs_tile": RIGHT}),
    (
        "matmul_mx",
        {
            "dst_tile": t(64, 32, dt.FP32, M.Acc),
            "lhs_tile": t(64, 128, dt.FP8E4M3FN, M.Left),
            "rhs_tile": t(128, 32, dt.FP8E5M2, M.Right),
            "scale_a": t(64, 4, dt.FP8E8M0, M.ScaleLeft),
            "scale_b": t(4, 32, dt.FP8E8M0, M.ScaleRight),
        },
    ),
    ("partadd", {"out": A, "src0": A, "src1": t(32, 64, valid_shape=(16, 64))}),
    ("sort32", {"dst": t(32, 128), "src": A, "idx": t(32, 64, dt.UINT32)}),
    ("axpy", {"out": A, "src": t(32, 64, dt.FP16), "alpha": s(dt.FP16)}),
    ("scatter", {"out": A, "src": A, "idx": t(32, 64, dt.INT32)}),
    ("quant", {"out": t(32, 64, dt.INT8), "src": A, "scale": t(32, 1)}),
    ("set_validshape", {"tile": A, "shape": (0, 64)}),
    ("getval", {"container": A, "offset": 2047}),
    ("min", {"lhs": s(dt.INT64), "rhs": s(dt.INT32)}),
    ("system.sync_src", {**FLAG, "event_id": 7}),
    ("system.sync_src", {**FLAG, "event_id": s(dt.INT64)}),
    ("system.set_cross_core", {"pipe": PipeType.MTE3, "event_id": 15}),
    (
        "system.set_cross_core",
        {"pipe": PipeType.FIX, "event_id": 20, "sync_mode": CrossCoreSyncMode.UNICAST_BLOCK},
    ),
    ("system.mutex_lock", {"pipe": PipeType.V, "mutex_id": 31}),
    ("system.mutex_lock", {"pipe": PipeType.V, "tile": A}),
    ("printf", {"format_str": "%d %5.2f%% %p", "args": (s(dt.INT64), s(), ScalarView(dt.FP16, pointer=True))}),
    ("pto_assert", {"condition": s(dt.BOOL), "format_str": "n=%d", "args": (s(dt.INT32),)}),
    ("dump_data", {"data": A, "offsets": (0, 0), "shapes": (8, 8)}),
]


@pytest.mark.parametrize(("name", "views"), UNTOUCHED, ids=[f"{i}-{n}" for i, (n, _) in enumerate(UNTOUCHED)])
def test_right_operands_pass(name: str, views: Views) -> None:
    assert OPERATIONS[name].problems(views) == []


REFUSED: list[tuple[str, str, str, Views]] = [
    ("PTO1200", "dst_tensor", "store", {"dst_tensor": A, "src_tile": A, "offsets": (0, 0)}),
    ("PTO1200", "lhs", "add", {"out": A, "lhs": s(), "rhs": A}),
    ("PTO1200", "rhs", "shl", {"out": A, "lhs": A, "rhs": s(dt.INT32, 1)}),
    ("PTO1202", "src", "exp", {"out": t(32, 64, dt.BF16), "src": t(32, 64, dt.BF16)}),
    ("PTO1202", "out", "quant", {"out": t(32, 64, dt.UINT8), "src": A, "scale": t(32, 1)}),
    ("PTO1202", "condition", "pto_assert", {"condition": s(dt.INT32)}),
    ("PTO1203", "rhs", "add", {"out": A, "lhs": A, "rhs": t(32, 64, dt.FP16)}),
    ("PTO1203", "out", "mul_cast", {"out": A, "lhs": A, "rhs": A, "target_type": dt.FP16}),
    ("PTO1203", "src", "axpy", {"out": t(32, 64, dt.FP16), "src": A, "alpha": s()}),
    ("PTO1204", "rhs", "add", {"out": A, "lhs": A, "rhs": B}),
    ("PTO1204", "lhs", "add", {"out": A, "lhs": t(64, 64, valid_shape=(16, 64)), "rhs": A}),
    # A valid shape set at run time cannot exceed the tile.
    ("PTO1204", "lhs", "add", {"out": B, "lhs": t(32, 64, runtime_valid=True), "rhs": B}),
    ("PTO1204", "src0", "partmax", {"out": A, "src0": B, "src1": B}),
    ("PTO1204", "dst", "sort32", {"dst": A, "src": A, "idx": t(32, 64, dt.UINT32)}),
    (
        "PTO1204",
        "dst",
        "histogram",
        {"dst": t(1, 64, dt.UINT32), "src": t(1, 64, dt.UINT16), "idx": t(32, 1, dt.UINT8), "is_msb": True},
    ),
    ("PTO1204", "dst_tile", "move", {"dst_tile": t(64, 32, dt.FP16, M.Left), "src_tile": MAT}),
    ("PTO1204", "out", "fill_index", {"out": t(8, 64, dt.INT32), "start": s(dt.INT32)}),
    ("PTO1205", "dst_tile", "load", {"dst_tile": A, "src_tensor": g(64, 64, dtype=dt.FP16), "offsets": (0, 0)}),
    ("PTO1205", "dst_tensor", "store", {"dst_tensor": g(64, 64, dtype=dt.FP16), "src_tile": A, "offsets": (0, 0)}),
    ("PTO1205", "dst_tile", "insert", {"dst_tile": MAT, "src_tile": A, "offset": (0, 0)}),
    ("PTO1206", "rhs_tile", "matmul", {"dst_tile": ACC, "lhs_tile": LEFT, "rhs_tile": t(64, 32, dt.FP16, M.Right)}),
    ("PTO1206", "dst_tile", "matmul", {"dst_tile": t(32, 32, dt.FP32, M.Acc), "lhs_tile": LEFT, "rhs_tile": RIGHT}),
    (
        "PTO1206",
        "acc_tile",
        "matmul_acc",
        {"dst_tile": ACC, "acc_tile": t(64, 64, dt.FP32, M.Acc), "lhs_tile": LEFT, "rhs_tile": RIGHT},
    ),
    (
        "PTO1207",
        "lhs_tile",
        "matmul",
        {"dst_tile": ACC, "lhs_tile": t(64, 4096, dt.FP16, M.Left), "rhs_tile": t(4096, 32, dt.FP16, M.Right)},
    ),
    ("PTO1208", "out", "sum", {"out": A, "src": A, "tmp": A}),
    ("PTO1208", "out", "sum", {"out": t(16, 1), "src": A, "tmp": A}),
    ("PTO1208", "out", "maximum", {"out": A, "lhs": A, "rhs": A, "dim": 1}),
    ("PTO1209", "scalar", "expand_sub", {"out": A, "src": A, "scalar": t(1, 64)}),
    ("PTO1209", "vec", "col_expand_mul", {"out": A, "src": A, "vec": t(1, 32)}),
    ("PTO1209", "scale", "quant", {"out": t(32, 64, dt.INT8), "src": A, "scale": t(16, 1)}),
    ("PTO1210", "out", "transpose", {"out": t(32, 64), "src": A}),
    ("PTO1211", "mode", "cast", {"out": A, "src": A, "mode": 1}),
    ("PTO1211", "phase", "matmul", {"dst_tile": ACC, "lhs_tile": LEFT, "rhs_tile": RIGHT, "phase": STPhase.Final}),
    ("PTO1211", "target_type", "add_relu_cast", {"out": A, "lhs": A, "rhs": A, "target_type": 16}),
    ("PTO1212", "pattern_mode", "gathermask", {"out": A, "src": A, "pattern_mode": 9}),
    ("PTO1212", "wait_pipe", "system.sync_dst", {"set_pipe": PipeType.V, "wait_pipe": PipeType.ALL, "event_id": 0}),
    ("PTO1213", "dst_tensor", "store", {"dst_tensor": g(64, 64, dtype=dt.UINT8), "src_tile": ACC, "offsets": (0, 0)}),
    ("PTO1213", "out", "cast", {"out": A, "src": t(32, 64, dt.FP16), "mode": RoundMode.CAST_ODD}),
    ("PTO1213", "dst_tile", "matmul", {"dst_tile": t(64, 32, dt.INT32, M.Acc), "lhs_tile": LEFT, "rhs_tile": RIGHT}),
    ("PTO1214", "offsets", "load", {"dst_tile": A, "src_tensor": g(4, 64, 64), "offsets": (0, 0)}),
    ("PTO1214", "shape", "set_validshape", {"tile": A, "shape": (1, 2, 3)}),
    ("PTO1214", "stride", "set_stride", {"tensor": g(64, 64), "stride": (64,)}),
    ("PTO1214", "shapes", "dump_data", {"data": A, "offsets": (0, 0), "shapes": (8,)}),
    ("PTO1215", "offsets", "load", {"dst_tile": A, "src_tensor": g(64, 64), "offsets": (64, 0)}),
    ("PTO1215", "offsets", "store", {"dst_tensor": g(None, 64), "src_tile": A, "offsets": (-1, 0)}),
    ("PTO1215", "tile_offsets", "load_tile", {"dst_tile": A, "src_tensor": g(64, 64), "tile_offsets": (2, 0)}),
    ("PTO1215", "offset", "getval", {"container": A, "offset": 2048}),
    ("PTO1215", "shape", "set_validshape", {"tile": A, "shape": (33, 64)}),
    ("PTO1215", "offset", "insert", {"dst_tile": MAT, "src_tile": t(32, 64, dt.FP16), "offset": (64, 0)}),
    ("PTO1216", "order", "store", {"dst_tensor": g(64, 64), "src_tile": A, "offsets": (0, 0), "order": (1, 0)}),
    ("PTO1216", "order", "load", {"dst_tile": A, "src_tensor": g(64, 64), "offsets": (0, 0), "order": (0, 2)}),
    ("PTO1216", "order", "load", {"dst_tile": A, "src_tensor": g(64, 64), "offsets": (0, 0), "order": (1, 1)}),
    ("PTO1216", "order", "load", {**SCALES, "offsets": (0, 0, 0), "order": (0, 2)}),
    ("PTO1239", "src_tensor", "load", {**SCALES, "src_tensor": g(64, 4, dtype=dt.FP8E8M0), "offsets": (0, 0)}),
    ("PTO1239", "src_tensor", "load", {**SCALES, "src_tensor": g(64, 4, 4, dtype=dt.FP8E8M0), "offsets": (0, 0, 0)}),
    ("PTO1215", "tile_offsets", "load_tile", {**SCALES, "tile_offsets": (0, 1, 0), "order": (0, 1)}),
    ("PTO1217", "out", "fillpad", {"out": A, "src": A}),
    ("PTO1218", "out", "fillpad", {"out": replace(B, pad=TilePad.zero), "src": A}),
    ("PTO1218", "out", "fillpad_expand", {"out": PAD, "src": B}),
    (
        "PTO1219",
        "relu_pre_mode",
        "store",
        {"dst_tensor": g(64, 64), "src_tile": A, "offsets": (0, 0), "relu_pre_mode": ReluPreMode.NormalRelu},
    ),
    (
        "PTO1219",
        "acc_to_vec_mode",
        "move",
        {
            "dst_tile": t(64, 64, dt.FP16, M.Left),
            "src_tile": MAT,
            "acc_to_vec_mode": AccToVecMode.SingleModeVec0,
        },
    ),
    ("PTO1219", "tile", "system.mutex_lock", {"pipe": PipeType.V, "mutex_id": 1, "tile": A}),
    ("PTO1219", "workspaces", "system.sync_all", {"workspaces": (g(64),)}),
    (
        "PTO1220",
        "scale",
        "store",
        {"dst_tensor": g(64, 64, dtype=dt.INT8), "src_tile": ACC, "offsets": (0, 0), "scale": s(dt.FP16)},
    ),
    (
        "PTO1220",
        "scale",
        "store",
        {
            "dst_tensor": g(64, 64, dtype=dt.INT8),
            "src_tile": ACC,
            "offsets": (0, 0),
            "scale": t(1, 24, dt.INT64, M.Scaling),
        },
    ),
    ("PTO1220", "fp_tile", "move_fp", {"out": A, "src": ACC, "fp_tile": t(1, 16, dt.INT64, M.Scaling)}),
    ("PTO1221", "rhs_tile", "matmul", {"dst_tile": ACC, "lhs_tile": LEFT, "rhs_tile": t(128, 32, dt.BF16, M.Right)}),
    (
        "PTO1222",
        "bias_tile",
        "matmul",
        {"dst_tile": ACC, "lhs_tile": LEFT, "rhs_tile": RIGHT, "bias_tile": t(1, 64, dt.FP32, M.Bias)},
    ),
    (
        "PTO1223",
        "scale_a",
        "matmul_mx",
        {
            "dst_tile": ACC,
            "lhs_tile": t(64, 128, dt.FP8E4M3FN, M.Left),
            "rhs_tile": t(128, 32, dt.FP8E4M3FN, M.Right),
            "scale_a": t(64, 2, dt.FP8E8M0, M.ScaleLeft),
            "scale_b": t(4, 32, dt.FP8E8M0, M.ScaleRight),
        },
    ),
    (
        "PTO1224",
        "lhs_tile",
        "matmul_mx",
        {
            "dst_tile": ACC,
            "lhs_tile": t(64, 96, dt.FP8E4M3FN, M.Left),
            "rhs_tile": t(96, 32, dt.FP8E4M3FN, M.Right),
            "scale_a": t(64, 2, dt.FP8E8M0, M.ScaleLeft),
            "scale_b": t(4, 32, dt.FP8E8M0, M.ScaleRight),
        },
    ),
    ("PTO1225", "out", "eq", {"out": t(1, 32, dt.UINT8), "lhs": A, "rhs": A}),
    ("PTO1226", "idx", "scatter", {"out": A, "src": A, "idx": t(32, 64, dt.INT16)}),
    ("PTO1226", "idx", "gather", {"out": A, "src": A, "idx": t(32, 64, dt.INT8), "tmp": A}),
    ("PTO1231", "offset", "quant", {"out": t(32, 64, dt.UINT8), "src": A, "scale": t(32, 1), "mode": QuantMode.ASYM}),
    ("PTO1231", "rhs", "maximum", {"out": t(32, 1), "lhs": A, "rhs": s(), "dim": 0}),
    ("PTO1231", "mutex_id", "system.mutex_unlock", {"pipe": PipeType.V}),
    ("PTO1231", "workspaces", "system.sync_all", {"mode": SyncAllMode.SOFT}),
    ("PTO1231", "workspace", "dump_data", {"data": ACC}),
    ("PTO1231", "cmp_mode", "gather", {"out": A, "src": A, "idx": A, "tmp": A, "cmp_mode": 4}),
    ("PTO1232", "event_id", "system.sync_src", {**FLAG, "event_id": 16}),
    ("PTO1232", "event_id", "system.sync_src", {**FLAG, "event_id": -1}),
    ("PTO1232", "event_id", "system.wait_cross_core", {"pipe": PipeType.MTE1, "event_id": 16}),
    ("PTO1232", "mutex_id", "system.mutex_lock", {"pipe": PipeType.V, "mutex_id": 32}),
    ("PTO1233", "wait_pipe", "system.sync_src", {"set_pipe": PipeType.V, "wait_pipe": PipeType.V, "event_id": 0}),
    ("PTO1234", "format_str", "printf", {"format_str": "%ld", "args": (s(dt.INT64),)}),
    ("PTO1234", "format_str", "printf", {"format_str": "100%", "args": ()}),
    ("PTO1235", "format_str", "printf", {"format_str": "%d %d", "args": (s(dt.INT64),)}),
    ("PTO1236", "args", "printf", {"format_str": "%d", "args": (s(),)}),
    ("PTO1237", "format_str", "printf", {"format_str": 3, "args": ()}),
    ("PTO1238", "rhs", "min", {"lhs": s(dt.INT64), "rhs": s()}),
    ("PTO1300", "out", "add", {"out": t(32, 64, memory=M.Mat), "lhs": A, "rhs": A}),
    ("PTO1300", "lhs_tile", "matmul", {"dst_tile": ACC, "lhs_tile": replace(LEFT, memory=M.Mat), "rhs_tile": RIGHT}),
    ("PTO1300", "dst_tile", "load", {"dst_tile": LEFT, "src_tensor": g(64, 128, dtype=dt.FP16), "offsets": (0, 0)}),
    ("PTO1300", "src_tile", "store", {"dst_tensor": g(64, 64, dtype=dt.FP16), "src_tile": MAT, "offsets": (0, 0)}),
    ("PTO1301", "dst_tile", "move", {"dst_tile": t(64, 64, dt.FP16), "src_tile": LEFT}),
    (
        "PTO1302",
        "out",
        "fillpad",
        {"out": replace(MAT, pad=TilePad.max), "src": MAT},
    ),
]


@pytest.mark.parametrize(
    ("code", "operand", "name", "views"),
    REFUSED,
    ids=[f"{i}-{code}-{name}" for i, (code, _, name, _) in enumerate(REFUSED)],
)
def test_wrong_operands_are_named(code: str, operand: str, name: str, views: Views) -> None:
    problems = OPERATIONS[name].problems(views)
    assert (code, operand) in [(problem.code, problem.operand) for problem in problems]
    for problem in problems:
        diagnostic = make(problem.code, **problem.facts)
        assert "{" not in diagnostic.message + diagnostic.primary + diagnostic.help


def test_every_code_of_the_rules_is_tested() -> None:
    tested = {code for code, _, _, _ in REFUSED}
    assert {entry.code for entry in operands.ENTRIES} - tested == set()
    assert {"PTO1300", "PTO1301", "PTO1302"} <= tested
    assert {entry.code for entry in tile_types.ENTRIES} > {"PTO1300"}


def test_one_mistake_gives_one_message() -> None:
    """A tensor where a tile belongs is not also reported as a tile of the wrong memory or shape."""
    problems = OPERATIONS["add"].problems({"out": A, "lhs": A, "rhs": g(64, 64)})
    assert [problem.code for problem in problems] == ["PTO1200"]


def test_all_mistakes_are_reported() -> None:
    mat = t(32, 64, dt.FP8E4M3FN, M.Mat)
    problems = OPERATIONS["add"].problems({"out": mat, "lhs": A, "rhs": A})
    assert {problem.code for problem in problems} == {"PTO1300", "PTO1202"}
