"""Products beside ops that need whole rows, and left operands that stay in L1 for all tiles of columns."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from fused_graphs import TOLERANCE, check, seeded
from product_tilings import product_tilings

import ascend_opt
import ascend_opt.passes.kernels.product.search as cube_search
from ascend_opt.compiler.api import CompileError
from ascend_opt.dialects import ascend
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.kernels.product.problem import problem_of
from ascend_opt.passes.kernels.product.search import best_product_tilings as searched
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.regions.tiling import ProductTiling

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
X, W = "%x: tensor<{m}x{k}xf16>", "%w: tensor<{k}x{n}xf16> {{weight}}"
GRAPHS = {
    "rms_norm before": (f"{X}, %g: tensor<{{k}}xf16>, {W}", "%0 = rms_norm(%x, %g)", "%y = matmul(%0, %w)"),
    "layer_norm before, gelu behind": (
        f"{X}, %g: tensor<{{k}}xf16>, %h: tensor<{{k}}xf16>, %b: tensor<{{n}}xf16>, {W}",
        "%0 = layer_norm(%x, %g, %h)", "%1 = matmul(%0, %w)", "%2 = add(%1, %b)", "%y = gelu(%2)",
    ),
    "sum, layer_norm behind": (
        f"{X}, %z: tensor<{{m}}x{{n}}xf16>, %b: tensor<{{n}}xf16>, %g: tensor<{{n}}xf16>, %h: tensor<{{n}}xf16>, {W}",
        "%0 = matmul(%x, %w)", "%1 = add(%0, %b)", "%2 = add(%1, %z)", "%y = layer_norm(%2, %g, %h)",
    ),
    "softmax behind": (f"{X}, {W}", "%0 = matmul(%x, %w)", "%y = softmax(%0)"),
}  # fmt: skip
SHAPES = ({"m": 33, "k": 100, "n": 70}, {"m": 1, "k": 16, "n": 16}, {"m": 64, "k": 48, "n": 768})
BLOCK = """graph @f(%x: tensor<1x32x6x14xf16>, %d: tensor<32x1x3x3xf16> {weight}, %w: tensor<48x32x1x1xf16> {weight}) {
  %0 = conv2d(%x, %d) {pads = [1, 1, 1, 1], groups = 32, fuse = "a"}
  %1 = relu(%0) {fuse = "a"}
  %y = conv2d(%1, %w) {fuse = "a"}
  return %y
}"""


def text_of(name: str, shape: dict[str, int]) -> str:
    arguments, *lines = GRAPHS[name]
    body = "\n  ".join(f'{line.format(**shape)} {{fuse = "a"}}' for line in lines)
    return f"graph @f({arguments.format(**shape)}) {{\n  {body}\n  return %y\n}}"


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("chip", CHIPS)
def test_values(name: str, chip: str):
    """One kernel, the reference's values, no hazard; each chip and graph see some of the shapes."""
    shape = SHAPES[([*GRAPHS].index(name) + CHIPS.index(chip)) % len(SHAPES)]
    program, result = check(text_of(name, shape), chip)
    assert len(result.profile.kernels) == 1
    assert program.target_name == chip


