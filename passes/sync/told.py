"""What was decided of a kernel's flags as it goes from one process to another that has the same kernel: ops and values
are their places in it."""

import pickle
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...dialects import ascend
from ...dialects.walked import walked
from .report import KernelSync

Slots = Sequence[tuple[Operation, dict[str, Attribute]]]
"""Buffers, and their slots and addresses."""


def packed(kernel: ascend.KernelOp, sync: KernelSync) -> bytes:
    """The plan of a kernel that is not in its program yet, and the slots that buffers have left."""
    stream = BytesIO()
    _Packing(stream, kernel).dump((sync, _slots(kernel)))
    return stream.getvalue()


def unpacked(kernel: ascend.KernelOp, data: bytes) -> KernelSync:
    """The same for an equal kernel, whose buffers then have these slots."""
    sync, slots = _Unpacking(BytesIO(data), kernel).load()
    for buffer, properties in slots:
        buffer.properties = properties
    return sync


def _slots(kernel: ascend.KernelOp) -> Slots:
    return [(op, dict(op.properties)) for op in walked(kernel) if isinstance(op, ascend.BufferOp)]


class _Packing(pickle.Pickler):
    def __init__(self, stream: BytesIO, kernel: ascend.KernelOp):
        super().__init__(stream)
        self._place = {op: i for i, op in enumerate(walked(kernel))}

    def persistent_id(self, obj: Any) -> Any:
        if isinstance(obj, Operation):
            return (self._place[obj],)
        if isinstance(obj, BlockArgument):
            around = obj.owner.parent_op()
            assert around is not None and around.regions[0].first_block is obj.owner
            return self._place[around], "argument", obj.index
        if isinstance(obj, SSAValue):
            assert isinstance(obj.owner, Operation)
            return self._place[obj.owner], "result", obj.owner.results.index(obj)
        return None


class _Unpacking(pickle.Unpickler):
    def __init__(self, stream: BytesIO, kernel: ascend.KernelOp):
        super().__init__(stream)
        self._ops: list[Operation] = list(walked(kernel))

    def persistent_load(self, pid: Any) -> Operation | SSAValue:
        place, *of_value = pid
        op = self._ops[int(place)]
        if not of_value:
            return op
        kind, index = of_value
        return op.results[int(index)] if kind == "result" else op.regions[0].block.args[int(index)]


__all__ = ["packed", "unpacked"]
