"""Whether another grouping would be faster: every single change of a program's groups and layouts, as a whole program.

    python benchmarks/group_changes.py                                  all graphs of examples/networks
    python benchmarks/group_changes.py model.onnx --precision f16 --target ascend910 --show 5

The changes are those of `ascend-tune`: two kernels join, one comes apart, a tensor between kernels lies otherwise, each
in all places that are alike. Each is compiled with the tilings that are predicted best, and runs on the clock. A row
has how many can be, and µs of the fastest over those of the default.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import ascend_opt
from ascend_opt.compiler.onnx.names import is_model_file
from ascend_opt.compiler.tune.moves import Move, moves_of
from ascend_opt.compiler.tune.problem import Prepared
from ascend_opt.passes.sync.kept_plans import keep_plans

EXAMPLES = sorted((Path(__file__).parents[1] / "examples" / "networks").glob("*.mlir"))


def changes(path: Path, chip: str, precision: str | None) -> Iterator[tuple[float, Move]]:
    """Each change that can be, with the time of the program over the default's."""
    model = ascend_opt.from_onnx(path, precision=precision) if is_model_file(str(path)) else path
    with keep_plans():
        program = ascend_opt.compile(model, chip, reports=False)
        assert program.graph_module is not None and program.plan is not None
        plan, name, default = program.plan, program.name, program.time().total_us
        prepared = Prepared(program.graph_module, name, chip)
        for move in moves_of(prepared.kernels(plan), plan.functions[name], prepared.uses):
            changed = replace(plan, functions={**plan.functions, name: move.applied(plan.functions[name])})
            if prepared.tried(changed) is None:
                continue
            try:
                other = ascend_opt.compile(model, chip, reports=False, plan=changed)
            except ascend_opt.CompileError:  # kernels that fit alone, and not beside each other
                continue
            yield other.time().total_us / default, move


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, default=EXAMPLES)
    parser.add_argument("--target", default="ascend910b")
    parser.add_argument("--precision")
    parser.add_argument("--show", type=int, default=0, help="so many of the fastest changes of each")
    args = parser.parse_args()
    print("| program | changes | fastest |\n|---|---|---|")
    for path in args.files:
        found = sorted(changes(path, args.target, args.precision), key=lambda one: one[0])
        fastest = f"{found[0][0]:.4f}" if found else ""
        print(f"| {path.stem} | {len(found)} | {fastest} |", flush=True)
        for share, move in found[: args.show]:
            print(f"    {share:.4f} {move.kind} {move.title}")


if __name__ == "__main__":
    main()
