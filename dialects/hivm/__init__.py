"""The `hivm` dialect: what AscendNPU-IR has after memory planning and synchronisation.

Its definitions are public (Ascend/AscendNPU-IR, `bishengir/include/bishengir/Dialect/HIVM/IR`). Read and printed is the
generic form. Taken are the ops that are left when buffers have addresses and pipes have flags, on memrefs: none on
tensors. `hacc`, `annotation` and `memref_ext` stand beside it in the same texts.
"""

from xdsl.ir import Dialect

from .attributes import HACC_ATTRIBUTES, HIVM_ATTRIBUTES
from .beside import AllocWorkspaceOp, MarkOp
from .sync import SCALAR_OPS, SYNC_OPS
from .transfers import TRANSFER_OPS
from .vector import VECTOR_OPS

Hivm = Dialect("hivm", [*SCALAR_OPS, *SYNC_OPS, *TRANSFER_OPS, *VECTOR_OPS], list(HIVM_ATTRIBUTES))
Hacc = Dialect("hacc", [], list(HACC_ATTRIBUTES))
Annotation = Dialect("annotation", [MarkOp], [])
MemRefExt = Dialect("memref_ext", [AllocWorkspaceOp], [])

__all__ = ["Annotation", "Hacc", "Hivm", "MemRefExt"]
