"""Loops: those that fold bags of rows are one op, those of known trips are unrolled, others are refused."""

# pyright: basic

import re
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError

pytest.importorskip("onnx_ir")
from loop_models import ITEMS, ROWS, by_dynamo, by_script, parsed
from onnx_models import expected

CHIPS = ("ascend910", "ascend910b", "ascend310p", "ascend950")
OFFSETS = ([0, 3, 3, 11, 37], [0], [0, 0, 20, 20], [5, 6, 30])
KINDS = [
    (form, mode, last, weighted, constant)
    for form in (by_script, by_dynamo)
    for mode, weighted in (("sum", False), ("sum", True), ("mean", False), ("max", False))
    for last in (False, True)
    for constant in (False, True)
]


def inputs(offsets: list[int]) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    return {
        "i": rng.integers(0, ROWS, ITEMS),
        "o": np.array(offsets, np.int64),
        "p": rng.standard_normal(ITEMS).astype(np.float32),
    }


def ops_of(imported: Any) -> list[str]:
    return [op for op in re.findall(r"graph\.(\w+)", str(imported.module)) if op != "weight"]


def ran(imported: Any, x: dict[str, Any], chip: str = "ascend910b") -> Any:
    program = ascend_opt.compile(imported, target=chip, tune=1)
    return program.run({name: x[name] for name in program.inputs if name in x}).outputs


def close(found: Any, want: Any) -> bool:
    found, want = np.asarray(found, np.float64), np.asarray(want, np.float64)
    return found.shape == want.shape and bool(np.linalg.norm(found - want) <= 1e-3 * np.linalg.norm(want))


def defined(model: Any, x: dict[str, Any], mode: str, last: bool, weighted: bool) -> Any:
    """Bag by bag, as PyTorch defines: an empty one is 0."""
    import onnx

    (table,) = [onnx.numpy_helper.to_array(t) for t in model.graph.initializer if t.name == "t"]
    rows = table[x["i"]].astype(np.float64) * (x["p"][:, None] if weighted else 1)
    ends = [*x["o"][1:], *([] if last else [ITEMS])]
    parts = [rows[start:end] for start, end in zip(x["o"], ends, strict=False)]
    return np.array([getattr(part, mode)(axis=0) if len(part) else np.zeros(rows.shape[1]) for part in parts])


@pytest.mark.sweep(3)
@pytest.mark.parametrize("form, mode, last, weighted, constant", KINDS)
def test_bags_are_one_op(form: Any, mode: str, last: bool, weighted: bool, constant: bool):
    """Whatever exporter wrote the loop, with offsets that are known or not, on all chips in turns."""
    number = KINDS.index((form, mode, last, weighted, constant))
    offsets = [*OFFSETS[number % 4], *([ITEMS] if last else [])]
    x, opset = inputs(offsets), (17, 18, 20)[number % 3]
    model = form(mode, len(offsets) - last, last, weighted, offsets if constant else None, opset)
    imported = ascend_opt.from_onnx(model)
    ops = ops_of(imported)
    assert ops.count("embedding_bag") == 1
    assert set(ops) <= {"embedding_bag", "constant", "reshape", "cast"}, ops
    assert f'mode = "{mode}"' in str(imported.module) or mode == "sum"
    (found,) = ran(imported, x, CHIPS[number % 4]).values()
    assert close(found, defined(model, x, mode, last, weighted))


@pytest.mark.parametrize("form", [by_script, by_dynamo])
def test_bags_against_onnxruntime(form: Any):
    """The models are what they should be: onnxruntime makes the same of them, of bags that are not empty."""
    for mode, last, weighted in (("sum", False, True), ("mean", True, False), ("max", False, False)):
        x = inputs([0, 3, 4, 11, *([ITEMS] if last else [])])
        model = form(mode, 4, last, weighted)
        given = {value.name: x[value.name] for value in model.graph.input}
        (want,) = expected(model, given)
        assert close(want, defined(model, x, mode, last, weighted))
        (found,) = ran(ascend_opt.from_onnx(model), x).values()
        assert close(found, want)


