"""Tiling keys: the fields of a kernel's key, how values are packed, and which combinations its class takes.

In: a kernel whose `tiling_key=` names a class of `TilingKeyField`s.  Out: a `KeySchema`; its verdict on one
combination, or all valid ones.  Launches, releases and headers all ask here, so a key that one of them takes is taken
by all.

`is_valid` is evaluated, not executed.  To enumerate keys it is asked with fields that are still unknown: whatever it
then decides holds for every value of these, and where it stops at an unknown field, that field is fixed next.  So a
class of many fields of which few combinations are valid costs about as many evaluations as its fields have values.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ptopro.diagnostics.build import make
from ptopro.diagnostics.core import Diagnostic, Label, Sink
from ptopro.diagnostics.span import Span
from ptopro.frontend.attributes import get_attribute
from ptopro.frontend.failures import PYTHON_ERRORS, Abandoned, Failed, failed
from ptopro.frontend.scope import MISSING, RunTimeName, Scope
from ptopro.frontend.values import (
    ClassValue,
    FunctionValue,
    InstanceValue,
    MethodWrapper,
    Opaque,
    PartialValue,
    TilingKeyField,
    Value,
)
from ptopro.language.surface.tiling import datatype_problem, schema_problem
from ptopro.records import entity, record

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator
    from ptopro.frontend.kernels import KernelSource

MAX_KEYS = 1 << 16  # valid keys of one kernel: each is a kernel of its own
MAX_EVALUATIONS = 1 << 17  # of is_valid, for all of them


@record
class KeyField:
    """shift: the field's lowest bit in the packed key."""

    name: str
    bits: int
    values: tuple[int, ...]
    shift: int


@record
class Key:
    """A combination: its values in the order of the class, and packed."""

    packed: int
    values: tuple[int, ...]
    fields: Mapping[str, int]


@entity
class KeySchema:
    """The fields of a tiling-key class.  validity: its is_valid, or what stands in its place."""

    name: str
    fields: tuple[KeyField, ...]
    span: Span
    cls: ClassValue
    evaluator: Evaluator

    @property
    def count(self) -> int:
        """How many combinations there are, valid or not."""
        return math.prod(len(field.values) for field in self.fields)

    @property
    def bits(self) -> int:
        return sum(field.bits for field in self.fields)

    def key(self, values: tuple[int, ...]) -> Key:
        """The key of a combination.  Raises ValueError for a value that its field does not list."""
        packed = 0
        for field, value in zip(self.fields, values, strict=True):
            packed |= field.values.index(value) << field.shift
        return Key(packed, values, {field.name: value for field, value in zip(self.fields, values, strict=True)})

    def pack(self, values: Mapping[str, int]) -> int:
        """The 64-bit key: the index of each value, the first field from bit 0 up."""
        return self.key(tuple(values[field.name] for field in self.fields)).packed

    def values_of(self, packed: int) -> dict[str, int] | None:
        """The values of a packed key; None when no combination packs to it."""
        found: dict[str, int] = {}
        for field in self.fields:
            index = packed >> field.shift & (1 << field.bits) - 1
            if index >= len(field.values):
                return None
            found[field.name] = field.values[index]
        return found if packed == self.pack(found) else None

    def combinations(self) -> Iterator[Key]:
        """All combinations, valid or not, in the order of the class, the last field fastest."""
        for values in itertools.product(*(field.values for field in self.fields)):
            yield self.key(values)

    def problem(self, values: tuple[int, ...]) -> str:
        """Why a combination is no key, empty when it is one."""
        found = _ask(self, values)
        if isinstance(found, Failed):
            return f"is_valid of `{self.name}` raises {found.reason}"
        if isinstance(found, Opaque):
            return f"is_valid of `{self.name}` cannot be evaluated: {found.reason}"
        return "" if found else f"is_valid of `{self.name}` rejects it"


def key_fields(cls: ClassValue) -> dict[str, TilingKeyField]:
    """The fields of a tiling-key class in the order of their definition: its own attributes, not inherited ones."""
    return {name: value for name, value in cls.attributes.items() if isinstance(value, TilingKeyField)}


def key_schema(kernel: KernelSource) -> KeySchema | None:
    """The schema of the kernel's key; None for a kernel without one."""
    cls = kernel.options.tiling_key
    if cls is None:
        return None
    return schema_of(cls, kernel.module.evaluator, kernel.options.spans.get("tiling_key", kernel.span))


def schema_of(cls: ClassValue, evaluator: Evaluator, span: Span) -> KeySchema:
    """The schema of a class.  span: where it is named."""
    fields: list[KeyField] = []
    shift = 0
    for name, field in key_fields(cls).items():
        fields.append(KeyField(name, field.bits, tuple(field.values), shift))
        shift += field.bits
    where = cls.module.span(cls.node) if cls.node is not None else span
    return KeySchema(cls.name, tuple(fields), where, cls, evaluator)


