"""From an instruction op and the values it meets at run time to a resolved instruction, or a hazard.

Checks all that depends on the operands alone: paths, alignment, bursts, extents, bounds, event ids.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from xdsl.ir import Block, Operation

from ...dialects.ascend import (
    BarrierOp,
    CopyOp,
    CrossSetFlagOp,
    CrossWaitFlagOp,
    FillOp,
    FixpipeOp,
    Load2dOp,
    Load3dOp,
    LoadIndexOp,
    LoadScalarOp,
    MmadOp,
    SetFlagOp,
    TransposeOp,
    VecOp,
    WaitFlagOp,
)
from ...dialects.ascend.sync import FlagOp
from ...dialects.ascend.vector_loops import accesses_of
from ...dialects.attributes import number_of
from ...dialects.element_types import BLOCK_BYTES, ELEMENT_BYTES
from ...dialects.isa import VECTOR_INSTRUCTIONS, VectorInstruction
from ...dialects.target import TargetError, no_instruction
from ...dialects.target_types import Target
from ..machine.banks import conflict_cycles
from ..machine.costs import (
    Cost,
    loop_cost,
    transpose_cost,
    vec_cost,
    vector_repeats,
    wider,
)
from ..machine.memory import Footprint, View
from ..program.checks import (
    check_blocks,
    check_in_place,
    check_operand,
    check_reduced,
    check_repeats,
    require,
)
from ..program.instruction import (
    BARRIER,
    BARRIER_ALL,
    CROSS_SET,
    CROSS_WAIT,
    LOCAL,
    PIPE_INDEX,
    SET,
    WAIT,
    Effects,
    Instruction,
    flag_number,
)
from ..program.kernel_program import KernelProgram, Site
from ..support.hazard import HazardError
from ..support.late import LateFunctions, LateSpreads
from .arithmetic import type_of
from .binding import on_core
from .resolve_cube import CubeResolver
from .resolve_dma import Key
from .resolve_masks import footprints, with_number

if TYPE_CHECKING:
    from ..poison import shadow_values
    from ..values import values, vector_values
else:
    values, vector_values = LateFunctions("values.values"), LateFunctions("values.vector_values")
    shadow_values = LateSpreads("poison.shadow_values")

Item = tuple[Instruction, int]
MOVES = ("vcopy", "vdup")
"""Vector instructions that move bits of any type."""


class Resolver(CubeResolver):
    """Resolves the instructions of one kernel on one target; shared by its cores and launches."""

    def __init__(self, program: KernelProgram, target: Target, counted: bool = False):
        super().__init__(program, target, counted)
        self.tables: list[dict[Key, Any]] = [{} for _ in program.sites]
        self.gets = [table.get for table in self.tables]
        self.loops: dict[Block, dict[Operation, int]] = {}
        self._handlers: dict[type[Any], Callable[[Site, Key, list[View]], Instruction]] = {
            CopyOp: self.copy,
            FillOp: self.fill,
            FixpipeOp: self.fixpipe,
            Load2dOp: self.load2d,
            Load3dOp: self.load3d,
            MmadOp: self.mmad,
            TransposeOp: self._transpose,
            VecOp: self._vec,
        }

    def new(self, index: int, key: Key) -> Any:
        """Resolve site `index` for `key` and remember it: the instruction of a GM request, else the pair
        (instruction, 0)."""
        site = self.program.sites[index]
        try:
            instruction = self._resolve(site, key)
        except HazardError as error:
            raise error.about(site.reference()) from None
        except TargetError as error:
            raise HazardError("no-path", str(error), instructions=(site.reference(),)) from None
        self.instructions.append(instruction)
        found: Any = instruction if site.gm >= 0 else (instruction, 0)
        self.tables[index][key] = found
        return found

    def _resolve(self, site: Site, key: Key) -> Instruction:
        op = site.op
        if isinstance(op, FlagOp):
            return self._flag(site, op, key[site.scalars[0]])
        if isinstance(op, BarrierOp):
            if op.pipe.data == "ALL":
                return self.make(site, BARRIER_ALL, "S")
            return self.make(site, BARRIER, op.pipe.data, cost=Cost(0.0, -self._before_end(op), 0.0))
        if site.step:
            return self.step(site, key)
        if isinstance(op, LoadIndexOp | LoadScalarOp):
            return self.load_from_gm(site)
        if isinstance(op, CrossSetFlagOp | CrossWaitFlagOp):
            return self._cross(site, op, key[site.scalars[0]])
        views = [operand.at(key) for operand in site.operands]
        kind = self.program.kind
        for i, view in enumerate(views):
            if not self._has(view):
                owner = self._beside(site, view) if i == 1 else None
                reason = f"an {kind} core of {self.target.name} has no {view.space}"
                require(owner is not None, "no-path", reason, view)
                views[i] = view = replace(view, owner=owner)
            space = self.target.spaces.get(view.space)
            require(space is not None, "no-path", f"{self.target.name} has no {view.space}", view)
            assert space is not None
            require(all(n >= 0 for n in view.sizes), "out-of-bounds", f"negative size in {view.sizes}", view)
            if view.empty or view.space == "gm":
                continue
            reason = f"the view ends at byte {view.end}, {view.space} has {space.bytes}"
            require(view.end <= space.bytes, "out-of-bounds", reason, view)
            reason = f"the view begins at byte {view.address}"
            require(view.address >= 0, "out-of-bounds", reason, view)
            align = self.register_align if i == 0 and self.to_register(op) else space.align
            reason = f"address {view.address} of {view.space} is not a multiple of {align}"
            require(view.address % align == 0, "misaligned", reason, view)
        return self._handlers[type(op)](site, key, views)

    def _has(self, view: View) -> bool:
        """Whether the kind of core that the program is for has the memory."""
        kind = self.program.kind
        return kind == "aicore" or (view.space == "ub") == (kind == "aiv") or view.space == "gm"

    def _beside(self, site: Site, view: View) -> int | None:
        """Position in the group of the core in whose memory an instruction may write `view`; None: in no other's."""
        if view.owner is None:
            return None
        if isinstance(site.op, FixpipeOp) and view.space == "ub":
            vector = 0 if site.op.vector is None else site.op.vector.value.data
            reason = f"Vector core {vector} of {self.target.vectors_beside} beside a Cube core"
            require(0 <= vector < self.target.vectors_beside, "limit", reason, view)
            return 1 + vector
        if isinstance(site.op, CopyOp) and site.operands[0].space == "ub" and view.space == "l1":
            return 0
        return None

    def _flag(self, site: Site, op: FlagOp, event: int) -> Instruction:
        sync = self.target.sync
        require(
            0 <= event < sync.events,
            "event-id",
            f"event id {event}; {self.target.name} has 0 to {sync.events - 1}",
        )
        source, destination = PIPE_INDEX[op.source.data], PIPE_INDEX[op.destination.data]
        key = (source, destination if sync.key == "pair" else -1, event)
        number = flag_number(key, sync.events)
        if isinstance(op, SetFlagOp):
            return self.make(site, SET, op.source.data, flag=key, number=number)
        assert isinstance(op, WaitFlagOp)
        return self.make(site, WAIT, op.destination.data, flag=key, number=number)

    def _cross(self, site: Site, op: CrossSetFlagOp | CrossWaitFlagOp, event: int) -> Instruction:
        cross, name = self.target.cross, self.target.name
        require(cross is not None, "no-path", f"{name} has no flags between cores")
        assert cross is not None
        events = max(cross.events, cross.hardware_events) if self.counted else cross.events
        reason = f"event id {event}; {name} has 0 to {events - 1} between cores"
        require(0 <= event < events, "event-id", reason)
        if isinstance(op, CrossSetFlagOp):
            return self.make(site, CROSS_SET, op.pipe.data, event=event)
        return self.make(site, CROSS_WAIT, "S", event=event)

    def _transpose(self, site: Site, key: Key, views: list[View]) -> Instruction:
        source, destination = views
        if source.empty:
            return self.nothing(site, "V")
        repeat, *rows, width = source.sizes
        reason = f"source {source.sizes} is not [repeat, 16, {BLOCK_BYTES // source.itemsize}]"
        whole = rows in ([16], [16 // width, width]) and width * source.itemsize == BLOCK_BYTES
        require(whole, "shape", reason, source)
        shapes = (repeat, width, 16), (repeat, 16 // width, width, width)
        reason = f"destination {destination.sizes} is not {shapes[len(rows) - 1]}"
        require(destination.sizes in shapes[len(rows) - 1 :], "shape", reason, destination)
        check_repeats(self.target, repeat, source)
        for view in views:
            check_blocks(view)
        check_in_place([source], destination, element=False)
        cost = transpose_cost(self.target, source.dtype, repeat)
        return self.make(
            site, LOCAL, "V", cost=cost,
            effects=lambda: Effects((Footprint.of(source),), (Footprint.of(destination),)),
            bind=on_core(values.bind_transpose, source, destination),
            check="exact",
        )  # fmt: skip

    def _vec(self, site: Site, key: Key, views: list[View]) -> Instruction:
        op = site.op
        assert isinstance(op, VecOp)
        *sources, destination = views
        joined = self._joined(op)
        if any(v.empty for v in views):
            return self.nothing(site, "V")
        known = VECTOR_INSTRUCTIONS[op.instruction.data]
        if known.mask:
            return self.masked(site, op, views, self._scalar(site, key, op))
        if known.moves:
            return self.moving(site, op, sources, destination)
        for view in views:
            require(view.dtype in ELEMENT_BYTES, "no-path", f"the emulator has no {view.dtype}", view)
            if view is destination and known.reduces and len(view.sizes) == 3:
                check_reduced(self.target, view)
            else:
                check_operand(self.target, view, view is destination)
        name, reduces = known.name, known.reduces
        self._check_types(known, sources, destination)
        for source in sources:
            same = source.sizes == destination.sizes or (
                known.converts and _lanes(source) == _lanes(destination)
            )
            if reduces:
                same = destination.sizes == ((source.sizes[0], 1, 1) if len(source.sizes) == 3 else (1,))
            reason = f"source {source.sizes} and destination {destination.sizes} differ"
            require(same, "shape", reason, source, destination)
        check_in_place(sources, destination, not reduces, "narrow" if known.converts else "")
        dtype = sources[0].dtype if known.gives else wider(*(v.dtype for v in views))
        repeats = vector_repeats(self.target, (sources[0] if reduces else destination).sizes, dtype)
        conflict = conflict_cycles(self.target, sources, destination)
        cost = vec_cost(self.target, name, dtype, repeats, conflict, joined)
        accesses = self._in_loop(op)
        if accesses is not None:
            each = self.target.vector.per_repeat_in_loop(name, dtype, accesses)
            cost = loop_cost(self.target, cost, repeats * each, joined, op.looped is not None)
        scalar = self._scalar(site, key, op)
        inputs = tuple(sources)
        of_repeats, of_elements = shadow_values.of_repeats, shadow_values.of_elements
        spread = (
            of_repeats(inputs[0], destination)
            if reduces
            else of_elements(with_number(inputs, scalar, destination), destination)
        )
        return self.make(
            site, LOCAL, "V", cost=cost,
            effects=lambda: Effects(footprints(inputs, scalar), (Footprint.of(destination),)),
            bind=on_core(vector_values.bind_vec, self.target, name, inputs, destination, scalar),
            spread=spread,
            check="exact",
        )  # fmt: skip

    def _scalar(self, site: Site, key: Key, op: VecOp) -> View | float | None:
        """The scalar of an instruction; one in a register has the type of its operand."""
        if op.scalar is not None:
            return number_of(op.scalar)
        return None if op.number is None else self.taken(site, key, type_of(op.number.type))

    def _joined(self, op: VecOp) -> bool:
        """Whether an instruction goes on in a vector function."""
        reason = f"{self.target.name} has no vector functions of several instructions"
        require(op.joined is None or self.target.vector.loop > 0, "no-path", reason)
        return op.joined is not None

    def _in_loop(self, op: VecOp) -> int | None:
        """Loads and stores of an instruction of a loop of several ones; None of one that is a loop by itself."""
        block = op.parent
        assert block is not None
        found = self.loops.get(block)
        if found is None:
            found = self.loops[block] = accesses_of(block)
        return found.get(op)

    def _before_end(self, op: BarrierOp) -> float:
        """Cycles of the latency that what is behind a barrier need not wait for: all inside a loop, whose elements
        follow each other, and what only the end of a function takes elsewhere in it."""
        if op.joined is None:
            return 0.0
        behind = op.next_op
        while behind is not None and not isinstance(behind, VecOp):
            behind = behind.next_op
        vector = self.target.vector
        return vector.latency if behind is not None and behind.looped is not None else vector.drain

    def _check_types(self, known: VectorInstruction, sources: list[View], destination: View) -> None:
        """Whether the Vector unit has the instruction in these element types; all of them can be moved."""
        vector, name = self.target.vector, known.name
        dtype = (sources[0] if known.gives else destination).dtype
        if known.converts:
            (source,) = sources
            reason = f"{self.target.name} has no conversion from {source.dtype} to {dtype}"
            require(vector.casts(source.dtype, dtype), "no-path", reason, source, destination)
        elif name not in MOVES and not known.bits and dtype in (*self.target.storage, "i16", "i64"):
            reason = no_instruction(self.target, name, dtype)
            require(vector.executes(name, dtype), "no-path", reason, destination)


def _lanes(view: View) -> tuple[int, int]:
    """Repeats, and elements in each."""
    if len(view.sizes) == 1:
        return 1, view.sizes[0]
    return view.sizes[0], view.sizes[1] * view.sizes[2]
