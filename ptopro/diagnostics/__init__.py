"""Diagnostics: the type, the codes, and how they are shown."""

from ptopro.diagnostics.build import make
from ptopro.diagnostics.core import Diagnostic, DiagnosticError, Label, Severity, Sink
from ptopro.diagnostics.span import Span, span_of

__all__ = ["Diagnostic", "DiagnosticError", "Label", "Severity", "Sink", "Span", "make", "span_of"]
