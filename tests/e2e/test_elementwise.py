"""Values of every element-wise op alone, on every kind of chip and odd shapes, hazards on, against the reference.

Each op sees every other shape on one chip, in turns; `ASCEND_OPT_ALL=1` runs every shape on every chip.
"""

# pyright: basic

from dataclasses import dataclass

import numpy as np
import pytest
from fused_graphs import check
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.checks.run_check import BOUNDS, relative_error
from ascend_opt.dialects import graph
from ascend_opt.dialects.graph.rules import Composite, Pointwise, broadcast_maps
from ascend_opt.dialects.tiling import DIRECTIONS
from ascend_opt.runtime.reference import reference_of

RUNS = (
    ("ascend910", "f16"), ("ascend310p", "f16"), ("ascend910b1", "f16"), ("ascend950", "f16"), ("ascend910b1", "f32"),
)  # fmt: skip
SHAPES = ((7, 1001), (1, 1), (1024, 1024), (2, 3, 17, 19), (33, 65), (5,))
BROADCASTS = (
    ((7, 1001), (1001,)), ((1, 1), (1, 1)), ((1024, 1024), ()), ((2, 3, 17, 19), (3, 1, 1)), ((33, 65), (33, 1)),
    ((5,), (5,)),
)  # fmt: skip
DTYPES = {"f16": np.float16, "f32": np.float32, "i1": np.bool_}


@dataclass(frozen=True)
class Case:
    """An op's call: `operands` are the kinds of values."""

    op: str
    operands: tuple[str, ...] = ("any",)
    attributes: str = ""
    constant: float | None = None
    """A splat as last operand."""
    exact: bool = False

    @property
    def name(self) -> str:
        return " ".join(
            filter(None, (self.op, self.attributes, "" if self.constant is None else str(self.constant)))
        )


def _pow(exponent: float, kind: str = "any") -> Case:
    return Case("pow", (kind,), constant=exponent)


CASES = [
    Case("abs", exact=True),
    Case("add", ("any", "any")),
    Case("add", constant=0.3),
    Case("cast", attributes="to = f16"),
    Case("cast", attributes="to = f32"),
    Case("ceil", ("far",), exact=True),
    Case("clip", attributes="min = -0.5, max = 0.75"),
    Case("clip", attributes="min = 0.5, max = -0.25", exact=True),
    *(Case("compare", ("halves", "halves"), f'direction = "{d}"', exact=True) for d in DIRECTIONS),
    Case("compare", attributes='direction = "lt"', constant=0.25, exact=True),
    Case("compare", ("gaps", "gaps"), 'direction = "ge"', exact=True),
    Case("cast", ("halves",), "to = i1", exact=True),
    Case("cast", ("mask",), "to = f16", exact=True),
    Case("cast", ("mask",), "to = f32", exact=True),
    Case("cos", ("far",)),
    Case("div", ("any", "positive")),
    Case("div", constant=3.0),
    Case("dropout", exact=True),
    Case("elu"),
    Case("elu", ("small",), "alpha = 0.7"),
    Case("erf"),
    Case("exp"),
    Case("floor", ("far",), exact=True),
    Case("gelu"),
    Case("gelu", attributes='approximate = "tanh"'),
    Case("hard_sigmoid"),
    Case("hard_sigmoid", attributes="alpha = 0.3, beta = -0.1"),
    Case("hard_swish"),
    Case("is_nan", ("gaps",), exact=True),
    Case("leaky_relu", attributes="alpha = 0.2"),
    Case("log", ("positive",)),
    Case("logical_and", ("mask", "mask"), exact=True),
    Case("logical_not", ("mask",), exact=True),
    Case("logical_or", ("mask", "mask"), exact=True),
    Case("logical_xor", ("mask", "mask"), exact=True),
    Case("maximum", ("any", "any"), exact=True),
    Case("minimum", ("any", "any"), exact=True),
    Case("mish"),
    Case("mish", ("far",)),
    Case("mul", ("any", "any")),
    Case("neg", exact=True),
    Case("pow", ("positive", "any")),
    *(_pow(n) for n in (0.0, 1.0, 2.0, 3.0, 7.0)),
    *(_pow(n, "apart") for n in (-1.0, -2.0, -3.0, 65.0, 66.0)),
    *(_pow(n, "positive") for n in (0.5, -0.5, 1.7, -2.3)),
    Case("prelu", ("any", "any")),
    Case("reciprocal", ("apart",)),
    Case("relu", exact=True),
    Case("round", ("halves",), exact=True),
    Case("round", ("far",), exact=True),
    Case("rsqrt", ("positive",)),
    Case("select", ("mask", "gaps", "any"), exact=True),
    Case("select", ("mask", "any"), constant=-65504.0, exact=True),
    Case("sigmoid"),
    Case("sign", ("halves",), exact=True),
    Case("sign", ("small",), exact=True),
    Case("silu"),
    Case("sin", ("far",)),
    Case("softplus"),
    Case("softplus", ("far",)),
    Case("softplus", ("low",)),
    Case("sqrt", ("positive",)),
    Case("square"),
    Case("sub", ("any", "any")),
    Case("tanh"),
]


