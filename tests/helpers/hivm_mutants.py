"""HIVM programs with a flag, a barrier or a cross-core flag taken out, and whether the emulator finds it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from triton_cases import Case

from ascend_opt import HazardError, hivm

ORDER = re.compile(r'^( *)"hivm\.hir\.(set_flag|wait_flag|pipe_barrier|sync_block_set|sync_block_wait)"(.*)$')


@dataclass(frozen=True)
class Mutant:
    """A program without some of the ops that order others: one op, or a flag's set and the wait behind it."""

    lines: tuple[int, ...]
    """Of the text, from 1 on."""
    op: str
    """What was taken out: the name of an op, or `flag`."""
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """A program without each single op that orders, then one without each flag whose set and wait are in one block."""
    lines = text.splitlines()
    ops = [(at, found) for at, line in enumerate(lines) if (found := ORDER.match(line)) is not None]
    for at, found in ops:
        yield _without(lines, (at,), found[2])
    for number, (at, found) in enumerate(ops):
        if found[2] == "set_flag" and (wait := _wait(lines, ops[number + 1 :], found)) is not None:
            yield _without(lines, (at, wait), "flag")


def _wait(lines: list[str], after: list[tuple[int, re.Match[str]]], put: re.Match[str]) -> int | None:
    """The line of the wait in the same block that takes what a set gives."""
    start = next((at for at, _ in after), 0)
    for at, found in after:
        if any(len(line) - len(line.lstrip()) < len(put[1]) for line in lines[start:at]):
            return None
        if found[3] == put[3] and found[1] == put[1]:
            return at if found[2] == "wait_flag" else None
    return None


def _without(lines: list[str], gone: tuple[int, ...], op: str) -> Mutant:
    left = [line for at, line in enumerate(lines) if at not in gone]
    return Mutant(tuple(at + 1 for at in gone), op, "\n".join(left))


def finding(mutant: Mutant, case: Case) -> str | None:
    """The kind of hazard that a mutant has at some size of a case; None: what was taken out is redundant there."""
    module = hivm.load(mutant.text)
    for sizes in case.sizes:
        arguments = case.arguments(sizes)
        try:
            module.launch(case.grid(arguments), arguments, names=tuple(arguments))
        except HazardError as hazard:
            return hazard.kind
    return None
