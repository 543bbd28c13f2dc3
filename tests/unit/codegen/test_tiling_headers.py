"""The headers for host code, compiled: layout as launches pack it, keys as kernels expect them."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ptopro.build.simulator import compile_kernel
from ptopro.codegen.driver import codegen_kernel
from ptopro.codegen.tiling_headers import infer_source, tiling_header, tilingkey_header
from ptopro.diagnostics import Sink
from ptopro.frontend.kernels import KernelSource
from ptopro.frontend.keys import key_schema, valid_keys
from ptopro.frontend.source import load_module
from ptopro.lowering.target import Target
from ptopro.runtime.interface import interface_of
from ptopro.runtime.tiling import struct_type
from ptopro.simulator.machine import LaunchOptions, Tensor, launch

COMPILER = shutil.which("g++") or ""
FLAGS = ("-std=c++17", "-Wall", "-Wextra", "-Werror")
pytestmark = pytest.mark.slow

KERNEL = """from __future__ import annotations
from dataclasses import dataclass
import ptopro.language as pl

class Key:
    M = pl.TilingKeyField(bits=2, values=[16, 64, 128])
    N = pl.TilingKeyField(bits=1, values=[0, 1])
    def is_valid(self, key):
        return key[0] > 16 or key[1] == 0

@dataclass
class Plan:
    flag: bool
    n: int
    scale: float
    small: pl.DT_INT16
    counts: int[3]
    octets: pl.DT_UINT8[5]
    register: int

@pl.jit(tiling_key=Key)
def k(y: pl.Ptr[pl.DT_INT64], workspace: pl.Ptr[pl.DT_UINT8], plan: Plan):
    with pl.section_vector():
        t = pl.make_tensor(y, [16])
        if M == 128:
            pl.setval(t, 0, 1280 + N)
        else:
            pl.setval(t, 0, plan.scale)
        pl.setval(t, 1, plan.n)
        pl.setval(t, 2, plan.small)
        for i in pl.range(0, 3):
            pl.setval(t, 3 + i, plan.counts[i])
        pl.setval(t, 6, plan.octets[4])
        pl.setval(t, 7, plan.register)
        if plan.flag:
            pl.setval(t, 8, 1)
