"""`tf.nn`: activations and losses."""

from symtape.namespace import refuser
from symtape.ops.activation import (
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
from symtape.ops.elementwise import sigmoid, softplus, tanh
from symtape.ops.loss import (
    l2_loss,
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from symtape.ops.normalization import (
    batch_normalization,
    bias_add,
    crelu,
    embedding_lookup,
    moments,
)
from symtape.ops.ordering import in_top_k, top_k
from symtape.ops.reduction import zero_fraction

__all__ = [
    "batch_normalization",
    "bias_add",
    "crelu",
    "elu",
    "embedding_lookup",
    "gelu",
    "in_top_k",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "log_poisson_loss",
    "log_softmax",
    "moments",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "sparse_softmax_cross_entropy_with_logits",
    "swish",
    "tanh",
    "top_k",
    "weighted_cross_entropy_with_logits",
    "zero_fraction",
]

__getattr__ = refuser(__name__, lambda: __all__)
