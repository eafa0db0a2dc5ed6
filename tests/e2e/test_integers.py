"""Arithmetic of i32 by numpy's definition, on numbers of all magnitudes, those that f32 does not hold, both ends."""

# pyright: basic

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError, compile_until
from ascend_opt.dialects import tile
from ascend_opt.dialects.storage_types import numpy_dtype

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
LEAST, MOST = -(2**31), 2**31 - 1
ENDS = (LEAST, MOST, 0, 1, -1, 2**24 + 1, -(2**24) - 1, LEAST + 1, 2**30, 7, -3)
LARGE = "constant() {value = 16777217} : tensor<i32>"
"""The least number that f32 does not hold."""

Outputs = Callable[..., list[Any]]


def whole(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of every magnitude, and the ends among them."""
    x = rng.integers(LEAST, MOST, shape, np.int32, endpoint=True) >> rng.integers(0, 31, shape, np.int32)
    x.reshape(-1)[::3] = np.resize(ENDS, x.reshape(-1)[::3].shape)
    return x


def divided(a: Any, b: Any) -> np.ndarray:
    """Towards 0, the low 32 bits."""
    a, b = np.broadcast_arrays(np.asarray(a, np.int64), np.asarray(b, np.int64))
    return (np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))).astype(np.int32)


def check(text: str, expected: Outputs, chip: str, fuse: bool, nonzero: str = "") -> None:
    """Run a graph, at size 3 where it is dynamic."""
    dynamic: dict[str, Any] = {"dynamic_sizes": [3]} if "?" in text else {}
    rng = np.random.default_rng(len(text))
    program = ascend_opt.compile(f"graph @f{text}", target=chip, fuse=fuse, tune=1, **dynamic)
    inputs = {}
    for name, tensor in program.inputs.items():
        shape, dtype = tuple(3 if n < 0 else n for n in tensor.shape), numpy_dtype(tensor.element_type)
        inputs[name] = rng.random(shape) < 0.5 if dtype.kind == "b" else whole(rng, shape).astype(dtype)
        if name == "i":
            inputs[name] = rng.integers(-4, 4, shape, np.int32)
        elif dtype.kind == "f":
            inputs[name] = (rng.standard_normal(shape) * 2.0 ** rng.integers(0, 40, shape)).astype(dtype)
        elif name == nonzero:
            inputs[name][inputs[name] == 0] = -2
    with np.errstate(all="ignore"):
        wanted = expected(**inputs)
    found = program.run(inputs).outputs
    for (name, output), value in zip(found.items(), wanted, strict=True):
        np.testing.assert_array_equal(output, value, f"{chip} {fuse} {name}", strict=True)
    with np.errstate(all="ignore"):
        for output, value in zip(program.reference(inputs).values(), wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(output).astype(value.dtype), value)


TWO = "(%x: tensor<5x37xi32>, %y: tensor<37xi32>)"
GRAPHS: dict[str, tuple[str, Outputs]] = {
    "sums and products": (
        TWO + "{ %a = add(%x, %y) %b = sub(%y, %a) %c = mul(%b, %x) %d = square(%b) "
        "%e = neg(%c) return %a, %c, %d, %e }",
        lambda x, y: [x + y, (b := y - (x + y)) * x, b * b, -(b * x)],
    ),
    "bounds": (
        TWO + "{ %a = maximum(%x, %y) %b = minimum(%x, %y) %c = abs(%b) %d = relu(%b) "
        "%e = clip(%x) {min = -16777217, max = 1073741825} %g = sign(%x) return %a, %c, %d, %e, %g }",
        lambda x, y: [
            np.maximum(x, y), np.abs(b := np.minimum(x, y)), np.maximum(b, 0),
            np.clip(x, -16777217, 1073741825).astype(np.int32), np.sign(x),
        ],
    ),
    "numbers": (
        (f"(%x: tensor<3x45xi32>) {{ %k = {LARGE} %l = constant() {{value = -2147483648}} : tensor<i32>\n"
        "%a = add(%x, %k) %b = sub(%k, %a) %c = mul(%b, %k) %d = sub(%x, %l) %e = maximum(%c, %k) return %d, %c, %e }"),
        lambda x: [
            x - np.int32(LEAST), c := (np.int32(16777217) - (x + np.int32(16777217))) * np.int32(16777217),
            np.maximum(c, 16777217),
        ],
    ),
    "comparisons": (
        TWO
        + "{ "
        + " ".join(f'%{d} = compare(%x, %y) {{direction = "{d}"}}' for d in ("eq", "ne", "lt", "le", "gt", "ge"))
        + " return %eq, %ne, %lt, %le, %gt, %ge }",
        lambda x, y: [x == y, x != y, x < y, x <= y, x > y, x >= y],
    ),
    "compared with a number": (
        (f"(%x: tensor<5x37xi32>) {{ %k = {LARGE} "
        '%a = compare(%x, %k) {direction = "lt"} %b = compare(%k, %x) {direction = "eq"} return %a, %b }'),
        lambda x: [x < 16777217, x == 16777217],
    ),
    "selection": (
        (f"(%c: tensor<5x1xi1>, %x: tensor<5x37xi32>, %y: tensor<37xi32>) {{ %k = {LARGE} "
        "%l = constant() {value = -2147483648} : tensor<i32>\n%a = select(%c, %x, %y) %b = select(%c, %k, %l) "
        '%m = compare(%a, %y) {direction = "gt"} %d = select(%m, %a, %k) return %a, %b, %d }'),
        lambda c, x, y: [
            a := np.where(c, x, y), np.where(c, np.int32(16777217), np.int32(LEAST)),
            np.where(a > y, a, np.int32(16777217)),
        ],
    ),
    "rows": (
        ("(%x: tensor<19x45xi32>) { %a = reduce_sum(%x) {axes = [1]} "
        "%b = reduce_max(%x) {axes = [1], keep_dims = true} "
        "%c = reduce_min(%x) {axes = [0]} %d = sub(%x, %b) return %a, %c, %d }"),
        lambda x: [x.sum(1, dtype=np.int32), x.min(0), x - x.max(1, keepdims=True)],
    ),
    "all elements": (
        "(%x: tensor<3x5x8xi32>) { %a = reduce_sum(%x) %b = reduce_min(%x) {axes = [0, 2]} return %a, %b }",
        lambda x: [np.asarray(x.sum(dtype=np.int32)), x.min((0, 2))],
    ),
    "products and sums along": (
        ("(%x: tensor<5x21xi32>) { %a = reduce_prod(%x) {axes = [1]} %b = cumsum(%x) {axis = 1} "
        "%c = cumsum(%x) {axis = 0, exclusive = true} return %a, %b, %c }"),
        lambda x: [
            x.prod(1, dtype=np.int32), x.cumsum(1, dtype=np.int32),
            np.concatenate([0 * x[:1], x.cumsum(0, dtype=np.int32)[:-1]]),
        ],
    ),
    "conversions": (
        ("(%x: tensor<5x37xi32>, %m: tensor<5x37xi1>, %h: tensor<5x37xf32>) { %a = cast(%x) {to = f32} "
        "%b = cast(%x) {to = f16} %c = cast(%x) {to = i1} %d = cast(%m) {to = i32} %e = cast(%h) {to = i32} "
        "return %a, %b, %c, %d, %e }"),
        lambda x, m, h: [
            x.astype(np.float32), x.astype(np.float16), x != 0, m.astype(np.int32),
            np.clip(np.trunc(h.astype(np.float64)), LEAST, MOST).astype(np.int32),
        ],
    ),
    "moves": (
        ("(%x: tensor<5x37xi32>, %y: tensor<5x9xi32>, %i: tensor<3xi32>) { %a = transpose(%x) {perm = [1, 0]} "
        "%b = concat(%x, %y) {axis = 1} %c = slice(%b) {starts = [1, 3], ends = [4, 40], steps = [1, 3]} "
        "%d = pad(%x) {pads = [1, 2, 0, 3], value = 16777217} %e = gather(%x, %i) "
        "%g = slice(%x) {starts = [-1], ends = [-99], axes = [1], steps = [-1]} return %a, %c, %d, %e, %g }"),
        lambda x, y, i: [
            x.T, np.concatenate([x, y], 1)[1:4, 3:40:3],
            np.pad(x, [[1, 0], [2, 3]], constant_values=16777217), x[i], x[:, ::-1],
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GRAPHS)
def test_values(name: str):
    """On three of the chips in turn, one of them unfused."""
    turn = list(GRAPHS).index(name) % len(CHIPS)
    alone, _, *others = (*CHIPS[turn:], *CHIPS[:turn])
    for chip in (alone, *others):
        check(*GRAPHS[name], chip, fuse=chip != alone)


@pytest.mark.parametrize(("chip", "fuse"), [("ascend910b", True), ("ascend310p", False)])
def test_dynamic_sizes(chip: str, fuse: bool):
    text = "(%x: tensor<?x37xi32>, %y: tensor<?x1xi32>) { %a = mul(%x, %y) "
    text += "%b = reduce_sum(%a) {axes = [1]} return %a, %b }"
    check(text, lambda x, y: [x * y, (x * y).sum(1, dtype=np.int32)], chip, fuse)


@pytest.mark.parametrize("chip", CHIPS)
def test_quotients(chip: str):
    """Without what is after the point; the least number by -1 is itself, which is what wraps around."""
    text = "(%x: tensor<64x61xi32>, %y: tensor<64x61xi32>) { %k = constant() {value = -7} : tensor<i32>\n"
    text += "%a = div(%x, %y) %b = div(%x, %k) %c = div(%k, %y) return %a, %b, %c }"
    check(
        text,
        lambda x, y: [divided(x, y), divided(x, -7), divided(np.int32(-7) + 0 * x, y)],
        chip,
        True,
        "y",
    )
    assert divided(np.full(1, LEAST, np.int32), -1) == [LEAST]


def test_parts_of_long_rows():
    """Rows that no tile holds in full."""
    text = "(%x: tensor<2x70001xi32>) { %a = reduce_max(%x) {axes = [1]} return %a }"
    check(text, lambda x: [x.max(1)], "ascend910b", True)


@pytest.mark.parametrize(
    ("graph", "says"),
    [
        ("%y = exp(%x)", "exp: no unit computes in i32"),
        ("%y = reduce_mean(%x)", "reduce_mean: no unit computes in i32"),
        ("%y = clip(%x) {min = 0.5}", "min = 0.5 must be a whole number"),
        ("%y = pad(%x) {pads = [0, 1], value = 0.5}", "value = 0.5 must be a whole number"),
    ],
)
def test_refused(graph: str, says: str):
    with pytest.raises(CompileError, match=says):
        ascend_opt.compile(f"graph @f(%x: tensor<8xi32>) {{\n{graph}\nreturn %y\n}}", tune=1)


def test_numbers_of_two_constants_keep_their_type():
    """What is selected from two numbers has the digits of its type."""
    text = "(%c: tensor<40xi1>) { %a = constant() {value = 0.1} : tensor<f32>\n"
    text += "%b = constant() {value = 1e9} : tensor<f32>\n%y = select(%c, %a, %b) return %y }"
    check(text, lambda c: [np.where(c, np.float32(0.1), np.float32(1e9))], "ascend910b", True)


@pytest.mark.parametrize(("chip", "names"), [("ascend910", {"vadd", "vdup"}), ("ascend950", {"vadds"})])
def test_a_chip_that_lacks_scalars_of_i32_fills_a_tile(chip: str, names: set[str]):
    text = f"graph @f(%x: tensor<40xi32>) {{ %k = {LARGE} %y = add(%x, %k) return %y }}"
    module = compile_until(ascend_opt.compile(text, target=chip, tune=1), "tile")
    assert {op.instruction.data for op in module.walk() if isinstance(op, tile.VecOp)} == names


@pytest.mark.parametrize("columns", [2, 3, 7, 9, 17, 33])
@pytest.mark.parametrize("rows", [15, 16, 32])
def test_rows_that_end_within_a_block_of_lanes(rows: int, columns: int):
    """As many as a transpose takes: all lanes of it are written."""
    text = f"(%x: tensor<{rows}x{columns}xi32>) {{ %a = reduce_sum(%x) {{axes = [1]}} return %a }}"
    for chip in CHIPS:
        check(text, lambda x: [x.sum(1, dtype=np.int32)], chip, True)
