"""`ptopro build --release` and `ptopro run <op>.json`: what is written, that it runs as a launch does, what is refused."""

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

from ptopro.build import compile_edges
from ptopro.build.toolchain import find_compiler

OPERATOR = """from __future__ import annotations

from dataclasses import dataclass

import ptopro.language as pl
from ptopro.language import TilingKeyField


@dataclass
class ScaleTiling:
    rows: int
    factors: float[2]


class ScaleKey:
    Rows = TilingKeyField(bits=2, values=[8, 16, 32])
    Twice = TilingKeyField(bits=1, values=[0, 1])

    def is_valid(self, key):
        return key[0] < 32 or key[1] == 0


@pl.jit(auto_mutex=True, tiling_key=ScaleKey, datatype={"x": "kind", "y": "kind"})
def scale(
    x: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: ScaleTiling,
):
    x_gm = pl.make_tensor(x, [tiling.rows, 64], [64, 1], dtype=kind)
    y_gm = pl.make_tensor(y, [tiling.rows, 64], [64, 1], dtype=kind)
    tile = pl.TileType(shape=[Rows, 64], dtype=kind, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), tiling.rows // Rows, pl.get_block_num()):
            cur = ub.next()
            pl.load(cur, x_gm, [i * Rows, 0])
            pl.mul(cur, cur, tiling.factors[0])
            if Twice == 1:
                pl.mul(cur, cur, tiling.factors[1])
            pl.store(y_gm, cur, [i * Rows, 0])
"""
LAUNCHES = (
    OPERATOR
    + """

if __name__ == "__main__":
    import numpy as np

    given = np.load("in.npz")
    found = {}
    for rows, twice in ((8, 0), (8, 1), (16, 0), (16, 1), (32, 0)):
        for name in ("FP16", "FP32"):
            x = given["x" + name]
            y = np.zeros_like(x)
            dtype = getattr(pl, "DT_" + name)
            tiling = ScaleTiling(64, [0.3, 1.7])
            scale[None, 3, {"Rows": rows, "Twice": twice}, {"x": dtype, "y": dtype}](x, y, np.zeros(1, np.uint8), tiling)
            found[f"{rows}_{twice}_{name}"] = y
    np.savez("jit.npz", **found)
"""
)
MIXED = """import ptopro.language as pl


@pl.jit(auto_mutex=True)
def product(
    a: pl.Tensor[[64, 64], pl.DT_FP16], b: pl.Tensor[[64, 64], pl.DT_FP16], c: pl.Tensor[[64, 64], pl.DT_FP32]
):
    mat = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    left = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    right = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    acc = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    vec = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a_l1 = pl.make_tile_group(type=mat, addrs=0, mutex_ids=[0])
    b_l1 = pl.make_tile_group(type=mat, addrs=0x4000, mutex_ids=[1])
    a_l0 = pl.make_tile_group(type=left, addrs=0, mutex_ids=[2])
    b_l0 = pl.make_tile_group(type=right, addrs=0, mutex_ids=[3])
    c_l0 = pl.make_tile_group(type=acc, addrs=0, mutex_ids=[4])
    ub = pl.make_tile_group(type=vec, addrs=0, mutex_ids=[5])
    with pl.section_cube():
        cur_c = c_l0.current()
        pl.load(a_l1.current(), a, [0, 0])
        pl.load(b_l1.current(), b, [0, 0])
        pl.move(a_l0.current(), a_l1.current())
        pl.move(b_l0.current(), b_l1.current())
        pl.matmul(cur_c, a_l0.current(), b_l0.current())
VECTOR_OR_STORE
"""
CUBE = MIXED.replace("VECTOR_OR_STORE", "        pl.store(c, cur_c, [0, 0])\n")
MIXED = MIXED.replace(
    "VECTOR_OR_STORE",
    """        pl.move(ub.current(), cur_c, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
        pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=0)
    with pl.section_vector():
        pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=0)
        pl.mul(ub.current(), ub.current(), 2.0)
        pl.store(c, ub.current(), [pl.get_subblock_idx() * 32, 0])
""",
)
META = "build/scale/kernel_meta"
MANIFEST = f"{META}/scale.json"
BOTH = ("--dtype", "x=fp16", "--dtype", "x=fp32")


