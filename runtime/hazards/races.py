"""Races inside one core: are any two accesses to one 32 B block, one of them a write, left unordered?

Each pipe numbers its instructions. A core keeps, for each pipe p, how far p knows every pipe q to be
complete (`known[p][q]`, a vector clock): a flag hands the source pipe's knowledge to the destination
pipe, a barrier makes a pipe know itself. An access is in order when every conflicting earlier access has
a number that the pipe knows. Order is by flags and barriers alone, so a race is found whichever way the
simulated clock happened to go.

Which accesses conflict is worked out once per kernel: an access class is (blocks, pipe, read or write),
and `conflicts[a]` lists by pipe the classes that overlap class a.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.target_types import PIPES, Target
from ..machine.meeting import meetings_of
from ..machine.memory import REGISTERS, Box, Footprint, block_bits, share_bytes
from ..poison.written import Written
from ..program.instruction import PIPE_INDEX, SCALAR, UNIT_KEYS, UNIT_SETS, UNIT_WAITS, FlagKey, Instruction
from ..support.hazard import Finding, HazardError, InstructionRef

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from ..support.late import np

AccessKey = tuple[str, int, int, bool, bool, bool, tuple[Box, ...]]
"""Space, blocks, pipe, write, overlaps, accumulates; the bytes, where they count."""
_FEW = 400
"""So many accesses are looked through one by one."""
_MMAD_PIPE = PIPE_INDEX["M"]


class AccessTable:
    """The access classes of one kernel, shared by its cores."""

    def __init__(self, target: Target, exact: bool = False):
        """`exact`: the scalar unit reaches single elements, and meets others byte for byte."""
        self.ordered_pipe = target.sync.ordered_pipe
        self.exact = exact
        self.ids: dict[AccessKey, int] = {}
        self.keys: list[AccessKey] = []
        self.conflicts: list[list[tuple[int, list[int]]]] = []
        self.cores: list[CoreRaces] = []
        self._spans: dict[str, list[tuple[int, int]]] = {}
        self._arrays: dict[str, NDArray[np.int64]] = {}
        self._members: dict[str, list[int]] = {}

    def classify(self, instruction: Instruction) -> tuple[int, ...]:
        """Access classes of an instruction; an operand that is also written counts as written only."""
        effects = instruction.touched()
        instruction.meetings = meetings_of(effects.reads, effects.writes)
        written = [(f.space, block_bits(f.boxes), self._bytes(f)) for f in effects.writes if _checked(f)]
        found = [
            self._intern((space, bits, instruction.pipe, True, effects.overlaps, effects.accumulates, boxes))
            for space, bits, boxes in written
        ]
        for footprint in effects.reads:
            if not _checked(footprint):
                continue
            bits = block_bits(footprint.boxes)
            boxes = self._bytes(footprint)
            if (footprint.space, bits, boxes) not in written:
                found.append(
                    self._intern((footprint.space, bits, instruction.pipe, False, False, False, boxes))
                )
        instruction.accesses = tuple(dict.fromkeys(found))
        return instruction.accesses

    def _bytes(self, footprint: Footprint) -> tuple[Box, ...]:
        return footprint.boxes if self.exact else ()

    def _intern(self, key: AccessKey) -> int:
        found = self.ids.get(key)
        if found is not None:
            return found
        number = self.ids[key] = len(self.keys)
        self.keys.append(key)
        self.conflicts.append([])
        for core in self.cores:
            core.last.append(0)
            core.who.append(None)
        space, bits = key[0], key[1]
        low, high = (bits & -bits).bit_length() - 1, bits.bit_length()
        members = self._members.setdefault(space, [])
        spans = self._spans.setdefault(space, [])
        members.append(number)
        spans.append((low, high))
        for position in self._near(space, spans):
            other = members[position]
            if self.keys[other][1] & bits:
                self._join(number, other)
                if other != number:
                    self._join(other, number)
        return number

    def _near(self, space: str, spans: list[tuple[int, int]]) -> list[int]:
        """The accesses to a space whose first and last blocks are not all on one side of those of the last one."""
        (low, high), count = spans[-1], len(spans)
        if count <= _FEW:
            return [i for i, (first, last) in enumerate(spans) if first < high and last > low]
        known = self._arrays.get(space)
        if known is None or count > known.shape[1]:
            known = self._arrays[space] = np.zeros((2, 2 * count), np.int64)
            known[:, :count] = np.array(spans).T
        known[:, count - 1] = low, high
        return np.flatnonzero((known[0, :count] < high) & (known[1, :count] > low)).tolist()

    def _join(self, later: int, earlier: int) -> None:
        """Record that an access of class `later` must be ordered after one of class `earlier`."""
        _, bits, pipe, write, overlaps, accumulates, boxes = self.keys[later]
        _, earlier_bits, earlier_pipe, earlier_write, earlier_overlaps, _, earlier_boxes = self.keys[earlier]
        if not (write or earlier_write):
            return
        if self.exact and SCALAR in (pipe, earlier_pipe) and not share_bytes(boxes, earlier_boxes):
            return
        if pipe == earlier_pipe:
            if self.ordered_pipe or pipe == SCALAR:
                return
            if pipe == _MMAD_PIPE and accumulates and overlaps and earlier_overlaps and bits == earlier_bits:
                return
        groups = self.conflicts[later]
        for group_pipe, group in groups:
            if group_pipe == earlier_pipe:
                group.append(earlier)
                return
        groups.append((earlier_pipe, [earlier]))


class CoreRaces:
    """Vector clocks, last accesses and flags of one core during one launch."""

    def __init__(self, table: AccessTable, written: Written, group: int = 1, counted: bool = False):
        """`group`: cores that share cross-core flags; the clocks of the others follow this core's. `counted`: flags
        that are set again before they are waited for count up, and are found."""
        self.table = table
        self.written = written
        size = len(PIPES)
        self.known = [[0] * (size * group) for _ in range(size)]
        self.count = [0] * size
        self.last = [0] * len(table.keys)
        self.who: list[Instruction | None] = [None] * len(table.keys)
        self.raised: dict[FlagKey, _Raised] = {}
        """Flags that are up: what their oldest set hands over, and who set them."""
        self.counted = counted
        self.ahead: dict[FlagKey, deque[_Raised]] = {}
        """Sets of flags that were up already, in their order."""
        self.found: dict[tuple[Operation, Operation], Finding] = {}
        """By the ops that set such a flag before and again."""
        self.handed: dict[int, tuple[list[int], Instruction]] = {}
        """By blocks of L0C whose unit flags are up: what the Cube knew, and its product."""
        self.read: dict[int, list[int]] = {}
        """By blocks that FixPipe took by their unit flags: what it knew."""
        self.lowered: dict[FlagKey, tuple[int, int, Instruction]] = {}
        self.meet: Callable[[Instruction, int, list[int]], None] | None = None
        """Checks accesses to buffers of the group: an instruction, its number, and what its pipe knows."""
        table.cores.append(self)

    def execute(self, instruction: Instruction) -> None:
        """Check and record an instruction that its pipe has reached; `HazardError` on a race."""
        pipe = instruction.pipe
        count = self.count
        count[pipe] = number = count[pipe] + 1
        accesses = instruction.accesses
        if accesses is None:
            if instruction.effects is None:
                return
            accesses = self.table.classify(instruction)
        known, last, conflicts = self.known[pipe], self.last, self.table.conflicts
        for access in accesses:
            for other_pipe, others in conflicts[access]:
                limit = known[other_pipe]
                if count[other_pipe] > limit:
                    for other in others:
                        if last[other] > limit:
                            raise self._race(instruction, access, other)
        if instruction.meetings and self.meet is not None:
            self.meet(instruction, number, self.known[pipe])
        who = self.who
        for access in accesses:
            last[access] = number
            who[access] = instruction
        if instruction.id not in self.written.settled:
            self.written.execute(instruction)

    def _race(self, instruction: Instruction, access: int, other: int) -> HazardError:
        earlier = self.who[other]
        assert earlier is not None
        space, bits, pipe, write, *_ = self.table.keys[access]
        _, other_bits, other_pipe, other_write, *_ = self.table.keys[other]
        shared = bits & other_bits
        low, high = (shared & -shared).bit_length() - 1, shared.bit_length()
        verbs = {True: "writes", False: "reads"}
        names = tuple(
            f.label
            for i in (earlier, instruction)
            for f in (*i.touched().reads, *i.touched().writes)
            if f.space == space and block_bits(f.boxes) & shared
        )
        if pipe == other_pipe:
            reason = (
                f"the second instruction {verbs[write]} what the first {verbs[other_write]}, "
                f"both on {PIPES[pipe]} with no barrier between them"
            )
        else:
            reason = (
                f"{PIPES[other_pipe]} {verbs[other_write]} and {PIPES[pipe]} {verbs[write]} "
                f"the same bytes, and no flag from {PIPES[other_pipe]} to {PIPES[pipe]} orders them"
            )
        return HazardError(
            "in-pipe" if pipe == other_pipe else "race",
            reason,
            instructions=(earlier.site.reference(), instruction.site.reference()),
            buffers=names,
            space=space,
            byte_range=(low * BLOCK_BYTES, high * BLOCK_BYTES),
        )

    def set_flag(self, instruction: Instruction) -> None:
        """Hand the source pipe's knowledge to the flag; `HazardError` when the flag may still be up."""
        key, pipe = instruction.flag, instruction.pipe
        assert key is not None
        self.count[pipe] += 1
        pending, lowered = self.raised.get(key), self.lowered.get(key)
        if pending is not None:
            self._again(instruction, pending[1], "it has not been waited for")
        elif lowered is not None and lowered[1] > self.known[pipe][lowered[0]] and lowered[0] != pipe:
            self._again(instruction, lowered[2], f"nothing tells {PIPES[pipe]} that the last wait is over")
        snapshot = self.known[pipe].copy()
        snapshot[pipe] = self.count[pipe]
        if pending is None:
            self.raised[key] = snapshot, instruction
        else:
            self.ahead.setdefault(key, deque()).append((snapshot, instruction))

    def _again(self, instruction: Instruction, earlier: Instruction, why: str) -> None:
        """A flag is set that may be up already: a finding where flags are counted, else `HazardError`."""
        if not self.counted:
            raise _flag_twice(instruction, earlier.site.reference(), why)
        ops = earlier.site.op, instruction.site.op
        if ops not in self.found:
            assert instruction.flag is not None
            reason = f"flag {flag_text(instruction.flag)} may be up already: {why}"
            places = earlier.site.reference(), instruction.site.reference()
            self.found[ops] = Finding("flag-set-ahead", reason, places)

    def wait_flag(self, instruction: Instruction) -> None:
        """Take over what the flag's source pipe knew."""
        key, pipe = instruction.flag, instruction.pipe
        assert key is not None
        self.count[pipe] += 1
        snapshot, _ = self.raised.pop(key)
        if self.ahead.get(key):
            self.raised[key] = self.ahead[key].popleft()
        self.join(pipe, snapshot)
        self.lowered[key] = (pipe, self.count[pipe], instruction)

    def unit_flag(self, instruction: Instruction) -> bool:
        """An instruction that works with the unit flag; False when it must wait for a tile that is not there."""
        pipe, blocks = instruction.pipe, instruction.flagged.all
        cube = pipe == _MMAD_PIPE
        if cube and instruction.unit & UNIT_WAITS:
            if not self.handed.keys().isdisjoint(blocks):
                return False
            known = [self.read[block] for block in blocks if block in self.read]
        elif not cube:
            if not blocks <= self.handed.keys():
                return False
            known = [self.handed.pop(block)[0] for block in blocks]
        else:
            known = []
        for snapshot in {id(snapshot): snapshot for snapshot in known}.values():
            self.join(pipe, snapshot)
        self.execute(instruction)
        if instruction.unit & UNIT_SETS:
            snapshot = self.known[pipe].copy()
            snapshot[pipe] = self.count[pipe]
            if not cube:
                self.read.update(dict.fromkeys(blocks, snapshot))
                return True
            earlier = next((self.handed[block][1] for block in blocks if block in self.handed), None)
            if earlier is not None:
                where = earlier.site.reference()
                raise _flag_twice(instruction, where, "FixPipe has not read the tile before")
            self.handed.update(dict.fromkeys(blocks, (snapshot, instruction)))
        return True

    def cross_set(self, instruction: Instruction) -> list[int]:
        """What the pipe of a cross-core flag knows when everything before has finished."""
        pipe = instruction.pipe
        self.count[pipe] += 1
        snapshot = self.known[pipe].copy()
        snapshot[pipe] = self.count[pipe]
        return snapshot

    def join(self, pipe: int, snapshot: list[int]) -> None:
        self.known[pipe] = [a if a > b else b for a, b in zip(self.known[pipe], snapshot, strict=True)]

    def barrier(self, pipe: int) -> None:
        """The pipe waits for itself."""
        self.known[pipe][pipe] = self.count[pipe]

    def barrier_all(self) -> None:
        """Every pipe and the scalar unit wait for every pipe."""
        far = [max(column) for column in zip(*self.known, strict=True)][len(PIPES) :]
        for pipe in range(len(PIPES)):
            self.known[pipe] = self.count + far

    def scalar_knowledge(self) -> list[int]:
        """What holds for all that the scalar unit issues once it has waited: that its wait is over, too."""
        snapshot = self.known[SCALAR].copy()
        snapshot[SCALAR] = self.count[SCALAR]
        return snapshot

    def left_set(self) -> tuple[FlagKey, Instruction] | None:
        """A flag that is still up, and who raised it."""
        for key, (_, instruction) in self.raised.items():
            return key, instruction
        for _, instruction in self.handed.values():
            return UNIT_KEYS[PIPE_INDEX["FIX"]], instruction
        return None


_Raised = tuple[list[int], Instruction]


def _checked(footprint: Footprint) -> bool:
    """Whether bytes are those of one core's memory: buffers of a group are looked at apart, registers never."""
    return footprint.owner is None and footprint.space != REGISTERS


def _flag_twice(instruction: Instruction, earlier: InstructionRef, why: str) -> HazardError:
    return HazardError(
        "flag-set-twice",
        f"the flag may be up already: {why}",
        instructions=(earlier, instruction.site.reference()),
    )


def flag_text(key: FlagKey) -> str:
    """`MTE2 -> V, event 1`."""
    source, destination, event = key
    if event < 0:
        return f"{PIPES[source]} -> {PIPES[destination]}, unit flag"
    return f"{PIPES[source]} -> {PIPES[destination] if destination >= 0 else 'any'}, event {event}"
