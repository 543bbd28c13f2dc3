"""Writes ptopro/language/__init__.pyi, from which editors complete: `python -m ptopro.language.stubs [--check]`.

In: the operation table and the names of the surface.  Out: one stub in which every operation has its signature and its
help text.  Types are those that are useful while writing a kernel: a scalar parameter behaves like a number, an element
type can annotate and be passed.
"""

from __future__ import annotations

import enum
import sys
import textwrap
from pathlib import Path

from ptopro.language import enums
from ptopro.language.dtypes import DTYPES, DType
from ptopro.language.operations.model import REQUIRED, Kind, Operand, Operation
from ptopro.language.operations.table import OPERATIONS
from ptopro.language.surface.names import MODULES
from ptopro.language.surface.signatures import default_text, help_text

TARGET = Path(__file__).with_name("__init__.pyi")

_HEAD = '''\
# Written by `python -m ptopro.language.stubs` from the operation table; do not edit.
# ruff: noqa
# fmt: off
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeAlias, TypeVar, overload

from ptopro.language.surface.annotations import DYNAMIC as DYNAMIC, STATIC as STATIC, MemRef as MemRef
from ptopro.language.surface.pipeline import PipelineConfig as _PipelineConfig
from ptopro.language.surface.tiling import TilingKeyField as TilingKeyField
from ptopro.language.dtypes import DType as DataType

_F = TypeVar("_F", bound=Callable[..., Any])
Number: TypeAlias = int | float
Offsets: TypeAlias = Sequence[Any]

class Tile:
    """A tile: two axes, an element type, a memory."""
    shape: tuple[int, int]
    valid_shape: tuple[int, int]
    def __class_getitem__(cls, item: Any) -> Any: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def __add__(self, offset: int) -> Any: ...

class TileGroup:
    """Tiles of one type that take turns."""
    def next(self) -> Tile:
        """Move the cursor on by one and return the tile there (the first call: slot 0)."""
    def current(self) -> Tile:
        """The tile at the cursor."""
    def previous(self) -> Tile:
        """The tile before the cursor."""
    def __getitem__(self, index: int) -> Tile: ...

class Tensor:
    """A tensor in global memory: `x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP16]`."""
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    def __class_getitem__(cls, item: Any) -> Any: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...

class Ptr:
    """A pointer into global memory: `p: pl.Ptr[pl.DT_FP16]`."""
    def __class_getitem__(cls, item: Any) -> Any: ...
    def __add__(self, offset: int) -> Ptr: ...

class Scalar:
    def __class_getitem__(cls, item: Any) -> Any: ...

class Register:
    """A register of a vector function: 256 bytes of lanes."""

class Mask:
    """The lanes that take part in a register operation."""

class AddressRegister:
    """An offset that the surrounding loops of a vector function move on."""

class UnalignRegister:
    """The carry buffer of unaligned loads and stores."""

class KernelDef:
    """A kernel: `kernel[block_dim](...)` or `kernel[stream, block_dim](...)` launches it."""
    def __getitem__(self, item: Any) -> Callable[..., None]: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class _ElementType(type):
    def bits(cls) -> int: ...
    def get_bit(cls) -> int: ...
    def is_float(cls) -> bool: ...
    def is_int(cls) -> bool: ...
    def is_signed_int(cls) -> bool: ...
    def is_unsigned_int(cls) -> bool: ...
    def to_string(cls) -> str: ...
    def to_c_type_string(cls) -> str: ...

'''

_DECORATORS = '''\
@overload
def jit(target: Callable[..., Any], /) -> KernelDef: ...
@overload
def jit(
    *,
    arch: str | None = None,
    auto_mutex: bool = True,
    name: str | None = None,
    pipeline: _PipelineConfig | None = None,
    tiling_key: type | None = None,
    datatype: Mapping[str, str] | None = None,
    compile_timeout: float | None = None,
) -> Callable[[Callable[..., Any]], KernelDef]:
    """A kernel that is launched with kernel[block_dim](...)."""

@overload
def kernel(target: Callable[..., Any], /) -> KernelDef: ...
@overload
def kernel(
    *,
    meta_data: Any = None,
    name: str | None = None,
    func_type: FunctionType = ...,
    strict_ssa: bool = False,
    auto_mutex: bool = True,
    pipeline: _PipelineConfig | None = None,
    arch: str | None = None,
) -> Callable[[Callable[..., Any]], KernelDef]:
    """A kernel that is only transpiled."""

@overload
def vector_function(target: _F, /) -> _F: ...
@overload
def vector_function(*, mode: str | None = None, max_threads: int | None = None) -> Callable[[_F], _F]:
    """Register code; with mode="simt" a SIMT function."""

def function(target: Any = None, /, *, type: FunctionType = ..., strict_ssa: bool = False) -> Any: ...
def program(target: Any = None, /, *, strict_ssa: bool = False) -> Any: ...
def inline(target: _F) -> _F: ...

def range(start: int, stop: int | None = None, step: int = 1) -> Iterator[int]:
    """A loop of the kernel."""
def section_vector() -> AbstractContextManager[None]:
    """Statements of the vector cores only."""
def section_cube() -> AbstractContextManager[None]:
    """Statements of the cube core only."""
def section_vf() -> AbstractContextManager[None]:
    """Register code inside a vector section."""

'''

