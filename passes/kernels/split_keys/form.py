"""Groups whose product weighs rows by their softmax and keeps its logarithm (`graph.softmax_matmul`): parts of the keys
of attention, with the product that gives their scores."""

from xdsl.ir import Operation

from ....dialects import tile
from ...regions.regions import Regions
from ...regions.tiling import OnlineTiling
from ..common.form import Group
from ..online.form import OnlineForm
from .build import SplitKeysBuilder


class SplitKeysForm(OnlineForm):
    """Rows are met part by part as those of the online form, and its tilings are theirs."""

    def matches(self, regions: Regions) -> bool:
        return regions.stream is not None and regions.stream.online is regions.product

    def build(self, name: str, group: Group, anchor: Operation, tiling: OnlineTiling) -> tile.KernelOp:
        return SplitKeysBuilder(name, group.regions, group.packable, anchor, group.target).stream(tiling)


__all__ = ["SplitKeysForm"]
