"""Ops that need whole rows or windows, in a kernel with a product: what of them a tile of the product's operand or
result holds."""

from collections.abc import Mapping, Sequence
from itertools import chain

from xdsl.ir import Operation, SSAValue

from ...dialects.tiling import Along, OperandMap, picked_dims
from ..support.values import rule_of
from .compose_maps import NotFusableError
from .loads import Load
from .regions import Regions

GATHERED = "gathered rows are loaded to tiles of the Vector, one after the other"
_DEPTH = -1
"""The name of K of a group's product while its regions are composed."""


def check_rows(
    product: Operation,
    rows: Mapping[Operation, frozenset[int]],
    maps: Mapping[SSAValue, OperandMap],
    prologue: frozenset[Operation],
    stored: OperandMap,
) -> None:
    """`NotFusableError` where an op needs rows that no tile holds. `rows`: the dimensions of the space that it needs in
    full; what the product reduces has negative numbers. `stored`: how the group's result follows the space.

    What computes the left operand may need all that the product reduces, of a matrix, and all of a dimension that the
    product lacks: the operand of a tile then stays in L1. What follows may need all columns of the product, if a tile
    has them: those of a grouped convolution have the columns of one group.
    """
    contraction = rule_of(product).contraction(product)
    columns = maps[product.results[0]][contraction.n]
    for op, dims in rows.items():
        if op in prologue:
            if contraction.window is not None or any(d >= 0 for d in dims):
                raise NotFusableError(f"{op.name} needs more than the rows of what a product multiplies")
        elif dims - {getattr(columns, "dim", None)} or not isinstance(columns, Along):
            raise NotFusableError(f"{op.name} needs more than the columns of what a product gives in parts")
        elif contraction.groups > 1:
            raise NotFusableError(f"{op.name} needs the columns of several groups, a tile has those of one")
        elif not any(isinstance(e, Along) and e.dim == columns.dim for e in stored):
            raise NotFusableError(
                f"{op.name} reduces what a product gives, whose tiles are stored with all columns"
            )


def check_folded(folded: Sequence[int], loads: Sequence[OperandMap]) -> None:
    """`NotFusableError` where a dimension in `folded`, which ops in front of a product reduce and the product lacks,
    does not lie outside of what the product reduces: rows of a tile are those of its left operand."""
    for entries in loads:
        dims = [e.dim for e in entries if isinstance(e, Along)]
        if not set(dims).isdisjoint(folded) and _DEPTH in dims[:-1]:
            raise NotFusableError("what is reduced before a product lies along the rows that it multiplies")


def check_gathered(regions: Regions, load: Load) -> None:
    """`NotFusableError` where gathered rows are no rows of the left operand that a product's kernel computes:
    whole ones, of a matrix."""
    product = regions.product
    assert product is not None
    depth, entries = len(regions.merged), regions.kernel_map(load.maps)
    columns = [e for e in entries if isinstance(e, Along)]
    rows = {*regions.step_order, *regions.folded_dims} - {depth}
    if (
        load not in regions.loads_of(regions.prologue)
        or regions.stream is not None
        or rule_of(product).contraction(product).window is not None
        or not columns
        or columns[-1] != Along(depth)
        or not rows.issuperset(picked_dims(entries))
    ):
        raise NotFusableError(GATHERED)


def check_windows(
    product: Operation,
    maps: Mapping[SSAValue, OperandMap],
    loads: Sequence[OperandMap],
) -> None:
    """`NotFusableError` where windows run along lanes: the columns of what a product gives, the taps of a window
    among the `loads` beside it included, or what it reduces of the left operand that is computed from `loads`, or
    the rows of one that is stored transposed. Lanes are not shifted against each other, nor is a column computed for
    several of the result's."""
    contraction = rule_of(product).contraction(product)
    result = maps[product.results[0]]
    columns = result[contraction.n]
    if contraction.transpose_lhs and any(isinstance(e, Along) and e.is_windowed for e in result):
        raise NotFusableError(f"a window runs along rows that are columns of what {product.name} multiplies")
    seen = [
        columns,
        *(e for e in chain(*loads) if isinstance(e, Along) and e.dim == getattr(columns, "dim", None)),
    ]
    if any(isinstance(e, Along) and e.is_windowed for e in seen):
        raise NotFusableError(f"a window runs along the columns of what {product.name} gives")
    if isinstance(columns, Along) and columns.repeat > 1:
        raise NotFusableError(f"several channels are computed from each that {product.name} gives")
    if any(isinstance(e, Along) and e.dim < 0 and e.is_windowed for entries in loads for e in entries):
        raise NotFusableError(f"a window runs along what {product.name} reduces")
