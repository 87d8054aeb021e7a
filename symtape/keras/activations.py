"""`tf.keras.activations`: the bends of layers, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from symtape.namespace import show
from symtape.ops.elementwise import activation
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.arithmetic import (
    clip_by_value,
    subtract,
    where,
)
from symtape.ops.elementwise.logits import remember
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor

T = TypeVar("T")


def relu(
    x: Any, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0
) -> Tensor:
    """Give max(x, 0), or x above a threshold and a line below it, cut off at a largest value.

    >>> relu([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)
    """
    x = convert(x)
    if negative_slope and max_value is None and not threshold:
        return activation.leaky_relu(x, negative_slope)
    below = activation.relu(-x + threshold if threshold else -x) if negative_slope else None
    capped = max_value is not None and (max_value != 6 or bool(threshold))
    if threshold:
        x = where(x > threshold, x, 0)
    else:
        x = activation.relu6(x) if max_value == 6 else activation.relu(x)
    if capped:
        x = clip_by_value(x, 0.0, float(max_value or 0.0))
    return x if below is None else subtract(x, negative_slope * below)


def leaky_relu(x: Any, negative_slope: float = 0.2) -> Tensor:
    """Give x where it is positive, else x times `negative_slope`.

    >>> leaky_relu([-1.0, 0.0, 2.0]).numpy().round(3)
    array([-0.2,  0. ,  2. ], dtype=float32)
    """
    return activation.leaky_relu(x, negative_slope)


def softmax(x: Any, axis: int = -1) -> Tensor:
    """Give exp(x) / sum(exp(x)) along an axis; the losses use the logits that it was made of.

    >>> softmax([[0.0, 0.0]]).numpy()
    array([[0.5, 0.5]], dtype=float32)
    """
    x = convert(x)
    return remember(activation.softmax(x, axis), x)


def log_softmax(x: Any, axis: int = -1) -> Tensor:
    """The logarithm of `softmax`.

    >>> log_softmax([0.0, 0.0]).numpy().round(3)
    array([-0.693, -0.693], dtype=float32)
    """
    return activation.log_softmax(x, axis)


def sigmoid(x: Any) -> Tensor:
    """1 / (1 + exp(-x)); the losses use the logits that it was made of.

    >>> sigmoid([-1.0, 0.0, 2.0]).numpy().round(3)
    array([0.269, 0.5  , 0.881], dtype=float32)
    """
    x = convert(x)
    return remember(elementwise.sigmoid(x), x)


def elu(x: Any, alpha: float = 1.0) -> Tensor:
    """Give x where it is positive, else alpha (exp(x) - 1).

    >>> elu([-1.0, 0.0, 2.0]).numpy().round(3)
    array([-0.632,  0.   ,  2.   ], dtype=float32)
    """
    x = convert(x)
    bent = activation.elu(x)
    return bent if alpha == 1 else where(x > 0, bent, alpha * bent)


def gelu(x: Any, approximate: bool = False) -> Tensor:
    """Give x times the distribution function of the standard normal at x.

    >>> gelu([-1.0, 0.0, 2.0]).numpy().round(3)
    array([-0.159,  0.   ,  1.954], dtype=float32)
    """
    return activation.gelu(x, approximate)


def _bend(name: str, summary: str, bend: Callable[[Any], Tensor], values: str) -> Any:
    """Make an activation without parameters, with its values at -1, 0 and 2 as an example."""

    def function(x: Any) -> Tensor:
        return bend(x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}.\n\n    >>> {name}([-1.0, 0.0, 2.0]).numpy().round(3)\n"
        f"    array([{values}], dtype=float32)\n    "
    )
    return function


relu6 = _bend("relu6", "min(max(x, 0), 6)", activation.relu6, "0., 0., 2.")
selu = _bend(
    "selu",
    "1.0507 x where it is positive, else 1.7581 (exp(x) - 1)",
    activation.selu,
    "-1.111,  0.   ,  2.101",
)
softplus = _bend("softplus", "log(1 + exp(x))", elementwise.softplus, "0.313, 0.693, 2.127")
softsign = _bend("softsign", "x / (1 + |x|)", activation.softsign, "-0.5  ,  0.   ,  0.667")
silu = _bend("silu", "x sigmoid(x), also called swish", activation.silu, "-0.269,  0.   ,  1.762")
tanh = _bend("tanh", "The hyperbolic tangent", elementwise.tanh, "-0.762,  0.   ,  0.964")
exponential = _bend("exponential", "exp(x)", elementwise.exp, "0.368, 1.   , 7.389")
hard_sigmoid = _bend(
    "hard_sigmoid",
    "(x + 3) / 6, cut off at 0 and 1",
    lambda x: activation.relu6(convert(x) + 3.0) / 6.0,
    "0.333, 0.5  , 0.833",
)


def linear(x: T) -> T:
    """Give x itself.

    >>> linear(3.0)
    3.0
    """
    return x


swish = silu

__all__ = [
    "elu",
    "exponential",
    "gelu",
    "get",
    "hard_sigmoid",
    "leaky_relu",
    "linear",
    "log_softmax",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "softsign",
    "swish",
    "tanh",
]


def get(identifier: Any) -> Callable[..., Any]:
    """Find an activation by its name; None is `linear`, a function is itself.

    Raises `ValueError` for anything else.

    >>> get("relu").__name__, get(None).__name__
    ('relu', 'linear')
    """
    if identifier is None:
        return linear
    known = isinstance(identifier, str) and identifier in __all__ and identifier != "get"
    found: Callable[..., Any] = globals()[identifier] if known else identifier
    if callable(found):
        return found
    raise ValueError(f"Could not interpret activation function identifier: {identifier}")


show(__name__, __all__)
