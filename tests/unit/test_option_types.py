"""Passes that are made in Python with options of wrong types say which option, and what it is."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from ascend_opt.compiler.pipeline.universe import PASSES, UNIVERSE
from ascend_opt.passes.hivm_to_ascend import HivmToAscend
from ascend_opt.passes.tile_fuse import TileFuse
from ascend_opt.passes.tile_group import TileGroup


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        (TileFuse, {"min_gain": "a"}, "tile-fuse: min-gain is a number, not 'a'"),
        (TileGroup, {"min_gain": True}, "tile-group: min-gain is a number, not True"),
        (TileFuse, {"tune": 2.0}, "tile-fuse: tune is a whole number, not 2.0"),
        (TileFuse, {"layouts": 1}, "tile-fuse: layouts is True or False, not 1"),
        (TileFuse, {"sizes": 5}, "tile-fuse: sizes is a tuple of whole numbers, not 5"),
        (TileFuse, {"sizes": ("a",)}, r"tile-fuse: sizes is a tuple of whole numbers, not \('a',\)"),
        (TileFuse, {"target": 910}, "tile-fuse: target is a string or None, not 910"),
        (HivmToAscend, {"arguments": (1,)}, "hivm-to-ascend: arguments is a tuple of strings, not"),
    ],
)
def test_an_option_of_another_type(kind: Any, options: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        kind(**options)


def test_numbers_of_numpy_and_lists_are_options():
    assert TileFuse(min_gain=np.float64(0.5), tune=np.int64(2), sizes=[8, 16]).steps()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PASSES)
def test_every_option_is_checked(name: str):
    kind: Any = UNIVERSE.all_passes[name]()
    assert kind() is not None
    for option in fields(kind):
        wrongs: tuple[Any, ...] = (object(), [object()], b"a", {})
        for wrong in wrongs:
            with pytest.raises(ValueError, match=f"{name}: {option.name.replace('_', '-')} is "):
                kind(**{option.name: wrong})
