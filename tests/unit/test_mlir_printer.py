"""Text that is printed with each attribute turned into text once is that of xDSL's printer."""

from io import StringIO
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.targets.mlir import MLIRTarget

from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.compiler.text.mlir_printer import QuickMLIRTarget

EXAMPLE = Path(__file__).parents[2] / "examples" / "conv_bias_leaky_relu.mlir"


@pytest.mark.sweep(4)
@pytest.mark.parametrize("stage", ["", "fuse", "lower"])
@pytest.mark.parametrize(("generic", "locations"), [(False, False), (True, False), (False, True)])
def test_text_is_that_of_xdsl(stage: str, generic: bool, locations: bool):
    module, context = read_module(EXAMPLE).module, make_context()
    specs = [one for name in ("fuse", "lower")[: ["", "fuse", "lower"].index(stage)] for one in stages(name)]
    for one in build_passes(UNIVERSE.all_passes, specs, "ascend910b"):
        one.apply(context, module)
    module.attributes["note"] = StringAttr('a "line"\nand another')
    texts = [text(kind, module, generic, locations) for kind in (MLIRTarget, QuickMLIRTarget)]
    assert texts[0] == texts[1] and len(texts[0]) > 200


def text(kind: type[MLIRTarget], module: ModuleOp, generic: bool, locations: bool) -> str:
    output = StringIO()
    kind(generic, print_debuginfo=locations).emit(make_context(), module, output)
    return output.getvalue()
