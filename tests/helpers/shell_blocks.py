"""Blocks of shell commands: those that only call the tools run in this process, others in a shell."""

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from ascend_opt.tools import ascend_opt, ascend_plan, ascend_run

TOOLS: dict[str, Callable[[list[str]], int]] = {
    "ascend-opt": ascend_opt.main,
    "ascend-plan": ascend_plan.main,
    "ascend-run": ascend_run.main,
}


@dataclass(frozen=True)
class Ran:
    """What commands left behind."""

    code: int
    output: str
    errors: str

    @property
    def lines(self) -> list[str]:
        return [line.strip() for line in (self.output + self.errors).splitlines()]


def run_block(text: str, folder: Path) -> Ran:
    """Run commands in the working directory `folder`, up to the first that fails."""
    commands = [shlex.split(line, comments=True) for line in text.splitlines() if _plain(line)]
    if len(commands) < len(text.splitlines()) or any(words[0] not in TOOLS for words in commands):
        return _in_shell(text, folder)
    code, output, errors = 0, io.StringIO(), io.StringIO()
    for tool, *arguments in commands:
        with redirect_stdout(output), redirect_stderr(errors):
            code = TOOLS[tool](arguments)
        if code:
            break
    return Ran(code, output.getvalue(), errors.getvalue())


def _plain(line: str) -> bool:
    """Whether it is a command and its arguments, and nothing that a shell is needed for."""
    quoted = re.sub(r"'[^']*'|#.*", "", line)
    return bool(quoted.strip()) and not re.search(r"[\\|<>;&`$*?\"]", quoted)


def _in_shell(text: str, folder: Path) -> Ran:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)
