"""`pl.system`, `pl.mutex`, `pl.simt`, `pl.pipeline` and `vf`: groups of names."""

from __future__ import annotations

from ptopro.language.surface import decorators
from ptopro.language.surface import pipeline as pipelines
from ptopro.language.surface.callables import KernelFunction
from ptopro.language.surface.errors import UsageAttributeError

# The register operations of vector functions.
VF_NAMES = (
    "create_mask", "update_mask", "get_mask_spr", "mask_gen_with_reg_tensor", "full", "load_align",
    "store_align", "load_unalign_init", "load_unalign_pre", "load_unalign", "load", "unalign_reg_for_store",
    "store_unalign", "store_unalign_post", "store", "gather", "scatter", "create_addr_reg", "move",
    "clear_spr", "mem_bar", "add", "sub", "mul", "div", "max", "min", "abs_sub", "mul_add_dst",
    "mul_dst_add", "and_", "or_", "xor", "not_", "exp", "ln", "log", "log2", "log10", "sqrt", "abs", "neg",
    "relu", "truncate", "adds", "subs", "muls", "maxs", "mins", "leaky_relu", "axpy", "prelu", "shift_left",
    "shift_right", "mull", "addc", "subc", "exp_sub", "muls_cast", "eq", "ne", "lt", "gt", "le", "ge",
    "select", "squeeze", "unsqueeze", "astype", "bit_cast", "reduce_sum", "reduce_max", "reduce_min",
    "pair_reduce_sum", "interleave", "de_interleave", "pack", "unpack", "arange", "histograms",
)  # fmt: skip


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


class VectorNamespace:
    """`vf`: register operations, known by name."""

    def __getattr__(self, name: str) -> KernelFunction:
        if name not in VF_NAMES:
            if name.startswith("__"):
                raise AttributeError(name)
            raise _missing("vf", name, list(VF_NAMES))
        member = KernelFunction(f"vf.{name}")
        setattr(self, name, member)
        return member

    def __dir__(self) -> list[str]:
        return sorted(VF_NAMES)

    def __repr__(self) -> str:
        return "<namespace vf>"


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
vf = VectorNamespace()
Vf = vf
