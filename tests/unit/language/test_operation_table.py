"""The operation table is consistent with itself: names, templates, conditions, roles, pipes."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

import ptopro.language
from ptopro.language import dtypes as dt
from ptopro.language.enums import FillPadMode, MemorySpace, PipeType, QuantMode, STPhase
from ptopro.language.operations.model import (
    REQUIRED,
    Kind,
    Operand,
    Operation,
    Role,
    ScalarView,
    TensorView,
    Views,
)
from ptopro.language.operations.table import OPERATIONS, find, suggest
from ptopro.language.tiles import TileSpec

ALL = pytest.mark.parametrize("operation", list(OPERATIONS.values()), ids=list(OPERATIONS))
VEC = TileSpec((32, 64), dt.FP32)
COLUMN = TileSpec((32, 1), dt.FP32)
ONE = ScalarView(dt.FP32, 1.0)


def tile(memory: MemorySpace, dtype: dt.DType = dt.FP16) -> TileSpec:
    return TileSpec((64, 64), dtype, memory)


class Anything(str):
    """Stands for an operand in a template: indexable, with the attributes that templates may use."""

    type = "T"
    ctype = "t"

    def __getattr__(self, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name)

    def __format__(self, spec: str) -> str:
        return str(self)

    def __getitem__(self, index: object) -> str:
        return "item"


@ALL
def test_template_names_operands_only(operation: Operation) -> None:
    names = [operand.name for operand in operation.operands] + ["dst", "dst0", "dst1"] * (operation.gives is not None)
    values = {name: Anything(name) for name in names}
    assert operation.forms
    for form in operation.forms:
        if form.cpp[0].startswith("@"):
            assert len(form.cpp) == 1
            continue
        for statement in form.cpp:
            text = statement.format(**values)
            assert text.endswith(")") or " = " in text
            assert text.count("(") == text.count(")")


@ALL
def test_each_data_operand_reaches_the_instruction(operation: Operation) -> None:
    templates = "".join(s for form in operation.forms for s in form.cpp)
    if "@" in templates:
        return
    used = {name for _, name, _, _ in string.Formatter().parse(templates) if name}
    used = {name.partition(".")[0].partition("[")[0] for name in used}
    needed = {operand.name for operand in operation.operands if operand.role.touches_data}
    # The column reductions take no scratch; reshape takes its shape from the destination.
    assert needed - used <= {"tmp"}


@ALL
def test_conditions_and_rules_name_operands(operation: Operation) -> None:
    names = {operand.name for operand in operation.operands}
    for form in operation.forms:
        for condition in form.when:
            name = condition.lstrip("!").partition("=")[0].rstrip("!")
            assert name.removeprefix("dtype(").rstrip(")") in names
        assert set(form.roles) <= names
    assert set(operation.dtypes) <= names
    assert {operand.like for operand in operation.operands} <= names | {""}


@ALL
def test_signature_is_one_that_python_takes(operation: Operation) -> None:
    optional = False
    for operand in operation.operands:
        if operand.variadic or operand.keyword_only:
            continue
        assert not (optional and operand.default is REQUIRED), operand.name
        optional = operand.default is not REQUIRED
    assert len({operand.name for operand in operation.operands}) == len(operation.operands)


@ALL
def test_last_form_takes_what_is_left(operation: Operation) -> None:
    """Every call that passes its checks has a form: the last has no condition, or the conditions split all cases."""
    last = operation.forms[-1]
    if last.when and not any("=" in c and c.partition("=")[2] in ("scalar", "tile") for c in last.when):
        choices = [operand for operand in operation.operands if operand.choices]
        assert len(operation.forms) == len(choices[0].choices) if choices else last.when == ("dim",)


@ALL
def test_exported_operations_say_where_they_are_documented(operation: Operation) -> None:
    if operation.exported and operation.group != "simt":
        assert operation.source.endswith(".md")
    assert operation.summary.endswith(".")


def test_every_emitter_is_explained_in_the_readme() -> None:
    text = Path(ptopro.language.__file__).with_name("README.md").read_text()
    emitters = {form.cpp[0] for op in OPERATIONS.values() for form in op.forms if form.cpp[0].startswith("@")}
    assert emitters
    assert not [emitter for emitter in sorted(emitters) if f"`{emitter}`" not in text]


def test_names_of_the_language_are_there() -> None:
    names = (
        "load store load_tile store_tile move insert matmul matmul_acc add sub mul div exp sum maximum minimum argmax "
        "expand_sub cast fillpad transpose set_validshape getval setval select eq printf pto_assert trap min max const "
        "get_block_idx system.sync_src system.bar_all system.set_cross_core system.mutex_lock make_tile make_tile_group"
    )
    assert [name for name in names.split() if find(name) is None] == []
    assert find("nothing") is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [("lod", "load"), ("matmull", "matmul"), ("sync_src", "system.sync_src"), ("Exp", "exp"), ("qqqq", None)],
)
def test_suggestion_for_a_misspelt_name(written: str, meant: str | None) -> None:
    assert suggest(written) == meant


@pytest.mark.parametrize(
    ("source", "target", "pipe"),
    [
        (MemorySpace.Mat, MemorySpace.Left, PipeType.MTE1),
        (MemorySpace.Mat, MemorySpace.Right, PipeType.MTE1),
        (MemorySpace.Mat, MemorySpace.Bias, PipeType.MTE1),
        (MemorySpace.Mat, MemorySpace.ScaleLeft, PipeType.MTE1),
        (MemorySpace.Mat, MemorySpace.Scaling, PipeType.FIX),
        (MemorySpace.Mat, MemorySpace.Vec, PipeType.V),
        (MemorySpace.Acc, MemorySpace.Vec, PipeType.FIX),
        (MemorySpace.Vec, MemorySpace.Mat, PipeType.MTE3),
        (MemorySpace.Vec, MemorySpace.Vec, PipeType.V),
    ],
)
def test_pipe_of_a_move_follows_the_memories(source: MemorySpace, target: MemorySpace, pipe: PipeType) -> None:
    views = {"dst_tile": tile(target), "src_tile": tile(source)}
    assert OPERATIONS["move"].pipe_for(views) is pipe


@pytest.mark.parametrize(("memory", "pipe"), [(MemorySpace.Vec, PipeType.V), (MemorySpace.Acc, PipeType.FIX)])
def test_pipe_of_a_dump_follows_the_memory(memory: MemorySpace, pipe: PipeType) -> None:
    assert OPERATIONS["dump_data"].pipe_for({"data": tile(memory)}) is pipe


@pytest.mark.parametrize(("memory", "pipe"), [(MemorySpace.Vec, PipeType.MTE3), (MemorySpace.Acc, PipeType.FIX)])
@pytest.mark.parametrize("name", ["store", "store_tile"])
def test_pipe_of_a_store_follows_the_source(name: str, memory: MemorySpace, pipe: PipeType) -> None:
    views = {"src_tile": tile(memory), "dst_tensor": TensorView(dt.FP16, (64, 64))}
    assert OPERATIONS[name].pipe_for(views) is pipe


@pytest.mark.parametrize(
    ("name", "views", "cpp"),
    [
        ("add", {"out": VEC, "lhs": VEC, "rhs": VEC}, "TADD({out}, {lhs}, {rhs})"),
        ("add", {"out": VEC, "lhs": VEC, "rhs": ONE}, "TADDS({out}, {lhs}, {rhs})"),
        ("maximum", {"out": VEC, "lhs": VEC, "rhs": VEC}, "TMAX({out}, {lhs}, {rhs})"),
        ("maximum", {"out": VEC, "lhs": VEC, "rhs": ONE}, "TMAXS({out}, {lhs}, {rhs})"),
        ("minimum", {"out": COLUMN, "lhs": VEC, "rhs": VEC, "dim": 0}, "TROWMIN({out}, {lhs}, {rhs})"),
        ("minimum", {"out": VEC, "lhs": VEC, "rhs": VEC, "dim": 1}, "TCOLMIN({out}, {lhs})"),
        ("sum", {"out": COLUMN, "src": VEC, "tmp": VEC}, "TROWSUM({out}, {src}, {tmp})"),
        ("sum", {"out": VEC, "src": VEC, "tmp": VEC, "dim": 1}, "TCOLSUM({out}, {src}, {tmp}, false)"),
        ("sum", {"out": VEC, "src": VEC, "tmp": VEC, "dim": -1}, "TCOLSUM({out}, {src}, {tmp}, false)"),
        (
            "matmul",
            {"dst_tile": VEC, "lhs_tile": VEC, "rhs_tile": VEC, "phase": STPhase.Final},
            "TMATMUL<{phase}>({dst_tile}, {lhs_tile}, {rhs_tile})",
        ),
        (
            "matmul",
            {"dst_tile": VEC, "lhs_tile": VEC, "rhs_tile": VEC, "bias_tile": VEC},
            "TMATMUL_BIAS({dst_tile}, {lhs_tile}, {rhs_tile}, {bias_tile})",
        ),
        (
            "quant",
            {"out": VEC, "src": VEC, "scale": VEC, "mode": QuantMode.ASYM, "offset": VEC},
            "TQUANT<QuantType::INT8_ASYM>({out}, {src}, {scale}, {offset})",
        ),
        (
            "histogram",
            {"dst": VEC, "src": TileSpec((1, 64), dt.UINT16), "idx": VEC, "is_msb": True},
            "THISTOGRAM<HistByte::BYTE_1>({dst}, {src}, {idx})",
        ),
        (
            "histogram",
            {"dst": VEC, "src": TileSpec((1, 64), dt.UINT32), "idx": VEC, "is_msb": True},
            "THISTOGRAM<HistByte::BYTE_3>({dst}, {src}, {idx})",
        ),
        ("system.set_mm_layout_transform", {"enabled": False}, "set_ctrl(sbitset0(get_ctrl(), 51))"),
    ],
)
def test_operands_select_the_form(name: str, views: Views, cpp: str) -> None:
    assert OPERATIONS[name].form_for(views).cpp[0] == cpp


def test_operands_that_select_no_form_are_an_error_of_ours() -> None:
    with pytest.raises(LookupError, match=r"pl\.add"):
        OPERATIONS["add"].form_for({"out": VEC, "lhs": VEC})


@pytest.mark.parametrize("name", ["add_relu", "sub_relu", "mul_add_dst", "fused_mul_add", "add_relu_cast", "mul_cast"])
def test_inputs_that_the_lowering_overwrites_are_read_and_written(name: str) -> None:
    assert OPERATIONS[name].operand("lhs").role is Role.INOUT


def test_form_changes_roles() -> None:
    maximum, gather, fillpad = OPERATIONS["maximum"], OPERATIONS["gather"], OPERATIONS["fillpad"]
    assert maximum.role_for("rhs", {"out": VEC, "lhs": VEC, "rhs": VEC}) is Role.IN
    assert maximum.role_for("rhs", {"out": COLUMN, "lhs": VEC, "rhs": VEC, "dim": 0}) is Role.SCRATCH
    assert fillpad.role_for("out", {"out": VEC, "src": VEC, "mode": FillPadMode.INPLACE}) is Role.INOUT
    assert fillpad.role_for("out", {"out": VEC, "src": VEC}) is Role.OUT
    five = dict.fromkeys(("out", "src", "idx", "tmp", "cmp_tmp"), VEC)
    assert gather.role_for("tmp", five) is Role.OUT
    assert OPERATIONS["transpose"].role_for("src", {"out": VEC, "src": VEC}) is Role.INOUT


def test_operand_that_does_not_exist_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        OPERATIONS["add"].operand("nothing")


def test_roles_that_write_are_those_that_locks_care_for() -> None:
    assert [role for role in Role if role.writes] == [Role.OUT, Role.INOUT, Role.SCRATCH]
    assert not Role.DESCRIPTOR.touches_data


def test_required_operands_are_those_without_default() -> None:
    assert Operand("x", Role.IN, Kind.TILE).required
    assert not Operand("x", Role.IN, Kind.TILE, None).required
    assert not Operand("x", Role.IN, Kind.TILE, variadic=True).required
