"""PTO15xx synchronisation."""

from __future__ import annotations

from ptopro.diagnostics.catalogue import kernel_sync
from ptopro.diagnostics.catalogue.entry import Entry
from ptopro.diagnostics.core import Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1501",
        title="tiles overlap and share no lock",
        severity=Severity.NOTE,
        message="{first} and {second} overlap at {low}..{high} of {memory} but share no mutex id",
        explain=(
            "Two declarations of one core cover the same bytes. Locks exclude each other only through a common id, so "
            "expand merges the ids of overlapping slots and writes them into the generated file. A plain tile takes "
            "the ids of the slots it overlaps. If the overlap is not intended, move one of the two."
        ),
        wrong=(
            "a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])\n"
            "c = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[4, 5])"
        ),
        right=(
            "a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])\n"
            "c = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])"
        ),
        help="their ids are merged in the generated file; give both the same ids to say that the overlap is meant",
        primary="{second} lies over {first}",
    ),
    Entry(
        code="PTO1502",
        title="no lock id left",
        message="no lock id is left for {name}: the {core} core has 32, and all are taken by {users}",
        explain=(
            'Each core has the lock ids 0 to 31. `mutex_ids="auto"` takes free ones; when there is none left, groups '
            "that are never used at the same time must share ids."
        ),
        wrong='g = pl.make_tile_group(type=T, addrs=0x0000, depth=40, mutex_ids="auto")',
        right="g = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])",
        help="use fewer slots, or give groups that are used in turn the same ids",
        primary="needs an id for each slot",
    ),
    Entry(
        code="PTO1503",
        title="merged lock ids cannot be written",
        message="the lock ids of {name} must change, but one call declares tiles that need {lists}",
        explain=(
            "Expand merges the lock ids of overlapping tiles and writes them into mutex_ids= of the declaration. When "
            "one call makes several tiles (in an unrolled loop), or mutex_ids comes out of `**options`, the text "
            "cannot say so."
        ),
        wrong=(
            "tiles = [pl.make_tile_group(type=T, addrs=i * 8192, mutex_ids=[i]) for i in range(2)]\n"
            "over = pl.make_tile_group(type=BIG, addrs=0, mutex_ids=[7])"
        ),
        right=(
            "tiles = [pl.make_tile_group(type=T, addrs=i * 8192, mutex_ids=[i]) for i in range(2)]\n"
            "over = pl.make_tile_group(type=BIG, addrs=0, mutex_ids=[(0, 1)])"
        ),
        help="give the overlapping declarations common ids yourself",
        primary="declared here",
    ),
    Entry(
        code="PTO1504",
        title="phase on some operations of an accumulator only",
        message="{operation} uses {tile} without phase=, but {other} gives it a phase",
        explain=(
            "With phase= the hardware's unit flag orders the matrix unit and the store, and the accumulator takes no "
            "lock. An operation without a phase neither waits for the flag nor sets it: it reads unfinished data, or "
            "the next matmul waits for ever. A move out of an accumulator has no phase, so its tile cannot use phases."
        ),
        wrong="pl.matmul(c, a, b, phase=pl.AccPhase.Final)\npl.store(y, c, [0, 0])",
        right="pl.matmul(c, a, b, phase=pl.AccPhase.Final)\npl.store(y, c, [0, 0], phase=pl.STPhase.Final)",
        help="give every matmul and store of this tile a phase, or none of them",
        primary="no phase here",
    ),
    Entry(
        code="PTO1505",
        title="phase never Final",
        message="{operation} leaves {tile} at phase Partial: whoever waits for Final waits for ever",
        explain=(
            "matmul with phase=Final sets the unit flag that the store waits for; store with phase=Final clears it "
            "for the next matmul. The last write and the last read of an accumulator must be Final."
        ),
        wrong="pl.matmul(c, a, b, phase=pl.AccPhase.Partial)\npl.store(y, c, [0, 0], phase=pl.STPhase.Final)",
        right="pl.matmul(c, a, b, phase=pl.AccPhase.Final)\npl.store(y, c, [0, 0], phase=pl.STPhase.Final)",
        help="make the last operation on each side Final",
        primary="the last one is Partial",
    ),
    Entry(
        code="PTO1506",
        title="name taken by expand",
        message="the name '{name}' is one that expand introduces here",
        explain="Names that start with _pl_ belong to generated code.",
        wrong="_pl_tile_0 = 3",
        right="tile_0 = 3",
        help="rename it",
        primary="choose another name",
    ),
    Entry(
        code="PTO1507",
        title="operations of several pipes in one statement",
        message="one statement holds operations of {pipes}, and each needs locks of its own",
        explain="A lock stands before and after the statement of its operation; operations of two pipes need two.",
        wrong="pl.load(a, x, [0, 0]), pl.muls(b, a, 2.0)",
        right="pl.load(a, x, [0, 0])\npl.muls(b, a, 2.0)",
        help="write one operation in each statement",
        primary="runs on {pipes}",
    ),
    Entry(
        code="PTO1508",
        title="one operation on several pipes",
        message="this operation runs on {pipes} in different rounds of an unrolled loop or on different cores",
        explain=(
            "A Python loop over compile-time values is unrolled, and here its rounds use tiles of different memories, "
            "so the operation runs on different pipes. One lock line cannot name two pipes."
        ),
        wrong="for dst in (left_tile, vec_tile):\n    pl.move(dst, mat_tile)",
        right="pl.move(left_tile, mat_tile)\npl.move(vec_tile, mat_tile)",
        help="write the operation once for each memory",
        primary="on {pipes}",
    ),
    Entry(
        code="PTO1509",
        title="helper function cannot be written out",
        message="'{function}' needs locks inside it, but no copy of it can be written: {why}",
        explain=(
            "Locks are written into the helper's text. Where its calls disagree on pipes or ids, or it stands in "
            "another file, expand writes a copy and changes the calls. That takes a `def` that is called by its name."
        ),
        wrong="f = lambda t: pl.muls(t, t, 2.0)\nf(cur)",
        right="def f(t):\n    pl.muls(t, t, 2.0)\n\nf(cur)",
        help="make it a function of its own and call it by name",
        primary="here",
    ),
    Entry(
        code="PTO1510",
        title="no place for a lock",
        message="{what} needs a lock, and there is no place for one around it",
        explain=(
            "A lock is a statement. Expressions are read into a temporary before their statement, under a lock; that "
            "would change the meaning of a value that is read later, several times or not at all: in a lambda or a "
            "comprehension, behind a helper call in a condition, in `while ... else`."
        ),
        wrong="while n > 0 and step(t) and pl.getval(t, 0) > 0:\n    ...",
        right="while n > 0 and step(t):\n    if pl.getval(t, 0) <= 0:\n        break\n    ...",
        help="read the value in a statement of its own",
        primary="read here",
    ),
    Entry(
        code="PTO1511",
        title="lock held by hand",
        message="{operation} locks id {number}, which a hand-written mutex_lock holds here: they would nest and hang",
        explain=(
            "Pairs of one id must not nest. With auto_mutex=True every operation locks its tiles itself; a "
            "hand-written lock of the same id around it makes the core wait for itself."
        ),
        wrong=(
            "pl.system.mutex_lock(pipe=pl.PipeType.V, mutex_id=0)\n"
            "pl.muls(cur, cur, 2.0)  # cur has id 0\n"
            "pl.system.mutex_unlock(pipe=pl.PipeType.V, mutex_id=0)"
        ),
        right="pl.muls(cur, cur, 2.0)  # its lock is written by expand",
        help="leave the lock to auto_mutex, or say auto_mutex=False and write all of them",
        primary="would lock id {number} again",
    ),
    Entry(
        code="PTO1512",
        title="no flag left for a lock",
        message="lock id {number} of {pipes} needs a flag, and all flags between these pipes are used by hand",
        explain=(
            "A2 and A3 have no buffer locks: a lock is a flag between the pipes that share it, and a pair of pipes has "
            "8 of them. Locks can share a flag, but not with sync_src and sync_dst written by hand; an event_id that "
            "is not known before the program runs may be any of the 8."
        ),
        wrong=(
            "for i in pl.range(8):\n"
            "    pl.system.sync_src(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.MTE2, event_id=i)"
        ),
        right="pl.system.sync_src(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.MTE2, event_id=0)",
        help="leave an event_id of this pair of pipes to the locks: use constants, and not all of 0 to 7",
        primary="this lock",
    ),
    Entry(
        code="PTO1513",
        title="decorator cannot be edited",
        message="the decorator of {kernel} cannot be changed to auto_mutex=False",
        explain="Expand edits the options in the decorator's call; a decorator made elsewhere has no text here.",
        wrong="kernel = pl.jit(auto_mutex=True)\n\n@kernel\ndef k(x): ...",
        right="@pl.jit(auto_mutex=True)\ndef k(x): ...",
        help="write @pl.jit(...) directly above the kernel",
        primary="made here",
    ),
    Entry(
        code="PTO1514",
        title="operand without a name",
        message="operand '{operand}' of {operation} needs a lock, and nothing here names its tile",
        explain="The lock line must name the tile. Operands that come out of `*tiles` have no text of their own.",
        wrong="pl.add(*tiles)",
        right="out, a, b = tiles\npl.add(out, a, b)",
        help="unpack the tiles into names first",
        primary="this operand has no text",
    ),
    Entry(
        code="PTO1515",
        title="kernel written in another file",
        message="the text of kernel {kernel} does not stand in {file}, so its locks cannot be written there",
        explain=(
            "Expand writes a kernel's file again. A kernel that a factory of an imported file makes has its text in "
            "that file, and the values it closes over here."
        ),
        wrong="from factory import make_kernel\n\nk = make_kernel(64)  # the def stands in factory.py",
        right="def make_kernel(n):\n    @pl.jit\n    def k(x): ...\n    return k\n\nk = make_kernel(64)",
        help="move the factory into this file",
        primary="the kernel's text",
    ),
    *kernel_sync.ENTRIES,
)
