"""What the benchmarks share: a row of the table, and timing."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import ascend_opt
from ascend_opt.compiler.api import Program


@dataclass(frozen=True)
class Row:
    """One result. `measured` and `peer` are in `unit`; `figure` is compared with `bar` (at most it, or at least)."""

    name: str
    measured: float
    peer: float
    unit: str
    peer_name: str
    figure: float
    bar: float
    at_least: bool = False
    note: str = ""

    @property
    def met(self) -> bool:
        return self.figure >= self.bar if self.at_least else self.figure <= self.bar


def best_of(action: Callable[[], object], times: int = 5) -> float:
    """The shortest of `times` runs, in seconds."""
    found: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        found.append(time.perf_counter() - start)
    return min(found)


def matmul_graph(m: int, n: int, k: int) -> str:
    """Graph text of a product whose right operand is a weight."""
    return (
        f"graph @product(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}}) {{\n"
        "  %y = matmul(%x, %w)\n  return %y\n}\n"
    )


def matmul(m: int, n: int, k: int, target: str = "ascend910") -> Program:
    return ascend_opt.compile(matmul_graph(m, n, k), target=target, tune=6)
