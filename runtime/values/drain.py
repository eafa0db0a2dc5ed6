"""What FixPipe is told of values on their way. Decoding states it; what it computes is in `values`."""

from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..machine.memory import View


@dataclass(frozen=True)
class Drain:
    """What FixPipe makes of values on their way: the element type, what negative ones are multiplied by, what those
    that become i8, or f16 of i32, are multiplied by, and what is added. `row` has a number for each column: of what has
    `steps` its scale, else its slope."""

    target: Target
    dtype: str
    slope: float | None = None
    row: View | None = None
    steps: tuple[float, int] | None = None