@pytest.fixture
def operator(folder):
    (folder / "kernel.py").unlink()
    (folder / "scale.py").write_text(OPERATOR)
    rng = np.random.default_rng(0)
    arrays = {f"x{name}": rng.standard_normal((64, 64)).astype(t) for name, t in (("FP16", "f2"), ("FP32", "f4"))}
    np.savez(folder / "in.npz", **arrays)
    (folder / "tiling.json").write_text(json.dumps({"rows": 64, "factors": [0.3, 1.7]}))
    return folder


@pytest.fixture
def released(operator, ptopro):
    """A release of one key, FP32."""
    result = ptopro(
        "build", "--release", "scale.py", "--dtype", "kind=fp32", "--key", "Rows=8", "--key", "Twice=0", "-q"
    )
    assert result.code == 0, result.err
    return operator


def launch(ptopro, folder, name="FP32", *options):
    with np.load(folder / "in.npz") as given:
        np.savez(folder / "x.npz", x=given[f"x{name}"])
    zeros = f"y={name.lower()}:64,64"
    return ptopro(
        "run", MANIFEST, "--inputs", "x.npz", "--zeros", zeros, "--tiling", "tiling.json",
        "--block-dim", "3", "--outputs", "out.npz", *options,
    )  # fmt: skip


def test_every_released_key_gives_what_its_launch_gives(operator, ptopro):
    result = ptopro("build", "--release", "scale.py", *BOTH, "-j2")
    assert result.code == 0, result.err
    data = json.loads((operator / MANIFEST).read_text())
    assert data["target"] == "sim" and data["core_type"] == "VectorCore" and data["kernel_type"] == "AIV_ONLY"
    assert data["keys"] == [0, 1, 2, 4, 5] and len(data["kernelList"]) == len(data["objects"]) == 10
    assert data["dtypes"] == [{"kind": "FP16"}, {"kind": "FP32"}]
    assert [p["dtype"] for p in data["supportInfo"]["inputs"]] == [["FP16", "FP32"]]
    assert [p["name"] for p in data["supportInfo"]["outputs"]] == ["y"]
    for each in data["objects"]:
        assert hashlib.sha256((operator / META / each["file"]).read_bytes()).hexdigest() == each["sha256"]
    listed = {each["file"] for each in data["objects"]} | {"scale.o", "scale.json"}
    assert {path.name for path in (operator / META).iterdir()} == listed
    host = {"ScaleKey_tilingkey.h", "ScaleTiling_tiling.h", "scale_infer.cpp"}
    assert {path.name for path in (operator / "build/scale/host").iterdir()} == host

    (operator / "launches.py").write_text(LAUNCHES)
    done = subprocess.run([sys.executable, "-m", "ptopro", "run", "launches.py"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    with np.load(operator / "jit.npz") as wanted:
        for entry in data["kernelList"]:
            fields, name = entry["fields"], entry["dtypes"]["kind"]
            result = launch(ptopro, operator, name, "--key", str(entry["tilingKey"]), "--dtype", f"x={name}")
            assert result.code == 0, result.err
            with np.load(operator / "out.npz") as got:
                assert got["y"].tobytes() == wanted[f"{fields['Rows']}_{fields['Twice']}_{name}"].tobytes()


def test_a_key_by_its_fields_and_tiling_data_as_bytes(released, ptopro):
    by_fields = launch(ptopro, released, "FP32", "--key", "Rows=8,Twice=0")
    assert by_fields.code == 0, by_fields.err
    packed = np.zeros(1, np.dtype([("rows", "i8"), ("factors", "f4", 2)]))
    packed["rows"], packed["factors"] = 64, [0.3, 1.7]
    (released / "tiling.bin").write_bytes(packed.tobytes())
    by_bytes = launch(ptopro, released, "FP32", "--tiling", "tiling.bin")
    assert by_bytes.out == by_fields.out


@pytest.mark.parametrize(
    ("text", "cores", "kind"), [(CUBE, ["aic"], "AIC_ONLY"), (MIXED, ["aic", "aiv"], "MIX_AIC_1_2")]
)
def test_kernels_of_one_core_have_one_set_of_objects(folder, ptopro, text, cores, kind):
    (folder / "product.py").write_text(text)
    assert ptopro("build", "--release", "product.py", "--op", "my_op", "-q").code == 0
    meta = folder / "build/my_op/kernel_meta"
    names = {f"my_op_mix_{core}_0.o" for core in cores}
    assert {path.name for path in meta.iterdir()} == names | {"my_op.o", "my_op.json"}
    data = json.loads((meta / "my_op.json").read_text())
    assert (data["kernel_type"], data["op_type"], data["keys"]) == (kind, "MyOp", [0])
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((64, 64)).astype(np.float16) for _ in range(2))
    np.savez("in.npz", a=a, b=b)
    result = ptopro(
        "run", meta / "my_op.json", "--inputs", "in.npz", "--zeros", "c=fp32:64,64",
        "--block-dim", "1", "--outputs", "out.npz",
    )  # fmt: skip
    assert result.code == 0, result.err
    wanted = a.astype(np.float32) @ b.astype(np.float32) * len(cores)
    with np.load("out.npz") as got:
        np.testing.assert_allclose(got["c"], wanted, atol=1e-3)


def tree(root):
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_two_builds_in_two_folders_are_the_same_to_the_byte(operator, ptopro, monkeypatch):
    trees = []
    for name, path in (("one", "scale.py"), ("another/deep", str(operator / "another/deep/scale.py"))):
        place = operator / name
        place.mkdir(parents=True)
        shutil.copy(operator / "scale.py", place)
        monkeypatch.chdir(place)
        assert ptopro("build", "--release", path, "--dtype", "x=fp16", "--key", "Twice=0", "-q").code == 0
        trees.append(tree(place / "build"))
    assert trees[0] == trees[1]
    assert f"{META.removeprefix('build/')}/scale_mix_aiv_0.o" in trees[0]
    assert not any(str(operator).encode() in text for text in trees[0].values())


def times(root):
    return {path.name: path.stat().st_mtime_ns for path in root.glob("*.o")}


def test_only_keys_that_changed_are_compiled_again(operator, ptopro):
    build = ("build", "--release", "scale.py", "--dtype", "x=fp32", "--key", "Rows=8", "-q")
    assert ptopro(*build).code == 0
    before = times(operator / META)
    text = (operator / "scale.py").read_text()
    (operator / "scale.py").write_text(text.replace("tiling.factors[1]", "2.5"))
    assert ptopro(*build).code == 0
    after = times(operator / META)
    assert {name for name in after if after[name] != before[name]} == {"scale_mix_aiv_4.o", "scale.o"}


def test_objects_of_keys_that_are_gone_are_removed(operator, ptopro):
    ptopro("build", "--release", "scale.py", "--dtype", "x=fp32", "--key", "Rows=8", "-q")
    ptopro("build", "--release", "scale.py", "--dtype", "x=fp32", "--key", "Rows=8", "--key", "Twice=1", "-q")
    assert {path.name for path in (operator / META).iterdir()} == {"scale_mix_aiv_4.o", "scale.o", "scale.json"}


def broken_compiler(folder, monkeypatch, condition, action="exit 1"):
    """A compiler that fails where the shell's condition on its arguments holds."""
    real = shutil.which("g++")
    if real is None:
        pytest.skip("there is no g++")
    path = folder / "cxx"
    path.write_text(
        f'#!/bin/sh\ncase "$*" in {condition}) echo "no room for it" >&2; {action};; esac\nexec {real} "$@"\n'
    )
    path.chmod(0o755)
    monkeypatch.setenv("PTOPRO_CXX", str(path))
    return path


def test_a_failed_key_is_named_and_the_others_are_finished(operator, ptopro, monkeypatch):
    build = ("build", "--release", "scale.py", "--dtype", "x=fp32", "--key", "Rows=8", "-q")
    compiler = broken_compiler(operator, monkeypatch, "*scale_4_vector*")
    result = ptopro(*build)
    assert result.code == 3
    assert "PTO1710" in result.err and "key 4 (Rows=8, Twice=1, kind=FP32), vector" in result.err
    assert {path.name for path in (operator / META).iterdir()} == {"scale_mix_aiv_0.o"}
    made = (operator / META / "scale_mix_aiv_0.o").stat().st_mtime_ns
    compiler.write_text(re.sub("case.*", "", compiler.read_text()))
    assert ptopro(*build).code == 0
    assert (operator / META / "scale_mix_aiv_0.o").stat().st_mtime_ns == made
    assert (operator / MANIFEST).exists()


def test_a_release_that_is_no_longer_whole_is_not_described(released, ptopro, monkeypatch):
    """A failed build takes the description of the last good one away: the objects are not those it was sealed with."""
    broken_compiler(released, monkeypatch, "*scale_0_vector*")
    text = (released / "scale.py").read_text()
    (released / "scale.py").write_text(text.replace("cur, tiling.factors[0])", "cur, 3.0)"))
    result = ptopro("build", "--release", "scale.py", "--dtype", "x=fp32", "--key", "Rows=8", "--key", "Twice=0", "-q")
    assert result.code == 3
    assert not (released / MANIFEST).exists() and not (released / META / "scale.o").exists()
    assert "PTO1901" in launch(ptopro, released).err


def test_a_full_disk_leaves_nothing_half_written(operator, ptopro, monkeypatch):
    """The compiler writes a part of an object and then says what the system said."""
    write = 'for last; do true; done; echo half > "$(echo "$*" | sed "s/.*-o //;s/ .*//")"'
    full = f'{write}; echo "fatal error: error writing: No space left on device" >&2; exit 1'
    broken_compiler(operator, monkeypatch, "*scale_4_vector*", full)
    result = ptopro("build", "--release", "scale.py", "--dtype", "x=fp32", "--key", "Rows=8", "-q")
    assert result.code == 1 and "PTO1902" in result.err
    assert [path.name for path in (operator / META).iterdir()] == ["scale_mix_aiv_0.o"]


def test_a_key_that_cannot_be_transpiled_is_named(operator, ptopro):
    text = (operator / "scale.py").read_text()
    (operator / "scale.py").write_text(
        text.replace("if Twice == 1:", "if Twice == 1:\n                pl.nothing(cur)")
    )
    result = ptopro("build", "--release", "scale.py", "--dtype", "x=fp32", "--key", "Rows=8", "-q")
    assert result.code == 1
    assert "for key 4 (Rows=8, Twice=1, kind=FP32)" in result.err
    assert [path.name for path in (operator / META).iterdir()] == ["scale_mix_aiv_0.o"]


@pytest.mark.parametrize("name", ["../evil", "a/b", "", "9lives", "a.b", "x" * 200])
def test_operator_names_that_are_none(operator, ptopro, name):
    result = ptopro("build", "--release", "scale.py", f"--op={name}", "--dtype", "x=fp32")
    if name:
        assert (result.code, "PTO2001" in result.err) == (1, True)
        assert not (operator / "build").exists() and not (operator.parent / "evil").exists()


def test_two_kernels_of_one_name(operator, ptopro):
    (operator / "two.py").write_text(CUBE + CUBE[CUBE.index("@pl.jit") :].replace("def product", "def second"))
    result = ptopro("build", "--release", "two.py", "--op", "my_op")
    assert result.code == 1 and "PTO2002" in result.err and "`second` of two.py" in result.err


def test_another_kernels_release_is_not_replaced(released, ptopro):
    (released / "product.py").write_text(CUBE)
    before = tree(released / "build/scale")
    result = ptopro("build", "--release", "product.py", "--op", "scale")
    assert result.code == 1 and "PTO2003" in result.err and "kernel `scale` of scale.py" in result.err
    assert tree(released / "build/scale") == before


def test_element_types_are_asked_for(operator, ptopro):
    result = ptopro("build", "--release", "scale.py")
    assert result.code == 1 and "PTO2004" in result.err and "--dtype kind=..." in result.err
    assert "PTO1917" in ptopro("build", "--release", "scale.py", "--dtype", "z=fp16").err
    assert "PTO1917" in ptopro("build", "--release", "scale.py", *BOTH, "--key", "Rows=7").err
    assert "PTO1917" in ptopro("build", "--release", "scale.py", *BOTH, "--key", "Rows=32", "--key", "Twice=1").err


def test_a_changed_object_is_not_loaded(released, ptopro):
    for name in ("scale_mix_aiv_0.o", "scale.o"):
        path = released / META / name
        text = path.read_bytes()
        path.write_bytes(text[:-1] + bytes([text[-1] ^ 1]))
        result = launch(ptopro, released)
        assert result.code == 1 and "PTO2006" in result.err and name in result.err
        path.write_bytes(text)
    (released / META / "scale_mix_aiv_0.o").unlink()
    assert "PTO2006" in launch(ptopro, released).err
    assert not (released / "out.npz").exists()


def change(folder, function):
    path = folder / MANIFEST
    data = json.loads(path.read_text())
    function(data)
    path.write_text(json.dumps(data))


@pytest.mark.parametrize("name", ["../../../other.o", "/etc/passwd", "a/b.o", "", ".hidden", 7])
def test_files_outside_of_the_release_are_refused(released, ptopro, name):
    change(released, lambda data: data["objects"][0].update(file=name))
    result = launch(ptopro, released)
    assert result.code == 1 and "PTO2005" in result.err


def test_a_release_whose_name_leaves_its_folder(released, ptopro):
    change(released, lambda data: data.update(name="../scale"))
    assert "PTO2001" in launch(ptopro, released).err


def test_a_linked_object_is_refused(released, ptopro):
    path = released / META / "scale.o"
    path.rename(released / "elsewhere.o")
    path.symlink_to(released / "elsewhere.o")
    assert "PTO2005" in launch(ptopro, released).err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', "\0"])
def test_files_that_describe_no_release(released, ptopro, text):
    (released / MANIFEST).write_text(text)
    assert "PTO2005" in launch(ptopro, released).err


def test_unknown_keys_and_inputs_that_do_not_fit(released, ptopro):
    for option in ("99", "Rows=16,Twice=0", "Rows=8"):
        result = launch(ptopro, released, "FP32", "--key", option)
        assert result.code == 1 and "PTO2007" in result.err and "Rows=8,Twice=0 kind=FP32" in result.err
    assert launch(ptopro, released, "FP32", "--key", "x=y").code == 2
    for options in (("--set", "z=1"), ("--zeros", "q=fp32"), ("--set", "y=much"), ("--inputs", MANIFEST)):
        assert "PTO2009" in launch(ptopro, released, "FP32", *options).err
    assert "PTO1901" in launch(ptopro, released, "FP32", "--inputs", "nowhere.npz").err
    assert "PTO1901" in ptopro("run", "nowhere.json").err
    missing = ptopro("run", MANIFEST)
    assert "PTO2009" in missing.err and "x, y, tiling: missing" in missing.err


def test_releases_for_others_are_not_run(released, ptopro):
    change(released, lambda data: data.update(simulator="libptopro_sim_0.so"))
    assert "PTO2008" in launch(ptopro, released).err
    change(released, lambda data: data.update(target="device"))
    assert "PTO2008" in launch(ptopro, released).err


STAND_IN = """#!/bin/sh
# Takes the place of the vendor's programs: notes its arguments and writes its output.
echo "$(basename "$0") $*" >> "$STAND_IN_LOG"
while [ $# -gt 0 ]; do [ "$1" = -o ] && echo "made by $(basename "$0")" > "$2"; shift; done
"""


@pytest.fixture
def toolkit(tmp_path, monkeypatch):
    """A toolkit whose programs note their arguments."""
    for name in ("bin/bisheng", "compiler/ccec_compiler/bin/ld.lld"):
        path = tmp_path / "toolkit" / name
        path.parent.mkdir(parents=True)
        path.write_text(STAND_IN)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    log = tmp_path / "log"
    monkeypatch.setenv("STAND_IN_LOG", str(log))
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path / "toolkit"))
    return log


