"""Bytes of a program's results that nothing wrote.

The DMAs flag what they write of a result (`Storage.covered`), over all launches; when the function returns,
every byte must be flagged. What lies between kernels need not be whole: its readers fetch what they need.
"""

from collections.abc import Mapping

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects.ascend import LaunchOp
from .hazard import HazardError, InstructionRef
from .kernel_program import KernelProgram
from .returned import results_of
from .storage import Storage


def check_results(
    main: FuncOp, tensors: Mapping[SSAValue, Storage], programs: Mapping[str, KernelProgram]
) -> None:
    """`HazardError` when a result has bytes that no kernel wrote; `programs` are the kernels launched."""
    for index, value in enumerate(results_of(main)):
        storage = tensors[value]
        missing = storage.missing()
        if missing is None:
            continue
        count, first, end = missing
        kernel, label, stores = _writer(main, storage, tensors, programs)
        raise HazardError(
            "unwritten",
            f"nothing wrote {count} of the {storage.size} bytes of result {index} of @{main.sym_name.data}; "
            "the first of them are",
            instructions=stores,
            buffers=(label,),
            space="gm",
            byte_range=(first, end),
            kernel=kernel,
        )


def _writer(
    main: FuncOp,
    storage: Storage,
    tensors: Mapping[SSAValue, Storage],
    programs: Mapping[str, KernelProgram],
) -> tuple[str, str, tuple[InstructionRef, ...]]:
    """The last kernel that stores to a tensor, or else takes it: its name, the tensor's there, and the stores."""
    kernel, label, stores = "", storage.label, ()
    for op in main.body.block.ops:
        if not isinstance(op, LaunchOp):
            continue
        taken = [i for i, value in enumerate(op.arguments) if tensors[value] is storage]
        for program in (programs[name] for name in op.kernels):
            found = tuple(
                site.reference()
                for site in program.sites
                if site.stores and site.operands[site.gm].argument in taken
            )
            if found or (taken and not stores):
                kernel, label, stores = program.name, program.labels[taken[0]], found
    return kernel, label, stores
