"""
Compiles the Triton kernels of `examples/triton`, and stores their HIVM and the facts of their launches here.

    python tests/data/hivm/generate.py [NAME …] [--into FOLDER]

It needs the extra `triton`. Without names all of `tests/helpers/triton_cases.py` are compiled. `--into` leaves what is
stored as it is.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1] / "helpers"))

import numpy as np  # noqa: E402
from triton_cases import CASES, PRIME, Case  # noqa: E402
from triton_sources import function  # noqa: E402

from ascend_opt.compiler.triton.build import build  # noqa: E402


def text_of(case: Case) -> tuple[str, dict[str, Any]]:
    """The HIVM of a case with its head, and what a launch of it needs to know."""
    arguments = case.arguments(case.sizes[0])
    typical = {n: PRIME if isinstance(v, int) else v for n, v in arguments.items()}
    built = build(function(case.kernel.source), {**typical, **case.constants})
    head = f"// {source_file(case)}, {built.entry}: {built.versions}; tests/data/hivm/generate.py\n"
    facts = {
        "entry": built.entry,
        "source": source_file(case),
        "constants": dict(case.constants),
        "parameters": {n: _type(arguments[n]) for n in built.parameters},
        "launches": [_launch(case, sizes) for sizes in case.sizes],
    }
    return head + built.plain, facts


def source_file(case: Case) -> str:
    return f"examples/triton/{case.kernel.source.split(':')[0]}.py"


def _type(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"pointer {value.dtype}"
    return "i32" if isinstance(value, int) else "f32"


def _launch(case: Case, sizes: tuple[int, ...]) -> dict[str, Any]:
    arguments = case.arguments(sizes)
    return {
        "grid": list(case.grid(arguments)),
        "shapes": {n: list(v.shape) for n, v in arguments.items() if isinstance(v, np.ndarray)},
        "scalars": {n: v for n, v in arguments.items() if not isinstance(v, np.ndarray)},
    }


def facts_text(facts: dict[str, dict[str, Any]]) -> str:
    """The facts of all kernels: one line for each kernel's entry."""
    lines = (f"{json.dumps(name)}: {json.dumps(facts[name])}" for name in sorted(facts))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(into: Path, names: list[str]) -> None:
    path = HERE / "launches.json"
    facts = json.loads(path.read_text()) if path.exists() else {}
    for name in names or CASES:
        text, facts[name] = text_of(CASES[name])
        (into / f"{name}.mlir").write_text(text)
        print(name, len(text))
    (into / "launches.json").write_text(facts_text({name: facts[name] for name in facts if name in CASES}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--into", type=Path, default=HERE, metavar="FOLDER")
    chosen = parser.parse_args()
    main(chosen.into, chosen.names)
