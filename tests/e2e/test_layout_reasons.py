"""Why a tensor stays row-major between kernels, or is in blocks, as the report says it."""

import pytest
from layout_graphs import GRAPHS, always_in_blocks, convolutions, error, layouts, matrices

import ascend_opt
from ascend_opt.passes.fusion import layouts as layout_plan


@pytest.fixture
def whenever_they_can(monkeypatch: pytest.MonkeyPatch):
    """Every tensor that can be in blocks is, whatever it saves."""
    always_in_blocks(monkeypatch)


REASONS = [
    ("relu(%3)", "return %5, %2", "it is a result of the graph"),
    ("softmax(%3)", "return %4", "graph.softmax, which reads it, takes whole rows"),
    ("exp(%3) {nofuse}", "return %5", "the kernel of graph.exp, which reads it, sees other dimensions"),
    ("bias_add(%3, %b) {nofuse}", "return %5", "graph.bias_add reads it in another order"),
    ("reshape(%3) {shape = [32, -1]}", "return %4", "graph.reshape sees its elements in another order"),
]


@pytest.mark.parametrize(("after", "returned", "reason"), REASONS)
@pytest.mark.usefixtures("whenever_they_can")
def test_the_report_says_why_a_tensor_stays_row_major(after: str, returned: str, reason: str):
    text = convolutions("1x16x14x14", "32x16x3x3", "32x32x3x3", after=after).replace("return %5", returned)
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    assert reason in {record.reason for record in layouts(program)}


def between(op: str) -> str:
    """Two convolutions, and an op in a kernel of its own between them."""
    return f"""graph @f(%x: tensor<1x16x14x14xf16>, %w: tensor<32x16x3x3xf16> {{weight}},
                        %v: tensor<32x32x3x3xf16> {{weight}}) {{
      %0 = conv2d(%x, %w) {{pads = [1, 1, 1, 1], fuse = a}}
      %1 = relu(%0) {{fuse = a}}
      {op}
      %7 = conv2d(%6, %v) {{pads = [1, 1, 1, 1], fuse = b}}
      return %7
    }}"""


GROUPED = convolutions("1x16x9x9", "32x16x3x3", "32x16x3x3").replace(
    "strides", "nofuse = b, groups = 2, strides"
)
PRODUCTS = [
    (
        matrices("64", 48, 64, 64).replace("relu(%0)", "softmax(%0)"),
        "graph.softmax, which gives it, works on whole rows",
    ),
    (matrices("64", 48, 64, 64).replace("f16", "f32"), "blocks of f32 are not alike in L1 and UB"),
    (
        matrices("64", 48, 40, 64),
        "the kernel of graph.relu, which gives it, has no tiles in blocks of one of its dimensions",
    ),
    (
        matrices("2x32", 48, 64, 64).replace("<48x64xf16> {weight}", "<2x48x64xf16>"),
        "the kernel of graph.matmul, which reads it, sees other dimensions",
    ),
    (
        matrices("64", 48, 64, 64).replace("matmul(%1, %v)", "matmul(%1, %v) {transpose_a = true}"),
        "graph.matmul reads it in another order",
    ),
    (
        matrices("64", 48, 64, 64).replace("matmul(%1, %v)", "matmul(%v, %1)"),
        "graph.matmul reads it in another order",
    ),
    (GROUPED, "graph.conv2d, which reads it, is grouped"),
    (
        GROUPED.replace("relu(%3)", "max_pool2d(%3) {kernel = [3, 3]}"),
        "graph.conv2d, which gives it, is grouped",
    ),
    (
        convolutions("1x16x9x9", "32x16x3x3", "32x32x3x3").replace(
            "%v: tensor<32x32x3x3xf16> {weight}", "%v: tensor<32x32x3x3xf16>"
        ),
        "the filters of graph.conv2d are no weights",
    ),
    (
        matrices("64", 48, 64, 64)
        .replace("matmul(%1, %v)", "exp(%1) {fuse = b}\n%9 = matmul(%2, %v) {fuse = b}")
        .replace("relu(%2)", "relu(%9)"),
        "graph.exp reads it in another order",
    ),
    (
        between(
            "%6 = slice(%1) {starts = [0, 0], ends = [14, 14], steps = [2, 2], axes = [2, 3], nofuse = c}"
        ),
        "graph.slice reads it in another order",
    ),
    (
        between("%6 = transpose(%1) {perm = [0, 1, 3, 2], nofuse = c}"),
        "graph.transpose reads it in another order",
    ),
    (
        """graph @f(%a: tensor<1x32x16x16xf16>, %b: tensor<16x16xf16> {weight}, %x: tensor<1x16x16x16xf16>,
                    %w: tensor<32x16x3x3xf16> {weight}) {
          %0 = matmul(%a, %b) {fuse = a}
          %1 = relu(%0) {fuse = a}
          %2 = conv2d(%x, %w) {pads = [1, 1, 1, 1], fuse = b}
          %3 = add(%2, %1) {fuse = b}
          return %3
        }""",
        "graph.conv2d reads it in another order",
    ),
    (
        """graph @f(%x: tensor<1x32x1x1xf16>, %w: tensor<32x32x1x1xf16> {weight}, %z: tensor<1x32x9x9xf16>,
                    %v: tensor<32x32x3x3xf16> {weight}) {
          %0 = conv2d(%x, %w) {fuse = a}
          %1 = sigmoid(%0) {fuse = a}
          %2 = conv2d(%z, %v) {pads = [1, 1, 1, 1], fuse = b}
          %3 = mul(%2, %1) {fuse = b}
          return %3
        }""",
        "graph.conv2d reads it in another order",
    ),
]


@pytest.mark.parametrize(("text", "reason"), PRODUCTS)
@pytest.mark.usefixtures("whenever_they_can")
def test_the_report_says_why_a_product_reads_or_writes_rows(text: str, reason: str):
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    assert reason in {record.reason for record in layouts(program)}
    assert error(program) <= 3e-3


def test_what_saves_nothing_stays_row_major(monkeypatch: pytest.MonkeyPatch):
    def same(model: layout_plan.CostModel, groups: list[layout_plan.Group], _: float = 0) -> float:
        return 1.0

    monkeypatch.setattr(layout_plan, "_time", same)
    (record, *_) = layouts(ascend_opt.compile(GRAPHS["matrix"], target="ascend910", tune=1))
    assert (record.layout, record.saved_us) == ("", 0.0)
    assert record.reason == "its kernels are predicted to be no slower without"


@pytest.mark.parametrize(
    ("times", "layout", "reason"),
    [
        ((None, 1.0), "", "no tiles of its kernels fit with it in blocks"),
        ((None, None), "", "no tiles of its kernels fit with it in blocks"),
        ((1.0, None), "NZ", "no tiles of its kernels fit with it in rows"),
    ],
)
def test_what_has_no_tiles_is_not_compared(
    times: tuple[float | None, float | None], layout: str, reason: str, monkeypatch: pytest.MonkeyPatch
):
    """Of the kernels with the tensor in blocks, then in rows, those that no tiles fit have no time."""
    known = iter(times)

    def time(model: layout_plan.CostModel, groups: list[layout_plan.Group], _: float = 0) -> float | None:
        for group in groups:
            model.anew(group)
        return next(known)

    monkeypatch.setattr(layout_plan, "_time", time)
    (record, *_) = layouts(ascend_opt.compile(GRAPHS["matrix"], target="ascend910", tune=1))
    assert (record.layout, record.reason, record.saved_us) == (layout, reason, None)
