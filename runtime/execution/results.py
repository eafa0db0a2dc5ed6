"""Bytes of a program's results that nothing wrote, or that such bytes have decided.

The DMAs label what they write (`Storage.shadow`), over all launches; when the function returns, every byte of a result
must be defined. What lies between kernels need not be: its readers fetch what they need.
"""

from collections.abc import Mapping

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.ascend import LaunchOp
from ..poison.shadow import Origins
from ..program.kernel_program import KernelProgram
from ..program.storage import Poison, Storage
from ..support.hazard import HazardError, InstructionRef
from .returned import results_of


def check_results(
    main: FuncOp,
    tensors: Mapping[SSAValue, Storage],
    programs: Mapping[str, KernelProgram],
    origins: Origins,
) -> None:
    """`HazardError` when a result has bytes that no kernel wrote, or that are not defined; `programs` are the kernels
    launched, `origins` says who read what decides them."""
    for index, value in enumerate(results_of(main)):
        storage = tensors[value]
        missing = storage.missing()
        if missing is None:
            poison = storage.poison()
            if poison is not None:
                _, label, _ = _writer(main, storage, tensors, programs)
                raise _poisoned(
                    f"{storage.size} bytes of result {index} of @{main.sym_name.data}", label, poison, origins
                )
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


def _poisoned(result: str, label: str, poison: Poison, origins: Origins) -> HazardError:
    origin = origins.of(poison.label)
    low, high = origin.byte_range
    where = "" if low < 0 else f"[{low}, {high}) "
    read, stored = origin.site.reference(), poison.store.reference()
    return HazardError(
        "poison",
        f"{poison.count} of the {result} depend on padding or on bytes that nothing wrote: {origin.space} bytes {where}"
        f"of {origin.buffer} read by the first instruction, and what the last one stores",
        instructions=tuple(dict.fromkeys((read, stored))),
        buffers=(label,),
        space="gm",
        byte_range=(poison.first, poison.end),
        kernel=stored.kernel,
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
