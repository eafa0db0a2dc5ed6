"""What a launch of a HIVM kernel gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...dialects.records import dataclass
from ..programs.program import Program, Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(frozen=True)
class HivmResult:
    """`outputs`: the arrays that the kernel writes, by the names of its arguments, in the shapes that they came in;
    none where only time ran. `program` is the kernel as instructions, `result` all that the run gave."""

    outputs: Mapping[str, Array]
    program: Program
    result: Result

    @property
    def profile(self) -> Any:
        """Without intervals: no kernel that was compiled so, and whose program is known, was measured on a board."""
        profile = self.result.profile
        kernels = [replace(kernel, interval_us=None) for kernel in profile.kernels]
        return replace(profile, kernels=kernels, interval_us=None)

    @property
    def findings(self) -> Any:
        """What is no hazard and yet in doubt: flags that are set again before they are waited for."""
        return self.result.findings

    @property
    def time_us(self) -> float:
        """Microseconds that the launch takes."""
        return self.result.profile.total_us

    def trace_text(self) -> str:
        """The Chrome trace as JSON."""
        return self.result.trace_text()
