"""Programs for the rules of `runtime/profile/advice.py`, each with a choice that a rule is about. They run for their
time alone: what they compute does not matter."""

from collections.abc import Sequence

from ascend_kernels import matmul
from ascend_programs import Index, Program
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

import ascend_opt
from ascend_opt.dialects.ascend import CrossSetFlagOp, CrossWaitFlagOp, LaunchOp
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.profile.profile import Profile

SPLIT = "ascend910b1"
FAST_HBM = load_target(SPLIT).with_(memory={"hbm_chip": 4000.0})
SMALL_L2 = load_target(SPLIT).with_(memory={"l2_bytes": 1 << 20})


def timed(p: Program) -> Profile:
    return p.emulator().time_only("main")


def graph(lines: str, target: str | Target, fuse: bool) -> Profile:
    return ascend_opt.compile(f"graph @g({lines}\n}}", target=target, fuse=fuse, tune=1).time()


def chain(shape: str, target: str | Target, fuse: bool) -> Profile:
    """Two elementwise ops."""
    return graph(f"%x: tensor<{shape}xf16>) {{\n %a = relu(%x)\n %y = abs(%a)\n return %y", target, fuse)


def stream(
    cores: int = 32,
    tiles: int = 32,
    elements: int = 8192,
    slots: int = 2,
    work: int = 1,
    vec: str = "vrelu",
    launches: int = 1,
    spread: bool = False,
    dtype: str = "f16",
    piece: int = 0,
) -> Profile:
    """Read `tiles` tiles in all, apply `work` instructions, store. `spread`: tile i goes to core i modulo the cores,
    however many that gives each; else each has as many. `piece`: elements a DMA instruction (all)."""
    p = Program(cores, launches=launches)
    x, y = p.input("x", (tiles * elements,), dtype), p.output("y", (tiles * elements,), dtype)
    size = elements * (2 if dtype == "f16" else 4)
    a = p.buffer("a", "ub", (elements,), *(size * s for s in range(slots)), dtype=dtype)
    block = p.block_idx()
    count: Index = tiles // cores
    if spread:
        count = p.div(p.plus(p.minus(tiles, block), cores - 1), cores)
    for s in range(slots):
        p.set("MTE3", "MTE2", s)
    with p.loop(count) as i:
        slot = p.rem(i, slots)
        at = p.times(p.plus(p.times(i, cores), block), elements)
        tile = p.view(a, [elements], slot=slot)
        p.wait("MTE3", "MTE2", slot)
        step = piece or elements
        for start in range(0, elements, step):
            source = p.view(x, [step], offset=p.plus(at, start))
            p.copy(source, p.view(a, [step], offset=start, slot=slot))
        p.flag("MTE2", "V", slot)
        for _ in range(work):
            p.vec(vec, tile, to=tile)
        p.flag("V", "MTE3", slot)
        p.copy(tile, p.view(y, [elements], offset=at))
        p.set("MTE3", "MTE2", slot)
    for s in range(slots):
        p.wait("MTE3", "MTE2", s)
    return timed(p)


def reads(
    rows: int, columns: int, pitch: int = 4096, times: int = 1, parts: int = 1, l2: bool = True
) -> Profile:
    """48 Vector cores read a tensor of 1536 rows in tiles, each of `parts` parts `times` times before the next."""
    p = Program(48, SPLIT if l2 else SMALL_L2, core="aiv")
    x = p.input("x", (1536, pitch))
    a = p.buffer("a", "ub", (rows, columns), 0)
    first = p.times(p.block_idx(), 32)
    width = 4096 // parts
    with (
        p.loop(parts) as part,
        p.loop(times),
        p.loop(32, step=rows) as row,
        p.loop(width, step=columns) as column,
    ):
        at = p.plus(p.times(p.plus(first, row), pitch), p.plus(p.times(part, width), column))
        p.copy(p.view(x, (rows, columns), (pitch, 1), offset=at), p.view(a, (rows, columns)))
    return timed(p)


def products(tile: int, cores: int) -> Profile:
    """A product of 512 x 512 x 512 by tiles of `tile` x `tile`, 64 of K at a time."""
    return timed(matmul(512, 512, 512, (tile, tile, 64), cores))


