"""Filters that are no weights, where Cube and Vector are cores of their own: of one tap DMA lays them out, of larger
windows the Vector cores."""

import numpy as np
import pytest
from image_definitions import conv2d, relative_error

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import memref_type
from ascend_opt.passes.fusion.report import FusionReport

CHIPS = ("ascend910b", "ascend950")
CASES = {
    "whole blocks": ((1, 64, 14, 14), 64, 1, 1),
    "ragged filters and planes": ((2, 48, 19, 19), 72, 1, 1),
    "ragged channels": ((1, 20, 15, 15), 33, 2, 1),
    "a shorter last step": ((1, 300, 9, 9), 40, 1, 1),
    "a smaller last tile of columns": ((1, 48, 7, 7), 136, 1, 1),
    "groups": ((1, 64, 14, 14), 64, 1, 2),
}
BOUNDS = {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-6}


def graph(shape: tuple[int, ...], filters: int, stride: int, groups: int, dtype: str) -> str:
    x, channels = "x".join(map(str, shape)), shape[1] // groups
    return f"""graph @f(%x: tensor<{x}x{dtype}>, %w: tensor<{filters}x{channels}x1x1x{dtype}>) {{
      %y = conv2d(%x, %w) {{strides = [{stride}, {stride}], groups = {groups}}}
      return %y
    }}"""


@pytest.mark.parametrize("dtype", BOUNDS)
@pytest.mark.parametrize("chip", CHIPS)
def test_values_are_right_and_nothing_races(chip: str, dtype: str):
    for case in CASES.values():
        values_are_right(*case, chip, dtype)


def values_are_right(
    shape: tuple[int, ...], filters: int, stride: int, groups: int, chip: str, dtype: str
) -> None:
    program = ascend_opt.compile(graph(shape, filters, stride, groups, dtype), target=chip)
    kind = np.float16 if dtype == "f16" else np.float32
    rng = np.random.default_rng(1)
    x = rng.normal(size=shape).astype(kind)
    w = rng.normal(size=(filters, shape[1] // groups, 1, 1)).astype(kind)
    (found,) = program.run(x=x, w=w).outputs.values()
    want = conv2d(x.astype(np.float64), w.astype(np.float64), (stride, stride), (0, 0, 0, 0), (1, 1), groups)
    assert relative_error(np.asarray(found, np.float64), want) < BOUNDS[dtype]


@pytest.mark.parametrize("chip", CHIPS)
def test_rows_that_are_left_for_the_last_tile_end_inside_a_block(chip: str):
    """Tiles of 6 rows of 8 are whole blocks of 16 positions, the 3 rows that are left are not."""
    text = """graph @f(%x: tensor<2x16x9x8xf16>, %w: tensor<32x16x3x3xf16>) {
      %y = conv2d(%x, %w) {pads = [1, 1, 1, 1], tile = [1, 32, 6, 8]}
      return %y
    }"""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(2, 16, 9, 8)).astype(np.float16)
    w = rng.normal(size=(32, 16, 3, 3)).astype(np.float16)
    (found,) = ascend_opt.compile(text, target=chip).run(x=x, w=w).outputs.values()
    want = conv2d(x.astype(np.float64), w.astype(np.float64), (1, 1), (1, 1, 1, 1))
    assert relative_error(np.asarray(found, np.float64), want) < BOUNDS["f16"]


def test_predicted_time():
    assert over_clock(graph((4, 512, 7, 7), 1000, 1, 1, "f16"), "ascend910b") == pytest.approx(1, abs=0.08)


@pytest.mark.parametrize("chip", CHIPS)
def test_predicted_time_of_larger_windows(chip: str):
    """Each of them is read in rows that L2 does not hold whole, by all cores."""
    for channels, size, filters in ((128, 28, 128), (256, 14, 256)):
        text = graph((4, channels, size, size), filters, 1, 1, "f16")
        wide = text.replace("x1x1x", "x3x3x").replace("{strides", "{pads = [1, 1, 1, 1], strides")
        assert over_clock(wide, chip) == pytest.approx(1, abs=0.1)


def over_clock(text: str, chip: str) -> float:
    """The predicted time of a program, over that of the emulator."""
    program = ascend_opt.compile(text, target=chip, tune=1)
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    return sum(plan["time_us_after"] for plan in report.to_json()) / program.time().total_us


@pytest.mark.parametrize("chip", CHIPS)
def test_vector_cores_do_not_touch_filters(chip: str):
    """A larger window needs them: its channels do not follow each other in GM."""
    shape, filters, *_ = CASES["whole blocks"]
    text = graph(shape, filters, 1, 1, "f16")

    def readers(source: str) -> set[str]:
        """Kinds of cores that copy from the filters."""
        module = compile_until(ascend_opt.compile(source, target=chip), "ascend")
        found = set[str]()
        for kernel in (op for op in module.walk() if isinstance(op, ascend.KernelOp)):
            for op in (op for op in kernel.walk() if isinstance(op, ascend.CopyOp)):
                view = op.source.owner
                whole = view.operands[0] if isinstance(view, ascend.ViewOp) else op.source
                if memref_type(whole).get_shape()[:2] == (filters, shape[1]):
                    assert kernel.core is not None
                    found.add(kernel.core.data)
        return found

    assert readers(text) == {"aic"}
    wide = text.replace("64x1x1x", "64x3x3x").replace("{strides", "{pads = [1, 1, 1, 1], strides")
    assert readers(wide) == {"aiv"}
