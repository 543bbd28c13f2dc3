"""PTO1200-1239: operands of operations - kinds, element types, shapes, offsets, keywords, formats."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

_TILES = """\
t32 = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32)
t64 = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32)
"""

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1200",
        title="operand of the wrong kind",
        message="pl.{operation} wants {expected} for `{operand}`, not {actual}",
        primary="this is {actual}",
        explain="Each operand of an operation is of one kind (some take two): a tile, a tensor in global memory,"
        " a pointer, a scalar, a list of scalars, or a compile-time value. Most often two operands are"
        " swapped: an operation's destination always comes first, so load names the tile first and store"
        " the tensor.",
        wrong="pl.store(tile, out, [0, 0])",
        right="pl.store(out, tile, [0, 0])",
        help="the destination comes first",
    ),
    Entry(
        code="PTO1202",
        title="element type that the operation does not take",
        message="pl.{operation} does not take {actual} for `{operand}`",
        primary="holds {actual}",
        explain="Instructions exist for some element types only. The allowed ones stand in `ptopro ops NAME`.",
        wrong="h = pl.TileType(shape=[32, 64], dtype=pl.DT_BF16)\n"
        "# exp is there for FP16 and FP32 only\n"
        "pl.exp(out_bf16, in_bf16)",
        right="pl.cast(x_fp32, in_bf16)\npl.exp(x_fp32, x_fp32)\npl.cast(out_bf16, x_fp32)",
        help="allowed are {allowed}; pl.cast converts a tile",
    ),
    Entry(
        code="PTO1203",
        title="element types that must be equal differ",
        message="`{operand}` of pl.{operation} holds {actual}, `{other}` {expected}: they must be the same",
        primary="{actual}",
        explain="Vector instructions work on one element type; nothing is converted on the way.",
        wrong="pl.add(c_fp32, a_fp32, b_fp16)",
        right="pl.cast(b_fp32, b_fp16)\npl.add(c_fp32, a_fp32, b_fp32)",
        help="convert one of them with pl.cast",
    ),
    Entry(
        code="PTO1204",
        title="shapes that must be equal differ",
        message="`{operand}` of pl.{operation} is {actual}, `{other}` asks for {expected}",
        primary="{actual}",
        explain="The operation works on one shape and does not broadcast. Where a valid shape is fixed in the"
        " TileType it is the valid shape that counts. To combine a tile with one value for each row or"
        " column, use the expand operations.",
        wrong=_TILES + "pl.add(a32, a32, b64)",
        right=_TILES + "pl.add(a32, a32, b64[0:32, 0:64])",
        help="give the tiles one shape, or take a view of the larger one",
    ),
    Entry(
        code="PTO1205",
        title="element widths differ",
        message="`{operand}` of pl.{operation} has {actual_bits}-bit elements ({actual}), `{other}`"
        " {expected_bits}-bit ones ({expected})",
        primary="{actual_bits} bits",
        explain="The copy moves bytes and converts nothing, so both sides need elements of one width.",
        wrong="x: pl.Tensor[[64, 64], pl.DT_FP16]\npl.load(tile_fp32, x, [0, 0])",
        right="pl.load(tile_fp16, x, [0, 0])\npl.cast(tile_fp32, tile_fp16)",
        help="copy into a tile of the same width, then pl.cast",
    ),
    Entry(
        code="PTO1206",
        title="the shapes of a product do not chain",
        message="pl.{operation}: {axis} of `{operand}` {actual} and of `{other}` {expected} differ",
        primary="{axis} should be {extent}",
        explain="In a product lhs is [M, K], rhs [K, N], and the result (and the accumulator) [M, N].",
        wrong="left = [64, 128]; right = [64, 64]     # K is 128 and 64\npl.matmul(acc, left, right)",
        right="left = [64, 128]; right = [128, 64]; acc = [64, 64]\npl.matmul(acc, left, right)",
        help="lhs is [M, K], rhs [K, N], the result [M, N]",
    ),
    Entry(
        code="PTO1207",
        title="M, K or N out of range",
        message="pl.{operation}: {axis} of `{operand}` is {actual}; the cube takes 1 to {high}",
        explain="M, K and N of one matrix instruction are 12-bit numbers.",
        wrong="left = pl.TileType(shape=[16, 8192], dtype=pl.DT_INT8, target_memory=pl.MemorySpace.Left)",
        right="# split K and add up with matmul_acc",
        help="split the product along {axis}",
    ),
    Entry(
        code="PTO1208",
        title="result of a reduction has the wrong shape",
        message="pl.{operation} of {source} gives {expected}, but `{operand}` is {actual}",
        primary="holds one value for each {axis}: {expected}",
        explain="dim=0 reduces along each row and gives one column, [rows, 1] with layout DN; any other dim"
        " reduces along each column and gives one row, [1, columns].",
        wrong="pl.sum(out_32x64, src_32x64, tmp, dim=0)",
        right="col = pl.TileType(shape=[32, 1], dtype=pl.DT_FP32, layout=pl.DN)\n"
        "pl.sum(out_col, src_32x64, tmp, dim=0)",
        help="make the result {expected}",
    ),
    Entry(
        code="PTO1209",
        title="operand to broadcast has the wrong shape",
        message="pl.{operation} on {source} wants one value for each {axis}, {expected}, but `{operand}` is {actual}",
        primary="should be {expected}",
        explain="dim=0 repeats a column [rows, 1] along the rows, dim=1 a row [1, columns] down the columns.",
        wrong="pl.expand_sub(out, src_32x64, row_1x64, dim=0)",
        right="pl.expand_sub(out, src_32x64, row_1x64, dim=1)",
        help="give a {axis} vector, or the other dim",
    ),
    Entry(
        code="PTO1210",
        title="result of a transpose has the wrong shape",
        message="pl.{operation} of {source} gives {expected}, but `{operand}` is {actual}",
        primary="should be {expected}",
        explain="Transposing swaps rows and columns.",
        wrong="pl.transpose(out_32x64, src_32x64)",
        right="pl.transpose(out_64x32, src_32x64)",
    ),
    Entry(
        code="PTO1211",
        title="an enumeration member is expected",
        message="`{operand}` of pl.{operation} must be {expected}, not {actual}",
        primary="expected {expected}",
        explain="Modes, phases, pipes and memories are members of enumerations; plain numbers and strings are not"
        " taken, even when the number would be right.",
        wrong="pl.cast(out, src, mode=1)",
        right="pl.cast(out, src, mode=pl.RoundMode.CAST_RINT)",
        help="its members are {members}",
    ),
    Entry(
        code="PTO1212",
        title="a value that is not among those allowed",
        message="`{operand}` of pl.{operation} cannot be {actual}",
        explain="The operand is a compile-time value with a fixed set of choices.",
        wrong="pl.gathermask(out, src, pattern_mode=9)",
        right="pl.gathermask(out, src, pattern_mode=1)",
        help="allowed are {allowed}",
    ),
    Entry(
        code="PTO1213",
        title="a conversion that the hardware does not do",
        message="pl.{operation} cannot make {target} from {source} {how}",
        primary="`{operand}` is {target}",
        explain="FIX converts accumulators while it drains them, the vector unit converts in cast, each for some"
        " pairs of element types only.",
        wrong="# acc is FP32\npl.store(out_uint8, acc, [0, 0])",
        right="pl.store(out_int8, acc, [0, 0], scale=0.5)",
        help="possible: {allowed}",
    ),
    Entry(
        code="PTO1214",
        title="wrong number of offsets",
        message="`{operand}` of pl.{operation} has {actual} items; it needs {expected}, one for each {what}",
        primary="{actual} items",
        explain="Offsets, extents and strides are given one for each axis.",
        wrong="x: pl.Tensor[[8, 64, 64], pl.DT_FP16]\npl.load(tile, x, [0, 0])",
        right="pl.load(tile, x, [b, 0, 0])",
    ),
    Entry(
        code="PTO1215",
        title="an offset outside",
        message="`{operand}` of pl.{operation} is {actual} on axis {axis}: it must be from {low} to {high}",
        primary="{actual} is outside",
        explain="Constant offsets, extents and indices are checked against what they point into. Negative offsets"
        " do not count from the end.",
        wrong="x: pl.Tensor[[64, 64], pl.DT_FP16]\npl.load(tile, x, [64, 0])",
        right="pl.load(tile, x, [0, 0])",
    ),
    Entry(
        code="PTO1216",
        title="order= is not right",
        message="`order` of pl.{operation} is not right: {reason}",
        explain="order names the two tensor axes that the tile's rows and columns run along, as compile-time"
        " numbers. Ascending copies as it is; descending (loads only) reads the transposed view.",
        wrong="pl.store(out, tile, [0, 0], order=[1, 0])",
        right="pl.store(out, tile, [0, 0, 0], order=[0, 2])",
    ),
    Entry(
        code="PTO1217",
        title="fillpad without a pad value",
        message="`{operand}` of pl.{operation} has no pad value",
        primary="its TileType says no pad",
        explain="fillpad writes the pad value of the destination's TileType outside the valid region.",
        wrong="t = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32)\npl.fillpad(padded, src)",
        right="t = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, pad=pl.TilePad.zero)\npl.fillpad(padded, src)",
        help="give the TileType pad=pl.TilePad.zero, max or min",
    ),
    Entry(
        code="PTO1218",
        title="fillpad between these shapes",
        message="`{operand}` of pl.{operation} is {actual} and src {source}: it must be {rule}",
        primary="{actual}",
        explain="NORMAL and INPLACE keep the shape; EXPAND fills a destination that is not smaller than the source.",
        wrong="pl.fillpad(out_64x64, src_32x64)",
        right="pl.fillpad(out_64x64, src_32x64, mode=pl.FillPadMode.EXPAND)",
    ),
    Entry(
        code="PTO1219",
        title="operands that exclude each other",
        message="`{operand}` of pl.{operation} cannot be given with {other}: {why}",
        explain="Some keywords belong to one path of the hardware only, or say the same thing twice.",
        wrong="pl.store(out, vec_tile, [0, 0], relu_pre_mode=pl.ReluPreMode.NormalRelu)",
        right="pl.relu(vec_tile, vec_tile)\npl.store(out, vec_tile, [0, 0])",
    ),
    Entry(
        code="PTO1220",
        title="scale= is not right",
        message="`{operand}` of pl.{operation} is not right: {reason}",
        explain="scale is a float, an FP32 scalar, an integer scalar that holds the bits of a float, or a tile in"
        " Scaling memory with one 64-bit word for each column: DT_INT64, [1, N], N a multiple of 16 up to"
        " 512.",
        wrong="pl.store(out, acc, [0, 0], scale=tile_fp32)",
        right="pl.store(out, acc, [0, 0], scale=0.125)",
    ),
    Entry(
        code="PTO1221",
        title="element types that cannot be multiplied",
        message="pl.{operation} cannot multiply {lhs} by {rhs}",
        primary="{rhs}",
        explain="The cube multiplies FP16 by FP16, BF16 by BF16, FP32 by FP32, INT8 by INT8, FP8 by FP8 and HF8"
        " by HF8; with MX scales FP8 by FP8 or FP4 by FP4.",
        wrong="pl.matmul(acc, left_fp16, right_bf16)",
        right="pl.matmul(acc, left_fp16, right_fp16)",
    ),
    Entry(
        code="PTO1222",
        title="bias of the wrong shape",
        message="`{operand}` of pl.{operation} is {actual}, the bias row must be {expected}",
        explain="The bias is one row that is added to every row of the result.",
        wrong="bias = pl.TileType(shape=[1, 32], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Bias)  # N is 64",
        right="bias = pl.TileType(shape=[1, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Bias)",
    ),
    Entry(
        code="PTO1223",
        title="MX scales of the wrong shape",
        message="`{operand}` of pl.{operation} is {actual}, the scales must be {expected}",
        explain="One FP8E8M0 scale stands for 32 elements along K: scale_a is [M, K / 32], scale_b [K / 32, N].",
        wrong="scale_a = [64, 64]    # K is 64",
        right="scale_a = [64, 2]",
    ),
    Entry(
        code="PTO1224",
        title="K of an MX product",
        message="K of `{operand}` in pl.{operation} is {actual}: it must be a multiple of 64",
        explain="MX products take K in groups of 64 elements (two scales).",
        wrong="left = [64, 96]",
        right="left = [64, 128]",
    ),
    Entry(
        code="PTO1225",
        title="mask too small",
        message="`{operand}` of pl.{operation} is {actual}: too small for one bit for each element of {data}",
        explain="A comparison writes one bit for each element, eight to a byte, each row from a new byte.",
        wrong="mask = pl.TileType(shape=[1, 32], dtype=pl.DT_UINT8)     # for tiles of [64, 128]",
        right="mask = pl.TileType(shape=[64, 32], dtype=pl.DT_UINT8)    # 16 bytes of each row are used",
        help="a row of the mask needs {needed} bytes",
    ),
    Entry(
        code="PTO1226",
        title="index of the wrong type",
        message="`{operand}` of pl.{operation} holds {actual}; the index must be one of {allowed}",
        explain="The width of the index follows the width of the data.",
        wrong="pl.scatter(out_fp32, src_fp32, idx_int16)",
        right="pl.scatter(out_fp32, src_fp32, idx_int32)",
    ),
    Entry(
        code="PTO1231",
        title="an operand is missing here",
        message="pl.{operation} needs {needed}, since {because}",
        explain="The operand may be left out in other forms of the operation, but not in this one.",
        wrong="pl.quant(out, src, scale, mode=pl.QuantMode.ASYM)",
        right="pl.quant(out, src, scale, mode=pl.QuantMode.ASYM, offset=zero_points)",
    ),
    Entry(
        code="PTO1232",
        title="an id outside its range",
        message="`{operand}` of pl.{operation} is {actual}: ids go from {low} to {high}",
        primary="no such id",
        explain="Flags have the ids 0 to 15 for each pair of pipes, signals between cores 0 to 15, locks 0 to 31.",
        wrong="pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=16)",
        right="pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=0)",
    ),
    Entry(
        code="PTO1233",
        title="a flag from a pipe to itself",
        message="pl.{operation} sets a flag from {pipe} to {pipe}",
        primary="the same pipe",
        explain="A pipe executes in order: waiting for a flag that the same pipe sets hangs some chips. A barrier"
        " orders the work inside a pipe.",
        wrong="pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE2, event_id=0)",
        right="pl.system.bar_mte2()",
        help="V is in order; other pipes have pl.system.bar_mte1, bar_mte2, bar_mte3, bar_m, bar_fix",
    ),
    Entry(
        code="PTO1234",
        title="a format that is not known",
        message="pl.{operation} does not know `{actual}` in the format",
        explain="Formats are %[flags][width][.precision] and one letter: d i signed, u x unsigned, f FP32, p"
        " pointer; %% prints a percent sign. There are no length modifiers.",
        wrong='pl.printf("n=%ld", n)',
        right='pl.printf("n=%d", n)',
        help="known are {allowed}",
    ),
    Entry(
        code="PTO1235",
        title="format and arguments do not match",
        message="the format of pl.{operation} takes {expected} values, {actual} were given",
        explain="Each conversion of the format takes one argument.",
        wrong='pl.printf("%d %d", i)',
        right='pl.printf("%d %d", i, j)',
    ),
    Entry(
        code="PTO1236",
        title="format and type do not match",
        message="value {index} of pl.{operation} is {actual}, which %{letter} does not print",
        explain="%d and %i print signed integers and bools, %u unsigned integers and bools, %x unsigned integers,"
        " %f FP32, %p pointers.",
        wrong='pl.printf("%d", x_fp32)',
        right='pl.printf("%f", x_fp32)',
    ),
    Entry(
        code="PTO1237",
        title="the format is not a constant string",
        message="the format of pl.{operation} must be a string known at compile time, not {actual}",
        explain="The format is compiled into the kernel.",
        wrong="pl.printf(n)",
        right='pl.printf("%d", n)',
    ),
    Entry(
        code="PTO1238",
        title="an integer compared with a float",
        message="pl.{operation} of {expected} and {actual}: both must be integers or both floats",
        explain="min and max take two scalars of one category, so that no integer loses digits on the way.",
        wrong="pl.min(n, x_fp32)",
        right="pl.min(n, 64)",
    ),
    Entry(
        code="PTO1239",
        title="a tensor of MX scales has another shape",
        message="`{operand}` of pl.{operation} has the shape [{shape}]; MX scales lie in pairs, on a last axis of 2",
        primary="[{shape}]",
        explain="An FP8E8M0 tile in L1 with the layout ZZ or NN takes the scales of an MX product. In global memory two"
        " scales that follow each other along K are neighbours: [M, K / 64, 2] for the left operand, [K / 64, N, 2] for"
        " the right one, or with the first two axes exchanged and order=[1, 0].",
        wrong="scales: pl.Tensor[[128, 4], pl.DT_FP8E8M0]",
        right="scales: pl.Tensor[[128, 2, 2], pl.DT_FP8E8M0]",
    ),
)
