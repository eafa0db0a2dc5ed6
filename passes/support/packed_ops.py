"""Ops as they go from one process to another: all that they consist of, with values by number."""

import pickle
from collections.abc import Sequence
from typing import Any

from xdsl.ir import Block, Operation, Region, SSAValue

Record = tuple[Any, ...]


def packed(ops: Sequence[Operation]) -> bytes:
    """Ops that use nothing of what is around them."""
    numbers: dict[SSAValue, int] = {}
    return pickle.dumps([_record(op, numbers) for op in ops], pickle.HIGHEST_PROTOCOL)


def unpacked(data: bytes) -> list[Operation]:
    """The same ops once more."""
    values: list[SSAValue] = []
    return [_op(record, values) for record in pickle.loads(data)]


def _record(op: Operation, numbers: dict[SSAValue, int]) -> Record:
    operands = [numbers[value] for value in op.operands]
    regions = [[_block_record(block, numbers) for block in region.blocks] for region in op.regions]
    results = op.results
    for value in results:
        numbers[value] = len(numbers)
    hints = [value.name_hint for value in results]
    types = [value.type for value in results]
    return type(op), operands, types, op.properties, op.attributes, regions, hints, op.location


def _block_record(block: Block, numbers: dict[SSAValue, int]) -> Record:
    for value in block.args:
        numbers[value] = len(numbers)
    hints = [value.name_hint for value in block.args]
    return [value.type for value in block.args], hints, [_record(op, numbers) for op in block.ops]


def _op(record: Record, values: list[SSAValue]) -> Operation:
    kind, operands, types, properties, attributes, regions, hints, location = record
    op: Operation = kind.create(
        operands=[values[number] for number in operands],
        result_types=types,
        properties=properties,
        attributes=attributes,
        regions=[Region([_block(one, values) for one in blocks]) for blocks in regions],
    )
    op.location = location
    _name(op.results, hints)
    values += op.results
    return op


def _block(record: Record, values: list[SSAValue]) -> Block:
    types, hints, ops = record
    block = Block(arg_types=types)
    _name(block.args, hints)
    values += block.args
    block.add_ops([_op(one, values) for one in ops])
    return block


def _name(values: Sequence[SSAValue], hints: Sequence[str | None]) -> None:
    """Give values the hints that others had. Set as xDSL does, one would lose a number that it ends in."""
    for value, hint in zip(values, hints, strict=True):
        value._name = hint  # pyright: ignore[reportPrivateUsage]


__all__ = ["packed", "unpacked"]
