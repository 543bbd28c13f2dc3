"""Helper functions and structs in C++."""

from __future__ import annotations

from cpp_building import at, f32, i64, kernel, op, operate, ref, scalar_param, tensor, tensor_param, var, vec

from ptopro.codegen import generate
from ptopro.language.dtypes import FP32, INT32, INT64
from ptopro.language.enums import PipeType
from ptopro.lowering import ir

T = vec((32, 64), FP32)
X = tensor("x", 1024, 64, dtype=FP32)
OUT = tensor("out", 1024, dtype=INT64)
N = var("n")


def put(line: int, value: ir.Expr) -> ir.Operate:
    return operate(line, "setval", PipeType.S, container=OUT, offset=i64(0), value=value)


def text_of(block: ir.Block) -> str:
    params = (tensor_param(X), tensor_param(OUT), scalar_param(N))
    text = generate(kernel("k", params, vector=block)).files["kernel.cpp"]
    return "\n".join(line.partition("  // kernel.py")[0].rstrip() for line in text.splitlines())


def clamp() -> ir.FunctionIR:
    v, hi = var("v"), var("hi")
    body = (
        ir.If(at(21), op(">", ref(v), ref(hi)), (ir.Return(at(22), (ref(hi),)),), ()),
        ir.Return(at(23), (ref(v),)),
    )
    return ir.FunctionIR("clamp", (v, hi), body, result=(INT64,), span=at(20), source_name="clamp")


def test_a_helper_is_a_function_in_front_of_its_caller() -> None:
    helper = clamp()
    text = text_of((put(3, op("+", ir.Call(helper, (ref(N), i64(128)), INT64), i64(1))),))
    assert (
        "AICORE inline int64_t clamp(int64_t v, int64_t hi) {\n  if (v > hi) {\n    return hi;\n  }\n  return v;\n}\n"
    ) in text
    assert "  out[0] = clamp(n, 128) + 1;\n" in text
    assert text.index("clamp(int64_t v") < text.index("k_impl_vector")


def test_two_specialisations_have_two_names() -> None:
    first, second = clamp(), clamp()
    text = text_of((put(3, ir.Call(first, (ref(N), i64(1)), INT64)), put(4, ir.Call(second, (ref(N), i64(2)), INT64))))
    assert "out[0] = clamp(n, 1);" in text and "out[0] = clamp_2(n, 2);" in text


def test_what_a_helper_uses_of_its_caller_is_a_parameter() -> None:
    a = ir.GroupDecl("a", T, (0, 8192), ((0,), (1,)), size=8192)
    cur, i = ir.TileVar("cur", T, frozenset([a]), 1), var("i")
    body = (
        ir.Advance(at(21), a),
        ir.BindTile(at(21), cur, ir.SlotRef(a, "current")),
        ir.Lock(at(22), PipeType.MTE2, True, ir.TileVarRef(cur)),
        operate(
            22,
            "load",
            PipeType.MTE2,
            dst_tile=ir.TileVarRef(cur),
            src_tensor=X,
            offsets=(op("*", ref(i), ref(N)), i64(0)),
        ),
        ir.Lock(at(22), PipeType.MTE2, False, ir.TileVarRef(cur)),
    )
    fetch = ir.FunctionIR("fetch", (i,), body, (("buf", a), ("src", X)), span=at(20), source_name="fetch")
    text = text_of((ir.DeclareGroup(at(2), a), ir.CallStmt(at(3), fetch, (i64(7),))))
    assert "void fetch(int64_t i, int& buf_cursor, VecFloat32x64 (&buf)[2], __gm__ float* src, int64_t n) {" in text
    assert "  constexpr int64_t buf_ids[2] = {0, 1};\n" in text
    assert "Stride<1, 1, 1, 64, 1>> src_gm(src);" in text
    assert "TASSIGN(src_gm, src + i * n * 64);" in text
    assert "  fetch(7, a_cursor, a, x, n);\n" in text
    assert "  int a_cursor = 1;\n" in text


def test_tile_parameters_come_with_their_ids() -> None:
    a = ir.GroupDecl("a", T, (0, 8192), ((0,), (1,)), size=8192)
    t, cur = ir.TileVar("t", T, frozenset([a]), 1), ir.TileVar("cur", T, frozenset([a]), 1)
    body = (
        ir.Lock(at(21), PipeType.V, True, ir.TileVarRef(t)),
        operate(21, "muls", PipeType.V, out=ir.TileVarRef(t), tile=ir.TileVarRef(t), scalar=f32(2.0)),
        ir.Lock(at(21), PipeType.V, False, ir.TileVarRef(t)),
    )
    twice = ir.FunctionIR("twice", (t,), body, span=at(20), source_name="twice")
    text = text_of(
        (
            ir.Advance(at(3), a),
            ir.BindTile(at(3), cur, ir.SlotRef(a, "current")),
            ir.CallStmt(at(4), twice, (ir.TileVarRef(cur),)),
            ir.CallStmt(at(5), twice, (ir.SlotRef(a, 1),)),
        )
    )
    assert "AICORE inline void twice(VecFloat32x64& t, int64_t t_id) {\n  get_buf(PIPE_V, t_id, 0);" in text
    assert "  twice(cur, cur_id);\n  twice(a[1], 1);\n" in text


