"""`tf.ragged`: tensors with rows of unlike lengths."""

from symtape.namespace import show
from symtape.ops.ragged.constants import constant
from symtape.ops.ragged.elementwise import map_flat_values
from symtape.ops.ragged.making import (
    boolean_mask,
    row_splits_to_segment_ids,
    segment_ids_to_row_splits,
    stack,
)
from symtape.ops.ragged.making import ranges as range  # noqa: A004 TensorFlow's name
from symtape.ops.ragged.partitions import stack_dynamic_partitions

__all__ = [
    "boolean_mask",
    "constant",
    "map_flat_values",
    "range",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
    "stack",
    "stack_dynamic_partitions",
]

show(__name__, __all__)
