"""The lit tests of this folder in one process: the files and RUN lines of `lit tests/lit`, 50 times faster.

A RUN line made of `ascend-opt`, `ascend-run`, `filecheck`, `not` and pipes runs here; any other one runs in a shell.
"""

import io
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest
from filecheck.matcher import Matcher
from filecheck.options import parse_argv_options

from ascend_opt.tools import ascend_opt, ascend_run

ROOT = Path(__file__).parent
FILES = sorted(path for suffix in (".mlir", ".test") for path in ROOT.rglob(f"*{suffix}"))
TOOLS = {"ascend-opt": ascend_opt.main, "ascend-run": ascend_run.main}
RUN = re.compile(r"//\s*RUN:\s*(.*)")


def run_lines(path: Path, directory: Path) -> list[str]:
    """The RUN lines of a file, continued lines joined and `%s` and its like replaced; `%t` lies in `directory`."""
    lines: list[str] = []
    for match in RUN.finditer(path.read_text(encoding="utf-8", errors="replace")):
        if lines and lines[-1].endswith("\\"):
            lines[-1] = lines[-1][:-1] + match[1].strip()
        else:
            lines.append(match[1].strip())
    places = {"%s": path, "%S": path.parent, "%t": directory / "t"}
    return [re.sub("%[sSt]", lambda match: str(places[match[0]]), line) for line in lines]


@dataclass
class Command:
    """One command of a pipe."""

    words: list[str]
    negated: bool = False
    errors_to_output: bool = False


def parse(line: str) -> list[Command] | None:
    """The commands of a RUN line, or None if it needs a shell."""
    commands: list[Command] = []
    for text in line.split(" | "):
        command = Command(shlex.split(text))
        if command.words[-1] == "2>&1":
            command.words.pop()
            command.errors_to_output = True
        if command.words[0] == "not":
            command.words.pop(0)
            command.negated = True
        if command.words[0] not in (*TOOLS, "filecheck"):
            return None
        if any(re.search(r"[<>;&`$]", word) for word in command.words[1:]):
            return None
        commands.append(command)
    return commands


def run_tool(words: list[str], given: str, errors_to_output: bool) -> tuple[int, str, str]:
    """Exit code, output and errors of a tool, in this process."""
    output, errors = io.StringIO(), io.StringIO()
    stdin = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
    try:
        with redirect_stdout(output), redirect_stderr(output if errors_to_output else errors):
            code = TOOLS[words[0]](words[1:])
    finally:
        sys.stdin = stdin
    return code, output.getvalue(), errors.getvalue()


def run_filecheck(arguments: list[str], given: str, directory: Path) -> tuple[int, str]:
    """Exit code and messages of filecheck, in this process."""
    if "--input-file" not in arguments:
        file = directory / "input"
        file.write_text(given, encoding="utf-8")
        arguments = [*arguments, "--input-file", str(file)]
    options = parse_argv_options(["filecheck", *arguments])
    messages = io.StringIO()
    with redirect_stdout(messages), redirect_stderr(messages):
        code = Matcher.from_opts(options).run()
    return code, messages.getvalue()


def run_in_shell(line: str, path: Path) -> None:
    scripts = os.pathsep.join([str(Path(sys.executable).parent), sysconfig.get_path("scripts")])
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ.get("PATH", "")}
    script = f'not() {{ if "$@"; then return 1; fi; }}; {line}'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, f"{path}: {line}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_lit(path: Path, tmp_path: Path) -> None:
    lines = run_lines(path, tmp_path)
    assert lines, f"{path} has no RUN line"
    known: dict[str, tuple[int, str, str]] = {}  # several lines may begin with the same command
    for line in lines:
        commands = parse(line)
        if commands is None:
            run_in_shell(line, path)
            continue
        stream, before = "", ""
        for command in commands:
            before += f" | {command}"
            if command.words[0] == "filecheck":
                code, messages = run_filecheck(command.words[1:], stream, tmp_path)
            else:
                if before not in known:
                    known[before] = run_tool(command.words, stream, command.errors_to_output)
                code, stream, messages = known[before]
            failed = f"{path}\n{shlex.join(command.words)}: exit code {code}\n{messages}"
            assert (code != 0) == command.negated, f"{failed}\n--- output\n{stream[-4000:]}"
