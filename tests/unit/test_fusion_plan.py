"""What joins what, and the record that every candidate leaves."""

import json
import re

import pytest
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
from ascend_opt.compiler.pipeline.read_module import choose_function, make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects.ascend import BufferOp
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.tile import VecOp
from ascend_opt.passes.fusion import weigh as fusion_weigh
from ascend_opt.passes.fusion.candidates import MIN_GAIN, Candidate, Complexity, told_apart
from ascend_opt.passes.fusion.plan import FusionPlan, plan_fusion
from ascend_opt.passes.fusion.report import FusionReport
from ascend_opt.passes.fusion.weigh import Limits, launch_flips
from ascend_opt.passes.regions.tiling import VectorTiling
from ascend_opt.passes.rewrites.prepare_graph import prepare_graph
from ascend_opt.passes.support.report import collect_reports

CHIP = load_target("ascend910")


def function(text: str) -> FuncOp:
    found = choose_function(read_module(text).module, None)
    prepare_graph(found, CHIP)
    return found


def plan(text: str, **options: float) -> FusionPlan:
    return plan_fusion(function(text), CHIP, Limits(**options))


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
    assert first.occupancy <= 0.8 and 0 < first.ub <= 1
    assert first.intensity > 0
    assert first.quadrant.startswith("high gain")
    assert (first.producer, first.consumer) == (("graph.tanh",), ("graph.relu",))


@pytest.mark.parametrize(
    ("a", "b", "operations"), [("64x1", "1x256", 2), ("64x256", "256", 2), ("1x256", "256", 1)]
)
def test_operations_are_those_that_give_whole_tiles(a: str, b: str, operations: int):
    """Also from operands that all broadcast, each along another dimension."""
    found = plan(
        f"graph @f(%a: tensor<{a}xf16>, %b: tensor<{b}xf16>, %x: tensor<64x256xf16>) {{\n"
        "  %s = add(%a, %b)\n  %y = add(%s, %x)\n  return %y\n}"
    )
    (cost,) = found.costs
    assert cost is not None
    assert cost.flops == 64 * 256 * operations


def test_quadrants_are_gain_by_complexity():
    record = Candidate((), (), "", True, "", bytes_before=100, bytes_after=60, complexity=Complexity(1))
    assert record.gain == pytest.approx(0.4) and record.gain >= MIN_GAIN
    assert record.quadrant == "high gain, simple"
    many = Complexity(handoffs=1, layouts=2, dimensions=2)
    assert Candidate((), (), "", True, "", 100, 90, complexity=many).quadrant == "low gain, complex"
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


def test_a_merge_that_takes_longer_is_refused(monkeypatch: pytest.MonkeyPatch):
    """Saved bytes do not make up for time: here the limit is moved until every merge is beyond it."""
    monkeypatch.setattr(fusion_weigh, "MOST_SLOWER", 0.01)
    found = plan(CHAIN)
    assert not any(c.taken for c in found.candidates)
    assert all("of the bytes, but takes" in c.reason for c in found.candidates)


def test_of_equal_times_the_fewer_bytes_win(monkeypatch: pytest.MonkeyPatch):
    """29 % of the bytes alone do not pay, but where the times count as equal they decide."""
    text = """graph @f(%x: tensor<1x128x28x28xf16>, %w: tensor<128x128x3x3xf16> {weight},
        %v: tensor<128x128x3x3xf16> {weight}) {
      %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
      %1 = conv2d(%0, %v) {pads = [1, 1, 1, 1]}
      return %1
    }"""
    (apart,) = plan(text).candidates
    assert not apart.taken and "and no time" in apart.reason and 0 < apart.gain < MIN_GAIN
    for name in ("NO_SLOWER", "MOST_SLOWER"):
        monkeypatch.setattr(fusion_weigh, name, 1.001 * apart.time_after / apart.time_before)
    (joined,) = plan(text).candidates
    assert joined.taken


def test_ragged_rows_are_shared_in_whole_blocks():
    """1001 f16 elements: 16 rows end on a block, so cores take 16 rows each, part by part."""
    text = "graph @f(%x: tensor<1000x1001xf16>, %b: tensor<1001xf16>) {\n  %y = add(%x, %b)\n  return %y\n}"
    (cost,) = plan(text).costs
    assert cost is not None and isinstance(cost.tiling, VectorTiling)
    assert (cost.tiling.cores, cost.tiling.serial, cost.tiling.tiles[0]) == (32, 1, 16)


FEEDS_RIGHT = """
    graph @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) {
      %a = relu(%w)
      %y = matmul(%x, %a)
      return %y
    }"""


def test_product_reads_its_right_operand_from_gm():
    found = plan(FEEDS_RIGHT)
    assert names(found) == [["relu"], ["matmul"]]
    assert "feeds a product" in found.candidates[0].reason


