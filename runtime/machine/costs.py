"""What an instruction costs on a target, in cycles: shared by the emulator and the tile search.

An instruction occupies its pipe for `busy` cycles; the next one of the pipe may start after that. Its
result is visible, to a flag or a barrier, `latency` cycles after it stopped occupying the pipe. All
rates, issue times and latencies come from the target file, which names their sources; the formulas are

    copy, load   max(issue, bytes / rate)                each burst rounded up to the path's granule
    GM read      max(issue, hit / l2_read + miss / hbm)  `miss_latency` more when a line misses L2
    mmad         issue + M1 * N1 * K1 * cycles           whole fractals: a tail costs a full one
    vector       startup + max(issue, repeats * cycles per repeat); in a vector function max(loop, …) without startup,
                 in a loop of one chain + repeats * max(operation, loads and stores / 2)
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, prod

from ...dialects.element_types import BLOCK_BYTES, ELEMENT_BYTES
from ...dialects.records import dataclass
from ...dialects.target import TargetError
from ...dialects.target_types import Memory, Path_, Target

FRACTAL_BYTES = 512


def gm_room(size: int, target: Target) -> int:
    """Bytes that a tensor of `size` bytes takes in a workspace: whole 32 B blocks and one that DMA may read behind
    them, in whole lines of L2, so that no two tensors share a line."""
    line = target.memory.l2_line
    return -(-(-(-size // BLOCK_BYTES) + 1) * BLOCK_BYTES // line) * line


@dataclass(frozen=True, slots=True)
class Cost:
    """Cycles that the pipe is occupied, cycles from then until the effect is visible, and the cycles that the
    work itself takes (`ideal`: without what each instruction costs on top, for bounds). `conflict`: cycles of `busy`
    that banks of UB cost."""

    busy: float
    latency: float
    ideal: float
    conflict: float = 0.0

    @property
    def total(self) -> float:
        """Cycles from start to visible effect."""
        return self.busy + self.latency


def ceil_div(value: int, unit: int) -> int:
    return -(-value // unit)


def index_cost(target: Target, item: int = ELEMENT_BYTES["i32"]) -> Cost:
    """One number of `item` bytes that the scalar unit reads from GM: a line of its data cache takes as long as a DMA's
    latency, which is shared by the numbers in it. `TargetError` when the chip's file states no cache."""
    line = target.scalar.cache_line
    if not line:
        raise TargetError(
            f"{target.name} states no data cache of its scalar unit, which indices are read through"
        )
    busy = target.path("gm", "ub").latency * item / line
    return Cost(busy, 0.0, busy)


def copy_cost(
    target: Target, source: str, destination: str, bursts: int, burst_bytes: int, item: int = 2
) -> Cost:
    """Move `bursts` bursts of `burst_bytes` each, on chip or from UB through the core's port to GM; `item`: bytes of an
    element.

    The time of a GM read depends on L2: see `gm_read_cost`. What is written is not there before. `TargetError` when the
    chip lacks the path.
    """
    path = target.path(source, destination).of_items(item)
    moved = bursts * ceil_div(burst_bytes, path.granule) * path.granule
    rate = path.rate
    if destination == "gm":
        rate = path.miss_rate or min(path.rate, target.memory.l2_write)
    latency = path.first_latency if destination == "gm" else path.latency
    return Cost(max(path.issue, moved / rate), latency, moved / rate)


def fill_cost(target: Target, bursts: int, burst_bytes: int) -> Cost:
    """Fill blocks of L1. What it takes is not published: an assumption is that it occupies the pipe of loads from GM as
    a load does that L2 holds."""
    path = target.path("gm", "l1")
    moved = bursts * ceil_div(burst_bytes, path.granule) * path.granule / hit_rate(target, path)
    return Cost(max(path.issue, moved), path.latency, moved)


