"""A kernel around a `tile.stream` on a chip whose Cube and Vector are cores of their own: both programs, and what they
hand to each other through workspaces in GM that stay in L2.

The Vector cores beside a Cube core share the rows of its tile, the first ones to the first. Each part goes to and fro:

    Cube core                                    Vector cores
      rows of part t      -> RAISED                take RAISED, state, weights   -> WEIGHTS
      take WEIGHTS of part t - 2, product -> SUM   take SUM of part t - 1, add it to their sum

Either side is behind in its second half, so that neither waits for the other. The right operand of the second
product comes before the Cube core waits for weights. What the second half needs of the first one of its part is held in
buffers of its own. Each way has two slots, and a flag in each direction that counts, as in
`lowering.cores.cube_to_vector_gm`.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ...dialects import ascend, tile
from ...dialects.records import dataclass
from ...dialects.tile import BLOCK, tile_type
from ..support.indices import Idx
from .base.place import Place, blocked_dim, physical
from .cores.stream import stages_of
from .kernel import KernelLowering
from .product.contract import Contraction
from .product.used_part import used_part, yielded
from .rooms import Room
from .stream_hand_overs import LEAD, SLOTS, hand_overs_of, row_dim, share_of, stream_of


@dataclass
class Way:
    """One hand-over: `room` with slots of `elements`; `ready` counts what is there, `free` what may be overwritten."""

    k: StreamLowering
    room: SSAValue
    elements: int
    ready: int
    free: int

    def slot(self) -> Idx:
        emit = self.k.emit
        slot = emit.add(emit.mul(self.k.group, SLOTS), emit.rem(self.k.part, SLOTS))
        return emit.mul(slot, self.elements)

    def wait(self, event: int) -> None:
        self.k.emit.insert(ascend.CrossWaitFlagOp(self.k.emit.value(event)))

    def set(self, pipe: str, event: int) -> None:
        self.k.emit.insert(ascend.CrossSetFlagOp(pipe, self.k.emit.value(event)))


class StreamLowering(KernelLowering):
    """One of the two programs; `core` is "aic" or "aiv"."""

    def meet(self, workspaces: Sequence[Room], rooms: Sequence[SSAValue]) -> None:
        self.ways = [
            Way(self, room, workspace.elements, 2 * i, 2 * i + 1)
            for i, (workspace, room) in enumerate(zip(workspaces, rooms, strict=True))
        ]
        self.group: Idx = 0
        """The index of the Cube core."""
        self.part: Idx = 0
        """The number of the part, over all tiles of the core."""
        stream = stream_of(self.source)
        assert stream is not None
        self.row = row_dim(stream)
        self.rows = self.source.tile_sizes[self.row]
        self.share = share_of(self.rows, self.target)
        self.alone = self.share >= self.rows
        """Whether the rows are too few to be shared: all Vector cores compute them, the first one writes them."""
        self.first: Idx = 0
        self.count: Idx = 0
        """The first row of the tile that this Vector core has, and how many it has."""
        self._products: dict[tile.ContractOp, Contraction] = {}
        self._buffers: dict[Operation, tuple[ascend.BufferOp, ...]] = {}
        """Those that an op of a part fills."""
        self.streams = [op for op in self.source.body.block.ops if isinstance(op, tile.StreamOp)]
        self.parts = sum(op.parts for op in self.streams)
        self.before: Mapping[tile.StreamOp, int] = {
            op: sum(o.parts for o in self.streams[:i]) for i, op in enumerate(self.streams)
        }

    @property
    def cube(self) -> bool:
        return self.core == "aic"

    def run(self) -> ascend.KernelOp:
        emit, source = self.emit, self.source
        points, cores = self.points(), source.schedule.cores
        core: Idx = emit.insert(ascend.BlockIdxOp()).result if self.kernel.core_count > 1 else 0
        if not self.cube:
            self.vector = emit.rem(core, self.target.vectors_beside)
            core = emit.div(core, self.target.vectors_beside)
        self.group = core
        mine = [way for i, way in enumerate(self.ways) if self._takes(i)]
        for way in mine:
            for _ in range(SLOTS):
                way.set("MTE2", way.free)
        if self.program.loop == "parts":
            self._cube_tiles(core, cores, points)
        elif points == cores:
            self._serial_tile_loop(core, [], {})
        else:
            with emit.loop(core, points, cores) as point:
                self._serial_tile_loop(point, [], {}, emit.div(point, cores))
        for way in self.ways:
            if way not in mine:
                for _ in range(SLOTS):
                    way.wait(way.free)
        emit.insert(ascend.EndOp())
        return self.kernel

    def _takes(self, way: int) -> bool:
        """Whether this side reads what goes that way: the Cube core weights, Vector cores the rest."""
        stream = stream_of(self.source)
        assert stream is not None
        return isinstance(hand_overs_of(stream)[way], tile.MoveOp) == self.cube

    def grid_point(self, point: Idx, fixed: dict[int, Idx]) -> None:
        super().grid_point(point, fixed)
        if self.cube:
            return
        emit, d = self.emit, self.row
        if self.alone:
            self.first, self.count = 0, self.rows
            return
        grid = self.source.body.block.args[len(self.tensors) :]
        rank = len(self.source.extent_list)
        offset, size = grid[d], grid[rank + d]
        first = self.first = emit.mul(self.vector, self.share)
        self.index[offset] = emit.add(self.index[offset], first)
        even = self.share * self.target.vectors_beside == self.rows
        self.index[size] = (
            self.share if even else emit.min(emit.max(emit.sub(self.rows, first), 0), self.share)
        )
        self.count = self.index[size]

    @contextmanager
    def _writer(self) -> Generator[None]:
        """What a tile has one Vector core write where all compute it."""
        if not self.alone:
            yield
            return
        with self.emit.condition("slt", self.vector, 1):
            yield

    def operation(self, op: Operation) -> None:
        if isinstance(op, tile.ExtractOp) and tile_type(op.source).space.data == "l0c":
            self._extract(op)
        elif isinstance(op, tile.MoveOp):
            self._move(op)
        elif isinstance(op, tile.ContractOp):
            if self.cube:
                self.places[op.result] = self._contract(op)
        elif isinstance(op, tile.StoreOp) and not self.cube:
            with self._writer():
                super().operation(op)
        elif not self._is_elsewhere(op):
            super().operation(op)

    def _is_elsewhere(self, op: Operation) -> bool:
        """Whether the other kind of core does what an op says."""
        if isinstance(op, arith.ConstantOp | arith.AddiOp | arith.MuliOp | arith.DivUIOp | tile.YieldOp):
            return False
        if isinstance(op, tile.LoadOp):
            return (tile_type(op.result).space.data == "l1") != self.cube
        return self.cube

    def _elsewhere(self, op: Operation) -> bool:
        return False

    def enter_part(self, op: tile.StreamOp, at: Idx) -> None:
        emit = self.emit
        before = emit.add(emit.mul(self.turn, self.parts), self.before[op])
        self.part = emit.add(before, emit.div(emit.sub(at, op.first.value.data), op.step.value.data))

    def _cube_tiles(self, core: Idx, cores: int, points: Idx) -> None:
        """All tiles of the Cube core. The rows of each part come before the product of the part that is `lead` before
        it, those of a tile's first parts before the last products of the tile before."""
        emit, lead = self.emit, min(LEAD, self.parts)
        if points == cores:
            self.grid_point(core, {})
            self._begin_tile()
            for part in range(1, lead):
                self._rows(*self._part_at(part))
            self._rest(lead)
            for part in range(self.parts - lead, self.parts):
                self._product(*self._part_at(part))
            return
        with emit.loop(core, emit.add(points, cores), cores) as point:
            turn = emit.div(point, cores)

            def now() -> None:
                self.turn = turn
                self.grid_point(point, {})

            for part in range(lead):
                with emit.condition("slt", point, points):
                    now()
                    if part:
                        self._rows(*self._part_at(part))
                    else:
                        self._begin_tile()
                with emit.condition("sge", point, cores):
                    self.turn = emit.sub(turn, 1)
                    self.grid_point(emit.sub(point, cores), {})
                    self._product(*self._part_at(self.parts - lead + part))
            with emit.condition("slt", point, points):
                now()
                self._rest(lead)

    def _part_at(self, part: int) -> tuple[tile.StreamOp, int]:
        """The stream that a tile's part belongs to, and where it begins."""
        for stream in self.streams:
            if part < stream.parts:
                return stream, stream.first.value.data + part * stream.step.value.data
            part -= stream.parts
        raise AssertionError("a tile has as many parts as its streams have together")

    def _begin_tile(self) -> None:
        """What all parts share, and the rows of the first one."""
        for op in self.source.body.block.ops:
            self.emit.location = op.location
            if not isinstance(op, tile.StreamOp):
                self.operation(op)
        self._rows(self.streams[0], self.streams[0].first.value.data)

    def _rest(self, lead: int) -> None:
        """The rows of all parts but the first `lead`, each followed by the product of the one so many before it."""
        part = lead
        for stream in self.streams:
            begin, end, step = self.before[stream], stream.end.value.data, stream.step.value.data
            while part < begin + stream.parts and part - lead < begin:
                self._rows(*self._part_at(part))
                self._product(*self._part_at(part - lead))
                part += 1
            if part < begin + stream.parts:
                with self.emit.loop(self._part_at(part)[1], end, step) as at:
                    self._rows(stream, at)
                    self._product(stream, self.emit.sub(at, lead * step))
                part = begin + stream.parts

    def _rows(self, stream: tile.StreamOp, at: Idx) -> None:
        """The product that gives the rows of a part."""
        rows, between, *_ = stages_of(stream)
        self._enter(stream, at)
        self._run([*rows, *(o for o in between if not isinstance(o, tile.MoveOp))])

    def _product(self, stream: tile.StreamOp, at: Idx) -> None:
        """The product with the weights of a part. Its right operand is asked for before the core waits for these."""
        _, between, product, sums = stages_of(stream)
        self._enter(stream, at)
        moves = [op for op in between if isinstance(op, tile.MoveOp)]
        *before, contract = product
        assert isinstance(contract, tile.ContractOp)
        self._run(before)
        step = self._contraction(contract)
        depth, block = contract.schedule.k, contract.body.block
        self.index[block.args[0]], self.index[block.args[1]] = 0, depth
        self._run([op for op in block.ops if not isinstance(op, tile.YieldOp)])
        self._run(moves)
        self.emit.location = contract.location
        step.multiply(tuple(self.places[value] for value in yielded(contract)), 0, depth)
        self.places[contract.result] = step.acc
        self._run(sums)

    def _enter(self, stream: tile.StreamOp, at: Idx) -> None:
        args = stream.body.block.args
        self.enter_part(stream, at)
        self.index[args[0]], self.index[args[1]] = at, stream.step.value.data

    def _run(self, ops: Sequence[Operation]) -> None:
        """What ops say, which is emitted for the first part, for those in a loop and for the last one: all of them have
        the same buffers, so that there is room for slots."""
        emit = self.emit
        for inner in ops:
            emit.location = inner.location
            with emit.noted(emit.generation(one) for one in self._buffers.get(inner, ())) as (_, made):
                self.operation(inner)
            self._buffers[inner] = tuple(one.buffer for one in made)

    def _contract(self, op: tile.ContractOp) -> Place:
        """A product, with what it reads from GM; the place of its accumulator."""
        product = self._contraction(op)
        product.rest(0)
        return product.acc

    def _contraction(self, op: tile.ContractOp) -> Contraction:
        """A product with the next generation of its accumulator. All parts have the same buffers in L0."""
        if op not in self._products:
            self._products[op] = Contraction(self, op)
        self._products[op].begin()
        return self._products[op]

    # Hand-overs

    def _way(self, op: Operation) -> Way:
        block = op.parent
        assert block is not None
        stream = block.parent_op()
        assert isinstance(stream, tile.StreamOp)
        return self.ways[[*hand_overs_of(stream)].index(cast(tile.MoveOp, op))]

    def _shared(self, op: Operation) -> tuple[int, int]:
        """Elements between the blocks of columns in the slot of a hand-over, and blocks."""
        kind = tile_type(op.operands[0] if isinstance(op, tile.ExtractOp) else op.results[0])
        _, strides = physical(kind, BLOCK)
        block = blocked_dim(kind)
        return strides[block], -(-kind.get_shape()[block] // BLOCK)

    def _extract(self, op: tile.ExtractOp) -> None:
        """An accumulator: from the Cube core to the slot, or its rows of this Vector core from there to UB."""
        if tile_type(op.source).space.data == "ub":
            super()._extract(op)
            return
        emit, way = self.emit, self._way(op)
        stride, blocks = self._shared(op)
        if self.cube:
            product = op.source.owner
            assert isinstance(product, tile.ContractOp)
            acc = self.places[op.source]
            m, n = used_part(self, product)
            shape = [emit.div(emit.add(n, BLOCK - 1), BLOCK), emit.ceil_to(m, BLOCK), BLOCK]
            way.wait(way.free)
            read = emit.view(acc.base, shape, [stride, BLOCK, 1])
            emit.insert(ascend.FixpipeOp(read, emit.view(way.room, shape, [stride, BLOCK, 1], way.slot())))
            way.set("FIX", way.ready)
            return
        kind = tile_type(op.result)
        sizes = [self.count if d == self.row else n for d, n in enumerate(kind.get_shape())]
        place = self.new_place(kind, sizes, "result", rows=BLOCK)
        at = emit.add(way.slot(), emit.mul(self.first, BLOCK))
        run = emit.mul(self.count, BLOCK)
        way.wait(way.ready)
        read = emit.view(way.room, [blocks, run], [stride, 1], at)
        emit.copy(read, emit.view(place.base, [blocks, run], [place.strides[place.block], 1]))
        way.set("MTE2", way.free)
        self.places[op.result] = place

    def _move(self, op: tile.MoveOp) -> None:
        """Weights: from the rows of this Vector core to the slot, or from there to L1."""
        emit, way, kind = self.emit, self._way(op), tile_type(op.result)
        elements, strides = physical(kind, BLOCK)
        stride, blocks = self._shared(op)
        if self.cube:
            shape = kind.get_shape()
            base = emit.fresh(elements, kind.element_type, "l1", "lhs")
            way.wait(way.ready)
            size = blocks * stride
            emit.copy(emit.view(way.room, [size], [1], way.slot()), emit.view(base, [size], [1]))
            way.set("MTE2", way.free)
            self.places[op.result] = Place(
                base, kind.element_type, shape, shape, strides, kind.get_order(), blocked_dim(kind)
            )
            return
        source = self.places[op.source]
        at = emit.add(way.slot(), emit.mul(self.first, BLOCK))
        run = emit.mul(self.count, BLOCK)
        way.wait(way.free)
        read = emit.view(source.base, [blocks, run], [source.strides[source.block], 1], source.offset)
        write = emit.view(way.room, [blocks, run], [stride, 1], at)
        with self._writer():
            emit.copy(read, write)
        way.set("MTE3", way.ready)
