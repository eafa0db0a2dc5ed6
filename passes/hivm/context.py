"""What the parts of a function's conversion share: the numbers and memrefs that its values are, and the launch."""

from collections.abc import Callable, Mapping
from dataclasses import field

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.hivm.base import HivmOp
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..support.errors import LocatedError
from .buffers import Places
from .emitter import Emitter
from .numbers import Flag, Idx, Number, Real
from .refs import Ref


@dataclass(frozen=True)
class Trips:
    """A loop that is open: its index, from where it counts and by how much, and how many trips it makes."""

    index: Idx
    lower: Idx
    step: Idx
    count: Idx


@dataclass
class Context:
    """The conversion of one function. `blocks`: of the launch; `block`: the index of this one, in which a Cube core and
    its Vector cores are one; `vector`: which of these the core is. `vectors`: how many there are."""

    emit: Emitter
    target: Target
    blocks: int
    block: Idx
    vector: Idx
    vectors: int
    places: Places
    values: dict[SSAValue, Number | Ref] = field(default_factory=dict[SSAValue, "Number | Ref"])
    buffers: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The `ascend.buffer` of each place."""
    workspaces: Mapping[tuple[int, Attribute], SSAValue] = field(
        default_factory=dict[tuple[int, Attribute], SSAValue]
    )
    """Tensors of the workspace: by the byte where they begin in that of a block, and the type that they have there."""
    l0: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    """L0A and L0B, by space, element type and slots."""
    columns: dict[SSAValue, Idx] = field(default_factory=dict[SSAValue, Idx])
    """Up to which column the last product gave sums in a buffer of L0C."""
    loops: list[Trips] = field(default_factory=list[Trips])

    def number(self, value: SSAValue) -> Number:
        found = self.values.get(value)
        if found is None or isinstance(found, Ref):
            raise self.wrong(value, "is no number that is known here")
        return found

    def index(self, value: SSAValue) -> Idx:
        found = self.number(value)
        return int(found) if isinstance(found, bool) else found  # pyright: ignore[reportReturnType]

    def flag(self, value: SSAValue) -> Flag:
        found = self.number(value)
        return bool(found) if isinstance(found, int) else found  # pyright: ignore[reportReturnType]

    def real(self, value: SSAValue) -> Real:
        return self.number(value)

    def ref(self, value: SSAValue) -> Ref:
        found = self.values.get(value)
        if not isinstance(found, Ref):
            raise self.wrong(value, "is no memref that is known here")
        return found

    def known(self, value: SSAValue, what: str) -> int:
        """A number that must be the same for all blocks of a launch."""
        found = self.index(value)
        if not isinstance(found, int):
            raise self.wrong(value, f"{what} must be known at launch")
        return found

    def wrong(self, value: SSAValue, what: str) -> LocatedError:
        owner = value.owner
        op = owner if isinstance(owner, Operation) else owner.parent_op()
        assert op is not None
        return LocatedError(op, f"{op.name}: {what}")


Convert = Callable[[Context, HivmOp], None]
"""How an op of HIVM becomes instructions."""


def float_value(attribute: FloatAttr) -> float:
    return float(attribute.value.data)
