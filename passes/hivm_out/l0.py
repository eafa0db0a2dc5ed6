"""What the loads of L0 and the products of a run do, op by op: where in L1 each fractal of a product comes from."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import element_bytes, memref_type, space_of
from ...dialects.attributes import integers
from ...dialects.records import dataclass
from ..support.errors import LocatedError
from .forms import Form, Forms, Trips

L0 = ("l0a", "l0b")
OWN = (*L0, "bt")
"""Memories that `mmadL1` fills itself."""
NO_WINDOWS = (
    "HIVM has no image-to-column load; that of its Conv2dL1 has no strides, and pads a tile above as below"
)
Fractals = dict[int, "Fractal"]


@dataclass(frozen=True)
class Start:
    """Where elements begin: so many of them behind the start of a view, in loops that are at one trip."""

    view: ascend.ViewOp
    trips: Trips
    behind: int
    offset: Form
    """From the start of the buffer's slot."""

    @property
    def buffer(self) -> tuple[SSAValue, SSAValue | None]:
        return self.view.base, self.view.slot


@dataclass(frozen=True)
class Fractal:
    """16 rows of 32 B in L1, which a load may have transposed. `step`: how far the next column is, where that is known
    of the load."""

    start: Start
    turned: bool
    step: int | None = None


@dataclass(frozen=True)
class Part:
    """One product of L0: the fractals of its operands, by row or column and by K, and where its sums are."""

    op: ascend.MmadOp
    trips: Trips
    a: dict[tuple[int, int], Fractal]
    b: dict[tuple[int, int], Fractal]
    c: Start
    bias: Start | None


Rows = Mapping[tuple[SSAValue, SSAValue | None], Sequence[ascend.CopyOp]]
"""The copies that fill each slot of the bias table."""


def rows_of(kernel: ascend.KernelOp) -> Rows:
    found: dict[tuple[SSAValue, SSAValue | None], list[ascend.CopyOp]] = {}
    for op in kernel.walk():
        if isinstance(op, ascend.CopyOp) and space_of(op.destination) == "bt":
            view = op.destination.owner
            assert isinstance(view, ascend.ViewOp)
            found.setdefault((view.base, view.slot), []).append(op)
    return found


