"""A model of a file whose large weights are read straight into arrays: protobuf, which copies them twice, does not see
them."""

from __future__ import annotations

import mmap
import os
from collections import Counter
from math import prod
from pathlib import Path
from stat import S_ISREG
from typing import IO, TYPE_CHECKING, Any, cast

import numpy as np

from .sparse_tensors import SparseError, written_out
from .wire_format import DOUBLES, FLOATS, LeftOut, OtherFormat, without_weights

if TYPE_CHECKING:
    import onnx_ir as ir

MOST = (1 << 31) - 1
"""Bytes of a message of protocol buffers."""
FORMATS = (None, "protobuf")
"""What the `onnx` package calls the format of files that are read here; None: it is not told by their names."""
ELEMENT = {FLOATS: "FLOAT", DOUBLES: "DOUBLE"}
"""The types of tensors whose elements are stored in these fields as in an array."""


def model_of_file(path: str | Path, mapped: bool = False) -> ir.Model | None:
    """The model of a file, as `onnx_ir.load` gives it; its data are in memory, or the file is `mapped` there.

    None where the file is not read this way: it is text, damaged, or larger than a message may be. Raises OSError,
    SparseError.
    """
    import onnx

    registry = cast(Any, onnx).serialization.registry
    if registry.get_format_from_file_extension(Path(path).suffix) not in FORMATS:
        return None
    with open(path, "rb") as file:
        found = os.fstat(file.fileno())
        if not S_ISREG(found.st_mode) or found.st_size > MOST:
            return None
        try:
            rest, left_out = without_weights(file, found.st_size)
        except OtherFormat:
            return None
        return _model(_Contents(file, mapped), rest, left_out, os.path.dirname(path))


class _Contents:
    """What stands in a file, read or `mapped`."""

    def __init__(self, file: IO[bytes], mapped: bool):
        self._file = file
        self._memory = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)) if mapped else None

    def of(self, field: LeftOut) -> bytes | memoryview:
        """The content of a field. Raises OtherFormat where the file ends earlier than it did."""
        if self._memory is None:
            self._file.seek(field.offset)
            data = self._file.read(field.length)
        else:
            data = self._memory[field.offset : field.offset + field.length]
        if len(data) < field.length:
            raise OtherFormat
        return data


def _model(contents: _Contents, rest: bytes, left_out: tuple[LeftOut, ...], folder: str) -> ir.Model | None:
    import onnx
    import onnx_ir as ir

    kinds: Any = ir
    try:
        proto = cast(Any, onnx).ModelProto.FromString(rest)
        weights = _weights(contents, proto.graph.initializer, left_out)
        proto = written_out(proto, folder)
        model: ir.Model = kinds.serde.deserialize_model(proto)
    except SparseError:
        raise
    except Exception:  # protobuf and onnx-ir raise whatever they meet in a damaged file
        return None
    for name, array in weights.items():
        value = model.graph.initializers[name]
        given: Any = value.const_value
        value.const_value = kinds.Tensor(
            array, given.dtype, name=name, doc_string=given.doc_string, metadata_props=given.metadata_props
        )
    kinds.external_data.set_base_dir(model.graph, folder)
    return model


def _weights(contents: _Contents, tensors: Any, left_out: tuple[LeftOut, ...]) -> dict[str, Any]:
    """What was left out, by the names of initializers; what is no plain array is put into its tensor.

    Raises OtherFormat as `contents`."""
    names = Counter(tensor.name for tensor in tensors)
    found: dict[str, Any] = {}
    for field in left_out:
        tensor = tensors[field.initializer]
        data = contents.of(field)
        array = _array(tensor, field, data)
        if array is None or not tensor.name or names[tensor.name] > 1:
            tensor.MergeFromString(field.key + bytes(data))
        else:
            found[tensor.name] = array
    return found


def _array(tensor: Any, field: LeftOut, data: bytes | memoryview) -> Any:
    """Bytes as the array of a tensor; None where they are another number of elements, or not whole bytes each."""
    import onnx_ir as ir

    kind = ir.DataType(tensor.data_type)
    plain = kind.name not in ("UNDEFINED", "STRING") and kind.bitwidth >= 8
    if not plain or tensor.data_location or ELEMENT.get(field.field, kind.name) != kind.name:
        return None
    dtype = kind.numpy().newbyteorder("<")
    if prod(tensor.dims) * dtype.itemsize != len(data):
        return None
    return np.frombuffer(data, dtype).reshape(tensor.dims)


__all__ = ["model_of_file"]
