"""Copies of the process that run the same passes: what they verify and tell, and that nothing is left of them."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import OWN, Log, files_open, no_children
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ascend_opt.compiler.text.diagnostics import Diagnostic, ShownError
from ascend_opt.compiler.workers.session import Session
from ascend_opt.passes.ascend_insert_sync import AscendInsertSync

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


class Foreign(ModulePass):
    """A pass of somebody else."""

    name = "foreign"

    def apply(self, ctx: Context, op: ModuleOp) -> None: ...


def nothing() -> None: ...


def told(error: BaseException) -> Diagnostic:
    return Diagnostic(f"{os.getpid()} says: {error}")


def wrong(text: str) -> Callable[[], None]:
    def look() -> None:
        raise ValueError(text)

    return look


def killed() -> None:
    """A check whose copy is killed, some time after it was asked for."""
    if os.getpid() != OWN:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "log")


def with_copies(session: Session) -> Session:
    """The session behind the first pass that has peers."""
    with session.peers():
        pass
    return session


@pytest.mark.parametrize("count", [2, 3])
def test_one_copy_makes_the_checks(count: int, log: Log) -> None:
    with Session(count, told) as session:
        session.check(lambda: log("before there are copies"), nothing)
        with_copies(session).check(lambda: log("one"), nothing)
        session.check(lambda: log("two"), nothing)
        log("goes on")
    assert [text for own, text in log.lines if not own and text != "goes on"] == ["one", "two"]
    assert [text for own, text in log.lines if own] == ["before there are copies", "goes on"]
    assert no_children()


def test_what_a_copy_finds_is_raised_as_it_puts_it() -> None:
    with pytest.raises(ShownError, match="says: one") as found, Session(2, told) as session:
        with_copies(session).check(wrong("one"), nothing)
        session.check(wrong("two"), nothing)
    assert not str(found.value).startswith(str(OWN))
    assert no_children()


def test_what_a_copy_finds_comes_before_what_that_led_to() -> None:
    with pytest.raises(ShownError, match="says: cause"), Session(2, told) as session:
        with_copies(session).check(wrong("cause"), nothing)
        raise KeyError("consequence")
    with pytest.raises(KeyError, match="nothing else"), Session(2, told) as session:
        with_copies(session).check(nothing, nothing)
        raise KeyError("nothing else")
    assert no_children()


def test_what_is_known_to_be_wrong_is_told_at_the_next_check() -> None:
    with pytest.raises(ShownError, match="says: early"), Session(2, told) as session:
        with_copies(session).check(wrong("early"), nothing)
        for _ in range(200):
            time.sleep(0.05)
            session.check(nothing, nothing)
        pytest.fail("it is known that something is wrong")


@pytest.mark.parametrize("later", [False, True], ids=["at the end", "at the next check"])
def test_a_copy_that_is_killed_is_made_up_for(later: bool, log: Log) -> None:
    """By a look at everything, and what comes then is checked here."""
    with Session(2, told) as session:
        with_copies(session).check(killed, lambda: log("everything"))
        if later:
            while not session.checks_here:
                time.sleep(0.05)
                session.check(nothing, lambda: log("all"))
            session.check(lambda: log("here"), nothing)
    assert log.lines == ([(True, "all"), (True, "here")] if later else [(True, "everything")])
    assert no_children()


def test_a_copy_that_fails_is_made_up_for(log: Log) -> None:
    with Session(2, told) as session:
        with_copies(session).check(nothing, lambda: log("everything"))
        if session.is_copy:
            raise KeyError("in the copy alone")
    assert log.lines == [(True, "everything")]
    assert no_children()


def test_what_is_left_of_a_broken_pass_is_not_checked() -> None:
    with pytest.raises(KeyError, match="the reason"), Session(2, told) as session:
        with_copies(session).check(killed, wrong("of what is half done"))
        raise KeyError("the reason")
    assert no_children()


def test_without_verification_checks_are_made_here(log: Log) -> None:
    with Session(2, told, verifies=False) as session:
        with_copies(session).check(lambda: log("check"), nothing)
    assert log.lines == [(True, "check")]


def test_without_verification_an_error_is_told_at_once() -> None:
    begun = time.monotonic()
    with pytest.raises(KeyError, match="enough"), Session(2, told, verifies=False) as session:
        with_copies(session)
        if session.is_copy:
            time.sleep(60)
        raise KeyError("enough")
    assert time.monotonic() - begun < 20 and no_children()


def test_foreign_passes_are_run_once(log: Log) -> None:
    with Session(2, told) as session:
        with_copies(session).before(AscendInsertSync())
        assert session.is_copy or not session.checks_here
        session.before(Foreign())
        log("alone")
        assert no_children()
        with_copies(session)
        log("with a copy")
    assert log.lines.count((True, "alone")) == 1
    assert [text for own, text in log.lines if not own] in ([], ["with a copy"])


def test_copies_say_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with Session(3, told) as session:
        with_copies(session)
        os.write(1, b"out\n")
        print("err", file=sys.stderr, flush=True)
    assert capfd.readouterr() == ("out\n", "err\n")


def test_processes_hear_what_is_of_the_same_part() -> None:
    with Session(3, told) as session:
        for part in ("first", "second", "third"):
            with session.peers() as peers:
                assert peers is not None
                if peers.number == 0:
                    time.sleep(0.3)  # the others are at the last part
                peers.tell((peers.number, part * 10_000))
                until, heard = time.monotonic() + 20, list[object]()
                while len(heard) < 2 and time.monotonic() < until and peers.number == 0 and part != "first":
                    heard += peers.heard()
                if peers.number == 0 and part != "first":
                    assert sorted(map(str, heard)) == [str((number, part * 10_000)) for number in (1, 2)]
    assert no_children()


def test_ctrl_c_ends_copies() -> None:
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Session(3, told) as session:
        with_copies(session).check(lambda: time.sleep(60), nothing)
        if session.is_copy:
            time.sleep(60)
        raise KeyboardInterrupt
    assert time.monotonic() - begun < 20 and no_children()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C is seen: a shell lets what runs in the background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_while_copies_are_awaited_ends_them() -> None:
    timer = threading.Timer(0.5, lambda: os.kill(OWN, signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Session(2, told) as session:
        with_copies(session).check(lambda: time.sleep(60), nothing)
    timer.join()
    assert time.monotonic() - begun < 20 and no_children()


def test_a_copy_is_no_second_run_of_the_program() -> None:
    """Whatever its check raises."""
    with pytest.raises(ValueError, match="once"), Session(2, told) as session:
        with_copies(session).check(lambda: sys.exit(3), nothing)
        raise ValueError("once")
    assert no_children()


def test_where_no_process_can_be_made_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    fork, made = os.fork, list[int]()

    def fails() -> int:
        if made:
            raise BlockingIOError("no more")
        made.append(fork())
        return made[-1]

    monkeypatch.setattr(os, "fork", fails)
    before = files_open()
    with Session(3, told) as session:
        for _ in range(2):
            with session.peers() as peers:
                assert peers is None
    assert made and no_children() and files_open() == before


def test_ctrl_c_while_copies_are_made_ends_them(monkeypatch: pytest.MonkeyPatch) -> None:
    fork = os.fork

    def interrupted() -> int:
        process = fork()
        if process:
            os.kill(OWN, signal.SIGINT)
        return process

    monkeypatch.setattr(os, "fork", interrupted)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    before = files_open()
    try:
        with pytest.raises(KeyboardInterrupt), Session(3, told) as session:
            with_copies(session)
            time.sleep(60)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert no_children() and files_open() == before
