"""Times graphs at run-time sizes for `graph-size-variants`: compiled as tools compile, on the emulator's clock."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.graph.fusion_marks import drop_kernel_marks, kernel_marks
from ...dialects.records import dataclass
from ...passes.fusion.kernel_sources import collect_sources
from ...passes.support.errors import LocatedError, WholeSizeError
from ...passes.support.report import without_reports
from ...runtime.support.progress import progress


@dataclass(frozen=True)
class EmulatorClock:
    """Compiles for a chip (None: that of the module) and times."""

    target: str | None = None

    def times(self, alone: ModuleOp, tiled: Sequence[int], at: Sequence[int]) -> Sequence[float]:
        """µs of the module's function at each size of `at`, its dynamic dimension compiled for the sizes `tiled`;
        none where its shapes are static. Tilings that are stated and not legal at that size do not count then. Infinite
        where no kernel for all of `tiled` has them."""
        try:
            return self._times(alone.clone(), tiled, at)
        except WholeSizeError:
            raise
        except LocatedError:
            marked = [op for op in alone.walk() if kernel_marks(op)]
            if not marked:
                raise
        if tiled:
            return [inf for _ in at]
        free = alone.clone()
        for op in free.walk():
            drop_kernel_marks(op)
        return self._times(free, tiled, at)

    def _times(self, module: ModuleOp, tiled: Sequence[int], at: Sequence[int]) -> Sequence[float]:
        from ...passes.support.module import chip_of
        from ...runtime.execution.emulator import Emulator
        from .pipelines import build_passes, stages, with_choices
        from .universe import UNIVERSE

        context = Context()
        specs = with_choices([*stages("fuse"), *stages("lower")], {}, tiled, 1)
        with without_reports(), collect_sources(), progress(None):  # not those of the program
            for one in build_passes(UNIVERSE.all_passes, specs, self.target):
                one.apply(context, module)
            emulator = Emulator(module, chip_of(module, self.target))
            return [emulator.time_only(size=size if tiled else None).total_us for size in at]
