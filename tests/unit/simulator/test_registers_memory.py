"""Loads and stores of vector functions: what they move, which bytes they touch, where they leave a pointer."""

from __future__ import annotations

import numpy as np
import pytest
from registers import BYTES, TYPES, UB, Program, State, lane_mask

PROGRAM = Program()
U = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t"}


@pytest.fixture(scope="module", autouse=True)
def compiled(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.cache is not None
    PROGRAM.compile(pytestconfig.cache.mkdir("simulator"))


def prepared(seed: int = 0, at: int = 64) -> tuple[State, np.ndarray]:
    """Random UB and registers; a copy of UB from `at` on."""
    rng = np.random.default_rng(seed)
    state = State(at=at)
    state.ub[:] = rng.integers(0, 256, UB)
    state.registers[:] = rng.integers(0, 256, 8 * BYTES)
    return state, state.ub[at:].copy()


def spread(values: np.ndarray, factor: int) -> np.ndarray:
    """Each element followed by zeros."""
    wide = np.zeros((values.size, factor), values.dtype)
    wide[:, 0] = values
    return wide.ravel()


def loads() -> dict[str, tuple[int, int, object]]:
    """dist: width of its elements, bytes that are read, what comes of the elements read."""
    table: dict[str, tuple[int, int, object]] = {
        "NORM": (1, BYTES, lambda v: v),
        "BLK": (1, 32, lambda v: np.tile(v, 8)),
    }
    for w in (1, 2, 4):
        table[f"BRC_B{8 * w}"] = (w, w, lambda v, w=w: np.tile(v, BYTES // w))
        table[f"UNPK_B{8 * w}"] = (w, BYTES // 2, lambda v: spread(v, 2))
    for w in (1, 2):
        table[f"US_B{8 * w}"] = (w, BYTES // 2, lambda v: np.repeat(v, 2))
        table[f"DS_B{8 * w}"] = (w, 2 * BYTES, lambda v: v[::2])
    for w in (2, 4):
        table[f"E2B_B{8 * w}"] = (w, 8 * w, lambda v, w=w: np.repeat(v, 32 // w))
    table["UNPK4_B8"] = (1, BYTES // 4, lambda v: spread(v, 4))
    return table


LOADS = loads()


@pytest.mark.parametrize(
    ("dist", "text", "moving", "by_register"),
    [
        (
            dist,
            PROGRAM.add(f"vlds(R(0, uint32_t), P(uint8_t), 32, {dist})"),
            PROGRAM.add(f"auto p = P(uint32_t); vlds(R(0, uint32_t), p, 16, {dist}, POST_UPDATE); at = (int64_t)p"),
            PROGRAM.add(f"AddrReg a = vag_b32(8); PTOPRO_AT(a, 8); vld(R(0, uint32_t), P(uint32_t), a, {dist})"),
        )
        for dist in LOADS
    ],
)
def test_loads(dist: str, text: str, moving: str, by_register: str) -> None:
    width, count, expected = LOADS[dist]
    state, ub = prepared()

    def check(start: int) -> None:
        taken = ub[start : start + count].view(TYPES[U[width]])
        assert (state.lanes(0, U[width]) == expected(taken)).all()  # type: ignore[operator]
        assert (state.read == np.arange(start, start + count)).all() and not state.written.size

    PROGRAM.run(text, state)
    check(32)
    assert PROGRAM.run(moving, state) == state.at + 64
    check(0)
    PROGRAM.run(by_register, state)
    check(32)


@pytest.mark.parametrize(
    ("width", "text", "moving"),
    [
        (w, PROGRAM.add(f"vlds(R(0, {U[w]}), R(1, {U[w]}), P({U[w]}), 4, DINTLV_B{8 * w})"),
         PROGRAM.add(f"auto p = P({U[w]}); vlds(R(0, {U[w]}), R(1, {U[w]}), p, 4, DINTLV_B{8 * w}, POST_UPDATE); at = (int64_t)p"))
        for w in U
    ],
)  # fmt: skip
def test_loads_of_two_registers(width: int, text: str, moving: str) -> None:
    state, ub = prepared()
    PROGRAM.run(text, state)
    both = ub[4 * width :][: 2 * BYTES].view(TYPES[U[width]])
    assert (state.lanes(0, U[width]) == both[::2]).all() and (state.lanes(1, U[width]) == both[1::2]).all()
    assert PROGRAM.run(moving, state) == state.at + 4 * width
    assert (state.lanes(0, U[width]) == ub[: 2 * BYTES].view(TYPES[U[width]])[::2]).all()


BLOCKS = {
    "load": PROGRAM.add("vsldb(R(0, half), P(half), (3u << 16u) | (5 & 0xFFFFU), M(0))"),
    "load_move": PROGRAM.add(
        "auto p = P(half); vsldb(R(0, half), p, (3u << 16u) | (5 & 0xFFFFU), M(0), POST_UPDATE); at = (int64_t)p"
    ),
    "store": PROGRAM.add("vsstb(R(0, half), P(half), (3u << 16u) | (5 & 0xFFFFU), M(0))"),
    "store_move": PROGRAM.add(
        "auto p = P(half); vsstb(R(0, half), p, (3u << 16u) | (5 & 0xFFFFU), M(0), POST_UPDATE); at = (int64_t)p"
    ),
}


@pytest.mark.parametrize("kind", BLOCKS)
def test_blocks_with_strides(kind: str) -> None:
    state, ub = prepared()
    active = np.zeros(128, bool)
    active[[0, 17, 50, 127]] = True  # of blocks 0, 1, 3, 7
    state.set_mask(0, active, 2)
    register = state.registers[:BYTES].reshape(8, 32).copy()
    end = PROGRAM.run(BLOCKS[kind], state)
    assert end == state.at + (5 * 32 if kind.endswith("move") else 0)
    touched = np.concatenate([np.arange(96 * b, 96 * b + 32) for b in (0, 1, 3, 7)])
    if kind.startswith("load"):
        found = state.registers[:BYTES].reshape(8, 32)
        for b in range(8):
            assert (found[b] == (ub[96 * b : 96 * b + 32] if b in (0, 1, 3, 7) else 0)).all()
        assert (state.read == touched).all()
    else:
        expected = ub.copy()
        for b in (0, 1, 3, 7):
            expected[96 * b : 96 * b + 32] = register[b]
        assert (state.ub[state.at :] == expected).all() and (state.written == touched).all()


def stores() -> dict[str, tuple[int, int]]:
    """dist: bytes of a lane, bytes of it that are stored."""
    table = {f"NORM_B{8 * w}": (w, w) for w in U} | {f"PK_B{16 * w}": (2 * w, w) for w in U}
    return {**table, "PK4_B32": (4, 1)}


@pytest.mark.parametrize(
    ("dist", "text", "moving", "by_register"),
    [
        (
            dist,
            PROGRAM.add(f"vsts(R(0, uint8_t), P(uint8_t), 32, {dist}, M(0))"),
            PROGRAM.add(
                f"auto p = P(uint16_t); vsts(R(0, uint16_t), p, 16, {dist}, M(0), POST_UPDATE); at = (int64_t)p"
            ),
            PROGRAM.add(f"AddrReg a = vag_b16(8); PTOPRO_AT(a, 16); vst(R(0, uint16_t), P(uint16_t), a, {dist}, M(0))"),
        )
        for dist in stores()
    ],
)
def test_stores(dist: str, text: str, moving: str, by_register: str) -> None:
    width, kept = stores()[dist]
    lanes = BYTES // width
    for run, (start, end) in ((text, (32, 0)), (moving, (0, 32)), (by_register, (32, 0))):
        state, ub = prepared()
        active = np.random.default_rng(1).random(lanes) < 0.5
        state.set_mask(0, active, width)
        assert PROGRAM.run(run, state) == state.at + end
        elements = state.registers[:BYTES].reshape(lanes, width)[:, :kept]
        expected = ub.copy()
        view = expected[start : start + lanes * kept].reshape(lanes, kept)
        view[active] = elements[active]
        assert (state.ub[state.at :] == expected).all()
        assert state.written.size == active.sum() * kept and not state.read.size


@pytest.mark.parametrize(
    ("width", "text"), [(w, PROGRAM.add(f"vsts(R(0, {U[w]}), P({U[w]}), 1, ONEPT_B{8 * w}, M(0))")) for w in U]
)
def test_stores_of_one_element(width: int, text: str) -> None:
    state, ub = prepared()
    PROGRAM.run(text, state)
    ub[width : 2 * width] = state.registers[:width]
    assert (state.ub[state.at :] == ub).all() and state.written.size == width


@pytest.mark.parametrize(
    ("width", "text"),
    [(w, PROGRAM.add(f"vsts(R(0, {U[w]}), R(1, {U[w]}), P({U[w]}), 0, INTLV_B{8 * w}, M(0))")) for w in U],
)
def test_stores_of_two_registers(width: int, text: str) -> None:
    state, ub = prepared()
    lanes = BYTES // width
    state.set_mask(0, np.ones(lanes, bool), width)
    PROGRAM.run(text, state)
    joined = np.stack((state.lanes(0, U[width]), state.lanes(1, U[width])), 1).ravel()
    assert (state.ub[state.at :][: 2 * BYTES].view(TYPES[U[width]]) == joined).all()
    assert (state.ub[state.at + 2 * BYTES :] == ub[2 * BYTES :]).all()


MASK_LOADS = {d: PROGRAM.add(f"plds(M(0), P(uint32_t), 8, {d})") for d in ("NORM", "US", "DS")}
MASK_STORES = {
    d: PROGRAM.add(f"auto p = P(uint32_t); psts(M(0), p, 8, {d}, POST_UPDATE); at = (int64_t)p") for d in ("NORM", "PK")
}


@pytest.mark.parametrize("dist", MASK_LOADS)
def test_loads_of_masks(dist: str) -> None:
    state, ub = prepared()
    PROGRAM.run(MASK_LOADS[dist], state)
    bits = np.unpackbits(ub[32:], bitorder="little")
    expected = {"NORM": bits[:256], "US": np.repeat(bits[:128], 2), "DS": bits[:512:2]}[dist]
    assert (state.mask(0) == expected).all()
    assert state.read.size == {"NORM": 32, "US": 16, "DS": 64}[dist]


@pytest.mark.parametrize("dist", MASK_STORES)
def test_stores_of_masks(dist: str) -> None:
    state, ub = prepared()
    state.masks[:32] = np.random.default_rng(5).integers(0, 256, 32)
    assert PROGRAM.run(MASK_STORES[dist], state) == state.at + 32
    bits = state.mask(0) if dist == "NORM" else state.mask(0)[::2]
    ub[: bits.size // 8] = np.packbits(bits, bitorder="little")
    assert (state.ub[state.at :] == ub).all() and state.written.size == bits.size // 8


@pytest.mark.parametrize(
    ("data", "element", "index", "text"),
    [
        (d, e, i, PROGRAM.add(f"vgather2(R(0, {d}), P({e}), R(1, {i}), M(0))"))
        for d, e, i in (
            ("uint16_t", "uint8_t", "uint16_t"),
            ("uint16_t", "uint16_t", "uint16_t"),
            ("uint32_t", "uint32_t", "uint32_t"),
        )
    ],
)
def test_gather(data: str, element: str, index: str, text: str) -> None:
    state, ub = prepared()
    at = np.random.default_rng(2).integers(0, 300, BYTES // np.dtype(TYPES[index]).itemsize)
    state.lanes(1, index)[:] = at
    active = np.random.default_rng(3).random(at.size) < 0.6
    state.set_mask(0, active, np.dtype(TYPES[data]).itemsize)
    PROGRAM.run(text, state)
    values = ub[: ub.size // 8 * 8].view(TYPES[element])
    assert (state.lanes(0, data) == np.where(active, values[at], 0)).all()


GATHER_WIDE = PROGRAM.add("vgather2_bc(R(0, uint16_t), P(uint16_t), R(1, uint32_t), M(0))")
GATHER_BLOCKS = PROGRAM.add("vgatherb(R(0, half), P(half), R(1, uint32_t), M(0))")


def test_gather_by_wide_index_and_of_blocks() -> None:
    state, ub = prepared()
    at = np.random.default_rng(2).integers(0, 300, 64)
    state.lanes(1, "uint32_t")[:] = at
    state.set_mask(0, np.arange(64) != 3, 4)
    PROGRAM.run(GATHER_WIDE, state)
    assert (state.lanes(0, "uint16_t")[::2] == np.where(np.arange(64) != 3, ub.view(np.uint16)[at], 0)).all()
    assert not state.lanes(0, "uint16_t")[1::2].any()
    state.lanes(1, "uint32_t")[:8] = at[:8] * 32 % 2048
    state.set_mask(0, np.arange(128) // 16 != 2, 2)
    PROGRAM.run(GATHER_BLOCKS, state)
    for b, start in enumerate(state.lanes(1, "uint32_t")[:8]):
        assert (state.registers[32 * b : 32 * b + 32] == (ub[start : start + 32] if b != 2 else 0)).all()


@pytest.mark.parametrize(
    ("data", "index", "text"),
    [
        (d, i, PROGRAM.add(f"vscatter(R(0, {d}), P({d}), R(1, {i}), M(0))"))
        for d, i in (("uint8_t", "uint16_t"), ("uint16_t", "uint16_t"), ("uint32_t", "uint32_t"))
    ],
)
def test_scatter(data: str, index: str, text: str) -> None:
    state, ub = prepared()
    width = np.dtype(TYPES[data]).itemsize
    count = BYTES // np.dtype(TYPES[index]).itemsize
    at = np.random.default_rng(2).permutation(300)[:count]
    state.lanes(1, index)[:] = at
    active = np.random.default_rng(3).random(BYTES // width) < 0.6
    state.set_mask(0, active, width)
    PROGRAM.run(text, state)
    source, chosen = (state.lanes(0, data)[::2], active[::2]) if width == 1 else (state.lanes(0, data), active)
    ub[: ub.size // 8 * 8].view(TYPES[data])[at[chosen]] = source[chosen]
    assert (state.ub[state.at :] == ub).all()


# ---- any address ----------------------------------------------------------------------------------------------------

STREAM_LOAD = PROGRAM.add(
    "auto p = P(uint16_t); UnalignReg u; vldas(u, p); vldus(R(0, uint16_t), u, p, 100, POST_UPDATE);"
    "vldus(R(1, uint16_t), u, p, 128, POST_UPDATE); vldus(R(2, uint16_t), u, p); at = (int64_t)p"
)
STREAM_STORE = PROGRAM.add(
    "auto p = P(int16_t); UnalignReg u; vstus(u, 100, R(0, int16_t), p, POST_UPDATE); vstus(u, 7, R(1, int16_t), p, POST_UPDATE);"
    "vstas(u, p, 0, POST_UPDATE); at = (int64_t)p"
)
STORED_REGISTERS = PROGRAM.add(
    "auto p = P(int32_t); UnalignReg u; for (int i = 0; i < 3; ++i) { vsqz(R(3, int32_t), R(i, int32_t), M(0), MODE_STORED);"
    "vstur(u, R(3, int32_t), p, POST_UPDATE); } vstar(u, p); at = (int64_t)p"
)
STORED_MASKS = PROGRAM.add(
    "auto p = P(uint16_t); UnalignReg u; pstu(u, M(0), p); pstu(u, M(1), p); vstas(u, p, 0, POST_UPDATE); at = (int64_t)p"
)


@pytest.mark.parametrize("at", [64, 66, 90])
def test_streams(at: int) -> None:
    state, ub = prepared(at=at)
    assert PROGRAM.run(STREAM_LOAD, state) == at + 456
    for number, start in enumerate((0, 200, 456)):
        assert (state.registers[BYTES * number : BYTES * (number + 1)] == ub[start : start + BYTES]).all()

    state, ub = prepared(at=at)
    assert PROGRAM.run(STREAM_STORE, state) == at + 214
    ub[:200] = state.registers[:200]
    ub[200:214] = state.registers[BYTES : BYTES + 14]
    assert (state.ub[at:] == ub).all() and (state.written == np.arange(214)).all()


def test_stream_of_squeezed_registers_and_of_masks() -> None:
    state, ub = prepared(at=68)
    active = np.random.default_rng(6).random(64) < 0.5
    state.set_mask(0, active, 4)
    kept = np.concatenate([state.lanes(i, "uint32_t")[active] for i in range(3)])
    assert PROGRAM.run(STORED_REGISTERS, state) == 68 + kept.nbytes
    ub[: kept.nbytes] = kept.view(np.uint8)
    assert (state.ub[68:] == ub).all()

    state, ub = prepared(at=66)
    lanes = np.random.default_rng(7).random((2, 128)) < 0.5
    for number in range(2):
        state.masks[32 * number : 32 * (number + 1)] = lane_mask(lanes[number], 2)
    assert PROGRAM.run(STORED_MASKS, state) == 66 + 32
    ub[:32] = np.packbits(lanes.ravel(), bitorder="little")
    assert (state.ub[66:] == ub).all()
