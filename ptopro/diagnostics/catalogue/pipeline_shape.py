"""PTO14xx: the shape of a pipeline loop and what travels with its tasks."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry
from ptopro.diagnostics.core import Severity

LOOP_RIGHT = (
    "for ki in pl.range(0, n):\n"
    "    with pl.section_vector():\n"
    "        put(ki, src, shared)\n"
    "    with pl.section_cube():\n"
    "        take(ki, shared)"
)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1401",
        title="preload is negative",
        message="preload is {value}: a stage cannot run ahead by a negative number of tasks",
        explain=(
            "preload says how many tasks the first stage of a core runs ahead of its next one. 0 keeps the "
            "serial order."
        ),
        wrong="ptopro expand --preload=-1 kernel.py",
        right="ptopro expand --preload=2 kernel.py",
        help="use 0 for the serial order with flags, or a positive number",
        primary="preload {value}",
    ),
    Entry(
        code="PTO1402",
        title="one preload for each pipeline loop",
        message="preload has {have} numbers, but the kernel has {loops} pipeline loops",
        explain=(
            "A list gives one preload for each pipeline loop, in the order of the text. One number is for all of them."
        ),
        wrong="pipeline=pl.pipeline.PipelineConfig(preload=[1, 2, 2])  # two loops",
        right="pipeline=pl.pipeline.PipelineConfig(preload=[1, 2])",
        help="give {loops} numbers, or one for all loops",
        primary="{have} given",
    ),
    Entry(
        code="PTO1403",
        title="no stage is called",
        message="pipeline= is set, but the kernel calls no function marked @pl.pipeline.stage",
        explain=(
            "A pipeline is made of stages: functions marked @pl.pipeline.stage that one loop calls, each in a section."
        ),
        wrong="def put(i, src, shared): ...",
        right="@pl.pipeline.stage\ndef put(i, src, shared): ...",
        help="mark the functions that the loop calls with @pl.pipeline.stage, or remove pipeline=",
        primary="asks for a pipeline",
    ),
    Entry(
        code="PTO1404",
        title="a stage is called outside of a pipeline loop",
        message="{stage} is a stage, but this call does not stand in a section of a pipeline loop's body",
        explain=(
            "A stage call stands in `with pl.section_cube():` or `with pl.section_vector():`, directly in the "
            "body of a `for ... in pl.range(...)`. A `while`, another loop around the call alone, or the "
            "kernel's own body is no pipeline loop."
        ),
        wrong="with pl.section_vector():\n    put(0, src, shared)",
        right=LOOP_RIGHT,
        help="call it in a section of one `for`, together with the other stages",
        primary="not in a pipeline loop",
    ),
    Entry(
        code="PTO1405",
        title="a stage call without a section",
        message="{stage} is called without a section: nothing says which core runs it",
        explain=(
            "The section around a stage call names its core: `with pl.section_cube():` or `with pl.section_vector():`."
        ),
        wrong="for ki in pl.range(0, n):\n    put(ki, src, shared)",
        right=LOOP_RIGHT,
        help="put the call into `with pl.section_cube():` or `with pl.section_vector():`",
        primary="which core?",
    ),
    Entry(
        code="PTO1406",
        title="a stage call in another kind of block",
        message="{stage} stands in a `with` that is not one section of a core",
        explain="Around a stage call there is exactly one `with`: the section of the core that runs it.",
        wrong="with pl.section_vector():\n    with pl.section_vector():\n        put(ki, src, shared)",
        right="with pl.section_vector():\n    put(ki, src, shared)",
        help="leave one `with pl.section_cube():` or `with pl.section_vector():` around the call",
        primary="not the section of a core",
    ),
    Entry(
        code="PTO1407",
        title="two stages in one section",
        message="{stage} and {other} stand in one section",
        explain="Each stage call has a section of its own: flags go around each call.",
        wrong="with pl.section_vector():\n    put(ki, src, shared)\n    more(ki, shared)",
        right="with pl.section_vector():\n    put(ki, src, shared)\nwith pl.section_vector():\n    more(ki, shared)",
        help="give {stage} a section of its own",
        primary="the second stage of the section",
    ),
    Entry(
        code="PTO1408",
        title="a statement beside a stage call",
        message="this statement stands beside {stage} in its section",
        explain=(
            "A delayed stage runs for an earlier task than the statements around it, so a statement in its "
            "section would belong to another task than the stage. Statements stand before the first stage or "
            "behind the last one."
        ),
        wrong="with pl.section_cube():\n    off = ki * 64\n    take(off, shared)",
        right="off = ki * 64\nwith pl.section_cube():\n    take(off, shared)",
        help="move it before the first stage or behind the last one, or into {stage}",
        primary="belongs to no stage",
    ),
    Entry(
        code="PTO1409",
        title="a statement between stages",
        message="this statement stands between the stages {first} and {last}",
        explain=(
            "Between the first and the last stage of a pipeline loop there is nothing but stages: they run "
            "for different tasks, so it is not clear for which one the statement would. Before the first "
            "stage it runs for the newest task."
        ),
        wrong=(
            "with pl.section_vector():\nput(ki, src, shared)\noff = ki * 64\nwith pl.section_cube():\ntake(off, shared)"
        ),
        right=(
            "off = ki * 64\nwith pl.section_vector():\nput(ki, src, shared)\nwith pl.section_cube():\ntake(off, shared)"
        ),
        help="move it before the first stage, behind the last one, or into a stage",
        primary="between two stages",
    ),
    Entry(
        code="PTO1410",
        title="a stage is called twice in one loop",
        message="{stage} is called twice in one pipeline loop",
        explain="The flags of a stage belong to one call. A second step of the loop needs a function of its own.",
        wrong="with pl.section_vector():\n    put(0, src, shared)\nwith pl.section_vector():\n    put(1, src, shared)",
        right=("with pl.section_vector():\nput_first(src, shared)\nwith pl.section_vector():\nput_second(src, shared)"),
        help="write a second stage function (both may call one helper)",
        primary="the second call",
    ),
    Entry(
        code="PTO1412",
        title="a stage returns a value",
        message="{stage} returns a value, but a stage runs for another task than its caller",
        explain="What a stage computes goes into a buffer; the stages that need it take it from there.",
        wrong="@pl.pipeline.stage\ndef put(i, src, shared):\n    return i + 1",
        right="@pl.pipeline.stage\ndef put(i, src, shared):\n    pl.move(shared.next(), src)",
        help="write the result into a buffer, or compute it before the stages",
        primary="a stage returns nothing",
    ),
    Entry(
        code="PTO1413",
        title="a stage within a stage",
        message="{outer} is a stage and reaches the stage {stage}: {chain}",
        explain=(
            "A stage is one step of the loop; it may call helpers, but no other stage, directly or through helpers."
        ),
        wrong="@pl.pipeline.stage\ndef put(i, src, shared):\n    take(i, shared)  # a stage too",
        right="def take(i, shared): ...  # a plain helper",
        help="take @pl.pipeline.stage off {stage}, or call it in the loop",
        primary="a stage within a stage",
    ),
    Entry(
        code="PTO1414",
        title="not a loop over pl.range",
        message="a pipeline loop is a `for name in pl.range(...)`, which this is not",
        explain=(
            "Tasks are the rounds of a loop that runs on the device. A Python loop over `range` or a list is "
            "unrolled at compile time and has no rounds there."
        ),
        wrong="for ki in range(4):\n    with pl.section_vector():\n        put(ki, src, shared)",
        right=LOOP_RIGHT,
        help="write `for name in pl.range(start, stop, step):`",
        primary="no rounds at run time",
    ),
    Entry(
        code="PTO1416",
        title="a stage under a condition",
        message="{stage} stands under a run-time condition that cannot be part of the pipeline: {why}",
        explain=(
            "Flags are set and waited for once per task, whether the stage runs or not, so a condition can "
            "only skip the call itself: `if` without else, around one stage. Both sides of a buffer must be "
            "skipped for the same tasks."
        ),
        wrong="if ki > 0:\n    with pl.section_cube():\n        take(ki, shared)\nelse: ...",
        right="@pl.pipeline.stage\ndef take(ki, shared):\n    s = shared.next()\n    if ki > 0:\n        pl.move(l, s)",
        help="put the condition into the stage, behind the picks of its slots, or make it a compile-time condition",
        primary="decided at run time",
    ),
    Entry(
        code="PTO1442",
        title="pipeline= cannot be taken out",
        message="expand cannot take pipeline= out of the decorator of {kernel}: it is written elsewhere",
        explain=(
            "The expanded file must not ask for a pipeline again, so expand edits the decorator where it is written."
        ),
        wrong="my_jit = functools.partial(pl.jit, pipeline=CONFIG)",
        right="@pl.jit(pipeline=CONFIG)",
        help="write pipeline= in the decorator of the kernel itself",
        primary="its options are not here",
    ),
    Entry(
        code="PTO1443",
        title="return inside a pipeline",
        message="a return inside the loops of a pipeline would leave tasks unfinished and flags behind",
        explain="Stages are still at work on earlier tasks when the loop runs; they finish behind it.",
        wrong="for ki in pl.range(0, n):\n    if ki > last:\n        return",
        right="for ki in pl.range(0, pl.min(n, last + 1)):",
        help="leave the loop with break before the first stage, or bound the loop",
        primary="leaves the kernel",
    ),
    Entry(
        code="PTO1444",
        title="else of a pipeline loop",
        message="the else branch of a pipeline's loop would run before its delayed stages",
        explain="Delayed stages finish behind the loop, so its else branch cannot stand between.",
        wrong="for ki in pl.range(0, n):\n    ...\nelse:\n    done = 1",
        right="for ki in pl.range(0, n):\n    ...\ndone = 1",
        help="write the statements behind the loop",
        primary="runs before the stages finish",
    ),
    Entry(
        code="PTO1445",
        title="a stage called by a helper",
        message="{stage} is a stage, but {outer} calls it instead of a loop of the kernel: {chain}",
        explain="Expand writes the pipeline into the kernel's own loops; stage calls stand there.",
        wrong="def both(i, src, shared):\n    put(i, src, shared)",
        right=LOOP_RIGHT,
        help="call {stage} in a section of the kernel's loop",
        primary="called by a helper",
    ),
    Entry(
        code="PTO1446",
        title="a value that a stage still changes",
        message="`{text}` is read when the task starts, but {writer} writes that memory later in the task",
        explain=(
            "What a delayed stage is given is noted when its task starts, before the task's first stage. A "
            "value that one of the stages produces does not exist then."
        ),
        wrong="take(pl.getval(total, 0), shared)  # an earlier stage computes total",
        right="@pl.pipeline.stage\ndef take(total, shared):\n    n = pl.getval(total, 0)",
        help="read the value inside the stage",
        primary="not written yet",
    ),
    Entry(
        code="PTO1447",
        title="an argument that cannot travel with its task",
        message="`{text}` cannot be given to the delayed stage {stage}: {why}",
        explain=(
            "A delayed stage runs for an earlier task, so what changes from task to task is noted when the "
            "task starts. Numbers, fields of structs and slots of groups can be noted; other things are made "
            "inside the stage from them."
        ),
        wrong="view = pl.make_tensor(p + ki * 64, [1, 64], [64, 1])\n...\ntake(view, shared)",
        right="take(p, ki * 64, shared)",
        help="pass the numbers it is made of and make it inside the stage",
        primary="changes from task to task",
    ),
    Entry(
        code="PTO1448",
        title="statements of the loop and a delayed stage use the same memory",
        message=(
            "this {operation} of the loop's body uses {buffer}, which the delayed stage {stage} uses for an "
            "earlier task"
        ),
        explain=(
            "Statements before the first stage and behind the last one run for the newest task, a delayed stage for an "
            "earlier one. Where both use the same bytes (or tensor), and one writes, their order is not the serial one."
        ),
        wrong="pl.expands(total, 0.0)  # in the loop's body\n...  # a delayed stage adds to total",
        right="@pl.pipeline.stage\ndef add(ki, total, part):\n    if ki == 0:\n        pl.expands(total, 0.0)",
        help="move it into {stage}",
        primary="for another task than {stage}",
    ),
    Entry(
        code="PTO1449",
        title="a delayed stage changes a struct",
        message="{stage} writes {name}, which changes from task to task: another stage or the next task would miss it",
        explain=(
            "A struct whose fields change from task to task is copied for each task, and a delayed stage sees "
            "its task's copy. What it writes there is seen by nobody else; what another stage writes after "
            "the copy is not seen by it."
        ),
        wrong="@pl.pipeline.stage\ndef take(state, shared):\n    state.count = state.count + 1",
        right="state.count = state.count + 1  # in the loop's body, behind the last stage",
        help="change the struct in the loop's body, before the first stage or behind the last one",
        primary="a copy is written",
    ),
    Entry(
        code="PTO1451",
        title="preload changes nothing",
        severity=Severity.NOTE,
        message="each core has one stage in this loop: preload={preload} changes nothing",
        explain=(
            "preload is the distance between successive stages of one core. With one stage for each core the "
            "producer runs ahead as far as the slots of its buffers allow."
        ),
        wrong="pipeline=pl.pipeline.PipelineConfig(preload=4)  # two stages",
        right="pipeline=pl.pipeline.PipelineConfig(preload=0)",
        help="more slots in the buffers between the stages let the producer run further ahead",
        primary="one stage for each core",
    ),
    Entry(
        code="PTO1461",
        title="the pipeline drains in every outer round",
        severity=Severity.NOTE,
        message="the pipeline drains in every round of the outer loop: {operation} uses {buffer} as {stage} does",
        explain=(
            "Tasks stream through outer loops without a gap where that is safe. Here a statement of the outer "
            "loop uses what a delayed stage uses, so the delayed stages of a round must finish before it. The "
            "stream fills and drains in every round, which costs a beat for each task that is in flight."
        ),
        wrong="for qi in ...:\n    pl.expands(total, 0.0)\n    for ki in ...:  # a delayed stage adds to total",
        right="@pl.pipeline.stage\ndef add(ki, total, part):\n    if ki == 0:\n        pl.expands(total, 0.0)",
        help="move it into {stage}, under a condition such as `if ki == 0:`, and the tasks stream through",
        primary="needs all tasks of the round",
    ),
)
