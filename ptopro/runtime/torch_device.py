"""The "npu" device of torch on a machine without one: every use of it means the CPU.

In: `torch.zeros(2, device="npu:0")`, `x.npu()`, `x.to("npu")`, `torch.npu.synchronize()` in a host program.  Out: CPU
tensors, and answers of a chip of the kind that kernels are transpiled for.  A `TorchFunctionMode` maps device
arguments; the name "npu" is torch's own hook for devices it does not know.  Transfers between host and device copy, as
they do on the device, so a kernel that writes to `x.npu()` does not change `x`.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

DEVICE_NAMES = {"a5": "Ascend950PR_957x", "a3": "Ascend910_9391", "a2": "Ascend910B3"}
_TRANSFERS = (torch.Tensor.to, torch.Tensor.cpu)


class NpuIsCpu(TorchFunctionMode):  # type: ignore[misc]
    """Replaces the device "npu" by the CPU in the arguments of every torch function."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        if func is torch.device and args and _is_npu(args[0]):
            return torch.device("cpu")  # also for ("npu", index)
        if any(_is_npu(value) for value in (*args, *kwargs.values())):
            args = tuple(_mapped(value) for value in args)
            kwargs = {name: _mapped(value) for name, value in kwargs.items()}
            moved = func in _TRANSFERS
        else:
            moved = func is torch.Tensor.cpu
        result = func(*args, **kwargs)
        # A transfer that torch can skip, since both ends are the CPU, is a copy on the device.
        return result.clone() if moved and result is args[0] else result


def _is_npu(value: Any) -> bool:
    if isinstance(value, str):
        return value == "npu" or value.startswith("npu:")
    return isinstance(value, torch.device) and value.type == "npu"


def _mapped(value: Any) -> Any:
    return torch.device("cpu") if _is_npu(value) else value


def install() -> None:
    """Add the device to torch, once per process."""
    if getattr(torch, "npu", None) is not None:
        return
    torch.utils.rename_privateuse1_backend("npu")
    torch._register_device_module("npu", _module())
    torch.Tensor.npu = _tensor_npu
    torch.Tensor.is_npu = property(lambda tensor: True)
    torch.nn.Module.npu = lambda module, device=None: module
    torch.Generator = _Generator
    _serve_dispatch_key()
    _enter_in_every_thread()


def _module() -> Any:
    import sys

    return sys.modules[__name__]


