"""PTO18xx run-time findings and launches."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

_KERNEL = """@pl.jit
def scale(x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], y: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], k: pl.DT_INT32):
    ..."""


def _launch(number: int, title: str, message: str, explain: str, wrong: str, right: str, help: str = "") -> Entry:
    """An entry about a launch, whose examples are calls of one small kernel."""
    return Entry(
        code=f"PTO{number}", title=title, message=message, explain=explain, help=help,
        wrong=f"{_KERNEL}\n\n{wrong}", right=f"{_KERNEL}\n\n{right}",
    )  # fmt: skip


LAUNCHES: tuple[Entry, ...] = (
    _launch(
        1801,
        "wrong number of arguments",
        "kernel `{kernel}` takes {wanted} arguments, {given} were given ({problem})",
        "A launch gives one argument for each parameter, by position or by name; Python defaults may be left out.",
        "scale(x, y)",
        "scale(x, y, 3)",
    ),
    _launch(
        1802,
        "keyword argument does not fit",
        "kernel `{kernel}`: the keyword argument `{name}` {reason}",
        "Keyword arguments name parameters of the kernel, each at most once.",
        "scale(x, y, factor=3)",
        "scale(x, y, k=3)",
        "its parameters are {names}",
    ),
    _launch(
        1803,
        "not an array",
        "kernel `{kernel}`: argument `{name}` must be an array, but it is {given}",
        """Tensor and pointer parameters take numpy arrays, torch CPU tensors, and anything with __dlpack__ or
__array_interface__; None passes a null pointer.""",
        "scale([1.0, 2.0], y, 3)",
        "scale(np.zeros((2, 64), np.float32), y, 3)",
        "pass a numpy array, a torch tensor or anything else that speaks dlpack",
    ),
    _launch(
        1804,
        "wrong element type",
        "kernel `{kernel}`: argument `{name}` must have elements of type {expected} (pl.{wanted}), but has {given}",
        "The elements of an array must be exactly of the parameter's type: a launch never converts or copies data.",
        "scale(np.zeros((2, 64)), y, 3)        # float64",
        "scale(np.zeros((2, 64), np.float32), y, 3)",
        "convert it first, for example with `.astype` or `.to`",
    ),
    _launch(
        1805,
        "wrong number of dimensions",
        "kernel `{kernel}`: argument `{name}` must have {wanted} dimensions, but its shape {shape} has {given}",
        "An array has as many dimensions as the parameter's annotation lists (or more, when it ends with `...`).",
        "scale(np.zeros(64, np.float32), y, 3)",
        "scale(np.zeros((1, 64), np.float32), y, 3)",
    ),
    _launch(
        1806,
        "wrong extent of a dimension",
        "kernel `{kernel}`: argument `{name}` must have extent {wanted} in dimension {axis}, but its shape is {shape}",
        "Dimensions that the annotation gives as numbers must match; pl.DYNAMIC and pl.STATIC take any extent.",
        "scale(np.zeros((2, 32), np.float32), y, 3)",
        "scale(np.zeros((2, 64), np.float32), y, 3)",
    ),
    _launch(
        1807,
        "array is not contiguous",
        "kernel `{kernel}`: argument `{name}` of shape {shape} is not contiguous (or not in native byte order)",
        "A kernel sees the memory of an array as rows one after another; views with other strides do not fit.",
        "scale(x.T, y, 3)",
        "scale(np.ascontiguousarray(x.T), y, 3)",
        "pass a contiguous copy: np.ascontiguousarray(a), or a.contiguous() in torch",
    ),
    _launch(
        1808,
        "output is read-only",
        "kernel `{kernel}` writes to `{name}`, but the array that was passed is read-only",
        "Results are written in place.  The array that a kernel stores to must be writable.",
        "y.flags.writeable = False\nscale(x, y, 3)",
        "y = np.empty_like(x)\nscale(x, y, 3)",
        "pass a writable array",
    ),
    _launch(
        1809,
        "scalar argument does not fit",
        "kernel `{kernel}`: argument `{name}` must be a pl.{wanted}: {reason}",
        "A scalar parameter takes a number of its category that its type can hold; floats are not cut to integers.",
        "scale(x, y, 2.5)",
        "scale(x, y, 2)",
    ),
    _launch(
        1810,
        "block_dim is not a positive integer",
        "kernel `{kernel}`: block_dim must be a positive integer, but it is {given}",
        "The number of blocks (cores) of a launch is a positive int; a bool is no number of cores.",
        "scale[None, 0](x, y, 3)",
        "scale[None, 4](x, y, 3)",
        "write kernel[block_dim](...) or kernel[stream, block_dim](...)",
    ),
    _launch(
        1811,
        "launch subscript is not understood",
        "kernel `{kernel}`: [{given}] is no launch configuration: {reason}",
        """The forms are kernel[block_dim], kernel[stream, block_dim], kernel[stream, block_dim, key],
