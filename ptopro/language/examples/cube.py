"""An example for a product: operands from global memory through L1 into the matrix unit, the result back."""

from __future__ import annotations

from dataclasses import dataclass

from ptopro.language.operations.model import Operation

M, K, N = 64, 64, 32
_SCALES = "FP8E8M0"


@dataclass(frozen=True, slots=True)
class _Input:
    """An operand: its way from a tensor through L1 into the memory that the matrix unit reads."""

    shape: tuple[int, int]
    memory: str
    dtype: str
    layout: str = ""  # in L1
    tensor: tuple[int, ...] = ()  # shape in global memory, where it is another

    def kind(self, memory: str) -> str:
        layout = self.layout if memory == "Mat" else ""
        return (
            f"pl.TileType(shape=[{self.shape[0]}, {self.shape[1]}], dtype=pl.DT_{self.dtype}, "
            f"target_memory=pl.MemorySpace.{memory}{layout})"
        )


def product(operation: Operation) -> str:
    """A kernel with one product, accumulated twice where the operation accumulates."""
    scaled = "_mx" in operation.name
    rows = 1 if operation.name.startswith("gemv") else M
    element = "FP8E4M3FN" if scaled else "FP16"
    inputs = {
        "lhs": _Input((rows, K), "Left", element),
        "rhs": _Input((K, N), "Right", element),
        "scale_a": _Input((rows, K // 32), "ScaleLeft", _SCALES, ", layout=pl.ZZ", (rows, K // 64, 2)),
        "scale_b": _Input((K // 32, N), "ScaleRight", _SCALES, ", layout=pl.NN", (K // 64, N, 2)),
        "bias": _Input((1, N), "Bias", "FP32"),
    }
    names = [operand.name.removesuffix("_tile") for operand in operation.operands if operand.required]
    used = {name: inputs[name] for name in names if name in inputs}
    return "\n".join(
        [
            "import ptopro.language as pl",
            "",
            "",
            "@pl.jit(auto_mutex=True)",
            "def example(",
            f"    out: pl.Tensor[[{rows}, {N}], pl.DT_FP32],",
            *(
                f"    {name}_gm: pl.Tensor[{list(each.tensor or each.shape)}, pl.DT_{each.dtype}],"
                for name, each in used.items()
            ),
            "):",
            *_groups(used, rows),
            "    with pl.section_cube():",
            "        acc = acc_l0.next()",
            *_moves(used),
            *(f"        {line}" for line in _calls(operation, names)),
            "        pl.store(out, acc, [0, 0])",
            "",
        ]
    )


def _groups(used: dict[str, _Input], rows: int) -> list[str]:
    acc = f"pl.TileType(shape=[{rows}, {N}], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)"
    lines = [f"    acc_l0 = pl.make_tile_group(type={acc}, addrs=0x0000, mutex_ids=[0])"]
    for number, (name, each) in enumerate(used.items(), 1):
        lines += [
            f"    {name}_l1 = pl.make_tile_group(",
            f"        type={each.kind('Mat')}, addrs=0x{number * 0x4000:05X}, mutex_ids=[{2 * number}]",
            "    )",
            f"    {name}_l0 = pl.make_tile_group(",
            f"        type={each.kind(each.memory)}, addrs=0x0000, mutex_ids=[{2 * number + 1}]",
            "    )",
        ]
    return lines


def _moves(used: dict[str, _Input]) -> list[str]:
    lines = []
    for name, each in used.items():
        offsets = [0] * len(each.tensor or each.shape)
        lines += [
            f"        {name}_in, {name} = {name}_l1.next(), {name}_l0.next()",
            f"        pl.load({name}_in, {name}_gm, {offsets})",
            f"        pl.move({name}, {name}_in)",
        ]
    return lines


def _calls(operation: Operation, names: list[str]) -> list[str]:
    """The product; one that accumulates follows the one that starts the sum."""
    words = {"dst": "acc", "out": "acc"}
    call = f"pl.{operation.name}({', '.join(words.get(name, name) for name in names)})"
    if "_acc" not in operation.name:
        return [call]
    start = [words.get(name, name) for name in names if name != "acc"]
    return [f"pl.{operation.name.removesuffix('_acc')}({', '.join(start)})", call]
