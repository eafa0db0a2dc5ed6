"""Classes of element types: what ops take and give. "f" stands for every floating-point type."""

# pyright: basic

import random
from collections.abc import Sequence

from ascend_opt.dialects import graph
from differential.op_classes import MOVES, RANKS
from differential.program import FLOATS

ALL = ("f", "i1", "i8", "i32")
TAKES: dict[str, tuple[str, ...]] = {
    "logical_and": ("i1",), "logical_or": ("i1",), "logical_xor": ("i1",), "logical_not": ("i1",),
    "select": ("f", "i1", "i32"), "attention": ("f", "i1"), "gather": ("f", "i1", "i32"), "embedding_bag": ("f", "i32"),
    "scatter": ("f", "i32"), "one_hot": ("i32",), "dequantize": ("i8",), "cast": ALL, "reshape": ALL,
}  # fmt: skip
"""Of each op that takes anything but floating-point numbers."""
TAKES |= {
    op.short_name(): ("f", *(t for t in ALL[1:] if getattr(op, f"TAKES_{t.upper()}")))
    for op in graph.OPS
    if op.short_name() in MOVES and op.short_name() not in TAKES
}
WHOLE = tuple(op.short_name() for op in graph.OPS if op.TAKES_I32 and op.short_name() not in TAKES)
"""Ops that compute in i32."""
TAKES |= dict.fromkeys(WHOLE, ("f", "i32"))
GIVES: dict[str, tuple[str, ...]] = {
    "compare": ("i1",), "is_nan": ("i1",), "logical_and": ("i1",), "logical_or": ("i1",), "logical_xor": ("i1",),
    "logical_not": ("i1",), "argmax": ("i32",), "topk": ("f", "i32"), "quantize": ("i8",), "cast": ALL,
    "constant": ALL,
}  # fmt: skip


IMAGES = {op: rank for op, rank in RANKS.items() if not op.endswith("norm")}
"""The dimensions of ops of images, which are those of what they give."""


def class_of(dtype: str) -> str:
    return "f" if dtype in FLOATS else dtype


def takes(op: str) -> tuple[str, ...]:
    return () if op == "constant" else TAKES.get(op, ("f",))


def gives(op: str, taken: str) -> tuple[str, ...]:
    if op in GIVES:
        return GIVES[op]
    if op == "gather" and taken == "i32":  # the indices
        return ("f", "i1", "i32")
    if op in (*WHOLE, "select") and taken == "i32":
        return ("i32",)
    return (taken,) if op in MOVES else ("f",)


def joined(producer: str, consumer: str) -> bool:
    """Whether the second op takes what the first may give: of its type, and of as many dimensions where both are ops of
    images, or the one is and the other takes numbers as a table."""
    met = {t for taken in takes(producer) or ALL for t in gives(producer, taken)} & set(takes(consumer))
    if met != {"f"}:
        return bool(met)
    if consumer == "embedding_bag":
        return producer not in RANKS
    return IMAGES.get(producer) == IMAGES.get(consumer) or not {producer, consumer} <= set(IMAGES)


def types_along(path: Sequence[str], rng: random.Random) -> list[str] | None:
    """What lies before the first op, between the ops, and after the last one; None where they do not fit."""

    def search(number: int, taken: str) -> list[str] | None:
        if number == len(path):
            return [taken]
        if taken not in takes(path[number]) and path[number] != "constant":
            return None
        choices = list(gives(path[number], taken))
        rng.shuffle(choices)
        if "f" in choices and rng.random() < 0.6:
            choices.sort(key=lambda one: one != "f")
        for given in choices:
            if (rest := search(number + 1, given)) is not None:
                return [taken, *rest]
        return None

    starts = list(takes(path[0]) or ALL)
    rng.shuffle(starts)
    if "f" in starts and rng.random() < 0.6:
        starts.sort(key=lambda one: one != "f")
    for start in starts:
        if (found := search(0, start)) is not None:
            return found
    return None
