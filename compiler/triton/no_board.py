"""What Triton asks of a device, where there is none: functions can be decorated, and launches say what to do."""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

from .toolchain import TritonError


class NoBoard:
    """Stands for the driver of an NPU, so that `triton.autotune` has one to ask."""

    @classmethod
    def is_active(cls) -> bool:
        return True

    def get_current_target(self) -> Any:
        return import_module("triton.backends.compiler").GPUTarget("npu", "Ascend910B1", 0)

    def get_current_device(self) -> NoReturn:
        raise TritonError(
            "this machine has no NPU; ascend_opt.triton.emulate(kernel)[grid](…) launches without one"
        )

    def get_benchmarker(self) -> Any:
        return self._measure

    def _measure(self, *_: Any, **__: Any) -> NoReturn:
        self.get_current_device()


def stand_in() -> None:
    """Give Triton-Ascend a driver where it is installed and finds none. A board, or a driver that was set, stays as it
    is, and so does a Triton for other devices."""
    try:
        if find_spec("triton.backends.ascend") is None:
            return
        runtime = import_module("triton.runtime.driver")
    except ImportError:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Triton-Ascend warns of the compiler of CANN, which is not there
        found = any(backend.driver.is_active() for backend in runtime.backends.values())
    if not found and not _was_set(runtime.driver):
        runtime.driver.set_active(NoBoard())


def _was_set(driver: Any) -> bool:
    """Whether somebody chose a driver. Where there is none to be the default, some versions of Triton raise."""
    try:
        return driver.active is not driver.default
    except RuntimeError:
        return False
