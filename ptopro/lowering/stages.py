"""Calls of pipeline stages, noted for expand while a kernel is lowered.

In: a call of a function marked `@pl.pipeline.stage`.  Out: a `StageCall` in `Lowering.stage_calls`: what each argument
and each name in reach holds there, which the IR alone does not say (it has only what is passed at run time).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.values import FunctionKind, FunctionValue
from ptopro.lowering.arguments import Given
from ptopro.lowering.values import Value

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


@dataclass(frozen=True, slots=True, eq=False)
class StageCall:
    """One call of a stage, as one core sees it.

    span: of the call; definition: of the stage's def; section: the core whose section it stands in, None outside of
    one; chain: the functions it is reached through, the outermost first, each with whether it is a stage (empty: called
    by the kernel itself); arguments: by parameter, where it is written and what it is; names: what the names of the
    calling function hold there.
    """

    span: Span
    name: str
    definition: Span
    core: str
    section: str | None
    chain: tuple[tuple[str, bool], ...]
    arguments: Mapping[str, tuple[ast.AST, Value]]
    names: Mapping[str, Value]


def note_call(frame: Frame, function: FunctionValue, bound: Mapping[str, Given], node: ast.Call) -> None:
    """Note a call if it is one of a stage.  A loop's body may be lowered several times: the last time counts."""
    if function.kind is not FunctionKind.STAGE:
        return
    lowering = frame.lowering
    span = frame.span(node)
    lowering.stage_calls[span] = StageCall(
        span,
        function.name,
        function.module.span(function.node),
        lowering.core,
        frame.section,
        tuple((name, known in lowering.stage_nodes) for known, name in lowering.chain),
        {name: (given.node, given.value) for name, given in bound.items()},
        {name: binding.value for name, binding in frame.env.items()},
    )
    lowering.stage_nodes.add(function.node)
