"""One core's program again, instruction by instruction in program order: what each of them wrote.

Flags and queues play no part: in a program without races the pipes' order gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation

from ...dialects.ascend import INSTRUCTIONS, FixpipeOp, KernelOp
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...runtime.decode.decode import decode
from ...runtime.decode.resolve import Resolver
from ...runtime.execution.index_reads import index_reader
from ...runtime.machine.memory import POISON, SELF, Box, Bytes, CoreMemory, Footprint, block_bits
from ...runtime.program.instruction import CROSS_SET, CROSS_WAIT, Effects, Instruction
from ...runtime.program.kernel_program import Stream
from ...runtime.values.product_values import settle

Array = NDArray[Any]
GUARD_BYTES = 64
"""Room after a tensor: pad bytes up to a whole block, and the block that may be read behind it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One executed instruction: where it stands in the kernel, its bytes on chip, its place in GM if any.

    `written` are the bytes that it wrote on chip, or the ones that it sent to GM.
    """

    op: Operation
    effects: Effects
    written: bytes
    argument: int = -1
    gm_offset: int = 0
    gm_boxes: tuple[Box, ...] = ()
    to_gm: bool = False
    position: int = 0
    """Of the core in its group: 0, and for the Vector cores beside a Cube core 1 and so on."""


@dataclass(slots=True)
class _Member:
    """One core of a group: what it has still to do, its memory, and the flags of others that it has not taken."""

    stream: Stream
    memory: CoreMemory
    bound: dict[int, Any] = field(default_factory=dict[int, Any])
    raised: Counter[tuple[int, int]] = field(default_factory=Counter[tuple[int, int]])
    waits: int | None = None
    done: bool = False


def replay(
    kernel: KernelOp | Sequence[KernelOp],
    target: Target,
    core: int,
    tensors: Sequence[Array],
    addresses: Mapping[int, int] | None = None,
) -> Iterator[Step]:
    """Execute the instructions of `core` on copies of the GM `tensors` (the kernel's arguments in order). Of two
    programs that run together, those of Cube core `core` and the Vector cores beside it: one after the other, each as
    far as the flags between them let it. `addresses`: where buffers of the group among the arguments start.

    Raises HazardError for an instruction that cannot be executed.
    """
    kernels = [kernel] if isinstance(kernel, KernelOp) else list(kernel)
    programs = [decode(one, addresses) for one in kernels]
    storages = [_storage(tensor) for tensor in tensors]
    capacities: dict[str, int] = {}
    for space, size in (peak for program in programs for peak in program.peaks.items()):
        capacities[space] = max(size, 1, capacities.get(space, 0))
    members: list[_Member] = []
    for at, program in enumerate(programs):
        resolver = Resolver(program, target)
        blocks = range(target.vectors_beside * core, target.vectors_beside * (core + 1)) if at else [core]
        for block in blocks:
            memory = CoreMemory(capacities, POISON)
            members.append(
                _Member(
                    program.start(block, (), resolver.gets, resolver.new, index_reader(program, storages)),
                    memory,
                )
            )
    for member in members:
        member.memory.group = [other.memory for other in members]
    moved = True
    with np.errstate(all="ignore"):
        while moved:
            moved = False
            for position, member in enumerate(members):
                if member.done or (member.waits is not None and not _taken(members, position, member.waits)):
                    continue
                member.waits = None
                yield from _advance(members, position, storages)
                member.done = member.waits is None
                moved = True


def _peers(members: Sequence[_Member], position: int) -> range:
    """Whom a core sets flags of, and waits for."""
    return range(1) if position else range(1, len(members))


def _taken(members: Sequence[_Member], position: int, event: int) -> bool:
    """Take a flag of every core that `position` waits for, if all of them are up."""
    raised, keys = members[position].raised, [(event, peer) for peer in _peers(members, position)]
    if not all(raised[key] for key in keys):
        return False
    raised.subtract(keys)
    return True


def _advance(members: Sequence[_Member], position: int, storages: Sequence[Bytes]) -> Iterator[Step]:
    """The steps of one core until it waits for a flag that is not up, or has done everything."""
    member = members[position]
    for instruction, offset in member.stream:
        if instruction.kind == CROSS_SET:
            for peer in _peers(members, position):
                members[peer].raised[instruction.event, position] += 1
        elif instruction.kind == CROSS_WAIT:
            if not _taken(members, position, instruction.event):
                member.waits = instruction.event
                return
        elif isinstance(instruction.site.op, INSTRUCTIONS) and instruction.bind is not None:
            action = member.bound.get(instruction.id)
            if action is None:
                action = member.bound[instruction.id] = instruction.bind(member.memory, storages, 0)
            action(offset) if instruction.gm is not None else action()
            yield _step(instruction, offset, member.memory, storages, position)


def _storage(tensor: Array) -> Bytes:
    data = np.full(tensor.nbytes + GUARD_BYTES, POISON, np.uint8)
    data[: tensor.nbytes] = np.ascontiguousarray(tensor).reshape(-1).view(np.uint8)
    return data


def _step(
    instruction: Instruction, offset: int, memory: CoreMemory, storages: Sequence[Bytes], position: int
) -> Step:
    assert instruction.effects is not None
    effects = instruction.effects()
    use = instruction.gm
    to_gm = use is not None and use.write
    parts: list[bytes] = []
    for footprint in effects.reads if to_gm else effects.writes:
        for box in footprint.boxes:
            if footprint.space == "l0c":
                _settle(memory, box)
            parts.append(memory.box(footprint.space, box, footprint.owner).tobytes())
    boxes: tuple[Box, ...] = ()
    if use is not None:
        pattern = use.pattern
        sizes, strides = ((pattern.bursts,), (pattern.stride,)) if pattern.bursts > 1 else ((), ())
        boxes = (Box(offset, sizes, strides, pattern.burst),)
    argument = use.argument if use is not None else -1
    if to_gm and isinstance(instruction.site.op, FixpipeOp):  # converts and rectifies on the way
        parts = [_bytes(storages[argument], box) for box in boxes]
    return Step(instruction.site.op, effects, b"".join(parts), argument, offset, boxes, to_gm, position)


def _bytes(data: Bytes, box: Box) -> bytes:
    """What a tensor holds in a box."""
    return np.ndarray((*box.sizes, box.run), np.uint8, data.data, box.address, (*box.strides, 1)).tobytes()


@dataclass(frozen=True, slots=True)
class _Range:
    """The part of a view that `settle` looks at."""

    address: int
    end: int


def _settle(memory: CoreMemory, box: Box) -> None:
    view: Any = _Range(box.address, box.end)
    settle(memory, view)


def covers(box: Box, address: int) -> bool:
    """Whether a box has the byte at `address`."""
    return _covers(address - box.address, box.sizes, box.strides, box.run)


def _covers(rest: int, sizes: tuple[int, ...], strides: tuple[int, ...], run: int) -> bool:
    if not sizes:
        return 0 <= rest < run
    size, stride = sizes[0], strides[0]
    if stride <= 0:
        return any(_covers(rest - i * stride, sizes[1:], strides[1:], run) for i in range(size))
    reach = sum((n - 1) * s for n, s in zip(sizes[1:], strides[1:], strict=True)) + run
    first = max(0, -(-(rest - reach + 1) // stride))
    return any(
        _covers(rest - i * stride, sizes[1:], strides[1:], run)
        for i in range(first, min(size, rest // stride + 1))
    )


def dependences(steps: Sequence[Step], argument: int, byte: int) -> list[Step]:
    """The instructions that a byte of a tensor depends on, in program order: its last writer, the last
    writers of what that one reads, and so on. Empty when no step writes it."""
    last = next(
        (
            i
            for i in reversed(range(len(steps)))
            if steps[i].to_gm
            and steps[i].argument == argument
            and any(covers(box, byte) for box in steps[i].gm_boxes)
        ),
        None,
    )
    if last is None:
        return []
    needed = {last}
    handed = {s.argument for s in steps if s.to_gm} & {s.argument for s in steps if not s.to_gm}
    wanted = _blocks(steps[last], steps[last].effects.reads, ())
    for i in reversed(range(last)):
        step = steps[i]
        writes = _blocks(step, step.effects.writes, handed if step.to_gm else ())
        if not any(wanted.get(place, 0) & bits for place, bits in writes.items()):
            continue
        needed.add(i)
        # Blocks written here come from here; what else is wanted is left to earlier writers.
        for place, bits in writes.items():
            wanted[place] = wanted.get(place, 0) & ~bits
        for place, bits in _blocks(step, step.effects.reads, () if step.to_gm else handed).items():
            wanted[place] = wanted.get(place, 0) | bits
    return [steps[i] for i in sorted(needed)]


def _blocks(
    step: Step, footprints: Sequence[Footprint], handed: Collection[int]
) -> dict[tuple[int, str], int]:
    """The 32 B blocks that footprints of a step touch, as bits, by core and space; and those of its tensor in GM, if
    that is one of `handed`, which cores hand to each other."""
    found: dict[tuple[int, str], int] = {}
    for footprint in footprints:
        own = footprint.owner is None or footprint.owner == SELF
        place = step.position if own else cast(int, footprint.owner), footprint.space
        found[place] = found.get(place, 0) | block_bits(footprint.boxes)
    if step.argument in handed:
        found[step.argument, "gm"] = block_bits(step.gm_boxes)
    return found
