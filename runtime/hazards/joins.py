"""What the scalar unit learns by waiting, passed on to the pipes."""

from collections import deque
from collections.abc import Sequence

from ...dialects.records import dataclass
from ..program.instruction import JOIN, SCALAR
from .core_errors import Entry
from .races import CoreRaces


@dataclass(slots=True)
class _Join:
    """Queue entry of a blocked pipe: from here on it knows what the scalar unit knew."""

    effects: list[int]
    code: int = JOIN


def join_all(queues: Sequence[deque[Entry]], races: CoreRaces) -> None:
    """What the scalar unit learnt by waiting holds for all that it issues later."""
    snapshot = races.scalar_knowledge()
    for pipe, queue in enumerate(queues):
        if pipe == SCALAR:
            continue
        if queue:
            queue.append((0.0, (_Join(snapshot),)))
        else:
            races.join(pipe, snapshot)
