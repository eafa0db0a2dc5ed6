"""What the search for tiles of a product knows of the kernel, and of one tile of its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property, wraps
from math import prod
from typing import Any, Concatenate, ParamSpec, TypeVar

from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects.element_types import ELEMENT_BYTES, bytes_of, lanes_of, name_of
from ....dialects.records import dataclass
from ....dialects.target_types import Path_, Target
from ....dialects.tile import BLOCK, Circular, layout_of
from ....dialects.tiling import Along, Contraction, OperandMap
from ...cost.gm_bytes import group_bytes
from ...cost.group_trace import GroupTrace, ceil_to
from ...cost.rule_trace import trace_group, trace_prologue
from ...lowering.cores.cube_to_vector_gm import SLOTS
from ...lowering.transfers.feature_map import staging_rows
from ...lowering.transfers.fixpipe import stored_at_once
from ...lowering.transfers.image_clip import stored_width
from ...regions.regions import Regions
from ...regions.tiling import Roles, grid_of, product_roles, product_spans
from ...support.values import element_type_of, held_type_of, rule_of, shape_of
from .fixpipe_epilogue import Drain, drain_of
from .operand_load import OperandLoad, operand_loads

Rest = ParamSpec("Rest")
Result = TypeVar("Result")

MARGIN = BLOCK * BLOCK
"""Elements that a buffer in UB may take beside its tile: a transpose writes whole blocks."""


@dataclass(frozen=True)
class Problem:
    """What of the search does not depend on the tile. Bytes of an element of an operand (`item`), of the result on chip
    (`out`) and in GM (`stored`)."""

    regions: Regions
    roles: Roles
    trace: GroupTrace
    contraction: Contraction
    target: Target
    packed: bool
    item: int
    out: int
    stored: int
    per_element: int
    full_loads: int
    split_rows: bool = False
    """Whether rows of the result that are no multiple of 16, and of images that are not wide, may be cut."""
    drain: Drain | None = None
    """What FixPipe does of the epilogue; None: nothing."""
    prologue: GroupTrace | None = None
    """What the Vector does to compute the left operand; None: it is read as it is."""
    slots: int = 2
    """Slots of what brings the operands to the Cube."""
    products: int = 1
    """Products of the kernel, which share L0."""
    held: bool = False
    """Whether the left operand is in L1, where another product of the kernel left it."""
    feeds: bool = False
    """Whether the result stays in L1, where another product of the kernel reads it."""
    known: dict[Any, Any] = field(default_factory=dict[Any, Any], init=False, repr=False, compare=False)
    """What functions of this problem that are `remembered` gave."""

    @cached_property
    def extents(self) -> tuple[int, ...]:
        return self.regions.kernel_extents

    @cached_property
    def gm_bytes(self) -> int:
        """Bytes of every tensor once."""
        return group_bytes(self.regions)

    @cached_property
    def product(self) -> Operation:
        product = self.regions.product
        assert product is not None
        return product

    @cached_property
    def several(self) -> int:
        """Products whose columns lie side by side in the accumulator."""
        return len(self.regions.products)

    @cached_property
    def dtype(self) -> str:
        """Element type of the operands."""
        return name_of(element_type_of(self.lhs))

    @cached_property
    def result_dtype(self) -> str:
        """Element type in which the Vector unit has the result."""
        return name_of(held_type_of(self.regions.result))

    @cached_property
    def k0(self) -> int:
        """K of a fractal."""
        return lanes_of(self.dtype)

    @cached_property
    def step_dims(self) -> frozenset[int]:
        """Dimensions of the tiles of a left operand that is computed."""
        return frozenset(self.regions.step_order)

    @cached_property
    def operand_dims(self) -> frozenset[int]:
        """The same, and those that are folded."""
        return self.step_dims.union(self.regions.folded_dims)

    @cached_property
    def operand_loads(self) -> tuple[OperandLoad, ...]:
        """What the left operand is computed from."""
        return operand_loads(self.regions, self.step_dims)

    @cached_property
    def operand_bytes_each(self) -> int:
        """UB bytes that an element of a left operand takes while it is computed."""
        assert self.prologue is not None
        return self.prologue.bytes_per_element(self.regions, self.slots)

    @cached_property
    def folded(self) -> int:
        """Elements that are reduced to one of the left operand along dimensions that the product lacks."""
        return prod(self.regions.tile_extents[d] for d in self.regions.folded_dims)

    @cached_property
    def whole_rows(self) -> bool:
        """Whether the left operand is computed from whole rows."""
        return not self.regions.prologue.isdisjoint(self.regions.rows)

    @cached_property
    def grain(self) -> int:
        """What K of a product in L0 is a multiple of: a fractal of a convolution, else a square block."""
        return self.k0 if self.window else max(BLOCK, self.k0)

    @cached_property
    def block(self) -> int:
        """Elements that a store of part of a row writes at least: a block of a tile, a 32 B block of the tensor."""
        return 16 if self.target.dma.unaligned else max(16, 32 // self.stored)

    @cached_property
    def window(self) -> bool:
        """Whether the product is a convolution."""
        return self.contraction.window is not None

    @cached_property
    def taps(self) -> int:
        """Pixels that a convolution's window sees."""
        window = self.contraction.window
        return 1 if window is None else prod(window.kernel)

    @cached_property
    def lhs(self) -> SSAValue:
        return self.product.operands[self.contraction.lhs]

    @cached_property
    def right_repeats(self) -> tuple[int, ...]:
        """The kernel's dimensions along which tiles multiply the same right operand, which each matrix of a batch may
        have for itself."""
        maps = self.regions.kernel_map(self.regions.operand_map(self.product, self.contraction.rhs))
        followed = {e.dim for e in maps if isinstance(e, Along)} | {self.roles.n, self.roles.part}
        return tuple(d for d in range(len(self.extents)) if d not in followed)

    @cached_property
    def rhs(self) -> SSAValue:
        return self.product.operands[self.contraction.rhs]

    @cached_property
    def lhs_shape(self) -> tuple[int, ...]:
        return shape_of(self.lhs)

    @cached_property
    def rhs_shape(self) -> tuple[int, ...]:
        return shape_of(self.rhs)

    @cached_property
    def from_gm(self) -> Path_:
        return self.target.path("gm", "l1" if self.target.split else "ub")

    @cached_property
    def lhs_maps(self) -> OperandMap:
        """How the kernel's space needs the left operand."""
        return self.regions.kernel_map(self.regions.operand_map(self.product, self.contraction.lhs))

    @cached_property
    def lhs_blocked(self) -> bool:
        """Whether the left operand lies in GM as in L1."""
        return self.prologue is None and layout_of(self.lhs.type) is not None

    @cached_property
    def result_blocked(self) -> bool:
        """Whether the result lies in GM as its tiles do on chip."""
        return layout_of(self.regions.result.type) is not None

    @property
    def leaves_as_it_lies(self) -> bool:
        """Whether the result leaves as its tiles lie on chip: for a tensor in blocks, or for L1."""
        return self.result_blocked or self.feeds

    @cached_property
    def staged_loads(self) -> int:
        """Operands of the epilogue as large as the result that do not come to UB as its tiles lie there."""
        before = self.regions.prologue | {self.product}
        beside = self.regions.loads_of(op for op in self.regions.ops if op not in before)
        return self.full_loads - sum(layout_of(load.value.type) is not None for load in beside)

    @cached_property
    def new_loads(self) -> int:
        """Operands of the epilogue as large as the result that no kernel gives: L2 has nothing of them."""
        before = self.regions.prologue | {self.product}
        beside = self.regions.loads_of(op for op in self.regions.ops if op not in before)
        shape = self.regions.kernel_extents
        given = (load for load in beside if isinstance(load.value, BlockArgument))
        return sum(self.regions.kernel_shape(load) == shape for load in given)

    @cached_property
    def whole_columns(self) -> bool:
        """Whether an op behind the product needs all of its columns."""
        return any(self.roles.n in self.regions.kernel_rows(op) for op in self.regions.rows)

    def pitch(self, operand: SSAValue) -> int:
        """Elements of GM from one row of an operand to the next."""
        index = list(self.product.operands).index(operand)
        load = self.regions.addressed.get((operand, self.regions.operand_map(self.product, index)))
        shape = shape_of(operand)
        if load is None:
            return shape[-1]
        outer = self.regions.operand_map(self.product, index)[-2] if len(shape) > 1 else None
        rows = next((i for i, e in enumerate(load.maps) if e == outer), len(load.maps) - 2)
        return prod(shape_of(load.value)[rows + 1 :])

    @cached_property
    def rows_last(self) -> bool:
        """Whether columns of the matrix are the result's last dimension: its rows are contiguous in GM."""
        return self.roles.n == len(self.extents) - 1


