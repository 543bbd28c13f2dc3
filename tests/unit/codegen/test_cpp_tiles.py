"""Tiles, groups, tile variables, views and the ids that travel with them."""

from __future__ import annotations

import pytest
from cpp_building import at, i64, kernel, op, operate, ref, scalar_param, tensor, tensor_param, var, vec

from ptopro.codegen import generate
from ptopro.codegen.tiles import view_offset
from ptopro.codegen.types import tile_type
from ptopro.diagnostics import DiagnosticError
from ptopro.language.dtypes import FP16, FP32, INT64
from ptopro.language.enums import MemorySpace, PipeType, TensorLayout, TilePad
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir

T = vec((32, 64), FP32)
X = tensor("x", 1024, 64, dtype=FP32)
N = var("n")


def group(name: str, addr: int, *ids: int | tuple[int, ...], depth: int = 2) -> ir.GroupDecl:
    rows = tuple(i if isinstance(i, tuple) else (i,) for i in ids)
    return ir.GroupDecl(name, T, tuple(addr + 8192 * i for i in range(len(rows) or depth)), rows, size=8192)


def slot_of(decl: ir.GroupDecl, index: str | int | ir.Expr = "current") -> ir.SlotRef:
    return ir.SlotRef(decl, index)


def holds(name: str, *origins: ir.GroupDecl | ir.TileDecl, ids: int = 1) -> ir.TileVar:
    return ir.TileVar(name, origins[0].spec, frozenset(origins), ids)


def muls(line: int, target: ir.TileExpr) -> ir.Operate:
    return operate(line, "muls", PipeType.V, out=target, tile=target, scalar=ir.Const(2.0, FP32))


def locked(line: int, target: ir.TileExpr) -> ir.Block:
    return (
        ir.Lock(at(line), PipeType.V, True, target),
        muls(line, target),
        ir.Lock(at(line), PipeType.V, False, target),
    )


def code_of(block: ir.Block) -> str:
    """kernel.cpp without source comments."""
    text = generate(kernel("k", (tensor_param(X), scalar_param(N)), vector=block)).files["kernel.cpp"]
    return "\n".join(line.partition("  // kernel.py")[0].rstrip() for line in text.splitlines())


def test_a_group_is_an_array_with_a_cursor() -> None:
    a = group("a", 0, 0, 1)
    cur = holds("cur", a)
    text = code_of((ir.Advance(at(3), a), ir.BindTile(at(3), cur, slot_of(a)), *locked(4, ir.TileVarRef(cur))))
    assert "VecFloat32x64 a[2] = {{32, 64}, {32, 64}};" in text
    assert "  TASSIGN(a[1], 0x2000);\n" in text
    assert "  int a_cursor = 1;\n  constexpr int64_t a_ids[2] = {0, 1};\n" in text
    assert (
        "  a_cursor = (a_cursor + 1) % 2;\n  auto& cur = a[a_cursor];\n  const int64_t cur_id = a_ids[a_cursor];\n"
        "  get_buf(PIPE_V, cur_id, 0);\n  TMULS(cur, cur, 2.0f);\n  rls_buf(PIPE_V, cur_id, 0);\n"
    ) in text


def test_a_group_of_one_slot_is_a_tile() -> None:
    a = group("a", 0, 5)
    cur = holds("cur", a)
    text = code_of((ir.Advance(at(3), a), ir.BindTile(at(3), cur, slot_of(a)), *locked(4, ir.TileVarRef(cur))))
    assert "VecFloat32x64 a(32, 64);" in text and "cursor" not in text and "_id" not in text
    assert "get_buf(PIPE_V, 5, 0);" in text


def test_a_group_that_never_moves_has_no_cursor() -> None:
    a = group("a", 0, 0, 1)
    text = code_of((*locked(3, slot_of(a)), *locked(4, slot_of(a, "previous")), *locked(5, slot_of(a, 0))))
    assert "cursor" not in text
    assert text.count("get_buf(PIPE_V, 1, 0);\n  TMULS(a[1], a[1], 2.0f);") == 1
    assert text.count("TMULS(a[0], a[0], 2.0f);") == 2


