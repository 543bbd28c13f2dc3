"""Kernel texts for the tests of pipelines, and ways to expand, lower and compare them."""

from __future__ import annotations

import textwrap
from dataclasses import replace

from recorder import Memory, run_flags, run_serial

from ptopro.diagnostics import Diagnostic, Severity, Sink
from ptopro.expand.driver import expand_file
from ptopro.expand.model import ExpandOptions, Expansion
from ptopro.frontend.source import load_module
from ptopro.lowering import ir
from ptopro.lowering.kernel import lower_kernel
from ptopro.lowering.target import Target

HEAD = """\
import pypto_pro.language as pl

D = pl.DYNAMIC
"""

# Two stages: vector puts, cube takes (the skeleton of the known faults).
PUT_TAKE = """
@pl.pipeline.stage
def put(i, src, sh, ub):
    t = ub.next()
    pl.load(t, src, [i * 64, 0])
    pl.muls(t, t, 2.0)
    s = sh.next()
    pl.move(s, t)

@pl.pipeline.stage
def take(i, sh, lg, ag, dst):
    s = sh.next()
    l = lg.next()
    a = ag.next()
    pl.move(l, s)
    pl.matmul(a, l, RIGHT)
    pl.store(dst, a, [i * 64, 0])
"""

TILES = """\
    VEC = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)
    PLAIN = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    MAT = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    LEFT = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    RGT = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    ACC = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    ub = pl.make_tile_group(type=VEC, addrs=0x0000, mutex_ids=[0, 1])
    lg = pl.make_tile_group(type=LEFT, addrs=0x0000, mutex_ids=[10, 11])
    rg = pl.make_tile_group(type=RGT, addrs=0x0000, mutex_ids=[12])
    ag = pl.make_tile_group(type=ACC, addrs=0x0000, mutex_ids=[13, 14])
"""

# Four stages: vector, cube, vector, cube ... written as cube first in FOUR.
FOUR = """
@pl.pipeline.stage
def one(i, src, kg, lg, rg, ag, xg):
    k = kg.next()
    l = lg.next()
    a = ag.next()
    x = xg.next()
    pl.load(k, src, [i * 64, 0])
    pl.move(l, k)
    pl.matmul(a, l, rg.current())
    pl.move(x, a)

@pl.pipeline.stage
def two(i, xg, wg, pg, hg, slot):
    x = xg.next()
    p = pg.next()
    h = hg[slot % 3]
    w = wg.current()
    pl.adds(h, x, 1.0)
    pl.cast(w, x, mode=pl.RoundMode.CAST_RINT)
    pl.move(p, w)

@pl.pipeline.stage
def three(i, pg, lg, rg, ag, yg):
    p = pg.next()
    l = lg.next()
    a = ag.next()
    y = yg.next()
    pl.move(l, p)
    pl.matmul(a, l, rg.current())
    pl.move(y, a)

@pl.pipeline.stage
def four(i, yg, hg, slot, dst):
    y = yg.next()
    pl.add(y, y, hg[slot % 3])
    pl.store(dst, y, [i * 64, 0])
"""

FOUR_TILES = """\
    kg = pl.make_tile_group(type=MAT, addrs=0x0000, mutex_ids=[0, 1])
    pg = pl.make_tile_group(type=MAT, addrs=0x8000, mutex_ids=[2, 3, 4], fwd_ids=[4, 5, 6], bwd_ids=[4, 5, 6])
    xg = pl.make_tile_group(type=PLAIN, addrs=0x10000, mutex_ids=[5, 6], fwd_ids=[0, 1], bwd_ids=[0, 1])
    yg = pl.make_tile_group(type=PLAIN, addrs=0x18000, mutex_ids=[7, 8], fwd_ids=[2, 3], bwd_ids=[2, 3])
    hg = pl.make_tile_group(type=PLAIN, addrs=0x20000, mutex_ids=[15, 16, 17])
    wg = pl.make_tile_group(type=VEC, addrs=0x2c000, mutex_ids=[18])
"""

CALLS = """\
with pl.section_cube():
    one({i}, src, kg, lg, rg, ag, xg)
with pl.section_vector():
    two({i}, xg, wg, pg, hg, {slot})
with pl.section_cube():
    three({i}, pg, lg, rg, ag, yg)
with pl.section_vector():
    four({i}, yg, hg, {slot}, dst)
"""


def kernel(stages: str, declarations: str, body: str, config: str = "preload=2", options: str = "") -> str:
    """A file with one kernel `k(src, dst, n, m)`; the body stands in the kernel's function."""
    pipeline = f", pipeline=pl.pipeline.PipelineConfig({config})" if config else ""
    parts = [
        HEAD,
        textwrap.dedent(stages),
        f"@pl.jit(auto_mutex=True{pipeline}{options})",
        "def k(src: pl.Tensor[[D, 64], pl.DT_FP16], dst: pl.Tensor[[D, 64], pl.DT_FP32], n: pl.DT_INT32, m: pl.DT_INT32):",
        TILES + textwrap.indent(textwrap.dedent(declarations).strip("\n"), "    "),
        textwrap.indent(textwrap.dedent(body).strip("\n"), "    "),
    ]
    return "\n".join(parts) + "\n"


