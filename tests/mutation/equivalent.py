"""Mutants that compute what the kernel computes in every order of events, each with the reason.

Slot counts are the author's choice: `ptopro expand` is right for every count that it takes.  So a mutated count is
equivalent when the mutant is, letter by letter, what expand writes for the author's kernel with that count, without an
error: its locks cover the slots that there are, and the event graph has proved its flags.  That is computed here, not
claimed.  The other reasons are by hand, in `BY_HAND`.
"""

from __future__ import annotations

from functools import cache

from checked_samples import SAMPLES, Setting
from mutator import Mutant

from ptopro.diagnostics import Sink
from ptopro.expand.driver import expand_file
from ptopro.expand.model import ExpandOptions

AS_EXPANDED = "the same text is expanded from the author's kernel with that many slots"

# (sample, kind, change, a part of the line) -> reason.  FIRST, at the end of a part: of several such lines, the first.
FIRST = " (first)"
IN_FRONT_OF_X = (
    "gamma and beta are loaded in front of x on MTE2, and V uses them behind its first lock of x, which waits for a "
    "release on MTE2: a release carries the completion of every earlier transfer of its pipe"
)
RIGHT_STAYS = (
    "the right operand is moved once, in front of every left one on MTE1, and M waits for a release of a left one on MTE1, "
    "which carries the completion of every earlier transfer of its pipe; nothing writes the right operand again"
)
LOADED_ONCE = (
    "the weights are loaded once, in front of every x on MTE2, and MTE1 moves an x in front of them behind a wait for its "
    "release on MTE2, which carries the completion of every earlier transfer of its pipe; nothing writes the weights again"
)
MORE_SLOTS = (
    "its flags and credits still go round as many slots as before, and whoever waits for the last reader of one slot waits, "
    "in order on its pipe, before it writes any later one; both sides walk all slots alike, and the memory behind is free"
)
IN_ITS_ROUND = (
    "all four stages of a task run in its round, each behind the one before.  When the first cube stage starts, FIX and M are "
    "behind the second cube stage of the task before, which MTE1 began when MTE3 had told of the first vector stage, which V "
    "began when FIX had told of the first cube stage; when the second cube stage starts, MTE1 has waited for a first vector "
    "stage that V began behind the second vector stage of the task before.  So whoever used a slot for the task before has "
    "done so when it is written again, with one slot as with many"
)
LEFT_IN_ITS_ROUND = (
    f"{IN_ITS_ROUND}; and M waits for cur_right, which MTE1 moves behind cur_left: its release carries the completion of every "
    "earlier transfer of the pipe"
)
INSERTED_IN_ITS_ROUND = f"{IN_ITS_ROUND}; and a mask is loaded over these bytes behind the pair on half_nz, of the same id, which V takes later"
STORED_IN_ITS_ROUND = (
    f"{IN_ITS_ROUND}; and MTE3 stores in front of its insert for the next task, whose flag carries the completion of every "
    "earlier transfer"
)
PASTED_IN_ITS_ROUND = (
    f"{IN_ITS_ROUND}; and the pair of MTE3 on cur_upper, of the same id and in front of it, has waited for V"
)
HALF_ON_V = (
    "half is used on V alone, which runs in order; who writes these bytes as another tile waits for the pair on half_nz, of the "
    "same id, which V takes behind it"
)
OUTPUT_OF_A_QUERY = (
    "ki == 0 of the same query has taken the pair before (and waited for the store of the query before), MTE3 stores behind "
    "ki == last, which takes its own, and in between only V uses cur_output, in order"
)
READ_AT_ONCE = (
    "rotate reads cur_x, cur_cosine and cur_sine in one instruction of V; MTE2 loads cosine between x and sine: the release of "
    "sine carries its completion to V, and the release of x by V that MTE2 waits for comes behind the whole instruction"
)
SMALL_LEFT = (
    "M waits for a right operand that MTE1 moves behind this left one, and its release carries the completion of every earlier "
    "transfer; before MTE1 moves into the slot again it has waited, in the four parts of a compute_qk, for products that M "
    "computes behind the last one with the slot"
)
OVER_SMALL_RIGHT = (
    "the third slot lies over small_right.  All stages of a task run in its round: MTE1 starts compute_pv behind a flag that the "
    "product with small_right is in front of; and before it moves into small_right again it has waited, in the four parts of "
    "compute_qk, for products that M computes behind compute_pv"
)
PAGE_NOT_REACHED = "its slots are numbered by tick % PAGES_HELD: nothing reaches a fifth"
NOT_REACHED = "its slots are numbered by tick % HANDED_ON: nothing reaches a fifth"
Place = tuple[str, str, str, str]
BY_HAND: dict[Place, str] = {
    ("layernorm", "lock pair", "removed", "(pipe=pl.PipeType.MTE2, tile=gamma_ub)"): IN_FRONT_OF_X,
    ("layernorm", "lock pair", "removed", "(pipe=pl.PipeType.V, tile=gamma_ub)  # lock: expand_mul reads"): IN_FRONT_OF_X,
    ("layernorm", "lock pair", "removed", "(pipe=pl.PipeType.V, tile=beta_ub)  # lock: expand_sub reads"): IN_FRONT_OF_X,
    (
        "layernorm", "lock pair", "removed", "# lock: expand_sub reads and writes cur_x; held up to mul",
    ): "it stands between two other pairs of V on cur_x with no other pipe's in between: the first has waited for the "
    "load, the last is what the store waits for",
    (
        "mla_decode", "lock pair", "removed", f"tile=cur_acc)  # lock: matmul_acc reads and writes cur_acc{FIRST}",
    ): "it stands between two other pairs of M on cur_acc with no other pipe's in between: the first has waited for FIX, the "
    "last is what FIX waits for",
    ("mla_decode", "lock pair", "removed", "tile=rope_left)"): SMALL_LEFT,
    ("mla_decode", "lock pair", "removed", "tile=left)"): SMALL_LEFT,
    ("mla_decode", "lock pair", "removed", "# lock: rescale reads and writes cur_output"): OUTPUT_OF_A_QUERY,
    ("mla_decode", "slots", "one slot more", "mutex_ids=[0, 1, 2, 3]"): PAGE_NOT_REACHED,
    ("mla_decode", "slots", "one slot more", "mutex_ids=[4, 5, 6, 7]"): PAGE_NOT_REACHED,
    ("mla_decode", "slots", "one slot more", "mutex_ids=[10, 11, 12]"): MORE_SLOTS,
    ("layernorm_vf", "lock pair", "removed", "tile=gamma_ub)"): IN_FRONT_OF_X,
    ("layernorm_vf", "lock pair", "removed", "tile=beta_ub)"): IN_FRONT_OF_X,
    ("rope_vf", "lock pair", "removed", "tile=cur_cosine)"): READ_AT_ONCE,
    ("matmul_softmax", "slots", "one slot more", "mutex_ids=[8, 9],"): "scores is indexed with task % 2: nothing "
    "reaches a third slot",
    ("matmul_softmax", "lock pair", "removed", "(pipe=pl.PipeType.MTE1, tile=cur_right)"): RIGHT_STAYS,
    ("matmul_softmax", "lock pair", "removed", "(pipe=pl.PipeType.M, tile=cur_right)"): RIGHT_STAYS,
    ("matmul_relu_gm", "lock pair", "removed", "tile=b_l0)"): RIGHT_STAYS,
    ("relu_chain", "lock pair", "removed", "tile=w_tile)"): LOADED_ONCE,
    ("relu_chain", "lock pair", "removed", "tile=v_tile)"): LOADED_ONCE,
    ("relu_chain", "slots", "one slot more", "hidden = "): MORE_SLOTS,
    ("two_pipelines", "lock pair", "removed", "tile=w_tile)"): LOADED_ONCE,
    ("two_pipelines", "lock pair", "removed", "tile=v_tile)"): LOADED_ONCE,
    ("two_pipelines", "slots", "one slot more", "hidden = "): MORE_SLOTS,
    ("flash_attention", "slots", "one slot more", "p_l1 = "): MORE_SLOTS,
    ("flash_attention_vf", "slots", "one slot more", "p_l1 = "): MORE_SLOTS,
    ("flash_attention_vf", "slots", "one slot more", "correction = "): NOT_REACHED,
    ("flash_attention", "slots", "one slot more", "correction=pl.make_tile_group"): NOT_REACHED,
    ("flash_attention", "slots", "one slot more", "correction_column=pl.make_tile_group"): NOT_REACHED,
    ("flash_attention", "lock pair", "removed", "tile=half)  # lock: cast writes half"): HALF_ON_V,
    (
        "flash_attention", "lock pair", "removed", "# lock: expand_mul reads and writes cur_output; held up to add",
    ): OUTPUT_OF_A_QUERY,
    ("flash_attention_vf", "lock pair", "removed", "# lock: rescale reads and writes cur_output"): OUTPUT_OF_A_QUERY,
}  # fmt: skip

