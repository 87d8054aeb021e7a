"""`ode`: the right-hand side of a differential equation with its Jacobian, for `solve_ivp`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.functions.scipy.residuals import VectorFunction
from symtape.functions.transforms.pure import declared


class Ode(VectorFunction):
    """A right-hand side as `scipy.integrate.solve_ivp` takes it; see `ode`."""

    def __init__(self, fun: Callable[..., Any], state: Any, *, sparse: bool) -> None:
        super().__init__("ode", fun, state, 1, sparse=sparse)

    @property
    def y0(self) -> Any:
        """The vector of the state that was given."""
        return self.x0

    def fun(self, t: Any, y: Any, *args: Any) -> Any:
        """Give the slopes of the state."""
        vector = self._read(y)
        slopes = self._values(float(t), vector, *args)
        self._check(len(slopes), vector)
        return slopes

    def _check(self, count: int, vector: Any) -> None:
        if count != len(vector):
            raise ValueError(
                f"{self.title}: the state has {len(vector)} elements, but the function gave "
                f"{count} slopes"
            )

    def jac(self, t: Any, y: Any, *args: Any) -> Any:
        """Give the Jacobian by the state: an array, or a SciPy array in CSR if it is `sparse`."""
        vector = self._read(y)
        found = self._jacobian(float(t), vector, *args)
        self._check(found.shape[0], vector)
        return found

    def sparsity(self, t: Any, y: Any, *args: Any) -> Any:
        """Give the pattern of the Jacobian: a SciPy array of booleans in CSR format."""
        return self._places(float(t), self._read(y), *args)

    def _read(self, y: Any) -> Any:
        vector = self.read(y)
        if np.ndim(vector) != 1:
            raise ValueError(
                f"{self.title}: the state is one vector, but y has shape {np.shape(y)}; leave "
                "vectorized=False"
            )
        return vector


def ode(
    fun: Callable[..., Any], state: Any = None, *, sparse: bool = False, pure: bool = False
) -> Ode:
    """Give a right-hand side `fun(t, y, *args)` with its Jacobian, as SciPy's `solve_ivp` wants it.

    `solve_ivp(o.fun, span, y0, method="BDF", jac=o.jac)`, likewise `Radau` and `LSODA`. `fun` may
    give an array, or a list with a slope for each element of the state. With `state`, a structure
    of floating arrays and numbers, it takes such a structure and gives the slopes in the same
    order; `o.y0` is its vector, `o.pack` and `o.unpack` go from one to the other.

    With `sparse`, `o.jac` is a SciPy array in CSR format, computed without the dense one, which
    `BDF` and `Radau` factorize as such. `o.sparsity(t, y)` is the pattern.

    With `pure`, what it reads besides its arguments is taken to be constant; see `symtape.grad`.

    Raises `TypeError` for complex states, `ValueError` where there are not as many slopes as
    elements of the state.

    >>> o = ode(lambda t, y: [y[1], 10.0 * (1 - y[0] ** 2) * y[1] - y[0]])
    >>> o.fun(0.0, [2.0, 0.0])
    array([ 0., -2.])
    >>> o.jac(0.0, [2.0, 0.0])
    array([[  0.,   1.],
           [ -1., -30.]])
    """
    return Ode(declared(fun) if pure else fun, state, sparse=sparse)
