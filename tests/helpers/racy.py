"""Registering programs with one hazard each, and the tensors and buffers that most of them start from."""

from collections.abc import Callable

from ascend_programs import Program

Make = Callable[[], Program]


class Racy:
    """Programs with the kind of hazard that each has; calling it gives a decorator that adds one."""

    def __init__(self) -> None:
        self.programs: list[tuple[str, Make]] = []

    def __call__(self, kind: str) -> Callable[[Make], Make]:
        def register(make: Make) -> Make:
            self.programs.append((kind, make))
            return make

        return register


def tiles(cores: int = 1, size: int = 512):
    """A program with x and y of `size` f16, and buffers a and b of as many in ub."""
    p = Program(cores)
    x, y = p.input("x", (size,)), p.output("y", (size,))
    a, b = p.buffer("a", "ub", (size,), 0), p.buffer("b", "ub", (size,), 2 * size)
    return p, x, y, a, b
