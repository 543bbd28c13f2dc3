"""Run a lowered half on numbers, and run the same kernel as plain Python: both yield the operations in order.

The replay is the meaning of the IR: `//` and `%` that are marked nonnegative are computed as C does, so that a wrong
proof shows.  Tiles are named by memory and address.
"""

from __future__ import annotations

import contextlib
import math
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ptopro.language import enums
from ptopro.language.dtypes import DTYPES, DType
from ptopro.lowering import ir

Event = tuple[Any, ...]
BLOCKS = {"get_block_idx": 1, "get_block_num": 3, "get_subblock_idx": 1, "get_subblock_num": 2}
LIMIT = 100_000


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values


class Replay:
    """Executes the IR of one half."""

    def __init__(self, kernel: ir.KernelIR, core: str, arguments: dict[str, Any]) -> None:
        self.kernel = kernel
        self.half = getattr(kernel, core)
        self.events: list[Event] = []
        self.memory: dict[tuple[str, int], Any] = {}
        self.cursors: dict[ir.GroupDecl, int] = {}
        self.structs: dict[ir.StructVar, list[dict[str, Any]]] = {}
        self.dims: dict[ir.Var, int] = {}
        self.steps = 0
        values: dict[Any, Any] = {}
        for param in kernel.params:
            given = arguments.get(param.name)
            if isinstance(param.value, ir.Var):
                values[param.value] = given
            for axis, dim in enumerate(param.dims):
                if isinstance(dim, ir.Var):
                    self.dims[dim] = given[axis]
        self.run(self.half, values)

    def run(self, function: ir.FunctionIR, values: dict[Any, Any]) -> tuple[Any, ...]:
        try:
            self.block(function.body, values)
        except _Return as result:
            return result.values
        return ()

    def block(self, block: ir.Block, env: dict[Any, Any]) -> None:
        for stmt in block:
            self.steps += 1
            assert self.steps < LIMIT, "the replay does not end"
            self.statement(stmt, env)

    def statement(self, stmt: ir.Stmt, env: dict[Any, Any]) -> None:
        match stmt:
            case ir.Assign():
                env[stmt.var] = self.expr(stmt.value, env)
                if stmt.var.dtype.is_int and not stmt.var.pointer:
                    assert isinstance(env[stmt.var], int), (stmt.var.name, env[stmt.var])
            case ir.DeclareGroup():
                self.cursors[stmt.decl] = stmt.decl.depth - 1
            case ir.Advance():
                self.cursors[stmt.group] = (self.cursors[stmt.group] + 1) % stmt.group.depth
            case ir.BindTile():
                env[stmt.var] = self.tile(stmt.tile, env)
                assert ir.origins_of(stmt.tile) <= stmt.var.origins
            case ir.If():
                self.block(stmt.then if self.expr(stmt.test, env) else stmt.other, env)
            case ir.For():
                start, stop, step = (self.expr(e, env) for e in (stmt.start, stmt.stop, stmt.step))
                assert stmt.step_sign == 0 or (step > 0) == (stmt.step_sign > 0)
                for value in range(start, stop, step):
                    env[stmt.var] = value
                    if not self.round(stmt.body, env):
                        break
            case ir.While():
                while self.expr(stmt.test, env):
                    if not self.round(stmt.body, env):
                        break
            case ir.Break():
                raise _Break
            case ir.Continue():
                raise _Continue
            case ir.Return():
                raise _Return(tuple(self.any(v, env) for v in stmt.values))
            case ir.Operate():
                self.operate(stmt, env)
            case ir.CallStmt():
                results = self.call(stmt.function, stmt.args, env)
                for var, value in zip(stmt.results, results, strict=False):
                    env[var] = value
                assert not stmt.results or len(stmt.results) == len(results)
            case ir.StructDeclare():
                first = {name: [self.expr(e, env) for e in exprs] for name, exprs in stmt.values}
                self.structs[stmt.var] = [
                    {name: list(items) for name, items in first.items()} for _ in range(max(stmt.var.count, 1))
                ]
            case ir.StructWrite():
                at = 0 if stmt.at is None else self.expr(stmt.at, env)
                index = 0 if stmt.index is None else self.expr(stmt.index, env)
                self.structs[stmt.var][at][stmt.field][index] = self.expr(stmt.value, env)
            case ir.Lock():
                self.events.append(("lock" if stmt.acquire else "unlock", stmt.pipe.name))
            case _:
                pass

    def round(self, body: ir.Block, env: dict[Any, Any]) -> bool:
        try:
            self.block(body, env)
        except _Continue:
            return True
        except _Break:
            return False
        return True

    def operate(self, stmt: ir.Operate, env: dict[Any, Any]) -> None:
        name = stmt.operation.name
        values = [(use.name, self.any(use.value, env)) for use in stmt.operands]
        if name == "setval":
            container, offset, value = (v for _, v in values)
            self.memory[container, offset] = value
        self.events.append((name, *(v for _, v in values)))

    def call(self, function: ir.FunctionIR, args: tuple[Any, ...], env: dict[Any, Any]) -> tuple[Any, ...]:
        inner = dict(zip(function.params, (self.any(a, env) for a in args), strict=True))
        return self.run(function, inner)

    def any(self, value: Any, env: dict[Any, Any]) -> Any:
        if isinstance(value, ir.TileRef | ir.SlotRef | ir.TileVarRef | ir.SubView | ir.ChooseTile):
            return self.tile(value, env)
        if isinstance(value, tuple | list):
            return tuple(self.any(v, env) for v in value)
        if isinstance(value, ir.TensorDecl):
            return value.name
        if isinstance(value, ir.GroupDecl):
            return (value.spec.memory.name, value.addrs[0], "group")
        if isinstance(value, str | int | float | bool | None | DType) or not hasattr(value, "dtype"):
            return value
        return self.expr(value, env)

    def tile(self, tile: ir.TileExpr, env: dict[Any, Any]) -> Any:
        match tile:
            case ir.TileRef():
                return (tile.decl.spec.memory.name, tile.decl.addr)
            case ir.SlotRef():
                return (tile.group.spec.memory.name, tile.group.addrs[self.slot(tile, env)])
            case ir.TileVarRef():
                return env[tile.var]
            case ir.SubView():
                numbers = (self.expr(e, env) for e in (tile.row, tile.col))
                return (*self.tile(tile.base, env)[:2], *numbers)
            case ir.ChooseTile():
                return self.tile(tile.then if self.expr(tile.test, env) else tile.other, env)

    def slot(self, ref: ir.SlotRef, env: dict[Any, Any]) -> int:
        if ref.index == "current":
            return self.cursors[ref.group]
        if ref.index == "previous":
            return (self.cursors[ref.group] - 1) % ref.group.depth
        return ref.index if isinstance(ref.index, int) else self.expr(ref.index, env)

    def expr(self, expr: Any, env: dict[Any, Any]) -> Any:
        match expr:
            case ir.Const():
                return expr.value
            case ir.VarRef():
                return self.dims[expr.var] if expr.var in self.dims else env[expr.var]
            case ir.Unary():
                value = self.expr(expr.operand, env)
                return not value if expr.op == "not" else -value if expr.op == "-" else ~value
            case ir.Binary():
                return self.binary(expr, env)
            case ir.Choose():
                return self.expr(expr.then if self.expr(expr.test, env) else expr.other, env)
            case ir.Cast():
                return _cast(self.expr(expr.operand, env), expr.dtype)
            case ir.SystemValue():
                return BLOCKS[expr.name]
            case ir.ArrayRead():
                return expr.array.values[self.expr(expr.index, env)]
            case ir.StructRead():
                at = 0 if expr.at is None else self.expr(expr.at, env)
                index = 0 if expr.index is None else self.expr(expr.index, env)
                return self.structs[expr.var][at][expr.field][index]
            case ir.ElementRead():
                return self.memory.get((self.any(expr.container, env), self.expr(expr.offset, env)), 0)
            case ir.Call():
                return self.call(expr.function, expr.args, env)[0]
            case ir.IsNull():
                return self.expr(expr.pointer, env) is None
            case ir.PointerOf():
                if isinstance(expr.base, ir.TensorDecl):
                    return (expr.base.name, 0)
                base = self.expr(expr.base, env)
                return (base[0], base[1] + (0 if expr.offset is None else self.expr(expr.offset, env)))
            case _:
                raise AssertionError(f"the replay does not know {expr!r}")

    def binary(self, expr: ir.Binary, env: dict[Any, Any]) -> Any:
        left = self.expr(expr.left, env)
        if expr.op == "and":
            return bool(left) and bool(self.expr(expr.right, env))
        if expr.op == "or":
            return bool(left) or bool(self.expr(expr.right, env))
        right = self.expr(expr.right, env)
        if expr.common.is_float:
            left, right = float(left), float(right)
        if expr.op in ("//", "%") and expr.nonnegative:
            assert left >= 0 and right > 0, f"{left} {expr.op} {right} was said to be not negative"
        rules = {
            "+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right, "/": lambda: left / right,
            "//": lambda: left // right, "%": lambda: left % right, "**": lambda: left**right,
            "&": lambda: left & right, "|": lambda: left | right, "^": lambda: left ^ right,
            "<<": lambda: left << right, ">>": lambda: left >> right, "min": lambda: min(left, right),
            "max": lambda: max(left, right), "==": lambda: left == right, "!=": lambda: left != right,
            "<": lambda: left < right, "<=": lambda: left <= right, ">": lambda: left > right,
            ">=": lambda: left >= right,
        }  # fmt: skip
        return rules[expr.op]()


