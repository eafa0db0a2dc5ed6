"""Names of the arguments of functions that launch kernels."""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute


def named_arguments(function: FuncOp) -> list[tuple[str, int | None]]:
    """Name of each argument, and which result of prepare it is, if any."""
    stated: Sequence[DictionaryAttr] = function.arg_attrs.data if function.arg_attrs is not None else ()
    found: list[tuple[str, int | None]] = []
    for index, argument in enumerate(function.body.block.args):
        attributes: Mapping[str, Attribute] = stated[index].data if index < len(stated) else {}
        name, prepared = attributes.get("ascend.name"), attributes.get("ascend.prepared")
        label = name.data if isinstance(name, StringAttr) else argument.name_hint or f"arg{index}"
        number = prepared.value.data if isinstance(prepared, IntegerAttr) else None
        found.append((label, number))
    return found


__all__ = ["named_arguments"]
