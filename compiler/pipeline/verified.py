"""Verification of single ops, each structure once.

Whether an op fits its definition depends on its types, properties and attributes alone. These objects never change, so
an op that has equal ones to an op that fitted fits too. So it is with verifiers that say that they look at nothing else
(`of_structure`). What depends on the ops around, traits and other verifiers, is checked each time; but whether ops use
what is defined outside of the isolated op around them is left to who looks at all uses (`verify.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import getclosurevars
from typing import Any, cast

from xdsl.ir import Block, Operation
from xdsl.irdl import IRDLOperation, OpDef
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, OpTrait
from xdsl.utils.exceptions import VerifyException

from ...dialects.op_checks import is_of_structure
from ...dialects.records import dataclass


@dataclass(frozen=True)
class _Rest:
    """What an op's structure does not decide: the traits that check something, and the verifier that its class has,
    if that looks at more."""

    traits: tuple[OpTrait, ...]
    verifier: Callable[[Operation], None] | None

    @staticmethod
    def of(kind: type[Operation]) -> _Rest | None:
        """None where the class verifies in a way of its own, which says nothing of its parts."""
        if not issubclass(kind, IRDLOperation):
            return None
        definition = kind.get_irdl_definition()
        inside = getclosurevars(kind.verify_).nonlocals
        if inside.get("op_def") is not definition or type(definition) is not OpDef:
            return None
        traits = tuple(trait for trait in definition.traits if _checks(trait))
        verifier = cast(Callable[[Operation], None] | None, inside.get("custom_verify"))
        return _Rest(traits, None if verifier is None or is_of_structure(verifier) else verifier)


class Verified:
    """The structures of ops that were verified; for the modules of one compilation, as what they consist of is kept."""

    def __init__(self):
        self._rests: dict[type[Operation], _Rest | None] = {}
        self._known: dict[tuple[object, ...], list[object]] = {}
        """By the `id` of what an op consists of: these objects, so that nothing else gets their `id`."""
        self._ends: dict[tuple[type[Operation], type[Operation]], bool] = {}
        """Whether ops of a kind may be the last ones in those of another."""
        self._equal = set[tuple[object, ...]]()
        """The same by what they say: takes longer to look up, and is asked once for each op."""

    def verify_op(self, op: Operation) -> None:
        """What xDSL verifies of an op without those inside. Raises VerifyException."""
        kind, block = type(op), op.parent
        rest = self._rests[kind] if kind in self._rests else self._rests.setdefault(kind, _Rest.of(kind))
        if rest is None or op.successors or block is None or not self._may_stand(op, block):
            op.verify(verify_nested_ops=False)  # where it stands matters, too
            return
        parts = _parts(op)
        key = kind, *map(id, parts)
        if key not in self._known:
            structure = kind, *parts
            new = structure not in self._equal
            if new:
                op.verify(verify_nested_ops=False)
                self._equal.add(structure)
            self._known[key] = parts
            if new:
                return
        try:
            for trait in rest.traits:
                trait.verify(op)
            if rest.verifier is not None:
                rest.verifier(op)
        except VerifyException:
            op.verify(verify_nested_ops=False)  # says it with its place
            raise

    def _may_stand(self, op: Operation, block: Block) -> bool:
        """Whether an op may be where it is in its block: the last one ends it, where that is asked for."""
        if block.last_op is not op:
            return True
        region = block.parent
        around = None if region is None else region.parent
        if region is None or around is None or len(region.blocks) > 1:
            return False
        key = type(op), type(around)
        if key not in self._ends:
            self._ends[key] = op.has_trait(IsTerminator) or around.has_trait(NoTerminator)
        return self._ends[key]


def _checks(trait: OpTrait) -> bool:
    """Whether a trait checks something here."""
    return type(trait).verify is not OpTrait.verify and not isinstance(trait, IsolatedFromAbove)


def _parts(op: Operation) -> list[object]:
    """What an op consists of as far as its definition looks at it, in an order that tells all apart."""
    parts: list[Any] = [type(value) for value in op.operands]
    parts += [value.type for value in op.operands]
    parts.append(None)
    parts += [value.type for value in op.results]
    for region in op.regions:
        blocks = region.blocks
        first = blocks.first
        parts += [None, len(blocks) == 1, *(() if first is None else first.arg_types)]
    for named in (op.properties, op.attributes):
        parts.append(None)
        for name, value in named.items():
            parts += [name, value]
    return parts
