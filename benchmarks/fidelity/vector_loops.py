"""Loops of Vector instructions, and of copies in tiles, on a 910B3: what a trip and a call take.

Source: calibration programs of vTriton and their profiles (shane-kshongmo/vTriton, perfbound/calibration).
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ascend_opt.runtime.profile.profile import KernelProfile
from fidelity.point import Case, Point, chip, launched
from fidelity.short import CHIP, alone, part_of, warm


def cases() -> Iterator[Case]:
    for row in VECTORS:
        yield partial(_vectors, *row)
    for row in TRITON:
        yield partial(_read_and_written, *row)
    for row in TRITON_TILES:
        yield partial(_in_tiles, *row)


VECTORS = (
    (("vadd",), 168.6, 144.5, 73.2),
    (("vmul",), 174.2, 150.0, 0.0),
    (("vmax",), 157.5, 133.4, 0.0),
    (("vmin",), 157.7, 133.4, 0.0),
    (("vexp", "vln", "vsqrt", "vrsqrt"), 768.7, 677.8, 89.9),
)
"""Instructions of 256 f16 in UB, 10,000 times, µs, and µs of V and of the scalar unit (0: not published)."""
MASKS = 4
"""Instructions around each of the library's calls with a count of elements: they set the mask's mode and the mask, and
both again behind it (AscendC, `ReluImpl` with `calCount`)."""


def _vectors(names: tuple[str, ...], published: float, vector: float, scalar: float) -> Iterator[Point]:
    """Each is a call of the library with a count of elements: what is under way ends before the mask is set."""
    kernel, name = _calls(names, MASKS), f"10,000 x {', '.join(names)} of 256 f16"
    yield warm(name, published, kernel, 0.05)
    yield part_of(f"{name}, V", vector, kernel.pipes["V"].active_us, 0.05)
    if scalar:  # three calls more a trip take it three cycles, so that masks take it none
        yield part_of(f"{name}, scalar unit", scalar, _calls(names, 0).scalar_us, 0.2)


def _calls(names: tuple[str, ...], masks: int) -> KernelProfile:
    """Operands lie 512 B apart, in one group of banks."""
    p = alone(1, "aiv")
    x, y, z = (p.buffer(name, "ub", (256,), at) for name, at in (("x", 0), ("y", 512), ("z", 1024)))
    with p.loop(10000):
        for i, name in enumerate(names):
            for _ in range(masks):
                p.barrier("V")
            sources = (x, y) if len(names) == 1 else (x,) if i == 0 else (z,)
            p.vec(name, *sources, to=z)
    return launched(p)[0]


TRITON = ((1, 29.1), (8, 233.0), (20, 580.0), (32, 921.0), (40, 1126.0))
"""Cores, GB/s of reads and writes together."""
TRITON_TILES = (
    *((512, 0.138), (1024, 0.241), (2048, 0.390), (4096, 0.583)),
    *((8192, 0.761), (16384, 0.945), (32768, 0.989), (65536, 1.0)),
)
"""Bytes of a tile, share of 1167 GB/s of 48 programs."""
SIZE = 512 * 1024
"""Numbers that a program copies."""
NOT_PUBLISHED = "its program is not published"


def _read_and_written(cores: int, rate: float) -> Iterator[Point]:
    """Copies of 2 MB of f32 for each core in tiles of 32 KB, which a compiler made of Triton."""
    published = 2 * 4 * cores * SIZE / rate / 1000
    kernel = _triton(cores, 8192, SIZE)
    yield replace(warm(f"Triton copies by {cores} cores", published, kernel, 3.0), aside=NOT_PUBLISHED)


def _in_tiles(tile: int, share: float) -> Iterator[Point]:
    """The same of 48 programs, which fewer Vector cores share; of small tiles an eighth."""
    part = 8 if tile < 8192 else 1
    published = 2 * 4 * 48 * SIZE / (share * 1167) / 1000
    kernel = _triton(48, tile // 4, SIZE // part)
    name = f"Triton copies in tiles of {tile} B"
    yield replace(warm(name, published, kernel, 3.0, part), aside=NOT_PUBLISHED)


def _triton(programs: int, tile: int, size: int) -> KernelProfile:
    """So many programs that copy `size` numbers each in tiles of `tile`. What the compiler made is not published: here
    each tile is read, moved in UB and written, one after the other."""
    most = chip(CHIP).cores_of("aiv")
    p = alone(min(programs, most), "aiv")
    x, y = p.input("x", (programs, size), "f32"), p.output("y", (programs, size), "f32")
    a, b = (p.buffer(n, "ub", (tile,), at, dtype="f32") for n, at in (("a", 0), ("b", 4 * tile)))
    p.set("V", "MTE2")
    p.set("MTE3", "V")
    with p.loop(programs, p.block_idx(), most) as one, p.loop(size // tile) as i:
        at = p.plus(p.times(one, size), p.times(i, tile))
        p.wait("V", "MTE2")
        p.copy(p.view(x, (tile,), offset=at), a)
        p.flag("MTE2", "V")
        p.wait("MTE3", "V")
        p.vec("vcopy", a, to=b)
        p.set("V", "MTE2")
        p.flag("V", "MTE3")
        p.copy(b, p.view(y, (tile,), offset=at))
        p.set("MTE3", "V")
    p.wait("V", "MTE2")
    p.wait("MTE3", "V")
    return launched(p)[0]
