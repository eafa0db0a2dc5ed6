"""Order among the cores of a group that meet: flags between cores, and memories that several of them touch.

Program order of each core will do, as it does for one core: what is in order does not depend on the clock. Flags are
counted. A wait takes the oldest set of every core that it waits for, so the sets of one flag by one core must
themselves be in order.

    cube     execute … set 0 …                      wait 1 …
    vector                     wait 0 … execute … set 1

What a flag hands over is how far the setting pipe knew every pipe of every core to be complete. An access to a shared
memory is in order where its pipe knows each earlier one that touches the same bytes, one of the two a write.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.records import dataclass
from ...dialects.target_types import PIPES, Target
from ..machine.memory import SELF, block_bits
from ..machine.memory_system import Pattern
from ..program.instruction import SCALAR, GmUse, Instruction
from ..support.hazard import HazardError, Kind
from .races import CoreRaces

_PIPES = len(PIPES)

Place = tuple[int, str]
"""A shared memory: the position of the core that owns it and its space, or the number of a tensor and "gm"."""


@dataclass(frozen=True, slots=True)
class _Bytes:
    """The bytes of one access: blocks as bits, or bursts from an offset on."""

    low: int
    high: int
    bits: int = 0
    pattern: Pattern | None = None

    def meets(self, other: "_Bytes", unit: int) -> bool:
        if self.high <= other.low or other.high <= self.low:
            return False
        mine, theirs = self.pattern, other.pattern
        if mine is None or theirs is None:
            return bool(self.bits & other.bits)
        if mine.bursts > theirs.bursts:
            return other.meets(self, unit)
        return overlap(mine, theirs, other.low - self.low, self.low % unit, unit)


@lru_cache(maxsize=4096)
def overlap(one: Pattern, other: Pattern, distance: int, phase: int, unit: int) -> bool:
    """Whether two accesses share a unit of so many bytes: the second begins `distance` bytes behind the first, which
    begins `phase` bytes into one."""
    for i in range(one.bursts):
        begin = phase + i * one.stride
        first = begin // unit * unit - phase - distance
        last = -(-(begin + one.burst) // unit) * unit - phase - distance
        # bursts k of the other with k * stride < last and k * stride + burst > first
        if other.bursts == 1:
            if first < other.burst and last > 0:
                return True
            continue
        low = max((first - other.burst) // other.stride + 1, 0)
        high = min(-(-last // other.stride), other.bursts)
        if low < high:
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Access:
    number: int
    """Of the instruction, on its pipe."""
    bytes: _Bytes
    instruction: Instruction


@dataclass(slots=True)
class Member:
    """One core of a group: `position` in it, 0 the Cube core. What it knows is of its own pipes first, then of those
    of the others in order."""

    position: int
    cores: int
    races: CoreRaces
    sets: dict[tuple[int, int], deque[tuple[list[int], Instruction]]] = field(
        default_factory=dict[tuple[int, int], deque[tuple[list[int], Instruction]]]
    )
    """By event and sender, sets that this core has not waited for: what they hand over."""
    latest: dict[int, tuple[int, int, Instruction]] = field(
        default_factory=dict[int, tuple[int, int, Instruction]]
    )
    """By event, this core's last set: its pipe and its number there."""

    @property
    def order(self) -> list[int]:
        """Positions of the cores that this one knows of."""
        return [self.position, *(i for i in range(self.cores) if i != self.position)]

    def of(self, core: int) -> int:
        """Where the pipes of a core begin in what this one knows."""
        if core == self.position:
            return 0
        return _PIPES * (core + (core < self.position))


