"""`pl.pipeline`: stages of a cross-core pipeline, and how far it runs ahead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ptopro.language.surface.errors import usage_error
from ptopro.language.surface.marks import mark

F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True)
class PipelineConfig:
    """preload: how many tasks the first stages run ahead (one number, or one for each stage); sync_only: add the sync,
    keep the order."""

    preload: int | Sequence[int] = 2
    sync_only: bool = False

    def __post_init__(self) -> None:
        numbers = [self.preload] if not isinstance(self.preload, (list, tuple)) else list(self.preload)
        if not numbers or any(not isinstance(n, int) or isinstance(n, bool) or n < 0 for n in numbers):
            raise usage_error(
                "PTO1243",
                "preload=",
                option="preload",
                owner="pl.pipeline.PipelineConfig",
                actual=repr(self.preload),
                allowed="a number that is not negative, or a list of them",
            )
        if not isinstance(self.sync_only, bool):
            raise usage_error(
                "PTO1243",
                "sync_only=",
                option="sync_only",
                owner="pl.pipeline.PipelineConfig",
                actual=repr(self.sync_only),
                allowed="True or False",
            )


def stage(fn: F) -> F:
    """@pl.pipeline.stage: the helper is a stage of the pipeline."""
    return mark(fn, "stage")
