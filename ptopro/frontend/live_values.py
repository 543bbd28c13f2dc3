"""Live objects of a running program as compile-time values.

Numbers, strings, containers, enums, dataclasses, classes of constants, functions (by their text), the language and the
provided part of the standard library have one; everything else is unknown.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import sys
import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ptopro.frontend.builtins import BUILTINS
from ptopro.frontend.language_names import LANGUAGE_MODULES
from ptopro.frontend.library import library_names
from ptopro.frontend.values import (
    BoundMethod,
    ClassKind,
    ClassValue,
    Dim,
    EnumMember,
    FieldValue,
    InstanceValue,
    IntMember,
    LanguageName,
    MethodWrapper,
    ModuleKind,
    ModuleValue,
    NamedTupleValue,
    Opaque,
    PartialValue,
    PipelineConfig,
    PtrAnnotation,
    StrMember,
    TensorAnnotation,
    TileAnnotation,
    TilingKeyField,
    Value,
)
from ptopro.language.dtypes import DType
from ptopro.language.surface import annotations as surface
from ptopro.language.tiles import TileSpec

if TYPE_CHECKING:
    from ptopro.frontend.live import Program
    from ptopro.frontend.source import SourceModule

PLAIN = (int, float, complex, str, bytes, bool, type(None), type(...), range)
LANGUAGE = (DType, TileSpec, PipelineConfig, TilingKeyField, Dim)
MAX_ITEMS = 1_000_000
SURFACE = "ptopro.language.surface"
# Names of the surface that are not spelled as after `pl.`.
RENAMED = {"stage": "pipeline.stage", "PipelineConfig": "pipeline.PipelineConfig", "simt_function": "simt.function"}


def convert(program: Program, value: Any) -> Value:
    """The compile-time value of a live object."""
    if type(value) in PLAIN or isinstance(value, LANGUAGE):
        return value
    known = program.converted.get(id(value))
    if known is not None:
        return known
    program.keep.append(value)
    try:
        made = _container(program, value)
        if made is None:
            made = _object(program, value)
    except RecursionError:
        made = Opaque("it is nested too deeply")
    program.converted[id(value)] = made
    return made


def _container(program: Program, value: Any) -> Value:
    """Lists, dicts and the like, item by item; None for other objects."""
    kind = type(value)
    if kind in (list, tuple, dict, set, frozenset) and len(value) > MAX_ITEMS:
        return Opaque("it has too many items")
    if kind is list:
        items: list[Value] = []
        program.converted[id(value)] = items  # a list may hold itself
        items.extend(convert(program, item) for item in value)
        return items
    if kind is dict:
        found: dict[Value, Value] = {}
        program.converted[id(value)] = found
        for key, item in value.items():
            found[convert(program, key)] = convert(program, item)
        return found
    if kind in (tuple, set, frozenset):
        return kind(convert(program, item) for item in value)
    return None


def _object(program: Program, value: Any) -> Value:
    if isinstance(value, enum.Enum):
        return _enum_member(program, value)
    if isinstance(value, types.ModuleType):
        return _module(program, value)
    if isinstance(value, type):
        return _class(program, value)
    language = _language(value)
    if language is not None:
        return language
    if isinstance(value, functools.partial):
        return PartialValue(
            convert(program, value.func),
            tuple(convert(program, item) for item in value.args),
            {name: convert(program, item) for name, item in value.keywords.items()},
        )
    if isinstance(value, types.MethodType):
        return BoundMethod(convert(program, value.__func__), convert(program, value.__self__))
    if isinstance(value, types.MappingProxyType):
        return convert(program, dict(value))
    if type(value).__name__ == "JitKernel":
        return Opaque(f"'{value.name}' is a kernel, and kernels do not call kernels")
    if callable(value):
        return _function(program, value)
    return _instance(program, value)


def _language(value: Any) -> Value:
    """Objects of the importable surface of the language; None for others."""
    module = getattr(value, "__module__", "") or ""
    if not module.startswith(SURFACE):
        return None
    if isinstance(value, surface.TensorType):
        rest = bool(value.dims) and value.dims[-1] is Ellipsis
        dims: Any = value.dims[:-1] if rest else value.dims
        return TensorAnnotation(dims, value.dtype, value.layout, rest)
    if isinstance(value, surface.PtrType):
        return PtrAnnotation(value.dtype)
    if isinstance(value, surface.ScalarType):
        return value.dtype
    if isinstance(value, surface.TileAnnotation):
        return TileAnnotation(value.shape, value.dtype)
    kind = type(value).__name__
    if kind == "Namespace":
        return LanguageName(value._name)
    if kind == "KernelFunction":
        return LanguageName(value.__qualname__)
    name = getattr(value, "__name__", "")
    return LanguageName(RENAMED.get(name, name)) if name else None


def is_users(module: str) -> bool:
    """Whether a module belongs to the program, not to Python, ptopro or an installed package."""
    root = module.split(".")[0]
    if root in ("ptopro", "pypto_pro", "pypto") or (root in sys.stdlib_module_names and root != "__main__"):
        return False
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return "site-packages" not in file and "dist-packages" not in file


def _module(program: Program, module: types.ModuleType) -> Value:
    name = module.__name__
    if name in LANGUAGE_MODULES:
        return ModuleValue(name, ModuleKind.LANGUAGE)
    provided = library_names(name)
    if provided is not None:
        return ModuleValue(name, ModuleKind.LIBRARY, provided)
    if name in ("ptopro", "pypto_pro"):
        language = ModuleValue(f"{name}.language", ModuleKind.LANGUAGE)
        return ModuleValue(name, ModuleKind.PACKAGE, {"language": language})
    file = getattr(module, "__file__", None)
    source = program.module(file, vars(module)) if file and is_users(name) else None
    if source is None:
        return Opaque(f"it belongs to the module '{name}', which is not part of the program")
    return ModuleValue(name, ModuleKind.SOURCE, source=source)


def _function(program: Program, value: Any) -> Value:
    """Functions of the program by their text, those of the library by their name."""
    module = getattr(value, "__module__", None) or ""
    name = getattr(value, "__name__", "")
    if module == "builtins" and name in BUILTINS:
        return BUILTINS[name]
    provided = library_names(module)
    if provided is not None and name in provided:
        return provided[name]
    for _ in range(16):  # decorators that keep the function they wrap
        if isinstance(value, types.FunctionType) and not hasattr(value, "__wrapped__"):
            break
        value = getattr(value, "__wrapped__", None)
    if isinstance(value, types.FunctionType) and is_users(value.__module__ or ""):
        found = program.function(value)
        if found is not None:
            return found
        return Opaque(f"the text of function '{name}' is not available")
    return Opaque(f"function '{name}' of module '{module}' is not evaluated")


# --------------------------------------------------------------------------------------------------------------------
# Classes and instances


def _source_of(program: Program, cls: type) -> SourceModule | None:
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None) or _file_of_methods(cls)
    if module is None or file is None:
        return None
    return program.module(file, vars(module))


def _file_of_methods(cls: type) -> str | None:
    """The file of a class of an interactive program: where one of its methods comes from."""
    for value in vars(cls).values():
        if isinstance(value, types.FunctionType):
            return value.__code__.co_filename
    return None


def _class(program: Program, cls: type) -> Value:
    if cls.__module__ == "builtins":
        return BUILTINS.get(cls.__name__, Opaque(f"class '{cls.__name__}' is not evaluated"))
    if cls.__module__ == "ptopro.language.enums" and issubclass(cls, enum.Enum):
        return cls
    language = _language(cls)
    if language is not None:
        return language
    provided = library_names(cls.__module__)
    if provided is not None and cls.__name__ in provided:
        return provided[cls.__name__]
    source = _source_of(program, cls) if is_users(cls.__module__) else None
    if source is None:
        return Opaque(f"class '{cls.__name__}' of module '{cls.__module__}' is not evaluated")
    node = next((n for n in ast.walk(source.tree) if isinstance(n, ast.ClassDef) and n.name == cls.__name__), None)
    made = ClassValue(cls.__name__, node, source, source.scope, _kind(cls))
    program.converted[id(cls)] = made  # methods and attributes may refer to it
    made.bases = tuple(convert(program, base) for base in cls.__bases__ if base is not object)
    if issubclass(cls, enum.Enum):
        made.mixin = next((kind for kind in (int, str) if issubclass(cls, kind)), None)
        made.attributes.update({name: _make_member(program, made, member) for name, member in cls.__members__.items()})
    for name, value in vars(cls).items():
        if name not in made.attributes and _is_shown(cls, name, value):
            made.attributes[name] = _attribute(program, value)
    if dataclasses.is_dataclass(cls):
        parameters: Any = getattr(cls, "__dataclass_params__", None)
        made.frozen = bool(parameters and parameters.frozen)
        made.ordered = bool(parameters and parameters.order)
        made.fields = tuple(_field(program, source, node, item) for item in dataclasses.fields(cls))
    elif made.kind is ClassKind.NAMED_TUPLE:
        made.fields = _named_tuple_fields(program, source, cls)
    return made


def _kind(cls: type) -> ClassKind:
    if issubclass(cls, enum.Enum):
        return ClassKind.ENUM
    if dataclasses.is_dataclass(cls):
        return ClassKind.DATACLASS
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return ClassKind.NAMED_TUPLE
    return ClassKind.EXCEPTION if issubclass(cls, BaseException) else ClassKind.PLAIN


def _is_shown(cls: type, name: str, value: object) -> bool:
    """Whether an attribute of a class was written by its author."""
    if name.startswith("_") and not name.startswith("__"):
        return not issubclass(cls, (enum.Enum, tuple))
    if not name.startswith("__"):
        return not isinstance(value, (types.MemberDescriptorType, types.GetSetDescriptorType))
    return isinstance(value, types.FunctionType) and not value.__code__.co_filename.startswith("<")


def _attribute(program: Program, value: object) -> Value:
    for kind, wrapped in ((staticmethod, "__func__"), (classmethod, "__func__"), (property, "fget")):
        if isinstance(value, kind):
            return MethodWrapper(kind.__name__, convert(program, getattr(value, wrapped)))
    if isinstance(value, functools.cached_property):
        return MethodWrapper("property", convert(program, value.func))
    return convert(program, value)


def _field(
    program: Program, source: SourceModule, node: ast.ClassDef | None, item: dataclasses.Field[Any]
) -> FieldValue:
    place: ast.AST = node if node is not None else source.tree
    for statement in node.body if node is not None else ():
        if isinstance(statement, ast.AnnAssign) and getattr(statement.target, "id", None) == item.name:
            place = statement.target
    kept: Any = isinstance(item.type, (str, DType))
    written: Any = item.type if kept else getattr(item.type, "__name__", "object")
    annotation = ast.copy_location(ast.Constant(written), place)
    has_default = item.default is not dataclasses.MISSING
    has_factory = item.default_factory is not dataclasses.MISSING
    return FieldValue(
        item.name,
        annotation,
        source.span(place),
        has_default,
        convert(program, item.default) if has_default else None,
        convert(program, item.default_factory) if has_factory else None,
        item.init,
        bool(getattr(item, "kw_only", False)),
    )


def _named_tuple_fields(program: Program, source: SourceModule, cls: Any) -> tuple[FieldValue, ...]:
    defaults: Mapping[str, object] = cls._field_defaults
    span = source.span(source.tree)
    return tuple(
        FieldValue(name, None, span, name in defaults, convert(program, defaults.get(name))) for name in cls._fields
    )


def _make_member(program: Program, cls: ClassValue, member: enum.Enum) -> Value:
    value = member.value
    if cls.mixin is int and isinstance(value, int):
        return IntMember.make(cls, member.name, value)
    if cls.mixin is str and isinstance(value, str):
        return StrMember.make(cls, member.name, value)
    return EnumMember(cls, member.name, convert(program, value))


def _enum_member(program: Program, value: enum.Enum) -> Value:
    owner = convert(program, type(value))
    if owner is type(value):  # an enum of the language
        return value
    if isinstance(owner, ClassValue):
        return owner.attributes.get(value.name, Opaque("it is a flag of several members"))
    return owner


def _instance(program: Program, value: Any) -> Value:
    """An object with attributes, of a class of the program; or a number of numpy."""
    kind = type(value)
    if kind.__module__ in ("numpy", "ml_dtypes") and getattr(value, "shape", None) == () and hasattr(value, "item"):
        number = value.item() if kind.__module__ == "numpy" else float(value)
        return number if type(number) in PLAIN else Opaque(f"it is a {kind.__name__} of numpy")
    cls = convert(program, kind)
    if not isinstance(cls, ClassValue):
        return Opaque(f"it is a {kind.__name__} of the running program")
    if cls.kind is ClassKind.NAMED_TUPLE:
        return NamedTupleValue.make(cls, tuple(convert(program, item) for item in value))
    made = InstanceValue(cls)
    program.converted[id(value)] = made
    names = [*getattr(value, "__dict__", {}), *(f.name for f in cls.fields)]
    for name in dict.fromkeys(names):
        made.attributes[name] = convert(program, getattr(value, name, None))
    return made
