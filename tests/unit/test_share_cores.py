"""Kernels that one launch runs share the cores: which ones, on how many, and that it pays on the clock."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects import ascend, tile
from ascend_opt.dialects.graph.arguments import weight_values
from ascend_opt.dialects.target import load_target
from ascend_opt.passes import tile_group
from ascend_opt.passes.fusion.groups import groups_of, make_group
from ascend_opt.passes.fusion.plan import plan_fusion
from ascend_opt.passes.launches import share_cores as share_cores_module
from ascend_opt.passes.launches.places import Places
from ascend_opt.passes.launches.share_cores import first_free, is_told, joined_groups, share_cores
from ascend_opt.passes.plans.plan import plan_of_text
from ascend_opt.passes.rewrites.prepare_graph import prepare_graph
from ascend_opt.passes.support.module import kernel_ops
from ascend_opt.tools.ascend_opt import main as opt

CHIPS = "ascend910b", "ascend910", "ascend310p"
INCEPTION = """
graph @inception(%x: tensor<1x192x28x28xf16>, %a: tensor<64x192x1x1xf16> {weight}, %b: tensor<96x192x1x1xf16> {weight},
                 %c: tensor<128x96x3x3xf16> {weight}, %d: tensor<16x192x1x1xf16> {weight},
                 %e: tensor<32x16x3x3xf16> {weight}) {
  %0 = conv2d(%x, %a)
  %1 = relu(%0)
  %2 = conv2d(%x, %b)
  %3 = relu(%2)
  %4 = conv2d(%3, %c) {pads = [1, 1, 1, 1]}
  %5 = relu(%4)
  %6 = conv2d(%x, %d)
  %7 = relu(%6)
  %8 = conv2d(%7, %e) {pads = [1, 1, 1, 1]}
  %9 = relu(%8)
  %y = concat(%1, %5, %9) {axis = 1}
  return %y
}
"""
BRANCHES = """
graph @branches(%x: tensor<96x256xf16>, %w: tensor<256x64xf16> {weight}, %v: tensor<256x32xf16> {weight}) {
  %t = tanh(%x)
  %s = softmax(%t) {axis = 1}
  %p = matmul(%x, %w)
  %q = matmul(%t, %v)
  %g = gelu(%q)
  %m = reduce_max(%x) {axes = [1]}
  return %s, %p, %g, %m
}
"""


def cores(program: ascend_opt.Program) -> list[int]:
    """Those of each kernel, in the order of the plan."""
    assert program.plan is not None
    (function,) = program.plan.functions.values()
    return [int(kernel.tiling["cores"]) for kernel in function.kernels if kernel.tiling is not None]


def test_places() -> None:
    places = Places[str]()
    assert [places.add("a", 0), places.add("b", 0), places.add("alone", 0, free=False)] == [0, 0, 1]
    assert [places.add("c", 1), places.add("d", 0), places.add("e", 2)] == [2, 0, 2]
    assert len(places) == 3
    assert places.several == [["a", "b", "d"], ["c", "e"]]
    full = Places[int]()
    assert [full.add(i, 0) for i in range(17)] == [0] * 16 + [1]


def test_cores_side_by_side_that_are_free_first() -> None:
    assert first_free([0, 0, 0, 0], 2) == 0
    assert first_free([3, 1, 1, 2], 2) == 1
    assert first_free([3, 1, 2, 2], 3) == 1
    assert first_free([1, 2], 2) == 0


def inception_again() -> str:
    """What an inception block gives in a second one."""
    head, body = INCEPTION.split("{\n", 1)
    first = body.replace("  return %y\n}\n", "")
    sizes = {"a": "64x224x1x1", "b": "96x224x1x1", "c": "128x96x3x3", "d": "16x224x1x1", "e": "32x16x3x3"}
    weights = "".join(f", %{name}2: tensor<{size}xf16> {{weight}}" for name, size in sizes.items())
    second = re.sub(r"%(\d)", r"%s\1", first).replace("%y", "%z").replace("%x", "%y")
    second = re.sub(r"%([abcde])\b", r"%\g<1>2", second)
    return f"{head.rstrip().removesuffix(')')}{weights}) {{\n{first}{second}  return %z\n}}\n"


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(
    "text", [INCEPTION, BRANCHES, inception_again()], ids=["inception", "branches", "two blocks"]
)
def test_the_places_are_those_of_the_launches(text: str, chip: str) -> None:
    """What is told of groups is what becomes of their launches."""
    module = compile_until(ascend_opt.compile(text, chip), "tile")
    function = next(op for op in module.walk() if isinstance(op, FuncOp))
    kernels = [op for op in function.body.block.ops if isinstance(op, tile.KernelOp)]
    assert kernels and not groups_of(function)
    told = joined_groups(function.body.block, [(kernel,) for kernel in kernels])
    program = ascend_opt.compile(text, chip)
    launches = (op for op in program.module.walk() if isinstance(op, ascend.LaunchOp))
    joined = [tuple(part.number for part in op.parts) for op in launches if op.parts]
    assert joined and [tuple(together) for together in told] == joined


@pytest.mark.parametrize("chip", CHIPS)
def test_branches_run_beside_each_other(chip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = ascend_opt.compile(INCEPTION, chip)
    rng = np.random.default_rng(1)
    inputs = {name: rng.standard_normal(kind.shape) / 8 for name, kind in program.inputs.items()}
    result = program.run(inputs)
    wanted = program.reference(inputs)["output0"]
    given = result.outputs["output0"].astype(np.float64)
    assert np.linalg.norm(given - wanted) <= 3e-3 * np.linalg.norm(wanted)

    def nothing(*_: object) -> dict[int, object]:
        return {}

    monkeypatch.setattr(tile_group, "share_cores", nothing)
    whole = ascend_opt.compile(INCEPTION, chip)
    assert cores(program) != cores(whole)
    assert all(few <= many for few, many in zip(cores(program), cores(whole), strict=True))
    assert result.profile.total_us < 0.98 * whole.time().total_us


def test_the_report_says_why_there_are_few_cores() -> None:
    said = ascend_opt.compile(INCEPTION, "ascend910b").report()
    assert said.count("fewer than by itself, so that others run beside it") >= 2
    alone = ascend_opt.compile(INCEPTION, "ascend910b", join_launches=False).report()
    assert "so that others run beside it" not in alone


def stated(text: str, chip: str) -> list[bool]:
    """Of each kernel, whether it has fewer cores than by itself."""
    few, all_ = (cores(ascend_opt.compile(text, chip, join_launches=joined)) for joined in (True, False))
    return [one < other for one, other in zip(few, all_, strict=True)]


def test_where_hbm_is_waited_for_cores_are_not_shared() -> None:
    """Of 310P, whose HBM is a fifth of that of the others: the same graph pays there."""
    text = """
    graph @qkv(%x: tensor<128x768xf16>, %q: tensor<768x768xf16> {weight}, %k: tensor<768x768xf16> {weight},
               %v: tensor<768x768xf16> {weight}) {
      %0 = matmul(%x, %q)
      %1 = matmul(%x, %k)
      %2 = matmul(%x, %v)
      return %0, %1, %2
    }"""
    assert stated(text, "ascend310p") == [False] * 3
    assert stated(text, "ascend910") == [True] * 3
    alike = cores(ascend_opt.compile(text, "ascend910"))
    assert len(set(alike)) == 1


def test_kernels_wait_for_what_hbm_does_for_others() -> None:
    """Those of rows of some heads, beside one that HBM has to do with all of the time: on half of the cores they take
    a third longer than all three one after the other on all."""
    text = """
    graph @heads(%a: tensor<32x12x128xf16>, %b: tensor<16x8x256xf16>, %c: tensor<32x32x256xf16>) {
      %0 = softmax(%a)
      %1 = transpose(%0) {perm = [1, 0, 2]}
      %2 = softmax(%b)
      %3 = transpose(%2) {perm = [1, 0, 2]}
      %4 = gelu(%3)
      %5 = relu(%c)
      return %1, %4, %5
    }"""
    assert stated(text, "ascend310p") == [False] * 3
    small = text.replace("32x32x256", "32x4x256")
    assert stated(small, "ascend310p") == [True] * 3


@pytest.mark.parametrize(("chip", "share"), [("ascend910", 0.95), ("ascend310p", 0.98)])
def test_kernels_that_move_elements_run_beside_others(
    chip: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parents[2] / "examples/networks/mla_prolog.mlir").read_text()
    us = ascend_opt.compile(text, chip).time().total_us

    def not_where_elements_move(group: Sequence[Operation]) -> bool:
        return not any(op.name in ("graph.transpose", "graph.slice") for op in group)

    monkeypatch.setattr(share_cores_module, "is_told", not_where_elements_move)
    assert us < share * ascend_opt.compile(text, chip).time().total_us


@pytest.mark.parametrize(
    ("ops", "few"),
    [
        ("%a = transpose(%x) {perm = [0, 2, 3, 1]}", True),
        ("%c = conv2d(%x, %w)\n %a = conv2d(%c, %d) {groups = 64, pads = [1, 1, 1, 1]}", False),
        ("%c = conv2d(%x, %w)\n %a = relu(%c)", True),
    ],
    ids=["moves", "windows of a product", "a product"],
)
def test_kernels_whose_predictions_are_poor_keep_their_cores(ops: str, few: bool) -> None:
    function = next(
        op
        for op in compile_until(
            ascend_opt.compile(
                f"""graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x1x1xf16> {{weight}},
                             %d: tensor<64x1x3x3xf16> {{weight}}) {{ {ops}\n return %a }}""",
                "ascend310p",
            ),
            "graph",
        ).walk()
        if isinstance(op, FuncOp)
    )
    assert is_told(tuple(kernel_ops(function))) is few


def test_nothing_is_shared_beside_kernels_that_are_there_already() -> None:
    """Their launches may come between."""
    chip = load_target("ascend910b")
    function = choose_function(read_module(INCEPTION).module, None)
    prepare_graph(function, chip)
    plan, block, weights = (
        plan_fusion(function, chip),
        function.body.block,
        frozenset(weight_values(function)),
    )
    assert len(plan.groups) > 2 and share_cores(block, plan.groups, plan.costs, weights, chip)
    make_group("there", plan.groups[-1])
    assert share_cores(block, plan.groups[:-1], plan.costs[:-1], weights, chip) == {}


def test_programs_without_reports_are_the_same() -> None:
    bare, full = (ascend_opt.compile(INCEPTION, "ascend910b", reports=one) for one in (False, True))
    assert str(bare.module) == str(full.module) and bare.plan == full.plan
    assert not bare.reports and full.reports


def test_kernels_with_launches_of_their_own_have_all_cores() -> None:
    apart = ascend_opt.compile(INCEPTION, "ascend910b", join_launches=False)
    assert max(cores(apart)) > 18
    alone = INCEPTION.replace("%y = concat(%1, %5, %9) {axis = 1}", "%y = relu(%5)")
    chain = ascend_opt.compile(alone.replace("%0 = conv2d(%x, %a)\n  %1 = relu(%0)\n", ""), "ascend910b")
    assert ascend_opt.compile(alone, "ascend910b", join_launches=False).time().total_us > 0
    assert max(cores(chain)) > 18


def test_a_chip_of_one_core() -> None:
    program = ascend_opt.compile(INCEPTION, load_target("ascend910").with_(cores=1))
    assert set(cores(program)) == {1}
    program.time()


@pytest.mark.parametrize("chip", CHIPS)
def test_a_plan_gives_the_same_program(chip: str) -> None:
    program = ascend_opt.compile(INCEPTION, chip)
    assert program.plan is not None
    again = ascend_opt.compile(INCEPTION, chip, plan=program.plan)
    assert str(again.module) == str(program.module)
    plain = json.loads(program.plan.to_text())["functions"]["inception"]["kernels"]
    assert all(kernel["predicted_us"] > 0 for kernel in plain)


def test_groups_as_text_give_the_same_program(tmp_path: Path) -> None:
    """What was decided is in the IR."""
    source, grouped, out = (tmp_path / name for name in ("in.mlir", "grouped.mlir", "out.mlir"))
    source.write_text(INCEPTION)
    chip = "--target=ascend910b"
    until = "graph-decompose,graph-split-reductions,graph-pad-planes,tile-group{share-cores=true}"
    prepared = tmp_path / "prepared.mlir"
    prepared.write_text(str(compile_until(ascend_opt.compile(INCEPTION, "ascend910b"), "graph")))
    assert opt([str(prepared), chip, "-p", until, "-o", str(grouped)]) == 0
    assert "tile.tiling" in grouped.read_text() and "cores = " in grouped.read_text()
    assert (
        opt([str(grouped), chip, "-p", "tile-from-groups{join-launches=true}", "--lower", "-o", str(out)])
        == 0
    )
    assert out.read_text().strip() == str(ascend_opt.compile(INCEPTION, "ascend910b").module).strip()
    assert "predicted_us" not in out.read_text()


def test_a_chip_with_fewer_cores() -> None:
    chip = load_target("ascend910b")
    few = chip.on_cores(5)
    assert (few.cores, few.vector_cores, few.vectors_beside) == (5, 10, 2)
    assert chip.on_cores(5) is few
    assert replace(few, cores=chip.cores, vector_cores=chip.vector_cores) == chip


def test_a_chain_that_cannot_be_as_stated_is_refused() -> None:
    """Tilings of a chain are made of two others."""
    text = """
    graph @f(%x: tensor<1x64x56x56xf16>, %w: tensor<64x64x1x1xf16> {weight}, %v: tensor<64x64x1x1xf16> {weight}) {
      %a = conv2d(%x, %w) {fuse = "both"}
      %y = conv2d(%a, %v) {fuse = "both"}
      return %y
    }"""
    program = ascend_opt.compile(text, "ascend910b")
    assert program.plan is not None
    data = json.loads(program.plan.to_text())
    data["functions"]["f"]["kernels"][0]["tiling"]["first"]["step"] = 7
    with pytest.raises(
        ascend_opt.CompileError, match=r"no legal tiling of the kernel conv2d .* first may be"
    ):
        ascend_opt.compile(text, "ascend910b", plan=plan_of_text(json.dumps(data), "plan"))
