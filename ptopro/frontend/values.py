"""The values of compile time.

A value is a plain Python int, float, complex, str, bytes, bool, None, Ellipsis, tuple, list, dict, set, frozenset or
range; a `DType`, a language enum (class or member), a `TileSpec`, a `PipelineConfig`, a `TilingKeyField`; or one of the
classes below.  What the evaluator cannot know is an `Opaque`; it remembers why and where it became unknown.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from ptopro.diagnostics.core import Diagnostic
from ptopro.diagnostics.span import Span
from ptopro.language.dtypes import DType
from ptopro.language.enums import TensorLayout
from ptopro.language.surface.annotations import Dimension as Dim
from ptopro.language.surface.pipeline import PipelineConfig
from ptopro.language.surface.tiling import TilingKeyField
from ptopro.records import entity, record

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator
    from ptopro.frontend.kernels import KernelSource
    from ptopro.frontend.scope import Scope
    from ptopro.frontend.source import SourceModule

Value: TypeAlias = Any
Callback: TypeAlias = "Callable[[Evaluator, list[Value], dict[str, Value], Span], Value]"

__all__ = [
    "BoundMethod", "BuiltinValue", "ClassKind", "ClassValue", "Dim", "EnumMember", "FieldValue", "FunctionKind",
    "FunctionValue", "InstanceValue", "IntMember", "IteratorValue", "KernelDecorator", "KernelSource", "LanguageName",
    "ModuleKind", "ModuleValue", "NamedTupleValue", "Opaque", "PartialValue", "PipelineConfig", "PtrAnnotation",
    "StrMember", "TensorAnnotation", "TileAnnotation", "TilingKeyField", "Value", "type_name",
]  # fmt: skip


@entity
class Opaque:
    """An unknown value.  reason completes "... is not known at compile time: <reason>"; span: where it became so.

    diagnostic: set when what made it unknown is an error of its own, to be shown if a kernel needs the value.
    """

    reason: str
    span: Span | None = None
    diagnostic: Diagnostic | None = None


@record
class LanguageName:
    """A callable, namespace or decorator of the language, named as after `pl.`: "load", "system.bar_all", "vf.add"."""

    name: str

    def __repr__(self) -> str:
        return f"pl.{self.name}"


class FunctionKind(enum.Enum):
    """What a function of the kernel file is to the kernel that calls it."""

    HELPER = "helper"
    VECTOR_FUNCTION = "vector_function"
    SIMT = "simt"
    STAGE = "stage"
    INLINE = "inline"


@entity
class FunctionValue:
    """A function or lambda of a kernel file; scope is where it was defined (its closure).

    decorators: values of the decorators, outermost first; keywords: what the kind's decorator was called with
    (max_threads of a SIMT function); owner: the class whose body defines it.
    """

    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    module: SourceModule
    scope: Scope
    kind: FunctionKind = FunctionKind.HELPER
    decorators: tuple[Value, ...] = ()
    defaults: tuple[Value, ...] = ()  # of the last positional parameters
    kw_defaults: dict[str, Value] = field(default_factory=dict)
    keywords: dict[str, Value] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<function {self.name}>"


@entity
class BoundMethod:
    """A function looked up on an instance or class: `self` is passed first."""

    function: Value
    instance: Value


@entity
class BuiltinValue:
    """A function that the evaluator itself provides: a builtin, a function of `math`, a method of a plain value."""

    name: str
    call: Callback

    def __repr__(self) -> str:
        return f"<built-in {self.name}>"


@entity
class TypeValue(BuiltinValue):
    """A builtin type: int, list, ValueError ...; python: what isinstance tests for."""

    python: type = object

    def __repr__(self) -> str:
        return f"<class '{self.name}'>"


@entity
class PartialValue:
    """`functools.partial`."""

    function: Value
    args: tuple[Value, ...]
    kwargs: dict[str, Value]


@dataclass(slots=True, eq=False)
class MethodWrapper:
    """`staticmethod`, `classmethod` or `property` round a function of a class body."""

    kind: str
    function: Value


@dataclass(slots=True, eq=False)
class IteratorValue:
    """What zip, enumerate, map and generator expressions give."""

    iterator: Iterator[Value]


class ClassKind(enum.Enum):
    PLAIN = "class"
    DATACLASS = "dataclass"
    ENUM = "enum"
    NAMED_TUPLE = "named tuple"
    EXCEPTION = "exception"


@entity
class FieldValue:
    """A field of a dataclass or named tuple.  default and factory are None-able, so presence is told by has_default."""

    name: str
    annotation: ast.expr | None
    span: Span
    has_default: bool = False
    default: Value = None
    factory: Value = None  # of field(default_factory=...)
    init: bool = True
    keyword_only: bool = False


@dataclass(slots=True, eq=False)
class ClassValue:
    """A class of the kernel file.  attributes: its own, in order; fields: of dataclasses and named tuples, inherited
    ones first."""

    name: str
    node: ast.ClassDef | None
    module: SourceModule
    scope: Scope
    kind: ClassKind
    bases: tuple[Value, ...] = ()
    attributes: dict[str, Value] = field(default_factory=dict)
    fields: tuple[FieldValue, ...] = ()
    frozen: bool = False
    ordered: bool = False
    mixin: type | None = None  # int or str for IntEnum, StrEnum and the like

    def lookup(self, name: str) -> tuple[bool, Value]:
        """Whether the class or a base has the attribute, and its value."""
        if name in self.attributes:
            return True, self.attributes[name]
        for base in self.bases:
            if isinstance(base, ClassValue):
                found, value = base.lookup(name)
                if found:
                    return True, value
        return False, None

    @property
    def members(self) -> list[Value]:
        """The members of an enum, in order; a second name of a member counts once."""
        found = {id(v): v for v in self.attributes.values() if isinstance(v, (EnumMember, IntMember, StrMember))}
        return list(found.values())

    def is_subclass_of(self, other: Value) -> bool:
        return self is other or any(
            base is other or (isinstance(base, ClassValue) and base.is_subclass_of(other)) for base in self.bases
        )

    def __repr__(self) -> str:
        return f"<class {self.name}>"


@dataclass(slots=True, eq=False)
class InstanceValue:
    """An instance of a ClassValue.  Dataclass instances compare, and when frozen hash, by their fields."""

    cls: ClassValue
    attributes: dict[str, Value] = field(default_factory=dict)

    def key(self) -> tuple[Value, ...]:
        """The values of the fields, which comparisons and hashes go by."""
        return tuple(self.attributes.get(f.name) for f in self.cls.fields)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if self.cls.kind is not ClassKind.DATACLASS or not isinstance(other, InstanceValue):
            return False
        return self.cls is other.cls and self.key() == other.key()

    def __hash__(self) -> int:
        if self.cls.kind is ClassKind.DATACLASS:
            if not self.cls.frozen:
                raise TypeError(f"unhashable type: '{self.cls.name}'")
            return hash(self.key())
        return id(self)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.attributes.items())
        return f"{self.cls.name}({fields})"


@entity
class EnumMember:
    """A member of an enum defined in a kernel file whose members are no ints or strings."""

    cls: ClassValue
    name: str
    value: Value

    def __repr__(self) -> str:
        return f"{self.cls.name}.{self.name}"


class IntMember(int):
    """A member of an IntEnum or IntFlag: an int with a name."""

    cls: ClassValue
    name: str

    @classmethod
    def make(cls, owner: ClassValue, name: str, value: int) -> IntMember:
        member = cls(value)
        member.cls = owner
        member.name = name
        return member


class StrMember(str):
    """A member of a StrEnum, or of an enum that also derives from str."""

    __slots__ = ("cls", "name")
    cls: ClassValue
    name: str

    @classmethod
    def make(cls, owner: ClassValue, name: str, value: str) -> StrMember:
        member = cls(value)
        member.cls = owner
        member.name = name
        return member


class NamedTupleValue(tuple[Value, ...]):
    """An instance of a NamedTuple class."""

    cls: ClassValue

    @classmethod
    def make(cls, owner: ClassValue, items: tuple[Value, ...]) -> NamedTupleValue:
        made = cls(items)
        made.cls = owner
        return made


class EnvironmentVariables(dict[str, str]):
    """`os.environ`: a variable that is not set has no known value."""


class ModuleKind(enum.Enum):
    SOURCE = "source"  # a sibling file; names come from its scope
    LIBRARY = "library"  # a module of the standard library, in the part that the evaluator provides
    LANGUAGE = "language"  # pypto_pro.language, ptopro.language
    PACKAGE = "package"  # a package on the way to one of the above


@dataclass(slots=True, eq=False)
class ModuleValue:
    """An imported module.  names: what a library module or package provides; source: the file of a SOURCE module."""

    name: str
    kind: ModuleKind
    names: dict[str, Value] = field(default_factory=dict)
    source: SourceModule | None = None

    def __repr__(self) -> str:
        return f"<module {self.name}>"


@record
class TensorAnnotation:
    """`pl.Tensor[[dims], dtype, layout]`.  rest: a trailing `...`, zero or more further STATIC dims."""

    dims: tuple[int | Dim, ...]
    dtype: DType
    layout: TensorLayout = TensorLayout.ND
    rest: bool = False


@record
class PtrAnnotation:
    """`pl.Ptr[dtype]`."""

    dtype: DType


@record
class TileAnnotation:
    """`pl.Tile` or `pl.Tile[[rows, cols], dtype]` on a helper's parameter."""

    shape: tuple[Value, ...] = ()
    dtype: DType | None = None


@record
class ArrayType:
    """`int[4]`: the type of an array field of a tiling dataclass."""

    element: str
    length: int


@entity
class KernelDecorator:
    """`pl.jit(...)`, `pl.kernel(...)` and other decorators of the language after their options were given."""

    name: str
    keywords: dict[str, Value]
    spans: dict[str, Span]  # of each keyword's value
    span: Span


def type_name(value: Value) -> str:
    """What a message calls the type of a value."""
    if isinstance(value, (InstanceValue, EnumMember, NamedTupleValue, IntMember, StrMember)):
        return value.cls.name
    if isinstance(value, (FunctionValue, BuiltinValue, PartialValue, BoundMethod)):
        return "function"
    if isinstance(value, ClassValue):
        return "class"
    if isinstance(value, ModuleValue):
        return "module"
    if value is None:
        return "None"
    if isinstance(value, DType):
        return "dtype"
    if isinstance(value, type):
        return f"class {value.__name__}"
    return type(value).__name__


def __getattr__(name: str) -> Any:  # KernelSource is defined with the kernels, and is a value too
    if name == "KernelSource":
        from ptopro.frontend.kernels import KernelSource

        return KernelSource
    raise AttributeError(name)
