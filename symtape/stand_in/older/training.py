"""Optimizers of TensorFlow 1, which programs of TensorFlow 2 still use with their tapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import sqrt
from symtape.tape import GradientTape
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


class Optimizer:
    """What moves variables by gradients; a subclass says by how much."""

    _starts: Mapping[str, float] = MappingProxyType({})

    def __init__(self, learning_rate: Any, use_locking: bool, name: str) -> None:
        self._rate, self._name, self._steps = learning_rate, name, 0
        self._slots: dict[int, dict[str, Variable]] = {}

    def get_name(self) -> str:
        """Give the name."""
        return self._name

    def get_slot_names(self) -> list[str]:
        """Give the names of what is kept for each variable."""
        return sorted(self._starts)

    def get_slot(self, var: Variable, name: str) -> Variable | None:
        """Give what is kept for a variable, or None."""
        return self._slots.get(id(var), {}).get(name)

    def compute_gradients(
        self,
        loss: Callable[[], Any],
        var_list: Iterable[Variable] | None = None,
        *args: Any,
        grad_loss: Any = None,
        **kwargs: Any,
    ) -> list[tuple[Any, Variable]]:
        """Differentiate what a function gives; raises `RuntimeError` for a tensor."""
        if not callable(loss):
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager "
                "execution is enabled."
            )
        with GradientTape() as tape:
            value = loss()
        variables = list(tape.watched_variables() if var_list is None else var_list)
        slopes = tape.gradient(value, variables, output_gradients=grad_loss)
        return list(zip(slopes, variables, strict=True))

    def minimize(
        self,
        loss: Callable[[], Any],
        global_step: Variable | None = None,
        var_list: Iterable[Variable] | None = None,
        *args: Any,
        grad_loss: Any = None,
        **kwargs: Any,
    ) -> None:
        """Move variables once by the gradients of what a function gives."""
        self.apply_gradients(
            self.compute_gradients(loss, var_list, grad_loss=grad_loss), global_step
        )

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[Any, Variable]],
        global_step: Variable | None = None,
        name: str | None = None,
    ) -> None:
        """Move each variable; raises `ValueError` if there is no gradient for any of them."""
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        if all(slope is None for slope, _ in pairs):
            named = [str(variable) for _, variable in pairs]
            raise ValueError(f"No gradients provided for any variable: {named}.")
        self._steps += 1
        for slope, variable in pairs:
            if slope is not None:
                self._move(tensor(slope), variable, self._kept(variable))
        if global_step is not None:
            global_step.assign_add(1)

    def _kept(self, variable: Variable) -> dict[str, Variable]:
        if id(variable) not in self._slots:
            self._slots[id(variable)] = {
                name: Variable(np.full(variable.shape, start, variable.dtype.numpy))
                for name, start in self._starts.items()
            }
            self._slots[id(variable)][""] = variable  # kept, so that its id stays its own
        return self._slots[id(variable)]

    def _number(self, value: Any, slope: Tensor) -> Any:
        found = value() if callable(value) else value
        if isinstance(found, (Tensor, Variable)):
            return cast(found, slope.dtype)
        # TensorFlow keeps such numbers in single precision, whatever the variables are
        return np.asarray(np.float32(found), slope.dtype.numpy)[()]

    def _move(self, slope: Tensor, variable: Variable, kept: dict[str, Variable]) -> None:
        variable.assign_sub(self._change(slope, variable, kept))

    def _change(self, slope: Tensor, variable: Variable, kept: dict[str, Variable]) -> Any:
        raise NotImplementedError


class GradientDescentOptimizer(Optimizer):
    """Moves by the gradient times a rate."""

    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"
    ) -> None:
        super().__init__(learning_rate, use_locking, name)

    def _change(self, slope: Tensor, variable: Variable, kept: dict[str, Variable]) -> Any:
        return slope * self._number(self._rate, slope)


class MomentumOptimizer(Optimizer):
    """Moves by a sum of gradients, of which those before count less and less."""

    _starts: Mapping[str, float] = MappingProxyType({"momentum": 0.0})

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._momentum, self._ahead = momentum, use_nesterov

    def _change(self, slope: Tensor, variable: Variable, kept: dict[str, Variable]) -> Any:
        rate, share = (self._number(n, slope) for n in (self._rate, self._momentum))
        whole = kept["momentum"].assign(kept["momentum"] * share + slope).read_value()
        return (slope + whole * share) * rate if self._ahead else whole * rate


class AdamOptimizer(Optimizer):
    """Moves by the mean of gradients over the root of the mean of their squares."""

    _starts: Mapping[str, float] = MappingProxyType({"m": 0.0, "v": 0.0})

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._shares = (beta1, beta2, epsilon)

    def _change(self, slope: Tensor, variable: Variable, kept: dict[str, Variable]) -> Any:
        rate = self._number(self._rate, slope)
        first, second, least = (self._number(n, slope) for n in self._shares)
        powers = (self._power(share).astype(slope.dtype.numpy) for share in self._shares[:2])
        one, two = (1 - power for power in powers)
        rate = rate * two**0.5 / one
        mean = kept["m"].assign(kept["m"] + (slope - kept["m"]) * (1 - first))
        square = kept["v"].assign(kept["v"] + (slope * slope - kept["v"]) * (1 - second))
        return rate * mean / (sqrt(square) + least)

    def _power(self, share: Any) -> Any:
        return np.multiply.reduce(np.full(self._steps, share() if callable(share) else share, "f4"))


class RMSPropOptimizer(Optimizer):
    """Moves by gradients over the root of the mean of their squares, which begins with one."""

    _starts: Mapping[str, float] = MappingProxyType({"rms": 1.0, "momentum": 0.0})

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._shares, self._centered = (decay, momentum, epsilon), centered
        self._starts = {**self._starts, "mg": 0.0} if centered else self._starts

    def _change(self, slope: Tensor, variable: Variable, kept: dict[str, Variable]) -> Any:
        rate = self._number(self._rate, slope)
        decay, momentum, least = (self._number(n, slope) for n in self._shares)
        square = kept["rms"].assign(kept["rms"] * decay + slope * slope * (1 - decay)).read_value()
        if self._centered:
            mean = kept["mg"].assign(kept["mg"] * decay + slope * (1 - decay)).read_value()
            square = square - mean * mean
        moved = kept["momentum"] * momentum + rate * slope / sqrt(square + least)
        return kept["momentum"].assign(moved).read_value()


class AdagradOptimizer(Optimizer):
    """Moves by gradients over the root of the sum of their squares."""

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._starts = {"accumulator": initial_accumulator_value}

    def _change(self, slope: Tensor, variable: Variable, kept: dict[str, Variable]) -> Any:
        total = kept["accumulator"].assign_add(slope * slope).read_value()
        return self._number(self._rate, slope) * slope / sqrt(total)


class _Shared:
    step: Variable | None = None


def get_or_create_global_step(graph: Any = None) -> Variable:
    """Give the variable that counts steps, which is made when it is first asked for."""
    if _Shared.step is None:
        _Shared.step = Variable(0, dtype=dtypes.int64, name="global_step", trainable=False)
    return _Shared.step


def get_global_step(graph: Any = None) -> Variable | None:
    """Give the variable that counts steps, or None before it is made."""
    return _Shared.step


class AggregationMethod:
    """How gradients that meet are added up (`tf.AggregationMethod`): in each way as one sum.

    >>> AggregationMethod.DEFAULT == AggregationMethod.ADD_N
    True
    """

    ADD_N = DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2
