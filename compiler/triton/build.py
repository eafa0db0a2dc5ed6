"""From a `@triton.jit` function and what it is launched with to HIVM: buffers at addresses, flags and barriers."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...dialects.records import dataclass
from .binding import bind
from .refusals import refusal_of
from .toolchain import Toolchain, TritonError, toolchain, with_lines

FLAGS = {
    "multibuffer": "enable-auto-multi-buffer",
    "enable_auto_bind_sub_block": "enable-auto-bind-sub-block",
    "enable_hivm_auto_cv_balance": "enable-hivm-auto-cv-balance",
    "unit_flag": "enable-hivm-unit-flag-sync",
    "inject_barrier_all": "enable-hivm-inject-barrier-all-sync",
    "inject_block_all": "enable-hivm-inject-block-all-sync",
    "limit_auto_multi_buffer_only_for_local_buffer": "limit-auto-multi-buffer-only-for-local-buffer",
    "limit_auto_multi_buffer_of_local_buffer": "limit-auto-multi-buffer-of-local-buffer",
    "set_workspace_multibuffer": "set-workspace-multibuffer",
    "tile_mix_vector_loop": "tile-mix-vector-loop",
    "tile_mix_cube_loop": "tile-mix-cube-loop",
    "disable_auto_inject_block_sync": "disable-auto-inject-block-sync",
}
"""Options of a launch, as Triton-Ascend hands them to AscendNPU-IR."""
ALWAYS = (
    "--enable-hfusion-compile=true",
    "--enable-hivm-compile=true",
    "--enable-triton-kernel-compile=true",
    "--mlir-disable-threading",
    "--mlir-print-ir-module-scope",
    "--mlir-print-debuginfo",
    "--mlir-print-local-scope",
)
NO_BACK_END = "External hivmc run fails"
"""Said when all that is open has been done."""
CALL = re.compile(r"callsite\((#loc\d*) at (#loc\d*)\)")
DUMP = re.compile(r"^// -----// IR Dump .*\n", re.MULTILINE)


@dataclass(frozen=True)
class Built:
    """A Triton function, compiled for one set of types and constants."""

    text: str
    """The HIVM module in MLIR's generic form, with the lines of the Triton function."""
    entry: str
    """The function's name."""
    parameters: tuple[str, ...]
    """What the module still takes, in order: pointers and scalars, without what is constant."""
    versions: str
    """Of the compilers."""

    @property
    def plain(self) -> str:
        """The text without locations."""
        return re.sub(r' loc\("[^"]*":\d+:\d+\)(?=[,)])| loc\([^\n]*$', "", self.text, flags=re.MULTILINE)


_BUILT: dict[str, Built] = {}
"""What was compiled, by all that it depends on."""


class _Pointer:
    """What Triton asks of a tensor: its type, and an address. Boards give multiples of 512 B."""

    def __init__(self, dtype: Any):
        self.dtype = dtype

    def data_ptr(self) -> int:
        return 0


