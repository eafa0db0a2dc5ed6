"""Instruction selection: every `tile.kernel` becomes an `ascend.kernel`, the function around it a launch sequence.

    %y = tile.kernel "k"(%x, %w) {…}     ->     %y = ascend.gm_alloc : memref<…, "gm">
                                                ascend.launch @k(%x, %w, %y)

Kernels that are alike but for their names become one `ascend.kernel`, with the name of the first, which is launched
several times. What depends only on weights and constants moves to `@f.prepare`, which runs once before the first run;
its results become arguments of `@f`. Buffers have one slot and no address yet; later passes add slots, addresses and
flags.
"""

from collections.abc import Hashable, Sequence
from dataclasses import field
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from ..dialects import ascend, tile
from ..dialects.ascend.memory import space_of
from ..dialects.attributes import integer_array, tensor_type
from ..dialects.dynamic import is_dynamic, shape_of
from ..dialects.graph import ReshapeOp
from ..dialects.graph.arguments import argument_names, weight_values
from ..dialects.helpers import is_helper
from ..dialects.records import dataclass
from ..dialects.target_types import Target
from ..runtime.execution.host import SIZES
from ..runtime.support.progress import tracked
from .fusion.joined_tensors import Place, places_of
from .launches.independent import JOIN_LAUNCHES, PREDICTED
from .lowering.base.emitter import gm_tensor
from .lowering.check_chip import check_chip
from .lowering.dispatch import lower_dispatch
from .lowering.prepare_report import PrepareReport, summarise
from .lowering.programs import Lowered, lower_kernel, packed_program, unpacked_program
from .support.errors import LocatedError
from .support.kernel_signature import kernel_signature
from .support.module import check_made_for, check_unit_flags, chip_of, functions_of, set_target
from .support.options import Pass
from .support.packed_ops import Parts
from .support.peers import peers, share_out
from .support.report import add_report

ARGUMENT_NAME = "ascend.name"
PREPARED = "ascend.prepared"


@dataclass(frozen=True)
class TileToAscend(Pass):
    """Lower all kernels and the functions that launch them."""

    name = "tile-to-ascend"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        check_made_for(op, target)
        check_unit_flags(op, target)
        check_chip(op, target)
        known: dict[Hashable, Lowered] = {}
        for function in functions_of(op):
            if any(isinstance(o, ascend.LaunchOp) for o in function.body.block.ops) or is_helper(
                function.sym_name.data
            ):
                continue
            if not lower_dispatch(function):
                _Function(function, target, known).lower()
        set_target(op, target.name)
        functions = functions_of(op)
        prepares = tuple(summarise(f) for f in functions if f.sym_name.data.endswith(".prepare"))
        if prepares:
            add_report(PrepareReport(prepares))


