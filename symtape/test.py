"""`tf.test`: test cases that compare tensors, gradients by differences, and the missing GPU."""

from symtape.differentiation.differences import compute_gradient
from symtape.differentiation.testing import TestCase, main
from symtape.namespace import show
from symtape.ops.runtime.settings import gpu_device_name, is_built_with_cuda, is_gpu_available

__all__ = [
    "TestCase",
    "compute_gradient",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_gpu_available",
    "main",
]

show(__name__, __all__)
