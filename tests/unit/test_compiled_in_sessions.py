"""Programs that several processes compile: where they run, what is told of errors, and who watches."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import Log, no_children
from xdsl.dialects.builtin import ModuleOp, StringAttr

import ascend_opt
from ascend_opt.compiler.text.diagnostics import Diagnostic
from ascend_opt.compiler.workers.shared import pass_session, passes_shared
from ascend_opt.dialects import ascend
from ascend_opt.passes.ascend_insert_sync import AscendInsertSync
from ascend_opt.passes.ascend_plan_workspace import AscendPlanWorkspace
from ascend_opt.passes.fusion.cost_model import CostModel
from ascend_opt.passes.support.peers import peers
from ascend_opt.tools.ascend_opt import main as opt
from ascend_opt.tools.ascend_run import main as run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")

GRAPH = """
graph @two(%x: tensor<64x256xf16>, %w: tensor<256x64xf16>) {
  %a = matmul(%x, %w)
  %y = softmax(%a)
  return %y
}
"""


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "log")


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


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_standard_streams_may_be_closed(closed: str, tmp_path: Path) -> None:
    """What is opened then is in their place, and what copies say of it is not lost."""
    source, path = tmp_path / "two.mlir", tmp_path / "out.mlir"
    source.write_text(GRAPH)
    tool = "from ascend_opt.tools.ascend_opt import main; main()"
    texts: list[str] = []
    for jobs in ("1", "2"):
        options = [str(source), "--fuse", "--lower", "--jobs", jobs, "-o", str(path)]
        command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-c", tool, *options]
        subprocess.run(command, check=True, timeout=60)
        texts.append(path.read_text())
        path.unlink()
    assert texts[0] == texts[1]


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("tool", ["ascend_opt", "ascend_run"])
def test_output_that_nobody_takes_is_an_error(tool: str, jobs: str, tmp_path: Path) -> None:
    source = tmp_path / "two.mlir"
    source.write_text(GRAPH)
    options = [str(source), "--jobs", jobs, *(["--fuse", "--lower"] if tool == "ascend_opt" else [])]
    code = f"import sys; from ascend_opt.tools.{tool} import main; sys.exit(main())"
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-c", code, *options]
    done = subprocess.run(command, check=False, timeout=60, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "error: [Errno 9] the standard output is closed"


def test_a_program_without_input_compiles_in_two_processes() -> None:
    """The place of a stream that is closed is not that of a file."""
    code = f"import ascend_opt; print(len(ascend_opt.compile({GRAPH!r}, jobs=2).module.body.ops) > 0)"
    command = ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-c", code]
    done = subprocess.run(command, check=True, timeout=100, stdout=subprocess.PIPE, text=True)
    assert done.stdout == "True\n"


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
        with peers() as others:
            log(f"{name}, beside {others}")
        module.verify()
        passes.append(name)

    ascend_opt.compile(GRAPH, "ascend910b", jobs=2, after_pass=after_pass)
    assert "ascend-insert-sync" in passes
    assert log.lines == [(True, f"{name}, beside None") for name in passes]


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


def test_an_error_of_who_watches_is_told() -> None:
    def after_pass(name: str, seconds: float, module: ModuleOp) -> None:
        if name == "tile-group":
            raise KeyError("enough")

    with pytest.raises(ascend_opt.CompileError, match="enough"):
        ascend_opt.compile(GRAPH, "ascend910b", jobs=2, after_pass=after_pass)
    assert no_children()


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


def test_programs_are_compiled_where_no_process_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = str(ascend_opt.compile(GRAPH, "ascend910b").module)

    def fails() -> int:
        raise BlockingIOError("no more")

    monkeypatch.setattr(os, "fork", fails)
    assert str(ascend_opt.compile(GRAPH, "ascend910b", jobs=2).module) == alone


@pytest.mark.parametrize(
    ("jobs", "cpus", "count"), [(1, 8, 1), (2, 1, 2), (3, 1, 2), (5, 4, 4), (5, None, 2)]
)
def test_not_more_processes_are_started_than_there_are_cpus(
    jobs: int, cpus: int | None, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cpus)
    with passes_shared(jobs), pass_session(lambda error: Diagnostic(str(error))), peers() as others:
        assert (1 if others is None else others.count) == count
    assert no_children()


def test_the_tool_that_runs_programs_shares_passes(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    price = CostModel._price  # pyright: ignore[reportPrivateUsage]

    def noted(self: CostModel, *arguments: object) -> object:
        log("prices")
        return price(self, *arguments)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(CostModel, "_price", noted)
    path = tmp_path / "two.mlir"
    path.write_text(GRAPH)
    for jobs in (1, 2):
        log.path.write_text("")
        assert run([str(path), "--jobs", str(jobs)]) == 0
        assert {own for own, _ in log.lines} == ({True} if jobs == 1 else {True, False})
