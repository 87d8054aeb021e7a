"""Which numbers become no tensors of a dtype, in TensorFlow's words."""

from __future__ import annotations

from typing import Any

from symtape.tensor.dtypes import DType


def out_of_range() -> ValueError:
    """Say that a whole number has no room."""
    return ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")


def too_great() -> ValueError:
    """Say that a number has no room in the largest floats."""
    return ValueError(
        "Can't convert Python sequence with a value out of range for a double-precision float."
    )


NOT_OF_TRUTH = {"bfloat16", "int8", "int16", "uint8", "uint16", "uint32", "complex64"}
"""The dtypes to which TensorFlow converts numbers of Python's and no truth values."""


def check_numbers(value: Any, array: Any, wanted: DType, has_truths: bool) -> None:
    """Refuse numbers of a kind that does not become the wanted one."""
    kind, target = array.dtype.kind, wanted.numpy.kind
    if array.size and (
        (kind == "f" and target in "iub")
        or (kind == "c" and target != "c")
        or (kind in "iu" and target == "b")
        or (kind == "b" and (wanted.name in NOT_OF_TRUTH or (has_truths and target != "b")))
        or target == "O"
    ):
        raise TypeError(f"Cannot convert {value!r:.80} to EagerTensor of dtype {wanted.enum_name}")


def unsupported(kind: type) -> ValueError:
    """Say that an array holds objects of a type that no tensor has."""
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return ValueError(
        "Failed to convert a NumPy array to a Tensor (Unsupported object type "
        f"{module}{kind.__name__})."
    )
