"""Comparison and selection for a `VectorBuilder`, from its single instructions.

A mask that a rule computes is a bit mask, a tile of i1: `vcmpv` gives it and `vsel` takes it as it is. A mask that was
loaded, or is made of other masks, is a tile of f16 numbers, 0 or 1, and becomes bits where something is selected by it.

    %m = graph.compare %x, %y {direction = "lt"}    =>    %0 = tile.vec "vcmpv_lt"(%x, %y) : … -> tile of i1
    %z = graph.select %m, %x, %y                    =>    %1 = tile.vec "vsel"(%0, %x, %y)
"""

from collections.abc import Sequence
from typing import Any

_SWAPPED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


class MaskEmitter:
    """Works on whatever the builder's tiles are. Instructions with a mask do not repeat their operands' dimensions of
    size one: such operands are copied first."""

    def _emit(
        self,
        name: str,
        sources: Sequence[Any],
        scalar: float | None = None,
        dtype: str = "",
        like: Sequence[Any] = (),
    ) -> Any:
        """One instruction; the result is as large as the sources and `like` together."""
        raise NotImplementedError

    def _fills(self, x: Any, like: Sequence[Any]) -> bool:
        """Whether `x` is as large as `x` and `like` together."""
        raise NotImplementedError

    def dtype(self, x: Any) -> str:
        raise NotImplementedError

    def compare(self, x: Any, y: Any, direction: str) -> Any:
        """The bit mask of `x direction y`; one of them may be a number."""
        if isinstance(x, float | int):
            return self.compare(y, x, _SWAPPED[direction])
        if isinstance(y, float | int):
            return self._emit(f"vcmpvs_{direction}", [x], float(y), dtype="i1")
        return self._emit(f"vcmpv_{direction}", [self._dense(x, [y]), self._dense(y, [x])], dtype="i1")

    def select(self, mask: Any, x: Any, y: Any) -> Any:
        """x where the mask holds, else y; one or both may be numbers, then `mask` gives the shape, f16 the type."""
        tiles = [v for v in (x, y) if not isinstance(v, float | int)]
        dtype = self.dtype(tiles[0]) if tiles else "f16"
        whole = [mask, *tiles]
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
            return self._emit("vdup", [], float(x), self.dtype(like), [like])
        return self._dense(x, [like])

    def _bits(self, mask: Any, like: Sequence[Any]) -> Any:
        if self.dtype(mask) == "i1" and self._fills(mask, like):
            return mask
        return self.compare(self._dense(self.numbers(mask), like), 0.0, "ne")

    def _dense(self, x: Any, like: Sequence[Any]) -> Any:
        return x if self._fills(x, like) else self._emit("vcopy", [x], like=like)