def remembered(
    function: Callable[Concatenate[Problem, Rest], Result],
) -> Callable[Concatenate[Problem, Rest], Result]:
    """A function of a problem and of what can be hashed, computed once for the same arguments: candidates of a search
    have most of what they cost in common."""

    @wraps(function)
    def known(p: Problem, *rest: Rest.args, **named: Rest.kwargs) -> Result:
        table: dict[Any, Any] | None = p.known.get(function)
        if table is None:
            table = p.known[function] = {}
        key: Any = (rest, *named.items()) if named else rest
        found = table.get(key, p)  # no function gives its problem
        if found is p:
            found = table[key] = function(p, *rest, **named)
        return found

    return known


@dataclass(frozen=True, eq=False)
class Tile:
    """Sizes of one candidate's tile of the result; `n16` columns of all products whose results lie side by side."""

    tiles: tuple[int, ...]
    m: int
    m16: int
    n16: int
    pixels: int
    staged: int
    image: tuple[int, int]
    lead: int = 0
    """Columns before its own that are computed with it, in `n16` too."""
    circular: Circular | None = None
    """How the rows of planes go round, of which it has those that begin the next tile too."""


def problem_of(regions: Regions, packed: bool, target: Target, drain: bool = False) -> Problem:
    """The problem of tiling a group around its product; `packed`: its right operand is packed before the run; `drain`:
    FixPipe does what it can of the epilogue."""
    key = problem_of, packed, id(target), drain
    if key not in regions.known or regions.factor:
        regions.known[key] = _problem(regions, packed, target, drain)
    return regions.known[key]