def _values(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    normal = rng.standard_normal(shape)
    if kind == "halves":
        return np.rint(normal * 8) / 2
    if kind == "gaps":
        return np.where(rng.random(shape) < 0.2, np.nan, normal)
    if kind == "apart":
        return np.sign(normal) * (np.abs(normal) * 0.05 + 0.9)
    return {
        "any": normal, "positive": np.abs(normal) + 0.1, "far": normal * 40, "small": normal * 1e-4,
        "low": -np.abs(normal) - 9,
    }[kind]  # fmt: skip


def _program(case: Case, index: int, dtype: str) -> tuple[str, dict[str, np.ndarray]]:
    """Graph text and its inputs, for the shape of this number."""
    rng = np.random.default_rng(index)
    first, second = BROADCASTS[index]
    shapes = (
        (SHAPES[index],) if len(case.operands) == 1 else (first, second, *[first] * (len(case.operands) - 2))
    )
    kinds = ["i1" if kind == "mask" else dtype for kind in case.operands]
    inputs = {
        name: (rng.random(shape) < 0.5 if kind == "mask" else _values(kind, shape, rng)).astype(
            DTYPES[element]
        )
        for name, kind, shape, element in zip("abc", case.operands, shapes, kinds, strict=False)
    }
    types = ["".join(f"{s}x" for s in a.shape) + k for a, k in zip(inputs.values(), kinds, strict=True)]
    declared = ", ".join(f"%{name}: tensor<{type_}>" for name, type_ in zip(inputs, types, strict=True))
    arguments = [f"%{name}" for name in inputs]
    body = ""
    if case.constant is not None:
        body = f"  %k = constant() {{value = {case.constant}}} : tensor<{dtype}>\n"
        arguments.append("%k")
    call = f"{case.op}({', '.join(arguments)})" + f" {{{case.attributes}}}" * bool(case.attributes)
    return f"graph @f({declared}) {{\n{body}  %y = {call}\n  return %y\n}}", inputs


@pytest.mark.sweep(3)
@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.name for case in CASES])
def test_values(number: int):
    case = CASES[number]
    for index in range(0 if ALL else number % 2, len(SHAPES), 1 if ALL else 2):
        chosen = RUNS if ALL else (RUNS[(number + index) % len(RUNS)],)
        for chip, dtype in chosen:
            text, inputs = _program(case, index, dtype)
            program = ascend_opt.compile(text, target=chip, tune=1)
            (output,), (expected,) = program.run(inputs).outputs.values(), program.reference(inputs).values()
            where = f"{chip}: {text}"
            assert output.shape == expected.shape, where
            if case.exact:
                np.testing.assert_array_equal(output, expected.astype(output.dtype), where)
            else:
                assert relative_error(output, expected) <= BOUNDS[output.dtype.name], where


def test_every_elementwise_op_has_a_case():
    """Those with a vector operand along one dimension, those of i8, keep_where and the views have their own tests."""
    found = {
        op.short_name() for op in graph.OPS
        if isinstance(op.TILING, Pointwise) and op.TILING.maps is broadcast_maps and not getattr(op, "TAKES_I8", False)
    }  # fmt: skip
    assert found - {case.op for case in CASES} == {"keep_where"}


@pytest.mark.parametrize("op", graph.OPS, ids=lambda op: op.short_name())
def test_every_op_has_a_reference_and_a_tiling_rule(op: type[graph.GraphOp]):
    assert callable(reference_of(op.name))
    assert op.TILING.engine in ("vector", "cube", "view", "composite")
    assert callable(op.TILING.expand if isinstance(op.TILING, Composite) else op.TILING.iteration)


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b", "ascend950"])
def test_indices_that_are_no_whole_blocks_are_computed_with(chip: str):
    """DMA brings 8 at a time, and the Vector unit converts 16: what it reads beside the last ones is set."""
    text = "graph @f(%x: tensor<45xi32>) {\n  %y = cast(%x) {to = f32}\n  return %y\n}"
    x = np.arange(45, dtype=np.int32)
    result = ascend_opt.compile(text, target=chip, tune=1).run({"x": x})
    np.testing.assert_array_equal(result.outputs["output0"], x.astype(np.float32))


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b", "ascend950"])
def test_elements_of_two_dimensions_are_repeated_along_the_last(chip: str):
    """What one tile takes of them is one run of GM; the third operand keeps the dimensions apart."""
    text = """graph @f(%x: tensor<4x8x40xf16>, %s: tensor<4x8x1xf16>, %z: tensor<8x40xf16>) {
      %0 = mul(%x, %s)
      %y = add(%0, %z)
      return %y
    }"""
    _, result = check(text, chip)
    assert len(result.profile.kernels) == 1
