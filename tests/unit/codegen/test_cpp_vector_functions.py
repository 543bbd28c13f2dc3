"""Vector functions in C++: the scope with its registers, pointers and cursors, loops, and each form of each operation."""

from __future__ import annotations

import textwrap

import pytest

from ptopro.codegen.driver import codegen_file
from ptopro.diagnostics import Sink

HEAD = """\
import ptopro.language as pl

@pl.vector_function
def f(t, h, w, u, n):
"""
KERNEL = """

def tile(dtype, addr):
    kind = pl.TileType(shape=[8, 128], dtype=dtype, target_memory=pl.MemorySpace.Vec)
    return pl.make_tile_group(type=kind, addrs=addr, mutex_ids=[addr // 0x4000])[0]

@pl.jit(auto_mutex=False)
def whole(x: pl.Tensor[[8, 128], pl.DT_FP32], n: pl.DT_INT64):
    t = tile(pl.DT_FP32, 0)
    h = tile(pl.DT_FP16, 0x4000)
    w = tile(pl.DT_INT64, 0x8000)
    u = tile(pl.DT_UINT8, 0xC000)
    with pl.section_vector():
        f(t, h, w, u, n)
"""


def function_text(body: str) -> list[str]:
    """The lines of `f` in kernel.cpp, without source comments."""
    text = HEAD + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + KERNEL
    sink = Sink()
    found = list(codegen_file("k.py", text, sink=sink))
    assert not sink.has_errors, [f"{d.span}: {d.code} {d.message}" for d in sink.diagnostics]
    lines = [line.partition("  //")[0].rstrip() for line in found[0].files["kernel.cpp"].splitlines()]
    start = next(i for i, line in enumerate(lines) if line.startswith("AICORE inline void f("))
    return lines[start : lines.index("}", start)]


def scope(body: str) -> list[str]:
    """The statements of the scope, declarations apart."""
    lines = function_text(body)
    start = lines.index("  __VEC_SCOPE__ {")
    inner = [line[4:] for line in lines[start + 1 : lines.index("  };", start)]]
    kinds = ("RegTensor<", "MaskReg ", "UnalignReg ", "vector_s4x2 ")
    count = next((i for i, line in enumerate(inner) if not line.startswith(kinds)), len(inner))
    return inner[count:]


def test_a_function_with_its_pointers_and_registers() -> None:
    assert function_text("m = vf.create_mask()\nr = vf.load_align(t, 64)\nvf.store_align(t + n, r, m)") == [
        "AICORE inline void f(VecFloat8x128& t, int64_t n) {",
        "  __ubuf__ float* t_ptr = (__ubuf__ float*)t.data();",
        "  __VEC_SCOPE__ {",
        "    MaskReg m;",
        "    RegTensor<float> r;",
        "    m = pset_b32(PAT_ALL);",
        "    vlds(r, t_ptr, 64, NORM);",
        "    vsts(r, t_ptr, n, NORM_B32, m);",
        "  };",
    ]


PRELUDE = "m = vf.create_mask()\nr = vf.load_align(t, 0)\nq = vf.load_align(t, 64)\nc = vf.load_align(h, 0)\n"
PRELUDE += "i = vf.load_align(t, 0, dtype=pl.DT_INT32)\nl = vf.load_align(w, 0)\nb = vf.load_align(u, 0)\n"
LANES = 7  # statements of the prelude

