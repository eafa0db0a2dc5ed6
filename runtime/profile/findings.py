"""What is found of a launch: what held it up, and what would help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...dialects.records import dataclass

if TYPE_CHECKING:
    pass

Numbers = Mapping[str, float | str]


@dataclass(frozen=True)
class Advice:
    """One rule that applies to a launch: its name, the numbers that show it, in words and by name, and what helps."""

    rule: str
    evidence: str
    help: str
    numbers: Numbers


@dataclass(frozen=True)
class Bottleneck:
    """What held a launch up: a pipe by its name in the profile, `HBM`, `L2` (reads of one core's port that hit),
    `scalar` (issuing), `launch`, or `waiting`, when nothing was in use for most of the time. `pipe`: the one that sets
    the pace; `share`: of the time, how long the resource was in use (that pipe, for `waiting`; of launch and kernel
    together, for `launch`)."""

    resource: str
    pipe: str = ""
    share: float = 0.0


UNKNOWN = Bottleneck("unknown")
