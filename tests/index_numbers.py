"""What a formula in index notation is at some indices, by nothing but arithmetic of 50 digits.

SymPy's own `doit` may take a condition out of the scope of its index; so sums are loops here.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache, partial, reduce
from typing import Any

import mpmath as mp
import numpy as np
import sympy as sp
from sympy.core.relational import Relational
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.errors import NoExactFormError, SymtapeError
from symtape.exact import digits as exact
from symtape.forms.factors import Factor
from symtape.forms.index.brackets import Iverson
from tests.matrix_numbers import CLOSE, DIGITS, NAMES, quietly_divided, reads_exactly

Values = Mapping[str, Any]
"""The arrays of the leaves, by their names."""

At = Mapping[Any, int]
"""The numbers that the indices are."""


def number(e: Any, values: Values, at: At) -> Any:
    """Compute an expression: a number of mpmath's, or a truth value."""
    with mp.workdps(DIGITS + 10), quietly_divided():
        return _number(e, values, at)


def _number(e: Any, values: Values, at: At) -> Any:
    joins = isinstance(e, (sp.Add, sp.floor, sp.Mod))
    if joins and _of_indices(e) and e.free_symbols and e.free_symbols <= at.keys():
        return _plain(e.xreplace({k: sp.Integer(n) for k, n in at.items()}))  # 7/3 - 1/3 is 2
    rule = RULES.get(sp.Tuple if isinstance(e, sp.Tuple) else type(e))
    if rule is not None:
        return rule(e, values, at)
    if isinstance(e, (Relational, sp.And, sp.Or, sp.Not)):
        return holds(e, values, at)
    if isinstance(e, sp.Symbol):
        return _leaf(at[e] if e in at else values[e.name][()])
    if not e.args:
        return _plain(e)
    inner = [sp.sympify(_number(a, values, at)) for a in e.args]
    return _plain(e.func(*inner))


def _leaf(value: Any) -> Any:
    """Take an element of an array without loss."""
    value = value.item() if isinstance(value, (np.ndarray, np.generic)) else value
    kinds = {bool: bool, int: mp.mpf, float: mp.mpf, complex: mp.mpc}
    return kinds[type(value)](value) if type(value) in kinds else value


def _plain(e: Any) -> Any:
    """Take a number of SymPy's; a decimal is the float that it was written for."""
    if isinstance(e, bool) or e in (sp.true, sp.false):
        return bool(e)
    if isinstance(e, sp.Float) and e._prec == 53:
        return mp.mpf(float(e))
    if e in (sp.zoo, sp.nan):
        return mp.nan
    parts = [mp.mpf(part._to_mpmath(mp.mp.prec)) for part in sp.N(e, mp.mp.dps).as_real_imag()]
    return mp.mpc(*parts) if parts[1] else parts[0]


def _of_indices(e: Any) -> bool:
    return not e.has(*(kind for kind in RULES if kind not in (sp.Add, sp.Mul)))


def _indexed(e: Any, values: Values, at: At) -> Any:
    place = tuple(round(_number(i, values, at)) for i in e.indices)
    if min(place, default=0) < 0:
        raise IndexError(f"{e} has no place {place}")
    return _leaf(values[str(e.base)][place])


def _joined(join: Callable[[Any], Any]) -> Callable[..., Any]:
    def compute(e: Any, values: Values, at: At) -> Any:
        def over(limits: tuple[Any, ...], inner: At) -> Any:
            if not limits:
                return [_number(e.function, values, inner)]
            k, *ends = limits[-1]
            first, last = [round(_number(end, values, inner)) for end in ends]
            lines = [over(limits[:-1], {**inner, k: i}) for i in range(first, last + 1)]
            return list(itertools.chain(*lines))

        return join(over(tuple(e.limits), at))

    return compute


def _cases(e: Any, values: Values, at: At) -> Any:
    """Take the first case that holds; one that a delta makes zero needs no condition."""
    for value, condition in e.args:
        deltas = [a for a in sp.Mul.make_args(value) if isinstance(a, sp.KroneckerDelta)]
        if any(_number(a, values, at) == 0 for a in deltas) and e.args[-1].expr == 0:
            return mp.mpf(0)
        if holds(condition, values, at):
            return _number(value, values, at)
    return mp.nan


