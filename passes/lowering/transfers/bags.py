"""Loads of bags: parts of a list of indices, whose rows are folded to one as they come.

    %t = tile.load %x … by %i bags %o    =>    scf.for %b = 0 to bags {
                                                 %first, %end = ascend.load_index %o at %b, %b + 1
                                                 ascend.vec "vdup" -> %sums                  a chunk of rows
                                                 scf.for %c = %first to %end step chunk {
                                                   scf.for %r: ascend.copy (row %i[%c + %r] of %x), (row %r of %rows)
                                                   ascend.vec "vadd"(%sums, %rows) -> %sums
                                                 }
                                                 ascend.vec "vadd" of halves of %sums … -> (row %b of the tile)

Rows come in two slots: while those of one chunk are summed up DMA brings the next one's, of the next bag too.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, SSAValue

from ....dialects import ascend, tile
from ....dialects.ascend.memory import memref_type
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along, Picked
from ...support.indices import Idx
from ..base.dma import GmRegion, gm_offset, region, row_major
from ..base.place import Place, blocked_dim, ceil_to
from ..vector.reduce import part_of
from ..vector.vector import emit_vector, expand_lanes
from .narrow_types import clear_row_tails, fetch

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def load_bags(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """A row-major tile, bag by bag."""
    return _Bags.of(k, op, kind).load()


@dataclass(frozen=True)
class _Rows:
    """The rows of a table as DMA reads them: row `i` is `length` elements from `begin + i * pitch` on; there are
    `count` rows."""

    tensor: SSAValue
    begin: Idx
    pitch: int
    count: int
    length: Idx


@dataclass(frozen=True)
class _Bags:
    """One load of bags, whose tile is of type `kind`. `dim`: the one that numbers the bags; None where there is one.
    `sizes`: those of the tile. What is computed of a bag are matrices: rows of a chunk, columns of the tile."""

    k: LoweringContext
    op: tile.LoadOp
    kind: TileType
    dim: int | None
    sizes: tuple[Idx, ...]
    rows: _Rows

    @staticmethod
    def of(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> _Bags:
        emit, tensor = k.emit, k.tensors[op.tensor]
        at = next(i for i, e in enumerate(op.maps) if isinstance(e, Picked))
        entry, parts, strides = op.maps[at], region(k, op), row_major(tensor)
        assert isinstance(entry, Picked) and all(part.complete for part in parts), "bags have no border"
        ((lanes, row),) = [(e.dim, parts[i]) for i, e in enumerate(op.maps) if isinstance(e, Along)]
        assert lanes == blocked_dim(kind), "the lanes are the rows of a table"
        sizes: list[Idx] = [1] * len(kind.get_shape())
        sizes[lanes] = row.size
        for d in entry.dims:
            sizes[d] = k.idx(op.sizes[d])
        begin = gm_offset(emit, tensor, [part.start for part in parts])
        rows = _Rows(tensor, begin, strides[at], memref_type(tensor).get_shape()[at], row.count)
        return _Bags(k, op, kind, next(iter(entry.dims), None), tuple(sizes), rows)

    def load(self) -> Place:
        emit = self.k.emit
        place = self.k.new_place(self.kind, self.sizes, "bags")
        pitch = 0 if self.dim is None else place.strides[self.dim]
        with emit.loop(0, 1 if self.dim is None else self.sizes[self.dim]) as bag:
            first, end = self._ends(bag)
            sums = self._chunk(
                "sums", self.kind.element_type, self._most, BLOCK if self._fold == "mean" else 0
            )
            emit_vector(emit, "vdup", [], sums, -inf if self._fold == "max" else 0.0)
            with emit.loop(first, end, self._most) as at:
                self._take(sums, at, emit.min(self._most, emit.sub(end, at)))
            row = self._columns(part_of(sums, 0, 0, 1))
            to = replace(row, base=place.base, offset=emit.add(place.offset, emit.mul(bag, pitch)))
            self._halve(sums, to)
            if self._fold == "max":
                with emit.condition("sle", end, first):
                    emit_vector(emit, "vdup", [], to, 0.0)
        return place

    @property
    def _fold(self) -> str:
        assert self.op.fold is not None
        return self.op.fold.data

    @property
    def _instruction(self) -> str:
        return "vmax" if self._fold == "max" else "vadd"

    @property
    def _most(self) -> int:
        """Rows of a chunk."""
        assert self.op.chunk is not None
        return self.op.chunk.value.data

    def _ends(self, bag: Idx) -> tuple[Idx, Idx]:
        """Where the bag's part of the list begins and ends."""
        k, emit = self.k, self.k.emit
        assert self.op.indices is not None and self.op.bags is not None
        cuts = k.tensors[self.op.bags]
        (items,), (count,) = (memref_type(k.tensors[v]).get_shape() for v in (self.op.indices, self.op.bags))
        bags: Idx = 1
        number: Idx = 0
        if self.dim is not None:
            bags, number = k.extents[self.dim], emit.add(k.idx(self.op.offsets[self.dim]), bag)
        assert isinstance(bags, int), "bags with offsets have static sizes"
        if self.dim in k.covered:  # a bag past the last one is that again
            number = emit.min(number, bags - 1)

        def read(at: Idx) -> Idx:
            made = ascend.LoadIndexOp(cuts, emit.value(at), items + 1, bags, self._most)
            return emit.insert(made).result

        first, following = read(number), emit.add(number, 1)
        if count > bags:
            return first, read(following)
        last = emit.div(following, bags)  # whether the list ends the bag
        end = items if last == 1 else read(emit.min(following, bags - 1))
        return first, emit.add(emit.mul(end, emit.sub(1, last)), emit.mul(last, items))

    def _take(self, sums: Place, at: Idx, count: Idx) -> None:
        """Load `count` rows, from number `at` of the list on, and fold them into `sums`."""
        k, emit, rows = self.k, self.k.emit, self.rows
        assert self.op.indices is not None
        items, element = k.tensors[self.op.indices], memref_type(rows.tensor).element_type
        chunk = self._chunk("rows", element, count)
        clear_row_tails(k, chunk)
        with emit.loop(0, count) as i:
            number = emit.value(emit.add(at, i))
            index = emit.insert(ascend.LoadIndexOp(items, number, rows.count)).result
            row = GmRegion(rows.tensor, emit.add(rows.begin, emit.mul(index, rows.pitch)), (), rows.length)
            fetch(k, row, chunk.own, emit.mul(i, chunk.strides[0]))
        factors = None if self.op.weights is None else self._weights(k.tensors[self.op.weights], at, count)
        chunk = self._converted(chunk)
        if factors is not None:
            emit_vector(emit, "vmul", [chunk, factors.broadcast(frozenset({1}))], chunk)
        there = replace(self._columns(sums), sizes=chunk.sizes)
        emit_vector(emit, self._instruction, [there, chunk], there)
        if self._fold == "mean":
            counts = replace(self._counts(sums), sizes=(count, 1))
            emit_vector(emit, "vadds", [counts], counts, 1.0)

    def _converted(self, chunk: Place) -> Place:
        """Rows in the type in which they are folded."""
        if chunk.dtype == self.kind.element_type:
            return chunk
        kind = TileType.get(chunk.shape, self.kind.element_type, "ub")
        wide = self.k.new_place(kind, chunk.sizes, "wide")
        emit_vector(self.k.emit, "vconv", [chunk], wide)
        return wide

    def _weights(self, tensor: SSAValue, at: Idx, count: Idx) -> Place:
        """The factors of rows: `count` numbers from number `at` on, each in all lanes of a block."""
        k, element = self.k, memref_type(tensor).element_type
        numbers = k.emit.fresh(ceil_to(self._most, BLOCK), element, "ub", "weights")
        fetch(k, GmRegion(tensor, at, (), count), numbers)
        kind = TileType.get((self._most, 1), element, "ub")
        lanes = k.new_place(kind, (count, 1), "factors", whole_blocks=True)
        expand_lanes(k.emit, replace(lanes, base=numbers), lanes, count)
        return self._converted(lanes)

    def _halve(self, sums: Place, to: Place) -> None:
        """Halves of a chunk combined until one row is left, which is the bag's; a mean is that over how many rows were
        counted."""
        emit, rows, mean = self.k.emit, self._most, self._fold == "mean"
        while rows > 1:
            rows //= 2
            halves = [part_of(sums, 0, start, rows) for start in (0, rows)]
            emit_vector(emit, self._instruction, halves, halves[0] if rows > 1 or mean else to)
        if mean:
            total = part_of(sums, 0, 0, 1)
            count = self._counts(total)
            emit_vector(emit, "vmaxs", [count], count, 1.0)
            emit_vector(emit, "vdiv", [self._columns(total), count.broadcast(frozenset({1}))], to)
        elif self._most == 1:
            emit_vector(emit, "vcopy", [sums], to)

    def _chunk(self, label: str, element: Attribute, count: Idx, more: int = 0) -> Place:
        """Room for a chunk of rows, of which there are `count`, with the columns of a tile and some `more` in front of
        them."""
        lanes = blocked_dim(self.kind)
        kind = TileType.get((self._most, more + self.kind.get_shape()[lanes]), element, "ub")
        return self.k.new_place(kind, (count, self.k.emit.add(more, self.sizes[lanes])), label)

    def _counts(self, sums: Place) -> Place:
        """How many rows were summed up in each row of a chunk, in all lanes of its first block."""
        return replace(sums, shape=(sums.shape[0], 1), sizes=(sums.sizes[0], 1))

    def _columns(self, sums: Place) -> Place:
        """What is behind that."""
        if self._fold != "mean":
            return sums
        lanes, at = blocked_dim(self.kind), self.k.emit.add(sums.offset, BLOCK)
        columns, size = self.kind.get_shape()[lanes], self.sizes[lanes]
        return replace(sums, shape=(sums.shape[0], columns), sizes=(sums.sizes[0], size), offset=at)


__all__ = ["load_bags"]
