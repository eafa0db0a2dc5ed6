"""From a file or a model of the `onnx` package to one flat graph of the intermediate representation of `onnx-ir`.

Functions are inlined, constants become initializers, equal nodes are one, identities are gone.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..text.source_text import is_model_start
from .large_weights import model_of_file
from .late_imports import SYMBOLIC, imported_late
from .sparse_tensors import SparseError, sparse_node, written_out
from .unsupported import UnsupportedModel

if TYPE_CHECKING:
    import onnx_ir as ir


def read_model(source: Any, name: str, mapped: bool = False) -> ir.Model:
    """The model of a file, which may be `mapped`, or a copy of one in memory, made flat; `name` is the file's, for
    messages.

    Raises UnsupportedModel, OSError where the file or one of its data files cannot be read.
    """
    try:
        import_packages()
    except ImportError:
        message = "reading ONNX models needs the extra 'onnx': pip install 'ascend-opt[onnx]'"
        raise UnsupportedModel(name, message) from None
    import onnx
    import onnx_ir as ir

    if isinstance(source, str | Path):
        with open(source, "rb") as file:  # an OSError with the file's name
            start = file.read(16)
            if not start:
                raise UnsupportedModel(name, "this is no ONNX model: the file is empty")
        try:
            with _quiet():
                model = model_of_file(source, mapped) or _loaded(source)
        except SparseError as error:
            raise UnsupportedModel(name, str(error)) from None
        except Exception as error:  # protobuf and onnx-ir raise whatever they meet in a damaged file
            raise UnsupportedModel(name, _reason(error, Path(source), start)) from None
    elif isinstance(source, ir.Model):
        model = source.clone()
    else:
        try:
            model = cast(Any, ir).from_proto(written_out(source))
        except SparseError as error:
            raise UnsupportedModel(name, str(error)) from None
        except cast(Any, ir).serde.SerdeError as error:
            fault = _given_twice(source.graph) or _still_sparse(source.graph)
            if fault is None:
                raise
            raise UnsupportedModel(name, fault) from error
    found: ir.Model = model
    opset, newest = found.graph.opset_imports.get("", 0), onnx.defs.onnx_opset_version()
    if opset > newest:
        what = f"the model is of opset {opset}; the newest that onnx {onnx.__version__} has is {newest}"
        raise UnsupportedModel(name, what)
    _check(found, name)
    _flatten(found)
    return found


def import_packages() -> None:
    """Import the packages that read models. Raises ImportError where they are not installed."""
    import onnx

    with imported_late(SYMBOLIC):
        import onnx_ir
        from onnx_ir.passes import common

    del onnx, onnx_ir, common


def _loaded(path: str | Path) -> ir.Model:
    """The model of a file of any format; its data in other files are read when they are asked for."""
    import onnx
    import onnx_ir as ir

    folder = os.path.dirname(path)
    proto = written_out(cast(Any, onnx).load(path, load_external_data=False), folder)
    model: ir.Model = cast(Any, ir).serde.deserialize_model(proto)
    cast(Any, ir).external_data.set_base_dir(model.graph, folder)
    return model


def _still_sparse(graph: Any) -> str | None:
    """Which node has a sparse tensor that is no constant."""
    node = sparse_node(graph)
    return node and f"{node} has a sparse tensor, which is not read: store it as a dense one"


def _reason(error: Exception, path: Path, start: bytes) -> str:
    """Why a file that starts with `start` is not read as a model."""
    import onnx

    first = error
    while first.__cause__ is not None and isinstance(first.__cause__, Exception):
        first = first.__cause__
    reason = f"this is no ONNX model: {(str(first).strip() or type(first).__name__).splitlines()[0]}"
    try:
        model = cast(Any, onnx).load(path, load_external_data=False)
    except Exception:  # as above
        if is_model_start(start):
            reason += f"; the file may be cut off, it ends at byte {path.stat().st_size:,}"
        return reason
    return _given_twice(model.graph) or _still_sparse(model.graph) or reason


def _given_twice(graph: Any) -> str | None:
    """Which value of a graph of the `onnx` package, or of one inside it, is given twice, and what gives it."""
    givers = {value.name: "an input" for value in graph.input}
    for node in graph.node:
        outputs = [name for name in node.output if name]
        giver = f"{node.name or (outputs[0] if outputs else '')} ({node.op_type})"
        for name in outputs:
            if name in givers:
                return f"the value '{name}' is given twice: by {givers[name]} and by {giver}"
            givers[name] = giver
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                found = _given_twice(inner)
                if found is not None:
                    return found
    return None


@contextmanager
def _quiet() -> Generator[None]:
    """Without the warnings of onnx-ir: what is wrong with a model is an error of ours."""
    logger = logging.getLogger("onnx_ir")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _check(model: ir.Model, name: str) -> None:
    """UnsupportedModel where a file with data is not there, or ends too early."""
    missing = [(tensor, path) for tensor, path in data_files(model) if not path.is_file()]
    if missing:
        tensor, path = missing[0]
        more = f" (and of {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise UnsupportedModel(name, f"the data of '{tensor.name}'{more} are in '{path}', which is not there")
    for tensor, path in data_files(model):
        size, end = path.stat().st_size, (tensor.offset or 0) + (tensor.length or tensor.nbytes)
        if size < end:
            what = f"the data of '{tensor.name}' end at byte {end:,} of '{path}', which has {size:,}"
            raise UnsupportedModel(name, f"{what}: it is not complete")


def data_files(model: ir.Model) -> Iterator[tuple[ir.ExternalTensor, Path]]:
    """The tensors of a model whose data are in other files, and the file of each."""
    import onnx_ir as ir

    for graph in model.graphs():
        for value in graph.initializers.values():
            tensor = value.const_value
            if isinstance(tensor, ir.ExternalTensor):
                yield tensor, Path(tensor.path)


def _flatten(model: ir.Model) -> None:
    from onnx_ir.passes import common

    stated = [(value.name, value.type, value.shape) for value in model.graph.outputs]
    if model.functions:
        common.InlinePass()(model)
    common.RemoveInitializersFromInputsPass()(model)
    common.LiftConstantsToInitializersPass(lift_all_constants=True, size_limit=0)(model)
    common.CommonSubexpressionEliminationPass()(model)
    common.IdentityEliminationPass()(model)
    common.RemoveUnusedNodesPass()(model)
    common.TopologicalSortPass()(model)
    _keep_results(model.graph, stated)


def _keep_results(
    graph: ir.Graph, stated: Sequence[tuple[str | None, ir.TypeProtocol | None, ir.Shape | None]]
) -> None:
    """Names and types of a graph's results as they were stated; of equal values one is left."""
    import onnx_ir as ir

    for index, (name, kind, shape) in enumerate(stated):
        value = graph.outputs[index]
        if value.name != name:
            same = ir.Node("", "Identity", [value])
            graph.append(same)
            value = same.outputs[0]
            value.name = name
            graph.outputs[index] = value
        value.type, value.shape = value.type or kind, value.shape or shape


__all__ = ["data_files", "import_packages", "read_model"]