"""
HOST = """#include "Key_tilingkey.h"
#include "Plan_tiling.h"
extern "C" uint64_t fill(Plan* plan, int64_t m, int64_t n) {
  *plan = Plan{true, -7, 2.5f, -300, {10, 20, 30}, {1, 2, 3, 4, 250}, 1ll << 40};
  return GET_TPL_TILING_KEY(m, n);
}
extern "C" uint64_t constant() {
  constexpr uint64_t key = GET_TPL_TILING_KEY(128, 1);
  return key;
}
"""


def kernel_of(text: str) -> KernelSource:
    sink = Sink()
    found = load_module("k.py", text, sink=sink).kernel("k")
    assert sink.diagnostics == []
    return found


def write_headers(kernel: KernelSource, folder: Path) -> None:
    schema, sink = key_schema(kernel), Sink()
    assert schema is not None
    made = [tilingkey_header(schema, valid_keys(schema, sink), "my_op", "k.py"), tiling_header(kernel)]
    assert sink.diagnostics == []
    for item in made:
        assert item is not None
        (folder / item[0]).write_text(item[1])


def compiled(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    command = [COMPILER, *FLAGS, *flags, "-fPIC", "-shared", "host.cpp", "-o", "host.so"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """A folder with the headers and host code that includes them, compiled."""
    folder = tmp_path_factory.mktemp("host")
    write_headers(kernel_of(KERNEL), folder)
    (folder / "host.cpp").write_text(HOST)
    result = compiled(folder)
    assert result.returncode == 0, result.stderr
    return folder


@pytest.mark.parametrize(("m", "n"), [(128, 1), (64, 0)])
def test_the_host_fills_the_struct_and_the_kernel_reads_it(host, tmp_path, m, n):
    """Bytes that C++ wrote through the header, and the key that it packed, are what the kernel was made for."""
    kernel, sink = kernel_of(KERNEL), Sink()
    library = ctypes.CDLL(str(host / "host.so"))
    library.fill.restype = ctypes.c_uint64
    library.fill.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
    plan = ctypes.create_string_buffer(ctypes.sizeof(struct_type(interface_of(kernel).parameters[-1])))
    schema = key_schema(kernel)
    assert schema is not None
    key = schema.values_of(library.fill(plan, m, n))
    assert key == {"M": m, "N": n}

    generated = codegen_kernel(kernel, target=Target(key=key), sink=sink)
    assert generated is not None and sink.diagnostics == []
    y, workspace = np.zeros(16, np.int64), np.zeros(8, np.uint8)
    storages = [ctypes.c_void_p(y.ctypes.data), ctypes.c_void_p(workspace.ctypes.data), plan]
    arguments = (ctypes.c_void_p * 3)(*map(ctypes.addressof, storages))
    tensors = [Tensor(a.ctypes.data, a.nbytes, name, True) for name, a in (("y", y), ("workspace", workspace))]
    built = compile_kernel(generated, tmp_path)
    report = launch(built, generated.signature.entry, 1, arguments, tensors, LaunchOptions())
    assert report.code == "ok"
    first = 1280 + n if m == 128 else 2
    assert y[:9].tolist() == [first, -7, -300, 10, 20, 30, 250, 1 << 40, 1]


def test_keys_packed_by_the_header_are_those_of_the_schema(host):
    schema, sink = key_schema(kernel_of(KERNEL)), Sink()
    assert schema is not None
    library = ctypes.CDLL(str(host / "host.so"))
    library.fill.restype = library.constant.restype = ctypes.c_uint64
    library.fill.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
    valid = {key.values: key.packed for key in valid_keys(schema, sink)}
    plan = ctypes.create_string_buffer(256)
    for m in (16, 64, 128, 17):
        for n in (0, 1, 2):
            assert library.fill(plan, m, n) == valid.get((m, n), (1 << 64) - 1)
    assert library.constant() == valid[128, 1] == 6


@pytest.mark.parametrize("optimise", ["-O0", "-O2"])
@pytest.mark.parametrize("wrong", ["16, 1", "17, 0", "128, 2"])
def test_a_constant_that_is_no_key_does_not_compile(host, tmp_path, optimise, wrong):
    text = f'#include "Key_tilingkey.h"\nuint64_t wrong() {{ return GET_TPL_TILING_KEY({wrong}); }}\n'
    (tmp_path / "host.cpp").write_text(text)
    result = compiled(tmp_path, optimise, f"-I{host}", "-fsyntax-only")
    assert result.returncode != 0
    assert "these values are no valid key of Key" in result.stderr


def test_a_header_of_another_layout_does_not_compile(host, tmp_path):
    """What keeps host and kernel apart when somebody edits the header."""
    for name in ("Key_tilingkey.h", "Plan_tiling.h"):
        text = (host / name).read_text()
        (tmp_path / name).write_text(text.replace("  bool flag;\n  int64_t n;", "  int64_t n;\n  bool flag;"))
    (tmp_path / "host.cpp").write_text('#include "Plan_tiling.h"\n')
    result = compiled(tmp_path, "-fsyntax-only")
    assert result.returncode != 0 and "Plan.flag" in result.stderr


def test_the_toolkit_gets_the_same_keys(host, tmp_path):
    """A stand-in for the toolkit's header turns the declarations into data that can be compared."""
    folder = tmp_path / "ascendc" / "host_api" / "tiling"
    folder.mkdir(parents=True)
    (folder / "template_argument.h").write_text(
        "#define ASCENDC_TPL_UI_LIST 2\n"
        '#define ASCENDC_TPL_ARGS_DECL(op, ...) static const char* DECLARED[] = {#op, __VA_ARGS__ ""}\n'
        "#define ASCENDC_TPL_UINT_DECL(name, width, kind, ...) #name, WORD(width), #__VA_ARGS__\n"
        "#define WORD(x) WORD_(x)\n#define WORD_(x) #x\n"
        '#define ASCENDC_TPL_SEL(...) static const char* SELECTED[] = {__VA_ARGS__, ""}\n'
        "#define ASCENDC_TPL_ARGS_SEL(...) __VA_ARGS__\n"
        "#define ASCENDC_TPL_UINT_SEL(name, kind, value) #name, #value\n"
        "#define GET_TPL_TILING_KEY(...) 0\n"
    )
    (tmp_path / "host.cpp").write_text(
        f'#include "{host}/Key_tilingkey.h"\n#include <cstdio>\n'
        "int main() {\n"
        '  for (const char* word : DECLARED) std::printf("%s;", word);\n'
        '  for (const char* word : SELECTED) std::printf("%s;", word);\n'
        '  std::printf("%d", int(GET_TPL_TILING_KEY(128, 0)));\n}\n'
    )
    subprocess.run([COMPILER, *FLAGS, "-I.", "host.cpp", "-o", "host"], cwd=tmp_path, check=True, timeout=120)
    words = subprocess.run([tmp_path / "host"], capture_output=True, text=True, timeout=20).stdout.split(";")
    assert words[:8] == ["my_op", "M", "2", "16, 64, 128", "N", "1", "0, 1", ""]
    pairs = words[8:-2]
    expected = [(16, 0), (64, 0), (64, 1), (128, 0), (128, 1)]
    assert pairs == [word for m, n in expected for word in ("M", str(m), "N", str(n))]
    assert words[-1] == "2"  # the header's own macro, which refuses what is no key


