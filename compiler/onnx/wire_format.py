"""The bytes of an ONNX file without those of its large weights, which nobody need parse.

An ONNX file is a message of protocol buffers: fields, each a key, for most of them a length, and a content. Only what
leads to weights is looked into here. Numbers of fields are those of `onnx.proto`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import IO

from ...dialects.records import dataclass

LARGE = 1024
"""Contents of so many bytes are left out."""
GRAPH, INITIALIZER = 7, 5
"""Fields of the model and of a graph."""
FLOATS, RAW, DOUBLES = 4, 9, 10
"""Fields of a tensor whose content is that of an array."""
DATA = frozenset((FLOATS, 5, 6, 7, RAW, DOUBLES, 11))
"""All fields with elements of a tensor; there may be several, which add up or replace each other."""
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Kinds of fields: how their ends are found."""


class OtherFormat(Exception):
    """Bytes are no message of protocol buffers, or one of a kind that is left to them."""


@dataclass(frozen=True)
class LeftOut:
    """A field that is left out: which initializer of the model's graph it is of, its number, where its content is."""

    initializer: int
    field: int
    offset: int
    length: int

    @property
    def key(self) -> bytes:
        """What stands before the content."""
        return _field(self.field, self.length)


@dataclass(frozen=True)
class _Field:
    number: int
    kind: int
    start: int
    """Where its key is."""
    content: int
    end: int


_Inner = Callable[[int], bytes]
"""Gives the bytes of a message up to an end."""


def without_weights(file: IO[bytes], size: int) -> tuple[bytes, tuple[LeftOut, ...]]:
    """A model's message without the large weights of its graph, and these; `size` is the file's, in bytes.

    Weights of graphs inside nodes, sparse ones, and tensors with more than one field of elements stay.
    Raises OtherFormat where the file is not such a message, or ends too early; OSError.
    """
    walk = _Walk(file)
    return walk.model(size), tuple(walk.left_out)


class _Walk:
    """Goes once through a file, from its start."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._at = 0
        self._initializers = 0
        self.left_out: list[LeftOut] = []

    def model(self, end: int) -> bytes:
        return self._message(end, {GRAPH: self._graph})

    def _graph(self, end: int) -> bytes:
        return self._message(end, {INITIALIZER: self._tensor})

    def _message(self, end: int, inner: Mapping[int, _Inner]) -> bytes:
        parts: list[bytes] = []
        for field in self._fields(end):
            if field.kind == BYTES and field.number in inner:
                content = inner[field.number](field.end)
                parts += _field(field.number, len(content)), content
            else:
                parts.append(self._bytes(field.start, field.end))
        return b"".join(parts)

    def _tensor(self, end: int) -> bytes:
        index, start = self._initializers, self._at
        self._initializers += 1
        if end - start < LARGE:
            return self._bytes(start, end)
        kept: list[_Field] = []
        data: _Field | None = None
        for field in self._fields(end):
            if field.number not in DATA:
                kept.append(field)
            elif data is None and _is_array(field):
                data = field
            else:
                return self._bytes(start, end)
        if data is not None:
            self.left_out.append(LeftOut(index, data.number, data.content, data.end - data.content))
        return b"".join(self._bytes(field.start, field.end) for field in kept)

    def _fields(self, end: int) -> Iterator[_Field]:
        """The fields from here to an end, each from its content on; whoever asks may move."""
        while self._at < end:
            start = self._at
            key = self._varint()
            number, kind = key >> 3, key & 7
            if kind == VARINT:
                content = self._at
                self._varint()
                stop = self._at
            else:
                size = self._varint() if kind == BYTES else {FIXED64: 8, FIXED32: 4}.get(kind)
                if size is None:
                    raise OtherFormat
                content = self._at
                stop = content + size
            if not number or stop > end:
                raise OtherFormat
            yield _Field(number, kind, start, content, stop)
            self._seek(stop)

    def _varint(self) -> int:
        """A number, seven bits a byte, the low ones first."""
        value = 0
        for shift in range(0, 70, 7):
            (byte,) = self._read(1)
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise OtherFormat

    def _bytes(self, start: int, end: int) -> bytes:
        self._seek(start)
        return self._read(end - start)

    def _read(self, size: int) -> bytes:
        found = self._file.read(size)
        if len(found) < size:
            raise OtherFormat
        self._at += size
        return found

    def _seek(self, place: int) -> None:
        if place != self._at:
            self._file.seek(place)
            self._at = place


def _is_array(field: _Field) -> bool:
    return (
        field.kind == BYTES and field.number in (FLOATS, RAW, DOUBLES) and field.end - field.content >= LARGE
    )


def _field(number: int, length: int) -> bytes:
    """The key and the length of a field."""
    return _varint(number << 3 | BYTES) + _varint(length)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


__all__ = ["DOUBLES", "FLOATS", "LARGE", "RAW", "LeftOut", "OtherFormat", "without_weights"]
