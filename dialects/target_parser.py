"""From the TOML text of a target file to a `Target`; a mistake is named with its section and key."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from .element_types import HELD_AS, SUMS
from .isa import ATOMICS, VECTOR_INSTRUCTIONS
from .target_fields import TargetError, check_keys, checked, required, section, table
from .target_files import text_of_target
from .target_types import (
    PIPES,
    SPACES,
    Banks,
    Cross,
    Cube,
    Dma,
    Fractal,
    Launch,
    Memory,
    Path_,
    Scalar,
    Space,
    Sync,
    Target,
    Vector,
)
from .tiling import DIRECTIONS

OPTIONAL = ("bt", "fb")
"""Spaces that a chip may lack: biases that the Cube starts a sum from, slopes of FixPipe's columns."""
PLAIN: dict[str, type] = {
    "name": str, "description": str, "kind": str, "cores": int, "clock_mhz": float, "overflow": str,
}  # fmt: skip
"""Keys of a target file outside of its sections."""
ELEMENT_TYPES = ("f16", "bf16", "f32", "i1", "i8", "i32")
"""What a chip may store."""
INTEGERS = ("vadd", "vsub", "vmul", "vmax", "vmin")
"""Instructions of i32 of which all others are made; a chip that computes in i32 has them."""
MORE_INTEGERS = (
    *("vadds", "vmuls", "vmaxs", "vmins", "vabs", "vrelu", "vsel", "vcadd", "vcmax", "vcmin"),
    *(f"{name}_{direction}" for name in ("vcmpv", "vcmpvs") for direction in DIRECTIONS),
)
"""Others that it may have."""
JOINED = ("i8", "i16", "f16", "bf16", "i32", "f32")
"""Element types that a DMA may join to those in GM."""
MOVES = ("default", "vcopy", "vdup", "vtranspose")
"""Rows of `[vector.cycles]` for all stored types: what moves elements is not limited to those computed in."""
SECTIONS: dict[str, type[Any]] = {
    "scalar": Scalar,
    "sync": Sync,
    "memory": Memory,
}


def parse_target(text: str, origin: str) -> Target:
    """Build a target from TOML text; `TargetError` names `origin` and the offending key.

    A file that `extends` another target (a name, or a file beside it) states its name and what differs: keys, and keys
    of its tables. Without a description of its own it is described as `<name>, from <base>`.
    """

    data = whole_target(text, origin)
    at = {
        name: f"{origin}: [{name}]"
        for name in ("dma", *SECTIONS, "spaces", "paths", "cube", "vector", "launch")
    }
    check_keys(data, (*PLAIN, "storage", "vector_cores", "cross", "banks", *at), origin)
    rows = {name: table(required(data, name, origin), where) for name, where in at.items()}
    spaces = _spaces(rows["spaces"], at["spaces"])
    storage = _types(required(data, "storage", origin), ELEMENT_TYPES, f"{origin}: storage")
    cube = rows["cube"]
    numbers = tuple(name for name in storage if name not in (*HELD_AS, "i32"))
    launch = section(Launch, rows["launch"], at["launch"])
    _check_cores(data, origin)
    fractals = table(required(cube, "fractal", at["cube"]), f"{at['cube']} fractal")
    del cube["fractal"]
    paths = _paths(rows["paths"], at["paths"], spaces)
    _check_rates(rows["memory"], at["memory"], paths)
    target = Target(
        **{key: checked(key, kind, required(data, key, origin), origin) for key, kind in PLAIN.items()},
        storage=storage,
        spaces=spaces,
        paths=paths,
        **{name: section(cls, rows[name], at[name]) for name, cls in SECTIONS.items()},
        dma=_dma(rows["dma"], at["dma"]),
        cube=section(
            Cube,
            cube,
            at["cube"],
            fractal=_fractals(fractals, storage, f"{at['cube']} fractal"),
        ),
        vector=_vector(rows["vector"], at["vector"], storage, numbers, origin),
        launch_us=launch.us,
        vector_cores=checked("vector_cores", int, data.get("vector_cores", 0), origin),
        cross=section(Cross, data["cross"], f"{origin}: [cross]") if "cross" in data else None,
        banks=section(Banks, data["banks"], f"{origin}: [banks]") if "banks" in data else None,
        cold_us=launch.cold_us,
        block_us=launch.block_us,
        head_us=launch.head_us,
        launch_assumed=launch.assumed,
        origin=origin,
    )
    _check_together(target, origin)
    return target


