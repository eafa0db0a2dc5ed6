"""Graph ops that other installed packages contribute.

A package names a `GraphExtension` under the entry point group `ascend_opt.graph_ops`:

    [project.entry-points."ascend_opt.graph_ops"]
    hard_swish = "my_package.ops:HARD_SWISH"

    HARD_SWISH = GraphExtension(HardSwishOp, reference=lambda x: x * np.clip(x / 6 + 0.5, 0, 1))
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from ..records import dataclass
from .base import GraphOp

GROUP = "ascend_opt.graph_ops"


@dataclass(frozen=True)
class GraphExtension:
    """One op and its definition in numpy: `reference(*operands, **attributes)` on f32 or f64 arrays."""

    op: type[GraphOp]
    reference: Callable[..., Any]


@cache
def load_extensions() -> tuple[GraphExtension, ...]:
    """The extensions of all installed packages, by entry point name. Raises ValueError on a bad one."""
    from importlib.metadata import entry_points

    found: list[GraphExtension] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        name = f"graph op extension '{entry.name}' ({entry.value})"
        try:
            extension = entry.load()
        except Exception as error:
            raise ValueError(f"{name} does not load: {error}") from error
        if not isinstance(extension, GraphExtension):
            raise ValueError(f"{name} is not a GraphExtension")
        found.append(extension)
    return tuple(found)
