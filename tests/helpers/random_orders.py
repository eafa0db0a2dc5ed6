"""Random programs of few instructions on few blocks, most of them with just the flags and barriers that they need."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ascend_programs import Program
from orders import Block, Orders, Step

from ascend_opt.dialects.ascend import FixpipeOp
from ascend_opt.dialects.target import load_target

Emit = Callable[[Program, dict[str, Any]], None]


OWN = {("own", 0): 128, ("own", 1): 256, ("own", 2): 256}
"""First block of what only one core of a group works with, in L1 or in UB."""


@dataclass(frozen=True)
class Range:
    """Blocks of a memory: `rows` runs of `size` blocks, `pitch` apart; of core number i `shift` i further on. `owner`:
    whose memory it is, None: that of the core which does it."""

    space: str
    start: int
    rows: int = 1
    pitch: int = 1
    size: int = 1
    shift: int = 0
    owner: int | None = None

    def blocks(self, core: int, number: int) -> Iterator[Block]:
        for row in range(self.rows):
            for i in range(self.size):
                at = self.start + self.shift * number + row * self.pitch + i + OWN.get((self.space, core), 0)
                yield self.space, core if self.owner is None else self.owner, at


@dataclass(frozen=True)
class Item:
    """One op of the program that cores `cores` run, and what it reads and writes."""

    cores: tuple[int, ...]
    kind: str
    pipe: str
    other: str = ""
    event: int = 0
    reads: tuple[Range, ...] = ()
    writes: tuple[Range, ...] = ()
    emit: Emit | None = None

    def steps(self) -> Iterator[Step]:
        for number, core in enumerate(self.cores):
            reads, writes = (
                frozenset(b for r in part for b in r.blocks(core, number))
                for part in (self.reads, self.writes)
            )
            yield Step(core, self.kind, self.pipe, self.other, self.event, reads, writes)


@dataclass(frozen=True)
class Machine:
    """Where programs run: what instructions there are, and how a finished list of items becomes a program."""

    instructions: Callable[[Random], Item]
    program: Callable[[Sequence[Item]], Program]
    peers: dict[int, tuple[int, ...]]
    ordered: bool = False

    def orders(self, items: Sequence[Item]) -> Orders:
        steps = [step for item in items for step in item.steps()]
        return Orders(steps, self.peers, self.ordered)


CUBE, VECTORS = (0,), (1, 2)
EVENTS = {"MTE1": 1, "MTE2": 2, "MTE3": 3, "V": 4, "FIX": 5}
"""Of flags between cores, by the pipe that sets most of them: the sets of one pipe come in order."""
MOST_FLAGS = 6
"""An instruction for which so many flags and barriers are not enough is left out."""


def random_items(machine: Machine, rng: Random, count: int, careless: float) -> list[Item]:
    """`count` instructions, and before most of them what orders them after those that they meet: nothing with
    probability `careless`."""
    items: list[Item] = []
    for _ in range(count):
        again = [one for one in items if one.kind == "do"]
        item = rng.choice(again) if again and rng.random() < 0.3 else machine.instructions(rng)
        more = items
        for _ in range(MOST_FLAGS):
            ordered = None if rng.random() < careless else _ordered(machine, rng, more, item)
            if ordered is None:
                items = [*more, item]
                break
            more = ordered
        if rng.random() < 0.1:
            items.append(Item(item.cores, "barrier", item.pipe))
    return items


def _ordered(machine: Machine, rng: Random, items: list[Item], item: Item) -> list[Item] | None:
    """More items, so that a hazard of the next one is gone; None where there is none."""
    owners = [i for i, one in enumerate([*items, item]) for _ in one.cores]
    orders = machine.orders([*items, item])
    cores = [step.core for step in orders.steps]
    found = [
        (kind, one, other, met)
        for kind, one, other, met in orders.unordered()
        if owners[other] == len(items) and (cores[one] == cores[other] or cores[one] in machine.peers)
    ]
    if not found:
        return None
    at = owners[rng.choice(found)[1]]
    first, at = items[at], at + 1
    if first.cores == item.cores and first.pipe == item.pipe and rng.random() < 0.8:
        return [*items, Item(item.cores, "barrier", item.pipe)]
    here = rng.randint(at, len(items))
    if first.cores == item.cores:
        event = rng.randrange(3)
        pipe = item.pipe if rng.random() < 0.85 else "S"
        if first.pipe != pipe and rng.random() < 0.9:
            told = Item(item.cores, "set", first.pipe, pipe, event)
            waits = Item(item.cores, "wait", pipe, first.pipe, event)
            more = [*items[:here], told, *items[here:], waits]
            pending = [i for i in items[here:] if (i.cores, i.kind, i.event) == (told.cores, "wait", event)]
            if not pending and all(h[0] != "flag-set-twice" for h in machine.orders(more).unordered()):
                return more
        return [*items, Item(item.cores, "all", "S")]
    event = EVENTS[first.pipe if rng.random() < 0.9 else "V"]
    told = Item(first.cores, "cross_set", first.pipe, event=event)
    if first.cores[0] and item.cores[0]:  # between Vector cores, through the Cube core
        back = Item(CUBE, "cross_wait", "S", event=event), Item(CUBE, "cross_set", "FIX", event=EVENTS["FIX"])
        return [*items, told, *back, Item(item.cores, "cross_wait", "S", event=EVENTS["FIX"])]
    return [*items[:here], told, *items[here:], Item(item.cores, "cross_wait", "S", event=event)]


def emit(p: Program, items: Sequence[Item], names: dict[str, Any]) -> None:
    for item in items:
        if item.kind == "set":
            p.set(item.pipe, item.other, item.event)
        elif item.kind == "wait":
            p.wait(item.other, item.pipe, item.event)
        elif item.kind == "barrier":
            p.barrier(item.pipe)
        elif item.kind == "all":
            p.barrier("ALL")
        elif item.kind == "cross_set":
            p.cross_set(item.pipe, item.event)
        elif item.kind == "cross_wait":
            p.cross_wait(item.event)
        elif item.emit is not None:
            item.emit(p, names)


def _view(p: Program, names: dict[str, Any], where: Range, lanes: int, repeats: bool = False) -> Any:
    """The blocks of a range as rows of `lanes` elements a block."""
    base, start = names[where.space], where.start * lanes
    offset = p.plus(p.times(names["number"], where.shift * lanes), start) if where.shift else start
    run = [where.size, lanes] if repeats else [where.size * lanes]
    strides = [lanes, 1] if repeats else [1]
    return p.view(base, [where.rows, *run], [where.pitch * lanes, *strides], offset=offset)


def _copy(source: Range, to: Range, lanes: int) -> Emit:
    return lambda p, names: p.copy(_view(p, names, source, lanes), _view(p, names, to, lanes))


def _add(source: Range, to: Range, lanes: int) -> Emit:
    def emitted(p: Program, names: dict[str, Any]) -> None:
        operands = [_view(p, names, where, lanes, repeats=True) for where in (source, to)]
        p.vec("vadds", operands[0], to=operands[1], scalar=1.0)

    return emitted


def _range(
    rng: Random, space: str, most: int, shape: tuple[int, int, int] | None = None, **more: Any
) -> Range:
    rows, size, gap = shape or (rng.randint(1, 2), rng.randint(1, 2), rng.randint(0, 2))
    extent = (rows - 1) * (size + gap) + size
    return Range(space, rng.randint(0, most - extent), rows, size + gap, size, **more)


def _apart(source: Range, to: Range) -> bool:
    """Whether no element is written that has yet to be read."""
    a, b = ({n for _, _, n in one.blocks(0, 0)} for one in (source, to))
    return a == b or not a & b


BLOCKS = 10
"""Of the buffer in UB, and of each core's part of the tensor."""


