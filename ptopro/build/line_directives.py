"""Tell the C++ compiler which line of the kernel file each line of kernel.cpp comes from.

Before:                                  After:
    TLOAD(a, x_view);                        #line 12 "add.py"
    TADD(c, a, b);                           TLOAD(a, x_view);
                                             #line 13 "add.py"
                                             TADD(c, a, b);

The file in the build directory stays as it is; only the copy that is compiled has the directives, so compiler errors
and the simulator's findings speak of the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

# (line of kernel.cpp, file, line) in ascending order: where each statement's first line comes from.
LineMap = Sequence[tuple[int, str, int]]


def with_line_directives(text: str, line_map: LineMap) -> str:
    """`text` with a `#line` before each mapped line; what follows a mapped run and maps nowhere stays with it."""
    origin = {line: (file, source) for line, file, source in line_map}
    out: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if number in origin:
            file, source = origin[number]
            escaped = file.replace("\\", "\\\\").replace('"', '\\"')
            out.append(f'#line {source} "{escaped}"')
        out.append(line)
    return "\n".join([*out, ""])
