"""What happens before what: a topological order of the graph, and for each node what is complete when it starts.

In: a Graph, and which channels to leave out.  Out: an `Order`: `before[n]`, a bit set (a plain int) of the nodes that
are complete when n starts, in every execution.  `cycle` finds what blocks a graph that has no topological order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ptopro.expand.sync_graph_unroll import Graph

NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Order:
    """before[n]: nodes complete when n starts.  carried[n]: what n passes on (less, for a conditional operation)."""

    before: list[int]
    carried: list[int]

    def ordered(self, first: int, second: int) -> bool:
        """Whether `first` is complete when `second` starts."""
        return bool(self.before[second] >> first & 1)


def predecessors(graph: Graph, node: int) -> Iterator[int]:
    """Every node that must start before `node` can."""
    if graph.prev[node] >= 0:
        yield graph.prev[node]
    if graph.issue[node] >= 0:
        yield graph.issue[node]
    yield from graph.joins[node]
    yield from graph.weak[node]
    if graph.flag[node] >= 0:
        yield graph.flag[node]


def topological(graph: Graph) -> list[int] | None:
    """The nodes in an order that respects every edge; None when a cycle blocks."""
    programs = list(graph.program.values())
    flag = graph.flag
    done = bytearray(len(graph.cores))
    order: list[int] = []
    at = [0] * len(programs)
    moved = True
    while moved:
        moved = False
        for core, program in enumerate(programs):
            i = at[core]
            while i < len(program):
                node = program[i]
                source = flag[node]
                if source >= 0 and not done[source]:
                    break
                done[node] = 1
                order.append(node)
                i += 1
            moved = moved or i > at[core]
            at[core] = i
    if len(order) == len(done):
        return order
    return _by_degree(graph)


def _by_degree(graph: Graph) -> list[int] | None:
    """The same when a core must run on behind a pipe that waits."""
    count = len(graph.cores)
    degree = [0] * count
    after: list[list[int]] = [[] for _ in range(count)]
    for node in range(count):
        for source in predecessors(graph, node):
            degree[node] += 1
            after[source].append(node)
    order = [node for node in range(count) if not degree[node]]
    for node in order:
        for following in after[node]:
            degree[following] -= 1
            if not degree[following]:
                order.append(following)
    return order if len(order) == count else None


def closure(graph: Graph, order: list[int], without: frozenset[int] = NONE) -> Order:
    """What is complete when each node starts, with the flags of the channels in `without` left out."""
    count = len(graph.cores)
    before, carried = [0] * count, [0] * count
    prev, issue, bits, drained = graph.prev, graph.issue, graph.bits, graph.drained
    joins, weak, done, flag = graph.joins, graph.weak, graph.done, graph.flag
    inner, pipes = graph.inner, graph.pipes
    channel, conditional, together = graph.channel, graph.conditional, graph.together
    for node in order:
        known = bits[node]
        source = prev[node]
        if source >= 0:
            known |= carried[source]
        source = issue[node]
        if source >= 0:
            known |= carried[source] | 1 << source
        if channel[node] in without:
            before[node] = carried[node] = known
            continue
        full = known | drained[node]
        for source in joins[node]:
            full |= carried[source] | done[source]
        for source in weak[node]:
            full |= 1 << source | ((before[source] | done[source]) & together[source])
        for source in inner.get(node, ()):
            full |= before[source] if pipes[source] is pipes[node] else before[source] | done[source]
        source = flag[node]
        if source >= 0:
            full |= carried[source] | 1 << source
        before[node] = full
        carried[node] = known | (full & together[node]) if conditional[node] else full
    return Order(before, carried)


def cycle(graph: Graph) -> list[int]:
    """A cycle of nodes, each waiting for the next one.  The graph must have no topological order."""
    done = bytearray(len(graph.cores))
    degree = [0] * len(done)
    after: list[list[int]] = [[] for _ in done]
    for node in range(len(done)):
        for source in predecessors(graph, node):
            degree[node] += 1
            after[source].append(node)
    ready = [node for node in range(len(done)) if not degree[node]]
    for node in ready:
        done[node] = 1
        for following in after[node]:
            degree[following] -= 1
            if not degree[following]:
                ready.append(following)
    node = next(n for n in range(len(done)) if not done[n])
    seen: dict[int, int] = {}
    path: list[int] = []
    while node not in seen:
        seen[node] = len(path)
        path.append(node)
        node = min((p for p in predecessors(graph, node) if not done[p]), key=lambda p: graph.flag[p] < 0)
    return path[seen[node] :]