kernel[stream, block_dim, dtypes] and kernel[stream, block_dim, key, dtypes].""",
        "scale[None, 4, 2](x, y, 3)",
        "scale[None, 4](x, y, 3)",
    ),
    _launch(
        1812,
        "tiling key does not fit",
        "kernel `{kernel}`: {problem}",
        """A kernel with a tiling key is launched with a dict that gives each of its fields one of the field's values;
is_valid of the class may reject combinations.  A kernel without one takes no key.""",
        'scale[None, 1, {"Mode": 7}](x, y, 3)',
        'scale[None, 1, {"Mode": 0}](x, y, 3)',
        "the fields are {fields}",
    ),
    _launch(
        1813,
        "dtype map does not fit",
        "kernel `{kernel}`: {problem}",
        "A kernel with `datatype=` is launched with a dict that gives a pl.DT_* for each parameter that it lists.",
        'scale[None, 1, {"x": "fp16"}](x, y, 3)',
        'scale[None, 1, {"x": pl.DT_FP16}](x, y, 3)',
        "the parameters are {fields}",
    ),
    _launch(
        1814,
        "array is not in the host's memory",
        "kernel `{kernel}`: argument `{name}` lies on {place}, but kernels run on the CPU here",
        """The simulator reads and writes the host's memory.  Under `ptopro run` the device "npu" of torch means the
CPU.""",
        'scale(torch.zeros(2, 64, device="cuda"), y, 3)',
        "scale(torch.zeros(2, 64), y, 3)",
        "move it to the CPU first",
    ),
    _launch(
        1815,
        "tiling data does not fit",
        "kernel `{kernel}`: argument `{name}` must be an instance of {wanted}: {reason}",
        "The tiling parameter takes an instance of its dataclass; each field must hold a number its C type can hold.",
        "tile_it(x, {'n': 4})",
        "tile_it(x, Tiling(n=4))",
    ),
    _launch(
        1816,
        "None is not possible here",
        "kernel `{kernel}`: argument `{name}` is None, but it is {what}",
        "None passes a null pointer.  Dims that are read at launch (pl.STATIC) cannot be read from nothing.",
        "scale_static(None, y, 3)",
        "scale_static(x, y, 3)",
    ),
    _launch(
        1817,
        "empty dimension",
        "kernel `{kernel}`: argument `{name}` has extent 0 in dimension {axis}, its shape is {shape}",
        "Every dimension of a tensor has at least one element.",
        "scale(np.zeros((0, 64), np.float32), y, 3)",
        "if len(x):\n    scale(x, y, 3)",
    ),
    _launch(
        1818,
        "kernel is not launchable",
        "`{kernel}` cannot be launched: {reason}",
        """Kernels made by @pl.jit are launched; @pl.kernel is for other tools, and language operations only stand in
kernels.""",
        "@pl.kernel\ndef scale(...): ...\nscale(x, y, 3)",
        "@pl.jit\ndef scale(...): ...\nscale(x, y, 3)",
    ),
)

FINDINGS: tuple[Entry, ...] = (
    Entry(
        code="PTO1830",
        title="deadlock",
        message="kernel `{kernel}` is deadlocked: {detail}",
        help="each line says who waits, for what, and where; one of them must be set or released before",
        explain="""No pipe of any core can move: each waits for a flag, a lock or another core that will never
come.  On the device this kernel hangs.  The notes list who waits for what, with the lines of
the kernel.""",
        wrong="pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=0)   # nobody sets it",
        right="pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=0)\n"
        "pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=0)",
    ),
    Entry(
        code="PTO1831",
        title="access out of bounds",
        message="kernel `{kernel}`: {detail}",
        explain="""An instruction touched bytes outside a memory of the core or outside a tensor of the launch, or
at an address that it cannot use.  The device would fault, or silently change other data.""",
        wrong="pl.load(tile, x, [x.shape[0], 0])",
        right="pl.load(tile, x, [x.shape[0] - 64, 0])",
    ),
    Entry(
        code="PTO1832",
        title="trap",
        message="kernel `{kernel}` ended itself: {detail}",
        explain="""The kernel ran into pl.trap().""",
        wrong="pl.trap()",
        right="if n > limit:\n    pl.trap()",
    ),
    Entry(
        code="PTO1833",
        title="synchronisation fault",
        message="kernel `{kernel}`: {detail}",
        explain="""A lock was taken twice, a flag has more pending sets than its counter holds, an id does not
