"""Settings: defaults, [tool.ptopro] of the nearest pyproject.toml, the environment, flags; each later one wins.

In: the working directory and the environment.  Out: each setting's value and where it comes from.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ptopro.diagnostics import Diagnostic, DiagnosticError, make


@dataclass(frozen=True, slots=True)
class Setting:
    """name as in pyproject.toml and, with dashes, the flag; choices empty: any value of the default's type."""

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    environment: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    value: Any
    origin: str


SETTINGS = (
    Setting("build-dir", "build", "where results are written", environment="PTOPRO_BUILD_DIR"),
    Setting("arch", "a5", "the chip that kernels are written for", ("a5", "a3", "a2"), environment="PTOPRO_ARCH"),
    Setting("message-format", "text", "how diagnostics are shown", ("text", "short", "json", "sarif", "github")),
    Setting("mutex", "explicit", "expand writes locks out, or leaves auto_mutex on", ("explicit", "auto")),
    Setting("coalesce", True, "expand leaves out unlock/lock pairs between operations of one pipe"),
    Setting("depfile", False, "expand and codegen write a Makefile depfile"),
    Setting("quiet", False, "do not print the paths of written files"),
    Setting("verbose", False, "say more"),
    Setting("timings", False, "print how long each stage took"),
)

# Tables inside [tool.ptopro] that are no settings: a command reads its own.
TABLES = ("check",)


def settings(directory: Path | None = None, environment: Mapping[str, str] | None = None) -> dict[str, Value]:
    """Every setting without flags.  Raises DiagnosticError PTO1909 for what the file says wrongly, PTO1913 likewise."""
    env = os.environ if environment is None else environment
    found = {setting.name: Value(setting.default, "default") for setting in SETTINGS}
    path, table = project_table(directory or Path.cwd())
    problems: list[Diagnostic] = []
    for name, value in table.items():
        if name in TABLES and isinstance(value, dict):
            continue
        problem = _problem(name, value)
        if problem:
            problems.append(make("PTO1909", path=path, problem=problem))
        else:
            found[name] = Value(value, str(path))
    for setting in SETTINGS:
        given = env.get(setting.environment) if setting.environment else None
        if given and setting.choices and given not in setting.choices:
            allowed = ", ".join(setting.choices)
            problems.append(make("PTO1913", variable=setting.environment, value=given, allowed=allowed))
        elif given:
            found[setting.name] = Value(given, setting.environment)
    if problems:
        raise DiagnosticError(problems)
    return found


def _problem(name: str, value: object) -> str:
    """What is wrong with a line of the table, empty when nothing is."""
    setting = next((each for each in SETTINGS if each.name == name), None)
    if setting is None:
        import difflib

        near = difflib.get_close_matches(name, [each.name for each in SETTINGS], n=1)
        return f"there is no setting `{name}`" + (f"; did you mean `{near[0]}`?" if near else "")
    if type(value) is not type(setting.default):
        wanted = "true or false" if isinstance(setting.default, bool) else "a string"
        return f"`{name}` must be {wanted}, not {value!r}"
    if setting.choices and value not in setting.choices:
        return f"`{name}` must be one of {', '.join(setting.choices)}, not {value!r}"
    return ""


def project_table(directory: Path) -> tuple[Path, dict[str, Any]]:
    """[tool.ptopro] of the first pyproject.toml at or above the directory."""
    for folder in (directory, *directory.parents):
        path = folder / "pyproject.toml"
        try:
            text = path.read_bytes()
        except OSError:
            continue
        # Most projects have no such table, and the parser costs more than the rest of a short command.
        if b"tool.ptopro" not in text and b"[tool]" not in text:
            return path, {}
        return path, _parse(path, text.decode(errors="replace"))
    return directory / "pyproject.toml", {}


def _parse(path: Path, text: str) -> dict[str, Any]:
    import importlib

    try:
        toml: Any = importlib.import_module("tomllib")
    except ImportError:  # Python 3.10
        toml = importlib.import_module("tomli")
    try:
        table = toml.loads(text).get("tool", {}).get("ptopro", {})
    except toml.TOMLDecodeError as error:
        raise DiagnosticError([make("PTO1909", path=path, problem=str(error))]) from error
    if not isinstance(table, dict):
        raise DiagnosticError([make("PTO1909", path=path, problem="tool.ptopro must be a table")])
    return table
