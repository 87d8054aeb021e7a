"""Optimizers of TensorFlow 1 that are the steps of one kernel each."""

from __future__ import annotations

from typing import Any

from symtape.stand_in.older.training import Optimizer
from symtape.stand_in.raw.training import STEPS
from symtape.tensor.convert import to_array
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of
from symtape.tensor.variables.variable import Variable


class Stepped(Optimizer):
    """Moves variables, and what is kept for them, by a kernel's formula."""

    kernel: str
    _further: tuple[Any, ...] = ()
    """What stands behind the rate in the kernel's arguments."""

    def _numbers(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Give the numbers that stand before the gradient in the kernel's arguments, and behind."""
        return (self._rate, *self._further), ()

    def _move(self, slope: Tensor, variable: Variable, kept: dict[str, Variable]) -> None:
        before, after = (
            [to_array(self._number(n, slope)) for n in numbers] for numbers in self._numbers()
        )
        moved = [variable, *(kept[name] for name in self._starts)]
        old = [value_of(part.read_value()) for part in moved]
        flags = (False,) if self.kernel.startswith("Ftrl") else ()
        new = STEPS[self.kernel].step(*old, *before, value_of(slope), *after, *flags)
        for part, value in zip(moved, new, strict=True):
            part.assign(value)


class AdadeltaOptimizer(Stepped):
    """Moves by gradients over the root of their mean square, times that of the moves before."""

    kernel = "Adadelta"

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.95,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._further = (rho, epsilon)
        self._starts = {"accum": 0.0, "accum_update": 0.0}


class FtrlOptimizer(Stepped):
    """Follows the regularized leader; raises `ValueError` for a number of the wrong sign."""

    def __init__(
        self,
        learning_rate: Any,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float | None = None,
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        for word, value in (
            ("initial_accumulator_value", initial_accumulator_value),
            ("l1_regularization_strength", l1_regularization_strength),
            ("l2_regularization_strength", l2_regularization_strength),
            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength),
        ):
            if value < 0.0:
                raise ValueError(f"{word} {value:f} needs to be positive or zero")
        if learning_rate_power > 0.0:
            raise ValueError(
                f"learning_rate_power {learning_rate_power:f} needs to be negative or zero"
            )
        self._strengths = (l1_regularization_strength, l2_regularization_strength)
        self._shrinkage, self._power = l2_shrinkage_regularization_strength, learning_rate_power
        self._beta = beta or 0.0
        self.kernel = "FtrlV2" if self._shrinkage > 0.0 else "Ftrl"
        self._starts = {"accum": initial_accumulator_value, "linear": 0.0}

    def _numbers(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        rate = self._rate() if callable(self._rate) else self._rate
        l1, l2 = self._strengths
        shrinkage = (self._shrinkage,) if self.kernel == "FtrlV2" else ()
        return (), (rate, l1, l2 + self._beta / (2.0 * rate), *shrinkage, self._power)


class ProximalGradientDescentOptimizer(Stepped):
    """Moves by the gradient times a rate, and then towards zero."""

    kernel = "ProximalGradientDescent"

    def __init__(
        self,
        learning_rate: Any,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._further = (l1_regularization_strength, l2_regularization_strength)


class ProximalAdagradOptimizer(Stepped):
    """Moves by gradients over the root of the sum of their squares, and then towards zero.

    Raises `ValueError` for a sum that does not begin above zero.
    """

    kernel = "ProximalAdagrad"

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(learning_rate, use_locking, name)
        self._further = (l1_regularization_strength, l2_regularization_strength)
        self._starts = {"accumulator": initial_accumulator_value}