def test_kept_dimensions_and_rows_that_are_computed():
    """Folded rows keep their dimension; a table that the program computes is one, too."""
    x = inputs([0, 3, 4, 11])
    model = by_script("sum", 4, changed={"row": "row = ReduceSum <keepdims = 1> (used, zero)"})
    model.graph.output[0].type.tensor_type.ClearField("shape")
    assert "embedding_bag" in ops_of(imported := ascend_opt.from_onnx(model))
    want = defined(model, x, "sum", False, False)
    assert close(ran(imported, x)["y"], want[:, None])
    text = f"""net (int64[{ITEMS}] i, int64[3] o, float[{ITEMS}, 24] x) => (float[N, M] y) {{
      zero = Constant <value_ints = [0]> ()
      yes = Constant <value = bool {{1}}> ()
      count = Constant <value_int = 2> ()
      one = Constant <value_int = 1> ()
      all = Relu (x)
      y = Loop (count, yes) <body = bag (int64 b, bool going) => (bool going, float[M] row) {{
        next = Add (b, one)
        begin = Gather (o, b)
        end = Gather (o, next)
        from = Unsqueeze (begin, zero)
        to = Unsqueeze (end, zero)
        rows = Slice (all, from, to, zero)
        row = ReduceMean <keepdims = 0> (rows, zero)
      }}>
    }}"""
    model = parsed(text)
    x = {
        "i": x["i"],
        "o": np.array([2, 9, 30]),
        "x": np.random.default_rng(2).standard_normal((ITEMS, 24), "f4"),
    }
    imported = ascend_opt.from_onnx(model)
    assert ops_of(imported).count("embedding_bag") == 1
    assert close(ran(imported, x)["y"], expected(model, x)[0])


