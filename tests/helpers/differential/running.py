"""Compiles a graph, runs it with hazards on, and says how it came out."""

# pyright: basic

import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

import ascend_opt
from ascend_opt.runtime.support.hazard import HazardError
from differential.program import BOUNDS, FLOATS, STORED_AS, Program, Value
from differential.replaying import at_another_size
from differential.roundings import bound, tolerance

RIGHT, WRONG, HAZARD, INTERNAL, REFUSED, SLOW = "right", "wrong", "hazard", "internal", "refused", "slow"
LIMIT = 300
"""Seconds for one program."""
MODES = ("fused", "unfused", "marked", "dynamic")


@dataclass(frozen=True)
class Outcome:
    kind: str
    message: str = ""

    @property
    def group(self) -> str:
        """The message without names, numbers and places: alike for alike failures."""
        text = re.sub(r"<string>:\d+:\d+: |line \d+|%\w+|@\w+|\"[^\"]*\"", "", self.message.split("\n")[0])
        plain = re.sub(r"[-\d.]+(e-?\d+)?", "N", text)
        return f"{self.kind}: {plain[:160]}"

    @property
    def failed(self) -> bool:
        return self.kind in (WRONG, HAZARD, INTERNAL, SLOW)


def marked(program: Program, seed: str) -> Program:
    """The graph with ops in groups that are to be fused, mostly ops that follow each other, and ops that are not."""
    rng = Random(seed)
    marks: list[dict[str, Any]] = [{"fuse": f"g{i}"} for i in range(rng.choice((1, 1, 2, 3)))]
    marks += [{"nofuse": True}, {}]
    mark, calls = rng.choice(marks), []
    for call in program.calls:
        if rng.random() < 0.3:
            mark = rng.choice(marks)
        plain = call.op in ("constant", "reshape")
        calls.append(call if plain else replace(call, attributes={**call.attributes, **mark}))
    return replace(program, calls=tuple(calls))


def outcome(program: Program, chip: str, fuse: bool, tune: int = 1) -> Outcome:
    """How the program's results compare with what they must be."""
    try:
        with _limited(LIMIT):
            compiled = ascend_opt.compile(program.text(), target=chip, fuse=fuse, tune=tune)
            outputs = list(compiled.run(program.inputs()).outputs.values())
            other = at_another_size(program)
            more = list(compiled.run(other.inputs()).outputs.values()) if other else []
    except TimeoutError:
        return Outcome(SLOW, f"more than {LIMIT} s")
    except ascend_opt.CompileError as error:
        own = re.search(r"internal error|error: (tile|ascend)[.:-]", str(error))
        return Outcome(INTERNAL if own else REFUSED, str(error))
    except HazardError as error:
        return Outcome(HAZARD, str(error))
    except Exception as error:
        return Outcome(INTERNAL, f"{type(error).__name__}: {error}")
    if wrong := _wrong(program, outputs):
        return Outcome(WRONG, wrong)
    if other and (wrong := _wrong(other, more)):
        return Outcome(WRONG, f"at another run-time size: {wrong}")
    return Outcome(RIGHT)


def _wrong(program: Program, outputs: Sequence[Any]) -> str | None:
    """The first result that differs."""
    values = program.values()
    for number, (name, got) in enumerate(zip(program.results, outputs, strict=True)):
        if wrong := difference(program.kind, values[name], np.asarray(got)):
            return f"result {number}: {wrong}"
    return None


def difference(kind: str, value: Value, got: np.ndarray) -> str | None:
    """How a result differs: at all where it is exact, else by more than its tolerance."""
    if got.shape != value.shape:
        return f"shape {got.shape} for {value.shape}"
    want = value.stored.astype(STORED_AS[value.dtype])
    if value.dtype not in FLOATS or value.exact:
        return _elements((got == want) | ((got != got) & (want != want)), got, want)
    if kind == "extreme":
        least = BOUNDS[value.narrow]
        got, want = got.astype(np.float64), want.astype(np.float64)
        return _elements(np.isclose(got, want, least * 2, least / 10, equal_nan=True), got, want)
    got, want = got.astype(np.float64), value.wide.astype(np.float64)
    norm = np.linalg.norm(want)
    error = float(np.linalg.norm(got - want) / norm) if norm else float(np.abs(got).max(initial=0))
    if not error <= bound(value):
        return f"relative error {error:.1e}, bound {bound(value):.1e}"
    return _elements(np.abs(got - want) <= tolerance(value), got, want)


def _elements(same: np.ndarray, got: np.ndarray, want: np.ndarray) -> str | None:
    if same.all():
        return None
    first = tuple(int(i) for i in np.argwhere(~same)[0])
    return f"{(~same).sum()} of {same.size} elements, first {list(first)}: {got[first]} for {want[first]}"


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """TimeoutError after so many seconds, in a program's main thread."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class Clock:
    """Seconds left of a number of them, on a wall or of this process; None: for ever."""

    def __init__(self, seconds: float | None, now: Callable[[], float] = time.monotonic):
        self.now, self.end = now, None if seconds is None else now() + seconds

    @property
    def left(self) -> bool:
        return self.end is None or self.now() < self.end


__all__ = [
    "HAZARD",
    "INTERNAL",
    "MODES",
    "REFUSED",
    "RIGHT",
    "SLOW",
    "WRONG",
    "Clock",
    "Outcome",
    "marked",
    "outcome",
]
