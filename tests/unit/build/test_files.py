"""Writing files: equal ones stay untouched, failures leave nothing half-written and say why."""

import os
import signal
import subprocess
import sys

import pytest

from ptopro.build.files import write_if_changed
from ptopro.diagnostics import DiagnosticError


def code_of(error):
    return error.value.diagnostics[0].code


def test_a_new_file_is_written_with_its_folders(tmp_path):
    path = tmp_path / "a" / "b" / "file.txt"
    assert write_if_changed(path, "text\n")
    assert path.read_text() == "text\n"


def test_an_equal_file_keeps_its_time(tmp_path):
    path = tmp_path / "file.txt"
    write_if_changed(path, "text")
    os.utime(path, (1, 1))
    assert not write_if_changed(path, "text")
    assert path.stat().st_mtime == 1


def test_a_changed_file_is_replaced_whole(tmp_path):
    path = tmp_path / "file.txt"
    write_if_changed(path, "long text")
    assert write_if_changed(path, "short")
    assert path.read_text() == "short"
    assert [p.name for p in tmp_path.iterdir()] == ["file.txt"]


def test_files_get_the_usual_permissions(tmp_path):
    path = tmp_path / "file.txt"
    write_if_changed(path, "text")
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_full_disk_keeps_the_old_file_and_leaves_no_other(tmp_path):
    """A file size limit fails like a full disk does: in the middle of a write."""
    path = tmp_path / "file.txt"
    write_if_changed(path, "old")
    program = (
        "import resource, sys\n"
        "from ptopro.build.files import write_if_changed\n"
        "from ptopro.diagnostics import DiagnosticError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n    write_if_changed(sys.argv[1], 'x' * 100_000)\n"
        "except DiagnosticError as error:\n    print(error.diagnostics[0].code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert done.stdout == "PTO1902\n", done.stderr
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["file.txt"]


@pytest.mark.parametrize("number", [28, 122, 27])  # ENOSPC, EDQUOT, EFBIG
def test_no_room_is_told_from_no_permission(tmp_path, monkeypatch, number):
    def fail(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("ptopro.build.files.replace_with", fail)
    with pytest.raises(DiagnosticError) as error:
        write_if_changed(tmp_path / "file.txt", "text")
    assert code_of(error) == "PTO1902"


def test_a_file_in_place_of_a_folder(tmp_path):
    (tmp_path / "build").write_text("")
    with pytest.raises(DiagnosticError) as error:
        write_if_changed(tmp_path / "build" / "file.txt", "text")
    assert code_of(error) == "PTO1903"
    assert "build" in error.value.diagnostics[0].message


def test_a_folder_in_place_of_a_file(tmp_path):
    (tmp_path / "file.txt").mkdir()
    with pytest.raises(DiagnosticError) as error:
        write_if_changed(tmp_path / "file.txt", "text")
    assert code_of(error) == "PTO1903"
    assert [p.name for p in tmp_path.iterdir()] == ["file.txt"]


def test_sigxfsz_does_not_end_the_process():
    """Python ignores the signal of the file size limit, which the full-disk test relies on."""
    assert signal.getsignal(signal.SIGXFSZ) == signal.SIG_IGN
