"""What orders pipes and cores in HIVM, and what the scalar unit asks for: block indices, places in memory."""

from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, MemRefType
from xdsl.irdl import opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from .attributes import CoreType, Event, InstrMode, Pipe, SyncBlockMode
from .base import HivmOp, define


class FlagOp(HivmOp):
    """A pair of pipes and an event id, which is stated or computed."""

    GROUPS: ClassVar = ("event?",)
    set_pipe = prop_def(Pipe)
    wait_pipe = prop_def(Pipe)
    static_event_id = opt_prop_def(Event)

    def verify_(self) -> None:
        super().verify_()
        if (self.static_event_id is None) != bool(self.operands):
            raise VerifyException(f"{self.name}: an event id is stated or computed, one of both")


class BlockFlagOp(HivmOp):
    """A flag between a Cube core and its Vector cores: `tpipe` sets it, `pipe` waits."""

    GROUPS: ClassVar = ("flag?", "ffts?")
    tcore_type = prop_def(CoreType)
    tpipe = prop_def(Pipe)
    pipe = prop_def(Pipe)
    static_flag_id = opt_prop_def(IntegerAttr)
    tsync_instr_mode = opt_prop_def(InstrMode)

    def verify_(self) -> None:
        super().verify_()
        if (self.static_flag_id is None) != bool(self.group("flag")):
            raise VerifyException(f"{self.name}: a flag id is stated or computed, one of both")


SetFlagOp = define("set_flag", FlagOp, "Raises a flag when what came before on `set_pipe` is done.")
WaitFlagOp = define("wait_flag", FlagOp, "`wait_pipe` waits for a flag.")
PipeBarrierOp = define(
    "pipe_barrier", HivmOp, "What came before on a pipe is done before the rest starts.", pipe=prop_def(Pipe)
)
SyncBlockSetOp = define("sync_block_set", BlockFlagOp, "Raises a flag of the cores beside this one.")
SyncBlockWaitOp = define("sync_block_wait", BlockFlagOp, "Waits for a flag of the cores beside this one.")
SyncBlockOp = define(
    "sync_block", HivmOp, "All cores of a kind meet.", GROUPS=("ffts?",), sync_block_mode=prop_def(SyncBlockMode),
    flag_id=opt_prop_def(IntegerAttr), tcube_pipe=opt_prop_def(Pipe), cube_pipe=opt_prop_def(Pipe),
    tvector_pipe=opt_prop_def(Pipe), vector_pipe=opt_prop_def(Pipe),
)  # fmt: skip

SYNC_OPS = (SetFlagOp, WaitFlagOp, PipeBarrierOp, SyncBlockSetOp, SyncBlockWaitOp, SyncBlockOp)


class PointerCast(HivmOp):
    """A buffer at byte addresses; several of them are slots that follow each other with the trips of a loop."""

    GROUPS: ClassVar = ("addrs*", "sizes*")
    RESULTS: ClassVar = 1

    def verify_(self) -> None:
        super().verify_()
        if not isinstance(self.results[0].type, MemRefType):
            raise VerifyException(f"{self.name}: a memref is at an address, not {self.results[0].type}")
        if not self.group("addrs"):
            raise VerifyException(f"{self.name}: it has no address")


PointerCastOp = define("pointer_cast", PointerCast, "A buffer at byte addresses.")
BitcastOp = define("bitcast", HivmOp, "The same bytes under another type.", GROUPS=("src",), RESULTS=1)
INDICES = tuple(
    define(name, HivmOp, f"{name.removeprefix('get_')} of the core that runs the program.", RESULTS=1)
    for name in ("get_block_idx", "get_block_num", "get_sub_block_idx", "get_sub_block_num")
)
GetBlockIdxOp, GetBlockNumOp, GetSubBlockIdxOp, GetSubBlockNumOp = INDICES
SetFftsBaseAddrOp = define("set_ffts_base_addr", HivmOp, "Where cross-core flags lie.", GROUPS=("ffts",))
SetMaskNormOp = define("set_mask_norm", HivmOp, "Masks of Vector instructions count lanes.")
SetCtrlOp = define(
    "set_ctrl", HivmOp, "A bit of the control register.", enable=prop_def(BoolAttr), idx=prop_def(IntegerAttr)
)

SCALAR_OPS = (PointerCastOp, BitcastOp, *INDICES, SetFftsBaseAddrOp, SetMaskNormOp, SetCtrlOp)
