"""The order of a module's kernels, checked launch by launch when their synchronisation is complete."""

from collections.abc import Collection, Iterator, Mapping

from xdsl.ir import Operation

from ...dialects.ascend import BufferOp, GroupBufferOp, KernelOp, LaunchOp, place_in_tensor
from ...dialects.target_types import Target
from ...dialects.walked import ops_inside, walked
from ...runtime.hazards.sync_check import Cores, Together, check_sync
from ...runtime.support.hazard import HazardError
from ..analysis.trace_sizes import telling_sizes
from ..support.errors import LocatedError
from ..support.peers import peers, share_out


def check_order(
    module: Operation,
    target: Target,
    only: Collection[KernelOp] | None = None,
    more: Mapping[KernelOp, Collection[int]] | None = None,
) -> None:
    """`LocatedError` unless flags and barriers order the kernels of `module`, whoever inserted them: the check knows
    the program alone (`runtime/hazards/sync_check.py`). Kernels that run together are checked together, those of
    run-time sizes at each size at which their loops turn out differently. `only`: launches of these kernels, not of
    all; `more`: block indices to look at beside those of every kernel. Peers share the checks."""
    found: list[Together] = []
    for together in _together(module):
        wanted = only is None or any(kernel in only for kernel in together.kernels)
        if wanted and together not in found:
            found.append(together)
    more = more or {}
    with peers() as others:
        if others is None:
            for together in found:
                _check(together, target, more)
        else:
            share_out(len(found), others, lambda number: _check(found[number], target, more))


def _check(together: Together, target: Target, more: Mapping[KernelOp, Collection[int]]) -> None:
    """`LocatedError` unless kernels that run together are in order. `more`: block indices to look at beside."""
    first = together.kernels[0]
    slots = max(
        (b.slot_count for k in together.kernels for b in ops_inside(k.body) if isinstance(b, BufferOp)),
        default=1,
    )
    turns = target.vectors_beside if len(together.kernels) > 1 else 1
    each = {kernel: 1 if kernel is first else turns for kernel in together.kernels}
    beside = {block // each[kernel] for kernel in together.kernels for block in more.get(kernel, ())}
    launches = [
        Cores(s.numbers, sorted({*_telling(s.blocks), *beside}))
        for s in telling_sizes(first, slots + 1, turns)
    ]
    try:
        check_sync(together, target, launches)
    except HazardError as error:
        reason = f"ascend-insert-sync: the kernel is not in order: {error}"
        raise LocatedError(first, reason) from None


def _telling(blocks: int) -> list[int]:
    """Block indices to look at: the first ones, one in the middle and the last ones."""
    last = blocks - 1
    return sorted({0, min(1, last), last // 2, max(last - 1, 0), last})


def _together(module: Operation) -> Iterator[Together]:
    """What each launch of a module runs; a kernel that none launches by itself, each argument another tensor."""
    kernels = {op.sym_name.data: op for op in walked(module) if isinstance(op, KernelOp)}
    alone = dict(kernels)
    for op in walked(module):
        if not isinstance(op, LaunchOp) or not all(name in kernels for name in op.kernels):
            continue
        tensors: list[Operation | object] = []
        addresses: dict[int, int] = {}
        starts: dict[int, int] = {}
        for i, argument in enumerate(op.arguments):
            value, starts[i] = place_in_tensor(argument)
            tensors.append(value)
            if isinstance(value.owner, GroupBufferOp) and value.owner.address is not None:
                addresses[i] = value.owner.address.value.data
        numbers = tuple(tensors.index(value) for value in tensors)
        starts = {i: start for i, start in starts.items() if start and numbers.count(numbers[i]) > 1}
        yield Together(tuple(kernels[name] for name in op.kernels), numbers, starts, addresses)
        for name in op.kernels:
            alone.pop(name, None)
    for kernel in alone.values():
        yield Together((kernel,), tuple(range(len(kernel.tensors))))
