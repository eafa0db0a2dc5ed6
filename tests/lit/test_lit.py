"""The lit tests of this folder in one process: the files and RUN lines of `lit tests/lit`, 50 times faster.

A RUN line made of `ascend-opt`, `filecheck`, `not` and pipes runs here; any other one runs in a shell.
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

from ascend_opt.tools.ascend_opt import main

ROOT = Path(__file__).parent
FILES = sorted(path for suffix in (".mlir", ".test") for path in ROOT.rglob(f"*{suffix}"))
RUN = re.compile(r"//\s*RUN:\s*(.*)")


def run_lines(path: Path) -> list[str]:
    """The RUN lines of a file, continued lines joined and `%s` and its like replaced."""
    lines: list[str] = []
    for match in RUN.finditer(path.read_text(encoding="utf-8", errors="replace")):
        if lines and lines[-1].endswith("\\"):
            lines[-1] = lines[-1][:-1] + match[1].strip()
        else:
            lines.append(match[1].strip())
    return [line.replace("%s", str(path)).replace("%S", str(path.parent)) for line in lines]


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
        if command.words[0] not in ("ascend-opt", "filecheck"):
            return None
        if any(re.search(r"[<>;&`$]|%t", word) for word in command.words[1:]):
            return None
        commands.append(command)
    return commands


def run_ascend_opt(arguments: list[str], given: str, errors_to_output: bool) -> tuple[int, str, str]:
    """Exit code, output and errors of the driver, in this process."""
    output, errors = io.StringIO(), io.StringIO()
    stdin = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
    try:
        with redirect_stdout(output), redirect_stderr(output if errors_to_output else errors):
            code = main(arguments)
    finally:
        sys.stdin = stdin
    return code, output.getvalue(), errors.getvalue()


def run_filecheck(arguments: list[str], given: str, directory: Path) -> tuple[int, str]:
    """Exit code and messages of filecheck, in this process."""
    file = directory / "input"
    file.write_text(given, encoding="utf-8")
    options = parse_argv_options(["filecheck", *arguments, "--input-file", str(file)])
    messages = io.StringIO()
    with redirect_stdout(messages), redirect_stderr(messages):
        code = Matcher.from_opts(options).run()
    return code, messages.getvalue()


def run_in_shell(line: str, path: Path, directory: Path) -> None:
    scripts = os.pathsep.join([str(Path(sys.executable).parent), sysconfig.get_path("scripts")])
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ.get("PATH", "")}
    script = f'not() {{ if "$@"; then return 1; fi; }}; {line.replace("%t", str(directory / "t"))}'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, f"{path}: {line}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_lit(path: Path, tmp_path: Path) -> None:
    lines = run_lines(path)
    assert lines, f"{path} has no RUN line"
    for line in lines:
        commands = parse(line)
        if commands is None:
            run_in_shell(line, path, tmp_path)
            continue
        stream = ""
        for command in commands:
            if command.words[0] == "filecheck":
                code, messages = run_filecheck(command.words[1:], stream, tmp_path)
            else:
                code, stream, messages = run_ascend_opt(command.words[1:], stream, command.errors_to_output)
            failed = f"{path}\n{shlex.join(command.words)}: exit code {code}\n{messages}"
            assert (code != 0) == command.negated, f"{failed}\n--- output\n{stream[-4000:]}"
