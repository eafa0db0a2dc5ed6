"""Random graphs of all ops on every chip against onnxruntime: what `docs/testing.md` says.

Seeds are fresh in each run and printed; `DIFFERENTIAL_SEED=N` repeats one, `DIFFERENTIAL_SECONDS=N` is the time for
each chip.
"""

# pyright: basic

import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from differential.campaign import CHIPS, Campaign, Failure, Named
from differential.drawing import drawn
from differential.fairness import _fair_at_the_ends, computed
from differential.generators import GENERATORS
from differential.oracle import BY_DEFINITION, BY_ONNX
from differential.program import Call, Program, Value
from differential.reduction import reduced
from differential.replaying import SIZES, at_another_size
from differential.roundings import bound, tolerance
from differential.running import RIGHT, WRONG, Outcome, difference, outcome
from differential.steering import Coverage
from sweeps import ALL

from ascend_opt.dialects import graph
from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.values import vector_values

SEED = int(os.environ.get("DIFFERENTIAL_SEED", random.SystemRandom().getrandbits(31)))
SECONDS = float(os.environ.get("DIFFERENTIAL_SECONDS", "2"))
OPS = {op.short_name() for op in graph.OPS}


def test_every_op_is_drawn_and_known_to_the_oracle() -> None:
    assert set(GENERATORS) == OPS
    assert set(BY_ONNX) | set(BY_DEFINITION) == OPS - {"constant"}


@pytest.mark.parametrize("op", sorted(OPS - {"constant"}))
def test_every_op_is_drawn(op: str) -> None:
    """On each chip, with some seed."""
    for chip in CHIPS:
        programs = (drawn(seed, (op,), load_target(chip)) for seed in range(40))
        assert any(p and any(call.op == op for call in p.calls) for p in programs), chip


@pytest.mark.skipif(not SECONDS, reason="DIFFERENTIAL_SECONDS is 0")
@pytest.mark.parametrize("chip", CHIPS)
def test_random_graphs(chip: str, repository: Path) -> None:
    found: list[Failure] = []
    campaign = Campaign(chip, SEED, found.append)
    campaign.run(None, SECONDS)
    print(f"seed {SEED}: {campaign.summary()}")
    assert not found, "\n".join([f"DIFFERENTIAL_SEED={SEED}", *(one.text() for one in found)])
    assert campaign.outcomes[RIGHT]
    page = (repository / "docs" / "graph.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([^`]+)`", page.split("## What a chip refuses")[1], re.MULTILINE)
    assert all(any(one in said for one in listed) for said in campaign.refused_by.values()), (
        campaign.refused_by
    )
    refused = sum(campaign.refusals.values())
    assert refused <= 2 + 0.03 * sum(campaign.outcomes.values()), campaign.refused_by


def test_a_name_draws_the_same_graph_again() -> None:
    table, rng = Coverage(GENERATORS), random.Random(0)
    for seed in range(10):
        name = Named(seed, "marked", table.path(rng))
        one, other = name.program("ascend910b"), Named.of(str(name)).program("ascend910b")
        assert (one and one.text()) == (other and other.text())
        if one and other:
            assert all(
                a.tobytes() == b.tobytes()
                for a, b in zip(one.inputs().values(), other.inputs().values(), strict=True)
            )


def test_differences_are_seen() -> None:
    """A wrong element of exact values, a small one and a large one of others, a NaN, a shape."""
    array = np.linspace(1, 2, 400, dtype=np.float32).reshape(20, 20)
    value = Value("v", "f32", array, array)
    inexact = Value("v", "f16", array, array, exact=False, narrow="f16")
    assert difference("gaussian", value, array) is None
    for kind, one, factor in (
        ("index", value, 1 + 1e-6), ("gaussian", inexact, 1.1), ("gaussian", inexact, np.nan),
        ("extreme", inexact, 1.1),
    ):  # fmt: skip
        wrong = array.copy()
        wrong[3, 4] *= factor
        assert difference(kind, one, wrong), factor
    undefined = np.where(array == 1, np.float32(np.nan), array)
    assert difference("special", replace(value, stored=undefined), undefined) is None
    assert difference("special", replace(value, stored=undefined), array)
    assert difference("gaussian", inexact, array * (1 + 1e-3)) is None
    assert difference("gaussian", inexact, array * (1 + 4e-3))
    assert difference("index", value, array[:1])


