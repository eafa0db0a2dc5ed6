"""The traces of a kernel that its synchronisation must order."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from math import prod

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import memref_type, space_of
from ...dialects.target_types import Target
from ...dialects.walked import ops_inside
from ..support.errors import LocatedError
from .dependences import find_all_requirements
from .operands import root_of, write_of
from .part_lengths import LENGTHS
from .trace_facts import Facts
from .trace_sizes import AtSize, telling_sizes
from .trace_steps import Access, Instance
from .tracer import Tracer, varies
from .view_offsets import KnownNotes, view_numbers

_Make = Callable[..., Tracer]
"""A trace of the kernel, by what tells it from the others."""


def trace_kernel(
    kernel: ascend.KernelOp,
    target: Target,
    trips: int,
    addresses: Mapping[Operation, tuple[int, ...]] | None = None,
) -> list[Tracer]:
    """The traces that a kernel's flags must order, with what their instructions require: at every size at which the
    loops of a dynamic kernel turn out differently those of `_trace`, and of cores that touch other bytes; at the
    largest one also those in which conditions hold, or do not, that do so on few tiles, also several times in a row.
    Where Vector cores take the steps of a loop in turns, so many more trips are looked at. `addresses` are those of the
    buffers' slots, where they are not those of the program. `LocatedError` at an op whose number nobody
    knows."""
    try:
        return _traces(kernel, target, trips, addresses)
    except KeyError as missing:
        unknown = [op for op in ops_inside(kernel.body) if missing.args[0] in map(id, op.results)]
        if not unknown:
            raise
        raise LocatedError(
            unknown[0], f"{unknown[0].name}: synchronisation does not know what number it gives"
        ) from missing


def _traces(
    kernel: ascend.KernelOp,
    target: Target,
    trips: int,
    addresses: Mapping[Operation, tuple[int, ...]] | None,
) -> list[Tracer]:
    loops = [op for op in ops_inside(kernel.body) if isinstance(op, scf.ForOp)]
    turns = target.vectors_beside if kernel.core_kind == "aiv" and any(map(_in_turns, loops)) else 1
    trips *= turns
    facts, moving = Facts(kernel), _moving(kernel)
    facts.whole = _of_filled(kernel, moving)
    moving -= facts.whole
    sizes = telling_sizes(kernel, trips, turns)
    largest = sizes[-1]
    another = partial(
        Tracer, kernel, target, trips, numbers=largest.numbers, addresses=addresses, facts=facts
    )
    make = another().trace
    counts = _Counts(partial(another, counting=True, moving=moving), largest.numbers)
    traces: list[Tracer] = []
    for size in sizes:
        found = _trace(kernel, make, trips, loops, size, another if size is largest else None)
        if traces:  # at another size
            found = [trace for trace in found if all(_touched(trace) != _touched(known) for known in traces)]
        traces += found
    if moving:
        traces += _elsewhere(make, traces, sizes, counts)
    conditions = [op for op in ops_inside(kernel.body) if isinstance(op, scf.IfOp)]
    # a loop that makes no trip for some tiles is a condition, too
    sometimes = [*conditions, *(loop for loop in loops if varies(loop) and _inside(loop))]
    if sometimes:
        # what a condition that holds again does follows what it did before
        held = [trace.taken for trace in traces]
        traces += _more_often(held, sometimes, counts.taken, trips, make, largest)
        # a flag inside one that does not hold is not set, and a slot comes round again without it
        skipped = [trace.skipped for trace in traces]
        traces += _more_often(skipped, sometimes, counts.skipped, trips, make, largest)
    rare = set[Operation](conditions)
    rare -= set[Operation]().union(*(trace.taken for trace in traces))
    if rare:
        traces.append(make(forced=frozenset(rare), numbers=largest.numbers))
    if facts.parts:
        traces += [another(shift=n).walk() for n in range(1, len(LENGTHS))]
    find_all_requirements(traces)
    return traces


def _touched(trace: Tracer) -> list[tuple[Operation, tuple[Access, ...]]]:
    """Instructions and what they touch, in the order in which the core executes them."""
    return [(instance.op, instance.accesses) for instance in trace.instances]


def _trace(
    kernel: ascend.KernelOp,
    make: _Make,
    trips: int,
    loops: Sequence[scf.ForOp],
    size: AtSize,
    another: _Make | None,
) -> list[Tracer]:
    """The traces at one size: of the first core, of the last one if it makes fewer trips, at the largest size, for
    which `another` gives tracers, of cores whose inner loops are longer, and one in which they are short, if their
    bounds vary from tile to tile."""
    numbers = size.numbers
    traces = [make(numbers=numbers)]
    cores = size.blocks
    # the Vector cores beside one Cube core share its tiles: they do not do the same
    others = {1, cores - 2} if kernel.core_kind == "aiv" else set[int]()
    shared = next((loop for loop in loops if varies(loop)), None)
    if cores > 1 and shared is not None and not isinstance(shared.parent_op(), scf.ForOp):
        others.add(cores - 1)
    for core in sorted(c for c in others if 0 < c < cores):
        trace = make(core=core, numbers=numbers)
        if all(_ops(trace) != _ops(known) for known in traces):
            traces.append(trace)
    inner = [loop for loop in loops if varies(loop) and loop is not shared]
    if inner:
        longer = [] if another is None else _longer(another(counting=True), trips, inner, traces, size)
        traces += [make(core=c, numbers=numbers) for c in longer]
        traces.append(make(short=True, numbers=numbers))
    if not traces[0].complete:
        known = {pair for trace in traces for pair in _gm_dependences(trace)}
        edges = make(edges=True, numbers=numbers)
        if not _gm_dependences(edges) <= known:
            traces.append(edges)
    return traces


class _Counts:
    """How often conditions held, and did not in a row, on each core at the largest size, which has these `numbers`:
    counted when it is asked for, or was counted anyway. `make` gives what counts."""

    def __init__(self, make: Callable[[], Tracer], numbers: Sequence[int]):
        self._make, self._numbers = make, numbers
        self._known: dict[int, tuple[Counter[Operation], Counter[Operation]]] = {}

    @cached_property
    def tracer(self) -> Tracer:
        return self._make()

    def taken(self, core: int) -> Counter[Operation]:
        return self._of(core)[0]

    def skipped(self, core: int) -> Counter[Operation]:
        return self._of(core)[1]

    def _of(self, core: int) -> tuple[Counter[Operation], Counter[Operation]]:
        if core not in self._known:
            self.recount(core)
        return self._known[core]

    def recount(self, core: int) -> Tracer:
        """All that is counted on a core."""
        found = self.tracer.recount(core, False, True, self._numbers)
        self._known[core] = found.taken.copy(), found.skipped.copy()
        return found


def _more_often(
    known: Sequence[Counter[Operation]],
    conditions: Sequence[Operation],
    on: Callable[[int], Counter[Operation]],
    trips: int,
    make: _Make,
    size: AtSize,
) -> list[Tracer]:
    """Traces of cores that count more for a condition than those whose counts are `known`, up to `trips`."""
    most = {op: max(counts[op] for counts in known) for op in conditions}
    found: list[Tracer] = []
    for core in reversed(range(size.blocks)):
        if min(most.values()) >= trips:
            break
        counts = on(core)
        if any(counts[op] > most[op] < trips for op in conditions):
            found.append(make(core=core, edges=True, numbers=size.numbers))
            most = {op: max(times, counts[op]) for op, times in most.items()}
    return found


def _inside(op: Operation) -> bool:
    """Whether an op is in a loop."""
    around = op.parent_op()
    return around is not None and (isinstance(around, scf.ForOp) or _inside(around))


def _in_turns(loop: scf.ForOp) -> bool:
    """Whether a loop in another one makes one trip or none, by where it starts."""
    constant = isinstance(loop.ub.owner, arith.ConstantOp) and not isinstance(loop.lb.owner, arith.ConstantOp)
    around = loop.parent_op()
    while isinstance(around, scf.IfOp):
        around = around.parent_op()
    return constant and isinstance(around, scf.ForOp)


def _ops(trace: Tracer) -> list[Operation]:
    """The instructions in the order in which the core executes them."""
    return [instance.op for instance in trace.instances]


def _moving(kernel: ascend.KernelOp) -> frozenset[SSAValue]:
    """Views of buffers that lie elsewhere on other cores."""
    known: dict[SSAValue, bool] = {}

    def follows(number: SSAValue) -> bool:
        if number not in known:
            known[number] = _follows_core(number, set())
        return known[number]

    return frozenset(
        value
        for op in ops_inside(kernel.body)
        if isinstance(op, ascend.VecOp | ascend.TransposeOp | ascend.CopyOp)
        for value in op.operands
        if _on_chip(value) and any(map(follows, view_numbers(value)))
    )


def _of_filled(kernel: ascend.KernelOp, moving: frozenset[SSAValue]) -> frozenset[SSAValue]:
    """Views that move in buffers of which every instruction that writes them writes all."""
    parts = set[SSAValue]()
    for op in ops_inside(kernel.body):
        if ascend.is_instruction(op) and not _is_whole(write_of(op)):
            parts.add(root_of(write_of(op)))
    roots = {view: root_of(view) for view in moving}
    return frozenset(
        v for v, root in roots.items() if isinstance(root.owner, ascend.BufferOp) and root not in parts
    )


def _is_whole(view: SSAValue) -> bool:
    """Whether a view of a buffer shows all of it."""
    owner = view.owner
    assert isinstance(owner, ascend.ViewOp), "instructions work on views"
    sizes, elements = owner.mixed_sizes(), memref_type(owner.base).element_count()
    plain = owner.offset is None and not owner.start.value.data and all(isinstance(n, int) for n in sizes)
    return plain and prod(n for n in sizes if isinstance(n, int)) == elements


def _elsewhere(
    make: _Make, traces: Sequence[Tracer], sizes: Sequence[AtSize], largest: _Counts
) -> list[Tracer]:
    """Traces of cores whose instructions meet other parts of their buffers than those in `traces`: where a tile begins
    in the padding of an image, or ends with the tensor, what is inside it lies elsewhere than in a tile that does not,
    and it has a border. `largest` counts at the last one of `sizes`."""
    count, notes = largest.tracer.recount, KnownNotes()
    for trace in traces:
        notes.add(count(trace.core, trace.short, trace.edges, trace.numbers).notes)
    found: list[Tracer] = []
    for size in reversed(sizes):
        for core in range(size.blocks):
            at_largest = size is sizes[-1]
            run = largest.recount(core) if at_largest else count(core, False, True, size.numbers)
            # what is empty on other cores, or ends earlier, may meet what it does not meet there
            if not notes.hold(run.notes):
                found.append(make(core, edges=True, numbers=size.numbers))
                notes.add(run.notes)
    return found


def _on_chip(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType) and space_of(memref_type(value)) != "gm"


def _follows_core(value: SSAValue, seen: set[SSAValue]) -> bool:
    """Whether an index depends on which core runs the program, directly or by the loop over the core's tiles."""
    if value in seen:
        return False
    seen.add(value)
    owner = value.owner
    if isinstance(owner, ascend.BlockIdxOp):
        return True
    if isinstance(owner, Block):
        loop = owner.parent_op()
        return isinstance(loop, scf.ForOp) and any(_follows_core(v, seen) for v in (loop.lb, loop.ub))
    if isinstance(owner, ascend.NextSlotOp | ascend.PreviousSlotOp):
        return False
    return any(_follows_core(operand, seen) for operand in owner.operands)


