"""Which launches become one, and what programs of theirs compute."""

from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt import HazardError
from ascend_opt.dialects import ascend
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.launches.plan import overlap, plan_launches

CHIPS = "ascend910", "ascend310p", "ascend910b", "ascend950"
BRANCHES = """
graph @branches(%x: tensor<96x256xf16>, %w: tensor<256x64xf16> {weight}, %v: tensor<256x32xf16> {weight},
                %b: tensor<32xf16> {weight}) {
  %t = tanh(%x)
  %s = softmax(%t) {axis = 1}
  %p = matmul(%x, %w)
  %q = matmul(%t, %v)
  %r = bias_add(%q, %b)
  %g = gelu(%r)
  %m = reduce_max(%x) {axes = [1]}
  return %s, %p, %g, %m
}
"""
FIRE = """
graph @fire(%x: tensor<1x16x24x24xf16>, %a: tensor<32x16x1x1xf16> {weight}, %b: tensor<32x16x3x3xf16> {weight}) {
  %p = conv2d(%x, %a)
  %u = relu(%p)
  %q = conv2d(%x, %b) {pads = [1, 1, 1, 1]}
  %v = relu(%q)
  %y = concat(%u, %v) {axis = 1}
  %z = max_pool2d(%y) {kernel = [2, 2], strides = [2, 2]}
  return %z
}
"""


def numbers(program: ascend_opt.Program) -> list[tuple[int, ...]]:
    """The numbers of the launches that each launch stands for; nothing of one that stands for itself."""
    launches = (op for op in program.module.walk() if isinstance(op, ascend.LaunchOp))
    return [tuple(part.number for part in op.parts) for op in launches]


