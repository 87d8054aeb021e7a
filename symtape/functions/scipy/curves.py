"""`curve`: a model function with its Jacobian by the parameters, for `curve_fit`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.functions.scipy.packing import adapted, joined
from symtape.functions.tracing.arguments import called, parameter_names
from symtape.functions.tracing.memo import run
from symtape.functions.transforms.jacobians import Jacobian
from symtape.functions.transforms.pure import declared
from symtape.functions.transforms.values import Value
from symtape.signatures import read_signature
from symtape.tensor.tensor import Tensor


class Curve:
    """A model function as `scipy.optimize.curve_fit` takes it; see `curve`."""

    def __init__(self, fun: Callable[..., Any]) -> None:
        self.title = "curve"
        self._user = fun
        self._whole = adapted(fun, self._traced)
        self._value = Value(self._whole, self.title)
        self._jacobians: dict[int, Jacobian] = {}
        self.fun = self._with_signature(self._fun, "fun")
        self.jac = self._with_signature(self._jac, "jac")

    def __call__(self, x: Any, *params: Any) -> Any:
        """Give the model at all points, as `fun` does."""
        return self._fun(x, *params)

    def __repr__(self) -> str:
        return f"<{self.title} of {called(self._user, parameter_names(self._user))}>"

    def __reduce__(self) -> Any:
        """Travel as the model; what was traced is traced anew."""
        return type(self), (self._user,)

    def _with_signature(self, method: Callable[..., Any], name: str) -> Callable[..., Any]:
        """Show the parameters of the model, which `curve_fit` counts."""

        def shown(x: Any, *params: Any) -> Any:
            return method(x, *params)

        shown.__name__, shown.__doc__ = name, method.__doc__
        with contextlib.suppress(TypeError, ValueError):
            self.__signature__ = read_signature(self._user)
            vars(shown)["__signature__"] = self.__signature__
        return shown

    def _traced(self, user: Callable[..., Any], *args: Any) -> Tensor:
        return joined(self.title, user(*args))

    def _fun(self, x: Any, *params: Any) -> Any:
        """Give the model at all points, one vector."""
        return run(self._value, _data(x), *self._numbers(params)).values[0]

    def _jac(self, x: Any, *params: Any) -> Any:
        """Give the derivatives by the parameters: a row for each point."""
        count = len(params)
        jacobian = self._jacobians.get(count)
        if jacobian is None:
            numbers = tuple(range(1, count + 1))
            jacobian = self._jacobians[count] = Jacobian(self._whole, numbers, self.title, False)
        columns = run(jacobian, _data(x), *self._numbers(params)).values
        made = np.empty((len(columns[0]), count))
        for k, column in enumerate(columns):
            made[:, k] = column
        return made

    def _numbers(self, params: tuple[Any, ...]) -> list[Any]:
        if not params:
            raise ValueError(f"{self.title}: a model is called with x and at least one parameter")
        if any(np.ndim(p) or np.iscomplexobj(p) for p in params):
            raise TypeError(f"{self.title}: the parameters are real numbers, not {params!r:.80}")
        return [np.float64(p) for p in params]


def _data(x: Any) -> Any:
    """Read whole numbers as floating ones; anything else is the model's own business."""
    if isinstance(x, (list, int)):
        x = np.asarray(x)
    is_whole = isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "iu"
    return x.astype(np.float64) if is_whole else x


def curve(fun: Callable[..., Any], *, pure: bool = False) -> Curve:
    """Give a model `fun(x, *params)` with its Jacobian, as SciPy's `curve_fit` calls them.

    `curve_fit(c.fun, xdata, ydata, p0, jac=c.jac)`. The parameters are numbers; `c.jac` has a row
    for each element of the model's result and a column for each parameter.

    With `pure`, what it reads besides its arguments is taken to be constant; see `symtape.grad`.

    When they are called, they raise `TypeError` for parameters that are no real numbers, and
    `ValueError` where there are none.

    >>> import numpy as np
    >>> c = curve(lambda x, a, b: a * np.exp(-b * x))
    >>> c.fun([0, 1], 2.0, 0.0), c.jac([0, 1], 2.0, 0.0)
    (array([2., 2.]), array([[ 1., -0.],
           [ 1., -2.]]))
    """
    return Curve(declared(fun) if pure else fun)
