"""Which parts of their buffers views show, noted while the trips of a kernel are counted (`analysis.tracer`): where
they start, which are empty, which meet. A core whose notes hold nothing new needs no trace of its own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, cast

from xdsl.ir import SSAValue

from ...dialects import ascend
from ...dialects.records import dataclass


@dataclass(frozen=True)
class _View:
    """What of a view is the same whenever it is used, values by their `id`; `numbers` are its sizes, those that are
    computed (`computed`) by their `id`, a stride beside each."""

    value: int
    base: int
    offset: int | None
    start: int
    numbers: tuple[tuple[int, bool, int], ...]
    computed: tuple[int, ...]

    @staticmethod
    def of(value: SSAValue) -> "_View":
        op = value.owner
        assert isinstance(op, ascend.ViewOp)
        sizes = zip(op.mixed_sizes(), op.element_strides(), strict=True)
        numbers = ((n, False, step) if isinstance(n, int) else (id(n), True, step) for n, step in sizes)
        offset, computed = op.offset, tuple(map(id, op.sizes))
        moving = None if offset is None else id(offset)
        return _View(id(value), id(op.base), moving, op.start.value.data, tuple(numbers), computed)


_Note = tuple[str, object, object]
"""`"at"`: a view's offset, and what it was. `"some"`: a size that is computed and whether it was above zero, and
another one when it was last used. `"meet"`: a view, and another one of its buffer that had elements in common with it,
where that was when it was last used."""


class _Noted:
    """What was noted when some instructions used views, after what was noted `before`. What follows alike on several
    cores is one object."""

    def __init__(self, before: "_Noted | None" = None, group: "_Group | None" = None, found: object = None):
        self.before, self.group, self.found = before, group, found
        self.notes: frozenset[_Note] = frozenset()
        self.changes = 0
        """How often a size became zero, or no longer was."""
        self.next: dict[tuple[_Group, object], _Noted] = {}

    def path(self) -> "list[_Noted]":
        """All of a core up to this."""
        found, here = list[_Noted](), self
        while here.before is not None:
            found.append(here)
            here = here.before
        return found[::-1]


class _Group:
    """Views that instructions in a row use; `numbers`: what is computed of them, by the `id`."""

    def __init__(self, instructions: Sequence[Sequence[_View]]):
        self.instructions = instructions
        views = [view for used in instructions for view in used]
        moving = (view.offset for view in views if view.offset is not None)
        self.numbers = tuple(dict.fromkeys([*moving, *(size for view in views for size in view.computed)]))
        own = [{n for view in used for n in (view.offset, *view.computed)} for used in instructions]
        self._own = [tuple(i for i, n in enumerate(self.numbers) if n in those) for those in own]

    def values(self, found: Any) -> tuple[dict[int, int], list[tuple[int, ...]]]:
        """What the numbers are, as they were looked up; and those of each instruction."""
        row = found if len(self.numbers) > 1 else (found,)
        return dict(zip(self.numbers, row, strict=True)), [tuple(row[i] for i in own) for own in self._own]


class ViewNotes:
    """The notes of one run; values by their `id`, which is cheap to look up."""

    def __init__(self):
        self._views: dict[int, _View] = {}
        self._first = self.last = _Noted()
        self._state, self._at = _State(), self._first
        """How far it is noted where views are: not further than others came before, where all is as it was for them."""
        self._run = 0

    def clear(self) -> None:
        self._run += 1
        self.last = self._first

    @property
    def notes(self) -> set[_Note]:
        """All that was noted."""
        return {note for noted in self.last.path() for note in noted.notes}

    def noting(
        self, instructions: Sequence[Sequence[SSAValue]], values: Mapping[int, int]
    ) -> Callable[[], None]:
        """What notes that instructions in a row use these views; `values`: what each value is then, by its `id`."""
        group = _Group([[self._view(view) for view in views] for views in instructions])
        now = cast("Callable[[Mapping[int, int]], object]", itemgetter(*group.numbers))
        known: tuple[object, ...] | None = None
        """When a use of the same would have noted nothing new."""

        def note() -> None:
            nonlocal known
            found, before = now(values), self.last
            if known == (self._run, before.changes, found):
                return
            here = before.next.get((group, found)) or self._go_on(group, found)
            self.last = here
            known = (self._run, here.changes, found) if here.changes == before.changes else None

        return note

    def _view(self, view: SSAValue) -> _View:
        return self._views.get(id(view)) or self._views.setdefault(id(view), _View.of(view))

    def _go_on(self, group: _Group, found: object) -> _Noted:
        """What no core has done before."""
        before = self.last
        if self._at is not before:
            self._state = _State()
            for noted in before.path():
                assert noted.group is not None
                self._state.note(noted.group, noted.found)
        self._at = before.next[group, found] = _Noted(before, group, found)
        self._at.notes = self._state.note(group, found)
        self._at.changes = self._state.changes
        return self._at


class _State:
    """Where views were when they were last used on a core, and which of their sizes were above zero."""

    def __init__(self):
        self.changes = 0
        self._sizes: dict[int, bool] = {}
        self._seen: dict[int, int] = {}
        """For each size, how many changes there were when it was noted beside all others."""
        self._spans: dict[int, dict[int, tuple[int, int]]] = {}
        """By buffer and view: the first element, and the one behind the last."""
        self._last: dict[tuple[_Group, int], tuple[int, tuple[int, ...]]] = {}
        """By instruction: how many changes there were when its views were noted, and what their numbers were."""

    def note(self, group: _Group, found: object) -> frozenset[_Note]:
        """What there is to note where the group's numbers are `found`."""
        values, rows = group.values(found)
        notes = set[_Note]()
        for place, (views, row) in enumerate(zip(group.instructions, rows, strict=True)):
            if self._last.get((group, place)) != (self.changes, row):
                self._note_views(views, values, notes)
                self._last[group, place] = self.changes, row
        return frozenset(notes)

    def _note_views(self, views: Sequence[_View], values: Mapping[int, int], notes: set[_Note]) -> None:
        for view in views:
            begin = view.start
            if view.offset is not None:
                offset = values[view.offset]
                begin += offset
                notes.add(("at", view.offset, offset))
            self._note_span(view, begin, values, notes)
        for view in views:
            for size in view.computed:
                self._note_size(size, values[size] > 0, notes)

    def _note_size(self, size: int, some: bool, notes: set[_Note]) -> None:
        if self._sizes.get(size) != some:
            self._sizes[size] = some
            self.changes += 1
        if self._seen.get(size) != self.changes:
            self._seen[size] = self.changes
            here = size, some
            notes.update(("some", here, other) for other in self._sizes.items())

    def _note_span(self, view: _View, begin: int, values: Mapping[int, int], notes: set[_Note]) -> None:
        end = begin + 1
        for number, computed, step in view.numbers:
            count = values[number] if computed else number
            if count <= 0:
                end = begin
                break
            end += (count - 1) * step
        span, others, value = (begin, end), self._spans.setdefault(view.base, {}), view.value
        if others.get(value) == span:
            return
        others[value] = span
        for other, (first, last) in others.items():
            if begin < last and first < end and other != value:
                notes.update((("meet", value, other), ("meet", other, value)))


