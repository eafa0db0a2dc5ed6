"""Kernels of AscendNPU-IR on the emulator: HIVM text, launched with a grid, arrays and numbers."""

from .launched import HivmResult
from .module import HivmModule, load

__all__ = ["HivmModule", "HivmResult", "load"]
