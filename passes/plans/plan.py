"""A plan: which ops share a kernel, how tensors lie between kernels, and the tiling of each, as a JSON file.

    {"version": 1, "chip": {"name": "ascend910b", "digest": "…"}, "functions": {"f": {
       "ops": ["graph.conv2d 8x64x56x56xf16, 128x64x3x3xf16 -> 8x128x56x56xf16 #1f2e3d4c", …],
       "kernels": [{"name": "f_0", "ops": [0, 1, 2], "tiling": {"tiles": [1, 128, 4, 56], "cores": 24, …}}]}}}

Ops are numbered as the passes in front of `tile-group` leave them. A plan is taken for the same ops on the same chip;
for others it is refused, with the first difference.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.dynamic import STAND_IN, depends_on_size
from ...dialects.element_types import name_of
from ...dialects.graph.arguments import weight_values
from ...dialects.records import dataclass
from ...dialects.text_digest import text_digest
from ..support.module import kernel_ops
from ..support.words import counted

if TYPE_CHECKING:
    from ...dialects.target_types import Target

VERSION = 1
SUFFIX = ".plan.json"
FIRST = ("tiles", "cores")
"""Fields of a tiling that stand before the others."""


class PlanError(DiagnosticException):
    """A file that is no plan, or a plan of another graph or chip. It is at fault, and no op of the graph."""

    of_file = True


@dataclass(frozen=True)
class KernelPlan:
    """One kernel: its name, the numbers of its ops in program order, the fields of its tiling (None: the search
    chooses). `predicted_us` and `timed_us` are notes. Where `ops` has an op twice, as copies that move elements for
    different readers, `reads` says which one operand j of op i takes: `{"i.j": 0}`."""

    name: str
    ops: tuple[int, ...]
    tiling: Mapping[str, Any] | None = None
    predicted_us: float | None = None
    timed_us: float | None = None
    reads: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True)
class FunctionPlan:
    """The kernels of one function. `ops` says what each op is. `joined` are concatenations whose parts lie in what they
    give, `views` slices that are parts of what they read, `blocked` how results lie that are not row-major: the blocked
    dimension and the order of all. `unfolded`: numbers of arguments and results in blocks that kernels take apart."""

    ops: tuple[str, ...]
    kernels: tuple[KernelPlan, ...]
    joined: tuple[int, ...] = ()
    views: tuple[int, ...] = ()
    blocked: Mapping[int, tuple[int, tuple[int, ...]]] = field(default_factory=dict[int, Any])
    unfolded: tuple[int, ...] = ()

    def with_tilings(self, tilings: Mapping[str, Mapping[str, Any]]) -> FunctionPlan:
        """The same with the tilings of kernels, by their names."""
        kernels = (replace(one, tiling=tilings.get(one.name, one.tiling)) for one in self.kernels)
        return replace(self, kernels=tuple(kernels))


@dataclass(frozen=True)
class Plan:
    """What was decided of every function of a module for one chip. `chip` is its name, `digest` of its numbers. `about`
    are notes: goal, times, who made it."""

    chip: str
    digest: str
    functions: Mapping[str, FunctionPlan]
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def check_chip(self, target: Target, where: str) -> None:
        """`PlanError` unless the plan was made for this chip."""
        if self.chip != target.name:
            raise PlanError(f"{where} is a plan for {self.chip}, not for {target.name}")
        if self.digest != digest_of(target):
            raise PlanError(f"{where} was made when numbers of {target.name} were others; tune it again")

    def to_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "chip": {"name": self.chip, "digest": self.digest},
            **({"about": dict(self.about)} if self.about else {}),
            "functions": {name: _function_to_json(one) for name, one in self.functions.items()},
        }

    def to_text(self) -> str:
        """The text of the plan's file, a line for each op and each kernel."""
        return _text(self.to_json())

    def save(self, path: str | Path) -> None:
        """Write the plan's file; `PlanError` where it cannot be written."""
        try:
            Path(path).write_text(self.to_text(), encoding="utf-8")
        except OSError as error:
            raise PlanError(f"cannot write plan '{path}': {error.strerror}") from None


def read_plan(path: str | Path) -> Plan:
    """The plan in a file; `PlanError` where it is none."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise PlanError(f"cannot read plan {str(path)!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PlanError(f"{path} is no plan: it is no UTF-8 text") from None
    return plan_of_text(text, str(path))


def plan_of_text(text: str, where: str = "the plan") -> Plan:
    """The plan that a text states; `PlanError` where it states none."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise PlanError(f"{where}:{error.lineno}:{error.colno}: no plan: {error.msg}") from None
    except ValueError as error:  # a number with too many digits
        raise PlanError(f"{where} is no plan: {error}") from None
    if not isinstance(data, dict) or not isinstance(cast(dict[str, Any], data).get("functions"), dict):
        raise PlanError(f"{where} is no plan: it has no functions")
    version = cast(dict[str, Any], data).get("version")
    if version != VERSION:
        raise PlanError(f"{where} is a plan of version {version}; this is version {VERSION}")
    try:
        return _plan_of(cast(dict[str, Any], data))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PlanError(f"{where} is no plan: {_in_words(error)}") from None


def _in_words(error: Exception) -> str:
    return f"it lacks {error}" if isinstance(error, KeyError) else str(error)


def digest_of(target: Target) -> str:
    """What tells a chip's numbers from others."""
    from ...dialects.target_text import canonical_text

    return text_digest(canonical_text(target), 16)


def described(function: FuncOp) -> tuple[str, ...]:
    """What each op of a function is that needs a kernel, in program order: name, types, and a digest of its attributes
    and of where its operands come from."""
    ops = kernel_ops(function)
    number: dict[SSAValue, str] = {a: f"argument {i}" for i, a in enumerate(function.body.block.args)}
    for i, op in enumerate(ops):
        number |= {value: f"op {i}.{j}" for j, value in enumerate(op.results)}
    weights = frozenset(weight_values(function))
    return tuple(_described(op, number, weights) for op in ops)


