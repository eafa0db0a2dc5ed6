"""Formats that are read late are right: an op that no program prints would else show its mistake to a user first."""

import pytest

from ascend_opt.dialects.ascend import Ascend
from ascend_opt.dialects.graph import Graph
from ascend_opt.dialects.late_format import LateFormat, format_of
from ascend_opt.dialects.tile import Tile

KINDS = [op for one in (Ascend, Graph, Tile) for op in one.operations if issubclass(op, LateFormat)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_format_is_read(kind: type[LateFormat]) -> None:
    assert format_of(kind).stmts
