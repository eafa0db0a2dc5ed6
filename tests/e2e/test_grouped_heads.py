"""Grouped heads as exporters write them, keys and values repeated: one kernel, which reads them as they are."""

import pytest
from fused_graphs import check

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")


def attention(b: int, g: int, r: int, s: int, t: int, d: int, mask: str) -> str:
    """Scaled and masked attention of b images, r heads for each of g of keys and values; rows s, t of d."""

    def heads(name: str, rows: int, count: int) -> list[str]:
        return [
            f"%{name}1 = reshape(%{name}) {{shape = [{b}, {rows}, {count}, {d}]}}",
            f"%{name}2 = transpose(%{name}1) {{perm = [0, 2, 1, 3]}}",
        ]

    def repeated(name: str) -> list[str]:
        return [
            f"%{name}3 = reshape(%{name}2) {{shape = [{b}, {g}, 1, {t}, {d}]}}",
            f"%{name}4 = broadcast(%{name}3) {{shape = [{b}, {g}, {r}, {t}, {d}]}}",
            f"%{name}5 = reshape(%{name}4) {{shape = [{b}, {g * r}, {t}, {d}]}}",
        ]

    arguments = ", ".join(
        (
            f"%q: tensor<{b}x{s}x{g * r * d}xf16>, %m: tensor<{mask}x{s}x{t}xf16>",
            *(f"%{name}: tensor<{b}x{t}x{g * d}xf16>" for name in "kv"),
        )
    )
    return "\n".join(
        [
            f"graph @f({arguments}) {{",
            *heads("q", s, g * r), *heads("k", t, g), *heads("v", t, g),
            *repeated("k"), *repeated("v"),
            "%k6 = transpose(%k5) {perm = [0, 1, 3, 2]}",
            "%s = matmul(%q2, %k6)",
            "%c = constant() {value = 0.125} : tensor<f16>",
            "%s1 = mul(%s, %c)",
            "%s2 = add(%s1, %m)",
            "%p = softmax(%s2)",
            "%o = matmul(%p, %v5)",
            "%o1 = transpose(%o) {perm = [0, 2, 1, 3]}",
            f"%y = reshape(%o1) {{shape = [{b}, {s}, {g * r * d}]}}",
            "return %y", "}",
        ]
    )  # fmt: skip


CASES = {
    "rows": (1, 2, 4, 64, 64, 32, "1x1"),
    "a mask for each head": (2, 3, 2, 33, 48, 16, "2x6"),
    "a mask for each image": (2, 2, 2, 20, 32, 16, "2x1"),
    "one row": (1, 2, 4, 1, 96, 32, "1x1"),
    "one group": (2, 1, 3, 7, 16, 16, "1x3"),
}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", CASES)
def test_one_kernel(name: str, chip: str) -> None:
    _, result = check(attention(*CASES[name]), chip)
    assert len(result.profile.kernels) == 1
