"""The operation table: one entry for each operation, grouped by what it does.

`OPERATIONS`, `find` and `suggest` are loaded with the table when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptopro.language.operations.table import OPERATIONS, RENAMED_KEYWORDS, find, suggest

__all__ = ["OPERATIONS", "RENAMED_KEYWORDS", "find", "suggest"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(name)
    from ptopro.language.operations import table

    return getattr(table, name)
