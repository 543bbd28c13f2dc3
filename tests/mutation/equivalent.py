"""Mutants that compute what the kernel computes in every order of events, each with the reason.

Slot counts are the author's choice: `ptopro expand` is right for every count that it takes.  So a mutated count is
equivalent when the mutant is, letter by letter, what expand writes for the author's kernel with that count, without an
error: its locks cover the slots that there are, and the event graph has proved its flags.  That is computed here, not
claimed.  The other reasons are by hand, in `BY_HAND`.
"""

from __future__ import annotations

from functools import cache

from checked_samples import SAMPLES
from mutator import Mutant

from ptopro.diagnostics import Sink
from ptopro.expand.driver import expand_file
from ptopro.expand.model import ExpandOptions

AS_EXPANDED = "the same text is expanded from the author's kernel with that many slots"

# (sample, kind, change, a part of the line) -> reason.
IN_FRONT_OF_X = (
    "gamma and beta are loaded in front of x on MTE2, and V uses them behind its first lock of x, which waits for a "
    "release on MTE2: a release carries the completion of every earlier transfer of its pipe"
)
RIGHT_STAYS = (
    "cur_right is moved once, in front of every cur_left on MTE1, and M waits for a release of cur_left on MTE1, which "
    "carries the completion of every earlier transfer of its pipe; nothing writes cur_right again"
)
LOADED_ONCE = (
    "the weights are loaded once, in front of every x on MTE2, and MTE1 moves an x in front of them behind a wait for its "
    "release on MTE2, which carries the completion of every earlier transfer of its pipe; nothing writes the weights again"
)
BY_HAND: dict[tuple[str, str, str, str], str] = {
    ("layernorm", "lock pair", "removed", "(pipe=pl.PipeType.MTE2, tile=gamma_ub)"): IN_FRONT_OF_X,
    ("layernorm", "lock pair", "removed", "(pipe=pl.PipeType.V, tile=gamma_ub)  # lock: expand_mul reads"): IN_FRONT_OF_X,
    ("layernorm", "lock pair", "removed", "(pipe=pl.PipeType.V, tile=beta_ub)  # lock: expand_sub reads"): IN_FRONT_OF_X,
    (
        "layernorm", "lock pair", "removed", "# lock: expand_sub reads and writes cur_x; held up to mul",
    ): "it stands between two other pairs of V on cur_x with no other pipe's in between: the first has waited for the "
    "load, the last is what the store waits for",
    ("matmul_softmax", "slots", "one slot more", "mutex_ids=[8, 9],"): "scores is indexed with task % 2: nothing "
    "reaches a third slot",
    ("matmul_softmax", "lock pair", "removed", "(pipe=pl.PipeType.MTE1, tile=cur_right)"): RIGHT_STAYS,
    ("matmul_softmax", "lock pair", "removed", "(pipe=pl.PipeType.M, tile=cur_right)"): RIGHT_STAYS,
    ("relu_chain", "lock pair", "removed", "tile=w_tile)"): LOADED_ONCE,
    ("relu_chain", "lock pair", "removed", "tile=v_tile)"): LOADED_ONCE,
    ("two_pipelines", "lock pair", "removed", "tile=w_tile)"): LOADED_ONCE,
    ("two_pipelines", "lock pair", "removed", "tile=v_tile)"): LOADED_ONCE,
}  # fmt: skip


def reason_of(sample: str, mutant: Mutant) -> str:
    """Why a mutant cannot be told from the kernel; empty when no reason is known."""
    if mutant.kind == "slots" and is_an_expansion(sample, mutant):
        return AS_EXPANDED
    for (name, kind, change, part), reason in BY_HAND.items():
        if (name, kind) == (sample, mutant.kind) and mutant.change.startswith(change) and part in mutant.source:
            return reason
    return ""


def is_an_expansion(sample: str, mutant: Mutant) -> bool:
    """Whether expand writes the mutant when the author declares what the mutant declares."""
    lines = mutant.text.splitlines()
    before = sum(line.strip() == mutant.source for line in lines[: mutant.line - 1])
    author = SAMPLES[sample].path.read_text().splitlines()
    same = [number for number, line in enumerate(author) if line.strip() == mutant.source]
    author[same[before]] = lines[mutant.line - 1]
    return _expanded(sample, "\n".join(author) + "\n") == mutant.text


@cache
def _expanded(sample: str, text: str) -> str:
    sink = Sink()
    found = expand_file(str(SAMPLES[sample].path), text, options=ExpandOptions(), sink=sink)
    return found[0].text if found and not sink.has_errors else ""
