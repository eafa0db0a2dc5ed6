"""Which cores kernels share that one launch will run: few for each, so that they run beside each other.

    f_0: 2.8 us on 20 cores, f_1: 0.8 us on 14, f_2: 1.3 us on 14 of 24     one after the other: 4.9 us
    f_0: 3.5 us on 10 cores, f_1: 1.0 us on 7,  f_2: 1.3 us on 10           f_1 and f_2 beside f_0: 3.5 us

A small kernel has hardly more tiles than half of the cores, and takes little longer on these. Of kernels that need
nothing of each other the one with most work gets its share of the cores, the others what is left, one after the other.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects import tile
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...runtime.machine.costs import launch_us
from ..cost.gm_bytes import tensor_bytes
from ..fusion.alike import Alike
from ..fusion.cost_model import CostModel
from ..fusion.group_cost import Found, GroupCost, with_ops, without_ops
from ..regions.joined_parts import has_window
from ..support.peers import each
from ..support.values import rule_of
from .places import Places

CLEARLY = 0.95
"""Cores are shared where kernels are predicted to take at most so many times as long as one after the other."""
MOST_OF_HBM = 0.75
"""Share of that time from which on HBM takes as long, whoever asks for what it has."""
BETWEEN = 0.5
"""Share of what HBM does for others while a kernel runs that the kernel waits for."""
MOST_SLOWER = 4.0
"""A kernel on few cores may take so many times as long."""

Group = tuple[Operation, ...]


@dataclass(frozen=True)
class _Run:
    """A kernel in a launch: µs, groups of a Cube core with the Vector cores beside it that it takes, and µs that HBM
    has to do for it. `product`: it has one, and asks for what it reads long before it needs that."""

    us: float
    cores: int
    hbm: float
    product: bool

    @property
    def work(self) -> float:
        return self.us * self.cores


def launched_groups(
    block: Block, groups: Sequence[Group], alone: Collection[int] = ()
) -> Sequence[Sequence[int]]:
    """The numbers of the groups whose kernels each launch will run, in the order of launches: `plan_launches` on graph
    ops. Those `alone` are launched by themselves."""
    home = {op: i for i, group in enumerate(groups) for op in group}
    at: dict[SSAValue, int] = {}
    """The place of the launch that gives a value, or what it is a view of."""
    places = Places[int]()
    for op in block.ops:
        number = home.get(op)
        if number is None:
            behind = max((at.get(value, -1) for value in op.operands), default=-1)
            at |= dict.fromkeys(op.results, behind)
        elif op is groups[number][-1]:
            inside = {result for one in groups[number] for result in one.results}
            read = (value for one in groups[number] for value in one.operands if value not in inside)
            first = 1 + max((at.get(value, -1) for value in read), default=-1)
            at |= dict.fromkeys(op.results, places.add(number, first, number not in alone))
    return places.all


def joined_groups(block: Block, groups: Sequence[Group]) -> Sequence[Sequence[int]]:
    """The numbers of groups whose kernels one launch will run with others."""
    return [together for together in launched_groups(block, groups) if len(together) > 1]


def share_cores(
    block: Block,
    groups: Sequence[Group],
    costs: Sequence[GroupCost | None],
    packable: frozenset[SSAValue],
    target: Target,
) -> Mapping[int, GroupCost]:
    """Costs of groups whose kernels take fewer cores than by themselves, by number. `costs`: of each by itself, None
    where its tiling is stated. Where kernels meet in memories of their groups of cores nothing is shared: these are
    launched by themselves. Nor is it where kernels are there already, whose launches come between."""
    there = any(isinstance(op, tile.KernelOp | tile.GroupOp) for op in block.ops)
    if target.lands or target.cores == 1 or there:
        return {}
    several = [{i: costs[i] for i in together} for together in joined_groups(block, groups)]
    launches = [alone for alone in several if None not in alone.values()]
    sharing = _Sharing(groups, packable, target)

    def find(number: int) -> dict[int, GroupCost]:
        return sharing.shared(cast(Mapping[int, GroupCost], launches[number]))

    def pack(shared: Mapping[int, GroupCost]) -> dict[int, tuple[Found, tuple[int, ...]]]:
        return {i: without_ops(cost, groups[i]) for i, cost in shared.items()}

    here, told = each(len(launches), find, pack)
    found = {i: cost for shared in here.values() for i, cost in shared.items()}
    for i, one in (pair for shared in told.values() for pair in shared.items()):
        found[i] = cast(GroupCost, with_ops(*one, groups[i]))
    return found


class _Sharing:
    """Kernels of a function on fewer cores than there are; those that compute the same are looked at once."""

    def __init__(self, groups: Sequence[Group], packable: frozenset[SSAValue], target: Target):
        self.groups, self.packable, self.target = groups, packable, target
        self._models: dict[int, CostModel] = {}

    def shared(self, alone: Mapping[int, GroupCost]) -> dict[int, GroupCost]:
        """The kernels of one launch that take fewer cores; none where these do not make it clearly faster."""
        runs = {i: self._run(i, cost, alone) for i, cost in alone.items()}
        most, cores = max(runs, key=lambda i: runs[i].work), self.target.cores
        before = _time(runs.values(), cores)
        if self._from_hbm(runs) > MOST_OF_HBM * before:
            return {}
        share = round(cores * runs[most].work / sum(run.work for run in runs.values()))
        share = min(max(share, 1), cores - 1)
        others = cores - share
        if len({(run, alone[i].tiling.tiles) for i, run in runs.items()}) == 1:  # alike they stay
            share = others = max(cores // len(runs), 1)
        fewer: dict[int, GroupCost] = {}
        for i, run in runs.items():
            limit = share if i == most else others
            if run.cores > limit and (cost := self._on(limit, i, alone[i])) is not None:
                fewer[i] = cost
        then = {**runs, **{i: self._run(i, cost, alone) for i, cost in fewer.items()}}
        return fewer if _time(then.values(), cores) <= CLEARLY * before else {}

    def _from_hbm(self, numbers: Iterable[int]) -> float:
        """µs that HBM takes at least for what kernels read."""
        given = dict.fromkeys(value for i in numbers for value in self._given(i))
        return self.target.microseconds(sum(map(tensor_bytes, given)) / self.target.memory.hbm_chip)

    def _on(self, cores: int, number: int, alone: GroupCost) -> GroupCost | None:
        """The cost of a kernel on so many cores at most; None where it takes far longer, or nobody can tell."""
        if not is_told(self.groups[number]):
            return None
        if cores not in self._models:
            self._models[cores] = CostModel(self.target.on_cores(cores), self.packable, alike=Alike())
        found = self._models[cores].cost_within(self.groups[number], MOST_SLOWER * alone.time_us)
        return found if isinstance(found, GroupCost) else None

    def _run(self, number: int, cost: GroupCost, together: Iterable[int]) -> _Run:
        """A kernel of a launch that runs these `together`."""
        beside = self.target.vectors_beside
        product = any(rule_of(op).engine == "cube" for op in self.groups[number])
        count = cost.tiling.cores if product or not self.target.split else -(-cost.tiling.cores // beside)
        us = max(cost.time_us - launch_us(self.target, 1), 0.01)
        return _Run(us, min(count, self.target.cores), min(self._hbm_of(number, together), us), product)

    def _hbm_of(self, number: int, together: Iterable[int]) -> float:
        """µs of HBM for what a kernel reads, its share of what several do, and for what it writes where that goes
        there at once."""
        readers = Counter(value for i in together for value in self._given(i))
        moved = sum(tensor_bytes(value) / readers[value] for value in self._given(number))
        if not self.target.memory.sector:
            moved += sum(map(tensor_bytes, self.groups[number][-1].results))
        return self.target.microseconds(moved / self.target.memory.hbm_chip)

    def _given(self, number: int) -> dict[SSAValue, None]:
        """What a kernel reads of the function's arguments: L2 holds what other kernels gave."""
        read = dict.fromkeys(value for op in self.groups[number] for value in op.operands)
        return {v: None for v in read if isinstance(v, BlockArgument) or v in self.packable}


