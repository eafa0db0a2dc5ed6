"""What the ops of HIVM share: operands in named groups, whose sizes are a property.

A group that a later release of AscendNPU-IR puts behind the others, or that an earlier one lacks, is empty where the
property has no entry for it: so texts of both are read.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, MemRefType, i32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..attributes import integers

SEGMENTS = "operandSegmentSizes"


class HivmOp(IRDLOperation, ABC):
    """An op of HIVM. `GROUPS` names its operands in order: `x` is one, `x?` one or none, `x*` any number. `TAKES`: of
    which of them there are how many, where that is fixed. `RESULTS`: how many values it gives."""

    GROUPS: ClassVar[tuple[str, ...]] = ()
    TAKES: ClassVar[dict[str, int]] = {}
    MEMREFS: ClassVar[frozenset[str]] = frozenset()
    """Groups of memrefs alone."""
    RESULTS: ClassVar[int] = 0
    values = var_operand_def()
    given = var_result_def()
    segments = opt_prop_def(DenseArrayBase, prop_name=SEGMENTS)

    def group(self, name: str) -> Sequence[SSAValue]:
        """The operands of a group."""
        return self.groups()[name]

    def one(self, name: str) -> SSAValue:
        """The only operand of a group."""
        return self.groups()[name][0]

    def optional(self, name: str) -> SSAValue | None:
        """The operand of a group that may be empty."""
        found = self.groups()[name]
        return found[0] if found else None

    def groups(self) -> dict[str, Sequence[SSAValue]]:
        """The operands of all groups, by name."""
        found: dict[str, Sequence[SSAValue]] = {}
        at = 0
        for name, count in zip(self.GROUPS, self._counts(), strict=True):
            found[name.rstrip("?*")] = self.operands[at : at + count]
            at += count
        return found

    def _counts(self) -> Sequence[int]:
        if self.segments is not None:
            stated = integers(self.segments)
            return (*stated, *[0] * (len(self.GROUPS) - len(stated)))
        most = len(self.operands)
        fixed = sum(not name.endswith(("?", "*")) for name in self.GROUPS)
        open_groups = [name for name in self.GROUPS if name.endswith(("?", "*"))]
        counts: list[int] = []
        left = most - fixed
        for name in self.GROUPS:
            if name not in open_groups:
                counts.append(1)
            else:
                counts.append(left if name.endswith("*") else min(left, 1))
                left -= counts[-1]
        return counts

    def verify_(self) -> None:
        name = self.name
        counts = self._counts()
        if len(counts) != len(self.GROUPS) or sum(counts) != len(self.operands) or min(counts, default=0) < 0:
            raise VerifyException(
                f"{name}: {len(self.operands)} operands are not {SEGMENTS} {list(counts)} of {', '.join(self.GROUPS)}"
            )
        for group, count in zip(self.GROUPS, counts, strict=True):
            key = group.rstrip("?*")
            fits = count == 1 if key == group else count <= 1 or group.endswith("*")
            if not fits or self.TAKES.get(key, count) != count:
                wanted = self.TAKES.get(key, 1)
                raise VerifyException(f"{name}: {count} operands are {key}, wanted {wanted}")
        for key, values in self.groups().items():
            wrong = [v for v in values if not isinstance(v.type, MemRefType)] if key in self.MEMREFS else []
            if wrong:
                raise VerifyException(f"{name}: {key} is a memref, not {wrong[0].type}")
        if len(self.results) != self.RESULTS:
            raise VerifyException(f"{name}: {len(self.results)} results, wanted {self.RESULTS}")


def groups_of(*names: str, memrefs: str = "") -> dict[str, object]:
    """What a class of ops states of its operands."""
    return {"GROUPS": names, "MEMREFS": frozenset(memrefs.split())}


def define(name: str, base: type[HivmOp], doc: str, **stated: object) -> type[HivmOp]:
    """The op `hivm.hir.<name>`, made of a base and what it states beside."""
    words = "".join(part.title() for part in name.split("_"))
    constants = {key: ClassVar for key in stated if key.isupper()}
    members = {"name": f"hivm.hir.{name}", "__doc__": doc, "__module__": base.__module__, **stated}
    members["__annotations__"] = constants
    return irdl_op_definition(type(f"{words}Op", (base,), members))


def segment_sizes(counts: Sequence[int]) -> DenseArrayBase:
    """The property that says how many operands each group has."""
    return DenseArrayBase.from_list(i32, list(counts))
