"""Bytes of weights that a program keeps in GM from run to run, as its kernels read them."""

from collections.abc import Collection

from xdsl.dialects.func import FuncOp

from ...dialects.ascend.arguments import named_arguments
from .workspace import tensor_bytes


def weight_bytes(main: FuncOp, weights: Collection[str]) -> int:
    """Bytes of what prepare left for a lowered function, packed, and of those `weights` that it reads as they are."""
    arguments = zip(named_arguments(main), main.body.block.args, strict=True)
    return sum(
        tensor_bytes(argument)
        for (name, prepared), argument in arguments
        if prepared is not None or name in weights
    )


__all__ = ["weight_bytes"]
