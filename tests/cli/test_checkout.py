"""A source checkout works without being installed."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_folders_beside_the_package_are_found(tmp_path):
    """-S and -I leave out what is installed; only the checkout itself is on the path."""
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "import ptopro.cli, ptopro.codegen_templates\n"
        "print(ptopro.cli.__file__, ptopro.codegen_templates.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-I", "-c", program],
        cwd=tmp_path, env={**os.environ}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == [str(ROOT / f"{name}/__init__.py") for name in ("cli", "codegen_templates")], (
        done.stderr
    )
