"""`tf.keras.optimizers`: SGD, Adam, RMSprop and Adagrad, with the arithmetic of Keras 3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.keras.bases.optimizer import Optimizer, move, present, single
from symtape.namespace import show
from symtape.tensor.variables.variable import Variable

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "get"]


class SGD(Optimizer):
    """Steps w ← w - r g; with momentum m ← p m - r g and w ← w + m, or Nesterov's w + p m - r g.

    >>> w = Variable(1.0)
    >>> optimizer = SGD(0.5)
    >>> optimizer.apply_gradients([(2.0, w)])
    <Variable path=sgd/iteration, shape=(), dtype=int64, value=1>
    >>> w.numpy()
    np.float32(0.0)
    """

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        if not isinstance(momentum, float) or not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be a float between [0, 1].")
        self.momentum, self.nesterov = momentum, nesterov

    def build(self, variables: Sequence[Variable]) -> None:
        """Make a momentum per variable, if there is momentum."""
        super().build(variables)
        if self.momentum:
            (self.momentums,) = self.add_optimizer_variables(variables, "momentum")

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Move one variable."""
        step = gradient * learning_rate
        if not self.momentum:
            move(variable, step)
            return
        m, p = self.momentums[self.place(variable)], single(self.momentum, variable.dtype)
        m.assign(present(m) * p - step)
        move(variable, -(present(m) * p - step) if self.nesterov else -present(m))


class Adam(Optimizer):
    """Steps of m / √v, the running means of gradient and squared gradient (Kingma and Ba, 2014)."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        self.beta_1, self.beta_2 = beta_1, beta_2
        self.epsilon, self.amsgrad = epsilon, amsgrad

    def build(self, variables: Sequence[Variable]) -> None:
        """Make both means per variable."""
        super().build(variables)
        names = "momentum", "velocity"
        self._momentums, self._velocities = self.add_optimizer_variables(variables, *names)
        if self.amsgrad:
            (self._largest,) = self.add_optimizer_variables(variables, "velocity_hat")

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Move one variable."""
        step = variable.dtype.numpy.type(present(self.iterations) + 1)
        first = np.power(single(self.beta_1, variable.dtype), step)
        second = np.power(single(self.beta_2, variable.dtype), step)
        alpha = learning_rate * np.sqrt(1 - second) / (1 - first)
        at = self.place(variable)
        m, v = self._momentums[at], self._velocities[at]
        move(m, -((gradient - present(m)) * (1 - self.beta_1)))
        move(v, -((self._square() - present(v)) * (1 - self.beta_2)))
        if self.amsgrad:
            self._largest[at].assign(np.maximum(present(self._largest[at]), present(v)))
            v = self._largest[at]
        move(variable, present(m) * alpha / (np.sqrt(present(v)) + self.epsilon))


class AdamW(Adam):
    """`Adam` that also shrinks the variables (Loshchilov and Hutter, 2019)."""

    def __init__(
        self, learning_rate: Any = 0.001, weight_decay: float = 0.004, *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(learning_rate, *args, weight_decay=weight_decay, **kwargs)


class RMSprop(Optimizer):
    """Steps of g / √v, v being the running mean of the squared gradient (Hinton)."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        self.rho, self.momentum = rho, momentum
        self.epsilon, self.centered = epsilon, centered

    def build(self, variables: Sequence[Variable]) -> None:
        """Make what is kept per variable."""
        super().build(variables)
        (self._velocities,) = self.add_optimizer_variables(variables, "velocity")
        if self.momentum > 0:
            (self._momentums,) = self.add_optimizer_variables(variables, "momentum")
        if self.centered:
            (self._averages,) = self.add_optimizer_variables(variables, "average_gradient")

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Move one variable."""
        at = self.place(variable)
        v = self._velocities[at]
        v.assign(self.rho * present(v) + (1 - self.rho) * self._square())
        below = present(v)
        if self.centered:
            mean = self._averages[at]
            mean.assign(self.rho * present(mean) + (1 - self.rho) * gradient)
            below = below - np.square(present(mean))
        step = learning_rate * gradient / np.sqrt(below + self.epsilon)
        if self.momentum > 0:
            m = self._momentums[at]
            m.assign(self.momentum * present(m) + step)
            step = present(m)
        move(variable, step)


class Adagrad(Optimizer):
    """Steps of g / √a, a being the sum of the squared gradients (Duchi, Hazan and Singer, 2011)."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def build(self, variables: Sequence[Variable]) -> None:
        """Make a sum per variable."""
        super().build(variables)
        start = self.initial_accumulator_value
        (self._sums,) = self.add_optimizer_variables(variables, "accumulator", start=start)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Move one variable."""
        a = self._sums[self.place(variable)]
        move(a, -self._square())
        move(variable, learning_rate * gradient / np.sqrt(present(a) + self.epsilon))


_BY_NAME = {kind.__name__.lower(): kind for kind in (SGD, Adam, AdamW, RMSprop, Adagrad)}


def get(identifier: Any) -> Optimizer | None:
    """Find an optimizer by its name; an optimizer is itself.

    Raises `ValueError` for anything else.

    >>> type(get("sgd")).__name__
    'SGD'
    """
    if identifier is None or isinstance(identifier, Optimizer):
        return identifier
    if isinstance(identifier, str) and identifier.lower() in _BY_NAME:
        return _BY_NAME[identifier.lower()]()
    raise ValueError(f"Could not interpret optimizer identifier: {identifier}")


show(__name__, __all__)
