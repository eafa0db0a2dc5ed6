"""Which labels the results of instructions have (shadow.py): those of what each element is computed from.

Moves need no function of their own: what moves the bytes moves their labels as well.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..machine.costs import ceil_div
from ..machine.memory import Array, Bytes, View
from ..program.storage import DEFINED, UNWRITTEN
from ..values.values import Action, GmAction, bind_gm_atomic, bind_padded_copy, rows_of
from .shadow import Reader, spread_over, words_of

Spread = Callable[[Reader, Sequence[Bytes]], Callable[..., Any]]


def _most(labels: Sequence[Array | None], shape: Sequence[int]) -> Array | int:
    """One label of several for each element; 0 where all are defined."""
    found: Array | int = 0
    for one in labels:
        if one is not None:
            found = np.maximum(found, one.reshape(shape))
    return found


def of_elements(sources: Sequence[View], destination: View) -> Spread:
    """Each element of the result is computed from those in its own place; a fill from none."""

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> Action:
        def run() -> None:
            reader.write(destination, _most([reader.read(view) for view in sources], destination.sizes))

        return run

    return bind


def of_padded(argument: int, source: View, destination: View, left: int) -> Spread:
    """What a DMA loads and fills up: the number that it fills with is defined."""

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> GmAction:
        return bind_padded_copy(reader.tracker.shadow, tensors[argument], source, destination, 0, left)

    return bind


def of_atomic(argument: int, source: View, destination: View) -> Spread:
    """What is joined to an element counts beside what is there."""

    def in_bytes(view: View) -> View:
        sizes = (*view.sizes[:-1], view.sizes[-1] * view.itemsize)
        return replace(view, itemsize=1, sizes=sizes, strides=(*view.strides[:-1], 1))

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> GmAction:
        return bind_gm_atomic(
            reader.tracker.shadow,
            tensors[argument],
            (in_bytes(source), in_bytes(destination)),
            "max",
            np.uint8,
        )

    return bind


def of_blocks(source: View, destination: View) -> Spread:
    """Each element of the source fills a block."""

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> Action:
        def run() -> None:
            labels = reader.read(source)
            if labels is not None:
                labels = np.broadcast_to(labels, destination.sizes)
            reader.write(destination, 0 if labels is None else labels)

        return run

    return bind


def of_gathered(sources: Sequence[View], destination: View) -> Spread:
    """Each element comes from where its offset says."""
    table, offsets = sources

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> Action:
        def run() -> None:
            lanes = np.zeros(table.sizes, np.bool_)
            index = reader.memory.array(offsets) // table.itemsize
            lanes[index] = True
            found, where = reader.read(table, lanes), reader.read(offsets)
            reader.write(
                destination, _most([None if found is None else found[index], where], destination.sizes)
            )

        return run

    return bind


def of_repeats(source: View, destination: View) -> Spread:
    """Each element of the result is computed from a repeat."""

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> Action:
        def run() -> None:
            labels = reader.read(source)
            if labels is not None:
                labels = labels.reshape(destination.sizes[0], -1).max(axis=1)
            reader.write(destination, _most([labels], destination.sizes))

        return run

    return bind


def of_comparison(sources: Sequence[View], mask: View) -> Spread:
    """Each bit of a mask is computed from the elements in its place."""

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> Action:
        def run() -> None:
            labels = _most([reader.read(view) for view in sources], sources[0].sizes)
            if not isinstance(labels, int):
                reader.mask_bits(mask)[...] = np.packbits(labels == DEFINED, bitorder="little")
                behind = -labels.size % 8  # bits of the last byte that no element has
                labels = np.pad(labels, (0, behind), constant_values=DEFINED).reshape(-1, 8).max(axis=1)
            reader.write(mask, labels)

        return run

    return bind


def of_selection(sources: Sequence[View], destination: View) -> Spread:
    """Each element is computed from a bit of the mask and from the source that the bit says; without a second one from
    a number."""
    mask, *chosen_from = sources

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> Action:
        def run() -> None:
            (count,) = destination.sizes
            bytes_of = reader.memory.array(mask).view(np.uint8)
            bits = np.unpackbits(bytes_of, count=count, bitorder="little").astype(np.bool_)
            labels = reader.read(mask)
            if labels is not None:
                defined = np.unpackbits(reader.mask_bits(mask), count=count, bitorder="little")
                labels = np.where(defined, DEFINED, np.repeat(labels, 8)[:count])
            sides = zip(chosen_from, (bits, ~bits), strict=False)
            taken = [(reader.read(view, lanes), lanes) for view, lanes in sides]
            chosen = [None if found is None else np.where(lanes, found, DEFINED) for found, lanes in taken]
            reader.write(destination, _most([labels, *chosen], destination.sizes))

        return run

    return bind


def of_product(
    a: View, b: View, c: View, m: int, n: int, k: int, init: bool, bias: View | None = None
) -> Spread:
    """Each sum is computed from a row and a column below k; lanes past m and n hold nothing."""
    k0 = a.sizes[3]
    m1, n1, k1 = ceil_div(m, 16), ceil_div(n, 16), ceil_div(k, k0)
    left, right, tile = a.part(m1, k1, 16, k0), b.part(k1, n1, 16, k0), c.part(n1, m1 * 16, 16)
    spilled = tile.part(1, m1 * 16, 16 * n1 - n, at=(n1 - 1, 0, n - 16 * (n1 - 1)))
    below = np.zeros((n1 * 16, m1 * 16), np.bool_)
    below[:n, :m] = True
    lanes = below.reshape(n1, 16, m1 * 16).swapaxes(1, 2)  # as the tile lies: [N1, M, 16]
    past = tile.part(n1, m1 * 16 - m, 16, at=(0, m, 0))

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> Action:
        def run() -> None:
            rows, columns = reader.read(left), reader.read(right)
            row = None if bias is None else reader.read(bias)
            found: Array | int = 0
            if rows is not None:
                found = rows.transpose(0, 2, 1, 3).reshape(m1 * 16, -1)[:, :k].max(axis=1).reshape(1, -1, 1)
            if columns is not None:
                by_column = columns.transpose(1, 2, 0, 3).reshape(n1 * 16, -1)[:, :k].max(axis=1)
                found = np.maximum(found, by_column.reshape(n1, 1, 16))
            if row is not None:
                by_column = np.pad(row, (0, n1 * 16 - n))
                found = np.maximum(found, by_column.reshape(n1, 1, 16))
            if init:
                reader.write(tile, found)
            elif not isinstance(found, int):
                reader.write(
                    tile, _most([np.broadcast_to(found, tile.sizes), reader.read(tile, lanes)], tile.sizes)
                )
            for part in (past, spilled):
                if not part.empty:
                    reader.write(part, UNWRITTEN)

        return run

    return bind


def of_drain(source: View, destination: View, row: View | None = None) -> Spread:
    """What FixPipe leaves on chip of an accumulator [N1, M, 16], as it lies or row by row."""

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> Action:
        def run() -> None:
            reader.write(destination, _drained(reader, source, destination.sizes, row))

        return run

    return bind


def of_drain_to_gm(argument: int, source: View, destination: View, row: View | None = None) -> Spread:
    """The same for a tensor in GM."""

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> GmAction:
        data, word = tensors[argument].data, words_of(destination)

        def store(offset: int) -> None:
            labels = _drained(reader, source, destination.sizes, row)
            words = np.ndarray(destination.sizes, word, data, offset, destination.strides)
            spread_over(labels, words)

        return store

    return bind


def _drained(reader: Reader, source: View, sizes: Sequence[int], row: View | None) -> Array | int:
    """Labels of [M, N] elements, or of [N1, M, 16]."""
    lanes = None
    if len(sizes) == 2:
        below = np.zeros((source.sizes[0] * 16, source.sizes[1]), np.bool_)
        below[: sizes[1], : sizes[0]] = True
        lanes = below.reshape(-1, 16, source.sizes[1]).swapaxes(1, 2)
    columns = None if row is None else reader.read(row)
    if columns is not None:
        columns = np.pad(columns, (0, 16 * source.sizes[0] - columns.size)).reshape(-1, 1, 16)
        columns = np.broadcast_to(columns, source.sizes)
    labels = _most([reader.read(source, lanes), columns], source.sizes)
    return labels if isinstance(labels, int) or lanes is None else rows_of(labels, *sizes)


def in_turn(*spreads: Spread) -> Spread:
    """Of several parts of one instruction."""

    def bind(reader: Reader, tensors: Sequence[Bytes]) -> Action:
        actions = [spread(reader, tensors) for spread in spreads]

        def run() -> None:
            for action in actions:
                action()

        return run

    return bind