def holds(e: Any, values: Values, at: At) -> bool:
    """Decide a condition."""
    if isinstance(e, sp.And):
        return not _one_is(False, [partial(holds, a, values, at) for a in e.args])
    if isinstance(e, sp.Or):
        return _one_is(True, [partial(holds, a, values, at) for a in e.args])
    if isinstance(e, sp.ITE):
        return holds(e.args[1 if holds(e.args[0], values, at) else 2], values, at)
    if isinstance(e, sp.Not):
        return not holds(e.args[0], values, at)
    if isinstance(e, Relational):
        a, b = [_number(side, values, at) for side in e.args]
        near = a == b or abs(a - b) <= 1e-14 * abs(b)  # a tie of t and 2t/2 is one
        compared = {sp.Eq: near, sp.Ne: not near}
        real = {
            sp.StrictGreaterThan: a.real > b.real,
            sp.GreaterThan: a.real >= b.real,
            sp.StrictLessThan: a.real < b.real,
            sp.LessThan: a.real <= b.real,
        }
        return bool((compared | real)[type(e)])
    return bool(_number(e, values, at))


def _one_is(wanted: Any, made: list[Callable[[], Any]]) -> bool:
    """Say whether one of some is a value: what decides need not stand before what has no place."""
    missing: list[IndexError] = []
    for make in made:
        try:
            if make() == wanted:
                return True
        except IndexError as error:
            missing.append(error)
    if missing:
        raise missing[0]
    return False


def _delta(e: Any, values: Values, at: At) -> Any:
    a, b = [_number(side, values, at) for side in e.args[:2]]
    return mp.mpf(a == b)


def _orientation(e: Any, values: Values, at: At) -> Any:
    """Say whether three places go round, turn back, or are not all there."""
    a, b, c = [round(_number(place, values, at)) for place in e.args]
    return mp.mpf((a - b) * (b - c) * (c - a)) / 2


def _matrix(m: Any, values: Values, at: At) -> Any:
    """Compute a matrix."""
    if isinstance(m, sp.MatrixSymbol):
        own = values[m.name]
        if isinstance(own, np.ndarray):  # a vector is a column
            flat = np.array([_leaf(x) for x in own.ravel()], object)
            return flat.reshape(own.shape if own.ndim == 2 else (-1, 1))
        rows, columns = [round(_number(n, values, at)) for n in m.shape]
        made = [[_leaf(own[i, j]) for j in range(columns)] for i in range(rows)]
        return np.array(made, object).reshape(rows, columns)
    if isinstance(m, (sp.Inverse, sp.Pow, sp.MatPow)):
        return _of_matrix("matrix_power", _matrix(m.args[0], values, at), int(m.args[1]))
    if isinstance(m, Factor):
        found = _of_matrix(m.name, _matrix(m.of, values, at))
        return found.reshape(len(found), -1)  # eigenvalues are a column
    if isinstance(m, sp.Transpose):
        return _matrix(m.args[0], values, at).T
    if isinstance(m, sp.Adjoint):
        return NAMES["conjugate"](_matrix(m.args[0], values, at)).T
    if isinstance(m, sp.Identity):
        return NAMES["eye"](round(_number(m.shape[0], values, at)))
    if isinstance(m, sp.DiagMatrix):
        return NAMES["diag"](_matrix(m.args[0], values, at).reshape(-1, 1))
    if isinstance(m, sp.MatAdd):
        return sum(_matrix(a, values, at) for a in m.args)
    if isinstance(m, sp.MatMul):
        compute = [_matrix if a.is_Matrix else _number for a in m.args]
        factors = [f(a, values, at) for f, a in zip(compute, m.args, strict=True)]
        return reduce(lambda a, b: a @ b if np.ndim(a) and np.ndim(b) else a * b, factors)
    return _by_entries(m, values, at)


def _by_entries(m: Any, values: Values, at: At) -> Any:
    """Compute a matrix whose entries are those of matrices, or all alike."""
    if isinstance(m, sp.HadamardPower):
        return _matrix(m.base, values, at) ** _number(m.exp, values, at)
    if isinstance(m, sp.HadamardProduct):
        return reduce(operator.mul, [_matrix(a, values, at) for a in m.args])
    if isinstance(m, (sp.OneMatrix, sp.ZeroMatrix)):
        rows, columns = [round(_number(n, values, at)) for n in m.shape]
        return np.full((rows, columns), mp.mpf(isinstance(m, sp.OneMatrix)), object)
    flat = [_number(e, values, at) for e in m.as_explicit()]
    return np.array(flat, object).reshape(m.shape)


