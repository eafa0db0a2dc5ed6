"""A run of many graphs on one chip: draws, runs, counts, and reports each failure with its smallest graph.

A graph is known by its name, `SEED/MODE/OP>OP>...`, and the chip: `--program NAME` draws it again.
"""

# pyright: basic

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from ascend_opt.dialects.target import load_target
from differential.drawing import drawn
from differential.generators import GENERATORS
from differential.program import Program
from differential.reduction import reduced
from differential.running import MODES, REFUSED, RIGHT, WRONG, Clock, Outcome, marked, outcome
from differential.steering import TIMES, Coverage

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
WEIGHTS = (58, 20, 12, 10)
"""How often each mode is taken."""
CANDIDATES = 4
SHARED = 50
"""Programs after which coverage is shared with other runs."""
COMMAND = "python tests/fuzz/differential.py"


@dataclass(frozen=True)
class Named:
    """What a graph is drawn from."""

    seed: int
    mode: str
    path: tuple[str, ...]

    @staticmethod
    def of(name: str) -> "Named":
        seed, mode, path = name.split("/")
        return Named(int(seed), mode, tuple(path.split(">")))

    def __str__(self) -> str:
        return f"{self.seed}/{self.mode}/{'>'.join(self.path)}"

    def program(self, chip: str) -> Program | None:
        program = drawn(self.seed, self.path, load_target(chip), self.mode == "dynamic")
        return marked(program, str(self)) if program and self.mode == "marked" else program

    def outcome(self, program: Program, chip: str) -> Outcome:
        return outcome(program, chip, self.mode != "unfused")


@dataclass(frozen=True)
class Failure:
    name: Named
    chip: str
    outcome: Outcome
    small: Program

    def text(self) -> str:
        command = f"{COMMAND} --chip {self.chip} --program '{self.name}'"
        return f"// {self.outcome.message.splitlines()[0]}\n// {command}\n{self.small.text()}\n"


@dataclass
class Campaign:
    """`found` is called with each failure, reduced. The table of pairs is that of this chip."""

    chip: str
    seed: int
    found: Callable[[Failure], None]
    reduce_for: float = 30
    coverage: Coverage = field(default_factory=lambda: Coverage(GENERATORS))
    outcomes: Counter[str] = field(default_factory=Counter)
    marks_refused: int = 0
    """Programs whose marks ask for no legal kernel: they run without them."""
    refusals: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    modes: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    refused_by: dict[str, str] = field(default_factory=dict)

    def run(self, programs: int | None, seconds: float | None, draw_only: bool = False) -> None:
        rng = random.Random(f"{self.seed}/{self.chip}")
        clock, done = Clock(seconds), 0
        while clock.left and (programs is None or done < programs):
            drawn = self._drawn(rng)
            if drawn is None:
                continue
            done += 1
            self.coverage.count(drawn[1])
            if draw_only:
                self.outcomes["drawn"] += 1
            else:
                self.one(*drawn)
            if done % SHARED == 0:
                self.coverage.share()
        self.coverage.share()

    def _drawn(self, rng: random.Random) -> tuple[Named, Program] | None:
        """Of several graphs the one that adds the most pairs: to draw one costs little of what it takes to run it."""
        found: list[tuple[Named, Program]] = []
        for _ in range(CANDIDATES):
            mode = rng.choices(MODES, WEIGHTS)[0]
            name = Named(rng.getrandbits(31), mode, self.coverage.path(rng))
            program = name.program(self.chip)
            self.coverage.count(None, name.path)
            if program is not None:
                found.append((name, program))
        return max(found, key=lambda one: self.coverage.worth(one[1]), default=None)

    def one(self, name: Named, program: Program) -> Outcome:
        result = name.outcome(program, self.chip)
        if result.kind == REFUSED and name.mode == "marked" and "in group" in result.message:
            self.marks_refused += 1  # no legal kernel is what was asked for: the same graph without marks
            name = replace(name, mode="fused")
            program = name.program(self.chip) or program
            result = name.outcome(program, self.chip)
        self.outcomes[result.kind] += 1
        self.modes[name.mode] += 1
        self.kinds[program.kind] += 1
        if result.kind == REFUSED:
            self.refusals[result.group] += 1
            self.refused_by.setdefault(result.group, f"{name}: {result.message.splitlines()[0]}")
        if result.failed:
            small = reduced(program, lambda p: self._alike(name, p, result), self.reduce_for)
            ops = ", ".join(sorted({call.op for call in small.calls}))
            self.failures[f"{result.group} ({ops})"] += 1
            self.found(Failure(name, self.chip, name.outcome(small, self.chip), small))
        return result

    def _alike(self, name: Named, program: Program, result: Outcome) -> bool:
        """Whether a smaller program fails as the drawn one: wrong results, however far off, are alike."""
        other = name.outcome(program, self.chip)
        return other.kind == result.kind == WRONG or other.group == result.group

    def summary(self) -> dict[str, object]:
        pairs = self.coverage
        return {
            "chip": self.chip, "seed": self.seed, "date": time.strftime("%Y-%m-%d %H:%M"),
            "outcomes": dict(self.outcomes), "marks refused": self.marks_refused,
            "modes": dict(self.modes), "kinds": dict(self.kinds),
            "pairs": len(pairs.pairs), "covered": len(pairs.pairs) - len(pairs.below(1)),
            "covered five times": len(pairs.pairs) - len(pairs.below(TIMES)),
            "refusals": dict(self.refusals.most_common()), "failures": dict(self.failures.most_common()),
        }  # fmt: skip

    def log(self, path: Path) -> None:
        """Append the summary as a line of JSON, with all pairs that were covered."""
        covered = {f"{p}>{c}": n for (p, c), n in sorted(self.coverage.covered.items())}
        line = json.dumps({**self.summary(), "refused by": self.refused_by, "coverage": covered})
        with path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


__all__ = ["CHIPS", "RIGHT", "Campaign", "Failure", "Named"]
