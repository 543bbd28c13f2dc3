"""`ptopro codegen`: the C++ beside the Python it corresponds to."""

FOLDER = "build/kernel/double"


def test_files_of_a_kernel(ptopro, folder):
    result = ptopro("codegen", "kernel.py")
    assert result.code == 0
    assert result.out.splitlines() == [
        f"{FOLDER}/{name}" for name in ("pipeline_generated.py", "kernel.cpp", "launcher.cpp")
    ]
    text = (folder / FOLDER / "kernel.cpp").read_text()
    assert "#include <pto/pto-inst.hpp>" in text
    assert "kernel.py:" in text
    assert "#line" not in text
    assert (folder / FOLDER / ".signature.json").exists()


def test_expand_then_codegen_agree(ptopro, folder):
    """Codegen of the expanded file gives the same C++ code as codegen of the kernel."""
    direct = ptopro("codegen", "kernel.py", "--stdout").out
    ptopro("expand", "kernel.py")
    expanded = ptopro("codegen", f"{FOLDER}/pipeline_generated.py", "--stdout").out

    def code(text):
        return [line.split("//")[0].rstrip() for line in text.splitlines()]

    assert code(expanded) == code(direct)


def test_results_do_not_depend_on_the_folder(ptopro, folder, monkeypatch):
    ptopro("codegen", "kernel.py")
    here = (folder / FOLDER / "kernel.cpp").read_bytes()
    other = folder / "other"
    other.mkdir()
    (other / "kernel.py").write_bytes((folder / "kernel.py").read_bytes())
    monkeypatch.chdir(other)
    ptopro("codegen", "kernel.py")
    assert (other / FOLDER / "kernel.cpp").read_bytes() == here


def test_check(ptopro, folder):
    ptopro("codegen", "kernel.py")
    assert ptopro("codegen", "kernel.py", "--check").code == 0
    (folder / FOLDER / "kernel.cpp").write_text("edited")
    result = ptopro("codegen", "kernel.py", "--check", "--message-format=short")
    assert result.code == 1
    assert "kernel.cpp" in result.err and "PTO1908" in result.err


def test_depfile(ptopro, folder):
    ptopro("codegen", "kernel.py", "-M", "-q")
    assert (folder / FOLDER / "double.d").read_text() == f"{FOLDER}/kernel.cpp: kernel.py\n"