def commands(text):
    """Command lines without the folder of the programs and without where a file is until it is whole."""
    words = (re.sub(r"(\S*/)?\.([^/ ]+)\.part\b", r"\1\2", line) for line in text.splitlines())
    return sorted(re.sub(r"^\S*/", "", line) for line in words)


def test_the_vendors_compiler_gets_what_the_dry_run_prints(folder, ptopro, toolkit):
    (folder / "product.py").write_text(MIXED)
    printed = ptopro("build", "--release", "product.py", "--op", "my_op", "--dry-run")
    assert printed.code == 0 and not toolkit.exists() and not (folder / "build").exists()
    assert ptopro("build", "--release", "product.py", "--op", "my_op", "-q").code == 0
    assert commands(toolkit.read_text()) == commands(printed.out)
    cube, vector, link = commands(printed.out)
    for line, core in ((cube, "cube"), (vector, "vec")):
        words = line.split()
        assert words[0] == "bisheng" and f"--cce-aicore-arch=dav-c310-{core}" in words
        for word in ("-DREGISTER_BASE", "-DTILING_KEY_VAR=0UL", "-D__MIX_CORE_MACRO__=1", "--cce-auto-sync=off"):
            assert word in words
        assert f"-Dproduct=my_op_0_mix_{'aic' if core == 'cube' else 'aiv'}" in words
        assert words[-1] == "product/product/kernel.cpp"
    assert link.startswith("ld.lld -m aicorelinux -Ttext=0 -static")
    data = json.loads((folder / "build/my_op/kernel_meta/my_op.json").read_text())
    assert data["target"] == "device" and "simulator" not in data
    assert (folder / "build/my_op/kernel_meta/my_op.o").read_text() == "made by ld.lld\n"


