"""Kernels of AscendNPU-IR on the emulator, and ours as such: HIVM text, launched with a grid, arrays and numbers."""

from .launched import HivmResult
from .module import HivmModule, load
from .out import emit, read_back

__all__ = ["HivmModule", "HivmResult", "emit", "load", "read_back"]
