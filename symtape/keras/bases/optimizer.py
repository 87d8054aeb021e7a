"""`tf.keras.optimizers.Optimizer`: what every optimizer does around its own step."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from symtape.errors import UnsupportedError
from symtape.keras.bases.naming import auto_name, scope
from symtape.keras.bases.variable import Variable
from symtape.ops.tracking import Trackable
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType
from symtape.tensor.indexing.slices import IndexedSlices, rows_of
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of
from symtape.tensor.variables.variable import Variable as PlainVariable

_ADVICE = {
    "minimize": "take the gradients with a GradientTape and call apply_gradients",
    "get_gradients": "take the gradients with a GradientTape",
    "lr": "it is called learning_rate",
    "get_config": "make another optimizer with the same arguments",
}


class Optimizer(Trackable):
    """The base: a subclass makes its variables in `build` and moves one variable in `update_step`.

    `learning_rate` is a float, or a function without arguments that gives one. Raises `ValueError`
    for anything else, and `UnsupportedError` for averages, scales of the loss and accumulation.
    """

    def __init__(
        self,
        learning_rate: Any,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        if kwargs:
            raise ValueError(f"Argument(s) not recognized: {kwargs}")
        for argument, value in (
            ("use_ema", use_ema),
            ("loss_scale_factor", loss_scale_factor),
            ("gradient_accumulation_steps", gradient_accumulation_steps),
        ):
            if value:
                raise UnsupportedError(
                    f"{type(self).__name__}({argument}={value}) is not there; leave it out"
                )
        if sum(x is not None for x in (clipnorm, clipvalue, global_clipnorm)) > 1:
            raise ValueError(
                "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: "
                f"{clipnorm=}, {clipvalue=}, {global_clipnorm=}"
            )
        self.name = auto_name(type(self).__name__) if name is None else name
        self.weight_decay = weight_decay
        self.clipnorm, self.clipvalue, self.global_clipnorm = clipnorm, clipvalue, global_clipnorm
        self.built = False
        self._places: dict[int, int] = {}
        self._trained: list[PlainVariable] = []
        with scope(self.name, self):
            self._iterations = Variable(np.int64(0), trainable=False, name="iteration")
        self._variables: list[Variable] = [self._iterations]
        self._learning_rate = self._rate(learning_rate)

    def _rate(self, rate: Any) -> Variable | Callable[[], Any]:
        if callable(rate):
            return rate  # type: ignore[no-any-return]  # a function is kept as it is
        if not isinstance(rate, float):
            raise ValueError(
                "Argument `learning_rate` should be float, or an instance of LearningRateSchedule, "
                "or a callable (that takes in the current iteration value and returns the "
                "corresponding learning rate value). Received instead: "
                f"learning_rate={rate}"
            )
        with scope(self.name, self):
            variable = Variable(
                np.float64(rate), dtype="float32", trainable=False, name="learning_rate"
            )
        self._variables.append(variable)
        return variable

    # --- state -----------------------------------------------------------------------------------

    @property
    def iterations(self) -> Variable:
        """The number of steps that were taken."""
        return self._iterations

    @property
    def learning_rate(self) -> Any:
        """The learning rate: a variable, or what the function that was given gives."""
        rate = self._learning_rate
        return rate if isinstance(rate, Variable) else rate()

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        if callable(value) or not isinstance(self._learning_rate, Variable):
            self._learning_rate = value if callable(value) else self._rate(value)
        else:
            self._learning_rate.assign(value)

    @property
    def variables(self) -> list[Variable]:
        """The number of steps, the learning rate, and what the optimizer keeps per variable."""
        return list(self._variables)

    def build(self, variables: Sequence[PlainVariable]) -> None:
        """Take the variables that will be trained, and make what is kept for each."""
        self._trained = list(variables)
        self._places = {id(v.handle): k for k, v in enumerate(self._trained)}
        self.built = True

    def add_optimizer_variables(
        self, variables: Sequence[PlainVariable], *names: str, start: float = 0.0
    ) -> list[list[Variable]]:
        """Make for each variable one variable of its shape per name; give one list per name."""
        made: list[list[Variable]] = [[] for _ in names]
        with scope(self.name, self):
            for v in variables:
                own = getattr(v, "path", v.name).replace("/", "_").replace(":", "_")
                for column, name in zip(made, names, strict=True):
                    value = np.full(present(v).shape, single(start, v.dtype))
                    column.append(Variable(value[()], trainable=False, name=f"{own}_{name}"))
        self._variables += [column[k] for k in range(len(variables)) for column in made]
        return made

    # --- one step --------------------------------------------------------------------------------

    def apply_gradients(self, grads_and_vars: Any) -> Variable:
        """Move each variable by its gradient; pairs whose gradient is None are left out.

        Raises `ValueError` if every gradient is None, or a variable is not of those of the first
        call. Gives the number of steps.
        """
        pairs = [tuple(pair) for pair in grads_and_vars]
        if not pairs:
            raise ValueError(
                "not enough values to unpack (expected 2, got 0): apply_gradients() received no "
                "pairs; a model has variables once it was called, and of its own attributes only "
                "those that add_weight() made"
            )
        self.apply([g for g, _ in pairs], [v for _, v in pairs])
        return self._iterations

    def apply(self, grads: Sequence[Any], trainable_variables: Any = None) -> None:
        """Move each variable by its gradient; without variables, those of `build`."""
        variables = list(self._trained if trainable_variables is None else trainable_variables)
        if trainable_variables is None and len(grads) != len(variables):
            raise ValueError(
                f"apply() received {len(grads)} gradients for {len(variables)} variables; give the "
                "variables, or call optimizer.build(variables) first"
            )
        if not self.built:
            self.build(variables)
        for v in variables:
            if id(v.handle) not in self._places:
                raise ValueError(
                    f"Unknown variable: {v}. This optimizer can only be called for the variables "
                    "it was originally built with. When working with a new set of variables, you "
                    "should recreate a new optimizer instance."
                )
        with np.errstate(all="ignore"):
            self._move(_present(grads, variables))
        self._iterations.assign_add(1)

    def _move(self, pairs: Sequence[tuple[Any, PlainVariable]]) -> None:
        """Clip the gradients, those of gathered elements row by row, and move every variable."""
        rows = [as_array(rows_of(g), v.dtype) for g, v in pairs]
        arrays = self._clipped(rows)
        moved = [v for _, v in pairs]
        for v in moved:
            self._decay(v)
        for array, (g, v) in zip(arrays, pairs, strict=True):
            at = value_of(g.indices) if isinstance(g, IndexedSlices) else None
            self._square = partial(_added, array, at, v, np.square)
            whole = as_array(g, v.dtype) if arrays is rows else _added(array, at, v)
            self.update_step(whole, v, self._rate_for(v.dtype))
        for v in moved:
            if v.constraint is not None:
                v.assign(v.constraint(v))

    def update_step(self, gradient: Any, variable: PlainVariable, learning_rate: Any) -> None:
        """Move one variable by its gradient, an array of the variable's dtype.

        `_square()` is its square; where rows were gathered, the sum of their squares, as in Keras.
        """
        raise NotImplementedError(f"{type(self).__name__} needs a method update_step")

    def place(self, variable: PlainVariable) -> int:
        """Say which of the variables of `build` this is."""
        return self._places[id(variable.handle)]

    def _rate_for(self, dtype: DType) -> Any:
        return as_array(self.learning_rate, dtype)

    def _decay(self, variable: PlainVariable) -> None:
        """Shrink a variable by weight_decay times the learning rate."""
        if self.weight_decay is not None:
            value = present(variable)
            decay = single(self.weight_decay, variable.dtype)
            move(variable, value * decay * self._rate_for(variable.dtype))

    def _clipped(self, gradients: list[Any]) -> list[Any]:
        """Shorten gradients that are too long, one by one or as one vector, or cut off elements."""
        if self.clipnorm:
            return [g * self.clipnorm / max(_length([g]), self.clipnorm) for g in gradients]
        if self.global_clipnorm:
            scale = self.global_clipnorm * (1 / max(_length(gradients), self.global_clipnorm))
            return [g * scale for g in gradients]
        if self.clipvalue:
            return [np.clip(g, -self.clipvalue, self.clipvalue) for g in gradients]
        return gradients

    def __getattr__(self, name: str) -> NoReturn:
        advice = f"; {_ADVICE[name]}" if name in _ADVICE else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{advice}")


def _present(
    grads: Sequence[Any], variables: Sequence[PlainVariable]
) -> list[tuple[Any, PlainVariable]]:
    """Leave out the pairs without gradient, and warn of them; raise if nothing is left."""
    pairs = list(zip(grads, variables, strict=True))
    missing = [getattr(v, "path", v.name) for g, v in pairs if g is None]
    if len(missing) == len(pairs):
        raise ValueError("No gradients provided for any variable.")
    if missing:
        warnings.warn(
            f"Gradients do not exist for variables {missing} when minimizing the loss. If using "
            "`model.compile()`, did you forget to provide a `loss` argument?",
            stacklevel=4,
        )
    return [pair for pair in pairs if pair[0] is not None]


def _added(rows: Any, at: Any, variable: PlainVariable, change: Any = np.positive) -> Any:
    """Add rows up at their places, changed; without places they are all rows."""
    if at is None:
        return change(rows)
    found, order = np.zeros(present(variable).shape, rows.dtype), np.argsort(at, kind="stable")
    places, first = np.unique(at[order], return_index=True)
    if len(places):  # sums of runs take a third of the time of `np.add.at`
        found[places] = np.add.reduceat(change(rows)[order], first)
    return found


def _length(gradients: Sequence[Any]) -> Any:
    return np.sqrt(sum(np.sum(np.square(g)) for g in gradients))


def as_array(value: Any, dtype: DType) -> Any:
    """Take the number or array out of anything, and cast it."""
    tensor = value.handle.tensor if isinstance(value, PlainVariable) else value
    array = value_of(tensor) if isinstance(tensor, Tensor) else value_of(convert(value))
    return array.astype(dtype.numpy)


def single(number: float, dtype: DType) -> Any:
    """Round a number to float32 first, as Keras does where it casts one, also for float64."""
    return dtype.numpy.type(np.float32(number))


def present(variable: PlainVariable) -> Any:
    """Take the value of a variable, so that no tape notices."""
    return value_of(variable.handle.tensor)


def move(variable: PlainVariable, by: Any) -> None:
    """Subtract from a variable; raises `InvalidArgumentError` where shapes differ."""
    PlainVariable.assign_sub(variable, by)
