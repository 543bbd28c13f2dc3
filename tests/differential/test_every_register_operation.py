"""Every operation of vector functions, over every element type that it takes, from the kernel file to the numbers.

For each element type one kernel holds all operations (in the lines of their examples); its mask comes from memory, once
with random lanes and once with all.  What each leaves in a register is compared with numpy.
"""

from __future__ import annotations

import importlib.util
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from ptopro.language.dtypes import DTYPES, DType
from ptopro.language.examples.registers import RegisterCase, cases_of
from ptopro.language.operations.table import OPERATIONS

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

BYTES = 256
SPARE = 64  # bytes behind the last row of x, for unaligned loads


def numpy_type(dtype: DType) -> np.dtype[Any] | None:
    if not dtype.numpy or dtype.bits < 8:
        return None
    return np.dtype(getattr(ml_dtypes, dtype.numpy, None) or dtype.numpy)


@dataclass
class Operands:
    """The registers a, b, c of one element type, the lanes of the mask, the memory behind x, a case's other type."""

    dtype: DType
    x: np.ndarray
    active: np.ndarray
    bits: np.ndarray  # of the mask
    to: DType | None = None

    @property
    def lanes(self) -> int:
        return self.active.size

    def row(self, number: int) -> np.ndarray:
        return self.x[number * self.lanes : (number + 1) * self.lanes]

    a = property(lambda self: self.row(0))
    b = property(lambda self: self.row(1))
    c = property(lambda self: self.row(2))
    place = property(lambda self: np.arange(self.lanes))

    def zeroed(self, values: Any) -> np.ndarray:
        """0 in the lanes outside of the mask."""
        values = np.asarray(values)
        return np.where(self.active, values, np.zeros_like(values))

    def same(self, values: Any) -> np.ndarray:
        """Values as lanes of the element type; integers wrap."""
        values = np.asarray(values)
        if values.dtype == object:
            bits = self.dtype.bits
            values = np.array([int(v) % (1 << bits) for v in values], np.uint64).astype(f"u{bits // 8}")
            return values.view(self.a.dtype)
        return values.astype(self.a.dtype)


def wide(values: np.ndarray) -> np.ndarray:
    """Exact to compute with: Python's integers, FP32 for narrower floats."""
    if values.dtype.kind in "iu":
        return values.astype(object)
    return values.astype(np.float32)


def raw(values: np.ndarray) -> np.ndarray:
    return values.view(f"u{values.itemsize}")


Model = Callable[[Operands], Any]


def two(function: Callable[..., Any]) -> Model:
    return lambda o: o.zeroed(o.same(function(wide(o.a), wide(o.b))))


def one(function: Callable[..., Any]) -> Model:
    return lambda o: o.zeroed(o.same(function(wide(o.a))))


def fused(function: Callable[..., Any]) -> Model:
    """One rounding at the end."""

    def model(o: Operands) -> np.ndarray:
        a, b, c = (wide(v) if v.dtype.kind in "iu" else v.astype(np.longdouble) for v in (o.a, o.b, o.c))
        values = function(a, b, c)
        return o.zeroed(o.same(values if values.dtype == object else values.astype(np.float64)))

    return model


def bitwise(function: Callable[..., np.ndarray]) -> Model:
    return lambda o: o.zeroed(function(raw(o.a), raw(o.b)).view(o.a.dtype))


def quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype != object:
        return a / b
    return np.array([abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a, b, strict=True)], object)


def marked(lanes: Callable[[Operands], Any]) -> Model:
    """3 in the lanes of a mask that was made."""
    return lambda o: o.same(np.where(lanes(o), 3, 0))


def compared(function: Callable[..., Any]) -> Model:
    def model(o: Operands) -> np.ndarray:
        found = np.array(function(wide(o.a), wide(o.b)), bool) & o.active
        return np.where(found, o.c, o.a) if o.dtype.bits <= 32 else o.same(np.where(found, 3, 0))

    return model


