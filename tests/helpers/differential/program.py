"""Graphs as data: calls of ops on values, with what each value must be, and graph text."""

# pyright: basic

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import ml_dtypes
import numpy as np

FLOATS = ("f16", "bf16", "f32")
STORED_AS = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32,
    "i1": np.bool_, "i8": np.int8, "i32": np.int32,
}  # fmt: skip
BOUNDS = {"f16": 3e-3, "bf16": 2e-2, "f32": 1e-4}
"""Relative L2 errors (docs/numerics.md)."""


def rounded(array: np.ndarray, dtype: str) -> np.ndarray:
    """Values of a storage type; floating-point ones in f32, which holds them all."""
    if dtype not in FLOATS:
        return np.asarray(array).astype(STORED_AS[dtype])
    with np.errstate(all="ignore"):
        return np.asarray(array).astype(STORED_AS[dtype]).astype(np.float32)


@dataclass(frozen=True)
class Value:
    """A tensor. `wide` is computed in f32 from the inputs, `stored` with each op's result rounded to storage."""

    name: str
    dtype: str
    wide: np.ndarray
    stored: np.ndarray
    exact: bool = True
    """Whether no op on the way to it rounds, in whatever order it computes."""
    narrow: str = "f32"
    """The type of largest rounding on the way to it."""
    batched: bool = False
    """Whether its first dimension is dynamic."""
    moved: tuple[np.ndarray, ...] = ()
    """Other evaluations than `wide`, in which results are off by a rounding (`roundings.py`); none of what is known."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.stored.shape

    @property
    def rank(self) -> int:
        return self.stored.ndim

    @property
    def type(self) -> str:
        sizes = ("?" if self.batched and not d else n for d, n in enumerate(self.shape))
        return f"tensor<{''.join(f'{n}x' for n in sizes)}{self.dtype}>"


@dataclass(frozen=True)
class Call:
    """An op on values of earlier calls; a constant has no operands."""

    op: str
    operands: tuple[str, ...]
    attributes: dict[str, Any]
    results: tuple[Value, ...]


@dataclass(frozen=True)
class Program:
    """Arguments, calls in order, and the names of what is returned. `kind`: of inputs (`drawing.KINDS`)."""

    kind: str
    arguments: tuple[Value, ...]
    weights: frozenset[str]
    calls: tuple[Call, ...]
    results: tuple[str, ...]

    def values(self) -> dict[str, Value]:
        made = (value for call in self.calls for value in call.results)
        return {value.name: value for value in (*self.arguments, *made)}

    def producers(self) -> dict[str, str]:
        """The op that makes each value; arguments have none."""
        return {value.name: call.op for call in self.calls for value in call.results}

    def pairs(self) -> Iterator[tuple[str, str]]:
        """(producer, consumer) of each value that an op takes from another."""
        made = self.producers()
        for call in self.calls:
            for operand in call.operands:
                if operand in made:
                    yield made[operand], call.op

    def inputs(self) -> dict[str, np.ndarray]:
        return {a.name: a.stored.astype(STORED_AS[a.dtype]) for a in self.arguments}

    def text(self) -> str:
        arguments = ", ".join(
            f"%{a.name}: {a.type}{' {weight}' * (a.name in self.weights)}" for a in self.arguments
        )
        lines = [f"  {_line(call)}" for call in self.calls]
        returned = ", ".join(f"%{name}" for name in self.results)
        return "\n".join([f"graph @f({arguments}) {{", *lines, f"  return {returned}", "}"])

    def alive(self) -> "Program":
        """Without what no result needs."""
        needed = set(self.results)
        for call in reversed(self.calls):
            if any(value.name in needed for value in call.results):
                needed |= set(call.operands)
        calls = tuple(c for c in self.calls if any(v.name in needed for v in c.results))
        return replace(self, calls=calls, arguments=tuple(a for a in self.arguments if a.name in needed))


def _line(call: Call) -> str:
    made = ", ".join(f"%{value.name}" for value in call.results)
    if call.op == "constant":
        (value,) = call.results
        return f"%{value.name} = constant() {{value = {_elements(value.stored)}}} : {value.type}"
    written = ", ".join(
        f"{key} = {_word(value)}" for key, value in call.attributes.items() if value is not None
    )
    operands = ", ".join(f"%{name}" for name in call.operands)
    return f"{made} = {call.op}({operands})" + f" {{{written}}}" * bool(written)


def _elements(array: np.ndarray) -> str:
    if not array.size:
        return "0"
    number = (lambda v: int(v)) if array.dtype.kind in "bi" else float
    if array.size and (array == array.reshape(-1)[0]).all():
        return repr(number(array.reshape(-1)[0]))
    return repr(array.astype(np.float64).tolist() if array.dtype.kind == "f" else array.astype(int).tolist())


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return repr(list(value))
    return value if value in STORED_AS else f'"{value}"' if isinstance(value, str) else repr(value)
