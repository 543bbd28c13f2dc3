"""What a tiling-key class says of a launch's key, by the same evaluation of `is_valid` that releases use.

In: the live class and a combination.  Out: why it is no key, empty when it is one.  Answers are kept in the cache by
the class's fingerprint, so a process that launches what is built already does not read the kernel's file for them.
"""

from __future__ import annotations

import json
from pathlib import Path

from ptopro.build import cache
from ptopro.build.identity import identity
from ptopro.runtime.fingerprint import fingerprint_of

_FILE = "verdict.json"
_KNOWN: dict[tuple[str, tuple[int, ...]], str] = {}


def key_problem(key_class: type, values: tuple[int, ...]) -> str:
    """Why `values`, each one that its field lists, are no key together."""
    if not hasattr(key_class, "is_valid"):
        return ""
    mark = fingerprint_of(key_class)
    if (mark, values) not in _KNOWN:

        def build(work: Path) -> None:
            (work / _FILE).write_text(json.dumps(_evaluate(key_class, values)))

        entry = cache.find_or_build("interface", cache.digest([identity(), mark, repr(values)]), build)
        _KNOWN[mark, values] = json.loads((entry / _FILE).read_text())
    return _KNOWN[mark, values]


def _evaluate(key_class: type, values: tuple[int, ...]) -> str:
    from ptopro.diagnostics import Sink, Span
    from ptopro.frontend.evaluator import Evaluator
    from ptopro.frontend.keys import schema_of
    from ptopro.frontend.live import Program
    from ptopro.frontend.values import ClassValue

    program = Program(Sink())
    cls = program.convert(key_class)
    if not isinstance(cls, ClassValue):
        return f"is_valid of `{key_class.__name__}` cannot be evaluated: {cls.reason}"
    evaluator: Evaluator = cls.module.evaluator
    return schema_of(cls, evaluator, Span("", 1, 1, 1, 1)).problem(values)
