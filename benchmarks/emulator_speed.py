"""The emulator: values, time and hazards against numpy's product; instructions a second in time-only mode."""

import time
from collections.abc import Iterator

import numpy as np
from measure import Row, best_of, matmul
from tool_speed import EXAMPLE

import ascend_opt
from ascend_opt.runtime.values.blas import single_thread

SIZE = 1024
RATE = 100_000  # instructions a second


def rows() -> Iterator[Row]:
    yield _values()
    for name, program in (
        ("time only, convolution", ascend_opt.compile(EXAMPLE)),
        ("time only, matmul 4096", matmul(4096, 4096, 4096)),
    ):
        start = time.perf_counter()
        profile = program.time()
        first = time.perf_counter() - start
        took = best_of(program.time, 3)
        count = sum(kernel.instructions for kernel in profile.kernels)
        note = f"{count} instructions, first run with decoding {first:.2f} s"
        yield Row(name, count / took, RATE, "1/s", "stated rate", count / took, RATE, True, note)


def _values() -> Row:
    """f16 product of 1024 x 1024 x 1024 with all checks, against the same product in f32 by numpy."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((SIZE, SIZE)).astype(np.float16)
    w = (rng.standard_normal((SIZE, SIZE)) / 32).astype(np.float16)
    a, b = x.astype(np.float32), w.astype(np.float32)
    program = matmul(SIZE, SIZE, SIZE)
    start = time.perf_counter()
    outputs = program.run(x=x, w=w).outputs
    first = time.perf_counter() - start
    error = np.linalg.norm(outputs["output0"].astype(np.float32) - a @ b) / np.linalg.norm(a @ b)
    with single_thread():
        peer = best_of(lambda: a @ b)
    ours = best_of(lambda: program.run(x=x, w=w))
    note = f"first run with decoding {first:.2f} s, relative error {error:.1e}"
    return Row(
        "emulate matmul 1024, all checks",
        ours,
        peer,
        "s",
        "numpy f32, one thread",
        ours / peer,
        8.0,
        note=note,
    )
