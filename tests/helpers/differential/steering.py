"""Which ops follow each other: paths through the least covered pairs, often a move, a move and what sees both.

table = Coverage(ops, file)         a file: what all runs covered that were given it
path = table.path(rng)              ops such that each takes what the one before gives
table.count(program, path)
table.share()                       with the file

A pair is an op and one that takes its result, but for those whose types or dimensions never meet
(`types_along.joined`).
"""

# pyright: basic

import fcntl
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from differential.op_classes import CONSUMERS, MOVES
from differential.program import Program
from differential.types_along import gives, joined, takes

SAMPLE = 300
"""Pairs of which the least covered one is taken."""
TRIED = 1 / 20
"""What a pair counts for that was asked for and not drawn, so that one which cannot be drawn is not asked for again and
again."""
TIMES = 5
"""How often each pair is wanted."""
LENGTHS = (2, 5, 6, 7, 8)
"""Ops of a path."""

Pair = tuple[str, str]


class Coverage:
    """How often each op took another's result."""

    def __init__(self, ops: Iterable[str], file: Path | None = None):
        self.ops = sorted(ops)
        self.pairs = [(p, c) for p in self.ops for c in self.ops if joined(p, c)]
        self.file = file
        self.covered: Counter[Pair] = Counter()
        self.tried: Counter[Pair] = Counter()
        self._shared: Counter[Pair] = Counter()
        self._shared_tried: Counter[Pair] = Counter()
        self.share()

    def count(self, program: Program | None, path: Sequence[str] = ()) -> None:
        self.covered.update(set(program.pairs()) if program else ())
        self.tried.update(pairwise(path))

    def score(self, pair: Pair) -> float:
        return self.covered[pair] + self.tried[pair] * TRIED

    def worth(self, program: Program) -> float:
        """How much a program adds, for each of its ops: each pair what it lacks of TIMES."""
        lacking = (max(TIMES - self.covered[pair], 0.1) for pair in set(program.pairs()))
        return sum(lacking) / (2 + len(program.calls))

    def path(self, rng: random.Random) -> tuple[str, ...]:
        length = rng.choice(LENGTHS)
        if rng.random() < 0.3:
            moves = [one for one in sorted(MOVES) if one not in ("cast", "dropout")]
            return (*self._walk(rng, rng.choice(moves), [moves, sorted(CONSUMERS)], length),)
        lacking = self.below(TIMES) or self.pairs
        start = min(rng.sample(lacking, min(SAMPLE, len(lacking))), key=self.score)
        return (*self._walk(rng, start[0], [[start[1]]], length),)

    def _walk(
        self, rng: random.Random, first: str, choices: Sequence[Sequence[str]], length: int
    ) -> list[str]:
        """Ops of the choices, then any, each the one that followed the one before the least often."""
        path, given = [first], {t for taken in takes(first) or ("f",) for t in gives(first, taken)}
        for some in (*choices, *[self.ops] * (length - 1 - len(choices))):
            fitting = [op for op in some if given & set(takes(op))]
            if not fitting:
                break
            rng.shuffle(fitting)
            path.append(min(fitting, key=lambda op: self.score((path[-1], op))))
            given = {t for taken in takes(path[-1]) if taken in given for t in gives(path[-1], taken)}
        return path

    def below(self, times: int) -> list[Pair]:
        """The pairs that were covered less often."""
        return [pair for pair in self.pairs if self.covered[pair] < times]

    def table(self, most: int = TIMES) -> str:
        """How many pairs were covered at least how often."""
        counts = (f"{times}: {len(self.pairs) - len(self.below(times))}" for times in range(1, most + 1))
        return f"of {len(self.pairs)} pairs, covered at least N times  " + "  ".join(counts)

    def share(self) -> None:
        """Add to the file what was counted since, and take from it what others counted."""
        if self.file is None:
            return
        with self.file.open("a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            known = json.loads(file.read() or '{"covered": {}, "tried": {}}')
            self.covered = self._merged(known["covered"], self.covered - self._shared)
            self.tried = self._merged(known["tried"], self.tried - self._shared_tried)
            self._shared, self._shared_tried = self.covered.copy(), self.tried.copy()
            written = {"covered": self.covered, "tried": self.tried}
            named = {key: {">".join(p): n for p, n in sorted(c.items())} for key, c in written.items()}
            file.truncate(0)
            file.write(json.dumps(named, indent=0) + "\n")

    def _merged(self, known: dict[str, int], more: Counter[Pair]) -> Counter[Pair]:
        pairs = {(p, c): n for name, n in known.items() for p, c in (name.split(">"),)}
        return Counter(pairs) + more
