"""Pipelines whose stages call vector functions: clean under every check, and not one bit differs, however far ahead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("preload", [0, 1, 2])
@pytest.mark.parametrize("sample", ["flash_attention_vf", "mla_decode"])
def test_every_form_gives_the_same_bits(sample: str, preload: int, tmp_path: Path) -> None:
    """Serial, flags only and pipelined, with the inputs of [tool.ptopro.check]; in order, late, eager."""
    done = subprocess.run(
        [sys.executable, "-m", "ptopro", "check", f"samples/{sample}.py", "--preload", str(preload), "-o", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "out: bit-identical in all 5 runs" in done.stdout and "no finding on these inputs" in done.stdout
    assert "warning" not in done.stdout + done.stderr
