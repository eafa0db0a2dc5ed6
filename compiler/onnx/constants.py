"""Values of inputs that keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DYNAMIC_INDEX

from ..text.exact_values import misfit

if TYPE_CHECKING:
    import onnx_ir as ir
    from numpy.typing import NDArray

    from .model_sizes import ModelSizes

    Array = NDArray[Any]


def constant_of(value: ir.Value, array: Array, sizes: ModelSizes) -> Array:
    """The array that stands for an input, in the input's type. Raises ValueError where it has another shape, or numbers
    that the type cannot hold; `sizes` are those of the model's inputs."""
    name = value.name
    if value.shape is not None:
        wanted = sizes.of(value)
        fits = array.ndim == len(wanted) and all(
            want in (DYNAMIC_INDEX, have) for want, have in zip(wanted, array.shape, strict=True)
        )
        if not fits:
            have = "x".join(map(str, array.shape)) or "scalar"
            want = "x".join("?" if n == DYNAMIC_INDEX else str(n) for n in wanted) or "scalar"
            raise ValueError(f"the constant for input '{name}' must have shape {want}, got {have}")
    if value.dtype is None:
        return array
    dtype = value.dtype.numpy()
    if array.dtype == dtype:
        return array
    numbers = all(one.kind in "iubf" or one.name == "bfloat16" for one in (array.dtype, dtype))
    wrong = misfit(array, dtype) if numbers else f"elements of type {array.dtype}"
    if wrong:
        kind = value.dtype.name.lower()
        raise ValueError(f"the constant for input '{name}' is of {kind}, which cannot hold {wrong}")
    return array.astype(dtype)


__all__ = ["constant_of"]
