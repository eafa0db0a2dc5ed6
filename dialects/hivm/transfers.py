"""Transfers of HIVM, and the product: what MTE2, MTE3, FixPipe, MTE1 and the Cube do."""

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, IntegerAttr, UnitAttr
from xdsl.irdl import opt_prop_def

from .attributes import AtomicKind, CoreType, DmaMode, EvictionPolicy, PadMode, PreQuant, PreRelu, UnitFlag
from .base import HivmOp, define, groups_of

LoadOp = define(
    "load", HivmOp, "GM to UB, on MTE2; what is behind a row may be filled with `pad_value`.",
    **groups_of("src", "dst", "pad_value?", "left_padding?", "right_padding?", "init_condition?", memrefs="src dst"),
    pad_mode=opt_prop_def(PadMode), init_out_buffer=opt_prop_def(BoolAttr),
    may_implicit_transpose_with_last_axis=opt_prop_def(BoolAttr),
    eviction_policy=opt_prop_def(EvictionPolicy), tcoretype=opt_prop_def(CoreType),
)  # fmt: skip
StoreOp = define(
    "store", HivmOp, "UB to GM, on MTE3, or added to what is there.",
    **groups_of("src", "dst", memrefs="src dst"),
    atomic_kind=opt_prop_def(AtomicKind), may_implicit_transpose_with_last_axis=opt_prop_def(BoolAttr),
)  # fmt: skip
CopyOp = define(
    "copy", HivmOp, "UB to UB, on V.",
    **groups_of("src", "dst", "pad_value?", memrefs="src dst"),
    pad_mode=opt_prop_def(PadMode), collapse_reassociation=opt_prop_def(ArrayAttr),
)  # fmt: skip
Nd2NzOp = define(
    "nd2nz", HivmOp, "Rows of GM to fractals in L1, on MTE2.",
    **groups_of("src", "dst", "pad_value?", "init_condition?", memrefs="src dst"),
    dst_continuous=opt_prop_def(UnitAttr), init_out_buffer=opt_prop_def(BoolAttr),
)  # fmt: skip
Nz2NdOp = define("nz2nd", HivmOp, "Fractals in L1 to rows.", **groups_of("src", "dst", memrefs="src dst"))
FixpipeOp = define(
    "fixpipe", HivmOp, "L0C to GM, on FIX: converted, rectified, as rows.",
    **groups_of("src", "dst", "unit_flag_cond*", "quant_scale?", memrefs="src dst"),
    dma_mode=opt_prop_def(DmaMode), pre_quant=opt_prop_def(PreQuant), pre_relu=opt_prop_def(PreRelu),
    channel_split=opt_prop_def(BoolAttr), c0_pad_en=opt_prop_def(BoolAttr),
    unit_flag_mode=opt_prop_def(ArrayAttr[UnitFlag]), unit_flag_group_id=opt_prop_def(IntegerAttr),
)  # fmt: skip
MmadL1Op = define(
    "mmadL1", HivmOp,
    "A product of what is in L1, with its loads to L0 and their flags: `sync` are the ids of those that it waits for "
    "and sets.",
    **groups_of(
        "a", "b", "init", "m", "k", "n", "c", "sync*", "unit_flag_cond*", "bias?", memrefs="a b c bias"
    ),
    a_transpose=opt_prop_def(UnitAttr), b_transpose=opt_prop_def(UnitAttr),
    enable_HF32=opt_prop_def(UnitAttr), enable_I4=opt_prop_def(UnitAttr),
    unit_flag_mode=opt_prop_def(ArrayAttr[UnitFlag]), unit_flag_group_id=opt_prop_def(IntegerAttr),
)  # fmt: skip

TRANSFER_OPS = (LoadOp, StoreOp, CopyOp, Nd2NzOp, Nz2NdOp, FixpipeOp, MmadL1Op)
