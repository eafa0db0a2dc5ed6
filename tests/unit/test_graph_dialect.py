"""The graph dialect: examples, round trips, inference, errors, extensions."""

# pyright: basic

import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from textwrap import dedent
from typing import ClassVar

import pytest
from xdsl.context import Context
from xdsl.dialects import test as test_dialect
from xdsl.dialects.builtin import (
    Builtin,
    ModuleOp,
    TensorType,
    f16,
    f32,
)
from xdsl.dialects.func import Func
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ascend_opt.dialects import graph
from ascend_opt.dialects.graph import extensions as extension_module
from ascend_opt.dialects.graph.base import to_attribute


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, Func, test_dialect.Test, graph.Graph):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def value(*shape: int, element: Attribute = f16) -> SSAValue:
    return test_dialect.TestOp(result_types=[TensorType(element, shape)]).results[0]


def generic(op: Operation) -> str:
    from io import StringIO

    text = StringIO()
    Printer(text, print_generic_format=True).print_op(op)
    return text.getvalue()


def example(op: type[graph.GraphOp]) -> str:
    """The example of the docstring, after definitions of the values that it uses."""
    lines = re.split(r"(%y(?:, %\w+)* = )", dedent(op.__doc__ or ""), maxsplit=1)
    assert len(lines) == 3, f"{op.name} has no example in its docstring"
    text = lines[1] + " ".join(lines[2].split())
    names = re.findall(r"%(\w+)", lines[2])
    signature = text.rsplit(" : (", 1)
    types = re.findall(r"tensor<[^>]*>", signature[1].split("->")[0]) if len(signature) > 1 else []
    assert len(names) == len(types)
    inputs = [f'%{name} = "test.op"() : () -> {type_}' for name, type_ in zip(names, types, strict=True)]
    return "\n".join([*inputs, text])


@pytest.mark.parametrize("op", graph.OPS, ids=lambda op: op.short_name())
def test_example_parses_verifies_and_round_trips(op: type[graph.GraphOp]):
    module = parse(example(op))
    assert isinstance(module.body.block.last_op, op)
    assert parse(str(module)).is_structurally_equivalent(module)
    assert parse(generic(module)).is_structurally_equivalent(module)


def test_ops_are_listed_by_name_and_pure():
    names = [op.name for op in graph.OPS]
    assert names == sorted(names)
    assert set(graph.graph_ops()) >= {op.short_name() for op in graph.OPS}
    for op in graph.OPS:
        assert op.has_trait(graph.base.Pure)  # type: ignore[attr-defined]
        assert op.TILING.engine in ("vector", "cube", "view", "composite")


@pytest.mark.parametrize("op", graph.OPS, ids=lambda op: op.short_name())
def test_attribute_kinds_are_known(op: type[graph.GraphOp]):
    assert all(spec.kind != "attribute" for spec in op.attribute_specs().values())


def test_specs_of_conv2d():
    assert graph.Conv2dOp.operand_names() == ("x", "w", "bias")
    assert graph.Conv2dOp.operand_counts() == (2, 3)
    assert [spec.optional for spec in graph.Conv2dOp.operand_specs()] == [False, False, True]
    specs = graph.Conv2dOp.attribute_specs()
    assert {name: spec.kind for name, spec in specs.items()} == {
        "strides": "ints",
        "pads": "ints",
        "dilations": "ints",
        "groups": "int",
    }
    assert specs["pads"].default == to_attribute("ints", (0, 0, 0, 0))
    assert graph.CastOp.attribute_specs()["to"].required
    assert not graph.ClipOp.attribute_specs()["min"].required


@pytest.mark.parametrize(
    ("op", "shapes", "attributes", "expected"),
    [
        (graph.AddOp, [(4, 8), (8,)], {}, (4, 8)),
        (graph.MulOp, [(4, 1, 3), (5, 1)], {}, (4, 5, 3)),
        (graph.SubOp, [(), ()], {}, ()),
        (graph.DivOp, [(), (2, 3)], {}, (2, 3)),
        (graph.AddOp, [(-1, 8), (1, 8)], {}, (-1, 8)),
        (graph.AddOp, [(-1, 8), (4, 8)], {}, (4, 8)),
        (graph.MatmulOp, [(4, 8), (8, 16)], {}, (4, 16)),
        (graph.MatmulOp, [(8, 4), (16, 8)], {"transpose_a": True, "transpose_b": True}, (4, 16)),
        (graph.MatmulOp, [(2, 1, 4, 8), (3, 8, 5)], {}, (2, 3, 4, 5)),
        (
            graph.Conv2dOp,
            [(1, 3, 224, 224), (64, 3, 7, 7)],
            {"strides": (2, 2), "pads": (3, 3, 3, 3)},
            (1, 64, 112, 112),
        ),
        (
            graph.Conv2dOp,
            [(2, 4, 9, 8), (6, 4, 3, 2), (6,)],
            {"dilations": (2, 3), "pads": (1, 0, 2, 1)},
            (2, 6, 8, 6),
        ),
        (graph.BiasAddOp, [(2, 3, 4), (4,)], {"axis": -1}, (2, 3, 4)),
        (graph.BatchNormOp, [(2, 3, 4, 4), (3,), (3,), (3,), (3,)], {}, (2, 3, 4, 4)),
        (graph.ReshapeOp, [(4, 6)], {"shape": (2, -1, 3)}, (2, 4, 3)),
        (graph.ReshapeOp, [(1, 1)], {"shape": ()}, ()),
        (graph.ReshapeOp, [(0, 6)], {"shape": (0, 3)}, (0, 3)),
        (graph.ClipOp, [(3,)], {"min": 0.0}, (3,)),
        (graph.GeluOp, [()], {"approximate": "tanh"}, ()),
    ],
)
def test_inferred_shape(op, shapes, attributes, expected):
    built = op(*(value(*shape) for shape in shapes), **attributes)
    built.verify()
    assert built.result.type == TensorType(f16, expected)