_NAMESPACE_EXTRAS = {
    "simt": '''\
    @staticmethod
    def function(target: Any = None, /, *, max_threads: int | None = None) -> Any:
        """A SIMT function that pl.simt.launch runs; without max_threads, its helper."""
''',
    "pipeline": '''\
    PipelineConfig: TypeAlias = _PipelineConfig
    @staticmethod
    def stage(fn: _F) -> _F:
        """The helper is a stage of the pipeline."""
''',
}

# Result types by `Operation.returns`, and parameter types of constructors, which know more than their Kind says.
_RETURNS = {
    "": "None",
    "scalar": "Any",
    "tile": "Tile",
    "tile_group": "TileGroup",
    "tile_type": "TileType",
    "tensor": "Tensor",
    "ptr": "Ptr",
    "struct": "Any",
    "tuple": "Any",
    "register": "Register",
    "mask": "Mask",
    "address": "AddressRegister",
    "unalign": "UnalignRegister",
}


def stub_text() -> str:
    """The whole stub."""
    parts = [_HEAD, *(_element_type(dtype) for dtype in DTYPES.values())]
    parts += [_enumeration(name) for name in MODULES["enums"]]
    parts.append("".join(f"{name} = TensorLayout.{name}\n" for name in MODULES["surface.layout_names"]))
    parts.append(_tile_type(OPERATIONS["TileType"]))
    parts.append(_DECORATORS)
    plain = [op for op in OPERATIONS.values() if "." not in op.name and op.name != "TileType"]
    parts += [_function(operation, "") for operation in plain]
    parts += [_namespace(name) for name in ("system", "mutex", "simt", "pipeline", "vf")]
    parts.append("Vf: _vf")
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _element_type(dtype: DType) -> str:
    base = "float" if dtype.is_float else "int"
    return f"class {dtype.name}({base}, metaclass=_ElementType): ...  # {dtype.c or 'no C++ type'}"


def _enumeration(name: str) -> str:
    kind: type[enum.Enum] = getattr(enums, name)
    doc = kind.__doc__ or ""
    lines = [f"class {name}(enum.Enum):"]
    if doc and not doc.startswith("An enumeration"):
        lines.append(f'    """{doc.strip()}"""')
    lines += [f"    {member.name} = {member.value!r}" for member in kind]
    return "\n".join(lines) + "\n"


def _tile_type(operation: Operation) -> str:
    text = (
        _function(operation, "    ").replace("def TileType(", "def __init__(self, ").replace("-> TileType:", "-> None:")
    )
    return f"class TileType:\n{text}"


def _function(operation: Operation, indent: str) -> str:
    name = operation.name.rpartition(".")[2]
    returns = _RETURNS[operation.returns]
    head = f"def {name}({', '.join(_parameters(operation))}) -> {returns}:"
    doc = textwrap.indent(f'"""{help_text(operation)}\n"""', "    ")
    return textwrap.indent(f"{head}\n{doc}\n", indent)


def _parameters(operation: Operation) -> list[str]:
    parts: list[str] = []
    starred = False
    for operand in operation.operands:
        if operand.variadic:
            parts.append(f"{'**' if operand.keyword_only else '*'}{operand.name}: Any")
            starred = True
            continue
        if operand.keyword_only and not starred:
            parts.append("*")
            starred = True
        default = "" if operand.default is REQUIRED else f" = {_default(operand)}"
        parts.append(f"{operand.name}: {_annotation(operand)}{default}")
    return parts


def _default(operand: Operand) -> str:
    """Defaults of the stub: enumeration members without the `pl.` that they have inside a kernel."""
    return default_text(operand.default).removeprefix("pl.")


def _annotation(operand: Operand) -> str:
    names: list[str] = []
    if operand.attr_type is not None:
        names.append(operand.attr_type.__name__)
    elif Kind.ATTR in operand.kind or Kind.STRUCT in operand.kind:
        return "Any"
    if Kind.TILE in operand.kind:
        names.append("Tile")
    if Kind.TENSOR in operand.kind:
        names.append("Tensor")
    if Kind.PTR in operand.kind:
        names.append("Ptr")
    if Kind.SCALAR in operand.kind:
        names.append("Number")
    if Kind.OFFSETS in operand.kind:
        names.append("Offsets")
    registers = {
        Kind.REGISTER: "Register",
        Kind.MASK: "Mask",
        Kind.ADDRESS: "AddressRegister",
        Kind.UNALIGN: "UnalignRegister",
    }
    names += [name for kind, name in registers.items() if kind in operand.kind]
    if operand.default is None:
        names.append("None")
    return " | ".join(names)


def _namespace(name: str) -> str:
    lines = [f"class _{name}:"]
    for operation in OPERATIONS.values():
        if operation.name.startswith(f"{name}."):
            lines.append("    @staticmethod\n" + _function(operation, "    ").rstrip("\n"))
    lines.append(_NAMESPACE_EXTRAS.get(name, "").rstrip("\n"))
    return "\n".join(line for line in lines if line) + f"\n\n{name}: _{name}\n"


def main(arguments: list[str]) -> int:
    """Write the stub; with --check only say whether it is up to date (exit code 1 when not)."""
    text = stub_text()
    if "--check" in arguments:
        current = TARGET.read_text(encoding="utf-8") if TARGET.exists() else ""
        if current != text:
            print(f"{TARGET.name} is out of date: run python -m ptopro.language.stubs")
            return 1
        return 0
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
