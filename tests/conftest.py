"""Fixtures for all tests."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from sweeps import ALL

from ascend_opt.tools.ascend_opt import main

ROOT = Path(__file__).parents[1]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test marked `sweep(n)` every n-th case runs, from the first on; all of them with `ASCEND_OPT_ALL=1`."""
    if ALL:
        return
    seen: Counter[str] = Counter()
    left_out: list[pytest.Item] = []
    for item in items:
        marker = item.get_closest_marker("sweep")
        if marker is not None:
            function = item.nodeid.split("[")[0]
            seen[function] += 1
            if (seen[function] - 1) % marker.args[0]:
                left_out.append(item)
    if left_out:
        dropped = set(left_out)
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in dropped]


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
