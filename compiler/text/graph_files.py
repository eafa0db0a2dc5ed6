"""Constants that graph text keeps in files: `constant() {file = "w.npz", key = "conv1"}`.

The file is opened when the text is read, so that a missing file, array or type mismatch is reported at
the words that name it; the module keeps the reference, not the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Attribute

from ...dialects.graph.elements import ExternalTensorAttr, as_array
from .diagnostics import Source, did_you_mean, one_of
from .graph_syntax import AttributeNode, StringNode
from .graph_values import DTYPES

SUFFIXES = (".npy", ".npz", ".safetensors")


def file_constant(
    source: Source, directory: Path, given: Mapping[str, AttributeNode], stated: TensorType[Any] | None
) -> Attribute:
    """The reference that `file` and `key` describe, checked against the file and the stated type."""
    for name in ("file", "key"):
        if name in given and not isinstance(given[name].value, StringNode):
            word = given[name].name
            raise source.error(word.start, word.end, f"attribute '{name}' must be a string such as \"w.npz\"")
    if "file" not in given:
        word = given["key"].name
        raise source.error(word.start, word.end, "attribute 'key' needs attribute 'file' beside it")
    file = given["file"].value
    key = given["key"].value if "key" in given else None
    assert isinstance(file, StringNode) and (key is None or isinstance(key, StringNode))
    path = directory / file.value
    if "value" in given:
        word = given["value"].name
        raise source.error(word.start, word.end, "a constant has either 'value' or 'file'")
    if path.suffix not in SUFFIXES:
        raise source.error(file.start, file.end, f"expected a {one_of(SUFFIXES)} file")
    if path.suffix != ".npy" and key is None:
        raise source.error(file.start, file.end, f"a {path.suffix} file needs 'key', the array in it")
    where = file if key is None else key
    try:
        type_ = stated or _type_in_file(path, key.value if key else "")
        reference = ExternalTensorAttr(StringAttr(str(path)), StringAttr(key.value if key else ""), type_)
        as_array(reference)
    except OSError as error:
        reason = error.strerror or str(error)
        raise source.error(file.start, file.end, f"cannot read '{path}': {reason}") from None
    except _NoArray as error:
        raise source.error(where.start, where.end, str(error)) from None
    except Exception as error:  # numpy raises whatever its readers meet in a damaged file
        reason = str(error).strip() or type(error).__name__
        if "pickle" in reason:
            reason = f"it is no {path.suffix} file of numeric arrays"
        raise source.error(where.start, where.end, f"cannot use '{path}': {reason}") from None
    return reference


class _NoArray(Exception):
    """The file has no array of that name, or one whose type is not a tensor type."""


def _type_in_file(path: Path, key: str) -> TensorType[Any]:
    """The tensor type of an array in a numpy file."""
    import numpy as np

    if path.suffix == ".safetensors":
        raise _NoArray("a constant from a .safetensors file needs its type: ... : tensor<16x32xf16>")
    loaded: Any = np.load(path, allow_pickle=False)
    if path.suffix == ".npz":
        if key not in loaded:
            raise _NoArray(f"'{path}' holds no array '{key}'{did_you_mean(key, loaded.files)}")
        loaded = loaded[key]
    names = {"bool": "i1", "float": "f", "uint": "ui", "int": "i"}
    name = loaded.dtype.name
    for prefix, short in names.items():
        if name.startswith(prefix):
            name = short + name[len(prefix) :]
            break
    if name == "void16":
        shape = "".join(f"{size}x" for size in loaded.shape)
        raise _NoArray(
            f"'{path}' does not say what its 2-byte elements are: state it, as in tensor<{shape}bf16>"
        )
    if name not in DTYPES:
        raise _NoArray(f"'{path}' holds elements of type {loaded.dtype}, which no tensor type has")
    return TensorType(DTYPES[name], loaded.shape)
