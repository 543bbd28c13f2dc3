"""What Python sees of `import ptopro.language as pl`."""

from __future__ import annotations

import inspect
import subprocess
import sys
import types
from pathlib import Path

import pytest

import ptopro.language as pl
from ptopro.diagnostics import DiagnosticError
from ptopro.language.operations.table import OPERATIONS
from ptopro.language.surface.annotations import PtrType, ScalarType, TensorType, TileAnnotation
from ptopro.language.surface.callables import KernelFunction
from ptopro.language.surface.errors import OutsideKernelError, UsageError
from ptopro.language.surface.marks import kind_of
from ptopro.language.tiles import TileSpec


class FakeKernel:
    """Takes the place of the runtime's kernel object."""

    def __init__(self, function: types.FunctionType, **options: object) -> None:
        self.function, self.options = function, options


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("ptopro.runtime.kernel")
    module.JitKernel = FakeKernel  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ptopro.runtime.kernel", module)


def refused(error: pytest.ExceptionInfo[DiagnosticError]) -> tuple[str, str]:
    (diagnostic,) = error.value.diagnostics
    return diagnostic.code, diagnostic.message


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "TileType"])
def test_each_operation_is_an_object_with_signature_and_help(name: str) -> None:
    value: object = pl
    for part in name.split("."):
        value = getattr(value, part)
    assert isinstance(value, KernelFunction)
    parameters = inspect.signature(value).parameters
    assert list(parameters) == [operand.name for operand in OPERATIONS[name].operands]
    assert value.__doc__ is not None and value.__doc__.startswith(f"pl.{name}(")
    assert value.__name__ == name.rpartition(".")[2]


def test_signatures_read_as_documented() -> None:
    assert str(inspect.signature(pl.load)) == "(dst_tile, src_tensor, offsets, *, order=None)"
    assert str(inspect.signature(pl.printf)) == "(format_str, *args, loc=False)"
    assert str(inspect.signature(pl.maximum)) == "(out, lhs, rhs, *, dim=None)"
    assert str(inspect.signature(pl.struct)) == "(type_name=None, **fields)"
    assert "mode=pl.RoundMode.CAST_ROUND" in pl.cast.__doc__


@pytest.mark.parametrize(
    "call",
    [
        lambda: pl.load(1, 2, [0]),
        lambda: pl.system.bar_all(),
        lambda: pl.vf.add(1, 2),
        lambda: pl.range(3),
        lambda: pl.section_vector(),
        lambda: pl.section_cube(),
        lambda: pl.section_vf(),
        lambda: pl.min(1, 2),
    ],
)
def test_calling_an_operation_outside_a_kernel_says_so(call: types.FunctionType) -> None:
    with pytest.raises(OutsideKernelError) as error:
        call()
    assert refused(error)[0] == "PTO1242"
    span = error.value.diagnostics[0].span
    assert span is not None and span.file == __file__
    assert isinstance(error.value, RuntimeError)


@pytest.mark.parametrize(
    ("get", "meant"),
    [
        (lambda: pl.lod, "pl.load"),
        (lambda: pl.sync_src, "pl.system.sync_src"),
        (lambda: pl.system.bar_al, "pl.system.bar_all"),
        (lambda: pl.vf.ad, "vf.add"),
        (lambda: pl.DT_FP17, "pl.DT_FP16"),
    ],
)
def test_name_that_does_not_exist_is_an_attribute_error_with_a_suggestion(get: types.FunctionType, meant: str) -> None:
    with pytest.raises(AttributeError, match=meant.replace(".", r"\.")):
        get()


def test_public_names_are_complete() -> None:
    names = set(dir(pl))
    assert {"jit", "load", "DT_FP16", "NZ", "Tensor", "DYNAMIC", "system", "vf", "TilingKeyField", "range"} <= names
    assert "row_sum" not in names
    assert isinstance(pl.row_sum, KernelFunction)
    assert all(getattr(pl, name) is not None for name in names - {"KernelDef"})
    scope: dict[str, object] = {}
    exec("from ptopro.language import *", scope)
    assert names <= set(scope)


