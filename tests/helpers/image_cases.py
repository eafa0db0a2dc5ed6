"""Calls of ops on images, and of windows along lines and through volumes: ragged, small and large shapes."""

from collections.abc import Sequence

from operator_calls import call, plain

IMAGES = ((2, 5, 7, 9), (1, 1, 1, 1), (1, 16, 13, 17), (1, 3, 28, 5), (3, 33, 8, 8), (1, 64, 30, 30))


def images() -> dict[str, list[str]]:
    """Cases of ops on images, by op."""
    pool = (
        "kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]",
        "kernel = [1, 1]",
        "kernel = [2, 2], strides = [2, 2]",
        "kernel = [3, 2], dilations = [2, 1]",
        "kernel = [5, 5], pads = [2, 2, 2, 2]",
        "kernel = [2, 2], strides = [2, 2], ceil_mode = true",
    )
    sizes = ([14, 27], [3, 2], [26, 34], [11, 13], [4, 4], [45, 60])
    modes = (
        'mode = "nearest", coordinates = "asymmetric", rounding = "floor"',
        'mode = "bilinear"',
        'mode = "nearest", coordinates = "asymmetric", rounding = "floor"',
        'mode = "bilinear", coordinates = "align_corners"',
        'coordinates = "asymmetric", rounding = "floor"',
        'mode = "bilinear", coordinates = "pytorch_half_pixel"',
    )
    convolutions = (
        ((7, 5, 3, 3), "pads = [1, 1, 1, 1]"),
        ((1, 1, 1, 1), ""),
        ((16, 1, 3, 3), "groups = 16, strides = [2, 2]"),
        ((4, 3, 5, 2), "dilations = [2, 1]"),
        ((9, 11, 3, 3), "groups = 3, pads = [1, 0, 1, 0]"),
        ((32, 64, 1, 1), ""),
    )
    transposed = (
        ((5, 3, 3, 3), "pads = [1, 1, 1, 1]"),
        ((1, 1, 1, 1), ""),
        ((16, 8, 2, 2), "strides = [2, 2]"),
        ((3, 2, 3, 2), "strides = [3, 1], dilations = [1, 2]"),
        ((33, 1, 3, 3), "groups = 33, strides = [2, 2]"),
        ((64, 16, 4, 4), "strides = [2, 2], pads = [1, 1, 1, 1], output_pads = [1, 1]"),
    )
    return {
        "avg_pool2d": [call("avg_pool2d", plain(s), a) for s, a in zip(IMAGES, pool, strict=True)],
        "max_pool2d": [call("max_pool2d", plain(s), a) for s, a in zip(IMAGES, pool, strict=True)],
        "resize": [
            call("resize", plain(s), f"sizes = {n}, {a}")
            for s, n, a in zip(IMAGES, sizes, modes, strict=True)
        ],
        "conv2d": [
            call("conv2d", [(s, "DT"), (w, "DT!")], a) for s, (w, a) in zip(IMAGES, convolutions, strict=True)
        ],
        "conv_transpose2d": [
            call("conv_transpose2d", [(s, "DT"), (w, "DT!")], a)
            for s, (w, a) in zip(IMAGES, transposed, strict=True)
        ],
        "bias_add": [call("bias_add", plain(s, s[1:2])) for s in IMAGES],
        "batch_norm": [call("batch_norm", plain(s, *[s[1:2]] * 4)) for s in IMAGES],
        "instance_norm": [call("instance_norm", plain(s, s[1:2], s[1:2])) for s in IMAGES],
        "group_norm": [
            call("group_norm", plain(s, s[1:2], s[1:2]), f"groups = {g}")
            for s, g in zip(IMAGES, (5, 1, 4, 1, 11, 8), strict=True)
        ],
        "space_to_depth": [
            call("space_to_depth", plain(s), f"block = {b}")
            for s, b in zip(
                ((2, 3, 4, 6), (1, 1, 1, 1), (1, 16, 8, 8), (1, 5, 9, 6), (3, 7, 10, 4), (1, 32, 32, 32)),
                (2, 1, 4, 3, 2, 2),
                strict=True,
            )
        ],
        "depth_to_space": [
            call("depth_to_space", plain(s), f'block = {b}, mode = "{m}"')
            for s, b, m in zip(
                ((2, 12, 2, 3), (1, 1, 1, 1), (1, 16, 8, 8), (1, 9, 5, 7), (3, 20, 3, 4), (1, 64, 16, 16)),
                (2, 1, 4, 3, 2, 2),
                ("DCR", "CRD") * 3,
                strict=True,
            )
        ],
    }


