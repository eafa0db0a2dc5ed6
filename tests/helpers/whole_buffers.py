"""Programs whose instructions take whole buffers, for tests of what the memory planner knows of these."""

from ascend_programs import Program
from xdsl.ir import SSAValue

from ascend_opt.dialects.ascend import ViewOp
from ascend_opt.dialects.ascend.memory import memref_type
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.analysis.live_ranges import Usage, buffer_usages

CHIP = load_target("ascend910")
SIZE = 512


def usages(p: Program) -> dict[str, Usage]:
    return {u.label: u for u in buffer_usages(p.kernel, CHIP)}


def ub(p: Program, *names: str) -> list[SSAValue]:
    return [p.buffer(name, "ub", (SIZE,), 0) for name in names]


class Whole(Program):
    """Instructions on whole buffers and tensors: what is no view gets one."""

    def whole(self, value: SSAValue) -> SSAValue:
        shape = memref_type(value).get_shape()
        return value if isinstance(value.owner, ViewOp) else self.view(value, shape)

    def copy(self, source: SSAValue, destination: SSAValue, **flags: bool) -> None:
        super().copy(self.whole(source), self.whole(destination), **flags)

    def vec(self, name: str, *sources: SSAValue, to: SSAValue, scalar: float | None = None) -> None:
        super().vec(name, *map(self.whole, sources), to=self.whole(to), scalar=scalar)
