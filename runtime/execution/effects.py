"""What the instructions of a core do beside taking time, where that happens as the clock runs: races, labels,
values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES
from ..hazards.gm_races import GmRaces
from ..hazards.races import CoreRaces
from ..hazards.stream_races import Known
from ..machine.memory import BOUND_LIMIT, Array, Bytes, CoreMemory
from ..poison.shadow import Tracker
from ..program.instruction import UNIT, Instruction

if TYPE_CHECKING:
    from .core_state import Core, Launch


@dataclass(slots=True)
class CoreEffects:
    """Of one core in one launch: `accesses` of a core whose races were checked before, `races` of one that is checked
    now; `tracker` of its labels, `memory` and `storages` for its values. None for what is not asked for."""

    index: int
    races: CoreRaces | None
    accesses: Sequence[Iterator[Known]] | None
    gm_races: GmRaces | None
    tracker: Tracker | None
    memory: CoreMemory | None
    storages: Sequence[Bytes]
    local: dict[int, Any]
    """What instructions bound to the memory; it is kept between launches."""
    bound: dict[int, Any] = field(default_factory=dict[int, Any])
    """GM requests; they hold this launch's tensors."""
    holes: list[Array | None] = field(default_factory=lambda: [None] * len(PIPES))
    """Of the store under way on each pipe."""

    def execute(self, instruction: Instruction) -> None:
        """An instruction on chip runs; `HazardError` on a race."""
        races, tracker = self.races, self.tracker
        if races is not None:
            if instruction.kind == UNIT:
                races.unit_flag(instruction)
            else:
                races.execute(instruction)
        if tracker is not None and (tracker.activity.labels or instruction.labels):
            tracker.execute(instruction)
        if self.memory is None or instruction.bind is None:
            return
        local = self.local
        action = local.get(instruction.id)
        if action is None:
            if len(local) > BOUND_LIMIT:
                local.clear()
            action = local[instruction.id] = instruction.bind(self.memory, self.storages, 0)
        action()

    def request(self, instruction: Instruction, offset: int, pipe: int) -> None:
        """A GM request begins; `HazardError` on a race."""
        use, races = instruction.gm, self.races
        assert use is not None
        if self.accesses is not None:
            number, known, self.holes[pipe] = next(self.accesses[pipe])
        elif races is not None:
            if instruction.unit:
                races.unit_flag(instruction)
            else:
                races.execute(instruction)
            self.holes[pipe] = races.written.take_holes()
            number, known = races.count[pipe], races.known[pipe]
        else:
            return
        if self.gm_races is not None:
            self.gm_races.access(instruction, use, offset, self.index, number, known)

    def transfer(self, instruction: Instruction, offset: int, pipe: int) -> None:
        """A GM request ends."""
        if self.memory is None:
            return
        action = self.bound.get(instruction.id)
        if action is None:
            assert instruction.bind is not None
            action = self.bound[instruction.id] = instruction.bind(self.memory, self.storages, 0)
        action(offset)
        if self.tracker is not None:
            self.tracker.transfer(instruction, offset, self.holes[pipe])


def core_effects(core: Core, launch: Launch) -> CoreEffects | None:
    """Those of a core that is to run; None where its instructions only take time."""
    checked = core.checked
    accesses = None if checked is None or launch.gm_races is None else checked.accesses()
    if core.memory is None and core.races is None and accesses is None:
        return None
    local = {} if core.memory is None else core.memory.bound_by(core.decoding)
    storages = [tensor.data for tensor in launch.tensors]
    return CoreEffects(
        core.index, core.races, accesses, launch.gm_races, core.tracker, core.memory, storages, local
    )
