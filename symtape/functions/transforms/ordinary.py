"""`derivative`: the n-th derivative of a function of one number."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from symtape.calculus.derive import connected
from symtape.functions.tracing.arguments import Arguments, array_of, by_arguments
from symtape.functions.tracing.function import Function
from symtape.functions.tracing.paths import Result
from symtape.functions.tracing.tracing import Traced
from symtape.functions.transforms import derivations
from symtape.functions.transforms.pure import declared
from symtape.program.operations import AddN, Cast, Map
from symtape.program.program import Program
from symtape.tensor.convert import stack
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


class _NotElementwiseError(Exception):
    """The function does with an array something else than with each of its numbers."""


class Derivative(Function):
    """The n-th derivative by the first argument; see `derivative`."""

    def __init__(self, function: Callable[..., Any], order: int) -> None:
        if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order < 0:
            raise ValueError(f"derivative: the order is a whole number from 0 on, not {order!r}")
        self.order = int(order)
        super().__init__(function, "derivative")

    @property
    def which(self) -> str:
        """Of which order it is, by what."""
        order = f" of order {self.order}" if self.order != 1 else ""
        return f"{order} {by_arguments((0,), self.names)}"

    @property
    def transform(self) -> tuple[Any, ...]:
        """Ask for the order."""
        return type(self), self.order

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Compute at one number, or at each number of an array."""
        if not args:
            given = Arguments(self.names, args, kwargs)
            args, kwargs = given.args, given.kwargs
        value = array_of(args[0]) if args else None
        if value is None or not value.ndim:
            return super().__call__(*args, **kwargs)
        try:
            return super().__call__(*args, **kwargs)
        except Exception:  # noqa: BLE001 - what is wrong with one number, that number will tell
            return self._each(*args, **kwargs)

    def _each(self, x: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Compute number by number."""
        if isinstance(x, Variable):
            x = x.read()
        if not len(x):
            shape = self(np.ones((), array_of(x).dtype)[()], *args, **kwargs).shape
            return np.zeros(array_of(x).shape + tuple(shape), array_of(x).dtype)
        found = [self(part, *args, **kwargs) for part in x]
        return stack(found) if isinstance(found[0], Tensor) else np.stack(found)

    def sources(self, arguments: Arguments) -> Collection[int]:
        """Number the leaves of the first argument."""
        return range(*arguments.spans[0])

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Differentiate again and again."""
        tree = arguments.tree_of(0, self.title)
        if tree.type is not None:
            raise TypeError(
                f"{self.title}: the first argument is one number, not {arguments.args[0]!r:.60}"
            )
        (source,) = traced.arguments[:1]
        program = traced.program
        if program.dtypes[source].kind == "c":
            raise TypeError(f"{self.title}: a derivative by a complex number; use grad or jacobian")
        targets = traced.targets(self.title)
        if program.shapes[source] != ():
            _check_elementwise(program, targets, source)
        for _ in range(self.order):
            program, targets = self._next(program, targets, source)
        rows = (None,) * len(targets)
        return Result(program, tuple(targets), traced.tree, rows)

    @staticmethod
    def _next(program: Program, targets: Sequence[int], source: int) -> tuple[Program, list[int]]:
        found = []
        for target in targets:
            if program.shapes[target] == program.shapes[source]:
                program, slopes = derivations.gradients(program, [target], [source])
            else:
                program, slopes = derivations.jacobians(program, target, [source])
            found += slopes
        return program, found


def _check_elementwise(program: Program, targets: Sequence[int], source: int) -> None:
    """Refuse what moves, mixes or joins elements; then the gradient of the sum has each slope."""
    shape = program.shapes[source]
    reached = [False] * len(program)
    reached[source] = True
    needed = connected(program, targets, [source])
    for p, (operation, *operands) in enumerate(program.steps):
        if any(reached[i] for i in operands):
            reached[p] = True
            own = [program.shapes[i] in ((), shape) and (reached[i] or program.shapes[i] == ())
                   for i in operands]  # fmt: skip
            if not (isinstance(operation, (Map, AddN, Cast)) and all(own)):
                raise _NotElementwiseError
    if program.guards or any(program.shapes[t] != shape or not needed[t] for t in targets):
        raise _NotElementwiseError


def derivative(f: Callable[..., Any], n: int = 1, *, pure: bool = False) -> Function:
    """Give the n-th derivative of a function of one real number, as a function.

    It is the derivative by the first argument; further ones are passed on. The function may give a
    number, an array (a curve), or a structure of them. Of an array of numbers, the derivative at
    each of them is given, with the shape of the array in front. Python's floats are float64. The
    order 0 is the function itself.

    With `pure`, what it reads besides its arguments is taken to be constant; see `symtape.grad`.

    Raises `TypeError` for integers and complex numbers, `ValueError` for a negative order.

    >>> import numpy as np
    >>> derivative(np.sin)(0.0)
    np.float64(1.0)
    >>> derivative(lambda x: x ** 4, 3)(np.array([1.0, 2.0]))
    array([24., 48.])
    >>> derivative(lambda x: x ** 4, 3).formula(1.0).expr
    24*x
    """
    return Derivative(declared(f) if pure else f, n)
