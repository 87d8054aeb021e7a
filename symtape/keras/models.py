"""`tf.keras.Model` and `tf.keras.Sequential`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symtape.errors import UnsupportedError
from symtape.keras.bases.layer import Layer
from symtape.keras.layers import InputLayer
from symtape.namespace import show
from symtape.ops.shapes.creation import zeros

__all__ = ["Model", "Sequential"]


class Model(Layer):
    """A layer that is made of layers; a subclass computes in `call(inputs)`.

    Raises what `Layer` raises: `UnsupportedError` for an `activity_regularizer`.

    >>> from symtape.keras.layers import Dense
    >>> from symtape.ops.shapes.creation import ones
    >>> class Line(Model):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.dense = Dense(1)
    ...     def call(self, inputs):
    ...         return self.dense(inputs)
    >>> model = Line()
    >>> model(ones([5, 2])).shape, [v.name for v in model.trainable_variables]
    (TensorShape([5, 1]), ['kernel', 'bias'])
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args or "inputs" in kwargs or "outputs" in kwargs:
            raise UnsupportedError(
                "Model(inputs, outputs) is the functional way of making a model, which is not "
                "there: use tf.keras.Sequential, or subclass tf.keras.Model and write `call`"
            )
        super().__init__(**kwargs)

    @property
    def layers(self) -> list[Layer]:
        """The layers that belong to the model, not those within them."""
        return self._inner()

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """Find a layer by its name or its place; raises `ValueError` if there is none."""
        layers = self.layers
        if index is not None and name is not None:
            raise ValueError(
                f"Provide only a layer name or a layer index. Received: {index=}, {name=!s}."
            )
        if index is not None:
            if index >= len(layers):
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has "
                    f"{len(layers)} layers."
                )
            return layers[index]
        if name is None:
            raise ValueError("Provide either a layer name or layer index at `get_layer`.")
        for layer in layers:
            if layer.name == name:
                return layer
        raise ValueError(
            f"No such layer: {name}. Existing layers are: {[layer.name for layer in layers]}."
        )


class Sequential(Model):
    """Layers one after the other, given as a list or with `add`.

    The variables are made at the first call, or at once where the first element is an `Input` or a
    layer with `input_shape`.

    >>> from symtape.keras.layers import Dense
    >>> from symtape.ops.shapes.creation import ones
    >>> model = Sequential([Dense(4, activation="relu"), Dense(1)])
    >>> model(ones([5, 2])).shape, len(model.variables)
    (TensorShape([5, 1]), 4)
    """

    def __init__(
        self, layers: Iterable[Layer] | None = None, trainable: bool = True, name: str | None = None
    ) -> None:
        super().__init__(trainable=trainable, name=name)
        self._stack: list[Layer] = []
        for layer in layers or ():
            self._append(layer)
        self._rebuild()

    @property
    def layers(self) -> list[Layer]:
        """The layers, without an `Input`."""
        return [layer for layer in self._stack if not isinstance(layer, InputLayer)]

    def add(self, layer: Layer) -> None:
        """Append a layer; raises `ValueError` for what is none, or has a name that was there."""
        self._append(layer)
        self._rebuild()

    def pop(self) -> Layer:
        """Take the last layer away, and give it."""
        layer = self._stack.pop()
        self.built = bool(self._stack) and self.built
        return layer

    def _append(self, layer: Any) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(
                "Only instances of `keras.Layer` can be added to a Sequential model. Received: "
                f"{layer} (of type {type(layer)})"
            )
        if any(layer.name == other.name and layer is not other for other in self._stack):
            raise ValueError(
                "All layers added to a Sequential model should have unique names. Name "
                f"'{layer.name}' is already the name of a layer in this model. Update the `name` "
                "argument to pass a unique name."
            )
        shape = layer._input_shape_arg  # noqa: SLF001 - of a base class
        if not self._stack and shape is not None:
            self._stack.append(InputLayer(shape))
        if isinstance(layer, InputLayer) and self._stack:
            raise ValueError(
                f"Sequential model '{self.name}' has layers already: an Input can only come first."
            )
        self._stack.append(layer)

    def _rebuild(self) -> None:
        """Make the variables as soon as the shape of the input is known."""
        if len(self._stack) > 1 and isinstance(self._stack[0], InputLayer):
            self.build(self._stack[0].batch_shape)

    def build(self, input_shape: Any = None) -> bool:
        """Make the variables of every layer; say whether all of them could be made.

        A layer that does not say what shape its output has is called on zeros.
        """
        if not self._stack:
            raise ValueError(
                f"Sequential model {self.name} cannot be built because it has no layers. Call "
                "`model.add(layer)`."
            )
        if not isinstance(input_shape, (tuple, list)):
            return True  # which the layers will be at their first call
        shape: Any = tuple(input_shape)
        for layer in self.layers:
            if not layer.built:
                layer.build(shape)
            try:
                shape = layer.compute_output_shape(shape)
            except NotImplementedError:
                if None in shape[1:]:
                    return False
                found = layer(zeros([n or 1 for n in shape], layer.compute_dtype)).shape
                shape = (*shape[:1], *found[1:])
        return True

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Pass the inputs through the layers."""
        if not self._stack:
            self.build(())
        for layer in self.layers:
            inputs = layer(inputs)
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Pass the shape through the layers."""
        for layer in self.layers:
            input_shape = layer.compute_output_shape(input_shape)
        return input_shape


show(__name__, __all__)
