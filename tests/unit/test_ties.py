"""Positions among values that are alike within their errors: any of them is right, and no other one."""

# pyright: basic

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.checks import against_onnxruntime
from ascend_opt.compiler.checks.kernel_check import KernelChecks
from ascend_opt.compiler.checks.ties import picks_of, settled
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.tools.ascend_run import main

BEST = """graph @f(%x: tensor<32x64xf16>, %w: tensor<64x40xf16> {weight}, %b: tensor<40xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = argmax(%s)
  return %y
}
"""
TWO = BEST.replace("%y = argmax(%s)", "%v, %y = topk(%s) {k = 2}")
LEAST = BEST.replace("%y = argmax(%s)", "%n = neg(%s)\n  %y = argmax(%n)")
TARGETS = ("ascend910", "ascend310p", "ascend910b", "ascend950")


def tied(sign=1.0):
    """Columns 9 and 3 are alike, but that 9 is more by a hundredth of the least digit of f16; they are the largest, or
    with a `sign` of -1 the least."""
    rng = np.random.default_rng(0)
    x = np.abs(rng.standard_normal((32, 64))).astype(np.float16)
    w = (rng.standard_normal((64, 40)) / 8).astype(np.float16)
    w[:, 3] = w[:, 9] = sign * np.abs(w[:, 3])
    b = np.zeros(40, np.float16)
    b[9] = sign * 2e-5
    return {"x": x, "w": w, "b": b}


def compiled(text, target="ascend910b", fuse=True):
    program = ascend_opt.compile(text, target, fuse, tune=1)
    assert program.graph_module is not None
    return program, choose_function(program.graph_module, program.name)


@pytest.mark.sweep(7)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize(("text", "sign"), [(BEST, 1), (TWO, 1), (LEAST, -1)], ids=["max", "topk", "min"])
def test_either_of_two_that_storage_makes_alike_is_right(text, sign, target, fuse):
    program, function = compiled(text, target, fuse)
    inputs = tied(sign)
    watch = KernelChecks(program, inputs)
    (got,) = program.run(inputs, watch=watch).outputs.values()
    (want,) = program.reference(inputs).values()
    assert set(want.reshape(32, -1)[:, 0]) == {9} and set(got.reshape(32, -1)[:, 0]) == {3}
    (right,) = settled(function, inputs, [got], [want])
    np.testing.assert_array_equal(right, got)
    assert not any(one.check.wrong for one in watch.found), [
        one.title for one in watch.found if one.check.wrong
    ]


@pytest.mark.parametrize("text", [BEST, TWO], ids=["max", "topk"])
def test_a_wrong_pick_is_wrong(text):
    program, function = compiled(text)
    inputs = tied()
    (want,) = program.reference(inputs).values()
    values = inputs["x"].astype(np.float32) @ inputs["w"].astype(np.float32) + inputs["b"]
    third = np.argsort(-values, axis=1)[:, 2]
    for row, place in ((4, third[4]), (5, -1), (6, 40), (7, 1000)):
        got = want.copy()
        got.reshape(32, -1)[row, 0] = place
        (right,) = settled(function, inputs, [got], [want])
        np.testing.assert_array_equal(right, want)


@pytest.mark.parametrize(
    ("scores", "others", "as_good", "wrong"),
    [
        ({0: 0.001, 1: 0.0, 2: -0.2}, -10.0, [0, 1], [2, 3]),
        ({0: 1.0, 1: 0.5}, -np.inf, [0], [1, 2]),
        ({3: np.inf, 9: np.inf}, 0.0, [3, 9], [0]),
    ],
    ids=["small in a large row", "masked", "infinite"],
)
def test_values_are_alike_by_the_finite_ones_of_their_row(scores, others, as_good, wrong):
    program, function = compiled(BEST)
    b = np.full(40, others, np.float16)
    b[list(scores)] = list(scores.values())
    inputs = {"x": np.zeros((32, 64), np.float16), "w": np.zeros((64, 40), np.float16), "b": b}
    (want,) = program.reference(inputs).values()
    for place in (*as_good, *wrong):
        got = np.full_like(want, place)
        (right,) = settled(function, inputs, [got], [want])
        np.testing.assert_array_equal(right, got if place in as_good else want)


