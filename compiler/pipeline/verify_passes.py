"""Verification of a module as each pass leaves it, by one of the processes that run the passes."""

from __future__ import annotations

from functools import partial

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..workers.session import Session
from .verified import Verified
from .verify import Kept, kept_by, verify_after, verify_module


class PassVerifier:
    """Verifies the module of a compilation between its passes, by a copy of this process where the session has one.
    What is wrong may then be known when later passes have run, and is raised in front of what these lead to."""

    def __init__(self, session: Session):
        self.session = session
        self._verified = Verified()
        self._kept: Kept = frozenset()

    def first(self, module: ModuleOp) -> None:
        """Verify what passes are to run on. Raises VerifyException, OpError."""
        verify_module(module, verified=self._verified)

    def before(self, one: ModulePass, module: ModuleOp) -> None:
        """Note what a pass leaves as it is; it runs next."""
        if self.session.checks_here:
            self._kept = kept_by(one, module)

    def after(self, one: ModulePass, module: ModuleOp) -> None:
        """Verify the module as the pass left it. Raises VerifyException, OpError; ShownError for a pass before."""
        look = partial(verify_after, one, module, self._kept, self._verified)
        self.session.check(look, partial(verify_module, module, verified=self._verified))


__all__ = ["PassVerifier"]
