"""Which parts of their buffers views show, noted while the trips of a kernel are counted (`program_trace`): where they
start, which are empty, which meet. A core whose notes hold nothing new needs no trace of its own."""

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from ..dialects import ascend


class ViewNotes:
    """The notes of one run, or of several together."""

    def __init__(self):
        self.offsets = set[tuple[SSAValue, int]]()
        """Where views started."""
        self.sizes = set[tuple[tuple[SSAValue, bool], tuple[SSAValue, bool]]]()
        """Whether a size of theirs that is computed was above zero, and every other one when it was last used."""
        self.meetings = set[tuple[SSAValue, SSAValue]]()
        """Those of them that met another one of the same buffer, where that was when it was last used."""
        self._last_sizes: dict[SSAValue, bool] = {}
        self._spans: dict[SSAValue, dict[SSAValue, tuple[int, int]]] = {}
        """By buffer and view: the first element, and the one behind the last."""

    def clear(self) -> None:
        for notes in (self.offsets, self.sizes, self.meetings, self._last_sizes, self._spans):
            notes.clear()

    def note(self, views: Sequence[SSAValue], values: Mapping[int, int]) -> None:
        """An instruction uses these views; `values`: what each value is now, by its `id`."""
        for view in views:
            offset = _offset_of(view)
            if offset is not None:
                self.offsets.add((offset, values[id(offset)]))
            self._note_span(view, values)
        for size in (n for view in views for n in _sizes_of(view)):
            here = size, values[id(size)] > 0
            self._last_sizes[size] = here[1]
            self.sizes.update((here, other) for other in self._last_sizes.items())

    def _note_span(self, view: SSAValue, values: Mapping[int, int]) -> None:
        op = view.owner
        assert isinstance(op, ascend.ViewOp)
        sizes = [n if isinstance(n, int) else values[id(n)] for n in op.mixed_sizes()]
        begin = op.start.value.data + (0 if op.offset is None else values[id(op.offset)])
        last = sum((n - 1) * step for n, step in zip(sizes, op.element_strides(), strict=True))
        span = begin, begin + last + 1 if all(n > 0 for n in sizes) else begin
        others = self._spans.setdefault(op.base, {})
        if others.get(view) == span:
            return
        others[view] = span
        for other, (first, end) in others.items():
            if other is not view and span[0] < end and first < span[1]:
                self.meetings |= {(view, other), (other, view)}

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
