"""Stores of tilings that were timed: files that are none, and options that nobody needs."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_opt.dialects.target import load_target
from ascend_opt.passes.plans.plan import digest_of
from ascend_opt.passes.plans.store import VERSION, Store, StoreError
from ascend_opt.tools.ascend_opt import main as opt
from ascend_opt.tools.ascend_order import main as order
from ascend_opt.tools.ascend_run import main as run

GRAPH = "graph @f(%x: tensor<64x64xf16>) {\n  %y = relu(%x)\n  return %y\n}\n"


@pytest.mark.parametrize(
    ("tool", "options"),
    [
        (opt, ["--fuse", "--store", "{}"]),
        (opt, ["--lower", "--store", "{}"]),
        (opt, ["-p", 'tile-fuse{{store="{}"}}']),
        (opt, ["-p", "tile-group,tile-from-groups", "--store", "{}"]),
        (run, ["--store", "{}"]),
    ],
)
@pytest.mark.parametrize("name", ["no_db", ""])
def test_a_store_that_is_not_there_is_no_empty_one(
    tool: Callable[[list[str]], int],
    options: list[str],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.mlir").write_text(GRAPH)
    assert tool(["g.mlir", *(option.format(name) for option in options)]) == 1
    assert capsys.readouterr().err == f"error: cannot read store '{name}': No such file or directory\n"
    assert [path.name for path in tmp_path.iterdir()] == ["g.mlir"]


def test_options_for_tiles_that_nobody_chooses_are_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "g.mlir"
    path.write_text(GRAPH)
    assert opt([str(path), "--store", "no.db", "--tune", "3"]) == 0
    why = "has no effect: nothing is tiled without --fuse or --lower"
    assert capsys.readouterr().err == f"note: --tune {why}\nnote: --store {why}\n"
    tiled, store = tmp_path / "t.mlir", tmp_path / "s.db"
    Store(store, "0").close()
    assert opt([str(path), "--fuse", "-o", str(tiled)]) == 0
    capsys.readouterr()
    assert opt([str(tiled), "--fuse", "--store", str(store)]) == 0
    assert capsys.readouterr().err == "note: --store has no effect: the module is past the graph level\n"


@pytest.mark.parametrize(("chip", "version"), [("0", VERSION), ("ascend910b", VERSION - 1)])
def test_a_store_of_another_chip_or_version_is_noted(
    chip: str, version: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It knows nothing that is looked for."""
    path, store = tmp_path / "g.mlir", tmp_path / "s.db"
    path.write_text(GRAPH)
    known = Store(store, chip if chip == "0" else digest_of(load_target(chip)))
    known.add("a kernel", {"tiles": [1]}, 1.0, (0, 0, 0))
    known.close()
    with sqlite3.connect(store) as data:
        data.execute("update trials set version = ?", (version,))
    assert run([str(path), "--store", str(store)]) == 0
    why = "nothing in it is of ascend910b, as it is, and of this version"
    assert capsys.readouterr().err == f"note: store has no effect: {store}: {why}\n"


def test_a_file_that_is_no_store_is_told(tmp_path: Path) -> None:
    other, store = tmp_path / "other.db", tmp_path / "store.db"
    with sqlite3.connect(other) as data:
        data.execute("create table trials (a text)")
    with pytest.raises(StoreError, match=r"other\.db' is no store: its table of trials has no chip, key"):
        Store(other, "chip")
    known = Store(store, "chip")
    known.add("kernel", {"tiles": [1]}, 1.0)
    for tiling in ("nonsense", "[1, 2]"):
        with sqlite3.connect(store) as data:
            data.execute("update trials set tiling = ?", (tiling,))
        with pytest.raises(StoreError, match=r"cannot use store '.*store\.db': "):
            known.trials("kernel")
        with pytest.raises(StoreError, match="cannot use store"):
            known.all_trials()


def test_a_store_that_is_read_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph, store = tmp_path / "g.mlir", tmp_path / "s.db"
    graph.write_text(GRAPH)
    store.touch()
    for tool, options in ((opt, ["--fuse"]), (run, [])):
        assert tool([str(graph), *options, "--store", str(store)]) == 0
        assert store.read_bytes() == b""
    assert order([str(store), "-o", str(tmp_path / "o.json")]) == 1
    assert "there are no trials" in capsys.readouterr().err
    assert store.read_bytes() == b""


def test_a_store_that_cannot_be_written_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a search, whose trials would be lost."""
    store, connect = tmp_path / "s.db", sqlite3.connect
    Store(store, "0").close()

    def only_read(path: str, **_: object) -> sqlite3.Connection:
        return connect(f"file:{path}?mode=ro", uri=True)

    monkeypatch.setattr(sqlite3, "connect", only_read)
    with pytest.raises(StoreError, match="attempt to write a readonly database"):
        Store(store, "0")