def test_a_kernel_of_one_core_for_an_older_chip(folder, ptopro, toolkit):
    printed = ptopro("build", "--release", "kernel.py", "--arch", "a3", "--dry-run").out
    first = commands(printed)[0].split()
    assert "--cce-aicore-arch=dav-c220-vec" in first and "-DMEMORY_BASE" in first and first.count("-Ddouble_=double_0")
    assert not any(word.startswith(("-D__MIX", "-Wno-c++20")) for word in first)


def test_the_simulator_although_there_is_a_toolkit(folder, ptopro, toolkit):
    assert ptopro("build", "--release", "kernel.py", "--toolchain", "sim", "-q").code == 0
    assert not toolkit.exists()
    assert json.loads((folder / "build/double/kernel_meta/double.json").read_text())["target"] == "sim"


def test_without_a_toolkit(folder, ptopro, monkeypatch):
    monkeypatch.delenv("ASCEND_HOME_PATH", raising=False)
    assert "-I$ASCEND_HOME_PATH/include" in ptopro("build", "--release", "kernel.py", "--dry-run").out.replace("'", "")
    result = ptopro("build", "--release", "kernel.py", "--toolchain", "bisheng")
    assert result.code == 1 and "PTO2010" in result.err and "ASCEND_HOME_PATH is not set" in result.err
    monkeypatch.setenv("ASCEND_HOME_PATH", str(folder))
    monkeypatch.setenv("PATH", str(folder))
    assert "there is no bisheng" in ptopro("build", "--release", "kernel.py", "--toolchain", "bisheng").err


