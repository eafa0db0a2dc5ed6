"""What each instruction of a trace must wait for: dependences by the bytes that two instructions touch."""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from math import ceil

from xdsl.ir import Operation

from ...dialects import ascend
from ...dialects.target_types import PIPES, Target
from .index_ranges import range_of
from .trace_steps import Access, Instance
from .tracer import Tracer


def find_all_requirements(traces: Iterable[Tracer]) -> None:
    """`find_requirements` of traces of one kernel: what is in conflict is found once for all of them."""
    kinds: dict[str, _Kinds] = {}
    for trace in traces:
        find_requirements(trace, kinds)


def find_requirements(trace: Tracer, kinds: "dict[str, _Kinds] | None" = None) -> None:
    """For every instruction and pipe, the last earlier instruction of that pipe that it depends on. `kinds`: by space,
    what is known of the accesses of other traces."""
    kinds = {} if kinds is None else kinds
    spaces: dict[str, _Space] = {"l0c": _L0c(trace)}
    ordered = trace.target.sync.ordered_pipe
    for number, instance in enumerate(trace.instances):
        requires, own = instance.requires, instance.pipe
        for access in instance.accesses:
            name = access.space
            space = spaces.get(name)
            if space is None:
                space = spaces[name] = _Space(kinds.get(name) or kinds.setdefault(name, _Kinds()))
            found = space.met(instance, access)
            for pipe in sorted(found) if len(found) > 1 else found:
                _, other, theirs = found[pipe]
                if other.number > requires.get(pipe, 0) and not (pipe == own and ordered):
                    requires[pipe] = other.number
                    instance.sources[pipe] = other
                    instance.because[pipe] = theirs, access
        for place, access in enumerate(instance.accesses):
            spaces[access.space].note(((number, place), instance, access))


_Past = tuple[tuple[int, int], Instance, Access]
"""An access of an instruction before: when it was, by the number of the instruction and of its access."""


class _Kinds:
    """Accesses to one space: those to the same blocks are alike."""

    def __init__(self):
        self.known: dict[int, int] = {}
        """By the `id` of an access, what it is alike to."""
        self.conflicts: list[list[int]] = []
        """For accesses that are alike, those with which they are in conflict."""
        self._numbers: dict[tuple[int, bool], int] = {}
        self._kept: list[Access] = []
        """So that nothing else gets the `id` of one that is known."""

    def of(self, access: Access) -> int:
        """The number of what an access is alike to, which is new here."""
        self._kept.append(access)
        kind = self.known[id(access)] = self._numbered(access.mask, access.write)
        return kind

    def _numbered(self, mask: int, write: bool) -> int:
        """The number of accesses to some blocks."""
        key = mask, write
        if key in self._numbers:
            return self._numbers[key]
        number = self._numbers[key] = len(self._numbers)
        conflicts = [n for (other, writes), n in self._numbers.items() if (write or writes) and mask & other]
        for n in conflicts:
            if n != number:
                self.conflicts[n].append(number)
        self.conflicts.append(conflicts)
        return number


class _Space:
    """The accesses of a trace to one space. Of those that are alike the last one of each pipe counts."""

    def __init__(self, kinds: _Kinds):
        self._kinds = kinds
        self._last: dict[int, dict[int, _Past]] = {}
        """By what accesses are alike to, the last one of each pipe."""

    def met(self, instance: Instance, access: Access) -> dict[int, _Past]:
        """For each pipe, the last access that one of an instruction is in conflict with."""
        kinds, found = self._kinds, dict[int, _Past]()
        kind = kinds.known.get(id(access))
        last = self._last
        for other in kinds.conflicts[kinds.of(access) if kind is None else kind]:
            if other in last:
                for pipe, past in last[other].items():
                    if pipe not in found or found[pipe][0] < past[0]:
                        found[pipe] = past
        return found

    def note(self, past: _Past) -> None:
        """What met others is noted for those that follow."""
        _, instance, access = past
        kind = self._kinds.known[id(access)]
        last = self._last.get(kind)
        if last is None:
            last = self._last[kind] = {}
        last[instance.pipe] = past