def test_left_operand_of_a_product_is_computed_in_its_kernel():
    found = plan(
        """
        graph @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}) {
          %a = relu(%x)
          %y = matmul(%a, %w)
          return %y
        }"""
    )
    assert names(found) == [["relu", "matmul"]]


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


def test_complexity_counts_what_it_says():
    last = plan(LINEAR).candidates[-1].complexity
    # L0C -> UB, the bias in blocks, its broadcast
    assert (last.handoffs, last.layouts, last.dimensions) == (1, 1, 1)
    assert last.total == 3 + max(0, last.buffers - 3)
    assert str(last).startswith(f"{last.total} (1 hand-off between pipes, 1 layout change, 1 loop dimension")
    assert plan(CHAIN.replace("tanh", "abs")).candidates[-1].complexity == Complexity(buffers=1)


EPILOGUES = {
    "gelu": ("%y = gelu(%s)", ["bias_add"]),
    "relu": ("%y = relu(%s)", ["bias_add", "relu"]),
    "prelu": ("%y = prelu(%s, %a)", ["bias_add", "prelu"]),
    "leaky and tanh": ("%r = leaky_relu(%s) {alpha = 0.1}\n  %y = tanh(%r)", ["bias_add", "leaky_relu"]),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1", "ascend950"])
@pytest.mark.parametrize("name", EPILOGUES)
def test_what_fixpipe_does_is_no_work_of_the_vector_unit(name: str, chip: str):
    """The plan counts the Vector instructions that the built kernel has, and UB where a kernel uses it."""
    epilogue, ops = EPILOGUES[name]
    slopes = ", %a: tensor<256xf16> {weight}" if "%a" in epilogue else ""
    text = LINEAR.replace("%y = gelu(%s)", epilogue).replace("{weight}) {", f"{{weight}}{slopes}) {{")
    target = load_target(chip)
    found = plan_fusion(function(text), target)
    (cost,) = found.costs
    assert cost is not None
    program = ascend_opt.compile(text, chip, tune=1)
    vector = [op for op in compile_until(program, "tile").walk() if isinstance(op, VecOp)]
    copies = [op for op in program.module.walk() if isinstance(op, BufferOp) and space_of(op.result) == "ub"]
    assert cost.steps == len(vector)
    assert (cost.per_element > 0) == bool(copies)
    last = found.candidates[-1]
    assert last.complexity.handoffs == int(bool(vector))
    (note,) = [check.note for check in last.checks if check.name == "branches"]
    drained = ops if target.split else []
    assert [op.name.removeprefix("graph.") for op in cost.drained] == drained
    assert note.endswith(f"; FixPipe does {' + '.join(drained)}" if drained else "always the same")


def sum_of(count: int) -> str:
    """The sum of `count` tensors."""
    arguments = ", ".join(f"%x{i}: tensor<4096x4096xf16>" for i in range(count))
    adds = "\n".join(f"  %s{i} = add({'%x0' if i == 1 else f'%s{i - 1}'}, %x{i})" for i in range(1, count))
    return f"graph @f({arguments}) {{\n{adds}\n  return %s{count - 1}\n}}"


def test_temporaries_beyond_their_share_of_ub_split_a_group():
    """Each operand of a merged sum takes two slots: at some point they would crowd out everything else."""
    assert len(plan(sum_of(3)).groups) == 1
    (one,) = plan(sum_of(3)).candidates
    assert one.occupancy == pytest.approx(one.ub / 3), "of three operands one is added, each has two slots"
    found = plan(sum_of(24), max_occupancy=0.05)
    assert len(found.groups) > 1
    refused = [c for c in found.candidates if not c.taken]
    assert refused and all(c.occupancy > 0.05 and c.time_after < c.time_before for c in refused)
    assert all("of UB" in c.reason for c in refused)
    assert all(c.occupancy <= 0.05 for c in found.candidates if c.taken)
    (check,) = [k for k in refused[0].checks if k.name == "occupancy"]
    assert check.passed is False and "5% allowed" in check.note


def test_checklist_has_every_item():
    for text in (CHAIN, LINEAR):
        for record in plan(text).candidates:
            assert [k.name for k in record.checks] == ["bytes", "loops", "branches", "occupancy", "frequency"]
            assert [k.passed for k in record.checks] == [True, True, True, True, False]


@pytest.mark.parametrize(
    ("gain", "limit", "shown"),
    [
        (0.3, 0.3, ("30%", "30%")),
        (0.5, 0.3, ("50%", "30%")),
        (0.2996, 0.3, ("29.96%", "30.00%")),
        (0.304, 0.3, ("30.4%", "30.0%")),
        (0.1 + 0.2, 0.3, ("30.000000000000004%", "30.000000000000000%")),
    ],
)
def test_a_limit_that_is_just_missed_has_digits_enough(gain: float, limit: float, shown: tuple[str, str]):
    assert told_apart(gain, limit) == shown


def test_the_report_shows_why_a_check_fails():
    gain = plan(CHAIN).candidates[0].gain
    (check,) = [k for k in plan(CHAIN, min_gain=gain + 1e-5).candidates[0].checks if k.name == "bytes"]
    saved, wanted = (part.split("%")[0] for part in check.note.split(", "))
    assert not check.passed and float(saved) < float(wanted)
    used = next(c.occupancy for c in plan(LINEAR).candidates if c.occupancy > 0)
    found = plan(LINEAR, max_occupancy=used - 1e-5).candidates
    notes = [k.note for c in found for k in c.checks if k.name == "occupancy" and k.passed is False]
    added, allowed = (float(share) for share in re.findall(r"([\d.]+)%", notes[0])[:2])
    assert added > allowed


def test_checklist_of_a_refusal_says_what_was_not_looked_at():
    found = plan(FEEDS_RIGHT)
    passed = {k.name: k.passed for k in found.candidates[0].checks}
    assert passed == {"bytes": None, "loops": False, "branches": None, "occupancy": None, "frequency": False}


def test_a_pattern_is_all_its_ops():
    """`relu` after `tanh` twice, but only one of them after a product."""
    text = """
    graph @f(%x: tensor<256x256xf16>, %w: tensor<256x256xf16> {weight}) {
      %p = matmul(%x, %w)
      %a = tanh(%p)
      %b = relu(%a)
      %c = tanh(%x)
      %d = relu(%c)
      return %b, %d
    }"""
    records = {(c.producer, c.consumer): c.occurrences for c in plan(text).candidates}
    assert records == {
        (("graph.matmul",), ("graph.tanh",)): 1,
        (("graph.matmul", "graph.tanh"), ("graph.relu",)): 1,
        (("graph.tanh",), ("graph.relu",)): 2,
    }


def test_decisions_that_hang_on_an_assumed_launch_cost_say_so():
    """A merge saves one launch of 2 us: gaining 0.5 us hangs on more than 1 us of it, losing 1 us on less than 4."""
    assert CHIP.launch_assumed and CHIP.launch_us == 2.0
    assert launch_flips(0.5, False, CHIP) == (1.0,)
    assert launch_flips(-1.0, False, CHIP) == (4.0,)
    assert launch_flips(5.0, False, CHIP) == launch_flips(-3.0, False, CHIP) == ()
    assert launch_flips(0.5, True, CHIP) == (), "the bytes alone decide"
    assert launch_flips(0.5, False, CHIP.with_(launch_assumed=False)) == ()
    record = Candidate(("graph.a",), ("graph.b",), "", True, "why", 10, 9, flips=(1.0,))
    report = FusionReport((FusionPlan("f", (), (), (record,)),), ((),), "", "it is an assumption")
    assert "would be refused if a launch took 1 us: it is an assumption" in report.to_text()
    assert report.to_json()[0]["candidates"][0]["flips_at_launch_us"] == [1.0]


def test_report_reads_as_text_and_json():
    module, context = read_module(LINEAR).module, make_context()
    with collect_reports() as reports:
        for one in build_passes(UNIVERSE.all_passes, stages("fuse"), "ascend910"):
            one.apply(context, module)
    (report,) = [r for r in reports if r.name == "tile-fuse"]
    text = report.to_text()
    assert "3 ops -> 1 kernel, " in text
    assert "taken: matmul into bias_add" in text
    (entry,) = json.loads(json.dumps(report.to_json()))
    assert [k["ops"] for k in entry["kernels"]] == [["graph.matmul", "graph.bias_add", "graph.gelu"]]
    assert all(c["taken"] and c["bytes_after"] < c["bytes_before"] for c in entry["candidates"])
    assert entry["bytes_before"] > entry["bytes_after"] == entry["kernels"][0]["bytes"]
    assert entry["time_us_before"] > entry["time_us_after"]
    first = entry["candidates"][0]
    assert {"total", "handoffs", "layouts", "dimensions", "buffers"} == set(first["complexity"])
    assert first["checklist"][0]["item"] == "bytes"


@pytest.mark.parametrize("fuse", [True, False])
def test_a_constant_that_went_into_a_kernel_is_gone(fuse: bool):
    """Scalars are in the instructions; a constant that something else still uses stays."""
    text = """
graph @f(%x: tensor<64x64xf16>) {
  %c = constant() {value = 0.125} : tensor<f16>
  %y = mul(%x, %c)
  return %y%keep
}"""
    for keep, left in (("", 0), (", %c", 1)):
        program = ascend_opt.compile(text.replace("%keep", keep), fuse=fuse, tune=1)
        ops = list(compile_until(program, "tile").walk())
        assert sum(op.name == "graph.constant" for op in ops) == left
        assert sum(op.name == "tile.kernel" for op in ops) == 1