def _problem(regions: Regions, packed: bool, target: Target, drain: bool) -> Problem:
    assert regions.product is not None
    taken = drain_of(regions, target) if drain else None
    roles = product_roles(regions)
    trace = trace_group(regions, target, taken.ops, taken.result) if taken else trace_group(regions, target)
    contraction = rule_of(regions.product).contraction(regions.product)
    item = bytes_of(element_type_of(regions.product.operands[contraction.lhs]))
    stored = bytes_of(element_type_of(regions.result))
    straight = taken is not None and taken.result is regions.result
    out = stored if straight else bytes_of(held_type_of(regions.result))
    return Problem(
        regions, roles, trace, contraction, target, packed, item, out, stored, trace.bytes_per_element(regions),
        trace.full_loads, drain=taken, prologue=trace_prologue(regions, target) if regions.prologue else None,
    )  # fmt: skip


def tile_of(p: Problem, tiles: tuple[int, ...], lead: int = 0, circular: Circular | None = None) -> Tile:
    """Sizes that follow from the tile of each kernel dimension."""
    spans = product_spans(p.regions, tiles)
    m = prod(spans[d] for d in p.roles.m)
    pixels = staged = 0
    image = 0, 0
    if p.window:
        shape = p.lhs_shape
        rows, columns = p.lhs_maps[2:]
        assert isinstance(rows, Along) and isinstance(columns, Along)
        height = rows.span(tiles[rows.dim])
        height = height if circular is not None else min(height, shape[2])
        cut = tiles[columns.dim] < p.extents[columns.dim]
        assert p.contraction.window is not None
        step = p.contraction.window.strides[1]
        width = stored_width(columns.span(tiles[columns.dim]), columns.pad, shape[3], step, cut)
        pixels = ceil_to(height * width, 16)
        staged = ceil_to(staging_rows(p.target, height, width, element_type_of(p.lhs)) * width, 16)
        image = height, width
    columns = p.several * ceil_to(spans[p.roles.n], 16) + lead
    return Tile(tiles, m, ceil_to(m, 16), columns, pixels, staged, image, lead, circular)


