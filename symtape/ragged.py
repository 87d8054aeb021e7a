"""`tf.ragged`: tensors with rows of unlike lengths."""

from symtape.namespace import show
from symtape.ops.ragged import making
from symtape.ops.ragged.constants import constant as constant
from symtape.ops.ragged.elementwise import map_flat_values as map_flat_values
from symtape.ops.ragged.making import (
    boolean_mask as boolean_mask,
    row_splits_to_segment_ids as row_splits_to_segment_ids,
    segment_ids_to_row_splits as segment_ids_to_row_splits,
    stack as stack,
)
from symtape.ops.ragged.partitions import stack_dynamic_partitions as stack_dynamic_partitions

range = making.ranges  # noqa: A001 - TensorFlow's name

show(__name__)
