"""The workspace in GM: lifetimes in launches, reuse, and tensors that share bytes in the emulator too."""

from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerAttr, i64

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.dialects.ascend import GmAllocOp, LaunchOp
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.memory.space_plan import DoesNotFitError, Lifetime, MemoryProblem, plan_smallest
from ascend_opt.passes.memory.validate import check_reuse
from ascend_opt.passes.memory.workspace_plan import WorkspacePlan, workspace_problem
from ascend_opt.passes.memory.workspace_report import WorkspaceReport
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError

CHIP = load_target("ascend910")
CHAIN = """
graph @f(%x: tensor<64x64xf16>) {
  %a = tanh(%x)
  %b = exp(%a)
  %c = neg(%b)
  %d = relu(%c)
  %e = add(%d, %b)
  return %e
}"""
X = np.linspace(-1, 1, 64 * 64, dtype=np.float16).reshape(64, 64)


def unfused(text: str = CHAIN) -> Program:
    return ascend_opt.compile(text, "ascend910", fuse=False, tune=1)


def workspace(program: Program) -> WorkspacePlan:
    (report,) = (r for r in program.reports if isinstance(r, WorkspaceReport))
    (plan,) = report.plans
    return plan


def allocs(program: Program) -> dict[str, GmAllocOp]:
    main = choose_function(program.module, "f")
    found = (op for op in main.body.block.ops if isinstance(op, GmAllocOp))
    return {op.result.name_hint or "": op for op in found}


def test_lifetimes_are_launches_from_the_first_to_the_last():
    program = unfused()
    problem, tensors = workspace_problem(choose_function(program.module, "f"), CHIP)
    assert [op.result.name_hint for op in tensors] == ["a", "b", "c", "d"]  # e is the caller's
    assert [(b.start, b.end) for b in problem.buffers] == [(0, 2), (1, 5), (2, 4), (3, 5)]
    assert {b.size for b in problem.buffers} == {8192 + CHIP.memory.l2_line}


def test_tensors_whose_launches_do_not_overlap_share_bytes():
    program = unfused()
    plan, found = workspace(program), allocs(program)
    offsets = {name: None if op.offset is None else op.offset.value.data for name, op in found.items()}
    assert offsets["a"] == offsets["c"]
    assert len({offsets[name] for name in "bcd"}) == 3
    assert offsets["e"] is None
    assert plan.plan.peak == plan.plan.bound == 3 * plan.apart // 4
    profile = program.time().workspace
    assert profile is not None
    assert (profile.peak, profile.apart) == (plan.plan.peak, plan.apart)


def test_values_are_right_with_reuse_and_a_wrong_lifetime_is_a_hazard():
    """The tensors really share their bytes: one that is still needed is overwritten."""
    program = unfused()
    right = program.reference(x=X)["output0"]
    np.testing.assert_allclose(program.run(x=X).outputs["output0"], right, rtol=2e-3, atol=2e-3)
    found = allocs(program)
    found["d"].offset = found["b"].offset
    with pytest.raises(HazardError) as caught:
        Emulator(program.module, program.target).run("f", {"x": X})
    assert caught.value.kind == "overwritten"
    assert caught.value.reason == "bytes of %b in the workspace are those of %d since another launch"
    at = found["b"].offset
    assert at is not None
    low = at.value.data
    assert (caught.value.space, caught.value.byte_range) == ("gm", (low, low + X.nbytes))
    taken, used = caught.value.instructions
    assert "relu" in str(taken) or "@f_3" in str(taken)
    assert taken != used
    unchecked = Emulator(program.module, program.target).run("f", {"x": X}, hazards=False).outputs[0]
    assert not np.allclose(unchecked, right, rtol=2e-3, atol=2e-3, equal_nan=True)


@pytest.mark.parametrize(
    ("one", "other", "move", "wrong"),
    [
        ("a", "b", 0, True),  # both at one launch
        ("b", "d", 0, True),
        ("b", "d", 8192 - 512, True),  # by one line
        ("b", "d", 8192, False),
        ("a", "d", 0, False),  # a is over by then
        ("e", "d", 0, True),  # of e, which the function returns, and d, which it is made of
    ],
)
def test_which_offsets_are_wrong(one: str, other: str, move: int, wrong: bool):
    """One tensor `move` bytes into the other one's, all others far from both."""
    program = unfused()
    found = allocs(program)
    for i, name in enumerate("abcd"):
        found[name].offset = IntegerAttr(65536 * (i + 1), i64)
    start = found[other].offset
    assert start is not None
    found[one].offset = IntegerAttr(start.value.data - move, i64)
    run = Emulator(program.module, program.target).run
    if wrong:
        with pytest.raises(HazardError, match="in the workspace are those of"):
            run("f", {"x": X})
    else:
        expected = program.reference(x=X)["output0"]
        np.testing.assert_allclose(run("f", {"x": X}).outputs[0], expected, rtol=2e-3, atol=2e-3)


