"""Which numpy function defines which graph op."""

from collections.abc import Callable
from typing import Any

from ...dialects.graph.extensions import load_extensions

ReferenceFunction = Callable[..., Any]
"""`f(*operands, **attributes)`: f32 or f64 arrays and Python values; gives the result array."""

_FUNCTIONS: dict[str, ReferenceFunction] = {}


def reference(name: str) -> Callable[[ReferenceFunction], ReferenceFunction]:
    """Register a function as the definition of the op `name` (`graph.add`)."""

    def register(function: ReferenceFunction) -> ReferenceFunction:
        if name in _FUNCTIONS:
            raise ValueError(f"{name} has a reference already")
        _FUNCTIONS[name] = function
        return function

    return register


def reference_of(name: str) -> ReferenceFunction:
    """The definition of the op `name`, from here or an extension. Raises ValueError if none."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    for extension in load_extensions():
        if extension.op.name == name:
            return extension.reference
    raise ValueError(f"{name} has no reference")
