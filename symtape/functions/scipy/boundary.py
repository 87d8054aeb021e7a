"""`bvp`: a boundary value problem with its Jacobians, for `solve_bvp`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from symtape.calculus.terms.structure import Structured, structured
from symtape.calculus.terms.terms import Term, assembled
from symtape.errors import DerivativeError
from symtape.functions.scipy.packing import adapted, joined, real_array
from symtape.functions.tracing.arguments import Arguments, called, parameter_names
from symtape.functions.tracing.function import Function
from symtape.functions.tracing.memo import run
from symtape.functions.tracing.paths import Result
from symtape.functions.tracing.tracing import Traced
from symtape.functions.transforms import derivations
from symtape.functions.transforms.jacobians import Jacobian
from symtape.functions.transforms.pure import declared
from symtape.functions.transforms.values import Value
from symtape.nest.trees import LEAF, Tree
from symtape.program.program import Builder, Program
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


class PointwiseJacobian(Function):
    """The Jacobians of a function of columns, one for each: ∂f[i, k]/∂y[j, k] at [i, j, k].

    The second axis of the result and of the second argument is that of the points of a mesh. What
    happens at one point must not depend on another one; this is read from the formula.
    """

    def sources(self, arguments: Arguments) -> Collection[int]:
        """Number all leaves but the mesh."""
        return range(1, len(arguments.leaves))

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Derive the Jacobian by y, of which the diagonals along the mesh are kept, and by p."""
        (target,) = traced.results
        assert target is not None  # noqa: S101 - it was made a tensor
        sources = traced.arguments[1 : len(arguments.args)]
        program, found = derivations.jacobians(traced.program, target, sources)
        program, slopes = self._diagonals(structured(program, found[0], 2))
        tree = Tree(tuple, (), (LEAF,) * len(found))
        return Result(program, (slopes, *found[1:]), tree, (None,) * len(found))

    def _diagonals(self, found: Structured) -> tuple[Program, int]:
        (n, points), (m, _) = found.shape
        terms = []
        for term in found.terms:
            i, at, j, other = term.forms
            if at != other and points != 1:
                raise DerivativeError(
                    f"{self.title}: the function must treat each point of the mesh by itself, but "
                    "the slopes at one point depend on y at other points"
                )
            terms.append(Term((i, j, at), (), term.factors, term.number))
        b = Builder(found.program)
        made = assembled(b, terms, (n, m, points), found.sizes, found.dtype)
        return b.finish(), made


class BoundaryProblem:
    """A boundary value problem as `scipy.integrate.solve_bvp` takes it; see `bvp`."""

    def __init__(self, fun: Callable[..., Any], bc: Callable[..., Any]) -> None:
        self.title = "bvp"
        self._user = fun, bc
        inside, ends = adapted(fun, self._slopes), adapted(bc, self._conditions)
        self._fun, self._bc = Value(inside, "bvp"), Value(ends, "bvp")
        self._inside = PointwiseJacobian(inside, "bvp")
        self._ends = {n: Jacobian(ends, tuple(range(n)), "bvp", False) for n in (2, 3)}

    def __repr__(self) -> str:
        fun, bc = [called(f, parameter_names(f)) for f in self._user]
        return f"<{self.title} of {fun} and {bc}>"

    def __reduce__(self) -> Any:
        """Travel as the functions; what was traced is traced anew."""
        return type(self), self._user

    def fun(self, x: Any, y: Any, *p: Any) -> Any:
        """Give the slopes at all points: a row for each component, a column for each point."""
        return run(self._fun, *self._read(x, y, *p)).values[0]

    def fun_jac(self, x: Any, y: Any, *p: Any) -> Any:
        """Give ∂f/∂y of shape (n, n, points), and with parameters also ∂f/∂p, (n, k, points)."""
        slopes, *rest = run(self._inside, *self._read(x, y, *p)).values
        return (slopes, np.moveaxis(rest[0], 1, 2)) if rest else slopes

    def bc(self, ya: Any, yb: Any, *p: Any) -> Any:
        """Give what is zero at the ends, one vector."""
        return run(self._bc, *self._read(ya, yb, *p)).values[0]

    def bc_jac(self, ya: Any, yb: Any, *p: Any) -> tuple[Any, ...]:
        """Give the derivatives of `bc` by its arguments."""
        return tuple(run(self._ends[2 + len(p)], *self._read(ya, yb, *p)).values)

    def _read(self, *args: Any) -> list[Any]:
        return [real_array(self.title, arg) for arg in args]

    def _slopes(self, user: Callable[..., Any], x: Tensor, y: Tensor, *p: Any) -> Tensor:
        result = user(x, y, *p)
        made = convert(_rows(result, y) if isinstance(result, (list, tuple)) else result)
        if tuple(made.shape) != tuple(y.shape) or made.dtype.name != "float64":
            raise TypeError(
                f"{self.title}: the function must give slopes of the shape of y, "
                f"{tuple(y.shape)}, and dtype float64, but it gave {tuple(made.shape)} and "
                f"{made.dtype.name}"
            )
        return made

    def _conditions(self, user: Callable[..., Any], *args: Any) -> Tensor:
        return joined(self.title, user(*args))


def _rows(result: Sequence[Any], y: Tensor) -> list[Any]:
    """Let a row be one number for all points."""
    zero = y[0] * 0.0
    return [zero + row if isinstance(row, (int, float)) else row for row in result]


def bvp(fun: Callable[..., Any], bc: Callable[..., Any], *, pure: bool = False) -> BoundaryProblem:
    """Give a boundary value problem with its Jacobians, as SciPy's `solve_bvp` calls them.

    `solve_bvp(b.fun, b.bc, x, y, fun_jac=b.fun_jac, bc_jac=b.bc_jac)`. `fun(x, y)` or
    `fun(x, y, p)` gives the slopes at all points of the mesh, an array of the shape of `y` or a
    list of its rows; `bc(ya, yb)` or `bc(ya, yb, p)` what is zero at the ends.

    With `pure`, what it reads besides its arguments is taken to be constant; see `symtape.grad`.

    Raises `DerivativeError` for a function whose slopes at one point depend on another point,
    `TypeError` for slopes that have not the shape of `y`.

    >>> import numpy as np
    >>> b = bvp(lambda x, y: [y[1], -np.exp(y[0])], lambda ya, yb: [ya[0], yb[0]])
    >>> b.fun_jac(np.array([0.0, 1.0]), np.zeros((2, 2))).tolist()
    [[[0.0, 0.0], [1.0, 1.0]], [[-1.0, -1.0], [0.0, 0.0]]]
    >>> b.bc_jac(np.zeros(2), np.zeros(2))[1]
    array([[0., 0.],
           [1., 0.]])
    """
    return BoundaryProblem(declared(fun) if pure else fun, declared(bc) if pure else bc)