def _check_together(target: Target, origin: str) -> None:
    """Numbers that are possible by themselves, and not beside each other."""
    memory, vector, banks, cross = target.memory, target.vector, target.banks, target.cross
    if memory.sector and memory.l2_line % memory.sector:
        raise TargetError(
            f"{origin}: [memory]: l2_line is a multiple of sector, not {memory.l2_line} beside {memory.sector}"
        )
    if memory.l2_bytes < memory.l2_line:
        raise TargetError(f"{origin}: [memory]: l2_bytes is a line (l2_line) or more, not {memory.l2_bytes}")
    for name, space in target.spaces.items():
        if space.bytes < space.align:
            raise TargetError(f"{origin}: [spaces] {name}: bytes is align or more, not {space.bytes}")
    if vector.drain > vector.latency:
        raise TargetError(f"{origin}: [vector]: drain is a part of latency, not {vector.drain:g}")
    if banks is not None and banks.span % (banks.groups * banks.row):
        raise TargetError(f"{origin}: [banks]: span is a multiple of groups x row, not {banks.span}")
    if cross is not None and 0 < cross.hardware_events < cross.events:
        raise TargetError(
            f"{origin}: [cross]: hardware_events is events or more, not {cross.hardware_events}"
        )


def _dma(dma: dict[str, Any], where: str) -> Dma:
    """What moves between GM and a core."""
    found = {key: dma.pop(key) for key in (f"atomic_{kind}" for kind in ATOMICS) if key in dma}
    types = {key: _types(value, JOINED, f"{where}: {key}") for key, value in found.items()}
    return section(Dma, dma, where, **{f"atomic_{kind}": types.get(f"atomic_{kind}", ()) for kind in ATOMICS})


def _vector(
    vector: dict[str, Any], where: str, storage: tuple[str, ...], numbers: tuple[str, ...], origin: str
) -> Vector:
    """The Vector unit, of a chip that stores these types and computes in some of `numbers`."""
    compute = _compute_types(vector, storage, numbers, where)
    integers = _integer_instructions(vector, where)
    library = vector.pop("library", [])
    library = (
        _types(library, tuple(VECTOR_INSTRUCTIONS), f"{where}: library", "instruction") if library else ()
    )
    if "f32" not in compute and set(compute) != set(numbers):
        raise TargetError(f"{where}: compute lacks f32, in which all other types are computed")
    cycles = {key: _cycle_rows(vector, key, where, origin) for key in ("cycles", "operation")}
    latencies = _latencies(vector, where, origin)
    if vector.get("depth") and not cycles["operation"]:
        raise TargetError(f"{where}: depth needs [vector.operation], what instructions of a loop take")
    return section(
        Vector,
        vector,
        where,
        compute=compute,
        integers=integers,
        library=library,
        **{
            key: {k: _cycles(k, row, numbers if k in MOVES else compute, origin) for k, row in rows.items()}
            for key, rows in cycles.items()
        },
        latencies=latencies,
    )


def whole_target(text: str, origin: str, below: tuple[str, ...] = ()) -> dict[str, Any]:
    """The content of a file over that of the one that it extends; `below`: the files that extend this one."""
    data = read_toml(text, origin)
    if "extends" not in data:
        return data
    given = checked("extends", str, data.pop("extends"), origin)
    base = str(Path(origin).parent / given) if given.endswith(".toml") else given
    if base in below:
        raise TargetError(f"{origin}: extends {given!r}, which extends this file")
    try:
        text = text_of_target(base)
    except TargetError as error:
        raise TargetError(f"{origin}: extends: {error}") from None
    whole = whole_target(text, base, (*below, base))
    name = required(data, "name", f"{origin}: a file that extends another")
    if set(data) > {"name"} and "description" not in data:
        data["description"] = f"{name}, from {whole.get('name', given)}"
    return _over(whole, data)


def read_toml(text: str, origin: str) -> dict[str, Any]:
    """The content of one file; `TargetError` where it is no TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TargetError(f"{origin}: {error}") from None


def _over(base: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with `changes` in it, table by table."""
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            value = _over(cast(dict[str, Any], old), cast(dict[str, Any], value))
        merged[key] = value
    return merged


def _spaces(rows: dict[str, Any], where: str) -> dict[str, Space]:
    check_keys(rows, SPACES, where)
    spaces = {name: section(Space, row, f"{where} {name}") for name, row in rows.items()}
    for name in SPACES:
        if name not in OPTIONAL:
            required(spaces, name, where)
    return spaces


def _compute_types(
    vector: dict[str, Any], storage: Sequence[str], numbers: Sequence[str], where: str
) -> tuple[str, ...]:
    """The types that the Vector unit computes in, of the `numbers` that the chip stores."""
    compute = _types(vector.pop("compute", list(numbers)), numbers, f"{where}: compute")
    for name, wide in {**HELD_AS, "i32": "f32"}.items():
        if name in storage and wide not in compute:
            raise TargetError(f"{where}: compute lacks {wide}, which {name} is converted to")
    return compute


def _integer_instructions(vector: dict[str, Any], where: str) -> tuple[str, ...]:
    """The instructions of i32 that it has."""
    given = vector.pop("integers", [])
    if not given:
        return ()
    integers = _types(given, (*INTEGERS, *MORE_INTEGERS), f"{where}: integers", "instruction")
    for name in INTEGERS:
        if name not in integers:
            raise TargetError(f"{where}: integers lacks {name}, of which other instructions are made")
    return integers