class KnownNotes:
    """The notes of several runs together."""

    def __init__(self):
        self._notes = set[_Note]()
        self._known = set[_Noted]()

    def hold(self, run: ViewNotes) -> bool:
        """Whether a run noted nothing new."""
        new = [*self._new(run)]
        held = all(noted.notes <= self._notes for noted in new)
        if held:
            self._known.update(new)
        return held

    def add(self, run: ViewNotes) -> None:
        """Take in the notes of a run."""
        new = [*self._new(run)]
        self._notes.update(*(noted.notes for noted in new))
        self._known.update(new)

    def _new(self, run: ViewNotes) -> Iterator[_Noted]:
        """From the last one to the first, what no run did that was taken in, or held nothing new."""
        here = run.last
        while here.before is not None and here not in self._known:
            yield here
            here = here.before


def _offset_of(value: SSAValue) -> SSAValue | None:
    """The offset of a view that is computed; None where it is a constant."""
    return value.owner.offset if isinstance(value.owner, ascend.ViewOp) else None


def _sizes_of(value: SSAValue) -> Sequence[SSAValue]:
    """The sizes of a view that are computed."""
    return value.owner.sizes if isinstance(value.owner, ascend.ViewOp) else ()


def view_numbers(value: SSAValue) -> Sequence[SSAValue]:
    """Offset and sizes of a view, as far as they are computed."""
    offset = _offset_of(value)
    return (*([] if offset is None else [offset]), *_sizes_of(value))
