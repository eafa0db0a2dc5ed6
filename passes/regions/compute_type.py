"""The element type that a tile is computed in: its storage type, or f32 where the Vector only converts that type.

    %y = graph.exp %x : tensor<..xbf16>    =>    %0 = tile.vec "vconv"(%x) : bf16 -> f32
                                                 %1 = tile.vec "vexp"(%0) : f32
                                                 %y = tile.vec "vconv"(%1) : f32 -> bf16

Every graph op's result is rounded to its storage type, as the graph level means it, so an op gives the same
numbers alone and in a fused kernel. A tile that several ops read is converted once. What the Vector converts only
to f16 (i8, i1) comes and leaves as f16: loads and stores convert. i32 is computed as it is
(number_emitter.py). In a kernel a comparison is a bit mask (mask_emitter.py).
"""

from collections.abc import Hashable, Sequence
from dataclasses import field
from typing import Any

from xdsl.ir import Operation

from ...dialects.element_types import name_of
from ...dialects.records import dataclass
from ...dialects.target_types import Vector
from ..support.values import held_type_of, moves, rule_of


@dataclass
class ComputeTypes:
    """Runs the tiling rules of one kernel in the types that `vector` computes in."""

    vector: Vector
    wide: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any])

    def operand(self, op: Operation, b: Any, tile: Any) -> Any:
        """`tile` in a type that `op` can be computed in; `b` is the `VectorBuilder` that emits the conversion. Elements
        of any type are moved as they are."""
        if moves(op) or b.dtype(tile) in (*self.vector.compute, "i1", "i32"):
            return tile
        if tile not in self.wide:
            self.wide[tile] = b.cast(tile, "f32")
        return self.wide[tile]

    def result(self, op: Operation, b: Any, operands: Sequence[Any]) -> Any:
        """The tile of the op's result, in its storage type, from operands that it can be computed in."""
        return self.stored(op, b, rule_of(op).compute(op, b, operands))

    def stored(self, op: Operation, b: Any, tile: Any) -> Any:
        """`tile`, which was computed for the op's result, in its storage type."""
        storage = name_of(held_type_of(op.results[0]))
        return tile if b.dtype(tile) in (storage, "i1") else b.cast(tile, storage)


__all__ = ["ComputeTypes"]
