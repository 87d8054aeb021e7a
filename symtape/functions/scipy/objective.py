"""`objective`: a scalar function with its derivatives, as SciPy's minimizers call them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from symtape.functions.scipy.packing import joined_arrays, of_vector, one_number
from symtape.functions.scipy.parameters import Parametrized
from symtape.functions.tracing.memo import Point, run
from symtape.functions.tracing.paths import Run
from symtape.functions.transforms.coordinates import SparseHessian
from symtape.functions.transforms.gradients import Gradient
from symtape.functions.transforms.jacobians import Hessian
from symtape.functions.transforms.pure import declared
from symtape.functions.transforms.values import Curvatures, ScalarValue


class _Shared(NamedTuple):
    """What a call computed besides what it gave; each is handed out once."""

    point: Point
    value: Any
    slope: Any


class Objective(Parametrized):
    """A scalar function as `scipy.optimize.minimize` takes it; see `objective`."""

    def __init__(self, fun: Callable[..., Any], params: Any, *, sparse: bool) -> None:
        super().__init__("objective", fun, params, sparse=sparse)
        scalar = one_number(fun)
        self._value = ScalarValue(scalar, self.title)
        self._both = Gradient(scalar, 0, self.title, False, with_value=True, has_aux=False)
        whole = of_vector(scalar, self.packing)
        kind: Any = SparseHessian if sparse else Hessian
        self._second = kind(whole, 0, self.title, False)
        self._curvatures = Curvatures(whole, self.title)
        self._shared: _Shared | None = None
        self._wants_slope = False
        self._kept: tuple[Point, Run] | None = None

    def __call__(self, x: Any, *args: Any) -> tuple[Any, Any]:
        """Give the value and the gradient, as `minimize(..., jac=True)` expects."""
        value, slope, _ = self._compute(self.read(x), args)
        return value, slope

    def fun(self, x: Any, *args: Any) -> Any:
        """Give the value; where gradients were wanted so far, that of this point is kept."""
        vector, shared = self.read(x), self._shared
        if shared is not None:
            if shared.value is not None and shared.point.holds(vector, args):
                self._shared = None
                return shared.value
            if shared.slope is not None:  # nobody asked for the last one
                self._wants_slope = False
        self._shared = None
        if not self._wants_slope:
            found = run(self._value, self.split(vector), *args)
            return np.float64(found.values[0])
        value, slope, found = self._compute(vector, args)
        self._shared = _Shared(Point(vector, args, found), None, slope)
        return value

    def jac(self, x: Any, *args: Any) -> Any:
        """Give the gradient, of the shape of `x`."""
        vector, shared = self.read(x), self._shared
        self._wants_slope = True
        if shared is not None and shared.slope is not None and shared.point.holds(vector, args):
            self._shared = None
            return shared.slope
        value, slope, found = self._compute(vector, args)
        self._shared = _Shared(Point(vector, args, found), value, None)
        return slope

    def hess(self, x: Any, *args: Any) -> Any:
        """Give the Hessian: an array, or a SciPy array in CSR format if it is `sparse`."""
        found = run(self._second, self.read(x), *args)
        return self._second.packed(found.path, found.values)

    def hessp(self, x: Any, p: Any, *args: Any) -> Any:
        """Give the product of the Hessian with a direction; no Hessian is formed.

        What does not depend on the direction is computed once for each point.
        """
        vector, direction = self.read(x), self.read(p)
        if direction.shape != vector.shape:
            raise ValueError(
                f"{self.title}: the direction has shape {direction.shape}, but x {vector.shape}"
            )
        kept = self._kept
        if kept is None or not kept[0].holds(vector, args):
            found = run(self._curvatures, vector, *args)
            self._kept = kept = (Point(vector, args, found), found)
        return self._curvatures.times(kept[1], direction)

    def _compute(self, vector: Any, args: tuple[Any, ...]) -> tuple[Any, Any, Run]:
        found = run(self._both, self.split(vector), *args)
        value, *slopes = found.values
        slope = slopes[0] if self.packing is None else joined_arrays(slopes)
        return np.float64(value), slope, found

    # --- what is run ------------------------------------------------------------------------------

    def source(self, x: Any, *args: Any) -> str:
        """Write the code that computes value and gradient for arguments like these."""
        return self._both.source(self.split(self.read(x)), *args)

    def formula(self, x: Any, *args: Any) -> tuple[Any, Any]:
        """Give value and gradient as tensors with all readings: `expr`, `latex()`, …"""
        found: tuple[Any, Any] = self._both.formula(self.split(self.read(x)), *args)
        return found


def objective(
    fun: Callable[..., Any], params: Any = None, *, sparse: bool = False, pure: bool = False
) -> Objective:
    """Give a scalar function with its derivatives, as SciPy's minimizers call them.

    `obj.fun(x, *args)`, `obj.jac`, `obj.hess` and `obj.hessp(x, p, *args)` are what
    `scipy.optimize.minimize` calls them, and `obj(x, *args)` is the pair of value and gradient that
    `jac=True` stands for. They take and give float64. Value and gradient of a point are computed in
    one call where both are wanted; points are told apart by their elements.

    With `params`, a structure of floating arrays and numbers (lists, tuples, dicts, dataclasses),
    `fun` is called with such a structure, and the optimizer sees one vector: `obj.x0` is that of
    `params`, `obj.pack(params)` and `obj.unpack(x)` go from one to the other. The function computes
    in the dtypes that the leaves have, float32 say.

    With `sparse`, `obj.hess` is a SciPy array in CSR format, computed without the dense one. With
    `pure`, what `fun` reads besides its arguments is taken to be constant; see `symtape.grad`.

    Raises `TypeError` for a function that gives no real floating scalar (`symtape.residuals` takes
    those that give vectors), for complex points and parameters, `ValueError` for a vector of
    another size than the parameters.

    >>> import numpy as np
    >>> obj = objective(lambda x: np.sum((x - 1.0) ** 4))
    >>> obj.fun([2.0, 3.0]), obj.jac([2.0, 3.0])
    (np.float64(17.0), array([ 4., 32.]))
    >>> obj.hessp([2.0, 3.0], [1.0, 1.0])
    array([12., 48.])
    >>> fit = objective(lambda p: (p["a"] - 2.0) ** 2 + np.sum(p["b"]), {"a": 0.0, "b": np.ones(2)})
    >>> fit.jac(fit.x0), fit.unpack([2.0, 3.0, 4.0])
    (array([-4.,  1.,  1.]), {'a': np.float64(2.0), 'b': array([3., 4.])})
    """
    return Objective(declared(fun) if pure else fun, params, sparse=sparse)