@dataclass
class Trace:
    """What the ops of a run do in turn."""

    forms: Forms
    rows: Rows
    parts: list[Part] = field(default_factory=list[Part])
    steps: list[tuple[str, Operation]] = field(default_factory=list[tuple[str, Operation]])
    """Loads, products, and the flags between L1 and L0, in order."""
    _held: dict[object, Fractals] = field(default_factory=dict[object, "Fractals"])
    _turns: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])

    def run(self, ops: Sequence[Operation], trips: Trips) -> None:
        """Follow ops; LocatedError at one that does what `mmadL1` does not."""
        for op in ops:
            if isinstance(op, scf.ForOp):
                bounds = [self.forms.of(value, trips).known for value in (op.lb, op.ub, op.step)]
                assert None not in bounds
                low, high, step = (number or 0 for number in bounds)
                for index in range(low, high, step):
                    self.run(list(op.body.block.ops), {**trips, op.body.block.args[0]: index})
            elif isinstance(op, scf.IfOp):
                self._branch(op, trips)
            elif isinstance(op, ascend.NextSlotOp):
                self._turns[op.result] = self._turns.get(op.result, 0) + 1
            elif isinstance(op, ascend.Load2dOp):
                self._load2d(op, trips)
            elif isinstance(op, ascend.Load3dOp):
                self._load3d(op, trips)
            elif isinstance(op, ascend.MmadOp):
                self._product(op, trips)
            elif isinstance(op, ascend.SetFlagOp | ascend.WaitFlagOp) and "MTE2" in (
                op.source.data,
                op.destination.data,
            ):
                self.steps.append(("set" if isinstance(op, ascend.SetFlagOp) else "wait", op))

    def _branch(self, op: scf.IfOp, trips: Trips) -> None:
        """A condition that is known, or one of rows of the bias: a product without `init` does not read them."""
        taken = self.forms.of(op.cond, trips).known
        rows = all(space_of(one.destination) == "bt" for one in op.walk() if isinstance(one, ascend.CopyOp))
        if taken is None and (not rows or any(isinstance(one, LOADS) for one in op.walk())):
            raise LocatedError(op, "a load of L0 under a condition: mmadL1 has none")
        if taken != 0:
            self.run(list(op.true_region.block.ops), trips)
        elif op.false_region.blocks:
            self.run(list(op.false_region.block.ops), trips)

    def _place(self, value: SSAValue) -> object:
        """A slot of L0, and which of its contents."""
        view = value.owner
        assert isinstance(view, ascend.ViewOp)
        return view.base, view.slot, None if view.slot is None else self._turns.get(view.slot, 0)

    def _start(self, value: SSAValue, trips: Trips, behind: int = 0) -> Start:
        view = value.owner
        assert isinstance(view, ascend.ViewOp)
        offset = Form(view.start.value.data + behind)
        if view.offset is not None:
            offset = offset + self.forms.of(view.offset, trips)
        return Start(view, trips, behind, offset)

    def _hold(self, op: Operation, to: SSAValue, at: int, fractal: Fractal, trips: Trips) -> None:
        begin = self._start(to, trips, at).offset.known
        if begin is None:
            raise LocatedError(op, f"{op.name}: where it loads in L0 is computed")
        self._held.setdefault(self._place(to), {})[begin] = fractal

    def _load2d(self, op: ascend.Load2dOp, trips: Trips) -> None:
        self.steps.append((space_of(op.destination), op))
        source, to = op.source.owner, op.destination.owner
        assert isinstance(source, ascend.ViewOp) and isinstance(to, ascend.ViewOp)
        count = source.mixed_sizes()[0]
        far, near = source.element_strides()[0], to.element_strides()[0]
        if not isinstance(count, int):  # those past the real columns are no part of a result
            most = self.forms.range(self.forms.of(count, trips))[1]
            room = memref_type(to.base).get_shape()[0] - to.start.value.data
            count = int(min(most, room // near))
        for i in range(count):
            fractal = Fractal(self._start(op.source, trips, i * far), op.transpose is not None)
            self._hold(op, op.destination, i * near, fractal, trips)

    def _load3d(self, op: ascend.Load3dOp, trips: Trips) -> None:
        """A window of one pixel is a load of rows; transposed, of rows that are K, `c0` of them to a fractal."""
        to = space_of(op.destination)
        self.steps.append((to, op))
        source, place = op.source.owner, op.destination.owner
        assert isinstance(source, ascend.ViewOp) and isinstance(place, ascend.ViewOp)
        begin = self._pixel(op, source, trips)
        blocks, _, pitch, _ = source.element_strides()
        first, second = place.mixed_sizes()[:2]
        if begin is None or pitch * element_bytes(op.source) != 32 or not (
            isinstance(first, int) and isinstance(second, int)
        ):  # fmt: skip
            raise LocatedError(op, f"ascend.load3d: {NO_WINDOWS}")
        (row, column), away, turned = begin, place.element_strides(), op.transpose is not None
        for i in range(first):
            for j in range(second):
                across, k = (j, i) if to == "l0b" else (i, j)
                at = (row + 16 * across) * pitch + (column + k) * blocks
                if turned:
                    at = (row + pitch * k) * pitch + (column + 16 // pitch * across) * blocks
                fractal = Fractal(self._start(op.source, trips, at), turned, blocks)
                self._hold(op, op.destination, i * away[0] + j * away[1], fractal, trips)

    def _pixel(self, op: ascend.Load3dOp, source: ascend.ViewOp, trips: Trips) -> tuple[int, int] | None:
        """From which row and column on a load of single pixels takes a map; None for another load. Rows past the end of
        the map are no part of a result."""
        _, height, width, _ = source.mixed_sizes()
        _, line, pitch, _ = source.element_strides()
        single = all(set(integers(one)) == {1} for one in (op.kernel, op.strides))
        packed = height == 1 or (isinstance(width, int) and line == width * pitch)
        pads = [self.forms.of(value, trips).known for value in op.pads]
        first, column = (self.forms.of(value, trips).known for value in (op.m_start, op.k_start))
        if not single or not packed or any(pads[side] != 0 for side in (0, 1, 3)):
            return None
        return None if first is None or column is None else (first, column)

    def _product(self, op: ascend.MmadOp, trips: Trips) -> None:
        self.steps.append(("mmad", op))
        bias = None if op.bias is None else self._bias(op, op.bias, trips)
        a, b = self._grid(op, op.lhs, trips), self._grid(op, op.rhs, trips)
        turned = {(column, k): fractal for (k, column), fractal in b.items()}
        self.parts.append(Part(op, trips, a, turned, self._start(op.acc, trips), bias))

    def _bias(self, op: ascend.MmadOp, row: SSAValue, trips: Trips) -> Start:
        """Where the row in the bias table comes from: the one copy that fills it, in front of the run or in it."""
        view = row.owner
        assert isinstance(view, ascend.ViewOp)
        copies = self.rows.get((view.base, view.slot), ())
        if len(copies) != 1:
            raise LocatedError(op, "ascend.mmad: its bias is not of one row in L1")
        return self._start(copies[0].source, trips)

    def _grid(self, op: ascend.MmadOp, value: SSAValue, trips: Trips) -> dict[tuple[int, int], Fractal]:
        """The fractals of an operand, by its first two dimensions."""
        view = value.owner
        assert isinstance(view, ascend.ViewOp)
        held = self._held.get(self._place(value), {})
        far, near = view.element_strides()[:2]
        start = self._start(value, trips).offset.known
        first, second = view.mixed_sizes()[:2]
        if start is None or not isinstance(first, int) or not isinstance(second, int):
            raise LocatedError(op, "ascend.mmad: its operands in L0 have sizes that are computed")
        found: dict[tuple[int, int], Fractal] = {}
        for i in range(first):
            for j in range(second):
                fractal = held.get(start + i * far + j * near)
                if fractal is None:
                    raise LocatedError(op, "ascend.mmad: an operand stays in L0 from one product to the next")
                found[i, j] = fractal
        return found


LOADS = (ascend.Load2dOp, ascend.Load3dOp, ascend.MmadOp)
__all__ = ["L0", "LOADS", "OWN", "Fractal", "Part", "Rows", "Start", "Trace", "rows_of"]
