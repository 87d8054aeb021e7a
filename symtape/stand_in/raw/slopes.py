"""What TensorFlow's kernels of gradients pass back: a cotangent times a slope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.ops.arguments import like, tensor
from symtape.ops.elementwise import activation, arithmetic, functions
from symtape.tensor.dispatch import apply1
from symtape.tensor.tensor import Tensor


def gradient(name: str) -> Callable[[Any, Any], Tensor]:
    """Make what a kernel passes back of a cotangent and its argument, or its result.

    >>> gradient("ReluGrad")([5.0, 5.0], [1.0, -1.0]).numpy()
    array([5., 0.], dtype=float32)
    """
    slope = _SLOPES[name]

    def run(cotangent: Any, at: Any) -> Tensor:
        place = tensor(at)
        made: Tensor = like(cotangent, place) * slope(place)
        return made

    return run


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
