"""Examples in a few lines of their own: data movement, scalars, constructors, synchronisation, debugging."""

from __future__ import annotations

from ptopro.language.operations.model import Operation

_VECTOR = """\
import ptopro.language as pl


@pl.jit(auto_mutex={mutex})
def example(y: pl.Tensor[[32, 64], pl.DT_FP32], x: pl.Tensor[[32, 64], pl.DT_FP32], n: pl.DT_INT32):
    tile = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0x0000, mutex_ids=[0, 1])
    with pl.section_vector():
        t = ub.next()
{lines}
"""
_CUBE = """\
import ptopro.language as pl


@pl.jit(auto_mutex={mutex})
def example(y: pl.Tensor[[32, 64], {result}], x: pl.Tensor[[32, 64], pl.DT_FP16], w: pl.Tensor[[64, 64], pl.DT_FP16]):
    mat, acc_type = pl.MemorySpace.Mat, pl.MemorySpace.Acc
    x_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=mat), addrs=0x0000, mutex_ids=[0]
    )
    w_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=mat), addrs=0x4000, mutex_ids=[1]
    )
    x_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0, mutex_ids=[2]
    )
    w_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right), addrs=0, mutex_ids=[3]
    )
    acc_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=acc_type), addrs=0, mutex_ids=[4]
    )
    with pl.section_cube():
        a, b, left, right, acc = x_l1.next(), w_l1.next(), x_l0.next(), w_l0.next(), acc_l0.next()
        pl.load(a, x, [0, 0])
        pl.load(b, w, [0, 0])
{lines}
"""
_PRODUCT = "pl.move(left, a)\npl.move(right, b)\npl.matmul(acc, left, right)\n"
_ALL = "pl.system.bar_all()\n"
_PRODUCT_BY_HAND = f"{_ALL}pl.move(left, a)\npl.move(right, b)\n{_ALL}pl.matmul(acc, left, right)\n{_ALL}"

_COPY = "pl.load(t, x, [0, 0])\n{}pl.store(y, t, [0, 0])"
_FLAG = "set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0"
_FLAGGED = f"pl.load(t, x, [0, 0])\npl.system.sync_src({_FLAG})\npl.system.sync_dst({_FLAG})\npl.store(y, t, [0, 0])"
_LOCKED = """\
pl.{0}.mutex_lock(pipe=pl.PipeType.MTE2, mutex_id=0)
pl.load(t, x, [0, 0])
pl.{0}.mutex_unlock(pipe=pl.PipeType.MTE2, mutex_id=0)
pl.{0}.mutex_lock(pipe=pl.PipeType.MTE3, mutex_id=0)
pl.store(y, t, [0, 0])
pl.{0}.mutex_unlock(pipe=pl.PipeType.MTE3, mutex_id=0)"""
_MASKED = "pl.load(t, x, [0, 0])\n{}pl.adds(t, t, 1.0)\npl.{}()\npl.store(y, t, [0, 0])"
_BLOCK = """\
count, me = pl.get_block_num(), pl.get_block_idx()
for i in pl.range(me, 32, count):
    y[i, 0] = x[i, 0] + n"""
_SUBBLOCK = """\
rows = 32 // pl.get_subblock_num()
first = rows * pl.get_subblock_idx()
for i in pl.range(first, first + rows):
    y[i, 0] = x[i, 0] + n"""
_VIEW = "rows = pl.make_tensor(pl.make_ptr(x), [16, 64], [128, 1], dtype=pl.DT_FP32)\n"  # every second row
_HALF = "half = pl.make_tile_group(type=pl.TileType(shape=[16, 64], dtype=pl.DT_FP32), addrs=0x4000, mutex_ids=[2])\n"
_LOOK = f"{_VIEW}{_HALF}h = half.next()\npl.load(h, rows, [0, 0])\npl.store(y, h, [0, 0])"
_PADDED = """\
part = pl.make_tile_group(
    type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, valid_shape=[20, 40]), addrs=0x4000, mutex_ids=[2]
)
whole = pl.make_tile_group(
    type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, pad=pl.TilePad.zero), addrs={}, mutex_ids=[{}]
)
p, w = part.next(), whole.next()
pl.load(p, x, [0, 0])
pl.{}
pl.store(y, w, [0, 0])"""
_SYNC_ALL = "y[pl.get_block_idx(), 0] = n\npl.system.dcci(y)\npl.system.sync_all()"

