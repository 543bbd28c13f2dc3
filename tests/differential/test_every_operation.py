"""Every operation on tiles of UB, from its example to the numbers: whole tiles and tails agree with numpy.

The examples of several operations make one kernel, so that the compiler is started a few times only.
"""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ptopro.language.dtypes import DTYPES
from ptopro.language.examples import snippets
from ptopro.language.examples.vector import COLS, ROWS, SHAPES, Part, Section, kernel_of, section_of
from ptopro.language.operations.model import Operation, Role
from ptopro.language.operations.table import OPERATIONS

pytestmark = pytest.mark.slow

Arrays = Mapping[str, np.ndarray]
Model = Callable[[Any], Any]  # from the operands, as attributes of one object, to the result
TAIL = (31, 61)
UB_BYTES, LOCKS = 192 * 1024, 32
RELU = lambda values: np.maximum(values, 0)  # noqa: E731


def bits(values: np.ndarray) -> np.ndarray:
    """A mask: a bit for each column, lowest first; what fills its row up to 32 bytes has no meaning."""
    return np.packbits(values, axis=1, bitorder="little")


def truth(o: Any) -> np.ndarray:
    return np.unpackbits(o.mask, axis=1, bitorder="little")[:, :COLS].astype(bool)


def quantised(o: Any) -> np.ndarray:
    return np.clip(np.rint(o.src * o.scale), -128, 127).astype(np.int8)