def _only(keep: dict[str, int]) -> Callable[[Regions, bool, Target, int], list[ProductTiling]]:
    """In the place of the tile search: the first tiling of several tiles of columns that has the fields `keep`."""

    def search(
        regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        problem = problem_of(regions, packed, target)
        found = (t for t, _ in product_tilings(problem) if all(getattr(t, k) == v for k, v in keep.items()))
        several = (t for t in found if t.tiles[problem.roles.n] < problem.extents[problem.roles.n])
        best = next(several, None)
        return (
            [best]
            if best is not None and regions.prologue
            else searched(regions, packed, target, count, *within)
        )

    return search


def _search_for(monkeypatch: pytest.MonkeyPatch, keep: dict[str, int]) -> None:
    monkeypatch.setattr(cube_search, "best_product_tilings", _only(keep))


@pytest.mark.parametrize("chip", CHIPS)
def test_operand_stays_in_l1(chip: str, monkeypatch: pytest.MonkeyPatch):
    """Computed once for several tiles of columns, in steps of K: the values, and less work of the Vector unit than
    where each tile computes it."""
    busy: dict[int, float] = {}
    for resident in (0, 16):
        _search_for(monkeypatch, {"step": 16, "resident": resident})
        _, result = check(BLOCK, chip)
        (kernel,) = result.profile.kernels
        busy[resident] = sum(
            p.busy_us * kernel.cores for name, p in kernel.pipes.items() if name.endswith("V")
        )
    assert busy[16] < busy[0]


@pytest.mark.parametrize("chip", ("ascend910", "ascend910b1"))
def test_rows_in_parts(chip: str, monkeypatch: pytest.MonkeyPatch):
    """Whole rows of the operand a few at a time, weights in several steps of K and tiles of columns."""
    text = text_of("rms_norm before", {"m": 48, "k": 64, "n": 64})
    _search_for(monkeypatch, {"step": 16, "rows": 16})
    check(text, chip)


def test_columns_stay_together(monkeypatch: pytest.MonkeyPatch):
    """No legal tile cuts columns that an op behind the product needs whole, even if they are no multiple of 16."""
    seen: list[ProductTiling] = []

    def search(
        regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        if regions.rows:
            seen.extend(t for t, _ in product_tilings(problem_of(regions, packed, target)))
        return searched(regions, packed, target, count, *within)

    monkeypatch.setattr(cube_search, "best_product_tilings", search)
    text = text_of("softmax behind", {"m": 33, "k": 100, "n": 70})
    ascend_opt.compile(text, target="ascend910", tune=1)
    assert seen
    assert all(t.tiles[-1] == 70 and not t.lead for t in seen)


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        (text_of("softmax behind", {"m": 16, "k": 16, "n": 32768}), "no tile"),
        (text_of("rms_norm before", {"m": 16, "k": 65536, "n": 16}), "no tile fits"),
        (
            (
                'graph @f(%x: tensor<8x16xf16>, %w: tensor<16x32xf16>) {\n  %0 = matmul(%x, %w) {fuse = "a"}\n'
                '  %y = softmax(%0) {axis = 0, fuse = "a"}\n  return %y\n}'
            ),
            "needs more than the columns",
        ),
        (
            (
                'graph @f(%x: tensor<8x16xf16>, %w: tensor<16x32xf16>) {\n  %0 = matmul(%x, %w) {fuse = "a"}\n'
                '  %y = reduce_sum(%0) {axes = [1], fuse = "a"}\n  return %y\n}'
            ),
            "reduces what a product gives",
        ),
        (
            (
                "graph @f(%x: tensor<2x3x13x17xf16>, %w: tensor<15x40xf16>) {\n"
                "  %0 = max_pool2d(%x) {kernel = [3, 3], fuse = g}\n  %y = matmul(%0, %w) {fuse = g}\n  return %y\n}"
            ),
            "a window runs along what graph.matmul reduces",
        ),
        (
            (
                "graph @f(%x: tensor<2x3x13x17xf16>, %w: tensor<17x40xf16>) {\n"
                "  %0 = matmul(%x, %w) {fuse = g}\n  %y = avg_pool2d(%0) {kernel = [3, 3], fuse = g}\n  return %y\n}"
            ),
            "a window runs along the columns of what graph.matmul gives",
        ),
    ],
)
def test_refused(graph: str, reason: str):
    """What does not fit, or needs rows that no tile holds, is refused at its line with the reason."""
    with pytest.raises(CompileError, match=reason) as caught:
        ascend_opt.compile(graph, target="ascend910", tune=1)
    assert re.match(r"<string>:\d+:\d+: ", str(caught.value))


