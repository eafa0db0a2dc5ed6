"""Ops as they go from one process to another: all that they consist of, with values by number."""

import pickle
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Block, Operation, Region, SSAValue

Record = tuple[Any, ...]


class Parts:
    """Types, attributes and places of ops that go to other processes or come from there: each is written and read once,
    and equal ones are one object, which those who know them by their `id` find fast."""

    def __init__(self):
        self._written: dict[int, tuple[object, bytes]] = {}
        """By the `id` of a part: this object, so that nothing else gets its `id`."""
        self._read: dict[bytes, Any] = {}

    def write(self, part: object) -> bytes:
        found = self._written.get(id(part))
        if found is None:
            data = pickle.dumps(part, pickle.HIGHEST_PROTOCOL)
            found = self._written[id(part)] = part, data
            self._read.setdefault(data, part)
        return found[1]

    def read(self, data: bytes) -> Any:
        if data not in self._read:
            self._read[data] = pickle.loads(data)
        return self._read[data]


def packed(ops: Sequence[Operation], parts: Parts | None = None) -> bytes:
    """Ops that use nothing of what is around them. `parts`: of what was packed or unpacked before."""
    packing = _Packing(parts or Parts())
    records = [packing.record(op) for op in ops]
    return pickle.dumps((records, list(packing.parts)), pickle.HIGHEST_PROTOCOL)


def unpacked(data: bytes, parts: Parts | None = None) -> list[Operation]:
    """The same ops once more."""
    records, written = pickle.loads(data)
    found = list(map((parts or Parts()).read, written))
    values: list[SSAValue] = []
    return [_op(record, values, found.__getitem__) for record in records]


class _Packing:
    """The records of ops, whose parts are numbers in the order of `parts`."""

    def __init__(self, known: Parts):
        self.parts: dict[bytes, int] = {}
        self._known = known
        self._values: dict[SSAValue, int] = {}

    def record(self, op: Operation) -> Record:
        numbers, part = self._values, self._part
        operands = [numbers[value] for value in op.operands]
        regions = [[self._block(block) for block in region.blocks] for region in op.regions]
        results = op.results
        for value in results:
            numbers[value] = len(numbers)
        hints = [value.name_hint for value in results]
        types = [part(value.type) for value in results]
        properties = {name: part(value) for name, value in op.properties.items()}
        attributes = {name: part(value) for name, value in op.attributes.items()}
        return type(op), operands, types, properties, attributes, regions, hints, part(op.location)

    def _block(self, block: Block) -> Record:
        for value in block.args:
            self._values[value] = len(self._values)
        hints = [value.name_hint for value in block.args]
        return [self._part(value.type) for value in block.args], hints, [self.record(op) for op in block.ops]

    def _part(self, part: object) -> int:
        return self.parts.setdefault(self._known.write(part), len(self.parts))


Part = Callable[[int], Any]
"""A part by its number."""


def _op(record: Record, values: list[SSAValue], part: Part) -> Operation:
    kind, operands, types, properties, attributes, regions, hints, location = record
    op: Operation = kind.create(
        operands=[values[number] for number in operands],
        result_types=list(map(part, types)),
        properties={name: part(one) for name, one in properties.items()},
        attributes={name: part(one) for name, one in attributes.items()},
        regions=[Region([_block(one, values, part) for one in blocks]) for blocks in regions],
    )
    op.location = part(location)
    _name(op.results, hints)
    values += op.results
    return op


def _block(record: Record, values: list[SSAValue], part: Part) -> Block:
    types, hints, ops = record
    block = Block(arg_types=list(map(part, types)))
    _name(block.args, hints)
    values += block.args
    block.add_ops([_op(one, values, part) for one in ops])
    return block


def _name(values: Sequence[SSAValue], hints: Sequence[str | None]) -> None:
    """Give values the hints that others had. Set as xDSL does, one would lose a number that it ends in."""
    for value, hint in zip(values, hints, strict=True):
        value._name = hint  # pyright: ignore[reportPrivateUsage]


__all__ = ["Parts", "packed", "unpacked"]
