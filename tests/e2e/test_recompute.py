"""Kernels whose tiles compute a halo of an intermediate value again: windows behind products and other ops, and a
convolution that reads another one's result out of L1."""

from typing import Any, cast

import numpy as np
import pytest
from fused_graphs import check, seeded
from stored_tiles import stored_tiles

import ascend_opt
from ascend_opt.compiler.api import CompileError, Program, compile_until
from ascend_opt.dialects import tile
from ascend_opt.dialects.ascend import BufferOp, PackOp
from ascend_opt.runtime.execution.prepare import pack

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")


def graph(parameters: str, *ops: str) -> str:
    """A graph whose ops, but for constants, are marked to be one kernel."""
    marked = (op[:-1] + ', fuse = "a"}' if op.endswith("}") else op + ' {fuse = "a"}' for op in ops)
    last = ops[-1].split()[0]
    return "\n".join([f"graph @f({parameters}) {{", *(f"  {op}" for op in marked), f"  return {last}\n}}"])


def kernels_of(program: Program) -> list[tile.KernelOp]:
    return [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp)]


POOLS = {
    "stem": graph(
        "%x: tensor<1x3x30x34xf16>, %w: tensor<32x3x7x7xf16> {weight}, %b: tensor<32xf16> {weight}",
        "%0 = conv2d(%x, %w) {strides = [2, 2], pads = [3, 3, 3, 3]}",
        "%1 = bias_add(%0, %b)",
        "%2 = max_pool2d(%1) {kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]}",
    ),
    "zeros that count": graph(
        "%x: tensor<2x5x13x11xf16>, %w: tensor<17x5x3x3xf16>",
        "%0 = conv2d(%x, %w) {pads = [2, 1, 0, 1]}",
        "%1 = exp(%0)",
        "%2 = avg_pool2d(%1) {kernel = [3, 2], pads = [2, 0, 1, 1], count_include_pad = true}",
    ),
    "past the padding": graph(
        "%x: tensor<1x16x20x22xf16>, %w: tensor<16x16x3x3xf16>, %r: tensor<1x16x20x22xf16>",
        "%0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}",
        "%1 = add(%0, %r)",
        "%2 = max_pool2d(%1) {kernel = [3, 3], strides = [2, 2], ceil_mode = true}",
    ),
    "depthwise": graph(
        "%x: tensor<1x16x14x14xf16>, %w: tensor<32x16x1x1xf16>, %b: tensor<32xf16>, %w1: tensor<32x1x3x3xf16>",
        "%0 = conv2d(%x, %w)",
        "%1 = bias_add(%0, %b)",
        "%2 = conv2d(%1, %w1) {groups = 32, pads = [1, 1, 1, 1]}",
    ),
    "no product": graph(
        "%x: tensor<1x24x18x20xf16>, %w: tensor<24x1x3x3xf16>, %w1: tensor<24x1x3x3xf16>",
        "%0 = exp(%x)",
        "%1 = conv2d(%0, %w) {groups = 24, pads = [1, 1, 1, 1]}",
        "%2 = sigmoid(%1)",
        "%3 = conv2d(%2, %w1) {groups = 24, strides = [2, 2], pads = [1, 1, 1, 1]}",
    ),
    "operand of a product": graph(
        "%x: tensor<1x32x14x14xf16>, %w: tensor<32x1x3x3xf16>, %w1: tensor<48x32x1x1xf16>",
        "%0 = exp(%x)",
        "%1 = conv2d(%0, %w) {groups = 32, pads = [1, 1, 1, 1]}",
        "%2 = conv2d(%1, %w1)",
    ),
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", POOLS)
def test_padding_of_what_the_kernel_computes(name: str, chip: str):
    program, _ = check(POOLS[name], chip)
    (kernel,) = kernels_of(program)
    assert any(isinstance(op, tile.BorderOp) for op in kernel.walk())


def test_tiles_of_padding_alone():
    text = graph(
        "%x: tensor<1x16x6x40xf16>, %w: tensor<16x1x3x3xf16>",
        "%0 = exp(%x)",
        "%1 = conv2d(%0, %w) {groups = 16, pads = [5, 4, 5, 4]}",
    )
    (kernel,) = kernels_of(check(text, "ascend910b1")[0])
    assert kernel.tile_sizes == (16, 1, 46)


TWO_READERS = graph(
    "%x: tensor<1x16x12x12xf16>, %w: tensor<16x1x3x3xf16>, %w1: tensor<16x1x3x3xf16>",
    "%0 = exp(%x)",
    "%1 = conv2d(%0, %w) {groups = 16, pads = [1, 1, 1, 1]}",
    "%2 = conv2d(%0, %w1) {groups = 16, pads = [1, 1, 1, 1]}",
    "%3 = sub(%1, %2)",
)


@pytest.mark.parametrize(("text", "copies"), [(POOLS["stem"], 0), (TWO_READERS, 1)])
def test_a_border_overwrites_a_tile_that_nothing_else_reads(text: str, copies: int):
    program, _ = check(text, "ascend910")
    buffers = (op for op in program.module.walk() if isinstance(op, BufferOp))
    assert sum("border" in str(op.label) for op in buffers) == copies


def test_a_tile_without_padding_is_untouched():
    text = graph("%x: tensor<1x16x16x16xf16>", "%0 = exp(%x)", "%1 = max_pool2d(%0) {kernel = [2, 2]}")
    (kernel,) = kernels_of(check(text, "ascend910")[0])
    assert not any(isinstance(op, tile.BorderOp) for op in kernel.walk())


CHAIN = (
    "%w: tensor<{c}x{i}x3x3xf16> {{weight}}, %b: tensor<{c}xf16> {{weight}}, "
    "%w1: tensor<{o}x{c}x3x3xf16> {{weight}}"
)
CHAINS = {
    "3x3 after 1x1": graph(
        "%x: tensor<1x64x20x12xf16>, %w: tensor<32x64x1x1xf16> {weight}, %b: tensor<32xf16> {weight}, "
        "%w1: tensor<48x32x3x3xf16> {weight}",
        "%0 = conv2d(%x, %w)",
        "%1 = bias_add(%0, %b)",
        "%2 = relu(%1)",
        "%3 = conv2d(%2, %w1) {pads = [1, 1, 1, 1]}",
    ),
    "1x1 after 3x3, a residual": graph(
        "%x: tensor<2x32x14x14xf16>, %w: tensor<16x32x3x3xf16> {weight}, %b: tensor<16xf16> {weight}, "
        "%w1: tensor<32x16x1x1xf16> {weight}, %b1: tensor<32xf16> {weight}",
        "%0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}",
        "%1 = bias_add(%0, %b)",
        "%2 = relu(%1)",
        "%3 = conv2d(%2, %w1)",
        "%4 = bias_add(%3, %b1)",
        "%5 = add(%4, %x)",
        "%6 = relu(%5)",
    ),
    "ragged": graph(
        "%x: tensor<2x5x13x11xf16>, " + CHAIN.format(i=5, c=20, o=17),
        "%0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}",
        "%1 = bias_add(%0, %b)",
        "%2 = leaky_relu(%1) {alpha = 0.2}",
        "%3 = conv2d(%2, %w1) {pads = [1, 1, 1, 1]}",
    ),
    "strides, and pads of one side": graph(
        "%x: tensor<1x16x45x41xf16>, " + CHAIN.format(i=16, c=32, o=32),
        "%0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], strides = [2, 2]}",
        "%1 = bias_add(%0, %b)",
        "%2 = conv2d(%1, %w1) {pads = [2, 0, 0, 1], strides = [2, 1], dilations = [1, 2]}",
    ),
    "a pool behind": graph(
        "%x: tensor<1x16x28x28xf16>, " + CHAIN.format(i=16, c=32, o=32),
        "%0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}",
        "%1 = bias_add(%0, %b)",
        "%2 = conv2d(%1, %w1) {pads = [1, 1, 1, 1]}",
        "%3 = max_pool2d(%2) {kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]}",
    ),
    "one pixel": graph(
        "%x: tensor<1x3x1x1xf16>, " + CHAIN.format(i=3, c=7, o=5),
        "%0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}",
        "%1 = conv2d(%0, %w1) {pads = [1, 1, 1, 1]}",
    ).replace(", %b: tensor<7xf16> {weight}", ""),
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", CHAINS)
def test_a_convolution_reads_another_one_out_of_l1(name: str, chip: str):
    program, _ = check(CHAINS[name], chip)
    (kernel,) = kernels_of(program)
    assert sum(isinstance(op, tile.ContractOp) for op in kernel.walk()) == 2
    assert any(isinstance(op, tile.HaloOp) for op in kernel.walk())


def wide_and_deep(image: str, between: int, second: int, pads: str, op: str = "relu") -> str:
    """A 1x1 convolution of `between` channels, one of 16 behind it."""
    c = image.split("x")[1]
    return graph(
        f"%x: tensor<{image}xf16>, %w: tensor<{between}x{c}x1x1xf16> {{weight}}, %b: tensor<{between}xf16> {{weight}}, "
        f"%w1: tensor<16x{between}x{second}x{second}xf16> {{weight}}",
        "%0 = conv2d(%x, %w)",
        "%1 = bias_add(%0, %b)",
        f"%2 = {op}(%1)",
        f"%3 = conv2d(%2, %w1) {{pads = [{pads}]}}",
    )


@pytest.mark.parametrize(
    ("text", "chip"),
    [
        (wide_and_deep("1x16x4x520", 16, 3, "1, 1, 1, 1"), "ascend910"),  # cut along rows and columns
        (wide_and_deep("1x3x3x300", 16, 3, "4, 3, 4, 3"), "ascend910"),  # tiles of padding alone
        (
            wide_and_deep("1x16x28x28", 88, 1, "0, 0, 0, 0"),
            "ascend310p",
        ),  # the last of several chunks is not full
        (wide_and_deep("1x5x13x11", 20, 3, "1, 1, 1, 1", "silu"), "ascend910"),  # pixels are no whole blocks
        (CHAINS["ragged"], "ascend910b1"),  # nor are channels, which FixPipe takes there
    ],
)
def test_tiles_in_l1_that_are_not_whole(text: str, chip: str):
    program, _ = check(text, chip)
    assert any(isinstance(op, tile.HaloOp) for op in kernels_of(program)[0].walk())


VECTOR_BETWEEN = graph(
    "%x: tensor<1x16x12x12xf16>, " + CHAIN.format(i=16, c=20, o=16),
    "%0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}",
    "%1 = bias_add(%0, %b)",
    "%2 = exp(%1)",
    "%3 = reciprocal(%2)",
    "%4 = conv2d(%3, %w1) {pads = [1, 1, 1, 1]}",
)


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
def test_the_vector_unit_works_between_both(chip: str):
    check(VECTOR_BETWEEN, chip)
    check(VECTOR_BETWEEN.replace(" {weight}", ""), chip)


@pytest.mark.parametrize("chip", ["ascend910b1", "ascend950"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (VECTOR_BETWEEN, "what stands between two products is not what FixPipe of"),
        (CHAINS["ragged"].replace(" {weight}", ""), "filters of the second product are no weights"),
    ],
)
def test_what_cores_apart_do_not_hand_over(text: str, reason: str, chip: str):
    with pytest.raises(CompileError, match=reason):
        ascend_opt.compile(text, target=chip, tune=1)


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_tiles_in_numpy_make_the_result(chip: str):
    """The tile level means what the graph says: every tile of two convolutions."""
    program = ascend_opt.compile(CHAINS["ragged"], target=chip, tune=1)
    inputs = seeded(CHAINS["ragged"])
    (expected,) = program.reference(inputs).values()
    (kernel,) = kernels_of(program)
    packs = [pack(cast(PackOp, kernel.inputs[i].owner), inputs[name]) for i, name in ((1, "w"), (3, "w1"))]
    tensors = [inputs["x"], packs[0], inputs["b"], packs[1]]
    stored = stored_tiles(kernel, tensors, expected.shape)
    np.testing.assert_allclose(stored, np.asarray(expected, np.float64), atol=2e-2, rtol=2e-2)


def test_what_pays_is_taken_and_what_does_not_is_refused():
    """A halo that costs less than a kernel, and channels that each tile of columns would compute anew."""
    plain = CHAINS["3x3 after 1x1"].replace(', fuse = "a"', "").replace(' {fuse = "a"}', "")
    (record,) = [c for c in _candidates(plain) if c["producer"][0] == c["consumer"][0] == "graph.conv2d"]
    assert record["taken"] and 0 < record["computed_again"] < 1
    wide = (
        plain.replace("64x20x12", "128x28x28")
        .replace("32x64x1x1", "128x128x3x3")
        .replace("<32xf16>", "<128xf16>")
    )
    wide = wide.replace("48x32x3x3", "128x128x3x3").replace(
        "conv2d(%x, %w)", "conv2d(%x, %w) {pads = [1, 1, 1, 1]}"
    )
    (record,) = [c for c in _candidates(wide) if c["producer"][0] == c["consumer"][0] == "graph.conv2d"]
    assert not record["taken"] and record["computed_again"] > 1
    assert "of its operations computed again" in record["reason"]


def _candidates(text: str) -> list[dict[str, Any]]:
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    report = next(report for report in program.reports if report.name == "tile-fuse")
    return report.to_json()[0]["candidates"]
