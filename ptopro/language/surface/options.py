"""Options of the decorators as data: name, default, what they take; unknown and renamed ones are refused by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ptopro.language.surface.errors import UsageError, usage_error


@dataclass(frozen=True, slots=True)
class Option:
    """accepts: whether a value is taken; allowed: the same in words."""

    default: object
    accepts: Callable[[object], bool]
    allowed: str


def _boolean(value: object) -> bool:
    return isinstance(value, bool)


def _optional_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def _arch(value: object) -> bool:
    return value is None or value in ("a2", "a3", "a5", "auto")


def _pipeline(value: object) -> bool:
    return value is None or (hasattr(value, "preload") and hasattr(value, "sync_only"))


def _class(value: object) -> bool:
    return value is None or isinstance(value, type)


def _names(value: object) -> bool:
    return value is None or (
        isinstance(value, Mapping) and all(isinstance(k, str) and isinstance(v, str) for k, v in value.items())
    )


def _seconds(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0)


def _anything(value: object) -> bool:
    return True


def _threads(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 2048)


def _mode(value: object) -> bool:
    return value is None or value in ("simd", "simt")


JIT: Mapping[str, Option] = {
    "arch": Option(None, _arch, '"a2", "a3", "a5", "auto" or None'),
    "auto_mutex": Option(True, _boolean, "True or False"),
    "name": Option(None, _optional_text, "a string or None"),
    "pipeline": Option(None, _pipeline, "pl.pipeline.PipelineConfig(...) or None"),
    "tiling_key": Option(None, _class, "a class of TilingKeyField or None"),
    "datatype": Option(None, _names, "a dict from parameter names to variable names"),
    "compile_timeout": Option(None, _seconds, "a positive number of seconds or None"),
}
KERNEL: Mapping[str, Option] = {
    "meta_data": Option(None, _anything, "anything"),
    "name": JIT["name"],
    "func_type": Option(None, _anything, "a member of pl.FunctionType"),
    "strict_ssa": Option(False, _boolean, "True or False"),
    "auto_mutex": JIT["auto_mutex"],
    "pipeline": JIT["pipeline"],
    "arch": JIT["arch"],
}
FUNCTION: Mapping[str, Option] = {
    "type": Option(None, _anything, "a member of pl.FunctionType"),
    "strict_ssa": Option(False, _boolean, "True or False"),
}
PROGRAM: Mapping[str, Option] = {"strict_ssa": Option(False, _boolean, "True or False")}
VECTOR_FUNCTION: Mapping[str, Option] = {
    "mode": Option(None, _mode, '"simd" or "simt"'),
    "max_threads": Option(None, _threads, "1 to 2048"),
}
SIMT_FUNCTION: Mapping[str, Option] = {"max_threads": VECTOR_FUNCTION["max_threads"]}

RENAMED: Mapping[str, str] = {"timeout": "compile_timeout"}


def checked(decorator: str, known: Mapping[str, Option], given: Mapping[str, object]) -> dict[str, object]:
    """All options with their defaults.  Raises UsageError naming the first that is unknown, renamed or not taken."""
    for name, value in given.items():
        if name not in known:
            raise _unknown(decorator, name, known)
        if not known[name].accepts(value):
            raise usage_error(
                "PTO1243",
                f"{name}=",
                option=name,
                owner=f"@pl.{decorator}",
                actual=repr(value),
                allowed=known[name].allowed,
            )
    return {name: given.get(name, option.default) for name, option in known.items()}


def _unknown(decorator: str, name: str, known: Mapping[str, Option]) -> UsageError:
    if RENAMED.get(name) in known:
        return usage_error("PTO1241", f"{name}=", old=name, new=RENAMED[name], owner=f"@pl.{decorator}")
    from ptopro.language.operations.table import suggest

    meant = suggest(name, known)
    hint = f"did you mean `{meant}`? " if meant else ""
    allowed = ", ".join(known) or "none"
    return usage_error("PTO1240", f"{name}=", decorator=decorator, option=name, hint=hint, allowed=allowed)
