"""A graph along a path of ops: its arguments, calls, attributes, and what it gives.

Kinds of inputs:

gaussian  Normal numbers, or positive or negative ones where the path has roots.
index     Distinct numbers that the ops only move and select: what is in a wrong place shows.
integer   Small whole numbers: sums and products are exact; what is lost or counted twice shows.
extreme   Zeros, the largest numbers of the type, masks of -65504; results may be infinite.
special   Infinities and NaN, where ONNX says what becomes of them.
"""

# pyright: basic

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from ascend_opt.dialects.target_types import Target
from differential.fairness import computed
from differential.op_classes import IEEE, POSITIVE, RANKS, SMOOTH, STATIC
from differential.oracle import evaluated
from differential.program import FLOATS, Call, Program, Value, rounded
from differential.types_along import ALL, IMAGES, class_of, takes, types_along

KINDS = ("gaussian", "index", "integer", "extreme", "special")
RAGGED = (3, 5, 7, 9, 11, 13, 15, 17, 19, 23, 29, 31, 33, 37, 47)
TRIES = 5

Generator = Callable[["Drawer", Value], Sequence[Value] | None]


class Drawer:
    """A graph as far as it is drawn. `following`: the ops of the path still to come."""

    def __init__(self, rng: random.Random, kind: str, chip: Target, path: Sequence[str], dynamic: bool):
        self.rng, self.kind, self.chip, self.dynamic = rng, kind, chip, dynamic
        self.numbers = np.random.default_rng(rng.getrandbits(32))
        self.following = list(path)
        self.arguments: list[Value] = []
        self.weights: set[str] = set()
        self.calls: list[Call] = []
        self.pending: dict[str, tuple[Value, bool]] = {}
        self.count = 0
        self.batch = rng.choice((1, 2, 3, 5)) if dynamic else 0
        self.empty = not dynamic and rng.random() < 0.02
        """Whether a dimension has size 0."""
        self.most = 40_000 if rng.random() < 0.01 else rng.choices((100, 200, 600, 2500), (4, 4, 2, 1))[0]
        signs = (
            ("", "", "positive", "positive", "negative")
            if POSITIVE & set(path)
            else ("",) * 9 + ("positive",)
        )
        self.sign = rng.choice(signs)
        self.range = rng.choice(((0.5, 2.0), (1.1, 3.0), (0.3, 1.2)))

    def values(self) -> list[Value]:
        return [*self.arguments, *(v for call in self.calls for v in call.results)]

    @property
    def wanted_rank(self) -> int:
        """The dimensions that the next op of images wants."""
        return next(RANKS[op] for op in self.following if op in RANKS)

    @property
    def keeps_image(self) -> bool:
        """Whether an op to come wants an image."""
        return bool(RANKS.keys() & set(self.following))

    def size(self) -> int:
        rng = self.rng
        draw = rng.random()
        if draw < 0.12:
            return 1
        if draw < 0.35:
            return rng.randint(2, 8)
        if draw < 0.5:
            return rng.choice((8, 16, 32, 48, 64))
        if draw < 0.97:
            return rng.choice(RAGGED)
        return rng.choice((67, 100, 127, 130, 257, 300))

    def shape(self, rank: int) -> tuple[int, ...]:
        """Sizes that the ops to come can take."""
        near = set(self.following[:3])
        while True:
            sizes = [self.size() for _ in range(rank)]
            if rank >= 4:
                sizes[0] = self.rng.choice((1, 1, 2, 3, 5))
            if rank == 4:
                if "depth_to_space" in near or ("group_norm" in near and sizes[1] > 1):
                    sizes[1] = 4 * self.rng.choice((1, 2, 3, 4, 5, 9))
                if "space_to_depth" in near:
                    sizes[2:] = [2 * self.rng.randint(1, 9), 2 * self.rng.randint(1, 9)]
            if rank and "rope" in near:
                sizes[-1] += sizes[-1] % 2
            if self.batch and rank:
                sizes[0] = self.batch
            if self.empty and rank and not self.count:
                sizes[self.rng.randrange(rank)] = 0
            if prod(sizes) <= self.most:
                return tuple(sizes)

    def array(self, shape: tuple[int, ...], role: str, dtype: str) -> np.ndarray:
        """Values of an argument. `role`: "matrix" (right operand, K first), "filters", "zero", "positive", or ""."""
        rng, numbers, count = self.rng, self.numbers, prod(shape)
        if dtype == "i1":
            return numbers.random(shape) < 0.5
        if dtype == "i8":
            return numbers.integers(-128, 128, shape)
        if dtype == "i32":
            return self._whole(shape, role)
        if self.kind == "gaussian":
            sign = role if role in ("positive", "negative") else "" if role else self.sign
            if sign:
                return numbers.uniform(*self.range, shape) * (-1 if sign == "negative" else 1)
            inner = {"matrix": shape[-2] if len(shape) > 1 else 1, "filters": prod(shape[1:])}.get(role, 1)
            return numbers.standard_normal(shape) / max(inner, 1) ** 0.5
        if self.kind == "special":
            return numbers.choice((np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -2.5, 65504.0), shape)
        if role == "positive":
            return np.ones(shape)
        if self.kind == "index":
            if role == "matrix":
                return np.eye(shape[-2])[:, numbers.integers(0, shape[-2], shape[-1])] * np.ones(shape)
            if role == "filters":
                flat = np.zeros((shape[0], prod(shape[1:])))
                flat[np.arange(shape[0]), numbers.integers(0, flat.shape[1], shape[0])] = 1
                return flat.reshape(shape)
            if role == "zero":
                return np.zeros(shape)
            return self._distinct(count, dtype).reshape(shape)
        if self.kind == "integer":
            reach = rng.choice((1, 2, 4))
            return numbers.integers(-reach, reach + 1, shape).astype(np.float64)
        if role in ("matrix", "filters"):
            return numbers.integers(-1, 2, shape).astype(np.float64)
        top = 65504.0 if dtype != "bf16" else 3.3895313892515355e38
        if dtype == "f32" and rng.random() < 0.5:
            top = float(np.finfo(np.float32).max)
        choices = rng.choice(([top, -top, 0.0], [-65504.0, 0.0], [top, -top, 1.0, -0.5, 0.0]))
        return numbers.choice(choices, shape)

    def _distinct(self, count: int, dtype: str) -> np.ndarray:
        """Normal numbers of both signs, each once as long as there are any."""
        if dtype == "f32":
            return self.numbers.permutation(count).astype(np.float64) - count // 2
        high, first = (0x7C00, 0x0400) if dtype == "f16" else (0x7000, 0x1000)
        codes = np.concatenate([np.arange(first, high), np.arange(first, high) + 0x8000])
        codes = np.resize(self.numbers.permutation(codes), count).astype(np.uint16)
        if dtype == "f16":
            return codes.view(np.float16).astype(np.float64)
        return (codes.astype(np.uint32) << 16).view(np.float32).astype(np.float64)

    def _whole(self, shape: tuple[int, ...], role: str) -> np.ndarray:
        """Indices below a number, small numbers, or numbers of every magnitude."""
        if role.isdigit():
            return self.numbers.integers(0, int(role), shape)
        if role == "zero":
            return np.zeros(shape, np.int64)
        if self.rng.random() < 0.5:
            return self.numbers.integers(int(role == "positive"), 3, shape)
        wide = self.numbers.integers(-(2**31), 2**31, shape) >> self.numbers.integers(0, 31, shape)
        return np.clip(np.abs(wide), 1, 2**31 - 1) if role == "positive" else wide

    def argument(
        self, shape: Sequence[int], dtype: str, role: str = "", weight: float = 0.25, batched: bool = False
    ) -> Value:
        return self._new("a", self.array(tuple(shape), role, dtype), dtype, weight, batched)

    def given(self, array: np.ndarray, dtype: str, weight: float = 0.25) -> Value:
        """An argument with these values."""
        return self._new("a", array, dtype, weight)

    def constant(self, shape: Sequence[int], dtype: str, value: float | None = None) -> Value:
        choices = (
            (0.5, -0.25, 3.0, 1.0, 0.0, 2.0, -1.0) if dtype in FLOATS else (3, 1, 0, -1, 2**24 + 1, -(2**31))
        )
        if value is None and prod(shape) <= 12 and self.rng.random() < 0.5:
            array = np.array(self.rng.choices(choices, k=prod(shape))).reshape(shape)
        else:
            array = np.full(shape, self.rng.choice(choices) if value is None else value)
        return self._new("c", array, dtype, 0)

    def _new(self, letter: str, array: np.ndarray, dtype: str, weight: float, batched: bool = False) -> Value:
        self.count += 1
        stored = rounded(array, dtype)
        value = Value(f"{letter}{self.count}", dtype, stored, stored, batched=batched)
        self.pending[value.name] = value, self.rng.random() < weight and not batched
        return value

    def apply(self, op: str, operands: Sequence[Value], attributes: dict[str, Any] | None = None) -> Any:
        """Append a call and those operands that are new. The results, or None where they make no fair comparison or
        the chip does not compute it."""
        attributes = {k: v for k, v in (attributes or {}).items() if v is not None}
        if op in RANKS and not operands[0].stored.size:
            return None  # windows and images have pixels
        try:
            made = computed(self.kind, op, operands, attributes, self.numbers)
        except ValueError:
            return None
        if made is None or any(v.stored.size > 2 * max(self.most, 500) for v in made):
            return None
        if not self.empty and any(not v.stored.size for v in made):
            return None
        if any(o.batched for o in operands):
            if op in STATIC:
                return None
            opened = self._opened(op, operands, attributes, made)
            if opened is None:
                return None
            made = opened
        for operand in operands:
            if operand.name in self.pending:
                value, weight = self.pending.pop(operand.name)
                if value.name[0] == "c":
                    self.calls.append(Call("constant", (), {}, (value,)))
                    continue
                self.arguments.append(value)
                self.weights |= {value.name} if weight else set()
        results: list[Value] = []
        for value in made:
            self.count += 1
            results.append(replace(value, name=f"v{self.count}"))
        self.calls.append(Call(op, tuple(o.name for o in operands), attributes, tuple(results)))
        return results

    def _opened(
        self, op: str, operands: Sequence[Value], attributes: dict[str, Any], made: Sequence[Value]
    ) -> list[Value] | None:
        """The results with a dynamic first dimension; None where it is another one's size, or where a row of a result
        needs other rows of the operands."""
        other = [_scaled(o.wide) if o.batched else o.wide for o in operands]
        both = [np.concatenate([o.wide, x]) if o.batched else x for o, x in zip(operands, other, strict=True)]
        try:
            ((one,), (all_,)) = ([evaluated(op, attributes, [given])[0]] for given in (other, both))
        except ValueError:
            return None
        for value, behind, joined in zip(made, one, all_, strict=True):
            if not value.rank or joined.shape != (2 * self.batch, *value.shape[1:]):
                return None
            if not np.allclose(joined, np.concatenate([value.wide, behind]), 1e-3, 1e-5, equal_nan=True):
                return None
        return [replace(v, batched=True) for v in made]

    def finished(self) -> Program:
        used = {name for call in self.calls for name in call.operands}
        made = [v.name for call in self.calls if call.op != "constant" for v in call.results]
        results = [name for name in made if name not in used]
        if self.rng.random() < 0.15:
            results.append(self.rng.choice(made))
        program = Program(
            self.kind, tuple(self.arguments), frozenset(self.weights), tuple(self.calls), tuple(results)
        )
        return program.alive()


