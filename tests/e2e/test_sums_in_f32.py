"""Products whose sums stay f32 (`out`): no pass rounds them, or their weights, to the type of the operands."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascend_opt

GIVEN = "%x: tensor<40x64xf16>, %w: tensor<64x48xf16> {weight}"
GRAPHS: dict[str, tuple[str, list[str], Callable[[Any, Any], Any]]] = {
    "alone": (GIVEN, [], lambda p, g: p),
    "scaled": (f"{GIVEN}, %g: tensor<48xf32> {{weight}}", ["%y = mul(%p, %g)"], lambda p, g: p * g),
    "shifted and scaled": (
        f"{GIVEN}, %g: tensor<48xf32> {{weight}}",
        ["%s = add(%p, %g)", "%y = mul(%s, %g)"],
        lambda p, g: (p + g) * g,
    ),
    "beside one in f16": (
        GIVEN,
        ["%o = matmul(%x, %w)", "%c = cast(%o) {to = f32}", "%d = sub(%c, %c)", "%y = add(%p, %d)"],
        lambda p, g: p,
    ),
}


@pytest.mark.parametrize("chip", ["ascend910b", "ascend910", "ascend310p", "ascend950"])
@pytest.mark.parametrize("name", ["scaled", *(name for name in GRAPHS if name != "scaled")])
def test_values(name: str, chip: str) -> None:
    arguments, lines, wanted = GRAPHS[name]
    body = "\n  ".join(["%p = matmul(%x, %w) {out = f32}", *lines])
    result = "%y" if lines else "%p"
    program = ascend_opt.compile(
        f"graph @f({arguments}) {{\n  {body}\n  return {result}\n}}", target=chip, tune=1
    )
    rng = np.random.default_rng(6)
    x, w = (rng.standard_normal(shape).astype(np.float16) for shape in ((40, 64), (64, 48)))
    g = rng.uniform(0.5, 1.5, 48).astype(np.float32)
    given = {"x": x, "w": w} | ({"g": g} if "%g" in arguments else {})
    (found,) = program.run(given).outputs.values()
    assert found.dtype == np.float32
    exact = wanted(x.astype(np.float64) @ w.astype(np.float64), g.astype(np.float64))
    assert np.linalg.norm(found - exact) <= 2e-6 * np.linalg.norm(exact)


@pytest.mark.parametrize("out", ["i8", "bf16", "i32"])
def test_another_type_is_refused_at_its_place(out: str) -> None:
    text = f"graph @f(%x: tensor<8x8xf16>) {{\n  %y = matmul(%x, %x) {{out = {out}}}\n  return %y\n}}"
    wanted = f":2:24: .*out is f32 or the type of the operands, f16, got {out}"
    with pytest.raises(ascend_opt.CompileError, match=wanted):
        ascend_opt.compile(text)