def test_release_options_without_a_release(ptopro):
    assert ptopro("build", "kernel.py", "--op", "x").code == 2


@pytest.mark.parametrize("engine", ["ninja", "make"])
def test_a_release_as_a_graph_for_other_engines(folder, ptopro, engine):
    """The engine compiles, links and seals; the result is what ptopro's own run gives."""
    from ptopro.build import ninja

    if shutil.which("make") is None:
        pytest.skip("there is no make")
    assert ptopro("build", "--release", "kernel.py", "--emit", engine, "-q").code == 0
    assert not list((folder / "build").rglob("*.o"))
    command = [ninja.program()] if engine == "ninja" else ["make", "-f", "ptopro.mk", "-j2"]
    done = subprocess.run(command, cwd="build", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    made = tree(folder / "build/double")
    shutil.rmtree(folder / "build")
    assert ptopro("build", "--release", "kernel.py", "-q").code == 0
    assert tree(folder / "build/double") == made


def test_two_machines_compile_what_one_does(folder, ptopro, monkeypatch):
    """distcc with two daemons on addresses of this machine."""
    if shutil.which("distccd") is None or shutil.which("g++") is None:
        pytest.skip("there is no distcc")
    (folder / "product.py").write_text(MIXED)
    assert ptopro("build", "--release", "product.py", "-q").code == 0
    alone = tree(folder / "build/product")
    shutil.rmtree(folder / "build")
    (folder / "distcc").mkdir()
    daemons, hosts = [], []
    try:
        for number in (2, 3):
            host, log = f"127.0.0.{number}", folder / f"daemon{number}.log"
            port = 36320 + os.getpid() % 500 * 2 + number
            command = ["distccd", "--no-detach", "--daemon", "--listen", host, "--port", str(port), "--log-stderr"]
            command += ["--allow", "127.0.0.0/8", "--jobs", "1", "--enable-tcp-insecure"]
            with log.open("w") as stream:
                daemons.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stream))
            hosts.append(f"{host}:{port}")
        monkeypatch.setenv("DISTCC_HOSTS", " ".join(hosts))
        monkeypatch.setenv("DISTCC_FALLBACK", "0")
        monkeypatch.setenv("DISTCC_DIR", str(folder / "distcc"))
        result = ptopro("build", "--release", "product.py", "--launcher", "distcc", "-j2", "-q")
        assert result.code == 0, result.err
        logs = "".join(path.read_text() for path in folder.glob("daemon*.log"))
        assert logs.count("COMPILE_OK") == 2
    finally:
        for daemon in daemons:
            daemon.terminate()
            daemon.wait()
    assert tree(folder / "build/product") == alone


