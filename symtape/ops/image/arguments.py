"""How images are read: with three axes, or with four, of which the first is a batch."""

from __future__ import annotations

from typing import Any

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import is_tensor, plain, tensor
from symtape.ops.shapes.shaping import expand_dims, with_shape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def check_image(x: Tensor) -> None:
    """Raise `ValueError` unless the last three axes are there and none of them is empty.

    >>> check_image(tensor([[1.0]]))
    Traceback (most recent call last):
    ValueError: 'image' (shape (1, 1)) must be at least three-dimensional.
    """
    if x.ndim < 3:
        raise ValueError(f"'image' (shape {x.shape}) must be at least three-dimensional.")
    if 0 in shape_of(x)[-3:]:
        raise ValueError(f"inner 3 dims of 'image.shape' must be > 0: {x.shape}")


def check_rank(x: Tensor) -> None:
    """Raise `ValueError` for more than four axes, or fewer than three.

    >>> check_rank(tensor([[1.0]]))
    Traceback (most recent call last):
    ValueError: 'image' (shape (1, 1)) must have either 3 or 4 dimensions.
    """
    if x.ndim not in {3, 4}:
        raise ValueError(f"'image' (shape {x.shape}) must have either 3 or 4 dimensions.")


def batched(image: Any) -> tuple[Tensor, bool]:
    """Give an image as a batch of one, and say whether it was a batch already."""
    x = tensor(image)
    check_rank(x)
    return (x, True) if x.ndim == 4 else (expand_dims(x, 0), False)


def unbatched(x: Tensor, was_batch: bool) -> Tensor:
    """Take the one image of a batch, unless it was a batch."""
    return x if was_batch else with_shape(x, shape_of(x)[1:])


def target_size(target_height: Any, target_width: Any) -> tuple[int, int]:
    """Read a size in pixels; raises `ValueError` unless both are positive."""
    rows, columns = whole_number(target_height), whole_number(target_width)
    check_that(columns > 0, "target_width must be > 0.", target_width)
    check_that(rows > 0, "target_height must be > 0.", target_height)
    return rows, columns


def check_that(holds: Any, text: str, *given: Any) -> None:
    """Raise `ValueError` unless a condition holds.

    Where one of the numbers that are `given` is a tensor, TensorFlow asserts, which is an
    `InvalidArgumentError`.
    """
    if holds:
        return
    if any(is_tensor(number) for number in given):
        raise asserted(f"b'{text}'")
    raise ValueError(text)


def asserted(*data: Any) -> InvalidArgumentError:
    """Make the error of an assertion about some texts, shapes and numbers."""
    lines = [", ".join(map(str, part)) if isinstance(part, tuple) else str(part) for part in data]
    return InvalidArgumentError(
        message="Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: "
        + "\n".join(lines)
    )


def whole_number(value: Any) -> int:
    """Read an integer."""
    return int(plain(value))
