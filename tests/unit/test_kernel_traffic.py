"""The bytes that the fusion report names are those that the emulator's DMA engines move."""

import re
from math import prod
from pathlib import Path

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.compiler.pipeline.pass_text import parse_passes
from ascend_opt.compiler.pipeline.pipelines import build_passes
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects import tile
from ascend_opt.passes.fusion.report import FusionReport, UnfusedReport
from ascend_opt.passes.fusion.traffic import KernelTraffic, kernel_traffic
from ascend_opt.runtime.profile.profile import KernelProfile

EXAMPLES = Path(__file__).parents[2] / "examples"


def traffic_and_profile(source: str | Path, fuse: bool = True) -> list[tuple[KernelTraffic, KernelProfile]]:
    program = ascend_opt.compile(source, target="ascend910", fuse=fuse, tune=1)
    kernels = [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp)]
    return list(zip(map(kernel_traffic, kernels), program.time().kernels, strict=True))


ALIGNED = {
    "matmul": """
    graph @f(%x: tensor<512x320xf16>, %w: tensor<320x768xf16> {weight}, %b: tensor<768xf16> {weight}) {
      %p = matmul(%x, %w)
      %s = bias_add(%p, %b)
      %y = relu(%s)
      return %y
    }""",
    "matmul_of_activations": """
    graph @f(%x: tensor<4x256x128xf16>, %w: tensor<4x128x256xf16>, %z: tensor<4x256x256xf16>) {
      %p = matmul(%x, %w)
      %y = add(%p, %z)
      return %y
    }""",
    "conv_with_halo": """
    graph @f(%x: tensor<2x64x32x32xf16>, %w: tensor<64x64x3x3xf16> {weight}, %b: tensor<64xf16> {weight}) {
      %p = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
      %s = bias_add(%p, %b)
      return %s
    }""",
    "conv_with_stride": """
    graph @f(%x: tensor<2x32x64x64xf16>, %w: tensor<64x32x3x3xf16> {weight}) {
      %p = conv2d(%x, %w) {pads = [1, 1, 1, 1], strides = [2, 2]}
      return %p
    }""",
    "broadcast": """
    graph @f(%x: tensor<1024x1024xf16>, %b: tensor<1024xf16>) {
      %s = mul(%x, %b)
      %y = tanh(%s)
      return %y
    }""",
}


@pytest.mark.parametrize("name", ALIGNED)
def test_reads_named_are_the_bytes_that_dma_moves(name: str):
    for traffic, measured in traffic_and_profile(ALIGNED[name]):
        assert traffic.read == measured.dma_read_bytes
        assert traffic.written == measured.dma_write_bytes
        inputs = traffic.once - traffic.written
        assert inputs <= measured.hbm_read_bytes <= inputs + traffic.reread, "each once, and re-reads at most"


@pytest.mark.sweep(5)
@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.full] if path.stem == "attention" else [])
        for path in sorted(EXAMPLES.glob("*.mlir"))
    ],
)
def test_ragged_rows_move_whole_blocks(path: Path, fuse: bool):
    """Rows that are no multiple of 32 B move a little more than the report says, never less."""
    for traffic, measured in traffic_and_profile(path, fuse):
        assert traffic.read <= measured.dma_read_bytes <= 1.05 * traffic.blocks
        assert traffic.written <= measured.dma_write_bytes <= 1.05 * traffic.written


def test_weights_are_read_for_each_row_of_tiles_and_windows_overlap():
    ((traffic, _),) = traffic_and_profile(EXAMPLES / "conv_bias_leaky_relu.mlir")
    x, w, b = traffic.operands
    assert [o.name for o in (x, w, b)] == ["%x", "%w (packed)", "%b"]
    tiles = 1
    for _, count in w.repeats:
        tiles *= count
    assert tiles > 1 and w.read == tiles * w.bytes and w.reread == w.read - w.bytes
    assert x.windowed and x.overlap > 1 and "halo" in x.reason
    assert traffic.once == x.bytes + w.bytes + b.bytes + traffic.written
    assert traffic.reread == traffic.read - x.bytes - w.bytes - b.bytes


def test_many_tiles_are_counted_without_a_list_of_them():
    """A tensor of 16 GiB: every tile in the middle reads as much as the next one."""
    text = "graph @f(%x: tensor<8589934592xf16>) {\n  %y = relu(%x)\n  return %y\n}"
    module = read_module(text).module
    for one in build_passes(UNIVERSE.all_passes, parse_passes("tile-fuse")):
        one.apply(make_context(), module)
    (kernel,) = [op for op in module.walk() if isinstance(op, tile.KernelOp)]
    traffic = kernel_traffic(kernel)
    assert traffic.read == traffic.written == 2 * 8589934592
    assert traffic.reread == 0


