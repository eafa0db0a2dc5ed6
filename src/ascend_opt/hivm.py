"""Kernels of AscendNPU-IR on the emulator; see `ascend_opt.compiler.hivm`."""

from .compiler.hivm import HivmModule, HivmResult, load

__all__ = ["HivmModule", "HivmResult", "load"]
