"""How long the emulator takes for whole networks, and what memory: against the evaluator of the `onnx` package.

    pip install --editable '.[networks]'
    python benchmarks/network_emulation.py resnet50 bert

Each network is written by one process and compiled and run by another one, at batch 1. `run` has values, time and
hazards, `first` includes that kernels are decoded and weights laid out, `time` is the clock alone. They take turns with
`reference`, the evaluator on the same input, in one process, and the least counts: seconds, and seconds of CPU.
`memory` is the most that the process held until the first run was over, before the evaluator was loaded. It is
given as a multiple of weights and activations: all initializers of the model and all results of its nodes, in its own
types.
Exit code 1 where a ratio is above its bar.
"""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from math import prod
from pathlib import Path

import numpy as np

BARS = {"run": 2.0, "time": 0.5, "memory": 3.0}
TURNS = 3


def seconds(action: Callable[[], object]) -> tuple[float, float]:
    """How long an action takes: seconds, and seconds of CPU."""
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - cpu


def held() -> int:
    """The most bytes that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def weights_and_activations(path: str) -> int:
    """Bytes of all initializers of a model and of all results of its nodes."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper, shape_inference

    model = shape_inference.infer_shapes(onnx.load(path), data_prop=True)
    total = sum(numpy_helper.to_array(tensor).nbytes for tensor in model.graph.initializer)
    for value in {v.name: v for v in (*model.graph.value_info, *model.graph.output)}.values():
        kind = value.type.tensor_type
        if kind.elem_type != TensorProto.UNDEFINED:
            item = helper.tensor_dtype_to_np_dtype(kind.elem_type).itemsize
            total += prod(d.dim_value for d in kind.shape.dim) * item
    return total


def measure(path: str, target: str, precision: str) -> dict[str, object]:
    """All figures of one network, in this process."""
    import ascend_opt

    with np.load(Path(path).with_suffix(".npz")) as given:
        inputs = {name: given[name] for name in given.files}
    program = ascend_opt.compile(path, target, tune=1, precision=precision)
    compiled = held()
    first = seconds(lambda: program.run(inputs))
    memory = held()
    from onnx.reference import ReferenceEvaluator

    evaluator = ReferenceEvaluator(path)
    actions = {
        "run": lambda: program.run(inputs),
        "time": program.time,
        "reference": lambda: evaluator.run(None, inputs),
    }
    turns = [{name: seconds(action) for name, action in actions.items()} for _ in range(TURNS)]
    least = {name: [min(turn[name][i] for turn in turns) for i in range(2)] for name in actions}
    return {
        **least, "first": list(first), "compiled": compiled, "memory": memory, "tensors": weights_and_activations(path),
    }  # fmt: skip


def lines(
    name: str, found: Mapping[str, list[float]], memory: tuple[int, int, int]
) -> tuple[list[str], bool]:
    """The rows of one network, and whether its bars are met. `memory`: bytes once compiled, the most, and those of
    weights and activations."""
    reference = found["reference"]
    rows, met = [f"{name}: reference {reference[0]:.2f} s, {reference[1]:.2f} s of CPU"], True
    for one in ("first", "run", "time"):
        wall, cpu = (a / b for a, b in zip(found[one], reference, strict=True))
        bar = BARS.get(one)
        row = f"    {one:8}{found[one][0]:6.2f} s = {wall:5.2f} x   {found[one][1]:6.2f} s of CPU = {cpu:5.2f} x"
        if bar is not None:
            met &= wall <= bar
            row += f"   bar {bar:g}: {'met' if wall <= bar else 'MISSED'}"
        rows.append(row)
    compiled, most, tensors = memory
    times = most / tensors
    met &= times <= BARS["memory"]
    verdict = "met" if times <= BARS["memory"] else "MISSED"
    rows.append(
        f"    memory  {most / 1e6:.0f} MB (compiled: {compiled / 1e6:.0f}) = {times:.2f} x {tensors / 1e6:.0f} MB   "
        f"bar {BARS['memory']:g}: {verdict}"
    )
    return rows, met


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "networks", nargs="*", metavar="NETWORK", help="as of networks_onnx.py; resnet50, bert"
    )
    parser.add_argument("--target", default="ascend910b")
    parser.add_argument("--precision", default="f16")
    parser.add_argument("--one", metavar="MODEL", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one is not None:
        print(json.dumps(measure(args.one, args.target, args.precision)))
        return 0
    all_met = True
    for name in args.networks or ("resnet50", "bert"):
        with tempfile.TemporaryDirectory() as folder:
            writer = str(Path(__file__).with_name("onnx_networks.py"))
            subprocess.run([sys.executable, writer, name, folder], check=True, capture_output=True)
            flags = ["--one", str(Path(folder) / f"{name}.onnx"), "--target", args.target]
            command = [sys.executable, __file__, *flags, "--precision", args.precision]
            run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        found = json.loads(run.stdout.splitlines()[-1])
        rows, met = lines(name, found, tuple(found[one] for one in ("compiled", "memory", "tensors")))
        print("\n".join(rows), flush=True)
        all_met &= met
    return 0 if all_met else 1


if __name__ == "__main__":
    sys.exit(main())
