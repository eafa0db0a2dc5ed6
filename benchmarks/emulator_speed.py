"""The emulator: values, time and hazards against numpy's product; instructions a second in time-only mode.

Of the compiler's own programs, and of those that AscendNPU-IR made of Triton kernels.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from measure import Row, best_of, matmul
from tool_speed import EXAMPLE

import ascend_opt
from ascend_opt import hivm
from ascend_opt.runtime.values.blas import single_thread

SIZE = 1024
RATE = 100_000  # instructions a second
STORED = Path(__file__).parents[1] / "tests" / "data" / "hivm"
ATTENTION_S = 3.0
"""Of 4 heads with 1024 rows of 64."""


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
    yield _mixed_product()
    yield from _attention()


def _mixed_product() -> Row:
    """The same product as AscendNPU-IR compiles it from Triton, in blocks of 128 x 128, all checks."""
    rng, module = np.random.default_rng(0), hivm.load(STORED / "matmul_f16.mlir")
    a, b = (rng.standard_normal((SIZE, SIZE)).astype(np.float16) for _ in range(2))
    given = {"a": a, "b": b, "out": np.zeros_like(a), "M": SIZE, "N": SIZE, "K": SIZE}
    grid = (SIZE // 128) ** 2
    left, right = a.astype(np.float32), b.astype(np.float32)
    with single_thread():
        peer = best_of(lambda: left @ right)
    start = time.perf_counter()
    module.launch(grid, given, names=tuple(given))
    first = time.perf_counter() - start
    ours = best_of(lambda: module.launch(grid, given, names=tuple(given)))
    name, note = "emulate Triton matmul 1024, all checks", f"first launch {first:.2f} s"
    return Row(name, ours, peer, "s", "numpy f32, one thread", ours / peer, 8.0, note=note)


def _attention() -> Iterator[Row]:
    """Flash attention from Triton: all checks, and time only."""
    rng, module = np.random.default_rng(0), hivm.load(STORED / "attention_f16.mlir")
    q, k, v = (rng.standard_normal((4, 1024, 64)).astype(np.float16) for _ in range(3))
    given = {"q": q, "k": k, "v": v, "out": np.zeros_like(q), "length": 1024, "scale": 0.125}
    names, grid = tuple(given), (1024 // 64, 4)
    ours = best_of(lambda: module.launch(grid, given, names=names), 3)
    name = "emulate Triton attention 4x1024x64, all checks"
    yield Row(name, ours, ATTENTION_S, "s", "stated time", ours, ATTENTION_S)

    def clock() -> int:
        profile = module.launch(grid, given, names=names, values=False, hazards=False).profile
        return sum(kernel.instructions for kernel in profile.kernels)

    count = clock()
    rate = count / best_of(clock, 3)
    note = f"{count} instructions"
    yield Row("time only, Triton attention", rate, RATE, "1/s", "stated rate", rate, RATE, True, note)


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
        6.0,
        note=note,
    )
