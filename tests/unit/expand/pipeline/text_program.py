"""A lowered kernel as the instructions of two cores, or as the one order of its serial text.

The scalar part of a kernel runs as it is (`recorder.Core` computes it); operations, locks and flags become instructions for
the paper machine.  An operation is named by its stage, the number of that stage's run, and its place in the run, so
that the serial text and the expansion can be compared operation by operation.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from machine import Cell, Instruction, Issuer
from plan_program import GRAIN
from recorder import OTHER, Core, Memory, Steps

from ptopro.expand.operand_roles import operand_roles
from ptopro.language.operations.model import Role
from ptopro.lowering import ir


class IssuingCore(Core):
    """Follows one half of a kernel and hands out its instructions."""

    def __init__(self, name: str, arguments: dict[str, int]) -> None:
        super().__init__(name, Memory(), arguments)
        self.issuer = Issuer(name)
        self.runs: Counter[str] = Counter()
        self.where: tuple[object, ...] = (name, "", 0)
        self.order = 0

    def statement(self, stmt: ir.Stmt) -> Steps:
        if isinstance(stmt, ir.Lock):
            self.lock(stmt)
            return
        yield from super().statement(stmt)

    def call(self, stmt: ir.CallStmt) -> Steps:
        outer = self.where, self.order
        name = stmt.function.source_name
        if stmt.function.kind == "stage":
            self.where, self.order = (self.name, name, self.runs[name]), 0
            self.runs[name] += 1
        yield from super().call(stmt)
        if stmt.function.kind == "stage":
            self.where, self.order = outer

    def lock(self, stmt: ir.Lock) -> None:
        if stmt.tile is not None:
            origin, slot = self.slot(stmt.tile)
            ids: tuple[Any, ...] = origin.ids[slot] if isinstance(origin, ir.GroupDecl) and origin.ids else origin.ids
        else:
            ids = (self.value(stmt.id),)
        for number in ids:
            if stmt.acquire:
                self.issuer.acquire(stmt.pipe.name, number)
            else:
                self.issuer.release(stmt.pipe.name, number)

    def operate(self, stmt: ir.Operate) -> Steps:
        name = stmt.operation.name
        if stmt.operation.group == "sync":
            self.synchronise(stmt, name)
            return
        cells: dict[str, list[Cell]] = {"reads": [], "writes": [], "partly": []}
        scalars = tuple(self.scalar_operands(stmt))
        for use, role, _ in operand_roles(stmt):
            if isinstance(use.value, ir.TensorDecl):
                touched: list[Cell] = [(use.value.name, scalars)]
            else:
                origin, slot = self.slot(use.value)
                low = origin.addrs[slot] if isinstance(origin, ir.GroupDecl) else origin.addr
                high = low + (origin.size or origin.spec.size_bytes)
                memory = origin.spec.memory.name
                touched = [(memory, grain) for grain in range(low // GRAIN, -(-high // GRAIN))]
            if role in (Role.IN, Role.INOUT):
                cells["reads"] += touched
            if role.writes:
                part = isinstance(use.value, ir.SubView) or name == "insert"
                cells["partly" if part else "writes"] += touched
        found = {kind: tuple(dict.fromkeys(touched)) for kind, touched in cells.items()}
        key = (*self.where, self.order)
        self.order += 1
        self.issuer.program.append(Instruction("operate", stmt.pipe.name, key, detail=(name, scalars), **found))  # type: ignore[arg-type]
        yield None

    def synchronise(self, stmt: ir.Operate, name: str) -> None:
        event = stmt.get("event_id")
        number = event if event is None or isinstance(event, int) else self.value(event)
        if name in ("system.set_cross_core", "system.wait_cross_core"):
            receiver = OTHER[self.name] if name == "system.set_cross_core" else self.name
            pipe = stmt.get("pipe")
            self.issuer.add(name[7:].split("_")[0], pipe.name, flag=(receiver, number))  # type: ignore[union-attr]
        elif name in ("system.sync_src", "system.sync_dst"):
            one, two = stmt.get("set_pipe").name, stmt.get("wait_pipe").name  # type: ignore[union-attr]
            flag = ("local", self.name, one, two, number)
            setting = name == "system.sync_src"
            self.issuer.add("local_set" if setting else "local_wait", one if setting else two, flag=flag)
        elif name.startswith("system.bar_"):
            self.issuer.add("barrier", name.removeprefix("system.bar_").upper())
        else:
            raise AssertionError(f"no instruction for {name}")


def issued(kernel: ir.KernelIR, **arguments: int) -> dict[str, list[Instruction]]:
    """What both cores issue for these arguments."""
    found = {}
    for name, half in (("cube", kernel.cube), ("vector", kernel.vector)):
        assert half is not None
        core = IssuingCore(name, arguments)
        for _ in core.run(half):
            pass
        found[name] = core.issuer.program
    return found


def issued_serially(kernel: ir.KernelIR, **arguments: int) -> list[Instruction]:
    """The operations in the order of the text: section by section, the cube core first (lowered with `serial`)."""
    cores = []
    for name, half in (("cube", kernel.cube), ("vector", kernel.vector)):
        assert half is not None
        core = IssuingCore(name, arguments)
        cores.append((core, core.run(half)))
    order: list[Instruction] = []
    going = True
    while going:
        going = False
        for core, steps in cores:
            before = len(core.issuer.program)
            for step in steps:
                if isinstance(step, tuple) and step[0] == "marker":
                    going = True
                    break
            order += core.issuer.program[before:]
    return [i for i in order if i.kind == "operate"]