def build(
    kernel: Any,
    arguments: Mapping[str, Any],
    options: Mapping[str, Any] | None = None,
    arch: str = "Ascend910B1",
) -> Built:
    """
    Compile a `@triton.jit` function for what it would be launched with: arrays, scalars and constants by name.

    As in a launch, programs depend on types, constants, and on which integers are 1 or multiples of 16. Raises
    `TritonError` for arguments that do not fit and where a compiler refuses, `Overflow` where a memory overflows.
    """
    tools = toolchain()
    arguments, options = bind(kernel, (), {**arguments, **(options or {})})
    backend = tools.ascend.AscendBackend(tools.compiler.GPUTarget("npu", arch, 0))
    given = {name: _Pointer(v.dtype) if hasattr(v, "shape") else v for name, v in arguments.items()}
    pairs = [(p, given.get(p.name, p.default)) for p in kernel.params]
    attributes = backend.get_attrs_descriptor(kernel.params, [v for _, v in pairs])
    ones = attributes.get_constants()
    constants = {p.name: v for p, v in pairs if p.is_constexpr or p.num in ones or v is None}
    types = {p.name: tools.jit.mangle_type(v, p.is_const) for p, v in pairs if not p.is_constexpr}
    source = tools.compiler.ASTSource(kernel, types, constants, attributes)
    chosen = backend.parse_options(options)
    key = f"{source.hash()} {chosen} {arch}"
    if key not in _BUILT:
        with with_lines():
            linalg = _linalg(tools, backend, source, chosen)
        flags = [
            f"--{flag}={value}"
            for name, flag in FLAGS.items()
            if (value := getattr(chosen, name)) is not None
        ]
        text = _hivm(tools, linalg, (f"--target={arch}", *ALWAYS, *flags))
        left = tuple(p.name for p in kernel.params if p.name not in constants)
        _BUILT[key] = Built(text, kernel.__name__, left, tools.versions)
    return _BUILT[key]


def _linalg(tools: Toolchain, backend: Any, source: Any, options: Any) -> str:
    """Triton's part: the function as linalg on memory, with the lines of its source."""
    context = tools.ir.context()
    tools.ir.load_dialects(context)
    functions = backend.get_codegen_implementation(), backend.get_module_map()
    try:
        module = source.make_ir(options, *functions, context)
        metadata = {"hash": source.hash(), "target": backend.target, **options.__dict__}
        module = tools.ascend.make_ttir(module, metadata, options)
        text = tools.ascend.ttir_to_linalg(module, metadata, options, named_ops=True)
    except subprocess.CalledProcessError as error:
        raise TritonError(f"Triton-Ascend refuses {source.name}:\n{error.stderr.decode().strip()}") from error
    except Exception as error:  # Triton's own errors share no class
        raise TritonError(f"Triton refuses {source.name}: {error}") from error
    return _own_lines(tools.ascend._parse_linalg_metadata(text, metadata)[0], str(tools.library))


def _own_lines(linalg: str, library: str) -> str:
    """The text where what Triton's own library does is at the line that calls it."""
    places = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", linalg, re.MULTILINE))

    def outside(place: str) -> str:
        call = CALL.fullmatch(place)
        if call is None or not outside(places.get(call[1], "")).startswith(f'"{library}'):
            return place
        return outside(places[call[2]])

    return re.sub(
        r"^(#loc\d*) = loc\((.*)\)$", lambda m: f"{m[1]} = loc({outside(m[2])})", linalg, flags=re.MULTILINE
    )


def _hivm(tools: Toolchain, linalg: str, options: tuple[str, ...]) -> str:
    """AscendNPU-IR's part, up to where its closed back end would start."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "kernel.mlir")
        Path(path).write_text(linalg)

        def dumps(which: str) -> tuple[str, list[str]]:
            run = tools.run(
                "bishengir-compile", path, *options, f"--mlir-print-ir-{which}", "-o", f"{folder}/kernel"
            )
            said, *modules = DUMP.split(run.stderr)
            ends = [m.index("\n", m.rindex("\n}") + 1) + 1 for m in modules]
            rest = [m[end:] for m, end in zip(modules, ends, strict=True)]
            return said + "".join(rest), [m[:end] for m, end in zip(modules, ends, strict=True)]

        said, modules = dumps("after=hivm-graph-sync-solver")
        if NO_BACK_END not in said:
            raise refusal_of(said, lambda: dumps("before=hivm-plan-memory")[1])
        Path(path).write_text(modules[-1])
        generic = ("--mlir-print-op-generic", "--mlir-print-debuginfo", "--mlir-print-local-scope")
        run = tools.run("bishengir-opt", path, "--lower-affine", "--canonicalize", *generic)
        if run.returncode:
            raise TritonError(f"bishengir-opt refuses what bishengir-compile gave:\n{run.stderr.strip()}")
        return run.stdout
