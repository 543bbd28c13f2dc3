"""Random pipelines: what the event graph promises holds on the paper machine, what it refuses goes wrong there."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import HealthCheck, Phase, assume, event, given, note, settings
from hypothesis import strategies as st
from machine import Blocked, Machine, Overflow, at_random, holding_back, serial_trace
from plan_program import always, programs, serial_operations, sometimes
from plans import PlanText, describe

from ptopro.diagnostics import Diagnostic, Severity
from ptopro.expand.pipeline_model import GraphResult, PipelinePlan
from ptopro.expand.sync_graph import all_rounds, prove
from ptopro.expand.sync_graph_flow import Violation, needs_of
from ptopro.expand.sync_graph_lanes import lanes_of
from ptopro.expand.sync_graph_order import closure, topological
from ptopro.expand.sync_graph_report import Reporter
from ptopro.expand.sync_graph_unroll import Graph, Rounds, templates, unroll

PIPES = {"cube": ("MTE2", "MTE1", "M", "FIX"), "vector": ("MTE2", "V", "V", "MTE3", "S")}
SETTINGS = settings(
    max_examples=45,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # a plan is readable as it is, shrinking takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@st.composite
def plans(draw: st.DrawFn) -> PipelinePlan:
    """2 to 8 stages; cross-core buffers of 1 to 4 slots; rings, picks, cursors, overlaps inside the cores."""
    count = draw(st.integers(2, 8))
    cores = ["cube" if i % 2 == 0 else "vector" for i in range(count)]
    if draw(st.booleans()):
        cores = ["vector" if c == "cube" else "cube" for c in cores]
    if count > 3 and draw(st.integers(0, 4)) == 0:
        at = draw(st.integers(1, count - 1))
        cores[at] = cores[at - 1]
    assume(len(set(cores)) == 2)
    text = PlanText(draw(st.integers(0, 4)), chained=draw(st.booleans()))
    touched: list[list[tuple[str, str]]] = [[] for _ in range(count)]  # stage -> (buffer with rule, "r", "w" or "rw")

    for number in range(draw(st.integers(1, count))):
        name = f"x{number}"
        producer = draw(st.integers(0, count - 2))
        others = [i for i in range(producer + 1, count) if cores[i] != cores[producer]]
        if not others:
            continue
        consumer = others[0] if draw(st.integers(0, 3)) else draw(st.sampled_from(others))
        text.buffer(
            name,
            draw(st.integers(1, 4)),
            fwd=draw(st.integers(0, 9)) > 0,
            bwd=draw(st.integers(0, 3)) > 0,
            shared=draw(st.integers(0, 3)) == 0,
        )
        if not text.buffers[-1].crosses:
            text.buffers.pop()
            continue
        touched[producer].append((name, draw(st.sampled_from(["w", "w", "w+r", "w+rw"]))))
        touched[consumer].append((name, draw(st.sampled_from(["r", "r", "rw", "r+r", "rw+r"]))))
    for number in range(draw(st.integers(0, 4))):
        name = f"y{number}"
        core = draw(st.sampled_from(sorted(set(cores))))
        slots = draw(st.integers(1, 5))
        rule = draw(st.sampled_from(["@t", "@t", "@o", "@0", "", "@."]))
        memory = "Mat" if core == "cube" else "UB"
        other = [b for b in text.buffers if b.memory == memory]
        at = draw(st.sampled_from(other)).ranges[0][0] if other and draw(st.integers(0, 3)) == 0 else None
        text.buffer(name, slots, memory, at=at, size=draw(st.sampled_from([256, 512])))
        users = draw(
            st.lists(
                st.sampled_from([i for i in range(count) if cores[i] == core]), min_size=1, max_size=3, unique=True
            )
        )
        for place, user in enumerate(sorted(users)):
            kind = (
                draw(st.sampled_from(["w", "w+r", "?w+r", "?w+?r", "!w+?r", "1w+r"]))
                if place == 0
                else draw(st.sampled_from(["r", "r", "rw", "w+r", "?w+?r", "?r", "1r"]))
            )
            shown = rule
            if rule == "@.":
                shown = "" if place == 0 else "@."
            window = draw(st.sampled_from(["", "", "", "[0:256]", "[256:512]", "~"]))
            touched[user].append((name + shown + window, kind))
    for index, core in enumerate(cores):
        operations = []
        predicated = draw(st.integers(0, 14)) == 0
        steps = [(operand, part) for operand, kinds in touched[index] for part in kinds.split("+")]
        if predicated:  # a call that may not happen must not move a cursor that its flags rely on
            steps = [(re.sub(r"^(\w+)(?!.*@)", r"\1@t", operand), part) for operand, part in steps]
        for operand, part in steps:
            guard = part[0] if part[0] in "?!1" else ""
            part = part.lstrip("?!1")
            pipe = draw(st.sampled_from(PIPES[core]))
            extra = draw(st.sampled_from(steps))[0] if draw(st.integers(0, 2)) == 0 else ""
            outs = operand if "w" in part else ""
            ins = [operand] if "r" in part else []
            if extra and extra != operand and not guard:
                ins.append(extra)
            operations.append(f"{guard}{pipe} {outs}={','.join(ins)}")
        plain = [i for i, op in enumerate(operations) if op[0] not in "?!1" and op.partition(" ")[2] != "="]
        if plain and draw(st.booleans()):  # a branch whose arms do the same, or nearly
            at = draw(st.sampled_from(plain))
            other = draw(st.sampled_from([operations[at], operations[at], *(operations[i] for i in plain)]))
            operations[at : at + 1] = [f"y{operations[at]}", f"n{other}"]
        # Cross-core waits come first: what a stage takes it reads before it makes anything of it.
        text.stage(f"s{index}", core, *operations, predicated=predicated)
    plan = text.plan()
    return replace(plan, drains=draw(st.integers(0, 7)) == 0)


def keys_of(graph: Graph, found: Violation) -> list[tuple[object, ...]]:
    """The operations that an adverse schedule holds back to show a violation."""
    keys = []
    for node in (found.first, found.reader):
        operation = graph.operations[node] if node >= 0 else None
        if operation is not None:
            keys.append((graph.cores[node], graph.stages[node], graph.tasks[node], operation.order))
    return keys


def violations(plan: PipelinePlan, rounds: Rounds) -> tuple[Graph, list[Violation]]:
    lanes = lanes_of(plan)
    stages = templates(plan, lanes)
    graph = unroll(plan, lanes, stages, rounds)
    sequence = topological(graph)
    assert sequence is not None
    found = needs_of(graph, lanes, stages).violations(closure(graph, sequence))
    return graph, [v for v in found if is_error(Reporter(graph, lanes, lambda *_: False).violation(v))]


def is_error(diagnostic: Diagnostic | None) -> bool:
    return diagnostic is not None and diagnostic.severity is Severity.ERROR


def check_safe(plan: PipelinePlan, seed: int) -> None:
    """No schedule blocks, leaves flags, or moves other data than the serial loop."""
    for rounds in ((seed % 4,), (7,), (3, 1, 2)):
        for condition in (always, sometimes(seed)):
            wanted = serial_trace(serial_operations(plan, rounds, condition))
            for attempt in range(2):
                schedule = at_random(seed + attempt)
                if attempt and wanted:
                    ordered = sorted(wanted, key=str)
                    schedule = holding_back([ordered[(seed * 7 + attempt) % len(ordered)]], seed)
                assert Machine(programs(plan, rounds, condition), schedule).run().trace == wanted


def goes_wrong(plan: PipelinePlan, rounds: Rounds, graph: Graph, found: Violation) -> bool:
    """Whether holding back what the violation names makes some stage read other data."""
    for condition in (always, *map(sometimes, range(6))):
        wanted = serial_trace(serial_operations(plan, rounds.tasks, condition))
        for seed in range(3):
            machine = Machine(programs(plan, rounds.tasks, condition), holding_back(keys_of(graph, found), seed))
            try:
                if machine.run().trace != wanted:
                    return True
            except Overflow:
                return True
    return False


def blocks(plan: PipelinePlan, rounds: tuple[int, ...]) -> bool:
    """Whether the cores stop, or a counter runs over before they can."""
    try:
        Machine(programs(plan, rounds), at_random(0)).run()
    except (Blocked, Overflow):
        return True
    return False


def sure(result: GraphResult) -> bool:
    return not result.problems and not any(d.severity is Severity.WARNING for d in result.notes)


@SETTINGS
@given(plans(), st.integers(0, 1000))
def test_what_is_called_safe_never_blocks_and_moves_the_data_of_the_serial_loop(plan: PipelinePlan, seed: int) -> None:
    note(describe(plan))
    result = prove(plan)
    event(", ".join(sorted({d.code for d in result.problems})) or "safe")
    if sure(result):
        check_safe(plan, seed)
        if result.redundant:
            event("with redundant flags")
            check_safe(replace(plan, channels=tuple(c for c in plan.channels if c not in result.redundant)), seed)


@SETTINGS
@given(plans())
def test_what_is_refused_goes_wrong(plan: PipelinePlan) -> None:
    note(describe(plan))
    result = prove(plan)
    codes = {d.code for d in result.problems}
    assume(codes)
    lanes = lanes_of(plan)
    for rounds in all_rounds(plan, lanes):
        graph = unroll(plan, lanes, templates(plan, lanes), rounds)
        if topological(graph) is None:
            assert "PTO1480" in codes
            assert blocks(plan, rounds.tasks) or blocks(plan, (1,) * rounds.total)
            return
        graph, found = violations(plan, rounds)
        if found:
            assert codes & {"PTO1481", "PTO1482", "PTO1483", "PTO1484", "PTO1485"}
            assert any(goes_wrong(plan, rounds, graph, violation) for violation in found), found[0]
            return
    assert codes <= {"PTO1486", "PTO1487", "PTO1488"}
