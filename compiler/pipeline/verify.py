"""Verification as the driver does it: what xDSL checks, and that every value is defined before its use.

xDSL 0.74 accepts a module in which an op uses the result of a later op of the same block, which a pass
that moves ops can easily produce.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove

from ...dialects.walked import walked
from ..text.diagnostics import OpError
from ..text.other_names import attribute_hint
from .verified import Verified

OWN = ("graph", "tile", "ascend")
"""Our dialects."""


Kept = frozenset[Operation]
"""Ops whose bodies a pass leaves as they were."""


def verify_module(module: ModuleOp, kept: Kept = frozenset(), verified: Verified | None = None) -> None:
    """Verify a module, all but the bodies of the ops in `kept`. Raises VerifyException, or OpError when a value is used
    where it is not defined. `verified`: what the verifications before this one have seen."""
    _check_symbols(module)
    _verify(module, kept, Verified() if verified is None else verified)
    _check_attributes(module, kept)
    for region in module.regions:
        _check_region(region, set(), kept)


def kept_by(one: ModulePass, module: ModuleOp) -> Kept:
    """The ops whose bodies a pass, which is to run next, leaves as they are: those of the kinds that it says
    (`keeps`)."""
    kinds = cast(tuple[type[Operation], ...], getattr(one, "keeps", ()))
    found = _walked(module, frozenset(), kinds) if kinds else ()
    return frozenset(op for op in found if isinstance(op, kinds))


def verify_after(
    one: ModulePass, module: ModuleOp, kept: Kept = frozenset(), verified: Verified | None = None
) -> None:
    """Verify a module as a pass left it, which kept the bodies of the ops in `kept`. Where the pass says that it does
    no more than set attributes of some ops (`annotates`), these are all that is looked at. Raises as
    `verify_module`."""
    annotated = cast(tuple[type[Operation], ...], getattr(one, "annotates", ()))
    if not annotated:
        verify_module(module, kept, verified)
        return
    verified = Verified() if verified is None else verified
    for op in walked(module):
        if isinstance(op, annotated):
            verified.verify_op(op)
            _check_attribute_names(op)


def _walked(op: Operation, kept: Kept, kinds: tuple[type[Operation], ...] = ()) -> list[Operation]:
    """An op and those inside, without those inside ops in `kept` or of one of `kinds`."""
    found = [op]
    if op not in kept and not (kinds and isinstance(op, kinds)):
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    found += _walked(inner, kept, kinds) if inner.regions else [inner]
    return found


def _verify(op: Operation, kept: Kept, verified: Verified) -> None:
    """What xDSL verifies of an op and those inside, which come first."""
    for region in op.regions if op not in kept else ():
        for block in region.blocks:
            first = block.first_op
            if first is None or block.parent is not region:
                region.verify()
            for inner in block.ops:
                if inner.parent is not block:
                    block.verify()
                _verify(inner, kept, verified)
    verified.verify_op(op)


def _check_symbols(module: ModuleOp) -> None:
    """xDSL reports a symbol defined twice at the module; this is about the second definition."""
    seen: set[str] = set()
    for op in module.body.ops:
        name = op.get_attr_or_prop("sym_name")
        if isinstance(name, StringAttr):
            if name.data in seen:
                raise OpError(op, f"redefinition of '@{name.data}'")
            seen.add(name.data)


def _check_attributes(module: ModuleOp, kept: Kept) -> None:
    """xDSL keeps attributes that an op does not have; of our ops only those of a dialect (`ascend.name`) stay, so that
    a misspelt one is not lost."""
    for op in _walked(module, kept):
        _check_attribute_names(op)


def _check_attribute_names(op: Operation) -> None:
    if not op.attributes or op.dialect_name() not in OWN:
        return
    known = sorted(cast(IRDLOperation, op).get_irdl_definition().properties)
    for name in op.attributes:
        if "." not in name:
            only = f", only {', '.join(known)}" if known else ", nor any other"
            raise OpError(op, f"{op.name}: has no attribute {name!r}{attribute_hint(name, known) or only}")


def _check_region(region: Region, visible: set[int], kept: Kept) -> None:
    """Check the ops of a region, all but the bodies of those in `kept`, against the values visible around it, by their
    `id` (left as they were)."""
    defined: list[int] = []
    if len(region.blocks) > 1:
        # Blocks of a control-flow graph: order in the text says nothing, so all their values count.
        for block in region.blocks:
            defined += map(id, (*block.args, *(result for op in block.ops for result in op.results)))
        visible.update(defined)
    for block in region.blocks:
        defined += map(id, block.args)
        visible.update(map(id, block.args))
        for op in block.ops:
            for operand in op.operands:
                if id(operand) not in visible:
                    _report(op, operand)
            for inner in op.regions if op not in kept else ():
                _check_region(inner, set() if op.has_trait(IsolatedFromAbove) else visible, kept)
            given = [id(result) for result in op.results]
            defined += given
            visible.update(given)
    visible.difference_update(defined)


def _report(op: Operation, operand: SSAValue) -> None:
    name = f"%{operand.name_hint}" if operand.name_hint else f"operand {list(op.operands).index(operand)}"
    raise OpError(op, f"{op.name}: {name} is used before it is defined, or outside of where it is visible")