def test_importing_loads_no_heavy_package() -> None:
    code = (
        "import sys, ptopro.language as pl; pl.jit, pl.DT_FP16, pl.load, pl.Tensor, pl.TileType;"
        "heavy = {'numpy', 'libcst', 'rich', 'jinja2', 'click', 'difflib'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_the_package_loads_no_table() -> None:
    code = "import sys, ptopro.language; assert 'ptopro.language.operations.table' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


# --------------------------------------------------------------------------------------------------------------------
# Types and annotations


def test_tile_type_is_data() -> None:
    spec = pl.TileType(
        shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.NZ, pad=1, compact=2
    )
    assert spec == TileSpec(
        (32, 64), pl.DT_FP16, pl.MemorySpace.Mat, (-1, -1), pl.NZ, None, pl.TilePad.zero, pl.CompactMode.row_plus_one
    )
    assert spec.target_memory is pl.MemorySpace.Mat
    assert not spec.runtime_valid


def test_tile_type_with_a_valid_shape_of_run_time() -> None:
    fixed = pl.TileType([32, 64], pl.DT_FP16, valid_shape=[16, 64])
    late = pl.TileType([32, 64], pl.DT_FP16, valid_shape=[-1, -1])
    assert (fixed.valid_shape, fixed.runtime_valid) == ((16, 64), False)
    assert (late.valid_shape, late.runtime_valid) == ((-1, -1), True)
    assert late == pl.TileType([32, 64], pl.DT_FP16)


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("shape", {"shape": [64], "dtype": pl.DT_FP16}),
        ("shape", {"shape": [64, 0], "dtype": pl.DT_FP16}),
        ("shape", {"shape": [1, 64, 1], "dtype": pl.DT_FP16}),
        ("dtype", {"shape": [1, 64], "dtype": "fp16"}),
        ("target_memory", {"shape": [1, 64], "dtype": pl.DT_FP16, "target_memory": 1}),
        ("layout", {"shape": [1, 64], "dtype": pl.DT_FP16, "layout": "NZ"}),
        ("fractal", {"shape": [1, 64], "dtype": pl.DT_FP16, "fractal": "512"}),
        ("pad", {"shape": [1, 64], "dtype": pl.DT_FP16, "pad": 4}),
        ("pad", {"shape": [1, 64], "dtype": pl.DT_FP16, "pad": True}),
        ("compact", {"shape": [1, 64], "dtype": pl.DT_FP16, "compact": 3}),
        ("valid_shape", {"shape": [1, 64], "dtype": pl.DT_FP16, "valid_shape": [-2, 1]}),
    ],
)
def test_tile_type_names_the_field_that_is_wrong(field: str, arguments: dict[str, object]) -> None:
    with pytest.raises(UsageError) as error:
        pl.TileType(**arguments)
    code, message = refused(error)
    assert code == "PTO1246" and f"`{field}`" in message
    assert isinstance(error.value, TypeError)


def test_annotations_are_data() -> None:
    tensor = pl.Tensor[[64, pl.DYNAMIC, pl.STATIC, ...], pl.DT_FP16]
    assert tensor == TensorType((64, pl.DYNAMIC, pl.STATIC, ...), pl.DT_FP16)
    assert pl.Tensor[[64], pl.DT_FP16, pl.NZ].layout is pl.NZ
    place = pl.MemRef(pl.MemorySpace.DDR, 0, 128)
    assert pl.Tensor[[64], pl.DT_FP16, pl.ND, place].memref is place
    assert pl.Ptr[pl.DT_INT8] == PtrType(pl.DT_INT8)
    assert pl.Tile[[64, 32], pl.DT_FP32] == TileAnnotation((64, 32), pl.DT_FP32)
    assert pl.Scalar[pl.DT_INT32] == ScalarType(pl.DT_INT32)
    assert repr(pl.DYNAMIC) == "pl.DYNAMIC"


