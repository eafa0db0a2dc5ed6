"""Fixtures for all tests."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest
from sweeps import ALL

from ascend_opt.tools.ascend_opt import main

ROOT = Path(__file__).parents[1]


LARGE = 3
"""An end-to-end test with more cases than that is large."""
SAMPLE = 6
"""Of a large end-to-end test, about one case in so many runs by default."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """
    Leave out cases of large tests; with `ASCEND_OPT_ALL=1` all of them run.

    Of a test marked `sweep(n)` every n-th case runs, from the first on. Of any other test of `tests/e2e` with more
    than `LARGE` cases the first runs, and those that a checksum of their names draws: the same ones every time,
    of all chips and types.
    """
    if ALL:
        return
    functions = Counter(item.nodeid.split("[")[0] for item in items)
    seen: Counter[str] = Counter()
    left_out: set[pytest.Item] = set()
    for item in items:
        function = item.nodeid.split("[")[0]
        seen[function] += 1
        marker = item.get_closest_marker("sweep")
        if marker is not None:
            if (seen[function] - 1) % marker.args[0]:
                left_out.add(item)
        elif "tests/e2e/" in function and functions[function] > LARGE and seen[function] > 1:
            left_out |= {item} if crc32(item.nodeid.encode()) % SAMPLE else set()
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


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
