"""Runs of a program one after the other, until they take the same time: what a loop of launches on a board measures."""

from collections.abc import Sequence

from ...dialects.ascend import LaunchOp, LoadIndexOp, LoadScalarOp
from ..machine.memory_system import Traffic
from .launcher import Launcher
from .run_state import RunState

MOST_RUNS = 10
"""After the first one. Where L2 holds all tensors the second one is like all others."""
SETTLED = 1e-3
"""The share by which two runs may differ that take the same time."""


def run_warm(launches: Sequence[LaunchOp], launcher: Launcher, state: RunState) -> Traffic:
    """Run the launches of a function, which have run once, again and again until a run takes as long as the one before
    it. L2 and HBM go on as each leaves them, so a run finds in L2 what it keeps of the tensors, and writes back of what
    runs before it have written what L2 makes room of. The state then has the last run's kernels and trace; its traffic
    is given."""
    state.hazards = False
    indexed = any(
        isinstance(op, LoadIndexOp | LoadScalarOp)
        for kernel in launcher.kernel_ops.values()
        for op in kernel.walk()
    )
    state.values = state.values and indexed  # no data is needed but for indices
    traffic = state.system.traffic
    for _ in range(MOST_RUNS):
        earlier, moved = _time(state), state.system.traffic.copy()
        state.kernels, state.trace, state.usages = [], [], []
        for op in launches:
            launcher.launch(op, state)
        traffic = state.system.traffic.minus(moved)
        if abs(_time(state) - earlier) <= SETTLED * earlier:
            break
    return traffic


def _time(state: RunState) -> float:
    """Microseconds of the run that has ended."""
    return sum(kernel.time_us for kernel in state.kernels)


__all__ = ["run_warm"]
