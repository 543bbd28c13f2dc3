"""Tensors, loads, stores, moves: windows, offsets, instruction forms."""

from __future__ import annotations

import pytest
from cpp_building import at, f32, i64, kernel, op, operate, ref, scalar_param, tensor, tensor_param, var, vec

from ptopro.codegen import generate
from ptopro.language.dtypes import FP16, FP32, INT8, INT32, INT64
from ptopro.language.enums import (
    AccPhase,
    AccToVecMode,
    AtomicType,
    FillPadMode,
    MemorySpace,
    PipeType,
    ReluPreMode,
    STPhase,
    TensorLayout,
    TilePad,
)
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir

N = var("n", INT32)


def tile(name: str, shape: tuple[int, int], memory: MemorySpace, dtype: object = FP16, **more: object) -> ir.TileDecl:
    layouts = {"Mat": "NZ", "Left": "NZ", "Right": "ZN", "Acc": "NZ"}
    layout = TensorLayout[layouts.get(memory.name, "ND")]
    fractal = 1024 if memory is MemorySpace.Acc else 512
    options = {"layout": layout, "fractal": fractal, **more}
    return ir.TileDecl(name, TileSpec(shape, dtype, memory, **options), 0, size=1024)  # type: ignore[arg-type]


UB = tile("ub", (32, 64), MemorySpace.Vec)
ACC = tile("acc", (32, 64), MemorySpace.Acc, FP32)


def lines_of(*block: ir.Stmt, core: str = "vector", params: tuple[ir.TensorDecl, ...] = ()) -> str:
    halves = {core: tuple(block)}
    listed = (*(tensor_param(p) for p in params), scalar_param(N))
    text = generate(kernel("k", listed, **halves)).files["kernel.cpp"]  # type: ignore[arg-type]
    lines = (line.partition("  // kernel.py")[0].rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if not line.strip().startswith("// kernel.py"))


def load(target: ir.TileDecl, source: ir.TensorDecl, *offsets: ir.Expr, **more: object) -> ir.Operate:
    return operate(3, "load", PipeType.MTE2, dst_tile=ir.TileRef(target), src_tensor=source, offsets=offsets, **more)


def store(source: ir.TileDecl, target: ir.TensorDecl, *offsets: ir.Expr, **more: object) -> ir.Operate:
    return operate(3, "store", PipeType.MTE3, dst_tensor=target, src_tile=ir.TileRef(source), offsets=offsets, **more)


def test_offsets_are_computed_in_64_bits() -> None:
    x = tensor("x", var("rows"), 65536)
    text = lines_of(load(UB, x, ir.Binary("*", ref(N), ir.Const(32, INT32), INT32, INT32), i64(0)), params=(x,))
    assert "TASSIGN(x_gm, x + n * 32 * 65536LL);" in text
    assert "x + 2621440000" in lines_of(load(UB, x, i64(40000), i64(0)), params=(x,)).replace(
        "40000 * 65536", "2621440000"
    )


def test_a_dynamic_row_stride_is_given_to_the_window() -> None:
    x = tensor("x", 128, var("cols"))
    text = lines_of(load(UB, x, i64(0), i64(64)), params=(x,))
    assert "  using XGm = GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>>;\n" in text
    assert "  XGm x_gm(x, XGm::Shape(), XGm::Stride(cols));\n" in text
    assert "TASSIGN(x_gm, x + 64);" in text


def test_order_picks_the_axes_and_descending_order_transposes() -> None:
    x = tensor("x", 4, 128, 8, 64)
    plain = load(UB, x, i64(1), ref(N), i64(2), i64(0), order=(1, 3))
    turned = load(UB, x, i64(0), i64(0), i64(0), i64(0), order=(3, 1))
    text = lines_of(plain, turned, params=(x,))
    assert "Stride<1, 1, 1, 512, 1>> x_gm(x);" in text
    assert "Stride<1, 1, 1, 1, 512>, Layout::DN> x_gm_t(x);" in text
    assert "TASSIGN(x_gm, x + 65536 + n * 512LL + 128);" in text
    assert "TLOAD(ub, x_gm);" in text and "TLOAD(ub, x_gm_t);" in text


def test_load_tile_counts_tiles_on_its_axes_only() -> None:
    x = tensor("x", 4, 128, 64)
    stmt = operate(
        3, "load_tile", PipeType.MTE2, dst_tile=ir.TileRef(UB), src_tensor=x, tile_offsets=(i64(1), i64(2), i64(0))
    )
    assert f"TASSIGN(x_gm, x + {1 * 128 * 64 + 2 * 32 * 64});" in lines_of(stmt, params=(x,))


