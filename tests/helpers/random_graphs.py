"""Random graphs of the whole operator set, with inputs that make a comparison with the reference fair.

    graph = random_graph(seed)          a graph that `graph.text()` prints, its inputs, and their kind
    graph = random_graph(seed, products=("f16", "f32"))     one whose products may be f32
    graph = minimized(graph, fails)     the smallest graph cut out of it that still fails (`random_minimize`)

Every op is evaluated while the graph grows, in f64 (`exact`) and with each result rounded to storage (`stored`), and
is kept only if its kind of inputs allows a comparison:

gaussian  Normal numbers; roots, exp and divisors are drawn where they are defined. The two evaluations agree to
          a fifth of the tolerance, so that rounding in another place cannot exceed it.
index     One operand holds distinct numbers, the others select (one-hot matrices and filters, zeros, bounds), so
          that a wrong stride, order or tail shows. Every op is exact: results must be equal.
integer   Small integers: every sum and product is exact in storage, so results must be equal; terms that are lost
          or counted twice show.
extreme   Zeros, plus and minus the largest number, masks of -65504: results overflow and become infinite or nan,
          element by element as in the evaluation that rounds each result. Sums of products are exact in f32, so
          that their order does not matter; what follows a function of exp does not enlarge its error.
"""

# pyright: basic

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

import numpy as np
from random_inputs import Inputs
from random_moves import MOVES
from random_nodes import BOUNDS, KINDS, Graph, Node, rounded

from ascend_opt.runtime.reference import reference_of

SAFE = ("neg", "abs", "relu", "leaky_relu", "clip", "dropout")
CURVES = ("exp", "sqrt", "rsqrt", "reciprocal", "tanh", "erf", "sigmoid", "gelu", "silu")
BINARY = ("add", "sub", "mul", "div", "maximum", "minimum")


def _apply(op: str, operands: Sequence[np.ndarray], attributes: dict[str, Any]) -> np.ndarray:
    with np.errstate(all="ignore"):
        wide = [o.astype(np.float64) for o in operands]
        return wide[0] if op == "cast" else np.asarray(reference_of(f"graph.{op}")(*wide, **attributes))