# a statement, and its C++ behind the prelude
FORMS: list[tuple[str, str]] = [
    ("s = vf.add(r, q, m)", "vadd(s, r, q, m, MODE_ZEROING);"),
    ("r = vf.add(r, q, m, mode=pl.MergeMode.MERGING)", "vadd(r, r, q, m, MODE_MERGING);"),
    ("s = vf.sub(r, q, m)", "vsub(s, r, q, m, MODE_ZEROING);"),
    ("s = vf.abs_sub(r, q, m)", "vabsdif(s, r, q, m, MODE_ZEROING);"),
    ("r = vf.mul_dst_add(q, q, m)", "vmadd(r, q, q, m, MODE_ZEROING);"),
    ("s = vf.log2(r, m)", "vln(s, r, m, MODE_ZEROING);\nvmuls(s, s, 1.442695f, m, MODE_ZEROING);"),
    ("s = vf.log10(c, m)", "vln(s, c, m, MODE_ZEROING);\nvmuls(s, s, half(0.4342945f), m, MODE_ZEROING);"),
    ("s = vf.subs(r, 1.5, m)", "vadds(s, r, -1.5f, m, MODE_ZEROING);"),
    ("s = vf.subs(i, n, m)", "vadds(s, i, -static_cast<int32_t>(n), m, MODE_ZEROING);"),
    ("s = vf.muls(c, 2.0, m)", "vmuls(s, c, half(2.0f), m, MODE_ZEROING);"),
    ("r = vf.axpy(q, 2.0, m)", "vaxpy(r, q, 2.0f, m, MODE_ZEROING);"),
    ("s = vf.prelu(r, q, m)", "vprelu(s, r, q, m, MODE_ZEROING);"),
    ("s = vf.shift_right(i, 3, m)", "vshrs(s, i, 3, m, MODE_ZEROING);"),
    ("s = vf.shift_left(i, n, m)", "vshls(s, i, static_cast<int16_t>(n), m, MODE_ZEROING);"),
    (
        "s = vf.shift_left(i, vf.bit_cast(i, dtype=pl.DT_UINT32), m)",
        "vshl(s, i, i, m, MODE_ZEROING);",
    ),
    ("lo, hi = vf.mull(i, i, m)", "vmull(lo, hi, i, i, m);"),
    ("k, s = vf.addc(i, i, m, m)", "vaddcs(k, s, i, i, m, m);"),
    ("s = vf.exp_sub(c, c, m, layout=pl.CastLayout.ONE)", "vexpdif(s, c, c, m, PART_ODD);"),
    ("s = vf.muls_cast(r, 2.0, m, dtype=pl.DT_FP16)", "vmulscvt(s, r, 2.0f, m, PART_EVEN);"),
    ("k = vf.lt(r, q, m)", "vcmp_lt(k, r, q, m);"),
    ("k = vf.ge(i, 3, m)", "vcmps_ge(k, i, 3, m);"),
    (
        "k = vf.eq(r, i, m, cmp_dtype=pl.DT_UINT8)",
        "vcmp_eq(k, (RegTensor<uint8_t>&)r, (RegTensor<uint8_t>&)i, m);",
    ),
    ("s = vf.select(r, i, m)", "vsel(s, r, (RegTensor<float>&)i, m);"),
    ("k = vf.and_(m, m, m)", "pand(k, m, m, m);"),
    ("s = vf.not_(i, m)", "vnot(s, i, m, MODE_ZEROING);"),
    ("s = vf.xor(r, q, m, dtype=pl.DT_UINT32)", "vxor((RegTensor<float>&)s, r, q, m, MODE_ZEROING);"),
    ("s = vf.squeeze(i, m)", "vsqz(s, i, m, MODE_NO_STORED);"),
    ("s = vf.squeeze(i, m, gather_mode=pl.SqueezeMode.STORE_REG)", "vsqz(s, i, m, MODE_STORED);"),
    ("s = vf.unsqueeze(m, dtype=pl.DT_UINT32)", "vusqz(s, m);"),
    ("s = vf.move(r)", "vmov(s, r);"),
    ("s = vf.move(r, m)", "vmov(s, r, m, MODE_MERGING);"),
    ("k = vf.move(m, m)", "pmov(k, m, m);"),
    ("s = vf.reduce_max(r, m)", "vcmax(s, r, m, MODE_ZEROING);"),
    ("s = vf.reduce_sum(r, m, datablock=True)", "vcgadd(s, r, m, MODE_ZEROING);"),
    ("s = vf.pair_reduce_sum(r, m)", "vcpadd(s, r, m, MODE_ZEROING);"),
    ("s, v = vf.interleave(r, q)", "vintlv(s, v, r, q);"),
    (
        "s, v = vf.de_interleave(r, q, dtype=pl.DT_UINT8)",
        "vdintlv(s, v, (RegTensor<uint8_t>&)r, (RegTensor<uint8_t>&)q);",
    ),
    ("k, s = vf.interleave(m, m)", "pintlv_b32(k, s, m, m);"),
    ("k, s = vf.de_interleave(m, m, dtype=pl.DT_UINT8)", "pdintlv_b8(k, s, m, m);"),
    ("s = vf.pack(i, dtype=pl.DT_UINT16, part=pl.PackPart.UPPER)", "vpack(s, i, HIGHER, MODE_UNKNOWN);"),
    ("k = vf.pack(m)", "ppack(k, m, LOWER);"),
    (
        "s = vf.pack(l, dtype=pl.DT_UINT32)",
        "RegTensor<uint32_t> zero;\nRegTensor<uint32_t> rest;\nvbr(zero, 0);\n"
        "vdintlv(s, rest, (RegTensor<uint32_t>&)l, zero);",
    ),
    ("s = vf.unpack(b, dtype=pl.DT_UINT16)", "vunpack(s, b, LOWER);"),
    (
        "s = vf.unpack(i, dtype=pl.DT_INT64)",
        "RegTensor<int32_t> high;\nRegTensor<int32_t> rest;\nvshrs(high, i, 31, pset_b32(PAT_ALL), MODE_ZEROING);\n"
        "vintlv((RegTensor<int32_t>&)s, rest, i, high);",
    ),
    ("s = vf.bit_cast(r, dtype=pl.DT_UINT32)", "s = (RegTensor<uint32_t>&)r;"),
    ("s = vf.truncate(r, m)", "vtrc(s, r, ROUND_Z, m, MODE_ZEROING);"),
    ("s = vf.arange(n, dtype=pl.DT_UINT32)", "vci((RegTensor<int32_t>&)s, static_cast<int32_t>(n), INC_ORDER);"),
    ("s = vf.arange(0.5, dtype=pl.DT_FP32, index_order=pl.IndexOrder.DECREASE_ORDER)", "vci(s, 0.5f, DEC_ORDER);"),
    ("s = vf.full(1.0)", "vbr(s, 1.0f);"),
    ("s = vf.full(1, m, dtype=pl.DT_FP16)", "vdup(s, half(1.0f), m, MODE_ZEROING);"),
    ("s = vf.full(r)", "vdup(s, r, pset_b32(PAT_ALL), POS_LOWEST, MODE_ZEROING);"),
    ("s = vf.full(r, m, pos=pl.DuplicatePos.HIGHEST)", "vdup(s, r, m, POS_HIGHEST, MODE_ZEROING);"),
    # masks and special registers
    ("k = vf.create_mask(pattern=pl.MaskPattern.VL8, dtype=pl.DT_FP16)", "k = pset_b16(PAT_VL8);"),
    ("k = vf.create_mask(pattern=pl.MaskPattern.VL8, dtype=pl.DT_INT64)", "k = pset_b32(PAT_VL16);"),
    ("k = vf.create_mask(pattern=pl.MaskPattern.VL32, dtype=pl.DT_INT64)", "k = pset_b32(PAT_ALL);"),
    ("k = vf.create_mask(pattern=pl.MaskPattern.H, dtype=pl.DT_INT64)", "k = pset_b32(PAT_H);"),
    (
        "k = vf.create_mask(pattern=pl.MaskPattern.M3, dtype=pl.DT_INT64)",
        "MaskReg rest;\nk = pset_b32(PAT_M3);\npintlv_b32(k, rest, k, k);",
    ),
    ("k = vf.update_mask(n)", "uint32_t k_left = static_cast<uint32_t>(n);\nk = plt_b32(k_left, POST_UPDATE);"),
    ("k = vf.update_mask(9, dtype=pl.DT_INT8)", "uint32_t k_left = 9;\nk = plt_b8(k_left, POST_UPDATE);"),
    ("k = vf.update_mask(9, dtype=pl.DT_INT64)", "uint32_t k_left = 18;\nk = plt_b32(k_left, POST_UPDATE);"),
    ("k = vf.get_mask_spr(pl.MaskWidth.B16)", "k = movp_b16();"),
    ("k = vf.mask_gen_with_reg_tensor(r, 3)", "movvp(k, (RegTensor<uint32_t>&)r, 3);"),
    ("vf.clear_spr()", "sprclr(SPR_AR);"),
    ("vf.mem_bar()", "mem_bar(VST_VLD);"),
    ("vf.mem_bar(pl.MemBarMode.VV_ALL)", "mem_bar(VV_ALL);"),
    # loads
    ("s = vf.load_align(t, [1, n])", "vlds(s, t_ptr, 128 + n, NORM);"),
    ("s = vf.load_align(t, 3, dist=pl.LoadDist.BRC)", "vlds(s, t_ptr, 3, BRC_B32);"),
    ("s = vf.load_align(h, 0, dist=pl.LoadDist.US)", "vlds(s, h_ptr, 0, US_B16);"),
    ("s = vf.load_align(u, 0, dist=pl.LoadDist.UNPK4)", "vlds(s, u_ptr, 0, UNPK4_B8);"),
    ("s = vf.load_align(t, 0, dist=pl.LoadDist.BLK)", "vlds(s, t_ptr, 0, BLK);"),
    ("s = vf.load_align(t, n, dtype=pl.DT_UINT16)", "vlds(s, (__ubuf__ uint16_t*)t_ptr, n * 2, NORM);"),
    ("s = vf.load_align(h, n, dtype=pl.DT_FP32)", "vlds(s, (__ubuf__ float*)(h_ptr + n), 0, NORM);"),
    ("s = vf.load_align(h, 64, dtype=pl.DT_FP32)", "vlds(s, (__ubuf__ float*)h_ptr, 32, NORM);"),
    ("s = vf.load_align(w, n)", "vlds(s, (__ubuf__ int32_t*)w_ptr, n * 2, NORM);"),
    ("s, v = vf.load_align(t, 0)", "vlds(s, v, t_ptr, 0, DINTLV_B32);"),
    ("s, v = vf.load_align(h, 0, dist=pl.LoadDist.DINTLV_B8, dtype=pl.DT_UINT8)", "vlds(s, v, (__ubuf__ uint8_t*)h_ptr, 0, DINTLV_B8);"),
    ("m = vf.load_align(u, 0, dist=pl.LoadDist.US)", "plds(m, (__ubuf__ uint32_t*)u_ptr, 0, US);"),
    (
        "s = vf.load_align(t, m, data_copy_mode=pl.DataCopyMode.DATA_BLOCK_COPY, block_stride=4)",
        "vsldb(s, t_ptr, (4 << 16u), m);",
    ),
    # stores
    ("vf.store_align(t, r, m, n)", "vsts(r, t_ptr, n, NORM_B32, m);"),
    ("vf.store_align(h, c, m)", "vsts(c, h_ptr, 0, NORM_B16, m);"),
    ("vf.store_align(w, l, m, n)", "vsts(l, (__ubuf__ int32_t*)w_ptr, n * 2, NORM_B32, m);"),
    ("vf.store_align(h, r, m, dist=pl.StoreDist.PACK)", "vsts(r, (__ubuf__ float*)h_ptr, 0, PK_B32, m);"),
    ("vf.store_align(u, i, m, dist=pl.StoreDist.PACK4)", "vsts(i, (__ubuf__ int32_t*)u_ptr, 0, PK4_B32, m);"),
    ("vf.store_align(t, r, m, dist=pl.StoreDist.FIRST_ELEMENT)", "vsts(r, t_ptr, 0, ONEPT_B32, m);"),
    (
        "vf.store_align(t, r, q, m, dist=pl.StoreDist.INTLV)",
        "vsts((RegTensor<uint32_t>&)r, (RegTensor<uint32_t>&)q, (__ubuf__ uint32_t*)t_ptr, 0, INTLV_B32, m);",
    ),
    (
        "vf.store_align(t, r, m, 9, 1, data_copy_mode=pl.DataCopyMode.DATA_BLOCK_COPY)",
        "vsstb(r, t_ptr, (9 << 16u) | (1 & 0xFFFFU), m);",
    ),
    ("vf.store_align(u, m, dist=pl.StoreDist.PACK)", "psts(m, (__ubuf__ uint32_t*)u_ptr, 0, PK);"),
    # by index
    ("s = vf.gather(t, vf.bit_cast(i, dtype=pl.DT_UINT32), m)", "vgather2((RegTensor<int32_t>&)s, (__ubuf__ int32_t*)t_ptr, (RegTensor<uint32_t>&)i, m);"),
    ("s = vf.gather(r, i)", "vselr((RegTensor<uint32_t>&)s, (RegTensor<uint32_t>&)r, (RegTensor<uint32_t>&)i);"),
    ("vf.scatter(t, r, i, m)", "vscatter(r, t_ptr, (RegTensor<uint32_t>&)i, m);"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "expected"), FORMS, ids=[s for s, _ in FORMS])
