"""A kernel of the tile level: its grid and its body."""

from collections.abc import Sequence
from dataclasses import astuple
from math import prod

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
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

from ..attributes import integer_array, integers, tensor_type
from ..op_checks import run_check
from ..records import dataclass
from .layout import physical_shape
from .schedule import HandOverAttr, HandOvers, ProgramAttr, Programs

TAILS = ("shift", "clip", "cover")


@dataclass(frozen=True)
class Circular:
    """How the rows of an image's planes, dimension `dim` of a kernel, go round: tiles overlap by `halo` rows, the last
    row is followed by `gap` rows that nobody needs and by the first rows, and the first tile starts `lead` rows before
    the plane, with the last rows of the image before."""

    dim: int
    halo: int
    gap: int
    lead: int

    def points(self, extent: int, size: int) -> int:
        """Tiles of `size` rows that planes of `extent` rows have."""
        return -(-(extent + self.lead) // (size - self.halo))


@irdl_op_definition
class KernelOp(IRDLOperation):
    """One fused kernel. The grid has `ceil(extent / tile)` points along each dimension of its result.

    Block arguments: the inputs, the results (written by `tile.store`), then for every dimension of the
    iteration space the offset and the size of this point's tile. With `tails = "shift"` the last tile of a
    dimension starts early so that every tile has its full size; with `"clip"` it is smaller; with `"cover"` it has
    its full size and what lies past the end is neither read nor written. A list, `"shift,cover"`, says it for each.
    Points are dealt to `cores` cores in turn, `swizzle` rows of the grid at a time (its last two dimensions with
    more than one point), so that cores at work together share operands in L2. `serial` counts trailing dimensions
    of the grid that one core walks on its own, and `inner` is one more that it walks, before all others.

    With `spans` each core takes points that follow each other, as many as the others or one more, and then the point
    behind them: tiles end to end in the result may share blocks of it. A core writes the blocks that begin in its own
    tiles, the last of which may end in that point's tile, which is computed for it.

    With `circular = [d, halo, gap, lead]` rows of planes (dimension `d`, in front of the last one) go round, because
    what follows a plane in the result begins in the last 32 B block of it. A tile has `halo` rows more than it owns,
    which begin the next tile; behind the last row of a plane come `gap` rows that nobody needs, then its first ones.
    The first tile of a plane starts `lead` rows early, with the last `halo` rows of the image before. A store writes
    the blocks that begin among the tile's own rows; the one that two images share is the second one's.

    The first extent may be open (-1): with `dynamic = f` it is f times the graph's run-time size, and the grid has as
    many points as that gives. Its last tile is smaller or goes past the end, and so does the only one where the extent
    is less than a tile. `sizes` are the run-time sizes that the tiles were chosen for.

    `programs` are those that the kernel becomes, one for each kind of core that it needs, and the order in which each
    takes its tiles; `hand_overs` what two of them exchange. Passes between tiles and instructions say so.

        %y = tile.kernel "k"(%x) {cores = 2 : i64, extents = array<i64: 64>, tiles = array<i64: 32>, tails = "clip", …}
             {^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index): …}
             : (tensor<64xf16>) -> tensor<64xf16>
    """

    name = "tile.kernel"
    kernel_name = prop_def(StringAttr)
    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)
    cores = prop_def(IntegerAttr)
    extents = prop_def(DenseArrayBase)
    tiles = prop_def(DenseArrayBase)
    tails = prop_def(StringAttr)
    swizzle = prop_def(IntegerAttr)
    serial = prop_def(IntegerAttr)
    dynamic = opt_prop_def(IntegerAttr)
    sizes = opt_prop_def(DenseArrayBase)
    inner = opt_prop_def(IntegerAttr)
    spans = opt_prop_def(UnitAttr)
    circular = opt_prop_def(DenseArrayBase)
    programs = opt_prop_def(Programs)
    hand_overs = opt_prop_def(HandOvers)
    ops = prop_def(ArrayAttr[StringAttr])
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$kernel_name `(` $inputs `)` attr-dict-with-keyword $body "
        "`:` `(` type($inputs) `)` `->` `(` type($outputs) `)`"
    )

    def __init__(
        self,
        name: str,
        inputs: Sequence[SSAValue],
        argument_types: Sequence[Attribute],
        result_types: Sequence[Attribute],
        *,
        cores: int,
        extents: Sequence[int],
        tiles: Sequence[int],
        tails: str,
        swizzle: int = 1,
        serial: int = 0,
        inner: int | None = None,
        spans: bool = False,
        circular: Circular | None = None,
        ops: Sequence[str] = (),
    ):
        block = Block(arg_types=[*argument_types, *[IndexType()] * (2 * len(extents))])
        super().__init__(
            operands=[list(inputs)],
            result_types=[list(result_types)],
            properties={
                "kernel_name": StringAttr(name),
                "cores": IntegerAttr(cores, i64),
                "extents": integer_array(extents),
                "tiles": integer_array(tiles),
                "tails": StringAttr(tails),
                "swizzle": IntegerAttr(swizzle, i64),
                "serial": IntegerAttr(serial, i64),
                "inner": None if inner is None else IntegerAttr(inner, i64),
                "spans": UnitAttr() if spans else None,
                "circular": None if circular is None else integer_array(astuple(circular)),
                "ops": ArrayAttr([StringAttr(o) for o in ops]),
            },
            regions=[Region(block)],
        )

    @property
    def factor(self) -> int:
        """How many times the run-time size the first extent is; 0: it is static."""
        return 0 if self.dynamic is None else self.dynamic.value.data

    @property
    def size_list(self) -> tuple[int, ...]:
        """The run-time sizes that the tiles were chosen for, in increasing order."""
        return () if self.sizes is None else integers(self.sizes)

    def open_up(self, factor: int, sizes: Sequence[int]) -> None:
        """Make the first extent `factor` times the run-time size."""
        self.extents = integer_array([-1, *integers(self.extents)[1:]])
        self.dynamic, self.sizes = IntegerAttr(factor, i64), integer_array(sizes)

    @property
    def extent_list(self) -> tuple[int, ...]:
        """The extents; a dynamic one is that of the middle one of `sizes`."""
        stated = integers(self.extents)
        if not self.factor:
            return stated
        return (self.factor * self.size_list[len(self.size_list) // 2], *stated[1:])

    def ragged(self, d: int) -> bool:
        """Whether dimension `d` has a last tile that is not whole, or may have one."""
        if self.rows is not None and d == self.rows.dim:
            return True
        return (self.factor if self.factor and d == 0 else self.extent_list[d]) % self.tile_sizes[d] != 0

    @property
    def tile_sizes(self) -> tuple[int, ...]:
        return integers(self.tiles)

    @property
    def tail_list(self) -> tuple[str, ...]:
        """How each dimension ends."""
        stated = tuple(self.tails.data.split(","))
        return stated * len(self.extent_list) if len(stated) == 1 else stated

    @property
    def grid(self) -> tuple[int, ...]:
        """Number of points along each dimension."""
        return tuple(
            self.rows.points(e, t) if self.rows is not None and d == self.rows.dim else -(-e // t)
            for d, (e, t) in enumerate(zip(self.extent_list, self.tile_sizes, strict=True))
        )

    @property
    def rows(self) -> Circular | None:
        """How the rows of its planes go round, if they do."""
        return None if self.circular is None else Circular(*integers(self.circular))

    @property
    def walked(self) -> tuple[int, ...]:
        """The dimensions that one core walks on its own, the fastest last."""
        rank = len(self.extent_list)
        inner = () if self.inner is None else (self.inner.value.data,)
        return (*(d for d in range(rank - self.serial.value.data, rank) if d not in inner), *inner)

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
        return prod(count for d, count in enumerate(self.grid) if d not in self.walked)

    def verify_(self) -> None:
        open_ended = integers(self.extents)[:1] == (-1,)
        if open_ended != (self.factor > 0) or open_ended != bool(self.size_list):
            raise VerifyException(
                "tile.kernel: a first extent of -1 goes with dynamic, how many times the run-time size it is, and with "
                "sizes, those that it is tiled for"
            )
        if min(self.size_list, default=1) < 1:
            raise VerifyException(f"tile.kernel: sizes are 1 or more, not {list(self.size_list)}")
        rank = len(self.extent_list)
        if len(self.tile_sizes) != rank or any(t < 1 for t in self.tile_sizes):
            raise VerifyException(
                f"tile.kernel: tiles {self.tile_sizes} do not fit extents {self.extent_list}"
            )
        if any(extent < 1 for extent in self.extent_list):
            raise VerifyException(f"tile.kernel: extents are 1 or more, not {list(self.extent_list)}")
        for name, attribute, least in (("cores", self.cores, 1), ("swizzle", self.swizzle, 1)):
            if attribute.value.data < least:
                raise VerifyException(f"tile.kernel: {name} is {least} or more, not {attribute.value.data}")
        if not 0 <= self.serial.value.data <= rank:
            raise VerifyException(
                f"tile.kernel: serial counts some of {rank} dimensions, not {self.serial.value.data}"
            )
        if self.factor and self.tail_list[:1] == ("shift",) and self.ragged(0):
            raise VerifyException(
                "tile.kernel: the last tile of a dynamic dimension cannot start early (shift)"
            )
        if self.spans is not None and (self.walked or self.factor or "shift" in self.tail_list):
            raise VerifyException(
                "tile.kernel: spans goes with tails clip or cover, and without serial, inner and dynamic"
            )
        self._verify_circular()
        if self.inner is not None and not 0 <= self.inner.value.data < rank:
            raise VerifyException(
                f"tile.kernel: inner is one of {rank} dimensions, not {self.inner.value.data}"
            )
        if len(self.tail_list) != rank or any(tail not in TAILS for tail in self.tail_list):
            raise VerifyException(
                f"tile.kernel: tails is one of {', '.join(TAILS)} or a list of them, one a dimension, "
                f"not {self.tails.data!r}"
            )
        if self.programs is not None or self.hand_overs is not None:
            run_check(self)
        expected = len(self.inputs) + len(self.outputs) + 2 * rank
        if len(self.body.block.args) != expected:
            raise VerifyException(
                f"tile.kernel: {len(self.body.block.args)} block arguments, expected {expected}"
            )
        for outer, inner in zip([*self.inputs, *self.outputs], self.body.block.args, strict=False):
            if not isinstance(outer.type, TensorType) or not isinstance(inner.type, TensorType):
                raise VerifyException("tile.kernel: inputs and results are tensors")
            physical_shape(tensor_type(outer))
            physical_shape(tensor_type(inner))

    def _verify_circular(self) -> None:
        """The last tile holds the first rows again, and every tile owns a row."""
        if self.circular is None:
            return
        if len(stated := integers(self.circular)) != 4 or min(stated) < 0:
            raise VerifyException(
                f"tile.kernel: circular is [dimension, halo, gap, lead], 0 or more, not {list(stated)}"
            )
        rows, rank = Circular(*stated), len(self.extent_list)
        if rows.dim != rank - 2 or self.spans is not None or self.factor or self.walked:
            raise VerifyException(
                f"tile.kernel: circular goes with dimension {rank - 2}, of static size, and without spans, serial and "
                "inner"
            )
        extent, step = self.extent_list[rows.dim], self.tile_sizes[rows.dim] - rows.halo
        if step <= rows.lead or rows.halo < 1:
            raise VerifyException(
                f"tile.kernel: tiles of {step + rows.halo} circular rows do not hold {rows.halo} of the next tile, 1 "
                f"or more, {rows.lead} before the plane and one of their own"
            )
        first = (rows.points(extent, step + rows.halo) - 1) * step - rows.lead
        if first + step < extent + rows.gap or first >= extent:
            raise VerifyException(
                f"tile.kernel: the last tile, from row {first} on, does not own a row and reach {rows.gap} rows past "
                f"the last one of {extent}"
            )
