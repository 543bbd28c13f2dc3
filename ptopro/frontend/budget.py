"""Bounds of the evaluator: a hostile or unlucky file must neither hang nor exhaust memory.

`Budget.step` is paid for every node, iteration and item; `Budget.allocate` for every container, string and large
integer.  The limits are far above what constants of real kernel files need.
"""

from __future__ import annotations

from ptopro.frontend.failures import Abandoned
from ptopro.frontend.values import Opaque

STEPS_PER_STATEMENT = 400_000  # nodes evaluated for one module-level statement or one expression of a kernel
STEPS_PER_MODULE = 2_000_000
ITEMS = 4_000_000  # items of containers, and eighths of characters, over a whole run
MAX_INT_BITS = 8_192
MAX_LENGTH = 1_000_000  # items or characters of one value
MAX_CALL_DEPTH = 60


class Budget:
    """What is left of steps and memory."""

    __slots__ = ("depth", "items", "steps", "total")

    def __init__(self) -> None:
        self.steps = STEPS_PER_STATEMENT
        self.total = STEPS_PER_MODULE
        self.items = ITEMS
        self.depth = 0

    def renew(self) -> None:
        """Start the next module-level statement."""
        used = STEPS_PER_STATEMENT - self.steps
        self.total -= max(used, 0)
        self.steps = min(STEPS_PER_STATEMENT, max(self.total, 0))

    def reset(self) -> None:
        """Start an expression that lowering asks for: these do not add up."""
        self.steps = STEPS_PER_STATEMENT

    def step(self, count: int = 1) -> None:
        """Pay for work before it is done."""
        if count > self.steps:
            self.steps = 0
            raise Abandoned(Opaque("computing it takes more steps than ptopro spends on a constant"))
        self.steps -= count

    def allocate(self, items: int) -> None:
        """Pay for a value of so many items before it is made."""
        self.items -= items
        if items > MAX_LENGTH or self.items < 0:
            self.items += items
            raise Abandoned(Opaque("it takes more memory than ptopro spends on constants"))
        if items > 64:
            self.step(items // 8)

    def text(self, characters: int) -> None:
        """Pay for a string before it is made."""
        if characters > MAX_LENGTH:
            raise Abandoned(Opaque("it takes more memory than ptopro spends on constants"))
        self.allocate(characters // 8)

    def bits(self, count: int) -> None:
        """Check the size of an integer before it is made."""
        if count > MAX_INT_BITS:
            raise Abandoned(Opaque(f"the integer would have more than {MAX_INT_BITS} bits"))


def weigh(value: object, budget: Budget) -> None:
    """Pay one step for each item in a value, all levels, before comparing, hashing or printing it.

    Shared parts are counted as often as they are met, since that is what the operation will do.
    """
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, (list, tuple, set, frozenset)):
            budget.step(len(item) + 1)
            todo.extend(item)
        elif isinstance(item, dict):
            budget.step(2 * len(item) + 1)
            todo.extend(item.values())
            todo.extend(item)
        elif isinstance(item, str):
            budget.step(1 + len(item) // 64)
        elif hasattr(item, "attributes"):
            budget.step(1)
            todo.extend(item.attributes.values())
