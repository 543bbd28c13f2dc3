"""The text of an expanded pipeline: what stays to the byte, where generated lines go, what runs again unchanged."""

from __future__ import annotations

import ast
import difflib
import textwrap

import pytest
from pipeline_kernels import FOUR, PUT_TAKE, expand, expanded, four, lower, put_take, refused

from ptopro.diagnostics import Sink
from ptopro.expand.driver import expand_file
from ptopro.expand.model import ExpandOptions

LOOP = "for i in pl.range(0, n):\n"
PUT = "    with pl.section_vector():\n        put(i, src, sh, ub)\n"
TAKE = "    with pl.section_cube():\n        take(i, sh, lg, ag, dst)\n"


def added(text: str, preload: int | None = None) -> list[str]:
    """The lines that expand adds or changes."""
    before, after = text.split("\n"), expanded(text, preload).text.split("\n")
    return [line[2:] for line in difflib.ndiff(before, after) if line.startswith("+ ")]


def test_untouched_lines_stay_in_order() -> None:
    text = put_take()
    result = expanded(text).text.split("\n")
    kept = [line for line in text.split("\n") if "pipeline=" not in line]
    at = 0
    for line in result:
        if at < len(kept) and line == kept[at]:
            at += 1
    assert at == len(kept)


def test_every_generated_line_says_why() -> None:
    for line in added(four(), 2):
        code = line.strip()
        if (
            not code
            or code.startswith(("with pl.section_", "@pl.jit"))
            or "(_pl_ring" in code
            or "_pl_beat - 2, dst" in code
        ):
            continue
        assert "  # " in line, line


@pytest.mark.parametrize("preload", [0, 1, 2])
def test_the_output_expands_to_itself(preload: int) -> None:
    for text in (put_take(), four()):
        sink = Sink()
        options = ExpandOptions(preload=preload)
        first = expand_file("k.py", text, ["k"], options, sink)[0].text
        assert expand_file("k.py", first, ["k"], ExpandOptions(preload=3), sink)[0].text == first
        assert not sink.has_errors


def test_comments_stay_with_their_statements() -> None:
    """Known fault 30: comments, layout, continued lines (line ends and tabs: the tests below)."""
    body = """
# all rows
for i in pl.range(0, n):
    # the vector core first
    with pl.section_vector():
        # double it
        put(i, src, sh, ub)  # type: ignore
    with pl.section_cube():
        take(
            i,  # the row
            sh, \\
            lg, ag, dst,
        )  # and store
    # end of the loop
# behind it
done = 1
"""
    lines = [line.strip() for line in expanded(put_take(body)).text.split("\n")]
    assert lines[lines.index("# all rows") + 1].startswith("for i in")
    assert lines[lines.index("# double it") + 1].startswith("_pl_mod2 = ")
    assert "put(i, src, sh, ub)  # type: ignore" in lines
    assert "i,  # the row" in lines
    assert lines[lines.index("sh, \\") + 1].endswith("ag, dst,")
    end, behind = lines.index("# end of the loop"), lines.index("# behind it")
    assert lines[end + 1].startswith("with pl.section_vector()")
    assert lines[behind + 1] == "done = 1"


def test_a_delayed_call_over_several_lines() -> None:
    text = four().replace(
        "four(i, yg, hg, tick, dst)", "four(\n                    i, yg,  # y\n                    hg, tick, dst)"
    )
    result = expanded(text, 2).text
    assert " i, yg,  # y" not in result
    assert "_pl_ring[(_pl_task + 1) % 3].i, yg,  # y" in result or "_pl_ring[_pl_mod3].i, yg,  # y" in result
    lower(result)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = four().replace("\n", end)
    sink = Sink()
    result = expand_file("k.py", text, ["k"], ExpandOptions(mutex="auto"), sink)[0].text
    assert result.replace(end, "").count("\n") == result.replace(end, "").count("\r") == 0
    assert result.replace(end, "\n") == expanded(four()).text


