"""Building a kernel for the simulator and launching it, with a kernel written by hand."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from handmade import Handmade, edited

from ptopro.build import ninja, simulator
from ptopro.build.line_directives import with_line_directives
from ptopro.diagnostics import DiagnosticError
from ptopro.simulator import abi
from ptopro.simulator.machine import LaunchOptions, Tensor, diagnostics_of, launch, load

HERE = str(Path(__file__).parent)


def run(library, x, y, k=3.0, rows=None, cores=4, options=None):
    """Launch the hand-written kernel."""
    storage = [
        ctypes.c_void_p(x.ctypes.data),
        ctypes.c_void_p(y.ctypes.data),
        ctypes.c_float(k),
        ctypes.c_int64(len(x) if rows is None else rows),
    ]
    args = (ctypes.c_void_p * 4)(*[ctypes.addressof(each) for each in storage])
    tensors = [Tensor(x.ctypes.data, x.nbytes, "x", False), Tensor(y.ctypes.data, y.nbytes, "y", True)]
    return launch(library, "ptopro_launch_scale", cores, args, tensors, options or LaunchOptions())


def arrays():
    x = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
    return x, np.zeros_like(x)


def test_a_built_kernel_computes(tmp_path):
    library = simulator.build_kernel(Handmade(), tmp_path)
    assert library == tmp_path / "scale.so"
    assert (tmp_path / "kernel.cpp").read_text() == Handmade().files["kernel.cpp"]
    x, y = arrays()
    report = run(library, x, y)
    assert report.code == "ok"
    np.testing.assert_array_equal(y, 3 * x)
    assert report.cycles > 0
    assert report.busy["V"] > 0
    assert report.busy["M"] == 0


def test_the_second_build_does_not_compile(tmp_path, monkeypatch):
    simulator.build_kernel(Handmade(), tmp_path / "one")
    monkeypatch.setattr(simulator.subprocess, "run", lambda *a, **k: pytest.fail("compiled again"))
    assert simulator.build_kernel(Handmade(), tmp_path / "two").exists()


def test_an_equal_library_is_not_written_again(tmp_path):
    library = simulator.build_kernel(Handmade(), tmp_path)
    os.utime(library, (1, 1))
    simulator.build_kernel(Handmade(), tmp_path)
    assert library.stat().st_mtime == 1


def test_another_text_is_another_kernel(tmp_path):
    library = simulator.build_kernel(edited("TMULS(tile, tile, k)", "TADDS(tile, tile, k)"), tmp_path)
    x, y = arrays()
    run(library, x, y)
    np.testing.assert_array_equal(y, x + 3)


def test_a_compiler_error_points_to_the_kernel_file(tmp_path):
    broken = edited("TLOAD(tile, xv);", "TLOAD(tile, xv;")
    with pytest.raises(DiagnosticError) as error:
        simulator.build_kernel(broken, tmp_path, line_map=[(13, ("kernel.py", 20)), (14, ("kernel.py", 21))])
    found = error.value.diagnostics[0]
    assert found.code == "PTO1710"
    assert (found.span.file, found.span.line) == ("kernel.py", 20)
    assert "kernel.py:20" in (tmp_path / "compiler.log").read_text()
    assert not (tmp_path / "scale.so").exists()


def test_a_compile_that_takes_too_long_is_stopped(tmp_path):
    with pytest.raises(DiagnosticError) as error:
        simulator.build_kernel(edited("k);\n    rls", "k + 0.5f);\n    rls"), tmp_path, timeout=0.01)
    assert error.value.diagnostics[0].code == "PTO1713"


def test_a_killed_build_is_repeated(tmp_path):
    """SIGKILL in the middle of a compile: no entry, no library, and the next build succeeds."""
    salt = f"k + {time.time_ns() % 1000}.0f"
    program = (
        f"import sys; sys.path.insert(0, {HERE!r})\n"
        "from pathlib import Path\nfrom handmade import edited\nfrom ptopro.build import simulator\n"
        "real = simulator.subprocess.run\n"
        "def slow(command, **options):\n"
        "    if '-shared' in command:\n"
        "        Path(options['cwd'], '..', 'scale.so').write_text('half a library')\n"
        "        print('compiling', flush=True)\n        import time; time.sleep(60)\n"
        "    return real(command, **options)\n"
        "simulator.subprocess.run = slow\n"
        f"simulator.build_kernel(edited('tile, k)', 'tile, {salt})'), Path({str(tmp_path)!r}))\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "compiling\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert not (tmp_path / "scale.so").exists()
    library = simulator.build_kernel(edited("tile, k)", f"tile, {salt})"), tmp_path)
    x, y = arrays()
    assert run(library, x, y).code == "ok"


def test_without_a_compiler_the_build_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("CXX", "/nowhere/g++")
    with pytest.raises(DiagnosticError) as error:
        simulator.build_kernel(Handmade(), tmp_path)
    assert error.value.diagnostics[0].code == "PTO1702"


def test_a_failing_runtime_build_names_its_log(tmp_path, monkeypatch):
    """The library's compiler fails: its own code, the log kept, nothing in the cache."""
    monkeypatch.setenv("PTOPRO_CACHE_DIR", str(tmp_path / "cache"))
    fake = tmp_path / "g++"
    fake.write_text(
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'g++ (x) 12.2.0'; exit 0; }\necho 'a.cpp:1:2: error: bad' >&2\nexit 1\n"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("CXX", str(fake))
    with pytest.raises(DiagnosticError) as error:
        simulator.runtime_library()
    found = error.value.diagnostics[0]
    assert found.code == "PTO1711"
    assert "bad" in found.message
    assert list((tmp_path / "cache" / "logs").glob("runtime-*.log"))
    assert not [p for p in (tmp_path / "cache" / "runtime").iterdir() if p.is_dir()]