def test_cast_changes_the_element_type():
    assert graph.CastOp(value(3), to=f32).result.type == TensorType(f32, [3])


@pytest.mark.parametrize(
    ("op", "shapes", "attributes", "message"),
    [
        (graph.AddOp, [(4, 5), (3, 5)], {}, "graph.add: shapes 4x5 and 3x5 do not broadcast"),
        (graph.AddOp, [(4,)], {}, "graph.add: takes 2 operands (a, b), got 1"),
        (graph.Conv2dOp, [(1,)], {}, "graph.conv2d: takes 2 to 3 operands (x, w, bias), got 1"),
        (graph.MatmulOp, [(4, 8), (9, 16)], {}, "graph.matmul: a 4x8 and b 9x16 differ in K: 8 and 9"),
        (
            graph.MatmulOp,
            [(4, 8), (8, 16)],
            {"transpose_b": True},
            "graph.matmul: a 4x8 and b 8x16 (transposed) differ in K: 8 and 16",
        ),
        (
            graph.MatmulOp,
            [(8,), (8, 16)],
            {},
            "graph.matmul: operands need rank 2 or more, got a 8 and b 8x16",
        ),
        (
            graph.MatmulOp,
            [(2, 4, 8), (3, 8, 16)],
            {},
            "graph.matmul: batch dimensions of a 2x4x8 and b 3x8x16 do not broadcast",
        ),
        (
            graph.Conv2dOp,
            [(1, 3, 8, 8), (4, 2, 3, 3)],
            {},
            "graph.conv2d: x 1x3x8x8 and w 4x2x3x3 differ in channels: 3 and 2",
        ),
        (
            graph.Conv2dOp,
            [(1, 4, 8, 8), (4, 2, 3, 3)],
            {"groups": 3},
            "graph.conv2d: groups = 3 does not divide the channels and filters of x 1x4x8x8 and w 4x2x3x3",
        ),
        (
            graph.Conv2dOp,
            [(1, 4, 8, 8), (4, 4, 3, 3)],
            {"groups": 2},
            "graph.conv2d: x 1x4x8x8 and w 4x4x3x3 differ in channels: 4 / 2 groups and 4",
        ),
        (
            graph.MaxPool2dOp,
            [(1, 4, 8, 8)],
            {"kernel": (2, 3), "pads": (1, 1, 2, 1)},
            "graph.max_pool2d: pads [1, 1, 2, 1] leave windows of 2 with nothing but padding",
        ),
        (
            graph.MaxPool2dOp,
            [(1, 4, 8)],
            {"kernel": (2, 2)},
            "graph.max_pool2d: x must be [N, C, H, W], got 1x4x8",
        ),
        (
            graph.AvgPool2dOp,
            [(1, 4, 8, 8)],
            {"kernel": (2,)},
            "graph.avg_pool2d: kernel needs 2 values of 1 or more, got [2]",
        ),
        (graph.AvgPool2dOp, [(1, 4, 8, 8)], {}, "graph.avg_pool2d: needs attribute 'kernel' (ints)"),
        (
            graph.Conv2dOp,
            [(1, 4, 8, 8), (4, 4, 3, 3), (3,)],
            {},
            "graph.conv2d: bias must have shape 4 (the filters of w 4x4x3x3), got 3",
        ),
        (
            graph.Conv2dOp,
            [(1, 4, 8, 8), (4, 4, 3, 3)],
            {"strides": (0, 1)},
            "graph.conv2d: strides needs 2 values of 1 or more, got [0, 1]",
        ),
        (
            graph.Conv2dOp,
            [(1, 4, 8, 8), (4, 4, 3, 3)],
            {"pads": (1, 1)},
            "graph.conv2d: pads needs 4 values of 0 or more, got [1, 1]",
        ),
        (
            graph.Conv2dOp,
            [(1, 4, 8, 8), (4, 4, 5, 5)],
            {"dilations": (3, 1)},
            "graph.conv2d: a kernel of 5 with dilation 3 spans 13, the padded input has only 8 + 0",
        ),
        (
            graph.BiasAddOp,
            [(1, 3, 4), (4,)],
            {},
            "graph.bias_add: bias 4 must be a vector along axis 1 of x 1x3x4",
        ),
        (
            graph.BiasAddOp,
            [(1, 3), (3,)],
            {"axis": 2},
            "graph.bias_add: axis 2 is outside x of shape 1x3 (rank 2)",
        ),
        (
            graph.BatchNormOp,
            [(1, 3, 4), (3,), (3,), (4,), (3,)],
            {},
            "graph.batch_norm: mean 4 must be a vector along the channels (axis 1) of x 1x3x4",
        ),
        (
            graph.BatchNormOp,
            [(1, 3), *[(3,)] * 4],
            {"epsilon": -1.0},
            "graph.batch_norm: epsilon must not be negative, got -1.0",
        ),
        (
            graph.ReshapeOp,
            [(4, 6)],
            {"shape": (5, 5)},
            "graph.reshape: 4x6 has 24 elements, shape [5, 5] holds 25",
        ),
        (
            graph.ReshapeOp,
            [(4, 6)],
            {"shape": (5, -1)},
            "graph.reshape: 4x6 has 24 elements, shape [5, -1] holds 5 times n",
        ),
        (
            graph.ReshapeOp,
            [(4, 6)],
            {"shape": (-1, -1)},
            "graph.reshape: shape [-1, -1] may hold one -1 and no other negative size",
        ),
        (graph.ReshapeOp, [(4, 6)], {}, "graph.reshape: needs attribute 'shape' (ints)"),
        (
            graph.GeluOp,
            [(4,)],
            {"approximate": "erf"},
            "graph.gelu: approximate must be one of none, tanh, got 'erf'",
        ),
        (graph.DropoutOp, [(4,)], {"ratio": 1.5}, "graph.dropout: ratio must lie in [0, 1], got 1.5"),
        (graph.LeakyReluOp, [(4,)], {"slope": 1.5}, "graph.leaky_relu: has no attribute 'slope', only alpha"),
    ],
)
def test_inference_error(op, shapes, attributes, message):
    with pytest.raises(VerifyException) as error:
        op(*(value(*shape) for shape in shapes), **attributes)
    assert str(error.value) == message


