"""What a formula in index notation is at some indices, computed by nothing but arithmetic.

SymPy's own `doit` may take a condition out of the scope of its index; so sums are loops here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np
import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.forms.factors import Factor
from symtape.forms.index.brackets import Iverson

Values = Mapping[str, Any]
"""The arrays of the leaves, by their names."""

At = Mapping[Any, int]
"""The numbers that the indices are."""


def number(e: Any, values: Values, at: At) -> Any:
    """Compute an expression."""
    joins = isinstance(e, (sp.Add, sp.floor, sp.Mod))
    if joins and e.free_symbols and e.free_symbols <= at.keys() and _of_indices(e):
        return float(e.xreplace({k: sp.Integer(n) for k, n in at.items()}))  # 7/3 - 1/3 is 2
    rule = RULES.get(sp.Tuple if isinstance(e, sp.Tuple) else type(e))
    if rule is not None:
        return rule(e, values, at)
    if isinstance(e, sp.Symbol):
        return at[e] if e in at else values[e.name][()].item()
    if not e.args:
        return complex(e) if e.is_extended_real is False else float(e) if e.is_number else bool(e)
    inner = [sp.sympify(number(a, values, at)) for a in e.args]
    found = e.func(*inner)
    if found in (sp.true, sp.false):
        return bool(found)
    found = sp.N(found, 17)
    return complex(found) if complex(found).imag else float(sp.re(found))


def _of_indices(e: Any) -> bool:
    return not e.has(*(kind for kind in RULES if kind not in (sp.Add, sp.Mul)))


def _indexed(e: Any, values: Values, at: At) -> Any:
    place = tuple(round(complex(number(i, values, at)).real) for i in e.indices)
    return values[str(e.base)][place].item()


def _joined(join: Callable[[Any], Any]) -> Callable[..., Any]:
    def compute(e: Any, values: Values, at: At) -> Any:
        def over(limits: tuple[Any, ...], inner: At) -> Any:
            if not limits:
                return [number(e.function, values, inner)]
            k, *ends = limits[-1]
            first, last = [round(complex(number(end, values, inner)).real) for end in ends]
            lines = [over(limits[:-1], {**inner, k: i}) for i in range(first, last + 1)]
            return list(itertools.chain(*lines))

        return join(over(tuple(e.limits), at))

    return compute


def _cases(e: Any, values: Values, at: At) -> Any:
    for value, condition in e.args:
        if holds(condition, values, at):
            return number(value, values, at)
    return np.nan


def holds(e: Any, values: Values, at: At) -> bool:
    """Decide a condition."""
    if isinstance(e, sp.And):
        return all(holds(a, values, at) for a in e.args)
    if isinstance(e, sp.Or):
        return any(holds(a, values, at) for a in e.args)
    if isinstance(e, sp.ITE):
        return holds(e.args[1 if holds(e.args[0], values, at) else 2], values, at)
    if isinstance(e, sp.Not):
        return not holds(e.args[0], values, at)
    if isinstance(e, sp.core.relational.Relational):
        a, b = [complex(number(side, values, at)) for side in e.args]
        near = bool(np.isclose(a, b, rtol=1e-14, atol=0))  # a tie of t and 2t/2 is one
        compared = {sp.Eq: near, sp.Ne: not near}
        real = {
            sp.StrictGreaterThan: a.real > b.real,
            sp.GreaterThan: a.real >= b.real,
            sp.StrictLessThan: a.real < b.real,
            sp.LessThan: a.real <= b.real,
        }
        return bool((compared | real)[type(e)])
    return bool(number(e, values, at))


def _delta(e: Any, values: Values, at: At) -> Any:
    a, b = [complex(number(side, values, at)) for side in e.args[:2]]
    return float(a == b)


def _matrix(m: Any, values: Values, at: At) -> Any:
    """Compute a matrix."""
    if isinstance(m, sp.MatrixSymbol):
        own = values[m.name]
        if isinstance(own, np.ndarray):
            return own
        rows, columns = [round(number(n, values, at)) for n in m.shape]
        return np.array([[own[i, j] for j in range(columns)] for i in range(rows)])
    if isinstance(m, (sp.Inverse, sp.Pow, sp.MatPow)):
        return np.linalg.matrix_power(_matrix(m.args[0], values, at), int(m.args[1]))
    if isinstance(m, Factor):
        found = FACTORS[m.name](_matrix(m.of, values, at))
        return found.reshape(len(found), -1)  # eigenvalues are a column
    if isinstance(m, sp.Transpose):
        return _matrix(m.args[0], values, at).T
    if isinstance(m, sp.Adjoint):
        return _matrix(m.args[0], values, at).conj().T
    if isinstance(m, sp.Identity):
        return np.eye(round(number(m.shape[0], values, at)))
    if isinstance(m, sp.DiagMatrix):
        return np.diag(np.ravel(_matrix(m.args[0], values, at)))
    if isinstance(m, sp.MatAdd):
        return sum(_matrix(a, values, at) for a in m.args)
    if isinstance(m, sp.MatMul):
        compute = [_matrix if a.is_Matrix else number for a in m.args]
        factors = [f(a, values, at) for f, a in zip(compute, m.args, strict=True)]
        return reduce(lambda a, b: a @ b if np.ndim(a) and np.ndim(b) else a * b, factors)
    flat = [number(e, values, at) for e in m.as_explicit()]
    return np.array(flat).reshape(m.shape)


def _product(e: Any, values: Values, at: At) -> Any:
    """Multiply; where a bracket or a delta is zero, what stands beside it need not be defined."""
    deciding = [a for a in e.args if isinstance(a, (Iverson, sp.KroneckerDelta))]
    if any(number(a, values, at) == 0 for a in deciding):
        return 0.0
    return np.prod([number(a, values, at) for a in e.args])


def _element(e: Any, values: Values, at: At) -> Any:
    i, j = [round(complex(number(k, values, at)).real) for k in e.args[1:]]
    return _matrix(e.args[0], values, at)[i, j]


FACTORS: dict[str, Callable[[Any], Any]] = {
    "chol": np.linalg.cholesky,
    "eigvals": np.linalg.eigvalsh,
    "eigvecs": lambda a: np.linalg.eigh(a)[1],
    "svd_values": lambda a: np.linalg.svd(a)[1],
    "svd_left": lambda a: np.linalg.svd(a, full_matrices=False)[0],
    "svd_right": lambda a: np.linalg.svd(a, full_matrices=False)[2].T,
    "qr_orthogonal": lambda a: np.linalg.qr(a)[0],
    "qr_triangular": lambda a: np.linalg.qr(a)[1],
}
"""What a named factor of a matrix is."""

RULES: dict[Any, Callable[[Any, Values, At], Any]] = {
    sp.Indexed: _indexed,
    sp.Sum: _joined(np.sum),
    sp.Product: _joined(np.prod),
    sp.Piecewise: _cases,
    Iverson: lambda e, values, at: float(holds(e.args[0], values, at)),
    sp.KroneckerDelta: _delta,
    MatrixElement: _element,
    sp.Determinant: lambda e, values, at: np.linalg.det(_matrix(e.args[0], values, at)),
    sp.Add: lambda e, values, at: sum(number(a, values, at) for a in e.args),
    sp.Mul: _product,
    sp.Max: lambda e, values, at: max(number(a, values, at) for a in e.args),
    sp.Min: lambda e, values, at: min(number(a, values, at) for a in e.args),
    sp.ITE: holds,
    sp.Tuple: lambda e, values, at: sp.Tuple(*[number(a, values, at) for a in e.args]),
}
