"""What the ops of a kernel ask of a chip, however it is tiled, and the bound that follows from it.

    work = graph_work(function, target)
    work.bound(target, warm=False)          Bound(us=21.9, limit="HBM")

Counted is what no kernel of these ops can leave out:

- Bytes of an argument that reach the result: what slices leave out is not read, views of one argument are one tensor,
  and of what is looked up by index one row is sure. What depends on weights alone is prepared once.
- Products by their definition: a multiply-add for each element and each step of the sum, none for the padding of an
  image, and none for the upper half of causal scores. Heads that share keys read them once.
- Vector instructions: an `exp`, `log`, root or quotient of an element costs its own; two other operations may be one
  instruction. In a kernel with a product FixPipe may do the others. Integers, masks and conversions are left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from math import prod

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects.attributes import tensor_type
from ...dialects.element_types import ELEMENT_BYTES, name_of
from ...dialects.graph import AttentionOp, ConstantOp, Conv2dOp, SliceOp, SoftmaxMatmulOp
from ...dialects.graph.arguments import weight_values
from ...dialects.graph.base import bare_names
from ...dialects.graph.rules import Composite
from ...dialects.graph.slicing import slice_parts
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tiling import Along, DimMap, Picked
from ...runtime.machine.limits import hbm_cycles, port_cycles
from ..support.values import iteration_of, moves, rule_of, shape_of

OWN: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("exp", "sigmoid", "silu", "softmax", "log_softmax", "softmax_matmul"), ("vexp",)),
    "log": ("vln",),
    "sqrt": ("vsqrt",),
    "rsqrt": ("vrsqrt", "vsqrt"),
    "div": ("vdiv", "vrec"),
}
"""Ops each element of which takes one of these instructions."""
FREE = ("cast", "dropout", "compare", "quantize", "dequantize", "keep_where", "gather")
"""Ops that may come with another one, or with a move."""
SHARED = 0.5
"""Instructions of an operation that may be half of one: a multiply-add, a sum of absolutes."""


@dataclass(frozen=True)
class Bound:
    """The least microseconds, and the resource that needs them."""

    us: float
    limit: str


@dataclass(frozen=True)
class GraphWork:
    """`read`: bytes by the arguments that they depend on, several only where all are weights; `written` bytes;
    `cube` and `vector`: cycles of one core. `product`: whether the Cube has a part in it."""

    read: Mapping[tuple[str | int, ...], int] = field(default_factory=dict[tuple[str | int, ...], int])
    written: int = 0
    cube: float = 0.0
    vector: float = 0.0
    product: bool = False

    def bound(self, target: Target, held: int) -> Bound:
        """The bound of the work where L2 holds at most `held` of the bytes read when it begins."""
        kinds = ["aic", "aiv"] if self.product else ["aiv"]
        read = sum(self.read.values())
        cycles = {
            "HBM": hbm_cycles(target, read - min(read, held, target.memory.l2_bytes), self.written),
            "L2": port_cycles(target, kinds if target.split else ["aicore"], read, self.written),
            "Cube": self.cube / target.cores,
            "Vector": self.vector / target.vector_units,
        }
        limit = max(cycles, key=lambda name: cycles[name])
        return Bound(target.microseconds(cycles[limit]), limit)


def together(works: Sequence[GraphWork]) -> GraphWork:
    """What kernels that run side by side ask of the chip; bytes that several read count once."""
    read: dict[tuple[str | int, ...], int] = {}
    for work in works:
        read |= {sources: max(count, read.get(sources, 0)) for sources, count in work.read.items()}
    return GraphWork(
        read,
        sum(work.written for work in works),
        sum(work.cube for work in works),
        sum(work.vector for work in works),
        any(work.product for work in works),
    )


def graph_work(function: FuncOp, target: Target, arguments: Sequence[str | int] | None = None) -> GraphWork:
    """The work of a function of graph ops with static shapes. `arguments`: what they are called, else by position."""
    function = function.clone()
    block = function.body.block
    _take_apart(block.ops)
    ready = weight_values(function)
    ops = [op for op in block.ops if not isinstance(op, ReturnOp) and not ready.issuperset(op.results)]
    returned = next(op for op in block.ops if isinstance(op, ReturnOp)).operands
    product = any(isinstance(op, AttentionOp) or rule_of(op).engine == "cube" for op in ops)
    read = _read(function, ops, returned, ready)
    named = arguments or range(len(block.args))
    return GraphWork(
        {tuple(named[i] for i in sources): count for sources, count in read.items()},
        sum(map(_bytes, dict.fromkeys(returned))),
        sum(_cube(op, target) for op in ops),
        sum(_vector(op, target, product) for op in ops),
        product,
    )


def _take_apart(ops: Iterable[Operation]) -> None:
    """Put what composite ops are made of in their place; attention stays."""
    waiting = list(ops)
    while waiting:
        op = waiting.pop()
        rule = None if isinstance(op, ReturnOp) else rule_of(op)
        if not isinstance(rule, Composite) or isinstance(op, AttentionOp) or op.parent is None:
            continue
        new = rule.expand(op)
        op.parent.insert_ops_before(new, op)
        for old, made in zip(op.results, new[-len(op.results) :], strict=True):
            old.replace_all_uses_with(made.results[0])
        op.detach()
        op.erase()
        waiting += new


def _bytes(value: SSAValue) -> int:
    return prod(shape_of(value)) * ELEMENT_BYTES[_type(value)]


def _type(value: SSAValue) -> str:
    return name_of(tensor_type(value).element_type)


def _read(
    function: FuncOp, ops: Sequence[Operation], returned: Sequence[SSAValue], ready: set[SSAValue]
) -> dict[tuple[int, ...], int]:
    """The bytes of the arguments that the results depend on."""
    share: dict[SSAValue, float] = dict.fromkeys(returned, 1.0)
    slices: dict[SSAValue, list[SliceOp]] = {}
    for op in reversed(ops):
        for value in op.results:
            share[value] = max(share.get(value, 0.0), _covered(slices.get(value, ())))
        reached = max(share[value] for value in op.results)
        for index, operand in enumerate(op.operands):
            if isinstance(op, SliceOp) and reached == 1.0:
                slices.setdefault(operand, []).append(op)
                continue
            share[operand] = max(share.get(operand, 0.0), reached * _share(op, index))
    number: dict[SSAValue, int] = {argument: i for i, argument in enumerate(function.body.block.args)}
    found: dict[tuple[int, ...], int] = {}
    for value in dict.fromkeys([*share, *slices]):
        part = max(share.get(value, 0.0), _covered(slices.get(value, ())))
        sources = _sources(value, number) if value in number or value in ready else ()
        if part and sources:
            all_ = sum(_bytes(function.body.block.args[i]) for i in sources)
            found[sources] = max(found.get(sources, 0), int(part * min(_bytes(value), all_)))
    return found


def _sources(value: SSAValue, number: Mapping[SSAValue, int]) -> tuple[int, ...]:
    """The arguments that a value depends on."""
    found: set[int] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if one in number:
            found.add(number[one])
        elif isinstance(one.owner, Operation):
            waiting += one.owner.operands
    return tuple(sorted(found))


def _covered(slices: Sequence[SliceOp]) -> float:
    """The share of a tensor that slices of it have, where they differ along one axis; else that of the largest."""
    if not slices:
        return 0.0
    shape = shape_of(slices[0].x)
    parts = [slice_parts(shape, op.attribute_values()) for op in slices]
    varied = [d for d in range(len(shape)) if len({tuple(part[d]) for part in parts}) > 1]
    shares = [prod(count for _, count, _ in part) / prod(shape) for part in parts]
    if len(varied) != 1 or any(step != 1 for part in parts for *_, step in part):
        return max(shares)
    union, last = 0, 0
    for first, count, _ in sorted(part[varied[0]] for part in parts):
        union += max(0, first + count - max(last, first))
        last = max(last, first + count)
    return max(shares) / max(part[varied[0]][1] for part in parts) * union


def _share(op: Operation, index: int) -> float:
    """The share of an operand's elements that the op's results depend on."""
    if isinstance(op, AttentionOp):
        (*_, rows, _), columns = shape_of(op.q), shape_of(op.k)[-2]
        causal = op.causal.value.data and index in (1, 2)
        return min(rows, columns) / columns if causal else 1.0
    iteration, shape = iteration_of(op), shape_of(op.operands[index])
    if index >= len(iteration.operands) or len(iteration.operands[index]) != len(shape):
        return 1.0
    sides = zip(iteration.operands[index], shape, strict=True)
    contracted = rule_of(op).engine == "cube"
    return prod(_along(side, size, iteration.extents, contracted) for side, size in sides)


def _along(side: DimMap, size: int, extents: Sequence[int], contracted: bool) -> float:
    """The same along one dimension of `size`; of a product all channels are in some group."""
    if isinstance(side, Picked):
        return 1 / size
    if not isinstance(side, Along) or size <= 1:
        return 1.0
    if side.is_identity:
        return 1.0 if contracted else min(1.0, extents[side.dim] / size)
    results = -(-extents[side.dim] // side.repeat)
    if not side.stride:
        return 1.0
    apart = side.stride > side.window or side.dilation > 1
    padded = 2 * max(0, side.pad)
    reached = results * side.window if apart else side.span(results)
    if side.dilation > 1:
        reached = min(reached, results)
    return max(0.0, min(1.0, (reached - padded) / size))


def _pairs(rows: int, columns: int, causal: bool) -> int:
    """How many scores count."""
    if not causal:
        return rows * columns
    whole = min(rows, columns)
    return whole * (whole + 1) // 2 + max(0, rows - columns) * columns


def _cube(op: Operation, target: Target) -> float:
    """Cycles of one Cube."""
    if isinstance(op, AttentionOp):
        (*outer, rows, depth), (*_, columns, wide) = shape_of(op.q), shape_of(op.v)
        products = prod(outer) * _pairs(rows, columns, bool(op.causal.value.data)) * (depth + wide)
    elif rule_of(op).engine == "cube":
        iteration = iteration_of(op)
        products = prod(iteration.extents)
        if isinstance(op, Conv2dOp):
            products = int(products * _inside(op))
        elif shape_of(op.operands[0]) and op.properties.get("part") is not None:
            parts = shape_of(op.results[0])[0]
            products //= parts
    else:
        return 0.0
    fractals = target.cube.fractal
    own = fractals.get(_type(op.operands[0]))
    kinds = [own] if own is not None else list(fractals.values())
    return products / max(16 * 16 * one.k0 / one.cycles for one in kinds)


def _inside(op: Conv2dOp) -> float:
    """The share of a convolution's taps that lie in the image."""
    share = 1.0
    for side, size in zip(iteration_of(op).operands[0][2:], shape_of(op.x)[2:], strict=True):
        assert isinstance(side, Along)
        results = iteration_of(op).extents[side.dim]
        taps = range(side.window)
        at = [i * side.stride - side.pad + side.dilation * j for i in range(results) for j in taps]
        share *= sum(0 <= one < size for one in at) / len(at)
    return share


