"""`tf.keras.layers`: the layers that need nothing but products, bends and shapes."""

from __future__ import annotations

from math import prod
from typing import Any, ClassVar

from symtape.errors import UnsupportedError
from symtape.keras import activations, initializers
from symtape.keras.backend import floatx
from symtape.keras.bases.input_spec import InputSpec
from symtape.keras.bases.layer import Layer, refuse
from symtape.keras.shapeless import (
    ELU,
    Activation,
    Dropout,
    Identity,
    LeakyReLU,
    ReLU,
    Softmax,
)
from symtape.namespace import show
from symtape.ops.elementwise.arithmetic import add
from symtape.ops.elementwise.conversion import cast
from symtape.ops.shapes.shaping import reshape, transpose
from symtape.tensor.products import matmul
from symtape.tensor.tensor import Tensor

__all__ = [
    "ELU",
    "Activation",
    "Dense",
    "Dropout",
    "Flatten",
    "Identity",
    "Input",
    "InputLayer",
    "InputSpec",
    "Layer",
    "LeakyReLU",
    "ReLU",
    "Reshape",
    "Softmax",
]


class Dense(Layer):
    """activation(inputs @ kernel + bias), for inputs of rank 2 or more.

    The variables are made at the first call: `kernel` of shape (width of the input, units) and
    `bias` of shape (units,). Raises `ValueError` for inputs of another width or rank, and
    `UnsupportedError` for regularizers and `lora_rank`.

    >>> from symtape.ops.shapes.creation import ones
    >>> layer = Dense(3, activation="relu", kernel_initializer="ones")
    >>> layer.variables, layer(ones([1, 2])).numpy()
    ([], array([[2., 2., 2.]], dtype=float32))
    """

    unbuilt: ClassVar = {"kernel": "You must build the layer before accessing `kernel`."}

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        lora_rank: Any = None,
        lora_alpha: Any = None,
        **kwargs: Any,
    ) -> None:
        if not isinstance(units, int) or units <= 0:
            raise ValueError(
                "Received an invalid value for `units`, expected a positive integer. Received: "
                f"units={units}"
            )
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        refuse(
            "Dense",
            kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer,
            lora_rank=lora_rank,
            lora_alpha=lora_alpha,
        )
        self.units = units
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_constraint = _callable("kernel_constraint", kernel_constraint)
        self.bias_constraint = _callable("bias_constraint", bias_constraint)
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: Any) -> None:
        """Make the kernel and the bias for the width of the input."""
        width = input_shape[-1]
        self.kernel = self.add_weight(
            (width, self.units),
            self.kernel_initializer,
            constraint=self.kernel_constraint,
            name="kernel",
        )
        self.bias = (
            self.add_weight(
                (self.units,), self.bias_initializer, constraint=self.bias_constraint, name="bias"
            )
            if self.use_bias
            else None
        )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: width})

    def call(self, inputs: Any, training: Any = None) -> Tensor:
        """Compute the output."""
        x = _read(cast(inputs, self.dtype))
        x = matmul(x, self.kernel.read())
        if self.bias is not None:
            x = add(x, self.bias)
        return self.activation(x)  # type: ignore[no-any-return]  # an activation gives a tensor

    def compute_output_shape(self, input_shape: Any) -> tuple[Any, ...]:
        """Replace the width by the number of units."""
        return (*tuple(input_shape)[:-1], self.units)


def _callable(name: str, value: Any) -> Any:
    if value is not None and not callable(value):
        raise UnsupportedError(f"Dense({name}={value!r}): give a function of the weight")
    return value


def _read(x: Any) -> Tensor:
    return x.read()  # type: ignore[no-any-return]  # a tensor, or a variable's value


class Flatten(Layer):
    """Joins every axis but the first into one.

    >>> from symtape.ops.shapes.creation import ones
    >>> Flatten()(ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if data_format not in {None, "channels_first", "channels_last"}:
            raise ValueError(
                "The `data_format` argument must be one of "
                f"{{'channels_first', 'channels_last'}}. Received: {data_format}"
            )
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Tensor:
        """Compute the output."""
        rank = len(inputs.shape)
        if self.data_format == "channels_first" and rank > 1:
            inputs = transpose(inputs, [0, *range(2, rank), 1])
        return reshape(inputs, self.compute_output_shape(tuple(inputs.shape)))

    def compute_output_shape(self, input_shape: Any) -> tuple[Any, ...]:
        """Multiply the sizes after the first."""
        rest = tuple(input_shape)[1:]
        return input_shape[0], None if None in rest else prod(rest)


class Reshape(Layer):
    """Gives every row another shape; one size may be -1.

    >>> from symtape.ops.shapes.creation import ones
    >>> Reshape((3, -1))(ones([2, 12])).shape
    TensorShape([2, 3, 4])
    """

    def __init__(self, target_shape: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def call(self, inputs: Any) -> Tensor:
        """Compute the output."""
        return reshape(inputs, self.compute_output_shape(tuple(inputs.shape)))

    def compute_output_shape(self, input_shape: Any) -> tuple[Any, ...]:
        """Find the size that is -1."""
        rest, known = tuple(input_shape)[1:], prod(n for n in self.target_shape if n != -1)
        if None in rest:
            return input_shape[0], *[None if n == -1 else n for n in self.target_shape]
        total = prod(rest)
        if total % max(known, 1) or (-1 not in self.target_shape and total != known):
            raise ValueError(
                "The total size of the tensor must be unchanged. Received: "
                f"input_shape={rest}, target_shape={self.target_shape}"
            )
        return input_shape[0], *[total // known if n == -1 else n for n in self.target_shape]


class InputLayer(Layer):
    """The shape of what a `Sequential` receives; it computes nothing."""

    def __init__(
        self, shape: Any = None, batch_size: int | None = None, dtype: Any = None, **kwargs: Any
    ) -> None:
        given = kwargs.pop("batch_shape", None)
        super().__init__(dtype=dtype or floatx(), **kwargs)
        if (shape is None) == (given is None):
            raise ValueError("You must pass a `shape` or a `batch_shape` argument.")
        self.batch_shape = (batch_size, *shape) if given is None else tuple(given)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Give the input."""
        return inputs


def Input(  # noqa: N802 - Keras's name
    shape: Any = None,
    batch_size: int | None = None,
    dtype: Any = None,
    name: str | None = None,
    **kwargs: Any,
) -> InputLayer:
    """Say the shape of what a `Sequential` receives, as its first element.

    The functional way of making a model, which calls layers on an `Input`, is not there.

    >>> Input((3,)).__class__.__name__
    'InputLayer'
    """
    return InputLayer(shape, batch_size, dtype, name=name, **kwargs)


show(__name__, __all__)
