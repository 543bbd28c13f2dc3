"""Builtin names of kernel files: functions, types and exceptions of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend import operators
from ptopro.frontend.exceptions import exceptions
from ptopro.frontend.failures import Abandoned, Failed
from ptopro.frontend.formatting import format_value, text_of
from ptopro.frontend.methods import sort, words
from ptopro.frontend.values import (
    BuiltinValue,
    ClassValue,
    EnumMember,
    FunctionValue,
    InstanceValue,
    IntMember,
    IteratorValue,
    MethodWrapper,
    NamedTupleValue,
    Opaque,
    StrMember,
    TypeValue,
    Value,
    type_name,
)

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator

Arguments = list[Value]
Keywords = dict[str, Value]


def known(*values: Value) -> None:
    """Abandon the evaluation when one of the values is unknown."""
    for value in values:
        if isinstance(value, Opaque):
            raise Abandoned(value)


def _plain(name: str, function: Callable[..., Value]) -> BuiltinValue:
    """A function of numbers that needs no care about sizes."""

    def call(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
        known(*args, *kwargs.values())
        for argument in args:
            if not isinstance(argument, (int, float, complex, str)):
                raise Failed("TypeError", f"{name}() does not take {type_name(argument)}", span)
        return function(*args, **kwargs)

    return BuiltinValue(name, call)


def _len(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    (value,) = args
    known(value)
    if isinstance(value, InstanceValue):
        found, method = value.cls.lookup("__len__")
        if found:
            return ev.call_value(method, [value], {}, span)
    if isinstance(value, ClassValue):
        return len(value.members)
    if not isinstance(value, (str, bytes, list, tuple, dict, set, frozenset, range, type)):
        raise Failed("TypeError", f"{type_name(value)} has no len()", span)
    return len(value)  # type: ignore[arg-type]


def _extreme(better: type) -> Callable[..., Value]:
    def call(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
        key = kwargs.get("key")
        items = ev.items(args[0], span) if len(args) == 1 else args
        if not items:
            if "default" in kwargs:
                return kwargs["default"]
            raise Failed("ValueError", "there are no values to choose from", span)
        best, best_key = items[0], _key(ev, key, items[0], span)
        for item in items[1:]:
            item_key = _key(ev, key, item, span)
            wins = operators.compare(ev, better, item_key, best_key, span)
            known(wins)
            if wins:
                best, best_key = item, item_key
        known(best_key)
        return best

    return call


def _key(ev: Evaluator, key: Value, item: Value, span: Span) -> Value:
    return item if key is None else ev.call_value(key, [item], {}, span)


def _sum(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    import ast

    total = args[1] if len(args) > 1 else kwargs.get("start", 0)
    for item in ev.iterator(args[0], span):
        total = operators.binary(ev, ast.Add, total, item, span)
    return total


def _quantifier(stop_at: bool) -> Callable[..., Value]:
    def call(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
        for item in ev.iterator(args[0], span):
            truth = ev.truth(item, span)
            if isinstance(truth, Opaque):
                return truth
            if truth == stop_at:
                return stop_at
        return not stop_at

    return call


def _enumerate(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    start = args[1] if len(args) > 1 else kwargs.get("start", 0)
    known(start)
    return IteratorValue(iter(enumerate(ev.iterator(args[0], span), start)))


def _zip(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    strict = kwargs.get("strict", False) is True
    return IteratorValue(zip(*(ev.iterator(argument, span) for argument in args), strict=strict))


def _map(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    function, *rest = args
    rows = zip(*(ev.iterator(argument, span) for argument in rest), strict=False)
    return IteratorValue(ev.call_value(function, list(row), {}, span) for row in rows)


def _filter(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    function, items = args

    def chosen() -> Iterator[Value]:
        for item in ev.iterator(items, span):
            truth = ev.truth(item if function is None else ev.call_value(function, [item], {}, span), span)
            known(truth)
            if truth:
                yield item

    return IteratorValue(chosen())


def _reversed(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    known(args[0])
    if isinstance(args[0], range):
        return IteratorValue(iter(args[0][::-1]))
    return IteratorValue(iter(ev.items(args[0], span)[::-1]))


def _sorted(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return sort(ev, ev.items(args[0], span), kwargs, span)


def _iter(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return IteratorValue(ev.iterator(args[0], span))


def _next(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    known(args[0])
    if not isinstance(args[0], IteratorValue):
        raise Failed("TypeError", f"{type_name(args[0])} is no iterator", span)
    for item in args[0].iterator:
        ev.budget.step()
        return item
    if len(args) > 1:
        return args[1]
    raise Failed("StopIteration", "", span)


def _range(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    known(*args)
    return range(*args)


def _pow(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    import ast

    known(*args)
    if len(args) == 3:
        return pow(*args)
    return operators.binary(ev, ast.Pow, args[0], args[1], span)


def _round(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    digits = args[1] if len(args) > 1 else kwargs.get("ndigits")
    known(args[0], digits)
    if isinstance(digits, int) and abs(digits) > 400:
        raise Failed("ValueError", "too many digits", span)
    if not isinstance(args[0], (int, float)):
        raise Failed("TypeError", f"round() does not take {type_name(args[0])}", span)
    return round(args[0]) if digits is None else round(args[0], digits)


def _int(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    known(*args, *kwargs.values())
    if args and isinstance(args[0], str):
        ev.budget.text(len(args[0]))
        if len(args[0]) > 2_000:
            raise Failed("ValueError", "the integer has too many digits", span)
    if args and isinstance(args[0], InstanceValue):
        return ev.call_value(_method(args[0], "__int__", span), [args[0]], {}, span)
    if args and not isinstance(args[0], (int, float, str)):
        raise Failed("TypeError", f"int() does not take {type_name(args[0])}", span)
    return int(*args, **kwargs)


def _float(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    known(*args)
    if args and isinstance(args[0], InstanceValue):
        return ev.call_value(_method(args[0], "__float__", span), [args[0]], {}, span)
    if args and not isinstance(args[0], (int, float, str)):
        raise Failed("TypeError", f"float() does not take {type_name(args[0])}", span)
    return float(*args)


def _method(value: InstanceValue, name: str, span: Span) -> Value:
    found, method = value.cls.lookup(name)
    if not found:
        raise Failed("TypeError", f"{value.cls.name} has no {name}", span)
    return method


def _bool(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return ev.truth(args[0], span) if args else False


def _str(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return text_of(ev, args[0], span) if args else ""


def _repr(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return text_of(ev, args[0], span, quoted=True)


def _format(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    known(*args)
    return format_value(ev, args[0], args[1] if len(args) > 1 else "", span)


def _list(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return ev.items(args[0], span) if args else []


def _tuple(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return tuple(ev.items(args[0], span)) if args else ()


def _set(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return {ev.hashable(item, span) for item in ev.items(args[0], span)} if args else set()


def _frozenset(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return frozenset(_set(ev, args, kwargs, span))


def _dict(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    from ptopro.frontend.methods import SPECIAL

    made: dict[Value, Value] = {}
    SPECIAL["update"](ev, made, args, kwargs, span)
    return made


def _slice(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    known(*args)
    return slice(*args)


def _isinstance(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    value, wanted = args
    known(value)
    unknown: Opaque | None = None
    for kind in wanted if isinstance(wanted, tuple) else (wanted,):
        if isinstance(kind, Opaque):
            unknown = kind
        elif is_instance(value, kind):
            return True
    return False if unknown is None else unknown


def is_instance(value: Value, kind: Value) -> bool:
    """`isinstance(value, kind)` for a class of the file, a builtin type or an enum of the language."""
    if isinstance(kind, ClassValue):
        owner = (
            value.cls if isinstance(value, (InstanceValue, EnumMember, IntMember, StrMember, NamedTupleValue)) else None
        )
        return owner is not None and owner.is_subclass_of(kind)
    if isinstance(kind, TypeValue):
        if kind.python is object:
            return True
        if isinstance(value, (InstanceValue, EnumMember)):
            return any(isinstance(base, TypeValue) and base is kind for base in value.cls.bases)
        return isinstance(value, kind.python)
    return isinstance(kind, type) and isinstance(value, kind)


def _issubclass(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    value, wanted = args
    known(value)
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    known(*kinds)
    if isinstance(value, ClassValue):
        return any(value.is_subclass_of(kind) for kind in kinds)
    if isinstance(value, TypeValue):
        return any(isinstance(kind, TypeValue) and issubclass(value.python, kind.python) for kind in kinds)
    return any(value is kind for kind in kinds)


def _type(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    (value,) = args
    known(value)
    if isinstance(value, (InstanceValue, EnumMember, IntMember, StrMember, NamedTupleValue)):
        return value.cls
    found = BUILTINS.get(type(value).__name__)
    return found if isinstance(found, TypeValue) else ev.unknown(f"the type of a {type_name(value)}", span)


def _getattr(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    from ptopro.frontend.attributes import get_attribute

    known(*args[:2])
    try:
        return get_attribute(ev, args[0], args[1], span)
    except Failed as error:
        if error.kind == "AttributeError" and len(args) > 2:
            return args[2]
        raise


def _hasattr(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    missing = object()
    found = _getattr(ev, [*args, missing], kwargs, span)
    return found if isinstance(found, Opaque) else found is not missing


def _setattr(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    from ptopro.frontend.targets import set_attribute

    owner, name, value = args
    known(name)
    set_attribute(ev, owner, name, value, span)
    return None


def _callable(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    known(args[0])
    return isinstance(args[0], (FunctionValue, BuiltinValue, ClassValue))


def _print(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
    return None


def _wrapper(kind: str) -> Callable[..., Value]:
    def call(ev: Evaluator, args: Arguments, kwargs: Keywords, span: Span) -> Value:
        return MethodWrapper(kind, args[0])

    return call


def _unknown(name: str) -> BuiltinValue:
    """A builtin whose result only a running program has."""
    return BuiltinValue(name, lambda ev, args, kwargs, span: ev.unknown(f"it comes from {name}()", span))


TYPES: dict[str, tuple[Callable[..., Value], type]] = {
    "int": (_int, int),
    "float": (_float, float),
    "bool": (_bool, bool),
    "str": (_str, str),
    "list": (_list, list),
    "tuple": (_tuple, tuple),
    "dict": (_dict, dict),
    "set": (_set, set),
    "frozenset": (_frozenset, frozenset),
    "range": (_range, range),
    "slice": (_slice, slice),
    "type": (_type, type),
    "enumerate": (_enumerate, enumerate),
    "zip": (_zip, zip),
    "map": (_map, map),
    "filter": (_filter, filter),
    "reversed": (_reversed, reversed),
    "property": (_wrapper("property"), property),
    "staticmethod": (_wrapper("staticmethod"), staticmethod),
    "classmethod": (_wrapper("classmethod"), classmethod),
}
FUNCTIONS: dict[str, Callable[..., Value]] = {
    "len": _len,
    "sum": _sum,
    "any": _quantifier(True),
    "all": _quantifier(False),
    "sorted": _sorted,
    "iter": _iter,
    "next": _next,
    "pow": _pow,
    "round": _round,
    "repr": _repr,
    "format": _format,
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "getattr": _getattr,
    "hasattr": _hasattr,
    "setattr": _setattr,
    "callable": _callable,
    "print": _print,
}
UNKNOWN = words("""open input eval exec compile globals locals vars dir id hash super object bytes bytearray memoryview
    complex help breakpoint delattr ascii __import__ aiter anext""")


def _builtins() -> dict[str, Value]:
    import ast

    names: dict[str, Value] = {name: _unknown(name) for name in UNKNOWN}
    names.update({name: BuiltinValue(name, function) for name, function in FUNCTIONS.items()})
    names.update({name: TypeValue(name, call, python) for name, (call, python) in TYPES.items()})
    names["min"] = BuiltinValue("min", _extreme(ast.Lt))
    names["max"] = BuiltinValue("max", _extreme(ast.Gt))
    names["abs"] = _plain("abs", abs)
    names["divmod"] = _plain("divmod", divmod)
    names["bin"] = _plain("bin", bin)
    names["hex"] = _plain("hex", hex)
    names["oct"] = _plain("oct", oct)
    names["chr"] = _plain("chr", chr)
    names["ord"] = _plain("ord", ord)
    names["object"] = TypeValue("object", names["object"].call, object)
    names.update(exceptions())
    names["NotImplemented"] = Opaque("NotImplemented has no value")
    names["__debug__"] = True
    return names


BUILTINS: dict[str, Value] = _builtins()
