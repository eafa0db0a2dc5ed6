"""Values that uninitialised or padding bytes decide: found where they reach a result, wherever they came from.

Every byte on chip and in GM has a label beside it. `DEFINED` bytes are what the program means; `UNWRITTEN` ones nothing
wrote, or they are lanes of a product past m and n, or lie behind the end of a tensor. Any other label names the
instruction that first read such bytes: it goes to each byte that the instruction computes from them, and on from there
(shadow_values.py). What an instruction masks out, or selects away, passes nothing on. The values do not matter: a
maximum, a comparison or a conversion to i8 hides a nan, not its label.

Unwritten bytes on chip are the business of `written.py`: computing with them is a hazard at once. Here they count from
the store that takes them to GM on.

Cores without a label do no work here. What an instruction does to labels depends on the labels that there are, of which
a core keeps a hash: what it has done once, on any core, is copied where it meets them again.
"""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.records import dataclass
from ..machine.memory import SELF, Array, Bytes, CoreMemory, Footprint, View, block_bits
from ..program.instruction import BY_VALUE, SPILLS, Instruction
from ..program.kernel_program import Site
from ..program.storage import DEFINED, UNWRITTEN, Origin, Storage
from .label_hash import HASHES, hash_of, meets_itself, moved

MASK_BITS = "mask bits"
"""The space beside ub that says which bits of a labelled byte of a mask are defined all the same."""

_LAST = 254
_REMEMBERED = 1 << 26
"""Bytes of labels that a run remembers."""
_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
_ONES = {size: int.from_bytes(b"\1" * size, "little") for size in _WORDS}


class Shadow(CoreMemory):
    """The labels of one core's memories. `dirty`: by space, the 32 B blocks that may hold some, as bits."""

    def __init__(self, capacities: dict[str, int]):
        super().__init__({}, DEFINED)
        for space, size in capacities.items():
            self.spaces[space] = np.zeros(size, np.uint8)
        if "ub" in capacities:
            self.spaces[MASK_BITS] = np.zeros(capacities["ub"], np.uint8)
        self.dirty = dict.fromkeys(self.spaces, 0)
        self.masked = False
        """Whether `MASK_BITS` have been used."""
        self.members: list[Shadow] = [self]
        self.position = 0
        """Among `members`, the cores of its group."""

    def reset(self) -> None:
        """A kernel starts."""
        for space, bits in self.dirty.items():
            if bits:
                self.spaces[space].fill(DEFINED)
                self.dirty[space] = 0

    def join(self, members: "list[Shadow]") -> None:
        """These are the cores of a group, in order."""
        self.group = [*members]
        self.members, self.position = members, members.index(self)

    def of(self, owner: int | None) -> "Shadow":
        """That of the core in whose memory a view is (`View.owner`)."""
        return self if owner is None or owner == SELF else self.members[owner]


@dataclass(frozen=True, slots=True)
class _Step:
    """What an instruction does to labels: their hash behind it, whether there are any, what it writes, and which blocks
    of the memories that it writes to may then hold some."""

    state: int
    any: bool = False
    written: tuple[Array, ...] = ()
    dirty: tuple[int, ...] = ()


@dataclass(slots=True)
class Origins:
    """The instructions of one run that have read unwritten bytes; label i + 1 is the i-th. Those past the last label
    share it. Beside them, what instructions did, by the labels that they met."""

    found: list[Origin] = field(default_factory=list[Origin])
    steps: dict[Any, _Step] = field(default_factory=dict[Any, _Step])
    stores: dict[Any, Array] = field(default_factory=dict[Any, Array])
    room: int = _REMEMBERED
    _labels: dict[Operation, int] = field(default_factory=dict[Operation, int])
    _fresh: int = 0

    def fresh(self) -> int:
        """A hash of labels that no others have."""
        self._fresh += HASHES
        return self._fresh

    def label(self, site: Site, describe: Callable[[], Origin]) -> int:
        known = self._labels.get(site.op)
        if known is None:
            known = self._labels[site.op] = min(len(self.found) + 1, _LAST)
            if len(self.found) < _LAST:
                self.found.append(describe())
        return known

    def of(self, label: int) -> Origin:
        """What a label stands for."""
        return self.found[label - 1]


