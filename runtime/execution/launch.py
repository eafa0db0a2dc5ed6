"""The cores of one launch, run together."""

from collections.abc import Sequence
from heapq import heappop
from typing import TypeVar

from ..hazards.core_errors import deadlock
from ..hazards.cross_core import CROSS_SERVED, Crossing, connect
from ..hazards.group_races import GroupRaces
from ..machine.ports import Rates, Served, ports_of, shared_rates
from ..program.kernel_program import KernelProgram
from ..support.hazard import HazardError
from .core import run_core
from .core_state import Core, Launch
from .run_state import TracedCore

_T = TypeVar("_T")


def join_groups(cores: Sequence[Core], cubes: int, launch: Launch) -> None:
    """Give each Cube core (the first `cubes`) and the Vector cores beside it (the others, in order) their flags."""
    cross = launch.target.cross
    assert cross is not None
    groups: list[list[Crossing]] = []
    for members in groups_of(cores, cubes, launch.target.vectors_beside):
        group: list[Crossing] = []
        for position, core in enumerate(members):
            core.crossing = Crossing(core.index, position, cross, core.races, launch.requests)
            group.append(core.crossing)
        groups.append(group)
        memories = [core.memory for core in members if core.memory is not None]
        flags = [core.races.written.flags for core in members if core.races is not None]
        trackers = [core.tracker for core in members if core.tracker is not None]
        for memory in memories:
            memory.group = memories
        for tracker in trackers:
            tracker.activity = trackers[0].activity
            tracker.shadow.join([one.shadow for one in trackers])
        for one in flags:
            one.group = flags
        if launch.gm_races is not None:
            launch.gm_races.join([one.index for one in group])
    connect(groups)
    for group in groups:
        races = GroupRaces(launch.target)
        for crossing in group:
            races.watch(crossing)


def join_ports(cores: Sequence[Core], programs: Sequence[KernelProgram], launch: Launch) -> None:
    """Let the cores of each group of a split chip share its ports: a Cube core of the first of two programs and the
    Vector cores beside it, or as many cores of a Vector program that runs alone."""
    if programs[-1].kind != "aiv":
        return
    target = launch.target
    beside = target.vectors_beside
    cubes = programs[0].cores if len(programs) > 1 else 0
    vectors = cores[cubes:]
    known: dict[int, Rates] = {}
    for group, first in enumerate(range(0, len(vectors), beside)):
        cube = list(cores[group : group + 1]) if cubes else []
        members = [*cube, *vectors[first : first + beside]]
        rates = known.get(len(members))
        if rates is None:
            rates = known[len(members)] = shared_rates(target, len(cube), len(members) - len(cube))
        shares = ports_of(rates, [core.index for core in members], len(cube), launch.requests)
        for core, ports in zip(members, shares, strict=False):
            core.ports = ports


def groups_of(cores: Sequence[_T], cubes: int, beside: int) -> list[Sequence[_T]]:
    """Each Cube core (the first `cubes`) with the `beside` Vector cores beside it (the others, in order)."""
    return [(cores[i], *cores[cubes + beside * i :][:beside]) for i in range(cubes)]


def trace_groups(
    cores: Sequence[Core], programs: Sequence[KernelProgram], beside: int, count: int
) -> dict[int, TracedCore]:
    """Trace the first `count` cores, each with the Vector cores beside it; gives them by number."""
    groups = groups_of(cores, programs[0].cores, beside if len(programs) > 1 else 0)
    traced = [core for group in groups[:count] for core in group]
    for core in traced:
        core.traced = True
    first = programs[0].cores
    return {core.index: _traced(core.index, programs[core.index >= first], first) for core in traced}


def _traced(index: int, program: KernelProgram, first: int) -> TracedCore:
    """Core `index` of a launch, whose first program has `first` cores."""
    kind = "core" if program.kind == "aicore" else program.kind
    return TracedCore(f"{kind} {index if index < first else index - first}", program.name)


def serve(core: Core, pipe: int, launch: Launch) -> Served | None:
    """Serve the GM request of a pipe: how it ends, or None where it asks again, for the group's port was shared."""
    ports = core.ports
    if ports is not None and pipe in ports.waiting:
        return ports.resume(pipe)
    request = core.serving[pipe]
    assert request is not None
    instruction, offset, start = request
    use = instruction.gm
    assert use is not None
    lines, pattern = launch.tensors[use.argument].lines, use.pattern
    offset += lines.start
    if use.write:
        served = launch.system.write(lines, pattern, offset, start, use.path)
    else:
        served = launch.system.read(lines, pattern, offset, start, use.path, core.index, use.bypass)
    if ports is None:
        return served
    return ports.start(pipe, use.write, start, served, pattern.bytes)


def run_cores(cores: Sequence[Core], launch: Launch) -> None:
    """Run the cores of a launch together, their GM requests served in order of simulated time."""
    running = [run_core(core, launch) for core in cores]
    requests = launch.requests
    finished = [False] * len(cores)
    index = 0
    try:
        for index in range(len(cores)):
            finished[index] = next(running[index], True) is True
        go_on = [one.send for one in running]
        while requests:
            _, index, pipe = heappop(requests)
            if pipe != CROSS_SERVED:
                core = cores[index]
                served = serve(core, pipe, launch)
                if served is None:
                    continue
                core.served = served
            try:
                go_on[index](pipe)
            except StopIteration:
                finished[index] = True
        for index, core in enumerate(cores):
            if not finished[index] and any(
                isinstance(key, tuple) and queue for key, queue in zip(core.blocked, core.queues, strict=True)
            ):  # what other cores wait for may be behind it
                raise deadlock(core.program, core.index, core.blocked, core.queues)
        for index, core in enumerate(cores):
            crossing = core.crossing
            if not finished[index]:
                assert crossing is not None and crossing.waiting is not None
                raise HazardError(
                    "deadlock",
                    f"the core waits for cross-core flag {crossing.waiting.event}, which nobody sets",
                    instructions=(crossing.waiting.site.reference(),),
                )
            left = None if crossing is None else crossing.left()
            if left is not None:
                raise HazardError(
                    "flag-left-set",
                    f"the kernel ends with cross-core flag {left[1].event} up",
                    instructions=(left[1].site.reference(),),
                ).located(cores[left[0]].program, left[0])
    except HazardError as error:
        raise error.located(cores[index].program, cores[index].index) from None
