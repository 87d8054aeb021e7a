"""The layers of `tf.keras.layers` whose output has the shape of their input, and no weights."""

from __future__ import annotations

import warnings
from typing import Any

from symtape.keras import activations, random
from symtape.keras.bases.layer import Layer
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.elementwise.functions import exp
from symtape.ops.reductions.reduction import reduce_logsumexp
from symtape.tensor.tensor import Tensor


class Shapeless(Layer):
    """A layer without variables, whose output has the shape of its input."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.built = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Keep the shape."""
        return input_shape


class Activation(Shapeless):
    """An activation by its name or as a function.

    >>> from symtape.tensor.convert import convert
    >>> Activation("tanh")(convert([0.0])).numpy()
    array([0.], dtype=float32)
    """

    def __init__(self, activation: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.activation = activations.get(activation)

    def call(self, inputs: Any) -> Tensor:
        """Compute the output."""
        return self.activation(inputs)  # type: ignore[no-any-return]  # likewise


class ReLU(Shapeless):
    """`tf.keras.activations.relu` with its three parameters."""

    def __init__(
        self,
        max_value: float | None = None,
        negative_slope: float = 0.0,
        threshold: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if max_value is not None and max_value < 0:
            raise ValueError(
                f"max_value of a ReLU layer cannot be a negative value. Received: {max_value=}"
            )
        for name, value in (("negative_slope", negative_slope), ("threshold", threshold)):
            if value is None or value < 0:
                raise ValueError(
                    f"{name} of a ReLU layer cannot be None or a negative value. Received: "
                    f"{name}={value}"
                )
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold

    def call(self, inputs: Any) -> Tensor:
        """Compute the output."""
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Shapeless):
    """Give x where it is positive, else x times `negative_slope`, 0.3 by default."""

    def __init__(self, negative_slope: float = 0.3, **kwargs: Any) -> None:
        if "alpha" in kwargs:
            negative_slope = kwargs.pop("alpha")
            warnings.warn(
                "Argument `alpha` is deprecated. Use `negative_slope` instead.", stacklevel=2
            )
        super().__init__(**kwargs)
        if negative_slope is None or negative_slope < 0:
            raise ValueError(
                "The negative_slope value of a Leaky ReLU layer cannot be None or negative value. "
                f"Expected a float. Received: negative_slope={negative_slope}"
            )
        self.negative_slope = negative_slope

    def call(self, inputs: Any) -> Tensor:
        """Compute the output."""
        return activations.leaky_relu(inputs, self.negative_slope)


class ELU(Shapeless):
    """Give x where it is positive, else alpha (exp(x) - 1)."""

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.alpha = alpha

    def call(self, inputs: Any) -> Tensor:
        """Compute the output."""
        return activations.elu(inputs, self.alpha)


class Softmax(Shapeless):
    """Give exp(x) / sum(exp(x)) along an axis or several; where `mask` is false the output is 0."""

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs: Any, mask: Any = None) -> Tensor:
        """Compute the output."""
        if mask is not None:
            smallest = -3e4 if inputs.dtype.name == "float16" else -1e9
            inputs = where(mask, inputs, smallest)
        axes = list(self.axis) if isinstance(self.axis, (tuple, list)) else [self.axis]
        if len(axes) == 1:
            outputs = activations.softmax(inputs, axes[0])
        else:
            outputs = exp(inputs - reduce_logsumexp(inputs, axes, keepdims=True))
        return outputs if mask is None else where(mask, outputs, 0.0)


class Identity(Shapeless):
    """The input itself."""

    def call(self, inputs: Any) -> Any:
        """Give the input."""
        return inputs


class Dropout(Shapeless):
    """While training, sets a share `rate` of the elements to 0 and divides the others by 1 - rate.

    The layer trains where it, or the model that calls it, is called with `training=True`.
    """

    def __init__(
        self, rate: float, noise_shape: Any = None, seed: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        if not 0 <= rate <= 1:
            raise ValueError(
                "Invalid value received for argument `rate`. Expected a float value between 0 and "
                f"1. Received: rate={rate}"
            )
        self.rate, self.seed = rate, seed
        self.noise_shape = None if noise_shape is None else tuple(noise_shape)
        if rate > 0:
            self.seed_generator = random.SeedGenerator(seed)

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Compute the output."""
        if training and self.rate > 0:
            return random.dropout(inputs, self.rate, self.noise_shape, self.seed_generator)
        return inputs
