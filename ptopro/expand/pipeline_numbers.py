"""Numbers of a task in generated text: its remainders, values that are linear in it, and what such text costs.

In: the name of the beat's number, and a stage's delay.  Out: expressions for the task that the stage runs in that beat.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ptopro.expand.pipeline_values import Linear


@dataclass(frozen=True, slots=True)
class Shift:
    """Numbers of the task that a stage runs in a beat: task = beat - delay."""

    beat: str
    delay: int

    def modulo(self, count: int) -> str:
        """A mark for (beat - delay) % count: `shared` decides how it is written."""
        return f"\0{count}\0"

    def shared(self, texts: Iterable[str], suffix: str) -> Shared:
        """How the remainders in these texts are written: one that occurs more than once gets a name."""
        found = Counter(int(n) for text in texts for n in _MARK.findall(text))
        names: dict[int, str] = {}
        lines = []
        for count, times in sorted(found.items()):
            ahead = -self.delay % count
            plain = f"({self.beat} + {ahead}) % {count}" if ahead else f"{self.beat} % {count}"
            names[count] = plain
            if times > 1:
                names[count] = f"_pl_mod{count}{suffix}"
                lines.append(f"{names[count]} = {plain}  # the task's number modulo {count}")
        return Shared(names, lines)

    def linear(self, form: Linear) -> str:
        """The value of a linear form of the task."""
        scale = dict(form.terms).get("t", 0)
        offset = form.offset - self.delay * scale
        if form.modulus:
            if scale % form.modulus == 1 and form.offset % form.modulus == 0:
                return self.modulo(form.modulus)
            offset %= form.modulus
            scale %= form.modulus
        text = "" if not scale else self.beat if scale == 1 else f"{self.beat} * {scale}"
        if not text:
            text = str(offset)
        elif offset:
            text = f"{text} {'+' if offset > 0 else '-'} {abs(offset)}"
        if form.modulus and scale:
            text = f"({text}) % {form.modulus}" if " " in text else f"{text} % {form.modulus}"
        return text


_MARK = re.compile(r"\0(\d+)\0")


@dataclass(frozen=True, slots=True)
class Shared:
    """names: what stands for each remainder; lines: assignments that must come first."""

    names: dict[int, str]
    lines: list[str]

    def put(self, text: str) -> str:
        return _MARK.sub(lambda mark: self.names[int(mark.group(1))], text)


def scalar_operations(text: str) -> int:
    """How many scalar operations a generated line costs: arithmetic, comparisons, branches, accesses of records.

    Names are registers; the flags themselves are not counted.
    """
    code = text.strip()
    tree = ast.parse(f"{code}\n    pass" if code.partition("#")[0].rstrip().endswith(":") else code)
    return sum(isinstance(n, ast.BinOp | ast.Compare | ast.If | ast.Subscript) for n in ast.walk(tree))