def lines_and_volumes() -> dict[str, list[str]]:
    """Cases of windows along lines and through volumes, by op."""
    lines = ((2, 5, 30), (1, 1, 1), (1, 16, 77), (3, 7, 12), (2, 33, 64), (1, 64, 200))
    volumes = (
        (1, 3, 4, 6, 5),
        (1, 1, 1, 1, 1),
        (2, 16, 5, 9, 9),
        (1, 2, 8, 3, 7),
        (2, 5, 3, 12, 4),
        (1, 32, 6, 8, 8),
    )
    pools = (
        "kernel = [3], strides = [2], pads = [1, 1]",
        "kernel = [1]",
        "kernel = [2], strides = [2], ceil_mode = true",
        "kernel = [3], dilations = [2]",
        "kernel = [5], pads = [2, 2]",
        "kernel = [2], strides = [2]",
    )
    deep = (
        "kernel = [3, 3, 2], strides = [2, 2, 1], pads = [1, 1, 0, 1, 1, 1]",
        "kernel = [1, 1, 1]",
        "kernel = [2, 2, 2], strides = [2, 2, 2], ceil_mode = true",
        "kernel = [3, 1, 2], dilations = [2, 1, 1]",
        "kernel = [1, 3, 1], strides = [2, 1, 2]",
        "kernel = [2, 2, 2], strides = [2, 2, 2]",
    )
    filters = (
        ((7, 5, 3), "pads = [1, 1]"),
        ((1, 1, 1), ""),
        ((16, 1, 3), "groups = 16, strides = [2]"),
        ((4, 7, 5), "dilations = [2]"),
        ((9, 11, 3), "groups = 3, pads = [1, 0]"),
        ((32, 64, 1), ""),
    )
    blocks = (
        ((7, 3, 3, 3, 3), "pads = [1, 1, 1, 1, 1, 1]"),
        ((1, 1, 1, 1, 1), ""),
        ((16, 16, 1, 3, 3), "strides = [2, 1, 2]"),
        ((4, 1, 3, 2, 2), "groups = 2, dilations = [2, 1, 1]"),
        ((6, 5, 2, 3, 1), "pads = [0, 1, 0, 1, 1, 0]"),
        ((32, 32, 2, 2, 2), "strides = [2, 2, 2]"),
    )
    spread = (
        ((5, 3, 3), "pads = [1, 1]"),
        ((1, 1, 1), ""),
        ((16, 8, 2), "strides = [2]"),
        ((7, 2, 3), "strides = [3], dilations = [2]"),
        ((33, 1, 3), "groups = 33, strides = [2]"),
        ((64, 16, 4), "strides = [2], pads = [1, 1], output_pads = [1]"),
    )

    def windows(op: str, shapes: Sequence[Sequence[int]], attributes: Sequence[str]) -> list[str]:
        return [call(op, plain(s), a) for s, a in zip(shapes, attributes, strict=True)]

    def products(
        op: str, shapes: Sequence[Sequence[int]], given: Sequence[tuple[Sequence[int], str]]
    ) -> list[str]:
        return [call(op, [(s, "DT"), (w, "DT!")], a) for s, (w, a) in zip(shapes, given, strict=True)]

    return {
        "avg_pool1d": windows("avg_pool1d", lines, pools),
        "max_pool1d": windows("max_pool1d", lines, pools),
        "avg_pool3d": windows("avg_pool3d", volumes, deep),
        "max_pool3d": windows("max_pool3d", volumes, deep),
        "conv1d": products("conv1d", lines, filters),
        "conv3d": products("conv3d", volumes, blocks),
        "conv_transpose1d": products("conv_transpose1d", lines, spread),
    }
