"""Arithmetic, bits and comparisons of vector functions against numpy, for every type, under masks, with merging."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from registers import BYTES, FLOATS, INTEGERS, TYPES, Program, State, numbers

PROGRAM = Program()
Reference = Callable[..., np.ndarray]
ALL = (*INTEGERS, *FLOATS)
HALF_AND_FLOAT = ("half", "float")


@pytest.fixture(scope="module", autouse=True)
def compiled(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.cache is not None
    PROGRAM.compile(pytestconfig.cache.mkdir("simulator"))


def wide(values: np.ndarray) -> np.ndarray:
    """Narrow floats as FP32; other lanes as they are."""
    return values.astype(np.float32) if values.dtype.itemsize < 4 and values.dtype.kind not in "iu" else values


def quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind not in "iu":
        return wide(a) / wide(b)
    exact = [
        0 if y == 0 else abs(int(x)) // abs(int(y)) * (1 if (x < 0) == (y < 0) else -1)
        for x, y in zip(a, b, strict=True)
    ]
    return (
        np.array([v % (1 << 8 * a.dtype.itemsize) for v in exact], np.uint64)
        .astype(f"u{a.dtype.itemsize}")
        .view(a.dtype)
    )


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    if a.dtype.kind in "iu":
        return a * b + c
    return (a.astype(np.longdouble) * b.astype(np.longdouble) + c.astype(np.longdouble)).astype(np.float64)


def shifted(a: np.ndarray, amount: np.ndarray, *, left: bool) -> np.ndarray:
    bits = 8 * a.dtype.itemsize
    values = [
        (int(x) << int(n)) % (1 << bits) if left else (int(x) >> int(n)) % (1 << bits)
        for x, n in zip(a, amount, strict=True)
    ]
    return np.array(values, np.uint64).astype(f"u{a.dtype.itemsize}").view(a.dtype)


def exp(a: np.ndarray) -> np.ndarray:
    return np.exp(a.astype(np.float64))


TWO: dict[str, tuple[tuple[str, ...], Reference]] = {
    "vadd": (ALL, lambda a, b: wide(a) + wide(b)),
    "vsub": (ALL, lambda a, b: wide(a) - wide(b)),
    "vmul": (ALL, lambda a, b: wide(a) * wide(b)),
    "vdiv": (ALL, quotient),
    "vmax": (ALL, lambda a, b: np.maximum(wide(a), wide(b))),
    "vmin": (ALL, lambda a, b: np.minimum(wide(a), wide(b))),
    "vprelu": (HALF_AND_FLOAT, lambda a, b: np.where(a >= 0, wide(a), wide(a) * wide(b))),
    "vabsdif": (
        ("half", "float", "int64_t"),
        lambda a, b: np.abs(wide(a) - wide(b)) if a.dtype.kind == "f" else np.where(a < b, b - a, a - b),
    ),
    "vand": (ALL, lambda a, b: (a.view(f"u{a.itemsize}") & b.view(f"u{a.itemsize}")).view(a.dtype)),
    "vor": (ALL, lambda a, b: (a.view(f"u{a.itemsize}") | b.view(f"u{a.itemsize}")).view(a.dtype)),
    "vxor": (ALL, lambda a, b: (a.view(f"u{a.itemsize}") ^ b.view(f"u{a.itemsize}")).view(a.dtype)),
}
ONE: dict[str, tuple[tuple[str, ...], Reference]] = {
    "vexp": (HALF_AND_FLOAT, exp),
    "vln": (HALF_AND_FLOAT, lambda a: np.log(a.astype(np.float64))),
    "vsqrt": (HALF_AND_FLOAT, lambda a: np.sqrt(wide(a))),
    "vabs": (("int8_t", "int16_t", "int32_t", "int64_t", *HALF_AND_FLOAT), np.abs),
    "vneg": (("int8_t", "int16_t", "int32_t", "int64_t", *HALF_AND_FLOAT), np.negative),
    "vrelu": (("int32_t", "int64_t", *HALF_AND_FLOAT), lambda a: np.where(a > 0, a, np.zeros_like(a))),
    "vnot": (ALL, lambda a: (~a.view(f"u{a.itemsize}")).view(a.dtype)),
}
SCALAR: dict[str, tuple[tuple[str, ...], Reference]] = {
    "vadds": (ALL, lambda a, s: wide(a) + wide(s)),
    "vmuls": (ALL, lambda a, s: wide(a) * wide(s)),
    "vmaxs": (ALL, lambda a, s: np.maximum(wide(a), wide(s))),
    "vmins": (ALL, lambda a, s: np.minimum(wide(a), wide(s))),
    "vlrelu": (HALF_AND_FLOAT, lambda a, s: np.where(a >= 0, wide(a), wide(a) * wide(s))),
}
#: dst is read: reference(dst, a, b)
UPDATE: dict[str, tuple[tuple[str, ...], str, Reference]] = {
    "vmula": (ALL, "R(1, {T}), R(2, {T})", lambda d, a, b: fused(a, b, d)),
    "vmadd": (FLOATS, "R(1, {T}), R(2, {T})", lambda d, a, b: fused(d, a, b)),
    "vaxpy": (
        ("half", "float", "int64_t", "uint64_t"),
        "R(1, {T}), ({T})3",
        lambda d, a, b: fused(a, np.full_like(a, 3), d),
    ),
}


def forms(table: dict[str, tuple], text: str, modes: tuple[str, ...] = ("MODE_ZEROING", "MODE_MERGING")) -> list:
    return [
        (PROGRAM.add(text.format(name=name, T=T, mode=mode)), T, mode, row[-1])
        for name, row in table.items()
        for T in row[0]
        for mode in modes
    ]


def prepared(T: str, seed: int, *, small: bool = False) -> tuple[State, np.ndarray, list[np.ndarray]]:
    """A state with random registers 0..3 and mask 0; the mask's lanes; copies of the registers."""
    rng = np.random.default_rng(seed)
    state = State()
    lanes = BYTES // np.dtype(TYPES[T]).itemsize
    for number in range(4):
        state.lanes(number, T)[:] = numbers(rng, T, lanes, small=small)
    active = rng.random(lanes) < (0.6 if seed else 1.1)
    state.set_mask(0, active, np.dtype(TYPES[T]).itemsize)
    return state, active, [state.lanes(number, T).copy() for number in range(4)]


