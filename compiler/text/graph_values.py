"""Attribute values and constants of graph text as xDSL attributes of the kind that an op declares.

`convert` turns `[1, 1]`, `0.1`, `f32`, ... into the attribute that the op's `AttributeSpec` asks for and
points at the offending element if it is not one. Tensors are built in the stated element type with the
hardware's storage format: `0x7C00` is the bit pattern of that type, a scalar fills the whole tensor.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from math import isfinite, prod
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerType,
    Signedness,
    StringAttr,
    TensorType,
    UnitAttr,
    f64,
)
from xdsl.dialects.builtin import bf16 as BF16
from xdsl.dialects.builtin import f16 as F16
from xdsl.dialects.builtin import f32 as F32
from xdsl.ir import Attribute

from ...dialects.graph.base import AttributeSpec, to_attribute
from ...dialects.graph.elements import exact_elements
from ...dialects.graph.fusion_marks import MARKS, bad_mark
from .diagnostics import Source, count, did_you_mean, one_of
from .graph_syntax import ListNode, NumberNode, OperationNode, StringNode, TypeNode, ValueNode, Word

ElementType = AnyFloat | IntegerType

DTYPES: dict[str, ElementType] = {
    "f16": F16,
    "bf16": BF16,
    "f32": F32,
    "f64": f64,
    **{f"i{width}": IntegerType(width) for width in (1, 8, 16, 32, 64)},
    **{f"ui{width}": IntegerType(width, Signedness.UNSIGNED) for width in (8, 16, 32, 64)},
}
"""Element types by the name that graph text uses."""

_OTHER_NAMES = {
    "half": "f16",
    "float16": "f16",
    "fp16": "f16",
    "float": "f32",
    "float32": "f32",
    "fp32": "f32",
    "double": "f64",
    "float64": "f64",
    "bfloat16": "bf16",
    "bool": "i1",
    **{f"int{width}": f"i{width}" for width in (8, 16, 32, 64)},
    **{f"uint{width}": f"ui{width}" for width in (8, 16, 32, 64)},
}

_WORD_NUMBERS = {"inf": float("inf"), "nan": float("nan")}

_KIND_WORDS = {
    "bool": "true or false",
    "int": "an integer",
    "ints": "a list of integers such as [1, 1]",
    "float": "a number",
    "floats": "a list of numbers such as [0.5, 2.0]",
    "str": "a word or a string",
    "dtype": "an element type such as f16",
    "tensor": "a number or a nested list of numbers",
}

MAX_INLINE_BYTES = 2**28
"""Largest constant that text may hold; its bytes are part of the module and hashed with it."""

MAX_DIGITS = 400
"""Longest number that is read: more digits than any element type holds."""


def kind_in_words(kind: str) -> str:
    """What a kind of attribute is called in a message."""
    return _KIND_WORDS.get(kind, kind)


def parse_dtype(source: Source, word: Word) -> ElementType:
    """The element type that a word names."""
    if word.text not in DTYPES:
        hint = (
            f"; did you mean '{_OTHER_NAMES[word.text.lower()]}'?"
            if word.text.lower() in _OTHER_NAMES
            else did_you_mean(word.text, DTYPES) or f"; known are {one_of(DTYPES, limit=20)}"
        )
        raise source.error(word.start, word.end, f"unknown element type '{word.text[:40]}'{hint}")
    return DTYPES[word.text]


def parse_type(source: Source, node: TypeNode) -> TensorType[Any]:
    """The tensor type that a node spells. Raises ParseError on a dimension that is neither a number nor a `?`."""
    shape: list[int] = []
    if node.shape is not None:
        at = node.shape.start
        for dimension in node.shape.text[:-1].split("x"):
            if dimension == "?":
                shape.append(DYNAMIC_INDEX)
                at += 2
                continue
            if len(dimension) > 18:
                raise source.error(at, at + len(dimension), "dimension is too large")
            shape.append(int(dimension))
            at += len(dimension) + 1
    return TensorType(parse_dtype(source, node.dtype), shape)


def convert(source: Source, spec: AttributeSpec, node: ValueNode | None, name: Word) -> Attribute:
    """The attribute that `spec` asks for, from the value written after `name`.

    Raises ParseError at the value, or at the name when there is none.
    """
    start, end = (name.start, name.end) if node is None else (node.start, node.end)
    if spec.kind == "dtype" and isinstance(node, Word):
        return parse_dtype(source, node)
    value = True if node is None else _python_value(source, node, spec.kind)
    if spec.kind == "int" and isinstance(value, int) and not _fits_i64(value):
        raise source.error(start, end, f"attribute '{name.text}' does not fit 64 bits")
    try:
        attribute = to_attribute(spec.kind, value)
    except (ValueError, OverflowError):
        expected = kind_in_words(spec.kind)
        written = source.text[start:end] if node is not None else "no value"
        quoted = spec.kind == "dtype" and isinstance(value, str) and value in DTYPES
        hint = "; element types have no quotes" if quoted else ""
        raise source.error(
            start, end, f"attribute '{name.text}' must be {expected}, found {_shorten(written)}{hint}"
        ) from None
    if spec.choices and value not in spec.choices:
        hint = did_you_mean(str(value), spec.choices)
        raise source.error(
            start,
            end,
            f"attribute '{name.text}' must be {one_of(spec.choices, 20)}, found {_shorten(str(value))}{hint}",
        )
    return attribute


def _python_value(source: Source, node: ValueNode, kind: str) -> Any:
    """The node as bool, int, float, str or list; for kind float, plain `0x…` are the bits of an f64."""
    match node:
        case Word(text=("true" | "false")) if kind != "str":
            return node.text == "true"
        case Word() if kind == "float" and node.text in _WORD_NUMBERS:
            return _WORD_NUMBERS[node.text]
        case Word():
            # A word where a number belongs stays a string, which no numeric kind takes.
            return node.text
        case StringNode():
            return node.value
        case NumberNode():
            return _number(source, node, f64 if kind == "float" else None)
        case ListNode():
            items = [
                _python_value(source, item, "float" if kind == "floats" else "int") for item in node.items
            ]
            if kind == "ints":
                for item, value in zip(node.items, items, strict=True):
                    if isinstance(value, bool) or not isinstance(value, int):
                        written = _shorten(source.text[item.start : item.end])
                        raise source.error(
                            item.start, item.end, f"expected an integer in this list, found {written}"
                        )
                    if not _fits_i64(value):
                        raise source.error(item.start, item.end, "this integer does not fit 64 bits")
            return items
        case TypeNode():
            return None


_KINDS = {"tile": "ints", "cores": "int"}
"""The kinds of marks that are no words."""


def fusion_marks(source: Source, node: OperationNode) -> dict[str, Attribute]:
    """The discardable attributes that the marks of an operation stand for (`dialects/graph/fusion_marks.py`).

    Raises ParseError at a value of another kind, and at `fuse` beside `nofuse`."""
    given = {a.name.text: a for a in node.attributes if a.name.text in MARKS}
    if "fuse" in given and "nofuse" in given:
        word = given["nofuse"].name
        raise source.error(word.start, word.end, "'nofuse' and 'fuse' contradict each other")
    marks: dict[str, Attribute] = {}
    for name, stated in given.items():
        spec = AttributeSpec(name, _KINDS.get(name, "str"), None, True)
        alone = stated.value is None and name == "nofuse"
        mark = UnitAttr() if alone else convert(source, spec, stated.value, stated.name)
        if mark == StringAttr(""):
            raise source.error(stated.name.start, stated.name.end, f"attribute '{name}' is empty")
        if reason := bad_mark(MARKS[name], mark):
            raise source.error(stated.name.start, stated.name.end, reason)
        marks[MARKS[name]] = mark
    return marks


def _fits_i64(value: int) -> bool:
    return -(2**63) <= value < 2**63


def _number(source: Source, node: NumberNode, bits_of: ElementType | None) -> int | float:
    """The number a node spells. Plain `0x…` are the bits of `bits_of` if that is a float, else an integer."""
    text = node.text.lower()
    if len(text) > MAX_DIGITS:
        raise source.error(node.start, node.end, f"number has more than {MAX_DIGITS} characters")
    unsigned = text.lstrip("+-")
    try:
        if unsigned.startswith("0x"):
            if "p" in unsigned or "." in unsigned:
                return float.fromhex(text)
            if isinstance(bits_of, AnyFloat):
                value = _float_from_bits(int(unsigned, 16), bits_of)
                return -value if text.startswith("-") else value
            return int(text, 16)
        if any(c in unsigned for c in ".einf"):
            return float(text)
        return int(text)
    except (ValueError, OverflowError, struct.error):
        type_ = "a number" if bits_of is None else str(bits_of)
        raise source.error(node.start, node.end, f"'{_shorten(node.text)}' does not fit {type_}") from None


def _float_from_bits(bits: int, type_: AnyFloat) -> float:
    """The value whose storage in `type_` is `bits`. Raises OverflowError if there are too many bits."""
    return float(type_.unpack(bits.to_bytes(type_.compile_time_size, "little"), 1)[0])


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + "…"


def convert_elements(source: Source, type_: TensorType[Any], node: ValueNode) -> Attribute:
    """The elements of a constant of `type_`: a scalar for all of them, nested lists, or a string of bytes.

    Raises ParseError at the first list of the wrong length or element that does not fit.
    """
    element_type = cast(ElementType, type_.element_type)
    shape = type_.get_shape()
    elements = prod(shape)
    size = element_type.compile_time_size
    if elements * size > MAX_INLINE_BYTES:
        message = f"a constant of {elements * size} bytes is too large for text: keep it in a file"
        raise source.error(node.start, node.end, message)
    if isinstance(node, StringNode):
        data = _bytes(source, node, elements, size)
    elif isinstance(node, ListNode):
        data = b"".join(_pack(source, leaf, element_type) for leaf in _leaves(source, node, shape, type_))
    else:
        data = _pack(source, node, element_type) * elements
    return exact_elements(DenseIntOrFPElementsAttr(type_, BytesAttr(data)))


def _leaves(
    source: Source, node: ValueNode, shape: tuple[int, ...], type_: TensorType[Any]
) -> Iterator[ValueNode]:
    """The numbers of nested lists in order, with the length of every list checked."""
    if not shape:
        if isinstance(node, ListNode):
            raise source.error(node.start, node.end, f"this list is one level too deep for {type_}")
        yield node
        return
    if not isinstance(node, ListNode):
        raise source.error(node.start, node.end, f"expected a list of {shape[0]} here, for {type_}")
    if len(node.items) != shape[0]:
        raise source.error(
            node.start,
            node.end,
            f"this list has {count(len(node.items), 'element')}, {type_} needs {shape[0]}",
        )
    for item in node.items:
        yield from _leaves(source, item, shape[1:], type_)


def _bytes(source: Source, node: StringNode, elements: int, size: int) -> bytes:
    """The bytes of `"0x…"`: those of one element, repeated, or of all."""
    text = node.value
    try:
        data = bytes.fromhex(text[2:]) if text.startswith("0x") else None
    except ValueError:
        data = None
    if data is None:
        raise source.error(
            node.start, node.end, 'a constant in a string is "0x" and pairs of hexadecimal digits'
        )
    if len(data) not in (size, size * elements):
        message = f"the string holds {count(len(data), 'byte')}, the constant needs {size * elements}"
        raise source.error(node.start, node.end, message)
    return data * elements if len(data) == size else data


def _pack(source: Source, node: ValueNode, type_: ElementType) -> bytes:
    """One element in its storage format. Raises ParseError if it is no number or does not fit."""
    if isinstance(node, NumberNode) and node.text[:2].lower() == "0x" and isinstance(type_, AnyFloat):
        # Straight to bytes: a NaN's payload would not survive the way through a Python float.
        digits = node.text[2:].lower()
        if "p" not in digits and "." not in digits and len(digits) <= 2 * type_.compile_time_size:
            return int(digits, 16).to_bytes(type_.compile_time_size, "little")
    match node:
        case NumberNode():
            value = _number(source, node, type_)
        case Word() if node.text in _WORD_NUMBERS:
            value = _WORD_NUMBERS[node.text]
        case Word(text=("true" | "false")) if type_ == IntegerType(1):
            value = int(node.text == "true")
        case _:
            written = _shorten(source.text[node.start : node.end])
            raise source.error(node.start, node.end, f"expected a number here, found {written}")
    written = _shorten(source.text[node.start : node.end])
    try:
        if isinstance(type_, AnyFloat):
            data = type_.pack([float(value)])
            if isfinite(value) and not isfinite(type_.unpack(data, 1)[0]):
                raise OverflowError
            return data
        if isinstance(value, int):
            return _pack_int(value, type_)
    except (OverflowError, struct.error):
        pass
    raise source.error(node.start, node.end, f"{written} does not fit {type_}")


def _pack_int(value: int, type_: IntegerType) -> bytes:
    """Two's complement; `200` and `-56` both fit i8, as in MLIR. Raises OverflowError otherwise."""
    width = type_.width.data
    if width == 1:
        if value not in (0, 1):
            raise OverflowError
        return type_.pack([value])
    low = 0 if type_.signedness.data == Signedness.UNSIGNED else -(2 ** (width - 1))
    if not low <= value < 2**width:
        raise OverflowError
    return (value % 2**width).to_bytes(width // 8, "little")


def float_text(value: FloatAttr[Any]) -> str:
    """A float attribute as graph text that reads back as the same bits."""
    number = value.value.data
    if number != number:
        bits = struct.pack("<d", number)
        return "nan" if bits == struct.pack("<d", float("nan")) else f"0x{bits[::-1].hex().upper()}"
    return repr(number)