def test_tabs() -> None:
    text = four()
    tabbed = "\n".join(
        "\t" * ((len(line) - len(line.lstrip(" "))) // 4) + line.lstrip(" ") for line in text.split("\n")
    )
    result = expanded(tabbed).text
    assert not any(line.startswith(" ") for line in result.split("\n"))
    lower(result)


def test_one_line_sections() -> None:
    body = "for i in pl.range(0, n):\n    with pl.section_vector(): put(i, src, sh, ub)\n    with pl.section_cube(): take(i, sh, lg, ag, dst)\n"
    lower(expanded(put_take(body)).text)
    text = four().replace("with pl.section_vector():\n                four(", "with pl.section_vector(): four(")
    assert "pl.section_vector(): four(" in text
    lower(expanded(text, 2).text)


def test_expressions_keep_their_meaning() -> None:
    """Known fault 29: what replaces a name is put in parentheses where it needs them."""
    for argument, want in (
        ("-(i - 4)", "-((_pl_task - 2) - 4)"),
        ("i * 64", "(_pl_task - 2) * 64"),
        ("i ** 2", "(_pl_task - 2) ** 2"),
        ("64 - i", "64 - (_pl_task - 2)"),
        ("i % 3 + 1", "(_pl_task - 2) % 3 + 1"),
        ("i", "_pl_task - 2"),
    ):
        text = four("for i in pl.range(0, n):\n    {calls slot=i}\n").replace(
            "four(i, yg, hg, i", f"four({argument}, yg, hg, i"
        )
        result = expanded(text, 2).text
        assert f"four({want}, yg" in result
        assert ast.dump(ast.parse(want)) != ""


DECORATORS = {
    "@pl.jit(auto_mutex=True, pipeline=pl.pipeline.PipelineConfig(preload=2))": "@pl.jit(auto_mutex=True)",
    "@pl.jit(pipeline=CFG, auto_mutex=True)": "@pl.jit(auto_mutex=True)",
    "@pl.jit(pipeline=(CFG))": "@pl.jit()",
    "@pl.jit(pipeline=CFG,)": "@pl.jit()",
    "@pl.jit(\n    auto_mutex=True,  # locks\n    pipeline=CFG,  # flags\n)": "@pl.jit(\n    auto_mutex=True,  # flags\n)",
    "@pl.jit(**OPTIONS)": '@pl.jit(**{**OPTIONS, "pipeline": None})',
}


@pytest.mark.parametrize("before", DECORATORS)
def test_the_decorator_loses_its_pipeline(before: str) -> None:
    """Known fault 31."""
    text = put_take()
    old = "@pl.jit(auto_mutex=True, pipeline=pl.pipeline.PipelineConfig(preload=2))"
    assert old in text
    names = "CFG = pl.pipeline.PipelineConfig(preload=2)\nOPTIONS = {'pipeline': CFG}\n\n\ndef same(f):\n    return f\n\n\n@same\n"
    result, diagnostics = expand(text.replace(old, names + before))
    assert result is not None, diagnostics
    head = result.text[result.text.index("@same\n") + 6 : result.text.index("def k(")]
    if "# locks" not in before:
        assert head == DECORATORS[before] + "\n"
    assert "pipeline=" not in head
    again, _ = expand(result.text)
    assert again is not None and again.text == result.text


def test_keyword_only_parameters() -> None:
    text = put_take().replace(", n: pl.DT_INT32", ", *, n: pl.DT_INT32")
    lower(expanded(text).text)


def test_the_line_map_names_the_authors_lines() -> None:
    text = four()
    result = expanded(text, 2)
    lines, mine = result.text.split("\n"), text.split("\n")
    assert len(result.line_map) == result.text.count("\n")
    for number, (file, line) in enumerate(result.line_map):
        assert file == "k.py"
        if "_pl_" not in lines[number] and "cross_core" not in lines[number] and "@pl.jit" not in lines[number]:
            assert lines[number].strip() in mine[line - 1] or "pl.section" in lines[number]


def test_notes_of_the_second_pass_point_to_the_authors_text() -> None:
    tiles = "over = pl.make_tile_group(type=VEC, addrs=0x0000, mutex_ids=[8, 9])\n"
    stages = PUT_TAKE.replace("t = ub.next()", "t = ub.next()\n    o = over.next()\n    pl.muls(o, o, 2.0)")
    stages = stages.replace("def put(i, src, sh, ub)", "def put(i, src, sh, ub, over)")
    text = put_take(LOOP + PUT.replace("sh, ub)", "sh, ub, over)") + TAKE, stages=stages, before=tiles)
    sink = Sink()
    found = expand_file("k.py", text, ["k"], ExpandOptions(), sink)
    assert found
    (note,) = (d for d in sink.diagnostics if d.code == "PTO1501")
    assert note.span is not None
    assert "over = " in text.split("\n")[note.span.line - 1]


def test_a_flag_is_left_out_where_others_imply_it() -> None:
    result = expanded(four(), 1)
    assert result.pipelines[0].redundant
    for channel in result.pipelines[0].redundant:
        name = result.pipelines[0].plan.buffers[channel.buffer].name
        assert f"{channel.direction}: {name}" not in result.text


def test_nothing_travels_that_need_not() -> None:
    text = expanded(four("for i in pl.range(0, n):\n    {calls slot=i}\n"), 2).text
    assert "struct_array" not in text  # the task's number is enough
    serial = expanded(four(), 0).text
    assert "struct_array" not in serial
    assert "_pl_drain" not in serial
    assert "if _pl_task" not in serial


def test_a_beat_costs_few_scalar_operations() -> None:
    for preload in (0, 1, 2):
        costs = expanded(four(), preload).pipelines[0].operations
        assert all(0 < cost < 40 for cost in costs.values())


def test_collisions_with_generated_names() -> None:
    refused(put_take("_pl_mod2 = 1\n" + LOOP + PUT + TAKE), "PTO1506", "_pl_mod2")


def test_explain() -> None:
    from ptopro.expand.pipeline_explain import explain

    text = explain(expanded(four(), 2).pipelines)
    assert "2     s0 t2, s2 t0  s1 t2, s3 t0" in text
    assert "n+1   s2 tn-1       s3 tn-1" in text
    assert "two (V)" in text and "left out" in text
    assert textwrap.dedent("0x10000") in text
    assert "scalar operations that a beat costs" in text
    assert FOUR