def test_without_ninja_the_build_says_so(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setitem(sys.modules, "ninja", None)
    monkeypatch.setattr(ninja.shutil, "which", lambda name: None)
    with pytest.raises(DiagnosticError) as error:
        ninja.program()
    assert error.value.diagnostics[0].code == "PTO1712"


def test_a_file_that_is_no_library_is_refused(tmp_path):
    fake = tmp_path / "fake.so"
    fake.write_text("text")
    with pytest.raises(DiagnosticError) as error:
        load(fake)
    assert error.value.diagnostics[0].code == "PTO1714"


def test_a_missing_entry_is_refused(tmp_path):
    library = simulator.build_kernel(Handmade(), tmp_path)
    with pytest.raises(DiagnosticError) as error:
        launch(library, "ptopro_launch_other", 1, (ctypes.c_void_p * 1)(), [], LaunchOptions())
    assert error.value.diagnostics[0].code == "PTO1714"


def test_structs_have_the_sizes_of_the_header(tmp_path):
    loaded = load(simulator.build_kernel(Handmade(), tmp_path))
    sizes = (ctypes.c_uint64 * len(abi.sizes()))()
    loaded.ptopro_sim_sizes(sizes)
    assert tuple(sizes) == abi.sizes()


def test_an_access_out_of_bounds_ends_the_run_at_its_line(tmp_path):
    library = simulator.build_kernel(Handmade(), tmp_path, line_map=[(13, ("kernel.py", 20))])
    x, y = arrays()
    report = run(library, x, y, rows=128)
    assert report.code == "out_of_bounds"
    found = diagnostics_of("scale", report)[0]
    assert found.code == "PTO1831"
    assert (found.span.file, found.span.line) == ("kernel.py", 20)
    assert "x" in found.message


def test_a_write_to_a_read_only_tensor_is_found(tmp_path):
    """TSTORE to x, which the launch calls read-only."""
    library = simulator.build_kernel(edited("TSTORE(yv, tile)", "TSTORE(xv, tile)"), tmp_path)
    x, y = arrays()
    before = x.copy()
    assert run(library, x, y).code == "out_of_bounds"
    np.testing.assert_array_equal(x, before)


def test_a_deadlock_is_reported_with_who_waits(tmp_path):
    library = simulator.build_kernel(
        edited("get_buf(PIPE_V, 0, 0);", "wait_flag(PIPE_MTE2, PIPE_V, 3); get_buf(PIPE_V, 0, 0);"), tmp_path
    )
    x, y = arrays()
    report = run(library, x, y)
    assert report.code == "deadlock"
    found = diagnostics_of("scale", report)[0]
    assert found.code == "PTO1830"
    assert any("MTE2" in note and "V" in note for note in found.notes)


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PTOPRO_MODE", "slow"), ("PTOPRO_SCHEDULE", "other"), ("PTOPRO_THREADS", "many"), ("PTOPRO_VISIBILITY", "x")],
)
def test_options_of_the_environment_are_checked(variable, value):
    with pytest.raises(DiagnosticError) as error:
        LaunchOptions.from_environment("a5", {variable: value})
    assert error.value.diagnostics[0].code == "PTO1913"


def test_options_come_from_the_environment():
    found = LaunchOptions.from_environment("a3", {"PTOPRO_SERIAL": "1", "PTOPRO_SCHEDULE": "random:7"})
    assert (found.chip, found.mode, found.schedule, found.seed) == ("a3", "serial", "random", 7)


def test_line_directives_stand_where_the_origin_changes():
    text = "a\nb\nc\nd\n"
    lines = [(2, ("k.py", 10)), (3, ("k.py", 11)), (4, ("k.py", 20))]
    assert with_line_directives(text, lines) == 'a\n#line 10 "k.py"\nb\nc\n#line 20 "k.py"\nd\n'


def test_an_interrupt_ends_a_running_launch(tmp_path):
    """Ctrl-C while the machine runs: KeyboardInterrupt, not a hang."""
    endless = edited("rows / 8; i += get_block_num()", "rows / 8; i += 0 * get_block_num()")
    library = simulator.build_kernel(endless, tmp_path)
    program = (
        f"import sys; sys.path.insert(0, {HERE!r})\n"
        "from test_simulator import arrays, run\nfrom pathlib import Path\n"
        "print('running', flush=True)\n"
        "try:\n"
        f"    run(Path({str(library)!r}), *arrays())\n"
        "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "running\n"
    time.sleep(1.0)
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n"
    child.stdout.close()
    assert child.wait(30) == 0
