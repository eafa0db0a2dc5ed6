"""What each number of the 910B1's target file moves: the kernels of `parameter_kernels` whose time changes with it."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from ascend_programs import Program
from parameter_kernels import CHIP, KERNELS
from target_numbers import Key, scaled

from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.machine.costs import launch_us


@cache
def programs() -> dict[str, tuple[Program, Any]]:
    made = {name: make() for name, make in KERNELS.items()}
    return {name: (p, p.module()) for name, p in made.items()}


def times(change: Callable[[Target], Target]) -> dict[str, float]:
    """Cycles of every kernel; µs of a launch, of 48 blocks, more of a process's first launch, and of a cycle."""
    found: dict[str, float] = {}
    for name, (p, module) in programs().items():
        chip = change(p.target)
        profile = Emulator(module, chip).time_only("main")
        found[name] = profile.kernels[0].time_us * chip.clock_mhz
    chip = change(CHIP)
    found["a launch"] = launch_us(chip, 0)
    found["blocks"] = launch_us(chip, 48) - launch_us(chip, 0)
    found["a first launch"] = chip.cold_us
    found["a µs"] = chip.microseconds(1.0)
    return found


SHORTER = ("rate", "wide_rate", "miss_rate", "l2_write", "group_read", "hbm_chip", "queue_depth", "clock_mhz")
"""Fields that shorten what they move when they grow; the others make it longer."""
STRUCTURED = (
    *("*hits l1", "misses l1", "loads*", "* loads l0?", "*image loads*", "products*", "waiting products"),
    *("*results gm", "results l1", "short results l1", "wide_results", "structured"),
)
"""Kernels whose instructions take structures of parameters."""
MOVES: dict[str, str] = {
    "clock_mhz": "a µs",
    "paths.gm->l1.issue": "short hits l1, waiting hits l1",
    "paths.gm->l1.latency": "misses l1, *hits l1, shared_reads",
    "paths.gm->l1.rate": "hits l1, shared_reads",
    "paths.gm->l1.miss_rate": "misses l1, hits l1",
    "paths.gm->l1.row": "hits l1, shared_reads",
    "paths.gm->ub.issue": "short hits ub, waiting hits ub",
    "paths.gm->ub.latency": "misses ub, *hits ub, full_queue, all_cores_miss, evictions, one_line_for_all",
    "paths.gm->ub.rate": "hits ub, full_queue",
    "paths.gm->ub.miss_rate": "misses ub, hits ub, full_queue, shared_reads",
    "paths.ub->gm.issue": "short writes, waiting writes",
    "paths.ub->gm.latency": "*writes, evictions",
    "paths.ub->gm.rate": "first writes, writes, evictions, shared_writes",
    "paths.ub->gm.miss_latency": "first writes, waiting writes, evictions",
    "paths.l1->l0a.issue": "short loads l0a, structured",
    "paths.l1->l0a.latency": "loads l0a, waiting loads l0a, short loads l0a, structured",
    "paths.l1->l0a.rate": "*loads l0a, structured",
    "paths.l1->l0a.image_latency": "waiting image loads l0a",
    "paths.l1->l0b.latency": "loads l0b, waiting loads l0b, short loads l0b, loads_beside_products",
    "paths.l1->l0b.rate": "*loads l0b, loads_beside_products",
    "paths.l1->l0b.image_latency": "waiting image loads l0b",
    "paths.l1->bt.issue": "short biases, waiting biases",
    "paths.l1->bt.latency": "*biases",
    "paths.l1->bt.rate": "biases",
    "paths.l1->fb.issue": "short slopes, waiting slopes",
    "paths.l1->fb.latency": "*slopes",
    "paths.l1->fb.rate": "slopes",
    "paths.l0c->gm.issue": "short results gm, waiting results gm",
    "paths.l0c->gm.latency": "*results gm, wide_results",
    "paths.l0c->gm.rate": "results gm",
    "paths.l0c->gm.wide_rate": "wide_results",
    "paths.l0c->l1.issue": "short results l1, waiting results l1",
    "paths.l0c->l1.latency": "*results l1",
    "paths.l0c->l1.rate": "results l1",
    "paths.ub->ub.issue": "short_on_chip_copies, trips",
    "paths.ub->ub.latency": "*on_chip_copies, trips",
    "paths.ub->ub.rate": "on_chip_copies",
    "cube.fractal.f16.cycles": "products f16, waiting products, loads_beside_products",
    "cube.fractal.bf16.cycles": "products bf16",
    "cube.fractal.f32.cycles": "products f32",
    "cube.fractal.i8.cycles": "products i8",
    "cube.issue": "products *, waiting products, loads_beside_products",
    "cube.latency": "products *, waiting products",
    "cube.contention": "loads_beside_products",
    "vector.issue": "short_vectors",
    "vector.latency": "v* f??, *_vectors, one_bank, colliding_reads"
    ", but vexp *, but vln *, but v*sqrt *, but vmax *, but vmin *",
    **{
        f"vector.latencies.{name}": f"{name} *" for name in ("vmax", "vmin", "vexp", "vln", "vsqrt", "vrsqrt")
    },
    "vector.cycles.default.any": "vadd *, vmax *, vmin *, vrsqrt *, waiting_vectors, one_bank, colliding_reads"
    ", full_queue",
    **{
        f"vector.cycles.{name}.{t}": f"{name} {t}"
        for name in ("vexp", "vln", "vsqrt", "vdiv", "vcadd", "vgather")
        for t in ("f16", "f32")
    },
    "vector.cycles.vmadd.any": "vmadd *",
    "vector.cycles.vtranspose.any": "vtranspose *",
    "vector.cycles.vcmax.any": "vcmax *",
    "vector.cycles.vcmin.any": "vcmin *",
    "scalar.issue": f"*, but {', but '.join(STRUCTURED)}",
    "scalar.setup": ", ".join(STRUCTURED) + ", waiting results l1",
    "scalar.loop": "*, but evictions, but one_line_for_all, but structured",
    "scalar.queue_depth": "full_queue",
    "scalar.flag": "waiting*, on_chip_copies, flags, between_cores, evictions",
    "memory.l2_write": "results gm, wide_results, first writes, writes, evictions, shared_writes",
    "memory.group_read": "shared_reads",
    "memory.hbm_chip": "short hits *, all_cores_miss, evictions, one_line_for_all",
    "memory.hbm_channels": "short hits *, all_cores_miss, evictions, one_line_for_all",
    "memory.hbm_queue": "all_cores_miss, evictions, one_line_for_all",
    "memory.miss_latency": "misses *, short hits *, waiting hits *, all_cores_miss, evictions, one_line_for_all",
    "memory.request_port": "misses *, hits *, full_queue, shared_reads",
    "memory.hbm_run": "all_cores_miss, evictions, one_line_for_all",
    "memory.write_back": "evictions",
    "memory.same_line": "one_line_for_all",
    "launch_us": "a launch",
    "head_us": "a launch",
    "block_us": "blocks",
    "cold_us": "a first launch",
    "cross.latency": "between_cores",
    "banks.clash": "one_bank",
    "banks.restart": "colliding_reads",
}
"""By parameter (`key_text`), the names of the kernels whose time it changes, as patterns, separated by commas."""
HIDDEN: dict[str, str] = {
    "paths.l1->l0b.issue": "short loads l0b",
}
"""Moves nothing at half or twice its value, because the shortest instruction takes longer; at four times, these."""


def named(patterns: str) -> set[str]:
    """The kernels that some pattern fits, and none that begins with `but`."""
    wanted = [one.strip() for one in patterns.split(",")]
    without = [one.removeprefix("but ") for one in wanted if one.startswith("but ")]
    fits = {n for n in KERNELS if any(fnmatchcase(n, one) for one in wanted)}
    fits |= {n for n in base().keys() - KERNELS.keys() if n in wanted}
    return {n for n in fits if not any(fnmatchcase(n, one) for one in without)}


@cache
def base() -> dict[str, float]:
    return times(lambda chip: chip)


def moved(key: Key, *factors: float) -> dict[str, list[float]]:
    """Kernels whose time changes with the number, and the relative changes when it is multiplied by each factor."""
    before = base()
    runs = [times(lambda chip, f=f: scaled(chip, key, f)) for f in factors]
    changes = {n: [run[n] / before[n] - 1 for run in runs] for n in before}
    return {n: c for n, c in changes.items() if max(map(abs, c)) > 1e-9}
