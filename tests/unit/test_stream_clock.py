"""Attention on chips whose Cube and Vector are cores of their own: what the Cube core does ahead, and the predicted
time."""

from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.compiler.pipeline.pipelines import build_passes, stages, with_choices
from ascend_opt.compiler.pipeline.read_module import make_context
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import memref_type, space_of
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.fusion.report import FusionReport
from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.passes.kernels.online.candidate import Candidate
from ascend_opt.passes.kernels.online.clock import PartCosts, StreamClock, Work
from ascend_opt.passes.kernels.online.problem import Problem
from ascend_opt.passes.kernels.tuner import tuned_by
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.tiling import OnlineTiling
from ascend_opt.passes.support.module import kernel_ops

CHIPS = ("ascend910b", "ascend950")


def attention(heads: int, rows: int, keys: int, depth: int) -> str:
    kinds = [f"tensor<1x{heads}x{n}x{depth}xf16>" for n in (rows, keys, keys)]
    given = ", ".join(f"%{name}: {kind}" for name, kind in zip("qkv", kinds, strict=True))
    return f"graph @f({given}) {{\n  %y = attention(%q, %k, %v)\n  return %y\n}}\n"


def cube_core(program: ascend_opt.Program) -> ascend.KernelOp:
    (kernel,) = (
        op
        for op in program.module.body.block.ops
        if isinstance(op, ascend.KernelOp) and op.core is not None and op.core.data == "aic"
    )
    return kernel


@pytest.mark.sweep(6)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(
    ("heads", "rows", "keys", "depth"),
    [(8, 512, 512, 64), (8, 1024, 1024, 128), (32, 1024, 1024, 64)],
    ids=["few parts", "several tiles", "many tiles"],
)
def test_prediction_is_near(chip: str, heads: int, rows: int, keys: int, depth: int):
    """Sums of busy pipes were off by 10 to 30 %."""
    program = ascend_opt.compile(attention(heads, rows, keys, depth), target=chip, tune=1)
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    profile = program.time()
    assert len(profile.kernels) == 1
    predicted = sum(plan["time_us_after"] for plan in report.to_json())
    assert predicted == pytest.approx(profile.total_us, rel=0.06)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_rows_and_values_come_before_weights(chip: str):
    """One tile a core: q, then rows of three parts, the last of them in the loop, and v of the first one come before
    the core waits for the weights of this one, which come from a workspace."""
    cores = load_target(chip).cores
    kernel = cube_core(ascend_opt.compile(attention(cores, 16, 2048, 128), target=chip, tune=1))
    before: list[str] = []
    for op in kernel.walk():
        if isinstance(op, ascend.FixpipeOp):
            before.append("rows")
        if isinstance(op, ascend.CopyOp):
            assert isinstance(op.source.type, MemRefType)
            if len(memref_type(op.source).get_shape()) == 1:  # a workspace, end to end
                break
            before.append("load")
    assert before == ["load", *["load", "rows"] * 3, "load"]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_parts_share_their_buffers(chip: str):
    """The first part, those in the loop and the last one: of each operand one buffer in L1 and in L0, with slots."""
    kernel = cube_core(ascend_opt.compile(attention(8, 1024, 1024, 64), target=chip, tune=1))
    spaces: dict[str, list[int]] = {}
    for op in kernel.body.block.ops:
        if isinstance(op, ascend.BufferOp):
            spaces.setdefault(space_of(op.result.type), []).append(op.slots.value.data)
    assert {space: len(slots) for space, slots in spaces.items()} == {"l1": 4, "l0a": 2, "l0b": 2, "l0c": 2}
    assert min(spaces["l1"]) == 2


def cycles(parts: int = 3, cold: float = 0, **others: float) -> float:
    """Those of one tile of so many parts, whose products are alike."""
    costs: dict[str, float] = {
        "m": 100, "weights": 50, "read_rows": 50, "read_sums": 50, "vector": 1500, "add": 50, "back": 50, "port": 50,
        "begin": 50, "end": 100, "store": 200, "late": 0,
    } | others  # fmt: skip
    m = costs.pop("m")
    work = Work(cold=cold, load=0, mte1=100, m=m, fix=100, port=costs["port"], pieces=2)
    return StreamClock(PartCosts(work, work, **costs), load_target("ascend910b")).run(parts, 1)


def test_each_right_operand_is_cold_once():
    """Also where both products cost the same: 10,000 cycles for the first load of each, one after the other."""
    assert cycles(cold=10_000) > 20_000 > cycles() + 10_000


