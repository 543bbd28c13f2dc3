"""Conversions of lanes against numpy and against exact arithmetic: rounding, saturation, parts, masks."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from registers import BYTES, INTEGERS, TYPES, Program, State, numbers

PROGRAM = Program()


@pytest.fixture(scope="module", autouse=True)
def compiled(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.cache is not None
    PROGRAM.compile(pytestconfig.cache.mkdir("simulator"))


def size(T: str) -> int:
    return np.dtype(TYPES[T]).itemsize


def whole(exact: Fraction, rounding: str) -> int:
    below = math.floor(exact)
    if exact == below:
        return below
    nearer = below if exact - below < Fraction(1, 2) else below + 1
    tie = exact - below == Fraction(1, 2)
    return {
        "ROUND_R": below + below % 2 if tie else nearer,
        "ROUND_A": (below + 1 if exact > 0 else below) if tie else nearer,
        "ROUND_F": below,
        "ROUND_C": below + 1,
        "ROUND_Z": below if exact > 0 else below + 1,
    }[rounding]


def as_integer(value: float, T: str, rounding: str, saturate: bool) -> int:
    limits = np.iinfo(TYPES[T])
    if value != value:
        return 0
    if math.isinf(value):
        return limits.max if value > 0 else limits.min
    number = whole(Fraction(float(value)), rounding)
    if saturate:
        return min(max(number, limits.min), limits.max)
    bits = 8 * size(T)
    number %= 1 << bits
    return number - (1 << bits) if limits.min < 0 and number >> (bits - 1) else number


def run(text: str, S: str, D: str, x: np.ndarray, active: np.ndarray) -> np.ndarray:
    state = State()
    state.lanes(1, S)[:] = x
    state.registers[:BYTES] = 0xAB
    state.set_mask(0, active, size(S))
    PROGRAM.run(text, state)
    return state.lanes(0, D).copy()


def placed(values: np.ndarray, active: np.ndarray, S: str, D: str, part: int) -> tuple[np.ndarray, np.ndarray]:
    """Where results of these source lanes go: (expected lanes, which of them are results)."""
    expected = np.zeros(BYTES // size(D), TYPES[D])
    chosen = np.zeros(expected.size, bool)
    if size(D) > size(S):
        ratio = size(D) // size(S)
        expected[:], chosen[:] = values[part::ratio], active[part::ratio]
    else:
        ratio = size(S) // size(D)
        expected[part::ratio], chosen[part::ratio] = values, active
    return np.where(chosen, expected, np.zeros_like(expected)), chosen


def equal(found: np.ndarray, expected: np.ndarray) -> None:
    same = (found == expected) | ((found != found) & (expected != expected))
    assert same.all(), (np.flatnonzero(~same)[:5], found[~same][:5], expected[~same][:5])


ROUNDINGS = ("ROUND_R", "ROUND_A", "ROUND_F", "ROUND_C", "ROUND_Z")
PARTS = ("PART_EVEN", "PART_ODD")


def edges(S: str, seed: int) -> np.ndarray:
    """Floats around ties, ends of integer ranges, infinities and NaN."""
    rng = np.random.default_rng(seed)
    special = [
        0.5,
        1.5,
        2.5,
        -0.5,
        -1.5,
        -2.5,
        127.5,
        128.5,
        -128.5,
        255.5,
        32767.5,
        65535.5,
        -32768.5,
        6e4,
        np.inf,
        -np.inf,
        np.nan,
        -0.0,
    ]
    if S == "float":
        special += [2.0**31, -(2.0**31), 2.0**32, 3e9, 2.0**40 + 2**20, -1e10, 2.0**63, 1e25]
    values = (rng.standard_normal(BYTES // size(S)) * 300).astype(TYPES[S])
    with np.errstate(over="ignore"):
        values[: len(special)] = np.array(special, np.float64).astype(TYPES[S])
    return values


def float_to_int() -> list:
    table = []
    for rounding in ROUNDINGS:
        for saturate in ("RS_ENABLE", "RS_DISABLE"):
            for S, D in (("float", "int32_t"), ("float", "uint32_t"), ("half", "int16_t"), ("half", "uint16_t")):
                table.append((S, D, rounding, saturate, 0, f"{rounding}, {saturate}"))
            for S, D in (("half", "int8_t"), ("half", "uint8_t"), ("float", "int16_t")):
                table += [(S, D, rounding, saturate, p, f"{rounding}, {saturate}, {PARTS[p]}") for p in (0, 1)]
        for S, D in (("half", "int32_t"), ("half", "uint32_t"), ("bfloat16_t", "int32_t"), ("float", "int64_t")):
            table += [(S, D, rounding, "RS_DISABLE", p, f"{rounding}, {PARTS[p]}") for p in (0, 1)]
    return [
        (S, D, r, s, p, PROGRAM.add(f"vcvt(R(0, {D}), R(1, {S}), M(0), {words}, MODE_ZEROING)"))
        for S, D, r, s, p, words in table
    ]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("S", "D", "rounding", "saturate", "part", "text"), float_to_int())
def test_floats_to_integers(S: str, D: str, rounding: str, saturate: str, part: int, text: str) -> None:
    x = edges(S, 1)
    active = np.random.default_rng(2).random(x.size) < 0.8
    values = np.array([as_integer(v, D, rounding, saturate == "RS_ENABLE") for v in x.astype(np.float64)], dtype=object)
    expected, _ = placed(values.astype(TYPES[D]), active, S, D, part)
    equal(run(text, S, D, x, active), expected)


def int_to_int() -> list:
    table = []
    for saturate in ("RS_ENABLE", "RS_DISABLE"):
        for S, D in (("int32_t", "int16_t"), ("int32_t", "uint16_t"), ("uint32_t", "int16_t"), ("uint32_t", "uint16_t"), ("int16_t", "int8_t"),
                     ("int16_t", "uint8_t"), ("uint16_t", "int8_t"), ("uint16_t", "uint8_t"), ("int64_t", "int32_t"), ("int64_t", "uint32_t")):  # fmt: skip
            table += [(S, D, saturate, p, f"{saturate}, {PARTS[p]}") for p in (0, 1)]
        for S, D in (("int32_t", "int8_t"), ("int32_t", "uint8_t"), ("uint32_t", "uint8_t")):
            table += [(S, D, saturate, p, f"{saturate}, PART_P{p}") for p in range(4)]
    for S, D in (
        ("uint16_t", "uint32_t"),
        ("int16_t", "int32_t"),
        ("int8_t", "int16_t"),
        ("uint8_t", "uint16_t"),
        ("int32_t", "int64_t"),
        ("uint32_t", "int64_t"),
    ):
        table += [(S, D, "RS_DISABLE", p, PARTS[p]) for p in (0, 1)]
    return [
        (S, D, s, p, PROGRAM.add(f"vcvt(R(0, {D}), R(1, {S}), M(0), {words}, MODE_ZEROING)"))
        for S, D, s, p, words in table
    ]


@pytest.mark.parametrize(("S", "D", "saturate", "part", "text"), int_to_int())
def test_integers_to_integers(S: str, D: str, saturate: str, part: int, text: str) -> None:
    x = numbers(np.random.default_rng(3), S, BYTES // size(S))
    x[::3] = numbers(np.random.default_rng(4), S, x[::3].size, small=True)
    active = np.random.default_rng(2).random(x.size) < 0.8
    limits = np.iinfo(TYPES[D])
    values = (
        np.clip(x.astype(object), limits.min, limits.max).astype(TYPES[D])
        if saturate == "RS_ENABLE"
        else x.astype(TYPES[D])
    )
    expected, _ = placed(values, active, S, D, part)
    equal(run(text, S, D, x, active), expected)


def rounded_float(value: int, digits: int, rounding: str) -> float:
    """An integer with so many binary digits."""
    exponent = max(abs(value).bit_length() - digits, 0)
    return math.ldexp(whole(Fraction(value, 1 << exponent), rounding), exponent)


def int_to_float() -> list:
    table = []
    for rounding in ROUNDINGS:
        table += [(S, "float", rounding, 0, rounding) for S in ("int32_t", "uint32_t")]
        table += [(S, "half", rounding, 0, rounding) for S in ("int16_t", "uint16_t")]
        table += [("int64_t", "float", rounding, p, f"{rounding}, {PARTS[p]}") for p in (0, 1)]
    for S, D in (("int8_t", "half"), ("uint8_t", "half"), ("int16_t", "float"), ("uint16_t", "float")):
        table += [(S, D, "ROUND_R", p, PARTS[p]) for p in (0, 1)]
    return [
        (S, D, r, p, PROGRAM.add(f"vcvt(R(0, {D}), R(1, {S}), M(0), {words}, MODE_ZEROING)"))
        for S, D, r, p, words in table
    ]


@pytest.mark.parametrize(("S", "D", "rounding", "part", "text"), int_to_float())
def test_integers_to_floats(S: str, D: str, rounding: str, part: int, text: str) -> None:
    x = numbers(np.random.default_rng(3), S, BYTES // size(S))
    active = np.random.default_rng(2).random(x.size) < 0.8
    digits = {"float": 24, "half": 11}[D]
    largest = {"float": 3.4028234663852886e38, "half": 65504.0}[D]
    values = np.array([min(max(rounded_float(int(v), digits, rounding), -largest), largest) for v in x]).astype(
        TYPES[D]
    )
    expected, _ = placed(values, active, S, D, part)
    equal(run(text, S, D, x, active), expected)


FLOATS = [
    (S, D, part, saturate, PROGRAM.add(f"vcvt(R(0, {D}), R(1, {S}), M(0), {words}, MODE_ZEROING)"))
    for S, D, part, saturate, words in [
        *(("half", "float", p, False, PARTS[p]) for p in (0, 1)),
        *(("bfloat16_t", "float", p, False, PARTS[p]) for p in (0, 1)),
        *(("float8_e4m3_t", "float", p, False, f"PART_P{p}") for p in range(4)),
        *(("float8_e5m2_t", "float", p, False, f"PART_P{p}") for p in range(4)),
        ("half", "bfloat16_t", 0, False, "ROUND_R"),
        ("bfloat16_t", "half", 0, False, "ROUND_R"),
        *(
            ("float", D, p, s, f"ROUND_R, RS_{'ENABLE' if s else 'DISABLE'}, {PARTS[p]}")
            for D in ("half", "bfloat16_t")
            for p in (0, 1)
            for s in (False, True)
        ),
        *(
            ("float", D, p, True, f"ROUND_R, RS_ENABLE, PART_P{p}")
            for D in ("float8_e4m3_t", "float8_e5m2_t")
            for p in range(4)
        ),
    ]
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("S", "D", "part", "saturate", "text"), FLOATS)
def test_floats_to_floats(S: str, D: str, part: int, saturate: bool, text: str) -> None:
    rng = np.random.default_rng(8)
    if size(S) == 1:
        x = np.arange(256, dtype=np.uint8).view(TYPES[S])
    else:
        x = edges(S, 5)
        x[40:] = (rng.standard_normal(x.size - 40) * np.exp2(rng.integers(-20, 20, x.size - 40))).astype(TYPES[S])
    active = rng.random(x.size) < 0.8
    values = x.astype(np.float32).astype(TYPES[D])
    if saturate:
        largest = float(ml_dtypes.finfo(TYPES[D]).max)
        clamped = np.clip(
            np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf), -largest, largest
        )
        values = clamped.astype(np.float32).astype(TYPES[D])
    expected, _ = placed(values, active, S, D, part)
    equal(run(text, S, D, x, active).astype(np.float32), expected.astype(np.float32))


ODD = [PROGRAM.add(f"vcvt(R(0, half), R(1, float), M(0), ROUND_O, RS_DISABLE, {part}, MODE_ZEROING)") for part in PARTS]


def test_rounding_to_odd() -> None:
    x = (np.random.default_rng(8).standard_normal(64) * 100).astype(np.float32)
    found = run(ODD[0], "float", "half", x, np.ones(64, bool))[::2]
    for value, half in zip(x, found, strict=True):
        inexact = float(half) != float(value)
        assert abs(float(half) - float(value)) < float(np.spacing(np.abs(half)))
        assert not inexact or half.view(np.uint16) & 1


TRUNCATE = {
    (T, rounding): PROGRAM.add(f"vtrc(R(0, {T}), R(1, {T}), {rounding}, M(0), MODE_ZEROING)")
    for T in ("half", "bfloat16_t", "float")
    for rounding in ROUNDINGS
}


@pytest.mark.parametrize(("T", "rounding"), TRUNCATE)
def test_whole_numbers_that_stay_floats(T: str, rounding: str) -> None:
    x = edges(T, 6)
    x = np.where(np.isfinite(x.astype(np.float32)), x, np.zeros_like(x)).astype(TYPES[T])
    active = np.random.default_rng(2).random(x.size) < 0.8
    values = np.array([whole(Fraction(float(v)), rounding) for v in x], np.float64).astype(TYPES[T])
    equal(run(TRUNCATE[T, rounding], T, T, x, active), np.where(active, values, np.zeros_like(values)))


SCALED = [PROGRAM.add(f"vmulscvt(R(0, half), R(1, float), 0.1f, M(0), {part})") for part in PARTS]


@pytest.mark.parametrize("part", [0, 1])
def test_products_as_fp16(part: int) -> None:
    x = (np.random.default_rng(8).standard_normal(64) * 100).astype(np.float32)
    active = np.random.default_rng(2).random(64) < 0.8
    expected, _ = placed((x * np.float32(0.1)).astype(np.float16), active, "float", "half", part)
    equal(run(SCALED[part], "float", "half", x, active), expected)


FP4 = {
    (D, part): (
        PROGRAM.add(f"vcvt(R(0, {D}), R(1, bfloat16_t), M(0), ROUND_R, PART_P{part}, MODE_ZEROING)"),
        PROGRAM.add(f"vcvt(R(2, bfloat16_t), R(0, {D}), M(1), PART_P{part}, MODE_ZEROING)"),
    )
    for D in ("float4_e2m1x2_t", "float4_e1m2x2_t")
    for part in range(4)
}


@pytest.mark.parametrize(("D", "part"), FP4)
def test_four_bits(D: str, part: int) -> None:
    there, back = FP4[D, part]
    grid = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6] if D.startswith("float4_e2m1") else np.arange(8) / 4)
    rng = np.random.default_rng(9)
    state = State()
    x = (rng.standard_normal(128) * 2).astype(ml_dtypes.bfloat16)
    state.lanes(1, "bfloat16_t")[:] = x
    state.set_mask(0, np.ones(128, bool), 2)
    state.set_mask(1, np.ones(256, bool), 1)
    PROGRAM.run(there, state)
    assert not state.registers[:BYTES].reshape(64, 4)[:, [k for k in range(4) if k != part]].any()
    PROGRAM.run(back, state)
    found = state.lanes(2, "bfloat16_t").astype(np.float64)
    nearest = np.abs(np.abs(x.astype(np.float64))[:, None] - grid).min(axis=1)
    assert (np.isin(np.abs(found), grid)).all()
    assert (np.abs(found - x.astype(np.float64)) == nearest).all()


INT4 = [
    (
        PROGRAM.add(
            f"vcvt_f162s4(*(vector_s4x2*)(registers), R(1, half), M(0), ROUND_R, RS_ENABLE, PART_P{part}, MODE_ZEROING)"
        ),
        PROGRAM.add(f"vcvt_s42f16(R(2, half), *(vector_s4x2*)(registers), M(1), PART_P{part}, MODE_ZEROING)"),
        PROGRAM.add(f"vcvt_s42s16(R(3, int16_t), *(vector_s4x2*)(registers), M(1), PART_P{part}, MODE_ZEROING)"),
        PROGRAM.add(f"vcvt_s42bf16(R(4, bfloat16_t), *(vector_s4x2*)(registers), M(1), PART_P{part}, MODE_ZEROING)"),
    )
    for part in range(4)
]


@pytest.mark.parametrize("part", range(4))
def test_integers_of_four_bits(part: int) -> None:
    state = State()
    x = (np.random.default_rng(9).standard_normal(128) * 8).astype(np.float16)
    state.lanes(1, "half")[:] = x
    state.set_mask(0, np.ones(128, bool), 2)
    state.set_mask(1, np.ones(256, bool), 1)
    for text in INT4[part]:
        PROGRAM.run(text, state)
    expected = np.clip(np.rint(x), -8, 7)
    for number, T in ((2, "half"), (3, "int16_t"), (4, "bfloat16_t")):
        assert (state.lanes(number, T).astype(np.float32) == expected.astype(np.float32)).all()


def test_every_integer_type_is_met() -> None:
    met = {row[i] for table in (float_to_int(), int_to_int(), int_to_float()) for row in table for i in (0, 1)}
    assert set(INTEGERS) - {"uint64_t"} <= met
