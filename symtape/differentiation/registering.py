"""TensorFlow's registry of gradients by names of kernels, which is refused."""

from __future__ import annotations

from typing import NoReturn

from symtape.errors import UnsupportedError

_WAY_OUT = (
    "symtape has no kernels with gradients by name: each operation is a formula, with its "
    "derivative. Call the operation in a function with a gradient of its own, "
    "@tf.custom_gradient, and use that"
)


class RegisterGradient:
    """Refuse to give a kernel another gradient; `custom_gradient` is the way.

    Raises `UnsupportedError`.

    >>> RegisterGradient("Sin")
    Traceback (most recent call last):
    symtape.errors.UnsupportedError: RegisterGradient('Sin'): symtape has no kernels with ...
    """

    def __init__(self, op_type: str) -> None:
        raise UnsupportedError(f"RegisterGradient({op_type!r}): {_WAY_OUT}")


def no_gradient(op_type: str) -> NoReturn:
    """Refuse to take the gradient from a kernel; `stop_gradient` is the way.

    Raises `UnsupportedError`.

    >>> no_gradient("Sin")
    Traceback (most recent call last):
    symtape.errors.UnsupportedError: no_gradient('Sin'): symtape has no kernels with ...
    """
    raise UnsupportedError(f"no_gradient({op_type!r}): {_WAY_OUT}; or tf.stop_gradient of it")


__all__ = ["RegisterGradient", "no_gradient"]
