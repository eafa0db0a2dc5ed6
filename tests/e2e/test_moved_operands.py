"""Transposes and slices around a product: addresses of its loads and of its store, not kernels of their own."""

import itertools

import numpy as np
import pytest
from fused_graphs import check, seeded
from stored_tiles import kernel_of, stored_tiles
from sweeps import ALL
from xdsl.ir import SSAValue

import ascend_opt
from ascend_opt.dialects.ascend import PackOp
from ascend_opt.runtime.execution.prepare import pack

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
SHAPES = (
    {"b": 2, "s": 128, "t": 64, "h": 4, "d": 64},
    {"b": 1, "s": 33, "t": 80, "h": 3, "d": 16},
    {"b": 3, "s": 1, "t": 16, "h": 5, "d": 32},
    {"b": 1, "s": 130, "t": 48, "h": 1, "d": 48},
    {"b": 2, "s": 7, "t": 16, "h": 2, "d": 32},
)
TILES_OF_SEVERAL = len(SHAPES) - 1
"""Of which a tile of rows holds several dimensions."""
GRAPHS = {
    "both operands": (
        "%x: tensor<{b}x{s}x{h}x{d}xf16>, %w: tensor<{b}x{t}x{h}x{d}xf16>",
        "%q = transpose(%x) {{perm = [0, 2, 1, 3]}}",
        "%k = transpose(%w) {{perm = [0, 2, 1, 3]}}",
        "%y = matmul(%q, %k) {{transpose_b = true}}",
    ),
    "transposed left operand": (
        "%x: tensor<{b}x{d}x{h}x{s}xf16>, %w: tensor<{b}x{h}x{d}x{t}xf16>",
        "%q = transpose(%x) {{perm = [0, 2, 1, 3]}}",
        "%y = matmul(%q, %w) {{transpose_a = true}}",
    ),
    "operand and result": (
        "%x: tensor<{b}x{h}x{s}x{t}xf16>, %w: tensor<{b}x{t}x{h}x{d}xf16>",
        "%v = transpose(%w) {{perm = [0, 2, 1, 3]}}",
        "%0 = matmul(%x, %v)",
        "%y = transpose(%0) {{perm = [0, 2, 1, 3]}}",
    ),
    "behind an epilogue": (
        "%x: tensor<{b}x{h}x{s}x{t}xf16>, %w: tensor<{b}x{h}x{t}x{d}xf16>, %z: tensor<{d}xf16>",
        "%0 = matmul(%x, %w)", "%1 = add(%0, %z)", "%2 = gelu(%1)",
        "%y = transpose(%2) {{perm = [0, 2, 1, 3]}}",
    ),
    "before an epilogue": (
        "%x: tensor<{b}x{h}x{s}x{t}xf16>, %w: tensor<{b}x{h}x{t}x{d}xf16>, %z: tensor<{b}x{s}x{h}x{d}xf16>",
        "%0 = matmul(%x, %w)", "%1 = transpose(%0) {{perm = [0, 2, 1, 3]}}", "%y = add(%1, %z)",
    ),
    "rows of several dimensions": (
        "%x: tensor<{s}x{b}x{h}x{d}xf16>, %w: tensor<{d}x{t}xf16> {{weight}}",
        "%q = transpose(%x) {{perm = [2, 1, 0, 3]}}", "%0 = matmul(%q, %w)", "%y = relu(%0)",
    ),
    "rows that come back": (
        "%x: tensor<{s}x{b}x{h}x{d}xf16>, %w: tensor<{d}x{t}xf16> {{weight}}, %z: tensor<{h}x{t}xf16>",
        "%q = transpose(%x) {{perm = [2, 1, 0, 3]}}", "%0 = matmul(%q, %w)",
        "%1 = transpose(%0) {{perm = [2, 1, 0, 3]}}", "%2 = gelu(%1)", "%y = add(%2, %z)",
    ),
    "part of a tensor": (
        "%x: tensor<{b}x{s}x{h}x96xf16>, %w: tensor<{b}x{t}x{h}x32xf16>",
        "%0 = slice(%x) {{starts = [32], ends = [64], axes = [3]}}",
        "%q = transpose(%0) {{perm = [0, 2, 1, 3]}}",
        "%k = transpose(%w) {{perm = [0, 2, 1, 3]}}",
        "%y = matmul(%q, %k) {{transpose_b = true}}",
    ),
    "part of what is added": (
        "%x: tensor<{b}x{h}x{s}x{t}xf16>, %w: tensor<{b}x{h}x{t}x{d}xf16>, %z: tensor<{b}x{h}x1{s}x1{d}xf16>",
        "%0 = matmul(%x, %w)", "%1 = slice(%z) {{starts = [-{s}, -{d}], ends = [9999, 9999], axes = [2, 3]}}",
        "%2 = tanh(%1)", "%3 = add(%0, %2)", "%y = sigmoid(%3)",
    ),
    "part of a convolution's residual": (
        "%x: tensor<{b}x16x{h}x{s}xf16>, %w: tensor<{d}x16x1x1xf16> {{weight}}, %z: tensor<{b}x1{d}x9x1{s}xf16>",
        "%0 = conv2d(%x, %w)",
        "%1 = slice(%z) {{starts = [-{d}, -{h}, -{s}], ends = [9999, 9999, 9999], axes = [1, 2, 3]}}",
        "%2 = add(%0, %1)", "%y = relu(%2)",
    ),
}  # fmt: skip
EVERY = [(name, chip, shape) for name in GRAPHS for chip in CHIPS for shape in range(len(SHAPES))]
SOME = [
    (name, chip, TILES_OF_SEVERAL if "rows" in name else (i + j) % TILES_OF_SEVERAL)
    for (i, name), (j, chip) in itertools.product(enumerate(GRAPHS), enumerate(CHIPS))
]