def gm_read_cost(
    target: Target, bytes_: int, hit_fraction: float, destination: str = "ub", cores: int = 1
) -> Cost:
    """Read `bytes_` of GM into `destination`, `hit_fraction` of them in L2, `cores` cores reading at once.

    Missed bytes come at the core's own rate or its share of the chip's, whichever is less. The emulator
    simulates the share; this estimate divides it evenly, and takes each core to have one such read under way.
    """
    path, memory = target.path("gm", destination), target.memory
    hit, missed = bytes_ * hit_fraction, bytes_ * (1.0 - hit_fraction)
    own = memory.l2_line / miss_cycles(target, path, 1, memory.l2_line, path.row > 0)
    idle = idle_channels(memory, missed * cores / memory.l2_line) if missed else 0.0
    hbm = min(own, memory.hbm_chip / max(1, cores) / (1 + idle))
    busy = hit / hit_rate(target, path) + missed / hbm
    return Cost(max(path.issue, busy), path.latency + (memory.miss_latency if missed else 0.0), busy)


def hbm_written(target: Target, written: float, touched: float) -> float:
    """Cycles that HBM takes during a kernel for `written` bytes of what it writes; in all it touches `touched` bytes.

    Where the target file describes single requests, L2 writes back what it evicts: of the last `l2_bytes` nothing
    (runtime/machine/request_memory.py). Elsewhere every byte goes to HBM once, as soon as it is written
    (runtime/machine/memory_system.py).
    """
    memory = target.memory
    share = memory.write_back * max(0.0, 1 - memory.l2_bytes / touched) if memory.sector else 1.0
    return share * written / memory.hbm_chip


def load2d_cost(target: Target, destination: str, fractals: int) -> Cost:
    """Move `fractals` fractals of 512 B from L1 to `destination` (l0a or l0b)."""
    path = target.path("l1", destination)
    moved = fractals * FRACTAL_BYTES / path.rate
    return Cost(max(path.issue, moved), path.latency, moved)


def load3d_cost(target: Target, destination: str, m1: int, k1: int) -> Cost:
    """Gather a window of `m1` by `k1` fractals of the image-to-column matrix from L1 to `destination`."""
    plain = load2d_cost(target, destination, m1 * k1)
    path = target.path("l1", destination)
    return replace(plain, latency=path.image_latency or path.latency)


def mmad_cost(target: Target, dtype: str, m: int, n: int, k: int) -> Cost:
    """Multiply [m, k] by [k, n] on whole fractals of `dtype`; `KeyError` when the Cube lacks the type."""
    ideal = mmad_fractals(target, dtype, m, n, k)
    return Cost(target.cube.issue + ideal, target.cube.latency, ideal)


def hit_cycles(target: Target, path: Path_, bursts: int, bytes_: float, requests: float) -> float:
    """Cycles at the core's port of a read that L2 holds.

    `bursts`: those of rows that become NZ on the way, 0 for a plain copy; rows without a gap between them are one.
    `requests`: parts of its bursts in lines of L2. Bursts cost `row` each and their bytes where the target file states
    that, else each request as long as a whole line.
    """
    if bursts and path.row:
        return max(bursts * path.row + bytes_ / path.rate, bytes_ / hit_rate(target, path))
    return requests * target.memory.l2_line / hit_rate(target, path)


def hit_rate(target: Target, path: Path_) -> float:
    """Bytes/cycle of a long read that L2 holds: the path's, and what L2 gives a core, where the file states them."""
    return min(path.rate or inf, target.memory.l2_read or inf)


def miss_cycles(target: Target, path: Path_, requests: float, bytes_: float, rows: bool = False) -> float:
    """Cycles at the core's port of a read that L2 lacks: `requests` parts of its bursts in lines of L2.

    A plain copy takes as long as its requests or as its bytes, whichever is longer. `rows`: of rows that become NZ on
    the way each waits for its bytes before the next one is asked for.
    """
    memory = target.memory
    asked, moved = requests * memory.request_port, bytes_ / (path.miss_rate or memory.hbm_read)
    if rows:
        return asked + moved
    return max(asked, moved)


def idle_channels(memory: Memory, lines: float) -> float:
    """How much longer HBM takes, over the time that it takes where it is asked for enough, while it is asked for so
    many lines: some channels have no request. Of C channels N lines, which may be anywhere, keep N / (N + C - 1) at
    work (a closed network of queues, by mean value analysis: Reiser and Lavenberg, 1980). What `hbm_queue` lines lack
    is in `hbm_chip`."""
    if not memory.hbm_channels or lines >= memory.hbm_queue:
        return 0.0
    return (memory.hbm_channels - 1) * (1 / lines - 1 / memory.hbm_queue)


