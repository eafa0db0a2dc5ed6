"""One wrong stride, fractal order or transpose gives wrong numbers, as it does on the board."""

from typing import Any

import numpy as np
import pytest
from ascend_programs import Program

M = N = K = 32
RIGHT: dict[str, Any] = {
    "x_pitch": K, "la_strides": (M * 16, 16, 1), "a_from": M * 16, "a_to": 256, "a_stride": 2 * 256,
    "a_transpose": False, "b_from": K * 16, "b_stride": 256, "b_to": 256, "b_to_stride": 2 * 256,
    "b_transpose": True, "c_from": M * 16, "y_to": 16, "y_pitch": N, "k": K, "init": 1,
}  # fmt: skip

WRONG: dict[str, dict[str, Any]] = {
    "row pitch of x": {"x_pitch": 16},
    "NZ block stride in L1": {"la_strides": (16, 32, 1)},
    "fractal column of a": {"a_from": 256},
    "fractals of a column by column": {"a_to": 512, "a_stride": 256},
    "fractals of a transposed": {"a_transpose": True},
    "fractals of b not transposed": {"b_transpose": False},
    "fractal order of b in L1": {"b_from": 256, "b_stride": K * 16},
    "fractal order of b in L0B": {"b_to": 512, "b_to_stride": 256},
    "column block of the result": {"c_from": 256},
    "column of y": {"y_to": 0},
    "row pitch of y": {"y_pitch": 16},
    "half of k": {"k": 16},
    "result not summed": {"halves": True},
}


def matmul(**mistake: Any) -> Program:
    """y = x @ w, both row-major in GM, through ND to NZ, load2d and mmad."""
    v = {**RIGHT, **mistake}
    p = Program(target="ascend310p")
    x, w, y = p.input("x", (M, K)), p.input("w", (K, N)), p.output("y", (M, N))
    la, lb = p.buffer("la", "l1", (2, M, 16), 0), p.buffer("lb", "l1", (2, K, 16), 4096)
    l0a, l0b = p.buffer("l0a", "l0a", (2, 2, 16, 16), 0), p.buffer("l0b", "l0b", (2, 2, 16, 16), 0)
    l0c = p.buffer("l0c", "l0c", (2, M, 16), 0, dtype="f32")
    out = p.buffer("out", "ub", (2, M, 16), 0)
    p.copy(p.view(x, [M, K], [v["x_pitch"], 1]), p.view(la, [2, M, 16], v["la_strides"]), nd2nz=True)
    p.copy(p.view(w, [K, N], [N, 1]), p.view(lb, [2, K, 16]), nd2nz=True)
    p.flag("MTE2", "MTE1")
    for i in range(2):
        source = p.view(la, [2, 16, 16], offset=i * v["a_from"])
        target = p.view(l0a, [2, 16, 16], [v["a_stride"], 16, 1], offset=i * v["a_to"])
        p.load2d(source, target, v["a_transpose"])
        source = p.view(lb, [2, 16, 16], [v["b_stride"], 16, 1], offset=i * v["b_from"])
        target = p.view(l0b, [2, 16, 16], [v["b_to_stride"], 16, 1], offset=i * v["b_to"])
        p.load2d(source, target, v["b_transpose"])
    p.flag("MTE1", "M")
    if mistake.get("halves"):
        for half in range(2):
            a = p.view(l0a, [2, 1, 16, 16], [512, 256, 16, 1], offset=half * 256)
            b = p.view(l0b, [1, 2, 16, 16], offset=half * 512)
            p.mmad(a, b, p.view(l0c, [2, M, 16]), M, N, 16, 1)
            p.barrier("M")
    else:
        p.mmad(l0a, l0b, p.view(l0c, [2, M, 16]), M, N, v["k"], v["init"])
    p.flag("M", "V")
    p.copy(p.view(l0c, [2 * M * 16]), p.view(out, [2 * M * 16]))
    p.flag("V", "MTE3")
    for i in range(2):
        if i:
            p.barrier("MTE3")
        source = p.view(out, [M, 16], offset=i * v["c_from"])
        p.copy(source, p.view(y, [M, 16], [v["y_pitch"], 1], offset=i * v["y_to"]))
    return p


def inputs() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    return {n: rng.standard_normal((32, 32)).astype(np.float16) for n in "xw"}


def expected() -> Any:
    x, w = inputs().values()
    return (x.astype(np.float32) @ w.astype(np.float32)).astype(np.float16)