# The same for the setting in which no stage runs ahead.
BUFFERS = {
    "relu_chain": ("hidden", "product", "result"),
    "two_pipelines": ("hidden", "product", "result"),
    "flash_attention": ("scores", "p_l1", "pv"),
    "flash_attention_vf": ("scores", "p_l1", "pv"),
}
IN_ROUND: dict[Place, str] = {
    **{(name, "lock pair", "removed", "tile=cur_left)"): LEFT_IN_ITS_ROUND for name in BUFFERS},
    **{
        (name, "slots", "one slot less", f"{buffer} = "): IN_ITS_ROUND
        for name, buffers in BUFFERS.items()
        for buffer in buffers
    },
    ("flash_attention", "lock pair", "removed", "# lock: maximum writes work; held up to sum"): INSERTED_IN_ITS_ROUND,
    ("flash_attention", "lock pair", "removed", "# lock: mul writes cur_output"): STORED_IN_ITS_ROUND,
    ("flash_attention_vf", "lock pair", "removed", "# lock: move writes cur_output"): STORED_IN_ITS_ROUND,
    ("flash_attention_vf", "lock pair", "removed", "tile=cur_lower)"): PASTED_IN_ITS_ROUND,
    ("mla_decode", "lock pair", "removed", f"# lock: matmul writes cur_acc{FIRST}"): IN_ITS_ROUND,
    ("mla_decode", "lock pair", "removed", "# lock: move writes cur_output"): STORED_IN_ITS_ROUND,
    ("mla_decode", "slots", "one slot less", "mutex_ids=[10, 11, 12]"): IN_ITS_ROUND,
    ("mla_decode", "slots", "one slot less", "addrs=SCORES_AT"): IN_ITS_ROUND,
    ("mla_decode", "slots", "one slot less", "pv = "): IN_ITS_ROUND,
    ("mla_decode", "slots", "one slot more", "value="): OVER_SMALL_RIGHT,
}


