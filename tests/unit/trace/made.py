"""Events of a paper machine for the tests of traces: what would be on the pipes, written down by hand."""

from ptopro.simulator.machine import Event, Report


def event(pipe, operation, start, end, **other):
    """An event; ready and issued default to its start, the cause to the queue."""
    known = {
        "block": 0, "core": "vector 0", "file": "kernel.py", "line": 1, "ready": start, "issued": 0.0, "cause": "queue",
        "cause_event": None, "id": 0, "other_pipe": "S", "group": 0,
    }  # fmt: skip
    return Event(pipe=pipe, operation=operation, start=start, end=end, **{**known, **other})


def report(events):
    busy = {}
    return Report("ok", max((e.end for e in events), default=0.0), busy, len(events), 0, 0.0, events=tuple(events))


def load_add_store():
    """Two loads in flight together, an addition that waits for both, a store that waits for it."""
    return [
        event("MTE2", "TLOAD", 10, 110, line=1, cause="issue", ready=0.0, issued=10.0),  # 0: busy until 60
        event("MTE2", "TLOAD", 60, 160, line=2, cause_event=0, ready=60.0),  # 1: busy until 110
        event("MTE2", "set_flag", 110, 160, line=2, cause="completion", cause_event=1),  # 2
        event("V", "wait_flag", 0, 170, line=3, cause="flag", cause_event=2, ready=0.0),  # 3
        event("V", "TADD", 170, 200, line=3, cause_event=3),  # 4
        event("V", "set_flag", 200, 200, line=3, cause_event=4),  # 5
        event("MTE3", "wait_flag", 0, 210, line=4, cause="flag", cause_event=5, ready=0.0),  # 6
        event("MTE3", "TSTORE", 210, 300, line=4, cause_event=6),  # 7
    ]
