"""How often the ops of a group occur in a graph: same kinds, connected in the same way.

A group is the tree of ops that its last op sees through its operands; trees that are alike share one number, so each is
looked for once, among the users of what its largest part was found at.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

_Tree = tuple[str, tuple[int | None, ...]]
"""An op's name, and of each operand the number of the tree that gives it; None: it comes from outside of the group."""


class Occurrences:
    """Counts groups among `ops`."""

    def __init__(self, ops: Sequence[Operation]):
        self._by_name: dict[str, dict[Operation, None]] = {}
        for op in ops:
            self._by_name.setdefault(op.name, {})[op] = None
        self._numbers: dict[_Tree, int] = {}
        self._found: list[frozenset[Operation]] = []

    def count(self, group: Sequence[Operation]) -> int:
        """How many ops end a group like this one, which is in program order and ends in its last op."""
        numbers: dict[Operation, int] = {}
        for op in group:
            parts = tuple(
                numbers.get(v.owner) if isinstance(v.owner, Operation) else None for v in op.operands
            )
            numbers[op] = self._number((op.name, parts))
        return len(self._found[numbers[group[-1]]])

    def _number(self, tree: _Tree) -> int:
        if tree not in self._numbers:
            self._numbers[tree] = len(self._found)
            self._found.append(self._find(tree))
        return self._numbers[tree]

    def _find(self, tree: _Tree) -> frozenset[Operation]:
        name, parts = tree
        known = [self._found[part] for part in parts if part is not None]
        named = self._by_name.get(name, {})
        if known:
            users = (
                use.operation for op in min(known, key=len) for result in op.results for use in result.uses
            )
            named = {user: None for user in users if user in named}
        return frozenset(op for op in named if self._fits(op, parts))

    def _fits(self, op: Operation, parts: Sequence[int | None]) -> bool:
        owners = [value.owner for value in op.operands]
        return len(owners) == len(parts) and all(
            part is None or owner in self._found[part] for owner, part in zip(owners, parts, strict=True)
        )