def text(name: str, shape: int) -> str:
    arguments, *body = (part.format(**SHAPES[shape]) for part in GRAPHS[name])
    return "\n".join([f"graph @g({arguments}) {{", *body, "return %y", "}"])


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("name", "chip", "shape"), EVERY if ALL else SOME)
def test_values(name: str, chip: str, shape: int) -> None:
    check(text(name, shape), chip)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", GRAPHS)
def test_one_kernel(name: str, chip: str) -> None:
    program = ascend_opt.compile(text(name, 0), target=chip, tune=1)
    assert len(program.time().kernels) == 1


def test_rows_that_are_no_blocks_stay_apart() -> None:
    graph = "graph @g(%x: tensor<2x3x20x16xf16>, %w: tensor<2x3x16x10xf16>) {\n  %0 = matmul(%x, %w)\n"
    graph += "  %y = transpose(%0) {perm = [0, 2, 1, 3]}\n  return %y\n}"
    program, result = check(graph, "ascend910")
    assert len(result.profile.kernels) == 2
    assert "rows of 10 elements" in program.report()


@pytest.mark.parametrize("name", GRAPHS)
def test_tiles_in_numpy_make_the_result(name: str) -> None:
    """The tile level means what the graph says, whatever the instructions are."""
    shape = TILES_OF_SEVERAL if "rows" in name else 1
    program = ascend_opt.compile(text(name, shape), target="ascend950", tune=1)
    inputs = seeded(text(name, shape))
    (expected,) = program.reference(inputs).values()
    kernel = kernel_of(program)
    prepared = [_packed(value, inputs) for value in kernel.inputs]
    stored = stored_tiles(kernel, prepared, expected.shape)
    np.testing.assert_allclose(stored, expected, atol=2e-2, rtol=2e-2)


def _packed(value: SSAValue, inputs: dict[str, np.ndarray]) -> np.ndarray:
    if isinstance(value.owner, PackOp):
        return pack(value.owner, inputs[value.owner.operands[0].name_hint or ""])
    return inputs[value.name_hint or ""]


@pytest.mark.parametrize("value", [0.0, 0.5])
def test_padding_behind_an_operands_rows_is_a_kernel(value: float) -> None:
    """What lies behind a row of the tensor is the next row, no padding."""
    text = f"""graph @f(%x: tensor<2x5x2xf16>, %w: tensor<2x13x4xf16> {{weight}}) {{
      %p = pad(%x) {{pads = [0, 0, 0, 0, 0, 2], value = {value}}}
      %y = matmul(%p, %w) {{transpose_b = true}}
      return %y
    }}"""
    check(text, "ascend950")


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b", "ascend950"])
@pytest.mark.parametrize(("rows", "run"), [("5", 5), ("?", 3), ("?", 40)])
@pytest.mark.parametrize(("columns", "value"), [(3, 0.0), (3, 1.5), (16, -2.0), (20, 0.5)])
def test_padding_beside_a_product(rows: str, run: int, columns: int, value: float, chip: str) -> None:
    """What is added to it is no part of a tensor: the columns behind the tensor's have the fill value."""
    text = f"""graph @f(%x: tensor<{rows}x8xf16>, %w: tensor<8x24xf16> {{weight}}, %a: tensor<{rows}x{columns}xf16>) {{
      %p = pad(%a) {{pads = [0, 0, 0, {24 - columns}], value = {value}}}
      %m = matmul(%x, %w)
      %y = add(%m, %p)
      return %y
    }}"""
    program = ascend_opt.compile(text, target=chip)
    draw = np.random.default_rng(run)
    x, w, a = (draw.normal(size=n).astype(np.float16) for n in ((run, 8), (8, 24), (run, columns)))
    expected = x.astype(np.float32) @ w.astype(np.float32)
    expected += np.pad(a.astype(np.float32), ((0, 0), (0, 24 - columns)), constant_values=value)
    np.testing.assert_allclose(program.run(x=x, w=w, a=a).outputs["output0"], expected, rtol=2e-3, atol=2e-3)
