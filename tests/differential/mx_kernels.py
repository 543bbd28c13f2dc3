"""Products of microscaled matrices: FP8 and FP4 elements, scales as every layout of global memory holds them."""

import ptopro.language as pl

M, K, N = 64, 256, 96
GROUPS = K // 32
STEP = 128  # of K in one product
STEP_GROUPS = STEP // 32


def product(out, a, b, scale_a, scale_b, a_type, b_type, exchanged):
    """out = a @ b in two steps of K.  exchanged: the first two axes of both scale tensors."""
    mat, left, right = pl.MemorySpace.Mat, pl.MemorySpace.Left, pl.MemorySpace.Right
    a_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[M, STEP], dtype=a_type, target_memory=mat), addrs=0x00000, mutex_ids=[0, 1]
    )
    b_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[STEP, N], dtype=b_type, target_memory=mat), addrs=0x10000, mutex_ids=[2, 3]
    )
    scale_a_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[M, STEP_GROUPS], dtype=pl.DT_FP8E8M0, target_memory=mat, layout=pl.ZZ),
        addrs=0x20000,
        mutex_ids=[4, 5],
    )
    scale_b_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[STEP_GROUPS, N], dtype=pl.DT_FP8E8M0, target_memory=mat, layout=pl.NN),
        addrs=0x22000,
        mutex_ids=[6, 7],
    )
    a_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[M, STEP], dtype=a_type, target_memory=left), addrs=0x0000, mutex_ids=[8]
    )
    b_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[STEP, N], dtype=b_type, target_memory=right), addrs=0x0000, mutex_ids=[9]
    )
    scale_a_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[M, STEP_GROUPS], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleLeft),
        addrs=0x0000,
        mutex_ids=[10],
    )
    scale_b_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[STEP_GROUPS, N], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleRight),
        addrs=0x0000,
        mutex_ids=[11],
    )
    acc = pl.make_tile_group(
        type=pl.TileType(shape=[M, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0000, mutex_ids=[12]
    )
    with pl.section_cube():
        c = acc.current()
        for i in pl.range(0, K // STEP):
            a1, b1, sa1, sb1 = a_l1.next(), b_l1.next(), scale_a_l1.next(), scale_b_l1.next()
            a0, b0, sa0, sb0 = a_l0.next(), b_l0.next(), scale_a_l0.next(), scale_b_l0.next()
            pl.load_tile(a1, a, [0, i])
            pl.load_tile(b1, b, [i, 0])
            if exchanged:
                pl.load(sa1, scale_a, [i * STEP_GROUPS // 2, 0, 0], order=[1, 0])
                pl.load(sb1, scale_b, [0, i * STEP_GROUPS // 2, 0], order=[1, 0])
            else:
                pl.load_tile(sa1, scale_a, [0, i, 0])
                pl.load_tile(sb1, scale_b, [i, 0, 0], order=[0, 1])
            pl.move(a0, a1)
            pl.move(b0, b1)
            pl.move(sa0, sa1)
            pl.move(sb0, sb1)
            if i == 0:
                pl.matmul_mx(c, a0, b0, sa0, sb0)
            else:
                pl.matmul_mx_acc(c, c, a0, b0, sa0, sb0)
        pl.store(out, c, [0, 0])


@pl.jit
def fp8(
    out: pl.Tensor[[M, N], pl.DT_FP32],
    a: pl.Tensor[[M, K], pl.DT_FP8E4M3FN],
    b: pl.Tensor[[K, N], pl.DT_FP8E5M2],
    scale_a: pl.Tensor[[M, GROUPS // 2, 2], pl.DT_FP8E8M0],
    scale_b: pl.Tensor[[GROUPS // 2, N, 2], pl.DT_FP8E8M0],
):
    product(out, a, b, scale_a, scale_b, pl.DT_FP8E4M3FN, pl.DT_FP8E5M2, False)


@pl.jit
def fp8_exchanged(
    out: pl.Tensor[[M, N], pl.DT_FP32],
    a: pl.Tensor[[M, K], pl.DT_FP8E5M2],
    b: pl.Tensor[[K, N], pl.DT_FP8E4M3FN],
    scale_a: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC, 2], pl.DT_FP8E8M0],
    scale_b: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC, 2], pl.DT_FP8E8M0],
):
    product(out, a, b, scale_a, scale_b, pl.DT_FP8E5M2, pl.DT_FP8E4M3FN, True)


@pl.jit
def fp4(
    out: pl.Tensor[[64, 64], pl.DT_FP32],
    a: pl.Tensor[[64, 32], pl.DT_FP4E2M1],  # two elements in a byte
    b: pl.Tensor[[64, 32], pl.DT_FP4E2M1],
    scale_a: pl.Tensor[[64, 1, 2], pl.DT_FP8E8M0],
    scale_b: pl.Tensor[[1, 64, 2], pl.DT_FP8E8M0],
):
    mat = pl.MemorySpace.Mat
    elements = pl.TileType(shape=[64, 64], dtype=pl.DT_FP4E2M1, target_memory=mat)
    a1, b1 = pl.make_tile(elements, addr=0x0000, size=4096), pl.make_tile(elements, addr=0x1000, size=4096)
    sa1 = pl.make_tile(
        pl.TileType(shape=[64, 2], dtype=pl.DT_FP8E8M0, target_memory=mat, layout=pl.ZZ), addr=0x2000, size=128
    )
    sb1 = pl.make_tile(
        pl.TileType(shape=[2, 64], dtype=pl.DT_FP8E8M0, target_memory=mat, layout=pl.NN), addr=0x3000, size=128
    )
    a0 = pl.make_tile(
        pl.TileType(shape=[64, 64], dtype=pl.DT_FP4E2M1, target_memory=pl.MemorySpace.Left), addr=0, size=4096
    )
    b0 = pl.make_tile(
        pl.TileType(shape=[64, 64], dtype=pl.DT_FP4E2M1, target_memory=pl.MemorySpace.Right), addr=0, size=4096
    )
    sa0 = pl.make_tile(
        pl.TileType(shape=[64, 2], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleLeft), addr=0, size=128
    )
    sb0 = pl.make_tile(
        pl.TileType(shape=[2, 64], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleRight), addr=0, size=128
    )
    c = pl.make_tile(
        pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addr=0, size=16384
    )
    with pl.section_cube():
        pl.set_stride(a, [64, 1])  # in elements
        pl.set_stride(b, [64, 1])
        pl.load(a1, a, [0, 0])
        pl.load(b1, b, [0, 0])
        pl.load(sa1, scale_a, [0, 0, 0])
        pl.load(sb1, scale_b, [0, 0, 0])
        pl.system.bar_all()
        pl.move(a0, a1)
        pl.move(b0, b1)
        pl.move(sa0, sa1)
        pl.move(sb0, sb1)
        pl.system.bar_all()
        pl.matmul_mx(c, a0, b0, sa0, sb0)
        pl.system.bar_all()
        pl.store(out, c, [0, 0])