def _cast(value: Any, dtype: DType) -> Any:
    if dtype.is_float:
        return float(value)
    return bool(value) if dtype.kind == "bool" else math.trunc(value)


# --------------------------------------------------------------------------------------------------------------------
# The same kernel as plain Python


class _Tile:
    def __init__(self, recorder: Recorder, place: tuple[Any, ...]) -> None:
        self.recorder, self.place = recorder, place

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, tuple) and isinstance(index[0], slice):
            return _Tile(self.recorder, (*self.place, index[0].start, index[1].start))
        return self.recorder.memory.get((self.place, index[0] * 64 + index[1]), 0)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.recorder.setval(self, index[0] * 64 + index[1], value)


class _Group:
    def __init__(self, recorder: Recorder, places: list[tuple[str, int]]) -> None:
        self.tiles = [_Tile(recorder, place) for place in places]
        self.place = (*places[0], "group")
        self.cursor = len(places) - 1

    def next(self) -> _Tile:
        self.cursor = (self.cursor + 1) % len(self.tiles)
        return self.tiles[self.cursor]

    def current(self) -> _Tile:
        return self.tiles[self.cursor]

    def previous(self) -> _Tile:
        return self.tiles[(self.cursor - 1) % len(self.tiles)]

    def __getitem__(self, index: int) -> _Tile:
        return self.tiles[index]

    def __len__(self) -> int:
        return len(self.tiles)