def coupled(cores: int = 1, spill: float = 0.0, **sync: Any) -> Machine:
    """Copies from and to one tensor, and sums, in one core or more; with probability `spill` an instruction leaves its
    core's part of the tensor."""
    every = tuple(range(cores))

    def instructions(rng: Random) -> Item:
        what = rng.choice(("load", "add", "store"))
        chip = _range(rng, "ub", BLOCKS)
        shape = chip.rows, chip.size, chip.pitch - chip.size
        if what == "add":
            to = _range(rng, "ub", BLOCKS, shape)
            to = to if _apart(chip, to) else chip
            return Item(every, "do", "V", reads=(chip,), writes=(to,), emit=_add(chip, to, 16))
        room = BLOCKS + 2 if rng.random() < spill else BLOCKS
        far = _range(rng, "gm", room, shape, shift=BLOCKS if cores > 1 else 0, owner=-1)
        if what == "load":
            return Item(every, "do", "MTE2", reads=(far,), writes=(chip,), emit=_copy(far, chip, 16))
        return Item(every, "do", "MTE3", reads=(chip,), writes=(far,), emit=_copy(chip, far, 16))

    def program(items: Sequence[Item]) -> Program:
        chip = load_target("ascend910")
        p = Program(cores, chip.with_(sync=sync) if sync else chip)
        x, y = p.input("x", (BLOCKS * 16,)), p.input("y", ((cores * BLOCKS + 2) * 16,))
        a = p.buffer("a", "ub", (BLOCKS * 16,), 0)
        p.copy(x, a)
        p.barrier("ALL")
        emit(p, items, {"gm": y, "ub": a, "number": p.block_idx()})
        return p

    return Machine(instructions, program, {}, bool(sync.get("ordered_pipe")))


