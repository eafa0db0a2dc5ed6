"""Kernels that several tests run: a ping-pong stream, and matrix products on fractals."""

import numpy as np
from ascend_programs import Program
from numpy.typing import NDArray
from xdsl.ir import SSAValue


def streaming(cores: int = 1, length: int = 128, tiles: int = 4) -> tuple[Program, SSAValue, SSAValue]:
    """A program with input x, output y of `tiles` tiles of `length` f16 each."""
    p = Program(cores)
    return p, p.input("x", (tiles * length,)), p.output("y", (tiles * length,))


def ping_pong(cores: int = 1, slots: int = 2, tiles: int = 6) -> Program:
    """Load, relu in place, store; a slot is loaded again once its store is over."""
    p, x, y = streaming(cores, 128, tiles * cores)
    a = p.buffer("a", "ub", (128,), *(256 * s for s in range(slots)))
    base = p.times(p.block_idx(), 128 * tiles)
    for s in range(slots):
        p.set("MTE3", "MTE2", s)
    with p.loop(tiles) as i:
        slot = p.rem(i, slots)
        at = p.plus(base, p.times(i, 128))
        tile = p.view(a, [128], slot=slot)
        p.wait("MTE3", "MTE2", slot)
        p.copy(p.view(x, [128], offset=at), tile)
        p.flag("MTE2", "V", slot)
        p.vec("vrelu", tile, to=tile)
        p.flag("V", "MTE3", slot)
        p.copy(tile, p.view(y, [128], offset=at))
        p.set("MTE3", "MTE2", slot)
    for s in range(slots):
        p.wait("MTE3", "MTE2", s)
    return p


def product(
    k_steps: int = 2, m: int = 64, n: int = 64, barrier: bool = False, target: str = "ascend910"
) -> Program:
    """c = a @ b with a in Zz and b in Zn fractals in GM; ping-pong in L0."""
    p = Program(target=target)
    k1, m1, n1 = 2, m // 16, n // 16
    a = p.input("a", (k_steps, m1 * k1 * 256))
    b = p.input("b", (k_steps, k1 * n1 * 256))
    y = p.output("y", (n1 * m * 16,))
    la = p.buffer("la", "l1", (m1 * k1 * 256,), 0, 65536)
    lb = p.buffer("lb", "l1", (k1 * n1 * 256,), 131072, 196608)
    l0a = p.buffer("l0a", "l0a", (m1 * k1 * 256,), 0, 32768)
    l0b = p.buffer("l0b", "l0b", (k1 * n1 * 256,), 0, 32768)
    l0c = p.buffer("l0c", "l0c", (n1 * m * 16,), 0, dtype="f32")
    out = p.buffer("out", "ub", (n1 * m * 16,), 0)
    for s in range(2):
        p.set("MTE1", "MTE2", s)
        p.set("M", "MTE1", s)
    with p.loop(k_steps) as i:
        s = p.rem(i, 2)
        p.wait("MTE1", "MTE2", s)
        p.copy(
            p.view(a, [m1 * k1 * 256], [1], offset=p.times(i, m1 * k1 * 256)),
            p.view(la, [m1 * k1 * 256], slot=s),
        )
        p.copy(
            p.view(b, [k1 * n1 * 256], [1], offset=p.times(i, k1 * n1 * 256)),
            p.view(lb, [k1 * n1 * 256], slot=s),
        )
        p.flag("MTE2", "MTE1", s)
        p.wait("M", "MTE1", s)
        p.load2d(p.view(la, [m1 * k1, 16, 16], slot=s), p.view(l0a, [m1 * k1, 16, 16], slot=s))
        p.load2d(p.view(lb, [k1 * n1, 16, 16], slot=s), p.view(l0b, [k1 * n1, 16, 16], slot=s))
        p.set("MTE1", "MTE2", s)
        p.flag("MTE1", "M", s)
        p.mmad(
            p.view(l0a, [m1, k1, 16, 16], slot=s), p.view(l0b, [k1, n1, 16, 16], slot=s),
            p.view(l0c, [n1, m, 16]), m, n, k1 * 16, p.compare("eq", i, 0),
        )  # fmt: skip
        if barrier:
            p.barrier("M")
        p.set("M", "MTE1", s)
    for s in range(2):
        p.wait("MTE1", "MTE2", s)
        p.wait("M", "MTE1", s)
    p.flag("M", "V")
    p.copy(l0c, out)
    p.flag("V", "MTE3")
    p.copy(out, y)
    return p


