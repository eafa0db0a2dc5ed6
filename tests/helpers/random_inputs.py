"""Shapes and values of arguments and constants, by kind of graph (`random_graphs` says what each is for)."""

# pyright: basic

import random
from dataclasses import dataclass, field
from math import prod

import numpy as np
from random_nodes import Node, rounded

ELEMENTS = 40_000
"""Largest tensor; an occasional one is eight times as large."""


@dataclass
class Inputs:
    """Draws sizes, shapes and values for one kind of graph; `nodes` are those that there are."""

    rng: random.Random
    kind: str
    nodes: list[Node] = field(default_factory=list)
    most: int = ELEMENTS

    def __post_init__(self) -> None:
        self.numbers = np.random.default_rng(self.rng.getrandbits(32))

    def size(self) -> int:
        rng = self.rng
        draw = rng.random()
        if draw < 0.12:
            return 1
        if draw < 0.5:
            return rng.randint(2, 9)
        if draw < 0.7:
            return rng.choice((16, 32, 48, 64))
        if draw < 0.95:
            return rng.choice((11, 13, 15, 17, 23, 29, 31, 33, 37, 47, 53, 61, 63, 65, 67, 71))
        return rng.choice((127, 257, 509, 997, 1000, 1009, 1024))

    def shape(self, rank: int) -> tuple[int, ...]:
        while True:
            shape = tuple(self.size() for _ in range(rank))
            if prod(shape) <= self.most:
                return shape

    def array(self, shape: tuple[int, ...], role: str = "") -> np.ndarray:
        """Values of an argument; `role` is "positive", "matrix" (right operand, K first), "filters" or ""."""
        rng, count = self.rng, prod(shape)
        if role == "positive":
            return self.numbers.uniform(0.5, 2.0, shape) if self.kind == "gaussian" else np.ones(shape)
        if self.kind == "gaussian":
            scale = {"matrix": shape[-2] if len(shape) > 1 else 1, "filters": prod(shape[1:])}.get(role, 1)
            return self.numbers.standard_normal(shape) / max(scale, 1) ** 0.5
        if self.kind == "index":
            if role == "matrix":
                return np.eye(shape[-2])[:, self.numbers.integers(0, shape[-2], shape[-1])] * np.ones(shape)
            if role == "filters":
                flat = np.zeros((shape[0], prod(shape[1:])))
                flat[np.arange(shape[0]), self.numbers.integers(0, flat.shape[1], shape[0])] = 1
                return flat.reshape(shape)
            if role == "zero":
                return np.zeros(shape)
            # distinct finite f16 patterns, normal numbers of both signs first
            patterns = np.concatenate([np.arange(0x0400, 0x7C00), np.arange(0x8400, 0xFC00)]).astype(
                np.uint16
            )
            codes = np.resize(self.numbers.permutation(patterns), count)
            return codes.view(np.float16).astype(np.float64).reshape(shape)
        if self.kind == "integer":
            reach = rng.choice((1, 2, 4))
            return self.numbers.integers(-reach, reach + 1, shape).astype(np.float64)
        if role in ("matrix", "filters"):
            return self.numbers.integers(-1, 2, shape).astype(np.float64)
        choices = rng.choice(([65504.0, -65504.0, 0.0], [-65504.0, 0.0], [65504.0, -65504.0, 1.0, -0.5, 0.0]))
        return self.numbers.choice(choices, shape)

    def scale(self, dtype: str) -> float:
        """What makes the largest numbers of f16 those of f32."""
        wide = self.kind == "extreme" and dtype == "f32" and self.rng.random() < 0.5
        return float(np.finfo(np.float32).max) / 65504 if wide else 1.0

    def argument(self, shape: tuple[int, ...], dtype: str, role: str = "", weight: float = 0.3) -> Node:
        stored = rounded(self.array(shape, role) * self.scale(dtype), dtype)
        return Node(
            f"a{len(self.nodes)}", "", (), {}, dtype, stored, stored.astype(np.float64),
            weight=self.rng.random() < weight,
        )  # fmt: skip

    def constant(self, shape: tuple[int, ...], dtype: str) -> Node:
        rng = self.rng
        if self.kind == "gaussian":
            choices = [0.5, -0.25, 3.0, 1.0, 0.0, 0.3, -1.7]
        else:
            choices = [1.0, -1.0, 0.0, 2.0, 0.5]
        if prod(shape) <= 12 and rng.random() < 0.5:
            values = np.array(rng.choices(choices, k=prod(shape))).reshape(shape)
        else:
            values = np.full(shape, rng.choice(choices))
        stored = rounded(values, dtype)
        return Node(f"c{len(self.nodes)}", "constant", (), {}, dtype, stored, stored.astype(np.float64))
