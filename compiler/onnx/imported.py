"""What importing a model gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(frozen=True)
class ImportedModel:
    """A module with one function, and the values of those of its arguments that are weights.

    `inputs` are the names of the others, in order; `results` the names of the model's results and their numpy types."""

    module: ModuleOp
    weights: dict[str, Array]
    inputs: tuple[str, ...]
    results: tuple[tuple[str, str], ...]
    file: str


__all__ = ["ImportedModel"]
