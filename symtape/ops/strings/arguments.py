"""Text as operations read it: arrays of bytes, and one way to apply a function to each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import listed, of_dtype
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor


def text_of(op: str, value: Any, number: int = 0) -> Any:
    """Read an array of bytes, with the error of an operation for a tensor of another dtype."""
    return np.asarray(decided_by_look(of_dtype(op, value, dtypes.string, number)), object)


def one_text_of(op: str, value: Any, refusal: str, number: int) -> bytes:
    """Read one text; raises `InvalidArgumentError` in these words for several."""
    texts = text_of(op, value, number)
    if texts.ndim:
        raise invalid(op, f"{refusal} {listed(texts.shape)}")
    return bytes(texts[()])


def each(function: Callable[..., Any], *arrays: Any) -> Tensor:
    """Apply a function of bytes to the elements of arrays that broadcast; it gives bytes.

    >>> each(bytes.upper, np.array([b"a", b"b"], object)).numpy().tolist()
    [b'A', b'B']
    """
    given = np.broadcast_arrays(*arrays)
    out = np.empty(given[0].shape, object)
    for place in np.ndindex(out.shape):
        out[place] = function(*(array[place] for array in given))
    return convert(out, dtypes.string)


def unit_of(op: str, unit: str) -> str:
    """Check the unit in which places and lengths are counted."""
    if unit in {"BYTE", "UTF8_CHAR"}:
        return unit
    raise InvalidArgumentError(
        message=f"Value for attr 'unit' of \"{unit}\" is not in the list of allowed values: "
        f'"BYTE", "UTF8_CHAR"\n\t; NodeDef: {{{{node {op}}}}}'
    )
