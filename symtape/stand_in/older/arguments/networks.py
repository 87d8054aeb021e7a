"""Layers of networks and images by the arguments that they had in TensorFlow 1: a line each."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from symtape.stand_in.older.arguments.names import axis_of, filters_of, keeps, now, one
from symtape.stand_in.raw.batch_norm import normalized

tf: Any = importlib.import_module(__name__.partition(".")[0])
"""The public face."""


def _dropout(
    x: Any,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: Any = None,
    name: str | None = None,
    rate: Any = None,
) -> Any:
    """Drop elements, by the share that stays or by that which goes."""
    try:
        left = None if keep_prob is None else 1.0 - keep_prob
    except TypeError:
        raise ValueError(
            "`keep_prob` must be a floating point number or Tensor. Received: "
            f"keep_prob={keep_prob}"
        ) from None
    rate = one("rate", rate, "keep_prob", left)
    if rate is None:
        raise ValueError(f"`rate` must be provided. Received: rate={rate}")
    return tf.nn.dropout(x, rate, noise_shape, seed, name)


def _embedding_lookup(
    params: Any,
    ids: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: Any = None,
) -> Any:
    """Look rows up; of several tensors the first ids are first in each, unless `"div"` is said."""
    if partition_strategy == "mod" and isinstance(params, (list, tuple)) and len(params) > 1:
        ends = tf.cumsum([tf.shape(p)[0] for p in params], exclusive=True)
        ids = tf.convert_to_tensor(ids)
        ids = tf.gather(tf.cast(ends, ids.dtype), ids % len(params)) + ids // len(params)
        params = tf.concat(params, 0)
    return tf.nn.embedding_lookup(params, ids, max_norm, name)


def _whole(params: Any, partition_strategy: str) -> Any:
    """Give all rows of several tensors in the order of their ids."""
    if not isinstance(params, (list, tuple)) or len(params) == 1:
        return params
    count = sum(int(tf.shape(p)[0]) for p in params)
    return _embedding_lookup(params, tf.range(count), partition_strategy)


def _max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    Targmax: Any = None,
    name: str | None = None,
    output_dtype: Any = None,
    include_batch_in_index: bool = False,
) -> Any:
    """Give the largest elements, and where they are."""
    if data_format != "NHWC":
        raise ValueError(
            "`data_format` values other  than 'NHWC' are not supported. "
            f"Received: data_format={data_format}"
        )
    kind = one("output_dtype", output_dtype, "Targmax", Targmax)
    kind = tf.int64 if kind is None else kind
    return tf.nn.max_pool_with_argmax(
        input, ksize, strides, padding, data_format, kind, include_batch_in_index, name
    )


def _softmax_cross_entropy(
    labels: Any = None,
    logits: Any = None,
    dim: Any = -1,
    name: str | None = None,
    axis: Any = None,
) -> Any:
    """Compare with labels through which no gradient passes."""
    at = one("axis", axis, "dim", dim)
    if labels is None or logits is None:
        raise ValueError(
            "Both `labels` and `logits` must be provided for softmax_cross_entropy_with_logits"
            f"Received: labels={labels} and logits={logits}"
        )
    return tf.nn.softmax_cross_entropy_with_logits(tf.stop_gradient(labels), logits, at, name)


def _fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
    exponential_avg_factor: float = 1.0,
) -> tuple[Any, Any, Any]:
    """Normalize channels; gives the running moments, too, which go on from those that are given."""
    if (not is_training or exponential_avg_factor != 1.0) and (mean is None or variance is None):
        raise ValueError(
            "Both `mean` and `variance` must be a 1D tensor when `is_training` is False or "
            f"`exponential_avg_factor` != 1.0. Received: `mean` {mean!r} and `variance` "
            f"{variance!r}"
        )
    x, scale, offset = (tf.convert_to_tensor(part) for part in (x, scale, offset))
    mean, variance = (tf.constant([]) if part is None else part for part in (mean, variance))
    how = (epsilon, exponential_avg_factor, data_format, is_training)
    made = normalized(x, scale, offset, mean, variance, *how)
    return made.y, made.batch_mean, made.batch_variance


NETWORKS: dict[str, Callable[..., Any]] = {
    "nn.max_pool_with_argmax": _max_pool_with_argmax,
    "nn.nce_loss": lambda weights, biases, labels, inputs, num_sampled, num_classes, num_true=1,
    sampled_values=None, remove_accidental_hits=False, partition_strategy="mod", name="nce_loss": (
        tf.nn.nce_loss(
            _whole(weights, partition_strategy), _whole(biases, partition_strategy), labels, inputs,
            num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits, name,
        )
    ),
    "nn.sampled_softmax_loss": lambda weights, biases, labels, inputs, num_sampled, num_classes,
    num_true=1, sampled_values=None, remove_accidental_hits=True, partition_strategy="mod",
    name="sampled_softmax_loss", seed=None: tf.nn.sampled_softmax_loss(
        _whole(weights, partition_strategy), _whole(biases, partition_strategy), labels, inputs,
        num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits, seed, name,
    ),
    "nn.avg_pool": lambda value, ksize, strides, padding, data_format="NHWC", name=None,
    input=None: now(tf.nn.avg_pool, locals(), input="value"),
    "nn.conv1d": lambda value=None, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None,
    data_format=None, name=None, input=None, dilations=None: tf.nn.conv1d(
        one("input", input, "value", value), filters, stride, padding, data_format or "NWC",
        dilations, name,
    ),
    "nn.conv2d": lambda input, filter=None, strides=None, padding=None, use_cudnn_on_gpu=True,
    data_format="NHWC", dilations=(1, 1, 1, 1), name=None, filters=None: tf.nn.conv2d(
        input, filters_of(filters, filter), 1 if strides is None else strides, padding, data_format,
        list(dilations) if isinstance(dilations, tuple) else dilations, name,
    ),
    "nn.conv2d_transpose": lambda value=None, filter=None, output_shape=None, strides=None,
    padding="SAME", data_format="NHWC", name=None, input=None, filters=None, dilations=None: (
        now(tf.nn.conv2d_transpose, locals(), input="value", filters="filter")
    ),
    "nn.conv3d": lambda input, filter=None, strides=None, padding=None, data_format="NDHWC",
    dilations=(1, 1, 1, 1, 1), name=None, filters=None: tf.nn.conv3d(
        input, filters_of(filters, filter), strides, padding, data_format,
        list(dilations) if isinstance(dilations, tuple) else dilations, name,
    ),
    "nn.conv3d_transpose": lambda value, filter=None, output_shape=None, strides=None,
    padding="SAME", data_format="NDHWC", name=None, input=None, filters=None, dilations=None: (
        now(tf.nn.conv3d_transpose, locals(), input="value", filters="filter")
    ),
    "nn.convolution": lambda input, filter, padding, strides=None, dilation_rate=None, name=None,
    data_format=None, filters=None, dilations=None: (
        now(tf.nn.convolution, locals(), filters="filter", dilations="dilation_rate")
    ),
    "nn.crelu": lambda features, name=None, axis=-1: now(tf.nn.crelu, locals()),
    "nn.depthwise_conv2d": lambda input, filter, strides, padding, rate=None, name=None,
    data_format=None, dilations=None: now(tf.nn.depthwise_conv2d, locals(), dilations="rate"),
    "nn.dilation2d": lambda input, filter=None, strides=None, rates=None, padding=None, name=None,
    filters=None, dilations=None: tf.nn.dilation2d(
        input, filters_of(filters, filter), strides, padding, "NHWC",
        one("dilations", dilations, "rates", rates), name,
    ),
    "nn.dropout": _dropout,
    "nn.embedding_lookup": _embedding_lookup,
    "nn.erosion2d": lambda value, kernel, strides, rates, padding, name=None: tf.nn.erosion2d(
        value, kernel, strides, padding, "NHWC", rates, name
    ),
    "nn.fused_batch_norm": _fused_batch_norm,
    "nn.leaky_relu": lambda features, alpha=0.2, name=None: now(tf.nn.leaky_relu, locals()),
    "nn.max_pool": lambda value, ksize, strides, padding, data_format="NHWC", name=None,
    input=None: now(tf.nn.max_pool, locals(), input="value"),
    "nn.moments": lambda x, axes, shift=None, name=None, keep_dims=None, keepdims=None: (
        tf.nn.moments(x, axes, shift, keeps(keepdims, keep_dims), name)
    ),
    "nn.pool": lambda input, window_shape, pooling_type, padding, dilation_rate=None, strides=None,
    name=None, data_format=None, dilations=None: (
        now(tf.nn.pool, locals(), dilations="dilation_rate")
    ),
    "nn.relu_layer": lambda x, weights, biases, name=None: tf.nn.relu(
        tf.nn.bias_add(tf.matmul(x, weights), biases), name
    ),
    "nn.separable_conv2d": lambda input, depthwise_filter, pointwise_filter, strides, padding,
    rate=None, name=None, data_format=None, dilations=None: (
        now(tf.nn.separable_conv2d, locals(), dilations="rate")
    ),
    "nn.sigmoid_cross_entropy_with_logits": lambda labels=None, logits=None, name=None: (
        now(tf.nn.sigmoid_cross_entropy_with_logits, locals())
    ),
    "nn.softmax_cross_entropy_with_logits": _softmax_cross_entropy,
    "nn.softmax_cross_entropy_with_logits_v2": lambda labels, logits, axis=None, name=None,
    dim=None: tf.nn.softmax_cross_entropy_with_logits(
        labels, logits, -1 if axis is dim is None else axis_of(axis, "dim", dim), name
    ),
    "nn.sparse_softmax_cross_entropy_with_logits": lambda labels=None, logits=None, name=None: (
        now(tf.nn.sparse_softmax_cross_entropy_with_logits, locals())
    ),
    "nn.sufficient_statistics": lambda x, axes, shift=None, keep_dims=None, name=None,
    keepdims=None: tf.nn.sufficient_statistics(x, axes, shift, keeps(keepdims, keep_dims), name),
    "nn.weighted_cross_entropy_with_logits": lambda labels=None, logits=None, pos_weight=None,
    name=None, targets=None: (
        now(tf.nn.weighted_cross_entropy_with_logits, locals(), labels="targets")
    ),
    "nn.weighted_moments": lambda x, axes, frequency_weights, name=None, keep_dims=None,
    keepdims=None: tf.nn.weighted_moments(
        x, axes, frequency_weights, keeps(keepdims, keep_dims), name
    ),
    "nn.xw_plus_b": lambda x, weights, biases, name=None: tf.nn.bias_add(
        tf.matmul(x, weights), biases, None, name
    ),
    "image.draw_bounding_boxes": lambda images, boxes, name=None, colors=None: (
        now(tf.image.draw_bounding_boxes, locals())
    ),
    "image.crop_and_resize": lambda image, boxes, box_ind=None, crop_size=None, method="bilinear",
    extrapolation_value=0, name=None, box_indices=None: (
        now(tf.image.crop_and_resize, locals(), box_indices="box_ind")
    ),
    "image.extract_image_patches": lambda images, ksizes=None, strides=None, rates=None,
    padding=None, name=None, sizes=None: (
        now(tf.image.extract_patches, locals(), sizes="ksizes")
    ),
    "image.extract_patches": lambda images, sizes, strides, rates, padding, name=None: (
        now(tf.image.extract_patches, locals())
    ),
    "image.resize_image_with_crop_or_pad": tf.image.resize_with_crop_or_pad,
}  # fmt: skip
