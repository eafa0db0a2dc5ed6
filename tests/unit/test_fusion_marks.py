"""`fuse` and `nofuse` in a graph: what becomes one kernel, values, and the errors of groups that cannot be one."""

from dataclasses import replace

import pytest
from xdsl.ir import Operation

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.compiler.checks.run_check import check_outputs
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.ascend import LaunchOp
from ascend_opt.passes.fusion.cost_model import CostModel
from ascend_opt.passes.fusion.forced_groups import stated_reason
from ascend_opt.passes.fusion.group_cost import GroupCost
from ascend_opt.passes.fusion.report import FusionReport
from ascend_opt.passes.support.module import kernel_ops

LINEAR = """
graph @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {{weight}}, %b: tensor<64xf16> {{weight}}) {{
  %p = matmul(%x, %w){}
  %s = bias_add(%p, %b){}
  %y = relu(%s){}
  %z = tanh(%y){}
  return %z
}}"""


def compiled(text: str, **options: float) -> Program:
    return ascend_opt.compile(text, "ascend910", tune=1, **options)  # pyright: ignore[reportArgumentType]


def kernels(program: Program) -> int:
    return sum(isinstance(op, LaunchOp) for op in program.module.walk())


@pytest.mark.parametrize(
    ("marks", "count"),
    [
        (("", "", "", ""), 1),
        (("", "", " {nofuse}", ""), 3),
        ((" {nofuse}", "", "", ""), 2),
        ((" {fuse = a}", " {fuse = a}", " {fuse = b}", " {fuse = b}"), 2),
        (("", " {fuse = a}", "", ""), 3),
        ((" {nofuse = a}", " {nofuse = a}", "", ""), 2),
    ],
)
def test_marks_decide_the_kernels_and_not_the_values(marks: tuple[str, ...], count: int):
    program = compiled(LINEAR.format(*marks))
    assert kernels(program) == count
    inputs = seeded_inputs(program.inputs, 1, None)
    found = check_outputs(
        program.run(inputs).outputs, program.reference(inputs), program.target.overflow, None
    )
    assert all(check.passed for check in found.values())


def test_a_convolution_with_bias_that_is_not_fused_is_one_kernel():
    """Its bias becomes an op of its own, which still belongs to it."""
    program = compiled(
        "graph @f(%x: tensor<1x16x8x8xf16>, %w: tensor<16x16x3x3xf16> {weight}, %b: tensor<16xf16> {weight}) {\n"
        "  %a = conv2d(%x, %w, %b) {nofuse}\n  %y = relu(%a)\n  return %y\n}"
    )
    assert kernels(program) == 2


def test_a_forced_group_is_not_held_to_what_pays():
    """Without a gain that suffices nothing is fused, unless asked for."""
    assert kernels(compiled(LINEAR.format("", "", "", ""), max_occupancy=0.0)) > 1
    group = " {fuse = g}"
    assert kernels(compiled(LINEAR.format(group, group, group, group), max_occupancy=0.0)) == 1


def test_a_group_that_is_slower_leaves_a_warning(monkeypatch: pytest.MonkeyPatch):
    honest = CostModel.cost

    def cost(self: CostModel, ops: tuple[Operation, ...]):
        found = honest(self, ops)
        if len(ops) == 1 or not isinstance(found, GroupCost):
            return found
        return replace(found, time_us=1000.0)

    monkeypatch.setattr(CostModel, "cost", cost)
    program = compiled(LINEAR.format("", "", " {fuse = g}", " {fuse = g}"))
    (report,) = (r for r in program.reports if isinstance(r, FusionReport))
    forced = report.plans[0].candidates[0]
    assert forced.taken and forced.warning.endswith("-> 1000.0 us")
    assert f"warning: {forced.warning}" in report.to_text()
    assert report.to_json()[0]["candidates"][0]["warning"] == forced.warning


