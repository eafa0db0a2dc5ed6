"""Graphs of any length whose blocks all differ in shape, and networks whose layers are all alike."""

import random

_SIZES = tuple(range(16, 592, 16))


def _distinct(count: int) -> list[int]:
    """Sizes of which no two that follow each other come again, and which are on average alike anywhere."""
    if count > 1000:
        raise ValueError(f"chains have at most 1000 blocks, not {count}")
    drawn, seen, sizes = random.Random(1), set[tuple[int, int]](), [_SIZES[0]]
    while len(sizes) <= count:
        left = [size for size in _SIZES if (sizes[-1], size) not in seen]
        size = drawn.choice(left)
        seen.add((sizes[-1], size))
        sizes.append(size)
    return sizes


def product_chain(blocks: int) -> str:
    """Blocks of matmul, bias and gelu."""
    sizes = _distinct(blocks)
    weights = (
        f", %w{i}: tensor<{sizes[i]}x{sizes[i + 1]}xf16>, %b{i}: tensor<{sizes[i + 1]}xf16>"
        for i in range(blocks)
    )
    lines = (
        f"  %m{i} = matmul(%x{i}, %w{i})\n  %a{i} = bias_add(%m{i}, %b{i})\n  %x{i + 1} = gelu(%a{i})\n"
        for i in range(blocks)
    )
    head = f"graph @chain(%x0: tensor<16x{sizes[0]}xf16>{''.join(weights)})"
    return f"{head} {{\n{''.join(lines)}  return %x{blocks}\n}}\n"


def convolution_chain(blocks: int) -> str:
    """Blocks of conv2d, bias and relu."""
    sizes = _distinct(blocks)
    weights = (
        f", %w{i}: tensor<{sizes[i + 1]}x{sizes[i]}x1x1xf16>, %b{i}: tensor<{sizes[i + 1]}xf16>"
        for i in range(blocks)
    )
    lines = (
        f"  %m{i} = conv2d(%x{i}, %w{i})\n  %a{i} = bias_add(%m{i}, %b{i})\n  %x{i + 1} = relu(%a{i})\n"
        for i in range(blocks)
    )
    head = f"graph @chain(%x0: tensor<1x{sizes[0]}x4x4xf16>{''.join(weights)})"
    return f"{head} {{\n{''.join(lines)}  return %x{blocks}\n}}\n"


def elementwise_chain(ops: int) -> str:
    """Unary ops, one after the other."""
    names = ("relu", "exp", "tanh", "abs", "neg")
    lines = (f"  %x{i + 1} = {names[i * 7 % 5]}(%x{i})\n" for i in range(ops))
    return f"graph @chain(%x0: tensor<1024x512xf16>) {{\n{''.join(lines)}  return %x{ops}\n}}\n"


def norm_chain(blocks: int) -> str:
    """Blocks of row ops: the largest of each row, with a row of another length, and a softmax of that."""
    sizes = _distinct(blocks)
    rows = (f", %b{i}: tensor<{sizes[i + 1]}xf16>" for i in range(blocks))
    lines = (
        f"  %m{i} = reduce_max(%x{i}) {{axes = [1], keep_dims = true}}\n  %a{i} = add(%m{i}, %b{i})\n"
        f"  %x{i + 1} = softmax(%a{i})\n"
        for i in range(blocks)
    )
    head = f"graph @chain(%x0: tensor<16x{sizes[0]}xf16>{''.join(rows)})"
    return f"{head} {{\n{''.join(lines)}  return %x{blocks}\n}}\n"


def layers(count: int, width: int = 64, rows: int = 32) -> str:
    """Equal layers: a product with bias and gelu, one back, and what the layer began with."""
    hidden = 2 * width
    weights = (
        f", %u{i}: tensor<{width}x{hidden}xf16> {{weight}}, %b{i}: tensor<{hidden}xf16> {{weight}}, "
        f"%d{i}: tensor<{hidden}x{width}xf16> {{weight}}"
        for i in range(count)
    )
    lines = (
        f"  %m{i} = matmul(%x{i}, %u{i})\n  %a{i} = bias_add(%m{i}, %b{i})\n  %g{i} = gelu(%a{i})\n"
        f"  %n{i} = matmul(%g{i}, %d{i})\n  %x{i + 1} = add(%n{i}, %x{i})\n"
        for i in range(count)
    )
    head = f"graph @layers(%x0: tensor<{rows}x{width}xf16>{''.join(weights)})"
    return f"{head} {{\n{''.join(lines)}  return %x{count}\n}}\n"
