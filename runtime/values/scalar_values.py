"""What the scalar unit computes, and numbers of its registers that Vector instructions take."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..machine.memory import Array, CoreMemory, View
from .values import Action


def bind_moved(memory: CoreMemory, source: View | float, result: View) -> Action:
    """An element becomes another one as it is, or is a number."""
    to = memory.array(result)
    if not isinstance(source, View):
        number = to.dtype.type(source)

        def put() -> None:
            to[0] = number

        return put
    words = np.dtype(f"u{result.itemsize}")
    given, taken = memory.array(source, words), memory.array(result, words)

    def move() -> None:
        taken[0] = given[0]

    return move


def bind_computed(
    memory: CoreMemory, function: Callable[..., Any], sources: Sequence[View | float], result: View
) -> Action:
    """A register becomes what a function gives of others, and of numbers."""
    to = memory.array(result)
    given = [memory.array(one) if isinstance(one, View) else [one] for one in sources]

    def compute() -> None:
        to[0] = function(*(one[0] for one in given))

    return compute


class Taken:
    """A number as an instruction takes it beside elements of a type: rounded to it, once and for all, or, where it is
    in a register, each time that the instruction runs."""

    def __init__(self, memory: CoreMemory, scalar: View | float, dtype: Any):
        self.cell = memory.array(scalar) if isinstance(scalar, View) else None
        self.value: Array = np.zeros(1, dtype)
        self.wide: Array = np.zeros(1, np.float32)
        """The same as f32."""
        if not isinstance(scalar, View):
            self._set(np.array([dtype(scalar)]))

    def _set(self, number: Array) -> None:
        np.copyto(self.value, number, casting="unsafe")
        np.copyto(self.wide, self.value, casting="unsafe")

    def before(self, run: Action) -> Action:
        """`run`, with the number as it is then."""
        cell = self.cell
        if cell is None:
            return run

        def taken() -> None:
            self._set(cell)
            run()

        return taken