def rounded(values: np.ndarray) -> np.ndarray:
    """To FP16, ties away from zero (CAST_ROUND): FP32 keeps 13 more bits of mantissa."""
    raw = values.astype(np.float32).view(np.uint32)
    return ((raw + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float16)


def sorted_records(o: Any) -> np.ndarray:
    """Groups of 32, each in descending order, as values and indices in turn."""
    out = np.zeros((1, 128), np.float32)
    for start in (0, 32):
        order = start + np.argsort(-o.src[0, start : start + 32], kind="stable")
        out[0, 2 * start : 2 * start + 64 : 2] = o.src[0, order]
        out[0, 2 * start + 1 : 2 * start + 64 : 2] = o.idx[0, order].view(np.float32)
    return out


def merged_records(*runs: np.ndarray) -> np.ndarray:
    """Runs of (value, index) records in descending order, as one."""
    pairs = np.concatenate([run.reshape(-1, 2) for run in runs])
    return pairs[np.argsort(-pairs[:, 0], kind="stable")].reshape(1, -1)


def scattered(o: Any) -> np.ndarray:
    out = np.zeros(ROWS * COLS, np.float32)
    out[o.idx.ravel()] = o.src.ravel()
    return out.reshape(ROWS, COLS)


MODELS: dict[str, Model] = {
    "add": lambda o: o.lhs + o.rhs,
    "sub": lambda o: o.lhs - o.rhs,
    "mul": lambda o: o.lhs * o.rhs,
    "div": lambda o: o.lhs / o.rhs,
    "maximum": lambda o: np.maximum(o.lhs, o.rhs),
    "minimum": lambda o: np.minimum(o.lhs, o.rhs),
    "rem": lambda o: np.mod(o.lhs, o.rhs),
    "and_": lambda o: o.lhs & o.rhs,
    "shl": lambda o: o.lhs << o.rhs,
    "shr": lambda o: o.lhs >> o.rhs,
    "xor": lambda o: o.lhs ^ o.rhs,
    "adds": lambda o: o.tile + 2,
    "subs": lambda o: o.tile - 2,
    "muls": lambda o: o.tile * 2,
    "divs": lambda o: o.tile / np.float32(2),
    "rems": lambda o: np.mod(o.tile, 2),
    "maxs": lambda o: np.maximum(o.tile, 2),
    "mins": lambda o: np.minimum(o.tile, 2),
    "ands": lambda o: o.tile & 2,
    "ors": lambda o: o.tile | 2,
    "shls": lambda o: o.tile << 2,
    "shrs": lambda o: o.tile >> 2,
    "xors": lambda o: o.tile ^ 2,
    "abs": lambda o: np.abs(o.src),
    "neg": lambda o: -o.src,
    "exp": lambda o: np.exp(o.src),
    "log": lambda o: np.log(o.src),
    "sqrt": lambda o: np.sqrt(o.src),
    "rsqrt": lambda o: 1 / np.sqrt(o.src),
    "recip": lambda o: 1 / o.src,
    "relu": lambda o: RELU(o.src),
    **{name: lambda o: o.src.sum(axis=1, keepdims=True) for name in ("sum", "row_sum")},
    "row_prod": lambda o: o.src.prod(axis=1, keepdims=True),
    "row_max": lambda o: o.src.max(axis=1, keepdims=True),
    "row_min": lambda o: o.src.min(axis=1, keepdims=True),
    "col_sum": lambda o: o.src.sum(axis=0, keepdims=True),
    "col_prod": lambda o: o.src.prod(axis=0, keepdims=True),
    "col_max": lambda o: o.src.max(axis=0, keepdims=True),
    "col_min": lambda o: o.src.min(axis=0, keepdims=True),
    **{name: lambda o: o.src.argmax(axis=1)[:, None] for name in ("argmax", "row_argmax")},
    **{name: lambda o: o.src.argmin(axis=1)[:, None] for name in ("argmin", "row_argmin")},
    "col_argmax": lambda o: o.src.argmax(axis=0)[None, :],
    "col_argmin": lambda o: o.src.argmin(axis=0)[None, :],
    "expand_sub": lambda o: o.src - o.scalar,
    "expand_div": lambda o: o.src / o.scalar,
    "expand_mul": lambda o: o.src * o.scalar,
    "expand_max": lambda o: np.maximum(o.src, o.scalar),
    "expand_min": lambda o: np.minimum(o.src, o.scalar),
    **{f"{axis}_expand": lambda o: np.broadcast_to(o.src, o.out.shape) for axis in ("row", "col")},
    **{f"{axis}_expand_add": lambda o: o.src + o.vec for axis in ("row", "col")},
    **{f"{axis}_expand_sub": lambda o: o.src - o.vec for axis in ("row", "col")},
    **{f"{axis}_expand_mul": lambda o: o.src * o.vec for axis in ("row", "col")},
    **{f"{axis}_expand_div": lambda o: o.src / o.vec for axis in ("row", "col")},
    **{f"{axis}_expand_max": lambda o: np.maximum(o.src, o.vec) for axis in ("row", "col")},
    **{f"{axis}_expand_min": lambda o: np.minimum(o.src, o.vec) for axis in ("row", "col")},
    **{f"{axis}_expand_expdif": lambda o: np.exp(o.src - o.vec) for axis in ("row", "col")},
    "eq": lambda o: bits(o.lhs == o.rhs),
    "ne": lambda o: bits(o.lhs != o.rhs),
    "lt": lambda o: bits(o.lhs < o.rhs),
    "le": lambda o: bits(o.lhs <= o.rhs),
    "gt": lambda o: bits(o.lhs > o.rhs),
    "ge": lambda o: bits(o.lhs >= o.rhs),
    "cmp": lambda o: bits(o.lhs == o.rhs),
    "cmps": lambda o: bits(o.lhs == 2),
    **{name: lambda o: np.where(truth(o), o.lhs, o.rhs) for name in ("select", "sel")},
    "sels": lambda o: np.where(truth(o), o.src, np.float32(2)),
    "cast": lambda o: rounded(o.src),
    "add_relu_cast": lambda o: rounded(RELU(o.lhs + o.rhs)),
    "sub_relu_cast": lambda o: rounded(RELU(o.lhs - o.rhs)),
    "mul_cast": lambda o: rounded(o.lhs * o.rhs),
    "transpose": lambda o: o.src.T,
    "fill_index": lambda o: 2 + np.arange(o.out.shape[1])[None, :],
    "add_relu": lambda o: RELU(o.lhs + o.rhs),
    "sub_relu": lambda o: RELU(o.lhs - o.rhs),
    "addc": lambda o: o.a + o.b + o.c,
    "addsc": lambda o: o.a + 2 + o.c,
    "subc": lambda o: o.a - o.b + o.c,
    "subsc": lambda o: o.a - 2 + o.c,
    "axpy": lambda o: o.out + 2 * o.src,
    "mul_add_dst": lambda o: o.lhs * o.rhs + o.out,
    "fused_mul_add": lambda o: o.lhs * o.out + o.rhs,
    "fused_mul_add_relu": lambda o: RELU(o.a * o.out + o.b),
    "partadd": lambda o: o.src0 + o.src1,
    "partmul": lambda o: o.src0 * o.src1,
    "partmax": lambda o: np.maximum(o.src0, o.src1),
    "partmin": lambda o: np.minimum(o.src0, o.src1),
    "gather": lambda o: o.src.ravel()[o.idx],
    "gatherb": lambda o: o.src.reshape(-1, 8)[o.offsets // 32].reshape(ROWS, COLS),
    "gathermask": lambda o: o.src[:, 0::2],
    "scatter": scattered,
    "quant": quantised,
    "dequant": lambda o: (o.src.astype(np.float32) - o.offset) * o.scale,
    "histogram": lambda o: np.stack([np.bincount(row >> 8, minlength=256).cumsum() for row in o.src]),
    "sort32": sorted_records,
    "mrgsort": lambda o: merged_records(o.src),
    "mrgsort2": lambda o: merged_records(o.src0, o.src1),
    "ub_copy": lambda o: o.src,
}
# What a value must be for the operation to mean something; all else is random.
POSITIVE = {"log", "sqrt", "rsqrt"}
BIT_EXACT = {"exp", "log", "sqrt", "rsqrt", "div", "divs", "sum", "prod", "expdif", "recip", "rem", "rems"}  # not these


class Operands(dict[str, np.ndarray]):
    __getattr__ = dict.__getitem__


def vector_operations() -> list[Operation]:
    """Those whose example is made from their operands."""
    return [
        operation
        for name, operation in OPERATIONS.items()
        if not name.startswith(("vf.", "simt.")) and operation.group != "matmul" and snippets.snippet(operation) is None
    ]


def test_every_vector_operation_has_a_model() -> None:
    assert {operation.name for operation in vector_operations()} == set(MODELS)


def batches(operations: list[Operation], valid: tuple[int, int]) -> list[dict[str, Section]]:
    """Operations whose tiles and locks fit into one kernel."""
    made: list[dict[str, Section]] = []
    address, lock = UB_BYTES, LOCKS
    for operation in operations:
        section = section_of(operation, f"{operation.name}_", address, lock, valid)
        if section.address > UB_BYTES or section.mutex_id > LOCKS:
            section = section_of(operation, f"{operation.name}_", 0, 0, valid)
            made.append({})
        made[-1][operation.name] = section
        address, lock = section.address, section.mutex_id
    return made


def data_for(name: str, part: Part, operand: str, extent: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    kind = np.dtype(DTYPES[part.dtype.name].numpy)
    if operand in ("idx", "offsets") and name in ("gather", "scatter", "gatherb"):
        places = rng.permutation(extent[0] * extent[1]).reshape(extent)
        return (places * (32 if name == "gatherb" else 1)).astype(kind)
    if name.startswith("mrgsort"):
        length = 64 if name == "mrgsort" else part.shape[1]
        values = rng.permutation(part.shape[1] // 2).astype(np.float32) + 1000 * int(operand[-1] == "1")
        runs = np.zeros(part.shape, np.float32)
        runs[0, 0::2] = -np.sort(-values.reshape(-1, length // 2), axis=1).ravel()
        return runs
    if kind.kind == "f":
        values = rng.uniform(0.5, 4, extent)
        return (values if name in POSITIVE else values * rng.choice([-1, 1], extent)).astype(kind)
    if name in ("shl", "shr") and operand == "rhs":
        return rng.integers(0, 5, extent).astype(kind)
    low, high = (-100, 100) if kind.kind == "i" else (0, min(np.iinfo(kind).max, 65535) + 1)
    return rng.integers(low, high, extent).astype(kind)


def load(text: str, path: Path) -> Any:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def has_tails(operation: Operation) -> bool:
    """Whether a smaller valid region means the same operation on less data; indices follow the physical shape."""
    plain = {(ROWS, COLS), (ROWS, 1), (1, COLS)}
    shapes = [shape for shape, _ in SHAPES.get(operation.name, {}).values()]
    return operation.name not in ("gather", "scatter", "sort32") and all(shape in plain for shape in shapes)


@pytest.mark.parametrize("valid", [(ROWS, COLS), TAIL], ids=["whole", "tail"])
def test_operations_agree_with_numpy(valid: tuple[int, int], tmp_path: Path) -> None:
    """Tails where the operation has any, else whole tiles."""
    rng = np.random.default_rng(5)
    operations = [operation for operation in vector_operations() if has_tails(operation) == (valid == TAIL)]
    wrong = []
    for number, batch in enumerate(batches(operations, valid)):
        module = load(kernel_of(list(batch.values())), tmp_path / f"batch_{number}.py")
        arrays = {
            part.name: data_for(name, part, part.name.removeprefix(f"{name}_"), part.extent(valid), rng)
            for name, section in batch.items()
            for part in section.parts
        }
        before = {name: array.copy() for name, array in arrays.items()}
        module.example(
            **{f"{p.name}_gm": arrays[p.name] for s in batch.values() for p in s.parts if p.reads or p.writes}
        )
        for name, section in batch.items():
            operands = Operands({part.name.removeprefix(f"{name}_"): before[part.name] for part in section.parts})
            result = next(o.name for o in OPERATIONS[name].operands if o.role is Role.OUT or o.name == "out")
            expected, got = np.asarray(MODELS[name](operands)), arrays[f"{name}_{result}"]
            if expected.shape[1] < got.shape[1]:  # a mask's bytes beyond the last column
                got = got[:, : expected.shape[1]]
            exact = not any(name.endswith(each) for each in BIT_EXACT)
            if got.dtype.kind == "f" and not exact:
                same = np.allclose(got, expected, rtol=1e-5, atol=1e-6)
            else:
                same = np.array_equal(got, expected.astype(got.dtype))
            if not same:
                wrong.append(f"{name}: {got.ravel()[:4]} is not {expected.ravel()[:4]}")
    assert not wrong, "\n".join(wrong)


def test_no_batch_is_lost() -> None:
    names = [name for batch in batches(vector_operations(), (ROWS, COLS)) for name in batch]
    assert names == [operation.name for operation in vector_operations()]
    assert all(
        a.address <= UB_BYTES and a.mutex_id <= LOCKS
        for a in itertools.chain.from_iterable(batch.values() for batch in batches(vector_operations(), TAIL))
    )
