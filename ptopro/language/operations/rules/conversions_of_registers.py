"""Which conversions of lanes exist, and the words that each takes.

`CONVERSIONS` has an entry for each pair of element types: its family decides the operands of the instruction
(`FAMILIES`), which layouts (parts of a wide lane) it has, and whether it rounds or saturates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import CastLayout, SaturateMode, VFRoundMode
from ptopro.language.operations.model import CheckRule, Operation, Problem, Views
from ptopro.language.operations.rules.common import problem
from ptopro.language.operations.rules.registers import lanes

# family -> (rounds, saturates, parts: 1, 2 or 4 sub-positions)
FAMILIES: Mapping[str, tuple[bool, bool, int]] = {
    "widen": (False, False, 2),
    "same": (True, False, 1),
    "same_saturated": (True, True, 1),
    "rounded": (True, False, 2),
    "narrow_int": (False, True, 2),
    "narrow_int4": (False, True, 4),
    "widen4": (False, False, 4),
    "narrow4": (True, True, 4),
    "to_fp4": (True, False, 4),
    "from_int4": (False, False, 4),
    "to_int4": (True, True, 4),
    "narrow": (True, True, 2),
}
_INT8S = (dt.INT8, dt.UINT8)
_INT16S = (dt.INT16, dt.UINT16)
_INT32S = (dt.INT32, dt.UINT32)
_FP8S = (dt.FP8E4M3FN, dt.FP8E5M2)
_FP4S = (dt.FP4E2M1, dt.FP4E1M2)


def _all(family: str, sources: tuple[DType, ...], targets: tuple[DType, ...]) -> dict[tuple[DType, DType], str]:
    return {(source, target): family for source in sources for target in targets}


CONVERSIONS: Mapping[tuple[DType, DType], str] = {
    **_all("narrow", (dt.FP32,), (dt.FP16, dt.BF16, dt.INT16)),
    **_all("narrow", (dt.FP16,), (*_INT8S, dt.HF8)),
    **_all("narrow", (dt.BF16,), (dt.FP8E8M0,)),
    **_all("narrow", (dt.FP8E8M0,), (dt.BF16,)),
    **_all("widen", (dt.FP16, dt.BF16), (dt.FP32,)),
    **_all("widen", (dt.UINT16,), (dt.UINT32, dt.FP32)),
    **_all("widen", (dt.INT16,), (dt.INT32, dt.UINT32, dt.FP32)),
    **_all("widen", (dt.INT8,), (dt.INT16, dt.FP16)),
    **_all("widen", (dt.UINT8,), (dt.UINT16, dt.FP16)),
    **_all("widen", _INT32S, (dt.INT64,)),
    **_all("widen", (dt.HF8,), (dt.FP16,)),
    **_all("same", _INT32S, (dt.FP32,)),
    **_all("same", _INT16S, (dt.FP16,)),
    (dt.FP16, dt.BF16): "same",
    (dt.BF16, dt.FP16): "same",
    **_all("same_saturated", (dt.FP32,), _INT32S),
    **_all("same_saturated", (dt.FP16,), _INT16S),
    **_all("rounded", (dt.FP16, dt.BF16), _INT32S),
    **_all("rounded", _INT32S, (dt.FP16,)),
    (dt.FP32, dt.INT64): "rounded",
    (dt.INT64, dt.FP32): "rounded",
    **_all("narrow_int", _INT32S, _INT16S),
    **_all("narrow_int4", _INT32S, _INT8S),
    **_all("narrow_int", _INT16S, _INT8S),
    **_all("narrow_int", (dt.INT64,), _INT32S),
    **_all("widen4", (*_FP8S, dt.HF8), (dt.FP32,)),
    **_all("widen4", (dt.INT8,), (dt.INT32,)),
    **_all("widen4", (dt.UINT8,), (dt.UINT32,)),
    **_all("widen4", _FP4S, (dt.BF16,)),
    **_all("narrow4", (dt.FP32,), (*_FP8S, dt.HF8)),
    **_all("to_fp4", (dt.BF16,), _FP4S),
    **_all("from_int4", (dt.INT4,), (dt.FP16, dt.BF16, dt.INT16)),
    (dt.FP16, dt.INT4): "to_int4",
}


def rounding(source: DType, target: DType, given: VFRoundMode | None) -> VFRoundMode:
    """The rounding of a conversion: as given, else to nearest (HF8: ties away)."""
    if given is not None:
        return given
    return VFRoundMode.CAST_ROUND if target == dt.HF8 else VFRoundMode.CAST_RINT


def check_astype(operation: Operation, views: Views) -> Iterator[Problem]:
    """The pair exists, and the words fit it."""
    source, target = lanes(views, "src"), views.get("dtype")
    if source is None or not isinstance(target, DType):
        return
    family = CONVERSIONS.get((source, target))
    if family is None:
        targets = ", ".join(to.name.removeprefix("DT_") for (given, to) in CONVERSIONS if given == source)
        yield problem("PTO1293", operation, "dtype", source=source.name, target=target.name, targets=targets or "none")
        return
    rounds, _, parts = FAMILIES[family]
    layout, mode = views.get("layout"), views.get("round_mode")
    if isinstance(layout, CastLayout) and layout.value >= max(parts, 1) and layout is not CastLayout.ZERO:
        allowed = ", ".join(item.name for item in CastLayout if item.value < parts)
        yield problem("PTO1294", operation, "layout", word=f"layout {layout.name}", source=source.name,
                      target=target.name, allowed=allowed)  # fmt: skip
    if isinstance(mode, VFRoundMode):
        allowed_modes = _roundings(rounds, source, target)
        if mode not in allowed_modes:
            yield problem(
                "PTO1294", operation, "round_mode", word=f"rounding {mode.name}", source=source.name,
                target=target.name, allowed=", ".join(item.name for item in allowed_modes),
            )  # fmt: skip


def _roundings(rounds: bool, source: DType, target: DType) -> tuple[VFRoundMode, ...]:
    mode = VFRoundMode
    if not rounds:
        return (mode.CAST_RINT,)
    if target == dt.HF8:
        return (mode.CAST_ROUND, mode.CAST_HYBRID)
    if target in _FP8S:
        return (mode.CAST_RINT,)
    common = (mode.CAST_RINT, mode.CAST_ROUND, mode.CAST_FLOOR, mode.CAST_CEIL, mode.CAST_TRUNC)
    return (*common, mode.CAST_ODD) if (source, target) == (dt.FP32, dt.FP16) else common


def check_width_step(pairs: Mapping[DType, tuple[DType, ...]]) -> CheckRule:
    """The element types of pack and unpack."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        source, target = lanes(views, "src"), views.get("dtype")
        if source is None or not isinstance(target, DType) or target in pairs.get(source, ()):
            return
        targets = ", ".join(to.name.removeprefix("DT_") for to in pairs.get(source, ()))
        yield problem("PTO1293", operation, "dtype", source=source.name, target=target.name, targets=targets or "none")

    return check


def saturates(family: str, given: SaturateMode) -> bool:
    """Whether a conversion clamps; FP8 results always do."""
    return family == "narrow4" or given is SaturateMode.ON