def test_one_position_is_not_given_twice():
    program, function = compiled(TWO)
    inputs = tied()
    (want,) = program.reference(inputs).values()
    got = want.copy()
    got[8] = [3, 3]
    got[9] = [3, 9]
    (right,) = settled(function, inputs, [got], [want])
    assert (right[8] != got[8]).any()
    np.testing.assert_array_equal(right[9], got[9])
    np.testing.assert_array_equal(np.delete(right, 8, axis=0), np.delete(got, 8, axis=0))


def test_positions_among_given_numbers_are_exact():
    text = """graph @f(%x: tensor<4x40xf16>) {
  %n = neg(%x)
  %y = argmax(%n)
  return %y
}
"""
    _, function = compiled(text)
    assert picks_of(function) == {}
    _, computed = compiled(BEST)
    assert list(picks_of(computed)) == [0]


@pytest.mark.parametrize(
    "after",
    [
        "%r = reshape(%y) {shape = [4, 8, 2]}\n  %z = transpose(%r) {perm = [2, 1, 0]}",
        "%k = constant() {value = 39} : tensor<i32>\n  %z = sub(%k, %y)",
        "%k = constant() {value = 5} : tensor<i32>\n  %s0 = slice(%y) {starts = [1], ends = [30]}\n  %z = add(%s0, %k)",
    ],
    ids=["moved", "from the end", "part"],
)
def test_positions_are_followed_through_what_moves_them(after):
    text = TWO.replace("return %y", after + "\n  return %z")
    program, function = compiled(text, fuse=False)
    inputs = tied()
    (got,) = program.run(inputs).outputs.values()
    (want,) = program.reference(inputs).values()
    assert (got != want).any()
    (right,) = settled(function, inputs, [got], [want])
    np.testing.assert_array_equal(right, got)
    wrong = got.copy()
    wrong.reshape(-1)[0] += 1
    (right,) = settled(function, inputs, [wrong], [want])
    assert (right != wrong).sum() >= 1


def test_sums_of_positions_are_no_positions():
    text = BEST.replace("return %y", "%z = add(%y, %y)\n  return %z")
    _, function = compiled(text)
    assert picks_of(function) == {}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("kind", ["ArgMax", "ArgMin", "TopK"])
def test_ties_against_onnxruntime(tmp_path, capsys, kind):
    import onnx
    from onnx_models import model, node

    inputs = tied(-1 if kind == "ArgMin" else 1)
    more: dict = {"k": np.array([2])} if kind == "TopK" else {}
    last = (
        node("TopK", "s k", "v y", name="/best")
        if more
        else node(kind, "s", "y", name="/best", axis=1, select_last_index=1)
    )
    nodes = [node("MatMul", "x w", "p"), node("Add", "p b", "s"), last]
    if not more:  # of those that are alike the last one is taken
        inputs["b"][[3, 9]] = inputs["b"][[9, 3]]
    wide = {name: array.astype(np.float32) for name, array in inputs.items()}
    path = tmp_path / "net.onnx"
    onnx.save(model(nodes, {"x": wide["x"]}, ["y"], w=wide["w"], b=wide["b"], **more), path)
    np.savez(tmp_path / "in.npz", x=wide["x"])
    program = ascend_opt.compile(path, "ascend910b", tune=1)
    outputs = program.run(x=wide["x"]).outputs
    (want,) = program.reference(x=wide["x"]).values()
    assert (outputs["y"] != want).any()
    (note,) = against_onnxruntime.notes(path, program, {"x": wide["x"]}, outputs)
    assert note == "y: 0.00% of the elements differ from onnxruntime's, ties apart"
    wrong = {"y": (outputs["y"] + 1) % 40}
    (note,) = against_onnxruntime.notes(path, program, {"x": wide["x"]}, wrong)
    assert not note.startswith("y: 0.00%")
    options = ["--inputs", str(tmp_path / "in.npz"), "--tune", "1", "--target", "ascend910b", "--check"]
    assert main([str(path), *options]) == 0
    assert capsys.readouterr().err == ""
