"""A cycle of the event graph, told stage by stage, with the slot counts that remove it.

In: a Graph that has no topological order.  Out: one Diagnostic (PTO1480).
"""

from __future__ import annotations

from collections.abc import Callable

from ptopro.diagnostics import Diagnostic, make
from ptopro.expand.pipeline_model import PipelinePlan
from ptopro.expand.sync_graph_order import cycle
from ptopro.expand.sync_graph_slots import aliases, grown, needed_slots
from ptopro.expand.sync_graph_unroll import OPERATION, WAIT, Graph

VERBS = {"fwd": "has written", "bwd": "has freed a slot of", "reuse": "has freed the bytes of"}


def deadlock(graph: Graph, moves: Callable[[PipelinePlan], bool]) -> Diagnostic:
    """The diagnostic of a blocked graph; `moves(plan)` says whether another plan is free of cycles."""
    plan = graph.plan
    nodes = cycle(graph)
    start = next((i for i, node in enumerate(nodes) if graph.kinds[node] == WAIT), 0)
    nodes = nodes[start:] + nodes[:start]
    lines = _story(graph, nodes)
    candidates = _candidates(graph, nodes)
    remedies = []
    for buffer in candidates:
        same = aliases(plan, buffer)
        count = needed_slots(plan, same, moves, plan.buffers[buffer].slots + plan.depth + 1)
        if count is not None:
            have = plan.buffers[buffer].slots
            remedies.append(f"{plan.buffers[buffer].name} needs {count} slots ({have} declared)")
    if not remedies and len(candidates) > 1:
        together = {index for buffer in candidates for index in aliases(plan, buffer)}
        for more in range(1, plan.depth + 2):
            larger = plan
            for index in together:
                larger = grown(larger, [index], plan.buffers[index].slots + more)
            if moves(larger):
                each = [f"{plan.buffers[b].name} {plan.buffers[b].slots + more}" for b in candidates]
                remedies.append("these slot counts together: " + ", ".join(each))
                break
    fix = " or ".join(remedies) if remedies else "no slot count alone removes it"
    if plan.preload:
        fix += ", or lower preload"
    tasks = graph.rounds.total
    return make(
        "PTO1480",
        plan.loop or plan.stages[0].span,
        notes=lines,
        preload=plan.preload,
        where=f" for {tasks} task{'s' * (tasks != 1)}",
        fix=fix,
    )


def _story(graph: Graph, nodes: list[int]) -> list[str]:
    """One line for each wait, and for each step inside a core from one stage's run to another's."""
    plan = graph.plan
    lines: list[str] = []
    for node, following in zip(nodes, [*nodes[1:], nodes[0]], strict=True):
        here, there = _run(graph, node), _run(graph, following)
        if graph.kinds[node] == WAIT and graph.flag[node] == following:
            channel = plan.channels[graph.channel[node]]
            buffer = plan.buffers[channel.buffer].name
            line = f"{here} waits until {there} {VERBS[channel.direction]} {buffer}"
        elif here != there:
            line = f"{here} comes after {there} on the {graph.cores[node]} core"
        else:
            continue
        if not lines or lines[-1] != line:
            lines.append(line)
    return lines


def _run(graph: Graph, node: int) -> str:
    stage = graph.stages[node]
    if stage < 0:
        return f"the {graph.cores[node]} core's end of the loop"
    return f"{graph.plan.stages[stage].name} (task {graph.tasks[node]})"


def _candidates(graph: Graph, nodes: list[int]) -> list[int]:
    """Buffers whose free slots, or whose locks, the cycle waits for; credits first."""
    found: dict[int, None] = {}
    for node in nodes:
        if graph.kinds[node] == WAIT and graph.plan.channels[graph.channel[node]].credits:
            found[graph.plan.channels[graph.channel[node]].buffer] = None
    for node, following in zip(nodes, [*nodes[1:], nodes[0]], strict=True):
        if graph.kinds[node] != OPERATION or graph.kinds[following] != OPERATION:
            continue
        if following in graph.joins[node] or following in graph.weak[node]:
            first, second = graph.operations[node], graph.operations[following]
            if first is not None and second is not None:
                shared = {a.buffer for a in first.accesses} & {a.buffer for a in second.accesses}
                found.update(dict.fromkeys(sorted(shared)))
    return list(found)
