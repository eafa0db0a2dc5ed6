"""A program with other inputs: all values computed again."""

# pyright: basic

from dataclasses import replace

import numpy as np

from differential.fairness import computed
from differential.program import Call, Program

SIZES = {1: 4, 2: 9, 3: 1, 5: 17}
"""Of a dynamic dimension: the size that a program is drawn with, and the other one that it runs at."""


def replayed(program: Program) -> Program | None:
    """The program with all values computed again; None where they no longer fit or make no fair comparison."""
    values = {a.name: a for a in program.arguments}
    numbers = np.random.default_rng(0)
    calls: list[Call] = []
    for call in program.calls:
        results = call.results
        if call.op != "constant":
            attributes = {k: v for k, v in call.attributes.items() if k not in ("fuse", "nofuse")}
            try:
                made = computed(
                    program.kind, call.op, [values[o] for o in call.operands], attributes, numbers
                )
            except (ValueError, IndexError):
                return None
            if made is None or len(made) != len(call.results):
                return None
            if any(
                old.stored.size and not new.stored.size for new, old in zip(made, call.results, strict=True)
            ):
                return None
            results = tuple(
                replace(new, name=old.name, batched=old.batched)
                for new, old in zip(made, call.results, strict=True)
            )
        calls.append(replace(call, results=results))
        values |= {v.name: v for v in results}
    return replace(program, calls=tuple(calls))


def at_another_size(program: Program) -> Program | None:
    """A program at another size of its dynamic dimension: rows again, turned. None where it has no such dimension, or
    makes no fair comparison."""
    if not any(a.batched for a in program.arguments):
        return None

    def again(rows: np.ndarray) -> np.ndarray:
        size = len(rows)
        return np.stack([np.roll(rows[k % size], k // size) for k in range(SIZES.get(size, 2 * size + 1))])

    return replayed(
        replace(
            program,
            arguments=tuple(
                replace(a, wide=again(a.wide), stored=again(a.stored)) if a.batched else a
                for a in program.arguments
            ),
        )
    )
