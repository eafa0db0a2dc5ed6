"""Tables of the target files for the pages: what a parameter is, its value on some chips, its source, what it moves."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from ascend_opt.dialects.target import load_target

TARGETS = Path(__file__).parents[1] / "dialects" / "targets"

MEANINGS = {
    "name": "name for `--target`",
    "description": "shown by `ascend-run`",
    "kind": "`coupled`: Cube and Vector share a core; `split`: they are cores of their own",
    "cores": "cores of the chip; of a split one its Cube cores",
    "vector_cores": "Vector cores of a split chip",
    "cross.events": "flags between a Cube core and its Vector cores",
    "cross.pending": "sets of such a flag that may be ahead of its waits",
    "cross.latency": "cycles from such a set until it is seen",
    "clock_mhz": "MHz; turns cycles into µs",
    "storage": "element types that tensors may have",
    "overflow": "what lies past a type's largest number: `inf` or `saturate`",
    "dma.nd2nz": "whether gm -> l1 can turn row-major into NZ",
    "dma.unaligned": "whether bursts may be any number of bytes",
    "dma.image2col_blocks": "whether one `load3d` may load several fractals in both directions",
    "dma.max_blocks": "most bursts of one DMA instruction",
    "dma.max_block_len": "most bytes of one burst",
    "dma.atomic_add": "element types that the DMA adds to those in GM on the way out of UB",
    "dma.atomic_max": "those of which it leaves the larger one",
    "dma.atomic_min": "those of which it leaves the smaller one",
    "cube.fractal": "per element type: K of a fractal, cycles per fractal product, type of the accumulator",
    "cube.issue": "cycles that an `mmad` takes beyond its products",
    "cube.latency": "cycles until its result is visible",
    "cube.accumulate_overlap": "result fractals below which accumulating again needs a barrier",
    "cube.unit_flag": "whether the Cube and FixPipe can hand over 512 B of L0C at a time by themselves",
    "cube.contention": "how much longer a load of L0 takes while the Cube works, as a share",
    "cube.max_extent": "largest m, n, k of one `mmad`",
    "vector.compute": "element types that it computes in (default: all stored ones); it converts others to f32",
    "cross.hardware_events": "ids of flags between cores that there are, libraries' own included",
    "vector.library": "more instructions of i32 and i16 that programs of other compilers may have",
    "vector.integers": "instructions that it has for i32; without any it moves i32, and converts it to f32 and back",
    "vector.bytes_per_repeat": "bytes that one repeat processes",
    "vector.max_repeat": "most repeats of one instruction",
    "vector.issue": "least cycles that an instruction occupies the pipe",
    "vector.latency": "cycles until its result is visible",
    "vector.mask_register": "whether `vsel` takes its mask from a register: one repeat of f16 an instruction",
    "vector.startup": "cycles before an instruction's first repeat",
    "vector.loop": "least cycles of an instruction that goes on in a vector function",
    "vector.latencies": "the same of instructions that have one of their own",
    "vector.drain": "of the latency, what only the end of a vector function takes",
    "vector.chain": "cycles from an operation to the next one of an element in a loop",
    "vector.depth": "most operations of a loop of a vector function, between which values stay in registers",
    "scalar.issue": "cycles to issue one instruction",
    "scalar.setup": "cycles to issue one that takes a structure of parameters",
    "scalar.loop": "cycles of each trip of a loop",
    "scalar.queue_depth": "instructions that wait in front of a pipe before the scalar unit stalls",
    "scalar.flag": "cycles of `set_flag`, `wait_flag`, `barrier`",
    "scalar.cache_line": "bytes of a line of the data cache, which the scalar unit reads indices through",
    "sync.events": "event ids per key",
    "sync.key": "what a flag's id is unique within: the pair of pipes, or the source pipe",
    "sync.ordered_pipe": "whether instructions of one pipe need no barrier among themselves",
    "memory.l2_bytes": "capacity of L2, bytes",
    "memory.l2_line": "bytes that L2 brings in at once",
    "memory.l2_read": "bytes/cycle/core of reads that hit",
    "memory.l2_write": "bytes/cycle of writes: of a core, or of a Cube core and the Vector cores beside it",
    "memory.group_read": "bytes/cycle of reads of a Cube core and the Vector cores beside it together",
    "memory.hbm_read": "bytes/cycle of one core's port for reads that miss",
    "memory.hbm_chip": "bytes/cycle of HBM, shared by all cores, reads and writes",
    "memory.miss_latency": "more cycles until the data of a miss is visible",
    "launch.us": "µs from one kernel's end to the next one's first instruction",
    "launch.head_us": "µs more until a core issues the kernel's first instruction",
    "launch.block_us": "µs more of a launch for each of its blocks, which are handed to cores one by one",
    "launch.assumed": "whether that is an assumption",
    "banks.groups": "groups of banks of UB; a group serves one row a cycle",
    "banks.row": "bytes of a row",
    "banks.span": "bytes from one bank of a group to the next",
    "banks.clash": "cycles more of a repeat that reads and writes one bank",
    "banks.restart": "cycles more of the first repeat whose reads collide",
    "memory.sector": "a request must begin and end on as many bytes for L2 to keep its line; turns on single requests",
    "memory.request_port": "cycles of a missing request at the core's port, beyond its bytes",
    "memory.hbm_run": "cycles of HBM for each run of lines, beyond their bytes",
    "memory.hbm_channels": "channels of HBM; where few lines are asked for, some have no request (0: not modelled)",
    "memory.hbm_queue": "lines asked for at a time from which on HBM gives `hbm_chip`",
    "memory.write_back": "HBM cycles of a byte written back, over those of one read",
    "memory.same_line": "HBM cycles of a request for a line that another core is being served, past L2",
    "launch.cold_us": "µs more of a process's first launch",
}


def targets(*stems: str) -> Iterator[str]:
    """Tables of parameters: values of some chips, meaning, and the source that the first chip's file names."""
    files = {path: tomllib.loads(path.read_text()) for path in sorted(TARGETS.glob("*.toml"))}
    chips = [TARGETS / f"{stem}.toml" for stem in stems]
    data = [files[path] for path in chips]
    names = " | ".join(path.stem for path in chips)
    sources = _sources(chips[0].read_text())
    yield f"| parameter | {names} | meaning | source |"
    yield "|---" * (len(chips) + 3) + "|"
    for key in _parameters(data[0]):
        shown = " | ".join(_value(_at(one, key)) for one in data)
        yield f"| `{key}` | {shown} | {MEANINGS[key]} | {sources.get(key, '')} |"
    yield f"\nMemories, bytes (start address a multiple of). Source: {sources['spaces.*']}.\n"
    yield f"| space | {names} |"
    yield "|---" * (len(chips) + 1) + "|"
    for space in data[0]["spaces"]:
        cells = (f"{one['spaces'][space]['bytes']} ({one['spaces'][space]['align']})" for one in data)
        yield f"| `{space}` | {' | '.join(cells)} |"
    yield f"\nPaths. {sources['paths.*']}\n"
    rates = " | ".join(f"{path.stem} rate" for path in chips)
    paths = data[0]["paths"]
    optional = ("image_latency", "miss_rate", "row", "same_line", "miss_latency", "wide_rate")
    more = [key for key in optional if any(key in row for row in paths.values())]
    extra = "".join(f" {key.replace('_', ' ')} |" for key in more)
    yield f"| path | pipe | {rates} | issue | latency | granule |{extra}"
    yield "|---" * (len(chips) + 5 + len(more)) + "|"
    for path, row in paths.items():
        cells = " | ".join(str(one["paths"][path].get("rate", "see `memory`")) for one in data)
        rest = " | ".join(str(row.get(key, "")) for key in ("issue", "latency", "granule", *more))
        assert all({**one["paths"][path], "rate": 0} == {**row, "rate": 0} for one in data), (
            "rates alone differ"
        )
        yield f"| `{path}` | {row['pipe']} | {cells} | {rest} |"
    for key, title in (
        ("cycles", "Cycles of a repeat"),
        ("operation", "Cycles of a repeat in a loop with others"),
    ):
        rows = [one["vector"].get(key, {}) for one in data]
        assert all(one == rows[0] for one in rows), "chips differ"
        if rows[0]:
            yield f"\n{title}: {sources[f'vector.{key}.*']}\n"
            yield from _instructions(rows[0])
    bases = {path.stem for path in chips}
    others = [(path.stem, one) for path, one in sorted(files.items()) if one.get("extends") in bases]
    if others:
        yield "\n| chip | as | but |"
        yield "|---|---|---|"
    for name, one in others:
        changes = [
            f"`{key}` {_value(_at(one, key))}"
            for key in _changes(one)
            if key not in ("name", "extends", "description")
        ]
        yield f"| `{name}` | `{one['extends']}` | {', '.join(changes) or 'its short name'} |"