@dataclass
class _Function:
    """One function's lowering."""

    function: FuncOp
    target: Target
    known: dict[Hashable, Lowered]
    """What kernels became, by signature."""
    prepared: list[SSAValue] = field(default_factory=list[SSAValue])
    size: SSAValue | None = None
    """The run-time size, where one of the arguments is dynamic."""
    places: dict[SSAValue, Place] = field(default_factory=dict[SSAValue, Place])
    """Where tensors lie that are parts of others."""
    signatures: dict[tile.KernelOp, Hashable] = field(default_factory=dict[tile.KernelOp, Hashable])
    lowered: dict[Hashable, Lowered] = field(default_factory=dict[Hashable, Lowered])
    """What kernels become, by signature, where that was found early."""

    def lower(self) -> None:
        function = self.function
        known = weight_values(function)
        names = argument_names(function)
        self._find_prepared(known)
        prepare = self._prepare(names)
        main = self._main(known, names)
        block = self._block()
        for op in ([prepare] if prepare is not None else []) + [main]:
            op.location = function.location
            block.insert_op_before(op, function)
        block.erase_op(function)

    def _block(self) -> Block:
        """The module's block, where the function is."""
        assert self.function.parent is not None
        return self.function.parent

    def _find_prepared(self, known: set[SSAValue]) -> None:
        """Values that prepare computes and the main function uses. Plain weight arguments stay arguments."""
        arguments = set(self.function.body.block.args)
        found: dict[SSAValue, None] = {}
        for op in self.function.body.block.ops:
            if op.results and all(r in known for r in op.results):
                continue
            for operand in op.operands:
                if operand in known and operand not in arguments:
                    found[operand] = None
        self.prepared = list(found)

    def _prepare(self, names: list[str]) -> FuncOp | None:
        """`@f.prepare`, or None where nothing is to be prepared."""
        if not self.prepared:
            return None
        function = self.function
        needed: set[Operation] = set()
        read: set[BlockArgument] = set()
        waiting = list(self.prepared)
        while waiting:
            value = waiting.pop()
            if isinstance(value, BlockArgument):
                read.add(value)
            elif isinstance(value.owner, Operation) and value.owner not in needed:
                needed.add(value.owner)
                waiting += value.owner.operands
        arguments = sorted(read, key=lambda a: a.index)
        block = Block(arg_types=[a.type for a in arguments])
        mapping: dict[SSAValue, SSAValue] = dict(zip(arguments, block.args, strict=True))
        for op in function.body.block.ops:
            if op in needed:
                block.add_op(op.clone(mapping))
        for argument, new in zip(arguments, block.args, strict=True):
            new.name_hint = argument.name_hint
        block.add_op(ReturnOp(*[mapping[v] for v in self.prepared]))
        kind = FunctionType.from_lists([a.type for a in arguments], [v.type for v in self.prepared])
        prepare = FuncOp(f"{function.sym_name.data}.prepare", kind, Region(block))
        prepare.arg_attrs = ArrayAttr(
            [DictionaryAttr({ARGUMENT_NAME: StringAttr(names[a.index])}) for a in arguments]
        )
        return prepare

    def _main(self, known: set[SSAValue], names: list[str]) -> FuncOp:
        function = self.function
        source = function.body.block
        used = [
            a
            for a in source.args
            if a not in known
            or any(not (u.operation.results and all(r in known for r in u.operation.results)) for u in a.uses)
        ]
        inputs = [gm_tensor(a.type) for a in used] + [gm_tensor(v.type) for v in self.prepared]
        block = Block(arg_types=inputs)
        tensors: dict[SSAValue, SSAValue] = dict(zip([*used, *self.prepared], block.args, strict=True))
        for old, new in tensors.items():
            new.name_hint = _hint_of(old)
        dynamic = next((a for a in block.args if is_dynamic(a.type)), None)
        if dynamic is not None:
            from xdsl.dialects import memref  # of dynamic functions alone

            zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
            measured = memref.DimOp(dynamic, zero.result)
            self.size = measured.result
            self.size.name_hint = "n"
            for new in (zero, measured):
                new.location = function.location
                block.add_op(new)
        self.places = places_of([op for op in source.ops if isinstance(op, tile.ConcatOp)])
        self._lower_beside_peers()
        run = [op for op in source.ops if not (op.results and all(r in known for r in op.results))]
        for op in tracked(run, "selecting instructions", "op", lambda op: op.name):
            new_ops = self._lower_op(op, tensors)
            for new in new_ops:
                new.location = op.location
                block.add_op(new)
        results = [gm_tensor(t) for t in function.function_type.outputs]
        main = FuncOp(function.sym_name.data, FunctionType.from_lists(inputs, results), Region(block))
        attributes = [DictionaryAttr({ARGUMENT_NAME: StringAttr(names[a.index])}) for a in used]
        attributes += [DictionaryAttr({PREPARED: IntegerAttr(i, i64)}) for i in range(len(self.prepared))]
        main.arg_attrs = ArrayAttr(attributes)
        sizes = next((op.size_list for op in source.ops if isinstance(op, tile.KernelOp) and op.factor), ())
        if self.size is not None and sizes:
            main.attributes[SIZES] = integer_array(sizes)
        if JOIN_LAUNCHES in function.attributes:
            main.attributes[JOIN_LAUNCHES] = function.attributes[JOIN_LAUNCHES]
        return main

    def _lower_beside_peers(self) -> None:
        """Lower kernels, where there are peers each by one of the processes."""
        ops = [op for op in self.function.body.block.ops if isinstance(op, tile.KernelOp)]
        self.signatures = {op: kernel_signature(op) for op in ops}
        alike = {signature: op for op, signature in reversed(self.signatures.items())}
        new = [(signature, op) for signature, op in reversed(alike.items()) if signature not in self.known]
        here, parts = dict[int, Lowered](), Parts()

        def find(number: int) -> bytes:
            here[number] = lower_kernel(new[number][1], self.target)
            return packed_program(here[number], parts)

        with peers() as others:
            if others is None:
                return
            found = share_out(len(new), others, find)
        for number, (signature, _) in enumerate(new):
            lowered = here.get(number)
            self.lowered[signature] = unpacked_program(found[number], parts) if lowered is None else lowered

    def _lower_op(self, op: Operation, tensors: dict[SSAValue, SSAValue]) -> list[Operation]:
        if isinstance(op, ReturnOp):
            return [ReturnOp(*[tensors[v] for v in op.operands])]
        if isinstance(op, ReshapeOp):
            view = ascend.ViewTensorOp(tensors[op.x], gm_tensor(op.result.type))
            tensors[op.result] = view.result
            return [view]
        if isinstance(op, tile.SliceOp):
            assert op.result not in self.places, "a part of one tensor is no part of another"
            part = ascend.ViewTensorOp(tensors[op.source], gm_tensor(op.result.type), op.offset)
            part.result.name_hint = op.result.name_hint
            tensors[op.result] = part.result
            return [part]
        if isinstance(op, tile.BitcastOp):
            tensors[op.result] = tensors[op.source]
            return []
        if isinstance(op, tile.ConcatOp):
            return self._tensor(op.result, tensors) if op.result in self.places else []
        if isinstance(op, tile.KernelOp):
            return self._launch(op, tensors)
        if isinstance(op, tile.GroupOp):
            raise LocatedError(op, f"{op.name} is no kernel yet; run tile-from-groups first")
        raise LocatedError(
            op, f"{op.name} is still at the graph level; run tile-from-graph or tile-fuse first"
        )

    def _launch(self, op: tile.KernelOp, tensors: dict[SSAValue, SSAValue]) -> list[Operation]:
        signature = self.signatures[op]
        if signature not in self.known:
            lowered = self.lowered.pop(signature, None)
            self.known[signature] = lower_kernel(op, self.target) if lowered is None else lowered
            for made in self.known[signature].made:
                self._block().insert_op_before(made, self.function)
        lowered = self.known[signature]
        ops: list[Operation] = []
        numbers: Sequence[SSAValue] = ()
        blocks: SSAValue | None = None
        if lowered.tiling is not None:
            assert self.size is not None, "a dynamic kernel has a dynamic argument"
            kinds = lowered.tiling.function_type.outputs.data
            call = CallOp(lowered.tiling.sym_name.data, [self.size], kinds)
            ops.append(call)
            *numbers, blocks = call.results
        arguments: list[SSAValue] = []
        for value, argument in zip(op.inputs, op.body.block.args, strict=False):
            source = tensors[value]
            wanted = gm_tensor(argument.type)
            if source.type != wanted:
                view = ascend.ViewTensorOp(source, wanted)
                ops.append(view)
                source = view.result
            arguments.append(source)
        for result, argument in zip(op.outputs, op.body.block.args[len(op.inputs) :], strict=False):
            size = self._rows(op, argument, result, ops) if is_dynamic(result.type) else None
            ops += self._tensor(result, tensors, size)
            written = tensors[result]
            wanted = gm_tensor(argument.type)
            if written.type != wanted:
                view = ascend.ViewTensorOp(written, wanted)
                ops.append(view)
                written = view.result
            arguments.append(written)
        for room in lowered.workspaces:
            kind = room.type
            meeting = (
                ascend.GmAllocOp(kind.get_shape(), kind.element_type, workspace=True)
                if space_of(kind) == "gm"
                else ascend.GroupBufferOp(kind, room.label)
            )
            meeting.result.name_hint = room.label
            ops.append(meeting)
            arguments.append(meeting.result)
        first, *beside = (kernel.sym_name.data for kernel in lowered.kernels)
        launch = ascend.LaunchOp(first, arguments, *beside or (None,), numbers=numbers, blocks=blocks)
        if (predicted := op.attributes.get(PREDICTED)) is not None:
            launch.attributes[PREDICTED] = predicted
        return [*ops, launch]

    def _tensor(
        self, value: SSAValue, tensors: dict[SSAValue, SSAValue], size: SSAValue | None = None
    ) -> list[Operation]:
        """GM for a tensor, or its part of the one that it lies in, which the first of its parts makes. `size`: its
        dynamic first dimension."""
        if value not in self.places:
            kind = tensor_type(value)
            alloc = ascend.GmAllocOp(tile.physical_shape(kind), kind.element_type, size=size)
            alloc.result.name_hint = value.name_hint
            tensors[value] = alloc.result
            return [alloc]
        place = self.places[value]
        ops = [] if place.root in tensors else self._tensor(place.root, tensors)
        view = ascend.ViewTensorOp(tensors[place.root], gm_tensor(value.type), place.offset)
        view.result.name_hint = value.name_hint
        tensors[value] = view.result
        return [*ops, view]

    def _rows(
        self, op: tile.KernelOp, argument: SSAValue, result: SSAValue, ops: list[Operation]
    ) -> SSAValue:
        """The dynamic first dimension of a kernel's result, which the kernel sees as `argument`: a multiple of the
        run-time size."""
        assert self.size is not None
        elements = op.factor * prod(shape_of(argument.type)[1:])
        times = elements // prod(shape_of(result.type)[1:])
        if times == 1:
            return self.size
        factor = arith.ConstantOp(IntegerAttr(times, IndexType()))
        rows = arith.MuliOp(self.size, factor.result)
        ops += [factor, rows]
        return rows.result


def _hint_of(value: SSAValue) -> str | None:
    """The name of a value; of packed weights that of what is packed, as reports have it."""
    if isinstance(value.owner, ascend.PackOp):
        name = _hint_of(value.owner.operands[0])
        return None if name is None else f"{name}_packed"
    return value.name_hint
