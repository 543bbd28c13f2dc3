"""Lists of registers: `[vf.full(0.0) for _ in range(4)]`, `acc[i] = vf.add(acc[i], x, m)`.

A list is a tuple of values whose members are registers of their own; indices are known at compile time.  A member is
named by a key (`leaf_name`), so that loops carry it like any other name.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.lowering.environment import Binding, as_tuple, leaf_name
from ptopro.lowering.expressions import members
from ptopro.lowering.values import UNKNOWN, Known, RangeValue, RegisterValue, TupleValue, UbValue, Unknown, Value

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

_REGISTERS = (RegisterValue, UbValue)


def comprehension(frame: Frame, node: ast.ListComp | ast.GeneratorExp) -> Value:
    """`[expression for name in items]` with run-time members in register code; else a compile-time value."""
    if frame.registers is None or len(node.generators) != 1 or not _calls(node.elt):
        return frame.evaluate(node)
    generator = node.generators[0]
    iterable = frame.value(generator.iter)
    items = members(iterable)
    if items is None and isinstance(iterable, Known):
        from ptopro.lowering.assignment import iterate

        expanded = iterate(frame, iterable, generator.iter)
        items = None if expanded is None else tuple(expanded)
    elif items is None and not isinstance(iterable, Unknown):
        what = "a pl.range" if isinstance(iterable, RangeValue) else "it"
        frame.report("PTO1150", generator.iter, what="a list of registers", name=what)
    if items is None or generator.ifs or not isinstance(generator.target, ast.Name):
        if items is not None:
            return frame.evaluate(node)
        return UNKNOWN
    name = generator.target.id
    outer = frame.env.get(name)
    values: list[Value] = []
    for item in items:
        frame.env[name] = Binding(item)
        values.append(frame.value(node.elt))
    if outer is None:
        frame.env.pop(name, None)
    else:
        frame.env[name] = outer
    return UNKNOWN if any(isinstance(v, Unknown) for v in values) else TupleValue(tuple(values))


def _calls(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(node))


def member_key(frame: Frame, target: ast.expr) -> str | None:
    """The key of `name[index]` in a list of registers; None for anything else."""
    if not (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)):
        return None
    binding = frame.env.get(target.value.id)
    if binding is None or not isinstance(binding.value, TupleValue):
        return None
    owner = binding.value
    if not any(isinstance(item, _REGISTERS) for item in owner.items) or isinstance(target.slice, ast.Slice):
        return None
    index = frame.value(target.slice)
    if not isinstance(index, Known) or not isinstance(index.value, int):
        return None
    if not -len(owner.items) <= index.value < len(owner.items):
        return None
    return leaf_name(target.value.id, owner, index.value % len(owner.items))


def held(frame: Frame, key: str) -> Value | None:
    """What a name, or a member of a list, holds."""
    owner, _, index = key.partition(" ")
    binding = frame.env.get(owner)
    if binding is None or not index:
        return None if binding is None else binding.value
    value = as_tuple(binding.value)
    return value.items[int(index)] if index.isdigit() and int(index) < len(value.items) else None


def assign_member(frame: Frame, target: ast.Subscript, value: Value, node: ast.AST) -> bool:
    """`name[index] = value` in a list of registers; whether it was that."""
    key = member_key(frame, target)
    if key is None:
        return False
    from ptopro.lowering.assignment import hold

    owner, _, index = key.partition(" ")
    binding = frame.env[owner]
    items = list(as_tuple(binding.value).items)
    items[int(index)] = hold(frame, key, value, node)[0]
    frame.env[owner] = Binding(TupleValue(tuple(items)), span=binding.span)
    return True
