"""Verification of a module as each pass leaves it, by one of the processes that run the passes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .verified import Verified
from .verify import Kept, kept_by, verify_after, verify_module

if TYPE_CHECKING:
    from ..workers.session import Session


class PassVerifier:
    """Verifies the module of a compilation between its passes; in a `session` by a copy of this process, where there
    is one: what is wrong may then be known when later passes have run, and is raised in front of what these lead to."""

    def __init__(self, session: Session | None = None):
        self.session = session
        self._verified = Verified()
        self._kept: Kept = frozenset()

    def first(self, module: ModuleOp) -> None:
        """Verify what passes are to run on. Raises VerifyException, OpError."""
        verify_module(module, verified=self._verified)

    def before(self, one: ModulePass, module: ModuleOp) -> None:
        """Note what a pass leaves as it is; it runs next."""
        if self.session is None or self.session.checks_here:
            self._kept = kept_by(one, module)

    def after(self, one: ModulePass, module: ModuleOp) -> None:
        """Verify the module as the pass left it. Raises VerifyException, OpError; ShownError for a pass before."""
        look = partial(verify_after, one, module, self._kept, self._verified)
        if self.session is None:
            look()
        else:
            self.session.check(look, partial(verify_module, module, verified=self._verified))


__all__ = ["PassVerifier"]
