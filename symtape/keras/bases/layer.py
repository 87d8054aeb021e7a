"""`tf.keras.layers.Layer`: what every layer and model is."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NoReturn

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.keras import initializers
from symtape.keras.backend import dtype_of
from symtape.keras.bases import calls, input_spec
from symtape.keras.bases.naming import auto_name, scope
from symtape.keras.bases.parts import LOCKED, Owner
from symtape.keras.bases.variable import Variable
from symtape.tensor.tensor import Tensor

_ADVICE = {
    "compile": "write the loop yourself: tape.gradient(loss, model.trainable_variables) and "
    "optimizer.apply_gradients(zip(gradients, model.trainable_variables))",
    "predict": "call the model on the data",
    "save": "keep the arrays of get_weights(), and give them to set_weights()",
    "get_config": "make another layer with the same arguments",
}
_ADVICE |= dict.fromkeys(("fit", "evaluate", "train_on_batch", "train_step"), _ADVICE["compile"])
_ADVICE |= dict.fromkeys(("save_weights", "load_weights", "export"), _ADVICE["save"])
_ADVICE |= dict.fromkeys(("predict_on_batch", "predict_step"), _ADVICE["predict"])


class _Losses:
    """Whether `add_loss` was ever called: without it there is nothing to forget at a call."""

    ever = False


class Layer(Owner):
    """A function with variables (`tf.keras.layers.Layer`).

    A subclass makes its variables with `add_weight` in `build(input_shape)`, which runs before the
    first call, and computes in `call(inputs)`. Layers that are attributes, or in lists or dicts
    that are, belong to it. As in Keras 3, a plain `tf.Variable` that is an attribute does not.

    Raises `UnsupportedError` for an `activity_regularizer`, and, where the `__init__` of a subclass
    does not call that of its base, `RuntimeError` when it is used.

    >>> class Scale(Layer):
    ...     def build(self, input_shape):
    ...         self.factor = self.add_weight(shape=(), initializer="ones", name="factor")
    ...     def call(self, inputs):
    ...         return inputs * self.factor
    >>> from symtape.tensor.convert import convert
    >>> Scale()(convert([1.0, 2.0])).numpy()
    array([1., 2.], dtype=float32)
    """

    unbuilt: ClassVar[dict[str, str]] = {}
    """What is said of an attribute that only a built layer has."""

    def __init__(
        self,
        *,
        activity_regularizer: Any = None,
        trainable: bool = True,
        dtype: Any = None,
        autocast: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        self._own: list[Variable] = []
        self._losses: list[Tensor] = []
        self._locked = False
        self._building = 0
        self.built = False
        self.name = auto_name(type(self).__name__) if name is None else name
        self._dtype = dtype_of(dtype)
        self.autocast = autocast
        self.input_spec: Any = None
        self._trainable = _checked(trainable)
        self._input_shape_arg = _given_shape(kwargs)
        refuse(type(self).__name__, activity_regularizer=activity_regularizer)
        if kwargs:
            raise ValueError(
                f"Unrecognized keyword arguments passed to {type(self).__name__}: {kwargs}"
            )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "build" in vars(cls):
            cls.build = _builder(cls.build)  # type: ignore[method-assign]  # the same, wrapped

    # --- variables --------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> Any:
        """Make the variables; the base has none. False says that some could not be made yet."""

    def add_weight(
        self,
        shape: Any = None,
        initializer: Any = None,
        dtype: Any = None,
        trainable: bool = True,
        autocast: bool = True,
        regularizer: Any = None,
        constraint: Any = None,
        aggregation: str = "none",
        name: str | None = None,
    ) -> Variable:
        """Make a variable of the layer; floats start as `glorot_uniform`, others as zeros.

        Raises `ValueError` once the layer is built, `UnsupportedError` for a `regularizer`, and
        `RuntimeError` where a subclass did not call `super().__init__()`.
        """
        self._check_ready()
        if self._locked:
            raise ValueError(LOCKED)
        if isinstance(shape, str):
            raise ValueError(
                "`name` must be passed as a keyword argument. Received: "
                f"add_weight({shape!r}, ...). Use: add_weight(shape=..., name={shape!r})."
            )
        refuse("add_weight", regularizer=regularizer)
        found = self._dtype if dtype is None else dtype_of(dtype)
        start = initializer or ("glorot_uniform" if found.is_floating else "zeros")
        with scope(self.name, self):
            variable = Variable(
                initializers.get(start),
                () if shape is None else shape,
                found,
                trainable=trainable and self._trainable,
                name=name,
            )
        variable.constraint = constraint
        self._own = [*self._own, variable]  # of which a checkpoint hears
        return variable

    add_variable = add_weight

    def count_params(self) -> int:
        """Count the numbers in the weights."""
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on layer '{self.name}', but the layer isn't "
                "built. You can build it manually via: `layer.build(input_shape)`."
            )
        return sum(v.numpy().size for v in self.weights)

    # --- calling ----------------------------------------------------------------------------------

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output."""
        raise NotImplementedError(
            f"Layer {type(self).__name__} does not have a `call` method implemented."
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Build the layer if this is the first time, and compute its output.

        Raises `RuntimeError` where a subclass did not call `super().__init__()`.
        """
        self._check_ready()
        args, kwargs = nest.map_structure(self._convert, (args, kwargs))
        calls.check_positional(args)
        signature = calls.signature_of(type(self).call)
        knows = "training" in signature.parameters
        given = None if knows else kwargs.pop("training", None)
        bound = signature.bind(*args, **kwargs)
        given = bound.arguments.get("training", given)
        first = next(iter(bound.arguments.values()), None)
        self._check_input(first)
        if _Losses.ever and calls.is_outermost():
            self._forget_losses()
        with scope(self.name, self):
            self._build_for(bound.arguments)
            default = calls.default_of(signature) if knows else None
            with calls.calling(self, given, default) as training:
                if knows and training is not None:
                    bound.arguments["training"] = training
                outputs = self.call(*bound.args, **bound.kwargs)
        if not (self.built and self._locked):
            self.built = self._locked = True
        return outputs

    def _convert(self, x: Any) -> Any:
        return calls.convert_input(x, self._dtype, self.autocast)

    def _check_input(self, first: Any) -> None:
        if self.input_spec is not None:
            input_spec.check(self.input_spec, first, self.name)

    def _build_for(self, arguments: Mapping[str, Any]) -> None:
        if not self.built and type(self).build is not Layer.build:
            build = calls.signature_of(type(self).build)
            self.build(**calls.shapes_for(build, dict(arguments)))
            self._check_input(next(iter(arguments.values()), None))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Give the shape of the output for that of the input."""
        raise NotImplementedError(
            f"Layer {type(self).__name__} does not have a `compute_output_shape` method "
            "implemented. Should implement `def compute_output_shape(self, input_shape)`."
        )

    def _inner(self) -> list[Layer]:
        return [layer for layer in self._parts()[2] if isinstance(layer, Layer)]

    # --- losses -----------------------------------------------------------------------------------

    def add_loss(self, loss: Any) -> None:
        """Keep a scalar, computed in `call`, for `losses`."""
        for x in nest.flatten(loss):
            if not isinstance(x, Tensor):
                raise ValueError(
                    "`add_loss()` can only be called from inside `build()` or `call()`, on a "
                    f"tensor input. Received invalid value: {x}"
                )
            self._losses.append(x)
            _Losses.ever = True

    @property
    def losses(self) -> list[Tensor]:
        """What `add_loss` kept during the last call, here and in the layers within."""
        return [*self._losses, *[x for layer in self._inner() for x in layer.losses]]

    def _forget_losses(self) -> None:
        self._losses.clear()
        for layer in self._inner():
            layer._forget_losses()  # noqa: SLF001 - of its own class

    # --- attributes -------------------------------------------------------------------------------

    @property
    def dtype(self) -> str:
        """The name of the dtype of the weights."""
        return self._dtype.name

    variable_dtype = compute_dtype = dtype

    @property
    def path(self) -> str | None:
        """The path of the layer's variables, without their own names."""
        return self._own[0].path.rpartition("/")[0] if self._own else None

    def _check_ready(self) -> None:
        if "_own" not in vars(self):
            raise RuntimeError(
                f"In layer '{type(self).__name__}', you forgot to call `super().__init__()` as the "
                "first statement in the `__init__()` method. Go add it!"
            )

    def __getattr__(self, name: str) -> NoReturn:
        advice = f"; {_ADVICE[name]}" if name in _ADVICE else ""
        text = f"{type(self).__name__!r} object has no attribute {name!r}{advice}"
        raise AttributeError(type(self).unbuilt.get(name, text))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"


def _builder(build: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a `build` method: within the name of its layer, and built after it, but for False."""

    @functools.wraps(build)
    def run(self: Layer, *args: Any, **kwargs: Any) -> None:
        self._check_ready()
        self._building += 1
        try:
            with scope(self.name, self):
                done = build(self, *args, **kwargs)
        finally:
            self._building -= 1
        if not self._building and done is not False:
            self.built = self._locked = True

    return run


def _checked(trainable: Any) -> bool:
    if not isinstance(trainable, bool):
        raise ValueError(
            f"Expected `trainable` to be a boolean. Received: trainable={trainable} (of type "
            f"{type(trainable)})"
        )
    return trainable


def _given_shape(kwargs: dict[str, Any]) -> tuple[int, ...] | None:
    """Take `input_shape` or `input_dim`, which a first layer of a `Sequential` may have."""
    width = kwargs.pop("input_dim", None)
    shape = kwargs.pop("input_shape", None)
    if width is not None:
        return (int(width),)
    return None if shape is None else tuple(shape)


def refuse(where: str, **given: Any) -> None:
    """Raise `UnsupportedError` for arguments of Keras's that are given and not honoured."""
    for name, value in given.items():
        if value is not None:
            way = "add the term to the loss, or " if name.endswith("regularizer") else ""
            raise UnsupportedError(
                f"{where}({name}={value!r}): symtape has no `{name}`; {way}leave the argument out"
            )
