"""A kernel as a Python generator: the program that a core's scalar unit runs, with no IR in its loops.

Each kernel becomes the source of one generator function, compiled once. Loops, conditions and index
arithmetic become Python's; each instruction becomes a lookup of its resolved form (operand addresses,
cost, bytes touched) by the values that vary, and a `yield` of that form with its GM offset:

    for v3 in range(0, 8, 1):                      scf.for %v3 = %c0 to %c8 step %c1
        v4 = v3 * 64                                 %v4 = arith.muli %v3, %c64
        yield (get5(key := (v3 % 2,)) or new5(key), v4 * 2)   ascend.copy %x_view, %ub_view

What is static of an instruction is its `Site` (kernel_program.py).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects import arith, scf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects.ascend import (
    CROSS_CORE,
    INSTRUCTIONS,
    SYNCHRONISATION,
    BarrierOp,
    BitcastOp,
    BlockIdxOp,
    BufferOp,
    CrossSetFlagOp,
    CrossWaitFlagOp,
    EndOp,
    KernelOp,
    LoadIndexOp,
    LoadScalarOp,
    NextSlotOp,
    PreviousSlotOp,
    StoreScalarOp,
    VecOp,
    ViewOp,
    WaitFlagOp,
)
from ...dialects.ascend.cube import Load3dOp, MmadOp
from ...dialects.ascend.memory import dtype_of, element_bytes, memref_type, space_of
from ...dialects.ascend.sync import FlagOp
from ..machine.memory import REGISTERS, SELF
from ..program.kernel_program import BufferSlots, KernelProgram, Operand
from ..support.hazard import ProgramError
from ..support.labels import label_of
from .marks import buffer_marks
from .scalar_code import ScalarCoder, is_arithmetic
from .scalar_plan import CELL

Chosen = Callable[[scf.ForOp], Callable[[int, int, int], Iterable[int]]]
"""Of a loop, the values that it takes by its bounds and step."""

_EXECUTED = frozenset[type[Operation]]((*INSTRUCTIONS, *SYNCHRONISATION, *CROSS_CORE))


def _checked_range(op: scf.ForOp) -> Callable[[int, int, int], range]:
    """The trips of a loop whose step is known at run time only; `ProgramError` where it never ends."""

    def trips(first: int, end: int, step: int) -> range:
        if step <= 0:
            raise ProgramError(f"scf.for: a step of {step}: the loop never ends", op)
        return range(first, end, step)

    return trips


class _Coder(ScalarCoder):
    """Writes the generator's source; one instance per kernel."""

    def __init__(
        self,
        kernel: KernelOp,
        addresses: Mapping[int, int],
        sizes: Mapping[int, int],
        trips: Chosen | None,
        trip: Any,
    ):
        super().__init__(kernel)
        self.trips = trips
        self.trip = trip
        self.scope["trip"] = (trip, 0)
        self.sizes = sizes
        self.addresses = addresses
        self.marks = buffer_marks(kernel)
        self.peaks: dict[str, int] = {}
        self.buffers: list[BufferSlots] = []
        self.slots: dict[SSAValue, str] = {}  # buffer -> variable that holds its current slot

    def block(self, block: Block, depth: int, yields: Sequence[SSAValue] = ()) -> None:
        """Code of a block; a `scf.yield` assigns to `yields`."""
        before = len(self.lines)
        for op in block.ops:
            if isinstance(op, scf.YieldOp):
                self.assign(yields, op.operands, op, depth)
            else:
                self.operation(op, depth)
        if len(self.lines) == before:
            self.line(depth, "pass")

    def operation(self, op: Operation, depth: int) -> None:
        match op:
            case _ if type(op) in _EXECUTED:  # most ops
                self.instruction(op, depth)
            case arith.ConstantOp():
                self.constant(op)
            case _ if is_arithmetic(op):
                self.arithmetic(op, depth)
            case BlockIdxOp():
                self.names[op.result] = "block"
            case scf.ForOp():
                self.loop(op, depth)
            case scf.IfOp():
                self.condition(op, depth)
            case BufferOp():
                self.buffer(op)
            case NextSlotOp() | PreviousSlotOp():
                slot = self.slots.setdefault(op.buffer, f"slot{len(self.slots)}")
                last, now = cast(BufferOp, op.buffer.owner).slot_count - 1, slot
                if isinstance(op, NextSlotOp):
                    self.line(depth, f"{slot} = {slot} + 1 if {slot} < {last} else 0")
                else:
                    now = f"{slot} - 1 if {slot} > 0 else {last}"
                self.line(depth, f"{self.fresh(op.result)} = {now}")
            case ViewOp() | BitcastOp() | EndOp():
                pass
            case LoadIndexOp():
                self.load_index(op, depth)
            case LoadScalarOp():
                self.load_scalar(op, depth)
            case StoreScalarOp():
                self.step(op, "store", depth, None, op.operands)
            case _:
                raise ProgramError(f"{op.name} cannot run on a core's scalar unit", op)

    def loop(self, op: scf.ForOp, depth: int) -> None:
        bounds = ", ".join(self.uses([op.lb, op.ub, op.step]))
        induction, *carried = op.body.block.args
        self.name_targets(carried)
        self.assign(carried, op.iter_args, op, depth)
        name = "range"
        if not isinstance(op.step.owner, arith.ConstantOp):
            name = f"steps{len(self.scope)}"
            self.scope[name] = _checked_range(op)
        if self.trips is not None:
            name = f"trips{len(self.scope)}"
            self.scope[name] = self.trips(op)
        self.line(depth, f"for {self.fresh(induction)} in {name}({bounds}):")
        if self.trip is not None:
            self.line(depth + 1, "yield trip")
        self.block(op.body.block, depth + 1, carried)
        of = zip(op.results, carried, strict=True)
        self.names.update((result, self.names[a]) for result, a in of if a in self.names)

    def condition(self, op: scf.IfOp, depth: int) -> None:
        self.name_targets(op.results)
        self.line(depth, f"if {self.use(op.cond)}:")
        self.block(op.true_region.block, depth + 1, op.results)
        if op.false_region.blocks and (op.results or op.false_region.block.ops):
            self.line(depth, "else:")
            self.block(op.false_region.block, depth + 1, op.results)

    def buffer(self, op: BufferOp) -> None:
        addresses = op.slot_addresses
        if addresses is None:
            raise ProgramError(
                f"@{self.kernel.sym_name.data}: buffer {label_of(op.result)} has no address: "
                "run ascend-plan-memory",
                op,
            )
        space = space_of(op.result)
        self.buffers.append(BufferSlots(space, label_of(op.result), op.slot_bytes, len(addresses)))
        self.peaks[space] = max(self.peaks.get(space, 0), *(a + op.slot_bytes for a in addresses))
        for index, start in self.addresses.items():
            argument = self.kernel.body.block.args[index]
            end = start + group_bytes(argument)
            if space_of(argument) == space and any(a < end and start < a + op.slot_bytes for a in addresses):
                raise ProgramError(
                    f"@{self.kernel.sym_name.data}: buffer {label_of(op.result)} at {addresses} shares bytes of "
                    f"{space} with the group's buffer at [{start}, {end})",
                    op,
                )

    def group_address(self, argument: BlockArgument) -> int:
        """Where the group's buffer that is passed as an argument starts."""
        address = self.addresses.get(argument.index)
        if address is None:
            raise ProgramError(
                f"@{self.kernel.sym_name.data}: argument {argument.index} is a buffer of a group, which a launch of "
                "two kernels gives it",
                self.kernel,
            )
        space = space_of(argument)
        self.peaks[space] = max(self.peaks.get(space, 0), address + group_bytes(argument))
        return address

    def instruction(self, op: Operation, depth: int) -> None:
        key: list[str] = []
        gm, gm_offset = -1, "0"
        operands: list[Operand] = []

        def put(value: SSAValue) -> int:
            key.append(self.use(value))
            return len(key) - 1

        if isinstance(op, FlagOp | CrossSetFlagOp | CrossWaitFlagOp):
            scalars: Sequence[SSAValue] = [op.event]
        elif isinstance(op, Load3dOp):
            scalars = [*op.pads, op.m_start, op.k_start]
        elif isinstance(op, MmadOp):
            scalars = [op.m, op.n, op.k, op.init, *([] if op.unit is None else [op.unit])]
        else:
            scalars = []
        number = op.number if isinstance(op, VecOp) else None
        if not isinstance(op, FlagOp | BarrierOp | CrossSetFlagOp | CrossWaitFlagOp):
            for value in op.operands:
                if value is number or value in scalars:
                    continue
                operand, offset = self.operand(value, put)
                if operand.argument >= 0:
                    if gm >= 0:
                        raise ProgramError(f"{op.name}: two operands in GM", op)
                    gm, gm_offset = len(operands), offset
                operands.append(operand)
        at = tuple(put(v) for v in scalars)
        cells: tuple[int, ...] = ()
        if number is not None:
            cell, turn = self.copied(op, number, key, depth)
            at, cells = (turn,), (cell,)
        site = self._site(op, tuple(operands), at)
        site.gm, site.cells = gm, cells
        index = site.index
        key_text = f"({key[0]},)" if len(key) == 1 else f"({', '.join(key)})"
        found = f"get{index}(key := {key_text}) or new({index}, key)"
        self.line(depth, f"yield ({found}, {gm_offset})" if gm >= 0 else f"yield {found}")

    def load_index(self, op: LoadIndexOp, depth: int) -> None:
        tensor = op.tensor
        if not isinstance(tensor, BlockArgument):
            raise ProgramError(f"{op.name}: {label_of(tensor)} is no tensor in GM", op)
        site = self._site(op, (), ())
        self.line(depth, f"yield get{site.index}(key := ()) or new({site.index}, key)")
        cut = f"{op.part_count}, {0 if op.step is None else op.step.value.data}"
        call = f"read({tensor.index}, {self.use(op.at)}, {op.size.value.data}, {site.index}, {cut})"
        self.line(depth, f"{self.fresh(op.result)} = {call}")

    def operand(self, value: SSAValue, put: Callable[[SSAValue], int]) -> tuple[Operand, str]:
        """Static part of a memref operand, and the expression of its GM byte offset."""
        base, view = value, None
        if isinstance(value.owner, ViewOp):
            view, base = value.owner, value.owner.base
        in_gm = space_of(base) == "gm"
        dtype, item, shape = dtype_of(base), element_bytes(base), memref_type(base).get_shape()
        while isinstance(base.owner, BitcastOp):
            base = base.owner.source
        total = self.sizes.get(base.index, 0) if isinstance(base, BlockArgument) else 0
        total = total or item * prod(shape)
        if view is not None:
            mixed = view.mixed_sizes()
            sizes = tuple(n if isinstance(n, int) else -1 for n in mixed)
            strides, start = view.element_strides(), view.start.value.data
            dynamic = tuple(put(n) for n in mixed if not isinstance(n, int))
            slot = put(view.slot) if view.slot is not None else -1
        else:
            if any(n < 0 for n in shape):
                raise ProgramError(
                    f"{label_of(base)} is dynamic: an instruction takes a view of it", self.kernel
                )
            sizes, start, slot, dynamic = tuple(shape), 0, -1, ()
            strides = _row_major(sizes)
        fields: dict[str, Any] = {
            "space": space_of(base), "dtype": dtype, "itemsize": item, "label": label_of(base),
            "slot_bytes": total, "start": start, "sizes": sizes, "strides": strides, "slot": slot,
            "dynamic_sizes": dynamic,
        }  # fmt: skip
        position = put(view.offset) if view is not None and view.offset is not None and not in_gm else -1
        if not in_gm and isinstance(base, BlockArgument):
            return Operand(bases=(self.group_address(base),), offset=position, owner=SELF, **fields), "0"
        if isinstance(base, BlockArgument) and base.block is self.kernel.body.block:
            offset = str(start * item)
            if view is not None and view.offset is not None:
                offset = (
                    f"({self.use(view.offset)} + {start}) * {item}"
                    if start
                    else f"{self.use(view.offset)} * {item}"
                )
            return Operand(bases=(), argument=base.index, **fields), offset
        if not isinstance(base.owner, BufferOp):
            raise ProgramError(
                f"@{self.kernel.sym_name.data}: {label_of(base)} is neither a buffer nor a tensor in GM",
                self.kernel,
            )
        bases, mark = base.owner.slot_addresses or (), self.marks[base.owner]
        return Operand(bases=bases, offset=position, mark=mark, **fields), "0"


