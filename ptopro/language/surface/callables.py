"""Operations as Python objects: a name, a signature and a help text; calling one says that it belongs in a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ptopro.language.surface.errors import outside_kernel

if TYPE_CHECKING:
    import inspect

    from ptopro.language.operations.model import Operation


class KernelFunction:
    """`pl.<name>`: what editors complete and `help()` shows."""

    __slots__ = ("__name__", "__qualname__", "operation")

    def __init__(self, name: str, operation: Operation) -> None:
        self.__qualname__ = name
        self.__name__ = name.rpartition(".")[2]
        self.operation = operation

    def __call__(self, *args: object, **kwargs: object) -> NoReturn:
        raise outside_kernel(self.__qualname__)

    def __repr__(self) -> str:
        return f"<kernel function pl.{self.__qualname__}>"

    @property
    def __signature__(self) -> inspect.Signature:
        from ptopro.language.surface.signatures import signature_of

        return signature_of(self.operation)

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        from ptopro.language.surface.signatures import help_text

        return help_text(self.operation)
