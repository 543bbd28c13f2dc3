"""One kernel as C++: `generate(ir, options)` gives kernel.cpp, launcher.cpp, the signature and the line map.

kernel.cpp holds, in this order: named constants, helpers for Python's arithmetic, each half inside its guard (tile
types, structs, helper functions, the half itself), a dispatcher that calls the half being compiled, and the entry.
"""

from __future__ import annotations

from dataclasses import dataclass

from ptopro.codegen import functions, literals, simt, statements, tensors, tile_declarations
from ptopro.codegen.context import FunctionContext, HalfContext, pointer_type
from ptopro.codegen.expressions import NEEDS
from ptopro.codegen.flag_locks import finish, flags_word
from ptopro.codegen.launcher import half_texts, launcher_text
from ptopro.codegen.lines import Marks
from ptopro.codegen.names import Names, legal
from ptopro.codegen.options import CodegenOptions, Generated
from ptopro.codegen.signature import signature_of
from ptopro.codegen.templates import render_template
from ptopro.codegen.tiling import tiling_of
from ptopro.codegen.writer import Line, Writer
from ptopro.lowering import ir

FFTS_ADDRESS = ("__gm__ int64_t*", "ffts_addr")  # where A2 and A3 keep the flags between cores
GUARDS = {"cube": "__DAV_CUBE__", "vector": "__DAV_VEC__"}


@dataclass(frozen=True, slots=True)
class KernelNames:
    """The C++ names of a kernel: of its entry, its dispatcher, its halves, its parameters and dimensions."""

    entry: str
    impl: str
    halves: dict[str, str]
    launch: str


@dataclass(frozen=True, slots=True)
class Shared:
    """What both halves are written with: names of the file, of the kernel, of constants, of the tiling struct."""

    names: Names
    kernel: KernelNames
    constants: dict[str, str]
    tiling: str


@dataclass(slots=True)
class Half:
    """A written half."""

    context: HalfContext
    functions: list[list[Line]]
    parameters: tuple[str, ...]  # names of those kernel parameters and dimensions that it takes


def generate(kernel: ir.KernelIR, options: CodegenOptions | None = None) -> Generated:
    """C++ of a lowered kernel.  Raises DiagnosticError for what C++ cannot say."""
    options = options or CodegenOptions()
    names = Names()
    kernel_names = _kernel_names(kernel, names)
    tiling = tiling_of(kernel, names)
    constants = {const.name: names.give(const.name) for const in kernel.constants}
    written: dict[str, Half] = {}
    for core, function in (("cube", kernel.cube), ("vector", kernel.vector)):
        if function is not None:
            shared = Shared(names, kernel_names, constants, "" if tiling is None else tiling.type)
            written[core] = _half(kernel, core, function, shared, options)
    marks = Marks()
    parameters = _all_parameters(kernel, "" if tiling is None else tiling.type)
    headers: tuple[str, ...] = () if tiling is None else (tiling.header,)
    headers += tuple(sorted({header for half in written.values() for header in half.context.includes}))
    text = _render(kernel, kernel_names, constants, written, marks, parameters, headers)
    kernel_cpp, line_map = marks.resolve(text, "kernel.cpp")
    signature = signature_of(kernel, kernel_names.launch)
    uses_ffts = _uses_ffts(written)
    files = {
        "kernel.cpp": kernel_cpp,
        "launcher.cpp": launcher_text(
            kernel, kernel_names.entry, kernel_names.launch, parameters, headers, uses_ffts=uses_ffts
        ),
    }
    if tiling is not None:
        files[tiling.header] = tiling.text
    halves = half_texts(kernel, kernel_names.entry, parameters, headers, uses_ffts=uses_ffts)
    return Generated(kernel.name, files, signature, line_map, kernel.depends, halves)


def _kernel_names(kernel: ir.KernelIR, names: Names) -> KernelNames:
    entry = names.give(kernel.name)
    impl = names.give(f"{kernel.name}_impl")
    halves = {core: names.give(f"{kernel.name}_impl_{core}") for core in GUARDS}
    return KernelNames(entry, impl, halves, f"ptopro_launch_{entry}")


