"""Products of one left operand whose results an epilogue joins: one kernel, whose accumulator holds both."""

import numpy as np
import pytest
from fused_graphs import check
from stored_tiles import kernel_of, stored_tiles

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import tile

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")


def gated(
    m: int | str,
    k: int,
    n: int,
    *,
    weight: bool = True,
    turned: bool = False,
    after: str = "",
    batch: str = "",
) -> str:
    """silu(x g) * (x u), then `after` from %p to %y."""
    sizes = f"{n}x{k}" if turned else f"{batch}{k}x{n}"
    mark, option = " {weight}" if weight else "", " {transpose_b = true}" if turned else ""
    last = "%y = mul(%s, %u)" if not after else f"%p = mul(%s, %u)\n  {after}"
    return f"""graph @f(%x: tensor<{batch}{m}x{k}xf16>, %wg: tensor<{sizes}xf16>{mark}, %wu: tensor<{sizes}xf16>{mark},
                      %r: tensor<{batch}{m}x{n}xf16>) {{
  %h = matmul(%x, %wg){option}
  %s = silu(%h)
  %u = matmul(%x, %wu){option}
  {last}
  return %y
}}"""


CASES = {
    "packed weights": gated(70, 200, 96),
    "several steps of K": gated(96, 400, 64),
    "a residual": gated(33, 48, 64, after="%y = add(%p, %r)"),
    "one row": gated(1, 64, 32),
    "read as they are": gated(100, 160, 128, weight=False),
    "read as they are, turned": gated(40, 72, 48, weight=False, turned=True),
    "a batch": gated(20, 32, 48, weight=False, batch="3x"),
    "three of them": """graph @f(%x: tensor<40x64xf16>, %wa: tensor<64x32xf16>, %wb: tensor<64x32xf16>,
                                 %wc: tensor<64x32xf16>) {
  %a = matmul(%x, %wa)
  %b = matmul(%x, %wb)
  %c = matmul(%x, %wc)
  %t = mul(%a, %b)
  %y = sub(%t, %c)
  return %y
}""",
    "what both read is computed": """graph @f(%x: tensor<40x64xf16>, %wa: tensor<64x32xf16> {weight},
                                              %wb: tensor<64x32xf16> {weight}) {
  %n = relu(%x) {fuse = "a"}
  %a = matmul(%n, %wa) {fuse = "a"}
  %b = matmul(%n, %wb) {fuse = "a"}
  %y = mul(%a, %b) {fuse = "a"}
  return %y
}""",
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("chip", "name"), [(c, n) for n in CASES for c in CHIPS])
def test_values(chip: str, name: str):
    """One kernel, which reads each operand and writes the result, and no product."""
    _, result = check(CASES[name], chip)
    (kernel,) = result.profile.kernels
    assert kernel.dma_write_bytes < kernel.dma_read_bytes


def test_f32():
    _, result = check(gated(40, 64, 48).replace("f16", "f32"), "ascend910b1", "f32")
    assert len(result.profile.kernels) == 1


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_rows_are_read_once_for_both(chip: str):
    """Compared with a kernel for each product, which reads x twice and stores one product."""
    text = gated(128, 256, 256)
    program, result = check(text, chip)
    (kernel,) = result.profile.kernels
    assert kernel.compulsory_bytes == 2 * (128 * 256 + 2 * 256 * 256 + 128 * 256)
    (contract,) = (op for op in compile_until(program, "tile").walk() if isinstance(op, tile.ContractOp))
    reads = [op for op in contract.walk() if isinstance(op, tile.LoadOp)]
    assert len(reads) == 3
    apart = ascend_opt.compile(text, target=chip, fuse=False, tune=1).time().kernels
    assert kernel.time_us + kernel.launch_us < sum(k.time_us + k.launch_us for k in apart)


def test_a_dynamic_number_of_rows():
    program = ascend_opt.compile(gated("?", 64, 48), target="ascend910b1", tune=1)
    rng = np.random.default_rng(0)
    for rows in (1, 40):
        shapes = {"x": (rows, 64), "wg": (64, 48), "wu": (64, 48), "r": (rows, 48)}
        given = {
            name: rng.standard_normal(s).astype(np.float16) * np.float16(0.1) for name, s in shapes.items()
        }
        inputs = {name: given[name] for name in program.inputs}
        (found,), (want,) = program.run(inputs).outputs.values(), program.reference(inputs).values()
        assert np.linalg.norm(found - want) <= 4e-3 * np.linalg.norm(want)


def test_tiles_in_numpy_make_the_result():
    program = ascend_opt.compile(gated(70, 200, 96, weight=False), target="ascend910", tune=1)
    rng = np.random.default_rng(0)
    inputs = {
        n: rng.standard_normal(t.shape).astype(np.float16) * np.float16(0.2)
        for n, t in program.inputs.items()
    }
    (expected,) = program.reference(inputs).values()
    kernel = kernel_of(program)
    tensors = [inputs[value.name_hint or ""] for value in kernel.inputs]
    stored = stored_tiles(kernel, tensors, expected.shape)
    np.testing.assert_allclose(stored, expected, atol=4e-3, rtol=4e-3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (gated(32, 64, 40), "40 columns of several products are no whole blocks of 16"),
        (
            gated(32, 64, 48).replace("%u = matmul(%x, %wu)", "%z = relu(%x)\n  %u = matmul(%z, %wu)"),
            "two products need two accumulators",
        ),
        (
            gated(32, 64, 48, after="%y = softmax(%p)"),
            "an op needs whole rows of what 2 products give in parts",
        ),
    ],
)
def test_what_is_not_joined_says_why(text: str, reason: str):
    program, result = check(text, "ascend910b1")
    assert reason in program.report()
    assert len(result.profile.kernels) > 1


@pytest.mark.parametrize("chip", CHIPS)
def test_a_whole_gated_mlp_may_be_one_kernel(chip: str):
    """What both give feeds a product part by part: rows are ragged, the last part is smaller, a residual is added."""
    mark = 'fuse = "a"'
    text = f"""graph @f(%x: tensor<33x48xf16>, %wg: tensor<48x112xf16>, %wu: tensor<48x112xf16>,
                      %wd: tensor<112x64xf16>, %r: tensor<33x64xf16>) {{
  %h = matmul(%x, %wg) {{{mark}}}
  %s = silu(%h) {{{mark}}}
  %u = matmul(%x, %wu) {{{mark}}}
  %p = mul(%s, %u) {{{mark}}}
  %o = matmul(%p, %wd) {{{mark}}}
  %y = add(%o, %r) {{{mark}}}
  return %y
}}"""
    program, result = check(text, chip)
    assert len(result.profile.kernels) == 1
    (stream, *_) = (op for op in compile_until(program, "tile").walk() if isinstance(op, tile.StreamOp))
    assert sum(isinstance(op, tile.ContractOp) for op in stream.body.block.ops) == 2