def test_form(statement: str, expected: str) -> None:
    assert "\n".join(scope(PRELUDE + statement)[LANES:]) == expected


# element types, keywords, the words of vcvt
CONVERSIONS: list[tuple[str, str, str, str]] = [
    ("FP16", "FP32", "layout=pl.CastLayout.ONE", "PART_ODD, MODE_ZEROING"),
    ("INT32", "FP32", "", "ROUND_R, MODE_ZEROING"),
    ("FP32", "INT32", "round_mode=pl.VFRoundMode.CAST_FLOOR, saturate=pl.SaturateMode.ON", "ROUND_F, RS_ENABLE, MODE_ZEROING"),
    ("FP16", "INT32", "round_mode=pl.VFRoundMode.CAST_CEIL", "ROUND_C, PART_EVEN, MODE_ZEROING"),
    ("INT32", "UINT16", "", "RS_DISABLE, PART_EVEN, MODE_ZEROING"),
    ("INT32", "UINT8", "layout=pl.CastLayout.TWO", "RS_DISABLE, PART_P2, MODE_ZEROING"),
    ("FP8E4M3FN", "FP32", "layout=pl.CastLayout.THREE", "PART_P3, MODE_ZEROING"),
    ("FP32", "FP8E5M2", "", "ROUND_R, RS_ENABLE, PART_P0, MODE_ZEROING"),
    ("FP32", "HF8", "", "ROUND_A, RS_ENABLE, PART_P0, MODE_ZEROING"),
    ("FP32", "FP16", "round_mode=pl.VFRoundMode.CAST_ODD", "ROUND_O, RS_DISABLE, PART_EVEN, MODE_ZEROING"),
    ("FP32", "BF16", "layout=pl.CastLayout.ONE", "ROUND_R, RS_DISABLE, PART_ODD, MODE_ZEROING"),
    ("BF16", "FP4E2M1", "", "ROUND_R, PART_P0, MODE_ZEROING"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "target", "keywords", "words"), CONVERSIONS)
