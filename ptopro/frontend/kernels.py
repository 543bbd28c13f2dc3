"""What the front end says about a kernel: name, parameters, options, and the scope its names are looked up in.

In: decorated functions met by the evaluator.  Out: `KernelSource`s, each kernel of a file under a name of its own.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.values import ClassValue, PipelineConfig, PtrAnnotation, TensorAnnotation, Value
from ptopro.language.dtypes import DType

if TYPE_CHECKING:
    from ptopro.frontend.scope import Scope
    from ptopro.frontend.source import SourceModule


class ParameterKind(enum.Enum):
    TENSOR = "tensor"
    PTR = "ptr"
    SCALAR = "scalar"
    TILING = "tiling"


@dataclass(frozen=True, slots=True)
class TilingField:
    """A field of a tiling dataclass.  length 0: a single value, else an array of that many; dtype as in C++."""

    name: str
    dtype: DType
    length: int
    span: Span
    has_default: bool = False
    default: Value = None


@dataclass(frozen=True, slots=True, eq=False)
class TilingClass:
    """The dataclass of a kernel's tiling parameter."""

    name: str
    fields: tuple[TilingField, ...]
    cls: ClassValue
    span: Span


Annotation = TensorAnnotation | PtrAnnotation | DType | TilingClass


@dataclass(frozen=True, slots=True)
class KernelParameter:
    """A parameter with its evaluated annotation.  span: the name; annotation_span: the annotation."""

    name: str
    kind: ParameterKind
    annotation: Annotation
    span: Span
    annotation_span: Span
    keyword_only: bool = False
    has_default: bool = False
    default: Value = None


@dataclass(frozen=True, slots=True, eq=False)
class KernelOptions:
    """The decorator's options.  spans: where each given option's value stands."""

    arch: str | None = None
    auto_mutex: bool = True
    name: str | None = None
    pipeline: PipelineConfig | None = None
    tiling_key: ClassValue | None = None
    datatype: Mapping[str, str] | None = None
    compile_timeout: float | None = None
    spans: Mapping[str, Span] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class KernelSource:
    """One kernel.

    name: what the kernel is called in this file's folder of results, distinct in the file; node.name is the name of
    its function.  module: the file that holds the text (for kernels of an imported factory not the file that made it).
    scope: parent for the scope of the kernel's body.  launchable: made by `jit`, not by `kernel`.  made_by: the
    function that defines it, when it is not at module level.  deferred: why the kernel has no values for its closure
    (no module code calls its factory), else None.
    """

    name: str
    node: ast.FunctionDef
    module: SourceModule
    scope: Scope
    options: KernelOptions
    parameters: tuple[KernelParameter, ...]
    span: Span  # of the function's name
    decorator_span: Span
    launchable: bool = True
    made_by: str | None = None
    deferred: str | None = None
    decorators: tuple[Value, ...] = ()

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"
