"""What `ascend-order` does: learn an order of tilings from stores; and the order that `ascend-tune --order` takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ...dialects.target_files import target_names
from ..text.output_files import check_output_files, put_text
from ..tune.order import Order, OrderError, read_order, trained
from ..tune.order_card import card_lines, card_of, left_out
from ..tune.tables import Table, tables_of

SQLITE = b"SQLite format 3"


def learn_order(stores: Sequence[str], output: str, chips: Sequence[str] = (), seed: int = 0) -> Order:
    """Learn an order from stores, each of one network, write it and print its card. Raises OrderError, StoreError,
    MissingExtra, OSError."""
    check_output_files(stores, {"-o": output})
    tables = _tables(stores, chips)
    rows = [table.features() for table in tables]
    order = trained(tables, rows, seed)
    order = replace(order, card={"seed": seed, **card_of(tables, list(left_out(tables, rows)))})
    put_text(output, order.to_text())
    for line in (*card_lines(order.card), f"order: {output}"):
        print(line)
    return order


def order_of(path: str, chip: str, seed: int = 0) -> Order:
    """A learned order from a file, or learned from a store with trials on this chip, or on any that is known."""
    try:
        with open(path, "rb") as file:
            is_store = file.read(len(SQLITE)) == SQLITE
    except OSError as error:
        raise OrderError(f"cannot read order {path!r}: {error.strerror}") from None
    if not is_store:
        return read_order(path)
    tables = _tables([path], (chip,))
    return trained(tables, [table.features() for table in tables], seed)


def _tables(stores: Iterable[str], chips: Sequence[str]) -> list[Table]:
    """What stores have of chips, by their names or files, and of all that are known by name."""
    found: list[Table] = []
    wanted = list(dict.fromkeys((*chips, *target_names())))
    for path in stores:
        if not Path(path).is_file():
            raise OrderError(f"there is no store {path!r}")
        found += tables_of(path, wanted, Path(path).stem)
    known = {(table.chip, table.text): table for table in reversed(found)}
    return list(reversed(known.values()))


__all__ = ["learn_order", "order_of"]
