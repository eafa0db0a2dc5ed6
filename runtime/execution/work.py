"""What the cores of one launch did on each pipe, in cycles: from how often each instruction ran, and what its GM
requests took. The profile and its advice are made of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES
from ..machine.memory_system import Pattern

if TYPE_CHECKING:
    from ..program.instruction import Instruction
    from .core_state import Core


@dataclass(slots=True)
class GmWork:
    """Requests of a pipe to GM: DMA instructions, bytes, bursts, the lines of L2 that as many aligned bursts touch,
    how many of these a burst enters or leaves inside a sector, and cycles of the instructions' issue."""

    instructions: int = 0
    bytes: int = 0
    bursts: int = 0
    lines: int = 0
    cut: int = 0
    issue: float = 0.0

    def add(self, pattern: Pattern, issue: float, times: int, line: int, sector: int) -> None:
        """`times` requests of one pattern; `sector` 0: the chip cuts nothing."""
        bursts, burst, step = pattern.bursts, pattern.burst, pattern.stride
        if step == burst:
            bursts, burst = 1, pattern.bytes
        lines = bursts * -(-burst // line)
        self.instructions += times
        self.bytes += times * pattern.bytes
        self.bursts += times * bursts
        self.lines += times * lines
        self.issue += times * issue
        if sector and (burst % sector or (bursts > 1 and step % sector)):
            self.cut += times * min(lines, 2 * bursts)


@dataclass(slots=True)
class PipeWork:
    """One pipe, summed over cores. `ideal`: cycles of the work itself; `conflict`: of banks; GM requests are in
    neither, `gm` is None for a pipe that makes none."""

    instructions: int = 0
    busy: float = 0.0
    active: float = 0.0
    local: float = 0.0
    """Part of `busy` that is not GM requests."""
    ideal: float = 0.0
    conflict: float = 0.0
    gm: GmWork | None = None

    @property
    def overhead(self) -> float:
        """Cycles of issue: of on-chip instructions beyond their work, of DMA instructions all of it."""
        local = max(0.0, self.local - self.ideal - self.conflict)
        return local + (0.0 if self.gm is None else self.gm.issue)


def pipe_work(counted: Sequence[PipeWork], cores: Sequence["Core"]) -> list[PipeWork]:
    """The work on every pipe of `cores`; `counted`: that of the instructions that they ran."""
    return [
        replace(
            one,
            busy=sum([core.more_busy[pipe] for core in cores]) + one.local,
            active=sum([core.active[pipe] for core in cores]),
        )
        for pipe, one in enumerate(counted)
    ]


def instruction_work(instructions: Sequence["Instruction"], line: int, sector: int) -> list[PipeWork]:
    """What the instructions that were executed always take, by pipe; `line`, `sector` of L2 in bytes."""
    found = [PipeWork() for _ in PIPES]
    for instruction in instructions:
        times = instruction.executed
        if not times:
            continue
        one = found[instruction.pipe]
        one.instructions += times
        if instruction.gm is None:
            one.local += times * instruction.busy
            one.ideal += times * instruction.ideal
            one.conflict += times * instruction.conflict
            continue
        one.gm = one.gm or GmWork()
        use = instruction.gm
        one.gm.add(use.pattern, use.path.issue, times, line, sector)
    return found


def start_counting(instructions: Iterable["Instruction"]) -> None:
    """Nothing has run yet."""
    for instruction in instructions:
        instruction.executed = 0
