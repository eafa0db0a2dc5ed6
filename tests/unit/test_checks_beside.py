"""Checks that copies of the process make: what they find is raised, and nothing is left of them."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr

import ascend_opt
from ascend_opt.compiler.pipeline import verify_passes
from ascend_opt.compiler.text.diagnostics import Diagnostic, ShownError
from ascend_opt.compiler.workers import beside
from ascend_opt.compiler.workers.beside import ChecksBeside
from ascend_opt.dialects import ascend
from ascend_opt.passes.ascend_insert_sync import AscendInsertSync
from ascend_opt.tools.ascend_opt import main as opt

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")

GRAPH = """
graph @two(%x: tensor<64x256xf16>, %w: tensor<256x64xf16>) {
  %a = matmul(%x, %w)
  %y = softmax(%a)
  return %y
}
"""


def told(error: BaseException) -> Diagnostic:
    return Diagnostic(f"{os.getpid()} says: {error}")


def wrong(text: str) -> Callable[[], None]:
    def look() -> None:
        raise ValueError(text)

    return look


def no_children() -> bool:
    try:
        os.wait()
    except ChildProcessError:
        return True
    return False


@pytest.mark.parametrize("most", [1, 2])
def test_copies_take_turns(most: int, tmp_path: Path) -> None:
    """No more of them check at once, and each checks what there was when it was asked for."""
    log, now = tmp_path / "log", ["nothing"]

    def look() -> None:
        for what in ("begins", "ends"):
            with log.open("a") as file:
                file.write(f"{now[0]} {what}\n")
            time.sleep(0.1)

    with ChecksBeside(most, told) as checks:
        for name in ("one", "two", "three"):
            now[0] = name
            checks.make(look)
        now[0] = "gone"
    lines = log.read_text().splitlines()
    at_once = [sum(1 if "begins" in line else -1 for line in lines[: i + 1]) for i in range(len(lines))]
    assert sorted(lines) == sorted(
        f"{name} {what}" for name in ("one", "two", "three") for what in ("begins", "ends")
    )
    assert max(at_once) == most
    assert no_children()


def test_where_many_copies_wait_checks_are_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "MOST_COPIES", 2)
    here = list[int]()
    with ChecksBeside(1, told) as checks:
        for _ in range(2):
            checks.make(lambda: time.sleep(0.5))
        checks.make(lambda: here.append(os.getpid()))
        assert here == [os.getpid()]
    assert no_children()


def test_what_a_copy_finds_is_raised_as_it_puts_it() -> None:
    with pytest.raises(ShownError, match="says: one") as found, ChecksBeside(2, told) as checks:
        checks.make(wrong("one"))
        checks.make(wrong("two"))
    assert not str(found.value).startswith(str(os.getpid()))
    assert no_children()


def test_what_a_copy_finds_comes_before_what_that_led_to() -> None:
    with pytest.raises(ShownError, match="says: cause"), ChecksBeside(1, told) as checks:
        checks.make(wrong("cause"))
        raise KeyError("consequence")
    with pytest.raises(KeyError, match="nothing else"), ChecksBeside(1, told) as checks:
        checks.make(lambda: None)
        raise KeyError("nothing else")
    assert no_children()


def test_a_copy_that_is_done_is_asked_at_the_next_check() -> None:
    with pytest.raises(ShownError, match="says: early"), ChecksBeside(1, told) as checks:
        checks.make(wrong("early"))
        time.sleep(0.3)
        checks.make(lambda: pytest.fail("it is known that something is wrong"))


def killed(text: str) -> Callable[[], None]:
    """A check whose copy is killed, and which finds something where it is made once more."""
    own = os.getpid()

    def look() -> None:
        if os.getpid() != own:
            os.kill(os.getpid(), signal.SIGKILL)
        raise ValueError(text)

    return look


def test_a_copy_that_is_killed_is_made_up_for() -> None:
    """What is found then is explained, too, and ends the copies behind it."""
    with pytest.raises(ShownError, match=f"{os.getpid()} says: found here"), ChecksBeside(2, told) as checks:
        checks.make(killed("found here"))
        checks.make(lambda: time.sleep(60))
    assert no_children()


def test_ctrl_c_ends_copies() -> None:
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ChecksBeside(1, told) as checks:
        checks.make(lambda: time.sleep(60))
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
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ChecksBeside(2, told) as checks:
        checks.make(lambda: time.sleep(60))
        checks.make(lambda: time.sleep(60))
    timer.join()
    assert time.monotonic() - begun < 20 and no_children()


def test_what_is_left_of_a_broken_pass_is_not_checked() -> None:
    """A copy that was killed is not made up for where a pass has ended in the middle."""
    with pytest.raises(KeyError, match="the reason"), ChecksBeside(1, told) as checks:
        checks.make(killed("of what is half done"))
        raise KeyError("the reason")
    assert no_children()


def test_a_copy_is_no_second_run_of_the_program() -> None:
    """Whatever its check raises."""
    with pytest.raises(ValueError, match="once"), ChecksBeside(1, told) as checks:
        checks.make(lambda: sys.exit(3))
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
from ascend_opt.compiler.pipeline import verify_passes
verify_passes.LEAST_SECONDS = 0.0
graph = {GRAPH!r}
alone, shared = (str(ascend_opt.compile(graph, "ascend910b", jobs=n).module) for n in (1, 2))
print(alone == shared)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "True\n", done.stderr


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that leaves an op as it may not be, and a later one that stumbles over it; all are checked beside."""
    apply = AscendInsertSync.apply

    def breaks(self: AscendInsertSync, context: object, module: ModuleOp) -> None:
        apply(self, context, module)  # pyright: ignore[reportArgumentType]
        next(op for op in module.walk() if isinstance(op, ascend.BufferOp)).attributes["slotss"] = StringAttr(
            "2"
        )

    def stumbles(self: object, context: object, module: ModuleOp) -> None:
        raise KeyError("stumbled")

    monkeypatch.setattr(verify_passes, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(AscendInsertSync, "apply", breaks)
    from ascend_opt.passes.ascend_plan_workspace import AscendPlanWorkspace

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


def test_verification_beside_finds_nothing_in_what_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_passes, "LEAST_SECONDS", 0.0)
    alone = str(ascend_opt.compile(GRAPH, "ascend910b").module)
    assert str(ascend_opt.compile(GRAPH, "ascend910b", jobs=2).module) == alone
    assert no_children()