exist, or the halves of a kernel meet their sections in different order.""",
        wrong="pl.system.mutex_lock(pl.PipeType.V, 3)\npl.system.mutex_lock(pl.PipeType.V, 3)",
        right="pl.system.mutex_lock(pl.PipeType.V, 3)\npl.system.mutex_unlock(pl.PipeType.V, 3)",
    ),
    Entry(
        code="PTO1834",
        title="a run that does not end",
        message="kernel `{kernel}` was stopped: {detail}",
        help="PTOPRO_WATCHDOG gives the seconds a launch may take (negative: no limit)",
        explain="""The launch took longer than the watchdog allows, usually because a scalar loop never ends.""",
        wrong="while n > 0:\n    m = m + 1",
        right="while n > 0:\n    n = n - 1",
    ),
    Entry(
        code="PTO1835",
        title="more instructions queued than the simulator holds",
        message="kernel `{kernel}`: {detail}",
        explain="""A core queued more than a million instructions without waiting for any of them.""",
        wrong="for i in pl.range(2_000_000):\n    pl.load(tile, x, [0, 0])",
        right="for i in pl.range(2_000_000):\n    pl.load(tile, x, [0, 0])\n    pl.system.bar_all()",
    ),
    Entry(
        code="PTO1836",
        title="bad address in scalar code",
        message="kernel `{kernel}`: {detail}",
        explain="""The scalar code of the kernel used an address that is not mapped: a null pointer argument, or an
index far outside a tensor.  `ptopro check` also finds an index outside of a local array:
of a struct_array, of slots.""",
        wrong="scale(None, y, 3)      # and the kernel reads x[0, 0]",
        right="scale(x, y, 3)",
    ),
    Entry(
        code="PTO1837",
        title="the simulator cannot run this kernel",
        message="kernel `{kernel}`: {detail}",
        help="this is a limit of the simulator, not a fault of the kernel",
        explain="""The simulator has no body for an instruction of the kernel, or was given options it does not
have.""",
        wrong="an instruction that the simulator does not have yet",
        right="an instruction of `ptopro ops` that lists the simulator",
    ),
    Entry(
        code="PTO1840",
        title="race",
        message="kernel `{kernel}`: {detail}",
        explain="""Two instructions use the same bytes, at least one of them writes, and no flag, lock or barrier lies
between them.  The pipes of a core run side by side, and transfers of one MTE pipe overlap, so either may come first.
The finding does not depend on which one did in this run: what counts is the order that synchronisation guarantees.""",
        wrong="""with pl.section_vector():
    pl.load(tile, x, [0, 0])
    pl.muls(tile, tile, 2.0)          # V does not wait for MTE2""",
        right="""with pl.section_vector():
    pl.load(tile, x, [0, 0])
    pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=0)
    pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=0)
    pl.muls(tile, tile, 2.0)""",
    ),
    Entry(
        code="PTO1841",
        title="still set at the end",
        message="kernel `{kernel}`: {detail}",
        explain="""A flag, a lock, a counter between cores or a unit flag is still set when a block ends.  On the device
it stays set, and the next kernel that waits for it goes on too early.""",
        wrong="""pl.system.sync_src(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.MTE3, event_id=0)
# and nobody waits for it""",
        right="""pl.system.sync_src(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.MTE3, event_id=0)
pl.system.sync_dst(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.MTE3, event_id=0)""",
    ),
    Entry(
        code="PTO1842",
        title="undefined data",
        message="kernel `{kernel}`: {detail}",
        explain="""An element that nothing has written enters arithmetic, a store to global memory, or the scalar unit.
Copies of such elements are allowed, as long as nobody computes with them: padding and tails are no findings.""",
        wrong="""pl.set_validshape(tile, [16, 64])
pl.load(tile, x, [0, 0])
pl.set_validshape(tile, [32, 64])
pl.muls(tile, tile, 2.0)              # rows 16 to 31 were never loaded""",
        right="""pl.set_validshape(tile, [16, 64])
pl.load(tile, x, [0, 0])
pl.muls(tile, tile, 2.0)""",
    ),
    Entry(
        code="PTO1843",
        title="two blocks use the same elements",
        message="kernel `{kernel}`: {detail}",
        explain="""Blocks run in any order and side by side.  Where two of them write the same elements, or one reads
what another writes, the result depends on who comes first, unless a barrier over the whole launch lies between.""",
        wrong="pl.store(y, tile, [0, 0])             # every block writes the same rows",
        right="pl.store(y, tile, [pl.get_block_idx() * 32, 0])",
    ),
    Entry(
        code="PTO1844",
        title="a loop that does not end",
        message="kernel `{kernel}`: {detail}",
        explain="""The scalar code of one core ran more basic blocks than any useful kernel does.  With checks on,
kernels are compiled to count them.""",
        wrong="while n > 0:\n    m = m + 1",
        right="while n > 0:\n    n = n - 1",
    ),
)

