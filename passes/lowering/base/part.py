"""What a region needs of one dimension of a tensor."""

from __future__ import annotations

from ....dialects.records import dataclass
from ...support.indices import Idx


@dataclass(frozen=True)
class Part:
    """What a region needs of one dimension of a tensor: `count` elements from `start`, which come after `before`
    elements of padding; `size` in all. `complete`: nothing of it can be outside the tensor."""

    start: Idx
    count: Idx
    before: Idx
    size: Idx
    complete: bool
    first: Idx = 0
    """The result's first index, where each element serves several results: element `(first + i) // repeat` is read for
    the `i`-th one, `start` is 0 and `count` counts results."""
