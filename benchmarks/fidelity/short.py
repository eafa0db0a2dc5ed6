"""Short kernels and single transfers of a 910B3: what a kernel's ends, a loop's trips and single instructions cost.

Source: calibration programs of vTriton and their profiles (shane-kshongmo/vTriton, perfbound/calibration), medians of
45 launches; a short product of Ascend C's best-practice pages (24 cores of a 910B1).
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ascend_programs import Index, Program
from xdsl.ir import SSAValue

from ascend_opt.runtime.machine.error_bars import regime_of
from ascend_opt.runtime.profile.profile import KernelProfile
from fidelity.point import Case, Point, chip, launched

CHIP = "ascend910b3"
SIDE = 128
"""Of a tile of the result, and its piece of K."""
DEPTH = 4096
"""K of the tensors."""
PIPES = ("M", "MTE1", "MTE2", "FIX")


def cases() -> Iterator[Case]:
    for row in HANDED_OVER:
        yield partial(_handed_over, *row)
    yield _tiles
    yield partial(_tiles, "bf16")
    yield _one_step
    yield _to_l1
    yield _through_ub
    yield _results
    yield _loads
    yield _all_cores


def alone(cores: int, core: str, launches: int = 1) -> Program:
    return Program(cores=cores, target=chip(CHIP), core=core, launches=launches)


def warm(name: str, published: float, kernel: KernelProfile, bar: float, share: float = 1.0) -> Point:
    """The point of a launch that others went before, whose steady state is `share` times as long."""
    time = kernel.time_us * share + kernel.launch_us
    return Point(f"910B3 {name}", published, time, "us", bar, "", regime_of(kernel, CHIP, time))


def part_of(name: str, published: float, predicted: float, bar: float) -> Point:
    """A part of a launch, µs."""
    return Point(f"910B3 {name}", published, predicted, "us", bar)


def _pipes(name: str, published: tuple[float, ...], kernel: KernelProfile) -> Iterator[Point]:
    for pipe, one in zip(PIPES, published, strict=True):
        found = kernel.pipes.get(f"aic {pipe}") or kernel.pipes[pipe]
        yield Point(f"910B3 {name}, {pipe}", one, found.active_us, "us", 0.2)


class _Tile:
    """One tile after the other through one slot of each memory: GM to L1 as NZ, L0, a product, rows of f32 in GM."""

    def __init__(self, p: Program, dtype: str = "f16"):
        self.p = p
        self.a, self.b = p.input("a", (SIDE, DEPTH), dtype), p.input("b", (DEPTH, SIDE), dtype)
        self.c = p.output("c", (SIDE, SIDE), "f32")
        size = SIDE * SIDE * 2
        self.a1 = p.buffer("a1", "l1", (SIDE // 16, SIDE, 16), 0, dtype=dtype)
        self.b1 = p.buffer("b1", "l1", (SIDE // 16, SIDE, 16), size, dtype=dtype)
        self.a2 = p.buffer("a2", "l0a", (8, 8, 16, 16), 0, dtype=dtype)
        self.b2 = p.buffer("b2", "l0b", (8, 8, 16, 16), 0, dtype=dtype)
        self.acc = p.buffer("acc", "l0c", (SIDE // 16, SIDE, 16), 0, dtype="f32")

    def begin(self) -> None:
        for source, destination, event in _SLOTS:
            self.p.set(source, destination, event)

    def end(self) -> None:
        for source, destination, event in _SLOTS:
            self.p.wait(source, destination, event)

    def step(self, k: SSAValue) -> None:
        """Tile `k` of K; operands of L1 and of L0 have a queue each."""
        p = self.p
        for i, (tensor, to, at, pitch) in enumerate(
            ((self.a, self.a1, p.times(k, SIDE), DEPTH), (self.b, self.b1, p.times(k, SIDE * SIDE), SIDE))
        ):
            p.wait("MTE1", "MTE2", i)
            p.copy(p.view(tensor, (SIDE, SIDE), (pitch, 1), offset=at), to, nd2nz=True)
        for i in range(2):
            p.set("MTE2", "MTE1", i)
        for i, (source, to) in enumerate(((self.a1, self.a2), (self.b1, self.b2))):
            p.wait("MTE2", "MTE1", i)
            p.wait("M", "MTE1", i)
            with p.loop(8) as row:
                self._load(source, to, row, transpose=i == 1)
            p.set("MTE1", "M", i)
            p.set("MTE1", "MTE2", i)
        p.wait("MTE1", "M", 0)
        p.wait("MTE1", "M", 1)
        p.wait("FIX", "M")
        p.mmad(self.a2, self.b2, self.acc, SIDE, SIDE, SIDE)
        p.set("M", "FIX")
        p.set("M", "MTE1", 0)
        p.set("M", "MTE1", 1)
        p.wait("M", "FIX")
        p.fixpipe(self.acc, p.view(self.c, (SIDE, SIDE)))
        p.set("FIX", "M")

    def _load(self, source: SSAValue, to: SSAValue, row: Index, transpose: bool) -> None:
        """Eight fractals of one row of fractals."""
        p = self.p
        piece = p.view(source, (8, 16, 16), (SIDE * 16, 16, 1), offset=p.times(row, 256))
        p.load2d(piece, p.view(to, (8, 16, 16), offset=p.times(row, 2048)), transpose)


_SLOTS = (("MTE1", "MTE2", 0), ("MTE1", "MTE2", 1), ("M", "MTE1", 0), ("M", "MTE1", 1), ("FIX", "M", 0))


HANDED_OVER = (
    (128, 3.82, (0.32, 0.24, 0.52, 0.46), (2.78, 1.43), (3.29, 1.70)),
    (256, 4.58, (0.64, 0.47, 1.04, 0.92), (3.53, 1.72), (4.08, 1.69)),
    (384, 5.46, (0.96, 0.70, 1.56, 1.39), (4.40, 2.10), (4.91, 1.68)),
    (512, 6.24, (1.28, 0.94, 2.06, 1.86), (5.15, 2.45), (5.69, 1.68)),
    (1024, 9.54, (2.56, 1.87, 4.10, 3.81), (8.50, 3.98), (8.95, 1.68)),
    (2048, 15.96, (5.11, 3.75, 8.01, 7.66), (14.90, 7.00), (15.43, 1.69)),
)
"""K, µs of the task, of the Cube, MTE1, MTE2, FixPipe, and of the Cube core and the Vector core, each with its scalar
unit."""
POLLS = "what the scalar unit of a waiting core does is not in the model"


def _handed_over(
    k: int, task: float, pipes: tuple[float, ...], cube: tuple[float, float], vector: tuple[float, float]
) -> Iterator[Point]:
    """A product over `k`, then a barrier of all cores, and the Vector core adds 256 numbers. The barrier is that of the
    Cube cores, here a flag there and back, and then a flag to the Vector core."""
    p = alone(1, "aic", launches=2)
    tile = _Tile(p)
    y = p.output("y", (256,))
    tile.begin()
    with p.loop(k // SIDE) as i:
        tile.step(i)
    tile.end()
    p.cross_set("FIX", 0)
    p.cross_wait(1)
    p.cross_set("FIX", 2)
    *_, y = p.beside(2)
    p.cross_wait(0)
    p.cross_set("MTE3", 1)
    p.cross_wait(2)
    x, z = (p.buffer(name, "ub", (256,), at) for name, at in (("x", 0), ("z", 4096)))
    w = p.buffer("w", "ub", (256,), 2048)
    with p.when(p.compare("eq", p.block_idx(), 0)):  # the published kernel has one Vector core
        p.copy(p.view(y, (256,)), x)
        p.copy(p.view(y, (256,)), w)
        p.flag("MTE2", "V")
        p.vec("vadd", x, w, to=z)
        p.flag("V", "MTE3")
        p.copy(z, p.view(y, (256,)))
    kernel = launched(p)[1]
    name = f"product over {k}, handed over"
    yield warm(name, task, kernel, 0.08)
    yield from _pipes(name, pipes, kernel)
    yield from _cores(name, task, kernel, cube, vector)


def _cores(
    name: str, task: float, kernel: KernelProfile, cube: tuple[float, float], vector: tuple[float, float]
) -> Iterator[Point]:
    """How long the cores of both kinds run, from their heads on, and what their scalar units take of it. The Cube core
    ends with the flag that the Vector core waits for last; all issue but a few instructions is its own."""
    on = chip(CHIP)
    heads = kernel.launch_us - on.launch_us
    flag = on.microseconds(on.cross.latency if on.cross else 0)
    yield part_of(f"{name}, Cube core", cube[0], heads + kernel.cross_wait_us["aiv"] - flag, 0.2)
    yield part_of(f"{name}, Vector core", vector[0], heads + kernel.time_us, 0.2)
    yield part_of(f"{name}, less its Vector core", task - vector[0], on.launch_us, 0.2)
    issued = (1 + on.vectors_beside) * kernel.scalar_us
    yield part_of(f"{name}, scalar unit of the Cube core", cube[1], heads + issued, 0.3)
    scalar = part_of(f"{name}, scalar unit of the Vector core", vector[1], heads, 1.0)
    yield replace(scalar, aside=POLLS)


def _tiles(dtype: str = "f16") -> Iterator[Point]:
    """In i8 the published program is that of f16."""
    p = alone(1, "aic")
    tile = _Tile(p, dtype)
    tile.begin()
    with p.loop(30), p.loop(32) as i:
        tile.step(i)
    tile.end()
    kernel = launched(p)[0]
    if dtype != "f16":
        yield warm(f"960 tiles of a product, {dtype}", 775.8, kernel, 0.08)
        return
    name = "960 tiles of a product"
    yield warm(name, 775.8, kernel, 0.08)
    yield replace(warm(f"{name}, i8", 775.8, kernel, 0.08), aside="the program of f16 again")
    core = kernel.time_us + kernel.launch_us - chip(CHIP).launch_us
    yield part_of(f"{name}, Cube core", 775.2, core, 0.08)
    yield from _pipes(name, (306.7, 224.5, 464.6, 456.5), kernel)
    yield Point(f"910B3 {name}, scalar unit", 334.3, kernel.scalar_us, "us", 0.3)


HEADS = (
    ("24 cores", 11.21, 3.536),
    ("24 cores, tiling read", 10.62, 3.536),
    ("24 cores, tiling constant", 7.87, 2.185),
)
"""A short product of the library: how, µs, and µs until its first copy, as published for the second and the third."""


def _one_step() -> Iterator[Point]:
    """128 x 30720 x 64 (m, n, k) on 24 Cube cores: 5 tiles of 256 columns each, operands ahead of the Cube. The head is
    the library's own, which reads its tiling from GM and has much code."""
    p = Program(cores=24, target=chip("ascend910b1"), core="aic", launches=2)
    m, n, k, width = 128, 30720, 64, 256
    a, b, c = p.input("a", (m, k)), p.input("b", (k, n)), p.output("c", (m, n))
    a1 = p.buffer("a1", "l1", (k // 16, m, 16), 0)
    b1 = p.buffer("b1", "l1", (width // 16, k, 16), 65536, 131072)
    a2 = p.buffer("a2", "l0a", (m // 16, k // 16, 16, 16), 0)
    b2 = p.buffer("b2", "l0b", (k // 16, width // 16, 16, 16), 0, 32768)
    acc = p.buffer("acc", "l0c", (width // 16, m, 16), 0, dtype="f32")
    first = p.times(p.block_idx(), n // 24)
    for event in range(2):
        p.set("MTE1", "MTE2", event)
        p.set("M", "MTE1", event)
    p.set("FIX", "M")
    p.copy(p.view(a, (m, k), (k, 1)), a1, nd2nz=True)
    p.flag("MTE2", "MTE1", 2)
    with p.loop(k // 16) as i:
        row = p.view(a1, (m // 16, 16, 16), offset=p.times(i, m * 16))
        p.load2d(row, p.view(a2, (m // 16, 16, 16), (k * 16, 16, 1), offset=p.times(i, 256)))
    with p.loop(n // 24 // width) as i:
        slot, column = p.rem(i, 2), p.plus(first, p.times(i, width))
        p.wait("MTE1", "MTE2", slot)
        p.copy(
            p.view(b, (k, width), (n, 1), offset=column),
            p.view(b1, (width // 16, k, 16), slot=slot),
            nd2nz=True,
        )
        p.flag("MTE2", "MTE1", slot)
        p.wait("M", "MTE1", slot)
        with p.loop(k // 16) as j:
            row = p.view(b1, (width // 16, 16, 16), (k * 16, 16, 1), offset=p.times(j, 256), slot=slot)
            p.load2d(
                row,
                p.view(b2, (width // 16, 16, 16), offset=p.times(j, width * 16), slot=slot),
                transpose=True,
            )
        p.set("MTE1", "MTE2", slot)
        p.flag("MTE1", "M", slot)
        p.wait("FIX", "M")
        p.mmad(a2, p.view(b2, (k // 16, width // 16, 16, 16), slot=slot), acc, m, width, k)
        p.set("M", "MTE1", slot)
        p.flag("M", "FIX")
        p.fixpipe(acc, p.view(c, (m, width), (n, 1), offset=column))
        p.set("FIX", "M")
    for event in range(2):
        p.wait("MTE1", "MTE2", event)
        p.wait("M", "MTE1", event)
    p.wait("FIX", "M")
    kernel = launched(p)[1]
    own = kernel.time_us + kernel.launch_us - chip("ascend910b1").head_us
    for how, published, head in HEADS:
        note = f"head of the library {head}"
        yield Point(f"Product 128x30720x64, {how}", published, own + head, "us", 0.2, note, "short")


CHUNK = 128 * 1024
"""Numbers of one read of 256 KB."""
RUN = 160
"""Iterations that are run, of the 1280 published: what is read from GM was never read before."""


def _to_l1() -> Iterator[Point]:
    p = alone(1, "aic")
    x, landing = p.input("x", (RUN, CHUNK)), p.buffer("l1", "l1", (CHUNK,), 0)
    with p.loop(RUN) as i:
        p.copy(p.view(x, (CHUNK,), offset=p.times(i, CHUNK)), landing)
    yield warm("GM to L1, 256 KB", 2382.0, launched(p)[0], 0.05, 1280 / RUN)


def _through_ub() -> Iterator[Point]:
    """64 KB in, then out; each waits for the one before it of its own kind."""
    p = alone(1, "aiv")
    part = CHUNK // 4
    x, y, ub = p.input("x", (RUN, CHUNK)), p.output("y", (RUN, CHUNK)), p.buffer("ub", "ub", (part,), 0)
    with p.loop(4 * RUN) as i:
        at = p.times(i, part)
        p.copy(p.view(x, (part,), offset=at), ub)
        p.barrier("MTE2")
        p.copy(ub, p.view(y, (part,), offset=at))
        p.barrier("MTE3")
    yield warm("GM to UB to GM, 64 KB", 3872.0, launched(p)[0], 0.05, 1280 / RUN)


def _results() -> Iterator[Point]:
    p = alone(1, "aic")
    y = p.output("y", (SIDE, SIDE), "f32")
    acc = p.buffer("acc", "l0c", (SIDE // 16, SIDE, 16), 0, dtype="f32")
    with p.loop(1280):
        p.fixpipe(acc, y)
    yield warm("L0C to GM, rows of f32", 588.0, launched(p)[0], 0.05)


def _loads() -> Iterator[Point]:
    p = alone(1, "aic")
    a1, a2 = p.buffer("a1", "l1", (CHUNK,), 0), p.buffer("a2", "l0a", (32, 16, 16), 0)
    with p.loop(1280), p.loop(16) as i:
        p.load2d(p.view(a1, (32, 16, 16), offset=p.times(i, 8192)), a2)
    yield warm("L1 to L0A, 32 fractals", 742.5, launched(p)[0], 0.05)


def _all_cores() -> Iterator[Point]:
    """Each reads 64 pieces of its own again and again: more than L2 holds."""
    p = alone(20, "aic")
    x, landing = p.input("x", (20 * 64, CHUNK)), p.buffer("l1", "l1", (CHUNK,), 0)
    first = p.times(p.block_idx(), 64 * CHUNK)
    with p.loop(RUN) as i:
        p.copy(p.view(x, (CHUNK,), offset=p.plus(first, p.times(p.rem(i, 64), CHUNK))), landing)
    yield warm("GM to L1, 256 KB, 20 cores", 4355.9, launched(p)[0], 0.05, 1280 / RUN)
