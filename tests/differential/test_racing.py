"""What only timing keeps right is right in a plain run, and a finding of a checked one."""

from __future__ import annotations

import numpy as np
import pytest
import racing_kernels

from ptopro.runtime.errors import SimulatorError

pytestmark = pytest.mark.slow


def test_cores_that_run_side_by_side_read_before_either_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    y = np.zeros((32, 64), np.float32)
    racing_kernels.both_cores(y)
    np.testing.assert_array_equal(y, np.ones_like(y))
    monkeypatch.setenv("PTOPRO_CHECKS", "races")
    with pytest.raises(SimulatorError, match="PTO1840"):
        racing_kernels.both_cores(y)
