"""Functions that go with another one: what runs once before it, and functions of indices. Their names tell."""

HELPERS = (".prepare", ".tiling", ".workspace")
"""Ends of their names."""


def is_helper(name: str) -> bool:
    """Whether a function goes with another one and is no program."""
    return name.endswith(HELPERS)
