"""One kernel per graph op: the graph as written, without fusion or algebra. The baseline that fusion is held against.

    tile-from-graph   =   graph-decompose, tile-group-ops, tile-from-groups

A group that is there already becomes the kernel that it says, and kernels stay.
"""

from collections.abc import Sequence

from xdsl.passes import ModulePass

from ..dialects.records import dataclass
from .graph_decompose import GraphDecompose
from .kernels.tuner import TUNE
from .support.pass_sequence import PassSequence
from .tile_from_groups import TileFromGroups
from .tile_group_ops import TileGroupOps


@dataclass(frozen=True)
class TileFromGraph(PassSequence):
    """Each graph op that computes becomes a kernel of its own; a module without graph ops and groups is left as it is.
    `sizes`, `tune` and `store` are those of `tile-from-groups`."""

    name = "tile-from-graph"
    target: str | None = None
    sizes: tuple[int, ...] = ()
    tune: int = TUNE
    store: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.steps()

    def steps(self) -> Sequence[ModulePass]:
        return (
            GraphDecompose(self.target),
            TileGroupOps(self.target),
            TileFromGroups(self.target, self.sizes, self.tune, self.store),
        )