def _instructions(rows: dict[str, Any]) -> Iterator[str]:
    """Cycles by instruction and type."""
    yield "| instruction | f16 | f32 | i32 |"
    yield "|---|---|---|---|"
    for name, cycles in rows.items():
        types = cast(dict[str, Any], cycles if isinstance(cycles, dict) else {"f16": cycles, "f32": cycles})
        cells = types["f16"], types["f32"], types.get("i32", types["f32"])
        yield f"| {'any other' if name == 'default' else f'`{name}`'} | {' | '.join(map(str, cells))} |"


UNITS = {
    **dict.fromkeys(
        ("issue", "latency", "image_latency", "row", "cycles", "flag", "setup", "loop", "clash", "restart"),
        "cycles",
    ),
    **dict.fromkeys(("f16", "f32", "any", "miss_latency", "request_port", "hbm_run", "same_line"), "cycles"),
    **dict.fromkeys(("rate", "wide_rate", "miss_rate", "l2_write", "group_read", "hbm_chip"), "B/cycle"),
    **dict.fromkeys(("us", "block_us", "cold_us", "head_us"), "µs"),
    **dict.fromkeys(("write_back", "contention"), "ratio"),
    **dict.fromkeys(("vmax", "vmin", "vexp", "vln", "vsqrt", "vrsqrt"), "cycles"),
    "clock_mhz": "MHz",
    "queue_depth": "entries",
    "hbm_channels": "channels",
    "hbm_queue": "lines",
}


