"""`tf.quantization`: numbers of few bits, and their slopes."""

from symtape.namespace import show
from symtape.ops.quantizing import (
    fake_quant_with_min_max_args,
    fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_per_channel,
)

__all__ = [
    "fake_quant_with_min_max_args",
    "fake_quant_with_min_max_vars",
    "fake_quant_with_min_max_vars_per_channel",
]

show(__name__, __all__)