class _Tensor:
    def __init__(self, recorder: Recorder, name: str, shape: tuple[int, ...]) -> None:
        self.recorder, self.place, self.shape = recorder, name, shape


class Recorder:
    """A stand-in for `pl` that performs nothing and writes down what it is asked to do."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.memory: dict[tuple[Any, int], Any] = {}
        self.DYNAMIC, self.STATIC = -1, -2
        self.Tensor = self.Ptr = {}
        self.range, self.min, self.max = range, min, max
        self.PipeType, self.MemorySpace = enums.PipeType, enums.MemorySpace
        for name, dtype in DTYPES.items():
            setattr(self, name, _number_type(dtype))
        for name, value in BLOCKS.items():
            setattr(self, name, lambda value=value: value)

    def jit(self, *args: Any, **options: Any) -> Any:
        return args[0] if args else (lambda function: function)

    inline = staticmethod(lambda function: function)

    @property
    def pipeline(self) -> Any:
        return types.SimpleNamespace(stage=lambda function: function)

    @contextlib.contextmanager
    def section_vector(self) -> Iterator[None]:
        yield

    @contextlib.contextmanager
    def section_cube(self) -> Iterator[None]:
        yield

    def TileType(self, shape: Any, dtype: Any, target_memory: Any = None, **rest: Any) -> Any:
        return types.SimpleNamespace(
            shape=shape, memory=(target_memory or enums.MemorySpace.Vec).name, size=dtype.bytes
        )

    def make_tile_group(self, type: Any, addrs: Any, mutex_ids: Any = None, depth: int | None = None) -> _Group:
        count = depth or len(mutex_ids)
        size = type.shape[0] * type.shape[1] * type.size
        starts = addrs if isinstance(addrs, list) else [addrs + i * size for i in range(count)]
        return _Group(self, [(type.memory, start) for start in starts])

    def make_tile(self, type: Any, addr: int, size: int = 0) -> _Tile:
        return _Tile(self, (type.memory, addr))

    def make_tuple(self, **fields: Any) -> Any:
        return types.SimpleNamespace(**fields)

    def struct(self, name: str, **fields: Any) -> Any:
        return types.SimpleNamespace(**{k: list(v) if isinstance(v, list) else v for k, v in fields.items()})

    def struct_array(self, count: int, name: str, **fields: Any) -> Any:
        return [self.struct(name, **fields) for _ in range(count)]

    def const(self, value: Any, dtype: Any) -> Any:
        return value

    def constexpr(self, value: Any) -> Any:
        return value

    def getval(self, container: Any, offset: int) -> Any:
        return self.memory.get((container.place, offset), 0)

    def setval(self, container: Any, offset: int, value: Any) -> None:
        self.memory[container.place, offset] = value
        self.events.append(("setval", container.place, offset, value))

    def __getattr__(self, name: str) -> Any:
        def operation(*args: Any, **keywords: Any) -> None:
            self.events.append((name, *(_place(a) for a in args), *(_place(v) for v in keywords.values())))

        return operation


def _number_type(dtype: DType) -> Any:
    class Number:
        bytes = dtype.bytes

        def __new__(cls, value: Any) -> Any:
            return _cast(value, dtype)

        def __getitem__(self, item: Any) -> Any:
            return self

    return Number


def _place(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_place(v) for v in value)
    return getattr(value, "place", value)


def as_python(text: str, arguments: dict[str, Any], name: str = "k") -> list[Event]:
    """What the kernel does when it runs as plain Python."""
    recorder = Recorder()
    code = "\n".join(line for line in text.splitlines() if not line.startswith(("import pypto_pro", "from __future__")))
    scope: dict[str, Any] = {"pl": recorder, "__name__": "k"}
    exec(compile("from __future__ import annotations\n" + code, "k.py", "exec"), scope)
    given = {
        key: _Tensor(recorder, key, value) if isinstance(value, tuple) else value for key, value in arguments.items()
    }
    scope[name](**given)
    return recorder.events


def same(left: Any, right: Any) -> bool:
    """Whether two recorded values agree, floats to FP32 precision."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float) or isinstance(right, float):
        return bool(np.float32(left) == np.float32(right)) or bool(abs(left - right) <= 1e-5 * abs(right))
    return bool(left == right)
