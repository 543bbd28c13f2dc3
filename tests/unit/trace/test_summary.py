"""Busy shares, bound, waits and the critical path of events written down by hand."""

import pytest
from made import event, load_add_store, report

from ptopro.trace.critical import critical_path, shares
from ptopro.trace.events import Row
from ptopro.trace.summary import summarise


def test_busy_counts_the_pipe_not_the_flight():
    summary = summarise(report(load_add_store()))
    busy = {each.row.pipe: each.cycles for each in summary.busy}
    assert busy == {"MTE2": 100, "MTE3": 90, "V": 30}
    assert (summary.cycles, summary.bound, summary.busiest) == (300, 100, Row(0, "vector 0", "MTE2"))
    assert summary.ratio == 3


def test_waits_name_the_work_that_was_waited_for():
    first, second = summarise(report(load_add_store())).waits
    assert (first.line, first.pipe, first.cycles, first.source) == (4, "MTE3", 210, "vector 0, V, line 3, TADD")
    assert (second.line, second.cause, second.source) == (3, "flag", "vector 0, MTE2, line 2, TLOAD")


def test_the_critical_path_adds_up_to_the_launch():
    path = critical_path(load_add_store())
    assert [(step.event, step.cycles) for step in path] == [
        (0, 10),
        (0, 50),
        (1, 100),
        (3, 10),
        (4, 30),
        (6, 10),
        (7, 90),
    ]
    assert sum(step.cycles for step in path) == 300


def test_shares_of_the_critical_path():
    events = load_add_store()
    found = shares(events, critical_path(events))
    assert [(s.line, s.what, s.cycles) for s in found[:3]] == [(2, "TLOAD", 100), (4, "TSTORE", 90), (1, "TLOAD", 50)]
    assert sum(s.share for s in found) == pytest.approx(1)


def test_the_path_goes_through_the_block_before_on_the_same_cores():
    events = [
        event("V", "TADD", 0, 100, block=0, line=1),
        event("V", "TADD", 120, 200, block=4, line=2, cause="issue", issued=120.0, ready=100.0),
        event("V", "TADD", 0, 90, block=1, group=1, line=3),
    ]
    path = critical_path(events)
    assert [(step.event, step.cycles) for step in path] == [(0, 100), (1, 20), (1, 80)]


def test_a_path_ends_even_where_causes_form_a_circle():
    events = [event("V", "TADD", 5, 9, cause_event=1), event("M", "TMATMUL", 5, 5, cause_event=0, core="cube")]
    assert sum(step.cycles for step in critical_path(events)) == 9


def test_steady_state():
    events = [event("V", "TADD", 10 * i, 10 * i + 5, ready=10 * i, cause_event=i - 1 if i else None) for i in range(16)]
    stalls = [event("V", "wait_flag", 0, 0)]
    summary = summarise(report([*events, *stalls]))
    assert summary.steady == pytest.approx(1)
    assert summarise(report(events[:2])).steady is None


def test_nothing_ran():
    summary = summarise(report([]))
    assert (summary.bound, summary.busiest, summary.ratio, summary.path) == (0, None, None, ())
