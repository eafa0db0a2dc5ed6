"""Arithmetic for a `VectorBuilder`: of f16 and f32 one instruction each, of i32 what the chip has, or is made of it.

    i32                            where the chip lacks the instruction
    vadds, vmuls, vmaxs, vmins     vdup, and the instruction of two tiles
    vabs, vrelu                    max(x, -x), max(x, 0)
    quotients                      two quotients in f32, and what they leave over (`quotient`)

Sums, differences and products keep the low 32 bits, so that all this is exact.
"""

from collections.abc import Sequence
from typing import Any

from ...dialects.target_types import Vector

LEAST = -(2**31)


def wrapped(number: float) -> float:
    """The low 32 bits of a whole number, as i32."""
    return float((int(number) - LEAST) % 2**32 + LEAST)


class NumberEmitter:
    """Works on whatever the builder's tiles are."""

    vector: Vector

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

    def dtype(self, x: Any) -> str:
        raise NotImplementedError

    def cast(self, x: Any, dtype: str) -> Any:
        raise NotImplementedError

    def _lacks(self, name: str, x: Any) -> bool:
        """Whether `x` is a tile of i32, for which the chip has no instruction `name`."""
        return self.dtype(x) == "i32" and not self.vector.computes(name, "i32")

    def _binary(self, name: str, x: Any, y: Any) -> Any:
        if not isinstance(y, float | int):
            return self._emit(f"v{name}", [x, y])
        if self._lacks(f"v{name}s", x):
            return self._emit(f"v{name}", [x, self._emit("vdup", [], float(y), self.dtype(x), [x])])
        return self._emit(f"v{name}s", [x], y)

    def add(self, x: Any, y: Any) -> Any:
        return self._binary("add", x, y)

    def sub(self, x: Any, y: Any) -> Any:
        if not isinstance(y, float | int):
            return self._binary("sub", x, y)
        return self._binary("add", x, wrapped(-y) if self.dtype(x) == "i32" else -y)

    def mul(self, x: Any, y: Any) -> Any:
        return self._binary("mul", x, y)

    def max(self, x: Any, y: Any) -> Any:
        return self._binary("max", x, y)

    def min(self, x: Any, y: Any) -> Any:
        return self._binary("min", x, y)

    def abs(self, x: Any) -> Any:
        return self.max(x, self.mul(x, -1.0)) if self._lacks("vabs", x) else self._emit("vabs", [x])

    def relu(self, x: Any) -> Any:
        return self.max(x, 0.0) if self._lacks("vrelu", x) else self._emit("vrelu", [x])

    def div(self, x: Any, y: Any) -> Any:
        """Of i32 without what is after the point."""
        return self.quotient(x, y) if self.dtype(x) == "i32" else self._emit("vdiv", [x, y])

    def quotient(self, x: Any, y: Any) -> Any:
        """x / y of i32, without what is after the point.

        The quotient in f32 is right to three roundings, 3 2^-24 of it. So what its nearest whole number leaves of x is
        at most |y| / 2 + 384, which i32 holds. Divided in turn, it gives at most 385, right to 2^-13. With both, what
        is left is hardly more than |y| / 2, and where it has not the sign of x, the quotient is one too far from 0.
        """
        divisor = self.cast(y, "f32")
        rough = self.cast(self._emit("vdiv", [self.cast(x, "f32"), divisor]), "i32")
        left = self.sub(x, self.mul(rough, y))
        more = self.cast(self._emit("vdiv", [self.cast(left, "f32"), divisor]), "i32")
        left = self.sub(left, self.mul(more, y))
        side = self._side(x)
        beyond = self.min(self.mul(side, self._side(left)), 0.0)
        return self.add(self.add(rough, more), self.mul(beyond, self.mul(side, self._side(y))))

    def _side(self, x: Any) -> Any:
        """-1, 0 or 1."""
        return self.min(self.max(x, -1.0), 1.0)
