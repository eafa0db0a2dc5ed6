"""What `@f.prepare` does before the first run: the ops, the weights it reads, the bytes it leaves for the kernels."""

from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute

from ...dialects.attributes import tensor_type
from ...dialects.element_types import bytes_of
from ...dialects.records import dataclass


@dataclass(frozen=True)
class Prepare:
    """One prepare function: op names in order, bytes of the weights it takes and of its results."""

    function: str
    ops: tuple[str, ...]
    bytes_in: int
    bytes_out: int


@dataclass(frozen=True)
class PrepareReport:
    """The work that runs once, for people and programs."""

    prepares: tuple[Prepare, ...]
    name: str = "tile-to-ascend"

    def to_text(self) -> str:
        return "\n".join(
            f"@{p.function}, once before the first run: {', '.join(p.ops)}; "
            f"{p.bytes_in} B of weights -> {p.bytes_out} B prepared"
            for p in self.prepares
        )

    def to_json(self) -> Any:
        return [
            {"function": p.function, "ops": list(p.ops), "bytes_in": p.bytes_in, "bytes_out": p.bytes_out}
            for p in self.prepares
        ]


def summarise(function: FuncOp) -> Prepare:
    """What a prepare function does."""
    ops = tuple(op.name for op in function.body.block.ops if not isinstance(op, ReturnOp))
    kind = function.function_type
    return Prepare(function.sym_name.data, ops, _bytes(kind.inputs.data), _bytes(kind.outputs.data))


def _bytes(types: Sequence[Attribute]) -> int:
    tensors = [tensor_type(kind) for kind in types]
    return sum(prod(t.get_shape()) * bytes_of(t.element_type) for t in tensors)