@pytest.mark.parametrize(
    ("chip", "dtype", "lines"),
    [
        (
            "ascend910",
            "f16",
            ("max_pool2d(%x) {kernel = [3, 1], pads = [1, 0, 1, 0], fuse = g}", "matmul(%0, %w)"),
        ),
        (
            "ascend910b",
            "f32",
            ("matmul(%x, %w)", "avg_pool2d(%0) {kernel = [3, 1], strides = [2, 1], fuse = g}"),
        ),
        ("ascend310p", "f16", ("select(%m, %x, %x2) {fuse = g}", "matmul(%0, %w)")),
    ],
    ids=["window before", "window behind", "mask before"],
)
def test_windows_along_rows_and_masks(chip: str, dtype: str, lines: tuple[str, str]):
    """Windows along rows of a matrix shift no lanes; a mask is held as numbers."""
    first, second = lines
    if "fuse" not in first:
        first += " {fuse = g}"
    if "fuse" not in second:
        second += " {fuse = g}"
    x = "tensor<2x3x13x17xDT>"
    extra = f", %x2: {x}, %m: tensor<2x3x13x17xi1>" if "select" in first else ""
    text = (
        f"graph @f(%x: {x}, %w: tensor<17x40xDT>{extra}) {{\n  %0 = {first}\n  %1 = {second}\n  return %1\n}}"
    ).replace("DT", dtype)
    inputs = seeded(text)
    if "select" in first:
        inputs["m"] = inputs["x"] > 0.1
    program = ascend_opt.compile(text, target=chip, tune=1)
    result, expected = program.run(inputs), program.reference(inputs)["output0"]
    found = result.outputs["output0"].astype(np.float64)
    assert np.linalg.norm(found - expected) <= TOLERANCE[dtype] * np.linalg.norm(expected)
    assert len(result.profile.kernels) == 1


def test_seeded_rows_are_not_trivial():
    """The inputs of these tests differ from row to row, so that a norm over the wrong ones shows."""
    x = seeded(text_of("rms_norm before", SHAPES[0]))["x"]
    assert abs(float((x[0] ** 2).mean() - (x[1] ** 2).mean())) > 1e-3


@pytest.mark.parametrize(("chip", "dtype"), [("ascend910", "f16"), ("ascend950", "f32")])
@pytest.mark.parametrize("filters", [17, 40])
def test_rows_of_channels_that_are_no_whole_blocks(chip: str, dtype: str, filters: int) -> None:
    """What the last block of a convolution's channels holds behind them is no part of a row."""
    text = f"""graph @f(%x: tensor<1x16x12x17x{dtype}>, %w: tensor<{filters}x16x1x1x{dtype}> {{weight}}) {{
      %c = conv2d(%x, %w)
      %y = softmax(%c) {{axis = 1}}
      return %y
    }}"""
    _, result = check(text, chip, dtype)
    assert len(result.profile.kernels) == 1


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_a_number_beside_a_product_in_chunks_of_columns(chip: str) -> None:
    """All chunks of the columns take the one number."""
    text = """graph @f(%x: tensor<3x16x16x13xf16>, %w: tensor<64x16x5x3xf16> {weight}, %b: tensor<1x1xf16>) {
      %c = conv2d(%x, %w) {pads = [0, 2, 1, 0]}
      %y = maximum(%b, %c)
      return %y
    }"""
    check(text, chip)


def test_rows_that_are_normed_twice_share_bytes() -> None:
    """The kernel computes tiles while the next are loaded: what it needs for one norm is free for the other."""
    text = """graph @f(%x: tensor<257x128xf16>, %w: tensor<128x513xf16> {weight}, %g: tensor<513xf16>) {
      %0 = matmul(%x, %w)
      %1 = layer_norm(%0, %g, %g)
      %2 = layer_norm(%1, %g, %g)
      %y = layer_norm(%2, %g, %g)
      return %y
    }"""
    _, result = check(text, "ascend310p")
    assert len(result.profile.kernels) == 1


def test_weights_are_asked_for_before_rows_are_waited_for():
    """While Vector cores compute the first rows, the Cube's weights are on their way."""
    for chip in ("ascend910b1", "ascend950"):
        shape = {"m": 2048, "k": 64, "n": 1024}
        program = ascend_opt.compile(text_of("rms_norm before", shape), target=chip, tune=1)
        (cube,) = (
            op for op in program.module.walk() if isinstance(op, ascend.KernelOp) and op.core_kind == "aic"
        )
        kinds = [type(op) for op in cube.walk() if isinstance(op, ascend.CopyOp | ascend.CrossWaitFlagOp)]
        assert kinds.index(ascend.CopyOp) < kinds.index(ascend.CrossWaitFlagOp), chip
