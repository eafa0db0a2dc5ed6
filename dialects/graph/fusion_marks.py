"""What a graph says itself about its kernels: `fuse` groups and `nofuse`, as discardable attributes of graph ops.

    %1 = graph.relu %0 {graph.fuse = "group1"} : ..    ops of one name become one kernel, no other op joins it
    %2 = graph.exp %1 {graph.nofuse} : ..              a kernel of its own
    %3 = graph.neg %2 {graph.nofuse = "a"} : ..        joins ops with the same word alone, where that pays

An op that a pass splits leaves its mark to its parts; `nofuse` then gets a word, so that the parts may still be one
kernel.
"""

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

FUSE = "graph.fuse"
NOFUSE = "graph.nofuse"
MARKS = {"fuse": FUSE, "nofuse": NOFUSE}
"""The attributes by their names in graph text."""


def is_marked(*ops: Operation) -> bool:
    """Whether any of the ops states which kernel it is to be in."""
    return any(FUSE in op.attributes or NOFUSE in op.attributes for op in ops)


def fuse_group(op: Operation) -> str | None:
    """The name of the group that the op is to be in, None where it states none."""
    stated = op.attributes.get(FUSE)
    return stated.data if isinstance(stated, StringAttr) else None


def joins(op: Operation, other: Operation) -> bool:
    """Whether the marks let the ops be in one kernel that nobody asked for."""
    if FUSE in op.attributes or FUSE in other.attributes:
        return False
    mark, beside = op.attributes.get(NOFUSE), other.attributes.get(NOFUSE)
    return mark == beside and not isinstance(mark, UnitAttr)


def keep_marks(op: Operation, *parts: Operation) -> None:
    """Give the marks of `op` to those that take its place, as far as they have none."""
    marks = {name: op.attributes[name] for name in (FUSE, NOFUSE) if name in op.attributes}
    if isinstance(marks.get(NOFUSE), UnitAttr) and len(parts) > 1:
        place = 0 if op.parent is None else op.parent.get_operation_index(op)
        marks[NOFUSE] = StringAttr(f"{op.name.removeprefix('graph.')}.{place}")
    for part in parts:
        if FUSE not in part.attributes and NOFUSE not in part.attributes:
            part.attributes |= marks


def check_marks(op: Operation) -> None:
    """VerifyException where the marks are of the wrong type, or contradict each other."""
    fuse, nofuse = op.attributes.get(FUSE), op.attributes.get(NOFUSE)
    if fuse is not None and not (isinstance(fuse, StringAttr) and fuse.data):
        raise VerifyException(f"{op.name}: {FUSE} is the name of a group, got {fuse}")
    if nofuse is not None and not isinstance(nofuse, StringAttr | UnitAttr):
        raise VerifyException(f"{op.name}: {NOFUSE} stands alone or is a word, got {nofuse}")
    if fuse is not None and nofuse is not None:
        raise VerifyException(f"{op.name}: {FUSE} and {NOFUSE} contradict each other")
