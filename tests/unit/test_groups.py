"""Groups between the passes of fusion: what is kept from one to the next, and what people may change there."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.compiler.pipeline.pass_text import parse_passes
from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
from ascend_opt.compiler.pipeline.read_module import has_tiles_to_choose, level_of, make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.compiler.pipeline.verify import verify_module
from ascend_opt.dialects import tile
from ascend_opt.passes.fusion.groups import free_names, groups_of, make_group, make_groups, open_group
from ascend_opt.passes.fusion.kernel_record import KernelRecord
from ascend_opt.passes.fusion.report import FusionReport, UnfusedReport
from ascend_opt.passes.kernels.product.form import ProductForm
from ascend_opt.passes.kernels.vector.form import VectorForm
from ascend_opt.passes.support.errors import LocatedError
from ascend_opt.passes.support.report import Report, add_report, collect_reports, take_reports
from ascend_opt.passes.tile_from_groups import TileFromGroups
from ascend_opt.passes.tile_fuse import TileFuse

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = """graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x3x3xf16> {weight}, %b: tensor<64xf16> {weight}) {
  %0 = conv2d(%x, %w, %b) {pads = [1, 1, 1, 1]}
  %1 = relu(%0)
  %2 = conv2d(%1, %w) {pads = [1, 1, 1, 1], nofuse}
  return %2
}"""
DYNAMIC = """graph @f(%x: tensor<?x64xf16>, %w: tensor<64x48xf16> {weight}, %z: tensor<128x128xf16>) {
  %0 = matmul(%x, %w)
  %1 = softmax(%0) {nofuse}
  %2 = exp(%z)
  return %1, %2
}"""
GROUPED = "graph-decompose,graph-split-reductions,graph-pad-planes,tile-group"


def run(module: ModuleOp, passes: str, target: str = "ascend910b") -> list[Report]:
    with collect_reports() as reports:
        for one in build_passes(UNIVERSE.all_passes, parse_passes(passes), target):
            one.apply(make_context(), module)
            verify_module(module)
    return list(reports)


def function_of(module: ModuleOp) -> FuncOp:
    (function,) = module.body.block.ops
    return cast(FuncOp, function)


def kernels_of(module: ModuleOp) -> list[tile.KernelOp]:
    return [op for op in function_of(module).body.block.ops if isinstance(op, tile.KernelOp)]


@pytest.mark.parametrize("text", [TEXT, DYNAMIC], ids=["static", "dynamic"])
@pytest.mark.parametrize("target", ["ascend910", "ascend910b"])
def test_groups_in_text_become_the_same_kernels(text: str, target: str):
    """Through the text nothing is known of prices: the tiles are looked for again, and are the same."""
    whole, apart = (read_module(text).module for _ in range(2))
    run(whole, "tile-fuse", target)
    run(apart, GROUPED, target)
    again = read_module(str(apart)).module
    run(again, "tile-from-groups", target)
    assert str(again) == str(whole)


def test_a_sequence_is_its_steps():
    one, other = (read_module(TEXT).module for _ in range(2))
    TileFuse("ascend910b").apply(make_context(), one)
    run(other, GROUPED + ",tile-from-groups")
    assert str(one) == str(other)
    names = [step.name for step in build_passes(UNIVERSE.all_passes, stages("fuse")[-1:])]
    assert names == [*GROUPED.split(","), "tile-from-groups"]


@pytest.mark.parametrize("text", [TEXT, DYNAMIC], ids=["static", "dynamic"])
def test_tiles_of_priced_groups_are_not_looked_for_again(text: str, monkeypatch: pytest.MonkeyPatch):
    """Of groups with a size that is known at run time they are, for all its sizes."""
    module, searched = read_module(text).module, list[str]()
    run(module, GROUPED)

    def watched(form: type[Any]) -> Any:
        found = form.tilings

        def tilings(self: Any, group: Any, count: int, *stated: Any) -> Sequence[Any]:
            searched.append(group.regions.ops[-1].name)
            return found(self, group, count, *stated)

        return tilings

    for form in (ProductForm, VectorForm):
        monkeypatch.setattr(form, "tilings", watched(form))
    run(module, "tile-from-groups")
    assert set(searched) == (set() if text is TEXT else {"graph.matmul", "graph.softmax"})


def test_a_changed_group_is_priced_anew():
    """Taken apart, the epilogue has the tiles of an op by itself; the group's name and note say nothing of it."""
    module = read_module(TEXT).module
    reports = run(module, GROUPED + "{layouts=false}")
    assert isinstance(reports[-1], FusionReport) and not reports[-1].kernels
    function = function_of(module)
    first = groups_of(function)[0]
    assert first.predicted_us is not None
    opened = open_group(first)
    make_groups([opened.ops[:1], opened.ops[1:]], ["f_0", "mine"], [first.predicted_us.value.data, 0.0])
    with collect_reports() as found:
        add_report(reports[-1])
        TileFromGroups("ascend910b").apply(make_context(), module)
    verify_module(module)
    product, epilogue, _ = kernels_of(module)
    assert [product.kernel_name.data, epilogue.kernel_name.data] == ["f_0", "mine"]
    assert [op.data for op in epilogue.ops] == ["graph.bias_add", "graph.relu"]
    alone = read_module(TEXT.replace("conv2d(%x, %w, %b) {", "conv2d(%x, %w, %b) {nofuse = a, ")).module
    run(alone, "graph-decompose,tile-group-ops,tile-from-groups")
    assert product.tile_sizes == kernels_of(alone)[0].tile_sizes
    fused, stated = found
    assert isinstance(fused, FusionReport) and isinstance(stated, UnfusedReport)
    assert [kernel.name for kernel in fused.kernels[0]] == ["f_0", "f_1"]
    assert [kernel.name for kernel in stated.kernels] == ["mine"]
    assert stated.to_text().startswith("groups as stated: 1 kernel; tile sizes predicted fastest")


