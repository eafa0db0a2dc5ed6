"""Ops that are alike to the tester."""

# pyright: basic


def _named(text: str) -> frozenset[str]:
    return frozenset(text.split())


MOVES = _named(
    "broadcast cast concat depth_to_space dropout gather pad reshape slice space_to_depth split tile transpose"
)
SELECTIONS = _named(
    """abs argmax ceil clip compare floor is_nan keep_where logical_and logical_not logical_or logical_xor max_pool1d
    max_pool2d max_pool3d maximum minimum neg one_hot reduce_max reduce_min relu round select sign topk"""
)
"""Ops whose results are operands, or whole numbers."""
SMOOTH = _named(
    """attention batch_norm cos elu erf exp gelu group_norm hard_sigmoid hard_swish instance_norm layer_norm log
    log_softmax mish pow reciprocal rms_norm rsqrt sigmoid silu sin softmax softmax_matmul softplus sqrt
    tanh"""
)
"""Functions that are computed to some accuracy only."""
IEEE = MOVES | _named(
    """abs add compare is_nan keep_where logical_and logical_not logical_or logical_xor mul neg one_hot select sub"""
)
"""Ops that are defined of infinities and NaN."""
STATIC = frozenset({"conv3d", "softmax_matmul"})
"""Ops without dynamic sizes."""
SUMS = _named(
    """avg_pool1d avg_pool2d avg_pool3d conv1d conv2d conv3d conv_transpose1d conv_transpose2d cumsum embedding_bag
    matmul reduce_mean reduce_prod reduce_sum resize rope scatter"""
)
"""Ops that add or multiply in an order of their own."""
STEPS = _named("argmax cast ceil compare floor keep_where quantize round sign topk")
"""Ops that jump."""
RANKS = {
    **dict.fromkeys(("avg_pool1d", "conv1d", "conv_transpose1d", "max_pool1d"), 3),
    **dict.fromkeys(
        ("avg_pool2d", "conv2d", "conv_transpose2d", "depth_to_space", "max_pool2d", "resize"), 4
    ),
    **dict.fromkeys(("space_to_depth", "group_norm", "instance_norm"), 4),
    **dict.fromkeys(("avg_pool3d", "conv3d", "max_pool3d"), 5),
}
"""The dimensions of what ops of images take; norms take others, too."""
POSITIVE = _named("log pow reciprocal rsqrt sqrt div")
"""Ops that not every number suits."""
NORMS = _named("batch_norm group_norm instance_norm layer_norm rms_norm")
"""Ops that divide by how far elements are apart, or subtract what they nearly are."""
CONSUMERS = _named(
    """matmul conv1d conv2d conv3d conv_transpose2d attention avg_pool2d max_pool2d resize reduce_max reduce_mean
    reduce_min reduce_prod reduce_sum softmax log_softmax layer_norm rms_norm group_norm instance_norm batch_norm
    transpose argmax topk scatter"""
)
"""What is likely to see a move that was left to it: products, windows, reductions, norms, transposes."""
UNARY = _named(
    """abs ceil cos erf exp floor hard_swish is_nan log logical_not mish neg reciprocal relu round rsqrt sigmoid
    sign silu sin softplus sqrt square tanh"""
)
"""Ops of one operand without attributes."""
BINARY = _named("add sub mul div maximum minimum logical_and logical_or logical_xor")
