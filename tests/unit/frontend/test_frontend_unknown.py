"""What the evaluator cannot know is unknown, says why and where, and is an error only where it is needed."""

from __future__ import annotations

import pytest
from frontend_files import HEADER, KERNEL, clean, diagnostics, evaluate, kernel_with, load, refusal

from ptopro.frontend.evaluator import not_constant_diagnostic
from ptopro.frontend.values import Opaque


def test_an_unknown_value_remembers_the_line_that_made_it_unknown():
    kernel = kernel_with("import torch\ncount = torch.cuda.device_count()\nrows = count * 16\n")
    error = refusal(kernel, "rows + 1")
    assert error.origin is not None and error.origin.line == 2
    assert "the import of 'torch'" in error.reason
    diagnostic = not_constant_diagnostic(error, "the tile's shape")
    assert diagnostic.code == "PTO1102"
    assert diagnostic.message.startswith("the tile's shape is not known at compile time")
    assert diagnostic.labels[0].span.line == 2


def test_the_environment_is_unknown_but_no_error():
    kernel = kernel_with("import sys\nn = int(sys.argv[1])\nm = 4\n")
    assert evaluate(kernel, "m") == 4
    assert "import of 'sys'" in refusal(kernel, "n").reason


def test_failures_that_no_kernel_needs_are_no_errors():
    module = clean(HEADER + "a = 1 // 0\nb = [1][5]\nc = undefined + 1\nd = a + 1\ne = 2\n" + KERNEL)
    assert module.value("e") == 2
    assert [k.name for k in module.kernels] == ["k"]
    assert "ZeroDivisionError" in module.value("d").reason


@pytest.mark.parametrize(
    ("expression", "known"),
    [
        ("[torch.x, 3][1]", 3),
        ("{'a': torch.x, 'b': 2}['b']", 2),
        ("len([torch.x, torch.y])", 2),
        ("False and torch.x", False),
        ("1 or torch.x", 1),
        ("(lambda a, b: b)(torch.x, 5)", 5),
    ],
)
def test_unknown_parts_do_not_spoil_known_ones(expression, known):
    assert evaluate(kernel_with("import torch"), expression) == known


@pytest.mark.parametrize(
    "expression",
    [
        "torch.x + 1", "1 == torch.x", "max(1, torch.x)", "sum([1, torch.x])", "f'{torch.x}'", "not torch.x",
        "3 in [torch.x]", "[1, 2] == [1, torch.x]", "str([torch.x])", "sorted([2, torch.x])", "range(torch.x)",
        "{torch.x: 1}", "torch.x if torch.y else 2", "[i for i in torch.x]", "isinstance(torch.x, int)",
    ],
)  # fmt: skip
def test_operations_on_unknown_values_are_unknown(expression):
    assert "import of 'torch'" in refusal(kernel_with("import torch"), expression).reason


def test_both_arms_of_an_unknown_condition_make_their_names_unknown():
    kernel = kernel_with(
        "import torch\na = b = 1\nl = [1]\nif torch.on:\n    a = 2\n    l.append(3)\nelse:\n    c = 1\n"
    )
    assert evaluate(kernel, "b") == 1
    for name in ("a", "c", "l[0]"):
        assert "import of 'torch'" in refusal(kernel, name).reason


def test_kernels_and_helpers_under_an_unknown_condition_are_found():
    text = HEADER + "import torch\nif torch.npu.is_available():\n    def helper(n):\n        return n + 1\n"
    text += "".join(f"    {line}\n" for line in KERNEL.strip().splitlines())
    module = clean(text)
    assert evaluate(module.kernel("k"), "helper(1)") == 2


def test_a_name_that_only_an_unlikely_handler_changes():
    kernel = kernel_with(
        """
        try:
            import torch
            HAS = True
            import pypto_pro.language as q
        except ImportError:
            HAS = False
            q = None
        """
    )
    assert "whether the try block raises" in refusal(kernel, "HAS").reason
    assert evaluate(kernel, "q.DT_FP16").name == "DT_FP16"


def test_loops_over_unknown_values():
    kernel = kernel_with("import torch\nn = 0\nfor i in torch.things:\n    n += 1\nwhile torch.go:\n    m = 1\n")
    assert "torch" in refusal(kernel, "n").reason and "torch" in refusal(kernel, "m").reason


def test_a_function_that_may_return_early_gives_nothing_known():
    kernel = kernel_with("import torch\ndef f():\n    if torch.on:\n        return 1\n    return 2\nx = f()\n")
    assert "torch" in refusal(kernel, "x").reason


def test_the_main_guard_is_not_taken():
    assert clean("x = 1\nif __name__ == '__main__':\n    x = 2\n").value("x") == 1


def test_an_undefined_name_gets_a_suggestion():
    kernel = kernel_with("TILE_ROWS = 3\n")
    error = refusal(kernel, "TILE_ROW + 1")
    assert error.diagnostic is not None and error.diagnostic.code == "PTO1101"
    assert error.diagnostic.help == "did you mean 'TILE_ROWS'?"


def test_checks_of_the_file_that_are_certain_to_fail():
    found = diagnostics(
        "M = 100\nassert M % 16 == 0, 'multiple of 16'\nassert M > 0\nif M > 64:\n    raise ValueError(M)\n"
    )
    assert [(d.code, d.span.line) for d in found] == [("PTO1110", 2), ("PTO1110", 5)]
    assert "multiple of 16" in found[0].message


def test_checks_that_depend_on_unknown_values_are_ignored():
    _, codes = load("import torch\nassert torch.ok\nif torch.bad:\n    raise SystemExit\n")
    assert codes == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("T = pl.TileType(shape=[16, 16], dtype=pl.DT_FP16, memory=pl.MemorySpace.Mat)", "PTO1106"),
        ("T = pl.TileType(shape=[16], dtype=pl.DT_FP16)", "PTO1246"),
        ("T = pl.TileType(shape=[16, 16], dtype=pl.DT_FP23)", "PTO1104"),
        ("T = pl.TileType(shape=[16, 16], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.UB)", "PTO1105"),
        ("T = pl.pipeline.PipelineConfig(preload=-1)", "PTO1243"),
        ("class C:\n    A = 1\nT = C.B", "PTO1108"),
    ],
)
def test_wrong_uses_of_the_language_are_shown_where_a_kernel_needs_them(text, code):
    module, codes = load(HEADER + text + KERNEL)
    assert codes == []
    error = refusal(module.kernel("k"), "T")
    assert error.diagnostic is not None and error.diagnostic.code == code
    assert error.diagnostic.span.line == text.count("\n") + 2


def test_the_caret_stands_under_the_wrong_argument():
    text = "T = pl.TileType(\n    shape=[16, 16],\n    dtype='half',\n)\n"
    module, _ = load(HEADER + text)
    opaque = module.value("T")
    assert isinstance(opaque, Opaque) and (opaque.diagnostic.span.line, opaque.diagnostic.span.col) == (4, 11)
