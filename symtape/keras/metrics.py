"""`tf.keras.metrics`: running means, kept in variables that no tape watches."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.keras.backend import dtype_of
from symtape.keras.bases.naming import auto_name, scope
from symtape.keras.bases.variable import Variable
from symtape.keras.losses import mae, mean_absolute_error, mean_squared_error, mse
from symtape.namespace import show
from symtape.ops.elementwise.arithmetic import divide_no_nan
from symtape.ops.elementwise.conversion import cast
from symtape.ops.tracking import Trackable
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of

__all__ = ["Mean", "Metric", "Sum", "mae", "mean_absolute_error", "mean_squared_error", "mse"]


class Metric(Trackable):
    """The base: a subclass adds to its variables in `update_state` and reads them in `result`.

    Raises `UnsupportedError` for a dtype that is "mixed".
    """

    def __init__(self, dtype: Any = None, name: str | None = None) -> None:
        self.name = auto_name(type(self).__name__) if name is None else name
        self._dtype = dtype_of(dtype)
        self._variables: list[Variable] = []

    @property
    def dtype(self) -> str:
        """The name of the dtype of the variables."""
        return self._dtype.name

    @property
    def variables(self) -> list[Variable]:
        """What is kept."""
        return list(self._variables)

    def add_variable(
        self, shape: Any = (), initializer: Any = None, dtype: Any = None, name: str | None = None
    ) -> Variable:
        """Make a variable, zeros unless an initializer is given.

        Raises `UnsupportedError` for a dtype that is "mixed".
        """
        found = self._dtype if dtype is None else dtype_of(dtype)
        value = np.zeros(shape, found.numpy)[()] if initializer is None else initializer
        with scope(self.name, self):
            made = Variable(value, shape, found, trainable=False, name=name)
        self._variables.append(made)
        return made

    add_weight = add_variable

    def update_state(self, *args: Any, **kwargs: Any) -> None:
        """Take in more values."""
        raise NotImplementedError(f"{type(self).__name__} needs a method update_state")

    def result(self) -> Tensor:
        """Give what the values so far amount to."""
        raise NotImplementedError(f"{type(self).__name__} needs a method result")

    def reset_state(self) -> None:
        """Start again."""
        for variable in self._variables:
            variable.assign(np.zeros_like(variable.numpy()))

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        """Take in more values, and give the result."""
        self.update_state(*args, **kwargs)
        return self.result()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


class Sum(Metric):
    """The sum of everything so far, weighted by `sample_weight` along the first axes.

    >>> total = Sum()
    >>> total.update_state([1.0, 2.0])
    >>> total.result().numpy()
    np.float32(3.0)
    """

    def __init__(self, name: str = "sum", dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_variable(name="total")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Add values."""
        array, _ = _weighted(self._array(values), self._weight(sample_weight), np.sum)
        self.total.assign_add(np.sum(array))

    def _array(self, values: Any) -> Any:
        return value_of(cast(convert(values), self._dtype))

    def _weight(self, weight: Any) -> Any:
        return None if weight is None else self._array(weight)

    def result(self) -> Tensor:
        """Give the sum."""
        return Tensor(self.total.numpy())


class Mean(Sum):
    """The mean of everything so far: the mean of each row, weighted by `sample_weight`.

    >>> mean = Mean()
    >>> mean(1.0).numpy(), mean([2.0, 3.0]).numpy()
    (np.float32(1.0), np.float32(2.0))
    """

    def __init__(self, name: str = "mean", dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.count = self.add_variable(name="count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Add values."""
        array, weight = _weighted(self._array(values), self._weight(sample_weight), np.mean)
        self.total.assign_add(np.sum(array))
        rows = array.shape[0] if array.ndim else 1
        self.count.assign_add(rows if weight is None else np.sum(weight))

    def result(self) -> Tensor:
        """Give the mean; 0 of nothing."""
        return divide_no_nan(Tensor(self.total.numpy()), Tensor(self.count.numpy()))


def _weighted(values: Any, weight: Any, reduce: Any) -> tuple[Any, Any]:
    """Multiply by the weights, and reduce each row to one number."""
    if weight is not None:
        if values.ndim > weight.ndim:
            values = reduce(values, axis=tuple(range(weight.ndim, values.ndim)))
        weight = np.broadcast_to(weight, values.shape)
        values = values * weight
        weight = reduce(weight, axis=tuple(range(1, weight.ndim))) if weight.ndim > 1 else weight
    return reduce(values, axis=tuple(range(1, values.ndim))) if values.ndim > 1 else values, weight


show(__name__, __all__)