def test_only_sums_of_f16_are_kept_in_its_range() -> None:
    """Taps of a grouped convolution that pass the largest f16 before they cancel each other."""
    image = np.full((1, 2, 1, 2), 60000, np.float32)
    image[..., 1] *= -1
    filters = np.ones((2, 1, 1, 2), np.float32)
    attributes = {"groups": 2, "strides": (1, 1), "pads": (0, 0, 0, 0), "dilations": (1, 1)}
    for dtype, fair in (("f16", False), ("f32", True), ("bf16", True)):
        operands = [Value("x", dtype, image, image), Value("w", dtype, filters, filters)]
        zeros = np.zeros((1, 2, 1, 1), np.float32)
        assert _fair_at_the_ends("conv2d", operands, attributes, Value("y", dtype, zeros, zeros)) is fair


def test_runs_share_what_they_cover(tmp_path: Path) -> None:
    """Two that write a file in turn; a graph that adds more is worth more."""
    file = tmp_path / "pairs.json"
    one, other = Coverage(("add", "relu", "exp"), file), Coverage(("add", "relu", "exp"), file)
    program = drawn(1, ("relu", "exp", "add"), load_target("ascend910"))
    assert program is not None and one.worth(program) > 0
    for table in (one, other, one):
        table.count(program, ("relu", "exp", "add"))
        table.share()
    again = Coverage(("add", "relu", "exp"), file)
    assert again.covered["relu", "exp"] == again.tried["relu", "exp"] == 3 == one.covered["relu", "exp"]
    assert "1: 2  2: 2  3: 2  4: 0" in again.table()
    assert again.worth(program) < one.worth(program) + 1e-9 < Coverage(OPS).worth(program)
    assert again.path(random.Random(0))[:2] not in (("relu", "exp"), ("exp", "add"))


def test_a_dynamic_graph_has_another_size() -> None:
    """Whose values are those of the ops on these inputs."""
    sizes = set[int]()
    for seed in range(12):
        program = drawn(seed, ("relu", "attention", "abs"), load_target("ascend910"), dynamic=True)
        if program is None or not any(c.op == "attention" and c.results[0].batched for c in program.calls):
            continue
        other = at_another_size(program)
        if other is not None:
            sizes.add(program.arguments[0].shape[0])
            first, last = other.arguments[0], other.calls[-1].results[0]
            assert first.shape[0] == last.shape[0] == SIZES[program.arguments[0].shape[0]]
            assert other.text() == program.text()
    assert len(sizes) > 1


def test_a_pole_next_to_a_sum_of_rounded_numbers_is_not_compared() -> None:
    """Its digits are those that rounding left."""
    numbers = np.random.default_rng(0)
    far, near = (np.array([1.0, 2.0, -1.5, least], np.float32) for least in (0.5, 1e-3))
    for array, fair in ((far, True), (near, False)):
        made = computed(
            "gaussian", "reciprocal", [Value("v", "f16", array, array, False, "f16")], {}, numbers
        )
        assert (made is not None) == fair
    assert computed("gaussian", "reciprocal", [Value("v", "f16", near, near)], {}, numbers)


