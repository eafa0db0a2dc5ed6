"""Comparison and selection for a `VectorBuilder`, from its single instructions.

A mask that a rule computes is a bit mask, a tile of i1: `vcmpv` gives it and `vsel` takes it as it is. A mask that was
loaded, or is made of other masks, is a tile of f16 numbers, 0 or 1, and becomes bits where something is selected by it.

    %m = graph.compare %x, %y {direction = "lt"}    =>    %0 = tile.vec "vcmpv_lt"(%x, %y) : … -> tile of i1
    %z = graph.select %m, %x, %y                    =>    %1 = tile.vec "vsel"(%0, %x, %y)
"""

from collections.abc import Sequence
from typing import Any

from .number_builder import NumberEmitter

_SWAPPED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


class MaskEmitter(NumberEmitter):
    """Works on whatever the builder's tiles are. Instructions with a mask do not repeat their operands' dimensions of
    size one: such operands are copied first.

    Of i32 a chip may lack both. `x - y` wraps around, but is 0 only where they are equal, and x < y where the larger of
    them is not x; the difference in f32 is compared with 0. `y + m (x - y)` selects: m is 1 where the mask holds, or 0.
    """

    def _fills(self, x: Any, like: Sequence[Any]) -> bool:
        """Whether `x` is as large as `x` and `like` together, and lies in one piece."""
        raise NotImplementedError

    def compare(self, x: Any, y: Any, direction: str) -> Any:
        """The bit mask of `x direction y`; one of them may be a number. Bit masks are compared as numbers."""
        if isinstance(x, float | int):
            return self.compare(y, x, _SWAPPED[direction])
        x = self.numbers(x)
        one = isinstance(y, float | int)
        name = f"vcmpvs_{direction}" if one else f"vcmpv_{direction}"
        if self.dtype(x) == "i32" and not self.vector.computes(name, "i32"):
            return self._compare_whole(x, y, direction)
        if one:
            return self._emit(f"vcmpvs_{direction}", [self._dense(x, [x])], float(y), dtype="i1")
        y = self.numbers(y)
        return self._emit(f"vcmpv_{direction}", [self._dense(x, [y]), self._dense(y, [x])], dtype="i1")

    def _compare_whole(self, x: Any, y: Any, direction: str) -> Any:
        if direction in ("eq", "ne"):
            apart = x if isinstance(y, float | int) and y == 0 else self.sub(x, y)
        else:
            apart = self.sub((self.max if direction in ("lt", "ge") else self.min)(x, y), x)
        same = direction in ("eq", "le", "ge")
        return self.compare(self.cast(apart, "f32"), 0.0, "eq" if same else "ne")

    def select(self, mask: Any, x: Any, y: Any, dtype: str = "f16") -> Any:
        """x where the mask holds, else y; one or both may be numbers, then `mask` gives the shape and they are of type
        `dtype`. A bit mask is selected as numbers."""
        x, y = (v if isinstance(v, float | int) else self.numbers(v) for v in (x, y))
        tiles = [v for v in (x, y) if not isinstance(v, float | int)]
        dtype = self.dtype(tiles[0]) if tiles else dtype
        whole = [mask, *tiles]
        if dtype == "i32" and not self.vector.computes("vsel", "i32"):
            share = self.cast(self.numbers(mask), "i32")
            if isinstance(x, float | int):
                x = self._emit("vdup", [], float(x), dtype, whole)
            return self.add(self.mul(self.sub(x, y), share), y)
        x, y = (
            self._emit("vdup", [], float(v), dtype, whole)
            if isinstance(v, float | int)
            else self._dense(v, whole)
            for v in (x, y)
        )
        return self._emit("vsel", [self._bits(mask, whole), x, y], dtype=dtype)

    def numbers(self, mask: Any) -> Any:
        """A mask as f16 numbers, 0 or 1."""
        return self.select(mask, 1.0, 0.0) if self.dtype(mask) == "i1" else mask

    def fill(self, x: Any, like: Any) -> Any:
        """`x`, a tile or a number of the type of `like`, repeated to be as large as `like`."""
        if isinstance(x, float | int):
            return self._emit(
                "vdup", [], float(x), "f16" if self.dtype(like) == "i1" else self.dtype(like), [like]
            )
        return self._dense(x, [like])

    def _bits(self, mask: Any, like: Sequence[Any]) -> Any:
        if self.dtype(mask) == "i1" and self._fills(mask, like):
            return mask
        return self.compare(self._dense(self.numbers(mask), like), 0.0, "ne")

    def _dense(self, x: Any, like: Sequence[Any]) -> Any:
        return x if self._fills(x, like) else self._emit("vcopy", [self.numbers(x)], like=like)
