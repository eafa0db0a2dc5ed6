"""Gates in columns of one product: products side by side, in one kernel with what joins them."""

import pytest
from fused_graphs import check

import ascend_opt

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")


def gated(m: int, k: int, n: int, kind: str = "{weight}") -> str:
    return f"""graph @f(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x{2 * n}xf16> {kind}, %z: tensor<{2 * n}xf16>) {{
      %0 = matmul(%x, %w)
      %1 = bias_add(%0, %z)
      %a, %b = split(%1) {{axis = 1, sizes = [{n}, {n}]}}
      %2 = gelu(%a)
      %y = mul(%2, %b)
      return %y
    }}"""


def lstm(batch: int, width: int, units: int, steps: int = 3) -> str:
    """An unrolled LSTM whose inputs of all steps are one product."""
    rows, columns = batch * steps, 4 * units
    arguments = (
        f"%x: tensor<{rows}x{width}xf16>, %w: tensor<{columns}x{width}xf16> {{weight}}",
        f"%wr: tensor<{columns}x{units}xf16> {{weight}}",
        f"%h0: tensor<{batch}x{units}xf16>, %c0: tensor<{batch}x{units}xf16>",
    )
    lines = [f"graph @f({', '.join(arguments)}) {{", "%p = matmul(%x, %w) {transpose_b = true}"]
    for t in range(steps):
        lines += [
            f"%r{t} = slice(%p) {{starts = [{t * batch}], ends = [{t * batch + batch}], axes = [0]}}",
            f"%q{t} = matmul(%h{t}, %wr) {{transpose_b = true}}",
            f"%s{t} = add(%r{t}, %q{t})",
            f"%i{t}, %o{t}, %f{t}, %g{t} = split(%s{t}) {{axis = 1, sizes = [{units}, {units}, {units}, {units}]}}",
            *(f"%{gate}{gate}{t} = sigmoid(%{gate}{t})" for gate in "iof"),
            f"%gg{t} = tanh(%g{t})",
            f"%a{t} = mul(%ii{t}, %gg{t})",
            f"%b{t} = mul(%ff{t}, %c{t})",
            f"%c{t + 1} = add(%a{t}, %b{t})",
            f"%d{t} = tanh(%c{t + 1})",
            f"%h{t + 1} = mul(%oo{t}, %d{t})",
        ]
    return "\n".join([*lines, f"return %h{steps}, %c{steps}", "}"])


def gru(batch: int, width: int, units: int, steps: int = 2) -> str:
    """An unrolled GRU whose reset gate is applied to the product."""
    sizes = f"{{axis = 1, sizes = [{units}, {units}, {units}]}}"
    arguments = (
        f"%x: tensor<{batch * steps}x{width}xf16>, %w: tensor<{width}x{3 * units}xf16> {{weight}}",
        f"%wr: tensor<{units}x{3 * units}xf16> {{weight}}, %h0: tensor<{batch}x{units}xf16>",
    )
    lines = [f"graph @f({', '.join(arguments)}) {{", "%one = constant() {value = 1.0} : tensor<f16>"]
    lines.append("%p = matmul(%x, %w)")
    for t in range(steps):
        lines += [
            f"%q{t} = slice(%p) {{starts = [{t * batch}], ends = [{t * batch + batch}], axes = [0]}}",
            f"%xz{t}, %xr{t}, %xn{t} = split(%q{t}) {sizes}",
            f"%m{t} = matmul(%h{t}, %wr)",
            f"%hz{t}, %hr{t}, %hn{t} = split(%m{t}) {sizes}",
            *(f"%a{gate}{t} = add(%x{gate}{t}, %h{gate}{t})" for gate in "zr"),
            *(f"%{gate}{t} = sigmoid(%a{gate}{t})" for gate in "zr"),
            f"%rn{t} = mul(%r{t}, %hn{t})",
            f"%an{t} = add(%xn{t}, %rn{t})",
            f"%n{t} = tanh(%an{t})",
            f"%i{t} = sub(%one, %z{t})",
            f"%u{t} = mul(%i{t}, %n{t})",
            f"%v{t} = mul(%z{t}, %h{t})",
            f"%h{t + 1} = add(%u{t}, %v{t})",
        ]
    return "\n".join([*lines, f"return %h{steps}", "}"])


GRAPHS = {
    "gated": gated(40, 64, 48),
    "odd rows, a tail of K": gated(33, 100, 16),
    "one row": gated(1, 48, 80),
    "many tiles": gated(300, 320, 256),
    "lstm": lstm(4, 64, 32),
    "lstm of one": lstm(1, 24, 16),
    "lstm of odd rows": lstm(7, 40, 48),
    "gru": gru(4, 64, 128),
    "gru of odd rows": gru(3, 24, 48),
    "half of a product": """graph @f(%x: tensor<20x64xf16>, %w: tensor<64x160xf16> {weight}, %z: tensor<1x160xf16>) {
      %0 = matmul(%x, %w)
      %1 = add(%0, %z)
      %a = slice(%1) {starts = [32], ends = [64], axes = [1]}
      %b = slice(%1) {starts = [-32], ends = [999], axes = [-1]}
      %2 = tanh(%a)
      %y = sub(%2, %b)
      return %y
    }""",
    "a batch": """graph @f(%x: tensor<3x17x32xf16>, %w: tensor<3x32x64xf16> {weight}, %z: tensor<3x1x64xf16>) {
      %0 = matmul(%x, %w)
      %1 = add(%z, %0)
      %a, %b = split(%1) {axis = 2, sizes = [32, 32]}
      %2 = sigmoid(%a)
      %y = mul(%2, %b)
      return %y
    }""",
}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", GRAPHS)
def test_values_and_kernels(name: str, chip: str) -> None:
    _, result = check(GRAPHS[name], chip)
    expected = 1 + 2 * 3 if "lstm" in name else 1 + 2 if "gru" in name else 1
    assert len(result.profile.kernels) == expected


@pytest.mark.full
@pytest.mark.parametrize("chip", CHIPS)
def test_gates_are_faster_cut(chip: str) -> None:
    """The same graph with a right operand that is no weight stays as it is."""
    text = gated(512, 256, 512)
    cut, whole = (
        ascend_opt.compile(one, target=chip, tune=1).time() for one in (text, gated(512, 256, 512, kind=""))
    )
    assert len(cut.kernels) == 1 < len(whole.kernels)
    assert cut.total_us < 0.9 * whole.total_us


def test_a_library_keeps_its_product() -> None:
    program = ascend_opt.compile(GRAPHS["gated"], target="ascend910b1", tune=1, fuse="library")
    assert program.report().count("  kernel matmul") == 1