def _of_matrix(name: str, m: Any, *rest: int) -> Any:
    return _known(name, m.shape, tuple(m.ravel()), *rest)


@lru_cache(maxsize=64)
def _known(name: str, shape: Any, entries: Any, *rest: int) -> Any:
    """Compute a function of a matrix once for all of its entries that are asked for."""
    return NAMES[name](np.array(entries, object).reshape(shape), *rest)


def _product(e: Any, values: Values, at: At) -> Any:
    """Multiply; where a bracket or a delta is zero, what stands beside it need not be defined."""
    deciding = [a for a in e.args if isinstance(a, (Iverson, sp.KroneckerDelta))]
    if _one_is(0, [partial(_number, a, values, at) for a in deciding]):
        return mp.mpf(0)
    return mp.fprod([_number(a, values, at) for a in e.args])


def _element(e: Any, values: Values, at: At) -> Any:
    i, j = [round(_number(k, values, at)) for k in e.args[1:]]
    return _matrix(e.args[0], values, at)[i, j]


RULES: dict[Any, Callable[[Any, Values, At], Any]] = {
    sp.Indexed: _indexed,
    sp.Sum: _joined(mp.fsum),
    sp.Product: _joined(mp.fprod),
    sp.Piecewise: _cases,
    Iverson: lambda e, values, at: mp.mpf(holds(e.args[0], values, at)),
    sp.KroneckerDelta: _delta,
    sp.LeviCivita: _orientation,
    MatrixElement: _element,
    sp.Determinant: lambda e, values, at: NAMES["det"](_matrix(e.args[0], values, at)),
    sp.Add: lambda e, values, at: mp.fsum([_number(a, values, at) for a in e.args]),
    sp.Mul: _product,
    sp.Max: lambda e, values, at: max(_number(a, values, at) for a in e.args),
    sp.Min: lambda e, values, at: min(_number(a, values, at) for a in e.args),
    sp.ITE: holds,
    sp.Tuple: lambda e, values, at: sp.Tuple(*[_number(a, values, at) for a in e.args]),
}


def truth(tensor: Any, values: Values) -> tuple[Any, Any]:
    """Give what the program of a tensor is at some values of its leaves, and how well it is known.

    Where it has no digits, as where a mask leaves out what is undefined, it is what floats gave.
    """
    formula = tensor.formula
    given = {p: np.asarray(values.get(formula.names[p], x)) for p, x in formula.values().items()}
    try:
        found = exact.digits(formula.program, formula.position, given, DIGITS)
    except NoExactFormError:
        return tensor.numpy(), mp.mpf("1e-9")
    return found, CLOSE if reads_exactly(formula.program) else mp.mpf("1e-14")


def assert_close(e: Any, found: Any, wanted: Any, close: Any, told: str = "") -> None:
    """Assert that an entry has a value; its own decimals are rounded."""
    with mp.workdps(DIGITS + 10):
        a, b = _plain(sp.sympify(found)), _plain(sp.sympify(wanted))
        close = max(close, mp.mpf("1e-14")) if sp.sympify(e).has(sp.Float) else close
        assert a == b or abs(a - b) <= close * (1 + abs(b)), f"{told}: {e} is {a}, not {b}"


def points(tensor: Any) -> list[Values]:
    """Give where a tensor was recorded, and two points nearby at which its conditions hold, too."""
    recorded = {symbol.name: np.asarray(leaf) for symbol, leaf in tensor.leaves.items()}
    try:
        conditions = tensor.conditions
    except SymtapeError:
        return [recorded]
    rng = np.random.default_rng(len(recorded))
    near = [{name: _moved(x, rng) for name, x in recorded.items()} for _ in range(2)]
    return [recorded, *[own for own in near if all(holds(c, own, {}) for c in conditions)]]


def _moved(x: Any, rng: np.random.Generator) -> Any:
    if x.dtype.kind not in "fc" or np.array_equal(x, np.round(x)):  # orders, as of polygamma
        return x
    return (x * (1 + 1e-3 * rng.uniform(-1, 1, x.shape))).astype(x.dtype)
