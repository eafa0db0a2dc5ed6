"""A learned order of tilings: the same for the same trials, better than the listed one, and only an order."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.tune.features import NAMES, FeatureTask, features_of
from ascend_opt.compiler.tune.kernel_trials import SpaceTask, tilings_of
from ascend_opt.compiler.tune.order import Order, OrderError, read_order, trained
from ascend_opt.compiler.tune.order_card import card_lines, card_of, left_out
from ascend_opt.compiler.tune.problem import Prepared
from ascend_opt.compiler.tune.session import Budget, Session
from ascend_opt.compiler.tune.studies import MissingExtra
from ascend_opt.compiler.tune.tables import Table, read_tables, tables_of, trials_needed
from ascend_opt.compiler.workers.pool import workers
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.plans.plan import digest_of
from ascend_opt.passes.plans.store import Store
from ascend_opt.tools.ascend_order import main as learn
from ascend_opt.tools.ascend_tune import main as tune

pytest.importorskip("optuna")

PRODUCT = """
graph @f(%x: tensor<64x256xf16>, %w: tensor<256x256xf16> {weight}) {
  %a = matmul(%x, %w)
  %y = gelu(%a)
  return %y
}"""


@pytest.fixture(scope="module")
def tables(repository: Path) -> list[Table]:
    """Tables of two networks."""
    found = read_tables(repository / "benchmarks" / "data" / "tilings.json.gz")
    return [one for one in found if one.network in ("yolov5_blocks", "llama_block")][:14]


@pytest.fixture(scope="module")
def rows(tables: Sequence[Table]) -> list[list[list[float]]]:
    return [table.features() for table in tables]


@pytest.fixture(scope="module")
def order(tables: Sequence[Table], rows: Sequence[list[list[float]]]) -> Order:
    pytest.importorskip("sklearn")
    return trained(tables, rows)


def stored(tables: Sequence[Table], path: Path) -> Path:
    for table in tables:
        store = Store(path, digest_of(load_target(table.chip)))
        for tiling, time in zip(table.tilings, table.times, strict=True):
            store.add(table.text, tiling, time)
        store.close()
    return path


def column(name: str, above: float) -> Order:
    """An order with those tilings last whose feature is above a limit."""
    at = NAMES.index(name)
    tree = ([at, -1, -1], [above, 0.0, 0.0], [1, -1, -1], [2, -1, -1], [0.0, 0.0, 5.0])
    return Order([[np.array(column) for column in tree]])


def test_features_tell_tilings_apart(tables: Sequence[Table], rows: Sequence[list[list[float]]]) -> None:
    for table, found in zip(tables, rows, strict=True):
        assert len(found) == len(table.tilings)
        assert all(len(row) == len(NAMES) and np.isfinite(row).all() for row in found)
        first = [value for name, value in zip(NAMES, found[0], strict=True) if "the first" in name]
        assert not any(first)
    cores = NAMES.index("cores")
    assert [2 ** row[cores] for row in rows[0]] == pytest.approx(
        [t["cores"] for t in tables[0].tilings], rel=1e-3
    )


def test_what_is_predicted_to_be_fast_comes_first_unless_taught_otherwise() -> None:
    tilings = tilings_of(SpaceTask(text_of(PRODUCT), "ascend910b", 16))
    rows = features_of(FeatureTask(text_of(PRODUCT), "ascend910b", tilings))
    predicted = [row[NAMES.index("predicted")] for row in rows]
    untaught = Order(()).ranked(rows)
    assert sorted(untaught) == list(range(len(rows)))
    assert predicted[untaught[0]] == min(predicted)
    taught = column("cores", 4.1).ranked(rows)
    few = [tiling["cores"] <= 17 for tiling in tilings]
    assert [few[place] for place in taught] == sorted(few, reverse=True)
    assert Order(()).ranked([]) == []


def text_of(graph: str) -> str:
    program = ascend_opt.compile(graph, "ascend910b")
    assert program.plan is not None
    assert program.graph_module is not None
    (kernel,) = Prepared(program.graph_module, "f", "ascend910b").kernels(program.plan)
    return kernel.text


def test_the_same_trials_teach_the_same(
    order: Order, tables: Sequence[Table], rows: Sequence[list[list[float]]], tmp_path: Path
) -> None:
    assert trained(tables, rows).to_text() == order.to_text()
    assert trained(tables, rows, seed=1).to_text() != order.to_text()
    path = tmp_path / "order.json"
    path.write_text(order.to_text(), encoding="utf-8")
    read = read_order(path)
    assert [read.ranked(one) for one in rows] == [order.ranked(one) for one in rows]


def test_what_was_learned_needs_fewer_trials(
    order: Order, tables: Sequence[Table], rows: Sequence[list[list[float]]]
) -> None:
    hard = [(t, r) for t, r in zip(tables, rows, strict=True) if not t.begins_near]
    assert hard
    chosen = [table for table, _ in hard]
    learned = trials_needed(chosen, [order.ranked(given) for _, given in hard], 0)
    untrained = trials_needed(chosen, [list(range(len(given))) for _, given in hard], 0)
    assert learned <= untrained / 2


def test_a_card_has_data_and_error(tables: Sequence[Table], rows: Sequence[list[list[float]]]) -> None:
    pytest.importorskip("sklearn")
    found = list(left_out(tables, rows, seeds=1))
    card = card_of(tables, found)
    assert card["data"]["trials"] == sum(len(table.times) for table in tables)
    assert set(card["networks"]) == {table.network for table in tables}
    assert card["all_kernels"]["kernels"] == card["all_networks"]["kernels"] == len(tables)
    kernels = [one for _, some in found for one in some]
    for table, one in zip(
        sorted(tables, key=lambda t: t.network), sorted(kernels, key=lambda k: k.name), strict=True
    ):
        assert (one.learned == one.untrained == 0) == table.begins_near
    assert any("worse than no order" in line for line in card_lines(card))
    assert "two networks" in card_lines(card_of(tables[:1], []))[-1]


def test_one_command_learns_from_stores(
    tables: Sequence[Table], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sklearn")
    networks = sorted({table.network for table in tables})
    if not ALL:
        tables = [one for name in networks for one in [t for t in tables if t.network == name][:2]]
    stores = [stored([t for t in tables if t.network == name], tmp_path / f"{name}.db") for name in networks]
    again = tables_of(stores[0], [tables[0].chip], networks[0])
    assert {t.text: sorted(t.times) for t in again} == {
        t.text: sorted(t.times) for t in tables if (t.network, t.chip) == (networks[0], tables[0].chip)
    }
    model, graph, plan = tmp_path / "order.json", tmp_path / "f.mlir", tmp_path / "f.plan.json"
    assert learn([*map(str, stores), "-o", str(model)]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in networks)
    assert read_order(model).card["data"]["networks"] == networks
    graph.write_text(PRODUCT, encoding="utf-8")
    for given in (model, stores[0]):
        options = ["--trials", "4", "--jobs", "1", "--order", str(given), "-o", str(plan)]
        assert tune([str(graph), *options]) == 0
        assert ascend_opt.compile(graph, plan=plan).time().total_us > 0


def test_a_search_asks_in_the_order() -> None:
    program = ascend_opt.compile(PRODUCT, "ascend910b")
    assert program.plan is not None
    assert program.graph_module is not None
    prepared = Prepared(program.graph_module, "f", "ascend910b")
    order, text = column("cores", 3.1), text_of(PRODUCT)
    with workers(1) as pool:
        session = Session(prepared, program.plan, pool, Budget(5), order=order)
        session.search()
    listed = tilings_of(SpaceTask(text, "ascend910b", 64))
    ranked = order.ranked(features_of(FeatureTask(text, "ascend910b", listed)))
    assert session.spaces[text] == [listed[place] for place in ranked]
    assert session.spaces[text] != listed
    timed = [one.tiling for one in session.known[text].values()]
    assert all(tiling in timed for tiling in session.spaces[text][:4])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot read order"),
        ("words", "is neither a learned order nor a store"),
        ("[1]", "is no learned order"),
        ('{"order": 1, "names": [], "trees": []}', "was learned from other features"),
    ],
)
def test_what_is_no_order_is_said(
    content: str | None, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph, path = tmp_path / "f.mlir", tmp_path / "order.json"
    graph.write_text(PRODUCT, encoding="utf-8")
    if content is not None:
        path.write_text(content, encoding="utf-8")
    plan = str(tmp_path / "f.plan.json")
    assert tune([str(graph), "--trials", "1", "--jobs", "1", "--order", str(path), "-o", plan]) == 1
    err = capsys.readouterr().err
    assert reason in err
    assert err.count("\n") == 1


def test_stores_without_trials_teach_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn")
    assert learn([str(tmp_path / "no.db"), "-o", str(tmp_path / "order.json")]) == 1
    assert "there is no store" in capsys.readouterr().err
    Store(tmp_path / "empty.db", "0").close()
    assert learn([str(tmp_path / "empty.db"), "-o", str(tmp_path / "order.json")]) == 1
    assert "tune with --store first" in capsys.readouterr().err


def test_a_missing_library_is_said(tables: Sequence[Table], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(MissingExtra, match=r"ascend-opt\[learn\]"):
        trained(tables, [])


def test_trials_are_counted_behind_the_defaults() -> None:
    some: list[dict[str, int]] = [{}]
    slow = Table("n", "ascend910b", "", some * 6, [3.0, 1.0, 2.0, 2.0, 2.0, 2.0])
    good = Table("n", "ascend910b", "", some * 4, [1.0, 1.0, 2.0, 2.0])
    assert trials_needed([slow], [[1, 0, 2, 3, 4, 5]], 0) == 1
    assert trials_needed([slow], [[0, 2, 3, 4, 5, 1]], 0) == 5
    assert trials_needed([good], [[3, 2, 1, 0]], 0) == 0
    assert trials_needed([good, slow], [[3, 2, 1, 0], [1, 0, 2, 3, 4, 5]], 0) == 4
    with pytest.raises(OrderError):
        read_order("/no/such/order.json")
