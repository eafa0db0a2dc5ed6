"""Attributes of HIVM and HACC: each is one of a few words, `#hivm.pipe<PIPE_V>`."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


class WordAttr(ParametrizedAttribute):
    """An attribute that is one word of `WORDS`."""

    WORDS: ClassVar[frozenset[str]] = frozenset()
    word: StringAttr

    def __init__(self, word: str):
        super().__init__(StringAttr(word))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (StringAttr(parser.parse_identifier()),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.word.data)

    def verify(self) -> None:
        if self.word.data not in self.WORDS:
            known = ", ".join(sorted(self.WORDS))
            raise VerifyException(f"#{self.name} is one of {known}, not {self.word.data!r}")


def _words(name: str, words: str) -> type[WordAttr]:
    """The attribute of that name."""
    made = type(name, (WordAttr,), {"name": name, "WORDS": frozenset(words.split()), "__doc__": words})
    return irdl_attr_definition(made)


Pipe = _words(
    "hivm.pipe",
    "PIPE_S PIPE_V PIPE_M PIPE_MTE1 PIPE_MTE2 PIPE_MTE3 PIPE_ALL PIPE_MTE4 PIPE_MTE5 PIPE_V2 PIPE_FIX",
)
Event = _words("hivm.event", " ".join(f"EVENT_ID{i}" for i in range(8)))
AddressSpace = _words("hivm.address_space", "zero gm cbuf ca cb cc ub ssbuf")
FuncCoreType = _words("hivm.func_core_type", "AIC AIV MIX AIC_OR_AIV")
ModuleCoreType = _words("hivm.module_core_type", "AIC AIV MIX")
CoreType = _words("hivm.tcore_type", "CUBE VECTOR CUBE_OR_VECTOR CUBE_AND_VECTOR")
PadMode = _words("hivm.padmode", "PadNull PadFirstElem PadValue")
RoundMode = _words("hivm.round_mode", "rint round floor ceil trunc odd truncwithoverflow")
Cast = _words("hivm.cast", "cast_signed cast_unsigned bitcast")
UnsignedMode = _words("hivm.unsigned_mode", "si2si si2ui ui2si ui2ui")
CompareMode = _words("hivm.compare_mode", "eq ne lt gt ge le")
ReduceOp = _words(
    "hivm.reduce_op",
    "none sum prod max min max_with_index min_with_index max_with_index_left max_with_index_right "
    "min_with_index_left min_with_index_right any all xori ori andi",
)
AtomicKind = _words("hivm.atomic_kind", "none add max min and or xor cas xchg umax umin")
DmaMode = _words("hivm.dma_mode", "nz2nd nz2dn nz2nz normal")
PreQuant = _words("hivm.fixpipe_pre_quant_mode", "NO_QUANT F322F16 S322I8 QF322F32_PRE F322BF16")
PreRelu = _words("hivm.fixpipe_pre_relu_mode", "NO_RELU NORMAL_RELU LEAKY_RELU P_RELU")
UnitFlag = _words("hivm.unit_flag", "DISABLED RESERVED ENABLED_WITHOUT_UPDATE ENABLED_WITH_UPDATE")
SyncBlockMode = _words(
    "hivm.sync_block_mode", "ALL_CUBE ALL_VECTOR ALL_SUB_VECTOR BARRIER_CUBE BARRIER_VECTOR ALL"
)
InstrMode = _words(
    "hivm.sync_block_instr_mode",
    "INTER_BLOCK_SYNCHRONIZATION INTER_SUBBLOCK_SYNCHRONIZATION INTRA_BLOCK_SYNCHRONIZATION",
)
EvictionPolicy = _words("hivm.eviction_policy", "EvictFirst EvictLast EvictNormal evict_first evict_last")

HIVM_ATTRIBUTES = (
    Pipe,
    Event,
    AddressSpace,
    FuncCoreType,
    ModuleCoreType,
    CoreType,
    PadMode,
    RoundMode,
    Cast,
    UnsignedMode,
    CompareMode,
    ReduceOp,
    AtomicKind,
    DmaMode,
    PreQuant,
    PreRelu,
    UnitFlag,
    SyncBlockMode,
    InstrMode,
    EvictionPolicy,
)

FunctionKind = _words("hacc.function_kind", "HOST DEVICE")
HostFuncType = _words(
    "hacc.host_func_type",
    "host_entry tiling_function infer_output_shape_function infer_workspace_shape_function "
    "infer_sync_block_lock_num_function infer_sync_block_lock_init_function get_tiling_struct_size_function "
    "infer_task_type_function infer_vf_mode_function",
)
ArgType = _words(
    "hacc.arg_type",
    "ffts_base_address input output input_and_output workspace sync_block_lock tiling_key tiling_data "
    "tiling_struct mesh_arg sanitizer_addr gm_addr sub_workspace",
)


@irdl_attr_definition
class DeviceSpec(ParametrizedAttribute):
    """Entries that describe a chip: `#hacc.target_device_spec<#dlti.dl_entry<"UB_SIZE", 1572864 : i32>>`."""

    name = "hacc.target_device_spec"
    entries: ArrayAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return (ArrayAttr(parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parser.parse_attribute)),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.entries.data, printer.print_attribute)


@irdl_attr_definition
class HivmcVersion(ParametrizedAttribute):
    """The release of the back end: `#hacc.hivmc_version<"0.0.0">`."""

    name = "hacc.hivmc_version"
    version: StringAttr


HACC_ATTRIBUTES = (FunctionKind, HostFuncType, ArgType, DeviceSpec, HivmcVersion)

SPACES = {"zero": "gm", "gm": "gm", "cbuf": "l1", "ca": "l0a", "cb": "l0b", "cc": "l0c", "ub": "ub"}
"""Memories by their names in HIVM, and by those of the `ascend` level."""


def space_name(space: Attribute) -> str:
    """The memory of a memref, as the `ascend` level calls it: `gm` where none is stated."""
    return SPACES.get(space.word.data, space.word.data) if isinstance(space, AddressSpace) else "gm"


def word_of(attribute: Attribute | None, otherwise: str = "") -> str:
    """The word of an attribute, or what stands for one that is not there."""
    return attribute.word.data if isinstance(attribute, WordAttr) else otherwise
