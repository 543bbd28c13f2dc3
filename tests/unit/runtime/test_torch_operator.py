"""Kernels as custom operators of torch: eager, compiled, exported, on meta tensors, and with wrong inputs."""

import itertools

import pytest

torch = pytest.importorskip("torch")

import ptopro.language as pl  # noqa: E402 - torch first: without it there is nothing to test
from ptopro.diagnostics import DiagnosticError  # noqa: E402
from ptopro.torch import custom_op  # noqa: E402

ROWS = 8
_numbers = itertools.count()


@pl.jit(auto_mutex=True)
def scaled(
    x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32],
    out: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32],
    factor: pl.DT_FP32,
):
    tile = pl.TileType(shape=[ROWS, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), x.shape[0] // ROWS, pl.get_block_num()):
            cur = ub.next()
            pl.load(cur, x, [i * ROWS, 0])
            pl.mul(cur, cur, factor)
            pl.store(out, cur, [i * ROWS, 0])


def fresh():
    """A name that no other test has registered."""
    return f"ptopro_test::scaled_{next(_numbers)}"


@pytest.fixture(scope="module")
def operator():
    return custom_op(fresh(), scaled, outputs={"out": "x"}, block_dim=lambda x, factor: min(2, x.shape[0] // ROWS))


def test_eager_runs_the_kernel_and_leaves_the_inputs_alone(operator):
    x = torch.arange(16 * 64, dtype=torch.float32).reshape(16, 64)
    before = x.clone()
    assert torch.equal(operator(x, 2.0), before * 2)
    assert torch.equal(x, before)


def test_strided_inputs_are_made_contiguous(operator):
    x = torch.randn(64, 16).t()
    assert torch.equal(operator(x, 2.0), x * 2)


def test_the_schema_is_the_signature(operator):
    schema = operator.default._schema
    assert [(a.name, str(a.type)) for a in schema.arguments] == [("x", "Tensor"), ("factor", "float")]
    assert [str(result.type) for result in schema.returns] == ["Tensor"]


def test_compiled_graphs_keep_the_operator(operator):
    seen = []

    def backend(module, inputs):
        seen.extend(str(node.target) for node in module.graph.nodes)
        return module.forward

    compiled = torch.compile(lambda x: operator(x + 1, 3.0) - 1, backend=backend, fullgraph=True)
    x = torch.randn(8, 64)
    assert torch.equal(compiled(x), (x + 1) * 3 - 1)
    assert any("scaled" in target for target in seen)


def test_export_keeps_the_operator(operator):
    class Model(torch.nn.Module):
        def forward(self, x):
            return operator(x, 0.5)

    x = torch.randn(8, 64)
    program = torch.export.export(Model(), (x,))
    assert torch.equal(program.module()(x), x * 0.5)


def test_meta_tensors_give_shape_and_type(operator):
    made = operator(torch.empty(24, 64, device="meta"), 1.0)
    assert (made.device.type, made.shape, made.dtype) == ("meta", (24, 64), torch.float32)


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_wrong_inputs_are_refused_in_every_mode(operator, device):
    with pytest.raises(TypeError, match=r"`x` must be torch.float32, not torch.float64"):
        operator(torch.empty(8, 64, dtype=torch.float64, device=device), 1.0)
    with pytest.raises(ValueError, match="`x` must have 2 axes, not 3"):
        operator(torch.empty(8, 64, 1, device=device), 1.0)
    with pytest.raises(RuntimeError, match="`x`: axis 1 must be 64, not 32"):
        operator(torch.empty(8, 32, device=device), 1.0)
    with pytest.raises(RuntimeError):  # of the schema
        operator(torch.empty(8, 64, device=device), "two")


def test_outputs_by_a_function(operator):
    again = custom_op(fresh(), scaled, outputs={"out": lambda x, factor: (x.shape[0], 64)})
    x = torch.randn(8, 64)
    assert torch.equal(again(x, 2.0), x * 2)


@pytest.mark.parametrize(
    ("name", "outputs", "problem"),
    [
        ("no_namespace", {"out": "x"}, "namespace::name"),
        (None, {}, "no outputs"),
        (None, {"nothing": "x"}, "`nothing` is no tensor"),
        (None, {"out": "factor"}, "which is no input tensor"),
        (None, {"out": 7}, "not 7"),
    ],
)
def test_a_declaration_that_does_not_fit(name, outputs, problem):
    with pytest.raises(DiagnosticError, match=problem) as error:
        custom_op(name or fresh(), scaled, outputs=outputs)
    assert error.value.diagnostics[0].code == "PTO2011"
