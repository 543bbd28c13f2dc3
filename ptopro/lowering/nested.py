"""Functions defined inside a kernel or helper."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.frontend.evaluator import NotConstant
from ptopro.frontend.failures import Abandoned, Failed
from ptopro.frontend.functions import make_function
from ptopro.lowering.environment import Binding
from ptopro.lowering.values import UNKNOWN, Known

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def function(frame: Frame, node: ast.FunctionDef) -> None:
    """A nested `def` is a helper that sees the compile-time names around it."""
    if node.decorator_list:
        frame.report("PTO1070", node.decorator_list[0])
        frame.env[node.name] = Binding(UNKNOWN, span=frame.span(node))
        return
    try:
        value = make_function(frame.module.evaluator, node, frame.scope)
    except NotConstant as error:
        frame.refuse(error, node, "a default value")
        frame.env[node.name] = Binding(UNKNOWN, span=frame.span(node))
        return
    except (Failed, Abandoned) as error:
        reason = error.reason if isinstance(error, Failed) else error.opaque.reason
        frame.refuse(NotConstant(frame.span(node), reason), node, "a default value")
        frame.env[node.name] = Binding(UNKNOWN, span=frame.span(node))
        return
    frame.env[node.name] = Binding(Known(value), span=frame.span(node))