def test_vector_cores_do_not_wait_for_rows_that_come_ahead():
    """Of two products a part, each 400 cycles longer, they wait for the one that gives sums. Were rows not ahead, a
    part would take 400 cycles more."""
    slow, quick = ((cycles(12, m=m) - cycles(8, m=m)) / 4 for m in (700, 300))
    assert 0 < slow - quick < 300


def test_what_is_written_goes_through_one_port():
    """Rows, sums and weights of a part, one after the other."""
    assert (cycles(12, port=2000) - cycles(8, port=2000)) / 4 >= 3 * 2000


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_pipes_are_as_busy_as_they_are_emulated(chip: str):
    """Every core has as many tiles. MTE1 has gaps in which the scalar unit sets up its loads."""
    program, found = ascend_opt.compile(attention(48, 128, 1024, 128), target=chip, tune=1), list[Candidate]()
    tiling = chosen(program, chip, found)
    (candidate,), (kernel,) = found, program.time().kernels
    costs, target = candidate.costs(*tiling.l0_k), load_target(chip)
    assert costs.rows is not None and candidate.points % kernel.cores == 0
    each = candidate.parts * candidate.rounds / target.clock_mhz
    for pipe, low, high in (("m", 0.98, 1.02), ("fix", 0.98, 1.02), ("mte1", 0.97, 1.12)):
        predicted = each * sum(getattr(work, pipe) for work in (costs.rows, costs.product))
        assert low < predicted / kernel.pipes[f"aic {pipe.upper()}"].busy_us < high, pipe


def chosen(program: ascend_opt.Program, chip: str, found: list[Candidate]) -> OnlineTiling:
    """The tiling of a program's kernel; what is known of it goes to `found`."""
    kept: list[OnlineTiling] = []

    class First:
        count = 2

        def choose(self, alone: ModuleOp, tilings: Sequence[Tiling], target: Target) -> int:
            function = next(op for op in alone.body.block.ops if isinstance(op, FuncOp))
            tiling = tilings[0]
            assert isinstance(tiling, OnlineTiling)
            found.append(
                Candidate(Problem(group_regions(kernel_ops(function)), target), tiling.tiles, tiling.step)
            )
            kept.append(tiling)
            return 0

    assert program.graph_module is not None
    module, context = program.graph_module.clone(), make_context()
    with tuned_by(lambda _: First()):
        for one in build_passes(UNIVERSE.all_passes, with_choices(stages("fuse"), {}, (), 2), chip):
            one.apply(context, module)
    return kept[0]


def test_cores_in_step_wait_for_each_others_lines():
    """All 16 cores of a small perceptron read the same weights: in parts of them this takes 5.3 us in one kernel."""
    text = """graph @f(%x: tensor<256x100xf16>, %u: tensor<100x300xf16> {weight}, %v: tensor<300x10xf16> {weight}) {
      %0 = matmul(%x, %u)
      %1 = relu(%0)
      %y = matmul(%1, %v)
      return %y
    }"""
    assert ascend_opt.compile(text, target="ascend950", tune=1).time().total_us < 4.6


@pytest.mark.sweep(5)
@pytest.mark.parametrize(
    ("heads", "rows", "keys", "depth"),
    [(7, 500, 64, 64), (70, 48, 128, 64), (70, 48, 1100, 64), (40, 16, 2000, 128), (3, 16, 700, 64)],
    ids=["one part", "two parts", "several tiles", "a smaller last part", "few cores"],
)
@pytest.mark.parametrize("chip", CHIPS)
def test_values(chip: str, heads: int, rows: int, keys: int, depth: int):
    """Against numpy by definition, with a look at hazards."""
    rng = np.random.default_rng(heads)
    shapes = {"q": (1, heads, rows, depth), "k": (1, heads, keys, depth), "v": (1, heads, keys, depth)}
    inputs = {name: rng.standard_normal(shape).astype(np.float16) for name, shape in shapes.items()}
    program = ascend_opt.compile(attention(heads, rows, keys, depth), target=chip, tune=1)
    (found,) = program.run(inputs).outputs.values()
    q, k, v = (inputs[name].astype(np.float64) for name in "qkv")
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(depth)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    want = weights / weights.sum(-1, keepdims=True) @ v
    assert np.linalg.norm(found - want) <= 2e-3 * np.linalg.norm(want)
