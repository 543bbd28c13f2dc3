"""Classes of kernel files: constants, dataclasses, enums, named tuples, exceptions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import Failed
from ptopro.frontend.scope import Scope, bound_names
from ptopro.frontend.statements import execute
from ptopro.frontend.values import (
    BuiltinValue,
    ClassKind,
    ClassValue,
    EnumMember,
    FieldValue,
    FunctionValue,
    InstanceValue,
    IntMember,
    MethodWrapper,
    NamedTupleValue,
    Opaque,
    StrMember,
    TypeValue,
    Value,
)

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator
    from ptopro.frontend.source import SourceModule

ENUM_BASES = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}


def define_class(ev: Evaluator, node: ast.ClassDef, scope: Scope) -> Value:
    """The value of a class statement."""
    from ptopro.frontend.decorators import decorate_class

    bases = tuple(ev.evaluate(base, scope) for base in node.bases if not isinstance(base, ast.Starred))
    body = Scope(scope.module, scope, local_names=frozenset(), class_body=True, guarded=True)
    kind, mixin = _kind(bases)
    body.names["__qualname__"] = node.name
    execute(ev, node.body, body)
    del body.names["__qualname__"]
    cls = ClassValue(node.name, node, scope.module, scope.closure(), kind, bases, body.names, mixin=mixin)
    if kind is ClassKind.ENUM:
        _make_members(ev, cls, bound_names(node.body))
    elif kind is ClassKind.NAMED_TUPLE:
        cls.fields = annotated_fields(ev, cls, node, scope.module)
    elif any(isinstance(base, ClassValue) and base.kind is ClassKind.DATACLASS for base in bases):
        cls.fields = inherited_fields(cls)
        cls.kind = ClassKind.DATACLASS
    return decorate_class(ev, node, cls, scope)


def _kind(bases: tuple[Value, ...]) -> tuple[ClassKind, type | None]:
    """What the bases make of a class, and the plain type that its enum members also are."""
    kind = ClassKind.PLAIN
    mixin: type | None = None
    for base in bases:
        if isinstance(base, TypeValue):
            if base.name in ENUM_BASES:
                kind = ClassKind.ENUM
                mixin = {"IntEnum": int, "IntFlag": int, "StrEnum": str}.get(base.name, mixin)
            elif base.name == "NamedTuple":
                kind = ClassKind.NAMED_TUPLE
            elif issubclass(base.python, BaseException):
                kind = ClassKind.EXCEPTION
            elif base.python in (int, str):
                mixin = base.python
        elif isinstance(base, BuiltinValue) and base.name == "NamedTuple":
            kind = ClassKind.NAMED_TUPLE
        elif isinstance(base, ClassValue):
            if base.kind is not ClassKind.PLAIN:
                kind = base.kind
            mixin = base.mixin or mixin
    return kind, mixin


def _make_members(ev: Evaluator, cls: ClassValue, names: frozenset[str]) -> None:
    """Turn the plain values of an enum's body into members."""
    last = 0
    for name, value in list(cls.attributes.items()):
        private = name.startswith("_")
        if private or name not in names or isinstance(value, (FunctionValue, MethodWrapper, ClassValue)):
            continue
        if isinstance(value, AutoValue):
            value = name.lower() if cls.mixin is str else last + 1
        if isinstance(value, int):
            last = value
        cls.attributes[name] = make_member(cls, name, value)


class AutoValue:
    """`enum.auto()`."""


def make_member(cls: ClassValue, name: str, value: Value) -> Value:
    """A member of an enum; a second name of a value gives the first member."""
    for member in cls.members:
        if not isinstance(value, Opaque) and member_value(member) == value:
            return member
    if isinstance(value, Opaque):
        return value
    if cls.mixin is int and isinstance(value, int):
        return IntMember.make(cls, name, value)
    if cls.mixin is str and isinstance(value, str):
        return StrMember.make(cls, name, value)
    return EnumMember(cls, name, value)


def member_value(member: Value) -> Value:
    """The `.value` of an enum member."""
    if isinstance(member, IntMember):
        return int(member)
    if isinstance(member, StrMember):
        return str(member)
    return member.value


def inherited_fields(cls: ClassValue) -> tuple[FieldValue, ...]:
    """The fields of the bases, first base last to win."""
    fields: dict[str, FieldValue] = {}
    for base in reversed(cls.bases):
        if isinstance(base, ClassValue):
            fields.update({f.name: f for f in base.fields})
    return tuple(fields.values())


