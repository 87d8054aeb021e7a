"""`tf.fingerprint`: eight bytes that stand for each row of a tensor, the same in every run."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import tensor
from symtape.ops.strings.hashing import fingerprint as of_bytes
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_OP = "Fingerprint"


def fingerprint(data: Any, method: Any = "farmhash64", name: str | None = None) -> Tensor:
    """Give eight bytes, of shape (n, 8) and dtype uint8, for each of the n rows of a tensor.

    They are FarmHash's of the bytes of the row. Of one text in each row they are those of the text,
    and of several those of the numbers of the texts. Raises `InvalidArgumentError` for a
    scalar and for another `method`, and `UnsupportedError` for rows without texts, for which
    TensorFlow gives what happens to be in memory.

    >>> fingerprint(["a"]).numpy().tolist()
    [[227, 117, 223, 182, 101, 66, 69, 179]]
    """
    x = tensor(data)
    shape = shape_of(x)
    if not shape:
        raise invalid(_OP, "`data` should have at least one dimension: []")
    wanted = tensor(method).numpy()
    if wanted != b"farmhash64":
        raise invalid(_OP, f"Unsupported fingerprint method: {wanted.decode()}")
    rows = np.asarray(decided_by_look(x)).reshape(shape[0], -1 if 0 not in shape else 0)
    numbers = _of_texts(rows, shape) if x.dtype is dtypes.string else _of_numbers(rows)
    return Tensor(np.array(numbers, "<u8").view(np.uint8).reshape(shape[0], 8))


def _of_numbers(rows: Any) -> list[int]:
    return [of_bytes(np.ascontiguousarray(row).tobytes()) for row in rows]


def _of_texts(rows: Any, shape: tuple[int, ...]) -> list[int]:
    if rows.size == shape[0]:
        return [of_bytes(text) for text in rows.ravel()]
    if shape[0] and not rows.size:
        raise UnsupportedError(
            f"tf.fingerprint of texts of shape {shape}: a row without texts has no fingerprint; "
            "leave such rows out"
        )
    numbers = [[of_bytes(text) for text in row] for row in rows]
    return _of_numbers(np.array(numbers, "<u8").reshape(rows.shape))
