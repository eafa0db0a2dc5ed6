"""Sparse tensors of a model of the `onnx` package, written out: the rest of the importer knows dense ones.

A sparse tensor has its elements that are not 0, and where each stands: as a number in row-major order, or as an index
for each dimension.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 1 << 31
"""A tensor of so many elements is not written out."""


class SparseError(ValueError):
    """A sparse tensor that makes no sense, by its name."""


def written_out(proto: Any, folder: str = "") -> Any:
    """The model, or where it has sparse tensors a copy with dense ones; `folder` has the files of its data.

    Raises SparseError.
    """
    if not any(True for graph in _graphs(proto) if _has_sparse(graph)):
        return proto
    found = type(proto)()
    found.CopyFrom(proto)
    for graph in _graphs(found):
        _write_out(graph, folder)
    return found


def sparse_node(graph: Any) -> str | None:
    """Which node of a graph, or of one inside it, still has a sparse tensor."""
    for one in _inside(graph):
        for node in one.node:
            if any(a.HasField("sparse_tensor") or a.sparse_tensors for a in node.attribute):
                return f"{node.name or next(iter(node.output), '')} ({node.op_type})"
    return None


def _graphs(proto: Any) -> Iterator[Any]:
    """All that has nodes in a model: its graph, those of its functions, and those inside."""
    for top in (proto.graph, *proto.functions):
        yield from _inside(top)


def _inside(graph: Any) -> Iterator[Any]:
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs) if attribute.type else ():
                yield from _inside(inner)


def _has_sparse(graph: Any) -> bool:
    constants = (a for node in graph.node for a in node.attribute if _is_constant(node, a))
    return bool(getattr(graph, "sparse_initializer", ())) or any(True for _ in constants)


def _is_constant(node: Any, attribute: Any) -> bool:
    return node.op_type == "Constant" and not node.domain and attribute.name == "sparse_value"


def _write_out(graph: Any, folder: str) -> None:
    from onnx import AttributeProto

    for sparse in getattr(graph, "sparse_initializer", ()):
        graph.initializer.append(_dense(sparse, sparse.values.name, folder))
    if getattr(graph, "sparse_initializer", ()):
        del graph.sparse_initializer[:]
    for node in graph.node:
        for attribute in node.attribute:
            if _is_constant(node, attribute):
                dense = _dense(attribute.sparse_tensor, node.name or next(iter(node.output), ""), folder)
                attribute.ClearField("sparse_tensor")
                attribute.name, attribute.type = "value", AttributeProto.TENSOR
                attribute.t.CopyFrom(dense)


def _dense(sparse: Any, name: str, folder: str) -> Any:
    """A sparse tensor as a dense one."""
    from onnx import TensorProto, numpy_helper

    what = f"the sparse tensor '{name}'"
    if not name:
        raise SparseError("a sparse initializer has no name: it is that of its values")
    dims = tuple(sparse.dims)
    if prod(dims) >= MOST or min(dims, default=0) < 0:
        raise SparseError(f"{what} is of {'x'.join(map(str, dims))} elements: it is not written out")
    try:
        values = cast(Any, numpy_helper).to_array(sparse.values, folder)
        places = cast(Any, numpy_helper).to_array(sparse.indices, folder)
    except Exception as error:  # whatever damaged data make of it
        raise SparseError(f"the data of {what} cannot be read: {error}") from None
    if values.dtype.kind == "O" or sparse.values.data_type not in _WHOLE_BYTES:
        kind = TensorProto.DataType.Name(sparse.values.data_type).lower()
        raise SparseError(f"{what} is of {kind}, which is not written out")
    flat = np.zeros(prod(dims), values.dtype)
    flat[_flat_places(places, values, dims, what)] = values.reshape(-1)
    made = TensorProto(name=sparse.values.name, data_type=sparse.values.data_type, dims=dims)
    made.raw_data = flat.astype(flat.dtype.newbyteorder("<"), copy=False).tobytes()
    return made


def _flat_places(
    places: NDArray[Any], values: NDArray[Any], dims: tuple[int, ...], what: str
) -> NDArray[np.int64]:
    """Where the elements stand in row-major order. Raises SparseError where that is nowhere."""
    count = values.size
    if places.shape == (count, len(dims)) and places.ndim == 2:
        if count and ((places < 0) | (places >= np.array(dims))).any():
            raise SparseError(f"{what} has an index outside its {'x'.join(map(str, dims))} elements")
        found = np.ravel_multi_index(tuple(places.T), dims) if count else np.zeros(0, np.int64)
    elif places.shape == (count,):
        if count and (places.min() < 0 or places.max() >= prod(dims)):
            raise SparseError(f"{what} has an index outside its {'x'.join(map(str, dims))} elements")
        found = places
    else:
        raise SparseError(
            f"{what} has indices of shape {list(places.shape)}, not [{count}] or [{count}, {len(dims)}]"
        )
    if np.unique(found).size < count:
        raise SparseError(f"{what} states an element twice")
    return np.asarray(found, np.int64)


_WHOLE_BYTES = frozenset((1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 16))
"""Types of elements of whole bytes, as `onnx.proto` numbers them."""

__all__ = ["SparseError", "sparse_node", "written_out"]
