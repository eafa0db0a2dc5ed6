"""What a copy of the process finds while this one does something else: or nothing, then it is for this one."""

import os
import signal
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import OWN, files_open, no_children
from xdsl.ir import Dialect

from ascend_opt.compiler.workers import beside
from ascend_opt.compiler.workers.beside import Beside
from ascend_opt.dialects.ascend import Ascend
from ascend_opt.dialects.graph import Graph
from ascend_opt.dialects.tile import Tile
from ascend_opt.passes.support.packed_ops import packed, unpacked

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


def asked(find: Callable[[], object]) -> Beside[str, object]:
    """A copy that was asked for what `find` gives."""
    one = Beside[str, object](lambda: lambda _: find())
    one.ask("")
    return one


def test_another_process_gets_ready_and_finds_it_when_it_is_asked() -> None:
    started = time.monotonic()

    def get_ready() -> Callable[[str], tuple[str, int, float, float]]:
        ready = time.monotonic()
        return lambda question: (question, os.getpid(), ready, time.monotonic())

    one = Beside(get_ready)
    time.sleep(0.3)
    one.ask("which one?")
    time.sleep(0.3)
    found = one.take()
    assert found is not None
    question, process, ready, looked = found[0]
    assert question == "which one?" and process != OWN
    assert ready < started + 0.3 <= looked < started + 0.6
    assert one.take() is None
    one.end()
    assert no_children()


def test_one_that_is_not_asked_finds_nothing() -> None:
    before = files_open()
    one = Beside[int, int](lambda: lambda question: question)
    assert one.take() is None
    one.ask(1)
    assert one.take() is None
    one.end()
    assert no_children()
    assert files_open() == before


@pytest.mark.parametrize("ends", [lambda: os._exit(1), lambda: 1 / 0])
def test_one_that_does_not_get_ready_finds_nothing(
    ends: Callable[[], object], capfd: pytest.CaptureFixture[str]
) -> None:
    def get_ready() -> Callable[[bytes], int]:
        ends()
        return len

    one = Beside(get_ready)
    one.ask(bytes(1 << 20))  # more than a pipe holds: nobody reads it
    assert one.take() is None
    one.end()
    assert no_children()
    assert capfd.readouterr() == ("", "")


def killed() -> object:
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def warns() -> int:
    warnings.warn("look at this", stacklevel=1)
    return 1


def wrong() -> object:
    raise ValueError("on purpose")


def ends() -> object:
    raise SystemExit(3)


def much() -> Callable[[], None]:
    return lambda: None  # pickle cannot


@pytest.mark.parametrize("find", [killed, warns, wrong, ends, much])
def test_nothing_is_found_and_nothing_said(
    find: Callable[[], object], capfd: pytest.CaptureFixture[str]
) -> None:
    one = asked(find)
    assert one.take() is None
    one.end()
    assert no_children()
    assert capfd.readouterr() == ("", "")


def test_more_is_told_than_a_pipe_holds() -> None:
    one = asked(lambda: bytes(1 << 20))
    assert one.take() == (bytes(1 << 20),)
    one.end()


def test_no_process_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> int:
        raise BlockingIOError("no more")

    before = files_open()
    monkeypatch.setattr(beside, "fork", fails)
    one = asked(lambda: 1)
    assert one.take() is None
    one.end()
    assert files_open() == before


def test_nothing_is_left_of_one_that_nobody_asks(tmp_path: Path) -> None:
    before, there = files_open(), tmp_path / "there"

    def long() -> None:
        there.touch()
        time.sleep(60)

    one = asked(long)
    while not there.exists():
        time.sleep(0.01)
    one.end()
    assert no_children()
    assert files_open() == before
    one.end()


@pytest.mark.parametrize("dialect", [Graph, Tile, Ascend], ids=lambda dialect: dialect.name)
def test_ops_of_all_kinds_go_to_other_processes(dialect: Dialect) -> None:
    """Each class is found where it says it is."""
    for kind in dialect.operations:
        assert type(unpacked(packed([kind.create()]))[0]) is kind


def test_a_copy_ends_with_who_made_it(tmp_path: Path) -> None:
    """Even where it has more to tell than a pipe holds."""
    number = tmp_path / "number"
    read, write = os.pipe()
    maker = os.fork()
    if maker == 0:
        os.close(read)

        def find() -> bytes:
            number.write_text(str(os.getpid()))
            time.sleep(0.2)
            return bytes(1 << 20)

        asked(find)
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(write)
    os.waitpid(maker, 0)
    os.set_blocking(read, False)  # the copy has its other end

    def is_there() -> bool:
        try:
            return os.read(read, 1) != b""
        except BlockingIOError:
            return True

    end = time.monotonic() + 10
    while is_there() and time.monotonic() < end:
        time.sleep(0.02)
    stayed = is_there()
    os.close(read)
    if stayed:
        os.kill(int(number.read_text()), signal.SIGKILL)
    assert not stayed
