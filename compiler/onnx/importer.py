"""An ONNX graph as a function of graph ops: nodes in order, what is known folded on the way.

Shapes are those that the graph dialect infers. The model's floats are of one storage type inside, its inputs and
results keep their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    bf16,
    f16,
    f32,
    i1,
    i32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.graph.arguments import ARGUMENT_NAME, WEIGHT
from ...dialects.locations import node_location
from ...dialects.storage_types import numpy_dtype
from .builder import Builder, Node
from .constants import constant_of
from .convert_sequences import TAKE_SEQUENCES, TensorSequence
from .folding import RANDOM, folded, folds
from .imported import ImportedModel
from .loops import Scope, converted_loop
from .model_checks import mistyped_results, wrong_attribute
from .model_file import data_files, read_model
from .model_sizes import MALFORMED, ModelSizes, how_to_set, wants_size
from .names import Names, near, spelled
from .narrow_numbers import RANGES
from .operators import CONVERTERS, why_refused
from .options import ImportOptions
from .unsupported import Unsupported, UnsupportedModel, UnsupportedNode

if TYPE_CHECKING:
    import onnx_ir as ir
    from numpy.typing import NDArray

    from .builder import Value

    Array = NDArray[Any]
    Result = Value | TensorSequence | None

FLOAT_TYPES: Mapping[str, Attribute] = {"f16": f16, "bf16": bf16, "f32": f32}
"""By the names of `PRECISIONS`."""
FLOATS = {"FLOAT": f32, "DOUBLE": f32, "FLOAT16": f16, "BFLOAT16": bf16}
WHOLE = ("INT64", "INT32", "INT16", "INT8", "UINT8", "UINT16", "UINT32")


def import_model(source: Any, options: ImportOptions | None = None) -> ImportedModel:
    """The graph of an ONNX model: a path, or a model of the `onnx` package or of `onnx-ir`, which is not changed.

    Raises UnsupportedModel, which lists all that cannot be imported, and OSError.
    """
    file = str(source) if isinstance(source, str | Path) else "<model>"
    options = options or ImportOptions()
    try:
        model = read_model(source, file, options.mapped)
        # the bytes of a file that holds all of its data are in memory, and nobody else's
        late = isinstance(source, str | Path) and not any(True for _ in data_files(model))
        return _Importer(model, file, options, late).run()
    except UnsupportedModel:
        raise
    except MALFORMED as error:
        raise UnsupportedModel(file, f"the model makes no sense ({type(error).__name__}: {error})") from error


class _Missing:
    """The result of a node that could not be imported."""


CONTROL = ("If", "Loop")
"""Operators of whose graphs the importer converts the nodes."""
MISSING, UNFOLDED = _Missing(), _Missing()
"""UNFOLDED: of one whose result would have been known."""


class _Importer:
    def __init__(self, model: ir.Model, file: str, options: ImportOptions, late: bool):
        self.model, self.file, self.options = model, file, options
        self.version = model.graph.opset_imports.get("", 0)
        self.float_type = self._precision(options.precision)
        self.precision_of = {name: self._precision(p) for name, p in options.precision_of.items()}
        self.names = Names()
        self.block = Block()
        self.builder = Builder(self.block, self.names, self.float_type, late)
        self.values: dict[ir.Value, Value | TensorSequence | _Missing] = {}
        self.unsupported: list[UnsupportedNode] = []
        self.needed: list[str] = []
        """Inputs whose values would have to be known."""
        self.count = 0

    def run(self) -> ImportedModel:
        graph = self.model.graph
        if not graph.outputs:
            raise UnsupportedModel(self.file, "the model has no results")
        kept = [value for value in graph.inputs if value.name not in self.options.constants]
        self.sizes = ModelSizes(graph, kept, self.options.sizes, self.file)
        self._check_options(graph)
        inputs = [self._input(value) for value in graph.inputs if not self._is_constant(value)]
        self._initializers(graph)
        self._nodes(graph)
        self.unsupported += mistyped_results(graph)
        if self.unsupported:
            number = len(self.unsupported)
            what = "one node cannot" if number == 1 else f"{number} nodes cannot"
            raise UnsupportedModel(self.file, f"{what} be imported:", self.unsupported, self.needed)
        returned = [self._result(value) for value in graph.outputs]
        self.block.add_op(ReturnOp(*returned))
        self._drop_unused()
        return ImportedModel(
            self._module(spelled(graph.name or "main")),
            self.builder.weights,
            tuple(inputs),
            tuple(
                (value.name or f"output{i}", self._numpy_type(value)) for i, value in enumerate(graph.outputs)
            ),
            self.file,
            tuple(self.builder.notes),
        )

    def _drop_unused(self) -> None:
        """Remove ops that nothing reads, such as what a Loop was made of that became one op."""
        for op in reversed(list(self.block.ops)[:-1]):
            if not any(result.first_use for result in op.results):
                Rewriter.erase_op(op)

    # --- inputs and results

    def _precision(self, given: str | None) -> Attribute:
        if given is None:
            kinds = {v.dtype.name for v in self.model.graph.inputs if v.dtype is not None}
            return bf16 if "BFLOAT16" in kinds else f16
        return FLOAT_TYPES[given]

    def _is_constant(self, value: ir.Value) -> bool:
        """Whether the value of an input was given; it is noted."""
        given = self.options.constants.get(value.name or "")
        if given is None:
            return False
        try:
            self._known(value, constant_of(value, np.asarray(given), self.sizes))
        except ValueError as error:
            raise UnsupportedModel(self.file, str(error)) from None
        return True

    def _input(self, value: ir.Value) -> str:
        kind = TensorType(self._element(value), self.sizes.of(value))
        argument = self.builder.argument(value.name or "input", kind)
        self.values[value] = argument
        if value.dtype is not None and value.dtype.name in RANGES:
            self.builder.ranges[argument] = RANGES[value.dtype.name]
        return self.builder.arguments[-1]

    def _element(self, value: ir.Value) -> Any:
        kind = value.dtype.name if value.dtype is not None else "UNDEFINED"
        if kind in FLOATS:
            return FLOATS[kind]
        if kind == "BOOL":
            return i1
        if kind in WHOLE:
            return i32
        raise UnsupportedModel(
            self.file, f"input '{value.name}' is of {kind.lower()}, which is no tensor of numbers"
        )

    def _check_options(self, graph: ir.Graph) -> None:
        """Complain of names that the model does not have."""
        nodes = {node.name for node in graph if node.name}
        inputs = {value.name for value in graph.inputs if value.name}
        for what, given, known in (
            ("node", self.options.precision_of, nodes),
            ("input", self.options.constants, inputs),
        ):
            for name in given:
                if name not in known:
                    raise UnsupportedModel(self.file, f"the model has no {what} '{name}'{near(name, known)}")

    def _initializers(self, graph: ir.Graph) -> None:
        for value in graph.initializers.values():
            if value.const_value is None or value in self.values:
                continue
            try:
                array = value.const_value.numpy()
            except (OSError, ValueError) as error:
                raise UnsupportedModel(
                    self.file, f"the data of '{value.name}' cannot be read: {error}"
                ) from None
            self._known(value, array)

    def _known(self, value: ir.Value, array: Array) -> None:
        self.values[value] = array
        self.builder.sources[id(array)] = array, value.name or "constant"

    def _result(self, value: ir.Value) -> SSAValue:
        """A result of the graph in the model's type."""
        found = self.values.get(value, MISSING)
        if isinstance(found, _Missing):
            raise UnsupportedModel(self.file, f"nothing computes the result '{value.name}'")
        if isinstance(found, TensorSequence):
            raise UnsupportedModel(self.file, f"the result '{value.name}' is a sequence of tensors")
        self.builder.location = None
        wanted = FLOATS.get(value.dtype.name) if value.dtype is not None else None
        if isinstance(found, np.ndarray):
            tensor = self.builder.constant(found, wanted)
        elif found in self.builder.bytes:
            tensor = self.builder.whole_numbers(found)
        elif wanted is not None and self.builder.element(found) != wanted:
            tensor = self.builder.op("cast", found, to=wanted)
        else:
            tensor = found
        return tensor

    def _numpy_type(self, value: ir.Value) -> str:
        """A result's type in the model, or where it is not stated that of the tensor."""
        if value.dtype is not None:
            return value.dtype.numpy().name
        found = self.values[value]
        if isinstance(found, np.ndarray):
            return found.dtype.name
        assert isinstance(found, SSAValue)
        return numpy_dtype(self.builder.element(found)).name

    def _module(self, name: str) -> ModuleOp:
        arguments = list(self.block.args)
        attributes: list[DictionaryAttr] = []
        for argument, written in zip(arguments, self.builder.arguments, strict=True):
            given: dict[str, Attribute] = {WEIGHT: UnitAttr()} if written in self.builder.weights else {}
            if argument.name_hint != written:
                given[ARGUMENT_NAME] = StringAttr(written)
            attributes.append(DictionaryAttr(given))
        returned = self.block.last_op
        assert isinstance(returned, ReturnOp)
        kinds = [a.type for a in arguments], [v.type for v in returned.operands]
        function = FuncOp(name, kinds, Region(self.block), arg_attrs=ArrayAttr(attributes))
        function.location = node_location(name, self.file, 0)
        return ModuleOp([function])

    # --- nodes

    def _nodes(self, graph: ir.Graph) -> None:
        for node in graph:
            self.count += 1
            self._node(node)

    def _node(self, node: ir.Node) -> None:
        name = node.name or (node.outputs[0].name if node.outputs else "") or node.op_type
        unknown = [value.name for value in node.inputs if value is not None and value not in self.values]
        if unknown:
            raise UnsupportedModel(
                self.file, f"{name} ({node.op_type}) reads '{unknown[0]}', which nothing computes"
            )
        inputs = [None if value is None else self.values[value] for value in node.inputs]
        given: list[Any] = [value for value in inputs if not isinstance(value, _Missing)]
        wrong = wrong_attribute(node, self.model.graph.opset_imports)
        if wrong is not None:
            self._refuse(node, name, wrong)
            return
        if len(given) < len(inputs):
            if not self._would_fold(node) and not self._converts(node):
                self._refuse(node, name, why_refused(node.domain, node.op_type))
            else:
                self._give_up(node)
            return
        try:
            results = self._converted(node, name, given)
        except Unsupported as reason:
            if reason.value is not None:
                self.needed += self._sources(reason.value)
            self._refuse(node, name, f"{reason}{self._size_hint(node, given)}")
            return
        except MALFORMED as error:
            what = f"its inputs and attributes do not fit ({type(error).__name__}: {error})"
            self._refuse(node, name, f"{what}{self._size_hint(node, given)}")
            return
        for value, result in zip(node.outputs, results, strict=False):
            if result is None:
                self.values[value] = MISSING
            elif isinstance(result, TensorSequence):
                self.values[value] = result
            elif isinstance(result, np.ndarray):
                self.values[value] = result
                self.builder.sources.setdefault(id(result), (result, value.name or name))
            else:
                self.values[value] = result
                if result.name_hint is None:
                    hint = spelled(value.name or name)
                    result.name_hint = SSAValue.extract_valid_name(hint)
        for value in node.outputs[len(results) :]:
            self.values[value] = MISSING

    def _sources(self, value: SSAValue) -> list[str]:
        """The inputs of whole numbers that a value is computed from; none where there are others too."""
        found, left = dict[str, None](), [value]
        while left:
            one = left.pop()
            if isinstance(one, BlockArgument):
                name = self.builder.arguments[one.index]
                if name not in self.builder.weights:
                    if self.builder.is_float(one) and one is not value:
                        return []
                    found[name] = None
            elif isinstance(one.owner, Operation):
                left += one.owner.operands
        return list(found)

    def _refuse(self, node: ir.Node, name: str, reason: str) -> None:
        self.unsupported.append(UnsupportedNode(name, node.op_type, reason))
        self._give_up(node)

    def _give_up(self, node: ir.Node) -> None:
        missing = UNFOLDED if self._would_fold(node) else MISSING
        for value in node.outputs:
            self.values[value] = missing

    def _converts(self, node: ir.Node) -> bool:
        return (node.domain, node.op_type) in CONVERTERS or (not node.domain and node.op_type in CONTROL)

    def _would_fold(self, node: ir.Node) -> bool:
        """Whether a node's results would be known, were those of all that cannot be imported."""
        if node.domain or node.op_type in RANDOM:
            return False
        inputs = [self.values[value] for value in node.inputs if value is not None]
        return node.op_type in ("Shape", "Size") or all(
            value is UNFOLDED or isinstance(value, np.ndarray) for value in inputs
        )

    def _size_hint(self, node: ir.Node, inputs: list[Value | None]) -> str:
        """How to set the dynamic size that keeps a node from being converted; nothing where it is something else."""
        converter = CONVERTERS.get((node.domain, node.op_type))
        if converter is None or not wants_size(self.builder, converter, node, self.version, inputs):
            return ""
        return f"; {how_to_set(self.sizes.open)}"

    def _converted(self, node: ir.Node, name: str, inputs: Sequence[Any]) -> Sequence[Result]:
        if node.op_type == "If" and node.domain == "":
            return self._branch(node, inputs)
        if node.op_type not in TAKE_SEQUENCES and any(isinstance(one, TensorSequence) for one in inputs):
            raise Unsupported("it does not take a sequence of tensors")
        if node.op_type == "Loop" and node.domain == "":
            self._start(node, name)
            return converted_loop(node, Scope(self.values, self.builder, self._inlined), inputs)
        arrays: list[Any] = [one for one in inputs if not isinstance(one, SSAValue | TensorSequence)]
        if len(arrays) == len(inputs) and folds(node, arrays):
            return folded(node, self.version, arrays)
        converter = CONVERTERS.get((node.domain, node.op_type))
        if converter is None:
            raise Unsupported(why_refused(node.domain, node.op_type))
        self._start(node, name)
        made = converter(self.builder, Node(node, self.version, inputs))
        return [made] if isinstance(made, np.ndarray | SSAValue | TensorSequence) else made

    def _start(self, node: ir.Node, name: str) -> None:
        """Build for a node from now on."""
        self.builder.float_type = self.precision_of.get(name, self.float_type)
        self.builder.at(self.file, self.count, name)

    def _branch(self, node: ir.Node, inputs: Sequence[Any]) -> Sequence[Result]:
        condition = self.builder.known(inputs[0], "the condition")
        graph = node.attributes["then_branch" if condition.all() else "else_branch"].as_graph()
        self._initializers(graph)
        self._nodes(graph)
        found = [self.values[value] for value in graph.outputs]
        return [None if isinstance(value, _Missing) else value for value in found]

    def _inlined(self, graph: ir.Graph, given: Mapping[ir.Value, Any]) -> list[Any]:
        """The values of a graph's outputs, its nodes converted. Raises Unsupported where one of them cannot be."""
        before = len(self.unsupported)
        location, float_type = self.builder.location, self.builder.float_type
        self.values |= given
        self._initializers(graph)
        self._nodes(graph)
        self.builder.location, self.builder.float_type = location, float_type
        found = [self.values[value] for value in graph.outputs]
        refused = self.unsupported[before:]
        del self.unsupported[before:]
        if refused or any(isinstance(value, _Missing) for value in found):
            more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
            raise Unsupported(
                f"in its body, {refused[0]}{more}" if refused else "its body cannot be imported"
            )
        return found


__all__ = ["ImportOptions", "ImportedModel", "import_model"]
