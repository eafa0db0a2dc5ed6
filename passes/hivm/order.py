"""Flags and barriers, within a core and between cores, and what a core asks for about itself."""

from xdsl.ir import Attribute, Operation

from ...dialects import ascend
from ...dialects.hivm.attributes import word_of
from ...dialects.hivm.base import HivmOp
from ...dialects.hivm.sync import BlockFlagOp, FlagOp
from ..support.errors import LocatedError
from .context import Context
from .numbers import Idx


def pipe_name(op: Operation, attribute: Attribute) -> str:
    """A pipe as the `ascend` level calls it."""
    name = word_of(attribute).removeprefix("PIPE_")
    if name not in ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX", "ALL"):
        raise LocatedError(op, f"{op.name}: there is no pipe {name}")
    return name


def _event(context: Context, op: FlagOp) -> Idx:
    if op.static_event_id is not None:
        return int(word_of(op.static_event_id).removeprefix("EVENT_ID"))
    return context.index(op.one("event"))


def flag(context: Context, op: Operation) -> None:
    assert isinstance(op, FlagOp)
    pipes = pipe_name(op, op.set_pipe), pipe_name(op, op.wait_pipe)
    emit = context.emit
    (emit.set_flag if op.name.endswith("set_flag") else emit.wait_flag)(*pipes, _event(context, op))


def barrier(context: Context, op: Operation) -> None:
    context.emit.barrier(pipe_name(op, op.properties["pipe"]))


def block_flag(context: Context, op: Operation) -> None:
    """A flag between the cores of a group: set by a pipe, waited for by the scalar unit."""
    assert isinstance(op, BlockFlagOp)
    mode = word_of(op.tsync_instr_mode, "INTRA_BLOCK_SYNCHRONIZATION")
    if mode != "INTRA_BLOCK_SYNCHRONIZATION":
        raise LocatedError(op, f"{op.name}: {mode} is not taken: flags join the cores of a group")
    stated = op.static_flag_id
    event = stated.value.data if stated is not None else context.index(op.one("flag"))
    emit = context.emit
    if op.name.endswith("set"):
        emit.insert(ascend.CrossSetFlagOp(pipe_name(op, op.tpipe), emit.constant(event)))
    else:
        emit.insert(ascend.CrossWaitFlagOp(emit.constant(event)))


def nothing(context: Context, op: Operation) -> None:
    """What has no counterpart: it sets up what every core has."""


def own_index(context: Context, op: Operation) -> None:
    """What a core asks for about itself."""
    assert isinstance(op, HivmOp)
    found: dict[str, Idx] = {
        "get_block_idx": context.block,
        "get_block_num": context.blocks,
        "get_sub_block_idx": context.vector,
        "get_sub_block_num": context.vectors,
    }
    context.values[op.results[0]] = found[op.name.removeprefix("hivm.hir.")]


ORDER = {
    "hivm.hir.set_flag": flag,
    "hivm.hir.wait_flag": flag,
    "hivm.hir.pipe_barrier": barrier,
    "hivm.hir.sync_block_set": block_flag,
    "hivm.hir.sync_block_wait": block_flag,
    **dict.fromkeys(
        ("hivm.hir.set_mask_norm", "hivm.hir.set_ffts_base_addr", "hivm.hir.set_ctrl", "annotation.mark"),
        nothing,
    ),
    **dict.fromkeys(
        tuple(
            f"hivm.hir.{name}"
            for name in ("get_block_idx", "get_block_num", "get_sub_block_idx", "get_sub_block_num")
        ),
        own_index,
    ),
}