def _described(op: Operation, number: Mapping[SSAValue, str], weights: frozenset[SSAValue]) -> str:
    operands = ", ".join(_type(value) for value in op.operands)
    sources = [number.get(value, "elsewhere") for value in op.operands]
    stated = [f"{name}={value}" for name, value in sorted(op.properties.items())]
    known = repr((sources, [value in weights for value in op.operands], stated))
    results = ", ".join(_type(value) for value in op.results)
    return f"{op.name} {operands} -> {results} #{text_digest(known, 8)}"


def _type(value: SSAValue) -> str:
    kind = cast(TensorType[Any], value.type)
    return "x".join([*map(_size, kind.get_shape()), name_of(kind.element_type)])


def _size(extent: int) -> str:
    """A dimension: `?` is the run-time size, whatever stands in for it now, and `4?` four times as much."""
    if not depends_on_size(extent):
        return str(extent)
    times = extent // (STAND_IN.get() or extent)
    return f"{times}?" if times > 1 else "?"


def difference(planned: Sequence[str], here: Sequence[str]) -> str:
    """The first difference between the ops of a plan and those of a function, in words; empty where there is none."""
    for i, (one, other) in enumerate(zip(planned, here, strict=False)):
        if one != other:
            return f"op {i} is {other} here, and {one} in the plan"
    if len(planned) != len(here):
        return f"it has {counted(len(here), 'op')} here, and {len(planned)} in the plan"
    return ""


def _function_to_json(one: FunctionPlan) -> dict[str, Any]:
    found: dict[str, Any] = {"ops": list(one.ops), "kernels": [_kernel_to_json(k) for k in one.kernels]}
    for name in ("joined", "views", "unfolded"):
        if getattr(one, name):
            found[name] = list(getattr(one, name))
    if one.blocked:
        found["blocked"] = {str(i): [at, list(order)] for i, (at, order) in sorted(one.blocked.items())}
    return found


def _kernel_to_json(one: KernelPlan) -> dict[str, Any]:
    found: dict[str, Any] = {"name": one.name, "ops": list(one.ops)}
    for name in ("tiling", "predicted_us", "timed_us"):
        value = getattr(one, name)
        if value is not None:
            found[name] = ordered(value) if name == "tiling" else value
    return found | ({"reads": dict(sorted(one.reads.items()))} if one.reads else {})


def ordered(value: Any) -> Any:
    """A tiling, or what a field of it holds, in the order that plans have, wherever it came from: tiles, cores, then
    the others by name."""
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value)
        first = [name for name in FIRST if name in fields]
        return {name: ordered(fields[name]) for name in (*first, *sorted(fields.keys() - {*first}))}
    return [ordered(one) for one in cast("list[Any]", value)] if isinstance(value, list | tuple) else value


def _plan_of(data: dict[str, Any]) -> Plan:
    functions = {
        str(name): FunctionPlan(
            tuple(map(str, one["ops"])),
            tuple(_kernel_of(k) for k in one["kernels"]),
            tuple(map(int, one.get("joined", ()))),
            tuple(map(int, one.get("views", ()))),
            {int(i): (int(at), tuple(map(int, order))) for i, (at, order) in one.get("blocked", {}).items()},
            tuple(map(int, one.get("unfolded", ()))),
        )
        for name, one in data["functions"].items()
    }
    chip, about = _dictionary(data, "chip"), _dictionary({"about": {}, **data}, "about")
    return Plan(str(chip["name"]), str(chip["digest"]), functions, about)


def _dictionary(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What a dictionary has by a name; ValueError where it is none."""
    if not isinstance(data[name], dict):
        raise ValueError(f"'{name}' is no dictionary")
    return cast(dict[str, Any], data[name])


def _number(data: Mapping[str, Any], name: str) -> float | None:
    """The number that a dictionary has by a name; ValueError where it is none."""
    value = data.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ValueError(f"'{name}' is {json.dumps(value)}, and no number")
    return value


def _kernel_of(data: dict[str, Any]) -> KernelPlan:
    tiling = data.get("tiling")
    if tiling is not None and not isinstance(tiling, dict):
        raise ValueError(f"the tiling of kernel {data['name']!r} is no dictionary")
    ops = tuple(map(int, data["ops"]))
    if not ops:
        raise ValueError(f"kernel {data['name']!r} has no ops")
    return KernelPlan(
        str(data["name"]), ops, cast("Mapping[str, Any] | None", tiling), _number(data, "predicted_us"),
        _number(data, "timed_us"), {str(key): int(at) for key, at in data.get("reads", {}).items()},
    )  # fmt: skip


def _text(value: Any, depth: int = 0) -> str:
    """JSON, of which what is deep is on one line."""
    if depth >= 4 or not value or not isinstance(value, list | dict):
        return json.dumps(value)
    pad, end = "  " * (depth + 1), "  " * depth
    if isinstance(value, list):
        items = [pad + _text(one, depth + 1) for one in cast(list[Any], value)]
        return "[\n" + ",\n".join(items) + f"\n{end}]"
    pairs = cast(dict[str, Any], value).items()
    items = [f"{pad}{json.dumps(name)}: {_text(one, depth + 1)}" for name, one in pairs]
    return "{\n" + ",\n".join(items) + f"\n{end}}}" + ("\n" if not depth else "")


__all__ = [
    "SUFFIX",
    "FunctionPlan",
    "KernelPlan",
    "Plan",
    "PlanError",
    "described",
    "difference",
    "digest_of",
    "ordered",
    "plan_of_text",
    "read_plan",
]
