"""Functions that go with another one: what runs once before it, functions of indices, and those that serve some of its
run-time sizes. Their names tell."""

import re

HELPERS = (".prepare", ".tiling", ".workspace")
"""Ends of their names."""
_VARIANT = re.compile(r"\.to_\d+$")


def is_helper(name: str) -> bool:
    """Whether a function goes with another one and is no program."""
    return name.endswith(HELPERS)


def variant_name(function: str, last: int) -> str:
    """Name of the variant of a function that serves run-time sizes up to `last`."""
    return f"{function}.to_{last}"


def last_of(variant: str) -> int:
    """The largest run-time size that a variant serves, by its name."""
    return int(variant.rpartition("_")[2])


def is_variant(name: str) -> bool:
    """Whether a function serves some of the run-time sizes of another one, which calls it."""
    return _VARIANT.search(name) is not None