@dataclass(slots=True)
class Activity:
    """Of the cores of a group: whether there are labels, and a hash of all of them."""

    labels: bool = False
    state: int = 0


class Tracker:
    """Labels of one core during one launch."""

    def __init__(self, shadow: Shadow, memory: CoreMemory, tensors: Sequence[Storage], origins: Origins):
        self.shadow, self.memory, self.tensors, self.origins = shadow, memory, tensors, origins
        self.activity = Activity()
        self._bound: dict[int, Callable[..., Any]] = {}

    def execute(self, instruction: Instruction) -> None:
        """An instruction on chip runs."""
        if instruction.bind is None:
            return
        if not instruction.labels & BY_VALUE:
            self._repeat(instruction, None, self._on_chip)
        elif self._meets(instruction):
            self._watch(instruction, self._on_chip)

    def transfer(self, instruction: Instruction, offset: int, holes: Array | None) -> None:
        """A DMA moves bytes from or to GM. `holes`: of the bytes that it stores, those that nothing wrote on chip."""
        use = instruction.gm
        assert use is not None
        storage, origins = self.tensors[use.argument], self.origins
        meets = self.activity.labels and self._meets(instruction)
        if not use.write:
            defined = storage.defined(use.pattern, offset)
            if meets or not defined:
                found = None if defined else storage.region(use.pattern, offset).tobytes()
                self._repeat(instruction, found, lambda one: self._load(one, storage, offset))
            return
        if use.atomic:
            if meets:
                self._action(instruction)(offset)
                storage.stored(instruction.site, use.pattern, offset)
            return
        if not meets and holes is None:
            storage.define(use.pattern, offset)
            return
        region = storage.region(use.pattern, offset)
        key = self.activity.state, self.shadow.position, instruction
        known = None if holes is not None else origins.stores.get(key)
        if known is not None:
            region[...] = known
        else:
            self._action(instruction)(offset)
            if holes is not None:
                region[holes.reshape(region.shape)] = UNWRITTEN
            raw = region == UNWRITTEN
            if raw.any():
                (read,) = instruction.touched().reads[:1]
                region[raw] = self._label(instruction, read.label, read.space, (-1, -1))
            if holes is None and origins.room > region.size:
                origins.room -= region.size
                origins.stores[key] = region.copy()
        storage.stored(instruction.site, use.pattern, offset)

    def _on_chip(self, instruction: Instruction) -> None:
        self._action(instruction)()

    def _repeat(
        self, instruction: Instruction, found: bytes | None, run: Callable[[Instruction], None]
    ) -> None:
        """Do to labels what the instruction did where it met the same ones, or `run` it. `found`: those that it takes
        from GM, if any."""
        origins, activity = self.origins, self.activity
        key = activity.state, self.shadow.position, self.shadow.masked, instruction, found
        step = origins.steps.get(key)
        if step is None:
            step = _Step(activity.state)
            if found is not None or instruction.labels & SPILLS or self._meets(instruction):
                step = self._watch(instruction, run)
            size = sum(labels.size for labels in step.written)
            if origins.room > size:
                origins.room -= size
                origins.steps[key] = step
        elif step.state != activity.state:
            for array, labels in zip(self._written(instruction), step.written, strict=True):
                array[...] = labels
            for (memory, space), blocks in zip(self._places(instruction), step.dirty, strict=True):
                memory.dirty[space] = blocks
            activity.state, activity.labels = step.state, activity.labels or step.any

    def _meets(self, instruction: Instruction) -> bool:
        """Whether an instruction touches labels."""
        if instruction.blocks is None:
            effects = instruction.touched()
            touched: Sequence[Footprint] = (*effects.reads, *effects.writes)
            instruction.blocks = tuple((f.space, f.owner, block_bits(f.boxes)) for f in touched)
        of = self.shadow.of
        return any(of(owner).dirty[space] & bits for space, owner, bits in instruction.blocks)

    def _action(self, instruction: Instruction) -> Callable[..., Any]:
        action = self._bound.get(instruction.id)
        if action is None:
            tensors = [np.empty(0, np.uint8)] * len(self.tensors)
            if instruction.gm is not None:
                tensors[instruction.gm.argument] = self.tensors[instruction.gm.argument].labels()
            if instruction.spread is not None:
                action = instruction.spread(Reader(self, instruction), tensors)
            else:
                assert instruction.bind is not None
                action = instruction.bind(self.shadow, tensors, 0)
            self._bound[instruction.id] = action
        return action

    def _load(self, instruction: Instruction, storage: Storage, offset: int) -> None:
        use = instruction.gm
        assert use is not None
        self._action(instruction)(offset)
        for array in self._boxes(instruction):
            raw = array == UNWRITTEN
            if raw.any():
                span = storage.unwritten_span(use.pattern, offset)
                array[raw] = self._label(instruction, use.label, "gm", span)

    def _boxes(self, instruction: Instruction) -> list[Array]:
        """The labels of what an instruction writes on chip."""
        effects = instruction.touched()
        return [self.shadow.box(f.space, box, f.owner) for f in effects.writes for box in f.boxes]

    def _written(self, instruction: Instruction) -> list[Array]:
        """The labels of what an instruction writes on chip, and the bits of masks there."""
        return [
            self.shadow.box(space, box, f.owner)
            for f in instruction.touched().writes
            for box in f.boxes
            for space in self._spaces(f)
        ]

    def _spaces(self, footprint: Footprint) -> tuple[str, ...]:
        masked = footprint.space == "ub" and self.shadow.masked
        return ("ub", MASK_BITS) if masked else (footprint.space,)

    def _places(self, instruction: Instruction) -> list[tuple[Shadow, str]]:
        """The memories that an instruction writes to."""
        return [(self.shadow.of(f.owner), f.space) for f in instruction.touched().writes]

    def _hash(self, instruction: Instruction) -> int:
        """What the labels of the bytes that an instruction writes add to the hash of all."""
        return sum(
            hash_of(memory.spaces[space], memory.position, space, box)
            for f in instruction.touched().writes
            for memory in (self.shadow.of(f.owner),)
            for space in self._spaces(f)
            for box in f.boxes
        )

    def _watch(self, instruction: Instruction, run: Callable[[Instruction], None]) -> _Step:
        """Run what sets labels, and note what has changed."""
        activity = self.activity
        before = self._hash(instruction)
        run(instruction)
        if self.shadow.masked and not instruction.labels & BY_VALUE:
            self._forget_bits(instruction)
        state = moved(activity.state, before, self._hash(instruction))
        if any(meets_itself(box) for f in instruction.touched().writes for box in f.boxes):
            state = self.origins.fresh()  # a byte counts several times
        if state == activity.state:
            return _Step(state)
        activity.state = state
        for footprint in instruction.touched().writes:
            memory, space = self.shadow.of(footprint.owner), footprint.space
            for box in footprint.boxes:
                bits = block_bits((box,))
                if memory.box(space, box).any():
                    activity.labels = True
                    memory.dirty[space] |= bits
                elif memory.dirty[space] & bits:
                    memory.dirty[space] &= ~bits
                    memory.dirty[space] |= _labelled(memory.spaces[space], box.address, box.end)
        dirty = tuple(memory.dirty[space] for memory, space in self._places(instruction))
        written = tuple(array.copy() for array in self._written(instruction))
        return _Step(state, activity.labels, written, dirty)

    def _forget_bits(self, instruction: Instruction) -> None:
        """What an instruction writes is no longer a mask of which some bits are defined."""
        for footprint in instruction.touched().writes:
            if footprint.space == "ub":
                for box in footprint.boxes:
                    self.shadow.box(MASK_BITS, box, footprint.owner)[...] = 0

    def _label(self, instruction: Instruction, buffer: str, space: str, span: tuple[int, int]) -> int:
        site = instruction.site
        return self.origins.label(site, lambda: Origin(site, buffer, space, span))

    def seal(self, instruction: Instruction, view: View, found: Array, raw: Array) -> Array:
        """Labels of a view's elements, those `raw` of them now named after the instruction that reads them."""
        if raw.any():
            starts = np.full((), view.address, np.int64)
            for n, stride in zip(view.sizes, view.strides, strict=True):
                starts = starts[..., None] + np.arange(n) * stride
            bad = starts[raw]
            span = int(bad.min()), int(bad.max()) + view.itemsize
            found[raw] = self._label(instruction, view.label, view.space, span)
        return found


