"""Fusion as a whole: a graph is prepared, its ops are grouped where that pays, and each group becomes a kernel.

tile-fuse   =   graph-decompose, graph-split-reductions, graph-pad-planes, tile-group, tile-from-groups
"""

from collections.abc import Sequence

from xdsl.passes import ModulePass

from ..dialects.records import dataclass
from .fusion.candidates import MAX_OCCUPANCY, MIN_GAIN
from .graph_decompose import GraphDecompose
from .graph_pad_planes import GraphPadPlanes
from .graph_split_reductions import GraphSplitReductions
from .kernels.tuner import TUNE
from .support.pass_sequence import PassSequence
from .tile_from_groups import TileFromGroups
from .tile_group import TileGroup


@dataclass(frozen=True)
class TileFuse(PassSequence):
    """The passes from a graph to fused kernels; the options are theirs (`tile-group`, `tile-from-groups`)."""

    name = "tile-fuse"
    target: str | None = None
    min_gain: float | int = MIN_GAIN
    max_occupancy: float | int = MAX_OCCUPANCY
    sizes: tuple[int, ...] = ()
    layouts: bool = True
    tune: int = TUNE
    plan: str | None = None
    store: str | None = None
    join_launches: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.steps()

    def steps(self) -> Sequence[ModulePass]:
        target, sizes = self.target, self.sizes
        return (
            GraphDecompose(target),
            GraphSplitReductions(target, sizes),
            GraphPadPlanes(target, sizes),
            TileGroup(
                target, self.min_gain, self.max_occupancy, sizes, self.layouts, self.plan, self.join_launches
            ),
            TileFromGroups(target, sizes, self.tune, self.store, self.join_launches),
        )
