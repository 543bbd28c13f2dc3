"""The examples that are no plain operation on tiles of UB run, on arrays of ones and n = 3, and give what they say."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from ptopro.language.dtypes import DTYPES
from ptopro.language.examples import example_of
from ptopro.language.operations.table import OPERATIONS

pytestmark = pytest.mark.slow

# Operation -> the first two elements of the result; several operations share an example.
FIRST = {
    "load": (1, 1),
    "load_tile": (1, 1),
    "move": (64, 64),
    "insert": (64, 64),
    "reshape": (1, 1),
    "ssbuf_store": (1, 1),
    "expands": (1.5, 1.5),
    "full": (1.5, 1.5),
    "fillpad": (1, 1),
    "fillpad_expand": (1, 1),
    "fillpad_inplace": (1, 1),
    "matmul": (64, 64),
    "matmul_acc": (128, 128),
    "matmul_mx": (64, 64),
    "matmul_mx_acc": (128, 128),
    "matmul_bias": (65, 65),
    "gemv": (64, 64),
    "gemv_acc": (128, 128),
    "gemv_bias": (65, 65),
    "min": (8, 1),
    "const": (6, 1),
    "constexpr": (1, 1),
    "getval": (1, 1),
    "set_validshape": (1, 1),
    "set_stride": (1, 1),
    "system.sync_src": (1, 1),
    "system.bar_m": (128, 128),
    "system.bar_mte1": (64, 64),
    "system.bar_mte2": (1, 1),
    "system.bar_mte3": (1, 1),
    "system.bar_fix": (64, 64),
    "system.bar_all": (1, 1),
    "system.sync_all": (3, 1),
    "system.mutex_lock": (1, 1),
    "mutex.mutex_lock": (1, 1),
    "system.set_mm_layout_transform": (64, 64),
    "set_mask_count": (2, 2),
    "set_mask_norm": (2, 2),
    "set_vec_mask": (2, 2),
    "get_block_idx": (4, 1),
    "get_subblock_idx": (4, 1),
    "make_tile": (1, 1),
    "make_tensor": (1, 1),
    "addptr": (1, 1),
    "struct": (1, 1),
    "struct_array": (1, 1),
    "make_tuple": (1, 1),
    "store_fp": (32, 32),
    "move_fp": (32, 32),
}
HALF = int(np.float32(0.5).view(np.uint32)) | 1 << 46  # as a factor of the fixpipe, for an int8 result


def run(name: str, folder: Path) -> np.ndarray:
    path = folder / f"{name.replace('.', '_')}.py"
    path.write_text(example_of(OPERATIONS[name]) or "")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    arguments: list[object] = []
    for parameter in inspect.signature(module.example.function).parameters.values():
        dims = getattr(parameter.annotation, "dims", None)
        if dims is None:
            arguments.append(3)
            continue
        kind = DTYPES[parameter.annotation.dtype.name].numpy
        ones = np.ones(dims).astype(getattr(ml_dtypes, kind, None) or np.dtype(kind))
        arguments.append(np.full(dims, HALF) if parameter.name == "factors" else ones)
    module.example(*arguments)
    result = arguments[0]
    assert isinstance(result, np.ndarray)
    return result.astype(np.float32).ravel()


@pytest.mark.parametrize("name", FIRST)
def test_an_example_gives_what_it_says(name: str, tmp_path: Path) -> None:
    assert run(name, tmp_path)[:2].tolist() == list(FIRST[name])


@pytest.mark.parametrize(
    ("name", "text"), [("printf", "n is 3"), ("pto_assert", ""), ("trap", ""), ("dump_data", "1 1 1 1 1 1 1 1")]
)
def test_an_example_prints_what_it_says(
    name: str, text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(name, tmp_path)
    printed = "".join(capfd.readouterr())
    assert text in printed and ("assert" in printed.lower()) is False
