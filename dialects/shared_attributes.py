"""Attributes and types that programs have many of, each made once: those that are one object are compared, verified and
printed for less than equal ones."""

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, NoneAttr, StringAttr, i64
from xdsl.ir import Attribute

INDEX = IndexType()


@lru_cache(maxsize=4096)
def index_attribute(value: int) -> IntegerAttr[IndexType]:
    """A number of type `index`."""
    return IntegerAttr(value, INDEX)


@lru_cache(maxsize=4096)
def i64_attribute(value: int) -> IntegerAttr:
    """A number of type `i64`."""
    return IntegerAttr(value, i64)


@lru_cache(maxsize=4096)
def string_attribute(text: str) -> StringAttr:
    """A text."""
    return StringAttr(text)


def memory_type(shape: Sequence[int], element_type: Attribute, space: str) -> MemRefType[Attribute]:
    """Elements in a memory, in row-major order."""
    return _memory_type(tuple(shape), element_type, space)


@lru_cache(maxsize=4096)
def _memory_type(shape: tuple[int, ...], element_type: Attribute, space: str) -> MemRefType[Attribute]:
    return MemRefType(element_type, shape, NoneAttr(), string_attribute(space))


__all__ = ["INDEX", "i64_attribute", "index_attribute", "memory_type", "string_attribute"]