# Operation -> lines of the vector section.
_LINES: dict[str, str] = {
    "load": _COPY.format(""),
    "store": _COPY.format(""),
    "load_tile": "pl.load_tile(t, x, [0, 0])\npl.store_tile(y, t, [0, 0])",
    "store_tile": "pl.load_tile(t, x, [0, 0])\npl.store_tile(y, t, [0, 0])",
    "expands": "pl.expands(t, 1.5)\npl.store(y, t, [0, 0])",
    "full": "pl.full(t, 1.5)\npl.store(y, t, [0, 0])",
    "fillpad": _PADDED.format("0x8000", 3, "fillpad(w, p)"),
    "fillpad_expand": _PADDED.format("0x8000", 3, "fillpad_expand(w, p)"),
    "fillpad_inplace": _PADDED.format("0x4000", 2, "fillpad_inplace(w, p)"),
    "set_stride": "pl.set_stride(x, [64, 1])\n" + _COPY.format(""),
    "set_validshape": "pl.set_validshape(t, [n, 64])\n" + _COPY.format(""),
    "getval": _COPY.format("first = pl.getval(t, 0)\npl.setval(t, 1, first)\n"),
    "setval": _COPY.format("first = pl.getval(t, 0)\npl.setval(t, 1, first)\n"),
    "min": "y[0, 0] = pl.min(n, 3) + pl.max(n, 5)",
    "max": "y[0, 0] = pl.min(n, 3) + pl.max(n, 5)",
    "const": "small = pl.const(3, pl.DT_INT32)\ny[0, 0] = n + small",
    "constexpr": "if pl.constexpr(4 > 3):\n    y[0, 0] = 1.0",
    "struct": 'at = pl.struct("At", row=0, col=0)\nat.row = n\ny[at.row, at.col] = 1.0',
    "struct_array": 'at = pl.struct_array(2, "At", row=0)\nat[n % 2].row = 5\ny[at[n % 2].row, 0] = 1.0',
    "make_tuple": "at = pl.make_tuple(row=n, col=2)\ny[at.row, at.col] = 1.0",
    "make_tensor": _LOOK,
    "make_ptr": _LOOK,
    "addptr": "later = pl.make_tensor(pl.addptr(pl.make_ptr(x), 64), [16, 64], dtype=pl.DT_FP32)\n"
    "y[0, 0] = later[0, 0]",
    "TileType": _COPY.format(""),
    "make_tile_group": _COPY.format(""),
    "make_tile": _COPY.format(""),
    "printf": 'pl.printf("n is %d\\n", n)',
    "pto_assert": 'pl.pto_assert(n > 0, "n is %d\\n", n)',
    "trap": "if n < 0:\n    pl.trap()",
    "dump_data": _COPY.format("pl.dump_data(t, offsets=[0, 0], shapes=[2, 8])\n"),
    "get_block_idx": _BLOCK,
    "get_block_num": _BLOCK,
    "get_subblock_idx": _SUBBLOCK,
    "get_subblock_num": _SUBBLOCK,
    "get_spr": "y[0, 0] = pl.get_spr()",
    "set_mask_count": _MASKED.format("pl.set_mask_count()\npl.set_vec_mask(0, 64)\n", "reset_mask"),
    "set_mask_norm": _MASKED.format("pl.set_mask_norm()\n", "reset_mask"),
    "set_vec_mask": _MASKED.format("pl.set_vec_mask(-1, -1)\n", "reset_mask"),
    "reset_mask": _MASKED.format("pl.set_vec_mask(-1, -1)\n", "reset_mask"),
    "ssbuf_store": 'at = pl.struct("At", row=n)\npl.ssbuf_store(at, 0)\npl.ssbuf_load(at, 0)\ny[at.row, 0] = 1.0',
    "ssbuf_load": 'at = pl.struct("At", row=n)\npl.ssbuf_store(at, 0)\npl.ssbuf_load(at, 0)\ny[at.row, 0] = 1.0',
    "system.dcci": _SYNC_ALL,
    "system.sync_all": _SYNC_ALL,
    "reshape": _COPY.format("flat = ub.next()\npl.reshape(flat, t, [32, 64])\n"),
}
# Synchronised by hand.
_BY_HAND: dict[str, str] = {
    "system.sync_src": _FLAGGED,
    "system.sync_dst": _FLAGGED,
    "system.bar_all": _COPY.format("pl.system.bar_all()\n"),
    "system.bar_mte2": "pl.load(t, x, [0, 0])\npl.system.bar_mte2()\npl.load(t, x, [0, 0])\n"
    + _FLAGGED.partition("\n")[2],
    "system.bar_mte3": _FLAGGED + "\npl.system.bar_mte3()\npl.store(y, t, [0, 0])",
    "system.mutex_lock": _LOCKED.format("system"),
    "system.mutex_unlock": _LOCKED.format("system"),
    "mutex.mutex_lock": _LOCKED.format("mutex"),
    "mutex.mutex_unlock": _LOCKED.format("mutex"),
}
# Operation -> element type of y, lines of the cube section.
_CUBE_LINES: dict[str, tuple[str, str]] = {
    "move": ("pl.DT_FP32", f"{_PRODUCT}pl.store(y, acc, [0, 0])"),
}
_CUBE_BY_HAND: dict[str, str] = {
    "system.bar_m": _PRODUCT_BY_HAND + "pl.matmul_acc(acc, acc, left, right)\npl.system.bar_m()\n",
    "system.bar_mte1": f"{_ALL}pl.move(left, a)\npl.system.bar_mte1()\npl.move(right, b)\n{_ALL}"
    f"pl.matmul(acc, left, right)\n{_ALL}",
    "system.bar_fix": f"{_PRODUCT_BY_HAND}pl.store(y, acc, [0, 0])\npl.system.bar_fix()\n",
    "system.set_mm_layout_transform": f"pl.system.set_mm_layout_transform(enabled=True)\n{_PRODUCT_BY_HAND}",
}
_ACROSS = """\
import ptopro.language as pl


@pl.jit(auto_mutex=True)
def example(y: pl.Tensor[[64, 64], pl.DT_FP32], x: pl.Tensor[[64, 64], pl.DT_FP16]):
    half, single = pl.DT_FP16, pl.DT_FP32
    x_ub = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=half), addrs=0x0000, mutex_ids=[0])
    nz_ub = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=half, layout=pl.NZ), addrs=0x2000, mutex_ids=[1])
    l1 = pl.make_tile_group(
        type=pl.TileType(shape=[64, 64], dtype=half, target_memory=pl.MemorySpace.Mat), addrs=0x0000, mutex_ids=[2]
    )
    l0a = pl.make_tile_group(
        type=pl.TileType(shape=[64, 64], dtype=half, target_memory=pl.MemorySpace.Left), addrs=0x0000, mutex_ids=[3]
    )
    l0b = pl.make_tile_group(
        type=pl.TileType(shape=[64, 64], dtype=half, target_memory=pl.MemorySpace.Right), addrs=0x0000, mutex_ids=[4]
    )
    l0c = pl.make_tile_group(
        type=pl.TileType(shape=[64, 64], dtype=single, target_memory=pl.MemorySpace.Acc), addrs=0x0000, mutex_ids=[5]
    )
    with pl.section_vector():
        first = 32 * pl.get_subblock_idx()
        t, nz, whole = x_ub.next(), nz_ub.next(), l1.next()
        pl.load(t, x, [first, 0])
        pl.move(nz, t)
        pl.insert(whole, nz, [first, 0])
        pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=0)
    with pl.section_cube():
        whole, left, right, acc = l1.next(), l0a.next(), l0b.next(), l0c.next()
        pl.system.wait_cross_core(pipe=pl.PipeType.MTE1, event_id=0)
        pl.move(left, whole)
        pl.move(right, whole)
        pl.matmul(acc, left, right)
        pl.store(y, acc, [0, 0])
"""
_ACROSS_CORES = ("insert", "system.set_cross_core", "system.wait_cross_core")
_FACTORS = """\
import ptopro.language as pl


@pl.jit(auto_mutex=True)
def example(
    y: pl.Tensor[[32, 64], pl.DT_INT8],
    x: pl.Tensor[[32, 64], pl.DT_FP16],
    w: pl.Tensor[[64, 64], pl.DT_FP16],
    factors: pl.Tensor[[1, 64], pl.DT_INT64],  # a float's bits for each column, with bit 46 for int8
):
    half, words = pl.DT_FP16, pl.DT_INT64
    x_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[32, 64], dtype=half, target_memory=pl.MemorySpace.Mat), addrs=0x0000, mutex_ids=[0]
    )
    w_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[64, 64], dtype=half, target_memory=pl.MemorySpace.Mat), addrs=0x4000, mutex_ids=[1]
    )
    f_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[1, 64], dtype=words, target_memory=pl.MemorySpace.Mat, layout=pl.ND),
        addrs=0x8000,
        mutex_ids=[2],
    )
    x_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[32, 64], dtype=half, target_memory=pl.MemorySpace.Left), addrs=0x0000, mutex_ids=[3]
    )
    w_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[64, 64], dtype=half, target_memory=pl.MemorySpace.Right), addrs=0x0000, mutex_ids=[4]
    )
    scaling = pl.make_tile_group(
        type=pl.TileType(shape=[1, 64], dtype=words, target_memory=pl.MemorySpace.Scaling), addrs=0x0000, mutex_ids=[5]
    )
    l0c = pl.make_tile_group(
        type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc),
        addrs=0x0000,
        mutex_ids=[6],
    )
{ub}    with pl.section_cube():
        a, b, f, left, right, fp, acc = (
            x_l1.next(), w_l1.next(), f_l1.next(), x_l0.next(), w_l0.next(), scaling.next(), l0c.next()
        )
        pl.load(a, x, [0, 0])
        pl.load(b, w, [0, 0])
        pl.load(f, factors, [0, 0])
        pl.move(left, a)
        pl.move(right, b)
        pl.move(fp, f)
        pl.matmul(acc, left, right)
{lines}
"""
_UB = """\
    y_ub = pl.make_tile_group(type=pl.TileType(shape=[32, 64], dtype=pl.DT_INT8), addrs=0x0000, mutex_ids=[7])
"""
_WITH_FACTORS = {
    "store_fp": _FACTORS.format(ub="", lines="        pl.store_fp(y, acc, fp, [0, 0])"),
    "move_fp": _FACTORS.format(
        ub=_UB,
        lines="""\
        pl.move_fp(y_ub.next(), acc, fp)
        pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=0)
    with pl.section_vector():
        pl.system.wait_cross_core(pipe=pl.PipeType.MTE3, event_id=0)
        if pl.get_subblock_idx() == 0:
            pl.store(y, y_ub.next(), [0, 0])""",
    ),
}