def group_bytes(argument: SSAValue) -> int:
    """Bytes of a buffer of the group."""
    return prod(memref_type(argument).get_shape()) * element_bytes(argument)


def _row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for n in reversed(sizes):
        strides.append(step)
        step *= n
    return tuple(reversed(strides))


def decode(
    kernel: KernelOp,
    addresses: Mapping[int, int] | None = None,
    sizes: Mapping[int, int] | None = None,
    trips: Chosen | None = None,
    trip: Any = None,
) -> KernelProgram:
    """Compile a kernel; `ProgramError` when an op has no meaning there or a buffer has no address. `addresses`: those
    of the arguments that are buffers of the group; `sizes`: bytes of those that are dynamic tensors. `trips` gives the
    values that a loop takes, where those are not all; `trip` comes before each trip of a loop."""
    coder = _Coder(kernel, addresses or {}, sizes or {}, trips, trip)
    block = kernel.body.block
    numbers = [coder.fresh(argument) for argument in kernel.numbers]
    coder.block(block, 1)
    name = kernel.sym_name.data
    written = {site.operands[site.gm].argument for site in coder.sites if site.stores}
    for site in coder.sites:
        read = site.reads_gm
        if read is not None and getattr(read, "index", -1) in written:
            raise ProgramError(f"@{name}: {label_of(read)} holds indices, and the kernel writes it", site.op)
    header = ["def program(block, numbers, gets, new, read=None, take=None):"]
    header += [f"    {', '.join(numbers)}, = numbers"] if numbers else []
    header += [f"    get{i} = gets[{i}]" for i in range(len(coder.sites))]
    header += [f"    {slot} = -1" for slot in (*coder.slots.values(), *coder.copies)]
    if coder.cells:
        coder.peaks[REGISTERS] = CELL * coder.cells
    source = "\n".join([*header, *coder.lines, "    return", "    yield", ""])
    exec(compile(source, f"<kernel @{name}>", "exec"), coder.scope)
    return KernelProgram(
        name=name,
        cores=kernel.core_count,
        kind=kernel.core_kind,
        ops=tuple(o.data for o in kernel.ops) if kernel.ops is not None else (),
        sites=tuple(coder.sites),
        arguments=tuple(a.type for a in kernel.tensors),
        labels=tuple(label_of(a) for a in kernel.tensors),
        numbers=len(numbers),
        rounds=kernel.rounds is not None,
        steered=bool(coder.registers.steering),
        decoding=f"{name} {sorted((sizes or {}).items())}",
        peaks=coder.peaks,
        buffers=tuple(coder.buffers),
        waits=dict(Counter(wait for site in coder.sites for wait in _waits(site.op))),
        source=source,
        start=coder.scope["program"],
    )


def _waits(op: Operation) -> Iterator[str]:
    """What an instruction makes its pipe wait for."""
    if isinstance(op, WaitFlagOp):
        yield f"{op.source.data} -> {op.destination.data}"
    elif isinstance(op, BarrierOp):
        yield op.pipe.data