def _check_cores(data: Mapping[str, Any], origin: str) -> None:
    """Cube and Vector cores of a chip that has them apart."""
    if data.get("kind") == "split" and not (data.get("vector_cores") and "cross" in data):
        raise TargetError(f"{origin}: a split chip states vector_cores and [cross]")
    counts = [checked(key, int, data[key], origin) for key in ("vector_cores", "cores") if key in data]
    if len(counts) == 2 and counts[0] % counts[1]:
        raise TargetError(
            f"{origin}: vector_cores is a multiple of cores: as many stand beside each Cube core"
        )


def _cycle_rows(vector: dict[str, Any], key: str, where: str, origin: str) -> dict[str, Any]:
    """Cycles of Vector instructions, taken out of their section; those of loops may be left out."""
    at = f"{origin}: [vector.{key}]"
    if key != "cycles" and not vector.get(key):
        vector.pop(key, None)
        return {}
    cycles = table(required(vector, key, where), at)
    del vector[key]
    known = ("default", "vtranspose", *(name.partition("_")[0] for name in VECTOR_INSTRUCTIONS))
    check_keys(cycles, known, at, "instruction")
    required(cycles, "default", at)
    return cycles


def _latencies(vector: dict[str, Any], where: str, origin: str) -> dict[str, float]:
    """Latencies of Vector instructions that have one of their own, taken out of their section."""
    rows = table(vector.pop("latencies", {}), f"{where} latencies")
    check_keys(rows, tuple(VECTOR_INSTRUCTIONS), f"{where} latencies", "instruction")
    return {name: float(checked("latency", float, row, f"{where} latencies")) for name, row in rows.items()}


def _check_rates(memory: Mapping[str, Any], where: str, paths: Mapping[tuple[str, str], Path_]) -> None:
    """Rates of reads of GM: of the memory, unless requests are modelled and every path states its own."""
    modelled = required(memory, "l2_line", where) and memory.get("sector")
    for key, own in (("l2_read", "rate"), ("hbm_read", "miss_rate")):
        stated = [getattr(path, own) for (source, _), path in paths.items() if source == "gm"]
        if not (modelled and all(stated)):
            required(memory, key, where)


def _types(value: Any, known: Sequence[str], where: str, what: str = "element type") -> tuple[str, ...]:
    """A list of element types, or of `what`, each one of `known`."""
    if not isinstance(value, list) or not value:
        raise TargetError(f"{where} is a list of {what}s, not {value!r}")
    names = tuple(checked(f"an {what}", str, name, where) for name in cast(list[Any], value))
    check_keys(names, known, where, what)
    return names


def _fractals(rows: Mapping[str, Any], storage: Sequence[str], where: str) -> dict[str, Fractal]:

    check_keys(rows, storage, where, "element type")
    found: dict[str, Fractal] = {}
    for name, row in rows.items():
        found[name] = section(Fractal, row, f"{where} {name}")
        sums = SUMS.get(name)
        if sums is None:
            raise TargetError(f"{where} {name}: no Cube multiplies {name}, only {', '.join(SUMS)}")
        if found[name].acc != sums:
            raise TargetError(f"{where} {name}: acc is {sums}, not {found[name].acc!r}")
    return found


def _paths(rows: Mapping[str, Any], where: str, spaces: Mapping[str, Space]) -> dict[tuple[str, str], Path_]:
    paths: dict[tuple[str, str], Path_] = {}
    for name, row in rows.items():
        source, arrow, destination = name.partition("->")
        if not arrow or source not in spaces or destination not in spaces:
            raise TargetError(f"{where}: {name!r} is no path between two of {', '.join(spaces)}")
        path = section(Path_, row, f"{where} {name}")
        if path.pipe not in PIPES:
            raise TargetError(f"{where} {name}: unknown pipe {path.pipe!r}; known: {', '.join(PIPES)}")
        if path.rate == 0 and source != "gm":
            raise TargetError(
                f"{where} {name}: rate is more than 0; only reads of GM have theirs in [memory]"
            )
        paths[source, destination] = path
    return paths


def _cycles(name: str, row: Any, types: Sequence[str], origin: str) -> dict[str, float]:
    """Cycles per repeat by element type, `any` for all; a row that lists types has those of `types`."""
    where = f"{origin}: [vector.cycles] {name}"
    if not isinstance(row, dict):
        return {"any": float(checked("cycles", float, row, where))}
    found = {k: float(checked("cycles", float, v, where)) for k, v in cast(dict[str, Any], row).items()}
    check_keys(found, ("any", *ELEMENT_TYPES), where, "element type")
    for dtype in types:
        if "any" not in found:
            required(found, dtype, where)
    return found
