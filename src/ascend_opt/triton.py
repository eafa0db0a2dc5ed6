"""Triton functions without a board: run, timed, explained and ranked on the emulator; needs the extra `triton`.

See `docs/triton.md`, and `ascend_opt.compiler.triton`.
"""

from .compiler.triton.build import build
from .compiler.triton.emulate import emulate
from .compiler.triton.explain import explain
from .compiler.triton.no_board import stand_in
from .compiler.triton.rank import rank
from .compiler.triton.refusals import Overflow
from .compiler.triton.toolchain import TritonError

__all__ = ["Overflow", "TritonError", "build", "emulate", "explain", "rank"]

stand_in()
