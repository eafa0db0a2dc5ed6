"""The functions of `examples/triton`, which need the extra `triton`."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

INSTALLED = find_spec("triton") is not None and find_spec("ascendnpuir") is not None
FOLDER = str(Path(__file__).parents[2] / "examples" / "triton")


def function(source: str) -> Any:
    """A function by `module:function`."""
    module, name = source.split(":")
    if FOLDER not in sys.path:
        sys.path.append(FOLDER)
    return getattr(import_module(module), name)