def test_an_epilogue_by_itself_does_not_give_blocks():
    """The group in which it followed a product did: its reader still takes them, so it has to."""
    module = read_module(TEXT).module
    run(module, GROUPED)
    opened = open_group(groups_of(function_of(module))[0])
    make_groups([opened.ops[:1], opened.ops[1:]], ["a", "b"])
    with pytest.raises(LocatedError, match=r'tile.group "b": .*: tiles of the result lie as rows') as error:
        run(module, "tile-from-groups")
    assert error.value.op.name == "graph.relu"


def test_a_group_out_of_one_is_the_ops_again():
    module = read_module(TEXT).module
    run(module, "graph-decompose")
    before = str(module)
    function = function_of(module)
    ops = [op for op in function.body.block.ops if op.name.startswith("graph.")]
    group = make_group("g", ops[:3], 1.234)
    assert str(group.predicted_us) == "1.230000e+00 : f64"
    verify_module(module)
    assert list(group.ops) == ops[:3] and all(op.parent is group.body.block for op in ops[:3])
    assert open_group(group).ops == tuple(ops[:3])
    assert str(module) == before


def test_names_that_groups_or_kernels_have_are_not_given_twice():
    module = read_module(TEXT).module
    run(module, GROUPED)
    assert free_names(module, ["f_0", "g", "g"]) == ["f_0_", "g", "g_"]
    run(module, "tile-from-groups")
    assert free_names(module, ["f_0"]) == ["f_0_"]


def test_programs_are_compiled_from_groups():
    """They are of the tile level, and still have tiles to choose."""
    module = read_module(TEXT).module
    run(module, GROUPED)
    assert level_of(module) == "tile" and has_tiles_to_choose(module)
    fused, stated = (ascend_opt.compile(one, target="ascend910b", tune=1) for one in (TEXT, module))
    assert str(stated.module) == str(fused.module)
    run(module, "tile-from-groups")
    assert not has_tiles_to_choose(module)


def test_reports_that_wait_for_kernels_are_taken_once():
    with collect_reports() as reports:
        add_report(UnfusedReport(named=frozenset({("f", "a")})))
        add_report(FusionReport(()))
        (found,) = take_reports(UnfusedReport)
        assert [type(one) for one in reports] == [FusionReport]
        assert found.to_text() == "unfused: 1 group" and not found.to_json()
        assert not take_reports(UnfusedReport) and not take_reports(
            FusionReport, lambda one: bool(one.kernels)
        )
    assert not take_reports(FusionReport)


def test_records_are_those_of_the_kernels_that_were_built():
    module = read_module(EXAMPLES / "conv_bias_leaky_relu.mlir").module
    (report,) = run(module, GROUPED + ",tile-from-groups")
    assert isinstance(report, FusionReport)
    (plan,), (records,) = report.plans, report.kernels
    assert [record.name for record in records] == list(plan.names)
    assert all(isinstance(record, KernelRecord) for record in records)
    assert [record.cost and record.cost.time_us for record in records] == [
        c and c.time_us for c in plan.costs
    ]
