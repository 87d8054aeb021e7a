"""What functions of TensorFlow's do with sparse tensors."""

from __future__ import annotations

from typing import Any

from symtape.ops.elementwise import casting, conversion, functions, special
from symtape.ops.reductions.counting import bincount
from symtape.stand_in.sparse.rows import counting

_BY_VALUES = {
    *(functions.abs, functions.negative, functions.sign, functions.square, functions.sqrt),
    *(functions.sin, functions.tan, functions.asin, functions.atan),
    *(functions.tanh, functions.asinh, functions.atanh),
    *(functions.erf, special.bessel_i0e, special.bessel_i1e),
    *(casting.cast, conversion.cast, conversion.identity, conversion.stop_gradient),
}
"""Functions of TensorFlow's that take such a tensor and compute with its values.

They are known by themselves and not by their names, which NumPy's functions have, too.
"""

_FUNCTIONS = {bincount: counting.bincount}
"""Functions that do something of their own with it."""


def applied(function: Any, whole: Any, args: Any, kwargs: Any) -> Any:
    """Apply a function of TensorFlow's to what is given by some elements."""
    if function in _FUNCTIONS:
        return _FUNCTIONS[function](whole, *args, **kwargs)
    if function in _BY_VALUES:
        return whole.with_values(function(whole.values, *args, **kwargs))
    return function(whole, *args, **kwargs)
