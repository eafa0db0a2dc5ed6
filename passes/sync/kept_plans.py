"""Flags decided of kernels that were tried, for the one of them that is taken: it need not be decided again."""

from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from ...dialects import ascend
from ...dialects.target_types import Target
from ..support.kernel_signature import kernel_signature
from .report import KernelSync
from .told import packed, unpacked

MOST_KEPT = 64
"""Kernels of which this is remembered, the last ones."""

_keeping: ContextVar[bool] = ContextVar("ascend_opt_keeping_plans", default=False)
_KEPT: OrderedDict[Hashable, tuple[Target, bytes]] = OrderedDict()


@contextmanager
def keep_plans() -> Generator[None]:
    """What is decided of kernels inside is known of equal kernels later, in this process."""
    token = _keeping.set(True)
    try:
        yield
    finally:
        _keeping.reset(token)


def known_plan(
    kernel: ascend.KernelOp, target: Target, decide: Callable[[ascend.KernelOp, Target], KernelSync]
) -> KernelSync:
    """What was decided of an equal kernel, whose slots this one's buffers then have; else what `decide` does now."""
    dynamic = bool(kernel.numbers)  # then it is also about a function that gives its sizes
    if dynamic or not (_keeping.get() or _KEPT):
        return decide(kernel, target)
    key = kernel_signature(kernel)
    if (known := _KEPT.get(key)) is not None and known[0] == target:
        return replace(unpacked(kernel, known[1]), kernel=kernel.sym_name.data)
    sync = decide(kernel, target)
    if _keeping.get():
        _keep(key, target, packed(kernel, sync))
    return sync


def keep_told(kernel: ascend.KernelOp, target: Target, data: bytes) -> None:
    """Keep what another process decided of a kernel, where that is wanted."""
    if _keeping.get() and not kernel.numbers:
        _keep(kernel_signature(kernel), target, data)


def _keep(key: Hashable, target: Target, data: bytes) -> None:
    _KEPT[key] = target, data
    while len(_KEPT) > MOST_KEPT:
        _KEPT.popitem(last=False)


__all__ = ["keep_plans", "keep_told", "known_plan"]
