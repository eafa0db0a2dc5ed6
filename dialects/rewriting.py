"""Replacing an op so that what it says about itself survives: its location, and the names of its results."""

from collections.abc import Sequence

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint, Rewriter


def replace_with(
    op: Operation,
    new_ops: Operation | Sequence[Operation] = (),
    new_results: Sequence[SSAValue | None] | None = None,
    *,
    rewriter: PatternRewriter | None = None,
) -> None:
    """Put `new_ops` in the place of `op`, erase it, and let `new_results` take over its uses.

    Without `new_results` these are the results of the last new op. New ops without a location get that of
    `op`; their results without a name get that of the result that they replace. Pass the `rewriter` from
    within a rewrite pattern.
    """
    ops = [new_ops] if isinstance(new_ops, Operation) else list(new_ops)
    results = list(ops[-1].results if new_results is None and ops else new_results or ())
    insert_before(op, ops, rewriter=rewriter)
    for old, new in zip(op.results, results, strict=True):
        if new is not None and new.name_hint is None and new.owner in ops:
            new.name_hint = old.name_hint
    if rewriter is None:
        Rewriter.replace_op(op, [], results)
    else:
        rewriter.replace(op, [], results)


def insert_before(
    op: Operation, new_ops: Sequence[Operation], *, rewriter: PatternRewriter | None = None
) -> None:
    """Insert `new_ops` before `op`; those without a location get that of `op`."""
    for new in new_ops:
        for inner in new.walk():
            if isinstance(inner.location, UnknownLoc):
                inner.location = op.location
    if not new_ops:
        return
    if rewriter is None:
        Rewriter.insert_op(list(new_ops), InsertPoint.before(op))
    else:
        rewriter.insert(list(new_ops), InsertPoint.before(op))