def _tensor_npu(tensor: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
    """`tensor.npu()`: a copy, as a transfer to the device is."""
    return tensor.clone()


class _AnyGenerator(type(torch.Generator)):  # type: ignore[misc]
    """Every generator of torch is an instance of the class below."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _TORCH_GENERATOR)


_TORCH_GENERATOR = torch.Generator


class _Generator(_TORCH_GENERATOR, metaclass=_AnyGenerator):  # type: ignore[misc, valid-type]
    """`torch.Generator(device="npu")`: the class itself is not a function that a mode sees."""

    def __new__(cls, device: Any = "cpu") -> Any:
        return _TORCH_GENERATOR(_mapped(device))


def _serve_dispatch_key() -> None:
    """Implementations that a program registers for the NPU serve CPU tensors."""
    original = torch.library.Library.impl

    def impl(self: Any, name: Any, function: Any, dispatch_key: str = "", **kwargs: Any) -> Any:
        key = "CPU" if dispatch_key in ("NPU", "PrivateUse1") else dispatch_key
        return original(self, name, function, key, **kwargs)

    torch.library.Library.impl = impl


def _enter_in_every_thread() -> None:
    """Modes belong to a thread: enter one here, and one in each thread that starts later."""
    NpuIsCpu().__enter__()
    run = threading.Thread.run

    def run_with_mode(thread: threading.Thread) -> None:
        with NpuIsCpu():
            run(thread)

    threading.Thread.run = run_with_mode  # type: ignore[assignment, method-assign]


# --------------------------------------------------------------------------------------------------------------------
# torch.npu


class Stream:
    """Kernels and torch functions are done when they return, so a stream has nothing to order."""

    npu_stream = 0
    stream_id = 0

    def __init__(self, device: Any = None, **options: Any) -> None:
        self.device = device

    def synchronize(self) -> None:
        return None

    def query(self) -> bool:
        return True

    def wait_stream(self, stream: Any) -> None:
        return None

    def wait_event(self, event: Any) -> None:
        return None

    def record_event(self, event: Any = None) -> Event:
        recorded: Event = event or Event(enable_timing=True)
        recorded.record(self)
        return recorded

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *error: object) -> None:
        return None


class Event:
    """A point in the host's time."""

    def __init__(self, enable_timing: bool = False, **options: Any) -> None:
        self.time = 0.0

    def record(self, stream: Any = None) -> None:
        self.time = time.perf_counter()

    def synchronize(self) -> None:
        return None

    def query(self) -> bool:
        return True

    def wait(self, stream: Any = None) -> None:
        return None

    def elapsed_time(self, end: Event) -> float:
        """Milliseconds of the host from this event to `end`."""
        return (end.time - self.time) * 1e3


class DeviceProperties:
    """What a program may ask of the device."""

    def __init__(self) -> None:
        self.name = get_device_name()
        self.total_memory = 64 << 30
        self.cube_core_num = 32
        self.vector_core_num = 64
        self.L2_cache_size = 128 << 20


_STREAM = Stream()
_current = [0]


def is_available() -> bool:
    return True


def is_initialized() -> bool:
    return True


def init() -> None:
    return None


def device_count() -> int:
    return 1


def current_device() -> int:
    return _current[0]


def set_device(device: Any) -> None:
    """Any index is accepted: all of them are this CPU."""
    if isinstance(device, int):
        _current[0] = device
    else:
        _current[0] = int(str(device).partition(":")[2] or 0)


@contextlib.contextmanager
def device(which: Any) -> Iterator[None]:
    """`with torch.npu.device(1):`"""
    before = _current[0]
    set_device(which)
    try:
        yield
    finally:
        _current[0] = before


def get_device_name(device: Any = None) -> str:
    """The name of a chip of the kind that PTOPRO_ARCH names, a5 unless set."""
    return DEVICE_NAMES.get(os.environ.get("PTOPRO_ARCH", "a5"), DEVICE_NAMES["a5"])


def get_device_properties(device: Any = None) -> DeviceProperties:
    return DeviceProperties()


def get_device_capability(device: Any = None) -> None:
    return None


def synchronize(device: Any = None) -> None:
    return None


def current_stream(device: Any = None) -> Stream:
    return _STREAM


def default_stream(device: Any = None) -> Stream:
    return _STREAM


def set_stream(stream: Any) -> None:
    return None


def stream(which: Any) -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext()


def empty_cache() -> None:
    return None


def reset_peak_memory_stats(device: Any = None) -> None:
    return None


def memory_allocated(device: Any = None) -> int:
    return 0


def max_memory_allocated(device: Any = None) -> int:
    return 0


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Free and total bytes of the device."""
    return 60 << 30, 64 << 30


def manual_seed(seed: int) -> None:
    """The CPU's generator is the device's; torch.manual_seed calls this back through `manual_seed_all`."""
    torch.default_generator.manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    torch.default_generator.manual_seed(seed)


def get_rng_state(device: Any = None) -> torch.Tensor:
    return torch.default_generator.get_state()


def set_rng_state(state: torch.Tensor, device: Any = None) -> None:
    torch.default_generator.set_state(state)


def get_amp_supported_dtype() -> list[torch.dtype]:
    return [torch.float16, torch.bfloat16, torch.float32]


def set_compile_mode(**options: Any) -> None:
    return None


def _is_in_bad_fork() -> bool:
    return False


def _lazy_init() -> None:
    return None
