"""Fixtures for all tests."""

import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest
from sweeps import ALL

from ascend_opt.compiler.programs.graph_bounds import with_graph_bounds
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.fusion.graph_work import GraphWork
from ascend_opt.runtime.execution.measure import Launched, kernel_profile
from ascend_opt.runtime.profile.profile import KernelProfile, Profile
from ascend_opt.tools.ascend_opt import main

ROOT = Path(__file__).parents[1]


SAMPLE = 64
"""Of an end-to-end test with several cases, one in so many may run by default beside the first."""
SPLIT = ("ascend910b", "ascend950")
"""How names of chips begin that have Cube and Vector cores apart."""


def pytest_collection_finish() -> None:
    """Modules and tests stay: the collector looks at what tests make, and less often, a tenth of their time else."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 10, 10)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """
    Leave out cases of large tests; with `ASCEND_OPT_ALL=1` all of them run.

    What is marked `full`, a test or a case, runs with that alone: quicker tests show the same. Of a test marked
    `sweep(n)` every n-th case runs, from the first on. Of any other test of `tests/e2e` the first case runs, and of
    every second one another of `SAMPLE`, if there is one on the other kind of chips. A checksum of their names draws
    them: the same ones every time, of all chips and types.
    """
    if ALL:
        return
    cases = dict[str, list[pytest.Item]]()
    for item in items:
        if item.get_closest_marker("full") is not None:
            continue
        cases.setdefault(item.nodeid.split("[")[0], []).append(item)
    kept = {item for function, each in cases.items() for item in _sample(function, each)}
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]


def _sample(function: str, cases: list[pytest.Item]) -> list[pytest.Item]:
    """The cases of a test that run by default."""
    first, *others = cases
    sweep = first.get_closest_marker("sweep")
    end_to_end = "tests/e2e/" in function
    if sweep is not None:
        others = cases[sweep.args[0] :: sweep.args[0]]
    elif end_to_end:
        others = [item for item in others if _drawn(item) % SAMPLE == 0]
    if end_to_end:
        others = sorted(others, key=lambda item: (_kinds(item) == _kinds(first), _drawn(item)))
        others = others[: crc32(function.encode()) % 2]
    return [first, *others]


def _kinds(item: pytest.Item) -> set[bool]:
    """Whether Cube and Vector cores are apart, on the chips that a case names."""
    values = (
        item.callspec.params.values()
        if isinstance(item, pytest.Function) and hasattr(item, "callspec")
        else ()
    )
    return {one.startswith(SPLIT) for one in values if isinstance(one, str) and one.startswith("ascend")}


def _drawn(item: pytest.Item) -> int:
    """A number that follows from the name of a case alone."""
    return crc32(item.nodeid.encode())


@pytest.fixture(autouse=True, scope="session")
def bounds_hold() -> Iterator[None]:
    """No launch of any test is faster than its bound, or than that of its ops."""

    def check(kernel: KernelProfile, least: float, limit: str) -> None:
        time = kernel.time_us
        assert least <= time * (1 + 1e-9), f"@{kernel.name}: {time} us, bound {least} ({limit})"

    def profiled(target: Target, launched: Launched) -> KernelProfile:
        kernel = kernel_profile(target, launched)
        check(kernel, kernel.bound_us, kernel.limit)
        return kernel

    def bounded(profile: Profile, works: Sequence[GraphWork], target: Target) -> Profile:
        found = with_graph_bounds(profile, works, target)
        for kernel in found.kernels:
            check(kernel, kernel.graph_bound_us, f"{kernel.graph_limit} of its ops")
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ascend_opt.runtime.execution.launcher.kernel_profile", profiled)
        patch.setattr("ascend_opt.compiler.programs.program.with_graph_bounds", bounded)
        yield


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
