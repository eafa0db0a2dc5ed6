"""What joins what, and the record that every candidate leaves."""

import json

import pytest
from xdsl.dialects.func import FuncOp

from ascend_opt.compiler.pipelines import build_passes, stages
from ascend_opt.compiler.read_module import choose_function, make_context, read_module
from ascend_opt.compiler.universe import UNIVERSE
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion_plan import MIN_GAIN, Candidate, FusionPlan, plan_fusion
from ascend_opt.passes.graph_module import prepare_graph
from ascend_opt.passes.report import collect_reports

CHIP = load_target("ascend910")


def function(text: str) -> FuncOp:
    found = choose_function(read_module(text).module, None)
    prepare_graph(found)
    return found


def plan(text: str, **options: float) -> FusionPlan:
    return plan_fusion(function(text), CHIP, **options)


def names(found: FusionPlan) -> list[list[str]]:
    return [[op.name.removeprefix("graph.") for op in group] for group in found.groups]


CHAIN = """
graph @f(%x: tensor<1024x1024xf16>) {
  %a = tanh(%x)
  %b = relu(%a)
  %y = neg(%b)
  return %y
}"""
LINEAR = """
graph @f(%x: tensor<256x256xf16>, %w: tensor<256x256xf16> {weight}, %b: tensor<256xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = gelu(%s)
  return %y
}"""


@pytest.mark.parametrize("text", [CHAIN, LINEAR], ids=["chain", "linear"])
def test_everything_becomes_one_group(text: str):
    found = plan(text)
    assert len(found.groups) == 1
    assert len(found.candidates) == 2
    assert all(c.taken for c in found.candidates)


def test_record_holds_the_numbers_that_decided():
    """Two element-wise kernels of one read and one write each become one: half the bytes."""
    first = plan(CHAIN).candidates[0]
    size = 1024 * 1024 * 2
    assert (first.bytes_before, first.bytes_after) == (4 * size, 2 * size)
    assert first.gain == pytest.approx(0.5)
    assert first.time_after < first.time_before
    assert 0 < first.occupancy <= 0.8
    assert first.intensity > 0
    assert first.quadrant.startswith("high gain")
    assert (first.producer, first.consumer) == (("graph.tanh",), ("graph.relu",))


def test_quadrants_are_gain_by_complexity():
    record = Candidate((), (), "", True, "", bytes_before=100, bytes_after=60, complexity=1)
    assert record.gain == pytest.approx(0.4) and record.gain >= MIN_GAIN
    assert record.quadrant == "high gain, simple"
    assert Candidate((), (), "", True, "", 100, 90, complexity=9).quadrant == "low gain, complex"
    assert Candidate((), (), "", False, "refused").gain == 0.0


def test_value_with_two_users_stays_in_gm():
    found = plan(
        """
        graph @f(%x: tensor<1024x1024xf16>) {
          %a = tanh(%x)
          %b = relu(%a)
          return %a, %b
        }"""
    )
    assert names(found) == [["tanh"], ["relu"]]
    (refused,) = found.candidates
    assert not refused.taken
    assert "also used by func.return" in refused.reason


def test_product_reads_its_operands_from_gm():
    found = plan(
        """
        graph @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}) {
          %a = relu(%x)
          %y = matmul(%a, %w)
          return %y
        }"""
    )
    assert names(found) == [["relu"], ["matmul"]]
    assert "feeds a product" in found.candidates[0].reason


def test_diamond_inside_a_group_is_one_kernel():
    """A value used twice by ops that join the group is no reason against it."""
    found = plan(
        """
        graph @f(%x: tensor<1024x1024xf16>) {
          %a = tanh(%x)
          %y = mul(%a, %a)
          return %y
        }"""
    )
    assert names(found) == [["tanh", "mul"]]


def test_every_op_is_in_exactly_one_group_in_program_order():
    text = LINEAR.replace("return %y", "%z = relu(%x)\n  %q = matmul(%z, %w)\n  return %y, %q")
    found = plan(text)
    grouped = [op for group in found.groups for op in group]
    assert len(grouped) == len(set(grouped)) == 5
    assert all(cost is not None for cost in found.costs)


def test_patterns_are_counted():
    text = """
    graph @f(%x: tensor<512x512xf16>, %y: tensor<512x512xf16>) {
      %a = tanh(%x)
      %b = relu(%a)
      %c = tanh(%y)
      %d = relu(%c)
      return %b, %d
    }"""
    assert [c.occurrences for c in plan(text).candidates] == [2, 2]


def test_an_impossible_gain_still_fuses_what_saves_time():
    assert len(plan(CHAIN, min_gain=2.0).groups) == 1


def test_report_reads_as_text_and_json():
    module, context = read_module(LINEAR).module, make_context()
    with collect_reports() as reports:
        for one in build_passes(UNIVERSE.all_passes, stages("fuse"), "ascend910"):
            one.apply(context, module)
    (report,) = [r for r in reports if r.name == "tile-fuse"]
    text = report.to_text()
    assert "3 ops -> 1 kernels" in text
    assert "taken: matmul into bias_add" in text
    (entry,) = json.loads(json.dumps(report.to_json()))
    assert [k["ops"] for k in entry["kernels"]] == [["graph.matmul", "graph.bias_add", "graph.gelu"]]
    assert all(c["taken"] and c["bytes_after"] < c["bytes_before"] for c in entry["candidates"])
