"""When a product may take its left operand part by part along its K although the elements of the operand's rows depend
on each other, or another product gives them.

    s = matmul(q, k^T)   p = softmax(s)   o = matmul(p, v)        for each block of columns of s:
                                                                    s, weights, correction
                                                                    sum = sum * correction + weights @ v
                                                                  o = sum * factor

A row op joins by its statement of how rows are met part by part (`Online`): what a product sums up of weights is right
up to one factor a row, so nothing may stand between the two. A product joins if its rows and batch are those of the
product that follows, and its columns that product's K.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from xdsl.ir import Operation, SSAValue

from ...dialects.graph.rules import RowWise
from ...dialects.records import dataclass
from ...dialects.tiling import Along, Iteration, OperandMap
from ..support.values import rule_of
from .compose_maps import NotFusableError

_DEPTH = -1
"""The name of K of a group's last product while its regions are composed."""


@dataclass(frozen=True)
class Stream:
    """What the left operand of a group's product is made of beside element-wise ops: `online`, an op whose rows are met
    part by part, or the product itself, and `inner`, the product that gives those rows; None where there is none.
    `siblings`: products beside `inner`, of the same left operand."""

    online: Operation | None
    inner: Operation | None
    siblings: tuple[Operation, ...] = ()

    @property
    def products(self) -> tuple[Operation, ...]:
        """The products that give the rows."""
        return () if self.inner is None else (self.inner, *self.siblings)


def along_depth(outer: OperandMap) -> bool:
    """Whether a value is needed along K of the group's product."""
    return any(isinstance(e, Along) and e.dim == _DEPTH for e in outer)


def streams_rows(op: Operation, iteration: Iteration, outer: OperandMap) -> bool:
    """Whether an op's rows lie along K of the group's product and may be met part by part."""
    rows = [outer[d] for d in iteration.whole]
    rule = rule_of(op)
    return (
        isinstance(rule, RowWise)
        and rule.online is not None
        and len(iteration.extents) == iteration.parallel
        and len(rows) == 1
        and all(isinstance(e, Along) and e.dim == _DEPTH and e.is_identity for e in rows)
    )


def checked_stream(
    stream: Stream,
    product: Operation,
    prologue: frozenset[Operation],
    maps: Mapping[SSAValue, OperandMap],
) -> Stream:
    """`stream`; `NotFusableError` where its ops do not compose."""
    contraction = rule_of(product).contraction(product)
    for op in (stream.online, stream.inner, *(stream.siblings if stream.inner else ())):
        if op is not None and op is not product and op not in prologue:
            raise NotFusableError(f"{op.name} does not feed the product's left operand alone")
    if contraction.window is not None:
        raise NotFusableError("a convolution takes no operand whose rows come part by part")
    online = None if stream.online is product else stream.online
    if online is not None and product.operands[contraction.lhs] is not online.results[0]:
        raise NotFusableError(f"what follows {online.name} is no product")
    if stream.inner is None:
        return stream
    inner, own = stream.inner, rule_of(stream.inner).contraction(stream.inner)
    if own.window is not None or own.transpose_lhs:
        raise NotFusableError(f"{inner.name} feeds a product, and reads no plain rows itself")
    if any(cast(Any, value.owner) in prologue for one in stream.products for value in one.operands):
        raise NotFusableError(
            f"an operand of {inner.name} is computed, and so is that of the product it feeds"
        )
    mine, theirs = maps[inner.results[0]], maps[product.results[0]]
    if not all(isinstance(e, Along) and e.is_identity for e in (*mine, *theirs)):
        raise NotFusableError(f"{inner.name} feeds a product through a window or a broadcast")
    if _dim(mine[own.n]) != _DEPTH:
        raise NotFusableError(f"columns of {inner.name} are not K of the product it feeds")
    if {_dim(mine[d]) for d in own.m} != {_dim(theirs[d]) for d in contraction.m}:
        raise NotFusableError(f"rows of {inner.name} are not those of the product it feeds")
    return stream


def _dim(entry: object) -> int | None:
    return entry.dim if isinstance(entry, Along) else None


__all__ = ["Stream", "along_depth", "checked_stream", "streams_rows"]
