"""What sessions of TensorFlow 1 gave for sparse and ragged tensors, by its names of them."""

from symtape.ops.composite_values import IndexedSlicesValue, RaggedTensorValue, SparseTensorValue

__all__ = ["IndexedSlicesValue", "RaggedTensorValue", "SparseTensorValue"]
