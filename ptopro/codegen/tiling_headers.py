"""The headers that host code includes to fill tiling data and to choose a key, from a kernel that is not lowered.

In: a kernel of the front end, the schema of its key and its valid keys.  Out: (file name, text).  `<Class>_tiling.h` is
the same text that codegen puts beside kernel.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ptopro.codegen.names import legal
from ptopro.codegen.templates import render_template
from ptopro.codegen.tiling import header_of
from ptopro.frontend.kernels import KernelSource, TilingClass
from ptopro.frontend.keys import Key, KeyField, KeySchema

_KEYS_IN_A_LINE = 4


def tilingkey_header(schema: KeySchema, keys: Sequence[Key], operator: str, source: str) -> tuple[str, str]:
    """`<Class>_tilingkey.h`.  operator: what the toolkit's declarations are for; source: the file to name."""
    packed = sorted(key.packed for key in keys)
    words = [f"{value:#x}u," for value in packed]
    count = len(schema.fields)
    arguments = [f"v{i}" for i in range(count)]
    text = render_template(
        "tilingkey.h.j2",
        cls=schema.name,
        source=source,
        operator=operator,
        space=f"{legal(schema.name, file_scope=True)}_tilingkey",
        fields=[_field(field) for field in schema.fields],
        widths=sorted({field.bits for field in schema.fields}),
        keys=[" ".join(words[i : i + _KEYS_IN_A_LINE]) for i in range(0, len(words), _KEYS_IN_A_LINE)],
        no_key=f"{_no_key(packed):#x}u",
        selections=[[{"name": name, "value": value} for name, value in key.fields.items()] for key in keys],
        arguments=", ".join(field.name for field in schema.fields),
        parameters=", ".join(f"int64_t {name}" for name in arguments),
        macro=", ".join(arguments),
        constant=" && \\\n       ".join(f"__builtin_constant_p({name})" for name in arguments),
    )
    return f"{schema.name}_tilingkey.h", text


def tiling_header(kernel: KernelSource) -> tuple[str, str] | None:
    """`<Class>_tiling.h`; None for a kernel without tiling data."""
    cls = tiling_class_of(kernel)
    return None if cls is None else header_of(cls, Path(kernel.module.path).name, legal(cls.name, file_scope=True))


def host_files(kernel: KernelSource, operator: str, schema: KeySchema, keys: Sequence[Key]) -> dict[str, str]:
    """What an operator project generates from a kernel when it is configured: headers, and the entry's source."""
    source = Path(kernel.module.path).name
    headers = [tiling_header(kernel), tilingkey_header(schema, keys, operator, source)]
    found = dict(header for header in headers if header is not None)
    entry = infer_source(kernel, operator, sorted(found))[1]
    return {**found, f"{operator}_pypto_infer.cpp": entry}


def infer_source(kernel: KernelSource, operator: str, headers: Sequence[str], kind: str = "") -> tuple[str, str]:
    """`<operator>_infer.cpp`: the entry that the toolkit's build reads key and tiling declarations of.

    kind: of the kernel (MIX_AIC_1_2 ...), where it has been generated.
    """
    cls = tiling_class_of(kernel)
    text = render_template(
        "infer.cpp.j2",
        operator=operator,
        source=Path(kernel.module.path).name,
        headers=headers,
        parameters=", ".join(f"GM_ADDR {legal(p.name)}" for p in kernel.parameters),
        kind=kind,
        tiling="" if cls is None else legal(cls.name, file_scope=True),
    )
    return f"{operator}_infer.cpp", text


def tiling_class_of(kernel: KernelSource) -> TilingClass | None:
    found = [p.annotation for p in kernel.parameters if isinstance(p.annotation, TilingClass)]
    return found[0] if found else None


def _field(field: KeyField) -> dict[str, object]:
    last = field.shift + field.bits - 1
    numbers = ", ".join(map(str, field.values))
    return {
        "name": legal(field.name),
        "place": f"bit {field.shift}" if field.bits == 1 else f"bits {field.shift} to {last}",
        "bits": field.bits,
        "shift": field.shift,
        "count": len(field.values),
        "listed": numbers,
        "numbers": numbers,
        "array": f"VALUES_{legal(field.name)}",
    }


def _no_key(packed: Sequence[int]) -> int:
    """The greatest 64-bit number that is no valid key."""
    known = set(packed)
    found = (1 << 64) - 1
    while found in known:
        found -= 1
    return found
