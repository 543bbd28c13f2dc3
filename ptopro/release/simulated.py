"""The build graph of a release with the host's compiler: an object for each half of each key, one library of all.

The library names the simulator it was linked with but not where it lies, and objects are compiled for no machine in
particular, so a release has the same bytes wherever it is built.
"""

from __future__ import annotations

from ptopro.build.compile_edges import Tools, object_edge
from ptopro.build.graph import OUTPUT, Edge
from ptopro.build.simulator import runtime_library
from ptopro.release.unit import Release, Unit


def edges(release: Release, tool: Tools) -> list[Edge]:
    """The edges to the objects and to the library; the sources of each unit are `.compile/<core>.cpp`."""
    objects = [_object(unit, tool) for unit in release.units]
    runtime = runtime_library(tool.compiler)
    names = tuple(edge.output for edge in objects)
    link = (*tool.compiler.command, "-shared", "-Wl,--build-id=none", *names, str(runtime), "-o", OUTPUT)
    return [*objects, Edge(release.library, names, link, f"link {release.operator}.o", version=tool.compiler.identity)]


def _object(unit: Unit, tool: Tools) -> Edge:
    definitions = (
        f"PTOPRO_SYMBOL={unit.symbol}",
        f"PTOPRO_UNIT=unit_{unit.symbol}_{unit.core}",
        f"PTOPRO_ENTRY={unit.symbol}_{unit.core}",
    )
    return object_edge(
        tool, unit.folder, f"{unit.core}.cpp", unit.object, unit.label, definitions=definitions, headers=unit.headers
    )
