"""Concatenations whose parts one kernel stores each to its place, and values that ops of a kernel need through several
regions: the values by definition, hazards on. ASCEND_OPT_ALL=1 runs all shapes."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.dialects import tile

CHIPS = ["ascend910", "ascend310p", "ascend910b1", "ascend950"]
Array = np.ndarray


def max_pool(x: Array, k: int, dilation: int = 1) -> Array:
    """Of each window of k x k around an element, by definition."""
    pad = dilation * (k - 1) // 2
    padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=-np.inf)
    h, w = x.shape[2:]
    taps = [
        padded[:, :, i : i + h, j : j + w]
        for i in range(0, dilation * k, dilation)
        for j in range(0, dilation * k, dilation)
    ]
    return np.max(taps, axis=0)


def mean_pool(x: Array, k: int) -> Array:
    pad = (k - 1) // 2
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    return np.lib.stride_tricks.sliding_window_view(padded, (k, k), (2, 3)).mean((4, 5))


def pool(source: str, k: int, name: str = "max_pool2d", dilation: int = 1, more: str = "") -> str:
    pad = dilation * (k - 1) // 2
    return (
        f"{name}(%{source}) {{kernel = [{k}, {k}], pads = {[pad] * 4}, dilations = {[dilation] * 2}{more}}}"
    )


def graph(shape: Sequence[int], dtype: str, lines: Sequence[str]) -> str:
    kind = "x".join(map(str, shape))
    names = [f"  %{line}" for line in lines]
    last = lines[-1].split(" = ")[0]
    return f"graph @f(%x: tensor<{kind}x{dtype}>) {{\n" + "\n".join(names) + f"\n  return %{last}\n}}"


def kernels_of(program: Program) -> list[list[str]]:
    module = compile_until(program, "tile")
    found = [op for op in module.walk() if isinstance(op, tile.KernelOp)]
    return [[name.data.removeprefix("graph.") for name in op.ops] for op in found]


def check(
    text: str, chip: str, shape: Sequence[int], dtype: str, wanted: Callable[[Array], Array]
) -> Program:
    rng = np.random.default_rng(7)
    x = rng.standard_normal(shape).astype(np.float16 if dtype == "f16" else np.float32)
    program = ascend_opt.compile(text, target=chip, tune=1)
    (found,) = program.run(x=x).outputs.values()
    want = wanted(x)
    assert found.shape == want.shape
    assert np.linalg.norm(found.astype(np.float64) - want) <= 1e-3 * np.linalg.norm(want.astype(np.float64))
    return program


PYRAMID = [
    f"a = {pool('x', 5)}",
    f"b = {pool('a', 5)}",
    f"c = {pool('b', 5)}",
]


def pyramid(x: Array, axis: int = 1) -> Array:
    a = max_pool(x, 5)
    b = max_pool(a, 5)
    return np.concatenate([x, a, b, max_pool(b, 5)], axis)


SHAPES = [
    ((1, 128, 10, 10), "f16"),
    ((1, 24, 20, 20), "f16"),
    ((1, 16, 13, 13), "f16"),
    ((2, 40, 12, 12), "f16"),
    ((3, 33, 16, 8), "f16"),
    ((1, 128, 40, 40), "f16"),
    ((1, 2, 64, 64), "f16"),
    ((1, 17, 1, 16), "f16"),
]


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("shape", "dtype"), SHAPES if ALL else SHAPES[:3])
def test_pools_of_pools_and_what_joins_them(shape: tuple[int, ...], dtype: str, chip: str) -> None:
    text = graph(shape, dtype, [*PYRAMID, "y = concat(%x, %a, %b, %c) {axis = 1}"])
    program = check(text, chip, shape, dtype, pyramid)
    if shape == (1, 128, 10, 10):
        assert kernels_of(program) == [["max_pool2d", "max_pool2d", "max_pool2d", "concat"]]


@pytest.mark.parametrize("shape", [(1, 128, 10, 10), (2, 20, 16, 16)])
def test_in_f32(shape: tuple[int, ...]) -> None:
    text = graph(shape, "f32", [*PYRAMID, "y = concat(%x, %a, %b, %c) {axis = 1}"])
    check(text, "ascend910b1", shape, "f32", pyramid)


@pytest.mark.parametrize("chip", CHIPS if ALL else ["ascend910b1", "ascend910"])
@pytest.mark.parametrize("axis", [0, 2, 3])
def test_along_other_dimensions(axis: int, chip: str) -> None:
    shape = (2, 16, 8, 16)
    text = graph(shape, "f16", [*PYRAMID, f"y = concat(%x, %a, %b, %c) {{axis = {axis}}}"])
    check(text, chip, shape, "f16", lambda x: pyramid(x, axis))


@pytest.mark.parametrize("chip", CHIPS)
def test_a_part_that_is_computed_and_one_that_stands_twice(chip: str) -> None:
    shape = (1, 48, 12, 12)
    lines = [
        "r = relu(%x)",
        f"m = {pool('r', 3, 'avg_pool2d')}",
        f"p = {pool('r', 5)}",
        "y = concat(%m, %r, %p, %r) {axis = 1}",
    ]

    def wanted(x: Array) -> Array:
        r = np.maximum(x, 0)
        counts = mean_pool(np.ones_like(r), 3)
        return np.concatenate([mean_pool(r, 3) / counts, r, max_pool(r, 5), r], 1)

    check(graph(shape, "f16", lines), chip, shape, "f16", wanted)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("shape", [(1, 32, 14, 14), (2, 17, 9, 21)])
def test_a_value_that_is_needed_as_it_is_and_in_a_window(shape: tuple[int, ...], chip: str) -> None:
    lines = ["r = sigmoid(%x)", f"p = {pool('r', 3)}", "y = sub(%p, %r)"]

    def wanted(x: Array) -> Array:
        r = 1 / (1 + np.exp(-x.astype(np.float64)))
        return max_pool(r, 3) - r

    program = check(graph(shape, "f16", lines), chip, shape, "f16", wanted)
    assert kernels_of(program) == [["sigmoid", "max_pool2d", "sub"]]


@pytest.mark.parametrize("chip", CHIPS)
def test_two_windows_of_one_value(chip: str) -> None:
    """One of them dilated, so that its taps lie apart; outside is the least number for one, zero for the other."""
    shape = (1, 16, 18, 18)
    most = pool("r", 3, dilation=2)
    mean = pool("r", 3, "avg_pool2d", more=", count_include_pad = true")
    lines = ["r = sigmoid(%x)", f"p = {most}", f"m = {mean}", "y = sub(%p, %m)"]

    def wanted(x: Array) -> Array:
        r = 1 / (1 + np.exp(-x.astype(np.float64)))
        return max_pool(r, 3, 2) - mean_pool(r, 3)

    program = check(graph(shape, "f16", lines), chip, shape, "f16", wanted)
    assert len(kernels_of(program)) == 1


@pytest.mark.parametrize("chip", ["ascend910b1", "ascend310p"])
def test_parts_that_share_blocks_are_no_parts_of_a_kernel(chip: str) -> None:
    """3 x 5 x 7 f16 are 210 B: the next part begins inside a block."""
    shape = (1, 3, 5, 7)
    text = graph(shape, "f16", [*PYRAMID, "y = concat(%x, %a, %b, %c) {axis = 1}"])
    program = check(text, chip, shape, "f16", pyramid)
    assert all("concat" not in ops or len(ops) == 1 for ops in kernels_of(program))


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_images_of_a_number_known_at_run_time(chip: str) -> None:
    """Parts are joined by a kernel of their own."""
    text = graph((-1, 8, 4, 6), "f16", [f"a = {pool('x', 3)}", "y = concat(%a, %x) {axis = 1}"]).replace(
        "-1x", "?x"
    )
    program = ascend_opt.compile(text, target=chip, tune=1)
    rng = np.random.default_rng(8)
    for images in (1, 3, 40):
        x = rng.standard_normal((images, 8, 4, 6)).astype(np.float16)
        (found,) = program.run(x=x).outputs.values()
        assert np.array_equal(found, np.concatenate([max_pool(x, 3), x], 1))
