"""A rewrite that is not planned, because its product alone takes too long, is none that would have been taken."""

from collections.abc import Callable

import pytest
from xdsl.rewriter import InsertPoint, Rewriter

from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.dialects.graph import MatmulOp, ReluOp
from ascend_opt.dialects.graph.base import GraphOp
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion import weighed_rewrite
from ascend_opt.passes.fusion.cost_model import CostModel
from ascend_opt.passes.graph_split_products import GraphSplitProducts

SIZES = [
    (64, 256, 16384),
    (128, 768, 768),
    (128, 4096, 4096),
    (16, 512, 2048),
    (1, 1000, 2048),
    (32, 64, 8192),
]


def _behind_that_take(us: float) -> Callable[[GraphOp, CostModel], float]:
    """Kernels behind a product that take so long at least, whatever they are."""

    def least(op: GraphOp, model: CostModel) -> float:
        return us

    return least


def _split(m: int, n: int, k: int) -> str:
    text = (
        f"graph @f(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}}, %b: tensor<{n}xf16> {{weight}}) {{\n"
        "  %p = matmul(%x, %w)\n  %s = bias_add(%p, %b)\n  %y = relu(%s)\n  return %y\n}\n"
    )
    module = read_module(text).module
    GraphSplitProducts("ascend910b").apply(make_context(), module)
    return str(module)


def test_what_is_not_planned_would_not_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [_split(*size) for size in SIZES]
    monkeypatch.setattr(weighed_rewrite, "_least_us", _behind_that_take(-1e9))  # nothing is hopeless
    assert [_split(*size) for size in SIZES] == found
    assert 0 < sum("part = " in text for text in found) < len(SIZES)


def test_a_bound_that_is_too_high_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighed_rewrite, "_least_us", _behind_that_take(1e9))
    assert not any("part = " in _split(*size) for size in SIZES)


def test_what_is_known_of_weights_is_that_of_the_function_as_it_is() -> None:
    text = "graph @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}) { %y = matmul(%x, %w) return %y }"
    module = read_module(text).module
    ((function, weigher),) = weighed_rewrite.weighed_functions(module, load_target("ascend910b"))
    product = next(op for op in function.body.block.ops if isinstance(op, MatmulOp))
    model = weigher._model  # pyright: ignore[reportPrivateUsage]
    made = ReluOp(product.operands[1])
    Rewriter.insert_op(made, InsertPoint.before(product))
    assert made.result not in weigher.weights
    weigher.rewritten()
    assert made.result in weigher.weights
    assert weigher._model is not model  # pyright: ignore[reportPrivateUsage]
    assert made.result in weigher._model.packable  # pyright: ignore[reportPrivateUsage]