@dataclass
class _Grower(Inputs):
    """Adds ops to the nodes, as long as the comparison stays fair. `products`: what the Cube multiplies."""

    products: tuple[str, ...] = ("f16",)
    moving: bool = False
    """Whether elements are moved, too, and seen by windows (`random_moves`)."""

    def try_op(
        self, op: str, operands: Sequence[Node], attributes: dict[str, Any] | None = None
    ) -> Node | None:
        """Append the op and those operands that are new, if the comparison stays fair."""
        attributes = attributes or {}
        dtype = attributes["to"] if op == "cast" else operands[0].dtype
        try:
            exact = _apply(op, [o.exact for o in operands], attributes)
        except ValueError:
            return None
        stored = rounded(_apply(op, [o.stored for o in operands], attributes), dtype)
        inexact = op not in ("cast", "reshape", "dropout") and op != "constant"
        narrow = any(o.narrow for o in operands) or (
            dtype == "f16" and (inexact or operands[0].dtype == "f32")
        )
        curved = op in CURVES or any(o.curved for o in operands)
        if stored.size > self.most or not self.fair(op, operands, attributes, stored, exact, narrow):
            return None
        fresh: list[Node] = []
        for operand in operands:
            if all(operand is not n for n in (*self.nodes, *fresh)):
                fresh.append(operand)
        renamed: dict[str, str] = {}
        for operand in fresh:
            name = f"{operand.name[0]}{len(self.nodes)}"
            renamed[operand.name] = name
            self.nodes.append(replace(operand, name=name))
        names = []
        for operand in operands:
            is_new = any(operand is f for f in fresh)
            names.append(renamed[operand.name] if is_new else operand.name)
        node = Node(
            f"v{len(self.nodes)}", op, tuple(names), attributes, dtype, stored, exact, False, narrow, curved
        )
        self.nodes.append(node)
        return node

    def fair(
        self,
        op: str,
        operands: Sequence[Node],
        attributes: dict[str, Any],
        stored: np.ndarray,
        exact: np.ndarray,
        narrow: bool,
    ) -> bool:
        if self.kind == "extreme":
            if any(o.curved for o in operands) and op not in (*SAFE, "cast", "reshape"):
                return False  # what follows might enlarge the error
            if op in ("matmul", "conv2d") and not _exact_sums(op, operands, attributes):
                return False
            return op not in ("div", "reciprocal", "rsqrt") or bool((operands[-1].stored != 0).all())
        if not np.isfinite(stored).all() or not np.isfinite(exact).all():
            return False
        if self.kind in ("index", "integer"):
            return np.array_equal(stored.astype(np.float64), exact)
        if np.abs(exact).max(initial=0) > 2000:
            return False
        difference, norm = np.linalg.norm(stored - exact), np.linalg.norm(exact)
        dtype = "f16" if narrow else "f32"
        return bool(difference <= BOUNDS[dtype] / 5 * norm)

    def defined(self, op: str, x: np.ndarray) -> bool:
        if self.kind == "extreme":
            return op not in ("sqrt", "rsqrt") or bool((x >= 0).all())
        size = np.abs(x)
        if op in ("sqrt", "rsqrt"):
            return bool((x > 0.01).all())
        if op in ("reciprocal", "div"):
            return bool((size > 0.05).all()) or (self.kind != "gaussian" and bool((size > 0).all()))
        return op != "exp" or float(x.max(initial=0)) < 5

    def unary(self, x: Node) -> Node | None:
        rng = self.rng
        ops = SAFE if self.kind in ("index", "integer") else SAFE + CURVES
        op = rng.choice(ops)
        if not self.defined(op, x.stored):
            moved = self.try_op("abs", [x])
            if moved is None or self.kind != "gaussian":
                return moved
            c = self.constant((), x.dtype)
            half = replace(c, stored=rounded(np.array(0.5), x.dtype), exact=np.array(0.5))
            moved = self.try_op("add", [moved, half])
            if moved is None or not self.defined(op, moved.stored):
                return moved
            x = moved
        attributes: dict[str, Any] = {}
        exact = self.kind != "gaussian"
        if op == "leaky_relu":
            attributes["alpha"] = rng.choice((0.5, 0.25, 2.0, 1.0) if exact else (0.01, 0.1, 0.3, 1.5))
        elif op == "clip":
            low, high = rng.choice(((-1.0, 1.0), (0.0, 6.0), (None, 2.0), (-2.0, None), (0.0, 0.5)))
            attributes |= {"min": low, "max": high}
        elif op == "gelu":
            attributes["approximate"] = rng.choice(("none", "tanh"))
        elif op == "dropout":
            attributes["ratio"] = 0.25
        return self.try_op(op, [x], attributes)

    def partner_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """A shape that broadcasts with `shape`."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.3:
            return shape
        sizes = [1 if rng.random() < 0.4 else n for n in shape]
        sizes = [rng.randint(2, 7) if n == 1 and rng.random() < 0.2 else n for n in sizes]
        drop = rng.randint(0, len(shape)) if rng.random() < 0.4 else 0
        more = (
            tuple(rng.choice((1, 2, 3)) for _ in range(1)) if rng.random() < 0.08 and len(shape) < 5 else ()
        )
        return (*more, *sizes[drop:])

    def binary(self, x: Node) -> Node | None:
        rng = self.rng
        ops = BINARY if self.kind in ("gaussian", "extreme") else tuple(o for o in BINARY if o != "div")
        op = rng.choice(ops)
        draw = rng.random()
        known = [n for n in self.nodes if n.dtype == x.dtype and _broadcasts(n.shape, x.shape)]
        if draw < 0.12:
            y = x
        elif draw < 0.4 and known:
            y = rng.choice(known)
        elif draw < 0.6:
            y = self.constant(rng.choice(((), self.partner_shape(x.shape), x.shape)), x.dtype)
        else:
            role = "positive" if op == "div" else ""
            if self.kind == "index" and op in ("add", "sub") and rng.random() < 0.7:
                role = "zero"
            y = self.argument(self.partner_shape(x.shape), x.dtype, role)
        pair = [x, y] if rng.random() < 0.7 else [y, x]
        if op == "div" and not self.defined(op, pair[1].stored):
            pair.reverse()
            if not self.defined(op, pair[1].stored):
                return None
        return self.try_op(op, pair)

    def bias(self, x: Node) -> Node | None:
        if not x.shape:
            return None
        axis = self.rng.randrange(-len(x.shape), len(x.shape))
        role = "zero" if self.kind == "index" else ""
        return self.try_op(
            "bias_add", [x, self.argument((x.shape[axis],), x.dtype, role, 0.5)], {"axis": axis}
        )

    def norm(self, x: Node) -> Node | None:
        if len(x.shape) < 2 or self.kind != "gaussian":
            return None
        weight = self.rng.choice((0.0, 1.0))
        vectors = [self.argument((x.shape[1],), x.dtype, role, weight) for role in ("", "", "", "positive")]
        vectors = [replace(v, name=f"a{i}") for i, v in enumerate(vectors)]
        return self.try_op("batch_norm", [x, *vectors], {"epsilon": self.rng.choice((1e-5, 1e-3))})

    def cast(self, x: Node) -> Node | None:
        return self.try_op("cast", [x], {"to": "f32" if x.dtype == "f16" else "f16"})

    def reshape(self, x: Node) -> Node | None:
        rng, rest, sizes = self.rng, prod(x.shape), []
        for _ in range(rng.randint(0, 4)):
            factors = [f for f in (1, 2, 3, 4, 5, 7, 8, 16, 31, *x.shape) if rest % f == 0]
            sizes.append(rng.choice(factors))
            rest //= sizes[-1]
        if rest > 1 or not sizes:
            sizes = [] if prod(x.shape) == 1 and rng.random() < 0.5 else [*sizes, rest]
        rng.shuffle(sizes)
        if sizes and rng.random() < 0.3:
            sizes[rng.randrange(len(sizes))] = -1
        return self.try_op("reshape", [x], {"shape": tuple(sizes)})

    def matmul(self, x: Node) -> Node | None:
        rng = self.rng
        if x.dtype not in self.products or len(x.shape) < 2:
            return None
        ta, tb = rng.random() < 0.25, rng.random() < 0.3
        if rng.random() < 0.1 and len(x.shape) >= 2:
            return self.try_op("matmul", [x, x], {"transpose_a": False, "transpose_b": True})
        batch = x.shape[:-2]
        draw = rng.random()
        other = () if draw < 0.5 else batch
        if draw > 0.8:
            other = tuple(1 if rng.random() < 0.4 else n for n in batch)
        left = rng.random() < 0.8
        n = rng.choice((1, self.size(), self.size()))
        if left:
            k = x.shape[-2] if ta else x.shape[-1]
            shape, role = (*other, k, n), "matrix"
        else:
            k = x.shape[-1] if tb else x.shape[-2]
            shape, role = (*other, k, n), "matrix"  # drawn [K, M], then turned over
        if prod(shape) > self.most:
            return None
        y = self.argument(shape, x.dtype, role, 0.4)
        flipped = tb if left else not ta
        if flipped:
            turned = np.ascontiguousarray(np.swapaxes(y.stored, -1, -2))
            y = replace(y, stored=turned, exact=turned.astype(np.float64))
        attributes = {"transpose_a": ta, "transpose_b": tb}
        return self.try_op("matmul", [x, y] if left else [y, x], attributes)

    def conv(self, x: Node) -> Node | None:
        rng = self.rng
        if x.dtype not in self.products or len(x.shape) != 4 or x.shape[1] > 70:
            return None
        kernel = [rng.choice((1, 1, 2, 3, 3, 3, 5, 7)) for _ in range(2)]
        strides = [rng.choice((1, 1, 1, 2, 3)) for _ in range(2)]
        dilations = [rng.choice((1, 1, 1, 2)) for _ in range(2)]
        pads = [rng.choice((0, 0, 1, 1, 2, 3)) for _ in range(4)]
        for d in range(2):
            while x.shape[2 + d] + pads[d] + pads[2 + d] < dilations[d] * (kernel[d] - 1) + 1:
                kernel[d] -= 1
        filters = rng.choice((1, 3, 8, 16, 17, 32, 33, 40))
        w = self.argument((filters, x.shape[1], *kernel), x.dtype, "filters", 0.7)
        operands = [x, w]
        if rng.random() < 0.3 and self.kind != "extreme":  # its sum is rounded before the bias is added
            bias = self.argument((filters,), x.dtype, "zero" if self.kind == "index" else "", w.weight * 1.0)
            operands.append(replace(bias, name="ab"))
        attributes = {
            "strides": tuple(strides), "pads": tuple(pads), "dilations": tuple(dilations), "groups": 1,
        }  # fmt: skip
        return self.try_op("conv2d", operands, attributes)

    def step(self, x: Node) -> Node | None:
        moves = [
            (self.unary, 4), (self.binary, 4), (self.bias, 1), (self.norm, 1), (self.cast, 0.7),
            (self.reshape, 0.7), (self.matmul, 2), (self.conv, 4),
        ]  # fmt: skip
        if self.moving:
            moves += [(partial(one, self), weight) for one, weight in MOVES]
        (move,) = self.rng.choices([m for m, _ in moves], [w for _, w in moves])
        return move(x)

    def first(self) -> Node:
        """The first argument; half of the graphs start with a product."""
        rng = self.rng
        draw = rng.random()
        if rng.random() < 0.08:
            self.most *= 8
        if draw < 0.3:
            image = (
                rng.choice((1, 1, 2, 3)),
                rng.choice((1, 3, 8, 16, 17, 32, 40)),
                self.size(),
                self.size(),
            )
            if rng.random() < 0.1:
                image = (
                    1,
                    rng.choice((1, 3, 16)),
                    rng.randint(1, 6),
                    rng.choice((513, 515, 600, 1024, 1030)),
                )
            while prod(image) > self.most:
                image = (*image[:2], self.size(), self.size())
            node = self.argument(image, self.products[-1], weight=0.0)
            self.nodes.append(node)
            return self.conv(node) or node
        if draw < 0.6:
            node = self.argument(self.shape(rng.choice((2, 2, 2, 3, 4))), self.products[-1], weight=0.0)
            self.nodes.append(node)
            return self.matmul(node) or node
        dtype = rng.choice(("f16", "f16", "f32"))
        node = self.argument(self.shape(rng.choice((0, 1, 2, 2, 3, 4, 5))), dtype, weight=0.02)
        self.nodes.append(node)
        return node


def _exact_sums(op: str, operands: Sequence[Node], attributes: dict[str, Any]) -> bool:
    """Whether every partial sum of a product is a number of f32."""
    sizes: list[np.ndarray] = []
    unit = 1.0
    for operand in operands:
        size = np.abs(np.where(np.isfinite(operand.stored), operand.stored, 0).astype(np.float64))
        step = 2.0**-24
        while step < 2.0**16 and (size % (2 * step) == 0).all():
            step *= 2
        unit *= step
        sizes.append(size)
    return bool((_apply(op, sizes, attributes) < unit * 2.0**24).all())


def _broadcasts(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(x == y or 1 in (x, y) for x, y in zip(a[::-1], b[::-1], strict=False))


def random_graph(
    seed: int, kind: str | None = None, products: tuple[str, ...] = ("f16",), moving: bool = False
) -> Graph:
    """The graph of a seed. `products` are the element types that may be multiplied; the last one is that of the first
    argument. `moving`: with ops that move elements, pools and depthwise convolutions."""
    rng = random.Random(seed)
    chosen = kind or rng.choice(KINDS)
    grower = _Grower(rng, chosen, products=products, moving=moving)
    grower.first()
    length = rng.choice((1, 2, 3, 4, 5, 7, 9))
    for _ in range(4 * length):
        if sum(n.op not in ("", "constant") for n in grower.nodes) >= length:
            break
        ready = [n for n in grower.nodes if n.op != "constant"]
        grower.step(ready[-1] if rng.random() < 0.75 else rng.choice(ready))
    nodes = grower.nodes
    used = {o for n in nodes for o in n.operands}
    results = [n.name for n in nodes if n.op not in ("", "constant") and n.name not in used]
    ops = [n.name for n in nodes if n.op not in ("", "constant")]
    if ops and rng.random() < 0.2:
        results.append(rng.choice(ops))
    if rng.random() < 0.05 or not results:
        results.append(rng.choice([n.name for n in nodes]))
    return Graph(chosen, tuple(nodes), tuple(results))
