"""Long work tells whoever watches how far it is; on a terminal, and only there, the tools show it as bars."""

import os
import pty
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace

import pytest

import ascend_opt
from ascend_opt.compiler.reports import progress_bars
from ascend_opt.compiler.reports.progress_bars import ProgressBars
from ascend_opt.runtime.support.progress import Progress, progress, tracked

CHAIN = """graph @chain(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}, %v: tensor<64x64xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = softmax(%0)
  %2 = matmul(%1, %v)
  %3 = relu(%2)
  return %3
}
"""
SHORT = """graph @short(%x: tensor<64x64xf16>) {
  %0 = relu(%x)
  return %0
}
"""
"""A kernel that processes of their own compile."""
TOOL = """
import sys
from ascend_opt.compiler.reports import progress_bars
from ascend_opt.tools.ascend_run import main
progress_bars.DELAY = 0.0
sys.exit(main(sys.argv[1:]))
"""
SHOW = """
from ascend_opt.compiler.reports import progress_bars
from ascend_opt.runtime.support.progress import tracked
progress_bars.DELAY = 0.0
with (bars := progress_bars.ProgressBars()).watching():
    bars.phase("counting")
    list(tracked([1, 2], "by ones", "number", str))
print("done")
"""


def screen(written: str) -> list[str]:
    """What a terminal shows of what was written on it, without blank lines."""
    lines, row, column = [""], 0, 0
    for token in re.findall(r"\x1b\[A|.", written, re.DOTALL):
        if token == "\r":
            column = 0
        elif token == "\n":
            row, column = row + 1, 0
            lines += [""] * (row == len(lines))
        elif token == "\x1b[A":
            row -= 1
        else:
            lines[row] = f"{lines[row][:column].ljust(column)}{token}{lines[row][column + 1 :]}"
            column += 1
    return [line.rstrip() for line in lines if line.strip()]


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    path = tmp_path / "chain.mlir"
    path.write_text(CHAIN)
    return path


@pytest.fixture
def short(tmp_path: Path) -> Path:
    path = tmp_path / "short.mlir"
    path.write_text(SHORT)
    return path


def on_a_terminal(code: str, arguments: Sequence[str], **env: str) -> tuple[int, str, str]:
    """Exit code, stdout (a pipe) and stderr (a terminal) of a process."""
    ours, theirs = pty.openpty()
    around = {k: v for k, v in os.environ.items() if k not in ("CI", "TQDM_DISABLE")}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**around, "TERM": "xterm", **env},
    )
    os.close(theirs)
    shown: list[bytes] = []

    def read() -> None:
        while True:
            try:
                shown.append(os.read(ours, 1 << 16))
            except OSError:  # nobody writes any more
                return

    reader = threading.Thread(target=read)
    reader.start()
    out, _ = process.communicate()
    reader.join()
    os.close(ours)
    return process.returncode, out.decode(), b"".join(shown).decode()


def test_nobody_watches_unless_told_so() -> None:
    assert list(tracked([1, 2], "counting", "number", str)) == [1, 2]


def test_a_task_tells_of_its_start_and_of_each_item() -> None:
    told: list[Progress] = []
    with progress(told.append):
        assert list(tracked([1, 2], "counting", "number", str)) == [1, 2]
    list(tracked([3], "counting", "number", str))
    assert told == [
        Progress("counting", 0, 2, "number", "1"),
        Progress("counting", 1, 2, "number", "2"),
        Progress("counting", 2, 2, "number"),
    ]


def test_the_api_tells_of_compiling_and_running(chain: Path) -> None:
    told: list[Progress] = []
    with ascend_opt.progress(told.append):
        program = ascend_opt.compile(chain, tune=2)
        profile = program.time()
    tasks = [task for task, _ in groupby(now.task for now in told)]
    order = ["weighing fusions", "timing tiles", "selecting instructions", "synchronising", "running"]
    assert [task for task in tasks if task in order] == order, "what the tuner tries is nobody's business"
    for _, group in groupby(told, lambda now: now.task):
        steps = list(group)
        assert [now.done for now in steps] == list(range(steps[0].total + 1))
    kernels = len(profile.kernels)
    assert [now.total for now in told if now.task == "timing tiles"] == [kernels] * (kernels + 1)
    ran = [now for now in told if now.task == "running"]
    assert (ran[0].predicted_us, ran[0].item) == (0.0, profile.kernels[0].name)
    assert ran[-1].predicted_us == pytest.approx(profile.total_us)