def test_a_column_tile_reads_the_tensor_as_columns() -> None:
    column, x = tile("column", (32, 1), MemorySpace.Vec), tensor("x", 1024, 1)
    text = lines_of(load(column, x, i64(32), i64(0)), params=(x,))
    assert "Stride<1, 1, 1, 1, 1>, Layout::DN> x_gm(x);" in text


def test_static_valid_shapes_are_numbers() -> None:
    part, x = tile("part", (32, 64), MemorySpace.Vec, valid_shape=(7, 64)), tensor("x", 64, 64)
    text = lines_of(load(part, x, i64(0), i64(0)), params=(x,))
    assert "x_gm.SetShape<3, 4>(7, 64);" in text


def test_an_nz_tensor_has_its_own_window_and_offsets() -> None:
    x = tensor("x", 256, 128, layout=TensorLayout.NZ)
    mat = tile("mat", (64, 64), MemorySpace.Mat)
    text = lines_of(load(mat, x, i64(32), i64(48)), core="cube", params=(x,))
    assert "Shape<1, -1, -1, 16, 16>, Stride<32768, 4096, 256, 16, 1>, Layout::NZ> x_gm(x);" in text
    assert f"TASSIGN(x_gm, x + {3 * 256 * 16 + 32 * 16});" in text
    assert "SetShape<1, 2>" in text


def test_views_of_pointers_keep_their_shape() -> None:
    pointer, cols = ir.Var("p", FP16, pointer=True), var("cols")
    base = ir.PointerOf(ir.VarRef(pointer), FP16, ir.VarRef(cols))
    view = ir.TensorDecl("v", FP16, (i64(64), op("*", ref(cols), i64(2))), base=base)
    block = (ir.DeclareTensor(at(2), view), load(UB, view, i64(1), i64(0)))
    params = (ir.Param("p", "ptr", FP16, pointer), scalar_param(cols))
    text = generate(kernel("k", params, vector=block)).files["kernel.cpp"]
    assert "__gm__ half* v = p + cols;" in text
    assert "const int64_t v_shape1 = cols * 2;" in text
    assert "VGm v_gm(v, VGm::Shape(), VGm::Stride(v_shape1));" in text
    assert "TASSIGN(v_gm, v + v_shape1);" in text


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "TSTORE(y_gm, acc);"),
        ({"phase": STPhase.Final}, "TSTORE<STPhase::Final, AccFloat32x64, decltype(y_gm)>(y_gm, acc);"),
        (
            {"atomic": AtomicType.AtomicAdd},
            "TSTORE<AccFloat32x64, decltype(y_gm), AtomicType::AtomicAdd>(y_gm, acc);",
        ),
        (
            {"relu_pre_mode": ReluPreMode.NormalRelu, "scale": f32(0.5)},
            "TSTORE<AccFloat32x64, decltype(y_gm), AtomicType::AtomicNone, ReluPreMode::NormalRelu>"
            "(y_gm, acc, float_bits(0.5f));",
        ),
    ],
)
def test_stores(options: dict[str, object], text: str) -> None:
    y = tensor("y", 64, 64, dtype=FP32)
    written = lines_of(store(ACC, y, i64(0), i64(0), **options), core="cube", params=(y,))
    assert text in written.replace(",\n" + " " * 9, ", ").replace("\n", " ")


def test_an_int8_result_is_asked_for_in_the_scale_word() -> None:
    y = tensor("y", 64, 64, dtype=INT8)
    text = lines_of(store(ACC, y, i64(0), i64(0), scale=f32(0.5)), core="cube", params=(y,))
    assert "TSTORE(y_gm, acc, float_bits(0.5f) | uint64_t{1} << 46);" in text


MAT, LEFT = tile("mat", (64, 64), MemorySpace.Mat), tile("left", (32, 64), MemorySpace.Left)
TYPES = "VecHalf32x64, AccFloat32x64"


