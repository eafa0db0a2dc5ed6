"""What the schemas of the `onnx` package say of a model: attributes of its nodes, types of its results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..text.diagnostics import did_you_mean, one_of
from .unsupported import UnsupportedNode

if TYPE_CHECKING:
    import onnx_ir as ir

STATED = ("to", "dtype", "output_dtype", "output_datatype")
"""Attributes that state the type of a result."""


def _schema(node: ir.Node, opsets: Mapping[str, int]) -> Any:
    """The schema of an operator in the model's opset; None where the `onnx` package has none."""
    from onnx import defs

    try:
        return defs.get_schema(node.op_type, opsets.get(node.domain, 0), node.domain)
    except defs.SchemaError:
        return None


def wrong_attribute(node: ir.Node, opsets: Mapping[str, int]) -> str | None:
    """What is wrong with an attribute of a node: its operator has none of that name, or takes another type."""
    schema = _schema(node, opsets)
    if schema is None or schema.deprecated:
        return None
    for name, attribute in node.attributes.items():
        if name not in schema.attributes:
            known = sorted(schema.attributes)
            hint = did_you_mean(name, known) or f"; it takes {one_of(known) or 'none'}"
            return f"it has no attribute '{name}' in opset {opsets.get(node.domain)}{hint}"
        have, want = attribute.type.name, schema.attributes[name].type.name
        if have not in (want, "UNDEFINED"):
            return f"attribute '{name}' is of type {have.lower()}, not {want.lower()}"
    return None


def mistyped_results(graph: ir.Graph) -> Iterator[UnsupportedNode]:
    """Nodes that give a result of the model another element type than the model declares."""
    types: dict[ir.Value, ir.DataType | None] = {value: value.dtype for value in graph.inputs}
    types |= {value: value.dtype for value in graph.initializers.values()}
    for node in graph:
        schema = _schema(node, graph.opset_imports)
        if schema is not None and schema.outputs:
            types |= {value: _type(node, schema, i, types) for i, value in enumerate(node.outputs)}
    for value in graph.outputs:
        node, given = value.producer(), types.get(value)
        if node is None or given is None or value.dtype in (None, given):
            continue
        reason = (
            f"it gives {given.name.lower()}, but output '{value.name}' is declared {value.dtype.name.lower()}"
        )
        yield UnsupportedNode(node.name or value.name or node.op_type, node.op_type, reason)


def _type(
    node: ir.Node, schema: Any, index: int, types: Mapping[ir.Value, ir.DataType | None]
) -> ir.DataType | None:
    """The element type of a node's output, as far as its schema, attributes and inputs tell."""
    import onnx_ir as ir

    for name in STATED:
        if name in node.attributes:
            code = node.attributes[name].as_int()
            return ir.DataType(code) if code else None
    formal = schema.outputs[min(index, len(schema.outputs) - 1)]
    kind: str = formal.type_str
    for constraint in schema.type_constraints:
        if constraint.type_param_str == kind and len(constraint.allowed_type_strs) == 1:
            (kind,) = constraint.allowed_type_strs
    if kind.startswith("tensor("):
        return getattr(ir.DataType, kind[len("tensor(") : -1].upper(), None)
    if not formal.is_homogeneous or not schema.inputs:
        return None
    for i, value in enumerate(node.inputs):
        if value is not None and schema.inputs[min(i, len(schema.inputs) - 1)].type_str == kind:
            return types.get(value)
    return None


__all__ = ["mistyped_results", "wrong_attribute"]
