"""Flags, barriers and control flow of a kernel as ops of HIVM."""

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import ascend
from ...dialects.hivm import sync
from ...dialects.hivm.attributes import CoreType, InstrMode, Pipe
from ..support.errors import LocatedError
from .writer import HALVES, Writer, known

Body = Callable[[Writer, Block], None]


def pipe(name: str) -> Attribute:
    return Pipe(f"PIPE_{name}")


def flag(write: Writer, op: ascend.SetFlagOp | ascend.WaitFlagOp) -> None:
    kind = sync.SetFlagOp if isinstance(op, ascend.SetFlagOp) else sync.WaitFlagOp
    write.flag(kind, (op.source.data, op.destination.data), op.event)


def barrier(write: Writer, op: ascend.BarrierOp) -> None:
    write.emit(sync.PipeBarrierOp, pipe=pipe(op.pipe.data))


def cross_flag(write: Writer, op: ascend.CrossSetFlagOp | ascend.CrossWaitFlagOp) -> None:
    """A flag between the cores of a group, which the scalar unit waits for."""
    sets = isinstance(op, ascend.CrossSetFlagOp)
    event = known(op.event)
    own = "CUBE" if write.kernel.core_kind == "aic" else "VECTOR"
    write.emit(
        sync.SyncBlockSetOp if sets else sync.SyncBlockWaitOp,
        [[write.integer(write.number(op.event), i64)] if event is None else [], []],
        tcore_type=CoreType(own),
        tpipe=pipe(op.pipe.data) if isinstance(op, ascend.CrossSetFlagOp) else pipe("MTE2"),
        pipe=pipe("S"),
        static_flag_id=None if event is None else IntegerAttr(event, i64),
        tsync_instr_mode=InstrMode("INTRA_BLOCK_SYNCHRONIZATION"),
    )  # fmt: skip


def block_idx(write: Writer, op: ascend.BlockIdxOp) -> None:
    """The index of a core; of a Vector core beside a Cube core that of the group and its own."""
    index = write.emit(sync.GetBlockIdxOp, results=[i64]).results[0]
    group = write.integer(index, IndexType())
    if write.vectors:
        own = write.integer(write.emit(sync.GetSubBlockIdxOp, results=[i64]).results[0], IndexType())
        first = write.insert(arith.MuliOp(group, write.constant(write.vectors))).result
        group = write.insert(arith.AddiOp(first, own)).result
    write.values[op.results[0]] = group


def _turning(write: Writer, op: Operation) -> list[SSAValue | str]:
    """The buffers with slots whose contents change within an op."""
    inside: set[SSAValue | str] = {one.buffer for one in op.walk() if isinstance(one, ascend.NextSlotOp)}
    if any(one in write.products.at for one in op.walk()):
        inside.add(HALVES)
    return [buffer for buffer in write.slots if buffer in inside]


def loop(write: Writer, op: scf.ForOp, body: Body) -> None:
    """A loop, which hands on the slots that its trips leave."""
    turning = _turning(write, op)
    start = [*(write.number(v) for v in op.iter_args), *(write.slots[b] for b in turning)]
    block = Block(arg_types=[IndexType(), *(value.type for value in start)])
    lower, upper, step = (write.number(v) for v in (op.lb, op.ub, op.step))
    made = write.insert(scf.ForOp(lower, upper, step, start, Region(block)))
    own = len(op.iter_args)
    write.values.update(zip(op.body.block.args, block.args[: own + 1], strict=True))
    write.slots.update(zip(turning, block.args[own + 1 :], strict=True))
    with write.inside(block):
        body(write, op.body.block)
        write.insert(scf.YieldOp(*_given(write, op.body.block), *(write.slots[b] for b in turning)))
    write.values.update(zip(op.results, made.results[:own], strict=True))
    write.slots.update(zip(turning, made.results[own:], strict=True))


def _given(write: Writer, block: Block) -> Sequence[SSAValue]:
    last = block.last_op
    return [write.number(v) for v in last.operands] if isinstance(last, scf.YieldOp) else []


def condition(write: Writer, op: scf.IfOp, body: Body) -> None:
    """A condition, both of whose branches say where slots are behind it."""
    turning = _turning(write, op)
    before = dict(write.slots)
    blocks: list[Block] = []
    for region in op.regions:
        block = Block()
        write.slots.update(before)
        with write.inside(block):
            given: Sequence[SSAValue] = []
            if region.blocks:
                body(write, region.block)
                given = _given(write, region.block)
            write.insert(scf.YieldOp(*given, *(write.slots[b] for b in turning)))
        blocks.append(block)
    kinds: list[Attribute] = [*(r.type for r in op.results), *(IndexType() for _ in turning)]
    other = Region(blocks[1]) if kinds or op.false_region.blocks else Region()
    made = write.insert(scf.IfOp(write.number(op.cond), kinds, Region(blocks[0]), other))
    own = len(op.results)
    write.values.update(zip(op.results, made.results[:own], strict=True))
    write.slots.update(before)
    write.slots.update(zip(turning, made.results[own:], strict=True))


def arithmetic(write: Writer, op: Operation) -> None:
    """What the scalar unit computes is the same there."""
    if any(str(value.type) not in ("index", "i1", "i32", "i64", "f32") for value in op.results):
        raise LocatedError(op, f"{op.name}: numbers of {op.results[0].type} have no form here")
    made = op.clone({value: write.number(value) for value in op.operands})
    write.insert(made)
    write.values.update(zip(op.results, made.results, strict=True))
