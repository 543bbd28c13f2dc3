"""Cross-core buffers in a kernel that has no pipeline: their ids would do nothing.

In: the IR of a kernel without `pipeline=`.  Out: a diagnostic for each group with `fwd_ids=` or `bwd_ids=`, unless the
kernel synchronises its cores by hand (as the output of expand does).
"""

from __future__ import annotations

from ptopro.diagnostics import Sink, make
from ptopro.lowering import ir
from ptopro.lowering.traversal import reachable_functions

BY_HAND = ("system.set_cross_core", "system.wait_cross_core", "system.sync_all")


def check_no_pipeline(lowered: ir.KernelIR, sink: Sink) -> None:
    """Report ids that nothing uses."""
    declared: dict[object, ir.GroupDecl] = {}
    for half in lowered.halves:
        for function in reachable_functions(half):
            for stmt in ir.walk(function.body):
                if isinstance(stmt, ir.Operate) and stmt.operation.name in BY_HAND:
                    return
                if isinstance(stmt, ir.DeclareGroup) and (stmt.decl.fwd_ids or stmt.decl.bwd_ids):
                    declared.setdefault(stmt.decl.call, stmt.decl)
    for group in declared.values():
        sink.add(make("PTO1440", group.span, buffer=group.name))
