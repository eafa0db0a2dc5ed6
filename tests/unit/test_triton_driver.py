"""The driver that stands in for a board: where Triton-Ascend finds none, and nowhere else."""

from types import SimpleNamespace
from typing import Any

import pytest

from ascend_opt.compiler.triton import no_board


class Config:
    """What Triton asks for its driver; `default` raises where there is none, as in Triton 3.8."""

    def __init__(self, default: object = None):
        self._default, self.chosen = default, None

    @property
    def default(self) -> Any:
        if self._default is None:
            raise RuntimeError("0 active drivers ([]). There should only be one.")
        return self._default

    @property
    def active(self) -> Any:
        return self.chosen or self.default

    def set_active(self, driver: Any) -> None:
        self.chosen = driver


def stand_in(
    monkeypatch: pytest.MonkeyPatch, config: Config, ascend: bool = True, board: bool = False
) -> Any:
    """The driver that was set, if one was."""
    backend = SimpleNamespace(driver=SimpleNamespace(is_active=lambda: board))
    runtime = SimpleNamespace(driver=config, backends={"ascend": backend} if ascend else {})

    def import_module(_: str) -> Any:
        return runtime

    def find_spec(_: str) -> Any:
        return runtime if ascend else None

    monkeypatch.setattr(no_board, "import_module", import_module)
    monkeypatch.setattr(no_board, "find_spec", find_spec)
    no_board.stand_in()
    return config.chosen


@pytest.mark.parametrize("default", [None, "a default"])
def test_without_a_board_there_is_a_driver(monkeypatch: pytest.MonkeyPatch, default: object):
    assert isinstance(stand_in(monkeypatch, Config(default)), no_board.NoBoard)


def test_a_triton_for_other_devices_stays_as_it_is(monkeypatch: pytest.MonkeyPatch):
    """That of PyTorch has no driver on a machine without a GPU."""
    assert stand_in(monkeypatch, Config(), ascend=False) is None


def test_a_board_and_a_driver_that_was_set_stay(monkeypatch: pytest.MonkeyPatch):
    assert stand_in(monkeypatch, Config("a default"), board=True) is None
    config = Config("a default")
    config.chosen = "mine"
    assert stand_in(monkeypatch, config) == "mine"
