"""Products of f32 on a chip whose Cube has them: fractals of 16 x 8, turned over in square blocks of 16 x 16."""

import re
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ascend_programs import Program

import ascend_opt
from ascend_opt.compiler.api import CompileError
from ascend_opt.dialects.ascend.memory import memref_type
from ascend_opt.dialects.element_types import lanes_of
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_files import target_names
from ascend_opt.runtime.machine.costs import mmad_cost
from ascend_opt.runtime.support.hazard import HazardError

CHIP = "ascend910b1"


def _blocks(size: int, unit: int) -> int:
    return -(-size // unit)


def product(m: int, n: int, k: int, target: str = CHIP, **mistake: Any) -> Program:
    """y = x.T @ w, x [k, m] and w [k, n] in GM: both operands are NZ in L1 and are turned over on the way to L0."""
    p = Program(target=target, core="aic")
    x, w, y = p.input("x", (k, m), "f32"), p.input("w", (k, n), "f32"), p.output("y", (m, n), "f32")
    m1, n1, rows = _blocks(m, 16), _blocks(n, 16), _blocks(k, 16) * 16
    k1 = mistake.get("k1", rows // 8)
    la = p.buffer("la", "l1", (2 * m1, rows, 8), 0, dtype="f32")
    lb = p.buffer("lb", "l1", (2 * n1, rows, 8), 65536, dtype="f32")
    l0a = p.buffer("l0a", "l0a", (m1, k1, 16, 8), 0, dtype="f32")
    l0b = p.buffer("l0b", "l0b", (k1, n1, 16, 8), 0, dtype="f32")
    l0c = p.buffer("l0c", "l0c", (n1, m1 * 16, 16), 0, dtype="f32")
    for tensor, buffer, columns in ((x, la, m), (w, lb, n)):
        part = p.view(buffer, [_blocks(columns, 8), k, 8], [rows * 8, 8, 1])
        p.copy(p.view(tensor, [k, columns], [columns, 1]), part, nd2nz=True)
    p.flag("MTE2", "MTE1")
    for buffer, result, blocks in ((la, l0a, 2 * m1), (lb, l0b, 2 * n1)):
        p.load3d(p.view(buffer, [blocks, rows, 1, 8]), result, transpose=mistake.get("transpose", True))
    p.flag("MTE1", "M")
    p.mmad(l0a, l0b, l0c, m, n, k)
    p.flag("M", "FIX")
    p.fixpipe(l0c, p.view(y, [m, n], [n, 1]))
    return p


SIZES = [(16, 16, 16), (17, 40, 24), (40, 9, 33), (1, 8, 5)]


@pytest.mark.parametrize(("m", "n", "k"), SIZES)
def test_product_of_turned_operands(m: int, n: int, k: int):
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((k, m)).astype(np.float32), rng.standard_normal((k, n)).astype(np.float32)
    y = product(m, n, k).run(x=x, w=w).outputs[0]
    assert y.dtype == np.float32
    np.testing.assert_allclose(y, x.T.astype(np.float64) @ w, rtol=1e-5, atol=1e-5)


def test_numbers_keep_the_bits_of_f32():
    x = np.full((8, 16), 1 + 2.0**-20, np.float32)
    w = np.eye(8, 16, dtype=np.float32)
    y = product(16, 16, 8).run(x=x, w=w).outputs[0]
    np.testing.assert_array_equal(y[:, :8], x[0, 0])


def test_operands_that_are_not_turned_over_give_other_numbers():
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal((16, 16)).astype(np.float32) for _ in range(2))
    y = product(16, 16, 16, transpose=False).run(x=x, w=w).outputs[0]
    assert not np.isclose(y, x.T @ w, rtol=1e-3).any()


HAZARDS = {
    "K is no whole square block": ("shape", lambda: product(16, 16, 24, k1=3)),
    "a chip whose load3d does not transpose": ("no-path", lambda: _on_310p()),
    "load2d transposes fractals that are not square": ("shape", lambda: _load2d()),
    "fractals of f16 in f32": ("shape", lambda: _square_fractals()),
    "lanes of the map and of the fractals": ("shape", lambda: _lanes()),
}


def _on_310p() -> Program:
    p = Program(target="ascend310p")
    x = p.input("x", (256,))
    la, l0a = p.buffer("la", "l1", (1, 16, 1, 16), 0), p.buffer("l0a", "l0a", (1, 1, 16, 16), 0)
    p.copy(x, p.view(la, [256]))
    p.flag("MTE2", "MTE1")
    p.load3d(la, l0a, transpose=True)
    return p


def _filled(shape: list[int]) -> tuple[Program, Any]:
    p = Program(target=CHIP, core="aic")
    x = p.input("x", (1024,), "f32")
    la = p.buffer("la", "l1", (1024,), 0, dtype="f32")
    p.copy(x, la)
    p.flag("MTE2", "MTE1")
    return p, p.view(la, shape)


def _load2d() -> Program:
    p, source = _filled([2, 16, 8])
    p.load2d(source, p.buffer("l0a", "l0a", (2, 16, 8), 0, dtype="f32"), transpose=True)
    return p


def _square_fractals() -> Program:
    p, source = _filled([4, 32, 4])
    l0a, l0b = (p.buffer(s, s, (4, 32, 4), 0, dtype="f32") for s in ("l0a", "l0b"))
    p.load2d(source, l0a)
    p.load2d(source, l0b)
    p.flag("MTE1", "M")
    a, b = (p.view(buffer, [1, 2, 32, 4]) for buffer in (l0a, l0b))
    p.mmad(a, b, p.buffer("l0c", "l0c", (1, 32, 16), 0, dtype="f32"), 16, 16, 8)
    return p


def _lanes() -> Program:
    p, source = _filled([1, 16, 1, 16])
    p.load3d(source, p.buffer("l0a", "l0a", (1, 2, 16, 8), 0, dtype="f32"))
    return p


@pytest.mark.parametrize("name", HAZARDS)
def test_hazard(name: str):
    kind, make = HAZARDS[name]
    p = make()
    shapes = {t.name_hint: memref_type(t).get_shape() for t in p.tensors}
    inputs = {name: np.ones(shapes[name], np.float32) for name in p.inputs}
    with pytest.raises(HazardError) as caught:
        p.run(**inputs)
    assert caught.value.kind == kind, str(caught.value)


def test_channel_blocks_of_a_transpose_lie_apart():
    """16 channels of 8 positions to two blocks of 8 channels."""
    p = Program()
    x, y = p.input("x", (2, 16, 8), "f32"), p.output("y", (2, 2, 8, 8), "f32")
    a, b = (p.buffer(name, "ub", (256,), at, dtype="f32") for name, at in (("a", 0), ("b", 1024)))
    p.copy(p.view(x, [256]), a)
    p.flag("MTE2", "V")
    p.transpose(p.view(a, [2, 16, 8]), p.view(b, [2, 2, 8, 8], [64, 128, 8, 1]))
    p.flag("V", "MTE3")
    p.copy(b, p.view(y, [256]))
    values = np.arange(256, dtype=np.float32).reshape(2, 16, 8)
    want = values.reshape(2, 2, 8, 8).transpose(1, 0, 3, 2)  # [block, position, channel]
    np.testing.assert_array_equal(p.run(x=values).outputs[0], want)


def test_a_fractal_of_f32_takes_two_cycles():
    target = load_target(CHIP)
    assert mmad_cost(target, "f32", 16, 32, 64).ideal == 2 * 2 * 8
    assert mmad_cost(target, "f16", 16, 32, 64).ideal == 2 * 4


@pytest.mark.parametrize(
    ("base", "row", "message"),
    [
        (CHIP, "k0 = 16, cycles = 2", "a fractal of f32 is 8 deep (32 B); mine states k0 = 16"),
        (
            "ascend310p",
            "k0 = 8, cycles = 2",
            "f32 is laid out for Cube cores only; those of mine are coupled",
        ),
    ],
)
def test_a_chip_that_the_lowering_does_not_know_is_refused(base: str, row: str, message: str, tmp_path: Path):
    text = (resources.files("ascend_opt.dialects") / "targets" / f"{base}.toml").read_text()
    text = text.replace(f'name = "{base}"', 'name = "mine"').replace("k0 = 8, cycles = 2", row)
    if "f32 = { k0" not in text:
        text = text.replace("fractal = {", f'fractal = {{ f32 = {{ {row}, acc = "f32" }},')
    chip = tmp_path / "mine.toml"
    chip.write_text(text)
    graph = "graph @f(%x: tensor<8x8xf32>) { %y = matmul(%x, %x) return %y }"
    with pytest.raises(CompileError, match=re.escape(message)):
        ascend_opt.compile(graph, target=str(chip))


@pytest.mark.parametrize("name", target_names())
def test_a_fractal_is_one_block_deep(name: str):
    for dtype, fractal in load_target(name).cube.fractal.items():
        assert fractal.k0 == lanes_of(dtype)
