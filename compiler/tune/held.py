"""Bytes that plans and kernels hold, by kind: what memory means as a goal."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.records import dataclass
from ...runtime.profile.profile import Profile

KINDS = ("workspace", "on-chip", "weights")
"""Kinds of memory: in GM between kernels and inside one, in L1 and UB of a core, weights in GM."""


@dataclass(frozen=True)
class Held:
    """Bytes of a program or of a kernel alone: `workspace` at the worst moment, `on_chip` of the kernel with the most,
    `weights` as they are packed."""

    workspace: int = 0
    on_chip: int = 0
    weights: int = 0

    @staticmethod
    def of(profile: Profile) -> Held:
        """What a program holds, by its profile."""
        workspace = 0 if profile.workspace is None else profile.workspace.peak
        return Held(workspace, profile.on_chip_bytes, profile.weight_bytes or 0)

    def kind(self, name: str) -> int:
        """Bytes of one kind."""
        return {"workspace": self.workspace, "on-chip": self.on_chip, "weights": self.weights}[name]

    def kinds(self, names: Sequence[str]) -> tuple[int, ...]:
        """Bytes of some kinds."""
        return tuple(self.kind(name) for name in names)

    def to_json(self) -> dict[str, int]:
        """By the names that reports have."""
        return {
            "workspace_bytes": self.workspace,
            "on_chip_bytes": self.on_chip,
            "weight_bytes": self.weights,
        }


__all__ = ["KINDS", "Held"]