DYNAMIC = {
    "merged": ("graph @f(%x: tensor<?x64xf16>) {\n  %y = gelu(%x)\n  return %y\n}", (1, 8, 32)),
    "rows": (
        """
    graph @f(%x: tensor<?x512xf16>, %w: tensor<512x512xf16> {weight}, %b: tensor<512xf16> {weight}) {
      %p = matmul(%x, %w)
      %s = bias_add(%p, %b)
      %y = softmax(%s)
      return %y
    }""",
        (16, 96, 400),
    ),
    "images": (
        """
    graph @f(%x: tensor<?x32x16x16xf16>, %w: tensor<32x32x3x3xf16> {weight}) {
      %p = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
      %y = relu(%p)
      return %y
    }""",
        (2, 5, 40),
    ),
}


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("name", DYNAMIC)
def test_a_dynamic_graph_is_reported_at_the_middle_size(name: str, fuse: bool):
    text, sizes = DYNAMIC[name]
    program = ascend_opt.compile(text, target="ascend910", fuse=fuse, tune=1, dynamic_sizes=sizes)
    (report,) = (r for r in program.reports if isinstance(r, FusionReport | UnfusedReport))
    records = report.kernels[0] if isinstance(report, FusionReport) else report.kernels
    measured = program.time(sizes[1]).kernels
    assert f" at size {sizes[1]} (tiles are for {', '.join(map(str, sizes))}): " in report.to_text()
    for record, kernel in zip(records, measured, strict=True):
        assert record.traffic.read == kernel.dma_read_bytes
        assert record.traffic.written == kernel.dma_write_bytes
        assert record.cores == kernel.cores
        assert isinstance(report, UnfusedReport) or record.cost is not None
        if record.cost is not None and "%w" not in str(record.traffic):  # weights are counted as given there
            assert record.cost.bytes == record.traffic.once
    told = report.to_json()[0]
    assert (told["size"], told["sizes"]) == (sizes[1], list(sizes))
    assert all(int(number) >= 0 for number in re.findall(r"-?\d+(?= B)", report.to_text()))


SEPARABLE = """
graph @f(%x: tensor<1x48x16x16xf16>, %d: tensor<48x1x3x3xf16> {weight}, %p: tensor<64x48x1x1xf16> {weight}) {
  %0 = conv2d(%x, %d) {pads = [1, 1, 1, 1], groups = 48}
  %1 = conv2d(%0, %p)
  return %1
}"""


def test_padding_of_packed_weights_that_no_tile_reads_is_no_part_of_a_re_read():
    program = ascend_opt.compile(SEPARABLE, target="ascend950", tune=1)
    (report,) = (r for r in program.reports if isinstance(r, FusionReport))
    lines = [line.strip() for line in report.to_text().splitlines()]
    ((record,),) = report.kernels
    (depthwise,) = (o for o in record.traffic.operands if o.name == "%d (packed)")
    tiles = prod(count for _, count in depthwise.repeats)
    assert depthwise.part < depthwise.bytes and tiles > 1
    assert depthwise.read == tiles * depthwise.part == depthwise.part + depthwise.reread
    (line,) = (line for line in lines if line.startswith("reads %d "))
    assert f": {tiles} x {depthwise.part} B of its {depthwise.bytes} B = {depthwise.read} B (" in line
    told = [int(count) for count in re.findall(r"(\d+) tiles of dimension", line)]
    assert prod(told) == tiles


def test_elementwise_kernels_read_everything_once():
    ((traffic, measured),) = traffic_and_profile(EXAMPLES / "scale_relu_dropout.mlir")
    assert traffic.reread == 0
    assert traffic.once == measured.hbm_read_bytes + measured.hbm_write_bytes
    assert [o.reason for o in traffic.operands] == [""]


PARTS = {
    "columns": ("%x: tensor<128x256xf16>", "slice(%x) {starts = [32], ends = [64], axes = [1]}"),
    "rows": ("%x: tensor<96x64xf16>", "slice(%x) {starts = [32], ends = [64], axes = [0]}"),
    "two parts": (
        "%x: tensor<96x64xf16>",
        "slice(%x) {starts = [0], ends = [32], axes = [0]}",
        "slice(%x) {starts = [64], ends = [96], axes = [0]}",
        "maximum(%0, %1)",
    ),
    "rows that are picked": ("%x: tensor<1000x64xf16>, %i: tensor<5xi32>", "gather(%x, %i)"),
    "two rows of a product": (
        "%x: tensor<96x64xf16>, %w: tensor<64x48xf16>",
        "slice(%x) {starts = [7], ends = [9], axes = [0]}",
        "matmul(%0, %w)",
    ),
}
READ = {
    "columns": 128 * 32,
    "rows": 32 * 64,
    "two parts": 64 * 64,
    "rows that are picked": 5 * 64,
    "two rows of a product": 2 * 64 + 64 * 48,
}


@pytest.mark.parametrize("chip", ["ascend910b", "ascend310p"])
@pytest.mark.parametrize("name", PARTS)
def test_of_a_part_the_bytes_that_are_read_count(name: str, chip: str):
    """The whole tensor is larger; what DMA moves is the part, and indices."""
    arguments, *ops = PARTS[name]
    lines = "".join(f"\n  %{i} = {op}" for i, op in enumerate([*ops, f"relu(%{len(ops) - 1})"]))
    text = f"graph @f({arguments}) {{{lines}\n  return %{len(ops)}\n}}"
    program = ascend_opt.compile(text, target=chip, tune=1)
    (report,) = (r for r in program.reports if isinstance(r, FusionReport))
    ((record,),) = report.kernels
    assert record.cost is not None and record.cost.bytes == record.traffic.once
    assert record.traffic.once - record.traffic.written == 2 * READ[name]
    assert "as packed" not in report.to_text() and "as given" not in report.to_text()
    inputs = {n: np.zeros(t.shape, "i4" if n == "i" else "f2") for n, t in program.inputs.items()}
    if "i" in inputs:
        inputs["i"] += np.arange(0, 1000, 200, dtype="i4")
    (measured,) = program.run(inputs).profile.kernels
    once = measured.dma_read_bytes - record.traffic.reread
    assert 0 <= once - 2 * READ[name] <= (64 if "i" in inputs else 0)
