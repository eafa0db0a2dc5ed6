"""Costs of groups that compute the same, found once, by this process or by one beside it."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from typing import cast

from ..kernels.common.form import Tiling
from ..kernels.common.stated import Stated
from ..regions.signature import Signature, signature_text
from ..support.peers import Peers, awaited, peers, share
from .group_cost import Found


class Elsewhere(Exception):
    """That a peer looks for a cost just now which nobody needs yet."""


class Alike(dict[Signature, tuple[Found, tuple[int, ...]]]):
    """The costs of groups by what they compute, without their ops, and which ops of the group these are. `figures`:
    other numbers that hold for all groups which compute the same, by their names. `peers`: other processes that look
    for the same costs, while there are some."""

    def __init__(self):
        super().__init__()
        self.figures: dict[tuple[str, Signature], float] = {}
        self.tilings: dict[tuple[Signature, Stated], Tiling] = {}
        """Tilings of groups that state them."""
        self.peers: Peers | None = None
        self._heard: dict[str, tuple[Found, tuple[int, ...]]] = {}
        """What peers have told, by signatures as these are told."""
        self._begun = set[str]()
        """What they look for."""
        self._ahead = False
        """Whether costs are asked for that nobody needs yet."""

    @contextmanager
    def with_peers(self) -> Generator[None]:
        """Look for costs beside peers while the context is open, where those are provided."""
        try:
            with peers() as self.peers:
                yield
        finally:
            self.peers = None
            self._heard.clear()
            self._begun.clear()

    def look_ahead(self, looks: Sequence[Callable[[], object]]) -> None:
        """Where there are peers, do what will ask for costs later on, each from another end; what a peer has begun is
        left to it."""
        others = self.peers
        if others is None:
            return
        self._ahead, left, claim = True, list[Callable[[], object]](), others.claims(len(looks))
        try:
            for number in share(range(len(looks)), others.number, others.count):
                try:
                    if claim(number):
                        looks[number]()
                except Elsewhere:
                    left.append(looks[number])
            for look in left:
                with suppress(Elsewhere):
                    look()
        finally:
            self._ahead = False

    def told(self, signature: Signature) -> tuple[Found, tuple[int, ...]] | None:
        """What peers have found of a group, or find now; None where they do not. Then peers know that it is looked
        for here. `Elsewhere` where it is not needed yet and they find it now."""
        if self.peers is None:
            return None
        key = signature_text(signature)
        if self._is_told(key):
            return self._heard.pop(key)
        if key in self._begun:
            if self._ahead:
                raise Elsewhere
            if awaited(lambda: self._is_told(key), self.peers):
                return self._heard.pop(key)
        self.peers.tell((key, None))
        return None

    def _is_told(self, key: str) -> bool:
        for told, found in cast(Iterable[Told], () if self.peers is None else self.peers.heard()):
            if found is None:
                self._begun.add(told)
            else:
                self._heard[told] = found
                self._begun.discard(told)
        return key in self._heard

    def tell(self, signature: Signature, found: tuple[Found, tuple[int, ...]]) -> None:
        """Let peers know the cost of a group."""
        if self.peers is not None:
            self.peers.tell((signature_text(signature), found))


Told = tuple[str, tuple[Found, tuple[int, ...]] | None]
"""What peers tell of a group: its cost, or that they look for it."""


__all__ = ["Alike"]