def takes_vector(p: Problem) -> bool:
    """Whether tiles of the product go through the UB of Vector cores: on chips where FixPipe stores by itself, those
    whose epilogue or layout it cannot do."""
    return not p.target.split or bool(p.trace.steps) or not (p.rows_last or p.leaves_as_it_lies)


def lands(p: Problem) -> bool:
    """Whether tiles of the product go to the UB of Vector cores beside the Cube core, by way of FixPipe."""
    return p.target.lands and takes_vector(p)


@remembered
def hands_over_by_units(p: Problem, tile: Tile) -> bool:
    """Whether the Cube and FixPipe hand over tiles by the unit flag: FixPipe takes a tile in one instruction, L0C has
    no room for two of them, and products of a tile that leaves rows to the last one need no barrier between them
    either."""
    target = p.target
    if not target.cube.unit_flag or p.products > 1 or p.held or p.feeds or lands(p):
        return False
    alone = not p.regions.factor and prod(grid_of(p.extents, tile.tiles, tile.circular)) <= target.cores
    if 2 * tile.m16 * tile.n16 * 4 <= target.spaces["l0c"].bytes and not alone:
        return False
    if takes_vector(p):
        return True
    least = tile.m
    for d in p.roles.m:
        least = least // tile.tiles[d] * (p.extents[d] % tile.tiles[d] or tile.tiles[d])
    spans = product_spans(p.regions, tile.tiles)
    at_once = stored_at_once(spans, p.extents, p.roles.n, layout_of(p.regions.result.type))
    return at_once and -(-least // 16) * (tile.n16 // 16) >= target.cube.accumulate_overlap


@remembered
def last_columns(p: Problem, tile: Tile) -> int:
    """Columns of the last tile, in whole blocks, where only what there is of it is computed; else those of any."""
    n, extent = tile.tiles[p.roles.n], p.extents[p.roles.n]
    rest = ceil_to(extent % n, 16)
    return rest if rest and p.target.split and p.packed and p.several == 1 else tile.n16


def bias_in_parts(p: Problem, tile: Tile) -> bool:
    """Whether the bias table does not hold the columns of a tile."""
    bias = p.drain is not None and p.drain.bias is not None
    return bias and tile.n16 * ELEMENT_BYTES["f32"] > p.target.spaces["bt"].bytes


def landing_bytes(p: Problem, tile: Tile, chunk: int) -> int:
    """UB bytes in which half of a tile's chunks land, in two slots."""
    if not lands(p):
        return 0
    span = product_spans(p.regions, tile.tiles)[p.roles.chunk_dim]
    count = -(-span // chunk)
    apart = p.roles.chunk_dim == p.roles.n or tile.m == span
    first = -(-count // 2) * chunk if apart else span
    n, m = chunk_shape(p, tile, first)
    return SLOTS * n * m * bytes_of(element_type_of(p.product.results[0]))


def chunks_of(p: Problem, tile: Tile, chunk: int) -> int:
    """Chunks of `chunk` along `Roles.chunk_dim` that a tile has."""
    return -(-product_spans(p.regions, tile.tiles)[p.roles.chunk_dim] // chunk)


def chunk_shape(p: Problem, tile: Tile, chunk: int) -> tuple[int, int]:
    """Columns (n) and rows (m) of a chunk of `chunk` along `Roles.chunk_dim`, in whole blocks."""
    if p.roles.chunk_dim == p.roles.n:
        return chunk, tile.m16
    span = product_spans(p.regions, tile.tiles)[p.roles.chunk_dim]
    return tile.n16, ceil_to(chunk, 16) * (tile.m // span)
