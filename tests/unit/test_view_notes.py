"""What is noted of views: anew on each core, and wherever a size became zero or was zero no more."""

# pyright: reportPrivateUsage=false

from typing import Any, cast

import pytest

from ascend_opt.passes.analysis.view_offsets import ViewNotes, _View

A, B = object(), object()
"""Views of buffer 10: their offsets are values 5 and 7, their sizes 6 and 8."""


@pytest.fixture
def notes() -> ViewNotes:
    found = ViewNotes()
    found._views = {
        id(A): _View(1, 10, 5, 0, ((6, True, 1),), (6,)),
        id(B): _View(2, 10, 7, 0, ((8, True, 1),), (8,)),
    }
    return found


def test_views_meet_where_one_has_moved(notes: ViewNotes):
    values = {5: 0, 6: 4, 7: 100, 8: 4}
    first, second = (notes.noting(cast(Any, [view]), values) for view in (A, B))
    first()
    second()
    assert notes.meetings == set()
    values[7] = 2
    second()
    assert notes.meetings == {(1, 2), (2, 1)}
    assert notes.offsets == {(5, 0), (7, 100), (7, 2)}


def test_a_size_is_noted_beside_others_that_changed(notes: ViewNotes):
    values = {5: 0, 6: 4, 7: 100, 8: 4}
    first, second = (notes.noting(cast(Any, [view]), values) for view in (A, B))
    first()
    second()
    values[8] = 0
    second()
    assert ((6, True), (8, False)) not in notes.sizes
    first()
    assert ((6, True), (8, False)) in notes.sizes


def test_the_same_views_are_noted_again_on_another_core(notes: ViewNotes):
    first = notes.noting(cast(Any, [A]), {5: 0, 6: 4})
    first()
    notes.clear()
    first()
    assert notes.offsets == {(5, 0)}
    assert notes.sizes == {((6, True), (6, True))}
