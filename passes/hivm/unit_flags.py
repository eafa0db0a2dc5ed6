"""Unit flags of HIVM: the Cube and FixPipe hand over each part of L0C themselves, where an op's modes say so."""

from collections.abc import Callable
from typing import cast

from xdsl.dialects import scf
from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Block, Region

from ...dialects.hivm.attributes import word_of
from ...dialects.hivm.base import HivmOp
from ...dialects.records import dataclass
from .context import Context
from .emitter import Emitter
from .numbers import Flag


@dataclass(frozen=True)
class UnitFlags:
    """Whether an op has unit flags, and whether what it does ends with what they hand over."""

    on: Flag
    ends: Flag


def unit_flags(context: Context, op: HivmOp) -> UnitFlags:
    """Of several modes the first one counts whose condition holds; without one there are no unit flags."""
    modes = op.properties.get("unit_flag_mode")
    if modes is None:
        return UnitFlags(False, False)
    words = [word_of(mode) for mode in cast("ArrayAttr[Attribute]", modes)]
    conditions = [context.flag(value) for value in op.group("unit_flag_cond")] or [True]
    on: Flag = False
    ends: Flag = False
    for word, condition in reversed(list(zip(words, conditions, strict=True))):
        on = _chosen(context.emit, condition, word.startswith("ENABLED"), on)
        ends = _chosen(context.emit, condition, word == "ENABLED_WITH_UPDATE", ends)
    return UnitFlags(on, ends)


def _chosen(emit: Emitter, condition: Flag, then: bool, other: Flag) -> Flag:
    if then:
        return emit.logic("ori", condition, other)
    return emit.logic("andi", emit.logic("xori", condition, True), other)


def in_each_mode(emit: Emitter, on: Flag, insert: Callable[[bool], object]) -> None:
    """Insert an instruction with or without unit flags; under a condition where that is not known."""
    if isinstance(on, bool):
        insert(on)
        return
    blocks: list[Block] = []
    for case in (True, False):
        block = Block()
        with emit.block(block):
            insert(case)
            emit.give([])
        blocks.append(block)
    emit.insert(scf.IfOp(on, [], Region(blocks[0]), Region(blocks[1])))


__all__ = ["UnitFlags", "in_each_mode", "unit_flags"]
