"""Running means of variables (`tf.train.ExponentialMovingAverage`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.tensor.convert import convert
from symtape.tensor.values import value_of
from symtape.tensor.variables.variable import Variable

_FLOATS = {"float16", "bfloat16", "float32", "float64"}


class ExponentialMovingAverage:
    """Keeps for each variable a shadow a, which `apply` moves: a ← a - (1 - d) (a - v).

    `decay` is d; with `num_updates` n it is at most (1 + n) / (10 + n). It is rounded to single
    precision, as in TensorFlow. Shadows are variables that are not trained, and no tape sees them
    move. `zero_debias` is of tensors in graphs, and changes nothing here.

    >>> v = Variable([1.0, 2.0])
    >>> averages = ExponentialMovingAverage(0.5)
    >>> averages.apply([v])
    >>> _ = v.assign([3.0, 2.0])
    >>> averages.apply([v])
    >>> averages.average(v).numpy()
    array([2., 2.], dtype=float32)
    """

    def __init__(
        self,
        decay: Any,
        num_updates: Any = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        self._decay, self._updates, self._name = decay, num_updates, name
        self._shadows: dict[Any, Variable] = {}

    @property
    def name(self) -> str:
        """What the names of the shadows end in."""
        return self._name

    def apply(self, var_list: Sequence[Variable] | None = None) -> None:
        """Move the shadows of some variables; one that is new begins with the variable's value.

        Without a list nothing is done, as in TensorFlow where no graph knows its variables. Raises
        `TypeError` for tensors, and for variables that are no floats.
        """
        variables = [] if var_list is None else list(var_list)
        for v in variables:
            if v.dtype.name not in _FLOATS:
                raise TypeError(f"The variables must be half, float, or double: {_name(v)}")
            if not isinstance(v, Variable):
                raise TypeError(
                    "tf.train.ExponentialMovingAverage does not support non-Variable tensors when "
                    "eager execution is enabled."
                )
            if v.ref() not in self._shadows:
                name = self.average_name(v)
                self._shadows[v.ref()] = Variable(_value(v), trainable=False, name=name)
        share = np.float32(1.0) - self._rate()
        for v in variables:
            shadow = self._shadows[v.ref()]
            moved = (_value(shadow) - _value(v)) * v.dtype.numpy.type(share)
            shadow.assign_sub(moved)

    def _rate(self) -> Any:
        decay = np.float32(value_of(convert(self._decay)))
        if self._updates is None:
            return decay
        n = np.float32(value_of(convert(self._updates)))
        return np.minimum(decay, (np.float32(1.0) + n) / (np.float32(10.0) + n))

    def average(self, var: Any) -> Variable | None:
        """Give the shadow of a variable, or None where there is none.

        >>> ExponentialMovingAverage(0.5).average(Variable(1.0)) is None
        True
        """
        return self._shadows.get(var.ref())

    def average_name(self, var: Any) -> str:
        """Give the name that the shadow of a variable has, or would have.

        >>> ExponentialMovingAverage(0.5).average_name(Variable(1.0, name="w"))
        'w/ExponentialMovingAverage'
        """
        return f"{_name(var).removesuffix(':0')}/{self._name}"


def _name(var: Any) -> str:
    return str(var.name)


def _value(variable: Variable) -> Any:
    """Take the value of a variable, so that no tape notices."""
    return value_of(variable.handle.tensor)
