"""Kernels of AscendNPU-IR on the emulator; see `ascend_opt.compiler.hivm`."""

from .compiler.hivm import HivmModule, HivmResult, emit, load, read_back

__all__ = ["HivmModule", "HivmResult", "emit", "load", "read_back"]
