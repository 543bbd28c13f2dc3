"""The structs of include/ptopro/launch.hpp for ctypes; `sizes` is compared with what a library was built with."""

from __future__ import annotations

import ctypes
from ctypes import (
    POINTER,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)

PIPES = ("S", "MTE1", "MTE2", "MTE3", "V", "M", "FIX")
CODES = (
    "ok",
    "deadlock",
    "out_of_bounds",
    "trap",
    "sync_fault",
    "watchdog",
    "internal",
    "queue_full",
    "memory_fault",
    "interrupted",
    "race",
    "leak",
    "undefined",
    "block_overlap",
    "loop_limit",
)
CHIPS = ("a5", "a3")
MODES = ("pipelined", "serial")
SCHEDULES = ("fixed", "random", "slow")
VISIBILITIES = ("eager", "late")
CHECKS = {"races": 1, "leaks": 2, "undefined": 4, "blocks": 8}
TRACE = 256
DIGEST = 512
CAUSES = ("queue", "issue", "flag", "lock", "cross_core", "unit_flag", "completion", "all_cores")
CORES = ("cube", "vector 0", "vector 1")

_COSTS = (
    "cores",
    "gm_to_l1",
    "gm_to_ub",
    "ub_to_gm",
    "l0c_to_gm",
    "l1_to_l0a",
    "l1_to_l0b",
    "l1_to_ub",
    "l0c_to_ub",
    "l0c_to_l1",
    "ub_to_l1",
    "ub_to_ub",
    "cube_m",
    "cube_k_bytes",
    "cube_n",
    "vector_bytes",
    "vector_start",
    "vector_register",
    "transcendental",
    "reduce",
    "mte1",
    "mte2",
    "mte3",
    "fix",
    "m",
    "flag",
    "mutex",
    "cross_core",
    "issue",
    "scalar_access",
)


class Tensor(ctypes.Structure):
    _fields_ = (
        ("base", c_void_p),
        ("bytes", c_uint64),
        ("name", c_char_p),
        ("writable", c_int32),
        ("reserved", c_int32),
    )


class Costs(ctypes.Structure):
    _fields_ = (("struct_size", c_uint64), *((name, c_double) for name in _COSTS))


class Launch(ctypes.Structure):
    _fields_ = (
        ("struct_size", c_uint64),
        ("block_dim", c_int32),
        ("chip", c_int32),
        ("mode", c_int32),
        ("schedule", c_int32),
        ("seed", c_uint64),
        ("visibility", c_int32),
        ("threads", c_int32),
        ("checks", c_uint32),
        ("tensor_count", c_uint32),
        ("watchdog_seconds", c_double),
        ("tensors", POINTER(Tensor)),
        ("costs", POINTER(Costs)),
        ("block_limit", c_uint64),
    )


class TraceEvent(ctypes.Structure):
    _fields_ = (
        ("ready", c_double),
        ("issued", c_double),
        ("start", c_double),
        ("end", c_double),
        ("from_event", c_int64),
        ("file", c_char_p),
        ("line", c_uint32),
        ("block", c_int32),
        ("id", c_int32),
        ("group", c_int32),
        ("opcode", c_uint16),
        ("core", c_uint8),
        ("pipe", c_uint8),
        ("other", c_uint8),
        ("cause", c_uint8),
        ("reserved", c_uint16),
        ("digest", c_uint64),
    )


class Report(ctypes.Structure):
    _fields_ = (
        ("struct_size", c_uint64),
        ("code", c_int32),
        ("findings", c_int32),
        ("cycles", c_double),
        ("busy", c_double * len(PIPES)),
        ("instructions", c_uint64),
        ("syncs", c_uint64),
        ("seconds", c_double),
        ("text", c_void_p),
        ("text_capacity", c_uint64),
        ("text_length", c_uint64),
        ("core_busy", c_double * len(PIPES) * len(CORES)),
        ("events", POINTER(TraceEvent)),
        ("event_count", c_uint64),
        ("events_dropped", c_uint64),
    )


def sizes() -> tuple[int, ...]:
    """Sizes of launch, report, tensor, costs and trace event, in the order of `ptopro_sim_sizes`."""
    return tuple(ctypes.sizeof(struct) for struct in (Launch, Report, Tensor, Costs, TraceEvent))
