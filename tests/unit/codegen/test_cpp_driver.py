"""From a file to its generated files: expansion, locations, signature, tiling, what cannot be generated."""

from __future__ import annotations

import json

import pytest

from ptopro.codegen import CodegenOptions, Generated
from ptopro.codegen.driver import codegen_file
from ptopro.codegen.operations import EMITTERS
from ptopro.codegen.signature import Signature
from ptopro.diagnostics import Sink

HEAD = "import ptopro.language as pl\nfrom dataclasses import dataclass\nD = pl.DYNAMIC\n"
TILE = "    T = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)\n"
PARAMS = "x: pl.Tensor[[D, 64], pl.DT_FP32], y: pl.Tensor[[D, 64], pl.DT_FP32]"


def generate(
    body: str, params: str = PARAMS, decorator: str = "@pl.jit", head: str = "", section: str = "vector"
) -> tuple[list[Generated], Sink]:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    text = f"{HEAD}{head}{decorator}\ndef k({params}):\n{TILE}    with pl.section_{section}():\n{lines}"
    sink = Sink()
    return codegen_file("k.py", text, sink=sink), sink


def one(body: str, **options: str) -> Generated:
    found, sink = generate(body, **options)
    assert not sink.has_errors, sink.diagnostics
    return found[0]


LOCKED = """\
a = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1])
t = a.next()
pl.load(t, x, [0, 0])
pl.store(y, t, [0, 0])"""


def test_a_locked_kernel_is_expanded_and_comments_name_the_authors_lines() -> None:
    made = one(LOCKED)
    assert list(made.files) == ["pipeline_generated.py", "kernel.cpp", "launcher.cpp", ".map.json"]
    assert "auto_mutex=False" in made.files["pipeline_generated.py"]
    text = made.files["kernel.cpp"]
    assert "get_buf(PIPE_MTE2, t_id, 0);" in text
    load = next(line for line in text.splitlines() if "x_gm.SetShape" in line)
    assert load.endswith("// k.py:10")
    data = json.loads(made.files[".map.json"])
    number = text.splitlines().index(load) + 1
    assert [number, data["sources"].index("k.py"), 10] in data["lines"]


def test_a_kernel_without_locks_stays_as_it_is() -> None:
    made = one(LOCKED, decorator="@pl.jit(auto_mutex=False)")
    assert "mutex_lock" not in made.files["pipeline_generated.py"]
    assert "get_buf" not in made.files["kernel.cpp"]


def test_only_the_kernels_that_are_asked_for() -> None:
    text = HEAD + "".join(
        f"@pl.jit\ndef {n}({PARAMS}):\n    with pl.section_vector():\n        y[0, 0] = 1.0\n" for n in "ab"
    )
    assert [made.kernel for made in codegen_file("k.py", text)] == ["a", "b"]
    assert [made.kernel for made in codegen_file("k.py", text, ["b"])] == ["b"]


def test_serial_builds_mark_turns() -> None:
    text = f"{HEAD}@pl.jit\ndef k({PARAMS}):\n    with pl.section_vector():\n        y[0, 0] = 1.0\n"
    (made,) = codegen_file("k.py", text, options=CodegenOptions(serial=True))
    assert "PTOPRO_TURN(" in made.files["kernel.cpp"]


def test_the_signature_survives_json() -> None:
    signature = one(LOCKED, params=PARAMS + ", n: pl.DT_INT32, p: pl.Ptr[pl.DT_FP16]").signature
    assert Signature.from_json(signature.to_json()) == signature
    assert [(p.name, p.kind, p.dtype, p.dims) for p in signature.params] == [
        ("x", "tensor", "DT_FP32", ("dynamic", 64)),
        ("y", "tensor", "DT_FP32", ("dynamic", 64)),
        ("n", "scalar", "DT_INT32", ()),
        ("p", "ptr", "DT_FP16", ()),
    ]
    assert signature.dynamic == (("x", 0), ("y", 0))
    assert signature.halves == ("vector",)
    assert signature.entry == "ptopro_launch_k"


TILING = """\
@dataclass
class Split:
    rows: int
    scale: float
    double: bool
    at: "int[4]"
"""


