"""Pipelined kernels made at random: stages in turn on both cores, buffers, rings, picks, counters and nests.

`generate(draw)` writes a whole kernel file; `draw(low, high)` gives a number, from hypothesis or from a seed.  Every kernel is
legal and small (tiles of 32 x 32): the same texts run on the paper machine and on the simulator.  `generate_all` puts several
pipelines into one kernel, with `sync_all` between them.

A stage takes a tile from the stage before it (the first one from global memory), does something with it, and hands it on (the
last one to global memory).  On the way vector stages may add rows of `extra`, leave a tile for a later vector stage in
a ring, or use a tile that was picked once for each round of an outer loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Draw = Callable[[int, int], int]

TILE = 32  # rows and columns of a block
HALF = TILE // 2  # rows of a block on one vector core
MAT = TILE * TILE * 2
VEC = HALF * TILE * 4
LOCKS, EVENTS = 32, 11  # hard `sync_all` takes the event ids from 11 on
SHARED = ("row", "src", "w", "extra", "dst", "turn", "first", "off", "cur")  # not groups

TYPES = """\
    MATT = pl.TileType(shape=[32, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    LEFT = pl.TileType(shape=[32, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    RGT = pl.TileType(shape=[32, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    ACC = pl.TileType(shape=[32, 32], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    VECT = pl.TileType(shape=[16, 32], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    HALF = pl.TileType(shape=[16, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec)
    NZ = pl.TileType(shape=[16, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)
"""


@dataclass
class Core:
    """What a core has left: free bytes of its memories, lock ids, event ids that it receives."""

    at: dict[str, int] = field(default_factory=dict)
    locks: int = 0
    events: int = 0

    def bytes(self, memory: str, size: int) -> int:
        start = self.at.get(memory, 0)
        self.at[memory] = start + size
        return start

    def take_events(self, count: int) -> list[int]:
        if self.events + count > EVENTS - 4:  # the last ones are shared by all slots of a buffer
            count = 1
        found = list(range(self.events, self.events + count))
        self.events += count
        return found


@dataclass
class Kernel:
    """The pieces of one pipeline.  tag: ends the names of its groups and stages; memory is shared with other pipelines."""

    draw: Draw
    tag: str
    cores: dict[str, Core] = field(default_factory=lambda: {"cube": Core(), "vector": Core()})
    declarations: list[str] = field(default_factory=list)
    stages: list[str] = field(default_factory=list)
    calls: list[tuple[str, str]] = field(default_factory=list)  # (core, call)

    def chance(self, one_in: int) -> bool:
        return self.draw(1, one_in) == 1

    def group(self, name: str, kind: str, slots: int, memory: str, size: int, *, crossing: str = "") -> str:
        """Declare a group; crossing: "cube" or "vector", the core that produces it for the other one."""
        home = self.cores["cube" if memory in ("Mat", "Left", "Right", "Acc") else "vector"]
        users = list(self.cores.values()) if crossing else [home]
        start = home.bytes(memory, slots * size)
        lock = max(core.locks for core in users)
        spare = LOCKS - 6  # ids behind this one are shared by the slots of many buffers
        locks = list(range(lock, lock + slots)) if lock + slots <= spare else [spare + slots % 6] * slots
        for core in users:
            core.locks = max(core.locks, min(lock + slots, spare))
        ids = ""
        if crossing:
            receiver, sender = self.cores["vector" if crossing == "cube" else "cube"], self.cores[crossing]
            count = 1 if self.chance(5) else slots
            ids = f", fwd_ids={receiver.take_events(count)}"
            if not self.chance(5):
                ids += f", bwd_ids={sender.take_events(count)}"
        text = f"{name}{self.tag} = pl.make_tile_group(type={kind}, addrs={start}, mutex_ids={locks}{ids})"
        self.declarations.append(text)
        return name

    def stage(self, number: int, core: str, parameters: list[str], lines: list[str], arguments: list[str]) -> None:
        body = "".join(f"    {line}\n" for line in lines)
        self.stages.append(f"@pl.pipeline.stage\ndef s{number}{self.tag}({', '.join(parameters)}):\n{body}")
        self.calls.append((core, f"s{number}{self.tag}({', '.join(arguments)})"))


def generate(draw: Draw, most_stages: int = 8) -> str:
    """A whole kernel file; the kernel is `k(src, w, extra, dst, n, m)`, of m rounds of n tasks."""
    return generate_all([draw], most_stages)


def generate_all(draws: Sequence[Draw], most_stages: int = 8) -> str:
    """The same with one pipeline for each source of numbers."""
    cores = {"cube": Core(), "vector": Core()}
    found = []
    for number, draw in enumerate(draws):
        for core in cores.values():
            core.locks = core.events = 0
        found.append(_pipeline(Kernel(draw, f"_{number}" if number else "", cores), most_stages))
    return _file(found)


@dataclass(frozen=True)
class Pipeline:
    """A finished pipeline: its stage functions, its declarations, its loop nest."""

    preload: int
    stages: list[str]
    declarations: list[str]
    loop: list[str]


def _pipeline(kernel: Kernel, most_stages: int) -> Pipeline:
    draw = kernel.draw
    count = draw(2, most_stages)
    first = draw(0, 1)
    cores = ["cube" if (i + first) % 2 == 0 else "vector" for i in range(count)]
    preload = draw(0, 4)
    wide = 3 if count <= 4 else 2
    for name, kind, memory, size in (("left", "LEFT", "Left", MAT), ("acc", "ACC", "Acc", 2 * MAT)):
        kernel.group(name, kind, draw(1, 2), memory, size)
    kernel.group("wg", "MATT", 1, "Mat", MAT)
    kernel.group("right", "RGT", 1, "Right", MAT)
    kernel.group("half", "HALF", 1, "Vec", VEC // 2)
    kernel.group("nz", "NZ", 1, "Vec", VEC // 2)

    vectors = [i for i, core in enumerate(cores) if core == "vector"]
    ring = pick = (-1, -1)
    nest = draw(0, 2)
    if len(vectors) > 1 and not kernel.chance(3):
        ring = (vectors[0], vectors[draw(1, len(vectors) - 1)])
        kernel.group(
            "ring", "VECT", draw(max(1, preload), preload * len(vectors) + 1) if not kernel.chance(4) else 1, "Vec", VEC
        )
    if nest and vectors and kernel.chance(2):
        pick = (vectors[0], vectors[draw(0, len(vectors) - 1)])
        kernel.group("picked", "VECT", draw(1, 2) if kernel.chance(4) else preload * len(vectors) + 1, "Vec", VEC)
    ring_slots = next(
        (d.count(",", d.index("[")) + 1 for d in kernel.declarations if d.startswith(f"ring{kernel.tag} =")), 1
    )

    for number, core in enumerate(cores):
        source, target = f"b{number - 1}", f"b{number}"
        if number < count - 1:
            to_vector = core == "cube"
            kind, memory, size = ("VECT", "Vec", VEC) if to_vector else ("MATT", "Mat", MAT)
            kernel.group(target, kind, draw(1, wide + 1), memory, size, crossing=core)
        _write_stage(kernel, number, core, source if number else "", target if number < count - 1 else "", ring, pick)
    loop = _loop(kernel, nest, ring_slots, pick[0] >= 0)
    return Pipeline(preload, kernel.stages, kernel.declarations, loop)


def _write_stage(
    kernel: Kernel, number: int, core: str, source: str, target: str, ring: tuple[int, int], pick: tuple[int, int]
) -> None:
    """One stage: takes `source` (empty: global memory), gives `target` (empty: global memory)."""
    parameters, arguments, lines = ["row"], ["row"], []

    def use(name: str) -> None:
        if name not in parameters:
            parameters.append(name)
            arguments.append(name if name in SHARED else f"{name}{kernel.tag}")

    def take(name: str, group: str) -> None:
        use(group)
        lines.append(f"{name} = {group}.next()")

    if core == "cube":
        if source:
            take("x", source)
        else:
            kernel.group(f"in{number}", "MATT", kernel.draw(1, 2), "Mat", MAT)
            use("src")
            take("x", f"in{number}")
            lines.append("pl.load(x, src, [row * 32, 0])")
        take("l", "left")
        take("a", "acc")
        use("wg")
        use("right")
        lines += ["pl.move(l, x)", "pl.move(right.current(), wg.current())", "pl.matmul(a, l, right.current())"]
        if target:
            take("t", target)
            lines.append("pl.move(t, a, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)")
        else:
            use("dst")
            lines.append("pl.store(dst, a, [row * 32, 0])")
    else:
        if source:
            take("x", source)
        else:
            kernel.group(f"in{number}", "VECT", kernel.draw(1, 2), "Vec", VEC)
            use("extra")
            take("x", f"in{number}")
            lines.append("pl.load(x, extra, [row * 32 + pl.get_subblock_idx() * 16, 0])")
        if number == ring[0]:
            use("ring")
            use("turn")
            lines.append(f"pl.adds(ring[turn], x, {number + 1}.0)")
        if number == ring[1]:
            use("ring")
            use("turn")
            lines.append("pl.add(x, x, ring[turn])")
        if number == pick[0]:
            use("extra")
            use("cur")
            use("first")
            lines.append("if first == 0:")
            lines.append("    pl.load(cur, extra, [row * 32 + pl.get_subblock_idx() * 16, 0])")
        if number == pick[1]:
            use("cur")
            lines.append("pl.add(x, x, cur)")
        if kernel.chance(2):
            kernel.group(f"more{number}", "VECT", kernel.draw(1, 2), "Vec", VEC)
            use("extra")
            take("e", f"more{number}")
            lines += ["pl.load(e, extra, [row * 32 + pl.get_subblock_idx() * 16, 0])", "pl.add(x, x, e)"]
        if kernel.chance(2):
            use("off")
            lines.append("if off > 64:" if kernel.chance(2) else "if off % 64 == 0:")
            lines.append(f"    pl.muls(x, x, 0.{number + 2})")
        if target:
            take("t", target)
            use("half")
            use("nz")
            lines += [
                "pl.cast(half.current(), x, mode=pl.RoundMode.CAST_RINT)",
                "pl.move(nz.current(), half.current())",
            ]
            lines.append("pl.insert(t, nz.current(), [pl.get_subblock_idx() * 16, 0])")
        else:
            use("dst")
            lines.append("pl.store(dst, x, [row * 32 + pl.get_subblock_idx() * 16, 0])")
    kernel.stage(number, core, parameters, lines, arguments)


def _loop(kernel: Kernel, nest: int, ring_slots: int, picks: bool) -> list[str]:
    """The loop nest: every scalar that the stages get is computed in it in one way or another."""
    draw = kernel.draw
    loop = ("pl.range(0, n)", "pl.range(2, n + 2)", "pl.range(0, 3 * n, 3)", "pl.range(n - 1, -1, -1)")[draw(0, 3)]
    first = {"pl.range(0, n)": "i", "pl.range(0, 3 * n, 3)": "i"}.get(loop, "i - 2" if "+ 2" in loop else "n - 1 - i")
    body = [f"first = {first}", f"turn = tick % {ring_slots}"]
    if draw(0, 1):
        body = ["off = tick * 32", *body]
        after = ["tick = tick + 1"]
    else:
        after = ["off = off + 32", "tick = tick + 1"]
    body.append("row = tick" if draw(0, 1) else "row = off // 32")
    for core, call in kernel.calls:
        body += [f"with pl.section_{core}():", f"    {call}"]
    pick = [f"cur = picked{kernel.tag}.next()"] if picks else []
    lines = [*pick, f"for i in {loop}:", *(f"    {line}" for line in body + after)]
    if nest == 2:
        lines = ["for p in pl.range(0, 2):", *(f"    {line}" for line in lines)]
    if nest:
        lines = ["for q in pl.range(0, m):", *(f"    {line}" for line in lines)]
    weights = ["with pl.section_cube():", f"    pl.load(wg{kernel.tag}.current(), w, [0, 0])"]
    return [*weights, "off = tick * 32", *lines]


def _file(pipelines: list[Pipeline]) -> str:
    lines = [line for pipeline in pipelines for line in pipeline.declarations]
    lines.append("tick = 0")
    for number, pipeline in enumerate(pipelines):
        lines += ["pl.system.sync_all()"] * (number > 0) + pipeline.loop
    preloads = [pipeline.preload for pipeline in pipelines]
    config = f"preload={preloads if len(preloads) > 1 else preloads[0]}"
    stages = [stage for pipeline in pipelines for stage in pipeline.stages]
    return (
        '"""A kernel made at random."""\n\nimport pypto_pro.language as pl\n\nD = pl.DYNAMIC\n\n\n'
        + "\n\n".join(stages)
        + f"\n\n@pl.jit(auto_mutex=True, pipeline=pl.pipeline.PipelineConfig({config}))\n"
        + "def k(\n    src: pl.Tensor[[D, 32], pl.DT_FP16],\n    w: pl.Tensor[[32, 32], pl.DT_FP16],\n"
        + "    extra: pl.Tensor[[D, 32], pl.DT_FP32],\n    dst: pl.Tensor[[D, 32], pl.DT_FP32],\n"
        + "    n: pl.DT_INT32,\n    m: pl.DT_INT32,\n):\n"
        + TYPES
        + "".join(f"    {line}\n" for line in lines)
    )
