"""What FixPipe does of an epilogue on split cores: which ops, with right values, and what is left for Vector cores."""

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.dialects import ascend, tile

CHIP = "ascend910b1"
MATMUL = "%c = matmul(%a, %w)"
CONV = "%c = conv2d(%a, %w) {pads = [1, 1, 1, 1]}"


def _program(body: str, n: int = 120, more: str = "", weight: str = "", element: str = "f16") -> Program:
    shapes = ("2x32x14x14", f"{n}x32x3x3") if "conv2d" in body else ("70x200", f"200x{n}")
    arguments = f"%a: tensor<{shapes[0]}xf16>, %w: tensor<{shapes[1]}xf16>{weight}, %b: tensor<{n}xf16>{more}"
    text = f"graph @g({arguments}) {{\n  {body}\n  return %y\n}}\n".replace("xf16>", f"x{element}>")
    return ascend_opt.compile(text, target=CHIP, tune=1)


def _vector_ops(program: Program) -> list[str]:
    ops = (op for op in compile_until(program, "ascend").walk() if isinstance(op, ascend.VecOp))
    return sorted({op.instruction.data for op in ops})


def _drain(program: Program) -> tuple[bool, float | str | None]:
    """Whether the sum starts from a bias; what negative values are multiplied by, "row" if each column has its own."""
    ops = list(compile_until(program, "tile").walk())
    (contract,) = (op for op in ops if isinstance(op, tile.ContractOp))
    (extract,) = (op for op in ops if isinstance(op, tile.ExtractOp) and op.source is contract.result)
    slope = None if extract.slope is None else float(extract.slope.value.data)
    if extract.slopes is not None:
        return contract.bias is not None, "row"
    return contract.bias is not None, slope


def _error(program: Program) -> float:
    rng = np.random.default_rng(3)
    inputs = {name: rng.standard_normal(t.shape) for name, t in program.inputs.items()}
    inputs["w"] = inputs["w"] / 14
    given = {name: array.astype(np.float32) for name, array in inputs.items()}
    expected = np.asarray(program.reference(given)["output0"], np.float64)
    (found,) = program.run(given).outputs.values()
    return float(np.linalg.norm(found.astype(np.float64) - expected) / np.linalg.norm(expected))


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("body", "bias", "slope"),
    [
        pytest.param("%y = relu(%c)", False, 0.0, id="relu"),
        pytest.param("%y = leaky_relu(%c) {alpha = 0.25}", False, 0.25, id="leaky"),
        pytest.param("%y = leaky_relu(%c) {alpha = -0.5}", False, -0.5, id="leaky, upwards"),
        pytest.param("%y = add(%c, %b)", True, None, id="row"),
        pytest.param("%y = add(%b, %c)", True, None, id="row first"),
        pytest.param("%d = bias_add(%c, %b)\n  %y = relu(%d)", True, 0.0, id="bias and relu"),
        pytest.param("%y = prelu(%c, %b)", False, "row", id="prelu"),
        pytest.param("%d = bias_add(%c, %e)\n  %y = prelu(%d, %b)", True, "row", id="bias and prelu"),
    ],
)
@pytest.mark.parametrize("weight", ["", " {weight}"], ids=["operand", "weight"])
@pytest.mark.parametrize("n", [120, 700])
def test_taken_whole(body: str, bias: bool, slope: float | str | None, weight: str, n: int):
    more = f", %e: tensor<{n}xf16>" if "%e" in body else ""
    program = _program(f"{MATMUL}\n  {body}", n=n, weight=weight, more=more)
    assert _drain(program) == (bias, slope)
    assert _vector_ops(program) == []
    assert _error(program) < 1e-3


def test_bf16():
    program = _program(f"{MATMUL}\n  %d = add(%c, %b)\n  %y = leaky_relu(%d)", element="bf16")
    assert _drain(program) == (True, pytest.approx(0.01))
    assert _vector_ops(program) == []
    assert _error(program) < 1e-2


@pytest.mark.parametrize(
    ("body", "more", "drain"),
    [
        pytest.param("%y = gelu(%c)", "", (False, None), id="gelu"),
        pytest.param("%y = add(%c, %r)", ", %r: tensor<70x120xf16>", (False, None), id="residual"),
        pytest.param("%y = add(%c, %r)", ", %r: tensor<70x1xf16>", (False, None), id="column"),
        pytest.param("%d = relu(%c)\n  %y = add(%d, %b)", "", (False, 0.0), id="bias after relu"),
        pytest.param("%d = add(%c, %b)\n  %y = add(%d, %b)", "", (False, None), id="bias twice"),
        pytest.param("%d = add(%c, %b)\n  %y = add(%d, %e)", ", %e: tensor<120xf16>", (True, None), id="two biases"),
        pytest.param("%d = add(%c, %b)\n  %e = gelu(%d)\n  %y = relu(%e)", "", (True, None), id="bias, gelu, relu"),
        pytest.param("%d = prelu(%c, %b)\n  %y = relu(%d)", "", (False, "row"), id="relu after prelu"),
        pytest.param("%y = prelu(%c, %s)", ", %s: tensor<1xf16>", (False, None), id="one slope"),
        pytest.param("%d = relu(%c)\n  %e = relu(%d)\n  %y = mul(%e, %c)", "", (False, None), id="used again"),
    ],
)  # fmt: skip
def test_taken_in_part_or_not(body: str, more: str, drain: tuple[bool, float | str | None]):
    """What comes after the first op that FixPipe cannot do is the Vector cores', and values are right."""
    program = _program(f"{MATMUL}\n  {body}", more=more)
    assert _drain(program) == drain
    assert _vector_ops(program) != []
    assert _error(program) < 2e-3


@pytest.mark.parametrize("n", [64, 20, 300])
@pytest.mark.parametrize(
    ("last", "slope"),
    [("leaky_relu(%d)", pytest.approx(0.01)), ("prelu(%d, %s)", "row")],
    ids=["leaky", "prelu"],
)
def test_of_a_convolution_only_the_layout_is_left(n: int, last: str, slope: object):
    body = f"{CONV}\n  %d = bias_add(%c, %b)\n  %y = {last}"
    program = _program(body, n=n, weight=" {weight}", more=f", %s: tensor<{n}x1x1xf16>")
    assert _drain(program) == (True, slope)
    assert not {"vadd", "vlrelu", "vmul"} & set(_vector_ops(program))
    assert _error(program) < 1e-3


def test_a_coupled_chip_has_no_fixpipe():
    text = (
        f"graph @g(%a: tensor<64x64xf16>, %w: tensor<64x64xf16>) {{ {MATMUL}\n  %y = relu(%c)\n  return %y }}"
    )
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    assert _drain(program) == (False, None)
    assert "vrelu" in _vector_ops(program)


@pytest.mark.parametrize("n", [3, 17, 40])
def test_slopes_of_half_a_fractal_on_the_way_to_ub(n: int):
    text = f"""graph @g(%a: tensor<40x16xf32>, %w: tensor<16x{n}xf32> {{weight}}, %b: tensor<{n}xf32>) {{
      {MATMUL}
      %d = prelu(%c, %b)
      %y = gelu(%d)
      return %y
    }}"""
    program = ascend_opt.compile(text, target="ascend950", tune=1)
    assert _drain(program) == (False, "row")
    assert _error(program) < 1e-4
