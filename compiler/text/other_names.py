"""What ops and attributes of other frameworks are called here, for hints: by meaning, where spelling would mislead.

    unknown operation 'linear'; use 'matmul' and 'bias_add'
    'softmax' has no attribute 'dim'; use 'axis'

Names are compared without their case, their underscores and what stands before the last dot: `aten.layer_norm`,
`LayerNorm` and `layernorm` are one name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from .diagnostics import did_you_mean

OPERATIONS: dict[str, str] = {
    # products
    "{matmul} and {bias_add}": "linear dense fully_connected inner_product addmm addbmm baddbmm",
    "{matmul} and {add}": "gemm mat_mul_add",
    "{matmul}": "dot dot_general mm bmm mv batch_matmul matrix_multiply mat_mul_integer tensordot outer",
    "{matmul}, with {transpose} and {reshape} around it": "einsum einsum_dense",
    "{attention}": "sdpa scaled_dot_product_attention multi_head_attention mha gqa flash_attention "
    "group_query_attention dot_product_attention",
    "{rope}": "rotary_embedding rotary rotary_position_embedding apply_rotary_pos_emb",
    # convolutions and windows
    "{conv2d}": "conv convolution convolve depthwise_conv depthwise_conv2d separable_conv2d conv2d_nchw",
    "{conv_transpose2d}": "conv_transpose deconv deconv2d deconvolution transpose_conv2d conv2d_transpose",
    "{conv_transpose1d}": "conv1d_transpose deconv1d",
    "{max_pool1d}": "max_pooling1d",
    "{max_pool3d}": "max_pooling3d",
    "{avg_pool1d}": "average_pooling1d",
    "{avg_pool3d}": "average_pooling3d",
    "{max_pool2d}": "max_pool max_pooling max_pooling2d max_unpool reduce_window",
    "{avg_pool2d}": "avg_pool average_pool average_pooling avg_pooling average_pooling2d mean_pool",
    "{reduce_mean}": "mean average global_average_pool global_avg_pool adaptive_avg_pool2d adaptive_avg_pool1d "
    "global_average_pooling2d",
    "{resize}": "upsample upsampling upsampling2d interpolate resize_bilinear resize_nearest grid_sample "
    "upsample_nearest2d upsample_bilinear2d image_resize",
    '{depth_to_space} with mode = "CRD"': "pixel_shuffle",
    "{space_to_depth}": "pixel_unshuffle focus",
    # element by element
    "{add}": "plus sum_n add_n accumulate bias",
    "{bias_add}": "add_bias",
    "{sub}": "subtract minus subtraction",
    "{mul}": "multiply times mult product_of hadamard scale scalar_mul",
    "{div}": "divide true_divide truediv real_div division quotient int_div",
    "{pow}": "power exponentiate float_power",
    "{maximum}": "max fmax maximum_of elementwise_max",
    "{minimum}": "min fmin elementwise_min",
    "{neg}": "negate negative minus_x unary_minus",
    "{abs}": "absolute fabs absolute_value",
    "{reciprocal}": "recip inv inverse",
    "{log}": "ln natural_log loge",
    "{exp}": "exponential",
    "{exp} and {sub}": "expm1 exponential_minus_one",
    "{log} and {add}": "log1p log_plus_one",
    "{log} and {mul}": "log2 log10",
    "{sin} and {div} by {cos}": "tan",
    "{rsqrt}": "reciprocal_sqrt inverse_sqrt inv_sqrt",
    "{round}": "rint nearbyint round_nearest_even",
    "{sign}": "signum sgn",
    "{clip}": "clamp clamp_min clamp_max clip_by_value relu_n hardtanh threshold",
    "{clip} with min = 0, max = 6": "relu6 relu1",
    "{cast}": "convert astype to type_as convert_element_type convert_like to_float half float type",
    "{is_nan}": "nan_check not_a_number",
    "{compare}": "equal not_equal less less_equal greater greater_equal eq ne lt le gt ge less_or_equal",
    "{select}": "where masked_fill if_then_else ternary cond masked_where select_v2",
    "{keep_where}": "tril triu triangle causal_mask triangular",
    "{logical_and}": "and bitwise_and",
    "{logical_or}": "or bitwise_or",
    "{logical_xor}": "xor bitwise_xor",
    "{logical_not}": "not bitwise_not invert",
    # activations and norms
    "{silu}": "swish sigmoid_linear_unit",
    "{silu} and {mul}": "swiglu glu_silu",
    "{sigmoid} and {mul}": "glu",
    "{gelu} and {mul}": "geglu",
    '{gelu} with approximate = "tanh"': "gelu_tanh fast_gelu gelu_new gelu_fast quick_gelu",
    "{hard_swish}": "h_swish",
    "{hard_sigmoid}": "h_sigmoid",
    "{leaky_relu}": "lrelu leaky",
    "{prelu}": "parametric_relu",
    "{sigmoid}": "logistic expit",
    "{softmax}": "softmax_v2",
    "{log_softmax}": "logsoftmax_v2",
    "{batch_norm}": "batch_normalization batch_norm_inference fused_batch_norm bn batch_norm1d batch_norm2d "
    "fused_batch_norm_v3",
    "{layer_norm}": "layer_normalization ln_norm skip_layer_normalization native_layer_norm",
    "{group_norm}": "group_normalization gn",
    "{instance_norm}": "instance_normalization in_norm instance_norm2d",
    "{rms_norm}": "rms_normalization simplified_layer_normalization t5_layer_norm root_mean_square_norm",
    "{reduce_sum}, {sqrt} and {div}": "lp_normalization l2_normalize normalize",
    # reductions
    "{reduce_sum}": "sum nansum",
    "{cumsum}": "cumulative_sum prefix_sum scan",
    "{reduce_prod}": "prod product",
    "{reduce_max}": "amax global_max_pool adaptive_max_pool2d global_max_pooling2d",
    "{reduce_min}": "amin",
    "{cast} and {reduce_max}": "any reduce_any",
    "{cast} and {reduce_min}": "all reduce_all",
    "{square}, {reduce_sum} and {sqrt}": "norm reduce_l2 vector_norm linalg_vector_norm",
    "{abs} and {reduce_sum}": "reduce_l1",
    "{square} and {reduce_sum}": "reduce_sum_square",
    "{reduce_mean} of {square}, less {square} of {reduce_mean}": "var variance std moments",
    "{reduce_max}, {exp}, {reduce_sum} and {log}": "logsumexp reduce_log_sum_exp",
    "{neg} and {argmax}": "argmin",
    "{topk}": "sort argsort kth_value",
    # shapes and moves
    "{reshape}": "view flatten squeeze unsqueeze expand_dims unflatten ravel contiguous view_as reshape_as "
    "collapse_shape expand_shape newaxis",
    "{broadcast}": "expand broadcast_to broadcast_in_dim broadcast_like expand_as",
    "{tile}": "repeat repeat_interleave",
    "{transpose}": "permute permute_dims swapaxes swap_dims movedim moveaxis t transpose2d",
    "{concat}": "cat concatenate concat_v2 append hstack vstack",
    "{reshape} and {concat}": "stack pack",
    "{split}": "chunk unstack unbind split_v split_with_sizes tensor_split unpack",
    "{slice}": "strided_slice narrow crop extract_slice getitem select_slice dynamic_slice index crop_to",
    "{pad}": "constant_pad constant_pad_nd zero_pad zero_padding2d pad_v2 zero_pad2d",
    "{gather}": "embedding index_select take lookup embedding_lookup gather_nd gather_v2 take_along_axis "
    "gather_elements",
    "{embedding_bag}": "segment_sum segment_mean segment_max embedding_sum embedding_bag_offsets",
    "{scatter}": "scatter_nd scatter_add index_put index_add scatter_update scatter_elements index_copy",
    "{one_hot}": "onehot_encoding to_categorical",
    # numbers, types, nothing
    "{constant}": "const literal full fill zeros ones constant_of_shape arange range iota eye linspace scalar",
    "{quantize}": "quantize_linear quantize_per_tensor fake_quantize",
    "{dequantize}": "dequantize_linear dequantize_per_tensor",
    "{dequantize} and {quantize}": "requantize rescale",
    "the value itself": "identity noop copy clone detach alias stop_gradient",
    "{matmul}, {sigmoid}, {tanh}, {mul} and {add} for each step": "lstm gru rnn lstm_cell gru_cell",
    "'return'": "output result yield",
}
"""What to use, with the names of ops in braces, and the names that it stands for."""

ATTRIBUTES: dict[str, str] = {
    "axis": "dim dimension concat_dim softmax_dim feature_index channel_axis ch_axis axes normalized_shape "
    "dims begin_norm_axis",
    "axes": "dim dims dimensions axis reduction_indices reduce_axes reduction_axes",
    "keep_dims": "keepdim keepdims keep_dim",
    "pads": "pad padding paddings auto_pad pad_width explicit_paddings",
    "steps": "step strides stride",
    "strides": "stride step steps window_strides subsample",
    "dilations": "dilation dilation_rate rhs_dilation rate window_dilations",
    "kernel": "kernel_size kernel_shape ksize k pool_size window window_shape window_dimensions window_size",
    "groups": "group num_groups feature_group_count n_groups",
    "output_pads": "output_padding out_pads adj",
    "epsilon": "eps variance_epsilon norm_eps",
    "alpha": "negative_slope slope leak lambd",
    "approximate": "approximation mode approx",
    "ratio": "p prob rate drop_prob dropout_prob",
    "min": "min_val min_value lower lo low a_min",
    "max": "max_val max_value upper hi high a_max",
    "to": "dtype type out_dtype target_type output_type out_type dst_type",
    "perm": "permutation dims axes order dim",
    "shape": "size sizes new_shape target_shape dims output_shape out_shape",
    "sizes": "size split split_sizes split_size size_splits lengths num_outputs num_split output_size "
    "scales scale_factor out_size",
    "starts": "start begin start_indices offsets offset",
    "ends": "end stop limit limit_indices",
    "repeats": "multiples reps repeat sizes",
    "value": "val constant_value fill_value pad_value data values splat fill const",
    "direction": "comparison_direction op predicate cmp",
    "transpose_a": "transa trans_a adj_x adj_a transpose_x lhs_transpose",
    "transpose_b": "transb trans_b adj_y transpose_y rhs_transpose",
    "causal": "is_causal unidirectional",
    "block": "block_size upscale_factor downscale_factor factor r",
    "mode": "method interpolation type",
    "coordinates": "align_corners half_pixel_centers coordinate_transformation_mode",
    "rounding": "nearest_mode round_mode",
    "depth": "num_classes num_class n_classes classes",
    "on": "on_value",
    "off": "off_value",
    "k": "n num",
    "reduction": "reduce op mode",
    "zero_point": "zp zero offset",
    "ceil_mode": "ceil ceiling",
    "count_include_pad": "include_pad count_pad",
    "interleaved": "interleave is_neox",
    "scale": "softmax_scale qk_scale scaling",
}
"""The name of an attribute, and what else it is called."""

_NAMED = re.compile(r"\{(\w+)\}")


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


_MEANINGS = {_plain(name): advice for advice, names in OPERATIONS.items() for name in names.split()}


def operation_hint(name: str, known: Collection[str], prefix: str = "") -> str:
    """What to use in place of an unknown operation: one of that meaning, else one of similar spelling, else nothing.

    `known` are the short names that there are; `prefix` stands before each in the hint.
    """
    word = _plain(name.rpartition(".")[2])
    same = next((op for op in known if _plain(op) == word), None)
    if same is not None:
        return f"; did you mean '{prefix}{same}'?"
    if word in _MEANINGS:
        return "; use " + _NAMED.sub(rf"'{prefix}\1'", _MEANINGS[word])
    return did_you_mean(prefix + name.removeprefix(prefix), [prefix + op for op in known])


def attribute_hint(name: str, known: Collection[str], others: Iterable[str] = ()) -> str:
    """Which of an op's attributes, `known`, an unknown one is: by meaning, else by spelling, `others` included."""
    word = _plain(name)
    for own in known:
        if word == _plain(own) or word in map(_plain, ATTRIBUTES.get(own, "").split()):
            return f"; use '{own}'"
    return did_you_mean(name, [*known, *others])
