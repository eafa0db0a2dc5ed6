"""Products of the vendor's library on a 910B2 against this compiler's own schedules: f16, neither operand packed.

Source: cann-bench, metadata of its matmul kernels; times with one launch.
"""

from collections.abc import Iterator

from measure import Row, matmul_graph

import ascend_opt

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


def rows() -> Iterator[Row]:
    """Emulated time over the library's: at most 1.05 of it, and no less than what the chip can do."""
    for (m, n, k), published in TIMES.items():
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