def test_slots_at_run_time_and_previous() -> None:
    a = group("a", 0, 0, 1, 2)
    index = op("%", ref(N), i64(3), nonnegative=True)
    text = code_of((ir.Advance(at(2), a), *locked(3, slot_of(a, index)), muls(4, slot_of(a, "previous"))))
    assert "get_buf(PIPE_V, a_ids[n % 3], 0);\n  TMULS(a[n % 3], a[n % 3], 2.0f);" in text
    assert "TMULS(a[(a_cursor + 2) % 3], a[(a_cursor + 2) % 3], 2.0f);" in text


def test_several_ids_for_one_slot() -> None:
    a = group("a", 0, (0, 4), (1, 5))
    text = code_of((ir.Advance(at(2), a), *locked(3, slot_of(a))))
    assert "constexpr int64_t a_ids[2][2] = {{0, 4}, {1, 5}};" in text
    assert "get_buf(PIPE_V, a_ids[a_cursor][0], 0);\n  get_buf(PIPE_V, a_ids[a_cursor][1], 0);" in text


def test_a_variable_set_in_branches_is_a_pointer_with_its_id() -> None:
    a, b = group("a", 0, 0, 1), group("b", 0x8000, 2, 3)
    t = holds("t", a, b)
    block = (
        ir.Advance(at(2), a),
        ir.If(
            at(3),
            op(">", ref(N), i64(3)),
            (ir.BindTile(at(4), t, slot_of(a)),),
            (ir.BindTile(at(5), t, slot_of(b, 0)),),
        ),
        *locked(6, ir.TileVarRef(t)),
    )
    text = code_of(block)
    assert (
        "  VecFloat32x64* t = nullptr;\n  int64_t t_id = 0;\n  if (n > 3) {\n    t = &a[a_cursor];\n"
        "    t_id = a_ids[a_cursor];\n  } else {\n    t = &b[0];\n    t_id = 2;\n  }\n"
        "  get_buf(PIPE_V, t_id, 0);\n  TMULS(*t, *t, 2.0f);\n  rls_buf(PIPE_V, t_id, 0);\n"
    ) in text


def test_a_choice_of_tiles_picks_tile_and_id_by_one_condition() -> None:
    a, b = group("a", 0, 0, 1), group("b", 0x8000, 2, 3)
    t = holds("t", a, b)
    choice = ir.ChooseTile(op(">", ref(N), i64(3)), slot_of(a, 0), slot_of(b, 1))
    text = code_of((ir.BindTile(at(3), t, choice), *locked(4, ir.TileVarRef(t))))
    assert "auto& t = n > 3 ? a[0] : b[1];\n  const int64_t t_id = n > 3 ? 0 : 3;" in text


def test_ids_that_may_be_equal_are_taken_once() -> None:
    a = group("a", 0, 0, 1)
    t, u = holds("t", a), holds("u", a)
    i = op("%", ref(N), i64(2), nonnegative=True)
    block = (
        ir.BindTile(at(2), t, slot_of(a, i)),
        ir.BindTile(at(3), u, slot_of(a, ref(N))),
        ir.Lock(at(4), PipeType.V, True, ir.TileVarRef(t)),
        ir.Lock(at(4), PipeType.V, True, ir.TileVarRef(u)),
        operate(4, "add", PipeType.V, out=ir.TileVarRef(t), lhs=ir.TileVarRef(t), rhs=ir.TileVarRef(u)),
        ir.Lock(at(4), PipeType.V, False, ir.TileVarRef(t)),
        ir.Lock(at(4), PipeType.V, False, ir.TileVarRef(u)),
    )
    text = code_of(block)
    assert "get_buf(PIPE_V, t_id, 0);\n  if (u_id != t_id) get_buf(PIPE_V, u_id, 0);" in text
    assert "rls_buf(PIPE_V, t_id, 0);\n  if (u_id != t_id) rls_buf(PIPE_V, u_id, 0);" in text


def test_ids_of_different_groups_need_no_guard() -> None:
    a, b = group("a", 0, 0, 1), group("b", 0x8000, 2, 3)
    block = tuple(ir.Lock(at(4), PipeType.V, True, slot_of(g, ref(N))) for g in (a, b))
    assert "if" not in code_of(block).partition("{")[2].partition("}")[0].replace("endif", "")


