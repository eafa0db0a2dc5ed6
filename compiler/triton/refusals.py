"""Why AscendNPU-IR refuses a kernel: which memory overflows, by how much, and which lines fill it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from math import prod
from pathlib import Path

from ...dialects.records import dataclass
from .toolchain import TritonError

OVERFLOW = re.compile(r"(\w+) overflow, requires (\d+) bits while (\d+) bits available")
ALLOC = re.compile(r"(%\w+) = memref\.alloc\(\).*? : memref<([\dx]*)(x?)(\w+), #hivm\.address_space<(\w+)>>")
VIEW = re.compile(r"(%[\w#]+) = memref\.\w+ (%\w+)")
SLOTS = re.compile(r"annotation\.mark (%\w+) \{hivm\.multi_buffer = (\d+)")
PLACE = re.compile(r'loc\((?:callsite\()?"([^"]*)":(\d+):\d+[^"]*(?:"[^"]*":\d+:\d+)?\)+\s*$')
SPACES = {"ub": "UB", "cbuf": "L1", "cc": "L0C"}
SHOWN = 8


@dataclass(frozen=True)
class Buffer:
    """A buffer of the kernel, before it has an address."""

    bytes: int
    """Of all its slots."""
    slots: int
    what: str
    """Elements and type, such as `65536 f32`."""
    place: tuple[str, int] | None
    """File and line of the Triton op that first writes it."""
    live: range
    """Lines of the module between its first and its last use."""


class Overflow(TritonError):
    """A memory is too small for a kernel's buffers."""

    def __init__(self, memory: str, needed: int, available: int, buffers: Sequence[Buffer]):
        self.memory, self.needed, self.available = memory, needed, available
        self.buffers = tuple(sorted(buffers, key=lambda b: (-b.bytes, b.place or ("", 0), b.what)))
        """Those in use where most bytes are, the largest first."""
        super().__init__("\n".join(self._lines()))

    @property
    def over(self) -> int:
        """Bytes too many."""
        return self.needed - self.available

    def _lines(self) -> list[str]:
        head = f"{self.memory} overflows: {_kib(self.needed)} needed, {_kib(self.over)} over its {_kib(self.available)}"
        if not self.buffers:
            return [head]
        lines = [f"{head}. In use together:"]
        for _, alike in groupby(self.buffers, lambda b: (b.bytes, b.what, b.place)):
            first, *others = alike
            count = f"{len(others) + 1} × " if others else ""
            lines.append(f"  {count + _kib(first.bytes):>16}  {first.what}{_source(first)}")
        return [
            *lines[: SHOWN + 1],
            *([f"  and {len(lines) - SHOWN - 1} kinds more"] if len(lines) > SHOWN + 1 else []),
        ]


def refusal_of(said: str, modules: Callable[[], list[str]]) -> TritonError:
    """
    What AscendNPU-IR's messages mean.

    `modules` gives the IR before each try to plan its memory, the last one last.
    """
    found = OVERFLOW.findall(said)
    if not found:
        errors = [line for line in said.splitlines() if "error:" in line and "hivmc" not in line]
        return TritonError("AscendNPU-IR refuses the kernel:\n" + "\n".join(errors or [said.strip()]))
    name, needed, available = map(str, found[-1])
    memory = SPACES.get(name.lower(), name)
    tried = modules()
    buffers = [b for m in tried[-1:] for b in _at_peak(m, memory)]
    return Overflow(memory, int(needed) // 8, int(available) // 8, buffers)


def _at_peak(module: str, memory: str) -> list[Buffer]:
    """The buffers of one memory that are in use where they take most bytes."""
    buffers = _buffers(module.splitlines(), memory)
    in_use: list[list[Buffer]] = [[b for b in buffers if at.live.start in b.live] for at in buffers]
    return max(in_use, key=lambda each: sum(b.bytes for b in each), default=list[Buffer]())


def _buffers(lines: list[str], memory: str) -> list[Buffer]:
    owner, uses, slots = dict[str, str](), dict[str, list[int]](), dict[str, int]()
    types = dict[str, tuple[int, str]]()
    for at, line in enumerate(lines):
        if (alloc := ALLOC.search(line)) is not None:
            name, shape, _, element, space = alloc.groups()
            if SPACES.get(space) == memory and "?" not in shape:
                owner[name] = name
                types[name] = _size(shape, element)
            continue
        if (mark := SLOTS.search(line)) is not None and mark[1] in owner:
            slots[owner[mark[1]]] = int(mark[2])
        elif (view := VIEW.search(line)) is not None and view[2] in owner:
            owner[view[1]] = owner[view[2]]
        else:
            for used in {owner[n] for n in re.findall(r"%\w+", line) if n in owner}:
                uses.setdefault(used, []).append(at)
    return [
        Buffer(
            types[name][0] * slots.get(name, 1),
            slots.get(name, 1),
            types[name][1],
            _place(lines[at[0]]),
            range(at[0], max(_end(lines, at[0], u) for u in at) + 1),
        )
        for name, at in uses.items()
    ]


def _size(shape: str, element: str) -> tuple[int, str]:
    """Bytes, and what they are in words."""
    dims = [int(d) for d in shape.split("x") if d]
    bits = int(re.sub(r"\D", "", element.removeprefix("bf").removeprefix("f")) or 64)
    return -(-prod(dims) * bits // 8), f"{'x'.join(map(str, dims))} {element}"


def _end(lines: list[str], first: int, use: int) -> int:
    """Where a use ends that is first met at another line: what a loop reads of outside is in use to its end."""
    depth = _indent(lines[first])
    while _indent(lines[use]) > depth:
        use += 1
    return use


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _place(line: str) -> tuple[str, int] | None:
    found = PLACE.search(line)
    return None if found is None else (found[1], int(found[2]))


def _source(buffer: Buffer) -> str:
    """Where a buffer is written first, and the text of that line."""
    slots = f" in {buffer.slots} slots" if buffer.slots > 1 else ""
    if buffer.place is None:
        return slots
    path, line = Path(buffer.place[0]), buffer.place[1]
    text = path.read_text().splitlines()[line - 1].strip() if path.is_file() else ""
    return f"{slots}, {path.name}:{line}: {text}"


def _kib(count: int) -> str:
    return f"{count / 1024:,.1f} KiB"
