"""Methods of strings, lists, dicts, sets, tuples and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.budget import MAX_LENGTH
from ptopro.frontend.failures import Abandoned, Failed
from ptopro.frontend.values import BuiltinValue, Opaque, Value

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def words(text: str) -> list[str]:
    """The words of a text, for lists of names."""
    return text.split()


STR = frozenset(
    words("""upper lower strip lstrip rstrip split rsplit join replace startswith endswith format count find
    rfind index isdigit isalpha isalnum isidentifier isupper islower title capitalize swapcase casefold
    removeprefix removesuffix zfill ljust rjust center splitlines partition rpartition encode""")
)
BYTES = frozenset(words("""decode hex startswith endswith count find index"""))
LIST = frozenset(words("""append extend insert pop remove index count sort reverse copy clear"""))
DICT = frozenset(words("""get items keys values pop popitem setdefault update copy clear"""))
SET = frozenset(
    words("""add discard remove union intersection difference symmetric_difference issubset issuperset isdisjoint
    update pop copy clear""")
)
TUPLE = frozenset(("index", "count"))
INT = frozenset(words("""bit_length bit_count to_bytes real imag numerator denominator"""))
FLOAT = frozenset(["is_integer", "hex", "real", "imag"])

METHODS: tuple[tuple[type | tuple[type, ...], frozenset[str]], ...] = (
    (str, STR),
    (list, LIST),
    (dict, DICT),
    ((set, frozenset), SET),
    (tuple, TUPLE),
    (range, TUPLE),
    (int, INT),
    (float, FLOAT),
    (bytes, BYTES),
)
PROPERTIES = {"real", "imag", "numerator", "denominator"}
MUTATORS = {"append", "insert", "extend", "add", "setdefault", "update"}


def bound_method(owner: Value, name: str) -> Value:
    """A method of a plain value, or the value of a property."""
    if name in PROPERTIES:
        return getattr(owner, name)
    special = SPECIAL.get(name)
    if special is not None:
        return BuiltinValue(name, lambda ev, args, kwargs, span: special(ev, owner, args, kwargs, span))

    def call(ev: Evaluator, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
        for argument in (*args, *kwargs.values()):
            if isinstance(argument, Opaque) and name not in MUTATORS:
                return argument
            if isinstance(argument, slice):
                raise Failed("TypeError", f"{name}() takes no slice", span)
        if isinstance(owner, (str, bytes)):
            ev.budget.step(len(owner) // 32)
            ev.budget.text(len(owner))
        elif isinstance(owner, (list, tuple)):
            ev.weigh(owner)
        for argument in args:
            ev.weigh(argument)
        return _listed(getattr(owner, name)(*args, **kwargs))

    return BuiltinValue(name, call)


def _listed(value: Value) -> Value:
    """Views of dicts are lists here."""
    return value if not type(value).__name__.startswith("dict_") else list(value)


def _known(*values: Value) -> None:
    for value in values:
        if isinstance(value, Opaque):
            raise Abandoned(value)


def _length(value: Value, span: Span) -> int:
    if not isinstance(value, (str, bytes, list, tuple, dict, set, frozenset)):
        raise Failed("TypeError", "a sequence is needed", span)
    return len(value)


def _append(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    ev.budget.allocate(1)
    return owner.append(*args)


def _insert(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    ev.budget.allocate(1)
    _known(*args[:1])
    ev.budget.step(1 + len(owner) // 64)
    return owner.insert(*args)


def _extend(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    (items,) = args
    return owner.extend(ev.items(items, span))


def _add(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    ev.budget.allocate(1)
    (item,) = args
    return owner.add(ev.hashable(item, span))


def _setdefault(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    ev.budget.allocate(1)
    ev.hashable(args[0], span)
    return owner.setdefault(*args)


def _update(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    _known(*args)
    for argument in args:
        if isinstance(owner, set):
            owner.update(ev.hashable(item, span) for item in ev.items(argument, span))
        elif isinstance(argument, dict):
            ev.budget.allocate(len(argument))
            owner.update(argument)
        else:
            pairs = [ev.items(pair, span) for pair in ev.items(argument, span)]
            for key, value in pairs:
                owner[ev.hashable(key, span)] = value
    if kwargs:
        owner.update(kwargs)
    return None


def _sort(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    owner[:] = sort(ev, owner, kwargs, span)
    return None


def sort(ev: Evaluator, items: list[Value], keywords: dict[str, Value], span: Span) -> list[Value]:
    """`sorted(items, key=, reverse=)`."""
    key = keywords.get("key")
    keys = list(items) if key is None else [ev.call_value(key, [item], {}, span) for item in items]
    for each in keys:
        if isinstance(each, Opaque):
            raise Abandoned(each)
        ev.weigh(each)
    count = len(items)
    ev.budget.step(count * count.bit_length())
    backwards = keywords.get("reverse", False) is True
    order = sorted(range(count), key=keys.__getitem__, reverse=backwards)
    return [items[i] for i in order]


def _join(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    parts = ev.items(args[0], span)
    _known(*parts)
    ev.budget.text(sum(_length(part, span) + len(owner) for part in parts))
    return owner.join(parts)


def _replace(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    _known(*args)
    old, new = args[:2]
    ev.budget.text(len(owner) + owner.count(old) * len(new))
    return owner.replace(*args)


def _widen(name: str) -> Callable[..., Value]:
    def call(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
        _known(*args)
        if isinstance(args[0], int):
            ev.budget.text(min(args[0], 2 * MAX_LENGTH))
        return getattr(owner, name)(*args)

    return call


def _split(name: str) -> Callable[..., Value]:
    def call(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
        _known(*args, *kwargs.values())
        ev.budget.allocate(len(owner))
        return getattr(owner, name)(*args, **kwargs)

    return call


def _to_bytes(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    _known(*args, *kwargs.values())
    if args and isinstance(args[0], int):
        ev.budget.text(args[0])
    return owner.to_bytes(*args, **kwargs)


def _format(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    from ptopro.frontend.formatting import format_string

    return format_string(ev, owner, args, kwargs, span)


def _copy(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    ev.budget.allocate(len(owner))
    return owner.copy()


def _set_operation(name: str) -> Callable[..., Value]:
    def call(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
        others = [{ev.hashable(item, span) for item in ev.items(argument, span)} for argument in args]
        ev.budget.allocate(len(owner))
        return getattr(owner, name)(*others)

    return call


def _get(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    if args and isinstance(args[0], Opaque):
        return args[0]
    ev.hashable(args[0], span)
    return owner.get(*args)


def _pairs(name: str) -> Callable[..., Value]:
    def call(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
        ev.budget.allocate(len(owner))
        return list(getattr(owner, name)())

    return call


def _pop(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    _known(*args[:1])
    if isinstance(owner, list):
        ev.budget.step(1 + len(owner) // 64)
    elif args:
        ev.hashable(args[0], span)
    return owner.pop(*args)


def _clear(ev: Evaluator, owner: Value, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    return owner.clear()


SPECIAL: dict[str, Callable[..., Value]] = {
    "append": _append,
    "insert": _insert,
    "extend": _extend,
    "add": _add,
    "setdefault": _setdefault,
    "update": _update,
    "sort": _sort,
    "join": _join,
    "replace": _replace,
    "zfill": _widen("zfill"),
    "ljust": _widen("ljust"),
    "rjust": _widen("rjust"),
    "center": _widen("center"),
    "split": _split("split"),
    "rsplit": _split("rsplit"),
    "splitlines": _split("splitlines"),
    "to_bytes": _to_bytes,
    "format": _format,
    "copy": _copy,
    "clear": _clear,
    "pop": _pop,
    "get": _get,
    "items": _pairs("items"),
    "keys": _pairs("keys"),
    "values": _pairs("values"),
    **{
        name: _set_operation(name)
        for name in words("""union intersection difference symmetric_difference issubset issuperset isdisjoint""")
    },
}
