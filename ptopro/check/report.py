"""What a check prints for people, and the same as plain data.

In: a `Result`.  Out: text lines, or a dict for JSON.  The two promises stand apart: what expand proved for all
iterations, and what these runs saw.
"""

from __future__ import annotations

from ptopro.check.kernel_check import Result
from ptopro.check.runs import Outcome
from ptopro.diagnostics import Severity


def report_text(result: Result) -> str:
    """Several lines, with a final newline."""
    request = result.request
    head = f"{result.name}: {'ok' if result.ok else 'FAILED'}"
    lines = [head, f"  static   {_static(result)}"]
    if result.inputs is not None:
        source = request.inputs or f"seed {request.seed}"
        lines.append(f"  inputs   {', '.join(result.inputs.notes)}; {source}; {cores_text(request.cores)}")
    width = max((len(outcome.label) for outcome in result.outcomes), default=0)
    for outcome in result.outcomes:
        lines.append(f"  run      {outcome.label:<{width}}  {_verdict(outcome)}")
    if result.outcomes:
        lines += [f"  results  {_results(result)}", f"  dynamic  {_dynamic(result)}"]
    return "\n".join(lines) + "\n"


def report_object(result: Result) -> dict[str, object]:
    return {
        "kernel": result.name,
        "ok": result.ok,
        "static": _static(result),
        "dynamic": _dynamic(result) if result.outcomes else None,
        "inputs": list(result.inputs.notes) if result.inputs is not None else None,
        "seed": result.request.seed,
        "cores": result.request.cores,
        "runs": [
            {
                "form": outcome.form,
                "schedule": outcome.schedule,
                "code": outcome.report.code,
                "findings": len(outcome.findings),
                "cycles": outcome.report.cycles,
                "instructions": outcome.report.instructions,
                "syncs": outcome.report.syncs,
            }
            for outcome in result.outcomes
        ],
        "findings": [finding.code for finding in result.findings],
    }


def cores_text(count: int) -> str:
    return f"{count} core{'s' if count != 1 else ''}"


def _static(result: Result) -> str:
    errors = sum(d.severity is Severity.ERROR for d in result.static)
    if errors:
        return f"{errors} error{'s' if errors > 1 else ''}; nothing was run"
    if result.kernel is not None and result.kernel.pipelined:
        return (
            "holds for all iterations: the event graph of the pipeline keeps every dependency of the serial loop, "
            "without a circular wait; operations on tiles with lock ids have their locks"
        )
    if result.kernel is not None and result.kernel.source.options.auto_mutex:
        return "every operation on tiles with lock ids has its locks (no pipeline, so there is no event graph to prove)"
    return "types, shapes and memories fit; the kernel orders its pipes by hand, which only the runs can judge"


def _dynamic(result: Result) -> str:
    forms = len({outcome.form for outcome in result.outcomes})
    what = f"{len(result.outcomes)} runs of {forms} form{'s' if forms != 1 else ''}"
    if result.findings:
        count = len(result.findings)
        return f"{what}: {count} finding{'s' if count > 1 else ''}, each real on these inputs"
    return f"{what}: no finding on these inputs; says nothing about inputs that were not tried"


def _results(result: Result) -> str:
    assert result.kernel is not None
    names = ", ".join(result.kernel.written) or "nothing is written"
    if any(not outcome.ended for outcome in result.outcomes):
        return f"{names}: not compared for runs that were ended"
    if any(finding.code == "PTO1860" for finding in result.findings):
        return f"{names}: DIFFERENT between runs"
    text = f"{names}: bit-identical in all {len(result.outcomes)} runs"
    if result.kernel.by_hand:
        text += " (no serial run: the author's own flags order the cores)"
    if result.request.reference:
        wrong = any(finding.code == "PTO1861" for finding in result.findings)
        text += f"; {'DIFFERENT from' if wrong else 'as'} {result.request.reference}"
    return text


def _verdict(outcome: Outcome) -> str:
    state = "ok" if outcome.report.code == "ok" else outcome.report.code.replace("_", " ")
    return f"{state:<14} {outcome.report.instructions:>8} instructions {outcome.report.syncs:>7} syncs"
