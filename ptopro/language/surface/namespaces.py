"""`pl.system`, `pl.mutex`, `pl.simt`, `pl.pipeline` and `vf`: groups of names."""

from __future__ import annotations

from ptopro.language.surface import decorators
from ptopro.language.surface import pipeline as pipelines
from ptopro.language.surface.callables import KernelFunction
from ptopro.language.surface.errors import UsageAttributeError


class Namespace:
    """`pl.<name>`: operations of the table that start with `<name>.`, and what is given besides."""

    def __init__(self, name: str, **members: object) -> None:
        self._name = name
        self.__dict__.update(members)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        from ptopro.language.operations.table import OPERATIONS

        operation = OPERATIONS.get(f"{self._name}.{name}")
        if operation is None:
            raise _missing(self._name, name, dir(self))
        member = KernelFunction(operation.name, operation)
        setattr(self, name, member)
        return member

    def __dir__(self) -> list[str]:
        from ptopro.language.operations.table import OPERATIONS

        own = [name for name in self.__dict__ if not name.startswith("_")]
        prefix = f"{self._name}."
        return sorted({*own, *(name.removeprefix(prefix) for name in OPERATIONS if name.startswith(prefix))})

    def __repr__(self) -> str:
        return f"<namespace pl.{self._name}>"


def _missing(namespace: str, name: str, among: list[str]) -> UsageAttributeError:
    from ptopro.language.operations.table import suggest

    meant = suggest(name, among)
    prefix = "vf" if namespace == "vf" else f"pl.{namespace}"
    hint = f"; did you mean {prefix}.{meant}?" if meant else ""
    return UsageAttributeError(f"{prefix} has no {name!r}{hint}")


system = Namespace("system")
mutex = Namespace("mutex")
simt = Namespace("simt", function=decorators.simt_function)
pipeline = Namespace("pipeline", stage=pipelines.stage, PipelineConfig=pipelines.PipelineConfig)
vf = Namespace("vf")
Vf = vf
