"""Vector functions in the IR: registers of names, pointers, inlining, what each call does to its tiles; and errors."""

from __future__ import annotations

import textwrap

import pytest
from lowering_kernels import codes, lower_body, lower_text, source

from ptopro.diagnostics.catalogue import vector_functions
from ptopro.language.operations.model import Role
from ptopro.lowering import ir
from ptopro.lowering.dump import dump_block
from ptopro.lowering.vector_accesses import tile_uses

CALL = "t = a.next()\nu = b.next()\nf(t, u, m)"


def function_of(body: str, call: str = CALL, *, helpers: str = "") -> ir.FunctionIR:
    """The vector function `f(t, u, n)` with this body, as the kernel calls it."""
    inner = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    before = f"{textwrap.dedent(helpers)}\n@pl.vector_function\ndef f(t, u, n):\n{inner}\n"
    kernel = lower_body(call, before=before)
    assert kernel.vector is not None
    return next(s.function for s in ir.walk(kernel.vector.body) if isinstance(s, ir.CallStmt))


def body_of(body: str, call: str = CALL, *, helpers: str = "") -> list[str]:
    return dump_block(function_of(body, call, helpers=helpers).body)


def roles(function: ir.FunctionIR) -> dict[str, tuple[str, bool]]:
    return {subject.name: (use.role.name, use.certain) for subject, use in tile_uses(function).items()}


# ---- registers ------------------------------------------------------------------------------------------------------


def test_tiles_become_pointers_and_names_registers() -> None:
    assert body_of("m = vf.create_mask()\nr = vf.load_align(t, 64)\nr = vf.exp(r, m)\nvf.store_align(u, r, m)") == [
        "t_ptr = &t",
        "u_ptr = &u",
        "m:mask = vf.create_mask()",
        "r:FP32 = vf.load_align(src=t_ptr, offset=64)",
        "r:FP32 = vf.exp(src=r:FP32, mask=m:mask)",
        "vf.store_align(dst=u_ptr, src=r:FP32, mask=m:mask)",
    ]


def test_a_name_has_one_register_for_each_type() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        r = vf.load_align(t, 0)
        r = vf.astype(r, m, dtype=pl.DT_FP16)
        r = vf.astype(r, m, dtype=pl.DT_FP32)
        vf.store_align(u, r, m)
        """
    )
    assert [line.partition(" = ")[0] for line in lines[3:6]] == ["r:FP32", "r:FP16", "r:FP32"]


def test_element_type_follows_the_first_operand_or_the_keyword() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        whole = vf.load_align(t, 0, dtype=pl.DT_UINT32)
        number = vf.full(3)
        half = vf.full(0, m, dtype=pl.DT_FP16)
        half = vf.full(1, m)
        low, high = vf.de_interleave(half, half)
        bits = vf.ge(whole, whole, m)
        count = vf.histograms(vf.bit_cast(whole, dtype=pl.DT_UINT8), m) if False else whole
        vf.store_align(u, count, bits)
        """
    )
    results = [line.partition(" = ")[0] for line in lines if " = vf." in line]
    assert results == [
        "m:mask",
        "whole:UINT32",
        "number:INT64",
        "half:FP16",
        "half:FP16",
        "low:FP16, high:FP16",
        "bits:mask",
    ]


def test_masks_follow_masks_and_loads_into_a_mask() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        other = vf.and_(m, m, m)
        a, b = vf.interleave(m, other)
        m = vf.load_align(t, 0)
        vf.store_align(u, m)
        vf.store_align(u, a)
        vf.store_align(u, b)
        """
    )
    assert [line.partition(" = ")[0] for line in lines if " = vf." in line] == [
        "m:mask",
        "other:mask",
        "a:mask, b:mask",
        "m:mask",
    ]


def test_an_operation_that_accumulates_reads_its_name() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        r = vf.load_align(t, 0)
        acc = vf.full(0.0, m)
        for i in pl.range(n):
            acc = vf.mul_add_dst(r, r, m)
        vf.store_align(u, acc, m)
        """
    )
    assert "  acc:FP32 = vf.mul_add_dst(src0=r:FP32, src1=r:FP32, mask=m:mask)" in lines


