"""What stands for a tensor is converted, as by `ops.convert_to_tensor` of TensorFlow's insides."""

from __future__ import annotations

from typing import Any

from symtape.ops.elementwise import conversion
from symtape.tensor.tensor import Tensor


def convert_to_tensor(
    value: Any,
    dtype: Any = None,
    name: str | None = None,
    as_ref: bool = False,
    preferred_dtype: Any = None,
    dtype_hint: Any = None,
    ctx: Any = None,
    accepted_result_types: Any = (Tensor,),
) -> Tensor:
    """Make a tensor of anything that has values; its name comes before what else it may be.

    Raises what `tf.convert_to_tensor` raises.

    >>> convert_to_tensor([1, 2], None, "pair").dtype
    tf.int32
    """
    return conversion.convert_to_tensor(value, dtype, preferred_dtype or dtype_hint, name)
