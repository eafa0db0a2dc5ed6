"""Two buffers that share bytes wait where one follows the other: the runs of accesses to each in turn."""

# pyright: reportPrivateUsage=false

from ascend_opt.passes.memory.sharing_cost import _changes, _Touch


def touches(*places: int) -> list[_Touch]:
    return [_Touch(at, 0, at, ()) for at in places]


def runs(first: list[_Touch], second: list[_Touch]) -> list[tuple[list[int], int]]:
    return [([one.at for one in run], touch.at) for run, touch in _changes(first, second)]


def test_each_change_has_the_run_before_it():
    """An instruction at 4 touches both buffers, the first one first."""
    assert runs(touches(0, 1, 4), touches(2, 3, 4)) == [([0, 1], 2), ([2, 3], 4), ([4], 4)]
    assert runs(touches(2, 3), touches(0, 1, 5, 6)) == [([0, 1], 2), ([2, 3], 5)]
    assert runs(touches(4), touches(4)) == [([4], 4)]


def test_one_buffer_alone_has_no_change():
    assert runs(touches(0, 1), []) == runs([], touches(0, 1)) == []
