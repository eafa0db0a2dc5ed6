"""Memrefs of HIVM as parts of buffers and tensors: where they begin, how large they are, how far their elements lie
apart."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from xdsl.dialects.builtin import (
    MemRefType,
)
from xdsl.ir import Attribute, SSAValue

from ...dialects.element_types import ELEMENT_BYTES
from ...dialects.hivm.attributes import space_name
from ...dialects.records import dataclass
from .emitter import Emitter
from .numbers import Idx


@dataclass(frozen=True)
class Ref:
    """Elements of a buffer's slot, or of a tensor in GM. Those of `i1` are bits of bytes: offset, sizes and strides
    count them, `base` has the bytes."""

    base: SSAValue
    space: str
    dtype: str
    sizes: tuple[Idx, ...]
    strides: tuple[int, ...]
    offset: Idx = 0
    slot: Idx | None = None

    @property
    def itemsize(self) -> int:
        return ELEMENT_BYTES[self.dtype]

    @property
    def lanes(self) -> int:
        """Elements of a 32 B block."""
        return 32 // self.itemsize

    def part(self, dims: Sequence[int]) -> "Ref":
        """With these of its dimensions alone."""
        return replace(
            self, sizes=tuple(self.sizes[d] for d in dims), strides=tuple(self.strides[d] for d in dims)
        )


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for size in reversed(sizes):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def memref_of(value: SSAValue | Attribute) -> MemRefType[Attribute]:
    return cast(MemRefType[Attribute], value.type if isinstance(value, SSAValue) else value)


def dtype_name(kind: MemRefType[Attribute]) -> str:
    return str(kind.element_type)


def space_of(kind: MemRefType[Attribute]) -> str:
    return space_name(kind.memory_space)


def flat(emit: Emitter, refs: Sequence[Ref]) -> list[Ref]:
    """Refs of one shape without dimensions of 1, those that lie behind each other in all of them being one."""
    rank = len(refs[0].sizes)
    kept = [d for d in range(rank) if refs[0].sizes[d] != 1]
    found = [ref.part(kept) for ref in refs]
    at = len(kept) - 1
    while at > 0:
        size = found[0].sizes[at]
        if isinstance(size, int) and all(ref.strides[at - 1] == ref.strides[at] * size for ref in found):
            merged = emit.mul(found[0].sizes[at - 1], size)
            found = [
                replace(
                    ref,
                    sizes=(*ref.sizes[: at - 1], merged, *ref.sizes[at + 1 :]),
                    strides=(*ref.strides[: at - 1], *ref.strides[at:]),
                )
                for ref in found
            ]
        at -= 1
    return found


def moved(emit: Emitter, ref: Ref, index: Idx, step: int) -> Ref:
    """The ref, `index` steps of `step` elements further on."""
    return replace(ref, offset=emit.add(ref.offset, emit.mul(index, step)))
