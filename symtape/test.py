"""`tf.test`: test cases that compare tensors, gradients by differences, and the missing GPU."""

from symtape.differentiation.differences import compute_gradient as compute_gradient
from symtape.differentiation.testing import TestCase as TestCase, main as main
from symtape.namespace import show
from symtape.ops.runtime.settings import (
    gpu_device_name as gpu_device_name,
    is_built_with_cuda as is_built_with_cuda,
    is_gpu_available as is_gpu_available,
)

show(__name__)
