"""Copies of the process that run the same passes: what they verify and tell, and that nothing is left of them."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

import ascend_opt
from ascend_opt.compiler.text.diagnostics import Diagnostic, ShownError
from ascend_opt.compiler.workers.session import Session
from ascend_opt.dialects import ascend
from ascend_opt.passes.ascend_insert_sync import AscendInsertSync
from ascend_opt.passes.ascend_plan_workspace import AscendPlanWorkspace
from ascend_opt.tools.ascend_opt import main as opt

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")

OWN = os.getpid()
GRAPH = """
graph @two(%x: tensor<64x256xf16>, %w: tensor<256x64xf16>) {
  %a = matmul(%x, %w)
  %y = softmax(%a)
  return %y
}
"""


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
    """A check whose copy is killed."""
    if os.getpid() != OWN:
        os.kill(os.getpid(), signal.SIGKILL)


def no_children() -> bool:
    try:
        os.wait()
    except ChildProcessError:
        return True
    return False


class Log:
    """Lines that all processes write."""

    def __init__(self, path: Path):
        self.path = path
        path.touch()

    def __call__(self, line: object) -> None:
        with self.path.open("a") as file:
            file.write(f"{os.getpid()} {line}\n")

    @property
    def lines(self) -> list[tuple[bool, str]]:
        """Whether each line is of this process, and what it says."""
        found = (line.split(" ", 1) for line in self.path.read_text().splitlines())
        return [(int(process) == OWN, text) for process, text in found]


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
        time.sleep(0.5)
        session.check(nothing, nothing)
        pytest.fail("it is known that something is wrong")


@pytest.mark.parametrize("later", [False, True], ids=["at the end", "at the next check"])
def test_a_copy_that_is_killed_is_made_up_for(later: bool, log: Log) -> None:
    """By a look at everything, and what comes then is checked here."""
    with Session(2, told) as session:
        with_copies(session).check(killed, lambda: log("everything"))
        if later:
            time.sleep(0.5)
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


@pytest.mark.parametrize("how", ["children are not waited for", "many files are open"])
def test_where_programs_run(how: str) -> None:
    setting = {
        "children are not waited for": "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
        "many files are open": (
            "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (2048, 2048)); "
            "kept = [open('/dev/null') for _ in range(1100)]"
        ),
    }[how]
    code = f"""
{setting}
import ascend_opt
graph = {GRAPH!r}
alone, shared = (str(ascend_opt.compile(graph, "ascend910b", jobs=n).module) for n in (1, 2))
print(alone == shared)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "True\n", done.stderr


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that leaves an op as it may not be, and a later one that stumbles over it."""
    apply = AscendInsertSync.apply

    def breaks(self: AscendInsertSync, context: object, module: ModuleOp) -> None:
        apply(self, context, module)  # pyright: ignore[reportArgumentType]
        buffer = next(op for op in module.walk() if isinstance(op, ascend.BufferOp))
        buffer.attributes["slotss"] = StringAttr("2")

    def stumbles(self: object, context: object, module: ModuleOp) -> None:
        raise KeyError("stumbled")

    monkeypatch.setattr(AscendInsertSync, "apply", breaks)
    monkeypatch.setattr(AscendPlanWorkspace, "apply", stumbles)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.usefixtures("broken")
def test_the_pass_that_was_wrong_is_told(
    jobs: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(ascend_opt.CompileError, match=r"<string>:\d+:\d+: error: .*did you mean 'slots'"):
        ascend_opt.compile(GRAPH, "ascend910b", jobs=jobs)
    path = tmp_path / "two.mlir"
    path.write_text(GRAPH)
    assert opt([str(path), "--fuse", "--lower", "--jobs", str(jobs)]) == 1
    message = capsys.readouterr().err
    assert "did you mean 'slots'" in message and message.startswith(str(path)) and "^" in message
    assert no_children()


def test_who_watches_passes_does_so_once(log: Log) -> None:
    passes: list[str] = []

    def after_pass(name: str, seconds: float, module: ModuleOp) -> None:
        log(name)
        module.verify()
        passes.append(name)

    ascend_opt.compile(GRAPH, "ascend910b", jobs=2, after_pass=after_pass)
    assert "ascend-insert-sync" in passes
    assert log.lines == [(True, name) for name in passes]


def test_what_is_compiled_while_passes_are_watched_is_so_by_one_process() -> None:
    alone, inside, again = str(ascend_opt.compile(GRAPH, "ascend910b").module), list[str](), [True]

    def after_pass(name: str, seconds: float, module: ModuleOp) -> None:
        if again.pop():
            time.sleep(0.2)  # copies go on
            inside.append(str(ascend_opt.compile(GRAPH, "ascend910b", jobs=1 + len(inside) % 2).module))
        again.append(True)

    module = ascend_opt.compile(GRAPH, "ascend910b", jobs=2, after_pass=after_pass).module
    assert str(module) == alone and set(inside) == {alone}
    assert no_children()


def test_an_error_of_who_watches_is_told_at_once() -> None:
    def after_pass(name: str, seconds: float, module: ModuleOp) -> None:
        if name == "tile-group":
            raise KeyError("enough")

    begun = time.monotonic()
    with pytest.raises(KeyError, match="enough"), Session(2, told, verifies=False) as session:
        with_copies(session)
        if session.is_copy:
            time.sleep(60)
        raise KeyError("enough")
    assert time.monotonic() - begun < 20 and no_children()
    with pytest.raises((KeyError, ascend_opt.CompileError)):
        ascend_opt.compile(GRAPH, "ascend910b", jobs=2, after_pass=after_pass)
    assert no_children()


def files_open() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


def test_where_no_process_can_be_made_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = str(ascend_opt.compile(GRAPH, "ascend910b").module)
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
    assert str(ascend_opt.compile(GRAPH, "ascend910b", jobs=2).module) == alone


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


def test_where_nothing_can_be_told_the_first_process_goes_on() -> None:
    code = f"""
import resource
import ascend_opt
graph = {GRAPH!r}
alone = str(ascend_opt.compile(graph, "ascend910b").module)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
print(alone == str(ascend_opt.compile(graph, "ascend910b", jobs=2).module))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "True\n", done.stderr


@pytest.mark.usefixtures("broken")
def test_no_pass_is_timed_behind_one_that_was_wrong(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "two.mlir"
    path.write_text(GRAPH)
    outputs: list[list[str]] = []
    for jobs in ("1", "2"):
        assert opt([str(path), "--fuse", "--lower", "--time-passes", "--jobs", jobs]) == 1
        outputs.append([line.split(" took")[0] for line in capsys.readouterr().out.splitlines()])
    assert outputs[0] == outputs[1]