HALF = 32
"""Blocks of half an accumulator of 16 x 32 f32, which FixPipe hands to a Vector core."""


def group(**sync: Any) -> Machine:
    """A Cube core and the two Vector cores beside it, which meet in GM, in UB and in L1."""

    def cube(rng: Random) -> Item:
        what = rng.choice(("half", "both", "store", "load", "fractal"))
        if what == "half":
            vector, to = rng.randrange(2), Range("ub", 8 * rng.randrange(3), size=HALF)
            to = replace(to, owner=1 + vector)
            return Item(CUBE, "do", "FIX", writes=(to,), emit=_hand_over(to, vector=vector))
        if what == "both":
            to = Range("ub", 8 * rng.randrange(3), size=HALF)
            both = tuple(replace(to, owner=core) for core in VECTORS)
            return Item(CUBE, "do", "FIX", writes=both, emit=_hand_over(to, split=0))
        if what == "store":
            to = Range("gm", 16 * rng.randrange(3), size=HALF, owner=-1)
            return Item(CUBE, "do", "FIX", writes=(to,), emit=_store(to))
        if what == "load":
            far = _range(rng, "gm", 2 * BLOCKS, owner=-1)
            to = _range(rng, "own", BLOCKS, (far.rows, far.size, far.pitch - far.size))
            far = replace(far, start=far.start + rng.choice((0, 32, 64)))
            return Item(CUBE, "do", "MTE2", reads=(far,), writes=(to,), emit=_copy(far, to, 8))
        fractal, to = Range("l1", 8 * rng.randrange(3), size=16), Range("l0a", 16 * rng.randrange(2), size=16)
        return Item(CUBE, "do", "MTE1", reads=(fractal,), writes=(to,), emit=_load2d(fractal, to))

    def vector(rng: Random) -> Item:
        what = rng.choice(("add", "load", "store", "hand over"))
        chip = _range(rng, "ub", HALF + 16)
        shape = chip.rows, chip.size, chip.pitch - chip.size
        if what == "add":
            to = _range(rng, "ub", HALF + 16, shape)
            to = to if _apart(chip, to) else chip
            return Item(VECTORS, "do", "V", reads=(chip,), writes=(to,), emit=_add(chip, to, 8))
        if what == "load":  # each core its half of what FixPipe stores, or both the same
            far = _range(rng, "gm", 32, shape, shift=rng.choice((0, 32)), owner=-1)
            return Item(VECTORS, "do", "MTE2", reads=(far,), writes=(chip,), emit=_copy(far, chip, 8))
        if what == "store":
            far = _range(rng, "gm", 10, shape, shift=10, owner=-1)
            far = replace(far, start=far.start + rng.choice((0, 64)))
            return Item(VECTORS, "do", "MTE3", reads=(chip,), writes=(far,), emit=_copy(chip, far, 8))
        source = _range(rng, "own", BLOCKS, shape)
        far = _range(rng, "l1", 16, shape, shift=16, owner=0)
        return Item(VECTORS, "do", "MTE3", reads=(source,), writes=(far,), emit=_copy(source, far, 16))

    def program(items: Sequence[Item]) -> Program:
        chip = load_target("ascend950")
        p = Program(target=chip.with_(sync=sync) if sync else chip, core="aic")
        x, z, y = p.input("x", (768,)), p.input("z", (BLOCKS * 8,), "f32"), p.input("y", (100 * 8,), "f32")
        t = p.group("t", "ub", ((HALF + 16) * 8,), 0, "f32")
        met = p.group("l", "l1", (32 * 16,), 0)
        own = p.buffer("own", "l1", (BLOCKS * 8,), 32 * OWN["own", 0], dtype="f32")
        p.copy(z, own)
        first, second = p.buffer("first", "l1", (256,), 8192), p.buffer("second", "l1", (512,), 16384)
        p.copy(p.view(x, [256]), first)
        p.copy(p.view(x, [512], offset=256), second)
        l0a, l0b = p.buffer("l0a", "l0a", (512,), 0), p.buffer("l0b", "l0b", (512,), 0)
        c = p.buffer("c", "l0c", (1024,), 0, dtype="f32")
        p.barrier("ALL")
        p.load2d(p.view(first, [1, 16, 16]), p.view(l0a, [1, 16, 16]))
        p.load2d(p.view(second, [2, 16, 16]), p.view(l0b, [2, 16, 16]))
        p.barrier("ALL")
        p.mmad(p.view(l0a, [1, 1, 16, 16]), p.view(l0b, [1, 2, 16, 16]), p.view(c, [2, 16, 16]), 16, 32, 16)
        p.barrier("ALL")
        p.cross_set("M", 0)
        p.cross_wait(0)
        near = [i for i in items if i.cores == CUBE]
        emit(p, near, {"gm": y, "ub": t, "l1": met, "own": own, "l0a": l0a, "c": c})
        _, _, y, t, met = p.beside(2)
        names = {"gm": y, "ub": t, "l1": met, "number": p.block_idx()}
        names["own"] = p.buffer("own", "ub", (BLOCKS * 16,), 32 * OWN["own", 1])
        p.vec("vdup", to=p.view(t, [(HALF + 16) * 8]), scalar=1.0)
        p.vec("vdup", to=names["own"], scalar=1.0)
        p.barrier("ALL")
        p.copy(p.view(names["own"], [128]), p.view(met, [128], offset=p.times(names["number"], 256)))
        p.copy(
            p.view(names["own"], [128]),
            p.view(met, [128], offset=p.plus(p.times(names["number"], 256), 128)),
        )
        p.barrier("ALL")
        p.cross_set("V", 0)
        p.cross_wait(0)
        emit(p, [i for i in items if i.cores == VECTORS], names)
        return p

    def instructions(rng: Random) -> Item:
        return cube(rng) if rng.random() < 0.5 else vector(rng)

    return Machine(instructions, program, {0: VECTORS, 1: CUBE, 2: CUBE}, bool(sync.get("ordered_pipe")))


def _hand_over(to: Range, vector: int | None = None, split: int | None = None) -> Emit:
    """Half of the accumulator to one Vector core, or a half to each."""

    def emitted(p: Program, names: dict[str, Any]) -> None:
        source = p.view(names["c"], [1 if split is None else 2, 16, 16])
        p.add(
            FixpipeOp(
                source, p.view(names["ub"], [1, 16, 16], offset=to.start * 8), vector=vector, split=split
            )
        )

    return emitted


def _store(to: Range) -> Emit:
    def emitted(p: Program, names: dict[str, Any]) -> None:
        p.fixpipe(p.view(names["c"], [1, 16, 16]), p.view(names["gm"], [16, 16], offset=to.start * 8))

    return emitted


def _load2d(source: Range, to: Range) -> Emit:
    def emitted(p: Program, names: dict[str, Any]) -> None:
        one, other = (p.view(names[r.space], [1, 16, 16], offset=r.start * 16) for r in (source, to))
        p.load2d(one, other)

    return emitted
