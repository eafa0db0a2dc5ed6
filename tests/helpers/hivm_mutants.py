"""HIVM programs with one flag, barrier or cross-core flag taken out, and whether the emulator finds it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from triton_cases import Case

from ascend_opt import HazardError, hivm

ORDER = re.compile(r'"hivm\.hir\.(set_flag|wait_flag|pipe_barrier|sync_block_set|sync_block_wait)"')


@dataclass(frozen=True)
class Mutant:
    """A program without one op that orders others."""

    line: int
    """Of the text, from 1 on."""
    op: str
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """A program for each op that orders, in the order of the text."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if (found := ORDER.search(line)) is not None:
            yield Mutant(at + 1, found[1], "\n".join([*lines[:at], *lines[at + 1 :]]))


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
