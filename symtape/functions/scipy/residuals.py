"""`residuals`: a vector function with its Jacobian, for least squares, roots and constraints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.functions.scipy.packing import adapted, joined, real_array
from symtape.functions.scipy.parameters import Parametrized
from symtape.functions.tracing.memo import run
from symtape.functions.transforms.coordinates import SparseHessian, SparseJacobian
from symtape.functions.transforms.jacobians import Hessian, Jacobian
from symtape.functions.transforms.pure import declared
from symtape.functions.transforms.values import Value
from symtape.program.operations import Einsum
from symtape.tensor.dispatch import apply2
from symtape.tensor.tensor import Tensor

_DOT = Einsum.of([[0], [0]], [])


class VectorFunction(Parametrized):
    """A function of one vector, at some place among its arguments, that gives one vector."""

    def __init__(
        self, title: str, fun: Callable[..., Any], params: Any, place: int, *, sparse: bool
    ) -> None:
        super().__init__(title, fun, params, sparse=sparse)
        self._place = place
        whole = adapted(fun, self._traced)
        self._value = Value(whole, title)
        kind: Any = SparseJacobian if sparse else Jacobian
        self._first = kind(whole, place, title, False)
        self._pattern = SparseJacobian(whole, place, title, False)

    def _traced(self, user: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Tensor:
        """Run the function on tensors, and join what it gives."""
        if self.packing is not None:
            k = self._place
            args = (*args[:k], self.packing.unpacked(args[k]), *args[k + 1 :])
        return joined(self.title, user(*args, **kwargs))

    def _values(self, /, *args: Any, **kwargs: Any) -> Any:
        return run(self._value, *args, **kwargs).values[0]

    def _jacobian(self, /, *args: Any, **kwargs: Any) -> Any:
        found = run(self._first, *args, **kwargs)
        matrix = self._first.packed(found.path, found.values)
        size = np.size(args[self._place])
        return matrix if self.is_sparse else matrix.reshape(len(matrix), size)

    def _places(self, /, *args: Any, **kwargs: Any) -> Any:
        return run(self._pattern, *args, **kwargs).path.result.back.matrix_of_places()


class Residuals(VectorFunction):
    """A vector function as `scipy.optimize.least_squares` takes it; see `residuals`."""

    def __init__(self, fun: Callable[..., Any], params: Any, *, sparse: bool) -> None:
        super().__init__("residuals", fun, params, 0, sparse=sparse)
        kind: Any = SparseHessian if sparse else Hessian
        self._second = kind(adapted(fun, self._weighted), 0, self.title, False)

    def __call__(self, x: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        """Give the residuals and the Jacobian, as `root(..., jac=True)` expects."""
        return self.fun(x, *args, **kwargs), self.jac(x, *args, **kwargs)

    def fun(self, x: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Give the residuals, one after another."""
        return self._values(self.read(x), *args, **kwargs)

    def jac(self, x: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Give the Jacobian, a row for each residual: an array, or CSR if it is `sparse`."""
        return self._jacobian(self.read(x), *args, **kwargs)

    def hess(self, x: Any, v: Any, *args: Any) -> Any:
        """Give Σ vᵢ ∇²fᵢ(x), as `scipy.optimize.NonlinearConstraint` expects."""
        found = run(self._second, self.read(x), real_array(self.title, v), *args)
        return self._second.packed(found.path, found.values)

    def sparsity(self, x: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Give the pattern of the Jacobian: a SciPy array of booleans in CSR format."""
        return self._places(self.read(x), *args, **kwargs)

    def _weighted(self, user: Callable[..., Any], x: Tensor, v: Tensor, *args: Any) -> Tensor:
        values = self._traced(user, x, *args)
        if v.shape != values.shape:
            raise ValueError(
                f"{self.title}: hess(x, v) takes a weight for each of the {values.shape[0]} "
                f"results, but v has shape {tuple(v.shape)}"
            )
        return apply2(_DOT, v, values)


def residuals(
    fun: Callable[..., Any], params: Any = None, *, sparse: bool = False, pure: bool = False
) -> Residuals:
    """Give a vector function with its derivatives, as SciPy's solvers call them.

    For `least_squares(r.fun, x0, jac=r.jac)`, `root(r.fun, x0, jac=r.jac)`,
    `fsolve(r.fun, x0, fprime=r.jac)`, and as a constraint
    `NonlinearConstraint(r.fun, lower, upper, jac=r.jac, hess=r.hess)`. `fun` may give numbers,
    arrays and structures of them; its results are joined to one vector, row by row. With `params`
    it takes a structure of parameters, see `symtape.objective`.

    With `sparse`, Jacobians and Hessians are SciPy arrays in CSR format, computed without the dense
    ones. `r.sparsity(x)` is the pattern for `jac_sparsity=` in any case.

    With `pure`, what it reads besides its arguments is taken to be constant; see `symtape.grad`.

    Raises `TypeError` for complex and other results that are no real numbers.

    >>> r = residuals(lambda x: [10.0 * (x[1] - x[0] ** 2), 1.0 - x[0]])
    >>> r.fun([-1.2, 1.0])
    array([-4.4,  2.2])
    >>> r.jac([-1.2, 1.0])
    array([[24., 10.],
           [-1.,  0.]])
    >>> r.hess([-1.2, 1.0], [1.0, 0.0])
    array([[-20.,   0.],
           [  0.,   0.]])
    """
    return Residuals(declared(fun) if pure else fun, params, sparse=sparse)