def matmul(m: int, n: int, k: int, tile: tuple[int, int, int], cores: int) -> Program:
    """y = a @ b, f16, tiles of (m, n, k) spread over the cores, ping-pong everywhere.

    a is NZ [K1, M, 16], b Zn [K1, N1, 16, 16], y NZ [N1, M, 16].
    """
    tm, tn, tk = tile
    p = Program(cores)
    a, b = p.input("a", (k // 16, m, 16)), p.input("b", (k // 16, n // 16, 16, 16))
    y = p.output("y", (n // 16, m, 16))
    m1, n1, k1 = tm // 16, tn // 16, tk // 16
    la = p.buffer("la", "l1", (k1, tm, 16), 0, tm * tk * 2)
    lb = p.buffer("lb", "l1", (k1, n1, 16, 16), 524288, 524288 + tn * tk * 2)
    l0a = p.buffer("l0a", "l0a", (m1, k1, 16, 16), 0, 32768)
    l0b = p.buffer("l0b", "l0b", (k1, n1, 16, 16), 0, 32768)
    l0c = p.buffer("l0c", "l0c", (n1, tm, 16), 0, dtype="f32")
    out = p.buffer("out", "ub", (n1, tm, 16), 0)
    per_core = m // tm * (n // tn) // cores
    core = p.block_idx()
    for s in range(2):
        p.set("MTE1", "MTE2", s)
        p.set("M", "MTE1", s)
    p.set("V", "M")
    p.set("MTE3", "V")
    with p.loop(per_core) as t:
        index = p.plus(p.times(core, per_core), t)
        row, column = p.div(index, n // tn), p.rem(index, n // tn)
        p.wait("V", "M")
        with p.loop(k // tk) as i:
            s = p.rem(i, 2)
            p.wait("MTE1", "MTE2", s)
            at = p.plus(p.times(i, k1 * m * 16), p.times(row, tm * 16))
            source = p.view(a, [k1, tm * 16], [m * 16, 1], offset=at)
            p.copy(source, p.view(la, [k1, tm * 16], slot=s))
            at = p.plus(p.times(i, k1 * n * 16), p.times(column, tn * 16))
            source = p.view(b, [k1, n1 * 256], [n * 16, 1], offset=at)
            p.copy(source, p.view(lb, [k1, n1 * 256], slot=s))
            p.flag("MTE2", "MTE1", s)
            p.wait("M", "MTE1", s)
            for j in range(k1):
                source = p.view(la, [m1, 16, 16], offset=j * tm * 16, slot=s)
                p.load2d(source, p.view(l0a, [m1, 16, 16], [k1 * 256, 16, 1], offset=j * 256, slot=s))
            p.load2d(p.view(lb, [k1 * n1, 16, 16], slot=s), p.view(l0b, [k1 * n1, 16, 16], slot=s))
            p.set("MTE1", "MTE2", s)
            p.flag("MTE1", "M", s)
            left, right = p.view(l0a, [m1, k1, 16, 16], slot=s), p.view(l0b, [k1, n1, 16, 16], slot=s)
            p.mmad(left, right, p.view(l0c, [n1, tm, 16]), tm, tn, tk, p.compare("eq", i, 0))
            p.set("M", "MTE1", s)
        p.flag("M", "V")
        p.wait("MTE3", "V")
        p.copy(p.view(l0c, [n1 * tm * 16]), p.view(out, [n1 * tm * 16]))
        p.set("V", "M")
        p.flag("V", "MTE3")
        at = p.plus(p.times(column, n1 * m * 16), p.times(row, tm * 16))
        p.copy(p.view(out, [n1, tm * 16]), p.view(y, [n1, tm * 16], [m * 16, 1], offset=at))
        p.set("MTE3", "V")
    for s in range(2):
        p.wait("MTE1", "MTE2", s)
        p.wait("M", "MTE1", s)
    p.wait("V", "M")
    p.wait("MTE3", "V")
    return p


def random_inputs(p: Program) -> dict[str, NDArray[np.float16]]:
    rng = np.random.default_rng(0)
    found = {}
    for tensor in p.tensors:
        if tensor.name_hint in p.inputs:
            found[tensor.name_hint] = rng.standard_normal(tensor.type.get_shape()).astype(np.float16)
    return found