@pytest.mark.parametrize(
    "make",
    [
        lambda: pl.Tensor[64, 64],
        lambda: pl.Tensor[[0], pl.DT_FP16],
        lambda: pl.Tensor[[-1, 4], pl.DT_FP16],
        lambda: pl.Tensor[[True], pl.DT_FP16],
        lambda: pl.Tensor[["n"], pl.DT_FP16],
        lambda: pl.Tensor[[..., 64], pl.DT_FP16],
        lambda: pl.Tensor[[64], "fp16"],
        lambda: pl.Tensor[[64], pl.DT_FP16, 3],
        lambda: pl.Tensor[[64], pl.DT_FP16, pl.ND, None, None],
        lambda: pl.Tile[[64], pl.DT_FP16],
        lambda: pl.Tile[[64, pl.DYNAMIC], pl.DT_FP16],
        lambda: pl.Tile[[64, 64], pl.DT_FP16, 3],
        lambda: pl.Ptr[16],
        lambda: pl.Scalar[None],
        lambda: pl.Tensor(),
        lambda: pl.Tile(),
        lambda: pl.Ptr(),
        lambda: pl.Scalar(),
    ],
)
def test_wrong_annotation_is_refused(make: types.FunctionType) -> None:
    with pytest.raises(UsageError) as error:
        make()
    assert refused(error)[0] == "PTO1245"


def test_element_types_have_the_documented_methods() -> None:
    assert pl.DT_FP16.get_bit() == pl.DT_FP16.bits() == pl.DT_FP16.bits == 16
    assert pl.DT_FP16.is_float() and pl.DT_FP16.is_float and not pl.DT_FP16.is_int()
    assert (
        pl.DT_INT8.is_signed_int()
        and pl.DT_INT8.is_signed()
        and pl.DT_UINT8.is_unsigned_int()
        and pl.DT_UINT8.is_unsigned()
    )
    assert (pl.DT_FP16.to_string(), pl.DT_FP16.to_c_type_string()) == ("fp16", "half")
    assert pl.DataType is type(pl.DT_FP16)


@pytest.mark.parametrize(
    ("bits", "values", "reason"),
    [
        (0, [1], "positive"),
        (True, [1], "positive"),
        (65, [1], "64 bits"),
        (2, [], "at least one"),
        (2, [True], "no integer"),
        (2, [1, 1], "twice"),
        (2, [0, 1, 2, 3, 4], "do not fit"),
    ],
)
def test_tiling_key_field_that_cannot_be(bits: int, values: list[int], reason: str) -> None:
    with pytest.raises(UsageError) as error:
        pl.TilingKeyField(bits=bits, values=values)
    code, message = refused(error)
    assert code == "PTO1244" and reason in message


def test_tiling_key_field_keeps_its_values_in_order() -> None:
    field = pl.TilingKeyField(bits=2, values=[16, 64, 128])
    assert (field.bits, field.values) == (2, (16, 64, 128))


# --------------------------------------------------------------------------------------------------------------------
# Decorators


def body(x: object) -> None:
    """A kernel's function."""


@pytest.mark.usefixtures("runtime")
def test_jit_builds_a_launchable_kernel_with_all_options() -> None:
    kernel = pl.jit(body)
    assert kernel.function is body
    assert kernel.options == {
        "launchable": True,
        "arch": None,
        "auto_mutex": True,
        "name": None,
        "pipeline": None,
        "tiling_key": None,
        "datatype": None,
        "compile_timeout": None,
    }
    config = pl.pipeline.PipelineConfig(preload=3)
    kernel = pl.jit(auto_mutex=False, arch="a3", pipeline=config, compile_timeout=2.5)(body)
    assert kernel.options["auto_mutex"] is False
    assert (kernel.options["arch"], kernel.options["pipeline"]) == ("a3", config)


@pytest.mark.usefixtures("runtime")
def test_kernel_is_not_launchable() -> None:
    assert pl.kernel(body).options["launchable"] is False
    assert pl.kernel(name="k", strict_ssa=True)(body).options["name"] == "k"


