"""What a fusion group reads from outside, and operands of products that are only moved on the way.

    %q = transpose(%x) {perm = [0, 2, 1, 3]}      x: [B, S, H, D]
    %a = matmul(%q, %k)                            rows of q lie H * D elements apart in x: the load's addresses

A product's DMA reads rows of any pitch, so ops that put dimensions in another order or take a part of them are its
operand's addresses, as long as the last dimension stays the last one.
"""

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects.records import dataclass
from ...dialects.tiling import Along, OperandMap, Unit, reaches_outside
from ..support.values import iteration_of, joins, moves, rule_of, shape_of
from .compose_maps import compose


@dataclass(frozen=True)
class Load:
    """A tensor that the group reads, and how: `value` from outside, needed through `maps` by the group's space."""

    value: SSAValue
    maps: OperandMap
    fill: float | None

    def clashes(self, other: "Load") -> bool:
        """Whether the two are one tile, but for what lies outside of the tensor."""
        same = self.value is other.value and self.maps == other.maps
        return same and None not in (self.fill, other.fill) and self.fill != other.fill


def only_moves(op: Operation) -> bool:
    """Whether an op only puts elements of one tensor elsewhere."""
    return moves(op) and not joins(op) and len(op.operands) == 1


def op_names(ops: Sequence[Operation]) -> tuple[str, ...]:
    """The names of a group's ops; of moves that are alike and take the same tensor, one."""
    same: dict[object, object] = {}
    names: list[str] = []
    for op in ops:
        if only_moves(op):
            moved = op.operands[0]
            key = op.name, tuple(sorted(op.properties.items())), same.get(moved, moved)
            if key in same.values():
                same[op.results[0]] = key
                continue
            same[op.results[0]] = key
        names.append(op.name)
    return tuple(names)


def addressed_operands(
    ops: Sequence[Operation], maps: Mapping[SSAValue, OperandMap], loads: Sequence[Load]
) -> tuple[dict[tuple[SSAValue, OperandMap], Load], frozenset[Operation]]:
    """The operands of the products among `ops` that are loads in another order, by operand and its map, and the ops
    that state the order."""
    inside: dict[SSAValue, Operation] = {op.results[0]: op for op in ops}
    found: dict[tuple[SSAValue, OperandMap], Load] = {}
    moved: set[Operation] = set()
    for product in ops:
        if rule_of(product).engine != "cube" or rule_of(product).contraction(product).window is not None:
            continue
        for operand in product.operands:
            chain: list[Operation] = []
            value, entries = operand, maps.get(operand, ())
            while value in inside and only_moves(inside[value]) and _used_once(value, ops):
                op = inside[value]
                iteration = iteration_of(op)
                entries = tuple(compose(e, entries, iteration.parallel, ()) for e in iteration.operands[0])
                chain.append(op)
                value = op.operands[0]
            load = next((one for one in loads if one.value is value and one.maps == entries), None)
            if not chain or value in inside or load is None:
                continue
            if not _keeps_rows(maps[operand], entries, _batches(product, maps)):
                continue
            sizes = {
                e.dim: n
                for e, n in zip(maps[operand], shape_of(operand), strict=True)
                if isinstance(e, Along)
            }
            if not reaches_outside(entries, shape_of(value), sizes):
                found[operand, maps[operand]] = load
                moved.update(chain)
    return found, frozenset(moved)


def _used_once(value: SSAValue, ops: Sequence[Operation]) -> bool:
    return sum(operand is value for op in ops for operand in op.operands) == 1


def _batches(product: Operation, maps: Mapping[SSAValue, OperandMap]) -> frozenset[int]:
    """The dimensions of the group's space along which a product is several, which may read one operand."""
    outer = maps[product.results[0]]
    entries = (outer[d] for d in rule_of(product).contraction(product).batch)
    return frozenset(e.dim for e in entries if isinstance(e, Along))


def _keeps_rows(operand: OperandMap, read: OperandMap, batches: frozenset[int]) -> bool:
    """Whether what is read follows the operand's last dimension with its own last one, has all rows and columns of a
    matrix, and nothing is left out, or padded before it, within what a tile reads."""
    along = [e for e in read if isinstance(e, Along)]
    if not {e.dim for e in operand if isinstance(e, Along)} <= {e.dim for e in along} | batches:
        return False
    last, mine = operand[-1], read[-1]
    plain = all(e.stride == 1 and e.window == 1 and e.repeat == 1 and e.pad <= 0 for e in along)
    known = all(isinstance(e, Along | Unit) for e in read)
    return plain and known and isinstance(last, Along) and isinstance(mine, Along) and last.dim == mine.dim
