"""Why a launch takes longer than another one that computes the same: the pipe, what its time went to, and what is
different.

The time of a launch is what the pipe that sets its pace is busy, and what that pipe waits. Either the pipe has more to
do than before (`_work`: fewer cores, more bytes, smaller instructions, conflicts of banks, HBM), or it waits longer
(`_waiting`: a slot less of a buffer, more flags, other cores). A cause has the name of the rule of `advice` that is
about the same, and the time that it explains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ...dialects.records import dataclass
from ...runtime.profile.advice_numbers import CLOSE, busiest
from ...runtime.profile.findings import Numbers
from ...runtime.profile.profile import KernelProfile, PipeProfile, TensorProfile
from .text_table import bytes_text, share_text, time_text

LEAST = 0.1
"""Share of the time lost that a cause explains at least."""
MORE = 1.02
"""Times as much, from which on there is more of something."""


@dataclass(frozen=True)
class Cause:
    """Why a launch is slower: the rule of `advice` that is about it, the pipe, microseconds that it explains, and the
    numbers that show it, in words and by name."""

    rule: str
    pipe: str
    us: float
    evidence: str
    numbers: Numbers


def causes(before: KernelProfile, after: KernelProfile) -> list[Cause]:
    """Why `after` takes longer, what explains most of it first; none where it does not."""
    lost = whole(after) - whole(before)
    if lost <= 0:
        return []
    found = [*_launch(before, after)]
    more = after.time_us - before.time_us
    pipe = _pace(before, after)
    if more > 0 and pipe:
        worked = _busy(after, pipe) - _busy(before, pipe)
        worked = min(max(worked, 0.0), more)
        found += _work(before, after, pipe, worked)
        found += _waiting(before, after, pipe, more - worked)
    kept = [one for one in found if one.us >= LEAST * lost]
    return sorted(kept, key=lambda one: -one.us)


def whole(kernel: KernelProfile) -> float:
    """Microseconds of a launch and its kernel."""
    return kernel.time_us + kernel.launch_us


def _busy(kernel: KernelProfile, pipe: str) -> float:
    found = kernel.pipes.get(pipe)
    return found.busy_us if found is not None else 0.0


def _pace(before: KernelProfile, after: KernelProfile) -> str:
    """The pipe whose time is explained: of those that set the pace, the one that is busy longer than before by most."""
    name, most = busiest(after)
    if most is None:
        return name
    leading = [n for n, pipe in after.pipes.items() if pipe.active_us >= CLOSE * most.active_us]
    return max(leading or [name], key=lambda n: _busy(after, n) - _busy(before, n))


def _launch(before: KernelProfile, after: KernelProfile) -> Iterator[Cause]:
    more = after.launch_us - before.launch_us
    if more > 0:
        cores = f", on {after.cores} cores instead of {before.cores}" * (after.cores != before.cores)
        text = f"launches take {_change(before.launch_us, after.launch_us)}{cores}"
        yield Cause("launch", "", more, text, {"before": before.launch_us, "after": after.launch_us})


def _work(before: KernelProfile, after: KernelProfile, name: str, worked: float) -> Iterator[Cause]:
    """What a pipe is busy `worked` µs longer for."""
    old, new = before.pipes.get(name), after.pipes[name]
    if worked <= 0 or old is None:
        if worked > 0:
            text = f"{name} is busy {time_text(new.busy_us)}, and was not used"
            yield Cause("compute", name, worked, text, {"before": 0.0, "after": new.busy_us})
        return
    left, busy = worked, f"{name} is busy {_change(old.busy_us, new.busy_us)}"
    if after.cores < before.cores:
        share = new.busy_us * (1 - after.cores / before.cores)
        taken = min(left, share)
        left -= taken
        text = f"{after.cores} cores run it, not {before.cores}: {busy}"
        yield Cause("few-cores", name, taken, text, {"before": before.cores, "after": after.cores})
        scale = after.cores / before.cores
        new = replace(
            new,
            busy_us=new.busy_us * scale,
            issue_us=new.issue_us * scale,
            conflict_us=new.conflict_us * scale,
        )
    for one in _moved(before, after, name, old, new) if new.gm is not None else _computed(name, old, new):
        taken = min(left, one.us)
        if taken > 0:
            left -= taken
            yield replace(one, us=taken, evidence=f"{busy}: {one.evidence}")
    if left > 0:
        yield Cause(_plain(new), name, left, f"{busy}{_count(old, new)}", _numbers(old, new))


def _plain(pipe: PipeProfile) -> str:
    """The rule about a pipe that has more to do, and nothing that says why."""
    return "port" if pipe.gm is not None else "compute"


def _count(old: PipeProfile, new: PipeProfile) -> str:
    if new.instructions == old.instructions:
        return f" with {new.instructions} instructions, as many as before"
    return f" with {new.instructions} instructions, {old.instructions} before"


def _numbers(old: PipeProfile, new: PipeProfile) -> Numbers:
    return {
        "before": old.busy_us,
        "after": new.busy_us,
        "instructions before": old.instructions,
        "instructions after": new.instructions,
    }


def _computed(name: str, old: PipeProfile, new: PipeProfile) -> Iterator[Cause]:
    """Of a pipe that makes no requests: bank conflicts, and what instructions cost whatever they do."""
    for rule, what, was, now in (
        ("banks", "conflicts of banks take", old.conflict_us, new.conflict_us),
        ("small-instructions", "what instructions cost whatever they do takes", old.issue_us, new.issue_us),
    ):
        if now > was:
            text = f"{what} {_change(was, now)}{_count(old, new)}"
            yield Cause(rule, name, now - was, text, {**_numbers(old, new), "was": was, "is": now})


def _moved(
    before: KernelProfile, after: KernelProfile, name: str, old: PipeProfile, new: PipeProfile
) -> Iterator[Cause]:
    """Of a pipe that moves bytes of GM: more of them, waiting for HBM, smaller pieces, lines that are cut."""
    was, now = old.gm, new.gm
    if was is None or now is None or not was.bytes:
        return
    more = now.bytes / was.bytes
    if more > MORE:
        text = f"it moves {bytes_text(now.bytes)}, {bytes_text(was.bytes)} before{_most_moved(before, after)}"
        yield Cause("reread", name, old.busy_us * (more - 1), text, {"before": was.bytes, "after": now.bytes})
    pieces = list(_pieces(name, old, new))
    yield from _of_hbm(before, after, name, bool(pieces))
    yield from pieces


def _of_hbm(before: KernelProfile, after: KernelProfile, name: str, pieces: bool) -> Iterator[Cause]:
    """What HBM takes longer for: `refetch` where it moves more bytes, `hbm` where it is slower, or asked for more at a
    time. `pieces`: that it is slower may be due to smaller pieces."""
    waited = max(after.hbm_wait_us - before.hbm_wait_us, 0.0)
    fetched = [k.hbm_read_bytes + k.hbm_write_bytes for k in (before, after)]
    rates = [k.hbm_busy_us / max(size, 1) for k, size in zip((before, after), fetched, strict=True)]
    slower = (rates[1] - rates[0]) * fetched[1] if rates[1] > MORE * rates[0] and not pieces else 0.0
    if waited + slower <= 0:
        return
    text = (
        f"HBM is in use {_change(before.hbm_busy_us, after.hbm_busy_us)}, requests wait "
        f"{_change(before.hbm_wait_us, after.hbm_wait_us)} for it, and it moves "
        f"{bytes_text(fetched[1])}, {bytes_text(fetched[0])} before{_most_fetched(before, after)}; "
        f"L2 holds {share_text(after.l2_hit_rate)}, {share_text(before.l2_hit_rate)} before"
    )
    rule = "refetch" if fetched[1] > MORE * fetched[0] else "hbm"
    busy = {"busy before": before.hbm_busy_us, "busy after": after.hbm_busy_us}
    yield Cause(rule, name, waited + slower, text, {"before": fetched[0], "after": fetched[1], **busy})


def _pieces(name: str, old: PipeProfile, new: PipeProfile) -> Iterator[Cause]:
    """Of a pipe that moves bytes of GM in smaller pieces, or cuts more lines."""
    was, now = old.gm, new.gm
    assert was is not None and now is not None
    sizes = was.bytes / was.instructions, now.bytes / now.instructions
    if sizes[1] * MORE < sizes[0]:
        text = (
            f"an instruction moves {bytes_text(round(sizes[1]))}, {bytes_text(round(sizes[0]))} before, "
            f"their issue takes {_change(old.issue_us, new.issue_us)}"
        )
        issued = max(new.issue_us - old.issue_us, 0.0)
        yield Cause("small-dma", name, issued, text, {"before": sizes[0], "after": sizes[1]})
    rate = was.lines / was.bytes, now.lines / now.bytes
    bursts = was.bytes / was.bursts, now.bytes / now.bursts
    if rate[1] > MORE * rate[0] or bursts[1] * MORE < bursts[0]:
        text = (
            f"bursts are {bytes_text(round(bursts[1]))}, {bytes_text(round(bursts[0]))} before, and touch "
            f"{now.lines} lines, {was.lines} before"
        )
        yield Cause("short-bursts", name, new.busy_us, text, {"before": bursts[0], "after": bursts[1]})
    if now.cut_lines > MORE * was.cut_lines + 1:
        text = f"{now.cut_lines} lines are cut inside a sector, {was.cut_lines} before"
        cut = {"before": was.cut_lines, "after": now.cut_lines}
        yield Cause("unaligned-rows", name, new.busy_us, text, cut)


def _most_moved(before: KernelProfile, after: KernelProfile) -> str:
    return _most(before, after, lambda one: one.dma_read_bytes + one.dma_write_bytes)


def _most_fetched(before: KernelProfile, after: KernelProfile) -> str:
    return _most(before, after, lambda one: one.hbm_read_bytes)


def _most(before: KernelProfile, after: KernelProfile, count: Callable[[TensorProfile], int]) -> str:
    """The tensor of which most is moved that was not, in words."""
    was: dict[str, int] = {}
    now: dict[str, int] = {}
    for tensors, found in ((before.tensors, was), (after.tensors, now)):
        for one in tensors:
            found[one.name] = found.get(one.name, 0) + count(one)
    name = max(now, key=lambda n: now[n] - was.get(n, 0), default="")
    if not name or now[name] <= was.get(name, 0):
        return ""
    return f", most of it of {name} ({bytes_text(now[name])}, {bytes_text(was.get(name, 0))} before)"


def _waiting(before: KernelProfile, after: KernelProfile, name: str, waits: float) -> Iterator[Cause]:
    """What a pipe waits `waits` µs longer for: cores that end late, a scalar unit that issues, slots that buffers had,
    other cores, flags, latency, another pipe that has more to do."""
    if waits <= 0:
        return
    left = waits
    reasons = [(one.pipe, one) for one in _reasons(before, after, name, waits)]
    reasons += [(name, one) for one in _beside(before, after, name)]
    for held, one in reasons:
        taken = min(left, one.us)
        if taken > 0:
            left -= taken
            yield replace(one, us=taken, evidence=f"{one.evidence}: {_idle(before, after, held)}")
    if left > 0:
        text = f"{_idle(before, after, name)}; no number of the profile says what for"
        yield Cause("waiting", name, left, text, {"us": left})


def _idle(before: KernelProfile, after: KernelProfile, name: str) -> str:
    """How long a pipe is busy, and not, in words."""
    idle = [kernel.time_us - _busy(kernel, name) for kernel in (before, after)]
    return f"{name} is busy {_change(_busy(before, name), _busy(after, name))} and waits {_change(*idle)}"


def _reasons(before: KernelProfile, after: KernelProfile, name: str, waits: float) -> Iterator[Cause]:
    tails = [kernel.time_us - kernel.core_us for kernel in (before, after)]
    if tails[1] > tails[0]:
        text = f"cores end further apart, the last one {_change(*tails)} behind the mean one"
        yield Cause("uneven-cores", name, tails[1] - tails[0], text, {"before": tails[0], "after": tails[1]})
    issued = after.scalar_us - before.scalar_us
    if issued > 0 and after.scalar_us > _busy(after, name):
        text = f"the scalar unit issues {_change(before.scalar_us, after.scalar_us)}"
        yield Cause("scalar", name, issued, text, {"before": before.scalar_us, "after": after.scalar_us})
    late = list(_latency(before, after, name))
    if name in before.pipes and after.pipes[name].instructions > MORE * before.pipes[name].instructions:
        yield from late
        late = []
    yield from _turns(before, after, name, waits)
    for kind, now in after.cross_wait_us.items():
        was = before.cross_wait_us.get(kind, 0.0)
        if now > was and name.startswith(kind):
            text = f"the {kind} cores wait {_change(was, now)} for flags of the cores beside them"
            yield Cause("cross-flags", name, now - was, text, {"before": was, "after": now})
    flags = list(_more_waits(before, after))
    if flags:
        yield Cause(
            "flags", name, waits, f"more flags and barriers: {'; '.join(flags)}", {"kinds": len(flags)}
        )
    yield from late


def _latency(before: KernelProfile, after: KernelProfile, name: str) -> Iterator[Cause]:
    """What a pipe waits for its own effects: more of it where as much is done in more instructions."""
    old, new = before.pipes.get(name), after.pipes.get(name)
    if old is None or new is None:
        return
    late = old.active_us - old.busy_us, new.active_us - new.busy_us
    if late[1] > late[0]:
        text = f"latency of {name} takes {_change(*late)}{_count(old, new)}"
        counts = {"instructions before": old.instructions, "instructions after": new.instructions}
        yield Cause("latency", name, late[1] - late[0], text, {"before": late[0], "after": late[1], **counts})


def _beside(before: KernelProfile, after: KernelProfile, name: str) -> Iterator[Cause]:
    """The other pipe that is busy longer than before by most."""
    more = {other: _busy(after, other) - _busy(before, other) for other in after.pipes if other != name}
    other = max(more, key=lambda one: more[one], default="")
    if not other or more[other] <= 0:
        return
    old, new = before.pipes.get(other), after.pipes[other]
    if old is None:
        text = f"{other} is busy {time_text(new.busy_us)}, and was not used"
        yield Cause(_plain(new), other, more[other], text, {"before": 0.0, "after": new.busy_us})
        return
    text = f"{other} is busy {_change(old.busy_us, new.busy_us)}{_count(old, new)}"
    yield Cause(_plain(new), other, more[other], text, _numbers(old, new))


TURNS = {
    "l1": ("MTE2", "MTE1"),
    "l0a": ("MTE1", "M"),
    "l0b": ("MTE1", "M"),
    "l0c": ("M", "FIX", "V"),
    "ub": ("MTE2", "V", "MTE3"),
}
"""Who takes turns at a memory that has no second slot."""


def _turns(before: KernelProfile, after: KernelProfile, name: str, waits: float) -> Iterator[Cause]:
    """Pipes that take turns because buffers have lost slots, those of the cores of pipe `name` before those of others.
    The pipe named is `name`, if it is one of them, else the busiest of them."""
    lost = list(_lost_slots(before, after))
    kind = name.split()[0] if " " in name else ""
    mine = [one for one in lost if (one[0] == "ub") == (kind == "aiv")] if kind else lost
    if mine != lost and not mine:
        kind, mine = "aic" if kind == "aiv" else "aiv", lost
    if not mine:
        return
    pipes = {pipe for space, _ in mine for pipe in TURNS.get(space, ())}
    near = [n for n in after.pipes if n.split()[-1] in pipes and n.startswith(kind)] or [name]
    held = name if name in near else max(near, key=lambda n: _busy(after, n))
    text = f"{'; '.join(text for _, text in mine)}: {', '.join(near)} take turns"
    yield Cause("turns", held, waits, text, {"buffers": len(mine)})


def _lost_slots(before: KernelProfile, after: KernelProfile) -> Iterator[tuple[str, str]]:
    """Buffers that had more slots: the memory, and in words."""
    now = _slots(after)
    for (space, label), slots in _slots(before).items():
        there = now.get((space, label), slots)
        if there < slots:
            text = f"{space} buffer '{label}' has {there} slot{'s' * (there > 1)}, {slots} before"
            yield space, text


def _slots(kernel: KernelProfile) -> dict[tuple[str, str], int]:
    """The slots of the buffers of a name together, over how many there are: the most that one has."""
    found: dict[tuple[str, str], int] = {}
    for one in kernel.buffers:
        key = one.space, one.name
        found[key] = max(found.get(key, 0), one.slots)
    return found


def _more_waits(before: KernelProfile, after: KernelProfile) -> Iterator[str]:
    rising = {wait: count - before.waits.get(wait, 0) for wait, count in after.waits.items()}
    for wait in sorted(rising, key=lambda one: -rising[one])[:3]:
        if rising[wait] > 0:
            yield f"{wait} {after.waits[wait]}, {before.waits.get(wait, 0)} before"


def _change(before: float, after: float) -> str:
    """Two times in words."""
    return f"{time_text(after)} ({time_text(before)} before)"


__all__ = ["Cause", "causes", "whole"]
