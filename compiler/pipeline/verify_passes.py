"""Verification of a module as each pass leaves it, by copies of this process where there are several."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..text.diagnostics import Diagnostic
from .verified import Verified
from .verify import Kept, kept_by, verify_after, verify_module

if TYPE_CHECKING:
    from ..workers.beside import ChecksBeside

LEAST_SECONDS = 0.01
"""What a pass changes in less is verified sooner than a copy of the process is made."""


class PassVerifier:
    """Verifies the module of a compilation between its passes."""

    def __init__(self):
        self._verified = Verified()
        self._kept: Kept = frozenset()
        self._beside: ChecksBeside | None = None
        self._began = 0.0

    @contextmanager
    def beside(self, most: int, explain: Callable[[BaseException], Diagnostic]) -> Generator[None]:
        """A context in which up to `most` verifications are made beside the passes. What is wrong may then be known
        when later passes have run; it is raised in front of what these lead to, as `explain` puts it into words."""
        if most < 1:
            yield
            return
        from ..workers.beside import ChecksBeside

        try:
            with ChecksBeside(most, explain) as self._beside:
                yield
        finally:
            self._beside = None

    def first(self, module: ModuleOp) -> None:
        """Verify what passes are to run on. Raises VerifyException, OpError."""
        verify_module(module, verified=self._verified)

    def before(self, one: ModulePass, module: ModuleOp) -> None:
        """Note what a pass leaves as it is; it runs next."""
        self._kept = kept_by(one, module)
        self._began = time.perf_counter()

    def after(self, one: ModulePass, module: ModuleOp) -> None:
        """Verify the module as the pass left it. Raises VerifyException, OpError; ShownError for a pass before."""
        took = time.perf_counter() - self._began
        look = partial(verify_after, one, module, self._kept, self._verified)
        if self._beside is None or took < LEAST_SECONDS:
            look()
        else:
            self._beside.make(look)


__all__ = ["PassVerifier"]
