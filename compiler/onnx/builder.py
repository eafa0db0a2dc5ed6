"""What converters build with: a function of graph ops that grows, and the node that is being converted.

A value of the model is an array where it is known, else an SSA value. Floats of the model, whatever their width, are of
one storage type. Whole numbers are i32, bool is i1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerType,
    NameLoc,
    TensorType,
    f32,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.graph import graph_ops
from ...dialects.graph.base import GraphOp
from ...dialects.graph.elements import from_array
from ...dialects.locations import node_location
from .clipping import clipped, saturated
from .names import Names
from .stored_weights import StoredWeights
from .unsupported import Unsupported

if TYPE_CHECKING:
    import onnx_ir as ir
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Value = Array | SSAValue
    Operand = Value | float | int | None

INLINE = 1
"""Constants of so many elements stand in the program; larger ones are weights beside it."""
REPEATED = 1 << 16
"""The same where all elements are one number, such as a mask that masks nothing."""


class Node:
    """A node of the model, and its attributes with their defaults."""

    def __init__(self, node: ir.Node, version: int, inputs: Sequence[Value | None]):
        self.op = node.op_type
        self.name = node.name or (node.outputs[0].name if node.outputs else "") or node.op_type
        self.version = version
        """The opset's."""
        self.inputs = list(inputs)
        self.outputs = len(node.outputs)
        self.used = [value.is_graph_output() or bool(value.uses()) for value in node.outputs]
        """Which outputs are read."""
        self._attributes = node.attributes

    def has(self, name: str) -> bool:
        return name in self._attributes

    def get(self, name: str, default: Any = None) -> Any:
        """An attribute as a Python value: number, text (str), list, or array of a tensor."""
        if name not in self._attributes:
            return default
        value = self._attributes[name].value
        if hasattr(value, "numpy"):
            return value.numpy()
        return list(cast(Sequence[Any], value)) if isinstance(value, tuple | list) else value

    def input(self, index: int) -> Value | None:
        """An input; None where it is left out."""
        return self.inputs[index] if index < len(self.inputs) else None

    def __getitem__(self, index: int) -> Value:
        """An input that must be there."""
        value = self.input(index)
        if value is None:
            raise Unsupported(f"input {index} is missing")
        return value


