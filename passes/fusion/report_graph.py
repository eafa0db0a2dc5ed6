"""The ops of a function and who feeds whom, kept for people when the ops themselves are gone."""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects.locations import places_of
from ...dialects.records import dataclass


@dataclass(frozen=True)
class FusionGraph:
    """Ops in program order: their names, the group (kernel) that each is in, and pairs of a producer and its user."""

    ops: tuple[str, ...]
    groups: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]
    sources: tuple[tuple[str, ...], ...] = ()
    """What each op comes from: nodes of a model, or lines of a text."""

    @property
    def kernel_edges(self) -> tuple[tuple[int, int], ...]:
        """Who feeds whom of the groups."""
        pairs = ((self.groups[a], self.groups[b]) for a, b in self.edges)
        return tuple(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))


def graph_of(groups: Sequence[Sequence[Operation]]) -> FusionGraph:
    """The graph of all ops of `groups`; edges go through views between them."""
    home = {op: i for i, group in enumerate(groups) for op in group}
    block = next(iter(home)).parent if home else None
    ops = [op for op in block.ops if op in home] if block is not None else []
    place = {op: i for i, op in enumerate(ops)}

    def sources(value: SSAValue) -> list[int]:
        owner = value.owner
        if not isinstance(owner, Operation):
            return []
        if owner in place:
            return [place[owner]]
        return [i for operand in owner.operands for i in sources(operand)]

    edges = [(i, place[op]) for op in ops for value in op.operands for i in sources(value)]
    names = tuple(op.name.removeprefix("graph.") for op in ops)
    sources_of_ops = tuple(sources_of([op]) for op in ops)
    return FusionGraph(names, tuple(home[op] for op in ops), tuple(dict.fromkeys(edges)), sources_of_ops)


def sources_of(ops: Sequence[Operation]) -> tuple[str, ...]:
    """What ops come from, each once."""
    return tuple(dict.fromkeys(str(place) for op in ops for place in places_of(op.location)))
