"""What comparisons and selections compute: bit i of byte j of a mask is for element 8 j + i. Bits behind the last
element are 0."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..machine.memory import CoreMemory, View
from .scalar_values import Taken
from .values import Action

_COMPARISONS: Mapping[str, Callable[..., Any]] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
}  # fmt: skip


def bind_masked(
    memory: CoreMemory, name: str, sources: Sequence[View], destination: View, scalar: View | float | None
) -> Action:
    """`vcmpv_*`, `vcmpvs_*`, `vsel` or `vsels` (a scalar is rounded to the element type first)."""
    result = memory.array(destination)
    arrays = [memory.array(v) for v in sources]
    if name in ("vsel", "vsels"):
        mask, x, *other = arrays
        number = None if other else Taken(memory, _number(scalar), x.dtype.type)
        y = other[0] if number is None else number.value

        def select() -> None:
            bits = np.unpackbits(mask.view(np.uint8), count=x.size, bitorder="little")
            np.copyto(result, np.where(bits, x, y))

        return select if number is None else number.before(select)
    function = _COMPARISONS[name.partition("_")[2]]
    number = None if scalar is None else Taken(memory, scalar, arrays[0].dtype.type)
    operands = arrays if number is None else [*arrays, number.value]

    def compare() -> None:
        result.view(np.uint8)[...] = np.packbits(function(*operands), bitorder="little")

    return compare if number is None else number.before(compare)


def _number(scalar: View | float | None) -> View | float:
    assert scalar is not None
    return scalar
