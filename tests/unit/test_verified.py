"""What was verified once is not verified again, and nothing that is wrong is overlooked for it. The oracle is the
verification of xDSL, which remembers nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp, UnitAttr, i1
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.compiler.pipeline.verified import Verified
from ascend_opt.compiler.pipeline.verify import verify_after, verify_module
from ascend_opt.dialects import ascend

EXAMPLE = Path(__file__).parents[2] / "examples" / "conv_bias_leaky_relu.mlir"


def error_of(verify: Callable[[], None]) -> str | None:
    try:
        verify()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def lowered(verified: Verified) -> ModuleOp:
    module, context = read_module(EXAMPLE).module, make_context()
    specs = [stage for pipeline in ("fuse", "lower") for stage in stages(pipeline)]
    for one in build_passes(UNIVERSE.all_passes, specs, "ascend950"):
        one.apply(context, module)
        verify_after(one, module, verified=verified)
    return module


def one_of_each(module: ModuleOp) -> list[Operation]:
    """The last op of each kind, the first of which are alike."""
    return list({type(op): op for op in module.walk() if op is not module}.values())


def test_a_property_of_a_wrong_kind_is_found_in_every_op():
    verified = Verified()
    module = lowered(verified)
    found = 0
    for op in one_of_each(module):
        for name, value in list(op.properties.items()):
            op.properties[name] = UnitAttr()
            expected = error_of(module.verify)
            assert error_of(lambda: verify_module(module, verified=verified)) == expected, (op.name, name)
            found += expected is not None
            op.properties[name] = value
    assert found > 40
    verify_module(module, verified=verified)


def test_a_result_of_a_wrong_type_is_found_in_every_op():
    verified = Verified()
    module = lowered(verified)
    found = 0
    for op in one_of_each(module):
        for result in op.results:
            before = result.type
            Rewriter.replace_value_with_new_type(result, i1)
            expected = error_of(module.verify)
            assert error_of(lambda: verify_module(module, verified=verified)) == expected, op.name
            found += expected is not None
            Rewriter.replace_value_with_new_type(result, before)
    assert found > 10


def test_an_op_that_stands_where_it_may_not_is_found():
    verified = Verified()
    module = lowered(verified)
    loop = next(op for op in module.walk() if isinstance(op, scf.ForOp))
    end = loop.body.block.last_op
    assert end is not None
    end.detach()
    assert error_of(lambda: verify_module(module, verified=verified)) == error_of(module.verify) is not None
    loop.body.block.add_op(end)
    verify_module(module, verified=verified)
    view = next(op for op in module.walk() if isinstance(op, ascend.ViewOp))
    view.operands = [arith.ConstantOp.from_int_and_width(1, 32).result, *view.operands[1:]]
    expected = error_of(module.verify)
    assert error_of(lambda: verify_module(module, verified=verified)) == expected is not None


def test_what_was_wrong_is_wrong_again():
    verified = Verified()
    module = lowered(verified)
    buffer = next(op for op in module.walk() if isinstance(op, ascend.BufferOp))
    buffer.properties["addresses"] = UnitAttr()
    for _ in range(2):
        with pytest.raises(Exception, match=r"addresses|array"):
            verify_module(module, verified=verified)


def test_equal_structures_are_checked_once(monkeypatch: pytest.MonkeyPatch):
    verified, counted = Verified(), list[Operation]()
    module = lowered(verified)
    verify = ascend.ViewOp.verify

    def count(self: ascend.ViewOp, verify_nested_ops: bool = True) -> None:
        counted.append(self)
        verify(self, verify_nested_ops)

    monkeypatch.setattr(ascend.ViewOp, "verify", count)
    verify_module(module.clone(), verified=verified)
    assert not counted
    verify_module(module.clone())
    views = sum(isinstance(op, ascend.ViewOp) for op in module.walk())
    assert 0 < len(counted) <= views
