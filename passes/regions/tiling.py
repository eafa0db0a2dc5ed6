"""Plans: which sizes a kernel is tiled with. Made by the tile search, applied by the kernel builder."""

from collections.abc import Sequence
from math import prod

from ...dialects.element_types import lanes_of
from ...dialects.records import dataclass
from ...dialects.tile import BLOCK, Circular
from ...dialects.tiling import Along
from ..support.values import element_type_of, rule_of
from .compose_maps import NotFusableError
from .regions import Regions


@dataclass(frozen=True)
class VectorTiling:
    """A kernel without a product: the tile of each kernel dimension, how many cores share the grid, how its dimensions
    end (`tile.kernel`), how many of the last ones a core walks alone, and the dimension that tiles are blocked at (-1:
    row-major). `part`: what of a tile is in UB at once, where its rows are met part by part; else nothing. `spans`:
    whether cores take tiles that follow each other, and compute one more for the block that two of them share.
    `apart`: whether the result has buffers of its own where it could be written over what was read."""

    tiles: tuple[int, ...]
    cores: int
    tails: str = "clip"
    serial: int = 0
    lanes: int = -1
    part: tuple[int, ...] = ()
    spans: bool = False
    apart: bool = False

    def rounds(self, extents: Sequence[int]) -> int:
        """Tiles of the core that has most, in a space of `extents`."""
        grid = [-(-e // t) for e, t in zip(extents, self.tiles, strict=True)]
        shared = len(grid) - self.serial
        return -(-prod(grid[:shared]) // self.cores) * prod(grid[shared:]) + self.spans


@dataclass(frozen=True)
class ProductTiling:
    """A kernel around one product. `tiles` are those of the kernel's dimensions; `step` is K of one step in L1, `l0_k`
    K of one product in L0, `chunk` what of dimension `Roles.chunk_dim` is in UB at once. The last
    `serial` dimensions are walked by one core. `lead` columns before its own are computed with each tile, because
    blocks of the result that two tiles share are written by one of them. `stagger`: rows and columns of the grid that
    tiles at work together span, if those are to begin at different steps of K. `drain`: whether FixPipe does what it
    can of the epilogue. `resident`: K of the left operand that is computed at once, where it stays in L1 for all tiles
    of columns, which one core walks; 0 where it is computed anew with each tile. `rows`: rows of it that are computed
    at once, with all of K; 0: all rows, with K in parts. `part`: of a chunk of rows that the epilogue needs whole those
    that it computes at once; 0: all of it. `keeps`: whether the right operand stays in L1 once a core's first tile has
    loaded it. `unit_flag`: whether FixPipe reads a tile and the Cube begins the next one 512 B at a time, with no flag
    of the program between them. `stages`: steps of the right operand that are in L1 at once. `l0_n`: columns of one
    product; 0: all of a tile. `spans`: whether cores take tiles that follow each other, and the one behind them too,
    for the block that two of them share. `circular`: how the rows of planes that are no whole blocks go round; `tiles`
    then has the rows that a tile owns and those of the next one that it computes too."""

    tiles: tuple[int, ...]
    cores: int
    step: int
    l0_k: int
    chunk: int
    swizzle: int = 1
    serial: int = 0
    lead: int = 0
    stagger: tuple[int, int] | None = None
    drain: bool = False
    resident: int = 0
    rows: int = 0
    part: int = 0
    keeps: bool = False
    unit_flag: bool = False
    stages: int = 2
    l0_n: int = 0
    spans: bool = False
    circular: Circular | None = None

    def product_columns(self, n16: int) -> int:
        """Columns of one product where a tile has `n16`."""
        return self.l0_n or n16


@dataclass(frozen=True)
class OnlineTiling:
    """A kernel whose product takes its left operand part by part (`Regions.stream`). `tiles` are those of the kernel's
    dimensions, columns of the product whole; one core walks `serial` trailing dimensions; `step`: K of the product in
    one part, which are the columns of the inner product; `l0_k`: K of one product in L0, of the outer and of the inner
    one."""

    tiles: tuple[int, ...]
    cores: int
    serial: int
    step: int
    l0_k: tuple[int, int]


@dataclass(frozen=True)
class BackToBackTiling:
    """A kernel of two convolutions, the second of which reads the first one's result out of L1
    (`Regions.back_to_back`). `tiles` are those of the kernel's dimensions; `first` and `second` tile each of the two as
    a kernel of its own would be, the first one for the rows and columns that a tile of the second one needs."""

    tiles: tuple[int, ...]
    cores: int
    first: ProductTiling
    second: ProductTiling


@dataclass(frozen=True)
class Roles:
    """What the kernel's dimensions are to its product: one batch element, matrix rows (flattened), matrix columns.

    `k` counts K of the whole product in elements of the matrix; `unit` is what a step must be a multiple of: a square
    block, or one block of channels (C0) with all taps of the window. With `part` that dimension, one of the batch,
    counts parts of K, each of `k` but the last one, which has what is left of `depth`.
    """

    batch: tuple[int, ...]
    m: tuple[int, ...]
    n: int
    k: int
    unit: int
    chunk_dim: int
    order: tuple[int, ...]
    part: int | None = None
    depth: int = 0

    @property
    def sums(self) -> tuple[int, int] | None:
        """The dimension that counts parts of K, and K of all of them; None where a tile sums up all of K."""
        return None if self.part is None else (self.part, self.depth)

    def spans(self, regions: Regions, tiles: tuple[int, ...]) -> tuple[int, ...]:
        return product_spans(regions, tiles)


def grid_of(
    extents: Sequence[int], tiles: Sequence[int], circular: Circular | None = None
) -> tuple[int, ...]:
    """Tiles of a result along each dimension."""
    return tuple(
        circular.points(e, t) if circular is not None and d == circular.dim else -(-e // t)
        for d, (e, t) in enumerate(zip(extents, tiles, strict=True))
    )


def product_spans(regions: Regions, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Elements of the product's result, along each kernel dimension, that a tile needs (halo included)."""
    along = regions.product_along
    return tuple(along[d].span(t) if d in along else 1 for d, t in enumerate(tiles))


def product_roles(regions: Regions) -> Roles:
    """Roles of the kernel's dimensions; `NotFusableError` when an epilogue hides one of them."""
    assert regions.product is not None
    contraction = rule_of(regions.product).contraction(regions.product)
    outer = regions.maps[regions.product.results[0]]
    place = {d: k for k, dims in enumerate(regions.merged) for d in dims}
    kernel: dict[int, int] = {}
    for i, entry in enumerate(outer):
        if isinstance(entry, Along):
            kernel[i] = place[entry.dim]
    if contraction.n not in kernel or any(i not in kernel for i in contraction.m):
        raise NotFusableError("the product's result is repeated along its own rows or columns")
    n = kernel[contraction.n]
    m = tuple(dict.fromkeys(kernel[i] for i in contraction.m))
    batch = tuple(dict.fromkeys(kernel[i] for i in contraction.batch if i in kernel and kernel[i] not in m))
    if set(batch) | set(m) | {n} != set(range(len(regions.merged))):
        raise NotFusableError("the group has a dimension that its product lacks")
    reduced = regions.extents[regions.rank :]
    if contraction.window is not None:
        kh, kw = contraction.window.kernel
        c0 = lanes_of(element_type_of(regions.product.operands[contraction.lhs]))
        k, unit = -(-reduced[0] // c0) * c0 * kh * kw, c0 * kh * kw
        if (
            regions.prologue
        ):  # of one tap; what Vector computes in lanes past the last channel is not multiplied
            k = reduced[0]
    else:
        k, unit = reduced[0], max(BLOCK, lanes_of(element_type_of(regions.product.operands[contraction.lhs])))
    plain = all(
        e.is_identity
        for maps in regions.maps.values()
        for e in maps
        if isinstance(e, Along) and e.dim < regions.rank
    )
    last = len(regions.merged) - 1
    chunk_dim = m[-1] if last == n and plain else n
    part = None if contraction.part is None else kernel.get(contraction.part)
    if contraction.part is not None and part is None:
        raise NotFusableError("the parts of a product's sums are no dimension of the result")
    return Roles(batch, m, n, k, unit, chunk_dim, (*batch, n, *m), part, contraction.depth)
