"""A kernel of the tile level: its grid and its body."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, NoTerminator
from xdsl.utils.exceptions import VerifyException

from ..attributes import tensor_type
from ..late_format import LateFormat
from ..op_checks import run_check
from .grid_attr import Circular, Grid, GridAttr, Tail
from .layout import physical_shape
from .schedule import HandOverAttr, HandOvers, ProgramAttr, Programs


@irdl_op_definition
class KernelOp(LateFormat):
    """One fused kernel. Its grid (`#tile.grid`) has `ceil(extent / tile)` points along each dimension of its result.

    Block arguments: the inputs, the results (written by `tile.store`), then for every dimension of the iteration space
    the offset and the size of this point's tile.

    `programs` are those that the kernel becomes, one for each kind of core that it needs, and the order in which each
    takes its tiles; `hand_overs` what two of them exchange. Passes between tiles and instructions say so. `ops` are the
    graph's ops that it computes.

        %y = tile.kernel "k"(%x)
             attributes {schedule = #tile.grid<extents = [64], tiles = [32], tails = clip, cores = 2>, ops = […]}
             {^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index): …}
             : (tensor<64xf16>) -> tensor<64xf16>
    """

    name = "tile.kernel"
    kernel_name = prop_def(StringAttr)
    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)
    schedule_attr = prop_def(GridAttr, prop_name="schedule")
    ops = prop_def(ArrayAttr[StringAttr])
    programs = opt_prop_def(Programs)
    hand_overs = opt_prop_def(HandOvers)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = (
        "$kernel_name `(` $inputs `)` attr-dict-with-keyword $body "
        "`:` `(` type($inputs) `)` `->` `(` type($outputs) `)`"
    )

    def __init__(
        self,
        name: str,
        inputs: Sequence[SSAValue],
        argument_types: Sequence[Attribute],
        result_types: Sequence[Attribute],
        schedule: Grid,
        ops: Sequence[str] = (),
    ):
        block = Block(arg_types=[*argument_types, *[IndexType()] * (2 * schedule.rank)])
        super().__init__(
            operands=[list(inputs)],
            result_types=[list(result_types)],
            properties={
                "kernel_name": StringAttr(name),
                "schedule": GridAttr(schedule),
                "ops": ArrayAttr([StringAttr(o) for o in ops]),
            },
            regions=[Region(block)],
        )

    @property
    def schedule(self) -> Grid:
        """Its tiles, and how cores take them."""
        return self.schedule_attr.data

    @schedule.setter
    def schedule(self, grid: Grid) -> None:
        self.schedule_attr = GridAttr(grid)

    @property
    def stated_schedule(self) -> Grid | None:
        """Its schedule, if it has one: ops inside are verified before it."""
        stated = self.properties.get("schedule")
        return stated.data if isinstance(stated, GridAttr) else None

    @property
    def factor(self) -> int:
        """How many times the run-time size the first extent is; 0: it is static."""
        return self.schedule.dynamic

    @property
    def size_list(self) -> tuple[int, ...]:
        """The run-time sizes that the tiles were chosen for, in increasing order."""
        return self.schedule.sizes

    def open_up(self, factor: int, sizes: Sequence[int]) -> None:
        """Make the first extent `factor` times the run-time size."""
        extents = (-1, *self.schedule.extents[1:])
        self.schedule = replace(self.schedule, extents=extents, dynamic=factor, sizes=tuple(sizes))

    @property
    def extent_list(self) -> tuple[int, ...]:
        """The extents; a dynamic one is that of the middle one of `sizes`."""
        return self.schedule.static_extents

    def ragged(self, d: int) -> bool:
        """Whether dimension `d` has a last tile that is not whole, or may have one."""
        return self.schedule.ragged(d)

    @property
    def tile_sizes(self) -> tuple[int, ...]:
        return self.schedule.tiles

    @property
    def tail_list(self) -> tuple[Tail, ...]:
        """How each dimension ends."""
        return self.schedule.tails

    @property
    def grid(self) -> tuple[int, ...]:
        """Number of points along each dimension."""
        return self.schedule.points

    @property
    def rows(self) -> Circular | None:
        """How the rows of its planes go round, if they do."""
        return self.schedule.circular

    @property
    def walked(self) -> tuple[int, ...]:
        """The dimensions that one core walks on its own, the fastest last."""
        return self.schedule.walked

    @property
    def program_list(self) -> tuple[ProgramAttr, ...]:
        """The programs that it becomes; none before they are settled."""
        return () if self.programs is None else tuple(self.programs)

    @property
    def hand_over_list(self) -> tuple[HandOverAttr, ...]:
        """What two programs exchange."""
        return () if self.hand_overs is None else tuple(self.hand_overs)

    @property
    def shared_points(self) -> int:
        """Points of the grid that are dealt to the cores; at each a core walks all tiles of the `walked` dimensions."""
        return self.schedule.shared_points

    def verify_(self) -> None:
        if self.programs is not None or self.hand_overs is not None:
            run_check(self)
        expected = len(self.inputs) + len(self.outputs) + 2 * self.schedule.rank
        if len(self.body.block.args) != expected:
            raise VerifyException(
                f"tile.kernel: {len(self.body.block.args)} block arguments, expected {expected}"
            )
        for outer, inner in zip([*self.inputs, *self.outputs], self.body.block.args, strict=False):
            if not isinstance(outer.type, TensorType) or not isinstance(inner.type, TensorType):
                raise VerifyException("tile.kernel: inputs and results are tensors")
            physical_shape(tensor_type(outer))
            physical_shape(tensor_type(inner))
