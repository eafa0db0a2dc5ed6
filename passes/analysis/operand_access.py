"""The blocks that an operand of an instruction touches, by what indices and slots are: found once for all traces of a
kernel."""

from collections.abc import Mapping
from operator import itemgetter

from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import element_bytes, memref_type, space_of
from .block_mask import BLOCK, block_mask, unaligned
from .trace_steps import Access


def _nothing(values: object) -> None:
    """What is looked up of a view that is always the same."""


Masks = dict[tuple[object, ...], int]
"""Masks of views that start in the first block, by where in it, sizes, strides and bytes of an element."""


class OperandAccess:
    """What an operand touches. Its buffer's slots lie at `addresses`, without them where memory planning has put them;
    `masks` are those of the kernel's operands. `whole`: all of its buffer counts as touched."""

    def __init__(
        self,
        view: ascend.ViewOp,
        write: bool,
        addresses: Mapping[Operation, tuple[int, ...]] | None,
        masks: Masks,
        whole: bool = False,
    ):
        base = view.base
        self._item = element_bytes(base)
        self._first, self._write, self._slot = view.start.value.data * self._item, write, view.slot
        self._offset, self._chosen = (None if v is None else id(v) for v in (view.offset, view.slot))
        self._sizes = tuple(s if isinstance(s, int) else id(s) for s in view.mixed_sizes())
        self._dynamic = [i for i, s in enumerate(view.mixed_sizes()) if isinstance(s, SSAValue)]
        self._strides = tuple(s * self._item for s in view.element_strides())
        if whole:
            self._first, self._offset, self._dynamic = 0, None, []
            self._sizes, self._strides = (memref_type(base).element_count(),), (self._item,)
        self._buffer: Operation | None = None
        self._space, self._addresses = space_of(base), (0,)
        if isinstance(base, BlockArgument):
            self._space = f"gm{base.index}"
        else:
            buffer = base.owner
            assert isinstance(buffer, ascend.BufferOp)
            planned = buffer.slot_addresses if addresses is None else addresses[buffer]
            assert planned is not None, "synchronisation needs planned addresses"
            self._buffer, self._addresses = buffer, planned
        self._masks = masks
        found = (self._chosen, self._offset, *(self._sizes[i] for i in self._dynamic))
        numbers = [value for value in found if value is not None]
        self._looked_up = itemgetter(*numbers) if numbers else _nothing
        self._known: dict[object, Access] = {}

    def now(self, values: Mapping[int, int]) -> Access:
        """The access, where `values` says by its `id` what each value is."""
        key = self._looked_up(values)
        found = self._known.get(key)
        if found is None:
            at = 0 if self._chosen is None else values[self._chosen]
            move = 0 if self._offset is None else values[self._offset]
            mask = self._mask(at, move, values)
            found = self._known[key] = Access(self._space, mask, self._write, self._buffer, self._slot, at)
        return found

    def _mask(self, at: int, move: int, values: Mapping[int, int]) -> int:
        item, strides = self._item, self._strides
        sizes = tuple(values[s] if i in self._dynamic else s for i, s in enumerate(self._sizes))
        begin = self._first + move * item
        start = self._addresses[at] + begin
        key = start % BLOCK, sizes, strides, item
        if key not in self._masks:
            self._masks[key] = block_mask(start % BLOCK, sizes, strides, item)
        mask = self._masks[key] << (start // BLOCK)
        if self._buffer is None and unaligned(begin, sizes, strides, item):
            # another trip's rows may start or end in the blocks beside these
            mask |= mask << 1 | mask >> 1
        if self._buffer is None and begin % BLOCK:
            mask |= mask << 1 | mask >> 1
        return mask
