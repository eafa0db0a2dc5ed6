"""How a model is imported."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ...dialects.records import dataclass

PRECISIONS = ("f16", "bf16", "f32")
"""What floats may be stored in."""

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(frozen=True)
class ImportOptions:
    """`precision`: what floats are stored in, `f16` unless the model is of bf16. `precision_of`: the same for nodes by
    name. `sizes`: those of symbolic dimensions, by name. `constants`: values of inputs that keep them, by name.
    `mapped`: the system reads numbers of a file when they are looked at, and ends this process where the file got
    shorter."""

    precision: str | None = None
    precision_of: Mapping[str, str] = field(default_factory=dict[str, str])
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    constants: Mapping[str, Array] = field(default_factory=dict[str, "Array"])
    mapped: bool = False

    def __post_init__(self) -> None:
        for given in (self.precision, *self.precision_of.values()):
            if given is not None and given not in PRECISIONS:
                raise ValueError(f"precision is one of {', '.join(PRECISIONS)}, not '{given}'")
        object.__setattr__(
            self, "sizes", {name: checked_size(name, size) for name, size in self.sizes.items()}
        )


def checked_size(name: str, size: Any) -> int:
    """The size of a symbolic dimension. Raises ValueError unless it is a whole number and 1 or more."""
    try:
        found = None if isinstance(size, bool) else operator.index(size)
    except TypeError:
        found = None
    if found is None or found < 1:
        raise ValueError(f"the size of dimension '{name}' is a whole number, 1 or more, not {size!r}")
    return found


__all__ = ["PRECISIONS", "ImportOptions", "checked_size"]
