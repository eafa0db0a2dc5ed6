"""What is noted of views: anew on each core, and wherever a size became zero or was zero no more."""

# pyright: reportPrivateUsage=false

from collections.abc import Callable
from typing import Any, cast

import pytest

from ascend_opt.passes.analysis.view_offsets import KnownNotes, ViewNotes, _View

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


def noting(notes: ViewNotes, view: object, values: dict[int, int]) -> Callable[[], None]:
    return notes.noting(cast(Any, [[view]]), values)


def of_kind(notes: ViewNotes, kind: str) -> set[tuple[object, object]]:
    return {(one, other) for which, one, other in notes.notes if which == kind}


def test_views_meet_where_one_has_moved(notes: ViewNotes):
    values = {5: 0, 6: 4, 7: 100, 8: 4}
    first, second = (noting(notes, view, values) for view in (A, B))
    first()
    second()
    assert of_kind(notes, "meet") == set()
    values[7] = 2
    second()
    assert of_kind(notes, "meet") == {(1, 2), (2, 1)}
    assert of_kind(notes, "at") == {(5, 0), (7, 100), (7, 2)}


def test_a_size_is_noted_beside_others_that_changed(notes: ViewNotes):
    values = {5: 0, 6: 4, 7: 100, 8: 4}
    first, second = (noting(notes, view, values) for view in (A, B))
    first()
    second()
    values[8] = 0
    second()
    assert ((6, True), (8, False)) not in of_kind(notes, "some")
    first()
    assert ((6, True), (8, False)) in of_kind(notes, "some")


def test_the_same_views_are_noted_again_on_another_core(notes: ViewNotes):
    first = noting(notes, A, {5: 0, 6: 4})
    first()
    notes.clear()
    assert notes.notes == set()
    first()
    assert of_kind(notes, "at") == {(5, 0)}
    assert of_kind(notes, "some") == {((6, True), (6, True))}


def test_a_core_goes_on_from_where_it_does_what_no_core_did(notes: ViewNotes):
    values = {5: 0, 6: 4, 7: 100, 8: 4}
    first, second = (noting(notes, view, values) for view in (A, B))
    for offset in (100, 2, 3):  # the first view is where it was on the core before
        notes.clear()
        values[7] = offset
        first()
        second()
        assert of_kind(notes, "at") == {(5, 0), (7, offset)}
        assert of_kind(notes, "meet") == ({(1, 2), (2, 1)} if offset < 4 else set())


def test_instructions_in_a_row_are_noted_one_after_the_other(notes: ViewNotes):
    values = {5: 0, 6: 4, 7: 2, 8: 0}
    together = notes.noting(cast(Any, [[A], [B]]), values)
    together()
    assert ((6, True), (8, False)) not in of_kind(notes, "some")
    together()
    assert ((6, True), (8, False)) in of_kind(notes, "some")
    values[7], values[8] = 100, 1
    together()
    assert {(7, 2), (7, 100)} <= of_kind(notes, "at")


def test_a_core_that_notes_nothing_new_is_held(notes: ViewNotes):
    values, known = {5: 0, 6: 4, 7: 100, 8: 4}, KnownNotes()
    first, second = (noting(notes, view, values) for view in (A, B))
    for offset, held in ((100, False), (100, True), (2, False), (100, True)):
        notes.clear()
        values[7] = offset
        first()
        second()
        assert known.hold(notes) is held
        known.add(notes)
