"""What operators assert of the numbers that they are made of."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import tensor
from symtape.ops.checks.values import assert_equal, assert_less
from symtape.ops.elementwise.functions import abs as absolute
from symtape.ops.elementwise.functions import imag
from symtape.ops.shapes.creation import zeros_like


def assert_no_zeros(x: Any, words: str) -> None:
    """Raise `InvalidArgumentError` with some words where a number is zero."""
    sizes = absolute(tensor(x))
    assert_less(zeros_like(sizes), sizes, message=words)


def assert_real(x: Any, words: str) -> None:
    """Raise `InvalidArgumentError` with some words where a number has an imaginary part."""
    parts = imag(tensor(x))
    assert_equal(zeros_like(parts), parts, message=words)
