"""PTO1050 to 1099: Python that a kernel or helper function cannot contain, and calls that do not fit the language."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1050",
        title="unsupported Python",
        message="'{construct}' is not supported in a kernel",
        explain=(
            "A kernel is translated, not executed. Exceptions, imports, generators, classes and asynchronous code have "
            "no counterpart on the device. At module level all of them are fine."
        ),
        wrong="try:\n    pl.load(t, x, [0, 0])\nexcept ValueError:\n    pass",
        right="pl.load(t, x, [0, 0])",
        help="compute it at module level, or use if, for, while and helper functions",
        primary="not supported in a kernel",
    ),
    Entry(
        code="PTO1051",
        title="annotation without a value",
        message="a name that is only annotated has no value",
        explain=(
            "In a kernel, `x: pl.DT_INT32 = 0` converts the value to the type. Without a value there is nothing to do."
        ),
        wrong="count: pl.DT_INT32",
        right="count: pl.DT_INT32 = 0",
        help="give it a value",
        primary="no value",
    ),
    Entry(
        code="PTO1052",
        title="not a section",
        message="'with' in a kernel takes exactly one pl.section_cube() or pl.section_vector()",
        explain=(
            "A section says which core executes its statements. Several context managers, `as` and other objects "
            "have no meaning on the device."
        ),
        wrong="with pl.section_cube(), pl.section_vector():\n    ...",
        right="with pl.section_cube():\n    ...\nwith pl.section_vector():\n    ...",
        help="use one section for each core, one after the other",
        primary="not a section",
    ),
    Entry(
        code="PTO1053",
        title="section within a section",
        message="a section of the {inner} core stands inside one of the {outer} core",
        explain=(
            "The statements of a section belong to one core; a section inside it would never run, or changes nothing."
        ),
        wrong="with pl.section_cube():\n    with pl.section_vector():\n        pl.add(c, a, b)",
        right="with pl.section_cube():\n    ...\nwith pl.section_vector():\n    pl.add(c, a, b)",
        help="end the outer section first",
        primary="already inside a section",
    ),
    Entry(
        code="PTO1054",
        title="assertion fails at compile time",
        message="the assertion '{text}' does not hold{message}",
        explain="The condition of this assert is known at compile time, and it is false.",
        wrong="TILE = 48\n...\n    assert TILE % 32 == 0",
        right="TILE = 64\n...\n    assert TILE % 32 == 0",
        primary="this is False",
    ),
    Entry(
        code="PTO1055",
        title="no arguments wanted",
        message="{name}() takes no arguments",
        explain="The call has nothing to set.",
        wrong="t = a.next(1)",
        right="t = a.next()",
        help="remove the arguments; group[i] picks a slot by number",
        primary="takes no arguments",
    ),
    Entry(
        code="PTO1057",
        title="loop too long to unroll",
        message="this loop would be unrolled {count} times; the limit is {limit}",
        explain=(
            "A Python loop over compile-time values is written out once for each of them. pl.range makes a loop of the "
            "generated program instead."
        ),
        wrong="for i in range(100000):\n    ...",
        right="for i in pl.range(100000):\n    ...",
        help="use pl.range",
        primary="{count} rounds",
    ),
    Entry(
        code="PTO1059",
        title="loop target",
        message="the loop variable of pl.range must be one name",
        explain="pl.range counts: every round has one number.",
        wrong="for i, j in pl.range(4):\n    ...",
        right="for i in pl.range(4):\n    j = i * 2",
        primary="not a name",
    ),
    Entry(
        code="PTO1060",
        title="step 0",
        message="the step of a range cannot be 0",
        explain="A loop with step 0 never ends.",
        wrong="for i in pl.range(0, n, 0):\n    ...",
        right="for i in pl.range(0, n, 1):\n    ...",
        help="use a positive or a negative step",
        primary="step 0",
    ),
    Entry(
        code="PTO1061",
        title="jump outside of a loop",
        message="'{word}' outside of a loop",
        explain="break and continue leave the innermost loop around them; here there is none.",
        wrong="if n == 0:\n    break",
        right="if n == 0:\n    return",
        primary="no loop here",
    ),
    Entry(
        code="PTO1062",
        title="recursion",
        message="{name}() calls itself: {chain}",
        explain=(
            "The device has no call stack to speak of: helper functions become C++ functions without recursion. A "
            "function whose arguments are all known at compile time may recurse."
        ),
        wrong="def total(n):\n    return 0 if n == 0 else n + total(n - 1)",
        right="def total(n):\n    s = 0\n    for i in pl.range(n + 1):\n        s += i\n    return s",
        help="use a loop",
        primary="the circle closes here",
    ),
    Entry(
        code="PTO1063",
        title="no value on some path",
        message="this call has no value on some path: {reason}",
        explain="A helper whose value is used must return one of the same kind on every path.",
        wrong="def rows(n):\n    if n > 32:\n        return 32",
        right="def rows(n):\n    if n > 32:\n        return 32\n    return n",
        help="add a return statement to the helper",
        primary="used as a value",
    ),
    Entry(
        code="PTO1064",
        title="dimensions of the launch",
        message="the static dimensions of '{name}' are not known",
        explain=(
            "pl.STATIC and a trailing ... take their values from the arguments of a launch. Without a launch they "
            "have to be given."
        ),
        wrong="x: pl.Tensor[[pl.STATIC, 64], pl.DT_FP32]",
        right="x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32]",
        help="launch the kernel, give the shape, or use numbers or pl.DYNAMIC",
        primary="taken from the launch",
    ),
    Entry(
        code="PTO1065",
        title="** in a call",
        message="'**' is not supported in calls of a kernel",
        explain="Keyword arguments are bound at compile time by their names in the text.",
        wrong="pl.load(t, x, **options)",
        right="pl.load(t, x, [0, 0], order=[0, 1])",
        help="write the arguments out",
        primary="not supported",
    ),
    Entry(
        code="PTO1066",
        title="kernel called from a kernel",
        message="kernel '{name}' cannot be called from a kernel",
        explain="A kernel is launched from the host. What kernels share belongs into a helper function.",
        wrong="@pl.jit\ndef inner(...): ...\n@pl.jit\ndef outer(...):\n    inner(x)",
        right="def shared(...): ...\n@pl.jit\ndef outer(...):\n    shared(x)",
        help="move the shared code into a plain function",
        primary="a kernel",
    ),
    Entry(
        code="PTO1067",
        title="section outside of 'with'",
        message="a section is opened by 'with'",
        explain="pl.section_cube() and pl.section_vector() are the context of a with statement.",
        wrong="pl.section_cube()\npl.matmul(c, a, b)",
        right="with pl.section_cube():\n    pl.matmul(c, a, b)",
        primary="not in a 'with'",
    ),
    Entry(
        code="PTO1068",
        title="print in a kernel",
        message="print() is not available in a kernel",
        explain="Kernels print with pl.printf, whose format is that of C.",
        wrong='print("n =", n)',
        right='pl.printf("n = %d\\n", n)',
        help="use pl.printf",
        primary="not available",
    ),
    Entry(
        code="PTO1070",
        title="decorated nested function",
        message="a function inside a kernel cannot be decorated",
        explain="Functions that a kernel defines are plain helpers.",
        wrong="@pl.vector_function\ndef f(t): ...  # inside a kernel",
        right="def f(t): ...",
        help="move the function to module level",
        primary="decorator",
    ),
    Entry(
        code="PTO1071",
        title="unknown chip",
        message="there is no chip '{chip}'; known are {chips}",
        explain="The chip decides layouts, capacities and which operations exist.",
        wrong="ptopro codegen --arch a4 kernel.py",
        right="ptopro codegen --arch a5 kernel.py",
        primary="lowered for '{chip}'",
    ),
    Entry(
        code="PTO1072",
        title="kernel with a result",
        message="kernel '{name}' returns a value",
        explain="A launch gives nothing back: results are written into the tensors that are passed.",
        wrong="return n",
        right="return",
        help="write the result into a tensor",
        primary="a value",
    ),
    Entry(
        code="PTO1073",
        title="instance of a kernel",
        message="kernel '{kernel}' is one of several: no value for {missing}",
        explain=(
            "The fields of a tiling key and the variables of datatype= are compile-time constants of the kernel. "
            "They are fixed by a launch; without one they have to be given."
        ),
        wrong="kernel[None, 8](x)",
        right='kernel[None, 8, {"Mode": 5}](x)',
        help="launch the kernel with a key, or give one",
        primary="{missing} not known",
    ),
)