@pytest.mark.parametrize(
    ("body", "place", "message"),
    [
        (
            "%a = tanh(%x) {fuse = g}\n%b = relu(%a) {fuse = g}\n%c = add(%a, %b)\nreturn %c",
            "2:6",
            "graph.tanh in group 'g': its result is also used by graph.add, which is not in it",
        ),
        (
            "%a = tanh(%x) {fuse = g}\n%b = relu(%x) {fuse = g}\n%c = add(%a, %b)\nreturn %c",
            "2:6",
            "graph.tanh in group 'g': its result is used by graph.add, which is not in it",
        ),
        (
            "%a = matmul(%x, %x) {fuse = g}\n%b = matmul(%x, %a) {fuse = g}\nreturn %b",
            "2:6",
            "graph.matmul in group 'g': graph.matmul feeds a product's right or transposed operand",
        ),
        (
            "%a = reshape(%x) {shape = [4096], fuse = g}\n%b = relu(%a) {fuse = g}\nreturn %b",
            "2:6",
            "graph.reshape in group 'g': it computes nothing that needs a kernel",
        ),
        ("%a = tanh(%x) {fuse = g, nofuse}\nreturn %a", "2:26", "'nofuse' and 'fuse' contradict each other"),
        ("%a = tanh(%x) {fuse}\nreturn %a", "2:16", "attribute 'fuse' must be a word or a string"),
        (
            "%a = tanh(%x) {fuse = 3}\nreturn %a",
            "2:23",
            "attribute 'fuse' must be a word or a string, found 3",
        ),
        ("%a = tanh(%x) {nofus}\nreturn %a", "2:16", "did you mean 'nofuse'?"),
    ],
)
def test_a_group_that_cannot_be_one_kernel_is_an_error_where_it_is(body: str, place: str, message: str):
    with pytest.raises(ascend_opt.CompileError) as error:
        compiled(f"graph @f(%x: tensor<64x64xf16>) {{\n{body}\n}}")
    assert f":{place}: error: " in str(error.value)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("marks", "reason"),
    [
        (("", ""), ""),
        (("{nofuse}", ""), "graph.tanh is marked nofuse"),
        (("", "{nofuse}"), "graph.relu is marked nofuse"),
        (("{nofuse = a}", "{nofuse = a}"), ""),
        (("{fuse = g}", ""), "graph.tanh is in group 'g', which takes in no other op"),
        (("{nofuse}", "{fuse = g}"), "graph.relu is in group 'g', which takes in no other op"),
    ],
)
def test_a_mark_that_keeps_ops_apart_is_named(marks: tuple[str, str], reason: str):
    text = f"%a = tanh(%x) {marks[0]}\n%b = relu(%a) {marks[1]}\nreturn %b"
    module = read_module(f"graph @f(%x: tensor<64x64xf16>) {{\n{text}\n}}").module
    assert stated_reason(*kernel_ops(choose_function(module, None))) == reason


def test_marks_are_verified_in_mlir_text():
    with pytest.raises(ascend_opt.CompileError, match=r"graph\.fuse is the name of a group, got unit"):
        compiled(
            "func.func @f(%x: tensor<64xf16>) -> tensor<64xf16> {\n"
            "  %a = graph.tanh %x {graph.fuse} : (tensor<64xf16>) -> tensor<64xf16>\n"
            "  func.return %a : tensor<64xf16>\n}"
        )


@pytest.mark.parametrize("mark", ["cores = 2", "tile = [64, 64]", 'tiling = "step=16"', 'layout = "rows"'])
def test_what_is_of_one_kernel_is_not_stated_of_an_op_with_several_results(mark: str):
    word = mark.split()[0]
    text = f"%a, %b = split(%x) {{axis = 1, sizes = [32, 32], {mark}}} %c = exp(%a) return %c, %b"
    with pytest.raises(
        ascend_opt.CompileError, match=f"graph.split: '{word}' is of one kernel, and of 2 results"
    ):
        compiled(f"graph @f(%x: tensor<64x64xf16>) {{ {text} }}")