def close(found: np.ndarray, expected: np.ndarray, ulps: int = 0) -> None:
    expected = np.asarray(expected).astype(found.dtype)
    if found.dtype.kind in "iu" or ulps == 0:
        same = (found == expected) | ((found != found) & (expected != expected))
        assert same.all(), (np.flatnonzero(~same)[:5], found[~same][:5], expected[~same][:5])
        return
    signed = [
        np.where((v := x.view(f"i{x.itemsize}").astype(np.int64)) < 0, -(v & (1 << 8 * x.itemsize - 1) - 1), v)
        for x in (found, expected)
    ]
    same = (np.abs(signed[0] - signed[1]) <= ulps) | ((found != found) & (expected != expected))
    assert same.all(), (np.flatnonzero(~same)[:5], found[~same][:5], expected[~same][:5])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("text", "T", "mode", "reference"), forms(TWO, "{name}(R(0, {T}), R(1, {T}), R(2, {T}), M(0), {mode})")
)
def test_two_registers(text: str, T: str, mode: str, reference: Reference) -> None:
    for seed in range(3):
        state, active, (old, a, b, _) = prepared(T, seed)
        expected = np.asarray(reference(a, b)).astype(a.dtype)
        PROGRAM.run(text, state)
        close(state.lanes(0, T), np.where(active, expected, old if mode == "MODE_MERGING" else np.zeros_like(old)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("text", "T", "mode", "reference"), forms(ONE, "{name}(R(0, {T}), R(1, {T}), M(0), {mode})"))
def test_one_register(text: str, T: str, mode: str, reference: Reference) -> None:
    for seed in range(3):
        state, active, (old, a, _, _) = prepared(T, seed)
        expected = np.asarray(reference(a)).astype(a.dtype)
        PROGRAM.run(text, state)
        ulps = 1 if text.startswith(("vexp", "vln")) else 0
        close(
            state.lanes(0, T), np.where(active, expected, old if mode == "MODE_MERGING" else np.zeros_like(old)), ulps
        )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("text", "T", "mode", "reference"), forms(SCALAR, "{name}(R(0, {T}), R(1, {T}), ({T})5, M(0), {mode})")
)
def test_register_and_scalar(text: str, T: str, mode: str, reference: Reference) -> None:
    for seed in range(3):
        state, active, (old, a, _, _) = prepared(T, seed)
        expected = np.asarray(reference(a, np.full_like(a, 5))).astype(a.dtype)
        PROGRAM.run(text, state)
        close(state.lanes(0, T), np.where(active, expected, old if mode == "MODE_MERGING" else np.zeros_like(old)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("text", "T", "reference"),
    [
        (PROGRAM.add(f"{name}(R(0, {T}), {sources.format(T=T)}, M(0), MODE_ZEROING)"), T, reference)
        for name, (types, sources, reference) in UPDATE.items()
        for T in types
    ],
)
def test_registers_that_are_read_and_written(text: str, T: str, reference: Reference) -> None:
    for seed in range(3):
        state, active, (old, a, b, _) = prepared(T, seed)
        expected = np.asarray(reference(old, a, b)).astype(a.dtype)
        PROGRAM.run(text, state)
        close(state.lanes(0, T), np.where(active, expected, np.zeros_like(old)))


@pytest.mark.parametrize("T", INTEGERS)
@pytest.mark.parametrize("left", [True, False])
def test_shifts(T: str, left: bool) -> None:
    name = "vshl" if left else "vshr"
    signed = T.removeprefix("u")
    for seed in range(3):
        state, active, (_, a, _, _) = prepared(T, seed)
        amounts = np.random.default_rng(seed).integers(0, 8 * a.itemsize + 3, a.size).astype(TYPES[signed])
        state.lanes(2, signed)[:] = amounts
        PROGRAM.run(f"{name}(R(0, {T}), R(1, {T}), R(2, {signed}), M(0), MODE_ZEROING)", state)
        close(state.lanes(0, T), np.where(active, shifted(a, amounts, left=left), 0))
        PROGRAM.run(f"{name}s(R(0, {T}), R(1, {T}), (int16_t)(3), M(0), MODE_ZEROING)", state)
        close(state.lanes(0, T), np.where(active, shifted(a, np.full(a.size, 3), left=left), 0))


for _T in INTEGERS:
    for _name in ("vshl", "vshr"):
        PROGRAM.add(f"{_name}(R(0, {_T}), R(1, {_T}), R(2, {_T.removeprefix('u')}), M(0), MODE_ZEROING)")
        PROGRAM.add(f"{_name}s(R(0, {_T}), R(1, {_T}), (int16_t)(3), M(0), MODE_ZEROING)")


COMPARE: dict[str, Reference] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "gt": np.greater, "le": np.less_equal, "ge": np.greater_equal,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "T", "text", "with_scalar"),
    [
        (
            name,
            T,
            PROGRAM.add(f"vcmp_{name}(M(1), R(1, {T}), R(2, {T}), M(0))"),
            PROGRAM.add(f"vcmps_{name}(M(2), R(1, {T}), ({T})2, M(0))"),
        )
        for name in COMPARE
        for T in ALL
    ],
)
def test_comparisons(name: str, T: str, text: str, with_scalar: str) -> None:
    for seed in range(3):
        state, active, (_, a, b, _) = prepared(T, seed, small=True)
        PROGRAM.run(text, state)
        PROGRAM.run(with_scalar, state)
        width = a.itemsize
        assert (state.mask(1)[::width] == (COMPARE[name](wide(a), wide(b)) & active)).all()
        assert (state.mask(2)[::width] == (COMPARE[name](wide(a), wide(np.full_like(a, 2))) & active)).all()
        others = state.mask(1).reshape(-1, width)[:, [k for k in range(1, width) if k != 4]]
        assert not others.any()


