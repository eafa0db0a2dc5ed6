"""How a kernel is carried out is what its IR says: loops and marks that are stated by hand are obeyed, give the values
that numpy gives, and are as slow as they look."""

from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects.builtin import ArrayAttr, ModuleOp

import ascend_opt
from ascend_opt.compiler.pipeline.pass_text import parse_passes
from ascend_opt.compiler.pipeline.pipelines import build_passes
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.compiler.pipeline.verify import verify_module
from ascend_opt.dialects import tile
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.lowering.pipeline import plan_pipeline
from ascend_opt.passes.lowering.programs import has_room_ahead

PRODUCT = """graph @f(%x: tensor<1024x256xf16>, %w: tensor<256x512xf16>) {
  %p = matmul(%x, %w)
  %y = leaky_relu(%p) {alpha = 0.25}
  %z = mul(%y, %y)
  return %z
}"""
SCALED = """graph @f(%x: tensor<4096x1024xf16>, %g: tensor<1024xf16>) {
  %s = mul(%x, %g)
  %y = softmax(%s)
  return %y
}"""
TILED = "graph-canonicalize,tile-fuse,tile-partition"


def _tiled(text: str, chip: str, passes: str = TILED) -> tuple[ModuleOp, tile.KernelOp]:
    """The module of a graph after some passes, and its only kernel."""
    module, context = read_module(text).module, make_context()
    for one in build_passes(UNIVERSE.all_passes, parse_passes(passes), chip):
        one.apply(context, module)
    (kernel,) = (op for op in module.walk() if isinstance(op, tile.KernelOp))
    return module, kernel


def _state(kernel: tile.KernelOp, loops: tuple[str, ...]) -> None:
    programs = zip(kernel.program_list, loops, strict=True)
    kernel.programs = ArrayAttr([tile.ProgramAttr.get(one.core, loop) for one, loop in programs])


@pytest.mark.parametrize(
    ("chip", "loops"),
    [
        ("ascend910", ("serial",)),
        ("ascend910", ("overlapped",)),
        ("ascend910", ("streamed",)),
        ("ascend910b", ("serial", "serial")),
        ("ascend910b", ("streamed", "serial")),
        ("ascend950", ("serial", "serial")),
        ("ascend950", ("streamed", "serial")),
    ],
)
def test_every_loop_around_a_product_gives_its_values(chip: str, loops: tuple[str, ...]):
    module, kernel = _tiled(PRODUCT, chip)
    _state(kernel, loops)
    verify_module(module)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1024, 256)).astype(np.float16)
    w = (rng.standard_normal((256, 512)) / 16).astype(np.float16)
    found = np.asarray(ascend_opt.compile(module).run(x=x, w=w).outputs["output0"], np.float64)
    p = x.astype(np.float64) @ w.astype(np.float64)
    wanted = np.where(p > 0, p, p / 4) ** 2
    assert np.linalg.norm(found - wanted) / np.linalg.norm(wanted) < 3e-3


def test_a_loop_is_as_slow_as_it_looks():
    """Loads of a tile that wait for the products before, and steps that wait for each other, take longer than what the
    pass has decided."""
    times: dict[str, float] = {}
    for loop in ("serial", "overlapped", "streamed"):
        module, kernel = _tiled(PRODUCT.replace("1024x256", "8192x256"), "ascend910")
        assert plan_pipeline(kernel, load_target("ascend910")).loops == ("streamed",)
        _state(kernel, (loop,))
        times[loop] = ascend_opt.compile(module).time().kernels[0].time_us
    assert times["streamed"] < 0.97 * times["serial"]
    assert times["streamed"] < 0.95 * times["overlapped"]


def test_what_has_no_room_is_not_loaded_ahead():
    _, kernel = _tiled(SCALED, "ascend910b")
    chip = load_target("ascend910b")
    plan = plan_pipeline(kernel, chip)
    assert len(plan.hoisted) == 1 and plan_pipeline(kernel, chip, ahead=False).hoisted == ()
    plan.annotate(kernel)
    assert has_room_ahead(kernel, chip)
    small = replace(chip.spaces["ub"], bytes=1024 * 2)
    assert not has_room_ahead(kernel, replace(chip, spaces={**chip.spaces, "ub": small}))
