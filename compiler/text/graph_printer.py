"""A graph-level module as graph text: the inverse of `text.graph_text`.

Text -> module -> text is a fixed point: names are chosen as xDSL's printer chooses them, numbers are the
shortest that read back as the same bits, and attributes that equal their default are left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.target import Target

from ...dialects.graph.arguments import ARGUMENT_NAME, PAD, WEIGHT, argument_names
from ...dialects.graph.base import GraphOp
from ...dialects.graph.elements import DenseElements, ExactElementsAttr, ExternalTensorAttr, splat_bytes
from ...dialects.graph.fusion_marks import MARKS
from ...dialects.records import dataclass
from .diagnostics import OpError
from .graph_values import DTYPES, float_text

MAX_LISTED = 256
"""Longest constant written number by number; longer ones are a string of bytes."""

_DTYPE_NAMES: dict[Attribute, str] = {type_: name for name, type_ in DTYPES.items()}


@dataclass(frozen=True)
class GraphTextTarget(Target):
    """`-t graph-text`: print a graph-level module as graph text."""

    name = "graph-text"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(print_graph_text(module))


def print_graph_text(module: ModuleOp) -> str:
    """The graph text of a module whose functions hold graph ops only.

    Raises OpError (a DiagnosticException) at the first op that graph text has no words for.
    """
    graphs: list[str] = []
    for op in module.body.block.ops:
        if not isinstance(op, FuncOp):
            raise OpError(op, f"'{op.name}' is not at the graph level; graph text holds only graphs")
        graphs.append("\n".join(_graph(op)) + "\n")
    return "\n".join(graphs)


def with_paths_from(module: ModuleOp, directory: Path) -> ModuleOp:
    """A copy of a module whose constants name their files relative to `directory`, where its text is read from;
    absolute paths stay."""
    copy = module.clone()
    for op in copy.walk():
        for name, value in op.properties.items():
            if isinstance(value, ExternalTensorAttr) and not Path(value.path.data).is_absolute():
                path = Path(os.path.relpath(value.path.data, directory)).as_posix()
                op.properties[name] = ExternalTensorAttr(StringAttr(path), value.key, value.type)
    return copy


class _Names:
    """Unique names of a function's values: the hint, with `_1`, `_2`, ... from its second use on."""

    def __init__(self) -> None:
        self.names: dict[SSAValue, str] = {}
        self.used: set[str] = set()
        self.counts: dict[str, int] = {}

    def add(self, value: SSAValue, name: str | None = None) -> str:
        if name is None:
            name = self._fresh(value.name_hint)
        self.used.add(name)
        self.names[value] = f"%{name}"
        return self.names[value]

    def _fresh(self, hint: str | None) -> str:
        while True:
            count = self.counts.get(hint or "", 0)
            self.counts[hint or ""] = count + 1
            name = str(count) if hint is None else f"{hint}_{count}" if count else hint
            if name not in self.used:
                return name


def _graph(function: FuncOp) -> Iterator[str]:
    if len(function.body.blocks) != 1:
        raise OpError(function, "a graph is one block of operations; this function is not")
    names = _Names()
    attributes = function.arg_attrs.data if function.arg_attrs is not None else ()
    arguments: list[str] = []
    for index, (argument, name) in enumerate(
        zip(function.body.block.args, argument_names(function), strict=True)
    ):
        given = dict(attributes[index].data) if index < len(attributes) else {}
        unknown = given.keys() - {WEIGHT, PAD, ARGUMENT_NAME}
        if unknown:
            raise OpError(function, f"graph text cannot say '{min(unknown)}' of argument %{name}")
        pad = given.get(PAD)
        weight = " {weight}" if WEIGHT in given else ""
        weight += f" {{pad = {pad.value.data}}}" if isinstance(pad, FloatAttr) else ""
        arguments.append(f"{names.add(argument, name)}: {_type(function, argument.type)}{weight}")
    yield f"graph @{function.sym_name.data}({', '.join(arguments)}) {{"
    for op in function.body.block.ops:
        yield f"  {_operation(op, names)}"
    yield "}"