def test_operands_must_have_one_element_type():
    with pytest.raises(
        VerifyException, match=r"graph.add: operands must have one element type, got f16, f32"
    ):
        graph.AddOp(value(4), value(4, element=f32))


def test_attribute_of_another_kind():
    with pytest.raises(ValueError, match="expected float, got 'steep'"):
        graph.LeakyReluOp(value(4), alpha="steep")


def test_stated_result_type_is_checked():
    text = '%x = "test.op"() : () -> tensor<4xf16> %y = graph.relu %x : (tensor<4xf16>) -> tensor<5xf16>'
    with pytest.raises(
        VerifyException, match=r"graph.relu: result is stated as tensor<5xf16>, .* tensor<4xf16>"
    ):
        parse(text)


class FakeEntryPoint(EntryPoint):
    def load(self):
        return LOADED[self.value]


LOADED: dict[str, object] = {}


@pytest.fixture
def installed(monkeypatch):
    """Installs extensions for one test."""

    def install(**objects: object) -> None:
        entries = []
        for name, loaded in objects.items():
            LOADED[f"package:{name}"] = loaded
            entries.append(FakeEntryPoint(name, f"package:{name}", extension_module.GROUP))
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries)
        extension_module.load_extensions.cache_clear()

    yield install
    extension_module.load_extensions.cache_clear()


def make_extension(name: str) -> graph.GraphExtension:
    from xdsl.irdl import irdl_op_definition

    from ascend_opt.dialects.graph.elementwise import UnaryOp
    from ascend_opt.dialects.graph.rules import pointwise

    op = irdl_op_definition(type("SquareOp", (UnaryOp,), {
        "name": name, "__annotations__": {"TILING": ClassVar}, "__module__": __name__,
        "TILING": pointwise(lambda b, x: b.mul(x, x)),
    }))  # fmt: skip
    return graph.GraphExtension(op, lambda x: x * x)


def test_extension_joins_the_dialect(installed):
    installed(doubled=make_extension("graph.doubled"))
    assert "doubled" in graph.graph_ops()
    parse('%x = "test.op"() : () -> tensor<4xf16> %y = graph.doubled %x : (tensor<4xf16>) -> tensor<4xf16>')


def test_bad_extensions_are_named(installed):
    installed(add=make_extension("graph.add"))
    with pytest.raises(ValueError, match=r"SquareOp: name 'graph.add' is already defined"):
        graph.graph_ops()
    installed(other=make_extension("other.square"))
    with pytest.raises(ValueError, match=r"SquareOp: name 'other.square' must start with 'graph.'"):
        graph.graph_ops()
    installed(text="no extension")
    with pytest.raises(ValueError, match=r"extension 'text' \(package:text\) is not a GraphExtension"):
        graph.graph_ops()


def test_import_does_not_load_numpy():
    code = "import sys, ascend_opt.dialects.graph; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
