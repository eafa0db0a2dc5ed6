"""Kernels of a few instructions, each of which shows some numbers of the 910B1's target file."""

from collections.abc import Callable

from ascend_programs import Program

from ascend_opt.dialects.element_types import SUMS, lanes_of
from ascend_opt.dialects.isa import VECTOR_INSTRUCTIONS
from ascend_opt.dialects.target import load_target

CHIP = load_target("ascend910b1")

KERNELS: dict[str, Callable[[], Program]] = {}


def kernel(make: Callable[[], Program]) -> Callable[[], Program]:
    KERNELS[make.__name__] = make
    return make


def vector_core(cores: int = 1) -> Program:
    return Program(cores=cores, target=CHIP, core="aiv")


def cube_core(cores: int = 1) -> Program:
    return Program(cores=cores, target=CHIP, core="aic")


def repeated(name: str, dtype: str, repeats: int, times: int) -> Program:
    """One Vector instruction again and again, with no wait between."""
    p = vector_core()
    if name == "vtranspose":
        lanes = 8 if dtype == "f32" else 16
        a = p.buffer("a", "ub", (repeats, 16, lanes), 0, dtype=dtype)
        b = p.buffer("b", "ub", (repeats, lanes, 16), 0x14100, dtype=dtype)
        with p.loop(times):
            p.transpose(a, b)
        return p
    size = repeats * (128 if dtype == "f16" else 64)
    a, b, c = (
        p.buffer(n, "ub", (size,), at, dtype="i32" if (name, n) == ("vgather", "b") else dtype)
        for n, at in zip("abc", (0, 0x10100, 0x20000), strict=True)
    )
    if VECTOR_INSTRUCTIONS[name].reduces:
        lanes = 16 if dtype == "f16" else 8
        rows, sums = (repeats, 8, lanes), (repeats, 1, 1)
        with p.loop(times):
            p.vec(name, p.view(a, rows, (8 * lanes, lanes, 1)), to=p.view(c, sums, (1, 1, 1)), scalar=None)
        return p
    sources = (a, b, c)[: VECTOR_INSTRUCTIONS[name].sources]
    with p.loop(times):
        p.vec(name, *sources, to=c, scalar=None)
    return p


for _name, _row in CHIP.vector.cycles.items():
    for _type in _row:
        _made = "vadd" if _name == "default" else _name
        _dtypes = ("f16", "f32") if _type == "any" else (_type,)
        for _dtype in _dtypes:
            KERNELS[f"{_made} {_dtype}"] = lambda n=_made, d=_dtype: repeated(n, d, 32, 10)


for _name in CHIP.vector.latencies:
    for _dtype in ("f16", "f32"):
        KERNELS[f"{_name} {_dtype}"] = lambda n=_name, d=_dtype: repeated(n, d, 32, 10)


@kernel
def short_vectors() -> Program:
    return repeated("vadd", "f16", 1, 50)


@kernel
def waiting_vectors() -> Program:
    """Each waits for the one before."""
    p = vector_core()
    a = p.buffer("a", "ub", (128 * 8,), 0)
    with p.loop(20):
        p.vec("vrelu", a, to=a)
        p.barrier("V")
    return p


@kernel
def one_bank() -> Program:
    """Source and result in one bank, out of step."""
    return banked((64, 8, 1), 0x4020)


@kernel
def colliding_reads() -> Program:
    """A source that stays in one block of each repeat collides with the other every second repeat."""
    return banked((8, 0, 1), 0x10100)


