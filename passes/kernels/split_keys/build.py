"""Builds the `tile.kernel` of a product that keeps the logarithm of what its rows' weights were divided by.

%m, %l, %sum = tile.stream {…}           as in the online form: the state of the rows, and the sums of a tile
tile.store %sum * (1 / %l)               the first half of the columns
tile.store %m + ln %l                    the second half, all of a row alike
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from xdsl.ir import SSAValue

from ....dialects import tile
from ....dialects.graph.softmax_matmul import WeighedRows
from ...support.values import rule_of
from ..online.build import OnlineBuilder


class SplitKeysBuilder(OnlineBuilder):
    """Builds one kernel; a tile of its result has the columns of the product twice."""

    def _narrow(self) -> None:
        half = self.extents[self.roles.n] // 2
        tiles = self._with_columns(self.tiling.tiles, half)
        self.extents, self.tiling = self._with_columns(self.extents, half), replace(self.tiling, tiles=tiles)

    def _with_columns(self, sizes: Sequence[int], columns: int) -> tuple[int, ...]:
        return tuple(columns if d == self.roles.n else size for d, size in enumerate(sizes))

    def _finish(self, carried: Sequence[SSAValue], result: SSAValue) -> None:
        product, builder = self.parts.product, self.builder
        *rows, total = carried
        rule, emitter, state = cast(WeighedRows, rule_of(product)), self._emitter(builder, 1), tuple(rows)
        share = emitter.mul(total, self._squeezed(builder, rule.factor(product, emitter, state)))
        logarithm = self._squeezed(builder, rule.logarithm(emitter, state))
        first = (0,) * self.rank
        second = self._with_columns(first, self.extents[self.roles.n])
        for value, origin in ((share, first), (emitter.fill(logarithm, share), second)):
            builder.insert(tile.StoreOp(value, result, self.offsets, self.sizes, origin=origin))


__all__ = ["SplitKeysBuilder"]
