"""From the value functions to what an instruction carries: a closure made for one core's memory.

`bind(memory, tensors, padding)`: the core's memories, the bytes of the kernel's arguments, and the byte that
padding of an image reads as.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..machine.memory import Bytes, CoreMemory

if TYPE_CHECKING:
    from ..values.values import Action, GmAction

Bind = Callable[[CoreMemory, Sequence[Bytes], int], Callable[..., Any]]


def on_core(function: Callable[..., Action], *operands: Any) -> Bind:
    """An instruction that touches the core's own memory only."""

    def bind(memory: CoreMemory, tensors: Sequence[Bytes], padding: int) -> Action:
        return function(memory, *operands)

    return bind


def with_padding(function: Callable[..., Action], *operands: Any) -> Bind:
    """The same for one that needs to know what padding reads as."""

    def bind(memory: CoreMemory, tensors: Sequence[Bytes], padding: int) -> Action:
        return function(memory, *operands, padding)

    return bind


def on_gm(function: Callable[..., GmAction], argument: int, *operands: Any) -> Bind:
    """A DMA between the core's memory and the kernel's argument `argument`."""

    def bind(memory: CoreMemory, tensors: Sequence[Bytes], padding: int) -> GmAction:
        return function(memory, tensors[argument], *operands)

    return bind


def in_turn(*binds: Bind) -> Bind:
    """Several parts of one instruction, each of which touches on-chip memory only."""

    def bind(memory: CoreMemory, tensors: Sequence[Bytes], padding: int) -> Action:
        actions = [one(memory, tensors, padding) for one in binds]

        def run() -> None:
            for action in actions:
                action()

        return run

    return bind