def banked(strides: tuple[int, ...], result: int) -> Program:
    """f32 Add whose first source has these strides."""
    p = vector_core()
    ub = p.buffer("ub", "ub", (196608 // 4,), 0, dtype="f32")
    a = p.view(ub, (64, 8, 8), strides)
    b = p.view(ub, (64, 8, 8), (64, 8, 1), offset=0x10100 // 4)
    c = p.view(ub, (64, 8, 8), (64, 8, 1), offset=result // 4)
    with p.loop(20):
        p.vec("vadd", a, b, to=c)
    return p


@kernel
def on_chip_copies() -> Program:
    p = vector_core()
    a, b = (p.buffer(n, "ub", (8192,), at) for n, at in (("a", 0), ("b", 32768)))
    with p.loop(10):
        p.copy(a, b)
        p.barrier("V")
    return p


@kernel
def short_on_chip_copies() -> Program:
    p = vector_core()
    a, b = (p.buffer(n, "ub", (16,), at) for n, at in (("a", 0), ("b", 32768)))
    with p.loop(30):
        p.copy(a, b)
    return p


@kernel
def flags() -> Program:
    """One flag after the other, each on pipes that have nothing else to do."""
    p = vector_core()
    with p.loop(10):
        for one, other in (("V", "MTE3"), ("MTE3", "MTE2"), ("MTE2", "V")):
            p.flag(one, other)
    return p


@kernel
def full_queue() -> Program:
    """A copy that the scalar unit comes to late, because the Vector's queue is full before it."""
    p = vector_core()
    x = p.input("x", (8192,))
    a, b = p.buffer("a", "ub", (128 * 64,), 0), p.buffer("b", "ub", (8192,), 0x14100)
    with p.loop(100):
        p.vec("vrelu", a, to=a)
    with p.loop(10):
        p.copy(x, b)
    return p


def products(dtype: str, wait: bool) -> Program:
    p = cube_core()
    k0 = lanes_of(dtype)
    a = p.buffer("a", "l0a", (4, 64 // k0, 16, k0), 0, dtype=dtype)
    b = p.buffer("b", "l0b", (64 // k0, 4, 16, k0), 0, dtype=dtype)
    c = p.buffer("c", "l0c", (4, 64, 16), 0, dtype=SUMS[dtype])
    with p.loop(10):
        p.mmad(a, b, c, 64, 64, 64)
        if wait:
            p.barrier("M")
    return p


KERNELS["products f16"] = lambda: products("f16", False)
KERNELS["products bf16"] = lambda: products("bf16", False)
KERNELS["products f32"] = lambda: products("f32", False)
KERNELS["products i8"] = lambda: products("i8", False)
KERNELS["waiting products"] = lambda: products("f16", True)


@kernel
def loads_beside_products() -> Program:
    p = cube_core()
    l1 = p.buffer("l1", "l1", (64, 16, 16), 0)
    b = p.buffer("b", "l0b", (4, 16, 16, 16), 0, 32768)
    a = p.buffer("a", "l0a", (8, 4, 16, 16), 0)
    c = p.buffer("c", "l0c", (16, 128, 16), 0, dtype="f32")
    p.mmad(a, p.view(b, (4, 16, 16, 16), slot=0), c, 128, 256, 64)
    with p.loop(4):
        p.load2d(l1, p.view(b, (64, 16, 16), slot=1))
    return p


def loads(to: str, image: bool, fractals: int, wait: bool) -> Program:
    p = cube_core()
    side = fractals // 4
    with_image = p.buffer("l1", "l1", (4, side * 16, 1, 16), 0)
    plain = p.buffer("l1", "l1", (fractals, 16, 16), 0)
    with p.loop(20):
        if image:
            p.load3d(with_image, p.buffer("to", to, (side, 4, 16, 16), 0))
        else:
            p.load2d(plain, p.buffer("to", to, (fractals, 16, 16), 0))
        if wait:
            p.barrier("MTE1")
    return p


for _to in ("l0a", "l0b"):
    KERNELS[f"loads {_to}"] = lambda t=_to: loads(t, False, 16, False)
    KERNELS[f"waiting loads {_to}"] = lambda t=_to: loads(t, False, 16, True)
    KERNELS[f"waiting image loads {_to}"] = lambda t=_to: loads(t, True, 16, True)
    KERNELS[f"short loads {_to}"] = lambda t=_to: loads(t, False, 1, False)


def small_tables(to: str, n: int, wait: bool) -> Program:
    """Copies to the bias table or to FixPipe's buffer."""
    p = cube_core()
    a, b = p.buffer("a", "l1", (n,), 0, dtype="f32"), p.buffer("b", to, (n,), 0, dtype="f32")
    with p.loop(20):
        p.copy(a, b)
        if wait:
            p.barrier("MTE1" if to == "bt" else "FIX")
    return p


for _to, _what in (("bt", "biases"), ("fb", "slopes")):
    KERNELS[_what] = lambda t=_to: small_tables(t, 256, False)
    KERNELS[f"short {_what}"] = lambda t=_to: small_tables(t, 8, False)
    KERNELS[f"waiting {_what}"] = lambda t=_to: small_tables(t, 8, True)


def results(to: str, rows: int, n: int, wait: bool, dtype: str = "f16") -> Program:
    p = cube_core()
    c = p.buffer("c", "l0c", (n // 16, rows, 16), 0, dtype="f32")
    y = p.output("y", (rows, n), dtype) if to == "gm" else p.buffer("y", "l1", (n // 16, rows, 16), 0)
    with p.loop(20):
        p.fixpipe(c, y)
        if wait:
            p.barrier("FIX")
    return p


for _to in ("gm", "l1"):
    KERNELS[f"results {_to}"] = lambda t=_to: results(t, 16, 256, False)
    KERNELS[f"short results {_to}"] = lambda t=_to: results(t, 1, 16, False)
    KERNELS[f"waiting results {_to}"] = lambda t=_to: results(t, 1, 16, True)


@kernel
def wide_results() -> Program:
    return results("gm", 16, 256, False, "f32")


@kernel
def structured() -> Program:
    """Loads that take no longer than their structures of parameters are filled."""
    p = cube_core()
    a, to = p.buffer("l1", "l1", (1, 16, 16), 0), p.buffer("to", "l0a", (1, 16, 16), 0)
    for _ in range(20):
        p.load2d(a, to)
    return p


@kernel
def trips() -> Program:
    """A loop of what takes no time."""
    p = vector_core()
    a, b = (p.buffer(n, "ub", (16,), at) for n, at in (("a", 0), ("b", 32768)))
    with p.loop(30):
        p.copy(a, b)
    return p


def reads(to: str, rows: int, bytes_: int, *, wait: bool = False, times: int = 1, cores: int = 1) -> Program:
    """`times` reads of the same rows, 4 KB apart, each core its own; all but the first find them in L2."""
    p = Program(cores=cores, target=CHIP, core="aiv" if to == "ub" else "aic")
    x = p.input("x", (cores * rows, 2048))
    n = bytes_ // 2
    source = p.view(x, (rows, n), (2048, 1), offset=p.times(p.block_idx(), rows * 2048))
    if to == "ub":
        landing = p.buffer("a", "ub", (rows, n), 0)
    else:
        landing = p.buffer("a", "l1", (n // 16, rows, 16), 0)
    with p.loop(times):
        p.copy(source, landing, nd2nz=to == "l1")
        if wait:
            p.barrier("MTE2")
    return p


for _to in ("ub", "l1"):
    KERNELS[f"misses {_to}"] = lambda t=_to: reads(t, 16, 2048)
    KERNELS[f"hits {_to}"] = lambda t=_to: reads(t, 16, 2048, times=20)
    KERNELS[f"short hits {_to}"] = lambda t=_to: reads(t, 1, 32, times=20)
    KERNELS[f"waiting hits {_to}"] = lambda t=_to: reads(t, 1, 32, times=20, wait=True)


@kernel
def all_cores_miss() -> Program:
    """HBM is what all cores wait for: lines far apart."""
    return reads("ub", 64, 512, cores=48)


def writes(n: int, wait: bool, warm: bool) -> Program:
    p = vector_core()
    y = p.output("y", (n,))
    a = p.buffer("a", "ub", (n,), 0)
    with p.loop(20 if warm else 1):
        p.copy(a, y)
        if wait:
            p.barrier("MTE3")
    return p


KERNELS["first writes"] = lambda: writes(16384, False, False)
KERNELS["writes"] = lambda: writes(16384, False, True)
KERNELS["short writes"] = lambda: writes(16, False, True)
KERNELS["waiting writes"] = lambda: writes(16, True, True)


@kernel
def evictions() -> Program:
    """Writes that reads push out of a small L2 to a slow HBM."""
    p = vector_core()
    p.target = CHIP.with_(memory={"l2_bytes": 1 << 16, "hbm_chip": 30.0})
    y, x = p.output("y", (16, 16384)), p.input("x", (16, 16384))
    a, b = p.buffer("a", "ub", (16384,), 0), p.buffer("b", "ub", (16384,), 0x10000)
    for i in range(6):
        p.copy(a, p.view(y, (16384,), (1,), offset=i * 16384))
        p.flag("MTE3", "MTE2")
        p.copy(p.view(x, (16384,), (1,), offset=i * 16384), b)
        p.flag("MTE2", "MTE3")
    return p


@kernel
def one_line_for_all() -> Program:
    """All cores read the same rows, past L2."""
    p = vector_core(48)
    x = p.input("x", (64, 2048))
    a = p.buffer("a", "ub", (64, 64), 0)
    p.copy(p.view(x, (64, 64), (2048, 1)), a, bypass=True)
    return p


@kernel
def between_cores() -> Program:
    p = cube_core()
    with p.loop(10):
        p.cross_set("FIX")
        p.cross_wait(1)
    p.beside(2)
    with p.loop(10):
        p.cross_wait()
        p.cross_set("MTE3", 1)
    return p


@kernel
def shared_reads() -> Program:
    """A Cube core and the two Vector cores beside it find rows in L2, the Cube core for longer than they take."""
    p = cube_core()
    x = p.input("x", (16, 2048))
    inner = (16, 1024)
    landing = p.buffer("a", "l1", (64, 16, 16), 0)
    with p.loop(60):
        p.copy(p.view(x, inner, (2048, 1)), landing, nd2nz=True)
    (rows,) = p.beside(2)
    to = p.buffer("b", "ub", inner, 0)
    with p.loop(8):
        p.copy(p.view(rows, inner, (2048, 1)), to)
    return p


@kernel
def shared_writes() -> Program:
    """Two Vector cores of one group write again what L2 holds."""
    p = vector_core(2)
    y = p.output("y", (2, 16384))
    a = p.buffer("a", "ub", (16384,), 0)
    with p.loop(20):
        p.copy(a, p.view(y, (16384,), (1,), offset=p.times(p.block_idx(), 16384)))
    return p
