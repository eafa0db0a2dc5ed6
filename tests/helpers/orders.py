"""What a program orders, worked out without clocks: a graph of starts and completions, and who reaches whom.

Each step of a core starts and completes. On a pipe steps start one after the other; a flag, a barrier or a flag
between cores makes what follows it start when what it stands for is complete. Two accesses to one block, of which one
writes, are in order when the completion of one reaches the start of the other.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

Block = tuple[str, int, int]
"""Memory, whose it is (-1: GM), and the number of a block of 32 B."""


@dataclass(frozen=True)
class Step:
    """Something that a core does: an instruction of a pipe, a flag or a barrier. `kind`: `do`, `set`, `wait`,
    `barrier`, `all`, `cross_set`, `cross_wait`."""

    core: int
    kind: str
    pipe: str = ""
    other: str = ""
    event: int = 0
    reads: frozenset[Block] = frozenset()
    writes: frozenset[Block] = frozenset()


@dataclass
class Orders:
    """The graph of steps in one order in which they can be executed; `peers`: whom a core's cross-core flags go to.
    With `ordered` the instructions of a pipe are complete one after the other."""

    steps: list[Step]
    peers: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    ordered: bool = False

    def __post_init__(self) -> None:
        self.after: dict[int, list[int]] = defaultdict(list)
        """Of each start (2 i) and completion (2 i + 1) what cannot be before it."""
        last: dict[tuple[int, str], int] = {}
        issued: dict[int, int] = {}
        on: dict[tuple[int, str], list[int]] = defaultdict(list)
        flags: dict[tuple[int, str, str, int], int] = {}
        crossed: dict[tuple[int, int, int], list[int]] = defaultdict(list)
        for i, step in enumerate(self.steps):
            self.after[2 * i].append(2 * i + 1)
            pipe = step.core, step.pipe
            if pipe in last:
                self.after[2 * last[pipe]].append(2 * i)
            if step.core in issued:  # what the scalar unit waited for
                self.after[2 * issued[step.core] + 1].append(2 * i)
            if step.kind in ("set", "barrier", "cross_set"):
                for before in on[pipe]:  # a flag comes up, and a barrier ends, when all of these are complete
                    self.after[2 * before + 1].append(2 * i + 1 if step.kind != "barrier" else 2 * i)
            if step.kind == "set":
                flags[_flag(step)] = i
            elif step.kind == "wait":
                came = flags[_flag(step)]
                self.after[2 * came + 1].append(2 * i)
            elif step.kind == "all":
                for (core, _), several in on.items():
                    if core == step.core:
                        for before in several:
                            self.after[2 * before + 1].append(2 * i)
            elif step.kind == "cross_set":
                for peer in self.peers[step.core]:
                    crossed[step.core, peer, step.event].append(i)
            elif step.kind == "cross_wait":
                for peer in self.peers[step.core]:
                    came = crossed[peer, step.core, step.event].pop(0)
                    self.after[2 * came + 1].append(2 * i)
            if step.kind in ("all", "cross_wait") or (step.kind, step.pipe) == ("wait", "S"):
                issued[step.core] = i
            on[pipe].append(i)
            last[pipe] = i

        self.reached = [0] * (2 * len(self.steps))
        """Of each start and completion those that come after it, as bits; none comes before it in `steps`."""
        for node in reversed(range(2 * len(self.steps))):
            for later in self.after[node]:
                self.reached[node] |= 1 << later | self.reached[later]

    def in_order(self, earlier: int, later: int) -> bool:
        """Whether step `earlier` is complete when step `later` starts."""
        return bool(self.reached[2 * earlier + 1] >> 2 * later & 1)

    def unordered(self) -> Iterator[tuple[str, int, int, frozenset[Block]]]:
        """The kind of each hazard, the two steps, and the blocks where they meet."""
        lowered: dict[tuple[int, str, str, int], int] = {}
        raised: dict[tuple[int, str, str, int], int] = {}
        crossed: dict[tuple[int, int], int] = {}
        for i, step in enumerate(self.steps):
            if step.kind == "set":
                key = _flag(step)
                if key in raised:
                    yield "flag-set-twice", raised[key], i, frozenset()
                elif key in lowered and not self.in_order(lowered[key], i):
                    yield "flag-set-twice", lowered[key], i, frozenset()
                raised[key] = i
            elif step.kind == "cross_set":
                before = crossed.get((step.core, step.event))
                if before is not None and not self.reached[2 * before + 1] >> 2 * i + 1 & 1:
                    yield "flag-set-twice", before, i, frozenset()
                crossed[step.core, step.event] = i
            elif step.kind == "wait":
                key = _flag(step)
                raised.pop(key, None)
                lowered[key] = i
            for k in range(i):
                one = self.steps[k]
                met = (one.writes & (step.reads | step.writes)) | (one.reads & step.writes)
                if not met or self.in_order(k, i):
                    continue
                same = (one.core, one.pipe) == (step.core, step.pipe)
                chip = frozenset(b for b in met if b[1] >= 0)
                if chip and not (same and self.ordered):
                    yield "in-pipe" if same else "race", k, i, chip
                if met - chip:
                    if one.core == step.core:
                        yield "in-pipe" if same else "race", k, i, met - chip
                    else:
                        apart = step.core not in self.peers  # cores that nothing can order
                        wrote = apart and one.writes & step.writes - chip
                        yield "gm-write-conflict" if wrote else "gm-cross-core", k, i, met - chip


def _flag(step: Step) -> tuple[int, str, str, int]:
    """What a set or a wait names."""
    source, to = (step.pipe, step.other) if step.kind == "set" else (step.other, step.pipe)
    return step.core, source, to, step.event