COMPARISONS: tuple[Entry, ...] = (
    Entry(
        code="PTO1860",
        title="two runs of a kernel differ",
        message="kernel `{kernel}`: `{tensor}` is not the same in the runs {left} and {right}: {count} of {total} "
        "elements differ, the first is {index}: {a} and {b}",
        help="a result that depends on the schedule is unordered somewhere: look for the race reported with it",
        primary="its runs differ",
        explain="""`ptopro check` runs a kernel serially, expanded, and under several schedules on the same inputs.
Not one bit of what it writes may change.  The index is that of the first differing element in row-major order.""",
        wrong="pl.load(tile, x, [0, 0])\npl.add(out, tile, tile)      # auto_mutex=False, and nothing orders MTE2 -> V",
        right="pl.load(tile, x, [0, 0])\npl.system.sync_src(...)\npl.system.sync_dst(...)\npl.add(out, tile, tile)",
    ),
    Entry(
        code="PTO1861",
        title="a result differs from the reference",
        message="kernel `{kernel}`: `{tensor}` of the run {run} differs from {reference}: {count} of {total} elements, "
        "the first is {index}: {actual}, wanted {wanted}; largest error {worst}",
        primary="it computes something else",
        explain="""The kernel's own serial meaning is not what the reference computes, within the tolerance.  The
elements that count are those further away than tolerance * |wanted| + tolerance (--tolerance).""",
        wrong="pl.add(cur_z, cur_x, cur_x)     # and the reference gives x + y",
        right="pl.add(cur_z, cur_x, cur_y)",
    ),
    Entry(
        code="PTO1862",
        title="a shape is not known",
        message="kernel `{kernel}`: the shape of `{name}` is not known: its dims are {dims}",
        help="give it: {example}, in [tool.ptopro.check], or an array in --inputs FILE.npz",
        explain="""Inputs are made up from a seed, but not their shapes: pl.DYNAMIC dims and pointers get them from
flags, from the project's table, or from a file with arrays.""",
        wrong="$ ptopro check add.py",
        right="$ ptopro check add.py --shape x=256,128",
    ),
    Entry(
        code="PTO1863",
        title="a request does not fit",
        message="{what} is not understood: {hint}",
        explain="""Shapes and numbers of a check name parameters of the kernel.  They come from --shape, --arg and
[tool.ptopro.check] in pyproject.toml.""",
        wrong="$ ptopro check add.py --shape x=256;128",
        right="$ ptopro check add.py --shape x=256,128",
    ),
    Entry(
        code="PTO1864",
        title="a number is not known",
        message="kernel `{kernel}`: the value of `{name}` (pl.{dtype}) is not known",
        help="give it: --arg {example}=1, or in [tool.ptopro.check]",
        explain="Scalar arguments and fields of tiling data have no made-up values: they decide what a kernel does.",
        wrong="$ ptopro check scale.py --shape x=64,64",
        right="$ ptopro check scale.py --shape x=64,64 --arg k=3",
    ),
    Entry(
        code="PTO1865",
        title="the reference cannot be used",
        message="the reference {reference} cannot be used: {reason}",
        explain="""--reference names a function that gets the kernel's arguments by name and gives what the kernel
should write: one array, a tuple, or a dict by parameter.""",
        wrong="$ ptopro check add.py --reference references",
        right="$ ptopro check add.py --reference references:add",
    ),
    Entry(
        code="PTO1866",
        title="inputs cannot be read",
        message="{path}: {reason}",
        explain="--inputs takes a .npz file (numpy.savez) whose arrays are named like the kernel's parameters.",
        wrong="$ ptopro check add.py --inputs x.npy",
        right="$ ptopro check add.py --inputs inputs.npz",
    ),
    Entry(
        code="PTO1867",
        title="a case cannot be replayed",
        message="`{path}` cannot be replayed: {reason}",
        explain="""A case is a folder that `ptopro check` wrote for a finding: case.json, which says what was asked, and
inputs.npz.""",
        wrong="$ ptopro check --replay build/add",
        right="$ ptopro check --replay build/add/add/cases/1",
    ),
    Entry(
        code="PTO1868",
        title="a cost file is not understood",
        message="{path}: {problem}",
        explain="""--cost takes a TOML file whose keys are figures of the time model (`ptopro trace` prints them all),
at its top or in a table of a chip's name.""",
        wrong="mte2_latency = 500",
        right="mte2 = 500",
    ),
    Entry(
        code="PTO1869",
        title="a sweep is not possible",
        message="--sweep {text}: {reason}",
        explain="""A sweep runs a kernel once for each value of `preload`, or of a number that the kernel's file gives
a name at module level.""",
        wrong="$ ptopro trace matmul.py --sweep TILE=a,b",
        right="$ ptopro trace matmul.py --sweep TILE=64,128",
    ),
)

ENTRIES = LAUNCHES + FINDINGS + COMPARISONS
