"""The part of Python's standard library that constants of kernel files are computed with.

A module that is not listed is unknown as a whole; a name that a listed module lacks here is unknown.
"""

from __future__ import annotations

import ast
import math
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend import operators
from ptopro.frontend.builtins import BUILTINS, Arguments, Keywords, known
from ptopro.frontend.failures import Abandoned, Failed
from ptopro.frontend.methods import words
from ptopro.frontend.values import (
    BuiltinValue,
    ClassKind,
    ClassValue,
    EnvironmentVariables,
    FieldValue,
    InstanceValue,
    IteratorValue,
    NamedTupleValue,
    PartialValue,
    TypeValue,
    Value,
    type_name,
)

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator

FACTORIAL_LIMIT = 900


def _number_function(name: str) -> BuiltinValue:
    function = getattr(math, name)

    def call(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
        values = [item for argument in args for item in (ev.items(argument, span) if _many(argument) else [argument])]
        known(*values, *kwargs.values())
        for value in values:
            if not isinstance(value, (int, float)):
                raise Failed("TypeError", f"math.{name}() does not take {type_name(value)}", span)
            if name in ("factorial", "comb", "perm") and value > FACTORIAL_LIMIT:
                raise Abandoned(ev.unknown("the integer would be too large", span))
        return function(*args, **kwargs)

    return BuiltinValue(f"math.{name}", call)


def _many(value: Value) -> bool:
    return isinstance(value, (list, tuple))


def _product(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    total = kwargs.get("start", 1)
    for item in ev.iterator(args[0], span):
        total = operators.binary(ev, ast.Mult, total, item, span)
    return total


def _math() -> dict[str, Value]:
    names: dict[str, Value] = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan}
    functions = (
        "ceil floor trunc sqrt isqrt exp expm1 log log2 log10 log1p pow sin cos tan asin acos atan atan2 sinh cosh "
        "tanh fabs fmod fsum gcd lcm hypot isclose isfinite isinf isnan copysign ldexp frexp modf degrees radians "
        "factorial comb perm remainder erf erfc gamma lgamma"
    )
    names.update({name: _number_function(name) for name in functions.split()})
    names["prod"] = BuiltinValue("math.prod", _product)
    return names


# --------------------------------------------------------------------------------------------------------------------
# functools, itertools, operator


def _partial(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return PartialValue(args[0], tuple(args[1:]), kwargs)


def _reduce(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    function, *rest = args
    items = ev.iterator(rest[0], span)
    missing = object()
    total = rest[1] if len(rest) > 1 else next(items, missing)
    if total is missing:
        raise Failed("TypeError", "reduce() of empty iterable with no initial value", span)
    for item in items:
        total = ev.call_value(function, [total, item], {}, span)
    return total


def _cache(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    """`@cache`, `@lru_cache`, `@lru_cache(maxsize=...)`: the function itself."""
    if args and not isinstance(args[0], int) and args[0] is not None:
        return args[0]
    return BuiltinValue("lru_cache", lambda ev, args, kwargs, span: args[0])


def _wraps(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return BuiltinValue("wraps", lambda ev, args, kwargs, span: args[0])


def _itertools(name: str) -> BuiltinValue:
    import itertools

    function = getattr(itertools, name)

    def call(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
        known(*args, *kwargs.values())
        if name == "chain":
            return IteratorValue(item for argument in args for item in ev.iterator(argument, span))
        if name in ("count", "repeat"):
            return IteratorValue(function(*args, **kwargs))
        if name == "accumulate":
            return IteratorValue(iter(_accumulate(ev, ev.items(args[0], span), span)))
        made = [ev.items(argument, span) if not isinstance(argument, int) else argument for argument in args]
        repeat = kwargs.get("repeat", 1)
        if isinstance(repeat, int) and repeat > 64:
            raise Abandoned(ev.unknown("there would be too many combinations", span))
        if any(isinstance(part, int) and part > 64 for part in made):
            raise Abandoned(ev.unknown("there would be too many combinations", span))
        return IteratorValue(function(*made, **kwargs))

    return BuiltinValue(f"itertools.{name}", call)


def _accumulate(ev: Evaluator, items: list[Value], span: Span) -> list[Value]:
    sums: list[Value] = []
    for item in items:
        sums.append(operators.binary(ev, ast.Add, sums[-1], item, span) if sums else item)
    return sums


def _operator(name: str, node: type[ast.operator]) -> BuiltinValue:
    def call(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
        left, right = args
        return operators.binary(ev, node, left, right, span)

    return BuiltinValue(f"operator.{name}", call)


# --------------------------------------------------------------------------------------------------------------------
# dataclasses, enum, collections, typing


def _dataclass(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    from ptopro.frontend.classes import make_dataclass

    if args and isinstance(args[0], ClassValue):
        return make_dataclass(ev, args[0], kwargs)
    return BuiltinValue("dataclass", lambda ev, args, _, span: make_dataclass(ev, args[0], kwargs))


def _field(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    from ptopro.frontend.classes import FieldSpec

    return FieldSpec(
        "default" in kwargs,
        kwargs.get("default"),
        kwargs.get("default_factory"),
        kwargs.get("init", True) is not False,
        kwargs.get("kw_only", False) is True,
    )


def _is_dataclass_instance(value: Value, span: Span) -> InstanceValue:
    known(value)
    if isinstance(value, InstanceValue) and value.cls.kind is ClassKind.DATACLASS:
        return value
    raise Failed("TypeError", "a dataclass instance is needed", span)


def _replace(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    instance = _is_dataclass_instance(args[0], span)
    values = {f.name: instance.attributes.get(f.name) for f in instance.cls.fields if f.init}
    return ev.call_value(instance.cls, [], {**values, **kwargs}, span)


def _asdict(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    instance = _is_dataclass_instance(args[0], span)
    return {f.name: _deep(ev, instance.attributes.get(f.name), span) for f in instance.cls.fields}


def _deep(ev: Evaluator, value: Value, span: Span) -> Value:
    ev.budget.allocate(1)
    if isinstance(value, InstanceValue) and value.cls.kind is ClassKind.DATACLASS:
        return _asdict(ev, [value], {}, span)
    if type(value) in (list, tuple):
        return type(value)(_deep(ev, item, span) for item in value)
    return value


def _astuple(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return _is_dataclass_instance(args[0], span).key()


def _fields(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    """The fields, as objects with a name and a default."""
    known(args[0])
    cls = args[0].cls if isinstance(args[0], InstanceValue) else args[0]
    if not isinstance(cls, ClassValue):
        raise Failed("TypeError", "a dataclass is needed", span)
    shape = ClassValue("Field", None, cls.module, cls.scope, ClassKind.PLAIN)
    return tuple(
        InstanceValue(shape, {"name": f.name, "default": f.default if f.has_default else None}) for f in cls.fields
    )


def _auto(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    from ptopro.frontend.classes import AutoValue

    return AutoValue()


def _identity(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return args[0] if args else None


def _enum_base(name: str) -> TypeValue:
    return TypeValue(name, _opaque_call(f"{name}(...)"), object)


def _opaque_call(what: str) -> Callable[..., Value]:
    return lambda ev, args, kwargs, span: ev.unknown(f"{what} is not evaluated", span)


def _simple_namespace(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    module = ev.module
    cls = ClassValue("SimpleNamespace", None, module, module.scope, ClassKind.PLAIN)
    return InstanceValue(cls, dict(kwargs))


def _namedtuple(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    known(*args)
    name, names = args[:2]
    parts = names.replace(",", " ").split() if isinstance(names, str) else ev.items(names, span)
    defaults = ev.items(kwargs["defaults"], span) if kwargs.get("defaults") is not None else []
    first = len(parts) - len(defaults)
    fields = tuple(
        FieldValue(str(part), None, span, i >= first, defaults[i - first] if i >= first else None)
        for i, part in enumerate(parts)
    )
    module = ev.module
    return ClassValue(str(name), None, module, module.scope, ClassKind.NAMED_TUPLE, fields=fields)


def _defaultdict(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return ev.unknown("defaultdict is not evaluated", span)


def _ordered_dict(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return BUILTINS["dict"].call(ev, args, kwargs, span)


def _deepcopy(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return _copied(ev, args[0])


def _copied(ev: Evaluator, value: Value) -> Value:
    ev.budget.allocate(1)
    if isinstance(value, NamedTupleValue):
        return value
    if isinstance(value, (list, tuple)):
        return type(value)([_copied(ev, item) for item in value])
    if isinstance(value, dict):
        return {key: _copied(ev, item) for key, item in value.items()}
    if isinstance(value, set):
        return set(value)
    if isinstance(value, InstanceValue):
        return InstanceValue(value.cls, {name: _copied(ev, item) for name, item in value.attributes.items()})
    return value


def _copy(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    (value,) = args
    if isinstance(value, (list, dict, set)):
        ev.budget.allocate(len(value))
        return value.copy()
    if isinstance(value, InstanceValue):
        return InstanceValue(value.cls, dict(value.attributes))
    return value


def _typing() -> dict[str, Value]:
    names = (
        "Any Optional Union List Dict Tuple Set Type Callable Iterable Iterator Sequence Mapping ClassVar Final "
        "Literal Annotated Generic Protocol Self TypeAlias NewType TypeVar"
    )
    found: dict[str, Value] = {name: BuiltinValue(name, _opaque_call(name)) for name in names.split()}
    found["NamedTuple"] = BuiltinValue("NamedTuple", _opaque_call("NamedTuple(...)"))
    found["TYPE_CHECKING"] = False
    for name in ("cast",):
        found[name] = BuiltinValue(name, lambda ev, args, kwargs, span: args[1])
    for name in ("final", "overload", "no_type_check", "runtime_checkable"):
        found[name] = BuiltinValue(name, _identity)
    return found


def _os() -> dict[str, Value]:
    """The environment variables, as they are now; all else of the machine is a host matter."""
    variables = EnvironmentVariables(os.environ)

    def getenv(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
        known(*args)
        ev.hashable(args[0], span)
        return variables.get(*args, **kwargs)

    return {"environ": variables, "getenv": BuiltinValue("os.getenv", getenv)}


def _numpy() -> dict[str, Value]:
    """Constants only: arrays are host matters."""
    return {"inf": math.inf, "nan": math.nan, "pi": math.pi, "e": math.e, "newaxis": None}


def _modules() -> dict[str, Callable[[], dict[str, Value]]]:
    return {
        "math": _math,
        "numpy": _numpy,
        "os": _os,
        "functools": lambda: {
            "partial": BuiltinValue("functools.partial", _partial),
            "reduce": BuiltinValue("functools.reduce", _reduce),
            "lru_cache": BuiltinValue("functools.lru_cache", _cache),
            "cache": BuiltinValue("functools.cache", _cache),
            "wraps": BuiltinValue("functools.wraps", _wraps),
            "cached_property": BUILTINS["property"],
        },
        "itertools": lambda: {
            name: _itertools(name)
            for name in words("""product chain accumulate combinations permutations count repeat""")
        },
        "operator": lambda: {
            name: _operator(name, node)
            for name, node in {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "floordiv": ast.FloorDiv}.items()
        },
        "dataclasses": lambda: {
            "dataclass": BuiltinValue("dataclass", _dataclass),
            "field": BuiltinValue("field", _field),
            "replace": BuiltinValue("replace", _replace),
            "asdict": BuiltinValue("asdict", _asdict),
            "astuple": BuiltinValue("astuple", _astuple),
            "fields": BuiltinValue("fields", _fields),
            "KW_ONLY": None,
        },
        "enum": lambda: {
            **{name: _enum_base(name) for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")},
            "auto": BuiltinValue("auto", _auto),
            "unique": BuiltinValue("unique", _identity),
        },
        "collections": lambda: {
            "namedtuple": BuiltinValue("namedtuple", _namedtuple),
            "OrderedDict": BuiltinValue("OrderedDict", _ordered_dict),
            "defaultdict": BuiltinValue("defaultdict", _defaultdict),
        },
        "copy": lambda: {"copy": BuiltinValue("copy", _copy), "deepcopy": BuiltinValue("deepcopy", _deepcopy)},
        "types": lambda: {
            "SimpleNamespace": BuiltinValue("SimpleNamespace", _simple_namespace),
            "MappingProxyType": BuiltinValue("MappingProxyType", _identity),
        },
        "typing": _typing,
        "typing_extensions": _typing,
        "__future__": lambda: {"annotations": None},
    }


_LOADED: dict[str, dict[str, Value]] = {}
_FRESH = ("os",)  # what may be changed by the program, and by the world


def library_names(module: str) -> dict[str, Value] | None:
    """What a module of the standard library provides here; None for a module that is not evaluated."""
    if module not in _LOADED:
        maker = _modules().get(module)
        if maker is None:
            return None
        if module in _FRESH:
            return maker()
        _LOADED[module] = maker()
    return _LOADED[module]
