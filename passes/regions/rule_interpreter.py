"""Runs the tiling rules of a group's ops on tiles, in program order: IR is built, and instructions are counted, by one
walk.

    op's operands    a tile -> repeated -> filled outside of the value -> viewed -> in a type that is computed
    op's result      rule.compute(op, builder, operands) -> in the type it is stored in
    the group's      viewed -> as it is stored -> repeated, for each part of the result

What a tile is, and each step on one, is the subclass's: SSA values of tile ops (`kernels.common.vector_body`), or
records of what they cost (`cost.rule_trace`).
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from xdsl.ir import Operation, SSAValue

from ...dialects.target_types import Target
from ...dialects.tiling import OperandMap
from ..support.values import index_operands, rule_of, scalar_operands
from .compute_type import ComputeTypes
from .padding import border_fill
from .regions import Regions

Key = tuple[SSAValue, OperandMap]
"""A value, and what of it a tile holds, as a map of the group's space."""


class RuleInterpreter:
    """The ops of `regions`, run on `tiles`."""

    regions: Regions
    target: Target
    tiles: dict[Key, Any]

    @cached_property
    def types(self) -> ComputeTypes:
        """In which types ops compute."""
        return ComputeTypes(self.target.vector)

    def emit(self, ops: Sequence[Operation]) -> None:
        """Run `ops` but those of the Cube, in program order; their results join the tiles."""
        for op in ops:
            if rule_of(op).engine != "cube":
                self.hold(op, self.computed(op))

    def computed(self, op: Operation) -> Any:
        """The tile of the op's result."""
        builder, operands = self.operands(op)
        return self.types.result(op, builder, operands)

    def operands(self, op: Operation, count: int | None = None) -> tuple[Any, list[Any]]:
        """What an op's rule is called with: a `VectorBuilder`, and the operands, or the first `count` of them: numbers,
        and tiles in a type that it computes in. Those that rows are made of have all their elements."""
        scalars, indices = scalar_operands(op), index_operands(op)
        builder = self.builder_of(op)
        operands: list[Any] = []
        for i, value in enumerate(op.operands[:count]):
            if i in scalars:
                operands.append(scalars[i])
            elif i not in indices:
                operand = self.types.operand(op, builder, self._operand(op, i, value))
                self.reads(op, i, operand, builder)
                operands.append(operand)
        return builder, operands

    def _operand(self, op: Operation, i: int, value: SSAValue) -> Any:
        """The tile of operand `i`, `value`, as the op reads it. One that reaches past what is computed holds what the
        op wants there."""
        regions = self.regions
        needed, region = regions.operand_map(op, i), regions.tile_map(op, i)
        tile = self.repeated(self.tile_of(value, region), regions.kernel_rows(op))
        fill = border_fill(op, i) if value in regions.maps else None
        if fill is not None:  # who else reads what is outside of the value fills it too
            self.tiles[value, region] = tile = self.bordered(value, tile, fill)
        return self.viewed(tile, region, needed)

    def results(self) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """What a kernel without a product stores, and where it begins in the result: the result, or each part of
        it."""
        regions = self.regions
        own = regions.maps[regions.result]
        if not regions.parts:
            yield self.repeated(self.as_stored(self.tiles[regions.result, own]), regions.stored_dims), ()
        for part in regions.parts:
            tile = self.viewed(self.tile_of(part.value, part.maps), part.maps, own)
            tile = self.as_stored(tile, part.maps != own)
            yield self.repeated(tile, regions.stored_dims), regions.origin(part)

    def tile_of(self, value: SSAValue, region: OperandMap) -> Any:
        """The tile that holds `region` of `value`."""
        return self.tiles[value, region]

    def hold(self, op: Operation, tile: Any) -> None:
        """The result of `op` joins the tiles."""
        result = op.results[0]
        self.tiles[result, self.regions.maps[result]] = tile

    def reads(self, op: Operation, i: int, operand: Any, builder: Any) -> None:
        """`operand` is operand `i` of `op`, which `builder` is for."""

    def builder_of(self, op: Operation) -> Any:
        """The `VectorBuilder` that the rule of `op` writes to."""
        raise NotImplementedError

    def repeated(self, x: Any, dims: frozenset[int]) -> Any:
        """`x` with its elements repeated along those of the kernel's `dims` that it lacks."""
        raise NotImplementedError

    def bordered(self, value: SSAValue, x: Any, fill: float) -> Any:
        """The tile `x` of a computed `value`, with `fill` outside of the value."""
        raise NotImplementedError

    def viewed(self, x: Any, region: OperandMap, needed: OperandMap) -> Any:
        """Of a tile `x` that holds `region` what is `needed`."""
        raise NotImplementedError

    def as_stored(self, x: Any, viewed: bool = False) -> Any:
        """`x`, `viewed` or a tile by itself, with bytes of its own and in the type it is stored from."""
        raise NotImplementedError


__all__ = ["Key", "RuleInterpreter"]
