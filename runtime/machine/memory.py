"""Bytes: views of on-chip memories and of GM tensors, and the blocks that a view covers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.records import dataclass
from ...dialects.storage_types import numpy_dtype

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Array = NDArray[Any]
else:
    from ..support.late import np

    Bytes = Array = Any

POISON = 0xFF  # as f16, bf16 or f32 a NaN
BOUND_LIMIT = 8192
"""Closures of instructions that a memory keeps."""
SELF = -1
"""Owner of a group's buffer: the core that runs the instruction."""

REGISTERS = "registers"
"""A space beside those of the chip: numbers that the scalar unit holds."""

ALONE = 1
"""The mark of a buffer that shares no byte with another one."""


_TYPES = ("f16", "bf16", "f32", "i1", "i8", "i32", "i16", "i64")


class _NumpyTypes(dict[str, Any]):
    """They come from packages that are imported when they are first asked for."""

    def __missing__(self, name: str) -> Any:
        if name not in _TYPES:
            raise KeyError(name)
        self[name] = found = numpy_dtype(name).type
        return found


NUMPY_TYPES: dict[str, Any] = _NumpyTypes()


def round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


@dataclass(frozen=True, slots=True)
class Box:
    """Bytes `address + sum(index * stride)` with runs of `run` bytes; strides in bytes."""

    address: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    run: int

    @property
    def end(self) -> int:
        """One past the last byte."""
        return (
            self.address + sum((n - 1) * s for n, s in zip(self.sizes, self.strides, strict=True)) + self.run
        )

    def simplified(self) -> Box:
        """The same bytes with fewer dimensions: unit and repeated ones dropped, contiguous ones merged."""
        dims = [(n, s) for n, s in zip(self.sizes, self.strides, strict=True) if n > 1 and s != 0]
        run = self.run
        while dims and dims[-1][1] <= run:
            n, s = dims.pop()
            run += (n - 1) * s
        return Box(self.address, tuple(n for n, _ in dims), tuple(s for _, s in dims), run)


@dataclass(frozen=True, slots=True)
class View:
    """An operand at run time: element sizes, byte strides, and the bytes it may not leave.

    `owner` of a view of a group's buffer: whose memory it is in, as a position in the group (0: the Cube core), or
    `SELF`. None: a buffer of the program, or a tensor.
    """

    space: str
    dtype: str
    itemsize: int
    address: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    label: str
    owner: int | None = None
    mark: int = ALONE
    """Which buffer it is a view of, where buffers share bytes."""

    @property
    def empty(self) -> bool:
        return 0 in self.sizes

    @property
    def end(self) -> int:
        """One past the last byte of a view that is not empty."""
        return (
            self.address
            + sum((n - 1) * s for n, s in zip(self.sizes, self.strides, strict=True))
            + self.itemsize
        )

    def box(self) -> Box:
        return Box(self.address, self.sizes, self.strides, self.itemsize).simplified()

    def part(self, *sizes: int, at: tuple[int, ...] = ()) -> View:
        """The sub-view of `sizes` elements that starts at index `at` (origin when empty)."""
        start = sum(i * s for i, s in zip(at, self.strides, strict=True)) if at else 0
        return View(
            self.space,
            self.dtype,
            self.itemsize,
            self.address + start,
            tuple(sizes),
            self.strides,
            self.label,
            self.owner,
            self.mark,
        )


@dataclass(frozen=True, slots=True)
class Footprint:
    """Bytes of one space that an instruction reads or writes, named after the buffer they are in."""

    space: str
    boxes: tuple[Box, ...]
    label: str
    owner: int | None = None
    """As that of a view."""
    mark: int = ALONE

    @staticmethod
    def of(*views: View) -> Footprint:
        first = views[0]
        boxes = tuple(v.box() for v in views if not v.empty)
        return Footprint(first.space, boxes, first.label, first.owner, first.mark)