def _half(kernel: ir.KernelIR, core: str, function: ir.FunctionIR, shared: Shared, options: CodegenOptions) -> Half:
    own = Names()
    own.taken = {name: list(scopes) for name, scopes in shared.names.taken.items()}
    half = HalfContext(kernel, core, function, own, options)
    half.constant_names = shared.constants
    half.tiling_type = shared.tiling
    parts: list[list[Line]] = []
    used: tuple[str, ...] = ()
    for each in half.pruned.functions:
        ctx = simt.ThreadContext(half, each) if simt.is_thread_code(each) else FunctionContext(half, each)
        if each.kind == "vector_function":
            from ptopro.codegen.vector_functions import write_body

            write_body(ctx)
        else:
            statements.write_block(ctx, ctx.body, ())
        if each is function and half.flag_locks is not None and not _returns(ctx.body):
            ctx.out.begin(None)
            finish(ctx, half.flag_locks)
        head_lines = _head(ctx)
        if each is function:
            parameters = _used_parameters(ctx)
            prologue = ["set_mask_norm();", "set_vector_mask(-1, -1);"] if core == "vector" else []
            if half.uses_ffts and kernel.chip != "a5":
                parameters.append(FFTS_ADDRESS)
                prologue.insert(0, f"set_ffts_base_addr(reinterpret_cast<uint64_t>({FFTS_ADDRESS[1]}));")
            used = tuple(name for _, name in parameters)
            head = f"AICORE inline void {shared.kernel.halves[core]}({', '.join(f'{t} {n}' for t, n in parameters)})"
            parts.append(_assembled(ctx, head, [*(Line(f"  {text}") for text in prologue), *head_lines]))
        else:
            name = own.give(each.source_name or each.name)
            if isinstance(ctx, simt.ThreadContext):
                half.functions[id(each)] = simt.describe(ctx, name)
                parts.append(_assembled(ctx, simt.head(ctx, name), head_lines))
                continue
            info = functions.describe(ctx, name)
            half.functions[id(each)] = info
            head = f"AICORE inline {info.result} {name}({', '.join(functions.parameter_list(ctx))})"
            parts.append(_assembled(ctx, head, head_lines))
    return Half(half, parts, used)


def ends(block: ir.Block) -> bool:
    """Whether nothing behind a block is reached."""
    return bool(block) and isinstance(block[-1], ir.Return)


def _returns(body: ir.Block) -> bool:
    """Whether a body ends in a return, which has finished the locks."""
    return bool(body) and isinstance(body[-1], ir.Return)


def _assembled(ctx: FunctionContext, head: str, declarations: list[Line]) -> list[Line]:
    """Head, declarations, body."""
    out = Writer()
    if ctx.function.span is not None:
        place = ctx.half.options.locate(ctx.function.span)
        out.begin(place, f"{place[0].rpartition('/')[2]}:{place[1]}")
    out.open(head)
    out.lines += declarations
    body = ctx.out.lines
    if declarations and body:
        out.blank()
    out.lines += body
    out.close()
    return out.lines


def _head(ctx: FunctionContext) -> list[Line]:
    """What a function declares ahead of its statements; written last, when it is known what they use."""
    out, ctx.out = ctx.out, Writer(depth=1)
    for window in tensors.windows(ctx):
        if window.tensor.base is None or not ctx.owns(window.tensor):
            tensors.declare_window(ctx, window)
    window_lines = ctx.out.lines
    ctx.out = Writer(depth=1)
    for array in ctx.needed.arrays:
        values = ", ".join(literals.number(value, array.dtype) for value in array.values)
        ctx.out.write(f"constexpr {array.dtype.c} {ctx.name_of(array, array.name)}[] = {{{values}}};")
    for text in ctx.views:
        ctx.out.write(text)
    for var in ctx.function.params:
        if isinstance(var, ir.TileVar) and ctx.region(var).writes:
            given = ctx.name_of(("given", var), f"{ctx.local(var)}_given")
            ctx.out.write(f"{ctx.half.types.name(var.spec)}* {ctx.local(var)} = &{given};")
    if ctx.is_kernel and ctx.half.flag_locks is not None:
        words = [f"{flags_word(ctx, pair)} = 0" for pair in ctx.half.flag_locks.pairs]
        if words:
            ctx.out.note("locks: flags that are set, a bit for each event")
            ctx.out.write(f"uint32_t {', '.join(words)};")
    other = ctx.out.lines
    ctx.out = out
    return [*tile_declarations.declarations(ctx), *window_lines, *other]


