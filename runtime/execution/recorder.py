"""Notes what is in use while the clock of a launch runs: cores, their Cube and Vector units, the ports to L2, HBM.

Nothing is noted unless somebody asks: the clock then runs with `serve` itself, and has no events but those of a trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from ...dialects.records import dataclass
from ..profile.utilisation import Interval, LaunchUsage, used_over_time
from ..program.instruction import PIPE_INDEX

if TYPE_CHECKING:
    from ..machine.ports import Served
    from .core_state import Core, Launch

UNITS = {"cube": PIPE_INDEX["M"], "vector": PIPE_INDEX["V"]}


@dataclass(slots=True)
class Recorder:
    """One launch: when each request was served, and its bytes; times in cycles."""

    hbm: list[Interval] = field(default_factory=list[Interval])
    l2: list[Interval] = field(default_factory=list[Interval])

    def serve(
        self, serve: Callable[[Core, int, Launch], Served | None], core: Core, pipe: int, launch: Launch
    ) -> Served | None:
        """Serve a request by `serve`, and note it."""
        system, traffic = launch.system, launch.system.traffic
        busy, moved = traffic.hbm_busy, traffic.hbm_read + traffic.hbm_write
        served = serve(core, pipe, launch)
        took, bytes_ = traffic.hbm_busy - busy, traffic.hbm_read + traffic.hbm_write - moved
        if bytes_:
            self.hbm.append((system.hbm_free - took, system.hbm_free, bytes_))
        request = core.serving[pipe]
        if served is not None and request is not None:
            instruction, _, start = request
            assert instruction.gm is not None
            self.l2.append((start, served[0], instruction.gm.pattern.bytes))
        return served

    def usage(self, launch: Launch, cores: Sequence[Core]) -> LaunchUsage:
        """What was in use when, counted from the start of the launch, now that it is over."""
        found = {"hbm": self.hbm, "l2": self.l2}
        found["ai_core"] = [(core.begin, core.end, core.end - core.begin) for core in cores]
        events = launch.events or ()
        for unit, pipe in UNITS.items():
            found[unit] = [(e.start, e.end, e.end - e.start) for e in events if e.pipe == pipe]
        return {name: used_over_time(intervals, launch.start) for name, intervals in found.items()}


__all__ = ["Recorder"]
