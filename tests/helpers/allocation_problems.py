"""Allocation problems whose least peak is known: a full rectangle of bytes and time, cut to pieces."""

from random import Random

from ascend_opt.passes.memory.allocation import Buffer, Problem

Rectangle = tuple[int, int, int, int]
"""First point and end in time, first and last byte plus one."""


def cut_rectangle(count: int, height: int, span: int, random: Random, align: int = 1) -> list[Rectangle]:
    """Cut [0, span) x [0, height) into `count` rectangles, at multiples of `align` in bytes: guillotine cuts of the
    largest, now and then a pinwheel of five that no guillotine cuts."""
    pieces: list[Rectangle] = [(0, span, 0, height)]
    stuck = 0
    while len(pieces) < count and stuck < 1000:
        pieces.sort(key=lambda r: (r[1] - r[0]) * (r[3] - r[2]))
        number = len(pieces) - 1 - min(int(random.expovariate(0.5)), len(pieces) - 1)
        start, end, low, high = pieces[number]
        wide, tall = end - start, (high - low) // align
        if len(pieces) + 4 <= count and wide >= 3 and tall >= 3 and random.random() < 0.2:
            pieces[number : number + 1] = _pinwheel((start, end, low, high), random, align)
        elif random.random() < wide / (wide + 2 * tall) and wide >= 2:
            at = start + random.randint(max(wide // 4, 1), max(wide - wide // 4 - 1, 1))
            pieces[number : number + 1] = [(start, at, low, high), (at, end, low, high)]
        elif tall >= 2:
            at = low + align * random.randint(max(tall // 4, 1), max(tall - tall // 4 - 1, 1))
            pieces[number : number + 1] = [(start, end, low, at), (start, end, at, high)]
        else:
            stuck += 1
    return pieces


def _pinwheel(rectangle: Rectangle, random: Random, align: int) -> list[Rectangle]:
    start, end, low, high = rectangle
    first, second = sorted(random.sample(range(start + 1, end), 2))
    cuts = sorted(random.sample(range(1, (high - low) // align), 2))
    under, over = (low + align * cut for cut in cuts)
    return [
        (start, second, low, under),
        (second, end, low, over),
        (first, end, over, high),
        (start, first, under, high),
        (first, second, under, over),
    ]


def known_problem(
    count: int,
    seed: int,
    align: int = 1,
    in_place: float = 0.0,
    slack: float | None = None,
    left_out: float = 0.0,
) -> tuple[Problem, int]:
    """About `count` buffers in random order and the least peak of any layout. A share `in_place` of the buffers that
    live long enough become a pair: the first half written over by the second, which begins one point before the first
    ends. With `slack`, the capacity is so much above the least peak. With `left_out`, such a share of the pieces is not
    there: the height of the rectangle is then no more than a bound that can be met."""
    random = Random(seed)
    height = align * max(count * 8, 64)
    cut = round(count / (1 + in_place) / (1 - left_out))
    pieces = cut_rectangle(cut, height, max(count, 16), random, align)
    pieces = random.sample(pieces, round(len(pieces) * (1 - left_out))) if left_out else pieces
    buffers: list[Buffer] = []
    pairs: list[tuple[str, str]] = []
    for number, (start, end, low, high) in enumerate(pieces):
        spare = random.randrange(align) if align > 1 and low else 0  # a size need not be a multiple
        size, name = high - low - spare, f"b{number}"
        if end - start >= 3 and random.random() < in_place:
            middle = random.randint(start + 2, end - 1)
            pairs.append((name, f"{name}_over"))
            buffers.append(Buffer(name, start, middle, size, align))
            buffers.append(Buffer(f"{name}_over", middle - 1, end, size, align))
        else:
            buffers.append(Buffer(name, start, end, size, align))
    random.shuffle(buffers)
    index = {buffer.name: i for i, buffer in enumerate(buffers)}
    capacity = None if slack is None else int(height * (1 + slack))
    over = tuple((index[a], index[b]) for a, b in pairs)
    return Problem(tuple(buffers), capacity, in_place=over), height


def least_peak(problem: Problem, most: int) -> int | None:
    """The least peak up to `most` by trying every offset of every slot; None when there is none. For tiny problems."""
    slots = [(i, slot) for i, buffer in enumerate(problem.buffers) for slot in range(buffer.slots)]
    slots.sort(key=lambda slot: -problem.buffers[slot[0]].size)
    return next((peak for peak in range(problem.taken, most + 1) if _fits(problem, slots, {}, peak)), None)


def _fits(
    problem: Problem, slots: list[tuple[int, int]], placed: dict[tuple[int, int], int], peak: int
) -> bool:
    if len(placed) == len(slots):
        return True
    i, slot = slots[len(placed)]
    buffer = problem.buffers[i]
    first = -(-problem.taken // buffer.align) * buffer.align
    tried = range(first, peak + 1, buffer.align) if buffer.pinned is None else (buffer.pinned[slot],)
    for at in tried:
        agrees = at + buffer.size <= peak
        agrees = agrees and all(_agree(problem, (i, slot, at), (*k, o)) for k, o in placed.items())
        if agrees and _fits(problem, slots, {**placed, (i, slot): at}, peak):
            return True
    return False


def _agree(problem: Problem, one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    (i, slot, at), (j, other_slot, other_at) = one, other
    a, b = problem.buffers[i], problem.buffers[j]
    if at >= other_at + b.size or other_at >= at + a.size:
        return True
    if i == j or (i, j) in problem.apart or (j, i) in problem.apart:
        return False
    if a.start >= b.end or b.start >= a.end:
        return True
    return (
        ((i, j) in problem.in_place or (j, i) in problem.in_place) and slot == other_slot and at == other_at
    )
