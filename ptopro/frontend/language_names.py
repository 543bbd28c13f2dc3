"""The names of the language, as `pl.<name>` is looked up, and the modules that they are imported from."""

from __future__ import annotations

import enum
from functools import lru_cache

from ptopro.diagnostics.build import make
from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import Failed
from ptopro.frontend.suggestions import did_you_mean
from ptopro.frontend.values import Dim, LanguageName, ModuleKind, ModuleValue, Value
from ptopro.language import enums
from ptopro.language.dtypes import DTYPES
from ptopro.language.enums import TensorLayout

LANGUAGE_MODULES = ("pypto_pro.language", "ptopro.language")
PACKAGES = ("pypto_pro", "ptopro")
TILING_KEY_MODULES = ("pypto_pro.runtime.tilingkey", "ptopro.runtime.tilingkey")
ENUMS: dict[str, type[enum.Enum]] = {
    name: value for name, value in vars(enums).items() if isinstance(value, type) and issubclass(value, enum.Enum)
}
ENUMS.pop("Enum", None)
CONSTANTS: dict[str, Value] = {
    **DTYPES,
    **ENUMS,
    **{layout.name: layout for layout in TensorLayout},
    "DYNAMIC": Dim.DYNAMIC,
    "STATIC": Dim.STATIC,
}
# Names with a capital that are callables or types, not constants.
TYPES = (
    "Tensor", "Ptr", "Scalar", "Tile", "TileType", "MemRef", "KernelDef", "PipelineConfig", "TilingKeyField", "Vf",
    "Array",
)  # fmt: skip
NAMESPACES = ("system", "vf", "simt", "mutex", "pipeline", "parser")


def resolve(name: str, span: Span | None = None) -> Value:
    """The value of `pl.<name>`: a constant, or a LanguageName that lowering looks up among the operations.

    Raises Failed (AttributeError, with a diagnostic) for a misspelt constant; operations are not checked here.
    """
    if name in CONSTANTS:
        return CONSTANTS[name]
    first, _, rest = name.partition(".")
    if first == "Vf":
        return LanguageName(f"vf.{rest}" if rest else "vf")
    if first in ("language", "pl") and rest:
        return resolve(rest, span)
    if first[:1].isupper() and first not in TYPES and "." not in name:
        known = (*CONSTANTS, *TYPES)
        diagnostic = make("PTO1104", span, name=name, hint=did_you_mean(name, known))
        raise Failed("AttributeError", f"the language has no '{name}'", span, diagnostic)
    return LanguageName(name)


@lru_cache(maxsize=1)
def star_names() -> dict[str, Value]:
    """What `from pypto_pro.language import *` binds: all public names, operations included."""
    names: dict[str, Value] = dict(CONSTANTS)
    names.update({name: LanguageName(name) for name in (*TYPES, *NAMESPACES)})
    names.update({name: LanguageName(name) for name in ("jit", "kernel", "vector_function", "inline", "function")})
    names.update({name: LanguageName(name) for name in operation_names() if "." not in name})
    return names


def operation_names() -> tuple[str, ...]:
    """The names of all operations of the language."""
    from ptopro.language.operations.table import OPERATIONS

    return tuple(OPERATIONS)


def language_module(name: str) -> Value:
    """The value of an imported module of the language's packages; None for other modules."""
    if name in LANGUAGE_MODULES:
        return ModuleValue(name, ModuleKind.LANGUAGE)
    if name in PACKAGES:
        language = ModuleValue(f"{name}.language", ModuleKind.LANGUAGE)
        return ModuleValue(name, ModuleKind.PACKAGE, {"language": language})
    for module in LANGUAGE_MODULES:
        if name in (f"{module}.Vf", f"{module}.vf"):
            return LanguageName("vf")
    return None