@pytest.mark.parametrize("T", ["int32_t", "uint32_t"])
def test_products_of_64_bits(T: str) -> None:
    for seed in range(3):
        state, active, (_, a, b, _) = prepared(T, seed)
        PROGRAM.run(f"vmull(R(4, {T}), R(5, {T}), R(1, {T}), R(2, {T}), M(0))", state)
        product = np.where(active, a.astype(object) * b.astype(object), 0)
        joined = [
            (int(h) << 32) + (int(lo) & 0xFFFFFFFF) for h, lo in zip(state.lanes(5, T), state.lanes(4, T), strict=True)
        ]
        assert joined == list(product)


@pytest.mark.parametrize("T", ["int32_t", "uint32_t"])
def test_sums_and_differences_with_carry(T: str) -> None:
    rng = np.random.default_rng(1)
    for seed in range(3):
        state, active, (_, a, b, _) = prepared(T, seed)
        carry = rng.random(a.size) < 0.5
        state.set_mask(1, carry, 4)
        x, y = a.view(np.uint32).astype(np.int64), b.view(np.uint32).astype(np.int64)
        PROGRAM.run(f"vaddcs(M(2), R(4, {T}), R(1, {T}), R(2, {T}), M(1), M(0))", state)
        total = x + y + carry
        assert (state.lanes(4, "uint32_t") == np.where(active, total & 0xFFFFFFFF, 0)).all()
        assert (state.mask(2)[::4] == ((total >> 32 == 1) & active)).all()
        PROGRAM.run(f"vsubcs(M(2), R(4, {T}), R(1, {T}), R(2, {T}), M(1), M(0))", state)
        rest = x - y - carry
        assert (state.lanes(4, "uint32_t") == np.where(active, rest & 0xFFFFFFFF, 0)).all()
        assert (state.mask(2)[::4] == ((rest < 0) & active)).all()


