"""The examples at their real sizes: values without hazards, one kernel instead of many, bytes, time near the bound.

`ASCEND_OPT_ALL=1` runs the values of unfused programs and products of all sizes.
"""

from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sweeps import ALL as EVERYTHING

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.dialects.ascend.memory import element_bytes, memref_type
from ascend_opt.dialects.target import DEFAULT_TARGET
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.profile.profile import Profile

EXAMPLES = {path.stem: path for path in sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))}
TARGETS = ("ascend910", "ascend310p")
OPS = {
    "conv_bias_leaky_relu": 3, "conv_bn_relu": 3, "matmul_add_gelu": 3, "matmul_bias_relu": 3,
    "scale_relu_dropout": 3, "tanh_muladd": 3,
}  # fmt: skip
TOLERANCE = 3e-3
NEAR_BOUND = 1.2
SIZES = (1, 7, 17, 1000)

ALL = (*TARGETS, DEFAULT_TARGET)
"""The chips whose bytes are counted, and the one that tools take by themselves."""


def runs(*targets: str) -> pytest.MarkDecorator:
    """Every example on some chips; one worker runs what belongs to a pair, because it keeps its program."""
    pairs = [
        pytest.param(
            name, target, marks=pytest.mark.xdist_group(f"{name} on {target}"), id=f"{name}-{target}"
        )
        for name, target in product(OPS, targets)
    ]
    return pytest.mark.parametrize(("name", "target"), pairs)


each_target = pytest.mark.parametrize("target", TARGETS)


@cache
def program(name: str, target: str, fuse: bool) -> Program:
    return ascend_opt.compile(EXAMPLES[name], target=target, fuse=fuse)


@cache
def profile(name: str, target: str, fuse: bool) -> Profile:
    return program(name, target, fuse).time()


@cache
def inputs(name: str) -> dict[str, NDArray[Any]]:
    known = program(name, TARGETS[0], True)
    assert known.graph_module is not None
    return seeded_inputs(known.inputs, 0, choose_function(known.graph_module, known.name))


@cache
def reference(name: str) -> NDArray[Any]:
    return program(name, TARGETS[0], True).reference(inputs(name))["output0"]


def relative_error(found: NDArray[Any], expected: NDArray[Any]) -> float:
    """L2 norm of the difference over that of what was expected."""
    difference = found.astype(np.float32).ravel() - expected.astype(np.float32).ravel()
    return float(np.linalg.norm(difference) / np.linalg.norm(expected.astype(np.float32).ravel()))


def test_every_example_is_tested():
    """Attention has tests of its own (test_attention.py)."""
    assert set(EXAMPLES) == {*OPS, "attention"}


@pytest.mark.slow
@pytest.mark.parametrize("fuse", [True, False], ids=["fused", "unfused"])
@runs("ascend910", DEFAULT_TARGET, *(("ascend310p",) if EVERYTHING else ()))
def test_values_without_hazard(name: str, target: str, fuse: bool):
    if not (fuse or EVERYTHING):
        pytest.skip("unfused values: ASCEND_OPT_ALL=1")
    result = program(name, target, fuse).run(inputs(name))
    assert relative_error(result.outputs["output0"], reference(name)) <= TOLERANCE


@runs(*ALL)
def test_one_kernel_fused_and_one_for_each_op_unfused(name: str, target: str):
    fused, unfused = profile(name, target, True), profile(name, target, False)
    assert len(fused.kernels) == 1
    assert len(unfused.kernels) == OPS[name]
    assert fused.total_us < unfused.total_us


@runs(*TARGETS)
def test_fused_hbm_bytes_are_inputs_and_output_once(name: str, target: str):
    """Every input byte comes from HBM once and every output byte goes there once, in whole lines of L2."""
    compiled, run = program(name, target, True), profile(name, target, True)
    line = compiled.target.memory.l2_line
    arguments = Emulator(compiled.module, compiled.target).main(compiled.name).body.block.args
    read = sum(prod(memref_type(a).get_shape()) * element_bytes(a) for a in arguments)
    written = reference(name).size * 2
    assert read * 0.98 <= run.hbm_read_bytes <= read + len(arguments) * line
    assert written <= run.hbm_write_bytes <= written + line
    assert run.hbm_write_bytes < profile(name, target, False).hbm_write_bytes


@each_target
def test_element_wise_chain_goes_from_six_passes_over_gm_to_two(target: str):
    """Scale, ReLU and dropout: three reads and three writes of the tensor become one of each."""
    size = reference("scale_relu_dropout").size * 2
    fused = profile("scale_relu_dropout", target, True)
    unfused = profile("scale_relu_dropout", target, False)
    assert (fused.dma_read_bytes, fused.dma_write_bytes) == (size, size)
    assert (unfused.dma_read_bytes, unfused.dma_write_bytes) == (3 * size, 3 * size)


def too_slow(run: Profile) -> list[str]:
    """Kernels that take longer than 1.2 times their bound and a launch."""
    return [
        f"{kernel.name}: {kernel.time_us:.2f} us, bound {kernel.bound_us:.2f} us ({kernel.limit}), "
        f"launch {kernel.launch_us:.1f} us"
        for kernel in run.kernels
        if kernel.time_us > NEAR_BOUND * kernel.bound_us + kernel.launch_us
    ]


@runs(*TARGETS)
def test_unfused_kernels_are_near_their_bound(name: str, target: str):
    """No straw men: the baseline's kernels are as good as the fused ones."""
    assert not too_slow(profile(name, target, False))


@pytest.mark.sweep(16)
@each_target
@pytest.mark.parametrize("m", SIZES)
def test_unfused_products_of_any_size_are_near_their_bound(m: int, target: str):
    """A product, its bias and its activation, each on its own, with rows and columns of any length: every pair of
    sizes of two dimensions."""
    missed: list[str] = []
    for (i, n), (j, k) in product(enumerate(SIZES), enumerate(SIZES)):
        if not EVERYTHING and (i + j + SIZES.index(m)) % len(SIZES):
            continue
        text = f"""
        graph @f(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}}, %b: tensor<{n}xf16> {{weight}}) {{
          %p = matmul(%x, %w)
          %s = bias_add(%p, %b)
          %y = relu(%s)
          return %y
        }}"""
        run = ascend_opt.compile(text, target=target, fuse=False, tune=3).time()
        missed += [f"{m}x{k}x{n} {line}" for line in too_slow(run)]
    assert not missed