CHANGED = {
    "other rows of the table": {"rows": "rows = Gather <axis = 1> (t, some)"},
    "another axis": {"row": "row = ReduceSum <keepdims = 0> (used, one)"},
    "the least": {"row": "row = ReduceMin <keepdims = 0> (used, zero)"},
    "every second index": {
        "some": "two = Constant <value_ints = [2]> ()\n some = Slice (i, from, to, zero, two)"
    },
    "from the start": {"some": "some = Slice (i, zero, to, zero)"},
    "to the end": {"some": "some = Slice (i, from, most, zero)"},
    "one more": {"to": "before = Unsqueeze (end, zero)\n to = Add (before, one)"},
    "the wrong way round": {
        "begin": "begin = Gather <axis = 0> (later, b)",
        "end": "end = Gather <axis = 0> (cut, b)",
    },
    "rows times themselves": {"used": "used = Mul (rows, rows)"},
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_is_no_bag(name: str):
    """With known offsets it is unrolled, and gives what onnxruntime gives; with others it is refused."""
    table = np.random.default_rng(3).standard_normal((ITEMS, ITEMS)).astype(np.float32)
    x = inputs([0, 3, 4, 11])
    lines = CHANGED[name]
    if name == "other rows of the table":
        lines = lines | {"row": "row = ReduceSum <keepdims = 0> (used, one)"}
    constant = by_script("sum", 4, offsets=x["o"], table=table, changed=lines)
    try:
        wanted = expected(constant, {"i": x["i"]})
    except Exception:  # rows of different lengths do not stack, in onnxruntime neither
        wanted = None
    if wanted is not None and np.isfinite(wanted[0]).all():
        imported = ascend_opt.from_onnx(constant)
        assert "embedding_bag" not in ops_of(imported)
        assert close(ran(imported, x)["y"], wanted[0])
    with pytest.raises(CompileError, match=r"y \(Loop\): in its body, .* known at run time only"):
        ascend_opt.from_onnx(by_script("sum", 4, table=table, changed=lines))


def test_weights_of_other_items_are_no_bag():
    changed = {"shares": "shares = Slice (p, zero, to, zero)\n column = Unsqueeze (shares, one)"}
    with pytest.raises(CompileError, match=r"y \(Loop\): in its body"):
        ascend_opt.from_onnx(by_script("sum", 4, weighted=True, changed=changed))


def test_gaps_between_bags():
    """Known offsets that do not follow each other cut no bags of one list."""
    changed = {
        "begin": "starts = Constant <value_ints = [0, 4, 20]> ()\n begin = Gather (starts, b)",
        "end": "ends = Constant <value_ints = [3, 20, 36]> ()\n end = Gather (ends, b)",
    }
    model, x = by_script("sum", 3, offsets=[0, 1, 2], changed=changed), inputs([])
    imported = ascend_opt.from_onnx(model)
    assert "embedding_bag" not in ops_of(imported)
    assert close(ran(imported, x)["y"], expected(model, {"i": x["i"]})[0])


UNROLLED = {
    "carried, and scanned": """net (float[4, 8] x) => (float[4, 8] h, float[N, 4, 8] all) {
      n = Constant <value_int = 3> ()
      yes = Constant <value = bool {1}> ()
      h, all = Loop (n, yes, x) <body = step (int64 k, bool c, float[4, 8] a)
          => (bool c, float[4, 8] b, float[4, 8] b2) {
        f = Cast <to = 1> (k)
        s = Mul (a, a)
        b = Add (s, f)
        b2 = Sub (b, x)
      }>
    }""",
    "as long as a known number is small": """net (float[4, 8] x) => (float[4, 8] y, int64 n) {
      zero = Constant <value_int = 0> ()
      two = Constant <value_int = 2> ()
      seven = Constant <value_int = 7> ()
      yes = Constant <value = bool {1}> ()
      n, y = Loop ("", yes, zero, x) <body = step (int64 k, bool c, int64 i, float[4, 8] a)
          => (bool more, int64 j, float[4, 8] b) {
        j = Add (i, two)
        more = Less (j, seven)
        t = Tanh (a)
        b = Add (t, x)
      }>
    }""",
    "a row after the other": """net (float[5, 8] x) => (float[N, 8] y) {
      n = Constant <value_int = 4> ()
      one = Constant <value_int = 1> ()
      y = Loop (n, "") <body = step (int64 k, bool c) => (bool c, float[8] b) {
        next = Add (k, one)
        r = Gather (x, k)
        s = Gather (x, next)
        b = Mul (r, s)
      }>
    }""",
    "branches on the trip": """net (float[4, 8] x) => (float[4, 8] y) {
      n = Constant <value_int = 4> ()
      one = Constant <value_int = 1> ()
      yes = Constant <value = bool {1}> ()
      y = Loop (n, yes, x) <body = step (int64 k, bool c, float[4, 8] a) => (bool c, float[4, 8] b) {
        odd = Equal (k, one)
        b = If (odd) <then_branch = p () => (float[4, 8] u) { u = Neg (a) },
          else_branch = q () => (float[4, 8] v) { v = Add (a, x) }>
      }>
    }""",
    "a loop in a loop": """net (float[4, 8] x) => (float[4, 8] y) {
      n = Constant <value_int = 2> ()
      three = Constant <value_int = 3> ()
      yes = Constant <value = bool {1}> ()
      y = Loop (n, yes, x) <body = outer (int64 k, bool c, float[4, 8] a) => (bool c, float[4, 8] b) {
        e = Mul (a, x)
        b = Loop (three, yes, e) <body = inner (int64 j, bool d, float[4, 8] f) => (bool d, float[4, 8] g) {
          g = Add (f, a)
        }>
      }>
    }""",
    "rows in a sequence": """net (float[5, 8] x) => (float[N, 8] y, float[M, 8] z, float[8] w, int64 length) {
      n = Constant <value_int = 3> ()
      yes = Constant <value = bool {1}> ()
      at = Constant <value_int = -1> ()
      none = SequenceEmpty ()
      all = Loop (n, yes, none) <body = step (int64 k, bool c, seq(float[8]) a) => (bool c, seq(float[8]) b) {
        r = Gather (x, k)
        s = Relu (r)
        b = SequenceInsert (a, s)
      }>
      y = ConcatFromSequence <axis = 0, new_axis = 1> (all)
      length = SequenceLength (all)
      w = SequenceAt (all, at)
      pair = SequenceConstruct (x, y)
      z = ConcatFromSequence <axis = 0> (pair)
    }""",
    "no trip": """net (float[4, 8] x) => (float[4, 8] y) {
      n = Constant <value_int = 0> ()
      yes = Constant <value = bool {1}> ()
      z = Relu (x)
      y = Loop (n, yes, z) <body = step (int64 k, bool c, float[4, 8] a) => (bool c, float[4, 8] b) { b = Neg (a) }>
    }""",
    "all that is known": """net (float[4, 3] x) => (float[4, 3] y) {
      n = Constant <value_int = 3> ()
      yes = Constant <value = bool {1}> ()
      f = Loop (n, yes) <body = step (int64 k, bool c) => (bool c, float b) { b = Cast <to = 1> (k) }>
      y = Mul (x, f)
    }""",
}


@pytest.mark.parametrize("name", UNROLLED)
def test_unrolled(name: str):
    model = parsed(UNROLLED[name])
    (argument,) = model.graph.input
    shape = [d.dim_value for d in argument.type.tensor_type.shape.dim]
    x = {"x": np.random.default_rng(0).standard_normal(shape).astype(np.float32)}
    chip = CHIPS[sorted(UNROLLED).index(name) % 4]
    found = ran(ascend_opt.from_onnx(model, precision="f32"), x, chip)
    for (output, have), want in zip(found.items(), expected(model, x), strict=True):
        assert close(have, want), output


def test_weights_of_a_body_are_there_once():
    text = """net (float[4, 8] x) => (float[4, 8] y) {
      n = Constant <value_int = 3> ()
      yes = Constant <value = bool {1}> ()
      y = Loop (n, yes, x) <body = step (int64 k, bool c, float[4, 8] a) => (bool c, float[4, 8] b) {
        v = Constant <value_floats = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> ()
        b = Mul (a, v)
      }>
    }"""
    imported = ascend_opt.from_onnx(parsed(text))
    assert len(imported.weights) == 1
    x = {"x": np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32) / 64}
    assert close(ran(imported, x)["y"], expected(parsed(text), x)[0])


