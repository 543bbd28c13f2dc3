"""Signatures and help texts of operations, from the table; used by `inspect`, `help()` and the stubs."""

from __future__ import annotations

import enum
import inspect

from ptopro.language.dtypes import DType
from ptopro.language.operations.model import REQUIRED, Operand, Operation


def signature_of(operation: Operation) -> inspect.Signature:
    """The Python signature."""
    return inspect.Signature([_parameter(operand) for operand in operation.operands])


def _parameter(operand: Operand) -> inspect.Parameter:
    kinds = inspect.Parameter
    if operand.variadic:
        return kinds(operand.name, kinds.VAR_KEYWORD if operand.keyword_only else kinds.VAR_POSITIONAL)
    default = kinds.empty if operand.default is REQUIRED else operand.default
    kind = kinds.KEYWORD_ONLY if operand.keyword_only else kinds.POSITIONAL_OR_KEYWORD
    return kinds(operand.name, kind, default=default)


def call_text(operation: Operation) -> str:
    """`pl.load(dst_tile, src_tensor, offsets, *, order=None)`."""
    parts: list[str] = []
    starred = False
    for operand in operation.operands:
        if operand.variadic:
            parts.append(("**" if operand.keyword_only else "*") + operand.name)
            starred = True
            continue
        if operand.keyword_only and not starred:
            parts.append("*")
            starred = True
        default = "" if operand.default is REQUIRED else f"={default_text(operand.default)}"
        parts.append(operand.name + default)
    return f"pl.{operation.name}({', '.join(parts)})"


def default_text(value: object) -> str:
    """A default as the reader writes it."""
    if isinstance(value, enum.Enum):
        return f"pl.{type(value).__name__}.{value.name}"
    return repr(value)


def help_text(operation: Operation) -> str:
    """What the operation does, what it takes, which pipe runs it."""
    lines = [call_text(operation), "", operation.summary, ""]
    lines += [f"  {operand.name}: {_operand_text(operation, operand)}" for operand in operation.operands]
    if operation.operands:
        lines.append("")
    pipe = operation.pipe.name if isinstance(operation.pipe, enum.Enum) else "by the operands' memories"
    lines.append(f"Pipe: {pipe}.")
    lines += [f"- {constraint}" for constraint in operation.constraints]
    return "\n".join(lines)


def _operand_text(operation: Operation, operand: Operand) -> str:
    from ptopro.language.operations.rules import describe_kinds

    text = f"{operand.role.value}, {describe_kinds(operand.kind)}"
    if operand.attr_type is not None:
        text = f"pl.{operand.attr_type.__name__}"
    if operand.memory:
        text += f" in {' or '.join(m.name for m in operand.memory)}"
    dtypes: tuple[DType, ...] = operation.dtypes.get(operand.name, ())
    if dtypes:
        text += f" of {', '.join(d.name.removeprefix('DT_') for d in dtypes)}"
    return text