def test_right_program():
    np.testing.assert_allclose(matmul().run(**inputs()).outputs[0], expected(), rtol=2e-3, atol=1e-2)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_program(name: str):
    result = matmul(**WRONG[name]).run_with({"hazards": False}, inputs()).outputs[0]
    close = np.isclose(result, expected(), rtol=2e-3, atol=1e-2)
    assert not close.all()


def conv(
    k: int = 3, stride: int = 1, pad: int = 1, dilation: int = 1, target: str = "ascend310p", **mistake: Any
):
    """Convolution of a [1, 8, 8, 16] map with [16, 16, k, k] weights, image to column by load3d."""
    h = 8
    ho = (h + 2 * pad - dilation * (k - 1) - 1) // stride + 1
    rows = -(-ho * ho // 16)
    p = Program(target="ascend310p")
    x = p.input("x", (1, h, h, 16))
    w = p.input("w", (k * k, 1, 16, 16))
    y = p.output("y", (ho * ho, 16))
    fm, lw = p.buffer("fm", "l1", (1, h, h, 16), 0), p.buffer("lw", "l1", (k * k, 1, 16, 16), 65536)
    l0a = p.buffer("l0a", "l0a", (rows, k * k, 16, 16), 0)
    l0b = p.buffer("l0b", "l0b", (k * k, 1, 16, 16), 0)
    l0c = p.buffer("l0c", "l0c", (1, rows * 16, 16), 0, dtype="f32")
    out = p.buffer("out", "ub", (1, rows * 16, 16), 0)
    p.copy(p.view(x, [h * h * 16]), p.view(fm, [h * h * 16]))
    p.copy(p.view(w, [k * k * 256]), p.view(lw, [k * k * 256]))
    p.flag("MTE2", "MTE1")
    for m in range(rows):
        row = p.view(l0a, [1, k * k, 16, 16], [k * k * 256, 256, 16, 1], offset=m * k * k * 256)
        p.load3d(
            fm, row, pads=mistake.get("pads", (pad,) * 4), at=(m * 16, 0),
            kernel=(k, k), strides=(stride, stride), dilations=mistake.get("dilations", (dilation, dilation)),
        )  # fmt: skip
    p.load2d(p.view(lw, [k * k, 16, 16]), p.view(l0b, [k * k, 16, 16]))
    p.flag("MTE1", "M")
    p.mmad(l0a, l0b, l0c, ho * ho, 16, k * k * 16)
    p.flag("M", "V")
    p.copy(p.view(l0c, [rows * 256]), p.view(out, [rows * 256]))
    p.flag("V", "MTE3")
    p.copy(p.view(out, [ho * ho * 16]), p.view(y, [ho * ho * 16]))
    return p


def conv_reference(x: Any, w: Any, stride: int, pad: int, dilation: int) -> Any:
    k = w.shape[2]
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    ho = (padded.shape[2] - dilation * (k - 1) - 1) // stride + 1
    y = np.zeros((w.shape[0], ho, ho))
    for i in range(k):
        for j in range(k):
            last = stride * (ho - 1) + 1
            part = padded[
                0, :, i * dilation : i * dilation + last : stride, j * dilation : j * dilation + last : stride
            ]
            y += np.einsum("oc,chw->ohw", w[:, :, i, j].astype(np.float64), part)
    return y


def run_conv(k: int, stride: int, pad: int, dilation: int, **mistake: Any) -> tuple[Any, Any]:
    rng = np.random.default_rng(2)
    x = rng.standard_normal((1, 16, 8, 8)).astype(np.float16)
    w = (rng.standard_normal((16, 16, k, k)) / 8).astype(np.float16)
    packed = w.transpose(2, 3, 0, 1).reshape(k * k, 1, 16, 16)
    p = conv(k, stride, pad, dilation, **mistake)
    y = p.run(x=x.transpose(0, 2, 3, 1), w=packed).outputs[0]
    reference = conv_reference(x, w, stride, pad, dilation)
    ho = reference.shape[1]
    return y.reshape(ho, ho, 16).transpose(2, 0, 1), reference


@pytest.mark.parametrize(
    ("k", "stride", "pad", "dilation"),
    [(3, 1, 1, 1), (3, 2, 1, 1), (1, 1, 0, 1), (5, 1, 2, 1), (3, 1, 2, 2), (3, 2, 0, 1)],
)
def test_convolution(k: int, stride: int, pad: int, dilation: int):
    y, reference = run_conv(k, stride, pad, dilation)
    np.testing.assert_allclose(y, reference, rtol=5e-3, atol=2e-2)


def test_wrong_pads():
    y, reference = run_conv(3, 1, 1, 1, pads=(2, 1, 0, 1))
    assert not np.allclose(y, reference, rtol=5e-3, atol=2e-2)
