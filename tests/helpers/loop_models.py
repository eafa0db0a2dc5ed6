"""ONNX Loops in the text of `onnx.parser`: those that PyTorch's exporters write of an EmbeddingBag with offsets."""

# pyright: basic

from typing import Any

import numpy as np
import onnx
import onnx.parser

ITEMS, ROWS, WIDTH = 37, 20, 24
REDUCE = {"sum": "ReduceSum", "mean": "ReduceMean", "max": "ReduceMax"}


def parsed(text: str, opset: int = 18, **weights: Any) -> Any:
    """A model of the text of its graph, with initializers beside it."""
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]>\n{text}')
    for name, value in weights.items():
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.asarray(value), name))
    return model


def arguments(bags: int, last: bool, weighted: bool, constant: bool) -> str:
    given = [f"int64[{ITEMS}] i", *([] if constant else [f"int64[{bags + last}] o"])]
    return ", ".join([*given, *([f"float[{ITEMS}] p"] if weighted else [])])


def by_script(
    mode: str,
    bags: int,
    last: bool = False,
    weighted: bool = False,
    offsets: Any = None,
    opset: int = 18,
    table: Any = None,
    changed: dict[str, str] | None = None,
) -> Any:
    """What `torch.onnx.export(..., dynamo=False)` writes. `offsets`: known ones. `changed`: lines of the body that take
    the place of those that give a value."""
    axes = (
        f"<axes = [0], keepdims = 0> ({'{}'})"
        if opset < 18 and mode != "sum"
        else "<keepdims = 0> ({}, zero)"
    )
    lines = {
        "begin": "begin = Gather <axis = 0> (cut, b)",
        "end": "end = Gather <axis = 0> (later, b)",
        "from": "from = Unsqueeze (begin, zero)",
        "to": "to = Unsqueeze (end, zero)",
        "some": "some = Slice (i, from, to, zero)",
        "rows": "rows = Gather <axis = 0> (t, some)",
        "shares": "shares = Slice (p, from, to, zero)\n column = Unsqueeze (shares, one)" if weighted else "",
        "used": f"used = {'Mul (rows, column)' if weighted else 'Identity (rows)'}",
        "row": f"row = {REDUCE[mode]} {axes.format('used')}",
    } | (changed or {})
    body = "\n ".join(line for line in lines.values() if line)
    cut = "cut = Identity (o)" if last else "size = Shape (i)\n cut = Concat <axis = 0> (o, size)"
    text = f"""net ({arguments(bags, last, weighted, offsets is not None)}) => (float[N, M] y) {{
      zero = Constant <value_ints = [0]> ()
      one = Constant <value_ints = [1]> ()
      most = Constant <value_ints = [9223372036854775807]> ()
      yes = Constant <value = bool {{1}}> ()
      {cut}
      later = Slice (cut, one, most, zero, one)
      length = Shape (later)
      first = Constant <value_int = 0> ()
      count = Gather <axis = 0> (length, first)
      y = Loop (count, yes) <body = bag (int64 b, bool going) => (bool more, float[M] row) {{
        {body}
        more = Cast <to = 9> (yes)
      }}>
    }}"""
    known = {} if offsets is None else {"o": np.asarray(offsets, np.int64)}
    return parsed(text, opset, t=_table() if table is None else table, **known)


def by_dynamo(
    mode: str, bags: int, last: bool = False, weighted: bool = False, offsets: Any = None, opset: int = 18
) -> Any:
    """What `torch.onnx.export(..., dynamo=True)` writes: the index is carried, rows go to a sequence, bags are tested
    for being empty, and the last one is another case."""
    column = "column = Unsqueeze (p, one)" if weighted else "column = Expand (unit, shape)"
    cut = "cut = Identity (o)" if last else "cut = Concat <axis = 0> (o, size)"

    def reduced(kind: str, rows: str, name: str = "row") -> str:
        axes = f"<axes = [0]> ({rows})" if opset < 18 and kind != "ReduceSum" else f"({rows}, zero)"
        return f"{name} = {kind} {axes}"

    if mode == "sum":
        filled = f"part = Slice (all, start, end)\n {reduced('ReduceSum', 'part', 'full')}"
    elif mode == "mean":
        filled = f"""part = Slice (all, start, end)
          final = Equal (b, final_bag)
          full = If (final) <then_branch = g1 () => (float[k, d] m1) {{
            {reduced("ReduceSum", "part", "total")}
            long = Sub (size, start)
            none = CastLike (first, long)
            some = Greater (long, none)
            m1 = If (some) <then_branch = g2 () => (float[k, d] m2) {{
              number = Cast <to = 1> (long)
              m2 = Div (total, number)
            }}, else_branch = g3 () => (float[k, d] m3) {{ m3 = Identity (total) }}>
          }}, else_branch = g4 () => (float[k, d] m4) {{ {reduced("ReduceMean", "part", "m4")} }}>"""
    else:
        filled = f"""final = Equal (b, final_bag)
          part = If (final) <then_branch = g1 () => (float[k, d] p1) {{ p1 = Slice (all, start, size) }},
            else_branch = g2 () => (float[k, d] p2) {{ p2 = Slice (all, start, end) }}>
          {reduced("ReduceMax", "part", "full")}"""
    text = f"""net ({arguments(bags, last, weighted, offsets is not None)}) => (float[N, M] y) {{
      zero = Constant <value_ints = [0]> ()
      one = Constant <value_ints = [1]> ()
      two = Constant <value_ints = [2]> ()
      minus = Constant <value_ints = [-1]> ()
      first = Constant <value_int = 0> ()
      count = Constant <value_int = {bags}> ()
      final_bag = Constant <value_int = {bags - 1}> ()
      step = Constant <value_int = 1> ()
      yes = Constant <value = bool {{1}}> ()
      unit = Constant <value_floats = [1.0]> ()
      size = Shape (i)
      shape = Concat <axis = 0> (size, one)
      list = Reshape (i, minus)
      picked = Gather (t, list)
      {column}
      all = Mul (picked, column)
      {cut}
      empty = SequenceEmpty ()
      out, found = Loop ("", yes, first, empty) <body = trip (int64 k, bool going, int64 b, seq(float[]) kept)
          => (bool more, int64 next, seq(float[]) grown) {{
        at = Reshape (b, minus)
        behind = Add (at, one)
        start = Slice (cut, at, behind)
        last = Add (at, two)
        end = Slice (cut, behind, last)
        hollow = Equal (start, end)
        row = If (hollow) <then_branch = h1 () => (float[k, d] zeros) {{
          zeros = Identity (nothing)
        }}, else_branch = h2 () => (float[k, d] full) {{
          {filled}
        }}>
        grown = SequenceInsert (kept, row)
        next = Add (b, step)
        more = Less (next, count)
      }}>
      y = ConcatFromSequence <axis = 0> (found)
    }}"""
    known = {} if offsets is None else {"o": np.asarray(offsets, np.int64)}
    return parsed(text, opset, t=_table(), nothing=np.zeros((1, WIDTH), np.float32), **known)


def _table() -> Any:
    """Rows below 0, so that no 0 passes for the largest."""
    return -0.5 - np.random.default_rng(0).random((ROWS, WIDTH)).astype(np.float32)