def branches(x: np.ndarray, w: np.ndarray, v: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    """What the branches give, by definition."""
    from math import erf

    t = np.tanh(x)
    e = np.exp(t - t.max(1, keepdims=True))
    r = t @ v + b
    gelu = r * 0.5 * (1 + np.vectorize(erf)(r / np.sqrt(2)))
    return [e / e.sum(1, keepdims=True), x @ w, gelu, x.max(1, keepdims=True)]


@pytest.mark.parametrize("chip", CHIPS)
def test_branches_are_one_launch_and_right(chip: str):
    random = np.random.default_rng(0)
    shapes = {"x": (96, 256), "w": (256, 64), "v": (256, 32), "b": (32,)}
    given = {name: (random.standard_normal(shape) * 0.1).astype(np.float16) for name, shape in shapes.items()}
    joined, apart = (
        ascend_opt.compile(BRANCHES, chip),
        ascend_opt.compile(BRANCHES, chip, join_launches=False),
    )
    assert any(numbers(joined)) and not any(numbers(apart))
    assert joined.time().total_us < apart.time().total_us
    wanted = branches(*(array.astype(np.float64) for array in given.values()))
    for actual, expected in zip(joined.run(given).outputs.values(), wanted, strict=True):
        difference = np.linalg.norm(actual.astype(np.float64).reshape(expected.shape) - expected)
        assert difference < 3e-3 * np.linalg.norm(expected)


@pytest.mark.parametrize("chip", CHIPS[:3])  # on the last one they meet in a memory of their group
def test_parts_of_one_tensor_are_written_together(chip: str):
    """Both convolutions of a fire module write their part of the concatenation."""
    program = ascend_opt.compile(FIRE, chip)
    assert (0, 1) in numbers(program)
    random = np.random.default_rng(1)
    x, a, b = (
        random.standard_normal(s).astype(np.float16)
        for s in ((1, 16, 24, 24), (32, 16, 1, 1), (32, 16, 3, 3))
    )
    wide = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(wide, (3, 3), (2, 3))
    parts = [np.einsum("nchw,oc->nohw", x.astype(np.float64), a[:, :, 0, 0].astype(np.float64))]
    parts.append(np.einsum("nchwkl,ockl->nohw", windows, b.astype(np.float64)))
    both = np.maximum(np.concatenate(parts, 1), 0).reshape(1, 64, 12, 2, 12, 2).max((3, 5))
    (actual,) = program.run(x=x, a=a, b=b).outputs.values()
    assert np.linalg.norm(actual - both) < 3e-3 * np.linalg.norm(both)


def test_a_product_and_a_pool_write_parts_of_one_tensor():
    """FixPipe of Cube cores and DMA of the Vector cores beside them, which nothing orders, do not meet there."""
    text = """graph @mixed(%x0: tensor<1x64x14x14xf16>, %f: tensor<64x64x1x1xf16> {weight},
                           %w: tensor<96x64x3x3xf16> {weight}, %v: tensor<32x160x1x1xf16> {weight}) {
      %x = conv2d(%x0, %f)
      %c = conv2d(%x, %w) {pads = [1, 1, 1, 1], strides = [2, 2]}
      %a = relu(%c)
      %b = max_pool2d(%x) {kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]}
      %y = concat(%a, %b) {axis = 1}
      %z = conv2d(%y, %v)
      return %z
    }"""
    program = ascend_opt.compile(text, "ascend910b")
    assert (1, 2) in numbers(program)
    random = np.random.default_rng(2)
    shapes = (1, 64, 14, 14), (64, 64, 1, 1), (96, 64, 3, 3), (32, 160, 1, 1)
    x, f, w, v = ((random.standard_normal(shape) * 0.2).astype(np.float16) for shape in shapes)
    first = np.einsum("nchw,oc->nohw", x.astype(np.float64), f[:, :, 0, 0].astype(np.float64))
    parts: list[np.ndarray] = []
    for fill in (0.0, -np.inf):
        wide = np.pad(first, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=fill)
        windows = np.lib.stride_tricks.sliding_window_view(wide, (3, 3), (2, 3))[:, :, ::2, ::2]
        conv = np.einsum("nchwkl,ockl->nohw", windows, w.astype(np.float64)) if fill == 0 else None
        parts.append(windows.max((4, 5)) if conv is None else np.maximum(conv, 0))
    wanted = np.einsum("nchw,oc->nohw", np.concatenate(parts, 1), v[:, :, 0, 0].astype(np.float64))
    (actual,) = program.run(x0=x, f=f, w=w, v=v).outputs.values()
    assert np.linalg.norm(actual - wanted) < 3e-3 * np.linalg.norm(wanted)


MODULE = """
ascend.kernel @copy cores 2 {{
^bb0(%x: memref<64xf16, "gm">, %y: memref<64xf16, "gm">):
  %b = ascend.buffer {{addresses = array<i64: 0>}} : memref<64xf16, "ub">
  %e = arith.constant 0 : index
  ascend.copy %x, %b : memref<64xf16, "gm">, memref<64xf16, "ub">
  ascend.set_flag "MTE2" -> "MTE3", %e
  ascend.wait_flag "MTE2" -> "MTE3", %e
  ascend.copy %b, %y : memref<64xf16, "ub">, memref<64xf16, "gm">
  ascend.end
}}
func.func @f(%x: memref<64xf16, "gm">) -> (memref<64xf16, "gm">, memref<64xf16, "gm">) {{
  %a = ascend.gm_alloc : memref<64xf16, "gm">
  %b = ascend.gm_alloc : memref<64xf16, "gm">
  %whole = ascend.gm_alloc : memref<128xf16, "gm">
  %low = ascend.view_tensor %whole {{offset = 0 : i64}} : memref<128xf16, "gm"> -> memref<64xf16, "gm">
  %high = ascend.view_tensor %whole {{offset = 128 : i64}} : memref<128xf16, "gm"> -> memref<64xf16, "gm">
  %all = ascend.view_tensor %a : memref<64xf16, "gm"> -> memref<64xf16, "gm">
  {launches}
  func.return %a, %b : memref<64xf16, "gm">, memref<64xf16, "gm">
}}
"""


@pytest.mark.parametrize(
    ("pairs", "wanted"),
    [
        ("x a, x b", [(0, 1)]),  # both read
        ("x a, a b", []),  # one writes what the other reads
        ("a b, x a", []),  # and the other way round
        ("x a, b a", []),  # both write
        ("x a, all b", []),  # what the other writes has another name
        ("x low, x high", [(0, 1)]),  # parts that lie apart
        ("x low, high b", [(0, 1)]),
        ("x low, low b", []),
        ("x a, a b, x low", [(0, 2)]),  # comes first
        ("x a, a b, x low, low high", [(0, 2), (1, 3)]),
        ("x low, x a, low b, a high", [(0, 1), (2, 3)]),
    ],
)
def test_what_depends_on_what(pairs: str, wanted: list[tuple[int, ...]]):
    from ascend_opt.compiler.pipeline.read_module import read_module

    kind = 'memref<64xf16, "gm">'
    lines = [
        f"ascend.launch @copy({', '.join(f'%{name}' for name in pair.split())}) : {kind}, {kind}"
        for pair in pairs.split(", ")
    ]
    module = read_module(MODULE.format(launches="\n  ".join(lines))).module
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    kernels = {op.sym_name.data: op for op in module.walk() if isinstance(op, ascend.KernelOp)}
    found = plan_launches(function, kernels, load_target("ascend910"))
    assert [one.numbers for one in found] == wanted


def test_launches_stay_on_their_side_of_a_call():
    from ascend_opt.compiler.pipeline.read_module import read_module

    kind = 'memref<64xf16, "gm">'
    lines = [
        f"ascend.launch @copy(%x, %a) : {kind}, {kind}",
        f"%c = func.call @other(%a) : ({kind}) -> {kind}",
        f"ascend.launch @copy(%c, %b) : {kind}, {kind}",
        f"ascend.launch @copy(%x, %all) : {kind}, {kind}",
    ]
    text = MODULE.format(launches="\n  ".join(lines))
    start = text.index("func.func")
    text = f"{text[:start]}func.func private @other({kind}) -> {kind}\n{text[start:]}"
    module = read_module(text).module
    function = next(op for op in module.walk() if isinstance(op, FuncOp) and op.body.blocks)
    kernels = {op.sym_name.data: op for op in module.walk() if isinstance(op, ascend.KernelOp)}
    assert [one.numbers for one in plan_launches(function, kernels, load_target("ascend910"))] == [(1, 2)]


def test_a_call_that_takes_tensors_is_not_run():
    kind = 'memref<64xf16, "gm">'
    text = MODULE.format(launches=f"%c = func.call @other(%x) : ({kind}) -> {kind}")
    start = text.index("func.func")
    other = f"func.func @other(%x: {kind}) -> {kind} {{\n  func.return %x : {kind}\n}}\n"
    program = ascend_opt.compile(f"{text[:start]}{other}{text[start:]}", "ascend910", graph="f")
    with pytest.raises(ascend_opt.ProgramError, match=r"func.call: @other takes or gives tensors"):
        program.time()


def test_cores_that_meet():
    assert overlap([0, 4, 8], [4, 4, 4]) == [False, False, False]
    assert overlap([0, 2, 6], [4, 4, 4]) == [False, True, False]
    assert overlap([0, 0, 0], [4, 4, 4]) == [False, True, True]


def test_the_barrier_between_kernels_is_needed():
    """Kernels on the same cores use the same bytes on chip: the emulator finds out where nothing orders them."""
    chip = load_target("ascend910").with_(cores=1)
    program = ascend_opt.compile(BRANCHES, chip)
    whole = [
        op
        for kernel in program.module.body.block.ops
        if isinstance(kernel, ascend.KernelOp)
        for op in kernel.body.block.ops
        if isinstance(op, ascend.BarrierOp) and op.pipe.data == "ALL"
    ]
    assert whole
    program.time()
    for op in whole:
        op.detach()
        op.erase()
    with pytest.raises(HazardError):
        ascend_opt.compile(program.module, chip).time()


def test_repeated_launches_are_one_kernel():
    """Layers that are alike launch the same joined kernel."""
    layer = """
  %t{i} = tanh(%x{i})
  %s{i} = softmax(%t{i}) {{axis = 1}}
  %p{i} = matmul(%x{i}, %w)
  %x{n} = add(%s{i}, %p{i}) {{nofuse}}"""
    body = "".join(layer.format(i=i, n=i + 1) for i in range(3))
    text = f"graph @f(%x0: tensor<64x64xf16>, %w: tensor<64x64xf16> {{weight}}) {{{body}\n  return %x3\n}}"
    program = ascend_opt.compile(text, "ascend910b")
    launches = [op for op in program.module.walk() if isinstance(op, ascend.LaunchOp) and op.parts]
    assert len(launches) == 3 and len({op.kernels for op in launches}) == 1


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_profile_has_the_kernels_of_a_launch(chip: str):
    """The bound is of all of them, and each of them is checked."""
    from ascend_opt.compiler.checks.kernel_check import KernelChecks

    program = ascend_opt.compile(BRANCHES, chip)
    profile = program.time()
    (one,) = (kernel for kernel in profile.kernels if len(kernel.parts) > 1)
    apart = ascend_opt.compile(BRANCHES, chip, join_launches=False).time()
    alone = [apart.kernels[number].graph_bound_us for number in one.parts]
    assert max(alone) < one.graph_bound_us <= sum(alone)  # some bytes are read by several
    random = np.random.default_rng(0)
    given = {n: (random.standard_normal(t.shape) * 0.1).astype(np.float16) for n, t in program.inputs.items()}
    checks = KernelChecks(program, given)
    program.run(given, watch=checks)
    assert sorted(check.number for check in checks.found) == list(range(len(program.kernel_sources)))
    assert all(check.check.passed for check in checks.found)


def test_the_part_at_fault_is_named():
    """With its ops, its tile, and the line that its instruction comes from."""
    from dataclasses import replace

    from xdsl.dialects.builtin import StringAttr

    from ascend_opt.compiler.checks.bisect import bisect
    from ascend_opt.compiler.drivers.run_inputs import seeded_inputs

    program = ascend_opt.compile(BRANCHES, "ascend910")
    given = seeded_inputs(program.inputs, 0)
    last = [
        op for op in program.module.walk() if isinstance(op, ascend.VecOp) and op.instruction.data == "vexp"
    ][-1]
    last.instruction = StringAttr("vabs")
    finding = bisect(replace(program), given)
    assert (finding.kernel, finding.ops[-1], finding.point) == ("branches_2", "graph.gelu", 0)
    assert finding.instruction is not None and "<string>:9:8" in str(finding.instruction)


def test_a_workspace_that_was_planned_is_planned_again():
    from ascend_opt.compiler.pipeline.read_module import make_context, read_module
    from ascend_opt.passes.ascend_join_launches import AscendJoinLaunches

    text = (Path(__file__).parents[2] / "examples" / "networks" / "mla_prolog.mlir").read_text()
    apart = ascend_opt.compile(text, "ascend910", join_launches=False)
    module = read_module(str(apart.module)).module
    AscendJoinLaunches("ascend910").apply(make_context(), module)
    assert not any(op.offset for op in module.walk() if isinstance(op, ascend.GmAllocOp))
    assert any(op.parts for op in module.walk() if isinstance(op, ascend.LaunchOp))
    assert ascend_opt.compile(module, "ascend910").time().total_us < apart.time().total_us


@pytest.mark.parametrize(
    ("chip", "change"),
    [
        ("ascend910b", ("", "")),  # no core of the kind
        ("ascend910", ("cores 2", "cores 64")),
        ("ascend910", ("ascend.launch @copy(%x, %b)", "ascend.launch @nowhere(%x, %b)")),
    ],
)
def test_what_cannot_run_is_not_joined(chip: str, change: tuple[str, str]):
    from ascend_opt.compiler.pipeline.read_module import read_module

    kind = 'memref<64xf16, "gm">'
    launches = [f"ascend.launch @copy(%x, %{name}) : {kind}, {kind}" for name in "ab"]
    module = read_module(MODULE.format(launches="\n  ".join(launches)).replace(*change)).module
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    kernels = {op.sym_name.data: op for op in module.walk() if isinstance(op, ascend.KernelOp)}
    assert plan_launches(function, kernels, load_target(chip)) == ()


def test_names_are_free():
    other = "graph @branches_0_with_1_2_3(%x: tensor<64xf16>) {\n  %y = relu(%x)\n  return %y\n}"
    program = ascend_opt.compile(BRANCHES, "ascend910")
    assert "@branches_0_with_1_2_3(" in str(program.module)
    from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
    from ascend_opt.compiler.pipeline.read_module import make_context, read_module
    from ascend_opt.compiler.pipeline.universe import UNIVERSE

    module = read_module(BRANCHES + other).module
    for one in build_passes(UNIVERSE.all_passes, [*stages("fuse"), *stages("lower")], "ascend910"):
        one.apply(make_context(), module)
    names = [op.sym_name.data for op in module.body.block.ops if isinstance(op, ascend.KernelOp | FuncOp)]
    assert "branches_0_with_1_2_3_" in names and len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("number = 0 : i64", "number = 0.0 : f32", "each of joined has a kernel"),
        ("number = 0 : i64", "number = 0 : i32", "each of joined has a kernel"),
        ("number = 0 : i64", "number = 0 : i64, more = 1 : i64", "nothing else"),
        ("number = 0 : i64, ", "", "each of joined has a kernel"),
        ("number = 0 : i64", "number = 1 : i64", "numbers of joined differ"),
        ("number = 0 : i64", "number = 9 : i64", "0 to 3"),
        ("number = 0 : i64", "number = -1 : i64", "0 to 3"),
        ("result = 1 : i64", "result = 99 : i64", "the result of each of joined"),
        ('kernel = "branches_0"', "kernel = 3 : i64", "each of joined has a kernel"),
    ],
)
def test_what_joined_says_is_verified(old: str, new: str, message: str):
    text = str(ascend_opt.compile(BRANCHES, "ascend910").module)
    assert text.count(old) >= 1
    with pytest.raises(ascend_opt.CompileError, match=message):
        ascend_opt.compile(text.replace(old, new, 1), "ascend910")
