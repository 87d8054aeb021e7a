"""TensorFlow's registry of gradients by names of kernels; TensorFlow's own keep theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from symtape.errors import UnsupportedError

_WAY_OUT = (
    "symtape has no kernels with gradients by name: each operation is a formula, with its "
    "derivative. Call the operation in a function with a gradient of its own, "
    "@tf.custom_gradient, and use that"
)
_registered: Final[set[str]] = set()
"""Kernels of libraries, which nothing loads here: what is registered of them is never asked for."""

_Gradient = TypeVar("_Gradient", bound=Callable[..., Any])


class RegisterGradient:
    """Register the gradient of a kernel of a library, by a name such as `"Library>Kernel"`.

    Such a kernel comes with `tf.load_op_library`, which loads nothing, so that its gradient is
    never asked for: packages can be imported that register what they may load later. A kernel of
    TensorFlow's own is refused; `custom_gradient` is the way.

    Raises `TypeError` for what is no name, `KeyError` for a name that is registered, and
    `UnsupportedError` for a name without a library.

    >>> @RegisterGradient("Addons>Resampler")
    ... def gradient(op, grad):
    ...     return grad
    >>> RegisterGradient("Sin")
    Traceback (most recent call last):
    symtape.errors.UnsupportedError: RegisterGradient('Sin'): symtape has no kernels with ...
    """

    def __init__(self, op_type: str) -> None:
        _check(op_type, f"RegisterGradient({op_type!r}): {_WAY_OUT}")
        self._op_type = op_type

    def __call__(self, f: _Gradient) -> _Gradient:
        """Give the function itself."""
        _register(self._op_type)
        return f


def no_gradient(op_type: str) -> None:
    """Say that a kernel of a library, by a name such as `"Library>Kernel"`, has no gradient.

    A kernel of TensorFlow's own is refused; `stop_gradient` is the way.

    Raises `TypeError` for what is no name, `KeyError` for a name that is registered, and
    `UnsupportedError` for a name without a library.

    >>> no_gradient("Addons>EuclideanDistanceTransform")
    >>> no_gradient("Sin")
    Traceback (most recent call last):
    symtape.errors.UnsupportedError: no_gradient('Sin'): symtape has no kernels with ...
    """
    _check(op_type, f"no_gradient({op_type!r}): {_WAY_OUT}; or tf.stop_gradient of it")
    _register(op_type)


def _check(op_type: str, refusal: str) -> None:
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    if ">" not in op_type:
        raise UnsupportedError(refusal)


def _register(op_type: str) -> None:
    if op_type in _registered:
        raise KeyError(f"Registering two gradient with name '{op_type}'!")
    _registered.add(op_type)