def snippet(operation: Operation) -> str | None:
    """The whole file, None for an operation without lines of its own."""
    name = operation.name
    if name in _ACROSS_CORES:
        return _ACROSS
    if name in _WITH_FACTORS:
        return _WITH_FACTORS[name]
    if name == "make_tile":
        return _by_address()
    if name in _LINES:
        return _VECTOR.format(mutex=True, lines=_indented(_LINES[name]))
    if name in _BY_HAND:
        return _VECTOR.format(mutex=False, lines=_indented(_BY_HAND[name]))
    if name in _CUBE_LINES:
        result, lines = _CUBE_LINES[name]
        return _CUBE.format(mutex=True, result=result, lines=_indented(lines))
    if name in _CUBE_BY_HAND:
        lines = _CUBE_BY_HAND[name]
        stored = "" if "store" in lines else "pl.store(y, acc, [0, 0])"
        return _CUBE.format(mutex=False, result="pl.DT_FP32", lines=_indented(lines + stored))
    return None


def _by_address() -> str:
    text = _VECTOR.format(mutex=False, lines=_indented(_FLAGGED))
    text = text.replace("        t = ub.next()\n", "")
    return text.replace(
        "ub = pl.make_tile_group(type=tile, addrs=0x0000, mutex_ids=[0, 1])",
        "t = pl.make_tile(tile, addr=0x0000, size=8192)",
    )


def _indented(lines: str) -> str:
    return "\n".join(f"        {line}".rstrip() for line in lines.splitlines())