def test_another_name_of_a_register_that_changes_is_a_copy() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        r = vf.load_align(t, 0)
        before = r
        r = vf.exp(r, m)
        a = vf.add(r, before, m)
        vf.store_align(u, a, m)
        """
    )
    assert "before:FP32 = r:FP32" in lines


def test_registers_swap() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        a = vf.load_align(t, 0)
        b = vf.load_align(t, 64)
        a, b = b, a
        vf.store_align(u, a, m)
        vf.store_align(u, b, m)
        """
    )
    assert lines[5:9] == ["old:FP32 = b:FP32", "old:FP32 = a:FP32", "a:FP32 = old:FP32", "b:FP32 = old:FP32"]


def test_branches_leave_one_register() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        a = vf.load_align(t, 0)
        b = vf.load_align(t, 64)
        r = a if n > 1 else b
        vf.store_align(u, r, m)
        """
    )
    assert [line.strip() for line in lines[6:9:2]] == [
        "chosen:FP32 = a:FP32",
        "chosen:FP32 = b:FP32",
    ] or "chosen" in str(lines)


def test_operations_nest() -> None:
    lines = body_of("m = vf.create_mask()\nvf.store_align(u, vf.exp(vf.load_align(t, 0), m), m)")
    assert lines[3:] == [
        "temporary:FP32 = vf.load_align(src=t_ptr, offset=0)",
        "temporary:FP32 = vf.exp(src=temporary:FP32, mask=m:mask)",
        "vf.store_align(dst=u_ptr, src=temporary:FP32, mask=m:mask)",
    ]


def test_lists_of_registers_live_in_loops() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        acc = [vf.full(0.0) for _ in range(2)]
        for row in pl.range(n):
            for i in range(2):
                acc[i] = vf.max(acc[i], vf.load_align(t, row * 128 + i * 64), m)
        vf.store_align(u, vf.add(acc[0], acc[1], m), m)
        """
    )
    assert [line.strip() for line in lines if line.lstrip().startswith("acc_")] == [
        "acc_0:FP32 = vf.full(scalar_or_src=0.0)",
        "acc_1:FP32 = vf.full(scalar_or_src=0.0)",
        "acc_0:FP32 = vf.max(src0=acc_0:FP32, src1=temporary:FP32, mask=m:mask)",
        "acc_1:FP32 = vf.max(src0=acc_1:FP32, src1=temporary:FP32, mask=m:mask)",
    ]


def test_a_member_that_accumulates_reads_itself() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        acc = [vf.full(0.0), vf.full(1.0)]
        r = vf.load_align(t, 0)
        acc[1] = vf.mul_add_dst(r, r, m)
        vf.store_align(u, acc[1], m)
        """
    )
    assert "acc_1:FP32 = vf.mul_add_dst(src0=r:FP32, src1=r:FP32, mask=m:mask)" in lines


# ---- pointers -------------------------------------------------------------------------------------------------------


def test_pointers_move_in_elements() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        second = t + 64
        vf.store_align(u + 2 * n, vf.load_align(second, [1, 2]), m)
        """
    )
    assert "second = t_ptr + 64" in lines
    assert any("src=second, offset=66" in line for line in lines)
    assert any("dst=u_ptr + (2 * n)" in line for line in lines)


def test_another_name_of_a_tile_is_its_pointer() -> None:
    lines = body_of("p = t\nm = vf.create_mask()\nr = vf.load_align(p, 0)\nvf.store_align(u, r, m)")
    assert "r:FP32 = vf.load_align(src=t_ptr, offset=0)" in lines
    assert not any(line.startswith(("p = ", "p: ")) for line in lines)


