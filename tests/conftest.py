"""Fixtures for all tests."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ascend_opt.tools.ascend_opt import main

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Outcome:
    """What a run of a tool left behind."""

    code: int
    output: str
    errors: str


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def examples() -> list[Path]:
    """The example graphs."""
    return sorted((ROOT / "examples").glob("*.mlir"))


@pytest.fixture
def ascend_opt(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run `ascend-opt` in this process; the arguments are those of the command line."""

    def run(*arguments: str | Path) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run
