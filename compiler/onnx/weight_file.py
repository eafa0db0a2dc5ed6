"""A model's weights in an `.npz` file that its module reads, so that the module stands alone with it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.graph import ConstantOp
from ...dialects.graph.arguments import argument_names
from ...dialects.graph.elements import ExternalTensorAttr
from ...dialects.storage_types import BF16
from ..text.output_files import write_bytes
from .imported import ImportedModel


def with_weight_file(model: ImportedModel, path: str | Path) -> ModuleOp:
    """Write the weights to `path`, complete or not at all; the module that reads them there. bf16 is written as the
    bits that it is."""
    arrays = {n: a.view(np.uint16) if a.dtype.name == BF16 else a for n, a in model.weights.items()}
    stream = BytesIO()
    savez: Any = np.savez
    savez(stream, **arrays)
    write_bytes(path, stream.getvalue())
    module = model.module.clone()
    for function in module.body.block.ops:
        if isinstance(function, FuncOp):
            _use_file(function, model, str(path))
    return module


def _use_file(function: FuncOp, model: ImportedModel, path: str) -> None:
    block = function.body.block
    stated = function.arg_attrs.data if function.arg_attrs is not None else ()
    kept: list[Any] = []
    first = block.first_op
    for name, argument, attributes in list(zip(argument_names(function), block.args, stated, strict=True)):
        if name not in model.weights:
            kept.append(attributes)
            continue
        kind: Any = argument.type
        constant = ConstantOp(value=ExternalTensorAttr(StringAttr(path), StringAttr(name), kind))
        constant.result.name_hint = name if SSAValue.is_valid_name(name) else None
        if first is not None:
            block.insert_op_before(constant, first)
        argument.replace_all_uses_with(constant.result)
        block.erase_arg(argument)
    function.arg_attrs = ArrayAttr(kept)
    inputs = [argument.type for argument in block.args]
    function.function_type = FunctionType.from_lists(inputs, list(function.function_type.outputs.data))


__all__ = ["with_weight_file"]