def _used_parameters(ctx: FunctionContext) -> list[tuple[str, str]]:
    """(type, name) of the kernel parameters and dimensions that a half uses, in order."""
    result: list[tuple[str, str]] = []
    for param in ctx.half.kernel.params:
        if param.value in ctx.needed.parameters:
            result.append((_parameter_type(param, ctx.half.tiling_type), ctx.name_of(param.value, param.name)))
    for var, _, _ in ctx.half.kernel.dynamic_dims:
        if var in ctx.needed.parameters:
            result.append(("int64_t", ctx.local(var)))
    return result


def _parameter_type(param: ir.Param, tiling: str) -> str:
    """The C++ type of a kernel parameter; tiling: the struct's name."""
    if param.dtype is None:
        return f"const {tiling}"
    return param.dtype.c if param.kind == "scalar" else pointer_type(param.dtype)


def _all_parameters(kernel: ir.KernelIR, tiling: str) -> list[tuple[str, str]]:
    """(type, name) of everything the entry takes."""
    names = Names(Names())
    result = [(_parameter_type(param, tiling), names.give(param.name)) for param in kernel.params]
    return result + [("int64_t", names.give(var.name)) for var, _, _ in kernel.dynamic_dims]


def _uses_ffts(written: dict[str, Half]) -> bool:
    """Whether the entry takes the address of the flags between cores."""
    return any(half.context.uses_ffts and half.context.kernel.chip != "a5" for half in written.values())


def _render(
    kernel: ir.KernelIR,
    names: KernelNames,
    constants: dict[str, str],
    written: dict[str, Half],
    marks: Marks,
    parameters: list[tuple[str, str]],
    headers: tuple[str, ...],
) -> str:
    shared = [
        const for const in kernel.constants if all(const.name in half.context.constants for half in written.values())
    ]
    if _uses_ffts(written):
        parameters = [*parameters, FFTS_ADDRESS]
    helpers = {name for half in written.values() for name in half.context.helpers}
    helpers |= {needed for name in helpers for needed in NEEDS.get(name, ())}
    halves = [
        {
            "guard": GUARDS[core],
            "constants": "\n".join(
                _constant(const, constants) for const in half.context.constants.values() if const not in shared
            ),
            "types": _types(half.context),
            "functions": [marks.marked(lines) for lines in half.functions],
            "call": _written(f"{names.halves[core]}({', '.join(half.parameters)});", 1),
        }
        for core, half in written.items()
    ]
    in_all = set(written["cube"].parameters if "cube" in written else written["vector"].parameters)
    for half in written.values():
        in_all &= set(half.parameters)
    listed = ", ".join(f"{'' if n in in_all else '[[maybe_unused]] '}{t} {n}" for t, n in parameters)
    plain = ", ".join(f"{t} {n}" for t, n in parameters)
    passed = ", ".join(n for _, n in parameters)
    entry = Writer()
    entry.function(f'extern "C" __global__ AICORE void {names.entry}({plain})', f"{names.impl}({passed});")
    return render_template(
        "kernel.cpp.j2",
        title=_title(kernel),
        headers=headers,
        constants="\n".join(_constant(const, constants) for const in shared),
        helpers=helpers,
        halves=halves,
        dispatcher=_written(f"AICORE inline void {names.impl}({listed}) {{", 0),
        entry="\n".join(line.text for line in entry.lines),
    )


def _title(kernel: ir.KernelIR) -> str:
    out = Writer()
    out.note(f"Kernel {kernel.name} of {kernel.path.rpartition('/')[2]}, written by ptopro.")
    return "\n".join(line.text for line in out.lines)


def _written(text: str, depth: int) -> str:
    out = Writer(depth)
    out.write(text)
    return "\n".join(line.text for line in out.lines)


def _constant(const: ir.NamedConst, names: dict[str, str]) -> str:
    return f"constexpr {const.dtype.c} {names[const.name]} = {literals.number(const.value, const.dtype)};"


def _types(half: HalfContext) -> str:
    """Tile types, structs of the kernel, structs that helpers return."""
    out = Writer()
    for name, text in half.types.aliases:
        out.write(f"using {name} = {text};")
    for struct, name in half.structs.items():
        out.blank()
        out.open(f"struct {name}")
        for field, dtype, length in struct.fields:
            out.write(f"{dtype.c} {legal(field)}{f'[{length}]' if length else ''};")
        out.close(";")
    for name, fields in half.result_structs:
        out.blank()
        out.open(f"struct {name}")
        for declaration in fields:
            out.write(f"{declaration};")
        out.close(";")
    return "\n".join(line.text for line in out.lines)
