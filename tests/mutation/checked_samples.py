"""The samples with inputs small enough to check often, and large enough that every buffer is used again.

Out: `SAMPLES`, by the name of the file; `kernel_of`, `request_of`, `inputs_of` and the launches of a built form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ptopro.check.builds import Built, Kernel, build, read_kernel
from ptopro.check.inputs import Inputs, make_inputs
from ptopro.check.request import Given, Request
from ptopro.diagnostics import Sink
from ptopro.expand.driver import expand_file
from ptopro.expand.model import ExpandOptions
from ptopro.frontend.source import load_module
from ptopro.lowering.target import Target

FOLDER = Path(__file__).parents[2] / "samples"
TARGET = Target(chip="a5")
Setting = int | tuple[int, ...] | None  # preload; None: what the sample says


@dataclass(frozen=True)
class Sample:
    """preloads: the settings of its pipeline that its slots carry; None stands for a kernel without a pipeline.

    also: further shapes and numbers, for branches that the first do not take.
    """

    name: str
    shapes: Mapping[str, tuple[int, ...]]
    args: Mapping[str, Given] = field(default_factory=dict)
    cores: int = 1
    preloads: tuple[Setting, ...] = (None,)
    also: tuple[tuple[Mapping[str, tuple[int, ...]], Mapping[str, Given]], ...] = ()

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.py"

    @property
    def mutated(self) -> tuple[Setting, ...]:
        """The settings whose expansions are mutated: the sample's own, and all stages of a task in its round."""
        return (None,) if self.preloads == (None,) else (None, self.preloads[0])

    @property
    def requests(self) -> list[Request]:
        given = [(self.shapes, self.args), *self.also]
        return [Request(shapes=shapes, args=args, cores=self.cores) for shapes, args in given]


def _chain(tasks: int, *names: str) -> dict[str, tuple[int, ...]]:
    return {"w": (128, 128), "v": (128, 128), **dict.fromkeys(names, (tasks * 128, 128))}


_QKV = {"q": (384, 128), "k": (512, 128), "v": (512, 128), "out": (384, 128)}
_EIGHT_TASKS = dict.fromkeys(("q", "out"), (256, 128))  # the last of them are in other slots than the last of twelve
_ONE_BLOCK_OF_KEYS = dict.fromkeys("kv", (128, 128))  # every task is the first and the last of its query
_ATTENTION = {**_QKV, "mask": (128, 128)}
_MLA = {
    "q": (256, 512), "q_rope": (256, 64), "latent": (12, 64, 512), "rope": (12, 64, 64), "pages": (2, 6),
    "lengths": (2,), "out": (256, 512),
}  # fmt: skip
_PAGES = (5, 2, 7, 11, 8, 10, 0, 1, 6, 3, 4, 9)
SAMPLES = {
    sample.name: sample
    for sample in (
        Sample("add", dict.fromkeys("xyz", (256, 200))),
        Sample("softmax", {"x": (160, 700), "out": (160, 700)}),
        Sample(
            "layernorm", {"x": (160, 300), "gamma": (1, 300), "beta": (1, 300), "out": (160, 300)}, {"scale": 1 / 300}
        ),
        Sample(
            "matmul",
            {"a": (300, 400), "b": (400, 260), "c": (300, 260)},
            also=(({"a": (300, 100), "b": (100, 300), "c": (300, 300)}, {}),),
        ),
        Sample("matmul_relu_gm", dict.fromkeys(("a", "product", "out"), (896, 128))),
        Sample("transpose_load", {"a": (256, 192), "b": (256, 256), "c": (192, 256)}),
        Sample("matmul_softmax", {"a": (512, 128), "b": (128, 128), "out": (512, 128)}),
        Sample(
            "relu_chain",
            _chain(7, "x", "out"),
            preloads=(0, 1, 2),
            also=((_chain(6, "x", "out"), {}),),
        ),
        Sample(
            "two_pipelines",
            _chain(7, "x", "middle", "out"),
            preloads=((0, 0), (1, 1), (1, 2), (2, 1)),
            also=((_chain(6, "x", "middle", "out"), {}), (_chain(1, "x", "middle", "out"), {})),
        ),
        Sample(
            "flash_attention",
            _ATTENTION,
            {"scale": 0.088, "causal": 1},
            preloads=(0, 1, 2),
            also=(
                (_ATTENTION, {"scale": 0.088, "causal": 0}),
                ({**_ATTENTION, **_EIGHT_TASKS}, {"scale": 0.088, "causal": 0}),
            ),
        ),
        Sample("softmax_vf", {"x": (160, 600), "out": (160, 600)}),
        Sample("layernorm_vf", {"x": (160, 300), "gamma": (1, 300), "beta": (1, 300), "out": (160, 300)}),
        Sample("rope_vf", {"x": (160, 512), "cosine": (160, 64), "sine": (160, 64), "out": (160, 512)}),
        Sample("topk_simt", {"x": (8, 1024), "values": (8, 8), "places": (8, 8)}),
        Sample(
            "flash_attention_vf",
            _QKV,
            {"scale": 0.088},
            preloads=(0, 1, 2),
            also=tuple(({**_QKV, **less}, {"scale": 0.088}) for less in (_EIGHT_TASKS, _ONE_BLOCK_OF_KEYS)),
        ),
        Sample("mla_decode", _MLA, {"scale": 0.072, "pages": _PAGES, "lengths": (330, 101)}, preloads=(0, 1, 2)),
    )
}


def read(sample: Sample, text: str | None = None) -> tuple[Kernel | None, Sink]:
    """The kernel of a sample, or of another text in its place."""
    sink = Sink()
    module = load_module(str(sample.path), text, sink=sink)
    kernel = None if sink.has_errors else read_kernel(module.kernels[0], TARGET, sink)
    return kernel, sink


def expanded_text(sample: Sample, setting: Setting = None) -> str:
    """What `ptopro expand` writes for a sample."""
    sink = Sink()
    (expansion,) = expand_file(str(sample.path), options=ExpandOptions(preload=setting), sink=sink)
    assert not sink.has_errors, sink.diagnostics
    return expansion.text


def inputs_of(sample: Sample, kernel: Kernel) -> list[Inputs]:
    return [make_inputs(kernel.interface, request, kernel.defaults) for request in sample.requests]


def built(kernel: Kernel, form: str, folder: Path, preload: Setting = None) -> tuple[Built | None, Sink]:
    sink = Sink()
    return build(kernel, form, TARGET, folder, sink, preload=preload, counts_blocks=True), sink
