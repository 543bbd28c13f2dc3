"""PTO14xx: cross-core buffers, their slots and event ids."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry
from ptopro.diagnostics.core import Severity

GROUP = "shared = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1]"
BOTH = GROUP + ", fwd_ids=[0, 1], bwd_ids=[2, 3])"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1418",
        title="a cross-core buffer in the wrong memory",
        message="{buffer} lies in {memory}: data goes from core to core through Vec or Mat",
        explain=(
            "The cube core writes into the vector cores' Vec memory, the vector cores write into the cube "
            "core's Mat memory."
        ),
        wrong="shared = pl.make_tile_group(type=left_type, ..., fwd_ids=[0, 1])",
        right="shared = pl.make_tile_group(type=mat_type, ..., fwd_ids=[0, 1])",
        help="declare the buffer in Vec or Mat",
        primary="in {memory}",
    ),
    Entry(
        code="PTO1420",
        title="no such cross-core event",
        message="{direction}_ids of {buffer} has {id}: cross-core events are 0 to 15",
        explain="Each core has 16 event counters that the other core can set.",
        wrong=GROUP + ", fwd_ids=[15, 16])",
        right=GROUP + ", fwd_ids=[14, 15])",
        help="choose ids from 0 to 15",
        primary="{id} does not exist",
    ),
    Entry(
        code="PTO1422",
        title="an event id used twice",
        message="event {id} of the {core} core belongs to {first} and to {second}",
        explain=(
            "An event is a counter on the core that waits. Two streams of flags on one counter take each "
            "other's flags. The fwd events of a buffer lie on the consumer's core, its bwd events on the "
            "producer's; the same number on the two cores is two events."
        ),
        wrong="a = pl.make_tile_group(..., fwd_ids=[0, 1])\nb = pl.make_tile_group(..., fwd_ids=[1, 2])",
        right="a = pl.make_tile_group(..., fwd_ids=[0, 1])\nb = pl.make_tile_group(..., fwd_ids=[2, 3])",
        help="give each its own ids",
        primary="{id} is taken",
    ),
    Entry(
        code="PTO1423",
        title="a cross-core buffer with one user",
        message="{buffer} has cross-core ids, but {stage} is the only stage of this loop that uses it",
        explain=(
            "A cross-core buffer is written by a stage of one core and read by a stage of the other, in every "
            "loop that uses it."
        ),
        wrong="def take(i, shared): ...  # not marked @pl.pipeline.stage",
        right="@pl.pipeline.stage\ndef take(i, shared): ...",
        help="let a stage of the other core use it (is @pl.pipeline.stage missing there?), or drop its ids",
        primary="used by {stage} alone",
    ),
    Entry(
        code="PTO1424",
        title="data crosses cores without flags",
        message="{producer} and {consumer} use {buffer} on two cores, but it has no fwd_ids: nothing orders them",
        explain=(
            "Locks order the pipes of one core. Between cores only flags do, and expand writes them for "
            "groups that have fwd_ids (data ready) and bwd_ids (slot free)."
        ),
        wrong=GROUP + ")",
        right=BOTH,
        help="add fwd_ids= and bwd_ids= with one id for each slot, or one shared id",
        primary="no fwd_ids, no bwd_ids",
    ),
    Entry(
        code="PTO1425",
        title="fwd_ids are missing",
        message="{buffer} has bwd_ids but no fwd_ids: {consumer} would read before {producer} has written",
        explain="fwd_ids say that the data is ready; bwd_ids alone say that the slot is free.",
        wrong=GROUP + ", bwd_ids=[2, 3])",
        right=BOTH,
        help="add fwd_ids= with one id for each slot, or one shared id",
        primary="only bwd_ids",
    ),
    Entry(
        code="PTO1426",
        title="a cross-core buffer of one core",
        message="{buffer} has cross-core ids, but {stages} all run on the {core} core",
        explain="Between stages of one core the locks (mutex_ids) keep the order; flags are for the other core.",
        wrong=BOTH + "  # two vector stages use it",
        right=GROUP + ")",
        help="drop fwd_ids and bwd_ids",
        primary="never leaves its core",
    ),
    Entry(
        code="PTO1427",
        title="a cross-core buffer with too many users",
        message="{buffer} is used by {stages}: {extra} runs on the core of its producer {producer}",
        explain=(
            "A buffer goes from one stage to one or more stages of the other core. When a stage of the "
            "producer's own core uses the slot as well, the slot would have two owners there, and one credit "
            "cannot say when both are done."
        ),
        wrong="put(i, shared)    # vector\ntake(i, shared)   # cube\nback(i, shared)   # vector again",
        right="put(i, shared)    # vector\ntake(i, shared, result)  # cube\nback(i, result)   # vector",
        help="use one group for each hand-over; their addresses may be the same",
        primary="{extra} uses it too",
    ),
    Entry(
        code="PTO1428",
        title="a consumer of a shared hand-over writes",
        message="{buffer} goes to several stages ({stages}), and {writer} writes into it",
        explain=(
            "Several stages may read one slot. When one of them writes, the others read what it left, in no "
            "fixed order."
        ),
        wrong="pl.muls(s, s, 2.0)  # s: a slot that another stage reads too",
        right="pl.muls(own, s, 2.0)",
        help="let {writer} write into a tile of its own",
        primary="{writer} writes into it",
    ),
    Entry(
        code="PTO1430",
        title="slots and flags do not move together",
        message="{stage} {why}, but flags go round the slots of {buffer} one by one, a slot for each task",
        explain=(
            "Task t uses slot t % N and event t % N, on both cores. So each stage that uses the buffer takes "
            "its slot by one `g.next()` on every path, or by `g[t % N]` with a number that goes up by one "
            "with every task."
        ),
        wrong="if ki > 0:\n    s = shared.next()",
        right="s = shared.next()\nif ki > 0:\n    ...",
        help="begin the stage with one `s = {buffer}.next()` that every path runs, and use s",
        primary="not slot t % N",
    ),
    Entry(
        code="PTO1431",
        title="two buffers take turns in no safe order",
        message="{first} and {second} share bytes, but with preload={preload} {problem}",
        explain=(
            "Buffers over the same bytes take turns. A slot's bytes may be written for the next user only "
            "when the previous one is done with them, in the order in which the pipeline runs its stages."
        ),
        wrong=(
            "x = pl.make_tile_group(addrs=0, ...)  # stages 1 and 2\n"
            "z = pl.make_tile_group(addrs=0, ...)  # stages 3 and 4"
        ),
        right="z = pl.make_tile_group(addrs=2 * SLOT, ...)",
        help="give them separate addresses, or lower preload",
        primary="over the bytes of {first}",
    ),
    Entry(
        code="PTO1432",
        title="no event id left",
        message="no cross-core event of the {core} core is left for {purpose}: {needed} needed, {free} free",
        explain="Address reuse and further consumers need flags of their own, which take the ids that no buffer has.",
        wrong="fwd_ids and bwd_ids that take all 16 ids",
        right="fwd_ids=[0]  # one shared id",
        help="use shared ids (`fwd_ids=[n]`), fewer slots, or separate addresses",
        primary="needs a flag of its own",
    ),
    Entry(
        code="PTO1433",
        title="no local event id left",
        message="{stage} uses {buffer} on {one} and {two}, but no local event between them is left",
        explain=(
            "One pipe waits for the cross-core flag. The other pipes of the stage that use the slot wait for "
            "that pipe, by local flags of their own, unless locks (mutex_ids) already order them."
        ),
        wrong="mutex_ids=None  # and sync_src/sync_dst with all ids by hand",
        right="mutex_ids=[0, 1]",
        help="give {buffer} mutex_ids with auto_mutex=True, or free an event id between {one} and {two}",
        primary="used on two pipes",
    ),
    Entry(
        code="PTO1434",
        title="a cross-core buffer outside of stages",
        message="{buffer} is a cross-core buffer, but {what} of the loop uses it outside of the stages",
        explain=(
            "Flags go around stage calls, once per task. A statement beside the stages, or a function that is "
            "not marked as a stage, would use the buffer without them."
        ),
        wrong="with pl.section_cube():\n    take(i, shared)  # take is not marked @pl.pipeline.stage",
        right="@pl.pipeline.stage\ndef take(i, shared): ...",
        help="move it into a stage, or mark the function with @pl.pipeline.stage",
        primary="no flags here",
    ),
    Entry(
        code="PTO1435",
        title="a slot that cannot be followed",
        message="the slot in {name} cannot be given to the delayed stage {stage}: {why}",
        explain=(
            "The delayed stage runs when the cursor has moved on, so expand notes the index of the slot. It "
            "follows slots that are picked by `name = g.next()` (or current, previous, g[i]) alone in an "
            "assignment of the kernel."
        ),
        wrong="use(g.next())",
        right="cur = g.next()\n...\nuse(cur)",
        help="pick the slot in one plain assignment to a name of its own",
        primary="picked in a way that cannot be followed",
    ),
    Entry(
        code="PTO1437",
        title="overlapping buffers that do not match",
        message="{first} and {second} share bytes but {problem}",
        explain=(
            "Buffers over the same bytes take turns slot by slot: both have the same number of slots, slot i "
            "of one lies over slot i of the other only, and their lock ids are the same."
        ),
        wrong=(
            "a = pl.make_tile_group(addrs=0, mutex_ids=[0, 1], ...)\n"
            "b = pl.make_tile_group(addrs=0, mutex_ids=[2, 3, 4], ...)"
        ),
        right=(
            "a = pl.make_tile_group(addrs=0, mutex_ids=[0, 1], ...)\n"
            "b = pl.make_tile_group(addrs=0, mutex_ids=[0, 1], ...)"
        ),
        help="{fix}",
        primary="lies over {first}",
    ),
    Entry(
        code="PTO1438",
        title="an event id of the barrier",
        message="event {id} of {owner} is used by the hardware barrier pl.system.sync_all",
        explain=(
            "The hardware barrier of all cores uses the events 11 to 14 itself. A kernel with sync_all leaves "
            "them alone."
        ),
        wrong=GROUP + ", fwd_ids=[11, 12])\npl.system.sync_all()",
        right=GROUP + ", fwd_ids=[0, 1])\npl.system.sync_all()",
        help="choose other ids, or use the soft barrier",
        primary="{id} is the barrier's",
    ),
    Entry(
        code="PTO1439",
        title="an event id used by hand too",
        message="event {id} of the {core} core is used by {owner} and by a hand-written {operation}",
        explain=(
            "An event is a counter; a flag set by hand on the counter of a buffer would be taken for one of "
            "the buffer's."
        ),
        wrong="pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=0)  # 0 is in fwd_ids",
        right="pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=8)",
        help="choose another id for one of the two",
        primary="{id} belongs to {owner}",
    ),
    Entry(
        code="PTO1440",
        title="cross-core ids without a pipeline",
        message="{buffer} has cross-core ids, but the kernel has no pipeline= and no flags: nothing is synchronised",
        explain=(
            "fwd_ids and bwd_ids say which events the pipeline uses for a buffer. Without pipeline= nothing "
            "writes the flags, and the two cores run without any order."
        ),
        wrong="@pl.jit(auto_mutex=True)\ndef k(...):\n    " + BOTH,
        right="@pl.jit(auto_mutex=True, pipeline=pl.pipeline.PipelineConfig(preload=0))",
        help="add pipeline=pl.pipeline.PipelineConfig(preload=0) (flags alone), or drop the ids",
        primary="its ids do nothing",
    ),
    Entry(
        code="PTO1462",
        title="stages exchange data through global memory",
        severity=Severity.WARNING,
        message="{writer} stores {tensor} and {reader} loads it: nothing orders the two",
        explain=(
            "Flags and locks follow tiles. What one stage stores to a tensor and another loads from it is not "
            "ordered by them, and delayed stages run for other tasks."
        ),
        wrong="put:   pl.store(work, t, [i, 0])\ntake:  pl.load(l, work, [i, 0])",
        right="put:   s = shared.next(); pl.move(s, t)\ntake:  s = shared.next(); pl.move(l, s)",
        help="hand the data over through a tile group with fwd_ids, or set flags by hand",
        primary="stored by {writer}, loaded by {reader}",
    ),
    Entry(
        code="PTO1463",
        title="two pipelines without a barrier",
        severity=Severity.WARNING,
        message=(
            "{second} of this loop uses bytes that {first} of the loop before uses on the other core; no "
            "sync_all stands between"
        ),
        explain=(
            "Each pipeline loop orders its own stages. Between two loops only a barrier of all cores keeps "
            "one from overtaking."
        ),
        wrong="for i in ...:  # first pipeline\n    ...\nfor j in ...:  # second pipeline\n    ...",
        right=("for i in ...:  # first pipeline\n...\npl.system.sync_all()\nfor j in ...:  # second pipeline\n..."),
        help="put pl.system.sync_all() between the loops",
        primary="the second pipeline",
    ),
    Entry(
        code="PTO1464",
        title="an event changes its pipes between loops",
        message=(
            "event {id} of the {core} core goes from {first} in one loop and from {second} in the next, with "
            "no sync_all between"
        ),
        explain=(
            "A counter that two loops use in turn keeps the pipe that sets it and the pipe that waits. With "
            "other pipes the flags of the second loop could overtake those of the first; a barrier between "
            "makes it safe."
        ),
        wrong="a: fwd_ids=[0] (FIX -> V) in the first loop\nb: fwd_ids=[0] (MTE3 -> MTE1) in the second",
        right="pl.system.sync_all()  # between the loops",
        help="put pl.system.sync_all() between the loops, or choose other ids",
        primary="other pipes than in the loop before",
    ),
)