def test_a_returned_tile_is_a_pointer_and_brings_its_id() -> None:
    a = ir.GroupDecl("a", T, (0, 8192), ((0,), (1,)), size=8192)
    shape = ir.TileVar("result", T, frozenset([a]), 1)
    body = (ir.Advance(at(21), a), ir.Return(at(21), (ir.SlotRef(a, "current"),)))
    take = ir.FunctionIR("take", (), body, (("a", a),), (shape,), at(20), source_name="take")
    cur = ir.TileVar("cur", T, frozenset([a]), 1)
    use = (
        ir.Lock(at(4), PipeType.V, True, ir.TileVarRef(cur)),
        operate(4, "muls", PipeType.V, out=ir.TileVarRef(cur), tile=ir.TileVarRef(cur), scalar=f32(2.0)),
    )
    text = text_of((ir.CallStmt(at(3), take, (), (cur,)), *use))
    assert "struct TakeResult {\n  VecFloat32x64* first;\n  int64_t first_id;\n};" in text
    assert "  return {&a[a_cursor], a_ids[a_cursor]};\n" in text
    assert "  const auto take_result = take(a_cursor, a);\n  auto& cur = *take_result.first;\n" in text
    assert "  const int64_t cur_id = take_result.first_id;\n  get_buf(PIPE_V, cur_id, 0);\n" in text


def test_several_scalars_come_back_in_a_struct() -> None:
    v, lo, hi = var("v"), var("lo"), var("hi")
    body = (ir.Return(at(21), (op("+", ref(v), i64(1)), f32(0.5))),)
    split = ir.FunctionIR("split", (v,), body, result=(INT64, FP32), span=at(20), source_name="split")
    half = var("half", FP32)
    text = text_of((ir.CallStmt(at(3), split, (ref(N),), (lo, half)), put(4, ref(lo)), put(5, ref(hi))))
    assert "struct SplitResult {\n  int64_t first;\n  float second;\n};" in text
    assert "  return {v + 1, 0.5f};\n" in text
    assert "  const auto split_result = split(n);\n  const int64_t lo = split_result.first;\n" in text
    assert "half" not in text.partition("split_result = ")[2]


def test_a_helper_calls_a_helper_and_hands_on_what_it_needs() -> None:
    tile = ir.TileDecl("acc", T, 0, size=8192)
    double = operate(31, "muls", PipeType.V, out=ir.TileRef(tile), tile=ir.TileRef(tile), scalar=f32(2.0))
    deep = ir.FunctionIR("deep", (), (double,), span=at(30), source_name="deep")
    outer = ir.FunctionIR("outer", (), (ir.CallStmt(at(21), deep, ()),), span=at(20), source_name="outer")
    text = text_of((ir.DeclareTile(at(2), tile), ir.CallStmt(at(3), outer, ())))
    assert "void deep(VecFloat32x64& acc) {" in text
    assert "void outer(VecFloat32x64& acc) {\n  deep(acc);\n}" in text
    assert "  outer(acc);\n" in text


def test_a_tile_made_in_a_helper_is_declared_there() -> None:
    tile = ir.TileDecl("tmp", T, 0, size=8192)
    double = operate(22, "muls", PipeType.V, out=ir.TileRef(tile), tile=ir.TileRef(tile), scalar=f32(2.0))
    own = ir.FunctionIR("own", (), (ir.DeclareTile(at(21), tile), double), span=at(20), source_name="own")
    text = text_of((ir.CallStmt(at(3), own, ()),))
    assert "void own() {\n  // Vec (UB)\n  VecFloat32x64 tmp(32, 64);" in text


def test_structs_and_arrays_of_structs() -> None:
    kind = ir.StructType("Msg", (("batch", INT64, 0), ("rows", INT32, 2)))
    one, many = ir.StructVar("one", kind), ir.StructVar("many", kind, 4)
    values = (("batch", (ref(N),)), ("rows", (ir.Const(0, INT32), ir.Const(1, INT32))))
    text = text_of(
        (
            ir.StructDeclare(at(2), one, values),
            ir.StructDeclare(at(3), many, values),
            ir.StructWrite(at(4), one, "rows", ref(N), index=i64(1)),
            ir.StructWrite(at(5), many, "batch", i64(3), at=op("%", ref(N), i64(4), nonnegative=True)),
            put(6, ir.StructRead(one, "batch", INT64)),
            put(7, ir.StructRead(many, "rows", INT32, at=i64(2), index=i64(1))),
        )
    )
    assert "struct Msg {\n  int64_t batch;\n  int32_t rows[2];\n};" in text
    assert "  Msg one = {n, {0, 1}};\n" in text
    assert "  Msg many[4] = {};\n  for (Msg& item : many) item = {n, {0, 1}};\n" in text
    assert "  one.rows[1] = static_cast<int32_t>(n);\n  many[n % 4].batch = 3;\n" in text
    assert "  out[0] = many[2].rows[1];\n" in text
