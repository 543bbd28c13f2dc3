"""The command line itself: bad input, formats, settings, exit codes, the small commands."""

import json
import os
import resource
import subprocess
import sys

import pytest
from conftest import KERNEL

from ptopro.cli import main as main_module
from ptopro.cli.output import wants_color
from ptopro.cli.settings import SETTINGS


def process(folder, *arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "ptopro", *arguments],
        cwd=folder, capture_output=True, text=True, check=False, env={**os.environ}, **options,
    )  # fmt: skip


@pytest.mark.parametrize("command", ["", *main_module.COMMANDS])
def test_every_command_has_help(ptopro, command):
    result = ptopro(*command.split(), "--help")
    assert (result.code, result.err) == (0, "")
    assert "Usage: ptopro" in result.out


def test_the_package_and_the_program_are_the_same(folder):
    done = process(folder, "--version")
    program = subprocess.run(
        [os.path.join(os.path.dirname(sys.executable), "ptopro"), "--version"],  # noqa: PTH118, PTH120
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == program.stdout
    assert done.stdout.startswith("ptopro ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["exapnd"], "did you mean expand?"),
        (["expand"], "Missing argument"),
        (["expand", "kernel.py", "--no-such"], "No such option"),
        (["expand", "kernel.py", "--arch", "a9"], "a9"),
        (["ops", "lod"], "did you mean load?"),
        (["ops", "--group", "none"], "groups:"),
    ],
)
def test_wrong_usage_is_code_2(ptopro, arguments, words):
    result = ptopro(*arguments)
    assert result.code == 2
    assert words in result.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["expand", "kernl.py"], "PTO1901"),
        (["codegen", "no/such/file.py"], "PTO1901"),
        (["expand", "."], "PTO1904"),
        (["build", "kernel.py", "--kernel", "doubel"], "PTO1905"),
        (["expand", "empty.py"], "PTO1906"),
        (["expand", "kernel.py", "copy/kernel.py"], "PTO1907"),
        (["expand", "kernel.py", "-o", "file"], "PTO1903"),
        (["explain", "PTO9999"], "PTO1912"),
        (["new", "kernel.py"], "PTO1911"),
    ],
)
def test_bad_input_has_its_code(ptopro, folder, arguments, code):
    (folder / "empty.py").write_text("x = 1\n")
    (folder / "file").write_text("")
    (folder / "copy").mkdir()
    (folder / "copy" / "kernel.py").write_text(KERNEL)
    result = ptopro(*arguments)
    assert result.code == 1
    assert f"error[{code}]" in result.err
    assert "Traceback" not in result.err


def test_near_names_are_offered(ptopro):
    assert "did you mean kernel.py?" in ptopro("expand", "kernl.py").err
    assert "did you mean double?" in ptopro("expand", "kernel.py", "--kernel", "doubel").err


def test_one_bad_file_does_not_stop_the_others(ptopro, folder):
    result = ptopro("expand", "none.py", "kernel.py")
    assert result.code == 1
    assert (folder / "build/kernel/double/pipeline_generated.py").exists()


