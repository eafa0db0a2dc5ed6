"""Calls of ops that see images through windows, or resize them."""

# pyright: basic

from functools import partial
from typing import Any

from differential.program import FLOATS, Value

COORDINATES = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric")
ROUNDINGS = ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")


def multiplies(g: Any, dtype: str) -> bool:
    """Whether the Cube of the chip multiplies numbers of this floating-point type."""
    return dtype in FLOATS and dtype in g.chip.cube.fractal


def _conv(n: int, g: Any, x: Value) -> Any:
    """Along `n` dimensions."""
    rng, op = g.rng, f"conv{n}d"
    if x.rank != n + 2 or not multiplies(g, x.dtype) or x.shape[1] > 70:
        return None
    kernel = [rng.choice((1, 1, 2, 3, 3, 3, 5)) for _ in range(n)]
    pads = [rng.choice((0, 0, 1, 1, 2)) for _ in range(2 * n)]
    dilations = [rng.choice((1, 1, 1, 2)) for _ in range(n)]
    for d in range(n):
        while x.shape[2 + d] + pads[d] + pads[n + d] < dilations[d] * (kernel[d] - 1) + 1:
            kernel[d] -= 1
    channels = x.shape[1]
    groups = rng.choice([k for k in (1, 1, 1, 2, 4, channels, channels) if channels % k == 0])
    filters = groups * rng.choice((1, 1, 2, 3)) if groups > 1 else rng.choice((1, 3, 8, 16, 17, 32, 33))
    if rng.random() < 0.06 and not x.batched:  # the value is the filters
        image = g.argument((2, channels, *(9, 11, 10)[:n]), x.dtype)
        return g.apply(op, [image, x], {"pads": (3,) * 2 * n})
    attributes = {
        "strides": tuple(rng.choice((1, 1, 1, 2, 3)) for _ in range(n)), "pads": tuple(pads),
        "dilations": tuple(dilations), "groups": groups,
    }  # fmt: skip
    w = g.argument((filters, channels // groups, *kernel), x.dtype, "filters", 0.6)
    return g.apply(op, [x, w, *_bias(g, filters, x.dtype)], attributes)


def _bias(g: Any, filters: int, dtype: str) -> list[Value]:
    if g.rng.random() < 0.7 or g.kind == "extreme":
        return []
    return [g.argument((filters,), dtype, "zero" if g.kind == "index" else "", 0.6)]


def _conv_transpose(n: int, g: Any, x: Value) -> Any:
    rng = g.rng
    if x.rank != n + 2 or not multiplies(g, x.dtype) or x.shape[1] > 40:
        return None
    channels = x.shape[1]
    groups = rng.choice([k for k in (1, 1, 2, channels) if channels % k == 0])
    each = rng.choice((1, 2, 3)) if groups > 1 else rng.choice((1, 3, 8, 16, 17))
    kernel, strides = (tuple(rng.choice(c) for _ in range(n)) for c in ((1, 2, 2, 3, 4), (1, 2, 2, 3)))
    dilations = tuple(rng.choice((1, 1, 1, 2)) for _ in range(n))
    attributes = {
        "strides": strides, "dilations": dilations, "groups": groups,
        "pads": tuple(rng.choice((0, 0, 1)) for _ in range(2 * n)),
        "output_pads": tuple(rng.choice((0, 0, max(s, d) - 1)) for s, d in zip(strides, dilations, strict=True)),
    }  # fmt: skip
    w = g.argument((channels, each, *kernel), x.dtype, "filters", 0.6)
    return g.apply(f"conv_transpose{n}d", [x, w, *_bias(g, each * groups, x.dtype)], attributes)


def _beside(kind: str, g: Any, x: Value) -> Any:
    """A value, pools of its size one behind the other, and what joins them."""
    rng, values = g.rng, [x]
    side = rng.choice((3, 5))
    attributes = {
        "kernel": (side, side), "strides": (1, 1), "pads": (side // 2,) * 4, "dilations": (1, 1), "ceil_mode": False,
    }  # fmt: skip
    if kind == "avg":
        attributes["count_include_pad"] = rng.random() < 0.4
    for _ in range(rng.choice((1, 1, 2, 3))):
        found = g.apply(f"{kind}_pool2d", values[-1:], attributes)
        if not found:
            return None
        values += found
    if rng.random() < 0.3:
        return g.apply(rng.choice(("maximum", "minimum")), values[-2:], {})
    rng.shuffle(values)
    return g.apply("concat", values, {"axis": rng.choice((0, 1, 1, 1, 2, 3))})


def _pool(kind: str, n: int, g: Any, x: Value) -> Any:
    rng, sizes = g.rng, x.shape[2:]
    if x.rank != n + 2:
        return None
    if n == 2 and rng.random() < 0.3:
        return _beside(kind, g, x)
    kernel = tuple(min(size, rng.choice((1, 2, 3, 3, 5))) for size in sizes)
    dilations = tuple(
        rng.choice((1, 1, 1, 2)) if 2 * (k - 1) < size else 1 for k, size in zip(kernel, sizes, strict=True)
    )
    attributes = {
        "kernel": kernel, "strides": tuple(rng.choice((1, 2, 3)) for _ in range(n)),
        "pads": tuple(rng.randint(0, min(2, kernel[i % n] - 1)) for i in range(2 * n)), "dilations": dilations,
        "ceil_mode": rng.random() < 0.3,
    }  # fmt: skip
    if kind == "avg":
        attributes["count_include_pad"] = rng.random() < 0.4
    return g.apply(f"{kind}_pool{n}d", [x], attributes)


def _resize(g: Any, x: Value) -> Any:
    rng = g.rng
    if x.rank != 4:
        return None
    if not multiplies(g, x.dtype):
        sizes = tuple(n * rng.choice((1, 2, 2, 3)) for n in x.shape[2:])
        return g.apply("resize", [x], {"sizes": sizes, "coordinates": "asymmetric", "rounding": "floor"})
    attributes: dict[str, Any] = {"coordinates": rng.choice(COORDINATES), "rounding": rng.choice(ROUNDINGS)}
    if rng.random() < 0.3:
        attributes["scales"] = tuple(rng.choice((0.6, 1.0, 1.5, 2.0, 2.3)) for _ in range(2))
    else:
        whole = rng.random() < 0.5
        attributes["sizes"] = tuple(
            n * rng.choice((1, 2, 2, 3)) if whole else rng.randint(1, 2 * n + 1) for n in x.shape[2:]
        )
    attributes["mode"] = "nearest" if g.kind != "gaussian" else rng.choice(("nearest", "bilinear", "cubic"))
    if attributes["mode"] != "nearest" and rng.random() < 0.2:
        attributes["antialias"] = True
    if attributes["mode"] == "cubic" and rng.random() < 0.3:
        attributes["exclude_outside"] = True
    return g.apply("resize", [x], attributes)


IMAGE_OPS = {
    **{f"conv{n}d": partial(_conv, n) for n in (1, 2, 3)},
    **{f"conv_transpose{n}d": partial(_conv_transpose, n) for n in (1, 2)},
    **{f"{kind}_pool{n}d": partial(_pool, kind, n) for kind in ("avg", "max") for n in (1, 2, 3)},
    "resize": _resize,
}
