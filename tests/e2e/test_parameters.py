"""A number of the 910B1's target file, halved and doubled, changes the time of the kernels that are named for it.

It does so in the direction that its meaning says, and changes no other.
"""

import pytest
from parameter_moves import CHIP, HIDDEN, MOVES, SHORTER, moved, named
from target_numbers import Key, key_text, numbers

KEYS = [key for key, _ in numbers(CHIP)]


def test_every_number_is_named():
    assert sorted(map(key_text, KEYS)) == sorted([*MOVES, *HIDDEN])


@pytest.mark.sweep(3)
@pytest.mark.parametrize("key", KEYS, ids=key_text)
def test_a_number_moves_what_it_should(key: Key):
    name = key_text(key)
    if name in HIDDEN:
        assert moved(key, 0.5, 2.0) == {}
        assert set(moved(key, 4.0)) == named(HIDDEN[name])
        return
    changes = moved(key, 0.5, 2.0)
    assert set(changes) == named(MOVES[name])
    sign = -1 if key[-1] in SHORTER else 1
    for kernel, (half, double) in changes.items():
        assert sign * half <= 1e-9 and sign * double >= -1e-9, kernel
