"""From what a user hands over (text, file or module) to a module, and what level it is at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from ...dialects.helpers import is_helper, is_variant
from ...dialects.records import dataclass
from ...passes.support.module import functions_of
from ..onnx.imported import ImportedModel
from ..onnx.names import is_model, is_model_file
from ..text.diagnostics import Diagnostic, Source, did_you_mean
from ..text.mlir_text import parse_mlir_text
from ..text.source_text import decode, is_blank, is_graph_text
from .verify import verify_module

if TYPE_CHECKING:
    from ..onnx import ImportOptions

SHOWN = 3
"""So many names of one kind are listed in a message."""
WANTED = (
    "wanted is a func.func with a body that computes with graph ops or launches kernels, or text that begins with "
    "'graph @name(...)'"
)

Level = Literal["graph", "tile", "ascend"]
Warn = Callable[[Diagnostic], None]


@dataclass(frozen=True)
class Read:
    """A module and the text that it came from, for messages; `name` is the file's. `imported`: what is known of a model
    beside its module."""

    module: ModuleOp
    sources: tuple[Source, ...] = ()
    name: str = "<module>"
    imported: ImportedModel | None = None


def make_context() -> Context:
    """A context that knows our dialects and passes and those of xDSL; each is loaded when it is met."""
    from xdsl.dialects import get_all_dialects

    from .universe import UNIVERSE

    context = Context()
    for name, factory in {**get_all_dialects(), **UNIVERSE.all_dialects}.items():
        context.register_dialect(name, factory)
    return context


def read_module(
    given: Any,
    *,
    warn: Warn | None = None,
    on_text: Callable[[Source], None] | None = None,
    options: ImportOptions | None = None,
) -> Read:
    """The module of a text, a file, a module (copied) or an ONNX model. Raises ParseError, VerifyException, OSError,
    UnsupportedModel.

    A `str` is a text if it has a line break or a brace, else the path of a file. `options` are those of models; their
    sizes are those of graphs, too (`state_sizes`).
    `on_text` is told of the text before it is parsed, so that whoever words an error has it.
    """
    if isinstance(given, ModuleOp):
        return _sized(Read(given.clone()), options)
    if isinstance(given, ImportedModel):
        return read_imported(given)
    if is_model(given) or is_model_file(given):
        from ..onnx import import_model

        imported = import_model(given, options)
        if warn is not None:
            for note in imported.few_notes:
                warn(Diagnostic(note, "note", imported.file))
        return read_imported(imported)
    is_path = isinstance(given, Path) or not any(mark in given for mark in "\n{")
    name = str(given) if is_path else "<string>"
    text = decode(Path(given).read_bytes(), name) if is_path else str(given)
    source = Source(text, name)
    if on_text is not None:
        on_text(source)
    if is_blank(text):
        end = len(text.rstrip())
        raise source.error(end, end, "the file is empty: expected 'graph @name(...)' or MLIR text")
    if is_graph_text(text):
        from ..text.graph_text import parse_graph_text

        directory = Path(name).parent if is_path else Path()
        module = parse_graph_text(text, name, directory=directory, warn=warn)
    else:
        module = parse_mlir_text(make_context(), text, name)
    verify_module(module)
    return _sized(Read(module, (source,), name), options)


def _sized(read: Read, options: ImportOptions | None) -> Read:
    """A graph with its dynamic dimension at the size that the options state."""
    if options is not None and options.sizes:
        set_sizes(read.module, options.sizes)
    return read


def set_sizes(module: ModuleOp, sizes: Mapping[str, int]) -> None:
    """Give the graphs of a module the sizes that are stated, by `INPUT:AXIS`. Raises ValueError, LocatedError."""
    from .stated_sizes import state_sizes

    state_sizes(functions(module) if level_of(module) == "graph" else (), sizes)


def read_imported(model: ImportedModel) -> Read:
    """An imported model, whose module is copied."""
    module = model.module.clone()
    verify_module(module)
    return Read(module, (), model.file, model)


def level_of(module: ModuleOp) -> Level:
    """The lowest level that a module has reached."""
    names = {op.name for op in module.body.block.ops}
    inner = {op.name for function in _bodies(module) for op in function.body.block.ops}
    if "ascend.kernel" in names or "ascend.launch" in inner:
        return "ascend"
    return "tile" if inner & {"tile.kernel", "tile.group"} else "graph"


def has_tiles_to_choose(module: ModuleOp) -> bool:
    """Whether some of a module is not tiled yet: it is a graph, or has groups of graph ops."""
    ops = (op for function in _bodies(module) for op in function.body.block.ops)
    return level_of(module) == "graph" or any(op.name == "tile.group" for op in ops)


def _bodies(module: ModuleOp) -> list[FuncOp]:
    """The functions that compute: those that can be run and their variants."""
    return [op for op in functions_of(module) if not is_helper(op.sym_name.data)]


def functions(module: ModuleOp) -> list[FuncOp]:
    """The functions that can be run: those with a body that neither help another one nor are
    variants of it."""
    names = ((op, op.sym_name.data) for op in functions_of(module))
    return [op for op, name in names if not is_helper(name) and not is_variant(name)]


def choose_function(module: ModuleOp, name: str | None) -> FuncOp:
    """The function `name`, or the only one. Raises ValueError that names what there is."""
    found = {function.sym_name.data: function for function in functions(module)}
    name = None if name is None else name.removeprefix("@")
    if name is None and len(found) == 1:
        return next(iter(found.values()))
    there = ", ".join(f"@{known}" for known in found) or "none"
    if name is None:
        if not found:
            raise ValueError(f"the module has no graph to run: {_instead(module)}; {WANTED}")
        choose = "say which one to run (--graph NAME, graph= in Python)"
        raise ValueError(f"the module has {len(found)} graphs ({there}): {choose}")
    if name not in found:
        raise ValueError(f"no graph @{name}; the module has {there}{did_you_mean(name, found)}")
    return found[name]


def _instead(module: ModuleOp) -> str:
    """What a module holds that has no function to run, in words."""
    ops = list(module.body.block.ops)
    if not ops:
        return "it is empty"
    found: dict[str, list[str]] = {}
    for op in ops:
        what = op.name
        if isinstance(op, FuncOp):
            what = "a helper function" if is_helper(op.sym_name.data) else "a function without a body"
        name = op.properties.get("sym_name") or op.attributes.get("sym_name")
        found.setdefault(what, []).append(f"@{name.data}" if isinstance(name, StringAttr) else "")
    return "it holds " + ", ".join(_several(what, names) for what, names in found.items())


def _several(what: str, names: Sequence[str]) -> str:
    known = [name for name in names if name]
    more = f", ... {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    count = f" {len(names)} times" if len(names) > 1 else ""
    return f"{what}{count}" + (f" ({', '.join(known[:SHOWN])}{more})" if known else "")


def keep_only(module: ModuleOp, function: FuncOp) -> None:
    """Drop the other functions of a graph-level module, so that only one is compiled."""
    from ...passes.rewrites.size_dispatch import variants_called

    kept = {function.sym_name.data, *(name for _, name in variants_called(function))}
    for other in [
        op for op in module.body.block.ops if isinstance(op, FuncOp) and op.sym_name.data not in kept
    ]:
        other.detach()
        other.erase()


__all__ = [
    "Level",
    "Read",
    "choose_function",
    "functions",
    "has_tiles_to_choose",
    "keep_only",
    "level_of",
    "make_context",
    "read_module",
    "set_sizes",
]
