"""`tf.nn`: activations, losses, convolutions and pools."""

from symtape.namespace import show
from symtape.ops.elementwise.activation import (
    elu,
    gelu,
    l2_normalize,
    leaky_relu,
    log_softmax,
    relu,
    relu6,
    selu,
    silu,
    softmax,
    softsign,
    swish,
)
from symtape.ops.elementwise.functions import sigmoid, softplus, tanh
from symtape.ops.nn.alignments import ctc_loss
from symtape.ops.nn.averages import compute_average_loss, scale_regularization_loss
from symtape.ops.nn.blocks import (
    depth_to_space,
    space_to_batch,
    space_to_depth,
)
from symtape.ops.nn.dropout import dropout
from symtape.ops.nn.isotonic import isotonic_regression
from symtape.ops.nn.labels import collapse_repeated, ctc_unique_labels
from symtape.ops.nn.loss import (
    l2_loss,
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from symtape.ops.nn.normalization import (
    batch_norm_with_global_normalization,
    batch_normalization,
    bias_add,
    crelu,
    embedding_lookup,
    moments,
)
from symtape.ops.nn.responses import local_response_normalization
from symtape.ops.nn.sampled import nce_loss, sampled_softmax_loss
from symtape.ops.nn.statistics import normalize_moments, sufficient_statistics, weighted_moments
from symtape.ops.nn.windows.convolution import (
    atrous_conv2d,
    conv1d,
    conv2d,
    conv3d,
    convolution,
)
from symtape.ops.nn.windows.depthwise import depthwise_conv2d, separable_conv2d
from symtape.ops.nn.windows.depthwise_backwards import (
    depthwise_conv2d_backprop_filter,
    depthwise_conv2d_backprop_input,
)
from symtape.ops.nn.windows.fractional import fractional_avg_pool, fractional_max_pool
from symtape.ops.nn.windows.holes import with_space_to_batch
from symtape.ops.nn.windows.morphology import dilation2d, erosion2d
from symtape.ops.nn.windows.pooling import (
    avg_pool,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    max_pool_with_argmax,
    pool,
)
from symtape.ops.nn.windows.transposed import (
    atrous_conv2d_transpose,
    conv1d_transpose,
    conv2d_transpose,
    conv3d_transpose,
    conv_transpose,
)
from symtape.ops.random.classes.candidates import all_candidate_sampler, compute_accidental_hits
from symtape.ops.random.classes.learned import learned_unigram_candidate_sampler
from symtape.ops.random.classes.unigrams import fixed_unigram_candidate_sampler
from symtape.ops.reductions.approximate import approx_max_k
from symtape.ops.reductions.ordering import in_top_k, top_k
from symtape.ops.reductions.reduction import zero_fraction

lrn = local_response_normalization

__all__ = [
    "all_candidate_sampler",
    "approx_max_k",
    "atrous_conv2d",
    "atrous_conv2d_transpose",
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm_with_global_normalization",
    "batch_normalization",
    "bias_add",
    "collapse_repeated",
    "compute_accidental_hits",
    "compute_average_loss",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "conv_transpose",
    "convolution",
    "crelu",
    "ctc_loss",
    "ctc_unique_labels",
    "depth_to_space",
    "depthwise_conv2d",
    "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
    "dilation2d",
    "dropout",
    "elu",
    "embedding_lookup",
    "erosion2d",
    "fixed_unigram_candidate_sampler",
    "fractional_avg_pool",
    "fractional_max_pool",
    "gelu",
    "in_top_k",
    "isotonic_regression",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "learned_unigram_candidate_sampler",
    "local_response_normalization",
    "log_poisson_loss",
    "log_softmax",
    "lrn",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "max_pool_with_argmax",
    "moments",
    "nce_loss",
    "normalize_moments",
    "pool",
    "relu",
    "relu6",
    "sampled_softmax_loss",
    "scale_regularization_loss",
    "selu",
    "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "sufficient_statistics",
    "swish",
    "tanh",
    "top_k",
    "weighted_cross_entropy_with_logits",
    "weighted_moments",
    "with_space_to_batch",
    "zero_fraction",
]

show(__name__, __all__)
