"""A kernel's program, run for a few trips of each loop: which instruction touches which bytes, in program order.

Synchronisation is decided and checked on this trace. Three trips, the last one among them, show every dependence that
buffers with up to two slots can carry; more slots take more trips. Where a loop walks parts of a buffer, the trips that
are left out count as one trip that touches all of their parts. Bytes are bit masks of 32 B blocks, so that
interleaved strided accesses that share no block do not conflict.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import space_of
from ...dialects.target_types import PIPES, Target
from .counted import Counted
from .index_arithmetic import COMPUTED, function_of
from .loop_edges import Calculation, given_to
from .part_lengths import part_begins
from .trace_facts import Facts
from .trace_steps import Access, Instance, Step
from .view_offsets import ViewNotes


class Tracer:
    """Runs one kernel for at most `trips` trips of each loop, as one core. With `short`, inner loops whose bounds vary
    make one trip only, as they do for some tiles. With `edges`, loops also run the trips around each kind of step from
    one trip to the next: where a row of tiles ends, where the last tile is moved back into the tensor. The conditions
    in `forced` always hold. With `counting`, only trips are counted, and `notes` made of the views in `moving`:
    instructions leave no trace. `numbers` are the kernel's arguments that its tiling function gives. Buffers lie at
    `addresses`; without them where memory planning has put them. `facts` are the kernel's, where they are known. Parts
    that numbers in a tensor cut have the lengths of `part_lengths` in turn, beginning with number `shift`."""

    def __init__(
        self,
        kernel: ascend.KernelOp,
        target: Target,
        trips: int = 3,
        core: int = 0,
        short: bool = False,
        edges: bool = False,
        forced: frozenset[Operation] = frozenset(),
        counting: bool = False,
        moving: frozenset[SSAValue] = frozenset(),
        numbers: Sequence[int] = (),
        addresses: Mapping[Operation, tuple[int, ...]] | None = None,
        facts: "Facts | None" = None,
        shift: int = 0,
    ):
        self.addresses = addresses
        self.forced, self.counting = forced, counting
        self.longest: dict[Operation, int] = {}
        """Most trips that each loop would make at once."""
        self.moving, self.notes = moving, ViewNotes()
        self.taken = Counter[Operation]()
        """How often each condition held, and each loop made trips."""
        self.skipped = Counter[Operation]()
        """How often in a row each condition did not hold, or a loop made no trip, at most."""
        self._row = Counter[Operation]()
        self.shift = shift
        self.target, self.trips, self.core, self.short, self.edges = target, trips, core, short, edges
        self.kernel = kernel
        self.steps: list[Step] = []
        self.instances: list[Instance] = []
        facts = facts or Facts(kernel)
        # an index says where in a tensor that the kernel does not write
        self._values: dict[int, int] = dict.fromkeys(facts.loaded, 0)
        """What each value is now: a value by its `id`, which is cheap to look up."""
        self._take(numbers)
        self._slots: dict[Operation, int] = {}
        self._indices: list[int] = []
        """The core's number, where the program asks for it."""
        self._counts = [0] * len(PIPES)
        self._loops: list[tuple[Operation, int]] = []
        self._code: dict[Block, list[Callable[[], None]]] = {}
        self._calculations: dict[Operation, list[Calculation]] = {}
        self.complete = True
        """Whether every trip of every loop was run."""
        self._record: dict[Operation, Callable[[tuple[Access, ...]], None]] = {}
        self._union: dict[Operation, list[Access]] | None = None
        self._facts = facts
        self._counted = Counted(kernel, moving) if counting else None

    def _take(self, numbers: Sequence[int]) -> None:
        self.numbers = tuple(numbers)
        self._values |= zip(map(id, self.kernel.numbers), self.numbers, strict=True)

    def walk(self) -> "Tracer":
        """Collect steps and instances, without what they require."""
        self._block(self.kernel.body.block)
        return self

    def recount(
        self, core: int, short: bool = False, edges: bool = False, numbers: Sequence[int] | None = None
    ) -> "Tracer":
        """What is counted, anew, of another core; `numbers`: where they are others."""
        assert self.counting
        self.short, self.edges = short, edges
        for found in (self.longest, self.notes, self.taken, self.skipped, self._row):
            found.clear()
        return self._again(core, self.numbers if numbers is None else numbers)

    def trace(
        self,
        core: int = 0,
        short: bool = False,
        edges: bool = False,
        forced: frozenset[Operation] = frozenset(),
        numbers: Sequence[int] = (),
    ) -> "Tracer":
        """Another trace of the kernel: what its ops do is looked up for all of them once."""
        self.short, self.edges, self.forced = short, edges, forced
        self.longest, self._row = {}, Counter[Operation]()
        self.taken, self.skipped = Counter[Operation](), Counter[Operation]()
        self.instances.clear()
        self._counts[:] = [0] * len(PIPES)
        found = copy(self._again(core, numbers))
        found.steps, found.instances = self.steps.copy(), self.instances.copy()
        return found

    def _again(self, core: int, numbers: Sequence[int]) -> "Tracer":
        self.core, self.complete = core, True
        self._values |= dict.fromkeys(self._indices, core)
        self._take(numbers)
        self.steps.clear()
        self._slots.clear()
        return self.walk()

    def _block(self, block: Block) -> None:
        code = self._code.get(block)
        if code is None:
            code = self._code[block] = self._actions(block)
        for action in code:
            action()

    def _actions(self, block: Block) -> list[Callable[[], None]]:
        """What the ops of a block do; index arithmetic in a row is one action, and so are notes of views."""
        values = self._values
        found: list[Callable[[], None]] = []
        computed: list[Calculation] = []
        noted: list[Sequence[SSAValue]] = []

        def calculate(those: Sequence[Calculation]) -> None:
            for compute, a, b, result in those:
                values[result] = compute(values[a], values[b])

        def finish() -> None:
            found.extend([partial(calculate, computed.copy())] if computed else ())
            found.extend([self.notes.noting(noted.copy(), values)] if noted else ())
            computed.clear()
            noted.clear()

        counted = self._counted
        for op in block.ops:
            if op.name in COMPUTED:
                if counted is None or id(op.results[0]) in counted.values:
                    computed.append(_calculation(op))
                continue
            if counted is not None and ascend.is_instruction(op):
                moving = [value for value in op.operands if value in self.moving]
                noted += [moving] if moving else []
                continue
            action = self._action(op)
            if action is not None:
                finish()
                found.append(action)
        finish()
        return found

    def _action(self, op: Operation) -> Callable[[], None] | None:
        """What an op does, with everything that does not vary looked up once."""
        values, steps = self._values, self.steps
        if op.name == ascend.ViewOp.name:
            return None
        if isinstance(op, scf.ForOp):
            body = op.body.block
            special, walks = self._facts.loop(op)
            bounds = id(op.lb), id(op.ub), id(op.step)
            return partial(self._loop, op, body, bounds, not self.counting and walks, special)
        if isinstance(op, ascend.NextSlotOp | ascend.PreviousSlotOp):
            needed = self._counted is None or id(op.result) in self._counted.values
            return self._slot_action(op) if needed else None
        if ascend.is_instruction(op):
            return self._instruction_action(op)
        if isinstance(op, arith.ConstantOp):
            values[id(op.result)] = op.value.value.data if isinstance(op.value, IntegerAttr) else 0
            return None
        if isinstance(op, ascend.LoadIndexOp) and op.part_count:
            if self._counted is not None and id(op.result) not in self._counted.values:
                return None
            at, place, begin = id(op.at), id(op.result), part_begins(op, self.shift)
            return lambda: values.__setitem__(place, begin(values[at]))
        if isinstance(op, ascend.BlockIdxOp):
            values[id(op.result)] = self.core
            self._indices.append(id(op.result))
            return None
        if isinstance(op, scf.IfOp):
            condition, branch = id(op.cond), op.true_region.block

            def choose() -> None:
                if self._count(op, bool(values[condition] or op in self.forced)):
                    self._block(branch)

            def choose_in_steps() -> None:
                steps.append(Step("enter", op))
                choose()
                steps.append(Step("exit", op))

            return choose if self.counting else choose_in_steps
        return None

    def _count(self, op: Operation, runs: bool) -> bool:
        """Count whether a condition holds, or a loop makes trips."""
        if runs:
            self.taken[op] += 1
            self._row[op] = 0
        else:
            self._row[op] += 1
            self.skipped[op] = max(self.skipped[op], self._row[op])
        return runs

    def _slot_action(self, op: ascend.NextSlotOp | ascend.PreviousSlotOp) -> Callable[[], None]:
        buffer, result = op.buffer.owner, id(op.result)
        assert isinstance(buffer, ascend.BufferOp)
        slots, advance = buffer.slot_count, isinstance(op, ascend.NextSlotOp)
        counts, values, steps, counting = self._slots, self._values, self.steps, self.counting

        def choose() -> None:
            count = counts.get(buffer, 0)
            if advance:
                counts[buffer] = count + 1
            slot = values[result] = count % slots if advance else (count - 2) % slots
            if not counting:
                steps.append(Step("slot", op, None, slot))

        return choose

    def _instruction_action(self, op: Operation) -> Callable[[], None]:
        pipe, reads, written = self._facts.instruction(op, self.target)
        operands = [self._operand(v, False) for v in reads] + [self._operand(written, True)]
        if isinstance(op, ascend.MmadOp):
            operands.append(self._operand(op.acc, False))
            if op.bias is not None:
                operands[2] = self._at_first(op, operands[2])
        evaluate = [o for o in operands if o is not None]
        counts, instances, steps = self._counts, self.instances, self.steps

        def run() -> None:
            if self._union is not None:
                self._union.setdefault(op, []).extend(o() for o in evaluate)
                return
            record(tuple([a for o in evaluate if (a := o()).mask]))

        def record(known: tuple[Access, ...]) -> None:
            counts[pipe] += 1
            instance = Instance(op, pipe, counts[pipe], known, tuple(self._loops))
            instances.append(instance)
            steps.append(Step("run", op, instance))

        self._record[op] = record
        return run

    def _at_first(self, op: ascend.MmadOp, bias: Callable[[], Access] | None) -> Callable[[], Access] | None:
        """The bias of a product, which only the first one of a tile reads."""
        if bias is None:
            return None
        values, init = self._values, id(op.init)
        return lambda: bias() if values[init] else replace(bias(), mask=0)

    def _loop(
        self,
        op: scf.ForOp,
        body: Block,
        bounds: tuple[int, int, int],
        walks: bool,
        special: bool,
    ) -> None:
        values, index = self._values, id(body.args[0])
        lower, upper, step = bounds
        points = range(values[lower], values[upper], values[step])
        self.longest[op] = max(self.longest.get(op, 0), len(points))
        if self._union is not None:
            self._run_union(op, points)
            return
        self._count(op, bool(points))
        if self._counted is None:
            self.steps.append(Step("enter", op))
        elif not self._counted.inside(body):
            return
        ahead = 0
        for trip, at in self._trips(op, points, special):
            if trip > ahead and walks:
                self._loops.append((op, ahead))
                self._skipped(op, points[ahead:trip])
                self._loops.pop()
            ahead = trip + 1
            values[index] = at
            self._loops.append((op, trip))
            self._block(body)
            self._loops.pop()
        if not self.counting:
            self.steps.append(Step("exit", op))

    def _skipped(self, op: scf.ForOp, points: range) -> None:
        """Skipped trips of a loop that walks a buffer's parts, as one trip that touches all that they touch."""
        self._union = {}
        self._run_union(op, points)
        touched, self._union = self._union, None
        self._replay(op.body.block, touched)

    def _replay(self, block: Block, touched: dict[Operation, list[Access]]) -> None:
        """One trip of a block's instructions with the accesses that many trips made."""
        for op in block.ops:
            if isinstance(op, scf.ForOp):
                self.steps.append(Step("enter", op))
                self._loops.append((op, 0))
                self._replay(op.body.block, touched)
                self._loops.pop()
                self.steps.append(Step("exit", op))
            elif op in touched:
                merged: dict[tuple[object, ...], Access] = {}
                for access in touched[op]:
                    key = (access.space, access.write, access.buffer, access.slot)
                    mask = access.mask | (merged[key].mask if key in merged else 0)
                    merged[key] = replace(access, mask=mask)
                self._record[op](tuple(access for access in merged.values() if access.mask))

    def _run_union(self, op: scf.ForOp, points: range) -> None:
        for at in points:
            self._values[id(op.body.block.args[0])] = at
            self._block(op.body.block)

    def _trips(self, op: scf.ForOp, points: range, special: bool) -> list[tuple[int, int]]:
        """The trips that are run: the first ones and the last, two more where a condition tells trips apart
        (`special`)."""
        first, last, count = self.trips - 1 + special, 1 + special, len(points)
        if self.short and self._loops and varies(op):
            return list(enumerate(points[:1]))
        if count <= first + last:
            return list(enumerate(points))
        self.complete = False
        # buffers must be in the slots in which the skipped trips would have left them
        period = max(1, self.trips - 1)
        first += (count - first - last) % period
        if not self.edges:
            return [*enumerate(points[:first]), *enumerate(points[-last:], count - last)]
        run = {*range(first), *range(count - last, count)}
        end = first  # of the trips that are run so far
        for edge in self._edges(op, points):
            if edge >= end:
                begin = max(end, edge - period)
                run |= {*range(begin - (begin - end) % period, edge + 1)}
                end = edge + 1
        run |= {*range(count - last - (count - last - end) % period, count)}
        return [(i, points[i]) for i in sorted(run)]

    def _edges(self, op: scf.ForOp, points: range) -> list[int]:
        """The first trip after each distinct change of the indices and conditions that the loop's body computes."""
        calculations = self._calculations.get(op)
        if calculations is None:
            for inner in op.body.block.ops:
                if isinstance(inner, arith.ConstantOp | ascend.BlockIdxOp):
                    self._action(inner)  # known from here on
            calculations = self._calculations[op] = [
                _calculation(inner) for inner in op.body.block.ops if inner.name in COMPUTED
            ]
        index = id(op.body.block.args[0])
        given = {value: self._values[value] for value in given_to(calculations, index)}
        return self._facts.edges(op, calculations, points, index, given)

    def _operand(self, value: SSAValue, write: bool) -> Callable[[], Access] | None:
        """A function that gives the operand's access now; None for a tensor that the kernel does not write,
        and for a buffer of the group, whose accesses cross-core flags order."""
        view, values = value.owner, self._values
        assert isinstance(view, ascend.ViewOp), "instructions work on views"
        base = view.base
        if isinstance(base, BlockArgument) and (base not in self._facts.written or space_of(base) != "gm"):
            return None
        now = self._facts.operand(view, write, self.addresses).now
        return partial(now, values)


def _calculation(op: Operation) -> Calculation:
    a, b = op.operands
    return function_of(op), id(a), id(b), id(op.results[0])


def varies(loop: scf.ForOp) -> bool:
    """Whether the loop's bounds are not constants."""
    return not all(isinstance(v.owner, arith.ConstantOp) for v in (loop.lb, loop.ub))
