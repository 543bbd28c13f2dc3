"""The error of ptopro itself, as opposed to an error in the kernel (which is a Diagnostic)."""

from __future__ import annotations


class InternalError(Exception):
    """An invariant of ptopro does not hold.  The kernel is not to blame; the message is for whoever mends ptopro."""
