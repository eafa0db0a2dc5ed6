"""Graph text to a module: `func.func` with `graph.*` ops, every op and argument with its location.

    graph @f(%x: tensor<8x8xf16>, %w: tensor<8x8xf16> {weight}) {
      %0 = matmul(%x, %w)
      return %0
    }

becomes

    func.func @f(%x: tensor<8x8xf16>, %w: tensor<8x8xf16> {graph.weight}) -> tensor<8x8xf16> {
      %0 = graph.matmul %x, %w : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
      func.return %0 : tensor<8x8xf16>
    }

What is wrong is reported as a ParseError whose span is the offending word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.utils.exceptions import ParseError, VerifyException

from ...dialects.graph import graph_ops
from ...dialects.graph.arguments import ARGUMENT_NAME, PAD, WEIGHT
from ...dialects.graph.base import AttributeSpec, GraphOp, to_python
from ...dialects.graph.fusion_marks import MARKS
from .diagnostics import Diagnostic, Source, count, did_you_mean, from_parse_error
from .graph_files import file_constant
from .graph_syntax import ArgumentNode, GraphNode, OperationNode, ReturnNode, TypeNode, Word, parse_syntax
from .graph_values import convert, convert_elements, fusion_marks, kind_in_words, parse_type
from .other_names import attribute_hint, operation_hint

Warn = Callable[[Diagnostic], None]


def parse_graph_text(
    text: str, name: str = "<string>", *, directory: Path | str | None = None, warn: Warn | None = None
) -> ModuleOp:
    """The module that a graph text describes.

    `name` is the file's name in locations and messages; paths of file constants start at `directory`
    (default: where `name` lies). `warn` receives warnings. Raises xDSL's ParseError.
    """
    source = Source(text, name)
    graphs = parse_syntax(source)
    if not graphs:
        raise source.error(len(text.rstrip()), len(text), "expected 'graph @name(...)', found no graph")
    base = Path(name).parent if directory is None else Path(directory)
    operations = graph_ops()
    seen: dict[str, Word] = {}
    functions: list[FuncOp] = []
    for graph in graphs:
        _check_new(source, graph.name, seen, "graph")
        functions.append(_GraphBuilder(source, base, warn, operations).build(graph))
    module = ModuleOp(list(functions))
    module.location = source.location(graphs[0].name.start)
    return module


def name_hint(name: str) -> str | None:
    """The hint xDSL keeps for a value called `name`: None if it starts with a digit, no `_1` at the end."""
    return SSAValue.extract_valid_name(name) if SSAValue.is_valid_name(name) else None


def _check_new(source: Source, word: Word, seen: dict[str, Word], what: str) -> None:
    if word.text in seen:
        line, _ = source.line_and_column(seen[word.text].start)
        raise source.error(
            word.start, word.end, f"redefinition of {what} '{word.text}', first defined on line {line}"
        )
    seen[word.text] = word


class _GraphBuilder:
    """Builds one function; values are looked up by the name in the text."""

    def __init__(
        self, source: Source, directory: Path, warn: Warn | None, operations: dict[str, type[GraphOp]]
    ):
        self.source = source
        self.directory = directory
        self.warn = warn
        self.operations = operations
        self.words: dict[str, Word] = {}
        self.values: dict[str, SSAValue] = {}

    def error(self, word: Word, message: str) -> ParseError:
        return self.source.error(word.start, word.end, message)

    def build(self, graph: GraphNode) -> FuncOp:
        block = Block(arg_types=[parse_type(self.source, node.type) for node in graph.arguments])
        for node, value in zip(graph.arguments, block.args, strict=True):
            value.location = self.source.location(node.name.start)
            self._define(node.name, value)
        arg_attrs = [self._argument_attributes(node) for node in graph.arguments]

        returned = self._body(graph, block)
        self._check_return_types(graph, returned)
        for word, value in zip(self.words.values(), self.values.values(), strict=True):
            if value.first_use is None:
                what = "argument" if value in block.args else "value"
                self._warning(word, f"{what} '{word.text}' is never used")

        types = [value.type for value in returned.operands]
        function = FuncOp(
            graph.name.text[1:],
            (list(block.arg_types), types),
            Region(block),
            arg_attrs=ArrayAttr(arg_attrs) if any(attrs.data for attrs in arg_attrs) else None,
        )
        function.location = self.source.location(graph.name.start)
        return function

    def _body(self, graph: GraphNode, block: Block) -> ReturnOp:
        for node in graph.body:
            if isinstance(block.last_op, ReturnOp):
                word = node.keyword if isinstance(node, ReturnNode) else node.results[0]
                raise self.error(word, f"nothing may follow the return of graph '{graph.name.text}'")
            if isinstance(node, OperationNode):
                block.add_op(self._operation(node))
            else:
                end = ReturnOp(*(self._lookup(word) for word in node.values))
                end.location = self.source.location(node.keyword.start)
                block.add_op(end)
        if not isinstance(block.last_op, ReturnOp):
            raise self.error(
                graph.close, f"graph '{graph.name.text}' returns nothing: expected 'return %value'"
            )
        return block.last_op

    def _check_return_types(self, graph: GraphNode, returned: ReturnOp) -> None:
        node = next(node for node in graph.body if isinstance(node, ReturnNode))
        if graph.types is None:
            return
        if len(graph.types) != len(node.values):
            raise self.error(
                node.keyword,
                f"graph '{graph.name.text}' states {count(len(graph.types), 'result')}, "
                f"found {count(len(node.values), 'value')}",
            )
        for stated, word, value in zip(graph.types, node.values, returned.operands, strict=True):
            self._check_type(stated, word, value.type)

    def _define(self, word: Word, value: SSAValue) -> None:
        _check_new(self.source, word, self.words, "value")
        value.name_hint = name_hint(word.text[1:])
        self.values[word.text] = value

    def _lookup(self, word: Word) -> SSAValue:
        if word.text not in self.values:
            raise self.error(word, f"unknown value '{word.text}'{did_you_mean(word.text, self.values)}")
        return self.values[word.text]

    def _warning(self, word: Word, message: str) -> None:
        if self.warn is not None:
            shown = from_parse_error(self.error(word, message))
            self.warn(Diagnostic(message, "warning", *_place(shown)))

    def _argument_attributes(self, node: ArgumentNode) -> DictionaryAttr:
        attributes: dict[str, Attribute] = {}
        for attribute in node.attributes:
            if attribute.name.text == "pad":
                spec = AttributeSpec("pad", "float", None, True)
                number = convert(self.source, spec, attribute.value, attribute.name)
                attributes[PAD] = FloatAttr(to_python(number), f32)
                continue
            if attribute.name.text != "weight":
                hint = (
                    did_you_mean(attribute.name.text, ["weight"])
                    or "; arguments take only 'weight' and 'pad'"
                )
                raise self.error(attribute.name, f"unknown argument mark '{attribute.name.text}'{hint}")
            spec = AttributeSpec("weight", "bool", None, False)
            if convert(self.source, spec, attribute.value, attribute.name) == _TRUE:
                attributes[WEIGHT] = UnitAttr()
        name = node.name.text[1:]
        if name_hint(name) != name:
            attributes[ARGUMENT_NAME] = StringAttr(name)
        return DictionaryAttr(attributes)

    def _operation(self, node: OperationNode) -> GraphOp:
        known = self.operations
        name = node.name.text.removeprefix("graph.")
        if name not in known:
            raise self.error(node.name, f"unknown operation '{node.name.text}'{operation_hint(name, known)}")
        cls = known[name]
        operands = [self._lookup(word) for word in node.operands]
        self._check_operand_count(cls, node)
        properties = self._properties(cls, node)
        try:
            op = cls(*_in_slots(cls, operands), **properties)
        except (VerifyException, ValueError, ArithmeticError) as error:
            raise self.error(*_blame(node, cls, str(error))) from None
        op.location = self.source.location(node.name.start)
        op.attributes |= fusion_marks(self.source, node)
        self._check_results(node, op)
        for word, result in zip(node.results, op.results, strict=True):
            self._define(word, result)
        return op

    def _check_operand_count(self, cls: type[GraphOp], node: OperationNode) -> None:
        fewest, most = cls.operand_counts()
        given = len(node.operands)
        if given >= fewest and (most is None or given <= most):
            return
        limit = f"{fewest} or more" if most is None else f"{fewest} to {most}"
        limit = count(fewest, "operand") if fewest == most else f"{limit} operands"
        names = f" ({', '.join(cls.operand_names())})" if cls.operand_names() else ""
        raise self.error(node.name, f"'{cls.short_name()}' takes {limit}{names}, found {given}")

    def _properties(self, cls: type[GraphOp], node: OperationNode) -> dict[str, Attribute]:
        specs = cls.attribute_specs()
        tensors = {name for name, spec in specs.items() if spec.kind == "tensor"}
        in_file = {"file", "key"} if len(tensors) == 1 else set[str]()
        given = {attribute.name.text: attribute for attribute in node.attributes}
        for attribute in node.attributes:
            word = attribute.name
            if given[word.text] is not attribute:
                raise self.error(given[word.text].name, f"attribute '{word.text}' is given twice")
            if word.text not in specs and word.text not in in_file and word.text not in MARKS:
                known = [*specs, *sorted(in_file)]
                hint = attribute_hint(word.text, known, MARKS) or (
                    f"; it takes {', '.join(known)}" if known else "; it takes none"
                )
                raise self.error(word, f"'{cls.short_name()}' has no attribute '{word.text}'{hint}")
        properties: dict[str, Attribute] = {}
        if "file" in given or "key" in given:
            stated = self._stated_type(node)
            properties[next(iter(tensors))] = file_constant(self.source, self.directory, given, stated)
        for name, spec in specs.items():
            if name in given and spec.kind == "tensor":
                properties[name] = self._elements(node, given[name].name, given[name].value)
            elif name in given:
                properties[name] = convert(self.source, spec, given[name].value, given[name].name)
            elif spec.required and name not in properties:
                words = kind_in_words(spec.kind)
                raise self.error(node.name, f"'{cls.short_name()}' needs attribute '{name}': {words}")
        return properties

    def _stated_type(self, node: OperationNode) -> TensorType[Any] | None:
        return parse_type(self.source, node.types[0]) if node.types else None

    def _elements(self, node: OperationNode, name: Word, value: Any) -> Attribute:
        stated = self._stated_type(node)
        if stated is None:
            raise self.error(name, "an inline constant needs its type: ... : tensor<16x32xf16>")
        if value is None:
            raise self.error(name, f"attribute '{name.text}' must be {kind_in_words('tensor')}")
        return convert_elements(self.source, stated, value)

    def _check_results(self, node: OperationNode, op: GraphOp) -> None:
        results = count(len(op.results), "result")
        if len(node.results) != len(op.results):
            raise self.error(
                node.results[0],
                f"'{op.short_name()}' has {results}, found {count(len(node.results), 'name')}",
            )
        if node.types is None:
            return
        if len(node.types) != len(op.results):
            where = Word("", node.types[0].start, node.types[-1].end)
            raise self.error(
                where, f"'{op.short_name()}' has {results}, found {count(len(node.types), 'type')}"
            )
        for stated, word, result in zip(node.types, node.results, op.results, strict=True):
            self._check_type(stated, word, result.type)

    def _check_type(self, stated: TypeNode, word: Word, actual: Attribute) -> None:
        type_ = parse_type(self.source, stated)
        if type_ != actual:
            raise self.source.error(
                stated.start, stated.end, f"'{word.text}' is stated as {type_}, but it is {actual}"
            )


_TRUE = convert(Source("", ""), AttributeSpec("weight", "bool", None, False), None, Word("weight", 0, 0))


def _place(diagnostic: Diagnostic) -> tuple[Any, ...]:
    return (
        diagnostic.file,
        diagnostic.line,
        diagnostic.column,
        diagnostic.width,
        diagnostic.source_line,
    )


def _in_slots(cls: type[GraphOp], operands: list[SSAValue]) -> list[Any]:
    """The operands as the op's constructor takes them: a variadic operand is one list."""
    specs = cls.operand_specs()
    variadic = next((index for index, spec in enumerate(specs) if spec.variadic), None)
    if variadic is None:
        return list(operands)
    after = len(specs) - variadic - 1
    end = len(operands) - after
    return [*operands[:variadic], operands[variadic:end], *operands[end:]]


def _blame(node: OperationNode, cls: type[GraphOp], message: str) -> tuple[Word, str]:
    """The word an op's own message is about: the attribute it names if one was written, else the op."""
    message = message.removeprefix(cls.name).removeprefix(":").strip()
    words = set(re.findall(r"[A-Za-z_]\w*", message))
    named = [attribute.name for attribute in node.attributes if attribute.name.text in words]
    return (named[0] if len(named) == 1 else node.name), f"{cls.short_name()}: {message}"
