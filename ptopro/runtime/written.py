"""Which parameters a kernel writes: those whose arrays must be writable.

In: a `KernelIR`.  Out: names of parameters.  Views made by `pl.make_tensor` and pointers are followed back to the
parameter they come from; through a variable, to all parameters that any assignment gives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ptopro.language.operations.model import Operation, Role
from ptopro.lowering import ir as IR


def written_parameters(kernel: IR.KernelIR) -> tuple[str, ...]:
    """Names of the tensor and pointer parameters that some operation of the kernel stores to, in order."""
    found: set[str] = set()
    sources = _pointer_sources(kernel)
    for function in _functions(kernel):
        for stmt in IR.walk(function.body):
            if isinstance(stmt, IR.Operate):
                for target in _targets(stmt):
                    found |= _roots(target, sources)
    return tuple(param.name for param in kernel.params if param.name in found)


def _functions(kernel: IR.KernelIR) -> Iterator[IR.FunctionIR]:
    """The halves and every function they call as a statement, each once."""
    waiting = list(kernel.halves)
    seen: set[int] = set()
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        yield function
        waiting += [stmt.function for stmt in IR.walk(function.body) if isinstance(stmt, IR.CallStmt)]


def _targets(stmt: IR.Operate) -> Iterable[object]:
    """The operands that the operation writes."""
    roles = {operand.name: operand.role for operand in stmt.operation.operands}
    return [use.value for use in stmt.operands if any(role.writes for role in _roles(stmt.operation, use.name, roles))]


def _roles(operation: Operation, name: str, roles: dict[str, Role]) -> list[Role]:
    """The role of an operand in the operation and in each of its forms."""
    found = [roles[name]] if name in roles else []
    return found + [form.roles[name] for form in operation.forms if name in form.roles]


def _pointer_sources(kernel: IR.KernelIR) -> dict[int, list[object]]:
    """For each pointer variable, what is assigned to it or passed for it."""
    sources: dict[int, list[object]] = {}
    for param in kernel.params:
        if isinstance(param.value, IR.Var):
            sources.setdefault(id(param.value), []).append(param.name)
    for function in _functions(kernel):
        for stmt in IR.walk(function.body):
            if isinstance(stmt, IR.Assign) and stmt.var.pointer:
                sources.setdefault(id(stmt.var), []).append(stmt.value)
            elif isinstance(stmt, IR.CallStmt):
                for formal, actual in zip(stmt.function.params, stmt.args, strict=False):
                    sources.setdefault(id(formal), []).append(actual)
    return sources


def _roots(value: object, sources: dict[int, list[object]]) -> set[str]:
    """Names of the parameters whose memory `value` may be."""
    found: set[str] = set()
    waiting: list[object] = [value]
    seen: set[int] = set()
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found.add(item)
        elif isinstance(item, IR.TensorDecl):
            if item.base is None:
                found.add(item.name)
            else:
                waiting.append(item.base)
        elif isinstance(item, IR.PointerOf):
            waiting.append(item.base)
        elif isinstance(item, IR.VarRef):
            waiting.append(item.var)
        elif isinstance(item, IR.Choose):
            waiting += [item.then, item.other]
        elif isinstance(item, IR.Var) and id(item) not in seen:
            seen.add(id(item))
            waiting += sources.get(id(item), [])
    return found
