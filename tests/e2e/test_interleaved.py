"""Moves between dimensions of a tensor that lie close together: what is last in GM is not what is last in the result,
or is repeated there. Values by numpy, with hazards on; few large instructions move them."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from tensor_bytes import tensors_us

import ascend_opt
from ascend_opt.runtime.profile.profile import KernelProfile

pytestmark = pytest.mark.sweep(3)

CHIPS = ("ascend910b", "ascend950")


def _nearest(shape: str, sizes: tuple[int, int]) -> str:
    h, w = sizes
    return (
        f"graph @up(%x: tensor<{shape}xf16>) {{\n"
        f'  %y = resize(%x) {{sizes = [{h}, {w}], mode = "nearest", coordinates = "asymmetric", rounding = "floor"}}\n'
        "  return %y\n}"
    )


def _head(shape: str) -> str:
    return (
        f"graph @head(%x: tensor<{shape}xf16>) {{\n"
        "  %t = transpose(%x) {perm = [0, 1, 3, 4, 2]}\n  %y = sigmoid(%t)\n  return %y\n}"
    )


def _instructions(kernel: KernelProfile) -> float:
    """Instructions of a core."""
    return sum(pipe.instructions for pipe in kernel.pipes.values()) / kernel.cores


def _run(text: str, chip: str, x: NDArray[np.float16]) -> tuple[NDArray[np.float32], KernelProfile]:
    program = ascend_opt.compile(text, target=chip, tune=1)
    result = program.run(x=x)
    (kernel,) = result.profile.kernels
    return np.asarray(result.outputs["output0"], np.float32), kernel


def _random(*shape: int) -> NDArray[np.float16]:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float16)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("shape", [(1, 128, 10, 10), (1, 256, 13, 13), (2, 70, 7, 9), (1, 24, 40, 33)])
def test_nearest_pixels_leave_in_few_instructions(shape: tuple[int, int, int, int], chip: str):
    n, c, h, w = shape
    x = _random(*shape)
    found, kernel = _run(_nearest(f"{n}x{c}x{h}x{w}", (2 * h, 2 * w)), chip, x)
    np.testing.assert_array_equal(found, x.repeat(2, 2).repeat(2, 3))
    assert _instructions(kernel) < 80
    assert kernel.time_us < 4 * kernel.bound_us + 0.7


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(
    "shape", [(1, 3, 85, 40, 40), (2, 3, 25, 20, 20), (1, 3, 40, 33, 7), (1, 2, 130, 9, 16)]
)
def test_the_channels_of_a_head_become_its_rows(shape: tuple[int, int, int, int, int], chip: str):
    x = _random(*shape)
    found, kernel = _run(_head("x".join(map(str, shape))), chip, x)
    wanted = 1 / (1 + np.exp(-x.astype(np.float32).transpose(0, 1, 3, 4, 2)))
    np.testing.assert_allclose(found, wanted, rtol=2e-3)
    assert _instructions(kernel) < 80
    assert (
        kernel.time_us < 2 * kernel.bound_us + 1.4
    )  # what is read is in no cache, what is written stays in L2


Image = NDArray[np.float32]


def _to_depth(x: Image, block: int) -> Image:
    n, c, h, w = x.shape
    cells = x.reshape(n, c, h // block, block, w // block, block).transpose(0, 3, 5, 1, 2, 4)
    return cells.reshape(n, c * block * block, h // block, w // block)


def _to_space(x: Image, block: int) -> Image:
    n, c, h, w = x.shape
    cells = x.reshape(n, block, block, c // block**2, h, w).transpose(0, 3, 4, 1, 5, 2)
    return cells.reshape(n, c // block**2, h * block, w * block)


BLOCKS = [
    ("space_to_depth", (1, 3, 160, 160), 2),
    ("space_to_depth", (2, 5, 27, 18), 3),
    ("space_to_depth", (1, 4, 30, 44), 2),
    ("space_to_depth", (1, 2, 64, 256), 4),
    ("depth_to_space", (1, 12, 80, 80), 2),
    ("depth_to_space", (2, 18, 5, 7), 3),
    ("depth_to_space", (3, 12, 17, 33), 2),
    ("depth_to_space", (1, 64, 13, 13), 4),
]


@pytest.mark.parametrize("chip", [*CHIPS, "ascend910"])
@pytest.mark.parametrize("dtype", ["f16", "f32"])
@pytest.mark.parametrize(("op", "shape", "block"), BLOCKS)
def test_blocks_of_pixels(op: str, shape: tuple[int, int, int, int], block: int, dtype: str, chip: str):
    x = _random(*shape).astype(np.float16 if dtype == "f16" else np.float32)
    kind = f"tensor<{'x'.join(map(str, shape))}x{dtype}>"
    text = f"graph @f(%x: {kind}) {{\n  %y = {op}(%x) {{block = {block}}}\n  return %y\n}}"
    result = ascend_opt.compile(text, target=chip, tune=1).run(x=x)
    wanted = (_to_depth if op == "space_to_depth" else _to_space)(x.astype(np.float32), block)
    np.testing.assert_array_equal(np.asarray(result.outputs["output0"], np.float32), wanted)
    (kernel,) = result.profile.kernels
    if chip in CHIPS:
        assert _instructions(kernel) < 80
        assert kernel.time_us < 2 * kernel.bound_us + 1.0


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("op", ["space_to_depth", "depth_to_space"])
def test_blocks_of_a_picture_take_no_longer_than_its_bytes(op: str, chip: str):
    shape = "1x3x640x640" if op == "space_to_depth" else "1x12x320x320"
    text = f"graph @f(%x: tensor<{shape}xf16>) {{\n  %y = {op}(%x) {{block = 2}}\n  return %y\n}}"
    (kernel,) = ascend_opt.compile(text, target=chip, tune=1).time().kernels
    assert kernel.time_us < 1.2 * tensors_us(kernel, chip)


FUSED: dict[str, tuple[str, Callable[[Image, Image], Image]]] = {
    "behind": ("%a = mul(%x, %x)\n  %y = space_to_depth(%a) {block = 2}", lambda x, _: _to_depth(x * x, 2)),
    "before": (
        "%a = space_to_depth(%x) {block = 2}\n  %y = sigmoid(%a)",
        lambda x, _: _to_depth(np.reciprocal(1 + np.exp(-x)), 2),
    ),
    "beside": ("%a = space_to_depth(%x) {block = 2}\n  %y = add(%a, %z)", lambda x, z: _to_depth(x, 2) + z),
    "back": ("%a = depth_to_space(%z) {block = 2}\n  %y = add(%a, %x)", lambda x, z: _to_space(z, 2) + x),
    "whole": (
        "%a = relu(%z)\n  %y = depth_to_space(%a) {block = 2}",
        lambda _, z: _to_space(np.maximum(z, 0), 2),
    ),
}


@pytest.mark.parametrize("chip", [*CHIPS, "ascend310p"])
@pytest.mark.parametrize("name", FUSED)
def test_elements_of_interleaved_rows(name: str, chip: str):
    body, wanted = FUSED[name]
    text = f"graph @f(%x: tensor<2x3x36x28xf16>, %z: tensor<2x12x18x14xf16>) {{\n  {body}\n  return %y\n}}"
    x, z = _random(2, 3, 36, 28), _random(2, 12, 18, 14)
    program = ascend_opt.compile(text, target=chip, tune=1)
    found = np.asarray(program.run(x=x, z=z).outputs["output0"], np.float32)
    np.testing.assert_allclose(
        found, wanted(x.astype(np.float32), z.astype(np.float32)), rtol=4e-3, atol=1e-3
    )
