"""Results of Vector kernels in buffers of their own, or over what was read: then loads wait for stores."""

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.cost.rule_trace import trace_group
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.support.module import kernel_ops

CHAIN = """
graph @f(%x: tensor<2048x2048xf16>) {
  %scaled = abs(%x)
  %y = relu(%scaled) {MARKS}
  return %y
}"""


def compiled(marks: str) -> ascend_opt.Program:
    return ascend_opt.compile(CHAIN.replace("MARKS", marks), "ascend910b")


def test_a_result_with_buffers_of_its_own_lets_loads_go_on() -> None:
    """With tiles so small that a way through all pipes takes longer than HBM takes for two of them."""
    times = {}
    for apart in (False, True):
        program = compiled(f'tile = [4096], tiling = "apart={str(apart).lower()}"')
        x = np.random.default_rng(0).standard_normal((2048, 2048)).astype(np.float16)
        result = program.run({"x": x})
        np.testing.assert_array_equal(result.outputs["output0"], np.abs(x))
        assert str(program.module).count("ascend.buffer") == 1 + apart
        times[apart] = result.profile.total_us
    assert times[True] < 0.93 * times[False]


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950"])
def test_by_default_no_load_waits_for_a_store(chip: str) -> None:
    """Of two kernels the second one finds in L2 what the first one wrote: it waits the more."""
    text = """
    graph @f(%x: tensor<4096x4096xf16>) {
      %a = abs(%x) {nofuse, MARKS}
      %y = relu(%a) {nofuse, MARKS}
      return %y
    }"""
    default = ascend_opt.compile(text.replace(", MARKS", ""), chip)
    over = ascend_opt.compile(text.replace("MARKS", 'tiling = "apart=false"'), chip)
    assert default.plan is not None
    tilings = [kernel.tiling or {} for kernel in default.plan.functions["f"].kernels]
    assert [tiling["apart"] for tiling in tilings] == [True, True]
    assert default.time().total_us < 0.97 * over.time().total_us


def test_a_long_chain_of_two_tensors_does_not_meet_in_banks() -> None:
    """Of what each instruction reads, the result may lie over either; the two must stay apart all the same."""
    names = ("add", "mul", "maximum", "sub")
    lines = [f"%s{i + 1} = {names[i % 4]}(%s{i}, %m)" for i in range(12)]
    text = "graph @f(%s0: tensor<2048x1024xf16>, %m: tensor<2048x1024xf16>) {\n{BODY}\nreturn %s12\n}"
    times = {}
    for apart in (False, True):
        last = f'{lines[-1]} {{tile = [2432], tiling = "apart={str(apart).lower()}"}}'
        profile = ascend_opt.compile(
            text.replace("{BODY}", "\n".join([*lines[:-1], last])), "ascend910b"
        ).time()
        (kernel,) = profile.kernels
        assert kernel.pipes["V"].conflict_us == 0
        times[apart] = profile.total_us
    assert times[True] < 0.98 * times[False]


@pytest.mark.parametrize(("chip", "count"), [("ascend910b", 16), ("ascend910", 16), ("ascend310p", 16)])
def test_what_fills_the_queue_of_the_vector_is_not_apart(chip: str, count: int) -> None:
    """One flag more, and the scalar unit waits until it issues the next tile's loads."""
    inputs = ", ".join(f"%x{i}: tensor<1024x1024xf16>" for i in range(count))
    lines = ["%s0 = add(%x0, %x1)", *(f"%s{i} = add(%s{i - 1}, %x{i + 1})" for i in range(1, count - 1))]
    body = "\n".join(lines)
    plan = ascend_opt.compile(f"graph @f({inputs}) {{\n{body}\nreturn %s{count - 2}\n}}", chip).plan
    assert plan is not None
    (kernel,) = plan.functions["f"].kernels
    assert not (kernel.tiling or {})["apart"]


@pytest.mark.parametrize(
    ("body", "over"),
    [
        ("%y = relu(%x)", True),
        ("%a = relu(%x) %y = add(%a, %x)", False),
        ("%a = relu(%x) %y = add(%x, %a)", True),
        ("%y = cast(%x) {to = f32}", False),
        ("%y = add(%x, %x)", True),
    ],
)
def test_what_a_result_is_written_over(body: str, over: bool) -> None:
    text = "graph @f(%x: tensor<64x64xf16>) {\n" + body.replace(") %", ")\n%") + "\nreturn %y\n}"
    program = ascend_opt.compile(text, "ascend910b")
    assert program.graph_module is not None
    (function,) = program.graph_module.body.block.ops
    assert isinstance(function, FuncOp)
    regions = group_regions(kernel_ops(function))
    assert trace_group(regions, load_target("ascend910b")).over_load(regions) == over


def test_what_cannot_be_written_over_has_no_choice() -> None:
    text = 'graph @f(%x: tensor<64x64xf16>) {\n%y = cast(%x) {to = f32, tiling = "apart=true"}\nreturn %y\n}'
    with pytest.raises(ascend_opt.CompileError, match="no legal tiling has apart true: apart may be false"):
        ascend_opt.compile(text, "ascend910b")


@pytest.mark.parametrize(
    ("size", "apart", "reason"),
    [
        (22528, False, ""),  # the largest one with buffers of its own
        (22528, True, ""),
        (22544, False, ""),
        (22544, True, "the tile needs 180352 B of UB, 128 more than ascend910b has for tiles"),
        (45056, False, ""),  # the largest one without
    ],
)
def test_a_stated_tile_may_have_either(size: int, apart: bool, reason: str) -> None:
    text = """
    graph @f(%x: tensor<4096x4096xf16>) {
      %y = relu(%x) {tile = [SIZE], tiling = "apart=APART"}
      return %y
    }"""
    text = text.replace("SIZE", str(size)).replace("APART", str(apart).lower())
    if reason:
        with pytest.raises(ascend_opt.CompileError, match=reason):
            ascend_opt.compile(text, "ascend910b")
        return
    plan = ascend_opt.compile(text, "ascend910b").plan
    assert plan is not None
    (kernel,) = plan.functions["f"].kernels
    tiling = kernel.tiling or {}
    assert (tiling["tiles"], tiling["apart"]) == ([size], apart)
