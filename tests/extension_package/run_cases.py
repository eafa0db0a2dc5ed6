"""Compile and run graphs that use the package's ops; read by tests/e2e/test_extension.py.

stdin: a JSON object of cases, each {graph, target, fuse}. stdout: a JSON object with, for each case, the
ops of its kernels and the relative error of its output and its bound, or the error as text.
"""

import json
import sys
from typing import Any

import ascend_opt
from ascend_opt.compiler.checks.run_check import check_outputs
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import choose_function


def run(case: dict[str, Any]) -> dict[str, Any]:
    program = ascend_opt.compile(case["graph"], target=case["target"], fuse=case["fuse"], tune=1)
    assert program.graph_module is not None
    inputs = seeded_inputs(program.inputs, 0, choose_function(program.graph_module, None))
    result = program.run(inputs)
    (check,) = check_outputs(result.outputs, program.reference(inputs)).values()
    kernels = [[op.removeprefix("graph.") for op in kernel.ops] for kernel in result.profile.kernels]
    cores = max(kernel.cores for kernel in result.profile.kernels)
    return {"kernels": kernels, "cores": cores, "error": check.error, "bound": check.bound}


def main() -> None:
    results: dict[str, Any] = {}
    for name, case in json.load(sys.stdin).items():
        try:
            results[name] = run(case)
        except Exception as error:
            results[name] = {"failure": f"{type(error).__name__}: {error}"}
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
