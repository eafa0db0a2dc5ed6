"""Graphs with tensors that can be in blocks between kernels, and what a compiled program made of them."""

from itertools import cycle

import numpy as np
import pytest

from ascend_opt.compiler.api import Program
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.passes.fusion import layouts as layout_plan
from ascend_opt.passes.fusion.candidates import LayoutRecord
from ascend_opt.passes.fusion.report import FusionReport


def convolutions(image: str, filters: str, second: str, strides: int = 1, after: str = "relu(%3)") -> str:
    """Two convolutions with a bias and a relu between them; what follows them last."""
    n, o = filters.split("x")[0], second.split("x")[0]
    pads = [int(size.split("x")[-1]) // 2 for size in (filters, second)]
    return f"""graph @f(%x: tensor<{image}xf16>, %w: tensor<{filters}xf16> {{weight}},
                        %v: tensor<{second}xf16> {{weight}}, %b: tensor<{n}xf16> {{weight}},
                        %u: tensor<{o}x{o}x1x1xf16> {{weight}}) {{
      %0 = conv2d(%x, %w) {{pads = [{pads[0]}, {pads[0]}, {pads[0]}, {pads[0]}]}}
      %1 = bias_add(%0, %b)
      %2 = relu(%1)
      %3 = conv2d(%2, %v) {{pads = [{pads[1]}, {pads[1]}, {pads[1]}, {pads[1]}], strides = [{strides}, {strides}]}}
      %4 = {after}
      %5 = mul(%4, %4)
      return %5
    }}"""


def matrices(rows: str, k: int, n: int, o: int, after: str = "relu(%2)") -> str:
    """Two products with a relu between them, and what follows them."""
    return f"""graph @f(%x: tensor<{rows}x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}},
                        %v: tensor<{n}x{o}xf16> {{weight}}) {{
      %0 = matmul(%x, %w) {{fuse = a}}
      %1 = relu(%0) {{fuse = a}}
      %2 = matmul(%1, %v)
      %3 = {after}
      return %3
    }}"""


def pooled(image: str, filters: str, pool: str, padding: int) -> str:
    """A convolution, a pool and a convolution of as many channels."""
    n = filters.split("x")[0]
    return f"""graph @f(%x: tensor<{image}xf16>, %w: tensor<{filters}xf16> {{weight}},
                        %v: tensor<{n}x{n}x3x3xf16> {{weight}}) {{
      %0 = conv2d(%x, %w) {{nofuse = a}}
      %1 = neg(%0) {{nofuse = a}}
      %2 = {pool}, pads = [{padding}, {padding}, {padding}, {padding}], nofuse = b}}
      %3 = conv2d(%2, %v) {{pads = [1, 1, 1, 1]}}
      return %3
    }}"""


def separable(image: str, n: int, strides: int) -> str:
    """A pixelwise convolution, then two depthwise-separable ones."""
    c = image.split("x")[1]
    return f"""graph @f(%x: tensor<{image}xf16>, %w: tensor<{n}x{c}x1x1xf16> {{weight}},
                        %d: tensor<{n}x1x3x3xf16> {{weight}}, %v: tensor<32x{n}x1x1xf16> {{weight}},
                        %e: tensor<32x1x3x3xf16> {{weight}}, %u: tensor<48x32x1x1xf16> {{weight}}) {{
      %0 = conv2d(%x, %w) {{nofuse = a}}
      %1 = sigmoid(%0) {{nofuse = a}}
      %2 = conv2d(%1, %d) {{pads = [1, 1, 1, 1], strides = [{strides}, {strides}], groups = {n}, nofuse = b}}
      %3 = conv2d(%2, %v) {{nofuse = b}}
      %4 = conv2d(%3, %e) {{pads = [1, 1, 1, 1], groups = 32, nofuse = c}}
      %5 = conv2d(%4, %u) {{nofuse = c}}
      return %5
    }}"""


GRAPHS = {
    "pool": pooled("3x16x17x13", "16x16x1x1", "max_pool2d(%1) {kernel = [3, 3], strides = [2, 2]", 1),
    "wide pool": pooled("1x32x30x520", "16x32x1x1", "avg_pool2d(%1) {kernel = [5, 5]", 2),
    "separable": separable("2x24x17x13", 64, 2),
    "deep separable": separable("1x16x7x7", 272, 1),
    "3x3 3x3 residual": convolutions("1x16x14x14", "32x16x3x3", "32x32x3x3", after="add(%3, %2)"),
    "3x3 3x3 stride 2": convolutions("2x3x17x13", "16x3x3x3", "48x16x3x3", 2),
    "1x1 3x3 residual": convolutions("1x40x20x28", "64x40x1x1", "64x64x3x3", after="add(%3, %2)"),
    "1x1 1x1 1x1": convolutions("3x32x7x7", "64x32x1x1", "32x64x1x1", after="conv2d(%3, %u)"),
    "wide": convolutions("1x16x5x520", "32x16x1x1", "16x32x3x3"),
    "one pixel": convolutions("2x64x1x1", "32x64x1x1", "32x32x1x1"),
    "matrix": matrices("37", 48, 64, 64, "add(%2, %1)"),
    "batch": matrices("2x17", 32, 2048, 256),
    "one row": matrices("1", 64, 512, 64),
}


def always_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put every tensor in blocks that can be, whatever it saves."""
    times = cycle((0.0, 1.0))

    def time(model: layout_plan.CostModel, groups: list[layout_plan.Group], _: float = 0) -> float:
        for group in groups:
            model.anew(group)
        return next(times)

    monkeypatch.setattr(layout_plan, "_time", time)


def layouts(program: Program) -> list[LayoutRecord]:
    """What was decided of each tensor between kernels."""
    (report,) = (r for r in program.reports if isinstance(r, FusionReport))
    return [record for plan in report.plans for record in plan.layouts]


def error(program: Program) -> float:
    """The relative L2 error of a run with all checks."""
    assert program.graph_module is not None
    inputs = seeded_inputs(program.inputs, 0, choose_function(program.graph_module, program.name))
    (found,), (wanted,) = program.run(inputs).outputs.values(), program.reference(inputs).values()
    return float(np.linalg.norm(np.float64(found) - wanted) / np.linalg.norm(np.float64(wanted)))
