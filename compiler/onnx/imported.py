"""What importing a model gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from ...dialects.records import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


NOTES_SHOWN = 3
"""So many notes are listed."""


@dataclass(frozen=True)
class ImportedModel:
    """A module with one function, and the values of those of its arguments that are weights.

    `inputs` are the names of the others, in order; `results` the names of the model's results and their numpy types.
    `notes` say which numbers were clipped."""

    module: ModuleOp
    weights: Mapping[str, Array]
    inputs: tuple[str, ...]
    results: tuple[tuple[str, str], ...]
    file: str
    notes: tuple[str, ...] = ()

    @property
    def few_notes(self) -> list[str]:
        """The first notes, and how many more there are."""
        more = len(self.notes) - NOTES_SHOWN
        rest = [f"numbers of {more} more weights and constants were clipped"] if more > 0 else []
        return [*self.notes[:NOTES_SHOWN], *rest]


__all__ = ["ImportedModel"]
