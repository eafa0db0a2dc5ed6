"""What of a model cannot be imported, listed at once."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.records import dataclass

SHOWN = 20
"""So many nodes are listed in a message."""


class Unsupported(Exception):
    """One node cannot be imported; `str` is the reason. `value`: what would have to be known."""

    def __init__(self, reason: str, value: SSAValue | None = None):
        super().__init__(reason)
        self.value = value


@dataclass(frozen=True)
class UnsupportedNode:
    """A node by its name and operator, and why it cannot be imported."""

    name: str
    operator: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name} ({self.operator}): {self.reason}"


class UnsupportedModel(ValueError):
    """A model cannot be imported; `nodes` are those at fault, or none where it is the model itself. `needed`: the
    inputs whose values would have to be known, so that more of them could be."""

    def __init__(
        self, file: str, message: str, nodes: Sequence[UnsupportedNode] = (), needed: Sequence[str] = ()
    ):
        listed = [f"\n  {node}" for node in nodes[:SHOWN]]
        if len(nodes) > SHOWN:
            listed.append(f"\n  ... and {len(nodes) - SHOWN} more")
        self.file = file
        self.message = f"{message}{''.join(listed)}"
        super().__init__(f"{file}: {self.message}")
        self.nodes = tuple(nodes)
        self.needed = tuple(needed)


__all__ = ["Unsupported", "UnsupportedModel", "UnsupportedNode"]