def is_told(group: Group) -> bool:
    """Whether the prediction for few cores is to be trusted: not where a Vector unit reads windows of what the kernel
    computes."""
    inside = {result for op in group for result in op.results}
    windows = (op for op in group if has_window(op) and rule_of(op).engine != "cube")
    return not any(value in inside for op in windows for value in op.operands)


def _time(runs: Iterable[_Run], cores: int) -> float:
    """µs until all kernels of a launch have ended. Those without a product wait for what HBM does for others."""
    runs = sorted(runs, key=lambda one: -one.us)
    starts = _starts(runs, cores)
    spans = [(start, start + run.us, run.hbm / run.us) for start, run in zip(starts, runs, strict=True)]
    slowed: list[_Run] = []
    for i, run in enumerate(runs):
        start, end, _ = spans[i]
        others = spans[:i] + spans[i + 1 :]
        waits = sum(max(0.0, min(end, e) - max(start, s)) * share for s, e, share in others)
        slowed.append(run if run.product else replace(run, us=run.us + BETWEEN * waits))
    return max(start + run.us for start, run in zip(_starts(slowed, cores), slowed, strict=True))


def _starts(runs: Sequence[_Run], cores: int) -> list[float]:
    """When each kernel begins: as soon as as many cores as it takes are free."""
    busy, found = [0.0] * cores, list[float]()
    for run in runs:
        first = first_free(busy, run.cores)
        found.append(max(busy[first : first + run.cores]))
        busy[first : first + run.cores] = [found[-1] + run.us] * run.cores
    return found


def first_free(busy: Sequence[float], count: int) -> int:
    """Where `count` cores side by side are free first, that are `busy` until then."""
    return min(range(len(busy) - count + 1), key=lambda at: (max(busy[at : at + count]), at))


__all__ = ["first_free", "is_told", "joined_groups", "launched_groups", "share_cores"]
