"""Where a graph could be fused: the kernels of several ops that it became, and the merges that were refused, by gain.

What a kernel gains is its predicted time against that of its ops apart, as `fusion.plan` priced both. A merge that is
no legal kernel has no time; it is told by the bytes that it would save at most.
"""

from collections.abc import Sequence

from ...dialects.records import dataclass
from ..regions.loads import op_names
from .candidates import Candidate
from .plan import FusionPlan
from .report_graph import sources_of


@dataclass(frozen=True)
class Opportunity:
    """Ops that could be one kernel, or are: names, what they come from, and why they are or not. `bytes_saved` of GM,
    negative where one kernel moves more (at most so many where there is no `fused_us`); µs of its parts (`apart_us`)
    and of the one kernel, launches included, None where they are not known."""

    ops: tuple[str, ...]
    sources: tuple[str, ...]
    fused: bool
    reason: str
    bytes_saved: int
    apart_us: float | None = None
    fused_us: float | None = None

    @property
    def gain_us(self) -> float | None:
        """Time that fusion saves; None where there is no such kernel."""
        return None if self.fused_us is None or self.apart_us is None else self.apart_us - self.fused_us


def opportunities(plan: FusionPlan) -> tuple[Opportunity, ...]:
    """Those of one function, before its kernels are built: by gain in time, those that are no kernel last by bytes."""
    refused = [_refused(c) for c in plan.candidates if not c.taken and not c.together]
    return tuple(sorted([*_fused(plan), *refused], key=_rank))


def _rank(one: Opportunity) -> tuple[bool, float, int]:
    return one.gain_us is None, -(one.gain_us or 0.0), -one.bytes_saved


def _fused(plan: FusionPlan) -> Sequence[Opportunity]:
    alone = dict(zip(plan.ops, plan.before, strict=True))
    found: list[Opportunity] = []
    for group, cost in zip(plan.groups, plan.costs, strict=True):
        if len(group) == 1 or cost is None:
            continue
        parts = [alone[op] for op in group if op in alone]  # of what is copied for each user one is a kernel
        if not parts:  # all of them are copies
            continue
        known = [part for part in parts if part is not None]
        names, sources = tuple(op_names(group)), sources_of(group)
        if len(known) < len(parts):
            found.append(Opportunity(names, sources, True, "some of its ops are no kernel apart", 0))
            continue
        bytes_, time = sum(part.bytes for part in known), sum(part.time_us for part in known)
        saved = bytes_ - cost.bytes
        reason = f"saves {saved / bytes_:.0%} of the bytes, {time - cost.time_us:.1f} us"
        found.append(Opportunity(names, sources, True, reason, saved, time, cost.time_us))
    return found


def _refused(c: Candidate) -> Opportunity:
    ops = (*c.producer, *c.consumer)
    if not c.legal:
        return Opportunity(ops, c.sources, False, c.reason, c.between)
    saved = c.bytes_before - c.bytes_after
    return Opportunity(ops, c.sources, False, c.reason, saved, c.time_before, c.time_after)
