"""trace.json against the rules of the Chrome trace format, and the two pictures."""

import itertools
import json
import re
import xml.etree.ElementTree as ET
from collections import defaultdict

import pytest
from made import event, load_add_store

from ptopro.trace.chrome import chrome_trace
from ptopro.trace.html import timeline_html
from ptopro.trace.svg import timeline_svg
from ptopro.trace.timeline import timeline

SVG = "{http://www.w3.org/2000/svg}"


def check_trace(text):
    """The rules of the format that viewers rely on; the entries."""
    data = json.loads(text)
    entries = data["traceEvents"]
    assert data["displayTimeUnit"] in ("ms", "ns")
    threads, flows, named = defaultdict(list), defaultdict(dict), set()
    for entry in entries:
        assert entry["ph"] in ("X", "M", "s", "f") and isinstance(entry["pid"], int) and isinstance(entry["tid"], int)
        if entry["ph"] == "M":
            assert entry["name"] in ("process_name", "process_sort_index", "thread_name", "thread_sort_index")
            assert entry["args"]
            named.add((entry["name"], entry["pid"], entry["tid"]))
            continue
        assert entry["ts"] >= 0 and entry["name"] and entry["cat"]
        if entry["ph"] == "X":
            assert entry["dur"] >= 0
            threads[entry["pid"], entry["tid"]].append((entry["ts"], entry["ts"] + entry["dur"]))
        else:
            assert entry["ph"] not in flows[entry["id"]], "a flow starts and ends once"
            flows[entry["id"]][entry["ph"]] = entry
    for (process, thread), bars in threads.items():
        assert ("process_name", process, 0) in named and ("thread_name", process, thread) in named
        bars.sort()
        for (_, end), (start, _) in itertools.pairwise(bars):
            assert start >= end - 1e-9, "bars of a thread overlap"
    for flow in flows.values():
        assert set(flow) == {"s", "f"} and flow["s"]["ts"] <= flow["f"]["ts"] and flow["f"]["bp"] == "e"
        for entry in flow.values():
            bars = threads[entry["pid"], entry["tid"]]
            assert any(start - 1e-9 <= entry["ts"] <= end + 1e-9 for start, end in bars), "a flow binds to a bar"
    return entries


@pytest.fixture
def found():
    events = load_add_store()
    return events, timeline(events, 300)


def test_transfers_in_flight_together_have_lanes_of_their_own(found):
    _, line = found
    track = next(track for track in line.tracks if track.row.pipe == "MTE2")
    assert track.lanes == 2 and [bar.lane for bar in track.bars] == [0, 1]


def test_arrows_go_from_work_to_work(found):
    _, line = found
    assert [(arrow.source, arrow.target, arrow.cause) for arrow in line.arrows] == [(1, 4, "flag"), (4, 7, "flag")]


def test_chrome_trace(found):
    entries = check_trace(chrome_trace("add", "a5", *found))
    bars = [entry for entry in entries if entry["ph"] == "X"]
    assert [bar["name"] for bar in bars].count("TLOAD") == 2
    assert next(b for b in bars if b["name"] == "TSTORE")["dur"] == pytest.approx(90 / 1650)
    names = {entry["args"]["name"] for entry in entries if entry["name"].endswith("_name")}
    assert {"core 0: vector 0", "MTE2", "MTE2 (in flight 2)", "V", "MTE3"} == names


def test_chrome_trace_of_several_cores():
    events = [
        event("M", "TMATMUL", 0, 10, core="cube"),
        event("M", "set_intra_block", 10, 10, core="cube", cause_event=0),
        event("V", "wait_intra_block", 0, 130, core="vector 1", cause="cross_core", cause_event=1),
        event("V", "TADD", 130, 140, core="vector 1", cause_event=2),
        event("V", "TADD", 0, 7, group=1, block=1),
    ]
    entries = check_trace(chrome_trace("k", "a3", events, timeline(events, 140)))
    assert len({entry["pid"] for entry in entries}) == 3
    assert sum(entry["ph"] == "s" for entry in entries) == 1


def test_svg(found):
    text = timeline_svg("add on a5", *found)
    titles = [each.text for each in ET.fromstring(text).iter(f"{SVG}title")]
    assert len(titles) == 6 and "TSTORE, kernel.py:4, block 0, 90 cycles from 210" in titles
    assert not re.search(r"(href|src)=", text)


def test_html_is_self_contained(found):
    text = timeline_html("a < b", *found, report="x </script> & y")
    assert "a &lt; b" in text and "x &lt;/script&gt; &amp; y" in text
    assert not re.search(r"https?://|<link|src=", text)
    data = json.loads(re.search(r"^const data = (.*);$", text, re.M).group(1).replace("<\\/", "</"))
    assert [track["pipe"] for track in data["tracks"]] == ["MTE2", "MTE3", "V"]
    assert text.count("</script>") == 1