def mmad_fractals(target: Target, dtype: str, m: int, n: int, k: int) -> float:
    """Ideal Cube cycles of a product: its fractal products, without the issue time."""
    fractal = target.cube.fractal[dtype]
    return ceil_div(m, 16) * ceil_div(n, 16) * ceil_div(k, fractal.k0) * fractal.cycles


def vec_cost(
    target: Target, instruction: str, dtype: str, repeats: int, conflict: float = 0.0, joined: bool = False
) -> Cost:
    """`repeats` repeats of a Vector instruction; `dtype` is the wider one of source and destination.

    `conflict`: cycles that the banks of UB need beyond the first one for a repeat's operands
    (runtime/machine/banks.py). They are hidden where computing takes as long. `joined`: it goes on in the vector
    function of the one before it, on chips that have such functions.
    """
    _, known = _vec_costs.get(id(target)) or _vec_costs.setdefault(id(target), (target, {}))
    key = instruction, dtype, repeats, conflict, joined
    found = known.get(key)
    if found is None:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        found = known[key] = _vec_cost(target, *key)
    return found


_MOST_KNOWN = 1 << 15
_vec_costs: dict[int, tuple[Target, dict[tuple[str, str, int, float, bool], Cost]]] = {}
"""Costs of Vector instructions by target, which has no hash, so by its id; it is kept so that the id stays its own. A
search asks for few that differ, many times."""


def _vec_cost(
    target: Target, instruction: str, dtype: str, repeats: int, conflict: float, joined: bool
) -> Cost:
    vector = target.vector
    each = vector.per_repeat(instruction, dtype)
    joined = joined and vector.loop > 0
    plain = max(vector.loop if joined else vector.issue, repeats * each)
    if vector.mask_register and instruction == "vsel":  # each repeat is an instruction
        plain = repeats * max(vector.issue, each)
    busy = max(plain, repeats * (1.0 + conflict)) if conflict else plain
    startup = 0.0 if joined else vector.startup
    least = vector.per_repeat_in_loop(instruction, dtype, 0) if vector.depth else each
    return Cost(startup + busy, vector.latency_of(instruction), repeats * least, busy - plain)


def loop_cost(target: Target, alone: Cost, cycles: float, joined: bool, looped: bool) -> Cost:
    """An instruction of a loop of several ones, whose repeats take so many `cycles` (`Vector.per_repeat_in_loop`), and
    that takes what `alone` says by itself. It is `looped` unless it begins the loop; then it is `joined`, or begins the
    function too."""
    vector = target.vector
    before = vector.startup if not (joined or looped) else 0.0
    busy = vector.chain + cycles if looped else max(vector.loop, cycles)
    return Cost(before + busy, alone.latency, alone.ideal)


def transpose_cost(target: Target, dtype: str, repeats: int) -> Cost:
    """`repeats` block transposes of 512 B each (16 rows of one 32 B block)."""
    return vec_cost(target, "vtranspose", dtype, repeats)


def vector_repeats(target: Target, sizes: Sequence[int], dtype: str) -> int:
    """Repeats of a Vector operand: `[n]` in full repeats of bytes; the first of `[repeat, blocks, lanes]`."""
    if len(sizes) == 3:
        return sizes[0]
    return ceil_div(prod(sizes) * ELEMENT_BYTES[dtype], target.vector.bytes_per_repeat)


def wider(*dtypes: str) -> str:
    """The element type with the most bytes, i32 before f32: the one that sets the lanes of a conversion's repeat, and
    what it takes."""
    return max(dtypes, key=lambda dtype: (ELEMENT_BYTES[dtype], dtype == "i32"))


def launch_us(target: Target, blocks: int) -> float:
    """Microseconds from one kernel's end to the first instruction of one with `blocks` blocks."""
    return target.launch_us + target.head_us + blocks * target.block_us