def test_a_result_whose_bytes_another_tensor_has_is_found_at_the_return():
    program = unfused(CHAIN.replace("return %e", "return %b, %e"))
    found = allocs(program)
    found["b"].offset = found["d"].offset = IntegerAttr(65536, i64)
    found["a"].offset, found["c"].offset = IntegerAttr(0, i64), IntegerAttr(32768, i64)
    add = next(op for op in program.module.walk() if isinstance(op, LaunchOp) and "add" in str(op.kernel))
    add.detach()
    add.erase()
    with pytest.raises(HazardError, match="bytes of %b in the workspace are those of %d"):
        Emulator(program.module, program.target).run("f", {"x": X})


def test_a_tensor_of_the_workspace_begins_without_values():
    """What lay at its bytes before is not there to be read by mistake."""
    program = unfused()
    found = allocs(program)
    for op in found.values():
        op.offset = None
    found["a"].offset = found["c"].offset = IntegerAttr(0, i64)
    kernel = next(op for op in program.module.walk() if op.name == "ascend.launch" and "neg" in str(op))
    kernel.detach()
    kernel.erase()
    emulator = Emulator(program.module, program.target)
    (output,) = emulator.run("f", {"x": X}, hazards=False).outputs
    assert np.isnan(output).all()
    with pytest.raises(HazardError) as caught:
        emulator.run("f", {"x": X})
    assert caught.value.kind == "poison"


def test_a_line_that_is_used_again_is_in_l2():
    """d is read back from where a was written, so reuse brings no byte from HBM that was not there."""
    program = unfused()
    shared = program.time()
    for op in allocs(program).values():
        op.offset = None
    apart = Emulator(program.module, program.target).run("f", values=False).profile
    assert apart.workspace is not None and apart.workspace.apart == 0
    assert shared.hbm_read_bytes == apart.hbm_read_bytes
    assert shared.hbm_write_bytes < apart.hbm_write_bytes


def test_views_extend_the_life_of_their_tensor():
    text = CHAIN.replace("%c = neg(%b)", "%r = reshape(%b) {shape = [4096]}\n  %c = neg(%b)").replace(
        "return %e", "%s = tanh(%r)\n  return %e, %s"
    )
    plan = workspace(unfused(text))
    (b,) = (buffer for buffer in plan.problem.buffers if buffer.name == "b")
    assert (b.start, b.end) == (1, 6)


def test_a_returned_view_keeps_its_tensor_out_of_the_workspace():
    text = CHAIN.replace("return %e", "%r = reshape(%b) {shape = [4096]}\n  return %e, %r")
    assert "b" not in {buffer.name for buffer in workspace(unfused(text)).problem.buffers}


def test_validator_sees_an_overlap_of_lives():
    plan = workspace(unfused())
    offsets = list(plan.plan.offsets)
    offsets[3] = offsets[1]
    with pytest.raises(ValueError, match="alive at once"):
        check_reuse(plan.problem, replace(plan.plan, offsets=tuple(offsets)))


def test_too_large_a_workspace_is_refused():
    buffers = Lifetime("a", 4096, 0, 2), Lifetime("b", 8192, 1, 3)
    with pytest.raises(DoesNotFitError, match="gm needs 12288 B, the chip has 8192 B"):
        plan_smallest(MemoryProblem("gm", 8192, 512, buffers))


@pytest.mark.parametrize("offset", [-512, 100, CHIP.spaces["gm"].bytes])
def test_an_offset_that_no_tensor_has_is_an_error(offset: int):
    program = unfused()
    allocs(program)["a"].offset = IntegerAttr(offset, i64)
    with pytest.raises(ascend_opt.ProgramError, match=r"offset|of the workspace"):
        Emulator(program.module, program.target).run("f", {"x": X})
