"""What computes the image of a grouped convolution is in its kernel: each group has the channels of its own. Expected
values are written out; hazards on."""

import itertools
from dataclasses import dataclass

import ml_dtypes
import numpy as np
import pytest
from image_definitions import conv2d, conv_transpose2d, relative_error
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.dialects import tile

pytestmark = pytest.mark.sweep(3)

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
DTYPES = {"f16": np.float16, "f32": np.float32, "bf16": ml_dtypes.bfloat16}
BOUNDS = {"f16": 4e-3, "f32": 1e-3, "bf16": 3e-2}


@dataclass(frozen=True)
class Grouped:
    """An image of `groups` times `channels`, from which each group computes `filters`."""

    batch: int
    groups: int
    channels: int
    filters: int
    image: tuple[int, int]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.batch, self.groups * self.channels, *self.image


SHAPES = (
    Grouped(1, 4, 28, 28, (28, 28)),
    Grouped(2, 3, 16, 16, (7, 9)),
    Grouped(1, 2, 48, 20, (13, 5)),
    Grouped(3, 5, 7, 3, (4, 4)),
    Grouped(1, 2, 100, 64, (14, 14)),
    Grouped(2, 8, 1, 4, (9, 16)),
    Grouped(1, 2, 17, 33, (1, 1)),
    Grouped(2, 2, 40, 96, (6, 31)),
)
BEFORE = {
    "relu": ("relu",),
    "bias": ("bias",),
    "bias and relu": ("bias", "relu"),
    "two tensors": ("add",),
    "a plane": ("scale", "leaky"),
    "depthwise": ("depthwise",),
    "depthwise and bias": ("depthwise", "bias", "relu"),
}


def run(
    shape: Grouped, before: tuple[str, ...], chip: str, dtype: str = "f16", transposed: bool = False
) -> tuple[float, Program]:
    """The relative error of the result, and the program."""
    rng, inputs, lines = np.random.default_rng(5), dict[str, np.ndarray](), list[str]()
    arguments: list[str] = []

    def argument(name: str, sizes: tuple[int, ...], scale: float = 1.0, weight: bool = True) -> np.ndarray:
        inputs[name] = (rng.standard_normal(sizes) * scale).astype(DTYPES[dtype])
        mark = " {weight}" if weight else ""
        arguments.append(f"%{name}: tensor<{'x'.join(map(str, sizes))}x{dtype}>{mark}")
        return inputs[name].astype(np.float64)

    value, last = argument("x", shape.shape, weight=False), "x"
    channels = shape.shape[1]

    def line(text: str) -> str:
        lines.append(f"  %v{len(lines)} = {text}")
        return f"v{len(lines) - 1}"

    for op in before:
        if op == "relu":
            value, last = np.maximum(value, 0), line(f"relu(%{last})")
        elif op == "leaky":
            value, last = (
                np.where(value < 0, value * 0.125, value),
                line(f"leaky_relu(%{last}) {{alpha = 0.125}}"),
            )
        elif op == "bias":
            value = value + argument("b", (channels,))[:, None, None]
            last = line(f"bias_add(%{last}, %b)")
        elif op == "scale":
            value, last = value * argument("s", (channels, 1, 1)), line(f"mul(%{last}, %s)")
        elif op == "add":
            value, last = value + argument("y", shape.shape, weight=False), line(f"add(%{last}, %y)")
        else:
            w = argument("d", (channels, 1, 3, 3), 1 / 3)
            value = conv2d(value, w, pads=(1, 1, 1, 1), groups=channels)
            last = line(f"conv2d(%{last}, %d) {{groups = {channels}, pads = [1, 1, 1, 1]}}")
    scale = shape.channels**-0.5
    if transposed:
        w = argument("w", (channels, shape.filters, 2, 2), scale)
        last = line(f"conv_transpose2d(%{last}, %w) {{strides = [2, 2], groups = {shape.groups}}}")
        want = conv_transpose2d(value, w, (2, 2), groups=shape.groups)
    else:
        w = argument("w", (shape.groups * shape.filters, shape.channels, 1, 1), scale)
        last = line(f"conv2d(%{last}, %w) {{groups = {shape.groups}}}")
        want = conv2d(value, w, groups=shape.groups)
    body = "\n".join(lines)
    text = f"graph @f({', '.join(arguments)}) {{\n{body}\n  return %{last}\n}}\n"
    program = ascend_opt.compile(text, target=chip, tune=1)
    return relative_error(program.run(inputs).outputs["output0"], want), program


CASES = list(itertools.product(SHAPES, BEFORE, CHIPS))


@pytest.mark.parametrize(("shape", "before", "chip"), CASES if ALL else CASES[::11])
def test_each_group_reads_the_channels_that_are_its_own(shape: Grouped, before: str, chip: str) -> None:
    error, _ = run(shape, BEFORE[before], chip)
    assert error <= BOUNDS["f16"]


TRANSPOSED = list(itertools.product(SHAPES[:4], ("relu", "bias", "depthwise"), CHIPS))


@pytest.mark.parametrize(("shape", "before", "chip"), TRANSPOSED if ALL else TRANSPOSED[::5])
def test_and_so_does_each_of_a_transposed_convolution(shape: Grouped, before: str, chip: str) -> None:
    error, _ = run(shape, BEFORE[before], chip, transposed=True)
    assert error <= BOUNDS["f16"]


@pytest.mark.parametrize("dtype", ("bf16", "f32"))
@pytest.mark.parametrize("chip", CHIPS[2:])
@pytest.mark.parametrize("before", ("bias", "depthwise"))
def test_in_other_types(dtype: str, chip: str, before: str) -> None:
    error, _ = run(SHAPES[3], BEFORE[before], chip, dtype)
    assert error <= BOUNDS[dtype]


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("before", ("bias", "depthwise and bias"))
def test_which_is_one_kernel(chip: str, before: str) -> None:
    _, program = run(SHAPES[0], BEFORE[before], chip)
    kernels = [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp)]
    assert len(kernels) == 1