class CoreMemory:
    """The on-chip memories of one core, as byte arrays by space."""

    def __init__(self, capacities: dict[str, int], fill: int):
        self.spaces = {space: np.full(size, fill, np.uint8) for space, size in capacities.items()}
        self.group: list[CoreMemory] = []  # of the cores of a group, in order, where there is one
        self.sums: dict[Any, Any] = {}  # products being summed, not yet in l0c's bytes
        self.bound: dict[str, dict[int, Any]] = {}  # by kernel and instruction: what instructions bound here

    def bound_by(self, kernel: str) -> dict[int, Any]:
        """What the kernel's instructions keep for this memory from launch to launch."""
        return self.bound.setdefault(kernel, {})

    def at(self, space: str, owner: int | None) -> Bytes:
        """A memory of this core, or of the owner of a group's buffer."""
        memory = self if owner is None or owner == SELF else self.group[owner]
        return memory.spaces[space]

    def array(self, view: View, dtype: Any = None) -> Array:
        """The elements of a view, sharing its bytes."""
        return np.ndarray(
            view.sizes,
            dtype or NUMPY_TYPES[view.dtype],
            self.at(view.space, view.owner).data,
            view.address,
            view.strides,
        )

    def box(self, space: str, box: Box, owner: int | None = None) -> Array:
        """The bytes of a box as an array whose last dimension is a run."""
        return np.ndarray(
            (*box.sizes, box.run), np.uint8, self.at(space, owner).data, box.address, (*box.strides, 1)
        )


def _repeated(bits: int, count: int, step: int) -> int:
    """`bits` so many times, each `step` bits further."""
    done = 1
    while done < count:
        more = min(done, count - done)
        bits |= bits << more * step
        done += more
    return bits


def share_bytes(boxes: tuple[Box, ...], others: tuple[Box, ...]) -> bool:
    """Whether two sets of bytes have one in common."""
    return any(_meet(one, other) for one in boxes for other in others)


def _meet(one: Box, other: Box) -> bool:
    if one.end <= other.address or other.end <= one.address:
        return False
    runs, starts = np.sort(_starts(one)), _starts(other)
    after = np.searchsorted(runs, starts + other.run) - 1  # the last run that begins before each one ends
    return bool(((after >= 0) & (runs[after] + one.run > starts)).any())


def _starts(box: Box) -> Array:
    """Where the runs of a box begin, in bytes."""
    starts = np.full((), box.address, np.int64)
    for n, stride in zip(box.sizes, box.strides, strict=True):
        starts = starts[..., None] + np.arange(n, dtype=np.int64) * stride
    return starts.reshape(-1)


@lru_cache(maxsize=65536)
def block_bits(boxes: tuple[Box, ...]) -> int:
    """The 32 B blocks that boxes touch, as the bits of an integer."""
    bits = 0
    for box in boxes:
        first, last = box.address // BLOCK_BYTES, (box.end - 1) // BLOCK_BYTES
        if not box.sizes:
            bits |= ((1 << (last - first + 1)) - 1) << first
            continue
        if not any(s % BLOCK_BYTES for s in box.strides):
            run = (box.address + box.run - 1) // BLOCK_BYTES - first + 1
            found = (1 << run) - 1
            for n, s in zip(box.sizes, box.strides, strict=True):
                found = _repeated(found, n, s // BLOCK_BYTES)
            bits |= found << first
            continue
        starts = np.zeros((), np.int64)
        for n, s in zip(box.sizes, box.strides, strict=True):
            starts = starts[..., None] + np.arange(n, dtype=np.int64) * s
        starts = starts.reshape(-1) + (box.address - first * BLOCK_BYTES)
        touched = np.zeros(last - first + 1, np.bool_)
        for step in range(-(-box.run // BLOCK_BYTES)):
            touched[(starts + step * BLOCK_BYTES) // BLOCK_BYTES] = True
        touched[(starts + box.run - 1) // BLOCK_BYTES] = True
        bits |= int.from_bytes(np.packbits(touched, bitorder="little").tobytes(), "little") << first
    return bits
