"""The smallest graph that still fails alike: fewer results and ops, smaller dimensions, plainer inputs.

small = reduced(program, lambda p: outcome(p, chip, fuse).group == group)
"""

# pyright: basic

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from differential.program import FLOATS, Program, Value, rounded
from differential.replaying import replayed
from differential.running import Clock

SIZES = (1, 2, 3, 4, 8, 16, 17)


def reduced(program: Program, fails: Callable[[Program], bool], seconds: float = 60) -> Program:
    """The program, cut as long as it fails and time of the processor is left."""
    clock = Clock(seconds, time.process_time)
    seen = {program.text()}
    while True:
        for smaller in _smaller(program):
            if not clock.left:
                return program
            text = smaller.text()
            if text not in seen and smaller.calls:
                seen.add(text)
                if fails(smaller):
                    program = smaller
                    break
        else:
            return program


def _smaller(program: Program) -> Iterator[Program]:
    for result in program.results if len(program.results) > 1 else ():
        yield replace(program, results=(result,)).alive()
    yield from _cut_at_the_end(program)
    yield from _cut_at_the_start(program)
    yield from _bypassed(program)
    yield from _shrunk(program)
    yield from _plainer(program)


def _cut_at_the_end(program: Program) -> Iterator[Program]:
    for call in program.calls:
        if call.op != "constant":
            for value in call.results:
                if value.name not in program.results:
                    yield replace(program, results=(value.name,)).alive()


def _cut_at_the_start(program: Program) -> Iterator[Program]:
    """A call's results become arguments."""
    for call in reversed(program.calls):
        names = {v.name for v in call.results}
        if names & set(program.results):
            continue
        given = tuple(replace(v, wide=v.stored, exact=True, narrow="f32", moved=()) for v in call.results)
        calls = tuple(c for c in program.calls if c is not call)
        cut = replace(program, arguments=(*program.arguments, *given), calls=calls)
        if (again := replayed(cut)) is not None:
            yield again.alive()


def _bypassed(program: Program) -> Iterator[Program]:
    """A call's result is its operand."""
    values = program.values()
    for call in program.calls:
        for operand in call.operands:
            result = call.results[0]
            if len(call.results) > 1 or values[operand].type != result.type or result.name in program.results:
                continue
            calls = tuple(
                replace(c, operands=tuple(operand if o == result.name else o for o in c.operands))
                for c in program.calls
                if c is not call
            )
            if (again := replayed(replace(program, calls=calls))) is not None:
                yield again.alive()


def _shrunk(program: Program) -> Iterator[Program]:
    """Every dimension and attribute of one size becomes another, smaller one."""
    sizes = {n for v in program.values().values() for n in v.shape if n > 1}
    for size in sorted(sizes, reverse=True):
        for other in (n for n in SIZES if n < size):
            swap = {size: other, -size: -other}
            arguments = tuple(_cut(a, size, other) for a in program.arguments)
            calls = tuple(
                replace(c, results=tuple(_cut(v, size, other) for v in c.results))
                if c.op == "constant"
                else replace(c, attributes={k: _swapped(v, swap) for k, v in c.attributes.items()})
                for c in program.calls
            )
            if (again := replayed(replace(program, arguments=arguments, calls=calls))) is not None:
                yield again


def _swapped(value: Any, swap: dict[int, int]) -> Any:
    return tuple(swap.get(n, n) for n in value) if isinstance(value, tuple) else value


def _cut(value: Value, size: int, other: int) -> Value:
    places = tuple(slice(other) if n == size else slice(None) for n in value.shape)
    return replace(value, wide=value.wide[places].copy(), stored=value.stored[places].copy())


def _plainer(program: Program) -> Iterator[Program]:
    """An argument that is all ones or counts its elements."""
    for number, argument in enumerate(program.arguments):
        if argument.dtype not in FLOATS:
            continue
        count = np.arange(argument.stored.size, dtype=np.float32).reshape(argument.shape) % 64 + 1
        for array in (np.ones(argument.shape, np.float32), count):
            stored = rounded(array, argument.dtype)
            if np.array_equal(stored, argument.stored) or np.array_equal(
                argument.stored, np.ones(argument.shape)
            ):
                continue
            arguments = list(program.arguments)
            arguments[number] = replace(argument, wide=stored, stored=stored)
            if (again := replayed(replace(program, arguments=tuple(arguments)))) is not None:
                yield again