def test_a_name_that_holds_one_tile_or_another_is_a_pointer() -> None:
    lines = body_of(
        """
        p = t
        if n > 3:
            p = u
        m = vf.create_mask()
        r = vf.load_align(p, 0)
        vf.store_align(u, r, m)
        """
    )
    assert "r:FP32 = vf.load_align(src=p, offset=0)" in lines
    assert [line for line in lines if "&" in line] == ["t_ptr = &t", "u_ptr = &u"]


def test_a_pointer_that_a_loop_moves_is_a_variable() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        p = t
        for i in pl.range(n):
            r = vf.load_align(p, 0)
            vf.store_align(u, r, m)
            p = p + 64
        """
    )
    assert "p = t_ptr" in lines and "  p = p + 64" in lines


def test_groups_move_when_the_function_is_called() -> None:
    lines = body_of(
        "m = vf.create_mask()\nfirst = t.next()\nsecond = t.next()\nvf.store_align(u, vf.load_align(second, 0), m)",
        "u = b.next()\nf(a, u, m)",
    )
    assert lines[:4] == ["advance a", "a_ptr = &a.current", "advance a", "a_ptr = &a.current"]


def test_a_pointer_given_with_an_offset_is_one_that_moves() -> None:
    lines = body_of(
        "m = vf.create_mask()\nput(u + 64, vf.load_align(t, 0), m)",
        helpers="""
        @pl.vector_function
        def put(where, x, m):
            vf.store_align(where, x, m, 64, post_update=True)
            vf.store_align(where, x, m, 64, post_update=True)
        """,
    )
    assert "where = u_ptr + 64" in lines
    assert sum("dst=where," in line for line in lines) == 2


# ---- calls ----------------------------------------------------------------------------------------------------------


def test_calls_with_other_tiles_share_a_function() -> None:
    before = "@pl.vector_function\ndef f(t):\n    vf.store_align(t, vf.load_align(t, 0), vf.create_mask())"
    kernel = lower_body("f(a[0])\nf(a[1])\nf(b.next())", before=before)
    assert kernel.vector is not None
    calls = [s for s in ir.walk(kernel.vector.body) if isinstance(s, ir.CallStmt)]
    assert len(calls) == 3 and len({id(s.function) for s in calls}) == 1


def test_functions_called_by_register_code_are_part_of_it() -> None:
    lines = body_of(
        """
        m = vf.create_mask()
        r = square(vf.load_align(t, 0), m)
        put(u, r, rows(n) * 64)
        """,
        helpers="""
        @pl.vector_function
        def square(x, m):
            x = vf.mul(x, x, m)
            return x

        @pl.vector_function
        def put(where, x, off):
            m = vf.create_mask()
            vf.store_align(where, x, m, off)

        def rows(n):
            if n > 4:
                return n
            return 4
        """,
    )
    assert any(line.startswith("x:FP32 = vf.mul(") for line in lines)
    assert any("rows" in line for line in lines)
    assert any(line.startswith("vf.store_align(dst=u_ptr") for line in lines)


def test_a_register_section_is_a_function_of_what_it_reads() -> None:
    kernel = lower_body(
        """
        t = a.next()
        with pl.section_vf():
            r = vf.load_align(t, 0)
            vf.store_align(t, r, vf.update_mask(n))
        """
    )
    assert kernel.vector is not None
    function = next(s.function for s in ir.walk(kernel.vector.body) if isinstance(s, ir.CallStmt))
    assert function.kind == "vector_function"
    assert sorted(p.name for p in function.params) == ["n", "t"]


# ---- accesses -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("vf.store_align(u, vf.load_align(t, 0), m)", {"t": ("IN", True), "u": ("OUT", True)}),
        ("r = vf.load_align(t + 8, 0)\nvf.store_align(t + 64, r, m)", {"t": ("INOUT", True)}),
        ("vf.store_align(t, vf.full(0.0), m)\nr = vf.load_align(t, 0)\nvf.store_align(u, r, m)", {"t": ("OUT", True), "u": ("OUT", True)}),
        ("if n > 0:\n    vf.store_align(t, vf.full(0.0), m)\nr = vf.load_align(t, 0)", {"t": ("INOUT", False)}),
        ("p = t\nfor i in pl.range(n):\n    vf.store_align(p, vf.full(0.0), m)\n    p = u + 64 * i", {"t": ("OUT", True), "u": ("OUT", True)}),
        ("i = vf.arange(0, dtype=pl.DT_UINT32)\nvf.scatter(u, vf.gather(t, i, m), i, m)", {"t": ("IN", True), "u": ("OUT", True)}),
    ],
)  # fmt: skip
def test_what_a_function_does_to_its_tiles(body: str, expected: dict[str, tuple[str, bool]]) -> None:
    assert roles(function_of(f"m = vf.create_mask()\n{body}")) == expected


def test_roles_are_those_of_the_table() -> None:
    function = function_of("vf.store(u, vf.load(t))")
    assert {use.role for use in tile_uses(function).values()} == {Role.IN, Role.OUT}


# ---- loads behind stores --------------------------------------------------------------------------------------------

STORE = "m = vf.create_mask()\nr = vf.full(0.0)\nvf.store_align(t, r, m, 64)\n"


@pytest.mark.parametrize(
    ("body", "warned"),
    [
        ("s = vf.load_align(t, 64)", True),
        ("s = vf.load_align(t, 0)", False),
        ("s = vf.load_align(u, 64)", False),
        ("vf.mem_bar()\ns = vf.load_align(t, 64)", False),
        ("vf.mem_bar(pl.MemBarMode.VV_ALL)\ns = vf.load_align(t, 64)", False),
        ("vf.mem_bar(pl.MemBarMode.VLD_VST)\ns = vf.load_align(t, 64)", True),
        ("vf.store_align(t, r, m, n)\ns = vf.load_align(t, n)", True),
        ("k = n\nvf.store_align(t, r, m, k)\nk = k + 64\ns = vf.load_align(t, k)", False),
        ("if n > 0:\n    s = vf.load_align(t, 64)\n    vf.store_align(u, s, m)\ns = r", True),
        ("p = t + 64\nvf.store_align(p, r, m)\np = p + 64\ns = vf.load_align(p, 0)", False),
        ("for i in pl.range(4):\n    vf.store_align(t, r, m, i * 64)\n    s = vf.load_align(t, i * 64)\n    vf.store_align(u, s, m)\ns = r", True),
    ],
)  # fmt: skip
def test_a_load_of_what_was_stored_is_pointed_out(body: str, warned: bool) -> None:
    inner = textwrap.indent(STORE + body + "\nvf.store_align(u, s, m)", "    ")
    text = source(CALL, before=f"@pl.vector_function\ndef f(t, u, n):\n{inner}")
    assert ("PTO1551" in {d.code for d in lower_text(text)[1]}) == warned


# ---- errors ---------------------------------------------------------------------------------------------------------

# code, text under the caret, body of the function
CASES: list[tuple[str, str, str]] = [
    ("PTO1075", "vf.add(r, r, m)", "vf.add(r, r, m)"),
    ("PTO1076", "r + r", "s = r + r"),
    ("PTO1076", "r * 2.0", "s = r * 2.0"),
    ("PTO1077", "vf.interleave", "s, s = vf.interleave(r, r)"),
    ("PTO1078", "vf.store_align", "vf.store_align(u, r)"),
    ("PTO1078", "vf.store_align", "vf.store_align(u, r, m, 0, 0)"),
    ("PTO1079", "return r", "return r"),
    ("PTO1080", "return", "if n > 0:\n    return\nvf.store_align(u, r, m)"),
    ("PTO1081", "pl.section_vf()", "with pl.section_vf():\n    pass"),
    ("PTO1082", "pl.muls", "pl.muls(u, t, 2.0)"),
    ("PTO1084", "t[0:8, 0:64]", "s = vf.load_align(t[0:8, 0:64], 0)"),
    ("PTO1084", "t[0, 0]", "s = t[0, 0]"),
    ("PTO1290", "h", "h = vf.full(0, dtype=pl.DT_INT32)\ns = vf.add(r, h, m)"),
    ("PTO1291", "h", "h = vf.full(0, dtype=pl.DT_INT16)\ns = vf.select(r, h, m)"),
    ("PTO1292", "0.5", "h = vf.full(0, dtype=pl.DT_INT32)\ns = vf.adds(h, 0.5, m)"),
    ("PTO1293", "pl.DT_UINT8", "s = vf.astype(r, m, dtype=pl.DT_UINT8)"),
    ("PTO1294", "pl.CastLayout.TWO", "s = vf.astype(r, m, dtype=pl.DT_FP16, layout=pl.CastLayout.TWO)"),
    ("PTO1294", "pl.VFRoundMode.CAST_HYBRID", "s = vf.astype(r, m, dtype=pl.DT_FP16, round_mode=pl.VFRoundMode.CAST_HYBRID)"),
    ("PTO1295", "vf.astype", "s = vf.astype(r, m)"),
    ("PTO1296", "vf.mul_add_dst", "s = vf.mul_add_dst(r, r, m)"),
    ("PTO1296", "vf.add", "s = vf.add(r, r, m, mode=pl.MergeMode.MERGING)"),
    ("PTO1297", "vf.create_addr_reg", "s = vf.create_addr_reg(n, 64)"),
    ("PTO1297", "vf.create_addr_reg", "for i in pl.range(1, 4):\n    s = vf.create_addr_reg(i, 64)"),
    ("PTO1298", "pl.range(70000)", "for i in pl.range(70000):\n    pass"),
    ("PTO1299", "vf.store_align", "vf.store_align(u, r, r, m)"),
    ("PTO1299", "m", "s = vf.load_align(t, m)"),
    ("PTO1158", "vf.loadalign", "s = vf.loadalign(t, 0)"),
    ("PTO1202", "h", "h = vf.full(0, dtype=pl.DT_INT16)\ns = vf.exp(h, m)"),
    ("PTO1212", "pl.MergeMode.MERGING", "s = vf.sub(r, r, m, mode=pl.MergeMode.MERGING)"),
    ("PTO1261", "vf.load_align", "a, b, c = vf.load_align(t, 0)"),
]  # fmt: skip
AT_CALLS = {"PTO1074", "PTO1083"}  # tests below and in test_lowering_diagnostics.py


@pytest.mark.parametrize(("code", "under", "body"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES])
def test_code_and_caret(code: str, under: str, body: str) -> None:
    head = "m = vf.create_mask()\nr = vf.load_align(t, 0)\n"
    inner = textwrap.indent(head + body, "    ")
    text = source(CALL, before=f"@pl.vector_function\ndef f(t, u, n):\n{inner}")
    found = [d for d in lower_text(text)[1] if d.code == code]
    assert found, [f"{d.code} {d.message}" for d in lower_text(text)[1]]
    span = found[0].span
    assert span is not None
    line = text.splitlines()[span.line - 1]
    if code not in ("PTO1299", "PTO1261"):
        assert line[span.col - 1 :].startswith(under), (line, line[span.col - 1 :])


def test_a_group_does_not_move_on_in_a_loop() -> None:
    before = "@pl.vector_function\ndef f(g):\n    for i in pl.range(4):\n        t = g.next()"
    assert "PTO1083" in codes("f(a)", before=before)


def test_every_code_has_a_case() -> None:
    own = {entry.code for entry in (*vector_functions.SYNTAX_ENTRIES, *vector_functions.TYPE_ENTRIES)}
    assert own - {case[0] for case in CASES} - AT_CALLS == set()