def test_the_least_of_rounded_sums_is_not_compared() -> None:
    """It has the absolute error of sums that are larger; a slice may keep it, too."""
    numbers = np.random.default_rng(0)
    far, near = (np.array([least, 2.0, -1.5, 3.0], np.float32) for least in (1.5, 1e-2))
    for array, fair in ((far, True), (near, False)):
        rounded = Value("v", "f16", array, array, False, "f16")
        for op, attributes in (
            ("abs", {}),
            ("reduce_min", {"axes": [0], "keep_dims": True}),
            ("slice", {"starts": [0], "ends": [1]}),
        ):
            given = replace(rounded, wide=np.abs(array), stored=np.abs(array))
            made = computed("gaussian", op, [given], attributes, numbers)
            assert (made is not None) == (fair or op == "abs"), op
        exact = Value("v", "f16", array, array)
        assert computed("gaussian", "reduce_min", [exact], {"axes": [0], "keep_dims": True}, numbers)


def test_a_rounding_counts_as_much_as_what_follows_makes_of_it() -> None:
    """`exp` of 2 makes twice as much of the roundings of three means as a clip, which has the bound of its type.
    What they do not explain is found."""
    numbers, attributes = np.random.default_rng(0), {"axes": [1], "keep_dims": True}
    value = Value("x", "f16", np.full((8, 4), 2, np.float32), np.full((8, 4), 2, np.float32))
    for _ in range(3):
        (value,) = computed("gaussian", "reduce_mean", [value], attributes, numbers) or [value]
    assert len(value.moved) and value.wide.max() == 2
    for op, limits, by in (("exp", {}, 3 * 2 + 1), ("clip", {"min": 0.0, "max": 6.0}, 0)):
        (made,) = computed("gaussian", op, [value], limits, numbers) or [value]
        explained = max(3e-3, by * 2.0**-10)
        assert bound(made) == pytest.approx(explained, rel=2e-2), op
        for error, fair in ((0.9 * explained, True), (1.2 * explained, False)):
            assert (difference("gaussian", made, made.wide * (1 + error)) is None) == fair, (op, error)
    many = computed("gaussian", "exp", [replace(value, moved=tuple(2 * m for m in value.moved))], {}, numbers)
    assert many is None  # roundings would explain nearly anything
    assert (tolerance(value) == 8 * 2 * 3e-3).all()


