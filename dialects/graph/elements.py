"""Values of constants: dense elements that print exactly, and tensors kept in files beside the program.

xDSL's `dense` prints an infinity of a short list as an integer literal, which reads back as a large
finite number. Such values are held by an `ExactElementsAttr`, whose hex string reads back as it was:

    dense<[0x7C00, 1.0]> : tensor<2xf16>    becomes    #graph.exact<dense<"0x007C003C"> : tensor<2xf16>>
"""

from collections.abc import Sequence
from io import StringIO
from struct import pack
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..storage_types import BF16, numpy_dtype, rounded, with_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

DenseElements = DenseIntOrFPElementsAttr[Any]

MAX_LISTED = 100
"""Longest constant that xDSL prints element by element."""


@irdl_attr_definition
class ExactElementsAttr(ParametrizedAttribute):
    """Dense elements that xDSL's own text would change, printed as the bytes that they are.

    #graph.exact<dense<"0x007C003C"> : tensor<2xf16>>
    """

    name = "graph.exact"
    elements: DenseIntOrFPElementsAttr[AnyFloat]

    def get_type(self) -> Attribute:
        return self.elements.type

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return [parser.parse_attribute()]

    def print_parameters(self, printer: Printer) -> None:
        unit = splat_bytes(self.elements)
        data = self.elements.data.data if unit is None else unit
        printer.print_string(f'<dense<"0x{data.hex().upper()}"> : ')
        printer.print_attribute(self.elements.type)
        printer.print_string(">")


