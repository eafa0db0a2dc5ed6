"""What banks of UB cost an instruction of a traced group, whose buffers have no addresses yet.

Buffers start where operands do not meet as far as that can be (`memory.bank_phases`). What is left: one tile read twice
by an instruction, and rows of one block repeated along the lanes, half a block at a time where a block of elements has
two.
"""

from collections.abc import Sequence

from ...dialects.element_types import ELEMENT_BYTES
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK
from ...runtime.machine.banks import conflicts
from ...runtime.machine.costs import vec_cost
from ..memory.bank_phases import bank_turn
from ..selection.vector_shapes import Dim, choose, merged

TYPICAL = 8192
"""Elements of a tile whose rows are not known."""


def times_as_long(
    target: Target,
    instruction: str,
    dtype: str,
    columns: int,
    sources: Sequence[int],
    spread: Sequence[tuple[bool, bool]],
) -> float:
    """Cycles of an instruction over those that it takes without banks. `sources` tell tiles apart; of each operand, the
    result last, `spread` says whether it has elements along the rows, and along the `columns` of a row."""
    banks, vector = target.banks, target.vector
    if banks is None or len(sources) < 2 or not all(spread[-1]):
        return 1.0
    half, item = bank_turn(target) // 2, ELEMENT_BYTES[dtype]
    blocks = -(-columns // BLOCK)
    rows = max(1, TYPICAL // (blocks * BLOCK))
    repeats = -(-rows * blocks * BLOCK * item // vector.bytes_per_repeat)
    plain = vec_cost(target, instruction, dtype, repeats, joined=True).busy
    if all(along for _, along in spread):
        known = list(dict.fromkeys(sources))
        each = vector.bytes_per_repeat
        starts = [half * (known.index(source) % 2) for source in sources]
        met = conflicts(banks, [(at, repeats, each // banks.row, each, banks.row) for at in (*starts, 0)])
        return vec_cost(target, instruction, dtype, repeats, met, joined=True).busy / plain
    size = BLOCK * item
    pitches = [((blocks if along else 1) * size * down, size * along) for down, along in spread]
    dims = [Dim(n, tuple(p[d] for p in pitches)) for d, n in enumerate((rows, blocks))]
    if size > banks.row:
        dims.append(Dim(size // banks.row, (banks.row,) * len(pitches)))
    behind = banks.row if half and size > banks.row else 0
    starts = [0 if along else half + behind for _, along in spread]
    return choose(target, instruction, dtype, merged(dims), tuple(starts)).cycles / plain
