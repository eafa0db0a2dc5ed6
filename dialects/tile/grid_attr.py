"""The tiles of a kernel, and how cores take them."""

from dataclasses import field
from enum import StrEnum
from math import prod

from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

from ..record_attributes import FLAG, INTEGER, INTEGERS, RecordAttr, nested, record_text, words
from ..records import dataclass


class Tail(StrEnum):
    """How a dimension ends that tiles do not divide: the last tile starts early (shift), is smaller (clip), or has its
    full size, and what lies past the end is neither read nor written (cover)."""

    SHIFT = "shift"
    CLIP = "clip"
    COVER = "cover"


@dataclass(frozen=True)
class Circular:
    """How the rows of an image's planes, dimension `dim` of a kernel, go round: tiles overlap by `halo` rows, the last
    row is followed by `gap` rows that nobody needs and by the first rows, and the first tile starts `lead` rows before
    the plane, with the last rows of the image before."""

    dim: int = field(metadata=INTEGER)
    halo: int = field(metadata=INTEGER)
    gap: int = field(metadata=INTEGER)
    lead: int = field(metadata=INTEGER)

    def points(self, extent: int, size: int) -> int:
        """Tiles of `size` rows that planes of `extent` rows have."""
        return -(-(extent + self.lead) // (size - self.halo))

    def verify(self) -> None:
        """`VerifyException` where a number is out of range."""
        if min(self.dim, self.halo, self.gap, self.lead) < 0:
            raise VerifyException(f"grid: numbers of circular rows are 0 or more, not {record_text(self)}")


@dataclass(frozen=True)
class Grid:
    """The tiles of a kernel, and how cores take them: see `GridAttr`. All lists are per dimension of the result."""

    extents: tuple[int, ...] = field(metadata=INTEGERS)
    """Indices of each dimension; -1 for one that is open."""
    tiles: tuple[int, ...] = field(metadata=INTEGERS)
    """Indices of a tile."""
    tails: tuple[Tail, ...] = field(metadata=words(Tail))
    """How each dimension ends; one word stands for all."""
    cores: int = field(metadata=INTEGER)
    """Cores that the tiles are dealt to."""
    swizzle: int = field(default=1, metadata=INTEGER)
    """Rows of the grid that are dealt at a time."""
    serial: int = field(default=0, metadata=INTEGER)
    """Trailing dimensions that one core walks on its own."""
    inner: int | None = field(default=None, metadata=INTEGER)
    """One more dimension that a core walks, before all others."""
    spans: bool = field(default=False, metadata=FLAG)
    """Each core takes tiles that follow each other, and may share blocks with the next one."""
    circular: Circular | None = field(default=None, metadata=nested(Circular))
    dynamic: int = field(default=0, metadata=INTEGER)
    """How many times the run-time size the first extent is; 0: it is static."""
    sizes: tuple[int, ...] = field(default=(), metadata=INTEGERS)
    """The run-time sizes that the tiles were chosen for, in increasing order."""

    def __post_init__(self) -> None:
        if len(self.tails) == 1:
            object.__setattr__(self, "tails", self.tails * len(self.extents))

    @property
    def rank(self) -> int:
        """Dimensions of the result."""
        return len(self.extents)

    @property
    def static_extents(self) -> tuple[int, ...]:
        """The extents; a dynamic one is that of the middle one of `sizes`."""
        if not self.dynamic:
            return self.extents
        return (self.dynamic * self.sizes[len(self.sizes) // 2], *self.extents[1:])

    @property
    def points(self) -> tuple[int, ...]:
        """Number of tiles along each dimension."""
        rows = self.circular
        return tuple(
            rows.points(e, t) if rows is not None and d == rows.dim else -(-e // t)
            for d, (e, t) in enumerate(zip(self.static_extents, self.tiles, strict=True))
        )

    @property
    def walked(self) -> tuple[int, ...]:
        """The dimensions that one core walks on its own, the fastest last."""
        inner = () if self.inner is None else (self.inner,)
        return (*(d for d in range(self.rank - self.serial, self.rank) if d not in inner), *inner)

    @property
    def shared_points(self) -> int:
        """Points of the grid that are dealt to the cores; at each a core walks all tiles of the `walked` dimensions."""
        return prod(count for d, count in enumerate(self.points) if d not in self.walked)

    def ragged(self, d: int) -> bool:
        """Whether dimension `d` has a last tile that is not whole, or may have one."""
        if self.circular is not None and d == self.circular.dim:
            return True
        return (self.dynamic if self.dynamic and d == 0 else self.static_extents[d]) % self.tiles[d] != 0

    def verify(self) -> None:
        """`VerifyException` where a number is out of range, or lists contradict each other."""
        open_ended = self.extents[:1] == (-1,)
        if self.dynamic < 0 or open_ended != (self.dynamic > 0) or open_ended != bool(self.sizes):
            raise VerifyException(
                "grid: a first extent of -1 goes with dynamic, how many times the run-time size it is, and with sizes, "
                "those that it is tiled for"
            )
        if min(self.sizes, default=1) < 1:
            raise VerifyException(f"grid: sizes are 1 or more, not {list(self.sizes)}")
        rank = self.rank
        if len(self.tiles) != rank or any(t < 1 for t in self.tiles):
            raise VerifyException(f"grid: tiles {list(self.tiles)} do not fit extents {list(self.extents)}")
        if any(extent < 1 for extent in self.static_extents):
            raise VerifyException(f"grid: extents are 1 or more, not {list(self.extents)}")
        if len(self.tails) != rank:
            raise VerifyException(
                f"grid: tails is one word or one a dimension, not {len(self.tails)} for {rank}"
            )
        for name, value in (("cores", self.cores), ("swizzle", self.swizzle)):
            if value < 1:
                raise VerifyException(f"grid: {name} is 1 or more, not {value}")
        if not 0 <= self.serial <= rank:
            raise VerifyException(f"grid: serial counts some of {rank} dimensions, not {self.serial}")
        if self.inner is not None and not 0 <= self.inner < rank:
            raise VerifyException(f"grid: inner is one of {rank} dimensions, not {self.inner}")
        if self.dynamic and self.tails[0] == Tail.SHIFT and self.ragged(0):
            raise VerifyException("grid: the last tile of a dynamic dimension cannot start early (shift)")
        if self.spans and (self.walked or self.dynamic or Tail.SHIFT in self.tails):
            raise VerifyException(
                "grid: spans goes with tails clip or cover, and without serial, inner and dynamic"
            )
        self._verify_circular()

    def _verify_circular(self) -> None:
        """The last tile holds the first rows again, and every tile owns a row."""
        rows = self.circular
        if rows is None:
            return
        rows.verify()
        if rows.dim != self.rank - 2 or self.spans or self.dynamic or self.walked:
            raise VerifyException(
                f"grid: circular goes with dimension {self.rank - 2}, of static size, and without spans, serial and "
                "inner"
            )
        extent, step = self.extents[rows.dim], self.tiles[rows.dim] - rows.halo
        if step <= rows.lead or rows.halo < 1:
            raise VerifyException(
                f"grid: tiles of {step + rows.halo} circular rows do not hold {rows.halo} of the next tile, 1 or more, "
                f"{rows.lead} before the plane and one of their own"
            )
        first = (rows.points(extent, step + rows.halo) - 1) * step - rows.lead
        if first + step < extent + rows.gap or first >= extent:
            raise VerifyException(
                f"grid: the last tile, from row {first} on, does not own a row and reach {rows.gap} rows past the last "
                f"one of {extent}"
            )


@irdl_attr_definition
class GridAttr(RecordAttr[Grid]):
    """The tiles of a kernel, and how cores take them. The grid has `ceil(extent / tile)` points along each dimension of
    the kernel's result. With `tails = shift` the last tile of a dimension starts early so that every tile has its full
    size; with `clip` it is smaller; with `cover` it has its full size and what lies past the end is neither read nor
    written. A list, `[shift, cover]`, says it for each dimension.

    Points are dealt to `cores` cores in turn, `swizzle` rows of the grid at a time (its last two dimensions with more
    than one point), so that cores at work together share operands in L2. `serial` counts trailing dimensions of the
    grid that one core walks on its own, and `inner` is one more that it walks, before all others.

    With `spans` each core takes points that follow each other, as many as the others or one more, and then the point
    behind them: tiles end to end in the result may share blocks of it. A core writes the blocks that begin in its own
    tiles, the last of which may end in that point's tile, which is computed for it.

    With `circular = <dim = d, halo = …, gap = …, lead = …>` rows of planes (dimension `d`, in front of the last one) go
    round, because what follows a plane in the result begins in the last 32 B block of it. A tile has `halo` rows more
    than it owns, which begin the next tile; behind the last row of a plane come `gap` rows that nobody needs, then its
    first ones. The first tile of a plane starts `lead` rows early, with the last `halo` rows of the image before. A
    store writes the blocks that begin among the tile's own rows; the one that two images share is the second one's.

    The first extent may be open (-1): with `dynamic = f` it is f times the graph's run-time size, and the grid has as
    many points as that gives. Its last tile is smaller or goes past the end, and so does the only one where the extent
    is less than a tile. `sizes` are the run-time sizes that the tiles were chosen for.

        #tile.grid<extents = [512, 1024], tiles = [128, 256], tails = [shift, clip], cores = 16, swizzle = 2>
    """

    name = "tile.grid"
    KIND = Grid


__all__ = ["Circular", "Grid", "GridAttr", "Tail"]
