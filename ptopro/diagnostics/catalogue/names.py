"""PTO11xx names and constants."""

from __future__ import annotations

from ptopro.diagnostics.catalogue import kernel_names
from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1101",
        title="undefined name",
        message="name '{name}' is not defined",
        explain="Nothing in the function, its closure, the file or the builtins binds the name.",
        wrong=("TILE_M = 64\nt = pl.TileType(shape=[TILE_N, 64], dtype=pl.DT_FP16)"),
        right=("TILE_M = 64\nt = pl.TileType(shape=[TILE_M, 64], dtype=pl.DT_FP16)"),
        help="{hint}",
        primary="not defined",
    ),
    Entry(
        code="PTO1102",
        title="unknown at compile time",
        message="{what} is not known at compile time: {reason}",
        explain=(
            "Kernel files are read, not executed. Constants are computed from literals, helper functions, "
            "dataclasses, the math module and sibling files; what comes from other imports, from the environment "
            "or from parameters that only a launch gives is unknown."
        ),
        wrong=("M = torch.cuda.device_count() * 16\nt = pl.TileType(shape=[M, 64], dtype=pl.DT_FP16)"),
        right=("M = 128\nt = pl.TileType(shape=[M, 64], dtype=pl.DT_FP16)"),
        help="use a constant, or pass the value as a kernel parameter",
        primary="must be known at compile time",
    ),
    Entry(
        code="PTO1103",
        title="computation fails",
        message="{what} cannot be computed: {reason}",
        explain="Computing a compile-time value raises an exception.",
        wrong="M = 64 // 0",
        right="M = 64 // 2",
        primary="needed here",
    ),
    Entry(
        code="PTO1104",
        title="unknown name of the language",
        message="the language has no '{name}'",
        explain="The name after pl. is none of the language's types, enumerations or constants.",
        wrong="x: pl.Tensor[[64], pl.DT_FLOAT32]",
        right="x: pl.Tensor[[64], pl.DT_FP32]",
        help="{hint}",
        primary="unknown",
    ),
    Entry(
        code="PTO1105",
        title="unknown enum member",
        message="pl.{enum} has no member '{name}'",
        explain="The enumeration of the language has no member of this name.",
        wrong="target_memory=pl.MemorySpace.UB",
        right="target_memory=pl.MemorySpace.Vec",
        help="{hint}",
        primary="unknown member",
    ),
    Entry(
        code="PTO1106",
        title="wrong arguments",
        message="{what}: {problem}",
        explain="A constructor of the language was called with arguments that do not fit its parameters.",
        wrong="pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, memory=pl.MemorySpace.Mat)",
        right="pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)",
        help="{hint}",
    ),
    Entry(
        code="PTO1108",
        title="unknown attribute",
        message="{owner} has no attribute '{name}'",
        explain="The value has no attribute of this name.",
        wrong=("import sizes\nM = sizes.TILE"),
        right=("import sizes\nM = sizes.TILE_M"),
        help="{hint}",
        primary="unknown attribute",
    ),
    Entry(
        code="PTO1110",
        title="assertion at module level fails",
        message="this check of the file fails: {reason}",
        explain=(
            "A module-level assert or raise is certain to stop Python when it imports the file, so none of its "
            "kernels could run."
        ),
        wrong=('M = 100\nassert M % 16 == 0, "M must be a multiple of 16"'),
        right=('M = 96\nassert M % 16 == 0, "M must be a multiple of 16"'),
        primary="always fails",
    ),
    *kernel_names.ENTRIES,
)
