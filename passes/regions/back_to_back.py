"""When one convolution may read what another one of its kernel gives, out of L1.

    a = conv2d(x, w)   r = relu(bias_add(a, b))   y = conv2d(r, v)      tile of y: rows
                                                                        tile of r: these rows with the window's halo

All channels of the first one are K of the second one, so each tile computes them all. Between the two stand ops on
elements, which read rows (a bias) beside what the first one gives.
"""

from collections.abc import Mapping

from xdsl.ir import Operation, SSAValue

from ...dialects.records import dataclass
from ...dialects.tiling import Along, OperandMap
from ..support.values import rule_of
from .compose_maps import NotFusableError

_DEPTH = -1
"""The name of K of a group's last product while its regions are composed."""


@dataclass(frozen=True)
class BackToBack:
    """`first`: the convolution whose result, after the ops in `middle`, the group's product reads out of L1."""

    first: Operation
    middle: tuple[Operation, ...]

    @property
    def ops(self) -> tuple[Operation, ...]:
        """What comes before the group's product."""
        return self.first, *self.middle


def is_back_to_back(product: Operation, inner: Operation | None) -> bool:
    """Whether both products of a group are convolutions."""
    products = [op for op in (product, inner) if op is not None]
    return len(products) == 2 and all(rule_of(op).contraction(op).window is not None for op in products)


def checked_back_to_back(
    ops: tuple[Operation, ...],
    product: Operation,
    first: Operation,
    prologue: frozenset[Operation],
    maps: Mapping[SSAValue, OperandMap],
) -> BackToBack:
    """The chain of a group whose `prologue` gives its product's left operand; `NotFusableError` where its ops do not
    compose."""
    for op in (product, first):
        if rule_of(op).contraction(op).groups > 1:
            raise NotFusableError(f"a grouped {op.name} is one of two products")
    if first not in prologue:
        raise NotFusableError(f"{first.name} does not feed the product's left operand alone")
    seen = maps[product.operands[rule_of(product).contraction(product).lhs]]
    channel = seen[1]
    if not isinstance(channel, Along) or channel.dim != _DEPTH:
        raise NotFusableError(f"channels of {first.name} are not K of the product that it feeds")
    middle = tuple(op for op in ops if op in prologue and op is not first)
    for op in (*middle, first):
        if maps[op.results[0]] != seen:
            raise NotFusableError(f"{op.name} between two products is no op on elements")
    for op in middle:
        given = (first.results[0], *(one.results[0] for one in middle))
        if any(value in maps and value not in given for value in op.operands):
            raise NotFusableError("what stands between two products reads other values of the kernel", op)
    if any(value in maps for value in first.operands):
        raise NotFusableError(
            f"an operand of {first.name} is computed, and so is that of the product it feeds"
        )
    return BackToBack(first, middle)
