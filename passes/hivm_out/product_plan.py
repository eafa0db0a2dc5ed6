"""Which loads of L0, products and flags of a kernel are one `mmadL1`.

A run is what follows each other without any other instruction between: waits for L1, loads of L0, products, and what
gives L1 back. Its products are one `mmadL1` where together they are one product of a part of L1 with another one:
each fractal of it comes from its place there, and is multiplied once. Flags between MTE1 and the Cube are its own.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import element_bytes, space_of
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..hivm.products import room_of
from ..support.errors import LocatedError
from .boxes import Box, boxes_of, united
from .forms import Forms
from .l0 import LOADS, OWN, Rows, Trace, rows_of
from .product_types import Product, across

CUBE = ("MTE1", "M")
LOOSE = (ascend.ViewOp, ascend.NextSlotOp, ascend.PreviousSlotOp)


@dataclass(frozen=True)
class ProductPlan:
    """The products of a kernel by the op that they are written at, and the ops that are parts of them. `behind`: events
    that give L1 back to MTE2 behind an op, later than in the kernel: `mmadL1` reads a bias itself. `cleared`: the
    buffers in L1 of rows that are read though nothing may fill them: `mmadL1` multiplies all that L0C has. `units`:
    whether the Cube and FixPipe have unit flags, which are those of whole fractals."""

    at: dict[Operation, tuple[Product, ...]]
    parts: frozenset[Operation]
    behind: dict[Operation, tuple[SSAValue, ...]]
    cleared: frozenset[SSAValue]
    units: bool


def plan_products(kernel: ascend.KernelOp, target: Target) -> ProductPlan:
    """The products of a kernel. LocatedError at the op that is no part of one."""
    table = target.spaces.get("bt")
    found = _Runs(rows_of(kernel), 0 if table is None else table.bytes // 4, target)
    found.block(kernel.body.block)
    products = [one for each in found.at.values() for one in each]
    cleared = {one.a.start.view.base for one in products} & _filled_in_part(kernel)
    units = all(one.unit is None or _loads_columns(found.forms, one) for one in products)
    return ProductPlan(found.at, frozenset(found.parts), found.given_back(), frozenset(cleared), units)


def _loads_columns(forms: Forms, one: Product) -> bool:
    """Whether all columns of the last fractals are there: a load of rows fills them up to 32 B."""
    c0 = 32 // element_bytes(one.op.lhs)
    columns = one.sizes[2]
    known = forms.of(columns.value, columns.trips).known
    return c0 >= 16 or (known is not None and -(-(known + columns.more) // c0) * c0 == one.columns)


def _filled_in_part(kernel: ascend.KernelOp) -> set[SSAValue]:
    """Buffers in L1 that get rows whose number is computed."""
    views = (
        op.destination.owner for op in kernel.walk() if isinstance(op, ascend.CopyOp) and op.nd2nz is not None
    )
    return {
        view.base
        for view in views
        if isinstance(view, ascend.ViewOp) and not isinstance(view.mixed_sizes()[1], int)
    }


class _Runs:
    """Finds the runs of a kernel's blocks. `most`: columns that the bias table has."""

    def __init__(self, rows: Rows, most: int, target: Target):
        self.forms, self.rows, self.most, self.target = Forms(), rows, most, target
        self.at: dict[Operation, tuple[Product, ...]] = {}
        self.parts: set[Operation] = set()
        self.late: dict[ascend.SetFlagOp, list[ascend.CopyOp]] = {}
        """What gives L1 back behind copies of a bias: `mmadL1` copies it later."""
        self.reason: LocatedError | None = None
        """Why the last product of a run is not of more of its ops."""

    def block(self, block: Block) -> None:
        run: list[Operation] = []
        for op in block.ops:
            if isinstance(op, LOOSE) or op.name.startswith("arith.") or _is_ahead(op):
                continue
            if self._belongs(op):
                run.append(op)
                continue
            self._close(run)
            run = []
            for region in op.regions:
                for inner in region.blocks:
                    self.block(inner)
        self._close(run)

    def _belongs(self, op: Operation) -> bool:
        if isinstance(op, scf.ForOp):
            bounds = [self.forms.of(value, {}).known for value in (op.lb, op.ub, op.step)]
            return None not in bounds and not op.iter_args and _multiplies(op) and self._inside(op)
        if isinstance(op, scf.IfOp):
            return not _multiplies(op) and any(_is_own(one) for one in op.walk()) and self._inside(op)
        return _is_own(op) or _is_between(op)

    def _inside(self, op: Operation) -> bool:
        """Whether all that a loop or a condition holds is part of a product."""
        for one in op.walk():
            if one is op or one.name.startswith("arith.") or isinstance(one, ascend.ViewOp | scf.YieldOp):
                continue
            if isinstance(one, ascend.NextSlotOp):
                if space_of(one.buffer) not in OWN:
                    return False
            elif not isinstance(one, scf.ForOp | scf.IfOp) and not _is_own(one):
                return False
        return True

    def _close(self, run: Sequence[Operation]) -> None:
        """Plan the products of a run; where a loop is no part of one, its trips have products of their own."""
        try:
            at, parts = self._planned(run)
        except LocatedError:
            found = next((i for i, op in enumerate(run) if isinstance(op, scf.ForOp)), None)
            if found is None:
                raise
            self._close(run[:found])
            self.block(run[found].regions[0].block)
            self._close(run[found + 1 :])
            return
        self.at.update(at)
        self.parts.update(parts)

    def _planned(
        self, run: Sequence[Operation]
    ) -> tuple[dict[Operation, tuple[Product, ...]], list[Operation]]:
        """The products of a run, each of as many of its ops as can be, and the ops that are parts of them."""
        at: dict[Operation, tuple[Product, ...]] = {}
        parts: list[Operation] = []
        rest = list(run)
        self.reason = None
        while any(_multiplies(op) for op in rest):
            try:
                last, (*others, final) = self._longest(rest)
            except LocatedError as error:
                raise self.reason or error from None
            end = last + 1
            while end < len(rest) and (isinstance(rest[end], ascend.SetFlagOp) or _is_inner(rest[end])):
                end += 1
            behind = [
                op.event
                for op in rest[last + 1 : end]
                if isinstance(op, ascend.SetFlagOp) and _is_between(op)
            ]
            at[rest[last]] = (*others, replace(final, sets=(*final.sets, *behind)))
            parts += rest[:end]
            rest = rest[end:]
        for op in rest:
            if isinstance(op, LOADS):
                raise LocatedError(op, f"{op.name}: an operand stays in L0 from one product to the next")
        copies: list[ascend.CopyOp] = []
        for op in rest:
            if isinstance(op, ascend.CopyOp):
                copies.append(op)
            elif isinstance(op, ascend.SetFlagOp) and _is_between(op):
                given = [copy for copy in copies if self._gives_back(op, copy)]
                self.late |= {op: given} if given else {}
        return at, [*parts, *(op for op in rest if not _is_between(op) or op in self.late)]

    def _gives_back(self, op: ascend.SetFlagOp, copy: ascend.CopyOp) -> bool:
        """Whether a flag is that of the row that a copy to the bias table reads: MTE2 waits for it before it loads the
        row."""
        row = copy.source.owner
        assert isinstance(row, ascend.ViewOp) and op.parent is not None
        event = self.forms.of(op.event, {})
        waited = False
        for one in op.parent.ops:
            if isinstance(one, ascend.WaitFlagOp) and _is_flag(one, "MTE1", "MTE2"):
                waited = waited or self.forms.of(one.event, {}) == event
            elif isinstance(one, ascend.CopyOp) and isinstance(one.destination.owner, ascend.ViewOp):
                if waited and one.destination.owner.base is row.base:
                    return True
            elif one is op:
                return False
        return False

    def _longest(self, run: Sequence[Operation]) -> tuple[int, tuple[Product, ...]]:
        """The most ops from the start of a run on that are one product, by the last of them."""
        trace, found = Trace(self.forms, self.rows), None
        for at, op in enumerate(run):
            before = len(trace.parts)
            try:
                trace.run([op], {})
                if len(trace.parts) > before:
                    found = at, self._united(trace)
            except LocatedError as error:
                if found is None:
                    raise
                self.reason = error
                break
        assert found is not None
        return found

    def given_back(self) -> dict[Operation, tuple[SSAValue, ...]]:
        """The events that give L1 back behind each op: the last one that reads the rows of a bias from it."""
        found: dict[Operation, tuple[SSAValue, ...]] = {}
        for op, copies in self.late.items():
            views = {copy.source.owner for copy in copies}
            block = op.parent
            assert block is not None
            readers = [
                block.find_ancestor_op_in_block(at)
                for at, products in self.at.items()
                if any(one.bias is not None and one.bias.view in views for one in products)
            ]
            inside = [one for one in block.ops if one in readers]
            if not inside or None in readers:
                raise LocatedError(
                    op, "ascend.set_flag: gives the row of a bias back before all products read it"
                )
            found[inside[-1]] = (*found.get(inside[-1], ()), op.event)
        return found

    def _united(self, trace: Trace) -> tuple[Product, ...]:
        """The one product that the parts of a run are; as many as have rows of a bias that fit its table."""
        boxes = boxes_of(trace.parts)
        starts = sorted({box.start[1] for box in boxes})
        bias = trace.parts[0].bias
        if bias is not None and 16 * max(box.start[1] + box.extent[1] for box in boxes) > self.most:
            groups = [[box for box in boxes if box.start[1] == start] for start in starts]
        else:
            groups = [boxes]
        waits, wait_b, set_a, sets = _flags(trace)
        if bias is not None:
            set_a, sets = None, (*([] if set_a is None else [set_a]), *sets)
        if len(groups) > 1:
            waits, wait_b = (*waits, *([] if wait_b is None else [wait_b])), None
        found = [united(self.forms, group) for group in groups]
        for one, group in zip(found, groups, strict=True):
            self._check_parts(one, group)
        found[0] = replace(found[0], waits=waits, wait_b=wait_b)
        found[-1] = replace(found[-1], set_a=set_a, sets=sets)
        return tuple(found)

    def _check_parts(self, one: Product, boxes: Sequence[Box]) -> None:
        """Whether `mmadL1` cuts K where the kernel does: the sums of other parts are rounded elsewhere."""
        unit = element_bytes(one.op.lhs)
        room, _ = room_of(self.target, unit, across(one))
        begins = {box.start[2] * 32 // unit for box in boxes}
        if len(begins) > 1 and room and begins != set(range(0, one.length, room)):
            raise LocatedError(one.op, "ascend.mmad: parts of K that are not those of one mmadL1")


def _multiplies(op: Operation) -> bool:
    return any(isinstance(one, ascend.MmadOp) for one in op.walk())


def _is_own(op: Operation) -> bool:
    """Whether an op is one that `mmadL1` has inside."""
    if isinstance(op, ascend.CopyOp):
        return space_of(op.destination) in OWN
    return isinstance(op, LOADS) or _is_inner(op)


def _is_inner(op: Operation) -> bool:
    if isinstance(op, ascend.BarrierOp):
        return op.pipe.data in CUBE
    return _is_flag(op, *CUBE) or _is_flag(op, *CUBE[::-1])


def _is_between(op: Operation) -> bool:
    """Whether MTE1 waits for L1, or gives it back."""
    if isinstance(op, ascend.SetFlagOp):
        return _is_flag(op, "MTE1", "MTE2")
    return _is_flag(op, "MTE2", "MTE1")


def _is_ahead(op: Operation) -> bool:
    """Whether an op may come before the loads that are in front of it: a wait of the Cube for its sums."""
    return isinstance(op, ascend.WaitFlagOp) and _is_flag(op, "FIX", "M")


def _is_flag(op: Operation, source: str, destination: str) -> bool:
    return isinstance(op, ascend.SetFlagOp | ascend.WaitFlagOp) and (
        (op.source.data, op.destination.data) == (source, destination)
    )


def _event(op: Operation) -> SSAValue:
    assert isinstance(op, ascend.SetFlagOp | ascend.WaitFlagOp)
    return op.event


def _flags(
    trace: Trace,
) -> tuple[tuple[SSAValue, ...], SSAValue | None, SSAValue | None, tuple[SSAValue, ...]]:
    """The flags of a run: those before its loads, between both operands', behind those of `a`, behind all."""
    kinds = [kind for kind, _ in trace.steps]
    first_a, first_b = kinds.index("l0a"), kinds.index("l0b")
    last_a, last_b = (len(kinds) - 1 - kinds[::-1].index(kind) for kind in ("l0a", "l0b"))
    waits = [(at, op) for at, (kind, op) in enumerate(trace.steps) if kind == "wait"]
    late = [op for at, op in waits if at > max(first_a, first_b)]
    if late:
        raise LocatedError(late[0], "ascend.wait_flag: between the loads of one mmadL1")
    before = [_event(op) for at, op in waits if at < min(first_a, first_b)]
    between = [_event(op) for at, op in waits if at > min(first_a, first_b)]
    sets = [(at, op) for at, (kind, op) in enumerate(trace.steps) if kind == "set"]
    of_a = [_event(op) for at, op in sets if last_a < at < last_b]
    rest = [_event(op) for at, op in sets if not last_a < at < last_b]
    if first_b < first_a or len(between) > 1:
        before, between = [*before, *between], []
    if len(of_a) > 1:
        of_a, rest = [], [*of_a, *rest]
    return tuple(before), between[0] if between else None, of_a[0] if of_a else None, tuple(rest)


__all__ = ["ProductPlan", "plan_products"]
