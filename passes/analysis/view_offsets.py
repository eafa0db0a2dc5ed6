"""Which parts of their buffers views show, noted while the trips of a kernel are counted (`analysis.tracer`): where
they start, which are empty, which meet. A core whose notes hold nothing new needs no trace of its own."""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

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


class ViewNotes:
    """The notes of one run, or of several together; values by their `id`, which is cheap to look up."""

    def __init__(self):
        self._views: dict[int, _View] = {}
        self.offsets = set[tuple[int, int]]()
        """Where views started."""
        self.sizes = set[tuple[tuple[int, bool], tuple[int, bool]]]()
        """Whether a size of theirs that is computed was above zero, and every other one when it was last used."""
        self.meetings = set[tuple[int, int]]()
        """Those of them that met another one of the same buffer, where that was when it was last used."""
        self._last_sizes: dict[int, bool] = {}
        self._spans: dict[int, dict[int, tuple[int, int]]] = {}
        """By buffer and view: the first element, and the one behind the last."""
        self._changes = 0
        """How often a size became zero, or no longer was."""
        self._seen: dict[int, int] = {}
        """For each size, how many changes there were when it was noted beside all others."""
        self._run = 0

    def clear(self) -> None:
        self._run += 1
        for notes in (self.offsets, self.sizes, self.meetings, self._last_sizes, self._spans, self._seen):
            notes.clear()

    def noting(self, views: Sequence[SSAValue], values: Mapping[int, int]) -> Callable[[], None]:
        """What notes that an instruction uses these views; `values`: what each value is then, by its `id`."""
        known = [
            self._views.get(id(view)) or self._views.setdefault(id(view), _View.of(view)) for view in views
        ]
        read = {view.offset for view in known if view.offset is not None}
        now = itemgetter(*read.union(*(view.computed for view in known)))
        last: tuple[object, ...] | None = None

        def note() -> None:
            nonlocal last
            found = now(values)
            if last != (self._run, self._changes, found):
                self._note(known, values)
                last = self._run, self._changes, found

        return note

    def _note(self, known: Sequence[_View], values: Mapping[int, int]) -> None:
        for view in known:
            begin = view.start
            if view.offset is not None:
                offset = values[view.offset]
                begin += offset
                self.offsets.add((view.offset, offset))
            self._note_span(view, begin, values)
        for view in known:
            for size in view.computed:
                self._note_size(size, values[size] > 0)

    def _note_size(self, size: int, some: bool) -> None:
        if self._last_sizes.get(size) != some:
            self._last_sizes[size] = some
            self._changes += 1
        if self._seen.get(size) != self._changes:
            self._seen[size] = self._changes
            here = size, some
            self.sizes.update((here, other) for other in self._last_sizes.items())

    def _note_span(self, view: _View, begin: int, values: Mapping[int, int]) -> None:
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
                self.meetings |= {(value, other), (other, value)}

    def add(self, other: "ViewNotes") -> None:
        """Take in the notes of another run."""
        self.offsets |= other.offsets
        self.sizes |= other.sizes
        self.meetings |= other.meetings

    def hold(self, other: "ViewNotes") -> bool:
        """Whether another run noted nothing new."""
        return other.offsets <= self.offsets and other.sizes <= self.sizes and other.meetings <= self.meetings


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