def test_no_key_is_never_a_valid_key():
    schema = key_schema(kernel_of(KERNEL))
    assert schema is not None
    keys = valid_keys(schema, Sink())
    last = replace(keys[0], packed=(1 << 64) - 1)
    assert "NO_KEY = 0xfffffffffffffffeu" in tilingkey_header(schema, [*keys, last], "op", "k.py")[1]


def test_the_entry_that_the_toolkit_reads():
    name, text = infer_source(kernel_of(KERNEL), "my_op", ["Key_tilingkey.h", "Plan_tiling.h"], "AIV_ONLY")
    assert name == "my_op_infer.cpp"
    assert text.index("Key_tilingkey.h") < text.index("Plan_tiling.h")
    assert "my_op(GM_ADDR y, GM_ADDR workspace, GM_ADDR plan)" in text
    assert "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);" in text
    assert "REGISTER_TILING_DEFAULT(Plan);" in text


# --------------------------------------------------------------------------------------------------------------------
# Layout

TYPES = ["int", "float", "bool", *(f"pl.DT_{sign}INT{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64))]
TYPES += ["pl.DT_FP32", "pl.DT_BOOL"]
FIELDS = st.lists(st.tuples(st.sampled_from(TYPES), st.sampled_from([0, 0, 1, 2, 3, 5, 7, 64])), min_size=1, max_size=9)


@given(st.lists(FIELDS, min_size=20, max_size=40))
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_python_packs_what_the_compiler_lays_out(tmp_path, structs):
    """sizeof and every offsetof of random structs, many in one compilation."""
    source = ["from __future__ import annotations", "from dataclasses import dataclass", "import ptopro.language as pl"]
    for number, fields in enumerate(structs):
        source += ["@dataclass", f"class Plan{number}:"]
        source += [f"    f{i}: {kind}{f'[{length}]' if length else ''}" for i, (kind, length) in enumerate(fields)]
        source += ["@pl.jit", f"def k{number}(plan: Plan{number}):", "    pass"]
    sink = Sink()
    module = load_module("k.py", "\n".join(source) + "\n", sink=sink)
    assert sink.diagnostics == []
    lines, expected = ["#include <cstdio>"], []
    prints = []
    for number, fields in enumerate(structs):
        kernel = module.kernel(f"k{number}")
        header = tiling_header(kernel)
        assert header is not None
        (tmp_path / header[0]).write_text(header[1])
        lines.append(f'#include "{header[0]}"')
        packed = struct_type(interface_of(kernel).parameters[-1])
        expected.append(ctypes.sizeof(packed))
        prints.append(f'std::printf("%zu ", sizeof(Plan{number}));')
        for i in range(len(fields)):
            expected.append(getattr(packed, f"f{i}").offset)
            prints.append(f'std::printf("%zu ", offsetof(Plan{number}, f{i}));')
    (tmp_path / "layout.cpp").write_text("\n".join([*lines, "int main() {", *prints, "}"]) + "\n")
    subprocess.run([COMPILER, *FLAGS, "layout.cpp", "-o", "layout"], cwd=tmp_path, check=True, timeout=120)
    found = subprocess.run([tmp_path / "layout"], capture_output=True, text=True, timeout=20).stdout
    assert list(map(int, found.split())) == expected


@pytest.mark.parametrize("kind", ["pl.DT_FP16", "pl.DT_BF16", "list", "str", "int[0]", "int[2049]"])
def test_types_that_host_code_does_not_have(kind):
    sink = Sink()
    load_module("k.py", KERNEL.replace("scale: float", f"scale: {kind}"), sink=sink)
    assert [d.code for d in sink.diagnostics] == ["PTO1023"]