def put_take(
    body: str | None = None,
    *,
    stages: str = PUT_TAKE,
    config: str = "preload=2",
    slots: int = 2,
    ids: str = ", fwd_ids=[0, 1], bwd_ids=[2, 3]",
    before: str = "",
) -> str:
    """The skeleton of two stages; `slots` and `ids` are those of the shared group."""
    mutex = list(range(4, 4 + slots))
    shared = f"sh = pl.make_tile_group(type=MAT, addrs=0x0000, mutex_ids={mutex}{ids})\n"
    default = """
        for i in pl.range(0, n):
            with pl.section_vector():
                put(i, src, sh, ub)
            with pl.section_cube():
                take(i, sh, lg, ag, dst)
    """
    fixed = stages.replace("RIGHT", "rg.current()").replace("lg, ag, dst", "lg, rg, ag, dst")
    text = textwrap.dedent(body or default).replace("lg, ag, dst", "lg, rg, ag, dst")
    return kernel(fixed, shared + textwrap.dedent(before), text, config)


def four(body: str | None = None, *, config: str = "preload=2", tiles: str = FOUR_TILES, stages: str = FOUR) -> str:
    """The skeleton of four stages; `{calls}` in the body stands for the four sections with i and tick."""
    default = """
tick = 0
for q in pl.range(0, m):
    for i in pl.range(0, n):
        {calls}
        tick = tick + 1
"""
    text = textwrap.dedent(body or default)
    lines = []
    for line in text.split("\n"):
        if "{calls" in line:
            indent = line[: len(line) - len(line.lstrip())]
            arguments = dict(part.split("=") for part in line.strip()[6:].strip("{} ").split(",") if part)
            filled = CALLS.format(i=arguments.get("i", "i"), slot=arguments.get("slot", "tick"))
            lines.append(textwrap.indent(filled.rstrip("\n"), indent))
        else:
            lines.append(line)
    return kernel(stages, tiles, "\n".join(lines), config)


# --------------------------------------------------------------------------------------------------------------------


def expand(text: str, preload: int | tuple[int, ...] | None = None) -> tuple[Expansion | None, list[Diagnostic]]:
    """Expand kernel k, with locks left out of the text."""
    sink = Sink()
    found = expand_file("k.py", text, ["k"], ExpandOptions(mutex="auto", preload=preload), sink)
    return (found[0] if found else None), sink.diagnostics


def expanded(text: str, preload: int | tuple[int, ...] | None = None) -> Expansion:
    result, diagnostics = expand(text, preload)
    assert result is not None, [f"{d.code} {d.message}" for d in diagnostics]
    return result


def codes(text: str, preload: int | tuple[int, ...] | None = None) -> list[str]:
    return [d.code for d in expand(text, preload)[1]]


def refused(text: str, code: str, *words: str, preload: int | tuple[int, ...] | None = None) -> Diagnostic:
    """The text is refused with this code; the message holds these words."""
    result, diagnostics = expand(text, preload)
    assert result is None, "it was not refused"
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    found = [d for d in errors if d.code == code]
    assert found, [f"{d.code} {d.message}" for d in errors]
    for word in words:
        assert word in found[0].message, found[0].message
    assert found[0].span is not None
    assert found[0].help
    return found[0]


def lower(text: str, *, serial: bool = False) -> ir.KernelIR:
    sink = Sink()
    module = load_module("k.py", text, sink=sink)
    found = lower_kernel(module.kernel("k"), replace(Target(), serial=serial), sink)
    assert found is not None and not sink.has_errors, [f"{d.code} {d.message} {d.span}" for d in sink.diagnostics]
    return found


def same_as_serial(
    text: str, preload: int | tuple[int, ...] | None = None, trips: tuple[tuple[int, int], ...] = ()
) -> str:
    """The expansion stores what the serial text stores, for these (n, m), in any interleaving of the cores."""
    result = expanded(text, preload)
    serial, piped = lower(text, serial=True), lower(result.text)
    for n, m in trips or ((0, 1), (1, 1), (2, 2), (3, 1), (1, 3), (5, 2), (6, 1), (0, 3)):
        want = run_serial(serial, n=n, m=m)
        for seed in range(3):
            got = run_flags(piped, seed, n=n, m=m)
            assert got.stored == want.stored, (n, m, seed)
            assert per_stage(got) == per_stage(want), (n, m, seed)
    return result.text


def per_stage(memory: Memory) -> dict[str, list[tuple[object, ...]]]:
    """The scalar arguments of each stage's calls, in order."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for name, arguments in memory.calls:
        found.setdefault(name, []).append(arguments)
    return found
