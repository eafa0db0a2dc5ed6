"""`tile.stream`: the loop over the parts of a dimension, with carried tiles in buffers of their own.

A part has up to four stages: the product that gives its rows (a), the Vector's work on them up to the operand of a
second product (b), that product (c), and what the Vector does with its sums (d). They are emitted so that the Vector
never waits for a product of the same part, and that each accumulator is read before it is written again:

    a 0   b 0, a 1, c 0          for t:  b t, a t + 1, d t - 1, c t          b n, d n - 1, c n, d n

Operands of products are loaded before the Vector's work. What `d` takes from `b` of its part is held in buffers of its
own. A carried tile stays where its first value is: what it becomes is computed there, where nothing reads the old one
any more, or copied there at the end of the stage that gives it. The code around the loop is straight, without
conditions, so that buffers live no longer than they must.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects import tile
from ....dialects.tile import TileType, tile_type
from ...support.indices import Idx
from ..base.place import Place, blocked_dim
from ..product.contract import Contraction
from ..product.used_part import yielded
from ..vector.vector import emit_vector

if TYPE_CHECKING:
    from ..base.context import LoweringContext

Stages = tuple[list[Operation], list[Operation], list[Operation], list[Operation]]


def stages_of(op: tile.StreamOp) -> Stages:
    """The ops of a part by stage: a product, until the next one's operand is given, that product, the rest. Without a
    product all are the second stage."""
    ops = [o for o in op.body.block.ops if not isinstance(o, tile.YieldOp)]
    move = next((i for i, o in enumerate(ops) if isinstance(o, tile.MoveOp)), len(ops) - 1)
    first = next((i + 1 for i, o in enumerate(ops[:move]) if isinstance(o, tile.ContractOp)), 0)
    last = next((i + 1 for i, o in enumerate(ops) if i > move and isinstance(o, tile.ContractOp)), len(ops))
    return ops[:first], ops[first : move + 1], ops[move + 1 : last], ops[last:]


def lower_stream(k: LoweringContext, op: tile.StreamOp) -> None:
    """Emit the loop; the places of its results."""
    OnlineParts(k, op).emit()


class OnlineParts:
    """The parts of one stream, on a core with a Vector unit."""

    def __init__(self, k: LoweringContext, op: tile.StreamOp):
        self.k, self.op, self.stages = k, op, stages_of(op)
        self.places = [k.places[value] for value in op.initial]
        k.places |= dict(zip(op.carried, self.places, strict=True))
        self.products: dict[Operation, Contraction] = {}
        for product in op.body.block.ops:
            if isinstance(product, tile.ContractOp) and k.core is None:
                self.products[product] = contraction = Contraction(k, product)
                contraction.begin()
                k.places[product.result] = contraction.acc
        self.held: dict[SSAValue, Place] = {}
        k.results |= self._direct()

    def _direct(self) -> dict[SSAValue, Place]:
        """What the body yields that may be computed where the carried tile is: by an instruction after which nothing
        reads the old one, and that nothing else reads. So may what that instruction alone reads of its stage, and so on
        back."""
        found: dict[SSAValue, Place] = {}
        ops = [op for stage in self.stages for op in stage]
        order: dict[Operation | Block, int] = {op: i for i, op in enumerate(ops)}
        stage_of: dict[Operation | Block, int] = {
            op: i for i, stage in enumerate(self.stages) for op in stage
        }
        for value, carried, place in zip(self.op.yielded, self.op.carried, self.places, strict=True):
            last = max((order.get(use.operation, len(order)) for use in carried.uses), default=0)

            def free(v: SSAValue, kind: Attribute = value.type, last: int = last) -> bool:
                owner = v.owner
                given = isinstance(owner, tile.VecOp) and v.type == kind and v.has_one_use()
                return given and order.get(owner, -1) >= last

            step = value if free(value) else None
            while step is not None:
                found[step] = place
                owner = step.owner
                assert isinstance(owner, Operation)
                stage = stage_of[owner]
                beside = (v for v in owner.operands if stage_of.get(v.owner) == stage and v not in found)
                step = next((v for v in beside if free(v)), None)
        return found

    def _overlap(self) -> bool:
        """Whether the last stage of a part may come after the second one of the next: no carried tile is in both."""
        a, b, c, d = ({*ops} for ops in self.stages)
        for value, carried in zip(self.op.yielded, self.op.carried, strict=True):
            touched = {value.owner, *(use.operation for use in carried.uses)} - {self.op.body.block.last_op}
            if touched & d and touched & (a | b | c):
                return False
        return True

    def emit(self) -> None:
        first, end, step = (p.value.data for p in (self.op.first, self.op.end, self.op.step))
        a, _b, c, d = self.stages
        if self.op.parts == 1 or not (a or c) or not self._overlap():
            with self.k.emit.loop(first, end, step) as at:
                self._load(a, at)
                self._load(c, at)
                for ops in self.stages:
                    self._run(ops, at)
        else:
            last = end - step
            self._load(a, first)
            self._run(a, first)
            self._load(a, first + step)
            self._read(c, first)
            self._run(a, first + step)
            self._run(c, first)
            self._hold()
            with self.k.emit.loop(first + step, last, step) as at:
                after = self.k.emit.add(at, step)
                self._load(a, after)
                self._read(c, at)
                self._run(a, after)
                self._behind(d, self.k.emit.sub(at, step))
                self._run(c, at)
                self._hold()
            self._read(c, last)
            self._behind(d, last - step)
            self._run(c, last)
            self._hold()
            self._run(d, last)
        self.k.places |= dict(zip(self.op.outputs, self.places, strict=True))

    def _enter(self, at: Idx) -> None:
        args = self.op.body.block.args
        self.k.enter_part(self.op, at)
        self.k.index[args[0]], self.k.index[args[1]] = at, self.op.step.value.data

    def _load(self, ops: Sequence[Operation], at: Idx) -> None:
        """What the product in a stage reads from GM."""
        k = self.k
        self._enter(at)
        for product in ops:
            if product not in self.products:
                continue
            assert isinstance(product, tile.ContractOp)
            block = product.body.block
            k.index[block.args[0]], k.index[block.args[1]] = 0, product.schedule.k
            for inner in block.ops:
                k.emit.location = inner.location
                k.operation(inner)

    def _read(self, product: Sequence[Operation], at: Idx) -> None:
        """The second stage, behind the loads of the product after it. Rows come before these: they are used first."""
        ops = self.stages[1]
        rows = list(takewhile(lambda op: isinstance(op, tile.LoadOp), ops))
        self._run(rows, at)
        self._load(product, at)
        self._run(ops[len(rows) :], at)

    def _run(self, ops: Sequence[Operation], at: Idx) -> None:
        """A stage of the part that starts at `at`."""
        k = self.k
        self._enter(at)
        for inner in ops:
            k.emit.location = inner.location
            if inner in self.products:
                assert isinstance(inner, tile.ContractOp)
                operands = tuple(k.places[value] for value in yielded(inner))
                self.products[inner].multiply(operands, 0, inner.schedule.k)
            else:
                k.operation(inner)
        self._carry(ops)

    def _behind(self, ops: Sequence[Operation], at: Idx) -> None:
        """The last stage of the part before."""
        given = {value: self.k.places[value] for value in self.held}
        self.k.places |= self.held
        self._run(ops, at)
        self.k.places |= given

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


__all__ = ["OnlineParts", "lower_stream", "squeezed", "stages_of"]