def _operation(op: Operation, names: _Names) -> str:
    operands = ", ".join(names.names[operand] for operand in op.operands)
    if isinstance(op, ReturnOp):
        return f"return {operands}"
    if not isinstance(op, GraphOp):
        raise OpError(op, f"'{op.name}' is not at the graph level; graph text holds only graph operations")
    attributes: list[str] = []
    types = ""
    for name, spec in op.attribute_specs().items():
        value = op.properties.get(name)
        if value is None or (value == spec.default and not spec.required):
            continue
        if isinstance(value, ExternalTensorAttr):
            attributes.append(f"file = {_string(value.path.data)}")
            if value.key.data:
                attributes.append(f"key = {_string(value.key.data)}")
        else:
            attributes.append(f"{name} = {_attribute(op, value)}")
        if spec.kind == "tensor":
            types = " : " + ", ".join(_type(op, result.type) for result in op.results)
    for word, name in MARKS.items():
        mark = op.attributes.get(name)
        if mark is not None:
            attributes.append(word if isinstance(mark, UnitAttr) else f"{word} = {_attribute(op, mark)}")
    braces = f" {{{', '.join(attributes)}}}" if attributes else ""
    results = ", ".join(names.add(result) for result in op.results)
    return f"{results} = {op.short_name()}({operands}){braces}{types}"


def _type(op: Operation, type_: Attribute) -> str:
    if not isinstance(type_, TensorType) or type_.encoding.name != "none":
        raise OpError(op, f"graph text has no words for the type {type_}")
    type_ = cast(TensorType[Any], type_)
    if type_.element_type not in _DTYPE_NAMES:
        raise OpError(op, f"graph text has no words for the element type {type_.element_type}")
    shape = "".join(f"{'?' if size < 0 else size}x" for size in type_.get_shape())
    return f"tensor<{shape}{_DTYPE_NAMES[type_.element_type]}>"


def _attribute(op: Operation, value: Attribute) -> str:
    match value:
        case IntegerAttr() if value.type == IntegerType(1):
            return "true" if value.value.data else "false"
        case IntegerAttr():
            return str(value.value.data)
        case FloatAttr():
            return float_text(cast(FloatAttr[Any], value))
        case StringAttr():
            return value.data if value.data.isidentifier() and value.data.isascii() else _string(value.data)
        case DenseArrayBase():
            return "[" + ", ".join(map(str, cast(DenseArrayBase[Any], value).get_values())) + "]"
        case ExactElementsAttr():
            return _elements(value.elements)
        case DenseIntOrFPElementsAttr():
            return _elements(cast(DenseElements, value))
        case _ if value in _DTYPE_NAMES:
            return _DTYPE_NAMES[value]
        case _:
            raise OpError(op, f"graph text has no words for the attribute {value}")


def _string(text: str) -> str:
    escaped = "".join(f"\\{c}" if c in '"\\' else c if c.isprintable() else f"\\{ord(c):02X}" for c in text)
    return f'"{escaped}"'


def _elements(value: DenseElements) -> str:
    type_ = value.get_element_type()
    size = type_.compile_time_size
    data = value.data.data
    splat = splat_bytes(value)
    if splat is not None and value.get_shape():
        return _number(splat, type_)
    if len(data) // size > MAX_LISTED:
        return f'"0x{data.hex().upper()}"'
    numbers = [_number(data[at : at + size], type_) for at in range(0, len(data), size)]
    return _nested(numbers, value.get_shape())


def _nested(items: Sequence[str], shape: Sequence[int]) -> str:
    if not shape:
        return items[0]
    step = len(items) // shape[0]
    rows = (_nested(items[at : at + step], shape[1:]) for at in range(0, len(items), step))
    return "[" + ", ".join(rows) + "]"


def _number(data: bytes, type_: Any) -> str:
    """The shortest text of a number that reads back as the same bytes."""
    value = type_.unpack(data, 1)[0]
    if not isinstance(type_, AnyFloat):
        return ("true" if value else "false") if type_ == IntegerType(1) else str(value)
    if value != value or value in (float("inf"), float("-inf")):
        text = {float("inf"): "inf", float("-inf"): "-inf"}.get(value, "nan")
        same = text != "nan" or type_.pack([float("nan")]) == data
        return text if same else f"0x{data[::-1].hex().upper()}"
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        try:
            if type_.pack([float(text)]) == data:
                return repr(float(text))
        except OverflowError:
            continue
    return f"0x{data[::-1].hex().upper()}"