BODY = "<body = step (int64 k, bool c, float[8] a) => (bool {more}, float[8] b) {{ {nodes} }}>"
REFUSED = {
    "a count that is an input": (
        "int64 n, float[8] x", "y = Loop (n, yes, x) " + BODY.format(more="c", nodes="b = Neg (a)"),
        "y (Loop): the number of trips is known at run time only",
    ),
    "a condition that is computed": (
        "int64 n, float[8] x",
        'y = Loop ("", yes, x) '
        + BODY.format(more="more", nodes="b = Neg (a)\n s = ReduceSum <keepdims = 0> (b)\n more = Less (s, s)"),
        "y (Loop): the condition is known at run time only",
    ),
    "no end": (
        "int64 n, float[8] x", 'y = Loop ("", yes, x) ' + BODY.format(more="c", nodes="b = Neg (a)"),
        "y (Loop): it makes more trips; at most 512 are unrolled",
    ),
    "many trips": (
        "int64 n, float[8] x",
        "many = Constant <value_int = 1000> ()\n y = Loop (many, yes, x) " + BODY.format(more="c", nodes="b = Neg (a)"),
        "y (Loop): it makes 1000 trips; at most 512 are unrolled",
    ),
    "an operator in its body": (
        "int64 n, float[8] x",
        "few = Constant <value_int = 2> ()\n y = Loop (few, yes, x) "
        + BODY.format(more="c", nodes="u = Unique (a)\n v = Det (a)\n b = Add (u, a)"),
        "y (Loop): in its body, u (Unique): the shape of its result depends on the data",
    ),
    "nothing to stack": (
        "int64 n, float[8] x",
        "no = Constant <value_int = 0> ()\n y = Loop (no, yes) "
        + BODY.replace(", float[8] a", "").format(more="c", nodes="b = Neg (x)"),
        "y (Loop): it makes no trip, so the shape of what it gives is not known",
    ),
    "a sequence where a tensor is": (
        "int64 n, float[8] x", "s = SequenceConstruct (x, x)\n y = Neg (s)", "y (Neg): it does not take a sequence of",
    ),
    "a tensor where a sequence is": (
        "int64 n, float[8] x", "y = ConcatFromSequence <axis = 0> (x)", "y (ConcatFromSequence): it takes a sequence",
    ),
    "a Scan": (
        "int64 n, float[3, 8] x",
        "y = Scan <num_scan_inputs = 1, body = step (float[8] a) => (float[8] b) { b = Neg (a) }> (x)",
        "y (Scan): this operator is not supported",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str):
    """By name, with the reason."""
    given, nodes, message = REFUSED[name]
    text = f"net ({given}) => (float[8] y) {{\n yes = Constant <value = bool {{1}}> ()\n {nodes}\n}}"
    with pytest.raises(CompileError, match=re.escape(message)):
        ascend_opt.from_onnx(parsed(text))


def test_a_count_that_is_given():
    """An input that says how many trips there are can be set."""
    text = 'net (int64 n, float[8] x) => (float[8] y) {\n y = Loop (n, "", x) ' + (
        BODY.format(more="c", nodes="b = Add (a, x)") + "\n}"
    )
    x = np.arange(8, dtype=np.float32)
    imported = ascend_opt.from_onnx(parsed(text), constants={"n": np.array(4)})
    np.testing.assert_array_equal(ran(imported, {"x": x})["y"], 5 * x)


def test_a_sequence_is_no_result():
    text = "net (float[8] x) => (seq(float[8]) y) {\n y = SequenceConstruct (x, x)\n}"
    with pytest.raises(CompileError, match="the result 'y' is a sequence of tensors"):
        ascend_opt.from_onnx(parsed(text))
