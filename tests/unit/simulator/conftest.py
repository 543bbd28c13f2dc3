"""Fixtures of the simulator's tests: the instruction bodies alone (bodies.py), whole kernels (machine_runner.py)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import bodies as instruction_bodies
import pytest
from machine_runner import Runner

from ptopro.simulator import machine


@pytest.fixture(scope="session")
def bodies_library(pytestconfig: pytest.Config) -> ctypes.CDLL:
    """The instruction bodies behind bodies_shim.cpp."""
    assert pytestconfig.cache is not None
    return instruction_bodies.build(pytestconfig.cache.mkdir("simulator"))


@pytest.fixture
def bodies(bodies_library: ctypes.CDLL) -> instruction_bodies.Bodies:
    """Fresh memories of one core."""
    return instruction_bodies.Bodies(bodies_library)


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., machine.Report]:
    """Runs a hand-written kernel of machine_*.cpp, see Runner."""
    return Runner(tmp_path_factory.mktemp("compiler"))
