"""Passes that say they only set attributes do, and what they set is verified."""

from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.utils.exceptions import VerifyException

from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.compiler.pipeline.verify import kept_by, verify_after, verify_module
from ascend_opt.compiler.text.diagnostics import OpError
from ascend_opt.dialects import ascend
from ascend_opt.dialects.attributes import integer_array
from ascend_opt.passes.ascend_multi_buffer import AscendMultiBuffer
from ascend_opt.passes.ascend_plan_workspace import AscendPlanWorkspace

EXAMPLE = Path(__file__).parents[2] / "examples" / "conv_bias_leaky_relu.mlir"


SIBLINGS = """
graph @siblings(%x: tensor<64x256xf16>, %z: tensor<64x256xf16>) {
  %a = exp(%x)
  %b = tanh(%z)
  return %a, %b
}
"""


def shape_of(module: ModuleOp, annotated: tuple[type, ...]) -> list[object]:
    """Every op with what it takes and gives, and its attributes where it is none of those that a pass sets."""
    return [
        (
            op,
            tuple(op.operands),
            tuple(result.type for result in op.results),
            None if isinstance(op, annotated) else {**op.properties, **op.attributes},
        )
        for op in module.walk()
    ]


def test_annotating_passes_change_nothing_else():
    module, context, seen = read_module(EXAMPLE).module, make_context(), list[str]()
    specs = [stage for pipeline in ("fuse", "lower") for stage in stages(pipeline)]
    for one in build_passes(UNIVERSE.all_passes, specs, "ascend950"):
        annotated = getattr(one, "annotates", ())
        before = shape_of(module, annotated)
        one.apply(context, module)
        if annotated:
            seen.append(one.name)
            assert shape_of(module, annotated) == before
            assert any(isinstance(op, annotated) for op in module.walk())
    assert seen == [
        "tile-partition",
        "tile-pipeline",
        "ascend-multi-buffer",
        "ascend-plan-memory",
        "ascend-join-vectors",
    ]
    verify_module(module)


@pytest.mark.parametrize("source", [EXAMPLE, SIBLINGS], ids=["example", "siblings"])
def test_passes_keep_what_they_say(source: Path | str):
    """The bodies of kernels that a pass keeps are the same objects with the same attributes afterwards."""
    module, context, seen = read_module(source).module, make_context(), list[str]()
    specs = [stage for pipeline in ("fuse", "lower") for stage in stages(pipeline)]
    for one in build_passes(UNIVERSE.all_passes, specs, "ascend950"):
        kept = kept_by(one, module)
        before = {op: (list(op.walk()), str(op.regions[0])) for op in kept}
        one.apply(context, module)
        left = {op for op in kept if op.parent is not None}
        assert left <= kept_by(one, module)
        assert left == kept or one.name == "ascend-join-launches"
        assert {op: (list(op.walk()), str(op.regions[0])) for op in left} == {op: before[op] for op in left}
        seen += [one.name] if kept else []
    assert seen == [
        "graph-decompose",
        "tile-group-ops",
        "tile-from-groups",
        "ascend-join-launches",
        "ascend-plan-workspace",
    ]


def test_a_kernel_of_joined_launches_is_verified():
    module, context = read_module(SIBLINGS).module, make_context()
    specs = [stage for pipeline in ("fuse", "lower") for stage in stages(pipeline)]
    for one in build_passes(UNIVERSE.all_passes, specs, "ascend950"):
        kept = kept_by(one, module)
        one.apply(context, module)
        if one.name == "ascend-join-launches":
            (made,) = kept_by(one, module) - kept
            verify_after(one, module, kept)
            buffer = next(op for op in made.walk() if isinstance(op, ascend.BufferOp))
            buffer.attributes["slotss"] = StringAttr("2")
            with pytest.raises(OpError, match="did you mean 'slots'"):
                verify_after(one, module, kept)
            return
    pytest.fail("no launches were joined")


def test_only_what_is_kept_is_not_verified():
    module, context = read_module(EXAMPLE).module, make_context()
    specs = [stage for pipeline in ("fuse", "lower") for stage in stages(pipeline)]
    for one in build_passes(UNIVERSE.all_passes, specs, "ascend950"):
        one.apply(context, module)
    one = AscendPlanWorkspace()
    kept = kept_by(one, module)
    assert len(kept) == 2  # of the Cube core and of the Vector cores
    buffer = next(op for op in module.walk() if isinstance(op, ascend.BufferOp))
    buffer.attributes["slotss"] = StringAttr("2")
    verify_after(one, module, kept)
    new = frozenset(op for op in kept if buffer not in op.walk())  # one is another than before
    with pytest.raises(OpError, match="did you mean 'slots'"):
        verify_after(one, module, new)
    del buffer.attributes["slotss"]
    launch = next(op for op in module.walk() if isinstance(op, ascend.LaunchOp))
    launch.attributes["kernels"] = StringAttr("2")
    with pytest.raises(OpError, match="has no attribute 'kernels'"):
        verify_after(one, module, kept)


def test_what_an_annotating_pass_sets_is_verified():
    module, context = read_module(EXAMPLE).module, make_context()
    specs = [stage for pipeline in ("fuse", "lower") for stage in stages(pipeline)]
    for one in build_passes(UNIVERSE.all_passes, specs, "ascend950"):
        one.apply(context, module)
    one = AscendMultiBuffer()
    verify_after(one, module)
    buffer = next(op for op in module.walk() if isinstance(op, ascend.BufferOp) and op.slot_count > 1)
    planned = buffer.addresses
    buffer.addresses = integer_array((0,) * 7)
    with pytest.raises(VerifyException, match="addresses"):
        verify_after(one, module)
    buffer.addresses = planned
    buffer.attributes["slotss"] = StringAttr("2")
    with pytest.raises(OpError, match="did you mean 'slots'"):
        verify_after(one, module)
