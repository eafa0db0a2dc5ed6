"""Horizontal fusion: launches that need nothing of each other become one, in which each runs on cores of its own.

    ascend.launch @f_0(%x, %a)        ->   ascend.launch @f_0_with_1(%x, %a, %b)
    ascend.launch @f_1(%x, %b)
                                           %i = ascend.block_idx
                                           scf.if %i < 8   { … f_0 with block index %i     }
                                           scf.if %i >= 8  { … f_1 with block index %i - 8 }

Small kernels take less time than their launch, and leave cores idle. Where there are fewer cores than all of them
have, some run one after the other on the same cores, with a barrier between them. A launch comes earlier for that,
behind all that it depends on. Kernels are joined as they are: flags and addresses in them stay, so this comes behind
`ascend-insert-sync`, and before the workspace is planned, in which lifetimes then are other ones. A workspace that was
planned before has to be planned again.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import ascend
from ..dialects.helpers import is_helper
from ..dialects.locations import fused_location
from ..dialects.records import dataclass
from .launches.independent import JOIN_LAUNCHES, forget_predicted
from .launches.joined_kernel import joined_kernel, joined_name
from .launches.plan import Joined, Part, plan_launches
from .launches.report import JoinedKernel, JoinedLaunch, JoinedReport
from .rewrites.size_dispatch import variants_called
from .support.module import chip_of, functions_of, lowered_kernels
from .support.options import Pass
from .support.report import add_report, reports_wanted
from .sync.launch_order import check_order


@dataclass(frozen=True)
class AscendJoinLaunches(Pass):
    """Join launches that need nothing of each other. `asked`: only those of functions that ask for it."""

    name = "ascend-join-launches"
    keeps: ClassVar = (ascend.KernelOp,)
    target: str | None = None
    asked: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        functions = [
            one
            for one in functions_of(op)
            if not is_helper(one.sym_name.data) and (not self.asked or JOIN_LAUNCHES in one.attributes)
        ]
        if not functions:
            return
        kernels = {kernel.sym_name.data: kernel for kernel in lowered_kernels(op, target)}
        editor, told = _Editor(op, kernels), list[JoinedLaunch]()
        for function in functions:
            function.attributes.pop(JOIN_LAUNCHES, None)
            found = () if variants_called(function) else plan_launches(function, kernels, target)
            forget_predicted(function)
            for joined in found:
                name = editor.join(joined)
                told.append(_told(function, name, joined, kernels))
            if found:
                _drop_offsets(function)
        if not told:
            return
        _drop_unused(op, editor.parts)
        check_order(op, target, editor.made, editor.made)
        if reports_wanted():
            add_report(JoinedReport(tuple(told)))


def _told(
    function: FuncOp, name: str, joined: Joined, kernels: Mapping[str, ascend.KernelOp]
) -> JoinedLaunch:
    """What the report says of a joined launch."""
    found = [
        JoinedKernel(part.kernel, kind, part.start, part.start + kernels[part.kernel].core_count - 1)
        for kind, parts in joined.parts.items()
        for part in parts
        if part is not None
    ]
    return JoinedLaunch(function.sym_name.data, name, joined.numbers, tuple(found))


class _Editor:
    """Puts joined launches into a module. Equal ones launch the same kernels."""

    def __init__(self, module: ModuleOp, kernels: dict[str, ascend.KernelOp]):
        self.kernels = kernels
        self.made: dict[ascend.KernelOp, Collection[int]] = {}
        """The kernels that were made, with the first and the last block index of each of their parts."""
        named = (op.get_attr_or_prop("sym_name") for op in module.body.block.ops)
        self._taken = {name.data for name in named if isinstance(name, StringAttr)}
        self.parts: dict[str, ascend.KernelOp] = {}
        """The kernels that were joined."""
        self._known: dict[object, list[str]] = {}

    def join(self, joined: Joined) -> str:
        """Put one launch in the place of several; the name of its first kernel."""
        first = joined.launches[0]
        tensors = list(dict.fromkeys(value for op in joined.launches for value in op.arguments))
        places = [tuple(tensors.index(value) for value in op.arguments) for op in joined.launches]
        _define_before(first, tensors)
        names = self._kernels(joined, places, [value.type for value in tensors])
        parts = [
            ascend.LaunchPart(op.computes, number, at[op.result])
            for op, number, at in zip(joined.launches, joined.numbers, places, strict=True)
        ]
        beside = names[1] if len(names) > 1 else None
        launch = ascend.LaunchOp(names[0], tensors, beside, parts=parts)
        launch.location = fused_location([op.location for op in joined.launches])
        Rewriter.insert_op(launch, InsertPoint.before(first))
        for op in joined.launches:
            Rewriter.erase_op(op)
        return names[0]

    def _kernels(
        self, joined: Joined, places: Sequence[tuple[int, ...]], arguments: Sequence[Attribute]
    ) -> list[str]:
        """The names of the kernels of a launch, of each kind of core."""
        key = tuple(joined.parts.items()), tuple(places)
        if key not in self._known:
            name = self._free_name(joined)
            made = {kind: self._kernel(kind, joined, places, arguments) for kind in joined.parts}
            for kind, kernel in made.items():
                kernel.sym_name = StringAttr(f"{name}_{kind}" if len(made) > 1 else name)
                self.kernels[kernel.sym_name.data] = kernel
                self._taken.add(kernel.sym_name.data)
                self.made[kernel] = self._ends(joined.parts[kind])
            self._known[key] = [kernel.sym_name.data for kernel in made.values()]
        return self._known[key]

    def _free_name(self, joined: Joined) -> str:
        name = joined_name([op.kernels[0] for op in joined.launches])
        while any(f"{name}{end}" in self._taken for end in ("", "_aic", "_aiv")):
            name += "_"
        return name

    def _ends(self, parts: Sequence[Part | None]) -> set[int]:
        """The first and the last block index of each part."""
        known = [part for part in parts if part is not None]
        last = {part.start + self.kernels[part.kernel].core_count - 1 for part in known}
        return last | {part.start for part in known}

    def _kernel(
        self, kind: str, joined: Joined, places: Sequence[tuple[int, ...]], arguments: Sequence[Attribute]
    ) -> ascend.KernelOp:
        """The kernel for one kind of core."""
        found = [(part, at) for part, at in zip(joined.parts[kind], places, strict=True) if part is not None]
        kernels = [self.kernels[part.kernel] for part, _ in found]
        firsts = (self.kernels[op.kernels[0]] for op in joined.launches)
        ops = [one.data for kernel in firsts for one in kernel.ops or ()]
        parts = [(kernel, part.start, at) for kernel, (part, at) in zip(kernels, found, strict=True)]
        made = joined_kernel(parts, arguments, joined.cores[kind], ops)
        Rewriter.insert_op(made, InsertPoint.after(kernels[0]))
        self.parts |= {kernel.sym_name.data: kernel for kernel in kernels}
        return made


def _define_before(launch: Operation, values: Sequence[SSAValue]) -> None:
    """Move what defines tensors, none of it a launch, in front of a launch."""
    block = launch.parent_block()
    assert block is not None
    order = {op: i for i, op in enumerate(block.ops)}
    needed: set[Operation] = set()
    waiting = list(values)
    while waiting:
        owner = waiting.pop().owner
        if isinstance(owner, Operation) and order.get(owner, -1) > order[launch] and owner not in needed:
            needed.add(owner)
            waiting += owner.operands
    for op in sorted(needed, key=order.__getitem__):
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(launch))


def _drop_offsets(function: FuncOp) -> None:
    """Take back the places of tensors in a workspace that was planned: lifetimes are others now."""
    for op in function.body.block.ops:
        if isinstance(op, ascend.GmAllocOp):
            op.offset = None


def _drop_unused(module: ModuleOp, joined: dict[str, ascend.KernelOp]) -> None:
    """Erase the kernels `joined` that no launch runs any longer."""
    used = {
        name
        for function in module.body.block.ops
        if isinstance(function, FuncOp) and function.body.blocks
        for op in function.walk()
        if isinstance(op, ascend.LaunchOp)
        for name in op.kernels
    }
    for name, kernel in joined.items():
        if name not in used:
            Rewriter.erase_op(kernel)


__all__ = ["AscendJoinLaunches"]
