"""What a program takes: names, shapes and element types of its inputs, and arrays brought to that form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DictionaryAttr, MemRefType, ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ...dialects.graph.arguments import argument_names, weight_arguments
from ...dialects.records import dataclass
from ...runtime.support.hazard import ProgramError
from ..text.diagnostics import did_you_mean
from ..text.exact_values import misfit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


WEIGHTS_SHOWN = 4
"""So many weights are listed among the inputs."""


@dataclass(frozen=True)
class Tensor:
    """An input: `weight` if it keeps its value from run to run, `prepared` if prepare reads it."""

    shape: tuple[int, ...]
    element_type: Attribute
    weight: bool = False
    prepared: bool = False

    def __str__(self) -> str:
        sizes = ("?" if n < 0 else str(n) for n in self.shape)
        return f"tensor<{'x'.join((*sizes, str(self.element_type)))}>"

    def at(self, size: int) -> Tensor:
        """The input at run-time size `size`."""
        return replace(self, shape=tuple(size if n < 0 else n for n in self.shape)) if self.dynamic else self

    @property
    def dynamic(self) -> bool:
        """Whether a dimension is known at run time only."""
        return min(self.shape, default=0) < 0

    def size_of(self, shape: Sequence[int]) -> int:
        """The dynamic dimension of an array of that shape; ValueError where dimensions that are one size differ."""
        sizes = {int(n) for n, stated in zip(shape, self.shape, strict=False) if stated < 0}
        if len(sizes) != 1:
            raise ValueError(f"dimensions of one dynamic size are {' and '.join(map(str, sorted(sizes)))}")
        return sizes.pop()


def graph_inputs(function: FuncOp) -> dict[str, Tensor]:
    """The arguments of a graph-level function, in order."""
    weights = weight_arguments(function)
    found: dict[str, Tensor] = {}
    for name, argument in zip(argument_names(function), function.body.block.args, strict=True):
        kind = cast(TensorType[Attribute], argument.type)
        found[name] = Tensor(kind.get_shape(), kind.element_type, argument in weights)
    return found


def lowered_inputs(module: ModuleOp, name: str) -> dict[str, Tensor]:
    """The user's inputs of an ascend-level function: its own, then those that only its prepare reads."""
    all_functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, FuncOp)}
    found: dict[str, Tensor] = {}
    prepare = all_functions.get(f"{name}.prepare")
    for function in [all_functions[name], *([prepare] if prepare is not None else [])]:
        stated: Sequence[DictionaryAttr] = function.arg_attrs.data if function.arg_attrs is not None else ()
        for index, argument in enumerate(function.body.block.args):
            attributes: Mapping[str, Attribute] = stated[index].data if index < len(stated) else {}
            if "ascend.prepared" in attributes:
                continue
            written = attributes.get("ascend.name")
            label = written.data if isinstance(written, StringAttr) else argument.name_hint or f"arg{index}"
            kind = cast(TensorType[Attribute] | MemRefType[Attribute], argument.type)
            read = function is prepare
            found[label] = Tensor(kind.get_shape(), kind.element_type, read, read)
    return found


def check_inputs(
    given: Mapping[str, Any],
    expected: Mapping[str, Tensor],
    function: str,
    overflow: str,
    *,
    partial: bool = False,
) -> dict[str, Array]:
    """The inputs as arrays of their storage types, in the order of `expected`.

    Raises ProgramError naming the first one that is missing (unless `partial`), unknown, no array of numbers, of
    another shape, or with a number that a whole or boolean input cannot hold. `overflow`: what a number past the
    largest float becomes ("inf", "saturate").
    """
    takes = f"@{function} takes {listed(expected) or 'no inputs'}"
    for name in given:
        if name not in expected:
            hint = did_you_mean(name, expected) or f"; {takes}"
            raise ProgramError(f"there is no input '{name}'{hint}")
    missing = [name for name in expected if name not in given]
    if missing and not partial:
        raise ProgramError(f"input '{missing[0]}' is missing; {takes}")
    arrays = {
        name: _stored(name, given[name], tensor, overflow)
        for name, tensor in expected.items()
        if name in given
    }
    size_of(arrays, expected)
    return arrays


def listed(inputs: Mapping[str, Tensor]) -> str:
    """Names of inputs for a message: first those that are no weights, all of them, then a few weights."""
    weights = [name for name, tensor in inputs.items() if tensor.weight]
    names = [name for name, tensor in inputs.items() if not tensor.weight]
    few = weights if len(weights) <= WEIGHTS_SHOWN else weights[: WEIGHTS_SHOWN - 1]
    more = len(weights) - len(few)
    return ", ".join([*names, *few, *([f"{more} more weights"] if more else [])])


def given_size(arrays: Mapping[str, Array], expected: Mapping[str, Tensor]) -> int | None:
    """The size of the dynamic dimension of the first input that has one, checked by nobody yet; None where none has."""
    given = ((arrays[name].shape, one) for name, one in expected.items() if one.dynamic and name in arrays)
    return next((one.size_of(shape) for shape, one in given if shape), None)


def size_of(arrays: Mapping[str, Array], expected: Mapping[str, Tensor]) -> int | None:
    """The size of the dynamic dimension of inputs; None where none of them has one. ProgramError where they differ: it
    is one size in all inputs."""
    sizes: dict[str, int] = {}
    for name, one in expected.items():
        if one.dynamic and name in arrays:
            try:
                sizes[name] = one.size_of(arrays[name].shape)
            except ValueError as error:
                raise ProgramError(f"input '{name}': {error}") from None
    if not sizes:
        return None
    (first, size), *others = sizes.items()
    for name, other in others:
        if other != size:
            raise ProgramError(
                f"the dynamic dimension is {size} in input '{first}' and {other} in input '{name}'; it is one size in "
                "all inputs"
            )
    return size


def _stored(name: str, value: Any, tensor: Tensor, overflow: str) -> Array:
    import numpy as np

    from ...dialects.storage_types import is_float, numpy_dtype, with_bits
    from ...runtime.reference.structure import round_to

    try:
        array = with_bits(np.asarray(value), numpy_dtype(tensor.element_type))
    except (ValueError, TypeError, RuntimeError) as error:  # the latter two of tensors of PyTorch
        raise ProgramError(f"input '{name}' is no array: {error}") from None
    if array.dtype.kind not in "iub" and not is_float(array.dtype):
        raise ProgramError(f"input '{name}' must hold real numbers, got elements of type {array.dtype}")
    fits = array.ndim == len(tensor.shape) and all(
        want < 0 < have or want == have for want, have in zip(tensor.shape, array.shape, strict=True)
    )
    if not fits:
        have = "x".join(map(str, array.shape)) or "scalar"
        want = "x".join("?" if n < 0 else str(n) for n in tensor.shape) or "scalar"
        raise ProgramError(f"input '{name}' must have shape {want}, got {have}")
    wrong = misfit(array, numpy_dtype(tensor.element_type))
    if wrong:
        raise ProgramError(f"input '{name}' is {tensor}, which cannot hold {wrong}")
    return round_to(array, tensor.element_type, overflow)


def digest(arrays: Mapping[str, Array]) -> str:
    """What tells sets of arrays apart: their names, types, shapes and bytes."""
    import numpy as np

    found = sha256()
    for name, array in arrays.items():
        found.update(repr((name, array.dtype.name, array.shape)).encode())
        found.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return found.hexdigest()
