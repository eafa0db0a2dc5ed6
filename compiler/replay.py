"""One core's program again, instruction by instruction in program order: what each of them wrote.

Flags and queues play no part: in a program without races the pipes' order gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation

from ..dialects.ascend import INSTRUCTIONS, KernelOp
from ..dialects.target import Target
from ..runtime.decode import decode
from ..runtime.instruction import Effects, Instruction
from ..runtime.memory import POISON, Box, Bytes, CoreMemory, Footprint, block_bits
from ..runtime.product_values import settle
from ..runtime.resolve import Resolver

Array = NDArray[Any]
GUARD_BYTES = 64
"""Room after a tensor: pad bytes up to a whole block, and the block that may be read behind it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One executed instruction: where it stands in the kernel, its bytes on chip, its place in GM if any.

    `written` are the bytes that it wrote on chip, or the ones that it read there and sent to GM.
    """

    op: Operation
    effects: Effects
    written: bytes
    argument: int = -1
    gm_offset: int = 0
    gm_boxes: tuple[Box, ...] = ()
    to_gm: bool = False


def replay(kernel: KernelOp, target: Target, core: int, tensors: Sequence[Array]) -> Iterator[Step]:
    """Execute the instructions of `core` on copies of the GM `tensors` (the kernel's arguments in order).

    Raises HazardError for an instruction that cannot be executed.
    """
    program = decode(kernel)
    resolver = Resolver(program, target)
    capacities = {space: max(size, 1) for space, size in program.peaks.items()}
    memory = CoreMemory(capacities, POISON)
    storages = [_storage(tensor) for tensor in tensors]
    bound: dict[int, Any] = {}
    with np.errstate(all="ignore"):
        for instruction, offset in program.start(core, resolver.gets, resolver.new):
            if not isinstance(instruction.site.op, INSTRUCTIONS) or instruction.bind is None:
                continue
            action = bound.get(instruction.id)
            if action is None:
                action = bound[instruction.id] = instruction.bind(memory, storages, 0)
            action(offset) if instruction.gm is not None else action()
            yield _step(instruction, offset, memory)


def _storage(tensor: Array) -> Bytes:
    data = np.full(tensor.nbytes + GUARD_BYTES, POISON, np.uint8)
    data[: tensor.nbytes] = np.ascontiguousarray(tensor).reshape(-1).view(np.uint8)
    return data


def _step(instruction: Instruction, offset: int, memory: CoreMemory) -> Step:
    assert instruction.effects is not None
    effects = instruction.effects()
    use = instruction.gm
    to_gm = use is not None and use.write
    parts: list[bytes] = []
    for footprint in effects.reads if to_gm else effects.writes:
        for box in footprint.boxes:
            if footprint.space == "l0c":
                _settle(memory, box)
            parts.append(memory.box(footprint.space, box).tobytes())
    boxes: tuple[Box, ...] = ()
    if use is not None:
        pattern = use.pattern
        sizes, strides = ((pattern.bursts,), (pattern.stride,)) if pattern.bursts > 1 else ((), ())
        boxes = (Box(offset, sizes, strides, pattern.burst),)
    argument = use.argument if use is not None else -1
    return Step(instruction.site.op, effects, b"".join(parts), argument, offset, boxes, to_gm)


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
    wanted = _blocks(steps[last].effects.reads)
    for i in reversed(range(last)):
        writes = _blocks(steps[i].effects.writes)
        if not any(wanted.get(space, 0) & bits for space, bits in writes.items()):
            continue
        needed.add(i)
        # Blocks written here come from here; what else is wanted is left to earlier writers.
        for space, bits in writes.items():
            wanted[space] = wanted.get(space, 0) & ~bits
        for space, bits in _blocks(steps[i].effects.reads).items():
            wanted[space] = wanted.get(space, 0) | bits
    return [steps[i] for i in sorted(needed)]


def _blocks(footprints: Sequence[Footprint]) -> dict[str, int]:
    """The 32 B blocks that footprints touch, as bits, by space."""
    found: dict[str, int] = {}
    for footprint in footprints:
        found[footprint.space] = found.get(footprint.space, 0) | block_bits(footprint.boxes)
    return found