@pytest.mark.usefixtures("runtime")
def test_kernel_made_in_a_function_remembers_its_names() -> None:
    width = 64

    def made(x: object) -> None:
        pass

    assert pl.jit(made).function.ptopro_captured["width"] == width


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize(
    ("code", "options", "word"),
    [
        ("PTO1240", {"auto_mutx": True}, "auto_mutx"),
        ("PTO1241", {"timeout": 3}, "compile_timeout"),
        ("PTO1243", {"arch": "h100"}, "arch"),
        ("PTO1243", {"auto_mutex": 1}, "auto_mutex"),
        ("PTO1243", {"pipeline": 2}, "pipeline"),
        ("PTO1243", {"tiling_key": {}}, "tiling_key"),
        ("PTO1243", {"datatype": {"x": 1}}, "datatype"),
        ("PTO1243", {"compile_timeout": -1}, "compile_timeout"),
        ("PTO1243", {"name": 3}, "name"),
    ],
)
def test_option_that_is_not_taken(code: str, options: dict[str, object], word: str) -> None:
    with pytest.raises(UsageError) as error:
        pl.jit(**options)
    found, message = refused(error)
    assert found == code and word in message


def test_unknown_option_is_placed_and_has_a_suggestion() -> None:
    with pytest.raises(UsageError) as error:
        pl.jit(
            arch="a5",
            auto_mutx=True,
        )
    diagnostic = error.value.diagnostics[0]
    assert diagnostic.help.startswith("did you mean `auto_mutex`?")
    assert diagnostic.span is not None
    line = Path(__file__).read_text().split("\n")[diagnostic.span.line - 1]
    assert line[diagnostic.span.col - 1 :].startswith("auto_mutx=")


@pytest.mark.usefixtures("runtime")
def test_decorating_something_else_is_refused() -> None:
    with pytest.raises(UsageError) as error:
        pl.jit(3)
    assert refused(error)[0] == "PTO1243"


def test_marked_functions_stay_functions() -> None:
    def helper() -> int:
        return 3

    assert pl.vector_function(helper) is helper and kind_of(helper) == "vector_function"
    assert kind_of(pl.vector_function(mode="simt", max_threads=64)(helper)) == "simt"
    assert helper.ptopro_options["max_threads"] == 64  # type: ignore[attr-defined]
    assert kind_of(pl.simt.function(max_threads=2048)(helper)) == "simt"
    assert kind_of(pl.simt.function(helper)) == "simt"
    assert kind_of(pl.pipeline.stage(helper)) == "stage"
    assert kind_of(pl.function(helper)) == "function"
    assert kind_of(pl.program(type("P", (), {}))) == "program"
    with pytest.warns(DeprecationWarning):
        assert pl.inline(helper) is helper
    assert helper() == 3
    assert kind_of(body) == ""


@pytest.mark.parametrize(
    "call",
    [
        lambda: pl.simt.function(max_threads=2049),
        lambda: pl.vector_function(mode="tensor"),
        lambda: pl.pipeline.PipelineConfig(preload=-1),
        lambda: pl.pipeline.PipelineConfig(preload=[]),
        lambda: pl.pipeline.PipelineConfig(sync_only=1),
        lambda: pl.pipeline.stage(3),
    ],
)
def test_wrong_values_of_other_decorators(call: types.FunctionType) -> None:
    with pytest.raises(UsageError) as error:
        call()
    assert refused(error)[0] == "PTO1243"


def test_pipeline_config_takes_a_list() -> None:
    assert pl.pipeline.PipelineConfig(preload=[0, 2]).preload == [0, 2]
    assert pl.pipeline.PipelineConfig() == pl.pipeline.PipelineConfig(2, False)


def test_namespaces_list_their_members() -> None:
    assert {"sync_src", "bar_all", "mutex_lock"} <= set(dir(pl.system))
    assert {"function", "launch", "thread_idx"} <= set(dir(pl.simt))
    assert dir(pl.pipeline) == ["PipelineConfig", "stage"]
    assert "load_align" in dir(pl.vf)
    assert pl.Vf is pl.vf