def track(tracker: Tracker | None, instruction: Instruction) -> None:
    """`Tracker.execute`, where labels are tracked at all."""
    if tracker is not None:
        tracker.execute(instruction)


@dataclass(frozen=True, slots=True)
class Reader:
    """What an instruction's labels are computed with."""

    tracker: Tracker
    instruction: Instruction
    blocks: dict[int, int] = field(default_factory=dict[int, int])
    """By the id of a view, the 32 B blocks that it touches, as bits."""

    @property
    def memory(self) -> CoreMemory:
        """The values of the core's memories."""
        return self.tracker.memory

    def labels(self, view: View) -> Array:
        """The labels of a view's elements, one word for each: a byte of it for each byte."""
        shadow = self.tracker.shadow
        return np.ndarray(
            view.sizes,
            words_of(view),
            shadow.at(view.space, view.owner).data,
            view.address,
            view.strides,
        )

    def read(self, view: View, lanes: Array | None = None) -> Array | None:
        """A label for each of a view's elements, None where all are defined. `lanes`: those that the instruction
        depends on."""
        bits = self.blocks.get(id(view))
        if bits is None:
            bits = self.blocks[id(view)] = block_bits((view.box(),))
        if not self.tracker.shadow.of(view.owner).dirty[view.space] & bits:
            return None
        words = self.labels(view)
        found = words.astype(np.uint8)
        if not np.array_equal(words, found * words.dtype.type(_ONES[view.itemsize])):
            found = (
                np.stack([words >> 8 * i & 255 for i in range(view.itemsize)]).max(axis=0).astype(np.uint8)
            )
        raw = found == UNWRITTEN
        return self.tracker.seal(self.instruction, view, found, raw if lanes is None else raw & lanes)

    def write(self, view: View, labels: Array | int) -> None:
        """Give a view's elements labels."""
        spread_over(labels, self.labels(view))

    def mask_bits(self, mask: View) -> Bytes:
        """Of each byte of a mask in ub, the bits that are defined though it has a label."""
        shadow = self.tracker.shadow
        shadow.masked = True
        return np.ndarray(
            mask.sizes, np.uint8, shadow.at(MASK_BITS, mask.owner).data, mask.address, mask.strides
        )


def words_of(view: View) -> Any:
    """The type of integers as wide as a view's elements."""
    return _WORDS[view.itemsize]


def spread_over(labels: Array | int, words: Array) -> None:
    """Give each byte of words the label of its word."""
    one = words.dtype.type(_ONES[words.itemsize])
    np.multiply(labels, one, out=words, dtype=words.dtype, casting="unsafe")


def _labelled(labels: Bytes, start: int, end: int) -> int:
    """The 32 B blocks around bytes [`start`, `end`) that hold labels, as bits of an integer."""
    first, last = start // BLOCK_BYTES, -(-end // BLOCK_BYTES)
    blocks = labels[first * BLOCK_BYTES : last * BLOCK_BYTES]
    blocks = np.pad(blocks, (0, -blocks.size % BLOCK_BYTES)).reshape(-1, BLOCK_BYTES).any(axis=1)
    return int.from_bytes(np.packbits(blocks, bitorder="little").tobytes(), "little") << first