def test_functions_that_are_off_by_a_percent_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where roundings before them widen what is allowed."""
    chip, exactly = load_target("ascend910"), vector_values._FUNCTIONS["vexp"]

    def off(a: np.ndarray, out: np.ndarray) -> None:
        exactly(a, out=out)
        out *= out.dtype.type(1.01)

    monkeypatch.setattr(vector_values, "_FUNCTIONS", {**vector_values._FUNCTIONS, "vexp": off})
    path = ("avg_pool2d", "avg_pool2d", "add", "exp")
    programs = [p for seed in range(16) if (p := drawn(seed, path, chip)) is not None]
    programs = [p for p in programs if p.kind == "gaussian" and p.calls[-1].op == "exp"]
    wider = [p for p in programs if bound(p.calls[-1].results[0]) > 3e-3 and p.arguments[0].dtype == "f16"]
    assert len(programs) > 8 and wider
    some = programs if ALL else [*programs[:2], *wider[:2]]
    assert all(outcome(p, "ascend910", True).kind == WRONG for p in some)


def test_a_norm_of_what_differs_by_rounding_alone_is_not_compared() -> None:
    """Its variance is that of the rounding."""
    numbers = np.random.default_rng(0)
    for mean, spread, fair in ((0, 1.0, True), (7, 1e-3, False)):
        image = (mean + spread * numbers.standard_normal((1, 1, 4, 4))).astype(np.float32)
        one = np.ones(1, np.float32)
        operands = [Value("x", "bf16", image, image, False, "bf16"), *[Value("w", "bf16", one, one)] * 2]
        made = computed("gaussian", "instance_norm", operands, {"epsilon": 1e-3}, numbers)
        assert (made is not None) == fair


def test_nothing_is_asked_of_nan_that_is_not_defined() -> None:
    given = np.array([np.nan, 1], np.float32)
    undefined = Value("v", "f32", given, given)
    numbers = np.random.default_rng(0)
    assert computed("special", "neg", [undefined], {}, numbers)
    assert computed("special", "argmax", [undefined], {"axis": 0}, numbers) is None


def test_failures_are_reduced() -> None:
    """To the op that fails, on small dimensions."""
    program = drawn(3, ("relu", "transpose", "abs", "add", "neg"), load_target("ascend910"))
    assert program is not None and len(program.calls) >= 4
    small = reduced(program, lambda p: any(call.op == "transpose" for call in p.calls))
    assert [call.op for call in small.calls] == ["transpose"]
    assert max(small.calls[0].results[0].shape) <= 2
    assert isinstance(small, Program) and isinstance(small.calls[0], Call)


def test_a_wrong_result_is_an_outcome() -> None:
    """Of a graph whose values are changed after it was drawn."""
    program = drawn(2, ("transpose",), load_target("ascend910"))
    assert program is not None and outcome(program, "ascend910", True) == Outcome(RIGHT)
    call = program.calls[-1]
    (value,) = call.results
    other = Value(value.name, value.dtype, value.wide + 1, value.stored + 1)
    wrong = Program(
        program.kind, program.arguments, program.weights,
        (*program.calls[:-1], Call(call.op, call.operands, call.attributes, (other,))), program.results,
    )  # fmt: skip
    assert outcome(wrong, "ascend910", True).kind == WRONG


@pytest.mark.parametrize(("total", "exact"), [(9.0, True), (10.0, False), (4410449.0, False)])
def test_a_quotient_in_f32_is_exact_where_it_has_few_digits(total: float, exact: bool) -> None:
    x = np.array([[1.0, 2.0, total - 3]], np.float32)
    attributes = {"axes": [1], "keep_dims": True}
    made = computed(
        "integer", "reduce_mean", [Value("v", "f32", x, x, True)], attributes, np.random.default_rng(0)
    )
    assert (made is not None) == exact  # one that is not is dropped among whole numbers


@pytest.mark.parametrize(("x", "fair"), [(1.5, True), (-3.0, False)])
def test_tails_of_functions_are_not_compared(x: float, fair: bool) -> None:
    """The result has fewer digits than what it is of."""
    one = np.full((1, 4), x, np.float32)
    made = computed(
        "gaussian", "gelu", [Value("v", "f16", one, one, False, "f16")], {}, np.random.default_rng(0)
    )
    assert (made is not None) == fair


@pytest.mark.parametrize(("least", "fair"), [(0.9, True), (1e-4, False)])
def test_a_number_over_itself_is_clear_of_0_over_0(least: float, fair: bool) -> None:
    x = np.array([[least, 1.0, -1.0, 2.0]], np.float32)
    value = Value("v", "f16", x, x, False, "f16")
    made = computed("gaussian", "div", [value, value], {}, np.random.default_rng(0))
    assert (made is not None) == fair


DRAW = """
import random
from differential.drawing import drawn
from differential.generators import GENERATORS
from differential.steering import Coverage
from ascend_opt.dialects.target import load_target
rng, table = random.Random(5), Coverage(tuple(sorted(GENERATORS)))
for seed in range(40):
    program = drawn(seed, table.path(rng), load_target("ascend910b"), seed % 4 == 0)
    print(program and program.text())
"""


def test_a_seed_draws_one_program_in_every_process(repository: Path) -> None:
    """Whatever order sets have there."""
    drawn_texts: set[str] = set()
    for seed in ("1", "2", "3") if ALL else ("1", "2"):
        path = os.pathsep.join([str(repository / "tests" / "helpers"), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        done = subprocess.run(
            [sys.executable, "-c", DRAW],
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
            check=True,
        )
        drawn_texts.add(done.stdout)
    assert len(drawn_texts) == 1 and "graph @f" in drawn_texts.pop()
