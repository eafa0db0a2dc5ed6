"""Which dimensions of a tensor a reshape maps onto which."""

from collections.abc import Sequence

Groups = list[tuple[list[int], list[int]]]


def common_groups(before: Sequence[int], after: Sequence[int]) -> Groups | None:
    """The least groups of neighbouring dimensions that a reshape maps onto each other; one of size one that the other
    side lacks is a group with nothing on that side. None where sizes are not known, zero or do not fit."""
    if min((*before, *after), default=1) < 1:
        return None
    groups: Groups = []
    i = j = 0
    while i < len(before) or j < len(after):
        left, right = before[i] if i < len(before) else 0, after[j] if j < len(after) else 0
        if left == 1 != right or right == 1 != left:
            groups.append(([i], []) if left == 1 else ([], [j]))
            i, j = (i + 1, j) if left == 1 else (i, j + 1)
            continue
        mine, theirs, i, j = [i], [j], i + 1, j + 1
        while left != right:
            if left < right and i < len(before):
                mine, left, i = [*mine, i], left * before[i], i + 1
            elif left > right and j < len(after):
                theirs, right, j = [*theirs, j], right * after[j], j + 1
            else:
                return None
        groups.append((mine, theirs))
    return groups