for _T in ("int32_t", "uint32_t"):
    PROGRAM.add(f"vmull(R(4, {_T}), R(5, {_T}), R(1, {_T}), R(2, {_T}), M(0))")
    PROGRAM.add(f"vaddcs(M(2), R(4, {_T}), R(1, {_T}), R(2, {_T}), M(1), M(0))")
    PROGRAM.add(f"vsubcs(M(2), R(4, {_T}), R(1, {_T}), R(2, {_T}), M(1), M(0))")

EXP_FLOAT = PROGRAM.add("vexpdif(R(0, float), R(1, float), R(2, float), M(0), PART_EVEN)")
EXP_HALF = [
    PROGRAM.add(f"vexpdif(R(0, float), R(1, half), R(2, half), M(0), {part})") for part in ("PART_EVEN", "PART_ODD")
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_exponential_of_a_difference() -> None:
    state, active, (_, a, b, _) = prepared("float", 1, small=True)
    PROGRAM.run(EXP_FLOAT, state)
    close(state.lanes(0, "float"), np.where(active, np.exp((a - b).astype(np.float64)), 0), 1)
    for part in (0, 1):
        state, active, (_, a, b, _) = prepared("half", 2, small=True)
        PROGRAM.run(EXP_HALF[part], state)
        difference = a[part::2].astype(np.float32) - b[part::2].astype(np.float32)
        close(state.lanes(0, "float"), np.where(active[part::2], np.exp(difference.astype(np.float64)), 0), 1)
