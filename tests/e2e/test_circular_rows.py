"""Convolutions whose planes are no whole 32 B blocks as one kernel of many cores: each tile computes what follows it in
its last blocks. Runs check hazards, such as two cores that write one block."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.compiler.checks.bisect import compile_until
from ascend_opt.compiler.checks.grid_points import points
from ascend_opt.compiler.checks.tile_values import PointEvaluation
from ascend_opt.dialects import tile

from .test_padded_planes import conv, separable

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Case:
    """[images, channels, height, width] convolved with filters of a `window`, or by channel and then of 1x1; `behind`:
    what follows. `weights` are known before the run."""

    image: tuple[int, int, int, int]
    filters: int
    window: int = 1
    stride: int = 1
    pad: int = 0
    by_channel: bool = False
    behind: str = "relu(%s)"
    weights: bool = True

    @property
    def result(self) -> tuple[int, int, int, int]:
        n, _, *plane = self.image
        height, width = plane
        if not self.by_channel:
            height, width = ((size + 2 * self.pad - self.window) // self.stride + 1 for size in plane)
        return n, self.filters, height, width

    def graph(self) -> str:
        def kind(shape: tuple[int, ...]) -> str:
            return f"tensor<{'x'.join(map(str, shape))}xf16>"

        channels, mark = self.image[1], " {weight}" if self.weights else ""
        shape = (self.filters, channels, self.window, self.window)
        taps, depthwise = "", ""
        if self.by_channel:
            taps = f", %d: {kind((channels, 1, 3, 3))}{mark}"
            depthwise = f"%0 = conv2d(%x, %d) {{pads = [1, 1, 1, 1], groups = {channels}}}\n  "
        other = f", %z: {kind(self.result)}" if "%z" in self.behind else ""
        given = f"%w: {kind(shape)}{mark}, %b: {kind(shape[:1])}{mark}{taps}{other}"
        pads, strides = [self.pad] * 4, [self.stride] * 2
        return f"""graph @f(%x: {kind(self.image)}, {given}) {{
  {depthwise}%1 = conv2d({"%0" if depthwise else "%x"}, %w) {{strides = {strides}, pads = {pads}}}
  %s = bias_add(%1, %b)
  %y = {self.behind}
  return %y
}}"""

    def values(self) -> dict[str, Array]:
        rng, channels = np.random.default_rng(7), self.image[1]
        shapes = {
            "x": self.image,
            "w": (self.filters, channels, self.window, self.window),
            "b": (self.filters,),
            "d": (channels, 1, 3, 3),
            "z": self.result,
        }
        scales = {"w": 1 / 8, "d": 1 / 2}
        return {
            name: (rng.standard_normal(shape) * scales.get(name, 1)).astype(np.float16)
            for name, shape in shapes.items()
        }

    def wanted(self, given: dict[str, Array]) -> Array:
        image = given["x"]
        if self.by_channel:
            image = conv(image, given["d"], 1, 1, self.image[1])
        found = conv(image, given["w"], self.stride, self.pad) + given["b"][:, None, None].astype(np.float64)
        behind: dict[str, Callable[[Array], Array]] = {
            "relu(%s)": lambda y: np.maximum(y, 0),
            "add(%s, %z)": lambda y: y + given["z"],
            "mul(%s, %z)": lambda y: y * given["z"],
        }
        return behind[self.behind](found)


CASES = {
    "57x57": Case((2, 48, 57, 57), 72),
    "one image": Case((1, 48, 57, 57), 72, 3, 1, 1),
    "separable": Case((2, 48, 57, 57), 72, by_channel=True),
    "separable, blocks of channels": Case((1, 48, 57, 57), 64, by_channel=True),
    "separable 14x14": Case((2, 48, 14, 14), 72, by_channel=True),
    "separable 7x7": Case((2, 48, 7, 7), 72, by_channel=True),
    "14x14": Case((2, 48, 14, 14), 72, 3, 1, 1),
    "7x7": Case((3, 48, 7, 7), 72, 3, 1, 1),
    "narrow": Case((3, 32, 9, 5), 50, 3, 1, 1),
    "5x5": Case((1, 3, 101, 101), 64, 5, 1, 2),
    "stride 2": Case((3, 24, 57, 57), 56, 3, 2, 1),
    "sum": Case((2, 48, 29, 29), 72, 3, 1, 1, behind="add(%s, %z)"),
    "product": Case((2, 48, 29, 29), 72, behind="mul(%s, %z)"),
    "weights at run time": Case((2, 24, 21, 21), 40, 3, 1, 1, weights=False),
}


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
@pytest.mark.parametrize("name", CASES)
def test_one_kernel_of_many_cores(name: str, chip: str):
    case = CASES[name]
    program, given = ascend_opt.compile(case.graph(), target=chip, tune=1), case.values()
    (kernel,) = _kernels(program)
    assert kernel.schedule.cores > 1
    if name != "14x14":  # groups of 16 planes are whole blocks, and about as fast
        assert kernel.rows is not None
    program.bind(**{key: value for key, value in given.items() if key in program.weights})
    result = program.run({key: value for key, value in given.items() if key in program.inputs})
    wanted, found = case.wanted(given), result.outputs["output0"].astype(np.float64)
    assert np.linalg.norm(found - wanted) <= 4e-3 * np.linalg.norm(wanted)
    worst = np.abs(found - wanted) > 2e-2 * np.maximum(np.abs(wanted), 1)
    assert not worst.any(), np.argwhere(worst)[:5]


def _kernels(program: Program) -> list[tile.KernelOp]:
    return [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp)]


@pytest.mark.full
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
def test_it_takes_half_as_long_again_as_in_blocks_of_channels(chip: str):
    rows, blocks = (
        ascend_opt.compile(separable(blocked), target=chip, tune=1).time() for blocked in (False, True)
    )
    assert len(rows.kernels) == 1
    assert rows.kernels[0].cores >= 30 or chip == "ascend310p"
    assert rows.total_us <= 1.5 * blocks.total_us


def test_what_its_tiles_are():
    """The tile level in numpy: each tile's own rows are those of the result, and the others are not needed."""
    case = Case((3, 16, 19, 19), 40, 3, 1, 1, weights=False)
    (kernel,) = _kernels(ascend_opt.compile(case.graph(), target="ascend910", tune=1))
    given = case.values()
    wanted, rows = case.wanted(given), kernel.rows
    assert rows is not None and rows.lead
    first = kernel.tile_sizes[rows.dim] - rows.halo
    ends = np.zeros((3, 40, rows.halo, 19)), np.zeros((3, 40, rows.halo, 19))
    tensors = [given["x"], given["w"], given["b"], np.zeros(case.result, np.float16)]
    for _, at in points(kernel):
        image = at[0]
        found = PointEvaluation(kernel, tensors).run(at)
        start = at[rows.dim] * first - rows.lead
        for value in (value for value in found if isinstance(value.op, tile.StoreOp)):
            channels = slice(value.offsets[1], value.offsets[1] + value.value.shape[1])
            for i in range(value.value.shape[rows.dim]):
                line, row = value.value[0, :, i], start + i
                count = wanted[image, channels].shape[0]
                if 0 <= row < 19:
                    np.testing.assert_allclose(
                        line[:count], wanted[image, channels, row], rtol=2e-2, atol=3e-2
                    )
                elif 19 + rows.gap <= row < 19 + rows.gap + rows.halo:
                    ends[0][image, channels, row - 19 - rows.gap] = line[:count]
                elif row < -rows.gap and image:
                    ends[1][image, channels, row + rows.gap + rows.halo] = line[:count]
    np.testing.assert_allclose(ends[0], wanted[:, :, : rows.halo], rtol=2e-2, atol=3e-2)
    np.testing.assert_allclose(ends[1][1:], wanted[:-1, :, 19 - rows.halo :], rtol=2e-2, atol=3e-2)


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
def test_transposes_that_read_behind_a_tile(chip: str) -> None:
    """Tiles of 6 x 7 pixels, of which 48 are turned: what is computed last leaves the last six as they were."""
    text = """graph @f(%x: tensor<1x1x9x7xf16>, %w: tensor<16x1x1x1xf16>) {
      %s = sin(%x)
      %c = conv2d(%s, %w)
      %y = tanh(%c)
      return %y
    }"""
    rng = np.random.default_rng(5)
    x, w = rng.standard_normal((1, 1, 9, 7)).astype(np.float16), rng.standard_normal(16).astype(np.float16)
    program = ascend_opt.compile(text, target=chip, tune=1)
    assert "6x7" in program.report()
    (found,) = program.run(x=x, w=w.reshape(16, 1, 1, 1)).outputs.values()
    wanted = np.tanh(np.sin(x.astype(np.float64)) * w.astype(np.float64)[:, None, None])
    assert np.linalg.norm(found - wanted) <= 3e-3 * np.linalg.norm(wanted)
