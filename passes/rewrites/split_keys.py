"""Attention of one query row in parts of the keys, which more cores share (flash decoding).

    %y = attention(%q, %k, %v)      =>      %s = matmul(%q1, %k1) {transpose_b = true}          [.., H, P, G, T / P]
                                            %w = softmax_matmul(mul(%s, %scale), %v1)           [.., H, P, G, 2 D]
                                            %y = reduce_sum(softmax(%w[.., D:], P) * %w[.., :D])

The heads of a group are rows of one product. Each part has the softmax of its own scores and keeps the logarithm of
what they were divided by; the softmax of these along the parts joins them.
"""

from math import prod, sqrt
from typing import Any

from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue

from ...dialects import graph
from ...dialects.graph.elements import from_number
from ...dialects.graph.rules import shape_of
from ...dialects.rewriting import replace_with
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK
from ..support.values import element_type_of

LEAST_KEYS = 256
"""Keys of a part at least."""
MOST_PARTS, MOST_TRIED = 32, 2
"""The largest number of parts, and how many numbers are tried."""


def numbers_of_parts(op: graph.AttentionOp, target: Target) -> list[int]:
    """Into how many parts keys are worth splitting, those numbers first that keep cores busy: where heads of keys are
    fewer than cores, all heads of one group have the same mask, and of one query row."""
    (*_, rows, _), (*batch, keys, _) = shape_of(op.q), shape_of(op.k)
    heads = prod(batch)
    plain = (
        shape_of(op.v)[-1] % BLOCK == 0
        and element_type_of(op.q) != f32
        and not op.attribute_values()["causal"]
    )
    if rows != 1 or not batch or heads >= target.cores or not plain or not _same_for_all(op):
        return []
    found = [n for n in range(2, MOST_PARTS + 1) if keys % (n * BLOCK) == 0 and keys // n >= LEAST_KEYS]

    def idle(n: int) -> float:
        return -(-n * heads // target.cores) * target.cores / (n * heads)

    return sorted(found, key=lambda n: (idle(n), n))[:MOST_TRIED]


def _same_for_all(op: graph.AttentionOp) -> bool:
    """Whether a mask, if there is one, is added, and does not depend on the head."""
    if op.mask is None:
        return True
    return element_type_of(op.mask) == element_type_of(op.q) and all(n == 1 for n in shape_of(op.mask)[-3:-1])


def split_keys(op: graph.AttentionOp, parts: int) -> None:
    """Put attention in so many parts of its keys in the place of `op`."""
    ops: list[Operation] = []

    def add(new: Any) -> SSAValue:
        ops.append(new)
        return new.results[0]

    (*batch, keys, depth), columns = shape_of(op.k), shape_of(op.v)[-1]
    *outer, heads = shape_of(op.q)[:-2]
    element, rows, at = element_type_of(op.q), heads // batch[-1], len(batch)
    q = add(graph.ReshapeOp(op.q, shape=[*outer, batch[-1], 1, rows, depth]))
    k = add(graph.ReshapeOp(op.k, shape=[*batch, parts, keys // parts, depth]))
    v = add(graph.ReshapeOp(op.v, shape=[*batch, parts, keys // parts, columns]))
    scale = op.attribute_values()["scale"]
    factor = 1 / sqrt(depth) if scale is None else scale
    scores = add(graph.MatmulOp(q, k, transpose_b=True))
    scores = add(graph.MulOp(scores, add(graph.ConstantOp(value=from_number(factor, element)))))
    if op.mask is not None:
        lead = shape_of(op.mask)[:-3]
        mask = add(graph.ReshapeOp(op.mask, shape=[*lead, 1, parts, 1, keys // parts]))
        scores = add(graph.AddOp(scores, mask))
    both = add(graph.SoftmaxMatmulOp(scores, v))
    sums = add(graph.SliceOp(both, starts=[0], ends=[columns], axes=[at + 2]))
    logs = add(graph.SliceOp(both, starts=[columns], ends=[2 * columns], axes=[at + 2]))
    joined = add(graph.MulOp(sums, add(graph.SoftmaxOp(logs, axis=at, masked=True))))
    total = add(graph.ReduceSumOp(joined, axes=[at]))
    if element != f32:
        total = add(graph.CastOp(total, to=element))
    add(graph.ReshapeOp(total, shape=shape_of(op.result)))
    replace_with(op, ops)


__all__ = ["numbers_of_parts", "split_keys"]