def test_a_program_is_the_same_whether_watched_or_not(chain: Path) -> None:
    plain = ascend_opt.compile(chain, tune=1)
    with ascend_opt.progress(lambda now: None):
        watched = ascend_opt.compile(chain, tune=1)
        assert watched.time().to_dict() == plain.time().to_dict()
    assert str(watched.module) == str(plain.module)


def test_a_terminal_shows_bars_and_the_report_stays_the_same(short: Path) -> None:
    arguments = [str(short), "--tune", "2"]
    code, out, err = on_a_terminal(TOOL, arguments)
    assert code == 0
    assert "compiling [" in err and "timing tiles:" in err and "kernel" in err
    last = err.rstrip("\x1b[A\r").rsplit("\r", 1)[-1]
    assert last.strip() == "", "nothing is left on the terminal"
    piped = subprocess.run(
        [sys.executable, "-c", TOOL, *arguments], capture_output=True, text=True, check=True
    )
    assert (piped.stdout, piped.stderr) == (out, "")


@pytest.mark.full
def test_a_table_counts_its_rows(short: Path) -> None:
    code, _, err = on_a_terminal(TOOL, ["--table", "--tune", "2", str(short)])
    assert code == 0 and "table:" in err and "rows" in err and "short on ascend" in err


def test_ascend_opt_shows_bars_too(short: Path) -> None:
    tool = TOOL.replace("ascend_run", "ascend_opt").replace("main(sys.argv[1:])", "main()")
    code, out, err = on_a_terminal(tool, [str(short), "--lower", "--tune", "2"])
    assert code == 0 and "timing tiles:" in err and "ascend.kernel" in out and "timing" not in out


@pytest.mark.parametrize(
    ("first", "env", "shown"),
    [
        ("", {}, True),
        ("", {"CI": "true"}, False),
        ("", {"TERM": "dumb"}, False),
        ("import sys; sys.modules['tqdm'] = None", {}, False),
    ],
)
def test_bars_are_for_terminals_with_tqdm_outside_of_ci(first: str, env: dict[str, str], shown: bool) -> None:
    code, out, err = on_a_terminal(f"{first}\n{SHOW}", [], **env)
    assert (code, out) == (0, "done\n")
    assert ("counting" in err) is shown and (err == "") is not shown


def test_short_work_shows_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for delay, shown in ((1e9, False), (0.0, True)):
        monkeypatch.setattr(progress_bars, "DELAY", delay)
        bars = ProgressBars(shown=True)
        with bars.watching():
            bars.phase("counting")
            list(tracked([1, 2], "by ones", "number", str))
        assert ("counting" in capsys.readouterr().err) is shown


def test_a_warning_is_a_line_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_bars, "DELAY", 0.0)
    bars = ProgressBars(shown=True)
    with bars.watching():
        bars.phase("counting")
        capsys.readouterr()
        bars.print("note: beware")
    text = capsys.readouterr().err
    assert "note: beware\n" in text
    before = text.partition("note: beware")[0]
    assert before.endswith("\r") and not before.rstrip("\r").rsplit("\r", 1)[-1].strip(), "the bar is gone"


def test_bars_show_how_far_tasks_are_until_they_are_over(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_bars, "DELAY", 0.0)
    bars, written = ProgressBars(shown=True), ""

    def shown(*news: Progress) -> list[str]:
        nonlocal written
        for now in news:
            bars.show(now)
            time.sleep(0.15)  # tqdm draws a bar ten times a second
        written += capsys.readouterr().err
        return screen(written)

    with bars.watching():
        clock = SimpleNamespace(time=lambda: time.time() - 75, monotonic=time.monotonic)
        with monkeypatch.context() as earlier:
            earlier.setattr(progress_bars, "time", clock)
            bars.phase("running, fused")
        phase, outer, inner = shown(Progress("running", 0, 3, "kernel", "a"), Progress("tiles", 0, 1, "tile"))
        assert phase.startswith("running, fused [01:1")
        assert outer.startswith("running:   0%") and "0/3 kernels" in outer
        assert inner.startswith("tiles:   0%") and "0/1 tile [" in inner
        phase, outer = shown(Progress("running", 1, 3, "kernel", "b", 1234.5))
        assert outer.startswith("running:  33%") and "1/3 kernels" in outer and "1,234.5 µs, b]" in outer
        for again in (Progress("running", 0, 3, "kernel"), Progress("running", 0, 5, "kernel")):
            phase, outer = shown(again)
            assert f"0/{again.total} kernels" in outer
    assert shown() == []
