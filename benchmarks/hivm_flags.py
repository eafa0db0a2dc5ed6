"""Every flag and barrier of HIVM kernels deleted in turn: which are found to be missing, and which are not needed.

    python benchmarks/hivm_flags.py                                 all kernels of tests/data/hivm
    python benchmarks/hivm_flags.py softmax_f32 matmul_f16 --json flags.json

Deleted are single ops, and what belongs together: a set with its wait in the same block, all ops of an event that a
loop hands on, all ops of a cross-core flag in one direction, with the ids inside `mmadL1`. Each is launched as
`launches.json` says until a launch has a hazard. What none finds is printed with its line. Exit code 1 where a deletion
changes a value and nothing is found.
"""

# pyright: basic

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from xdsl.dialects.arith import ConstantOp, SelectOp
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, Operation, SSAValue

from ascend_opt.compiler.hivm.facts import Facts, LaunchFacts, facts_of, seeded
from ascend_opt.compiler.hivm.module import HivmModule, load
from ascend_opt.dialects.hivm.attributes import word_of
from ascend_opt.dialects.hivm.base import HivmOp
from ascend_opt.dialects.hivm.sync import BlockFlagOp, FlagOp
from ascend_opt.passes.hivm_to_ascend import chosen_entry
from ascend_opt.runtime.support.hazard import HazardError, ProgramError, location_text

DATA = Path(__file__).parents[1] / "tests" / "data" / "hivm"
INNER = (("wait", "MTE2", "MTE1"), ("wait", "MTE2", "MTE1"), ("set", "MTE1", "MTE2"), ("set", "MTE1", "MTE2"))
"""What the first ids of an `mmadL1` do."""


def longer(facts: Facts) -> tuple[LaunchFacts, ...]:
    """The launches of a kernel, and one in which a core makes so many trips, ragged, that every slot is used again."""
    last = facts.launches[:2][-1]
    shapes, scalars, grid = dict(last.shapes), dict(last.scalars), last.grid
    if "K" in scalars:
        scalars["K"] = 700
        left, right = list(shapes["a"]), list(shapes["b"])
        left[-1] = right[-2] = 700
        shapes |= {"a": tuple(left), "b": tuple(right)}
    elif "length" in scalars:
        scalars["length"], grid = 456, (8, 1)
        shapes = {name: (1, 456, shape[-1]) for name, shape in shapes.items()}
    elif facts.entry in ("chain", "softmax", "layer_norm", "rms_norm"):
        return (*facts.launches, *(replace(one, grid=(8,)) for one in facts.launches[:2]))
    else:
        return facts.launches
    return (*facts.launches, LaunchFacts(grid, shapes, scalars))


@dataclass(frozen=True)
class Point:
    """Something that orders: an op by its number in the module, or an id of an `mmadL1`; what it does to which flag."""

    number: int
    argument: int | None
    does: str
    pipes: tuple[str, str]
    ids: frozenset[int] | None
    block: Block
    place: str

    @property
    def name(self) -> str:
        ids = "?" if self.ids is None else ",".join(map(str, sorted(self.ids)))
        inner = "" if self.argument is None else " of mmadL1"
        return f"{self.does} {'->'.join(p for p in self.pipes if p)} {ids}{inner}".rstrip()


@dataclass
class Counts:
    """Of one kernel: deletions that were found by the kind of hazard, and those that were not."""

    single: Counter[str] = field(default_factory=Counter)
    together: Counter[str] = field(default_factory=Counter)
    kept: list[tuple[str, bool]] = field(default_factory=list)
    """What is not needed, and whether values stayed as they were."""


def ids_of(value: SSAValue) -> frozenset[int] | None:
    """The numbers that an id may be; None: not known."""
    owner = value.owner
    if isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr):
        return frozenset({owner.value.value.data})
    if isinstance(owner, SelectOp):
        first, second = ids_of(owner.lhs), ids_of(owner.rhs)
        return None if first is None or second is None else first | second
    return None


def points_of(functions: Sequence[Operation]) -> list[Point]:
    """All points of a kernel's functions, in order."""
    ops = [op for function in functions for op in function.walk()]
    return [point for number, op in enumerate(ops) if isinstance(op, HivmOp) for point in _points(number, op)]


def _points(number: int, op: HivmOp) -> Iterator[Point]:
    name = op.name.removeprefix("hivm.hir.")
    where = location_text(op).rpartition("/")[2].rsplit(":", 1)[0]
    block = op.parent
    assert block is not None
    if isinstance(op, FlagOp):
        pipes = pipe(op, "set_pipe"), pipe(op, "wait_pipe")
        stated = word_of(op.static_event_id)
        ids = frozenset({int(stated[8:])}) if stated else ids_of(op.operands[0])
        yield Point(number, None, name.partition("_")[0], pipes, ids, block, where)
    elif name == "pipe_barrier":
        yield Point(number, None, "barrier", (pipe(op, "pipe"), ""), frozenset(), block, where)
    elif isinstance(op, BlockFlagOp):
        own = word_of(op.tcore_type)
        other = {"CUBE": "VECTOR", "VECTOR": "CUBE"}[own]
        way = (own, other) if name.endswith("set") else (other, own)
        flag = op.static_flag_id
        ids = ids_of(op.operands[0]) if flag is None else frozenset({flag.value.data})
        yield Point(number, None, "cross " + name.rpartition("_")[2], way, ids, block, where)
    elif name == "mmadL1" and op.group("sync"):
        before = sum(len(op.group(group)) for group in ("a", "b", "init", "m", "k", "n", "c"))
        for i, (does, source, destination) in enumerate(INNER):
            ids = ids_of(op.group("sync")[i])
            if ids != {-1}:
                yield Point(number, before + i, does, (source, destination), ids, block, where)


