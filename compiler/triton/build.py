"""From a `@triton.jit` function and what it is launched with to HIVM: buffers at addresses, flags and barriers."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .toolchain import Toolchain, TritonError, toolchain

DUMP = re.compile(r"^// -----// IR Dump After GraphSyncSolver.*\n", re.MULTILINE)
OPTIONS = (
    "--enable-auto-multi-buffer=True",
    "--enable-auto-bind-sub-block=True",
    "--enable-hfusion-compile=true",
    "--enable-hivm-compile=true",
    "--enable-triton-kernel-compile=true",
    "--mlir-disable-threading",
    "--mlir-print-ir-module-scope",
)
"""What Triton-Ascend gives for this chip, and what prints whole modules."""


@dataclass(frozen=True)
class Built:
    """A Triton function, compiled for one set of types and constants."""

    text: str
    """The HIVM module, in MLIR's generic form."""
    entry: str
    """The function's name."""
    parameters: tuple[str, ...]
    """What the module still takes, in order: pointers and scalars, without what is constant."""
    constants: dict[str, Any]
    """`constexpr` parameters, integers that are 1, and `None`: part of the program."""
    versions: str
    """Of the compilers."""


class _Pointer:
    """What Triton asks of a tensor: its type, and an address. Boards give multiples of 512 B."""

    def __init__(self, dtype: Any):
        self.dtype = dtype

    def data_ptr(self) -> int:
        return 0


def build(kernel: Any, arguments: Mapping[str, Any], arch: str = "Ascend910B1") -> Built:
    """
    Compile a `@triton.jit` function for what it would be launched with: arrays, scalars and constants by name.

    As in a launch, programs depend on types, constants, and which integers are 1 or multiples of 16. Raises
    `TritonError` where a compiler refuses.
    """
    tools = toolchain()
    backend = tools.ascend.AscendBackend(tools.compiler.GPUTarget("npu", arch, 0))
    given = {name: _Pointer(v.dtype) if hasattr(v, "shape") else v for name, v in arguments.items()}
    values = [given[p.name] if p.name in given else p.default for p in kernel.params]
    attributes = backend.get_attrs_descriptor(kernel.params, values)
    ones = attributes.get_constants()
    pairs = list(zip(kernel.params, values, strict=True))
    constants = {p.name: v for p, v in pairs if p.is_constexpr or p.num in ones or v is None}
    types = {p.name: tools.jit.mangle_type(v, p.is_const) for p, v in pairs if not p.is_constexpr}
    source = tools.compiler.ASTSource(kernel, types, constants, attributes)
    text = _hivm(tools, _linalg(tools, backend, source), arch)
    left = tuple(p.name for p in kernel.params if p.name not in constants)
    return Built(text, kernel.__name__, left, constants, tools.versions)


def _linalg(tools: Toolchain, backend: Any, source: Any) -> str:
    """Triton's part: the function as linalg on memory, with the lines of its source."""
    context = tools.ir.context()
    tools.ir.load_dialects(context)
    options = backend.parse_options({})
    module = source.make_ir(options, backend.get_codegen_implementation(), backend.get_module_map(), context)
    metadata = {"hash": source.hash(), "target": backend.target, **options.__dict__}
    module = tools.ascend.make_ttir(module, metadata, options)
    text = tools.ascend.ttir_to_linalg(module, metadata, options, named_ops=True)
    return tools.ascend._parse_linalg_metadata(text, metadata)[0]


def _hivm(tools: Toolchain, linalg: str, arch: str) -> str:
    """AscendNPU-IR's part, up to where its closed back end would start."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "kernel.mlir")
        Path(path).write_text(linalg)
        show = "--mlir-print-ir-after=hivm-graph-sync-solver"
        run = tools.run(
            "bishengir-compile", path, f"--target={arch}", *OPTIONS, show, "-o", f"{folder}/kernel"
        )
        dumps = DUMP.split(run.stderr)[1:]
        if not dumps:
            raise TritonError(run.stderr)
        Path(path).write_text(dumps[-1][: dumps[-1].rindex("\n}\n") + 3])
        run = tools.run("bishengir-opt", path, "--lower-affine", "--canonicalize", "--mlir-print-op-generic")
        if run.returncode:
            raise TritonError(run.stderr)
        return run.stdout
