"""PTO1350 to 1399: declarations of tiles and tile groups."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1350",
        title="group without a number of slots",
        message="how many tiles the group has is not said",
        explain="The number of slots is depth=, else the number of entries of mutex_ids= or of the list of addresses.",
        wrong="a = pl.make_tile_group(type=T, addrs=0)",
        right="a = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1])",
        help="give mutex_ids= or depth=",
        primary="no depth",
    ),
    Entry(
        code="PTO1351",
        title="addresses and slots",
        message="{addresses} addresses for {depth} slots",
        explain="A list of addresses has one for each slot; a single address lays the slots end to end.",
        wrong="addrs=[0, 0x4000, 0x8000], mutex_ids=[0, 1]",
        right="addrs=[0, 0x4000], mutex_ids=[0, 1]",
        primary="{depth} needed",
    ),
    Entry(
        code="PTO1352",
        title="depth",
        message="a group needs at least one slot, not {depth}",
        explain="depth= is the number of tiles in the group.",
        wrong="depth=0",
        right="depth=2",
        primary="too few",
    ),
    Entry(
        code="PTO1353",
        title="ids and depth",
        message="mutex_ids has {ids} entries, but depth is {depth}",
        explain="Every slot has its own entry of mutex_ids.",
        wrong="mutex_ids=[0, 1], depth=3",
        right="mutex_ids=[0, 1, 2], depth=3",
        help="leave depth= out",
        primary="{ids} entries",
    ),
    Entry(
        code="PTO1354",
        title="mutex ids",
        message="mutex_ids does not fit: {problem}",
        explain=(
            "One entry for each slot: an id from 0 to 31, or a list of ids, of the same length for every slot. Ids "
            "are known at compile time."
        ),
        wrong="mutex_ids=[0, 32]",
        right="mutex_ids=[0, 31]",
        primary="{problem}",
    ),
    Entry(
        code="PTO1355",
        title="cross-core events",
        message="fwd_ids and bwd_ids are lists of event ids from 0 to {high}",
        explain="They name the cross-core flags of a pipeline's buffer, one for each slot or one for all.",
        wrong="fwd_ids=[16]",
        right="fwd_ids=[0, 1]",
        primary="not a list of event ids",
    ),
    Entry(
        code="PTO1356",
        title="number of cross-core events",
        message="{given} event ids for {depth} slots",
        explain="fwd_ids and bwd_ids have one id for each slot, or one for all.",
        wrong="mutex_ids=[0, 1, 2], fwd_ids=[0, 1]",
        right="mutex_ids=[0, 1, 2], fwd_ids=[0, 1, 2]",
        primary="1 or {depth} needed",
    ),
    Entry(
        code="PTO1357",
        title="slot out of range",
        message="group '{name}' has no slot {index}: slots are 0 to {depth} - 1",
        explain="group[i] takes the number of a slot as it is; it is not wrapped and not negative.",
        wrong="a[2]  # two slots",
        right="a[1]",
        help="use % for a number that runs on",
        primary="no such slot",
    ),
)
