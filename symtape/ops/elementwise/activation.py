"""The bends of neural networks: relu and its kin, softmax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import (
    ACTIVATED,
    FEATURES,
    REALS,
    Allowed,
    attribute,
    check,
    is_tensor,
    listed,
    tensor,
)
from symtape.ops.attributes import attributes, floating
from symtape.ops.elementwise.arithmetic import maximum, multiply
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs as magnitude
from symtape.ops.elementwise.functions import complex as complex_of
from symtape.ops.elementwise.functions import imag, printed, real, rsqrt, sigmoid, square
from symtape.ops.elementwise.logits import remember_in_functions
from symtape.ops.reductions.reduction import log_softmax_along, reduce_sum, softmax_along
from symtape.program.functions import scalar, special
from symtape.program.operations import elementwise
from symtape.tensor import dtypes
from symtape.tensor.convert import convert, number_like
from symtape.tensor.dispatch import OP_NAMES, apply1, apply2, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

Activation = Callable[..., Tensor]

_FEATURES = "features:T -> activations:T"


def _activation(
    name: str, body: Callable[..., Any], accepted: Allowed, summary: str, at: str, gives: str
) -> Activation:
    operation, kernel = elementwise(name, body), name.capitalize()
    OP_NAMES.setdefault(operation, kernel)

    def function(features: Any, name: str | None = None) -> Tensor:
        x = tensor(features)
        check(kernel, x, accepted, _FEATURES)
        return apply1(operation, x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}, element by element.\n\n"
        f"    Raises `InvalidArgumentError` for dtypes other than {accepted.text}.\n\n"
        f"    >>> {name}({at}).numpy()\n    {printed(gives)}\n    "
    )
    return function


# fmt: off
relu = _activation("relu", scalar.relu, ACTIVATED, "max(x, 0), with slope 0 at 0", "[-1.0, 2.0]",
                   "[0., 2.]")
relu6 = _activation("relu6", scalar.relu6, REALS, "min(max(x, 0), 6), with slope 0 at 0 and 6",
                    "[-1.0, 2.0, 9.0]", "[0., 2., 6.]")
elu = _activation("elu", scalar.elu, FEATURES, "x where it is positive, else exp(x) - 1",
                  "[0.0, 2.0]", "[0., 2.]")
selu = _activation("selu", scalar.selu, FEATURES,
                   "1.0507 x where it is positive, else 1.7581 (exp(x) - 1)", "[0.0]", "[0.]")
softsign = _activation("softsign", scalar.softsign, FEATURES, "x / (1 + |x|)", "[1.0]", "[0.5]")
# fmt: on

step, between_step = (elementwise(kind.name, kind) for kind in (scalar.step, scalar.between_step))
_leaky_relu = elementwise("leaky_relu", scalar.leaky_relu, 2)
_gelu = elementwise("gelu", lambda x: x * special.normal_cdf(x))
_gelu_tanh = elementwise("gelu_tanh", scalar.gelu_tanh)


@attributes(alpha=floating(0.2))
def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """x where it is positive, else alpha x, element by element; the slope at 0 is alpha.

    >>> leaky_relu([-1.0, 2.0]).numpy()
    array([-0.2,  2. ], dtype=float32)
    """
    x = tensor(features)
    if x.dtype.is_integer:
        x = cast(x, dtypes.float32)
    check("LeakyRelu", x, FEATURES, _FEATURES)
    return apply2(_leaky_relu, x, number_like(alpha, x))


def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Tensor:
    """x Φ(x), element by element, Φ being the distribution function of the standard normal.

    With `approximate`, x (1 + tanh(sqrt(2/π) (x + 0.044715 x³))) / 2. Raises `ValueError` unless
    the dtype is floating.

    >>> gelu([0.0]).numpy()
    array([0.], dtype=float32)
    """
    x = tensor(features)
    if not x.dtype.is_floating:
        raise ValueError(
            f"`features.dtype` must be a floating point tensor.Received:features.dtype={x.dtype}"
        )
    return apply1(_gelu_tanh if approximate else _gelu, x)


def silu(features: Any, beta: Any = 1.0) -> Tensor:
    """x sigmoid(beta x), element by element (also called swish).

    >>> silu([0.0]).numpy()
    array([0.], dtype=float32)
    """
    x = tensor(features)
    if not is_tensor(beta) and beta == 1:
        return multiply(x, sigmoid(x))
    return multiply(x, sigmoid(multiply(cast(beta, x.dtype), x)))


swish = silu


# --- along an axis --------------------------------------------------------------------------------


def softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """exp(x) / sum(exp(x)) along an axis, the last by default.

    >>> softmax([0.0, 0.0]).numpy()
    array([0.5, 0.5], dtype=float32)
    """
    x, place = _along("Softmax", logits, axis)
    made = softmax_along(x, place)
    return remember_in_functions(made, x) if place == -1 else made


def log_softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """The logarithm of `softmax`: x - log(sum(exp(x))) along an axis, the last by default.

    >>> log_softmax([0.0, 0.0]).numpy()
    array([-0.6931472, -0.6931472], dtype=float32)
    """
    x, place = _along("LogSoftmax", logits, axis)
    return log_softmax_along(x, place)


def _along(kernel: str, logits: Any, axis: Any) -> tuple[Tensor, int]:
    x = tensor(logits)
    check(kernel, x, FEATURES, f"logits:T -> {kernel.lower()}:T")
    rank = x.ndim
    if rank == 0:
        raise invalid(kernel, f"logits must have >= 1 dimension, got {listed(shape_of(x))}")
    place = -1 if axis is None else attribute(axis, "axis")
    if isinstance(axis, float) and place != axis:
        raise invalid(kernel, f"axis is no whole number: {axis}")
    if not -rank <= place < rank:
        raise InvalidArgumentError(
            message=f"`dim` must be in the range [{-rank}, {rank}) where {rank} is the number of "
            f"dimensions in the input. Received: dim={place}"
        )
    return x, place if place < 0 else place - rank


def l2_normalize(
    x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None
) -> Tensor:
    """x / sqrt(max(sum(|x|²), epsilon)) along some axes, or of all elements.

    >>> l2_normalize([3.0, 4.0]).numpy()
    array([0.6, 0.8], dtype=float32)
    """
    x, along = convert(x), axis if dim is None else dim
    if x.dtype.is_complex:
        inverse = rsqrt(maximum(reduce_sum(square(magnitude(x)), along, keepdims=True), epsilon))
        return complex_of(multiply(real(x), inverse), multiply(imag(x), inverse))
    squares = reduce_sum(square(x), along, keepdims=True)
    return multiply(x, rsqrt(maximum(squares, epsilon)))
