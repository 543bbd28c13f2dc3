"""Contents of `pypto_pro.language.parser` and below: the exceptions that host programs and tests name."""

from ptopro.runtime.errors import (
    FinalRejectionError,
    InvalidOperationError,
    ParserError,
    ParserSyntaxError,
    ParserTypeError,
    PyptoError,
    PyptoValueError,
    ScopeIsolationError,
    SSAViolationError,
    UndefinedVariableError,
    UnsupportedFeatureError,
)

__all__ = [
    "FinalRejectionError",
    "InvalidOperationError",
    "ParserError",
    "ParserSyntaxError",
    "ParserTypeError",
    "PyptoError",
    "PyptoValueError",
    "SSAViolationError",
    "ScopeIsolationError",
    "UndefinedVariableError",
    "UnsupportedFeatureError",
]
