"""PTO1074-1084 and PTO1290-1299: vector functions, what may stand in them and the types of their registers."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

SYNTAX_ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1074",
        title="register operation outside of a vector function",
        message="{name} works on registers, which exist in vector functions only",
        explain=(
            "Registers, masks and vf operations live in functions marked @pl.vector_function and in "
            "`with pl.section_vf():`. A kernel, a stage or a helper calls such a function with tiles and numbers."
        ),
        wrong="with pl.section_vector():\n    r = vf.load_align(tile, 0)",
        right=(
            "@pl.vector_function\ndef double(tile):\n    m = vf.create_mask()\n    r = vf.load_align(tile, 0)\n"
            "    r = vf.add(r, r, m)\n    vf.store_align(tile, r, m)\n\nwith pl.section_vector():\n    double(tile)"
        ),
        help="move it into a function marked @pl.vector_function",
        primary="no registers here",
    ),
    Entry(
        code="PTO1075",
        title="result of a register operation not used",
        message="the result of {name} is not assigned to anything",
        explain="The operation does nothing but yield a register (or mask); without a name for it, it has no effect.",
        wrong="vf.add(a, b, mask)",
        right="c = vf.add(a, b, mask)",
        help="assign it: `name = {name}(...)`",
        primary="its result is lost",
    ),
    Entry(
        code="PTO1076",
        title="Python operator on a register",
        message="`{op}` does not work on registers",
        explain="Registers are computed with through vf operations, which say which lanes take part.",
        wrong="c = a + b",
        right="c = vf.add(a, b, mask)",
        help="use the vf operation with a mask",
        primary="an operand is a register",
    ),
    Entry(
        code="PTO1077",
        title="one register for two results",
        message="{name} yields two registers, which must have different names",
        explain="The instruction writes both at once.",
        wrong="a, a = vf.interleave(x, y)",
        right="low, high = vf.interleave(x, y)",
        help="use two names",
        primary="both results have one name",
    ),
    Entry(
        code="PTO1078",
        title="arguments of vf.store_align in no order it knows",
        message="vf.store_align does not take these arguments in this order",
        explain=(
            "Behind the tile come: a register, its mask and perhaps an offset; two registers and a mask (with an "
            "interleaving dist); a register, a mask and two strides (with data_copy_mode); or a mask to be stored and "
            "perhaps an offset."
        ),
        wrong="vf.store_align(tile, mask, register)",
        right="vf.store_align(tile, register, mask, 64)",
        help="the register comes before its mask",
        primary="these arguments",
    ),
    Entry(
        code="PTO1079",
        title="value returned to a kernel from a vector function",
        message="{name}() is called from a kernel, which cannot take what it returns",
        explain=(
            "A vector function runs as one instruction of the vector pipe; its registers are gone when it ends. "
            "Results go through UB tiles. Another vector function may use what it returns."
        ),
        wrong="@pl.vector_function\ndef f(tile):\n    return vf.load_align(tile, 0)",
        right="@pl.vector_function\ndef f(a, b):\n    vf.store_align(b, vf.load_align(a, 0), vf.create_mask())",
        help="store the result in a tile that is passed",
        primary="returned here",
    ),
    Entry(
        code="PTO1080",
        title="return in the middle of register code",
        message="{name}() returns in the middle; register code runs to its end",
        explain=(
            "A vector function is inlined into one scope of the vector unit, which cannot be left early. Put what "
            "follows under the opposite condition."
        ),
        wrong="if n == 0:\n    return\nvf.store_align(tile, r, m)",
        right="if n != 0:\n    vf.store_align(tile, r, m)",
        help="a return may only be the last statement",
        primary="not the last statement",
    ),
    Entry(
        code="PTO1081",
        title="section inside register code",
        message="register code has no sections of its own",
        explain="A vector function is one scope of the vector unit already.",
        wrong="@pl.vector_function\ndef f(t):\n    with pl.section_vf():\n        ...",
        right="@pl.vector_function\ndef f(t):\n    ...",
        help="take the `with` away",
        primary="inside a vector function",
    ),
    Entry(
        code="PTO1082",
        title="operation on tiles inside register code",
        message="{name} cannot stand in a vector function",
        explain=(
            "A vector function runs as one instruction of the vector pipe: it computes on registers. Loads from global "
            "memory, operations on whole tiles and synchronisation stand in the kernel around it."
        ),
        wrong="@pl.vector_function\ndef f(t, x):\n    pl.load(t, x, [0, 0])",
        right="pl.load(t, x, [0, 0])\nf(t)",
        help="move it to the kernel, or use a vf operation",
        primary="not a register operation",
    ),
    Entry(
        code="PTO1083",
        title="tile group advanced in a loop of register code",
        message="'{name}' cannot move on inside a loop or branch of a vector function",
        explain=(
            "The tiles of a vector function are settled when it is called, so its groups may move on at its top level "
            "only. A loop can pick slots by number: group[i % depth]."
        ),
        wrong="for i in pl.range(4):\n    t = g.next()",
        right="for i in pl.range(4):\n    t = g[i % 2]",
        help="pick the slot by number, or pass the tiles",
        primary="in a loop or branch",
    ),
    Entry(
        code="PTO1084",
        title="part of a tile inside register code",
        message="a vector function does not index tiles; it moves pointers",
        explain="Inside a vector function a tile is a pointer to its elements: tile + n is n elements further on.",
        wrong="r = vf.load_align(tile[2:4, 0:64], 0)",
        right="r = vf.load_align(tile + 2 * 64, 0)",
        help="use tile + offset, in elements",
        primary="indexed here",
    ),
)

TYPE_ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1290",
        title="registers of different element types",
        message="{operation}: `{operand}` holds {actual}, `{other}` holds {expected}",
        explain="Both registers hold lanes of one type. vf.astype converts, vf.bit_cast reinterprets.",
        wrong="c = vf.add(a_fp32, b_int32, mask)",
        right="b = vf.astype(b_int32, mask, dtype=pl.DT_FP32)\nc = vf.add(a_fp32, b, mask)",
        help="convert one of them with vf.astype",
        primary="holds {actual}",
    ),
    Entry(
        code="PTO1291",
        title="registers with lanes of different widths",
        message="{operation}: `{operand}` holds {actual}, but `{other}` has lanes of {bits} bits",
        explain="The instruction pairs the lanes of its registers, so they must be equally wide.",
        wrong="c = vf.select(a_fp32, b_fp16, mask)",
        right="c = vf.select(a_fp32, b_uint32, mask)",
        help="vf.astype and vf.unpack change the width",
        primary="lanes of another width",
    ),
    Entry(
        code="PTO1292",
        title="fractional number for integer lanes",
        message="{operation}: `{operand}` is {actual}, the register holds {expected}",
        explain="The scalar becomes a lane of the register's type; a fraction would be lost.",
        wrong="c = vf.adds(a_int32, 0.5, mask)",
        right="c = vf.adds(a_int32, 1, mask)",
        help="pass an integer",
        primary="a {actual}",
    ),
    Entry(
        code="PTO1293",
        title="no such conversion of registers",
        message="{operation} does not convert {source} to {target}",
        explain="The instruction exists for certain pairs of types. A conversion through a third type may do.",
        wrong="b = vf.astype(a_fp32, mask, dtype=pl.DT_UINT8)",
        right="h = vf.astype(a_fp32, mask, dtype=pl.DT_FP16)\nb = vf.astype(h, mask, dtype=pl.DT_UINT8)",
        help="from {source} it converts to: {targets}",
        primary="no instruction for this pair",
    ),
    Entry(
        code="PTO1294",
        title="word that a conversion of registers does not have",
        message="{operation} from {source} to {target} has no {word}",
        explain=(
            "Where lanes differ in width, `layout` names the part of a wide lane that the narrow one is: two parts for "
            "a factor of two, four for four. Conversions that lose nothing do not round."
        ),
        wrong="w = vf.astype(h_fp16, mask, dtype=pl.DT_FP32, layout=pl.CastLayout.TWO)",
        right="w = vf.astype(h_fp16, mask, dtype=pl.DT_FP32, layout=pl.CastLayout.ONE)",
        help="allowed: {allowed}",
        primary="not for this conversion",
    ),
    Entry(
        code="PTO1295",
        title="element type of a register not known",
        message="{name} needs dtype= to know what its register holds",
        explain="The operands do not decide the element type of the result.",
        wrong="b = vf.astype(a, mask)",
        right="b = vf.astype(a, mask, dtype=pl.DT_FP16)",
        help="add dtype=",
        primary="no element type",
    ),
    Entry(
        code="PTO1296",
        title="register that is updated but holds nothing",
        message="{name} updates '{target}', which holds {found} before",
        explain=(
            "The operation reads what its result held before (dst in its description, or the lanes outside of the mask "
            "with MERGING), so the name must hold a register of the same type already."
        ),
        wrong="acc = vf.mul_add_dst(a, b, mask)",
        right="acc = vf.full(0.0, mask)\nacc = vf.mul_add_dst(a, b, mask)",
        help="give the name a register of {dtype!r} first, for example with vf.full",
        primary="reads its own result",
    ),
    Entry(
        code="PTO1297",
        title="address register away from its loops",
        message="vf.create_addr_reg must stand in loops over exactly these indices",
        explain=(
            "The hardware adds the strides up while the surrounding loops run, so the indices are the counters of "
            "those loops, the outermost first, each from 0 in steps of 1."
        ),
        wrong="for i in pl.range(4, n):\n    a = vf.create_addr_reg(i, 64)",
        right="for i in pl.range(n):\n    a = vf.create_addr_reg(i, 64)",
        help="or use the offset i * stride in load_align and store_align",
        primary="not the counters of the loops around it",
    ),
    Entry(
        code="PTO1298",
        title="loop of register code that runs too often",
        message="a loop of a vector function runs at most 65535 times, this one {count} times",
        explain="Its counter has 16 bits. Two nested loops run as often as their product.",
        wrong="for i in pl.range(100000):",
        right="for j in pl.range(100):\n    for i in pl.range(1000):",
        help="nest two loops",
        primary="{count} rounds",
    ),
    Entry(
        code="PTO1299",
        title="form of a register access that does not exist",
        message="{operation} has no form for {what}",
        explain="Distributions, strides and offsets go together only as the page of the operation lists them.",
        wrong="vf.store_align(tile, a, b, mask)",
        right="vf.store_align(tile, a, b, mask, dist=pl.StoreDist.INTLV)",
        help="{hint}",
        primary="{what}",
    ),
)
