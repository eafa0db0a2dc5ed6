"""`tile.stream`: the loop over the parts of a dimension, with carried tiles in buffers of their own.

A part has up to four stages: the product that gives its rows, the Vector's work on them up to the operand of a second
product, that product, and what the Vector does with its sums. They are emitted so that the Vector never waits for a
product of the same part:

    a 0, a 1, b 0, c 0          for t:  a t + 1, b t, c t, d t - 1          b n - 1, c n - 1, d n - 2, d n - 1

What `d` takes from `b` of its part is held in buffers of its own, accumulators have two slots. A carried tile stays
where its first value is: what it becomes is copied there at the end of the stage that gives it. The code around the loop
is straight, without conditions, so that buffers live no longer than they must.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from ...dialects import tile
from ...dialects.tile import TileType, tile_type
from .contract import Contraction
from .emitter import Idx
from .place import Place, blocked_dim
from .vector import emit_vector

if TYPE_CHECKING:
    from .kernel import KernelLowering

Stages = tuple[list[Operation], list[Operation], list[Operation], list[Operation]]


def stages_of(op: tile.StreamOp) -> Stages:
    """The ops of a part by stage: a product, until the next one's operand is given, that product, the rest. Without a
    product all are the second stage."""
    ops = [o for o in op.body.block.ops if not isinstance(o, tile.YieldOp)]
    move = next((i for i, o in enumerate(ops) if isinstance(o, tile.MoveOp)), len(ops) - 1)
    first = next((i + 1 for i, o in enumerate(ops[:move]) if isinstance(o, tile.ContractOp)), 0)
    last = next((i + 1 for i, o in enumerate(ops) if i > move and isinstance(o, tile.ContractOp)), len(ops))
    return ops[:first], ops[first : move + 1], ops[move + 1 : last], ops[last:]


def lower_stream(k: KernelLowering, op: tile.StreamOp) -> None:
    """Emit the loop; the places of its results."""
    StreamParts(k, op).emit()


class StreamParts:
    """The parts of one stream, on a core with a Vector unit."""

    def __init__(self, k: KernelLowering, op: tile.StreamOp):
        self.k, self.op, self.stages = k, op, stages_of(op)
        self.places = [k.places[value] for value in op.initial]
        k.places |= dict(zip(op.carried, self.places, strict=True))
        products = [o for o in op.body.block.ops if isinstance(o, tile.ContractOp) and k.core is None]
        self.products = {product: Contraction(k, product) for product in products}
        self.held: dict[SSAValue, Place] = {}
        k.results |= self._direct()

    def _direct(self) -> dict[SSAValue, Place]:
        """What the body yields that may be computed where the carried tile is: by an instruction after which nothing
        reads the old one, and that nothing else reads."""
        found: dict[SSAValue, Place] = {}
        order = {op: i for i, op in enumerate(o for stage in self.stages for o in stage)}
        for value, carried, place in zip(self.op.yielded, self.op.carried, self.places, strict=True):
            owner = value.owner
            readers = [use.operation for use in carried.uses]
            in_body = all(op in order for op in readers)
            if isinstance(owner, tile.VecOp) and value.has_one_use() and in_body and owner in order:
                if all(order[op] <= order[owner] for op in readers):
                    found[value] = place
        return found

    def emit(self) -> None:
        first, end, step = (p.value.data for p in (self.op.first, self.op.end, self.op.step))
        a, b, c, d = self.stages
        if self.op.parts == 1:
            for ops in (a, b, c, d):
                self._run(ops, first)
        else:
            last = end - step
            self._run(a, first)
            self._ahead(a, first + step)
            self._run(b, first)
            self._run(c, first)
            self._hold()
            with self.k.emit.loop(first + step, last, step) as at:
                self._ahead(a, self.k.emit.add(at, step))
                self._run(b, at)
                self._run(c, at)
                self._behind(d, self.k.emit.sub(at, step))
                self._hold()
            self._ahead([], last)
            self._run(b, last)
            self._run(c, last)
            self._behind(d, last - step)
            self._hold()
            self._run(d, last)
        self.k.places |= dict(zip(self.op.outputs, self.places, strict=True))

    def _product_in(self, ops: Sequence[Operation]) -> tile.ContractOp | None:
        return next((o for o in ops if isinstance(o, tile.ContractOp)), None)

    def _run(self, ops: Sequence[Operation], at: Idx) -> None:
        """A stage of the part that starts at `at`."""
        k, block = self.k, self.op.body.block
        k.enter_part(self.op, at)
        k.index[block.args[0]], k.index[block.args[1]] = at, self.op.step.value.data
        for inner in ops:
            k.emit.location = inner.location
            if isinstance(inner, tile.ContractOp) and inner in self.products:
                product = self.products[inner]
                product.begin()
                product.rest(0)
                k.places[inner.result] = product.acc
            else:
                k.operation(inner)
        self._carry(ops)

    def _ahead(self, ops: Sequence[Operation], at: Idx) -> None:
        """The first stage of the part after the one whose rows are used next; with no `ops` there is none."""
        product = self._product_in(self.stages[0])
        if product is None or product not in self.products:
            return
        if ops:
            self._run(ops, at)
        else:
            self.products[product].begin()
        self.k.places[product.result] = self.products[product].previous()

    def _behind(self, ops: Sequence[Operation], at: Idx) -> None:
        """The last stage of the part before."""
        product = self._product_in(self.stages[2])
        given = {value: self.k.places[value] for value in self.held}
        self.k.places |= self.held
        if product is not None and product in self.products:
            self.k.places[product.result] = self.products[product].previous()
        self._run(ops, at)
        self.k.places |= given
        if product is not None and product in self.products:
            self.k.places[product.result] = self.products[product].acc

    def _hold(self) -> None:
        """Keep what the last stage takes from the second one until the next part's second stage is done."""
        given = {result for inner in self.stages[1] for result in inner.results}
        for inner in self.stages[3]:
            for value in inner.operands:
                in_ub = isinstance(value.type, TileType) and tile_type(value).space.data == "ub"
                if value in given and in_ub and value not in self.held:
                    new = self.k.places[value]
                    self.held[value] = self.k.new_place(tile_type(value), new.sizes, "held")
        for value, place in self.held.items():
            new = self.k.places[value]
            emit_vector(self.k.emit, "vcopy", [new], replace(place, sizes=new.sizes))

    def _carry(self, ops: Sequence[Operation]) -> None:
        """Put what `ops` give of the carried tiles into their places."""
        for value, place in zip(self.op.yielded, self.places, strict=True):
            if isinstance(value.owner, Operation) and value.owner in ops:
                new = self.k.places[value]
                if new.base is not place.base:
                    emit_vector(self.k.emit, "vcopy", [new], replace(place, sizes=new.sizes))


def squeezed(source: Place, kind: TileType, dims: tuple[int, ...]) -> Place:
    """A place under the dimensions `dims`, the others having one element."""
    return replace(
        source,
        shape=kind.get_shape(),
        sizes=tuple(source.sizes[d] for d in dims),
        strides=tuple(source.strides[d] for d in dims),
        order=kind.get_order(),
        block=blocked_dim(kind),
    )


__all__ = ["StreamParts", "lower_stream", "squeezed", "stages_of"]