def _longer(
    every: Tracer, trips: int, loops: Sequence[scf.ForOp], traces: Sequence[Tracer], size: AtSize
) -> list[int]:
    """Cores whose `loops` make more trips than in `traces`, where those were too few to use every slot again; `every`
    counts."""
    enough = trips + 2
    most = {loop: max(trace.longest.get(loop, 0) for trace in traces) for loop in loops}
    cores: dict[scf.ForOp, int] = {}
    for core in range(size.blocks):
        if min(most.values()) >= enough:
            break
        counted = every.recount(core).longest
        for loop in loops:
            if counted.get(loop, 0) > most[loop] < enough:
                most[loop], cores[loop] = counted[loop], core
    return sorted(set(cores.values()))


def _gm_dependences(trace: Tracer) -> set[tuple[Operation, Operation, int]]:
    """Writer, next one to touch its blocks, and their distance if they are on one pipe, of tensors in GM."""
    found: set[tuple[Operation, Operation, int]] = set()
    past: list[tuple[Instance, Access]] = []
    for instance in trace.instances:
        here = [access for access in instance.accesses if access.buffer is None]
        for access in here:
            for other, theirs in reversed(past):
                if (
                    theirs.space == access.space
                    and theirs.mask & access.mask
                    and (theirs.write or access.write)
                ):
                    same = other.pipe == instance.pipe
                    found.add((other.op, instance.op, instance.number - other.number if same else 0))
                    break
        past += [(instance, access) for access in here]
    return found