def annotated_fields(
    ev: Evaluator, cls: ClassValue, node: ast.ClassDef, module: SourceModule
) -> tuple[FieldValue, ...]:
    """The fields that the annotated names of a class body define, after the inherited ones."""
    fields = {f.name: f for f in inherited_fields(cls)}
    keyword_only = False
    for statement in node.body:
        if not (isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)):
            continue
        text = ast.unparse(statement.annotation)
        if "ClassVar" in text:
            continue
        if text.split(".")[-1] == "KW_ONLY":
            keyword_only = True
            continue
        name = statement.target.id
        has_default = statement.value is not None
        default = cls.attributes.get(name)
        field = FieldValue(
            name, statement.annotation, module.span(statement.target), has_default, default,
            keyword_only=keyword_only,
        )  # fmt: skip
        if isinstance(default, FieldSpec):
            field = FieldValue(
                name, statement.annotation, module.span(statement.target), default.has_default, default.default,
                default.factory, default.init, keyword_only or default.keyword_only,
            )  # fmt: skip
            if default.has_default:
                cls.attributes[name] = default.default
            else:
                cls.attributes.pop(name, None)
        fields[name] = field
    return tuple(fields.values())


class FieldSpec:
    """`dataclasses.field(...)`."""

    __slots__ = ("default", "factory", "has_default", "init", "keyword_only")

    def __init__(self, has_default: bool, default: Value, factory: Value, init: bool, keyword_only: bool) -> None:
        self.has_default = has_default
        self.default = default
        self.factory = factory
        self.init = init
        self.keyword_only = keyword_only


def make_dataclass(ev: Evaluator, cls: ClassValue, keywords: dict[str, Value]) -> ClassValue:
    """What `@dataclass(...)` does."""
    cls.kind = ClassKind.DATACLASS
    cls.frozen = keywords.get("frozen") is True
    cls.ordered = keywords.get("order") is True
    if cls.node is not None:
        cls.fields = annotated_fields(ev, cls, cls.node, cls.module)
    return cls


def instantiate(ev: Evaluator, cls: ClassValue, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    """`cls(...)`."""
    if cls.kind is ClassKind.ENUM:
        return _member_of(cls, args, span)
    for base in cls.bases:
        if isinstance(base, Opaque):
            return base
    ev.budget.allocate(1 + len(cls.fields))
    if cls.kind is ClassKind.NAMED_TUPLE:
        values = _field_values(ev, cls, args, kwargs, span)
        return NamedTupleValue.make(cls, tuple(values[f.name] for f in cls.fields))
    instance = InstanceValue(cls)
    found, initialiser = cls.lookup("__init__")
    if found:
        ev.call_value(initialiser, [instance, *args], kwargs, span)
    elif cls.kind is ClassKind.DATACLASS:
        instance.attributes.update(_field_values(ev, cls, args, kwargs, span))
        found, after = cls.lookup("__post_init__")
        if found:
            ev.call_value(after, [instance], {}, span)
    elif cls.kind is ClassKind.EXCEPTION:
        instance.attributes["args"] = tuple(args)
    elif args or kwargs:
        raise Failed("TypeError", f"{cls.name}() takes no arguments", span)
    return instance


def _member_of(cls: ClassValue, args: list[Value], span: Span) -> Value:
    if len(args) == 1:
        if isinstance(args[0], Opaque):
            return args[0]
        for member in cls.members:
            if member is args[0] or member_value(member) == args[0]:
                return member
    raise Failed("ValueError", f"{args[0] if args else ''!r} is not a valid {cls.name}", span)


def _field_values(
    ev: Evaluator, cls: ClassValue, args: list[Value], kwargs: dict[str, Value], span: Span
) -> dict[str, Value]:
    """The values of all fields of a new dataclass or named tuple instance."""
    from ptopro.frontend.suggestions import did_you_mean

    takers = [f for f in cls.fields if f.init]
    positional = [f.name for f in takers if not f.keyword_only]
    if len(args) > len(positional):
        raise Failed("TypeError", f"{cls.name}() takes {len(positional)} values but {len(args)} were given", span)
    given = dict(zip(positional, args, strict=False))
    for key, value in kwargs.items():
        if key not in {f.name for f in takers}:
            hint = did_you_mean(key, [f.name for f in takers])
            raise Failed("TypeError", f"{cls.name}() has no field '{key}'" + (f"; {hint}" if hint else ""), span)
        if key in given:
            raise Failed("TypeError", f"{cls.name}() got two values for field '{key}'", span)
        given[key] = value
    values: dict[str, Value] = {}
    for field in cls.fields:
        if field.name in given:
            values[field.name] = given[field.name]
        elif field.factory is not None:
            values[field.name] = ev.call_value(field.factory, [], {}, span)
        elif field.has_default:
            values[field.name] = field.default
        elif field.init:
            raise Failed("TypeError", f"{cls.name}() lacks a value for field '{field.name}'", span)
    return values