@dataclass(slots=True)
class GroupOrder:
    """Cores of one group that run together; with one member, those accesses to GM that its own pipes must order."""

    target: Target
    members: list[Member]
    written: frozenset[int]
    """Tensors that a core of the group writes; the others are of no matter."""
    past: dict[Place, dict[tuple[int, int, bool | str], list[_Access]]] = field(
        default_factory=dict[Place, dict[tuple[int, int, bool | str], list[_Access]]]
    )

    def peers(self, member: Member) -> Sequence[Member]:
        """Whom a core sets and waits for: a Cube core its Vector cores, these their Cube core."""
        return self.members[1:] if member.position == 0 else self.members[:1]

    def set(self, member: Member, instruction: Instruction) -> None:
        """Count up a flag of the peers."""
        known, event, pipe = member.races.cross_set(instruction), instruction.event, instruction.pipe
        before = member.latest.get(event)
        if before is not None and known[before[0]] < before[1]:
            reason = (
                f"cross-core flag {event} is set twice in no order, so that a wait cannot tell which is meant"
            )
            raise _error("flag-set-twice", reason, before[2], instruction)
        member.latest[event] = pipe, known[pipe], instruction
        assert self.target.cross is not None
        for peer in self.peers(member):
            waiting = peer.sets.setdefault((event, member.position), deque())
            theirs = [k for core in peer.order for k in known[member.of(core) :][:_PIPES]]
            waiting.append((theirs, instruction))
            if len(waiting) > self.target.cross.pending:
                reason = f"cross-core flag {event} is set {len(waiting)} times ahead of its waits"
                raise _error("limit", reason, instruction)

    def wait(self, member: Member, instruction: Instruction) -> bool:
        """Count a flag down and know what was handed over; False while a peer has not set it."""
        queues = [member.sets.get((instruction.event, peer.position)) for peer in self.peers(member)]
        if not all(queues):
            return False
        for queue in queues:
            assert queue is not None
            member.races.join(SCALAR, queue.popleft()[0])
        everywhere(member.races)
        return True

    def left(self) -> Iterator[tuple[Member, Instruction]]:
        """Sets that nobody waited for: who made them."""
        for member in self.members:
            for (_, sender), queue in member.sets.items():
                for _, instruction in queue:
                    yield self.members[sender], instruction

    def tensor(self, member: Member, tensor: int, use: GmUse, offset: int, instruction: Instruction) -> None:
        """Check and record a DMA that its pipe has reached: `use` says what it touches of a tensor from `offset` on."""
        if tensor in self.written:
            touched = _Bytes(offset, offset + use.pattern.extent, pattern=use.pattern)
            self._touch(member, (tensor, "gm"), touched, use.atomic or use.write, instruction)

    def buffers(self, member: Member, instruction: Instruction) -> None:
        """The same for the buffers of the group that an instruction touches."""
        effects = instruction.touched()
        for footprints, write in ((effects.reads, False), (effects.writes, True)):
            for one in footprints:
                if one.owner is not None:
                    bits = block_bits(one.boxes)
                    place = member.position if one.owner == SELF else one.owner, one.space
                    touched = _Bytes((bits & -bits).bit_length() - 1, bits.bit_length(), bits)
                    self._touch(member, place, touched, write, instruction)

    def _touch(
        self, member: Member, place: Place, touched: _Bytes, write: bool | str, instruction: Instruction
    ) -> None:
        """`write`: how, where it is atomic: such writes are in no order, if they do the same."""
        past, pipe = self.past.setdefault(place, {}), instruction.pipe
        known, number = member.races.known[pipe], member.races.count[pipe]
        unit = 1 if self.target.dma.unaligned else BLOCK_BYTES
        for (core, other, wrote), accesses in past.items():
            mine = (core, other) == (member.position, pipe)
            alike = write == wrote and isinstance(write, str)
            if not (write or wrote) or alike or (mine and self.target.sync.ordered_pipe):
                continue
            limit = known[member.of(core) + other]
            for access in reversed(accesses):
                if access.number <= limit:
                    break
                if access.number != number and access.bytes.meets(touched, unit):
                    verbs = {True: "writes", False: "reads"}
                    whose = "" if core == member.position else "of another core of the group "
                    first = f"{PIPES[other]} {whose}{verbs[bool(wrote)]}"
                    second = f"{PIPES[pipe]} {verbs[bool(write)]} the same bytes of {place[1]}"
                    reason = f"{first} and {second}, and nothing orders them"
                    raise _error("in-pipe" if mine else "race", reason, access.instruction, instruction)
        past.setdefault((member.position, pipe, write), []).append(_Access(number, touched, instruction))


def _error(kind: Kind, reason: str, *instructions: Instruction) -> HazardError:
    return HazardError(kind, reason, instructions=tuple(one.site.reference() for one in instructions))


def everywhere(races: CoreRaces) -> None:
    """The scalar unit has waited: what it issues from here on knows what it knows."""
    known = races.scalar_knowledge()
    for pipe in range(_PIPES):
        races.join(pipe, known)