def test_clean_removes_a_release(released, ptopro):
    ptopro("build", "--release", "scale.py", "--dtype", "x=fp32", "--key", "Rows=8", "--op", "other", "-M", "-q")
    assert ptopro("clean", "nothing.py").code == 0 and (released / MANIFEST).exists()
    (released / "build/scale/mine.txt").write_text("")
    assert ptopro("clean", "scale.py").code == 0
    assert [path for path in (released / "build").rglob("*") if path.is_file()] == [released / "build/scale/mine.txt"]


def test_host_code_picks_a_key_and_fills_the_tiling_data(released, ptopro):
    """A program of the host, compiled against the released headers; the released key reads what it has filled."""
    program = """#include <cstdio>
    #include "ScaleKey_tilingkey.h"
    #include "ScaleTiling_tiling.h"
    int main() {
      const ScaleTiling tiling = {64, {0.3F, 1.7F}};
      std::fwrite(&tiling, sizeof(tiling), 1, stdout);
      std::fprintf(stderr, "%llu", static_cast<unsigned long long>(GET_TPL_TILING_KEY(8, 0)));
    }"""
    (released / "host.cpp").write_text(program)
    command = [*find_compiler().command, "-std=c++17", "-I", "build/scale/host", "host.cpp", "-o", "host"]
    subprocess.run(command, check=True)
    done = subprocess.run(["./host"], capture_output=True, check=True)
    (released / "tiling.bin").write_bytes(done.stdout)
    by_host = launch(ptopro, released, "FP32", "--tiling", "tiling.bin", "--key", done.stderr.decode())
    assert by_host.code == 0, by_host.err
    assert by_host.out == launch(ptopro, released).out


