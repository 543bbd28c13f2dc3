"""Names of the kernel become legal C++ names, once, and the same everywhere."""

from __future__ import annotations

import re

import pytest
from cpp_building import at, f32, i64, kernel, operate, ref, scalar_param, tensor, tensor_param, var, vec

from ptopro.codegen import generate
from ptopro.codegen.names import Names, legal
from ptopro.language.dtypes import FP32, INT64
from ptopro.language.enums import PipeType
from ptopro.lowering import ir


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("half", "half_"),
        ("int8_t", "int8_t_"),
        ("register", "register_"),
        ("template", "template_"),
        ("double", "double_"),
        ("a__b", "a_b"),
        ("_Tile", "Tile_"),
        ("EOF", "EOF_"),
        ("TADD", "TADD_"),
        ("PIPE_V", "PIPE_V_"),
        ("TKV", "TKV"),
        ("größe", "gru00f6u00dfe"),
        ("__", "_"),
    ],
)
def test_reserved_and_illegal_names(name: str, text: str) -> None:
    assert legal(name) == text


def test_names_of_the_library_only_clash_at_file_scope() -> None:
    assert legal("BLOCK_LEN") == "BLOCK_LEN"
    assert legal("BLOCK_LEN", file_scope=True) == "BLOCK_LEN_"
    assert legal("y0", file_scope=True) == "y0_"


def test_a_taken_name_gets_a_number() -> None:
    names = Names()
    assert [names.give("x") for _ in range(3)] == ["x", "x_2", "x_3"]
    assert [names.give("half") for _ in range(2)] == ["half_", "half_2"]


def test_disjoint_scopes_share_a_name() -> None:
    names = Names(Names())
    assert names.give("i", (((0, 0),),)) == "i"
    assert names.give("i", (((1, 0),),)) == "i"
    assert names.give("i", (((1, 0), (2, 0)),)) == "i_2"
    assert names.give("i") == "i_3"


def reserved_kernel() -> ir.KernelIR:
    """A kernel called double with parameters half, int8_t, register and y, and a local template."""
    size = var("half")
    register = var("register", FP32)
    x, y = tensor("int8_t", size, 64, dtype=FP32), tensor("y", size, 64, dtype=FP32)
    tile = ir.TileDecl("a__b", vec((32, 64), FP32), 0, size=8192)
    template = var("template")
    row = ir.Binary("*", ref(template), i64(32), INT64, INT64)
    body: ir.Block = (
        ir.DeclareTile(at(5), tile),
        ir.Assign(at(6), template, ref(size)),
        operate(7, "load", PipeType.MTE2, dst_tile=ir.TileRef(tile), src_tensor=x, offsets=(row, i64(0))),
        operate(8, "adds", PipeType.V, out=ir.TileRef(tile), tile=ir.TileRef(tile), scalar=ref(register)),
        operate(9, "store", PipeType.MTE3, dst_tensor=y, src_tile=ir.TileRef(tile), offsets=(row, i64(0))),
    )
    params = (tensor_param(x), tensor_param(y), scalar_param(register))
    return kernel("double", params, cube=(ir.Assign(at(5), template, f32(0)),), vector=body)


def test_reserved_names_are_renamed_in_every_place_and_the_launch_name_stays() -> None:
    generated = generate(reserved_kernel())
    text = generated.files["kernel.cpp"]
    assert generated.kernel == generated.signature.kernel == "double"
    parameters = "__gm__ float* int8_t_, __gm__ float* y, float register_, int64_t half_"
    assert f"double_impl_vector({parameters})" in text
    assert f'extern "C" __global__ AICORE void double_({parameters})' in text
    assert "double_impl(int8_t_, y, register_, half_);" in text
    assert "const int64_t template_ = half_;" in text
    assert not re.search(r"\b(register|template|a__b)\b(?!_)", text.replace("template <", ""))
    assert [param.name for param in generated.signature.params] == ["int8_t", "y", "register"]


def test_a_local_never_hides_a_constant_it_is_used_with() -> None:
    tile_count, local = ir.NamedConst("N", 4, INT64), var("N")
    out = tensor("out", 64, dtype=INT64)
    value = ir.Binary("+", ref(local), i64(4, "N"), INT64, INT64)
    body = (
        ir.Assign(at(3), local, i64(2)),
        operate(4, "setval", PipeType.S, container=out, offset=i64(0), value=value),
    )
    text = generate(kernel("k", (tensor_param(out),), vector=body, constants=(tile_count,))).files["kernel.cpp"]
    assert "out[0] = N_2 + N;" in text
