"""The numbers of a target that the clock uses: where they stand, and a target with one of them changed."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from ascend_opt.dialects.target_types import Target

Key = tuple[Any, ...]

SIZES = {
    *(
        "cores",
        "vector_cores",
        "spaces",
        "dma",
        "granule",
        "k0",
        "max_extent",
        "accumulate_overlap",
        "sync",
        "cache_line",
    ),
    *(
        "bytes_per_repeat",
        "max_repeat",
        "groups",
        "row",
        "span",
        "l2_bytes",
        "l2_line",
        "sector",
        "events",
        "hardware_events",
        "pending",
    ),
}
"""Sizes and limits: numbers that are no time. `row` is that of banks; that of a path is a time."""


def numbers(value: Any, key: Key = ()) -> Iterator[tuple[Key, float]]:
    """Every number of a target that is neither a size nor 0, by where it stands."""
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        if value:  # 0: the chip lacks the mechanism
            yield key, float(value)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in SIZES or (key[:1] == ("paths",) and field.name == "row"):
                yield from numbers(getattr(value, field.name), (*key, field.name))
    elif isinstance(value, Mapping):
        for name, item in cast(Mapping[Any, Any], value).items():
            yield from numbers(item, (*key, "->".join(name) if isinstance(name, tuple) else name))


def scaled(value: Any, key: Key, factor: float) -> Any:
    """`value` with the number at `key` times `factor`."""
    if not key:
        return value * factor
    if isinstance(value, Mapping):
        table = dict(cast(Mapping[Any, Any], value))
        name = next(k for k in table if k == key[0] or (isinstance(k, tuple) and "->".join(k) == key[0]))
        return {**table, name: scaled(table[name], key[1:], factor)}
    return replace(value, **{key[0]: scaled(getattr(value, key[0]), key[1:], factor)})


def with_number(target: Target, name: str, value: float) -> Target:
    """`target` with another number at `name` (`key_text`)."""
    key, old = next((key, old) for key, old in numbers(target) if key_text(key) == name)
    return scaled(target, key, value / old)


def key_text(key: Key) -> str:
    """`paths.gm->l1.rate`."""
    return ".".join(map(str, key))