def valid_keys(schema: KeySchema, sink: Sink) -> tuple[Key, ...]:
    """Every key that is_valid takes, in the order of `KeySchema.combinations`.

    Empty after reporting that is_valid raises or cannot be evaluated (PTO1601), takes none (PTO1602) or too many
    (PTO1603).
    """
    positions = [{value: i for i, value in enumerate(field.values)} for field in schema.fields]
    found: list[tuple[int, ...]] = []
    todo: list[tuple[int | None, ...]] = [(None,) * len(schema.fields)]
    evaluations = 0
    while todo:
        partial = todo.pop()
        verdict = _ask(schema, partial)
        evaluations += 1
        free = [i for i, value in enumerate(partial) if value is None]
        if isinstance(verdict, (Opaque, Failed)):
            if not free:
                _report_failure(schema, partial, verdict, sink)
                return ()
            blocked = getattr(verdict, "field", free[0])
            for value in reversed(schema.fields[blocked].values):
                todo.append((*partial[:blocked], value, *partial[blocked + 1 :]))
        elif verdict:
            if len(found) + math.prod(len(schema.fields[i].values) for i in free) > MAX_KEYS:
                evaluations = MAX_EVALUATIONS
            else:
                choices = [schema.fields[i].values if v is None else (v,) for i, v in enumerate(partial)]
                found.extend(itertools.product(*choices))
        if evaluations >= MAX_EVALUATIONS:
            sink.add(make("PTO1603", schema.span, cls=schema.name, most=MAX_KEYS, count=schema.count))
            return ()
    if not found:
        sink.add(make("PTO1602", schema.span, cls=schema.name, count=schema.count))
        return ()
    found.sort(key=lambda values: [at[value] for at, value in zip(positions, values, strict=True)])
    return tuple(schema.key(values) for values in found)


def check_instances(kernel: KernelSource, sink: Sink) -> None:
    """Report a tiling key or a dtype map that no launch could use (PTO1600, PTO1604).  Names count as they are when the
    decorator is applied."""
    options = kernel.options
    arguments = kernel.node.args
    taken = {p.arg: "a parameter" for p in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    if options.tiling_key is not None:
        cls = options.tiling_key
        fields = key_fields(cls)
        exists, validity = cls.lookup("is_valid")
        seen = {name: "something that the kernel sees" for name in fields if _is_bound(kernel.scope, name)}
        callable_validity = not exists or isinstance(validity, (FunctionValue, MethodWrapper, PartialValue, Opaque))
        problem = schema_problem(fields, {**seen, **taken}, callable_validity)
        unknown = _unknown_fields(cls)
        sink.extend(unknown)
        if problem and not unknown:
            span = options.spans.get("tiling_key", kernel.span)
            sink.add(make("PTO1600", span, cls=cls.name, problem=problem))
        check_names(cls, sink)
        taken.update(dict.fromkeys(fields, "a field of the tiling key"))
    problem = datatype_problem(options.datatype or {}, taken)
    if problem:
        sink.add(make("PTO1604", options.spans.get("datatype", kernel.span), problem=problem))


def check_names(cls: ClassValue, sink: Sink) -> None:
    """Report a field that is defined twice: Python keeps the second one only, under the place of the first."""
    first: dict[str, ast.stmt] = {}
    fields = key_fields(cls)
    for statement in cls.node.body if cls.node is not None else ():
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        for target in targets:
            if not isinstance(target, ast.Name) or target.id not in fields:
                continue
            if target.id in first:
                labels = [Label(cls.module.span(first[target.id]), "the first one")]
                problem = f"the field `{target.id}` is defined twice"
                sink.add(make("PTO1600", cls.module.span(statement), labels=labels, cls=cls.name, problem=problem))
            first.setdefault(target.id, statement)


def _unknown_fields(cls: ClassValue) -> list[Diagnostic]:
    """What is wrong with attributes that would be fields if their values were known."""
    from ptopro.frontend.parameters import unknown_value

    found = []
    for statement in cls.node.body if cls.node is not None else ():
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Name):
            continue
        value = cls.attributes.get(target.id)
        call = statement.value.func if isinstance(statement.value, ast.Call) else statement.value
        name = call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "")
        if isinstance(value, Opaque) and name == "TilingKeyField":
            what = f"the field '{target.id}' of tiling key '{cls.name}'"
            found.append(unknown_value(value, cls.module.span(statement.value), what))
    return found


def _is_bound(scope: Scope, name: str) -> bool:
    """Whether a kernel sees something of its file under the name; builtins do not count."""
    level: Scope | None = scope
    while level is not None and level.parent is not None:
        if level.get(name) is not MISSING:
            return True
        level = level.parent
    return False


class _Unknown(Opaque):
    """A field without a value yet.  field: its position.  Python's own comparisons and look-ups, of tuples that hold
    it, say, must not take it for a value."""

    __slots__ = ("field",)

    def __init__(self, field: int, name: str) -> None:
        super().__init__(f"the field {name} has no value yet")
        self.field = field

    def __eq__(self, other: object) -> bool:
        raise Abandoned(self)

    def __hash__(self) -> int:
        raise Abandoned(self)


def _ask(schema: KeySchema, values: tuple[int | None, ...]) -> bool | Opaque | Failed:
    """What is_valid says; values: None for a field that is not fixed."""
    exists, _ = schema.cls.lookup("is_valid")
    if not exists:
        return True
    ev = schema.evaluator
    ev.budget.reset()
    key = tuple(
        _Unknown(i, field.name) if value is None else value
        for i, (field, value) in enumerate(zip(schema.fields, values, strict=True))
    )
    try:
        method = get_attribute(ev, InstanceValue(schema.cls), "is_valid", schema.span)
        answer: Value = ev.call_value(method, [key], {}, schema.span)
        truth: bool | Opaque = ev.truth(answer, schema.span)
        return truth
    except Failed as error:
        return error
    except Abandoned as error:
        return error.opaque
    except RunTimeName as error:
        return Opaque(error.reason)
    except PYTHON_ERRORS as error:
        return failed(error, schema.span)


def _report_failure(schema: KeySchema, values: tuple[int | None, ...], verdict: Opaque | Failed, sink: Sink) -> None:
    shown = ", ".join(f"{field.name}={value}" for field, value in zip(schema.fields, values, strict=True))
    what = "raises" if isinstance(verdict, Failed) else "cannot be evaluated"
    span = verdict.span or schema.span
    sink.add(make("PTO1601", span, cls=schema.name, key=shown, what=what, reason=verdict.reason))
