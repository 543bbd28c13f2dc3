"""Masks, lanes in other places and reductions of vector functions against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from registers import BYTES, INTEGERS, TYPES, Program, State, numbers

PROGRAM = Program()
ALL = (*INTEGERS, "half", "bfloat16_t", "float")
PATTERNS = {
    "PAT_ALL": lambda i, n: i >= 0, "PAT_ALLF": lambda i, n: i < 0, "PAT_VL1": lambda i, n: i < 1, "PAT_VL2": lambda i, n: i < 2,
    "PAT_VL3": lambda i, n: i < 3, "PAT_VL4": lambda i, n: i < 4, "PAT_VL8": lambda i, n: i < 8, "PAT_VL16": lambda i, n: i < 16,
    "PAT_VL32": lambda i, n: i < 32, "PAT_VL64": lambda i, n: i < 64, "PAT_VL128": lambda i, n: i < 128,
    "PAT_M3": lambda i, n: i % 3 == 0, "PAT_M4": lambda i, n: i % 4 == 0, "PAT_H": lambda i, n: i < n // 2, "PAT_Q": lambda i, n: i < n // 4,
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def compiled(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.cache is not None
    PROGRAM.compile(pytestconfig.cache.mkdir("simulator"))


def size(T: str) -> int:
    return np.dtype(TYPES[T]).itemsize


def prepared(T: str, seed: int, *, small: bool = False) -> tuple[State, np.ndarray, list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    state = State()
    lanes = BYTES // size(T)
    for number in range(4):
        state.lanes(number, T)[:] = numbers(rng, T, lanes, small=small)
    active = rng.random(lanes) < 0.6
    state.set_mask(0, active, size(T))
    return state, active, [state.lanes(number, T).copy() for number in range(4)]


def same(found: np.ndarray, expected: np.ndarray) -> None:
    expected = np.asarray(expected).astype(found.dtype)
    assert (found.view(f"u{found.itemsize}") == expected.view(f"u{found.itemsize}")).all()


# ---- masks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "name", "text"),
    [(w, name, PROGRAM.add(f"M(0) = pset_b{8 * w}({name})")) for w in (1, 2, 4) for name in PATTERNS],
)
def test_patterns(width: int, name: str, text: str) -> None:
    state = State()
    PROGRAM.run(text, state)
    lanes = BYTES // width
    expected = np.zeros(BYTES, np.uint8)
    expected[::width] = [PATTERNS[name](i, lanes) for i in range(lanes)]
    assert (state.mask(0) == expected).all()


@pytest.mark.parametrize("width", [1, 2, 4])
def test_counted_masks(width: int) -> None:
    lanes = BYTES // width
    for count in (0, 1, lanes - 1, lanes, lanes + 5, 1000):
        state = State(at=count)
        left = PROGRAM.run(COUNTED[width], state)
        assert state.mask(0)[::width].sum() == min(count, lanes)
        assert (np.diff(state.mask(0)[::width].astype(int)) <= 0).all()
        assert left == max(count - lanes, 0)


COUNTED = {
    w: PROGRAM.add(f"uint32_t left = (uint32_t)at; M(0) = plt_b{8 * w}(left, POST_UPDATE); at = left")
    for w in (1, 2, 4)
}
LOGIC = {
    "pand(M(3), M(0), M(1), M(2))": lambda a, b, m: a & b & m,
    "por(M(3), M(0), M(1), M(2))": lambda a, b, m: (a | b) & m,
    "pxor(M(3), M(0), M(1), M(2))": lambda a, b, m: (a ^ b) & m,
    "pnot(M(3), M(0), M(2))": lambda a, b, m: (1 - a) & m,
    "pmov(M(3), M(0))": lambda a, b, m: a,
    "pmov(M(3), M(0), M(2))": lambda a, b, m: a & m,
    "psel(M(3), M(0), M(1), M(2))": lambda a, b, m: np.where(m, a, b),
    "ppack(M(3), M(0), LOWER)": lambda a, b, m: np.concatenate((a[::2], 0 * a[::2])),
    "ppack(M(3), M(0), HIGHER)": lambda a, b, m: np.concatenate((0 * a[::2], a[::2])),
    "punpack(M(3), M(0), LOWER)": lambda a, b, m: np.stack((a[:128], 0 * a[:128]), 1).ravel(),
    "punpack(M(3), M(0), HIGHER)": lambda a, b, m: np.stack((a[128:], 0 * a[128:]), 1).ravel(),
}


@pytest.mark.parametrize("text", [PROGRAM.add(text) for text in LOGIC])
def test_logic_of_masks(text: str) -> None:
    state = State()
    state.masks[:] = np.random.default_rng(3).integers(0, 256, 128)
    a, b, m = (state.mask(i) for i in range(3))
    PROGRAM.run(text, state)
    assert (state.mask(3) == LOGIC[text](a, b, m)).all()


@pytest.mark.parametrize(
    ("width", "there", "back"),
    [
        (
            w,
            PROGRAM.add(f"pintlv_b{8 * w}(M(2), M(3), M(0), M(1))"),
            PROGRAM.add(f"pdintlv_b{8 * w}(M(0), M(1), M(2), M(3))"),
        )
        for w in (1, 2, 4)
    ],
)
def test_interleaved_masks(width: int, there: str, back: str) -> None:
    state = State()
    state.masks[:] = np.random.default_rng(4).integers(0, 256, 128)
    a, b = (state.mask(i).reshape(-1, width) for i in range(2))
    PROGRAM.run(there, state)
    joined = np.stack((a, b), 1).reshape(-1)
    assert (np.concatenate((state.mask(2), state.mask(3))) == joined).all()
    state.masks[:64] = 0
    PROGRAM.run(back, state)
    assert (state.mask(0) == a.ravel()).all() and (state.mask(1) == b.ravel()).all()


VECTOR_MASK = PROGRAM.add(
    "set_vector_mask(0x8000000000000003u, 0x5u); M(0) = movp_b16(); M(1) = movp_b32(); set_vector_mask(~0ull, ~0ull)"
)


def test_mask_of_the_scalar_unit() -> None:
    state = State()
    PROGRAM.run(VECTOR_MASK, state)
    assert list(np.flatnonzero(state.mask(0)[::2])) == [0, 2, 64, 65, 127]
    assert (state.mask(0)[::2] == state.mask(0)[1::2]).all()
    assert list(np.flatnonzero(state.mask(1)[::4])) == [0, 2]


@pytest.mark.parametrize(
    ("T", "chunk", "text"),
    [
        (T, chunk, PROGRAM.add(f"movvp(M(0), R(0, {T}), {chunk})"))
        for T, chunk in (("uint16_t", 3), ("uint32_t", 5), ("uint32_t", 31))
    ],
)
def test_masks_from_registers(T: str, chunk: int, text: str) -> None:
    state, _, _ = prepared(T, 1)
    lanes = BYTES // size(T)
    bits = np.unpackbits(state.registers[:BYTES].reshape(-1, lanes // 8)[chunk], bitorder="little")
    PROGRAM.run(text, state)
    assert (state.mask(0)[:: size(T)] == bits).all()


# ---- places ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("T", ALL)
def test_constants_moves_and_selection(T: str) -> None:
    state, active, (old, a, b, _) = prepared(T, 1)
    for text, expected in (
        (f"vbr(R(0, {T}), ({T})7)", np.full_like(a, 7)),
        (f"vdup(R(0, {T}), ({T})7, M(0), MODE_ZEROING)", np.where(active, np.full_like(a, 7), np.zeros_like(a))),
        (f"vdup(R(0, {T}), ({T})7, M(0), MODE_MERGING)", np.where(active, np.full_like(a, 7), old)),
        (f"vdup(R(0, {T}), R(1, {T}), M(0), POS_LOWEST, MODE_MERGING)", np.where(active, a[0], old)),
        (f"vdup(R(0, {T}), R(1, {T}), M(0), POS_HIGHEST, MODE_ZEROING)", np.where(active, a[-1], np.zeros_like(a))),
        (f"vmov(R(0, {T}), R(1, {T}))", a),
        (f"vmov(R(0, {T}), R(1, {T}), M(0), MODE_MERGING)", np.where(active, a, old)),
        (f"vsel(R(0, {T}), R(1, {T}), R(2, {T}), M(0))", np.where(active, a, b)),
        (f"vci(R(0, {T}), ({T})3, INC_ORDER)", 3 + np.arange(a.size)),
        (f"vci(R(0, {T}), ({T})3, DEC_ORDER)", 3 + np.arange(a.size)[::-1]),
    ):
        state.lanes(0, T)[:] = old
        PROGRAM.run(text, state)
        expected = np.asarray(expected)
        if expected.dtype.kind == "i" and expected.itemsize == 8 and T in INTEGERS:
            expected = expected.astype(f"u{size(T)}").view(TYPES[T])
        same(state.lanes(0, T), expected)


for _T in ALL:
    for _text in (
        "vbr(R(0, {T}), ({T})7)", "vdup(R(0, {T}), ({T})7, M(0), MODE_ZEROING)", "vdup(R(0, {T}), ({T})7, M(0), MODE_MERGING)",
        "vdup(R(0, {T}), R(1, {T}), M(0), POS_LOWEST, MODE_MERGING)", "vdup(R(0, {T}), R(1, {T}), M(0), POS_HIGHEST, MODE_ZEROING)",
        "vmov(R(0, {T}), R(1, {T}))", "vmov(R(0, {T}), R(1, {T}), M(0), MODE_MERGING)", "vsel(R(0, {T}), R(1, {T}), R(2, {T}), M(0))",
        "vci(R(0, {T}), ({T})3, INC_ORDER)", "vci(R(0, {T}), ({T})3, DEC_ORDER)",
        "vintlv(R(4, {T}), R(5, {T}), R(1, {T}), R(2, {T}))", "vdintlv(R(4, {T}), R(5, {T}), R(1, {T}), R(2, {T}))",
        "vsqz(R(0, {T}), R(1, {T}), M(0), MODE_STORED); at = get_ar(); sprclr(SPR_AR); at += get_ar()",
    ):  # fmt: skip
        PROGRAM.add(_text.format(T=_T))


@pytest.mark.parametrize("T", ALL)
def test_interleaving_and_squeezing(T: str) -> None:
    state, active, (_, a, b, _) = prepared(T, 2)
    PROGRAM.run(f"vintlv(R(4, {T}), R(5, {T}), R(1, {T}), R(2, {T}))", state)
    same(np.concatenate((state.lanes(4, T), state.lanes(5, T))), np.stack((a, b), 1).ravel())
    PROGRAM.run(f"vdintlv(R(4, {T}), R(5, {T}), R(1, {T}), R(2, {T}))", state)
    both = np.concatenate((a, b))
    same(state.lanes(4, T), both[::2])
    same(state.lanes(5, T), both[1::2])
    stored = PROGRAM.run(
        f"vsqz(R(0, {T}), R(1, {T}), M(0), MODE_STORED); at = get_ar(); sprclr(SPR_AR); at += get_ar()", state
    )
    squeezed = np.zeros_like(a)
    squeezed[: active.sum()] = a[active]
    same(state.lanes(0, T), squeezed)
    assert stored == active.sum() * size(T)


@pytest.mark.parametrize(
    ("T", "text"),
    [
        (T, PROGRAM.add(f"vusqz(R(0, {T}), M(0))"))
        for T in ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t")
    ],
)
def test_counts_of_active_lanes_before_each(T: str, text: str) -> None:
    state, active, _ = prepared(T, 2)
    PROGRAM.run(text, state)
    same(state.lanes(0, T), (np.cumsum(active) - active).astype(f"u{size(T)}").view(TYPES[T]))


@pytest.mark.parametrize(
    ("narrow", "wide", "half", "pack", "unpack"),
    [
        (
            n,
            w,
            half,
            PROGRAM.add(f"vpack(R(0, {n}), R(1, {w}), {half}, MODE_UNKNOWN)"),
            PROGRAM.add(f"vunpack(R(2, {w}), R(1, {n}), {half})"),
        )
        for n, w in (("uint8_t", "uint16_t"), ("uint16_t", "uint32_t"), ("uint8_t", "int16_t"), ("uint16_t", "int32_t"))
        for half in ("LOWER", "HIGHER")
    ],
)
def test_packing(narrow: str, wide: str, half: str, pack: str, unpack: str) -> None:
    state, _, (_, a, *_) = prepared(wide, 3)
    PROGRAM.run(pack, state)
    low, zero = a.astype(TYPES[narrow]), np.zeros(a.size, TYPES[narrow])
    same(state.lanes(0, narrow), np.concatenate((low, zero) if half == "LOWER" else (zero, low)))
    packed = state.lanes(1, narrow).copy()
    PROGRAM.run(unpack, state)
    same(state.lanes(2, wide), packed[: a.size] if half == "LOWER" else packed[a.size :])


@pytest.mark.parametrize(
    ("T", "text"),
    [(T, PROGRAM.add(f"vselr(R(0, {T}), R(1, {T}), R(2, {T}))")) for T in ("uint8_t", "uint16_t", "uint32_t")],
)
def test_lanes_by_index(T: str, text: str) -> None:
    state, _, (_, a, at, _) = prepared(T, 4)
    PROGRAM.run(text, state)
    same(state.lanes(0, T), a[at.astype(np.int64) % a.size])


HISTOGRAMS = {
    (name, part): PROGRAM.add(f"{name}(R(0, uint16_t), R(1, uint8_t), M(0), {part})")
    for name in ("dhistv2", "chistv2")
    for part in ("Bin_N0", "Bin_N1")
}


@pytest.mark.parametrize(("name", "part"), HISTOGRAMS)
def test_histograms(name: str, part: str) -> None:
    state, active, (_, a, *_) = prepared("uint8_t", 5)
    old = state.lanes(0, "uint16_t").copy()
    PROGRAM.run(HISTOGRAMS[name, part], state)
    counts = np.bincount(a[active], minlength=256)
    counts = np.cumsum(counts) if name == "chistv2" else counts
    same(state.lanes(0, "uint16_t"), old + (counts[:128] if part == "Bin_N0" else counts[128:]).astype(np.uint16))


# ---- reductions -----------------------------------------------------------------------------------------------------

REDUCED = ("int16_t", "uint16_t", "int32_t", "uint32_t", "half", "float")


def tree(values: np.ndarray, active: np.ndarray) -> np.ndarray:
    """Sums of neighbours, then of those, along the last axis; FP16 in FP32."""
    sums = np.where(active, values, np.zeros_like(values))
    sums = sums.astype(np.float32) if values.dtype == np.float16 else sums
    while sums.shape[-1] > 1:
        sums = sums[..., ::2] + sums[..., 1::2]
    return sums[..., 0].astype(values.dtype)


@pytest.mark.parametrize(
    ("T", "whole", "blocks"),
    [
        (T, PROGRAM.add(f"vcadd(R(0, {T}), R(1, {T}), M(0))"), PROGRAM.add(f"vcgadd(R(2, {T}), R(1, {T}), M(0))"))
        for T in REDUCED
    ],
)
def test_sums(T: str, whole: str, blocks: str) -> None:
    state, active, (_, a, *_) = prepared(T, 6, small=T in ("half", "float"))
    PROGRAM.run(whole, state)
    PROGRAM.run(blocks, state)
    expected = np.zeros_like(a)
    expected[0] = tree(a, active)
    same(state.lanes(0, T), expected)
    expected = np.zeros_like(a)
    expected[:8] = tree(a.reshape(8, -1), active.reshape(8, -1))
    same(state.lanes(2, T), expected)


@pytest.mark.parametrize(
    ("T", "text"), [(T, PROGRAM.add(f"vcpadd(R(0, {T}), R(1, {T}), M(0))")) for T in ("half", "float")]
)
def test_sums_of_pairs(T: str, text: str) -> None:
    state, active, (_, a, *_) = prepared(T, 6, small=True)
    PROGRAM.run(text, state)
    expected = np.zeros_like(a)
    expected[: a.size // 2] = tree(a.reshape(-1, 2), active.reshape(-1, 2))
    same(state.lanes(0, T), expected)


def extremes(values: np.ndarray, active: np.ndarray, largest: bool) -> tuple[object, int]:
    """The first extreme of the active lanes and its place; a NaN wins; the worst number when no lane is active."""
    if not active.any():
        if values.dtype.kind in "iu":
            return (np.iinfo(values.dtype).min if largest else np.iinfo(values.dtype).max), 0
        return (-np.inf if largest else np.inf), 0
    nans = np.flatnonzero(active & (values != values))
    if nans.size:
        return values[nans[0]], int(nans[0])
    chosen = values[active]
    best = chosen.max() if largest else chosen.min()
    return best, int(np.flatnonzero(active & (values == best))[0])


@pytest.mark.parametrize(
    ("T", "largest", "whole", "blocks"),
    [
        (
            T,
            name == "max",
            PROGRAM.add(f"vc{name}(R(0, {T}), R(1, {T}), M(0))"),
            PROGRAM.add(f"vcg{name}(R(2, {T}), R(1, {T}), M(0))"),
        )
        for T in REDUCED
        for name in ("max", "min")
    ],
)
@pytest.mark.parametrize("kind", ["numbers", "nan", "empty"])
def test_extremes(T: str, largest: bool, whole: str, blocks: str, kind: str) -> None:
    if kind == "nan" and T not in ("half", "float"):
        return
    state, active, (_, a, *_) = prepared(T, 7, small=T not in ("half", "float"))
    if kind == "nan":
        a[np.flatnonzero(active)[[5, 9]]] = np.nan
        state.lanes(1, T)[:] = a
    if kind == "empty":
        active[:] = False
        state.set_mask(0, active, size(T))
    PROGRAM.run(whole, state)
    PROGRAM.run(blocks, state)
    best, place = extremes(a, active, largest)
    found = state.lanes(0, T)
    assert found[0] == best or (found[0] != found[0] and best != best)
    assert found.view(f"u{size(T)}")[1] == place and not found.view(f"u{size(T)}")[2:].any()
    each = state.lanes(2, T)
    for block in range(8):
        best, _ = extremes(a.reshape(8, -1)[block], active.reshape(8, -1)[block], largest)
        assert each[block] == best or (each[block] != each[block] and best != best)
    assert not each.view(f"u{size(T)}")[8:].any()
