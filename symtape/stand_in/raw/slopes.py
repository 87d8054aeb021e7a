"""What TensorFlow's kernels of gradients pass back: a cotangent times a slope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.ops.arguments import FEATURES, INEXACT, REALS, check, like, listed, tensor
from symtape.ops.elementwise import activation, arithmetic, functions
from symtape.ops.shapes.shaping import reshape
from symtape.tensor.dispatch import apply1, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of


def gradient(name: str) -> Callable[[Any, Any], Tensor]:
    """Make what a kernel passes back of a cotangent and its argument, or its result.

    >>> gradient("ReluGrad")([5.0, 5.0], [1.0, -1.0]).numpy()
    array([5., 0.], dtype=float32)
    """
    slope = _SLOPES[name]
    read = elements_of if name in _KINDS else _results_of

    def run(cotangent: Any, at: Any) -> Tensor:
        y, place = read(name, cotangent, at)
        made: Tensor = y * slope(place)
        return made

    return run


def elements_of(name: str, cotangent: Any, at: Any) -> tuple[Tensor, Tensor]:
    """Read two tensors of one shape, as the kernels of activations do.

    Raises `InvalidArgumentError` for others, and for dtypes that the kernel has not.
    """
    place = tensor(at)
    y = like(cotangent, place)
    check(name, y, _KINDS[name], "gradients:T, features:T -> backprops:T")
    own, other = shape_of(y), shape_of(place)
    if own != other:
        raise invalid(
            name,
            f"Inputs to operation {name} of type {name} must have the same size and shape.  "
            f"Input 0: {listed(own)} != input 1: {listed(other)}",
        )
    return y, place


def _results_of(name: str, cotangent: Any, at: Any) -> tuple[Tensor, Tensor]:
    """Read a result, and a cotangent of as many elements, which takes its shape."""
    place = tensor(at)
    check(name, place, INEXACT, "y:T, dy:T -> z:T")
    y = like(cotangent, place)
    if size_of(y) != size_of(place):
        raise invalid(
            name,
            "The two arguments to a cwise op must have same number of elements, got "
            f"{size_of(place)} and {size_of(y)}",
        )
    return y if shape_of(y) == shape_of(place) else reshape(y, shape_of(place)), place


_KINDS = {
    **dict.fromkeys(("EluGrad", "SeluGrad", "SoftplusGrad", "SoftsignGrad"), FEATURES),
    **dict.fromkeys(("ReluGrad", "Relu6Grad"), REALS),
    "LeakyReluGrad": FEATURES,
}

_SELU = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
"""The scale of selu, and that of its exponential."""
_SLOPES: dict[str, Callable[[Tensor], Any]] = {
    "EluGrad": lambda y: arithmetic.where(y < 0, y + 1, like(1, y)),
    "ReciprocalGrad": lambda y: -functions.square(functions.conj(y)),
    "Relu6Grad": lambda x: apply1(activation.between_step, x),
    "ReluGrad": lambda x: apply1(activation.step, x),
    "RsqrtGrad": lambda y: -0.5 * functions.conj(y) * functions.square(functions.conj(y)),
    "SeluGrad": lambda y: arithmetic.where(y < 0, y + _SELU[0] * _SELU[1], like(_SELU[0], y)),
    "SigmoidGrad": lambda y: y * (1 - y),
    "SoftplusGrad": functions.sigmoid,
    "SqrtGrad": lambda y: 0.5 / functions.conj(y),
    "TanhGrad": lambda y: 1 - functions.square(y),
}
