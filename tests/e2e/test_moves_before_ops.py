"""Moves of elements before products, rows, transposes and joins, against numpy by definition, hazards on: what a pad
puts around a tensor, parts of parts, repeated and picked rows, rows along other axes than the last one."""

# pyright: basic

import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ascend_opt

Arrays = dict[str, np.ndarray]
CHIPS = {
    "ascend910": ("f16", "f32"),
    "ascend310p": ("f16", "f32"),
    "ascend910b": ("f16", "bf16", "f32"),
    "ascend950": ("f16", "bf16", "f32"),
}
TYPES: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}
TOLERANCE = {"f16": 2e-3, "bf16": 1.6e-2, "f32": 3e-5}


def _pad(x: np.ndarray, pads: list[int], value: float) -> np.ndarray:
    half = len(pads) // 2
    return np.pad(x, list(zip(pads[:half], pads[half:], strict=True)), constant_values=value)


def _softmax(x: np.ndarray, axis: int) -> np.ndarray:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def _norm(x: np.ndarray) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-3)


def _turned(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(x, -1, -2)


PADS: list[tuple[str, Callable[..., np.ndarray]]] = [
    *(
        (
            f"""(%x: tensor<{"x".join(map(str, shape))}xf16>) {{
              %p = pad(%x) {{pads = {pads}, value = {value}}}
              %y = transpose(%p) {{perm = {list(perm)}}}
              return %y
            }}""",
            lambda x, pads=pads, value=value, perm=perm: _pad(x, pads, value).transpose(perm),
        )
        for shape, pads, value, perm in (
            ((33, 9), [5, 0, 0, 0], 1.0, (1, 0)),
            ((33, 9), [0, 0, 16, 0], 1.0, (1, 0)),
            ((8, 7), [16, 3, 16, 2], -2.5, (1, 0)),
            ((2, 17, 5), [0, 1, 2, 1, 3, 0], 0.5, (0, 2, 1)),
            ((3, 5, 31), [1, 0, 4, 0, 7, 1], 3.0, (2, 0, 1)),
            ((1, 40), [0, 3, 0, 5], 2.0, (1, 0)),
        )
    ),
    (
        """(%x: tensor<20x6xf16>) {
          %t = transpose(%x) {perm = [1, 0]}
          %p = pad(%t) {pads = [1, 5, 0, 3], value = -1.5}
          %y = relu(%p)
          return %y
        }""",
        lambda x: np.maximum(_pad(x.T, [1, 5, 0, 3], -1.5), 0),
    ),
    (
        """(%x: tensor<9x15xf16>) {
          %p = pad(%x) {pads = [0, 3, 2, 1], value = 1.0}
          %q = pad(%p) {pads = [5, 0, 0, 1], value = -2.0}
          %y = transpose(%q) {perm = [1, 0]}
          return %y
        }""",
        lambda x: _pad(_pad(x, [0, 3, 2, 1], 1.0), [5, 0, 0, 1], -2.0).T,
    ),
    (
        """(%x: tensor<9x15xf16>, %w: tensor<19x12xf16>) {
          %p = pad(%x) {pads = [1, 3, 2, 1], value = 1.0}
          %y = matmul(%p, %w)
          return %y
        }""",
        lambda x, w: _pad(x, [1, 3, 2, 1], 1.0) @ w,
    ),
    (
        """(%x: tensor<9x15xf16>, %w: tensor<12x7xf16>) {
          %p = pad(%x) {pads = [1, 3, 2, 1], value = 0.5}
          %t = transpose(%p) {perm = [1, 0]}
          %y = matmul(%t, %w)
          return %y
        }""",
        lambda x, w: _pad(x, [1, 3, 2, 1], 0.5).T @ w,
    ),
    (
        """(%x: tensor<2x20x33xf16>) {
          %p = pad(%x) {pads = [0, 3, 0, 1, 2, 0], value = 0.25}
          %y = softmax(%p) {axis = 1}
          return %y
        }""",
        lambda x: _softmax(_pad(x, [0, 3, 0, 1, 2, 0], 0.25), 1),
    ),
]
JOINS: list[tuple[str, Callable[..., np.ndarray]]] = [
    (
        """(%x: tensor<24x2xf16>, %z: tensor<24x2xf16>) {
          %c = concat(%x, %z) {axis = 0}
          %y = transpose(%c) {perm = [1, 0]}
          return %y
        }""",
        lambda x, z: np.concatenate([x, z]).T,
    ),
    (
        """(%x: tensor<3x3xf16>, %z: tensor<16x3xf16>) {
          %c = concat(%x, %z) {axis = 0}
          %t = transpose(%c) {perm = [1, 0]}
          %y = softmax(%t) {axis = 0}
          return %y
        }""",
        lambda x, z: _softmax(np.concatenate([x, z]).T, 0),
    ),
    (
        """(%x: tensor<64xf16>, %z: tensor<16xf16>) {
          %p = pad(%x) {pads = [0, 16], value = 1.5}
          %c = concat(%p, %z, %p) {axis = 0}
          %s = softmax(%c) {axis = 0}
          return %s
        }""",
        lambda x, z: _softmax(np.concatenate([_pad(x, [0, 16], 1.5), z, _pad(x, [0, 16], 1.5)]), 0),
    ),
    (
        """(%x: tensor<5x30xf16>, %v: tensor<5x7xf16>, %z: tensor<5x16xf16>) {
          %p = pad(%x) {pads = [0, 1, 0, 1], value = 2.0}
          %q = pad(%v) {pads = [0, 0, 0, 9], value = -1.0}
          %y = concat(%p, %q, %z) {axis = 1}
          return %y
        }""",
        lambda x, v, z: np.concatenate([_pad(x, [0, 1, 0, 1], 2.0), _pad(v, [0, 0, 0, 9], -1.0), z], 1),
    ),
    (
        """(%x: tensor<5x30xf16>, %v: tensor<3x10xf16>, %z: tensor<5x32xf16>) {
          %p = pad(%x) {pads = [0, 1, 0, 1], value = 2.0}
          %q = pad(%v) {pads = [1, 0, 1, 22], value = -1.0}
          %y = concat(%p, %q, %z) {axis = 0}
          return %y
        }""",
        lambda x, v, z: np.concatenate([_pad(x, [0, 1, 0, 1], 2.0), _pad(v, [1, 0, 1, 22], -1.0), z]),
    ),
]
PARTS: list[tuple[str, Callable[..., np.ndarray]]] = [
    (
        """(%v: tensor<2x8x7xf16>, %c: tensor<17x3xf16>) {
          %0 = slice(%v) {starts = [4], ends = [7], axes = [2]}
          %1 = slice(%0) {starts = [7], ends = [8], axes = [1]}
          %2 = matmul(%1, %c) {transpose_b = true}
          return %2
        }""",
        lambda v, c: v[:, 7:8, 4:7] @ c.T,
    ),
    (
        """(%v: tensor<5x2x15xf16>, %c: tensor<1x24x2xf16>) {
          %0 = slice(%v) {starts = [3, 7], ends = [5, 8], axes = [0, 2]}
          %1 = slice(%0) {starts = [1], ends = [2]}
          %2 = matmul(%c, %1)
          return %2
        }""",
        lambda v, c: c @ v[4:5, :, 7:8],
    ),
    (
        """(%v: tensor<20x6x40xf16>, %c: tensor<33x50xf16>) {
          %0 = slice(%v) {starts = [1, 3], ends = [18, 36], axes = [0, 2]}
          %1 = slice(%0) {starts = [2], ends = [3], axes = [1]}
          %2 = matmul(%1, %c)
          return %2
        }""",
        lambda v, c: v[1:18, 2:3, 3:36] @ c,
    ),
    (
        """(%v: tensor<3x40x9xf16>, %c: tensor<3x7x21xf16>) {
          %0 = transpose(%v) {perm = [0, 2, 1]}
          %1 = slice(%0) {starts = [1, 5], ends = [8, 39], axes = [1, 2]}
          %2 = matmul(%c, %1) {transpose_a = true}
          return %2
        }""",
        lambda v, c: _turned(c) @ _turned(v)[:, 1:8, 5:39],
    ),
    (
        """(%v: tensor<9x5xf16>, %c: tensor<8x20xf16>) {
          %0 = pad(%v) {pads = [2, 3, 1, 1], value = 1.0}
          %1 = slice(%0) {starts = [1, 1], ends = [11, 9], axes = [0, 1]}
          %2 = matmul(%1, %c)
          return %2
        }""",
        lambda v, c: _pad(v, [2, 3, 1, 1], 1.0)[1:11, 1:9] @ c,
    ),
]
REPEATED: list[tuple[str, Callable[..., np.ndarray]]] = [
    (
        f"""(%a: tensor<{given}f16>, %b: tensor<{other}xf16>) {{
          %0 = broadcast(%a) {{shape = {list(shape)}}}
          %1 = matmul{operands}
          return %1
        }}""",
        lambda a, b, shape=shape, by=by: by(np.broadcast_to(a, shape), b),
    )
    for given, other, shape, operands, by in (
        ("9x", "9x1", (1, 9), "(%0, %b)", lambda x, b: x @ b),
        ("9x", "9x17", (4, 9), "(%0, %b)", lambda x, b: x @ b),
        ("", "9x17", (4, 9), "(%0, %b)", lambda x, b: x @ b),
        ("4x9x", "9x17", (3, 4, 9), "(%0, %b)", lambda x, b: x @ b),
        ("4x9x", "3x9x17", (3, 4, 9), "(%0, %b)", lambda x, b: x @ b),
        ("17x", "4x9", (9, 17), "(%b, %0)", lambda x, b: b @ x),
        ("9x1x", "4x9", (9, 17), "(%b, %0)", lambda x, b: b @ x),
        ("9x17x", "2x4x9", (2, 9, 17), "(%b, %0)", lambda x, b: b @ x),
        ("5x1x33x", "5x33x20", (5, 18, 33), "(%0, %b)", lambda x, b: x @ b),
        ("7x", "3x20", (3, 7), "(%0, %b) {transpose_a = true}", lambda x, b: x.T @ b),
        ("1x7x", "20x7", (3, 7), "(%b, %0) {transpose_b = true}", lambda x, b: b @ x.T),
        ("1x48x", "2x5x48", (2, 3, 48), "(%b, %0) {transpose_b = true}", lambda x, b: b @ _turned(x)),
    )
]
PICKED: list[tuple[str, Callable[..., np.ndarray]]] = [
    (
        """(%x: tensor<2x16x64xf16>, %i: tensor<i32>, %w: tensor<64x33xf16>) {
          %0 = gather(%x, %i) {axis = 1}
          %1 = matmul(%0, %w)
          return %1
        }""",
        lambda x, i, w: x[:, i] @ w,
    ),
    (
        """(%x: tensor<3x5x18xf16>, %i: tensor<i32>, %w: tensor<7x18xf16>) {
          %0 = gather(%x, %i) {axis = 0}
          %1 = matmul(%w, %0) {transpose_b = true}
          return %1
        }""",
        lambda x, i, w: w @ x[i].T,
    ),
    (
        """(%x: tensor<6x20xf16>, %i: tensor<2x3xi32>, %w: tensor<20x9xf16>) {
          %0 = gather(%x, %i) {axis = 0}
          %1 = matmul(%0, %w)
          return %1
        }""",
        lambda x, i, w: x[i] @ w,
    ),
    (
        """(%x: tensor<6x20xf16>, %i: tensor<5xi32>, %w: tensor<6x9xf16>) {
          %0 = gather(%x, %i) {axis = 1}
          %1 = matmul(%0, %w) {transpose_a = true}
          return %1
        }""",
        lambda x, i, w: x[:, i].T @ w,
    ),
    (
        """(%x: tensor<4x6x20xf16>, %i: tensor<i32>) {
          %0 = gather(%x, %i) {axis = 1}
          %1 = transpose(%0) {perm = [1, 0]}
          return %1
        }""",
        lambda x, i: x[:, i].T,
    ),
]
ROWS: list[tuple[str, Callable[..., np.ndarray]]] = [
    *(
        (
            f"(%x: tensor<{sizes}xf16>) {{\n  %y = softmax(%x) {{axis = {axis}}}\n  return %y\n}}",
            lambda x, axis=axis: _softmax(x, axis),
        )
        for sizes, axis in (
            ("2x5x24", 0),
            ("9x120", 0),
            ("3x40x8", 1),
            ("2x7x3x24", 1),
            ("65x56", 0),
            ("5x17x104", 1),
        )
    ),
    (
        "(%x: tensor<3x5x40xf16>) {\n  %y = log_softmax(%x) {axis = 0}\n  return %y\n}",
        lambda x: np.log(_softmax(x, 0)),
    ),
    (
        "(%x: tensor<6x5x24xf16>) {\n  %y = reduce_max(%x) {axes = [0]}\n  return %y\n}",
        lambda x: x.max(0),
    ),
    (
        "(%x: tensor<2x50x24xf16>) {\n  %y = reduce_min(%x) {axes = [1], keep_dims = true}\n  return %y\n}",
        lambda x: x.min(1, keepdims=True),
    ),
    ("(%x: tensor<7x8x17xf16>) {\n  %y = argmax(%x) {axis = 0}\n  return %y\n}", lambda x: x.argmax(0)),
    (
        """(%x: tensor<24x1x40xf16>) {
          %0 = softmax(%x) {axis = 0}
          %1 = transpose(%0) {perm = [1, 2, 0]}
          return %1
        }""",
        lambda x: _softmax(x, 0).transpose(1, 2, 0),
    ),
    (
        """(%x: tensor<24x3x5xf16>) {
          %0 = transpose(%x) {perm = [2, 1, 0]}
          %1 = softmax(%0) {axis = 0}
          return %1
        }""",
        lambda x: _softmax(x.transpose(2, 1, 0), 0),
    ),
    (
        """(%x: tensor<40x9xf16>, %g: tensor<40xf16>, %b: tensor<40xf16>) {
          %0 = transpose(%x) {perm = [1, 0]}
          %1 = layer_norm(%0, %g, %b) {epsilon = 0.001}
          %2 = transpose(%1) {perm = [1, 0]}
          return %2
        }""",
        lambda x, g, b: (_norm(x.T) * g + b).T,
    ),
]


def _cases() -> Iterator[tuple[str, Callable[..., np.ndarray], str, str, bool]]:
    for text, expected in (*PADS, *JOINS, *PARTS, *REPEATED, *PICKED, *ROWS):
        for chip, dtypes in CHIPS.items():
            for dtype in dtypes:
                if dtype == "f32" and "matmul" in text and chip in ("ascend910", "ascend310p"):
                    continue  # their Cube multiplies f16
                for fuse in (True, False):
                    yield text, expected, chip, dtype, fuse


def _inputs(text: str, dtype: str) -> Arrays:
    random = np.random.default_rng(zlib.crc32(text.encode()))
    found: Arrays = {}
    for name, sizes, kind in re.findall(r"%(\w+): tensor<((?:\d+x)*)(\w+)>", text):
        shape = [int(n) for n in sizes.split("x") if n]
        if kind == "i32":
            found[name] = np.asarray(random.integers(-2, 2, shape), np.int32)
        else:
            found[name] = np.asarray(random.standard_normal(shape)).astype(TYPES[dtype])
    return found


@pytest.mark.sweep(11)
@pytest.mark.parametrize(("text", "expected", "chip", "dtype", "fuse"), list(_cases()))
def test_values(text: str, expected: Callable[..., np.ndarray], chip: str, dtype: str, fuse: bool):
    inputs = _inputs(text, dtype)
    program = ascend_opt.compile("graph @f" + text.replace("xf16", f"x{dtype}").replace("<f16", f"<{dtype}"),
                                 target=chip, fuse=fuse, tune=1)  # fmt: skip
    given = {n: a if a.dtype == np.int32 else a.astype(np.float32) for n, a in inputs.items()}
    found = np.asarray(program.run(given, hazards=True).outputs["output0"], np.float64)
    want = expected(**{n: a if a.dtype == np.int32 else a.astype(np.float64) for n, a in inputs.items()})
    assert found.shape == want.shape
    assert np.linalg.norm(found - want) <= TOLERANCE[dtype] * np.linalg.norm(want)