def loads(fractals: int) -> Profile:
    """256 fractal products by tiles of `fractals` x `fractals`, operands in L1."""
    p = Program(32)
    side = 16 * fractals
    x = p.input("x", (side * 16,))
    left = p.buffer("left", "l1", (fractals, 16, 16), 0)
    right = p.buffer("right", "l1", (fractals, 16, 16), 8192)
    a = p.buffer("a", "l0a", (fractals, 1, 16, 16), 0, 8192)
    b = p.buffer("b", "l0b", (1, fractals, 16, 16), 0, 8192)
    c = p.buffer("c", "l0c", (fractals, side, 16), 0, dtype="f32")
    p.copy(x, p.view(left, [side * 16]))
    p.copy(x, p.view(right, [side * 16]))
    p.flag("MTE2", "MTE1")
    for s in range(2):
        p.set("M", "MTE1", s)
    with p.loop(16384 // fractals**2) as i:
        s = p.rem(i, 2)
        p.wait("M", "MTE1", s)
        p.load2d(left, p.view(a, [fractals, 16, 16], slot=s))
        p.load2d(right, p.view(b, [fractals, 16, 16], slot=s))
        p.flag("MTE1", "M", s)
        operands = p.view(a, [fractals, 1, 16, 16], slot=s), p.view(b, [1, fractals, 16, 16], slot=s)
        p.mmad(*operands, c, side, side, 16)
        p.set("M", "MTE1", s)
    for s in range(2):
        p.wait("M", "MTE1", s)
    return timed(p)


def epilogue(slots: int) -> Profile:
    """Products, each followed by an epilogue as long, on `slots` accumulators."""
    p = Program(32)
    a = p.buffer("a", "l0a", (8, 8, 16, 16), 0)
    b = p.buffer("b", "l0b", (8, 8, 16, 16), 0)
    c = p.buffer("c", "l0c", (8, 128, 16), *(65536 * s for s in range(slots)), dtype="f32")
    out = p.buffer("out", "ub", (8 * 128 * 16,), 0)
    for s in range(slots):
        p.set("V", "M", s)
    with p.loop(32) as i:
        s = p.rem(i, slots)
        p.wait("V", "M", s)
        p.mmad(a, b, p.view(c, (8, 128, 16), slot=s), 128, 128, 128)
        p.flag("M", "V", s)
        p.copy(p.view(c, [8 * 128 * 16], slot=s), out)
        p.vec("vadd", out, out, to=out)
        p.vec("vadd", out, out, to=out)
        p.set("V", "M", s)
    for s in range(slots):
        p.wait("V", "M", s)
    return timed(p)


def vectors(addresses: Sequence[int], repeats: int = 64, count: int = 128, flags: int = 0) -> Profile:
    """`count` additions in UB with operands at three addresses, and `flags` flags of other pipes after each."""
    p = Program(48, SPLIT, core="aiv")
    a, b, c = (
        p.buffer(n, "ub", (repeats * 64,), at, dtype="f32") for n, at in zip("abc", addresses, strict=True)
    )
    with p.loop(count):
        p.vec("vadd", a, b, to=c)
        for event in range(flags):
            p.flag("MTE2", "MTE3", event)
    return timed(p)


def hand_over(ahead: int) -> Profile:
    """A Cube core reads tiles that the Vector cores beside it read then, at most `ahead` ahead of them."""
    aic, aiv = Program(24, SPLIT, core="aic"), Program(48, SPLIT, core="aiv")
    aiv.kernel.sym_name = type(aiv.kernel.sym_name)("beside")
    size, tiles = 8192, 32
    places: list[SSAValue] = []
    for p, space in ((aic, "l1"), (aiv, "ub")):
        x = p.input("x", (size,))
        a = p.buffer("a", space, (size,), 0)
        first, second = p.constant(0), p.constant(1)
        if p is aiv:
            for _ in range(ahead):
                p.add(CrossSetFlagOp("V", second))
        with p.loop(tiles):
            p.add(CrossWaitFlagOp(second if p is aic else first))
            p.copy(x, a)
            if p is aiv:
                p.flag("MTE2", "V")
                p.vec("vexp", a, to=a)
                p.add(CrossSetFlagOp("V", second))
            else:
                p.add(CrossSetFlagOp("MTE2", first))
        if p is aic:
            for _ in range(ahead):
                p.add(CrossWaitFlagOp(second))
        places.append(x)
    module, other = aic.module(), aiv.module()
    aiv.kernel.detach()
    module.body.block.insert_op_before(aiv.kernel, aic.kernel)
    launch = next(op for op in module.walk() if isinstance(op, LaunchOp))
    block = launch.parent
    assert block is not None
    block.insert_op_before(LaunchOp("k", list(launch.arguments), "beside"), launch)
    launch.detach()
    other.erase()
    return _time(module, aic)


def _time(module: ModuleOp, p: Program) -> Profile:
    return Emulator(module, p.target).time_only("main")
