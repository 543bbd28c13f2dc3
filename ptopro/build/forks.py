"""Compute many results of one function on several cores, where the function holds what no other process could be sent.

In: a function and items.  Out: its results, in order.  Each fork takes every n-th item; results come back pickled.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
_WORTH = 3  # items that pay for a fork


def mapped(function: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> list[Result]:
    """`[function(item) for item in items]` in up to `jobs` processes.  What the function raises is raised here."""
    count = min(jobs, len(items) // _WORTH)
    if count < 2:
        return [function(item) for item in items]
    context = multiprocessing.get_context("fork")
    forks = []
    for first in range(1, count):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(function, items[first::count], sender), daemon=True)
        process.start()
        sender.close()
        forks.append((first, process, receiver))
    results: list[Any] = [None] * len(items)
    results[::count] = [function(item) for item in items[::count]]  # this process works too
    for first, process, receiver in forks:
        results[first::count] = _received(receiver)
        process.join()
    return results


def _work(function: Callable[[Item], Result], items: Sequence[Item], sender: Connection) -> None:
    try:
        answer: tuple[Any, BaseException | None] = ([function(item) for item in items], None)
    except Exception as error:
        answer = ([], error)
    sender.send(answer)


def _received(receiver: Connection) -> list[Any]:
    found, error = receiver.recv()
    if error is not None:
        raise error
    return list(found)
