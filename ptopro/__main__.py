"""`python -m ptopro` and the `ptopro` program."""

from __future__ import annotations

import sys


def main() -> None:
    from ptopro.cli.main import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