def test_a_view_is_a_tile_over_the_same_bytes() -> None:
    a = ir.TileDecl("a", T, 0x1000, size=8192)
    top = holds("top", a, ids=0)
    view = ir.SubView(ir.TileRef(a), i64(8), i64(32), i64(8), i64(16))
    text = code_of((ir.BindTile(at(3), top, view), muls(4, ir.TileVarRef(top))))
    assert f"  VecFloat32x64 top(8, 16);\n  TASSIGN(top, 0x{0x1000 + (8 * 64 + 32) * 4:x});\n" in text
    assert "TMULS(top, top, 2.0f);" in text


def test_a_view_at_a_run_time_row_of_a_run_time_slot() -> None:
    a = group("a", 0, 0, 1)
    view = ir.SubView(slot_of(a, ref(N)), ref(N), i64(0), i64(8), i64(64))
    text = code_of(locked(3, view))
    assert "VecFloat32x64 a_view(8, 64);" in text
    assert "TASSIGN(a_view, reinterpret_cast<uint64_t>(a[n].data()) + n * 64 * 4);" in text
    assert "TMULS(a_view, a_view, 2.0f);" in text


def test_declarations_name_their_bytes() -> None:
    a = ir.TileDecl("a", T, 0x2000, size=8192)
    left = ir.TileDecl("l", TileSpec((16, 64), FP16, MemorySpace.Left, layout=TensorLayout.NZ), 0x800, size=2048)
    text = code_of(
        (muls(3, ir.TileRef(a)), operate(4, "move", PipeType.MTE1, dst_tile=ir.TileRef(left), src_tile=ir.TileRef(a)))
    )
    assert "  // Vec (UB)\n  VecFloat32x64 a(32, 64);  // 0x02000..0x03fff\n" in text
    assert "  // Left (L0A)\n  LeftHalf16x64 l(16, 64);  // 0x00800..0x00fff\n" in text


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (vec((64, 1), FP32), "Tile<TileType::Vec, float, 64, 1, BLayout::ColMajor, -1, -1, SLayout::NoneBox, 512>"),
        (
            TileSpec((64, 64), FP32, MemorySpace.Acc, (64, -1), TensorLayout.NZ, 1024),
            "Tile<TileType::Acc, float, 64, 64, BLayout::ColMajor, 64, -1, SLayout::RowMajor, 1024>",
        ),
        (
            TileSpec((8, 64), FP16, layout=TensorLayout.ND, fractal=512, pad=TilePad.max),
            "Tile<TileType::Vec, half, 8, 64, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512, PadValue::Max>",
        ),
    ],
)
def test_tile_types(spec: TileSpec, text: str) -> None:
    assert tile_type(spec) == text


@pytest.mark.parametrize(
    ("layout", "row", "col", "offset"),
    [
        (TensorLayout.ND, 3, 16, (3 * 64 + 16) * 2),
        (TensorLayout.DN, 3, 16, (16 * 32 + 3) * 2),
        (TensorLayout.NZ, 16, 32, (2 * 32 * 16 + 16 * 16) * 2),
        (TensorLayout.ZN, 16, 32, (1 * 64 * 16 + 2 * 256) * 2),
        (TensorLayout.ZZ, 16, 32, (1 * 64 * 16 + 2 * 256) * 2),
        (TensorLayout.NN, 16, 32, (2 * 32 * 16 + 1 * 256) * 2),
    ],
)
def test_views_start_where_the_layout_says(layout: TensorLayout, row: int, col: int, offset: int) -> None:
    spec = TileSpec((32, 64), FP16, MemorySpace.Mat, layout=layout)
    assert view_offset(spec, i64(row), i64(col), None) == ir.Const(offset, INT64)


def test_a_view_inside_a_fractal_is_refused() -> None:
    spec = TileSpec((32, 64), FP16, MemorySpace.Mat, layout=TensorLayout.NZ)
    with pytest.raises(DiagnosticError, match="PTO1390"):
        view_offset(spec, i64(8), i64(0), at(3))
    with pytest.raises(DiagnosticError, match="PTO1390"):
        view_offset(spec, ref(N), i64(0), at(3))
