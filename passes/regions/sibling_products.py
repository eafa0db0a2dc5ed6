"""Products of one left operand whose results an epilogue joins: one kernel, one accumulator.

    y = mul(silu(matmul(x, g)), matmul(x, u))        accumulator [rows][columns of x g | columns of x u]

Each tile of x is read once for both, and neither product is stored. The epilogue may be what feeds a product that takes
its left operand part by part (`regions.online`).
"""

from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects.tile import BLOCK
from ...dialects.tiling import OperandMap
from ..support.values import element_type_of, iteration_of, rule_of, shape_of
from .compose_maps import NotFusableError


def is_sibling(op: Operation, product: Operation, maps: Mapping[SSAValue, OperandMap]) -> bool:
    """Whether a product has the left operand of `product`, and results in the same place of the group's space."""
    mine, other = rule_of(op).contraction(op), rule_of(product).contraction(product)
    return (
        mine == other
        and mine.window is None
        and op.operands[mine.lhs] is product.operands[mine.lhs]
        and iteration_of(op) == iteration_of(product)
        and maps[op.results[0]] == maps[product.results[0]]
        and element_type_of(op.results[0]) == element_type_of(product.results[0])
    )


def check_siblings(
    product: Operation,
    siblings: Sequence[Operation],
    streams: bool,
    rows: Iterable[Operation],
    prologue: frozenset[Operation],
) -> None:
    """`NotFusableError` where two products of one left operand are more than tiles of columns side by side."""
    columns = shape_of(product.results[0])[rule_of(product).contraction(product).n]
    if streams and any(op not in prologue for op in siblings):
        raise NotFusableError("a product that takes its operand part by part has no other beside it")
    if columns % BLOCK:
        raise NotFusableError(
            f"{columns} columns of several products are no whole blocks of {BLOCK} side by side"
        )
    if any(op not in prologue for op in rows):
        raise NotFusableError(f"an op needs whole rows of what {len(siblings) + 1} products give in parts")


__all__ = ["check_siblings", "is_sibling"]
