"""`ptopro run`: programs see what they see under Python, and kernels' diagnostics are shown as such."""

import json
import os
import subprocess
import sys
import textwrap

import pytest
from conftest import PROGRAM


@pytest.fixture
def run(folder):
    """`ptopro run` in a process of its own, since it changes sys.argv, sys.path and `__main__`."""

    def run(*arguments, env=None, **files):
        for name, text in files.items():
            (folder / f"{name}.py").write_text(textwrap.dedent(text))
        return subprocess.run(
            [sys.executable, "-m", "ptopro", "run", *arguments],
            cwd=folder, env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def test_a_program_with_a_kernel(run):
    done = run("program.py", "a", "--flag", program=PROGRAM)
    assert (done.returncode, done.stdout, done.stderr) == (0, "sum 2048.0 a --flag\n", "")


def test_a_program_written_for_the_device(run):
    done = run("program.py", program=PROGRAM.replace("ptopro.language", "pypto_pro.language"))
    assert done.stdout == "sum 2048.0\n", done.stderr


def test_the_program_sees_what_it_sees_under_python(run, folder):
    text = """
        import sys, pickle
        class Thing: pass
        print(__name__, sys.argv, sys.path[0], __file__, sys.modules["__main__"].Thing is Thing)
        pickle.loads(pickle.dumps(Thing()))
    """
    done = run("program.py", "1", program=text)
    here = str(folder.resolve())
    assert done.stdout == f"__main__ ['program.py', '1'] {here} {here}/program.py True\n", done.stderr


def test_a_module(run, folder):
    done = run("-m", "tool", "x", tool="import sys; print(__name__, sys.argv[1:], sys.path[0])")
    assert done.stdout == f"__main__ ['x'] {folder.resolve()}\n", done.stderr


def test_pytest_as_a_module(run):
    test = """
        import numpy as np
        import pypto
        import pytest
        import pypto_pro.language as pl
        from pypto_pro.language.parser.diagnostics._exceptions import ParserSyntaxError

        @pl.jit()
        def wrong(x: pl.Tensor[[8], pl.DT_FP32]):
            with pl.section_vector():
                pl.no_such_thing(x)

        @pypto.options(pass_options={"enable_slice": False})
        def test_refusal():
            with pytest.raises(ParserSyntaxError):
                wrong(np.zeros(8, np.float32))
    """
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py", test_it=test)
    assert "1 passed" in done.stdout, done.stdout


@pytest.mark.parametrize(("code", "status"), [("3", 3), ("None", 0), ("'bad'", 1), ("True", 1)])
def test_exit_codes_are_the_programs(run, code, status):
    done = run("program.py", program=f"import sys; sys.exit({code})")
    assert done.returncode == status
    assert done.stderr == ("bad\n" if code == "'bad'" else "")


def test_an_exception_of_the_program_keeps_its_traceback(run):
    done = run("program.py", program="def f():\n    return 1 / 0\n\nf()\n")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert [line.split('"')[1].rsplit("/", 1)[1] for line in lines if line.startswith("  File")] == ["program.py"] * 2


def test_a_syntax_error_of_the_program(run):
    done = run("program.py", program="def f(:\n")
    assert done.returncode == 1
    assert "SyntaxError" in done.stderr and "Traceback" not in done.stderr


def test_a_refused_launch_is_a_diagnostic_without_a_traceback(run):
    done = run("program.py", program=PROGRAM.replace("double[None, 2](x, y)", "double[None, 2](x, y[:, :32])"))
    assert done.returncode == 1
    assert done.stderr.startswith("error[PTO1806]: kernel `double`: argument `y` must have extent 64")
    assert "program.py:25" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_traceback_is_there_when_asked_for(run):
    done = run("--traceback", "program.py", program=PROGRAM.replace("(x, y)", "(x, 3)"))
    assert "Traceback" in done.stderr and "PTO1803" in done.stderr


def test_a_wrong_kernel_points_into_the_file(run):
    done = run("program.py", program=PROGRAM.replace("pl.mul(cur, cur, 2.0)", "pl.mull(cur, cur, 2.0)"))
    assert done.returncode == 1
    assert "--> program.py:14:" in done.stderr
    assert "pl.mull(cur, cur, 2.0)" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_deadlock_ends_with_code_4_and_who_waits(run):
    wait = "pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=1)\n            pl.mul("
    done = run("program.py", program=PROGRAM.replace("pl.mul(", wait, 1))
    assert done.returncode == 4
    assert "error[PTO1830]" in done.stderr
    assert "waits for" in done.stderr
    assert "program.py:14" in done.stderr


def test_diagnostics_as_json_lines(run):
    done = run("--json", "program.py", program=PROGRAM.replace("(x, y)", "(x)"))
    assert json.loads(done.stderr)["code"] == "PTO1801"


def test_the_launch_log(run, folder):
    run("program.py", program=PROGRAM, env={"PTOPRO_LAUNCH_LOG": str(folder / "log")})
    line = json.loads((folder / "log").read_text())
    assert (line["kernel"], line["block_dim"], line["result"]) == ("double", 2, "ok")


def test_the_build_dir_holds_what_ran(run, folder):
    run("-o", "out", "program.py", program=PROGRAM)
    assert (folder / "out/program/double/double.so").exists()


def test_flags_of_the_machine(run):
    done = run("--mode", "serial", "--threads", "1", "--schedule", "random:3", "program.py", program=PROGRAM)
    assert done.stdout == "sum 2048.0\n", done.stderr
    assert "PTO1913" in run("--schedule", "other", "program.py", program=PROGRAM).stderr


def test_what_is_not_there(run):
    missing = run("nothing.py")
    assert (missing.returncode, missing.stderr[:14]) == (1, "error[PTO1901]")
    assert "PTO1910" in run("-m", "no_such_module").stderr
    assert run().returncode == 2


def test_without_torch_everything_else_works(run):
    """A program that imports torch gets Python's own error; one that does not, runs."""
    hide = "import sys\nsys.modules['torch'] = None\n"
    done = run("program.py", program=hide + PROGRAM.replace("ptopro.language", "pypto_pro.language"))
    assert done.stdout == "sum 2048.0\n", done.stderr
    done = run("other.py", other=hide + "import torch_npu\n")
    assert done.returncode == 1
    assert "ModuleNotFoundError" in done.stderr or "ImportError" in done.stderr


def test_an_interrupt_ends_with_130(run):
    done = run("program.py", program="raise KeyboardInterrupt\n")
    assert done.returncode == 130
    assert "Traceback" not in done.stderr


def test_an_internal_error_under_run_is_short_and_code_5(run):
    """A defect of ptopro inside a launch is not shown as the program's."""
    broken = "import ptopro.runtime.arguments as a\na.lay_out = None\n" + PROGRAM
    done = run("program.py", program=broken)
    assert done.returncode == 5
    assert done.stderr.startswith("ptopro: internal error: TypeError")
    assert "Traceback" not in done.stderr
    assert "Traceback" in run("--traceback", "program.py", program=broken).stderr
