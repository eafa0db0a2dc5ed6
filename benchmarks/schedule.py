"""Schedule quality of the compiler's own 4096 x 4096 x 4096 product, and what a smaller L2 does to it."""

from collections.abc import Iterator

from measure import Row, matmul

from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.execution.emulator import Emulator

SIZE = 4096


def rows() -> Iterator[Row]:
    program = matmul(SIZE, SIZE, SIZE)
    target = program.target
    fractal = target.cube.fractal["f16"]
    products = (SIZE // 16) ** 2 * (SIZE // fractal.k0)
    ideal = target.microseconds(products * fractal.cycles / target.cores)
    profile = program.time()
    kernel = profile.kernels[0]
    note = f"L2 hit rate {profile.l2_hit_rate:.3f}, bound {kernel.bound_us:.1f} us ({kernel.limit})"
    quality = ideal / kernel.time_us
    yield Row(
        "schedule, matmul 4096", kernel.time_us, ideal, "us", "ideal Cube time", quality, 0.88, True, note
    )
    quarter = load_target(target.name).with_(memory={"l2_bytes": target.memory.l2_bytes // 4})
    small = Emulator(program.module, quarter).time_only(program.name)
    slower = small.kernels[0].time_us / kernel.time_us
    note = f"L2 hit rate {small.l2_hit_rate:.3f}"
    yield Row(
        "the same, a quarter of L2",
        small.kernels[0].time_us,
        kernel.time_us,
        "us",
        "all of L2",
        slower,
        1.0,
        True,
        note,
    )
