"""Some 400 kernels of ten categories, as graph text: products, convolutions of networks, attention, rows, reductions,
moves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product as combinations


@dataclass(frozen=True)
class Kernel:
    """One kernel of a category."""

    category: str
    name: str
    text: str


def tensor(shape: Sequence[int], dtype: str = "f16") -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


def graph(arguments: Sequence[str], lines: Sequence[str]) -> str:
    """A graph whose last line gives the result."""
    last = lines[-1].split(" = ")[0]
    return f"graph @f({', '.join(arguments)}) {{\n  " + "\n  ".join(lines) + f"\n  return {last}\n}}\n"


def matrix(m: int, n: int, k: int, weight: bool, after: Sequence[str] = ()) -> str:
    """A product and what follows it, with a row %b and a matrix %r for that."""
    mark = " {weight}" if weight else ""
    arguments = [f"%x: {tensor((m, k))}", f"%w: {tensor((k, n))}{mark}"]
    text = " ".join(after)
    if "%b" in text:
        arguments.append(f"%b: {tensor((n,))} {{weight}}")
    if "%r" in text:
        arguments.append(f"%r: {tensor((m, n))}")
    return graph(arguments, ["%p = matmul(%x, %w)", *after])


def products() -> Iterator[Kernel]:
    sizes = [
        *combinations((1, 16, 64, 128), (1024, 4096), (1024, 4096, 14336)),
        *combinations((256, 1000, 2048), (512, 1000, 4096), (256, 1024)),
        (512, 64, 8192), (64, 256, 16384), (33, 77, 1000), (4096, 4096, 4096), (8192, 1024, 1024), (8192, 8192, 8192),
    ]  # fmt: skip
    for m, n, k in sizes:
        for weight in (True, False) if m * n * k < 1 << 34 else (True,):
            yield Kernel("product", f"{m}x{n}x{k}{' weight' if weight else ''}", matrix(m, n, k, weight))


def batched() -> Iterator[Kernel]:
    for b, m, n, k in (
        *combinations((8, 48), (64, 128, 512), (64, 512), (64, 512)),
        (8, 1, 4096, 128), (8, 4, 128, 4096), (12, 128, 128, 64), (3, 100, 77, 50),
    ):  # fmt: skip
        text = graph([f"%x: {tensor((b, m, k))}", f"%y: {tensor((b, k, n))}"], ["%z = matmul(%x, %y)"])
        yield Kernel("batched product", f"{b}x{m}x{n}x{k}", text)


EPILOGUES = {
    "bias relu": ("%s = bias_add(%p, %b) {axis = -1}", "%y = relu(%s)"),
    "bias gelu": ("%s = bias_add(%p, %b) {axis = -1}", "%y = gelu(%s)"),
    "bias residual": ("%s = bias_add(%p, %b) {axis = -1}", "%y = add(%s, %r)"),
    "silu": ("%y = silu(%p)",),
}


def epilogues() -> Iterator[Kernel]:
    for (m, n, k), name in combinations(
        ((128, 768, 768), (128, 3072, 768), (512, 1024, 1024), (1000, 300, 256), (4096, 1024, 512)), EPILOGUES
    ):
        yield Kernel("epilogue", f"{m}x{n}x{k} {name}", matrix(m, n, k, True, EPILOGUES[name]))


RESNET = (
    (3, 64, 224, 7, 2), (64, 64, 56, 1, 1), (64, 64, 56, 3, 1), (64, 256, 56, 1, 1), (256, 64, 56, 1, 1),
    (256, 128, 56, 1, 1), (128, 128, 56, 3, 2), (128, 512, 28, 1, 1), (256, 512, 56, 1, 2), (512, 128, 28, 1, 1),
    (128, 128, 28, 3, 1), (512, 256, 28, 1, 1), (256, 256, 28, 3, 2), (256, 1024, 14, 1, 1), (512, 1024, 28, 1, 2),
    (1024, 256, 14, 1, 1), (256, 256, 14, 3, 1), (1024, 512, 14, 1, 1), (512, 512, 14, 3, 2), (512, 2048, 7, 1, 1),
    (1024, 2048, 14, 1, 2), (2048, 512, 7, 1, 1), (512, 512, 7, 3, 1),
)  # fmt: skip
"""Channels, filters, pixels a side, window and stride of the convolutions of ResNet-50."""


def convolutions() -> Iterator[Kernel]:
    for batch, (channels, filters, size, window, stride) in combinations((1, 8), RESNET):
        pad = window // 2
        text = graph(
            [
                f"%x: {tensor((batch, channels, size, size))}",
                f"%w: {tensor((filters, channels, window, window))} {{weight}}",
                f"%b: {tensor((filters,))} {{weight}}",
            ],
            [
                f"%c = conv2d(%x, %w) {{pads = {[pad] * 4}, strides = {[stride] * 2}}}",
                "%s = bias_add(%c, %b)",
                "%y = relu(%s)",
            ],
        )
        shape = f"{batch}x{channels}x{size}x{size} to {filters}, {window}x{window} by {stride}"
        yield Kernel("convolution", shape, text)
        if channels % 16 == 0:  # the image comes and goes in blocks of 16 channels
            yield Kernel("convolution in blocks", shape, in_blocks(text, (batch, channels, size, size)))


def in_blocks(text: str, shape: tuple[int, int, int, int]) -> str:
    """The graph with its image %x [N, C, H, W] as [N, C1, H, W, 16]."""
    n, c, h, w = shape
    given = f"%x5: {tensor((n, c // 16, h, w, 16))}"
    lines = (
        "  %t = transpose(%x5) {perm = [0, 1, 4, 2, 3]}\n",
        f"  %x = reshape(%t) {{shape = {[n, c, h, w]}}}\n",
    )
    return text.replace(f"%x: {tensor(shape)}", given).replace("{\n", "{\n" + "".join(lines), 1)


MOBILE = (
    (16, 24, 112, 6, 2),
    (24, 24, 56, 6, 1),
    (32, 64, 28, 6, 2),
    (64, 64, 14, 6, 1),
    (96, 160, 14, 6, 2),
    (160, 160, 7, 6, 1),
)


def mobile() -> Iterator[Kernel]:
    for channels, filters, size, times, stride in MOBILE:
        wide = channels * times
        arguments = [
            f"%x: {tensor((1, channels, size, size))}",
            f"%e: {tensor((wide, channels, 1, 1))} {{weight}}",
            f"%d: {tensor((wide, 1, 3, 3))} {{weight}}",
            f"%w: {tensor((filters, wide, 1, 1))} {{weight}}",
        ]
        lines = [
            "%0 = conv2d(%x, %e)",
            "%1 = clip(%0) {min = 0.0, max = 6.0}",
            f"%2 = conv2d(%1, %d) {{pads = [1, 1, 1, 1], strides = {[stride] * 2}, groups = {wide}}}",
            "%3 = clip(%2) {min = 0.0, max = 6.0}",
            "%4 = conv2d(%3, %w)",
        ]
        yield Kernel("mobile block", f"{channels} to {filters}, {size} by {stride}", graph(arguments, lines))
        depthwise = [f"%x: {tensor((1, wide, size, size))}", arguments[2]]
        lines = [lines[2].replace("%1,", "%x,"), lines[3]]
        yield Kernel("mobile block", f"depthwise {wide}, {size} by {stride}", graph(depthwise, lines))


def attention() -> Iterator[Kernel]:
    for heads, rows, depth in combinations((8, 32), (128, 512, 1024), (64, 128)):
        shape = tensor((1, heads, rows, depth))
        for causal in (False, True):
            stated = " {causal = true}" if causal else ""
            given = [f"%{name}: {shape}" for name in "qkv"]
            name = f"{heads} heads, {rows} rows of {depth}{', causal' if causal else ''}"
            yield Kernel("attention", name, graph(given, [f"%y = attention(%q, %k, %v){stated}"]))
    for keys, groups in combinations((512, 2048, 4096), (32, 8)):
        given = [f"%q: {tensor((1, 32, 1, 128))}", *(f"%{n}: {tensor((1, groups, keys, 128))}" for n in "kv")]
        text = graph(given, ["%y = attention(%q, %k, %v)"])
        yield Kernel("attention", f"one row, {groups} heads of {keys} keys", text)


def rows() -> Iterator[Kernel]:
    for shape in ((1, 512), (128, 768), (1024, 1024), (4096, 4096), (256, 33), (31, 5000), (16384, 64)):
        x, one = f"%x: {tensor(shape)}", tensor(shape[1:])
        yield Kernel("rows", f"softmax {shape}", graph([x], ["%y = softmax(%x)"]))
        scale = [f"%g: {one} {{weight}}"]
        yield Kernel("rows", f"rms_norm {shape}", graph([x, *scale], ["%y = rms_norm(%x, %g)"]))
        both = [*scale, f"%b: {one} {{weight}}"]
        yield Kernel("rows", f"layer_norm {shape}", graph([x, *both], ["%y = layer_norm(%x, %g, %b)"]))


def reductions() -> Iterator[Kernel]:
    for shape in ((64, 64, 64), (8, 512, 512), (256, 7, 129), (2, 4096, 100)):
        for axis, name in combinations((0, 1, 2), ("reduce_sum", "reduce_max")):
            text = graph([f"%x: {tensor(shape)}"], [f"%y = {name}(%x) {{axes = [{axis}]}}"])
            yield Kernel("reduction", f"{name} {shape} along {axis}", text)


def moves() -> Iterator[Kernel]:
    one = (
        ("transpose", (1024, 1024), "transpose(%x) {perm = [1, 0]}"),
        ("transpose", (8, 128, 12, 64), "transpose(%x) {perm = [0, 2, 1, 3]}"),
        ("transpose", (4, 100, 77), "transpose(%x) {perm = [0, 2, 1]}"),
        ("slice", (1024, 1024), "slice(%x) {starts = [0], ends = [512], axes = [1]}"),
        ("slice", (64, 64, 56, 56), "slice(%x) {starts = [16], ends = [48], axes = [1]}"),
        ("slice", (1000, 300), "slice(%x) {starts = [0], ends = [300], axes = [1], steps = [3]}"),
        ("pad", (8, 64, 28, 28), "pad(%x) {pads = [0, 0, 1, 1, 0, 0, 1, 1]}"),
        ("pad", (1000, 1000), "pad(%x) {pads = [0, 0, 24, 24]}"),
        ("resize", (1, 64, 40, 40), "resize(%x) {sizes = [80, 80]}"),
        ("resize", (1, 256, 13, 13), "resize(%x) {sizes = [26, 26]}"),
        (
            "max_pool2d",
            (1, 64, 112, 112),
            "max_pool2d(%x) {kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]}",
        ),
        ("max_pool2d", (8, 192, 28, 28), "max_pool2d(%x) {kernel = [3, 3], pads = [1, 1, 1, 1]}"),
        ("max_pool2d", (1, 256, 20, 20), "max_pool2d(%x) {kernel = [5, 5], pads = [2, 2, 2, 2]}"),
        ("avg_pool2d", (8, 256, 14, 14), "avg_pool2d(%x) {kernel = [2, 2], strides = [2, 2]}"),
    )
    for name, shape, call in one:
        yield Kernel("move", f"{name} {shape}", graph([f"%x: {tensor(shape)}"], [f"%y = {call}"]))
    for shape, axis, parts in (
        ((1, 64, 56, 56), 1, 4),
        ((8, 64, 28, 28), 1, 2),
        ((512, 768), 1, 3),
        ((100, 33), 1, 2),
    ):
        given = [f"%x{i}: {tensor(shape)}" for i in range(parts)]
        names = ", ".join(f"%x{i}" for i in range(parts))
        text = graph(given, [f"%y = concat({names}) {{axis = {axis}}}"])
        yield Kernel("move", f"concat of {parts} {shape}", text)
    for table, count in (((30000, 768), 128), ((1000, 64), 4096), ((50000, 4096), 64)):
        given = [f"%x: {tensor(table)}", f"%i: {tensor((count,), 'i32')}"]
        yield Kernel("move", f"gather {count} of {table}", graph(given, ["%y = gather(%x, %i) {axis = 0}"]))


def perceptrons() -> Iterator[Kernel]:
    for m, (k, hidden, n) in combinations(
        (1, 32, 256, 2048), ((256, 1024, 256), (768, 3072, 768), (100, 300, 10))
    ):
        arguments = [
            f"%x: {tensor((m, k))}",
            f"%u: {tensor((k, hidden))} {{weight}}",
            f"%v: {tensor((hidden, n))} {{weight}}",
        ]
        lines = ["%0 = matmul(%x, %u)", "%1 = relu(%0)", "%y = matmul(%1, %v)"]
        yield Kernel("perceptron", f"{m}: {k}, {hidden}, {n}", graph(arguments, lines))


def elements() -> Iterator[Kernel]:
    for shape in ((1024,), (100, 333), (512, 1024), (4096, 4096), (8, 64, 56, 56)):
        x, y = (f"%{name}: {tensor(shape)}" for name in "xy")
        yield Kernel("elements", f"add {shape}", graph([x, y], ["%z = add(%x, %y)"]))
        yield Kernel("elements", f"gelu {shape}", graph([x], ["%z = gelu(%x)"]))
        chain = ["%0 = mul(%x, %y)", "%1 = sigmoid(%0)", "%z = add(%1, %x)"]
        yield Kernel("elements", f"chain {shape}", graph([x, y], chain))


def kernels() -> list[Kernel]:
    """All of them."""
    makers = (
        products, batched, epilogues, convolutions, mobile, attention, rows, reductions, moves, perceptrons, elements,
    )  # fmt: skip
    return [kernel for maker in makers for kernel in maker()]


__all__ = ["Kernel", "kernels"]
