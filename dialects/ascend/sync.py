"""Flags and barriers: what orders the in-order queues of a core.

`set_flag` goes to the queue of its source pipe and raises the flag once everything before it on that
pipe has finished; `wait_flag` goes to the queue of its destination pipe, stalls it until the flag is
up, and lowers it. A flag is one bit. `barrier` makes everything before it on the pipe finish before
anything after it starts.

A Cube core and the Vector cores beside it are ordered by cross-core flags, which count: `cross.pending` of the target
says how many sets may be ahead of the waits.
"""

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, StringAttr, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
)
from xdsl.utils.exceptions import VerifyException

from ..late_format import LateFormat
from ..shared_attributes import string_attribute
from ..target_types import PIPES


class FlagOp(LateFormat):
    """What `set_flag` and `wait_flag` share: a pair of pipes and an event id."""

    source = prop_def(StringAttr)
    destination = prop_def(StringAttr)
    event = operand_def(IndexType)
    FORMAT: ClassVar[str] = "$source `->` $destination `,` $event attr-dict"

    def __init__(self, source: str, destination: str, event: SSAValue):
        Operation.__init__(  # programs have many flags
            self,
            operands=[event],
            properties={"source": string_attribute(source), "destination": string_attribute(destination)},
        )

    def verify_(self) -> None:
        for pipe in (self.source.data, self.destination.data):
            if pipe not in PIPES:
                raise VerifyException(f"{self.name}: unknown pipe {pipe!r}; one of {', '.join(PIPES)}")
        if self.source.data == self.destination.data:
            raise VerifyException(
                f"{self.name}: a flag joins two pipes, both are {self.source.data}; use ascend.barrier"
            )


@irdl_op_definition
class SetFlagOp(FlagOp):
    """Raise flag (source, destination, event) when the source pipe has finished what came before.

    ascend.set_flag "MTE2" -> "V", %event
    """

    name = "ascend.set_flag"


@irdl_op_definition
class WaitFlagOp(FlagOp):
    """Stall the destination pipe until flag (source, destination, event) is up, then lower it.

    ascend.wait_flag "MTE2" -> "V", %event
    """

    name = "ascend.wait_flag"


@irdl_op_definition
class BarrierOp(LateFormat):
    """Everything before it on `pipe` finishes before anything after it on `pipe` starts; "ALL" means every pipe.

    ascend.barrier "V"

    `joined`: the instructions before and behind it are of one vector function (`ascend.vec`).
    """

    name = "ascend.barrier"
    pipe = prop_def(StringAttr)
    joined = opt_prop_def(UnitAttr)
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$pipe attr-dict"

    def __init__(self, pipe: str):
        super().__init__(properties={"pipe": StringAttr(pipe)})

    def verify_(self) -> None:
        if self.pipe.data not in (*PIPES, "ALL"):
            raise VerifyException(
                f"ascend.barrier: unknown pipe {self.pipe.data!r}; one of {', '.join(PIPES)}, ALL"
            )


@irdl_op_definition
class CrossSetFlagOp(LateFormat):
    """Count up a cross-core flag once everything before it on `pipe` has finished: a Cube core counts up those of all
    Vector cores beside it, a Vector core that of its Cube core.

    ascend.cross_set_flag "FIX", %event
    """

    name = "ascend.cross_set_flag"
    pipe = prop_def(StringAttr)
    event = operand_def(IndexType)
    FORMAT: ClassVar[str] = "$pipe `,` $event attr-dict"

    def __init__(self, pipe: str, event: SSAValue):
        super().__init__(operands=[event], properties={"pipe": StringAttr(pipe)})

    def verify_(self) -> None:
        if self.pipe.data not in PIPES:
            raise VerifyException(f"{self.name}: unknown pipe {self.pipe.data!r}; one of {', '.join(PIPES)}")


@irdl_op_definition
class CrossWaitFlagOp(LateFormat):
    """Stall the core until a cross-core flag was set, by all Vector cores where a Cube core waits; count it down.

    ascend.cross_wait_flag %event
    """

    name = "ascend.cross_wait_flag"
    event = operand_def(IndexType)
    FORMAT: ClassVar[str] = "$event attr-dict"

    def __init__(self, event: SSAValue):
        super().__init__(operands=[event])