def splat_bytes(value: DenseElements) -> bytes | None:
    """The bytes of the one element that all elements equal, or None."""
    data = value.data.data
    unit = data[: value.type.element_type.compile_time_size]
    return unit if data and unit * (len(data) // len(unit)) == data else None


def exact_elements(value: Attribute) -> Attribute:
    """The one attribute that stands for these elements: dense if its text reads back, else exact."""
    if isinstance(value, ExactElementsAttr):
        value = value.elements
    if not isinstance(value, DenseIntOrFPElementsAttr):
        return value
    value = cast(DenseElements, value)
    element_type = value.get_element_type()
    unit = splat_bytes(value)
    data = value.data.data if unit is None else unit
    count = len(data) // element_type.compile_time_size
    if not isinstance(element_type, AnyFloat) or not count:
        return value
    if unit is None and not data.strip(b"\x00\x80"):
        return ExactElementsAttr(value)  # zeros of both signs are equal numbers, which xDSL takes for a splat
    if unit is None and count > MAX_LISTED:
        return value
    readable = all(_reads_back(item, element_type) for item in element_type.unpack(data, count))
    return value if readable else ExactElementsAttr(value)


def _reads_back(item: float, element_type: AnyFloat) -> bool:
    text = StringIO()
    Printer(text).print_float(item, element_type)
    return not text.getvalue().startswith("0x")


@irdl_attr_definition
class ExternalTensorAttr(ParametrizedAttribute):
    """A tensor in a `.npy`, `.npz` or `.safetensors` file, read when its values are needed.

    `key` names the array within the file ("" for `.npy`); a relative path starts at the working directory.

        #graph.external<"weights.npz", "conv1", tensor<64x3x7x7xf16>>
    """

    name = "graph.external"
    path: StringAttr
    key: StringAttr
    type: TensorType[Attribute]

    def get_type(self) -> Attribute:
        return self.type

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            path = parser.parse_str_literal()
            parser.parse_punctuation(",")
            key = parser.parse_str_literal()
            parser.parse_punctuation(",")
            type_ = parser.parse_type()
        if not isinstance(type_, TensorType):
            parser.raise_error(f"external tensor needs a tensor type, got {type_}")
        return [StringAttr(path), StringAttr(key), cast(TensorType[Attribute], type_)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.path.data)
            printer.print_string(", ")
            printer.print_string_literal(self.key.data)
            printer.print_string(", ")
            printer.print_attribute(self.type)


def splat_value(value: Attribute) -> float | None:
    """The number that every element of a constant equals, or None."""
    if isinstance(value, ExactElementsAttr):
        value = value.elements
    if not isinstance(value, DenseIntOrFPElementsAttr):
        return None
    value = cast(DenseElements, value)
    unit = splat_bytes(value)
    return None if unit is None else float(value.get_element_type().unpack(unit, 1)[0])


def as_array(value: Attribute) -> "NDArray[Any]":
    """The elements of a constant's value in their storage type (read-only where they are shared).

    Raises ValueError if a file does not hold what the attribute states, OSError if it cannot be read.
    """
    import numpy as np

    if isinstance(value, ExternalTensorAttr):
        return _read_external(value)
    if isinstance(value, ExactElementsAttr):
        value = value.elements
    if not isinstance(value, DenseIntOrFPElementsAttr):
        raise ValueError(f"no elements in {value}")
    value = cast(DenseElements, value)
    array = np.frombuffer(value.data.data, numpy_dtype(value.get_element_type()))
    return array.reshape(value.get_shape())


def from_array(array: "NDArray[Any]", element_type: Attribute) -> Attribute:
    """The constant value that holds an array, converted to `element_type` (rounding to nearest even)."""
    import numpy as np

    stored = np.ascontiguousarray(rounded(np.asarray(array), numpy_dtype(element_type)))
    type_ = TensorType(cast(Any, element_type), array.shape)
    return exact_elements(DenseIntOrFPElementsAttr(type_, BytesAttr(stored.tobytes())))


def from_number(value: float, element_type: Attribute) -> Attribute:
    """The constant of rank 0 that holds a number, rounded as `from_array` does; numpy is imported for the types that
    Python has not, and for what they cannot hold."""
    try:
        data = pack(_PYTHON_FLOATS[str(element_type)], value)
    except (KeyError, OverflowError):
        import numpy as np

        return from_array(np.array(value), element_type)
    type_ = TensorType(cast(Any, element_type), ())
    return exact_elements(DenseIntOrFPElementsAttr(type_, BytesAttr(data)))


_PYTHON_FLOATS = {"f16": "<e", "f32": "<f", "f64": "<d"}
"""How Python writes the bytes of a float, rounded to nearest even."""


def _read_external(value: ExternalTensorAttr) -> "NDArray[Any]":
    import numpy as np

    path, key = value.path.data, value.key.data
    if path.endswith(".safetensors"):
        array = _read_safetensors(path, key)
    elif path.endswith(".npz"):
        with np.load(path, allow_pickle=False) as archive:
            if key not in archive:
                raise ValueError(f"{path} holds no array '{key}', only {', '.join(archive)}")
            array = archive[key]
    else:
        array = np.load(path, allow_pickle=False)
    expected, dtype = value.type.get_shape(), numpy_dtype(value.type.element_type)
    array = with_bits(array, dtype)
    if dtype.name == BF16 and array.dtype.name == "float32":
        array = rounded(array, dtype)
    if array.shape != expected or array.dtype != dtype:
        found = "x".join(map(str, (*array.shape, array.dtype)))
        raise ValueError(f"{path}{':' + key if key else ''} holds {found}, the program states {value.type}")
    return array


def _read_safetensors(path: str, key: str) -> "NDArray[Any]":
    import json

    import numpy as np

    names = {
        "F16": "float16",
        "BF16": "uint16",
        "F32": "float32",
        "F64": "float64",
        "I32": "int32",
        "I64": "int64",
        "I8": "int8",
    }
    with open(path, "rb") as file:
        start = 8 + int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(start - 8))
        if key not in header:
            raise ValueError(f"{path} holds no tensor '{key}'")
        entry = header[key]
        if entry["dtype"] not in names:
            raise ValueError(f"{path}:{key} has element type {entry['dtype']}, which is not supported")
        begin, end = entry["data_offsets"]
        file.seek(start + begin)
        return np.frombuffer(file.read(end - begin), names[entry["dtype"]]).reshape(entry["shape"])


def tensor_type(value: Attribute) -> TensorType[Attribute]:
    """The type of a constant's value."""
    if isinstance(value, ExternalTensorAttr):
        return value.type
    held: Attribute = value.elements if isinstance(value, ExactElementsAttr) else value
    if isinstance(held, DenseIntOrFPElementsAttr):
        stated: Attribute = cast(DenseElements, held).type
        if isinstance(stated, TensorType):
            return cast(TensorType[Attribute], stated)
    raise VerifyException(f"a constant needs tensor elements, got {value}")
