"""What is decided of a product before it is written as `mmadL1`."""

from xdsl.ir import SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import element_bytes
from ...dialects.records import dataclass
from .forms import Trips
from .l0 import Start


@dataclass(frozen=True)
class Number:
    """A value of the kernel, in loops that are at one trip, and so much more."""

    value: SSAValue
    trips: Trips
    more: int = 0


@dataclass(frozen=True)
class Matrix:
    """An operand in L1: `blocks` columns of 32 B, of `rows` each. `turned`: its rows are K."""

    start: Start
    blocks: int
    rows: int
    turned: bool


@dataclass(frozen=True)
class Product:
    """One `mmadL1`.

    `c`: where its sums begin, `rows` and `columns` of them in L0C, each of `length` products. `sizes`: the real rows, K
    and columns. `once`: whether it alone gives its sums. `unit`: whether it is the last one before FixPipe reads them;
    None without unit flags. `waits` and `sets`: flags before and behind it; `wait_b`:
    that between the loads of both operands, `set_a`: that behind those of `a`."""

    op: ascend.MmadOp
    a: Matrix
    b: Matrix
    c: Start
    rows: int
    columns: int
    length: int
    sizes: tuple[Number, Number, Number]
    init: Number
    once: bool
    unit: Number | None
    bias: Start | None
    waits: tuple[SSAValue, ...] = ()
    wait_b: SSAValue | None = None
    set_a: SSAValue | None = None
    sets: tuple[SSAValue, ...] = ()


def across(one: Product) -> int:
    """The most rows or columns that an operand has in L1 which are not of K."""
    return max(
        each.blocks * 32 // element_bytes(each.start.view.base) if each.turned else each.rows
        for each in (one.a, one.b)
    )


__all__ = ["Matrix", "Number", "Product", "across"]
