"""Products of the vendor's library on a 910B2 against this compiler's own schedules: f16, neither operand packed.

Source: cann-bench, metadata of its matmul kernels; medians of times with one launch. A large product and a reduction of
a tensor of more than L2 go before each launch, to clear the cache (its docs/design/perf_collection_design.md).
"""

from collections.abc import Iterator
from functools import partial

from measure import Row, matmul_graph

import ascend_opt
from fidelity.point import Case, Long, Point, chip

CHIP = "ascend910b2"
TIMES = {
    (1024, 1024, 1024): 15.65,
    (2048, 2048, 2048): 80.77,
    (4096, 4096, 4096): 525.95,
    (8192, 8192, 8192): 4038.42,
    (1024, 3584, 3584): 119.86,
    (512, 4096, 4096): 95.29,
}
"""µs by M, N, K."""

SQUARE = "tensor<1024x1024xf16>"
SMALL = (
    ("matmul 64x64x64", matmul_graph(64, 64, 64).replace(" {weight}", ""), 1.9, 0.4),
    (
        "maximum 1024x1024",
        f"graph @f(%x: {SQUARE}, %y: {SQUARE}) {{ %z = maximum(%x, %y) return %z }}",
        5.76,
        0.26,
    ),
    ("gelu 1024x1024", f"graph @f(%x: {SQUARE}) {{ %z = gelu(%x) return %z }}", 6.78, 0.22),
)
"""Kernels of which the launch is a large part: name, graph, µs, and a bar of 1.5 µs, or 40 % of less than 4."""


NOT_DESCRIBED = "its program is not described"
OTHER_CONVENTION = "the same kernel, warm"
TRANSPOSE = "graph @f(%x: tensor<8192x8192xf32>) { %y = transpose(%x) {perm = [1, 0]} return %y }"


def cases() -> Iterator[Case]:
    for row in SMALL:
        yield partial(_small, *row)
    yield Long(_transpose)


def _transpose() -> Iterator[Point]:
    """A long transpose by this compiler's own tiles; the library's program is not described. Warm, L2 lacks what a
    launch reads, and writes back what those before have left."""
    program = ascend_opt.compile(TRANSPOSE, target=chip(CHIP))
    for when, warm in (("", False), (", warm", True)):
        name = f"910B2 transpose 8192x8192 f32, own tiles{when}"
        yield Point(name, 555.0, program.time(warm=warm).total_us, "us", 0.5, aside=NOT_DESCRIBED)


def _small(name: str, text: str, published: float, bar: float) -> Iterator[Point]:
    """A small kernel by this compiler's own tiles, one launch: cold, as the library's are, and warm."""
    program = ascend_opt.compile(text, target=chip(CHIP), tune=6)
    profile = program.time()
    note = f"launch {profile.kernels[0].launch_us:.2f}"
    name = f"910B2 {name} f16, own tiles"
    yield Point(name, published, profile.total_us, "us", bar, note, regime="short")
    warm = program.time(warm=True).total_us
    yield Point(f"{name}, warm", published, warm, "us", 0.5, aside=OTHER_CONVENTION)


def table() -> Iterator[str]:
    """The rows as a table of Markdown."""
    yield "| M x N x K | library | own schedule | ratio | bound |"
    yield "|---|---|---|---|---|"
    both = list(rows())
    for row, least in zip(both[::2], both[1::2], strict=True):
        shape = row.name.removeprefix("matmul ").partition(",")[0]
        yield f"| {shape} | {row.peer:.2f} µs | {row.measured:.1f} µs | {row.figure:.2f} | {least.peer:.1f} µs |"


def rows(most: int = 8192) -> Iterator[Row]:
    """Emulated time over the library's: at most 1.05 of it, and no less than what the chip can do. Of products with
    no dimension above `most`."""
    for (m, n, k), published in TIMES.items():
        if max(m, n, k) > most:
            continue
        text = matmul_graph(m, n, k).replace(" {weight}", "")
        profile = ascend_opt.compile(text, target=CHIP, tune=1).time()
        kernel, total = profile.kernels[0], profile.total_us
        name = f"matmul {m}x{n}x{k}, own schedule"
        yield Row(
            name, total, published, "us", "library", total / published, 1.05, note=f"{CHIP}, one launch"
        )
        bound = kernel.bound_us
        yield Row(
            f"{name}, bound", kernel.time_us, bound, "us", kernel.limit, kernel.time_us / bound, 1.0, True
        )