def _taps(op: Operation) -> int:
    """Products for each result of a depthwise convolution; 1 for other ops, pools among them: a maximum or a sum of a
    window can be had from those of its halves."""
    return prod(shape_of(op.w)[2:]) if isinstance(op, Conv2dOp) else 1


def _vector(op: Operation, target: Target, product: bool) -> float:
    """Cycles of one Vector unit. `product`: the kernel has one."""
    vector, name = target.vector, bare_names([op.name])
    if isinstance(op, AttentionOp):
        (*outer, rows, _), columns = shape_of(op.q), shape_of(op.k)[-2]
        elements = prod(outer) * _pairs(rows, columns, bool(op.causal.value.data))
        own = ("vexp",)
    else:
        computes = rule_of(op).engine == "vector" and not moves(op) and name not in FREE
        if isinstance(op, ConstantOp) or not (computes or isinstance(op, SoftmaxMatmulOp)):
            return 0.0
        weighted = isinstance(op, SoftmaxMatmulOp)
        elements = prod(shape_of(op.operands[0]) if weighted else iteration_of(op).extents)
        taps = _taps(op)
        if taps > 1:
            elements, product = prod(shape_of(op.results[0])) * taps, False
        own = OWN.get(name, ())
        if name == "div" and min(prod(shape_of(v)) for v in op.operands) < elements:
            own = ()
    kind = _type(op.operands[0])
    if kind not in ("f16", "bf16", "f32"):
        return 0.0
    types = [t for t in vector.compute if ELEMENT_BYTES[t] >= ELEMENT_BYTES[kind] and t != "i32"] or ["f32"]
    lanes = {t: vector.bytes_per_repeat / ELEMENT_BYTES[t] for t in types}
    if own:
        return elements * min(vector.per_repeat(one, t) / lanes[t] for one in own for t in types)
    if product:
        return 0.0
    return SHARED * elements * min(vector.per_repeat("default", t) / lanes[t] for t in types)


__all__ = ["Bound", "GraphWork", "graph_work"]
