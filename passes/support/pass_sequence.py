"""One name for passes that run one after the other: `-p tile-fuse` is short for all that it takes to fuse a graph.

Tools put the passes themselves in its place (`compiler/pipeline/pipelines.py`), so that each is verified, timed and
printed. Any other driver applies it as one pass.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .options import Pass


class PassSequence(Pass, ABC):
    """Passes in a fixed order, with options of the whole."""

    @abstractmethod
    def steps(self) -> Sequence[ModulePass]:
        """The passes, with their share of the options."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for step in self.steps():
            step.apply(ctx, op)


__all__ = ["PassSequence"]