class Builder:
    """Adds graph ops to a block; operands are converted to the float type of the node."""

    def __init__(self, block: Block, names: Names, float_type: Attribute, late: bool = False):
        self.block = block
        self.names = names
        self.float_type = float_type
        """What floats of the current node are computed in."""
        self.location: NameLoc | None = None
        self.arguments: list[str] = []
        """Names of the block's arguments."""
        self.bytes: dict[SSAValue, int] = {}
        """What is added to tensors of i8 to get the numbers that they stand for: 128 where these have no sign."""
        self.ranges: dict[SSAValue, tuple[int, int]] = {}
        """Between which numbers those of a tensor of i32 are, where that is known."""
        self.weights = StoredWeights(late)
        """Values of the arguments that are weights."""
        self.sources: dict[int, tuple[Array, str]] = {}
        """Names of arrays that come from the model, by identity."""
        self.notes: list[str] = []
        """What was lost of weights and constants."""
        self._noted: set[str] = set()
        """Of which of them it was."""
        self._weight_values: dict[tuple[int, Attribute], SSAValue] = {}
        self._ops: Mapping[str, type[GraphOp]] = graph_ops()

    def at(self, file: str, index: int, name: str) -> None:
        """State where the ops to come are from: the number of a node in the model, and its name."""
        self.location = node_location(name, file, index)

    # --- what is known of values

    def shape(self, value: Value) -> tuple[int, ...]:
        """The sizes of a value; -1 is a dynamic one."""
        if isinstance(value, SSAValue):
            sizes = cast(TensorType[Attribute], value.type).get_shape()
            return tuple(-1 if size == DYNAMIC_INDEX else size for size in sizes)
        return value.shape

    def rank(self, value: Value) -> int:
        return len(self.shape(value))

    def is_float(self, value: Value) -> bool:
        if isinstance(value, SSAValue):
            return not isinstance(self.element(value), IntegerType)
        return value.dtype.kind not in "iub"

    def is_bool(self, value: Value) -> bool:
        return self.element(value) == i1 if isinstance(value, SSAValue) else value.dtype.kind == "b"

    def element(self, value: SSAValue) -> Attribute:
        return cast(TensorType[Attribute], value.type).element_type

    def known(self, value: Value | None, what: str) -> Array:
        """The array that a value is. Raises Unsupported where it is computed when the program runs."""
        if value is None:
            raise Unsupported(f"{what} {_is(what)} missing")
        if isinstance(value, SSAValue):
            raise Unsupported(f"{what} {_is(what)} known at run time only", value)
        return value

    def ints(self, value: Value | None, what: str) -> list[int]:
        return [int(n) for n in self.known(value, what).reshape(-1)]

    def number(self, value: Value | None, what: str) -> float:
        array = self.known(value, what)
        if array.size != 1:
            raise Unsupported(f"{what} {_is(what, 'has', 'have')} {array.size} elements where one is taken")
        return array.reshape(-1)[0].item()

    # --- values as operands

    def stored_type(self, array: Array) -> Attribute:
        """The element type that an array is stored in."""
        if array.dtype.kind == "b":
            return i1
        return i32 if array.dtype.kind in "iu" else self.float_type

    def tensor(self, value: Value, element: Attribute | None = None) -> SSAValue:
        """A value as a tensor of `element`, or of the node's float type where it holds floats."""
        if isinstance(value, SSAValue):
            if value in self.bytes:
                value = self.whole_numbers(value)
            wanted = element or (self.float_type if self.is_float(value) else self.element(value))
            return value if self.element(value) == wanted else self.op("cast", value, to=wanted)
        wanted = element or self.stored_type(value)
        if value.size <= INLINE or (value.size <= REPEATED and (value == value.flat[0]).all()):
            return self.constant(value, wanted)
        key = id(value), wanted
        if key not in self._weight_values:
            _, name = self.sources.setdefault(id(value), (value, "constant"))
            argument = self.argument(name, TensorType(cast(Any, wanted), value.shape))
            self._note_clipped(value, wanted, "weight")
            self.weights.add(self.arguments[-1], value, wanted)
            self._weight_values[key] = argument
        return self._weight_values[key]

    def whole_numbers(self, value: SSAValue) -> SSAValue:
        """What a tensor of bytes stands for, in i32."""
        more = self.bytes[value]
        wide = self._add("cast", value, to=i32).results[0]
        found = self.op("add", wide, more) if more else wide
        self.ranges[found] = more - 128, more + 127
        return found

    def constant(self, array: Array, element: Attribute | None = None) -> SSAValue:
        """An array that stands in the program."""
        wanted = element or self.stored_type(array)
        self._note_clipped(array, wanted, "constant")
        return self._add("constant", value=from_array(saturated(array, wanted), wanted)).results[0]

    def _note_clipped(self, array: Array, element: Attribute, kind: str) -> None:
        """Note what is clipped of an array in its storage type, once for each tensor of the model."""
        node = "" if self.location is None else f" of node '{self.location.desc.data}'"
        what = f"{kind} '{self.sources[id(array)][1]}'" if id(array) in self.sources else f"a {kind}{node}"
        note = "" if what in self._noted else clipped(array, element, what)
        if note:
            self._noted.add(what)
            self.notes.append(note)

    def argument(self, name: str, kind: TensorType[Any]) -> SSAValue:
        """A new argument, called `name` as far as graph text can spell it."""
        written = self.names.new(name)
        made = self.block.insert_arg(kind, len(self.block.args))
        made.name_hint = written if SSAValue.is_valid_name(written) else None
        self.arguments.append(written)
        return made

    def op(self, name: str, *operands: Any, **attributes: Any) -> SSAValue:
        """The result of a graph op. Operands are values, lists of values, None for one that is left out, or numbers,
        which get the type of the first tensor. `like`: what floats are computed in, if not the node's type."""
        return self.ops(name, *operands, **attributes)[0]

    def ops(
        self, name: str, *operands: Any, like: Attribute | None = None, **attributes: Any
    ) -> Sequence[SSAValue]:
        """All results of a graph op; floats are computed as `like`, or as the node says."""
        if like is not None:
            kept, self.float_type = self.float_type, like
            try:
                return self.ops(name, *operands, **attributes)
            finally:
                self.float_type = kept
        if name in ("cast", "dequantize") and isinstance(operands[0], SSAValue):
            return self._add(name, *operands, **attributes).results
        tensors: list[Value] = [o for o in operands if isinstance(o, SSAValue | np.ndarray)]
        first = tensors[0] if tensors else None
        scalar = self.float_type if first is None or self.is_float(first) else i32
        made = [self._operand(operand, scalar) for operand in operands]
        given = {key: value for key, value in attributes.items() if value is not None}
        return self._add(name, *made, **given).results

    def _operand(self, operand: Any, scalar: Attribute) -> Any:
        if operand is None:
            return None
        if isinstance(operand, list):
            return [self._operand(one, scalar) for one in cast(list[Any], operand)]
        if isinstance(operand, int | float):
            array = np.asarray(operand, np.int64 if scalar == i32 else np.float64)
            return self.tensor(array, scalar)
        return self.tensor(operand)

    def _add(self, name: str, *operands: Any, **attributes: Any) -> Operation:
        try:
            op = self._ops[name](*operands, **attributes)
        except (VerifyException, ValueError, ArithmeticError) as error:
            raise Unsupported(str(error).removeprefix("graph.")) from None
        if self.location is not None:
            op.location = self.location
        self.block.add_op(op)
        return op

    # --- moves that do nothing where there is nothing to do

    def reshape(self, value: Value, shape: Sequence[int]) -> Value:
        if isinstance(value, np.ndarray):
            return self.renamed(value, value.reshape(shape))
        return value if self.shape(value) == tuple(shape) else self.op("reshape", value, shape=list(shape))

    def transpose(self, value: Value, perm: Sequence[int]) -> Value:
        if list(perm) == list(range(len(perm))):
            return value
        if isinstance(value, np.ndarray):
            return self.renamed(value, np.ascontiguousarray(value.transpose(perm)))
        return self.op("transpose", value, perm=list(perm))

    def slice(self, value: Value, axis: int, start: int, end: int) -> Value:
        """Elements `start` up to `end` along `axis`."""
        if isinstance(value, np.ndarray):
            return self.renamed(value, value[(slice(None),) * axis + (slice(start, end),)])
        if (start, end) == (0, self.shape(value)[axis]):
            return value
        return self.op("slice", value, starts=[start], ends=[end], axes=[axis])

    def renamed(self, source: Array, made: Array) -> Array:
        """An array made of a tensor of the model, with that one's name."""
        if id(source) in self.sources:
            self.sources[id(made)] = made, self.sources[id(source)][1]
        return made


