"""The sizes of a model's inputs: which dimensions stay dynamic, and how those that may not are set."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.records import dataclass
from ..text.diagnostics import did_you_mean
from .builder import Builder, Converter, Node
from .names import Names, near
from .unsupported import Unsupported, UnsupportedModel

if TYPE_CHECKING:
    import onnx_ir as ir

    from .builder import Value

TRIED = 48
"""What a dynamic size is taken for, to learn whether a node could be converted if it were known."""


@dataclass(frozen=True)
class Dimension:
    """A dimension of an input without a size; `name` is None where the model gives it none."""

    input: str
    axis: int
    name: str | None

    @property
    def key(self) -> str:
        """What `--dim` and `dims` call it."""
        return self.name or f"{self.input}:{self.axis}"

    def __str__(self) -> str:
        return f"dimension {self.axis} of input '{self.input}'" + (f" ('{self.name}')" if self.name else "")


def how_to_set(dimensions: Iterable[Dimension]) -> str:
    """`set dimension 1 of input 'x' ('seq'): --dim seq=N, or dims={"seq": N} in Python`."""
    found: dict[str, Dimension] = {}
    for dimension in dimensions:
        found.setdefault(dimension.key, dimension)
    options = " ".join(f"--dim {shlex.quote(f'{key}=N')}" for key in found)
    entries = ", ".join(f'"{key}": N' for key in found)
    *most, last = map(str, found.values())
    named = f"{', '.join(most)} and {last}" if most else last
    return f"set {named}: {options}, or dims={{{entries}}} in Python"


class ModelSizes:
    """Sizes of the inputs of a graph, as far as the model or `given` states them: by the name of a dimension, or as
    `INPUT:AXIS`. `kept` are the inputs that stay inputs.

    Raises UnsupportedModel where `given` names no dimension, or more than one size would stay dynamic.
    """

    def __init__(
        self, graph: ir.Graph, kept: Sequence[ir.Value], given: Mapping[str, int], file: str
    ) -> None:
        self.file = file
        self._sizes: dict[str, int] = {}
        """By the keys of dimensions."""
        self._given(graph, given)
        self.open = self._open(kept)
        """Dimensions that stay dynamic: all are one size."""

    def of(self, value: ir.Value) -> list[int]:
        """The sizes of an input. Raises UnsupportedModel where the model states no shape."""
        if value.shape is None:
            raise UnsupportedModel(self.file, f"input '{value.name}' has no shape")
        sizes = [size if isinstance(size, int) else None for size in value.shape]
        for dimension in _dimensions(value):
            sizes[dimension.axis] = self._sizes.get(dimension.key, DYNAMIC_INDEX)
        return [DYNAMIC_INDEX if size is None else size for size in sizes]

    def _given(self, graph: ir.Graph, given: Mapping[str, int]) -> None:
        dimensions = [dimension for value in graph.inputs for dimension in _dimensions(value)]
        keys = {dimension.key for dimension in dimensions}
        places = {f"{d.input}:{d.axis}": d.key for d in dimensions}
        fixed = {
            f"{value.name}:{axis}": size
            for value in graph.inputs
            for axis, size in enumerate(value.shape or ())
            if isinstance(size, int)
        }
        for name, size in given.items():
            key = name if name in keys else places.get(name)
            if name in fixed and key is None:
                if fixed[name] != size:
                    raise UnsupportedModel(
                        self.file, f"dimension '{name}' is {fixed[name]} in the model, not {size}"
                    )
                continue
            if key is None:
                hint = did_you_mean(name, {*keys, *places}) or near(name, keys)
                raise UnsupportedModel(self.file, f"the model has no symbolic dimension '{name}'{hint}")
            if self._sizes.setdefault(key, size) != size:
                raise UnsupportedModel(
                    self.file, f"dimension '{key}' is set to {self._sizes[key]} and {size}"
                )

    def _open(self, kept: Sequence[ir.Value]) -> list[Dimension]:
        unset = [d for value in kept for d in _dimensions(value) if d.key not in self._sizes]
        wanted = [d for d in unset if d.axis]
        names = {d.name for d in wanted if d.name}
        first = [d for d in unset if not d.axis and d.name not in names]
        left = next((d.name for d in first if d.name), None)
        wanted += [d for d in first if d.name not in (None, left)]
        if wanted:
            what = "one size alone may stay dynamic, as the first dimension of inputs"
            raise UnsupportedModel(self.file, f"{what}; {how_to_set(wanted)}")
        return first


def _dimensions(value: ir.Value) -> list[Dimension]:
    """The dimensions of an input that have no size in the model."""
    return [
        Dimension(value.name or "input", axis, size.value or None)
        for axis, size in enumerate(value.shape or ())
        if not isinstance(size, int)
    ]


def wants_size(
    b: Builder, converter: Converter, node: ir.Node, version: int, inputs: list[Value | None]
) -> bool:
    """Whether a node that cannot be converted could be, were the dynamic size of its inputs known."""
    if not any(isinstance(value, SSAValue) and -1 in b.shape(value) for value in inputs):
        return False
    trial = Builder(Block(), Names(), b.float_type)

    def closed(value: Value | None) -> Value | None:
        if not isinstance(value, SSAValue):
            return value
        sizes = [TRIED if size < 0 else size for size in b.shape(value)]
        made = trial.argument("input", TensorType(cast(Any, b.element(value)), sizes))
        if value in b.bytes:
            trial.bytes[made] = b.bytes[value]
        return made

    try:
        converter(trial, Node(node, version, [closed(value) for value in inputs]))
    except (Unsupported, VerifyException, *MALFORMED):
        return False
    return True


MALFORMED = (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What converters meet in nodes whose inputs or attributes make no sense."""

__all__ = ["MALFORMED", "Dimension", "ModelSizes", "how_to_set", "wants_size"]