def test_tiling_data_is_a_struct_in_a_header() -> None:
    made = one(
        "y[0, 0] = t.scale\ny[0, t.rows] = t.at[2] * 1.0", params=PARAMS + ", t: Split", head=TILING.replace('"', "")
    )
    header = made.files["Split_tiling.h"]
    assert "struct Split {\n  int64_t rows;\n  float scale;\n  bool double_;\n  int64_t at[4];\n};\n" in header
    text = made.files["kernel.cpp"]
    assert '#include "Split_tiling.h"\n' in text
    assert "k_impl_vector(__gm__ float* y, const Split t) {" in text
    assert "  y[0] = t.scale;" in text and "y[t.rows] = " in text
    assert "*static_cast<const Split*>(args[2])" in made.files["launcher.cpp"]
    assert made.signature.params[2].fields[3] == ("at", "DT_INT64", 4)
    assert Signature.from_json(made.signature.to_json()) == made.signature


def test_dumps_wait_for_all_pipes_and_print_tensors_tiles_and_windows() -> None:
    body = """\
a = pl.make_tile(T, addr=0, size=8192)
pl.load(a, x, [0, 0])
pl.dump_data(a)
pl.dump_data(a, offsets=[8, 0], shapes=[4, 16])
pl.dump_data(x, offsets=[1, 2], shapes=[3, 4], loc=True)
pl.store(y, a, [0, 0])"""
    text = one(body).files["kernel.cpp"]
    assert text.count("pipe_barrier(PIPE_ALL);") == 3
    assert "TPRINT(a);" in text
    assert "VecFloat32x64 a_view(4, 16);" in text and "TPRINT(a_view);" in text
    assert 'cce::printf("[k.py:12] \\n");' in text
    assert "x_dump(x + 66, XDump::Shape(1, 1, 1, 3, 4), XDump::Stride(1, 1, 1, 64, 1));" in text


def test_changed_strides_are_run_time_strides() -> None:
    body = """\
a = pl.make_tile(T, addr=0, size=8192)
pl.set_stride(x, [128, 1])
pl.load(a, x, [0, 0])
pl.store(y, a, [0, 0])"""
    text = one(body).files["kernel.cpp"]
    assert "Stride<1, 1, 1, -1, -1>>" in text
    assert "  x_gm.SetStride<3, 4>(128, 1);" in text


def test_printf_and_assert() -> None:
    body = """\
pl.printf("n %d of %x at %p is %f, 5%%\\n", n, m, p, 0.5)
pl.pto_assert(n < m, "n=%d", n)
pl.trap()"""
    params = PARAMS + ", n: pl.DT_INT32, m: pl.DT_INT64, p: pl.Ptr[pl.DT_FP16]"
    text = one(body, params=params).files["kernel.cpp"].replace("\n", " ")
    text = " ".join(text.split())
    assert r'"n %d of %llx at %p is %f, 5%%\n", static_cast<int>(n), static_cast<unsigned long long>(m)' in text
    assert "reinterpret_cast<const void*>(p), 0.5f);" in text
    assert r'if (n >= m) { // k.py:9 cce::printf("k.py:9: assertion failed: n < m\n"); cce::printf("n=%d"' in text
    assert "trap();" in text


def test_what_cannot_be_generated_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(EMITTERS, "trap")
    found, sink = generate("x[0, 0] = 1.0\npl.trap()")
    assert not found
    assert [d.code for d in sink.diagnostics] == ["PTO1391"]
    assert sink.diagnostics[0].span is not None and sink.diagnostics[0].span.line == 9


def test_a_kernel_with_errors_gives_no_files() -> None:
    found, sink = generate("pl.load(nothing, x, [0, 0])")
    assert not found and sink.has_errors


@pytest.mark.parametrize("name", ["double", "int", "half"])
def test_a_kernel_may_be_called_like_a_keyword(name: str) -> None:
    text = f"{HEAD}@pl.jit\ndef {name}({PARAMS}):\n    with pl.section_vector():\n        y[0, 0] = 1.0\n"
    (made,) = codegen_file("k.py", text)
    assert made.kernel == name and made.signature.entry == f"ptopro_launch_{name}_"
    assert f'extern "C" __global__ AICORE void {name}_(' in made.files["kernel.cpp"]
