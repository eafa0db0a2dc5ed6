"""A result may begin where its source does if each part is written behind what is read for it; nothing else may."""

# pyright: basic

import numpy as np
import pytest
from ascend_programs import Program

from ascend_opt.runtime.support.hazard import HazardError


def compared(offset=0, mask_at=0, count=512, dtype="f32"):
    """A mask over the bytes of its first source."""
    p = Program(target="ascend910b", core="aiv")
    x, z, y = p.input("x", (count,), dtype), p.input("z", (count,), dtype), p.output("y", (count // 8,), "i8")
    a, b = p.buffer("a", "ub", (count,), 8192, dtype=dtype), p.buffer("b", "ub", (count,), 32768, dtype=dtype)
    mask = p.buffer("m", "ub", (count // 8,), 8192 + mask_at, dtype="i8")
    p.copy(x, a)
    p.copy(z, b)
    p.flag("MTE2", "V")
    p.vec("vcmpv_lt", a, b, to=mask)
    p.flag("V", "MTE3")
    p.copy(mask, y)
    return p


def converted(at=0, dtypes=("f32", "f16"), strides=(64, 64), sizes=None):
    """A conversion over the bytes of its source."""
    p = Program(target="ascend910b", core="aiv")
    x, y = p.input("x", (512,), dtypes[0]), p.output("y", (512,), dtypes[1])
    a, b = (
        p.buffer("a", "ub", (512,), 8192, dtype=dtypes[0]),
        p.buffer("b", "ub", (512,), 8192 + at, dtype=dtypes[1]),
    )
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vconv", a, to=b)
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p


def kind_of(program, **inputs):
    with pytest.raises(HazardError) as info:
        program.run(**inputs)
    return info.value.kind


X, Z = (np.random.default_rng(i).standard_normal(512).astype(np.float32) for i in range(2))


@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_a_mask_at_the_start_of_its_source(dtype):
    x, z = X.astype({"f16": np.float16, "f32": np.float32}[dtype]), Z.astype(dtype.replace("f", "float"))
    found = compared(dtype=dtype).run(x=x, z=z).outputs[0]
    np.testing.assert_array_equal(np.unpackbits(found.view(np.uint8), bitorder="little"), x < z)


@pytest.mark.parametrize("at", [-32, 32, 512])
def test_a_mask_elsewhere_in_its_source(at):
    assert kind_of(compared(mask_at=at), x=X, z=Z) == "in-place"


def test_a_narrower_result_at_the_start_of_its_source():
    np.testing.assert_array_equal(converted().run(x=X).outputs[0], X.astype(np.float16))


@pytest.mark.parametrize("at", [-32, 32, 1024])
def test_a_narrower_result_elsewhere_in_its_source(at):
    assert kind_of(converted(at), x=X) == "in-place"


def test_a_wider_result_over_its_source():
    assert kind_of(converted(0, ("f16", "f32")), x=X.astype(np.float16)) == "in-place"


def test_what_was_overwritten_is_gone():
    """The rest of the source stays; what the result has taken is the result's."""
    p = converted()
    a = next(op.results[0] for op in p.kernel.body.block.ops if op.name == "ascend.buffer")
    p.outputs.append("w")
    w = p._tensor("w", (512,), "f32")
    p.copy(a, w)
    assert kind_of(p, x=X) == "overwritten"


def strided(gap, narrow_gap):
    """A narrowing conversion of 4 repeats whose rows lie `gap` and `narrow_gap` blocks apart."""
    p = Program(target="ascend910b", core="aiv")
    x, y = p.input("x", (1024,), "f32"), p.output("y", (64,), "f16")
    a, b = p.buffer("a", "ub", (1024,), 0, dtype="f32"), p.buffer("b", "ub", (1024,), 0, dtype="f16")
    p.copy(x, a)
    p.flag("MTE2", "V")
    source = p.view(a, (4, 8, 8), (8 * gap, 8, 1))
    p.vec("vconv", source, to=p.view(b, (4, 4, 16), (16 * narrow_gap, 16, 1)))
    p.flag("V", "MTE3")
    p.copy(p.view(b, [64]), y)
    return p


def test_rows_that_stay_behind_what_is_read():
    x = np.random.default_rng(2).standard_normal(1024).astype(np.float32)
    found = strided(8, 4).run_with({}, {"x": x}).outputs[0][:64]
    np.testing.assert_array_equal(found, x[:64].astype(np.float16))


def test_rows_that_go_ahead_of_what_is_read():
    """Rows of results that lie further apart than those of the source overtake them."""
    assert kind_of(strided(8, 12), x=np.ones(1024, np.float32)) == "in-place"
