"""The weights of a model, each in its storage type.

Who prints or lowers a program asks for none of their numbers, so they are brought to their types when somebody does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute

from .clipping import saturated

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


class StoredWeights(Mapping[str, "Array"]):
    """Arrays by the names of the arguments whose values they are. `late`: the model is a file that has been read, so
    that nobody changes the numbers before they are asked for."""

    def __init__(self, late: bool):
        self._late = late
        self._given: dict[str, tuple[Array, Attribute]] = {}
        self._stored: dict[str, Array] = {}

    def add(self, name: str, array: Array, element: Attribute) -> None:
        """One more weight: its numbers, and the type that they are stored in."""
        self._given[name] = array, element
        if not self._late:
            self[name]

    def __getitem__(self, name: str) -> Array:
        if name not in self._stored:
            array, element = self._given[name]
            self._stored[name] = saturated(array, element)
            self._given[name] = self._stored[name], element  # the numbers of the model are needed no more
        return self._stored[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __contains__(self, name: object) -> bool:
        return name in self._given


__all__ = ["StoredWeights"]
