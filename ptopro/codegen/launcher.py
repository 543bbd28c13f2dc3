"""launcher.cpp: how the host calls a kernel.

For the simulator one translation unit holds the kernel once for each of its halves, each in its own namespace, and an
entry that unpacks `args` (args[i] points to the storage of argument i).  For the vendor compiler the same entry name
takes the arguments by value and launches with `<<<>>>`.  In a release each half of each key is a unit of its own.
"""

from __future__ import annotations

from ptopro.codegen.lines import compact
from ptopro.codegen.templates import render_template
from ptopro.codegen.writer import Writer
from ptopro.lowering import ir

_CORES = (("cube", "__DAV_CUBE__"), ("vector", "__DAV_VEC__"))


def launcher_text(
    kernel: ir.KernelIR,
    entry: str,
    launch: str,
    parameters: list[tuple[str, str]],
    headers: tuple[str, ...],
    *,
    uses_ffts: bool,
) -> str:
    """The text of launcher.cpp.  parameters: (C++ type, name) of everything that a caller gives.

    uses_ffts: the entry also takes the address of the flags between cores, which the launcher asks the runtime for.
    """
    present = {"cube": kernel.cube is not None, "vector": kernel.vector is not None}
    halves = [
        {
            "core": core,
            "guard": guard,
            "unpack": _unpack(f"void run_{core}", f"ptopro_{core}::{entry}_{core}", parameters, uses_ffts),
        }
        for core, guard in _CORES
        if present[core]
    ]
    rendered = render_template(
        "launcher.cpp.j2",
        kernel=kernel.name,
        headers=headers,
        entry=entry,
        halves=halves,
        simulator_entry=_simulator_entry(launch, present),
        vendor_entry=_vendor_entry(launch, entry, parameters, uses_ffts),
        uses_ffts=uses_ffts,
    )
    return compact(rendered)


def half_texts(
    kernel: ir.KernelIR, entry: str, parameters: list[tuple[str, str]], headers: tuple[str, ...], *, uses_ffts: bool
) -> dict[str, str]:
    """By core: a translation unit with that half alone, for releases, whose objects hold a half of one key each.

    The compiler is told its name: PTOPRO_SYMBOL takes `args`, so that the halves of many keys link into one library.
    """
    return {
        core: compact(
            render_template(
                "half.cpp.j2",
                kernel=kernel.name,
                core=core,
                guard=guard,
                headers=headers,
                entry=entry,
                unpack=_unpack('extern "C" void PTOPRO_SYMBOL', "PTOPRO_UNIT::PTOPRO_ENTRY", parameters, uses_ffts),
            )
        )
        for core, guard in _CORES
        if getattr(kernel, core) is not None
    }


def _unpack(head: str, called: str, parameters: list[tuple[str, str]], uses_ffts: bool) -> str:
    """`void run_vector(void* const* args) { ... }`: arguments out of their storage."""
    arguments = [f"*static_cast<{kind}*>(args[{index}])" for index, (kind, _) in enumerate(parameters)]
    if uses_ffts:
        arguments.append("nullptr")
    out = Writer()
    taken = f"{head}({'[[maybe_unused]] ' if not parameters else ''}void* const* args)"
    out.function(taken, f"{called}({', '.join(arguments)});")
    return "\n".join(line.text for line in out.lines)


def _simulator_entry(launch: str, present: dict[str, bool]) -> str:
    functions = [f"run_{core}" if present[core] else "nullptr" for core, _ in _CORES]
    out = Writer()
    out.open(f'extern "C" int {launch}(const PtoproLaunch* options, void* const* args, PtoproReport* report)')
    out.write(f"return ptopro_sim_launch(options, {functions[0]}, {functions[1]}, args, report);")
    out.close()
    return "\n".join(line.text for line in out.lines)


def _vendor_entry(launch: str, entry: str, parameters: list[tuple[str, str]], uses_ffts: bool) -> str:
    """Pointers come as bytes of device memory, everything else by value."""
    taken: list[str] = []
    passed: list[str] = []
    for kind, name in parameters:
        pointer = kind.startswith("__gm__")
        taken.append(f"uint8_t* {name}" if pointer else f"{kind} {name}")
        passed.append(f"reinterpret_cast<{kind}>({name})" if pointer else name)
    out = Writer()
    out.open(f'extern "C" void {launch}({", ".join(["uint32_t block_dim", "void* stream", *taken])})')
    if uses_ffts:
        out.write("uint64_t ffts_addr = 0;")
        out.write("uint32_t ffts_length = 0;")
        out.write("rtGetC2cCtrlAddr(&ffts_addr, &ffts_length);")
        passed.append("reinterpret_cast<__gm__ int64_t*>(ffts_addr)")
    out.note("clang-format off")  # which does not know <<<>>>
    out.write(f"{entry}<<<block_dim, nullptr, stream>>>(")
    out.depth += 2
    for index, argument in enumerate(passed or [""]):
        out.write(argument + ("," if index < len(passed) - 1 else ");"))
    out.depth -= 2
    out.note("clang-format on")
    out.close()
    return "\n".join(line.text for line in out.lines)
