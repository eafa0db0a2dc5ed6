"""Whole networks from PyTorch on an emulated chip: kernels, times, errors and memory.

    pip install --editable '.[networks]'
    python benchmarks/networks_onnx.py resnet50 bert --target ascend910b --precision f16

Each network is written by one process and run by another one. `error` is the relative L2 error against onnxruntime in
f32, `apart` that between the results of two inputs: where they hardly differ, an error says nothing. Seconds are of the
compiler, of one emulated run with values and races checked, and of the clock alone. `reference` is the evaluator of the
`onnx` package on the same input. `memory` is the most that the process held, onnxruntime included.

Columns beside ours, in the same run, on request:

    --beside onnxruntime     a run of its CPU provider, in f32
    --beside iree            `iree-import-onnx` and `iree-compile` for this CPU (pip install 'iree-base-compiler[onnx]')
"""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

TOLERANCE = {"f16": 1.5e-2, "bf16": 6e-2, "f32": 1e-4}
LOOSER = {"mobilenet_v1": 8e-2, "mobilenet_v2": 8e-2, "yolov5n": 9e-2}
"""Of networks in f16: the network sets the error, rounding its weights alone costs most of it."""
NAMES = (
    *("resnet50", "mobilenet_v1", "mobilenet_v2", "bert", "bert_sdpa", "llama", "yolov5n", "squeezenet"),
    *("googlenet", "inception_v2", "shufflenet", "densenet121", "lstm", "recommender"),
    "recommender_bags",
)
HEAD = ("network", "kernels", "time", "error", "apart", "compile", "run", "time only", "reference", "memory")


BESIDE = ("onnxruntime", "iree")
IREE = "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"


def iree_seconds(path: Path) -> float:
    """Seconds in which `iree-compile` compiles a model for this CPU, its import included."""
    tools: list[str] = []
    for name in ("iree-import-onnx", "iree-compile"):
        found = shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))
        if found is None:
            raise SystemExit(f"{name} is not installed: pip install 'iree-base-compiler[onnx]'")
        tools.append(found)
    text, program = path.with_suffix(".mlir"), path.with_suffix(".vmfb")
    start = time.perf_counter()
    commands = (
        [tools[0], str(path), "--opset-version", "17", "-o", str(text)],
        [tools[1], *IREE, "--iree-llvmcpu-target-cpu=host", str(text), "-o", str(program)],
    )
    for command in commands:
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            raise SystemExit(f"{Path(command[0]).name}: {run.stderr.strip().splitlines()[0]}")
    return time.perf_counter() - start


def measure(
    name: str, folder: str, target: str, precision: str, reference: bool, beside: Sequence[str] = ()
) -> dict[str, object]:
    """All figures of one network, in this process."""
    import onnxruntime

    import ascend_opt

    path = Path(folder) / f"{name}.onnx"
    with np.load(path.with_suffix(".npz")) as given:
        inputs = {key: given[key] for key in given.files}
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(1)
    others = {n: _other(rng, a) for n, a in inputs.items()}
    wanted, other = (np.asarray(session.run(None, one)[0]) for one in (inputs, others))
    start = time.perf_counter()
    program = ascend_opt.compile(path, target, tune=1, precision=precision)
    compiled = time.perf_counter() - start
    start = time.perf_counter()
    result = program.run(inputs)
    ran = time.perf_counter() - start
    start = time.perf_counter()
    program.time()
    timed = time.perf_counter() - start
    evaluated = None
    if reference:
        from onnx.reference import ReferenceEvaluator

        evaluator = ReferenceEvaluator(str(path))
        start = time.perf_counter()
        evaluator.run(None, inputs)
        evaluated = time.perf_counter() - start
    others_seconds: dict[str, object] = {}
    if "onnxruntime" in beside:
        start = time.perf_counter()
        session.run(None, inputs)
        others_seconds["onnxruntime"] = time.perf_counter() - start
    if "iree" in beside:
        others_seconds["iree"] = iree_seconds(path)
    (found,) = result.outputs.values()
    norm = np.linalg.norm(wanted)
    return {
        "network": name,
        "kernels": len(result.profile.kernels),
        "time": result.profile.total_us,
        "error": float(np.linalg.norm(found - wanted) / norm),
        "apart": float(np.linalg.norm(other - wanted) / norm),
        "compile": compiled,
        "run": ran,
        "time only": timed,
        "reference": evaluated,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        **others_seconds,
    }


def _other(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    """Another input: indices in another order, numbers of another mean and spread. Offsets stay."""
    if array.dtype.kind in "iu" and array.shape[-1] > 1 and (np.diff(array) >= 0).all():
        return array
    if array.dtype.kind in "iu":
        return rng.permutation(array.reshape(-1)).reshape(array.shape)
    return (rng.standard_normal(array.shape) * 2 + 1).astype(array.dtype)


def row(found: dict[str, object], head: Sequence[str]) -> str:
    cells = []
    for name in head:
        value = found[name]
        if isinstance(value, float):
            unit = {"time": "{:.0f} µs", "error": "{:.1e}", "apart": "{:.2f}", "memory": "{:.0f} MB"}
            few = "{:.2f} s" if name in BESIDE else "{:.1f} s"
            cells.append(unit.get(name, few).format(value))
        else:
            cells.append("" if value is None else str(value))
    return "".join(f"{cell:>12}" if i else f"{cell:14}" for i, cell in enumerate(cells))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help=", ".join(NAMES))
    parser.add_argument("--target", default="ascend910b")
    parser.add_argument("--precision", default="f16", choices=sorted(TOLERANCE))
    parser.add_argument("--dynamo", action="store_true", help="by the exporter that traces bytecode")
    parser.add_argument(
        "--reference", action="store_true", help="time the evaluator of the onnx package, too"
    )
    parser.add_argument(
        "--beside",
        action="append",
        default=[],
        choices=BESIDE,
        help="a column of another tool; may be repeated",
    )
    parser.add_argument("--one", metavar="FOLDER", help=argparse.SUPPRESS)
    args = parser.parse_args()
    options = args.target, args.precision, args.reference, args.beside
    if args.one is not None:
        print(json.dumps(measure(args.networks[0], args.one, *options)))
        return 0
    head = (*HEAD, *args.beside)
    print("".join(f"{name:>12}" if i else f"{name:14}" for i, name in enumerate(head)))
    missed = 0
    for name in args.networks or NAMES:
        with tempfile.TemporaryDirectory() as folder:
            writing = [
                str(Path(__file__).with_name("onnx_networks.py")),
                name,
                folder,
                *["--dynamo"] * args.dynamo,
            ]
            flags = ["--target", args.target, "--precision", args.precision, "--one", folder]
            flags += ["--reference"] * args.reference
            flags += [f"--beside={tool}" for tool in args.beside]
            for command in (writing, [__file__, name, *flags]):
                run = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
                if run.returncode:
                    break
        if run.returncode:
            missed += 1
            print(f"{name:14}failed: {run.stderr.strip().splitlines()[-1]}", flush=True)
            continue
        found = json.loads(run.stdout.splitlines()[-1])
        bound = TOLERANCE[args.precision]
        if args.precision == "f16":
            bound = LOOSER.get(name, bound)
        wrong = found["error"] > bound or found["apart"] < 0.1
        missed += wrong
        print(row(found, head) + (f"   missed: error {bound:g}, apart 0.1" if wrong else ""), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
