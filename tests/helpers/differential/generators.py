"""A call of every op on a given value: attributes and other operands at random.

    GENERATORS["matmul"](drawer, x)     the results of a product with x on the left or on the right, or None

The value may be any operand that can be of its type. A new op of the graph dialect needs an entry here, and one in
`oracle` or `definitions`: tests/fuzz/test_differential.py says so.
"""

# pyright: basic

from collections.abc import Callable, Sequence
from typing import Any

from differential.generate_elements import ELEMENTS
from differential.generate_images import IMAGE_OPS
from differential.generate_indices import INDEX_OPS
from differential.generate_moves import MOVE_OPS
from differential.generate_rows import ROW_OPS
from differential.program import Value
from differential.types_along import class_of, takes


def _constant(g: Any, x: Value) -> Sequence[Value] | None:
    """Takes the place of the value."""
    return [g.constant(x.shape, x.dtype)]


GENERATORS: dict[str, Callable[[Any, Value], Sequence[Value] | None]] = {
    **ELEMENTS, **MOVE_OPS, **IMAGE_OPS, **ROW_OPS, **INDEX_OPS, "constant": _constant,
}  # fmt: skip


def any_op(g: Any, x: Value) -> None:
    """Some op on a value, so that values have several users."""
    op = g.rng.choice([name for name in GENERATORS if class_of(x.dtype) in takes(name)])
    GENERATORS[op](g, x)