def test_a_full_disk_is_a_diagnostic_and_leaves_nothing(folder):
    """A file size limit of 64 bytes: every result is longer."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    done = process(folder, "codegen", "kernel.py", preexec_fn=limit)
    assert done.returncode == 1
    assert "error[PTO1902]" in done.stderr
    assert [path for path in (folder / "build").rglob("*") if path.is_file()] == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_build_dir_that_may_not_be_written(ptopro, folder):
    (folder / "locked").mkdir(mode=0o500)
    assert "PTO1903" in ptopro("expand", "kernel.py", "-o", "locked").err


BROKEN = KERNEL.replace("pl.mul(cur, cur, 2.0)", "pl.mull(cur, cur, 2.0)")


def test_message_formats(ptopro, folder):
    (folder / "broken.py").write_text(BROKEN)
    text = ptopro("expand", "broken.py")
    assert text.code == 1 and text.err.startswith("error[PTO")
    short = ptopro("expand", "broken.py", "--message-format=short").err
    assert short.startswith("broken.py:14:") and ": error: " in short
    record = json.loads(ptopro("expand", "broken.py", "--json").out.splitlines()[0])
    assert record["code"] in text.err
    log = json.loads(ptopro("expand", "broken.py", "--message-format=sarif").out)
    assert log["version"] == "2.1.0"
    assert ptopro("expand", "broken.py", "--message-format=github").out.startswith("::error ")


def test_sarif_of_a_clean_run_is_an_empty_log(ptopro):
    log = json.loads(ptopro("expand", "kernel.py", "--message-format=sarif").out)
    assert log["runs"][0]["results"] == []


def test_results_on_standard_output_are_not_mixed_with_messages(ptopro, folder):
    (folder / "broken.py").write_text(BROKEN)
    result = ptopro("expand", "broken.py", "--stdout", "--json")
    assert result.out == ""
    assert json.loads(result.err.splitlines()[0])["severity"] == "error"


@pytest.mark.parametrize(
    ("environment", "terminal", "color"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colors(environment, terminal, color):
    class Stream:
        def isatty(self):
            return terminal

    assert wants_color(Stream(), environment) is color


def test_settings_come_from_pyproject_then_environment_then_flags(ptopro, folder, monkeypatch):
    (folder / "pyproject.toml").write_text('[tool.ptopro]\nbuild-dir = "out"\nquiet = true\n')
    assert ptopro("expand", "kernel.py").out == ""
    assert (folder / "out/kernel/double").is_dir()
    monkeypatch.setenv("PTOPRO_BUILD_DIR", "env")
    ptopro("expand", "kernel.py")
    assert (folder / "env/kernel/double").is_dir()
    ptopro("expand", "kernel.py", "-o", "flag")
    assert (folder / "flag/kernel/double").is_dir()
    shown = json.loads(ptopro("config", "--json").out)
    assert shown["build-dir"] == {"value": "env", "origin": "PTOPRO_BUILD_DIR"}
    assert shown["quiet"]["origin"].endswith("pyproject.toml")
    assert set(shown) == {setting.name for setting in SETTINGS}
    assert "PTOPRO_BUILD_DIR" in ptopro("config", "--show").out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('build-dri = "x"', "did you mean `build-dir`?"),
        ("build-dir = 3", "must be a string"),
        ('quiet = "yes"', "must be true or false"),
        ('arch = "a9"', "one of a5, a3, a2"),
        ("arch = ", "Invalid value"),
    ],
)
def test_settings_that_are_not_understood(ptopro, folder, line, words):
    (folder / "pyproject.toml").write_text(f"[tool.ptopro]\n{line}\n")
    result = ptopro("expand", "kernel.py")
    assert result.code == 1
    assert "PTO1909" in result.err and words in result.err


def test_an_internal_error_is_short_unless_the_trace_is_asked_for(ptopro, monkeypatch):
    def fail(*arguments):
        raise RuntimeError("surprise")

    monkeypatch.setattr("ptopro.cli.expand.expansions", fail)
    result = ptopro("expand", "kernel.py")
    assert result.code == 5
    assert result.err.startswith("ptopro: internal error: RuntimeError: surprise")
    assert "Traceback" not in result.err
    assert "Traceback" in ptopro("expand", "kernel.py", "--traceback").err


def test_an_interrupt_is_code_130(ptopro, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("ptopro.cli.expand.expansions", interrupt)
    assert ptopro("expand", "kernel.py").code == 130


def test_a_reader_that_goes_away_is_no_error(folder):
    done = subprocess.run(
        f"{sys.executable} -m ptopro explain | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert done.stdout.startswith("PTO1")
    assert done.stderr == ""


def test_explain(ptopro):
    result = ptopro("explain", "1808", "PTO1901")
    assert result.code == 0
    assert "PTO1808: output is read-only" in result.out and "Wrong:" in result.out
    assert "PTO1901" in result.out
    assert len(ptopro("explain").out.splitlines()) > 100


def test_ops(ptopro):
    assert "pl.load(dst_tile, src_tensor, offsets" in ptopro("ops", "load").out
    assert "matmul" in ptopro("ops").out
    shown = ptopro("ops", "add", "pl.printf").out
    assert "        pl.add(out, lhs, rhs)" in shown and "@pl.jit(auto_mutex=True)" in shown and "@printf" not in shown


def test_new_writes_a_program_that_works(folder):
    assert process(folder, "new", "scale").stdout == "scale.py\n"
    done = process(folder, "run", "scale.py")
    assert (done.returncode, done.stdout) == (0, "scale: ok\n"), done.stderr
    assert process(folder, "build", "scale.py", "-q").returncode == 0
    assert process(folder, "new", "scale.py", "--force").returncode == 0


def test_clean_removes_what_was_generated_and_nothing_else(ptopro, folder):
    ptopro("codegen", "kernel.py")
    (folder / "build" / "mine").mkdir()
    (folder / "build" / "mine" / "notes.txt").write_text("mine")
    (folder / "build" / "kernel" / "notes").mkdir()
    result = ptopro("clean")
    assert result.out == "build/kernel/double\n"
    assert (folder / "build" / "mine" / "notes.txt").exists()
    assert not (folder / "build" / "kernel" / "double").exists()
    ptopro("codegen", "kernel.py", "-q", "-o", "other")
    ptopro("clean", "-o", "other", "-q")
    assert not (folder / "other").exists()


def test_help_imports_little(folder):
    """`--help` must be fast: it loads neither the stages nor numpy."""
    program = (
        "import sys; from ptopro.cli.main import main; main(['--help'])\n"
        "print([name for name in ('numpy', 'rich', 'jinja2', 'libcst', 'ptopro.frontend.source', 'ptopro.cli.expand')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_expand_imports_no_more_than_it_needs(folder):
    program = (
        "import sys; from ptopro.cli.main import main; main(['expand', 'kernel.py', '-q'])\n"
        "print([name for name in ('numpy', 'rich', 'jinja2', 'libcst', 'ptopro.codegen.kernel') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=folder)
    assert done.stdout.splitlines()[-1] == "[]"