def test_conversion(source: str, target: str, keywords: str, words: str) -> None:
    lines = scope(
        f"m = vf.create_mask()\na = vf.load_align(t, 0, dtype=pl.DT_{source})\n"
        f"s = vf.astype(a, m, dtype=pl.DT_{target}, {keywords})"
    )
    assert lines[-1] == f"vcvt(s, a, m, {words});"


def test_cursors_start_at_the_pointer_and_move() -> None:
    lines = function_text(
        """
        m = vf.create_mask()
        second = t + 512
        for i in pl.range(4):
            r = vf.load_align(t, 64, post_update=True)
            vf.store_align(second, r, m, 64, post_update=True)
            vf.store_align(t, r, m, block_stride=2, repeat_stride=n, data_copy_mode=pl.DataCopyMode.DATA_BLOCK_COPY, post_update=True)
        """
    )
    assert lines[2:4] == ["  __ubuf__ float* t_load = t_ptr;", "  __ubuf__ float* t_store = t_ptr;"]
    assert "    __ubuf__ float* second = t_ptr + 512;" in lines
    assert "    __ubuf__ float* second_store = second;" in lines
    assert "      vlds(r, t_load, 64, NORM, POST_UPDATE);" in lines
    assert "      vsts(r, second_store, 64, NORM_B32, m, POST_UPDATE);" in lines
    assert any("vsstb(r, t_store, (2 << 16u) | (static_cast<uint32_t>(n) & 0xFFFFU), m, POST" in x for x in lines)


