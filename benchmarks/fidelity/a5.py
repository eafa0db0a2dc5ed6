"""Published measurements of the Ascend 950PR: loads of L0 and FixPipe (tests/perf), copies (data_copy), a launch."""

from collections.abc import Iterator
from functools import partial

from ascend_opt.compiler.pipeline.read_module import read_module
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.machine.costs import launch_us
from fidelity.copies import SIDE, once, reuse, same_address
from fidelity.point import Case, Long, Point, chip, cycles, program, timed

CHIP = "ascend950"


def cases() -> Iterator[Case]:
    yield units
    yield partial(_empty, 1, "1 block", 1.22)
    yield partial(_empty, 64, "64 blocks", 2.17)
    yield _many_blocks
    first, *others = COPIES
    yield Long(partial(once, *first, CHIP))
    for row in others:
        yield partial(once, *row, CHIP)
    for to, parts, published in REUSES:
        yield partial(reuse, to, parts, published, CHIP)
    for row in SAME_ADDRESS:
        yield partial(same_address, *row, CHIP)


def units() -> Iterator[Point]:
    """Single instructions, latency + bytes / bandwidth."""
    for space, kib, published in (("l0a", 16, 94.0), ("l0b", 32, 158.0)):
        p = program(1, "aic", CHIP)
        p.load2d(p.buffer("x", "l1", (2 * kib, 16, 16), 0), p.buffer("y", space, (2 * kib, 16, 16), 0))
        yield _cycles(f"load2d {kib} KB to {space}", published, timed(p).kernels[0].time_us)
    p = program(1, "aic", CHIP)
    c = p.buffer("c", "l0c", (16, 128, 16), 0, dtype="f32")
    p.fixpipe(c, p.buffer("y", "l1", (16, 128, 16), 0))
    yield _cycles("FixPipe 128x256 f32 to f16 in l1", 538.0, timed(p).kernels[0].time_us)
    for attributes, rows, published in (("vector = 0", 64, 154.0), ("split = 1", 32, 90.0)):
        module = read_module(_TO_UB.format(attributes=attributes, rows=rows)).module
        profile = Emulator(module, chip(CHIP)).time_only("main")
        which = "one" if "vector" in attributes else "both"
        name = f"FixPipe 64x64 f32 to the UB of {which}"
        yield _cycles(name, published, profile.kernels[0].time_us)


def _empty(blocks: int, which: str, published: float) -> Iterator[Point]:
    empty = timed(program(blocks, "aiv", CHIP)).kernels[0]
    time = empty.time_us + empty.launch_us
    yield Point(f"950: empty kernel, {which}", published, time, "us", 0.07, regime="short")


def _many_blocks() -> Iterator[Point]:
    """Of more blocks than cores: all are handed out one by one."""
    yield Point(
        "950: empty kernel, 1024 blocks", 16.4, launch_us(chip(CHIP), 1024), "us", 0.07, regime="short"
    )


COPIES = (
    ("ub", 1, 64, SIDE, 884.06, 881.13, 16),
    ("ub", 64, 64, SIDE, 208.64, 205.99, 1),
    ("ub", 64, 1024, SIDE, 188.52, 185.66, 1),
    ("ub", 64, 1024, SIDE - 1, 192.07, 189.16, 1),
    ("l1", 64, 64, SIDE, 245.1, 241.56, 1),
    ("l1", 64, 256, SIDE, 190.52, 187.19, 1),
    ("l1", 64, 256, SIDE - 1, 206.61, 202.97, 1),
)
"""302 MB of f16, once, by all cores: where to, rows and columns of a tile, width, µs, µs of MTE2, part of the rows."""


REUSES = (("ub", 1, 741.58), ("ub", 4, 354.95), ("l1", 1, 732.81), ("l1", 4, 390.35))
"""As on the 910B1 (copies.py)."""
SAME_ADDRESS = (
    ("ub", 128, False, 342.29),
    ("ub", 128, True, 335.64),
    ("l1", 256, False, 369.99),
    ("l1", 256, True, 187.35),
)
"""The same of 8192 x 512."""


def _cycles(name: str, published: float, us: float) -> Point:
    return Point(f"950: {name}", published, cycles(us, CHIP), "cyc", 0.07)


_TO_UB = """
builtin.module attributes {{ascend.target = "ascend950"}} {{
  ascend.kernel @cube cores 1 : i64 attributes {{core = "aic"}} {{
  ^bb0(%t: memref<4x{rows}x16xf32, "ub">):
    %acc = ascend.buffer {{addresses = array<i64: 0>}} : memref<4x64x16xf32, "l0c">
    ascend.fixpipe %acc, %t {{{attributes} : i64}} : memref<4x64x16xf32, "l0c">, memref<4x{rows}x16xf32, "ub">
    ascend.end
  }}
  ascend.kernel @vector cores 2 : i64 attributes {{core = "aiv"}} {{
  ^bb0(%t: memref<4x{rows}x16xf32, "ub">):
    ascend.end
  }}
  func.func @main() {{
    %t = ascend.group_buffer {{address = 0 : i64}} : memref<4x{rows}x16xf32, "ub">
    ascend.launch @cube with @vector(%t) : memref<4x{rows}x16xf32, "ub">
    func.return
  }}
}}
"""
