"""Contents of `pypto`: the options that host programs set round their kernels, which mean nothing on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])


class options:
    """`@pypto.options(pass_options={...})` and `with pypto.options(...):` - accepted, without effect."""

    def __init__(self, **given: Any) -> None:
        self.given = given

    def __call__(self, function: _Function) -> _Function:
        return function

    def __enter__(self) -> options:
        return self

    def __exit__(self, *error: object) -> None:
        return None


def set_pass_options(**given: Any) -> None:
    """Accepted, without effect."""


def set_host_options(**given: Any) -> None:
    """Accepted, without effect."""


def set_codegen_options(**given: Any) -> None:
    """Accepted, without effect."""


__all__ = ["options", "set_codegen_options", "set_host_options", "set_pass_options"]
