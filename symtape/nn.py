"""`tf.nn`: activations, losses, convolutions and pools."""

from symtape.namespace import show
from symtape.ops.elementwise.activation import (
    elu as elu,
    gelu as gelu,
    l2_normalize as l2_normalize,
    leaky_relu as leaky_relu,
    log_softmax as log_softmax,
    relu as relu,
    relu6 as relu6,
    selu as selu,
    silu as silu,
    softmax as softmax,
    softsign as softsign,
    swish as swish,
)
from symtape.ops.elementwise.functions import sigmoid as sigmoid, softplus as softplus, tanh as tanh
from symtape.ops.nn.alignments import ctc_loss as ctc_loss
from symtape.ops.nn.averages import (
    compute_average_loss as compute_average_loss,
    scale_regularization_loss as scale_regularization_loss,
)
from symtape.ops.nn.blocks import (
    depth_to_space as depth_to_space,
    space_to_batch as space_to_batch,
    space_to_depth as space_to_depth,
)
from symtape.ops.nn.dropout import dropout as dropout
from symtape.ops.nn.isotonic import isotonic_regression as isotonic_regression
from symtape.ops.nn.labels import (
    collapse_repeated as collapse_repeated,
    ctc_unique_labels as ctc_unique_labels,
)
from symtape.ops.nn.loss import (
    l2_loss as l2_loss,
    log_poisson_loss as log_poisson_loss,
    sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits,
)
from symtape.ops.nn.normalization import (
    batch_norm_with_global_normalization as batch_norm_with_global_normalization,
    batch_normalization as batch_normalization,
    bias_add as bias_add,
    crelu as crelu,
    embedding_lookup as embedding_lookup,
    moments as moments,
)
from symtape.ops.nn.responses import local_response_normalization as local_response_normalization
from symtape.ops.nn.sampled import (
    nce_loss as nce_loss,
    sampled_softmax_loss as sampled_softmax_loss,
)
from symtape.ops.nn.statistics import (
    normalize_moments as normalize_moments,
    sufficient_statistics as sufficient_statistics,
    weighted_moments as weighted_moments,
)
from symtape.ops.nn.windows.convolution import (
    atrous_conv2d as atrous_conv2d,
    conv1d as conv1d,
    conv2d as conv2d,
    conv3d as conv3d,
    convolution as convolution,
)
from symtape.ops.nn.windows.depthwise import (
    depthwise_conv2d as depthwise_conv2d,
    separable_conv2d as separable_conv2d,
)
from symtape.ops.nn.windows.depthwise_backwards import (
    depthwise_conv2d_backprop_filter as depthwise_conv2d_backprop_filter,
    depthwise_conv2d_backprop_input as depthwise_conv2d_backprop_input,
)
from symtape.ops.nn.windows.fractional import (
    fractional_avg_pool as fractional_avg_pool,
    fractional_max_pool as fractional_max_pool,
)
from symtape.ops.nn.windows.holes import with_space_to_batch as with_space_to_batch
from symtape.ops.nn.windows.morphology import dilation2d as dilation2d, erosion2d as erosion2d
from symtape.ops.nn.windows.pooling import (
    avg_pool as avg_pool,
    avg_pool1d as avg_pool1d,
    avg_pool2d as avg_pool2d,
    avg_pool3d as avg_pool3d,
    max_pool as max_pool,
    max_pool1d as max_pool1d,
    max_pool2d as max_pool2d,
    max_pool3d as max_pool3d,
    max_pool_with_argmax as max_pool_with_argmax,
    pool as pool,
)
from symtape.ops.nn.windows.transposed import (
    atrous_conv2d_transpose as atrous_conv2d_transpose,
    conv1d_transpose as conv1d_transpose,
    conv2d_transpose as conv2d_transpose,
    conv3d_transpose as conv3d_transpose,
    conv_transpose as conv_transpose,
)
from symtape.ops.random.classes.candidates import (
    all_candidate_sampler as all_candidate_sampler,
    compute_accidental_hits as compute_accidental_hits,
)
from symtape.ops.random.classes.learned import (
    learned_unigram_candidate_sampler as learned_unigram_candidate_sampler,
)
from symtape.ops.random.classes.unigrams import (
    fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler,
)
from symtape.ops.reductions.approximate import approx_max_k as approx_max_k
from symtape.ops.reductions.ordering import in_top_k as in_top_k, top_k as top_k
from symtape.ops.reductions.reduction import zero_fraction as zero_fraction

lrn = local_response_normalization


show(__name__)
