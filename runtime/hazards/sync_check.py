"""Whether flags and barriers order the kernels of a launch: checked on the program as it stands, for a few trips of
each loop.

Nothing here knows how they were chosen. Kernels are decoded, and their instructions resolved with the bytes that they
touch, as for a run. Flags, barriers and the order of each pipe say what happens before what in a core (races.py), flags
between cores and the memories where cores meet in a group (group_order.py). Of a longer loop the first trips run and
the last one: by then the slots of buffers come round, and a flag that is up or down at the wrong time shows where the
next trip sets it or waits for it. Where trips that are left out would have changed that, all of them run. Values are
left out.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice

from xdsl.dialects import scf

from ...dialects.ascend import CROSS_CORE, BufferOp, KernelOp
from ...dialects.ascend.memory import space_of
from ...dialects.dynamic import is_dynamic
from ...dialects.element_types import BLOCK_BYTES
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.walked import ops_inside, walked
from ..decode.decode import Chosen, decode
from ..decode.resolve import Resolver
from ..poison.written import Unchecked
from ..program.instruction import (
    BARRIER,
    BARRIER_ALL,
    CROSS_SET,
    CROSS_WAIT,
    GM,
    LOCAL,
    SCALAR,
    SET,
    STEP,
    UNIT,
    WAIT,
    Instruction,
)
from ..program.kernel_program import KernelProgram
from ..support.hazard import HazardError
from .core_errors import outside
from .group_order import GroupOrder, Member, everywhere
from .races import AccessTable, CoreRaces
from .stream_races import late_hazard

_ENDLESS = 1 << 40
"""Bytes of a tensor whose size is not known."""


@dataclass(frozen=True)
class Together:
    """Kernels that a launch runs at the same time: one, or that of the Cube cores and that of the Vector cores beside
    them. `tensors`: for each argument a number, equal where the launch gives them one tensor, and `starts` the byte at
    which it begins there, where that is not the first. `addresses`: where arguments start that are buffers of the
    group."""

    kernels: tuple[KernelOp, ...]
    tensors: tuple[int, ...]
    starts: Mapping[int, int] = field(default_factory=dict[int, int])
    addresses: Mapping[int, int] = field(default_factory=dict[int, int])


@dataclass(frozen=True)
class Cores:
    """The numbers that a launch takes beside tensors, and the block indices to look at: of the Cube cores where there
    are two kernels."""

    numbers: Sequence[int]
    blocks: Collection[int]


def check_sync(together: Together, target: Target, launches: Iterable[Cores]) -> None:
    """`HazardError` where two instructions that touch the same bytes are in no order, or where a flag is set twice,
    waited for in vain, or left up. Cores of different groups are in no order, and not compared."""
    chosen = [*(_Few(together, target, *one).of for one in ((0, 0), (1, 0), (0, AHEAD))), None]
    checks: dict[int, _Check] = {}
    fit = 0
    """Which of the few trips belonged together the last time."""
    for launch in launches:
        for block in launch.blocks:
            for attempt in sorted(range(len(chosen)), key=lambda one: one != fit):
                trips = chosen[attempt]
                if attempt not in checks:
                    checks[attempt] = _Check(together, target, trips)
                try:
                    checks[attempt].group(launch.numbers, block)
                except HazardError:
                    if trips is None:
                        raise
                else:
                    fit = fit if trips is None else attempt
                    break


AHEAD = 2
"""Trips more that Vector cores make which are two tiles ahead."""


class _Few:
    """How many trips of each loop are looked at: two more than a buffer has slots. Vector cores may take steps in
    turns, then so many times more; so does a Cube core in loops in which it meets them. An even number is left out: of
    loops of n and n + 1 trips that belong together as many, with the `spare` trip 0 or 1; of n and n + `ahead` where
    the Vector cores' loop over tiles is that much longer."""

    def __init__(self, together: Together, target: Target, spare: int, ahead: int):
        self.beside, self.spare, self.ahead = target.vectors_beside, spare, ahead
        self.slots = max(_slots(kernel) for kernel in together.kernels)

    def of(self, loop: scf.ForOp) -> Callable[[int, int, int], Iterable[int]]:
        kernel: object = loop
        while not isinstance(kernel, KernelOp):
            assert isinstance(kernel, scf.ForOp | scf.IfOp)
            kernel = kernel.parent_op()
        meets = kernel.core_kind == "aiv" or any(isinstance(op, CROSS_CORE) for op in walked(loop))
        ahead = self.ahead if kernel.core_kind == "aiv" and loop.parent_op() is kernel else 0
        most = (self.slots + 2) * (self.beside if meets else 1) + self.spare + ahead

        def chosen(start: int, end: int, step: int) -> Iterator[int]:
            every = range(start, end, step)
            left_out = max((len(every) - most) // 2 * 2, 0)
            if not left_out:
                yield from every
            else:
                yield from every[: -left_out - 1 - ahead]
                yield from every[-1 - ahead :]

        return chosen


def _slots(kernel: KernelOp) -> int:
    return max((b.slot_count for b in ops_inside(kernel.body) if isinstance(b, BufferOp)), default=1)


class _Kernel:
    """One of the kernels, decoded."""

    def __init__(self, kernel: KernelOp, target: Target, addresses: Mapping[int, int], trips: Chosen | None):
        arguments = list(enumerate(kernel.tensors))
        groups = {i: addresses.get(i, 0) for i, argument in arguments if space_of(argument) != "gm"}
        dynamic = {i: _ENDLESS for i, argument in arguments if is_dynamic(argument.type)}
        self.program: KernelProgram = decode(kernel, groups, dynamic, trips)
        self.resolver, self.table = Resolver(self.program, target), AccessTable(target)
        self.writes = {s.operands[s.gm].argument for s in self.program.sites if s.stores}

    def items(self, numbers: Sequence[int], block: int) -> list[tuple[Instruction, int]]:
        """What the core with a block index executes."""
        resolver = self.resolver
        return list(self.program.start(block, numbers, resolver.gets, resolver.new, _first, _nothing))


_Items = Sequence[tuple[Instruction, int]]
"""A stream: instructions, and the offset in GM of those that have one."""


class _Check:
    """The check for groups of one launch, whose loops run the `trips` that are chosen."""

    def __init__(self, together: Together, target: Target, trips: Chosen | None):
        self.target, self.together, self.tensors = target, together, together.tensors
        self.kernels = [_Kernel(k, target, together.addresses, trips) for k in together.kernels]
        self.written = frozenset(self.tensors[i] for kernel in self.kernels for i in kernel.writes)
        self._seen: set[tuple[int, ...]] = set()

    def group(self, numbers: Sequence[int], block: int) -> None:
        """Check the group of a block index, if none did the same before."""
        beside = self.target.vectors_beside
        first, *others = self.kernels
        cores = [(first, block), *((k, block * beside + i) for k in others for i in range(beside))]
        running: list[_Core] = []
        for kernel in self.kernels:
            kernel.table.cores.clear()
        order = GroupOrder(self.target, [], self.written)
        for position, (kernel, index) in enumerate(cores):
            try:
                items = kernel.items(numbers, index)
            except HazardError as error:
                raise error.located(kernel.program.name, index) from None
            races = CoreRaces(kernel.table, Unchecked(), len(cores))
            order.members.append(Member(position, len(cores), races))
            running.append(_Core(kernel.program.name, index, items, order.members[-1], order, self.together))
        same, inside = self._did([core.items for core in running])
        if inside and same in self._seen:
            return
        while any(core.advance() for core in running):
            pass
        for core in running:
            core.finish()
        for member, instruction in order.left():
            reason = f"the kernel ends with cross-core flag {instruction.event} up"
            core = running[member.position]
            error = HazardError("flag-left-set", reason, instructions=(instruction.site.reference(),))
            raise error.located(core.kernel, core.index)
        self._seen.add(same)

    def _did(self, streams: Iterable[_Items]) -> tuple[tuple[int, ...], bool]:
        """What the cores of a group do, the same for groups that work elsewhere in tensors; and whether all of it is
        inside of these. Whether bytes meet says the distance of two offsets; of tensors that nobody writes nothing
        does."""
        found: list[int] = []
        bases: dict[int, int] = {}
        inside = True
        for items in streams:
            found.append(-1)
            for instruction, offset in items:
                found.append(instruction.id)
                use = instruction.gm
                if use is None:
                    continue
                inside = inside and 0 <= offset <= use.max_offset and not offset % use.align
                tensor = self.tensors[use.argument]
                if tensor in self.written:
                    offset += self.together.starts.get(use.argument, 0)
                    base = bases.setdefault(tensor, offset // BLOCK_BYTES * BLOCK_BYTES)
                    found.append(offset - base)
        return tuple(found), inside


@dataclass
class _Core:
    """A core on its way: its kernel and block index, and how many of its `items` are behind it."""

    kernel: str
    index: int
    items: _Items
    member: Member
    order: GroupOrder
    together: Together
    done: int = 0

    def advance(self) -> bool:
        """Go on as far as flags of the cores beside let it; whether there was anything to do."""
        start, items, races = self.done, self.items, self.member.races
        grouped = len(self.order.members) > 1
        try:
            for instruction, offset in islice(items, start, None):
                if instruction.kind == LOCAL and not (instruction.unit or (grouped and instruction.meetings)):
                    races.execute(instruction)
                elif not self._execute(instruction, offset, grouped):
                    break
                self.done += 1
        except HazardError as error:
            raise error.located(self.kernel, self.index) from None
        return self.done > start

    def finish(self) -> None:
        """What is wrong with the core if it comes no further."""
        error = late_hazard(self.member.races)
        if self.done < len(self.items):
            error = _in_vain(self.items[self.done][0])
        if error is not None:
            raise error.located(self.kernel, self.index)

    def _execute(self, instruction: Instruction, offset: int, grouped: bool) -> bool:
        """One instruction in program order; False where it waits for another core. `grouped`: there are some."""
        kind, races, order = instruction.kind, self.member.races, self.order
        if kind == UNIT or instruction.unit:
            if not races.unit_flag(instruction):
                raise _in_vain(instruction)
        elif kind in (LOCAL, GM, STEP):
            races.execute(instruction)
        elif kind == SET:
            races.set_flag(instruction)
        elif kind == WAIT:
            if instruction.flag not in races.raised:
                raise _in_vain(instruction)
            races.wait_flag(instruction)
            if instruction.pipe == SCALAR:
                everywhere(races)
        elif kind == BARRIER:
            races.barrier(instruction.pipe)
        elif kind == BARRIER_ALL:
            races.barrier_all()
        elif kind == CROSS_SET and grouped:
            order.set(self.member, instruction)
        elif kind == CROSS_WAIT and grouped:
            return order.wait(self.member, instruction)
        if kind == GM:
            use = instruction.gm
            assert use is not None
            if not 0 <= offset <= use.max_offset or offset % use.align:
                raise outside(instruction, offset)
            offset += self.together.starts.get(use.argument, 0)
            order.tensor(self.member, self.together.tensors[use.argument], use, offset, instruction)
        if instruction.meetings and grouped and kind in (LOCAL, GM, UNIT):
            order.buffers(self.member, instruction)
        return True


_LENGTHS = ((0, 1), (3, 1), (0, 0), (0, 0), (1, 0), (0, 3), (2, 1), (1, 1))
"""Lengths of parts that numbers in a tensor cut: steps in which they are walked, and elements more."""


def _first(argument: int, position: int, size: int, site: int, parts: int, step: int) -> int:
    """An index that a kernel takes from a tensor; parts are long, short and empty in turn, again from the start where
    the elements are used up."""
    if not parts:
        return 0
    begins = [0]
    for steps, more in _LENGTHS:
        begins.append(begins[-1] + steps * step + more)
    *begins, period = begins
    fitting = (size - 1) // period * len(begins) + sum(at <= (size - 1) % period for at in begins)
    rounds, number = divmod(position % fitting, len(begins))
    return rounds * period + begins[number]


def _nothing(argument: int, at: int, dtype: str, site: int) -> int:
    """A number that the scalar unit reads."""
    return 0


def _in_vain(instruction: Instruction) -> HazardError:
    reason = "the core waits for a flag that nothing before it sets"
    return HazardError("deadlock", reason, instructions=(instruction.site.reference(),))
