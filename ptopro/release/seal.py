"""The last step of a release's build graph: `python -m ptopro.release.seal PLAN FOLDER OUTPUT` writes <op>.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    from ptopro.release.manifest import sealed

    plan, folder, output = map(Path, arguments)
    output.write_text(sealed(json.loads(plan.read_text()), folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
