"""Products of matrices: MatMul, Gemm, Einsum."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from .builder import Builder, Node, converts
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .builder import Value


@converts("MatMul")
def _matmul(b: Builder, n: Node) -> Value:
    return product(b, n[0], n[1])


def product(b: Builder, x: Value, y: Value, **named: Any) -> Value:
    """numpy's matmul: a vector is a row on the left, a column on the right; `named` are those of the op."""
    left, right = b.shape(x), b.shape(y)
    if len(left) == 1:
        x = b.reshape(x, [1, *left])
    if len(right) == 1:
        y = b.reshape(y, [*right, 1])
    found: Value = b.op("matmul", x, y, **named)
    shape = list(b.shape(found))
    if len(right) == 1:
        shape.pop()
    if len(left) == 1:
        shape.pop(-1 if len(right) == 1 else -2)
    return b.reshape(found, shape)


@converts("Gemm")
def _gemm(b: Builder, n: Node) -> Value:
    alpha, beta = n.get("alpha", 1.0), n.get("beta", 1.0)
    found = b.op(
        "matmul", n[0], n[1], transpose_a=bool(n.get("transA", 0)), transpose_b=bool(n.get("transB", 0))
    )
    if alpha != 1:
        found = b.op("mul", found, alpha)
    bias = n.input(2)
    if bias is None or beta == 0:
        return found
    if beta != 1:
        bias = b.op("mul", bias, beta)
    if b.rank(bias) == 1 and b.shape(bias)[0] == b.shape(found)[1] != 1:
        return b.op("bias_add", found, bias, axis=1)
    return b.op("add", found, bias)


@converts("Einsum")
def _einsum(b: Builder, n: Node) -> Value:
    """Of one tensor a transpose and a sum, of two a product of matrices."""
    equation = "".join(n.get("equation").split())
    left, arrow, result = equation.partition("->")
    terms = left.split(",")
    if "." in equation:
        terms, result, arrow = _without_ellipsis(b, n, terms, result, arrow)
    if not arrow:
        letters = sorted(set("".join(terms)))
        result = "".join(c for c in letters if "".join(terms).count(c) == 1)
    if any(len(set(term)) < len(term) for term in terms):
        raise Unsupported(f"a diagonal, in '{equation}'")
    values = [n[i] for i in range(len(terms))]
    while len(values) > 1:
        rest = "".join(terms[2:]) + result
        made = "".join(dict.fromkeys(c for c in terms[0] + terms[1] if c in rest))
        values[:2] = [_two(b, values[0], values[1], terms[0], terms[1], made if len(values) > 2 else result)]
        terms[:2] = [made if len(terms) > 2 else result]
    return _one(b, values[0], terms[0], result)


def _without_ellipsis(
    b: Builder, n: Node, terms: list[str], result: str, arrow: str
) -> tuple[list[str], str, str]:
    """Capital letters that are not used stand for the dimensions of `...`."""
    used = set("".join(terms))
    free = [c for c in "ZYXWVUTSRQPONMLKJIHGFEDCBA" if c not in used]
    ranks = [b.rank(n[i]) - len(term.replace("...", "")) for i, term in enumerate(terms)]
    most = max(rank for term, rank in zip(terms, ranks, strict=True) if "..." in term)
    spelled = "".join(free[:most])
    named = [term.replace("...", spelled[most - rank :]) for term, rank in zip(terms, ranks, strict=True)]
    if not arrow:
        letters = "".join(terms).replace(".", "")
        result = "..." + "".join(c for c in sorted(set(letters)) if letters.count(c) == 1)
    return named, result.replace("...", spelled), "->"


def _one(b: Builder, x: Value, term: str, result: str) -> Value:
    gone = [d for d, c in enumerate(term) if c not in result]
    if gone:
        x = b.op("reduce_sum", x, axes=gone)
        term = "".join(c for c in term if c in result)
    return b.transpose(x, [term.index(c) for c in result])


def _two(b: Builder, x: Value, y: Value, left: str, right: str, result: str) -> Value:
    """Letters in both are summed over or are a batch; letters in one are rows or columns."""
    alone_left = "".join(c for c in left if c in right or c in result)
    alone_right = "".join(c for c in right if c in left or c in result)
    x, y = _one(b, x, left, alone_left), _one(b, y, right, alone_right)
    left, right = alone_left, alone_right
    sizes = dict(zip(left + right, (*b.shape(x), *b.shape(y)), strict=True))
    batch = [c for c in left if c in right and c in result]
    inner = [c for c in left if c in right and c not in result]
    rows = [c for c in left if c not in right]
    columns = [c for c in right if c not in left]
    if not inner:  # an outer product of elements
        x = b.transpose(x, [left.index(c) for c in (*batch, *rows)])
        y = b.transpose(y, [right.index(c) for c in (*batch, *columns)])
        x = b.reshape(x, [*(sizes[c] for c in (*batch, *rows)), *[1] * len(columns)])
        y = b.reshape(y, [*(sizes[c] for c in batch), *[1] * len(rows), *(sizes[c] for c in columns)])
        found: Value = b.op("mul", x, y)
    else:
        x = b.transpose(x, [left.index(c) for c in (*batch, *rows, *inner)])
        y = b.transpose(y, [right.index(c) for c in (*batch, *inner, *columns)])
        outer = [sizes[c] for c in batch]
        k, p = (prod(sizes[c] for c in group) for group in (inner, columns))
        lines = [sizes[c] for c in rows]
        if -1 not in lines:
            lines = [prod(lines)]
        found = b.op("matmul", b.reshape(x, [*outer, *lines, k]), b.reshape(y, [*outer, k, p]))
    order = [*batch, *rows, *columns]
    found = b.reshape(found, [sizes[c] for c in order])
    return b.transpose(found, [order.index(c) for c in result])


__all__ = ["product"]