def test_unaligned_streams() -> None:
    lines = scope(
        """
        c = vf.load_unalign_init()
        s = vf.unalign_reg_for_store()
        vf.load_unalign_pre(c, t + 1)
        for i in pl.range(n):
            r = vf.load_unalign(c, t, 64)
            vf.store_unalign(h, vf.full(0, dtype=pl.DT_UINT16), s, 100, post_update=True)
        vf.store_unalign_post(h, s)
        a = vf.load(w)
        vf.store(t, r, 10)
        """
    )
    assert lines[0] == "vldas(c, t_ptr + 1);"
    assert "  vldus(r, c, t_load, 64, POST_UPDATE);" in lines
    assert "  vstus(s, 100, (RegTensor<int16_t>&)reg, (__ubuf__ int16_t*&)h_store, POST_UPDATE);" in lines
    assert lines[lines.index("}") + 1 :] == [
        "vstar(s, h_store);",
        "UnalignReg carry;",
        "vldas(carry, (__ubuf__ int32_t*)w_ptr);",
        "vldus(a, carry, (__ubuf__ int32_t*)w_ptr);",
        "UnalignReg carry_2;",
        "vstus(carry_2, 10, r, t_store, POST_UPDATE);",
        "vstas(carry_2, t_store, 0, POST_UPDATE);",
    ]


