"""Names of other frameworks: errors say what to use by meaning; spelling is for typos."""

import re
from pathlib import Path

import pytest

from ascend_opt.compiler.text.other_names import ATTRIBUTES, OPERATIONS, attribute_hint, operation_hint
from ascend_opt.dialects.graph import graph_ops
from ascend_opt.tools.ascend_opt import main as opt

OPS = graph_ops()

NAMES = {
    "linear": "use 'matmul' and 'bias_add'",
    "where": "use 'select'",
    "flatten": "use 'reshape'",
    "mean": "use 'reduce_mean'",
    "sum": "use 'reduce_sum'",
    "view": "use 'reshape'",
    "permute": "use 'transpose'",
    "squeeze": "use 'reshape'",
    "unsqueeze": "use 'reshape'",
    "expand": "use 'broadcast'",
    "dot": "use 'matmul'",
    "mm": "use 'matmul'",
    "bmm": "use 'matmul'",
    "einsum": "use 'matmul', with 'transpose' and 'reshape' around it",
    "conv": "use 'conv2d'",
    "batchnorm": "did you mean 'batch_norm'?",
    "BatchNormalization": "use 'batch_norm'",
    "layernorm": "did you mean 'layer_norm'?",
    "LayerNormalization": "use 'layer_norm'",
    "swish": "use 'silu'",
    "hardswish": "did you mean 'hard_swish'?",
    "cat": "use 'concat'",
    "stack": "use 'reshape' and 'concat'",
    "chunk": "use 'split'",
    "masked_fill": "use 'select'",
    "sdpa": "use 'attention'",
    "upsample": "use 'resize'",
    "interpolate": "use 'resize'",
    "embedding": "use 'gather'",
    "gemm": "use 'matmul' and 'add'",
    "multiply": "use 'mul'",
    "divide": "use 'div'",
    "GlobalAveragePool": "use 'reduce_mean'",
    "stablehlo.dot_general": "use 'matmul'",
    "stablehlo.logistic": "use 'sigmoid'",
    "tosa.fully_connected": "use 'matmul' and 'bias_add'",
    "aten.leaky_relu": "did you mean 'leaky_relu'?",
    "leaky_rleu": "did you mean 'leaky_relu'?",
    "sotfmax": "did you mean 'softmax'?",
}

ATTRIBUTE_NAMES = {
    ("softmax", "dim"): "axis",
    ("reduce_sum", "dim"): "axes",
    ("reduce_sum", "keepdim"): "keep_dims",
    ("conv2d", "padding"): "pads",
    ("conv2d", "stride"): "strides",
    ("conv2d", "dilation"): "dilations",
    ("conv2d", "group"): "groups",
    ("max_pool2d", "kernel_size"): "kernel",
    ("max_pool2d", "kernel_shape"): "kernel",
    ("layer_norm", "eps"): "epsilon",
    ("leaky_relu", "negative_slope"): "alpha",
    ("dropout", "p"): "ratio",
    ("cast", "dtype"): "to",
    ("transpose", "dims"): "perm",
    ("slice", "strides"): "steps",
    ("matmul", "transB"): "transpose_b",
    ("attention", "is_causal"): "causal",
    ("clip", "min_val"): "min",
    ("broadcast", "size"): "shape",
}


@pytest.mark.parametrize("name", NAMES)
def test_operations_of_other_frameworks_are_named_by_meaning(name: str) -> None:
    assert operation_hint(name, OPS) == f"; {NAMES[name]}"


@pytest.mark.parametrize(("op", "name"), ATTRIBUTE_NAMES)
def test_attributes_of_other_frameworks_are_named_by_meaning(op: str, name: str) -> None:
    assert attribute_hint(name, list(OPS[op].attribute_specs())) == f"; use '{ATTRIBUTE_NAMES[op, name]}'"


def test_hints_name_only_what_there_is() -> None:
    named = {name for advice in OPERATIONS for name in re.findall(r"\{(\w+)\}", advice)}
    assert named <= OPS.keys()
    known = {name for op in OPS.values() for name in op.attribute_specs()}
    assert ATTRIBUTES.keys() <= known


def test_each_name_stands_for_one_thing() -> None:
    names = [name.replace("_", "") for names in OPERATIONS.values() for name in names.split()]
    assert sorted(names) == sorted(set(names))
    assert not {op.replace("_", "") for op in OPS} & set(names)


def _errors(capsys: pytest.CaptureFixture[str], path: str) -> str:
    assert opt([path]) == 1
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "graph @f(%x: tensor<4x4xf16>) {\n  %y = linear(%x, %x)\n  return %y\n}\n",
            "2:8: error: unknown operation 'linear'; use 'matmul' and 'bias_add'",
        ),
        (
            "graph @f(%x: tensor<4x4xf16>) {\n  %y = softmax(%x) {dim = 1}\n  return %y\n}\n",
            "2:21: error: 'softmax' has no attribute 'dim'; use 'axis'",
        ),
        (
            "func.func @f(%x: tensor<4x4xf16>) {\n  %y = graph.swish %x : (tensor<4x4xf16>) -> tensor<4x4xf16>\n}\n",
            "2:8: error: unknown operation 'graph.swish'; use 'graph.silu'",
        ),
        (
            'func.func @f(%x: tensor<4x4xf16>) {\n  %y = "onnx.Relu"(%x) : (tensor<4x4xf16>) -> tensor<4x4xf16>\n}\n',
            "2:9: error: unknown operation 'onnx.Relu'; did you mean 'graph.relu'?",
        ),
    ],
)
def test_messages_have_the_hint(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(text)
    assert message in _errors(capsys, str(path))


def test_messages_of_the_verifier_have_the_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(
        "func.func @f(%x: tensor<4x4xf16>) -> tensor<4x4xf16> {\n"
        "  %y = graph.softmax %x {dim = 1 : i64} : (tensor<4x4xf16>) -> tensor<4x4xf16>\n"
        "  func.return %y : tensor<4x4xf16>\n}\n"
    )
    assert "2:8: error: graph.softmax: has no attribute 'dim'; use 'axis'" in _errors(capsys, str(path))
