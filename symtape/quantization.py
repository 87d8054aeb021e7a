"""`tf.quantization`: numbers of few bits, and their slopes."""

from symtape.namespace import show
from symtape.ops import quantizing
from symtape.ops.quantizing import (
    fake_quant_with_min_max_args as fake_quant_with_min_max_args,
    fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient,
    fake_quant_with_min_max_vars as fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient,
    fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel,
)
from symtape.ops.requantizing import (
    quantize_and_dequantize as quantize_and_dequantize,
    quantize_and_dequantize_v2 as quantize_and_dequantize_v2,
)

fake_quant_with_min_max_vars_per_channel_gradient = (
    quantizing.fake_quant_with_min_max_vars_per_channel_gradient
)

show(__name__)