def _is(what: str, one: str = "is", several: str = "are") -> str:
    """The verb of what may be several: `the axis is`, `the lengths of sequences are`."""
    word = what.removeprefix("the ").removeprefix("its ").partition(" ")[0]
    return several if word.endswith("s") and word != "axis" else one


Converter = Callable[[Builder, Node], "Value | Sequence[Value | None]"]
CONVERTERS: dict[tuple[str, str], Converter] = {}
"""By domain and operator."""
REFUSED: dict[str, str] = {}
"""Operators that cannot be imported, and why."""


def converts(*operators: str, domain: str = "") -> Callable[[Converter], Converter]:
    """Register a converter for operators of a domain."""

    def register(function: Converter) -> Converter:
        for operator in operators:
            assert (domain, operator) not in CONVERTERS, operator
            CONVERTERS[domain, operator] = function
        return function

    return register


def widely(convert: Callable[[Builder, Node], Value]) -> Callable[[Builder, Node], Value]:
    """A converter whose floats are computed in f32: sums between its ops may be past what is stored."""

    def converted(b: Builder, n: Node) -> Value:
        stored, b.float_type = b.float_type, f32
        try:
            found = convert(b, n)
        finally:
            b.float_type = stored
        return b.tensor(found) if b.is_float(found) else found

    return converted


def refuses(*operators: str, reason: str) -> None:
    """State why operators cannot be imported."""
    REFUSED.update(dict.fromkeys(operators, reason))


__all__ = ["CONVERTERS", "REFUSED", "Builder", "Converter", "Node", "converts", "refuses", "widely"]
