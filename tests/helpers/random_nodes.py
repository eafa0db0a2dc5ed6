"""Graphs as data: nodes with their values, and graph text."""

# pyright: basic

from dataclasses import dataclass
from typing import Any

import numpy as np

KINDS = ("gaussian", "index", "integer", "extreme")
TYPES = {"f16": np.float16, "f32": np.float32}
BOUNDS = {"f16": 3e-3, "f32": 1e-4}


@dataclass(frozen=True)
class Node:
    """An argument (`op` empty), a constant or an op, with its value."""

    name: str
    op: str
    operands: tuple[str, ...]
    attributes: dict[str, Any]
    dtype: str
    stored: np.ndarray
    exact: np.ndarray
    weight: bool = False
    narrow: bool = False
    """Whether an f16 result lies on the way to this value."""
    curved: bool = False
    """Whether a function of exp or a root does, which is computed to some accuracy only."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.stored.shape

    @property
    def type(self) -> str:
        return f"tensor<{''.join(f'{n}x' for n in self.shape)}{self.dtype}>"


@dataclass(frozen=True)
class Graph:
    """Nodes in program order, and the names of those that are returned."""

    kind: str
    nodes: tuple[Node, ...]
    results: tuple[str, ...]

    def text(self) -> str:
        """Graph text."""
        arguments = ", ".join(f"%{n.name}: {n.type}{' {weight}' * n.weight}" for n in self.nodes if not n.op)
        lines = [f"  {_line(n)}" for n in self.nodes if n.op]
        returned = ", ".join(f"%{name}" for name in self.results)
        return "\n".join([f"graph @f({arguments}) {{", *lines, f"  return {returned}", "}"])

    def inputs(self) -> dict[str, np.ndarray]:
        """The arguments' values."""
        return {n.name: n.stored for n in self.nodes if not n.op}

    def curved(self) -> list[bool]:
        """Whether each result is known to some accuracy only, whatever the inputs."""
        named = {n.name: n for n in self.nodes}
        return [named[r].curved for r in self.results]

    def bounds(self) -> list[float]:
        """The tolerance of each result: that of the narrowest type that a value on its way was stored in."""
        named = {n.name: n for n in self.nodes}
        return [BOUNDS["f16" if named[r].narrow else named[r].dtype] for r in self.results]


def _line(node: Node) -> str:
    attributes = dict(node.attributes)
    if node.op == "constant":
        return f"%{node.name} = constant() {{value = {_list(node.stored)}}} : {node.type}"
    written = ", ".join(f"{key} = {_word(value)}" for key, value in attributes.items() if value is not None)
    return (
        f"%{node.name} = {node.op}({', '.join(f'%{o}' for o in node.operands)})"
        + f" {{{written}}}" * bool(written)
    )


def _list(array: np.ndarray) -> str:
    if array.size and (array == array.reshape(-1)[0]).all():
        return repr(float(array.reshape(-1)[0]))
    return repr(array.astype(np.float64).tolist())


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return repr(list(value))
    return value if value in TYPES else f'"{value}"' if isinstance(value, str) else repr(value)


def rounded(array: np.ndarray, dtype: str) -> np.ndarray:
    """`array` in its storage type."""
    with np.errstate(all="ignore"):
        return np.asarray(array).astype(TYPES[dtype])
