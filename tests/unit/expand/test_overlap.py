"""Lock ids by memory: overlapping slots of a core end with an id in common, and no more ids than needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptopro.diagnostics import Diagnostic, Sink, Span
from ptopro.expand.mutex_overlap import IdTable, ids_literal, merge_ids
from ptopro.language.dtypes import FP32
from ptopro.language.enums import MemorySpace
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir

SPEC = TileSpec((8, 8), FP32, MemorySpace.Vec)
NONE: tuple[int, ...] = ()


def group(name: str, addrs: Sequence[int], ids: Sequence[int | Sequence[int]], size: int = 256) -> ir.GroupDecl:
    per_slot = tuple((i,) if isinstance(i, int) else tuple(i) for i in ids)
    line = sum(map(ord, name))
    return ir.GroupDecl(name, SPEC, tuple(addrs), per_slot, call=Span("k.py", line, 1, line, 9), size=size)


def tile(name: str, addr: int, ids: Sequence[int] = (), size: int = 256) -> ir.TileDecl:
    line = sum(map(ord, name))
    return ir.TileDecl(name, SPEC, addr, tuple(ids), call=Span("k.py", line, 1, line, 9), size=size)


class Merged:
    """Merge the ids of some declarations; `cores`: which cores touch a declaration (default: vector)."""

    def __init__(
        self,
        *declarations: ir.Origin,
        cores: dict[str, str] | None = None,
        meets: Iterable[frozenset[ir.Origin]] = (),
        written: dict[str, set[int]] | None = None,
    ) -> None:
        self.table = IdTable()
        self.sink = Sink()
        for declaration in declarations:
            for core in (cores or {}).get(declaration.name, "vector").split():
                self.table.add(declaration, core)
        self.notes: list[Diagnostic] = merge_ids(self.table, meets, written or {}, self.sink)
        self.ids = {d.name: self.table.final(d) for d in self.table.declarations}
        self.texts = {d.name: ids_literal(d, self.table.final(d)) for d in self.table.declarations}


def test_tiles_apart_keep_their_ids() -> None:
    merged = Merged(group("a", [0, 256], [0, 1]), group("b", [512, 768], [2, 3]), tile("c", 1024))
    assert merged.ids == {"a": ((0,), (1,)), "b": ((2,), (3,)), "c": ((),)}
    assert merged.notes == []


def test_identical_ranges_share_the_lowest_id() -> None:
    merged = Merged(group("a", [0, 256], [4, 5]), group("c", [0, 256], [0, 1]))
    assert merged.texts == {"a": "[0, 1]", "c": "[0, 1]"}
    assert [note.code for note in merged.notes] == ["PTO1501"]
    assert "a and c overlap at 0x0000..0x01ff of Vec but share no mutex id" in merged.notes[0].message


def test_common_ids_need_no_note() -> None:
    merged = Merged(group("a", [0, 256], [0, 1]), group("c", [0, 256], [0, 1]))
    assert merged.texts == {"a": "[0, 1]", "c": "[0, 1]"}
    assert merged.notes == []


def test_a_large_tile_over_two_slots_takes_both_ids() -> None:
    merged = Merged(group("a", [0, 256], [0, 1]), group("big", [0], [7], size=512))
    assert merged.texts == {"a": "[0, 1]", "big": "[(0, 1)]"}


def test_a_plain_tile_takes_the_ids_of_the_slot_it_overlaps() -> None:
    merged = Merged(group("a", [0, 256], [0, 1]), tile("p", 256))
    assert merged.texts == {"a": "[0, 1]", "p": "[1]"}


def test_plain_tiles_alone_stay_without_ids() -> None:
    merged = Merged(tile("p", 0), tile("q", 0), group("a", [512], [3]))
    assert merged.ids == {"p": ((),), "q": ((),), "a": ((3,),)}


def test_an_id_that_others_hold_too_is_kept() -> None:
    merged = Merged(group("a", [0], [0]), group("c", [0], [4]), group("e", [512], [4]))
    assert set(merged.ids["c"][0]) == {0, 4}
    assert merged.ids["e"] == ((4,),)


def test_overlap_across_cores_does_not_matter() -> None:
    merged = Merged(group("a", [0], [0]), group("c", [0], [4]), cores={"a": "cube", "c": "vector"})
    assert merged.ids == {"a": ((0,),), "c": ((4,),)}
    assert merged.notes == []


def test_memories_are_apart() -> None:
    left = ir.GroupDecl("l", TileSpec((8, 8), FP32, MemorySpace.Left), (0,), ((1,),), size=256)
    merged = Merged(group("a", [0], [0]), left)
    assert merged.ids == {"a": ((0,),), "l": ((1,),)}


def test_partial_overlap_of_one_slot_keeps_the_id_count_of_the_group() -> None:
    merged = Merged(group("a", [0, 512], [0, 1], size=512), group("w", [256, 2048], [4, 5], size=256))
    assert set(merged.ids["a"][0]) & set(merged.ids["w"][0])
    assert not set(merged.ids["a"][1]) & set(merged.ids["w"][1])
    assert len({len(ids) for ids in merged.ids["w"]}) == 1


def test_tiles_of_one_variable_get_equally_many_ids() -> None:
    a, big = group("a", [0, 256], [0, 1]), group("big", [0], [7], size=512)
    b = group("b", [1024, 1280], [2, 3])
    merged = Merged(a, big, b, meets=[frozenset((big, b))])
    assert {len(ids) for name in ("big", "b") for ids in merged.ids[name]} == {2}
    assert not set(merged.ids["b"][0]) & set(merged.ids["b"][1])


def test_automatic_ids_are_free_ones() -> None:
    merged = Merged(
        group("a", [0, 256], [0, 3]), group("g", [512, 768], [ir.AUTO_ID, ir.AUTO_ID]), written={"vector": {1}}
    )
    assert merged.texts["g"] == "[2, 4]"
    assert merged.notes == []


def test_automatic_ids_over_the_same_bytes_are_the_same() -> None:
    merged = Merged(group("a", [0, 256], [6, 7]), group("g", [0, 256], [ir.AUTO_ID, ir.AUTO_ID]))
    assert merged.texts["g"] == "[6, 7]"


def test_running_out_of_ids_lists_the_users() -> None:
    full = group("full", [i * 256 for i in range(32)], list(range(32)))
    merged = Merged(full, group("g", [16384], [ir.AUTO_ID]))
    assert [d.code for d in merged.sink.diagnostics] == ["PTO1502"]
    assert "full" in merged.sink.diagnostics[0].message


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(0, 12), min_size=1, max_size=3),
            st.integers(1, 4),
            st.booleans(),
            st.sampled_from(["vector", "cube", "cube vector"]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.data(),
)
def test_overlapping_slots_always_end_with_a_common_id(
    shapes: list[tuple[list[int], int, bool, str]], data: st.DataObject
) -> None:
    declarations = []
    cores = {}
    for number, (starts, size, with_ids, core) in enumerate(shapes):
        count = len(starts)
        ids = data.draw(st.lists(st.integers(0, 31), min_size=count, max_size=count)) if with_ids else [NONE] * count
        declarations.append(group(f"g{number}", [s * 64 for s in starts], ids, size * 64))
        cores[f"g{number}"] = core
    before = {d.name: d.ids for d in declarations}
    merged = Merged(*declarations, cores=cores)
    slots = [
        (d, slot, d.bytes_of(slot), set(merged.table.final(d)[slot]))
        for d in merged.table.declarations
        for slot in range(d.depth)
    ]
    for d, _slot, _, ids in slots:
        assert len(ids) == len(merged.table.final(d)[0]), "all slots of a group have equally many ids, none twice"
        assert all(0 <= number < 32 for number in ids)
    for (d, i, one, ids), (e, j, two, others) in combinations(slots, 2):
        had_ids = before[d.name][i] or before[e.name][j]
        if d.cores & e.cores and one[0] < two[1] and two[0] < one[1] and had_ids:
            assert ids & others
    for d in merged.table.declarations:
        if not any(before[d.name]) and not any(
            e.cores & d.cores and any(before[e.name]) and e is not d for e in merged.table.declarations
        ):
            assert not any(merged.table.final(d)), "nothing to overlap with: no ids appear"


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_second_merge_changes_nothing(depth: int) -> None:
    first = Merged(
        group("a", [256 * i for i in range(depth)], list(range(depth))),
        group("big", [0], [9], size=256 * depth),
        tile("p", 128),
    )
    again = Merged(
        group("a", [256 * i for i in range(depth)], first.ids["a"]),
        group("big", [0], first.ids["big"], size=256 * depth),
        tile("p", 128, first.ids["p"][0]),
    )
    assert again.ids == first.ids
    assert again.notes == []
