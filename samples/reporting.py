"""What every sample does with its result: compare it with numpy and say so."""

import sys

import numpy as np


def compare(name: str, got: np.ndarray, want: np.ndarray, tolerance: float) -> None:
    """Print the largest difference between `got` and `want`; end the program with status 1 when it is too large.

    tolerance: largest allowed |got - want| / max(1, |want|), elementwise.
    """
    got = got.astype(np.float64)
    want = want.astype(np.float64)
    error = float(np.max(np.abs(got - want) / np.maximum(1.0, np.abs(want)), initial=0.0))
    good = bool(np.isfinite(got).all()) and error <= tolerance
    shape = " x ".join(str(n) for n in got.shape)
    verdict = "ok" if good else "WRONG"
    print(f"{name} {shape}: largest difference from numpy {error:.2e} (allowed {tolerance:.0e}): {verdict}")
    if not good:
        sys.exit(1)