def test_address_registers_are_declared_where_they_are_set() -> None:
    lines = scope(
        """
        m = vf.create_mask()
        for i in pl.range(2):
            for j in pl.range(4):
                a = vf.create_addr_reg(i, 256, j, 64)
                vf.store_align(t, vf.load_align(t, a), m, a)
        """
    )
    assert [line.strip() for line in lines[3:7]] == [
        "AddrReg a = vag_b32(256, 64);",
        "PTOPRO_AT(a, i * 256 + j * 64);",
        "vld(reg, t_ptr, a, NORM);",
        "vst(reg, t_ptr, a, NORM_B32, m);",
    ]


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ("4", ["for (uint16_t i = 0; i < 4; ++i) {"]),
        ("2, 8, 3", ["for (uint16_t i = 2; i < 8; i += 3) {"]),
        (
            "n",
            [
                "const uint16_t i_stop = static_cast<uint16_t>(n > 0 ? n : 0);",
                "for (uint16_t i = 0; i < i_stop; ++i) {",
            ],
        ),
        (
            "n, 8",
            [
                "const int64_t i_rounds = (8 - n + 1 - 1) / 1;",
                "const uint16_t i_limit = static_cast<uint16_t>(i_rounds > 0 ? i_rounds : 0);",
                "for (uint16_t i_round = 0; i_round < i_limit; ++i_round) {",
                "  const int64_t i = n + i_round * 1;",
            ],
        ),
        (
            "8, 0, -2",
            [
                "const int64_t i_step = -2;",
                "const int64_t i_rounds = (8 - 0 + 1) / 2;",
                "const uint16_t i_limit = static_cast<uint16_t>(i_rounds > 0 ? i_rounds : 0);",
                "for (uint16_t i_round = 0; i_round < i_limit; ++i_round) {",
                "  const int64_t i = 8 + i_round * i_step;",
            ],
        ),
    ],
)
def test_loops_count_in_16_bits(bounds: str, expected: list[str]) -> None:
    lines = scope(f"for i in pl.range({bounds}):\n    vf.store_align(t, vf.full(0.0), vf.create_mask(), i)")
    start = next(i for i, line in enumerate(lines) if "i_" in line or line.startswith("for"))
    assert lines[start : start + len(expected)] == expected


def test_names_of_instructions_are_not_taken() -> None:
    lines = scope("vmax = vf.load_align(t, 0)\nNORM = vf.full(0.0)\nvf.store_align(t, vmax, vf.create_mask())")
    assert lines[0] == "vlds(vmax_, t_ptr, 0, NORM);"