@pytest.mark.parametrize(
    ("dst", "src", "options", "text"),
    [
        (LEFT, MAT, {}, "TMOV(left, mat);"),
        (LEFT, MAT, {"offset": (ref(N), i64(0))}, "TEXTRACT(left, mat, n, 0);"),
        (MAT, UB, {"offset": (i64(16), i64(0))}, "TINSERT(mat, ub, 16, 0);"),
        (
            UB,
            ACC,
            {"acc_to_vec_mode": AccToVecMode.DualModeSplitN},
            f"TMOV<{TYPES}, AccToVecMode::DualModeSplitN>(ub, acc);",
        ),
        (
            UB,
            ACC,
            {"acc_to_vec_mode": AccToVecMode.SingleModeVec1, "relu_pre_mode": ReluPreMode.NormalRelu},
            f"TMOV<{TYPES}, AccToVecMode::SingleModeVec1, ReluPreMode::NormalRelu>(ub, acc);",
        ),
        (UB, ACC, {"scale": f32(2.0)}, "TMOV(ub, acc, float_bits(2.0f));"),
    ],
)
def test_moves(dst: ir.TileDecl, src: ir.TileDecl, options: dict[str, object], text: str) -> None:
    stmt = operate(3, "move", PipeType.FIX, dst_tile=ir.TileRef(dst), src_tile=ir.TileRef(src), **options)
    assert f"  {text}\n" in lines_of(stmt, core="cube")


def test_a_split_move_of_a_resized_tile_takes_whole_halves() -> None:
    resize = operate(2, "set_validshape", PipeType.S, tile=ir.TileRef(ACC), shape=(ref(N), i64(64)))
    split = operate(
        3,
        "move",
        PipeType.FIX,
        dst_tile=ir.TileRef(UB),
        src_tile=ir.TileRef(ACC),
        acc_to_vec_mode=AccToVecMode.DualModeSplitM,
    )
    text = lines_of(resize, split, core="cube")
    assert "  acc.SetValidShape(n, 64);\n" in text
    assert "  acc.SetValidShape((acc.GetValidRow() + 1) / 2 * 2, acc.GetValidCol());\n" in text


def test_matmul_phases() -> None:
    right = tile("right", (64, 64), MemorySpace.Right)
    operands = {"lhs_tile": ir.TileRef(LEFT), "rhs_tile": ir.TileRef(right)}
    first = operate(3, "matmul", PipeType.M, dst_tile=ir.TileRef(ACC), **operands)
    last = operate(
        4,
        "matmul_acc",
        PipeType.M,
        dst_tile=ir.TileRef(ACC),
        acc_tile=ir.TileRef(ACC),
        **operands,
        phase=AccPhase.Final,
    )
    text = lines_of(first, last, core="cube")
    assert "  TMATMUL(acc, left, right);\n  TMATMUL_ACC<AccPhase::Final>(acc, acc, left, right);\n" in text


def test_a_padded_source_is_read_through_a_tile_without_pad() -> None:
    padded = tile("padded", (32, 64), MemorySpace.Vec, pad=TilePad.zero)
    stmt = operate(3, "fillpad", PipeType.V, out=ir.TileRef(UB), src=ir.TileRef(padded), mode=FillPadMode.EXPAND)
    text = lines_of(stmt)
    assert "  VecHalf32x64 unpadded(padded.GetValidRow(), padded.GetValidCol());\n" in text
    assert "  TASSIGN(unpadded, 0x0);\n  TFILLPAD_EXPAND(ub, unpadded);\n" in text


def test_a_group_is_resized_slot_by_slot() -> None:
    group = ir.GroupDecl("g", vec((32, 64), FP32), (0, 8192), size=8192)
    resize = operate(2, "set_validshape", PipeType.S, tile=group, shape=(i64(7), i64(64)))
    y = tensor("y", 64, 64, dtype=FP32)
    keep = operate(3, "store", PipeType.MTE3, dst_tensor=y, src_tile=ir.SlotRef(group, 0), offsets=(i64(0), i64(0)))
    assert "  for (auto& slot : g) slot.SetValidShape(7, 64);\n" in lines_of(resize, keep, params=(y,))


def test_elements_of_tiles_and_tensors() -> None:
    x = tensor("x", 64, 64, dtype=INT64)
    read = ir.ElementRead(ir.TileRef(UB), i64(3), FP16)
    total = ir.Binary("+", read, f32(1.0), FP32, FP32)
    put = operate(3, "setval", PipeType.S, container=ir.TileRef(UB), offset=i64(5), value=total)
    copy = operate(4, "setval", PipeType.S, container=x, offset=i64(1), value=ir.ElementRead(x, ref(N), INT64))
    text = lines_of(put, copy, params=(x,))
    assert "ub.SetValue(5, static_cast<half>(static_cast<float>(ub.GetValue(3)) + 1.0f));" in text
    assert "x[1] = x[n];" in text
