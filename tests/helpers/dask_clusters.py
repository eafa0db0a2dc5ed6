"""Dask clusters of this machine, for tests that lose parts of them."""

import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import worker_tasks


@dataclass(frozen=True)
class Cluster:
    """A cluster: its address, its scheduler, and what starts workers again that end."""

    address: str
    scheduler: subprocess.Popen[bytes]
    nannies: subprocess.Popen[bytes]


@contextmanager
def dask_cluster() -> Generator[Cluster]:
    """A Dask scheduler with two workers, each a process of this machine. Skips without the extra."""
    pytest.importorskip("distributed")
    script = """
import asyncio
from distributed import Scheduler
async def run():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as one:
        print(one.address, flush=True)
        await one.finished()
asyncio.run(run())
"""
    folders = str(Path(worker_tasks.__file__).parent), os.environ.get("PYTHONPATH", "")
    helpers = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))}
    scheduler = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=helpers
    )
    assert scheduler.stdout is not None
    address = scheduler.stdout.readline().decode().strip()
    options = ["--nworkers", "2", "--nthreads", "1", "--no-dashboard", "--death-timeout", "20"]
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, *options]
    nannies = subprocess.Popen(command, env=helpers, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield Cluster(address, scheduler, nannies)
    finally:
        os.killpg(
            nannies.pid, signal.SIGKILL
        )  # with their workers; told to end, they wait for a lost scheduler
        nannies.wait()
        scheduler.kill()
        scheduler.wait()