class _L0c(_Space):
    """The accesses to L0C: some of the same blocks are in order by themselves."""

    def __init__(self, trace: Tracer):
        super().__init__(_Kinds())
        ops = {instance.op for instance in trace.instances}
        self._adding = {op for op in ops if _may_accumulate(op, trace.target)}
        self._past: dict[int, list[_Past]] = {}
        self._touched: dict[int, tuple[int, int]] = {}
        """By pipe, the blocks that were written, and all that were touched."""

    def met(self, instance: Instance, access: Access) -> dict[int, _Past]:
        op, mask, write = instance.op, access.mask, access.write
        adds, found = op in self._adding, dict[int, _Past]()
        for pipe, blocks in self._touched.items():
            for past in reversed(self._past[pipe]) if mask & blocks[write] else ():
                _, other, theirs = past
                if other.number <= instance.requires.get(pipe, 0):
                    break
                if not (write or theirs.write) or not mask & theirs.mask:
                    continue
                if adds and theirs.mask == mask and other.op in self._adding:
                    continue  # the Cube orders what adds to one tile
                if _by_units(op, other.op):
                    continue  # the Cube and FixPipe hand over each 512 B by themselves
                found[pipe] = past
                break
        return found

    def note(self, past: _Past) -> None:
        _, instance, access = past
        self._past.setdefault(instance.pipe, []).append(past)
        written, touched = self._touched.get(instance.pipe, (0, 0))
        self._touched[instance.pipe] = written | access.mask * access.write, touched | access.mask


def known_before(trace: Tracer) -> list[tuple[int, ...]]:
    """For every instruction how many instructions of each pipe are over when it starts, by the requirements alone: what
    it requires, what these required, and what its pipe has waited for before."""
    width = len(PIPES)
    known = [(0,) * width for _ in PIPES]
    after: list[list[tuple[int, ...]]] = [[] for _ in PIPES]
    found: list[tuple[int, ...]] = []
    for instance in trace.instances:
        pipe, number = instance.pipe, instance.number
        here = known[pipe]
        for source, least in instance.requires.items():
            if here[source] < least:
                here = tuple(map(max, here, after[source][least - 1]))
        if trace.target.sync.ordered_pipe:
            here = (*here[:pipe], number - 1, *here[pipe + 1 :])
        known[pipe] = here
        found.append(here)
        after[pipe].append((*here[:pipe], number, *here[pipe + 1 :]))
    return found


def make_single(trace: Tracer, buffers: Container[object]) -> None:
    """Put the slots of `buffers` in the place of the first one, and find the requirements again."""

    known: dict[Access, Access] = {}

    def moved(access: Access) -> Access:
        if access.buffer is None or access.buffer not in buffers:
            return access
        if access not in known:
            known[access] = replace(access, mask=access.elsewhere(0), index=0)
        return known[access]

    for index, step in enumerate(trace.steps):
        if step.kind == "slot" and step.op.operands[0].owner in buffers:
            trace.steps[index] = replace(step, slot=0)
    move_accesses(trace, moved)


def move_accesses(trace: Tracer, moved: Callable[[Access], Access]) -> None:
    """Put other accesses in the place of a trace's, and find the requirements again."""
    move_all_accesses([trace], moved)


def move_all_accesses(traces: Sequence[Tracer], moved: Callable[[Access], Access]) -> None:
    """The same for traces of one kernel."""
    for trace in traces:
        for instance in trace.instances:
            instance.accesses = tuple(moved(access) for access in instance.accesses)
            instance.requires, instance.sources, instance.because = {}, {}, {}
    find_all_requirements(traces)


def _by_units(one: Operation, other: Operation) -> bool:
    """Whether they are a product and what takes its tile out of L0C, by the unit flag."""
    if isinstance(one, ascend.FixpipeOp):
        one, other = other, one
    if not isinstance(one, ascend.MmadOp) or not isinstance(other, ascend.FixpipeOp):
        return False
    return one.unit is not None and other.unit_flag is not None


def _may_accumulate(op: Operation, target: Target) -> bool:
    """Whether it is a product whose tile is so large that the next one may add to it without a barrier."""
    if not isinstance(op, ascend.MmadOp):
        return False
    (rows, _), (columns, _) = range_of(op.m), range_of(op.n)  # fewer where a last tile is
    return min(rows, columns) > 0 and ceil(rows / 16) * ceil(columns / 16) >= target.cube.accumulate_overlap
