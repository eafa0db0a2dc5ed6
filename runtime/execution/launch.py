"""The cores of one launch, run together."""

from collections.abc import Sequence
from functools import partial
from heapq import heappop

from ..hazards.core_errors import deadlock
from ..hazards.cross_core import CROSS_SERVED
from ..machine.ports import Rates, Served, ports_of, shared_rates
from ..program.kernel_program import KernelProgram
from ..support.hazard import HazardError
from .core import run_core
from .core_state import Core, Launch
from .rounds import FREE, Rounds, groups_of
from .run_state import TracedCore


def join_ports(groups: Sequence[Sequence[Core]], programs: Sequence[KernelProgram], launch: Launch) -> None:
    """Let the cores of each group of a split chip share its ports: a Cube core of the first of two programs and the
    Vector cores beside it, or as many cores of a Vector program that runs alone."""
    if programs[-1].kind != "aiv":
        return
    target = launch.target
    beside, cubes = target.vectors_beside, len(programs) - 1
    if not cubes:
        alone = [core for group in groups for core in group]
        groups = [alone[first : first + beside] for first in range(0, len(alone), beside)]
    known: dict[int, Rates] = {}
    for members in groups:
        rates = known.get(len(members))
        if rates is None:
            rates = known[len(members)] = shared_rates(target, cubes, len(members) - cubes)
        shares = ports_of(rates, [core.index for core in members], cubes, launch.requests)
        for core, ports in zip(members, shares, strict=False):
            core.ports = ports


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


def run_cores(cores: Sequence[Core], rounds: Rounds, launch: Launch) -> None:
    """Run the cores of a launch together, their GM requests served in order of simulated time."""
    running = [run_core(core, launch) for core in cores]
    requests = launch.requests
    answer = serve if launch.recorder is None else partial(launch.recorder.serve, serve)
    finished = [False] * len(cores)
    index = 0
    try:
        for index in rounds.start(launch):
            finished[index] = next(running[index], True) is True
            if finished[index]:
                rounds.end(cores[index], launch)
        go_on = [one.send for one in running]
        while requests:
            time, index, pipe = heappop(requests)
            if pipe == FREE:
                for number in rounds.follow(index, time, launch):
                    index = number
                    finished[index] = next(running[index], True) is True
                    if finished[index]:
                        rounds.end(cores[index], launch)
                continue
            if pipe != CROSS_SERVED:
                core = cores[index]
                served = answer(core, pipe, launch)
                if served is None:
                    continue
                core.served = served
            try:
                go_on[index](pipe)
            except StopIteration:
                finished[index] = True
                rounds.end(cores[index], launch)
        for index, core in enumerate(cores):
            if not finished[index] and any(
                isinstance(key, tuple) and queue for key, queue in zip(core.blocked, core.queues, strict=True)
            ):  # what other cores wait for may be behind it
                raise deadlock(core.program, core.index, core.blocked, core.queues)
        for index, core in enumerate(cores):
            crossing = core.crossing
            if not finished[index] and not rounds.waits(core):
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
