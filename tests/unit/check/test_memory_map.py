"""The map of the on-chip memories: ranges, overlaps, free space, in text and as SVG."""

import xml.etree.ElementTree as ET

from kernels import vector

from ptopro.check.memory_map import memory_map
from ptopro.check.memory_svg import memory_svg
from ptopro.check.memory_text import memory_text
from ptopro.check.tile_names import with_tile_names
from ptopro.diagnostics import make


def only(**changes):
    (memory,) = memory_map(vector(**changes).lowered).memories
    return memory


def test_ranges_and_ids():
    memory = only()
    assert [(slot.name, slot.start, slot.end, slot.ids) for slot in memory.slots] == [
        ("ub[0]", 0, 2048, (0,)),
        ("ub[1]", 2048, 4096, (1,)),
        ("other", 4096, 6144, (2,)),
    ]
    assert (memory.core, memory.name, memory.capacity, memory.used) == ("vector core", "Vec", 253952, 6144)
    assert memory.gaps() == [(6144, 253952)] and memory.overlaps() == []


def test_a_gap_in_the_middle():
    assert only(at=8192).gaps() == [(4096, 8192), (10240, 253952)]


def test_an_overlap_of_different_ids():
    memory = only(at=1024)
    found = [(each.first.name, each.second.name, each.start, each.end, each.intended) for each in memory.overlaps()]
    assert found == [("ub[0]", "other", 1024, 2048, False), ("other", "ub[1]", 2048, 3072, False)]
    assert memory.used == 4096


def test_views_of_one_buffer_are_intended():
    assert [each.intended for each in only(at=0, id=0).overlaps()] == [True]


def test_text():
    text = memory_text(memory_map(vector(at=1024).lowered))
    assert text.isascii() and "\x1b" not in text
    assert "6 KiB" not in text and "vector core, Vec: 4 KiB of 248 KiB used (2%), 244 KiB free" in text
    assert "OVERLAP ub[0] and other: 0x000400..0x000800, different lock ids" in text
    assert "\x1b" in memory_text(memory_map(vector(at=1024).lowered), color=True)


def test_svg_has_a_box_for_every_slot():
    svg = ET.fromstring(memory_svg(memory_map(vector().lowered)))
    titles = [each.text for each in svg.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 3 and titles[2].startswith("other: bytes 0x1000 to 0x1800 (2048), FP32 8x64 ND, lock ids 2")


def test_tiles_are_named_in_findings():
    found = make("PTO1830", None, kernel="double", detail="V reads Vec bytes [0x800, 0x1000)")
    (named,) = with_tile_names([found], memory_map(vector().lowered))
    assert named.notes == ("Vec bytes [0x800, 0x1000) are ub[1]",)
