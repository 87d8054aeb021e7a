"""The closed table of ATen operations: what each computes, in symtape's operations.

A rule is called with the step that it is for and the arguments of the operation, tensors beside
torch's in place of torch's. It gives the result, or a tuple of results; None is a result that is
read as torch computed it, and a function one that is computed only where somebody reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from symtape.frontends.torch_functions.dtypes import numpy_dtype, to_numpy
from symtape.tensor.tensor import Tensor

Rule = Callable[..., Any]
R = TypeVar("R", bound=Callable[..., Any])

RULES: dict[str, Rule] = {}
"""By the name of an operation, or of one overload: "add" or "max.dim"."""

WIDE: set[str] = set()
"""Operations that compute by factorizing matrices, which loses more than others."""

READ: set[str] = set()
"""Operations without a derivative whose results are read as torch computed them."""


class Step(NamedTuple):
    """One operation as torch ran it: its name, torch's results, and torch's arguments."""

    name: str
    results: Sequence[Any]
    arguments: Sequence[Any]
    write: Callable[[Any, Tensor], None]
    """Tells that a torch tensor was written into which the schema does not say it of."""
    depending: frozenset[int] = frozenset()
    """The ids of the values beside operands that are no constants."""

    def fixed(self, x: Any) -> bool:
        """Say whether an operand is a constant, which no input decides."""
        return id(x) not in self.depending

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the first result."""
        return tuple(self.results[0].shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the first result, as NumPy's."""
        return numpy_dtype(self.results[0].dtype)

    def result(self, k: int = 0) -> Any:
        """Give the values of a result of torch's."""
        return to_numpy(self.results[k])


def rule(*names: str, wide: bool = False) -> Callable[[R], R]:
    """Enter a rule for operations; `wide` says that torch has them with fewer digits.

    It factorizes matrices there, has constants in single precision, or fits functions.
    """

    def entered(function: R) -> R:
        for name in names:
            if name in RULES:
                raise ValueError(f"{name} has a rule already")
            RULES[name] = function
            if wide:
                WIDE.add(name)
        return function

    return entered


def table(functions: Mapping[str, Callable[..., Any]], prepared: Callable[..., Any]) -> None:
    """Enter functions of tensors as rules: of the operands that `prepared` makes of a step's."""

    def of(function: Callable[..., Any]) -> Rule:
        return lambda step, *operands: function(*prepared(step, *operands))

    for name, function in functions.items():
        rule(name)(of(function))


def read(*names: str) -> None:
    """Enter operations whose results are read: places that values decide, and random numbers."""
    for name in names:
        RULES[name] = _read
        READ.add(name)


def _read(step: Step, *_: Any, **__: Any) -> list[None]:
    return [None] * len(step.results)


def rule_of(name: str) -> tuple[str, Rule] | None:
    """Find the rule of an overload, "add.Tensor": its own, or that of its operation.

    What writes in place, or into `out`, computes what the operation computes that does not.
    """
    operation, _, overload = name.partition(".")
    plain = operation.removesuffix("_") if not operation.endswith("__") else operation
    for key in (f"{operation}.{overload}", operation, f"{plain}.{overload}", plain):
        if key in RULES:
            return key, RULES[key]
    return None
