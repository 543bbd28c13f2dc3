"""Did you mean ...?"""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `name` is most likely a misspelling of."""
    import difflib

    known = sorted(set(candidates))
    folded = {candidate.lower(): candidate for candidate in known}
    if name.lower() in folded:
        return folded[name.lower()]
    found = difflib.get_close_matches(name, known, n=1, cutoff=0.65)
    return found[0] if found else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """A help sentence, or the empty string."""
    found = nearest(name, candidates)
    return f"did you mean '{found}'?" if found else ""
