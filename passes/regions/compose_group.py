"""Regions of a fusion group: what part of each value one tile of the group's result needs.

Operand maps compose from the group's last op backwards; two windows in a row make one larger window (the halo
adds up). Dimensions that every value walks alike are then merged, so that an elementwise group over
[N, C, H, W] is one flat loop, and a batched product with shared weights is one large product.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from ...dialects.element_types import lanes_of
from ...dialects.tile import BLOCK
from ...dialects.tiling import Along, OperandMap, Picked, Whole, has_picked, picked_dims, reaches_outside
from ..support.run_size import fixed
from ..support.values import (
    INTEGERS,
    element_type_of,
    index_operands,
    joins,
    rule_of,
    scalar_operands,
    shape_of,
)
from .back_to_back import checked_back_to_back, is_back_to_back
from .compose_maps import NotFusableError, compose
from .data_movement import obstacle
from .loads import Load, addressed_operands
from .merge_dims import merged_dims
from .online import Stream, along_depth, checked_stream, streams_rows
from .padding import border_obstacle, fill_of
from .product_legality import check_rows, check_windows
from .regions import Regions, check_lanes
from .sibling_products import check_siblings, is_sibling
from .space import Space, reduced_dims, renamed, whole_rows


def group_regions(ops: Sequence[Operation]) -> Regions:
    """Regions of `ops`, in program order, whose last one gives the group's result.

    Raises `NotFusableError` when the ops do not compose: a value is needed through two different maps, two products, …
    """
    result = ops[-1].results[0]
    space = Space(shape_of(result))
    inside: dict[SSAValue, Operation] = {op.results[0]: op for op in ops}
    maps: dict[SSAValue, OperandMap] = {result: tuple(Along(d) for d in space.order)}
    loads: list[Load] = []
    reduced: dict[Operation, tuple[int, ...]] = {}
    rows: dict[Operation, frozenset[int]] = {}
    depth: tuple[int, ...] = ()
    product: Operation | None = None
    inner: Operation | None = None
    online: Operation | None = None
    siblings: list[Operation] = []
    for op in reversed(ops):
        rule = rule_of(op)
        outer = maps.get(op.results[0])
        if outer is None:
            raise NotFusableError(f"{op.name} does not feed the group's result")
        iteration = rule.iteration(op)
        beside: Operation | None = None
        if rule.engine == "cube":
            beside = next(
                (one for one in (inner, product) if one is not None and is_sibling(op, one, maps)), None
            )
        if beside is not None:
            siblings.append(op)
            reduced[op] = reduced[beside]
        elif rule.engine == "cube":
            if inner is not None or (product is not None and not along_depth(outer)):
                raise NotFusableError("two products need two accumulators")
            if product is not None and any(str(element_type_of(o)) in INTEGERS for o in op.operands):
                raise NotFusableError(f"sums of i32 are no operand of {product.name}")
            own = iteration.extents[iteration.parallel :]
            reduced[op] = tuple(-1 - len(depth) - k for k in range(len(own)))
            depth += own
            space.extents |= dict(zip(reduced[op], own, strict=True))
            product, inner = (op, None) if product is None else (product, op)
        elif online is None and streams_rows(op, iteration, outer):
            online = op
        elif iteration.whole or iteration.extents[iteration.parallel :]:
            reduced[op] = reduced_dims(iteration, outer, space)
            rows[op] = whole_rows(op, iteration, outer, reduced[op], space)
        scalars = scalar_operands(op)
        for i, (operand, entries) in enumerate(zip(op.operands, iteration.operands, strict=True)):
            if i in scalars:
                continue
            if i in index_operands(op):
                if operand in inside:
                    raise NotFusableError(f"{inside[operand].name} gives indices, which are read from GM")
                continue
            composed = tuple(compose(e, outer, iteration.parallel, reduced.get(op, ())) for e in entries)
            if operand in inside:
                producer = inside[operand].name
                if maps.setdefault(operand, composed) != composed:
                    raise NotFusableError(f"the result of {producer} is needed through two regions")
                if str(element_type_of(operand)) in INTEGERS:
                    raise NotFusableError(
                        f"{producer} gives {element_type_of(operand)}, which is made on the way to GM only"
                    )
                if any(isinstance(e, Whole | Picked) for e in composed):
                    raise NotFusableError(f"{op.name} needs all of what {producer} gives")
                reason = None if joins(op) else border_obstacle(op, iteration, i, producer)
                if reason is not None:
                    raise NotFusableError(reason)
            else:
                load = Load(operand, composed, fill_of(iteration, i))
                if load.fill is None and reaches_outside(composed, shape_of(operand), space.extents):
                    load = replace(load, fill=0.0)  # what is computed there is padding of an op that follows
                if any(load.clashes(other) for other in loads):
                    raise NotFusableError("an operand is padded with two different values")
                if load not in loads:
                    loads.append(load)
    addressed: dict[tuple[SSAValue, OperandMap], Load] = {}
    if product is not None:
        addressed, moved = addressed_operands(ops, maps, loads)
        ops = [op for op in ops if op not in moved]
        inside = {op.results[0]: op for op in ops}
    reason = obstacle(ops, maps, loads, inside, product)
    if reason is not None:
        raise NotFusableError(reason)
    chained = product is not None and is_back_to_back(product, inner)
    prologue = (
        frozenset[Operation]()
        if product is None
        else _prologue(product, () if inner else siblings, maps, inside, chained)
    )
    stream = chain = None
    if chained and product is not None and inner is not None:
        if rows or online is not None or addressed:
            raise NotFusableError("two convolutions have nothing but ops on elements between them and behind")
        chain = checked_back_to_back(tuple(ops), product, inner, prologue, maps)
    elif product is not None and (online is not None or inner is not None):
        if rows:
            raise NotFusableError(
                f"{next(iter(rows)).name} needs whole rows of what a product gives in parts"
            )
        stream = checked_stream(Stream(online, inner, tuple(siblings)), product, prologue, maps)
    elif product is not None:
        check_rows(product, rows, maps, prologue, maps[result])
    if product is not None and siblings:
        check_siblings(inner or product, siblings, stream is not None, rows, prologue)
    if product is not None:
        check_windows(product, maps, [load.maps for load in loads])
    place = space.numbers(len(depth))
    placed = {value: renamed(entries, place) for value, entries in maps.items()}
    regions = Regions(
        tuple(ops),
        result,
        (*space.extents_in_order, *depth),
        len(space.order),
        placed,
        tuple(replace(load, maps=renamed(load.maps, place)) for load in loads),
        tuple((d,) for d in range(len(space.order))),
        product,
        reduced={op: tuple(place[d] for d in dims) for op, dims in reduced.items()},
        rows={op: frozenset(place[d] for d in dims) for op, dims in rows.items()},
        siblings=tuple(siblings),
        prologue=prologue,
        stream=stream,
        back_to_back=chain,
        addressed={
            (value, renamed(entries, place)): replace(load, maps=renamed(load.maps, place))
            for (value, entries), load in addressed.items()
        },
    )
    regions = replace(regions, merged=merged_dims(regions))
    check_lanes(regions)
    for load in regions.loads:
        entries = regions.kernel_map(load.maps)
        if not has_picked(entries):
            continue
        lanes = len(regions.merged) - 1
        columns = [e.dim for e in entries if isinstance(e, Along)]
        across = max(picked_dims(entries), default=-1) >= lanes or (columns and columns[-1] < lanes)
        if product is not None or across:
            raise NotFusableError(
                "rows that indices pick are loaded to tiles of the Vector, one after the other"
            )
    now = fixed()
    factors = [0 if now is None else now.factor(extent) for extent in regions.kernel_extents] or [0]
    factor = factors[0]
    if any(factors) and not factor:
        raise NotFusableError("the dynamic dimension is not the first one of the kernel")
    if factor and (stream is not None or chain is not None):
        raise NotFusableError("a product that takes its operand from another one has static sizes")
    return replace(regions, factor=factor)


def _prologue(
    product: Operation,
    siblings: Sequence[Operation],
    maps: dict[SSAValue, OperandMap],
    inside: dict[SSAValue, Operation],
    chained: bool,
) -> frozenset[Operation]:
    """The ops that a product's left operand comes from; `NotFusableError` where tiles of it are not its operand's. With
    `chained` a window may see it, in L1."""
    contraction = rule_of(product).contraction(product)
    found: set[Operation] = set()
    waiting = [value for value in product.operands if value in inside]
    for sibling in siblings:
        waiting += [value for value in sibling.operands if value in inside and value not in waiting]
    if not waiting:
        return frozenset()
    name = inside[waiting[0]].name
    lhs = product.operands[contraction.lhs]
    if waiting != [lhs] or contraction.transpose_lhs:
        raise NotFusableError(
            f"{name} feeds a product's right or transposed operand, which the Cube reads from GM"
        )
    if lanes_of(element_type_of(lhs)) != BLOCK:
        blocks = f"blocks have {lanes_of(element_type_of(lhs))} elements"
        raise NotFusableError(f"{name} feeds a product in {element_type_of(lhs)}, whose {blocks}")
    padded = contraction.window is not None and any(contraction.window.pads)
    if not chained and (padded or not all(isinstance(e, Along) and e.is_identity for e in maps[lhs])):
        raise NotFusableError(f"{name} feeds a window of a product")
    while waiting:
        op = inside[waiting.pop()]
        found.add(op)
        waiting += [value for value in op.operands if value in inside]
    for op in found:
        outside = [use.operation for use in op.results[0].uses if use.operation not in (product, *siblings)]
        if any(user in inside.values() and user not in found for user in outside):
            raise NotFusableError(f"the result of {op.name} is needed before and after a product")
    return frozenset(found)


__all__ = ["group_regions"]
