"""PTO14xx: what the event graph of a pipeline finds."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry
from ptopro.diagnostics.core import Severity

RING_WRONG = (
    "corr = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1])  # preload=2\n"
    "compute_p:   pl.exp(corr[tick % 2], x)\n"
    "compute_gu:  pl.mul(y, y, corr[tick % 2])"
)
RING_RIGHT = (
    "corr = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1, 2])  # preload + 1\n"
    "compute_p:   pl.exp(corr[tick % 3], x)\n"
    "compute_gu:  pl.mul(y, y, corr[tick % 3])"
)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1480",
        title="the pipeline blocks itself",
        message="with preload={preload} the cores of this pipeline wait for each other in a circle{where}",
        explain=(
            "A producer waits for a free slot, the slot is freed by a stage that its core runs only after another "
            "wait, and so on, back to the producer: nothing can move. The notes go round the circle, each line waits "
            "for the next. More slots let the producer run ahead; a smaller preload asks for fewer."
        ),
        wrong="p = pl.make_tile_group(..., mutex_ids=[0], fwd_ids=[0], bwd_ids=[1])  # preload=2",
        right="p = pl.make_tile_group(..., mutex_ids=[0, 1], fwd_ids=[0, 1], bwd_ids=[2, 3])  # preload=2",
        help="{fix}",
        primary="this loop cannot move on",
    ),
    Entry(
        code="PTO1481",
        title="too few slots between two stages of one core",
        message=("{reader} reads {buffer} {distance} after {writer} wrote it: {needed} slots needed, {have} declared"),
        explain=(
            "Delayed stages run several tasks behind: by the time a delayed stage reads what an earlier stage of its "
            "core left, that stage has already run for the tasks in between. Each of these needs a slot of its own, "
            "chosen by a number that goes up by one with every task. Data that a stage writes before it reads it, in "
            "the same call, needs no slots."
        ),
        wrong=RING_WRONG,
        right=RING_RIGHT,
        help="{fix}",
        primary="overwritten by {writer} before {reader} reads it",
    ),
    Entry(
        code="PTO1482",
        title="a slot is overwritten before it has been read",
        message=(
            "nothing keeps {writer} (task {later}) from overwriting {buffer} before {reader} (task {task}) has read it"
        ),
        explain=(
            "The two stages run on different cores, and no chain of flags, locks and pipe order leads from the read to "
            "the overwrite. `bwd_ids` makes the producer wait until the consumer has freed the slot. They may be left "
            "out only where the order follows from other flags: when the producer has already waited for a later "
            "result of the consumer."
        ),
        wrong="s = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1], fwd_ids=[0, 1])",
        right="s = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1], fwd_ids=[0, 1], bwd_ids=[2, 3])",
        help="{fix}",
        primary="slot {slot} is written again here",
    ),
    Entry(
        code="PTO1483",
        title="data is read before it has been written",
        message="nothing makes {reader} (task {task}) wait until {writer} (task {earlier}) has written {buffer}",
        explain=(
            "In the serial loop the reader sees what the writer left. In the pipeline no chain of flags, locks and "
            "pipe order leads from the write to the read, or the reader runs ahead of the writer: a stage cannot use "
            "what a delayed stage makes of an earlier task."
        ),
        wrong="s = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1], bwd_ids=[2, 3])",
        right="s = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1], fwd_ids=[0, 1], bwd_ids=[2, 3])",
        help="{fix}",
        primary="reads {buffer}",
    ),
    Entry(
        code="PTO1484",
        title="two writes in no order",
        message=(
            "{first} (task {earlier}) and {second} (task {task}) write the same bytes of {buffer} in no certain order"
        ),
        explain=(
            "The later write must win, since a stage reads it, but no chain of flags, locks and pipe order leads from "
            "the earlier one to it."
        ),
        wrong="s = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0], fwd_ids=[0])  # both stages write s",
        right="s = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0], fwd_ids=[0], bwd_ids=[1])",
        help="{fix}",
        primary="writes {buffer}",
    ),
    Entry(
        code="PTO1485",
        title="a delayed stage reads another slot than was written",
        message=(
            "{reader} (task {task}) reads slot {slot} of {buffer}, but {writer} (task {earlier}) wrote slot {other}"
        ),
        explain=(
            "A group's cursor moves with every `next()` in the order in which the stages run. Once a stage is delayed, "
            "`current()` and `previous()` of a group that another stage moves no longer mean the slot of the same "
            "task."
        ),
        wrong="s1: t = g.next()\ns3: t = g.current()  # 2 tasks later",
        right="s1: t = g[tick % 3]\ns3: t = g[tick % 3]",
        help="select the slot by a number that travels with the task, such as {buffer}[tick % {slots}]",
        primary="the cursor has moved on",
    ),
    Entry(
        code="PTO1486",
        title="sets and waits of an event id do not match",
        message="event id {event} of the {core} core is set {sets} times but waited for {waits} times{where}",
        explain=(
            "A cross-core flag is a counter: each wait takes what one set has put. What is left over at the end of the "
            "kernel is taken by the next one, and a wait without a set never ends."
        ),
        wrong="pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=0)  # nobody waits",
        right="pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=0)  # on the other core",
        help="every set needs one wait on the other core",
        primary="in this pipeline",
    ),
    Entry(
        code="PTO1487",
        title="more than 15 sets are pending",
        message="up to {pending} sets of event id {event} can be pending on the {core} core, the counter holds 15",
        explain=(
            "Cross-core flags are counters of four bits. A buffer of many slots with one shared id, or a producer that "
            "nothing holds back, sets an id more often than the other core has waited for it."
        ),
        wrong="s = pl.make_tile_group(type=T, addrs=0, depth=16, fwd_ids=[0], bwd_ids=[1])",
        right="s = pl.make_tile_group(type=T, addrs=0, depth=4, fwd_ids=[0], bwd_ids=[1])",
        help="use fewer slots, one id for each slot, or bwd_ids that hold the producer back",
        primary="in this pipeline",
    ),
    Entry(
        code="PTO1488",
        title="an event id is used in no certain order",
        message="event id {event} of the {core} core is {action} on the pipes {pipes} in no certain order",
        explain=(
            "A wait takes the first set that comes, whatever it was meant for. When one id is set, or waited for, on "
            "two pipes that nothing orders, a wait can take the set that was meant for another."
        ),
        wrong="a = pl.make_tile_group(..., fwd_ids=[0])\nb = pl.make_tile_group(..., fwd_ids=[0])",
        right="a = pl.make_tile_group(..., fwd_ids=[0])\nb = pl.make_tile_group(..., fwd_ids=[1])",
        help="give each buffer and direction ids of its own",
        primary="in this pipeline",
    ),
    Entry(
        code="PTO1489",
        title="fewer slots than the schedule could use",
        severity=Severity.NOTE,
        message=(
            "{buffer} has {have} {slots}, but {consumer} runs {beats} behind {producer}: correct, but the cores wait "
            "for each other"
        ),
        explain=(
            "With as many slots as beats between producer and consumer plus one, the producer never waits for a free "
            "slot in the steady state. With fewer, flags hold it back: the result is right, the cores overlap less."
        ),
        wrong="s = pl.make_tile_group(..., mutex_ids=[0], fwd_ids=[0], bwd_ids=[1])",
        right="s = pl.make_tile_group(..., mutex_ids=[0, 1], fwd_ids=[0, 1], bwd_ids=[2, 3])",
        help="{needed} slots let the cores overlap fully",
        primary="{have} {slots}",
    ),
    Entry(
        code="PTO1490",
        title="the order of two stages cannot be proved",
        severity=Severity.WARNING,
        message="it is not proved that {first} and {second} may run in pipeline order: both use {buffer}, {reason}",
        explain=(
            "Expand proves for every pair of accesses to the same bytes that the pipeline keeps the order of the "
            "serial loop. Here it cannot know which bytes are meant, or nothing in the plan orders the pipes. `ptopro "
            "check` runs the kernel and finds a wrong order."
        ),
        wrong="pl.store(t, ws, [i, 0])   # stage 2\npl.load(u, ws, [j, 0])    # stage 4",
        right="hand the data over in a tile group with fwd_ids and bwd_ids",
        help="{fix}",
        primary="{buffer}",
    ),
    Entry(
        code="PTO1491",
        title="every outer round must hold a task",
        severity=Severity.WARNING,
        message=(
            "{buffer} is picked once for each round of an outer loop: rounds without a task would reuse its {slots} "
            "slots while {reader} still reads them"
        ),
        explain=(
            "A delayed stage reads a slot that was picked several tasks ago. With at least one task in each round of "
            "the outer loop the slots last long enough; rounds that hold none move the cursor without a task."
        ),
        wrong="cur = g.next()\nfor ki in pl.range(0, count[qi]):  # may be 0",
        right="for ki in pl.range(0, count):  # the same for every round",
        help="make sure that the pipeline loop runs at least once in each round, or pick the slot inside a stage",
        primary="picked in the outer loop",
    ),
)