def _scaled(array: np.ndarray) -> np.ndarray:
    """Other rows than those of an array."""
    return array * np.float32(0.75) if array.dtype == np.float32 else array


def kind_of(rng: random.Random, path: Sequence[str]) -> str:
    if rng.random() < 0.06:
        return "extreme"
    if sum(op in IEEE for op in path) >= 0.6 * len(path) and rng.random() < 0.4:
        return "special"
    if SMOOTH & set(path):
        return "gaussian"
    return rng.choice(("gaussian", "index", "index", "integer", "integer"))


def drawn(seed: int, path: Sequence[str], chip: Target, dynamic: bool = False) -> Program | None:
    """The graph of a seed along a path of ops, without those that cannot follow; None where none is left."""
    from differential.compositions import SHARE, joined, of_bytes, siblings
    from differential.generators import GENERATORS, any_op

    # of their own, so that seeds give the same graphs without them
    beside, near, whole = (random.Random(f"{name}/{seed}") for name in ("joined", "siblings", "bytes"))
    rng = random.Random(f"{seed}/{'>'.join(path)}/{chip.name}")
    types = types_along(path, rng)
    if types is None:
        return None
    g = Drawer(rng, kind_of(rng, path), chip, path, dynamic)
    floats = [t for t in FLOATS if t in chip.storage]
    dtype = rng.choice(floats) if types[0] == "f" else types[0]
    if dtype == "f32" and "f32" not in chip.cube.fractal and rng.random() < 0.5:
        dtype = "f16"
    images = [op for op in path if op in IMAGES] or [op for op in path if op in RANKS]
    ranks = [RANKS[op] for op in images] or [4] * (rng.random() < 0.3)
    if images:  # a dimension that an op adds on the way
        ranks[0] -= path[: path.index(images[0])].count("one_hot")
    rank = max(ranks[0], 0) if ranks else rng.choice((0, 1, 2, 2, 2, 3, 3, 3, 4, 5))
    batched = dynamic and rank > 0
    x = g.argument(g.shape(rank), dtype, weight=0.03, batched=batched)
    for number, op in enumerate(path):
        g.following = list(path[number + 1 :])
        if class_of(x.dtype) not in (takes(op) or ALL):
            break
        for _ in range(TRIES):
            try:
                made = GENERATORS[op](g, x)
            except (ValueError, IndexError, ZeroDivisionError):
                if not g.empty:  # there may be nothing to choose from
                    raise
                made = None
            if made is not None:
                break
        else:
            continue
        wanted = types[number + 1]
        fitting = [v for v in made if class_of(v.dtype) == wanted]
        x = rng.choice(fitting or list(made))
        if beside.random() < SHARE and class_of(x.dtype) == wanted:
            x = joined(g, x, beside) or x
        if near.random() < SHARE and class_of(x.dtype) == wanted:
            x = siblings(g, x, near) or x
        if whole.random() < SHARE and class_of(x.dtype) == wanted:
            x = of_bytes(g, x, whole) or x
        if rng.random() < 0.1 and g.values() and not g.empty:
            any_op(g, rng.choice(g.values()))
    return g.finished() if any(call.op != "constant" for call in g.calls) else None
