"""Cross-core flags as counters: equal numbers of sets and waits, few enough pending, and in one order.

In: a Graph and its Order.  Out: a finding for each event id that breaks a rule.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from ptopro.expand.sync_graph_order import NONE, Order
from ptopro.expand.sync_graph_unroll import Graph

MOST_PENDING = 15


@dataclass(frozen=True, slots=True)
class FlagFault:
    """kind: "unequal", "pending" or "unordered".  core: the receiver.  number: sets at once; nodes: an example."""

    kind: str
    core: str
    event: int
    nodes: tuple[int, ...]
    sets: int = 0
    waits: int = 0


def unequal_flags(graph: Graph) -> Iterator[FlagFault]:
    """Ids with more sets than waits, or fewer."""
    for key in sorted(graph.sets.keys() | graph.waits.keys()):
        sets, waits = graph.sets.get(key, []), graph.waits.get(key, [])
        if len(sets) != len(waits):
            yield FlagFault("unequal", *key, (*sets[:1], *waits[:1]), len(sets), len(waits))


def flag_faults(graph: Graph, order: Order, without: frozenset[int] = NONE) -> Iterator[FlagFault]:
    """Ids whose sets or waits have no order, or of which too many sets can be pending.

    Pending when set j happens: all sets up to j, less the waits that are certainly over by then.
    """
    for key, sets in graph.sets.items():
        sets = [node for node in sets if graph.channel[node] not in without]
        waits = [node for node in graph.waits.get(key, ()) if graph.channel[node] not in without]
        fault = _unordered(graph, order, key, sets) or _unordered(graph, order, key, waits)
        if fault:
            yield fault
            continue
        if len(sets) <= MOST_PENDING:
            continue
        most, over = 0, 0
        for number, node in enumerate(sets, 1):
            while over < len(waits) and order.ordered(waits[over], node):
                over += 1
            most = max(most, number - over)
        if most > MOST_PENDING:
            yield FlagFault("pending", *key, (sets[0],), most)


def _unordered(graph: Graph, order: Order, key: tuple[str, int], nodes: list[int]) -> FlagFault | None:
    """Consecutive sets (or waits) of an id on different pipes that nothing orders."""
    for first, second in itertools.pairwise(nodes):
        if (graph.pipes[first], graph.cores[first]) == (graph.pipes[second], graph.cores[second]):
            continue
        if not order.ordered(first, second):
            return FlagFault("unordered", *key, (first, second))
    return None
