"""Concatenations whose parts are written where they lie in the joined tensor: no kernel, the right values."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from fused_graphs import TOLERANCE, seeded
from xdsl.dialects.builtin import IntegerAttr, i64

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects import ascend, tile
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion.cost_model import CostModel
from ascend_opt.passes.fusion.duplicate_moves import plan_with_copies
from ascend_opt.passes.fusion.join_tensors import join_tensors
from ascend_opt.passes.fusion.layouts import LayoutPlan, plan_layouts
from ascend_opt.passes.fusion.plan import FusionPlan
from ascend_opt.passes.fusion.weigh import Limits
from ascend_opt.passes.rewrites.prepare_graph import prepare_graph
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError

CHIPS = ["ascend910", "ascend310p", "ascend910b1", "ascend950"]


def conv(x: np.ndarray, w: np.ndarray, pad: int = 0) -> np.ndarray:
    """By definition, in f64; NCHW."""
    x = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))
    return np.einsum("nchwij,ocij->nohw", windows, w.astype(np.float64))


def run(
    text: str, chip: str, kernels: int | None = None
) -> tuple[Program, dict[str, np.ndarray], list[np.ndarray]]:
    program = ascend_opt.compile(text, target=chip, tune=1, join_launches=kernels is None)
    given = seeded(text)
    result = program.run(given)
    if kernels is not None:
        assert len(result.profile.kernels) == kernels, program.report()
    return program, given, [array.astype(np.float64) for array in result.outputs.values()]


def close(found: np.ndarray, wanted: np.ndarray) -> None:
    assert found.shape == wanted.shape
    assert np.linalg.norm(found - wanted) <= TOLERANCE["f16"] * np.linalg.norm(wanted)


def concats(program: Program) -> int:
    """Kernels that join tensors."""
    module = compile_until(program, "tile")
    return sum("graph.concat" in str(op.ops) for op in module.walk() if isinstance(op, tile.KernelOp))


def fire(height: int, width: int, o: Sequence[int] = (64, 64)) -> str:
    return f"""graph @fire(%x: tensor<1x16x{height}x{width}xf16>, %w1: tensor<{o[0]}x16x1x1xf16> {{weight}},
            %w3: tensor<{o[1]}x16x3x3xf16> {{weight}}, %w: tensor<32x{sum(o)}x1x1xf16> {{weight}}) {{
  %a = conv2d(%x, %w1)
  %b = relu(%a)
  %c = conv2d(%x, %w3) {{pads = [1, 1, 1, 1]}}
  %d = relu(%c)
  %y = concat(%b, %d) {{axis = 1}}
  %z = conv2d(%y, %w)
  return %z
}}"""


@pytest.mark.full
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("size", [(54, 54), (28, 20), (7, 7)])
def test_two_convolutions_side_by_side(chip: str, size: tuple[int, int]):
    program, given, (found,) = run(fire(*size), chip)
    b, d = conv(given["x"], given["w1"]), conv(given["x"], given["w3"], 1)
    close(found, conv(np.maximum(np.concatenate([b, d], 1), 0), given["w"]))
    assert concats(program) == 0


@pytest.mark.parametrize("chip", CHIPS)
def test_parts_that_are_no_blocks_of_channels(chip: str):
    """24 and 40 channels: the planes lie in rows, where a part still is whole blocks of 32 B."""
    program, given, (found,) = run(fire(16, 16, (24, 40)), chip)
    b, d = conv(given["x"], given["w1"]), conv(given["x"], given["w3"], 1)
    close(found, conv(np.maximum(np.concatenate([b, d], 1), 0), given["w"]))
    if chip == "ascend910b1":
        assert concats(program) == 0


@pytest.mark.parametrize("chip", CHIPS)
def test_a_list_that_grows(chip: str):
    """As in a dense block: each tensor lies in all of the concatenations that take it."""
    text = """graph @dense(%x: tensor<1x32x14x14xf16>, %w0: tensor<16x32x1x1xf16> {weight},
        %w1: tensor<32x32x3x3xf16> {weight}, %w2: tensor<16x48x3x3xf16> {weight}, %w3: tensor<32x64x1x1xf16> {weight}) {
  %a = conv2d(%x, %w0)
  %b = conv2d(%x, %w1) {pads = [1, 1, 1, 1]}
  %ab = concat(%a, %b) {axis = 1}
  %c = conv2d(%ab, %w2) {pads = [1, 1, 1, 1]}
  %abc = concat(%a, %b, %c) {axis = 1}
  %y = conv2d(%abc, %w3)
  return %y
}"""
    program, given, (found,) = run(text, chip)
    a, b = conv(given["x"], given["w0"]), conv(given["x"], given["w1"], 1)
    c = conv(np.concatenate([a, b], 1), given["w2"], 1)
    close(found, conv(np.concatenate([a, b, c], 1), given["w3"]))
    assert concats(program) == 0
    views = {
        (view.start, str(view.result.type))
        for view in program.module.walk()
        if isinstance(view, ascend.ViewTensorOp)
    }
    assert len({start for start, _ in views if start is not None}) == 3


@pytest.mark.parametrize("chip", CHIPS)
def test_a_concatenation_of_concatenations_that_is_the_result(chip: str):
    text = """graph @nested(%x: tensor<48x64xf16>, %w0: tensor<64x32xf16> {weight}, %w1: tensor<64x32xf16> {weight},
                %w2: tensor<64x32xf16> {weight}) {
  %a = matmul(%x, %w0)
  %b = matmul(%x, %w1)
  %c = matmul(%x, %w2)
  %bc = concat(%b, %c) {axis = 0}
  %s = reshape(%bc) {shape = [96, 32]}
  %y = concat(%a, %s) {axis = 0}
  return %y
}"""
    program, given, (found,) = run(text, chip, 3)
    x = given["x"].astype(np.float64)
    close(found, np.concatenate([x @ given[w].astype(np.float64) for w in ("w0", "w1", "w2")]))
    assert concats(program) == 0


ROWS = """graph @rows(%x: tensor<32x64xf16>, %z: tensor<32x32xf16>, %w0: tensor<64x32xf16> {weight},
             %w1: tensor<64x32xf16> {weight}) {
  %a = matmul(%x, %w0)
  %b = matmul(%x, %w1)
  @concat@
}"""
KEPT = {
    "no kernel gives one of its parts": ("%y = concat(%a, %z) {axis = 0}\n return %y", "az"),
    "a part is a result of the graph": ("%y = concat(%a, %b) {axis = 0}\n return %a, %y", "a|ab"),
    "its parts have gaps in it": ("%y = concat(%a, %b) {axis = 1}\n return %y", "a-b"),
    "a part of it lies in another tensor": (
        "%y = concat(%a, %a) {axis = 0}\n %v = concat(%b, %a) {axis = 0}\n return %y, %v", "aa|ba"
    ),
    "the graph asks for its kernel": ("%y = concat(%a, %b) {axis = 0, nofuse}\n return %y", "ab"),
}  # fmt: skip


@pytest.mark.parametrize("reason", KEPT)
@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_what_stays_a_kernel(chip: str, reason: str):
    lines, wanted = KEPT[reason]
    program, given, found = run(ROWS.replace("@concat@", lines), chip)
    x = given["x"].astype(np.float64)
    parts = {
        "a": x @ given["w0"].astype(np.float64),
        "b": x @ given["w1"].astype(np.float64),
        "z": given["z"],
    }
    for array, names in zip(found, wanted.split("|"), strict=True):
        axis = 1 if "-" in names else 0
        close(array, np.concatenate([parts[n] for n in names if n != "-"], axis))
    assert f"is a kernel: {reason}" in program.report()
    assert concats(program) == 1


def test_parts_that_end_inside_a_block():
    lines = "%y = concat(%a, %b) {axis = 0}\n return %y"
    text = ROWS.replace("x32xf16", "x31xf16").replace("tensor<32x", "tensor<3x").replace("@concat@", lines)
    program, _, _ = run(text, "ascend910b1", 3)
    assert "a part of it ends inside a block of 32 B" in program.report()


def test_elements_of_both_parts_computed_in_one_kernel_stay_there():
    text = """graph @f(%x: tensor<64x512xf16>, %z: tensor<64x512xf16>) {
  %a = tanh(%x)
  %b = relu(%z)
  %y = concat(%a, %b) {axis = 0}
  return %y
}"""
    _, given, (found,) = run(text, "ascend910b1", 1)
    close(found, np.concatenate([np.tanh(given["x"].astype(np.float64)), np.maximum(given["z"], 0)]))


def test_what_reads_the_joined_tensor_takes_it_in_its_kernel():
    """Scale, shift and relu of a dense block run on the way into the product behind them."""
    text = """graph @f(%x: tensor<1x32x28x28xf16>, %w0: tensor<32x32x3x3xf16> {weight},
             %w1: tensor<32x32x3x3xf16> {weight}, %w2: tensor<32x64x1x1xf16> {weight},
             %s: tensor<64x1x1xf16> {weight}) {
  %a = conv2d(%x, %w0) {pads = [1, 1, 1, 1]}
  %b = conv2d(%x, %w1) {pads = [1, 1, 1, 1]}
  %y = concat(%a, %b) {axis = 1}
  %m = mul(%y, %s)
  %r = relu(%m)
  %z = conv2d(%r, %w2)
  return %z
}"""
    program, given, (found,) = run(text, "ascend910b1")
    a, b = conv(given["x"], given["w0"], 1), conv(given["x"], given["w1"], 1)
    close(found, conv(np.maximum(np.concatenate([a, b], 1) * given["s"].astype(np.float64), 0), given["w2"]))
    assert concats(program) == 0


def test_a_wrong_place_is_found():
    """A part over another one leaves bytes of the result that nothing writes."""
    lines = "%y = concat(%a, %b) {axis = 0}\n return %y"
    program = ascend_opt.compile(
        ROWS.replace("@concat@", lines), target="ascend910b1", tune=1, join_launches=False
    )
    views = [op for op in program.module.walk() if isinstance(op, ascend.ViewTensorOp) and op.start]
    assert [view.start for view in views] == [32 * 32 * 2]
    views[0].offset = IntegerAttr(0, i64)
    with pytest.raises(HazardError, match="nothing wrote 2048 of the 4096 bytes of result 0"):
        Emulator(program.module, load_target("ascend910b1")).run(None, bound(program))


def bound(program: Program) -> dict[str, np.ndarray]:
    return {name: np.ones(kind.shape, np.float16) for name, kind in program.inputs.items()}


@pytest.mark.parametrize("axis", [-2, 0])
def test_an_axis_may_be_counted_from_the_end(axis: int):
    program, given, (found,) = run(
        ROWS.replace("@concat@", f"%y = concat(%a, %b) {{axis = {axis}}}\n return %y"), "ascend910"
    )
    x = given["x"].astype(np.float64)
    close(found, np.concatenate([x @ given[w].astype(np.float64) for w in ("w0", "w1")]))
    assert concats(program) == 0


def test_a_tensor_has_one_place():
    program, given, (found,) = run(
        ROWS.replace("@concat@", "%y = concat(%a, %a, %b) {axis = 0}\n return %y"), "ascend910b1"
    )
    x = given["x"].astype(np.float64)
    close(found, np.concatenate([x @ given[w].astype(np.float64) for w in ("w0", "w0", "w1")]))
    assert "is a kernel: a part of it lies in another tensor" in program.report()


@pytest.mark.parametrize("chip", CHIPS)
def test_rows_of_matrices_one_below_the_other_are_not_in_nz(chip: str):
    """Blocks of columns lie outside of rows there."""
    text = """graph @f(%x: tensor<512x256xf16>, %w0: tensor<256x512xf16> {weight}, %w1: tensor<256x512xf16> {weight},
             %w2: tensor<512x256xf16> {weight}) {
  %a = matmul(%x, %w0)
  %b = matmul(%x, %w1)
  %y = concat(%a, %b) {axis = 0}
  %z = matmul(%y, %w2)
  return %z
}"""
    program, given, (found,) = run(text, chip, 3)
    x, w0, w1, w2 = (given[name].astype(np.float64) for name in ("x", "w0", "w1", "w2"))
    close(found, np.concatenate([x @ w0, x @ w1]) @ w2)
    assert "joins parts that are no whole blocks" in program.report()


BESIDE = """graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x1x1xf16> {weight},
        %v: tensor<64x64x3x3xf16> {weight}) {
  %a = conv2d(%x, %w)
  %b = tanh(%a)
  %c = conv2d(%x, %v) {pads = [1, 1, 1, 1]}
  %d = tanh(%c)
  %y = concat(%b, %d) {axis = 1}
  %z = sigmoid(%y)
  return %z
}"""


@pytest.mark.sweep(1)
@pytest.mark.parametrize("slower", [0.1, 10.0])
def test_parts_are_written_in_place_where_that_is_faster(slower: float):
    """On ascend910 what reads the concatenation is in a kernel with it, if its price is the lower one."""
    target = load_target("ascend910")
    function = choose_function(read_module(BESIDE).module, None)
    prepare_graph(function, target)
    models: list[CostModel] = []

    def grouped() -> FusionPlan:
        plan, model = plan_with_copies(function, target, Limits())
        models.append(model)
        return plan

    def laid_out(plan: FusionPlan, joins: Sequence[tile.ConcatOp]) -> LayoutPlan:
        found = plan_layouts(plan, models[-1], joins=joins)
        by = slower if joins else 1
        return replace(
            found, costs=[cost and replace(cost, time_us=by * cost.time_us) for cost in found.costs]
        )

    plan = join_tensors(function, grouped, laid_out).plan
    joined = any(isinstance(op, tile.ConcatOp) for op in function.walk())
    assert joined == (slower < 1)
    assert [record.joined for record in plan.joins] == [joined]
    assert ("no slower with what is beside it" in plan.joins[0].reason) != joined


VIEWED: dict[str, tuple[str, str, Callable[[np.ndarray], np.ndarray]]] = {
    "resize": (
        "1x64x5x6",
        """resize(%a) {scales = [2.0, 2.0], mode = "nearest", coordinates = "asymmetric", rounding = "floor"}""",
        lambda a: a.repeat(2, 2).repeat(2, 3),
    ),
    "reshape": ("1x256x5x6", "reshape(%a) {shape = [1, 64, 10, 12]}", lambda a: a.reshape(1, 64, 10, 12)),
    "depth_to_space": (
        "1x256x5x6",
        """depth_to_space(%a) {block = 2, mode = "DCR"}""",
        lambda a: a.reshape(1, 2, 2, 64, 5, 6).transpose(0, 3, 4, 1, 5, 2).reshape(1, 64, 10, 12),
    ),
}
"""What a convolution gives, and how it comes to be an image of 64 x 10 x 12."""


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", VIEWED)
def test_a_view_joined_with_an_image_and_read_by_two_convolutions(name: str, chip: str):
    """As in the neck of a detector: no kernel gives the view, so the joined tensor cannot lie in blocks for it."""
    shape, move, moved = VIEWED[name]
    c = int(shape.split("x")[1])
    text = f"""graph @neck(%x: tensor<1x32x5x6xf16>, %z: tensor<1x32x10x12xf16>, %w: tensor<{c}x32x1x1xf16>,
            %u: tensor<64x32x3x3xf16>, %v: tensor<64x128x1x1xf16>, %t: tensor<64x128x1x1xf16>,
            %s: tensor<64x64x3x3xf16>) {{
  %a = conv2d(%x, %w)
  %b = {move}
  %c = conv2d(%z, %u) {{pads = [1, 1, 1, 1]}}
  %d = concat(%b, %c) {{axis = 1}}
  %e = conv2d(%d, %v)
  %f = conv2d(%d, %t)
  %y = conv2d(%e, %s) {{pads = [1, 1, 1, 1]}}
  %k = conv2d(%f, %s) {{pads = [1, 1, 1, 1]}}
  return %y, %k
}}"""
    _, given, found = run(text, chip)
    d = np.concatenate([moved(conv(given["x"], given["w"])), conv(given["z"], given["u"], 1)], 1)
    for result, w in zip(found, ("v", "t"), strict=True):
        close(result, conv(conv(d, given[w]), given["s"], 1))


@pytest.mark.parametrize("chip", CHIPS)
def test_parts_without_dimensions(chip: str):
    """Sums over everything, one behind the other: the second kernel reads what the first part lies in."""
    text = """graph @f(%x: tensor<3x4xf16>) {
  %a = reduce_sum(%x)
  %p = reshape(%a) {shape = [1]}
  %y = add(%x, %a)
  %b = reduce_sum(%y)
  %q = reshape(%b) {shape = [1]}
  %z = concat(%p, %q) {axis = 0}
  return %z
}"""
    _, given, (found,) = run(text, chip)
    x = given["x"].astype(np.float64)
    close(found, np.array([x.sum(), (x + x.sum()).sum()]))
