"""Launching kernels from Python: forms, arrays, caches, refusals, the launch log."""

import importlib
import json
import linecache
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import ptopro.language as pl
from ptopro.diagnostics import DiagnosticError
from ptopro.runtime import fingerprint as fingerprints
from ptopro.runtime.errors import KernelError, LaunchError, ParserSyntaxError, SimulatorError

SCALE = 3.0


@pl.jit(auto_mutex=True)
def scale(x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], y: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], k: pl.DT_FP32 = 2.0):
    tile = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), x.shape[0] // 8, pl.get_block_num()):
            cur = ub.next()
            pl.load(cur, x, [i * 8, 0])
            pl.mul(cur, cur, k)
            pl.store(y, cur, [i * 8, 0])


@pl.jit(auto_mutex=True)
def by_global(x: pl.Tensor[[8, 64], pl.DT_FP32], y: pl.Tensor[[8, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile(tile, addr=0, size=2048)
    with pl.section_vector():
        pl.load(ub, x, [0, 0])
        pl.system.bar_all()
        pl.mul(ub, ub, SCALE)
        pl.system.bar_all()
        pl.store(y, ub, [0, 0])


@pl.jit(auto_mutex=True)
def hangs(y: pl.Tensor[[8, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile(tile, addr=0, size=2048)
    with pl.section_vector():
        pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=1)
        pl.store(y, ub, [0, 0])


@pl.jit(auto_mutex=True)
def wrong(y: pl.Tensor[[8, 64], pl.DT_FP32]):
    with pl.section_vector():
        pl.no_such_operation(y)


@pl.kernel
def not_launchable(y: pl.Tensor[[8, 64], pl.DT_FP32]):
    with pl.section_vector():
        pl.setval(y, 0, 1.0)


def make_fill(value, rows):
    """A kernel factory: the kernel knows its maker's values."""

    @pl.jit(auto_mutex=True)
    def fill(y: pl.Tensor[[rows, 64], pl.DT_FP32]):
        tile = pl.TileType(shape=[rows, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
        ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0])
        with pl.section_vector():
            cur = ub.next()
            pl.full(cur, value)
            pl.store(y, cur, [0, 0])

    return fill


@pl.jit(auto_mutex=True)
def static(x: pl.Tensor[[pl.STATIC, 64], pl.DT_FP32], y: pl.Tensor[[pl.STATIC, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[x.shape[0], 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0])
    with pl.section_vector():
        cur = ub.next()
        pl.load(cur, x, [0, 0])
        pl.add(cur, cur, 1.0)
        pl.store(y, cur, [0, 0])


def data(rows=32):
    x = np.random.default_rng(0).standard_normal((rows, 64), dtype=np.float32)
    return x, np.zeros_like(x)


@pytest.mark.parametrize("launch", [scale, scale[3], scale[None, 2], scale[None, 100]], ids=["1", "3", "2", "100"])
def test_every_form_of_a_launch_computes(launch):
    x, y = data()
    launch(x, y, 3.0)
    np.testing.assert_array_equal(y, x * np.float32(3))


def test_keywords_and_defaults():
    x, y = data()
    scale(y=y, x=x)
    np.testing.assert_array_equal(y, x * 2)


def test_torch_tensors_are_written_in_place():
    torch = pytest.importorskip("torch")
    x, y = torch.randn(16, 64), torch.zeros(16, 64)
    scale[None, 2](x, y, 4.0)
    assert torch.equal(y, x * 4)


def test_a_changed_global_gives_another_kernel(monkeypatch):
    x, y = data(8)
    by_global(x, y)
    np.testing.assert_array_equal(y, x * np.float32(3))
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 5.0)
    by_global(x, y)
    np.testing.assert_array_equal(y, x * np.float32(5))


def test_factories_make_kernels_of_their_own():
    small, large = np.zeros((8, 64), np.float32), np.zeros((16, 64), np.float32)
    make_fill(1.5, 8)(small)
    make_fill(2.5, 16)(large)
    assert (small == 1.5).all()
    assert (large == 2.5).all()


def test_static_dims_are_read_at_launch():
    for rows in (8, 16):
        x, y = data(rows)
        static(x, y)
        np.testing.assert_array_equal(y, x + 1)


@pytest.mark.parametrize("mode", ["pipelined", "serial"])
def test_both_modes_agree(monkeypatch, mode):
    monkeypatch.setenv("PTOPRO_MODE", mode)
    x, y = data()
    scale[2](x, y, 3.0)
    np.testing.assert_array_equal(y, x * np.float32(3))


def test_results_do_not_depend_on_the_schedule(monkeypatch):
    for schedule in ("fixed", "random:1", "random:2"):
        monkeypatch.setenv("PTOPRO_SCHEDULE", schedule)
        x, y = data()
        scale[2](x, y, 3.0)
        np.testing.assert_array_equal(y, x * np.float32(3))


def test_the_report_of_the_latest_launch():
    x, y = data()
    scale[2](x, y)
    assert scale.last_report.code == "ok"
    assert scale.last_report.cycles > 0


def refused(*args, kernel=scale, **kwargs):
    with pytest.raises(LaunchError) as error:
        kernel(*args, **kwargs)
    return error.value.diagnostics[0].code


def test_nothing_runs_when_arguments_do_not_fit():
    x, y = data()
    assert refused(x, y.astype(np.float64)) == "PTO1804"
    assert refused(x, y[:, :32]) == "PTO1806"
    assert refused(x, np.zeros((64, 64), np.float32)[::2]) == "PTO1807"
    assert refused(x) == "PTO1801"
    assert not y.any()


def test_a_read_only_output_is_refused_before_anything_runs():
    x, y = data()
    y.flags.writeable = False
    assert refused(x, y) == "PTO1808"
    assert not y.any()


def test_a_read_only_input_is_fine():
    x, y = data()
    x.flags.writeable = False
    scale(x, y)
    np.testing.assert_array_equal(y, x * 2)


def test_a_kernel_for_other_tools_cannot_be_launched():
    assert refused(np.zeros((8, 64), np.float32), kernel=not_launchable) == "PTO1818"


def test_a_deadlock_is_an_exception_with_a_report():
    with pytest.raises(SimulatorError) as error:
        hangs(np.zeros((8, 64), np.float32))
    found = error.value.diagnostics[0]
    assert found.code == "PTO1830"
    assert isinstance(error.value, RuntimeError)
    assert any("MTE2" in note and "MTE3" in note for note in found.notes)
    assert found.span.file.endswith("test_kernel.py")
    assert "sync_dst" in linecache.getline(found.span.file, found.span.line)


def test_a_wrong_kernel_is_a_parser_error_of_the_language_too():
    with pytest.raises(KernelError) as error:
        wrong(np.zeros((8, 64), np.float32))
    assert isinstance(error.value, ParserSyntaxError)
    assert isinstance(error.value, DiagnosticError)
    assert error.value.diagnostics[0].code in str(error.value)
    assert error.value.span.filename.endswith("test_kernel.py")


def test_launches_and_refusals_are_logged(tmp_path, monkeypatch):
    log = tmp_path / "log.jsonl"
    monkeypatch.setenv("PTOPRO_LAUNCH_LOG", str(log))
    x, y = data()
    scale[None, 2](x, y)
    refused(x)
    with pytest.raises(LaunchError):
        scale[None, 0]
    with pytest.raises(SimulatorError):
        hangs(y[:8])
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["kernel"], line["block_dim"], line["result"]) for line in lines] == [
        ("scale", 2, "ok"), ("scale", 1, "PTO1801"), ("scale", 0, "PTO1810"), ("hangs", 1, "PTO1830"),
    ]  # fmt: skip
    assert all(line["file"].endswith("test_kernel.py") and line["seconds"] >= 0 for line in lines)


def test_a_log_that_cannot_be_written_is_said_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PTOPRO_LAUNCH_LOG", str(tmp_path / "none" / "log"))
    with pytest.raises(DiagnosticError) as error:
        scale(*data())
    assert error.value.diagnostics[0].code == "PTO1916"


def test_what_ran_can_be_read(tmp_path, monkeypatch):
    monkeypatch.setenv("PTOPRO_BUILD_DIR", str(tmp_path))
    x, y = data(24)
    static(x, y)
    make_fill(4.5, 8)(np.zeros((8, 64), np.float32))
    folder = tmp_path / "test_kernel" / "static" / "24x64_24x64"
    names = {path.name for path in folder.iterdir()}
    assert {"pipeline_generated.py", "kernel.cpp", "launcher.cpp", "static.so", ".map.json", ".signature.json"} <= names
    assert "mutex_lock" in (folder / "pipeline_generated.py").read_text()
    assert len(list((tmp_path / "test_kernel" / "fill").glob("closure_*/kernel.cpp"))) == 1


PROGRAM = """
    import sys
    import numpy as np
    import ptopro.language as pl

    FACTOR = 2.0

    @pl.jit(auto_mutex=True)
    def double(x: pl.Tensor[[8, 64], pl.DT_FP32], y: pl.Tensor[[8, 64], pl.DT_FP32]):
        tile = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
        ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0])
        with pl.section_vector():
            cur = ub.next()
            pl.load(cur, x, [0, 0])
            pl.mul(cur, cur, FACTOR)
            pl.store(y, cur, [0, 0])

    x = np.ones((8, 64), np.float32)
    y = np.zeros_like(x)
    double(x, y)
    print(y[0, 0], "ptopro.lowering.kernel" in sys.modules, "ptopro.frontend.source" in sys.modules)
"""


def test_a_cached_kernel_is_launched_by_a_new_process_without_translating(tmp_path):
    file = tmp_path / "program.py"

    def run(text):
        file.write_text(textwrap.dedent(text))
        done = subprocess.run(
            [sys.executable, str(file)], capture_output=True, text=True, check=False,
            env={**os.environ, "PTOPRO_BUILD_DIR": str(tmp_path / "build")},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert run(PROGRAM) == ["2.0", "True", "True"]
    assert run(PROGRAM) == ["2.0", "False", "False"]
    assert run(PROGRAM.replace("FACTOR = 2.0", "FACTOR = 3.0")) == ["3.0", "True", "True"]
    assert run(PROGRAM) == ["2.0", "False", "False"]


def test_a_changed_sibling_file_is_noticed(tmp_path, monkeypatch):
    """A helper of another file is part of the kernel."""
    (tmp_path / "helpers_of_test.py").write_text("def factor(k):\n    return k * 2\n")
    program = textwrap.dedent(PROGRAM).replace("import sys", "import sys\nfrom helpers_of_test import factor")
    (tmp_path / "program_of_test.py").write_text(program.replace("cur, FACTOR", "cur, factor(FACTOR)"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def result():
        for name in ("program_of_test", "helpers_of_test"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        linecache.clearcache()
        fingerprints._digest_of_file.cache_clear()
        fingerprints._is_users.cache_clear()
        return importlib.import_module("program_of_test").y[0, 0]

    assert result() == 4.0
    (tmp_path / "helpers_of_test.py").write_text("def factor(k):\n    return k * 20\n")
    assert result() == 40.0
    for name in ("program_of_test", "helpers_of_test"):
        sys.modules.pop(name, None)


def test_a_host_function_decorated_as_a_kernel_stays_python():
    x, y = np.ones((8, 64), np.float32), np.zeros((8, 64), np.float32)

    def launches():
        by_global(x, y)
        return y.sum()

    def works():
        with pl.section_vector():
            pl.printf("works")

    with pytest.warns(UserWarning, match="PTO1028: 'launches' is no kernel"):
        decorated = pl.jit()(launches)
    assert decorated is launches and decorated() == 8 * 64 * SCALE
    assert pl.jit()(works) is not works


def test_variants_are_counted_by_signature():
    x, y = np.ones((16, 64), np.float32), np.zeros((16, 64), np.float32)
    kernel = pl.jit(scale.function)
    for rows in (16, 8):
        kernel(x[:rows], y[:rows])
    assert len(kernel._compiled_by_signature) == 1
    kernel._compiled_by_signature.clear()
    kernel._kernel_def_by_static_signature.clear()
    kernel(x, y)
    assert len(kernel._compiled_by_signature) == 1


def test_of_two_decorators_the_outer_options_count():
    kernel = pl.jit(name="outer")(pl.jit(name="inner", auto_mutex=True)(scale.function))
    assert kernel.name == "outer" and kernel.options["auto_mutex"] is True and kernel.function is scale.function
