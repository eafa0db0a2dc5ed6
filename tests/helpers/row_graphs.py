"""Graphs of one or a few ops on rows."""

PAIRS = (
    ("ascend910", "f16"), ("ascend310p", "f16"), ("ascend910b1", "f16"), ("ascend950", "f16"), ("ascend910b1", "f32")
)  # fmt: skip
GRAPHS = {
    "softmax": ("%y = softmax(%x)",),
    "softmax of the first dimension": ("%y = softmax(%x) {axis = 0}",),
    "log_softmax": ("%y = log_softmax(%x)",),
    "sum": ("%y = reduce_sum(%x) {axes = [-1]}",),
    "sum, kept": ("%y = reduce_sum(%x) {axes = [-1], keep_dims = true}",),
    "mean of the first dimension": ("%y = reduce_mean(%x) {axes = [0]}",),
    "largest": ("%y = reduce_max(%x) {axes = [-1]}",),
    "least": ("%y = reduce_min(%x) {axes = [0], keep_dims = true}",),
    "layer_norm": ("%y = layer_norm(%x, %g, %b)",),
    "rms_norm": ("%y = rms_norm(%x, %g)",),
    "norm after": ("%t = gelu(%x)", "%y = layer_norm(%t, %g, %b)"),
    "norm before": ("%t = layer_norm(%x, %g, %b)", "%y = gelu(%t)"),
    "what is left of the mean": (
        "%t = add(%x, %x)", "%m = reduce_mean(%t) {axes = [-1], keep_dims = true}", "%y = sub(%t, %m)",
    ),
    "after a reduction": ("%t = reduce_mean(%x) {axes = [-1]}", "%y = exp(%t)"),
}  # fmt: skip


def text_of(name: str, shape: tuple[int, ...], dtype: str) -> str:
    sizes, last = "x".join(map(str, shape)), shape[-1]
    body = "\n  ".join(GRAPHS[name])
    arguments = f"%x: tensor<{sizes}x{dtype}>, %g: tensor<{last}x{dtype}>, %b: tensor<{last}x{dtype}>"
    return f"graph @f({arguments}) {{\n  {body}\n  return %y\n}}"