def parameters() -> Iterator[str]:
    """Every time, rate and count of cycles of the 910B1: value, unit, source, and the kernels that it moves."""
    from parameter_moves import HIDDEN, MOVES
    from target_numbers import key_text, numbers

    sources = _sources((TARGETS / "ascend910b1.toml").read_text())
    yield "| parameter | value | unit | source or derivation | moves |"
    yield "|---|---|---|---|---|"
    for key, value in numbers(load_target("ascend910b1")):
        name = key_text(key)
        shown = f"launch.{name.removeprefix('launch_')}" if name.endswith("_us") else name
        section, _, field = shown.rpartition(".")
        row = section if section.startswith("paths.") else shown.removesuffix(".any").removesuffix(".cycles")
        source = sources.get(row) or sources.get(section) or sources.get(f"{section.split('.')[0]}.*", "")
        if section.startswith("vector.cycles"):
            source = sources["vector.cycles.*"]
        elif section.startswith("cube.fractal"):
            source = sources["cube.fractal"]
        moves = MOVES.get(name) or f"at four times: {HIDDEN[name]}"
        moves = moves.replace("_", " ").replace("*", "\\*")
        yield f"| `{shown}` | {value:g} | {UNITS[field]} | {source} | {moves} |"


def _parameters(data: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Dotted names of the single parameters; memories, paths and Vector cycles have tables of their own."""
    for key, value in data.items():
        whole = prefix + key
        if whole in ("spaces", "paths", "vector.cycles", "vector.operation"):
            continue
        if isinstance(value, dict) and whole not in ("cube.fractal", "vector.latencies"):
            yield from _parameters(cast(dict[str, Any], value), whole + ".")
        else:
            yield whole


def _changes(data: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Dotted names of all keys of a file."""
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _changes(cast(dict[str, Any], value), f"{prefix}{key}.")
        else:
            yield prefix + key


def _at(data: dict[str, Any], key: str) -> Any:
    for part in key.split("."):
        data = data[part]
    return data


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {_value(v)}" for k, v in cast(dict[str, Any], value).items())
    if isinstance(value, list):
        return ", ".join(_value(item) for item in cast(list[Any], value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _sources(text: str) -> dict[str, str]:
    """What the comments beside the values say; `section.*` for a comment beside or above a section."""
    found: dict[str, str] = {}
    section, above = "", list[str]()
    for line in text.splitlines():
        if line.startswith("#"):
            above.append(line.lstrip("# "))
            continue
        code, _, comment = line.partition("#")
        header = re.match(r"\[(.*)\]", code)
        if header:
            section = header[1] + "."
            found[section + "*"] = comment.strip() or " ".join(above)
        elif " = " in code:
            key = code.partition(" = ")[0].strip().strip('"')
            note = comment.strip() or (" ".join(above) if section in ("cube.", "launch.") else "")
            found[section + key] = note
        above = []
    return found
