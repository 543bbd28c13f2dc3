"""`value.name` on compile-time values."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from ptopro.diagnostics.build import make
from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import Failed
from ptopro.frontend.methods import METHODS, bound_method
from ptopro.frontend.scope import MISSING
from ptopro.frontend.suggestions import did_you_mean
from ptopro.frontend.values import (
    BoundMethod,
    BuiltinValue,
    ClassKind,
    ClassValue,
    EnumMember,
    FunctionValue,
    InstanceValue,
    IntMember,
    LanguageName,
    MethodWrapper,
    ModuleKind,
    ModuleValue,
    NamedTupleValue,
    Opaque,
    PartialValue,
    StrMember,
    TilingKeyField,
    TypeValue,
    Value,
    type_name,
)
from ptopro.language.dtypes import DType
from ptopro.language.tiles import TileSpec

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def get_attribute(ev: Evaluator, value: Value, name: str, span: Span) -> Value:
    """`value.name`.  Raises Failed (AttributeError) when there is none."""
    if isinstance(value, Opaque):
        return value
    if isinstance(value, LanguageName):
        from ptopro.frontend.language_names import resolve

        return resolve(f"{value.name}.{name}", span)
    if isinstance(value, ModuleValue):
        return _of_module(ev, value, name, span)
    if isinstance(value, InstanceValue):
        return _of_instance(ev, value, name, span)
    if isinstance(value, ClassValue):
        return _of_class(value, name, span)
    if isinstance(value, (EnumMember, IntMember, StrMember)) and name in ("name", "value"):
        from ptopro.frontend.classes import member_value

        return value.name if name == "name" else member_value(value)
    if isinstance(value, EnumMember):
        return _of_owner(ev, value, value.cls, name, span)
    if isinstance(value, NamedTupleValue):
        return _of_named_tuple(ev, value, name, span)
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return _of_language_enum(value, name, span)
    if isinstance(value, enum.Enum) and name in ("name", "value"):
        return getattr(value, name)
    simple = _of_description(value, name)
    if simple is not MISSING:
        return simple
    for kind, names in METHODS:
        if isinstance(value, kind):
            if name in names:
                return bound_method(value, name)
            if isinstance(value, (IntMember, StrMember)):
                return _of_owner(ev, value, value.cls, name, span)
            raise _no_attribute(value, name, names, span)
    from ptopro.frontend.kernels import KernelSource

    if isinstance(value, KernelSource):
        return ev.unknown(f"attributes of kernel '{value.name}' exist in a running program only", span)
    if name == "__name__" and isinstance(value, (FunctionValue, BuiltinValue)):
        return value.name
    if isinstance(value, TypeValue):
        return ev.unknown(f"{value.name}.{name} is not evaluated", span)
    if isinstance(value, (FunctionValue, BuiltinValue, MethodWrapper, PartialValue, BoundMethod)):
        return ev.unknown(f"attributes of functions are not evaluated ({name})", span)
    raise _no_attribute(value, name, (), span)


def _no_attribute(value: Value, name: str, known: object, span: Span) -> Failed:
    names = [n for n in known if isinstance(n, str)] if isinstance(known, (list, tuple, set, frozenset, dict)) else []
    owner = type_name(value)
    diagnostic = make("PTO1108", span, owner=owner, name=name, hint=did_you_mean(name, names))
    return Failed("AttributeError", f"{owner} has no attribute '{name}'", span, diagnostic)


def _of_module(ev: Evaluator, module: ModuleValue, name: str, span: Span) -> Value:
    if name in module.names:
        return module.names[name]
    if module.kind is ModuleKind.LANGUAGE:
        from ptopro.frontend.language_names import resolve

        return resolve(name, span)
    if module.kind is ModuleKind.SOURCE and module.source is not None:
        value = module.source.scope.get(name)
        if value is not MISSING:
            return value
        diagnostic = make(
            "PTO1108", span, owner=f"module '{module.name}'", name=name,
            hint=did_you_mean(name, module.source.scope.names),
        )  # fmt: skip
        raise Failed("AttributeError", f"module '{module.name}' has no attribute '{name}'", span, diagnostic)
    return ev.unknown(f"{module.name}.{name} is not evaluated", span)


def _of_instance(ev: Evaluator, value: InstanceValue, name: str, span: Span) -> Value:
    if name in value.attributes:
        return value.attributes[name]
    if name == "__class__":
        return value.cls
    if name == "__dict__":
        return value.attributes
    return _of_owner(ev, value, value.cls, name, span)


def _of_owner(ev: Evaluator, value: Value, cls: ClassValue, name: str, span: Span) -> Value:
    """An attribute that an instance finds in its class."""
    found, attribute = cls.lookup(name)
    if not found:
        unknown = _unknown_base(cls)
        if unknown is not None:
            return unknown
        getter, method = cls.lookup("__getattr__")
        if getter:
            return ev.call_value(method, [value, name], {}, span)
        known = {*cls.attributes, *(f.name for f in cls.fields)}
        if isinstance(value, InstanceValue):
            known.update(value.attributes)
        raise _no_attribute(value, name, known, span)
    if isinstance(attribute, MethodWrapper):
        if attribute.kind == "property":
            return ev.call_value(attribute.function, [value], {}, span)
        return attribute.function if attribute.kind == "staticmethod" else BoundMethod(attribute.function, cls)
    if isinstance(attribute, FunctionValue):
        return BoundMethod(attribute, value)
    return attribute


def _unknown_base(cls: ClassValue) -> Opaque | None:
    for base in cls.bases:
        if isinstance(base, Opaque):
            return base
        if isinstance(base, ClassValue):
            unknown = _unknown_base(base)
            if unknown is not None:
                return unknown
    return None


def _of_class(cls: ClassValue, name: str, span: Span) -> Value:
    found, attribute = cls.lookup(name)
    if found:
        if isinstance(attribute, MethodWrapper):
            if attribute.kind == "classmethod":
                return BoundMethod(attribute.function, cls)
            return attribute.function
        return attribute
    if name in ("__name__", "__qualname__"):
        return cls.name
    if name == "__members__" and cls.kind is ClassKind.ENUM:
        return {member.name: member for member in cls.members}
    if name == "_fields" and cls.kind is ClassKind.NAMED_TUPLE:
        return tuple(f.name for f in cls.fields)
    if name == "__doc__":
        return None
    unknown = _unknown_base(cls)
    if unknown is not None:
        return unknown
    diagnostic = make("PTO1108", span, owner=f"class '{cls.name}'", name=name, hint=did_you_mean(name, cls.attributes))
    raise Failed("AttributeError", f"class '{cls.name}' has no attribute '{name}'", span, diagnostic)


def _of_named_tuple(ev: Evaluator, value: NamedTupleValue, name: str, span: Span) -> Value:
    names = [f.name for f in value.cls.fields]
    if name in names:
        return value[names.index(name)]
    if name == "_fields":
        return tuple(names)
    if name == "_asdict":
        return BuiltinValue(name, lambda ev, args, kwargs, span: dict(zip(names, value, strict=True)))
    if name == "_replace":
        return BuiltinValue(
            name,
            lambda ev, args, kwargs, span: NamedTupleValue.make(
                value.cls, tuple(kwargs.get(n, item) for n, item in zip(names, value, strict=True))
            ),
        )
    if name in ("index", "count"):
        return bound_method(value, name)
    return _of_owner(ev, value, value.cls, name, span)


def _of_language_enum(value: type[enum.Enum], name: str, span: Span) -> Value:
    member = value.__members__.get(name)
    if member is not None:
        return member
    if name in ("__name__", "__members__"):
        return getattr(value, name) if name == "__name__" else dict(value.__members__)
    hint = did_you_mean(name, value.__members__)
    if not hint:
        hint = "members: " + ", ".join(value.__members__)
    diagnostic = make("PTO1105", span, enum=value.__name__, name=name, hint=hint)
    raise Failed("AttributeError", f"pl.{value.__name__} has no member '{name}'", span, diagnostic)


def _of_description(value: Value, name: str) -> Value:
    """Attributes of dtypes, fields of tiling keys and tile types."""
    if isinstance(value, DType) and name in ("name", "bits", "bytes"):
        return getattr(value, name)
    if isinstance(value, TilingKeyField) and name in ("bits", "values"):
        return getattr(value, name)
    if isinstance(value, TileSpec):
        names = {"target_memory": "memory"}
        name = names.get(name, name)
        if name in ("shape", "dtype", "memory", "valid_shape", "layout", "fractal", "pad", "compact"):
            return getattr(value, name)
    return MISSING