def reason_of(sample: str, setting: Setting, mutant: Mutant) -> str:
    """Why a mutant cannot be told from the kernel; empty when no reason is known."""
    if mutant.kind == "slots" and is_an_expansion(sample, setting, mutant):
        return AS_EXPANDED
    known = {**BY_HAND, **(IN_ROUND if setting is not None else {})}
    for (name, kind, change, part), reason in known.items():
        same = (name, kind) == (sample, mutant.kind) and mutant.change.startswith(change)
        if same and is_meant(mutant, part):
            return reason
    return ""


def is_meant(mutant: Mutant, part: str) -> bool:
    """Whether a mutant's line is the one that a reason is for."""
    if part.removesuffix(FIRST) not in mutant.source:
        return False
    return not part.endswith(FIRST) or not lines_before(mutant)


def lines_before(mutant: Mutant) -> int:
    """How many lines in front of a mutant's are the same as it was."""
    return sum(line.strip() == mutant.source for line in mutant.text.splitlines()[: mutant.line - 1])


def is_an_expansion(sample: str, setting: Setting, mutant: Mutant) -> bool:
    """Whether expand writes the mutant when the author declares what the mutant declares."""
    lines = mutant.text.splitlines()
    before = lines_before(mutant)
    author = SAMPLES[sample].path.read_text().splitlines()
    same = [number for number, line in enumerate(author) if line.strip() == mutant.source]
    author[same[before]] = lines[mutant.line - 1]
    return _expanded(sample, setting, "\n".join(author) + "\n") == mutant.text


@cache
def _expanded(sample: str, setting: Setting, text: str) -> str:
    sink = Sink()
    found = expand_file(str(SAMPLES[sample].path), text, options=ExpandOptions(preload=setting), sink=sink)
    return found[0].text if found and not sink.has_errors else ""
