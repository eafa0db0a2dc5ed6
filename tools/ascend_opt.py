"""`ascend-opt`: read a module, run passes on it, print it."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `ascend-opt`; returns the exit code."""
    from xdsl.xdsl_opt_main import xDSLOptMain

    xDSLOptMain("ascend-opt", args=argv).run()
    return 0