def from_register(o: Operands) -> np.ndarray:
    """Lanes by the bits of the fourth chunk of c."""
    return np.unpackbits(o.c.view(np.uint8).reshape(-1, o.lanes // 8)[3], bitorder="little").astype(bool)


def carried(o: Operands, sign: int) -> list[np.ndarray]:
    a, b = (v.view(np.uint32).astype(np.int64) for v in (o.a, o.b))
    total = a + sign * b
    out = ((total > 0xFFFFFFFF) | (total < 0)) & o.active
    return [o.zeroed((total & 0xFFFFFFFF).astype(np.uint32).view(o.a.dtype)), np.where(out, o.a, o.b)]


def product_parts(o: Operands) -> list[np.ndarray]:
    exact = np.array([int(x) * int(y) for x, y in zip(o.a, o.b, strict=True)], object)
    low = np.array([int(v) & 0xFFFFFFFF for v in exact], np.uint64).astype(np.uint32)
    high = np.array([int(v) >> 32 & 0xFFFFFFFF for v in exact], np.uint64).astype(np.uint32)
    return [o.zeroed(low.view(o.a.dtype)), o.zeroed(high.view(o.a.dtype))]


def exp_of_difference(o: Operands) -> np.ndarray:
    step = 32 // o.dtype.bits
    a, b, active = (v[::step] for v in (o.a, o.b, o.active))
    return np.where(active, np.exp(a.astype(np.float64) - b.astype(np.float64)), 0).astype(np.float32)


def converted(o: Operands) -> np.ndarray | None:
    """To another element type: whole numbers to nearest even; narrow lanes stand at the low end of wide ones."""
    assert o.to is not None
    kind = numpy_type(o.to)
    if kind is None or numpy_type(o.dtype) is None:
        return None  # types that numpy has no name for: tests/unit/simulator/test_registers_convert.py
    values: np.ndarray = np.where(o.active, o.a.astype(np.float64), 0)
    if o.to.is_int:  # low bits, but negative numbers to wider unsigned ones are 0
        whole = np.rint(values).astype(np.int64)
        widens = o.dtype.is_signed_int() and o.to.kind == "uint" and o.to.bits > o.dtype.bits
        values = (np.maximum(whole, 0) if widens else whole).astype(kind)
    else:
        limit = 65504 if o.to.bits == 16 and o.dtype.is_int else np.inf
        values = np.clip(values, -limit, limit).astype(kind)
    if o.to.kind == "scale":
        values = np.where(o.active, values, np.zeros(1, np.uint8).view(kind))
    return in_parts(values, o.dtype.bits, o.to.bits)


def in_parts(values: np.ndarray, bits: int, to: int) -> np.ndarray:
    if to >= bits:
        return values[:: to // bits]
    spread = np.zeros(values.size * (bits // to), values.dtype)
    spread.view(f"u{values.itemsize}")[:] = 0
    spread[:: bits // to] = values
    return spread


def counted(o: Operands) -> np.ndarray:
    return o.same(np.cumsum(o.active) - o.active)


def packed(o: Operands) -> np.ndarray:
    half = f"u{o.a.itemsize // 2}"
    low = o.a.view(half)[::2]
    return np.concatenate((low, np.zeros_like(low)))


def unpacked(o: Operands) -> np.ndarray:
    return o.a[: o.lanes // 2].astype(f"{o.a.dtype.kind}{2 * o.a.itemsize}")


def squeezed(o: Operands) -> np.ndarray:
    out = np.zeros_like(o.a)
    out[: o.active.sum()] = o.a[o.active]
    return out


def summed(o: Operands) -> np.ndarray:
    return o.same(np.array([wide(o.a)[o.active].sum(), *[0] * (o.lanes - 1)], wide(o.a).dtype))


def extreme(pick: Callable[..., Any]) -> Model:
    def model(o: Operands) -> np.ndarray:
        best = pick(o.a[o.active])
        out = np.zeros_like(o.a)
        raw(out)[1] = np.flatnonzero(o.active & (o.a == best))[0]
        out[0] = best
        return out

    return model


def pairs(o: Operands) -> np.ndarray:
    sums = o.zeroed(wide(o.a)).reshape(-1, 2).sum(axis=1)
    return o.same(np.concatenate((sums, np.zeros_like(sums))))


def read_at(offset: int) -> Model:
    return lambda o: o.x[offset : offset + o.lanes]


def halves(o: Operands) -> np.ndarray:
    return in_parts(np.where(o.active, o.a * np.float32(2), 0).astype(np.float16), 32, 16)


def histogram(o: Operands) -> np.ndarray:
    return np.cumsum(np.bincount(o.a[o.active], minlength=256))[:128].astype(np.uint16)


MODELS: dict[str, Model] = {
    "full": marked(lambda o: o.active),
    "load_align": lambda o: np.full_like(o.a, o.x[1]),
    **{name: read_at(3) for name in ("load", "load_unalign_init", "load_unalign_pre", "load_unalign")},
    **{name: lambda o: o.a for name in ("store_align", "store", "unalign_reg_for_store", "store_unalign",
                                        "store_unalign_post", "move")},
    "mem_bar": lambda o: o.a,
    "gather": lambda o: o.zeroed(o.a[::-1]),
    "scatter": lambda o: o.a[::-1],
    "clear_spr": lambda o: o.a[o.active],
    "create_mask": marked(lambda o: o.place < 8),
    "update_mask": marked(lambda o: o.place < 11),
    "get_mask_spr": marked(lambda o: o.place >= 0),
    "mask_gen_with_reg_tensor": marked(from_register),
    "create_addr_reg": lambda o: o.b,
    "add": two(lambda a, b: a + b), "sub": two(lambda a, b: a - b), "mul": two(lambda a, b: a * b),
    "div": two(quotient), "max": two(np.maximum), "min": two(np.minimum),
    "abs_sub": two(lambda a, b: abs(a - b)),
    "mul_add_dst": fused(lambda a, b, c: a * b + c), "mul_dst_add": fused(lambda a, b, c: c * a + b),
    "axpy": fused(lambda a, b, c: 2 * a + c),
    "prelu": two(lambda a, b: np.where(a >= 0, a, a * b)),
    "exp": one(np.exp), **{name: one(np.log) for name in ("ln", "log")}, "log2": one(np.log2), "log10": one(np.log10),
    "sqrt": one(np.sqrt), "abs": one(abs), "neg": one(lambda a: -a), "relu": one(lambda a: np.maximum(a, 0)),
    "adds": one(lambda a: a + 2), "subs": one(lambda a: a - 2), "muls": one(lambda a: a * 2),
    "maxs": one(lambda a: np.maximum(a, 2)), "mins": one(lambda a: np.minimum(a, 2)),
    "leaky_relu": one(lambda a: np.where(a >= 0, a, a * 2)),
    "mull": product_parts, "addc": lambda o: carried(o, 1), "subc": lambda o: carried(o, -1),
    "exp_sub": exp_of_difference, "muls_cast": halves,
    "and_": bitwise(lambda a, b: a & b), "or_": bitwise(lambda a, b: a | b), "xor": bitwise(lambda a, b: a ^ b),
    "not_": bitwise(lambda a, b: ~a),
    "shift_left": one(lambda a: a * 4), "shift_right": one(lambda a: a // 4),
    "eq": compared(lambda a, b: a == b), "ne": compared(lambda a, b: a != b), "lt": compared(lambda a, b: a < b),
    "le": compared(lambda a, b: a <= b), "gt": compared(lambda a, b: a > b), "ge": compared(lambda a, b: a >= b),
    "select": lambda o: np.where(o.active, o.a, o.b), "squeeze": squeezed, "unsqueeze": counted,
    "astype": converted, "bit_cast": lambda o: raw(o.a), "truncate": one(np.trunc),
    "interleave": lambda o: np.split(np.stack((o.a, o.b), 1).ravel(), 2),
    "de_interleave": lambda o: [np.concatenate((o.a, o.b))[at::2] for at in (0, 1)],
    "pack": packed, "unpack": unpacked, "arange": lambda o: o.same(3 + o.place),
    "reduce_sum": summed, "reduce_max": extreme(np.max), "reduce_min": extreme(np.min), "pair_reduce_sum": pairs,
    "histograms": histogram,
}  # fmt: skip
# Bits of a result that may differ in the last places: functions of the machine's own, sums in another order.
NOT_EXACT = {"exp", "exp_sub", "ln", "log", "log2", "log10", "reduce_sum"}
ROWS = [operation for name, operation in OPERATIONS.items() if name.startswith("vf.")]
CASES = [case for operation in ROWS for case in cases_of(operation)]
TYPES = sorted({case.dtype.name for case in CASES})


def name_of(case: RegisterCase) -> str:
    return case.operation.name.removeprefix("vf.")


def test_every_row_is_tested_over_every_type() -> None:
    assert (
        {name_of(case) for case in CASES}
        == set(MODELS)
        == {name.removeprefix("vf.") for name in OPERATIONS if name.startswith("vf.")}
    )
    for operation in ROWS:
        tested = {case.dtype for case in CASES if case.operation is operation}
        assert tested, operation.name
        for listed in operation.dtypes.values():
            untested = {dtype.name for dtype in listed} - {dtype.name for dtype in tested}
            # Types that no number is computed in are loaded by every other case of theirs.
            assert operation.name == "vf.load_align" or not untested, (operation.name, untested)


def kernel_text(cases: list[RegisterCase]) -> str:
    """One kernel with a function for each case; the fourth row of x is the mask."""
    dtype, lanes = cases[0].dtype, cases[0].lanes
    named = numpy_type(dtype) is not None
    element = f"pl.{dtype.name}" if named else "pl.DT_UINT8"
    functions, calls, row = [], [], 0
    for number, case in enumerate(cases):
        functions.append(
            f"@pl.vector_function\ndef case_{number}(y, x, a, b, c, m, every):\n{textwrap.indent(case.lines, '    ')}\n"
        )
        calls.append(f"    case_{number}(y + {row * lanes}, x, a, b, c, m, every)")
        row += case.results
    tile = f"pl.TileType(shape=[{{}}, {lanes}], dtype={element})"
    loads = [f"    {name} = vf.load_align(x, {at * lanes}, dtype=pl.{dtype.name})" for at, name in enumerate("abc")]
    return "\n".join([
        "import ptopro.language as pl", "from ptopro.language import vf", "", "", *functions,
        "@pl.vector_function", "def every_case(y, x):",
        "    every = vf.create_mask(dtype=pl.DT_UINT8)",
        "    m = vf.create_mask(dtype=pl.DT_UINT8)", f"    m = vf.load_align(x, {3 * lanes})", *loads, *calls, "",
        "@pl.jit(auto_mutex=True)",
        f"def kernel(y: pl.Tensor[[{row}, {lanes}], {element}], x: pl.Tensor[[5, {lanes}], {element}]):",
        f"    y_ub = pl.make_tile_group(type={tile.format(row)}, addrs=0x0000, mutex_ids=[0])",
        f"    x_ub = pl.make_tile_group(type={tile.format(5)}, addrs=0x10000, mutex_ids=[1])",
        "    with pl.section_vector():",
        "        pl.load(x_ub.current(), x, [0, 0])",
        "        every_case(y_ub.current(), x_ub.current())",
        "        pl.store(y, y_ub.current(), [0, 0])",
        "",
    ])  # fmt: skip


def load(text: str, path: Path) -> Any:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def memory_of(dtype: DType, kind: np.dtype[Any], lanes: int, active: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Five rows: a, b (without 0), c, the bits of the mask, spare bytes."""
    rng = np.random.default_rng(dtype.bits)
    if kind.kind in "iu":
        low, high = (-100, 100) if kind.kind == "i" else (0, 200)
        x = rng.integers(low, high, 5 * lanes).astype(kind)
        if dtype.bits == 32:
            x[:lanes:3] = np.iinfo(kind).max - x[:lanes:3] % 50
        x[lanes : 2 * lanes][x[lanes : 2 * lanes] == 0] = 7
    elif dtype.kind == "scale":
        x = np.exp2(rng.integers(-3, 4, 5 * lanes)).astype(kind)
    else:
        x = (rng.uniform(0.25, 6, 5 * lanes) * rng.choice([-1, 1], 5 * lanes)).astype(kind)
    equal = rng.random(lanes) < 0.2  # some lanes of a and b are the same
    x[lanes : 2 * lanes][equal & (x[:lanes] != 0)] = x[:lanes][equal & (x[:lanes] != 0)]
    bits = np.zeros(BYTES, np.uint8)
    bits[:: BYTES // lanes] = active
    x.view(np.uint8)[3 * BYTES : 3 * BYTES + 32] = np.packbits(bits, bitorder="little")
    return x, bits


def differs(case: RegisterCase, found: np.ndarray, expected: np.ndarray) -> bool:
    found = found[: expected.nbytes].view(expected.dtype)
    if np.array_equal(found.view(np.uint8), expected.view(np.uint8)):
        return False
    if expected.dtype.kind in "iu":
        return True
    close = name_of(case) in NOT_EXACT
    digits = 2e-3 if expected.itemsize == 2 else 2e-6
    got, wanted = found.astype(np.float64), expected.astype(np.float64)
    return not np.allclose(got, wanted, rtol=digits if close else 0, atol=digits if close else 0, equal_nan=True)


@pytest.mark.parametrize("name", TYPES)
def test_operations_agree_with_numpy(name: str, tmp_path: Path) -> None:
    dtype = DTYPES[name]
    cases = [case for case in CASES if case.dtype is dtype or case.dtype == dtype]
    module = load(kernel_text(cases), tmp_path / f"registers_{name.lower()}.py")
    kind, lanes = numpy_type(dtype) or np.dtype(np.uint8), cases[0].lanes
    wrong = []
    for everywhere in (False, True):
        active = np.ones(lanes, bool) if everywhere else np.random.default_rng(1).random(lanes) < 0.6
        x, bits = memory_of(dtype, kind, lanes, active)
        y = np.zeros((sum(case.results for case in cases), lanes), kind)
        module.kernel(y, x.reshape(5, lanes))
        rows = iter(y.view(np.uint8))
        for case in cases:
            expected = MODELS[name_of(case)](Operands(dtype, x, active, bits, case.to))
            for each in expected if isinstance(expected, list) else [expected]:
                found = next(rows)
                if each is not None and differs(case, found, np.ascontiguousarray(each)):
                    got = found[: each.nbytes].view(each.dtype)
                    wrong.append(f"{name_of(case)} to {case.to}, all={everywhere}:\n  {got[:9]}\n  {each[:9]}")
    assert not wrong, "\n".join(wrong)