def test_the_sample_from_host_tiling_to_its_result(samples, ptopro, monkeypatch):
    """One key of samples/release_op, chosen and described by its C++ program."""
    monkeypatch.chdir(samples / "release_op")
    pick = ("--dtype", "a=bf16", "--key", "BlockM=128", "--key", "BlockK=128", "--key", "Epilogue=1")
    assert ptopro("build", "--release", "matmul_epilogue.py", *pick, "-q").code == 0
    root = samples / "release_op/build/matmul_epilogue"
    command = [*find_compiler().command, "-std=c++17", "-I", root / "host", "host_tiling.cpp", "-o", "host_tiling"]
    subprocess.run(command, check=True)
    m, n, k = 128, 256, 256
    done = subprocess.run(["./host_tiling", *map(str, (m, n, k)), "-1", "tiling.bin"], capture_output=True, check=True)
    key, blocks = done.stdout.decode().split()
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(shape).astype(ml_dtypes.bfloat16) for shape in ((m, k), (k, n)))
    np.savez("ab.npz", a=a.view(np.uint16), b=b.view(np.uint16))
    result = ptopro(
        "run", root / "kernel_meta/matmul_epilogue.json", "--key", key, "--inputs", "ab.npz", "--tiling", "tiling.bin",
        "--zeros", f"c=fp32:{m},{n}", "--block-dim", blocks, "--outputs", "c.npz",
    )  # fmt: skip
    assert result.code == 0, result.err
    scale = np.repeat([0.5, 1.5], 128)
    with np.load("c.npz") as got:
        wanted = np.maximum(a.astype(float) @ b.astype(float) * scale, -1.0)
        np.testing.assert_allclose(got["c"], wanted, rtol=1e-3, atol=1e-3)


def test_a_link_that_fails(folder, ptopro, monkeypatch):
    broken_compiler(folder, monkeypatch, "*-shared*--build-id*")
    result = ptopro("build", "--release", "kernel.py", "-q")
    assert result.code == 3 and "PTO1716" in result.err and "link double.o" in result.err
    assert "no room for it" in (folder / "build/build.log").read_text()


def test_a_folder_that_cannot_hold_the_objects(folder, ptopro):
    (folder / "build/double").mkdir(parents=True)
    (folder / "build/double/kernel_meta").write_text("")
    result = ptopro("build", "--release", "kernel.py", "-q")
    assert result.code == 1 and "PTO1903" in result.err


def test_sources_that_vanish_before_they_are_compiled(folder, ptopro, monkeypatch):
    monkeypatch.setattr(compile_edges, "write_sources", lambda *given: None)
    result = ptopro("build", "--release", "kernel.py", "-q")
    assert result.code == 3 and "PTO1717" in result.err and "vector.cpp" in result.err
