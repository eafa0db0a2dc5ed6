"""Joined slices that take a tensor apart are one transpose, where that is faster.

    %0 = slice(%x) {steps = [1, 1, 2, 2]}                    x: [1, 3, 64, 64]
    %1 = slice(%x) {starts = [0, 0, 1, 0], …}                %0 = reshape(%x) : [1, 3, 32, 2, 32, 2]
    %2 = slice(%x) {starts = [0, 0, 0, 1], …}        =>      %1 = transpose(%0) {perm = [0, 5, 3, 1, 2, 4]}
    %3 = slice(%x) {starts = [0, 0, 1, 1], …}                %y = reshape(%1) : [1, 12, 32, 32]
    %y = concat(%0, %1, %2, %3) {axis = 1}

So exporters write blocks of pixels that become channels: the first layer of some detectors, and the merging of
patches. Each slice begins at another place of a block, and the places come in the order of one dimension after the
other.
"""

from collections.abc import Sequence
from itertools import permutations, product
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..dialects import graph
from ..dialects.dynamic import is_dynamic
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.rules import shape_of
from ..dialects.graph.slicing import slice_parts
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from .fusion.weighed_rewrite import weighed_functions
from .support.module import chip_of
from .support.options import Pass


def _as_transpose(op: graph.ConcatOp) -> list[Operation] | None:
    """The ops that take the place of joined slices; None where they are not all of a tensor's blocks in order."""
    slices = [value.owner for value in op.parts]
    first, *others = slices
    if not isinstance(first, graph.SliceOp) or is_dynamic(first.x.type) or is_marked(op):
        return None
    taken: list[list[tuple[int, int, int]]] = []
    for one in (first, *others):
        if not isinstance(one, graph.SliceOp) or one.x is not first.x or is_marked(one):
            return None
        if not one.result.has_one_use():
            return None
        taken.append(slice_parts(shape_of(one.x), one.attribute_values()))
    shape, rank = shape_of(first.x), len(shape_of(first.x))
    axis = op.attribute_values()["axis"] % rank
    steps = [step for _, _, step in taken[0]]
    cut = [d for d in range(rank) if steps[d] > 1]
    whole = all(
        [(count * step, step) for _, count, step in parts] == list(zip(shape, steps, strict=True))
        for parts in taken
    )
    if not cut or axis in cut or not whole or len(slices) != prod(steps):
        return None
    for order in permutations(cut):
        places = [tuple(parts[d][0] for d in order) for parts in taken]
        if places == list(product(*(range(steps[d]) for d in order))):
            return _transposed(op, first, steps, order)
    return None


def _transposed(
    op: graph.ConcatOp, first: graph.SliceOp, steps: Sequence[int], order: Sequence[int]
) -> list[Operation]:
    """Blocks of `steps` elements of what `first` takes a part of, their places before the dimension that is joined, in
    the order of dimensions `order`."""
    shape, axis = shape_of(first.x), op.attribute_values()["axis"] % len(steps)
    sizes = list[int]()
    outer, inner = dict[int, int](), dict[int, int]()
    for d, (size, step) in enumerate(zip(shape, steps, strict=True)):
        outer[d] = len(sizes)
        sizes.append(size // step)
        if step > 1:
            inner[d] = len(sizes)
            sizes.append(step)
    perm = list[int]()
    for d in range(len(shape)):
        perm += [inner[one] for one in order] if d == axis else []
        perm.append(outer[d])
    view = graph.ReshapeOp(first.x, shape=sizes)
    turned = graph.TransposeOp(view.result, perm=perm)
    return [view, turned, graph.ReshapeOp(turned.result, shape=shape_of(op.result))]


def _rewrite(ops: Sequence[Operation]) -> None:
    *slices, joined = ops
    assert isinstance(joined, graph.ConcatOp)
    new_ops = _as_transpose(joined)
    assert new_ops is not None
    replace_with(joined, new_ops)
    for one in slices:
        one.detach()
        one.erase()


@dataclass(frozen=True)
class GraphJoinSlices(Pass):
    """Make a transpose of joined slices that take a tensor apart, where it is predicted to be faster on `target`."""

    name = "graph-join-slices"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        for function, weigher in weighed_functions(op, target):
            for joined in list(function.body.block.ops):
                new_ops = _as_transpose(joined) if isinstance(joined, graph.ConcatOp) else None
                if new_ops is None or joined.results[0] in weigher.weights:
                    continue
                ops = [value.owner for value in joined.operands if isinstance(value.owner, Operation)]
                for new in reversed(new_ops):
                    new.erase()
                if weigher.pays([*ops, joined], _rewrite):
                    _rewrite([*ops, joined])


__all__ = ["GraphJoinSlices"]
