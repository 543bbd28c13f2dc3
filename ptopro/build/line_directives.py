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

# (line of kernel.cpp, (file, line)) in ascending order: where each generated line comes from.
LineMap = Sequence[tuple[int, tuple[str, int]]]


def with_line_directives(text: str, line_map: LineMap) -> str:
    """`text` with a `#line` before each mapped line; what follows a mapped run and maps nowhere stays with it."""
    origin = dict(line_map)
    out: list[str] = []
    following = ("", 0)  # the place the compiler takes the next line for
    for number, line in enumerate(text.splitlines(), 1):
        place = origin.get(number)
        if place is not None and place != following:
            file, source = place
            escaped = file.replace("\\", "\\\\").replace('"', '\\"')
            out.append(f'#line {source} "{escaped}"')
        out.append(line)
        file, source = place or following
        following = (file, source + 1)
    return "\n".join([*out, ""])