def pipe(op: HivmOp, name: str) -> str:
    return word_of(op.properties[name]).removeprefix("PIPE_")


def groups(points: Sequence[Point]) -> list[list[Point]]:
    """Points that belong together."""
    found: list[list[Point]] = [[p] for p in points if p.does == "barrier"]
    flags = [p for p in points if p.does in ("set", "wait")]
    paired: set[Point] = set()
    for i, point in enumerate(flags):
        if point.does != "set":
            continue
        after = next((p for p in flags[i + 1 :] if p.pipes == point.pipes and meets(p, point)), None)
        if (
            after is not None
            and after.does == "wait"
            and after.block is point.block
            and after.ids == point.ids
        ):
            found.append([point, after])
            paired |= {point, after}
    for rest in ([p for p in flags if p not in paired], [p for p in points if p.does.startswith("cross")]):
        while rest:
            group = [rest.pop(0)]
            while more := [p for p in rest if any(p.pipes == g.pipes and meets(p, g) for g in group)]:
                group += more
                rest = [p for p in rest if p not in more]
            found.append(group)
    return found


def meets(a: Point, b: Point) -> bool:
    return a.ids is None or b.ids is None or bool(a.ids & b.ids)


def without(module: HivmModule, points: Sequence[Point]) -> HivmModule:
    """The kernel without points."""
    copy = module.module.clone()
    entry = chosen_entry(copy, module.entry)
    ops = [op for function in entry.functions for op in function.walk()]
    for point in points:
        op = ops[point.number]
        if point.argument is None:
            op.detach()
            op.erase(safe_erase=False)
        else:
            none = ConstantOp(IntegerAttr(-1, i64))
            assert op.parent is not None
            op.parent.insert_op_before(none, op)
            op.operands[point.argument] = none.result
    return HivmModule(copy, entry, module.sources)


def outcome(
    module: HivmModule, facts: Facts, expected: Sequence[Mapping[str, np.ndarray]]
) -> tuple[str, bool]:
    """The kind of the first hazard of its launches, or nothing; and whether values are those expected."""
    same = True
    for one, want in zip(facts.launches, expected, strict=True):
        given = {**seeded(module, facts.names or (), one.shapes), **one.scalars}
        try:
            result = module.launch(one.grid, given, names=facts.names)
        except HazardError as error:
            return error.kind, True
        except ProgramError as error:
            return f"error: {error}", True
        same &= all(np.array_equal(result.outputs[n], v, equal_nan=True) for n, v in want.items())
    return "", same


def judge(path: Path) -> Counts:
    """Delete all points of a kernel in turn."""
    facts = facts_of(path)
    assert facts is not None
    facts = replace(facts, launches=longer(facts))
    module, counts = load(path, facts.entry), Counts()
    expected = [
        module.launch(
            one.grid, {**seeded(module, facts.names or (), one.shapes), **one.scalars}, names=facts.names
        ).outputs
        for one in facts.launches
    ]
    points = points_of(module.kernel.functions)
    for kinds, tried in ((counts.single, [[p] for p in points]), (counts.together, groups(points))):
        for group in tried:
            kind, same = outcome(without(module, group), facts, expected)
            kinds[kind or "none"] += 1
            if not kind and (kinds is counts.together or group[0].does != "barrier"):
                counts.kept.append((f"{group[0].name} ({', '.join(p.place for p in group)})", same))
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--json")
    options = parser.parse_args()
    names = options.kernels or sorted(path.stem for path in DATA.glob("*.mlir"))
    print(f"{'kernel':24}  {'ops':>5}  found  {'groups':>6}  found  not needed")
    rows, wrong = {}, False
    for name in names:
        counts = judge(DATA / f"{name}.mlir")
        single, together = counts.single, counts.together
        totals = sum(single.values()), sum(together.values())
        print(
            f"{name:24}  {totals[0]:5}  {totals[0] - single['none']:5}  {totals[1]:6}  "
            f"{totals[1] - together['none']:5}  {together['none']:10}",
            flush=True,
        )
        for kept, same in counts.kept:
            print(f"    {kept}{'' if same else ': values changed'}", flush=True)
            wrong |= not same
        rows[name] = {"single": dict(single), "together": dict(together), "kept": [k for k, _ in counts.kept]}
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1))
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
